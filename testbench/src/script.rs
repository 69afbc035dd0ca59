//! Lanes that follow a table instead of a program: for measuring and for directed tests of the control plane alone.

use crate::lanes::{Lanes, Resolve};
use weft_ports::control::{mask, Op};

/// Which active threads an operation selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    Nobody,
    All,
    /// The lower half of the active threads (the first of an odd number is not in it).
    LowerHalf,
    /// The lowest active thread.
    Lowest,
    Mask(u64),
    /// These, active or not: for SET.
    Exactly(u64),
}

impl Select {
    pub fn of(self, active: u64) -> u64 {
        match self {
            Select::Nobody => 0,
            Select::All => active,
            Select::Lowest => active & active.wrapping_neg(),
            Select::Mask(mask) => mask & active,
            Select::Exactly(mask) => mask,
            Select::LowerHalf => {
                let half = active.count_ones() as usize / 2;
                crate::lanes::lanes(active)
                    .take(half)
                    .fold(0, |set, lane| set | 1 << lane)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub op: u8,
    pub kind: u8,
    pub select: Select,
    pub target: u32,
}

/// The operation at pc n.
#[derive(Clone, Debug, Default)]
pub struct Script(pub Vec<Step>);

impl Script {
    fn add(mut self, op: Op, kind: u8, select: Select, target: u32) -> Script {
        self.0.push(Step {
            op: op as u8,
            kind,
            select,
            target,
        });
        self
    }
    pub fn next(self) -> Script {
        self.add(Op::Next, 0, Select::Nobody, 0)
    }
    pub fn branch(self, select: Select, target: u32) -> Script {
        self.add(Op::Branch, 0, select, target)
    }
    pub fn push(self, kind: u8, address: u32) -> Script {
        self.add(Op::Push, kind, Select::Nobody, address)
    }
    pub fn call(self, target: u32) -> Script {
        self.add(Op::Call, 0, Select::All, target)
    }
    pub fn leave(self, kind: u8, select: Select, target: u32) -> Script {
        self.add(Op::Leave, kind, select, target)
    }
    pub fn yield_(self) -> Script {
        self.add(Op::Yield, 0, Select::Nobody, 0)
    }
    pub fn set(self, select: Select) -> Script {
        self.add(Op::Mask, mask::SET, select, 0)
    }
    pub fn jump(self, target: u32) -> Script {
        self.add(Op::Mask, mask::JUMP, Select::Nobody, target)
    }
    pub fn subv_start(self, end: u32) -> Script {
        self.add(Op::Mask, mask::SUBV_START, Select::Nobody, end)
    }
    pub fn exit(self) -> Script {
        self.add(Op::Exit, 0, Select::All, 0)
    }
    /// Any codes, also those that do not exist.
    pub fn raw(mut self, op: u8, kind: u8, select: Select, target: u32) -> Script {
        self.0.push(Step {
            op,
            kind,
            select,
            target,
        });
        self
    }
}

impl Lanes for Script {
    /// Beyond the end of the table every thread exits.
    fn resolve(&mut self, _warp: usize, pc: u32, active: u64) -> Resolve {
        let end = Step {
            op: Op::Exit as u8,
            kind: 0,
            select: Select::All,
            target: 0,
        };
        let step = self.0.get(pc as usize).copied().unwrap_or(end);
        Resolve {
            op: step.op,
            kind: step.kind,
            mask: step.select.of(active),
            target: step.target,
        }
    }
}
