// A group of a picker of three steps: docs/spec/scheduler.md, SCHED-016 to SCHED-018; with TURNS of one that takes turns with another one, SCHED-019.
//
// Proved for 4 warps, by induction, for any candidates, touches and greedy warp in any cycle, whether the champion is granted or not, with TURNS for turns in any
// cycles but one behind the other:
//  - one champion at most, and its number; the pairs of warps always form a total order;
//  - the champion is, of the candidates of the cycle before without the one that was granted in it, the greedy warp if it is among them and none of a higher level is,
//    else the one that stands before all others; there is one whenever there is such a candidate;
//  - with TURNS the candidates are those of the last turn, and who is granted and who stands where is that of the cycle behind it; in other cycles the champion stays;
//  - it is known whether the champion is the greedy warp.
// Assumed: a touch is of one warp; the greedy warp does not stand above itself, and is known by its number too; those above it stand before all that are not; that it
// changes is told a cycle before, and the new one is not the champion then.
module group (
    input wire clock,
    input wire reset,
    input wire [1:0] clear,
    input wire turn,
    input wire [3:0] ready,
    input wire [3:0] greedy,
    input wire [3:0] above,
    input wire greedy_ends,
    input wire wins,
    input wire touches,
    input wire [1:0] touched_at,
    input wire [1:0] touched_level,
    input wire [3:0] front,
    input wire [5:0] stamp,
    input wire turns,
    input wire in_turn,
    input wire was_in_turn,
    input wire restarts,
    input wire behind_last,
    input wire [3:0] higher,
    input wire holds_last,
    input wire last_moves
);
    wire [3:0] champion;
    wire [1:0] number;
`ifdef TURNS
    reg [3:0] candidates = 0;
    reg was_turn = 0;
    always @(posedge clock) begin
        candidates <= reset ? 4'd0 : ready;
        was_turn <= turn && !reset;
    end
    weft_group_turns dut (
`else
    wire [3:0] candidates = ready;
    wire was_turn = 1;
    weft_group dut (
`endif
        .clock(clock),
        .reset(reset),
        .clear(clear),
        .candidates(candidates),
        .ready(ready),
        .may_move(was_turn),
        .greedy(greedy),
        .greedy_at({greedy[3] | greedy[2], greedy[3] | greedy[1]}),
        .greedy_kind(3'd0),
        .above(above),
        .greedy_ends(greedy_ends),
        .wins(wins),
        .class0(4'd0),
        .class1(4'd0),
        .class2(4'd0),
        .touches(touches),
        .touched(4'd1 << touched_at),
        .touched_at(touched_at),
        .touched_level(touched_level),
        .front(front),
        .stamp(stamp),
        .turns(turns),
        .in_turn(in_turn),
        .was_in_turn(was_in_turn),
        .restarts(restarts),
        .behind_last(behind_last),
        .higher(higher),
        .holds_last(holds_last),
        .last_moves(last_moves),
        .champion(champion),
        .number(number)
    );

    // Inside; connected by the runner.
    wire [15:0] pairs;
    wire is_greedy;

    // Bit y of row x: x stands before y.
    wire [3:0] row0 = {~pairs[3], ~pairs[2], ~pairs[1], 1'b0};
    wire [3:0] row1 = {~pairs[7], ~pairs[6], 1'b0, pairs[1]};
    wire [3:0] row2 = {~pairs[11], 1'b0, pairs[6], pairs[2]};
    wire [3:0] row3 = {1'b0, pairs[11], pairs[7], pairs[3]};
    wire circle = row0[1] & row1[2] & row2[0] | row0[2] & row2[1] & row1[0] | row0[1] & row1[3] & row3[0] | row0[3] & row3[1] & row1[0]
        | row0[2] & row2[3] & row3[0] | row0[3] & row3[2] & row2[0] | row1[2] & row2[3] & row3[1] | row1[3] & row3[2] & row2[1];
    wire apart = (!above[0] | (row0 | above) == 4'b1111) & (!above[1] | (row1 | above) == 4'b1111)
        & (!above[2] | (row2 | above) == 4'b1111) & (!above[3] | (row3 | above) == 4'b1111);
    function alone(input [3:0] set);
        alone = (set & (set - 4'd1)) == 0;
    endfunction

    wire [3:0] open = candidates & ~(wins ? champion : 4'd0);
    // Who stands before all others of them.
    wire [3:0] leads = {(open & ~row3) == 4'b1000, (open & ~row2) == 4'b0100, (open & ~row1) == 4'b0010, (open & ~row0) == 4'b0001};
    wire favored = (open & greedy) != 0 && (open & above) == 0;
    reg [3:0] expected = 0;
    reg [3:0] former = 0;
    reg [3:0] greedy_before = 0;
    reg ends = 1;
    reg found = 0, was_open = 0, won = 0, was_favored = 0;
    always @(posedge clock) begin
        if (reset) expected <= 4'd0;
        else if (was_turn) expected <= favored ? greedy : open & leads;
        found <= was_turn && !reset;
        was_open <= open != 0;
        was_favored <= favored;
        won <= wins;
        former <= champion;
        greedy_before <= greedy;
        ends <= greedy_ends;
    end

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        if (!started) assume (reset);
`ifdef TURNS
        assume (!(turn && was_turn));
        assume (!wins || was_turn);
`endif
        assume (alone(greedy) && (greedy & above) == 0);
        assume (greedy == 0 || apart);
        assume (ends ? (greedy & champion) == 0 : greedy == greedy_before);
        if (started) begin
            assert (alone(champion));
            assert (!circle);
            assert (champion == expected);
            if (champion != 0) assert (is_greedy == ((champion & greedy) != 0));
            if (champion != 0) assert (champion == 4'd1 << number);
            if (found) assert ((champion != 0) == was_open);
        end
    end

    always @(posedge clock) begin
        if (started) begin
            cover (found && former != 0 && champion == former && !won);
            cover (found && former != 0 && champion != former && champion != 0 && !won && candidates == 4'b1111);
            cover (found && former != 0 && won && champion != 0);
            cover (found && was_favored && champion == 4'b1000 && pairs == 16'd0);
        end
    end
endmodule
