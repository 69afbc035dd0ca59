//! The whole GPU, `weft_gpu` (docs/spec/gpu.md): a memory behind its AXI4 port and a host at its registers.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`device`] | the hardware under Verilator, with its memory: [`VerilatedGpu`] |
//! | [`program`] | a host program on the hardware and on the golden GPU, and their memories compared |

pub mod device;
pub mod program;

pub use device::{Cycle, GpuOptions, Progress, VerilatedGpu};
