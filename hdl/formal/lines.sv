// Lines under way in the load/store unit: docs/spec/memory.md, MEM-012 and MEM-013; SM-031.
//
// Proved by induction for 8 places, of any one place, for any accesses and answers in any order:
//  - no read goes while a write to its line is without response, no write while a read of its line is without its last
//    beat; of a line that may be read ahead no write is under way;
//  - stores to a line have one place and follow each other there, three at most, and nothing else goes there meanwhile;
//    each has a number of its own, and responses have the numbers of the stores in their order;
//  - a place is given again only when all that it had under way is over;
//  - idle is never said with anything under way, and then there is room; there is room whenever a place is free and
//    nothing of the line is under way.
//
// Assumed: an access goes only when there is room, and what is over has been under way; the line that is asked for is
// what was announced, and none goes before the first one was.
module lines (
    input wire clock,
    input wire reset,
    input wire [25:0] ask_line,
    input wire [1:0] ask_kind,
    input wire advance,
    input wire [25:0] next_line,
    input wire take,
    input wire read_over,
    input wire [2:0] read_place,
    input wire write_over,
    input wire [2:0] write_place,
    input wire [25:0] ahead_line
);
    wire room, ahead_clear, idle;
    wire [2:0] place;
    wire [1:0] turn, write_turn;
    weft_lines dut (.*);

    // Inside; connected by the runner.
    wire [7:0] used, equals, writes, stores, follows;
    wire [25:0] line0, line1, line2, line3, line4, line5, line6, line7;
    wire [1:0] sent0, sent1, sent2, sent3, sent4, sent5, sent6, sent7;
    wire [1:0] answered0, answered1, answered2, answered3, answered4, answered5, answered6, answered7;

    localparam READ = 0, STORE = 1, ATOMIC = 2;

    // Any one place and line: what it has under way, whose numbers are oldest … next − 1, and whether it is of that line.
    (* anyconst *) wire [2:0] watched;
    (* anyconst *) wire [25:0] line;
    reg reading = 0, mine = 0, plain;
    reg [1:0] writing = 0, oldest = 0, next = 0;
    wire asks = ask_line == line;
    wire here = take & (place == watched);
    wire read_ends = read_over & (read_place == watched);
    wire write_ends = write_over & (write_place == watched);
    always @(posedge clock) begin
        if (here) begin
            mine <= asks;
            plain <= ask_kind == STORE;
        end
        reading <= !reset & ((reading & !read_ends) | (here & (ask_kind == READ)));
        writing <= reset ? 2'd0 : writing + (here & (ask_kind != READ)) - write_ends;
        next <= reset ? 2'd0 : next + (here & (ask_kind != READ));
        oldest <= reset ? 2'd0 : oldest + write_ends;
    end

    reg started = 0, announced = 0;
    reg [25:0] asked;
    always @(posedge clock) begin
        started <= 1;
        announced <= !reset & (announced | advance);
        asked <= advance ? next_line : ask_line;
    end

    always @(*) begin
        if (!started) assume (reset);
        assume (ask_kind <= ATOMIC);
        if (announced) assume (ask_line == asked);
        if (take) assume (room && announced);
        if (read_ends) assume (reading);
        if (write_ends) assume (writing != 0);
        if (started) begin
            // Who passes whom.
            if (take && asks && mine) begin
                if (ask_kind == READ) assert (writing == 0);
                else begin
                    assert (!reading);
                    if (writing != 0) assert (here && ask_kind == STORE && plain && writing < 3);
                end
            end
            if (here) begin
                assert (!reading);
                if (writing != 0) assert ((asks || !mine) && ask_kind == STORE && plain);
                if (ask_kind != READ) assert (turn == next);
            end
            if (write_ends) assert (write_turn == oldest);
            if (ahead_clear && ahead_line == line && mine) assert (writing == 0);
            // Idle and room.
            if (idle) assert (!reading && writing == 0 && room && ahead_clear);
            if (announced && used != 8'hFF && !(|same)) assert (room);
            if (announced && ask_kind == READ && used != 8'hFF && (same & writes) == 0) assert (room);
        end
    end

    // Why: the place says so itself.
    wire [7:0] of_line = used & {line7 == line, line6 == line, line5 == line, line4 == line, line3 == line, line2 == line,
        line1 == line, line0 == line};
    wire [15:0] sent = {sent7, sent6, sent5, sent4, sent3, sent2, sent1, sent0};
    wire [15:0] answered = {answered7, answered6, answered5, answered4, answered3, answered2, answered1, answered0};
    // Follows from what the two are; said for the solver.
    always @(*) if (asks) assume (same == of_line);
    wire [7:0] asked_for = {line7 == ask_line, line6 == ask_line, line5 == ask_line, line4 == ask_line,
        line3 == ask_line, line2 == ask_line, line1 == ask_line, line0 == ask_line};
    wire [7:0] same = used & asked_for;
    always @(*) if (started) begin
        if (announced) assert (equals == asked_for);
        assert ((used & stores & ~writes) == 0);
        assert ((used & follows & ~stores) == 0);
        assert ((of_line & (of_line - 8'd1)) == 0 || (of_line & writes) == 0);
        assert (used[watched] == (reading | (writing != 0)));
        if (reading | (writing != 0)) begin
            assert (!reading || writing == 0);
            assert (of_line[watched] == mine);
            assert (writes[watched] == !reading);
            assert (stores[watched] == (!reading & plain) && (reading || plain || writing == 1));
            assert (follows[watched] == (!reading && plain && writing != 3));
        end
        assert (sent[2 * watched +: 2] == next && answered[2 * watched +: 2] == oldest && writing == next - oldest);
    end

    always @(posedge clock) if (started) begin
        cover (writing == 3);
        cover (writing == 1 && oldest == 3 && write_ends && here);
        cover (used == 8'hFF);
        cover (reading && mine && asks && !room && ask_kind == ATOMIC);
    end
endmodule
