/*
 * Atomics of OpenCL C 3.0 (docs/spec/opencl.md, CL-025): the `_explicit` forms with a scope, of 32 bits, in global memory
 * and in the scratchpad. They are a library of their own: the compiler has their types from `-cl-std=CL2.0` on.
 *
 * An operation of the machine is relaxed. A wider order is that of the fences beside it; what it costs is known when the
 * function is inlined, since the order is a constant as a rule.
 */
#define OVERLOAD __attribute__((overloadable))

static inline void ordered(memory_order order)
{
    if (order != memory_order_relaxed)
        __asm__ volatile("fence" ::: "memory");
}

OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope)
{
    ordered(order);
}

/* `word`: the type that the machine's instruction has; `bits` and `value` are from the type's to it and back. */
#define PLACE(space, word, p) ((volatile space word *)(p))
#define BETWEEN(order, type, operation) \
    { \
        ordered(order); \
        type was = operation; \
        ordered(order); \
        return was; \
    }
#define COMPARE(space, of, atomic, type, word, bits, value, name) \
    OVERLOAD bool name(volatile space atomic *p, of type *expected, type v, memory_order good, memory_order bad, \
                       memory_scope scope) \
    { \
        word was = bits(*expected); \
        ordered(good); \
        bool same = __atomic_compare_exchange_n(PLACE(space, word, p), &was, bits(v), false, __ATOMIC_RELAXED, \
                                                __ATOMIC_RELAXED); \
        ordered(same ? good : bad); \
        if (!same) \
            *expected = value(was); \
        return same; \
    }
#define COMPARES(space, of, ...) \
    COMPARE(space, of, __VA_ARGS__, atomic_compare_exchange_strong_explicit) \
    COMPARE(space, of, __VA_ARGS__, atomic_compare_exchange_weak_explicit)

#define WORDS(space, atomic, type, word, bits, value) \
    OVERLOAD void atomic_init(volatile space atomic *p, type v) { *PLACE(space, word, p) = bits(v); } \
    OVERLOAD void atomic_store_explicit(volatile space atomic *p, type v, memory_order order, memory_scope scope) \
    { \
        ordered(order); \
        __atomic_store_n(PLACE(space, word, p), bits(v), __ATOMIC_RELAXED); \
        ordered(order); \
    } \
    OVERLOAD type atomic_load_explicit(volatile space atomic *p, memory_order order, memory_scope scope) \
        BETWEEN(order, type, value(__atomic_load_n(PLACE(space, word, p), __ATOMIC_RELAXED))) \
    OVERLOAD type atomic_exchange_explicit(volatile space atomic *p, type v, memory_order order, memory_scope scope) \
        BETWEEN(order, type, value(__atomic_exchange_n(PLACE(space, word, p), bits(v), __ATOMIC_RELAXED))) \
    COMPARES(space, __global, atomic, type, word, bits, value) \
    COMPARES(space, __local, atomic, type, word, bits, value) \
    COMPARES(space, __private, atomic, type, word, bits, value)

#define FETCH(space, atomic, type, name) \
    OVERLOAD type atomic_fetch_##name##_explicit(volatile space atomic *p, type v, memory_order order, \
                                                 memory_scope scope) \
        BETWEEN(order, type, __atomic_fetch_##name(PLACE(space, type, p), v, __ATOMIC_RELAXED))
#define FETCHES(space, atomic, type) \
    FETCH(space, atomic, type, add) \
    FETCH(space, atomic, type, sub) \
    FETCH(space, atomic, type, or) \
    FETCH(space, atomic, type, xor) \
    FETCH(space, atomic, type, and) \
    FETCH(space, atomic, type, min) \
    FETCH(space, atomic, type, max)

#define ALL(space) \
    WORDS(space, atomic_int, int, int, , ) \
    WORDS(space, atomic_uint, uint, uint, , ) \
    WORDS(space, atomic_float, float, uint, as_uint, as_float) \
    FETCHES(space, atomic_int, int) \
    FETCHES(space, atomic_uint, uint) \
    OVERLOAD bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, memory_order order, \
                                                    memory_scope scope) \
        BETWEEN(order, bool, __atomic_exchange_n(PLACE(space, int, p), 1, __ATOMIC_RELAXED) != 0) \
    OVERLOAD void atomic_flag_clear_explicit(volatile space atomic_flag *p, memory_order order, memory_scope scope) \
    { \
        ordered(order); \
        __atomic_store_n(PLACE(space, int, p), 0, __ATOMIC_RELAXED); \
        ordered(order); \
    }
ALL(__global)
ALL(__local)
