//! One pass of one control operation: combinational heart of the convergence unit.
//!
//! Spec: `docs/spec/convergence.md`, CONV-010 to CONV-100.
//!
//! # Passes
//! An operation starts with one pass that sees the warp's state, the front token T0 and one more token Tk.
//! Most operations end there. The others ask for a further pass (`again`): a LEAVE that searches on (`SEARCH`), a LEAVE whose
//! threads part ways (`SPLIT`, a branch of `again_mask`), a YIELD that scans on from the back (`SCAN`), discarding tokens
//! (`UNWIND`), or a forced yield after the operation (`START` of FORCED_YIELD).
//!
//! # Parameters
//! `W` threads per warp; `P` = log2 (2 W) pointer bits; `C` = P + 1 depth bits; `T` = 2 W − 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `op`, `step` | in | 4, 3 | operation (`docs/spec/control.md`; 10 LAUNCH, 15 illegal) and pass |
//! | `kind`, `selected`, `target` | in | 4, W, 22 | operands |
//! | `k`, `token_*` | in | C | Tk, the k-th token from the front (k ≥ 1), and its place `token_at` |
//! | `active`, `reason`, `pc`, `front_*`, `head`, `depth`, `yields`, `backward` | in | | state of the warp; `head` is the place of T1 |
//! | `cfg_*` | in | 16 | yield policy |
//! | `next_*` | out | | state afterwards |
//! | `store*` | out | | token to write to the token memory |
//! | `again*` | out | | next pass, if any |
//! | `ready`, `retire`, `done`, `dropped`, `exception`, `cause` | out | 1, .. 4 | outcome of the operation, when this was its last pass |
//!
//! # Errors
//! `exception` with `cause`: ILLEGAL_TYPE, LOST_THREADS, ILLEGAL_OP, or the datapath's own (FAULT).

use super::code;
use crate::hdl::*;
use crate::ports::cause;
use crate::prim::PopCount;

#[derive(LogicBlock)]
pub struct Execute<const W: usize, const P: usize, const C: usize, const T: usize> {
    // From the pipeline register.
    pub op: Signal<In, Bits<4>>,
    pub step: Signal<In, Bits<3>>,
    pub kind: Signal<In, Bits<4>>,
    pub selected: Signal<In, Bits<W>>,
    pub target: Signal<In, Bits<22>>,
    pub k: Signal<In, Bits<C>>,
    // From the state memories.
    pub active: Signal<In, Bits<W>>,
    pub reason: [Signal<In, Bits<W>>; 4],
    pub pc: Signal<In, Bits<22>>,
    pub front_kind: Signal<In, Bits<4>>,
    pub front_mask: Signal<In, Bits<W>>,
    pub front_pc: Signal<In, Bits<22>>,
    pub front_below: Signal<In, Bits<4>>,
    pub head: Signal<In, Bits<P>>,
    pub depth: Signal<In, Bits<C>>,
    pub yields: Signal<In, Bits<16>>,
    pub backward: Signal<In, Bits<16>>,
    // From the token memory.
    pub token_at: Signal<In, Bits<P>>,
    pub token_kind: Signal<In, Bits<4>>,
    pub token_mask: Signal<In, Bits<W>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub token_below: Signal<In, Bits<4>>,
    // Configuration.
    pub cfg_yield_every: Signal<In, Bits<16>>,
    pub cfg_forced_yield: Signal<In, Bits<16>>,
    // To the state memories.
    pub next_active: Signal<Out, Bits<W>>,
    pub next_reason: [Signal<Out, Bits<W>>; 4],
    pub next_pc: Signal<Out, Bits<22>>,
    pub next_front_kind: Signal<Out, Bits<4>>,
    pub next_front_mask: Signal<Out, Bits<W>>,
    pub next_front_pc: Signal<Out, Bits<22>>,
    pub next_front_below: Signal<Out, Bits<4>>,
    pub next_head: Signal<Out, Bits<P>>,
    pub next_depth: Signal<Out, Bits<C>>,
    pub next_yields: Signal<Out, Bits<16>>,
    pub next_backward: Signal<Out, Bits<16>>,
    // To the token memory.
    pub store: Signal<Out, Bit>,
    pub store_at: Signal<Out, Bits<P>>,
    pub store_kind: Signal<Out, Bits<4>>,
    pub store_mask: Signal<Out, Bits<W>>,
    pub store_pc: Signal<Out, Bits<22>>,
    pub store_below: Signal<Out, Bits<4>>,
    // Next pass.
    pub again: Signal<Out, Bit>,
    pub again_op: Signal<Out, Bits<4>>,
    pub again_step: Signal<Out, Bits<3>>,
    pub again_mask: Signal<Out, Bits<W>>,
    pub again_k: Signal<Out, Bits<C>>,
    // Outcome.
    pub ready: Signal<Out, Bit>,
    pub retire: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub dropped: Signal<Out, Bit>,
    pub exception: Signal<Out, Bit>,
    pub cause: Signal<Out, Bits<4>>,
    // Decoded operation.
    starting: Signal<Local, Bit>,
    is_leave: Signal<Local, Bit>,
    is_branch: Signal<Local, Bit>,
    is_yield: Signal<Local, Bit>,
    is_transfer: Signal<Local, Bit>,
    has_software_kind: Signal<Local, Bit>,
    // Threads and addresses.
    d: Signal<Local, Bits<W>>,
    d_any: Signal<Local, Bit>,
    rest: Signal<Local, Bits<W>>,
    rest_any: Signal<Local, Bit>,
    off: Signal<Local, Bits<W>>,
    pc_plus_1: Signal<Local, Bits<22>>,
    fall: Signal<Local, Bits<22>>,
    falls: Signal<Local, Bit>,
    counted: Signal<Local, Bits<16>>,
    // Search.
    have_front: Signal<Local, Bit>,
    front_same: Signal<Local, Bit>,
    front_there: Signal<Local, Bit>,
    front_caught: Signal<Local, Bits<W>>,
    front_hit: Signal<Local, Bit>,
    front_clear: Signal<Local, Bit>,
    front_last: Signal<Local, Bit>,
    token_tried: Signal<Local, Bit>,
    token_same: Signal<Local, Bit>,
    token_there: Signal<Local, Bit>,
    token_caught: Signal<Local, Bits<W>>,
    token_hit: Signal<Local, Bit>,
    token_clear: Signal<Local, Bit>,
    token_last: Signal<Local, Bit>,
    search_on: Signal<Local, Bit>,
    caught: Signal<Local, Bits<W>>,
    uncaught: Signal<Local, Bits<W>>,
    uncaught_any: Signal<Local, Bit>,
    survivors: Signal<Local, Bits<W>>,
    survivors_any: Signal<Local, Bit>,
    // Unwinding.
    front_match: Signal<Local, Bits<W>>,
    unexited: Signal<Local, Bits<W>>,
    waiting: Signal<Local, Bits<W>>,
    waiting_any: Signal<Local, Bit>,
    live: Signal<Local, Bits<W>>,
    live_any: Signal<Local, Bit>,
    unwind: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    // Pushing.
    d_count: PopCount<W, P, T>,
    rest_count: PopCount<W, P, T>,
    d_first: Signal<Local, Bit>,
    uncovered: Signal<Local, Bits<W>>,
    redundant: Signal<Local, Bit>,
    push_front: Signal<Local, Bit>,
    push_kind: Signal<Local, Bits<4>>,
    push_mask: Signal<Local, Bits<W>>,
    push_pc: Signal<Local, Bits<22>>,
    below: Signal<Local, Bits<4>>,
    // Yield.
    yields_plus_1: Signal<Local, Bits<16>>,
    fires: Signal<Local, Bit>,
    resume: Signal<Local, Bits<22>>,
    k_any: Signal<Local, Bit>,
    k_first: Signal<Local, Bit>,
    token_yield: Signal<Local, Bit>,
    back_hit: Signal<Local, Bit>,
    front_yield: Signal<Local, Bit>,
    front_merge: Signal<Local, Bit>,
    scan_on: Signal<Local, Bit>,
    // Turning threads off.
    stopped: Signal<Local, Bits<W>>,
    stop_kind: Signal<Local, Bits<4>>,
    // Ending.
    finished: Signal<Local, Bit>,
    forced: Signal<Local, Bit>,
    k_plus_1: Signal<Local, Bits<C>>,
    depth_low: Signal<Local, Bits<P>>,
    // Constants: operations, passes, token types, causes.
    op_branch: Constant<Bits<4>>,
    op_indirect: Constant<Bits<4>>,
    op_push: Constant<Bits<4>>,
    op_leave: Constant<Bits<4>>,
    op_leave_indirect: Constant<Bits<4>>,
    op_yield: Constant<Bits<4>>,
    op_exit: Constant<Bits<4>>,
    op_fault: Constant<Bits<4>>,
    op_forced_yield: Constant<Bits<4>>,
    op_launch: Constant<Bits<4>>,
    op_illegal: Constant<Bits<4>>,
    step_start: Constant<Bits<3>>,
    step_search: Constant<Bits<3>>,
    step_split: Constant<Bits<3>>,
    step_scan: Constant<Bits<3>>,
    step_unwind: Constant<Bits<3>>,
    kind_sync: Constant<Bits<4>>,
    kind_call: Constant<Bits<4>>,
    kind_div: Constant<Bits<4>>,
    kind_yield: Constant<Bits<4>>,
    kind_exit: Constant<Bits<4>>,
    last_software: Constant<Bits<4>>,
    no_kind: Constant<Bits<4>>,
    cause_illegal_type: Constant<Bits<4>>,
    cause_lost_threads: Constant<Bits<4>>,
    cause_illegal_op: Constant<Bits<4>>,
    // Constants: below bits.
    below_sync: Constant<Bits<4>>,
    below_div: Constant<Bits<4>>,
    below_call: Constant<Bits<4>>,
    below_yield: Constant<Bits<4>>,
    // Constants: sizes.
    no_threads: Constant<Bits<W>>,
    all_threads: Constant<Bits<W>>,
    no_tokens: Constant<Bits<C>>,
    one_token: Constant<Bits<C>>,
    /// From this depth on, a PUSH would leave fewer than W free entries.
    short: Constant<Bits<C>>,
    no_place: Constant<Bits<P>>,
    one_place: Constant<Bits<P>>,
    one_pc: Constant<Bits<22>>,
    zero_count: Constant<Bits<16>>,
    one_count: Constant<Bits<16>>,
}

impl<const W: usize, const P: usize, const C: usize, const T: usize> Default
    for Execute<W, P, C, T>
{
    fn default() -> Self {
        assert!(
            W >= 4 && W <= 32 && 2 * W == 1 << P && C == P + 1 && T == 2 * W - 1,
            "Execute<{W}, {P}, {C}, {T}>"
        );
        block!({
            op, step, kind, selected, target, k, active, reason, pc, front_kind, front_mask,
            front_pc, front_below, head, depth, yields, backward, token_at, token_kind,
            token_mask, token_pc, token_below, cfg_yield_every, cfg_forced_yield, next_active,
            next_reason, next_pc, next_front_kind, next_front_mask, next_front_pc,
            next_front_below, next_head, next_depth, next_yields, next_backward, store, store_at,
            store_kind, store_mask, store_pc, store_below, again, again_op, again_step,
            again_mask, again_k, ready, retire, done, dropped, exception, cause, starting,
            is_leave, is_branch, is_yield, is_transfer, has_software_kind, d, d_any, rest,
            rest_any, off, pc_plus_1, fall, falls, counted, have_front, front_same, front_there,
            front_caught, front_hit, front_clear, front_last, token_tried, token_same,
            token_there, token_caught, token_hit, token_clear, token_last, search_on, caught,
            uncaught, uncaught_any, survivors, survivors_any, front_match, unexited, waiting,
            waiting_any, live, live_any, unwind, pop, d_count, rest_count, d_first, uncovered,
            redundant, push_front, push_kind, push_mask, push_pc, below, yields_plus_1, fires,
            resume, k_any, k_first, token_yield, back_hit, front_yield, front_merge, scan_on,
            stopped, stop_kind, finished, forced, k_plus_1, depth_low,
        } {
            op_branch: Constant::new(code::OP_BRANCH.into()),
            op_indirect: Constant::new(code::OP_INDIRECT.into()),
            op_push: Constant::new(code::OP_PUSH.into()),
            op_leave: Constant::new(code::OP_LEAVE.into()),
            op_leave_indirect: Constant::new(code::OP_LEAVE_INDIRECT.into()),
            op_yield: Constant::new(code::OP_YIELD.into()),
            op_exit: Constant::new(code::OP_EXIT.into()),
            op_fault: Constant::new(code::OP_FAULT.into()),
            op_forced_yield: Constant::new(code::OP_FORCED_YIELD.into()),
            op_launch: Constant::new(code::OP_LAUNCH.into()),
            op_illegal: Constant::new(code::OP_ILLEGAL.into()),
            step_start: Constant::new(code::STEP_START.into()),
            step_search: Constant::new(code::STEP_SEARCH.into()),
            step_split: Constant::new(code::STEP_SPLIT.into()),
            step_scan: Constant::new(code::STEP_SCAN.into()),
            step_unwind: Constant::new(code::STEP_UNWIND.into()),
            kind_sync: Constant::new(code::KIND_SYNC.into()),
            kind_call: Constant::new(code::KIND_CALL.into()),
            kind_div: Constant::new(code::KIND_DIV.into()),
            kind_yield: Constant::new(code::KIND_YIELD.into()),
            kind_exit: Constant::new(code::KIND_EXIT.into()),
            last_software: Constant::new(code::KIND_LAST_SOFTWARE.into()),
            no_kind: Constant::new(0.into()),
            cause_illegal_type: Constant::new((cause::ILLEGAL_TYPE as u64).into()),
            cause_lost_threads: Constant::new((cause::LOST_THREADS as u64).into()),
            cause_illegal_op: Constant::new((cause::ILLEGAL_OP as u64).into()),
            below_sync: Constant::new(1.into()),
            below_div: Constant::new(2.into()),
            below_call: Constant::new(4.into()),
            below_yield: Constant::new(8.into()),
            no_threads: Constant::new(0.into()),
            all_threads: Constant::new(Bits::<W>::mask()),
            no_tokens: Constant::new(0.into()),
            one_token: Constant::new(1.into()),
            short: Constant::new((W as u64).into()),
            no_place: Constant::new(0.into()),
            one_place: Constant::new(1.into()),
            one_pc: Constant::new(1.into()),
            zero_count: Constant::new(0.into()),
            one_count: Constant::new(1.into()),
        })
    }
}

impl<const W: usize, const P: usize, const C: usize, const T: usize> Logic for Execute<W, P, C, T> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Hold by default.
        self.next_active.next = self.active.val();
        self.next_pc.next = self.pc.val();
        self.next_front_kind.next = self.front_kind.val();
        self.next_front_mask.next = self.front_mask.val();
        self.next_front_pc.next = self.front_pc.val();
        self.next_front_below.next = self.front_below.val();
        self.next_head.next = self.head.val();
        self.next_depth.next = self.depth.val();
        self.next_yields.next = self.yields.val();
        self.next_backward.next = self.backward.val();
        self.store.next = false;
        self.store_at.next = self.token_at.val();
        self.store_kind.next = self.token_kind.val();
        self.store_mask.next = self.token_mask.val();
        self.store_pc.next = self.token_pc.val();
        self.store_below.next = self.token_below.val();
        self.again.next = false;
        self.again_op.next = self.op.val();
        self.again_step.next = self.step_unwind.val();
        self.again_mask.next = self.selected.val();
        self.again_k.next = self.one_token.val();
        self.done.next = false;
        self.dropped.next = false;
        self.exception.next = false;
        self.cause.next = self.kind.val();
        self.stopped.next = self.no_threads.val();
        self.stop_kind.next = self.kind.val();
        self.unwind.next = false;
        self.push_front.next = false;
        self.push_kind.next = self.kind.val();
        self.push_mask.next = self.active.val();
        self.push_pc.next = self.target.val();

        // ---- Decode.
        self.starting.next = self.step.val() == self.step_start.val();
        self.is_leave.next = ((self.op.val() == self.op_leave.val())
            | (self.op.val() == self.op_leave_indirect.val()))
            & (self.starting.val() | (self.step.val() == self.step_search.val()));
        self.is_branch.next = (self.step.val() == self.step_split.val())
            | (self.starting.val()
                & ((self.op.val() == self.op_branch.val())
                    | (self.op.val() == self.op_indirect.val())));
        self.is_yield.next = ((self.op.val() == self.op_yield.val())
            | (self.op.val() == self.op_forced_yield.val()))
            & (self.starting.val() | (self.step.val() == self.step_scan.val()));
        self.has_software_kind.next = (self.op.val() == self.op_push.val())
            | (self.op.val() == self.op_leave.val())
            | (self.op.val() == self.op_leave_indirect.val());
        self.d.next = self.selected.val() & self.active.val();
        self.d_any.next = self.d.val().any();
        self.rest.next = self.active.val() & !self.selected.val();
        self.rest_any.next = self.rest.val().any();
        self.off.next = !self.active.val();
        self.pc_plus_1.next = self.pc.val() + self.one_pc.val();
        self.fall.next = self.pc_plus_1.val();
        if (self.op.val() == self.op_indirect.val())
            | (self.op.val() == self.op_leave_indirect.val())
        {
            self.fall.next = self.pc.val();
        }
        self.falls.next = self.target.val() == self.fall.val();
        self.k_plus_1.next = self.k.val() + self.one_token.val();
        self.k_any.next = self.k.val().any();
        self.k_first.next = self.k.val() == self.one_token.val();
        self.depth_low.next = self.depth.val().get_bits::<P>(0);
        self.have_front.next = self.depth.val().any();

        // ---- Count backward transfers (CONV-055).
        self.is_transfer.next = self.starting.val() & (self.is_leave.val() | self.is_branch.val());
        self.counted.next = self.backward.val();
        if !self.backward.val().all() {
            self.counted.next = self.backward.val() + self.one_count.val();
        }
        if self.is_transfer.val() & self.d_any.val() & (self.target.val() <= self.pc.val()) {
            self.next_backward.next = self.counted.val();
        }

        // ---- Search the front token and Tk (CONV-040 to 042).
        self.front_same.next = self.front_kind.val() == self.kind.val();
        self.front_there.next = self.front_pc.val() == self.target.val();
        self.front_caught.next = self.d.val() & self.front_mask.val();
        self.front_hit.next = self.is_leave.val()
            & self.starting.val()
            & self.have_front.val()
            & self.front_same.val()
            & self.front_there.val()
            & self.front_caught.val().any();
        self.front_clear.next = self.is_leave.val()
            & self.starting.val()
            & self.front_same.val()
            & !self.front_there.val();
        self.front_yield.next = self.front_kind.val() == self.kind_yield.val();
        self.front_last.next = (self.depth.val() <= self.one_token.val())
            | self.front_yield.val()
            | ((self.kind.val() == self.kind_sync.val()) & !self.front_below.val().get_bit(0))
            | ((self.kind.val() == self.kind_call.val()) & !self.front_below.val().get_bit(2));
        self.token_tried.next = self.is_leave.val()
            & (!self.starting.val() | (!self.front_hit.val() & !self.front_last.val()));
        self.token_same.next = self.token_kind.val() == self.kind.val();
        self.token_there.next = self.token_pc.val() == self.target.val();
        self.token_caught.next = self.d.val() & self.token_mask.val();
        self.token_hit.next = self.token_tried.val()
            & self.token_same.val()
            & self.token_there.val()
            & self.token_caught.val().any();
        self.token_clear.next =
            self.token_tried.val() & self.token_same.val() & !self.token_there.val();
        self.token_yield.next = self.token_kind.val() == self.kind_yield.val();
        self.token_last.next = (self.depth.val() <= self.k_plus_1.val())
            | self.token_yield.val()
            | ((self.kind.val() == self.kind_sync.val()) & !self.token_below.val().get_bit(0))
            | ((self.kind.val() == self.kind_call.val()) & !self.token_below.val().get_bit(2));
        self.search_on.next =
            self.token_tried.val() & !self.token_hit.val() & !self.token_last.val();
        self.caught.next = self.no_threads.val();
        if self.front_hit.val() {
            self.caught.next = self.front_caught.val();
        }
        if self.token_hit.val() {
            self.caught.next = self.token_caught.val();
        }
        self.uncaught.next = self.d.val() & !self.caught.val();
        self.uncaught_any.next = self.uncaught.val().any();
        self.survivors.next = self.active.val() & !self.caught.val();
        self.survivors_any.next = self.survivors.val().any();

        // ---- Who would wake if the front token were popped (CONV-070)?
        self.front_match.next = self.off.val();
        self.unexited.next = self.no_threads.val();
        for i in 0..4 {
            if self.front_kind.val().get_bit(i) {
                self.front_match.next = self.front_match.val() & self.reason[i].val();
            } else {
                self.front_match.next = self.front_match.val() & !self.reason[i].val();
            }
            if self.kind_exit.val().get_bit(i) {
                self.unexited.next = self.unexited.val() | !self.reason[i].val();
            } else {
                self.unexited.next = self.unexited.val() | self.reason[i].val();
            }
        }
        self.waiting.next = self.unexited.val() & self.off.val();
        self.waiting_any.next = self.waiting.val().any() | self.is_leave.val();
        self.live.next = self.front_mask.val() & self.front_match.val();
        if self.front_hit.val() {
            self.live.next =
                (self.front_mask.val() & self.front_match.val()) | self.front_caught.val();
        }
        self.live_any.next = self.live.val().any();

        // ---- Split (CONV-010): the smaller group first, d on a tie.
        self.d_count.bits.next = self.d.val();
        self.rest_count.bits.next = self.rest.val();
        self.d_first.next = self.d_count.count.val() <= self.rest_count.count.val();

        // ---- Push (CONV-030).
        self.uncovered.next = self.active.val() & !self.front_mask.val();
        self.redundant.next = self.have_front.val()
            & self.front_same.val()
            & self.front_there.val()
            & !self.uncovered.val().any();

        // ---- Yield (CONV-050, 051).
        self.yields_plus_1.next = self.yields.val();
        if !self.yields.val().all() {
            self.yields_plus_1.next = self.yields.val() + self.one_count.val();
        }
        self.fires.next = !self.starting.val()
            | (self.op.val() == self.op_forced_yield.val())
            | (self.have_front.val()
                & self.cfg_yield_every.val().any()
                & (self.yields_plus_1.val() >= self.cfg_yield_every.val()));
        self.resume.next = self.pc_plus_1.val();
        if self.op.val() == self.op_forced_yield.val() {
            self.resume.next = self.pc.val();
        }
        self.back_hit.next =
            self.k_any.val() & self.token_yield.val() & (self.token_pc.val() == self.resume.val());
        self.front_merge.next = self.front_yield.val()
            & (self.front_pc.val() == self.resume.val())
            & (!self.k_any.val() | (self.k_first.val() & self.token_yield.val()));
        self.scan_on.next =
            self.k_any.val() & !self.k_first.val() & self.token_yield.val() & !self.back_hit.val();

        // ---- Carry out.
        if self.starting.val() & (self.op.val() == self.op_launch.val()) {
            self.next_active.next = self.selected.val();
            self.next_pc.next = self.target.val();
            self.next_depth.next = self.no_tokens.val();
            self.next_head.next = self.no_place.val();
            self.next_yields.next = self.zero_count.val();
            self.next_backward.next = self.zero_count.val();
        } else if self.op.val() == self.op_fault.val() {
            self.exception.next = true;
        } else if self.op.val() == self.op_illegal.val() {
            self.exception.next = true;
            self.cause.next = self.cause_illegal_op.val();
        } else if self.has_software_kind.val() & (self.kind.val() > self.last_software.val()) {
            self.exception.next = true;
            self.cause.next = self.cause_illegal_type.val();
        } else if self.is_leave.val() {
            if !self.d_any.val() {
                self.next_pc.next = self.fall.val();
            } else {
                if self.front_clear.val() {
                    self.next_front_mask.next = self.front_mask.val() & !self.d.val();
                }
                if self.token_clear.val() {
                    self.store.next = true;
                    self.store_mask.next = self.token_mask.val() & !self.d.val();
                }
                if self.search_on.val() {
                    self.again.next = true;
                    self.again_step.next = self.step_search.val();
                    self.again_k.next = self.k_plus_1.val();
                } else {
                    self.stopped.next = self.caught.val();
                    self.next_active.next = self.survivors.val();
                    if !self.survivors_any.val() {
                        // Only the first pass has T1 at hand to replace a popped front token.
                        if self.starting.val() {
                            self.unwind.next = true;
                        } else {
                            self.again.next = true;
                        }
                    } else if self.uncaught_any.val() & self.rest_any.val() & !self.falls.val() {
                        self.again.next = true;
                        self.again_step.next = self.step_split.val();
                        self.again_mask.next = self.uncaught.val();
                    } else if self.uncaught_any.val() {
                        self.next_pc.next = self.target.val();
                    } else {
                        self.next_pc.next = self.fall.val();
                    }
                }
            }
        } else if self.is_branch.val() {
            if !self.d_any.val() {
                self.next_pc.next = self.fall.val();
            } else if !self.rest_any.val() | self.falls.val() {
                self.next_pc.next = self.target.val();
            } else {
                self.push_front.next = true;
                self.push_kind.next = self.kind_div.val();
                self.stop_kind.next = self.kind_div.val();
                if self.d_first.val() {
                    self.next_active.next = self.d.val();
                    self.next_pc.next = self.target.val();
                    self.stopped.next = self.rest.val();
                    self.push_mask.next = self.rest.val();
                    self.push_pc.next = self.fall.val();
                } else {
                    self.next_active.next = self.rest.val();
                    self.next_pc.next = self.fall.val();
                    self.stopped.next = self.d.val();
                    self.push_mask.next = self.d.val();
                }
            }
        } else if self.is_yield.val() {
            if self.starting.val() & (self.op.val() == self.op_yield.val()) {
                self.next_yields.next = self.yields_plus_1.val();
            }
            if !self.fires.val() {
                self.next_pc.next = self.pc_plus_1.val();
            } else {
                if self.op.val() == self.op_yield.val() {
                    self.next_yields.next = self.zero_count.val();
                }
                self.next_backward.next = self.zero_count.val();
                self.again.next = true;
                if self.scan_on.val() {
                    self.again_step.next = self.step_scan.val();
                    self.again_k.next = self.k.val() - self.one_token.val();
                } else {
                    self.stopped.next = self.active.val();
                    self.stop_kind.next = self.kind_yield.val();
                    self.next_active.next = self.no_threads.val();
                    if self.back_hit.val() {
                        self.store.next = true;
                        self.store_mask.next = self.token_mask.val() | self.active.val();
                    } else if self.front_merge.val() {
                        self.next_front_mask.next = self.front_mask.val() | self.active.val();
                    } else {
                        self.store.next = true;
                        self.store_at.next =
                            self.head.val() + self.depth_low.val() - self.one_place.val();
                        self.store_kind.next = self.kind_yield.val();
                        self.store_mask.next = self.active.val();
                        self.store_pc.next = self.resume.val();
                        self.store_below.next = self.no_kind.val();
                        self.next_depth.next = self.depth.val() + self.one_token.val();
                    }
                }
            }
        } else if self.starting.val() & (self.op.val() == self.op_push.val()) {
            self.next_pc.next = self.pc_plus_1.val();
            if !self.redundant.val() {
                if self.depth.val() >= self.short.val() {
                    self.dropped.next = true;
                } else {
                    self.push_front.next = true;
                }
            }
        } else if self.starting.val() & (self.op.val() == self.op_exit.val()) {
            self.stopped.next = self.d.val();
            self.stop_kind.next = self.kind_exit.val();
            self.next_active.next = self.rest.val();
            if self.rest_any.val() {
                self.next_pc.next = self.pc_plus_1.val();
            } else {
                self.unwind.next = true;
            }
        } else if self.starting.val() {
            self.next_pc.next = self.pc_plus_1.val();
        } else {
            self.unwind.next = true;
        }

        // ---- Unwind: nobody is active (CONV-070).
        self.pop.next = false;
        if self.unwind.val() {
            if !self.waiting_any.val() {
                self.done.next = true;
                self.next_depth.next = self.no_tokens.val();
            } else if !self.have_front.val() {
                self.exception.next = true;
                self.cause.next = self.cause_lost_threads.val();
            } else {
                self.pop.next = true;
                self.again.next = !self.live_any.val();
                if self.live_any.val() {
                    self.next_active.next = self.live.val();
                    self.next_pc.next = self.front_pc.val();
                }
            }
        }
        if self.pop.val() {
            self.next_front_kind.next = self.token_kind.val();
            self.next_front_mask.next = self.token_mask.val();
            self.next_front_pc.next = self.token_pc.val();
            self.next_front_below.next = self.token_below.val();
            self.next_head.next = self.head.val() + self.one_place.val();
            self.next_depth.next = self.depth.val() - self.one_token.val();
        }

        // ---- Push at the front; the former front token moves to the token memory (CONV-031).
        self.below.next = self.front_below.val();
        if self.front_kind.val() == self.kind_sync.val() {
            self.below.next = self.below.val() | self.below_sync.val();
        }
        if self.front_kind.val() == self.kind_div.val() {
            self.below.next = self.below.val() | self.below_div.val();
        }
        if self.front_kind.val() == self.kind_call.val() {
            self.below.next = self.below.val() | self.below_call.val();
        }
        if self.front_yield.val() {
            self.below.next = self.below.val() | self.below_yield.val();
        }
        if !self.have_front.val() {
            self.below.next = self.no_kind.val();
        }
        if self.push_front.val() {
            self.next_front_kind.next = self.push_kind.val();
            self.next_front_mask.next = self.push_mask.val();
            self.next_front_pc.next = self.push_pc.val();
            self.next_front_below.next = self.below.val();
            self.next_head.next = self.head.val() - self.one_place.val();
            self.next_depth.next = self.depth.val() + self.one_token.val();
            self.store.next = true;
            self.store_at.next = self.head.val() - self.one_place.val();
            self.store_kind.next = self.front_kind.val();
            self.store_mask.next = self.front_mask.val();
            self.store_pc.next = self.front_pc.val();
            self.store_below.next = self.front_below.val();
        }

        // ---- Turn threads off.
        for i in 0..4 {
            if self.stop_kind.val().get_bit(i) {
                self.next_reason[i].next = self.reason[i].val() | self.stopped.val();
            } else {
                self.next_reason[i].next = self.reason[i].val() & !self.stopped.val();
            }
            if self.op.val() == self.op_launch.val() {
                self.next_reason[i].next = self.no_threads.val();
                if self.kind_exit.val().get_bit(i) {
                    self.next_reason[i].next = self.all_threads.val();
                }
            }
        }

        // ---- End of the operation; a forced yield may follow (CONV-055).
        self.finished.next = !self.again.val() & !self.done.val() & !self.exception.val();
        self.forced.next = self.finished.val()
            & self.cfg_forced_yield.val().any()
            & (self.next_backward.val() >= self.cfg_forced_yield.val())
            & self.next_depth.val().any();
        self.retire.next =
            (self.finished.val() | self.done.val()) & (self.op.val() != self.op_launch.val());
        self.ready.next = self.finished.val() & !self.forced.val();
        if (self.op.val() == self.op_launch.val()) & !self.selected.val().any() {
            self.ready.next = false;
        }
        if self.forced.val() {
            self.again.next = true;
            self.again_op.next = self.op_forced_yield.val();
            self.again_step.next = self.step_start.val();
        }
    }
}
