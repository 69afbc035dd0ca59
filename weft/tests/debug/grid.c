// CTAs of an odd size, with a sum in the scratchpad; and kernels that come to no good end.
#include "weft.h"
#include "weft_queue.h"

unsigned sums[8];
WEFT_SHARED unsigned partial[64];

WEFT_KERNEL(sum)(unsigned thread) {
    unsigned own = weft_thread(), size = weft_cta_size(), cta = weft_cta_x();
    partial[own] = own + 1;
    weft_sync();
    if (own == 0) {
        unsigned total = 0;
        for (unsigned i = 0; i < size; i++)
            total += partial[i]; // add
        sums[cta] = total; // total
    }
}

WEFT_KERNEL(faults)(unsigned thread) {
    if (weft_thread() == 6)
        *(volatile unsigned *)64 = 1; // fault
}

WEFT_KERNEL(hangs)(unsigned thread) {
    if (weft_thread() % 2)
        WEFT_BAR_WAIT(1, 0); // hang
}

WEFT_KERNEL(spins)(unsigned thread) {
    while (*(volatile unsigned *)sums == 0)
        ; // spin
}
