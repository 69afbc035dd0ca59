/* A host in C: opens a GPU, loads two kernels, copies, launches on two streams, waits, reads back, and looks at a fault.
 *
 *     examples/driver/run.sh */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft_driver.h"

enum { NUMBER = 1000, CTA = 32 };

struct job {
    uint32_t x, y, number;
    int32_t factor;
};

static weft_gpu *gpu;

/* What is not done ends the program, with the reason. */
static void must(int result)
{
    if (result) {
        fprintf(stderr, "%s\n", weft_gpu_error(gpu));
        exit(1);
    }
}

static uint32_t copied(const void *from, uint32_t bytes)
{
    uint32_t address;
    must(weft_gpu_allocate(gpu, bytes, &address));
    must(weft_gpu_copy_in(gpu, address, from, bytes));
    return address;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: host KERNEL.elf\n");
        return 2;
    }
    const struct weft_size size = {.sms = 2, .warps = 4, .threads = 8};
    gpu = weft_gpu_open(&size, 4 << 20, 0);
    if (!gpu) {
        fprintf(stderr, "%s\n", weft_gpu_error(NULL));
        return 1;
    }
    uint32_t module, add_scaled, stray;
    must(weft_gpu_load(gpu, arguments[1], &module));
    must(weft_gpu_symbol(gpu, module, "add_scaled", &add_scaled));
    must(weft_gpu_symbol(gpu, module, "stray", &stray));

    int32_t x[NUMBER], y[NUMBER];
    for (int i = 0; i < NUMBER; i++)
        x[i] = i, y[i] = 7;
    struct job job = {copied(x, sizeof x), copied(y, sizeof y), NUMBER, 3};

    /* Two streams: the second one goes on when the first has added 3 x, and takes 5 x away again. */
    uint32_t first, second;
    must(weft_gpu_stream(gpu, &first));
    must(weft_gpu_stream(gpu, &second));
    struct weft_grid grid = {.ctas = {(NUMBER + CTA - 1) / CTA}, .threads = {CTA}};
    grid.arguments = copied(&job, sizeof job);
    must(weft_gpu_launch(gpu, first, add_scaled, &grid));
    struct weft_event event;
    must(weft_gpu_record(gpu, first, &event));
    must(weft_gpu_wait_in(gpu, second, event));
    job.factor = -5;
    grid.arguments = copied(&job, sizeof job);
    must(weft_gpu_launch(gpu, second, add_scaled, &grid));
    must(weft_gpu_synchronize(gpu));

    must(weft_gpu_copy_out(gpu, y, job.y, sizeof y));
    for (int i = 0; i < NUMBER; i++)
        if (y[i] != 7 - 2 * i) {
            fprintf(stderr, "y[%d] is %d\n", i, y[i]);
            return 1;
        }
    struct weft_counters counters;
    must(weft_gpu_counters(gpu, &counters));
    printf("%d elements are right after %u launches of %u CTAs\n", NUMBER, counters.launches, counters.ctas);

    /* A fault is told with its place, and the GPU can be used on. */
    grid.ctas[0] = 1;
    must(weft_gpu_launch(gpu, first, stray, &grid));
    if (weft_gpu_synchronize(gpu) != 1)
        return 1;
    printf("as it should be: %s\n", weft_gpu_error(gpu));
    must(weft_gpu_launch(gpu, first, add_scaled, &grid));
    must(weft_gpu_synchronize(gpu));
    weft_gpu_close(gpu);
    return 0;
}
