//! What can be generated, and how a size of it becomes Verilog on demand.
//!
//! | module | what it is |
//! |---|---|
//! | [`units`] | every unit: its parameters, what they may be, and the Rust type; to add a unit is to add one entry there |
//! | [`derived`] | the numbers that follow from the parameters |
//! | [`config`] | sizes with a token window in four numbers, and the named configurations |
//! | [`design`] | a unit with its parameters, checked |
//! | [`sizes`] | parameters of the larger blocks, by name: the lists of `hdl/src/sizes.rs` |
//! | [`make`] | a design to Verilog: a generated crate, compiled by cargo, its output cached by content |
//!
//! `weft-hdl` is not a dependency: it is compiled when a size that is not in the cache is asked for, and only then.

#![forbid(unsafe_code)]

pub mod config;
pub mod derived;
pub mod design;
pub mod make;
pub mod sizes;
pub mod units;

pub use config::Config;
pub use design::{Design, Impossible};
pub use make::{simulation, verilog, verilog_of_all, GenerateError};
pub use units::Unit;
pub use weft_verilog::{TopPort, Verilog};
