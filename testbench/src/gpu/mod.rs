//! The whole GPU, `weft_gpu` (docs/spec/gpu.md): a memory behind its AXI4 port and a host at its registers.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`cycle`] | what a cycle has shown |
//! | [`device`] | the hardware under Verilator, with its memory: [`VerilatedGpu`] |
//! | `driver` | the same as a device of the driver |
//! | `faults` | faults of threads, as the registers tell them |
//! | `host` | what a host does with a GPU, golden or verilated |
//! | [`litmus`] | the memory model between SMs, on both |
//! | [`random`] | random host programs on both |
//! | `standing` | where warps stand, and which tasks have no SM |
//! | [`program`] | a host program on the hardware and on the golden GPU, and their memories compared |

pub mod cycle;
pub mod device;
mod driver;
mod faults;
mod host;
pub mod litmus;
pub mod program;
pub mod random;
mod standing;

pub use cycle::Cycle;
pub use device::{Caches, GpuOptions, VerilatedGpu};
