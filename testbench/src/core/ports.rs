//! The ports of `weft_core` by name, and those that `weft_core_two` has beside them.

use crate::rtl::model::ports;

ports! { InPorts, In, input:
    reset cfg_level_mix cfg_token_base cfg_token_size cta_valid cta_pc cta_threads cta_level cta_id program_valid program_warp
    program_level where_warp find_cta find_block cfg_policy fetch_ready line_valid line_warp line_slot line_data decode0
    decode1 done0_valid done0_warp done0_rd done1_valid done1_warp done1_rd counter_hold counter_select
    cfg_interval unit_ready cfg_yield_every cfg_forced_yield cfg_yield_random cfg_yield_threshold cfg_yield_seed cfg_path
    cfg_lanes cfg_recenter resolve_valid resolve_warp resolve_op resolve_kind resolve_mask resolve_target resolve_pc
    resolve_active resolve_id resolve_word cfg_priority
    spill_request_ready spill_response_valid spill_response_write spill_response_tag spill_response_data config_valid
    config_write config_warp config_register config_data
}

ports! { OutPorts, Out, output:
    cta_ready cta_refused cta_refused_id cta_done cta_done_id cta_done_slot cta_done_failed where_cta where_block where_first
    find_warp fetch_valid fetch_warp fetch_line decode_word0 decode_word1 issue_valid issue_warp issue_pc issue_mask issue_word
    issue_decoded second_valid second_word second_decoded status_running status_flight counter_value resolve_ready
    retire_valid retire_warp retire_op retire_pc retire_next_pc retire_next_mask retire_done retire_blocked retire_depth retire_front_kind
    retire_front_mask retire_front_pc retire_front_below retire_dropped exception_valid exception_warp exception_pc
    exception_cause status_busy status_moving status_recentered spill_request_valid spill_request_write
    spill_request_address spill_request_data spill_request_tag spill_request_last spill_response_ready config_ready
    config_done config_result op_valid op_code op_warp op_cta op_block op_threads verdict_ready verdict_taken
    wake_ready wake_taken
}

ports! { OddInPorts, In, input: cfg_private decode2 decode3 }

ports! { OddOutPorts, Out, output:
    decode_word2 decode_word3 issue1_valid issue1_warp issue1_pc issue1_mask issue1_word issue1_decoded
}
