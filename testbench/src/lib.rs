//! Lockstep and co-simulation harness.

pub mod bench;
pub mod case;
pub mod cosim;
pub mod cover;
pub mod dut;
pub mod gen;
pub mod lanes;
pub mod lockstep;
pub mod minimise;
pub mod monitor;
pub mod ops;
pub mod reference;
pub mod report;
pub mod run;
pub mod script;
pub mod seed;
pub mod session;
pub mod timing;
#[cfg(feature = "verilated")]
pub mod verilated;
