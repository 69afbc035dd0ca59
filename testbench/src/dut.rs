//! Designs under test: whatever implements [`Control`], and how to open one.

use crate::rtl::control::ControlModel;
pub use crate::rtl::error::{DutError, RtlKind};
pub use crate::rtl::library::available;
use crate::rtl::model::{Model, Options};
use std::path::Path;
use weft_generate::{Config, Design, Unit};
use weft_ports::control::Control;

/// The sizes of `weft_control` that random programs are drawn for when none are asked for, and that the tests go
/// through: every number of threads, every token window that works differently, and the named configurations.
/// Any other size can be opened as well.
pub const SIZES: &[Config] = &[
    Config::new(4, 4, 4, 2),
    Config::new(4, 4, 2, 1),
    Config::new(4, 4, 2, 4),
    Config::new(4, 4, 8, 1),
    Config::new(4, 4, 8, 4),
    Config::new(4, 4, 16, 2),
    Config::new(4, 8, 4, 2),
    Config::new(4, 16, 4, 2),
    Config::new(4, 32, 8, 2),
    Config::new(4, 64, 8, 2),
    Config::new(8, 8, 4, 1),
    Config::new(8, 32, 8, 2),
    Config::new(16, 32, 8, 2),
    Config::new(16, 32, 2, 2),
    Config::new(16, 32, 4, 2),
    Config::new(16, 32, 16, 2),
    Config::new(16, 32, 64, 2),
    Config::new(32, 32, 8, 2),
];

/// Of these the ones that the gate has time for: each number of threads at an end, rings of every kind, and each kind of
/// named configuration. `cargo xtask long control-sizes` goes through all.
pub const USUAL: &[Config] = &[
    Config::new(4, 4, 4, 2),
    Config::new(4, 4, 2, 1),
    Config::new(4, 4, 8, 4),
    Config::new(4, 8, 4, 2),
    Config::new(4, 64, 8, 2),
    Config::new(8, 8, 4, 1),
    Config::new(16, 32, 2, 2),
    Config::new(32, 32, 8, 2),
];

/// A simulated design and its size.
pub struct Opened {
    pub config: Config,
    pub control: Box<dyn Control>,
}

/// How to open a design.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions<'a> {
    /// Verilated only: ≠ 0 fills state that has no initial value at random.
    pub seed: u32,
    /// Write waveforms (VCD) there.
    pub wave: Option<&'a Path>,
}

/// Opens `weft_control` in this size; makes its simulation if need be.
///
/// # Errors
/// There is no such size, or it cannot be made.
pub fn open(kind: RtlKind, config: Config, options: &OpenOptions) -> Result<Opened, DutError> {
    open_copy(kind, config, None, options)
}

/// Opens a deliberately broken copy ([`faults`](crate::rtl::faults)).
///
/// # Errors
/// As [`open`], or there is no such copy.
pub fn open_fault(name: &str, wave: Option<&Path>) -> Result<Opened, DutError> {
    let options = OpenOptions { seed: 0, wave };
    let config = crate::rtl::faults::FAULT_SIZE;
    open_copy(RtlKind::Verilated, config, Some(name), &options)
}

fn open_copy(
    kind: RtlKind,
    config: Config,
    fault: Option<&str>,
    options: &OpenOptions,
) -> Result<Opened, DutError> {
    let design = Design::of(Unit::Control, config, false)?;
    let options = Options {
        fault,
        seed: options.seed,
        wave: options.wave,
        ..Options::default()
    };
    let model = Model::open(kind, &design, &options)?;
    Ok(Opened {
        config,
        control: Box::new(ControlModel::new(model)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gate's last step takes the models that its tests have made.
    #[test]
    fn the_gate_goes_through_the_usual_sizes() {
        let gate = include_str!("../../tools/xtask/src/gate.rs");
        let usual: Vec<_> = USUAL.iter().map(Config::to_string).collect();
        assert!(gate.contains(&format!("\"{}\"", usual.join(","))));
        assert!(USUAL.iter().all(|size| SIZES.contains(size)));
    }
}
