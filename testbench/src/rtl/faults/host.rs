//! Broken copies of the host front end.

use super::{Fault, Patch};

const fn patch(module: &'static str, find: &'static str, replace: &'static str) -> Patch {
    Patch {
        module,
        find,
        replace,
        times: 1,
    }
}

const STEP: &str = "weft_host_step";
const PORT: &str = "weft_host_port";
const CHANNELS: &str = "weft_host_channels";

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "wraps_late",
        breaks: "HOST-010: the ring has one entry more",
        patches: &[patch(
            STEP,
            "if (after == {15'd0, number_q}) begin",
            "if (get_q == {15'd0, number_q}) begin",
        )],
    },
    Fault {
        name: "put_is_not_checked",
        breaks: "HOST-013: a GP_PUT of n or more is kept",
        patches: &[patch(
            PORT,
            "if (is_enabled & beyond_q) begin",
            "if (1'b0) begin",
        )],
    },
    Fault {
        name: "last_command_is_lost",
        breaks: "HOST-031: a block ends one word early",
        patches: &[patch(
            STEP,
            "if (~(|rest)) begin",
            "if (~(|rest[15:1])) begin",
        )],
    },
    Fault {
        name: "any_value_acquires",
        breaks: "SEM_ACQUIRE: a value that is not the one",
        patches: &[patch(
            STEP,
            "passes = ~(|difference);",
            "passes = ~(|difference[31:1]);",
        )],
    },
    Fault {
        name: "at_least_is_unsigned",
        breaks: "SEM_ACQUIRE, at least: compared without sign",
        patches: &[patch(
            STEP,
            "passes = ~difference[31];",
            "passes = m_word_q >= word_2_q;",
        )],
    },
    Fault {
        name: "time_out_is_late",
        breaks: "HOST-034: one read more than TIMEOUT",
        patches: &[patch(STEP, "tried >= timeout", "tried > timeout")],
    },
    Fault {
        name: "count_goes_on",
        breaks: "HOST-034: the count does not begin anew",
        patches: &[patch(STEP, "if (again_q) begin", "if (1'b1) begin")],
    },
    Fault {
        name: "release_does_not_wait",
        breaks: "HOST-062: the release after idle",
        patches: &[patch(
            STEP,
            "if (command_flag_0 & ~idle) begin",
            "if (1'b0) begin",
        )],
    },
    Fault {
        name: "idle_is_not_asked",
        breaks: "WAIT_FOR_IDLE passes",
        patches: &[patch(
            STEP,
            "if (command_wait_idle & ~idle) begin",
            "if (1'b0) begin",
        )],
    },
    Fault {
        name: "shadow_is_stale",
        breaks: "HOST-035: the shadow gets LIMIT as it was",
        patches: &[patch(
            STEP,
            "m_data_d = word + one_word;",
            "m_data_d = word;",
        )],
    },
    Fault {
        name: "put_is_not_recycled",
        breaks: "HOST-035: GP_PUT stays",
        patches: &[patch(STEP, "if (~recycles_q) begin", "if (1'b1) begin")],
    },
    Fault {
        name: "errors_go_on",
        breaks: "HOST-080: the channel stays enabled",
        patches: &[patch(
            CHANNELS,
            "is_failed_d = is_failed_q | who;\n            is_enabled_d = is_enabled_q & others;",
            "is_failed_d = is_failed_q | who;",
        )],
    },
    Fault {
        name: "writes_in_a_step",
        breaks: "a register of a channel is written in the middle of its step",
        patches: &[patch(
            PORT,
            "in_step = busy & (step_channel == target);",
            "in_step = 1'b0;",
        )],
    },
    Fault {
        name: "private_is_forgotten",
        breaks: "HOST-002: what is private reaches no further than threads",
        patches: &[patch(
            "weft_host_port_reach",
            "if (is_private) begin",
            "if (1'b0) begin",
        )],
    },
    Fault {
        name: "reach_has_no_end",
        breaks: "HOST-002: the last byte is not looked at",
        patches: &[patch(
            "weft_host_port_reach",
            "after <= limit",
            "{1'b0, address} < limit",
        )],
    },
    Fault {
        name: "round_is_unfair",
        breaks: "HOST-033: the lowest ready channel goes first",
        patches: &[patch(
            "weft_host_channels_choice",
            "if (|ahead) begin",
            "if (1'b0) begin",
        )],
    },
    Fault {
        name: "priority_has_three_bits",
        breaks: "HOST-033: priorities 8 and up are like those 8 below",
        patches: &[patch(
            "weft_host_channels_choice",
            "if (|high_3) begin",
            "if (1'b0) begin",
        )],
    },
    Fault {
        name: "polls_at_once",
        breaks: "HOST-034: POLL is not waited for",
        patches: &[patch(
            "weft_host_polls",
            "if (~late[31]) begin",
            "if (1'b1) begin",
        )],
    },
    Fault {
        name: "value_comes_first",
        breaks: "HOST-061: word 0 of a release with time does not come last",
        patches: &[patch(
            STEP,
            "m_address_d = word_1_q + 32'd4;",
            "m_address_d = word_1_q;",
        )],
    },
    Fault {
        name: "error_places_nothing",
        breaks: "HOST-080: ERROR_ADDRESS of what the host writes",
        patches: &[patch(PORT, "data = {26'd0, error_at_q};", "data = 32'd0;")],
    },
    Fault {
        name: "drops_nothing",
        breaks: "HOST-016: a write of GP_GET does not leave the block",
        patches: &[patch(CHANNELS, "if (act_drops) begin", "if (1'b0) begin")],
    },
];
