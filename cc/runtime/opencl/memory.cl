/* Vectors from and to memory, where they need not be aligned; copies by a work-group; half as it is stored. */

#define VLOAD(T, space) \
    OVERLOAD T##2 vload2(size_t at, const space T *p) { p += 2 * at; return (T##2)(p[0], p[1]); } \
    OVERLOAD T##3 vload3(size_t at, const space T *p) { p += 3 * at; return (T##3)(p[0], p[1], p[2]); } \
    OVERLOAD T##4 vload4(size_t at, const space T *p) { p += 4 * at; return (T##4)(p[0], p[1], p[2], p[3]); } \
    OVERLOAD T##8 vload8(size_t at, const space T *p) { return (T##8)(vload4(2 * at, p), vload4(2 * at + 1, p)); } \
    OVERLOAD T##16 vload16(size_t at, const space T *p) { return (T##16)(vload8(2 * at, p), vload8(2 * at + 1, p)); }
#define VSTORE(T, space) \
    OVERLOAD void vstore2(T##2 v, size_t at, space T *p) { p += 2 * at; p[0] = v.s0; p[1] = v.s1; } \
    OVERLOAD void vstore3(T##3 v, size_t at, space T *p) { p += 3 * at; p[0] = v.s0; p[1] = v.s1; p[2] = v.s2; } \
    OVERLOAD void vstore4(T##4 v, size_t at, space T *p) { vstore2(v.lo, 2 * at, p); vstore2(v.hi, 2 * at + 1, p); } \
    OVERLOAD void vstore8(T##8 v, size_t at, space T *p) { vstore4(v.lo, 2 * at, p); vstore4(v.hi, 2 * at + 1, p); } \
    OVERLOAD void vstore16(T##16 v, size_t at, space T *p) { vstore8(v.lo, 2 * at, p); vstore8(v.hi, 2 * at + 1, p); }
#define MEMORY(T) \
    VLOAD(T, __global) VLOAD(T, __local) VLOAD(T, __constant) VLOAD(T, __private) \
    VSTORE(T, __global) VSTORE(T, __local) VSTORE(T, __private)
MEMORY(char) MEMORY(uchar) MEMORY(short) MEMORY(ushort) MEMORY(int) MEMORY(uint) MEMORY(long) MEMORY(ulong) MEMORY(float)

/* Half precision, of which only values in memory are there. */
static float from_half(ushort h)
{
    uint sign = (uint)(h & 0x8000) << 16, exponent = h >> 10 & 31, m = h & 0x3ff;
    if (exponent == 31)
        return as_float(sign | 0x7f800000 | m << 13 | (m ? 0x400000 : 0));
    if (exponent)
        return as_float(sign | (exponent + 112) << 23 | m << 13);
    return as_float(sign | as_uint((float)m * 0x1p-24f));
}
/* 0 nearest even, 1 to zero, 2 up, 3 down. */
static ushort to_half(float x, int mode)
{
    uint bits = as_uint(x), sign = bits >> 16 & 0x8000, a = bits & 0x7fffffff;
    if (a > 0x7f800000)
        return sign | 0x7e00 | (a >> 13 & 0x3ff);
    if (a == 0x7f800000)
        return sign | 0x7c00;
    bool away = (mode == 2 && !sign) || (mode == 3 && sign);
    uint shift = 13, m = a, base = 112u << 23;
    uint q, rest;
    if (a >= 113u << 23) {
        q = (a - base) >> 13;
        rest = a & 0x1fff;
    } else {
        uint e = a >> 23, whole = e ? (a & 0x7fffff) | 0x800000 : a;
        shift = 126 - (e ? e : 1);
        shift = shift > 31 ? 31 : shift;
        q = whole >> shift;
        rest = whole & ((1u << shift) - 1);
    }
    uint half_way = 1u << (shift - 1);
    bool up = mode == 0 ? rest > half_way || (rest == half_way && q & 1) : away && rest;
    q += up;
    if (q >= 0x7c00)
        q = mode == 0 || away ? 0x7c00 : 0x7bff;
    return sign | q;
}
#define HALF_AT(space, at, p) (((const space ushort *)(p))[at])
#define HALF_LOAD(space) \
    OVERLOAD float vload_half(size_t at, const space half *p) { return from_half(HALF_AT(space, at, p)); } \
    OVERLOAD float2 vload_half2(size_t at, const space half *p) \
    { return (float2)(vload_half(2 * at, p), vload_half(2 * at + 1, p)); } \
    OVERLOAD float3 vload_half3(size_t at, const space half *p) \
    { at *= 3; return (float3)(vload_half(at, p), vload_half(at + 1, p), vload_half(at + 2, p)); } \
    OVERLOAD float4 vload_half4(size_t at, const space half *p) \
    { return (float4)(vload_half2(2 * at, p), vload_half2(2 * at + 1, p)); } \
    OVERLOAD float8 vload_half8(size_t at, const space half *p) \
    { return (float8)(vload_half4(2 * at, p), vload_half4(2 * at + 1, p)); } \
    OVERLOAD float16 vload_half16(size_t at, const space half *p) \
    { return (float16)(vload_half8(2 * at, p), vload_half8(2 * at + 1, p)); } \
    OVERLOAD float2 vloada_half2(size_t at, const space half *p) { return vload_half2(at, p); } \
    OVERLOAD float3 vloada_half3(size_t at, const space half *p) \
    { at *= 4; return (float3)(vload_half(at, p), vload_half(at + 1, p), vload_half(at + 2, p)); } \
    OVERLOAD float4 vloada_half4(size_t at, const space half *p) { return vload_half4(at, p); } \
    OVERLOAD float8 vloada_half8(size_t at, const space half *p) { return vload_half8(at, p); } \
    OVERLOAD float16 vloada_half16(size_t at, const space half *p) { return vload_half16(at, p); }
#define HALF_STORE(space, suffix, mode) \
    OVERLOAD void vstore_half##suffix(float v, size_t at, space half *p) \
    { ((space ushort *)p)[at] = to_half(v, mode); } \
    OVERLOAD void vstore_half2##suffix(float2 v, size_t at, space half *p) \
    { vstore_half##suffix(v.x, 2 * at, p); vstore_half##suffix(v.y, 2 * at + 1, p); } \
    OVERLOAD void vstore_half3##suffix(float3 v, size_t at, space half *p) \
    { at *= 3; vstore_half##suffix(v.x, at, p); vstore_half##suffix(v.y, at + 1, p); vstore_half##suffix(v.z, at + 2, p); } \
    OVERLOAD void vstore_half4##suffix(float4 v, size_t at, space half *p) \
    { vstore_half2##suffix(v.lo, 2 * at, p); vstore_half2##suffix(v.hi, 2 * at + 1, p); } \
    OVERLOAD void vstore_half8##suffix(float8 v, size_t at, space half *p) \
    { vstore_half4##suffix(v.lo, 2 * at, p); vstore_half4##suffix(v.hi, 2 * at + 1, p); } \
    OVERLOAD void vstore_half16##suffix(float16 v, size_t at, space half *p) \
    { vstore_half8##suffix(v.lo, 2 * at, p); vstore_half8##suffix(v.hi, 2 * at + 1, p); } \
    OVERLOAD void vstorea_half2##suffix(float2 v, size_t at, space half *p) { vstore_half2##suffix(v, at, p); } \
    OVERLOAD void vstorea_half3##suffix(float3 v, size_t at, space half *p) \
    { at *= 4; vstore_half##suffix(v.x, at, p); vstore_half##suffix(v.y, at + 1, p); vstore_half##suffix(v.z, at + 2, p); } \
    OVERLOAD void vstorea_half4##suffix(float4 v, size_t at, space half *p) { vstore_half4##suffix(v, at, p); } \
    OVERLOAD void vstorea_half8##suffix(float8 v, size_t at, space half *p) { vstore_half8##suffix(v, at, p); } \
    OVERLOAD void vstorea_half16##suffix(float16 v, size_t at, space half *p) { vstore_half16##suffix(v, at, p); }
#define HALF_STORES(space) \
    HALF_STORE(space, , 0) HALF_STORE(space, _rte, 0) HALF_STORE(space, _rtz, 1) HALF_STORE(space, _rtp, 2) HALF_STORE(space, _rtn, 3)
HALF_LOAD(__global) HALF_LOAD(__local) HALF_LOAD(__constant) HALF_LOAD(__private)
HALF_STORES(__global) HALF_STORES(__local) HALF_STORES(__private)

/* Number of the work-item in its group, and how many there are (ids.c). */
__attribute__((const)) uint weft_item(void);
__attribute__((const)) uint weft_items(void);

/* Each work-item copies its part; the wait is a barrier. Who does not wait for an event must not look either. */
#define COPY(n, T) \
    OVERLOAD __attribute__((convergent)) event_t async_work_group_copy(__local T##n *to, const __global T##n *from, size_t number, event_t event) \
    { \
        for (size_t k = weft_item(); k < number; k += weft_items()) \
            to[k] = from[k]; \
        return event; \
    } \
    OVERLOAD __attribute__((convergent)) event_t async_work_group_copy(__global T##n *to, const __local T##n *from, size_t number, event_t event) \
    { \
        for (size_t k = weft_item(); k < number; k += weft_items()) \
            to[k] = from[k]; \
        return event; \
    } \
    OVERLOAD __attribute__((convergent)) event_t async_work_group_strided_copy(__local T##n *to, const __global T##n *from, size_t number, size_t stride, event_t event) \
    { \
        for (size_t k = weft_item(); k < number; k += weft_items()) \
            to[k] = from[k * stride]; \
        return event; \
    } \
    OVERLOAD __attribute__((convergent)) event_t async_work_group_strided_copy(__global T##n *to, const __local T##n *from, size_t number, size_t stride, event_t event) \
    { \
        for (size_t k = weft_item(); k < number; k += weft_items()) \
            to[k * stride] = from[k]; \
        return event; \
    } \
    OVERLOAD void prefetch(const __global T##n *p, size_t number) {}
EACH_WIDTH(COPY, char) EACH_WIDTH(COPY, uchar) EACH_WIDTH(COPY, short) EACH_WIDTH(COPY, ushort) EACH_WIDTH(COPY, int)
EACH_WIDTH(COPY, uint) EACH_WIDTH(COPY, long) EACH_WIDTH(COPY, ulong) EACH_WIDTH(COPY, float)
OVERLOAD __attribute__((convergent)) void wait_group_events(int number, __private event_t *events)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
