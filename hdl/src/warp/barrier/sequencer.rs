//! Queue, slots and timers, events, the warp at hand, and the step that comes next.
//!
//! Kernel of the barrier unit, part 9.

use super::Barrier;
use crate::hdl::*;

/// What is told to the slots and timers; events; the next warp and the next step.
pub struct Sequencer;

#[part(Barrier<NW, WI, W, P, SB, MB>, Sequencer)]
fn update(&mut self) {
    // ---- Queue, slots, timers.
    self.pushes.next = (self.complete.val() & !self.then_idle.val())
        | (self.answered.val() & self.enters.q.val())
        | (self.finish.q.val() & self.is_again.val());
    self.slots.push.next = self.pushes.val();
    self.slots.push_exclusive.next = self.b_section.q.val() & self.b_exclusive.q.val();
    self.slots.push_simple.next = !self.b_section.q.val() | self.b_reset.q.val();
    self.slots.barrier.next = self.barrier.q.val();
    self.slots.goes_on.next = self.goes_on.val();
    self.slots.may_go_on.next =
        (self.rule.q.val() & (self.is_bottom.q.val() | self.is_reset.q.val())) | self.lower.q.val();
    self.slots.slot.next = self.slot.q.val();
    self.slots.picks.next = self.takes_slot.val();
    self.slots.waits.next = self.wake.q.val() & self.turns.q.val();
    self.slots.more.next = self.any_rest.val();
    self.slots.releases.next = self.scans.val() & !self.turns.q.val();
    self.slots.resets.next = self.rule.q.val() & self.is_reset.q.val();
    self.slots.frees.next = self.finish.q.val() & !self.simple.q.val();
    self.slots.frees_simple.next = self.finish.q.val() & self.simple.q.val();
    carry!(self.timers <- self.*.q: arm = sets, barrier);
    self.timers.ticks.next = self.b_word.q.val().get_bits::<11>(21);
    if self.opened.q.val() {
        self.timers.ticks.next = self.word.q.val().get_bits::<11>(21);
    }
    if self.disarms.q.val() {
        self.timers.ticks.next = self.no_ticks.val();
    }
    self.expired.valid.next = self.timers.expired.val();
    self.expired.cta.next = self.timers.expired_barrier.val().get_bits::<4>(3);
    self.expired.id.next = self.timers.expired_barrier.val().get_bits::<3>(0);

    // ---- Events.
    self.happens.d.next = self.complete.val()
        | (self.answered.val() & self.closes.q.val())
        | (self.finish.q.val() & !self.w_invalid.val());
    self.kind.d.next = self.event_idle.val();
    if self.complete.val() {
        self.kind.d.next = self.event_fire.val();
    }
    if self.ran_out.val() {
        self.kind.d.next = self.event_timeout.val();
    }
    if self.finish.q.val() & self.is_again.val() {
        self.kind.d.next = self.event_again.val();
    }
    carry!(self.event <- self.*.q: valid = happens, kind);
    carry!(self.event <- self: cta, id);

    // ---- The warp at hand, and its block.
    self.to_place.next =
        self.reach.q.val() | (self.woken.val() & !self.turns.q.val() & !self.once_more.q.val());
    if self.to_place.val() {
        self.block.d.next = self.next_block.q.val();
    }
    if self.takes_slot.val() {
        self.block.d.next = self.scan_blocks.read_data.val();
    }
    self.to_holder.next = self.answered.val() & self.evicts.q.val();
    self.to_first.next = self.through.val() & !self.leads.val();
    self.takes_plain_op.next = self.idle.q.val() & !self.takes_slot.val();
    self.to_next.next = self.clearing.q.val() | self.to_holder.val() | self.to_first.val();
    // (Whether they move is asked by the enables: a step chooses its source at once.)
    self.from_next.next = self.clearing.q.val() | self.answer.q.val() | self.rule.q.val();
    self.from_place.next = self.reach.q.val() | self.wake.q.val();
    self.m_of_op.next = self.no_place.val() - bit_cast::<WI, 1>(self.takes_plain_op.val().into());
    self.m_of_slot.next = self.no_place.val() - bit_cast::<WI, 1>(self.takes_slot.val().into());
    self.m_of_next.next = self.no_place.val() - bit_cast::<WI, 1>(self.from_next.val().into());
    self.m_of_place.next = self.no_place.val() - bit_cast::<WI, 1>(self.from_place.val().into());
    self.m_of_look.next = self.no_place.val() - bit_cast::<WI, 1>(self.look.q.val().into());
    self.next_warp.d.next = self.b_first.q.val();
    if self.is_reset.q.val() {
        self.next_warp.d.next = self.b_holder.q.val();
    }
    if self.look.q.val() | self.recount.q.val() {
        self.next_warp.d.next = self.warp.q.val();
    }
    if self.clearing.q.val() {
        self.next_warp.d.next = self.next_warp.q.val() + self.next_place.val();
    }
    self.other_warp.next = (self.m_of_op.val() & self.op_warp.val())
        | (self.m_of_slot.val() & self.scan_warps.read_data.val())
        | (self.m_of_next.val() & self.next_warp.q.val())
        | (self.m_of_place.val() & self.places.read_data.val());
    self.moves.next = self.idle.q.val() | self.to_next.val() | self.to_place.val();
    if self.moves.val() {
        self.warp.d.next = self.other_warp.val();
    }
    if self.moves.val() | self.look.q.val() | self.rule.q.val() {
        self.row.d.next =
            self.other_warp.val() | (self.m_of_look.val() & self.firsts.read_data.val());
    }
    // (Of the former cycle's warp, but for that of a wake that follows a verdict at once.)
    self.bit_from.next = self.warp.q.val();
    if self.to_first.val() {
        self.bit_from.next = self.b_first.q.val();
    }
    self.warp_bit.d.next = self.one_warp.val() << self.bit_from.val();

    // ---- The sequencer.
    self.look.d.next = self.takes_op.val();
    self.recount.d.next = self.look.q.val() & self.recounts.val();
    self.rule.d.next = (self.look.q.val() & !self.recounts.val()) | self.recount.q.val();
    self.answer.d.next = (self.rule.q.val() & !self.is_launch.q.val() & !self.is_kill.q.val())
        | (self.answer.q.val() & !self.verdict_ready.val());
    self.place.d.next = (self.rule.q.val() & self.is_launch.q.val())
        | (self.place.q.val() & !self.slots.settled.val());
    self.purge.d.next = (self.place.q.val() & self.slots.settled.val())
        | (self.purge.q.val() & self.slots.purging.val());
    self.again.d.next = self.answered.val() & self.twice.val();
    self.evict.d.next = self.answered.val() & self.evicts.q.val();
    self.depart.d.next =
        (self.rule.q.val() & self.is_kill.q.val()) | (self.answered.val() & self.is_exit.q.val());
    self.next_id.d.next = self.depart.q.val() | self.close.q.val();
    self.fetch.d.next = self.next_id.q.val() & self.ids.q.val().any();
    carry!(self.*.d <- self.*.q: gather = fetch, tally = gather, lower = tally, judge = lower);
    self.close.d.next = self.judge.q.val();
    self.ended.d.next = self.next_id.q.val() & !self.ids.q.val().any();
    self.recall.d.next = self.takes_due.val();
    self.timeout.d.next = self.recall.q.val();
    self.aim.d.next = self.takes_slot.val();
    self.sift.d.next = (self.mark.q.val() | self.straight.val()) & self.b_section.q.val();
    self.seek.d.next = (self.aim.q.val() & !self.fast.val())
        | (self.reach.q.val() & !self.next_found.q.val() & self.turn_mode.q.val());
    self.reach.d.next =
        self.seek.q.val() | (self.sift.q.val() & self.turn_mode.q.val() & !self.any_rest.val());
    self.mark.d.next = (self.reach.q.val() & self.next_found.q.val())
        | (self.woken.val()
            & !self.turns.q.val()
            & self.goes_again.val()
            & !self.interrupted.val());
    self.wake.d.next = (self.aim.q.val() & self.fast.val())
        | (self.sift.q.val() & (!self.turn_mode.q.val() | self.any_rest.val()))
        | (self.mark.q.val() & !self.b_section.q.val())
        | self.goes_first.val()
        | (self.wake.q.val() & !self.woken.val());
    self.finish.d.next = (self.reach.q.val() & !self.next_found.q.val() & !self.turn_mode.q.val())
        | (self.woken.val() & !self.turns.q.val() & !self.goes_again.val());
    self.idle.d.next = (self.idle.q.val()
        & !self.timers.head_valid.val()
        & (self.timers.due.val() | (!self.op_valid.val() & !self.slots.pick_valid.val())))
        | (self.answered.val()
            & !self.twice.val()
            & !self.evicts.q.val()
            & !self.is_exit.q.val()
            & !self.quick.val())
        | self.again.q.val()
        | self.evict.q.val()
        | (self.purge.q.val() & !self.slots.purging.val())
        | self.ended.q.val()
        | self.timeout.q.val()
        | (self.woken.val() & self.turns.q.val())
        | (self.woken.val() & self.goes_again.val() & self.interrupted.val() & !self.turns.q.val())
        | self.finish.q.val()
        | (self.clearing.q.val() & self.timers.ready.val());
    if self.clearing.q.val() {
        self.clearing.d.next = !self.timers.ready.val();
    }
    if self.reset.val() {
        self.clearing.d.next = true;
        self.idle.d.next = false;
        self.look.d.next = false;
        self.recount.d.next = false;
        self.rule.d.next = false;
        self.sift.d.next = false;
        self.answer.d.next = false;
        self.again.d.next = false;
        self.evict.d.next = false;
        self.place.d.next = false;
        self.purge.d.next = false;
        self.depart.d.next = false;
        self.next_id.d.next = false;
        self.fetch.d.next = false;
        self.gather.d.next = false;
        self.tally.d.next = false;
        self.lower.d.next = false;
        self.judge.d.next = false;
        self.close.d.next = false;
        self.ended.d.next = false;
        self.recall.d.next = false;
        self.timeout.d.next = false;
        self.aim.d.next = false;
        self.seek.d.next = false;
        self.reach.d.next = false;
        self.mark.d.next = false;
        self.wake.d.next = false;
        self.finish.d.next = false;
        self.slots_first.d.next = false;
        self.says_misuse.d.next = false;
        self.says_over.d.next = false;
        self.happens.d.next = false;
        self.sets.d.next = false;
        self.checks.d.next = false;
        self.changes.d.next = false;
        self.stops.d.next = self.no_warps.val();
    }
}
