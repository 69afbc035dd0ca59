//! The broken copies of `weft_sm`: at least one of each of its blocks.
//! Those of its core and of the units in it are the core's.

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

/// Made of 4 warps of 4 threads on 4 lanes.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "offset",
        breaks: "DATA: the offset of a store is taken from where a load has it",
        patches: &[in_module(
            "weft_sm_compute_datapath_decoder0",
            "imm = imm_s;",
            "imm = imm_i;",
        )],
    },
    Fault {
        name: "shift",
        breaks: "lanes: an arithmetic shift by 16 or more forgets the sign",
        patches: &[in_module(
            "weft_sm_compute_datapath_lanes",
            "turned_5 = turned_5 | ones_4;",
            "turned_5 = turned_5;",
        )],
    },
    Fault {
        name: "mulhsu",
        breaks: "multiplier: MULHSU takes its first operand for unsigned",
        patches: &[in_module(
            "weft_sm_compute_datapath_times",
            "(code == 2'd1 || code == 2'd2)",
            "(code == 2'd1)",
        )],
    },
    Fault {
        name: "crowds",
        breaks: "multiplier, DATA-022: one without threads takes the row of another instruction",
        patches: &[in_module(
            "weft_sm_compute_datapath",
            "((final_x & ~x_empty_q) & (of_pass_unit == 2'd1))",
            "(final_x & (of_pass_unit == 2'd1))",
        )],
    },
    Fault {
        name: "by_zero",
        breaks: "divider: a negative number divided by 0 gives 1",
        patches: &[in_module(
            "weft_sm_compute_datapath_divide",
            "(a_negative ^ b_negative) & (|second);",
            "a_negative ^ b_negative;",
        )],
    },
    Fault {
        name: "outside",
        breaks: "mask unit, MASK-030: in a block the threads outside the predicate write",
        patches: &[in_module(
            "weft_sm_compute_datapath_masks",
            "c_invert_a_d = ~in_block;",
            "c_invert_a_d = 1'b1;",
        )],
    },
    Fault {
        name: "endless",
        breaks: "mask unit, MASK-030: a block does not end",
        patches: &[in_module(
            "weft_sm_compute_datapath_masks",
            "c_left_d = count_down;",
            "c_left_d = left_read_data;",
        )],
    },
    Fault {
        name: "unturned",
        breaks: "mask unit, MASK-010: `mandn` does not turn its second operand round",
        patches: &[in_module(
            "weft_sm_compute_datapath_masks",
            "((operation == op_or) | (operation == op_andn)) | (operation == op_nor)",
            "(operation == op_or) | (operation == op_nor)",
        )],
    },
    Fault {
        name: "unasked",
        breaks: "mask unit, MASK-011: logic leaves the scalar condition alone",
        patches: &[in_module(
            "weft_sm_compute_datapath_masks",
            "c_tests_d = acts & ((is_logic | is_ballot) | is_put);",
            "c_tests_d = acts & (is_ballot | is_put);",
        )],
    },
    Fault {
        name: "masked",
        breaks: "registers: the row of lane 2 is written whatever the write mask says",
        patches: &[Patch {
            module: "weft_sm_compute_datapath",
            find: "(w_valid_q & w_mask_q[2])",
            replace: "w_valid_q",
            times: 2,
        }],
    },
    Fault {
        name: "late",
        breaks: "SM-014: EXIT does not wait for the accesses of its warp",
        patches: &[
            in_module(
                "weft_sm_compute_datapath_control",
                "(ops_read_data == op_exit) & pending[head_warp]",
                "1'b0",
            ),
            in_module(
                "weft_sm_compute_datapath_control",
                "(push_op == op_exit) & pending[push_warp]",
                "1'b0",
            ),
        ],
    },
    Fault {
        name: "dead",
        breaks: "SM-013: instructions after a fault of their warp are not ignored",
        patches: &[in_module(
            "weft_sm_compute_datapath",
            "assign sequencer_dead = dead_q[queue_head_warp];",
            "assign sequencer_dead = 1'b0;",
        )],
    },
    Fault {
        name: "overtakes",
        breaks: "SM-013: a fault of the datapath does not wait for the accesses before it",
        patches: &[in_module(
            "weft_sm_compute_datapath",
            "held_first_bits = held_q & ~lately;",
            "held_first_bits = held_q;",
        )],
    },
    Fault {
        name: "earlier",
        breaks: "SM-013: of two accesses that fault the one whose fault is known first is named",
        patches: &[in_module(
            "weft_sm_compute_datapath",
            "((|held_found_read_data) | ahead[15])",
            "(|held_found_read_data)",
        )],
    },
    Fault {
        name: "lowest",
        breaks: "SM-013: of two threads of an access the one whose fault is known first is named",
        patches: &[in_module(
            "weft_sm_compute_datapath",
            "(access_fault_thread < held_threads_read_data)",
            "1'b0",
        )],
    },
    Fault {
        name: "cause",
        breaks: "SM-013: an error response is reported as misaligned",
        patches: &[in_module(
            "weft_sm_compute_lsu",
            "faults_note_cause = unmapped;",
            "faults_note_cause = misaligned;",
        )],
    },
    Fault {
        name: "unsigned",
        breaks: "load/store unit: LBU extends the sign",
        patches: &[in_module(
            "weft_sm_compute_lsu_align_lane",
            "if (is_signed & low[7]) begin",
            "if (low[7]) begin",
        )],
    },
    Fault {
        name: "upper",
        breaks:
            "load/store unit: SH to the upper half of a word writes the bytes of the lower half",
        patches: &[in_module(
            "weft_sm_compute_lsu_store_beat_lane",
            "bytes = a_half << at_byte;",
            "bytes = a_half;",
        )],
    },
    Fault {
        name: "coalesced",
        breaks: "load/store unit: lane 3 joins every access, whichever line it wants",
        patches: &[in_module(
            "weft_sm_compute_lsu_gather",
            "(on_chip[3] | (each_3 == line))",
            "1'b1",
        )],
    },
    Fault {
        name: "fence",
        breaks: "load/store unit: a fence does not wait for the accesses before it",
        patches: &[in_module(
            "weft_sm_compute_lsu_completion",
            "assign over = waits_q & ~under_way;",
            "assign over = waits_q;",
        )],
    },
    Fault {
        name: "bank",
        breaks: "scratchpad: lane 3 gets the row of bank 0 that a lower lane wants",
        patches: &[in_module(
            "weft_sm_compute_lsu_scratchpad",
            "& (row_3 == bank_row_0)",
            "",
        )],
    },
    Fault {
        name: "amomax",
        breaks: "atomics: AMOMAX compares without signs",
        patches: &[in_module(
            "weft_sm_compute_lsu_scratchpad_changed",
            "if ((operation == 4'd5) | (operation == 4'd6)) begin",
            "if (operation == 4'd5) begin",
        )],
    },
    Fault {
        name: "reserved",
        breaks: "LR/SC: a reservation outlives a write to its line",
        patches: &[in_module(
            "weft_sm_compute_lsu_reservations",
            "holds = is_held & same;",
            "holds = is_held;",
        )],
    },
    Fault {
        name: "passes_write",
        breaks: "SM-031: a read is sent while a write to its line has no response",
        patches: &[in_module(
            "weft_sm_compute_lsu_lines",
            "same_0 & (writes_q[0] | ~reads)",
            "same_0 & ~reads",
        )],
    },
    Fault {
        name: "held",
        breaks: "MEM-062: a write does not change the line that the data cache holds",
        patches: &[in_module(
            "weft_sm_compute_data_cache_caches",
            "changes = writes_now & hit;",
            "changes = 1'b0;",
        )],
    },
    Fault {
        name: "rest",
        breaks: "MEM-063: a write does not wait for the rest of a line that is on its way",
        patches: &[in_module(
            "weft_sm_compute_data_cache_caches",
            "((looks & s_write_q) & ~waits)",
            "(looks & s_write_q)",
        )],
    },
    Fault {
        name: "way",
        breaks: "data cache: what the second way holds is read from the first",
        patches: &[in_module(
            "weft_sm_compute_data_cache_caches",
            "hit_way = way_number_1;",
            "hit_way = way_number_0;",
        )],
    },
    Fault {
        name: "tag",
        breaks: "line cache: every line that is held is taken for the one that is asked for",
        patches: &[in_module(
            "weft_sm_compute_lines",
            "& (tags_read_data == tag)",
            "",
        )],
    },
    Fault {
        name: "burst",
        breaks: "memory port: a token is written between the beats of a store",
        patches: &[in_module(
            "weft_sm_compute_port",
            "from_token = of_token_q;",
            "from_token = from_token;",
        )],
    },
    Fault {
        name: "size",
        breaks: "MEM-020: the third dimension of a CTA is taken for 1",
        patches: &[in_module(
            "weft_sm_launcher",
            "factor_d = group_z_size_q;",
            "factor_d = k_one;",
        )],
    },
    Fault {
        name: "blocks",
        breaks: "MEM-020: the warps of a CTA are numbered as if a partial last warp did not count",
        patches: &[in_module(
            "weft_sm_launcher",
            "blocks_d = (threads_q + k_part_block) >> k_lane_bits;",
            "blocks_d = threads_q >> k_lane_bits;",
        )],
    },
    Fault {
        name: "idle",
        breaks:
            "SM-014: busy falls, and the launch ends, while the last responses are on their way",
        patches: &[
            in_module(
                "weft_sm_launcher",
                "((more_q | (ended_q != number_q)) | launch_active)",
                "(more_q | (ended_q != number_q))",
            ),
            in_module(
                "weft_sm",
                "assign busy = launcher_busy | compute_launch_active;",
                "assign busy = launcher_busy;",
            ),
        ],
    },
];

/// Made of 4 warps of 8 threads on 4 lanes: accesses of two passes.
pub const PASS_FAULTS: &[Fault] = &[Fault {
    name: "pass",
    breaks: "DATA-015: an access is no longer on its way when its first pass is taken, so a later pass is lost",
    patches: &[in_module(
        "weft_sm_compute_datapath",
        "assign sends_access = (a_valid_q & access_ready) & a_last_q;",
        "assign sends_access = (a_valid_q & access_ready) & a_first_q;",
    )],
}];
