//! Stage *decide*: what is to happen.
//!
//! Kernel of the convergence unit, part 3; the rules stand in [`super::decide`].

use super::Convergence;
use crate::hdl::*;

/// To the registers that *execute* reads.
pub struct Deciding;

#[part(Convergence, Deciding)]
fn update(&mut self) {
    // ---- Decide.
    // CONV-052: three copies of the warp number.
    self.yields.next = self.counts.read_data.val().get_bits::<16>(0);
    self.backward.next = self.counts.read_data.val().get_bits::<16>(16);
    self.random.next = self.counts.read_data.val().get_bits::<16>(32);
    self.standstill.next = self.counts.read_data.val().get_bits::<16>(48);
    self.launch_random.next = self.cfg.yield_seed.val()
        ^ bit_cast::<16, WARP_BITS>(self.to_decide.warp.q.val())
        ^ (bit_cast::<16, WARP_BITS>(self.to_decide.warp.q.val()) << self.seed_shift.val())
        ^ (bit_cast::<16, WARP_BITS>(self.to_decide.warp.q.val()) << self.seed_shift_2.val());
    if self.launch_random.val() == self.zero_count.val() {
        self.launch_random.next = self.one_random.val();
    }
    for i in 0..4 {
        self.decide.d_some[i].next = self.to_decide.d_some[i].q.val();
    }
    carry!(self.decide <- self.to_decide.*.q:
        caught_groups, uncaught_groups, apart_groups, resume_groups, falls, kind, is_launch,
        is_unallocated, is_fault, is_illegal_op, is_illegal_kind, is_leave, is_branch, is_yield,
        is_sleep, is_send, is_wake, is_push, is_call, is_unwind, is_exit, is_next, is_set,
        is_jump, is_parting, is_part, is_forced, is_mask, calls, vacant, starting, selected_any,
        reached, reaches, rest_any, jumps, front_hit, front_clear, front_last, k_last, k_any,
        k_first, front_resumes, live_any, front_leaves, waiting_any, asleep_any, masked_any,
        front_parts, d_low, d_high, rest_low, rest_high, enters, drops, due, begins,
        steps_random,
    );
    self.decide.launch_random.next = self.launch_random.val();
    carry!(self.decide <- self.to_decide.*.q: counts, was_blocked = blocked, depth, have_front);
    self.decide.random.next = self.random.val();
    carry!(self.decide <- self.to_decide.*.q:
        token_same, token_yield, token_below, t1_absent, tk_absent, at_scratch, then_here,
        front_full, back_full, at_base, at_bound,
    );
    self.decide.cfg_path.next = self.cfg.path.val();
    carry!(self.job <- self.to_decide.*.q:
        mode, scans, k, at, fore, stored, rear, left, at_base, spills, evicts, fills,
    );
    carry!(self.to_execute.*.d <- self.to_decide.*.q:
        valid, warp, op, step, mode, kind, selected, d, group, comes, target, k, at, new_size, head,
        fore, rear, stored, ring, was_moving,
    );
    self.to_execute.moving.d.next = self
        .moving
        .q
        .val()
        .get_bit(self.to_decide.warp.q.val().index())
        & !(self.mover.finished.val()
            & (self.mover.finished_warp.val() == self.to_decide.warp.q.val()));
    carry!(self.to_execute.*.d <- self.to_decide.*.q: run, active);
    if self.to_decide.is_launch.q.val() {
        self.to_execute.active.d.next = self.no_threads.val();
    }
    carry!(self.to_execute.*.d <- self.to_decide.*.q:
        pc, front_kind, front_mask, front_pc, front_below, size,
    );
    self.to_execute.base.d.next = self.base.read_data.val();
    carry!(self.to_execute.*.d <- self.to_decide.*.q:
        token_kind, token_mask, token_pc, token_below,
    );
    for i in 0..4 {
        self.to_execute.reason[i].d.next = self.to_decide.reason[i].q.val();
        if self.to_decide.is_launch.q.val() {
            self.to_execute.reason[i].d.next = self.no_threads.val();
        }
    }
    carry!(self.to_execute.*.d <- self.to_decide.*.q: is_launch, is_config);
    self.writes.accessed.next = self.to_decide.valid.q.val() & self.to_decide.is_config.q.val();
    self.writes.writing.next = self.to_decide.step.q.val().any();
    self.writes.number.next = self.to_decide.kind.q.val();
    carry!(self.to_execute.*.d <- self.writes:
        sets_head, sets_yields, sets_transfers, sets_random, resumes,
    );
    carry!(self.to_execute.*.d <- self.to_decide.*.q:
        after, fall, below, fore_any, then_at, then_here, new_head, spills, evicts, fills,
    );
    carry!(self.to_execute.*.d <- self.job: job_count, lead_of, lead_by, lead_more, job_ends);
    carry!(self.to_execute.*.d <- self.job: job_at, job_area, job_down, job_writes, copied);
    carry!(self.to_execute.*.d <- self.to_decide.*.q:
        solid_now, taken_now, rear_taken_now, back_joins, depth, then_k, front_at, back_at,
    );
    carry!(self.to_execute.*.d <- self.decide: follows, parts_next, waits_behind, pops_on);
    self.to_execute.yields.d.next = self.yields.val();
    self.to_execute.yields_full.d.next = self.yields.val().all();
    carry!(self.to_execute.*.d <- self.decide: clears_yields, counts_yield);
    self.to_execute.have_front.d.next = self.to_decide.have_front.q.val();
    self.to_execute.backward.d.next = self.backward.val();
    self.to_execute.backward_full.d.next = self.backward.val().all();
    carry!(self.to_execute.*.d <- self.decide: clears_backward, counts_backward);
    self.to_execute.standstill.d.next = self.standstill.val();
    carry!(self.to_execute.*.d <- self.decide:
        next_random, next_blocked, pc_from, front_from, push_from, store_from, takes,
        takes_live, by_token, by_front, stops_caught, stops, names_side, owes_side, d_first,
        new_kind, push_front, push_back, pop, store, blocked, again, again_step, again_mode,
        forcible, goes_ready, done, dropped, exception, cause, pop_behind,
    );
}
