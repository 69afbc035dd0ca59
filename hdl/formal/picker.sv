// Picker: docs/spec/scheduler.md, SCHED-010 to SCHED-014 and SCHED-030.
//
// Proved for 4 warps of one level, by induction, for any candidates in any cycle, every policy, launches at any time;
// each grant issues two cycles later:
//  - at most one grant per cycle, only to a candidate, and one whenever there is a candidate;
//  - the pairs of warps always form a total order;
//  - under age and under loose round robin, a warp that stays a candidate is granted after at most 3 grants to others;
//  - under loose round robin the order is the cyclic sequence behind the warp that issued last.
module picker (
    input wire clock,
    input wire reset,
    input wire [3:0] ready,
    input wire launch_valid,
    input wire [1:0] launch_warp
);
    (* anyconst *) wire [1:0] policy;
    wire [3:0] granted;
    reg [3:0] issue = 0;
    always @(posedge clock) issue <= reset ? 4'd0 : granted;
    weft_picker dut (
        .clock(clock),
        .reset(reset),
        .in_turn(policy == 1),
        .was_in_turn(policy == 1),
        .greedy_first(policy == 2),
        .ready(ready & ~issue),
        .issuing(|issue),
        .issue(issue),
        .issue_warp({issue[3] | issue[2], issue[3] | issue[1]}),
        .issue_level(2'd0),
        .above_issue(2'd1),
        .level_valid(1'b0),
        .level_warp(2'd0),
        .level_value(2'd0),
        .launch_valid(launch_valid),
        .launch_warp(launch_warp),
        .launch_level(2'd0),
        .granted(granted)
    );

    // Inside; connected by the runner.
    wire [15:0] pairs;
    wire [3:0] greedy;
    wire [1:0] level0, level1, level2, level3;

    wire [3:0] candidates = ready & ~granted & ~issue;
    reg [3:0] were = 0;
    reg [1:0] last = 3;
    always @(posedge clock) begin
        if (reset) last <= 3;
        else if (issue != 0) last <= {issue[3] | issue[2], issue[3] | issue[1]};
        were <= reset ? 4'd0 : candidates;
    end

    // Bit y of row x: x stands before y.
    wire [3:0] row0 = {~pairs[3], ~pairs[2], ~pairs[1], 1'b0};
    wire [3:0] row1 = {~pairs[7], ~pairs[6], 1'b0, pairs[1]};
    wire [3:0] row2 = {~pairs[11], 1'b0, pairs[6], pairs[2]};
    wire [3:0] row3 = {1'b0, pairs[11], pairs[7], pairs[3]};
    wire circle = row0[1] & row1[2] & row2[0] | row0[2] & row2[1] & row1[0] | row0[1] & row1[3] & row3[0] | row0[3] & row3[1] & row1[0]
        | row0[2] & row2[3] & row3[0] | row0[3] & row3[2] & row2[0] | row1[2] & row2[3] & row3[1] | row1[3] & row3[2] & row2[1];
    function alone(input [3:0] set);
        alone = (set & (set - 4'd1)) == 0;
    endfunction

    // Any one warp: grants to others while it was a candidate; and who may still overtake it.
    (* anyconst *) wire [1:0] watched;
    reg [2:0] others = 0;
    wire overtaken = were[watched] & |granted & ~granted[watched];
    always @(posedge clock) begin
        if (reset || !were[watched] || granted[watched]) others <= 0;
        else if (overtaken) others <= others + 1;
    end
    wire [3:0] ahead = {row3[watched], row2[watched], row1[watched], row0[watched]} & ~(granted | issue);
    wire [2:0] left = ahead[0] + ahead[1] + ahead[2] + ahead[3];
    wire bounded = policy != 2;
    // Of two warps the one stands before the other in the cyclic sequence.
    function in_turn(input [1:0] x, input [1:0] y);
        in_turn = x - last - 2'd1 < y - last - 2'd1;
    endfunction

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        if (!started) assume (reset);
        if (started) begin
            assert (alone(granted));
            assert ((granted & ~were) == 0);
            assert ((granted != 0) == (were != 0));
            assert (!circle);
            if (bounded && were[watched]) assert (others + overtaken <= 3);
            // Why.
            assert (alone(issue) && (granted & issue) == 0);
            if (policy == 1) assert (row0[1] == in_turn(0, 1) && row0[2] == in_turn(0, 2) && row0[3] == in_turn(0, 3)
                && row1[2] == in_turn(1, 2) && row1[3] == in_turn(1, 3) && row2[3] == in_turn(2, 3));
            assert (level0 == 0 && level1 == 0 && level2 == 0 && level3 == 0);
            assert (alone(greedy));
            if (bounded && were[watched] && !granted[watched]) assert (others + overtaken + left <= 3);
        end
    end

    always @(posedge clock) begin
        if (started) begin
            cover (bounded && were[watched] && others == 3 && granted[watched]);
            cover (policy == 2 && greedy != 0 && granted == greedy);
            cover (policy == 1 && granted == 4'b1000 && issue == 4'b0010);
        end
    end
endmodule
