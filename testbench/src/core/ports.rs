//! The ports of `weft_core` by name: those that it has once, and those that each partition has (CORE-031).

use crate::rtl::model::{ports, In, Model, Out};

ports! { InPorts, In, input:
    reset cfg_level_mix cfg_token_base cfg_token_size cfg_slots cta_valid cta_pc cta_threads cta_level cta_id program_valid program_warp
    program_level where_warp find_cta find_block cfg_policy fetch_ready line_valid line_warp line_slot line_data
    counter_hold counter_select
    cfg_interval unit_ready cfg_yield_every cfg_forced_yield cfg_yield_random cfg_yield_threshold cfg_yield_seed cfg_path
    cfg_lanes cfg_recenter resolve_valid resolve_warp resolve_op resolve_kind resolve_mask resolve_target resolve_pc
    resolve_active resolve_id resolve_word cfg_priority
    spill_request_ready spill_response_valid spill_response_write spill_response_tag spill_response_data config_valid
    config_write config_warp config_register config_data
}

ports! { OutPorts, Out, output:
    cta_ready cta_refused cta_refused_id cta_done cta_done_id cta_done_slot cta_done_failed where_cta where_block where_first
    find_warp fetch_valid fetch_warp fetch_line
    status_running status_flight counter_value resolve_ready
    retire_valid retire_warp retire_op retire_pc retire_next_pc retire_next_mask retire_done retire_blocked retire_depth retire_front_kind
    retire_front_mask retire_front_pc retire_front_below retire_dropped exception_valid exception_warp exception_pc
    exception_cause status_busy status_moving status_recentered spill_request_valid spill_request_write
    spill_request_address spill_request_data spill_request_tag spill_request_last spill_response_ready config_ready
    config_done config_result op_valid op_code op_warp op_cta op_block op_threads verdict_ready verdict_taken
    wake_ready wake_taken
}

/// The inputs of a partition; of `decode` and `done_*` two each.
pub struct PartitionIn {
    pub decode: [In; 2],
    pub done_valid: [In; 2],
    pub done_warp: [In; 2],
    pub done_rd: [In; 2],
}

/// Its outputs; of `decode_word` two.
pub struct PartitionOut {
    pub decode_word: [Out; 2],
    pub issue_valid: Out,
    pub issue_warp: Out,
    pub issue_pc: Out,
    pub issue_mask: Out,
    pub issue_word: Out,
    pub issue_decoded: Out,
    pub second_valid: Out,
    pub second_word: Out,
    pub second_decoded: Out,
}

/// The name of a port of partition `p`.
fn name(p: usize, port: &str) -> String {
    match p {
        0 => port.to_string(),
        _ => format!("p{p}_{port}"),
    }
}

impl PartitionIn {
    pub fn of(flat: &Model, p: usize) -> PartitionIn {
        let two = |first: &str, last: &str| {
            [0, 1].map(|n| flat.input(&name(p, &format!("{first}{n}{last}"))))
        };
        PartitionIn {
            decode: two("decode", ""),
            done_valid: two("done", "_valid"),
            done_warp: two("done", "_warp"),
            done_rd: two("done", "_rd"),
        }
    }
}

impl PartitionOut {
    pub fn of(flat: &Model, p: usize) -> PartitionOut {
        let one = |port: &str| flat.output(&name(p, port));
        PartitionOut {
            decode_word: [one("decode_word0"), one("decode_word1")],
            issue_valid: one("issue_valid"),
            issue_warp: one("issue_warp"),
            issue_pc: one("issue_pc"),
            issue_mask: one("issue_mask"),
            issue_word: one("issue_word"),
            issue_decoded: one("issue_decoded"),
            second_valid: one("second_valid"),
            second_word: one("second_word"),
            second_decoded: one("second_decoded"),
        }
    }
}
