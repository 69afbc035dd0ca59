//! Entry of the convergence pipeline: which pass goes next.
//!
//! Spec: `docs/spec/control.md`, *Ports*.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW; `W` threads per warp; `R` bits of a place in the token window.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `taken` | in | NW | warps that cannot be launched |
//! | `busy` | in | NW | warps that have been launched and have not ended |
//! | `engaged` | in | NW | warps with an operation on its way |
//! | `launch_*`, `resolve_*`, `config_*` | in / out | | as in `docs/spec/control.md` and `docs/spec/spill.md` |
//! | `again_*` | in | | a further pass; it enters in the next cycle, whatever else is offered; late |
//! | `empty` | in | 1 | no pass is in the later stages |
//! | `closed` | out | 1 | a configuration access has the pipeline for itself: no parked pass may be offered in this cycle |
//! | `launch_taken`, `resolve_taken` | out | 1 | the launch, the resolve enters in this cycle |
//! | `valid`, `warp`, `op`, `step`, `mode`, `kind`, `selected`, `target`, `k`, `data`, `size` | out | | the pass that enters in this cycle; `data` of a launch is its base, of a resolve its pc |
//! | `from_back` | out | 1 | it looks at the last token, not at token `k` |
//! | `goes_on`, `at` | out | 1, R | it looks at the token at this place |
//! | `further`, `further_warp`, `further_mask` | out | 1, WI, W | it is a further pass, or a configuration access, of this warp, with these threads; early |
//!
//! # Cycle behaviour
//! A further pass first, then a launch (of a warp that is idle), then a resolve.
//! A resolve can wait for launches only as often as there are idle warps.
//! A launch enters in the cycle after it is first offered for an idle warp, at the earliest.
//! A resolve waits while its warp is engaged: a WAKE may come at any time (CONV-154).
//! One for a warp that is not busy is taken and lost.
//! A configuration access waits until the pipeline is empty, enters in the cycle after its transfer where further
//! passes do, with its data as the target, and keeps everything else out until it has left the pipeline.
//!
//! # Errors
//! None; an operation code that is none from outside becomes the illegal one.

use super::code;
use crate::hdl::*;

#[module(requires(NW == 1 << WI))]
pub struct Entry<const NW: usize, const WI: usize, const W: usize, const R: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub taken: Signal<In, Bits<NW>>,
    pub busy: Signal<In, Bits<NW>>,
    pub engaged: Signal<In, Bits<NW>>,
    pub empty: Signal<In, Bit>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_pc: Signal<In, Bits<22>>,
    pub launch_mask: Signal<In, Bits<W>>,
    pub launch_base: Signal<In, Bits<32>>,
    pub launch_size: Signal<In, Bits<10>>,
    pub resolve_valid: Signal<In, Bit>,
    pub resolve_warp: Signal<In, Bits<WI>>,
    pub resolve_op: Signal<In, Bits<4>>,
    pub resolve_kind: Signal<In, Bits<4>>,
    pub resolve_mask: Signal<In, Bits<W>>,
    pub resolve_target: Signal<In, Bits<22>>,
    pub resolve_moved: Signal<In, Bit>,
    pub resolve_pc: Signal<In, Bits<22>>,
    pub config_valid: Signal<In, Bit>,
    pub config_write: Signal<In, Bit>,
    pub config_warp: Signal<In, Bits<WI>>,
    pub config_register: Signal<In, Bits<4>>,
    pub config_data: Signal<In, Bits<32>>,
    pub again_valid: Signal<In, Bit>,
    pub again_warp: Signal<In, Bits<WI>>,
    pub again_op: Signal<In, Bits<4>>,
    pub again_step: Signal<In, Bits<3>>,
    pub again_mode: Signal<In, Bits<3>>,
    pub again_kind: Signal<In, Bits<4>>,
    pub again_mask: Signal<In, Bits<W>>,
    pub again_target: Signal<In, Bits<22>>,
    pub again_k: Signal<In, Bits<10>>,
    pub again_at: Signal<In, Bits<R>>,
    pub launch_ready: Signal<Out, Bit>,
    pub launch_taken: Signal<Out, Bit>,
    pub resolve_ready: Signal<Out, Bit>,
    pub resolve_taken: Signal<Out, Bit>,
    pub config_ready: Signal<Out, Bit>,
    pub closed: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub warp: Signal<Out, Bits<WI>>,
    pub op: Signal<Out, Bits<4>>,
    pub step: Signal<Out, Bits<3>>,
    pub mode: Signal<Out, Bits<3>>,
    pub kind: Signal<Out, Bits<4>>,
    pub selected: Signal<Out, Bits<W>>,
    pub target: Signal<Out, Bits<22>>,
    pub k: Signal<Out, Bits<10>>,
    pub data: Signal<Out, Bits<32>>,
    pub moved: Signal<Out, Bit>,
    pub size: Signal<Out, Bits<10>>,
    pub at: Signal<Out, Bits<R>>,
    pub goes_on: Signal<Out, Bit>,
    pub from_back: Signal<Out, Bit>,
    pub further: Signal<Out, Bit>,
    pub further_warp: Signal<Out, Bits<WI>>,
    pub further_mask: Signal<Out, Bits<W>>,
    // State: the further pass.
    x_valid: DFF<Bit>,
    x_warp: DFF<Bits<WI>>,
    x_op: DFF<Bits<4>>,
    x_step: DFF<Bits<3>>,
    x_mode: DFF<Bits<3>>,
    x_kind: DFF<Bits<4>>,
    x_mask: DFF<Bits<W>>,
    x_target: DFF<Bits<22>>,
    x_k: DFF<Bits<10>>,
    x_at: DFF<Bits<R>>,
    // State: the launch on offer is for an idle warp.
    idle: DFF<Bit>,
    // State: a configuration access was taken one, two, three, four cycles ago.
    config_1: DFF<Bit>,
    config_2: DFF<Bit>,
    config_3: DFF<Bit>,
    config_4: DFF<Bit>,
    // Combinational.
    open: Signal<Local, Bit>,
    config_taken: Signal<Local, Bit>,
    launches: Signal<Local, Bit>,
    x_from_start: Signal<Local, Bit>,
    x_scans: Signal<Local, Bit>,
    is_mask: Signal<Local, Bit>,
    is_foreign: Signal<Local, Bit>,
    // Constants.
    #[value(code::OP_YIELD.into())]
    op_yield: Constant<Bits<4>>,
    #[value(code::OP_FORCED_YIELD.into())]
    op_forced_yield: Constant<Bits<4>>,
    #[value(code::OP_LAUNCH.into())]
    op_launch: Constant<Bits<4>>,
    #[value(code::OP_CONFIG.into())]
    op_config: Constant<Bits<4>>,
    #[value(code::OP_CALL.into())]
    op_call: Constant<Bits<4>>,
    #[value(code::OP_BARRIER.into())]
    op_barrier: Constant<Bits<4>>,
    #[value(code::OP_FAULT.into())]
    op_fault: Constant<Bits<4>>,
    #[value(code::OP_MASK.into())]
    op_mask: Constant<Bits<4>>,
    #[value(code::OP_ILLEGAL.into())]
    op_illegal: Constant<Bits<4>>,
    #[value(0.into())]
    no_kind: Constant<Bits<4>>,
    #[value(code::KIND_CALL.into())]
    kind_call: Constant<Bits<4>>,
    #[value(code::MASK_SET.into())]
    mask_set: Constant<Bits<4>>,
    #[value(code::MASK_SUBV_START.into())]
    mask_subv_start: Constant<Bits<4>>,
    #[value(code::PASS_SET.into())]
    pass_set: Constant<Bits<4>>,
    #[value(code::PASS_JUMP.into())]
    pass_jump: Constant<Bits<4>>,
    #[value(code::PASS_SUBV_START.into())]
    pass_subv_start: Constant<Bits<4>>,
    #[value(code::MODE_RUN.into())]
    mode_run: Constant<Bits<3>>,
    #[value(code::STEP_START.into())]
    step_start: Constant<Bits<3>>,
    #[value(code::STEP_SEARCH.into())]
    step_search: Constant<Bits<3>>,
    #[value(code::STEP_SCAN.into())]
    step_scan: Constant<Bits<3>>,
    #[value(code::STEP_RESCAN.into())]
    step_rescan: Constant<Bits<3>>,
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
}

#[part(Entry<NW, WI, W, R>)]
fn update(&mut self) {
    // Choose.
    self.open.next = !self.x_valid.q.val()
        & !self.config_valid.val()
        & !self.config_1.q.val()
        & !self.config_2.q.val()
        & !self.config_3.q.val()
        & !self.config_4.q.val();
    self.config_ready.next = !self.x_valid.q.val() & self.empty.val();
    self.config_taken.next = self.config_valid.val() & self.config_ready.val();
    self.closed.next = self.config_taken.val()
        | self.config_1.q.val()
        | self.config_2.q.val()
        | self.config_3.q.val();
    self.launch_ready.next = self.open.val() & self.idle.q.val();
    self.launches.next = self.launch_valid.val() & self.idle.q.val();
    self.launch_taken.next = self.launch_valid.val() & self.launch_ready.val();
    self.resolve_ready.next = self.open.val()
        & !self.launch_taken.val()
        & !self.engaged.val().get_bit(self.resolve_warp.val().index());
    self.resolve_taken.next = self.resolve_valid.val()
        & self.resolve_ready.val()
        & self.busy.val().get_bit(self.resolve_warp.val().index());
    self.valid.next = self.x_valid.q.val()
        | (self.open.val() & (self.launch_taken.val() | self.resolve_taken.val()));
    carry!(self <- self.resolve_*: warp, op);
    self.is_mask.next = (self.resolve_op.val() == self.op_mask.val())
        & (self.resolve_kind.val() <= self.mask_subv_start.val());
    self.is_foreign.next = (self.resolve_op.val() > self.op_fault.val())
        & (self.resolve_op.val() != self.op_call.val())
        & (self.resolve_op.val() != self.op_barrier.val())
        & !self.is_mask.val();
    if self.is_foreign.val() {
        self.op.next = self.op_illegal.val();
    }
    self.step.next = self.step_start.val();
    self.mode.next = self.mode_run.val();
    self.kind.next = self.resolve_kind.val();
    if self.resolve_op.val() == self.op_call.val() {
        self.kind.next = self.kind_call.val();
    }
    if self.is_mask.val() {
        self.kind.next = self.pass_jump.val();
        if self.resolve_kind.val() == self.mask_set.val() {
            self.kind.next = self.pass_set.val();
        }
        if self.resolve_kind.val() == self.mask_subv_start.val() {
            self.kind.next = self.pass_subv_start.val();
        }
    }
    self.selected.next = self.resolve_mask.val();
    self.target.next = self.resolve_target.val();
    self.k.next = self.one_token.val();
    self.data.next = bit_cast::<32, 22>(self.resolve_pc.val());
    self.moved.next = self.resolve_moved.val() & !self.launches.val() & self.open.val();
    self.size.next = self.launch_size.val();
    // Where nothing is taken, what is chosen does not matter: so this does not wait for whether it is.
    if self.launches.val() {
        carry!(self <- self:
            warp = launch_warp, op = op_launch, kind = no_kind, selected = launch_mask,
            target = launch_pc, data = launch_base,
        );
    }
    if self.x_valid.q.val() {
        carry!(self <- self.x_*.q: warp, op, step, mode, kind, selected = mask, target, k);
    }
    carry!(self <- self.x_*.q: at, further = valid, further_warp = warp, further_mask = mask);
    self.goes_on.next = self.x_valid.q.val()
        & ((self.x_step.q.val() == self.step_search.val())
            | (self.x_step.q.val() == self.step_scan.val()));
    // Asked of what is offered, not of what is chosen: the address of the token waits for it.
    self.x_from_start.next = (self.x_step.q.val() == self.step_start.val())
        | (self.x_step.q.val() == self.step_rescan.val());
    self.x_scans.next = (self.x_op.q.val() == self.op_yield.val())
        | (self.x_op.q.val() == self.op_forced_yield.val())
        | ((self.x_op.q.val() == self.op_barrier.val()) & self.x_kind.q.val().any());
    self.from_back.next = !self.launches.val()
        & ((self.resolve_op.val() == self.op_yield.val())
            | ((self.resolve_op.val() == self.op_barrier.val()) & self.resolve_kind.val().any()));
    if self.x_valid.q.val() {
        self.from_back.next = self.x_from_start.val()
            & (self.x_mode.q.val() == self.mode_run.val())
            & self.x_scans.val();
    }
    // Remember.
    self.x_valid.d.next = self.again_valid.val() | self.config_taken.val();
    carry!(self.x_*.d <- self.again_*: warp, op, step, mode, kind, mask, target, k, at);
    if self.config_taken.val() {
        self.x_warp.d.next = self.config_warp.val();
        self.x_op.d.next = self.op_config.val();
        // Whether it writes.
        self.x_step.d.next = bit_cast::<3, 1>(self.config_write.val().into());
        self.x_mode.d.next = self.mode_run.val();
        self.x_kind.d.next = self.config_register.val();
        self.x_target.d.next = self.config_data.val().get_bits::<22>(0);
    }
    self.idle.d.next = self.launch_valid.val()
        & !self.launch_taken.val()
        & !self.taken.val().get_bit(self.launch_warp.val().index());
    self.config_1.d.next = self.config_taken.val();
    carry!(self.*.d <- self.*.q: config_2 = config_1, config_3 = config_2, config_4 = config_3);
    // Reset wins.
    if self.reset.val() {
        self.x_valid.d.next = false;
        self.idle.d.next = false;
        self.config_1.d.next = false;
        self.config_2.d.next = false;
        self.config_3.d.next = false;
        self.config_4.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "entry",
            Entry::<8, 3, 8, 4>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.taken.next = rng.bits();
                u.busy.next = rng.bits();
                u.engaged.next = rng.bits();
                u.empty.next = rng.flip();
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
                u.resolve_moved.next = rng.flip();
                u.resolve_pc.next = rng.bits();
                u.launch_base.next = rng.bits();
                u.launch_size.next = rng.bits();
                u.config_valid.next = rng.chance(1, 8);
                u.config_write.next = rng.flip();
                u.config_warp.next = rng.bits();
                u.config_register.next = rng.bits();
                u.config_data.next = rng.bits();
                u.again_mode.next = rng.bits();
                u.again_at.next = rng.bits();
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
