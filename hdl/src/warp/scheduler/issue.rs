//! What is issued, and the checks of what comes next.
//!
//! Kernel of the scheduler, part 2.

use super::Scheduler;
use crate::hdl::*;

/// The instruction, the second one with it, and the checks of what stands behind and of what is pushed.
pub struct Issue;

impl<
        const NW: usize,
        const WI: usize,
        const WH: usize,
        const WA: usize,
        const SB: usize,
        const W: usize,
        const LB: usize,
        const DUAL: usize,
    > kernel::Part<Issue> for Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Issue: the first instruction, and the next one where it may go with it.
        self.queue.issuing.next = self.issuing.val();
        self.queue.issue.next = self.issues.q.val();
        self.queue.issue_warp.next = self.i_warp.q.val();
        self.first.next = self.queue.first.val();
        self.other.next = self.queue.other.val();
        self.third.next = self.queue.third.val();
        self.first_rd.next = self.first.val().get_bits::<6>(5);
        self.other_rd.next = self.other.val().get_bits::<6>(5);
        self.scoreboard.issuing.next = self.issuing.val();
        self.scoreboard.aim.next = self.granted.val();
        self.scoreboard.aim_warp.next = self.aim_warp.val();
        self.scoreboard.issue.next = self.issues.q.val();
        self.scoreboard.issue_warp.next = self.i_warp.q.val();
        self.scoreboard.first_rd.next = self.first_rd.val();
        self.row.next = self.scoreboard.row.val();
        self.other_hazard.instruction.next = self.other.val();
        self.other_hazard.row.next = self.row.val();
        self.other_hazard.counts.next = self.scoreboard.row_counts.val();
        self.other_hazard.frees.next = self.scoreboard.frees.val();
        self.other_hazard.freed.next = self.scoreboard.freed.val();
        self.third_hazard.frees.next = self.scoreboard.frees.val();
        self.third_hazard.freed.next = self.scoreboard.freed.val();
        self.pushed_hazard.frees.next = self.scoreboard.push_frees.val();
        self.pushed_hazard.freed.next = self.scoreboard.push_freed.val();
        self.other_hazard.freed_before.next = self.scoreboard.freed_before.val();
        self.third_hazard.freed_before.next = self.scoreboard.freed_before.val();
        self.pushed_hazard.freed_before.next = self.scoreboard.push_freed_before.val();
        self.other_hazard.first_before.next = self.no_rd.val();
        self.other_hazard.second_before.next = self.no_rd.val();
        self.third_hazard.first_before.next = self.no_rd.val();
        self.third_hazard.second_before.next = self.no_rd.val();
        self.pushed_hazard.first_before.next = self.scoreboard.first_before.val();
        self.pushed_hazard.second_before.next = self.scoreboard.second_before.val();
        self.other_hazard.first_rd.next = self.first_rd.val();
        self.other_hazard.second_rd.next = self.first_rd.val();
        self.third_hazard.instruction.next = self.third.val();
        self.third_hazard.row.next = self.row.val();
        self.third_hazard.counts.next = self.scoreboard.row_counts.val();
        self.third_hazard.first_rd.next = self.first_rd.val();
        self.third_hazard.second_rd.next = self.other_rd.val();
        self.there_is_other.next =
            (self.queue.count.val() > self.one.val()) & !self.first.val().get_bit(3);
        self.other_class.next = self.other.val().get_bits::<3>(0);
        self.other_clear.next = !self.other_hazard.rd.val()
            & !self.other_hazard.rs1.val()
            & !self.other_hazard.rs2.val();
        self.pairs.next = self.dual.val()
            & !self.other.val().get_bit(4)
            & (self.other_class.val() != self.first.val().get_bits::<3>(0))
            & self.free.val().get_bit(self.other_class.val().index())
            & !self.slow.val().get_bit(self.other_class.val().index());
        self.second.next = self.issuing.val()
            & self.there_is_other.val()
            & self.other_clear.val()
            & self.pairs.val();
        self.queue.second.next = self.second.val();
        self.scoreboard.second.next = self.second.val();
        self.scoreboard.second_rd.next = self.other_rd.val();

        // ---- Check of the one behind.
        self.other_usable.next = self.ahead.val().get_bit(self.other_class.val().index());
        self.third_usable.next = self
            .ahead
            .val()
            .get_bit(self.third.val().get_bits::<3>(0).index());
        self.next.next = self.other.val();
        self.next_usable.next = self.other_usable.val();
        self.next_waits_rd.next = self.other_hazard.rd.val();
        self.next_waits_rs1.next = self.other_hazard.rs1.val();
        self.next_waits_rs2.next = self.other_hazard.rs2.val();
        if self.second.val() {
            self.next.next = self.third.val();
            self.next_usable.next = self.third_usable.val();
            self.next_waits_rd.next = self.third_hazard.rd.val();
            self.next_waits_rs1.next = self.third_hazard.rs1.val();
            self.next_waits_rs2.next = self.third_hazard.rs2.val();
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
            & (self.decode0.val().get_bit(3)
                | (!self.push_odd.val() & self.decode1.val().get_bit(3)));
        self.supply.push_count.next = self.push_count.val();
        self.supply.push_last.next = self.push_last.val();
        // Of the last one that is pushed, which is `control`.
        self.last_class.next = self.decode1.val().get_bits::<3>(0);
        if self.push_odd.val() | self.decode0.val().get_bit(3) {
            self.last_class.next = self.decode0.val().get_bits::<3>(0);
        }
        self.supply.push_forgets.next =
            self.push_last.val() & (self.last_class.val() == self.forgetful.val());
        self.queue.push.next = self.push_bit.val();
        self.queue.push_warp.next = self.push_warp.val();
        self.queue.push_pc.next = self.supply.push_pc.val();
        self.queue.push_count.next = self.push_count.val();
        self.queue.push0.next = self.decode0.val();
        // From an odd address both are the same.
        self.queue.push1.next = self.decode1.val();
        self.queue.push_word0.next = self.p_word0.q.val();
        self.queue.push_word1.next = self.p_word1.q.val();
        self.same_warp.d.next = self.aim_warp.val() == self.supply.words_warp.val();
        self.scoreboard.same_warp.next = self.same_warp.q.val();
        self.push_same.next = self.issuing.val() & self.push_runs.val() & self.same_warp.q.val();
        self.queue.push_same.next = self.push_same.val();
        self.scoreboard.words.next = self.supply.words.val();
        self.scoreboard.words_warp.next = self.supply.words_warp.val();
        self.scoreboard.push_warp.next = self.push_warp.val();
        self.pushed_hazard.instruction.next = self.pushed.val();
        self.pushed_hazard.row.next = self.scoreboard.push_row.val();
        self.pushed_hazard.counts.next = self.scoreboard.push_row_counts.val();
        self.pushed_hazard.first_rd.next = self.no_rd.val();
        self.pushed_hazard.second_rd.next = self.no_rd.val();
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
}
