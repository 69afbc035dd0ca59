/*
 * Functions of float, in float with fused multiply-add; docs/spec/opencl.md (CL-020 to CL-024) says how exact they are.
 * Also compiled for the host, where a test compares them with double over all arguments, and as part of the C library
 * (math_hard.h). Of vectors, and with pointers: math_vectors.cl.
 *
 * Polynomials are minimax, with coefficients rounded to float one after the other. Where one says e^r = 1 + r + r^2 q(r),
 * `q` is what is called.
 */
#pragma OPENCL FP_CONTRACT OFF

#define F(a, b, c) __builtin_fmaf(a, b, c)
/* Adding it rounds to an integer, which stands in the low bits (|x| < 2^22). */
#define MAGIC 0x1.8p23f
#define MAGIC_BITS 0x4b400000
#define LOG2E_H 0x1.715476p+0f
#define LOG2E_L 0x1.4ae0cp-26f
/* A product with an exponent is exact. */
#define LN2_H 0x1.62e4p-1f
#define LN2_L 0x1.7f7d1cp-20f
#define PIO2_H 0x1.921fb6p+0f
#define PIO2_L -0x1.777a5cp-25f
#define PI_H 0x1.921fb6p+1f
#define PI_L -0x1.777a5cp-24f
#define INV_PI_H 0x1.45f306p-2f
#define INV_PI_L 0x1.b9391p-27f

static float two_to(int n) { return as_float((n + 127) << 23); }
/* p of the size of 1 times 2^n, rounded once. */
static float scaled(float p, int n)
{
    int half_of_n = n >> 1;
    return p * two_to(half_of_n) * two_to(n - half_of_n);
}

/* Simple ones */

PURE float fabs(float x) { return __builtin_fabsf(x); }
PURE float copysign(float x, float y) { return __builtin_copysignf(x, y); }
PURE float fma(float a, float b, float c) { return F(a, b, c); }
#ifdef FP_FAST_FMAF
PURE float mad(float a, float b, float c) { return F(a, b, c); }
#else
PURE float mad(float a, float b, float c) { return a * b + c; }
#endif
PURE float sqrt(float x) { return __builtin_sqrtf(x); }
PURE float rsqrt(float x) { return 1 / __builtin_sqrtf(x); }
PURE float fmin(float x, float y) { return __builtin_fminf(x, y); }
PURE float fmax(float x, float y) { return __builtin_fmaxf(x, y); }
PURE float fdim(float x, float y) { return x <= y ? 0 : x - y; }
PURE float nan(uint payload) { return as_float(0x7fc00000 | (payload & 0x3fffff)); }
PURE float maxmag(float x, float y)
{
    float a = fabs(x), b = fabs(y);
    return a > b ? x : b > a ? y : fmax(x, y);
}
PURE float minmag(float x, float y)
{
    float a = fabs(x), b = fabs(y);
    return a < b ? x : b < a ? y : fmin(x, y);
}

/* Integers; what is 2^23 or more is one. */
#define HAS_FRACTION(x) (fabs(x) < 0x1p23f)

PURE float trunc(float x) { return HAS_FRACTION(x) ? copysign((float)(int)x, x) : x; }
PURE float rint(float x) { return HAS_FRACTION(x) ? copysign((fabs(x) + 0x1p23f) - 0x1p23f, x) : x; }
PURE float floor(float x)
{
    float t = trunc(x);
    return t > x ? t - 1 : t;
}
PURE float ceil(float x)
{
    float t = trunc(x);
    return t < x ? copysign(t + 1, x) : t;
}
PURE float round(float x)
{
    float t = trunc(x);
    return fabs(x - t) >= 0.5f ? t + copysign(1.0f, x) : t;
}

/* Bits */

PURE float ldexp(float x, int n)
{
    if (n > 127) {
        x *= 0x1p127f;
        n = n > 381 ? 254 : n - 127;
        if (n > 127) {
            x *= 0x1p127f;
            n -= 127;
        }
    } else if (n < -126) {
        /* Not yet into subnormal numbers: it would be rounded twice. */
        x *= 0x1p-102f;
        n = n < -330 ? -228 : n + 102;
        if (n < -126) {
            x *= 0x1p-102f;
            n += 102;
        }
    }
    return x * two_to(n);
}

/* x = m 2^k with 1/sqrt 2 <= m < sqrt 2, for finite x > 0: m - 1. */
static float parted(float x, int *k)
{
    int below = x < 0x1p-126f ? 23 : 0;
    int bits = as_int(below ? x * 0x1p23f : x);
    *k = (bits - 0x3f3504f3) >> 23;
    float m = as_float(bits - (*k << 23));
    *k -= below;
    return m - 1;
}

PURE int ilogb(float x)
{
    float a = fabs(x);
    if (!(a > 0))
        return a == 0 ? FP_ILOGB0 : FP_ILOGBNAN;
    if (a == INFINITY)
        return INT_MAX;
    int below = a < 0x1p-126f ? 23 : 0;
    return (as_int(below ? a * 0x1p23f : a) >> 23) - 127 - below;
}
PURE float logb(float x)
{
    float a = fabs(x);
    if (!(a > 0))
        return a == 0 ? -INFINITY : x;
    return a == INFINITY ? a : (float)ilogb(a);
}

PURE float nextafter(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return copysign(0x1p-149f, y);
    int bits = as_int(x);
    return as_float(x < y == x > 0 ? bits + 1 : bits - 1);
}

/* Exponentials */

static float exp_q(float r)
{
    float q = F(0x1.6a524p-10f, r, 0x1.123b1p-7f);
    q = F(q, r, 0x1.5558aep-5f);
    q = F(q, r, 0x1.55549p-3f);
    return F(q, r, 0x1.fffffcp-2f);
}
/* 2^k e^x; -107 <= k <= 0. */
static float exp_by(float x, int k)
{
    float c = x < -106.0f ? -106.0f : x > 90.0f ? 90.0f : x;
    float t = F(c, LOG2E_H, MAGIC), n = t - MAGIC;
    float r = F(n, -LN2_L, F(n, -LN2_H, c));
    return scaled(1 + F(r * r, exp_q(r), r), as_int(t) - MAGIC_BITS + k);
}
PURE float exp(float x) { return exp_by(x, 0); }

/* 2^r - 1, |r| <= 1/2 and a little. */
static float exp2_m1(float r)
{
    float q = F(0x1.fd95b4p-17f, r, 0x1.441e22p-13f);
    q = F(q, r, 0x1.5d8a2cp-10f);
    q = F(q, r, 0x1.3b2a4ep-7f);
    q = F(q, r, 0x1.c6b08cp-5f);
    q = F(q, r, 0x1.ebfbep-3f);
    /* ln 2, of which the second part is that of the nearest float. */
    return F(r, 0x1.62e43p-1f, F(r * r, q, r * -0x1.05c61p-29f));
}
PURE float exp2(float x)
{
    float c = x < -152.0f ? -152.0f : x > 129.0f ? 129.0f : x;
    float t = c + MAGIC;
    return scaled(1 + exp2_m1(c - (t - MAGIC)), as_int(t) - MAGIC_BITS);
}
PURE float exp10(float x)
{
    float c = x < -46.0f ? -46.0f : x > 39.0f ? 39.0f : x;
    float t = F(c, 0x1.a934fp+1f, MAGIC), n = t - MAGIC;
    float r = F(n, -0x1.3509f8p-18f, F(n, -0x1.344p-2f, c));
    float y = r * 0x1.26bb1cp+1f, low = F(r, -0x1.12aabap-25f, F(r, 0x1.26bb1cp+1f, -y));
    return scaled(1 + (y + F(y * y, exp_q(y), low)), as_int(t) - MAGIC_BITS);
}
PURE float expm1(float x)
{
    float c = x < -18.0f ? -18.0f : x > 89.0f ? 89.0f : x;
    float t = F(c, LOG2E_H, MAGIC), n = t - MAGIC;
    float r = F(n, -LN2_L, F(n, -LN2_H, c));
    float q = F(0x1.a25d9cp-13f, r, 0x1.6d3f3cp-10f);
    q = F(q, r, 0x1.110ff8p-7f);
    q = F(q, r, 0x1.5554f4p-5f);
    q = F(q, r, 0x1.555556p-3f);
    q = F(q, r, 0.5f);
    float p = F(r * r, q, r);
    int k = as_int(t) - MAGIC_BITS;
    if (k == 0)
        return x == 0 ? x : p;
    /* 2^k may be too large by itself. */
    float half_of_it = two_to(k - 1);
    return 2 * F(half_of_it, p, half_of_it - 0.5f);
}

/* Logarithms */

/* c of log(1 + f) = f - f^2/2 + c, with f^2. */
static float log_c(float f, float square)
{
    float p = F(-0x1.e312e4p-5f, f, 0x1.b0a408p-4f);
    p = F(p, f, -0x1.bb656ap-4f);
    p = F(p, f, 0x1.c4c0f6p-4f);
    p = F(p, f, -0x1.fcf6dep-4f);
    p = F(p, f, 0x1.2486d4p-3f);
    p = F(p, f, -0x1.5562cap-3f);
    p = F(p, f, 0x1.999a6ap-3f);
    p = F(p, f, -0x1.ffffdap-3f);
    p = F(p, f, 0x1.555554p-2f);
    return square * f * p;
}
/* log(1 + f) - f. */
static float log_u(float f)
{
    float square = f * f;
    return F(-0.5f, square, log_c(f, square));
}
/* Where x is none that has a logarithm. */
static float log_of(float x, float result) { return x > 0 ? x == INFINITY ? x : result : x == 0 ? -INFINITY : NAN; }
PURE float log(float x)
{
    int k;
    float f = parted(x, &k), e = k;
    return log_of(x, F(e, LN2_H, f + F(e, LN2_L, log_u(f))));
}
PURE float log2(float x)
{
    int k;
    float f = parted(x, &k), u = log_u(f);
    return log_of(x, k + F(f, LOG2E_H, F(u, LOG2E_H, f * LOG2E_L)));
}
PURE float log10(float x)
{
    int k;
    float f = parted(x, &k), e = k, u = log_u(f);
    float low = F(f, -0x1.5b235ep-27f, e * 0x1.3509f8p-18f);
    return log_of(x, F(e, 0x1.344p-2f, F(f, 0x1.bcb7b2p-2f, F(u, 0x1.bcb7b2p-2f, low))));
}
PURE float log1p(float x)
{
    if (x > 0x1p64f)
        return log(x);
    int k;
    parted(1 + x, &k);
    float down = two_to(-k), e = k, f = F(x, down, down - 1);
    float result = F(e, LN2_H, f + F(e, LN2_L, log_u(f)));
    return x > -1 ? x == 0 ? x : result : x == -1 ? -INFINITY : NAN;
}

/* Powers */

/* log2 as two numbers, for finite x > 0. */
static float log2_parts(float x, float *low)
{
    int k;
    float f = parted(x, &k), e = k;
    /* f - f^2/2 + f^3/3 in two numbers each, and the rest of the series behind it. */
    float square = f * f, square_l = F(f, f, -square);
    float cube = square * f, cube_l = F(square, f, -cube) + square_l * f;
    float third = cube * 0x1.555556p-2f;
    float third_l = F(cube, 0x1.555556p-2f, -third) + F(cube_l, 0x1.555556p-2f, cube * -0x1.555556p-27f);
    float q = F(-0x1.ef2428p-5f, f, 0x1.b49acp-4f);
    q = F(q, f, -0x1.ba235ep-4f);
    q = F(q, f, 0x1.c3a2c8p-4f);
    q = F(q, f, -0x1.fd096cp-4f);
    q = F(q, f, 0x1.24959ap-3f);
    q = F(q, f, -0x1.5562c8p-3f);
    q = F(q, f, 0x1.9999c2p-3f);
    q = F(q, f, -0x1.ffffd8p-3f);
    float high = F(-0.5f, square, f);
    float l = F(-0.5f, square, f - high) + F(-0.5f, square_l, F(cube * f, q, third_l));
    float h = high + third;
    l += (high - h) + third;
    float sum_h = h + l;
    l -= sum_h - h;
    h = sum_h;
    float product = h * LOG2E_H;
    float more = F(h, LOG2E_H, -product) + F(h, LOG2E_L, l * LOG2E_H);
    float sum = e + product;
    *low = (e - sum) + product + more;
    return sum;
}
/* x^(y + yl) for finite x > 0. */
static float pow_of(float x, float y, float yl)
{
    float low, high = log2_parts(x, &low);
    float p = y * high, pl = F(y, high, -p) + F(y, low, yl * high);
    if (!(fabs(p) < 200)) {
        p = p > 0 ? 200 : -200;
        pl = 0;
    }
    float t = p + MAGIC;
    return scaled(1 + exp2_m1(p - (t - MAGIC) + pl), as_int(t) - MAGIC_BITS);
}
/* Of what is zero or not finite. */
static float pow_edge(float x, bool down) { return (x < 1) == down ? INFINITY : 0; }

PURE float pow(float x, float y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return NAN;
    float a = fabs(x), b = fabs(y), result;
    bool whole = b >= 0x1p24f || trunc(y) == y, odd = b < 0x1p24f && whole && ((int)y & 1);
    if (a == 0 || a == INFINITY)
        result = pow_edge(a, y < 0);
    else if (b == INFINITY)
        result = a == 1 ? 1 : pow_edge(a, y < 0);
    else if (x < 0 && !whole)
        return NAN;
    else
        result = pow_of(a, y, 0);
    return odd ? copysign(result, x) : result;
}
PURE float powr(float x, float y)
{
    if (!(x >= 0) || y != y)
        return NAN;
    float b = fabs(y);
    if (x == 0 || x == INFINITY)
        return y == 0 ? NAN : pow_edge(x, y < 0);
    if (b == INFINITY)
        return x == 1 ? NAN : pow_edge(x, y < 0);
    return y == 0 ? 1 : pow_of(x, y, 0);
}
PURE float pown(float x, int n)
{
    if (n == 0)
        return 1;
    float a = fabs(x), result;
    if (x != x)
        return x;
    if (a == 0 || a == INFINITY) {
        result = pow_edge(a, n < 0);
    } else {
        float y = (float)n;
        /* y may be 2^31. */
        result = pow_of(a, y, (float)(int)((long)n - (long)y));
    }
    return n & 1 ? copysign(result, x) : result;
}
PURE float rootn(float x, int n)
{
    if (n == 0 || x != x || (x < 0 && !(n & 1)))
        return NAN;
    float a = fabs(x), result;
    if (a == 0 || a == INFINITY) {
        result = pow_edge(a, n < 0);
    } else {
        float m = (float)n, y = 1 / m;
        result = pow_of(a, y, F(-y, m, 1.0f) / m);
    }
    return n & 1 ? copysign(result, x) : result;
}
PURE float cbrt(float x)
{
    float a = fabs(x);
    if (!(a > 0) || a == INFINITY)
        return x;
    int below = a < 0x1p-126f ? 24 : 0;
    int bits = as_int(below ? a * 0x1p24f : a);
    /* Of the exponent a third, and what is left of it. */
    int exponent = (bits >> 23) - 127 - below + 300, third = exponent / 3, left = exponent - 3 * third;
    float m = as_float((bits & 0x7fffff) | 0x3f800000), f = m;
    float y = F(F(F(0x1.7a8c86p-6f, f, -0x1.4dc2a2p-3f), f, 0x1.2c9a18p-1f), f, 0x1.1b0bbep-1f);
    y *= left == 0 ? 1.0f : left == 1 ? 0x1.428a3p+0f : 0x1.965feap+0f;
    m *= left == 0 ? 1.0f : left == 1 ? 2.0f : 4.0f;
    float square = y * y;
    y -= F(square, y, -m) / (3 * square);
    return copysign(y * two_to(third - 100), x);
}
PURE float hypot(float x, float y)
{
    float a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (fabs(x) == INFINITY || fabs(y) == INFINITY)
        return INFINITY;
    if (x != x || y != y)
        return NAN;
    /* So that no square is too large or too small. */
    float scale = a > 0x1p60f ? 0x1p-64f : a < 0x1p-60f ? 0x1p90f : 1;
    a *= scale;
    b *= scale;
    return __builtin_sqrtf(F(a, a, b * b)) / scale;
}

/* Sine and its like */

/* 2/pi, behind 32 zeros. */
static __constant uint TWO_OVER_PI[8] = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
};
/* Payne and Hanek: of x times 2/pi only those bits that are not multiples of 4, 94 of them behind the point. */
static float reduced_exactly(float x, int *quadrant)
{
    uint bits = as_uint(x) & 0x7fffffff, m = (bits & 0x7fffff) | 0x800000;
    uint start = (bits >> 23) - 120, at = start >> 5, shift = start & 31;
    uint w0 = TWO_OVER_PI[at], w1 = TWO_OVER_PI[at + 1], w2 = TWO_OVER_PI[at + 2], w3 = TWO_OVER_PI[at + 3];
    uint high = (((ulong)w0 << 32 | w1) << shift) >> 32;
    uint middle = (((ulong)w1 << 32 | w2) << shift) >> 32;
    uint low = (((ulong)w2 << 32 | w3) << shift) >> 32;
    ulong p0 = (ulong)low * m, p1 = (ulong)middle * m + (p0 >> 32);
    uint p2 = high * m + (uint)(p1 >> 32);
    int q = p2 >> 30;
    ulong fraction = ((ulong)p2 << 32 | (uint)p1) << 2 | (uint)p0 >> 30;
    /* The nearest quarter. */
    bool above = (long)fraction < 0;
    q += above;
    fraction = above ? -fraction : fraction;
    uint zeros = (uint)(fraction >> 32) ? __builtin_clz((uint)(fraction >> 32)) : 32 + __builtin_clz((uint)fraction | 1);
    fraction <<= zeros;
    float h = (float)(uint)(fraction >> 40), l = (float)((uint)(fraction >> 16) & 0xffffff);
    float r = F(h, PIO2_H, F(h, PIO2_L, l * (0x1p-24f * PIO2_H))) * two_to(-24 - (int)zeros);
    bool negative = as_int(x) < 0;
    *quadrant = negative ? -q : q;
    return above != negative ? -r : r;
}
/* x - quadrant pi/2, between -pi/4 and pi/4 and a little. */
static float reduced(float x, int *quadrant)
{
    if (!(fabs(x) < 0x1p16f)) {
        float r = reduced_exactly(fabs(x) < INFINITY ? x : 0x1p20f, quadrant);
        return fabs(x) < INFINITY ? r : NAN;
    }
    /* Cody and Waite, in three parts; the first difference is exact. */
    float t = F(x, 0x1.45f306p-1f, MAGIC), n = t - MAGIC;
    *quadrant = as_int(t) - MAGIC_BITS;
    return F(n, 0x1.ee59dap-50f, F(n, -PIO2_L, F(n, -PIO2_H, x)));
}
static float sin_of(float r, float z)
{
    float s = F(0x1.7c3e9ap-19f, z, -0x1.a05978p-13f);
    s = F(s, z, 0x1.111174p-7f);
    s = F(s, z, -0x1.555556p-3f);
    return F(r * z, s, r);
}
static float cos_of(float z)
{
    float c = F(-0x1.361b34p-22f, z, 0x1.a071c4p-16f);
    c = F(c, z, -0x1.6c175ep-10f);
    c = F(c, z, 0x1.555556p-5f);
    return F(z, F(c, z, -0.5f), 1);
}
/* Sine of r and so many quarters. */
static float turned(float r, int quadrant)
{
    float z = r * r, v = quadrant & 1 ? cos_of(z) : sin_of(r, z);
    return as_float(as_int(v) ^ (quadrant & 2) << 30);
}
PURE float sin(float x)
{
    int quadrant;
    float r = reduced(x, &quadrant);
    return fabs(x) < 0x1p-13f ? x : turned(r, quadrant);
}
PURE float cos(float x)
{
    int quadrant;
    float r = reduced(x, &quadrant);
    return turned(r, quadrant + 1);
}
static float tan_turned(float r, int quadrant)
{
    float z = r * r, s = sin_of(r, z), c = cos_of(z);
    return quadrant & 1 ? -c / s : s / c;
}
PURE float tan(float x)
{
    int quadrant;
    float r = reduced(x, &quadrant);
    return fabs(x) < 0x1p-13f ? x : tan_turned(r, quadrant);
}
/* pi times what x is off from a half of an integer. */
static float reduced_pi(float x, int *quadrant)
{
    /* Multiples of 2 are nothing. */
    float y = fabs(x) < 0x1p24f ? x - 2 * trunc(0.5f * x) : 0;
    float t = F(y, 2.0f, MAGIC), n = t - MAGIC;
    *quadrant = as_int(t) - MAGIC_BITS;
    float f = F(n, -0.5f, y);
    return F(f, PI_H, f * PI_L);
}
PURE float sinpi(float x)
{
    int quadrant;
    float r = reduced_pi(x, &quadrant), v = turned(r, quadrant);
    return !(fabs(x) < INFINITY) ? NAN : v == 0 ? copysign(0.0f, x) : v;
}
PURE float cospi(float x)
{
    int quadrant;
    float r = reduced_pi(x, &quadrant), v = turned(r, quadrant + 1);
    return !(fabs(x) < INFINITY) ? NAN : v == 0 ? 0 : v;
}
PURE float tanpi(float x)
{
    int quadrant;
    float r = reduced_pi(x, &quadrant), v = tan_turned(r, quadrant);
    /* At even integers 0 of the sign of x, at odd ones of the other sign; between them infinity. */
    if (r == 0)
        v = quadrant & 1 ? copysign(INFINITY, (quadrant & 2) ? -1.0f : 1.0f) : copysign(0.0f, quadrant & 2 ? -x : x);
    return !(fabs(x) < INFINITY) ? NAN : v;
}

/* Arcs */

/* atan(x) - x, |x| <= 1. */
static float atan_rest(float x)
{
    float z = x * x;
    float a = F(-0x1.2311dcp-11f, z, 0x1.10c8cep-8f);
    a = F(a, z, -0x1.dc6d4p-7f);
    a = F(a, z, 0x1.07b8fp-5f);
    a = F(a, z, -0x1.af988ap-5f);
    a = F(a, z, 0x1.25816cp-4f);
    a = F(a, z, -0x1.6eca42p-4f);
    a = F(a, z, 0x1.c62dc4p-4f);
    a = F(a, z, -0x1.248676p-3f);
    a = F(a, z, 0x1.999902p-3f);
    a = F(a, z, -0x1.555554p-2f);
    return x * z * a;
}
PURE float atan(float x)
{
    float a = fabs(x), b = a > 1 ? 1 / a : a, rest = atan_rest(b);
    float v = a > 1 ? PIO2_H - (b + (rest - PIO2_L)) : b + rest;
    return copysign(v, x);
}
static float atan2_of(float y, float x, float *swapped, float *rest)
{
    float a = fabs(x), b = fabs(y), large = fmax(a, b), small = fmin(a, b);
    float q = small == large ? large == 0 ? 0 : 1 : small / large;
    *swapped = b > a;
    *rest = atan_rest(q);
    return q;
}
PURE float atan2(float y, float x)
{
    float swapped, rest, q = atan2_of(y, x, &swapped, &rest);
    float v = swapped != 0 ? PIO2_H - (q + (rest - PIO2_L)) : q + rest;
    v = as_int(x) < 0 ? PI_H - (v - PI_L) : v;
    return x != x || y != y ? NAN : copysign(v, y);
}
/* asin(x) - x, |x| <= 1/2; z is x^2. */
static float asin_rest(float x, float z)
{
    float a = F(0x1.34db12p-5f, z, 0x1.d4fb38p-7f);
    a = F(a, z, 0x1.04d452p-5f);
    a = F(a, z, 0x1.6ca744p-5f);
    a = F(a, z, 0x1.3338acp-4f);
    a = F(a, z, 0x1.55554cp-3f);
    return x * z * a;
}
PURE float asin(float x)
{
    float a = fabs(x), v;
    if (a < 0.5f) {
        v = a + asin_rest(a, a * a);
    } else {
        float z = 0.5f * (1 - a), s = __builtin_sqrtf(z);
        v = PIO2_H - 2 * (s + (asin_rest(s, z) - 0.5f * PIO2_L));
    }
    return a <= 1 ? copysign(v, x) : NAN;
}
PURE float acos(float x)
{
    float a = fabs(x), v;
    if (a < 0.5f) {
        v = PIO2_H - (x + (asin_rest(x, x * x) - PIO2_L));
    } else {
        float z = 0.5f * (1 - a), s = __builtin_sqrtf(z);
        /* What the root lacks. */
        float more = s == 0 ? 0 : F(-s, s, z) / (2 * s);
        float w = asin_rest(s, z) + more;
        v = x < 0 ? PI_H - 2 * (s + (w - 0.5f * PI_L)) : 2 * (s + w);
    }
    return a <= 1 ? v : NAN;
}
/* By pi, in two parts. */
static float by_pi(float high, float low) { return F(high, INV_PI_H, F(low, INV_PI_H, high * INV_PI_L)); }
PURE float atanpi(float x)
{
    float a = fabs(x), b = a > 1 ? 1 / a : a, v = by_pi(b, atan_rest(b));
    return copysign(a > 1 ? 0.5f - v : v, x);
}
PURE float atan2pi(float y, float x)
{
    float swapped, rest, q = atan2_of(y, x, &swapped, &rest), v = by_pi(q, rest);
    v = swapped != 0 ? 0.5f - v : v;
    v = as_int(x) < 0 ? 1 - v : v;
    return x != x || y != y ? NAN : copysign(v, y);
}
PURE float asinpi(float x)
{
    float a = fabs(x), z = 0.5f * (1 - a), s = __builtin_sqrtf(z);
    float v = a < 0.5f ? by_pi(a, asin_rest(a, a * a)) : 0.5f - 2 * by_pi(s, asin_rest(s, z));
    return a <= 1 ? copysign(v, x) : NAN;
}
PURE float acospi(float x)
{
    float a = fabs(x), z = 0.5f * (1 - a), s = __builtin_sqrtf(z);
    float far = 2 * by_pi(s, asin_rest(s, z));
    float v = a < 0.5f ? 0.5f - by_pi(x, asin_rest(x, x * x)) : x < 0 ? 1 - far : far;
    return a <= 1 ? v : NAN;
}

/* Hyperbolic ones */

PURE float sinh(float x)
{
    float a = fabs(x), v;
    if (a > 9) {
        v = exp_by(a, -1);
    } else {
        float t = expm1(a);
        v = 0.5f * (t + t / (t + 1));
    }
    return a < 0x1p-13f ? x : copysign(v, x);
}
PURE float cosh(float x)
{
    float a = fabs(x);
    if (a > 9)
        return exp_by(a, -1);
    float e = exp(a);
    return F(0.5f, e, 0.5f / e);
}
PURE float tanh(float x)
{
    float a = fabs(x), t = expm1(2 * (a > 10 ? 10 : a));
    float v = a > 0.5f ? 1 - 2 / (t + 2) : t / (t + 2);
    return a < 0x1p-13f || x != x ? x : copysign(v, x);
}
PURE float asinh(float x)
{
    float a = fabs(x);
    if (a > 0x1p28f)
        return copysign(log(a) + M_LN2_F, x);
    float square = a * a;
    return copysign(log1p(a + square / (1 + __builtin_sqrtf(F(a, a, 1)))), x);
}
PURE float acosh(float x)
{
    if (x > 0x1p28f)
        return log(x) + M_LN2_F;
    float t = x - 1;
    return x >= 1 ? log1p(t + __builtin_sqrtf(F(t, t, 2 * t))) : NAN;
}
PURE float atanh(float x)
{
    float a = fabs(x);
    return a < 0x1p-13f ? x : copysign(0.5f * log1p(2 * a / (1 - a)), x);
}

/* Remainders: exact. */

/* The remainder of whole numbers mx 2^ex and my 2^ey by shifts of 8 bits, and the low bits of the quotient. */
static uint left_over(uint mx, int ex, uint my, int ey, uint *quotient)
{
    uint q = mx / my;
    mx -= q * my;
    while (ex > ey) {
        int step = ex - ey < 8 ? ex - ey : 8;
        mx <<= step;
        uint more = mx / my;
        mx -= more * my;
        q = q << step | more;
        ex -= step;
    }
    *quotient = q;
    return mx;
}
/* |x| = m 2^e with whole m. */
static uint whole_of(float x, int *e)
{
    uint bits = as_uint(x) & 0x7fffffff, exponent = bits >> 23;
    *e = exponent ? (int)exponent : 1;
    return exponent ? (bits & 0x7fffff) | 0x800000 : bits;
}
/* m 2^e, exact. */
static float of_whole(uint m, int e) { return ldexp((float)m, e - 150); }
static float divided(float x, float y, uint *quotient, bool nearest)
{
    *quotient = 0;
    float a = fabs(x), b = fabs(y);
    if (!(a < INFINITY) || b == 0 || y != y)
        return NAN;
    if (b == INFINITY)
        return x;
    float r = a;
    if (a >= b) {
        int ex, ey;
        uint mx = whole_of(x, &ex), my = whole_of(y, &ey);
        r = of_whole(left_over(mx, ex, my, ey, quotient), ey);
    }
    if (nearest) {
        /* 2 r might be too large, b - r is exact where it counts. */
        bool up = r > b - r || (r == b - r && *quotient & 1);
        r = up ? r - b : r;
        *quotient += up;
    }
    return as_int(x) < 0 ? -r : r;
}
PURE float fmod(float x, float y)
{
    uint quotient;
    return divided(x, y, &quotient, false);
}
PURE float remainder(float x, float y)
{
    uint quotient;
    return divided(x, y, &quotient, true);
}
static float remquo_of(float x, float y, int *quotient)
{
    uint q;
    float r = divided(x, y, &q, true);
    int low = q & 0x7f;
    *quotient = as_int(x) < 0 != as_int(y) < 0 ? -low : low;
    return r;
}

/* Two results */

static float modf_of(float x, float *whole)
{
    *whole = trunc(x);
    return copysign(fabs(x) == INFINITY ? 0 : x - *whole, x);
}
static float fract_of(float x, float *whole)
{
    *whole = floor(x);
    float f = fmin(x - *whole, 0x1.fffffep-1f);
    return x != x ? x : fabs(x) == INFINITY ? copysign(0.0f, x) : f;
}
static float frexp_of(float x, int *exponent)
{
    float a = fabs(x);
    if (!(a > 0) || a == INFINITY) {
        *exponent = 0;
        return x;
    }
    int e = ilogb(a) + 1;
    *exponent = e;
    return ldexp(x, -e);
}
static float sincos_of(float x, float *cosine)
{
    *cosine = cos(x);
    return sin(x);
}
