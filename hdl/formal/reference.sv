// What one operation does to a warp by the rules of docs/spec/convergence.md, at once and with the whole deque at hand.
// The harnesses share it; it knows nothing of the hardware. 4 threads, up to `D` tokens;
// a token is {below 4, address 9, mask 4, type 4}, the front one has number 0.
module reference #(
    parameter D = 8
) (
    input wire [3:0] n,
    input wire [1:0] path,
    // log2 L (CONV-121).
    input wire [2:0] lanes,
    input wire [3:0] op,
    input wire [3:0] kind,
    input wire [3:0] mask,
    input wire [7:0] target,
    // Before.
    input wire [7:0] pc,
    input wire [3:0] active,
    input wire [15:0] reasons,
    input wire [21 * D - 1:0] tokens,
    input wire [3:0] count,
    // Nobody runs (CONV-151); without it and with no active thread the warp runs on (CONV-110).
    input wire blocked,
    // After.
    output reg [7:0] new_pc,
    output reg [3:0] new_active,
    output reg [15:0] new_reasons,
    output reg [21 * D - 1:0] new_tokens,
    output reg [3:0] new_count,
    output reg new_blocked,
    output reg new_done,
    output reg new_dropped,
    // It pushed where there was no room; there was no token for a thread that waits.
    output reg overflow,
    output reg lost
);
    localparam SYNC = 4'd0, CALL = 4'd3, DIV = 4'd13, YIELD = 4'd14, EXIT = 4'd15, BARRIER = 4'd11, SUBV = 4'd12, MASKED = 4'd10;
    localparam OP_NEXT = 4'd0, OP_BRANCH = 4'd1, OP_INDIRECT = 4'd2, OP_PUSH = 4'd3, OP_LEAVE = 4'd4, OP_LEAVE_INDIRECT = 4'd5, OP_YIELD = 4'd6,
        OP_EXIT = 4'd7, OP_CALL = 4'd10, OP_BARRIER = 4'd11, OP_MASK = 4'd14;
    localparam SET = 4'd0, JUMP = 4'd1, SUBV_START = 4'd2;
    localparam SLEEP = 4'd0, RETRY = 4'd1, PART = 4'd2, WAKE = 4'd3;
    reg [20:0] t [0:D - 1];
    function [3:0] below_bit(input [3:0] kind);
        below_bit = kind == SYNC ? 4'd1 : kind == DIV ? 4'd2 : kind == CALL ? 4'd4 : kind == YIELD ? 4'd8 : 4'd0;
    endfunction
    function [2:0] ones(input [3:0] mask);
        ones = mask[0] + mask[1] + mask[2] + mask[3];
    endfunction

    // CONV-121: those of the lowest part that has any.
    function [3:0] lowest_part(input [3:0] threads);
        lowest_part = lanes == 0 ? threads & (~threads + 4'd1) : lanes == 1 && (threads & 4'd3) != 0 ? threads & 4'd3 : threads;
    endfunction

    integer i, j;
    reg [3:0] d, rest, caught, uncaught, later_group, waiting, asleep, masked, awake, part;
    reg [7:0] after, fall;
    reg search, unwinds, merged, redundant, first_is_d;
    reg [20:0] pushed;
    task push_front(input [3:0] kind, input [3:0] mask, input [7:0] address);
        begin
            overflow = overflow | new_count >= n;
            pushed = {new_count == 0 ? 4'd0 : t[0][20:17] | below_bit(t[0][3:0]), 1'b0, address, mask, kind};
            for (j = D - 1; j > 0; j = j - 1) t[j] = t[j - 1];
            t[0] = pushed;
            new_count = new_count + 1;
        end
    endtask
    // CONV-051: into the YIELD token from the back that has this address, or a new one.
    task push_yield(input [3:0] mask, input [7:0] address);
        begin
            search = 1;
            merged = 0;
            for (i = D - 1; i >= 0; i = i - 1) begin
                if (i < new_count && search) begin
                    if (t[i][3:0] != YIELD) search = 0;
                    else if (t[i][16:8] == {1'b0, address}) begin
                        t[i][7:4] = t[i][7:4] | mask;
                        merged = 1;
                        search = 0;
                    end
                end
            end
            if (!merged) begin
                overflow = overflow | new_count >= n;
                for (i = 0; i < D; i = i + 1) if (i == new_count) t[i] = {4'd0, 1'b0, address, mask, YIELD};
                new_count = new_count + 1;
            end
            turn_off(mask, YIELD);
        end
    endtask
    task turn_off(input [3:0] mask, input [3:0] reason);
        begin
            for (j = 0; j < 4; j = j + 1) if (mask[j]) new_reasons[4 * j +: 4] = reason;
        end
    endtask
    // CONV-010; `selected_first`: whatever the policy; `together`: target = fall keeps them together.
    task split(input [3:0] to, input [3:0] other, input selected_first, input together);
        begin
            if (to == 0) new_pc = fall;
            else if (other == 0 || (together && target == fall)) begin
                new_pc = target;
                new_active = to | other;
            end else begin
                first_is_d = selected_first || path == 1 || (path != 2 && ones(to) <= ones(other));
                new_active = first_is_d ? to : other;
                later_group = first_is_d ? other : to;
                new_pc = first_is_d ? target : fall;
                push_front(DIV, later_group, first_is_d ? fall : target);
                turn_off(later_group, DIV);
            end
        end
    endtask

    always @(*) begin
        new_pc = pc;
        new_active = active;
        new_reasons = reasons;
        for (i = 0; i < D; i = i + 1) t[i] = tokens[21 * i +: 21];
        new_count = count;
        new_blocked = blocked;
        new_done = 0;
        new_dropped = 0;
        overflow = 0;
        lost = 0;
        after = pc + 1;
        fall = after;
        d = mask & active;
        rest = active & ~d;
        caught = 0;
        uncaught = 0;
        unwinds = 0;
        merged = 0;
        redundant = 0;
        search = 0;
        later_group = 0;
        first_is_d = 0;
        pushed = 0;
        j = 0;
        waiting = 0;
        asleep = 0;
        awake = 0;
        masked = 0;
        part = 0;
        // CONV-110.
        if (active == 0 && !blocked && op != OP_MASK && (op != OP_BARRIER || kind != WAKE)) new_pc = after;
        else case (op)
            OP_NEXT: new_pc = after;
            OP_BRANCH: split(d, rest, 0, 1);
            OP_INDIRECT: begin
                fall = pc;
                split(d, rest, 0, 0);
            end
            OP_PUSH, OP_CALL: begin
                redundant = new_count != 0 && t[0][3:0] == (op == OP_PUSH ? kind : CALL)
                    && t[0][16:8] == {1'b0, op == OP_PUSH ? target : after} && (active & ~t[0][7:4]) == 0;
                // Fewer than 4 entries would be free after it.
                new_dropped = !redundant && new_count + 1 + 4 > n;
                if (!redundant && !new_dropped) push_front(op == OP_PUSH ? kind : CALL, active, op == OP_PUSH ? target : after);
                new_pc = after;
                if (op == OP_CALL) begin
                    fall = pc;
                    split(d, rest, 1, 0);
                end
            end
            OP_LEAVE, OP_LEAVE_INDIRECT: begin
                if (op == OP_LEAVE_INDIRECT) fall = pc;
                if (d == 0) new_pc = fall;
                else begin
                    search = 1;
                    for (i = 0; i < D; i = i + 1) begin
                        if (search && i < new_count) begin
                            if (t[i][3:0] == YIELD) search = 0;
                            else if (t[i][3:0] == kind) begin
                                if (t[i][16:8] != {1'b0, target}) t[i][7:4] = t[i][7:4] & ~d;
                                else if ((t[i][7:4] & d) != 0) begin
                                    caught = t[i][7:4] & d;
                                    search = 0;
                                end
                            end
                        end
                    end
                    turn_off(caught, kind);
                    uncaught = d & ~caught;
                    if ((uncaught | rest) == 0) begin
                        new_active = 0;
                        unwinds = 1;
                    end else begin
                        new_active = uncaught | rest;
                        split(uncaught, rest, 0, op == OP_LEAVE);
                    end
                end
            end
            OP_YIELD: begin
                new_pc = after;
                if (new_count != 0) begin
                    push_yield(active, after);
                    new_active = 0;
                    unwinds = 1;
                end
            end
            OP_EXIT: begin
                turn_off(d, EXIT);
                new_active = rest;
                if (rest == 0) unwinds = 1;
                else new_pc = after;
            end
            OP_BARRIER: case (kind)
                SLEEP: begin
                    turn_off(d, BARRIER);
                    new_active = rest;
                    if (rest == 0) unwinds = 1;
                    else new_pc = after;
                end
                RETRY, PART: if (d != active || new_count != 0) begin
                    if (d != 0) push_yield(d, pc);
                    new_active = rest;
                    if (rest == 0) unwinds = 1;
                    else if (kind == RETRY) new_pc = after;
                end
                WAKE: begin
                    for (j = 0; j < 4; j = j + 1) awake[j] = mask[j] && !active[j] && reasons[4 * j +: 4] == BARRIER;
                    if (awake != 0 && blocked) begin
                        new_active = awake;
                        new_blocked = 0;
                        new_pc = target;
                    end else if (awake != 0) push_yield(awake, target);
                end
                default: ;
            endcase
            OP_MASK: case (kind)
                SET: begin
                    for (j = 0; j < 4; j = j + 1) masked[j] = active[j] || reasons[4 * j +: 4] == MASKED;
                    new_active = mask & masked;
                    turn_off(masked & ~mask, MASKED);
                    new_pc = after;
                end
                JUMP: new_pc = target;
                SUBV_START: begin
                    new_pc = after;
                    if (active != 0) begin
                        redundant = new_count != 0 && t[0][3:0] == SYNC && t[0][16:8] == {1'b0, target} && (active & ~t[0][7:4]) == 0;
                        new_dropped = !redundant && new_count + 1 + 4 > n;
                        if (!redundant && !new_dropped) push_front(SYNC, active, target);
                        part = lowest_part(active);
                        if (part != active) begin
                            push_front(SUBV, active & ~part, after);
                            turn_off(active & ~part, SUBV);
                            new_active = part;
                        end
                    end
                end
                default: ;
            endcase
            default: ;
        endcase
        if (unwinds) begin
            for (j = 0; j < 4; j = j + 1) asleep[j] = new_reasons[4 * j +: 4] == BARRIER;
            for (j = 0; j < 4; j = j + 1) masked[j] = new_reasons[4 * j +: 4] == MASKED;
            for (j = 0; j < 4; j = j + 1) waiting[j] = new_reasons[4 * j +: 4] != EXIT && !asleep[j] && !masked[j];
            if (waiting == 0 && asleep == 0 && masked == 0) begin
                new_done = 1;
                new_count = 0;
            end else if (waiting == 0 && asleep != 0) new_blocked = 1;
            // CONV-113.
            else if (waiting == 0) new_pc = after;
            else begin
                // The first token with a thread that waits for it; those in front of it go.
                for (i = 0; i < D; i = i + 1) begin
                    if (new_active == 0 && new_count != 0) begin
                        for (j = 0; j < 4; j = j + 1) awake[j] = t[0][4 + j] && new_reasons[4 * j +: 4] == t[0][3:0];
                        part = t[0][3:0] == SUBV ? lowest_part(awake) : awake;
                        if (awake != 0) begin
                            new_active = part;
                            new_pc = t[0][15:8];
                        end
                        // CONV-122.
                        if (part != awake) t[0][7:4] = awake & ~part;
                        else begin
                            for (j = 0; j < D - 1; j = j + 1) t[j] = t[j + 1];
                            new_count = new_count - 1;
                        end
                    end
                end
                lost = new_active == 0;
            end
        end
        for (i = 0; i < D; i = i + 1) new_tokens[21 * i +: 21] = t[i];
    end
endmodule
