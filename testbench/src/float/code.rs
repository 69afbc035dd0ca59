//! Codes of passes (FLOAT-020), and what they compute by the golden model.

use weft_isa::{ArithmeticOp, ExactOp, FloatInstr, FusedOp, RootOrConversion, Rounding};

/// Those below are sums.
pub const PRODUCT: u8 = 6;
pub const DIVIDE: u8 = 7;
pub const ROOT: u8 = 8;
pub const TO_SIGNED: u8 = 9;
pub const TO_UNSIGNED: u8 = 10;
pub const FROM_SIGNED: u8 = 11;
pub const FROM_UNSIGNED: u8 = 12;
pub const CLASS: u8 = 21;
/// Codes from 0 to this one less.
pub const ALL: u8 = 22;
/// What `pass_rounding` may be.
pub const MODES: [u8; 6] = [0, 1, 2, 3, 4, 7];

/// How many operands it reads.
pub fn operands(code: u8) -> usize {
    match code {
        0..=3 => 3,
        4..=7 | 13..=20 => 2,
        _ => 1,
    }
}

/// Whether the mode counts.
pub fn rounds(code: u8) -> bool {
    code < 13
}

/// It is only sent to an idle unit.
pub fn is_slow(code: u8) -> bool {
    code == DIVIDE || code == ROOT
}

pub fn rounding(mode: u8) -> Rounding {
    match mode {
        0 => Rounding::NearestEven,
        1 => Rounding::TowardsZero,
        2 => Rounding::Down,
        3 => Rounding::Up,
        4 => Rounding::NearestAway,
        _ => Rounding::Dynamic,
    }
}

/// The instruction: x4 of x1, x2 and x3.
pub fn instruction(code: u8, mode: u8) -> FloatInstr {
    let rounding = rounding(mode);
    let (rd, rs1, rs2, rs3) = (4, 1, 2, 3);
    let fused = |op| FloatInstr::Fused {
        op,
        rd,
        rs1,
        rs2,
        rs3,
        rounding,
    };
    let arithmetic = |op| FloatInstr::Arithmetic {
        op,
        rd,
        rs1,
        rs2,
        rounding,
    };
    let unary = |op| FloatInstr::Unary {
        op,
        rd,
        rs1,
        rounding,
    };
    let exact = |op| FloatInstr::Exact { op, rd, rs1, rs2 };
    match code {
        0 => fused(FusedOp::MulAdd),
        1 => fused(FusedOp::MulSub),
        2 => fused(FusedOp::NegMulSub),
        3 => fused(FusedOp::NegMulAdd),
        4 => arithmetic(ArithmeticOp::Add),
        5 => arithmetic(ArithmeticOp::Sub),
        PRODUCT => arithmetic(ArithmeticOp::Mul),
        DIVIDE => arithmetic(ArithmeticOp::Div),
        ROOT => unary(RootOrConversion::Sqrt),
        TO_SIGNED => unary(RootOrConversion::ToSigned),
        TO_UNSIGNED => unary(RootOrConversion::ToUnsigned),
        FROM_SIGNED => unary(RootOrConversion::FromSigned),
        FROM_UNSIGNED => unary(RootOrConversion::FromUnsigned),
        13 => exact(ExactOp::SignCopy),
        14 => exact(ExactOp::SignNegate),
        15 => exact(ExactOp::SignXor),
        16 => exact(ExactOp::Min),
        17 => exact(ExactOp::Max),
        18 => exact(ExactOp::LessEqual),
        19 => exact(ExactOp::Less),
        20 => exact(ExactOp::Equal),
        _ => FloatInstr::Class { rd, rs1 },
    }
}

/// The word that comes of these operands: that of the golden model.
pub fn due(code: u8, mode: u8, operands: [u32; 3]) -> u32 {
    weft_sim::float::result(instruction(code, mode), |register| {
        operands[usize::from(register) - 1]
    })
}
