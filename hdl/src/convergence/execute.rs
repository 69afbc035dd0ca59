//! Second half of a pass: carry out the operation. Combinational.
//!
//! Spec: `docs/spec/convergence.md`, CONV-010 to CONV-100. `matching.rs` has made all comparisons.
//!
//! # Passes
//! An operation starts with one pass that sees the warp's state, the front token T0 and one more token Tk.
//! Most operations end there. The others ask for a further pass (`again`): a LEAVE that searches on (`SEARCH`), a LEAVE whose
//! threads part ways (`SPLIT`, a branch of `again_mask`), a YIELD (also a RETRY, PART or WAKE, which make YIELD tokens) that scans on from the back (`SCAN`), discarding tokens
//! (`UNWIND`), a SUBV_START that has made its SYNC token and an unwinding to a SUBV token (`PART`, one part of `again_mask` goes on), or a forced yield after the operation (`START` of FORCED_YIELD). Where the window has to be served first, `again_mode` says so.
//!
//! # Parameters
//! `W` threads per warp; `R` bits of a place in the token window.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `op`, `kind`, `target`, `k` | in | operation and operands |
//! | `is_launch` .. `front_resumes` | in | what `Match` found |
//! | `was_blocked`, `active` .. `depth`, `yields`, `token_*` | in | state of the warp, token Tk and its place |
//! | `t1_absent` .. `back_at` | in | what `Locate` found |
//! | `next_*` | out | state afterwards |
//! | `store*` | out | token to write to the token memory |
//! | `push_front`, `push_back`, `pop` | out | what happens to the deque |
//! | `blocked` | out | nothing happens yet, for want of room at the front |
//! | `again*` | out | next pass, if any |
//! | `ready`, `retire`, `done`, `next_blocked`, `dropped`, `exception`, `cause` | out | outcome of the operation, when this was its last pass |
//!
//! # Errors
//! `exception` with `cause`: ILLEGAL_TYPE, LOST_THREADS, ILLEGAL_OP, ALLOCATION, or the datapath's own (FAULT).

use super::code;
use crate::hdl::*;
use crate::ports::cause;

#[derive(LogicBlock)]
pub struct Execute<const W: usize, const R: usize> {
    pub op: Signal<In, Bits<4>>,
    pub kind: Signal<In, Bits<4>>,
    pub target: Signal<In, Bits<22>>,
    pub k: Signal<In, Bits<10>>,
    pub run: Signal<In, Bit>,
    pub is_launch: Signal<In, Bit>,
    pub is_config: Signal<In, Bit>,
    pub is_unallocated: Signal<In, Bit>,
    pub is_fault: Signal<In, Bit>,
    pub is_illegal_op: Signal<In, Bit>,
    pub is_illegal_kind: Signal<In, Bit>,
    pub is_leave: Signal<In, Bit>,
    pub is_branch: Signal<In, Bit>,
    pub is_yield: Signal<In, Bit>,
    pub is_sleep: Signal<In, Bit>,
    pub is_send: Signal<In, Bit>,
    pub is_wake: Signal<In, Bit>,
    pub is_push: Signal<In, Bit>,
    pub is_call: Signal<In, Bit>,
    pub is_unwind: Signal<In, Bit>,
    pub is_exit: Signal<In, Bit>,
    pub is_next: Signal<In, Bit>,
    pub is_set: Signal<In, Bit>,
    pub is_jump: Signal<In, Bit>,
    pub is_parting: Signal<In, Bit>,
    pub is_part: Signal<In, Bit>,
    pub vacant: Signal<In, Bit>,
    pub starting: Signal<In, Bit>,
    pub selected: Signal<In, Bits<W>>,
    pub goes: Signal<In, Bits<W>>,
    pub selected_any: Signal<In, Bit>,
    pub d_any: Signal<In, Bit>,
    pub rest_any: Signal<In, Bit>,
    pub after: Signal<In, Bits<22>>,
    pub fall: Signal<In, Bits<22>>,
    pub falls: Signal<In, Bit>,
    pub jumps: Signal<In, Bit>,
    pub front_hit: Signal<In, Bit>,
    pub front_clear: Signal<In, Bit>,
    pub searches: Signal<In, Bit>,
    pub token_tried: Signal<In, Bit>,
    pub token_same: Signal<In, Bit>,
    pub token_there: Signal<In, Bit>,
    pub token_some: Signal<In, Bit>,
    pub token_last: Signal<In, Bit>,
    pub token_yield: Signal<In, Bit>,
    pub token_resumes: Signal<In, Bit>,
    pub k_any: Signal<In, Bit>,
    pub k_first: Signal<In, Bit>,
    pub front_resumes: Signal<In, Bit>,
    pub token_covers: Signal<In, Bit>,
    pub front_leaves: Signal<In, Bit>,
    pub token_leaves: Signal<In, Bit>,
    pub live: Signal<In, Bits<W>>,
    pub live_any: Signal<In, Bit>,
    pub waiting_any: Signal<In, Bit>,
    pub asleep_any: Signal<In, Bit>,
    pub masked_any: Signal<In, Bit>,
    pub front_parts: Signal<In, Bit>,
    pub d_smaller: Signal<In, Bit>,
    pub pushes: Signal<In, Bit>,
    pub drops: Signal<In, Bit>,
    pub below: Signal<In, Bits<4>>,
    pub fires: Signal<In, Bit>,
    pub opens: Signal<In, Bit>,
    pub scan_begins: Signal<In, Bit>,
    pub steps_random: Signal<In, Bit>,
    pub yields_plus_1: Signal<In, Bits<16>>,
    pub random_next: Signal<In, Bits<16>>,
    pub launch_random: Signal<In, Bits<16>>,
    pub counted: Signal<In, Bits<16>>,
    pub forced_due: Signal<In, Bit>,
    pub was_blocked: Signal<In, Bit>,
    pub active: Signal<In, Bits<W>>,
    pub reason: [Signal<In, Bits<W>>; 4],
    pub pc: Signal<In, Bits<22>>,
    pub front_kind: Signal<In, Bits<4>>,
    pub front_mask: Signal<In, Bits<W>>,
    pub front_pc: Signal<In, Bits<22>>,
    pub front_below: Signal<In, Bits<4>>,
    pub depth: Signal<In, Bits<10>>,
    pub yields: Signal<In, Bits<16>>,
    pub backward: Signal<In, Bits<16>>,
    pub random: Signal<In, Bits<16>>,
    pub t1_absent: Signal<In, Bit>,
    pub tk_absent: Signal<In, Bit>,
    pub at_scratch: Signal<In, Bit>,
    pub then_k: Signal<In, Bits<10>>,
    pub then_at: Signal<In, Bits<R>>,
    pub then_here: Signal<In, Bit>,
    pub front_full: Signal<In, Bit>,
    pub back_full: Signal<In, Bit>,
    pub at_base: Signal<In, Bit>,
    pub at_bound: Signal<In, Bit>,
    pub front_at: Signal<In, Bits<R>>,
    pub back_at: Signal<In, Bits<R>>,
    pub token_at: Signal<In, Bits<R>>,
    pub token_kind: Signal<In, Bits<4>>,
    pub token_mask: Signal<In, Bits<W>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub token_below: Signal<In, Bits<4>>,
    pub cfg_path: Signal<In, Bits<2>>,
    pub next_blocked: Signal<Out, Bit>,
    pub next_active: Signal<Out, Bits<W>>,
    pub next_reason: [Signal<Out, Bits<W>>; 4],
    pub next_pc: Signal<Out, Bits<22>>,
    pub next_front_kind: Signal<Out, Bits<4>>,
    pub next_front_mask: Signal<Out, Bits<W>>,
    pub next_front_pc: Signal<Out, Bits<22>>,
    pub next_front_below: Signal<Out, Bits<4>>,
    pub next_depth: Signal<Out, Bits<10>>,
    pub next_yields: Signal<Out, Bits<16>>,
    pub next_backward: Signal<Out, Bits<16>>,
    pub next_random: Signal<Out, Bits<16>>,
    pub push_front: Signal<Out, Bit>,
    pub push_back: Signal<Out, Bit>,
    pub pop: Signal<Out, Bit>,
    pub blocked: Signal<Out, Bit>,
    pub store: Signal<Out, Bit>,
    pub store_at: Signal<Out, Bits<R>>,
    pub store_kind: Signal<Out, Bits<4>>,
    pub store_mask: Signal<Out, Bits<W>>,
    pub store_pc: Signal<Out, Bits<22>>,
    pub store_below: Signal<Out, Bits<4>>,
    pub again: Signal<Out, Bit>,
    pub again_op: Signal<Out, Bits<4>>,
    pub again_step: Signal<Out, Bits<3>>,
    pub again_mode: Signal<Out, Bits<3>>,
    pub again_mask: Signal<Out, Bits<W>>,
    pub again_k: Signal<Out, Bits<10>>,
    pub again_at: Signal<Out, Bits<R>>,
    pub ready: Signal<Out, Bit>,
    pub retire: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub dropped: Signal<Out, Bit>,
    pub exception: Signal<Out, Bit>,
    pub cause: Signal<Out, Bits<4>>,
    // Combinational.
    token_hit: Signal<Local, Bit>,
    token_clear: Signal<Local, Bit>,
    search_on: Signal<Local, Bit>,
    back_hit: Signal<Local, Bit>,
    front_merge: Signal<Local, Bit>,
    scan_on: Signal<Local, Bit>,
    have_front: Signal<Local, Bit>,
    forks: Signal<Local, Bit>,
    write_back: Signal<Local, Bit>,
    merge_back: Signal<Local, Bit>,
    scan_absent: Signal<Local, Bit>,
    back_blocked: Signal<Local, Bit>,
    then_mode: Signal<Local, Bits<3>>,
    front_mode: Signal<Local, Bits<3>>,
    back_mode: Signal<Local, Bits<3>>,
    d: Signal<Local, Bits<W>>,
    d_first: Signal<Local, Bit>,
    rest: Signal<Local, Bits<W>>,
    caught: Signal<Local, Bits<W>>,
    uncaught: Signal<Local, Bits<W>>,
    uncaught_any: Signal<Local, Bit>,
    awake: Signal<Local, Bits<W>>,
    unwind: Signal<Local, Bit>,
    push_kind: Signal<Local, Bits<4>>,
    push_mask: Signal<Local, Bits<W>>,
    push_pc: Signal<Local, Bits<22>>,
    stopped: Signal<Local, Bits<W>>,
    stop_kind: Signal<Local, Bits<4>>,
    finished: Signal<Local, Bit>,
    forced: Signal<Local, Bit>,
    blocks: Signal<Local, Bit>,
    runs_on: Signal<Local, Bit>,
    parts: Signal<Local, Bit>,
    other_parts: Signal<Local, Bits<W>>,
    idles: Signal<Local, Bit>,
    sent: Signal<Local, Bit>,
    deeper: Signal<Local, Bit>,
    owes: Signal<Local, Bit>,
    // Constants.
    taken_first: Constant<Bits<2>>,
    fall_through_first: Constant<Bits<2>>,
    op_forced_yield: Constant<Bits<4>>,
    op_call: Constant<Bits<4>>,
    op_mask: Constant<Bits<4>>,
    step_start: Constant<Bits<3>>,
    step_search: Constant<Bits<3>>,
    step_split: Constant<Bits<3>>,
    step_scan: Constant<Bits<3>>,
    step_unwind: Constant<Bits<3>>,
    step_rescan: Constant<Bits<3>>,
    step_part: Constant<Bits<3>>,
    mode_run: Constant<Bits<3>>,
    mode_wait: Constant<Bits<3>>,
    mode_fetch: Constant<Bits<3>>,
    mode_write_back: Constant<Bits<3>>,
    mode_recenter: Constant<Bits<3>>,
    kind_subv: Constant<Bits<4>>,
    kind_div: Constant<Bits<4>>,
    kind_yield: Constant<Bits<4>>,
    kind_exit: Constant<Bits<4>>,
    kind_barrier: Constant<Bits<4>>,
    barrier_retry: Constant<Bits<4>>,
    no_kind: Constant<Bits<4>>,
    cause_illegal_type: Constant<Bits<4>>,
    cause_lost_threads: Constant<Bits<4>>,
    cause_illegal_op: Constant<Bits<4>>,
    cause_allocation: Constant<Bits<4>>,
    no_threads: Constant<Bits<W>>,
    all_threads: Constant<Bits<W>>,
    no_tokens: Constant<Bits<10>>,
    one_token: Constant<Bits<10>>,
    zero_count: Constant<Bits<16>>,
}

impl<const W: usize, const R: usize> Default for Execute<W, R> {
    fn default() -> Self {
        block!({
            op, kind, target, k, run, is_launch, is_config, is_unallocated, is_fault,
            is_illegal_op, is_illegal_kind, is_leave, is_branch, is_yield, is_sleep, is_send, is_wake, is_push, is_call,
            is_unwind, is_exit, is_next, is_set, is_jump, is_parting, is_part, vacant, starting, selected, goes, selected_any, d_any, rest_any, after,
            fall, falls, jumps, front_hit, front_clear, searches, token_tried, token_same, token_there,
            token_some, token_last, token_yield, token_resumes, k_any, k_first, front_resumes,
            token_covers, front_leaves, token_leaves, live, live_any, waiting_any, asleep_any, masked_any, front_parts, d_smaller,
            pushes, drops, below, fires, opens, scan_begins, steps_random, yields_plus_1, random_next,
            launch_random, counted, forced_due, was_blocked, active, reason, pc, front_kind, front_mask,
            front_pc, front_below, depth, yields, backward, random, t1_absent, tk_absent, at_scratch, then_k,
            then_at, then_here, front_full, back_full, at_base, at_bound, front_at, back_at,
            token_at, token_kind, token_mask, token_pc, token_below, cfg_path, next_blocked, next_active,
            next_reason, next_pc, next_front_kind, next_front_mask, next_front_pc,
            next_front_below, next_depth, next_yields, next_backward, next_random, push_front,
            push_back, pop, blocked, store, store_at, store_kind, store_mask, store_pc,
            store_below, again, again_op, again_step, again_mode, again_mask, again_k, again_at,
            ready, retire, done, dropped, exception, cause, token_hit, token_clear, search_on,
            back_hit, front_merge, scan_on, have_front, forks, write_back, merge_back, scan_absent,
            back_blocked, then_mode, front_mode, back_mode, d, d_first, rest, caught, uncaught,
            uncaught_any, awake, unwind, push_kind, push_mask, push_pc, stopped, stop_kind,
            finished, forced, blocks, runs_on, parts, other_parts, idles, sent, deeper, owes,
        } {
            taken_first: Constant::new(code::PATH_TAKEN_FIRST.into()),
            fall_through_first: Constant::new(code::PATH_FALL_THROUGH_FIRST.into()),
            op_forced_yield: Constant::new(code::OP_FORCED_YIELD.into()),
            op_call: Constant::new(code::OP_CALL.into()),
            op_mask: Constant::new(code::OP_MASK.into()),
            step_start: Constant::new(code::STEP_START.into()),
            step_search: Constant::new(code::STEP_SEARCH.into()),
            step_split: Constant::new(code::STEP_SPLIT.into()),
            step_scan: Constant::new(code::STEP_SCAN.into()),
            step_unwind: Constant::new(code::STEP_UNWIND.into()),
            step_rescan: Constant::new(code::STEP_RESCAN.into()),
            mode_run: Constant::new(code::MODE_RUN.into()),
            mode_wait: Constant::new(code::MODE_WAIT.into()),
            mode_fetch: Constant::new(code::MODE_FETCH.into()),
            mode_write_back: Constant::new(code::MODE_WRITE_BACK.into()),
            mode_recenter: Constant::new(code::MODE_RECENTER.into()),
            step_part: Constant::new(code::STEP_PART.into()),
            kind_subv: Constant::new(code::KIND_SUBV.into()),
            kind_div: Constant::new(code::KIND_DIV.into()),
            kind_yield: Constant::new(code::KIND_YIELD.into()),
            kind_exit: Constant::new(code::KIND_EXIT.into()),
            kind_barrier: Constant::new(code::KIND_BARRIER.into()),
            barrier_retry: Constant::new(code::BARRIER_RETRY.into()),
            no_kind: Constant::new(0.into()),
            cause_illegal_type: Constant::new(u64::from(cause::ILLEGAL_TYPE).into()),
            cause_lost_threads: Constant::new(u64::from(cause::LOST_THREADS).into()),
            cause_illegal_op: Constant::new(u64::from(cause::ILLEGAL_OP).into()),
            cause_allocation: Constant::new(u64::from(cause::ALLOCATION).into()),
            no_threads: Constant::new(0.into()),
            all_threads: Constant::new(Bits::<W>::mask()),
            no_tokens: Constant::new(0.into()),
            one_token: Constant::new(1.into()),
            zero_count: Constant::new(0.into()),
        })
    }
}

impl<const W: usize, const R: usize> Logic for Execute<W, R> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Hold by default.
        self.next_active.next = self.active.val();
        self.next_pc.next = self.pc.val();
        self.next_front_kind.next = self.front_kind.val();
        self.next_front_mask.next = self.front_mask.val();
        self.next_front_pc.next = self.front_pc.val();
        self.next_front_below.next = self.front_below.val();
        self.next_depth.next = self.depth.val();
        self.next_yields.next = self.yields.val();
        self.next_backward.next = self.counted.val();
        self.next_random.next = self.random.val();
        if self.steps_random.val() {
            self.next_random.next = self.random_next.val();
        }
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
        self.again_mode.next = self.mode_run.val();
        self.again_k.next = self.k.val();
        self.again_at.next = self.token_at.val();
        self.done.next = false;
        self.dropped.next = false;
        self.exception.next = false;
        self.cause.next = self.kind.val();
        self.stopped.next = self.no_threads.val();
        self.stop_kind.next = self.kind.val();
        self.owes.next = false;
        self.sent.next = false;
        self.unwind.next = false;
        self.parts.next = false;
        self.push_front.next = false;
        self.push_back.next = false;
        self.push_kind.next = self.kind.val();
        self.push_mask.next = self.active.val();
        self.push_pc.next = self.target.val();

        // ---- The token at hand (CONV-040 to 042, CONV-051).
        self.token_hit.next = self.token_tried.val()
            & self.token_same.val()
            & self.token_there.val()
            & self.token_some.val();
        self.token_clear.next = self.token_tried.val()
            & self.token_same.val()
            & !self.token_there.val()
            & !self.at_scratch.val();
        self.write_back.next = self.token_tried.val()
            & self.token_same.val()
            & !self.token_there.val()
            & self.token_some.val()
            & self.at_scratch.val();
        self.search_on.next = self.searches.val()
            & (!self.token_tried.val() | (!self.token_hit.val() & !self.token_last.val()));
        self.back_hit.next = self.k_any.val() & self.token_yield.val() & self.token_resumes.val();
        self.front_merge.next = self.front_resumes.val()
            & (!self.k_any.val() | (self.k_first.val() & self.token_yield.val()));
        self.scan_on.next = self.k_any.val()
            & !self.k_first.val()
            & self.token_yield.val()
            & !self.token_resumes.val();
        self.scan_absent.next = self.scan_begins.val() & self.tk_absent.val();
        self.merge_back.next =
            self.back_hit.val() & self.at_scratch.val() & !self.token_covers.val();
        self.then_mode.next = self.mode_run.val();
        if !self.then_here.val() {
            self.then_mode.next = self.mode_fetch.val();
        }

        // ---- Is there room for what is to be pushed (SPILL-020, SPILL-032)?
        self.forks.next = self.rest_any.val()
            & ((self.is_branch.val() & self.d_any.val() & !self.falls.val())
                | (self.is_part.val() & (self.op.val() == self.op_mask.val())));
        self.blocked.next = !self.vacant.val()
            & (self.pushes.val() | self.forks.val() | self.opens.val())
            & (self.front_full.val() | self.at_base.val());
        self.front_mode.next = self.mode_recenter.val();
        if self.front_full.val() {
            self.front_mode.next = self.mode_wait.val();
        }
        self.back_blocked.next = !self.back_hit.val()
            & !self.front_merge.val()
            & (self.back_full.val() | self.at_bound.val());
        self.back_mode.next = self.mode_recenter.val();
        if self.back_full.val() {
            self.back_mode.next = self.mode_wait.val();
        }

        // ---- Who is caught (CONV-042); who wakes when the front token is popped (CONV-070).
        self.have_front.next = self.depth.val().any();
        self.d.next = self.selected.val() & self.active.val();
        self.rest.next = self.active.val() & !self.selected.val();
        self.caught.next = self.no_threads.val();
        self.uncaught_any.next = self.d_any.val();
        self.awake.next = self.live.val();
        if self.token_hit.val() {
            self.caught.next = self.d.val() & self.token_mask.val();
            self.uncaught_any.next = self.token_leaves.val();
        }
        if self.front_hit.val() {
            self.caught.next = self.d.val() & self.front_mask.val();
            self.uncaught_any.next = self.front_leaves.val();
            self.awake.next = self.live.val() | (self.d.val() & self.front_mask.val());
        }
        self.uncaught.next = self.d.val() & !self.caught.val();
        self.other_parts.next = self.selected.val() & !self.goes.val();

        // ---- Who runs first (CONV-011).
        self.d_first.next = self.d_smaller.val();
        if self.cfg_path.val() == self.taken_first.val() {
            self.d_first.next = true;
        }
        if self.cfg_path.val() == self.fall_through_first.val() {
            self.d_first.next = false;
        }
        if self.op.val() == self.op_call.val() {
            self.d_first.next = true;
        }

        // ---- Carry out.
        if self.is_launch.val() {
            self.next_active.next = self.selected.val();
            self.next_pc.next = self.target.val();
            self.next_depth.next = self.no_tokens.val();
            self.next_yields.next = self.zero_count.val();
            self.next_backward.next = self.zero_count.val();
            self.next_random.next = self.launch_random.val();
            self.exception.next = self.is_unallocated.val();
            self.cause.next = self.cause_allocation.val();
        } else if self.is_fault.val() {
            self.exception.next = true;
        } else if self.is_illegal_op.val() {
            self.exception.next = true;
            self.cause.next = self.cause_illegal_op.val();
        } else if self.is_set.val() {
            // Whoever was off stays off for its reason; MASKED is the kind of this pass.
            self.next_active.next = self.selected.val();
            self.stopped.next = self.rest.val();
            self.next_pc.next = self.fall.val();
        } else if self.is_jump.val() {
            self.next_pc.next = self.target.val();
        } else if self.vacant.val() {
            // CONV-110.
            self.next_random.next = self.random.val();
            self.next_pc.next = self.after.val();
        } else if self.is_illegal_kind.val() {
            self.exception.next = true;
            self.cause.next = self.cause_illegal_type.val();
        } else if self.is_leave.val() {
            if !self.d_any.val() {
                self.next_pc.next = self.fall.val();
            } else if self.write_back.val() {
                // Then the same token once more: now it has nobody to lose.
                self.store.next = true;
                self.store_mask.next = self.token_mask.val() & !self.d.val();
                self.again.next = true;
                self.again_step.next = self.step_search.val();
                self.again_mode.next = self.mode_write_back.val();
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
                    if self.token_tried.val() {
                        self.again_mode.next = self.then_mode.val();
                        self.again_k.next = self.then_k.val();
                        self.again_at.next = self.then_at.val();
                    } else {
                        self.again_mode.next = self.mode_fetch.val();
                    }
                } else {
                    self.stopped.next = self.caught.val();
                    self.next_active.next = self.active.val() & !self.caught.val();
                    if !self.uncaught_any.val() & !self.rest_any.val() {
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
                        self.owes.next = self.jumps.val();
                    }
                }
            }
        } else if self.blocked.val() {
            self.next_backward.next = self.backward.val();
            self.again.next = true;
            self.again_step.next = self.step_start.val();
            if self.is_part.val() {
                self.again_step.next = self.step_part.val();
            } else if !self.starting.val() {
                self.again_step.next = self.step_split.val();
            }
            self.again_mode.next = self.front_mode.val();
        } else if self.is_branch.val() {
            self.dropped.next = self.drops.val();
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
                    self.owes.next = self.jumps.val();
                }
            }
        } else if self.is_yield.val() {
            if !self.fires.val() {
                if self.is_wake.val() {
                    if self.d_any.val() & !self.rest_any.val() {
                        self.next_active.next = self.selected.val();
                        self.next_pc.next = self.fall.val();
                    }
                } else if self.is_send.val() {
                    if !self.d_any.val() & (self.kind.val() == self.barrier_retry.val()) {
                        self.next_pc.next = self.after.val();
                    }
                } else {
                    self.next_yields.next = self.yields_plus_1.val();
                    self.next_pc.next = self.fall.val();
                }
            } else {
                if !self.is_send.val() & !self.is_wake.val() {
                    if self.op.val() != self.op_forced_yield.val() {
                        self.next_yields.next = self.zero_count.val();
                    }
                    self.next_backward.next = self.zero_count.val();
                }
                self.again.next = true;
                if self.opens.val() {
                    self.sent.next = true;
                    self.push_front.next = true;
                    self.push_kind.next = self.kind_yield.val();
                    self.push_mask.next = self.goes.val();
                    self.push_pc.next = self.fall.val();
                } else if self.scan_absent.val() {
                    self.again_step.next = self.step_scan.val();
                    self.again_mode.next = self.mode_fetch.val();
                } else if self.scan_on.val() {
                    self.again_step.next = self.step_scan.val();
                    self.again_mode.next = self.then_mode.val();
                    self.again_k.next = self.then_k.val();
                    self.again_at.next = self.then_at.val();
                } else if self.merge_back.val() {
                    // Then the same token once more: now it names the threads.
                    self.store.next = true;
                    self.store_mask.next = self.token_mask.val() | self.goes.val();
                    self.again_step.next = self.step_scan.val();
                    self.again_mode.next = self.mode_write_back.val();
                } else if self.back_blocked.val() {
                    self.again_step.next = self.step_rescan.val();
                    self.again_mode.next = self.back_mode.val();
                } else {
                    self.sent.next = true;
                    if self.back_hit.val() {
                        self.store.next = !self.at_scratch.val();
                        self.store_mask.next = self.token_mask.val() | self.goes.val();
                    } else if self.front_merge.val() {
                        self.next_front_mask.next = self.front_mask.val() | self.goes.val();
                    } else {
                        self.push_back.next = true;
                        self.store.next = true;
                        self.store_at.next = self.back_at.val();
                        self.store_kind.next = self.kind_yield.val();
                        self.store_mask.next = self.goes.val();
                        self.store_pc.next = self.fall.val();
                        self.store_below.next = self.no_kind.val();
                        self.next_depth.next = self.depth.val() + self.one_token.val();
                    }
                }
            }
            // Who stays active: nobody after a yield; all others after a RETRY or PART; all after a WAKE.
            if self.sent.val() {
                self.stopped.next = self.goes.val();
                self.stop_kind.next = self.kind_yield.val();
                self.next_active.next = self.no_threads.val();
                if self.is_wake.val() {
                    self.next_active.next = self.active.val();
                    self.again.next = false;
                }
                if self.is_send.val() & self.rest_any.val() {
                    self.next_active.next = self.rest.val();
                    self.again.next = false;
                    if self.kind.val() == self.barrier_retry.val() {
                        self.next_pc.next = self.after.val();
                    }
                }
            }
        } else if self.is_push.val() {
            self.next_pc.next = self.fall.val();
            self.dropped.next = self.drops.val();
            self.push_front.next = self.pushes.val();
        } else if self.is_call.val() {
            self.dropped.next = self.drops.val();
            self.push_front.next = self.pushes.val();
            self.push_pc.next = self.after.val();
            if !self.d_any.val() {
                self.next_pc.next = self.fall.val();
            } else if !self.rest_any.val() {
                self.next_pc.next = self.target.val();
            } else {
                self.again.next = true;
                self.again_step.next = self.step_split.val();
            }
        } else if self.is_parting.val() {
            self.push_front.next = self.pushes.val();
            self.again.next = true;
            self.again_step.next = self.step_part.val();
            self.again_mask.next = self.active.val();
        } else if self.is_part.val() {
            if self.op.val() == self.op_mask.val() {
                // CONV-120.
                self.dropped.next = self.drops.val();
                self.next_pc.next = self.after.val();
                if self.rest_any.val() {
                    self.push_front.next = true;
                    self.push_kind.next = self.kind_subv.val();
                    self.push_mask.next = self.other_parts.val();
                    self.push_pc.next = self.after.val();
                    self.stop_kind.next = self.kind_subv.val();
                    self.stopped.next = self.other_parts.val();
                    self.next_active.next = self.goes.val();
                }
            } else {
                // CONV-122.
                self.parts.next = true;
            }
        } else if self.is_exit.val() {
            self.stopped.next = self.d.val();
            self.stop_kind.next = self.kind_exit.val();
            self.next_active.next = self.rest.val();
            if self.rest_any.val() {
                self.next_pc.next = self.fall.val();
            } else {
                self.unwind.next = true;
            }
        } else if self.is_sleep.val() {
            self.stopped.next = self.d.val();
            self.stop_kind.next = self.kind_barrier.val();
            self.next_active.next = self.rest.val();
            if self.rest_any.val() {
                self.next_pc.next = self.fall.val();
            } else {
                self.unwind.next = true;
            }
        } else if self.is_next.val() {
            self.next_pc.next = self.fall.val();
        } else if self.is_unwind.val() {
            self.unwind.next = true;
        }

        // ---- Unwind: nobody is active (CONV-070). The token at hand is T1 in every pass that comes here, unless it is still in memory.
        self.pop.next = false;
        self.blocks.next = false;
        self.runs_on.next = false;
        if self.parts.val() {
            if self.rest_any.val() | !self.t1_absent.val() {
                self.pop.next = !self.rest_any.val();
                self.next_front_mask.next = self.other_parts.val();
                self.next_active.next = self.goes.val();
                self.next_pc.next = self.front_pc.val();
            } else {
                self.again.next = true;
                self.again_step.next = self.step_part.val();
                self.again_mode.next = self.mode_wait.val();
            }
        }
        if self.unwind.val() {
            if !self.waiting_any.val() & self.asleep_any.val() {
                // All that is left sleeps: the tokens are kept (CONV-151).
                self.blocks.next = true;
            } else if !self.waiting_any.val() & self.masked_any.val() {
                // CONV-113; only EXIT comes here.
                self.runs_on.next = true;
                self.next_pc.next = self.after.val();
            } else if !self.waiting_any.val() {
                self.done.next = true;
                self.next_depth.next = self.no_tokens.val();
            } else if !self.have_front.val() {
                self.exception.next = true;
                self.cause.next = self.cause_lost_threads.val();
            } else if self.front_parts.val() & self.live_any.val() {
                self.again.next = true;
                self.again_step.next = self.step_part.val();
                self.again_mask.next = self.live.val();
            } else if self.t1_absent.val() {
                self.again.next = true;
                self.again_step.next = self.step_unwind.val();
                self.again_mode.next = self.mode_wait.val();
            } else {
                self.pop.next = true;
                self.again.next = !self.live_any.val();
                if self.live_any.val() {
                    self.next_active.next = self.awake.val();
                    self.next_pc.next = self.front_pc.val();
                }
            }
        }
        if self.pop.val() {
            self.next_front_kind.next = self.token_kind.val();
            self.next_front_mask.next = self.token_mask.val();
            self.next_front_pc.next = self.token_pc.val();
            self.next_front_below.next = self.token_below.val();
            self.next_depth.next = self.depth.val() - self.one_token.val();
        }

        // ---- Push at the front; the former front token moves to the token memory (CONV-031).
        if self.push_front.val() {
            self.next_front_kind.next = self.push_kind.val();
            self.next_front_mask.next = self.push_mask.val();
            self.next_front_pc.next = self.push_pc.val();
            self.next_front_below.next = self.below.val();
            self.next_depth.next = self.depth.val() + self.one_token.val();
            self.store.next = true;
            self.store_at.next = self.front_at.val();
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
            if self.is_launch.val() {
                self.next_reason[i].next = self.no_threads.val();
                if self.kind_exit.val().get_bit(i) {
                    self.next_reason[i].next = self.all_threads.val();
                }
            }
        }

        // ---- End of the operation; a forced yield may follow (CONV-055).
        self.finished.next = self.run.val()
            & !self.is_config.val()
            & !self.again.val()
            & !self.done.val()
            & !self.exception.val();
        self.deeper.next = self.have_front.val();
        if self.pop.val() {
            self.deeper.next = self.depth.val() != self.one_token.val();
        }
        if self.push_front.val() {
            self.deeper.next = true;
        }
        self.idles.next = self.blocks.val() | self.runs_on.val() | self.is_wake.val();
        if self.vacant.val() | self.is_set.val() {
            self.idles.next = !self.is_set.val() | !self.d_any.val();
        }
        self.next_blocked.next = self.blocks.val()
            | (self.was_blocked.val()
                & !self.is_launch.val()
                & !(self.is_wake.val() & self.d_any.val()));
        self.forced.next = self.finished.val()
            & !self.is_launch.val()
            & !self.idles.val()
            & self.forced_due.val()
            & self.deeper.val()
            & !self.owes.val();
        self.retire.next = (self.finished.val() | self.done.val()) & !self.is_launch.val();
        self.ready.next = self.finished.val()
            & !self.forced.val()
            & !self.blocks.val()
            & (!self.is_wake.val() | (self.d_any.val() & !self.rest_any.val()))
            & (!self.is_launch.val() | self.selected_any.val());
        if self.forced.val() {
            self.again.next = true;
            self.again_op.next = self.op_forced_yield.val();
            self.again_step.next = self.step_start.val();
            self.again_mode.next = self.mode_run.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random findings and state: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "execute",
            Execute::<8, 3>::default,
            3000,
            |u, rng, _| {
                u.op.next = rng.bits();
                u.kind.next = rng.bits();
                u.target.next = rng.bits();
                u.k.next = rng.bits();
                u.starting.next = rng.flip();
                u.selected.next = rng.bits();
                u.selected_any.next = rng.flip();
                u.d_any.next = rng.flip();
                u.rest_any.next = rng.flip();
                u.fall.next = rng.bits();
                u.falls.next = rng.flip();
                u.jumps.next = rng.flip();
                u.front_hit.next = rng.flip();
                u.front_clear.next = rng.flip();
                u.token_tried.next = rng.flip();
                u.token_same.next = rng.flip();
                u.token_there.next = rng.flip();
                u.token_some.next = rng.flip();
                u.token_last.next = rng.flip();
                u.token_yield.next = rng.flip();
                u.token_resumes.next = rng.flip();
                u.k_any.next = rng.flip();
                u.k_first.next = rng.flip();
                u.front_resumes.next = rng.flip();
                u.front_leaves.next = rng.flip();
                u.token_leaves.next = rng.flip();
                u.live.next = rng.bits();
                u.live_any.next = rng.flip();
                u.waiting_any.next = rng.flip();
                u.d_smaller.next = rng.flip();
                u.cfg_path.next = rng.bits();
                u.pushes.next = rng.flip();
                u.drops.next = rng.flip();
                u.below.next = rng.bits();
                u.fires.next = rng.flip();
                u.yields_plus_1.next = rng.bits();
                u.counted.next = rng.bits();
                u.forced_due.next = rng.flip();
                u.active.next = rng.bits();
                for r in &mut u.reason {
                    r.next = rng.bits();
                }
                u.pc.next = rng.bits();
                u.front_kind.next = rng.bits();
                u.front_mask.next = rng.bits();
                u.front_pc.next = rng.bits();
                u.front_below.next = rng.bits();
                u.depth.next = rng.bits();
                u.yields.next = rng.bits();
                u.token_at.next = rng.bits();
                u.token_kind.next = rng.bits();
                u.token_mask.next = rng.bits();
                u.token_pc.next = rng.bits();
                u.token_below.next = rng.bits();
                // At most one operation at a time.
                let one = rng.below(20);
                u.is_launch.next = one == 0;
                u.is_fault.next = one == 1;
                u.is_illegal_op.next = one == 2;
                u.is_illegal_kind.next = one == 3;
                u.is_leave.next = one == 4;
                u.is_branch.next = one == 5;
                u.is_yield.next = one == 6;
                let barrier = rng.below(5);
                u.is_send.next = one == 6 && barrier == 1;
                u.is_wake.next = one == 6 && barrier == 2;
                u.is_sleep.next = one == 13;
                u.goes.next = rng.bits();
                u.opens.next = rng.chance(1, 4);
                u.asleep_any.next = rng.flip();
                u.is_push.next = one == 7;
                u.is_exit.next = one == 8;
                u.is_next.next = one == 9;
                u.is_call.next = one == 10;
                u.is_config.next = one == 11;
                u.is_unwind.next = one == 12;
                u.is_set.next = one == 14;
                u.is_jump.next = one == 15;
                u.is_parting.next = one == 16;
                u.is_part.next = one == 17 || one == 18;
                u.vacant.next = rng.chance(1, 8);
                u.was_blocked.next = rng.flip();
                u.masked_any.next = rng.flip();
                u.front_parts.next = rng.flip();
                if rng.chance(1, 4) {
                    u.op.next = code::OP_MASK.into();
                }
                u.is_unallocated.next = rng.chance(1, 4);
                u.run.next = rng.chance(3, 4);
                u.after.next = rng.bits();
                u.searches.next = rng.flip();
                u.token_covers.next = rng.flip();
                u.scan_begins.next = rng.flip();
                u.steps_random.next = rng.flip();
                u.random_next.next = rng.bits();
                u.launch_random.next = rng.bits();
                u.random.next = rng.bits();
                u.backward.next = rng.bits();
                u.t1_absent.next = rng.chance(1, 4);
                u.tk_absent.next = rng.chance(1, 4);
                u.at_scratch.next = rng.flip();
                u.then_k.next = rng.bits();
                u.then_at.next = rng.bits();
                u.then_here.next = rng.flip();
                u.front_full.next = rng.chance(1, 4);
                u.back_full.next = rng.chance(1, 4);
                u.at_base.next = rng.chance(1, 4);
                u.at_bound.next = rng.chance(1, 4);
                u.front_at.next = rng.bits();
                u.back_at.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }
}
