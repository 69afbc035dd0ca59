//! Float instructions, RV32 Zfinx (`docs/spec/isa.md`, *Float*): operands, machine words, text.

use crate::fields::{opcode, r_type, register, EncodeError};
use crate::names::register_name;

/// Rounding mode of an instruction word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    TowardsZero,
    Down,
    Up,
    /// To nearest, ties away from zero.
    NearestAway,
    /// That of `frm`, which is nearest even (ISA-041).
    Dynamic,
}

impl Rounding {
    pub const ALL: [Rounding; 6] = [
        Rounding::NearestEven,
        Rounding::TowardsZero,
        Rounding::Down,
        Rounding::Up,
        Rounding::NearestAway,
        Rounding::Dynamic,
    ];

    pub const fn code(self) -> u8 {
        const CODES: [u8; 6] = [0, 1, 2, 3, 4, 7];
        CODES[self as usize]
    }
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 6] = ["rne", "rtz", "rdn", "rup", "rmm", "dyn"];
        NAMES[self as usize]
    }
    /// `rne`, `rtz`, `rdn`, `rup`, `rmm`, `dyn`
    pub fn parse(name: &str) -> Option<Rounding> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
    fn of(code: u32) -> Option<Rounding> {
        Self::ALL
            .into_iter()
            .find(|mode| u32::from(mode.code()) == code)
    }
}

/// ± (rs1 × rs2) ± rs3, rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FusedOp {
    /// rs1 × rs2 + rs3
    MulAdd,
    /// rs1 × rs2 − rs3
    MulSub,
    /// −(rs1 × rs2) + rs3
    NegMulSub,
    /// −(rs1 × rs2) − rs3
    NegMulAdd,
}

impl FusedOp {
    /// In the order of their opcodes.
    pub const ALL: [FusedOp; 4] = [
        FusedOp::MulAdd,
        FusedOp::MulSub,
        FusedOp::NegMulSub,
        FusedOp::NegMulAdd,
    ];
    const fn opcode(self) -> u32 {
        match self {
            FusedOp::MulAdd => opcode::MADD,
            FusedOp::MulSub => opcode::MSUB,
            FusedOp::NegMulSub => opcode::NMSUB,
            FusedOp::NegMulAdd => opcode::NMADD,
        }
    }
    pub(crate) const fn name(self) -> &'static str {
        const NAMES: [&str; 4] = ["fmadd.s", "fmsub.s", "fnmsub.s", "fnmadd.s"];
        NAMES[self as usize]
    }
}

/// Two sources, rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    Add,
    Sub,
    Mul,
    Div,
}

impl ArithmeticOp {
    /// In the order of their codes.
    pub const ALL: [ArithmeticOp; 4] = [
        ArithmeticOp::Add,
        ArithmeticOp::Sub,
        ArithmeticOp::Mul,
        ArithmeticOp::Div,
    ];
    pub(crate) const fn name(self) -> &'static str {
        const NAMES: [&str; 4] = ["fadd.s", "fsub.s", "fmul.s", "fdiv.s"];
        NAMES[self as usize]
    }
}

/// One source, rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootOrConversion {
    Sqrt,
    ToSigned,
    ToUnsigned,
    FromSigned,
    FromUnsigned,
}

impl RootOrConversion {
    pub const ALL: [RootOrConversion; 5] = [
        RootOrConversion::Sqrt,
        RootOrConversion::ToSigned,
        RootOrConversion::ToUnsigned,
        RootOrConversion::FromSigned,
        RootOrConversion::FromUnsigned,
    ];
    /// (funct5, rs2)
    const fn code(self) -> (u32, u8) {
        match self {
            RootOrConversion::Sqrt => (0x0B, 0),
            RootOrConversion::ToSigned => (0x18, 0),
            RootOrConversion::ToUnsigned => (0x18, 1),
            RootOrConversion::FromSigned => (0x1A, 0),
            RootOrConversion::FromUnsigned => (0x1A, 1),
        }
    }
    pub(crate) const fn name(self) -> &'static str {
        const NAMES: [&str; 5] = ["fsqrt.s", "fcvt.w.s", "fcvt.wu.s", "fcvt.s.w", "fcvt.s.wu"];
        NAMES[self as usize]
    }
}

/// Two sources, nothing to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExactOp {
    /// rs1 with the sign of rs2.
    SignCopy,
    /// rs1 with the other sign than that of rs2.
    SignNegate,
    /// rs1 with the exclusive or of both signs.
    SignXor,
    Min,
    Max,
    LessEqual,
    Less,
    Equal,
}

impl ExactOp {
    pub const ALL: [ExactOp; 8] = [
        ExactOp::SignCopy,
        ExactOp::SignNegate,
        ExactOp::SignXor,
        ExactOp::Min,
        ExactOp::Max,
        ExactOp::LessEqual,
        ExactOp::Less,
        ExactOp::Equal,
    ];
    /// (funct5, funct3)
    const fn code(self) -> (u32, u32) {
        match self {
            ExactOp::SignCopy => (0x04, 0),
            ExactOp::SignNegate => (0x04, 1),
            ExactOp::SignXor => (0x04, 2),
            ExactOp::Min => (0x05, 0),
            ExactOp::Max => (0x05, 1),
            ExactOp::LessEqual => (0x14, 0),
            ExactOp::Less => (0x14, 1),
            ExactOp::Equal => (0x14, 2),
        }
    }
    pub(crate) const fn name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "fsgnj.s", "fsgnjn.s", "fsgnjx.s", "fmin.s", "fmax.s", "fle.s", "flt.s", "feq.s",
        ];
        NAMES[self as usize]
    }
    /// The short form with one source.
    const fn unary_name(self) -> Option<&'static str> {
        match self {
            ExactOp::SignCopy => Some("fmv.s"),
            ExactOp::SignNegate => Some("fneg.s"),
            ExactOp::SignXor => Some("fabs.s"),
            _ => None,
        }
    }
}

/// One float instruction. Registers are x registers (0 to 31), as Zfinx has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatInstr {
    Fused {
        op: FusedOp,
        rd: u8,
        rs1: u8,
        rs2: u8,
        rs3: u8,
        rounding: Rounding,
    },
    Arithmetic {
        op: ArithmeticOp,
        rd: u8,
        rs1: u8,
        rs2: u8,
        rounding: Rounding,
    },
    Unary {
        op: RootOrConversion,
        rd: u8,
        rs1: u8,
        rounding: Rounding,
    },
    Exact {
        op: ExactOp,
        rd: u8,
        rs1: u8,
        rs2: u8,
    },
    /// One bit of ten says what kind of number rs1 is.
    Class { rd: u8, rs1: u8 },
}

/// funct5 and funct3 of `fclass.s`.
const CLASS: (u32, u32) = (0x1C, 1);

impl FloatInstr {
    /// As [`crate::Instr::registers`].
    pub fn registers(self) -> [Option<u8>; 4] {
        match self {
            FloatInstr::Fused {
                rd, rs1, rs2, rs3, ..
            } => [Some(rd), Some(rs1), Some(rs2), Some(rs3)],
            FloatInstr::Arithmetic { rd, rs1, rs2, .. }
            | FloatInstr::Exact { rd, rs1, rs2, .. } => [Some(rd), Some(rs1), Some(rs2), None],
            FloatInstr::Unary { rd, rs1, .. } | FloatInstr::Class { rd, rs1 } => {
                [Some(rd), Some(rs1), None, None]
            }
        }
    }
}

/// The float instruction of a word with the opcode OP-FP or one of the four fused ones; `None` for any other word.
pub(crate) fn decode(word: u32) -> Option<FloatInstr> {
    let field = |at: u32| (word >> at & 31) as u8;
    let (rd, rs1, rs2, funct5) = (field(7), field(15), field(20), word >> 27);
    let funct3 = word >> 12 & 7;
    let is_single = word >> 25 & 3 == 0;
    if !is_single {
        return None;
    }
    let fused = FusedOp::ALL
        .into_iter()
        .find(|op| op.opcode() == word & 0x7F);
    if let Some(op) = fused {
        return Some(FloatInstr::Fused {
            op,
            rd,
            rs1,
            rs2,
            rs3: field(27),
            rounding: Rounding::of(funct3)?,
        });
    }
    if word & 0x7F != opcode::OP_FP {
        return None;
    }
    if let Some(&op) = ArithmeticOp::ALL.get(funct5 as usize) {
        return Some(FloatInstr::Arithmetic {
            op,
            rd,
            rs1,
            rs2,
            rounding: Rounding::of(funct3)?,
        });
    }
    let unary = RootOrConversion::ALL
        .into_iter()
        .find(|op| op.code() == (funct5, rs2));
    if let Some(op) = unary {
        return Some(FloatInstr::Unary {
            op,
            rd,
            rs1,
            rounding: Rounding::of(funct3)?,
        });
    }
    if (funct5, funct3) == CLASS && rs2 == 0 {
        return Some(FloatInstr::Class { rd, rs1 });
    }
    let exact = ExactOp::ALL
        .into_iter()
        .find(|op| op.code() == (funct5, funct3));
    exact.map(|op| FloatInstr::Exact { op, rd, rs1, rs2 })
}

pub(crate) fn encode(instr: FloatInstr) -> Result<u32, EncodeError> {
    let op_fp = |funct5: u32, funct3: u32, rd, rs1, rs2| {
        r_type(opcode::OP_FP, funct3, funct5 << 2, rd, rs1, rs2)
    };
    match instr {
        FloatInstr::Fused {
            op,
            rd,
            rs1,
            rs2,
            rs3,
            rounding,
        } => {
            let funct7 = register(rs3)? << 2;
            r_type(op.opcode(), rounding.code().into(), funct7, rd, rs1, rs2)
        }
        FloatInstr::Arithmetic {
            op,
            rd,
            rs1,
            rs2,
            rounding,
        } => op_fp(op as u32, rounding.code().into(), rd, rs1, rs2),
        FloatInstr::Unary {
            op,
            rd,
            rs1,
            rounding,
        } => {
            let (funct5, rs2) = op.code();
            op_fp(funct5, rounding.code().into(), rd, rs1, rs2)
        }
        FloatInstr::Exact { op, rd, rs1, rs2 } => {
            let (funct5, funct3) = op.code();
            op_fp(funct5, funct3, rd, rs1, rs2)
        }
        FloatInstr::Class { rd, rs1 } => op_fp(CLASS.0, CLASS.1, rd, rs1, 0),
    }
}

/// The rounding mode is printed unless it is dynamic.
pub(crate) fn text(instr: FloatInstr) -> String {
    let reg = register_name;
    let suffix = |rounding| match rounding {
        Rounding::Dynamic => String::new(),
        _ => format!(", {}", rounding.name()),
    };
    match instr {
        FloatInstr::Fused {
            op,
            rd,
            rs1,
            rs2,
            rs3,
            rounding,
        } => format!(
            "{} {}, {}, {}, {}{}",
            op.name(),
            reg(rd),
            reg(rs1),
            reg(rs2),
            reg(rs3),
            suffix(rounding)
        ),
        FloatInstr::Arithmetic {
            op,
            rd,
            rs1,
            rs2,
            rounding,
        } => format!(
            "{} {}, {}, {}{}",
            op.name(),
            reg(rd),
            reg(rs1),
            reg(rs2),
            suffix(rounding)
        ),
        FloatInstr::Unary {
            op,
            rd,
            rs1,
            rounding,
        } => format!(
            "{} {}, {}{}",
            op.name(),
            reg(rd),
            reg(rs1),
            suffix(rounding)
        ),
        FloatInstr::Exact { op, rd, rs1, rs2 } => match op.unary_name() {
            Some(name) if rs1 == rs2 => format!("{name} {}, {}", reg(rd), reg(rs1)),
            _ => format!("{} {}, {}, {}", op.name(), reg(rd), reg(rs1), reg(rs2)),
        },
        FloatInstr::Class { rd, rs1 } => format!("fclass.s {}, {}", reg(rd), reg(rs1)),
    }
}
