// One writes, or many read.
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
atomic_int readers, done; // -1: a thread writes
unsigned seen[MOST];
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        for (;;) {
            int none = 0;
            if (atomic_compare_exchange_strong(&readers, &none, -1))
                break;
            PAUSE();
        }
        count++;
        threads_sum += t;
        atomic_store(&readers, 0);
        for (;;) {
            int now = atomic_load(&readers);
            if (now >= 0 && atomic_compare_exchange_weak(&readers, &now, now + 1))
                break;
            PAUSE();
        }
        seen[t] = count;
        atomic_fetch_sub(&readers, 1);
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
