// Launcher: docs/spec/memory.md, MEM-020 and MEM-021; docs/spec/sm.md, SM-014.
//
// Proved by induction for 4 warps of 4 threads, whatever host and core say, of any one address:
//  - a launch is over, and idle is said, when each CTA that was started has ended and nothing has been in flight for 40
//    cycles, or when it was refused, and then nothing has been started; no CTA is offered before or behind it, and done is
//    never said beside busy;
//  - CTAs are started with ascending numbers from 0 on, each once, and no two at a time have the same place in the
//    scratchpad;
//  - a register of the launch changes by a write to its address as a whole word while nothing runs, and by nothing else;
//    it reads as what was written last, and a launch acts by the same. Every other address reads 0, but for ID, SIZE,
//    STATUS and what is reported; a launch begins by such a write to CONTROL while nothing runs, and by nothing else;
//    responses are always OKAY;
//  - each write has one response, each read one answer, and both stay until they are taken.
//
// Assumed: no reset behind the first cycle; a CTA ends once, after it was started. Nothing is known of the memories of
// bases and owners.
module launcher (
    input wire clock,
    input wire reset,
    input wire host_awvalid, host_wvalid, host_bready, host_arvalid, host_rready, launch_cta_ready,
        launch_cta_done, launch_cta_done_failed, launch_op_valid, launch_op_ready, launch_fault_valid,
        launch_exception_valid, launch_active,
    input wire [1:0] launch_op_warp, launch_fault_warp, launch_exception_warp,
    input wire [3:0] host_wstrb, launch_op_code, launch_fault_cause, launch_exception_cause,
    input wire [5:0] launch_fault_thread,
    input wire [7:0] host_awaddr, host_araddr,
    input wire [15:0] launch_cta_done_id,
    input wire [21:0] launch_fault_pc, launch_exception_pc,
    input wire [31:0] host_wdata, launch_fault_address
);
    wire host_awready, host_wready, host_bvalid, host_arready, host_rvalid, launch_cfg_yield_random, launch_flush,
        launch_cta_valid, launch_kill, launch_start_valid, busy, done;
    wire [1:0] host_bresp, host_rresp, launch_cfg_level_mix, launch_cfg_policy, launch_cfg_path,
        launch_cfg_mode_force, launch_start_warp;
    wire [3:0] launch_cta_level;
    wire [5:0] launch_cfg_shared_from;
    wire [8:0] launch_cfg_miss_threshold;
    wire [9:0] launch_cfg_token_size;
    wire [3:0] launch_cfg_slots;
    wire [11:0] launch_cta_threads;
    wire [15:0] launch_cfg_yield_every, launch_cfg_forced_yield, launch_cfg_yield_threshold, launch_cfg_yield_seed,
        launch_cfg_priority, launch_cta_id;
    wire [21:0] launch_cta_pc;
    wire [31:0] host_rdata, launch_cfg_token_base, launch_cfg_memory_base, launch_cfg_memory_size, launch_cfg_local_base,
        launch_cfg_local_bytes, launch_cfg_scratchpad_bytes, launch_start_base, launch_cta_number,
        launch_cta_first, launch_cta_warp, launch_cta_x, launch_cta_y, launch_cta_z, launch_cta_size,
        launch_grid_x, launch_grid_y, launch_grid_z, launch_group_x, launch_group_y, launch_group_z,
        launch_grid_threads, launch_arguments, launch_stack_top;
    weft_launcher dut (.*);

    // Inside; connected by the runner. Registers of the launch, 32 bits each, from 0x10 on: as they are read, as a launch
    // takes them where ACTING is 1, and from 0x40 on whether they have been written since the reset.
    wire [639:0] settings, acts;
    wire [7:0] known;
    wire bad_tokens, bad_mode;
    localparam ACTING = {32'hffff_ffff, 32'h0000_ffff, 32'h3f03_01ff, 32'h0000_000b, 32'hffff_ffff, 32'h0003_030f, 32'hffff_ffff,
        32'h0000_03ff, {11{32'hffff_ffff}}, 32'h00ff_fffc};
    wire aw_full, w_full, refused, failed;
    wire [7:0] aw_address;
    wire [31:0] w_word, number, ended;
    wire [3:0] w_strobes, step;
    wire [5:0] quiet;
    wire [15:0] slots;

    localparam CONTROL = 8'h08;

    // What the host has told: an address, a word.
    reg has_address, has_word, owes;
    reg [7:0] address;
    reg [31:0] told;
    reg [3:0] strobes;
    wire writes = has_address & has_word & !owes;
    wire launches = writes && address == CONTROL && strobes == 15 && told[0] && !busy;

    // Any one address: what it holds, if it is a register of the launch; what was read there.
    (* anyconst *) wire [7:0] at;
    wire is_setting = at[1:0] == 0 && at >= 8'h10 && at <= 8'h5C;
    wire is_known = at == 8'h00 || at == 8'h04 || at == 8'h0C || (at[1:0] == 0 && at >= 8'h60 && at <= 8'h7C);
    wire [4:0] index = at[7:2] - 6'd4;
    reg [31:0] kept, answer;
    wire has_usual = at == 8'h48 || at == 8'h50 || at >= 8'h54;
    // What it holds behind reset, if that does not say so.
    (* anyconst *) wire [31:0] unknown;
    reg reads_it;
    // The same of any word.
    wire keeps = !has_usual || known[at[4:2]];
    wire [31:0] acting = ACTING[32 * index +: 32];
    wire [31:0] acted = acts[32 * index +: 32] & acting;

    // CTAs that have been started, and places of those that have not ended; cycles for which nothing has been in flight.
    wire takes = launch_cta_valid & launch_cta_ready;
    reg [31:0] taken;
    reg [15:0] out;
    reg [5:0] calm;
    wire [15:0] starts = takes ? 16'd1 << launch_cta_id : 16'd0;
    wire [15:0] ends = launch_cta_done ? 16'd1 << launch_cta_done_id : 16'd0;
    reg was_busy, was_done, was_launched;
    integer i;
    reg [4:0] left;
    always @(*) begin
        left = 0;
        for (i = 0; i < 16; i = i + 1) left = left + out[i];
    end
    always @(posedge clock) begin
        if (host_awvalid & host_awready) address <= host_awaddr;
        if (host_wvalid & host_wready) {told, strobes} <= {host_wdata, host_wstrb};
        has_address <= !reset & !writes & (has_address | host_awvalid);
        has_word <= !reset & !writes & (has_word | host_wvalid);
        owes <= !reset & (writes | (owes & !host_bready));
        if (writes && address == at && strobes == 15 && is_setting && !busy) kept <= told;
        if (reset) kept <= at == 8'h54 ? 32'h2000_0040 : has_usual ? 32'd0 : unknown;
        if (host_arvalid & host_arready) begin
            reads_it <= host_araddr == at;
            answer <= is_setting ? kept : at == 8'h00 ? 32'h5745_4654 : at == 8'h0C ? {28'd0, refused, failed, done, busy} : 32'd0;
        end

        taken <= launches ? 32'd0 : taken + takes;
        out <= (out & ~ends) | starts;
        calm <= launch_active || out != 0 || launch_cta_valid ? 0 : calm == 40 ? 40 : calm + 1;
        {was_busy, was_done, was_launched} <= {busy, done, launches};
        if (reset) {taken, out, calm, was_busy, was_done, was_launched, reads_it} <= 0;
    end

    reg holds;
    reg started = 0, settled = 0;
    always @(posedge clock) {started, settled} <= {1'b1, started};

    always @(*) begin
`ifdef FOUND
        // Found at work, in any state that the proof allows.
        assume (!reset);
        if (!started) assume (holds);
`else
        assume (reset == !started);
        if (started && !settled && is_setting && !has_usual)
            assume (settings[32 * index +: 32] == unknown && acted == (unknown & acting));
        if (started && !settled && at == 8'h40) assume (bad_tokens == |unknown[31:10]);
`endif
        if (launch_cta_done) assume (launch_cta_done_id < 16 && (out & ends) != 0);
    end

    always @(*) if (started) begin
        // ---- Idle.
        if (was_busy & !busy) assert (done && (refused || calm == 40));
        if (!busy) assert (out == 0 && !launch_cta_valid);
        if (!was_busy & busy) assert (was_launched);
        if (was_launched) assert (busy && taken == 0);
        assert (!(busy & done));
        if (done & !was_done) assert (was_busy);
        // ---- CTAs.
        if (busy && taken != 0) assert (launch_cta_number == taken - 1);
        if (takes) assert (launch_cta_id < 16 && (out & starts) == 0);
        // ---- Registers.
        assert (host_awready == !has_address && host_wready == !has_word && host_bvalid == owes && host_arready == !host_rvalid);
        assert (host_bresp == 0 && host_rresp == 0);
        if (host_rvalid && reads_it && (!is_known || at == 8'h00 || at == 8'h0C)) assert (host_rdata == answer);
        assert (holds);
    end
    reg [32:0] said;
    always @(posedge clock) said <= {host_rvalid & !host_rready & !reset, host_rdata};
    always @(*) if (started && said[32]) assert (host_rvalid && host_rdata == said[31:0]);

    // Why: it follows from itself.
    always @(*) begin
        holds = has_address == aw_full && has_word == w_full && owes == host_bvalid;
        if (has_address) holds = holds && address == aw_address;
        if (has_word) holds = holds && told == w_word && strobes == w_strobes;
        if (is_setting && keeps) holds = holds && settings[32 * index +: 32] == kept;
        if (is_setting && !keeps) holds = holds && kept == (at == 8'h54 ? 32'h2000_0040 : 32'd0);
        if (is_setting) holds = holds && acted == (kept & acting);
        if (at == 8'h40) holds = holds && bad_tokens == |kept[31:10];
        if (at == 8'h50) holds = holds && bad_mode == (|kept[31:4] || kept[2] || kept[1:0] == 3);
        if (host_rvalid && reads_it && (!is_known || at == 8'h00 || at == 8'h0C)) holds = holds && host_rdata == answer;
        holds = holds && step <= 9 && busy == (step != 0) && !(busy & done) && calm <= 40;
        if (step < 9) holds = holds && out == 0;
        if (step != 0 && step < 9) holds = holds && taken == 0;
        if (step != 0) holds = holds && number == taken && ended == taken - left;
        if (step == 9) holds = holds && quiet <= 40 && quiet + calm >= 40 && (out & slots) == 0;
        if (busy && taken != 0) holds = holds && launch_cta_number == taken - 1;
    end

    always @(posedge clock) if (started) begin
        cover (was_busy && !busy && !refused && taken == 3);
        cover (was_launched);
        cover (busy && takes && left == 2 && launch_cta_done);
        cover (writes && busy && address == at && is_setting && told != kept);
    end
endmodule
