//! The warp scheduler and its instruction supply, cycle by cycle; the units' busy model; what the CTA unit may do.
//!
//! Spec: `docs/spec/scheduler.md`, `docs/spec/supply.md`, `docs/spec/cta.md`.
//!
//! | module | what it is |
//! | --- | --- |
//! | `ports` | [`Params`], [`Inputs`], [`Outputs`] of `weft_scheduler`, [`Decoded`] |
//! | `scheduler` | [`Scheduler`]: picker, issue stage, scoreboard, and what [`Happened`] in a cycle |
//! | `supply` | the instruction lines and the pass of a warp through the supply |
//! | `counters` | [`Reason`]s and the counters of them |
//! | `units` | [`Units`]: `weft_units` |
//! | `cta` | [`CtaChecker`]: judges the ports of `weft_cta` |
//!
//! All of these have a clock: outputs belong to the state before `step`, and `step` is one cycle.

mod counters;
mod cta;
#[doc(hidden)]
pub mod mutation;
mod ports;
mod scheduler;
mod supply;
#[cfg(test)]
mod tests;
mod units;

pub use counters::Reason;
pub use cta::{CtaChecker, CtaParams, CtaPorts};
pub use mutation::Mutation;
pub use ports::{
    register_from_bits, register_to_bits, Decoded, Inputs, Outputs, Params, STOP_TO_START,
};
pub use scheduler::{Alone, Blocked, Happened, Instruction, Issue, Push, Scheduler, Touch};
pub use supply::{Look, Looked};
pub use units::{UnitInputs, UnitOutputs, Units};
