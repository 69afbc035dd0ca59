//! Ports and codes of the hardware as plain values: what the hardware, its test bench and its models share.
//!
//! | module | what it is |
//! |---|---|
//! | [`control`] | the ports of `weft_control`, operation codes, causes, configuration registers |
//! | [`masks`] | the ports of `weft_masks` |
//! | [`wavefront`] | the ports of `weft_wavefront` |
//! | [`board`] | the program of a board's self-test |
//!
//! Nothing here depends on rust-hdl: whoever drives the hardware as Verilog need not compile it.

#![forbid(unsafe_code)]

pub mod board;
pub mod control;
pub mod masks;
pub mod wavefront;
