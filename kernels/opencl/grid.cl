/* Neighbours in a grid of two and three dimensions. */

/* Four neighbours and the element itself; outside is 0. */
kernel void stencil(global int *out, global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    int sum = 4 * in[y * w + x];
    if (x > 0)
        sum -= in[y * w + x - 1];
    if (x + 1 < w)
        sum -= in[y * w + x + 1];
    if (y > 0)
        sum -= in[(y - 1) * w + x];
    if (y + 1 < h)
        sum -= in[(y + 1) * w + x];
    out[y * w + x] = sum;
}

/* The mean of all neighbours in three dimensions; at the edge the nearest element inside stands for what is outside. */
kernel void blur3(global float *out, global const float *in)
{
    int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    int3 size = (int3)(get_global_size(0), get_global_size(1), get_global_size(2));
    float sum = 0;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                int3 p = clamp(at + (int3)(x, y, z), (int3)0, size - 1);
                sum += in[(p.z * size.y + p.y) * size.x + p.x];
            }
    out[(at.z * size.y + at.y) * size.x + at.x] = sum / 27;
}

/* A small filter, with what the group needs in local memory. */
#ifndef RADIUS
#define RADIUS 2
#endif
kernel void convolution(global float *out, global const float *in, constant float *filter, local float *part, uint n)
{
    int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    for (int k = l; k < size + 2 * RADIUS; k += size) {
        int at = i - l + k - RADIUS;
        part[k] = at >= 0 && at < (int)n ? in[at] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= (int)n)
        return;
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += filter[k] * part[l + k];
    out[i] = sum;
}

/* The cheapest way down: one row. */
kernel void pathfinder(global int *to, global const int *from, global const int *costs, uint n)
{
    uint x = get_global_id(0);
    if (x >= n)
        return;
    int best = from[x];
    if (x > 0)
        best = min(best, from[x - 1]);
    if (x + 1 < n)
        best = min(best, from[x + 1]);
    to[x] = best + costs[x];
}
