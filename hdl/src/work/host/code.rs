//! Codes of errors and commands (`docs/spec/host.md`).

/// NUMBER; the others follow in the order of the page.
pub const NUMBER: u64 = 1;
pub const RING_ADDRESS: u64 = 2;
pub const GET_RANGE: u64 = 3;
pub const PUT_RANGE: u64 = 4;
pub const LOCKED: u64 = 5;
pub const SHADOW_ADDRESS: u64 = 6;
pub const ENTRY_RESERVED: u64 = 8;
pub const ENTRY_LENGTH: u64 = 9;
pub const BLOCK_ADDRESS: u64 = 10;
pub const COMMAND_UNKNOWN: u64 = 16;
pub const COMMAND_SIZE: u64 = 17;
pub const COMMAND_FLAGS: u64 = 18;
pub const SEM_ADDRESS: u64 = 19;
pub const ACQUIRE_TIMEOUT: u64 = 20;
pub const MEMORY: u64 = 21;
