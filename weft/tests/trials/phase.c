#include "weft.h"
/* two groups of threads, each with a split barrier of its own, arrive and wait again and again;
   group 1 goes through more phases.
   nobody may pass a phase before all of its group have arrived */
unsigned out[1024], cnt[2][64];
#ifndef SPLIT
#define SPLIT (t & 1)
#endif
void kernel(unsigned t, unsigned n)
{
    unsigned g = SPLIT, size = 0, bad = 0;
    for (unsigned i = 0; i < n; ++i) { unsigned q = t; t = i; size += SPLIT == g; t = q; }
    for (unsigned r = 0; r < (g ? 23 : 16); ++r) {
        __atomic_fetch_add(&cnt[g][r], 1, __ATOMIC_RELAXED);
        if (g) { WEFT_BAR_ARRIVE(1, WEFT_BAR(0, 1, size)); WEFT_BAR_WAIT(1, r & 1); }
        else { WEFT_BAR_ARRIVE(0, WEFT_BAR(0, 1, size)); WEFT_BAR_WAIT(0, r & 1); }
        unsigned c = *(volatile unsigned *)&cnt[g][r];
        if (c != size) bad = r + 1;
        if (r && *(volatile unsigned *)&cnt[g][r + 1] > size) bad |= 0x100;
    }
    out[t] = bad + 1;
}
