//! One decoded instruction of a thread.

use crate::{FloatInstr, MaskInstr};

/// Token type (4 bits): what an inactive thread waits for. `docs/spec/convergence.md`, *Types*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(u8);

impl Kind {
    pub const SYNC: Kind = Kind(0);
    pub const BREAK: Kind = Kind(1);
    pub const CONTINUE: Kind = Kind(2);
    pub const CALL: Kind = Kind(3);
    pub const LONGJMP: Kind = Kind(4);
    pub const PEXIT: Kind = Kind(5);
    /// Highest type that PUSH and LEAVE may name.
    pub const LAST_SOFTWARE: Kind = Kind(9);

    /// A type that software may push or leave for; `None` above 9.
    pub const fn software(code: u8) -> Option<Kind> {
        if code <= Self::LAST_SOFTWARE.0 {
            Some(Kind(code))
        } else {
            None
        }
    }
    pub const fn code(self) -> u8 {
        self.0
    }
    /// `sync`, `break` … or the number.
    pub fn name(self) -> String {
        match self.0 {
            0 => "sync".into(),
            1 => "break".into(),
            2 => "continue".into(),
            3 => "call".into(),
            4 => "longjmp".into(),
            5 => "pexit".into(),
            n => n.to_string(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchCond {
    Eq,
    Ne,
    Lt,
    Ge,
    Ltu,
    Geu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadWidth {
    I8,
    I16,
    I32,
    U8,
    U16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreWidth {
    W8,
    W16,
    W32,
}

/// Register-register and register-immediate operations. `Sub` has no immediate form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AluOp {
    Add,
    Sub,
    Sll,
    Slt,
    Sltu,
    Xor,
    Srl,
    Sra,
    Or,
    And,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MulOp {
    Mul,
    Mulh,
    Mulhsu,
    Mulhu,
    Div,
    Divu,
    Rem,
    Remu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AmoOp {
    Swap,
    Add,
    Xor,
    And,
    Or,
    Min,
    Max,
    Minu,
    Maxu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrOp {
    Write,
    Set,
    Clear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrSrc {
    Reg(u8),
    /// 5-bit unsigned immediate.
    Imm(u8),
}

/// Which active threads a LEAVE selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaveCond {
    Always,
    /// rs1 ≠ 0
    Nez(u8),
    /// rs1 = 0
    Eqz(u8),
}

/// What a barrier instruction does (`docs/spec/barrier.md`). Numbers are registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierOp {
    /// All threads participate; `word` describes the barrier.
    Top {
        word: u8,
    },
    /// Threads with rs1 ≠ 0 participate.
    TopNez {
        rs1: u8,
        word: u8,
    },
    Bottom,
    /// Non-blocking.
    BottomNb,
    Reset,
    Arrive {
        word: u8,
    },
    /// Bit 0 of `rs1`: the parity of the phase whose end is waited for.
    Wait {
        rs1: u8,
    },
}

/// Highest barrier id.
pub const LAST_BARRIER: u8 = 7;

/// Registers are numbers 0..=31. Offsets of branches, jumps, PUSH and LEAVE are signed byte offsets
/// from the instruction's own address, and even; `Lui`/`Auipc` immediates have the low 12 bits clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instr {
    Lui {
        rd: u8,
        imm: u32,
    },
    Auipc {
        rd: u8,
        imm: u32,
    },
    Jal {
        rd: u8,
        offset: i32,
    },
    Jalr {
        rd: u8,
        rs1: u8,
        offset: i32,
    },
    Branch {
        cond: BranchCond,
        rs1: u8,
        rs2: u8,
        offset: i32,
    },
    Load {
        width: LoadWidth,
        rd: u8,
        rs1: u8,
        offset: i32,
    },
    Store {
        width: StoreWidth,
        rs1: u8,
        rs2: u8,
        offset: i32,
    },
    /// Shift amounts are 0..=31 in `imm`.
    OpImm {
        op: AluOp,
        rd: u8,
        rs1: u8,
        imm: i32,
    },
    Op {
        op: AluOp,
        rd: u8,
        rs1: u8,
        rs2: u8,
    },
    Mul {
        op: MulOp,
        rd: u8,
        rs1: u8,
        rs2: u8,
    },
    LoadReserved {
        rd: u8,
        rs1: u8,
        aq: bool,
        rl: bool,
    },
    StoreConditional {
        rd: u8,
        rs1: u8,
        rs2: u8,
        aq: bool,
        rl: bool,
    },
    Amo {
        op: AmoOp,
        rd: u8,
        rs1: u8,
        rs2: u8,
        aq: bool,
        rl: bool,
    },
    Csr {
        op: CsrOp,
        rd: u8,
        csr: u16,
        src: CsrSrc,
    },
    /// FENCE with its raw fm/pred/succ field (12 bits); rd and rs1 are zero.
    Fence {
        fields: u16,
    },
    FenceI,
    Ecall,
    Ebreak,
    Push {
        kind: Kind,
        offset: i32,
    },
    Leave {
        kind: Kind,
        cond: LeaveCond,
        offset: i32,
    },
    LeaveIndirect {
        kind: Kind,
        rs1: u8,
        offset: i32,
    },
    Yield,
    Exit,
    Barrier {
        /// 0 to 7.
        id: u8,
        op: BarrierOp,
    },
    /// A machine without float does not execute them (ISA-040).
    Float(FloatInstr),
    Mask(MaskInstr),
    /// `subv.start`; with `auto` only if the mode selection says so.
    SubVector {
        auto: bool,
        offset: i32,
    },
}

impl Instr {
    /// Neither a control transfer nor a control operation nor a mask instruction (MASK-031).
    pub fn changes_nothing_but_data(self) -> bool {
        use Instr::*;
        let is_control = matches!(
            self,
            Jal { .. } | Jalr { .. } | Branch { .. } | Ecall | Ebreak | Exit | Yield
        );
        let is_xweft = matches!(
            self,
            Push { .. } | Leave { .. } | LeaveIndirect { .. } | Mask(_) | SubVector { .. }
        );
        !is_control && !is_xweft
    }

    /// The x registers that the instruction may write (rd) and read (rs1, rs2, rs3).
    pub fn registers(self) -> [Option<u8>; 4] {
        match self {
            Instr::Lui { rd, .. } | Instr::Auipc { rd, .. } | Instr::Jal { rd, .. } => {
                [Some(rd), None, None, None]
            }
            Instr::Jalr { rd, rs1, .. }
            | Instr::Load { rd, rs1, .. }
            | Instr::LoadReserved { rd, rs1, .. }
            | Instr::OpImm { rd, rs1, .. } => [Some(rd), Some(rs1), None, None],
            Instr::Branch { rs1, rs2, .. } | Instr::Store { rs1, rs2, .. } => {
                [None, Some(rs1), Some(rs2), None]
            }
            Instr::Op { rd, rs1, rs2, .. }
            | Instr::Mul { rd, rs1, rs2, .. }
            | Instr::StoreConditional { rd, rs1, rs2, .. }
            | Instr::Amo { rd, rs1, rs2, .. } => [Some(rd), Some(rs1), Some(rs2), None],
            Instr::Csr { rd, src, .. } => match src {
                CsrSrc::Reg(rs1) => [Some(rd), Some(rs1), None, None],
                CsrSrc::Imm(_) => [Some(rd), None, None, None],
            },
            Instr::Leave { cond, .. } => match cond {
                LeaveCond::Always => [None; 4],
                LeaveCond::Nez(rs1) | LeaveCond::Eqz(rs1) => [None, Some(rs1), None, None],
            },
            Instr::LeaveIndirect { rs1, .. } => [None, Some(rs1), None, None],
            Instr::Barrier { op, .. } => match op {
                BarrierOp::Top { word } | BarrierOp::Arrive { word } => {
                    [None, None, Some(word), None]
                }
                BarrierOp::TopNez { rs1, word } => [None, Some(rs1), Some(word), None],
                BarrierOp::Wait { rs1 } => [None, Some(rs1), None, None],
                BarrierOp::Bottom | BarrierOp::BottomNb | BarrierOp::Reset => [None; 4],
            },
            Instr::Float(instr) => instr.registers(),
            Instr::Mask(instr) => match instr {
                MaskInstr::Set { rs1, .. } | MaskInstr::Put { rs1, .. } => {
                    [None, Some(rs1), None, None]
                }
                MaskInstr::Get { rd, .. }
                | MaskInstr::Count { rd, .. }
                | MaskInstr::First { rd, .. }
                | MaskInstr::Condition { rd } => [Some(rd), None, None, None],
                MaskInstr::Logic { .. }
                | MaskInstr::Save { .. }
                | MaskInstr::Branch { .. }
                | MaskInstr::BranchCondition { .. }
                | MaskInstr::Predicate { .. } => [None; 4],
            },
            Instr::Fence { .. }
            | Instr::FenceI
            | Instr::Ecall
            | Instr::Ebreak
            | Instr::Push { .. }
            | Instr::SubVector { .. }
            | Instr::Yield
            | Instr::Exit => [None; 4],
        }
    }
}
