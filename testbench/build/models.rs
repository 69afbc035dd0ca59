//! The broken copies of `weft_control` for the fault tests. Sound models exist of every size in `weft_hdl::SUPPORTED`.

/// The size that the fault models are made of: (warps, threads).
pub const FAULT_SIZE: (usize, usize) = (4, 4);

/// One deliberate defect: exact replacements in the exported Verilog.
pub struct Fault {
    pub name: &'static str,
    /// What goes wrong, in words of the specification.
    pub breaks: &'static str,
    pub patches: &'static [Patch],
}

pub struct Patch {
    /// Verilog module whose text is searched.
    pub module: &'static str,
    pub find: &'static str,
    pub replace: &'static str,
    /// How often `find` must occur in that module; anything else stops the build.
    pub times: usize,
}

/// Compiled with feature `faults` only.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "tie",
        breaks: "CONV-010: of two groups of the same size the one that falls through runs first",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "assign d_smaller = d_count_count <= rest_count_count;",
            replace: "assign d_smaller = d_count_count < rest_count_count;",
            times: 1,
        }],
    },
    Fault {
        name: "passed",
        breaks: "CONV-041: tokens behind the front that a search passes keep their masks",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "store_mask = token_mask & ~d;",
            replace: "store_mask = token_mask;",
            times: 1,
        }],
    },
    Fault {
        name: "merge",
        breaks: "CONV-051: a YIELD token in memory does not gain the threads that yield to the same place",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "store_mask = token_mask | active;",
            replace: "store_mask = token_mask;",
            times: 1,
        }],
    },
    Fault {
        name: "room",
        breaks: "CONV-030: a PUSH is dropped one token late",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "assign is_short = depth >= short_of_room;",
            replace: "assign is_short = depth > short_of_room;",
            times: 1,
        }],
    },
    Fault {
        name: "below",
        breaks: "CONV-031: a divergence token does not show in the below bits of the tokens above it",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "below = below | below_div;",
            replace: "below = below;",
            times: 1,
        }],
    },
    Fault {
        name: "uncounted",
        breaks: "CONV-030: dropped pushes are not counted",
        patches: &[Patch {
            module: "weft_control_convergence",
            find: "drops_d = drops_q + one_drop;",
            replace: "drops_d = drops_q;",
            times: 1,
        }],
    },
    Fault {
        name: "wake",
        breaks: "SCHED-010: warps that become ready overwrite each other in the queue",
        patches: &[Patch {
            module: "weft_control_scheduler",
            find: "last_d = last_q + next_warp;",
            replace: "last_d = last_q;",
            times: 1,
        }],
    },
];
