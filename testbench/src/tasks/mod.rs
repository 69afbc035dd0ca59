//! `weft_tasks` in random surroundings, in lockstep with the model by its trace (TASK-090).
//!
//! | module | what it is |
//! | --- | --- |
//! | [`device`] | the design under Verilator, cycle by cycle |
//! | [`sms`] | what stands in for the SMs: CTAs that end after a while |
//! | [`bench`] | memory with random latency, host, threads; every step is compared with the model |
//! | [`random`] | random descriptors, threads and hosts |
//! | [`cosim`] | which episode has which number |
//! | [`cover`] | what has happened, counted |
//!
//! The memory of the hardware and the memory of the model are two.
//! What threads and host write is in that of the hardware at once; the model sees a word of it when the hardware has
//! read it. So the model knows at each step what the hardware could know, and whatever either of them writes must be
//! the same.

pub mod bench;
pub mod cosim;
pub mod cover;
pub mod device;
pub mod random;
pub mod sms;

pub use bench::{Bench, Wrong};
pub use cover::Cover;
pub use device::{Device, Shape};
