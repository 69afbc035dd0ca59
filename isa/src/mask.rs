//! Mask instructions (`docs/spec/masks.md`): operands, machine words, text.

use crate::fields::{b_type, imm_b, opcode, r_type, EncodeError};
use crate::names::register_name;

/// A mask operand: m0 to m7, or the active mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mask(u8);

impl Mask {
    /// The active mask; as a destination it switches threads on and off.
    pub const EXEC: Mask = Mask(8);
    /// Number of mask registers.
    pub const REGISTERS: u8 = 8;

    /// m0 to m7.
    pub const fn register(number: u8) -> Option<Mask> {
        match number {
            0..=7 => Some(Mask(number)),
            _ => None,
        }
    }
    /// The operand with this number in an instruction word: 0–7 and 8.
    pub const fn operand(number: u8) -> Option<Mask> {
        match number {
            0..=8 => Some(Mask(number)),
            _ => None,
        }
    }
    /// `m0` … `m7`, `exec`
    pub fn parse(name: &str) -> Option<Mask> {
        (0..=8).map(Mask).find(|mask| mask.name() == name)
    }
    pub const fn number(self) -> u8 {
        self.0
    }
    pub const fn is_exec(self) -> bool {
        self.0 == 8
    }
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 9] = ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "exec"];
        NAMES[self.0 as usize]
    }
}

/// Bitwise operation of two masks. `Andn`: a ∧ ¬b, `Orn`: a ∨ ¬b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskOp {
    And,
    Or,
    Xor,
    Andn,
    Nand,
    Nor,
    Xnor,
    Orn,
}

impl MaskOp {
    /// In the order of their codes.
    pub const ALL: [MaskOp; 8] = [
        MaskOp::And,
        MaskOp::Or,
        MaskOp::Xor,
        MaskOp::Andn,
        MaskOp::Nand,
        MaskOp::Nor,
        MaskOp::Xnor,
        MaskOp::Orn,
    ];

    pub const fn code(self) -> u8 {
        self as u8
    }
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "mand", "mor", "mxor", "mandn", "mnand", "mnor", "mxnor", "morn",
        ];
        NAMES[self as usize]
    }
}

/// When a mask branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskCond {
    Zero,
    NonZero,
    Ones,
    NotOnes,
}

impl MaskCond {
    /// In the order of their codes.
    pub const ALL: [MaskCond; 4] = [
        MaskCond::Zero,
        MaskCond::NonZero,
        MaskCond::Ones,
        MaskCond::NotOnes,
    ];

    pub const fn code(self) -> u8 {
        self as u8
    }
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 4] = ["mbz", "mbnz", "mbo", "mbno"];
        NAMES[self as usize]
    }
}

/// One mask instruction. Offsets are signed byte offsets from its own address, and even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskInstr {
    Logic {
        op: MaskOp,
        md: Mask,
        ma: Mask,
        mb: Mask,
    },
    /// md = exec, then exec = ms op exec; md is a register.
    Save { op: MaskOp, md: Mask, ms: Mask },
    /// Ballot of rs1 ≠ 0 into a register.
    Set { md: Mask, rs1: u8 },
    /// Low or high word of a mask.
    Get { rd: u8, ms: Mask, high: bool },
    /// Low or high word of a mask register.
    Put { md: Mask, rs1: u8, high: bool },
    /// Number of ones.
    Count { rd: u8, ms: Mask },
    /// Number of the lowest one.
    First { rd: u8, ms: Mask },
    /// The scalar condition.
    Condition { rd: u8 },
    Branch {
        cond: MaskCond,
        ms: Mask,
        offset: i32,
    },
    /// Branch on the scalar condition: taken if it is `value`.
    BranchCondition { value: bool, offset: i32 },
    /// The next `count` (1 to 8) instructions write back in the threads of a register only.
    Predicate { ms: Mask, count: u8 },
}

const LOGIC: u32 = 3;
const MOVE: u32 = 4;
const BRANCH: u32 = 5;
const PREDICATE: u32 = 6;

/// funct7 of the instructions with funct3 4.
const SET: u32 = 0;
const GET: u32 = 1;
const PUT: u32 = 2;
const COUNT: u32 = 3;
const FIRST: u32 = 4;
const CONDITION: u32 = 5;

/// rs1 of a branch on the scalar condition.
const SCC: u8 = 9;

/// The mask instruction of a word with the opcode custom-2; `None` for any other word.
pub(crate) fn decode(word: u32, branch_offset: i32) -> Option<MaskInstr> {
    let field = |at: u32| (word >> at & 31) as u8;
    let (rd, rs1, rs2, funct7) = (field(7), field(15), field(20), word >> 25);
    Some(match word >> 12 & 7 {
        LOGIC => {
            let op = MaskOp::ALL[(funct7 & 7) as usize];
            let (md, a) = (Mask::operand(rd)?, Mask::operand(rs1)?);
            match funct7 >> 3 {
                0 => MaskInstr::Logic {
                    op,
                    md,
                    ma: a,
                    mb: Mask::operand(rs2)?,
                },
                1 if rs2 == 0 && !md.is_exec() => MaskInstr::Save { op, md, ms: a },
                _ => return None,
            }
        }
        MOVE => match (funct7, rs2) {
            (SET, 0) => MaskInstr::Set {
                md: Mask::register(rd)?,
                rs1,
            },
            (GET, 0 | 1) => MaskInstr::Get {
                rd,
                ms: Mask::operand(rs1)?,
                high: rs2 == 1,
            },
            (PUT, 0 | 1) => MaskInstr::Put {
                md: Mask::register(rd)?,
                rs1,
                high: rs2 == 1,
            },
            (COUNT, 0) => MaskInstr::Count {
                rd,
                ms: Mask::operand(rs1)?,
            },
            (FIRST, 0) => MaskInstr::First {
                rd,
                ms: Mask::operand(rs1)?,
            },
            (CONDITION, 0) if rs1 == 0 => MaskInstr::Condition { rd },
            _ => return None,
        },
        BRANCH => match (rs1, rs2) {
            (SCC, 0 | 1) => MaskInstr::BranchCondition {
                value: rs2 == 1,
                offset: branch_offset,
            },
            (_, 0..=3) => MaskInstr::Branch {
                cond: MaskCond::ALL[usize::from(rs2)],
                ms: Mask::operand(rs1)?,
                offset: branch_offset,
            },
            _ => return None,
        },
        PREDICATE if rd == 0 => {
            let count = (word >> 20) as u16;
            MaskInstr::Predicate {
                ms: Mask::register(rs1)?,
                count: (1..=8).contains(&count).then_some(count as u8)?,
            }
        }
        _ => return None,
    })
}

pub(crate) fn encode(instr: MaskInstr) -> Result<u32, EncodeError> {
    let r = |funct3, funct7, rd, rs1, rs2| r_type(opcode::CUSTOM_2, funct3, funct7, rd, rs1, rs2);
    let moved = |funct7, rd, rs1, high: bool| r(MOVE, funct7, rd, rs1, u8::from(high));
    let register = |mask: Mask| match mask.is_exec() {
        true => Err(EncodeError::ExecDestination),
        false => Ok(mask.0),
    };
    match instr {
        MaskInstr::Logic { op, md, ma, mb } => r(LOGIC, op.code().into(), md.0, ma.0, mb.0),
        MaskInstr::Save { op, md, ms } => {
            r(LOGIC, 8 + u32::from(op.code()), register(md)?, ms.0, 0)
        }
        MaskInstr::Set { md, rs1 } => moved(SET, register(md)?, rs1, false),
        MaskInstr::Get { rd, ms, high } => moved(GET, rd, ms.0, high),
        MaskInstr::Put { md, rs1, high } => moved(PUT, register(md)?, rs1, high),
        MaskInstr::Count { rd, ms } => moved(COUNT, rd, ms.0, false),
        MaskInstr::First { rd, ms } => moved(FIRST, rd, ms.0, false),
        MaskInstr::Condition { rd } => moved(CONDITION, rd, 0, false),
        MaskInstr::Branch { cond, ms, offset } => {
            Ok(b_type(opcode::CUSTOM_2, BRANCH, ms.0, cond.code())? | imm_b(offset)?)
        }
        MaskInstr::BranchCondition { value, offset } => {
            Ok(b_type(opcode::CUSTOM_2, BRANCH, SCC, value.into())? | imm_b(offset)?)
        }
        MaskInstr::Predicate { ms, count } => match count {
            1..=8 => r(PREDICATE, 0, 0, register(ms)?, count),
            _ => Err(EncodeError::Range {
                value: count.into(),
                min: 1,
                max: 8,
            }),
        },
    }
}

/// Text of the instruction; `target` prints the destination that lies at a byte offset.
pub(crate) fn text(instr: MaskInstr, target: &dyn Fn(i32) -> String) -> String {
    let reg = register_name;
    match instr {
        MaskInstr::Logic { op, md, ma, mb } => logic(op, md.name(), ma, mb),
        MaskInstr::Save { op, md, ms } => {
            format!("{}.save {}, {}", op.name(), md.name(), ms.name())
        }
        MaskInstr::Set { md, rs1 } => format!("mset {}, {}", md.name(), reg(rs1)),
        MaskInstr::Get { rd, ms, high } => {
            let name = if high { "mgeth" } else { "mget" };
            format!("{name} {}, {}", reg(rd), ms.name())
        }
        MaskInstr::Put { md, rs1, high } => {
            let name = if high { "mputh" } else { "mput" };
            format!("{name} {}, {}", md.name(), reg(rs1))
        }
        MaskInstr::Count { rd, ms } => format!("mpop {}, {}", reg(rd), ms.name()),
        MaskInstr::First { rd, ms } => format!("mfirst {}, {}", reg(rd), ms.name()),
        MaskInstr::Condition { rd } => format!("mscc {}", reg(rd)),
        MaskInstr::Branch { cond, ms, offset } => {
            format!("{} {}, {}", cond.name(), ms.name(), target(offset))
        }
        MaskInstr::BranchCondition { value, offset } => {
            let name = if value { "mbnz" } else { "mbz" };
            format!("{name} scc, {}", target(offset))
        }
        MaskInstr::Predicate { ms, count } => format!("mpred {}, {count}", ms.name()),
    }
}

/// The short form where there is one.
fn logic(op: MaskOp, md: &str, ma: Mask, mb: Mask) -> String {
    let (a, b) = (ma.name(), mb.name());
    match op {
        MaskOp::Or if md == a && ma.is_exec() && !mb.is_exec() => format!("mrestore {b}"),
        MaskOp::Or if a == b => format!("mmov {md}, {a}"),
        MaskOp::Nor if a == b => format!("mnot {md}, {a}"),
        MaskOp::Xor if a == b && a == md => format!("mclr {md}"),
        MaskOp::Xnor if a == b && a == md => format!("mones {md}"),
        _ => format!("{} {md}, {a}, {b}", op.name()),
    }
}
