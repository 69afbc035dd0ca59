//! Second half of a pass: carry out the operation. Combinational.
//!
//! Spec: `docs/spec/convergence.md`, CONV-010 to CONV-100. `matching.rs` has made all comparisons.
//!
//! # Passes
//! An operation starts with one pass that sees the warp's state, the front token T0 and one more token Tk.
//! Most operations end there. The others ask for a further pass (`again`): a LEAVE that searches on (`SEARCH`), a LEAVE whose
//! threads part ways (`SPLIT`, a branch of `again_mask`), a YIELD that scans on from the back (`SCAN`), discarding tokens
//! (`UNWIND`), or a forced yield after the operation (`START` of FORCED_YIELD).
//!
//! # Parameters
//! As `Match`.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `op`, `kind`, `target`, `k` | in | operation and operands |
//! | `is_launch` .. `front_resumes` | in | what `Match` found |
//! | `active` .. `depth`, `yields`, `token_*` | in | state of the warp, token Tk and its place; `head` is the place of T1, `last` that of the last token |
//! | `next_*` | out | state afterwards |
//! | `store*` | out | token to write to the token memory |
//! | `again*` | out | next pass, if any |
//! | `ready`, `retire`, `done`, `dropped`, `exception`, `cause` | out | outcome of the operation, when this was its last pass |
//!
//! # Errors
//! `exception` with `cause`: ILLEGAL_TYPE, LOST_THREADS, ILLEGAL_OP, or the datapath's own (FAULT).

use super::code;
use crate::hdl::*;
use crate::ports::cause;

#[derive(LogicBlock)]
pub struct Execute<const W: usize, const P: usize, const C: usize, const T: usize> {
    pub op: Signal<In, Bits<4>>,
    pub kind: Signal<In, Bits<4>>,
    pub target: Signal<In, Bits<22>>,
    pub k: Signal<In, Bits<C>>,
    pub is_launch: Signal<In, Bit>,
    pub is_fault: Signal<In, Bit>,
    pub is_illegal_op: Signal<In, Bit>,
    pub is_illegal_kind: Signal<In, Bit>,
    pub is_leave: Signal<In, Bit>,
    pub is_branch: Signal<In, Bit>,
    pub is_yield: Signal<In, Bit>,
    pub is_push: Signal<In, Bit>,
    pub is_exit: Signal<In, Bit>,
    pub is_next: Signal<In, Bit>,
    pub starting: Signal<In, Bit>,
    pub selected: Signal<In, Bits<W>>,
    pub selected_any: Signal<In, Bit>,
    pub d_any: Signal<In, Bit>,
    pub rest_any: Signal<In, Bit>,
    pub fall: Signal<In, Bits<22>>,
    pub falls: Signal<In, Bit>,
    pub front_hit: Signal<In, Bit>,
    pub front_clear: Signal<In, Bit>,
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
    pub front_leaves: Signal<In, Bit>,
    pub token_leaves: Signal<In, Bit>,
    pub live: Signal<In, Bits<W>>,
    pub live_any: Signal<In, Bit>,
    pub waiting_any: Signal<In, Bit>,
    pub d_smaller: Signal<In, Bit>,
    pub redundant: Signal<In, Bit>,
    pub is_short: Signal<In, Bit>,
    pub below: Signal<In, Bits<4>>,
    pub fires: Signal<In, Bit>,
    pub yields_plus_1: Signal<In, Bits<16>>,
    pub counted: Signal<In, Bits<16>>,
    pub forced_due: Signal<In, Bit>,
    pub active: Signal<In, Bits<W>>,
    pub reason: [Signal<In, Bits<W>>; 4],
    pub pc: Signal<In, Bits<22>>,
    pub front_kind: Signal<In, Bits<4>>,
    pub front_mask: Signal<In, Bits<W>>,
    pub front_pc: Signal<In, Bits<22>>,
    pub front_below: Signal<In, Bits<4>>,
    pub head: Signal<In, Bits<P>>,
    pub last: Signal<In, Bits<P>>,
    pub depth: Signal<In, Bits<C>>,
    pub yields: Signal<In, Bits<16>>,
    pub token_at: Signal<In, Bits<P>>,
    pub token_kind: Signal<In, Bits<4>>,
    pub token_mask: Signal<In, Bits<W>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub token_below: Signal<In, Bits<4>>,
    pub cfg_path: Signal<In, Bits<2>>,
    pub next_active: Signal<Out, Bits<W>>,
    pub next_reason: [Signal<Out, Bits<W>>; 4],
    pub next_pc: Signal<Out, Bits<22>>,
    pub next_front_kind: Signal<Out, Bits<4>>,
    pub next_front_mask: Signal<Out, Bits<W>>,
    pub next_front_pc: Signal<Out, Bits<22>>,
    pub next_front_below: Signal<Out, Bits<4>>,
    pub next_head: Signal<Out, Bits<P>>,
    pub next_last: Signal<Out, Bits<P>>,
    pub next_depth: Signal<Out, Bits<C>>,
    pub next_yields: Signal<Out, Bits<16>>,
    pub next_backward: Signal<Out, Bits<16>>,
    pub store: Signal<Out, Bit>,
    pub store_at: Signal<Out, Bits<P>>,
    pub store_kind: Signal<Out, Bits<4>>,
    pub store_mask: Signal<Out, Bits<W>>,
    pub store_pc: Signal<Out, Bits<22>>,
    pub store_below: Signal<Out, Bits<4>>,
    pub again: Signal<Out, Bit>,
    pub again_op: Signal<Out, Bits<4>>,
    pub again_step: Signal<Out, Bits<3>>,
    pub again_mask: Signal<Out, Bits<W>>,
    pub again_k: Signal<Out, Bits<C>>,
    pub again_at: Signal<Out, Bits<P>>,
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
    last_plus_1: Signal<Local, Bits<P>>,
    d: Signal<Local, Bits<W>>,
    d_first: Signal<Local, Bit>,
    rest: Signal<Local, Bits<W>>,
    caught: Signal<Local, Bits<W>>,
    uncaught: Signal<Local, Bits<W>>,
    uncaught_any: Signal<Local, Bit>,
    awake: Signal<Local, Bits<W>>,
    unwind: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    push_front: Signal<Local, Bit>,
    push_kind: Signal<Local, Bits<4>>,
    push_mask: Signal<Local, Bits<W>>,
    push_pc: Signal<Local, Bits<22>>,
    stopped: Signal<Local, Bits<W>>,
    stop_kind: Signal<Local, Bits<4>>,
    finished: Signal<Local, Bit>,
    forced: Signal<Local, Bit>,
    deeper: Signal<Local, Bit>,
    // Constants.
    taken_first: Constant<Bits<2>>,
    fall_through_first: Constant<Bits<2>>,
    op_forced_yield: Constant<Bits<4>>,
    step_start: Constant<Bits<3>>,
    step_search: Constant<Bits<3>>,
    step_split: Constant<Bits<3>>,
    step_scan: Constant<Bits<3>>,
    step_unwind: Constant<Bits<3>>,
    kind_div: Constant<Bits<4>>,
    kind_yield: Constant<Bits<4>>,
    kind_exit: Constant<Bits<4>>,
    no_kind: Constant<Bits<4>>,
    cause_illegal_type: Constant<Bits<4>>,
    cause_lost_threads: Constant<Bits<4>>,
    cause_illegal_op: Constant<Bits<4>>,
    no_threads: Constant<Bits<W>>,
    all_threads: Constant<Bits<W>>,
    no_tokens: Constant<Bits<C>>,
    one_token: Constant<Bits<C>>,
    no_place: Constant<Bits<P>>,
    one_place: Constant<Bits<P>>,
    /// `last` of an empty deque: head + depth − 2.
    before_first: Constant<Bits<P>>,
    zero_count: Constant<Bits<16>>,
}

impl<const W: usize, const P: usize, const C: usize, const T: usize> Default
    for Execute<W, P, C, T>
{
    fn default() -> Self {
        assert!(
            (4..=32).contains(&W) && 2 * W == 1 << P && C == P + 1 && T == 2 * W - 1,
            "Execute<{W}, {P}, {C}, {T}>"
        );
        block!({
            op, kind, target, k, is_launch, is_fault, is_illegal_op, is_illegal_kind, is_leave,
            is_branch, is_yield, is_push, is_exit, is_next, starting, selected, selected_any,
            d_any, rest_any, fall, falls, front_hit, front_clear, token_tried, token_same,
            token_there, token_some, token_last, token_yield, token_resumes, k_any, k_first,
            front_resumes, front_leaves, token_leaves, live, live_any, waiting_any, d_smaller,
            redundant, is_short, below, fires, yields_plus_1, counted, forced_due, active, reason,
            pc, front_kind, front_mask, front_pc, front_below, head, last, depth, yields, token_at,
            token_kind, token_mask, token_pc, token_below, cfg_path, next_active, next_reason,
            next_pc, next_front_kind, next_front_mask, next_front_pc, next_front_below, next_head,
            next_last, next_depth, next_yields, next_backward, store, store_at, store_kind,
            store_mask, store_pc, store_below, again, again_op, again_step, again_mask, again_k,
            again_at, ready, retire, done, dropped, exception, cause, token_hit, token_clear,
            search_on, back_hit, front_merge, scan_on, have_front, last_plus_1, d, d_first, rest,
            caught, uncaught, uncaught_any, awake, unwind, pop, push_front, push_kind, push_mask,
            push_pc, stopped, stop_kind, finished, forced, deeper,
        } {
            taken_first: Constant::new(code::PATH_TAKEN_FIRST.into()),
            fall_through_first: Constant::new(code::PATH_FALL_THROUGH_FIRST.into()),
            op_forced_yield: Constant::new(code::OP_FORCED_YIELD.into()),
            step_start: Constant::new(code::STEP_START.into()),
            step_search: Constant::new(code::STEP_SEARCH.into()),
            step_split: Constant::new(code::STEP_SPLIT.into()),
            step_scan: Constant::new(code::STEP_SCAN.into()),
            step_unwind: Constant::new(code::STEP_UNWIND.into()),
            kind_div: Constant::new(code::KIND_DIV.into()),
            kind_yield: Constant::new(code::KIND_YIELD.into()),
            kind_exit: Constant::new(code::KIND_EXIT.into()),
            no_kind: Constant::new(0.into()),
            cause_illegal_type: Constant::new(u64::from(cause::ILLEGAL_TYPE).into()),
            cause_lost_threads: Constant::new(u64::from(cause::LOST_THREADS).into()),
            cause_illegal_op: Constant::new(u64::from(cause::ILLEGAL_OP).into()),
            no_threads: Constant::new(0.into()),
            all_threads: Constant::new(Bits::<W>::mask()),
            no_tokens: Constant::new(0.into()),
            one_token: Constant::new(1.into()),
            no_place: Constant::new(0.into()),
            one_place: Constant::new(1.into()),
            before_first: Constant::new((2 * W as u64 - 2).into()),
            zero_count: Constant::new(0.into()),
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
        self.next_last.next = self.last.val();
        self.next_depth.next = self.depth.val();
        self.next_yields.next = self.yields.val();
        self.next_backward.next = self.counted.val();
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
        self.again_at.next = self.token_at.val() + self.one_place.val();
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

        // ---- The token at hand (CONV-040 to 042, CONV-051).
        self.token_hit.next = self.token_tried.val()
            & self.token_same.val()
            & self.token_there.val()
            & self.token_some.val();
        self.token_clear.next =
            self.token_tried.val() & self.token_same.val() & !self.token_there.val();
        self.search_on.next =
            self.token_tried.val() & !self.token_hit.val() & !self.token_last.val();
        self.back_hit.next = self.k_any.val() & self.token_yield.val() & self.token_resumes.val();
        self.front_merge.next = self.front_resumes.val()
            & (!self.k_any.val() | (self.k_first.val() & self.token_yield.val()));
        self.scan_on.next = self.k_any.val()
            & !self.k_first.val()
            & self.token_yield.val()
            & !self.token_resumes.val();

        // ---- Who is caught (CONV-042); who wakes when the front token is popped (CONV-070).
        self.have_front.next = self.depth.val().any();
        self.last_plus_1.next = self.last.val() + self.one_place.val();
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

        // ---- Who runs first (CONV-011).
        self.d_first.next = self.d_smaller.val();
        if self.cfg_path.val() == self.taken_first.val() {
            self.d_first.next = true;
        }
        if self.cfg_path.val() == self.fall_through_first.val() {
            self.d_first.next = false;
        }

        // ---- Carry out.
        if self.is_launch.val() {
            self.next_active.next = self.selected.val();
            self.next_pc.next = self.target.val();
            self.next_depth.next = self.no_tokens.val();
            self.next_head.next = self.no_place.val();
            self.next_last.next = self.before_first.val();
            self.next_yields.next = self.zero_count.val();
            self.next_backward.next = self.zero_count.val();
        } else if self.is_fault.val() {
            self.exception.next = true;
        } else if self.is_illegal_op.val() {
            self.exception.next = true;
            self.cause.next = self.cause_illegal_op.val();
        } else if self.is_illegal_kind.val() {
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
                    self.again_k.next = self.k.val() + self.one_token.val();
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
            if !self.fires.val() {
                self.next_yields.next = self.yields_plus_1.val();
                self.next_pc.next = self.fall.val();
            } else {
                if self.op.val() != self.op_forced_yield.val() {
                    self.next_yields.next = self.zero_count.val();
                }
                self.next_backward.next = self.zero_count.val();
                self.again.next = true;
                if self.scan_on.val() {
                    self.again_step.next = self.step_scan.val();
                    self.again_k.next = self.k.val() - self.one_token.val();
                    self.again_at.next = self.token_at.val() - self.one_place.val();
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
                        self.store_at.next = self.last_plus_1.val();
                        self.next_last.next = self.last_plus_1.val();
                        self.store_kind.next = self.kind_yield.val();
                        self.store_mask.next = self.active.val();
                        self.store_pc.next = self.fall.val();
                        self.store_below.next = self.no_kind.val();
                        self.next_depth.next = self.depth.val() + self.one_token.val();
                    }
                }
            }
        } else if self.is_push.val() {
            self.next_pc.next = self.fall.val();
            self.dropped.next = !self.redundant.val() & self.is_short.val();
            self.push_front.next = !self.redundant.val() & !self.is_short.val();
        } else if self.is_exit.val() {
            self.stopped.next = self.d.val();
            self.stop_kind.next = self.kind_exit.val();
            self.next_active.next = self.rest.val();
            if self.rest_any.val() {
                self.next_pc.next = self.fall.val();
            } else {
                self.unwind.next = true;
            }
        } else if self.is_next.val() {
            self.next_pc.next = self.fall.val();
        } else {
            self.unwind.next = true;
        }

        // ---- Unwind: nobody is active (CONV-070). The token at hand is T1 in every pass that comes here.
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
            self.next_head.next = self.head.val() + self.one_place.val();
            self.next_depth.next = self.depth.val() - self.one_token.val();
        }

        // ---- Push at the front; the former front token moves to the token memory (CONV-031).
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
            if self.is_launch.val() {
                self.next_reason[i].next = self.no_threads.val();
                if self.kind_exit.val().get_bit(i) {
                    self.next_reason[i].next = self.all_threads.val();
                }
            }
        }

        // ---- End of the operation; a forced yield may follow (CONV-055).
        self.finished.next = !self.again.val() & !self.done.val() & !self.exception.val();
        self.deeper.next = self.have_front.val();
        if self.pop.val() {
            self.deeper.next = self.depth.val() != self.one_token.val();
        }
        if self.push_front.val() {
            self.deeper.next = true;
        }
        self.forced.next =
            self.finished.val() & !self.is_launch.val() & self.forced_due.val() & self.deeper.val();
        self.retire.next = (self.finished.val() | self.done.val()) & !self.is_launch.val();
        self.ready.next = self.finished.val()
            & !self.forced.val()
            & (!self.is_launch.val() | self.selected_any.val());
        if self.forced.val() {
            self.again.next = true;
            self.again_op.next = self.op_forced_yield.val();
            self.again_step.next = self.step_start.val();
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
            Execute::<8, 4, 5, 15>::default,
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
                u.redundant.next = rng.flip();
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
                u.head.next = rng.bits();
                u.last.next = rng.bits();
                u.depth.next = rng.bits();
                u.yields.next = rng.bits();
                u.token_at.next = rng.bits();
                u.token_kind.next = rng.bits();
                u.token_mask.next = rng.bits();
                u.token_pc.next = rng.bits();
                u.token_below.next = rng.bits();
                // At most one operation at a time.
                let one = rng.below(12);
                u.is_launch.next = one == 0;
                u.is_fault.next = one == 1;
                u.is_illegal_op.next = one == 2;
                u.is_illegal_kind.next = one == 3;
                u.is_leave.next = one == 4;
                u.is_branch.next = one == 5;
                u.is_yield.next = one == 6;
                u.is_push.next = one == 7;
                u.is_exit.next = one == 8;
                u.is_next.next = one == 9;
                u.is_short.next = rng.flip();
            },
            None,
        )
        .unwrap();
    }
}
