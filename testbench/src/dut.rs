//! Designs under test: whatever implements [`Control`], and how to open one.

use serde::{Deserialize, Serialize};
use std::path::Path;
use weft_hdl::ports::{Control, Inputs, Outputs};
use weft_hdl::Config;

/// Which simulation of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RtlKind {
    /// The exported Verilog under Verilator (feature `verilated`).
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

/// A simulated design and its size.
pub struct Opened {
    pub config: Config,
    pub control: Box<dyn Control>,
}

#[derive(Debug, thiserror::Error)]
pub enum DutError {
    #[error("no {engine} model of {config} (warps x threads, front and back places); available: {known}")]
    NoModel {
        config: Config,
        engine: &'static str,
        known: String,
    },
    #[error("this build has no Verilated models; build with `--features verilated` (needs Verilator 5 and a C++ compiler)")]
    NotBuilt,
    #[error("no fault model named `{0}`")]
    NoFault(String),
    #[error("waveform {0}: {1}")]
    Wave(String, std::io::Error),
}

/// How to open a design.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions<'a> {
    /// Verilated only: ≠ 0 fills state that has no initial value at random.
    pub seed: u32,
    /// Write waveforms (VCD) there.
    pub wave: Option<&'a Path>,
}

pub fn open(kind: RtlKind, config: Config, options: &OpenOptions) -> Result<Opened, DutError> {
    match kind {
        RtlKind::Verilated => open_verilated(config, options),
        RtlKind::RustHdl => open_rust_hdl(config, options.wave),
    }
}

/// rust-hdl's simulation as a plain [`Control`].
struct RustHdl(Box<dyn weft_hdl::simulation::Simulation>);

impl Control for RustHdl {
    fn settle(&mut self, inputs: &Inputs) -> Outputs {
        self.0.settle(inputs)
    }

    fn edge(&mut self) {
        self.0.edge();
    }
}

fn open_rust_hdl(config: Config, wave: Option<&Path>) -> Result<Opened, DutError> {
    let mut simulation = weft_hdl::simulate(config).ok_or_else(|| DutError::NoModel {
        config,
        engine: "rust-hdl",
        known: supported(),
    })?;
    if let Some(path) = wave {
        let fail = |e| DutError::Wave(path.display().to_string(), e);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        simulation.open_wave(path).map_err(fail)?;
    }
    Ok(Opened {
        config,
        control: Box::new(RustHdl(simulation)),
    })
}

fn supported() -> String {
    let names: Vec<_> = weft_hdl::SUPPORTED
        .iter()
        .map(ToString::to_string)
        .collect();
    names.join(", ")
}

#[cfg(feature = "verilated")]
fn open_verilated(config: Config, options: &OpenOptions) -> Result<Opened, DutError> {
    crate::verilated::open(config, options.seed, options.wave)
}

#[cfg(not(feature = "verilated"))]
fn open_verilated(_: Config, _: &OpenOptions) -> Result<Opened, DutError> {
    Err(DutError::NotBuilt)
}

/// Sizes that this build can simulate in this way.
pub fn sizes(kind: RtlKind) -> Vec<Config> {
    match kind {
        RtlKind::RustHdl => weft_hdl::SUPPORTED.to_vec(),
        #[cfg(feature = "verilated")]
        RtlKind::Verilated => crate::verilated::sizes().collect(),
        #[cfg(not(feature = "verilated"))]
        RtlKind::Verilated => Vec::new(),
    }
}
