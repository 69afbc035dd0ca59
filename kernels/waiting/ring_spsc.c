// Rings with one writer and one reader: threads of even numbers write to the next one. The last thread may have nobody.
#include <stdatomic.h>
#include "waiting.h"
#define SIZE 4
struct ring {
    atomic_uint head, tail;
    unsigned slots[SIZE];
} rings[MOST / 2];
atomic_uint total, done;
void kernel(unsigned t, unsigned n)
{
    struct ring *ring = &rings[t / 2];
    if ((t | 1) < n) {
        if (t & 1)
            for (unsigned k = 0; k < 4 * SIZE; k++) {
                unsigned tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
                while (atomic_load_explicit(&ring->head, memory_order_acquire) == tail)
                    PAUSE();
                atomic_fetch_add(&total, ring->slots[tail % SIZE]);
                atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
            }
        else
            for (unsigned k = 0; k < 4 * SIZE; k++) {
                unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
                while (head - atomic_load_explicit(&ring->tail, memory_order_acquire) == SIZE)
                    PAUSE();
                ring->slots[head % SIZE] = k + t;
                atomic_store_explicit(&ring->head, head + 1, memory_order_release);
            }
    }
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = total;
        for (unsigned i = 0; (i | 1) < n; i += 2)
            wanted[0] += 4 * SIZE * i + sum(4 * SIZE);
        result[1] = wanted[1] = 1;
    }
}
