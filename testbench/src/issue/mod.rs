//! Bench of the warp scheduler `weft_scheduler` (docs/spec/scheduler.md, docs/spec/supply.md).
//!
//! | module | what it is |
//! | --- | --- |
//! | [`device`] | designs under test: the model, and the exported Verilog |
//! | [`code`] | instructions: the words carry their decoded form |
//! | [`world`] | random surroundings: line memory, units, results, control operations, launches, stops, levels, counters |
//! | [`rules`], [`tally`] | monitors of the ports; they do not know the model |
//! | [`cover`] | functional coverage |
//! | [`episode`] | a run in lockstep with the model; replay line and waves of a failure |
//! | `line` | a cycle at the ports as text |
//! | [`directed`] | surroundings without chance, for written programs |

pub mod code;
pub mod cover;
pub mod device;
pub mod directed;
pub mod episode;
mod line;
pub mod rules;
pub mod tally;
pub mod world;
