//! Kernels in OpenCL C on the golden GPU: work-items, groups, offsets, local memory, arguments of every kind.

mod opencl_device;

use opencl_device::{address, compiled, compiled_with, Device, WIDTH};
use weft_cc::opencl::{Range, Value};
use weft_cc::Float;

const IDS: &str = "
kernel void ids(global uint *out)
{
    uint sizes[3], n = 0;
    for (uint d = 0; d < 3; d++) {
        sizes[d] = get_global_size(d);
        n = n * 1000 + get_global_id(2 - d) - get_global_offset(2 - d);
    }
    uint at = get_global_id(0) - get_global_offset(0)
        + sizes[0] * (get_global_id(1) - get_global_offset(1) + sizes[1] * (get_global_id(2) - get_global_offset(2)));
    global uint *p = out + 16 * at;
    for (uint d = 0; d < 3; d++) {
        p[d] = get_global_id(d);
        p[3 + d] = get_local_id(d);
        p[6 + d] = get_group_id(d);
        p[9 + d] = get_local_size(d) << 16 | get_num_groups(d);
    }
    p[12] = get_work_dim();
    p[13] = get_local_size(3) + get_global_size(7) + get_num_groups(4) + get_global_id(3);
    p[14] = n;
    p[15] += 1;
}";

/// CL-011, CL-015: each work-item runs once and knows where it is, in one to three dimensions, with any group.
#[test]
fn work_items_know_where_they_are() {
    let program = compiled("ids.cl", IDS, Float::Soft);
    let kernel = program.kernel("ids").unwrap();
    let mut device = Device::new();
    let module = device.load(kernel);
    let ranges: [(&[u32], &[u32]); 9] = [
        (&[1], &[1]),
        (&[WIDTH as u32 - 1], &[WIDTH as u32 - 1]),
        (&[27], &[9]),
        (&[61], &[61]),
        (&[64], &[64]),
        (&[10, 6], &[5, 3]),
        (&[3, 14], &[1, 7]),
        (&[6, 4, 10], &[3, 2, 5]),
        (&[2, 2, 7], &[1, 2, 7]),
    ];
    for (number, (global, local)) in ranges.into_iter().enumerate() {
        let offset = [[0; 3], [100, 20, 3]][number % 2];
        let range = Range::of(global, Some(local)).unwrap().with_offset(offset);
        let [x, y, z] = range.global;
        let buffer = device.buffer(&vec![0; (16 * x * y * z) as usize]);
        device.run(kernel, module, range, &[address(buffer)]);
        let words = device.read(buffer);
        device.gpu.free(buffer).unwrap();
        for (at, item) in words.chunks(16).enumerate() {
            let at = at as u32;
            let id = [at % x, at / x % y, at / x / y];
            let wanted = |d: usize| {
                let (l, groups) = (range.local[d], range.groups()[d]);
                [id[d] + offset[d], id[d] % l, id[d] / l, l << 16 | groups]
            };
            for d in 0..3 {
                let seen = [item[d], item[3 + d], item[6 + d], item[9 + d]];
                assert_eq!(seen, wanted(d), "{range:?} item {id:?} direction {d}");
            }
            let n = (id[2] * 1000 + id[1]) * 1000 + id[0];
            assert_eq!(item[12..], [range.dimensions, 3, n, 1], "{range:?} {id:?}");
        }
    }
}

const ARGUMENTS: &str = "
typedef struct { char c; float4 v; short s[3]; } mixed;
kernel void arguments(global uint *out, char a, ushort b, long c, float3 d, uint16 e, mixed f, constant int *g,
                      local uint *h, local char *i, uchar4 j)
{
    local uint k[7];
    uint n = get_local_id(0), size = get_local_size(0);
    k[n % 7] = n % 7;
    h[n] = n + 1;
    i[n] = n + 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint m = 0; m < size; m++)
        sum += h[m] * i[m] + k[m % 7 < size ? m % 7 : 0];
    global uint *p = out + 24 * get_group_id(0);
    if (n == 0) {
        p[0] = a; p[1] = b; p[2] = c; p[3] = c >> 32; p[4] = as_uint(d.x); p[5] = as_uint(d.z);
        p[6] = e.s0; p[7] = e.sf; p[8] = f.c; p[9] = as_uint(f.v.w); p[10] = f.s[2]; p[11] = g[1];
        p[12] = sum; p[13] = j.w; p[14] = (uint)h; p[15] = (uint)i; p[16] = (uint)out & 63;
    }
}";

/// CL-010, CL-012.
#[test]
fn arguments_of_every_kind_come_as_they_are() {
    let program = compiled("arguments.cl", ARGUMENTS, Float::Soft);
    let kernel = program.kernel("arguments").unwrap();
    let mut device = Device::new();
    let module = device.load(kernel);
    let floats = |values: &[f32]| {
        values
            .iter()
            .flat_map(|f| f.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let mut mixed = vec![0; 48];
    mixed[0] = -9i8 as u8;
    mixed[16..32].copy_from_slice(&floats(&[1.0, 2.0, 3.0, 4.5]));
    mixed[36..38].copy_from_slice(&(-77i16).to_le_bytes());
    let sixteen: Vec<u8> = (100u32..116).flat_map(u32::to_le_bytes).collect();
    let (out, constants) = (device.buffer(&[0; 72]), device.buffer(&[5, 6, 7]));
    let group = 13;
    let range = Range::of(&[3 * group], Some(&[group])).unwrap();
    let values = [
        address(out),
        Value::Bytes(&[-3i8 as u8]),
        Value::Bytes(&60_000u16.to_le_bytes()),
        Value::Bytes(&(-5_000_000_000i64).to_le_bytes()),
        Value::Bytes(&floats(&[0.25, 8.0, -1.5, 0.0])),
        Value::Bytes(&sixteen),
        Value::Bytes(&mixed),
        address(constants),
        Value::Local(4 * group),
        Value::Local(group),
        Value::Bytes(&[1, 2, 3, 250]),
    ];
    device.run(kernel, module, range, &values);
    let sum: u32 = (0..group).map(|m| (m + 1) * (m + 2) + m % 7).sum();
    let wide = -5_000_000_000i64 as u64;
    let want = [
        -3i32 as u32,
        60_000,
        wide as u32,
        (wide >> 32) as u32,
        0.25f32.to_bits(),
        (-1.5f32).to_bits(),
        100,
        115,
        -9i32 as u32,
        4.5f32.to_bits(),
        -77i32 as u32,
        6,
        sum,
        250,
        0xd000_0080,
        0xd000_0100,
        out.address() & 63,
    ];
    for of_group in device.read(out).chunks(24) {
        assert_eq!(of_group[..want.len()], want);
    }
}

const LOCALS: &str = "
kernel void flags(global uint *out)
{
    local uint flag, last;
    uint n = get_local_id(0);
    flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n == get_local_size(0) / 2) flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint seen = flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n == get_local_size(0) - 1) last = seen + 6;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 10 * seen + last;
}
kernel void early(global uint *out, uint n)
{
    local uint sums[32];
    uint i = get_global_id(0), l = get_local_id(0);
    if (l == 0) for (uint k = 0; k < get_local_size(0); k++) sums[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    sums[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k < get_local_size(0); k++) sum += sums[k];
    out[i] = sum;
}
kernel void atomics(global uint *a, global int *b, volatile global float *f, uint n)
{
    local uint count, most;
    local int least;
    if (get_local_id(0) == 0) { count = 0; most = 0; least = 1000; }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint i = get_global_id(0);
    atomic_inc(&count); atomic_max(&most, 3 * i); atom_min(&least, 5 - (int)i);
    atomic_add(&a[0], i); atomic_sub(&a[1], 2); atomic_or(&a[2], 1u << i % 32); atomic_xor(&a[3], 1u << i % 3);
    atomic_and(&a[4], ~(1u << i % 5)); atom_dec(&a[5]); atom_inc(&b[0]); atomic_min(&b[1], -(int)i);
    atomic_max(&b[2], (int)i - 50); atom_add(&b[3], -3);
    uint old = a[6];
    for (;;) {
        uint seen = atomic_cmpxchg(&a[6], old, old * 3 + 1 > 1000 ? 7 : old + 5);
        if (seen == old) break;
        old = seen;
    }
    atomic_xchg(f, 1.5f);
    atomic_xchg(&a[7], 9u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) { atomic_add(&a[8], count); atomic_max(&a[9], most); atomic_min(&b[4], least); }
}";

/// CL-016: what is local is shared by the group, barriers are kept, also when work-items have gone; atomics.
#[test]
fn groups_share_local_memory_and_meet_at_barriers() {
    let program = compiled("locals.cl", LOCALS, Float::Soft);
    let mut device = Device::new();
    let [flags, early, atomics] = ["flags", "early", "atomics"].map(|k| program.kernel(k).unwrap());
    assert_eq!(early.local_bytes, 128);
    let (flags_at, early_at) = (device.load(flags), device.load(early));
    let atomics_at = device.load(atomics);
    for (global, group) in [(1, 1), (26, 13), (21, 7), (64, 32), (27, 9)] {
        let out = device.buffer(&vec![7; global as usize]);
        let range = Range::of(&[global], Some(&[group])).unwrap();
        device.run(flags, flags_at, range, &[address(out)]);
        assert_eq!(device.read(out), vec![17; global as usize], "{range:?}");

        let n = global - global / 4;
        device.run(
            early,
            early_at,
            range,
            &[address(out), Value::Bytes(&n.to_le_bytes())],
        );
        let sum = |i: u32| {
            (i / group * group..(i / group + 1) * group)
                .filter(|i| *i < n)
                .sum()
        };
        let want = |i: u32| if i < n { sum(i) } else { 17 };
        assert_eq!(
            device.read(out),
            (0..global).map(want).collect::<Vec<u32>>(),
            "{range:?}"
        );
        device.gpu.free(out).unwrap();

        let a = device.buffer(&[0, 0, 0, 0, !0, 100, 1, 0, 0, 0]);
        let b = device.buffer(&[0, 0, -100i32 as u32, 0, 500]);
        let f = device.buffer(&[0]);
        let bytes = global.to_le_bytes();
        let values = [address(a), address(b), address(f), Value::Bytes(&bytes)];
        device.run(atomics, atomics_at, range, &values);
        let all = || 0..global;
        let swapped = all().fold(1u32, |old, _| if old * 3 + 1 > 1000 { 7 } else { old + 5 });
        let want = [
            all().sum(),
            (2 * global).wrapping_neg(),
            all().fold(0, |bits, i| bits | 1 << (i % 32)),
            all().fold(0, |bits, i| bits ^ 1 << (i % 3)),
            all().fold(!0, |bits, i| bits & !(1 << (i % 5))),
            100u32.wrapping_sub(global),
            swapped,
            9,
            global,
            3 * (global - 1),
        ];
        assert_eq!(device.read(a), want, "{range:?}");
        let last = global as i32 - 1;
        let want = [
            global as i32,
            -last,
            last - 50,
            -3 * global as i32,
            5 - last,
        ];
        assert_eq!(device.read(b), want.map(|n| n as u32), "{range:?}");
        assert_eq!(device.read(f), [1.5f32.to_bits()]);
        for buffer in [a, b, f] {
            device.gpu.free(buffer).unwrap();
        }
    }
}

const ATOMICS: &str = "
#define AS memory_scope_work_group
kernel void atomics(global uint *out, global uint *order)
{
    local atomic_int sum, least, most;
    local atomic_uint bits;
    local atomic_float last;
    local atomic_flag once;
    uint n = get_local_id(0), size = get_local_size(0);
    if (n == 0) {
        atomic_init(&sum, 5); atomic_init(&least, 7); atomic_init(&most, -7); atomic_init(&bits, 0u);
        atomic_init(&last, 0.0f); atomic_flag_clear_explicit(&once, memory_order_relaxed, AS);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&sum, (int)n, memory_order_relaxed, AS);
    atomic_fetch_sub_explicit(&sum, 2, memory_order_acq_rel, AS);
    atomic_fetch_min_explicit(&least, 3 - (int)n, memory_order_relaxed, AS);
    atomic_fetch_max_explicit(&most, (int)n, memory_order_relaxed, AS);
    atomic_fetch_or_explicit(&bits, 1u << n % 32, memory_order_relaxed, AS);
    float seen = atomic_load_explicit(&last, memory_order_relaxed, AS);
    while (!atomic_compare_exchange_weak_explicit(&last, &seen, seen + 0.5f, memory_order_acq_rel, memory_order_relaxed, AS))
        ;
    bool first = !atomic_flag_test_and_set_explicit(&once, memory_order_relaxed, AS);
    uint at = atomic_fetch_add_explicit((volatile global atomic_uint *)out, 1u, memory_order_relaxed, AS);
    order[at] = n;
    global uint *p = out + 8 * (1 + get_group_id(0));
    if (first)
        atomic_fetch_add_explicit((volatile global atomic_uint *)p, 1u, memory_order_relaxed, AS);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, AS);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (n == 0) {
        p[1] = atomic_load_explicit(&sum, memory_order_relaxed, AS);
        p[2] = atomic_exchange_explicit(&least, 1, memory_order_relaxed, AS);
        p[3] = atomic_load_explicit(&most, memory_order_relaxed, AS);
        p[4] = atomic_fetch_xor_explicit(&bits, 1u, memory_order_relaxed, AS);
        p[5] = as_uint(atomic_exchange_explicit(&last, 1.0f, memory_order_relaxed, AS));
        int was = 2;
        p[6] = atomic_compare_exchange_strong_explicit(&least, &was, 9, memory_order_relaxed, memory_order_relaxed, AS);
        p[7] = was;
    }
}";

/// CL-025: in global and in local memory, of work-items that all come at once.
#[test]
fn atomics_with_order_and_scope_are_atomic() {
    let program = compiled_with("atomics.cl", ATOMICS, Float::Hard, &["-cl-std=CL3.0"]);
    let kernel = program.kernel("atomics").unwrap();
    let mut device = Device::new();
    let module = device.load(kernel);
    for (groups, size) in [(1, 1), (3, 13), (2, 64)] {
        let items = groups * size;
        let (out, order) = (
            device.buffer(&[0; 32]),
            device.buffer(&vec![0; items as usize]),
        );
        let range = Range::of(&[items], Some(&[size])).unwrap();
        device.run(kernel, module, range, &[address(out), address(order)]);
        let words = device.read(out);
        assert_eq!(words[0], items);
        let sum = 5 + size * (size - 1) / 2;
        let bits = ((1u64 << size.min(32)) - 1) as u32;
        for group in 1..=groups as usize {
            let want = [
                1,
                sum.wrapping_sub(2 * size),
                (3 - (size as i32 - 1)).min(3) as u32,
                size - 1,
                bits,
                (0.5 * size as f32).to_bits(),
                0,
                1,
            ];
            assert_eq!(words[8 * group..8 * group + 8], want, "{groups} x {size}");
        }
        let mut seen = device.read(order);
        seen.sort_unstable();
        let want: Vec<u32> = (0..items).map(|n| n / groups).collect();
        assert_eq!(seen, want);
        device.gpu.free(out).unwrap();
        device.gpu.free(order).unwrap();
    }
}

/// CL-002: what the device is, in each language; and functions that are not inlined.
#[test]
fn macros_say_what_the_device_is() {
    let text = "
        inline int three(int a) { return a * 3; }
        __attribute__((noinline)) int memset(int a) { return a + 1; }
        kernel void exit(global uint *o)
        {
            o[0] = __OPENCL_VERSION__; o[1] = __OPENCL_C_VERSION__; o[2] = __EMBEDDED_PROFILE__; o[3] = cles_khr_int64;
            o[4] = cl_khr_global_int32_base_atomics + cl_khr_global_int32_extended_atomics
                + cl_khr_local_int32_base_atomics + cl_khr_local_int32_extended_atomics + cl_khr_byte_addressable_store;
            o[5] = memset(three(4));
        }";
    for (flags, version) in [(&[] as &[&str], 120), (&["-cl-std=CL3.0", "-O0"], 300)] {
        let program = compiled_with("macros.cl", text, Float::Soft, flags);
        let kernel = program.kernel("exit").unwrap();
        let mut device = Device::new();
        let module = device.load(kernel);
        let out = device.buffer(&[0; 6]);
        device.run(
            kernel,
            module,
            Range::of(&[1], None).unwrap(),
            &[address(out)],
        );
        assert_eq!(device.read(out), [300, version, 1, 1, 5, 13], "{flags:?}");
    }
}
