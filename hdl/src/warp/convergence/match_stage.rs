//! Stage *match*: what the operation and the token have to do with each other.
//!
//! Kernel of the convergence unit, part 2.

use super::Convergence;
use crate::hdl::*;

/// To the registers that *decide* reads.
pub struct Matching;

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
    > kernel::Part<Matching> for Convergence<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Match.
        // Nothing reads the base of an idle warp: it need not wait for the launch to be carried out.
        self.based.next = self.to_match.valid.q.val() & self.to_match.is_launch.q.val();
        self.base.write_enable.next = self.based.val();
        self.base.write_address.next = self.to_match.warp.q.val();
        self.base.write_data.next = self.to_match.data.q.val();
        self.matching.run.next = self.to_match.run.q.val();
        self.matching.starting.next = self.to_match.starting.q.val();
        self.matching.is_launch.next = self.to_match.is_launch.q.val();
        self.matching.is_config.next = self.to_match.is_config.q.val();
        self.matching.is_leave.next = self.to_match.is_leave.q.val();
        self.matching.is_yield.next = self.to_match.is_yield.q.val();
        self.matching.is_send.next = self.to_match.is_send.q.val();
        self.matching.is_wake.next = self.to_match.is_wake.q.val();
        self.matching.is_set.next = self.to_match.is_set.q.val();
        self.matching.is_parting.next = self.to_match.is_parting.q.val();
        self.matching.is_part.next = self.to_match.is_part.q.val();
        self.matching.is_exit.next = self.to_match.is_exit.q.val();
        self.matching.is_sleep.next = self.to_match.is_sleep.q.val();
        self.matching.calls.next = self.to_match.calls.q.val();
        self.matching.scanning.next = self.to_match.scanning.q.val();
        self.matching.transfers.next = self.to_match.transfers.q.val();
        self.matching.stays.next = self.to_match.stays.q.val();
        self.matching.pushes.next = self.to_match.pushes.q.val();
        self.matching.pushed.next = self.to_match.pushed.q.val();
        self.matching.token_kind.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.matching.token_mask.next = self.token_mask.read_data.val();
        self.matching.token_pc.next = self.token_pc.read_data.val();
        self.matching.jumps.next = self.to_match.jumps.q.val();
        self.matching.kind.next = self.to_match.kind.q.val();
        self.matching.selected.next = self.to_match.selected.q.val();
        self.matching.target.next = self.to_match.target.q.val();
        self.matching.k.next = self.to_match.k.q.val();
        self.matching.depth.next = self.to_match.depth.q.val();
        self.matching.size_new.next = self.to_match.new_size.q.val();
        self.matching.active.next = self.active.read_data.val();
        // The warp has moved on since its latest operation, if the resolve says so.
        self.pc_now.next = self.pcs.read_data.val().get_bits::<22>(0);
        self.front_pc.next = self.pcs.read_data.val().get_bits::<22>(22);
        if self.to_match.moved.q.val() {
            self.pc_now.next = self.to_match.data.q.val().get_bits::<22>(0);
        }
        self.matching.pc.next = self.pc_now.val();
        self.matching.front_mask.next = self.front_mask.read_data.val();
        self.matching.front_pc.next = self.front_pc.val();
        self.matching.free.next = self.locate.free.val();
        self.matching.left.next = self.locate.left.val();
        self.matching.front_kind.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.matching.front_below.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.matching.blocked.next = self.to_match.blocked.q.val();
        self.matching.lowest.next = self.to_match.lowest.q.val();
        self.matching.others_any.next = self.to_match.others_any.q.val();
        for i in 0..4 {
            self.matching.reason[i].next = !self.reason[i].read_data.val();
            self.to_decide.reason[i].d.next = self.reason[i].read_data.val();
            self.to_decide.d_some[i].d.next = self.matching.d_some[i].val();
        }
        self.locate.scans.next = self.to_match.scans.q.val();
        self.locate.plain.next = self.to_match.plain.q.val();
        self.locate.size.next = self.size.read_data.val();
        self.locate.moving.next = self.to_match.moving.q.val();
        self.locate.mode.next = self.to_match.mode.q.val();
        self.locate.k.next = self.to_match.k.q.val();
        self.locate.at.next = self.to_match.at.q.val();
        self.locate.head.next = self.to_match.head.q.val();
        self.locate.depth.next = self.to_match.depth.q.val();
        self.locate.fore.next = self.to_match.fore.q.val();
        self.locate.solid.next = self.to_match.solid.q.val();
        self.locate.taken.next = self.to_match.taken.q.val();
        self.locate.rear.next = self.to_match.rear.q.val();
        self.locate.rear_taken.next = self.to_match.rear_taken.q.val();
        self.locate.stored.next = self.to_match.stored.q.val();
        self.locate.ring.next = self.to_match.ring.q.val();
        self.to_decide.valid.d.next = self.to_match.valid.q.val();
        self.to_decide.warp.d.next = self.to_match.warp.q.val();
        self.to_decide.op.d.next = self.to_match.op.q.val();
        self.to_decide.step.d.next = self.to_match.step.q.val();
        self.to_decide.mode.d.next = self.to_match.mode.q.val();
        self.to_decide.kind.d.next = self.to_match.kind.q.val();
        self.to_decide.selected.d.next = self.matching.chosen.val();
        self.to_decide.caught_groups.d.next = self.matching.caught_groups.val();
        self.to_decide.uncaught_groups.d.next = self.matching.uncaught_groups.val();
        self.to_decide.apart_groups.d.next = self.matching.apart_groups.val();
        self.to_decide.resume_groups.d.next = self.matching.resume_groups.val();
        self.to_decide.falls.d.next = self.matching.falls.val();
        self.to_decide.d.d.next = self.matching.d.val();
        self.to_decide.group.d.next = self.matching.group.val();
        self.to_decide.target.d.next = self.to_match.target.q.val();
        self.to_decide.k.d.next = self.to_match.k.q.val();
        self.to_decide.at.d.next = self.to_match.at.q.val();
        self.to_decide.new_size.d.next = self.to_match.new_size.q.val();
        self.to_decide.head.d.next = self.to_match.head.q.val();
        self.to_decide.depth.d.next = self.to_match.depth.q.val();
        self.to_decide.fore.d.next = self.to_match.fore.q.val();
        self.to_decide.rear.d.next = self.to_match.rear.q.val();
        self.to_decide.stored.d.next = self.to_match.stored.q.val();
        self.to_decide.left.d.next = self.locate.left.val();
        self.to_decide.ring.d.next = self.to_match.ring.q.val();
        self.to_decide.was_moving.d.next = self.to_match.moving.q.val();
        self.to_decide.run.d.next = self.to_match.run.q.val();
        self.to_decide.blocked.d.next = self.to_match.blocked.q.val();
        self.to_decide.active.d.next = self.active.read_data.val();
        self.to_decide.pc.d.next = self.pc_now.val();
        self.to_decide.front_kind.d.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.to_decide.front_mask.d.next = self.front_mask.read_data.val();
        self.to_decide.front_pc.d.next = self.front_pc.val();
        self.to_decide.front_below.d.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.to_decide.size.d.next = self.size.read_data.val();
        self.to_decide.token_kind.d.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.to_decide.token_same.d.next = self.matching.token_same.val();
        self.to_decide.token_yield.d.next = self.matching.token_yield.val();
        self.to_decide.token_mask.d.next = self.token_mask.read_data.val();
        self.to_decide.token_pc.d.next = self.token_pc.read_data.val();
        self.to_decide.token_below.d.next = self.token_tags.read_data.val().get_bits::<4>(4);
        self.to_decide.is_launch.d.next = self.to_match.is_launch.q.val();
        self.to_decide.is_config.d.next = self.to_match.is_config.q.val();
        self.to_decide.is_unallocated.d.next = self.matching.is_unallocated.val();
        self.to_decide.is_fault.d.next = self.to_match.is_fault.q.val();
        self.to_decide.is_illegal_op.d.next = self.to_match.is_illegal_op.q.val();
        self.to_decide.is_illegal_kind.d.next = self.to_match.is_illegal_kind.q.val();
        self.to_decide.is_leave.d.next = self.to_match.is_leave.q.val();
        self.to_decide.is_branch.d.next = self.to_match.is_branch.q.val();
        self.to_decide.is_yield.d.next = self.to_match.is_yield.q.val();
        self.to_decide.is_sleep.d.next = self.to_match.is_sleep.q.val();
        self.to_decide.is_send.d.next = self.to_match.is_send.q.val();
        self.to_decide.is_wake.d.next = self.to_match.is_wake.q.val();
        self.to_decide.is_push.d.next = self.to_match.is_push.q.val();
        self.to_decide.is_call.d.next = self.to_match.is_call.q.val();
        self.to_decide.is_unwind.d.next = self.to_match.is_unwind.q.val();
        self.to_decide.is_exit.d.next = self.to_match.is_exit.q.val();
        self.to_decide.is_next.d.next = self.to_match.is_next.q.val();
        self.to_decide.is_set.d.next = self.to_match.is_set.q.val();
        self.to_decide.is_jump.d.next = self.to_match.is_jump.q.val();
        self.to_decide.is_parting.d.next = self.to_match.is_parting.q.val();
        self.to_decide.is_part.d.next = self.to_match.is_part.q.val();
        self.to_decide.vacant.d.next = self.matching.vacant.val();
        self.to_decide.starting.d.next = self.to_match.starting.q.val();
        self.to_decide.selected_any.d.next = self.matching.selected_any.val();
        self.to_decide.reached.d.next = self.to_match.reached.q.val();
        self.to_decide.reaches.d.next = self.to_match.reaches.q.val();
        self.to_decide.rest_any.d.next = self.matching.rest_any.val();
        self.to_decide.after.d.next = self.matching.after.val();
        self.to_decide.fall.d.next = self.matching.fall.val();
        self.to_decide.jumps.d.next = self.to_match.jumps.q.val();
        self.to_decide.front_hit.d.next = self.matching.front_hit.val();
        self.to_decide.front_clear.d.next = self.matching.front_clear.val();
        self.to_decide.k_any.d.next = self.matching.k_any.val();
        self.to_decide.k_first.d.next = self.matching.k_first.val();
        self.to_decide.front_leaves.d.next = self.matching.front_leaves.val();
        self.to_decide.front_last.d.next = self.matching.front_last.val();
        self.to_decide.front_resumes.d.next = self.matching.front_resumes.val();
        self.to_decide.have_front.d.next = self.matching.have_front.val();
        self.to_decide.k_last.d.next = self.matching.k_last.val();
        self.to_decide.due.d.next = self.to_match.due.q.val();
        self.to_decide.begins.d.next = self.matching.begins.val();
        self.to_decide.comes.d.next = self.matching.comes.val();
        self.to_decide.live_any.d.next = self.matching.live_any.val();
        self.to_decide.waiting_any.d.next = self.matching.waiting_any.val();
        self.to_decide.asleep_any.d.next = self.matching.asleep_any.val();
        self.to_decide.masked_any.d.next = self.matching.masked_any.val();
        self.to_decide.front_parts.d.next = self.matching.front_parts.val();
        self.to_decide.drops.d.next = self.matching.drops.val();
        self.to_decide.below.d.next = self.matching.below.val();
        self.to_decide.steps_random.d.next = self.to_match.steps_random.q.val();
        self.to_decide.fore_any.d.next = self.locate.fore_any.val();
        self.to_decide.t1_absent.d.next = self.locate.t1_absent.val();
        self.to_decide.tk_absent.d.next = self.locate.tk_absent.val();
        self.to_decide.at_scratch.d.next = self.locate.at_scratch.val();
        self.to_decide.then_k.d.next = self.locate.then_k.val();
        self.to_decide.then_at.d.next = self.locate.then_at.val();
        self.to_decide.then_here.d.next = self.locate.then_here.val();
        self.to_decide.front_full.d.next = self.locate.front_full.val();
        self.to_decide.back_full.d.next = self.locate.back_full.val();
        self.to_decide.at_base.d.next = self.locate.at_base.val();
        self.to_decide.at_bound.d.next = self.locate.at_bound.val();
        self.to_decide.front_at.d.next = self.locate.front_at.val();
        self.to_decide.back_at.d.next = self.locate.back_at.val();
        self.to_decide.back_joins.d.next = self.locate.back_joins.val();
        self.to_decide.new_head.d.next = self.locate.new_head.val();
        self.to_decide.spills.d.next = self.locate.spills.val();
        self.to_decide.evicts.d.next = self.locate.evicts.val();
        self.to_decide.fills.d.next = self.locate.fills.val();
        self.to_decide.solid_now.d.next = self.locate.solid_now.val();
        self.to_decide.taken_now.d.next = self.locate.taken_now.val();
        self.to_decide.rear_taken_now.d.next = self.locate.rear_taken_now.val();
        self.to_decide.is_forced.d.next = self.to_match.is_forced.q.val();
        self.to_decide.is_mask.d.next = self.to_match.is_mask.q.val();
        self.to_decide.calls.d.next = self.to_match.calls.q.val();
        self.to_decide.d_low.d.next = self.matching.d_low.val();
        self.to_decide.d_high.d.next = self.matching.d_high.val();
        self.to_decide.rest_low.d.next = self.matching.rest_low.val();
        self.to_decide.rest_high.d.next = self.matching.rest_high.val();
        self.to_decide.enters.d.next = self.matching.enters.val();
        self.to_decide.counts.d.next = self.matching.counts.val();
        self.to_decide.scans.d.next = self.to_match.scans.q.val();
    }
}
