// Hash table with one lock per bucket: the words of a text and how often each occurs, counted by all threads.
//
// A thread takes pieces of the text and enters the words that begin there, one after the other, into the chains of
// the table. Frequent words and neighbours in a bucket make the threads of a warp want the same lock at the same time.
// The critical section comes after the point where the warp gathers: on a machine that holds the winner back
// until the losers have arrived there, nobody ever releases the lock (`--yield off --forced-yield off`).
//
// In: data/gettysburg at `text`; it ends at the first zero byte. Out, for each bucket: words[b], how many different
// words; occurrences[b], how many words; head[b], a chain through next[] of nodes with count[]. A node is named by
// where its word stands, plus 1; which occurrence that is depends on who came first. Check: the words counted in Rust,
// and every chain compared with them.

#include "weft.h"

enum { ROOM = 4096, PIECE = 16, BUCKETS = 16 };

unsigned char text[ROOM];
unsigned lock[BUCKETS];
unsigned words[BUCKETS];
unsigned occurrences[BUCKETS];
unsigned head[BUCKETS];
unsigned next[ROOM + 1];
unsigned count[ROOM + 1];

// The letter at i as 0 to 25; something larger for any other byte.
static unsigned letter(unsigned i)
{
    return (text[i] | 32u) - 'a';
}

// The first word that begins at i or behind it; `end` if none does before.
static unsigned next_word(unsigned i, unsigned end)
{
    WEFT_SSY(found);
    while (i != end && (letter(i) > 25 || (i != 0 && letter(i - 1) <= 25)))
        ++i;
    WEFT_SYNC_HERE(found);
    return i;
}

// FNV-1a.
static unsigned bucket_of(unsigned word)
{
    unsigned hash = 2166136261u;

    for (; letter(word) <= 25; ++word)
        hash = (hash ^ letter(word)) * 16777619u;
    return (hash >> 16) % BUCKETS;
}

static int same(unsigned a, unsigned b)
{
    while (letter(a) <= 25 && letter(a) == letter(b))
        ++a, ++b;
    return letter(a) > 25 && letter(b) > 25;
}

static void enter(unsigned word)
{
    unsigned bucket;

    WEFT_SSY(hashed);
    bucket = bucket_of(word);
    WEFT_SYNC_HERE(hashed);

    WEFT_SSY(locked);
    while (__atomic_exchange_n(&lock[bucket], 1, __ATOMIC_ACQUIRE) != 0)
        WEFT_YIELD();
    WEFT_SYNC_HERE(locked);             // the winners wait here for the losers

    // Nothing from here on is atomic: the lock has to do it.
    unsigned node = head[bucket];
    while (node != 0 && !same(node - 1, word))
        node = next[node];
    if (node == 0) {
        node = word + 1;
        next[node] = head[bucket];
        head[bucket] = node;
        ++words[bucket];
    }
    ++count[node];
    ++occurrences[bucket];
    __atomic_store_n(&lock[bucket], 0, __ATOMIC_RELEASE);
}

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned start = thread * PIECE; start < ROOM && text[start] != 0; start += threads * PIECE) {
        unsigned end = start + PIECE;
        unsigned word = next_word(start, end);

        WEFT_PBK(done);
        while (word != end) {
            WEFT_PCNT(again);
            enter(word);
            word = next_word(word + 1, end);
            WEFT_CONT_HERE(again);
        }
        WEFT_BRK_HERE(done);
    }
}
