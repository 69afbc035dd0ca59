/* Work-groups: sums, scans, counts, sorting. */

/* The sum of each group's elements; a group of any size. */
kernel void reduce(global int *sums, global const int *in, local int *part, uint n)
{
    uint l = get_local_id(0), i = get_global_id(0);
    part[l] = i < n ? in[i] : 0;
    for (uint left = get_local_size(0); left > 1;) {
        uint half_of_it = (left + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l + half_of_it < left)
            part[l] += part[l + half_of_it];
        left = half_of_it;
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}

/* Sums up to and with each element, within a group. */
kernel void scan(global int *out, global const int *in, local int *a, local int *b, uint n)
{
    uint l = get_local_id(0), i = get_global_id(0);
    local int *from = a, *to = b;
    from[l] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < get_local_size(0); step *= 2) {
        to[l] = l >= step ? from[l] + from[l - step] : from[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *other = from;
        from = to;
        to = other;
    }
    if (i < n)
        out[i] = from[l];
}

/* How often each byte is there: counted in local memory, then added. */
kernel void histogram(global uint *counts, global const uchar *in, uint n)
{
    local uint own[256];
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&own[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        if (own[k])
            atomic_add(&counts[k], own[k]);
}

/* One step of a bitonic sort of 2^k elements. */
kernel void bitonic(global uint *a, uint distance, uint block)
{
    uint t = get_global_id(0), i = 2 * t - (t & (distance - 1)), j = i + distance;
    uint x = a[i], y = a[j];
    bool up = (i & block) == 0;
    if (x > y == up) {
        a[i] = y;
        a[j] = x;
    }
}

/* Each group sorts its own part by counting; the copies are those of the whole group. */
kernel void rank_sort(global int *out, global const int *in, local int *part)
{
    uint size = get_local_size(0), l = get_local_id(0), first = get_group_id(0) * size;
    event_t come = async_work_group_copy(part, in + first, size, 0);
    wait_group_events(1, &come);
    int own = part[l];
    uint rank = 0;
    for (uint k = 0; k < size; k++)
        rank += part[k] < own || (part[k] == own && k < l);
    out[first + rank] = own;
}

/* One level of a breadth-first search over a graph (CSR): -1 is not reached. */
kernel void bfs(global int *level, global const uint *rows, global const uint *columns, global uint *more, int now, uint n)
{
    uint i = get_global_id(0);
    if (i >= n || level[i] != now)
        return;
    for (uint at = rows[i]; at < rows[i + 1]; at++)
        if (atomic_cmpxchg(&level[columns[at]], -1, now + 1) == -1)
            *more = 1;
}
