//! What a run is made of: machine, hardware, surroundings, judges.

use crate::lockstep::Watchdog;
use crate::memory::MemoryTiming;
use crate::session::{Levels, Recenter};
use crate::timing::Timing;
use crate::wavefront;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use weft_isa::Segment;
use weft_sim::Config;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunConfig {
    /// Warps, threads, grid, memory and policy. The hardware has `warps` × `threads`.
    pub machine: Config,
    /// K and B of the hardware; `None`: as in the supported size with so many warps and threads that comes first.
    pub window: Option<(usize, usize)>,
    pub timing: Timing,
    /// The memory of the tokens.
    pub tokens: MemoryTiming,
    pub recenter: Recenter,
    /// Lockstep: of 1,000 cycles, those in which a random access to a register begins.
    pub accesses: u32,
    /// Lane latencies, stalls, noise on unused fields, places of the allocations.
    pub seed: u64,
    /// Fill unused resolve fields at random.
    pub noise: bool,
    /// `subv.auto` asks a `weft_wavefront` below the lanes, which hears of the accesses to a cache of `machine.cache`
    /// and addresses their registers; the golden model is told what it says.
    #[serde(skip)]
    pub wavefront: Option<wavefront::device::Kind>,
    /// Reset the hardware first. Without it, it must be at rest.
    pub reset: bool,
    pub watchdog: Watchdog,
    pub cycles: Option<u64>,
    /// Most instructions of a thread alone, and (per warp) of the golden model.
    pub instructions: u64,
    /// Lockstep: also compare with the scalar oracle. Only for programs whose threads do not race.
    pub oracle: bool,
    /// Write waveforms (VCD) of the hardware there.
    pub wave: Option<PathBuf>,
    /// They begin in this cycle (of `weft_core`; else in the first).
    pub wave_from: u64,
    /// Bytes that are put into memory after the program was loaded.
    #[serde(skip)]
    pub data: Vec<Segment>,
}

impl Default for RunConfig {
    fn default() -> Self {
        RunConfig {
            machine: Config::default(),
            window: None,
            timing: Timing::default(),
            tokens: MemoryTiming::default(),
            recenter: Recenter::default(),
            accesses: 0,
            seed: 0,
            noise: false,
            wavefront: None,
            reset: true,
            watchdog: Watchdog::default(),
            cycles: None,
            instructions: 1_000_000_000,
            oracle: false,
            wave: None,
            wave_from: 0,
            data: Vec::new(),
        }
    }
}

impl RunConfig {
    /// The hardware's size; it may be impossible.
    pub fn size(&self) -> weft_generate::Config {
        use weft_generate::Config;
        let (warps, threads) = (self.machine.warps, self.machine.threads);
        match self.window {
            Some((front, back)) => Config::new(warps, threads, front, back),
            None => Config::usual(warps, threads),
        }
    }

    /// For hardware of this size.
    pub fn for_size(size: weft_generate::Config) -> RunConfig {
        let mut config = RunConfig {
            window: Some((size.front, size.back)),
            ..RunConfig::default()
        };
        (config.machine.warps, config.machine.threads) = (size.warps, size.threads);
        config
    }

    pub fn levels(&self) -> Levels {
        Levels {
            policy: self.machine.policy(),
            recenter: self.recenter,
        }
    }
}
