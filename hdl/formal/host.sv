// Front end of the work queue: docs/spec/host.md, HOST-010 to HOST-016, HOST-020, HOST-021, HOST-031, SEM_ACQUIRE.
//
// Proved for two channels, of channel 0, by induction, whatever memory, host and task management say:
//  - an entry is read only while GP_GET is not GP_PUT, from BASE + 8 GP_GET, and GP_GET is that of the entry until it has
//    been executed; so GP_GET never passes GP_PUT, unless the host takes GP_PUT back while the entry is executed;
//  - an entry that is read is executed once: GP_GET moves on behind it, to the next index of the ring, and not before;
//    none is read before the one before it has been executed, has failed, or the host has written GP_GET;
//    nobody else writes GP_GET while the channel is enabled.
// Of each channel:
//  - an acquire passes only behind a read of its own semaphore whose word is what it waits for, and that read is asked
//    for after all three of its words have come, from where the command is.
//
// Assumed: the memory answers only what it was asked, in order. Registers and polls may be anything.
module host (
    input wire clock,
    input wire reset,
    input wire host_awvalid,
    input wire [11:0] host_awaddr,
    input wire host_wvalid,
    input wire [31:0] host_wdata,
    input wire [3:0] host_wstrb,
    input wire host_bready,
    input wire host_arvalid,
    input wire [11:0] host_araddr,
    input wire host_rready,
    input wire memory_ready,
    input wire memory_done,
    input wire memory_error,
    input wire [31:0] memory_read,
    input wire launch_done,
    input wire [7:0] launch_code,
    input wire [31:0] launch_place,
    input wire forget_done,
    input wire idle
);
    wire memory_request, memory_write, trace_valid, trace_command;
    wire [31:0] memory_address, trace_get, trace_address, trace_word;
    wire trace_channel;
    wire [1:0] trace_result;
    weft_host dut (
        .clock(clock),
        .reset(reset),
        .host_awvalid(host_awvalid),
        .host_awaddr(host_awaddr),
        .host_wvalid(host_wvalid),
        .host_wdata(host_wdata),
        .host_wstrb(host_wstrb),
        .host_bready(host_bready),
        .host_arvalid(host_arvalid),
        .host_araddr(host_araddr),
        .host_rready(host_rready),
        .memory_request(memory_request),
        .memory_write(memory_write),
        .memory_address(memory_address),
        .memory_ready(memory_ready),
        .memory_done(memory_done),
        .memory_error(memory_error),
        .memory_read(memory_read),
        .launch_done(launch_done),
        .launch_code(launch_code),
        .launch_place(launch_place),
        .forget_done(forget_done),
        .reg_read_data(32'd0),
        .idle(idle),
        .tasks_in_slots(4'd0),
        .tasks_listed(1'b0),
        .memory_lost(1'b0),
        .memory_given_up(1'b0),
        .task_error(1'b0),
        .fault(1'b0),
        .interrupt_task_error(1'b0),
        .interrupt_fault(1'b0),
        .interrupt_complete(1'b0),
        .count_spawn(1'b0),
        .count_dependent(1'b0),
        .count_start(1'b0),
        .count_end(1'b0),
        .count_evict(1'b0),
        .count_complete(1'b0),
        .trace_valid(trace_valid),
        .trace_channel(trace_channel),
        .trace_command(trace_command),
        .trace_get(trace_get),
        .trace_address(trace_address),
        .trace_word(trace_word),
        .trace_result(trace_result)
    );

    // Inside; connected by the runner.
    wire [5:0] at, then;
    wire current, in_block, asks, m_write, answered, m_error, error_0, error_1, error_2, is_empty;
    wire [1:0] above_0, above_1;
    wire [31:0] old, next_get, get, source_at, word_0, word_1, word_2, m_address, m_word;
    wire [15:0] left;
    wire [16:0] number;
    wire [1:0] got, more, waits, size;
    wire wrong, takes;
    wire clearing;
    wire [4:0] clear_at;
    wire [1:0] enabled, inside, filled;
    wire [31:0] word;
    wire words_write;
    wire [4:0] words_write_at;
    wire [31:0] words_write_data;
    // Words of channel 0: BASE, NUMBER, GP_GET, GP_PUT.
    wire [31:0] ring, entries, gp_get, gp_put;
    wire [3:0] turn;
    wire aw, w, w_whole, equals, port_wrong, port_found, port_takes;
    wire [11:0] aw_address;
    wire port_acts, port_act_fails;
    wire [31:0] w_data;
    wire [16:0] port_number;

    // Steps and turns, in the order of `step::At` and `port::Turn`.
    localparam Choose = 0, Start = 1, Get = 2, Place = 3, Left = 4, Memory = 5, First = 6, Second = 7, Third = 8, Execute = 9,
        Launch = 10, Forget = 11, Compare = 12, Count = 13, Failed = 14, Low = 15, High = 16, Value = 17, Released = 18,
        Advance = 19, Block = 20, Rest = 21, Shadow = 22, Number = 23, Limit = 24, Recycle = 25, MoveLimit = 26, Put = 27,
        MovePut = 28, MoveDone = 29, MoveGet = 30, Waits = 31, Error = 32, ErrorEntry = 33, ErrorAddress = 34;
    localparam Idle = 0, Outer = 1, Read = 2, Answer = 3, TNumber = 4, TBase = 5, TGet = 6, TPut = 7, TShadow = 8, TLast = 9,
        TAct = 10, TErrorAddress = 13;

    // ---- Memory: requests without an answer; those of the step, and its first four answers.
    reg [2:0] under_way, asked, told;
    reg [31:0] answer_0, answer_1, answer_2, answer_3, asked_at;
    reg failed_0, failed_1, failed_2, failed_3, read_3;
    wire taken = memory_request & memory_ready;
    always @(posedge clock) begin
        under_way <= reset ? 3'd0 : under_way + taken - memory_done;
        if (taken & (asked != 7)) asked <= asked + 1;
        if (taken & (asked == 3)) begin
            asked_at <= memory_address;
            read_3 <= !memory_write;
        end
        if (memory_done) begin
            if (told != 7) told <= told + 1;
            case (told)
                0: {failed_0, answer_0} <= {memory_error, memory_read};
                1: {failed_1, answer_1} <= {memory_error, memory_read};
                2: {failed_2, answer_2} <= {memory_error, memory_read};
                3: {failed_3, answer_3} <= {memory_error, memory_read};
                default: ;
            endcase
        end
        if (takes) begin
            asked <= 0;
            told <= 0;
        end
    end
    wire [31:0] over = answer_3 - answer_2;
    wire acquired = told >= 4 && asked >= 4 && read_3 && asked_at == answer_1 && !failed_3 && !failed_1 && !failed_2
        && (answer_0[8] ? !over[31] : over == 0);

    // ---- The entry of channel 0 that has been read and not executed, and where it was.
    reg fetched, taken_back;
    reg [31:0] fetched_at;
    wire begins = trace_valid && !trace_channel && !trace_command && trace_result == 0;
    wire moves = trace_valid && !trace_channel && at == MoveGet;
    wire writes_get = words_write && !clearing && words_write_at == 2;
    wire writes_put = words_write && !clearing && words_write_at == 3;
    always @(posedge clock) begin
        if (begins) begin
            fetched <= 1;
            fetched_at <= trace_get;
            taken_back <= 0;
        end
        if (port_takes && writes_put && words_write_data == gp_get) taken_back <= 1;
        if (moves || (trace_valid && !trace_channel && trace_result == 2) || (port_takes && writes_get)) fetched <= 0;
        if (port_acts && port_act_fails && aw_address[9:6] == 4) fetched <= 0;
        if (reset) fetched <= 0;
    end
    wire [31:0] after = gp_get + 1;
    wire [31:0] next = after == entries ? 32'd0 : after;

    reg holds;
    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
`ifdef FOUND
        // Found at work, in any state that the proof allows.
        assume (!reset);
        if (!started) assume (holds);
`else
        assume (reset == !started);
`endif
        if (memory_done) assume (under_way != 0);
    end

    always @(*) if (started) begin
        // ---- What is claimed.
        if (begins) begin
            assert (gp_get != gp_put);
            assert (!fetched);
            assert (trace_get == gp_get);
            assert (trace_address == ring + (gp_get << 3));
        end
        if (at == MovePut && !current) assert (fetched && (gp_get != gp_put || taken_back));
        if (moves) begin
            assert (fetched && fetched_at == gp_get);
            assert (writes_get && words_write_data == next);
        end
        if (writes_get) assert (moves || (port_takes && !enabled[0]));
        if (writes_put && !port_takes) assert (words_write_data == (gp_put + 1 == entries ? 32'd0 : gp_put + 1));
        if (memory_request && then == First) assert (memory_address == trace_address + (asked << 2));
        if (trace_valid && trace_command && trace_result == 0 && trace_word[7:0] == 3) begin
            assert (acquired);
            assert (trace_word == answer_0);
        end
        assert (holds);
    end

    // Why: it follows from itself.
    wire busy = at != Choose;
    wire mine = busy && !current;
    wire fetches = at == Memory && then == First;
    wire [2:0] all = !in_block ? 3'd2 : left >= 3 ? 3'd3 : left == 0 ? 3'd4 : {1'b0, left[1:0]};
    wire [3:0] field = aw_address[5:2];
    wire of_mine = turn >= TNumber && aw_address[9:6] == 4;
    wire moved = mine && (at == MoveDone || at == MoveGet);
    wire finishing = at == Advance || (at >= Block && at <= MoveGet) || (at == Memory && then == MoveLimit);
    always @(*) begin
        holds = 1;
        // ---- The step, and its requests.
        holds = holds & (at <= ErrorAddress);
        if (at == Memory) holds = holds & (then == First || then == Compare || then == Low || then == High || then == Value || then == Released || then == MoveLimit);
        if (at != Memory) holds = holds & (!asks && under_way == 0);
        if (at > Left && !fetches) holds = holds & (waits == 0);
        if (at > Left && (!fetches || !asks)) holds = holds & (more == 0);
        if (fetches) begin
            holds = holds & (!m_write && asked <= 4 && told <= 4 && told <= asked && under_way == asked - told);
            holds = holds & (asked + (asks ? {1'b0, more} + 3'd1 : 3'd0) == all);
            holds = holds & (told + (answered ? 3'd0 : {1'b0, waits} + 3'd1) == all);
            holds = holds & (got == told[1:0]);
            if (answered) holds = holds & (waits == 0);
            if (asks) holds = holds & (m_address == source_at + (asked << 2));
        end
        if (at == Memory && !fetches) holds = holds & (under_way == (!asks && !answered) && (!asks || !answered));
        if (fetches || (at >= First && at <= Execute)) begin
            if (told >= 1) holds = holds & (word_0 == answer_0 && error_0 == failed_0);
            if (told >= 2) holds = holds & (word_1 == answer_1 && error_1 == failed_1);
            if (told >= 3) holds = holds & (word_2 == answer_2 && error_2 == failed_2);
        end
        if (at >= First && at <= Execute) holds = holds & (asked == all && told == all);
        if ((at == Start || at == Get || at == Place || at == Left)) holds = holds & (asked == 0 && told == 0);
        if (at > Left && !fetches && at != First && !(at >= Error)) holds = holds & (word_0 == answer_0 && told >= 1);
        // ---- What the command is, until it has been executed.
        if (at == Launch || at == Forget || at == Compare || at == Count || at == Failed || (at >= Low && at <= Advance) || at == Execute || at == Third
            || (at == Memory && !fetches)) holds = holds & (in_block);
        if ((at == Second && in_block) || at == Third || at == Execute || at == Launch || at == Forget || at == Compare || at == Count || at == Failed
            || (at >= Low && at <= Advance) || (at == Memory && then != First && then != MoveLimit)) holds = holds & (!wrong);
        if (at == Launch) holds = holds & (word_0[7:0] == 1);
        if (at == Forget) holds = holds & (word_0[7:0] == 5);
        if ((at >= Low && at <= Released) || (at == Memory && then >= Low && then <= Released)) holds = holds & (word_0[7:0] == 4);
        if (at == Third) holds = holds & (size == 3);
        if (at == Execute && size == 3) holds = holds & (!error_1 && !error_2);
        if (at == Third) holds = holds & (!error_1);
        // ---- An acquire.
        if ((at == Memory && then == Compare) || at == Compare || at == Count || at == Failed) begin
            holds = holds & (word_0[7:0] == 3 && word_1 == answer_1 && word_2 == answer_2 && !failed_1 && !failed_2);
            if (at == Memory) begin
                holds = holds & (told + !answered == 4 && asked + asks == 4);
                if (asks) holds = holds & (!m_write && m_address == word_1);
                if (answered) holds = holds & (m_word == answer_3 && m_error == failed_3);
            end else holds = holds & (told == 4 && asked == 4 && m_word == answer_3 && m_error == failed_3);
            if (!asks) holds = holds & (read_3 && asked_at == word_1);
        end
        if (at >= First && at <= Execute) holds = holds & (!m_write);
        if (finishing && in_block && word_0[7:0] == 3) holds = holds & (acquired);
        if (at >= Shadow && at <= MoveGet) holds = holds & (in_block);
        if (at == Waits) holds = holds & (in_block);

        // ---- Channel 0, in its step and beside.
        if (clearing) begin
            holds = holds & (enabled == 0 && inside == 0 && filled == 0 && turn == Idle && !busy);
            if (clear_at > 2) holds = holds & (gp_get == 0);
            if (clear_at > 3) holds = holds & (gp_put == 0);
        end else if (!moved) holds = holds & (filled[0] == (gp_get != gp_put));
        holds = holds & (fetched == inside[0]);
        if (fetched) holds = holds & (fetched_at == gp_get);
        if (fetched && !taken_back && !moved) holds = holds & (gp_get != gp_put);
        if (enabled[0]) holds = holds & (entries >= 2 && entries <= 65536);
        if (mine) begin
            holds = holds & (enabled[0]);
            if (at > Start) holds = holds & (in_block == inside[0]);
            if (!inside[0]) holds = holds & (gp_get != gp_put);
            if (at == Get) holds = holds & (word == gp_get);
            if (at > Get) holds = holds & (get == gp_get);
            if (at == Place && !in_block) holds = holds & (word == ring);
            if (at > Place && !in_block) holds = holds & (source_at == ring + (gp_get << 3));
            if (at == Limit) holds = holds & (word == entries);
            if ((at >= Recycle && at <= MoveGet) || (at == Memory && then == MoveLimit)) holds = holds & (number == entries);
            if (at == Put) holds = holds & (word == gp_put);
            if (at == MovePut) holds = holds & (old == gp_put && next_get == next);
            if (moved) holds = holds & (is_empty == (gp_put == next));
        end
        // Of two channels one outranks the other one at most.
        holds = holds & (!above_0[0] && !above_1[1] && !(above_0[1] && above_1[0]));
        // ---- The host port.
        holds = holds & (turn <= TErrorAddress);
        if (turn != Idle) holds = holds & (at == Choose || at == Memory || at == Launch || at == Forget);
        if (turn == Outer || turn >= TNumber) holds = holds & (aw && w);
        if (turn >= TNumber) holds = holds & (w_whole && aw_address[11:10] == 0 && aw_address[9:7] == 2 && aw_address[1:0] == 0);
        if (of_mine) begin
            // But for GP_PUT it waits for the end of a step.
            if (mine) holds = holds & (field == 3);
            if (turn == TBase) holds = holds & (word == entries);
            if (turn == TGet) holds = holds & (word == ring);
            if (turn >= TGet && turn <= TAct) holds = holds & (port_number == entries[16:0]);
            if (turn >= TGet && turn <= TAct && !port_wrong && !port_found) holds = holds & (entries >= 2 && entries <= 65536);
            if (turn == TPut) holds = holds & (word == gp_get);
            if (turn == TShadow) holds = holds & (word == gp_put);
            if (turn == TShadow || ((turn == TLast || turn == TAct) && field != 2)) holds = holds & (equals == (w_data == gp_get));
            if ((turn == TLast || turn == TAct) && field == 2) holds = holds & (equals == (w_data == gp_put));
            // An error comes from a write that found the channel enabled, or enabled it not.
            if (turn > TAct) holds = holds & (!mine);
        end
    end

    // Covers: from any state.
    reg has_begun = 0, is_back = 0;
    always @(posedge clock) begin
        if (begins) has_begun <= 1;
        if (port_takes && writes_put && words_write_data == gp_get) is_back <= 1;
    end
    always @(posedge clock) if (started) begin
        cover (begins);
        cover (moves && !taken_back);
        cover (moves && is_back);
        cover (trace_valid && trace_command && trace_result == 0 && trace_word[7:0] == 3);
        cover (writes_put && !port_takes);
    end
endmodule
