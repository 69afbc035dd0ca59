/* Sequences, clusters, whole scans, sorting by digits. */

/* Alignment of two sequences (Needleman, Wunsch) in a table of n + 1 rows, whose first row and column are given. Blocks of
   EDGE x EDGE on the diagonal `both` of blocks, from column `first` on; a group goes over the diagonals of its block. */
#ifndef EDGE
#define EDGE 4
#endif
kernel void nw(global int *score, global const uchar *a, global const uchar *b, uint n, int gap, uint both, uint first)
{
    local int s[EDGE + 1][EDGE + 1];
    uint l = get_local_id(0), bx = get_group_id(0) + first, x0 = bx * EDGE, y0 = (both - bx) * EDGE;
    uint w = min((uint)EDGE, n - x0), h = min((uint)EDGE, n - y0);
    for (uint k = l; k <= EDGE; k += EDGE) {
        if (k <= w)
            s[0][k] = score[y0 * (n + 1) + x0 + k];
        if (k <= h)
            s[k][0] = score[(y0 + k) * (n + 1) + x0];
    }
    for (uint d = 0; d < w + h - 1; d++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint y = d - l;
        if (l < w && l <= d && y < h) {
            int same = a[y0 + y] == b[x0 + l] ? 3 : -2;
            s[y + 1][l + 1] = max(s[y][l] + same, max(s[y][l + 1], s[y + 1][l]) - gap);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < w)
        for (uint y = 0; y < h; y++)
            score[(y0 + y + 1) * (n + 1) + x0 + l + 1] = s[y + 1][l + 1];
}

/* How far places are from one of them. */
kernel void distances(global float *d, global const float2 *places, float2 from, uint n)
{
    uint i = get_global_id(0);
    if (i < n)
        d[i] = distance(places[i], from);
}

/* The mean of the points of each cluster; one without points stays. A work-item for each. */
kernel void kmeans_centres(global float2 *centres, global const float2 *points, global const uint *which, uint n, uint k)
{
    uint c = get_global_id(0), count = 0;
    float2 sum = 0;
    if (c >= k)
        return;
    for (uint i = 0; i < n; i++)
        if (which[i] == c) {
            sum += points[i];
            count++;
        }
    if (count)
        centres[c] = sum / (float)count;
}

/* Behind scans of groups (group.cl): what stands in the groups before, to each element. `last` is the last of each group. */
kernel void scan_add(global int *out, global const int *last, uint n)
{
    uint i = get_global_id(0), g = get_group_id(0);
    if (i < n && g > 0)
        out[i] += last[g - 1];
}
kernel void scan_last(global int *last, global const int *scanned, uint group, uint n)
{
    uint g = get_global_id(0);
    if (g * group < n)
        last[g] = scanned[min((g + 1) * group, n) - 1];
}

/* Sorting by digits of four bits. Each work-item has a piece: how often each digit is in it, digit by digit; what is before
   each, by one group; then each element goes to its place. */
kernel void radix_count(global uint *counts, global const uint *in, uint n, uint piece, uint shift)
{
    uint item = get_global_id(0), items = get_global_size(0), own[16] = {0};
    for (uint i = item * piece; i < min((item + 1) * piece, n); i++)
        own[in[i] >> shift & 15]++;
    for (uint d = 0; d < 16; d++)
        counts[d * items + item] = own[d];
}
kernel void radix_scan(global uint *counts, local uint *sums, uint n)
{
    uint l = get_local_id(0), size = get_local_size(0), piece = (n + size - 1) / size, sum = 0;
    uint start = min(l * piece, n), end = min(start + piece, n);
    for (uint i = start; i < end; i++)
        sum += counts[i];
    sums[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < l; k++)
        sum += sums[k];
    for (uint i = start; i < end; i++) {
        uint count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}
kernel void radix_place(global uint *out, global const uint *in, global const uint *counts, uint n, uint piece, uint shift)
{
    uint item = get_global_id(0), items = get_global_size(0), next[16];
    for (uint d = 0; d < 16; d++)
        next[d] = counts[d * items + item];
    for (uint i = item * piece; i < min((item + 1) * piece, n); i++)
        out[next[in[i] >> shift & 15]++] = in[i];
}
