//! Stage *read*: what enters, the state of its warp, and one token.
//!
//! Kernel of the convergence unit, part 1.

use super::Convergence;
use crate::hdl::*;

/// From launches, resolves, configuration accesses and further passes to the registers that *match* reads.
pub struct Reading;

#[part(Convergence, Reading)]
fn update(&mut self) {
    // ---- Read: what enters, the state of its warp, and one token.
    self.entry.reset.next = self.reset.val();
    self.entry.taken.next = self.busy.q.val() | self.moving.q.val();
    carry!(self.entry <- self.*.q: busy, engaged);
    self.entry.empty.next = !self.to_match.valid.q.val()
        & !self.to_decide.valid.q.val()
        & !self.to_execute.valid.q.val()
        & !self.mover.poked.val();
    carry!(self.entry <- self:
        launch_valid, launch_warp, launch_pc, launch_mask, launch_base, launch_size, resolve_valid,
        resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target, resolve_moved,
        resolve_pc, config_valid, config_write, config_warp, config_register, config_data,
    );
    carry!(self <- self.entry: launch_ready, resolve_ready, config_ready);
    spread!(self.*.read_address <- self.entry.warp: deque, dues);
    self.r_depth.next = self.deque.read_data.val().get_bits::<10>(10);
    spread!(self.*.read_address <- self.entry.warp: fore, solid, taken, rear, rear_taken, ring);
    spread!(self.*.read_address <- self.resolve_warp: front_place, last_place);
    spread!(self.*.read_address <- self.entry.further_warp: further_front, further_last);
    // A first pass looks at the token behind the front, a yield at the last one;
    // a search goes on from its own place.
    self.r_k.next = self.entry.k.val();
    self.r_at.next = self.front_place.read_data.val();
    if self.entry.further.val() {
        self.r_at.next = self.further_front.read_data.val();
    }
    if self.entry.from_back.val() {
        self.r_k.next = self.r_depth.val() - self.one_token.val();
        self.r_at.next = self.last_place.read_data.val();
        if self.entry.further.val() {
            self.r_at.next = self.further_last.read_data.val();
        }
    }
    if self.entry.goes_on.val() {
        self.r_at.next = self.entry.at.val();
    }
    self.read_at.next = (bit_cast::<TAG_BITS, WARP_BITS>(self.entry.warp.val())
        << self.place_bits.val())
        | bit_cast::<TAG_BITS, PLACE_BITS>(self.r_at.val());
    spread!(self.*.read_address <- self.entry.warp: active, pcs, front_tags, front_mask, size);
    // Asked for a cycle later.
    spread!(self.*.read_address <- self.to_match.warp.q: base, counts);
    for i in 0..4 {
        self.reason[i].read_address.next = self.entry.warp.val();
    }
    spread!(self.*.read_address <- self.read_at: token_tags, token_mask, token_pc);
    carry!(self.decode <- self.entry: op, step, mode, kind);
    carry!(self.to_match.*.d <- self.decode:
        run, starting, is_launch, is_config, is_fault, is_illegal_op, is_illegal_kind, is_leave,
        is_branch, is_yield, is_sleep, is_send, is_wake, is_push, is_call, is_unwind, is_exit,
        is_next, is_set, is_jump, is_parting, is_part, is_forced, is_mask, calls, scans,
        scanning, plain, transfers, jumps, stays, pushes, pushed, steps_random,
    );
    carry!(self.to_match.*.d <- self.entry: valid, warp, op, step, mode, kind, selected, target);
    // PART is always a further pass.
    self.part.bits.next = self.entry.further_mask.val();
    self.part.cfg_lanes.next = self.cfg.lanes.val();
    carry!(self.to_match.*.d <- self.part: lowest, others_any);
    carry!(self.to_match.*.d <- self.r_*: k, at);
    self.to_match.data.d.next = self.entry.data.val();
    self.to_match.moving.d.next = self.moving.q.val().get_bit(self.entry.warp.val().index());
    carry!(self.to_match.*.d <- self.entry: moved, new_size = size);
    self.to_match.blocked.d.next = self.deque.read_data.val().get_bit(30);
    self.to_match.due.d.next = self.dues.read_data.val().get_bit(0);
    self.to_match.reached.d.next = self.dues.read_data.val().get_bits::<2>(1);
    self.to_match.reaches.d.next = self.dues.read_data.val().get_bits::<2>(3);
    self.to_match.head.d.next = self.deque.read_data.val().get_bits::<10>(0);
    self.to_match.depth.d.next = self.r_depth.val();
    carry!(self.to_match.*.d <- self.*.read_data: fore, solid, taken, rear, rear_taken);
    self.to_match.stored.d.next = self.deque.read_data.val().get_bits::<10>(20);
    self.to_match.ring.d.next = self.ring.read_data.val();
}
