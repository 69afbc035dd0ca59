/*
 * CC-014. Atomic operations that are no instruction of the machine, by the names that compilers call: of bytes and
 * halfwords, which work on the word around them, and of eight bytes and of any size, which take a lock.
 *
 * A lock is held by one thread at a time, also among the threads of a warp and of several SMs: who does not get it
 * yields, so that a thread of the same warp that has it goes on. Between the fences memory is read and written as it
 * is, whatever a data cache holds.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NAMED(name) __asm__(#name)

/* Bytes and halfwords */

typedef struct {
    uint32_t *word;
    uint32_t shift, mask;
} part;

static inline part part_of(const volatile void *at, uint32_t ones)
{
    uintptr_t address = (uintptr_t)at;
    uint32_t shift = 8 * (address & 3);
    return (part){(uint32_t *)(address & ~(uintptr_t)3), shift, ones << shift};
}

static inline uint32_t word_at(const part *p)
{
    return __atomic_load_n(p->word, __ATOMIC_SEQ_CST);
}

/* One turn of a loop that replaces the part of a word. */
static inline int replaced(const part *p, uint32_t *old, uint32_t value)
{
    uint32_t wanted = (*old & ~p->mask) | (value << p->shift & p->mask);
    return __atomic_compare_exchange_n(p->word, old, wanted, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define VALUE(p, word) (((word) & (p).mask) >> (p).shift)

/* What a function makes of the part, in a loop; gives the value before, or the new one. */
#define LOOP(type, ones, name, symbol, result, expression) \
    type name(volatile void *at, type operand, int order) NAMED(symbol); \
    type name(volatile void *at, type operand, int order) \
    { \
        (void)order; \
        part p = part_of(at, ones); \
        uint32_t word = word_at(&p); \
        for (;;) { \
            type before = (type)VALUE(p, word); \
            type after = (type)(expression); \
            if (replaced(&p, &word, after)) \
                return result; \
        } \
    }

#define PARTS(n, type, ones) \
    type weft_load_##n(const volatile void *at, int order) NAMED(__atomic_load_##n); \
    type weft_load_##n(const volatile void *at, int order) \
    { \
        (void)order; \
        part p = part_of(at, ones); \
        return (type)VALUE(p, word_at(&p)); \
    } \
    LOOP(type, ones, weft_exchange_##n, __atomic_exchange_##n, before, operand) \
    void weft_store_##n(volatile void *at, type value, int order) NAMED(__atomic_store_##n); \
    void weft_store_##n(volatile void *at, type value, int order) { weft_exchange_##n(at, value, order); } \
    LOOP(type, ones, weft_fetch_add_##n, __atomic_fetch_add_##n, before, before + operand) \
    LOOP(type, ones, weft_fetch_sub_##n, __atomic_fetch_sub_##n, before, before - operand) \
    LOOP(type, ones, weft_fetch_and_##n, __atomic_fetch_and_##n, before, before & operand) \
    LOOP(type, ones, weft_fetch_or_##n, __atomic_fetch_or_##n, before, before | operand) \
    LOOP(type, ones, weft_fetch_xor_##n, __atomic_fetch_xor_##n, before, before ^ operand) \
    LOOP(type, ones, weft_fetch_nand_##n, __atomic_fetch_nand_##n, before, ~(before & operand)) \
    _Bool weft_compare_exchange_##n(volatile void *at, void *expected, type wanted, int order, int otherwise) \
        NAMED(__atomic_compare_exchange_##n); \
    _Bool weft_compare_exchange_##n(volatile void *at, void *expected, type wanted, int order, int otherwise) \
    { \
        (void)order, (void)otherwise; \
        part p = part_of(at, ones); \
        uint32_t word = word_at(&p); \
        for (;;) { \
            type before = (type)VALUE(p, word); \
            if (before != *(type *)expected) { \
                *(type *)expected = before; \
                return 0; \
            } \
            if (replaced(&p, &word, wanted)) \
                return 1; \
        } \
    }

PARTS(1, uint8_t, 0xff)
PARTS(2, uint16_t, 0xffff)

/* What takes a lock */

#define LOCKS 64
static uint32_t locks[LOCKS];

static uint32_t *enter(const volatile void *at)
{
    uint32_t *lock = &locks[(uintptr_t)at / 8 % LOCKS];
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        /* yield: whoever has it may be a thread of this warp. */
        __asm__ volatile(".insn i 0x5B, 1, x0, 0(x0)" : : : "memory");
    __asm__ volatile("fence" : : : "memory");
    return lock;
}

static void leave(uint32_t *lock)
{
    __asm__ volatile("fence" : : : "memory");
    __atomic_exchange_n(lock, 0, __ATOMIC_RELEASE);
}

typedef uint64_t eight;

#define LOCKED(name, symbol, expression) \
    eight name(volatile void *at, eight operand, int order) NAMED(symbol); \
    eight name(volatile void *at, eight operand, int order) \
    { \
        (void)order; \
        uint32_t *lock = enter(at); \
        eight before = *(volatile eight *)at; \
        *(volatile eight *)at = expression; \
        leave(lock); \
        return before; \
    }

LOCKED(weft_exchange_8, __atomic_exchange_8, operand)
LOCKED(weft_fetch_add_8, __atomic_fetch_add_8, before + operand)
LOCKED(weft_fetch_sub_8, __atomic_fetch_sub_8, before - operand)
LOCKED(weft_fetch_and_8, __atomic_fetch_and_8, before & operand)
LOCKED(weft_fetch_or_8, __atomic_fetch_or_8, before | operand)
LOCKED(weft_fetch_xor_8, __atomic_fetch_xor_8, before ^ operand)
LOCKED(weft_fetch_nand_8, __atomic_fetch_nand_8, ~(before & operand))

eight weft_load_8(const volatile void *at, int order) NAMED(__atomic_load_8);
eight weft_load_8(const volatile void *at, int order)
{
    (void)order;
    uint32_t *lock = enter(at);
    eight value = *(const volatile eight *)at;
    leave(lock);
    return value;
}

void weft_store_8(volatile void *at, eight value, int order) NAMED(__atomic_store_8);
void weft_store_8(volatile void *at, eight value, int order)
{
    weft_exchange_8(at, value, order);
}

_Bool weft_compare_exchange_8(volatile void *at, void *expected, eight wanted, int order, int otherwise)
    NAMED(__atomic_compare_exchange_8);
_Bool weft_compare_exchange_8(volatile void *at, void *expected, eight wanted, int order, int otherwise)
{
    (void)order, (void)otherwise;
    uint32_t *lock = enter(at);
    eight before = *(volatile eight *)at;
    _Bool same = before == *(eight *)expected;
    if (same)
        *(volatile eight *)at = wanted;
    leave(lock);
    if (!same)
        *(eight *)expected = before;
    return same;
}

/* Of any size. Sizes that have functions of their own come here only through these: the same lock, the same word. */

void weft_load(size_t size, const volatile void *at, void *to, int order) NAMED(__atomic_load);
void weft_load(size_t size, const volatile void *at, void *to, int order)
{
    (void)order;
    uint32_t *lock = enter(at);
    memcpy(to, (const void *)at, size);
    leave(lock);
}

void weft_store(size_t size, volatile void *at, const void *from, int order) NAMED(__atomic_store);
void weft_store(size_t size, volatile void *at, const void *from, int order)
{
    (void)order;
    uint32_t *lock = enter(at);
    memcpy((void *)at, from, size);
    leave(lock);
}

void weft_exchange(size_t size, volatile void *at, const void *from, void *to, int order) NAMED(__atomic_exchange);
void weft_exchange(size_t size, volatile void *at, const void *from, void *to, int order)
{
    (void)order;
    uint32_t *lock = enter(at);
    const unsigned char *new = from;
    unsigned char *there = (unsigned char *)at, *old = to;
    /* `from` and `to` may be one. */
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = new[i];
        old[i] = there[i];
        there[i] = byte;
    }
    leave(lock);
}

_Bool weft_compare_exchange(size_t size, volatile void *at, void *expected, const void *wanted, int order, int otherwise)
    NAMED(__atomic_compare_exchange);
_Bool weft_compare_exchange(size_t size, volatile void *at, void *expected, const void *wanted, int order, int otherwise)
{
    (void)order, (void)otherwise;
    uint32_t *lock = enter(at);
    _Bool same = memcmp((const void *)at, expected, size) == 0;
    memcpy(same ? (void *)at : expected, same ? wanted : (const void *)at, size);
    leave(lock);
    return same;
}

_Bool weft_is_lock_free(size_t size, const volatile void *at) NAMED(__atomic_is_lock_free);
_Bool weft_is_lock_free(size_t size, const volatile void *at)
{
    return (size == 1 || size == 2 || size == 4) && (uintptr_t)at % size == 0;
}

/* GCC's older names */

#define SYNC(n, type, operation, expression) \
    type weft_sync_fetch_##operation##_##n(volatile void *at, type operand) NAMED(__sync_fetch_and_##operation##_##n); \
    type weft_sync_fetch_##operation##_##n(volatile void *at, type operand) \
    { \
        return weft_fetch_##operation##_##n(at, operand, __ATOMIC_SEQ_CST); \
    } \
    type weft_sync_##operation##_fetch_##n(volatile void *at, type operand) NAMED(__sync_##operation##_and_fetch_##n); \
    type weft_sync_##operation##_fetch_##n(volatile void *at, type operand) \
    { \
        type before = weft_fetch_##operation##_##n(at, operand, __ATOMIC_SEQ_CST); \
        return (type)(expression); \
    }

#define SYNCS(n, type) \
    SYNC(n, type, add, before + operand) \
    SYNC(n, type, sub, before - operand) \
    SYNC(n, type, and, before & operand) \
    SYNC(n, type, or, before | operand) \
    SYNC(n, type, xor, before ^ operand) \
    SYNC(n, type, nand, ~(before & operand)) \
    type weft_sync_val_##n(volatile void *at, type expected, type wanted) NAMED(__sync_val_compare_and_swap_##n); \
    type weft_sync_val_##n(volatile void *at, type expected, type wanted) \
    { \
        weft_compare_exchange_##n(at, &expected, wanted, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected; \
    } \
    _Bool weft_sync_bool_##n(volatile void *at, type expected, type wanted) NAMED(__sync_bool_compare_and_swap_##n); \
    _Bool weft_sync_bool_##n(volatile void *at, type expected, type wanted) \
    { \
        return weft_compare_exchange_##n(at, &expected, wanted, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    type weft_sync_set_##n(volatile void *at, type value) NAMED(__sync_lock_test_and_set_##n); \
    type weft_sync_set_##n(volatile void *at, type value) \
    { \
        return weft_exchange_##n(at, value, __ATOMIC_SEQ_CST); \
    } \
    void weft_sync_release_##n(volatile void *at) NAMED(__sync_lock_release_##n); \
    void weft_sync_release_##n(volatile void *at) { weft_store_##n(at, 0, __ATOMIC_SEQ_CST); }

SYNCS(1, uint8_t)
SYNCS(2, uint16_t)
SYNCS(8, uint64_t)
