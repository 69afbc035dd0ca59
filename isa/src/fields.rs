//! Fields of a machine word: opcodes, formats, immediates.

use crate::instr::LAST_BARRIER;

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
    pub const MADD: u32 = 0x43;
    pub const MSUB: u32 = 0x47;
    pub const NMSUB: u32 = 0x4B;
    pub const NMADD: u32 = 0x4F;
    pub const OP_FP: u32 = 0x53;
    pub const CUSTOM_2: u32 = 0x5B;
    pub const CUSTOM_3: u32 = 0x7B;
    pub const BRANCH: u32 = 0x63;
    pub const JALR: u32 = 0x67;
    pub const JAL: u32 = 0x6F;
    pub const SYSTEM: u32 = 0x73;
}

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

pub(crate) fn rd_field(rd: u8) -> Result<u32, EncodeError> {
    Ok(register(rd)? << 7)
}

pub(crate) fn register(number: u8) -> Result<u32, EncodeError> {
    if number < 32 {
        Ok(number.into())
    } else {
        Err(EncodeError::Register(number))
    }
}

pub(crate) fn upper(opcode: u32, rd: u8, imm: u32) -> Result<u32, EncodeError> {
    if imm & 0xFFF != 0 {
        return Err(EncodeError::UpperLowBits(imm));
    }
    Ok(opcode | rd_field(rd)? | imm)
}

/// Two's complement bits of a value within limits that span a power of two.
pub(crate) fn signed(value: i32, min: i32, max: i32) -> Result<u32, EncodeError> {
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

pub(crate) fn unsigned(value: u32, max: u32) -> Result<u32, EncodeError> {
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
pub(crate) fn even(offset: i32, min: i32, max: i32) -> Result<u32, EncodeError> {
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
