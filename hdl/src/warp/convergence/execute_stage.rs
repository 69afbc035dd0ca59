//! Stage *execute*: what the warp is afterwards.
//!
//! Kernel of the convergence unit, part 4; the choices stand in [`super::execute`].

use super::Convergence;
use crate::hdl::*;

/// The state and the tokens that come out of the pass.
pub struct Executing;

#[part(Convergence, Executing)]
fn update(&mut self) {
    // ---- Execute.
    carry!(self.pass <- self.to_execute.*.q:
        op, is_launch, selected, d, group, comes, active, pc, target, fall, after, below,
        front_kind, front_mask, front_pc, front_below, token_kind, token_mask, token_pc,
        token_below, pc_from, front_from, push_from, store_from, takes, takes_live, by_token,
        by_front, stops_caught, stops, names_side, owes_side, d_first, new_kind, push_front,
        pop, forcible, goes_ready, done, run, is_config, depth, have_front, push_back,
        pop_behind, exception, token_at = at, front_at, back_at, parts_next, waits_behind,
        pops_on, repeats = again, repeat_step = again_step, repeat_mode = again_mode,
    );
    for i in 0..4 {
        self.pass.reason[i].next = !self.to_execute.reason[i].q.val();
    }
    // The job that was in flight when the pass was read may have ended by now.
    self.moving_now.next = self.to_execute.moving.q.val()
        & !(self.mover.finished.val()
            & (self.mover.finished_warp.val() == self.to_execute.warp.q.val()));
    carry!(self.spill <- self.to_execute.*.q:
        mode, k, at, then_at, then_here, head, fore, solid = solid_now, taken = taken_now, rear,
        rear_taken = rear_taken_now, stored, ring, depth, fore_any, new_head, copied, spills,
        evicts, fills, job_count, lead_of, lead_by, lead_more, was_moving,
    );
    self.spill.moving.next = self.moving_now.val();
    carry!(self.spill <- self.to_execute.*.q: blocked, launches = is_launch);
    self.spill.launch_head.next = self.to_execute.new_size.q.val() >> self.half.val();
    self.spill.sets_head.next = self.to_execute.sets_head.q.val();
    self.spill.head_data.next = self.to_execute.target.q.val().get_bits::<10>(0);
    carry!(self.spill <- self.to_execute.*.q:
        push_front, have_front, push_back, back_joins, back_at, pop, pop_behind,
    );
    self.spill.cfg_recenter.next = self.cfg.recenter.val();
    self.config_done.next = self.to_execute.valid.q.val() & self.to_execute.is_config.q.val();
    carry!(self.registers <- self.to_execute.*.q: number = kind, head, depth);
    // Nothing else asks for the lead of a job when a register is read.
    self.registers.lead.next = self.spill.job_lead.val();
    carry!(self.registers <- self.to_execute.*.q:
        stored, base, size, yields, backward, random = next_random,
    );
    self.config_result.next = self.registers.result.val();
    carry!(self.policy <- self.to_execute.*.q:
        yields, yields_full, clears_yields, counts_yield, sets_yields, backward, backward_full,
        clears_backward, counts_backward, standstill, pops = pop, sets_transfers,
        random = next_random, sets_random,
    );
    self.policy.value.next = self.to_execute.target.q.val().get_bits::<16>(0);
    carry!(self.policy.cfg_* <- self.cfg: yield_every, forced_yield, yield_random, yield_threshold);
}
