//! X and V: what a control instruction turned out to be.

use super::Datapath;
use crate::hdl::*;

/// What is known of it before its threads are heard.
pub struct Verdict;

#[part(Datapath, Verdict)]
fn update(&mut self) {
    // ---- X: what a control instruction may be, whatever its threads say.
    self.some_active.next = self.x.active.q.val().any();
    self.is_nop.next = !self.some_active.val() & !self.x.is_mask.q.val() & !self.x.is_jal.q.val();
    self.target.next = self.x.jump.q.val();
    if self.x.leader.q.val() == 1 {
        self.target.next = self.lead.q.val();
    }
    self.v.target.d.next = self.target.val();
    self.v.low_bad.d.next = self.target.val().get_bits::<2>(0).any();
    self.v.high_bad.d.next = self.target.val().get_bits::<8>(24).any();
    self.v.goes.d.next = self.x.has_target.q.val() & self.x.is_jal.q.val();
    self.v.goes_if_any.d.next = self.x.has_target.q.val() & !self.x.is_mask.q.val();
    if self.x.is_mask.q.val() {
        self.v.goes.d.next = self.x.has_target.q.val() & self.got.taken.q.val();
    }
    self.own_place.next = bit_cast::<32, 22>(self.x.pc.q.val()) << self.two.val();
    spread!(self.*.read_address <- self.x.warp.q: line_faults0, line_faults1);
    self.x_line_fault.next = self.line_faults0.read_data.val();
    if self.x.pc.q.val().get_bit(4) {
        self.x_line_fault.next = self.line_faults1.read_data.val();
    }
    self.no_word.next = !self.x.word.q.val().any() & self.x_line_fault.val().any();
    self.breaks.next = self.x.breakpoint.q.val() & self.some_active.val();
    self.v.faults.d.next = self.x.illegal.q.val() | self.breaks.val();
    self.v.cause.d.next = self.cause_illegal.val();
    self.v.address.d.next = self.x.word.q.val();
    if self.breaks.val() {
        carry!(self.v.*.d <- self: cause = cause_breakpoint, address = own_place);
    }
    if self.no_word.val() {
        carry!(self.v.*.d <- self: address = own_place, cause = cause_fetch);
        if self.x_line_fault.val().get_bit(1) {
            self.v.cause.d.next = self.cause_fetch_bus.val();
        }
    }
    carry!(self.v.*.d <- self.x.*.q: op, kind);
    self.v.has_own.d.next = false;
    self.v.own.d.next = self.got.mask.q.val();
    if self.x.is_mask.q.val() {
        self.v.op.d.next = self.op_next.val();
        if self.got.set.q.val() {
            carry!(self.v.*.d <- self: op = op_mask, kind = kind_set);
            self.v.has_own.d.next = true;
        }
        if self.got.taken.q.val() {
            carry!(self.v.*.d <- self: op = op_mask, kind = kind_jump);
        }
    }
    if self.is_nop.val() {
        self.v.op.d.next = self.op_next.val();
    }
    if self.x.is_jal.q.val() & !self.some_active.val() {
        carry!(self.v.*.d <- self: op = op_mask, kind = kind_jump);
    }
    self.x_dead.next = self.dead.q.val().get_bit(self.x.warp.q.val().index());
    carry!(self.v.*.d <- self.x.*.q: collects, first, part);
    self.v.taken.d.next = self.taken_bits.val();
    self.v.mask.d.next = self.x.mask.q.val();
    if self.x.rounding.q.val().any() {
        self.v.mask.d.next = self.x.rounding.q.val();
    }
    carry!(self.v.*.d <- self.x.*.q: warp, pc, active);
    self.v.id.d.next = self.x.word.q.val().get_bits::<3>(7);
    self.v.ends.d.next = self.x.ends.q.val();
    self.v.csr_fault.d.next = self.x.csr_fault.q.val() & !self.x_dead.val();
}

/// What the passes have collected, and what it means.
pub struct Outcome;

#[part(Datapath, Outcome)]
fn update(&mut self) {
    // ---- V: what the passes have collected.
    self.part_number.next = bit_cast::<7, PART_BITS>(self.v.part.q.val()) << self.lane_bits.val();
    self.wide_bits.next = bit_cast::<THREADS, LANES>(self.v.taken.q.val());
    self.wide_mask.next = bit_cast::<THREADS, LANES>(self.v.mask.q.val());
    self.placed.next = self.wide_bits.val() << self.part_number.val();
    self.placed_mask.next = self.wide_mask.val() << self.part_number.val();
    self.old_acc.next = self.acc.q.val();
    if self.v.first.q.val() {
        self.old_acc.next = self.no_threads.val();
    }
    self.new_acc.next = self.old_acc.val() | self.placed.val();
    if self.v.collects.q.val() {
        self.acc.d.next = self.new_acc.val();
    }

    // ---- V: what a control instruction turned out to be; there are no call tokens (DATA-045).
    self.some_acc.next = self.new_acc.val().any();
    self.goes_there.next = self.v.goes.q.val() | (self.v.goes_if_any.q.val() & self.some_acc.val());
    self.bad.next = self.goes_there.val() & (self.v.low_bad.q.val() | self.v.high_bad.q.val());
    self.control_fault.next = self.v.faults.q.val() | self.bad.val();
    self.push_mask.next = self.new_acc.val();
    if self.v.has_own.q.val() {
        self.push_mask.next = self.v.own.q.val();
    }
    self.resolves.next = self.v.ends.q.val() & !self.control_fault.val();
    self.control.push_valid.next = self.resolves.val();
    carry!(self.control.push_* <- self.v.*.q: warp, op, kind);
    self.control.push_mask.next = self.push_mask.val();
    self.control.push_target.next = self.v.target.q.val().get_bits::<22>(2);
    carry!(self.control.push_* <- self.v.*.q: pc, active, id);
    self.control.push_word.next = self.lead.q.val();
    self.control.begin_valid.next = self.sequencer.init_take.val();
    self.control.begin_warp.next = self.head_warp.val();
    self.control.dead.next = self.dead.q.val();
    // The fault of a late write comes behind the end of its write.
    self.late.d.next = self.pending.val();
    carry!(self.*.d <- self.*.q: later = late, latest = later);
    self.lately_was.d.next =
        self.pending.val() | self.late.q.val() | self.later.q.val() | self.latest.q.val();
    self.lately.next = self.pending.val() | self.lately_was.q.val();
    self.control.pending.next = self.lately.val();
    if self.access_fault_valid.val() | self.told.valid.q.val() {
        self.control.pending.next = !self.no_warps.val();
    }
    carry!(self.control <- self: retire_valid, retire_warp);
    self.control.exception_valid.next =
        self.exception_valid.val() & (self.exception_cause.val() != self.cause_recenter.val());
    self.control.exception_warp.next = self.exception_warp.val();
    carry!(self <- self.control: forget_text, resolve_valid);
    self.control.resolve_ready.next = self.resolve_ready.val();
    carry!(self <- self.control:
        resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target, resolve_pc,
        resolve_active, resolve_id, resolve_word,
    );
}
