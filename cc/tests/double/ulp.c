/*
 * How far math.h's functions of double are from what long double gives, in units of the last place (CC-029).
 *
 *     ulp POINTS PART
 *
 * Each function at edges and at POINTS random numbers of all kinds; those of two at pairs of such. A line for each: name,
 * allowed, worst, where. Exit 1 if one is worse than PART of what is allowed, 2 if long double is no more than double.
 * The functions are those of cc/runtime/math_series.c, compiled for the host; its sqrt and ldexp are the host's.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ONE_OF(X) \
    X(exp, 1) X(exp2, 1) X(expm1, 1) X(log, 1) X(log2, 1) X(log10, 1) X(log1p, 1) X(sin, 1) X(cos, 1) X(tan, 1) X(asin, 1) \
    X(acos, 1) X(atan, 1) X(sinh, 2) X(cosh, 1.5) X(tanh, 2) X(asinh, 2) X(acosh, 2) X(atanh, 2) X(cbrt, 1)
#define TWO_OF(X) X(pow, 1) X(atan2, 2) X(hypot, 1)

/* Each of its own gets another name before the file of ours says it. */
#define REFERENCE(name, most) static long double (*const of_##name)(long double) = name##l;
#define REFERENCE_2(name, most) static long double (*const of_##name)(long double, long double) = name##l;
ONE_OF(REFERENCE)
TWO_OF(REFERENCE_2)
#define exp ours_exp
#define exp2 ours_exp2
#define expm1 ours_expm1
#define log ours_log
#define log2 ours_log2
#define log10 ours_log10
#define log1p ours_log1p
#define pow ours_pow
#define sin ours_sin
#define cos ours_cos
#define tan ours_tan
#define asin ours_asin
#define acos ours_acos
#define atan ours_atan
#define atan2 ours_atan2
#define sinh ours_sinh
#define cosh ours_cosh
#define tanh ours_tanh
#define asinh ours_asinh
#define acosh ours_acosh
#define atanh ours_atanh
#define cbrt ours_cbrt
#define hypot ours_hypot
#include "../../runtime/math_series.c"
#undef exp
#undef exp2
#undef expm1
#undef log
#undef log2
#undef log10
#undef log1p
#undef pow
#undef sin
#undef cos
#undef tan
#undef asin
#undef acos
#undef atan
#undef atan2
#undef sinh
#undef cosh
#undef tanh
#undef asinh
#undef acosh
#undef atanh
#undef cbrt
#undef hypot

static double error(double got, long double want)
{
    double rounded = (double)want;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (got == rounded && (isinf(got) || got == 0))
        return signbit(got) == signbit(rounded) ? 0 : INFINITY;
    /* Infinity stands for 2^1024. */
    if (isinf(got) && !isinf(want))
        got = copysign(DBL_MAX, got), want -= copysignl(0x1p970L, got);
    if (isinf(want) || isinf(got))
        return INFINITY;
    int e;
    frexpl(want, &e);
    /* Where double has no number behind, one more binade is counted with. */
    return (double)(fabsl(got - want) / ldexpl(1, (e < -1021 ? -1021 : e) - 53));
}

static uint64_t seed = 88172645463325252u;
static uint64_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* The double that is nearest to a multiple of pi/2 is among them, and where powers end. */
static const double edges[] = {
    0, 0x1p-1074, 0x1p-1022, 0x1p-1000, 0x1p-500, 0x1p-60, 0x1p-54, 0x1p-28, 0x1p-27, 0x1p-26, 0.1, 0.26, 0.4142, 0.4375, 0.5,
    0.55, 0.6875, 0.975, 0x1.fffffffffffffp-1, 1, 0x1.0000000000001p0, 1.1875, 1.5, 2, 2.4375, 3, 7, 22, 0.7853981633974483,
    0x1.921fb54442d18p0, 0x1.921fb54442d18p1, 0x1.921fb54442d19p1, 6381956970095103.0 * 0x1p797, 40, 690, 708.4, 709.782712893384,
    709.7827128933841, 710.4758600739439, 745.13, 745.2, 1023, 1024, 1074, 1075, 1076, 0x1p28, 0x1p52, 0x1p53 - 1, 0x1p53, 0x1p64,
    1e22, 0x1p500, 1e300, 0x1.fffffffffffffp1023, INFINITY, NAN,
};
enum { EDGES = 2 * (sizeof edges / sizeof *edges) };

static double edge(uint64_t n)
{
    double x = edges[n % EDGES / 2];
    return n & 1 ? -x : x;
}

static double number(void)
{
    uint64_t bits = any(), kind = any();
    double part = (double)(int64_t)bits * 0x1p-63;
    switch (kind % 9) {
    case 0: return double_of(bits);
    case 1: return part * 20;
    case 2: return part;
    case 3: return part * 1200;
    case 4: return double_of(ONE + (bits >> 11) - (1ull << 52));
    case 5: return (double)((int)(bits % 4001) - 2000) / 2 * 0x1.921fb54442d18p0;
    case 6: return double_of((bits & ~(0x7ffull << 52)) | (1023 - bits % 61) << 52);
    case 7: return part * 0x1p31;
    default: return 1 + part / (double)(1u << kind % 30);
    }
}

static double part;
static int all_right = 1;

static void tell(const char *name, double most, double worst, double x, double y, int two)
{
    int fine = worst <= most * part;
    printf("%-6s %4g %6.3f  %a", name, most, worst, x);
    if (two)
        printf(", %a", y);
    printf("%s\n", fine ? "" : "  WRONG");
    all_right &= fine;
}

static void one(const char *name, double f(double), long double g(long double), double most, uint64_t points)
{
    double worst = 0, at = 0;
    for (uint64_t n = 0; n < EDGES + points; n++) {
        double x = n < EDGES ? edge(n) : number(), e = error(f(x), g(x));
        if (!(e <= worst))
            worst = e, at = x;
    }
    tell(name, most, worst, at, 0, 0);
}

static void two(const char *name, double f(double, double), long double g(long double, long double), double most, uint64_t points)
{
    double worst = 0, at = 0, with = 0;
    for (uint64_t n = 0; n < EDGES * EDGES + points; n++) {
        double x = n < EDGES * EDGES ? edge(n) : number(), y = n < EDGES * EDGES ? edge(n / EDGES) : number();
        /* Near each other; powers that are neither 0 nor infinity. */
        if (n >= EDGES * EDGES && n % 3 == 1)
            y = x * (1 + y * 0x1p-10);
        if (n >= EDGES * EDGES && n % 3 == 2 && isfinite(x))
            x = fabs(x), y = (double)((int64_t)any() * 0x1p-63L * 1076 / log2l(x));
        double e = error(f(x, y), g(x, y));
        if (!(e <= worst))
            worst = e, at = x, with = y;
    }
    tell(name, most, worst, at, with, 1);
}

int main(int count, char **words)
{
    if (count < 3 || LDBL_MANT_DIG < DBL_MANT_DIG + 10)
        return 2;
    uint64_t points = strtoull(words[1], 0, 0);
    part = strtod(words[2], 0);
#define RUN(name, most) one(#name, ours_##name, of_##name, most, points);
#define RUN_2(name, most) two(#name, ours_##name, of_##name, most, points);
    ONE_OF(RUN)
    TWO_OF(RUN_2)
    return all_right ? 0 : 1;
}
