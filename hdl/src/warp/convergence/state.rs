//! State of the warps: what is written of it.
//!
//! Kernel of the convergence unit, part 5.

use super::Convergence;
use crate::hdl::*;

/// Every memory by warp, and the token memory.
pub struct WriteBack;

#[part(Convergence, WriteBack)]
fn update(&mut self) {
    // ---- Write back.
    self.write.next = self.to_execute.valid.q.val();
    self.front_tag.next = (bit_cast::<8, 4>(self.pass.next_front_below.val())
        << self.tag_shift.val())
        | bit_cast::<8, 4>(self.pass.next_front_kind.val());
    self.deque.write_enable.next = self.write.val();
    self.deque.write_address.next = self.to_execute.warp.q.val();
    self.deque.write_data.next = bit_cast::<31, 10>(self.spill.next_head.val())
        | (bit_cast::<31, 10>(self.pass.next_depth.val()) << self.depth_shift.val())
        | (bit_cast::<31, 10>(self.spill.next_stored.val()) << self.stored_shift.val())
        | (bit_cast::<31, 1>(self.to_execute.next_blocked.q.val().into())
            << self.blocked_shift.val());
    self.dues.write_enable.next = self.write.val();
    self.dues.write_address.next = self.to_execute.warp.q.val();
    self.dues.write_data.next = bit_cast::<5, 1>(self.policy.due.val().into())
        | (bit_cast::<5, 2>(self.policy.reached.val()) << self.reached_shift.val())
        | (bit_cast::<5, 2>(self.policy.reaches.val()) << self.reaches_shift.val());
    self.active.write_enable.next = self.write.val();
    self.active.write_address.next = self.to_execute.warp.q.val();
    self.active.write_data.next = self.pass.next_active.val();
    self.pcs.write_enable.next = self.write.val();
    self.pcs.write_address.next = self.to_execute.warp.q.val();
    self.pcs.write_data.next = bit_cast::<44, 22>(self.pass.next_pc.val())
        | (bit_cast::<44, 22>(self.pass.next_front_pc.val()) << self.pc_shift.val());
    self.front_tags.write_enable.next = self.write.val();
    self.front_tags.write_address.next = self.to_execute.warp.q.val();
    self.front_tags.write_data.next = self.front_tag.val();
    self.front_mask.write_enable.next = self.write.val();
    self.front_mask.write_address.next = self.to_execute.warp.q.val();
    self.front_mask.write_data.next = self.pass.next_front_mask.val();
    self.counts.write_enable.next = self.write.val();
    self.counts.write_address.next = self.to_execute.warp.q.val();
    self.counts.write_data.next = bit_cast::<64, 16>(self.policy.next_yields.val())
        | (bit_cast::<64, 16>(self.policy.next_backward.val()) << self.backward_shift.val())
        | (bit_cast::<64, 16>(self.policy.next_random.val()) << self.random_shift.val())
        | (bit_cast::<64, 16>(self.policy.next_standstill.val()) << self.standstill_shift.val());
    self.launches.next = self.to_execute.valid.q.val() & self.to_execute.is_launch.q.val();
    self.size.write_enable.next = self.launches.val();
    carry!(self.size <- self.to_execute.*.q: write_address = warp, write_data = new_size);
    self.fore.write_enable.next = self.write.val();
    self.fore.write_address.next = self.to_execute.warp.q.val();
    self.fore.write_data.next = self.spill.next_fore.val();
    self.solid.write_enable.next = self.write.val();
    self.solid.write_address.next = self.to_execute.warp.q.val();
    self.solid.write_data.next = self.spill.next_solid.val();
    self.taken.write_enable.next = self.write.val();
    self.taken.write_address.next = self.to_execute.warp.q.val();
    self.taken.write_data.next = self.spill.next_taken.val();
    self.rear.write_enable.next = self.write.val();
    self.rear.write_address.next = self.to_execute.warp.q.val();
    self.rear.write_data.next = self.spill.next_rear.val();
    self.rear_taken.write_enable.next = self.write.val();
    self.rear_taken.write_address.next = self.to_execute.warp.q.val();
    self.rear_taken.write_data.next = self.spill.next_rear_taken.val();
    self.ring.write_enable.next = self.write.val();
    self.ring.write_address.next = self.to_execute.warp.q.val();
    self.ring.write_data.next = self.spill.next_ring.val();
    self.front_place.write_enable.next = self.write.val();
    self.front_place.write_address.next = self.to_execute.warp.q.val();
    self.front_place.write_data.next = self.spill.front_place.val();
    self.further_front.write_enable.next = self.write.val();
    self.further_front.write_address.next = self.to_execute.warp.q.val();
    self.further_front.write_data.next = self.spill.front_place.val();
    self.last_place.write_enable.next = self.write.val();
    self.last_place.write_address.next = self.to_execute.warp.q.val();
    self.last_place.write_data.next = self.spill.last_place.val();
    self.further_last.write_enable.next = self.write.val();
    self.further_last.write_address.next = self.to_execute.warp.q.val();
    self.further_last.write_data.next = self.spill.last_place.val();
    for i in 0..4 {
        self.reason[i].write_enable.next = self.write.val();
        self.reason[i].write_address.next = self.to_execute.warp.q.val();
        self.reason[i].write_data.next = !self.pass.next_reason[i].val();
    }
    // Tokens: from this pass, or else from memory.
    self.stores.next = self.write.val() & self.to_execute.store.q.val();
    self.store_at.next = (bit_cast::<TAG_BITS, WARP_BITS>(self.to_execute.warp.q.val())
        << self.place_bits.val())
        | bit_cast::<TAG_BITS, PLACE_BITS>(self.pass.store_at.val());
    self.store_tag.next = (bit_cast::<8, 4>(self.pass.store_below.val()) << self.tag_shift.val())
        | bit_cast::<8, 4>(self.pass.store_kind.val());
    self.token_write.next = self.stores.val() | self.mover.write.val();
    carry!(self.token_* <- self.mover: write_at, write_tags, write_mask, write_pc);
    if self.stores.val() {
        carry!(self.token_write_* <- self.store_*: at, tags = tag);
        carry!(self.token_write_* <- self.pass.store_*: mask, pc);
    }
    carry!(self.token_tags <- self: write_enable = token_write, write_address = token_write_at);
    self.token_tags.write_data.next = self.token_write_tags.val();
    carry!(self.token_mask <- self: write_enable = token_write, write_address = token_write_at);
    self.token_mask.write_data.next = self.token_write_mask.val();
    carry!(self.token_pc <- self: write_enable = token_write, write_address = token_write_at);
    self.token_pc.write_data.next = self.token_write_pc.val();
    carry!(self.mover_tags <- self: write_enable = token_write, write_address = token_write_at);
    self.mover_tags.write_data.next = self.token_write_tags.val();
    carry!(self.mover_mask <- self: write_enable = token_write, write_address = token_write_at);
    self.mover_mask.write_data.next = self.token_write_mask.val();
    carry!(self.mover_pc <- self: write_enable = token_write, write_address = token_write_at);
    self.mover_pc.write_data.next = self.token_write_pc.val();
}
