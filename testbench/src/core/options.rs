//! How everything around the core behaves.

use crate::seed::{stream, Rng};
use crate::timing::Latency;
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use weft_sim::Mutation;

/// `cfg_policy`
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    #[default]
    Age,
    LooseRoundRobin,
    GreedyThenOldest,
}

impl Pick {
    pub const ALL: [Pick; 3] = [Pick::Age, Pick::LooseRoundRobin, Pick::GreedyThenOldest];

    /// Those under which no warp starves.
    pub const FAIR: [Pick; 2] = [Pick::Age, Pick::LooseRoundRobin];

    pub const fn code(self) -> u8 {
        self as u8
    }

    pub const fn name(self) -> &'static str {
        match self {
            Pick::Age => "age",
            Pick::LooseRoundRobin => "loose round robin",
            Pick::GreedyThenOldest => "greedy then oldest",
        }
    }
}

/// How many instructions a core can issue in a cycle, and of how many warps.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Width {
    #[default]
    Single,
    /// Two of one warp.
    Dual,
    /// One of each of two partitions.
    Two,
    /// Two of one warp of each.
    TwoDual,
    /// One of each of four partitions.
    Four,
    /// Two of one warp of each.
    FourDual,
}

impl Width {
    pub const ALL: [Width; 6] = [
        Width::Single,
        Width::Dual,
        Width::Two,
        Width::TwoDual,
        Width::Four,
        Width::FourDual,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Width::Single => "single",
            Width::Dual => "dual",
            Width::Two => "two",
            Width::TwoDual => "two_dual",
            Width::Four => "four",
            Width::FourDual => "four_dual",
        }
    }

    /// S
    pub const fn partitions(self) -> usize {
        match self {
            Width::Single | Width::Dual => 1,
            Width::Two | Width::TwoDual => 2,
            Width::Four | Width::FourDual => 4,
        }
    }

    pub const fn is_dual(self) -> bool {
        matches!(self, Width::Dual | Width::TwoDual | Width::FourDual)
    }
}

/// A CTA to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cta {
    pub threads: u32,
    pub level: u8,
    pub id: u16,
}

/// Probabilities are percentages per cycle unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoreOptions {
    pub width: Width,
    pub policy: Pick,
    /// `cfg_interval`, per class.
    pub intervals: [u8; 5],
    /// Cycles from the issue to the `done`, per class; 0: in the cycle of the issue.
    pub latencies: [Latency; 5],
    /// Cycles from the issue of a control instruction (or of one that faults) to its resolve.
    pub resolve: Latency,
    /// A resolve that is due is not presented yet.
    pub resolve_gap: u32,
    /// A `done` that is due waits.
    pub done_gap: u32,
    /// Of several that are due, any may come first (`done`, lines); else the one that is due for the longest time.
    pub any_order: bool,
    /// A bit of `unit_ready` is low.
    pub unit_stall: u32,
    /// Cycles from the request of a line to the line; at least one, whatever is drawn.
    pub fetch: Latency,
    /// `fetch_ready` is low.
    pub fetch_stall: u32,
    /// `cfg_level_mix`
    pub level_mix: u8,
    /// Of 1,000 cycles, those in which some program sets the level of its warp.
    pub levels: u32,
    /// The program of this warp slot sets this level as soon as it is launched.
    pub raise: Option<(u8, u8)>,
    /// Offered in this order; empty: one with all threads of the grid.
    pub ctas: Vec<Cta>,
    /// They are the CTAs of one grid: its threads are numbered through, and share one memory.
    /// Each but the last has whole warps.
    pub grid: bool,
    /// The next CTA is not offered yet.
    pub cta_gap: u32,
    /// `cfg_slots`, a bit per warp slot; bits beyond the last slot mean nothing.
    pub slots: u64,
    /// `cfg_priority`
    pub priority: u16,
    /// Fill unused fields at random.
    pub noise: bool,
    pub seed: u64,
    /// Compare with the golden machine at every instruction.
    pub lockstep: bool,
    /// Tests only: the golden machine departs from the specification.
    #[doc(hidden)]
    #[serde(skip)]
    pub mutation: Option<Mutation>,
}

impl Default for CoreOptions {
    /// A core that is well served: single issue, results of additions in the next cycle, multiplications after 3, loads
    /// after 4.
    fn default() -> Self {
        CoreOptions {
            width: Width::Single,
            policy: Pick::Age,
            intervals: [0; 5],
            latencies: [1, 3, 4, 4, 1].map(Latency::Fixed),
            resolve: Latency::Fixed(1),
            resolve_gap: 0,
            done_gap: 0,
            any_order: false,
            unit_stall: 0,
            fetch: Latency::Fixed(2),
            fetch_stall: 0,
            level_mix: 0,
            levels: 0,
            raise: None,
            ctas: Vec::new(),
            grid: false,
            cta_gap: 0,
            slots: u64::MAX,
            priority: 0,
            noise: false,
            seed: 0,
            lockstep: true,
            mutation: None,
        }
    }
}

impl CoreOptions {
    /// The CTAs of a grid: `threads` each, but the last, which has the rest.
    pub fn with_grid(mut self, grid: u32, threads: u32, level: u8) -> CoreOptions {
        let firsts = (0..grid).step_by(threads as usize).enumerate();
        self.ctas = firsts
            .map(|(n, first)| Cta {
                threads: threads.min(grid - first),
                level,
                id: n as u16,
            })
            .collect();
        self.grid = true;
        self
    }

    /// For a random program on `warps` warps of `threads` threads; all but the width is drawn.
    pub fn draw(seed: u64, warps: usize, threads: usize, grid: u32) -> CoreOptions {
        let rng = &mut stream(seed, "core options");
        let latency = |rng: &mut Rng, most: u32| match rng.gen_range(0..5) {
            0 => Latency::Fixed(0),
            1 => Latency::Fixed(1),
            2 => Latency::Fixed(rng.gen_range(2..=most)),
            _ => Latency::Random(rng.gen_range(1..=most)),
        };
        let percent = |rng: &mut Rng| [0, 0, 0, 10, 40, 80][rng.gen_range(0..6)];
        let interval = |rng: &mut Rng| [0, 0, 0, 1, 2, 3, 4, 15][rng.gen_range(0..8)];
        let room = (warps * threads) as u32;
        let count = [1, 1, 2, 3, 5, 9][rng.gen_range(0..6)];
        let ctas = (0..count).map(|n| Cta {
            threads: match rng.gen_range(0..20) {
                0 => 0,
                1 => room + rng.gen_range(1..=room),
                2 => room,
                3..=9 if count > 1 => rng.gen_range(1..=2 * threads as u32).min(room),
                _ if n == 0 => grid,
                _ => rng.gen_range(1..=room),
            },
            level: rng.gen_range(0..16),
            // No id twice.
            id: rng.gen::<u16>() & 0xff00 | n,
        });
        let ctas: Vec<Cta> = ctas.collect();
        let fits = |cta: &&Cta| cta.threads <= room;
        let largest = ctas.iter().filter(fits).map(|cta| cta.threads).max();
        let needed = largest.unwrap_or(0).div_ceil(threads as u32);
        let slowest = [4, 60][rng.gen_range(0..2)];
        CoreOptions {
            width: Width::Single,
            policy: Pick::ALL[rng.gen_range(0..3)],
            intervals: std::array::from_fn(|_| interval(rng)),
            latencies: std::array::from_fn(|_| latency(rng, 20)),
            resolve: latency(rng, 12),
            resolve_gap: percent(rng),
            done_gap: percent(rng),
            any_order: rng.gen_bool(0.6),
            unit_stall: percent(rng),
            fetch: latency(rng, slowest),
            fetch_stall: percent(rng),
            level_mix: rng.gen_range(0..4),
            levels: [0, 0, 20, 300][rng.gen_range(0..4)],
            raise: None,
            ctas,
            grid: false,
            cta_gap: percent(rng),
            slots: slots(seed, warps, needed as usize),
            priority: rng.gen(),
            noise: rng.gen_bool(0.7),
            seed,
            lockstep: true,
            mutation: None,
        }
    }

    /// Cycles that one instruction may take at most, roughly: for watchdogs.
    pub fn slowness(&self) -> u64 {
        let cycles = |l: &Latency| match *l {
            Latency::Fixed(cycles) | Latency::Random(cycles) => u64::from(cycles),
        };
        let all = self.latencies.iter().chain([&self.resolve, &self.fetch]);
        all.map(cycles).sum::<u64>() + 200
    }
}

/// Of half of the programs all warp slots, of the others any that are enough for a CTA of so many warps.
fn slots(seed: u64, warps: usize, needed: usize) -> u64 {
    let rng = &mut stream(seed, "warp slots");
    if rng.gen() {
        return u64::MAX;
    }
    let number = rng.gen_range(needed.max(1)..=warps);
    let chosen = rand::seq::index::sample(rng, warps, number);
    chosen.iter().fold(0, |slots, slot| slots | 1 << slot)
}
