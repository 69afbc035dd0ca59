//! Instruction to machine word.

use crate::instr::LAST_BARRIER;
use crate::{mask, AluOp, AmoOp, BarrierOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond};
use crate::{LoadWidth, MulOp, StoreWidth};

/// Major opcodes (bits 6:0).
pub(crate) mod opcode {
    pub const LOAD: u32 = 0x03;
    pub const CUSTOM_0: u32 = 0x0B;
    pub const MISC_MEM: u32 = 0x0F;
    pub const OP_IMM: u32 = 0x13;
    pub const AUIPC: u32 = 0x17;
    pub const STORE: u32 = 0x23;
    pub const CUSTOM_1: u32 = 0x2B;
    pub const AMO: u32 = 0x2F;
    pub const OP: u32 = 0x33;
    pub const LUI: u32 = 0x37;
    pub const CUSTOM_2: u32 = 0x5B;
    pub const CUSTOM_3: u32 = 0x7B;
    pub const BRANCH: u32 = 0x63;
    pub const JALR: u32 = 0x67;
    pub const JAL: u32 = 0x6F;
    pub const SYSTEM: u32 = 0x73;
}

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

/// Why an [`Instr`] has no machine word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    #[error("register x{0} does not exist")]
    Register(u8),
    #[error("{value} does not fit: {min} to {max}")]
    Range { value: i64, min: i64, max: i64 },
    #[error("offset {0} is odd")]
    OddOffset(i32),
    #[error("the low 12 bits of the upper immediate {0:#x} are not zero")]
    UpperLowBits(u32),
    #[error("sub has no immediate form")]
    SubImmediate,
    #[error("token type {0} is not one that software may name (0 to 9)")]
    Kind(u8),
    #[error("there is no barrier {0}: 0 to {LAST_BARRIER}")]
    Barrier(u8),
    #[error("exec cannot be written or named here: m0 to m7")]
    ExecDestination,
}

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

/// I-format immediate in bits 31:20.
pub(crate) fn imm_i(value: i32) -> Result<u32, EncodeError> {
    Ok(signed(value, -2048, 2047)? << 20)
}

/// S-format immediate.
pub(crate) fn imm_s(value: i32) -> Result<u32, EncodeError> {
    let bits = signed(value, -2048, 2047)?;
    Ok((bits >> 5 & 0x7F) << 25 | (bits & 0x1F) << 7)
}

/// B-format byte offset.
pub(crate) fn imm_b(offset: i32) -> Result<u32, EncodeError> {
    let bits = even(offset, -4096, 4094)?;
    Ok((bits >> 12 & 1) << 31
        | (bits >> 5 & 0x3F) << 25
        | (bits >> 1 & 0xF) << 8
        | (bits >> 11 & 1) << 7)
}

/// J-format byte offset.
pub(crate) fn imm_j(offset: i32) -> Result<u32, EncodeError> {
    let bits = even(offset, -0x10_0000, 0xF_FFFE)?;
    Ok((bits >> 20 & 1) << 31
        | (bits >> 1 & 0x3FF) << 21
        | (bits >> 11 & 1) << 20
        | (bits >> 12 & 0xFF) << 12)
}

/// Shift amount of a 32-bit register, in bits 24:20.
pub(crate) fn imm_shift(amount: i32) -> Result<u32, EncodeError> {
    Ok(signed(amount, 0, 31)? << 20)
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

fn upper(opcode: u32, rd: u8, imm: u32) -> Result<u32, EncodeError> {
    if imm & 0xFFF != 0 {
        return Err(EncodeError::UpperLowBits(imm));
    }
    Ok(opcode | rd_field(rd)? | imm)
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

pub(crate) fn r_type(
    opcode: u32,
    funct3: u32,
    funct7: u32,
    rd: u8,
    rs1: u8,
    rs2: u8,
) -> Result<u32, EncodeError> {
    Ok(b_type(opcode, funct3, rs1, rs2)? | rd_field(rd)? | funct7 << 25)
}

pub(crate) fn i_type(
    opcode: u32,
    funct3: u32,
    rd: u8,
    rs1: u8,
    imm: i32,
) -> Result<u32, EncodeError> {
    Ok(opcode | rd_field(rd)? | funct3 << 12 | register(rs1)? << 15 | imm_i(imm)?)
}

/// B- and S-format without the immediate.
pub(crate) fn b_type(opcode: u32, funct3: u32, rs1: u8, rs2: u8) -> Result<u32, EncodeError> {
    Ok(opcode | funct3 << 12 | register(rs1)? << 15 | register(rs2)? << 20)
}

pub(crate) fn rd_field(rd: u8) -> Result<u32, EncodeError> {
    Ok(register(rd)? << 7)
}

fn register(number: u8) -> Result<u32, EncodeError> {
    if number < 32 {
        Ok(number.into())
    } else {
        Err(EncodeError::Register(number))
    }
}

fn kind_field(kind: Kind) -> Result<u32, EncodeError> {
    match Kind::software(kind.code()) {
        Some(kind) => Ok(kind.code().into()),
        None => Err(EncodeError::Kind(kind.code())),
    }
}

/// Two's complement bits of a value within limits that span a power of two.
fn signed(value: i32, min: i32, max: i32) -> Result<u32, EncodeError> {
    if (min..=max).contains(&value) {
        Ok(value as u32 & (max - min) as u32)
    } else {
        Err(EncodeError::Range {
            value: value.into(),
            min: min.into(),
            max: max.into(),
        })
    }
}

fn unsigned(value: u32, max: u32) -> Result<u32, EncodeError> {
    if value <= max {
        Ok(value)
    } else {
        Err(EncodeError::Range {
            value: value.into(),
            min: 0,
            max: max.into(),
        })
    }
}

/// Bits of an even offset within limits. Callers pick the bits of their format.
fn even(offset: i32, min: i32, max: i32) -> Result<u32, EncodeError> {
    if offset & 1 != 0 {
        return Err(EncodeError::OddOffset(offset));
    }
    if (min..=max).contains(&offset) {
        Ok(offset as u32)
    } else {
        Err(EncodeError::Range {
            value: offset.into(),
            min: min.into(),
            max: max.into(),
        })
    }
}
