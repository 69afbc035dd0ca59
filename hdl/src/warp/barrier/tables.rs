//! What is taken up, and the rows that are read for it.
//!
//! Kernel of the barrier unit, part 1.

use super::Barrier;
use crate::hdl::*;

/// Which operation, timer or slot is taken; the row of its warp; the state of its barrier.
pub struct Tables;

#[part(Barrier<NW, WI, W, P, SB, MB>, Tables)]
fn update(&mut self) {
    // ---- What is taken.
    self.timers.reset.next = self.reset.val();
    carry!(self.slots <- self: reset, cfg_priority);
    self.id.next = self.barrier.q.val().get_bits::<3>(0);
    self.cta.next = self.barrier.q.val().get_bits::<4>(3);
    self.ready.next = self.idle.q.val()
        & !self.timers.due.val()
        & !(self.slots.pick_valid.val() & self.slots_first.q.val());
    self.op_ready.next = self.ready.val();
    self.takes_op.next = self.ready.val() & self.op_valid.val();
    self.takes_due.next = self.idle.q.val() & self.timers.head_valid.val();
    self.takes_slot.next = self.idle.q.val()
        & !self.timers.due.val()
        & self.slots.pick_valid.val()
        & (self.slots_first.q.val() | !self.op_valid.val());
    self.timers.pop.next = self.takes_due.val();

    // Where to look: rows of the warp and of the barrier.
    // (Without `if`, so that the addresses do not seem to depend on what is read there.)
    self.from_op.next = self.no_place.val() - bit_cast::<WI, 1>(self.idle.q.val().into());
    self.lookup.next =
        (self.warp.q.val() & !self.from_op.val()) | (self.op_warp.val() & self.from_op.val());
    spread!(self.*.read_address <- self.lookup: alive, ctas, blocks);
    self.op_barrier.next =
        (bit_cast::<7, 4>(self.ctas.read_data.val()) << 3) | bit_cast::<7, 3>(self.op_id.val());
    self.low_id.bits.next = self.ids.q.val();
    self.walk_barrier.next =
        (bit_cast::<7, 4>(self.cta.val()) << 3) | bit_cast::<7, 3>(self.low_id.place.val());
    // (Of the CTA at hand while nothing is taken.)
    self.aimed.next = self.op_barrier.val();
    if !self.idle.q.val() {
        self.aimed.next = self.walk_barrier.val();
    } else if self.takes_due.val() {
        self.aimed.next = self.timers.head.val();
    } else if self.takes_slot.val() {
        self.aimed.next = self.slots.pick_barrier.val();
    }
    spread!(self.*.read_address <- self.aimed:
        flags, tags, exits, words, present, held, seers, holders, firsts,
    );
    self.seen_at.next = (bit_cast::<SB, WI>(self.lookup.val()) << 3)
        | bit_cast::<SB, 3>(self.aimed.val().get_bits::<3>(0));
    self.seen_rows.read_address.next = self.seen_at.val();
    self.used.read_address.next = self.aimed.val().get_bits::<4>(3);
    self.used_row.d.next = self.used.read_data.val();
    // (Written with the barrier at hand, so never in a cycle that aims.)
    self.phases.read_address.next = self.aimed.val().get_bits::<4>(3);
    self.lives.read_address.next = self.aimed.val().get_bits::<4>(3);
    self.totals.read_address.next = self.aimed.val().get_bits::<4>(3);
    spread!(self.*.read_address <- self.slots.pick_slot: scan_blocks, scan_warps, scan_rests);

    self.no_time.next = !self.op_word.val().get_bits::<11>(21).any();
    if self.takes_op.val() {
        self.is_top.d.next = self.op_code.val() == self.code_top.val();
        self.is_bottom.d.next = (self.op_code.val() == self.code_bottom.val())
            | (self.op_code.val() == self.code_bottom_nb.val());
        self.blocking.d.next = self.op_code.val() == self.code_bottom.val();
        self.is_reset.d.next = self.op_code.val() == self.code_reset.val();
        self.is_arrive.d.next = self.op_code.val() == self.code_arrive.val();
        self.is_wait.d.next = self.op_code.val() == self.code_wait.val();
        self.is_exit.d.next = self.op_code.val() == self.code_exit.val();
        self.is_launch.d.next = self.op_code.val() == self.code_launch.val();
        self.is_kill.d.next = self.op_code.val() == self.code_kill.val();
        // (A timeout of 0 is one of 1.)
        self.word.d.next = self
            .op_word
            .val()
            .replace_bit(21, self.op_word.val().get_bit(21) | self.no_time.val());
        self.pc.d.next = self.op_pc.val();
        self.launched.d.next = self.op_threads.val();
        self.op_of_block.d.next = self.blocks.read_data.val();
        self.barrier.d.next = self.op_barrier.val();
        if self.op_code.val() == self.code_launch.val() {
            self.op_of_block.d.next = self.op_block.val();
            self.barrier.d.next =
                (bit_cast::<7, 4>(self.op_cta.val()) << 3) | bit_cast::<7, 3>(self.op_id.val());
        }
        self.slots_first.d.next = true;
    }
    if self.takes_due.val() {
        self.barrier.d.next = self.timers.head.val();
    }
    if self.takes_slot.val() {
        carry!(self.*.d <- self.slots.pick_*: barrier, simple, slot, plain = turning);
        self.behind.d.next = self.but_first.val() << self.scan_blocks.read_data.val();
        self.slots_first.d.next = false;
    }
    if self.takes_op.val() {
        self.behind.d.next = self.all_warps.val();
    }
    self.bit_of_warp.next = self.one_warp.val() << self.warp.q.val();
    self.id_bit.next = self.one_id.val() << self.id.val();

    // ---- The row of the warp at hand.
    self.threads.warp.next = self.row.q.val();
    self.threads.id.next = self.id.val();
    carry!(self.row_* <- self.threads: live, asleep, inside = in_section, gone, noted, here);
    self.own_row.next = self.ctas.read_data.val() == self.cta.val();

    // ---- The state of the barrier at hand.
    self.raw.next = self.flags.read_data.val();
    self.raw_word.next = self.words.read_data.val();
    self.raw_tag.next = self.tags.read_data.val();
    carry!(self.raw_* <- self.*.read_data: held, seers);
    self.is_used.next = self.used_row.q.val().get_bit(self.id.val().index());
    self.raw_section.next = self.raw_word.val().get_bit(14);
    self.new_condition.condition.next = self.word.q.val().get_bits::<3>(11);
    self.new_count.next = self.word.q.val().get_bits::<11>(0);
    // (Compared in pieces: what block RAM says comes late, and what is made of it then is decided in `rule`.)
    self.tag_differs.next = self.raw_tag.val() ^ self.pc.q.val();
    self.exit_differs.next = self.exits.read_data.val() ^ self.pc.q.val();
    self.tag_pieces.next = self.no_pieces.val();
    self.exit_pieces.next = self.no_pieces.val();
    for k in 0..11 {
        self.tag_pieces.next = self
            .tag_pieces
            .val()
            .replace_bit(k, (self.tag_differs.val() & self.pairs[k].val()).any());
        self.exit_pieces.next = self
            .exit_pieces
            .val()
            .replace_bit(k, (self.exit_differs.val() & self.pairs[k].val()).any());
    }
    self.own_seers.next = self.raw_seers.val() & self.bit_of_warp.val();
    self.seer_pieces.next = self.no_seers.val();
    for k in 0..4 {
        self.seer_pieces.next = self
            .seer_pieces
            .val()
            .replace_bit(k, (self.own_seers.val() & self.quarters[k].val()).any());
    }
    self.by_arrive.next = self.is_arrive.q.val()
        & !self.raw.val().get_bit(0)
        & !self.raw.val().get_bit(1)
        & self.raw.val().get_bit(2);
    self.by_top.next = self.is_top.q.val() & !self.raw.val().get_bit(2);
    self.leaves_again.next = self.blocking.q.val() & self.raw.val().get_bit(5);
    self.loads.next =
        self.look.q.val() | self.fetch.q.val() | self.recall.q.val() | self.aim.q.val();
    if self.loads.val() {
        self.b_static.d.next = !self.raw.val().get_bit(0) & !self.raw.val().get_bit(1);
        self.b_dynamic.d.next = self.raw.val().get_bit(0);
        self.b_invalid.d.next = self.raw.val().get_bit(1);
        self.b_split.d.next = self.raw.val().get_bit(2);
        self.b_started.d.next = self.raw.val().get_bit(3);
        self.b_rescan.d.next = self.raw.val().get_bit(4);
        self.b_left.d.next = self.raw.val().get_bit(5);
        self.b_reset.d.next = self.raw.val().get_bit(6);
        self.b_turning.d.next = self.raw.val().get_bit(7);
        self.b_ending.d.next = self.raw.val().get_bit(8);
        self.b_void.d.next = self.raw.val().get_bit(9);
        self.b_arrivals.d.next = self.raw.val().get_bits::<13>(12);
        self.b_known.d.next = self.raw.val().get_bit(11);
        self.b_first.d.next = self.firsts.read_data.val();
        carry!(self.b_*.d <- self.raw_*: word, section);
        self.b_joinable.d.next =
            self.raw.val().get_bit(0) & !self.raw.val().get_bit(6) & !self.raw.val().get_bit(8);
        self.taking_only.d.next = self.is_top.q.val() & self.new_condition.taking_only.val();
        self.everybody.d.next = self.new_condition.everybody.val();
        self.impatient.d.next = self.is_top.q.val() & self.new_condition.impatient.val();
        self.limited.d.next = self.new_condition.limits.val() & self.new_count.val().any();
        self.section.d.next =
            self.is_top.q.val() & (self.word.q.val().get_bit(14) ^ self.word.q.val().get_bit(15));
        self.b_missing.d.next = bit_cast::<14, 12>(self.lives.read_data.val())
            - bit_cast::<14, 13>(self.raw.val().get_bits::<13>(12));
        self.b_short.d.next = bit_cast::<14, 11>(self.raw_word.val().get_bits::<11>(0))
            - bit_cast::<14, 13>(self.raw.val().get_bits::<13>(12));
        self.own_by.d.next = self.by_arrive.val() | self.by_top.val();
        self.other_tag.d.next = self.tag_pieces.val();
        if !self.is_top.q.val() {
            self.other_tag.d.next = self.no_pieces.val();
        }
        self.other_exit.d.next = self.exit_pieces.val();
        self.may_stray.d.next = self.leaves_again.val();
        self.warp_seen.d.next = self.seer_pieces.val();
        self.b_exit.d.next = self.exits.read_data.val();
        carry!(self.b_*.d <- self.raw_*: held, seen = seers);
        self.b_exclusive.d.next = self.raw_word.val().get_bit(16);
        self.b_holder.d.next = self.holders.read_data.val();
        self.phase_row.d.next = self.phases.read_data.val();
        self.live.d.next = self.lives.read_data.val();
        self.total.d.next = self.totals.read_data.val();
    }
}
