//! Codes at the ports, `docs/spec/barrier.md`.

pub const TOP: u64 = 0;
pub const BOTTOM: u64 = 1;
pub const BOTTOM_NB: u64 = 2;
pub const RESET: u64 = 3;
pub const ARRIVE: u64 = 4;
pub const WAIT: u64 = 5;
pub const EXIT: u64 = 6;
pub const LAUNCH: u64 = 8;
pub const KILL: u64 = 9;

pub const VERDICT_NEXT: u64 = 0;
pub const VERDICT_SLEEP: u64 = 1;
pub const VERDICT_RETRY: u64 = 2;
pub const VERDICT_PART: u64 = 3;
pub const VERDICT_EXIT: u64 = 4;
