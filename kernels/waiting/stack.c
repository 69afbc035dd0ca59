// A lock-free stack: all threads put things on it, then take as many off. Nobody waits but for the last put.
#include <stdatomic.h>
#include "waiting.h"
unsigned next[ROUNDS * MOST + 1], taken[ROUNDS * MOST + 1];
atomic_uint top, put, total, done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned own = 1 + t * ROUNDS + k, old = atomic_load(&top);
        do
            next[own] = old;
        while (!atomic_compare_exchange_weak(&top, &old, own));
    }
    atomic_fetch_add(&put, 1);
    while (atomic_load(&put) < n)
        PAUSE();
    for (unsigned k = 0; k < ROUNDS; k++) {
        // Nothing is put back, so no name comes twice.
        unsigned old = atomic_load(&top);
        while (!atomic_compare_exchange_strong(&top, &old, next[old]))
            ;
        taken[old]++;
        atomic_fetch_add(&total, old);
    }
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = total;
        wanted[0] = sum(ROUNDS * n + 1);
        for (unsigned k = 1; k <= ROUNDS * n; k++)
            result[1] += taken[k] == 1;
        wanted[1] = ROUNDS * n;
    }
}
