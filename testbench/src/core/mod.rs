//! Bench of the whole core, `weft_core` (docs/spec/core.md): real programs on it, in lockstep with the golden machine.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`decode`] | instruction words as the scheduler takes them |
//! | [`options`] | how everything around the core behaves |
//! | `ports` | the ports by name |
//! | `fetch`, `units` | line memory; functional units and who answers for control instructions |
//! | `job` | a CTA: its threads with a memory of their own, and its golden machine |
//! | [`session`] | the core with all this around it, cycle by cycle, in lockstep and under monitors |
//! | [`report`] | what a run gives back |
//! | [`run`] | one program on one core |
//! | [`cosim`] | many random programs, replay line, coverage |
//!
//! Every CTA of a run is a job of its own: the same program, but memory, thread numbers and grid are its own.

pub mod cosim;
pub mod decode;
mod fetch;
mod job;
pub mod options;
mod ports;
pub mod report;
pub mod run;
pub mod session;
mod units;

pub use options::{CoreOptions, Cta, Pick, Width};
pub use report::{CoreError, CoreReport, Counters};
pub use run::run_program;
