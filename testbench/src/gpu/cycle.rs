//! What a cycle of a GPU has shown.

use crate::tasks::device::Step as TaskStep;
use weft_sim::host::registers::MOST_SMS;

/// A step of a channel that is over (HOST-090).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontStep {
    pub channel: usize,
    pub is_command: bool,
    pub get: u32,
    pub address: u32,
    pub word: u32,
    /// 0 executed, 1 waits, 2 error.
    pub result: u64,
    pub code: u8,
}

/// What a cycle has shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cycle {
    pub step: Option<FrontStep>,
    pub task: Option<TaskStep>,
    /// Of each SM: warp slot and byte address of an instruction that it issues.
    pub issues: [Option<(usize, u32)>; MOST_SMS],
}
