/*
 * What math.h has of double: what needs no series, all of it exact, by integers alone.
 */
#include <math.h>
#include <stdint.h>

static inline uint64_t bits_of(double x)
{
    union { double number; uint64_t bits; } u = {x};
    return u.bits;
}

static inline double double_of(uint64_t bits)
{
    union { uint64_t bits; double number; } u = {bits};
    return u.number;
}

#define SIGN 0x8000000000000000ull
#define INF 0x7ff0000000000000ull
#define QUIET 0x7ff8000000000000ull
#define ONE 0x3ff0000000000000ull
#define FRACTION 0xfffffffffffffull
#define LEADING 0x10000000000000ull

static inline int is_nan(uint64_t bits)
{
    return (bits & ~SIGN) > INF;
}

static inline int exponent_of(uint64_t bits)
{
    return (int)(bits >> 52) & 0x7ff;
}

/* Signs, smaller, larger */

double fabs(double x) { return double_of(bits_of(x) & ~SIGN); }
double copysign(double x, double sign) { return double_of((bits_of(x) & ~SIGN) | (bits_of(sign) & SIGN)); }

/* In the order of the numbers, -0 below +0. */
static inline int64_t ranked(uint64_t bits)
{
    return (int64_t)(bits & SIGN ? ~bits ^ SIGN : bits);
}

double fmin(double x, double y)
{
    uint64_t a = bits_of(x), b = bits_of(y);
    return is_nan(a) ? y : is_nan(b) || ranked(a) < ranked(b) ? x : y;
}

double fmax(double x, double y)
{
    uint64_t a = bits_of(x), b = bits_of(y);
    return is_nan(a) ? y : is_nan(b) || ranked(a) > ranked(b) ? x : y;
}

/* To integers */

/* Towards zero, or away from it. */
static double whole(double x, int up)
{
    uint64_t bits = bits_of(x);
    int exponent = exponent_of(bits);
    if (exponent >= 1023 + 52)
        return x;
    if (exponent < 1023)
        return double_of((bits & SIGN) | (up && bits << 1 ? ONE : 0));
    uint64_t fraction = FRACTION >> (exponent - 1023);
    return double_of((bits + (up ? fraction : 0)) & ~fraction);
}

double trunc(double x) { return whole(x, 0); }
double floor(double x) { return whole(x, bits_of(x) >> 63); }
double ceil(double x) { return whole(x, !(bits_of(x) >> 63)); }

/* Halves away from zero. */
double round(double x)
{
    uint64_t bits = bits_of(x);
    int exponent = exponent_of(bits);
    if (exponent >= 1023 + 52)
        return x;
    if (exponent < 1023)
        return double_of((bits & SIGN) | (exponent == 1022 ? ONE : 0));
    return whole(double_of(bits + (LEADING >> 1 >> (exponent - 1023))), 0);
}

double modf(double x, double *integer)
{
    uint64_t bits = bits_of(x);
    *integer = trunc(x);
    double rest = (bits & ~SIGN) == INF ? 0 : x - *integer;
    return copysign(rest, x);
}

/* Mantissas and exponents */

/* Mantissa with its leading one, and exponent of a number that is neither 0 nor infinite. */
static int parts(uint64_t bits, uint64_t *mantissa)
{
    int exponent = exponent_of(bits);
    *mantissa = bits & FRACTION;
    if (exponent) {
        *mantissa |= LEADING;
    } else {
        for (exponent = 1; !(*mantissa & LEADING); exponent--)
            *mantissa <<= 1;
    }
    return exponent;
}

double frexp(double x, int *exponent)
{
    uint64_t bits = bits_of(x), m;
    *exponent = 0;
    if (!(bits << 1) || (bits & ~SIGN) >= INF)
        return x;
    *exponent = parts(bits, &m) - 1022;
    return double_of((bits & SIGN) | 1022ull << 52 | (m & FRACTION));
}

double ldexp(double x, int by)
{
    uint64_t bits = bits_of(x), sign = bits & SIGN, m;
    if (!(bits << 1) || (bits & ~SIGN) >= INF)
        return x;
    int most = by > 5000 ? 5000 : by < -5000 ? -5000 : by;
    int exponent = parts(bits, &m) + most;
    if (exponent >= 0x7ff)
        return double_of(sign | INF);
    if (exponent > 0)
        return double_of(sign | (uint64_t)exponent << 52 | (m & FRACTION));
    /* Below the smallest normal number the mantissa moves, and is rounded to even. */
    int out = 1 - exponent;
    if (out > 54)
        return double_of(sign);
    uint64_t half = 1ull << (out - 1), rest = m & ((half << 1) - 1);
    m >>= out;
    return double_of(sign | (m + (rest > half || (rest == half && m & 1))));
}

double scalbn(double x, int by) { return ldexp(x, by); }

double fmod(double x, double y)
{
    uint64_t a = bits_of(x), b = bits_of(y) & ~SIGN, sign = a & SIGN, m, n;
    a &= ~SIGN;
    if (a >= INF || b > INF || !b)
        return is_nan(bits_of(x)) ? x : is_nan(b) ? y : double_of(QUIET);
    if (a < b)
        return x;
    int e = parts(a, &m), f = parts(b, &n);
    for (;; e--) {
        if (m >= n)
            m -= n;
        if (e == f || !m)
            break;
        m <<= 1;
    }
    if (!m)
        return double_of(sign);
    for (; !(m & LEADING); e--)
        m <<= 1;
    return double_of(sign | (e > 0 ? (uint64_t)e << 52 | (m & FRACTION) : m >> (1 - e)));
}

double sqrt(double x)
{
    uint64_t bits = bits_of(x), rest;
    if (!(bits << 1) || is_nan(bits) || bits == INF)
        return x;
    if (bits & SIGN)
        return double_of(QUIET);
    int exponent = parts(bits, &rest) - 1023;
    /* Digit by digit; the root of 54 bits has one for rounding, and what is left says whether it is exact. */
    rest <<= 1 + (exponent & 1);
    uint64_t root = 0, twice = 0;
    for (uint64_t bit = LEADING << 1; bit; bit >>= 1) {
        if (twice + bit <= rest) {
            rest -= twice + bit;
            twice += bit << 1;
            root += bit;
        }
        rest <<= 1;
    }
    root += rest ? root & 1 : 0;
    return double_of((root >> 1) + ((uint64_t)((exponent >> 1) + 1022) << 52));
}
