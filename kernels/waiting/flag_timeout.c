// A flag for which nobody waits for ever: thread n - 1 sets it behind its work, and the others would give up some time.
#include "waiting.h"
unsigned flag, late[MOST], worked;
void kernel(unsigned t, unsigned n)
{
    if (t == n - 1) {
        unsigned x = 1;
        for (unsigned k = 0; k < 100; k++)
            x = busy(x);
        worked = x | 1;
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
        for (unsigned k = 0; k < n - 1; k++)
            while (!__atomic_load_n(&late[k], __ATOMIC_ACQUIRE))
                PAUSE();
        for (unsigned k = 0; k < n - 1; k++)
            result[0] += late[k];
        wanted[0] = n - 1;
        return;
    }
    unsigned tries = 0;
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE) && tries++ < 100000000)
        PAUSE();
    __atomic_store_n(&late[t], tries < 100000000 ? 1 : 2, __ATOMIC_RELEASE);
}
