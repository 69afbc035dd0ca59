// A lock-free counter of inline assembly: a failed SC begins anew at LR.
#include "waiting.h"
unsigned counter, done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned old, failed;
        __asm__ volatile("1: lr.w    %0, (%2)\n"
                         "   add     %0, %0, %3\n"
                         "   sc.w    %1, %0, (%2)\n"
                         "   bnez    %1, 1b\n"
                         : "=&r"(old), "=&r"(failed)
                         : "r"(&counter), "r"(busy(t))
                         : "memory");
    }
    if (__atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST) == n - 1) {
        result[0] = counter;
        for (unsigned i = 0; i < n; i++)
            wanted[0] += ROUNDS * busy(i);
        result[1] = wanted[1] = 1;
    }
}
