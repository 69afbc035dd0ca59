//! The state of the barrier and of the CTA that is written.
//!
//! Kernel of the barrier unit, part 6.

use super::Barrier;
use crate::hdl::*;

/// The barrier and the CTA afterwards.
pub struct Outcome;

#[part(Barrier<NW, WI, W, P, SB, MB>, Outcome)]
fn update(&mut self) {
    // ---- The barrier afterwards.
    self.writes.next = self.answer.q.val()
        | self.close.q.val()
        | self.timeout.q.val()
        | self.wake.q.val()
        | self.finish.q.val();
    carry!(self.w_* <- self.b_*.q: dynamic, invalid);
    self.w_idle.next = !self.b_static.q.val() & !self.b_dynamic.q.val() & !self.b_invalid.q.val();
    // (The blocks with sleepers: what an operation or a wake makes of them.)
    self.leaves_block.next = self.wake.q.val() & !self.leaves_it.val();
    self.joins_block.next = self.answer.q.val() & self.adds.q.val();
    self.n_leaves.next = self.no_warps.val() - bit_cast::<NW, 1>(self.leaves_block.val().into());
    self.n_joins.next = self.no_warps.val() - bit_cast::<NW, 1>(self.joins_block.val().into());
    self.new_present.next = (self.b_present.q.val() & !(self.n_leaves.val() & self.here_bit.val()))
        | (self.n_joins.val() & self.block_bit.q.val());
    carry!(self.w_* <- self.b_*.q: seen, held);
    if self.answer.q.val() & self.marks.q.val() {
        self.w_seen.next = self.b_seen.q.val() | self.warp_bit.q.val();
    }
    if self.answer.q.val() & self.holds.q.val() {
        self.w_held.next = self.b_held.q.val() | self.warp_bit.q.val();
    }
    if self.will_be.val() {
        self.w_held.next = self.no_warps.val();
        self.w_dynamic.next = !self.then_idle.val();
        self.w_invalid.next = self.then_idle.val() & self.voids.val();
        self.w_idle.next = self.then_idle.val() & !self.voids.val();
    }
    if self.frees_held.q.val() & self.answer.q.val() {
        self.w_held.next = self.no_warps.val();
    }
    if self.finish.q.val() {
        self.w_dynamic.next = self.is_again.val();
        self.w_invalid.next = !self.b_reset.q.val() & self.b_void.q.val();
        self.w_idle.next = !self.is_again.val() & (self.b_reset.q.val() | !self.b_void.q.val());
    }
    // (The first sleeper is one of the arriving ones; or those of that block have left.)
    self.w_known.next = self.b_known.q.val() | self.leads.val();
    self.firsts.write_enable.next = self.leads.val();
    carry!(self.firsts <- self.*.q: write_address = barrier, write_data = warp);
    self.turns_next.next = self.b_turning.q.val() & !self.b_ending.q.val() & !self.b_reset.q.val();
    // (The selector goes through all blocks then, not only through those behind the slot's.)
    self.starts_next.next = self.finish.q.val()
        | self.b_reset.q.val()
        | (!self.b_turning.q.val() & !self.b_ending.q.val());
    self.w_flags.next = bit_cast::<12, 1>(self.w_dynamic.val().into())
        | (bit_cast::<12, 1>(self.w_invalid.val().into()) << 1)
        | (bit_cast::<12, 1>(self.b_split.q.val().into()) << 2)
        | (bit_cast::<12, 1>(self.b_started.q.val().into()) << 3)
        | (bit_cast::<12, 1>(self.b_rescan.q.val().into()) << 4)
        | (bit_cast::<12, 1>(self.b_left.q.val().into()) << 5)
        | (bit_cast::<12, 1>(self.b_reset.q.val().into()) << 6)
        | (bit_cast::<12, 1>(self.w_known.val().into()) << 11);
    if !self.finish.q.val() {
        self.w_flags.next = self.w_flags.val()
            | (bit_cast::<12, 1>(self.turns_next.val().into()) << 7)
            | (bit_cast::<12, 1>(self.b_ending.q.val().into()) << 8)
            | (bit_cast::<12, 1>(self.b_inside.q.val().into()) << 10);
    }
    if self.w_dynamic.val() & (self.voids.val() | self.b_void.q.val()) {
        self.w_flags.next = self.w_flags.val().replace_bit(9, true);
    }
    self.flags.write_enable.next = self.writes.val();
    self.flags.write_address.next = self.barrier.q.val();
    self.flags.write_data.next = bit_cast::<26, 12>(self.w_flags.val())
        | (bit_cast::<26, 13>(self.b_arrivals.q.val()) << 12)
        | (bit_cast::<26, 1>(self.starts_next.val().into()) << 25);
    self.tags.write_enable.next = self.answer.q.val() & self.opened.q.val();
    carry!(self.tags <- self.*.q: write_address = barrier, write_data = pc);
    self.exits.write_enable.next = self.answer.q.val() & self.first_left.q.val();
    carry!(self.exits <- self.*.q: write_address = barrier, write_data = pc);
    self.words.write_enable.next = self.answer.q.val() & self.opened.q.val();
    self.words.write_address.next = self.barrier.q.val();
    // (The bits of condition and kind say what they mean, the last one that the count is too large.)
    self.kept_word.next = bit_cast::<33, 32>(self.word.q.val());
    self.kept_word.next = self
        .kept_word
        .val()
        .replace_bit(11, self.taking_only.q.val());
    self.kept_word.next = self.kept_word.val().replace_bit(12, self.everybody.q.val());
    self.kept_word.next = self.kept_word.val().replace_bit(13, self.impatient.q.val());
    self.kept_word.next = self.kept_word.val().replace_bit(14, self.section.q.val());
    self.kept_word.next = self.kept_word.val().replace_bit(15, self.limited.q.val());
    self.kept_word.next = self.kept_word.val().replace_bit(32, self.exceeds.val());
    self.words.write_data.next = self.kept_word.val();
    self.present.write_enable.next = self.writes.val();
    self.present.write_address.next = self.barrier.q.val();
    self.present.write_data.next = self.new_present.val();
    self.held.write_enable.next = self.writes.val();
    self.held.write_address.next = self.barrier.q.val();
    self.held.write_data.next = self.w_held.val();
    self.seers.write_enable.next = self.writes.val();
    self.seers.write_address.next = self.barrier.q.val();
    self.seers.write_data.next = self.w_seen.val();
    self.holders.write_enable.next = self.wake.q.val() & self.turns.q.val();
    carry!(self.holders <- self.*.q: write_address = barrier, write_data = warp);

    // ---- The CTA afterwards.
    self.w_used.next = self.used.read_data.val() | self.id_bit.val();
    if self.w_idle.val() {
        self.w_used.next = self.used.read_data.val() & !self.id_bit.val();
    }
    self.flips.next = (self.complete.val() & !self.b_section.q.val())
        | (self.finish.q.val()
            & self.b_section.q.val()
            & !self.b_reset.q.val()
            & !self.is_again.val());
    self.writes_used.next = self.writes.val();
    carry!(self.phases <- self: write_enable = flips, write_address = cta);
    self.phases.write_data.next = self.phase_row.q.val() ^ self.id_bit.val();
    self.lives.write_enable.next = self.depart.q.val();
    carry!(self.lives <- self: write_address = cta, write_data = fewer);
    self.totals.write_enable.next = false;
    self.totals.write_address.next = self.cta.val();
    self.totals.write_data.next = self.launched.q.val();
    self.slots.purge.next = false;
    if self.place.q.val() {
        self.writes_used.next = !self.op_of_block.q.val().any();
        self.w_used.next = self.no_ids.val();
        self.phases.write_data.next = self.no_ids.val();
        self.lives.write_data.next = self.launched.q.val();
        if !self.op_of_block.q.val().any() {
            self.phases.write_enable.next = true;
            self.lives.write_enable.next = true;
            self.totals.write_enable.next = true;
            self.slots.purge.next = self.slots.settled.val();
        }
    }
    carry!(self.used <- self: write_enable = writes_used, write_address = cta, write_data = w_used);
    self.alive.write_enable.next = self.place.q.val() | self.ended.q.val() | self.clearing.q.val();
    self.alive.write_address.next = self.warp.q.val();
    self.alive.write_data.next =
        (self.place.q.val() & self.any_all.val()) | (self.ended.q.val() & !self.whole.q.val());
    carry!(self.ctas <- self.*.q: write_enable = place, write_address = warp);
    self.ctas.write_data.next = self.cta.val();
    carry!(self.blocks <- self.*.q: write_enable = place, write_address = warp);
    self.blocks.write_data.next = self.op_of_block.q.val();
    self.places.write_enable.next = self.place.q.val();
    self.places.write_address.next =
        (bit_cast::<MB, WI>(self.op_of_block.q.val()) << 4) | bit_cast::<MB, 4>(self.cta.val());
    self.places.write_data.next = self.warp.q.val();
    if self.depart.q.val() {
        self.live.d.next = self.fewer.val();
    }
    if self.fetch.q.val() {
        self.live.d.next = self.live.q.val();
    }
}
