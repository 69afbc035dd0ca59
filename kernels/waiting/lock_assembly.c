// A lock of inline assembly, whose loop that waits is in it, too: it begins where that of LR and SC does.
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
unsigned lock;
atomic_uint done;
#ifdef BY_HAND
#define WAIT "   beqz    %0, 2f\n   .insn i 0x5B, 1, x0, 0(x0)\n   j 1b\n"
#else
#define WAIT "   bnez    %0, 1b\n"
#endif
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned held;
        __asm__ volatile("1: lr.w.aq %0, (%1)\n" WAIT
                         "2: sc.w    %0, %2, (%1)\n"
                         "   bnez    %0, 1b\n"
                         : "=&r"(held)
                         : "r"(&lock), "r"(1)
                         : "memory");
        count++;
        threads_sum += t;
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    }
    if (t == 0) {
        wanted[0] = ROUNDS * n;
        wanted[1] = ROUNDS * sum(n);
    }
    // Whoever is the last one has seen all.
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = count;
        result[1] = threads_sum;
    }
}
