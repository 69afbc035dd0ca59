// Kernels that are wrong, each in one way, most of which come to the right result on the golden machine all the same.
// What `weft run --check` says of them is compared with the comments at the ends of lines: `race`, `unwritten`,
// `nothing`, `beside`, `constant` or `code` there says that the line must be named in a finding of that kind.
// A CTA has 16 threads, a warp 8 of them. docs/spec/check.md.

#include "weft.h"
#include "weft_queue.h"

enum { THREADS = 16 };

int cells[THREADS];
int more[THREADS];
int total;
int flag;
int lock;
int results[THREADS];
unsigned char bytes[THREADS];
const int table[4] = { 1, 2, 3, 4 };
static int hidden[8];
WEFT_SHARED int tile[THREADS];
WEFT_SHARED int half[THREADS / 2];

// The pointer, of which the compiler knows nothing any more: it may do what it likes with an access that it sees to be
// wrong.
static int *unknown(int *pointer)
{
    __asm__("" : "+r"(pointer));
    return pointer;
}

// ---- Barriers that are not there, or not where they ought to be.

WEFT_KERNEL(missing_barrier)(unsigned t)
{
    cells[t] = t;                               // race
    results[t] = cells[t ^ 1];                  // race
}

WEFT_KERNEL(missing_barrier_other_warp)(unsigned t)
{
    cells[t] = t;                               // race
    results[t] = cells[t ^ 8];                  // race
}

WEFT_KERNEL(missing_barrier_in_scratchpad)(unsigned t)
{
    tile[t] = t;                                // race
    results[t] = tile[THREADS - 1 - t];         // race
}

WEFT_KERNEL(barrier_too_early)(unsigned t)
{
    WEFT_BAR_SYNC(0);
    cells[t] = t;                               // race
    results[t] = cells[t ^ 3];                  // race
}

WEFT_KERNEL(barrier_too_late)(unsigned t)
{
    cells[t] = t;                               // race
    int next = cells[(t + 1) % THREADS];        // race
    WEFT_BAR_SYNC(0);
    results[t] = next;
}

WEFT_KERNEL(one_barrier_of_two)(unsigned t)
{
    for (int i = 0; i < 3; ++i) {
        cells[t] = i;                           // race
        WEFT_BAR_SYNC(0);
        results[t] += cells[t ^ 9];             // race
    }
}

WEFT_KERNEL(only_in_the_last_turn)(unsigned t)
{
    for (int i = 0; i < 4; ++i) {
        cells[t] = i;                           // race
        if (i < 3)
            WEFT_BAR_SYNC(0);
        results[t] = cells[t ^ 8];              // race
        WEFT_BAR_SYNC(0);
    }
}

WEFT_KERNEL(tree_without_barriers)(unsigned t)
{
    tile[t] = t;                                // race
    for (unsigned n = THREADS / 2; n != 0; n /= 2)
        if (t < n)
            tile[t] += tile[t + n];             // race
}

static __attribute__((noinline)) void put(unsigned t, int value)
{
    cells[t] = value;                           // race in behind_a_call
}

WEFT_KERNEL(behind_a_call)(unsigned t)
{
    put(t, 1);
    results[t] = cells[t ^ 2];                  // race
}

// ---- One word for all.

WEFT_KERNEL(all_write_one)(unsigned t)
{
    total = t;                                  // race
}

WEFT_KERNEL(a_sum_without_atomics)(unsigned t)
{
    total += t;                                 // race
}

WEFT_KERNEL(a_sum_read_too_soon)(unsigned t)
{
    __atomic_fetch_add(&total, (int)t, __ATOMIC_RELAXED); // race
    results[t] = total;                         // race
}

WEFT_KERNEL(bytes_and_words)(unsigned t)
{
    bytes[t] = t;                               // race
    results[t] = ((volatile int *)bytes)[t / 4]; // race
}

WEFT_KERNEL(neighbours_overlap)(unsigned t)
{
    unsigned at = t % (THREADS - 1);

    cells[at] = 1;                              // race
    cells[at + 1] = 1;                          // race
}

// ---- Flags and locks that order nothing.

WEFT_KERNEL(a_flag_without_release)(unsigned t)
{
    if (t == 0) {
        total = 42;                             // race
        *(volatile int *)&flag = 1;
    } else {
        while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0)
            ;
        results[t] = total;                     // race
    }
}

WEFT_KERNEL(a_counter_without_order)(unsigned t)
{
    cells[t] = t;                               // race
    if (__atomic_fetch_add(&total, 1, __ATOMIC_RELAXED) == THREADS - 1)
        for (int i = 0; i < THREADS; ++i)
            results[i] = cells[i];              // race
}

WEFT_KERNEL(a_lock_that_is_not_taken_by_all)(unsigned t)
{
    if (t % 2 == 0) {
        while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
            ;
        total += 1;                             // race
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    } else {
        total += 1;                             // race
    }
}

WEFT_KERNEL(a_lock_let_go_too_early)(unsigned t)
{
    (void)t;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
        ;
    int old = total;                            // race
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    total = old + 1;                            // race
}

// ---- What nobody has written.

WEFT_KERNEL(a_tile_that_nobody_fills)(unsigned t)
{
    results[t] = tile[t];                       // unwritten
}

WEFT_KERNEL(half_a_tile)(unsigned t)
{
    if (t < THREADS / 2)
        tile[t] = t;
    WEFT_BAR_SYNC(0);
    results[t] = tile[t];                       // unwritten
}

WEFT_KERNEL(an_array_on_the_stack)(unsigned t)
{
    volatile int own[4];

    own[t % 4] = 1;
    results[t] = own[(t + 1) % 4];              // unwritten
}

// ---- Beside objects, and where nothing is.

WEFT_KERNEL(one_too_many)(unsigned t)
{
    unknown(results)[t + 1] = 1;                // beside
}

WEFT_KERNEL(one_before_the_first)(unsigned t)
{
    results[t] = unknown(cells)[(int)t - 1];    // beside
}

WEFT_KERNEL(beyond_a_static_array)(unsigned t)
{
    unknown(hidden)[t] = 1;                     // beside
}

WEFT_KERNEL(beyond_a_small_tile)(unsigned t)
{
    half[t] = 1;                                // beside
}

WEFT_KERNEL(bytes_beyond)(unsigned t)
{
    ((unsigned char *)unknown((int *)bytes))[t + 1] = 1; // beside
}

WEFT_KERNEL(far_away)(unsigned t)
{
    if (t == 3)
        *(volatile int *)(0x400000 + 4 * t) = 1; // nothing
}

WEFT_KERNEL(a_pointer_that_is_a_number)(unsigned t)
{
    results[t] = *(volatile int *)(0x300000);   // nothing
}

// ---- Constants and code.

WEFT_KERNEL(a_constant_is_written)(unsigned t)
{
    if (t == 0)
        *(volatile int *)&table[2] = 5;         // constant
    WEFT_BAR_SYNC(0);
    results[t] = table[t % 4];
}

WEFT_KERNEL(code_is_written)(unsigned t)
{
    if (t == 0)
        *(volatile int *)(unsigned long)&code_is_written = 0; // code
}
