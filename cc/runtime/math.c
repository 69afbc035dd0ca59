/*
 * math.h, of float. What rounds to integers, fmodf and sqrtf are exact. The others are worked out, on a machine with float
 * (CC-007), as OpenCL's are; else in double, by series that are cut off far below a float's last place, and rounded once.
 */
#define WEFT_MATH_OF_FLOAT
#include <math.h>
#include <stdint.h>

#define NUMBER float
#define WORD uint32_t
#define RANK int32_t
#define PLACES 23
#define BIAS 127
#define OF_BITS float_of
#define NAMED(name) name##f
#ifdef __riscv_zfinx
#define IN_HARDWARE
#endif
#include "math_exact.h"

#ifdef __riscv_zfinx
#include "math_hard.h"
#else

float sqrtf(float x)
{
    uint32_t bits = bits_of(x), m;
    if (!(bits << 1) || is_nan(bits) || bits == INF)
        return x;
    if (bits & SIGN)
        return float_of(QUIET);
    int32_t exponent = parts(bits, &m) - 127;
    /* The root of a number with 50 bits has 25: the last one is for rounding, and the rest says whether it is exact. */
    uint64_t radicand = (uint64_t)m << (exponent & 1 ? 26 : 25), root = 0, bit = 1ull << 24;
    for (; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= radicand)
            root |= bit;
    root = (root + 1) >> 1;
    return float_of((uint32_t)(((exponent >> 1) + 126) << 23) + (uint32_t)root);
}

/* Powers and logarithms */

static inline double double_of(uint64_t bits)
{
    union { uint64_t bits; double number; } u = {bits};
    return u.number;
}

#define LN2 0.69314718055994530942
#define LOG2E 1.44269504088896340736

/* 2 to a power, which is not beyond what a double's exponent has room for. */
static double power_of_two(double x)
{
    int n = (int)(x < 0 ? x - 0.5 : x + 0.5);
    double r = (x - n) * LN2;
    double sum = 1 + r * (1 + r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040
               + r * (1.0 / 40320 + r * (1.0 / 362880)))))))));
    return sum * double_of((uint64_t)(n + 1023) << 52);
}

/* What is larger comes to infinity or 0. */
static double limited(double x)
{
    return x > 200 ? 200 : x < -200 ? -200 : x;
}

/* Natural logarithm of a positive number that is not infinite. */
static double logarithm(float x)
{
    union { double number; uint64_t bits; } u = {x};
    int exponent = (int)(u.bits >> 52) - 1023;
    double m = double_of((u.bits & 0xfffffffffffffull) | 1023ull << 52);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        exponent++;
    }
    double s = (m - 1) / (m + 1), t = s * s;
    double sum = 1 + t * (1.0 / 3 + t * (1.0 / 5 + t * (1.0 / 7 + t * (1.0 / 9 + t * (1.0 / 11 + t * (1.0 / 13 + t * (1.0 / 15)))))));
    return exponent * LN2 + 2 * s * sum;
}

float expf(float x)
{
    return is_nan(bits_of(x)) ? x : (float)power_of_two(limited(x * LOG2E));
}

float exp2f(float x)
{
    return is_nan(bits_of(x)) ? x : (float)power_of_two(limited(x));
}

static float scaled_log(float x, double scale)
{
    uint32_t bits = bits_of(x);
    if (is_nan(bits) || bits == INF)
        return x;
    if (!(bits << 1))
        return float_of(SIGN | INF);
    if (bits & SIGN)
        return float_of(QUIET);
    return (float)(logarithm(x) * scale);
}

float logf(float x) { return scaled_log(x, 1); }
float log2f(float x) { return scaled_log(x, LOG2E); }
float log10f(float x) { return scaled_log(x, 0.43429448190325182765); }

/* 0: no integer, 1: an odd one, 2: an even one. */
static int kind_of(uint32_t bits)
{
    int32_t exponent = (int32_t)(bits >> 23 & 0xff) - 127;
    if (exponent >= 24)
        return 2;
    if (exponent < 0)
        return 0;
    uint32_t mantissa = (bits & 0x7fffff) | 0x800000, one = 0x800000u >> exponent;
    if (exponent == 24 || mantissa & (one - 1))
        return 0;
    return mantissa & one ? 1 : 2;
}

float powf(float x, float y)
{
    uint32_t a = bits_of(x), b = bits_of(y), size = a & ~SIGN, sign = 0;
    if (!(b << 1) || a == 0x3f800000u)
        return 1;
    if (is_nan(a) || is_nan(b))
        return float_of(QUIET);
    if ((b & ~SIGN) == INF) {
        if (size == 0x3f800000u)
            return 1;
        return float_of((size > 0x3f800000u) == !(b & SIGN) ? INF : 0);
    }
    int kind = kind_of(b);
    if (a & SIGN && kind == 1)
        sign = SIGN;
    if (!size || size == INF)
        return float_of(sign | ((size == INF) == !(b & SIGN) ? INF : 0));
    if (a & SIGN && !kind)
        return float_of(QUIET);
    float result = (float)power_of_two(limited(y * (logarithm(float_of(size)) * LOG2E)));
    return float_of(bits_of(result) | sign);
}

/* Angles */

#define HALF_PI 1.57079632679489661923

/* 2/pi behind the point. */
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
};

static uint32_t word_at(int bit)
{
    int index = bit >> 5, shift = bit & 31;
    uint32_t high = index < 0 ? 0 : two_over_pi[index], low = index + 1 < 0 ? 0 : two_over_pi[index + 1];
    return shift ? high << shift | low >> (32 - shift) : high;
}

/* The nearest multiple of pi/2, modulo 4, and what is left, -pi/4 to pi/4. */
static int reduced(float x, double *rest)
{
    uint32_t bits = bits_of(x) & ~SIGN, m;
    if (bits <= 0x3f490fdau) {
        *rest = x;
        return 0;
    }
    /* x = m 2^e: of 2/pi those 96 bits count that make less than 4, and more than nothing. */
    int e = parts(bits, &m) - 150;
    uint32_t high = word_at(e - 2), middle = word_at(e + 30), low = word_at(e + 62);
    uint64_t lower = (uint64_t)m * low, upper = ((uint64_t)m * high << 32) + (uint64_t)m * middle + (lower >> 32);
    int quadrant = (int)(upper >> 62);
    int64_t left = (int64_t)(upper << 2 | (uint32_t)lower >> 30);
    if (left < 0)
        quadrant++;
    *rest = (double)left * (HALF_PI / 18446744073709551616.0);
    if (bits_of(x) & SIGN) {
        *rest = -*rest;
        quadrant = -quadrant;
    }
    return quadrant & 3;
}

static double sine(double r)
{
    double t = r * r;
    return r * (1 - t * (1.0 / 6 - t * (1.0 / 120 - t * (1.0 / 5040 - t * (1.0 / 362880 - t * (1.0 / 39916800 - t * (1.0 / 6227020800.0)))))));
}

static double cosine(double r)
{
    double t = r * r;
    return 1 - t * (1.0 / 2 - t * (1.0 / 24 - t * (1.0 / 720 - t * (1.0 / 40320 - t * (1.0 / 3628800 - t * (1.0 / 479001600.0))))));
}

/* The sine of so many quarters of a circle more. */
static float turned(float x, int quarters)
{
    double r;
    if ((bits_of(x) & ~SIGN) >= INF)
        return float_of(QUIET);
    quarters += reduced(x, &r);
    double value = quarters & 1 ? cosine(r) : sine(r);
    return (float)(quarters & 2 ? -value : value);
}

float sinf(float x) { return bits_of(x) << 1 ? turned(x, 0) : x; }
float cosf(float x) { return turned(x, 1); }

float tanf(float x)
{
    double r;
    uint32_t bits = bits_of(x);
    if (!(bits << 1))
        return x;
    if ((bits & ~SIGN) >= INF)
        return float_of(QUIET);
    int odd = reduced(x, &r) & 1;
    return (float)(odd ? -cosine(r) / sine(r) : sine(r) / cosine(r));
}

/* Of 0 to 1. */
static double arc(double x)
{
    double begin = 0;
    if (x > 0.41421356237309504880) {
        begin = HALF_PI / 2;
        x = (x - 1) / (x + 1);
    }
    double t = x * x, sum = 0;
    for (int n = 23; n > 0; n -= 2)
        sum = 1.0 / n - t * sum;
    return begin + x * sum;
}

float atan2f(float y, float x)
{
    uint32_t a = bits_of(y), b = bits_of(x), up = a & ~SIGN, right = b & ~SIGN;
    if (is_nan(a) || is_nan(b))
        return float_of(QUIET);
    double angle;
    if (!up)
        angle = 0;
    else if (!right || (up == INF && right != INF))
        angle = HALF_PI;
    else if (right == INF)
        angle = up == INF ? HALF_PI / 2 : 0;
    else if (up <= right)
        angle = arc((double)float_of(up) / (double)float_of(right));
    else
        angle = HALF_PI - arc((double)float_of(right) / (double)float_of(up));
    if (b & SIGN)
        angle = 2 * HALF_PI - angle;
    return float_of(bits_of((float)angle) | (a & SIGN));
}

float atanf(float x) { return atan2f(x, 1); }

#endif
