/*
 * A driver of weft_gpu in C99 for processors without an operating system: no library, no heap, no interrupts of its own.
 *
 * You give it four functions that reach the GPU, and it does steps 1 to 7 of docs/integrate.md:
 *
 *     struct weft_gpu gpu;
 *     struct weft_stream stream;
 *     struct weft_program program;
 *     struct weft_grid grid = {.ctas = {32}, .threads = {16}, .bytes = sizeof arguments, .arguments = &arguments};
 *
 *     weft_open(&gpu, &bus, &(struct weft_layout){.end = 0x100000});
 *     weft_open_stream(&gpu, &stream);
 *     weft_load(&stream, elf, sizeof elf, &program);
 *     weft_find(&program, "saxpy", &grid.kernel);
 *     weft_launch(&stream, &program, &grid, &number);
 *     weft_wait(&stream, number);
 *
 * Every function answers 0, or one of enum weft_result; weft_text says it in words. What is given stays the caller's;
 * streams and works stay where they are, the GPU knows their places. Nothing here is for two processors at once.
 * weft_print.c has weft_printed alone: who needs no printf of kernels leaves it away.
 */
#ifndef WEFT_GPU_H
#define WEFT_GPU_H

#include <stddef.h>
#include <stdint.h>

/* How the GPU is reached. Addresses are those at the GPU's own port, registers byte offsets of its host port.
 * What has been written must be there for the GPU when `set` is called next, and what it has written for `read`: flush and
 * forget your data cache here. */
struct weft_bus {
    void *context;
    uint32_t (*get)(void *context, uint32_t offset);
    void (*set)(void *context, uint32_t offset, uint32_t value);
    void (*read)(void *context, uint32_t address, void *to, uint32_t bytes);
    void (*write)(void *context, uint32_t address, const void *from, uint32_t bytes);
};

/* Memory of the GPU, 0x1000 to `end`, a multiple of 128. What is 0 in the others is as it is said here. */
struct weft_layout {
    uint32_t end;
    uint32_t local;    /* bytes of local memory of a thread, a multiple of 16: 1,024 */
    uint32_t places;   /* tasks that may wait, 2 to 65,536: 64 */
    uint32_t streams;  /* streams that will be opened: as many as channels */
    uint32_t limit;    /* units of 1,024 cycles that a task may run, also one of threads: for ever (TASK-130) */
    uint32_t patience; /* looks in a wait before it is WEFT_IMPATIENT: without end */
    uint32_t spawn;    /* words of the ring for weft_spawn in kernels, up to 65,536 (TASK-070): none */
};

enum weft_result {
    WEFT_OK,
    WEFT_NO_GPU,       /* ID is another one's */
    WEFT_LAYOUT,       /* the layout has no room for what is to be private, or a number is not allowed */
    WEFT_NO_MEMORY,    /* no more of it, below THREAD_END or of the private part */
    WEFT_NO_CHANNEL,   /* all channels have streams */
    WEFT_NO_ELF,       /* no 32-bit RISC-V executable, or cut off */
    WEFT_OCCUPIED,     /* it was linked to where something is, or where no memory is for it */
    WEFT_NO_SYMBOL,
    WEFT_FULL,         /* WEFT_ENTRIES launches of the stream are not over: try again later */
    WEFT_TOO_LARGE,    /* arguments of more than WEFT_ARGUMENTS bytes */
    WEFT_RUNS,         /* it is not over */
    WEFT_IMPATIENT,    /* it is not over, and the wait had an end */
    WEFT_FAILED,       /* a thread had a fault, or it was killed: see weft_fault */
    WEFT_REFUSED,      /* the GPU has not taken this launch, or what its threads have put into their ring: code and place
                        * stand in the stream; the next ones go on */
    WEFT_NO_LAUNCH     /* there is no launch of this number */
};

/* Launches of a stream that may be under way, and bytes of the arguments of each. */
#define WEFT_ENTRIES 16u
#define WEFT_ARGUMENTS 64u
/* Channels of the largest GPU. */
#define WEFT_CHANNELS 8u

struct weft_stream;
struct weft_work;

struct weft_gpu {
    struct weft_bus bus;
    uint32_t channels, sms, warps, threads, scratchpad; /* threads of a warp; bytes of scratchpad of an SM */
    uint32_t thread_end, memory_end;
    uint32_t next, top, next_private; /* what threads reach and has not been taken, next to top; of the private part */
    uint32_t local, patience, opened, spawn, spawns; /* ring of weft_spawn, and its words */
    struct weft_stream *streams;
    struct weft_work *works;
};

struct weft_stream {
    struct weft_gpu *gpu;
    struct weft_stream *next;
    uint32_t channel, ring, blocks, tasks, arguments, semaphore;
    uint32_t put, launches;
    uint32_t refused, failed; /* a bit for each of the last WEFT_ENTRIES launches: not taken; a task of its work has failed */
    uint32_t code, place;     /* of the last one refused: why, and where (docs/spec/host.md, tasks.md) */
    uint32_t after[WEFT_CHANNELS][2]; /* for the next launch: semaphores of others, and what they must have; or 0 */
};

/* Work that threads make: a ring of launches, and descriptors for them (docs/spec/queue.md, weft_queue.h). */
struct weft_work {
    struct weft_gpu *gpu;
    struct weft_work *next;
    uint32_t address; /* of struct weft_queue, for threads */
    uint32_t channel, entries, tasks, round;
    struct weft_stream *stream; /* of the launch whose threads make work now or did last, and its number, or 0 */
    uint32_t number;
};

/* An ELF executable, which is read where it is: keep it. */
struct weft_program {
    const uint8_t *file;
    size_t bytes;
    uint32_t scratchpad; /* bytes that its WEFT_SHARED variables take in each CTA */
    uint32_t console, console_bytes; /* what its threads have printed; 0: they print nothing */
};

struct weft_grid {
    uint32_t kernel;      /* address of its first instruction */
    uint32_t ctas[3];     /* along x, y and z; 0 of y and z is 1 */
    uint32_t threads[3];  /* of a CTA, likewise */
    const void *arguments; /* copied, a2 is their address; or none, and a2 is `address` */
    uint32_t bytes, address;
    uint32_t scratchpad;  /* bytes of a CTA, besides what the program needs */
    uint32_t level;       /* 0 to 15, 15 first */
    uint32_t limit;       /* units of 1,024 cycles, 0: none (TASK-130) */
    uint32_t interrupt;   /* not 0: its end sets WEFT_GPU_INTERRUPT bit 18 */
};

/* The first fault since the last look. Cause: docs/spec/control.md, Exceptions; 0 killed. */
struct weft_fault {
    uint32_t sm, warp, thread, cause, pc, address, cta, task;
};

/* What has come of what threads have printed. */
struct weft_printed {
    uint32_t lost;    /* calls that found no room, or were of OpenCL's printf */
    uint32_t damaged; /* threads into whose part the program has written */
    uint32_t stopped; /* threads with a failed assertion, or abort: each has its line */
    uint32_t exit;    /* low eight bits of the first code for exit() that has any of them */
};

/* Sets the GPU up, which has been reset or is idle. */
int weft_open(struct weft_gpu *gpu, const struct weft_bus *bus, const struct weft_layout *layout);

/* A stream on a channel of its own: its launches run one after the other. */
int weft_open_stream(struct weft_gpu *gpu, struct weft_stream *stream);

/* Memory for threads and host, at a multiple of 64, from 0x1000 on: load programs first. It is not given back. */
int weft_take(struct weft_gpu *gpu, uint32_t bytes, uint32_t *address);

/* Copies a program to where it was linked to, which must be free, and runs its constructors on the stream. */
int weft_load(struct weft_stream *stream, const void *elf, size_t bytes, struct weft_program *program);

/* A kernel or variable of a program, by name. */
int weft_find(const struct weft_program *program, const char *name, uint32_t *address);

/* Launches behind what the stream has to do; does not wait. `number` counts the launches of the stream from 1. */
int weft_launch(struct weft_stream *stream, const struct weft_program *program, const struct weft_grid *grid,
                uint32_t *number);

/* The next launch of the stream begins only when launch `number` of another one, which was made already, is over; does not
 * wait. So may several others be named before it. */
int weft_after(struct weft_stream *stream, const struct weft_stream *other, uint32_t number);

/* A ring of 3 to 65,536 entries for what threads launch, and descriptors for them, at most a million; it takes a channel.
 * Say how many channels are left for streams in the layout, or some private memory is kept for nobody. */
int weft_open_work(struct weft_gpu *gpu, uint32_t entries, uint32_t tasks, struct weft_work *work);

/* Launches a grid whose threads make work: they get `work->address` by their arguments. It is over when all that is in the
 * ring is, too; `open` is how many pieces of work it has itself (QUEUE-042). WEFT_FULL while the one before runs.
 * `interrupt` of the grid tells the end of the grid alone. When all threads of a piece of work end without weft_work_end, by a
 * fault or a kill, the launch may have no end: weft_end_work gives it one. */
int weft_launch_with(struct weft_stream *stream, const struct weft_program *program, const struct weft_grid *grid,
                     struct weft_work *work, uint32_t open, uint32_t *number);

/* For a launch whose work nobody will close any more: it is over, and has failed. WEFT_RUNS while a task of the GPU does. */
int weft_end_work(struct weft_work *work);

/* How it is with a launch: WEFT_RUNS, WEFT_OK, WEFT_FAILED, WEFT_REFUSED. Whether it has failed or was refused is known of
 * the last WEFT_ENTRIES launches. */
int weft_look(struct weft_stream *stream, uint32_t number);

/* Looks until it is over. */
int weft_wait(struct weft_stream *stream, uint32_t number);

/* Ends a launch that is under way, and waits until it is over: WEFT_FAILED if it was ended, by whatever. */
int weft_kill(struct weft_stream *stream, uint32_t number);

/* Takes the fault out of the registers: 1 and what it is, or 0. */
int weft_fault(struct weft_gpu *gpu, struct weft_fault *fault);

/* Shows what the threads of a launch have printed, which is over and had so many of them: thread by thread, in pieces.
 * What is printed stays there, and that of the next launch comes behind it, until it is forgotten. WEFT_NO_SYMBOL: the
 * program prints nothing. `weft cc --console BYTES` says how much room there is; usual is a MiB, which is a lot. */
int weft_printed(const struct weft_gpu *gpu, const struct weft_program *program, uint32_t threads,
                 void (*put)(void *context, const char *text, uint32_t bytes), void *context,
                 struct weft_printed *printed);
void weft_forget_printed(const struct weft_gpu *gpu, const struct weft_program *program);

const char *weft_text(int result);

#endif
