//! Stage *execute*: what the warp is afterwards.
//!
//! Kernel of the convergence unit, part 4; the choices stand in [`super::execute`].

use super::Convergence;
use crate::hdl::*;

/// The state and the tokens that come out of the pass.
pub struct Executing;

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
    > kernel::Part<Executing> for Convergence<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Execute.
        self.pass.op.next = self.to_execute.op.q.val();
        self.pass.is_launch.next = self.to_execute.is_launch.q.val();
        self.pass.selected.next = self.to_execute.selected.q.val();
        self.pass.d.next = self.to_execute.d.q.val();
        self.pass.group.next = self.to_execute.group.q.val();
        self.pass.comes.next = self.to_execute.comes.q.val();
        self.pass.active.next = self.to_execute.active.q.val();
        self.pass.pc.next = self.to_execute.pc.q.val();
        self.pass.target.next = self.to_execute.target.q.val();
        self.pass.fall.next = self.to_execute.fall.q.val();
        self.pass.after.next = self.to_execute.after.q.val();
        self.pass.below.next = self.to_execute.below.q.val();
        self.pass.front_kind.next = self.to_execute.front_kind.q.val();
        self.pass.front_mask.next = self.to_execute.front_mask.q.val();
        self.pass.front_pc.next = self.to_execute.front_pc.q.val();
        self.pass.front_below.next = self.to_execute.front_below.q.val();
        self.pass.token_kind.next = self.to_execute.token_kind.q.val();
        self.pass.token_mask.next = self.to_execute.token_mask.q.val();
        self.pass.token_pc.next = self.to_execute.token_pc.q.val();
        self.pass.token_below.next = self.to_execute.token_below.q.val();
        self.pass.pc_from.next = self.to_execute.pc_from.q.val();
        self.pass.front_from.next = self.to_execute.front_from.q.val();
        self.pass.push_from.next = self.to_execute.push_from.q.val();
        self.pass.store_from.next = self.to_execute.store_from.q.val();
        self.pass.takes.next = self.to_execute.takes.q.val();
        self.pass.takes_live.next = self.to_execute.takes_live.q.val();
        self.pass.by_token.next = self.to_execute.by_token.q.val();
        self.pass.by_front.next = self.to_execute.by_front.q.val();
        self.pass.stops_caught.next = self.to_execute.stops_caught.q.val();
        self.pass.stops.next = self.to_execute.stops.q.val();
        self.pass.names_side.next = self.to_execute.names_side.q.val();
        self.pass.owes_side.next = self.to_execute.owes_side.q.val();
        self.pass.d_first.next = self.to_execute.d_first.q.val();
        self.pass.new_kind.next = self.to_execute.new_kind.q.val();
        self.pass.push_front.next = self.to_execute.push_front.q.val();
        self.pass.pop.next = self.to_execute.pop.q.val();
        self.pass.forcible.next = self.to_execute.forcible.q.val();
        self.pass.goes_ready.next = self.to_execute.goes_ready.q.val();
        self.pass.done.next = self.to_execute.done.q.val();
        self.pass.run.next = self.to_execute.run.q.val();
        self.pass.is_config.next = self.to_execute.is_config.q.val();
        self.pass.depth.next = self.to_execute.depth.q.val();
        self.pass.have_front.next = self.to_execute.have_front.q.val();
        self.pass.push_back.next = self.to_execute.push_back.q.val();
        self.pass.pop_behind.next = self.to_execute.pop_behind.q.val();
        self.pass.exception.next = self.to_execute.exception.q.val();
        self.pass.token_at.next = self.to_execute.at.q.val();
        self.pass.front_at.next = self.to_execute.front_at.q.val();
        self.pass.back_at.next = self.to_execute.back_at.q.val();
        self.pass.parts_next.next = self.to_execute.parts_next.q.val();
        self.pass.waits_behind.next = self.to_execute.waits_behind.q.val();
        self.pass.pops_on.next = self.to_execute.pops_on.q.val();
        self.pass.repeats.next = self.to_execute.again.q.val();
        self.pass.repeat_step.next = self.to_execute.again_step.q.val();
        self.pass.repeat_mode.next = self.to_execute.again_mode.q.val();
        for i in 0..4 {
            self.pass.reason[i].next = !self.to_execute.reason[i].q.val();
        }
        // The job that was in flight when the pass was read may have ended by now.
        self.moving_now.next = self.to_execute.moving.q.val()
            & !(self.mover.finished.val()
                & (self.mover.finished_warp.val() == self.to_execute.warp.q.val()));
        self.spill.mode.next = self.to_execute.mode.q.val();
        self.spill.k.next = self.to_execute.k.q.val();
        self.spill.at.next = self.to_execute.at.q.val();
        self.spill.then_at.next = self.to_execute.then_at.q.val();
        self.spill.then_here.next = self.to_execute.then_here.q.val();
        self.spill.head.next = self.to_execute.head.q.val();
        self.spill.fore.next = self.to_execute.fore.q.val();
        self.spill.solid.next = self.to_execute.solid_now.q.val();
        self.spill.taken.next = self.to_execute.taken_now.q.val();
        self.spill.rear.next = self.to_execute.rear.q.val();
        self.spill.rear_taken.next = self.to_execute.rear_taken_now.q.val();
        self.spill.stored.next = self.to_execute.stored.q.val();
        self.spill.ring.next = self.to_execute.ring.q.val();
        self.spill.depth.next = self.to_execute.depth.q.val();
        self.spill.fore_any.next = self.to_execute.fore_any.q.val();
        self.spill.new_head.next = self.to_execute.new_head.q.val();
        self.spill.copied.next = self.to_execute.copied.q.val();
        self.spill.spills.next = self.to_execute.spills.q.val();
        self.spill.evicts.next = self.to_execute.evicts.q.val();
        self.spill.fills.next = self.to_execute.fills.q.val();
        self.spill.job_count.next = self.to_execute.job_count.q.val();
        self.spill.lead_of.next = self.to_execute.lead_of.q.val();
        self.spill.lead_by.next = self.to_execute.lead_by.q.val();
        self.spill.lead_more.next = self.to_execute.lead_more.q.val();
        self.spill.was_moving.next = self.to_execute.was_moving.q.val();
        self.spill.moving.next = self.moving_now.val();
        self.spill.blocked.next = self.to_execute.blocked.q.val();
        self.spill.launches.next = self.to_execute.is_launch.q.val();
        self.spill.launch_head.next = self.to_execute.new_size.q.val() >> self.half.val();
        self.spill.sets_head.next = self.to_execute.sets_head.q.val();
        self.spill.head_data.next = self.to_execute.target.q.val().get_bits::<10>(0);
        self.spill.push_front.next = self.to_execute.push_front.q.val();
        self.spill.have_front.next = self.to_execute.have_front.q.val();
        self.spill.push_back.next = self.to_execute.push_back.q.val();
        self.spill.back_joins.next = self.to_execute.back_joins.q.val();
        self.spill.back_at.next = self.to_execute.back_at.q.val();
        self.spill.pop.next = self.to_execute.pop.q.val();
        self.spill.pop_behind.next = self.to_execute.pop_behind.q.val();
        self.spill.cfg_recenter.next = self.cfg.recenter.val();
        self.config_done.next = self.to_execute.valid.q.val() & self.to_execute.is_config.q.val();
        self.registers.number.next = self.to_execute.kind.q.val();
        self.registers.head.next = self.to_execute.head.q.val();
        self.registers.depth.next = self.to_execute.depth.q.val();
        // Nothing else asks for the lead of a job when a register is read.
        self.registers.lead.next = self.spill.job_lead.val();
        self.registers.stored.next = self.to_execute.stored.q.val();
        self.registers.base.next = self.to_execute.base.q.val();
        self.registers.size.next = self.to_execute.size.q.val();
        self.registers.yields.next = self.to_execute.yields.q.val();
        self.registers.backward.next = self.to_execute.backward.q.val();
        self.registers.random.next = self.to_execute.next_random.q.val();
        self.config_result.next = self.registers.result.val();
        self.policy.yields.next = self.to_execute.yields.q.val();
        self.policy.yields_full.next = self.to_execute.yields_full.q.val();
        self.policy.clears_yields.next = self.to_execute.clears_yields.q.val();
        self.policy.counts_yield.next = self.to_execute.counts_yield.q.val();
        self.policy.sets_yields.next = self.to_execute.sets_yields.q.val();
        self.policy.backward.next = self.to_execute.backward.q.val();
        self.policy.backward_full.next = self.to_execute.backward_full.q.val();
        self.policy.clears_backward.next = self.to_execute.clears_backward.q.val();
        self.policy.counts_backward.next = self.to_execute.counts_backward.q.val();
        self.policy.standstill.next = self.to_execute.standstill.q.val();
        self.policy.pops.next = self.to_execute.pop.q.val();
        self.policy.sets_transfers.next = self.to_execute.sets_transfers.q.val();
        self.policy.random.next = self.to_execute.next_random.q.val();
        self.policy.sets_random.next = self.to_execute.sets_random.q.val();
        self.policy.value.next = self.to_execute.target.q.val().get_bits::<16>(0);
        self.policy.cfg_yield_every.next = self.cfg.yield_every.val();
        self.policy.cfg_forced_yield.next = self.cfg.forced_yield.val();
        self.policy.cfg_yield_random.next = self.cfg.yield_random.val();
        self.policy.cfg_yield_threshold.next = self.cfg.yield_threshold.val();
    }
}
