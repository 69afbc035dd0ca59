//! The broken copies of `weft_tasks`: at least one of each of its blocks.

use super::{Fault, Patch};

/// `find` once in this module.
const fn in_module(module: &'static str, find: &'static str, replace: &'static str) -> Patch {
    Patch {
        module,
        find,
        replace,
        times: 1,
    }
}

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "early",
        breaks: "TASK-060: a task is complete while CTAs of it run",
        patches: &[in_module(
            "weft_tasks_slots",
            "first_over_bits = (((used_q & quiet) & ~left_q) & ~open_q) & ~goes_q;",
            "first_over_bits = ((used_q & ~left_q) & ~open_q) & ~goes_q;",
        )],
    },
    Fault {
        name: "evicted",
        breaks: "TASK-042: an evicted task goes on starting CTAs",
        patches: &[in_module(
            "weft_tasks_slots",
            "assign candidates = (used_q & left_q) & ~goes_q;",
            "assign candidates = used_q & left_q;",
        )],
    },
    Fault {
        name: "rank",
        breaks: "TASK-050: of two tasks of a level the younger one ranks first",
        patches: &[in_module(
            "weft_tasks_slots",
            "young = ~key_age;",
            "young = key_age;",
        )],
    },
    Fault {
        name: "head",
        breaks: "TASK-020: what goes to the head of a list that is not empty is lost",
        patches: &[in_module(
            "weft_tasks_lists",
            "heads_write_enable = at_head | ~is_filled;",
            "heads_write_enable = ~is_filled;",
        )],
    },
    Fault {
        name: "state",
        breaks: "TASK-041: STATE is not looked at again",
        patches: &[in_module(
            "weft_tasks_reader_check",
            "state_wrong_d = word != 32'd1;",
            "state_wrong_d = 1'b0;",
        )],
    },
    Fault {
        name: "pointers",
        breaks: "TASK-051: PUT may be any distance from GET",
        patches: &[in_module(
            "weft_tasks_looker",
            "assign too_many = waiting_q > ram_data;",
            "assign too_many = 1'b0;",
        )],
    },
    Fault {
        name: "failed",
        breaks: "TASK-063: STATE does not tell of a failed CTA",
        patches: &[in_module(
            "weft_tasks_completion",
            "ask_data = 32'd3;",
            "ask_data = 32'd0;",
        )],
    },
    Fault {
        name: "granules",
        breaks: "TASK-055: the granules of SM 0 are never taken",
        patches: &[in_module(
            "weft_tasks_placement",
            "taken_0_d = taken_0_q ^ granule_bit;",
            "taken_0_d = taken_0_q;",
        )],
    },
    Fault {
        name: "first",
        breaks: "ISA-012: the number of a CTA's first thread counts by one",
        patches: &[in_module(
            "weft_tasks_starter",
            "after = value + threads_q;",
            "after = value + 32'd1;",
        )],
    },
    Fault {
        name: "ticket",
        breaks: "TASK-072: a lost ticket is not found",
        patches: &[in_module(
            "weft_tasks_spawn",
            "has_lost_d = 1'b1;",
            "has_lost_d = 1'b0;",
        )],
    },
    Fault {
        name: "product",
        breaks: "TASK-030: a product that passes 2^32 does not show",
        patches: &[in_module(
            "weft_tasks_math",
            "assign over = too_large_q;",
            "assign over = 1'b0;",
        )],
    },
    Fault {
        name: "errors",
        breaks: "TASK-031: the last error is kept, not the first",
        patches: &[in_module(
            "weft_tasks_registers",
            "if (~e_valid_q | clears_error) begin",
            "if (1'b1) begin",
        )],
    },
];
