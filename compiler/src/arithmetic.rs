//! What instructions compute, for whoever runs code by numbers or by symbols.

use weft_isa::{AluOp, AmoOp, BranchCond, MulOp};

pub(crate) fn alu(op: AluOp, a: u32, b: u32) -> u32 {
    match op {
        AluOp::Add => a.wrapping_add(b),
        AluOp::Sub => a.wrapping_sub(b),
        AluOp::Sll => a.wrapping_shl(b),
        AluOp::Slt => u32::from((a as i32) < (b as i32)),
        AluOp::Sltu => u32::from(a < b),
        AluOp::Xor => a ^ b,
        AluOp::Srl => a.wrapping_shr(b),
        AluOp::Sra => (a as i32).wrapping_shr(b) as u32,
        AluOp::Or => a | b,
        AluOp::And => a & b,
    }
}

pub(crate) fn multiply(op: MulOp, a: u32, b: u32) -> u32 {
    let (left, right) = (a as i32, b as i32);
    match op {
        MulOp::Mul => a.wrapping_mul(b),
        MulOp::Mulh => ((i64::from(left) * i64::from(right)) >> 32) as u32,
        MulOp::Mulhsu => ((i64::from(left) * i64::from(b)) >> 32) as u32,
        MulOp::Mulhu => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        MulOp::Div if b == 0 => u32::MAX,
        MulOp::Div => left.wrapping_div(right) as u32,
        MulOp::Divu => a.checked_div(b).unwrap_or(u32::MAX),
        MulOp::Rem if b == 0 => a,
        MulOp::Rem => left.wrapping_rem(right) as u32,
        MulOp::Remu => a.checked_rem(b).unwrap_or(a),
    }
}

pub(crate) fn atomic(op: AmoOp, old: u32, by: u32) -> u32 {
    match op {
        AmoOp::Swap => by,
        AmoOp::Add => old.wrapping_add(by),
        AmoOp::Xor => old ^ by,
        AmoOp::And => old & by,
        AmoOp::Or => old | by,
        AmoOp::Min => (old as i32).min(by as i32) as u32,
        AmoOp::Max => (old as i32).max(by as i32) as u32,
        AmoOp::Minu => old.min(by),
        AmoOp::Maxu => old.max(by),
    }
}

pub(crate) fn holds(cond: BranchCond, a: u32, b: u32) -> bool {
    match cond {
        BranchCond::Eq => a == b,
        BranchCond::Ne => a != b,
        BranchCond::Lt => (a as i32) < (b as i32),
        BranchCond::Ge => (a as i32) >= (b as i32),
        BranchCond::Ltu => a < b,
        BranchCond::Geu => a >= b,
    }
}
