/* Functions of math.cl with pointers, of vectors, and by their other names. */

#define POINTED(space, name, T) \
    OVERLOAD float name(float x, space T *p) { T v; float r = name##_of(x, &v); *p = v; return r; } \
    OVERLOAD float2 name(float2 x, space T##2 *p) { T v0, v1; float2 r = (float2)(name##_of(x.s0, &v0), name##_of(x.s1, &v1)); *p = (T##2)(v0, v1); return r; } \
    OVERLOAD float3 name(float3 x, space T##3 *p) { T v0, v1, v2; float3 r = (float3)(name##_of(x.s0, &v0), name##_of(x.s1, &v1), name##_of(x.s2, &v2)); *p = (T##3)(v0, v1, v2); return r; } \
    POINTED_HALVES(space, name, T, 4, 2) POINTED_HALVES(space, name, T, 8, 4) POINTED_HALVES(space, name, T, 16, 8)
#define POINTED_HALVES(space, name, T, n, m) \
    OVERLOAD float##n name(float##n x, space T##n *p) \
    { \
        T##m a, b; \
        float##m l = name(x.lo, (__private T##m *)&a), h = name(x.hi, (__private T##m *)&b); \
        *p = (T##n)(a, b); \
        return (float##n)(l, h); \
    }
#define POINTED_ALL(name, T) POINTED(__private, name, T) POINTED(__global, name, T) POINTED(__local, name, T)
POINTED_ALL(modf, float)
POINTED_ALL(fract, float)
POINTED_ALL(frexp, int)
POINTED_ALL(sincos, float)
POINTED_ALL(lgamma_r, int)
#define REMQUO(space) \
    OVERLOAD float remquo(float x, float y, space int *p) { int q; float r = remquo_of(x, y, &q); *p = q; return r; } \
    OVERLOAD float2 remquo(float2 x, float2 y, space int2 *p) { int q0, q1; float2 r = (float2)(remquo_of(x.s0, y.s0, &q0), remquo_of(x.s1, y.s1, &q1)); *p = (int2)(q0, q1); return r; } \
    OVERLOAD float3 remquo(float3 x, float3 y, space int3 *p) { int q0, q1, q2; float3 r = (float3)(remquo_of(x.s0, y.s0, &q0), remquo_of(x.s1, y.s1, &q1), remquo_of(x.s2, y.s2, &q2)); *p = (int3)(q0, q1, q2); return r; } \
    REMQUO_HALVES(space, 4, 2) REMQUO_HALVES(space, 8, 4) REMQUO_HALVES(space, 16, 8)
#define REMQUO_HALVES(space, n, m) \
    OVERLOAD float##n remquo(float##n x, float##n y, space int##n *p) \
    { \
        int##m a, b; \
        float##m l = remquo(x.lo, y.lo, (__private int##m *)&a), h = remquo(x.hi, y.hi, (__private int##m *)&b); \
        *p = (int##n)(a, b); \
        return (float##n)(l, h); \
    }
REMQUO(__private) REMQUO(__global) REMQUO(__local)

/* Of vectors */

#define MATH1(name) VECTORS1(float, name, float)
#define MATH2(name) VECTORS2(float, name, float, float)
#define SAME1(name, other) PURE float name(float x) { return other(x); } MATH1(name)
#define SAME2(name, other) PURE float name(float x, float y) { return other(x, y); } MATH2(name)
MATH1(acos) MATH1(acosh) MATH1(acospi) MATH1(asin) MATH1(asinh) MATH1(asinpi) MATH1(atan) MATH1(atanh) MATH1(atanpi)
MATH1(cbrt) MATH1(ceil) MATH1(cos) MATH1(cosh) MATH1(cospi) MATH1(erf) MATH1(erfc) MATH1(exp) MATH1(exp2) MATH1(exp10) MATH1(expm1)
MATH1(fabs) MATH1(floor) MATH1(lgamma) MATH1(log) MATH1(log2) MATH1(log10) MATH1(log1p) MATH1(logb) MATH1(rint) MATH1(round)
MATH1(rsqrt) MATH1(sin) MATH1(sinh) MATH1(sinpi) MATH1(sqrt) MATH1(tan) MATH1(tanh) MATH1(tanpi) MATH1(tgamma) MATH1(trunc)
VECTORS1(int, ilogb, float)
VECTORS1(float, nan, uint)
MATH2(atan2) MATH2(atan2pi) MATH2(copysign) MATH2(fdim) MATH2(fmax) MATH2(fmin) MATH2(fmod) MATH2(hypot)
MATH2(maxmag) MATH2(minmag) MATH2(nextafter) MATH2(pow) MATH2(powr) MATH2(remainder)
VECTORS2(float, ldexp, float, int)
VECTORS2(float, pown, float, int)
VECTORS2(float, rootn, float, int)
VECTORS3(float, fma, float, float, float)
VECTORS3(float, mad, float, float, float)
#define WITH_SCALAR(n, name, S) PURE float##n name(float##n x, S y) { return name(x, (S##n)(y)); }
EACH_VECTOR(WITH_SCALAR, fmax, float)
EACH_VECTOR(WITH_SCALAR, fmin, float)
EACH_VECTOR(WITH_SCALAR, ldexp, int)

/* Those that may be less exact are the same ones. */
PURE float half_recip(float x) { return 1 / x; }
PURE float native_recip(float x) { return 1 / x; }
PURE float half_divide(float x, float y) { return x / y; }
PURE float native_divide(float x, float y) { return x / y; }
MATH1(half_recip) MATH1(native_recip) MATH2(half_divide) MATH2(native_divide)
SAME1(half_cos, cos) SAME1(half_exp, exp) SAME1(half_exp2, exp2) SAME1(half_exp10, exp10) SAME1(half_log, log)
SAME1(half_log2, log2) SAME1(half_log10, log10) SAME1(half_rsqrt, rsqrt) SAME1(half_sin, sin) SAME1(half_sqrt, sqrt)
SAME1(half_tan, tan) SAME2(half_powr, powr)
SAME1(native_cos, cos) SAME1(native_exp, exp) SAME1(native_exp2, exp2) SAME1(native_exp10, exp10)
SAME1(native_log, log) SAME1(native_log2, log2) SAME1(native_log10, log10) SAME1(native_rsqrt, rsqrt)
SAME1(native_sin, sin) SAME1(native_sqrt, sqrt) SAME1(native_tan, tan) SAME2(native_powr, powr)
