//! What is issued, and the checks of what comes next.
//!
//! Kernel of the scheduler, part 2.

use super::Scheduler;
use crate::hdl::*;

/// The instruction, the second one with it, and the checks of what stands behind and of what is pushed.
pub struct Issue;

#[part(Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>, Issue)]
fn update(&mut self) {
    // ---- Issue: the first instruction, and the next one where it may go with it.
    self.queue.issuing.next = self.issuing.val();
    carry!(self.queue <- self.*.q: issue = issues, issue_warp = i_warp);
    carry!(self <- self.queue: first, other, third);
    self.first_rd.next = self.first.val().get_bits::<6>(5);
    self.other_rd.next = self.other.val().get_bits::<6>(5);
    carry!(self.scoreboard <- self: issuing, aim = granted, aim_warp);
    carry!(self.scoreboard <- self.*.q: issue = issues, issue_warp = i_warp);
    self.scoreboard.first_rd.next = self.first_rd.val();
    self.row.next = self.scoreboard.row.val();
    carry!(self.other_hazard <- self: instruction = other, row);
    carry!(self.other_hazard <- self.scoreboard: counts = row_counts, frees, freed);
    carry!(self.third_hazard <- self.scoreboard: frees, freed);
    carry!(self.pushed_hazard <- self.scoreboard.push_*: frees, freed);
    spread!(self.*.freed_before <- self.scoreboard.freed_before: other_hazard, third_hazard);
    self.pushed_hazard.freed_before.next = self.scoreboard.push_freed_before.val();
    carry!(self.other_hazard <- self: first_before = no_rd, second_before = no_rd);
    carry!(self.third_hazard <- self: first_before = no_rd, second_before = no_rd);
    carry!(self.pushed_hazard <- self.scoreboard: first_before, second_before);
    carry!(self.other_hazard <- self: first_rd, second_rd = first_rd);
    carry!(self.third_hazard <- self: instruction = third, row);
    self.third_hazard.counts.next = self.scoreboard.row_counts.val();
    carry!(self.third_hazard <- self: first_rd, second_rd = other_rd);
    self.there_is_other.next =
        (self.queue.count.val() > self.one.val()) & !self.first.val().get_bit(3);
    self.other_class.next = self.other.val().get_bits::<3>(0);
    self.other_clear.next =
        !self.other_hazard.rd.val() & !self.other_hazard.rs1.val() & !self.other_hazard.rs2.val();
    self.pairs.next = self.dual.val()
        & !self.other.val().get_bit(4)
        & (self.other_class.val() != self.first.val().get_bits::<3>(0))
        & self.free.val().get_bit(self.other_class.val().index())
        & !self.slow.val().get_bit(self.other_class.val().index());
    self.second.next =
        self.issuing.val() & self.there_is_other.val() & self.other_clear.val() & self.pairs.val();
    self.queue.second.next = self.second.val();
    carry!(self.scoreboard <- self: second, second_rd = other_rd);

    // ---- Check of the one behind.
    self.other_usable.next = self.ahead.val().get_bit(self.other_class.val().index());
    self.third_usable.next = self
        .ahead
        .val()
        .get_bit(self.third.val().get_bits::<3>(0).index());
    self.next.next = self.other.val();
    self.next_usable.next = self.other_usable.val();
    carry!(self.next_waits_* <- self.other_hazard: rd, rs1, rs2);
    if self.second.val() {
        self.next.next = self.third.val();
        self.next_usable.next = self.third_usable.val();
        carry!(self.next_waits_* <- self.third_hazard: rd, rs1, rs2);
    }
    self.left.next = self.queue.left.val();
    self.next_there.next = self.issuing.val() & self.left.val().any();

    // ---- Push, and check of what comes to an empty queue.
    self.push_warp.next = self.supply.push_warp.val();
    self.push_odd.next = self.supply.push_pc.val().get_bit(0);
    self.push_bit.next = self.supply.push.val();
    self.push_runs.next = self.supply.push_runs.val();
    self.pushed.next = self.decode0.val();
    self.push_count.next = self.push_none.val();
    if self.push_runs.val() {
        self.push_count.next = self.push_two.val();
        if self.push_odd.val() | self.decode0.val().get_bit(3) {
            self.push_count.next = self.push_one.val();
        }
    }
    self.push_last.next = self.push_runs.val()
        & (self.decode0.val().get_bit(3) | (!self.push_odd.val() & self.decode1.val().get_bit(3)));
    carry!(self.supply <- self: push_count, push_last);
    // Of the last one that is pushed, which is `control`.
    self.last_class.next = self.decode1.val().get_bits::<3>(0);
    if self.push_odd.val() | self.decode0.val().get_bit(3) {
        self.last_class.next = self.decode0.val().get_bits::<3>(0);
    }
    self.supply.push_forgets.next =
        self.push_last.val() & (self.last_class.val() == self.forgetful.val());
    carry!(self.queue <- self: push = push_bit, push_warp);
    self.queue.push_pc.next = self.supply.push_pc.val();
    carry!(self.queue <- self: push_count, push0 = decode0);
    // From an odd address both are the same.
    self.queue.push1.next = self.decode1.val();
    carry!(self.queue.push_* <- self.p_*.q: word0, word1);
    self.same_warp.d.next = self.aim_warp.val() == self.supply.words_warp.val();
    self.scoreboard.same_warp.next = self.same_warp.q.val();
    self.push_same.next = self.issuing.val() & self.push_runs.val() & self.same_warp.q.val();
    self.queue.push_same.next = self.push_same.val();
    carry!(self.scoreboard <- self.supply: words, words_warp);
    self.scoreboard.push_warp.next = self.push_warp.val();
    self.pushed_hazard.instruction.next = self.pushed.val();
    carry!(self.pushed_hazard <- self.scoreboard.push_*: row, counts = row_counts);
    carry!(self.pushed_hazard <- self: first_rd = no_rd, second_rd = no_rd);
    if self.push_same.val() {
        self.pushed_hazard.first_rd.next = self.first_rd.val();
        if self.second.val() {
            self.pushed_hazard.second_rd.next = self.other_rd.val();
        }
    }
    // A warp that is at the picker has something queued, and only such a warp has.
    self.was_present.d.next = (self.present.q.val() & self.supply.words.val()).any();
    self.was_emptied.d.next = self.issuing.val()
        & (self.i_warp.q.val() == self.supply.words_warp.val())
        & !self.left.val().any();
    self.push_alone.next =
        self.push_runs.val() & (!self.was_present.q.val() | self.was_emptied.q.val());
    self.push_checks.next = self.push_alone.val();
    if self.push_same.val() {
        self.push_checks.next = !self.left.val().any();
    }
}
