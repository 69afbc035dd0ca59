// to = factor * from + n, by host.c.

#include <weft_queue.h>

struct job {
    const unsigned *from;
    unsigned *to;
    unsigned number, factor;
};

WEFT_KERNEL(scale)(unsigned thread, unsigned threads, const struct job *job)
{
    if (thread < job->number)
        job->to[thread] = job->factor * job->from[thread] + thread;
}

void kernel(unsigned thread, unsigned threads) {}
