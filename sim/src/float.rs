//! What a float instruction computes: IEEE 754-2008 binary32 as RISC-V F 2.2 has it (`docs/spec/isa.md`, *Float*).
//!
//! The arithmetic is Berkeley SoftFloat's. Flags are not kept (ISA-041).

use softfloat_wrapper::{Float, RoundingMode, F32};
use weft_isa::{ArithmeticOp, ExactOp, FloatInstr, FusedOp, RootOrConversion, Rounding};

/// `fflags`, `frm`, `fcsr`.
pub const FFLAGS: u16 = 1;
pub const FRM: u16 = 2;
pub const FCSR: u16 = 3;

const SIGN: u32 = 1 << 31;
const CANONICAL_NAN: u32 = 0x7FC0_0000;

/// ISA-041: may this be written? All three read 0. Rounding is nearest even, and flags are forgotten.
pub fn may_write(csr: u16, value: u32) -> bool {
    let rounding = match csr {
        FRM => value,
        FCSR => value >> 5,
        _ => 0,
    };
    rounding & 7 == 0
}

/// The result, from the values of the sources.
pub fn result(instr: FloatInstr, source: impl Fn(u8) -> u32) -> u32 {
    let number = |register| F32::from_bits(source(register));
    match instr {
        FloatInstr::Fused {
            op,
            rs1,
            rs2,
            rs3,
            rounding,
            ..
        } => {
            let (negate_product, negate_addend) = match op {
                FusedOp::MulAdd => (0, 0),
                FusedOp::MulSub => (0, SIGN),
                FusedOp::NegMulSub => (SIGN, 0),
                FusedOp::NegMulAdd => (SIGN, SIGN),
            };
            let factor = F32::from_bits(source(rs1) ^ negate_product);
            let addend = F32::from_bits(source(rs3) ^ negate_addend);
            let sum = factor.fused_mul_add(number(rs2), addend, mode(rounding));
            sum.to_bits()
        }
        FloatInstr::Arithmetic {
            op,
            rs1,
            rs2,
            rounding,
            ..
        } => {
            let (a, b, mode) = (number(rs1), number(rs2), mode(rounding));
            let result = match op {
                ArithmeticOp::Add => a.add(b, mode),
                ArithmeticOp::Sub => a.sub(b, mode),
                ArithmeticOp::Mul => a.mul(b, mode),
                ArithmeticOp::Div => a.div(b, mode),
            };
            result.to_bits()
        }
        FloatInstr::Unary {
            op, rs1, rounding, ..
        } => {
            let (value, mode) = (source(rs1), mode(rounding));
            let number = F32::from_bits(value);
            match op {
                RootOrConversion::Sqrt => number.sqrt(mode).to_bits(),
                RootOrConversion::ToSigned => number.to_i32(mode, true) as u32,
                RootOrConversion::ToUnsigned => number.to_u32(mode, true),
                RootOrConversion::FromSigned => F32::from_i32(value as i32, mode).to_bits(),
                RootOrConversion::FromUnsigned => F32::from_u32(value, mode).to_bits(),
            }
        }
        FloatInstr::Exact { op, rs1, rs2, .. } => exact(op, source(rs1), source(rs2)),
        FloatInstr::Class { rs1, .. } => 1 << class(source(rs1)),
    }
}

fn mode(rounding: Rounding) -> RoundingMode {
    match rounding {
        Rounding::NearestEven | Rounding::Dynamic => RoundingMode::TiesToEven,
        Rounding::TowardsZero => RoundingMode::TowardZero,
        Rounding::Down => RoundingMode::TowardNegative,
        Rounding::Up => RoundingMode::TowardPositive,
        Rounding::NearestAway => RoundingMode::TiesToAway,
    }
}

fn exact(op: ExactOp, a: u32, b: u32) -> u32 {
    let (x, y) = (F32::from_bits(a), F32::from_bits(b));
    let below = || x.lt_quiet(y) || (x.eq(y) && a > b);
    match op {
        ExactOp::SignCopy => a & !SIGN | b & SIGN,
        ExactOp::SignNegate => a & !SIGN | !b & SIGN,
        ExactOp::SignXor => a ^ b & SIGN,
        ExactOp::Min | ExactOp::Max => match (x.is_nan(), y.is_nan(), below()) {
            (true, true, _) => CANONICAL_NAN,
            (true, false, _) => b,
            (false, true, _) => a,
            // −0 is below +0.
            (false, false, below) if below == (op == ExactOp::Min) => a,
            (false, false, _) => b,
        },
        ExactOp::LessEqual => x.le_quiet(y).into(),
        ExactOp::Less => x.lt_quiet(y).into(),
        ExactOp::Equal => x.eq(y).into(),
    }
}

/// Number of the bit that `fclass.s` sets.
fn class(value: u32) -> u32 {
    let number = F32::from_bits(value);
    if number.is_nan() {
        return if number.is_signaling_nan() { 8 } else { 9 };
    }
    let magnitude = match value & !SIGN {
        0 => 0,
        0x7F80_0000 => 3,
        1..=0x007F_FFFF => 1,
        _ => 2,
    };
    // From −∞ over −0 and +0 to +∞.
    if value & SIGN == 0 {
        4 + magnitude
    } else {
        3 - magnitude
    }
}
