//! A fault and where it happened.

use crate::memory::FaultCause;
use serde::Serialize;

/// Stops the whole warp (CONV-100).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, thiserror::Error)]
#[error("warp {warp}, thread {thread} (lane {lane}), pc {pc:#010x}: {cause}")]
pub struct Fault {
    pub warp: usize,
    /// Number in the grid of the lowest faulting thread.
    pub thread: u32,
    /// Its number in the warp.
    pub lane: u32,
    /// Byte address of the instruction.
    pub pc: u32,
    pub cause: FaultCause,
}
