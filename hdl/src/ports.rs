//! The flat ports of `weft_control` as plain Rust values, for any engine that drives the design.
//! Widths and meaning: `docs/spec/control.md`.

/// What an instruction turned out to be: `resolve_op`, and `retire_op` for the last two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    #[default]
    Next = 0,
    Branch = 1,
    Indirect = 2,
    Push = 3,
    Leave = 4,
    LeaveIndirect = 5,
    Yield = 6,
    Exit = 7,
    Fault = 8,
    ForcedYield = 9,
}

/// `exception_cause` values that the control plane itself raises; the datapath's start at 4.
pub mod cause {
    pub const ILLEGAL_TYPE: u8 = 1;
    pub const LOST_THREADS: u8 = 2;
    pub const ILLEGAL_OP: u8 = 3;
    pub const ILLEGAL_INSTRUCTION: u8 = 4;
    pub const MISALIGNED: u8 = 5;
    pub const UNMAPPED: u8 = 6;
    pub const BREAKPOINT: u8 = 7;
}

/// All inputs but the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub reset: bool,
    pub cfg_yield_every: u16,
    pub cfg_forced_yield: u16,
    pub cfg_path: u8,
    pub launch_valid: bool,
    pub launch_warp: u8,
    pub launch_pc: u32,
    pub launch_mask: u64,
    pub issue_ready: bool,
    pub resolve_valid: bool,
    pub resolve_warp: u8,
    pub resolve_op: u8,
    pub resolve_kind: u8,
    pub resolve_mask: u64,
    pub resolve_target: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    pub launch_ready: bool,
    pub issue_valid: bool,
    pub issue_warp: u8,
    pub issue_pc: u32,
    pub issue_mask: u64,
    pub resolve_ready: bool,
    pub retire_valid: bool,
    pub retire_warp: u8,
    pub retire_op: u8,
    pub retire_pc: u32,
    pub retire_next_pc: u32,
    pub retire_next_mask: u64,
    pub retire_done: bool,
    pub retire_depth: u8,
    pub retire_front_kind: u8,
    pub retire_front_mask: u64,
    pub retire_front_pc: u32,
    pub retire_front_below: u8,
    pub retire_dropped: bool,
    pub exception_valid: bool,
    pub exception_warp: u8,
    pub exception_pc: u32,
    pub exception_cause: u8,
    pub status_busy: u64,
    pub status_dropped: u32,
}

/// A clocked design with these ports. Inputs settle before the edge.
pub trait Control {
    /// Applies the inputs with the clock low and returns the settled outputs.
    fn settle(&mut self, inputs: &Inputs) -> Outputs;
    /// One rising and one falling clock edge.
    fn edge(&mut self);
}
