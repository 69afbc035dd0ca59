//! Instruction to machine word.

use crate::fields::*;
use crate::instr::LAST_BARRIER;
use crate::{
    float, mask, AluOp, AmoOp, BarrierOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond,
};
use crate::{LoadWidth, MulOp, StoreWidth};

/// Words without operands.
pub(crate) mod word {
    pub const FENCE_I: u32 = 0x0000_100F;
    pub const ECALL: u32 = 0x0000_0073;
    pub const EBREAK: u32 = 0x0010_0073;
    pub const YIELD: u32 = 0x0000_105B;
    pub const EXIT: u32 = 0x0000_205B;
}

/// funct5 of LR.W and SC.W.
pub(crate) const FUNCT5_LR: u32 = 0x02;
pub(crate) const FUNCT5_SC: u32 = 0x03;

/// rd of `subv.start` and `subv.auto`.
pub(crate) const SUBV_START: u8 = 12;
pub(crate) const SUBV_AUTO: u8 = SUBV_START + 16;

/// Machine word of an instruction.
///
/// # Errors
/// A field is out of range, an offset is odd, or the combination does not exist; nothing is
/// truncated silently.
pub fn encode(instr: Instr) -> Result<u32, EncodeError> {
    match instr {
        Instr::Lui { rd, imm } => upper(opcode::LUI, rd, imm),
        Instr::Auipc { rd, imm } => upper(opcode::AUIPC, rd, imm),
        Instr::Jal { rd, offset } => Ok(opcode::JAL | rd_field(rd)? | imm_j(offset)?),
        Instr::Jalr { rd, rs1, offset } => i_type(opcode::JALR, 0, rd, rs1, offset),
        Instr::Branch {
            cond,
            rs1,
            rs2,
            offset,
        } => Ok(b_type(opcode::BRANCH, branch_funct3(cond), rs1, rs2)? | imm_b(offset)?),
        Instr::Load {
            width,
            rd,
            rs1,
            offset,
        } => i_type(opcode::LOAD, load_funct3(width), rd, rs1, offset),
        Instr::Store {
            width,
            rs1,
            rs2,
            offset,
        } => Ok(b_type(opcode::STORE, store_funct3(width), rs1, rs2)? | imm_s(offset)?),
        Instr::OpImm { op, rd, rs1, imm } => op_imm(op, rd, rs1, imm),
        Instr::Op { op, rd, rs1, rs2 } => {
            let (funct3, funct7) = alu_functs(op);
            r_type(opcode::OP, funct3, funct7, rd, rs1, rs2)
        }
        Instr::Mul { op, rd, rs1, rs2 } => r_type(opcode::OP, mul_funct3(op), 1, rd, rs1, rs2),
        Instr::LoadReserved { rd, rs1, aq, rl } => amo(FUNCT5_LR, rd, rs1, 0, aq, rl),
        Instr::StoreConditional {
            rd,
            rs1,
            rs2,
            aq,
            rl,
        } => amo(FUNCT5_SC, rd, rs1, rs2, aq, rl),
        Instr::Amo {
            op,
            rd,
            rs1,
            rs2,
            aq,
            rl,
        } => amo(amo_funct5(op), rd, rs1, rs2, aq, rl),
        Instr::Csr { op, rd, csr, src } => csr_access(op, rd, csr, src),
        Instr::Fence { fields } => Ok(opcode::MISC_MEM | unsigned(fields.into(), 0xFFF)? << 20),
        Instr::FenceI => Ok(word::FENCE_I),
        Instr::Ecall => Ok(word::ECALL),
        Instr::Ebreak => Ok(word::EBREAK),
        Instr::Push { kind, offset } => {
            Ok(opcode::CUSTOM_0 | kind_field(kind)? << 7 | imm_j(offset)?)
        }
        Instr::Leave { kind, cond, offset } => {
            let (funct3, rs1) = leave_selector(cond);
            let fields = b_type(opcode::CUSTOM_1, funct3, rs1, 0)?;
            Ok(fields | kind_field(kind)? << 20 | imm_b(offset)?)
        }
        Instr::LeaveIndirect { kind, rs1, offset } => {
            Ok(i_type(opcode::CUSTOM_2, 0, 0, rs1, offset)? | kind_field(kind)? << 7)
        }
        Instr::Yield => Ok(word::YIELD),
        Instr::Exit => Ok(word::EXIT),
        Instr::Barrier { id, op } => barrier(id, op),
        Instr::Float(instr) => float::encode(instr),
        Instr::Mask(instr) => mask::encode(instr),
        Instr::SubVector { auto, offset } => {
            let rd = if auto { SUBV_AUTO } else { SUBV_START };
            Ok(opcode::CUSTOM_0 | rd_field(rd)? | imm_j(offset)?)
        }
    }
}

fn barrier(id: u8, op: BarrierOp) -> Result<u32, EncodeError> {
    if id > LAST_BARRIER {
        return Err(EncodeError::Barrier(id));
    }
    let (funct3, funct7, rs1, rs2) = match op {
        BarrierOp::Top { word } => (0, 0, 0, word),
        BarrierOp::TopNez { rs1, word } => (0, 1, rs1, word),
        BarrierOp::Bottom => (1, 0, 0, 0),
        BarrierOp::BottomNb => (1, 1, 0, 0),
        BarrierOp::Reset => (2, 0, 0, 0),
        BarrierOp::Arrive { word } => (3, 0, 0, word),
        BarrierOp::Wait { rs1 } => (4, 0, rs1, 0),
    };
    r_type(opcode::CUSTOM_3, funct3, funct7, id, rs1, rs2)
}

pub(crate) fn branch_funct3(cond: BranchCond) -> u32 {
    match cond {
        BranchCond::Eq => 0,
        BranchCond::Ne => 1,
        BranchCond::Lt => 4,
        BranchCond::Ge => 5,
        BranchCond::Ltu => 6,
        BranchCond::Geu => 7,
    }
}

fn load_funct3(width: LoadWidth) -> u32 {
    match width {
        LoadWidth::I8 => 0,
        LoadWidth::I16 => 1,
        LoadWidth::I32 => 2,
        LoadWidth::U8 => 4,
        LoadWidth::U16 => 5,
    }
}

fn store_funct3(width: StoreWidth) -> u32 {
    match width {
        StoreWidth::W8 => 0,
        StoreWidth::W16 => 1,
        StoreWidth::W32 => 2,
    }
}

/// (funct3, funct7)
fn alu_functs(op: AluOp) -> (u32, u32) {
    match op {
        AluOp::Add => (0, 0),
        AluOp::Sub => (0, 0x20),
        AluOp::Sll => (1, 0),
        AluOp::Slt => (2, 0),
        AluOp::Sltu => (3, 0),
        AluOp::Xor => (4, 0),
        AluOp::Srl => (5, 0),
        AluOp::Sra => (5, 0x20),
        AluOp::Or => (6, 0),
        AluOp::And => (7, 0),
    }
}

fn mul_funct3(op: MulOp) -> u32 {
    match op {
        MulOp::Mul => 0,
        MulOp::Mulh => 1,
        MulOp::Mulhsu => 2,
        MulOp::Mulhu => 3,
        MulOp::Div => 4,
        MulOp::Divu => 5,
        MulOp::Rem => 6,
        MulOp::Remu => 7,
    }
}

fn amo_funct5(op: AmoOp) -> u32 {
    match op {
        AmoOp::Add => 0x00,
        AmoOp::Swap => 0x01,
        AmoOp::Xor => 0x04,
        AmoOp::Or => 0x08,
        AmoOp::And => 0x0C,
        AmoOp::Min => 0x10,
        AmoOp::Max => 0x14,
        AmoOp::Minu => 0x18,
        AmoOp::Maxu => 0x1C,
    }
}

/// (funct3, rs1)
fn leave_selector(cond: LeaveCond) -> (u32, u8) {
    match cond {
        LeaveCond::Always => (0, 0),
        LeaveCond::Nez(rs1) => (1, rs1),
        LeaveCond::Eqz(rs1) => (2, rs1),
    }
}

fn op_imm(op: AluOp, rd: u8, rs1: u8, imm: i32) -> Result<u32, EncodeError> {
    let (funct3, funct7) = alu_functs(op);
    match op {
        AluOp::Sub => Err(EncodeError::SubImmediate),
        AluOp::Sll | AluOp::Srl | AluOp::Sra => {
            let fields = i_type(opcode::OP_IMM, funct3, rd, rs1, 0)?;
            Ok(fields | funct7 << 25 | imm_shift(imm)?)
        }
        _ => i_type(opcode::OP_IMM, funct3, rd, rs1, imm),
    }
}

fn amo(funct5: u32, rd: u8, rs1: u8, rs2: u8, aq: bool, rl: bool) -> Result<u32, EncodeError> {
    let funct7 = funct5 << 2 | u32::from(aq) << 1 | u32::from(rl);
    r_type(opcode::AMO, 2, funct7, rd, rs1, rs2)
}

fn csr_access(op: CsrOp, rd: u8, csr: u16, src: CsrSrc) -> Result<u32, EncodeError> {
    let base = match op {
        CsrOp::Write => 1,
        CsrOp::Set => 2,
        CsrOp::Clear => 3,
    };
    let (funct3, source) = match src {
        CsrSrc::Reg(rs1) => (base, register(rs1)?),
        CsrSrc::Imm(imm) => (base | 4, unsigned(imm.into(), 31)?),
    };
    let number = unsigned(csr.into(), 0xFFF)?;
    Ok(opcode::SYSTEM | rd_field(rd)? | funct3 << 12 | source << 15 | number << 20)
}

fn kind_field(kind: Kind) -> Result<u32, EncodeError> {
    match Kind::software(kind.code()) {
        Some(kind) => Ok(kind.code().into()),
        None => Err(EncodeError::Kind(kind.code())),
    }
}
