/*
 * How far the built-in functions are from what double gives, in units of the last place of float (CL-020).
 *
 *     ulp STRIDE [NAME ...]
 *
 * Functions of one argument at every STRIDE-th of all 2^32, and at numbers around the edges; those of two at pairs of such
 * numbers and at random ones. A line for each function: name, allowed, worst, where. Exit 1 if one is worse than allowed.
 * The functions are those of math.cl, compiled for the host.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

/* Where float has no number behind, one more binade is counted with, as the standard does. */
static double ulp(double reference)
{
    int e;
    frexp(reference, &e);
    if (e < -125)
        e = -125;
    return ldexp(1, e - 24);
}

static double error(float got, double want)
{
    if (isnan(want))
        return isnan(got) ? 0 : INFINITY;
    if (isnan(got))
        return INFINITY;
    float rounded = (float)want;
    if (got == rounded)
        return isinf(rounded) || signbit(got) == signbit(rounded) || got != 0 ? 0 : INFINITY;
    if (isinf(got) || isinf(want)) {
        /* Infinity stands for 2^128. */
        double g = isinf(got) ? copysign(0x1p128, got) : got, w = isinf(want) || fabs(want) > 0x1p128 ? copysign(0x1p128, want) : want;
        return isinf(want) && !isinf(got) ? INFINITY : fabs(g - w) / 0x1p104;
    }
    return fabs(got - want) / ulp(want);
}

/* References that double's library has not. */
static double exp10_(double x) { return pow(10, x); }
static double rsqrt_(double x) { return 1 / sqrt(x); }
static double sinpi_(double x)
{
    if (isinf(x))
        return NAN;
    double y = fmod(fabs(x), 2), s = y >= 1 ? -1 : 1;
    y -= y >= 1;
    y = y > 0.5 ? 1 - y : y;
    double v = y > 0.25 ? cos(M_PI * (0.5 - y)) : sin(M_PI * y);
    return y == 0 ? copysign(0, x) : copysign(1, x) * s * v;
}
static double cospi_(double x)
{
    if (isinf(x))
        return NAN;
    double y = fmod(fabs(x), 2);
    y = y > 1 ? 2 - y : y;
    double s = y > 0.5 ? -1 : 1;
    y = y > 0.5 ? 1 - y : y;
    return y == 0.5 ? 0 : s * (y > 0.25 ? sin(M_PI * (0.5 - y)) : cos(M_PI * y));
}
static double tanpi_(double x)
{
    if (isinf(x))
        return NAN;
    double y = fmod(x, 2), z = y < 0 ? y + 2 : y;
    if (z == 0 || z == 1)
        return copysign(0, z == 1 ? -x : x);
    if (z == 0.5 || z == 1.5)
        return z == 0.5 ? INFINITY : -INFINITY;
    return sinpi_(x) / cospi_(x);
}
static double atanpi_(double x) { return atan(x) / M_PI; }
static double asinpi_(double x) { return asin(x) / M_PI; }
static double acospi_(double x) { return acos(x) / M_PI; }
static double logb_(double x) { return logb(x); }
static double round_(double x) { return round(x); }
/* Poles are no numbers, and of numbers below 0 the standard says nothing of lgamma; host.cl takes their size. */
static double tgamma_(double x) { return x < 0 && floor(x) == x ? NAN : tgamma(x); }
static double lgamma_(double x) { return lgamma(fabs(x)); }
static double atan2pi_(double y, double x) { return atan2(y, x) / M_PI; }
static double powr_(double x, double y)
{
    if (isnan(x) || isnan(y) || x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)))
        return NAN;
    return fabs(pow(fabs(x), y));
}
static double divide_(double x, double y) { return x / y; }

#define ONE(X) \
    X(sqrt, sqrt, 3) X(rsqrt, rsqrt_, 2) X(cbrt, cbrt, 2) X(exp, exp, 3) X(exp2, exp2, 3) X(exp10, exp10_, 3) \
    X(expm1, expm1, 3) X(log, log, 3) X(log2, log2, 3) X(log10, log10, 3) X(log1p, log1p, 2) X(sin, sin, 4) X(cos, cos, 4) \
    X(tan, tan, 5) X(sinpi, sinpi_, 4) X(cospi, cospi_, 4) X(tanpi, tanpi_, 6) X(asin, asin, 4) X(acos, acos, 4) \
    X(atan, atan, 5) X(asinpi, asinpi_, 5) X(acospi, acospi_, 5) X(atanpi, atanpi_, 5) X(sinh, sinh, 4) X(cosh, cosh, 4) \
    X(tanh, tanh, 5) X(asinh, asinh, 4) X(acosh, acosh, 4) X(atanh, atanh, 5) X(erf, erf, 16) \
    X(erfc, erfc, 16) X(tgamma, tgamma_, 16) X(lgamma, lgamma_, 16) X(floor, floor, 0) X(ceil, ceil, 0) \
    X(trunc, trunc, 0) X(rint, rint, 0) X(round, round_, 0) X(logb, logb_, 0) X(fabs, fabs, 0)
#define TWO(X) \
    X(pow, pow, 16) X(powr, powr_, 16) X(atan2, atan2, 6) X(atan2pi, atan2pi_, 6) X(hypot, hypot, 4) X(fmod, fmod, 0) \
    X(remainder, remainder, 0) X(fdim, fdim, 0) X(copysign, copysign, 0) \
    X(half_divide, divide_, 2.5)

/* As host.cl names them. */
#define DECLARE1(name, reference, most) extern float cl_##name(float) __asm__("weft_" #name);
#define DECLARE2(name, reference, most) extern float cl_##name(float, float) __asm__("weft_" #name);
ONE(DECLARE1)
TWO(DECLARE2)

static int all_right = 1;

static void tell(const char *name, double most, double worst, uint32_t x, uint32_t y, int two)
{
    int fine = worst <= most;
    printf("%-12s %4g %7.3f  %a", name, most, worst, of(x));
    if (two)
        printf(", %a", of(y));
    printf("%s\n", fine ? "" : "  WRONG");
    fflush(stdout);
    all_right &= fine;
}

/* A number at an edge: powers of two and their neighbours, half integers, large multiples of pi/2 ... */
static uint32_t edge(uint32_t n)
{
    static const float some[] = {0, 1, 0.5f, 1.5f, 2, 2.5f, 3, 10, 88.72283f, 89, 103.97f, 104, 127, 128, 149, 150, 38.5f, 45, 0x1.921fb6p0f,
        0x1.921fb6p1f, 0x1.2d97c8p2f, 9, 9.01f, 0x1p16f, 0x1p23f, 0x1p24f, 0x1p31f, 0x1p-13f, 0x1p-126f, 0x1p-149f, 0x1.fffffep127f, INFINITY, NAN};
    uint32_t bits, count = sizeof some / 4, k = n >> 3;
    if (k < count)
        memcpy(&bits, &some[k], 4);
    else
        bits = ((k - count) % 255) << 23;
    bits += (int)(n >> 1 & 3) - 1;
    return (bits & 0x7fffffff) | n << 31;
}
enum { EDGES = 8 * (33 + 255) };

static uint64_t seed = 88172645463325252u;
static uint32_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed >> 16;
}

static void one(const char *name, float f(float), double g(double), double most, uint64_t stride)
{
    double worst = 0;
    uint32_t where = 0;
    uint64_t edges = 0;
    for (uint64_t n = 0; n < 1ull << 32;) {
        uint32_t bits = edges < EDGES ? edge(edges++) : (uint32_t)n;
        if (edges == EDGES)
            n += stride;
        double e = error(f(of(bits)), g(of(bits)));
        if (e > worst)
            worst = e, where = bits;
    }
    tell(name, most, worst, where, 0, 0);
}

static void two(const char *name, float f(float, float), double g(double, double), double most, uint64_t pairs)
{
    double worst = 0;
    uint32_t wx = 0, wy = 0;
    for (uint64_t n = 0; n < 2 * pairs; n++) {
        uint32_t x = any(), y = any();
        /* Of all sizes; near each other; edges; powers that are neither 0 nor infinity. */
        switch (n & 3) {
        case 0: x = edge(x % EDGES), y = edge(y % EDGES); break;
        case 1: y = (y & 0x80ffffff) | (x & 0x7f000000); break;
        case 2: {
            float a = of((x & 0x7fffffff) % 0x7f800000), most_y = 128 / log2(a), b = most_y * (int32_t)y / 0x1p31f;
            memcpy(&x, &a, 4);
            memcpy(&y, &b, 4);
            break;
        }
        default: break;
        }
        double e = error(f(of(x), of(y)), g(of(x), of(y)));
        if (e > worst)
            worst = e, wx = x, wy = y;
    }
    tell(name, most, worst, wx, wy, 1);
}

static int asked(const char *name, int count, char **names)
{
    for (int n = 0; n < count; n++)
        if (!strcmp(name, names[n]))
            return 1;
    return count == 0;
}

int main(int count, char **words)
{
    uint64_t stride = count > 1 ? strtoull(words[1], 0, 0) : 1;
    if (stride == 0)
        return 2;
    count -= 2, words += 2;
#define RUN1(name, reference, most) if (asked(#name, count, words)) one(#name, cl_##name, reference, most, stride);
#define RUN2(name, reference, most) if (asked(#name, count, words)) two(#name, cl_##name, reference, most, (1ull << 32) / stride);
    ONE(RUN1)
    TWO(RUN2)
    return all_right ? 0 : 1;
}
