// A barrier by hand that counts on: everybody waits until all have come so often.
#include <stdatomic.h>
#include "waiting.h"
atomic_uint arrived;
unsigned values[ROUNDS + 1][MOST];
void kernel(unsigned t, unsigned n)
{
    values[0][t] = t;
    for (unsigned k = 0; k < ROUNDS; k++) {
        atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel);
        while (atomic_load_explicit(&arrived, memory_order_acquire) < (k + 1) * n)
            PAUSE();
        values[k + 1][t] = values[k][(t + 1) % n] + 1;
    }
    if (t == 0) {
        result[0] = values[ROUNDS][0];
        wanted[0] = ROUNDS % n + ROUNDS;
    }
}
