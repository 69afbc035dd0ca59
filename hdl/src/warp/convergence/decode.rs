//! What the operation and the step of a pass are. Combinational;
//! in the *read* stage, so that the others begin with single bits.
//!
//! Spec: `docs/spec/convergence.md`; the passes: `decide.rs`.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `op`, `step`, `mode`, `kind` | in | pass to make: operation, which pass of it |
//! | `run`, `starting` | out | it carries out its step; the first pass |
//! | `is_*` | out | decoded pass; at most one of `is_launch`, `is_config`, `is_fault`, `is_illegal_op` and those that are not set in another mode than RUN. `is_send`, `is_wake`: a yield that is a RETRY or PART, a WAKE |
//! | `is_forced`, `is_mask`, `calls` | out | the operation is a forced yield, MASK, a call, in any pass |
//! | `scans` | out | looks at tokens from the back: a yield, and what else makes a YIELD token |
//! | `plain` | out | first pass of an operation that cannot search: may start a job in passing (SPILL-032) |
//! | `transfers` | out | counts as a transfer of control, if it goes backward (CONV-055) |
//! | `jumps` | out | the threads not selected run the same instruction again (CONV-022, CONV-056) |
//! | `stays` | out | … or resume at this one |
//! | `pushes`, `pushed` | out | software's token is pushed; or was, in an earlier pass |
//! | `steps_random` | out | steps the random number (CONV-052) |
//!
//! # Errors
//! None; `is_illegal_*` mark what `decide.rs` reports.

use super::code;
use crate::hdl::*;

#[cell]
pub struct Decode {
    pub op: Signal<In, Bits<4>>,
    pub step: Signal<In, Bits<3>>,
    pub mode: Signal<In, Bits<3>>,
    pub kind: Signal<In, Bits<4>>,
    pub run: Signal<Out, Bit>,
    pub starting: Signal<Out, Bit>,
    pub is_launch: Signal<Out, Bit>,
    pub is_config: Signal<Out, Bit>,
    pub is_fault: Signal<Out, Bit>,
    pub is_illegal_op: Signal<Out, Bit>,
    pub is_illegal_kind: Signal<Out, Bit>,
    pub is_leave: Signal<Out, Bit>,
    pub is_branch: Signal<Out, Bit>,
    pub is_yield: Signal<Out, Bit>,
    pub is_sleep: Signal<Out, Bit>,
    pub is_send: Signal<Out, Bit>,
    pub is_wake: Signal<Out, Bit>,
    pub is_push: Signal<Out, Bit>,
    pub is_call: Signal<Out, Bit>,
    pub is_unwind: Signal<Out, Bit>,
    pub is_exit: Signal<Out, Bit>,
    pub is_next: Signal<Out, Bit>,
    pub is_set: Signal<Out, Bit>,
    pub is_jump: Signal<Out, Bit>,
    pub is_parting: Signal<Out, Bit>,
    pub is_part: Signal<Out, Bit>,
    pub is_forced: Signal<Out, Bit>,
    pub is_mask: Signal<Out, Bit>,
    pub calls: Signal<Out, Bit>,
    pub scans: Signal<Out, Bit>,
    pub scanning: Signal<Out, Bit>,
    pub plain: Signal<Out, Bit>,
    pub transfers: Signal<Out, Bit>,
    pub jumps: Signal<Out, Bit>,
    pub stays: Signal<Out, Bit>,
    pub pushes: Signal<Out, Bit>,
    pub pushed: Signal<Out, Bit>,
    pub steps_random: Signal<Out, Bit>,
    // Combinational.
    run_start: Signal<Local, Bit>,
    software_op: Signal<Local, Bit>,
    barrier_op: Signal<Local, Bit>,
    yields_op: Signal<Local, Bit>,
    // Constants.
    #[value(code::OP_BRANCH.into())]
    op_branch: Constant<Bits<4>>,
    #[value(code::OP_INDIRECT.into())]
    op_indirect: Constant<Bits<4>>,
    #[value(code::OP_PUSH.into())]
    op_push: Constant<Bits<4>>,
    #[value(code::OP_LEAVE.into())]
    op_leave: Constant<Bits<4>>,
    #[value(code::OP_LEAVE_INDIRECT.into())]
    op_leave_indirect: Constant<Bits<4>>,
    #[value(code::OP_YIELD.into())]
    op_yield: Constant<Bits<4>>,
    #[value(code::OP_EXIT.into())]
    op_exit: Constant<Bits<4>>,
    #[value(code::OP_FAULT.into())]
    op_fault: Constant<Bits<4>>,
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
    #[value(code::OP_MASK.into())]
    op_mask: Constant<Bits<4>>,
    #[value(code::OP_ILLEGAL.into())]
    op_illegal: Constant<Bits<4>>,
    #[value(code::STEP_START.into())]
    step_start: Constant<Bits<3>>,
    #[value(code::STEP_SEARCH.into())]
    step_search: Constant<Bits<3>>,
    #[value(code::STEP_SPLIT.into())]
    step_split: Constant<Bits<3>>,
    #[value(code::STEP_SCAN.into())]
    step_scan: Constant<Bits<3>>,
    #[value(code::STEP_UNWIND.into())]
    step_unwind: Constant<Bits<3>>,
    #[value(code::STEP_RESCAN.into())]
    step_rescan: Constant<Bits<3>>,
    #[value(code::STEP_PART.into())]
    step_part: Constant<Bits<3>>,
    #[value(code::PASS_SET.into())]
    pass_set: Constant<Bits<4>>,
    #[value(code::PASS_JUMP.into())]
    pass_jump: Constant<Bits<4>>,
    #[value(code::PASS_SUBV_START.into())]
    pass_subv_start: Constant<Bits<4>>,
    #[value(code::BARRIER_WAKE.into())]
    barrier_wake: Constant<Bits<4>>,
    #[value(code::KIND_LAST_SOFTWARE.into())]
    kind_last_software: Constant<Bits<4>>,
}

impl Logic for Decode {
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = !self.mode.val().any();
        self.starting.next = self.step.val() == self.step_start.val();
        self.run_start.next = self.run.val() & self.starting.val();
        self.is_launch.next = self.op.val() == self.op_launch.val();
        self.is_config.next = self.op.val() == self.op_config.val();
        self.is_fault.next = self.op.val() == self.op_fault.val();
        self.is_illegal_op.next = self.op.val() == self.op_illegal.val();
        self.software_op.next = (self.op.val() == self.op_push.val())
            | (self.op.val() == self.op_leave.val())
            | (self.op.val() == self.op_leave_indirect.val());
        self.barrier_op.next = self.op.val() == self.op_barrier.val();
        self.is_illegal_kind.next = (self.software_op.val()
            & (self.kind.val() > self.kind_last_software.val()))
            | (self.barrier_op.val() & (self.kind.val() > self.barrier_wake.val()));
        self.is_sleep.next = self.run_start.val() & self.barrier_op.val() & !self.kind.val().any();
        self.is_wake.next = self.barrier_op.val() & (self.kind.val() == self.barrier_wake.val());
        self.is_send.next = self.barrier_op.val() & self.kind.val().any() & !self.is_wake.val();
        self.is_leave.next = ((self.op.val() == self.op_leave.val())
            | (self.op.val() == self.op_leave_indirect.val()))
            & !self.is_illegal_kind.val()
            & self.run.val()
            & (self.starting.val() | (self.step.val() == self.step_search.val()));
        self.is_branch.next = (self.run.val() & (self.step.val() == self.step_split.val()))
            | (self.run_start.val()
                & ((self.op.val() == self.op_branch.val())
                    | (self.op.val() == self.op_indirect.val())));
        self.is_forced.next = self.op.val() == self.op_forced_yield.val();
        self.yields_op.next = (self.op.val() == self.op_yield.val()) | self.is_forced.val();
        self.scans.next = self.yields_op.val() | (self.barrier_op.val() & self.kind.val().any());
        self.scanning.next = self.step.val() == self.step_scan.val();
        self.is_yield.next = self.scans.val()
            & !self.is_illegal_kind.val()
            & self.run.val()
            & (self.starting.val()
                | self.scanning.val()
                | (self.step.val() == self.step_rescan.val()));
        self.is_push.next =
            self.run.val() & (self.op.val() == self.op_push.val()) & !self.is_illegal_kind.val();
        self.calls.next = self.op.val() == self.op_call.val();
        self.is_call.next = self.run_start.val() & self.calls.val();
        self.is_exit.next = self.run_start.val() & (self.op.val() == self.op_exit.val());
        self.is_next.next = self.run.val() & !self.op.val().any();
        self.is_mask.next = self.op.val() == self.op_mask.val();
        self.is_set.next =
            self.run_start.val() & self.is_mask.val() & (self.kind.val() == self.pass_set.val());
        self.is_jump.next =
            self.run_start.val() & self.is_mask.val() & (self.kind.val() == self.pass_jump.val());
        self.is_parting.next = self.run_start.val()
            & self.is_mask.val()
            & (self.kind.val() == self.pass_subv_start.val());
        self.is_part.next = self.run.val() & (self.step.val() == self.step_part.val());
        self.is_unwind.next =
            self.run.val() & (self.step.val() == self.step_unwind.val()) & !self.is_config.val();
        self.plain.next = self.is_next.val()
            | self.is_push.val()
            | self.is_call.val()
            | self.is_exit.val()
            | self.is_sleep.val()
            | (self.run_start.val() & self.is_mask.val())
            | (self.is_branch.val() & self.starting.val());
        self.transfers.next =
            self.starting.val() & (self.is_leave.val() | self.is_branch.val() | self.is_call.val());
        self.jumps.next = (self.op.val() == self.op_indirect.val())
            | (self.op.val() == self.op_leave_indirect.val())
            | self.calls.val();
        // A call goes past itself when it pushes; its threads that do not go stay in its second pass.
        self.stays.next =
            (self.jumps.val() & !self.is_call.val()) | self.is_forced.val() | self.is_send.val();
        self.pushes.next = self.is_push.val() | self.is_call.val() | self.is_parting.val();
        self.pushed.next = self.is_push.val()
            | self.is_call.val()
            | (self.calls.val() & self.is_branch.val())
            | (self.is_mask.val() & self.is_part.val());
        self.steps_random.next = self.run_start.val() & (self.op.val() == self.op_yield.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random findings and state: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "decode",
            Decode::default,
            4000,
            |u, rng, _| {
                u.op.next = rng.bits();
                u.step.next = rng.bits();
                u.mode.next = rng.bits();
                u.kind.next = rng.bits();
                if rng.flip() {
                    u.mode.next = 0.into();
                }
            },
            None,
        )
        .unwrap();
    }
}
