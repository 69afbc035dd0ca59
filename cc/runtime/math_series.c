/*
 * What math.h has of double that takes series: at most 2 units in the last place wrong, most of it less than 1
 * (cc/tests/ulp.rs). errno stays as it is.
 *
 * Polynomials, and where numbers are split, are those of fdlibm as FreeBSD's libm has it, whose notice this is:
 *
 *     Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
 *     Developed at SunSoft and SunPro, Sun Microsystems, Inc. businesses.
 *     Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
 *     preserved.
 *
 * Angles are reduced by integers, in one way for all sizes, and powers have no tables: in software a product of doubles is a
 * hundred instructions, and threads that take different ways take both.
 */
#include <math.h>
#include <stdint.h>

#define NUMBER double
#define WORD uint64_t
#define PLACES 52
#define BIAS 1023
#define OF_BITS double_of
#include "math_bits.h"

static inline double infinity(void) { return double_of(INF); }
static inline double not_a_number(void) { return double_of(QUIET); }
static inline double size(double x) { return double_of(bits_of(x) & ~SIGN); }
static inline double signed_as(double x, double sign) { return double_of(bits_of(x) | (bits_of(sign) & SIGN)); }

/* The upper word: what comparisons of sizes look at. */
static inline uint32_t word(double x) { return (uint32_t)(bits_of(x) >> 32) & 0x7fffffff; }

/* What the upper word holds: a product of two such numbers is exact. */
static inline double upper(double x) { return double_of(bits_of(x) >> 32 << 32); }

/* Powers */

#define LN2 6.93147180559945286227e-01

/* 2^n e^(z + w), of |z| up to ln 2 / 2 and a far smaller w. */
static double risen(double z, double w, int n)
{
    double t = z * z;
    double c = z - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05
                 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    double r = z * c / (c - 2) - (w + z * w);
    return ldexp(1 - (r - z), n);
}

/* 2^n e^x; larger numbers come to infinity or 0. */
static double exp_scaled(double x, int n)
{
    if (is_nan(bits_of(x)))
        return x;
    x = x > 1000 ? 1000 : x < -1000 ? -1000 : x;
    int k = (int)(x * 1.44269504088896338700e+00 + (x < 0 ? -0.5 : 0.5));
    double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
    double z = high - low;
    return risen(z, (high - z) - low, k + n);
}

double exp(double x) { return exp_scaled(x, 0); }

/* 2^(high + low), of a high and a far smaller low. */
static double power_of_two(double high, double low)
{
    int n = (int)(high + (high < 0 ? -0.5 : 0.5));
    high -= n;
    double t = upper(high + low), u = t * 6.93147182464599609375e-01;
    double v = (low - (t - high)) * LN2 + t * -1.90465429995776804525e-09;
    double z = u + v;
    return risen(z, v - (z - u), n);
}

double exp2(double x)
{
    if (is_nan(bits_of(x)))
        return x;
    return power_of_two(x > 1100 ? 1100 : x < -1100 ? -1100 : x, 0);
}

double expm1(double x)
{
    uint32_t by_size = word(x);
    /* What is added or taken away is below the last place. */
    if (is_nan(bits_of(x)) || by_size < 0x3c900000)
        return x;
    if (x < -40)
        return -1;
    if (x > 710)
        return infinity();
    int k = (int)(x * 1.44269504088896338700e+00 + (x < 0 ? -0.5 : 0.5));
    double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
    x = high - low;
    double c = (high - x) - low;
    double half = 0.5 * x, square = x * half;
    double r = 1 + square * (-3.33333333333331316428e-02 + square * (1.58730158725481460165e-03
                 + square * (-7.93650757867487942473e-05 + square * (4.00821782732936239552e-06
                 + square * -2.01099218183624371326e-07))));
    double t = 3 - r * half, e = square * ((r - t) / (6 - x * t));
    e = x * (e - c) - c - square;
    if (k == 0)
        return x - e;
    if (k == -1)
        return 0.5 * (x - e) - 0.5;
    if (k == 1)
        return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
    double less = k < 1023 ? double_of((uint64_t)(0x3ff - k) << 52) : 0;
    if (k < 20)
        return k < -1 ? ldexp(1 - (e - x), k) - 1 : ldexp((1 - less) - (e - x), k);
    return ldexp(1 + (x - (e + less)), k);
}

/* Logarithms */

/* log(1 + f) - f + f^2 / 2, of 1 + f between the root of 1/2 and that of 2. */
static double log_rest(double f, double half_square)
{
    double s = f / (2 + f), z = s * s, w = z * z;
    double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    double odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01
                   + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    return s * (half_square + (even + odd));
}

/* x = 2^k (1 + f); false of what has no such form. */
static int split(double x, int *k, double *f)
{
    uint64_t bits = bits_of(x);
    *k = -1023;
    if (bits - 1 >= INF - 1)
        return 0;
    if (bits < LEADING) {
        bits = bits_of(x * 0x1p54);
        *k -= 54;
    }
    /* From the root of 2 on it is half as much, of one exponent more. */
    bits += ONE - 0x3fe6a09e00000000ull;
    *k += (int)(bits >> 52);
    *f = double_of((bits & FRACTION) + 0x3fe6a09e00000000ull) - 1;
    return 1;
}

/* The logarithm of what has no mantissa, or no logarithm. */
static double log_of_no_number(double x)
{
    if (!(bits_of(x) << 1))
        return -infinity();
    return is_nan(bits_of(x)) || bits_of(x) == INF ? x : not_a_number();
}

double log(double x)
{
    int k;
    double f;
    if (!split(x, &k, &f))
        return log_of_no_number(x);
    double half = 0.5 * f * f;
    return k * 6.93147180369123816490e-01 - ((half - (log_rest(f, half) + k * 1.90821492927058770002e-10)) - f);
}

/* log(1 + f) in two parts, of which the first has a word. */
static double log_in_parts(double f, double *low)
{
    double half = 0.5 * f * f, high = upper(f - half);
    *low = (f - high) - half + log_rest(f, half);
    return high;
}

double log2(double x)
{
    int k;
    double f, low;
    if (!split(x, &k, &f))
        return log_of_no_number(x);
    double high = log_in_parts(f, &low);
    double value = high * 1.44269504072144627571e+00;
    double rest = (low + high) * 1.67517131648865118353e-10 + low * 1.44269504072144627571e+00;
    double sum = k + value;
    return rest + ((k - sum) + value) + sum;
}

double log10(double x)
{
    int k;
    double f, low;
    if (!split(x, &k, &f))
        return log_of_no_number(x);
    double high = log_in_parts(f, &low);
    double value = high * 4.34294481878168880939e-01, of_k = k * 3.01029995663611771306e-01;
    double rest = k * 3.69423907715893078616e-13 + (low + high) * 2.50829467116452752298e-11 + low * 4.34294481878168880939e-01;
    double sum = of_k + value;
    return rest + ((of_k - sum) + value) + sum;
}

/* log(1 + x + low), of a far smaller low. */
static double log_of_more(double x, double low)
{
    if (is_nan(bits_of(x)) || word(x) < 0x3c900000)
        return x;
    if (x <= -1)
        return x == -1 ? -infinity() : not_a_number();
    int k = 0;
    double f = x, c = low;
    if (!(x > -0.2928 && x < 0.4142)) {
        double sum = 1 + x;
        if (!split(sum, &k, &f))
            return sum;
        /* What the sum has lost. */
        c = ((sum >= 2 ? 1 - (sum - x) : x - (sum - 1)) + low) / sum;
    }
    double half = 0.5 * f * f;
    return k * 6.93147180369123816490e-01 - ((half - (log_rest(f, half) + (k * 1.90821492927058770002e-10 + c))) - f);
}

double log1p(double x) { return log_of_more(x, 0); }

/* x to the power of y */

/* 0: no integer, 1: an odd one, 2: an even one. */
static int kind_of(double y)
{
    int exponent = (int)(word(y) >> 20) - 1023;
    if (exponent >= 53)
        return 2;
    if (exponent < 0)
        return 0;
    uint64_t mantissa = bits_of(y) << 11 | SIGN;
    if (mantissa << (exponent + 1))
        return 0;
    return mantissa >> (63 - exponent) & 1 ? 1 : 2;
}

/* The logarithm to the base 2 of a positive number, in two parts; the first has a word. */
static double log2_in_parts(double x, double *low)
{
    int n = -1023;
    if (bits_of(x) < LEADING) {
        x *= 0x1p54;
        n -= 54;
    }
    n += (int)(bits_of(x) >> 52);
    uint64_t fraction = bits_of(x) & FRACTION;
    uint32_t leading = (uint32_t)(fraction >> 32);
    /* The nearest of 1, 1.5 and 2. */
    int k = leading > 0x3988e && leading < 0xbb67a;
    uint64_t exponent = leading >= 0xbb67a ? 0x3feull : 0x3ffull;
    n += leading >= 0xbb67a;
    double a = double_of(exponent << 52 | fraction), begin = k ? 1.5 : 1;
    /* (a - begin) / (a + begin) */
    double u = a - begin, v = 1 / (a + begin), s = u * v, s_high = upper(s);
    double t_high = upper(a + begin), t_low = a - (t_high - begin);
    double s_low = v * ((u - s_high * t_high) - s_high * t_low);
    double square = s * s;
    double r = square * square * (5.99999999999994648725e-01 + square * (4.28571428578550184252e-01
                 + square * (3.33333329818377432918e-01 + square * (2.72728123808534006489e-01
                 + square * (2.30660745775561754067e-01 + square * 2.06975017800338417784e-01)))));
    r += s_low * (s_high + s);
    square = s_high * s_high;
    t_high = upper(3 + square + r);
    t_low = r - ((t_high - 3) - square);
    u = s_high * t_high;
    v = s_low * t_high + t_low * s;
    double p_high = upper(u + v), p_low = v - (p_high - u);
    double z_high = p_high * 9.61796700954437255859e-01;
    double z_low = p_high * -7.02846165095275826516e-09 + p_low * 9.61796693925975554329e-01 + (k ? 1.35003920212974897128e-08 : 0);
    double of_begin = k ? 5.84962487220764160156e-01 : 0;
    double high = upper(((z_high + z_low) + of_begin) + n);
    *low = z_low - (((high - n) - of_begin) - z_high);
    return high;
}

double pow(double x, double y)
{
    uint64_t a = bits_of(x) & ~SIGN, b = bits_of(y) & ~SIGN, sign = 0;
    int rises = a > ONE;
    if (!b || bits_of(x) == ONE)
        return 1;
    if (a > INF || b > INF)
        return not_a_number();
    if (b == INF)
        return a == ONE ? 1 : rises == (y > 0) ? infinity() : 0;
    int kind = kind_of(y);
    if (bits_of(x) & SIGN && kind == 1)
        sign = SIGN;
    if (!a || a == INF)
        return double_of(sign | ((a == INF) == (y > 0) ? INF : 0));
    if (bits_of(x) & SIGN && !kind)
        return not_a_number();
    if (a == ONE)
        return double_of(sign | ONE);
    /* Beyond 2^64 the nearest numbers to 1 have no finite power. */
    if (b > 0x43full << 52)
        return double_of(sign | (rises == (y > 0) ? INF : 0));
    double low, high = log2_in_parts(double_of(a), &low), y_high = upper(y);
    double rest = (y - y_high) * high + y * low, most = y_high * high, sum = most + rest;
    if (!(sum < 1100 && sum > -1100))
        return double_of(sign | (sum > 0 ? INF : 0));
    return double_of(sign | bits_of(power_of_two(most, rest)));
}

/* Angles */

#define HALF_PI 1.57079632679489655800e+00
#define HALF_PI_REST 6.12323399573676603587e-17

/* 2/pi; two words are in front of the point. */
static const uint32_t two_over_pi[] = {
    0, 0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
    0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
    0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b6bab,
};

/* pi/2, 31 bits behind the point of the first word. */
#define PI_0 0xc90fdaa2u
#define PI_1 0x2168c234u
#define PI_2 0xc4c6628bu

/* The nearest multiple of pi/2, modulo 4, and what is left, -pi/4 to pi/4, in two parts. */
static int reduced(double x, double *rest, double *low)
{
    uint64_t bits = bits_of(x) & ~SIGN;
    *rest = x;
    *low = 0;
    if (bits <= 0x3fe921fb54442d18ull)
        return 0;
    /*
     * x = m 2^e: of 2/pi those 192 bits count that make less than 4, and more than nothing. What they leave out is less
     * than 2^-137, and no double is nearer to a multiple of pi/2 than 2^-62 of pi/2.
     */
    uint64_t m = (bits & FRACTION) | LEADING;
    uint32_t m_low = (uint32_t)m, m_high = (uint32_t)(m >> 32), product[6];
    int at = (int)(bits >> 52) - 1075 + 62, shift = at & 31;
    const uint32_t *from = &two_over_pi[at >> 5];
    uint64_t carry = 0;
    uint32_t below = 0;
    for (int i = 5; i >= 0; i--) {
        uint32_t factor = shift ? from[i] << shift | from[i + 1] >> (32 - shift) : from[i];
        uint64_t first = (uint64_t)factor * m_low, second = (uint64_t)below * m_high;
        uint64_t lower = (uint64_t)(uint32_t)first + (uint32_t)second + (uint32_t)carry;
        product[i] = (uint32_t)lower;
        carry = (carry >> 32) + (first >> 32) + (second >> 32) + (lower >> 32);
        below = factor;
    }
    int quadrant = (int)(product[0] >> 30);
    uint32_t sign = product[0] & 1u << 29 ? ~0u : 0;
    quadrant += sign & 1;
    /* The fraction without its sign, and in front of it no zeros. Without its last bit: that is beyond what counts. */
    uint32_t part[5];
    int zeros = 0;
    for (int i = 0; i < 5; i++)
        part[i] = (product[i] << 2 | product[i + 1] >> 30) ^ sign;
    while (!part[0] && zeros < 64) {
        for (int i = 0; i < 4; i++)
            part[i] = part[i + 1];
        part[4] = 0;
        zeros += 32;
    }
    int places = part[0] ? __builtin_clz(part[0]) : 0;
    zeros += places;
    for (int i = 0; i < 3 && places; i++)
        part[i] = part[i] << places | part[i + 1] >> (32 - places);
    /* Times pi/2: 96 bits of the product, those below left out. */
    uint64_t left = (uint64_t)part[0] * PI_1, right = (uint64_t)part[1] * PI_0;
    uint64_t lower = ((uint64_t)part[0] * PI_2 >> 32) + ((uint64_t)part[1] * PI_1 >> 32) + ((uint64_t)part[2] * PI_0 >> 32);
    uint64_t next = (uint64_t)(uint32_t)left + (uint32_t)right + lower;
    uint64_t top = (uint64_t)part[0] * PI_0 + (left >> 32) + (right >> 32) + (next >> 32);
    uint32_t bottom = (uint32_t)next;
    if (!(top >> 63)) {
        top = top << 1 | bottom >> 31;
        bottom <<= 1;
        zeros++;
    }
    /* 53 bits, rounded, and what is behind them. */
    uint64_t mantissa = top >> 11;
    int32_t behind = (int32_t)((uint32_t)top << 21 | bottom >> 11);
    mantissa += behind < 0;
    uint64_t signs = (bits_of(x) ^ (uint64_t)sign << 32) & SIGN;
    *rest = double_of((mantissa + ((uint64_t)(1022 - zeros) << 52)) | signs);
    *low = behind * double_of((uint64_t)(1023 - 84 - zeros) << 52 | signs);
    return (bits_of(x) & SIGN ? -quadrant : quadrant) & 3;
}

static double sine(double x, double y)
{
    double z = x * x, w = z * z, v = z * x;
    double r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06)
             + z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}

static double cosine(double x, double y)
{
    double z = x * x, w = z * z, half = 0.5 * z;
    double r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
             + w * w * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    w = 1 - half;
    return w + (((1 - w) - half) + (z * r - x * y));
}

/* The sine of so many quarters of a circle more. */
static double turned(double x, int quarters)
{
    double rest, low;
    if (word(x) >= 0x7ff00000)
        return not_a_number();
    quarters += reduced(x, &rest, &low);
    double value = quarters & 1 ? cosine(rest, low) : sine(rest, low);
    return quarters & 2 ? -value : value;
}

/* Of what is so small a sine or a tangent differs from it below the last place. */
static inline int is_small(double x) { return word(x) < 0x3e400000; }

double sin(double x) { return is_small(x) ? x : turned(x, 0); }
double cos(double x) { return turned(x, 1); }

double tan(double x)
{
    static const double c[] = {
        3.33333333333334091986e-01, 1.33333333333201242699e-01, 5.39682539762260521377e-02, 2.18694882948595424599e-02,
        8.86323982359930005737e-03, 3.59207910759131235356e-03, 1.45620945432529025516e-03, 5.88041240820264096874e-04,
        2.46463134818469906812e-04, 7.81794442939557092300e-05, 7.14072491382608190305e-05, -1.85586374855275456654e-05,
        2.59073051863633712884e-05,
    };
    double y, r;
    if (is_small(x))
        return x;
    if (word(x) >= 0x7ff00000)
        return not_a_number();
    int odd = reduced(x, &x, &y) & 1, large = word(x) >= 0x3fe59428;
    double sign = x;
    if (large) {
        /* From pi/4 back. */
        y = signed_as(1, sign) * y;
        x = (HALF_PI / 2 - size(x)) + (HALF_PI_REST / 2 - y);
        y = 0;
    }
    double z = x * x, w = z * z, s = z * x;
    r = c[1] + w * (c[3] + w * (c[5] + w * (c[7] + w * (c[9] + w * c[11]))))
      + z * (c[2] + w * (c[4] + w * (c[6] + w * (c[8] + w * (c[10] + w * c[12])))));
    r = y + z * (s * r + y) + c[0] * s;
    w = x + r;
    if (large) {
        double one = odd ? -1 : 1;
        return signed_as(1, sign) * (one - 2 * (x - (w * w / (w + one) - r)));
    }
    if (!odd)
        return w;
    /* -1 / (x + r), whose quotient alone were 2 units wrong. */
    double w_high = upper(w), v = r - (w_high - x), quotient = -1 / w, high = upper(quotient);
    return high + quotient * (1 + high * w_high + high * v);
}

double atan(double x)
{
    static const double begins[] = {0, 4.63647609000806093515e-01, HALF_PI / 2, 9.82793723247329054082e-01, HALF_PI};
    static const double rests[] = {
        0, 2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, HALF_PI_REST,
    };
    uint32_t by_size = word(x);
    if (is_nan(bits_of(x)) || by_size < 0x3e400000)
        return x;
    double a = size(x), above = a, below = 1;
    int n = (by_size >= 0x3fdc0000) + (by_size >= 0x3fe60000) + (by_size >= 0x3ff30000) + (by_size >= 0x40038000);
    if (n == 1)
        above = 2 * a - 1, below = 2 + a;
    else if (n == 2)
        above = a - 1, below = a + 1;
    else if (n == 3)
        above = a - 1.5, below = 1 + 1.5 * a;
    else if (n == 4)
        above = -1, below = a;
    if (n)
        a = above / below;
    double z = a * a, w = z * z;
    double odd = z * (3.33333333333329318027e-01 + w * (1.42857142725034663711e-01 + w * (9.09088713343650656196e-02
                   + w * (6.66107313738753120669e-02 + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
    double even = w * (-1.99999999998764832476e-01 + w * (-1.11111104054623557880e-01 + w * (-7.69187620504482999495e-02
                    + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
    return signed_as(begins[n] - ((a * (odd + even) - rests[n]) - a), x);
}

double atan2(double y, double x)
{
    if (is_nan(bits_of(x)) || is_nan(bits_of(y)))
        return not_a_number();
    int left = (bits_of(x) & SIGN) != 0, apart = (int)(word(y) >> 20) - (int)(word(x) >> 20);
    double up = size(y), wide = size(x);
    if (bits_of(up) == INF)
        return signed_as(bits_of(wide) != INF ? HALF_PI : left ? 1.5 * HALF_PI : 0.5 * HALF_PI, y);
    if (apart > 60 || (bits_of(up) && !bits_of(wide)))
        return signed_as(HALF_PI, y);
    double angle = !bits_of(up) || (left && apart < -60) ? 0 : atan(up / wide);
    return signed_as(left ? 2 * HALF_PI - (angle - 2 * HALF_PI_REST) : angle, y);
}

/* (asin(x) - x) / x of x^2 up to 1/4 */
static double arc(double z)
{
    double p = z * (1.66666666666666657415e-01 + z * (-3.25565818622400915405e-01 + z * (2.01212532134862925881e-01
                 + z * (-4.00555345006794114027e-02 + z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
    double q = 1 + z * (-2.40339491173441421878e+00 + z * (2.02094576023350569471e+00 + z * (-6.88283971605453293030e-01
                 + z * 7.70381505559019352791e-02)));
    return p / q;
}

double asin(double x)
{
    uint32_t by_size = word(x);
    double a = size(x);
    if (is_nan(bits_of(x)) || by_size < 0x3e500000)
        return x;
    if (a > 1)
        return not_a_number();
    if (by_size < 0x3fe00000)
        return x + x * arc(x * x);
    double z = (1 - a) * 0.5, s = sqrt(z), r = arc(z), high = upper(s);
    /* Of 1 the root is nothing. */
    double c = s ? (z - high * high) / (s + high) : 0;
    return signed_as(HALF_PI / 2 - ((2 * s * r - (HALF_PI_REST - 2 * c)) - (HALF_PI / 2 - 2 * high)), x);
}

double acos(double x)
{
    if (is_nan(bits_of(x)))
        return x;
    if (size(x) > 1)
        return not_a_number();
    if (word(x) < 0x3fe00000)
        return HALF_PI - (x - (HALF_PI_REST - x * arc(x * x)));
    double z = (1 - size(x)) * 0.5, s = sqrt(z), r = arc(z);
    if (x < 0)
        return 2 * HALF_PI - 2 * (s + (r * s - HALF_PI_REST));
    double high = upper(s), c = s ? (z - high * high) / (s + high) : 0;
    return 2 * (high + (r * s + c));
}

/* Hyperbolic functions */

double sinh(double x)
{
    double a = size(x);
    if (is_nan(bits_of(x)) || word(x) < 0x3e300000)
        return x;
    if (a > 22)
        return signed_as(exp_scaled(a, -1), x);
    double e = expm1(a);
    return signed_as(0.5 * (a < 1 ? 2 * e - e * e / (e + 1) : e + e / (e + 1)), x);
}

double cosh(double x)
{
    double a = size(x), e = exp_scaled(a, -1);
    return a > 22 ? e : e + 0.25 / e;
}

double tanh(double x)
{
    double a = size(x);
    if (is_nan(bits_of(x)) || word(x) < 0x3e300000)
        return x;
    if (a > 22)
        return signed_as(1, x);
    if (a < 0.26) {
        /* 2 x coth(x) - 2, by the numbers of Bernoulli: the quotient of powers would be more than 2 units wrong. */
        double t = 4 * a * a;
        double c = t * (1.0 / 6 + t * (-1.0 / 360 + t * (1.0 / 15120 + t * (-1.0 / 604800 + t * (1.0 / 23950080
                 + t * (-691.0 / 653837184000 + t * (1.0 / 37362124800 + t * (-3617.0 / 5335311421440000))))))));
        return x - x * (c / (2 + c));
    }
    double e = expm1(2 * a);
    return signed_as(a < 0.55 ? e / (e + 2) : 1 - 2 / (e + 2), x);
}

double asinh(double x)
{
    double a = size(x), square = a * a, value;
    if (word(x) >= 0x7ff00000 || word(x) < 0x3e300000)
        return x;
    if (a > 0x1p28)
        value = log(a) + LN2;
    else if (a > 2)
        value = log(2 * a + 1 / (sqrt(square + 1) + a));
    else
        value = log1p(a + square / (1 + sqrt(1 + square)));
    return signed_as(value, x);
}

double acosh(double x)
{
    double t = x - 1;
    if (is_nan(bits_of(x)))
        return x;
    if (x < 1)
        return not_a_number();
    if (x > 0x1p28)
        return log(x) + LN2;
    if (x > 2)
        return log(2 * x - 1 / (x + sqrt(x * x - 1)));
    double root = sqrt(2 * t + t * t), sum = root + t;
    return log_of_more(sum, (root - sum) + t);
}

double atanh(double x)
{
    double a = size(x), t = a + a;
    if (is_nan(bits_of(x)) || word(x) < 0x3e300000)
        return x;
    if (a >= 1)
        return a > 1 ? not_a_number() : signed_as(infinity(), x);
    return signed_as(0.5 * log1p(a < 0.5 ? t + t * a / (1 - a) : t / (1 - a)), x);
}

/* Roots */

double cbrt(double x)
{
    uint32_t by_size = word(x);
    if (by_size >= 0x7ff00000 || !(bits_of(x) << 1))
        return x;
    double a = size(x), t = double_of((uint64_t)(by_size / 3 + 715094163) << 32);
    if (by_size < 0x00100000)
        t = double_of((uint64_t)(word(a * 0x1p54) / 3 + 696219795) << 32);
    /* 23 bits by a polynomial, and the others by one step of Newton's. */
    double r = (t * t) * (t / a);
    t *= (1.87595182427177009643 + r * (-1.88497979543377169875 + r * 1.621429720105354466140))
       + (r * r * r) * (-0.758397934778766047437 + r * 0.145996192886612446982);
    t = double_of((bits_of(t) + 0x80000000ull) & 0xffffffffc0000000ull);
    r = a / (t * t);
    return signed_as(t + t * ((r - t) / (t + t + r)), x);
}

double hypot(double x, double y)
{
    double a = size(x), b = size(y);
    if (bits_of(a) == INF || bits_of(b) == INF)
        return infinity();
    if (is_nan(bits_of(a)) || is_nan(bits_of(b)))
        return not_a_number();
    if (bits_of(a) < bits_of(b)) {
        double other = a;
        a = b;
        b = other;
    }
    int apart = (int)(word(a) >> 20) - (int)(word(b) >> 20);
    if (apart > 60 || !bits_of(b))
        return a + b;
    /* In the middle no square is too large or too small. */
    int by = a > 0x1p500 ? -600 : b < 0x1p-500 ? 600 : 0;
    if (by) {
        a = ldexp(a, by);
        b = ldexp(b, by);
    }
    double w = a - b, high, low, sum;
    if (w > b) {
        high = upper(a);
        low = a - high;
        sum = high * high - (b * -b - low * (a + high));
    } else {
        double b_high = upper(b);
        high = upper(a + a);
        low = (a + a) - high;
        sum = high * b_high - (w * -w - (high * (b - b_high) + low * b));
    }
    return by ? ldexp(sqrt(sum), -by) : sqrt(sum);
}

#ifndef __riscv_zfinx

/* Of float what math.c has not: with float in hardware it has. */

float asinf(float x) { return (float)asin(x); }
float acosf(float x) { return (float)acos(x); }
float sinhf(float x) { return (float)sinh(x); }
float coshf(float x) { return (float)cosh(x); }
float tanhf(float x) { return (float)tanh(x); }
float asinhf(float x) { return (float)asinh(x); }
float acoshf(float x) { return (float)acosh(x); }
float atanhf(float x) { return (float)atanh(x); }
float expm1f(float x) { return (float)expm1(x); }
float log1pf(float x) { return (float)log1p(x); }
float cbrtf(float x) { return (float)cbrt(x); }
float hypotf(float x, float y) { return (float)hypot(x, y); }

#endif
