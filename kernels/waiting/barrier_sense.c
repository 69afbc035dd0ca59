// A barrier by hand, whose sense changes each time.
#include <stdatomic.h>
#include "waiting.h"
atomic_uint arrived, sense;
unsigned values[ROUNDS + 1][MOST];
void kernel(unsigned t, unsigned n)
{
    unsigned mine = 0;
    values[0][t] = t;
    for (unsigned k = 0; k < ROUNDS; k++) {
        mine = !mine;
        if (atomic_fetch_add(&arrived, 1) == n - 1) {
            atomic_store(&arrived, 0);
            atomic_store(&sense, mine);
        } else
            while (atomic_load(&sense) != mine)
                PAUSE();
        values[k + 1][t] = values[k][(t + 1) % n] + 1;
    }
    if (t == 0) {
        result[0] = values[ROUNDS][0];
        wanted[0] = ROUNDS % n + ROUNDS;
    }
}
