//! The queue of passes, and where their lanes go.

use super::Lsu;
use crate::hdl::*;

/// Passes wait; the addresses of the one in front are translated.
pub struct Translate;

#[part(Lsu, Translate)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset:
        queue, held, ar, aw, lines, scratchpad, align, rows, faults, replies, modify, completion,
        in_flight, exclusive,
    );

    // ---- Passes wait.
    self.queue.push_valid.next = self.access_valid.val();
    self.access_ready.next = self.queue.push_ready.val();
    self.queue.push_head.next = bit_cast::<PASS_WIDTH, 22>(self.access_pc.val())
        | (bit_cast::<PASS_WIDTH, 1>(self.access_first.val().into()) << 22)
        | (bit_cast::<PASS_WIDTH, 1>(self.access_last.val().into()) << 23)
        | (bit_cast::<PASS_WIDTH, 5>(self.access_op.val()) << 24)
        | (bit_cast::<PASS_WIDTH, 2>(self.access_size.val()) << 29)
        | (bit_cast::<PASS_WIDTH, 1>(self.access_signed.val().into()) << 31)
        | (bit_cast::<PASS_WIDTH, 1>(self.access_uses_rd.val().into()) << 32)
        | (bit_cast::<PASS_WIDTH, 5>(self.access_rd.val()) << 33)
        | (bit_cast::<PASS_WIDTH, WARP_BITS>(self.access_warp.val()) << 38)
        | (bit_cast::<PASS_WIDTH, PART_BITS>(self.access_part.val()) << self.part_at.val())
        | (bit_cast::<PASS_WIDTH, LANES>(self.access_mask.val()) << self.mask_at.val())
        | (bit_cast::<PASS_WIDTH, 1>(self.access_regular.val().into()) << self.regular_at.val())
        | (bit_cast::<PASS_WIDTH, 2>(self.access_order.val()) << self.order_at.val());
    carry!(self.queue.push_* <- self.access_*: address, data);
    self.slots_free.next = self.queue.slots_free.val();

    carry!(self.held.in_* <- self.queue.pop_*: valid, head, address, data);
    self.queue.pop_ready.next = self.held.in_ready.val();

    // ---- Where their lanes go.
    self.q_op.next = self.held.out_head.val().get_bits::<5>(24);
    self.q_warp.next = self.held.out_head.val().get_bits::<WARP_BITS>(38);
    // `n`, `m` bring generics into index arithmetic.
    for n in WARP_BITS..(WARP_BITS + 1) {
        self.q_part.next = self.held.out_head.val().get_bits::<PART_BITS>(38 + n);
    }
    for m in (WARP_BITS + PART_BITS)..(WARP_BITS + PART_BITS + 1) {
        self.q_lanes.next = self.held.out_head.val().get_bits::<LANES>(38 + m);
    }
    self.q_is_row.next = self.q_op.val().get_bit(4)
        | self.q_op.val().get_bit(2)
        | !self.q_op.val().get_bits::<2>(0).any();
    if self.q_op.val() == 2 {
        self.q_lanes.next = self.no_lanes.val();
    }
    carry!(self.starts.*.d <- self.start_*: valid, warp, base);
    carry!(self.bases <- self.starts.*.q: write_enable = valid, write_address = warp, write_data = base);
    self.bases.read_address.next = self.q_warp.val();
    self.q_slot.next = (bit_cast::<SM_THREAD_BITS, WARP_BITS>(self.q_warp.val())
        << self.thread_bits.val())
        | (bit_cast::<SM_THREAD_BITS, PART_BITS>(self.q_part.val()) << self.lane_bits.val());
    spread!(self <- self.no_lanes: q_bad, q_misaligned, q_on_chip);
    for l in 0..LANES {
        self.translate[l].address.next = self.held.out_address.val().get_bits::<32>(32 * l);
        self.translate[l].size.next = self.held.out_head.val().get_bits::<2>(29);
        self.translate[l].slot.next = self.q_slot.val() | self.lane[l].val();
        self.translate[l].base.next = self.bases.read_data.val();
        carry!(self.translate[l] <- self:
            cfg_memory_base, cfg_memory_size, cfg_local_base, cfg_local_bytes, cfg_scratchpad_bytes,
        );
        self.misaligns[l].next = self.translate[l].misaligned.val();
        self.is_bad[l].next = self.translate[l].misaligned.val() | self.translate[l].unmapped.val();
        self.is_on_chip[l].next = self.translate[l].on_chip.val();
        self.q_misaligned.next = self
            .q_misaligned
            .val()
            .replace_bit(l, self.misaligns[l].val());
        self.q_bad.next = self.q_bad.val().replace_bit(l, self.is_bad[l].val());
        self.q_on_chip.next = self
            .q_on_chip
            .val()
            .replace_bit(l, self.is_on_chip[l].val());
        self.q_lines.each[l].next = self.translate[l].physical.val().get_bits::<26>(6);
        self.q_offsets.each[l].next = self.translate[l].physical.val().get_bits::<6>(0);
    }
    self.q_good.next = self.q_lanes.val() & !self.q_bad.val();
}
