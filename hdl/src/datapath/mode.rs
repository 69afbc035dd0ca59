//! Which warps are in a sub-vector loop, and what the mode selector hears of it (SUBV-050).

use super::Datapath;
use crate::hdl::*;

/// The mode of the oldest instruction.
pub struct Mode;

#[part(Datapath, Mode)]
fn update(&mut self) {
    // ---- H: in a loop, and not at its end.
    self.loop_ends.read_address.next = self.queue.head_warp.val();
    self.h_ends_loop.next = self.loop_ends.read_data.val() == self.queue.head_pc.val();
    self.h_regular.next = self.h_ends_loop.val()
        | !self
            .in_loop
            .q
            .val()
            .get_bit(self.queue.head_warp.val().index());
    self.leaves.next = self.no_warps.val();
    if (self.sequencer.take.val() & self.h_ends_loop.val()) | self.sequencer.init_take.val() {
        self.leaves.next = self.one_warp.val() << self.head_warp.val();
    }
}

/// Loops that begin and end; the selector's trace.
pub struct Loops;

#[part(Datapath, Loops)]
fn update(&mut self) {
    // ---- V: a SUBV_START; one in a loop is not the loop's begin.
    self.enters_loop.next = self.resolves.val()
        & (self.v.op.q.val() == self.op_mask.val())
        & (self.v.kind.q.val() == self.kind_loop.val())
        & !self.in_loop.q.val().get_bit(self.v.warp.q.val().index());
    self.enters.next = self.no_warps.val();
    if self.enters_loop.val() {
        self.enters.next = self.one_warp.val() << self.v.warp.q.val();
    }
    self.loop_ends.write_enable.next = self.enters_loop.val();
    self.loop_ends.write_address.next = self.v.warp.q.val();
    self.loop_ends.write_data.next = self.v.target.q.val().get_bits::<22>(2);
    self.in_loop.d.next = (self.in_loop.q.val() & !self.leaves.val()) | self.enters.val();
    if self.reset.val() {
        self.in_loop.d.next = self.no_warps.val();
    }

    // ---- Trace.
    carry!(self.select <- self: access = cache_valid, miss = cache_miss, regular = cache_regular);
    carry!(self.select <- self: ask = asks_mode, warp = head_warp);
    carry!(self.select <- self.wavefront: subvector = answer_subvector, decides = decision_valid);
    self.select.decision.next = self.wavefront.decision_subvector.val();
}
