/*
 * Work made by threads, without the host: docs/spec/queue.md. For C and C++; include weft.h first or let this do it.
 *
 *     WEFT_KERNEL(child)(unsigned thread, unsigned threads, struct job *job) { ... }
 *
 *     struct weft_task *task = weft_task_new(queue);
 *     weft_task_grid(task, child, ctas, threads, job);
 *     weft_queue_launch(queue, &task, 1);     // behind what the ring holds already; or
 *     weft_spawn(queue, task);                // now, in no order
 *
 * The first pieces of work, those of the CPU's launch, are counted by the driver. Who adds a piece says weft_work_begin first;
 * who has done one says weft_work_end. The last one closes the round (QUEUE-042).
 *
 * Call all of this by one thread at a time of what is launched, usually thread 0 of a CTA.
 */
#ifndef WEFT_QUEUE_H
#define WEFT_QUEUE_H

#include "weft.h"

/* A descriptor (docs/spec/tasks.md). */
struct weft_task {
    unsigned header, pc, grid[3], cta[3];
    unsigned arguments, scratchpad, local, yield;
    unsigned completion, value, dependent, limit;
    unsigned ring, entry, entries, each, reserve, put, get, open;
    unsigned predecessors, state, named, zeros[5];
} __attribute__((aligned(64)));

/* QUEUE-001. */
struct weft_queue {
    unsigned entries, number, semaphores, blocks;
    unsigned soft, shadow;
    unsigned x, y, round, open;
    unsigned tasks, task_number, task_next;
    unsigned spawn, spawn_number, zero;
};

/* Outcomes of weft_queue_try and weft_queue_take; others are positions. */
#define WEFT_NO 0xffffffffu    /* no room now */
#define WEFT_NEVER 0xfffffffeu /* more than the ring can hold */

#define WEFT_NOP_ 0x00010000u
#define WEFT_LAUNCH_ 0x00020001u
#define WEFT_WAIT_FOR_IDLE_ 0x00010002u
#define WEFT_ACQUIRE_ 0x00030003u
#define WEFT_RELEASE_ 0x00030004u

/* A kernel: where a descriptor's pc points. Its threads get thread number, threads of the grid, and the arguments' address.
 * It stays in the program though nothing in it may name it (R): the host launches it by name. */
#define WEFT_KERNEL(name) \
    void name(void); \
    __asm__(".pushsection .text." #name ",\"axR\",@progbits\n" \
            "\t.align\t2\n" \
            "\t.globl\t" #name "\n" \
            #name ":\n" \
            "\t.option\tpush\n" \
            "\t.option\tnorelax\n" \
            "\tla\tgp, __global_pointer$\n" \
            "\t.option\tpop\n" \
            "\t.weak\t__weft_thread\n" \
            "\tlui\tt0, %hi(__weft_thread)\n" \
            "\taddi\tt0, t0, %lo(__weft_thread)\n" \
            "\tbeqz\tt0, 1f\n" \
            "\tjalr\tt0, 0(t0)\n" \
            "1:\n" \
            "\tcall\tweft_body_" #name "\n" \
            "\t.insn\ti 0x5B, 2, x0, 0(x0)\n" \
            "\t.popsection"); \
    __attribute__((used)) void weft_body_##name

static inline volatile unsigned *weft_at_(unsigned address) { return (volatile unsigned *)address; }
/* Everything written before is there before anything written behind. */
static inline void weft_fence(void) { __asm__ volatile("fence" : : : "memory"); }
/* Adds, and gives the value before. */
static inline unsigned weft_add(unsigned *word, unsigned value)
{
    return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
/* A word that others write: behind a fence, or else the data cache may give what it was (GPU-031). */
static inline unsigned weft_look(const unsigned *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

/* A descriptor from the queue's store; 0: there is none left in this round. */
static inline struct weft_task *weft_task_new(struct weft_queue *queue)
{
    unsigned n = weft_add(&queue->task_next, 1);
    return n < queue->task_number ? (struct weft_task *)(queue->tasks + 128 * n) : 0;
}

/* Everything that a grid of one dimension needs; change what is to be different. */
static inline void weft_task_grid(struct weft_task *task, void (*kernel)(void), unsigned ctas, unsigned threads,
                                  const void *arguments)
{
    volatile unsigned *words = (volatile unsigned *)task;
    for (unsigned n = 0; n < 32; ++n)
        words[n] = 0;
    task->header = 0x57000001u;
    task->pc = (unsigned)kernel;
    task->grid[0] = ctas;
    task->grid[1] = task->grid[2] = 1;
    task->cta[0] = threads;
    task->cta[1] = task->cta[2] = 1;
    task->arguments = (unsigned)arguments;
    task->local = 1024;
    task->yield = 1u << 16 | 1024;
    task->predecessors = 1; /* not 0, so that it may be added to (TASK-028) */
}

/* QUEUE-060: when `task` is complete, `next` is named. Before `task` is launched. */
static inline void weft_task_then(struct weft_task *task, struct weft_task *next) { task->dependent = (unsigned)next; }

/* `task` is launched when it has been named n times, 1 to 65,535; else once. Before anybody can name it. */
static inline void weft_task_after(struct weft_task *task, unsigned n) { task->predecessors = n; }

/* n more are to name `task`. Only by a thread of a task that names it when it is complete (TASK-028), and before any of the
 * others can; at the beginning of those that name it n are counted by weft_task_after. */
static inline void weft_task_add(struct weft_task *task, unsigned n) { weft_add(&task->predecessors, n); }

/* QUEUE-061: a task that does not wait for its n children. What is to be done behind them is `join`, which each of them names
 * (weft_task_then); and what this task itself names when it is complete, `next` or 0, comes behind `join`, too. Before the
 * children are launched; then this thread does no more than launch them. */
static inline void weft_task_fork(struct weft_task *join, unsigned n, struct weft_task *next)
{
    weft_task_after(join, n);
    weft_task_then(join, next);
    if (next)
        weft_task_add(next, 1);
}

/* QUEUE-031: n + 1 positions, if there is room for them now: the first; else WEFT_NO, or WEFT_NEVER (QUEUE-032), and
 * nothing has changed. */
static inline unsigned weft_queue_try(struct weft_queue *queue, unsigned n)
{
    if (n + 3 > queue->number)
        return WEFT_NEVER;
    unsigned soft = weft_look(&queue->soft);
    do {
        if ((int)(weft_look(&queue->shadow) - soft - n - 1) < 0)
            return WEFT_NO;
    } while (!__atomic_compare_exchange_n(&queue->soft, &soft, soft + n + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return soft;
}

/* Is there room for what a thread has taken at s? Before that nothing may be written there (QUEUE-021). */
static inline int weft_queue_has_room(const struct weft_queue *queue, unsigned s, unsigned n)
{
    return (int)(weft_look(&queue->shadow) - s - n - 1) >= 0;
}

/* QUEUE-020, steps 2 and 3: takes n + 1 positions whether there is room or not. Wait with weft_queue_has_room before
 * writing (QUEUE-030 says who must not), and then fill them (QUEUE-033); WEFT_NEVER: nothing was taken (QUEUE-032). */
static inline unsigned weft_queue_take(struct weft_queue *queue, unsigned n)
{
    return n + 3 > queue->number ? WEFT_NEVER : weft_add(&queue->soft, n + 1);
}

/* The block of a position, 8 words (QUEUE-002). */
static inline volatile unsigned *weft_queue_block(const struct weft_queue *queue, unsigned position)
{
    return weft_at_(queue->blocks + 32 * (position % queue->number));
}

/* Points the entry of a position at its block of so many words. */
static inline void weft_queue_entry(const struct weft_queue *queue, unsigned position, unsigned words)
{
    volatile unsigned *entry = weft_at_(queue->entries + 8 * (position % queue->number));
    entry[0] = (unsigned)weft_queue_block(queue, position);
    entry[1] = words;
}

/* QUEUE-020, step 5: what stands before position s lets the front end pass (QUEUE-003, QUEUE-022). */
static inline void weft_queue_release(const struct weft_queue *queue, unsigned s)
{
    weft_fence();
    *weft_at_(queue->semaphores + 4 * ((s - 1) % queue->number)) = s;
}

/* QUEUE-020, steps 4 and 5: launches of n tasks at positions that were taken for them, and the acquire behind them,
 * that of QUEUE-003. */
static inline void weft_queue_fill(const struct weft_queue *queue, unsigned s, struct weft_task *const *tasks, unsigned n)
{
    for (unsigned k = 0; k < n; ++k) {
        volatile unsigned *block = weft_queue_block(queue, s + k);
        block[0] = WEFT_LAUNCH_;
        block[1] = (unsigned)tasks[k];
        weft_queue_entry(queue, s + k, 2);
    }
    volatile unsigned *block = weft_queue_block(queue, s + n);
    block[0] = WEFT_ACQUIRE_;
    block[1] = queue->semaphores + 4 * ((s + n) % queue->number);
    block[2] = s + n + 1;
    weft_queue_entry(queue, s + n, 3);
    weft_queue_release(queue, s);
}

/* Adds launches of n tasks to the ring. 0: no room, nothing has changed. */
static inline int weft_queue_launch(struct weft_queue *queue, struct weft_task *const *tasks, unsigned n)
{
    unsigned s = weft_queue_try(queue, n);
    if (s == WEFT_NO || s == WEFT_NEVER)
        return 0;
    weft_queue_fill(queue, s, tasks, n);
    return 1;
}

/* QUEUE-040: no more work will come. The ring must have room for one entry. The next round goes on behind it
 * (QUEUE-041). */
static inline void weft_queue_close(struct weft_queue *queue)
{
    unsigned s = weft_queue_take(queue, 0);
    while (!weft_queue_has_room(queue, s, 0))
        WEFT_YIELD();
    volatile unsigned *block = weft_queue_block(queue, s);
    block[0] = WEFT_WAIT_FOR_IDLE_;
    block[1] = WEFT_RELEASE_;
    block[2] = queue->y;
    block[3] = queue->round;
    block[4] = WEFT_ACQUIRE_;
    block[5] = queue->x;
    block[6] = queue->round + 1;
    weft_queue_entry(queue, s, 7);
    weft_queue_release(queue, s);
}

/* n more pieces of work, before they are launched. */
static inline void weft_work_begin(struct weft_queue *queue, unsigned n) { weft_add(&queue->open, n); }

/* One piece is done; the last one closes the round, also when no work was made (QUEUE-023). */
static inline void weft_work_end(struct weft_queue *queue)
{
    if (weft_add(&queue->open, -1u) == 1)
        weft_queue_close(queue);
}

/* TASK-071: a direct launch. Waits while the ring is full: it empties whatever threads do, but for a thread that has
 * taken a ticket and ended without using it (TASK-072).
 * Tickets a ring apart have the same word; who finds it empty takes it in one step. */
static inline void weft_spawn(struct weft_queue *queue, struct weft_task *task)
{
    weft_fence();
    unsigned ticket = weft_add((unsigned *)(queue->spawn + 4 * queue->spawn_number), 1);
    unsigned *slot = (unsigned *)(queue->spawn + 4 * (ticket % queue->spawn_number));
    unsigned empty = 0;
    while (!__atomic_compare_exchange_n(slot, &empty, (unsigned)task, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        empty = 0;
        WEFT_YIELD();
    }
}

/* A place in the ring of a queue task, as its index; WEFT_NO: fewer than `margin` places would be left. The margin is for entries of
 * CTAs that run (TASK-053). Write the entry, then weft_work_put. */
static inline unsigned weft_work_try(struct weft_task *task, unsigned margin)
{
    unsigned at = weft_look(&task->reserve);
    do {
        if (at - weft_look(&task->get) + margin >= task->entries)
            return WEFT_NO;
    } while (!__atomic_compare_exchange_n(&task->reserve, &at, at + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return at;
}

/* Address of the entry at a position. */
static inline volatile unsigned *weft_work_at(const struct weft_task *task, unsigned at)
{
    return weft_at_(task->ring + task->entry * (at % task->entries));
}

/* The entry at this position is written: PUT moves on when those before it are, too. */
static inline void weft_work_put(struct weft_task *task, unsigned at)
{
    weft_fence();
    while (weft_look(&task->put) != at)
        WEFT_YIELD();
    *(volatile unsigned *)&task->put = at + 1;
}

#endif /* WEFT_QUEUE_H */
