// A lock by compare and swap, weak, by acquire and release.
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
atomic_uint lock, done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned free;
        for (free = 0; !atomic_compare_exchange_weak_explicit(&lock, &free, 1, memory_order_acquire, memory_order_relaxed); free = 0)
            PAUSE();
        count++;
        threads_sum += t;
        atomic_store_explicit(&lock, 0, memory_order_release);
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
