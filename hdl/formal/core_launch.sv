// Between the launches of CTAs, the barrier unit and the convergence unit: docs/spec/core.md, CORE-011, CORE-016.
//
// Proved for 4 warps of 4 threads, by induction, whatever the four units say and whatever is asked of the core, with a reset at
// any time:
//  - a launch at the barrier unit is that of the launch that `weft_cta` offers: its warp, CTA slot, block and threads; there
//    is one for each, and it is over before the launch is transferred, which both sides see in the same cycle (CORE-016);
//  - a warp has ended, for `weft_cta`, in the cycle after the convergence unit has said so, or that it has stopped by an
//    exception other than RECENTER, and then only; it is the warp that was said, and it has failed in the second case
//    (CORE-011).
//
// Assumed: a launch that is offered stays as it is until it is transferred (proved, `cta.sv`). The four units are not looked
// into: what they give may be anything.
module core_launch (
    input wire clock,
    input wire reset,
    input wire cta_valid, program_valid, flush, fetch_ready, line_valid, line_slot, counter_clear, counter_hold,
        cfg_yield_random, cfg_recenter, resolve_valid, spill_request_ready, spill_response_valid,
        spill_response_write, config_valid, config_write, done0_valid, done1_valid,
    input wire [1:0] cfg_level_mix, cta_level, program_warp, program_level, where_warp, find_block, cfg_policy,
        line_warp, cfg_path, resolve_warp, config_warp, done0_warp, done1_warp,
    input wire [2:0] cfg_lanes, resolve_id,
    input wire [3:0] find_cta, resolve_op, resolve_kind, resolve_mask, resolve_active, spill_response_tag,
        config_register,
    input wire [4:0] unit_ready,
    input wire [5:0] counter_select, done0_rd, done1_rd,
    input wire [9:0] cfg_token_size,
    input wire [3:0] cfg_slots,
    input wire [11:0] cta_threads,
    input wire [15:0] cta_id, cfg_yield_every, cfg_forced_yield, cfg_yield_threshold, cfg_yield_seed, cfg_priority,
    input wire [19:0] cfg_interval,
    input wire [21:0] cta_pc, resolve_target, resolve_pc,
    input wire [22:0] decode0, decode1,
    input wire [31:0] cfg_token_base, resolve_word, config_data,
    input wire [63:0] spill_response_data,
    input wire [511:0] line_data
);
    wire cta_ready, cta_refused, cta_done, cta_done_failed, fetch_valid, resolve_ready, op_valid, op_ready,
        verdict_valid, verdict_ready, wake_valid, wake_ready, verdict_taken, wake_taken, error_valid, event_valid,
        expired_valid, retire_valid, retire_done, retire_blocked, retire_dropped, exception_valid,
        spill_request_valid, spill_request_write, spill_request_last, spill_response_ready, config_ready, config_done,
        issue_valid, second_valid;
    wire [1:0] where_block, find_warp, fetch_warp, op_warp, op_block, verdict_warp, wake_warp, error_warp,
        error_cause, event_kind, retire_warp, exception_warp, issue_warp;
    wire [2:0] verdict_op, error_id, event_id, expired_id;
    wire [3:0] cta_done_slot, where_cta, status_running, status_flight, op_code, op_cta, verdict_mask, hold,
        wake_mask, error_mask, event_cta, expired_cta, retire_op, retire_next_mask, retire_front_kind,
        retire_front_mask, retire_front_below, exception_cause, status_busy, status_moving, spill_request_tag,
        issue_mask;
    wire [9:0] retire_depth;
    wire [11:0] where_first, op_threads;
    wire [15:0] cta_refused_id, cta_done_id;
    wire [17:0] fetch_line;
    wire [21:0] verdict_pc, wake_pc, error_pc, retire_pc, retire_next_pc, retire_front_pc, exception_pc, issue_pc;
    wire [22:0] issue_decoded, second_decoded;
    wire [31:0] counter_value, status_dropped, status_recentered, spill_request_address, config_result, decode_word0,
        decode_word1, issue_word, second_word;
    wire [63:0] spill_request_data;
    weft_core dut (.*);

    // Inside; connected by the runner.
    wire told, offer, stop_valid, stop_failed, verdict, wake, cta_launch_valid, cta_launch_ready, convergence_launch_valid,
        convergence_launch_ready, barrier_op_ready;
    wire [1:0] o_warp, stop_warp, cta_launch_warp, cta_launch_block;
    wire [3:0] o_code, cta_launch_mask, cta_launch_cta;
    wire [11:0] cta_launch_threads;
    wire [21:0] cta_launch_pc;

    localparam LAUNCH = 4'd8;
    localparam RECENTER = 4'd14;

    // The barrier unit has been told of the launch that is offered.
    wire tells = op_valid & op_ready & (op_code == LAUNCH);
    wire transfers = cta_launch_valid & cta_launch_ready;
    reg knows;
    always @(posedge clock) knows <= !reset & !transfers & (knows | tells);

    reg holds;
    reg started = 0;
    always @(posedge clock) started <= 1;
    // A launch that was offered and not transferred; what was said of a warp.
    reg stood, ended, failed;
    reg [1:0] who;
    reg [45:0] its;
    wire [45:0] launch = {cta_launch_warp, cta_launch_block, cta_launch_mask, cta_launch_cta, cta_launch_threads, cta_launch_pc};
    wire fails = exception_valid & (exception_cause != RECENTER);
    always @(posedge clock) begin
        stood <= !reset & cta_launch_valid & !cta_launch_ready;
        its <= launch;
        ended <= !reset & (fails | (retire_valid & retire_done));
        failed <= fails;
        who <= retire_warp;
    end

    always @(*) begin
`ifdef FOUND
        // Found at work, in any state that the proof allows.
        assume (!reset);
        if (!started) assume (holds);
`else
        if (!started) assume (reset);
`endif
        if (stood && !reset) assume (cta_launch_valid && launch == its);
    end

    always @(*) if (started && !reset) begin
        // ---- Launches.
        if (tells) assert (cta_launch_valid && !knows && op_warp == cta_launch_warp && op_cta == cta_launch_cta
            && op_block == cta_launch_block && op_threads == cta_launch_threads);
        assert (transfers == (convergence_launch_valid & convergence_launch_ready));
        if (transfers) assert (knows && !tells);
        // ---- Ends.
        assert (stop_valid == ended);
        if (ended) assert (stop_warp == who && stop_failed == failed);
`ifndef CLAIMS
        assert (holds);
`endif
    end

    // Why: it follows from itself. Defects must break what is claimed and not only this (CLAIMS).
    always @(*) begin
        holds = told == knows && stop_valid == ended;
        if (ended) holds = holds && stop_warp == who && stop_failed == failed;
        if (offer && o_code == LAUNCH) holds = holds && stood && !knows && o_warp == its[45:44];
        if (knows) holds = holds && stood;
    end

    // Covers: from reset.
    always @(posedge clock) if (started) begin
        cover (tells);
        cover (transfers && stop_valid && stop_failed);
        cover (stood && knows && verdict && wake);
        cover (offer && o_code != LAUNCH && cta_launch_valid && !knows && barrier_op_ready);
    end
endmodule
