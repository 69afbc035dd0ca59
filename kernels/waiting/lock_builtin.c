// A lock by the builtins of GCC, whose expected value is written anew in each round.
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
unsigned lock;
atomic_uint done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned e = 0;
        while (!__atomic_compare_exchange_n(&lock, &e, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            e = 0;
            PAUSE();
        }
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
