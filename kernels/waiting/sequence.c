// A pair that thread 0 writes and all others read: a reader begins anew if a writer was there meanwhile.
#include <stdatomic.h>
#include "waiting.h"
atomic_uint number, bad, done;
volatile unsigned pair[2];
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        if (t == 0) {
            atomic_fetch_add(&number, 1);
            pair[0] = k;
            pair[1] = busy(k);
            atomic_fetch_add(&number, 1);
        } else {
            unsigned before, a, b;
            do {
                while ((before = atomic_load(&number)) & 1)
                    PAUSE();
                a = pair[0];
                b = pair[1];
            } while (atomic_load(&number) != before);
            if (b != busy(a))
                atomic_fetch_add(&bad, 1);
        }
    }
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = bad;
        result[1] = pair[0];
        wanted[1] = ROUNDS - 1;
    }
}
