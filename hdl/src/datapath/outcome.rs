//! X: what a control instruction turned out to be.

use super::Datapath;
use crate::hdl::*;

/// What the passes have collected, and what it means.
pub struct Outcome;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Outcome> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- X: what the passes have collected.
        self.wide_bits.next = bit_cast::<W, L>(self.taken_bits.val());
        self.wide_mask.next = bit_cast::<W, L>(self.x.mask.q.val());
        if self.rounding_bits.val().any() {
            self.wide_mask.next = bit_cast::<W, L>(self.rounding_bits.val());
        }
        self.placed.next = self.wide_bits.val() << self.part_number.val();
        self.placed_mask.next = self.wide_mask.val() << self.part_number.val();
        self.old_acc.next = self.acc.q.val();
        if self.x.first.q.val() {
            self.old_acc.next = self.no_threads.val();
        }
        self.new_acc.next = self.old_acc.val() | self.placed.val();
        if self.x.valid.q.val() & ((self.x.mode.q.val() == 0) | (self.x.mode.q.val() == 2)) {
            self.acc.d.next = self.new_acc.val();
        }

        // ---- X: what a control instruction turned out to be; there are no call tokens (DATA-045).
        self.some_acc.next = self.new_acc.val().any();
        self.some_active.next = self.x.active.q.val().any();
        self.is_jal.next = self.of_pass.links.val() & (self.of_pass.leader.val() == 0);
        self.illegal.next = !self.of_pass.legal.val() | self.x.blocked.q.val();
        self.is_nop.next = !self.some_active.val() & !self.of_pass.mask.val() & !self.is_jal.val();
        self.goes_there.next =
            self.of_pass.has_target.val() & (self.some_acc.val() | self.is_jal.val());
        if self.of_pass.mask.val() {
            self.goes_there.next = self.of_pass.has_target.val() & self.got.taken.q.val();
        }
        self.low_bad.next = self.target.val().get_bits::<2>(0).any();
        self.high_bad.next = self.target.val().get_bits::<8>(24).any();
        self.bad.next = self.goes_there.val() & (self.low_bad.val() | self.high_bad.val());
        self.control_ends.next =
            self.final_x.val() & self.x.last.q.val() & self.of_pass.decoded.val().get_bit(3);
        if self.x.blocked.q.val() {
            self.control_ends.next = self.final_x.val() & self.x.last.q.val();
        }
        self.line_faults0.read_address.next = self.x.warp.q.val();
        self.line_faults1.read_address.next = self.x.warp.q.val();
        self.x_line_fault.next = self.line_faults0.read_data.val();
        if self.x.pc.q.val().get_bit(4) {
            self.x_line_fault.next = self.line_faults1.read_data.val();
        }
        self.no_word.next = !self.x.word.q.val().any() & self.x_line_fault.val().any();
        self.x_cause.next = self.cause_illegal.val();
        self.x_address.next = self.x.word.q.val();
        self.control_fault.next = self.illegal.val();
        if self.no_word.val() {
            self.x_address.next = self.byte_pc.val();
            self.x_cause.next = self.cause_fetch.val();
            if self.x_line_fault.val().get_bit(1) {
                self.x_cause.next = self.cause_fetch_bus.val();
            }
        }
        if !self.illegal.val() {
            if self.bad.val() {
                self.control_fault.next = true;
                self.x_address.next = self.target.val();
                self.x_cause.next = self.cause_fetch.val();
                if self.low_bad.val() {
                    self.x_cause.next = self.cause_misaligned.val();
                }
            }
            if self.of_pass.breakpoint.val() & self.some_active.val() {
                self.control_fault.next = true;
                self.x_cause.next = self.cause_breakpoint.val();
                self.x_address.next = self.byte_pc.val();
            }
        }
        self.push_op.next = self.of_pass.op.val();
        self.push_kind.next = self.of_pass.kind.val();
        self.push_mask.next = self.new_acc.val();
        if self.of_pass.by_mode.val() & !self.got.auto.q.val() {
            self.push_op.next = self.op_push.val();
            self.push_kind.next = self.kind_sync.val();
        }
        if self.of_pass.mask.val() {
            self.push_op.next = self.op_next.val();
            if self.got.set.q.val() {
                self.push_op.next = self.op_mask.val();
                self.push_kind.next = self.kind_set.val();
                self.push_mask.next = self.got.mask.q.val();
            }
            if self.got.taken.q.val() {
                self.push_op.next = self.op_mask.val();
                self.push_kind.next = self.kind_jump.val();
            }
        }
        if self.is_nop.val() {
            self.push_op.next = self.op_next.val();
        }
        if self.is_jal.val() & !self.some_active.val() {
            self.push_op.next = self.op_mask.val();
            self.push_kind.next = self.kind_jump.val();
        }
        self.resolves.next = self.control_ends.val() & !self.control_fault.val();
        self.control.push_valid.next = self.resolves.val();
        self.control.push_warp.next = self.x.warp.q.val();
        self.control.push_op.next = self.push_op.val();
        self.control.push_kind.next = self.push_kind.val();
        self.control.push_mask.next = self.push_mask.val();
        self.control.push_target.next = self.target.val().get_bits::<22>(2);
        self.control.push_pc.next = self.x.pc.q.val();
        self.control.push_active.next = self.x.active.q.val();
        self.control.push_id.next = self.x.word.q.val().get_bits::<3>(7);
        self.control.push_word.next = self.lead.q.val();
        self.control.begin_valid.next = self.sequencer.init_take.val();
        self.control.begin_warp.next = self.head_warp.val();
        self.control.dead.next = self.dead.q.val();
        // The fault of a late write comes behind the end of its write.
        self.late.d.next = self.pending.val();
        self.later.d.next = self.late.q.val();
        self.latest.d.next = self.later.q.val();
        self.last_late.d.next = self.latest.q.val();
        self.lately.next = self.pending.val()
            | self.late.q.val()
            | self.later.q.val()
            | self.latest.q.val()
            | self.last_late.q.val();
        if self.access_fault_valid.val() {
            self.lately.next = !self.no_warps.val();
        }
        self.control.pending.next = self.lately.val();
        self.control.retire_valid.next = self.retire_valid.val();
        self.control.retire_warp.next = self.retire_warp.val();
        self.control.exception_valid.next =
            self.exception_valid.val() & (self.exception_cause.val() != self.cause_recenter.val());
        self.control.exception_warp.next = self.exception_warp.val();
        self.resolve_valid.next = self.control.resolve_valid.val();
        self.control.resolve_ready.next = self.resolve_ready.val();
        self.resolve_warp.next = self.control.resolve_warp.val();
        self.resolve_op.next = self.control.resolve_op.val();
        self.resolve_kind.next = self.control.resolve_kind.val();
        self.resolve_mask.next = self.control.resolve_mask.val();
        self.resolve_target.next = self.control.resolve_target.val();
        self.resolve_pc.next = self.control.resolve_pc.val();
        self.resolve_active.next = self.control.resolve_active.val();
        self.resolve_id.next = self.control.resolve_id.val();
        self.resolve_word.next = self.control.resolve_word.val();
    }
}
