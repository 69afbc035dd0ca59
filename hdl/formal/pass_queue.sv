// Passes in front of the load/store unit: docs/spec/memory.md, *Load/store unit*.
//
// Proved by induction for a queue of 32 passes, of any one pass, for any pushes and pops:
//  - what is taken comes out once, in its turn and as it came: in front of it come as many as were in the queue;
//  - what is offered stays until it is taken, but for a pass that comes to an empty queue and leaves it again;
//  - a pass that comes to an empty queue is offered in that cycle, one that waits two cycles after it was taken or when
//    the one before it has left; nothing is refused while there is room;
//  - `slots_free` instructions of two passes each have room.
//
// Assumed: no reset behind the first cycle.
module pass_queue (
    input wire clock,
    input wire reset,
    input wire push_valid,
    input wire [1:0] push_head,
    input wire [1:0] push_address,
    input wire [1:0] push_data,
    input wire pop_ready
);
    wire push_ready, pop_valid;
    wire [1:0] pop_head, pop_address, pop_data;
    wire [4:0] slots_free;
    weft_pass_queue dut (.*);

    // Inside; connected by the runner.
    wire [5:0] stored;
    wire [4:0] first, last;
    wire holds, shown;
    wire [63:0] heads, addresses, datas;
    wire [1:0] head_read, address_read, data_read;

    wire push = push_valid & push_ready;
    wire pop = pop_valid & pop_ready;
    wire [5:0] pushed = {push_head, push_address, push_data};
    wire [5:0] popped = {pop_head, pop_address, pop_data};

    // How many are in it; any one pass from when it is taken: those in front of it, and what it carries.
    reg [5:0] count = 0;
    (* anyseq *) wire choose;
    reg watched = 0;
    reg [5:0] ahead;
    reg [5:0] carried;
    wire chosen = push & choose & !watched;
    // It comes and goes in one cycle.
    wire at_once = chosen & pop & (count == 0);
    always @(posedge clock) begin
        count <= reset ? 6'd0 : count + push - pop;
        if (watched & pop) ahead <= ahead - 1;
        if (watched & pop & (ahead == 0)) watched <= 0;
        if (chosen & !at_once) begin
            watched <= 1;
            ahead <= count - pop;
            carried <= pushed;
        end
        if (reset) watched <= 0;
    end

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        assume (reset == !started);
        if (started) begin
            assert (push_ready == (count != 32));
            if (pop) assert (count != 0 || push);
            if (count == 0) assert (pop_valid == push_valid);
            if (pop_valid & (count == 0)) assert (popped == pushed);
            // It comes in its turn, as it came, and none comes twice.
            if (watched) assert (ahead < count);
            if (watched & pop_valid & (ahead == 0)) assert (popped == carried);
            assert (slots_free == ((6'd32 - count) >> 1 > 31 ? 31 : (6'd32 - count) >> 1));
        end
    end
    always @(posedge clock) if (started && $past(started)) begin
        if ($past(pop_valid & !pop_ready & (count != 0))) assert (pop_valid && popped == $past(popped));
        // Cycles for which nothing is offered.
        if ($past(count != 0) && count != 0) assert (pop_valid || $past(pop && count == 1 && push));
    end

    // Why: where it lies.
    wire [4:0] place = first + ahead[4:0];
    wire [5:0] oldest = {heads[2 * first +: 2], addresses[2 * first +: 2], datas[2 * first +: 2]};
    wire [5:0] lies = {heads[2 * place +: 2], addresses[2 * place +: 2], datas[2 * place +: 2]};
    always @(*) if (started) begin
        assert (stored == count && count <= 32 && holds == (count != 0));
        assert (last == first + stored[4:0]);
        assert (!shown || stored != 0);
        if (watched) assert (lies == carried);
        if (shown) assert ({head_read, address_read, data_read} == oldest);
    end

    always @(posedge clock) if (started) begin
        cover (watched && ahead == 2 && pop && push);
        cover (at_once);
        cover (pop_valid && !pop_ready && count == 3 && slots_free == 14);
    end
endmodule
