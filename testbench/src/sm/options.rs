//! How everything around the SM behaves.

use super::memory::AxiTiming;
use super::ports::Shape;
use crate::core::Pick;
use crate::seed::stream;
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use weft_isa::Segment;
use weft_sim::{Config, Launch};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SmOptions {
    pub shape: Shape,
    pub launch: Launch,
    /// Size of global memory, tokens and policy; warps, threads and grid do not count.
    pub machine: Config,
    pub axi: AxiTiming,
    /// Of 100 cycles, those in which the host holds back.
    pub host_gap: u32,
    /// Of every CTA; `cfg_level_mix`; `cfg_policy`.
    pub level: u8,
    pub level_mix: u8,
    pub policy: Pick,
    /// `cfg_priority`
    pub priority: u16,
    /// Tests only: bits of LEVEL and of MODE beside those that have a meaning.
    #[doc(hidden)]
    #[serde(skip)]
    pub strange_bits: (u32, u32),
    /// Global lines that answer with an error: begin addresses.
    pub bad_lines: Vec<u32>,
    pub seed: u64,
    /// Compare with the golden machine.
    pub lockstep: bool,
    /// Launch what no golden machine can be made for, too; without `lockstep` and `oracle`.
    pub unchecked: bool,
    /// At the end, compare memory and registers with every thread alone.
    pub oracle: bool,
    pub cycles: Option<u64>,
    /// Livelock: so many cycles without a change of memory or the end of a warp.
    pub livelock: u64,
    /// Most instructions of a thread alone.
    pub instructions: u64,
    pub wave: Option<PathBuf>,
    pub wave_from: u64,
    /// So many cycles behind a first launch, which nobody judges, there is a reset of so many cycles; then all begins anew.
    pub reset: Option<(u64, u32)>,
    /// A launch before, behind such a reset, that is killed after so many cycles (MEM-024), and a reset of one cycle.
    pub killed: Option<u64>,
    /// Bytes that are put into memory beside the program.
    #[serde(skip)]
    pub data: Vec<Segment>,
}

impl Default for SmOptions {
    fn default() -> SmOptions {
        SmOptions {
            shape: Shape::SMALL,
            launch: Launch::default(),
            machine: Config::default(),
            axi: AxiTiming::default(),
            host_gap: 0,
            level: 0,
            level_mix: 0,
            policy: Pick::Age,
            priority: 0,
            strange_bits: (0, 0),
            bad_lines: Vec::new(),
            seed: 0,
            lockstep: true,
            unchecked: false,
            oracle: false,
            cycles: None,
            livelock: 1_000_000,
            instructions: 1_000_000_000,
            wave: None,
            wave_from: 0,
            reset: None,
            killed: None,
            data: Vec::new(),
        }
    }
}

impl Default for Shape {
    fn default() -> Shape {
        Shape::SMALL
    }
}

impl SmOptions {
    /// The surroundings of a random program.
    pub fn draw(seed: u64, shape: Shape) -> SmOptions {
        let resets = &mut stream(seed, "sm reset");
        let levels = &mut stream(seed, "sm levels");
        let kills = &mut stream(seed, "sm kill");
        let rng = &mut stream(seed, "sm options");
        SmOptions {
            shape,
            axi: AxiTiming::draw(rng),
            host_gap: [0, 0, 50][rng.gen_range(0..3)],
            level: levels.gen_range(0..16),
            level_mix: levels.gen_range(0..4),
            policy: Pick::ALL[levels.gen_range(0..3)],
            priority: levels.gen(),
            seed,
            reset: resets
                .gen_bool(0.5)
                .then(|| (resets.gen_range(0..3000), resets.gen_range(1..3))),
            killed: kills.gen_bool(0.5).then(|| kills.gen_range(0..3000)),
            ..SmOptions::default()
        }
    }

    /// LEVEL.
    pub fn level_word(&self) -> u32 {
        let (mix, policy) = (u32::from(self.level_mix), u32::from(self.policy.code()));
        u32::from(self.level) | mix << 8 | policy << 16
    }

    /// Physical base of local memory: behind global memory.
    pub fn local_base(&self) -> u32 {
        self.machine.memory.next_multiple_of(64)
    }

    fn threads(&self) -> u32 {
        (self.shape.warps * self.shape.threads) as u32
    }

    /// Physical base of the tokens: behind local memory.
    pub fn token_base(&self) -> u32 {
        let end = self.local_base() + self.launch.local * self.threads();
        end.next_multiple_of(1024)
    }

    /// Bytes behind the port.
    pub fn physical(&self) -> u32 {
        self.token_base() + self.shape.warps as u32 * 1024 * self.shape.token()
    }
}
