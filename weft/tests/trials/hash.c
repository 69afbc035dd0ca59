#include "weft.h"
/* table with keys; who inserts a key writes its value later;
   who finds the key waits for the value: threads of one warp wait for each other */
unsigned out[1024], key[64], val[64], hits[64];
void kernel(unsigned t, unsigned n)
{
    unsigned k = t % 11 + 1, h = k * 2654435761u >> 26;
    for (;;) {
        unsigned old = 0;
        if (__atomic_compare_exchange_n(&key[h], &old, k, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            for (volatile unsigned d = 0; d < 20; ++d) { }
            __atomic_store_n(&val[h], k * 100, __ATOMIC_RELEASE);
            break;
        }
        if (old == k) { while (__atomic_load_n(&val[h], __ATOMIC_ACQUIRE) == 0) { } break; }
        h = (h + 1) & 63;
    }
    __atomic_fetch_add(&hits[h], 1, 0);
    out[t] = val[h];
}
