// Atomic operations, fences, and warp control through weft.h.

#include "../../../kernels/weft.h"

unsigned histogram[16];
unsigned lock, guarded, latest, largest;

unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    WEFT_PBK(done);
    while (n > 1) {
        WEFT_SSY(join);
        if (n & 1)
            n = 3 * n + 1;
        else
            n /= 2;
        WEFT_SYNC_HERE(join);
        steps++;
    }
    WEFT_BRK_HERE(done);
    return steps;
}

void kernel(unsigned thread, unsigned threads)
{
    __atomic_fetch_add(&histogram[collatz(thread + 1) & 15], 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_or(&latest, 1u << weft_lane(), __ATOMIC_RELAXED);
    unsigned seen = __atomic_load_n(&largest, __ATOMIC_ACQUIRE);
    while (seen < thread &&
           !__atomic_compare_exchange_n(&largest, &seen, thread, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        WEFT_YIELD();
    guarded += weft_tid() + weft_size() / weft_width() + threads;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    __sync_synchronize();
}

WEFT_START(kernel)
