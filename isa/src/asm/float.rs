//! Mnemonics of RV32 Zfinx and their operands.

use super::cursor::Cursor;
use super::error::Fault;
use crate::Rounding;
use crate::{ArithmeticOp, CsrOp, CsrSrc, ExactOp, FloatInstr, FusedOp, Instr, RootOrConversion};

const FFLAGS: u16 = 1;
const FRM: u16 = 2;
const FCSR: u16 = 3;

/// Operand form of a mnemonic.
#[derive(Clone, Copy)]
pub(super) enum FloatForm {
    /// `rd, rs1, rs2, rs3`, and maybe a rounding mode.
    Fused(FusedOp),
    /// `rd, rs1, rs2`, and maybe a rounding mode.
    Arithmetic(ArithmeticOp),
    /// `rd, rs1`, and maybe a rounding mode.
    Unary(RootOrConversion),
    /// `rd, rs1, rs2`
    Exact(ExactOp),
    /// `rd, rs1, rs2` meaning `op rd, rs2, rs1`.
    Swapped(ExactOp),
    /// `rd, rs` meaning `op rd, rs, rs`.
    Sign(ExactOp),
    /// `rd, rs1`
    Class,
    /// `rd`
    ReadCsr(u16),
    /// `rs`, or `rd, rs`.
    SwapCsr(u16),
    /// `immediate`, or `rd, immediate`.
    SwapCsrImmediate(u16),
}

/// Mnemonics that stand for other words.
const SHORT: [(&str, FloatForm); 15] = [
    ("fmv.s", FloatForm::Sign(ExactOp::SignCopy)),
    ("fneg.s", FloatForm::Sign(ExactOp::SignNegate)),
    ("fabs.s", FloatForm::Sign(ExactOp::SignXor)),
    ("fgt.s", FloatForm::Swapped(ExactOp::Less)),
    ("fge.s", FloatForm::Swapped(ExactOp::LessEqual)),
    ("frflags", FloatForm::ReadCsr(FFLAGS)),
    ("fsflags", FloatForm::SwapCsr(FFLAGS)),
    ("fsflagsi", FloatForm::SwapCsrImmediate(FFLAGS)),
    ("frrm", FloatForm::ReadCsr(FRM)),
    ("fsrm", FloatForm::SwapCsr(FRM)),
    ("fsrmi", FloatForm::SwapCsrImmediate(FRM)),
    ("frcsr", FloatForm::ReadCsr(FCSR)),
    ("fscsr", FloatForm::SwapCsr(FCSR)),
    // Older names.
    ("frsr", FloatForm::ReadCsr(FCSR)),
    ("fssr", FloatForm::SwapCsr(FCSR)),
];

/// All mnemonics.
pub(super) fn mnemonics() -> impl Iterator<Item = (&'static str, FloatForm)> {
    let fused = FusedOp::ALL.map(|op| (op.name(), FloatForm::Fused(op)));
    let arithmetic = ArithmeticOp::ALL.map(|op| (op.name(), FloatForm::Arithmetic(op)));
    let unary = RootOrConversion::ALL.map(|op| (op.name(), FloatForm::Unary(op)));
    let exact = ExactOp::ALL.map(|op| (op.name(), FloatForm::Exact(op)));
    let own = fused.into_iter().chain(arithmetic).chain(unary);
    let own = own.chain(exact).chain([("fclass.s", FloatForm::Class)]);
    own.chain(SHORT)
}

/// Reads the operands of a mnemonic.
pub(super) fn instruction(form: FloatForm, cursor: &mut Cursor) -> Result<Instr, Fault> {
    let swap = |rd, csr, src| Instr::Csr {
        op: CsrOp::Write,
        rd,
        csr,
        src,
    };
    Ok(Instr::Float(match form {
        FloatForm::Fused(op) => {
            let (rd, rs1) = (cursor.register_then_comma()?, cursor.register_then_comma()?);
            let (rs2, rs3) = (cursor.register_then_comma()?, cursor.register()?);
            FloatInstr::Fused {
                op,
                rd,
                rs1,
                rs2,
                rs3,
                rounding: rounding(cursor)?,
            }
        }
        FloatForm::Arithmetic(op) => {
            let (rd, rs1) = (cursor.register_then_comma()?, cursor.register_then_comma()?);
            FloatInstr::Arithmetic {
                op,
                rd,
                rs1,
                rs2: cursor.register()?,
                rounding: rounding(cursor)?,
            }
        }
        FloatForm::Unary(op) => FloatInstr::Unary {
            op,
            rd: cursor.register_then_comma()?,
            rs1: cursor.register()?,
            rounding: rounding(cursor)?,
        },
        FloatForm::Exact(op) => FloatInstr::Exact {
            op,
            rd: cursor.register_then_comma()?,
            rs1: cursor.register_then_comma()?,
            rs2: cursor.register()?,
        },
        FloatForm::Swapped(op) => {
            let (rd, rs2) = (cursor.register_then_comma()?, cursor.register_then_comma()?);
            let rs1 = cursor.register()?;
            FloatInstr::Exact { op, rd, rs1, rs2 }
        }
        FloatForm::Sign(op) => {
            let rd = cursor.register_then_comma()?;
            let source = cursor.register()?;
            FloatInstr::Exact {
                op,
                rd,
                rs1: source,
                rs2: source,
            }
        }
        FloatForm::Class => FloatInstr::Class {
            rd: cursor.register_then_comma()?,
            rs1: cursor.register()?,
        },
        FloatForm::ReadCsr(csr) => {
            return Ok(Instr::Csr {
                op: CsrOp::Set,
                rd: cursor.register()?,
                csr,
                src: CsrSrc::Reg(0),
            })
        }
        FloatForm::SwapCsr(csr) => {
            let first = cursor.register()?;
            return Ok(match cursor.take(',') {
                true => swap(first, csr, CsrSrc::Reg(cursor.register()?)),
                false => swap(0, csr, CsrSrc::Reg(first)),
            });
        }
        FloatForm::SwapCsrImmediate(csr) => {
            let rd = match cursor.is_register() {
                true => cursor.register_then_comma()?,
                false => 0,
            };
            let value = cursor.constant_in("a CSR immediate", 31)? as u8;
            return Ok(swap(rd, csr, CsrSrc::Imm(value)));
        }
    }))
}

/// `, rtz` or nothing, which is the dynamic mode.
fn rounding(cursor: &mut Cursor) -> Result<Rounding, Fault> {
    match cursor.take(',') {
        true => cursor.rounding(),
        false => Ok(Rounding::Dynamic),
    }
}
