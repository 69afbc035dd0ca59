// A barrier by hand of flags: thread 0 waits for each of them and lets all go on.
#include "waiting.h"
unsigned here[MOST], go, values[ROUNDS + 1][MOST];
void kernel(unsigned t, unsigned n)
{
    values[0][t] = t;
    for (unsigned k = 1; k <= ROUNDS; k++) {
        if (t == 0) {
            for (unsigned i = 1; i < n; i++)
                while (__atomic_load_n(&here[i], __ATOMIC_ACQUIRE) < k)
                    PAUSE();
            __atomic_store_n(&go, k, __ATOMIC_RELEASE);
        } else {
            __atomic_store_n(&here[t], k, __ATOMIC_RELEASE);
            while (__atomic_load_n(&go, __ATOMIC_ACQUIRE) < k)
                PAUSE();
        }
        values[k][t] = values[k - 1][(t + 1) % n] + 1;
    }
    if (t == 0) {
        result[0] = values[ROUNDS][0];
        wanted[0] = ROUNDS % n + ROUNDS;
    }
}
