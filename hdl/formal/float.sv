// Passes through the float unit: docs/spec/float.md, FLOAT-042, 050, 052, 053.
//
// Proved by induction for 2 warps and 2 lanes, with one lane of float in two turns, of any one pass, whatever comes, is
// taken and refused:
//  - no more than 16 passes are inside, and `free` is said only when three more have room and no division is inside;
//  - a pass leaves once, in its turn: in front of it go as many as were inside when it came. With a destination it is
//    offered with its warp, part, register and lanes, and with the words that came out of the lane in its turns; without
//    one nothing is offered for it;
//  - an instruction is complete once, in its turn, after the last of its passes has left, with its warp and register;
//  - a division comes out alone; idle is said when nothing is inside and nobody waits to complete, and only then.
//
// Assumed: no reset behind the first cycle; passes come two cycles apart, not into a full unit, not behind a division,
// and a division only to an idle unit. What the lane computes, and when its operands are settled, may be anything.
module float (
    input wire clock,
    input wire reset,
    input wire third_valid, pass_valid, pass_last, pass_warp, pass_part, result_ready, complete_ready,
    input wire [1:0] pass_mask,
    input wire [2:0] pass_rounding,
    input wire [4:0] pass_code,
    input wire [5:0] pass_rd,
    input wire [63:0] a, b
);
    wire free, idle, result_valid, result_warp, result_part, complete_valid, complete_warp;
    wire [1:0] result_mask;
    wire [4:0] result_rd;
    wire [5:0] complete_rd;
    wire [63:0] result_data;
    weft_float dut (.*);

    // Inside; connected by the runner.
    wire active, turn, slow, out_turn;
    wire [1:0] phase, done_head, done_tail;
    wire [2:0] done;
    wire [3:0] tail, filled, head;
    wire [4:0] held, ready;
    wire [6:0] ranks;
    wire [31:0] word;
    wire [15:0] warps, parts, lasts;
    wire [31:0] masks;
    wire [95:0] rds;
    wire [511:0] low_rows, high_rows;
    wire [3:0] done_warps;
    wire [23:0] done_rds;

    // How many passes are inside and how many instructions wait to complete; any one pass from when it comes: those in
    // front of it, what it carries, the words that came out for it.
    reg [4:0] count = 0;
    reg [2:0] waiting = 0;
    (* anyseq *) wire choose;
    reg watched = 0;
    reg [4:0] ahead;
    reg [10:0] carried;
    reg [31:0] low, high;
    // It has left and waits to complete, behind so many.
    reg completing = 0;
    reg [2:0] before;

    wire [10:0] pass = {pass_last, pass_mask, pass_rd, pass_part, pass_warp};
    wire last = carried[10], wanted = carried[7];
    wire is_slow = pass_code == 7 || pass_code == 8;
    // The oldest pass leaves when its row is taken, or unseen.
    wire took = result_valid & result_ready;
    wire unseen = ready != 0 && !rds[6 * head + 5] && !(lasts[head] && waiting == 4);
    wire leaves = took | unseen;
    wire ends = leaves & lasts[head];
    wire told = complete_valid & complete_ready;
    wire chosen = pass_valid & choose & !watched & !completing;
    wire mine = watched && ahead == 0;
    wire comes = ranks[6];
    always @(posedge clock) begin
        count <= reset ? 5'd0 : count + pass_valid - leaves;
        waiting <= reset ? 3'd0 : waiting + ends - told;
        if (watched & leaves) ahead <= ahead - 1;
        if (watched & leaves & (ahead == 0)) begin
            watched <= 0;
            completing <= last;
            before <= waiting - told;
        end
        if (completing & told) before <= before - 1;
        if (completing & told & (before == 0)) completing <= 0;
        if (chosen) begin
            watched <= 1;
            ahead <= count - leaves;
            carried <= pass;
        end
        if (watched & comes & (ahead == ready) & !out_turn) low <= word;
        if (watched & comes & (ahead == ready) & out_turn) high <= word;
        if (reset) {watched, completing} <= 0;
    end

    reg started = 0;
    reg came = 0;
    always @(posedge clock) begin
        started <= 1;
        came <= pass_valid & !reset;
    end

    always @(*) begin
        assume (reset == !started);
        if (started) begin
            if (pass_valid) assume (!came && count != 16 && !(slow && count != 0) && pass_mask != 0);
            if (pass_valid & is_slow) assume (idle);
            // Room.
            if (free) assert (count <= 13 && !(slow && count != 0));
            assert (count <= 16 && waiting <= 4);
            assert (idle == (count == 0 && waiting == 0));
            if (count != 0 && slow) assert (count == 1);
            // In its turn, as it came, with its words.
            if (count == 0) assert (!result_valid);
            if (mine & result_valid) begin
                assert (wanted);
                assert ({result_mask, result_rd, result_part, result_warp} == {carried[9:8], carried[6:0]});
                assert (result_data == {high, low});
            end
            if (mine & ready != 0 & wanted & !(last & waiting == 4)) assert (result_valid);
            // Complete.
            assert (complete_valid == (waiting != 0));
            if (completing & complete_valid & (before == 0)) assert ({complete_rd, complete_warp} == {carried[7:2], carried[0]});
        end
    end
    always @(posedge clock) if (started && $past(started)) begin
        if ($past(result_valid & !result_ready)) assert (result_valid && $stable({result_mask, result_rd, result_part, result_warp, result_data}));
        if ($past(complete_valid & !complete_ready)) assert (complete_valid && $stable({complete_rd, complete_warp}));
    end

    // Why: turns that have still to come out are those of the passes without a row; where all lies.
    wire [3:0] running = ranks[0] + ranks[1] + ranks[2] + ranks[3] + ranks[4] + ranks[5] + ranks[6];
    wire [5:0] turns = running + (active ? (turn ? 6'd1 : 6'd2) : 6'd0);
    wire [5:0] missing = {held - ready, 1'b0} - out_turn;
    wire [3:0] place = head + ahead[3:0];
    wire [1:0] spot = done_head + before[1:0];
    always @(*) if (started) begin
        assert (held == count && ready <= held && done == waiting);
        assert (tail == head + held[3:0] && filled == head + ready[3:0] && done_tail == done_head + done[1:0]);
        assert (turns == missing);
        assert (active || !turn);
        assert (phase == 0 || (active && slow));
        if (active && !slow) assert (came == !turn);
        if (active && slow) assert (ranks[6:1] == 0 || turn);
        if (!active) assert (!came);
        if (came) assert (active && !turn && phase == 0);
        if (watched) begin
            assert (ahead < count && pass_free);
            assert ({lasts[place], masks[2 * place +: 2], rds[6 * place +: 6], parts[place], warps[place]} == carried);
            if (ahead < ready || (ahead == ready && out_turn)) assert (low_rows[32 * place +: 32] == low);
            if (ahead < ready) assert (high_rows[32 * place +: 32] == high);
        end
        if (completing) begin
            assert (!watched && last && before < waiting);
            assert ({done_rds[6 * spot +: 6], done_warps[spot]} == {carried[7:2], carried[0]});
        end
    end
    wire pass_free = !completing;

    always @(posedge clock) if (started) begin
        cover (mine && result_valid && watched && $past(result_valid & result_ready));
        cover (completing && before == 2);
        cover (count == 5 && ready == 3);
        cover (slow && phase == 3);
    end
endmodule
