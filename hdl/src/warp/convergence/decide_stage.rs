//! Stage *decide*: what is to happen.
//!
//! Kernel of the convergence unit, part 3; the rules stand in [`super::decide`].

use super::Convergence;
use crate::hdl::*;

/// To the registers that *execute* reads.
pub struct Deciding;

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
    > kernel::Part<Deciding> for Convergence<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Decide.
        // CONV-052: three copies of the warp number.
        self.yields.next = self.counts.read_data.val().get_bits::<16>(0);
        self.backward.next = self.counts.read_data.val().get_bits::<16>(16);
        self.random.next = self.counts.read_data.val().get_bits::<16>(32);
        self.standstill.next = self.counts.read_data.val().get_bits::<16>(48);
        self.launch_random.next = self.cfg.yield_seed.val()
            ^ bit_cast::<16, WI>(self.to_decide.warp.q.val())
            ^ (bit_cast::<16, WI>(self.to_decide.warp.q.val()) << self.seed_shift.val())
            ^ (bit_cast::<16, WI>(self.to_decide.warp.q.val()) << self.seed_shift_2.val());
        if self.launch_random.val() == self.zero_count.val() {
            self.launch_random.next = self.one_random.val();
        }
        for i in 0..4 {
            self.decide.d_some[i].next = self.to_decide.d_some[i].q.val();
        }
        self.decide.caught_groups.next = self.to_decide.caught_groups.q.val();
        self.decide.uncaught_groups.next = self.to_decide.uncaught_groups.q.val();
        self.decide.apart_groups.next = self.to_decide.apart_groups.q.val();
        self.decide.resume_groups.next = self.to_decide.resume_groups.q.val();
        self.decide.falls.next = self.to_decide.falls.q.val();
        self.decide.kind.next = self.to_decide.kind.q.val();
        self.decide.is_launch.next = self.to_decide.is_launch.q.val();
        self.decide.is_unallocated.next = self.to_decide.is_unallocated.q.val();
        self.decide.is_fault.next = self.to_decide.is_fault.q.val();
        self.decide.is_illegal_op.next = self.to_decide.is_illegal_op.q.val();
        self.decide.is_illegal_kind.next = self.to_decide.is_illegal_kind.q.val();
        self.decide.is_leave.next = self.to_decide.is_leave.q.val();
        self.decide.is_branch.next = self.to_decide.is_branch.q.val();
        self.decide.is_yield.next = self.to_decide.is_yield.q.val();
        self.decide.is_sleep.next = self.to_decide.is_sleep.q.val();
        self.decide.is_send.next = self.to_decide.is_send.q.val();
        self.decide.is_wake.next = self.to_decide.is_wake.q.val();
        self.decide.is_push.next = self.to_decide.is_push.q.val();
        self.decide.is_call.next = self.to_decide.is_call.q.val();
        self.decide.is_unwind.next = self.to_decide.is_unwind.q.val();
        self.decide.is_exit.next = self.to_decide.is_exit.q.val();
        self.decide.is_next.next = self.to_decide.is_next.q.val();
        self.decide.is_set.next = self.to_decide.is_set.q.val();
        self.decide.is_jump.next = self.to_decide.is_jump.q.val();
        self.decide.is_parting.next = self.to_decide.is_parting.q.val();
        self.decide.is_part.next = self.to_decide.is_part.q.val();
        self.decide.is_forced.next = self.to_decide.is_forced.q.val();
        self.decide.is_mask.next = self.to_decide.is_mask.q.val();
        self.decide.calls.next = self.to_decide.calls.q.val();
        self.decide.vacant.next = self.to_decide.vacant.q.val();
        self.decide.starting.next = self.to_decide.starting.q.val();
        self.decide.selected_any.next = self.to_decide.selected_any.q.val();
        self.decide.reached.next = self.to_decide.reached.q.val();
        self.decide.reaches.next = self.to_decide.reaches.q.val();
        self.decide.rest_any.next = self.to_decide.rest_any.q.val();
        self.decide.jumps.next = self.to_decide.jumps.q.val();
        self.decide.front_hit.next = self.to_decide.front_hit.q.val();
        self.decide.front_clear.next = self.to_decide.front_clear.q.val();
        self.decide.front_last.next = self.to_decide.front_last.q.val();
        self.decide.k_last.next = self.to_decide.k_last.q.val();
        self.decide.k_any.next = self.to_decide.k_any.q.val();
        self.decide.k_first.next = self.to_decide.k_first.q.val();
        self.decide.front_resumes.next = self.to_decide.front_resumes.q.val();
        self.decide.live_any.next = self.to_decide.live_any.q.val();
        self.decide.front_leaves.next = self.to_decide.front_leaves.q.val();
        self.decide.waiting_any.next = self.to_decide.waiting_any.q.val();
        self.decide.asleep_any.next = self.to_decide.asleep_any.q.val();
        self.decide.masked_any.next = self.to_decide.masked_any.q.val();
        self.decide.front_parts.next = self.to_decide.front_parts.q.val();
        self.decide.d_low.next = self.to_decide.d_low.q.val();
        self.decide.d_high.next = self.to_decide.d_high.q.val();
        self.decide.rest_low.next = self.to_decide.rest_low.q.val();
        self.decide.rest_high.next = self.to_decide.rest_high.q.val();
        self.decide.enters.next = self.to_decide.enters.q.val();
        self.decide.drops.next = self.to_decide.drops.q.val();
        self.decide.due.next = self.to_decide.due.q.val();
        self.decide.begins.next = self.to_decide.begins.q.val();
        self.decide.steps_random.next = self.to_decide.steps_random.q.val();
        self.decide.launch_random.next = self.launch_random.val();
        self.decide.counts.next = self.to_decide.counts.q.val();
        self.decide.was_blocked.next = self.to_decide.blocked.q.val();
        self.decide.depth.next = self.to_decide.depth.q.val();
        self.decide.have_front.next = self.to_decide.have_front.q.val();
        self.decide.random.next = self.random.val();
        self.decide.token_same.next = self.to_decide.token_same.q.val();
        self.decide.token_yield.next = self.to_decide.token_yield.q.val();
        self.decide.token_below.next = self.to_decide.token_below.q.val();
        self.decide.t1_absent.next = self.to_decide.t1_absent.q.val();
        self.decide.tk_absent.next = self.to_decide.tk_absent.q.val();
        self.decide.at_scratch.next = self.to_decide.at_scratch.q.val();
        self.decide.then_here.next = self.to_decide.then_here.q.val();
        self.decide.front_full.next = self.to_decide.front_full.q.val();
        self.decide.back_full.next = self.to_decide.back_full.q.val();
        self.decide.at_base.next = self.to_decide.at_base.q.val();
        self.decide.at_bound.next = self.to_decide.at_bound.q.val();
        self.decide.cfg_path.next = self.cfg.path.val();
        self.job.mode.next = self.to_decide.mode.q.val();
        self.job.scans.next = self.to_decide.scans.q.val();
        self.job.k.next = self.to_decide.k.q.val();
        self.job.at.next = self.to_decide.at.q.val();
        self.job.fore.next = self.to_decide.fore.q.val();
        self.job.stored.next = self.to_decide.stored.q.val();
        self.job.rear.next = self.to_decide.rear.q.val();
        self.job.left.next = self.to_decide.left.q.val();
        self.job.at_base.next = self.to_decide.at_base.q.val();
        self.job.spills.next = self.to_decide.spills.q.val();
        self.job.evicts.next = self.to_decide.evicts.q.val();
        self.job.fills.next = self.to_decide.fills.q.val();
        self.to_execute.valid.d.next = self.to_decide.valid.q.val();
        self.to_execute.warp.d.next = self.to_decide.warp.q.val();
        self.to_execute.op.d.next = self.to_decide.op.q.val();
        self.to_execute.step.d.next = self.to_decide.step.q.val();
        self.to_execute.mode.d.next = self.to_decide.mode.q.val();
        self.to_execute.kind.d.next = self.to_decide.kind.q.val();
        self.to_execute.selected.d.next = self.to_decide.selected.q.val();
        self.to_execute.d.d.next = self.to_decide.d.q.val();
        self.to_execute.group.d.next = self.to_decide.group.q.val();
        self.to_execute.comes.d.next = self.to_decide.comes.q.val();
        self.to_execute.target.d.next = self.to_decide.target.q.val();
        self.to_execute.k.d.next = self.to_decide.k.q.val();
        self.to_execute.at.d.next = self.to_decide.at.q.val();
        self.to_execute.new_size.d.next = self.to_decide.new_size.q.val();
        self.to_execute.head.d.next = self.to_decide.head.q.val();
        self.to_execute.fore.d.next = self.to_decide.fore.q.val();
        self.to_execute.rear.d.next = self.to_decide.rear.q.val();
        self.to_execute.stored.d.next = self.to_decide.stored.q.val();
        self.to_execute.ring.d.next = self.to_decide.ring.q.val();
        self.to_execute.was_moving.d.next = self.to_decide.was_moving.q.val();
        self.to_execute.moving.d.next = self
            .moving
            .q
            .val()
            .get_bit(self.to_decide.warp.q.val().index())
            & !(self.mover.finished.val()
                & (self.mover.finished_warp.val() == self.to_decide.warp.q.val()));
        self.to_execute.run.d.next = self.to_decide.run.q.val();
        self.to_execute.active.d.next = self.to_decide.active.q.val();
        if self.to_decide.is_launch.q.val() {
            self.to_execute.active.d.next = self.no_threads.val();
        }
        self.to_execute.pc.d.next = self.to_decide.pc.q.val();
        self.to_execute.front_kind.d.next = self.to_decide.front_kind.q.val();
        self.to_execute.front_mask.d.next = self.to_decide.front_mask.q.val();
        self.to_execute.front_pc.d.next = self.to_decide.front_pc.q.val();
        self.to_execute.front_below.d.next = self.to_decide.front_below.q.val();
        self.to_execute.size.d.next = self.to_decide.size.q.val();
        self.to_execute.base.d.next = self.base.read_data.val();
        self.to_execute.token_kind.d.next = self.to_decide.token_kind.q.val();
        self.to_execute.token_mask.d.next = self.to_decide.token_mask.q.val();
        self.to_execute.token_pc.d.next = self.to_decide.token_pc.q.val();
        self.to_execute.token_below.d.next = self.to_decide.token_below.q.val();
        for i in 0..4 {
            self.to_execute.reason[i].d.next = self.to_decide.reason[i].q.val();
            if self.to_decide.is_launch.q.val() {
                self.to_execute.reason[i].d.next = self.no_threads.val();
            }
        }
        self.to_execute.is_launch.d.next = self.to_decide.is_launch.q.val();
        self.to_execute.is_config.d.next = self.to_decide.is_config.q.val();
        self.writes.accessed.next = self.to_decide.valid.q.val() & self.to_decide.is_config.q.val();
        self.writes.writing.next = self.to_decide.step.q.val().any();
        self.writes.number.next = self.to_decide.kind.q.val();
        self.to_execute.sets_head.d.next = self.writes.sets_head.val();
        self.to_execute.sets_yields.d.next = self.writes.sets_yields.val();
        self.to_execute.sets_transfers.d.next = self.writes.sets_transfers.val();
        self.to_execute.sets_random.d.next = self.writes.sets_random.val();
        self.to_execute.resumes.d.next = self.writes.resumes.val();
        self.to_execute.after.d.next = self.to_decide.after.q.val();
        self.to_execute.fall.d.next = self.to_decide.fall.q.val();
        self.to_execute.below.d.next = self.to_decide.below.q.val();
        self.to_execute.fore_any.d.next = self.to_decide.fore_any.q.val();
        self.to_execute.then_at.d.next = self.to_decide.then_at.q.val();
        self.to_execute.then_here.d.next = self.to_decide.then_here.q.val();
        self.to_execute.new_head.d.next = self.to_decide.new_head.q.val();
        self.to_execute.spills.d.next = self.to_decide.spills.q.val();
        self.to_execute.evicts.d.next = self.to_decide.evicts.q.val();
        self.to_execute.fills.d.next = self.to_decide.fills.q.val();
        self.to_execute.job_count.d.next = self.job.job_count.val();
        self.to_execute.lead_of.d.next = self.job.lead_of.val();
        self.to_execute.lead_by.d.next = self.job.lead_by.val();
        self.to_execute.lead_more.d.next = self.job.lead_more.val();
        self.to_execute.job_ends.d.next = self.job.job_ends.val();
        self.to_execute.job_at.d.next = self.job.job_at.val();
        self.to_execute.job_area.d.next = self.job.job_area.val();
        self.to_execute.job_down.d.next = self.job.job_down.val();
        self.to_execute.job_writes.d.next = self.job.job_writes.val();
        self.to_execute.copied.d.next = self.job.copied.val();
        self.to_execute.solid_now.d.next = self.to_decide.solid_now.q.val();
        self.to_execute.taken_now.d.next = self.to_decide.taken_now.q.val();
        self.to_execute.rear_taken_now.d.next = self.to_decide.rear_taken_now.q.val();
        self.to_execute.back_joins.d.next = self.to_decide.back_joins.q.val();
        self.to_execute.depth.d.next = self.to_decide.depth.q.val();
        self.to_execute.then_k.d.next = self.to_decide.then_k.q.val();
        self.to_execute.front_at.d.next = self.to_decide.front_at.q.val();
        self.to_execute.back_at.d.next = self.to_decide.back_at.q.val();
        self.to_execute.follows.d.next = self.decide.follows.val();
        self.to_execute.parts_next.d.next = self.decide.parts_next.val();
        self.to_execute.waits_behind.d.next = self.decide.waits_behind.val();
        self.to_execute.pops_on.d.next = self.decide.pops_on.val();
        self.to_execute.yields.d.next = self.yields.val();
        self.to_execute.yields_full.d.next = self.yields.val().all();
        self.to_execute.clears_yields.d.next = self.decide.clears_yields.val();
        self.to_execute.counts_yield.d.next = self.decide.counts_yield.val();
        self.to_execute.have_front.d.next = self.to_decide.have_front.q.val();
        self.to_execute.backward.d.next = self.backward.val();
        self.to_execute.backward_full.d.next = self.backward.val().all();
        self.to_execute.clears_backward.d.next = self.decide.clears_backward.val();
        self.to_execute.counts_backward.d.next = self.decide.counts_backward.val();
        self.to_execute.standstill.d.next = self.standstill.val();
        self.to_execute.next_random.d.next = self.decide.next_random.val();
        self.to_execute.next_blocked.d.next = self.decide.next_blocked.val();
        self.to_execute.pc_from.d.next = self.decide.pc_from.val();
        self.to_execute.front_from.d.next = self.decide.front_from.val();
        self.to_execute.push_from.d.next = self.decide.push_from.val();
        self.to_execute.store_from.d.next = self.decide.store_from.val();
        self.to_execute.takes.d.next = self.decide.takes.val();
        self.to_execute.takes_live.d.next = self.decide.takes_live.val();
        self.to_execute.by_token.d.next = self.decide.by_token.val();
        self.to_execute.by_front.d.next = self.decide.by_front.val();
        self.to_execute.stops_caught.d.next = self.decide.stops_caught.val();
        self.to_execute.stops.d.next = self.decide.stops.val();
        self.to_execute.names_side.d.next = self.decide.names_side.val();
        self.to_execute.owes_side.d.next = self.decide.owes_side.val();
        self.to_execute.d_first.d.next = self.decide.d_first.val();
        self.to_execute.new_kind.d.next = self.decide.new_kind.val();
        self.to_execute.push_front.d.next = self.decide.push_front.val();
        self.to_execute.push_back.d.next = self.decide.push_back.val();
        self.to_execute.pop.d.next = self.decide.pop.val();
        self.to_execute.store.d.next = self.decide.store.val();
        self.to_execute.blocked.d.next = self.decide.blocked.val();
        self.to_execute.again.d.next = self.decide.again.val();
        self.to_execute.again_step.d.next = self.decide.again_step.val();
        self.to_execute.again_mode.d.next = self.decide.again_mode.val();
        self.to_execute.forcible.d.next = self.decide.forcible.val();
        self.to_execute.goes_ready.d.next = self.decide.goes_ready.val();
        self.to_execute.done.d.next = self.decide.done.val();
        self.to_execute.dropped.d.next = self.decide.dropped.val();
        self.to_execute.exception.d.next = self.decide.exception.val();
        self.to_execute.cause.d.next = self.decide.cause.val();
        self.to_execute.pop_behind.d.next = self.decide.pop_behind.val();
    }
}
