/*
 * What math.c has of functions on a machine with float: an instruction where there is one, else those of OpenCL's library
 * (opencl/math.cl), which are exact to the units of docs/spec/opencl.md, CL-020.
 */
#define PURE static __attribute__((unused))
#define __constant const
#define bool _Bool
#define true 1
#define false 0
#define FP_ILOGB0 (-0x7fffffff)
#define FP_ILOGBNAN 0x7fffffff
#define INT_MAX 0x7fffffff

#define M_LN2_F 0.69314718055994530942f

typedef unsigned int uint;
typedef unsigned long long ulong;
#define long __INT64_TYPE__

static inline float as_float(uint bits) { return float_of(bits); }
static inline uint as_uint(float x) { return bits_of(x); }
static inline int as_int(float x) { return (int)bits_of(x); }

#undef fabsf
#undef copysignf
#undef fminf
#undef fmaxf
#undef sqrtf

float fabsf(float x) { return __builtin_fabsf(x); }
float copysignf(float x, float sign) { return __builtin_copysignf(x, sign); }
float fminf(float x, float y) { return __builtin_fminf(x, y); }
float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
float sqrtf(float x) { return __builtin_sqrtf(x); }

#include "opencl/math.cl"
#undef long

float expf(float x) { return exp(x); }
float exp2f(float x) { return exp2(x); }
float logf(float x) { return log(x); }
float log2f(float x) { return log2(x); }
float log10f(float x) { return log10(x); }
float powf(float x, float y) { return pow(x, y); }
float sinf(float x) { return sin(x); }
float cosf(float x) { return cos(x); }
float tanf(float x) { return tan(x); }
float atanf(float x) { return atan(x); }
float atan2f(float y, float x) { return atan2(y, x); }
float asinf(float x) { return asin(x); }
float acosf(float x) { return acos(x); }
float sinhf(float x) { return sinh(x); }
float coshf(float x) { return cosh(x); }
float tanhf(float x) { return tanh(x); }
float asinhf(float x) { return asinh(x); }
float acoshf(float x) { return acosh(x); }
float atanhf(float x) { return atanh(x); }
float expm1f(float x) { return expm1(x); }
float log1pf(float x) { return log1p(x); }
float cbrtf(float x) { return cbrt(x); }
float hypotf(float x, float y) { return hypot(x, y); }
