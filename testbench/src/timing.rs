//! When the datapath answers: latency, gaps and back-pressure, from a stream of their own.

use crate::seed::{stream, Rng};
use rand::Rng as _;
use serde::{Deserialize, Serialize};

/// Cycles from the issue transfer until the resolve may be presented; 0: in the cycle of the issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Latency {
    Fixed(u32),
    /// 0 to this many, anew for every instruction.
    Random(u32),
}

/// How lanes behave towards the control plane. Probabilities are percentages per cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    pub latency: Latency,
    /// `issue_ready` is low.
    pub issue_stall: u32,
    /// A resolve that is due is not presented yet.
    pub resolve_gap: u32,
}

impl Default for Timing {
    fn default() -> Self {
        Timing {
            latency: Latency::Fixed(1),
            issue_stall: 0,
            resolve_gap: 0,
        }
    }
}

impl Timing {
    pub fn fixed(cycles: u32) -> Timing {
        Timing {
            latency: Latency::Fixed(cycles),
            ..Timing::default()
        }
    }

    /// For a random program: half of them ideal lanes, half of them troublesome ones.
    pub fn draw(rng: &mut Rng) -> Timing {
        let latency = match rng.gen_range(0..6) {
            0 | 1 => Latency::Fixed(1),
            2 => Latency::Fixed(0),
            3 => Latency::Fixed(rng.gen_range(2..8)),
            _ => Latency::Random(rng.gen_range(1..12)),
        };
        let percent = |rng: &mut Rng| [0, 0, 0, 10, 50, 80][rng.gen_range(0..6)];
        Timing {
            latency,
            issue_stall: percent(rng),
            resolve_gap: percent(rng),
        }
    }
}

/// The draws of one run.
pub struct Clockwork {
    timing: Timing,
    latency: Rng,
    stalls: Rng,
    gaps: Rng,
}

impl Clockwork {
    pub fn new(timing: Timing, seed: u64) -> Clockwork {
        Clockwork {
            timing,
            latency: stream(seed, "latency"),
            stalls: stream(seed, "issue stalls"),
            gaps: stream(seed, "resolve gaps"),
        }
    }

    pub fn latency(&mut self) -> u64 {
        match self.timing.latency {
            Latency::Fixed(cycles) => cycles.into(),
            Latency::Random(most) => self.latency.gen_range(0..=most).into(),
        }
    }

    pub fn issue_ready(&mut self) -> bool {
        self.timing.issue_stall == 0 || self.stalls.gen_range(0..100) >= self.timing.issue_stall
    }

    pub fn gap(&mut self) -> bool {
        self.timing.resolve_gap != 0 && self.gaps.gen_range(0..100) < self.timing.resolve_gap
    }
}
