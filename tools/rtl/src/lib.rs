//! Safe rust-hdl: kernel lint, checked Verilog export, co-simulation.
//!
//! | Call | Does |
//! |---|---|
//! | [`check_module`] | everything below for one block: the call in each module's unit test |
//! | [`lint`] | finds kernel forms that rust-hdl mistranslates, latches, read-before-write |
//! | [`scan_sources`] | the same for what only the source text shows |
//! | [`export`] | checked Verilog with plain names, identical modules merged |
//! | [`verilator_lint`] | `verilator --lint-only -Wall` on an export |
//! | [`cosim::Cosim`] | built-in simulator against the exported Verilog, every output at every step |
//! | [`Bench`] | single-threaded driver for tests in Rust |
//! | [`kernel`] | a kernel in parts; clock and hold lines by rule |
//!
//! Hardware files start with `use weft_rtl::prelude::*;`.

#![forbid(unsafe_code)]

pub mod bench;
#[cfg(feature = "cosim")]
pub mod check;
#[cfg(feature = "cosim")]
pub mod cosim;
mod design;
mod elab;
pub mod export;
mod hazard;
mod hide;
pub mod kernel;
mod keywords;
pub mod lint;
mod num;
pub mod paths;
#[cfg(feature = "cosim")]
mod ports;
pub mod prelude;
#[cfg(feature = "cosim")]
mod replay;
#[cfg(feature = "cosim")]
pub mod rng;
pub mod scan;
#[cfg(feature = "cosim")]
pub mod verilator;
mod write;

pub use bench::{settle, wave_path, Bench, ClockFn};
#[cfg(feature = "cosim")]
pub use check::check_module;
pub use export::{
    export, export_with_next_values, export_without, top_ports, ExportError, TopPort, Verilog,
};
pub use hazard::{Finding, Hazard};
pub use lint::lint;
#[cfg(feature = "cosim")]
pub use rng::Rng;
pub use scan::scan_sources;
#[cfg(feature = "cosim")]
pub use verilator::{verilator_lint, LintReport};
