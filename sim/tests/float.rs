//! Float to the bit (ISA-040 to ISA-042): every edge against every edge in every mode, and random numbers, against a
//! second library and against what defines a square root.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Category, Float, Round};
use weft_isa::{ArithmeticOp, ExactOp, FloatInstr, FusedOp, RootOrConversion, Rounding};
use weft_sim::float::result;

const SIGN: u32 = 1 << 31;
const CANONICAL_NAN: u32 = 0x7FC0_0000;

const MODES: [Rounding; 5] = [
    Rounding::NearestEven,
    Rounding::TowardsZero,
    Rounding::Down,
    Rounding::Up,
    Rounding::NearestAway,
];

/// Limits of each class, and their neighbours.
fn edges() -> Vec<u32> {
    let limits = [
        0,
        1,
        2,
        0x0040_0000,
        0x007F_FFFF,
        0x0080_0000,
        0x0080_0001,
        0x00FF_FFFF,
        0x0100_0000,
        0x3380_0000,
        0x3400_0000,
        0x3F00_0000,
        0x3F7F_FFFF,
        0x3F80_0000,
        0x3F80_0001,
        0x3FC0_0000,
        0x4000_0000,
        0x4B00_0000,
        0x4B7F_FFFF,
        0x4B80_0000,
        0x4EFF_FFFF,
        0x4F00_0000,
        0x4F7F_FFFF,
        0x4F80_0000,
        0x7F00_0000,
        0x7F7F_FFFE,
        0x7F7F_FFFF,
        0x7F80_0000,
        0x7F80_0001,
        0x7FBF_FFFF,
        0x7FC0_0000,
        0x7FFF_FFFF,
    ];
    limits.into_iter().flat_map(|n| [n, n | SIGN]).collect()
}

/// Sources of a word: registers 1, 2, 3.
fn compute(instr: FloatInstr, sources: [u32; 3]) -> u32 {
    result(instr, |register| sources[usize::from(register) - 1])
}

fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven | Rounding::Dynamic => Round::NearestTiesToEven,
        Rounding::TowardsZero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::NearestAway => Round::NearestTiesToAway,
    }
}

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

/// RISC-V has one NaN.
fn bits(value: Single) -> u32 {
    match value.is_nan() {
        true => CANONICAL_NAN,
        false => value.to_bits() as u32,
    }
}

/// Numbers in their order, −0 below +0.
fn rank(number: u32) -> u32 {
    match number & SIGN {
        0 => number | SIGN,
        _ => !number,
    }
}

/// F 2.2: of a number and a NaN the number.
fn extreme(a: u32, b: u32, choose: fn(u32, u32) -> u32) -> u32 {
    match (single(a).is_nan(), single(b).is_nan()) {
        (true, true) => CANONICAL_NAN,
        (true, false) => b,
        (false, true) => a,
        _ => match choose(rank(a), rank(b)) == rank(a) {
            true => a,
            false => b,
        },
    }
}

/// What the second library says. It has no square root.
fn expected(instr: FloatInstr, [a, b, c]: [u32; 3]) -> Option<u32> {
    Some(match instr {
        FloatInstr::Fused { op, rounding, .. } => {
            let (p, s) = match op {
                FusedOp::MulAdd => (single(a), single(c)),
                FusedOp::MulSub => (single(a), -single(c)),
                FusedOp::NegMulSub => (-single(a), single(c)),
                FusedOp::NegMulAdd => (-single(a), -single(c)),
            };
            bits(p.mul_add_r(single(b), s, round(rounding)).value)
        }
        FloatInstr::Arithmetic { op, rounding, .. } => {
            let (x, y, round) = (single(a), single(b), round(rounding));
            bits(match op {
                ArithmeticOp::Add => x.add_r(y, round).value,
                ArithmeticOp::Sub => x.sub_r(y, round).value,
                ArithmeticOp::Mul => x.mul_r(y, round).value,
                ArithmeticOp::Div => x.div_r(y, round).value,
            })
        }
        FloatInstr::Unary { op, rounding, .. } => {
            let (x, round) = (single(a), round(rounding));
            match op {
                RootOrConversion::Sqrt => return None,
                RootOrConversion::ToSigned if x.is_nan() => i32::MAX as u32,
                RootOrConversion::ToUnsigned if x.is_nan() => u32::MAX,
                RootOrConversion::ToSigned => x.to_i128_r(32, round, &mut false).value as u32,
                RootOrConversion::ToUnsigned => x.to_u128_r(32, round, &mut false).value as u32,
                RootOrConversion::FromSigned => {
                    bits(Single::from_i128_r((a as i32).into(), round).value)
                }
                RootOrConversion::FromUnsigned => bits(Single::from_u128_r(a.into(), round).value),
            }
        }
        FloatInstr::Exact { op, .. } => {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            match op {
                ExactOp::SignCopy => x.copysign(y).to_bits(),
                ExactOp::SignNegate => x.copysign(-y).to_bits(),
                ExactOp::SignXor => a ^ (b >> 31 << 31),
                ExactOp::Min => extreme(a, b, u32::min),
                ExactOp::Max => extreme(a, b, u32::max),
                ExactOp::LessEqual => (x <= y).into(),
                ExactOp::Less => (x < y).into(),
                ExactOp::Equal => (x == y).into(),
            }
        }
        FloatInstr::Class { .. } => {
            let x = single(a);
            let bit = match (x.is_negative(), x.category()) {
                (_, Category::NaN) => 8 + u32::from(!x.is_signaling()),
                (true, Category::Infinity) => 0,
                (false, Category::Infinity) => 7,
                (true, Category::Zero) => 3,
                (false, Category::Zero) => 4,
                (true, _) => 1 + u32::from(x.is_denormal()),
                (false, _) => 6 - u32::from(x.is_denormal()),
            };
            1 << bit
        }
    })
}

/// Every word, with registers 1, 2, 3 as sources.
fn words() -> Vec<FloatInstr> {
    let (rd, rs1, rs2, rs3) = (4, 1, 2, 3);
    let exact = ExactOp::ALL.map(|op| FloatInstr::Exact { op, rd, rs1, rs2 });
    let mut words = vec![FloatInstr::Class { rd, rs1 }];
    words.extend(exact);
    for rounding in MODES {
        words.extend(ArithmeticOp::ALL.map(|op| FloatInstr::Arithmetic {
            op,
            rd,
            rs1,
            rs2,
            rounding,
        }));
        words.extend(RootOrConversion::ALL.map(|op| FloatInstr::Unary {
            op,
            rd,
            rs1,
            rounding,
        }));
        words.extend(FusedOp::ALL.map(|op| FloatInstr::Fused {
            op,
            rd,
            rs1,
            rs2,
            rs3,
            rounding,
        }));
    }
    words
}

fn check(instr: FloatInstr, sources: [u32; 3]) {
    let got = compute(instr, sources);
    let expected = expected(instr, sources).unwrap_or(got);
    assert_eq!(
        got, expected,
        "{:?} of {sources:08x?}: {got:08x}, the second library says {expected:08x}",
        instr
    );
    if let FloatInstr::Unary {
        op: RootOrConversion::Sqrt,
        rounding,
        ..
    } = instr
    {
        check_root(sources[0], got, rounding);
    }
}

/// The square of a binary32 number is exact in binary64.
fn check_root(a: u32, root: u32, rounding: Rounding) {
    let (value, square) = (f64::from(f32::from_bits(a)), |bits| {
        f64::from(f32::from_bits(bits)).powi(2)
    });
    if value.is_nan() || value < 0.0 {
        return assert_eq!(root, CANONICAL_NAN, "root of {a:08x}");
    }
    if value == 0.0 || value.is_infinite() {
        return assert_eq!(root, a, "root of {a:08x}");
    }
    let holds = match rounding {
        Rounding::TowardsZero | Rounding::Down => square(root) <= value && value < square(root + 1),
        Rounding::Up => square(root - 1) < value && value <= square(root),
        // No square root lies between two neighbours.
        _ => {
            let (low, high) = (f32::from_bits(root - 1), f32::from_bits(root + 1));
            let half = |n: f32| (f64::from(n) + f64::from(f32::from_bits(root))) / 2.0;
            half(low).powi(2) < value && value < half(high).powi(2)
        }
    };
    assert!(holds, "root of {a:08x} {rounding:?}: {root:08x}");
}

#[test]
fn edges_against_edges_in_every_mode() {
    let edges = edges();
    let mut checked = 0;
    for instr in words() {
        let fused = matches!(instr, FloatInstr::Fused { .. });
        for &a in &edges {
            for &b in &edges {
                // Of the third one a part, another one for each pair.
                let at = (a ^ b) as usize % edges.len();
                let third = if fused { 7 } else { 1 };
                for step in 0..third {
                    check(instr, [a, b, edges[(at + 9 * step) % edges.len()]]);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 700_000, "{checked}");
}

#[test]
fn random_numbers_in_every_mode() {
    let mut rng = ChaCha8Rng::seed_from_u64(51);
    for instr in words() {
        for _ in 0..4000 {
            let a: u32 = rng.gen();
            // Every other time near the first, so that sums cancel.
            let near = |rng: &mut ChaCha8Rng| match rng.gen() {
                true => rng.gen(),
                false => a ^ SIGN ^ rng.gen_range(0..1 << 25),
            };
            let (b, c) = (near(&mut rng), near(&mut rng));
            check(instr, [a, b, c]);
        }
    }
}

/// The library has other NaNs by default: this notices when its feature `riscv` is off.
#[test]
fn the_nan_is_that_of_riscv() {
    let signaling = 0x7F80_0001;
    let add = FloatInstr::Arithmetic {
        op: ArithmeticOp::Add,
        rd: 4,
        rs1: 1,
        rs2: 2,
        rounding: Rounding::Dynamic,
    };
    assert_eq!(compute(add, [signaling, 0x3F80_0000, 0]), CANONICAL_NAN);
}
