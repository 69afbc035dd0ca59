// Work made by threads: each thread of the launch launches a grid of its own, and nobody asks the host.
//
//     cargo weft run examples/children.c --engine gpu --work-queue 32 --cta 8 --sms 2 --dump squares:8
//
// docs/spec/queue.md says what happens in memory.

#include <assert.h>
#include <weft_queue.h>

enum { PARTS = 8, SIZE = 100, CTA = 32 };

unsigned squares[PARTS * SIZE];

struct part {
    struct weft_queue *queue;
    unsigned first;
    unsigned left; // threads that have not ended
};

static struct part parts[PARTS];

/* Each thread does one square; the last one says that the part is done. */
WEFT_KERNEL(square)(unsigned thread, unsigned threads, struct part *part)
{
    unsigned i = part->first + thread;
    if (thread < SIZE)
        squares[i] = i * i;
    weft_fence();
    if (weft_add(&part->left, -1u) == 1)
        weft_work_end(part->queue);
}

void kernel(unsigned thread, unsigned threads, struct weft_queue *queue)
{
    if (thread < PARTS) {
        struct part *part = &parts[thread];
        unsigned ctas = (SIZE + CTA - 1) / CTA;
        part->queue = queue;
        part->first = SIZE * thread;
        part->left = ctas * CTA;
        struct weft_task *task = weft_task_new(queue);
        assert(task);
        weft_task_grid(task, square, ctas, CTA, part);
        weft_work_begin(queue, 1);
        int launched = weft_queue_launch(queue, &task, 1);
        assert(launched); // the ring holds two entries for each part
    }
    weft_work_end(queue);
}
