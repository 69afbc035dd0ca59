// Slots of the barrier unit: docs/spec/barrier.md, BAR-060 to 062; ports and rules of use in hdl/src/warp/barrier/slots.rs.
//
// Proved for all 16 slots and any barrier, by induction, for any order of pushes, picks, turns, releases, BOTTOMs and
// purges:
//  - mutual exclusion: from a turn of a barrier on until whoever was inside has left, that barrier is not picked, nor
//    does it get at once what it
//    would need for a turn;
//  - a barrier has one slot at most; while an exclusive one has a slot, no other has;
//  - what is picked can have a turn, has the highest priority of all that can, and is the next of these behind the one
//    with this priority picked last;
//  - those that only let sleepers go and the slots take turns, whatever has a slot;
//    while the first of those is there, it is picked after one slot at most;
//  - what a push is promised (`at_once`) comes true in the next cycle;
//  - fairness: a slot that could go since another of its priority was picked is picked before that one is again;
//  - service is bounded: a head of the queue that may take a slot has it in the next cycle, or in the one after if
//    slots were just taken or became free; when nothing has changed for two cycles and no head is on
//    its way or may enter, the best of those that can have a turn is picked.
// Assumed: what the sequencer keeps to: one thing at a time, a turn or release only of what was picked or promised;
// a barrier is pushed only while it is neither queued nor in a slot;
// and that the queues give back what was put in, once.
module barrier_slots (
    input wire clock,
    input wire reset,
    input wire [15:0] cfg_priority,
    input wire push,
    input wire push_exclusive,
    input wire push_simple,
    input wire [6:0] barrier,
    input wire goes_on,
    input wire may_go_on,
    input wire [3:0] slot,
    input wire waits,
    input wire more,
    input wire frees,
    input wire frees_simple,
    input wire releases,
    input wire resets,
    input wire purge,
    // The sequencer takes what is picked, or what it is promised; it lets go of it.
    input wire take,
    input wire drop
);
    wire purging, settled, pick_valid, pick_turning, pick_simple, at_once;
    wire [3:0] pick_slot, next_slot;
    // A slot, or the head of the other queue, is at hand.
    reg busy = 0, simple = 0;
    wire picks = !busy && pick_valid && take && !push && !goes_on && !purge;
    wire [6:0] pick_barrier;
    weft_barrier_slots dut (
        .clock(clock),
        .reset(reset),
        .cfg_priority(cfg_priority),
        .push(push),
        .push_exclusive(push_exclusive),
        .push_simple(push_simple),
        .barrier(barrier),
        .goes_on(goes_on),
        .may_go_on(may_go_on),
        .slot(slot),
        .waits(waits),
        .more(more),
        .frees(frees),
        .frees_simple(frees_simple),
        .releases(releases),
        .resets(resets),
        .purge(purge),
        .purging(purging),
        .settled(settled),
        .pick_valid(pick_valid),
        .pick_slot(pick_slot),
        .pick_barrier(pick_barrier),
        .pick_turning(pick_turning),
        .pick_simple(pick_simple),
        .picks(picks),
        .at_once(at_once),
        .next_slot(next_slot)
    );

    // Inside; connected by the runner.
    wire [15:0] taken, waiting, high, low, first;
    wire alone, found, blocked, enters, head_valid, exclusive, some, read, calm, empty, roomy, vacant, moved;
    wire [3:0] at, place;
    wire [1:0] level_at = {high[at], low[at]};
    wire [6:0] head, simple_head;
    wire simple_valid, simple_some, simple_read, simple_first, able;
    wire [111:0] name, named;
    wire [3:0] of_level;
    wire [63:0] behind;

    // Any barrier, any slot, another one.
    (* anyconst *) wire [6:0] b;
    (* anyconst *) wire [3:0] any;
    (* anyconst *) wire [3:0] other;
    reg present = 0, queued = 0, excludes = 0, inside = 0, leaves = 0;
    // The other queue was picked last; a slot could go in the cycle before;
    // `other` was picked, and `any` could go since and has not been.
    reg simple_last = 1, could = 0, owed = 0;
    wire same_cta = barrier[6:3] == b[6:3];
    // It was promised in the cycle before.
    reg fresh = 0;
    reg [3:0] own = 0;
    reg [6:0] own_barrier = 0;
    wire promised = push & at_once & take;
    // Of each level, the slot that was picked last.
    reg [3:0] last [0:3];

    function [6:0] name_of(input [111:0] all, input [3:0] i);
        name_of = all[7 * i +: 7];
    endfunction
    wire [15:0] here;
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : each
            assign here[i] = taken[i] & name_of(name, i) == b;
        end
    endgenerate
    function [3:0] lowest(input [15:0] set);
        integer j;
        begin
            lowest = 0;
            for (j = 15; j >= 0; j = j - 1) if (set[j]) lowest = j;
        end
    endfunction
    // How many others of its level come before it at most.
    function [3:0] away(input [3:0] slot, input [3:0] from);
        away = slot - from - 4'd1;
    endfunction
    integer j;
    function alone_in(input [15:0] set);
        alone_in = (set & (set - 16'd1)) == 0;
    endfunction

    always @(posedge clock) begin
        if (reset) begin
            present <= 0;
            queued <= 0;
            inside <= 0;
            busy <= 0;
            fresh <= 0;
            leaves <= 0;
            simple_last <= 1;
            owed <= 0;
            for (j = 0; j < 4; j = j + 1) last[j] <= 4'd15;
        end else begin
            fresh <= promised;
            if (promised) begin
                busy <= 1;
                simple <= push_simple;
                own <= next_slot;
                own_barrier <= barrier;
            end else if (picks) begin
                if (!pick_simple) last[level_at] <= pick_slot;
                simple_last <= pick_simple;
                simple <= pick_simple;
                busy <= 1;
                own <= pick_slot;
                own_barrier <= pick_barrier;
            end else if (waits || frees || frees_simple || drop) busy <= 0;
            if (frees_simple && simple_head == b) leaves <= 0;
            if (!can[any] || level_any != level_other || (picks && !pick_simple && pick_slot == any)) owed <= 0;
            else if (picks && !pick_simple && pick_slot == other) owed <= 1;
            if (enters && head == b) queued <= 0;
            if (frees && name_of(name, slot) == b) present <= 0;
            if (waits && name_of(name, slot) == b) inside <= 1;
            if (goes_on && barrier == b) inside <= 0;
            if (push && push_simple && barrier == b) leaves <= 1;
            if (push && !push_simple && barrier == b) begin
                present <= 1;
                queued <= 1;
                excludes <= push_exclusive;
            end
            if (purge && same_cta) begin
                present <= 0;
                queued <= 0;
                inside <= 0;
                leaves <= 0;
            end
        end
        could <= can != 0;
    end

    // Nothing has changed for so many cycles.
    wire quiet = !(push || may_go_on || waits || frees || purge || enters || purging || picks || reset);
    reg [1:0] rest = 0;
    always @(posedge clock) rest <= !quiet ? 0 : rest == 2 ? 2 : rest + 1;

    reg started = 0, may_enter = 0;
    reg [3:0] room = 0;
    reg [6:0] was_head = 0;
    always @(posedge clock) begin
        started <= 1;
        may_enter <= !reset && !moved && head_valid && !purging && taken != 16'hffff && (taken == 0 || (!exclusive && !alone));
        was_head <= head;
        room <= lowest(~taken);
    end

    wire [15:0] can = taken & ~waiting;
    wire [1:0] level_any = {high[any], low[any]};
    wire [1:0] level_other = {high[other], low[other]};
    wire owes = owed && can[any] && level_any == level_other;

    integer k;
    always @(*) begin
        if (!started) assume (reset);
`ifdef BARRIER
        assume (b == `BARRIER);
`endif
        if (goes_on) assume (may_go_on);
        // One thing at a time.
        assume (goes_on + waits + frees + frees_simple + purge <= 1);
        if (push) assume (!goes_on && !waits && !purge);
        if (purging) assume (!push && !goes_on && !waits && !frees && !frees_simple && !purge && !take);
        if (purge) assume (settled);
        if (busy) begin
            assume (slot == own);
            assume (!goes_on && !purge && !take);
            if (push) assume (frees && barrier == own_barrier && !push_simple);
            if (fresh) assume (!waits && !frees && !frees_simple && !drop);
            if (simple) assume (!waits && !frees && !releases);
        end else assume (!waits && !frees && !releases);
        if (frees_simple) assume (busy && simple);
        if (push && barrier == b) assume (!leaves && (!present || (frees && own_barrier == b)));
        // The queue.
        if (enters && head == b) assume (queued && exclusive == excludes);
        if (simple_valid && !purging && simple_head == b) assume (leaves);
        if (started) begin
            // The pick.
            if (pick_simple) assert (pick_valid && simple_valid && pick_barrier == simple_head && !pick_turning);
            if (pick_valid && simple_valid && !simple_last) assert (pick_simple);
            if (pick_simple && simple_last) assert (!could);
            if (owes && pick_valid && !pick_simple) assert (pick_slot != other);
            if (pick_valid && !pick_simple) begin
                assert (can[pick_slot]);
                if (can[any]) assert (level_any < level_at || (level_any == level_at && away(pick_slot, last[level_at]) <= away(any, last[level_at])));
            end
            if (found) begin
                assert (can[at]);
                if (can[any]) assert (level_any < level_at || (level_any == level_at && away(at, last[level_at]) <= away(any, last[level_at])));
                assert (of_level == 4'd1 << level_at);
            end
            // Mutual exclusion.
            if (pick_valid && !purging && pick_barrier == b) assert (!inside);
            if (waits && name_of(name, slot) == b) assert (!inside);
            if (busy && own_barrier == b) assert (!inside);
            // One slot; exclusive ones alone.
            assert (alone_in(here));
            if (here != 0 && excludes) assert (taken == here);
            // Bounded service.
            if (may_enter) assert (taken[room] && name_of(name, room) == was_head);
            if (rest == 2 && can != 0 && !some && (!head_valid || blocked)) assert (pick_valid);
            if (rest == 2 && simple_valid && !some && (!head_valid || blocked)) assert (pick_valid);
            // Promises.
            if (busy && simple) assert (simple_valid && simple_head == own_barrier);
            else if (fresh) assert (enters && first == 16'd1 << own && head == own_barrier);
            else if (busy) assert (can[own] && name_of(name, own) == own_barrier);
            // Why.
            for (k = 0; k < 4; k = k + 1) assert (behind[16 * k +: 16] == 16'hfffe << last[k]);
            for (k = 0; k < 16; k = k + 1) begin
                if (taken[k]) assert (name_of(name, k) == name_of(named, k));
                if (here[k]) assert (waiting[k] == inside);
            end
            if (alone) assert (alone_in(taken));
            assert (!read || some);
            assert (!simple_read || simple_some);
            assert (simple_first == !simple_last && able == could);
            assert (!(leaves && present));
            // Whoever is owed a turn comes before the other one.
            if (owes) assert (any != other && away(any, last[level_any]) < away(other, last[level_any]));
            if (roomy) assert (taken != 16'hffff);
            if (vacant) assert (taken == 0);
            if (!moved) assert (roomy == (taken != 16'hffff) && vacant == (taken == 0));
            if (calm) begin
                assert (roomy && vacant == (taken == 0));
                assert (!head_valid && !some && !purging && can == 0);
                assert (!simple_valid && !simple_some);
                assert (taken != 16'hffff && place == lowest(~taken) && empty == (taken == 0));
            end
            if (here != 0 && excludes) assert (alone);
            if (blocked) assert (!enters);
            if (inside) assert (here != 0);
            if (queued) assert (present && here == 0);
            if (here != 0) assert (present);
            if (present && !queued) assert (here != 0);
            if (fresh) assert (busy);
            assert (!(busy && purging));
            if (fresh && !simple && own_barrier == b) assert (queued);
            if (fresh && !simple) assert (roomy && vacant == (taken == 0) && head_valid && !some && !purging && taken != 16'hffff && (taken == 0 || (!exclusive && !alone)));
        end
    end

    always @(posedge clock) begin
        if (started) begin
            cover (inside);
            cover (pick_valid && alone && pick_slot == 0 && excludes && here != 0);
            cover (pick_valid && pick_slot == 1 && level_at == 3 && can[0]);
            cover (rest == 2 && head_valid && blocked);
            cover (fresh);
            cover (pick_simple && alone && taken != 0);
            cover (owed && busy && own != any);
        end
    end
endmodule
