// Two kernels for host.c. Each thread does one element.

#include <weft_queue.h>

struct job {
    const int *x;
    int *y;
    unsigned number;
    int factor;
};

/* y = factor * x + y */
WEFT_KERNEL(add_scaled)(unsigned thread, unsigned threads, struct job *job)
{
    if (thread < job->number)
        job->y[thread] += job->factor * job->x[thread];
}

/* The thread in the middle writes where there is no memory. */
WEFT_KERNEL(stray)(unsigned thread, unsigned threads, struct job *job)
{
    int *place = thread == threads / 2 ? (int *)0x80000000 : &job->y[thread];
    *place = 0;
}

void kernel(unsigned thread, unsigned threads)
{
    // The host launches the kernels above by their names.
}
