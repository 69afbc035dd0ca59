// A queue of waiting threads, each of which waits at a word of its own (MCS).
#include <stdatomic.h>
#include "waiting.h"
unsigned count, threads_sum;
struct node {
    _Atomic(struct node *) next;
    atomic_uint locked;
} nodes[MOST];
_Atomic(struct node *) tail;
atomic_uint done;
void kernel(unsigned t, unsigned n)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        struct node *me = &nodes[t];
        atomic_store(&me->next, (struct node *)0);
        atomic_store(&me->locked, 1);
        struct node *before = atomic_exchange(&tail, me);
        if (before) {
            atomic_store(&before->next, me);
            while (atomic_load(&me->locked))
                PAUSE();
        }
        count++;
        threads_sum += t;
        struct node *after = atomic_load(&me->next);
        if (!after) {
            struct node *last = me;
            if (!atomic_compare_exchange_strong(&tail, &last, (struct node *)0))
                while (!(after = atomic_load(&me->next)))
                    PAUSE();
        }
        if (after)
            atomic_store(&after->locked, 0);
    }
    if (t == 0) {
        wanted[0] = ROUNDS * n;
        wanted[1] = ROUNDS * sum(n);
    }
    // Whoever is the last one has seen all.
    if (atomic_fetch_add(&done, 1) == n - 1) {
        result[0] = count;
        result[1] = threads_sum;
    }
}
