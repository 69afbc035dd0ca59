//! What passes through the ports of `weft_barrier`.

use super::word::Word;
use std::fmt;
use weft_isa::BarrierOp;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpCode {
    #[default]
    Top,
    Bottom,
    BottomNb,
    Reset,
    Arrive,
    Wait,
    Exit,
    Launch,
    Kill,
}

impl OpCode {
    pub const ALL: [OpCode; 9] = [
        OpCode::Top,
        OpCode::Bottom,
        OpCode::BottomNb,
        OpCode::Reset,
        OpCode::Arrive,
        OpCode::Wait,
        OpCode::Exit,
        OpCode::Launch,
        OpCode::Kill,
    ];

    /// `op_code`
    pub const fn code(self) -> u8 {
        match self {
            OpCode::Launch => 8,
            OpCode::Kill => 9,
            other => other as u8,
        }
    }

    pub fn from_code(code: u8) -> Option<OpCode> {
        Self::ALL.into_iter().find(|op| op.code() == code)
    }

    pub const fn has_verdict(self) -> bool {
        !matches!(self, OpCode::Launch | OpCode::Kill)
    }
}

impl From<BarrierOp> for OpCode {
    fn from(op: BarrierOp) -> OpCode {
        match op {
            BarrierOp::Top { .. } | BarrierOp::TopNez { .. } => OpCode::Top,
            BarrierOp::Bottom => OpCode::Bottom,
            BarrierOp::BottomNb => OpCode::BottomNb,
            BarrierOp::Reset => OpCode::Reset,
            BarrierOp::Arrive { .. } => OpCode::Arrive,
            BarrierOp::Wait { .. } => OpCode::Wait,
        }
    }
}

/// An operation of a warp; fields that its code does not have count nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Op {
    pub code: OpCode,
    pub warp: usize,
    /// A
    pub active: u64,
    /// S
    pub mask: u64,
    pub id: usize,
    pub word: Word,
    pub pc: u32,
    /// LAUNCH: CTA slot, block, threads of the whole CTA.
    pub cta: usize,
    pub block: usize,
    pub threads: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerdictKind {
    Next,
    Sleep,
    Retry,
    Part,
    Exit,
}

impl VerdictKind {
    pub fn from_code(code: u8) -> Option<VerdictKind> {
        use VerdictKind::*;
        [Next, Sleep, Retry, Part, Exit]
            .get(usize::from(code))
            .copied()
    }
}

/// `mask` is 0 for NEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    pub warp: usize,
    pub kind: VerdictKind,
    pub mask: u64,
    pub pc: u32,
}

impl Verdict {
    /// Of the threads `active` that executed the instruction, those that have to execute it again.
    pub fn again(&self, active: u64) -> u64 {
        match self.kind {
            VerdictKind::Retry => self.mask,
            VerdictKind::Part => active,
            VerdictKind::Next | VerdictKind::Sleep | VerdictKind::Exit => 0,
        }
    }

    /// Mask and pc count where a mask is named.
    pub fn agrees(&self, other: &Verdict) -> bool {
        let named = |v: &Verdict| (v.kind != VerdictKind::Next).then_some((v.mask, v.pc));
        (self.warp, self.kind, named(self)) == (other.warp, other.kind, named(other))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict {
            warp,
            kind,
            mask,
            pc,
        } = self;
        match kind {
            VerdictKind::Next => write!(f, "NEXT for w{warp} at {pc:#x}"),
            _ => write!(f, "{kind:?}({mask:#x}) for w{warp} at {pc:#x}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wake {
    pub warp: usize,
    pub mask: u64,
    pub pc: u32,
}

impl fmt::Display for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "w{} {:#x} at {:#x}", self.warp, self.mask, self.pc)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    Fire,
    Timeout,
    Idle,
    Again,
}

impl EventKind {
    pub fn from_code(code: u8) -> EventKind {
        use EventKind::*;
        [Fire, Timeout, Idle, Again][usize::from(code & 3)]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    pub kind: EventKind,
    pub cta: usize,
    pub id: usize,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of c{}.{}", self.kind, self.cta, self.id)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// BAR-042: BOTTOM by threads that are not inside.
    NotHolding = 1,
    /// BAR-027: more threads are waited for than the CTA has.
    Count = 2,
    /// BAR-020: TOP by threads inside a section.
    Nested = 3,
}

impl Cause {
    pub fn from_code(code: u8) -> Option<Cause> {
        let all = [Cause::NotHolding, Cause::Count, Cause::Nested];
        all.into_iter().find(|cause| *cause as u8 == code)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Cause::NotHolding => "NOT_HOLDING",
            Cause::Count => "COUNT",
            Cause::Nested => "NESTED",
        }
    }
}

/// Bad use of a barrier. The threads go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BarrierError {
    pub warp: usize,
    pub mask: u64,
    /// Instruction index.
    pub pc: u32,
    pub id: usize,
    pub cause: Cause,
}

impl fmt::Display for BarrierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.cause {
            Cause::NotHolding => "bar.bot by threads that are not inside its section",
            Cause::Count => "the count is above the threads of the CTA",
            Cause::Nested => "bar.top by threads inside a section",
        };
        write!(
            f,
            "{}: warp {}, lanes {:#x}, pc {:#x}, barrier {}: {what}",
            self.cause.name(),
            self.warp,
            self.mask,
            self.pc * 4,
            self.id
        )
    }
}

/// All ports of `weft_barrier` in one cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    pub reset: bool,
    pub cfg_priority: u16,
    pub op_valid: bool,
    pub op_ready: bool,
    pub op: Op,
    pub verdict: Option<Verdict>,
    pub verdict_ready: bool,
    pub hold: u64,
    pub wake: Option<Wake>,
    pub wake_ready: bool,
    pub error: Option<BarrierError>,
    pub event: Option<Event>,
    /// CTA slot and id.
    pub expired: Option<(usize, usize)>,
}

impl Ports {
    /// The operation that is transferred in this cycle.
    pub fn taken(&self) -> Option<&Op> {
        (self.op_valid && self.op_ready).then_some(&self.op)
    }
}
