//! Machine word to instruction. Strict: what `docs/spec/isa.md` does not list does not decode.

use crate::encode::{word, FUNCT5_LR, FUNCT5_SC, SUBV_AUTO, SUBV_START};
use crate::fields::opcode;
use crate::instr::LAST_BARRIER;
use crate::{
    float, mask, AluOp, AmoOp, BarrierOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond,
};
use crate::{LoadWidth, MulOp, StoreWidth};

/// The word is not an instruction of RV32IMA, Zicsr, Zifencei, Zfinx or Xweft: a reserved encoding, a
/// token type above 9, a barrier above 7, or a nonzero field that must be zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal instruction {word:#010x}")]
pub struct DecodeError {
    pub word: u32,
}

/// The instruction of a machine word. [`crate::encode`] gives the same word back.
///
/// # Errors
/// [`DecodeError`] for every word that is not an instruction.
pub fn decode(word: u32) -> Result<Instr, DecodeError> {
    Fields(word).instr().ok_or(DecodeError { word })
}

/// Field view of a word.
#[derive(Clone, Copy)]
struct Fields(u32);

impl Fields {
    fn opcode(self) -> u32 {
        self.0 & 0x7F
    }
    fn rd(self) -> u8 {
        (self.0 >> 7 & 0x1F) as u8
    }
    fn funct3(self) -> u32 {
        self.0 >> 12 & 7
    }
    fn rs1(self) -> u8 {
        (self.0 >> 15 & 0x1F) as u8
    }
    fn rs2(self) -> u8 {
        (self.0 >> 20 & 0x1F) as u8
    }
    fn funct7(self) -> u32 {
        self.0 >> 25
    }
    /// Bits 31:20, unsigned.
    fn top12(self) -> u16 {
        (self.0 >> 20) as u16
    }
    fn imm_i(self) -> i32 {
        self.0 as i32 >> 20
    }
    fn imm_s(self) -> i32 {
        (self.0 as i32 >> 25) << 5 | i32::from(self.rd())
    }
    fn imm_b(self) -> i32 {
        let low = (self.0 >> 8 & 0xF) << 1 | (self.0 >> 25 & 0x3F) << 5 | (self.0 >> 7 & 1) << 11;
        (self.0 as i32 >> 31) << 12 | low as i32
    }
    fn imm_j(self) -> i32 {
        let low =
            (self.0 >> 21 & 0x3FF) << 1 | (self.0 >> 20 & 1) << 11 | (self.0 >> 12 & 0xFF) << 12;
        (self.0 as i32 >> 31) << 20 | low as i32
    }
    fn upper(self) -> u32 {
        self.0 & 0xFFFF_F000
    }

    fn instr(self) -> Option<Instr> {
        let (rd, rs1, rs2) = (self.rd(), self.rs1(), self.rs2());
        Some(match self.opcode() {
            opcode::LUI => Instr::Lui {
                rd,
                imm: self.upper(),
            },
            opcode::AUIPC => Instr::Auipc {
                rd,
                imm: self.upper(),
            },
            opcode::JAL => Instr::Jal {
                rd,
                offset: self.imm_j(),
            },
            opcode::JALR if self.funct3() == 0 => Instr::Jalr {
                rd,
                rs1,
                offset: self.imm_i(),
            },
            opcode::BRANCH => Instr::Branch {
                cond: self.branch_cond()?,
                rs1,
                rs2,
                offset: self.imm_b(),
            },
            opcode::LOAD => Instr::Load {
                width: self.load_width()?,
                rd,
                rs1,
                offset: self.imm_i(),
            },
            opcode::STORE => Instr::Store {
                width: self.store_width()?,
                rs1,
                rs2,
                offset: self.imm_s(),
            },
            opcode::OP_IMM => self.op_imm()?,
            opcode::OP => self.op()?,
            opcode::AMO if self.funct3() == 2 => self.amo()?,
            opcode::MISC_MEM => self.misc_mem()?,
            opcode::SYSTEM => self.system()?,
            opcode::OP_FP | opcode::MADD | opcode::MSUB | opcode::NMSUB | opcode::NMADD => {
                Instr::Float(float::decode(self.0)?)
            }
            opcode::CUSTOM_0 => self.push()?,
            opcode::CUSTOM_1 => self.leave()?,
            opcode::CUSTOM_2 => self.custom_2()?,
            opcode::CUSTOM_3 => self.barrier()?,
            _ => return None,
        })
    }

    fn branch_cond(self) -> Option<BranchCond> {
        Some(match self.funct3() {
            0 => BranchCond::Eq,
            1 => BranchCond::Ne,
            4 => BranchCond::Lt,
            5 => BranchCond::Ge,
            6 => BranchCond::Ltu,
            7 => BranchCond::Geu,
            _ => return None,
        })
    }

    fn load_width(self) -> Option<LoadWidth> {
        Some(match self.funct3() {
            0 => LoadWidth::I8,
            1 => LoadWidth::I16,
            2 => LoadWidth::I32,
            4 => LoadWidth::U8,
            5 => LoadWidth::U16,
            _ => return None,
        })
    }

    fn store_width(self) -> Option<StoreWidth> {
        Some(match self.funct3() {
            0 => StoreWidth::W8,
            1 => StoreWidth::W16,
            2 => StoreWidth::W32,
            _ => return None,
        })
    }

    fn op_imm(self) -> Option<Instr> {
        let (rd, rs1) = (self.rd(), self.rs1());
        let shift = |op| {
            Some(Instr::OpImm {
                op,
                rd,
                rs1,
                imm: self.rs2().into(),
            })
        };
        let op = match (self.funct3(), self.funct7()) {
            (1, 0) => return shift(AluOp::Sll),
            (5, 0) => return shift(AluOp::Srl),
            (5, 0x20) => return shift(AluOp::Sra),
            (0, _) => AluOp::Add,
            (2, _) => AluOp::Slt,
            (3, _) => AluOp::Sltu,
            (4, _) => AluOp::Xor,
            (6, _) => AluOp::Or,
            (7, _) => AluOp::And,
            _ => return None,
        };
        Some(Instr::OpImm {
            op,
            rd,
            rs1,
            imm: self.imm_i(),
        })
    }

    fn op(self) -> Option<Instr> {
        let (rd, rs1, rs2) = (self.rd(), self.rs1(), self.rs2());
        if self.funct7() == 1 {
            return Some(Instr::Mul {
                op: self.mul_op(),
                rd,
                rs1,
                rs2,
            });
        }
        let op = match (self.funct3(), self.funct7()) {
            (0, 0) => AluOp::Add,
            (0, 0x20) => AluOp::Sub,
            (1, 0) => AluOp::Sll,
            (2, 0) => AluOp::Slt,
            (3, 0) => AluOp::Sltu,
            (4, 0) => AluOp::Xor,
            (5, 0) => AluOp::Srl,
            (5, 0x20) => AluOp::Sra,
            (6, 0) => AluOp::Or,
            (7, 0) => AluOp::And,
            _ => return None,
        };
        Some(Instr::Op { op, rd, rs1, rs2 })
    }

    fn mul_op(self) -> MulOp {
        match self.funct3() {
            0 => MulOp::Mul,
            1 => MulOp::Mulh,
            2 => MulOp::Mulhsu,
            3 => MulOp::Mulhu,
            4 => MulOp::Div,
            5 => MulOp::Divu,
            6 => MulOp::Rem,
            _ => MulOp::Remu,
        }
    }

    fn amo(self) -> Option<Instr> {
        let (rd, rs1, rs2) = (self.rd(), self.rs1(), self.rs2());
        let (aq, rl) = (self.funct7() & 2 != 0, self.funct7() & 1 != 0);
        let op = match self.funct7() >> 2 {
            FUNCT5_LR if rs2 == 0 => return Some(Instr::LoadReserved { rd, rs1, aq, rl }),
            FUNCT5_SC => {
                return Some(Instr::StoreConditional {
                    rd,
                    rs1,
                    rs2,
                    aq,
                    rl,
                })
            }
            0x00 => AmoOp::Add,
            0x01 => AmoOp::Swap,
            0x04 => AmoOp::Xor,
            0x08 => AmoOp::Or,
            0x0C => AmoOp::And,
            0x10 => AmoOp::Min,
            0x14 => AmoOp::Max,
            0x18 => AmoOp::Minu,
            0x1C => AmoOp::Maxu,
            _ => return None,
        };
        Some(Instr::Amo {
            op,
            rd,
            rs1,
            rs2,
            aq,
            rl,
        })
    }

    fn misc_mem(self) -> Option<Instr> {
        if self.0 == word::FENCE_I {
            return Some(Instr::FenceI);
        }
        let is_fence = self.funct3() == 0 && self.rd() == 0 && self.rs1() == 0;
        is_fence.then(|| Instr::Fence {
            fields: self.top12(),
        })
    }

    fn system(self) -> Option<Instr> {
        match self.0 {
            word::ECALL => return Some(Instr::Ecall),
            word::EBREAK => return Some(Instr::Ebreak),
            _ => {}
        }
        let op = match self.funct3() & 3 {
            1 => CsrOp::Write,
            2 => CsrOp::Set,
            3 => CsrOp::Clear,
            _ => return None,
        };
        let src = match self.funct3() & 4 {
            0 => CsrSrc::Reg(self.rs1()),
            _ => CsrSrc::Imm(self.rs1()),
        };
        Some(Instr::Csr {
            op,
            rd: self.rd(),
            csr: self.top12(),
            src,
        })
    }

    fn push(self) -> Option<Instr> {
        let offset = self.imm_j();
        Some(match self.rd() {
            SUBV_START => Instr::SubVector {
                auto: false,
                offset,
            },
            SUBV_AUTO => Instr::SubVector { auto: true, offset },
            kind => Instr::Push {
                kind: Kind::software(kind)?,
                offset,
            },
        })
    }

    fn leave(self) -> Option<Instr> {
        let cond = match (self.funct3(), self.rs1()) {
            (0, 0) => LeaveCond::Always,
            (1, rs1) => LeaveCond::Nez(rs1),
            (2, rs1) => LeaveCond::Eqz(rs1),
            _ => return None,
        };
        Some(Instr::Leave {
            kind: Kind::software(self.rs2())?,
            cond,
            offset: self.imm_b(),
        })
    }

    fn custom_2(self) -> Option<Instr> {
        match (self.0, self.funct3()) {
            (word::YIELD, _) => Some(Instr::Yield),
            (word::EXIT, _) => Some(Instr::Exit),
            (_, 0) => {
                let kind = Kind::software(self.rd())?;
                Some(Instr::LeaveIndirect {
                    kind,
                    rs1: self.rs1(),
                    offset: self.imm_i(),
                })
            }
            _ => mask::decode(self.0, self.imm_b()).map(Instr::Mask),
        }
    }

    fn barrier(self) -> Option<Instr> {
        let (id, rs1, rs2) = (self.rd(), self.rs1(), self.rs2());
        let op = match (self.funct3(), self.funct7(), rs1, rs2) {
            (0, 0, 0, word) => BarrierOp::Top { word },
            (0, 1, rs1, word) => BarrierOp::TopNez { rs1, word },
            (1, 0, 0, 0) => BarrierOp::Bottom,
            (1, 1, 0, 0) => BarrierOp::BottomNb,
            (2, 0, 0, 0) => BarrierOp::Reset,
            (3, 0, 0, word) => BarrierOp::Arrive { word },
            (4, 0, rs1, 0) => BarrierOp::Wait { rs1 },
            _ => return None,
        };
        (id <= LAST_BARRIER).then_some(Instr::Barrier { id, op })
    }
}
