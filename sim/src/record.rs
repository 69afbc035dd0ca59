//! What retires: the common language of the model, the hardware and the trace writers.

use crate::deque::Token;
use serde::Serialize;

/// Kind of a retired operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Event {
    Next = 0,
    Branch = 1,
    Indirect = 2,
    Push = 3,
    Leave = 4,
    LeaveIndirect = 5,
    Yield = 6,
    Exit = 7,
    ForcedYield = 9,
    Call = 10,
    /// SLEEP, RETRY, PART or WAKE.
    Barrier = 11,
    Mask = 14,
}

impl Event {
    pub const ALL: [Event; 12] = [
        Event::Next,
        Event::Branch,
        Event::Indirect,
        Event::Push,
        Event::Leave,
        Event::LeaveIndirect,
        Event::Yield,
        Event::Exit,
        Event::ForcedYield,
        Event::Call,
        Event::Barrier,
        Event::Mask,
    ];

    /// `retire_op` of `docs/spec/control.md`.
    pub const fn code(self) -> u8 {
        self as u8
    }

    pub fn from_code(code: u8) -> Option<Event> {
        Self::ALL.into_iter().find(|event| event.code() == code)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Event::Next => "NEXT",
            Event::Branch => "BRANCH",
            Event::Indirect => "INDIRECT",
            Event::Push => "PUSH",
            Event::Leave => "LEAVE",
            Event::LeaveIndirect => "LEAVE_INDIRECT",
            Event::Yield => "YIELD",
            Event::Exit => "EXIT",
            Event::ForcedYield => "FORCED_YIELD",
            Event::Call => "CALL",
            Event::Barrier => "BARRIER",
            Event::Mask => "MASK",
        }
    }
}

/// One retired operation, with all its unwinding, or one forced yield. All pcs are instruction indices (22 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Record {
    pub warp: usize,
    pub event: Event,
    /// Where the operation was; for a forced yield, the pc that the warp was about to execute.
    pub pc: u32,
    /// Active mask before.
    pub mask: u64,
    /// Where the warp goes on. 0 when done or blocked.
    pub next_pc: u32,
    /// Active mask afterwards; 0 when done or blocked, and when the warp runs on without active threads (CONV-110).
    pub next_mask: u64,
    /// The warp has ended.
    pub done: bool,
    /// All that has not ended sleeps, or is masked (CONV-151).
    pub blocked: bool,
    /// Tokens in the deque afterwards; 0 when done.
    pub depth: usize,
    /// The front token afterwards.
    pub front: Option<Token>,
    /// The token of this PUSH or CALL was dropped for want of room.
    pub dropped: bool,
}
