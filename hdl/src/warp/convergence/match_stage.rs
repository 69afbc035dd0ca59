//! Stage *match*: what the operation and the token have to do with each other.
//!
//! Kernel of the convergence unit, part 2.

use super::Convergence;
use crate::hdl::*;

/// To the registers that *decide* reads.
pub struct Matching;

#[part(Convergence, Matching)]
fn update(&mut self) {
    // ---- Match.
    // Nothing reads the base of an idle warp: it need not wait for the launch to be carried out.
    self.based.next = self.to_match.valid.q.val() & self.to_match.is_launch.q.val();
    self.base.write_enable.next = self.based.val();
    carry!(self.base <- self.to_match.*.q: write_address = warp, write_data = data);
    carry!(self.matching <- self.to_match.*.q:
        run, starting, is_launch, is_config, is_leave, is_yield, is_send, is_wake, is_set,
        is_parting, is_part, is_exit, is_sleep, calls, scanning, transfers, stays, pushes, pushed,
    );
    self.matching.token_kind.next = self.token_tags.read_data.val().get_bits::<4>(0);
    carry!(self.matching <- self.*.read_data: token_mask, token_pc);
    carry!(self.matching <- self.to_match.*.q:
        jumps, kind, selected, target, k, depth, size_new = new_size,
    );
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
    carry!(self.matching <- self.locate: free, left);
    self.matching.front_kind.next = self.front_tags.read_data.val().get_bits::<4>(0);
    self.matching.front_below.next = self.front_tags.read_data.val().get_bits::<4>(4);
    carry!(self.matching <- self.to_match.*.q: blocked, lowest, others_any);
    for i in 0..4 {
        self.matching.reason[i].next = !self.reason[i].read_data.val();
        self.to_decide.reason[i].d.next = self.reason[i].read_data.val();
        self.to_decide.d_some[i].d.next = self.matching.d_some[i].val();
    }
    carry!(self.locate <- self.to_match.*.q: scans, plain);
    self.locate.size.next = self.size.read_data.val();
    carry!(self.locate <- self.to_match.*.q:
        moving, mode, k, at, head, depth, fore, solid, taken, rear, rear_taken, stored, ring,
    );
    carry!(self.to_decide.*.d <- self.to_match.*.q: valid, warp, op, step, mode, kind);
    carry!(self.to_decide.*.d <- self.matching: selected = chosen, caught_groups, uncaught_groups);
    carry!(self.to_decide.*.d <- self.matching: apart_groups, resume_groups, falls, d, group);
    carry!(self.to_decide.*.d <- self.to_match.*.q:
        target, k, at, new_size, head, depth, fore, rear, stored,
    );
    self.to_decide.left.d.next = self.locate.left.val();
    carry!(self.to_decide.*.d <- self.to_match.*.q: ring, was_moving = moving, run, blocked);
    self.to_decide.active.d.next = self.active.read_data.val();
    self.to_decide.pc.d.next = self.pc_now.val();
    self.to_decide.front_kind.d.next = self.front_tags.read_data.val().get_bits::<4>(0);
    self.to_decide.front_mask.d.next = self.front_mask.read_data.val();
    self.to_decide.front_pc.d.next = self.front_pc.val();
    self.to_decide.front_below.d.next = self.front_tags.read_data.val().get_bits::<4>(4);
    self.to_decide.size.d.next = self.size.read_data.val();
    self.to_decide.token_kind.d.next = self.token_tags.read_data.val().get_bits::<4>(0);
    carry!(self.to_decide.*.d <- self.matching: token_same, token_yield);
    carry!(self.to_decide.*.d <- self.*.read_data: token_mask, token_pc);
    self.to_decide.token_below.d.next = self.token_tags.read_data.val().get_bits::<4>(4);
    carry!(self.to_decide.*.d <- self.to_match.*.q: is_launch, is_config);
    self.to_decide.is_unallocated.d.next = self.matching.is_unallocated.val();
    carry!(self.to_decide.*.d <- self.to_match.*.q:
        is_fault, is_illegal_op, is_illegal_kind, is_leave, is_branch, is_yield, is_sleep,
        is_send, is_wake, is_push, is_call, is_unwind, is_exit, is_next, is_set, is_jump,
        is_parting, is_part,
    );
    self.to_decide.vacant.d.next = self.matching.vacant.val();
    self.to_decide.starting.d.next = self.to_match.starting.q.val();
    self.to_decide.selected_any.d.next = self.matching.selected_any.val();
    carry!(self.to_decide.*.d <- self.to_match.*.q: reached, reaches);
    carry!(self.to_decide.*.d <- self.matching: rest_any, after, fall);
    self.to_decide.jumps.d.next = self.to_match.jumps.q.val();
    carry!(self.to_decide.*.d <- self.matching:
        front_hit, front_clear, k_any, k_first, front_leaves, front_last, front_resumes, have_front,
        k_last,
    );
    self.to_decide.due.d.next = self.to_match.due.q.val();
    carry!(self.to_decide.*.d <- self.matching:
        begins, comes, live_any, waiting_any, asleep_any, masked_any, front_parts, drops, below,
    );
    self.to_decide.steps_random.d.next = self.to_match.steps_random.q.val();
    carry!(self.to_decide.*.d <- self.locate:
        fore_any, t1_absent, tk_absent, at_scratch, then_k, then_at, then_here, front_full,
        back_full, at_base, at_bound, front_at, back_at, back_joins, new_head, spills, evicts,
        fills, solid_now, taken_now, rear_taken_now,
    );
    carry!(self.to_decide.*.d <- self.to_match.*.q: is_forced, is_mask, calls);
    carry!(self.to_decide.*.d <- self.matching: d_low, d_high, rest_low, rest_high, enters, counts);
    self.to_decide.scans.d.next = self.to_match.scans.q.val();
}
