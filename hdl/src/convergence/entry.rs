//! Entry of the convergence pipeline: which pass goes next.
//!
//! Spec: `docs/spec/control.md`, *Ports*.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW; `W` threads per warp; `C` depth bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `busy` | in | NW | running warps |
//! | `launch_*`, `resolve_*` | in / out | | as in `docs/spec/control.md` |
//! | `again_*` | in | | a further pass; it enters in the next cycle, whatever else is offered; late |
//! | `launch_taken` | out | 1 | the launch enters in this cycle |
//! | `valid`, `warp`, `op`, `step`, `kind`, `selected`, `target`, `k` | out | | the pass that enters in this cycle |
//! | `from_back` | out | 1 | it looks at the last token, not at token `k` |
//! | `goes_on`, `at` | out | 1, P | it looks at the token at this place |
//!
//! # Cycle behaviour
//! A further pass first, then a launch (of a warp that is not busy), then a resolve. A resolve can wait for launches only as often as there are
//! idle warps. A launch enters in the cycle after it is first offered for an idle warp, at the earliest.
//!
//! # Errors
//! None; an operation code above FAULT becomes the illegal one.

use super::code;
use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Entry<const NW: usize, const WI: usize, const W: usize, const P: usize, const C: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub busy: Signal<In, Bits<NW>>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_pc: Signal<In, Bits<22>>,
    pub launch_mask: Signal<In, Bits<W>>,
    pub resolve_valid: Signal<In, Bit>,
    pub resolve_warp: Signal<In, Bits<WI>>,
    pub resolve_op: Signal<In, Bits<4>>,
    pub resolve_kind: Signal<In, Bits<4>>,
    pub resolve_mask: Signal<In, Bits<W>>,
    pub resolve_target: Signal<In, Bits<22>>,
    pub again_valid: Signal<In, Bit>,
    pub again_warp: Signal<In, Bits<WI>>,
    pub again_op: Signal<In, Bits<4>>,
    pub again_step: Signal<In, Bits<3>>,
    pub again_kind: Signal<In, Bits<4>>,
    pub again_mask: Signal<In, Bits<W>>,
    pub again_target: Signal<In, Bits<22>>,
    pub again_k: Signal<In, Bits<C>>,
    pub again_at: Signal<In, Bits<P>>,
    pub launch_ready: Signal<Out, Bit>,
    pub launch_taken: Signal<Out, Bit>,
    pub resolve_ready: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub warp: Signal<Out, Bits<WI>>,
    pub op: Signal<Out, Bits<4>>,
    pub step: Signal<Out, Bits<3>>,
    pub kind: Signal<Out, Bits<4>>,
    pub selected: Signal<Out, Bits<W>>,
    pub target: Signal<Out, Bits<22>>,
    pub k: Signal<Out, Bits<C>>,
    pub at: Signal<Out, Bits<P>>,
    pub goes_on: Signal<Out, Bit>,
    pub from_back: Signal<Out, Bit>,
    // State: the further pass.
    x_valid: DFF<Bit>,
    x_warp: DFF<Bits<WI>>,
    x_op: DFF<Bits<4>>,
    x_step: DFF<Bits<3>>,
    x_kind: DFF<Bits<4>>,
    x_mask: DFF<Bits<W>>,
    x_target: DFF<Bits<22>>,
    x_k: DFF<Bits<C>>,
    x_at: DFF<Bits<P>>,
    // State: the launch on offer is for an idle warp.
    idle: DFF<Bit>,
    // Constants.
    op_yield: Constant<Bits<4>>,
    op_forced_yield: Constant<Bits<4>>,
    op_launch: Constant<Bits<4>>,
    op_fault: Constant<Bits<4>>,
    op_illegal: Constant<Bits<4>>,
    no_kind: Constant<Bits<4>>,
    step_start: Constant<Bits<3>>,
    step_search: Constant<Bits<3>>,
    step_scan: Constant<Bits<3>>,
    one_token: Constant<Bits<C>>,
}

impl<const NW: usize, const WI: usize, const W: usize, const P: usize, const C: usize> Default
    for Entry<NW, WI, W, P, C>
{
    fn default() -> Self {
        assert!(NW == 1 << WI, "Entry<{NW}, {WI}, {W}, {P}, {C}>");
        block!({
            clock, reset, busy, launch_valid, launch_warp, launch_pc, launch_mask, resolve_valid,
            resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target, again_valid,
            again_warp, again_op, again_step, again_kind, again_mask, again_target, again_k,
            again_at, launch_ready, launch_taken, resolve_ready, valid, warp, op, step, kind,
            selected, target, k, at, goes_on, from_back, x_valid, x_warp, x_op, x_step, x_kind,
            x_mask, x_target, x_k, x_at, idle,
        } {
            op_yield: Constant::new(code::OP_YIELD.into()),
            op_forced_yield: Constant::new(code::OP_FORCED_YIELD.into()),
            op_launch: Constant::new(code::OP_LAUNCH.into()),
            op_fault: Constant::new(code::OP_FAULT.into()),
            op_illegal: Constant::new(code::OP_ILLEGAL.into()),
            no_kind: Constant::new(0.into()),
            step_start: Constant::new(code::STEP_START.into()),
            step_search: Constant::new(code::STEP_SEARCH.into()),
            step_scan: Constant::new(code::STEP_SCAN.into()),
            one_token: Constant::new(1.into()),
        })
    }
}

impl<const NW: usize, const WI: usize, const W: usize, const P: usize, const C: usize> Logic
    for Entry<NW, WI, W, P, C>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, x_valid, x_warp, x_op, x_step, x_kind, x_mask, x_target, x_k, x_at, idle
        );
        // Choose.
        self.launch_ready.next = !self.x_valid.q.val() & self.idle.q.val();
        self.launch_taken.next = self.launch_valid.val() & self.launch_ready.val();
        self.resolve_ready.next = !self.x_valid.q.val() & !self.launch_taken.val();
        self.valid.next = self.x_valid.q.val() | self.launch_taken.val() | self.resolve_valid.val();
        self.warp.next = self.resolve_warp.val();
        self.op.next = self.resolve_op.val();
        if self.resolve_op.val() > self.op_fault.val() {
            self.op.next = self.op_illegal.val();
        }
        self.step.next = self.step_start.val();
        self.kind.next = self.resolve_kind.val();
        self.selected.next = self.resolve_mask.val();
        self.target.next = self.resolve_target.val();
        self.k.next = self.one_token.val();
        if self.launch_taken.val() {
            self.warp.next = self.launch_warp.val();
            self.op.next = self.op_launch.val();
            self.kind.next = self.no_kind.val();
            self.selected.next = self.launch_mask.val();
            self.target.next = self.launch_pc.val();
        }
        if self.x_valid.q.val() {
            self.warp.next = self.x_warp.q.val();
            self.op.next = self.x_op.q.val();
            self.step.next = self.x_step.q.val();
            self.kind.next = self.x_kind.q.val();
            self.selected.next = self.x_mask.q.val();
            self.target.next = self.x_target.q.val();
            self.k.next = self.x_k.q.val();
        }
        self.at.next = self.x_at.q.val();
        self.goes_on.next =
            (self.step.val() == self.step_search.val()) | (self.step.val() == self.step_scan.val());
        self.from_back.next = (self.step.val() == self.step_start.val())
            & ((self.op.val() == self.op_yield.val())
                | (self.op.val() == self.op_forced_yield.val()));
        // Remember.
        self.x_valid.d.next = self.again_valid.val();
        self.x_warp.d.next = self.again_warp.val();
        self.x_op.d.next = self.again_op.val();
        self.x_step.d.next = self.again_step.val();
        self.x_kind.d.next = self.again_kind.val();
        self.x_mask.d.next = self.again_mask.val();
        self.x_target.d.next = self.again_target.val();
        self.x_k.d.next = self.again_k.val();
        self.x_at.d.next = self.again_at.val();
        self.idle.d.next = self.launch_valid.val()
            & !self.launch_taken.val()
            & !self.busy.val().get_bit(self.launch_warp.val().index());
        // Reset wins.
        if self.reset.val() {
            self.x_valid.d.next = false;
            self.idle.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "entry",
            Entry::<8, 3, 8, 4, 5>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.busy.next = rng.bits();
                u.launch_valid.next = rng.flip();
                u.launch_warp.next = rng.bits();
                u.launch_pc.next = rng.bits();
                u.launch_mask.next = rng.bits();
                u.resolve_valid.next = rng.flip();
                u.resolve_warp.next = rng.bits();
                u.resolve_op.next = rng.bits();
                u.resolve_kind.next = rng.bits();
                u.resolve_mask.next = rng.bits();
                u.resolve_target.next = rng.bits();
                u.again_valid.next = rng.flip();
                u.again_warp.next = rng.bits();
                u.again_op.next = rng.bits();
                u.again_step.next = rng.bits();
                u.again_kind.next = rng.bits();
                u.again_mask.next = rng.bits();
                u.again_target.next = rng.bits();
                u.again_k.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
