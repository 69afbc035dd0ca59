// Queue and supply of one warp in the scheduler: docs/spec/supply.md, docs/spec/scheduler.md (SCHED-020 to 031,
// SUPPLY-010 to 070).
//
// Proved in the first cycles from reset, for one of 4 warps, which alone is started, with dual issue and any starts (in
// the first lines), predictions of them that come true or not, stops, flushes, any readiness of units and fetch port,
// and lines that come when they like:
//  - every instruction from a start up to the first `control` one, or to a stop, is issued once, in order, none left
//    out: issue_pc is the
//    address behind the one before, with the mask of the start;
//  - nothing is issued past a `control` instruction before the next start, nor two cycles after a stop;
//  - word and decoded form are those of that address as they were when the line was asked for after the last flush, and
//    after the start behind the last `control` instruction of class 3: no line, whenever it comes, and no queued
//    instruction of before comes out behind it.
//
// In place of the line memory, and of the counters, stand stand-ins.
// The word at an address is the address and an edition that every flush, and every such start, changes.
// Two addresses (any) hold `control` instructions, the second of class 3; no instruction uses a register, no `done` comes.
// That what can be issued is issued some time is not said here but covered.
module issue (
    input wire clock,
    input wire [4:0] unit_free,
    input wire [4:0] unit_ahead,
    input wire start_valid,
    input wire [21:0] start_pc,
    input wire [3:0] start_mask,
    input wire predict_valid,
    input wire [21:0] predict_pc,
    input wire stop_valid,
    input wire flush,
    input wire fetch_ready,
    input wire line_valid,
    input wire line_slot
);
    localparam [1:0] warp = 1;
    (* anyconst *) wire [21:0] jump0;
    (* anyconst *) wire [21:0] jump1;

    reg [1:0] age = 0;
    always @(posedge clock) if (age != 3) age <= age + 1;
    wire reset = age < 2;

    // The memory of lines: one request per slot.
    reg edition = 0;
    reg [1:0] awaited = 0;
    reg [17:0] line0, line1;
    reg edition0, edition1;
    wire asked_in = line_slot ? edition1 : edition0;
    wire [17:0] line = line_slot ? line1 : line0;

    // The decoder, one cycle behind.
    function is_control(input [21:0] pc);
        is_control = pc == jump0 || pc == jump1;
    endfunction
    function [22:0] decoded(input [31:0] word);
        decoded = {19'd0, is_control(word[21:0]), word[21:0] == jump1 ? 3'd3 : {2'd0, word[0]}};
    endfunction
    wire [31:0] decode_word0, decode_word1;
    reg [22:0] decode0, decode1;
    always @(posedge clock) begin
        decode0 <= decoded(decode_word0);
        decode1 <= decoded(decode_word1);
    end

    wire fetch_valid;
    wire [1:0] fetch_warp;
    wire [17:0] fetch_line;
    wire issue_valid, second_valid;
    wire [1:0] issue_warp;
    wire [21:0] issue_pc;
    wire [3:0] issue_mask;
    wire [31:0] issue_word, second_word;
    wire [22:0] issue_decoded, second_decoded;
    weft_scheduler dut (
        .clock(clock),
        .reset(reset),
        .cfg_policy(2'd0),
        .cfg_slow(5'd0),
        .unit_free(unit_free),
        .unit_ahead(unit_ahead),
        .hold(4'd0),
        .start_valid(start_valid),
        .start_warp(warp),
        .start_pc(start_pc),
        .start_mask(start_mask),
        .start_launch(1'b0),
        .predict_valid(predict_valid),
        .predict_warp(warp),
        .predict_pc(predict_pc),
        .stop_valid(stop_valid),
        .stop_warp(warp),
        .level_valid(1'b0),
        .level_warp(2'd0),
        .level_value(2'd0),
        .flush(flush),
        .fetch_valid(fetch_valid),
        .fetch_ready(fetch_ready),
        .fetch_warp(fetch_warp),
        .fetch_line(fetch_line),
        .line_valid(line_valid),
        .line_warp(warp),
        .line_slot(line_slot),
        .line_data(512'd0),
        .decode_word0(decode_word0),
        .decode_word1(decode_word1),
        .decode0(decode0),
        .decode1(decode1),
        .issue_valid(issue_valid),
        .issue_warp(issue_warp),
        .issue_pc(issue_pc),
        .issue_mask(issue_mask),
        .issue_word(issue_word),
        .issue_decoded(issue_decoded),
        .second_valid(second_valid),
        .second_word(second_word),
        .second_decoded(second_decoded),
        .done0_valid(1'b0),
        .done0_warp(2'd0),
        .done0_rd(6'd0),
        .done1_valid(1'b0),
        .done1_warp(2'd1),
        .done1_rd(6'd0),
        .counter_clear(1'b0),
        .counter_hold(1'b0),
        .counter_select(6'd0)
    );

    // In place of the memory of lines (read_line is {warp, slot}): which line of which edition is there;
    // other rows, and one that is written, give anything. Connected by the runner.
    wire [2:0] read_line, read_word;
    wire [63:0] read_data;
    reg [18:0] there0, there1;
    reg known = 0;
    reg [63:0] content;
    wire [18:0] read = read_line[0] ? there1 : there0;
    always @(posedge clock) begin
        if (line_valid && !line_slot) there0 <= {asked_in, line};
        if (line_valid && line_slot) there1 <= {asked_in, line};
        known <= read_line[2:1] == warp && !(line_valid && line_slot == read_line[0]);
        content <= {9'd0, read, read_word, 1'b1, 9'd0, read, read_word, 1'b0};
    end
    always @(*) if (known) assume (read_data == content);

    // The warp: it runs, waits behind a control instruction, and goes on at `next` with `mask`.
    reg runs = 0, waits = 0;
    reg [2:0] since_stop = 7;
    reg [21:0] next;
    reg [3:0] mask;
    wire control = issue_valid && (issue_decoded[3] || second_valid && second_decoded[3]);
    wire forgets = issue_valid && (issue_decoded[3:0] == 11 || second_valid && second_decoded[3:0] == 11);
    wire [21:0] after = issue_pc + 22'd1;
    wire asks = fetch_valid && fetch_ready;
    reg predicted = 0, said = 0;
    reg flushed = 0, again = 0, refilled = 0, forgot = 0, renewed = 0;

    always @(posedge clock) begin
        predicted <= predict_valid;
        if (predict_valid) said <= 1;
        if (start_valid || stop_valid || reset) said <= 0;
        if (issue_valid) next <= second_valid ? after + 22'd1 : after;
        if (control) waits <= 1;
        if (forgets) forgot <= 1;
        if (since_stop != 7) since_stop <= since_stop + 1;
        if (start_valid) begin
            runs <= 1;
            waits <= 0;
            next <= start_pc;
            mask <= start_mask;
            again <= flushed;
            forgot <= 0;
            if (forgot || forgets) begin
                edition <= !edition;
                renewed <= 1;
            end
        end
        if (stop_valid) begin
            runs <= 0;
            waits <= 0;
            forgot <= 0;
            since_stop <= 0;
        end
        if (flush) begin
            edition <= !edition;
            flushed <= 1;
        end
        if (line_valid) awaited[line_slot] <= 0;
        if (asks) begin
            awaited[fetch_line[0]] <= 1;
            if (fetch_line[0]) {edition1, line1} <= {edition, fetch_line};
            else {edition0, line0} <= {edition, fetch_line};
        end
        if (line_valid && again) refilled <= 1;
        if (reset) begin
            runs <= 0;
            waits <= 0;
            since_stop <= 7;
            awaited <= 0;
            flushed <= 0;
            forgot <= 0;
            renewed <= 0;
        end
    end

    always @(*) begin
        if (reset) assume (!predict_valid && !start_valid && !stop_valid && !flush && !line_valid);
        assume (start_pc[21:6] == 0);
        if (start_valid) assume (!stop_valid && (!runs && since_stop >= 3 || waits || control));
        if (predict_valid) assume ((waits || control) && !said);
        if (predict_valid || predicted) assume (!start_valid);
        if (stop_valid) assume (runs);
        if (flush) assume (!runs && !start_valid && !fetch_valid && awaited == 0 && since_stop >= 3);
        if (line_valid) assume (awaited[line_slot]);
        if (age == 3) begin
            if (fetch_valid) assert (fetch_warp == warp && !awaited[fetch_line[0]]);
            assert (!second_valid || issue_valid);
            if (issue_valid) begin
                assert (issue_warp == warp);
                assert (runs || since_stop == 0);
                assert (!waits);
                assert (issue_pc == next && issue_mask == mask);
                assert (issue_word == {9'd0, edition, issue_pc});
                assert (issue_decoded == decoded(issue_word));
            end
            if (second_valid) begin
                assert (!issue_decoded[3]);
                assert (second_word == {9'd0, edition, after});
                assert (second_decoded == decoded(second_word));
            end
        end
    end

    always @(posedge clock) begin
        if (age == 3) begin
            // The other line, two at once, a jump, and what was forgotten and fetched anew.
            cover (issue_valid && next[3:0] == 15 && runs);
            cover (second_valid && second_decoded[3]);
            cover (issue_valid && refilled && edition);
            cover (issue_valid && renewed);
        end
    end
endmodule
