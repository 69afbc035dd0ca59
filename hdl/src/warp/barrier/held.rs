//! Which warps issue nothing: `hold`.
//!
//! Kernel of the barrier unit, part 8.

use super::Barrier;
use crate::hdl::*;

/// Warps that wait as a whole, and those whose threads that are awake were all told to wait (BAR-032, BAR-084).
pub struct Held;

#[part(Barrier<NW, WI, W, P, SB, MB>, Held)]
fn update(&mut self) {
    // ---- Held warps: those that wait as a whole, and those whose threads that are awake were all told to wait.
    self.told.read_address.next = self.warp.q.val();
    self.waiters.read_address.next = self.cta.val();
    self.told_before.next = (self.waiters.read_data.val() & self.warp_bit.q.val()).any();
    if self.rule.q.val() {
        self.told_row.d.next = self.told.read_data.val();
        if !self.told_before.val() {
            self.told_row.d.next = self.no_threads.val();
        }
    }
    // (RETRY and PART; whom the PART of a BOTTOM names may go on.)
    self.waits.next = self.verdict.q.val().get_bit(1)
        & !(self.verdict.q.val().get_bit(0) & self.is_bottom.q.val());
    // (Written when it is known that it counts: the warp is still at hand, and its row is read next behind the next
    // operation's `look`.)
    carry!(self.told <- self.*.q: write_enable = checks, write_address = warp);
    self.checks.d.next = self.answered.val() & self.waits.val();
    self.told_now.next = (self.told_row.q.val() & !self.all.q.val()) | self.mask.q.val();
    self.tells.d.next = self.told_now.val();
    self.told.write_data.next = self.tells.q.val();
    self.runnable.next = self.row_live.val() & !self.row_asleep.val() & !self.told_now.val();
    self.run_pieces.next = self.no_ids.val();
    for k in 0..8 {
        self.run_pieces.next = self
            .run_pieces
            .val()
            .replace_bit(k, (self.runnable.val() & self.eighths[k].val()).any());
    }
    self.runs.d.next = self.run_pieces.val();
    self.changes.d.next = self.complete.val()
        | (self.answered.val() & self.closes.q.val())
        | self.finish.q.val()
        | self.depart.q.val();
    self.m_told.next = self.no_warps.val() - bit_cast::<NW, 1>(self.waits.val().into());
    self.m_answer.next = self.no_warps.val() - bit_cast::<NW, 1>(self.answer.q.val().into());
    self.waiters.write_enable.next =
        self.answer.q.val() | self.changes.q.val() | self.place.q.val();
    self.waiters.write_address.next = self.cta.val();
    self.waiters.write_data.next = self.m_answer.val()
        & ((self.waiters.read_data.val() & !self.warp_bit.q.val())
            | (self.warp_bit.q.val() & self.m_told.val()));
    if self.place.q.val() {
        self.waiters.write_enable.next = !self.op_of_block.q.val().any();
    }
    self.stands.next = (self.answered.val() & self.holds.q.val())
        | (self.checks.q.val() & !self.runs.q.val().any());
    self.goes.next = (self.depart.q.val() & self.is_kill.q.val())
        | self.place.q.val()
        | (self.wake.q.val() & self.wakes.q.val());
    self.frees.next = self.complete.val() | (self.answered.val() & self.frees_held.q.val());
    self.m_frees.next = self.no_warps.val() - bit_cast::<NW, 1>(self.frees.val().into());
    self.m_changes.next = self.no_warps.val() - bit_cast::<NW, 1>(self.changes.q.val().into());
    self.m_goes.next = self.no_warps.val() - bit_cast::<NW, 1>(self.goes.val().into());
    self.m_stands.next = self.no_warps.val() - bit_cast::<NW, 1>(self.stands.val().into());
    self.stops.d.next = (self.stops.q.val()
        & !(self.b_held.q.val() & self.m_frees.val())
        & !(self.waiters.read_data.val() & self.m_changes.val())
        & !(self.warp_bit.q.val() & self.m_goes.val()))
        | (self.warp_bit.q.val() & self.m_stands.val());
    self.hold.next = self.stops.q.val();
}
