//! Synthesizable warp-control modules.
//!
//! | module | what it is |
//! |---|---|
//! | [`gpu`] | `weft_gpu`: front end, task management, SMs and the arbiter, wiring of what follows |
//! | [`sm`] | `weft_sm`: the streaming multiprocessor, wiring of what follows |
//! | [`compute`] | the SM without what launches CTAs |
//! | [`datapath`] | lanes, registers, decoder, CSRs: executes what the core issues |
//! | [`memory`] | load/store unit and scratchpad |
//! | [`host`] | `weft_host`: channels, entries and commands of the host |
//! | [`launcher`] | AXI4-Lite subordinate that launches grids |
//! | [`tasks`] | `weft_tasks`: task management and work distribution |
//! | [`cta_port`] | the SM's side of it, in place of the launcher |
//! | [`core`] | `weft_core`: the whole warp control, in one, two or four partitions |
//! | [`control`] | `weft_control`: the control plane for datapaths that fetch for themselves |
//! | [`convergence`] | `weft_convergence`: per-warp state and the token deque |
//! | [`scheduler`] | `weft_scheduler`: picker, scoreboard, instruction supply |
//! | [`schedulers`] | one, two or four of them on one set of functional units |
//! | [`cta`] | `weft_cta`: launch and retirement of CTAs |
//! | [`barrier`] | `weft_barrier`: barriers and critical sections |
//! | [`masks`] | `weft_masks`: mask registers and operations |
//! | [`wavefront`] | `weft_wavefront`: mode selection and register rows of the variable wavefront |
//! | [`units`] | `weft_units`: busy model of the functional units |
//! | [`board`] | tops for boards: self-test with LEDs |
//! | [`bundles`] | ports that belong together, declared once |
//! | [`prim`] | memories and small cells |
//! | [`simulation`] | a block in rust-hdl's own simulator, as a shared library |
//!
//! Only the datapath knows an instruction set.
//!
//! No size is compiled here: the blocks are generic, and each size costs seconds.
//! What can be generated, and how its sizes are checked, stands in `generate/src/units.rs`;
//! a size is made by a small crate that names the concrete type and calls [`write`].

pub mod barrier;
pub mod board;
pub mod bundles;
pub mod compute;
pub mod control;
pub mod convergence;
pub mod core;
pub mod cta;
pub mod cta_port;
pub mod datapath;
pub mod gpu;
mod hdl;
pub mod host;
pub mod launcher;
pub mod masks;
pub mod memory;
pub mod prim;
pub mod scheduler;
pub mod schedulers;
pub mod simulation;
pub mod sm;
#[cfg(test)]
mod stimulus;
pub mod tasks;
pub mod units;
pub mod wavefront;

pub use weft_ports::control as ports;
pub use weft_rtl::{ExportError, TopPort, Verilog};

use rust_hdl_core::prelude::Block;

/// Checked Verilog of a block: lint, plain names, one module per type. Needs no external tool.
///
/// # Errors
/// What the lint or the checks of rust-hdl find.
pub fn checked<B: Block>(mut block: B, top: &str) -> Result<Verilog, ExportError> {
    block.connect_all();
    weft_rtl::export(&block, top)
}

/// The program of a generated crate: prints the checked Verilog of a block in the form of [`Verilog::to_text`].
pub fn write<B: Block>(block: B, top: &str) {
    match checked(block, top) {
        Ok(verilog) => print!("{}", verilog.to_text()),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

/// Blocks at sizes small enough for proofs (`docs/formal.md`); the name is also that of the Verilog top module.
#[doc(hidden)]
// Inline: so it is compiled by those who call it, and not with the library.
#[inline]
pub fn formal_verilog() -> Result<Vec<Verilog>, ExportError> {
    Ok(vec![
        checked(prim::WarpQueue::<4, 2, 3>::default(), "weft_warp_queue")?,
        checked(
            wavefront::Wavefront::<4, 4, 2, 9>::default(),
            "weft_wavefront",
        )?,
        checked(
            scheduler::picker::Picker::<4, 2, 2>::default(),
            "weft_picker",
        )?,
        checked(
            scheduler::Scheduler::<4, 2, 1, 3, 6, 4, 2, 1>::default(),
            "weft_scheduler",
        )?,
        checked(barrier::slots::Slots::default(), "weft_barrier_slots")?,
        checked(
            barrier::Barrier::<4, 2, 4, 3, 5, 6>::default(),
            "weft_barrier",
        )?,
        checked(
            host::Host::<2, 1, 5, 1, 1, 4, 4, 4, 1>::default(),
            "weft_host",
        )?,
        checked(tasks::Tasks::<1, 1, 4, 4, 1024, 0>::default(), "weft_tasks")?,
        checked(
            convergence::Mover::<2, 1, 2, 4, 2, 1, 2, 3, 64>::default(),
            "weft_mover",
        )?,
        checked(
            convergence::Convergence::<2, 1, 2, 4, 3, 2, 1, 2, 3, 64>::default(),
            "weft_convergence",
        )?,
    ])
}
