//! `weft_wavefront` beside its model (docs/spec/subvector.md): any inputs, kernels in automatic mode.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`device`] | rust-hdl's simulation, and the exported Verilog under Verilator |
//! | [`judge`] | both sides cycle by cycle; what has happened, in bins |
//! | [`datapath`] | the device below the functional lanes: asked by `subv.auto`, told of cache accesses, with a register file in rows |

pub mod datapath;
pub mod device;
pub mod judge;
