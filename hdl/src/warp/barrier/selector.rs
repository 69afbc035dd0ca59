//! Who has the next turn at a barrier that is complete.
//!
//! Kernel of the barrier unit, parts 4 and 7.

use super::Barrier;
use crate::hdl::*;

/// From one block with sleepers to the next; the threads that go; the wake.
pub struct Selector;

#[part(Barrier<NW, WI, W, P, SB, MB>, Selector)]
fn update(&mut self) {
    // ---- The selector.
    // The nearest of the blocks with sleepers that it has not come to yet.
    // (Of an operation, the first: `rule` looks as if its threads slept, `answer` knows.
    // The second pass over a block has found the next one before.)
    self.from_start.next = self.raw.val().get_bit(25);
    self.first_ahead.bits.next = self.ahead.q.val();
    self.nearest_at.next = self.first_ahead.place.val();
    self.nearest.next = self.one_warp.val() << self.nearest_at.val();
    self.finds.next =
        self.seek.q.val() | (self.mark.q.val() & !self.second.q.val()) | self.answer.q.val();
    self.place_at.next = self.next_block.q.val();
    if self.finds.val() {
        self.place_at.next = self.nearest_at.val();
    }
    self.places.read_address.next =
        (bit_cast::<MB, WI>(self.place_at.val()) << 4) | bit_cast::<MB, 4>(self.cta.val());
    if self.finds.val() {
        self.next_block.d.next = self.nearest_at.val();
        self.next_found.d.next = self.first_ahead.any.val();
    }

    // Who can have a turn; of those that could when the selector came to the block, the first.
    // (All of them still can, if the warp was not stopped: who sleeps does nothing.)
    self.any_rest.next = self.rest.q.val().any();
    self.sleepers.next = self.row_asleep.val() & self.row_here.val();
    self.rest_minus.next = self.no_threads.val() - self.rest.q.val();
    self.chosen.next = self.rest.q.val() & self.rest_minus.val();
    self.unchosen.next = self.rest.q.val() & !self.chosen.val();
    self.fits.next = self.alive.read_data.val() & self.own_row.val();
    self.fast.next = self.plain.q.val() & self.fits.val();
    // (In the cycles in which these count nothing of this has changed in the cycle before.)
    self.turn_mode.d.next = self.b_section.q.val() & !self.b_ending.q.val() & !self.b_reset.q.val();
    // Whom the end of the group, a simple barrier or a reset lets go; a reset of a section in two passes.
    self.first_pass.next = self.b_section.q.val() & self.b_reset.q.val() & !self.second.q.val();
    self.everyone.next = !self.b_section.q.val() | self.second.q.val();
    self.with_late.d.next = self.b_section.q.val()
        & !self.b_reset.q.val()
        & (self.policy.val() == self.policy_2.val())
        & self.b_left.q.val();
    // (None; 1: who is done; 2: everyone; 3: who is done, or late.)
    self.lets_some.next = self.mark.q.val() & !self.everyone.val();
    self.lets_more.next = self.mark.q.val() & (self.everyone.val() | self.with_late.q.val());
    self.m_some.next = self.no_threads.val() - bit_cast::<W, 1>(self.lets_some.val().into());
    self.m_more.next = self.no_threads.val() - bit_cast::<W, 1>(self.lets_more.val().into());
    // Who stays: all who are done or late have had or will not have a turn; of a release those who are not let go.
    self.done_too.next = self.everyone.val() & !self.turn_mode.q.val();
    self.late_too.next = self.with_late.q.val() | self.turn_mode.q.val();
    self.others_too.next = (self.mark.q.val() & !self.done_too.val()) | self.rule.q.val();
    self.others_stay.next = self.no_threads.val() - bit_cast::<W, 1>(self.others_too.val().into());
    self.no_late.next = self.no_threads.val() - bit_cast::<W, 1>(self.late_too.val().into());
    self.staying.next = self.sleepers.val()
        & !self.row_gone.val()
        & self.others_stay.val()
        & !(self.row_noted.val() & self.no_late.val());
    self.released.next = self.sleepers.val()
        & ((self.m_some.val() & self.row_gone.val())
            | (self.m_more.val() & (self.row_noted.val() | !self.m_some.val())));

    if self.aim.q.val() {
        self.at_exit.d.next = false;
        self.at_tag.d.next = false;
        self.turns.d.next = true;
        self.wakes.d.next = true;
        self.second.d.next = false;
        self.halved.d.next = false;
    }
    if self.sift.q.val() {
        if self.turn_mode.q.val() {
            self.at_exit.d.next = false;
            self.at_tag.d.next = false;
            self.turns.d.next = true;
            self.wakes.d.next = true;
        } else {
            self.wakes.d.next = self.mask.q.val().any();
            self.stays.d.next = self.any_rest.val();
            self.once_more.d.next = self.halved.q.val() & self.any_rest.val();
        }
    }
    if self.reach.q.val() & self.turn_mode.q.val() {
        self.b_turning.d.next = true;
        if !self.next_found.q.val() {
            if self.b_rescan.q.val() {
                self.b_rescan.d.next = false;
            } else {
                self.b_ending.d.next = true;
            }
        }
    }
    if self.mark.q.val() {
        self.turns.d.next = false;
        self.halved.d.next = self.first_pass.val();
        self.wakes.d.next = true;
        self.stays.d.next = false;
        self.once_more.d.next = false;
        self.at_exit.d.next = self.b_section.q.val() & !self.second.q.val();
        self.at_tag.d.next = self.second.q.val();
    }
    // The wake; what stays behind in the block.
    self.wake_valid.next = self.wake.q.val() & self.wakes.q.val();
    carry!(self <- self.*.q: wake_warp = warp, wake_mask = mask, place_of_wake = b_tag);
    if self.at_exit.q.val() {
        self.place_of_wake.next = self.b_exit.q.val();
    }
    self.further.next = !self.at_tag.q.val();
    self.wake_pc.next = self.place_of_wake.val() + bit_cast::<22, 1>(self.further.val().into());
    self.leaves_it.next = self.turns.q.val() | self.stays.q.val();
    self.here_bit.next = self.one_warp.val() << self.block.q.val();
    self.woken.next = self.wake.q.val() & (self.wake_ready.val() | !self.wakes.q.val());
    self.same_slot.next = self.slots.pick_slot.val() == self.slot.q.val();
    self.still_first.next = self.slots.pick_valid.val()
        & ((self.simple.q.val() & self.slots.pick_simple.val())
            | (!self.simple.q.val() & !self.slots.pick_simple.val() & self.same_slot.val()));
    self.interrupted.next = self.wakes.q.val()
        & (self.op_valid.val()
            | self.timers.due.val()
            | (!self.sole.q.val() & !self.still_first.val()));
    self.goes_again.next = self.once_more.q.val() | self.next_found.q.val();
    if self.woken.val() {
        self.second.d.next = self.once_more.q.val();
    }
    self.is_again.next = self.b_section.q.val() & !self.b_reset.q.val() & self.any_present.val();
    // (Who only lets sleepers go does so from the first block on.)
    self.scans.next = self.wake.q.val() & !self.simple.q.val();
    self.scan_blocks.write_enable.next = self.scans.val();
    carry!(self.scan_blocks <- self.*.q: write_address = slot, write_data = block);
    self.scan_warps.write_enable.next = self.scans.val();
    carry!(self.scan_warps <- self.*.q: write_address = slot, write_data = warp);
    self.scan_rests.write_enable.next = self.scans.val();
    carry!(self.scan_rests <- self.*.q: write_address = slot, write_data = rest);
}

/// A barrier that completes takes a slot in this cycle and has the next turn.
pub struct Bypass;

#[part(Barrier<NW, WI, W, P, SB, MB>, Bypass)]
fn update(&mut self) {
    // ---- Straight on: the barrier that is complete now takes a slot at once, and nothing else can have a turn.
    // (Where it does not, all this is set again before it counts.)
    if self.idle.q.val() {
        self.sole.d.next = false;
    }
    if self.answer.q.val() {
        self.sole.d.next = true;
        self.simple.d.next = !self.b_section.q.val();
        self.slot.d.next = self.slots.next_slot.val();
        self.second.d.next = false;
        self.halved.d.next = false;
        self.turns.d.next = false;
        self.wakes.d.next = true;
        self.stays.d.next = false;
        self.once_more.d.next = false;
        self.at_exit.d.next = false;
        self.at_tag.d.next = false;
        self.b_seen.d.next = self.w_seen.val();
    }
    if self.leads.val() {
        self.block.d.next = self.op_of_block.q.val();
    }
    if self.answered.val() {
        self.b_static.d.next = false;
        self.b_dynamic.d.next = true;
        self.b_invalid.d.next = false;
        self.b_turning.d.next = self.b_section.q.val();
        self.b_held.d.next = self.no_warps.val();
    }
    if self.straight.val() {
        self.slots_first.d.next = false;
    }
    // Blocks ahead: each step has its term. (Whose slot it is, that barrier is in use.)
    self.restarts.next = self.reach.q.val() & self.turn_mode.q.val() & !self.next_found.q.val();
    self.passes.next =
        self.seek.q.val() | (self.mark.q.val() & !self.second.q.val()) | self.answered.val();
    self.looks.next = self.look.q.val() | self.aim.q.val();
    self.starts_over.next = self.rule.q.val() | self.restarts.val();
    self.moves_ahead.next = self.looks.val() | self.starts_over.val() | self.passes.val();
    if self.rule.q.val() {
        self.first_known.d.next = self.b_known.q.val() & self.any_present.val();
        self.block.d.next = self.nearest_at.val();
    }
    // (Who completes it sleeps in front of a section, and with others of the warp.)
    self.would_sleep.next = self.rule.q.val()
        & self.is_top.q.val()
        & self.some_taking.q.val()
        & (self.b_section.q.val() | self.others.val());
    self.drops_first.next = self.rule.q.val() & !(self.would_sleep.val() & self.comes_before.val());
    self.sleeps_too.next = self.would_sleep.val() & self.comes_behind.val();
    self.all_blocks.next = self.no_warps.val() - bit_cast::<NW, 1>(self.from_start.val().into());
    self.n_first.next = self.no_warps.val() - bit_cast::<NW, 1>(self.drops_first.val().into());
    self.n_over.next = self.no_warps.val() - bit_cast::<NW, 1>(self.starts_over.val().into());
    self.n_sleeps.next = self.no_warps.val() - bit_cast::<NW, 1>(self.sleeps_too.val().into());
    if self.moves_ahead.val() {
        self.ahead.d.next = (self.n_over.val()
            & self.b_present.q.val()
            & !(self.nearest.val() & self.n_first.val()))
            | (self.n_sleeps.val() & self.block_bit.q.val())
            | (!self.n_over.val() & self.ahead.q.val() & !self.nearest.val());
        if self.looks.val() {
            self.ahead.d.next =
                self.present.read_data.val() & (self.behind.q.val() | self.all_blocks.val());
        }
    }
    // The blocks with sleepers, of the barrier at hand: read, or those that EXIT or KILL leaves.
    self.holds_on.next = !self.loads.val();
    self.drops.next = self.lower.q.val() & self.whole.q.val();
    self.n_loads.next = self.no_warps.val() - bit_cast::<NW, 1>(self.loads.val().into());
    self.n_holds.next = self.no_warps.val() - bit_cast::<NW, 1>(self.holds_on.val().into());
    self.n_drops.next = self.no_warps.val() - bit_cast::<NW, 1>(self.drops.val().into());
    self.b_present.d.next = (self.n_loads.val() & self.present.read_data.val())
        | (self.n_holds.val()
            & self.new_present.val()
            & !(self.n_drops.val() & self.block_bit.q.val()));

    // Somebody is inside: read, has a turn now, or has not left.
    self.empties.next = (self.rule.q.val() & (self.bottoms.val() | self.is_reset.q.val()))
        | (self.lower.q.val() & self.hit.q.val());
    self.fills.next = (self.aim.q.val() & self.fast.val())
        | (self.sift.q.val() & self.turn_mode.q.val() & self.any_rest.val())
        | (self.b_inside.q.val() & !self.loads.val() & !self.empties.val());
    self.b_inside.d.next = (self.loads.val() & self.raw.val().get_bit(10)) | self.fills.val();
    // What is not in use is idle, whatever is read of it.
    self.misses.next = self.loads.val() & !self.is_used.val();
    if self.misses.val() {
        self.b_static.d.next = false;
        self.b_dynamic.d.next = false;
        self.b_invalid.d.next = false;
        self.b_split.d.next = false;
        self.b_started.d.next = false;
        self.b_rescan.d.next = false;
        self.b_left.d.next = false;
        self.b_reset.d.next = false;
        self.b_turning.d.next = false;
        self.b_ending.d.next = false;
        self.b_void.d.next = false;
        self.b_inside.d.next = false;
        self.b_joinable.d.next = false;
        self.own_by.d.next = false;
        self.may_stray.d.next = false;
        carry!(self.*.d <- self:
            b_present = no_warps, b_held = no_warps, b_seen = no_warps, ahead = no_warps,
            block_pieces = no_ids, former_pieces = no_ids,
        );
    }
}
