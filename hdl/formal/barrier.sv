// Sequencer of the barrier unit: docs/spec/barrier.md, BAR-030, 040, 041, 061, 071; hdl/src/warp/barrier/mod.rs.
//
// Proved for 4 warps of 4 threads, by induction, with any contents of the memories but for that below (they may even
// change at will) and any operations, stalls and timers:
//  - the unit does one thing at a time: one step of the sequencer at most, so at most one wake and never a wake beside
//    a verdict; both hold with their payload
//    until they are taken;
//  - the barrier at hand is never both static and dynamic, nor either and invalid;
//  - mutual exclusion: a turn is only given in a slot that is taken and in which nobody is inside (that such a slot is
//    of one barrier, and its barrier
//    of no other slot: barrier_slots.sv);
//  - a barrier that is complete and goes straight on has its first wake in the cycle after the verdict (a section: 2
//    cycles after it, if somebody of the first block waits);
//  - a warp of which threads wake is not held in the cycle after;
//  - service: while a slot can have a turn, or sleepers can be let go, at most one operation goes before it.
// Assumed: what is read of a barrier in use does not say dynamic and invalid at once, and "invalid afterwards" only of
// a dynamic one that is no section, "is reset" only of a dynamic one; what only lets
// sleepers go has no turns; what is written keeps to that, which is proved.
// The queue has as many entries as there are barriers, at most.
module barrier (
    input wire clock,
    input wire reset,
    input wire [15:0] cfg_priority,
    input wire op_valid,
    input wire [3:0] op_code,
    input wire [1:0] op_warp,
    input wire [3:0] op_active,
    input wire [3:0] op_mask,
    input wire [2:0] op_id,
    input wire [31:0] op_word,
    input wire [21:0] op_pc,
    input wire [3:0] op_cta,
    input wire [1:0] op_block,
    input wire [11:0] op_threads,
    input wire verdict_ready,
    input wire wake_ready
);
    wire op_ready, verdict_valid, wake_valid, error_valid, event_valid, expired_valid;
    wire [1:0] verdict_warp, wake_warp, error_warp, error_cause, event_kind;
    wire [2:0] verdict_op, error_id, event_id, expired_id;
    wire [3:0] verdict_mask, wake_mask, error_mask, hold, event_cta, expired_cta;
    wire [21:0] verdict_pc, wake_pc, error_pc;
    weft_barrier dut (.*);

    // Inside; connected by the runner.
    wire clearing, idle, look, recount, rule, answer, again, evict, place, purge, depart, next_id, fetch, gather, tally, lower, judge, close, ended, recall,
        timeout, aim, seek, reach, mark, sift, wake, finish;
    wire b_static, b_dynamic, b_section, turns, adds, slots_first, straight, pick_valid, takes_op, takes_slot;
    wire slots_enters, slots_full, slots_some, slots_purges, slots_found, slots_calm, slots_empty, slots_read, slots_roomy, slots_vacant;
    wire [3:0] slots_place;
    wire is_used, raw_section, writes, b_void, b_invalid, completes, full, evicts, misuse, over;
    wire is_top, is_bottom, is_reset, is_arrive, is_wait, is_exit, is_launch, is_kill;
    wire checks, first_known;
    wire simple, simple_valid, simple_some, simple_read, b_reset, turn_mode, plain, w_idle;
    wire [3:0] b_present;
    wire [3:0] warp_bit;
    wire [25:0] raw;
    wire [11:0] w_flags;
    wire [15:0] taken, waiting, slots_first_free;
    wire [3:0] slot, slots_at;

    wire [27:0] steps = {clearing, idle, look, recount, rule, answer, again, evict, place, purge, depart, next_id, fetch, gather, tally, lower, judge, close,
        ended, recall, timeout, aim, seek, reach, mark, sift, wake, finish};
    wire turning = aim | seek | reach | mark | sift;
    wire [7:0] kinds = {is_top, is_bottom, is_reset, is_arrive, is_wait, is_exit, is_launch, is_kill};
    wire [15:0] can = taken & ~waiting;

    reg started = 0, straight_1 = 0, straight_2 = 0, waked = 0, was_turning = 0;
    reg verdict_held = 0, wake_held = 0;
    reg [30:0] verdict_was = 0;
    reg [27:0] wake_was = 0;
    reg passed = 0, wake_last = 0;
    wire [30:0] verdict_is = {verdict_warp, verdict_op, verdict_mask, verdict_pc};
    wire [27:0] wake_is = {wake_warp, wake_mask, wake_pc};
    always @(posedge clock) begin
        started <= 1;
        straight_1 <= straight & !reset;
        straight_2 <= straight_1 & !reset;
        was_turning <= turning & !reset;
        verdict_held <= verdict_valid & !verdict_ready & !reset;
        wake_held <= wake_valid & !wake_ready & !reset;
        wake_last <= wake_valid & !reset;
        verdict_was <= verdict_is;
        wake_was <= wake_is;
        if (reset || takes_slot || straight) passed <= 0;
        else if (takes_op && pick_valid) passed <= 1;
        else if (idle && !pick_valid) passed <= 0;
    end

    always @(*) begin
`ifdef RUNNING
        assume (!reset);
`else
        if (!started) assume (reset);
`endif
        if (aim && simple) assume (is_used && raw[0] && (!raw_section || raw[6]));
        if (is_used) assume (!raw[6] || raw[0]);
        if (is_used) assume (!(raw[0] && raw[1]) && (!raw[9] || (raw[0] && !raw_section)));
        if (started) begin
            assert ((steps & (steps - 28'd1)) == 0);
            assert (!(wake_valid && verdict_valid));
            if (verdict_held) assert (verdict_valid && verdict_is == verdict_was);
            if (wake_held) assert (wake_valid && wake_is == wake_was);
            assert (!(b_static && b_dynamic) && !(b_static && b_invalid));
            // Turns: while the selector looks for one, and in the cycle in which the wake is first offered.
            if (turning && !straight_1 && !simple) assert (can[slot]);
            if (wake && turns && was_turning && !waked) assert (!simple && can[slot]);
            // Of the other queue, its head.
            if ((turning || wake || finish) && simple) assert (simple_valid);
            if ((seek || reach || mark || sift || wake || finish) && simple) assert (!b_section || b_reset);
            if ((reach || mark || sift || wake) && simple && !straight_1) assert (!turn_mode);
            if (aim && simple) assert (!plain);
            if (wake && simple) assert (!turns);
            if (straight_1) assert (b_section ? sift : wake && !turns);
            if (straight_2 && b_section) assert (wake | reach);
            if (passed && idle && pick_valid) assert (!takes_op);
            if (writes) assert (!(w_flags[0] && w_flags[1]) && (!w_flags[9] || (w_flags[0] && !b_section)));
            if (writes) assert (!w_flags[6] || w_flags[0] || w_idle);
            // BAR-084: a warp of which threads wake is not held in the next cycle.
            if (wake_last) assert (!hold[wake_was[27:26]]);
            // Why.
            if (wake) assert (!checks && warp_bit == 4'd1 << wake_warp);
            assert (!(b_dynamic && b_invalid));
            assert ((kinds & (kinds - 8'd1)) == 0);
            if (recount || rule) assert (verdict_op == 0 && !completes && !adds && !evicts && !misuse && !over);
            if (answer && evicts) assert (is_reset);
            if (answer && misuse) assert (is_top || is_bottom);
            if (answer && over) assert (is_top || is_arrive);
            if (answer && completes) assert (is_top || is_arrive);
            if (answer) assert (!is_launch && !is_kill);
            if (answer && completes) assert (!b_dynamic && !b_invalid);
            if (answer && completes) assert (!verdict_op[1]);
            if (answer && first_known) assert (b_present != 0);
            if (close && full) assert (b_static);
            // (Behind a reset, what is at hand is read before it counts.)
            if (b_void && !clearing && !idle && !look && !recall && !aim) assert ((b_dynamic || (answer && completes)) && !b_section);
            if (b_reset) assert (b_dynamic);
            if (passed) assert (slots_first);
            if (wake && !turns && !straight_1 && !simple) assert (can[slot]);
            if (straight_1) assert (simple == !b_section && !slots_purges && b_dynamic);
            if (straight_1 && !simple) assert (slots_enters && slots_first_free == 16'd1 << slot);
            if (straight_1 && !simple) assert (slots_full && !slots_some);
            if (straight_1 && simple) assert (simple_valid && !simple_some && !slots_full && !slots_some);
            if (slots_found) assert (can[slots_at]);
            if (slots_purges) assert (purge);
            assert (!slots_read || slots_some);
            assert (!simple_read || simple_some);
            if (slots_calm) assert (!slots_full && !slots_some && !slots_purges && can == 0);
            if (slots_calm) assert (!simple_valid && !simple_some);
            if (slots_calm) assert (slots_roomy && slots_vacant == (taken == 0));
            if (straight_1) assert (slots_roomy && (!slots_vacant || taken == 0));
            if (slots_roomy) assert (taken != 16'hffff);
            if (slots_vacant) assert (taken == 0);
            if (slots_calm) assert (taken != 16'hffff && slots_first_free == 16'd1 << slots_place && slots_empty == (taken == 0));
        end
    end
    always @(posedge clock) waked <= wake & !reset;

    always @(posedge clock) begin
        if (started) begin
            cover (wake_held && turns);
            cover (wake_valid && !turns);
            cover (straight_2 && b_section);
            cover (straight_1 && wake_valid);
            cover (wake_valid && simple && taken != 0);
            cover (passed);
        end
    end
endmodule
