//! Built-in functions of OpenCL C on the golden machine (CL-020 to CL-024), with float in the machine and without.

mod opencl_device;

use opencl_device::{address, compiled, Device};
use weft_cc::opencl::{Range, Value};
use weft_cc::Float;

/// Edges of 32 bits, and some between.
const EDGES: [i32; 14] = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    255,
    -256,
    65_535,
    1_000_003,
    -77_777_777,
    i32::MAX,
    i32::MIN,
    i32::MIN + 1,
];

const INTEGERS: &str = "
kernel void ints(global const int *in, global int *out, uint n)
{
    uint i = get_global_id(0);
    int a = in[i % n], b = in[i / n], c = in[(i * 5 + 3) % n];
    uint ua = a, ub = b, uc = c;
    global int *o = out + 32 * i;
    o[0] = abs(a); o[1] = abs_diff(a, b); o[2] = abs_diff(ua, ub); o[3] = add_sat(a, b); o[4] = add_sat(ua, ub);
    o[5] = sub_sat(a, b); o[6] = sub_sat(ua, ub); o[7] = hadd(a, b); o[8] = rhadd(a, b); o[9] = hadd(ua, ub);
    o[10] = clamp(a, min(b, c), max(b, c)); o[11] = clz(a); o[12] = popcount(ua); o[13] = mul_hi(a, b);
    o[14] = mul_hi(ua, ub); o[15] = mad_sat(a, b, c); o[16] = mad_sat(ua, ub, uc); o[17] = rotate(a, b);
    o[18] = mul24(a, b); o[19] = mul24(ua, ub); o[20] = mad24(ua, ub, uc); o[21] = mad_hi(a, b, c);
    o[22] = upsample((short)a, (ushort)b); o[23] = select(a, b, c); o[24] = bitselect(a, b, c);
    int4 v = (int4)(a, b, c, 5);
    o[25] = max(v, (int4)(b, c, a, 3)).y; o[26] = any(v) << 1 | all(v);
    o[27] = select(v, -v, (int4)(-1, 0, c, 1)).z; o[28] = as_int(convert_uchar4_sat(v));
    o[29] = as_int(convert_char4_sat(v)); o[30] = shuffle(v, (uint4)(3, 2, 1, 0)).x + shuffle2(v, -v, (uint4)(5, 6, 7, 0)).y;
    long la = (long)a << 20 | (uint)b;
    o[31] = mul_hi(la, (long)b << 17) ^ (int)rotate((ulong)la, 40ul) ^ (int)mad_sat(la, la, 7l) ^ (int)clz(la);
}";

/// Every value of the kernel above, by Rust's own operations.
fn integers(a: i32, b: i32, c: i32) -> [i32; 32] {
    let (ua, ub, uc) = (a as u32, b as u32, c as u32);
    let wide = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let product = i64::from(a) * i64::from(b);
    let uproduct = u64::from(ua) * u64::from(ub);
    let low24 = |n: i32| n << 8 >> 8;
    let v = [a, b, c, 5];
    let la = i64::from(a) << 20 | i64::from(ub);
    let saturated = (i128::from(la) * i128::from(la) + 7).min(i128::from(i64::MAX)) as i64;
    [
        a.unsigned_abs() as i32,
        a.abs_diff(b) as i32,
        ua.abs_diff(ub) as i32,
        a.saturating_add(b),
        ua.saturating_add(ub) as i32,
        a.saturating_sub(b),
        ua.saturating_sub(ub) as i32,
        ((i64::from(a) + i64::from(b)) >> 1) as i32,
        ((i64::from(a) + i64::from(b) + 1) >> 1) as i32,
        ((u64::from(ua) + u64::from(ub)) >> 1) as i32,
        a.clamp(b.min(c), b.max(c)),
        a.leading_zeros() as i32,
        a.count_ones() as i32,
        (product >> 32) as i32,
        (uproduct >> 32) as i32,
        wide(product.saturating_add(i64::from(c))),
        uproduct
            .saturating_add(u64::from(uc))
            .min(u64::from(u32::MAX)) as u32 as i32,
        a.rotate_left(ub & 31),
        low24(a).wrapping_mul(low24(b)),
        (ua & 0xff_ffff).wrapping_mul(ub & 0xff_ffff) as i32,
        (ua & 0xff_ffff)
            .wrapping_mul(ub & 0xff_ffff)
            .wrapping_add(uc) as i32,
        ((product >> 32) as i32).wrapping_add(c),
        a << 16 | (b & 0xffff),
        if c != 0 { b } else { a },
        (a & !c) | (b & c),
        b.max(c),
        i32::from(v.iter().any(|n| *n < 0)) << 1 | i32::from(v.iter().all(|n| *n < 0)),
        if c < 0 { c.wrapping_neg() } else { c },
        i32::from_le_bytes(v.map(|n| n.clamp(0, 255) as u8)),
        i32::from_le_bytes(v.map(|n| n.clamp(-128, 127) as i8 as u8)),
        5i32.wrapping_add(c.wrapping_neg()),
        ((i128::from(la) * i128::from(i64::from(b) << 17)) >> 64) as i32
            ^ (la as u64).rotate_left(40) as i32
            ^ saturated as i32
            ^ la.leading_zeros() as i32,
    ]
}

#[test]
fn functions_of_integers() {
    let program = compiled("ints.cl", INTEGERS, Float::Soft);
    let kernel = program.kernel("ints").unwrap();
    let mut device = Device::new();
    let module = device.load(kernel);
    let n = EDGES.len() as u32;
    let input = device.buffer(&EDGES.map(|v| v as u32));
    let output = device.buffer(&vec![0; (32 * n * n) as usize]);
    let count = n.to_le_bytes();
    let values = [address(input), address(output), Value::Bytes(&count)];
    device.run(
        kernel,
        module,
        Range::of(&[n * n], Some(&[14])).unwrap(),
        &values,
    );
    for (i, seen) in device.read(output).chunks(32).enumerate() {
        let [a, b, c] = [i % 14, i / 14, (i * 5 + 3) % 14].map(|at| EDGES[at]);
        let want = integers(a, b, c).map(|v| v as u32);
        for at in 0..32 {
            assert_eq!(seen[at], want[at], "value {at} of {a}, {b}, {c}");
        }
    }
}

const FLOATS: &str = "
kernel void floats(global const float *in, global float *out, uint n)
{
    uint i = get_global_id(0);
    float x = in[i], a = fabs(x);
    global float *o = out + 32 * i;
    o[0] = sqrt(a); o[1] = exp(x); o[2] = log(a); o[3] = cos(x); o[4] = sin(x); o[5] = atan(x); o[6] = rsqrt(a);
    o[7] = log10(a); o[8] = pow(a, 1.7f); o[9] = exp10(x); o[10] = fmod(x, 0.7f); o[11] = floor(x); o[12] = ceil(x);
    o[13] = tan(x); o[14] = exp2(x); o[15] = log2(a); o[16] = rint(x); o[17] = round(x); o[18] = trunc(x);
    o[19] = sinh(x); o[20] = tanh(x); o[21] = cbrt(x); o[22] = atan2(x, 0.3f); o[23] = hypot(x, 3.0f);
    o[24] = asin(x); o[25] = acos(x); o[26] = expm1(x); o[27] = log1p(a); o[28] = remainder(x, 0.7f);
    o[29] = cosh(x); o[30] = fma(x, x, -1.0f); o[31] = ldexp(x, 3);
}";

fn floats(x: f64) -> [f64; 32] {
    let a = x.abs();
    let seven = f64::from(0.7f32);
    let rest = a % seven;
    let rest = if rest > seven / 2.0 {
        rest - seven
    } else {
        rest
    };
    let rest = rest * x.signum();
    [
        a.sqrt(),
        x.exp(),
        a.ln(),
        x.cos(),
        x.sin(),
        x.atan(),
        1.0 / a.sqrt(),
        a.log10(),
        a.powf(f64::from(1.7f32)),
        10f64.powf(x),
        x % seven,
        x.floor(),
        x.ceil(),
        x.tan(),
        x.exp2(),
        a.log2(),
        x.round_ties_even(),
        x.round(),
        x.trunc(),
        x.sinh(),
        x.tanh(),
        x.cbrt(),
        x.atan2(f64::from(0.3f32)),
        x.hypot(3.0),
        x.asin(),
        x.acos(),
        x.exp_m1(),
        a.ln_1p(),
        rest,
        x.cosh(),
        x * x - 1.0,
        8.0 * x,
    ]
}

/// How many units of the last place.
fn ulps(seen: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if rounded.is_nan() || seen.is_nan() || rounded.is_infinite() || seen.is_infinite() {
        let same = rounded.is_nan() && seen.is_nan() || rounded == seen;
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = want.abs().log2().floor().max(-126.0);
    (f64::from(seen) - want).abs() / (exponent - 23.0).exp2()
}

/// The same bits with float in the machine and in a library, and near what double gives.
#[test]
fn functions_of_float() {
    let inputs = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.25,
        0.3,
        2.5,
        -3.5,
        10.0,
        31.5,
        -88.0,
        100.25,
        1e-20,
        -1e-40,
        1e10,
        -3e5,
        6.2831855,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MAX,
        1.0e38,
        -0.99,
    ];
    let n = inputs.len() as u32;
    let of = |float| {
        let program = compiled("floats.cl", FLOATS, float);
        let kernel = program.kernel("floats").unwrap();
        let mut device = Device::new();
        let module = device.load(kernel);
        let input = device.buffer(&inputs.map(f32::to_bits));
        let output = device.buffer(&vec![0; 32 * n as usize]);
        let count = n.to_le_bytes();
        let values = [address(input), address(output), Value::Bytes(&count)];
        device.run(
            kernel,
            module,
            Range::of(&[n], Some(&[12])).unwrap(),
            &values,
        );
        device.read(output)
    };
    let (hard, soft) = (of(Float::Hard), of(Float::Soft));
    for (i, x) in inputs.into_iter().enumerate() {
        let want = floats(f64::from(x));
        for at in 0..32 {
            let (h, s) = (
                f32::from_bits(hard[32 * i + at]),
                f32::from_bits(soft[32 * i + at]),
            );
            assert!(
                h.to_bits() == s.to_bits() || h.is_nan() && s.is_nan(),
                "function {at} of {x:e}: {h:e}, {s:e}"
            );
            let most = if at == 8 { 16.0 } else { 5.0 };
            let error = ulps(h, want[at]);
            assert!(
                error <= most,
                "function {at} of {x:e}: {h:e}, must be {:e}: {error} ulp",
                want[at]
            );
        }
    }
}

const CONVERSIONS: &str = "
kernel void conversions(global const float *in, global int *out, global float *back)
{
    uint i = get_global_id(0);
    float x = in[i];
    global int *o = out + 10 * i;
    o[0] = convert_int_sat(x); o[1] = convert_int_sat_rte(x); o[2] = convert_int_sat_rtp(x); o[3] = convert_int_sat_rtn(x);
    o[4] = convert_uint_sat(x); o[5] = convert_char_sat_rte(x); o[6] = convert_ushort_sat_rtz(x);
    o[7] = convert_int4_sat_rte((float4)(1, 2, x, 4)).z; o[8] = (int)(convert_long_sat(x) >> 32);
    private ushort h[2];
    vstore_half(x, 0, (private half *)h); vstore_half_rtz(x, 1, (private half *)h);
    o[9] = h[0] | h[1] << 16;
    back[4 * i] = vload_half(0, (private half *)h);
    int big = as_int(x);
    back[4 * i + 1] = convert_float_rtz(big); back[4 * i + 2] = convert_float_rtp(big); back[4 * i + 3] = convert_float_rtn((uint)big);
}";

/// Half by the definition: the nearest of all 65,536, and the largest that is not above.
fn halves() -> Vec<(f64, u16)> {
    let value = |h: u16| {
        let (e, m) = (i32::from(h >> 10 & 31), f64::from(h & 0x3ff));
        if e == 0 {
            m * 2f64.powi(-24)
        } else {
            (1.0 + m / 1024.0) * 2f64.powi(e - 15)
        }
    };
    (0..0x7c00).map(|h| (value(h), h)).collect()
}

#[test]
fn conversions() {
    let inputs = [
        0.0f32,
        0.5,
        1.5,
        2.5,
        -0.5,
        -1.5,
        127.5,
        128.0,
        -128.5,
        3e9,
        -3e9,
        5e9,
        1e20,
        -1e20,
        f32::NAN,
        65_504.0,
        65_519.9,
        65_520.0,
        1e-7,
        6.1e-5,
        -3.3333333,
        16_777_217.0,
        2_147_483_500.0,
        0.1,
    ];
    let program = compiled("conversions.cl", CONVERSIONS, Float::Hard);
    let kernel = program.kernel("conversions").unwrap();
    let mut device = Device::new();
    let module = device.load(kernel);
    let n = inputs.len();
    let input = device.buffer(&inputs.map(f32::to_bits));
    let (out, back) = (
        device.buffer(&vec![0; 10 * n]),
        device.buffer(&vec![0; 4 * n]),
    );
    let values = [input, out, back].map(address);
    device.run(
        kernel,
        module,
        Range::of(&[n as u32], Some(&[8])).unwrap(),
        &values,
    );
    let (out, back) = (device.read(out), device.read(back));
    let halves = halves();
    for (i, x) in inputs.into_iter().enumerate() {
        let wide = f64::from(x);
        let sat = |v: f64, least: f64, most: f64| {
            if v.is_nan() {
                0
            } else {
                v.clamp(least, most) as i64
            }
        };
        let int = |v: f64| sat(v, f64::from(i32::MIN), f64::from(i32::MAX)) as u32;
        let nearest = |v: f64| {
            let a = v.abs();
            // Behind the largest comes what would be next; halves between two go to the even one.
            let all = halves.iter().copied().chain([(65_536.0, 0x7c00)]);
            let best = all.min_by(|p, q| {
                let by = (p.0 - a).abs().total_cmp(&(q.0 - a).abs());
                by.then((p.1 & 1).cmp(&(q.1 & 1)))
            });
            let h = best.unwrap().1;
            if a >= 65_520.0 {
                0x7c00
            } else {
                h
            }
        };
        let below = |v: f64| halves.iter().rev().find(|h| h.0 <= v.abs()).unwrap().1;
        let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
        let half = match x.is_nan() {
            true => 0x7e00 | 0x7e00 << 16,
            false => u32::from(nearest(wide) | sign) | u32::from(below(wide) | sign) << 16,
        };
        let want = [
            int(wide.trunc()),
            int(wide.round_ties_even()),
            int(wide.ceil()),
            int(wide.floor()),
            sat(wide.trunc(), 0.0, f64::from(u32::MAX)) as u32,
            sat(wide.round_ties_even(), -128.0, 127.0) as u32,
            sat(wide.trunc(), 0.0, 65_535.0) as u32,
            int(wide.round_ties_even()),
            (sat(wide.trunc(), i64::MIN as f64, i64::MAX as f64) >> 32) as u32,
            half,
        ];
        for at in 0..10 {
            assert_eq!(out[10 * i + at], want[at], "conversion {at} of {x:e}");
        }
        let big = x.to_bits() as i32;
        let exact = f64::from(big);
        let [zero, up, down] = [1, 2, 3].map(|at| f64::from(f32::from_bits(back[4 * i + at])));
        let ulp = |v: f64| {
            if v == 0.0 {
                1.0
            } else {
                (v.abs().log2().floor() - 22.0).exp2()
            }
        };
        assert!(
            zero.abs() <= exact.abs() && exact.abs() - zero.abs() < ulp(exact),
            "{big}: {zero}"
        );
        assert!(up >= exact && up - exact < ulp(exact), "{big}: {up}");
        let exact = f64::from(x.to_bits());
        assert!(down <= exact && exact - down < ulp(exact), "{big}: {down}");
    }
}
