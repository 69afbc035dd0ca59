// The rules themselves, without hardware: docs/spec/convergence.md, CONV-010 to CONV-090 and CONV-110 to CONV-155, as
// `reference.sv` states them.
//
// Proved by induction (its start as one run, its step as one run for each operation, with STEP), for a warp of 4
// threads with an allocation of 5 to 8 tokens and any sequence of operations, after any launch:
//  - a push never finds the deque full, so depth <= N - 1 while a thread runs (CONV-090);
//  - unwinding never finds the deque empty while a thread waits (CONV-071): every waiting thread is named by a token of
//    the type it waits for;
//  - DIV, YIELD and SUBV tokens name disjoint sets of waiting threads; YIELD tokens stand together at the back;
//  - below bits 0 to 2 of every token say exactly which of SYNC, DIV and CALL lie below it (CONV-031);
//  - who has ended stays so (CONV-060); while the warp is not done, a thread is active, or all sleep, are masked or
//    have ended, some asleep (CONV-151), or
//    the warp runs on with masked ones (CONV-110, CONV-113).
// `deque.sv` shows that the hardware does what the same reference does.
`ifndef OPS
`define OPS 16'h4cff
`endif
module rules (
    input wire clock,
    input wire [3:0] op,
    input wire [3:0] kind,
    input wire [3:0] mask,
    input wire [7:0] target
);
    localparam D = 8;
    localparam [15:0] OPS = `OPS;
    localparam SYNC = 4'd0, CALL = 4'd3, DIV = 4'd13, YIELD = 4'd14, EXIT = 4'd15, BARRIER = 4'd11, SUBV = 4'd12, MASKED = 4'd10;
    (* anyconst *) wire [3:0] n;
    (* anyconst *) wire [1:0] path;
    (* anyconst *) wire [2:0] lanes;

    reg [7:0] pc;
    reg [3:0] active;
    reg [15:0] reasons;
    reg [21 * D - 1:0] tokens;
    reg [3:0] count;
    reg blocked, done = 0;
    wire [7:0] new_pc;
    wire [3:0] new_active;
    wire [15:0] new_reasons;
    wire [21 * D - 1:0] new_tokens;
    wire [3:0] new_count;
    wire new_blocked, new_done, new_dropped, overflow, lost;
    reference #(
        .D(D)
    ) step (.*);
    always @(posedge clock) begin
        if (!done) begin
            pc <= new_pc;
            active <= new_active;
            reasons <= new_reasons;
            tokens <= new_tokens;
            count <= new_count;
            blocked <= new_blocked;
            done <= new_done;
        end
    end

    // A launch (CONV-080).
    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) begin
        assume (n >= 5 && n <= D);
`ifndef STEP
        if (!begun) assume (active != 0 && reasons == 16'hffff && count == 0 && !blocked);
`endif
        assume (OPS[op]);
        if (op == 3 || op == 4 || op == 5) assume (kind <= 9);
        if (op == 11) assume (kind <= 3);
        if (op == 14) assume (kind <= 2);
`ifdef KIND
        assume (kind == `KIND);
`endif
        // A blocked warp executes nothing; its threads can only be woken.
        if (blocked) assume (op == 11 && kind == 3);
        // INDIRECT, CALL and LEAVE_INDIRECT name the leader's group.
        if (op == 2 || op == 5 || op == 10) assume (active == 0 || (mask & active) != 0);
    end

    function [3:0] below_bit(input [3:0] kind);
        below_bit = kind == SYNC ? 4'd1 : kind == DIV ? 4'd2 : kind == CALL ? 4'd4 : kind == YIELD ? 4'd8 : 4'd0;
    endfunction
    integer i, j;
    reg [3:0] named, named_by, lies, ended, asleep, masked, software;
    reg below_right, types_right, disjoint, waiting_named, at_back;
    reg [20:0] token;
    reg [3:0] kind_behind;
    always @(*) begin
        lies = 0;
        named = 0;
        named_by = 0;
        software = 0;
        ended = 0;
        below_right = 1;
        types_right = 1;
        disjoint = 1;
        at_back = 1;
        kind_behind = YIELD;
        token = 0;
        for (j = 0; j < 4; j = j + 1) asleep[j] = !active[j] && reasons[4 * j +: 4] == BARRIER;
        for (j = 0; j < 4; j = j + 1) ended[j] = !active[j] && reasons[4 * j +: 4] == EXIT;
        for (j = 0; j < 4; j = j + 1) masked[j] = !active[j] && reasons[4 * j +: 4] == MASKED;
        for (i = D - 1; i >= 0; i = i - 1) begin
            token = tokens[21 * i +: 21];
            if (i < count) begin
                if (token[19:17] != lies[2:0]) below_right = 0;
                lies = lies | below_bit(token[3:0]);
                if (token[3:0] > 9 && token[3:0] != DIV && token[3:0] != YIELD && token[3:0] != SUBV) types_right = 0;
                if (token[3:0] == YIELD && kind_behind != YIELD) at_back = 0;
                kind_behind = token[3:0];
                if (token[3:0] > 9) begin
                    if (token[7:4] == 0 || (token[7:4] & (named | active)) != 0) disjoint = 0;
                    for (j = 0; j < 4; j = j + 1) if (token[4 + j] && reasons[4 * j +: 4] != token[3:0]) disjoint = 0;
                    named = named | token[7:4];
                end else software = software + 1;
                for (j = 0; j < 4; j = j + 1) if (token[4 + j] && reasons[4 * j +: 4] == token[3:0]) named_by[j] = 1;
            end
        end
        waiting_named = (active | ended | asleep | masked | named_by) == 4'hf;
    end
    wire runs = blocked ? active == 0 && asleep != 0 && (asleep | masked | ended) == 4'hf : (active | masked) != 0;
    wire holds = runs && count < n && below_right && types_right && disjoint && at_back && waiting_named
        && {1'b0, software} + 5'd4 <= {1'b0, n};
    reg [3:0] new_ended;
    always @(*) begin
        for (j = 0; j < 4; j = j + 1) new_ended[j] = !new_active[j] && new_reasons[4 * j +: 4] == EXIT;
        if (!done) begin
`ifdef STEP
            // The step of the induction: one operation in any state in which all of this holds, wherever it comes from.
            if (!begun) assume (holds);
`endif
            assert (!overflow && !lost);
            assert (runs && count < n);
            assert (below_right);
            assert (types_right);
            assert (disjoint && at_back);
            assert (waiting_named);
            assert ({1'b0, software} + 5'd4 <= {1'b0, n});
            assert ((ended & ~new_ended) == 0);
        end
    end
    always @(posedge clock) begin
        if (begun && !done) begin
            cover (n == 5 && count == 4);
            cover (n == 8 && count == 7);
            cover (tokens[3:0] == YIELD && tokens[24:21] == YIELD && tokens[45:42] == YIELD && count == 3);
            cover (tokens[19:17] == 7);
            cover (active == 0 && asleep == 4'hf && count == 2);
            cover (active == 0 && !blocked && count == 3);
            cover (blocked && masked != 0);
            cover (tokens[3:0] == SUBV && active == 4'b0010 && tokens[7:4] == 4'b1100);
        end
    end
endmodule
