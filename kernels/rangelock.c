// Range locks: a thread holds the locks of WINDOW neighbouring cells of a ring at once.
//
// Where in the text are the long words? Every word of at least LONG letters adds a bell to the cells around its
// place, a kernel density estimate. The locks are taken in ascending order, so threads cannot wait for each other in a
// circle, but they do wait, in long queues, holding up to WINDOW - 1 locks each.
// Every level has a token for the end of its acquisition and one for the end of all that it encloses: with those of the
// outer loop WINDOW + 3, besides divergences and yields. So the deque gets deep, and with less than 32 threads per warp it
// has no room for all of them. At every level the threads that got a lock wait for those that did not, who in
// turn may want a lock that the former hold (`--yield off --forced-yield off`).
//
// In: data/gettysburg at `text`; it ends at the first zero byte. Out: density[CELLS]; worked, how many words.
// Check: added up in Rust.

#include "weft.h"

enum { ROOM = 4096, PIECE = 16, LONG = 7, CELLS = 64, CELL = 24, WINDOW = 16 };

unsigned char text[ROOM];
unsigned lock[CELLS];
unsigned density[CELLS];
unsigned worked;

// The letter at i as 0 to 25; something larger for any other byte.
static unsigned letter(unsigned i)
{
    return (text[i] | 32u) - 'a';
}

static unsigned length(unsigned word)
{
    unsigned end = word;

    while (letter(end) <= 25)
        ++end;
    return end - word;
}

// The first long word that begins at i or behind it; `end` if none does before.
static unsigned next_word(unsigned i, unsigned end)
{
    WEFT_SSY(found);
    while (i != end && ((i != 0 && letter(i - 1) <= 25) || length(i) < LONG))
        ++i;
    WEFT_SYNC_HERE(found);
    return i;
}

// The window's k-th cell in ascending order, when it begins at `first`. Those past the end of the ring come first.
static unsigned cell(unsigned first, unsigned k)
{
    unsigned wrapped = first + WINDOW > CELLS ? first + WINDOW - CELLS : 0;

    return k < wrapped ? k : first + k - wrapped;
}

static void acquire(unsigned k)
{
    WEFT_PBK(held);
    while (__atomic_exchange_n(&lock[k], 1, __ATOMIC_ACQUIRE) != 0)
        WEFT_YIELD();
    WEFT_BRK_HERE(held);                // the winners wait here for the losers
}

static void release(unsigned k)
{
    __atomic_store_n(&lock[k], 0, __ATOMIC_RELEASE);
}

// Not atomic: the locks have to do it.
static void add_bell(unsigned first)
{
    for (unsigned k = 0; k < WINDOW; ++k)
        density[(first + k) % CELLS] += k < WINDOW / 2 ? k + 1 : WINDOW - k;
}

// Does `body` with the lock of the window's k-th cell.
#define HOLDING(k, body) \
    WEFT_SSY(free_##k); \
    acquire(cell(first, k)); \
    body; \
    release(cell(first, k)); \
    WEFT_SYNC_HERE(free_##k)

#define HOLDING_4(a, b, c, d, body) HOLDING(a, HOLDING(b, HOLDING(c, HOLDING(d, body))))

static void work(unsigned first)
{
    HOLDING_4(0, 1, 2, 3,
        HOLDING_4(4, 5, 6, 7,
            HOLDING_4(8, 9, 10, 11,
                HOLDING_4(12, 13, 14, 15,
                    add_bell(first)))));
}

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned start = thread * PIECE; start < ROOM && text[start] != 0; start += threads * PIECE) {
        unsigned end = start + PIECE;
        unsigned word = next_word(start, end);

        WEFT_PBK(done);
        while (word != end) {
            WEFT_PCNT(again);
            work((word / CELL + CELLS - WINDOW / 2) % CELLS);
            __atomic_fetch_add(&worked, 1, __ATOMIC_RELAXED);
            word = next_word(word + 1, end);
            WEFT_CONT_HERE(again);
        }
        WEFT_BRK_HERE(done);
    }
}
