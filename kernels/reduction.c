// Sum and largest element of a vector: in a tree in the scratchpad of each CTA, and of the CTAs by atomics.
//
// In: data/noise at `a`, `size`. Out: sum, largest (the largest element). Check: in Rust.

#include "weft.h"

#ifndef ROOM
#define ROOM 1024
#endif

unsigned size = 1000;
unsigned a[ROOM];
unsigned sum, largest;

void kernel(unsigned thread, unsigned threads)
{
    volatile unsigned *sums = weft_scratchpad();
    unsigned own = weft_thread(), team = weft_cta_size();
    unsigned part = 0, most = 0;
    for (unsigned i = thread; i < size; i += threads) {
        part += a[i];
        most = a[i] > most ? a[i] : most;
    }
    sums[own] = part;
    // `team` need not be a power of two.
    for (unsigned rest = team; rest > 1;) {
        unsigned half = (rest + 1) / 2;
        weft_sync();
        if (own + half < rest)
            sums[own] += sums[own + half];
        rest = half;
    }
    if (own == 0)
        __atomic_fetch_add(&sum, sums[0], __ATOMIC_RELAXED);
    __asm__ volatile("amomaxu.w zero, %0, (%1)" : : "r"(most), "r"(&largest) : "memory");
}
