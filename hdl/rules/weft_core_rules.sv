// Rules for whoever drives weft_core (docs/spec/core.md, cta.md, scheduler.md, supply.md, control.md, spill.md). A rule
// that is broken stops the simulation with one line: which rule, and which warp.
//
// Bind it to the core, or instantiate it beside it:
//
//     bind weft_core weft_core_rules #(.NW(4), .WI(2), .W(4), .TA(5), .LB(4)) rules (.*);
//
// It reads ports only, and holds in simulation what synthesis leaves out.
// verilator lint_off BLKSEQ
// verilator lint_off PROCASSINIT
// verilator lint_off UNUSEDSIGNAL
module weft_core_rules #(
    parameter NW = 16,  // warps
    parameter WI = 4,   // log2 NW
    parameter W = 32,   // threads per warp
    parameter TA = 8,   // bits of spill_request_tag
    parameter LB = 4    // bits of a level
) (
    input wire          clock,
    input wire          reset,
    input wire [9:0]    cfg_token_size,
    input wire [NW-1:0] cfg_slots,
    input wire [19:0]   cfg_interval,
    input wire [4:0]    unit_ready,
    input wire [15:0]   cfg_yield_every,
    input wire [15:0]   cfg_forced_yield,
    input wire          cfg_yield_random,
    input wire [15:0]   cfg_yield_threshold,
    input wire [15:0]   cfg_yield_seed,
    input wire [1:0]    cfg_path,
    input wire [2:0]    cfg_lanes,
    input wire          cfg_recenter,
    input wire          cta_valid,
    input wire          cta_ready,
    input wire [21:0]   cta_pc,
    input wire [11:0]   cta_threads,
    input wire [LB-1:0] cta_level,
    input wire [15:0]   cta_id,
    input wire          flush,
    input wire          fetch_valid,
    input wire          fetch_ready,
    input wire [WI-1:0] fetch_warp,
    input wire [17:0]   fetch_line,
    input wire          line_valid,
    input wire [WI-1:0] line_warp,
    input wire          line_slot,
    input wire          issue_valid,
    input wire [WI-1:0] issue_warp,
    input wire [21:0]   issue_pc,
    input wire [W-1:0]  issue_mask,
    input wire [22:0]   issue_decoded,
    input wire          second_valid,
    input wire [22:0]   second_decoded,
    input wire          done0_valid,
    input wire [WI-1:0] done0_warp,
    input wire [5:0]    done0_rd,
    input wire          done1_valid,
    input wire [WI-1:0] done1_warp,
    input wire [5:0]    done1_rd,
    input wire          resolve_valid,
    input wire          resolve_ready,
    input wire [WI-1:0] resolve_warp,
    input wire [3:0]    resolve_op,
    input wire [3:0]    resolve_kind,
    input wire [W-1:0]  resolve_mask,
    input wire [21:0]   resolve_target,
    input wire [21:0]   resolve_pc,
    input wire [W-1:0]  resolve_active,
    input wire          exception_valid,
    input wire [WI-1:0] exception_warp,
    input wire [3:0]    exception_cause,
    input wire [NW-1:0] status_running,
    input wire [NW-1:0] status_busy,
    input wire          spill_request_valid,
    input wire          spill_request_ready,
    input wire          spill_response_valid,
    input wire          spill_response_ready,
    input wire [TA-1:0] spill_response_tag,
    input wire          config_valid,
    input wire          config_ready,
    input wire          config_write,
    input wire [WI-1:0] config_warp,
    input wire [3:0]    config_register,
    input wire [31:0]   config_data
);
    // What the rules remember of each warp.
    reg [31:0]     pending [0:NW-1];     // registers of instructions that are issued and not done
    integer        others [0:NW-1];      // such instructions that write none
    reg [NW-1:0]   waits = 0;            // a control instruction was issued and is not resolved
    reg [21:0]     waits_pc [0:NW-1];
    reg [W-1:0]    waits_mask [0:NW-1];
    reg [2*NW-1:0] awaited = 0;          // instruction lines: {warp, slot}
    reg            settled = 0;          // there was a reset
    integer        reset_cycles = 0, quiet = 0, outstanding = 0, refused = 0, i;
    initial
        for (i = 0; i < NW; i = i + 1) begin
            pending[i] = 0;
            others[i] = 0;
        end

    // The cycle before.
    reg                        cta_waits = 0, resolve_waits = 0, response_waits = 0, config_waits = 0, was_busy = 0;
    reg [22+12+LB+16-1:0]      cta_was = 0;
    reg [WI+4+4+W+22+22+W-1:0] resolve_was = 0;
    reg [TA-1:0]               response_was = 0;
    reg [1+WI+4+32-1:0]        config_was = 0;
    reg [4*16+1+2+3+1-1:0]     levels_was = 0;
    reg [19:0]                 interval_was = 0;

    wire [22+12+LB+16-1:0]      cta_is = {cta_pc, cta_threads, cta_level, cta_id};
    wire [WI+4+4+W+22+22+W-1:0] resolve_is = {
        resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target, resolve_pc, resolve_active
    };
    wire [1+WI+4+32-1:0]        config_is = {config_write, config_warp, config_register, config_data};
    wire [4*16+1+2+3+1-1:0]     levels_is = {
        cfg_yield_every, cfg_forced_yield, cfg_yield_threshold, cfg_yield_seed, cfg_yield_random, cfg_path, cfg_lanes,
        cfg_recenter
    };
    wire resolves = resolve_valid && resolve_ready;

    task issued(input [22:0] decoded, input [21:0] pc);
        begin
            if (^decoded === 1'bx || decoded[2:0] > 3'd4)
                $fatal(1, "DECODED: warp %0d, pc %0d: %b is no decoded form (scheduler.md)", issue_warp, pc, decoded);
            if (decoded[10])
                pending[issue_warp][decoded[9:5]] = 1;
            else
                others[issue_warp] = others[issue_warp] + 1;
            if (decoded[3]) begin
                waits[issue_warp] = 1;
                waits_pc[issue_warp] = pc;
                waits_mask[issue_warp] = issue_mask;
            end
        end
    endtask

    task done(input [WI-1:0] warp, input [5:0] rd);
        begin
            if (rd[5] ? !pending[warp][rd[4:0]] : others[warp] == 0)
                $fatal(1,
                    "DONE_ONCE: warp %0d: done with rd %b, but no such instruction of it is in flight (SCHED-023)",
                    warp, rd);
            if (rd[5])
                pending[warp][rd[4:0]] = 0;
            else
                others[warp] = others[warp] - 1;
        end
    endtask

    task resolved;
        begin
            // A FAULT may answer any instruction (CORE-012).
            if (resolve_op != 4'd8) begin
                if (!waits[resolve_warp])
                    $fatal(1,
                        "RESOLVE_ONCE: warp %0d is resolved, but no control instruction of it waits for that (CORE-010)",
                        resolve_warp);
                if (resolve_pc != waits_pc[resolve_warp])
                    $fatal(1, "RESOLVE_PC: warp %0d is resolved at %0d, its control instruction is at %0d (CORE-010)",
                        resolve_warp, resolve_pc, waits_pc[resolve_warp]);
                if ((resolve_op == 4'd7 || resolve_op == 4'd11) && resolve_active != waits_mask[resolve_warp])
                    $fatal(1,
                        "RESOLVE_ACTIVE: warp %0d: resolve_active is %b, issue_mask was %b (core.md)", resolve_warp,
                        resolve_active, waits_mask[resolve_warp]);
                if (waits_mask[resolve_warp] == 0 && resolve_op != 4'd0 && resolve_op != 4'd14)
                    $fatal(1,
                        "RESOLVE_EMPTY: warp %0d: without threads only MASK, FAULT or NEXT (CORE-018)", resolve_warp);
            end
            waits[resolve_warp] = 0;
        end
    endtask

    always @(posedge clock) begin
        settled <= settled || reset;
        reset_cycles <= reset ? reset_cycles + 1 : 0;
        cta_waits <= cta_valid && !cta_ready && !reset;
        resolve_waits <= resolve_valid && !resolve_ready && !reset;
        response_waits <= spill_response_valid && !spill_response_ready && !reset;
        config_waits <= config_valid && !config_ready && !reset;
        cta_was <= cta_is;
        resolve_was <= resolve_is;
        response_was <= spill_response_tag;
        config_was <= config_is;
        was_busy <= |status_busy && !reset;
        levels_was <= levels_is;
        interval_was <= cfg_interval;
        if (reset) begin
            for (i = 0; i < NW; i = i + 1) begin
                pending[i] = 0;
                others[i] = 0;
            end
            waits = 0;
            awaited = 0;
            outstanding <= 0;
            quiet <= 16;
        end else begin
            // What depends on the order within a cycle: an instruction may be done and resolved in the cycle of its
            // issue, a line comes in a later cycle than its request.
            if (line_valid) begin
                if (!awaited[{line_warp, line_slot}])
                    $fatal(1, "LINE_ASKED: warp %0d gets a line in slot %0d that it has not asked for (supply.md)",
                        line_warp, line_slot);
                awaited[{line_warp, line_slot}] = 0;
            end
            if (flush && (|status_running || |awaited))
                $fatal(1, "FLUSH: while a warp runs, or a line is awaited (scheduler.md)");
            if (fetch_valid && fetch_ready)
                awaited[{fetch_warp, fetch_line[0]}] = 1;
            if (issue_valid)
                issued(issue_decoded, issue_pc);
            if (issue_valid && second_valid)
                issued(second_decoded, issue_pc + 22'd1);
            if (done0_valid && done0_warp[0] || done1_valid && !done1_warp[0])
                $fatal(1, "DONE_SIDE: done0 is for even warps, done1 for odd ones (scheduler.md)");
            if (done0_valid)
                done(done0_warp, done0_rd);
            if (done1_valid)
                done(done1_warp, done1_rd);
            if (resolves)
                resolved;
            // The warp is stopped: what it has issued is not resolved.
            if (exception_valid && exception_cause != 4'd14)
                waits[exception_warp] = 0;
            outstanding <= outstanding + (spill_request_valid && spill_request_ready ? 1 : 0)
                - (spill_response_valid && spill_response_ready ? 1 : 0);
            quiet <= issue_valid ? 0 : quiet + 1;
            refused <= unit_ready == 0 && |status_running ? refused + 1 : 0;

            if (!settled && (cta_valid || resolve_valid || line_valid || done0_valid || done1_valid))
                $fatal(1, "RESET: something is offered before the first reset");
            if (reset_cycles != 0 && reset_cycles < NW / 2)
                $fatal(1, "RESET_LENGTH: reset for %0d cycles; %0d are needed (scheduler.md)", reset_cycles, NW / 2);
            if (cta_waits && !(cta_valid && cta_is == cta_was))
                $fatal(1, "CTA_HOLDS: cta_* changed before its transfer, CTA %0d", cta_id);
            if (cta_valid && {22'd0, cfg_token_size} <= W)
                $fatal(1,
                    "TOKENS: room for %0d tokens per warp; more than %0d are needed (SPILL-024)", cfg_token_size, W);
            if (cta_valid && {20'd0, cta_threads} > $countones(cfg_slots) * W && {20'd0, cta_threads} <= NW * W)
                $fatal(1, "SLOTS: a CTA of %0d threads, and %0d warp slots that it may have (SUBV-054)", cta_threads,
                    $countones(cfg_slots));
            if (resolve_waits && !(resolve_valid && resolve_is == resolve_was))
                $fatal(1, "RESOLVE_HOLDS: resolve_* changed before its transfer, warp %0d", resolve_warp);
            if (resolve_valid && (resolve_op == 4'd9 || resolve_op == 4'd12
                || resolve_op == 4'd13 || resolve_op == 4'd15))
                $fatal(1, "RESOLVE_OP: warp %0d is resolved as %0d, which is no operation", resolve_warp, resolve_op);
            if (was_busy && |status_busy && levels_is != levels_was)
                $fatal(1, "LEVELS: cfg_* changed while a warp is busy");
            if (quiet < 13 && cfg_interval != interval_was)
                $fatal(1, "INTERVAL: cfg_interval changed within 16 cycles of a grant (scheduler.md)");
            if (^unit_ready === 1'bx)
                $fatal(1, "UNITS: unit_ready is %b; 11111 where all units are always ready (core.md)", unit_ready);
            if (refused == 4096)
                $fatal(1, "UNITS: unit_ready is 0 for 4,096 cycles while warps run: nothing can be issued (core.md)");
            if (response_waits && !(spill_response_valid && spill_response_tag == response_was))
                $fatal(1, "RESPONSE_HOLDS: spill_response_* changed before its transfer");
            if (spill_response_valid && outstanding == 0)
                $fatal(1, "RESPONSE_ONCE: a response without a request");
            if (config_waits && !(config_valid && config_is == config_was))
                $fatal(1, "CONFIG_HOLDS: config_* changed before its transfer");
        end
    end
endmodule
// verilator lint_on BLKSEQ
// verilator lint_on PROCASSINIT
// verilator lint_on UNUSEDSIGNAL
