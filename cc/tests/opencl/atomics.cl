/* Each atomic function that OpenCL C 3.0 wants of a device without long atomics or the generic address space. */
#define AS memory_order_relaxed, memory_scope_work_group
#define COMPARE(S, name, A, T) \
    sum += name##_explicit((volatile S A *)q, &was, (T)4, memory_order_relaxed, AS); \
    sum += name##_explicit((volatile S A *)q, (local T *)l, (T)4, memory_order_relaxed, AS); \
    sum += name##_explicit((volatile S A *)q, (global T *)o, (T)4, memory_order_relaxed, AS);
#define WORDS(S, A, T) \
    { \
        T was = 1; \
        atomic_init((volatile S A *)q, (T)1); \
        atomic_store_explicit((volatile S A *)q, (T)2, AS); \
        sum += atomic_load_explicit((volatile S A *)q, AS); \
        sum += atomic_exchange_explicit((volatile S A *)q, (T)3, AS); \
        COMPARE(S, atomic_compare_exchange_strong, A, T) \
        COMPARE(S, atomic_compare_exchange_weak, A, T) \
    }
#define FETCHES(S, A, T) \
    sum += atomic_fetch_add_explicit((volatile S A *)q, (T)1, AS); \
    sum += atomic_fetch_sub_explicit((volatile S A *)q, (T)1, AS); \
    sum += atomic_fetch_or_explicit((volatile S A *)q, (T)1, AS); \
    sum += atomic_fetch_xor_explicit((volatile S A *)q, (T)1, AS); \
    sum += atomic_fetch_and_explicit((volatile S A *)q, (T)1, AS); \
    sum += atomic_fetch_min_explicit((volatile S A *)q, (T)1, AS); \
    sum += atomic_fetch_max_explicit((volatile S A *)q, (T)1, AS);
#define ALL(S, from) \
    { \
        S int *q = from; \
        WORDS(S, atomic_int, int) WORDS(S, atomic_uint, uint) WORDS(S, atomic_float, float) \
        FETCHES(S, atomic_int, int) FETCHES(S, atomic_uint, uint) \
        atomic_fetch_add_explicit((volatile S atomic_size_t *)q, 1u, AS); \
        atomic_fetch_sub_explicit((volatile S atomic_intptr_t *)q, 1, AS); \
        sum += atomic_flag_test_and_set_explicit((volatile S atomic_flag *)q, AS); \
        atomic_flag_clear_explicit((volatile S atomic_flag *)q, AS); \
    }

kernel void all(global int *o, local int *l)
{
    float sum = 0;
    ALL(global, o)
    ALL(local, l)
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, AS);
    o[0] = sum;
}
