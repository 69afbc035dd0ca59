//! Weights of the program generator.

use crate::seed::Rng;
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The shape of a random program. Probabilities are percentages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knobs {
    pub name: String,
    /// Statements (structured) or blocks (chaotic).
    pub size: RangeInclusive<u32>,
    /// Nested statements with tokens; else blocks that jump anywhere.
    pub structured: bool,
    /// Masked regions, predicated blocks and sub-vector loops; of the others only `floats` matters then, and `windows`, which
    /// says that it is for an SM.
    pub masked: bool,
    /// How deep statements nest.
    pub nesting: u32,
    /// Backward transfers that each thread may take.
    pub fuel: RangeInclusive<u32>,
    /// A structured statement's PUSH is left out.
    pub token_missing: u32,
    /// A structured statement's PUSH or LEAVE names another type or address.
    pub token_wrong: u32,
    /// A PUSH or LEAVE of any type for any label between other instructions.
    pub token_junk: u32,
    /// A PUSH of these is the first of many in a row.
    pub chains: u32,
    /// A YIELD between other instructions.
    pub yields: u32,
    /// An EXIT, for some threads, between other instructions.
    pub exits: u32,
    /// Transfers through registers with per-thread targets.
    pub indirect: u32,
    /// An instruction that faults in some thread (ends the comparison with scalar threads).
    pub faults: u32,
    /// A write of `wlevel` in place of an ordinary instruction.
    pub levels: u32,
    /// A barrier or a critical section before a statement.
    pub barriers: u32,
    /// Some of these wait for all threads: no other transfers than those of statements then.
    pub barriers_of_all: bool,
    /// Barriers may make threads do what they would not do alone (RESET, sections that are skipped).
    pub barriers_unlike_alone: bool,
    /// Values in registers that the parts of a warp share, in sub-vector loops; other registers from x16 on are free.
    pub shared: bool,
    /// A float instruction in place of an ordinary one.
    pub floats: u32,
    /// For an SM: accesses to its windows, to places side by side and to the text, in place of an ordinary instruction;
    /// no `instret`.
    pub windows: u32,
    /// Of these, accesses of all threads to the same few words (ends the comparison with scalar threads).
    pub races: u32,
}

impl Knobs {
    fn base(name: &str) -> Knobs {
        Knobs {
            name: name.to_string(),
            size: 4..=14,
            structured: true,
            masked: false,
            nesting: 3,
            fuel: 4..=20,
            token_missing: 5,
            token_wrong: 5,
            token_junk: 4,
            chains: 4,
            yields: 3,
            exits: 2,
            indirect: 10,
            faults: 0,
            levels: 0,
            barriers: 0,
            barriers_of_all: false,
            barriers_unlike_alone: false,
            shared: false,
            floats: 0,
            windows: 0,
            races: 0,
        }
    }

    /// The presets, each with its weight.
    pub fn presets() -> Vec<(u32, Knobs)> {
        vec![
            (
                2,
                Knobs {
                    token_missing: 0,
                    token_wrong: 0,
                    token_junk: 0,
                    ..Knobs::base("clean")
                },
            ),
            (
                4,
                Knobs {
                    token_missing: 15,
                    token_wrong: 20,
                    token_junk: 12,
                    ..Knobs::base("noisy")
                },
            ),
            (
                4,
                Knobs {
                    structured: false,
                    size: 6..=20,
                    token_junk: 30,
                    indirect: 20,
                    ..Knobs::base("chaotic")
                },
            ),
            (
                2,
                Knobs {
                    structured: false,
                    size: 3..=6,
                    token_junk: 40,
                    fuel: 10..=40,
                    ..Knobs::base("knot")
                },
            ),
            (
                2,
                Knobs {
                    yields: 25,
                    ..Knobs::base("yielding")
                },
            ),
            (
                2,
                Knobs {
                    structured: false,
                    yields: 20,
                    token_junk: 25,
                    ..Knobs::base("yielding-chaotic")
                },
            ),
            (
                2,
                Knobs {
                    structured: false,
                    size: 8..=24,
                    indirect: 60,
                    ..Knobs::base("indirect")
                },
            ),
            (
                1,
                Knobs {
                    structured: false,
                    size: 4..=8,
                    token_junk: 70,
                    fuel: 16..=40,
                    ..Knobs::base("crowded")
                },
            ),
            (
                3,
                Knobs {
                    structured: false,
                    size: 6..=14,
                    token_junk: 30,
                    chains: 60,
                    fuel: 8..=24,
                    yields: 8,
                    ..Knobs::base("deep")
                },
            ),
            (
                1,
                Knobs {
                    exits: 12,
                    ..Knobs::base("exiting")
                },
            ),
            (
                1,
                Knobs {
                    faults: 6,
                    ..Knobs::base("faulty")
                },
            ),
        ]
    }

    /// Masked regions, predicated blocks and sub-vector loops.
    pub fn masked() -> Knobs {
        Knobs {
            masked: true,
            ..Knobs::base("masked")
        }
    }

    /// Shapes with barriers, for what has a barrier unit.
    pub fn with_barriers(rng: &mut Rng) -> Knobs {
        let of_all = Knobs {
            token_junk: 0,
            barriers_of_all: true,
            ..Knobs::base("barriers of all")
        };
        let anywhere = Knobs {
            nesting: 2,
            ..Knobs::base("barriers anywhere")
        };
        let chaotic = Knobs {
            structured: false,
            size: 4..=10,
            ..Knobs::base("barriers chaotic")
        };
        let unlike_alone = Knobs {
            barriers_unlike_alone: true,
            ..Knobs::base("barriers unlike alone")
        };
        let shapes = [&of_all, &of_all, &anywhere, &chaotic, &unlike_alone];
        Knobs {
            barriers: [20, 60, 100][rng.gen_range(0..3)],
            fuel: 2..=8,
            ..shapes[rng.gen_range(0..shapes.len())].clone()
        }
    }

    pub fn draw(rng: &mut Rng) -> Knobs {
        let presets = Knobs::presets();
        let total: u32 = presets.iter().map(|(weight, _)| weight).sum();
        let mut ticket = rng.gen_range(0..total);
        for (weight, knobs) in presets {
            if ticket < weight {
                return knobs;
            }
            ticket -= weight;
        }
        unreachable!("the ticket is below the sum of the weights")
    }
}
