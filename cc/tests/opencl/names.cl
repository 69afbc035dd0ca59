/*
 * Every built-in function of OpenCL C 1.2 (the standard, 6.12 and 6.2.3) in each of its types: it must compile and link.
 * A kernel for each section; what is computed is of no use. Of double, half arithmetic and images there is nothing (CL-008).
 */

#define VECTORS(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define WIDTHS(M, ...) M(, __VA_ARGS__) VECTORS(M, __VA_ARGS__)
#define INTEGERS(M, ...) M(char, uchar, __VA_ARGS__) M(short, ushort, __VA_ARGS__) M(int, uint, __VA_ARGS__) M(long, ulong, __VA_ARGS__)
#define TYPES(M, ...) \
    M(char, __VA_ARGS__) M(uchar, __VA_ARGS__) M(short, __VA_ARGS__) M(ushort, __VA_ARGS__) M(int, __VA_ARGS__) \
    M(uint, __VA_ARGS__) M(long, __VA_ARGS__) M(ulong, __VA_ARGS__) M(float, __VA_ARGS__)

/* A value that the compiler does not know, and a use of one. */
#define ANY(T) (*(global const T *)in)
#define USE(T, value) *(global T *)out = (value);

#define CALL1(n, R, name, A) USE(R##n, name(ANY(A##n)))
#define CALL2(n, R, name, A, B) USE(R##n, name(ANY(A##n), ANY(B##n)))
#define CALL3(n, R, name, A, B, C) USE(R##n, name(ANY(A##n), ANY(B##n), ANY(C##n)))
#define F1(name) WIDTHS(CALL1, float, name, float)
#define F2(name) WIDTHS(CALL2, float, name, float, float)
#define F3(name) WIDTHS(CALL3, float, name, float, float, float)
#define VECTOR_SCALAR(n, T, name) USE(T##n, name(ANY(T##n), ANY(T)))
#define VECTOR_SCALARS(n, T, name) USE(T##n, name(ANY(T##n), ANY(T), ANY(T)))

/* 6.12.1 */
kernel void work_items(global const char *in, global char *out)
{
    USE(uint, get_work_dim())
    for (uint d = 0; d < 4; d++)
        USE(size_t, get_global_size(d) + get_global_id(d) + get_local_size(d) + get_local_id(d) + get_num_groups(d) +
                        get_group_id(d) + get_global_offset(d))
}

/* 6.12.2 */
kernel void math_of_one(global const char *in, global char *out)
{
    F1(acos) F1(acosh) F1(acospi) F1(asin) F1(asinh) F1(asinpi) F1(atan) F1(atanh) F1(atanpi) F1(cbrt) F1(ceil) F1(cos)
    F1(cosh) F1(cospi) F1(erfc) F1(erf) F1(exp) F1(exp2) F1(exp10) F1(expm1) F1(fabs) F1(floor) F1(lgamma) F1(log) F1(log2)
    F1(log10) F1(log1p) F1(logb) F1(rint) F1(round) F1(rsqrt) F1(sin) F1(sinh) F1(sinpi) F1(sqrt) F1(tan) F1(tanh)
    F1(tanpi) F1(tgamma) F1(trunc)
    F1(half_cos) F1(half_exp) F1(half_exp2) F1(half_exp10) F1(half_log) F1(half_log2) F1(half_log10) F1(half_recip)
    F1(half_rsqrt) F1(half_sin) F1(half_sqrt) F1(half_tan)
    F1(native_cos) F1(native_exp) F1(native_exp2) F1(native_exp10) F1(native_log) F1(native_log2) F1(native_log10)
    F1(native_recip) F1(native_rsqrt) F1(native_sin) F1(native_sqrt) F1(native_tan)
    WIDTHS(CALL1, int, ilogb, float) WIDTHS(CALL1, float, nan, uint)
}
kernel void math_of_two(global const char *in, global char *out)
{
    F2(atan2) F2(atan2pi) F2(copysign) F2(fdim) F2(fmax) F2(fmin) F2(fmod) F2(hypot) F2(maxmag) F2(minmag) F2(nextafter)
    F2(pow) F2(powr) F2(remainder) F2(half_divide) F2(half_powr) F2(native_divide) F2(native_powr)
    F3(fma) F3(mad)
    VECTORS(VECTOR_SCALAR, float, fmax) VECTORS(VECTOR_SCALAR, float, fmin)
    WIDTHS(CALL2, float, ldexp, float, int) WIDTHS(CALL2, float, pown, float, int) WIDTHS(CALL2, float, rootn, float, int)
#define BY_INT(n, name) USE(float##n, name(ANY(float##n), ANY(int)))
    VECTORS(BY_INT, ldexp)
}
#define WITH_POINTER(n, space, name, T) USE(float##n, name(ANY(float##n), (space T##n *)at))
#define WITH_QUOTIENT(n, space) USE(float##n, remquo(ANY(float##n), ANY(float##n), (space int##n *)at))
#define POINTERS(space) \
    WIDTHS(WITH_POINTER, space, fract, float) WIDTHS(WITH_POINTER, space, modf, float) \
    WIDTHS(WITH_POINTER, space, sincos, float) WIDTHS(WITH_POINTER, space, frexp, int) \
    WIDTHS(WITH_POINTER, space, lgamma_r, int) WIDTHS(WITH_QUOTIENT, space)
kernel void math_by_global_pointers(global const char *in, global char *out, global char *at) { POINTERS(global) }
kernel void math_by_local_pointers(global const char *in, global char *out, local char *at) { POINTERS(local) }
kernel void math_by_private_pointers(global const char *in, global char *out)
{
    float16 room, *at = &room;
    POINTERS(private)
    USE(float16, room)
}

/* 6.12.3 */
#define INTEGER(n, T, U) \
    CALL1(n, U, abs, T) CALL2(n, U, abs_diff, T, T) CALL2(n, T, add_sat, T, T) CALL2(n, T, hadd, T, T) \
    CALL2(n, T, rhadd, T, T) CALL3(n, T, clamp, T, T, T) CALL1(n, T, clz, T) CALL3(n, T, mad_hi, T, T, T) \
    CALL3(n, T, mad_sat, T, T, T) CALL2(n, T, max, T, T) CALL2(n, T, min, T, T) CALL2(n, T, mul_hi, T, T) \
    CALL2(n, T, rotate, T, T) CALL2(n, T, sub_sat, T, T) CALL1(n, T, popcount, T)
#define INTEGER_SCALARS(T) \
    VECTORS(VECTOR_SCALARS, T, clamp) VECTORS(VECTOR_SCALAR, T, max) VECTORS(VECTOR_SCALAR, T, min)
#define BOTH_SIGNS(T, U, ...) WIDTHS(INTEGER, T, U) WIDTHS(INTEGER, U, U) INTEGER_SCALARS(T) INTEGER_SCALARS(U)
kernel void integers(global const char *in, global char *out)
{
    INTEGERS(BOTH_SIGNS)
    WIDTHS(CALL2, short, upsample, char, uchar) WIDTHS(CALL2, ushort, upsample, uchar, uchar)
    WIDTHS(CALL2, int, upsample, short, ushort) WIDTHS(CALL2, uint, upsample, ushort, ushort)
    WIDTHS(CALL2, long, upsample, int, uint) WIDTHS(CALL2, ulong, upsample, uint, uint)
    WIDTHS(CALL2, int, mul24, int, int) WIDTHS(CALL2, uint, mul24, uint, uint)
    WIDTHS(CALL3, int, mad24, int, int, int) WIDTHS(CALL3, uint, mad24, uint, uint, uint)
}

/* 6.12.4 and 6.12.5 */
#define GEOMETRIC(n) \
    USE(float, dot(ANY(float##n), ANY(float##n))) USE(float, distance(ANY(float##n), ANY(float##n))) \
    USE(float, length(ANY(float##n))) USE(float##n, normalize(ANY(float##n))) \
    USE(float, fast_distance(ANY(float##n), ANY(float##n))) USE(float, fast_length(ANY(float##n))) \
    USE(float##n, fast_normalize(ANY(float##n)))
#define EDGES(n, ...) \
    USE(float##n, step(ANY(float), ANY(float##n))) USE(float##n, smoothstep(ANY(float), ANY(float), ANY(float##n))) \
    USE(float##n, mix(ANY(float##n), ANY(float##n), ANY(float)))
kernel void common(global const char *in, global char *out)
{
    F3(clamp) F1(degrees) F2(max) F2(min) F3(mix) F1(radians) F2(step) F3(smoothstep) F1(sign)
    VECTORS(VECTOR_SCALARS, float, clamp) VECTORS(VECTOR_SCALAR, float, max) VECTORS(VECTOR_SCALAR, float, min)
    VECTORS(EDGES, )
    USE(float3, cross(ANY(float3), ANY(float3))) USE(float4, cross(ANY(float4), ANY(float4)))
    GEOMETRIC() GEOMETRIC(2) GEOMETRIC(3) GEOMETRIC(4)
}

/* 6.12.6 */
#define IS1(name) WIDTHS(CALL1, int, name, float)
#define IS2(name) WIDTHS(CALL2, int, name, float, float)
#define ANY_OR_ALL(n, T) USE(int, any(ANY(T##n))) USE(int, all(ANY(T##n)))
#define CHOICES(T, U, ...) \
    WIDTHS(ANY_OR_ALL, T) WIDTHS(CALL3, T, bitselect, T, T, T) WIDTHS(CALL3, U, bitselect, U, U, U) \
    WIDTHS(CALL3, T, select, T, T, T) WIDTHS(CALL3, T, select, T, T, U) WIDTHS(CALL3, U, select, U, U, T) \
    WIDTHS(CALL3, U, select, U, U, U)
kernel void relations(global const char *in, global char *out)
{
    IS2(isequal) IS2(isnotequal) IS2(isgreater) IS2(isgreaterequal) IS2(isless) IS2(islessequal) IS2(islessgreater)
    IS2(isordered) IS2(isunordered) IS1(isfinite) IS1(isinf) IS1(isnan) IS1(isnormal) IS1(signbit)
    INTEGERS(CHOICES)
    F3(bitselect) WIDTHS(CALL3, float, select, float, float, int) WIDTHS(CALL3, float, select, float, float, uint)
}

/* 6.12.7 */
#define LOAD(n, T, space) USE(T##n, vload##n(1, (space const T *)at))
#define STORE(n, T, space) vstore##n(ANY(T##n), 1, (space T *)at);
#define LOADS(T, space) VECTORS(LOAD, T, space)
#define STORES(T, space) VECTORS(STORE, T, space)
#define LOAD_HALF(n, space) \
    USE(float##n, vload_half##n(1, (space const half *)at)) USE(float##n, vloada_half##n(1, (space const half *)at))
#define STORE_HALF(n, space) \
    STORE_HALF_BY(n, space, ) STORE_HALF_BY(n, space, _rte) STORE_HALF_BY(n, space, _rtz) STORE_HALF_BY(n, space, _rtp) \
    STORE_HALF_BY(n, space, _rtn)
#define STORE_HALF_BY(n, space, mode) \
    vstore_half##n##mode(ANY(float##n), 1, (space half *)at); vstorea_half##n##mode(ANY(float##n), 1, (space half *)at);
kernel void through_global(global const char *in, global char *out, global char *at)
{
    TYPES(LOADS, global) TYPES(STORES, global) WIDTHS(LOAD_HALF, global) WIDTHS(STORE_HALF, global)
}
kernel void through_local(global const char *in, global char *out, local char *at)
{
    TYPES(LOADS, local) TYPES(STORES, local) WIDTHS(LOAD_HALF, local) WIDTHS(STORE_HALF, local)
}
kernel void through_private(global const char *in, global char *out)
{
    ulong16 room[2], *at = room;
    TYPES(LOADS, private) TYPES(STORES, private) WIDTHS(LOAD_HALF, private) WIDTHS(STORE_HALF, private)
    USE(ulong16, room[1])
}
kernel void through_constant(global const char *in, global char *out, constant char *at)
{
    TYPES(LOADS, constant) WIDTHS(LOAD_HALF, constant)
}

/* 6.12.8 to 6.12.10 */
#define COPY(n, T) \
    events[0] = async_work_group_copy((local T##n *)at, (global const T##n *)in, 1, 0); \
    events[1] = async_work_group_copy((global T##n *)out, (local const T##n *)at, 1, 0); \
    wait_group_events(2, events); \
    events[0] = async_work_group_strided_copy((local T##n *)at, (global const T##n *)in, 1, 2, 0); \
    events[1] = async_work_group_strided_copy((global T##n *)out, (local const T##n *)at, 1, 2, 0); \
    wait_group_events(2, events); \
    prefetch((global const T##n *)in, 1);
#define COPIES(T, ...) WIDTHS(COPY, T)
kernel void together(global const char *in, global char *out, local char *at)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    event_t events[2];
    TYPES(COPIES, )
}

/* 6.12.11, and by the names that were those of extensions */
#define ATOMIC(space, T, prefix) \
    USE(T, prefix##_add((volatile space T *)at, ANY(T))) USE(T, prefix##_sub((volatile space T *)at, ANY(T))) \
    USE(T, prefix##_xchg((volatile space T *)at, ANY(T))) USE(T, prefix##_inc((volatile space T *)at)) \
    USE(T, prefix##_dec((volatile space T *)at)) USE(T, prefix##_cmpxchg((volatile space T *)at, ANY(T), 1)) \
    USE(T, prefix##_min((volatile space T *)at, ANY(T))) USE(T, prefix##_max((volatile space T *)at, ANY(T))) \
    USE(T, prefix##_and((volatile space T *)at, ANY(T))) USE(T, prefix##_or((volatile space T *)at, ANY(T))) \
    USE(T, prefix##_xor((volatile space T *)at, ANY(T)))
#define ATOMICS(space) \
    ATOMIC(space, int, atomic) ATOMIC(space, uint, atomic) ATOMIC(space, int, atom) ATOMIC(space, uint, atom) \
    USE(float, atomic_xchg((volatile space float *)at, ANY(float)))
kernel void global_atomics(global const char *in, global char *out, global char *at) { ATOMICS(global) }
kernel void local_atomics(global const char *in, global char *out, local char *at) { ATOMICS(local) }

/* 6.12.12 and 6.12.13 */
#define SHUFFLE(T, U, n, m) \
    USE(T##m, shuffle(ANY(T##n), ANY(U##m))) USE(T##m, shuffle2(ANY(T##n), ANY(T##n), ANY(U##m)))
#define SHUFFLES_OF(T, U, n) SHUFFLE(T, U, n, 2) SHUFFLE(T, U, n, 4) SHUFFLE(T, U, n, 8) SHUFFLE(T, U, n, 16)
#define SHUFFLES(T, U, ...) SHUFFLES_OF(T, U, 2) SHUFFLES_OF(T, U, 4) SHUFFLES_OF(T, U, 8) SHUFFLES_OF(T, U, 16)
#define UNSIGNED_SHUFFLES(T, U, ...) SHUFFLES(U, U)
#define STEP(n, T) USE(int, vec_step(ANY(T##n)))
#define STEPS(T, ...) WIDTHS(STEP, T)
kernel void others(global const char *in, global char *out)
{
    INTEGERS(SHUFFLES) INTEGERS(UNSIGNED_SHUFFLES) SHUFFLES(float, uint)
    TYPES(STEPS, )
    printf("%d %v4hlf\n", ANY(int), ANY(float4));
}

/* 6.2.3 and 6.2.4 */
#define CONVERT(n, T, A) \
    CONVERT_BY(n, T, A, ) CONVERT_BY(n, T, A, _rte) CONVERT_BY(n, T, A, _rtz) CONVERT_BY(n, T, A, _rtp) CONVERT_BY(n, T, A, _rtn)
#define CONVERT_BY(n, T, A, mode) USE(T##n, convert_##T##n##mode(ANY(A##n)))
#define SATURATED_FROM(A, T) WIDTHS(CONVERT_SAT, T, A)
#define CONVERT_SAT(n, T, A) \
    CONVERT_BY(n, T, A, _sat) CONVERT_BY(n, T, A, _sat_rte) CONVERT_BY(n, T, A, _sat_rtz) CONVERT_BY(n, T, A, _sat_rtp) \
    CONVERT_BY(n, T, A, _sat_rtn)
#define FROM(A, T) WIDTHS(CONVERT, T, A)
#define TO(T) kernel void to_##T(global const char *in, global char *out) { TYPES(FROM, T) }
#define TO_INTEGER(T) \
    TO(T) kernel void saturated_to_##T(global const char *in, global char *out) { TYPES(SATURATED_FROM, T) }
TO_INTEGER(char) TO_INTEGER(uchar) TO_INTEGER(short) TO_INTEGER(ushort) TO_INTEGER(int) TO_INTEGER(uint) TO_INTEGER(long)
TO_INTEGER(ulong) TO(float)
#define AS(n, A, B) USE(A##n, as_##A##n(ANY(B##n))) USE(B##n, as_##B##n(ANY(A##n)))
kernel void same_bits(global const char *in, global char *out)
{
    WIDTHS(AS, char, uchar) WIDTHS(AS, short, ushort) WIDTHS(AS, int, uint) WIDTHS(AS, int, float) WIDTHS(AS, uint, float)
    WIDTHS(AS, long, ulong)
    USE(int4, as_int4(ANY(short8))) USE(float2, as_float2(ANY(ulong))) USE(uchar16, as_uchar16(ANY(float4)))
    USE(float3, as_float3(ANY(float4)))
}
