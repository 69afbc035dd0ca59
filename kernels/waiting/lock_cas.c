// A lock by compare and swap, strong.
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
atomic_uint lock, done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned free = 0;
        while (!atomic_compare_exchange_strong(&lock, &free, 1)) {
            free = 0;
            PAUSE();
        }
        count++;
        threads_sum += t;
        atomic_store(&lock, 0);
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
