//! Stage *read*: what enters, the state of its warp, and one token.
//!
//! Kernel of the convergence unit, part 1.

use super::Convergence;
use crate::hdl::*;

/// From launches, resolves, configuration accesses and further passes to the registers that *match* reads.
pub struct Reading;

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
    > kernel::Part<Reading> for Convergence<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Read: what enters, the state of its warp, and one token.
        self.entry.reset.next = self.reset.val();
        self.entry.taken.next = self.busy.q.val() | self.moving.q.val();
        self.entry.busy.next = self.busy.q.val();
        self.entry.engaged.next = self.engaged.q.val();
        self.entry.empty.next = !self.to_match.valid.q.val()
            & !self.to_decide.valid.q.val()
            & !self.to_execute.valid.q.val()
            & !self.mover.poked.val();
        self.entry.launch_valid.next = self.launch_valid.val();
        self.entry.launch_warp.next = self.launch_warp.val();
        self.entry.launch_pc.next = self.launch_pc.val();
        self.entry.launch_mask.next = self.launch_mask.val();
        self.entry.launch_base.next = self.launch_base.val();
        self.entry.launch_size.next = self.launch_size.val();
        self.entry.resolve_valid.next = self.resolve_valid.val();
        self.entry.resolve_warp.next = self.resolve_warp.val();
        self.entry.resolve_op.next = self.resolve_op.val();
        self.entry.resolve_kind.next = self.resolve_kind.val();
        self.entry.resolve_mask.next = self.resolve_mask.val();
        self.entry.resolve_target.next = self.resolve_target.val();
        self.entry.resolve_moved.next = self.resolve_moved.val();
        self.entry.resolve_pc.next = self.resolve_pc.val();
        self.entry.config_valid.next = self.config_valid.val();
        self.entry.config_write.next = self.config_write.val();
        self.entry.config_warp.next = self.config_warp.val();
        self.entry.config_register.next = self.config_register.val();
        self.entry.config_data.next = self.config_data.val();
        self.launch_ready.next = self.entry.launch_ready.val();
        self.resolve_ready.next = self.entry.resolve_ready.val();
        self.config_ready.next = self.entry.config_ready.val();
        self.deque.read_address.next = self.entry.warp.val();
        self.dues.read_address.next = self.entry.warp.val();
        self.r_depth.next = self.deque.read_data.val().get_bits::<10>(10);
        self.fore.read_address.next = self.entry.warp.val();
        self.solid.read_address.next = self.entry.warp.val();
        self.taken.read_address.next = self.entry.warp.val();
        self.rear.read_address.next = self.entry.warp.val();
        self.rear_taken.read_address.next = self.entry.warp.val();
        self.ring.read_address.next = self.entry.warp.val();
        self.front_place.read_address.next = self.resolve_warp.val();
        self.last_place.read_address.next = self.resolve_warp.val();
        self.further_front.read_address.next = self.entry.further_warp.val();
        self.further_last.read_address.next = self.entry.further_warp.val();
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
        self.read_at.next = (bit_cast::<TA, WI>(self.entry.warp.val()) << self.place_bits.val())
            | bit_cast::<TA, R>(self.r_at.val());
        self.active.read_address.next = self.entry.warp.val();
        self.pcs.read_address.next = self.entry.warp.val();
        self.front_tags.read_address.next = self.entry.warp.val();
        self.front_mask.read_address.next = self.entry.warp.val();
        self.size.read_address.next = self.entry.warp.val();
        // Asked for a cycle later.
        self.base.read_address.next = self.to_match.warp.q.val();
        self.counts.read_address.next = self.to_match.warp.q.val();
        for i in 0..4 {
            self.reason[i].read_address.next = self.entry.warp.val();
        }
        self.token_tags.read_address.next = self.read_at.val();
        self.token_mask.read_address.next = self.read_at.val();
        self.token_pc.read_address.next = self.read_at.val();
        self.decode.op.next = self.entry.op.val();
        self.decode.step.next = self.entry.step.val();
        self.decode.mode.next = self.entry.mode.val();
        self.decode.kind.next = self.entry.kind.val();
        self.to_match.run.d.next = self.decode.run.val();
        self.to_match.starting.d.next = self.decode.starting.val();
        self.to_match.is_launch.d.next = self.decode.is_launch.val();
        self.to_match.is_config.d.next = self.decode.is_config.val();
        self.to_match.is_fault.d.next = self.decode.is_fault.val();
        self.to_match.is_illegal_op.d.next = self.decode.is_illegal_op.val();
        self.to_match.is_illegal_kind.d.next = self.decode.is_illegal_kind.val();
        self.to_match.is_leave.d.next = self.decode.is_leave.val();
        self.to_match.is_branch.d.next = self.decode.is_branch.val();
        self.to_match.is_yield.d.next = self.decode.is_yield.val();
        self.to_match.is_sleep.d.next = self.decode.is_sleep.val();
        self.to_match.is_send.d.next = self.decode.is_send.val();
        self.to_match.is_wake.d.next = self.decode.is_wake.val();
        self.to_match.is_push.d.next = self.decode.is_push.val();
        self.to_match.is_call.d.next = self.decode.is_call.val();
        self.to_match.is_unwind.d.next = self.decode.is_unwind.val();
        self.to_match.is_exit.d.next = self.decode.is_exit.val();
        self.to_match.is_next.d.next = self.decode.is_next.val();
        self.to_match.is_set.d.next = self.decode.is_set.val();
        self.to_match.is_jump.d.next = self.decode.is_jump.val();
        self.to_match.is_parting.d.next = self.decode.is_parting.val();
        self.to_match.is_part.d.next = self.decode.is_part.val();
        self.to_match.is_forced.d.next = self.decode.is_forced.val();
        self.to_match.is_mask.d.next = self.decode.is_mask.val();
        self.to_match.calls.d.next = self.decode.calls.val();
        self.to_match.scans.d.next = self.decode.scans.val();
        self.to_match.scanning.d.next = self.decode.scanning.val();
        self.to_match.plain.d.next = self.decode.plain.val();
        self.to_match.transfers.d.next = self.decode.transfers.val();
        self.to_match.jumps.d.next = self.decode.jumps.val();
        self.to_match.stays.d.next = self.decode.stays.val();
        self.to_match.pushes.d.next = self.decode.pushes.val();
        self.to_match.pushed.d.next = self.decode.pushed.val();
        self.to_match.steps_random.d.next = self.decode.steps_random.val();
        self.to_match.valid.d.next = self.entry.valid.val();
        self.to_match.warp.d.next = self.entry.warp.val();
        self.to_match.op.d.next = self.entry.op.val();
        self.to_match.step.d.next = self.entry.step.val();
        self.to_match.mode.d.next = self.entry.mode.val();
        self.to_match.kind.d.next = self.entry.kind.val();
        self.to_match.selected.d.next = self.entry.selected.val();
        self.to_match.target.d.next = self.entry.target.val();
        // PART is always a further pass.
        self.part.bits.next = self.entry.further_mask.val();
        self.part.cfg_lanes.next = self.cfg.lanes.val();
        self.to_match.lowest.d.next = self.part.lowest.val();
        self.to_match.others_any.d.next = self.part.others_any.val();
        self.to_match.k.d.next = self.r_k.val();
        self.to_match.at.d.next = self.r_at.val();
        self.to_match.data.d.next = self.entry.data.val();
        self.to_match.moving.d.next = self.moving.q.val().get_bit(self.entry.warp.val().index());
        self.to_match.moved.d.next = self.entry.moved.val();
        self.to_match.new_size.d.next = self.entry.size.val();
        self.to_match.blocked.d.next = self.deque.read_data.val().get_bit(30);
        self.to_match.due.d.next = self.dues.read_data.val().get_bit(0);
        self.to_match.reached.d.next = self.dues.read_data.val().get_bits::<2>(1);
        self.to_match.reaches.d.next = self.dues.read_data.val().get_bits::<2>(3);
        self.to_match.head.d.next = self.deque.read_data.val().get_bits::<10>(0);
        self.to_match.depth.d.next = self.r_depth.val();
        self.to_match.fore.d.next = self.fore.read_data.val();
        self.to_match.solid.d.next = self.solid.read_data.val();
        self.to_match.taken.d.next = self.taken.read_data.val();
        self.to_match.rear.d.next = self.rear.read_data.val();
        self.to_match.rear_taken.d.next = self.rear_taken.read_data.val();
        self.to_match.stored.d.next = self.deque.read_data.val().get_bits::<10>(20);
        self.to_match.ring.d.next = self.ring.read_data.val();
    }
}
