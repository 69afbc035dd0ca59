// Convergence unit: docs/spec/convergence.md (CONV-010 to CONV-090, CONV-110 to CONV-155) and docs/spec/spill.md
// (SPILL-010 to SPILL-034).
//
// Checked up to a depth, for 4 threads, K = 2, B = 1 and every allocation of 5 to 8 tokens: one warp is launched with
// any mask and carries out any operations that `OPS` allows (of BARRIER and MASK one kind, with `KIND`), its sleeping
// threads are woken at any time, while memory takes requests and answers when it likes, in any order.
// A reference, which holds the whole deque in one place and carries out each operation at once, follows along.
// At every retire:
//  - next pc, next mask, done, depth and dropped are those of the reference: no token is created or destroyed except by
//    the rules;
//  - the front token has type, mask, address and below bits of the reference's front token: tokens come back from
//    memory in their order, both ways;
//  - the below bits 0 to 2 of every token say which types lie below it (recomputed from the reference deque).
// At every moment:
//  - no resolve is taken while an operation is on its way, and no other threads run than the reference says when a WAKE
//    comes to a running warp;
//  - LOST_THREADS and every other exception never come; the deque never overflows (depth < N when a token is pushed);
//  - each request stands within the allocation, holds until taken, and never meets one to the same position that is not
//    yet answered;
//  - tokens are where head, depth, fore, stored and rear say: they add up, and positions stay within 0 ... N.
`ifndef OPS
`define OPS 16'h0cff
`endif
module deque (
    input wire clock,
    input wire launch_now,
    input wire resolve_now,
    input wire [3:0] any_op,
    input wire [3:0] any_kind,
    input wire [3:0] any_mask,
    input wire [3:0] any_target,
    input wire any_ready,
    input wire any_answer,
    input wire [1:0] any_place
);
    localparam SYNC = 4'd0, CALL = 4'd3, DIV = 4'd13, YIELD = 4'd14, EXIT = 4'd15, BARRIER = 4'd11, MASKED = 4'd10;
    localparam OP_INDIRECT = 4'd2, OP_PUSH = 4'd3, OP_LEAVE = 4'd4, OP_LEAVE_INDIRECT = 4'd5, OP_YIELD = 4'd6, OP_CALL = 4'd10, OP_BARRIER = 4'd11, OP_MASK = 4'd14, WAKE = 4'd3, SUBV_START = 4'd2, SUBV = 4'd12;
    localparam [31:0] BASE = 32'h40;
    (* anyconst *) wire [3:0] n;
    (* anyconst *) wire [3:0] launch_mask;
    (* anyconst *) wire [1:0] path;
`ifdef LANES
    wire [2:0] lanes = `LANES;
`else
    wire [2:0] lanes = 7;
`endif
    localparam [15:0] OPS = `OPS;

    // ---- The unit.
`ifdef QUIET
    wire reset = 0;
`else
    reg reset = 1;
    always @(posedge clock) reset <= 0;
`endif
    reg begun = 0;
    always @(posedge clock) begin
        begun <= 1;
        former_reset <= reset;
    end
    reg former_reset = 1;
    wire launch_ready, resolve_ready, retire_valid, retire_warp, retire_done, retire_blocked, retire_dropped, exception_valid, wake_valid, wake_warp;
    wire [3:0] retire_op, retire_next_mask, retire_front_kind, retire_front_mask, retire_front_below, exception_cause;
    wire [21:0] retire_pc, retire_next_pc, retire_front_pc;
    wire [9:0] retire_depth;
    wire [1:0] status_busy, status_moving;
    wire [31:0] status_recentered;
    wire request_valid, request_write, request_last, response_ready;
    wire [31:0] request_address;
    wire [63:0] request_data;
    wire [2:0] request_tag;
    wire request_ready, response_valid, response_write;
    wire [63:0] response_data;
    wire [2:0] response_tag;
    wire launch_valid, resolve_valid;
    wire [3:0] resolve_op, resolve_kind, resolve_mask;
    wire [21:0] resolve_target;
    weft_convergence dut (
        .clock(clock),
        .reset(reset),
        .cfg_yield_every(16'd1),
        .cfg_forced_yield(16'd0),
        .cfg_yield_random(1'b0),
        .cfg_yield_threshold(16'd0),
        .cfg_yield_seed(16'd0),
        .cfg_path(path),
        .cfg_lanes(lanes),
        .cfg_recenter(1'b0),
        .launch_valid(launch_valid),
        .launch_ready(launch_ready),
        .launch_warp(1'b0),
        .launch_pc(22'd0),
        .launch_mask(launch_mask),
        .launch_base(BASE),
        .launch_size({6'd0, n}),
        .resolve_valid(resolve_valid),
        .resolve_ready(resolve_ready),
        .resolve_warp(1'b0),
        .resolve_op(resolve_op),
        .resolve_kind(resolve_kind),
        .resolve_mask(resolve_mask),
        .resolve_target(resolve_target),
        .resolve_moved(1'b0),
        .resolve_pc(22'd0),
        .retire_valid(retire_valid),
        .retire_warp(retire_warp),
        .retire_op(retire_op),
        .retire_pc(retire_pc),
        .retire_next_pc(retire_next_pc),
        .retire_next_mask(retire_next_mask),
        .retire_done(retire_done),
        .retire_blocked(retire_blocked),
        .retire_depth(retire_depth),
        .retire_front_kind(retire_front_kind),
        .retire_front_mask(retire_front_mask),
        .retire_front_pc(retire_front_pc),
        .retire_front_below(retire_front_below),
        .retire_dropped(retire_dropped),
        .exception_valid(exception_valid),
        .exception_cause(exception_cause),
        .status_busy(status_busy),
        .status_moving(status_moving),
        .status_recentered(status_recentered),
        .spill_request_valid(request_valid),
        .spill_request_ready(request_ready),
        .spill_request_write(request_write),
        .spill_request_address(request_address),
        .spill_request_data(request_data),
        .spill_request_tag(request_tag),
        .spill_request_last(request_last),
        .spill_response_valid(response_valid),
        .spill_response_ready(response_ready),
        .spill_response_write(response_write),
        .spill_response_tag(response_tag),
        .spill_response_data(response_data),
        .config_valid(1'b0),
        .config_write(1'b0),
        .config_warp(1'b0),
        .config_register(4'd0),
        .config_data(32'd0),
        .wake_valid(wake_valid),
        .wake_warp(wake_warp)
    );

    // Inside: the state of warp 0; connected by the runner.
    wire [9:0] head, depth, stored, size;
    wire [1:0] fore, rear, solid, taken, rear_taken, ring, front_place, last_place, further_front, further_last;
    wire [1:0] last = ring + depth[1:0] - 2'd1;
    wire [31:0] base;
    wire [3:0] state_active, front_mask, reason0, reason1, reason2, reason3;
    wire [21:0] state_pc, front_pc;
    wire [7:0] front_tags;
    wire state_blocked;
    wire [2:0] dues;
    wire [7:0] tags0, tags1, tags2, mover_tags0, mover_tags1, mover_tags2;
    wire [3:0] mask0, mask1, mask2, mover_mask0, mover_mask1, mover_mask2;
    wire [21:0] pc0, pc1, pc2, mover_pc0, mover_pc1, mover_pc2;

    // ---- The datapath: one launch, then one operation each time the warp is ready, and a WAKE at any time.
`ifdef QUIET
    reg launched = 1, ready;
`else
    reg launched = 0, ready = 0;
`endif
    reg launching = 0;
    assign launch_valid = !reset && !launched && launch_now;
    wire resolved = resolve_valid & resolve_ready;
    wire wakes = any_op == OP_BARRIER && any_kind == WAKE;
    wire may_resolve = launched && (wakes ? !launching : ready);
`ifdef OPERATIONS
    reg [1:0] operations = 0;
    always @(posedge clock) if (resolved) operations <= operations + 1;
    assign resolve_valid = may_resolve && resolve_now && operations < `OPERATIONS;
`else
    assign resolve_valid = may_resolve && resolve_now;
`endif
    assign resolve_op = any_op;
    assign resolve_kind = any_kind;
    assign resolve_mask = any_mask;
    assign resolve_target = {18'd0, any_target};
    always @(posedge clock) begin
        launching <= launch_valid & !launch_ready;
        if (launch_valid && launch_ready) launched <= 1;
        if (resolved && !wakes) ready <= 0;
        if (wake_valid) ready <= 1;
    end
    reg held = 0;
    reg [15:0] offer;
    always @(posedge clock) begin
        held <= resolve_valid & !resolve_ready;
        offer <= {resolve_op, resolve_kind, resolve_mask, any_target};
    end

    // ---- The reference. Token i of the deque, the front one first: {below 4, pc 5, mask 4, type 4}.
    reg [7:0] pc;
    reg [3:0] active;
    reg [15:0] reasons;
    reg [20:0] token [0:7];
    reg [3:0] count;
    reg blocked = 0, done = 0, dropped = 0, expected = 0;

    // The launch is on its way through the unit.
    reg launches = 0;
    always @(posedge clock) begin
        if (launch_valid && launch_ready) launches <= 1;
        else if (wake_valid) launches <= 0;
    end
    // A WAKE of a warp that has ended is lost.
    wire takes = resolved & !done;

    reg [167:0] tokens;
    wire [7:0] new_pc;
    wire [3:0] new_active;
    wire [15:0] new_reasons;
    wire [167:0] new_tokens;
    wire [3:0] new_count;
    wire new_blocked, new_done, new_dropped, overflow, lost;
    integer i, j;
    always @(*) begin
        for (i = 0; i < 8; i = i + 1) tokens[21 * i +: 21] = token[i];
    end
    reference rules (
        .n(n),
        .path(path),
        .lanes(lanes),
        .blocked(blocked),
        .new_blocked(new_blocked),
        .op(resolve_op),
        .kind(resolve_kind),
        .mask(resolve_mask),
        .target({4'd0, any_target}),
        .pc(pc),
        .active(active),
        .reasons(reasons),
        .tokens(tokens),
        .count(count),
        .new_pc(new_pc),
        .new_active(new_active),
        .new_reasons(new_reasons),
        .new_tokens(new_tokens),
        .new_count(new_count),
        .new_done(new_done),
        .new_dropped(new_dropped),
        .overflow(overflow),
        .lost(lost)
    );

    always @(posedge clock) begin
        if (launch_valid && launch_ready) begin
            active <= launch_mask;
            pc <= 0;
            count <= 0;
            reasons <= 16'hffff;
        end
        if (takes) begin
            pc <= new_pc;
            active <= new_active;
            reasons <= new_reasons;
            for (i = 0; i < 8; i = i + 1) token[i] <= new_tokens[21 * i +: 21];
            count <= new_count;
            blocked <= new_blocked;
            done <= new_done;
            dropped <= new_dropped;
        end
        if (takes) expected <= 1;
        else if (retire_valid) expected <= 0;
    end
    // What lies below each token.
    reg [7:0] below_wrong;
    reg [3:0] lies;
    function [3:0] below_bit(input [3:0] kind);
        below_bit = kind == SYNC ? 4'd1 : kind == DIV ? 4'd2 : kind == CALL ? 4'd4 : kind == YIELD ? 4'd8 : 4'd0;
    endfunction
    always @(*) begin
        lies = 0;
        below_wrong = 0;
        for (i = 7; i >= 0; i = i - 1) begin
            if (i < count) begin
                below_wrong[i] = token[i][19:17] != lies[2:0];
                lies = lies | below_bit(token[i][3:0]);
            end
        end
    end

    // ---- Memory: the allocation, and what is under way, by place.
    reg [63:0] memory [0:7];
    reg [3:0] pending = 0, pending_write;
    reg [2:0] pending_at [0:3];
    wire [31:0] offset = request_address - BASE;
    wire requested = request_valid & request_ready;
    wire answered = response_valid & response_ready;
`ifdef FAST
    assign request_ready = 1;
    assign response_valid = pending != 0;
    wire [1:0] place = pending[0] ? 0 : pending[1] ? 1 : pending[2] ? 2 : 3;
`else
    assign request_ready = any_ready;
    assign response_valid = pending[any_place] && any_answer;
    wire [1:0] place = any_place;
`endif
    assign response_write = pending_write[place];
    assign response_tag = {1'b0, place};
    assign response_data = response_write ? 64'd0 : memory[pending_at[place]];
    reg [63:0] pending_data [0:3];
    always @(posedge clock) begin
        if (answered) begin
            pending[place] <= 0;
            if (response_write) memory[pending_at[place]] <= pending_data[place];
        end
        if (requested) begin
            pending[request_tag[1:0]] <= 1;
            pending_write[request_tag[1:0]] <= request_write;
            pending_at[request_tag[1:0]] <= offset[2:0];
            pending_data[request_tag[1:0]] <= request_data;
        end
    end
    reg clash;
    always @(*) begin
        clash = pending[request_tag[1:0]];
        for (i = 0; i < 4; i = i + 1) if (pending[i] && pending_at[i] == offset[2:0] && (pending_write[i] || request_write)) clash = 1;
    end

    // ---- Rules of use.
    always @(*) begin
        assume (n >= 5 && n <= 8);
        assume (launch_mask != 0);
        if (launching) assume (launch_valid);
`ifdef FAST
        assume (launch_now && resolve_now);
`endif
        if (held) assume (resolve_valid && offer == {resolve_op, resolve_kind, resolve_mask, any_target});
        if (resolve_valid) begin
            assume (OPS[resolve_op]);
            if (resolve_op == OP_BARRIER) assume (resolve_kind <= WAKE);
            if (resolve_op == OP_MASK) assume (resolve_kind <= SUBV_START);
`ifdef KIND
            assume (resolve_kind == `KIND);
`endif
            if (resolve_op == OP_PUSH || resolve_op == OP_LEAVE || resolve_op == OP_LEAVE_INDIRECT) assume (resolve_kind <= 9);
            if (resolve_op == OP_INDIRECT || resolve_op == OP_CALL || resolve_op == OP_LEAVE_INDIRECT) assume (active == 0 || (resolve_mask & active) != 0);
        end
    end

    // ---- What must hold.
    always @(posedge clock) begin
        if (!reset) begin
            assert (!exception_valid);
            if (takes) assert (!overflow && !lost && !expected && !launches);
            if (wake_valid) assert (!ready);
            if (retire_valid) begin
                assert (expected);
                assert (retire_next_mask == active && retire_done == done && retire_dropped == dropped);
                assert (retire_blocked == blocked);
                assert (retire_depth == count && count <= n);
                if (!blocked && !done) assert (retire_next_pc == pc);
                if (count != 0) begin
                    assert (retire_front_kind == token[0][3:0]);
                    assert (retire_front_mask == token[0][7:4]);
                    assert (retire_front_pc == token[0][16:8]);
                    assert (retire_front_below == token[0][20:17]);
                end
                assert (below_wrong == 0);
            end
            if (request_valid) begin
                assert (offset < n);
                assert (!request_tag[2]);
                assert (!clash);
                assert (request_data[63:62] == 0 && request_data[35:8] == 0);
            end
            if (begun && $past(!reset && request_valid && !request_ready)) begin
                assert (request_valid && request_write == $past(request_write) && request_address == $past(request_address)
                    && request_tag == $past(request_tag) && request_last == $past(request_last) && request_data == $past(request_data));
            end
        end
    end

    // ---- Quiet: no operation of the warp is on its way and none of its jobs is in flight.
    // Then the unit holds the reference deque, each token in its place, and:
    wire rests = launched && !launches && !expected && !done;
    wire quiet = rests && !status_moving[0];
    function [63:0] stored_form(input [20:0] token);
        stored_form = {2'd0, token[20:17], 13'd0, token[16:8], 28'd0, token[7:4], token[3:0]};
    endfunction
    function [33:0] ring_form(input [20:0] token);
        ring_form = {token[20:17], token[3:0], token[7:4], 13'd0, token[16:8]};
    endfunction
    reg [33:0] chip, mover_chip;
    reg [1:0] number, chip_place;
    reg [9:0] at;
    reg [3:0] asleep, masked, ended;
    reg placed, legal, counted, near;
    always @(*) begin
        // The counts add up and stay within bounds (SPILL-010, SPILL-030, SPILL-031).
        counted = depth == count && head <= n && head + depth <= n && stored <= depth && fore <= 2 && rear <= 1
            && (depth == 0 ? fore == 0 && stored == 0 && rear == 0 : {8'd0, fore} + stored + {8'd0, rear} + 10'd1 == depth)
            && size == n && base == BASE
            && (depth <= 1 || (fore == 0 && stored != 0) || front_place == (fore != 0 ? {1'b0, ~ring[0]} : 2'd2))
            && (depth <= 1 || (rear == 0 && stored != 0) || last_place == (rear != 0 ? 2'd2 : {1'b0, last[0]}))
            && further_front == front_place && further_last == last_place
            // A yield is always due, a forced one never: `cfg_yield_every` is 1, `cfg_forced_yield` 0.
            && dues == 3'b001;
        placed = state_active == active && state_blocked == blocked && (blocked || state_pc == pc) && ready == !blocked;
        for (i = 0; i < 4; i = i + 1) if ({reason3[i], reason2[i], reason1[i], reason0[i]} != ~(active[i] ? EXIT : reasons[4 * i +: 4])) placed = 0;
        if (count != 0 && {front_tags, front_mask, front_pc} != ring_form(token[0])) placed = 0;
        chip = 0;
        mover_chip = 0;
        chip_place = 0;
        number = 0;
        at = 0;
        for (i = 1; i < 8; i = i + 1) begin
            number = ring + i;
            at = head + i;
            chip_place = i <= fore ? {1'b0, number[0]} : 2'd2;
            chip = chip_place == 0 ? {tags0, mask0, pc0} : chip_place == 1 ? {tags1, mask1, pc1} : {tags2, mask2, pc2};
            mover_chip = chip_place == 0 ? {mover_tags0, mover_mask0, mover_pc0} : chip_place == 1 ? {mover_tags1, mover_mask1, mover_pc1}
                : {mover_tags2, mover_mask2, mover_pc2};
            if (i < count) begin
                if (i <= fore || i > fore + stored) begin
                    if (chip != ring_form(token[i]) || mover_chip != chip) placed = 0;
                end else if (memory[at[2:0]] != stored_form(token[i])) placed = 0;
            end
        end
        // What `rules.sv` proves of every state of the reference, as far as the unit relies on it.
        near = pc < 16;
        for (i = 0; i < 8; i = i + 1) if (token[i][16:12] != 0) near = 0;
        for (i = 0; i < 4; i = i + 1) asleep[i] = !active[i] && reasons[4 * i +: 4] == BARRIER;
        for (i = 0; i < 4; i = i + 1) ended[i] = !active[i] && reasons[4 * i +: 4] == EXIT;
        for (i = 0; i < 4; i = i + 1) masked[i] = !active[i] && reasons[4 * i +: 4] == MASKED;
        legal = (blocked ? active == 0 && asleep != 0 && (asleep | masked | ended) == 4'hf : (active | masked) != 0) && count < n && below_wrong == 0;
        for (i = 0; i < 8; i = i + 1) if (i < count && token[i][3:0] > 9 && token[i][3:0] != DIV && token[i][3:0] != YIELD && token[i][3:0] != SUBV) legal = 0;
    end
`ifdef QUIET
    always @(*) begin
        // Proved in `rules.sv` for every state that can be reached.
        if (takes) assume (!overflow && !lost && (new_done || new_count < n));
        if (!begun) begin
            assume (legal && counted && placed);
            assume (near);
`ifdef RING
            assume (ring == `RING);
`endif
`ifdef DEPTH
            assume (count == `DEPTH);
`endif
        end
    end
`endif
    always @(posedge clock) begin
        if (begun && quiet && status_busy[0]) begin
            assert (legal);
            assert (counted);
            assert (placed);
            assert (pending == 0);
        end
        if (begun && rests && status_moving[0]) begin
            assert (counted);
            assert (solid <= fore && fore <= taken && taken <= 2 && rear <= rear_taken && rear_taken <= 1);
        end
    end

    // ---- What must be reachable.
    reg read_back = 0;
    always @(posedge clock) begin
        if (answered && !response_write) read_back <= 1;
        if (!reset) begin
`ifdef COVERS
            // Tokens came back from memory to the last one; a deque of 5; a dropped push; tokens in memory were moved;
            // all four threads' tokens at once.
            cover (retire_valid && read_back && retire_depth == 0);
            cover (retire_valid && retire_depth == 5);
            cover (retire_valid && retire_dropped);
            cover (retire_valid && status_recentered != 0 && read_back);
            cover (retire_valid && retire_op == OP_YIELD && count == 4);
            // All sleep, with two tokens; threads are woken that another one runs beside, on to a token of their own.
            cover (retire_valid && !retire_done && active == 0 && count == 2);
            cover (retire_valid && retire_op == OP_BARRIER && ready && count == 4);
`endif
            cover (retire_valid && retire_done);
        end
    end
endmodule
