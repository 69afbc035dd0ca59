//! The broken copies of `weft_control` for the fault tests. Sound models exist of every size in `weft_hdl::SUPPORTED`.

/// The size that the fault models are made of: the smallest window, so that every job of the memory port is common.
pub const FAULT_SIZE: weft_hdl::Config = weft_hdl::Config::new(4, 4, 4, 2);

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
        breaks: "CONV-041: tokens on chip that a search passes keep their masks",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "                    store_mask = token_mask & ~d;",
            replace: "                    store_mask = token_mask;",
            times: 1,
        }],
    },
    Fault {
        name: "passed_stored",
        breaks: "CONV-041: tokens in memory that a search passes keep their masks",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "assign write_back = ",
            replace: "assign write_back = 1'b0 & ",
            times: 1,
        }],
    },
    Fault {
        name: "merge",
        breaks: "CONV-051: a YIELD token on chip does not gain the threads that yield to the same place",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "                        store_mask = token_mask | active;",
            replace: "                        store_mask = token_mask;",
            times: 1,
        }],
    },
    Fault {
        name: "merge_stored",
        breaks: "CONV-051: a YIELD token in memory does not gain the threads that yield to the same place",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "assign merge_back = ",
            replace: "assign merge_back = 1'b0 & ",
            times: 1,
        }],
    },
    Fault {
        name: "owed",
        breaks: "CONV-056: threads are sent away before they have run their jump",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "owes = jumps;",
            replace: "owes = 1'b0;",
            times: 2,
        }],
    },
    Fault {
        name: "random",
        breaks: "CONV-052: the random number is shifted only",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "random_next = random_half ^ taps;",
            replace: "random_next = random_half;",
            times: 1,
        }],
    },
    Fault {
        name: "room",
        breaks: "CONV-030: a PUSH is dropped one token late",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "assign is_short = depth >= room;",
            replace: "assign is_short = depth > room;",
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
            find: "drops_d = drops_q + one_count;",
            replace: "drops_d = drops_q;",
            times: 1,
        }],
    },
    Fault {
        name: "spilled_below",
        breaks: "SPILL, token in memory: a token loses its below bits in memory",
        patches: &[Patch {
            module: "weft_control_convergence_mover",
            find: "({60'd0, below} << below_shift)",
            replace: "({60'd0, 4'd0} << below_shift)",
            times: 1,
        }],
    },
    Fault {
        name: "early",
        breaks: "SPILL-032: a job is taken for done at its first response",
        patches: &[Patch {
            module: "weft_control_convergence_mover",
            find: "complete = response_taken & (answers_plus_1 == total_read_data);",
            replace: "complete = response_taken;",
            times: 1,
        }],
    },
    Fault {
        name: "arriving",
        breaks: "SPILL-031: a token that is still on its way from memory is taken for there",
        patches: &[Patch {
            module: "weft_control_convergence_locate",
            find: "solid_now = solid;",
            replace: "solid_now = fore;",
            times: 1,
        }],
    },
    Fault {
        name: "leaving",
        breaks: "SPILL-033: the place of a token is given away before its write is acknowledged",
        patches: &[Patch {
            module: "weft_control_convergence_locate",
            find: "taken_now = taken;",
            replace: "taken_now = fore;",
            times: 1,
        }],
    },
    Fault {
        name: "evicted",
        breaks: "SPILL-010: tokens of the back ring go one position too far to the front",
        patches: &[Patch {
            module: "weft_control_convergence_locate",
            find: "job_lead = beyond_stored + one_token;",
            replace: "job_lead = beyond_stored;",
            times: 1,
        }],
    },
    Fault {
        name: "recentered",
        breaks: "SPILL-020: wrong rounding when the front is at its end",
        patches: &[Patch {
            module: "weft_control_convergence_locate",
            find: "new_head = free_up >> half;",
            replace: "new_head = free >> half;",
            times: 1,
        }],
    },
    Fault {
        name: "copied",
        breaks: "SPILL-020: tokens that move up are copied from the wrong end",
        patches: &[Patch {
            module: "weft_control_convergence_locate",
            find: "(copies & at_base)",
            replace: "1'b0",
            times: 1,
        }],
    },
    Fault {
        name: "unbased",
        breaks: "SPILL-012: addresses do not count from the warp's base",
        patches: &[Patch {
            module: "weft_control_convergence_mover",
            find: "spill_request_address = base_read_data + wide_position;",
            replace: "spill_request_address = wide_position;",
            times: 1,
        }],
    },
    Fault {
        name: "hasty",
        breaks: "SPILL-032: a warp is launched while a job of its former run is in flight",
        patches: &[Patch {
            module: "weft_control_convergence",
            find: "entry_taken = busy_q | moving_q;",
            replace: "entry_taken = busy_q;",
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
