// Kernels that look like those of wrong.c and are right: `weft run --check` is silent on them. docs/spec/check.md.

#include "weft.h"
#include "weft_queue.h"
#include <stdatomic.h>

enum { THREADS = 16 };

int cells[THREADS];
int total;
int lock;
atomic_int flag;
atomic_int count;
int results[THREADS];
unsigned char bytes[THREADS];
static int hidden[THREADS];
WEFT_SHARED int tile[THREADS];

WEFT_KERNEL(neighbours)(unsigned t)
{
    cells[t] = t;
    WEFT_BAR_SYNC(0);
    results[t] = cells[t ^ 9];
}

WEFT_KERNEL(turns)(unsigned t)
{
    for (int i = 0; i < 5; ++i) {
        tile[t] = i;
        WEFT_BAR_SYNC(0);
        results[t] += tile[THREADS - 1 - t];
        WEFT_BAR_SYNC(0);
    }
}

WEFT_KERNEL(tree)(unsigned t)
{
    tile[t] = t;
    for (unsigned n = THREADS / 2; n != 0; n /= 2) {
        WEFT_BAR_SYNC(0);
        if (t < n)
            tile[t] += tile[t + n];
    }
    if (t == 0)
        total = tile[0];
}

WEFT_KERNEL(some_leave_before_the_barrier)(unsigned t)
{
    if (t >= THREADS - 3)
        return;
    tile[t] = t;
    WEFT_BAR_SYNC(0);
    results[t] = tile[(t + 1) % (THREADS - 3)];
}

WEFT_KERNEL(sums)(unsigned t)
{
    __atomic_fetch_add(&total, (int)t, __ATOMIC_RELAXED);
    WEFT_BAR_SYNC(0);
    results[t] = total;
}

WEFT_KERNEL(byte_by_byte)(unsigned t)
{
    bytes[t] = t;
    results[t] = bytes[t];
}

WEFT_KERNEL(a_flag)(unsigned t)
{
    if (t == 0) {
        total = 42;
        atomic_store_explicit(&flag, 1, memory_order_release);
    } else {
        while (atomic_load_explicit(&flag, memory_order_acquire) == 0)
            ;
        results[t] = total;
    }
}

WEFT_KERNEL(a_flag_in_order)(unsigned t)
{
    if (t == THREADS - 1) {
        total = 42;
        flag = 1;
    } else {
        while (flag == 0)
            ;
        results[t] = total;
    }
}

WEFT_KERNEL(who_comes_last)(unsigned t)
{
    cells[t] = t;
    if (atomic_fetch_add(&count, 1) == THREADS - 1)
        for (int i = 0; i < THREADS; ++i)
            results[i] = cells[i];
}

WEFT_KERNEL(fences)(unsigned t)
{
    if (t == 5) {
        total = 7;
        atomic_thread_fence(memory_order_release);
        atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    } else {
        while (atomic_fetch_add_explicit(&flag, 0, memory_order_relaxed) == 0)
            ;
        atomic_thread_fence(memory_order_acquire);
        results[t] = total;
    }
}

WEFT_KERNEL(a_lock)(unsigned t)
{
    (void)t;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
        ;
    total += 1;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

WEFT_KERNEL(a_lock_by_compare_and_swap)(unsigned t)
{
    int old;

    (void)t;
    do
        old = 0;
    while (!__atomic_compare_exchange_n(&lock, &old, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    hidden[0] += 1;
    __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
}

WEFT_KERNEL(an_array_on_the_stack)(unsigned t)
{
    volatile int own[4] = { 1, 2, 3, 4 };

    results[t] = own[(t + 1) % 4];
}

WEFT_KERNEL(the_last_of_each)(unsigned t)
{
    cells[THREADS - 1 - t] = 1;
    hidden[t] = 1;
    bytes[t] = 1;
}
