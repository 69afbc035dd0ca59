// Task management: docs/spec/tasks.md, TASK-042, TASK-044, TASK-050, TASK-057, TASK-060, TASK-080,
// TASK-110.
//
// Proved for one slot and one SM of 4 x 4, by induction, whatever memory, threads and host say:
//  - idle is never said with a LAUNCH, a CTA, or a read or write of memory in flight;
//  - requests under way are all reads or all writes, and no more than 32;
//  - CTAs of a task are started with ascending numbers, each once, from 0 or what its place says on; a return writes into the
//    place how many have been started, and of a grid how many it has, so none is lost and none comes twice; and an evicted
//    task starts none;
//  - a task is complete (STATE is written, COMPLETE is shown) only when as many CTAs have ended as have been started since it
//    was loaded, and none is in flight; and a grid only when with those of before its evictions as many have been started
//    as it has, of which the product is any number.
//
// Assumed: the memory answers only what it was asked; LAUNCH and the end of a CTA hold until they are taken; an SM ends
// only CTAs that it has taken, and has 16 at most.
// Arithmetic, registers, the table and the contents of memories may be anything, but for the words of the RAM with the number of the
// next CTA and that of all CTAs, and that a record of a place names slot 0, the only one. Of what is due any one has the turn.
module tasks (
    input wire clock,
    input wire reset,
    input wire memory_ready,
    input wire memory_done,
    input wire memory_error,
    input wire [31:0] memory_read,
    input wire launch_request,
    input wire [31:0] launch_descriptor,
    input wire launch_private,
    input wire [2:0] launch_domain,
    input wire reg_write,
    input wire [11:0] reg_address,
    input wire [31:0] reg_data,
    input wire [31:0] memory_end,
    input wire [31:0] thread_end,
    input wire [63:0] now,
    input wire cta_ready,
    input wire end_valid,
    input wire [3:0] end_place,
    input wire end_failed,
    input wire report_valid
);
    wire memory_request, memory_write, launch_done, idle, cta_valid, end_ready, trace_valid;
    wire [31:0] memory_address, memory_data, trace_cta;
    wire [3:0] memory_more;
    wire [3:0] trace_kind;
    weft_tasks dut (
        .clock(clock),
        .reset(reset),
        .memory_request(memory_request),
        .memory_write(memory_write),
        .memory_address(memory_address),
        .memory_data(memory_data),
        .memory_more(memory_more),
        .memory_ready(memory_ready),
        .memory_done(memory_done),
        .memory_error(memory_error),
        .memory_read(memory_read),
        .launch_request(launch_request),
        .launch_descriptor(launch_descriptor),
        .launch_private(launch_private),
        .launch_domain(launch_domain),
        .launch_done(launch_done),
        .idle(idle),
        .reg_write(reg_write),
        .reg_address(reg_address),
        .reg_data(reg_data),
        .reg_read_address(12'd0),
        .memory_end(memory_end),
        .thread_end(thread_end),
        .now(now),
        .cta_valid(cta_valid),
        .cta_ready(cta_ready),
        .end_valid(end_valid),
        .end_ready(end_ready),
        .end_place(end_place),
        .end_failed(end_failed),
        .report_valid(report_valid),
        .report_place(4'd0),
        .report_warp(8'd0),
        .report_thread(6'd0),
        .report_cause(4'd0),
        .report_pc(32'd0),
        .report_address(32'd0),
        .trace_valid(trace_valid),
        .trace_kind(trace_kind),
        .trace_cta(trace_cta)
    );

    // Inside; connected by the runner.
    wire [4:0] step;
    wire [3:0] turn;
    wire accepted, again, direct, early, ask;
    wire [7:0] code;
    wire [1:0] source;
    wire [2:0] slot;
    wire [1:0] from_sm;
    wire [2:0] reader_step;
    wire [5:0] reader_asked, reader_index;
    wire [3:0] reader_fill;
    wire reader_lost, reader_waits, reader_known;
    wire [2:0] reader_work;
    wire [7:0] reader_its_code;
    wire [3:0] reader_op;
    wire [3:0] lists_step;
    wire [5:0] lists_asked, lists_answers;
    wire [3:0] starter_step;
    wire [4:0] starter_index, starter_shown;
    wire [4:0] starter_late_at;
    wire [31:0] starter_late, starter_next_number;
    wire starter_shows, starter_lates, starter_has_started, starter_has_left, starter_queue;
    wire [31:0] starter_number;
    wire [2:0] looker_step;
    wire [3:0] completion_step;
    wire [2:0] spawn_step;
    wire [7:0] used, left, goes, dies, slot_queue;
    wire [6:0] runs;
    wire [31:0] reader_ctas;
    wire loads, scans, best, worst;
    wire [2:0] scan_at, best_slot, worst_slot;
    wire [1:0] place_step, place_at, place_best_sm;
    wire place_best;
    wire [7:0] ctas;
    wire [2:0] its_slot;
    wire whose_any, is_queue;
    wire [15:0] whose_among;
    wire [3:0] whose_place;
    wire words_write;
    wire [8:0] words_write_at, words_read_at;
    wire [31:0] words_write_data, words_read_data;

    // Steps, in the order of `tasks::At` and `reader::At`.
    localparam Choose = 0, Read = 1, Link = 2, Inserted = 3, Loaded = 4, Load = 5, Rank = 8, Aim = 9, Start = 10,
        Return = 11, Returned = 12, Complete = 13, Write = 14, Completed = 15, At_Look = 16, Looked = 17, End = 18, Free = 19, EndLooks = 20,
        Ended = 21, Spawn = 24, Take = 25, Go = 27;
    localparam Rest = 0, Look = 1, Words = 2, Verdict = 3, Fill = 4, Done = 5;
    // Of the lists.
    localparam Copy = 2;

    // ---- Requests without an answer.
    reg [5:0] under_way;
    reg writes;
    wire taken = memory_request & memory_ready;
    always @(posedge clock) begin
        if (reset) under_way <= 0;
        else under_way <= under_way + taken - memory_done;
        if (taken) writes <= memory_write;
    end

    // ---- CTAs that an SM has taken and whose end has not been.
    reg [4:0] running;
    wire takes = cta_valid & cta_ready;
    wire ends = end_valid & end_ready;
    always @(posedge clock) running <= reset ? 5'd0 : running + takes - ends;

    // ---- The number of the next CTA in the RAM, and what stood in the descriptor.
    reg [31:0] shadow;
    reg [31:0] read_shadow;
    reg reads_it = 0;
    localparam [8:0] NUMBER = 9'd26;
    always @(posedge clock) begin
        reads_it <= words_read_at == NUMBER;
        read_shadow <= shadow;
        if (words_write & (words_write_at == NUMBER)) shadow <= words_write_data;
    end
    reg [31:0] said;
    always @(posedge clock)
        if ((reader_step == Words) & memory_done & (reader_index == 26)) said <= again ? memory_read : 32'd0;

    // ---- The number of CTAs of the grid there.
    reg [31:0] size, read_size;
    reg reads_size = 0;
    localparam [8:0] SIZE = 9'd24;
    always @(posedge clock) begin
        reads_size <= words_read_at == SIZE;
        read_size <= size;
        if (words_write & (words_write_at == SIZE)) size <= words_write_data;
    end

    // The starter moves the number on before the SM takes the CTA.
    wire ahead = ((starter_step == 9) & (starter_index > 16)) | (starter_step == 10);
    wire moved = (starter_step == 11) | ((starter_step == 12) & starter_has_started);

    // CTAs of the task in the slot that have been started, with those before its last eviction.
    reg [31:0] total;
    always @(posedge clock) begin
        if (loads) total <= said;
        else if (takes) total <= total + 1;
    end

    // Starts and ends since it was loaded.
    reg [31:0] starts_seen, ends_seen;
    always @(posedge clock) begin
        starts_seen <= reset || loads ? 32'd0 : starts_seen + takes;
        ends_seen <= reset || loads ? 32'd0 : ends_seen + ends;
    end
    wire all_over = used[0] && starts_seen == ends_seen && running == 0 && (slot_queue[0] || dies[0] || total == size);

    reg holds;
    reg started = 0, settled = 0;
    always @(posedge clock) {started, settled} <= {1'b1, started};
    reg launches = 0, holds_end = 0;
    always @(posedge clock) begin
        launches <= ~reset & launch_request & ~launch_done;
        holds_end <= ~reset & end_valid & ~end_ready;
    end

    wire of_parent = ((step == Read) | (step == Link) | (step == Inserted)) & (source == 2);
    wire inserts = (step == Link) | (step == Inserted) | (step == Loaded);

    always @(*) begin
`ifdef FOUND
        // Found at work, in any two cycles that the proof allows: one is not enough, as k is 2.
        assume (!reset);
        if (!settled) assume (holds);
`else
        assume (reset == !started);
`endif
        if (memory_done) assume (under_way != 0);
        if (launches) assume (launch_request);
        if (holds_end) assume (end_valid);
        if (end_valid) assume (running != 0);
        if (running == 16) assume (!cta_ready);
        if (reads_it) assume (words_read_data == read_shadow);
        if (reads_size) assume (words_read_data == read_size);
        assume (its_slot == 0);
        assume (whose_any == (whose_among != 0));
        if (whose_any) assume (whose_among[whose_place]);
    end

    always @(*) if (started) begin
        // ---- What is claimed.
        if (idle) begin
            assert (under_way == 0);
            assert (running == 0);
            assert (!launch_request);
        end
        assert (under_way <= 32);
        if (memory_request && under_way != 0) assert (writes == memory_write);
        if (trace_valid && trace_kind == 2) assert (trace_cta + 1 == total);
        if (memory_request && step == Returned && lists_step == Copy && lists_asked == 26) assert (memory_data == total);
        if (memory_request && step == Returned && lists_step == Copy && lists_asked == 24) assert (memory_data == size);
        if (takes) assert (used[0] && !goes[0] && !dies[0]);
        if (loads && direct && !is_queue) assert (size == reader_ctas);
        if (trace_valid && trace_kind == 6) assert (all_over);
        if (memory_request && completion_step == 5) assert (all_over);
        assert (holds);
    end

    // Why: it follows from itself.
    always @(*) begin
        holds = 1;
        // ---- Who is at work in which step.
        if (reader_step != Rest) holds = holds & (step == Read || step == Load || (inserts && direct));
        if (inserts && reader_step != Rest) holds = holds & (reader_step == Fill);
        if (step == Load) holds = holds & (again && !direct && reader_step != Fill);
        if (step == Take) holds = holds & (again && !direct && reader_step == Rest);
        if (step == Read || inserts) holds = holds & (!again && (source != 2 || !direct));
        if (step == Read && direct && reader_step == Fill) holds = holds & (reader_fill == 0 && reader_its_code == 0);
        if (lists_step != 0) holds = holds & (step == Link || step == Returned || step == Take);
        if (step == Take) holds = holds & (lists_step == 0 || (lists_step >= 4 && lists_step <= 6));
        if (lists_step == 5) holds = holds & (step == Take);
        if (lists_step == 1 || lists_step == 7) holds = holds & (lists_asked == 0 && lists_answers == 0);
        if (starter_step != 0 && starter_step != 13) holds = holds & (step == Start || (inserts && early));
        if (starter_step == 13) holds = holds & ((step == Read || step == Link || step == Inserted) && direct && !early && (starter_index < 12 || (starter_index >= 24 && starter_index <= 26)));
        if (starter_step > 10 && starter_step != 13) holds = holds & (step == Start || !starter_has_started);
        if (early) holds = holds & (starter_step != 0 && inserts && direct && (reader_step == Rest || reader_step == Fill) && !is_queue);
        if (early) holds = holds & (starter_step < 5 || starter_step > 8);
        // The reader has written all of the RAM before the starter writes there.
        if (early && reader_step == Fill) begin
            holds = holds & (starter_step <= 9 || (starter_step == 12 && !starter_has_started));
            if (starter_shows) holds = holds & (starter_step == 9 && reader_fill >= 8);
            if (starter_step == 1) holds = holds & (reader_fill >= 2);
            if (starter_step == 3) holds = holds & (reader_fill >= 3);
            if (starter_step == 4) begin
                holds = holds & (place_step == 0 ? reader_fill >= (place_best ? 6 : 5) : !place_best);
                holds = holds & (place_step != 3 && reader_fill >= (place_step == 2 ? 5 : 4));
            end
            if (starter_step == 9) holds = holds & (reader_fill >= 7 && starter_index <= reader_fill + 5'd5);
        end
        if (looker_step != 0) holds = holds & (step == Looked || step == EndLooks);
        if (completion_step != 0) holds = holds & (step == Write);
        if (spawn_step != 0) holds = holds & (step == Spawn);
        if (place_step == 1 || place_step == 2) holds = holds & (place_at == 0);
        holds = holds & (place_best_sm == 0 || !place_best);
        holds = holds & (slot == 0);
        holds = holds & (from_sm == 0);
        holds = holds & (used[7:1] == 0);
        if (scans) holds = holds & (scan_at == 0);
        if (best) holds = holds & (best_slot == 0);
        if (worst) holds = holds & (worst_slot == 0);
        if (step == Rank) holds = holds & (left[0] && (scans || best));

        // Who has the turn is due still.
        if (step == Go) begin
            if (turn == 0) holds = holds & (holds_end);
            if (turn == 3) holds = holds & (used[0] && ctas == 0 && (dies[0] || (!left[0] && !goes[0])));
            if (turn == 4 || turn == 8) holds = holds & (used[0] && ctas == 0);
            if (turn == 5) holds = holds & (!used[0]);
            if (turn == 7) holds = holds & (used[0] && left[0] && !goes[0] && !dies[0]);
            if (turn == 10) holds = holds & (used[0] && slot_queue[0]);
        end

        // ---- Requests.
        if (accepted) holds = holds & (ask && reader_step != Words && lists_step != Copy);
        if (reader_step == Words) begin
            holds = holds & (reader_asked <= 32 && reader_index <= reader_asked);
            holds = holds & (under_way == reader_asked - reader_index);
            if (under_way != 0) holds = holds & (!writes);
        end else if (lists_step == Copy) begin
            holds = holds & (lists_asked <= 32 && lists_answers <= lists_asked);
            holds = holds & (under_way == lists_asked - lists_answers);
            if (under_way != 0) holds = holds & (writes);
        end else holds = holds & (under_way == accepted);

        // ---- CTAs.
        holds = holds & (running <= 16);
        holds = holds & (ctas + (step == EndLooks || step == Ended) == running);
        if (used[0]) holds = holds & (runs + moved == ctas);
        else holds = holds & (ctas == 0 && !moved);
        if (step == EndLooks || step == Ended) holds = holds & (used[0]);
        if (step == End || step == Free || step == EndLooks || step == Ended) holds = holds & (holds_end);
        if (inserts && direct) holds = holds & (!used[0]);
        if (step == Read && direct) holds = holds & (!used[0]);
        if (step == Load || step == Take) holds = holds & (!used[0]);
        if (step == Rank || step == Aim) holds = holds & (used[0] && !goes[0] && !dies[0]);
        if (step == Start) holds = holds & (used[0] && !goes[0] && !dies[0]);
        if (step == Return || step == Returned) holds = holds & (used[0] && ctas == 0);
        // What the RAM shows next is the word that comes next.
        if (step == Returned && lists_step == Copy && lists_asked == 26) holds = holds & (reads_it);
        if (step == Returned && lists_step == Copy && lists_asked == 24) holds = holds & (reads_size);
        if (reads_it) holds = holds & (read_shadow == shadow || !(step == Returned));
        if (reads_size) holds = holds & (read_size == size || !(step == Returned));
        if (step == Complete || step == Write || step == Completed || of_parent) holds = holds & (used[0] && ctas == 0);

        // ---- Numbers.
        if (reader_work != 0) holds = holds & (reader_step == Words && reader_op < 6 && !again);
        holds = holds & (reader_step <= Done);
        if (reader_step == Look) holds = holds & (reader_asked == 0 && reader_index == 0);
        if (reader_step == Look || (reader_step == Words && reader_index < 8)) holds = holds & (reader_work == 0 && reader_op == 0);
        if (reader_step != Rest && reader_step < Fill) holds = holds & (reader_fill == 0);
        if (reader_step == Look) holds = holds & (!reader_lost);
        if ((reader_step == Words || reader_step == Verdict) && reader_lost) holds = holds & (reader_its_code != 0);
        // Who is only counted fills no row of the RAM, and is not loaded.
        if (step == Read && direct && reader_step == Done) holds = holds & (reader_its_code != 0 || reader_waits);
        if (step == Loaded || early || reader_step == Fill) holds = holds & (!reader_waits);
        if (reader_step == Fill) holds = holds & (reader_fill <= 9);
        if (reader_known) holds = holds & (step == Choose || (reader_step == Words && reader_index == 27));
        if (again && reader_step == Words && reader_index > 26) holds = holds & (shadow == said);
        if (again && reader_step >= Verdict) holds = holds & (shadow == said);
        if (step == Take) holds = holds & (shadow == said);
        if (direct && (reader_step == Words) && reader_index > 26) holds = holds & (said == 0);
        if (direct && ((reader_step >= Verdict && reader_step < Done) || (inserts && code == 0 && !reader_waits))) holds = holds & (said == 0);
        if (inserts && direct && code == 0 && !reader_waits && (reader_step == Rest || reader_fill > 2)) holds = holds & (shadow == ahead);
        if (used[0]) holds = holds & (shadow == total + ahead);
        if (starter_step == 9) holds = holds & (starter_index <= 27);
        holds = holds & (starter_step <= 13 && starter_step != 2);
        if (starter_step >= 5 && starter_step <= 11) holds = holds & (starter_has_started);
        if (starter_shows) holds = holds & (starter_step == 9 || starter_step == 13);
        if (starter_shows) holds = holds & (starter_shown + 1 == starter_index || (starter_step == 13 && starter_shown == 11 && starter_index == 24));
        // What follows from a word comes one cycle later.
        if (starter_lates) begin
            holds = holds & (starter_step <= 1 || starter_step == 9 || starter_step == 10 || starter_step == 13);
            if (starter_step == 9 || starter_step == 10) holds = holds & (starter_late_at + 2 == starter_index);
            else holds = holds & (starter_late_at < 12 || (starter_late_at >= 23 && starter_late_at <= 25));
            if (starter_late_at == 14) holds = holds & (starter_late == shadow);
            if (starter_late_at == 26) holds = holds & (starter_late == size);
        end
        if (starter_step == 9 && (starter_index == 15 || starter_index == 27)) holds = holds & (starter_shows);
        if (starter_step == 9 && starter_index == 16) holds = holds & (starter_lates);
        if (starter_step == 10 && starter_lates) holds = holds & (starter_index == 28);
        if (starter_shows && starter_step == 9 && starter_shown == 14) holds = holds & (reads_it && read_shadow == shadow);
        if (ahead) holds = holds & (starter_number + 1 == shadow && starter_next_number == shadow);
        if (moved) holds = holds & (starter_number + 1 == total);

        // ---- All of them.
        holds = holds & (starts_seen - ends_seen == running);
        if (step == Aim || step == Start) holds = holds & (left[0]);
        if (step == Start) holds = holds & (starter_queue == slot_queue[0]);
        if (used[0] && !slot_queue[0] && !left[0]) holds = holds & (total == size);
        if (starter_shows && starter_shown == 26) holds = holds & (reads_size && read_size == size);
        if (starter_step >= 10 && starter_step <= 12 && !starter_lates && starter_has_started && !starter_queue) holds = holds & (starter_has_left == (starter_number + 1 != size));
        if (step == Complete || step == Write || step == Completed || of_parent) holds = holds & (dies[0] || (!left[0] && !goes[0]));
        if (step == At_Look || step == Looked || step == EndLooks) holds = holds & (used[0] && slot_queue[0]);
        if (reader_step == Fill && reader_fill > 5 && direct && !is_queue) holds = holds & (size == reader_ctas);
        if (inserts && direct && code == 0 && !reader_waits && reader_step == Rest && !is_queue) holds = holds & (size == reader_ctas);
    end

    // Covers: from any state.
    reg evicts = 0, returns = 0, loaded = 0;
    always @(posedge clock) begin
        if (trace_valid && trace_kind == 4) evicts <= 1;
        if (evicts && trace_valid && trace_kind == 5) returns <= 1;
        if (trace_valid && trace_kind == 1 && loads) loaded <= 1;
    end
    always @(posedge clock) if (started) begin
        cover (idle && loaded == 0);
        cover (takes && !loaded);
        cover (evicts && returns);
        cover (loaded && direct);
        cover (trace_valid && trace_kind == 6 && !slot_queue[0] && starts_seen == 2 && total == 3);
        cover (memory_request && reader_step == Words && under_way == 20);
    end
endmodule
