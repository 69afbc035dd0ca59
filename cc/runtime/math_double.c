/*
 * What math.h has of double: what needs no series, all of it exact, by integers alone.
 */
#include <math.h>
#include <stdint.h>

#define NUMBER double
#define WORD uint64_t
#define RANK int64_t
#define PLACES 52
#define BIAS 1023
#define OF_BITS double_of
#define NAMED(name) name
#include "math_exact.h"

double modf(double x, double *integer)
{
    uint64_t bits = bits_of(x);
    *integer = trunc(x);
    double rest = (bits & ~SIGN) == INF ? 0 : x - *integer;
    return copysign(rest, x);
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
