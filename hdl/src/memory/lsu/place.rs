//! A group is placed: whether it goes now, and what that means.

use super::Lsu;
use crate::hdl::*;

/// What the group is.
pub struct Group;

#[part(Lsu, Group)]
fn update(&mut self) {
    // ---- The group that is placed: what it is.
    self.x_some.next = self.x.lanes.q.val().any();
    // Acquires, releases and LR wait for what their warp has done before (ORDER-020).
    self.x_acquires.next = self.x.order.q.val().get_bit(1);
    self.under_way.next = self.in_flight.under_way.val() | self.p.warps.q.val();
    // That nothing is under way is known in the second cycle: only this group could change it.
    self.x.clear.d.next = !self.under_way.val().get_bit(self.x.warp.q.val().index());
    self.x_early.next = (self.x.order.q.val().any() | self.x.reserves.q.val())
        & self.x.begins.q.val()
        & !self.x.clear.q.val();
    self.x_may.next = self.x.valid.q.val()
        & !self.x_early.val()
        & !self
            .completion
            .parked
            .val()
            .get_bit(self.x.warp.q.val().index());
    carry!(self <- self: x_offset = no_offset, x_lead_address = zero, touched = no_words);
    for l in 0..LANES {
        self.is_lead[l].next = self.x.lead.q.val() == self.lane_number[l].val();
        if self.is_lead[l].val() {
            self.x_offset.next = self.x_offset.val() | self.x.offsets.q.val().get_bits::<6>(6 * l);
            self.x_lead_address.next =
                self.x_lead_address.val() | self.x.address.q.val().get_bits::<32>(32 * l);
        }
        self.lane_word[l].next = self.x.offsets.q.val().get_bits::<4>(6 * l + 2);
        if self.x.lanes.q.val().get_bit(l) {
            self.touched.next = self.touched.val() | (self.a_word.val() << self.lane_word[l].val());
        }
    }
    self.x_word.next = self.x_offset.val().get_bits::<4>(2);
    self.x_in_warp.next = (bit_cast::<THREAD_BITS, PART_BITS>(self.x.part.q.val())
        << self.lane_bits.val())
        | bit_cast::<THREAD_BITS, LANE_BITS>(self.x.lead.q.val());
    self.x_thread.next = bit_cast::<6, THREAD_BITS>(self.x_in_warp.val());
    // Its burst: from the beat of its lowest word to that of its highest.
    self.touched_back.next = self.no_words.val();
    for w in 0..16 {
        self.touched_back.next = self
            .touched_back
            .val()
            .replace_bit(15 - w, self.touched.val().get_bit(w));
    }
    self.lowest_word.bits.next = self.touched.val();
    self.highest_word.bits.next = self.touched_back.val();
    self.first_word.next = self.lowest_word.place.val() & self.beat_mask.val();
    self.last_word.next = self.fifteen.val() - self.highest_word.place.val();
    self.end_word.next = self.last_word.val() & self.beat_mask.val();
    self.word_span.next = self.end_word.val() - self.first_word.val();
    self.burst.next = self.word_span.val() >> self.beat_shift.val();
    // A store has them from its second cycle on, the beat that goes next among them.
    carry!(self.x.*.d <- self: first_word, end_word);
    self.x.burst.d.next = self.burst.val().get_bits::<3>(0);
    if !self.streams.q.val() {
        self.beat_at.d.next = self.first_word.val();
    }
    self.is_last_beat.next = self.beat_at.q.val() == self.x.end_word.q.val();
}

/// Whether it goes now.
pub struct Go;

#[part(Lsu, Go)]
fn update(&mut self) {
    // ---- Whether it goes now.
    self.c_room.next = self.completion.store_room.val()
        | !self.x.closes.q.val()
        | !self.x.last.q.val()
        | self.x.is_row.q.val()
        | self.x.fence.q.val();
    // The row of an SC is given in the cycle behind.
    self.words_free.next = !self.c.words_come.q.val();
    carry!(self.reservations <- self.starts.*.q: forget = valid, forget_warp = warp);
    self.reservations.warp.next = self.x.warp.q.val();
    self.reservations.thread.next = self.x_in_warp.val();
    self.reservations.line.next = self.x.line.q.val();
    self.reservations.word.next = self.x_word.val();
    self.reservations.on_chip.next = self.x.on_chip.q.val();
    carry!(self.reservations <- self.atomic: snoop_valid, snoop_line);
    // Of others no write may come between (GPU-051).
    self.x_atomic.next = self.x.valid.q.val()
        & !self.x_early.val()
        & !self.x.on_chip.q.val()
        & (self.x.reserves.q.val() | self.x.conditional.q.val() | self.x.amo.q.val());
    self.x_allowed.next = !self.x_atomic.val() | self.atomic.may.val();
    self.atomic.wants.next = self.x_atomic.val();
    self.atomic.busy.next = self.exclusive.busy.val() | self.p.busy.q.val();
    self.succeeds.next = self.x.conditional.q.val()
        & self.x.knows.q.val()
        & self.reservations.room.val()
        & self.reservations.holds.val()
        & self.words_free.val();
    self.fails.next = self.x_may.val()
        & self.x_some.val()
        & self.x.conditional.q.val()
        & self.x.knows.q.val()
        & self.reservations.room.val()
        & !self.reservations.holds.val()
        & self.words_free.val();
    carry!(self.lines.ask_* <- self.x.*.q: line, kind);
    self.wants_read.next = self.x_may.val()
        & self.x_some.val()
        & !self.x.on_chip.q.val()
        & (self.x.load.q.val()
            | self.x.amo.q.val()
            | (self.x.reserves.q.val() & self.reservations.room.val()))
        & self.x_allowed.val()
        & self.ar.in_ready.val();
    self.reads_now.next = self.wants_read.val() & self.lines.room.val();
    self.modifies.next = self.modify.modify_valid.val() & !self.streams.q.val();
    self.wants_stream.next = self.x_may.val()
        & self.x_some.val()
        & self.x.stood.q.val()
        & !self.x.on_chip.q.val()
        & (self.x.store.q.val() | self.succeeds.val())
        & self.x_allowed.val()
        & (self.streams.q.val() | self.lines.room.val())
        & (self.c_room.val() | !self.is_last_beat.val())
        & !self.modifies.val();
    self.streams_now.next = self.wants_stream.val() & self.aw.in_ready.val();
    self.begins_stream.next = self.streams_now.val() & !self.streams.q.val();
    self.ends_stream.next = self.streams_now.val() & self.is_last_beat.val();
    self.wants_chip.next = self.x_may.val()
        & self.x_some.val()
        & self.x.on_chip.q.val()
        & (self.x.load.q.val()
            | self.x.amo.q.val()
            | (self.x.reserves.q.val() & self.reservations.room.val())
            | (self.x.store.q.val() & self.c_room.val())
            | self.succeeds.val());
    self.scratchpad.scrub.next = self.scrub.val();
    self.scrubbing.next = self.scratchpad.scrubbing.val();
    self.scratchpad.valid.next = self.wants_chip.val();
    self.c.words_come.d.next = self.wants_chip.val()
        & !self.x.store.q.val()
        & !self.x.conditional.q.val()
        & !self.x.amo.q.val();
    carry!(self.scratchpad <- self.x.*.q: lanes, lines, offsets);
    self.scratchpad.store.next = self.x.store.q.val() | self.x.conditional.q.val();
    self.scratchpad.atomic.next = self.x.amo.q.val();
    self.scratchpad.operation.next = self.x.op.q.val().get_bits::<4>(0);
    carry!(self.scratchpad <- self.x.*.q: size, data, slot);
    self.idles.next =
        self.x_may.val() & !self.x_some.val() & (self.x.fence.q.val() | self.c_room.val());
    self.x_done.next = self.reads_now.val()
        | self.ends_stream.val()
        | self.scratchpad.over.val()
        | self.fails.val()
        | self.idles.val();
    self.atomic.placed.next = self.x_atomic.val() & self.x_done.val();
    self.x_closed.next = self.x_done.val() & self.x.closes.q.val();
    self.parks.next =
        self.x_closed.val() & (self.x.fence.q.val() | self.x_acquires.val()) & self.x.last.q.val();
    self.x_completes.next =
        self.x_closed.val() & self.x.last.q.val() & !self.x.is_row.q.val() & !self.x.fence.q.val();
}

/// What that means for the order of memory, rows, instructions, the trace.
pub struct Effects;

#[part(Lsu, Effects)]
fn update(&mut self) {
    // ---- What that means: for the order of memory,
    self.lines.take.next = self.reads_now.val() | self.begins_stream.val();
    self.reservations.reserve.next =
        self.x.reserves.q.val() & (self.reads_now.val() | self.scratchpad.over.val());
    self.reservations.ends.next =
        self.x.conditional.q.val() & self.x_done.val() & self.x_some.val();
    self.reservations.changes.next = self.begins_stream.val()
        | (self.reads_now.val() & self.x.amo.q.val())
        | (self.scratchpad.served.val().any() & !self.x.load.q.val() & !self.x.reserves.q.val());
    // for its row and its instruction,
    // (which count it a cycle later: its values come later still),
    self.p.begins.d.next = self.x_done.val() & self.x.is_row.q.val() & self.x_some.val();
    self.p.closes_row.d.next = self.x_closed.val() & self.x.is_row.q.val();
    self.p.closes.d.next = self.x_closed.val();
    carry!(self.p.*.d <- self.x.*.q: slot, warp);
    carry!(self.rows <- self.p.*.q: begins, placed = closes_row, at_slot = slot);
    self.completion.park.next = self.parks.val();
    self.completion.park_warp.next = self.x.warp.q.val();
    carry!(self.completion <- self: park_acquires = x_acquires, store_valid = x_completes);
    carry!(self.completion.store_* <- self.x.*.q: warp, pc, number, bad);
    carry!(self.completion.store_* <- self.x.bad_*.q: thread, cause, address);
    // for what is pending,
    self.sends.next = self.begins_stream.val() | (self.reads_now.val() & self.x.amo.q.val());
    self.in_flight.queued.next = self.access_valid.val() & self.queue.push_ready.val();
    self.in_flight.queued_warp.next = self.access_warp.val();
    carry!(self.in_flight <- self.p.*.q:
        placed = closes, placed_warp = warp, begins_row = closes_row, begins_write = sends,
    );
    self.counts_now.next = (self.x_closed.val() & self.x.is_row.q.val()) | self.sends.val();
    self.counted.next = self.no_warps.val();
    for w in 0..WARPS {
        if self.counts_now.val() & (self.x.warp.q.val() == self.warp_number[w].val()) {
            self.counted.next = self.counted.val().replace_bit(w, true);
        }
    }
    self.p.warps.d.next = self.counted.val();
    self.completion.sent.next = self.p.sends.q.val();
    self.sent_at.next = (bit_cast::<WRITE_BITS, MISS_BITS>(self.lines.place.val()) << 2)
        | bit_cast::<WRITE_BITS, 2>(self.lines.turn.val());
    self.completion.sent_at.next = self.p.sent_at.q.val();
    carry!(self.p.*.d <- self: sends, sent_at);
    self.p.is_atomic.d.next = self.x.conditional.q.val() | self.x.amo.q.val();
    self.p.busy.d.next = self.sends.val() & (self.x.conditional.q.val() | self.x.amo.q.val());
    carry!(self.exclusive <- self.p.*.q: sent = sends, sent_at, sent_atomic = is_atomic);
    carry!(self.p.*.d <- self.x.*.q: pc, number);
    carry!(self.p.*.d <- self.x_*: thread, address = lead_address);
    carry!(self.completion.sent_* <- self.p.*.q: warp, pc, number, thread, address);
    // and for the trace.
    self.effect_lanes.next = self.x.lanes.q.val();
    if self.x.on_chip.q.val() & !self.fails.val() {
        self.effect_lanes.next = self.scratchpad.served.val();
    }
    self.e.valid.d.next = self.reads_now.val()
        | self.begins_stream.val()
        | self.fails.val()
        | self.scratchpad.served.val().any();
    carry!(self.e.*.d <- self.x.*.q: warp, part, op);
    if self.fails.val() {
        self.e.op.d.next = self.failed_op.val();
    }
    self.e.mask.d.next = self.effect_lanes.val();
    carry!(self.e.*.d <- self.x.*.q: address, data);
    carry!(self.effect <- self.e.*.q: valid, warp, part, op, mask, address, data);
}
