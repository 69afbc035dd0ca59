/* Steps of simulations on a grid of w x h: heat, speckle, flow. */

/* Heat of a chip: each element's power, its four neighbours, and the air above it. Outside is as warm as the edge. */
kernel void hotspot(global float *to, global const float *from, global const float *power, float4 resistance, float step,
                    float air, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int at = y * w + x;
    float t = from[at];
    float north = from[max(y - 1, 0) * w + x], south = from[min(y + 1, h - 1) * w + x];
    float west = from[y * w + max(x - 1, 0)], east = from[y * w + min(x + 1, w - 1)];
    to[at] = t + step * (power[at] + (south + north - 2 * t) / resistance.y + (east + west - 2 * t) / resistance.x +
                         (air - t) / resistance.z);
}

/* Speckle of ultrasound is taken away where nothing but speckle changes: how far that is so, then the step. */
kernel void srad_coefficients(global float4 *slopes, global float *c, global const float *image, float noise, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int at = y * w + x;
    float v = image[at];
    float4 around = (float4)(image[max(y - 1, 0) * w + x], image[min(y + 1, h - 1) * w + x], image[y * w + max(x - 1, 0)],
                             image[y * w + min(x + 1, w - 1)]);
    float4 d = around - v;
    float squares = dot(d, d) / (v * v), sum = (d.x + d.y + d.z + d.w) / v;
    float q = (0.5f * squares - sum * sum / 16) / ((1 + 0.25f * sum) * (1 + 0.25f * sum));
    slopes[at] = d;
    c[at] = clamp(1 / (1 + (q - noise) / (noise * (1 + noise))), 0.0f, 1.0f);
}
kernel void srad_step(global float *image, global const float4 *slopes, global const float *c, float step, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int at = y * w + x;
    float own = c[at], south = c[min(y + 1, h - 1) * w + x], east = c[y * w + min(x + 1, w - 1)];
    float4 d = slopes[at];
    image[at] += 0.25f * step * (own * d.x + south * d.y + own * d.z + east * d.w);
}

/* Flow by the method of lattices, nine directions; the grid is closed to a ring both ways, and what is solid reflects. */
constant int ALONG_X[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int ALONG_Y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant int BACK[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constant float SHARE[9] = {4 / 9.0f, 1 / 9.0f, 1 / 9.0f, 1 / 9.0f, 1 / 9.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
kernel void lbm(global float *to, global const float *from, global const uchar *solid, float omega, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), plane = w * h;
    if (x >= w || y >= h)
        return;
    int at = y * w + x;
    float f[9], density = 0, u = 0, v = 0;
    for (int k = 0; k < 9; k++) {
        int px = x - ALONG_X[k], py = y - ALONG_Y[k];
        px += px < 0 ? w : px >= w ? -w : 0;
        py += py < 0 ? h : py >= h ? -h : 0;
        f[k] = from[k * plane + py * w + px];
        density += f[k];
        u += ALONG_X[k] * f[k];
        v += ALONG_Y[k] * f[k];
    }
    if (solid[at]) {
        for (int k = 0; k < 9; k++)
            to[k * plane + at] = f[BACK[k]];
        return;
    }
    u /= density;
    v /= density;
    for (int k = 0; k < 9; k++) {
        float along = 3 * (ALONG_X[k] * u + ALONG_Y[k] * v);
        float equal = SHARE[k] * density * (1 + along + 0.5f * along * along - 1.5f * (u * u + v * v));
        to[k * plane + at] = f[k] + omega * (equal - f[k]);
    }
}
