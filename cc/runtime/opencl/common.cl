/* Common, geometric and relational functions; select and its like. */

PURE float sign(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x == x ? x : 0.0f; }
VECTORS1(float, sign, float)

#define COMMON(n, T) \
    PURE float##n degrees(float##n x) { return x * (float##n)57.295779513082320877f; } \
    PURE float##n radians(float##n x) { return x * (float##n)0.017453292519943295769f; } \
    PURE float##n max(float##n x, float##n y) { return fmax(x, y); } \
    PURE float##n min(float##n x, float##n y) { return fmin(x, y); } \
    PURE float##n clamp(float##n x, float##n low, float##n high) { return fmin(fmax(x, low), high); } \
    PURE float##n mix(float##n x, float##n y, float##n a) { return x + (y - x) * a; }
EACH_WIDTH(COMMON, float)
PURE float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
PURE float smoothstep(float low, float high, float x)
{
    float t = clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}
VECTORS2(float, step, float, float)
VECTORS3(float, smoothstep, float, float, float)
#define COMMON_SCALARS(n, T) \
    PURE float##n max(float##n x, float y) { return fmax(x, (float##n)y); } \
    PURE float##n min(float##n x, float y) { return fmin(x, (float##n)y); } \
    PURE float##n clamp(float##n x, float low, float high) { return clamp(x, (float##n)low, (float##n)high); } \
    PURE float##n mix(float##n x, float##n y, float a) { return x + (y - x) * a; } \
    PURE float##n step(float edge, float##n x) { return step((float##n)edge, x); } \
    PURE float##n smoothstep(float low, float high, float##n x) { return smoothstep((float##n)low, (float##n)high, x); }
EACH_VECTOR(COMMON_SCALARS, float)

/* Geometric */

PURE float dot(float a, float b) { return a * b; }
PURE float dot(float2 a, float2 b) { return mad(a.x, b.x, a.y * b.y); }
PURE float dot(float3 a, float3 b) { return mad(a.x, b.x, mad(a.y, b.y, a.z * b.z)); }
PURE float dot(float4 a, float4 b) { return mad(a.x, b.x, mad(a.y, b.y, mad(a.z, b.z, a.w * b.w))); }
PURE float3 cross(float3 a, float3 b)
{
    return (float3)(mad(a.y, b.z, -(a.z * b.y)), mad(a.z, b.x, -(a.x * b.z)), mad(a.x, b.y, -(a.y * b.x)));
}
PURE float4 cross(float4 a, float4 b) { return (float4)(cross(a.xyz, b.xyz), 0.0f); }
#define LARGEST(n, expression) __attribute__((overloadable)) static float largest_of(float##n a) { return expression; }
LARGEST(, fabs(a))
LARGEST(2, fmax(fabs(a.x), fabs(a.y)))
LARGEST(3, fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z)))
LARGEST(4, fmax(fmax(fabs(a.x), fabs(a.y)), fmax(fabs(a.z), fabs(a.w))))
/* Where squares would be too large or too small. */
#define GEOMETRIC(n) \
    PURE float length(float##n a) \
    { \
        float most = largest_of(a); \
        if (most > 0x1p60f) \
            return most == INFINITY ? most : 0x1p66f * sqrt(dot(a * 0x1p-66f, a * 0x1p-66f)); \
        if (most < 0x1p-60f) \
            return 0x1p-90f * sqrt(dot(a * 0x1p90f, a * 0x1p90f)); \
        return sqrt(dot(a, a)); \
    } \
    PURE float distance(float##n a, float##n b) { return length(a - b); } \
    PURE float##n normalize(float##n a) \
    { \
        float most = largest_of(a); \
        if (most == 0 || most != most) \
            return a; \
        if (most > 0x1p60f) \
            a = most == INFINITY ? select_infinite(a) : a * 0x1p-66f; \
        else if (most < 0x1p-60f) \
            a = a * 0x1p90f; \
        return a / (float##n)sqrt(dot(a, a)); \
    } \
    PURE float fast_length(float##n a) { return sqrt(dot(a, a)); } \
    PURE float fast_distance(float##n a, float##n b) { return fast_length(a - b); } \
    PURE float##n fast_normalize(float##n a) { return normalize(a); }
__attribute__((overloadable)) static float select_infinite(float a) { return copysign(fabs(a) == INFINITY ? 1.0f : 0.0f, a); }
__attribute__((overloadable)) static float2 select_infinite(float2 a) { return (float2)(select_infinite(a.x), select_infinite(a.y)); }
__attribute__((overloadable)) static float3 select_infinite(float3 a) { return (float3)(select_infinite(a.xy), select_infinite(a.z)); }
__attribute__((overloadable)) static float4 select_infinite(float4 a) { return (float4)(select_infinite(a.xy), select_infinite(a.zw)); }
GEOMETRIC() GEOMETRIC(2) GEOMETRIC(3) GEOMETRIC(4)

/* Relational: 1 of numbers, -1 of elements of vectors. */

#define RELATION2(n, R, name, expression) PURE R name(float##n x, float##n y) { return expression; }
#define RELATION1(n, R, name, expression) PURE R name(float##n x) { return expression; }
#define RELATIONS(n, R) \
    RELATION2(n, R, isequal, x == y) RELATION2(n, R, isnotequal, x != y) RELATION2(n, R, isgreater, x > y) \
    RELATION2(n, R, isgreaterequal, x >= y) RELATION2(n, R, isless, x < y) RELATION2(n, R, islessequal, x <= y) \
    RELATION2(n, R, islessgreater, (x < y) | (x > y)) RELATION2(n, R, isordered, (x == x) & (y == y)) \
    RELATION2(n, R, isunordered, (x != x) | (y != y)) RELATION1(n, R, isnan, x != x) \
    RELATION1(n, R, isfinite, fabs(x) < (float##n)INFINITY) RELATION1(n, R, isinf, fabs(x) == (float##n)INFINITY) \
    RELATION1(n, R, isnormal, (fabs(x) < (float##n)INFINITY) & (fabs(x) >= (float##n)FLT_MIN))
RELATIONS(, int) RELATIONS(2, int2) RELATIONS(3, int3) RELATIONS(4, int4) RELATIONS(8, int8) RELATIONS(16, int16)
PURE int signbit(float x) { return as_uint(x) >> 31; }
#define SIGNBIT(n, T) PURE int##n signbit(float##n x) { return as_int##n(x) >> 31; }
EACH_VECTOR(SIGNBIT, int)

#define ANY_ALL(T) \
    PURE int any(T x) { return x < 0; } \
    PURE int all(T x) { return x < 0; } \
    PURE int any(T##2 x) { return (x.s0 | x.s1) < 0; } \
    PURE int all(T##2 x) { return (x.s0 & x.s1) < 0; } \
    PURE int any(T##3 x) { return (x.s0 | x.s1 | x.s2) < 0; } \
    PURE int all(T##3 x) { return (x.s0 & x.s1 & x.s2) < 0; } \
    PURE int any(T##4 x) { return any(x.lo | x.hi); } \
    PURE int all(T##4 x) { return all(x.lo & x.hi); } \
    PURE int any(T##8 x) { return any(x.lo | x.hi); } \
    PURE int all(T##8 x) { return all(x.lo & x.hi); } \
    PURE int any(T##16 x) { return any(x.lo | x.hi); } \
    PURE int all(T##16 x) { return all(x.lo & x.hi); }
ANY_ALL(char) ANY_ALL(short) ANY_ALL(int) ANY_ALL(long)

#define BITSELECT(n, T) PURE T##n bitselect(T##n a, T##n b, T##n c) { return (a & ~c) | (b & c); }
#define SELECT(n, T, C) PURE T##n select(T##n a, T##n b, C##n c) { return c ? b : a; }
#define SELECT_UNSIGNED(n, T, S, C) \
    PURE T##n select(T##n a, T##n b, C##n c) { return __builtin_astype(c, S##n) ? b : a; }
#define SELECTS(T, S, U) \
    PURE T select(T a, T b, S c) { return c ? b : a; } \
    PURE T select(T a, T b, U c) { return c ? b : a; } \
    EACH_VECTOR(SELECT, T, S) EACH_VECTOR(SELECT_UNSIGNED, T, S, U)
#define SELECT_BOTH(T, U) EACH_WIDTH(BITSELECT, T) EACH_WIDTH(BITSELECT, U) SELECTS(T, T, U) SELECTS(U, T, U)
SELECT_BOTH(char, uchar) SELECT_BOTH(short, ushort) SELECT_BOTH(int, uint) SELECT_BOTH(long, ulong)
SELECTS(float, int, uint)
#define BITSELECT_FLOAT(n, T) \
    PURE float##n bitselect(float##n a, float##n b, float##n c) \
    { \
        return as_float##n(bitselect(as_uint##n(a), as_uint##n(b), as_uint##n(c))); \
    }
EACH_WIDTH(BITSELECT_FLOAT, float)

/* Vectors of elements that are chosen by number. */
#define SHUFFLE(T, U, n, m) \
    PURE T##m shuffle(T##n x, U##m mask) \
    { \
        T##m r; \
        for (uint k = 0; k < m; k++) \
            r[k] = x[mask[k] & (n - 1)]; \
        return r; \
    } \
    PURE T##m shuffle2(T##n x, T##n y, U##m mask) \
    { \
        T##m r; \
        for (uint k = 0; k < m; k++) { \
            uint at = mask[k] & (2 * n - 1); \
            r[k] = at < n ? x[at] : y[at - n]; \
        } \
        return r; \
    }
#define SHUFFLES_TO(T, U, n) SHUFFLE(T, U, n, 2) SHUFFLE(T, U, n, 4) SHUFFLE(T, U, n, 8) SHUFFLE(T, U, n, 16)
#define SHUFFLES(T, U) SHUFFLES_TO(T, U, 2) SHUFFLES_TO(T, U, 4) SHUFFLES_TO(T, U, 8) SHUFFLES_TO(T, U, 16)
SHUFFLES(char, uchar) SHUFFLES(uchar, uchar) SHUFFLES(short, ushort) SHUFFLES(ushort, ushort)
SHUFFLES(int, uint) SHUFFLES(uint, uint) SHUFFLES(long, ulong) SHUFFLES(ulong, ulong) SHUFFLES(float, uint)
