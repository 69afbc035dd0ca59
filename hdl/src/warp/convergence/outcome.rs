//! What is told: retire, exception, status, configuration, and who may be taken next.
//!
//! Kernel of the convergence unit, part 7.

use super::Convergence;
use crate::hdl::*;

/// Ports, counts, and the warps that run.
pub struct Outcome;

#[part(Convergence, Outcome)]
fn update(&mut self) {
    // ---- Outcome.
    self.wake_valid.next = self.to_execute.valid.q.val() & self.pass.ready.val();
    self.wake_warp.next = self.to_execute.warp.q.val();
    self.retire.valid.next = self.to_execute.valid.q.val() & self.pass.retire.val();
    carry!(self.retire <- self.to_execute.*.q: warp, op, pc);
    carry!(self.retire <- self.pass: next_pc, next_mask = next_active);
    carry!(self.retire <- self.to_execute.*.q: done, blocked = next_blocked);
    carry!(self.retire <- self.pass.next_*: depth, front_kind, front_mask, front_pc, front_below);
    self.retire.dropped.next = self.to_execute.dropped.q.val();
    self.exception.valid.next = self.to_execute.valid.q.val()
        & (self.to_execute.exception.q.val() | self.spill.stops.val());
    carry!(self.exception <- self.to_execute.*.q: warp, pc);
    if self.to_execute.is_launch.q.val() {
        self.exception.pc.next = self.to_execute.target.q.val();
    }
    self.exception.cause.next = self.to_execute.cause.q.val();
    if self.spill.stops.val() {
        self.exception.cause.next = self.cause_recenter.val();
    }
    if self.retire.valid.val() & self.to_execute.dropped.q.val() {
        self.drops.d.next = self.drops.q.val() + self.one_count.val();
    }
    self.status_dropped.next = self.drops.q.val();
    if self.to_execute.valid.q.val() & self.spill.recenters.val() {
        self.recenters.d.next = self.recenters.q.val() + self.one_count.val();
    }
    self.status_recentered.next = self.recenters.q.val();
    // An empty launch mask starts nothing.
    self.started.next = self.no_warps.val();
    if self.entry.launch_taken.val() & self.launch_mask.val().any() {
        self.started.next = self.one_warp.val() << self.launch_warp.val();
    }
    self.ended.next = self.no_warps.val();
    if self.to_execute.valid.q.val()
        & (self.to_execute.done.q.val() | self.to_execute.exception.q.val())
    {
        self.ended.next = self.one_warp.val() << self.to_execute.warp.q.val();
    }
    self.busy.d.next = (self.busy.q.val() & !self.ended.val()) | self.started.val();
    self.status_busy.next = self.busy.q.val();
    self.resolved.next = self.no_warps.val();
    if self.entry.resolve_taken.val() {
        self.resolved.next = self.one_warp.val() << self.resolve_warp.val();
    }
    self.settles.next = self.pass.ready.val()
        | self.to_execute.done.q.val()
        | self.to_execute.exception.q.val()
        | (self.pass.retire.val() & !self.pass.again.val());
    self.settled.next = self.no_warps.val();
    if self.to_execute.valid.q.val() & self.settles.val() {
        self.settled.next = self.one_warp.val() << self.to_execute.warp.q.val();
    }
    self.engaged.d.next =
        (self.engaged.q.val() & !self.settled.val()) | self.started.val() | self.resolved.val();
    self.status_moving.next = self.moving.q.val();

    // ---- Reset wins.
    if self.reset.val() {
        self.to_match.valid.d.next = false;
        self.to_decide.valid.d.next = false;
        self.to_execute.valid.d.next = false;
        self.resuming.d.next = false;
        carry!(self.*.d <- self:
            busy = no_warps, engaged = no_warps, moving = no_warps, waiting = no_warps,
            drops = no_count, recenters = no_count,
        );
    }
}
