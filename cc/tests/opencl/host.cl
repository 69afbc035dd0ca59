/* The built-in functions of float for the host, by names that C can call; see ulp.c. */
#define OVERLOAD __attribute__((overloadable))
#define PURE __attribute__((overloadable, const))
#include "vectors.h"
#include "math.cl"
#include "math_gamma.cl"
#include "math_vectors.cl"

#define ONE(name) float weft_##name(float x) { return name(x); }
#define TWO(name) float weft_##name(float x, float y) { return name(x, y); }
ONE(sqrt) ONE(rsqrt) ONE(cbrt) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2) ONE(log10)
ONE(log1p) ONE(sin) ONE(cos) ONE(tan) ONE(sinpi) ONE(cospi) ONE(tanpi) ONE(asin) ONE(acos) ONE(atan)
ONE(asinpi) ONE(acospi) ONE(atanpi) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(floor)
ONE(ceil) ONE(erf) ONE(erfc) ONE(tgamma) ONE(trunc) ONE(rint) ONE(round) ONE(logb) ONE(fabs)
TWO(pow) TWO(powr) TWO(atan2) TWO(atan2pi) TWO(hypot) TWO(fmod) TWO(remainder) TWO(fdim)
TWO(copysign) TWO(half_divide)
/* Of positive numbers alone the standard says how exact it is to be, if at all. */
float weft_lgamma(float x) { return lgamma(fabs(x)); }
