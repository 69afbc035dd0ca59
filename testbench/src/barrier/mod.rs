//! Bench of the barrier unit `weft_barrier` (docs/spec/barrier.md).
//!
//! | module | what it is |
//! | --- | --- |
//! | [`device`] | designs under test: the model with a simple timing, and the exported Verilog |
//! | [`world`] | random surroundings: CTAs, warps and threads with programs, launches, kills, backpressure |
//! | [`rules`] | monitors of the ports; they do not know the model |
//! | [`cover`] | counted coverage |
//! | [`episode`] | a run in lockstep with the judge; replay line and waves of a failure |
//! | [`directed`] | surroundings without chance, for written operations |

pub mod cover;
pub mod device;
pub mod directed;
pub mod episode;
pub(crate) mod ports;
pub mod rules;
pub mod world;
