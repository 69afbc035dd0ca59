// Rows of the register file: docs/spec/datapath.md, DATA-022; room for accesses and divisions: DATA-015; docs/spec/sm.md,
// SM-011.
//
// Proved by induction for 4 warps of 4 threads on 2 lanes, whatever is issued and whatever decides on it, for a row of any
// source:
//  - a product and a row of the lanes never come together, nor does a late row beside one of them: a bank of the register
//    file is written once per cycle at most, in both of its copies alike, and no row is lost;
//  - a row of lanes, multiplier, divider or load/store unit that is taken is written in the next cycle, for the threads
//    and with the values that it came with, and 0 for the others where nothing was written since the launch (DATA-023),
//    and nothing else is written; but one of a control instruction that faults is not, and one of a group's for the
//    group only;
//  - accesses are granted only if the load/store unit had a place beyond those on their way there a cycle ago, the one that
//    began in that cycle among them, divisions only if the divider was free then and none began, anything only while the
//    issue queue has room; none begins without its place.
//
// Assumed: no reset behind the first cycle; the form of the oldest instruction is that of its word. Of what is issued,
// mask unit, divider, lanes, multipliers, CSRs, memories and the rows' numbers nothing is known; sequencer and decoders
// are the real ones.
module rows (
    input wire clock,
    input wire reset,
    input wire cache_valid, cache_miss, cache_regular, issue_valid, op_valid, op_ready, retire_valid,
        exception_valid, resolve_ready, access_ready, result_valid, result_part, complete_valid, complete_uses_rd,
        access_fault_valid, kill, token_error, line_valid, line_slot,
    input wire [1:0] cfg_force, issue_warp, op_warp, op_block, retire_warp, exception_warp, result_warp,
        result_mask, complete_warp, access_fault_warp, token_error_warp, line_warp, line_fault,
    input wire [3:0] issue_mask, op_code, op_cta, exception_cause, access_fault_cause, pending, running,
    input wire [4:0] result_rd, complete_rd, slots_free,
    input wire [5:0] cfg_shared_from, access_fault_thread,
    input wire [8:0] cfg_threshold,
    input wire [15:0] access_fault_number,
    input wire [21:0] issue_pc, access_fault_pc,
    input wire [22:0] issue_decoded,
    input wire [31:0] issue_word, decode_word0, decode_word1, counter_value, cta_number, cta_first, cta_warp,
        cta_threads, cta_x, cta_y, cta_z, grid_x, grid_y, grid_z, group_x, group_y, group_z, grid_threads,
        arguments, stack_top, access_fault_address,
    input wire [63:0] result_data
);
    wire done0_valid, done1_valid, program_valid, resolve_valid, access_valid, access_part, access_first,
        access_last, access_signed, access_uses_rd, access_regular, result_ready, complete_ready,
        access_fault_ready, init_valid, write_valid, write_part, fault_valid, select_access, select_miss,
        select_regular, select_ask, select_subvector, select_decides, select_decision, trace_done0_valid,
        trace_done1_valid, busy, forget_text;
    wire [1:0] done0_warp, done1_warp, program_warp, resolve_warp, access_warp, access_size, access_mask,
        access_order, init_warp, write_warp, write_mask, fault_warp, select_warp, trace_done0_warp, trace_done1_warp;
    wire [2:0] resolve_id;
    wire [3:0] program_level, resolve_op, resolve_kind, resolve_mask, resolve_active, init_cta, faulted,
        fault_cause;
    wire [4:0] unit_ready, access_op, access_rd, write_rd;
    wire [5:0] done0_rd, done1_rd, counter_select, fault_thread, trace_done0_rd, trace_done1_rd;
    wire [21:0] resolve_target, resolve_pc, access_pc, fault_pc;
    wire [22:0] decode0, decode1, head_decoded;
    wire [31:0] resolve_word, init_first, fault_address;
    wire [63:0] access_address, access_data, write_data;
    weft_datapath dut (.*);
    // The form of the oldest instruction is that of its word.
    wire [12:0] head_form, form;
    wire [31:0] head_word;
    weft_datapath_decoder0 of_word (.word(head_word), .has_float(1'b0), .decoded(head_decoded));
    weft_datapath_early of_form (.word(head_word), .decoded(head_decoded), .form(form));

    // Inside; connected by the runner.
    wire from_lanes, product, divides, offers, claims, early, late;
    wire [1:0] pass_mask, lanes_mask, product_mask, divide_mask;
    wire [7:0] lanes_row, product_row, late_row;
    wire [63:0] values, products, quotients;
    wire whole, unsure, grouped, bad, room, free, divides_h, divides_r, divides_o, starts_access, first;
    wire [1:0] taken;
    wire [5:0] on_way;
    // At the two copies of the registers.
    wire [1:0] enable, enable_2;
    wire [15:0] row, row_2;
    wire [63:0] word, word_2;

    wire loads = result_valid & result_ready;
    // A cycle ago: room for one more, and the divider idle, with what began then.
    reg may_access = 0, may_divide = 0;
    always @(posedge clock) begin
        may_access <= !reset & ({2'b0, slots_free} > {1'b0, on_way} + starts_access);
        may_divide <= !reset & free & !divides_h & !divides_r & !divides_o;
    end

    // What is taken, and with what.
    reg was_lanes = 0, was_product = 0, was_divide = 0, was_load = 0;
    reg [1:0] mask, warp;
    reg [7:0] at;
    reg [63:0] data;
    reg [4:0] rd;
    reg part;
    always @(posedge clock) begin
        {was_lanes, was_product, was_divide, was_load} <= reset ? 4'd0 : {from_lanes, product, divides, loads};
        mask <= product ? product_mask : from_lanes ? lanes_mask : divides ? divide_mask : result_mask;
        at <= product ? product_row : lanes_row;
        data <= product ? products : from_lanes ? values : divides ? quotients : result_data;
        {warp, part, rd} <= {result_warp, result_part, result_rd};
    end

    // Its threads; a register that is written for the first time since the launch is written for all (DATA-023).
    wire [1:0] chosen = early & grouped ? mask & taken : mask;
    wire none = !(early | late) | (early & unsure & bad);

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        assume (reset == !started);
        assume (head_form == form);
        // The divider, which is not in here, has what it offers.
        assume (claims || !offers);
        if (started) begin
            // One at a time, and none is lost.
            assert (from_lanes + product + divides + loads <= 1);
            assert (!(early & late));
            assert (enable == enable_2 && row == row_2 && word == word_2);
            // Who may be granted, and who begins.
            assert (unit_ready == (room ? {1'b1, may_divide, may_access, 2'b11} : 5'd0));
            assert (may_access || !starts_access);
            assert (may_divide || !divides_h || !first);
            // It is written, and nothing else is.
            assert (early == (was_lanes | was_product));
            assert (late == (was_divide | was_load));
            assert (enable == (none ? 2'd0 : chosen | {2{whole}}));
            if (early | late) assert (word == (data & {{32{chosen[1]}}, {32{chosen[0]}}}));
            if (early) assert (row == {at, at});
            if (late) assert (row == {late_row, late_row});
            if (from_lanes) assert ((lanes_mask & ~pass_mask) == 0);
            if (was_load) assert (write_valid && {write_warp, write_part, write_rd} == {warp, part, rd});
            if (write_valid) assert (early | late);
            if (write_valid) assert (write_mask == chosen && write_data == word);
        end
    end

    always @(posedge clock) if (started) begin
        cover (was_product && loads && $past(mask == 1));
        cover ($past(was_lanes) && product);
        cover (was_load && from_lanes);
        cover (was_divide && enable == 3);
        cover (was_load && mask == 1 && enable == 3);
        cover (starts_access && on_way == 2);
    end
endmodule
