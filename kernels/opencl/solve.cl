/* Systems of linear equations, n of them; matrices row by row. */

/* Gaussian elimination without pivots, step t: by what the rows below are reduced, then these rows. */
kernel void gaussian_factors(global float *factor, global const float *a, uint n, uint t)
{
    uint y = get_global_id(0) + t + 1;
    if (y < n)
        factor[y] = a[y * n + t] / a[t * n + t];
}
kernel void gaussian_rows(global float *a, global float *b, global const float *factor, uint n, uint t)
{
    uint x = get_global_id(0) + t, y = get_global_id(1) + t + 1;
    if (x >= n || y >= n)
        return;
    a[y * n + x] -= factor[y] * a[t * n + x];
    if (x == t)
        b[y] -= factor[y] * b[t];
}

/*
 * Lower and upper triangle in place of the matrix, by blocks of EDGE x EDGE: the block on the diagonal at t, those right
 * of it and below it, then all others.
 */
#ifndef EDGE
#define EDGE 4
#endif
kernel void lud_diagonal(global float *a, uint n, uint t)
{
    local float block[EDGE][EDGE];
    uint l = get_local_id(0), size = min((uint)EDGE, n - t);
    if (l < size)
        for (uint k = 0; k < size; k++)
            block[k][l] = a[(t + k) * n + t + l];
    for (uint k = 0; k + 1 < size; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k && l < size) {
            float factor = block[l][k] / block[k][k];
            block[l][k] = factor;
            for (uint x = k + 1; x < size; x++)
                block[l][x] -= factor * block[k][x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < size)
        for (uint k = 0; k < size; k++)
            a[(t + k) * n + t + l] = block[k][l];
}
/* Groups of two blocks' edges: columns of one right of the diagonal, rows of one below it. */
kernel void lud_border(global float *a, uint n, uint t)
{
    local float pivot[EDGE][EDGE];
    uint l = get_local_id(0), start = t + EDGE * (get_group_id(0) + 1);
    for (uint k = l; k < EDGE * EDGE; k += 2 * EDGE)
        pivot[k / EDGE][k % EDGE] = a[(t + k / EDGE) * n + t + k % EDGE];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool right = l < EDGE;
    uint at = start + l % EDGE;
    if (at >= n)
        return;
    for (uint i = 0; i < EDGE; i++) {
        float v = right ? a[(t + i) * n + at] : a[at * n + t + i];
        for (uint j = 0; j < i; j++)
            v -= right ? pivot[i][j] * a[(t + j) * n + at] : a[at * n + t + j] * pivot[j][i];
        if (right)
            a[(t + i) * n + at] = v;
        else
            a[at * n + t + i] = v / pivot[i][i];
    }
}
kernel void lud_rest(global float *a, uint n, uint t)
{
    local float left[EDGE][EDGE], above[EDGE][EDGE];
    uint lx = get_local_id(0), ly = get_local_id(1), x = t + EDGE + get_global_id(0), y = t + EDGE + get_global_id(1);
    left[ly][lx] = y < n ? a[y * n + t + lx] : 0;
    above[ly][lx] = x < n ? a[(t + ly) * n + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint k = 0; k < EDGE; k++)
        sum += left[ly][k] * above[k][lx];
    if (x < n && y < n)
        a[y * n + x] -= sum;
}
