//! Bench of the host front end `weft_host` (docs/spec/host.md).
//!
//! | module | what it is |
//! | --- | --- |
//! | [`bench`] | host, memory and a stand-in for task management around it, in lockstep with the model |
//! | [`program`] | random programs of the host, with threads that write semaphores |
//! | [`cosim`] | which program has which number |
//! | [`cover`] | what the programs have met |

pub mod bench;
pub mod cosim;
pub mod cover;
pub mod program;
