/*
 * math.h of programs that `weft cc` builds. Of float: sqrtf, fmodf and what rounds to integers are exact; the others are
 * at most 2 units in the last place wrong (cc/tests/library.rs), with hard float powf 4, tanf, sinhf and tanhf 3. Of double
 * the same: what needs no series is exact, the others are at most 2 units wrong (cc/tests/ulp.rs). In soft float each is a
 * function of some hundred instructions, of double some thousand. errno is not set.
 */
#ifndef WEFT_MATH_H
#define WEFT_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF INFINITY
#define HUGE_VAL (__builtin_inf())
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_E 2.71828182845904523536
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

float fabsf(float x);
float copysignf(float x, float sign);
float fminf(float x, float y);
float fmaxf(float x, float y);
float floorf(float x);
float ceilf(float x);
float truncf(float x);
float roundf(float x);
float fmodf(float x, float y);
float sqrtf(float x);
float expf(float x);
float exp2f(float x);
float logf(float x);
float log2f(float x);
float log10f(float x);
float powf(float x, float y);
float sinf(float x);
float cosf(float x);
float tanf(float x);
float atanf(float x);
float atan2f(float y, float x);
float asinf(float x);
float acosf(float x);
float sinhf(float x);
float coshf(float x);
float tanhf(float x);
float asinhf(float x);
float acoshf(float x);
float atanhf(float x);
float expm1f(float x);
float log1pf(float x);
float cbrtf(float x);
float hypotf(float x, float y);

/* math.c on a machine with float has OpenCL's functions, which have these names and are of float. */
#ifndef WEFT_MATH_OF_FLOAT
double fabs(double x);
double copysign(double x, double sign);
double fmin(double x, double y);
double fmax(double x, double y);
double floor(double x);
double ceil(double x);
double trunc(double x);
double round(double x);
double fmod(double x, double y);
double modf(double x, double *integer);
double frexp(double x, int *exponent);
double ldexp(double x, int by);
double scalbn(double x, int by);
double sqrt(double x);
double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);
double hypot(double x, double y);
#endif

#ifdef __riscv_zfinx
/* An instruction each, and no call. */
#define fabsf(x) __builtin_fabsf(x)
#define copysignf(x, sign) __builtin_copysignf(x, sign)
#define fminf(x, y) __builtin_fminf(x, y)
#define fmaxf(x, y) __builtin_fmaxf(x, y)
#define sqrtf(x) __builtin_sqrtf(x)
#endif

#ifdef __cplusplus
}
#endif
#endif
