//! Between the barrier unit and the convergence unit.
//!
//! Kernel of the core, part 2: what is offered to the barrier unit (CORE-015, CORE-016), and what it says, which goes to
//! the convergence unit ahead of everything else (CORE-017, CORE-018).

use super::Core;
use crate::bundles::{ErrorPorts, EventPorts, ExpiredPorts};
use crate::hdl::*;

/// Offers, verdicts, wakes, and the trace of them.
pub struct BarrierGate;

#[part(Core, BarrierGate)]
fn update(&mut self) {
    // ---- To the barrier unit: stopped warps, launches (CORE-016), barrier operations and exits (CORE-015).
    self.killed.next = self.no_warps.val();
    if self.stop_valid.q.val() & self.stop_failed.q.val() {
        self.killed.next = self.one_warp.val() << self.stop_warp.q.val();
    }
    self.kills.wake_valid.next = self.stop_valid.q.val() & self.stop_failed.q.val();
    self.kills.wake_warp.next = self.stop_warp.q.val();
    self.takes.next = self.offer.q.val() & self.barrier.op_ready.val();
    self.takes_kill.next = self.takes.val() & (self.o_code.q.val() == self.code_kill.val());
    self.kills.pick_take.next = self.takes_kill.val();
    self.known.next = self.no_warps.val();
    if self.takes_kill.val() {
        self.known.next = self.one_warp.val() << self.o_warp.q.val();
    }
    self.killing.d.next = (self.killing.q.val() & !self.known.val()) | self.killed.val();
    self.tells.next = self.cta.launch_valid.val() & !self.told.q.val();
    if self.takes.val() & (self.o_code.q.val() == self.code_launch.val()) {
        self.told.d.next = true;
    }
    if self.quiet.val() & self.cta.launch_valid.val() & self.convergence.launch_ready.val() {
        self.told.d.next = false;
    }
    self.is_barrier.next = (self.resolve_op.val() == self.op_exit.val())
        | ((self.resolve_op.val() == self.op_barrier.val())
            & (self.resolve_kind.val() <= self.code_last.val()));
    self.asks.next = self.resolve_valid.val() & self.is_barrier.val();
    self.controls.next = self.resolve_valid.val() & !self.is_barrier.val();
    self.code.next = self.resolve_kind.val();
    if self.resolve_op.val() == self.op_exit.val() {
        self.code.next = self.code_exit.val();
    }
    self.asker.next = self.resolve_warp.val();
    self.active.next = self.resolve_active.val();
    if self.tells.val() {
        self.code.next = self.code_launch.val();
        self.asker.next = self.cta.launch_warp.val();
        self.active.next = self.cta.launch_mask.val();
    }
    if self.kills.pick_valid.val() {
        self.code.next = self.code_kill.val();
        self.asker.next = self.kills.pick_warp.val();
    }
    self.offers.next = self.kills.pick_valid.val() | self.tells.val() | self.asks.val();
    // It stands in registers while it is offered, and at the port that it came from until it is taken
    // (CORE-017).
    self.offer.d.next = self.offers.val();
    if self.offer.q.val() {
        self.offer.d.next = !self.barrier.op_ready.val();
    }
    if !self.offer.q.val() {
        self.is_asked.d.next = !self.kills.pick_valid.val() & !self.tells.val();
        carry!(self.o_*.d <- self: code, warp = asker, active);
        self.o_mask.d.next = self.resolve_mask.val() & self.resolve_active.val();
        carry!(self.o_*.d <- self.resolve_*: id, word, pc);
    }
    carry!(self.barrier <- self.*.q: op_valid = offer, op_warp = o_warp);
    carry!(self.barrier.op_* <- self.o_*.q: code, active, mask, id, word, pc);
    carry!(self.barrier.op_* <- self.cta.launch_*: cta, block, threads);
    self.barrier.cfg_priority.next = self.cfg_priority.val();

    // ---- To the convergence unit: verdicts, wakes, and what is no barrier operation.
    self.barrier.verdict_ready.next = !self.verdict.q.val();
    if !self.verdict.q.val() {
        self.v_warp.d.next = self.barrier.verdict_warp.val();
        self.v_op.d.next = self.op_barrier.val();
        // SLEEP, RETRY and PART stand one behind the other in both.
        self.v_kind.d.next =
            bit_cast::<4, 3>(self.barrier.verdict_op.val()) - self.verdict_first.val();
        if self.barrier.verdict_op.val() == self.verdict_next.val() {
            self.v_op.d.next = self.op_next.val();
        }
        if self.barrier.verdict_op.val() == self.verdict_exit.val() {
            self.v_op.d.next = self.op_exit.val();
        }
        carry!(self.v_*.d <- self.barrier.verdict_*: mask, pc);
    }
    self.barrier.wake_ready.next = !self.wake.q.val();
    if !self.wake.q.val() {
        carry!(self.w_*.d <- self.barrier.wake_*: warp, mask, pc);
    }
    self.wakes_first.d.next = !self.wakes_first.q.val();
    self.wakes.next = self.wake.q.val()
        & !self.verdict.q.val()
        & (self.wakes_first.q.val() | !self.waits.q.val());
    self.verdict_taken.next = self.verdict.q.val() & self.convergence.resolve_ready.val();
    self.verdict.d.next = self.barrier.verdict_valid.val();
    if self.verdict.q.val() {
        self.verdict.d.next = !self.convergence.resolve_ready.val();
    }
    self.wake_taken.next = self.wakes.val() & self.convergence.resolve_ready.val();
    self.wake.d.next = self.barrier.wake_valid.val();
    if self.wake.q.val() {
        self.wake.d.next = !(self.wakes.val() & self.convergence.resolve_ready.val());
    }
    self.answers.next = self.verdict.q.val() | self.wakes.val();
    self.waits.d.next =
        self.controls.val() & (self.answers.val() | !self.convergence.resolve_ready.val());
    self.convergence.resolve_valid.next = self.answers.val() | self.controls.val();
    carry!(self.convergence <- self:
        resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target, resolve_pc,
    );
    self.convergence.resolve_moved.next = !self.wakes.val();
    if self.wakes.val() {
        self.convergence.resolve_warp.next = self.w_warp.q.val();
        carry!(self.convergence <- self: resolve_op = op_barrier, resolve_kind = kind_wake);
        carry!(self.convergence.resolve_* <- self.w_*.q: mask, target = pc);
    }
    if self.verdict.q.val() {
        carry!(self.convergence.resolve_* <- self.v_*.q: warp, op, kind, mask, pc);
    }
    self.resolve_ready.next = self.convergence.resolve_ready.val() & !self.answers.val();
    if self.is_barrier.val() {
        self.resolve_ready.next = self.takes.val() & self.is_asked.q.val();
    }

    // ---- What the convergence unit takes of the datapath says where its warp will probably go on (CORE-013).
    self.predict.taken.next =
        self.controls.val() & !self.answers.val() & self.convergence.resolve_ready.val();
    carry!(self.predict <- self.resolve_*: warp, op, kind, mask, active, target, pc);

    // ---- Trace of the barrier unit.
    self.op_valid.next = self.offer.q.val();
    self.op_ready.next = self.barrier.op_ready.val();
    carry!(self.op_* <- self.o_*.q: code, warp);
    carry!(self.op_* <- self.cta.launch_*: cta, block, threads);
    self.verdict_valid.next = self.barrier.verdict_valid.val();
    self.verdict_ready.next = !self.verdict.q.val();
    carry!(self <- self.barrier:
        verdict_pc, verdict_warp, verdict_op, verdict_mask, hold, wake_valid,
    );
    self.wake_ready.next = !self.wake.q.val();
    carry!(self <- self.barrier: wake_warp, wake_mask, wake_pc);
    ErrorPorts::<WARP_BITS, THREADS>::link(&mut self.error, &mut self.barrier.error);
    EventPorts::link(&mut self.event, &mut self.barrier.event);
    ExpiredPorts::link(&mut self.expired, &mut self.barrier.expired);
}
