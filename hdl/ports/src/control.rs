//! The flat ports of `weft_control` as plain Rust values, for any engine that drives the design.
//! Widths and meaning: `docs/spec/control.md`.

/// What an instruction turned out to be: `resolve_op`, and `retire_op` (FORCED_YIELD only there, FAULT only at
/// `resolve_op`).
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
    Call = 10,
    /// See [`barrier`].
    Barrier = 11,
    /// Kinds: [`mask`].
    Mask = 14,
}

/// `resolve_kind` of [`Op::Barrier`].
pub mod barrier {
    pub const SLEEP: u8 = 0;
    pub const RETRY: u8 = 1;
    pub const PART: u8 = 2;
    /// Answers no issue (CONV-154).
    pub const WAKE: u8 = 3;
}

/// `resolve_kind` of MASK.
pub mod mask {
    pub const SET: u8 = 0;
    pub const JUMP: u8 = 1;
    pub const SUBV_START: u8 = 2;
}

/// `exception_cause` values. The control plane itself raises 1 to 3, 14 and 15; the others are the datapath's.
pub mod cause {
    /// All warps of the SM were killed (SM-034).
    pub const KILLED: u8 = 0;
    pub const ILLEGAL_TYPE: u8 = 1;
    pub const LOST_THREADS: u8 = 2;
    pub const ILLEGAL_OP: u8 = 3;
    pub const ILLEGAL_INSTRUCTION: u8 = 4;
    pub const MISALIGNED: u8 = 5;
    pub const UNMAPPED: u8 = 6;
    pub const BREAKPOINT: u8 = 7;
    /// An instruction outside of memory (ISA-022).
    pub const FETCH: u8 = 9;
    /// The bus has answered an access with an error (MEM-016), the fetch of an instruction (MEM-052).
    pub const BUS: u8 = 10;
    pub const FETCH_BUS: u8 = 11;
    /// The bus has answered an access of the warp's tokens with an error (MEM-046).
    pub const TOKEN_BUS: u8 = 12;
    /// The warp waits for its driver (SPILL-023).
    pub const RECENTER: u8 = 14;
    /// Token allocation too small (SPILL-024).
    pub const ALLOCATION: u8 = 15;
}

/// Registers of the configuration port, `docs/spec/spill.md`.
pub mod register {
    pub const HEAD: u8 = 0;
    pub const TAIL: u8 = 1;
    pub const LOW: u8 = 2;
    pub const STORED: u8 = 3;
    pub const BASE: u8 = 4;
    pub const SIZE: u8 = 5;
    pub const YIELDS: u8 = 6;
    pub const TRANSFERS: u8 = 7;
    pub const RANDOM: u8 = 8;
    pub const RESUME: u8 = 9;
}

/// All inputs but the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub reset: bool,
    pub cfg_yield_every: u16,
    pub cfg_forced_yield: u16,
    pub cfg_yield_random: bool,
    pub cfg_yield_threshold: u16,
    pub cfg_yield_seed: u16,
    pub cfg_path: u8,
    pub cfg_lanes: u8,
    pub cfg_recenter: bool,
    pub launch_valid: bool,
    pub launch_warp: u8,
    pub launch_pc: u32,
    pub launch_mask: u64,
    pub launch_base: u32,
    pub launch_size: u16,
    pub issue_ready: bool,
    pub resolve_valid: bool,
    pub resolve_warp: u8,
    pub resolve_op: u8,
    pub resolve_kind: u8,
    pub resolve_mask: u64,
    pub resolve_target: u32,
    pub spill_request_ready: bool,
    pub spill_response_valid: bool,
    pub spill_response_write: bool,
    pub spill_response_tag: u16,
    /// A token: 64 bits, for W = 64 128 bits.
    pub spill_response_data: u128,
    pub config_valid: bool,
    pub config_write: bool,
    pub config_warp: u8,
    pub config_register: u8,
    pub config_data: u32,
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
    pub retire_blocked: bool,
    pub retire_depth: u16,
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
    pub status_moving: u64,
    pub status_dropped: u32,
    pub status_recentered: u32,
    pub spill_request_valid: bool,
    pub spill_request_write: bool,
    pub spill_request_last: bool,
    pub spill_request_tag: u16,
    pub spill_request_address: u32,
    pub spill_request_data: u128,
    pub spill_response_ready: bool,
    pub config_ready: bool,
    pub config_done: bool,
    pub config_result: u32,
}

/// A clocked design with these ports. Inputs settle before the edge.
pub trait Control {
    /// Applies the inputs with the clock low and returns the settled outputs.
    fn settle(&mut self, inputs: &Inputs) -> Outputs;
    /// One rising and one falling clock edge.
    fn edge(&mut self);
}
