// Launches four warps on weft_control with the datapath beside it, writes what happens at the ports to trace.jsonl for
// `weft judge`, and checks what each thread has computed.
`timescale 1ns / 1ns
module bench;
    reg clock = 0;
    always #5 clock = !clock;
    reg reset = 1;

    // Tie-offs: no yields but the forced ones, smaller group first, recentering by hardware, no configuration port.
    reg         launch_valid = 0;
    wire        launch_ready;
    reg  [1:0]  launch_warp = 0;
    wire        issue_valid, issue_ready, resolves, resolve_valid, resolve_ready;
    wire [1:0]  issue_warp, resolve_warp;
    wire [21:0] issue_pc, resolve_target;
    wire [3:0]  issue_mask, resolve_op, resolve_kind, resolve_mask;
    wire        retire_valid, retire_done, retire_blocked, retire_dropped;
    wire [1:0]  retire_warp;
    wire [3:0]  retire_op, retire_next_mask;
    wire [21:0] retire_pc, retire_next_pc;
    wire [9:0]  retire_depth;
    wire        exception_valid;
    wire [1:0]  exception_warp;
    wire [21:0] exception_pc;
    wire [3:0]  exception_cause, status_busy;
    wire        request_valid, request_ready, request_write, response_valid, response_ready, response_write;
    wire [31:0] request_address;
    wire [63:0] request_data, response_data;
    wire [4:0]  request_tag, response_tag;

`ifdef HOLD_TOO_LONG
    // A fault on purpose, for the rules to notice: a resolve stays for a cycle behind its transfer.
    reg late = 0;
    always @(posedge clock) late <= resolves && resolve_ready;
    assign resolve_valid = resolves || late;
`else
    assign resolve_valid = resolves;
`endif

    weft_control control (
        .clock(clock), .reset(reset),
        .cfg_yield_every(16'd1), .cfg_forced_yield(16'd64), .cfg_yield_random(1'b0), .cfg_yield_threshold(16'd0),
        .cfg_yield_seed(16'd0), .cfg_path(2'd0), .cfg_lanes(3'd2), .cfg_recenter(1'b0),
        .launch_valid(launch_valid), .launch_ready(launch_ready), .launch_warp(launch_warp), .launch_pc(22'd0),
        .launch_mask(4'b1111), .launch_base({20'd0, launch_warp, 10'd0}), .launch_size(10'd64),
        .issue_valid(issue_valid), .issue_ready(issue_ready), .issue_warp(issue_warp), .issue_pc(issue_pc),
        .issue_mask(issue_mask),
        .resolve_valid(resolve_valid), .resolve_ready(resolve_ready), .resolve_warp(resolve_warp),
        .resolve_op(resolve_op), .resolve_kind(resolve_kind), .resolve_mask(resolve_mask),
        .resolve_target(resolve_target),
        .retire_valid(retire_valid), .retire_warp(retire_warp), .retire_op(retire_op), .retire_pc(retire_pc),
        .retire_next_pc(retire_next_pc), .retire_next_mask(retire_next_mask), .retire_done(retire_done),
        .retire_blocked(retire_blocked), .retire_depth(retire_depth), .retire_dropped(retire_dropped),
        .retire_front_kind(), .retire_front_mask(), .retire_front_pc(), .retire_front_below(),
        .exception_valid(exception_valid), .exception_warp(exception_warp), .exception_pc(exception_pc),
        .exception_cause(exception_cause),
        .status_busy(status_busy), .status_moving(), .status_dropped(), .status_recentered(),
        .spill_request_valid(request_valid), .spill_request_ready(request_ready), .spill_request_write(request_write),
        .spill_request_address(request_address), .spill_request_data(request_data), .spill_request_tag(request_tag),
        .spill_request_last(), .spill_response_valid(response_valid), .spill_response_ready(response_ready),
        .spill_response_write(response_write), .spill_response_tag(response_tag),
        .spill_response_data(response_data),
        .config_valid(1'b0), .config_ready(), .config_write(1'b0), .config_warp(2'd0), .config_register(4'd0),
        .config_data(32'd0), .config_done(), .config_result()
    );

    weft_control_rules #(.NW(4), .WI(2), .W(4), .TA(5)) rules (
        .clock(clock), .reset(reset),
        .cfg_yield_every(16'd1), .cfg_forced_yield(16'd64), .cfg_yield_random(1'b0), .cfg_yield_threshold(16'd0),
        .cfg_yield_seed(16'd0), .cfg_path(2'd0), .cfg_lanes(3'd2), .cfg_recenter(1'b0),
        .launch_valid(launch_valid), .launch_ready(launch_ready), .launch_warp(launch_warp), .launch_pc(22'd0),
        .launch_mask(4'b1111), .launch_base({20'd0, launch_warp, 10'd0}), .launch_size(10'd64),
        .issue_valid(issue_valid), .issue_ready(issue_ready), .issue_warp(issue_warp),
        .resolve_valid(resolve_valid), .resolve_ready(resolve_ready), .resolve_warp(resolve_warp),
        .resolve_op(resolve_op), .resolve_kind(resolve_kind), .resolve_mask(resolve_mask),
        .resolve_target(resolve_target),
        .status_busy(status_busy),
        .spill_request_valid(request_valid), .spill_request_ready(request_ready),
        .spill_response_valid(response_valid), .spill_response_ready(response_ready),
        .spill_response_tag(response_tag)
    );

    datapath datapath (
        .clock(clock), .reset(reset),
        .issue_valid(issue_valid), .issue_ready(issue_ready), .issue_warp(issue_warp), .issue_pc(issue_pc),
        .issue_mask(issue_mask),
        .resolve_valid(resolves), .resolve_ready(resolve_ready), .resolve_warp(resolve_warp),
        .resolve_op(resolve_op), .resolve_kind(resolve_kind), .resolve_mask(resolve_mask),
        .resolve_target(resolve_target)
    );

    token_memory token_memory (
        .clock(clock), .reset(reset),
        .request_valid(request_valid), .request_ready(request_ready), .request_write(request_write),
        .request_address(request_address), .request_data(request_data), .request_tag(request_tag),
        .response_valid(response_valid), .response_ready(response_ready), .response_write(response_write),
        .response_tag(response_tag), .response_data(response_data)
    );

    integer trace, cycle = 0, launched = 0, thread, expected, wrong = 0;

    // With +alone: one warp, as in the timing picture of the docs.
    reg alone;
    initial alone = $test$plusargs("alone") != 0;

    // With +vcd: what stands at the ports, for waves.
    initial if ($test$plusargs("vcd")) begin
        $dumpfile("ports.vcd");
        $dumpvars(2, bench);
    end

    initial begin
        trace = $fopen("trace.jsonl", "w");
        $fdisplay(trace, "{\"weft\":\"control\",\"levels\":{\"warps\":4,\"threads\":4,\"forced_yield\":64,\"lanes\":2}}");
    end

    // What stands at the ports just before the edge is what this cycle transfers. Within a cycle: what retires was
    // resolved before; an operation that is resolved was issued before or now.
    always @(posedge clock) begin
        cycle <= cycle + 1;
        if (!reset) begin
            if (retire_valid)
                $fdisplay(trace,
                    "{\"cycle\":%0d,\"retire\":{\"warp\":%0d,\"op\":%0d,\"pc\":%0d,\"next_pc\":%0d,\"next_mask\":%0d,\"done\":%0d,\"blocked\":%0d,\"depth\":%0d,\"dropped\":%0d}}",
                    cycle, retire_warp, retire_op, retire_pc, retire_next_pc, retire_next_mask, retire_done,
                    retire_blocked, retire_depth, retire_dropped);
            if (exception_valid)
                $fdisplay(trace, "{\"cycle\":%0d,\"exception\":{\"warp\":%0d,\"pc\":%0d,\"cause\":%0d}}", cycle,
                    exception_warp, exception_pc, exception_cause);
            if (launch_valid && launch_ready)
                $fdisplay(trace, "{\"cycle\":%0d,\"launch\":{\"warp\":%0d,\"pc\":0,\"mask\":15,\"size\":64}}", cycle,
                    launch_warp);
            if (issue_valid && issue_ready)
                $fdisplay(trace, "{\"cycle\":%0d,\"issue\":{\"warp\":%0d,\"pc\":%0d,\"mask\":%0d}}", cycle, issue_warp,
                    issue_pc, issue_mask);
            if (resolve_valid && resolve_ready)
                $fdisplay(trace,
                    "{\"cycle\":%0d,\"resolve\":{\"warp\":%0d,\"op\":%0d,\"kind\":%0d,\"mask\":%0d,\"target\":%0d}}",
                    cycle, resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target);
        end
    end

    always @(posedge clock) begin
        if (cycle == 10)
            reset <= 0;
        if (cycle == 12)
            launch_valid <= 1;
        if (launch_valid && launch_ready) begin
            launched <= launched + 1;
            launch_warp <= launch_warp + 1;
            if (launched == (alone ? 0 : 3))
                launch_valid <= 0;
        end
        if (launched == (alone ? 1 : 4) && status_busy == 0) begin
            for (thread = 0; thread < (alone ? 4 : 16); thread = thread + 1) begin
                expected = thread + 3;
                while (expected < 12)
                    expected = expected + 3;
                if (datapath.sum[thread] != expected + 100) begin
                    wrong = wrong + 1;
                    $display("thread %0d: %0d, should be %0d", thread, datapath.sum[thread], expected + 100);
                end
            end
            $fclose(trace);
            if (wrong != 0)
                $fatal(1, "%0d threads are wrong", wrong);
            $display("%0d threads are right after %0d cycles", alone ? 4 : 16, cycle);
            $finish;
        end
        if (cycle == 10000)
            $fatal(1, "the warps have not ended after 10,000 cycles");
    end
endmodule
