/* Heap, random numbers, sorting, numbers of text. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__thread int errno;

#define READ_CSR(number) ({ uint32_t value_; __asm__("csrr %0, " #number : "=r"(value_)); value_; })

/*
 * CC-025. Heap: divided evenly among the threads of the grid, so what a thread gets does not depend on who runs when.
 * A part is a row of blocks, each a word (its bytes with this head, and 1 while it is in use), a mark, and what malloc
 * gives.
 * Behind the last one stands 0. A part that holds zeros is one that nobody has used.
 * Who changes the row has the part's lock, its first word: a grid that threads launch may use the same part.
 */
#ifndef WEFT_HEAP_BYTES
#define WEFT_HEAP_BYTES (1 << 20)
#endif

enum { MARK = 0x70616548, HEAD = 8, FIRST = 8 };

static _Alignas(16) uint32_t heap[WEFT_HEAP_BYTES / 4];

struct block {
    uint32_t bytes, mark;
};

/* As many as the grid has threads that has asked first; a larger grid's threads share them. */
static uint32_t parts;

static uint32_t number_of_parts(void)
{
    uint32_t number = __atomic_load_n(&parts, __ATOMIC_ACQUIRE);
    if (!number) {
        uint32_t mine = READ_CSR(0xCC4);
        if (mine > WEFT_HEAP_BYTES / 64)
            mine = WEFT_HEAP_BYTES / 64;
        if (__atomic_compare_exchange_n(&parts, &number, mine, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            number = mine;
    }
    return number;
}

static uint32_t part_bytes(void)
{
    return WEFT_HEAP_BYTES / number_of_parts() & ~15u;
}

static void enter(uint32_t *part)
{
    while (__atomic_exchange_n(part, 1, __ATOMIC_ACQUIRE))
        __asm__ volatile(".insn i 0x5B, 1, x0, 0(x0)" : : : "memory"); /* yield */
    __asm__ volatile("fence" : : : "memory");
}

static void leave(uint32_t *part)
{
    __asm__ volatile("fence" : : : "memory");
    __atomic_exchange_n(part, 0, __ATOMIC_RELEASE);
}

static struct block *behind(struct block *block, uint32_t bytes)
{
    return (struct block *)((char *)block + bytes);
}

void *malloc(size_t bytes)
{
    uint32_t all = part_bytes();
    uint32_t *part = heap + all / 4 * (READ_CSR(0xCC0) % number_of_parts());
    void *found = NULL;
    if (bytes > WEFT_HEAP_BYTES)
        goto none;
    /* What malloc gives begins at a multiple of 16. */
    uint32_t wanted = (bytes + HEAD + 15) & ~15u;
    enter(part);
    struct block *block = (struct block *)((char *)part + FIRST), *end = behind((struct block *)part, all - HEAD);
    if (!block->bytes)
        *block = (struct block){all - FIRST - HEAD, MARK};
    while (block < end && !found) {
        uint32_t size = block->bytes & ~1u;
        if (block->bytes & 1) {
            block = behind(block, size);
            continue;
        }
        /* Free blocks behind it become a part of it. */
        for (struct block *next; next = behind(block, size), next < end && !(next->bytes & 1);)
            size += next->bytes;
        block->bytes = size;
        if (size >= wanted) {
            if (size > wanted)
                *behind(block, wanted) = (struct block){size - wanted, MARK};
            *block = (struct block){wanted | 1, MARK};
            found = block + 1;
        } else {
            block = behind(block, size);
        }
    }
    leave(part);
none:
    if (!found)
        errno = ENOMEM;
    return found;
}

/* The block of what malloc has given; anything else is an error of the program. */
static struct block *block_of(void *given)
{
    struct block *block = (struct block *)given - 1;
    uintptr_t offset = (uintptr_t)block - (uintptr_t)heap;
    if (offset >= WEFT_HEAP_BYTES || (offset & 15) != FIRST || block->mark != MARK || !(block->bytes & 1))
        abort();
    return block;
}

void free(void *old)
{
    if (!old)
        return;
    struct block *block = block_of(old);
    uint32_t all = part_bytes();
    uint32_t *part = heap + ((uintptr_t)block - (uintptr_t)heap) / all * (all / 4);
    enter(part);
    block->bytes &= ~1u;
    leave(part);
}

void *calloc(size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *given = malloc(all);
    return given ? memset(given, 0, all) : NULL;
}

void *realloc(void *old, size_t bytes)
{
    if (!old)
        return malloc(bytes);
    size_t there = (block_of(old)->bytes & ~1u) - HEAD;
    if (bytes <= there)
        return old;
    void *given = malloc(bytes);
    if (given) {
        memcpy(given, old, there);
        free(old);
    }
    return given;
}

/* C++: who asks for more than there is stops, as there are no exceptions. */
static void *made(size_t bytes)
{
    void *given = malloc(bytes);
    if (!given)
        abort();
    return given;
}
void *_Znwj(size_t bytes) { return made(bytes); }
void *_Znaj(size_t bytes) { return made(bytes); }
void _ZdlPv(void *object) { free(object); }
void _ZdaPv(void *object) { free(object); }
void _ZdlPvj(void *object, size_t bytes) { (void)bytes, free(object); }
void _ZdaPvj(void *object, size_t bytes) { (void)bytes, free(object); }

/* Random numbers: xorshift32, whose state is never 0, scrambled by a multiplication. */

static __thread uint32_t state;

void srand(unsigned seed)
{
    state = seed * 2654435761u ^ 0x9e3779b9u;
    if (!state)
        state = 1;
}

int rand(void)
{
    if (!state)
        srand(1);
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int)(state * 0x9e3779bbu >> 1);
}

/* Sorting: heap sort, whose time does not depend on the data and which needs no memory. */

static void swap(char *a, char *b, size_t bytes)
{
    while (bytes--) {
        char byte = *a;
        *a++ = *b;
        *b++ = byte;
    }
}

void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *))
{
    char *at = base;
    size_t begin = count / 2, end = count;
    while (end > 1) {
        if (begin) {
            begin--;
        } else {
            end--;
            swap(at, at + end * bytes, bytes);
        }
        for (size_t root = begin, child; child = 2 * root + 1, child < end; root = child) {
            if (child + 1 < end && compare(at + child * bytes, at + (child + 1) * bytes) < 0)
                child++;
            if (compare(at + root * bytes, at + child * bytes) >= 0)
                break;
            swap(at + root * bytes, at + child * bytes, bytes);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t bytes,
              int (*compare)(const void *, const void *))
{
    const char *at = base;
    while (count) {
        const char *middle = at + count / 2 * bytes;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            at = middle + bytes;
            count--;
        }
        count /= 2;
    }
    return NULL;
}

/* Numbers of text: the value without a sign, which of them, and whether it is more than `most`. */

static uint64_t digits(const char *text, char **end, int base, int *minus, uint64_t most, int *over)
{
    const char *at = text;
    uint64_t value = 0;
    int some = 0;
    *over = *minus = 0;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        goto out;
    }
    while (isspace((unsigned char)*at))
        at++;
    *minus = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 32) == 'x' && isxdigit((unsigned char)at[2])) {
        base = 16;
        at += 2;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    for (;; at++) {
        int digit = isdigit((unsigned char)*at) ? *at - '0' : isalpha((unsigned char)*at) ? (*at | 32) - 'a' + 10 : 36;
        if (digit >= base)
            break;
        some = 1;
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) || __builtin_add_overflow(value, (uint64_t)digit, &value))
            *over = 1;
        if (value > most)
            *over = 1;
    }
out:
    if (end)
        *end = (char *)(some ? at : text);
    return value;
}

#define SIGNED(name, type, least, largest) \
    type name(const char *text, char **end, int base) \
    { \
        int minus, over; \
        uint64_t value = digits(text, end, base, &minus, (uint64_t)largest + 1, &over); \
        if (over || (!minus && value > (uint64_t)largest)) { \
            errno = ERANGE; \
            return minus ? least : largest; \
        } \
        return (type)(minus ? 0 - value : value); \
    }
#define UNSIGNED(name, type, largest) \
    type name(const char *text, char **end, int base) \
    { \
        int minus, over; \
        uint64_t value = digits(text, end, base, &minus, largest, &over); \
        if (over) { \
            errno = ERANGE; \
            return largest; \
        } \
        return (type)(minus ? 0 - value : value); \
    }

SIGNED(strtol, long, LONG_MIN, LONG_MAX)
SIGNED(strtoll, long long, LLONG_MIN, LLONG_MAX)
UNSIGNED(strtoul, unsigned long, ULONG_MAX)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX)
int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtoll(text, NULL, 10); }
