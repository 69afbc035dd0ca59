//! Synthesizable warp-control modules.
//!
//! | module | what it is |
//! |---|---|
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
//! | [`prim`] | memories and small cells |
//! | [`ports`] | the ports of `weft_control` as Rust values |
//! | [`simulation`] | `weft_control` in rust-hdl's own simulator |
//!
//! Nothing here knows an instruction set.

pub mod barrier;
pub mod board;
pub mod control;
pub mod convergence;
pub mod core;
pub mod cta;
mod hdl;
pub mod masks;
pub mod ports;
pub mod prim;
pub mod scheduler;
pub mod schedulers;
pub mod simulation;
#[cfg(test)]
mod stimulus;
pub mod units;
pub mod wavefront;

pub use simulation::simulate;
pub use weft_rtl::{ExportError, TopPort, Verilog, WAIVERS};

use rust_hdl_core::prelude::Block;

/// A size of the control plane that can be generated and simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Of all partitions.
    pub warps: usize,
    pub threads: usize,
    /// K, places of the front ring of the token window.
    pub front: usize,
    /// B, places of its back ring.
    pub back: usize,
    /// S, partitions of a core.
    pub partitions: usize,
    /// LB, bits of the priority level of a warp.
    pub level_bits: usize,
}

impl std::fmt::Display for Config {
    /// `16x32k8b2`: warps, threads, front and back places. With several partitions `2x16x32k8b2`: these first, and the warps of each.
    /// With other than 4 level bits `16x32k8b2l6`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}k{}b{}", self.shape(), self.front, self.back)?;
        self.levels(f)
    }
}

impl Config {
    /// Named configurations.
    pub const NAMED: [(&'static str, Config); 4] = [
        ("tiny", Config::new(4, 4, 4, 2)),
        ("small", Config::new(8, 8, 4, 1)),
        ("default", Config::new(16, 32, 8, 2)),
        ("max", Config::new(32, 32, 8, 2)),
    ];

    pub const fn new(warps: usize, threads: usize, front: usize, back: usize) -> Config {
        Config {
            warps,
            threads,
            front,
            back,
            partitions: 1,
            level_bits: 4,
        }
    }

    /// The same warps in so many partitions.
    pub const fn in_partitions(self, partitions: usize) -> Config {
        Config { partitions, ..self }
    }

    /// The same with so many bits of level.
    pub const fn with_level_bits(self, level_bits: usize) -> Config {
        Config { level_bits, ..self }
    }

    /// `16x32`, or `2x16x32`: partitions, warps of each, threads.
    pub fn shape(&self) -> String {
        let each = format!("{}x{}", self.warps / self.partitions, self.threads);
        match self.partitions {
            1 => each,
            s => format!("{s}x{each}"),
        }
    }

    fn levels(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        match self.level_bits {
            4 => Ok(()),
            bits => write!(f, "l{bits}"),
        }
    }

    /// The supported size with so many warps and threads that comes first in [`SUPPORTED`].
    pub fn with(warps: usize, threads: usize) -> Option<Config> {
        let mut sizes = SUPPORTED.iter().copied();
        sizes.find(|c| (c.warps, c.threads) == (warps, threads))
    }
}

impl std::str::FromStr for Config {
    type Err = String;

    /// `16x32k8b2`, or `16x32`: the supported size with so many warps and threads that comes first. Before it partitions, behind it level bits: `2x16x32`, `16x32l6`.
    fn from_str(text: &str) -> Result<Config, String> {
        let number = |text: &str| text.parse::<usize>().ok();
        let parse = || {
            let (text, level_bits) = match text.split_once('l') {
                Some((text, bits)) => (text, number(bits)?),
                None => (text, 4),
            };
            let (text, window) = match text.split_once('k') {
                Some((text, window)) => (text, Some(window)),
                None => (text, None),
            };
            let numbers: Option<Vec<usize>> = text.split('x').map(number).collect();
            let (partitions, warps, threads) = match numbers?[..] {
                [warps, threads] => (1, warps, threads),
                [partitions, warps, threads] if partitions > 0 => {
                    (partitions, partitions.checked_mul(warps)?, threads)
                }
                _ => return None,
            };
            let config = match window {
                Some(window) => {
                    let (front, back) = window.split_once('b')?;
                    Config::new(warps, threads, number(front)?, number(back)?)
                }
                None => windowless(warps, threads),
            };
            Some(config.in_partitions(partitions).with_level_bits(level_bits))
        };
        parse().ok_or_else(|| {
            "write WARPSxTHREADS or WARPSxTHREADSkFRONTbBACK, such as 16x32k8b2; with several partitions such as 2x16x32k8b2".into()
        })
    }
}

/// What can be generated as Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    Core,
    Control,
    Convergence,
    Scheduler,
    Barrier,
    Masks,
    Wavefront,
}

impl Unit {
    pub const ALL: [Unit; 7] = [
        Unit::Core,
        Unit::Control,
        Unit::Convergence,
        Unit::Scheduler,
        Unit::Barrier,
        Unit::Masks,
        Unit::Wavefront,
    ];

    /// Name of the Verilog top module.
    pub const fn top(self) -> &'static str {
        match self {
            Unit::Core => "weft_core",
            Unit::Control => "weft_control",
            Unit::Convergence => "weft_convergence",
            Unit::Scheduler => "weft_scheduler",
            Unit::Barrier => "weft_barrier",
            Unit::Masks => "weft_masks",
            Unit::Wavefront => "weft_wavefront",
        }
    }

    /// Whether it has a token window. The size of a unit without one is the first with so many warps and threads.
    pub const fn has_window(self) -> bool {
        !matches!(
            self,
            Unit::Scheduler | Unit::Barrier | Unit::Masks | Unit::Wavefront
        )
    }

    /// The size in short, with the window where there is one.
    pub fn size(self, config: Config) -> String {
        if self.has_window() {
            config.to_string()
        } else {
            let mut text = config.shape();
            config.levels(&mut text).expect("a String takes all");
            text
        }
    }

    /// What it can be generated as: size, and whether two instructions of a warp can go in one cycle.
    pub fn variants(self) -> Vec<(Config, bool)> {
        match self {
            Unit::Core => CORES.to_vec(),
            Unit::Control | Unit::Convergence => SUPPORTED.iter().map(|&c| (c, false)).collect(),
            Unit::Scheduler => SCHEDULERS.to_vec(),
            Unit::Barrier => BARRIERS
                .iter()
                .map(|&(warps, threads)| (windowless(warps, threads), false))
                .collect(),
            Unit::Masks => MASKS
                .iter()
                .map(|&(warps, threads)| (windowless(warps, threads), false))
                .collect(),
            Unit::Wavefront => WAVEFRONTS
                .iter()
                .map(|&(warps, threads)| (windowless(warps, threads), false))
                .collect(),
        }
    }
}

/// The size that stands for all with so many warps and threads.
fn windowless(warps: usize, threads: usize) -> Config {
    Config::with(warps, threads).unwrap_or(Config::new(warps, threads, 8, 2))
}

/// Why there is no Verilog.
#[derive(Debug)]
pub enum VerilogError {
    /// The size is not in [`SUPPORTED`].
    Unsupported(Config),
    /// Not one of the unit's [`Unit::variants`].
    NoVariant(Unit, Config, bool),
    Export(ExportError),
}

impl std::fmt::Display for VerilogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VerilogError::Unsupported(c) => write!(
                f,
                "{c} is not a supported size; supported: {}",
                SUPPORTED
                    .iter()
                    .map(Config::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            VerilogError::NoVariant(unit, config, dual) => {
                let text = |(config, dual): (Config, bool)| {
                    format!("{config}{}", if dual { " dual" } else { "" })
                };
                let variants: Vec<String> = unit.variants().into_iter().map(text).collect();
                write!(
                    f,
                    "{} does not come as {}; it comes as {}",
                    unit.top(),
                    text((*config, *dual)),
                    variants.join(", ")
                )
            }
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

/// Expands once per supported size with the derived parameters of `Control`: warps, log2 warps, and for each threads, 1 + log2 threads, places of the
/// front and the back ring, bits of a place, bits of a token in memory.
/// (Each size costs compile time; a new one is one more entry in the list below.)
macro_rules! sizes {
    ($($nw:literal $wi:literal { $($w:literal $p:literal $k:literal $b:literal $r:literal $m:literal),* }),*) => {
        /// All sizes that can be generated.
        pub const SUPPORTED: &[Config] = &[$($(Config::new($nw, $w, $k, $b)),*),*];

        fn control_verilog(config: Config) -> Result<Verilog, VerilogError> {
            let Config { warps, threads, front, back, .. } = config;
            match (warps, threads, front, back) {
                $($(($nw, $w, $k, $b) => checked::<
                    control::Control<$nw, $wi, { $wi + 1 }, $w, $p, $k, $b, $r, { $wi + $r }, $m>,
                >(Unit::Control.top()),)*)*
                _ => Err(VerilogError::Unsupported(config)),
            }
        }

        fn convergence_verilog(config: Config) -> Result<Verilog, VerilogError> {
            let Config { warps, threads, front, back, .. } = config;
            match (warps, threads, front, back) {
                $($(($nw, $w, $k, $b) => checked::<
                    convergence::Convergence<$nw, $wi, { $wi + 1 }, $w, $p, $k, $b, $r, { $wi + $r }, $m>,
                >(Unit::Convergence.top()),)*)*
                _ => Err(VerilogError::Unsupported(config)),
            }
        }

        fn simulation_of(config: Config) -> Option<Box<dyn simulation::Simulation>> {
            let Config { warps, threads, front, back, .. } = config;
            match (warps, threads, front, back) {
                $($(($nw, $w, $k, $b) => Some(simulation::control_plane::<
                    $nw, $wi, { $wi + 1 }, $w, $p, $k, $b, $r, { $wi + $r }, $m
                >()),)*)*
                _ => None,
            }
        }
    };
}

sizes! {
    4 2 {
        4 3 4 2 3 64, 4 3 2 1 2 64, 4 3 2 4 3 64, 4 3 8 1 4 64, 4 3 8 4 4 64, 4 3 16 2 5 64,
        8 4 4 2 3 64, 16 5 4 2 3 64, 32 6 8 2 4 64, 64 7 8 2 4 128
    },
    8 3 { 8 4 4 1 3 64, 32 6 8 2 4 64 },
    16 4 { 32 6 8 2 4 64, 32 6 2 2 3 64, 32 6 4 2 3 64, 32 6 16 2 5 64, 32 6 64 2 7 64 },
    32 5 { 32 6 8 2 4 64 }
}

/// Expands once per warp scheduler with its derived parameters.
macro_rules! schedulers {
    ($($nw:literal $wi:literal { $($w:literal $dual:literal $lb:literal),* }),*) => {
        /// All schedulers that can be generated: warps, threads and level bits, and whether two instructions of a warp can go in one cycle.
        pub const SCHEDULERS: &[(Config, bool)] = &[$($((Config::new($nw, $w, 8, 2).with_level_bits($lb), $dual == 1)),*),*];

        /// Checked Verilog of a warp scheduler, top `weft_scheduler`.
        pub fn scheduler_verilog(config: Config, dual: bool) -> Result<Verilog, VerilogError> {
            let Config { warps, threads, level_bits, .. } = config;
            match (warps, threads, level_bits, usize::from(dual)) {
                $($(($nw, $w, $lb, $dual) => checked::<
                    scheduler::Scheduler<
                        $nw, $wi, { $wi - 1 }, { $wi + 1 }, { $wi + 4 }, $w, $lb, $dual
                    >,
                >(Unit::Scheduler.top()),)*)*
                _ => Err(VerilogError::NoVariant(Unit::Scheduler, config, dual)),
            }
        }
    };
}

schedulers! {
    4 2 { 4 0 4, 4 1 4 },
    8 3 { 32 0 4 },
    16 4 { 32 0 4, 32 1 4, 4 1 6 }
}

/// Expands once per barrier unit with its derived parameters.
macro_rules! barriers {
    ($($nw:literal $wi:literal { $($w:literal $p:literal),* }),*) => {
        /// All barrier units that can be generated: warps, threads.
        pub const BARRIERS: &[(usize, usize)] = &[$($(($nw, $w)),*),*];

        /// Checked Verilog of a barrier unit, top `weft_barrier`.
        pub fn barrier_verilog(warps: usize, threads: usize) -> Result<Verilog, VerilogError> {
            match (warps, threads) {
                $($(($nw, $w) => checked::<
                    barrier::Barrier<$nw, $wi, $w, $p, { $wi + 3 }, { $wi + 4 }>,
                >(Unit::Barrier.top()),)*)*
                _ => Err(VerilogError::NoVariant(Unit::Barrier, windowless(warps, threads), false)),
            }
        }
    };
}

barriers! {
    4 2 { 4 3, 8 4 },
    16 4 { 32 6 },
    32 5 { 32 6 }
}

/// Expands once per core with its derived parameters: partitions; warps of each and log2 of it; of all and log2 of it.
macro_rules! cores {
    ($($s:literal $nh:literal $hi:literal $nw:literal $wi:literal {
        $($w:literal $p:literal $k:literal $b:literal $r:literal $m:literal $dual:literal $lb:literal),*
    }),*) => {
        /// All cores that can be generated: size, and whether two instructions of a warp can go in one cycle.
        pub const CORES: &[(Config, bool)] = &[$($(
            (Config::new($nw, $w, $k, $b).in_partitions($s).with_level_bits($lb), $dual == 1)
        ),*),*];

        /// Checked Verilog of the whole core, top `weft_core`.
        pub fn core_verilog(config: Config, dual: bool) -> Result<Verilog, VerilogError> {
            let Config { warps, threads, front, back, partitions, level_bits } = config;
            match (partitions, warps, threads, front, back, level_bits, usize::from(dual)) {
                $($(($s, $nw, $w, $k, $b, $lb, $dual) => checked::<
                    core::Core<
                        $nw, $wi, { $wi + 1 }, $w, $p, $k, $b, $r, { $wi + $r }, $m,
                        { $wi + 4 }, { $wi + 3 }, $lb, $dual, $s, $nh, $hi, { $hi - 1 }, { $hi + 1 }, { $hi + 4 }
                    >,
                >(Unit::Core.top()),)*)*
                _ => Err(VerilogError::NoVariant(Unit::Core, config, dual)),
            }
        }
    };
}

cores! {
    1 4 2 4 2 { 4 3 4 2 3 64 0 4, 4 3 4 2 3 64 1 4 },
    1 16 4 16 4 { 32 6 8 2 4 64 0 4, 32 6 8 2 4 64 1 4 },
    2 4 2 8 3 { 4 3 4 2 3 64 0 4, 4 3 4 2 3 64 1 4 },
    2 8 3 16 4 { 32 6 8 2 4 64 0 4 },
    2 16 4 32 5 { 32 6 8 2 4 64 0 4 },
    4 4 2 16 4 { 4 3 4 2 3 64 0 4, 4 3 4 2 3 64 1 4 },
    4 16 4 64 6 { 32 6 8 2 4 64 0 4 }
}

/// Expands once per mask unit with its derived parameters.
macro_rules! masks {
    ($($nw:literal $wi:literal { $($w:literal $i:literal),* }),*) => {
        /// All mask units that can be generated: warps, threads.
        pub const MASKS: &[(usize, usize)] = &[$($(($nw, $w)),*),*];

        /// Checked Verilog of a mask unit, top `weft_masks`.
        pub fn masks_verilog(warps: usize, threads: usize) -> Result<Verilog, VerilogError> {
            match (warps, threads) {
                $($(($nw, $w) => checked::<
                    masks::Masks<$nw, $wi, { $wi + 4 }, $w, $i, { $i + 1 }>,
                >(Unit::Masks.top()),)*)*
                _ => Err(VerilogError::NoVariant(Unit::Masks, windowless(warps, threads), false)),
            }
        }
    };
}

masks! {
    4 2 { 4 2, 64 6 },
    8 3 { 8 3 },
    16 4 { 32 5, 64 6 },
    32 5 { 32 5 }
}

/// Expands once per wavefront unit with its derived parameters.
macro_rules! wavefronts {
    ($($nw:literal $wi:literal { $($w:literal $pb:literal),* }),*) => {
        /// All wavefront units that can be generated: warps, threads.
        pub const WAVEFRONTS: &[(usize, usize)] = &[$($(($nw, $w)),*),*];

        /// Checked Verilog of a wavefront unit, top `weft_wavefront`.
        pub fn wavefront_verilog(warps: usize, threads: usize) -> Result<Verilog, VerilogError> {
            match (warps, threads) {
                $($(($nw, $w) => checked::<
                    wavefront::Wavefront<$nw, $w, $pb, { $wi + $pb + 5 }>,
                >(Unit::Wavefront.top()),)*)*
                _ => Err(VerilogError::NoVariant(Unit::Wavefront, windowless(warps, threads), false)),
            }
        }
    };
}

wavefronts! {
    4 2 { 4 2, 32 5, 64 6 },
    8 3 { 8 3 },
    16 4 { 32 5, 64 6 },
    32 5 { 32 5 }
}

/// Checked Verilog of a unit: lint, plain names, one module per type. Needs no external tool.
pub fn unit_verilog(unit: Unit, config: Config, dual: bool) -> Result<Verilog, VerilogError> {
    match (unit, dual) {
        (Unit::Core, dual) => core_verilog(config, dual),
        (Unit::Scheduler, dual) => scheduler_verilog(config, dual),
        (Unit::Barrier, false) => barrier_verilog(config.warps, config.threads),
        (Unit::Masks, false) => masks_verilog(config.warps, config.threads),
        (Unit::Wavefront, false) => wavefront_verilog(config.warps, config.threads),
        (Unit::Control, false) => control_verilog(config),
        (Unit::Convergence, false) => convergence_verilog(config),
        (_, true) => Err(VerilogError::NoVariant(unit, config, dual)),
    }
}

/// Verilog of the whole control plane, top `weft_control`, as one text.
pub fn verilog(config: Config) -> Result<String, VerilogError> {
    Ok(control_verilog(config)?.bundle())
}

/// Blocks at sizes small enough for proofs (`docs/formal.md`); the name is also that of the Verilog top module.
#[doc(hidden)]
pub fn formal_verilog() -> Result<Vec<Verilog>, VerilogError> {
    Ok(vec![
        checked::<prim::WarpQueue<4, 2, 3>>("weft_warp_queue")?,
        checked::<wavefront::Wavefront<4, 4, 2, 9>>("weft_wavefront")?,
        checked::<scheduler::picker::Picker<4, 2, 2>>("weft_picker")?,
        checked::<scheduler::Scheduler<4, 2, 1, 3, 6, 4, 2, 1>>("weft_scheduler")?,
        checked::<barrier::slots::Slots>("weft_barrier_slots")?,
        checked::<barrier::Barrier<4, 2, 4, 3, 5, 6>>("weft_barrier")?,
        checked::<convergence::Mover<2, 1, 2, 4, 2, 1, 2, 3, 64>>("weft_mover")?,
        checked::<convergence::Convergence<2, 1, 2, 4, 3, 2, 1, 2, 3, 64>>("weft_convergence")?,
    ])
}
