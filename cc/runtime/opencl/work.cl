/* Barriers, atomics, copies by a work-group. */

/*
 * CL-016. The machine knows a barrier by the address of its TOP, and compilers copy code: so it stands in a function of
 * its own, once in the program.
 */
OVERLOAD __attribute__((convergent)) void barrier(cl_mem_fence_flags flags)
{
    __asm__ volatile(".ifndef weft_opencl_barrier\n"
                     "\t.pushsection .text.weft_opencl_barrier,\"ax\",@progbits\n"
                     "\t.align 2\n"
                     "\t.weak weft_opencl_barrier\n"
                     "weft_opencl_barrier:\n"
                     "\t.insn r 0x7B, 0, 0, x0, x0, x0\n"
                     "\tjr t0\n"
                     "\t.popsection\n"
                     "\t.endif\n"
                     "\tjal t0, weft_opencl_barrier" ::: "t0", "memory");
}
OVERLOAD __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags flags) { barrier(flags); }
OVERLOAD __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    barrier(flags);
}

OVERLOAD void mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("fence" ::: "memory"); }
OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("fence r, r" ::: "memory"); }
OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("fence w, w" ::: "memory"); }

/* Atomics of 32 bits, by both names. */
#define ATOMIC2(space, type, name, body) \
    OVERLOAD type atomic_##name(volatile space type *p, type v) { return body; } \
    OVERLOAD type atom_##name(volatile space type *p, type v) { return body; }
#define ATOMIC1(space, type, name, body) \
    OVERLOAD type atomic_##name(volatile space type *p) { return body; } \
    OVERLOAD type atom_##name(volatile space type *p) { return body; }
#define ATOMICS(space, type) \
    ATOMIC2(space, type, add, __atomic_fetch_add(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, sub, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, xchg, __atomic_exchange_n(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, min, __atomic_fetch_min(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, max, __atomic_fetch_max(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, and, __atomic_fetch_and(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, or, __atomic_fetch_or(p, v, __ATOMIC_RELAXED)) \
    ATOMIC2(space, type, xor, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)) \
    ATOMIC1(space, type, inc, __atomic_fetch_add(p, (type)1, __ATOMIC_RELAXED)) \
    ATOMIC1(space, type, dec, __atomic_fetch_sub(p, (type)1, __ATOMIC_RELAXED)) \
    OVERLOAD type atomic_cmpxchg(volatile space type *p, type expected, type v) \
    { \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    } \
    OVERLOAD type atom_cmpxchg(volatile space type *p, type expected, type v) \
    { \
        return atomic_cmpxchg(p, expected, v); \
    }
ATOMICS(__global, int)
ATOMICS(__global, uint)
ATOMICS(__local, int)
ATOMICS(__local, uint)

#define EXCHANGE_FLOAT(space) \
    OVERLOAD float atomic_xchg(volatile space float *p, float v) \
    { \
        return as_float(__atomic_exchange_n((volatile space uint *)p, as_uint(v), __ATOMIC_RELAXED)); \
    }
EXCHANGE_FLOAT(__global)
EXCHANGE_FLOAT(__local)
