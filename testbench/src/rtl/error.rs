//! Which simulation, and why there is none.

use serde::{Deserialize, Serialize};
use weft_generate::{GenerateError, Impossible};

/// Which simulation of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RtlKind {
    /// The exported Verilog under Verilator.
    Verilated,
    /// rust-hdl's own simulation.
    RustHdl,
}

impl RtlKind {
    pub fn name(self) -> &'static str {
        match self {
            RtlKind::Verilated => "verilated",
            RtlKind::RustHdl => "rust-hdl",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum DutError {
    /// There is no such size.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// There is no Verilator, or no C++ compiler.
    #[error("no Verilated models can be made here: {0}")]
    Unavailable(String),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A tool that makes the model has failed.
    #[error("{0}")]
    Make(String),
    #[error("no fault model named `{0}`")]
    NoFault(String),
    #[error("waveform {0}: {1}")]
    Wave(String, std::io::Error),
}
