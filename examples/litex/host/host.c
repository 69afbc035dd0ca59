/* A host on a VexRiscv: opens weft_gpu, loads a kernel, launches it over three sizes, and looks at each result. */
#include <generated/csr.h>
#include <generated/mem.h>

#include "weft_gpu.h"

void letter(char c);

void letter(char c)
{
    *(volatile uint32_t *)CSR_CONSOLE_LETTER_ADDR = (uint8_t)c;
}

static void say(const char *text)
{
    while (*text)
        letter(*text++);
}

static void number(uint32_t n)
{
    if (n >= 10)
        number(n / 10);
    letter((char)('0' + n % 10));
}

/* ---- The four functions. The GPU's addresses are those of main memory, and this CPU has no data cache. */

static uint32_t get(void *context, uint32_t offset)
{
    (void)context;
    return *(volatile uint32_t *)(WEFT_CONTROL_BASE + offset);
}

static void set(void *context, uint32_t offset, uint32_t value)
{
    (void)context;
    *(volatile uint32_t *)(WEFT_CONTROL_BASE + offset) = value;
}

static void copy(void *to, const void *from, uint32_t bytes)
{
    volatile uint8_t *t = to;
    const volatile uint8_t *f = from;
    while (bytes && (((uintptr_t)t | (uintptr_t)f) & 3u)) {
        *t++ = *f++;
        bytes--;
    }
    for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
        *(volatile uint32_t *)t = *(const volatile uint32_t *)f;
    while (bytes--)
        *t++ = *f++;
}

static void from_gpu(void *context, uint32_t address, void *to, uint32_t bytes)
{
    (void)context;
    copy(to, (const void *)(MAIN_RAM_BASE + address), bytes);
}

static void to_gpu(void *context, uint32_t address, const void *from, uint32_t bytes)
{
    (void)context;
    copy((void *)(MAIN_RAM_BASE + address), from, bytes);
}

/* kernel.elf, from start.s. */
extern const uint8_t kernel_elf[], kernel_elf_end[];

struct job {
    uint32_t from, to, number, factor;
};

static int must(int result)
{
    if (result) {
        say(weft_text(result));
        say("\n");
    }
    return result;
}

/* So many elements, in CTAs of 7 threads. */
static int run(struct weft_gpu *gpu, struct weft_stream *stream, const struct weft_program *program, uint32_t kernel,
               uint32_t elements)
{
    struct job job = {.number = elements, .factor = 3};
    if (must(weft_take(gpu, 4 * elements, &job.from)) || must(weft_take(gpu, 4 * elements + 4, &job.to)))
        return 1;
    volatile uint32_t *from = (volatile uint32_t *)(MAIN_RAM_BASE + job.from);
    volatile uint32_t *to = (volatile uint32_t *)(MAIN_RAM_BASE + job.to);
    for (uint32_t n = 0; n < elements; n++)
        from[n] = n * n, to[n] = 0;
    to[elements] = 0x5afe5afe;
    struct weft_grid grid = {.kernel = kernel, .ctas = {(elements + 6) / 7}, .threads = {7}, .arguments = &job,
                             .bytes = sizeof job};
    uint32_t launched;
    if (must(weft_launch(stream, program, &grid, &launched)) || must(weft_wait(stream, launched)))
        return 1;
    uint32_t wrong = to[elements] != 0x5afe5afe;
    for (uint32_t n = 0; n < elements; n++)
        wrong += to[n] != 3 * n * n + n;
    number(elements);
    say(" elements, ");
    number(wrong);
    say(" wrong\n");
    return wrong != 0;
}

int main(void)
{
    static struct weft_gpu gpu;
    static struct weft_stream stream;
    struct weft_program program;
    const struct weft_bus bus = {.get = get, .set = set, .read = from_gpu, .write = to_gpu};
    const struct weft_layout layout = {.end = MAIN_RAM_SIZE, .local = 256, .streams = 1};
    uint32_t kernel;
    if (must(weft_open(&gpu, &bus, &layout)) || must(weft_open_stream(&gpu, &stream)) ||
        must(weft_load(&stream, kernel_elf, (size_t)(kernel_elf_end - kernel_elf), &program)) ||
        must(weft_find(&program, "scale", &kernel)))
        return 1;
    say("weft_gpu: ");
    number(gpu.sms);
    say(" SM of ");
    number(gpu.warps);
    say(" warps of ");
    number(gpu.threads);
    say(" threads\n");
    return run(&gpu, &stream, &program, kernel, 1) || run(&gpu, &stream, &program, kernel, 13) ||
           run(&gpu, &stream, &program, kernel, 98);
}
