//! Designs in simulation, made when first opened: the one bridge between the test bench and generated hardware.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`model`] | a design with its ports by name: [`Model`](model::Model) |
//! | [`library`] | where its code comes from: a shared library, made if need be, loaded once |
//! | [`verilate`] | Verilog to shared library, with Verilator and the C++ compiler |
//! | [`sliced`] | the gates of a small design, for 512 runs at once |
//! | [`control`] | `weft_control` as plain values |
//! | [`faults`] | deliberately broken copies, as patches of the Verilog |
//! | [`stand_in`] | another library in place of a design's, given in the environment |
//! | [`specified`] | the ports as the specification has them |
//!
//! A design becomes Verilog ([`weft_generate`]), and that a shared library.
//! Both are kept below the target directory by content, so a second run finds them;
//! another process that needs the same one at the same time makes it too, or waits.

pub mod broken;
pub mod control;
pub mod error;
pub mod faults;
pub mod library;
pub mod model;
mod place;
mod plain;
pub mod sliced;
pub mod specified;
pub mod stand_in;
pub mod store;
mod verilate;

pub use model::{In, Model, Out};
