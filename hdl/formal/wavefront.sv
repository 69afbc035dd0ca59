// Wavefront unit: docs/spec/subvector.md, SUBV-011 to 013, 021, 023, 040 to 046.
// MODES leaves the rows out, ROWS the modes.
//
// Proved for 4 warps of 4 threads, by induction, for any accesses, questions, registers and parts in any cycle, any
// threshold and force bits that may change in any cycle, any L and F that stay, and any base with room for the warp's
// rows:
//  - every 256 accesses in regular mode make one decision, by their misses and the threshold of that cycle;
//    others change nothing;
//  - sub-vector mode is never selected under force 1, always under force 2, else never before the first decision for
//    it, and after one exactly
//    until it has been for as many questions as it holds: 64, twice as many after each further one, 4096 at most, 64
//    again after one for regular mode;
//  - two operands have the same row if and only if they are the same register, of the same part or shared: so in
//    regular mode, where what is
//    shared is reported, rows are injective over register and part; and it is reported then only;
//  - no row lies outside the rows of its warp, whatever the part.
module wavefront (
    input wire clock,
    input wire reset,
    input wire [8:0] threshold,
    input wire [1:0] force_bits,
    input wire access_valid,
    input wire access_miss,
    input wire access_regular,
    input wire ask,
    input wire map_valid,
    input wire [2:0] map_uses,
    input wire map_subvector,
    input wire [1:0] map_part,
    input wire [4:0] map_rs1,
    input wire [4:0] map_rs2,
    input wire [4:0] map_rd
);
    (* anyconst *) wire [2:0] lanes;
    (* anyconst *) wire [5:0] shared_from;
    (* anyconst *) wire [8:0] base;
    wire answer_valid, answer_subvector, decision_valid, decision_subvector, row_valid;
    wire [2:0] row_misuse;
    wire [8:0] row_rs1, row_rs2, row_rd, warp_rows;
    weft_wavefront dut (
        .clock(clock),
        .reset(reset),
        .cfg_threshold(threshold),
        .cfg_force(force_bits),
        .cfg_lanes(lanes),
        .cfg_shared_from(shared_from),
        .access_valid(access_valid),
        .access_miss(access_miss),
        .access_regular(access_regular),
        .ask_valid(ask),
        .answer_valid(answer_valid),
        .answer_subvector(answer_subvector),
        .decision_valid(decision_valid),
        .decision_subvector(decision_subvector),
        .map_valid(map_valid),
        .map_uses(map_uses),
        .map_subvector(map_subvector),
        .map_part(map_part),
        .map_base(base),
        .map_rs1(map_rs1),
        .map_rs2(map_rs2),
        .map_rd(map_rd),
        .row_valid(row_valid),
        .row_misuse(row_misuse),
        .row_rs1(row_rs1),
        .row_rs2(row_rs2),
        .row_rd(row_rd),
        .warp_rows(warp_rows)
    );

    // Inside; connected by the runner.
    (* keep *) wire [7:0] accesses;
    (* keep *) wire [8:0] misses;
    (* keep *) wire [12:0] left;
    (* keep *) wire [6:0] hold;
    (* keep *) wire [5:0] first_shared;
    (* keep *) wire [2:0] shift;
    (* keep *) wire [1:0] part_bits;
    (* keep *) wire [8:0] shared_base;

    reg started = 0;
    reg [2:0] age = 0;
    always @(posedge clock) begin
        started <= 1;
        if (age != 7) age <= age + 1;
    end
    wire settled = age >= 3;

    // ---- The window, and what was decided. `streak`: decisions for sub-vector mode in a row, at most 6.
    // `holding`: questions for which the latest decision holds; `given`: questions that it has answered.
    reg [8:0] hits = 0, missed = 0;
    reg [2:0] streak = 0;
    reg [12:0] holding = 0, given = 0;
    wire counted = access_valid & access_regular;
    wire [8:0] all_missed = missed + access_miss;
    wire complete = counted & hits + missed == 255;
    wire pays = all_missed >= threshold;
    wire forced = force_bits == 1 || force_bits == 2;
    wire answers = ask & !forced & given != holding;
    reg was_ask = 0, was_complete = 0, was_pays = 0, was_due = 0;
    reg [1:0] was_force = 0;
    always @(posedge clock) begin
        was_ask <= ask & !reset;
        was_due <= given != holding;
        was_force <= force_bits;
        was_complete <= complete & !reset;
        was_pays <= pays;
        if (reset) begin
            hits <= 0;
            missed <= 0;
            streak <= 0;
            holding <= 0;
            given <= 0;
        end else begin
            if (complete) begin
                hits <= 0;
                missed <= 0;
                holding <= pays ? 13'd64 << streak : 0;
                given <= 0;
                streak <= !pays ? 0 : streak == 6 ? 6 : streak + 1;
            end else begin
                if (counted) begin
                    hits <= hits + !access_miss;
                    missed <= all_missed;
                end
                if (answers) given <= given + 1;
            end
        end
    end

    // ---- Rows. What was asked for in the cycle before, and in the one before that.
    wire [5:0] first = shared_from > 32 ? 6'd32 : shared_from;
    wire [1:0] bits = lanes >= 2 ? 2'd0 : 2'd2 - lanes[1:0];
    wire [2:0] parts = 3'd1 << bits;
    wire [1:0] low = parts - 3'd1;
    wire [8:0] private_rows = {3'd0, first} << bits;
    wire [8:0] rows = private_rows + 9'd32 - first;
    reg [4:0] rs1, rs2, rd, old;
    reg [1:0] part, old_part;
    reg [2:0] uses;
    reg subvector, old_regular, old_valid = 0;
    reg [8:0] old_row;
    always @(posedge clock) begin
        rs1 <= map_rs1;
        rs2 <= map_rs2;
        rd <= map_rd;
        part <= map_part & low;
        uses <= map_uses;
        subvector <= map_subvector;
        old <= rd;
        old_part <= part;
        old_row <= row_rd;
        old_valid <= row_valid & settled & !reset;
        // A register that is used in regular mode and not reported.
        old_regular <= uses[2] & !subvector & !row_misuse[2];
    end
    function shared(input [4:0] number);
        shared = number >= first;
    endfunction
    function [8:0] row(input [4:0] number, input [1:0] of_part);
        row = base + (shared(number) ? private_rows + number - first : ({4'd0, number} << bits) + of_part);
    endfunction
    function within(input [8:0] at);
        within = at >= base && {1'b0, at} < {1'b0, base} + {1'b0, rows};
    endfunction

    always @(*) begin
        if (!started) assume (reset);
        assume ({1'b0, base} + {1'b0, rows} <= 512);
`ifndef ROWS
        if (started) begin
            // The window.
            assert (decision_valid == was_complete);
            if (decision_valid) assert (decision_subvector == was_pays);
            // The mode.
            assert (answer_valid == was_ask);
            if (answer_valid && was_force == 1) assert (!answer_subvector);
            if (answer_valid && was_force == 2) assert (answer_subvector);
            if (answer_valid && was_force != 1 && was_force != 2) assert (answer_subvector == was_due);
            assert (given <= holding && holding <= 4096);
            // Why.
            assert (hits + missed < 256 && hits < 256 && missed < 256);
            assert (accesses == hits + missed && misses == missed);
            assert (left == holding - given);
            assert (streak <= 6 && hold == 7'd1 << streak);
            assert (holding == 0 || holding == 13'd64 << (streak - 1) || (streak == 6 && holding == 4096));
            assert ((streak == 0) == (holding == 0));
        end
`endif
`ifndef MODES
        // Why, as the configuration goes through.
        if (age >= 1) assert ((part & ~low) == 0);
        if (old_valid) assert ((old_part & ~low) == 0);
        if (age >= 1) assert (first_shared == first && shift == bits);
        if (age >= 2) assert (part_bits == low && shared_base == private_rows - first && warp_rows == rows);
        if (age >= 3 && row_valid) assert (row_rs1 == row(rs1, part) && row_rs2 == row(rs2, part) && row_rd == row(rd, part));
        if (old_valid) assert (settled && old_row == row(old, old_part));
        if (old_valid && old_regular) assert (!shared(old));
        if (started && settled) begin
            assert (warp_rows == rows);
            if (row_valid) begin
                assert (within(row_rs1) && within(row_rs2) && within(row_rd));
                assert (row_misuse == (uses & {shared(rd), shared(rs2), shared(rs1)} & {3{!subvector}}));
                if (old_valid) begin
                    // With row_rs2 and row_rd it is the same: they are the same function.
                    assert ((row_rs1 == old_row) == (rs1 == old && (part == old_part || shared(rs1))));
                    if (old_regular && uses[0] && !subvector && !row_misuse[0]) assert (!shared(old) && !shared(rs1));
                end
            end
        end
`endif
    end

    always @(posedge clock) begin
        if (started && settled) begin
            cover (row_valid && old_valid && old_regular && rs1 == old && part != old_part && !shared(rs1));
            cover (row_valid && old_valid && row_rs1 == old_row && part != old_part && shared(rs1) && subvector);
            cover (row_valid && row_misuse == 3'b110);
            cover (answer_valid && answer_subvector && was_force == 2);
            cover (accesses == 3 && misses == 2);
        end
    end
endmodule
