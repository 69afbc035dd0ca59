// A ticket lock.
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
atomic_uint next, serving, done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned mine = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != mine)
            PAUSE();
        count++;
        threads_sum += t;
        atomic_store(&serving, mine + 1);
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
