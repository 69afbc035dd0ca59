/* Matrices, row by row. */

/* c = a b, of m x k and k x n; a work-item for each element. */
kernel void sgemm(global float *c, global const float *a, global const float *b, uint m, uint n, uint k)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= m)
        return;
    float sum = 0;
    for (uint i = 0; i < k; i++)
        sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
}

/* The same by tiles in local memory. */
#ifndef TILE
#define TILE 8
#endif
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sgemm_tiled(global float *c, global const float *a, global const float *b, uint m, uint n, uint k)
{
    local float of_a[TILE][TILE], of_b[TILE][TILE];
    uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (uint t = 0; t < k; t += TILE) {
        of_a[ly][lx] = y < m && t + lx < k ? a[y * k + t + lx] : 0;
        of_b[ly][lx] = x < n && t + ly < k ? b[(t + ly) * n + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < TILE; i++)
            sum += of_a[ly][i] * of_b[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < n && y < m)
        c[y * n + x] = sum;
}

/* The same with a row of four elements for each work-item. */
kernel void sgemm_rows(global float *c, global const float *a, global const float *b, uint m, uint n, uint k)
{
    uint x = 4 * get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= m)
        return;
    if (x + 4 <= n) {
        float4 sum = 0;
        for (uint i = 0; i < k; i++)
            sum = mad((float4)a[y * k + i], vload4(0, b + i * n + x), sum);
        vstore4(sum, 0, c + y * n + x);
        return;
    }
    for (; x < n; x++) {
        float sum = 0;
        for (uint i = 0; i < k; i++)
            sum = mad(a[y * k + i], b[i * n + x], sum);
        c[y * n + x] = sum;
    }
}

/* By a tile whose size the host says: local memory is an argument. */
kernel void transpose(global uint *out, global const uint *in, local uint *tile, uint width, uint height)
{
    uint size = get_local_size(0), lx = get_local_id(0), ly = get_local_id(1);
    uint x = get_group_id(0) * size + lx, y = get_group_id(1) * size + ly;
    if (x < width && y < height)
        tile[ly * (size + 1) + lx] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * size + lx;
    y = get_group_id(0) * size + ly;
    if (x < height && y < width)
        out[y * height + x] = tile[lx * (size + 1) + ly];
}

/* Rows of a sparse matrix (CSR). */
kernel void spmv(global float *y, global const uint *rows, global const uint *columns, global const float *values,
                 global const float *x, uint n)
{
    uint row = get_global_id(0);
    if (row >= n)
        return;
    float sum = 0;
    for (uint at = rows[row]; at < rows[row + 1]; at++)
        sum += values[at] * x[columns[at]];
    y[row] = sum;
}
