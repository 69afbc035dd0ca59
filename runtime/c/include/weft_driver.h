/* The driver of a Weft GPU for hosts in C and C++: memory, programs, launches, streams, events.
 *
 *   cargo build --release -p weft-driver-c      makes target/release/libweft_driver_c.so
 *
 * Devices: the golden model, on which what runs is right, and which has no clock; and the hardware, `weft_gpu` under
 * Verilator, which counts cycles and is slower. All else is the same for both.
 * What the functions do on the GPU is docs/spec/host.md and docs/spec/tasks.md; examples/driver/host.c is a whole host.
 *
 * Functions that return int: 0 done; 1 not done, and weft_gpu_error says why and where; -1 misused, or a fault of the
 * model. After an error of a kernel (a fault, a hang) the GPU and its stream can be used on. A launch that the GPU would not take (a grid
 * or a CTA of a wrong size) is not done. After the limit of instructions the kernel runs on: kill it (weft_gpu_kill).
 * A handle belongs to one thread at a time. No function keeps a pointer that it was given. */
#ifndef WEFT_DRIVER_H
#define WEFT_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_gpu weft_gpu;

/* Sizes of a GPU. 0: 4 channels, 1 SM, 4 task slots, 16 warps of 32 threads, 16,384 bytes of scratchpad; 8 lanes, or as many as
 * a warp has threads, if these are fewer. */
struct weft_size {
    uint32_t channels;   /* 2 to 8; each stream has one */
    uint32_t sms;        /* 1 to 8 */
    uint32_t slots;      /* tasks that run at a time, 1 to 8 */
    uint32_t warps;      /* of an SM */
    uint32_t threads;    /* of a warp */
    uint32_t scratchpad; /* bytes of an SM, a multiple of 1,024 */
    uint32_t lanes;      /* of an SM; the golden model is the same with any */
};

/* size: NULL for the default. memory: bytes, a multiple of 64. limit: most warp instructions of one wait, 0: any number.
 * NULL if there is no such GPU: weft_gpu_error(NULL) says why. */
weft_gpu *weft_gpu_open(const struct weft_size *size, uint32_t memory, uint64_t limit);
/* The hardware: sizes as docs/spec/gpu.md has them. latency: cycles of its memory. The first time it is made with Verilator, which
 * takes minutes and is told on stderr. */
weft_gpu *weft_gpu_open_verilated(const struct weft_size *size, uint32_t memory, uint32_t latency, uint64_t limit);
void weft_gpu_close(weft_gpu *gpu);
/* The latest error, with kernel, CTA, warp, thread, pc, launch, stream and source line of a fault; valid until the next call with this
 * handle. */
const char *weft_gpu_error(const weft_gpu *gpu);

/* Memory that threads reach, zeroed. Copies must lie within one allocation, or within one program and its variables. */
int weft_gpu_allocate(weft_gpu *gpu, uint32_t bytes, uint32_t *address);
/* No task may use it any more. */
int weft_gpu_free(weft_gpu *gpu, uint32_t address);
int weft_gpu_copy_in(weft_gpu *gpu, uint32_t address, const void *from, uint32_t bytes);
int weft_gpu_copy_out(weft_gpu *gpu, void *to, uint32_t address, uint32_t bytes);

/* An ELF executable for RV32, or assembly text. It is loaded where it was linked to; an ELF file with relocations (the linker's
 * --emit-relocs, as `weft cc` links) elsewhere when that place is taken. Several programs can be loaded. */
int weft_gpu_load(weft_gpu *gpu, const char *path, uint32_t *module);
/* Where the program begins, as a kernel. */
int weft_gpu_entry(weft_gpu *gpu, uint32_t module, uint32_t *kernel);
/* Address of a kernel, or of anything else that the program names. */
int weft_gpu_symbol(weft_gpu *gpu, uint32_t module, const char *name, uint32_t *address);
/* A variable, for weft_gpu_copy_in and weft_gpu_copy_out: its address and its size. Where the program does not say how large it
 * is, as in assembly, it ends at the next name. */
int weft_gpu_variable(weft_gpu *gpu, uint32_t module, const char *name, uint32_t *address, uint32_t *bytes);

/* What is launched. A dimension of 0 counts as 1. */
struct weft_grid {
    uint32_t ctas[3];    /* along x, y, z */
    uint32_t threads[3]; /* of a CTA */
    uint32_t arguments;  /* a2 of every thread */
    uint32_t scratchpad; /* bytes of a CTA, a multiple of 4 */
    uint32_t local;      /* bytes of a thread, a multiple of 16; 0: 1,024 */
    uint32_t level;      /* 0 to 15, 15 first */
    uint32_t predecessors; /* of weft_gpu_task alone: how often it is named before it runs; 0: once */
    uint32_t dependent;  /* the task of weft_gpu_task that it names when it is over, but not if it is killed; 0: none */
};

/* Launches of a stream run one after the other, those of several streams beside each other. */
int weft_gpu_stream(weft_gpu *gpu, uint32_t *stream);
/* Does not wait. */
int weft_gpu_launch(weft_gpu *gpu, uint32_t stream, uint32_t kernel, const struct weft_grid *grid);

/* A point in a stream: so many launches of it are over. */
struct weft_event {
    uint32_t stream, launches;
};

/* What the stream has to do so far. */
int weft_gpu_record(weft_gpu *gpu, uint32_t stream, struct weft_event *event);
/* yes: 1 when it has happened, else 0. */
int weft_gpu_happened(weft_gpu *gpu, struct weft_event event, int *yes);
/* Comes back when these launches are over; tells what has gone wrong in them and was not told before, and nothing of other
 * streams. */
int weft_gpu_wait(weft_gpu *gpu, struct weft_event event);
/* Kills what the stream has to do up to the event, and waits until it is over; whoever waits for it is told so. What threads
 * have launched by themselves goes on. */
int weft_gpu_kill(weft_gpu *gpu, struct weft_event event);
/* From now on no kernel runs for longer than so many cycles, rounded up to 1,024, whoever launches it; then it is killed.
 * 0: for ever. */
int weft_gpu_limit_all(weft_gpu *gpu, uint64_t cycles);
/* The stream goes on only when the event has happened; does not wait itself. */
int weft_gpu_wait_in(weft_gpu *gpu, uint32_t stream, struct weft_event event);
/* Waits until everything is over, what threads have launched too, and the GPU is idle; tells the oldest error that was not
 * told before. Call it until it is 0 to see them all. */
int weft_gpu_synchronize(weft_gpu *gpu);

/* A GPU-owned channel with so many entries, 3 to 65,536, and so many descriptors for threads: docs/spec/queue.md. It takes a
 * channel, as a stream does. queue: the address that threads give to the functions of weft_queue.h. */
int weft_gpu_work_queue(weft_gpu *gpu, uint32_t entries, uint32_t tasks, uint32_t *queue);
/* A launch whose threads make work with this queue; the stream goes on when all of that is over, too.
 * open: pieces of work that the launch is, weft_work_end ends one. Waits for the launches before it. */
int weft_gpu_launch_with(weft_gpu *gpu, uint32_t stream, uint32_t queue, uint32_t kernel, const struct weft_grid *grid,
                         uint32_t open);

/* A descriptor in memory that threads reach (struct weft_task of weft_queue.h), an allocation like others. */
int weft_gpu_task(weft_gpu *gpu, uint32_t kernel, const struct weft_grid *grid, uint32_t *task);
/* Names it, and so launches it, if it has no other predecessors or this is the last; the stream goes on when the GPU is idle. Does
 * not wait. */
int weft_gpu_launch_task(weft_gpu *gpu, uint32_t stream, uint32_t task);

/* Since the GPU was opened. */
struct weft_counters {
    uint64_t instructions; /* of warps */
    uint64_t cycles;       /* 0: the device has no clock */
    uint32_t commands, entries, launches, spawns, dependents, ctas, evictions, tasks_done;
};
int weft_gpu_counters(weft_gpu *gpu, struct weft_counters *counters);

#ifdef __cplusplus
}
#endif
#endif
