// Task management goes on: docs/spec/tasks.md, TASK-120 to TASK-123.
//
// Proved for one slot and one SM of 4 x 4, by induction, whatever memory, threads and host say:
//  - no rest with work (TASK-120): when no step is under way, nothing is due and no CTA runs, then no LAUNCH waits, no list
//    has a task, and the slot has none or a queue that waits for entries; and what is due begins in the next cycle;
//  - steps end (TASK-121): a number that is known from the state falls in each cycle of a step, but for those in which it
//    waits for memory, or for an SM to take a CTA; and then it does not rise;
//  - turns (TASK-122): of what is due, whoever stays due is nearer to the turn after each turn of another;
//  - a CTA is offered in a place in which none runs (TASK-055);
//  - nothing in vain (TASK-123): a search for room or for whom to evict that has found nothing is not made again before
//    something has changed; the first only while a CTA runs.
//
// Assumed: the first cycle is in reset, and whenever there is one, memory, host and SM forget what was under way; the memory
// answers only what it was asked; LAUNCH, and the end or the fault of a CTA with its place, hold until they are taken, a
// fault before the end; an SM ends only CTAs that it has taken and that run, and so with faults; a CTA of a task in the slot
// has room on an SM that is empty, so 1 to 4 warps and 32 granules at most (that is what TASK-030 checks); the records of
// places hold what was written there.
// Other contents of memories, and registers, may be anything.
//
// Five proofs, each of one part. WORK (who is at work in which step, requests, CTAs), ROOM (warps, places and what a search
// finds) and MARKS (granules that are taken are those of the CTAs there) suppose of the cycle before that all parts held
// in it. REST (who has the turn; TASK-120, 122, 123) and STEPS (TASK-121) suppose that too, and WORK, ROOM and MARKS of the
// same cycle. So if the parts hold in one cycle they hold in the next; that they hold in the first is checked as well.
module progress (
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
    input wire report_valid,
    input wire [3:0] report_place
);
    wire memory_request, launch_done, cta_valid, end_ready, report_ready;
    wire [3:0] cta_place;
    weft_tasks dut (
        .clock(clock),
        .reset(reset),
        .memory_request(memory_request),
        .memory_ready(memory_ready),
        .memory_done(memory_done),
        .memory_error(memory_error),
        .memory_read(memory_read),
        .launch_request(launch_request),
        .launch_descriptor(launch_descriptor),
        .launch_private(launch_private),
        .launch_domain(launch_domain),
        .launch_done(launch_done),
        .reg_write(reg_write),
        .reg_address(reg_address),
        .reg_data(reg_data),
        .reg_read_address(12'd0),
        .memory_end(memory_end),
        .thread_end(thread_end),
        .now(now),
        .cta_valid(cta_valid),
        .cta_ready(cta_ready),
        .cta_place(cta_place),
        .end_valid(end_valid),
        .end_ready(end_ready),
        .end_place(end_place),
        .end_failed(end_failed),
        .report_valid(report_valid),
        .report_ready(report_ready),
        .report_place(report_place),
        .report_warp(8'd0),
        .report_thread(6'd0),
        .report_cause(4'd0),
        .report_pc(32'd0),
        .report_address(32'd0)
    );

    // Inside; connected by the runner, whether the part that is proved needs it or not.
    (* keep *) wire [4:0] step;
    (* keep *) wire accepted, again, direct, early, stuck, content;
    (* keep *) wire [1:0] source, from_sm;
    (* keep *) wire [2:0] slot;
    (* keep *) wire [3:0] from_place;
    (* keep *) wire [3:0] reader_fill, reader_op;
    (* keep *) wire [2:0] reader_step;
    (* keep *) wire [5:0] reader_asked, reader_index;
    (* keep *) wire [2:0] reader_work;
    (* keep *) wire reader_waits, reader_known;
    (* keep *) wire [3:0] lists_top;
    (* keep *) wire [3:0] lists_step;
    (* keep *) wire [5:0] lists_asked, lists_answers;
    (* keep *) wire [15:0] filled;
    (* keep *) wire lists_any;
    (* keep *) wire [3:0] starter_step;
    (* keep *) wire [4:0] starter_index;
    (* keep *) wire starter_has_started;
    (* keep *) wire [7:0] starter_its_warps;
    (* keep *) wire [5:0] starter_its_granules;
    (* keep *) wire [2:0] looker_step, spawn_step;
    (* keep *) wire [3:0] completion_step;
    (* keep *) wire [31:0] spawn_its_number;
    (* keep *) wire [16:0] spawn_index;
    (* keep *) wire math_busy, math_divides, math_is_out;
    (* keep *) wire [3:0] turn;
    (* keep *) wire [7:0] looks;
    (* keep *) wire [5:0] math_left;
    (* keep *) wire [31:0] math_y;
    (* keep *) wire [7:0] used, left, open, goes, dies;
    (* keep *) wire [6:0] runs;
    (* keep *) wire [3:0] slot_level;
    (* keep *) wire scans, best, worst;
    (* keep *) wire [2:0] scan_at, best_slot, worst_slot;
    (* keep *) wire [7:0] worst_key;
    (* keep *) wire [1:0] place_step, place_at, place_best_sm;
    (* keep *) wire place_best;
    (* keep *) wire [3:0] place_best_place;
    (* keep *) wire [4:0] place_flip_at;
    (* keep *) wire [5:0] place_left;
    (* keep *) wire [31:0] place_runs_of, taken;
    (* keep *) wire [15:0] places;
    (* keep *) wire [7:0] ctas, used_warps;
    (* keep *) wire record_write;
    (* keep *) wire [5:0] record_write_at;
    (* keep *) wire [21:0] record_write_data, record_read_data;
    (* keep *) wire is_queue, starter_queue, changed;
    (* keep *) wire [15:0] due, whose_among;
    (* keep *) wire [3:0] whose_place;
    (* keep *) wire [3:0] rota_here, rota_above;
    (* keep *) wire [3:1] rota_later;
    (* keep *) wire [31:0] words_read_data;

    // Steps, in the order of `tasks::At` and `reader::At`.
    localparam Choose = 0, Read = 1, Link = 2, Inserted = 3, Loaded = 4, Load = 5, Victim = 6, Evict = 7, Rank = 8, Aim = 9,
        Start = 10, Return = 11, Returned = 12, Complete = 13, Write = 14, Completed = 15,
        At_Look = 16, Looked = 17, End = 18, Free = 19, EndLooks = 20, Ended = 21, Fault = 22, Faulted = 23, Spawn = 24, Take = 25,
        Kill = 26, Go = 27;
    localparam Rest = 0, Look = 1, Words = 2, Verdict = 3, Fill = 4, Done = 5;
    // Of the lists.
    localparam Free_one = 1, Copy = 2, Last = 3, State = 4, Give = 5, Begin = 7, Named = 8;

    // Past the first cycle, which is in reset, or, with FOUND, at work.
    reg behind = 0;
    always @(posedge clock) behind <= 1;
`ifdef FOUND
    wire started = 1;
`else
    wire started = behind;
`endif

    // ---- Requests without an answer.
    reg [5:0] under_way;
    wire takes_word = memory_request & memory_ready;
    always @(posedge clock)
        if (reset) under_way <= 0;
        else under_way <= under_way + takes_word - memory_done;

    // ---- CTAs that the SM has taken and whose end has not been, by place.
    reg [15:0] running;
    wire takes = cta_valid & cta_ready;
    wire ends = end_valid & end_ready;
    always @(posedge clock)
        if (reset) running <= 0;
        else running <= (running | (takes ? 16'd1 << cta_place : 16'd0)) & ~(ends ? 16'd1 << end_place : 16'd0);
    reg launches, holds_end, holds_report;
    reg [3:0] held_place, held_report_place;
    always @(posedge clock) begin
        launches <= started & ~reset & launch_request & ~launch_done;
        holds_end <= started & ~reset & end_valid & ~end_ready;
        holds_report <= started & ~reset & report_valid & ~report_ready;
        held_place <= end_place;
        held_report_place <= report_place;
    end

    // ---- Records of the places that four warps can be in: slot [2:0], warps [10:3], first granule [15:11], granules [21:16].
    reg [21:0] record_0, record_1, record_2, record_3;
    always @(posedge clock) if (record_write) begin
        if (record_write_at == 0) record_0 <= record_write_data;
        if (record_write_at == 1) record_1 <= record_write_data;
        if (record_write_at == 2) record_2 <= record_write_data;
        if (record_write_at == 3) record_3 <= record_write_data;
    end
    wire [21:0] record = from_place[1] ? (from_place[0] ? record_3 : record_2) : (from_place[0] ? record_1 : record_0);

    // Granules from this one on, so many, 32 at most; those past the last one begin anew.
    function is_of(input [4:0] which, input [4:0] first, input [5:0] number);
        reg [4:0] past;
        begin
            past = which - first;
            is_of = {1'b0, past} < number;
        end
    endfunction
    function [31:0] granules(input [4:0] first, input [5:0] number);
        integer k;
        for (k = 0; k < 32; k = k + 1) granules[k] = is_of(k, first, number);
    endfunction
    // A granule is marked if it is of one of the CTAs there; while a CTA's are flipped, those that are left are not yet.
    function good_mark(input [4:0] which);
        good_mark = taken[which] == ((place_step == 3 && is_of(which, place_flip_at, place_left))
            ^ (places[0] && is_of(which, record_0[15:11], record_0[21:16]))
            ^ (places[1] && is_of(which, record_1[15:11], record_1[21:16]))
            ^ (places[2] && is_of(which, record_2[15:11], record_2[21:16]))
            ^ (places[3] && is_of(which, record_3[15:11], record_3[21:16])));
    endfunction
`ifdef MARKS
    // Of any one granule; the others are not needed for it.
    (* anyconst *) wire [4:0] any_granule;
    wire marks_fit = good_mark(any_granule);
`else
    wire [31:0] good_marks;
    genvar g;
    generate
        for (g = 0; g < 32; g = g + 1) begin : marks
            wire [4:0] which = g;
            assign good_marks[g] = good_mark(which);
        end
    endgenerate
    wire marks_fit = &good_marks;
`endif
    function [7:0] warps_of(input there, input [21:0] its);
        warps_of = there ? its[10:3] : 8'd0;
    endfunction
    wire [7:0] recorded_warps = warps_of(places[0], record_0) + warps_of(places[1], record_1) + warps_of(places[2], record_2)
        + warps_of(places[3], record_3);
    function good_record(input there, input [21:0] its);
        good_record = !there || (its[2:0] == 0 && its[10:3] >= 1 && its[10:3] <= 4 && its[21:16] <= 32);
    endfunction

    // ---- What falls while a step is under way.
    wire [31:0] math = math_divides ? {26'd0, math_left} : math_y;
    wire [38:0] work = reader_work == 0 ? 39'd0
        : {4'd15 - reader_op, reader_work == 5 ? 3'd5 : 3'd5 - reader_work, reader_work == 4 ? math : 32'd0};
    reg [49:0] of_reader;
    always @(*) begin
        of_reader = {4'd0, 7'd0, work};
        case (reader_step)
            Look: of_reader[49:46] = 9;
            Words: begin
                of_reader[49:46] = 8;
                of_reader[45:39] = 7'd64 - reader_asked - reader_index;
            end
            Verdict: of_reader[49:46] = 7;
            Fill: begin
                of_reader[49:46] = 6;
                of_reader[45:39] = 7'd11 - reader_fill;
            end
            Done: of_reader[49:46] = 2;
            default: ;
        endcase
    end
    wire [7:0] of_place = {place_step == 1, place_step == 2 || place_step == 3, place_step == 0 || place_step == 1 ? 6'd0 : place_left};
    reg [9:0] of_lists;
    always @(*) begin
        of_lists = {9'd0, lists_step != 0 && lists_step != 6 && !accepted};
        case (lists_step)
            Begin, Free_one, Give: of_lists[9:7] = 5;
            Copy: of_lists = {3'd4, 7'd64 - lists_asked - lists_answers};
            Last: of_lists[9:7] = 3;
            Named: of_lists[9:7] = 2;
            State: of_lists[9:7] = 1;
            default: ;
        endcase
    end
    reg [4:0] rank;
    reg [54:0] within;
    always @(*) begin
        rank = 0;
        within = 0;
        case (step)
            Spawn: begin
                rank = 20;
                case (spawn_step)
                    1: within[54:52] = 7;
                    3: within[54:52] = 6;
                    4: within[54:52] = 5;
                    5: within[54:52] = 4;
                    6: within[54:52] = 3;
                    2: within[54:52] = 2;
                    7: within[54:52] = 1;
                    default: ;
                endcase
                if (spawn_step == 4) within[51:34] = spawn_its_number - spawn_index;
                within[33] = spawn_step != 0 && spawn_step <= 4 && !accepted;
                if (spawn_step == 6) within[31:0] = math;
            end
            Complete: rank = 20;
            Write: begin
                rank = 19;
                within[54:50] = 11 - completion_step;
                within[49] = completion_step >= 5 && completion_step <= 9 && !accepted;
            end
            Read: begin
                rank = 18;
                within = of_reader;
            end
            Link: begin
                rank = 17;
                within = of_lists;
            end
            Inserted: rank = 16;
            Loaded: begin
                rank = 15;
                within = of_reader;
            end
            Completed: rank = 14;
            Load: begin
                rank = 14;
                within = of_reader;
            end
            Take: begin
                rank = 13;
                within = of_lists;
            end
            At_Look: rank = 12;
            Looked: begin
                rank = 11;
                within = {3'd6 - looker_step, (looker_step == 1 || looker_step == 2) && !accepted};
            end
            Victim: begin
                rank = 10;
                within = scans;
            end
            Evict: rank = 9;
            Rank: begin
                rank = 10;
                within = scans;
            end
            Aim: rank = 9;
            Start: begin
                rank = 8;
                within[54:50] = 13 - starter_step;
                if (starter_step == 9) within[8:0] = 9'd27 - starter_index;
                else within[8:0] = {starter_step == 11 && !accepted, of_place};
            end
            Return: rank = 7;
            Returned: begin
                rank = 4;
                within = of_lists;
            end
            End: rank = 7;
            Free: begin
                rank = 6;
                within = of_place;
            end
            EndLooks: begin
                rank = 5;
                within = {3'd6 - looker_step, (looker_step == 1 || looker_step == 2) && !accepted};
            end
            Ended: rank = 4;
            Fault: rank = 7;
            Faulted: rank = 6;
            Kill: rank = 1;
            Go: rank = 21;
            default: ;
        endcase
    end
    wire [59:0] measure = {rank, within};
    wire waits = (memory_request & ~memory_ready & ~memory_done) | (~memory_request & (under_way != 0) & ~memory_done)
        | (cta_valid & ~cta_ready);
    reg works, waited;
    reg [59:0] measured;
    always @(posedge clock) begin
        works <= started & ~reset & (step != Choose);
        waited <= waits;
        measured <= measure;
    end

    // ---- What was due in the last cycle, and who had the turn.
    reg [15:0] among;
    reg [3:0] had;
    reg [63:0] far;
    wire [63:0] distance;
    // The last one that had a turn; behind a reset the first one is the next.
    wire [1:0] last_group = rota_here[0] ? 2'd0 : rota_here[1] ? 2'd1 : rota_here[2] ? 2'd2 : 2'd3;
    wire [1:0] last_in_it = rota_later[1] ? 2'd0 : rota_later[2] ? 2'd1 : rota_later[3] ? 2'd2 : 2'd3;
    wire [3:0] last = {last_group, last_in_it};
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : of
            assign distance[4 * i +: 4] = i - 1 - last;
        end
    endgenerate
    always @(posedge clock) begin
        among <= started & ~reset ? whose_among : 16'd0;
        had <= whose_place;
        far <= distance;
    end
    integer at;

    wire [15:0] above;
    generate
        for (i = 0; i < 16; i = i + 1) begin : levels
            // Bit 15 - level of `filled`.
            assign above[i] = filled[15 - i];
        end
    endgenerate
    // Lists above the level of the slot.
    wire some_above = (above >> slot_level) >> 1 != 0;
    wire evicts_next = worst & some_above;

    // ---- A search that has found nothing, until something changes.
    reg nobody = 0, nowhere = 0;
    always @(posedge clock) begin
        if (changed | reset) nobody <= 0;
        else if (step == Victim & ~scans & ~evicts_next) nobody <= 1;
        if (changed | reset) nowhere <= 0;
        else if (step == Start & starter_step == 12 & place_step == 0 & ~starter_has_started) nowhere <= 1;
    end

    wire moved = (starter_step == 11) | ((starter_step == 12) & starter_has_started);
    wire inserts = (step == Link) | (step == Inserted) | (step == Loaded);
    wire of_parent = ((step == Read) | (step == Link) | (step == Inserted)) & (source == 2);
    wire at_end = (step == End) | (step == Free) | (step == EndLooks) | (step == Ended);
    wire [15:0] from_bit = 16'd1 << from_place;
    wire freed = (step == EndLooks) | (step == Ended);
    // What keeps itself up: who works, requests, CTAs; where room is free; who has the turn.
    reg works_well, room_fits, turns_fit;
    wire holds = works_well & room_fits & marks_fit & turns_fit & (started | (step == Choose & used == 0));
    // Each part is proved on its own, in a cycle behind one in which all of them hold.
    reg held = 1;
    always @(posedge clock) held <= holds;
`ifndef FOUND
    initial begin
        under_way = 0;
        running = 0;
        launches = 0;
        holds_end = 0;
        holds_report = 0;
        works = 0;
        among = 0;
    end
`endif

    always @(*) begin
`ifdef FOUND
        // Found at work, in any state that the proof allows.
        assume (!reset);
        if (!behind) assume (holds);
`else
        if (!started) assume (reset);
        assume (held);
        // Proved by WORK, ROOM and MARKS, which do not suppose anything of the same cycle.
`ifdef REST
        assume (works_well && room_fits && marks_fit);
`endif
`ifdef STEPS
        assume (works_well && room_fits && marks_fit);
`endif
`endif
        if (memory_done) assume (under_way != 0);
        if (launches) assume (launch_request);
        if (holds_end) assume (end_valid && end_place == held_place);
        if (end_valid) assume (running[end_place]);
        if (holds_report) assume (report_valid && report_place == held_report_place);
        if (report_valid) assume (running[report_place]);
        if (starter_step == 1) assume (words_read_data[23:16] >= 1 && words_read_data[23:16] <= 4 && words_read_data[29:24] <= 32);
        if (from_sm == 0 && from_place < 4) assume (record_read_data == record);
    end

    always @(*) if (behind) begin
`ifdef REST
        // ---- TASK-120.
        if (step == Choose && due == 0 && ctas == 0) begin
            assert (!launch_request && !end_valid && !report_valid && running == 0);
            assert (!used[0] || (!dies[0] && !left[0] && open[0] && !goes[0]));
            assert (!lists_any);
        end
        if (among != 0) assert (step == Go);
        // ---- TASK-122.
        for (at = 0; at < 16; at = at + 1)
            if (among[at] && had != at) assert (distance[4 * at +: 4] < far[4 * at +: 4]);
        // ---- TASK-123.
        if (nobody) assert (step != Victim);
        if (nowhere) assert (step != Rank && step != Aim && (step != Start || early));
        if (nowhere && step == Choose) assert (running != 0);
        // ---- TASK-055, as the CTA port of an SM supposes it (`cta_port.sv`).
        if (cta_valid) assert (!running[cta_place]);
`endif
`ifdef STEPS
        // ---- TASK-121.
        if (works) assert (step == Choose || measure < measured || (waited && measure == measured));
`endif
    end
`ifdef REST
    // Before the first reset, too; nothing is under way then.
    always @(*) if (!started) assert (step == Choose && used == 0);
    always @(*) assert (turns_fit);
`endif
`ifdef WORK
    always @(*) assert (works_well);
`endif
`ifdef ROOM
    always @(*) assert (room_fits);
`endif
`ifdef MARKS
    always @(*) assert (marks_fit);
`endif

    // Why: it follows from itself.
    always @(*) begin
        works_well = 1;
        // ---- Who is at work in which step.
        works_well = works_well & (step <= Go);
        works_well = works_well & (slot == 0 && from_sm == 0 && used[7:1] == 0);
        if (reader_step != Rest) works_well = works_well & (step == Read || step == Load || (inserts && direct && reader_step == Fill));
        if (step == Read) works_well = works_well & (reader_step != Rest && (reader_step != Fill || !direct || reader_fill == 0));
        if (step == Load) works_well = works_well & (again && !direct && reader_step != Rest && reader_step != Fill);
        if (step == Take) works_well = works_well & (again && !direct);
        if (step == Read || inserts) works_well = works_well & (!again && (source != 2 || !direct));
        if (step == Loaded) works_well = works_well & (direct);
        // Who is only counted is not loaded.
        if (step == Loaded || early) works_well = works_well & (!reader_waits);
        works_well = works_well & ((lists_step != 0) == (step == Link || step == Returned || step == Take));
        if (step == Take) works_well = works_well & (lists_step == Give || lists_step == State || lists_step == 6);
        works_well = works_well & (lists_step <= Named);
        if (lists_step == Give) works_well = works_well & (step == Take);
        if (lists_step == Begin || lists_step == Free_one) works_well = works_well & (lists_asked == 0 && lists_answers == 0);
        if (starter_step != 0 && starter_step != 13) works_well = works_well & (step == Start || (inserts && early));
        if (starter_step == 13) works_well = works_well & ((step == Read || step == Link || step == Inserted) && direct && !early);
        if (step == Start) works_well = works_well & (starter_step != 0 && !early);
        if (early) works_well = works_well & (starter_step != 0 && inserts && direct && (reader_step == Rest || reader_step == Fill) && !is_queue);
        if (moved) works_well = works_well & (step == Start);
        works_well = works_well & (starter_step <= 13 && starter_step != 2);
        if (starter_step == 9) works_well = works_well & (starter_index <= 27);
        if (starter_step >= 5 && starter_step <= 11) works_well = works_well & (starter_has_started);
        works_well = works_well & ((looker_step != 0) == (step == Looked || step == EndLooks)) & (looker_step <= 5);
        works_well = works_well & ((completion_step != 0) == (step == Write)) & (completion_step <= 10);
        works_well = works_well & ((spawn_step != 0) == (step == Spawn));
        if (spawn_step >= 1 && spawn_step <= 4) works_well = works_well & (spawn_its_number != 0);
        works_well = works_well & (spawn_its_number <= 65536);
        if (spawn_step == 4) works_well = works_well & (spawn_index < spawn_its_number);
        if (spawn_step == 6) works_well = works_well & (math_busy);
        if (scans) works_well = works_well & (scan_at == 0 && (step == Victim || step == Rank));
        if (best) works_well = works_well & (best_slot == 0);
        if (worst) works_well = works_well & (worst_slot == 0);
        if (step == Rank) works_well = works_well & (used[0] && left[0] && !goes[0] && !dies[0] && (scans || best));
        if (step == Aim || step == Start) works_well = works_well & (used[0] && !goes[0] && !dies[0]);

        // Who has the turn is due still.
        if (step == Go) begin
            if (turn == 0) works_well = works_well & (holds_end);
            if (turn == 1) works_well = works_well & (holds_report);
            if (turn == 3) works_well = works_well & (used[0] && ctas == 0 && (dies[0] || (!left[0] && !open[0] && !goes[0])));
            if (turn == 4) works_well = works_well & (used[0] && ctas == 0 && !dies[0] && goes[0]);
            if (turn == 8) works_well = works_well & (used[0] && ctas == 0 && !dies[0] && !left[0] && open[0] && !goes[0]);
            if (turn == 10) works_well = works_well & (looks[0]);
            if (turn == 5) works_well = works_well & (!used[0]);
            if (turn == 6) works_well = works_well & (!content);
            if (turn == 7) works_well = works_well & (used[0] && left[0] && !goes[0] && !dies[0] && !stuck);
        end

        // ---- Requests.
        if (reader_step == Words) begin
            works_well = works_well & (!accepted && reader_asked <= 32 && reader_index <= reader_asked);
            works_well = works_well & (under_way == reader_asked - reader_index);
        end else if (lists_step == Copy) begin
            works_well = works_well & (!accepted && lists_asked <= 32 && lists_answers <= lists_asked && lists_answers < 32);
            works_well = works_well & (under_way == lists_asked - lists_answers);
        end else works_well = works_well & (under_way == accepted);
        if (accepted) works_well = works_well & (lists_step == Free_one || lists_step == Last || lists_step == Named || lists_step == State || lists_step == Give || starter_step == 11 || looker_step == 1
            || looker_step == 2 || (completion_step >= 5 && completion_step <= 9) || (spawn_step >= 1 && spawn_step <= 4));
        if (accepted && starter_step == 11) works_well = works_well & (step == Start && starter_queue);

        // ---- The reader.
        works_well = works_well & (reader_step <= Done);
        if (reader_step == Look) works_well = works_well & (reader_asked == 0 && reader_index == 0);
        if (reader_step == Look || (reader_step == Words && reader_index < 8)) works_well = works_well & (reader_work == 0 && reader_op == 0);
        if (reader_step == Words) works_well = works_well & (reader_work <= 5);
        if (reader_work != 0) works_well = works_well & (reader_step == Words && reader_op < 6);
        if (reader_work == 4) works_well = works_well & (math_busy);
        if (math_busy && !math_divides) works_well = works_well & (math_is_out == (math_y == 0));
        if (reader_step != Rest && reader_step < Fill) works_well = works_well & (reader_fill == 0);
        if (reader_step == Fill) works_well = works_well & (reader_fill <= 9 && !reader_waits);
        if (reader_known) works_well = works_well & (step == Choose || (reader_step == Words && reader_index == 27));

        // ---- CTAs, and what is free.
        works_well = works_well & (places[15:4] == 0);
        works_well = works_well & (running == (freed ? places | from_bit : places));
        if (at_end) works_well = works_well & (holds_end && from_place == held_place && used[0]);
        if (step == End || step == Free) works_well = works_well & ((places & from_bit) != 0);
        if (step == Fault || step == Faulted) works_well = works_well & (holds_report && from_place == held_report_place && (places & from_bit) != 0 && used[0]);
        if (freed) works_well = works_well & ((places & from_bit) == 0);
        works_well = works_well & (ctas == places[0] + places[1] + places[2] + places[3]);
        if (used[0]) works_well = works_well & (runs + moved == ctas);
        else works_well = works_well & (ctas == 0 && !moved);
        if (starter_step == 12 && !starter_has_started) works_well = works_well & (ctas != 0);
        if (stuck) works_well = works_well & (ctas != 0 || freed);
        if (nowhere) works_well = works_well & (stuck);
        if (nobody) works_well = works_well & (content);

        // ---- The slot.
        if (direct && (inserts || step == Read)) works_well = works_well & (!used[0]);
        if (step == Load || step == Take) works_well = works_well & (!used[0]);
        if (step == Return || step == Returned) works_well = works_well & (used[0] && ctas == 0);
        if (step == Complete || step == Write || step == Completed || of_parent) works_well = works_well & (used[0] && ctas == 0);

        // ---- Levels.
        if (step == Go || step == Victim) works_well = works_well & (filled == 0 ? lists_top == 0 : (above >> lists_top) == 1);
        if (step == Victim) works_well = works_well & (!scans || !worst);
        if (step == Victim && worst) works_well = works_well & (worst_key[7:4] == slot_level && used[0]);
        if (step == Evict) works_well = works_well & (some_above && used[0]);
    end
    always @(*) begin
        // ---- Warps, places and granules.
        room_fits = 1;
        room_fits = room_fits & (used_warps == recorded_warps && used_warps <= 4);
        room_fits = room_fits & good_record(places[0], record_0) & good_record(places[1], record_1)
            & good_record(places[2], record_2) & good_record(places[3], record_3);
        if (place_step == 3) room_fits = room_fits & (place_left <= 32 && place_at == 0);
        if (place_step == 1 || place_step == 2) room_fits = room_fits & (place_at == 0 && (starter_step <= 4 || starter_step == 13));
        if (place_best) room_fits = room_fits & (place_best_sm == 0);
        if (starter_step >= 2 && starter_step != 13) room_fits = room_fits & (starter_its_warps >= 1 && starter_its_warps <= 4);
        if (starter_step >= 3 && starter_step != 13) room_fits = room_fits & (starter_its_granules <= 32);
        if (starter_step == 4) begin
            room_fits = room_fits & (place_step != 3);
            if (place_step != 0) room_fits = room_fits & (!place_best);
            if (place_step == 2) room_fits = room_fits & (used_warps + starter_its_warps <= 4);
            if (place_step == 2 && ctas == 0) begin
                if (starter_its_granules == 0) room_fits = room_fits & (place_left == 0 && place_runs_of == 1);
                else room_fits = room_fits & (place_left >= 1 && place_left <= starter_its_granules
                    && place_runs_of == granules(0, 6'd32 - starter_its_granules + place_left));
            end
            if (place_step == 0 && ctas == 0) room_fits = room_fits & (place_best);
        end
        if ((starter_step == 4 && place_step == 0 && place_best) || (starter_step >= 5 && starter_step <= 10))
            room_fits = room_fits & (place_step == 0 && place_best && place_best_place < 4 && !places[place_best_place]
                && used_warps + starter_its_warps <= 4);
    end
    always @(*) begin
        // ---- The last one that had a turn.
        turns_fit = 1;
        turns_fit = turns_fit & (rota_here == 0 || rota_here == 1 || rota_here == 2 || rota_here == 4 || rota_here == 8);
        turns_fit = turns_fit & (rota_above == (rota_here == 1 ? 4'd14 : rota_here == 2 ? 4'd12 : rota_here == 4 ? 4'd8 : 4'd0));
        turns_fit = turns_fit & (rota_later == 0 || rota_later == 4 || rota_later == 6 || rota_later == 7);
        if (rota_here == 0) turns_fit = turns_fit & (rota_later == 0);
    end

    // Covers: from any state.
    always @(posedge clock) if (behind) begin
        cover (step == Choose && due == 0 && lists_any);
        cover (step == Choose && due == 0 && stuck);
        cover (works && waited && measure == measured);
        cover (spawn_step == 5);
        cover (step == Take && lists_step == State);
        cover (step == Link && lists_step == Named);
        cover (nobody && step == Choose);
        cover (among[7] && had == 6);
    end
endmodule
