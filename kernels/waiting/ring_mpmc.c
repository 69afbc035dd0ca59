// A ring of many writers and many readers, whose places have numbers that say whose turn it is.
#include <stdatomic.h>
#include "waiting.h"
#define SIZE 8
struct {
    atomic_uint number;
    unsigned value;
} places[SIZE];
atomic_uint ready, in, out, total, done;
static int put(unsigned value)
{
    unsigned at = atomic_load_explicit(&in, memory_order_relaxed);
    for (;;) {
        int ahead = (int)(atomic_load_explicit(&places[at % SIZE].number, memory_order_acquire) - at);
        if (ahead == 0) {
            if (atomic_compare_exchange_weak(&in, &at, at + 1))
                break;
        } else if (ahead < 0)
            return 0;
        else
            at = atomic_load_explicit(&in, memory_order_relaxed);
    }
    places[at % SIZE].value = value;
    atomic_store_explicit(&places[at % SIZE].number, at + 1, memory_order_release);
    return 1;
}
static int get(unsigned *value)
{
    unsigned at = atomic_load_explicit(&out, memory_order_relaxed);
    for (;;) {
        int ahead = (int)(atomic_load_explicit(&places[at % SIZE].number, memory_order_acquire) - (at + 1));
        if (ahead == 0) {
            if (atomic_compare_exchange_weak(&out, &at, at + 1))
                break;
        } else if (ahead < 0)
            return 0;
        else
            at = atomic_load_explicit(&out, memory_order_relaxed);
    }
    *value = places[at % SIZE].value;
    atomic_store_explicit(&places[at % SIZE].number, at + SIZE, memory_order_release);
    return 1;
}
void kernel(unsigned t, unsigned n)
{
    if (t == 0) {
        for (unsigned k = 0; k < SIZE; k++)
            atomic_store(&places[k].number, k);
        atomic_store(&ready, 1);
    }
    while (!atomic_load(&ready))
        PAUSE();
    if ((t | 1) < n)
        for (unsigned k = 0; k < ROUNDS; k++) {
            unsigned value;
            if (t & 1) {
                while (!get(&value))
                    PAUSE();
                atomic_fetch_add(&total, value);
            } else
                while (!put(t + k))
                    PAUSE();
        }
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = total;
        for (unsigned i = 0; (i | 1) < n; i += 2)
            wanted[0] += ROUNDS * i + sum(ROUNDS);
        result[1] = wanted[1] = 1;
    }
}
