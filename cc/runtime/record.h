/* Words of a record that a thread writes: libc.c and opencl_print.c have it in common, cc/src/console.rs reads it. */
#include <stdint.h>

/* What would lie at `limit` or behind it is counted only. */
struct writer {
    uint32_t *part;
    uint32_t begin, at, limit;
};

static void put(struct writer *w, uint32_t word)
{
    if (w->at < w->limit)
        w->part[w->at] = word;
    w->at++;
}

/* A text that cannot change by its address, any other one byte for byte, up to `most`. */
static void put_text(struct writer *w, const char *text, uint32_t most)
{
    extern const char __rodata_start[], __rodata_end[];
    if ((uintptr_t)text - (uintptr_t)__rodata_start < (uintptr_t)__rodata_end - (uintptr_t)__rodata_start) {
        put(w, ~0u);
        put(w, (uint32_t)(uintptr_t)text);
        return;
    }
    if (!text)
        text = "(null)";
    uint32_t length = 0;
    while (length < most && text[length])
        length++;
    put(w, length);
    for (uint32_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        for (uint32_t j = 0; j < 4 && i + j < length; j++)
            word |= (uint32_t)(unsigned char)text[i + j] << 8 * j;
        put(w, word);
    }
}
