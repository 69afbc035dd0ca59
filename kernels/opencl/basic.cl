/* Elements one by one: c = a + b, y = a x + y, and their like. Work-items beyond n do nothing. */

kernel void vecadd(global int *c, global const int *a, global const int *b, uint n)
{
    uint i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}

kernel void saxpy(global float *y, global const float *x, float a, uint n)
{
    uint i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* Four elements at a time, where they need not be aligned. */
kernel void saxpy4(global float *y, global const float *x, float a, uint n)
{
    uint i = get_global_id(0);
    if (4 * i + 3 < n)
        vstore4(a * vload4(i, x) + vload4(i, y), i, y);
    else
        for (uint k = 4 * i; k < n; k++)
            y[k] = a * x[k] + y[k];
}

/* As many work-items as there are, for n elements. */
kernel void stride(global uint *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = i * i + 1;
}

/* Options by the formula of Black and Scholes: price of call and put. */
float normal(float x)
{
    float k = 1 / (1 + 0.2316419f * fabs(x));
    float p = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float v = 1 - 0.3989422804f * exp(-0.5f * x * x) * p;
    return x < 0 ? 1 - v : v;
}

kernel void black_scholes(global float2 *price, global const float *stock, global const float *strike,
                          global const float *years, float rate, float volatility, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    float s = stock[i], x = strike[i], t = years[i], root = sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root, later = x * exp(-rate * t);
    price[i] = (float2)(s * normal(d1) - later * normal(d2), later * normal(-d2) - s * normal(-d1));
}

/* Which of the centres is nearest: kmeans, nearest neighbour. */
kernel void nearest(global uint *which, global const float2 *points, constant float2 *centres, uint n, uint k)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    float2 p = points[i];
    float best = INFINITY;
    uint at = 0;
    for (uint c = 0; c < k; c++) {
        float d = fast_distance(p, centres[c]);
        if (d < best) {
            best = d;
            at = c;
        }
    }
    which[i] = at;
}
