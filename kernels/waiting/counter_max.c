// The greatest of all by compare and swap, which waits for nobody, and a counter that is read anew in each round.
#include <stdatomic.h>
#include "waiting.h"
atomic_uint greatest, counter, done;
void kernel(unsigned t, unsigned n)
{
    unsigned x = (t * 7 + 3) % 64 + t, old = atomic_load(&greatest);
    while (old < x && !atomic_compare_exchange_weak(&greatest, &old, x))
        ;
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned seen;
        do
            seen = atomic_load(&counter);
        while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1));
    }
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = greatest;
        for (unsigned i = 0; i < n; i++)
            wanted[0] = (i * 7 + 3) % 64 + i > wanted[0] ? (i * 7 + 3) % 64 + i : wanted[0];
        result[1] = counter;
        wanted[1] = ROUNDS * n;
    }
}
