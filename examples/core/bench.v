// Two CTAs of 10 and 7 threads on weft_core (4 warps of 4 threads) with the datapath beside it; checks what each thread has
// computed. The second CTA waits until the first one leaves it room.
`timescale 1ns / 1ns
module bench;
    localparam NW = 4, WI = 2, W = 4, TA = 5;

    reg clock = 0;
    always #5 clock = !clock;
    reg reset = 1;

    // Everything else is tied off in the instance below; docs/spec/core.md says what each tie-off means.
    reg           cta_valid = 0;
    wire          cta_ready, cta_refused, cta_done, cta_done_failed;
    reg  [11:0]   cta_threads = 10;
    reg  [15:0]   cta_id = 0;
    wire [15:0]   cta_done_id;
    wire [3:0]    cta_done_slot, where_cta;
    wire [11:0]   where_first;
    wire          fetch_valid, line_valid, line_slot;
    wire [WI-1:0] fetch_warp, line_warp, where_warp, issue_warp, done_warp, resolve_warp, exception_warp;
    wire [17:0]   fetch_line;
    wire [511:0]  line_data;
    wire [31:0]   decode_word0, decode_word1, issue_word;
    wire [22:0]   decode0, decode1, issue_decoded, second_decoded;
    wire          issue_valid, second_valid, done_valid, resolves, resolve_valid, resolve_ready, exception_valid;
    wire [5:0]    done_rd;
    wire [21:0]   issue_pc, resolve_target, resolve_pc;
    wire [W-1:0]  issue_mask, resolve_mask, resolve_active;
    wire [3:0]    resolve_op, resolve_kind, exception_cause;
    wire [NW-1:0] status_running, status_busy;
    wire          request_valid, request_ready, request_write, response_valid, response_ready, response_write;
    wire [31:0]   request_address;
    wire [63:0]   request_data, response_data;
    wire [TA-1:0] request_tag, response_tag;
    wire          config_ready;

`ifdef HOLD_TOO_LONG
    // A fault on purpose, for the rules to notice: a resolve stays for a cycle behind its transfer.
    reg late = 0;
    always @(posedge clock) late <= resolves && resolve_ready;
    assign resolve_valid = resolves || late;
`else
    assign resolve_valid = resolves;
`endif

`ifdef NO_UNITS
    // A fault on purpose: no functional unit ever takes anything.
    localparam [4:0] UNITS = 5'b00000;
`else
    localparam [4:0] UNITS = 5'b11111;
`endif

    weft_core core (
        .clock(clock), .reset(reset), .cfg_level_mix(2'd0), .cfg_token_base(32'd0), .cfg_token_size(10'd64),
        .cfg_slots({NW{1'b1}}), .cta_valid(cta_valid), .cta_ready(cta_ready), .cta_pc(22'd0), .cta_threads(cta_threads), .cta_level(4'd0),
        .cta_id(cta_id), .cta_refused(cta_refused), .cta_refused_id(), .cta_done(cta_done),
        .cta_done_id(cta_done_id), .cta_done_slot(cta_done_slot), .cta_done_failed(cta_done_failed),
        .program_valid(1'b0), .program_warp({WI{1'b0}}), .program_level(4'd0), .where_warp(where_warp),
        .where_cta(where_cta), .where_block(), .where_first(where_first), .find_cta(4'd0), .find_block({WI{1'b0}}),
        .find_warp(), .cfg_policy(2'd0), .flush(1'b0), .fetch_valid(fetch_valid), .fetch_ready(1'b1),
        .fetch_warp(fetch_warp), .fetch_line(fetch_line), .line_valid(line_valid), .line_warp(line_warp),
        .line_slot(line_slot), .line_data(line_data), .decode_word0(decode_word0), .decode_word1(decode_word1),
        .decode0(decode0), .decode1(decode1), .issue_valid(issue_valid), .issue_warp(issue_warp),
        .issue_pc(issue_pc), .issue_mask(issue_mask), .issue_word(issue_word), .issue_decoded(issue_decoded),
        .second_valid(second_valid), .second_word(), .second_decoded(second_decoded),
        .done0_valid(done_valid && !done_warp[0]), .done0_warp(done_warp), .done0_rd(done_rd),
        .done1_valid(done_valid && done_warp[0]), .done1_warp(done_warp), .done1_rd(done_rd),
        .status_running(status_running), .status_flight(), .counter_clear(1'b0), .counter_hold(1'b0),
        .counter_select({(WI+4){1'b0}}), .counter_value(), .cfg_interval(20'd0), .unit_ready(UNITS),
        .cfg_yield_every(16'd1), .cfg_forced_yield(16'd64), .cfg_yield_random(1'b0), .cfg_yield_threshold(16'd0),
        .cfg_yield_seed(16'd0), .cfg_path(2'd0), .cfg_lanes(3'd2), .cfg_recenter(1'b0),
        .resolve_valid(resolve_valid), .resolve_ready(resolve_ready), .resolve_warp(resolve_warp),
        .resolve_op(resolve_op), .resolve_kind(resolve_kind), .resolve_mask(resolve_mask),
        .resolve_target(resolve_target), .resolve_pc(resolve_pc), .resolve_active(resolve_active), .resolve_id(3'd0),
        .resolve_word(32'd0), .cfg_priority(16'd0), .op_valid(), .op_ready(), .op_code(), .op_warp(), .op_cta(),
        .op_block(), .op_threads(), .verdict_valid(), .verdict_ready(), .verdict_warp(), .verdict_op(),
        .verdict_mask(), .verdict_pc(), .verdict_taken(), .hold(), .wake_valid(), .wake_ready(), .wake_taken(),
        .wake_warp(), .wake_mask(), .wake_pc(), .error_valid(), .error_warp(), .error_mask(), .error_pc(),
        .error_id(), .error_cause(), .event_valid(), .event_kind(), .event_cta(), .event_id(), .expired_valid(),
        .expired_cta(), .expired_id(), .retire_valid(), .retire_warp(), .retire_op(),
        .retire_pc(), .retire_next_pc(), .retire_next_mask(), .retire_done(), .retire_blocked(),
        .retire_depth(), .retire_front_kind(), .retire_front_mask(), .retire_front_pc(), .retire_front_below(),
        .retire_dropped(), .exception_valid(exception_valid), .exception_warp(exception_warp), .exception_pc(),
        .exception_cause(exception_cause), .status_busy(status_busy), .status_moving(), .status_dropped(),
        .status_recentered(), .spill_request_valid(request_valid), .spill_request_ready(request_ready),
        .spill_request_write(request_write), .spill_request_address(request_address),
        .spill_request_data(request_data), .spill_request_tag(request_tag), .spill_request_last(),
        .spill_response_valid(response_valid), .spill_response_ready(response_ready),
        .spill_response_write(response_write), .spill_response_tag(response_tag),
        .spill_response_data(response_data), .config_valid(1'b0), .config_ready(config_ready),
        .config_write(1'b0), .config_warp({WI{1'b0}}), .config_register(4'd0), .config_data(32'd0), .config_done(),
        .config_result()
    );

    weft_core_rules #(.NW(NW), .WI(WI), .W(W), .TA(TA)) rules (
        .clock(clock), .reset(reset), .cfg_token_size(10'd64), .cfg_slots({NW{1'b1}}), .cfg_interval(20'd0),
        .unit_ready(UNITS), .cfg_yield_every(16'd1), .cfg_forced_yield(16'd64), .cfg_yield_random(1'b0),
        .cfg_yield_threshold(16'd0),
        .cfg_yield_seed(16'd0), .cfg_path(2'd0), .cfg_lanes(3'd2), .cfg_recenter(1'b0), .cta_valid(cta_valid),
        .cta_ready(cta_ready), .cta_pc(22'd0), .cta_threads(cta_threads), .cta_level(4'd0), .cta_id(cta_id),
        .flush(1'b0), .fetch_valid(fetch_valid), .fetch_ready(1'b1), .fetch_warp(fetch_warp),
        .fetch_line(fetch_line), .line_valid(line_valid), .line_warp(line_warp), .line_slot(line_slot),
        .issue_valid(issue_valid), .issue_warp(issue_warp), .issue_pc(issue_pc), .issue_mask(issue_mask),
        .issue_decoded(issue_decoded), .second_valid(second_valid), .second_decoded(second_decoded),
        .done0_valid(done_valid && !done_warp[0]), .done0_warp(done_warp), .done0_rd(done_rd),
        .done1_valid(done_valid && done_warp[0]), .done1_warp(done_warp), .done1_rd(done_rd),
        .resolve_valid(resolve_valid), .resolve_ready(resolve_ready), .resolve_warp(resolve_warp),
        .resolve_op(resolve_op), .resolve_kind(resolve_kind), .resolve_mask(resolve_mask),
        .resolve_target(resolve_target), .resolve_pc(resolve_pc), .resolve_active(resolve_active),
        .exception_valid(exception_valid), .exception_warp(exception_warp), .exception_cause(exception_cause),
        .status_running(status_running), .status_busy(status_busy), .spill_request_valid(request_valid),
        .spill_request_ready(request_ready), .spill_response_valid(response_valid),
        .spill_response_ready(response_ready), .spill_response_tag(response_tag), .config_valid(1'b0),
        .config_ready(config_ready), .config_write(1'b0), .config_warp({WI{1'b0}}), .config_register(4'd0),
        .config_data(32'd0)
    );

    datapath #(.WI(WI), .W(W)) datapath (
        .clock(clock), .reset(reset), .fetch_valid(fetch_valid), .fetch_warp(fetch_warp), .fetch_line(fetch_line),
        .line_valid(line_valid), .line_warp(line_warp), .line_slot(line_slot), .line_data(line_data),
        .decode_word0(decode_word0), .decode_word1(decode_word1), .decode0(decode0), .decode1(decode1),
        .issue_valid(issue_valid), .issue_warp(issue_warp), .issue_pc(issue_pc), .issue_mask(issue_mask),
        .issue_word(issue_word), .issue_decoded(issue_decoded), .where_warp(where_warp), .where_first(where_first),
        .where_cta(where_cta), .done_valid(done_valid), .done_warp(done_warp), .done_rd(done_rd),
        .resolve_valid(resolves), .resolve_ready(resolve_ready), .resolve_warp(resolve_warp), .resolve_op(resolve_op),
        .resolve_kind(resolve_kind), .resolve_mask(resolve_mask), .resolve_target(resolve_target),
        .resolve_pc(resolve_pc), .resolve_active(resolve_active)
    );

    token_memory token_memory (
        .clock(clock), .reset(reset),
        .request_valid(request_valid), .request_ready(request_ready), .request_write(request_write),
        .request_address(request_address), .request_data(request_data), .request_tag(request_tag),
        .response_valid(response_valid), .response_ready(response_ready), .response_write(response_write),
        .response_tag(response_tag), .response_data(response_data)
    );

    integer cycle = 0, first = 0, issues = 0, right = 0, wrong = 0, ended = 0, thread, n, expected;

    always @(posedge clock) begin
        cycle <= reset ? 0 : cycle + 1;
        if (!reset && issue_valid) begin
            issues <= issues + 1;
            if (issues == 0)
                first <= cycle;
        end
        if (exception_valid)
            $fatal(1, "warp %0d: exception %0d", exception_warp, exception_cause);
    end

    // With +alone: one CTA of one warp, as in the timing pictures of the docs.
    reg alone;
    initial alone = $test$plusargs("alone") != 0;

    // With +vcd: what stands at the ports, for waves.
    initial if ($test$plusargs("vcd")) begin
        $dumpfile("ports.vcd");
        $dumpvars(2, bench);
    end

    initial begin
        repeat (10) @(posedge clock);
        reset <= 0;
        cta_valid <= 1;
        if (alone)
            cta_threads <= W;
        @(posedge clock);
        while (!cta_ready) @(posedge clock);
        if (!alone) begin
            cta_threads <= 7;
            cta_id <= 1;
            @(posedge clock);
            while (!cta_ready) @(posedge clock);
        end
        cta_valid <= 0;
    end

    // r1 = (number + 3)! + 100 of every thread of a CTA that has ended.
    always @(posedge clock) begin
        if (!reset && cta_done) begin
            for (thread = 0; thread < (alone ? W : cta_done_id == 0 ? 10 : 7); thread = thread + 1) begin
                expected = 1;
                for (n = 2; n <= thread + 3; n = n + 1)
                    expected = expected * n;
                if (datapath.answer[cta_done_slot * (NW * W) + thread] === expected + 100)
                    right = right + 1;
                else begin
                    wrong = wrong + 1;
                    $display("CTA %0d, thread %0d: %0d, should be %0d", cta_done_id, thread,
                        datapath.answer[cta_done_slot * (NW * W) + thread], expected + 100);
                end
            end
            ended = ended + 1;
            if (ended == (alone ? 1 : 2)) begin
                if (wrong != 0 || cta_done_failed)
                    $fatal(1, "%0d threads are wrong", wrong);
                $display("%0d threads are right after %0d cycles and %0d instructions; the first one was issued in cycle %0d",
                    right, cycle, issues, first);
                $finish;
            end
        end
        if (cycle == 10000)
            $fatal(1, "the CTAs have not ended after 10,000 cycles");
    end
endmodule
