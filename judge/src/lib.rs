//! The golden model for other people's test benches.
//!
//! You have put `weft_control` beside a datapath of your own, and want to know whether the two behave.
//! There are two ways:
//!
//! - Your test bench writes what happens at the ports as JSON lines, and `weft judge` reads them ([`trace`]).
//! - Your test bench calls the model while it runs: from Rust ([`Judge`]), or from C, SystemVerilog or Python
//!   (`include/weft_judge.h`).
//!
//! Both compare each retired operation, field by field, with the model of the convergence unit
//! (docs/spec/convergence.md).
//! Nothing here knows your instruction set, or when anything happens: only the order counts.

mod c;
mod judge;
pub mod operation;
pub mod trace;

pub use judge::{Judge, Levels, Mismatch, Retire};
pub use operation::operation;
