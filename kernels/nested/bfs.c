// Breadth-first search with a child grid for each frontier: as many threads as the frontier has vertices, known only when it is there.
//
// Threads of a level look at one vertex each and append who they are the first to reach to the next frontier. The last thread
// of a level launches the next one through the GPU-owned channel. With job.queue = 0 the host does that.
//
// In: job.rows, job.columns (compressed sparse rows), distance[] = FAR but 0 at the source, frontier[0][0] = source.
// Check: breadth-first search in Rust.

#include "weft_queue.h"

enum { FAR = 0xffffffff };

struct job {
    struct weft_queue *queue;
    const unsigned *rows, *columns;
    unsigned *distance, *frontier[2];
    unsigned count[2]; // of the two frontiers
    unsigned depth;
    unsigned left; // threads of this level that have not ended
    unsigned cta;  // threads of a CTA
};

WEFT_KERNEL(level)(unsigned thread, unsigned threads, struct job *job);

static void next(struct job *job)
{
    unsigned which = ++job->depth & 1;
    unsigned count = job->count[which];
    job->count[which ^ 1] = 0;
    unsigned ctas = (count + job->cta - 1) / job->cta;
    job->left = ctas * job->cta;
    if (!job->queue)
        return;
    if (count) {
        struct weft_task *task = weft_task_new(job->queue);
        if (task) {
            weft_task_grid(task, level, ctas, job->cta, job);
            weft_work_begin(job->queue, 1);
            if (!weft_queue_launch(job->queue, &task, 1))
                __builtin_trap(); // the ring holds the levels of any graph
        }
    }
    weft_work_end(job->queue);
}

void weft_body_level(unsigned thread, unsigned threads, struct job *job)
{
    unsigned which = job->depth & 1;
    if (thread < job->count[which]) {
        unsigned v = job->frontier[which][thread];
        for (unsigned i = job->rows[v]; i < job->rows[v + 1]; ++i) {
            unsigned far = FAR, to = job->columns[i];
            if (__atomic_compare_exchange_n(&job->distance[to], &far, job->depth + 1, 0, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST))
                job->frontier[which ^ 1][weft_add(&job->count[which ^ 1], 1)] = to;
        }
    }
    weft_fence();
    if (weft_add(&job->left, -1u) == 1)
        next(job);
}

// The launch by the CPU: one thread.
void kernel(unsigned thread, unsigned threads, struct job *job)
{
    job->depth = -1u;
    next(job);
}
