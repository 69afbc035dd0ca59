/*
 * What `weft cc` links to every program: functions that compilers call of themselves (memcpy ...), printf, assert,
 * and what C++ needs for static objects. The linker leaves out what a program does not use.
 *
 * Floating point and 64-bit division are not here: they come from the compiler's own library.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

__attribute__((noreturn, cold)) void __weft_assert_failed(const char *condition, const char *file, int line,
                                                          const char *function);

/* Memory */

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    char *d = to;
    const char *s = from;
    if ((((uintptr_t)d | (uintptr_t)s) & 3) == 0)
        for (; bytes >= 4; bytes -= 4, d += 4, s += 4)
            *(uint32_t *)d = *(const uint32_t *)s;
    while (bytes--)
        *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    char *d = to;
    const char *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= bytes)
        return memcpy(to, from, bytes);
    while (bytes--)
        d[bytes] = s[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    unsigned char *d = to;
    uint32_t word = (unsigned char)value * 0x01010101u;
    for (; bytes && (uintptr_t)d & 3; bytes--)
        *d++ = (unsigned char)value;
    for (; bytes >= 4; bytes -= 4, d += 4)
        *(uint32_t *)d = word;
    while (bytes--)
        *d++ = (unsigned char)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t bytes)
{
    const unsigned char *l = left, *r = right;
    for (; bytes--; l++, r++)
        if (*l != *r)
            return *l - *r;
    return 0;
}

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

int strcmp(const char *left, const char *right)
{
    for (; *left && *left == *right; left++)
        right++;
    return (unsigned char)*left - (unsigned char)*right;
}

char *strcpy(char *to, const char *from)
{
    return memcpy(to, from, strlen(from) + 1);
}

/*
 * Console. The buffer is divided evenly among the threads of the grid, so what a thread finds in its part does not
 * depend on who runs when. A part: words used by records; records lost; a check of both, by which a store of the
 * program's that has gone wrong is noticed; records; five words for a failed assertion.
 * A record: kind << 24 | its words; then its operands. cc/src/console.rs reads it.
 */

#ifndef WEFT_CONSOLE_BYTES
#define WEFT_CONSOLE_BYTES (1 << 20)
#endif

enum { PRINTF = 1, ASSERTION = 2, ABORTED = 3, EXITED = 4 };
enum { USED, LOST, CHECK, HEAD };
enum { RESERVED = 5, WORDS = WEFT_CONSOLE_BYTES / 4 };

/* Between words that nobody uses: a program's store that goes a little too far reaches these. */
static struct {
    uint32_t before[64], words[WORDS], behind[64];
} buffer;
/* `weft run` finds it by its name, in the executable. */
const struct console {
    uint32_t magic, version, words;
    uint32_t *buffer;
} weft_console = {0x54464557, 2, WORDS, buffer.words};

#define READ_CSR(number) ({ uint32_t value_; __asm__("csrr %0, " #number : "=r"(value_)); value_; })

static uint32_t check_of(const uint32_t *part)
{
    return ~(31 * part[USED] + part[LOST]);
}

/* Nothing has been written there, or nobody else has. */
static int is_whole(const uint32_t *part)
{
    return !(part[USED] | part[LOST] | part[CHECK]) || part[CHECK] == check_of(part);
}

/* A record at the end of the thread's part; `spare` words of the reserve may be used. */
static void open(struct writer *w, uint32_t kind, uint32_t spare)
{
    /* The linker keeps it. */
    __asm__ volatile("" : : "r"(&weft_console));
    uint32_t words = WORDS / READ_CSR(0xCC4);
    w->part = buffer.words + words * READ_CSR(0xCC0);
    w->limit = words < HEAD + RESERVED || !is_whole(w->part) ? 0 : words - RESERVED + spare;
    w->begin = w->at = HEAD;
    if (w->limit) {
        w->begin = w->at = HEAD + w->part[USED];
        /* Behind a loss nothing follows: what is shown is the beginning of what was printed. */
        if (w->part[LOST] && !spare)
            w->limit = 0;
        else if (w->at < w->limit)
            w->part[w->at] = kind << 24;
        w->at++;
    }
}

static int close(struct writer *w)
{
    int lost = w->at > w->limit;
    if (lost) {
        if (WORDS / READ_CSR(0xCC4) < HEAD || !is_whole(w->part))
            return EOF;
        w->part[LOST]++;
    } else {
        w->part[w->begin] |= w->at - w->begin;
        w->part[USED] = w->at - HEAD;
    }
    w->part[CHECK] = check_of(w->part);
    return lost ? EOF : 0;
}

int vprintf(const char *format, va_list arguments)
{
    struct writer w;
    open(&w, PRINTF, 0);
    put_text(&w, format, ~0u);
    for (const char *f = format; *f; f++) {
        if (*f != '%')
            continue;
        uint32_t precision = ~0u;
        int is_long = 0;
        do
            f++;
        while (*f == '-' || *f == '+' || *f == ' ' || *f == '#' || *f == '0');
        if (*f == '*') {
            put(&w, va_arg(arguments, uint32_t));
            f++;
        }
        while (*f >= '0' && *f <= '9')
            f++;
        if (*f == '.') {
            f++;
            precision = 0;
            if (*f == '*') {
                precision = va_arg(arguments, uint32_t);
                put(&w, precision);
                f++;
            }
            while (*f >= '0' && *f <= '9')
                precision = 10 * precision + (uint32_t)(*f++ - '0');
        }
        for (; *f == 'l' || *f == 'h' || *f == 'z' || *f == 't' || *f == 'j'; f++)
            is_long += *f == 'l' ? 1 : *f == 'j' ? 2 : 0;
        switch (*f) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c': case 'p':
            if (is_long >= 2) {
                uint64_t value = va_arg(arguments, uint64_t);
                put(&w, (uint32_t)value);
                put(&w, (uint32_t)(value >> 32));
            } else {
                put(&w, va_arg(arguments, uint32_t));
            }
            break;
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': {
            union { double number; uint32_t words[2]; } value = {va_arg(arguments, double)};
            put(&w, value.words[0]);
            put(&w, value.words[1]);
            break;
        }
        case 's':
            put_text(&w, va_arg(arguments, const char *), precision);
            break;
        }
        if (!*f)
            break;
    }
    return close(&w);
}

int printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = vprintf(format, arguments);
    va_end(arguments);
    return result;
}

int puts(const char *text)
{
    return printf("%s\n", text);
}

int putchar(int character)
{
    return printf("%c", character) ? EOF : (unsigned char)character;
}

/* stdout and stderr are the console. */

int vfprintf(FILE *file, const char *format, va_list arguments)
{
    (void)file;
    return vprintf(format, arguments);
}

int fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = vfprintf(file, format, arguments);
    va_end(arguments);
    return result;
}

int fputs(const char *text, FILE *file)
{
    return fprintf(file, "%s", text);
}

int fputc(int character, FILE *file)
{
    (void)file;
    return putchar(character);
}

int putc(int character, FILE *file)
{
    return fputc(character, file);
}

int fflush(FILE *file)
{
    (void)file;
    return 0;
}

/* Ends of a thread */

void __weft_assert_failed(const char *condition, const char *file, int line, const char *function)
{
    struct writer w;
    open(&w, ASSERTION, RESERVED);
    put(&w, (uint32_t)(uintptr_t)condition);
    put(&w, (uint32_t)(uintptr_t)file);
    put(&w, (uint32_t)line);
    put(&w, (uint32_t)(uintptr_t)function);
    close(&w);
    for (;;)
        __asm__ volatile("ebreak" : : : "memory");
}

void abort(void)
{
    struct writer w;
    open(&w, ABORTED, RESERVED);
    close(&w);
    for (;;)
        __asm__ volatile("ebreak" : : : "memory");
}

/* CC-024 */
void exit(int code)
{
    if (code) {
        struct writer w;
        open(&w, EXITED, RESERVED);
        put(&w, (uint32_t)code);
        close(&w);
    }
    __asm__ volatile(".insn i 0x5B, 2, x0, 0(x0)" : : : "memory");
    __builtin_unreachable();
}

/* C++: static objects are made once and never destroyed, whichever thread comes first. */

void *__dso_handle;
int __cxa_atexit(void (*destructor)(void *), void *object, void *dso)
{
    (void)destructor, (void)object, (void)dso;
    return 0;
}
int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso)
{
    (void)destructor, (void)object, (void)dso;
    return 0;
}
int atexit(void (*function)(void))
{
    (void)function;
    return 0;
}

/* CC-012. A guard: byte 0 says that the object is there, the second word that a thread is making it. */
int __cxa_guard_acquire(uint32_t *guard)
{
    for (;;) {
        if (__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE))
            return 0;
        if (__atomic_exchange_n(&guard[1], 1, __ATOMIC_ACQUIRE) == 0) {
            if (!__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE))
                return 1;
            __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
            return 0;
        }
        /* yield: whoever makes it may be a thread of this warp. */
        __asm__ volatile(".insn i 0x5B, 1, x0, 0(x0)" : : : "memory");
    }
}

void __cxa_guard_release(uint32_t *guard)
{
    __atomic_store_n((unsigned char *)guard, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
}

void __cxa_guard_abort(uint32_t *guard)
{
    __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
}

void __cxa_pure_virtual(void)
{
    abort();
}
