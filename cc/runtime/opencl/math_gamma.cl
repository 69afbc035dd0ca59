/* The error function and the gamma function (CL-020), by the tools of math.cl. */
#pragma OPENCL FP_CONTRACT OFF

/* |x| < 1. */
static float erf_near(float x)
{
    float z = x * x;
    float q = F(-0x1.2307bcp-17f, z, 0x1.c8c8bp-14f);
    q = F(q, z, -0x1.b9d556p-11f);
    q = F(q, z, 0x1.55e0eep-8f);
    q = F(q, z, -0x1.b82232p-6f);
    q = F(q, z, 0x1.ce2ea2p-4f);
    q = F(q, z, -0x1.812744p-2f);
    q = F(q, z, 0x1.06eba8p-3f);
    return F(x, q, x);
}
/* 1 - erf(x) for x >= 1: e^(-x^2) t p(t) with t = 1 / (1 + 3/8 x). */
static float erfc_far(float x)
{
    float c = x > 11 ? 11 : x;
    float t = 1 / F(0.375f, c, 1);
    float p = F(-0x1.8aa264p-6f, t, 0x1.391952p-3f);
    p = F(p, t, -0x1.6d793ap-2f);
    p = F(p, t, 0x1.761ea4p-2f);
    p = F(p, t, -0x1.b0748ep-3f);
    p = F(p, t, 0x1.8527b8p-3f);
    p = F(p, t, 0x1.739eep-4f);
    p = F(p, t, 0x1.64e8b6p-3f);
    p = F(p, t, 0x1.90c6dep-3f);
    p = F(p, t, 0x1.b1765p-3f);
    p = F(p, t, 0x1.b14abp-3f);
    /* What the square lacks; the root of the power, so that only the last product may be subnormal. */
    float square = c * c, lack = F(c, c, -square), root = exp(-0.5f * square);
    return root * (root * F(-lack, t * p, t * p));
}
PURE float erf(float x)
{
    float a = fabs(x);
    if (a < 1)
        return a < 0x1p-60f ? F(x, 0x1.06eba8p-3f, x) : erf_near(x);
    return x == x ? copysign(1 - erfc_far(a), x) : x;
}
PURE float erfc(float x)
{
    float a = fabs(x);
    if (a < 1)
        return 1 - erf_near(x);
    return x > 0 ? erfc_far(a) : x < 0 ? 2 - erfc_far(a) : x;
}

/* Gamma of 2 + d, |d| <= 1/2. */
static float gamma_near(float d)
{
    float p = F(-0x1.a6232cp-15f, d, 0x1.244ebap-11f);
    p = F(p, d, -0x1.1ca8e6p-10f);
    p = F(p, d, 0x1.12df24p-9f);
    p = F(p, d, -0x1.6f841cp-9f);
    p = F(p, d, 0x1.6d7398p-7f);
    p = F(p, d, -0x1.1e9b2ep-12f);
    p = F(p, d, 0x1.302002p-4f);
    p = F(p, d, 0x1.4e23fap-4f);
    p = F(p, d, 0x1.a5b978p-2f);
    p = F(p, d, 0x1.b0ee6p-2f);
    return F(p, d, 1);
}
/* scale x (x + 1) ... (x + n - 1), as if rounded once or twice; each factor is exact, or 1 and little. */
static float rising(float x, int n, float scale)
{
    float product = scale, low = 0;
    for (int k = 0; k < n; k++) {
        float factor = x + (float)k, high = product * factor;
        low = F(low, factor, F(product, factor, -high));
        product = high;
    }
    return product + low;
}
PURE float tgamma(float x)
{
    if (x == 0)
        return 1 / x;
    if (!(x > -60))
        return trunc(x) == x || x != x ? NAN : (int)floor(x) & 1 ? -0.0f : 0.0f;
    if (x > 36)
        return INFINITY;
    float m = rint(x), d = x - m, g = gamma_near(d);
    int n = (int)m;
    if (n >= 2)
        return g * rising(x - (float)(n - 2), n - 2, 0x1p-8f) * 0x1p8f;
    if (d == 0 && n <= 0)
        return NAN;
    /* The product of all factors would be too large: parts of 20, those of the smallest numbers first. */
    for (int left = 2 - n; left > 0; left -= 20) {
        int part = left < 20 ? left : 20;
        g /= rising(x + (float)(left - part), part, 1);
    }
    return g;
}

/* Logarithm of gamma of 2 + d, |d| <= 1/2. */
static float lgamma_near(float d)
{
    float p = F(0x1.8f8bdcp-11f, d, 0x1.372bb4p-11f);
    p = F(p, d, -0x1.a03070p-12f);
    p = F(p, d, -0x1.5c4c42p-11f);
    p = F(p, d, 0x1.49ec68p-11f);
    p = F(p, d, -0x1.1bc362p-10f);
    p = F(p, d, 0x1.793ff2p-9f);
    p = F(p, d, -0x1.e4ceecp-8f);
    p = F(p, d, 0x1.513438p-6f);
    p = F(p, d, -0x1.13df72p-4f);
    p = F(p, d, 0x1.4a34ccp-2f);
    p = F(p, d, 0x1.b0ee6p-2f);
    return p * d;
}
/* x > 0. */
static float lgamma_above(float x)
{
    if (x >= 8) {
        /* Stirling. */
        float r = 1 / x, z = r * r;
        float series = r * F(F(0x1.a01a02p-11f, z, -0x1.6c16c2p-9f), z, 0x1.555556p-4f);
        return x > 0x1p121f && x > 0x1.895f1cp+121f ? INFINITY : F(x - 0.5f, log(x) - 1, 0x1.acfe3ap-2f + series);
    }
    float m = rint(x), d = x - m;
    int n = (int)m;
    if (n >= 2)
        return lgamma_near(d) + log(rising(x - (float)(n - 2), n - 2, 1));
    return lgamma_near(d) - log(n == 1 ? x : x * (x + 1));
}
static float lgamma_r_of(float x, int *sign)
{
    *sign = 1;
    if (x > 0)
        return lgamma_above(x);
    float a = -x;
    if (x != x)
        return x;
    if (a == 0 || a == INFINITY || trunc(x) == x) {
        *sign = a == 0 && as_int(x) < 0 ? -1 : 1;
        return INFINITY;
    }
    float s = sinpi(a);
    *sign = s > 0 ? -1 : 1;
    /* Reflected. Of a small one only its logarithm counts. */
    if (a < 0x1p-20f)
        return -log(a);
    return log(M_PI_F / fabs(a * s)) - lgamma_above(a);
}
PURE float lgamma(float x)
{
    int sign;
    return lgamma_r_of(x, &sign);
}
