//! Deliberately broken copies of units, for the tests that must notice them.
//! Each is made when it is opened by its name.

use super::error::{DutError, RtlKind};
use super::library::{prepare, Wanted};
use std::ops::Range;
use weft_generate::{Config, Design, Unit};

pub mod host;
pub mod sm;
pub mod tasks;

/// The size that the fault models are made of: the smallest window, so that every job of the memory port is common.
pub const FAULT_SIZE: Config = Config::new(4, 4, 4, 2);

/// One deliberate defect: exact replacements in the exported Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    pub name: &'static str,
    /// What goes wrong, in words of the specification.
    pub breaks: &'static str,
    pub patches: &'static [Patch],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch {
    /// Verilog module whose text is searched.
    pub module: &'static str,
    pub find: &'static str,
    pub replace: &'static str,
    /// How often `find` must occur in that module; anything else is an error.
    pub times: usize,
}

/// The broken copies of a unit, each list with the design that it is made of.
pub fn lists(unit: Unit) -> Vec<(Design, &'static [Fault])> {
    let list = |parameters: &[(&str, u64)], faults| {
        let design = Design::new(unit, parameters);
        let design = design.unwrap_or_else(|e| panic!("faults of {unit:?}: {e}"));
        (design, faults)
    };
    // The smallest size of each.
    const SMALL: [(&str, u64); 2] = [("warps", 4), ("threads", 4)];
    match unit {
        Unit::Control => vec![list(&SMALL, FAULTS)],
        Unit::Scheduler => {
            let dual = [("warps", 4), ("threads", 4), ("dual", 1)];
            vec![list(&dual, SCHEDULER_FAULTS)]
        }
        Unit::Core => {
            let two = [("warps", 8), ("threads", 4), ("partitions", 2)];
            vec![list(&SMALL, CORE_FAULTS), list(&two, PARTITION_FAULTS)]
        }
        Unit::Barrier => vec![list(&SMALL, BARRIER_FAULTS)],
        Unit::Wavefront => vec![list(&SMALL, WAVEFRONT_FAULTS)],
        Unit::Tasks => {
            let three = [
                ("warps", 4),
                ("threads", 4),
                ("slots", 3),
                ("sms", 2),
                ("scratchpad", 1),
            ];
            vec![list(&three, tasks::FAULTS)]
        }
        Unit::Host => {
            let five = [("warps", 4), ("threads", 4), ("channels", 5)];
            vec![list(&five, host::FAULTS)]
        }
        Unit::Sm => {
            let two_passes = [("warps", 4), ("threads", 8), ("lanes", 4)];
            vec![list(&SMALL, sm::FAULTS), list(&two_passes, sm::PASS_FAULTS)]
        }
        _ => Vec::new(),
    }
}

/// Every broken copy of a unit with its design.
pub fn of(unit: Unit) -> Vec<(Design, &'static Fault)> {
    let lists = lists(unit).into_iter();
    lists
        .flat_map(|(design, faults)| faults.iter().map(move |f| (design.clone(), f)))
        .collect()
}

/// As [`of`], and all of them are made, on all processors: for tests that open one after the other.
///
/// # Errors
/// One that cannot be made.
pub fn prepared(unit: Unit) -> Result<Vec<(Design, &'static Fault)>, DutError> {
    prepare_these(of(unit))
}

/// Makes these, on all processors.
///
/// # Errors
/// One that cannot be made.
pub fn prepare_these(
    all: Vec<(Design, &'static Fault)>,
) -> Result<Vec<(Design, &'static Fault)>, DutError> {
    let wanted = |(design, fault): &(Design, &'static Fault)| Wanted {
        kind: RtlKind::Verilated,
        design: design.clone(),
        fault: Some(*fault),
        waves: false,
    };
    prepare(&all.iter().map(wanted).collect::<Vec<_>>())?;
    Ok(all)
}

/// The broken copy of this name of a design.
pub fn find(design: &Design, name: &str) -> Option<&'static Fault> {
    let all = of(design.unit()?).into_iter();
    let mut alike = all.filter(|(of, fault)| of == design && fault.name == name);
    alike.next().map(|(_, fault)| fault)
}

/// The Verilog with the fault's patches; every one must fit exactly as often as its entry says.
///
/// # Errors
/// The first patch that does not.
pub fn break_on_purpose(fault: &Fault, verilog: &str) -> Result<String, String> {
    let mut text = verilog.to_string();
    for patch in fault.patches {
        let range = module(&text, patch.module).ok_or_else(|| {
            format!(
                "fault `{}`: the Verilog has no module `{}`",
                fault.name, patch.module
            )
        })?;
        let found = text[range.clone()].matches(patch.find).count();
        if found != patch.times {
            return Err(format!(
                "fault `{}`: `{}` occurs {found} times in module `{}`, not {}; adapt testbench/src/rtl/faults.rs to the new Verilog",
                fault.name, patch.find, patch.module, patch.times
            ));
        }
        let broken = text[range.clone()].replace(patch.find, patch.replace);
        text.replace_range(range, &broken);
    }
    Ok(text)
}

/// From `module NAME` to its `endmodule`.
fn module(text: &str, name: &str) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(at) = text[from..].find("module ") {
        let start = from + at;
        let rest = &text[start + "module ".len()..];
        let ends_line = text[..start]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        if ends_line
            && rest
                .trim_start()
                .strip_prefix(name)
                .is_some_and(|r| r.starts_with(['(', ';', ' ', '\n', '#']))
        {
            let end = start + text[start..].find("endmodule")?;
            return Some(start..end);
        }
        from = start + "module ".len();
    }
    None
}

/// The broken copies of `weft_control`.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "tie",
        breaks: "CONV-010: of two groups of the same size the one that falls through runs first",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "assign d_smaller = d_count <= rest_count;",
            replace: "assign d_smaller = d_count < rest_count;",
            times: 1,
        }],
    },
    Fault {
        name: "passed",
        breaks: "CONV-041: tokens on chip that a search passes keep their masks",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "if (token_clear) begin",
            replace: "if (1'b0) begin",
            times: 1,
        }],
    },
    Fault {
        name: "passed_stored",
        breaks: "CONV-041: tokens in memory that a search passes keep their masks",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "assign write_back = ",
            replace: "assign write_back = 1'b0 & ",
            times: 1,
        }],
    },
    Fault {
        name: "merge",
        breaks: "CONV-051: a YIELD token on chip does not gain the threads that yield to the same place",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "store = ~at_scratch;",
            replace: "store = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "merge_stored",
        breaks: "CONV-051: a YIELD token in memory does not gain the threads that yield to the same place",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "assign merge_back = ",
            replace: "assign merge_back = 1'b0 & ",
            times: 1,
        }],
    },
    Fault {
        name: "owed",
        breaks: "CONV-056: threads are sent away before they have run their jump",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "owes = jumps;",
            replace: "owes = 1'b0;",
            times: 1,
        }, Patch {
            module: "weft_control_convergence_decide",
            find: "owes_side = jumps;",
            replace: "owes_side = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "random",
        breaks: "CONV-052: the random number is shifted only",
        patches: &[Patch {
            module: "weft_control_convergence_decide_step",
            find: "stepped = half ^ taps;",
            replace: "stepped = half;",
            times: 1,
        }],
    },
    Fault {
        name: "every",
        breaks: "CONV-050: a yield fires one execution late",
        patches: &[Patch {
            module: "weft_control_convergence_policy",
            find: "(yield_near & (to_yield[0] | one_yield))",
            replace: "(yield_near & one_yield)",
            times: 1,
        }],
    },
    Fault {
        name: "transfers",
        breaks: "CONV-055: the backward transfer at hand is not counted",
        patches: &[Patch {
            module: "weft_control_convergence_policy",
            find: "if (forces & (still_reached | still_reaches)) begin",
            replace: "if (forces & still_reached) begin",
            times: 1,
        }],
    },
    Fault {
        name: "stands_still",
        breaks: "CONV-055: a token that is popped does not end a standstill",
        patches: &[Patch {
            module: "weft_control_convergence_policy",
            find: "if ((sets_transfers | clears_backward) | pops) begin",
            replace: "if (sets_transfers | clears_backward) begin",
            times: 1,
        }],
    },
    Fault {
        name: "tears",
        breaks: "CONV-055: an operation that pops a token may be followed by the forced yield of a standstill",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "enough = forcible[1];",
            replace: "enough = forcible[0];",
            times: 1,
        }],
    },
    Fault {
        name: "unending",
        breaks: "CONV-055: while tokens are popped no yield is forced, however long",
        patches: &[Patch {
            module: "weft_control_convergence_policy",
            find: "all_reached = (backward_units >= cfg_forced_yield) | (&backward_now);",
            replace: "all_reached = &backward_now;",
            times: 1,
        },
        Patch {
            module: "weft_control_convergence_policy",
            find: "all_reaches = nearly_full | (unit_ends & (&to_force_all));",
            replace: "all_reaches = nearly_full;",
            times: 1,
        }],
    },
    Fault {
        name: "room",
        breaks: "CONV-030: a PUSH is dropped one token late",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "assign is_short = ~(|(free >> width_bits)) | (free == width);",
            replace: "assign is_short = ~(|(free >> width_bits));",
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
            module: "weft_control_convergence_job",
            find: "lead_by = stored;",
            replace: "lead_by = stored - 10'd1;",
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
            module: "weft_control_convergence_job",
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
        name: "unblocked",
        breaks: "CONV-151: a warp whose threads all sleep looks for one to wake among its tokens",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "waiting = (unexited & ~sleepers) & ~maskers;",
            replace: "waiting = unexited & ~maskers;",
            times: 1,
        }],
    },
    Fault {
        name: "onward",
        breaks: "CONV-152: threads that are to run an instruction again go on behind it",
        patches: &[Patch {
            module: "weft_control_convergence_decode",
            find: "assign stays = ((jumps & ~is_call) | is_forced) | is_send;",
            replace: "assign stays = (jumps & ~is_call) | is_forced;",
            times: 1,
        }],
    },
    Fault {
        name: "interrupts",
        breaks: "CONV-154: a WAKE readies a warp that runs",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "(~is_wake | (d_any & ~rest_any))",
            replace: "(~is_wake | d_any)",
            times: 1,
        }],
    },
    Fault {
        name: "woken_twice",
        breaks: "CONV-154: a WAKE reaches threads that have slept and been woken before",
        patches: &[Patch {
            module: "weft_control_convergence_pass",
            find: "next_reason_2 = (reason_2 | coming) & ~stopped;",
            replace: "next_reason_2 = reason_2 & ~stopped;",
            times: 1,
        }],
    },
    Fault {
        name: "hurried",
        breaks: "CONV-154: a forced yield comes after a WAKE",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "idles = (blocks | runs_on) | is_wake;",
            replace: "idles = blocks | runs_on;",
            times: 1,
        }],
    },
    Fault {
        name: "engaged",
        breaks: "CONV-154: a WAKE does not wait for the operation of its warp that is on its way",
        patches: &[Patch {
            module: "weft_control_convergence_entry",
            find: " & ~engaged[resolve_warp]",
            replace: "",
            times: 1,
        }],
    },
    Fault {
        name: "restores",
        breaks: "CONV-111: a SET turns on whoever it selects, whatever the thread waits for",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "chosen = selected & (active | maskers);",
            replace: "chosen = selected;",
            times: 1,
        }],
    },
    Fault {
        name: "asleep_or_masked",
        breaks: "CONV-110: a WAKE takes a warp that runs on without active threads for blocked",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "rest_any = ~blocked;",
            replace: "rest_any = |active;",
            times: 1,
        }],
    },
    Fault {
        name: "acts",
        breaks: "CONV-110: a YIELD without active threads steps the random number",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "            next_random = random;\n            pc_from = pc_after;",
            replace: "            pc_from = pc_after;",
            times: 1,
        }],
    },
    Fault {
        name: "rides_on",
        breaks: "CONV-113: masked threads that are left alone are taken for ended",
        patches: &[Patch {
            module: "weft_control_convergence_matching",
            find: "masked_any = |maskers;",
            replace: "masked_any = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "emptied",
        breaks: "CONV-110: a forced yield comes without active threads",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "idles = ~is_set | ~d_any;",
            replace: "idles = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "parts",
        breaks: "CONV-121: threads 2 and 3 go together though each is a part of its own",
        patches: &[Patch {
            module: "weft_control_convergence_part",
            find: "parts_1 = ",
            replace: "parts_1 = 1'b0 & ",
            times: 1,
        }],
    },
    Fault {
        name: "used_up",
        breaks: "CONV-122: a SUBV token goes with its first part",
        patches: &[Patch {
            module: "weft_control_convergence_decide",
            find: "pop = ~rest_any;",
            replace: "pop = 1'b1;",
            times: 1,
        }],
    },
    Fault {
        name: "wake",
        breaks: "CTRL-010: warps that become ready overwrite each other in the queue",
        patches: &[Patch {
            module: "weft_control_queue",
            find: "last_d = beyond_last_after;",
            replace: "last_d = last_q;",
            times: 1,
        }],
    },
];

/// The broken copies of `weft_scheduler`, 4x4 with dual issue.
pub const SCHEDULER_FAULTS: &[Fault] = &[
    Fault {
        name: "untouched",
        breaks: "SCHED-012: an issue does not touch its warp",
        patches: &[Patch {
            module: "weft_scheduler_picker_touch",
            find: "touches = issuing;",
            replace: "touches = 1'd0;",
            times: 1,
        }],
    },
    Fault {
        name: "from_first",
        breaks: "SCHED-013: loose round robin starts at warp 0 every time",
        patches: &[Patch {
            module: "weft_scheduler_picker",
            find: "behind = ~higher_number;",
            replace: "behind = ~none;",
            times: 1,
        }],
    },
    Fault {
        name: "leveled",
        breaks: "SCHED-013: a level is written under loose round robin, and stays for the cycle after",
        patches: &[Patch {
            module: "weft_scheduler",
            find: "sets_level = (level_valid & ~in_turn) & ~was_in_turn_q;",
            replace: "sets_level = level_valid;",
            times: 1,
        }],
    },
    Fault {
        name: "unasked",
        breaks: "SCHED-010: no unit is asked whether it is free",
        patches: &[Patch {
            module: "weft_scheduler",
            find: "usable_d = will_use & ~granted;",
            replace: "usable_d = ~granted;",
            times: 1,
        }],
    },
    Fault {
        name: "again",
        breaks: "SCHED-010: a warp is granted again two cycles after a grant",
        patches: &[Patch {
            module: "weft_scheduler",
            find: "usable_d = will_use & ~granted;",
            replace: "usable_d = will_use;",
            times: 1,
        }],
    },
    Fault {
        name: "gap",
        breaks: "SCHED-014: who fills the second gap becomes greedy",
        patches: &[Patch {
            module: "weft_scheduler_picker",
            find: "& ~greedy_1_q) & ~greedy_2_q) &",
            replace: "& ~greedy_1_q)) &",
            times: 1,
        }],
    },
    Fault {
        name: "slow",
        breaks: "SCHED-021: the second is of a slow class",
        patches: &[Patch {
            module: "weft_scheduler",
            find: ") & ~slow[other_class];",
            replace: ");",
            times: 1,
        }],
    },
    Fault {
        name: "forward",
        breaks:
            "SCHED-025: an instruction that is pushed does not see what is issued in the same cycle",
        patches: &[Patch {
            module: "weft_scheduler",
            find: "pushed_hazard_first_rd = first_rd;",
            replace: "pushed_hazard_first_rd = no_rd;",
            times: 1,
        }],
    },
    Fault {
        name: "before",
        breaks:
            "SCHED-025: an instruction that is pushed does not see what was issued a cycle before",
        patches: &[Patch {
            module: "weft_scheduler_scoreboard",
            find: "p_first_d = first_rd;",
            replace: "p_first_d = no_register;",
            times: 1,
        }],
    },
    Fault {
        name: "aimed",
        breaks: "SCHED-025: a `done` in the cycle before the issue stage is not seen by the check",
        patches: &[Patch {
            module: "weft_scheduler_scoreboard",
            find: "i_freed_d = freed_aim;",
            replace: "i_freed_d = no_register;",
            times: 1,
        }],
    },
    Fault {
        name: "crowd",
        breaks: "SCHED-025: 28 in flight stop nobody",
        patches: &[
            Patch {
                module: "weft_scheduler_waiting",
                find: "issue_holds = issue_instruction[4] | issue_full;",
                replace: "issue_holds = issue_instruction[4];",
                times: 1,
            },
            Patch {
                module: "weft_scheduler_waiting",
                find: "push_holds = push_full;",
                replace: "push_holds = 1'd0;",
                times: 1,
            },
        ],
    },
    Fault {
        name: "drain",
        breaks: "SCHED-025: drain instructions do not wait",
        patches: &[
            Patch {
                module: "weft_scheduler_waiting",
                find: "issue_holds = issue_instruction[4] | issue_full;",
                replace: "issue_holds = issue_full;",
                times: 1,
            },
            Patch {
                module: "weft_scheduler_waiting",
                find: "push_holds = push_flies;",
                replace: "push_holds = push_full;",
                times: 1,
            },
        ],
    },
    Fault {
        name: "drained",
        breaks: "SCHED-027: the first `done` of an odd warp lets its drain instruction go",
        patches: &[Patch {
            module: "weft_scheduler_waiting",
            find: "holds1 = left1_any;",
            replace: "holds1 = left1_many;",
            times: 1,
        }],
    },
    Fault {
        name: "above_stale",
        breaks: "SCHED-014: a warp becomes greedy while a level is written, with the warps above that level",
        patches: &[Patch {
            module: "weft_scheduler_picker",
            find: "& ~greedy_2_q) & ~level_valid) & ~launch_valid;",
            replace: "& ~greedy_2_q) & ~launch_valid);",
            times: 1,
        }],
    },
    Fault {
        name: "promoted",
        breaks: "SCHED-012: a warp whose level rises stays where it is",
        patches: &[Patch {
            module: "weft_scheduler_picker",
            find: "front = ~(behind ^ lower);",
            replace: "front = ~(behind | lower);",
            times: 1,
        }],
    },
    Fault {
        name: "stopped",
        breaks: "SCHED-029: a stopped warp stays at the picker",
        patches: &[Patch {
            module: "weft_scheduler",
            find: "| push_queues) & ~stop_bit;",
            replace: "| push_queues);",
            times: 1,
        }],
    },
    Fault {
        name: "waits",
        breaks: "SCHED-024: no warp waits; only the counters tell",
        patches: &[Patch {
            module: "weft_scheduler_counters",
            find: "warp_reason = is_waiting;",
            replace: "warp_reason = is_fetch;",
            times: 1,
        }],
    },
    Fault {
        name: "freed",
        breaks: "SCHED-027: what an odd warp's rs2 waits for does not free it",
        patches: &[
            Patch {
                module: "weft_scheduler_waiting",
                find: "met1 = issue_marks1 & same_issue1_same;",
                replace: "met1 = issue_marks1 & (same_issue1_same & 3'd3);",
                times: 1,
            },
            Patch {
                module: "weft_scheduler_waiting",
                find: "issue_remains1_d = |(issue_marks1 & ~same_issue1_same);",
                replace: "issue_remains1_d = |(issue_marks1 & ~(same_issue1_same & 3'd3));",
                times: 1,
            },
            Patch {
                module: "weft_scheduler_waiting",
                find: "met1 = push_marks1 & same_push1_same;",
                replace: "met1 = push_marks1 & (same_push1_same & 3'd3);",
                times: 1,
            },
            Patch {
                module: "weft_scheduler_waiting",
                find: "push_remains1_d = |(push_marks1 & ~same_push1_same);",
                replace: "push_remains1_d = |(push_marks1 & ~(same_push1_same & 3'd3));",
                times: 1,
            },
        ],
    },
    Fault {
        name: "unforgotten",
        breaks: "SUPPLY-060: a flush forgets nothing",
        patches: &[Patch {
            module: "weft_scheduler_supply",
            find: "assign clearing = reset | sweeping_q;",
            replace: "assign clearing = reset;",
            times: 1,
        }],
    },
    Fault {
        name: "hasty",
        breaks: "SUPPLY-010: a warp is selected during a flush",
        patches: &[Patch {
            module: "weft_scheduler_supply",
            find: "if (sweeps) begin",
            replace: "if (1'b0) begin",
            times: 1,
        }],
    },
    Fault {
        name: "overslept",
        breaks: "SUPPLY-060: a warp that is started during a flush is not selected after it",
        patches: &[Patch {
            module: "weft_scheduler_supply",
            find: "if (swept) begin",
            replace: "if (1'b0) begin",
            times: 1,
        }],
    },
    Fault {
        name: "sleeps",
        breaks: "SUPPLY-022: a warp that sticks when its line comes sleeps on",
        patches: &[Patch {
            module: "weft_scheduler_supply",
            find: "if (w_valid_q | (w_sticks_q & ~w_answered)) begin",
            replace: "if (w_valid_q | w_sticks_q) begin",
            times: 1,
        }],
    },
    Fault {
        name: "restless",
        breaks: "SUPPLY-022: a line that comes while its warp is in look lets it pass again at once",
        patches: &[Patch {
            module: "weft_scheduler_supply",
            find: "((back & still_wants) & ~l_set_q) & ~w_away",
            replace: "(back & still_wants) & ~w_away",
            times: 1,
        }],
    },
    Fault {
        name: "even_word",
        breaks: "SUPPLY-030: from an odd address the word before it is decoded",
        patches: &[Patch {
            module: "weft_scheduler_supply",
            find: "decode_word0 = pair[63:32];",
            replace: "decode_word0 = pair[31:0];",
            times: 1,
        }],
    },
    Fault {
        name: "twice",
        breaks: "SCHED-042: two instructions count as one",
        patches: &[Patch {
            module: "weft_scheduler_counters",
            find: "({31'd0, two_3_q} << 1'b1)",
            replace: "{31'd0, two_3_q}",
            times: 1,
        }],
    },
];

/// The broken copies of `weft_core` with one partition, 4x4.
pub const CORE_FAULTS: &[Fault] = &[
    Fault {
        name: "unasked",
        breaks: "CORE-017: an operation at the resolve port counts as taken when a launch or KILL is",
        patches: &[Patch {
            module: "weft_core",
            find: "resolve_ready = takes & is_asked_q;",
            replace: "resolve_ready = takes;",
            times: 1,
        }],
    },
    Fault {
        name: "overrun",
        breaks: "CORE-017: a verdict leaves the barrier unit while one stands before the convergence unit",
        patches: &[Patch {
            module: "weft_core",
            find: "assign barrier_verdict_ready = ~verdict_q;",
            replace: "assign barrier_verdict_ready = 1'b1;",
            times: 1,
        }],
    },
    Fault {
        name: "untold",
        breaks: "CORE-016: a warp starts before the barrier unit has heard of its launch",
        patches: &[Patch {
            module: "weft_core",
            find: "quiet = (told_q & ~verdict_q) & ~wake_q;",
            replace: "quiet = ~verdict_q & ~wake_q;",
            times: 1,
        }],
    },
    Fault {
        name: "runs_on",
        breaks: "CORE-011: an exception does not stop the scheduler",
        patches: &[Patch {
            module: "weft_core",
            find: "stop_valid_d = fails | ends;",
            replace: "stop_valid_d = ends;",
            times: 1,
        }],
    },
    Fault {
        name: "unheld",
        breaks: "CORE-017: who waits at a barrier issues on",
        patches: &[Patch {
            module: "weft_core_schedulers",
            find: "scheduler_0_hold = own_hold_0;",
            replace: "scheduler_0_hold = no_warps;",
            times: 1,
        }],
    },
];

/// The broken copies of `weft_core` with two partitions of four warps.
pub const PARTITION_FAULTS: &[Fault] = &[
    Fault {
        name: "busy",
        breaks: "CORE-032: what partition 1 is granted does not make a shared unit busy",
        patches: &[Patch {
            module: "weft_core_schedulers_units",
            find: "any_granted = any_granted | granted_1;",
            replace: "any_granted = any_granted;",
            times: 1,
        }],
    },
    Fault {
        name: "together",
        breaks: "CORE-032: load and store are offered to partition 1 in every cycle",
        patches: &[Patch {
            module: "weft_core_schedulers_units",
            find: "if (next_turn_0[1]) begin",
            replace: "if (1'b1) begin",
            times: 1,
        }],
    },
    Fault {
        name: "wrong_partition",
        breaks: "CORE-030: resumes of partition 1's warps go to partition 0",
        patches: &[Patch {
            module: "weft_core_schedulers",
            find: "start_of = one_hot << start_at;",
            replace: "start_of = one_hot;",
            times: 1,
        }],
    },
    Fault {
        name: "withdrawn",
        breaks: "CORE-033: who is offered at the fetch port is changed before the transfer",
        patches: &[Patch {
            module: "weft_core_schedulers",
            find: "first_of = wants_line & favoured_q;",
            replace: "first_of = wants_line & 2'd2;",
            times: 1,
        }],
    },
];

/// The broken copies of `weft_barrier`.
pub const BARRIER_FAULTS: &[Fault] = &[
    Fault {
        name: "descends",
        breaks: "BAR-050: of the threads of a block the last lane goes first",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign chosen = rest_q & rest_minus;",
            replace: "assign chosen = rest_q[3] ? 4'd8 : rest_q & rest_minus;",
            times: 1,
        }],
    },
    Fault {
        name: "pair",
        breaks: "BAR-041: the next turn does not wait for the BOTTOM",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign slots_waits = wake_q & turns_q;",
            replace: "assign slots_waits = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "beside",
        breaks: "BAR-060: others take slots beside an exclusive section",
        patches: &[Patch {
            module: "weft_barrier_slots",
            find: "assign allowed = (~exclusive & ~alone_q) | vacant_q;",
            replace: "assign allowed = ~exclusive | vacant_q;",
            times: 1,
        }],
    },
    Fault {
        name: "intrudes",
        breaks: "BAR-060: an exclusive section takes a slot beside others",
        patches: &[Patch {
            module: "weft_barrier_slots",
            find: "assign allowed = (~exclusive & ~alone_q) | vacant_q;",
            replace: "assign allowed = ~alone_q | vacant_q;",
            times: 1,
        }],
    },
    Fault {
        name: "phase",
        breaks: "BAR-030: the phase does not flip",
        patches: &[Patch {
            module: "weft_barrier",
            find: "phases_write_data = phase_row_q ^ id_bit;",
            replace: "phases_write_data = phase_row_q;",
            times: 1,
        }],
    },
    Fault {
        name: "exited",
        breaks: "BAR-091: threads that have ended are still waited for",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign fewer = live_q - {9'd0, count_taking_q};",
            replace: "assign fewer = live_q;",
            times: 1,
        }],
    },
    Fault {
        name: "recount",
        breaks: "BAR-025: a new generation counts on from the arrivals of the last",
        patches: &[Patch {
            module: "weft_barrier_arrival",
            find: "base = none;",
            replace: "base = arrivals;",
            times: 1,
        }],
    },
    Fault {
        name: "runs",
        breaks: "BAR-051: who is to wait for the end of the group and then run joins it",
        patches: &[Patch {
            module: "weft_barrier_arrival",
            find: "assign waits = (policy == policy_1) | (policy == policy_2);",
            replace: "assign waits = policy == policy_2;",
            times: 1,
        }],
    },
    Fault {
        name: "skips",
        breaks: "BAR-054: who is to run skips, and who is to skip runs",
        patches: &[Patch {
            module: "weft_barrier",
            find: "& (policy == policy_2)) & b_left_q;",
            replace: "& (policy != policy_2)) & b_left_q;",
            times: 1,
        }],
    },
    Fault {
        name: "invalidates",
        breaks: "BAR-033: another policy invalidates",
        patches: &[Patch {
            module: "weft_barrier",
            find: "(policy == policy_3)",
            replace: "(policy == policy_2)",
            times: 1,
        }],
    },
    Fault {
        name: "minimum",
        breaks: "BAR-033: a minimum count does not invalidate",
        patches: &[Patch {
            module: "weft_barrier_arrival",
            find: "partly = ((own & own_fills) & own_voids) | ((~own & new_fills) & new_voids);",
            replace: "partly = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "forgets",
        breaks: "BAR-023: a barrier is invalid only until its minimum has come",
        patches: &[Patch {
            module: "weft_barrier_arrival",
            find: "closes = (own & passes) & own_all;",
            replace: "closes = (own & passes) & own_reached;",
            times: 1,
        }],
    },
    Fault {
        name: "tick",
        breaks: "BAR-070: every visit of a timer comes a cycle early",
        patches: &[Patch {
            module: "weft_barrier_timers",
            find: "odd_d = 1'b0;",
            replace: "odd_d = 1'b1;",
            times: 1,
        }],
    },
    Fault {
        name: "twice",
        breaks: "BAR-030: who is let go still counts as asleep, and wakes again",
        patches: &[Patch {
            module: "weft_barrier_threads",
            find: "assign wakes = (turns | releases) | ends;",
            replace: "assign wakes = turns | ends;",
            times: 1,
        }],
    },
    Fault {
        name: "lost",
        breaks: "BAR-030: a wake that must wait for its transfer is lost",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign woken = wake_q & (wake_ready | ~wakes_q);",
            replace: "assign woken = wake_q;",
            times: 1,
        }],
    },
    Fault {
        name: "taken",
        breaks: "BAR-060: a slot is not free again",
        patches: &[Patch {
            module: "weft_barrier_slots",
            find: "taken_d = ((taken_q & ~(freed & onehot)) & ",
            replace: "taken_d = (taken_q & ",
            times: 1,
        }],
    },
    Fault {
        name: "favours",
        breaks: "BAR-061, BAR-104: the lowest slot of a priority goes first, again and again",
        patches: &[Patch {
            module: "weft_barrier_slots",
            find: "assign after = ",
            replace: "assign after = 16'd0 & ",
            times: 1,
        }],
    },
    Fault {
        name: "queues",
        breaks: "BAR-062: while an exclusive section has a slot nobody is let go",
        patches: &[Patch {
            module: "weft_barrier_slots",
            find: "picks_simple = simple_valid & ",
            replace: "picks_simple = simple_valid & ~alone_q & ",
            times: 1,
        }],
    },
    Fault {
        name: "rushes",
        breaks: "BAR-062: who lets sleepers go goes before any slot",
        patches: &[Patch {
            module: "weft_barrier_slots",
            find: "picks_simple = simple_valid & (simple_first_q | ~able_q);",
            replace: "picks_simple = simple_valid;",
            times: 1,
        }],
    },
    Fault {
        name: "left",
        breaks: "LAUNCH, BAR-093: a reset leaves threads as they were",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign threads_ends = ended_q | clearing_q;",
            replace: "assign threads_ends = ended_q;",
            times: 1,
        }],
    },
    Fault {
        name: "polls",
        breaks: "BAR-082: who was told before does not count, so two groups of a warp poll",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign told_before = |(waiters_read_data & warp_bit_q);",
            replace: "assign told_before = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "stuck",
        breaks: "BAR-083: the end of a barrier lets nobody go who waits awake",
        patches: &[Patch {
            module: "weft_barrier",
            find: "| finish_q) | depart_q;",
            replace: ") | depart_q;",
            times: 1,
        }],
    },
    Fault {
        name: "orphan",
        breaks: "BAR-083: EXIT and KILL let nobody go who waits awake",
        patches: &[Patch {
            module: "weft_barrier",
            find: "| finish_q) | depart_q;",
            replace: "| finish_q);",
            times: 1,
        }],
    },
    Fault {
        name: "hasty",
        breaks: "BAR-084: a warp is held although one of its threads can go",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign stands = (answered & holds_q) | (checks_q & ~(|runs_q));",
            replace: "assign stands = (answered & holds_q) | checks_q;",
            times: 1,
        }],
    },
    Fault {
        name: "sleepy",
        breaks: "BAR-084: a warp is held although one of its threads wakes",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign goes = ((depart_q & is_kill_q) | place_q) | (wake_q & wakes_q);",
            replace: "assign goes = (depart_q & is_kill_q) | place_q;",
            times: 1,
        }],
    },
    Fault {
        name: "foremost",
        breaks: "BAR-030, BAR-050: whoever completes a barrier wakes before former blocks",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign comes_behind = |former_pieces_q;",
            replace: "assign comes_behind = 1'b0;",
            times: 1,
        }],
    },
    Fault {
        name: "named",
        breaks: "BAR-082: PART of a BOTTOM counts as told",
        patches: &[Patch {
            module: "weft_barrier",
            find: "assign waits = verdict_q[1] & ~(verdict_q[0] & is_bottom_q);",
            replace: "assign waits = verdict_q[1];",
            times: 1,
        }],
    },
];

/// A replacement in the top module of `weft_wavefront`.
const fn wavefront(find: &'static str, replace: &'static str) -> Patch {
    Patch {
        module: "weft_wavefront",
        find,
        replace,
        times: 1,
    }
}

/// A replacement in the address of one operand.
const fn row(find: &'static str, replace: &'static str) -> Patch {
    Patch {
        module: "weft_wavefront_of_rs1",
        find,
        replace,
        times: 1,
    }
}

/// The broken copies of `weft_wavefront`.
pub const WAVEFRONT_FAULTS: &[Fault] = &[
    Fault {
        name: "window",
        breaks: "SUBV-011: a window has 255 accesses",
        patches: &[wavefront("(&accesses_q)", "(&accesses_q[7:1])")],
    },
    Fault {
        name: "above",
        breaks: "SUBV-011: as many misses as the threshold do not suffice",
        patches: &[wavefront("pays = total >= cfg_threshold;", "pays = total > cfg_threshold;")],
    },
    Fault {
        name: "last",
        breaks: "SUBV-011: the miss of the last access does not count",
        patches: &[wavefront(
            "pays = total >= cfg_threshold;",
            "pays = misses_q >= cfg_threshold;",
        )],
    },
    Fault {
        name: "everything",
        breaks: "SUBV-011: accesses in sub-vector mode count too",
        patches: &[wavefront(
            "assign counts = access_valid & access_regular;",
            "assign counts = access_valid;",
        )],
    },
    Fault {
        name: "double",
        breaks: "SUBV-012: the hold does not grow",
        patches: &[wavefront("hold_d = hold_q << longer;", "hold_d = hold_q;")],
    },
    Fault {
        name: "longest",
        breaks: "SUBV-012: the hold grows beyond 4,096",
        patches: &[wavefront("if (~hold_q[6]) begin", "begin")],
    },
    Fault {
        name: "kept",
        breaks: "SUBV-012: a decision for regular mode keeps the hold",
        patches: &[wavefront(
            "hold_d = first_hold;\n            if (pays)",
            "if (pays)",
        )],
    },
    Fault {
        name: "on",
        breaks: "SUBV-012: a decision for regular mode comes into force when the former hold is over",
        patches: &[wavefront(
            "left_d = no_asks;\n            hold_d = first_hold;\n            if (pays)",
            "hold_d = first_hold;\n            if (pays)",
        )],
    },
    Fault {
        name: "unforced",
        breaks: "SUBV-013: sub-vector mode although regular mode is forced",
        patches: &[wavefront("(measured & (|left_q));", "(|left_q);")],
    },
    Fault {
        name: "spends",
        breaks: "SUBV-013: the force bits take from the hold",
        patches: &[wavefront(
            "if ((ask_valid & measured) & (|left_q)) begin",
            "if (ask_valid & (|left_q)) begin",
        )],
    },
    Fault {
        name: "early",
        breaks: "SUBV-041: a question in the cycle of the 256th access sees the new decision",
        patches: &[wavefront(
            "(measured & (|left_q));",
            "(measured & ((|left_q) | (decides & pays)));",
        )],
    },
    Fault {
        name: "remembers",
        breaks: "SUBV-046: a reset keeps the window",
        patches: &[wavefront(
            "if (reset) begin\n            accesses_d = no_accesses;\n            misses_d = no_misses;",
            "if (reset) begin",
        )],
    },
    Fault {
        name: "first",
        breaks: "SUBV-020: x_F itself is not shared",
        patches: &[row("number >= from;", "number > from;")],
    },
    Fault {
        name: "one",
        breaks: "SUBV-021: all shared registers have one row",
        patches: &[row("offset = shared_base + wide;", "offset = shared_base;")],
    },
    Fault {
        name: "mixed",
        breaks: "SUBV-021: all parts have the same rows",
        patches: &[row("(wide << shift) | {7'd0, part};", "wide << shift;")],
    },
    Fault {
        name: "outside",
        breaks: "SUBV-044: a part that does not exist has rows of other warps",
        patches: &[wavefront(
            "assign part = map_part & part_bits_q;",
            "assign part = map_part;",
        )],
    },
    Fault {
        name: "alarm",
        breaks: "SUBV-023: shared registers are reported in the mode",
        patches: &[row(
            "(is_shared & used) & ~in_mode;",
            "is_shared & used;",
        )],
    },
    Fault {
        name: "unused",
        breaks: "SUBV-023: registers that are not used are reported",
        patches: &[row(
            "(is_shared & used) & ~in_mode;",
            "is_shared & ~in_mode;",
        )],
    },
    Fault {
        name: "written",
        breaks: "SUBV-023: rd is reported for rs2",
        patches: &[wavefront(
            "assign of_rd_used = map_uses[2];",
            "assign of_rd_used = map_uses[1];",
        )],
    },
    Fault {
        name: "wide",
        breaks: "CONV-121: more lanes than threads are not one part",
        patches: &[wavefront(
            "if (cfg_lanes >= width_bits) begin",
            "if (cfg_lanes == width_bits) begin",
        )],
    },
    Fault {
        name: "rows",
        breaks: "SUBV-021: the private registers are missing in the rows of a warp",
        patches: &[wavefront(
            "(shared_start - wide_from) + all_private;",
            "shared_start;",
        )],
    },
];
