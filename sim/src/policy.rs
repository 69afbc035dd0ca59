//! What a warp does where the source leaves a choice: which path first, when to yield, how many lanes.

use serde::{Deserialize, Serialize};

/// CONV-011: which group runs first when a warp diverges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathPolicy {
    /// The smaller one; on a tie the one that takes the branch.
    #[default]
    SmallerFirst,
    /// The one that takes the branch.
    TakenFirst,
    /// The one that falls through.
    FallThroughFirst,
}

impl PathPolicy {
    pub const ALL: [PathPolicy; 3] = [
        PathPolicy::SmallerFirst,
        PathPolicy::TakenFirst,
        PathPolicy::FallThroughFirst,
    ];

    /// Its number at the hardware's ports.
    pub const fn code(self) -> u8 {
        match self {
            PathPolicy::SmallerFirst => 0,
            PathPolicy::TakenFirst => 1,
            PathPolicy::FallThroughFirst => 2,
        }
    }

    /// The policy of a number; 3 is the same as 0.
    pub const fn from_code(code: u8) -> PathPolicy {
        match code {
            1 => PathPolicy::TakenFirst,
            2 => PathPolicy::FallThroughFirst,
            _ => PathPolicy::SmallerFirst,
        }
    }
}

/// CONV-011, CONV-050, CONV-052 and CONV-055.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    pub yield_every: u16,
    /// `yield_threshold` counts, and `yield_every` does not.
    pub yield_random: bool,
    pub yield_threshold: u16,
    pub yield_seed: u16,
    pub forced_yield: u16,
    pub path: PathPolicy,
    /// L, threads per part of a sub-vector loop (CONV-121); 0: all of a warp.
    pub lanes: u8,
}

impl Policy {
    /// `cfg_lanes`: log2 L; 7 when all threads of a warp are one part.
    pub fn lanes_level(&self) -> u8 {
        match self.lanes {
            0 => 7,
            lanes => lanes.ilog2() as u8,
        }
    }
}
