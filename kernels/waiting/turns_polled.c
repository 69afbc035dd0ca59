// Threads take turns, and look whose turn it is in the loop over their rounds.
#include <stdatomic.h>
#include "waiting.h"
atomic_uint turn;
unsigned total;
void kernel(unsigned t, unsigned n)
{
    unsigned k = 0;
    while (k < ROUNDS) {
        if (atomic_load(&turn) == k * n + t) {
            total += busy(t) + k;
            k++;
            atomic_fetch_add(&turn, 1);
        } else
            PAUSE();
    }
    if (t == n - 1) {
        result[0] = total;
        for (unsigned i = 0; i < n; i++)
            wanted[0] += ROUNDS * busy(i) + sum(ROUNDS);
        result[1] = wanted[1] = 1;
    }
}
