//! Synthesizable warp-control modules.
//!
//! | wing | what it is |
//! |---|---|
//! | [`warp`] | who runs next: convergence, scheduler, CTAs, barriers |
//! | [`datapath`] | what it computes: lanes, registers, decoder, CSRs, masks, wavefronts |
//! | [`memory`] | where it stands: load/store unit, scratchpad, caches, arbiter |
//! | [`work`] | who asks: launcher, channels of a host, task management |
//! | [`compute`], [`sm`], [`gpu`] | wiring of these: an SM without what launches CTAs, `weft_sm`, `weft_gpu` |
//! | [`board`] | tops for boards: self-test with LEDs |
//! | [`bundles`] | ports that belong together, declared once |
//! | `sizes` | parameters of the larger blocks, by name |
//! | [`prim`] | memories and small cells |
//! | [`simulation`] | a block in rust-hdl's own simulator, as a shared library |
//!
//! Only the datapath knows an instruction set.
//!
//! No size is compiled here: the blocks are generic, and each size costs seconds.
//! What can be generated, and how its sizes are checked, stands in `generate/src/units.rs`;
//! a size is made by a small crate that names the concrete type and calls [`write`].

pub mod board;
pub mod bundles;
pub mod compute;
pub mod datapath;
pub mod gpu;
mod hdl;
pub mod memory;
pub mod prim;
pub mod simulation;
mod sizes;
pub mod sm;
#[cfg(test)]
mod stimulus;
pub mod warp;
pub mod work;

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
/// Outputs of the top whose names begin as one of `hidden`, before the end or a `_`, are left away.
pub fn write<B: Block>(mut block: B, top: &str, hidden: &[&str]) {
    block.connect_all();
    match weft_rtl::export_without(&block, top, hidden) {
        Ok(verilog) => print!("{}", verilog.to_text()),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

/// A block as proofs read it.
#[doc(hidden)]
pub struct Printed {
    /// Each register is a block of its own, and its next value has a name.
    pub named: Verilog,
    /// As everybody else gets it.
    pub exported: Verilog,
}

fn printed<B: Block>(mut block: B, top: &str) -> Result<Printed, ExportError> {
    block.connect_all();
    Ok(Printed {
        named: weft_rtl::export_with_next_values(&block, top)?,
        exported: weft_rtl::export(&block, top)?,
    })
}

/// Blocks at sizes small enough for proofs (`docs/formal.md`); the name is also that of the Verilog top module.
#[doc(hidden)]
// Inline: so it is compiled by those who call it, and not with the library.
#[inline]
pub fn formal_verilog() -> Result<Vec<Printed>, ExportError> {
    Ok(vec![
        printed(prim::WarpQueue::<4, 2, 3>::default(), "weft_warp_queue")?,
        printed(
            datapath::wavefront::Wavefront::<4, 4, 2, 9>::default(),
            "weft_wavefront",
        )?,
        printed(
            warp::scheduler::picker::Picker::<4, 2, 2>::default(),
            "weft_picker",
        )?,
        printed(
            warp::scheduler::Scheduler::<4, 2, 1, 3, 6, 4, 2, 1>::default(),
            "weft_scheduler",
        )?,
        printed(warp::barrier::slots::Slots::default(), "weft_barrier_slots")?,
        printed(
            warp::barrier::Barrier::<4, 2, 4, 3, 5, 6>::default(),
            "weft_barrier",
        )?,
        printed(
            work::host::Host::<2, 1, 5, 1, 1, 4, 4, 4, 1>::default(),
            "weft_host",
        )?,
        printed(
            work::tasks::Tasks::<1, 1, 2, 16, 4, 6, 4, 4, 1024, 0>::default(),
            "weft_tasks",
        )?,
        printed(work::cta_port::CtaPort::<4, 2>::default(), "weft_cta_port")?,
        printed(
            warp::core::Core::<4, 2, 3, 4, 3, 2, 1, 2, 4, 64, 6, 5, 2, 1, 1, 4, 2, 1, 3, 6>::default(),
            "weft_core",
        )?,
        printed(warp::cta::Cta::<4, 2, 3, 6, 4, 4>::default(), "weft_cta")?,
        printed(
            memory::pass_queue::PassQueue::<5, 6, 2, 2, 1>::default(),
            "weft_pass_queue",
        )?,
        printed(
            memory::scratchpad::Scratchpad::<4, 2, 128, 104, 24, 3, 1>::default(),
            "weft_scratchpad",
        )?,
        printed(
            datapath::Datapath::<4, 2, 6, 4, 2, 3, 2, 1, 64, 2, 1, 3, 8, 9, 0, 2, 1, 1>::default(),
            "weft_datapath",
        )?,
        printed(
            datapath::float::Float::<1, 2, 64, 1, 1, 2, 1>::default(),
            "weft_float",
        )?,
        printed(
            work::launcher::Launcher::<4, 2, 4, 2, 4, 64, 7>::default(),
            "weft_launcher",
        )?,
        printed(
            memory::pending::Pending::<2, 1, 6, 3>::default(),
            "weft_pending",
        )?,
        printed(memory::lines::Lines::<8, 3>::default(), "weft_lines")?,
        printed(
            memory::axi::MemoryPort::<64, 8, 1, 2, 128, 2, 1, 2>::default(),
            "weft_memory_port",
        )?,
        printed(
            warp::convergence::Mover::<2, 1, 2, 4, 2, 1, 2, 3, 64>::default(),
            "weft_mover",
        )?,
        printed(
            warp::convergence::Convergence::<2, 1, 2, 4, 3, 2, 1, 2, 3, 64>::default(),
            "weft_convergence",
        )?,
    ])
}
