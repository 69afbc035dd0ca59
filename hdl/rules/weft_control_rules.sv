// Rules for whoever drives weft_control (docs/spec/control.md, spill.md). A rule that is broken stops the simulation
// with one line: which rule, and which warp.
//
// Bind it to the core, or instantiate it beside it:
//
//     bind weft_control weft_control_rules #(.NW(4), .WI(2), .W(4), .TA(5)) rules (.*);
//
// It reads ports only, and holds in simulation what synthesis leaves out.
// verilator lint_off PROCASSINIT
module weft_control_rules #(
    parameter NW = 16,  // warps
    parameter WI = 4,   // log2 NW
    parameter W = 32,   // threads per warp
    parameter TA = 8    // bits of spill_request_tag
) (
    input wire          clock,
    input wire          reset,
    input wire [15:0]   cfg_yield_every,
    input wire [15:0]   cfg_forced_yield,
    input wire          cfg_yield_random,
    input wire [15:0]   cfg_yield_threshold,
    input wire [15:0]   cfg_yield_seed,
    input wire [1:0]    cfg_path,
    input wire [2:0]    cfg_lanes,
    input wire          cfg_recenter,
    input wire          launch_valid,
    input wire          launch_ready,
    input wire [WI-1:0] launch_warp,
    input wire [21:0]   launch_pc,
    input wire [W-1:0]  launch_mask,
    input wire [31:0]   launch_base,
    input wire [9:0]    launch_size,
    input wire          issue_valid,
    input wire          issue_ready,
    input wire [WI-1:0] issue_warp,
    input wire          resolve_valid,
    input wire          resolve_ready,
    input wire [WI-1:0] resolve_warp,
    input wire [3:0]    resolve_op,
    input wire [3:0]    resolve_kind,
    input wire [W-1:0]  resolve_mask,
    input wire [21:0]   resolve_target,
    input wire [NW-1:0] status_busy,
    input wire          spill_request_valid,
    input wire          spill_request_ready,
    input wire          spill_response_valid,
    input wire          spill_response_ready,
    input wire [TA-1:0] spill_response_tag
);
    // What the rules remember.
    reg [NW-1:0] issued = 0;    // an instruction was issued and is not resolved
    reg          settled = 0;   // there was a reset
    integer      outstanding = 0;

    // The cycle before.
    reg                          launch_waits = 0, resolve_waits = 0, response_waits = 0, was_busy = 0;
    reg [WI+22+W+32+10-1:0]      launch_was = 0;
    reg [WI+4+4+W+22-1:0]        resolve_was = 0;
    reg [TA-1:0]                 response_was = 0;
    reg [4*16+1+2+3+1-1:0] levels_was = 0;

    wire [WI+22+W+32+10-1:0] launch_is = {launch_warp, launch_pc, launch_mask, launch_base, launch_size};
    wire [WI+4+4+W+22-1:0]   resolve_is = {resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target};
    wire [4*16+1+2+3+1-1:0] levels_is = {
        cfg_yield_every, cfg_forced_yield, cfg_yield_threshold, cfg_yield_seed, cfg_yield_random, cfg_path,
        cfg_lanes, cfg_recenter
    };
    wire is_wake = resolve_op == 4'd11 && resolve_kind == 4'd3;
    wire issues = issue_valid && issue_ready;
    wire resolves = resolve_valid && resolve_ready;

    always @(posedge clock) begin
        settled <= settled || reset;
        launch_waits <= launch_valid && !launch_ready && !reset;
        resolve_waits <= resolve_valid && !resolve_ready && !reset;
        response_waits <= spill_response_valid && !spill_response_ready && !reset;
        launch_was <= launch_is;
        resolve_was <= resolve_is;
        response_was <= spill_response_tag;
        was_busy <= |status_busy && !reset;
        levels_was <= levels_is;
        if (reset) begin
            issued <= 0;
            outstanding <= 0;
        end else begin
            if (resolves && !is_wake)
                issued[resolve_warp] <= 0;
            if (issues)
                issued[issue_warp] <= 1;
            outstanding <= outstanding + (spill_request_valid && spill_request_ready ? 1 : 0)
                - (spill_response_valid && spill_response_ready ? 1 : 0);

            if (!settled && (launch_valid || resolve_valid))
                $fatal(1, "RESET: a transfer is offered before the first reset");
            if (launch_waits && !(launch_valid && launch_is == launch_was))
                $fatal(1, "LAUNCH_HOLDS: launch_* changed before its transfer, warp %0d", launch_warp);
            if (launch_valid && launch_mask == 0)
                $fatal(1, "LAUNCH_MASK: warp %0d is launched without threads", launch_warp);
            if (launch_valid && {22'd0, launch_size} <= W)
                $fatal(1, "LAUNCH_SIZE: warp %0d has room for %0d tokens; more than %0d are needed (SPILL-024)",
                    launch_warp, launch_size, W);
            if (resolve_waits && !(resolve_valid && resolve_is == resolve_was))
                $fatal(1, "RESOLVE_HOLDS: resolve_* changed before its transfer, warp %0d", resolve_warp);
            // An instruction may be resolved in the cycle in which it is issued.
            if (resolves && !is_wake && !issued[resolve_warp] && !(issues && issue_warp == resolve_warp))
                $fatal(1, "RESOLVE_ONCE: warp %0d is resolved, but no instruction of it waits for that", resolve_warp);
            if (resolve_valid && (resolve_op == 4'd9 || resolve_op == 4'd12
                || resolve_op == 4'd13 || resolve_op == 4'd15))
                $fatal(1, "RESOLVE_OP: warp %0d is resolved as %0d, which is no operation", resolve_warp, resolve_op);
            if (was_busy && |status_busy && levels_is != levels_was)
                $fatal(1, "LEVELS: cfg_* changed while a warp is busy");
            if (response_waits && !(spill_response_valid && spill_response_tag == response_was))
                $fatal(1, "RESPONSE_HOLDS: spill_response_* changed before its transfer");
            if (spill_response_valid && outstanding == 0)
                $fatal(1, "RESPONSE_ONCE: a response without a request");
        end
    end
endmodule
// verilator lint_on PROCASSINIT
