/*
 * printf of OpenCL C (docs/spec/opencl.md, CL-030). A launch may have a million work-items of which one prints, so the
 * buffer is not divided among them, as that of libc.c is: a call takes what it needs by one atomic addition.
 *
 * The buffer: words that calls have asked for; calls that found no room; records. Once a call has found none, so do all
 * that come later. A record: kind << 24 | its words, the number of the work-item in its grid, then its operands.
 * cc/src/console.rs reads it and sorts by work-item.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "record.h"

#ifndef WEFT_CONSOLE_BYTES
#define WEFT_CONSOLE_BYTES (1 << 20)
#endif

/* A record is BEGUN until all of it is there: a fault may end the launch between. */
enum { OPENCL = 5, BEGUN = 6 };
enum { USED, LOST, HEAD };
enum { ROOM = WEFT_CONSOLE_BYTES / 4, LONGEST = 0xffffff };

/* Between words that nobody uses: a program's store that goes a little too far reaches these. */
static struct {
    uint32_t before[64], words[HEAD + ROOM], behind[64];
} buffer;
const struct console {
    uint32_t magic, version, words;
    uint32_t *buffer;
} weft_opencl_console = {0x54464557, 3, HEAD + ROOM, buffer.words};

/*
 * The operands: a float is a word, and a vector of more than 8 bytes comes by its address. Vectors are noted as they lie
 * in memory; cc/src/opencl/printf.rs formats them.
 */
static void put_all(struct writer *w, const char *format, va_list arguments)
{
    put_text(w, format, ~0u);
    for (const char *f = format; *f; f++) {
        if (*f != '%')
            continue;
        uint32_t number = 0, size = 4;
        do
            f++;
        while (*f == '-' || *f == '+' || *f == ' ' || *f == '#' || *f == '.' || (*f >= '0' && *f <= '9'));
        if (*f == 'v')
            for (f++; *f >= '0' && *f <= '9'; f++)
                number = 10 * number + (uint32_t)(*f - '0');
        if (*f == 'h' && f[1] == 'l') {
            f += 2;
        } else if (*f == 'h') {
            size = f[1] == 'h' ? 1 : 2;
            f += f[1] == 'h' ? 2 : 1;
        } else if (*f == 'l') {
            size = 8;
            f++;
        }
        if (!*f)
            break;
        if (*f == '%')
            continue;
        if (*f == 's') {
            put_text(w, va_arg(arguments, const char *), ~0u);
            continue;
        }
        uint32_t bytes = number ? size * (number == 3 ? 4 : number) : size == 8 ? 8 : 4;
        if (bytes <= 4) {
            put(w, va_arg(arguments, uint32_t));
        } else if (bytes == 8) {
            uint64_t value = va_arg(arguments, uint64_t);
            put(w, (uint32_t)value);
            put(w, (uint32_t)(value >> 32));
        } else {
            const uint32_t *words = va_arg(arguments, const uint32_t *);
            for (uint32_t n = 0; n < bytes / 4; n++)
                put(w, words[n]);
        }
    }
}

/* Room for a record, or the loss is counted. */
static uint32_t *taken(uint32_t words)
{
    /* The linker keeps it. */
    __asm__ volatile("" : : "r"(&weft_opencl_console));
    uint32_t *head = buffer.words;
    /* What is asked for is bounded, and asked for no more when all is used: the sum does not wrap. */
    if (words <= LONGEST && __atomic_load_n(&head[USED], __ATOMIC_RELAXED) <= ROOM) {
        uint32_t asked = words <= ROOM ? words : ROOM + 1;
        uint32_t at = __atomic_fetch_add(&head[USED], asked, __ATOMIC_RELAXED);
        if (at <= ROOM && asked <= ROOM - at)
            return head + HEAD + at;
    }
    __atomic_fetch_add(&head[LOST], 1, __ATOMIC_RELAXED);
    return 0;
}

int __weft_opencl_printf(const char *format, ...)
{
    uint32_t item;
    __asm__("csrr %0, 0xCC0" : "=r"(item));
    va_list arguments;
    va_start(arguments, format);
    struct writer count = {0, 0, 2, 0};
    put_all(&count, format, arguments);
    va_end(arguments);
    uint32_t *record = taken(count.at);
    if (!record)
        return EOF;
    volatile uint32_t *head = record;
    *head = BEGUN << 24 | count.at;
    record[1] = item;
    va_start(arguments, format);
    struct writer w = {record, 0, 2, count.at};
    put_all(&w, format, arguments);
    va_end(arguments);
    __asm__ volatile("" : : : "memory");
    *head = OPENCL << 24 | count.at;
    return 0;
}
