// CTA port of an SM: docs/spec/tasks.md, TASK-057, TASK-063, TASK-064, TASK-100; docs/spec/gpu.md, GPU-033.
//
// Proved for 4 warps, by induction, whatever task management, core and threads say, with a reset at any time:
//  - a CTA is taken when the core takes it and only then, under its place; the end of each that was taken is told once,
//    after the core has said that it has ended and not before, with whether it has failed; an end stays until it is taken;
//    of the ends that wait the lowest place is told in the next cycle, unless one is being told or a fault is;
//  - the SM counts as empty (its lines are forgotten) only when each CTA that was taken has ended and nothing has been active
//    for eight cycles; a CTA that comes to an empty SM is taken behind that, and once behind each, and no word 0 comes between;
//  - a line is fetched ahead only in the cycle behind that in which lines were forgotten;
//  - a CTA with scratchpad is taken by an empty SM only when the last one with scratchpad was of its domain, or the scratchpad
//    has been cleared since, and is not being cleared (MEM-008);
//  - a fault that is told is the first one since the one before was taken, whole, with the place of its CTA and the number of
//    its warp in that; this CTA was taken, and its end has neither been told nor is being told; the fault stays until it is taken;
//  - words are those that were told last; of the CTA at hand (its number, its places, its base in the scratchpad) those that
//    had been told when it was taken (TASK-100).
//
// Assumed: a CTA is offered in a place where none is whose end has not been taken (proved, `progress.sv`); the core ends only
// a CTA that it has taken, and once (proved, `cta.sv`); a LAUNCH is of the CTA that was taken last, and that has not ended
// (in part `cta.sv`: none is taken before the last launch of the one before); a fault or an exception is of a warp that was
// launched and whose CTA has not ended (of a fault in the cycle of its end, too, it is told first). No order of offers, words
// or takes is assumed.
module cta_port (
    input wire clock,
    input wire reset,
    input wire word_valid, offer_valid, kill, end_ready, report_ready, launch_cta_ready, launch_cta_done, launch_cta_done_failed,
        launch_op_valid, launch_op_ready, launch_fault_valid, launch_exception_valid, launch_active, scrubbing,
    input wire [1:0] launch_op_warp, launch_fault_warp, launch_exception_warp, op_block,
    input wire [3:0] offer_place, launch_op_code, launch_fault_cause, launch_exception_cause,
    input wire [4:0] word_index,
    input wire [5:0] launch_fault_thread,
    input wire [15:0] launch_cta_done_id,
    input wire [21:0] launch_fault_pc, launch_exception_pc,
    input wire [31:0] word, launch_fault_address
);
    wire offer_ready, end_valid, end_failed, report_valid, launch_cfg_yield_random, launch_flush, scrub, launch_kill,
        launch_cta_valid, launch_start_valid, fetch_ahead;
    wire [1:0] launch_cfg_level_mix, launch_cfg_policy, launch_cfg_path, launch_cfg_mode_force, launch_start_warp;
    wire [3:0] end_place, report_place, report_cause, launch_cta_level;
    wire [5:0] report_thread, launch_cfg_shared_from;
    wire [7:0] report_warp;
    wire [8:0] launch_cfg_miss_threshold;
    wire [9:0] launch_cfg_token_size;
    wire [3:0] launch_cfg_slots;
    wire [11:0] launch_cta_threads;
    wire [15:0] launch_cfg_yield_every, launch_cfg_forced_yield, launch_cfg_yield_threshold, launch_cfg_yield_seed,
        launch_cfg_priority, launch_cta_id;
    wire [21:0] launch_cta_pc;
    wire [31:0] report_pc, report_address, launch_cfg_token_base, launch_cfg_memory_base, launch_cfg_memory_size, launch_cfg_local_base,
        launch_cfg_local_bytes, launch_cfg_scratchpad_bytes, launch_start_base, launch_cta_number, launch_cta_first,
        launch_cta_warp, launch_cta_x, launch_cta_y, launch_cta_z, launch_cta_size, launch_grid_x, launch_grid_y,
        launch_grid_z, launch_group_x, launch_group_y, launch_group_z, launch_grid_threads, launch_arguments,
        launch_stack_top;
    weft_cta_port dut (.*);

    // Inside; connected by the runner. The words of each group in one wire.
    wire [4:0] running;
    wire [3:0] quiet, place, told_place, its_place, its_cause;
    wire flushed, fresh, tells, told_failed, reports;
    wire [15:0] ends, fails;
    wire [7:0] its_warp;
    wire [5:0] its_thread;
    wire [31:0] its_pc, its_address;
    wire [831:0] words;
    wire known;
    wire [2:0] domain_id;
    wire [223:0] now;
    wire [15:0] owners;
    wire [7:0] blocks;

    localparam LAUNCH = 4'd8;

    // ---- CTAs by place: that were taken and of which no end was taken; of which the core has said no end; that have failed.
    reg [15:0] out, core, failed;
    wire takes = offer_valid & offer_ready;
    wire told = end_valid & end_ready;
    wire [15:0] taken_bit = takes ? 16'd1 << offer_place : 16'd0;
    wire [15:0] done_bit = launch_cta_done ? 16'd1 << launch_cta_done_id[3:0] : 16'd0;
    wire [15:0] told_bit = told ? 16'd1 << end_place : 16'd0;
    always @(posedge clock) begin
        out <= reset ? 16'd0 : (out | taken_bit) & ~told_bit;
        core <= reset ? 16'd0 : (core | taken_bit) & ~done_bit;
        failed <= reset ? 16'd0 : (failed | (launch_cta_done_failed ? done_bit : 16'd0)) & ~told_bit;
    end
    integer i;
    reg [4:0] number;
    reg [3:0] lowest;
    wire [15:0] over = out & ~core;
    wire [15:0] waiting = over & ~(end_valid ? 16'd1 << end_place : 16'd0);
    always @(*) begin
        number = 0;
        lowest = 0;
        for (i = 15; i >= 0; i = i - 1) begin
            number = number + core[i];
            if (waiting[i]) lowest = i;
        end
    end

    // ---- Cycles without a CTA in which nothing was active, 8 at most; lines have been forgotten since the last CTA was taken
    // and the last word 0 came; they were in the last cycle.
    reg [3:0] calm;
    reg clean, forgot;
    always @(posedge clock) begin
        calm <= reset || core != 0 || launch_active ? 4'd0 : calm == 8 ? 4'd8 : calm + 4'd1;
        clean <= !reset & !takes & !(word_valid & word_index == 0) & (clean | launch_flush);
        forgot <= !reset & launch_flush;
    end

    // ---- The scratchpad: the domain of the last CTA that had any; it has been cleared since that was taken.
    reg used, cleared;
    reg [2:0] used_by;
    wire uses = |words[319:288];
    wire [2:0] its_domain = words[14:12];
    always @(posedge clock) begin
        if (scrub) cleared <= 1;
        if (takes && uses) {cleared, used, used_by} <= {2'b01, its_domain};
        if (reset) {used, cleared} <= 0;
    end

    // ---- Warps: launched for the CTA that was taken last, which has not ended since; as which block.
    reg [3:0] last, alive;
    reg [15:0] owner;
    reg [7:0] block;
    wire starts = launch_op_valid & launch_op_ready & (launch_op_code == LAUNCH);
    always @(posedge clock) begin
        if (takes) last <= offer_place;
        for (i = 0; i < 4; i = i + 1) begin
            if (launch_cta_done && owner[4 * i +: 4] == launch_cta_done_id) alive[i] <= 0;
            if (starts && launch_op_warp == i) begin
                alive[i] <= 1;
                owner[4 * i +: 4] <= last;
                block[2 * i +: 2] <= op_block;
            end
        end
        if (reset) alive <= 0;
    end

    // ---- Faults. Of exceptions those that the core finds by itself: others are of faults, also those of a kill (0).
    wire strange = launch_exception_valid & (launch_exception_cause != 0) & ((launch_exception_cause < 4) | (launch_exception_cause == 15));
    wire faults = launch_fault_valid | strange;
    wire [1:0] who = launch_fault_valid ? launch_fault_warp : launch_exception_warp;
    reg fault;
    reg [3:0] fault_place, fault_cause;
    reg [1:0] fault_block;
    reg [5:0] fault_thread;
    reg [21:0] fault_pc;
    reg [31:0] fault_address;
    always @(posedge clock) begin
        if (report_ready) fault <= 0;
        if (faults & !fault) begin
            fault <= 1;
            fault_place <= owner[4 * who +: 4];
            fault_block <= block[2 * who +: 2];
            fault_thread <= launch_fault_valid ? launch_fault_thread : 6'd0;
            fault_cause <= launch_fault_valid ? launch_fault_cause : launch_exception_cause;
            fault_pc <= launch_fault_valid ? launch_fault_pc : launch_exception_pc;
            fault_address <= launch_fault_valid ? launch_fault_address : 32'd0;
        end
        if (reset) fault <= 0;
    end

    // ---- Any one word: what was told last; of one that counts from the take on, what it was then. Whether it has been told.
    (* anyconst *) wire [4:0] index;
    wire of_cta = index >= 14 && index <= 20;
    reg [31:0] last_word, its_word;
    reg has_word, has_its;
    always @(posedge clock) begin
        if (takes) {has_its, its_word} <= {has_word, last_word};
        if (word_valid && word_index == index) {has_word, last_word} <= {1'b1, word};
        if (reset) {has_word, has_its} <= 0;
    end
    wire has = of_cta ? has_its : has_word;
    wire [31:0] kept = of_cta ? its_word : last_word;

    reg holds;
    reg started = 0;
    always @(posedge clock) started <= 1;
    // What stood in the cycle before and was not taken; what was to be told next.
    reg stood, due;
    reg [3:0] stood_place, due_place;
    reg stood_failed;
    always @(posedge clock) begin
        stood <= !reset & end_valid & !end_ready;
        {stood_place, stood_failed} <= {end_place, end_failed};
        due <= !reset & waiting != 0 & !end_valid & !report_valid;
        due_place <= lowest;
    end

    always @(*) begin
`ifdef FOUND
        // Found at work, in any state that the proof allows.
        assume (!reset);
        if (!started) assume (holds);
`else
        if (!started) assume (reset);
`endif
        assume (index < 26);
        if (!reset) begin
            if (offer_valid) assume (!out[offer_place]);
            if (launch_cta_done) assume (launch_cta_done_id < 16 && core[launch_cta_done_id[3:0]]);
            if (starts) assume (core[last] && !done_bit[last]);
            if (faults) assume (alive[who]);
        end
    end

    always @(*) if (started && !reset) begin
        // ---- Ends.
        if (launch_cta_valid) assert (offer_valid && launch_cta_id == offer_place);
        assert (offer_ready == (launch_cta_valid & launch_cta_ready));
        if (end_valid) assert (out[end_place] && !core[end_place] && end_failed == failed[end_place]);
        if (stood) assert (end_valid && end_place == stood_place && end_failed == stood_failed);
        if (due) assert (end_valid && end_place == due_place);
        // ---- Empty.
        if (launch_flush) assert (core == 0 && !launch_active && calm == 8 && !clean && !takes);
        if (takes && core == 0) assert (clean);
        if (fetch_ahead) assert (forgot);
        if (core == 0 && !launch_active && calm == 8 && offer_valid) assert (launch_flush || scrub || scrubbing || launch_cta_valid);
        if (takes && core == 0 && uses && !(used && used_by == its_domain)) assert (cleared);
        if (takes && core == 0) assert (!scrubbing);
        if (scrub) assert (core == 0 && !scrubbing && !takes);
        // ---- Faults.
        assert (report_valid == fault);
        if (report_valid) begin
            assert (report_place == fault_place && report_warp == fault_block && report_thread == fault_thread);
            assert (report_cause == fault_cause && report_pc == {8'd0, fault_pc, 2'd0} && report_address == fault_address);
            assert (out[report_place] && !(end_valid && end_place == report_place));
        end
        // ---- Words.
        assert (launch_kill == kill);
        if (launch_start_valid) assert (launch_start_warp == launch_op_warp && starts);
        assert (launch_start_valid == starts);
        if (has) case (index)
            0: assert (launch_cta_level == kept[7:4] && launch_cfg_path == kept[9:8]);
            1: assert (launch_cta_pc == kept[23:2]);
            2: assert (launch_grid_x == kept);
            3: assert (launch_grid_y == kept);
            4: assert (launch_grid_z == kept);
            5: assert (launch_group_x == kept);
            6: assert (launch_group_y == kept);
            7: assert (launch_group_z == kept);
            8: assert (launch_arguments == kept);
            9: assert (launch_cfg_scratchpad_bytes == kept);
            10: assert (launch_cfg_local_bytes == kept && launch_stack_top == 32'hC000_0000 + kept);
            11: assert ({launch_cfg_yield_every, launch_cfg_forced_yield} == kept);
            12: assert (launch_cta_threads == kept[11:0] && launch_cta_size == kept);
            13: assert (launch_grid_threads == kept);
            14: assert (launch_cta_number == kept);
            15: assert (launch_cta_first == kept);
            16: assert (launch_cta_warp == kept);
            17: assert (launch_cta_x == kept);
            18: assert (launch_cta_y == kept);
            19: assert (launch_cta_z == kept);
            20: assert (launch_start_base == kept);
            21: assert (launch_cfg_local_base == kept);
            22: assert (launch_cfg_token_base == kept);
            23: assert (launch_cfg_token_size == kept[9:0]);
            24: assert (launch_cfg_memory_size == kept);
            25: assert (launch_cfg_memory_base == kept);
        endcase
`ifndef CLAIMS
        assert (holds);
`endif
    end

    // Why: it follows from itself. Defects must break what is claimed and not only this (CLAIMS).
    always @(*) begin
        holds = (core & ~out) == 0 && running == number && (failed & ~over) == 0;
        holds = holds && ends == (over & ~(tells ? 16'd1 << told_place : 16'd0)) && fails == (failed & ends);
        if (tells) holds = holds && over[told_place] && told_failed == failed[told_place];
        holds = holds && quiet <= 8 && quiet == calm && flushed == clean && fresh == forgot && (!clean || core == 0);
        holds = holds && (core == 0 || place == last);
        for (i = 0; i < 4; i = i + 1) if (alive[i])
            holds = holds && core[owner[4 * i +: 4]] && owners[4 * i +: 4] == owner[4 * i +: 4] && blocks[2 * i +: 2] == block[2 * i +: 2];
        holds = holds && reports == fault;
        if (fault) begin
            holds = holds && its_place == fault_place && its_warp == fault_block && its_thread == fault_thread;
            holds = holds && its_cause == fault_cause && its_pc == {8'd0, fault_pc, 2'd0} && its_address == fault_address;
            holds = holds && out[fault_place] && !(tells && told_place == fault_place);
        end
        if (known) holds = holds && (cleared || used && used_by == domain_id);
        if (has_word) holds = holds && words[32 * index +: 32] == last_word;
        if (has_its && of_cta) holds = holds && now[32 * (index - 14) +: 32] == its_word;
    end

    // Covers: from reset.
    always @(posedge clock) if (started) begin
        cover (launch_flush);
        cover (fetch_ahead && clean && !offer_valid);
        cover (takes && launch_cta_done && core == 16'h000f);
        cover (stood && report_valid && end_valid && waiting != 0);
        cover (told && end_failed && waiting != 0 && core != 0);
        cover (fault && report_ready && over[fault_place] && report_warp == 3 && who == 1);
        cover (starts && has_its && index == 20 && last_word != its_word);
    end
endmodule
