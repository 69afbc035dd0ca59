/*
 * What math.h has of float and of double alike: exact, by integers alone. math.c and math_double.c include it, each for its
 * type, with what math_bits.h wants and
 *
 *     RANK                 a signed integer of its size
 *     NAMED(floor)         floor's name for this type
 *     IN_HARDWARE          defined: fabs, copysign, fmin and fmax are not made here
 */
#include "math_bits.h"

#ifndef IN_HARDWARE

/* Signs, smaller, larger */

NUMBER NAMED(fabs)(NUMBER x) { return OF_BITS(bits_of(x) & ~SIGN); }
NUMBER NAMED(copysign)(NUMBER x, NUMBER sign) { return OF_BITS((bits_of(x) & ~SIGN) | (bits_of(sign) & SIGN)); }

/* In the order of the numbers, -0 below +0. */
static inline RANK ranked(WORD bits)
{
    return (RANK)(bits & SIGN ? ~bits ^ SIGN : bits);
}

NUMBER NAMED(fmin)(NUMBER x, NUMBER y)
{
    WORD a = bits_of(x), b = bits_of(y);
    return is_nan(a) ? y : is_nan(b) || ranked(a) < ranked(b) ? x : y;
}

NUMBER NAMED(fmax)(NUMBER x, NUMBER y)
{
    WORD a = bits_of(x), b = bits_of(y);
    return is_nan(a) ? y : is_nan(b) || ranked(a) > ranked(b) ? x : y;
}

#endif

/* To integers */

/* Towards zero, or away from it. */
static NUMBER whole(NUMBER x, int up)
{
    WORD bits = bits_of(x);
    int exponent = exponent_of(bits);
    if (exponent >= BIAS + PLACES)
        return x;
    if (exponent < BIAS)
        return OF_BITS((bits & SIGN) | (up && bits << 1 ? ONE : 0));
    WORD fraction = FRACTION >> (exponent - BIAS);
    return OF_BITS((bits + (up ? fraction : 0)) & ~fraction);
}

NUMBER NAMED(trunc)(NUMBER x) { return whole(x, 0); }
NUMBER NAMED(floor)(NUMBER x) { return whole(x, (bits_of(x) & SIGN) != 0); }
NUMBER NAMED(ceil)(NUMBER x) { return whole(x, !(bits_of(x) & SIGN)); }

/* Halves away from zero. */
NUMBER NAMED(round)(NUMBER x)
{
    WORD bits = bits_of(x);
    int exponent = exponent_of(bits);
    if (exponent >= BIAS + PLACES)
        return x;
    if (exponent < BIAS)
        return OF_BITS((bits & SIGN) | (exponent == BIAS - 1 ? ONE : 0));
    return whole(OF_BITS(bits + (LEADING >> 1 >> (exponent - BIAS))), 0);
}

/* Mantissas and exponents */

/* Mantissa with its leading one, and exponent of a number that is neither 0 nor infinite. */
static int parts(WORD bits, WORD *mantissa)
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

NUMBER NAMED(fmod)(NUMBER x, NUMBER y)
{
    WORD a = bits_of(x), b = bits_of(y) & ~SIGN, sign = a & SIGN, m, n;
    a &= ~SIGN;
    if (a >= INF || b > INF || !b)
        return is_nan(bits_of(x)) ? x : is_nan(b) ? y : OF_BITS(QUIET);
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
        return OF_BITS(sign);
    for (; !(m & LEADING); e--)
        m <<= 1;
    /* Below the smallest normal number the mantissa moves instead. */
    return OF_BITS(sign | (e > 0 ? (WORD)e << PLACES | (m & FRACTION) : m >> (1 - e)));
}
