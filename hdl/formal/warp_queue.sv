// Queue of ready warps: docs/spec/control.md, CTRL-010 to CTRL-012.
//
// Proved for 4 warps, by induction, for any sequence of wakes and takes in which a warp is woken only while it does not
// wait:
//  - warps are picked in the order in which they woke, none is lost and none is picked twice: the port always shows the
//    oldest of a reference queue;
//  - the queue holds as many warps as wait, its pointers are that far apart, and it never overflows;
//  - a warp is picked after at most 3 picks of others.
module warp_queue (
    input wire clock,
    input wire reset,
    input wire wake_valid,
    input wire [1:0] wake_warp,
    input wire pick_take
);
    wire pick_valid;
    wire [1:0] pick_warp;
    weft_warp_queue dut (
        .clock(clock),
        .reset(reset),
        .wake_valid(wake_valid),
        .wake_warp(wake_warp),
        .pick_valid(pick_valid),
        .pick_warp(pick_warp),
        .pick_take(pick_take)
    );

    // Inside; connected by the runner.
    wire [2:0] first;
    wire [2:0] last;
    wire [1:0] entry0, entry1, entry2, entry3;

    // The reference: oldest at 0.
    reg [1:0] order0, order1, order2, order3;
    reg [2:0] count = 0;
    reg [3:0] waits = 0;
    wire taken = pick_valid & pick_take;
    wire [2:0] kept = count - taken;

    always @(posedge clock) begin
        if (reset) begin
            count <= 0;
            waits <= 0;
        end else begin
            if (taken) begin
                order0 <= order1;
                order1 <= order2;
                order2 <= order3;
            end
            if (wake_valid) begin
                if (kept == 0) order0 <= wake_warp;
                if (kept == 1) order1 <= wake_warp;
                if (kept == 2) order2 <= wake_warp;
                if (kept == 3) order3 <= wake_warp;
            end
            count <= kept + wake_valid;
            waits <= (waits & ~(taken ? 4'd1 << pick_warp : 4'd0)) | (wake_valid ? 4'd1 << wake_warp : 4'd0);
        end
    end

    // Any one warp: how many others were picked since it woke.
    (* anyconst *) wire [1:0] watched;
    reg [2:0] others = 0;
    always @(posedge clock) begin
        if (reset || !waits[watched]) others <= 0;
        else if (taken) others <= others + 1;
    end

    function [1:0] entry(input [1:0] at);
        entry = at == 0 ? entry0 : at == 1 ? entry1 : at == 2 ? entry2 : entry3;
    endfunction
    function [3:0] bit_of(input on, input [1:0] warp);
        bit_of = on ? 4'd1 << warp : 4'd0;
    endfunction
    wire [2:0] queued = last - first;
    wire [1:0] oldest = first[1:0];
    wire [1:0] second = oldest + 2'd1;
    wire [1:0] third = oldest + 2'd2;
    wire [1:0] fourth = oldest + 2'd3;
    // Where the watched warp stands in the reference.
    wire [2:0] ahead = order0 == watched ? 3'd0 : order1 == watched ? 3'd1 : order2 == watched ? 3'd2 : 3'd3;

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        if (!started) assume (reset);
        if (wake_valid) assume (!waits[wake_warp]);
        if (started) begin
            // What the ports show.
            assert (pick_valid == (count != 0));
            if (count != 0) assert (pick_warp == order0);
            if (waits[watched]) assert (others <= 3);
            // Pointers.
            assert (queued <= 4);
            assert (queued == count);
            // Why: the queue is the reference, and each warp that waits stands in it once.
            if (count > 0) assert (entry(oldest) == order0);
            if (count > 1) assert (entry(second) == order1);
            if (count > 2) assert (entry(third) == order2);
            if (count > 3) assert (entry(fourth) == order3);
            assert (waits == (bit_of(count > 0, order0) | bit_of(count > 1, order1) | bit_of(count > 2, order2) | bit_of(count > 3, order3)));
            assert (count == waits[0] + waits[1] + waits[2] + waits[3]);
            if (waits[watched]) assert (others + ahead <= 3);
        end
    end

    always @(posedge clock) begin
        if (started) begin
            cover (count == 4);
            cover (waits[watched] && others == 3);
        end
    end
endmodule
