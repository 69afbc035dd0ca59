//! Synthesizable warp-control modules.
//!
//! | module | what it is |
//! |---|---|
//! | [`control`] | `weft_control`: the control plane, flat ports |
//! | [`convergence`] | `weft_convergence`: per-warp state and the token deque |
//! | [`scheduler`] | `weft_scheduler`: oldest ready warp first |
//! | [`prim`] | memories and small cells |
//! | [`ports`] | the ports of `weft_control` as Rust values |
//! | [`simulation`] | `weft_control` in rust-hdl's own simulator |
//!
//! Nothing here knows an instruction set.

pub mod control;
pub mod convergence;
mod hdl;
pub mod ports;
pub mod prim;
pub mod scheduler;
pub mod simulation;
#[cfg(test)]
mod stimulus;

pub use simulation::simulate;
pub use weft_rtl::{ExportError, Verilog};

use rust_hdl_core::prelude::Block;

/// A size of the control plane that can be generated and simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    pub warps: usize,
    pub threads: usize,
}

impl Config {
    /// Named configurations.
    pub const NAMED: [(&'static str, Config); 4] = [
        (
            "tiny",
            Config {
                warps: 4,
                threads: 4,
            },
        ),
        (
            "small",
            Config {
                warps: 8,
                threads: 8,
            },
        ),
        (
            "default",
            Config {
                warps: 16,
                threads: 32,
            },
        ),
        (
            "max",
            Config {
                warps: 32,
                threads: 32,
            },
        ),
    ];
}

/// What can be generated as Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    Control,
    Convergence,
    Scheduler,
}

impl Unit {
    pub const ALL: [Unit; 3] = [Unit::Control, Unit::Convergence, Unit::Scheduler];

    /// Name of the Verilog top module.
    pub const fn top(self) -> &'static str {
        match self {
            Unit::Control => "weft_control",
            Unit::Convergence => "weft_convergence",
            Unit::Scheduler => "weft_scheduler",
        }
    }
}

/// Why there is no Verilog.
#[derive(Debug)]
pub enum VerilogError {
    /// The size is not in [`SUPPORTED`].
    Unsupported(Config),
    Export(ExportError),
}

impl std::fmt::Display for VerilogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VerilogError::Unsupported(c) => write!(
                f,
                "{} warps x {} threads is not a supported size; supported: {}",
                c.warps,
                c.threads,
                SUPPORTED
                    .iter()
                    .map(|c| format!("{}x{}", c.warps, c.threads))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            VerilogError::Export(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for VerilogError {}

fn checked<B: Block + Default>(top: &str) -> Result<Verilog, VerilogError> {
    let mut block = B::default();
    block.connect_all();
    weft_rtl::export(&block, top).map_err(VerilogError::Export)
}

/// Expands once per supported size with the derived parameters of `Control`:
/// warps, log2 warps, threads, pointer bits, depth bits, token address bits, tree nodes, queue count bits.
/// (Each size costs compile time; a new one is one more entry in the list below.)
macro_rules! sizes {
    ($($nw:literal $wi:literal { $($w:literal $p:literal),* }),*) => {
        /// All sizes that can be generated.
        pub const SUPPORTED: &[Config] = &[$($(Config { warps: $nw, threads: $w }),*),*];

        /// Checked Verilog of a unit: lint, plain names, one module per type. Needs no external tool.
        pub fn unit_verilog(unit: Unit, config: Config) -> Result<Verilog, VerilogError> {
            match (config.warps, config.threads) {
                $($(($nw, $w) => match unit {
                    Unit::Control => checked::<
                        control::Control<$nw, $wi, $w, $p, { $p + 1 }, { $wi + $p }, { 2 * $w - 1 }, { $wi + 1 }>,
                    >(unit.top()),
                    Unit::Convergence => checked::<
                        convergence::Convergence<$nw, $wi, $w, $p, { $p + 1 }, { $wi + $p }, { 2 * $w - 1 }>,
                    >(unit.top()),
                    Unit::Scheduler => checked::<scheduler::Scheduler<$nw, $wi, { $wi + 1 }>>(unit.top()),
                },)*)*
                _ => Err(VerilogError::Unsupported(config)),
            }
        }

        fn simulation_of(config: Config) -> Option<Box<dyn simulation::Simulation>> {
            match (config.warps, config.threads) {
                $($(($nw, $w) => Some(simulation::control_plane::<$nw, $wi, $w, $p, { $p + 1 }, { $wi + $p }, { 2 * $w - 1 }, { $wi + 1 },>()),)*)*
                _ => None,
            }
        }
    };
}

sizes! {
    4 2 { 4 3, 8 4, 32 6 },
    8 3 { 8 4, 32 6 },
    16 4 { 32 6 },
    32 5 { 32 6 }
}

/// Verilog of the whole control plane, top `weft_control`, as one text.
pub fn verilog(config: Config) -> Result<String, VerilogError> {
    Ok(unit_verilog(Unit::Control, config)?.bundle())
}
