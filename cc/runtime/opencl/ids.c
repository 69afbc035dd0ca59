/*
 * Work-item functions of OpenCL C (docs/spec/opencl.md, CL-011, CL-015), by the names that the compiler gives them.
 * *Why in C:* in OpenCL C every piece of assembly is taken to be convergent, and is neither moved out of a loop nor made
 * once of two.
 */
typedef unsigned uint;

#define CSR(number) ({ uint value_; __asm__("csrr %0, " #number : "=r"(value_)); value_; })
/* A word of the launch's block (CL-011). tp points at it (CL-013). */
#define BLOCK(word) (((const uint *)__builtin_thread_pointer())[word])
/* Names: the length of the function's, and j for an argument that is unsigned. */
#define ITEM(name, mangled) \
    __attribute__((const)) uint name(uint d) __asm__(mangled); \
    __attribute__((const)) uint name(uint d)
#define LAUNCH(name, mangled) \
    __attribute__((const)) uint name(void) __asm__(mangled); \
    __attribute__((const)) uint name(void)

LAUNCH(get_work_dim, "_Z12get_work_dimv") { return BLOCK(0); }
ITEM(get_global_size, "_Z15get_global_sizej") { return d < 3 ? BLOCK(1 + d) : 1; }
ITEM(get_global_offset, "_Z17get_global_offsetj") { return d < 3 ? BLOCK(4 + d) : 0; }
ITEM(get_num_groups, "_Z14get_num_groupsj") { return d < 3 ? BLOCK(7 + d) : 1; }

ITEM(get_local_size, "_Z14get_local_sizej")
{
    switch (d) {
    case 0: return CSR(0xCF8);
    case 1: return CSR(0xCF9);
    case 2: return CSR(0xCFA);
    default: return 1;
    }
}

ITEM(get_enqueued_local_size, "_Z23get_enqueued_local_sizej") { return get_local_size(d); }

static uint cta(uint d)
{
    switch (d) {
    case 0: return CSR(0xCF0);
    case 1: return CSR(0xCF1);
    default: return CSR(0xCF2);
    }
}

ITEM(get_group_id, "_Z12get_group_idj") { return d < 3 ? BLOCK(10 + d) + cta(d) : 0; }

/* CL-015. Dividing is slow; all work-items of a group take the same way. */
ITEM(get_local_id, "_Z12get_local_idj")
{
    uint thread = CSR(0xCC8), size = CSR(0xCCA), x = CSR(0xCF8);
    switch (d) {
    case 0:
        return x == size ? thread : thread % x;
    case 1: {
        if (x == size)
            return 0;
        uint y = CSR(0xCF9), row = thread / x;
        return x * y == size ? row : row % y;
    }
    case 2: {
        uint plane = x * CSR(0xCF9);
        return plane == size ? 0 : thread / plane;
    }
    default:
        return 0;
    }
}

ITEM(get_global_id, "_Z13get_global_idj")
{
    return d < 3 ? BLOCK(13 + d) + cta(d) * get_local_size(d) + get_local_id(d) : 0;
}

/* For the built-ins themselves. */
__attribute__((const)) uint weft_item(void) { return CSR(0xCC8); }
__attribute__((const)) uint weft_items(void) { return CSR(0xCCA); }

LAUNCH(get_local_linear_id, "_Z19get_local_linear_idv") { return CSR(0xCC8); }

LAUNCH(get_global_linear_id, "_Z20get_global_linear_idv")
{
    uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    uint z = get_global_id(2) - get_global_offset(2);
    return x + get_global_size(0) * (y + get_global_size(1) * z);
}
