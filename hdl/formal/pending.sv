// Accesses that are not over, in the load/store unit: docs/spec/memory.md, MEM-014; docs/spec/sm.md, SM-014.
//
// Proved by induction for 2 warps, of any one warp, for any passes, rows and writes of all of them at once:
//  - `pending` is 0 if and only if no pass of the warp waits, and no row and no write of it is under way;
//  - `under_way` is 0 if and only if no row and no write of it is.
//
// Assumed: what is placed has waited, what is over has been under way, and there are no more passes and accesses than the
// counters hold: 63 and 7 here.
module pending (
    input wire clock,
    input wire reset,
    input wire queued, queued_warp, placed, placed_warp, begins_row, begins_write, row_over, row_warp, write_over, write_warp
);
    wire [1:0] under_way, pending;
    weft_pending dut (.*);

    // Inside; connected by the runner.
    wire [11:0] waits;
    wire [5:0] flies;

    // Any one warp: what it has.
    (* anyconst *) wire warp;
    reg [5:0] passes = 0;
    reg [2:0] rows = 0, writes = 0;
    wire comes = queued & (queued_warp == warp);
    wire goes = placed & (placed_warp == warp);
    wire row_begins = begins_row & (placed_warp == warp);
    wire write_begins = begins_write & (placed_warp == warp);
    wire row_ends = row_over & (row_warp == warp);
    wire write_ends = write_over & (write_warp == warp);
    always @(posedge clock) begin
        passes <= reset ? 6'd0 : passes + comes - goes;
        rows <= reset ? 3'd0 : rows + row_begins - row_ends;
        writes <= reset ? 3'd0 : writes + write_begins - write_ends;
    end

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        if (!started) assume (reset);
        if (comes & !goes) assume (passes != 63);
        if (goes) assume (passes != 0);
        if (row_ends) assume (rows != 0);
        if (write_ends) assume (writes != 0);
        assume ({1'b0, rows} + writes + row_begins + write_begins - row_ends - write_ends <= 7);
        if (started) begin
            assert (pending[warp] == (passes != 0 || rows != 0 || writes != 0));
            assert (under_way[warp] == (rows != 0 || writes != 0));
            // Why.
            assert (waits[6 * warp +: 6] == passes);
            assert ({1'b0, flies[3 * warp +: 3]} == {1'b0, rows} + writes);
        end
    end

    always @(posedge clock) if (started) begin
        cover (row_begins && write_begins && row_ends && write_ends && comes && goes);
        cover (passes == 0 && rows == 0 && writes == 2);
        cover (pending == 0 && $past(passes == 1));
    end
endmodule
