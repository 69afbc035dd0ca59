//! Second step of a pass: decide what happens. Combinational;
//! one bit at a time, so that `execute.rs` only has to choose between masks and addresses.
//!
//! Spec: `docs/spec/convergence.md`, CONV-010 to CONV-100.
//! `matching.rs` has made the comparisons with the warp's state; those with the token at
//! hand, whose memory is the slowest, are finished here.
//!
//! # Passes
//! An operation starts with one pass that sees the warp's state, the front token T0 and one more token Tk.
//! Most operations end there. The others ask for a further pass (`again`): a LEAVE that searches on (`SEARCH`), a LEAVE
//! whose threads part ways (`SPLIT`, a branch of `again_mask`), a YIELD (also a RETRY, PART or WAKE, which make YIELD
//! tokens) that scans on from the back (`SCAN`), discarding tokens
//! (`UNWIND`), a SUBV_START that has made its SYNC token and an unwinding to a SUBV token (`PART`, one part of
//! `again_mask` goes on), or a forced yield after the operation (`START` of FORCED_YIELD).
//! Where the window has to be served first, `again_mode` says so.
//!
//! # Parameters
//! `W` threads per warp; `P` bits of a thread count.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `kind` | in | type of token |
//! | `is_launch` .. `counts` | in | what `Decode` and `Match` found |
//! | `was_blocked` .. `token_below` | in | state of the warp, token Tk; `*_groups`: threads of *d* that Tk names, of the group that it does not, bits of its address that differ from the target and from the resume address, in every eighth place for eight |
//! | `t1_absent` .. `at_bound` | in | what `Locate` found |
//! | `next_random`, `next_blocked` | out | state afterwards |
//! | `clears_backward`, `counts_backward` | out | the counter of backward transfers is cleared, or counts one (CONV-055) |
//! | `clears_yields`, `counts_yield` | out | the counter of yields is cleared, or counts one (CONV-050) |
//! | `pc_from`, `front_from`, `push_from`, `store_from` | out | where the next pc, T0, its address when pushed, and the token to write come from: codes in `code.rs` |
//! | `takes`, `takes_live` | out | `comes` become active; likewise, at the address of T0 |
//! | `by_token`, `by_front` | out | this token catches what it names |
//! | `stops_caught`, `stops` | out | who is caught stops; those named stop |
//! | `new_kind` | out | … and for which reason; also the type of the token that is pushed at the front |
//! | `names_side` | out | the threads named are those of the group of a branch that does not run first |
//! | `d_first`, `owes_side` | out | of a branch whose threads part ways: *d* runs first; if it does not, no forced yield follows |
//! | `push_front`, `push_back`, `pop`, `store` | out | what happens to the deque |
//! | `blocked` | out | nothing happens yet, for want of room at the front |
//! | `again`, `again_step`, `again_mode`, `follows` | out | next pass, if any; it looks at the next token |
//! | `parts_next`, `waits_behind`, `pops_on` | out | … when nobody is active: a part of those who wake goes on; T1 has to come; T1 is popped too |
//! | `forcible`, `goes_ready` | out | a forced yield follows the operation if there is a token (CONV-055), bit 1: though one is popped; the warp may issue if none does |
//! | `done`, `dropped`, `exception`, `cause` | out | outcome |
//! | `pop_behind` | out | depth is not 1 |
//!
//! # Errors
//! `exception` with `cause`: ILLEGAL_TYPE, LOST_THREADS, ILLEGAL_OP, ALLOCATION, or the datapath's own (FAULT).

use super::{code, policy::Step};
use crate::hdl::*;
use crate::ports::cause;

#[module(kernel(Find, CarryOut, Unwind))]
pub struct Decide<const W: usize, const P: usize> {
    pub kind: Signal<In, Bits<4>>,
    pub is_launch: Signal<In, Bit>,
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
    pub is_forced: Signal<In, Bit>,
    pub is_mask: Signal<In, Bit>,
    pub calls: Signal<In, Bit>,
    pub vacant: Signal<In, Bit>,
    pub starting: Signal<In, Bit>,
    pub selected_any: Signal<In, Bit>,
    pub d_some: [Signal<In, Bit>; 4],
    pub rest_any: Signal<In, Bit>,
    pub jumps: Signal<In, Bit>,
    pub falls: Signal<In, Bit>,
    pub front_hit: Signal<In, Bit>,
    pub front_clear: Signal<In, Bit>,
    pub front_last: Signal<In, Bit>,
    pub k_last: Signal<In, Bit>,
    pub k_any: Signal<In, Bit>,
    pub k_first: Signal<In, Bit>,
    pub front_resumes: Signal<In, Bit>,
    pub front_leaves: Signal<In, Bit>,
    pub live_any: Signal<In, Bit>,
    pub waiting_any: Signal<In, Bit>,
    pub asleep_any: Signal<In, Bit>,
    pub masked_any: Signal<In, Bit>,
    pub front_parts: Signal<In, Bit>,
    pub d_low: Signal<In, Bits<P>>,
    pub d_high: Signal<In, Bits<P>>,
    pub rest_low: Signal<In, Bits<P>>,
    pub rest_high: Signal<In, Bits<P>>,
    pub enters: Signal<In, Bit>,
    pub drops: Signal<In, Bit>,
    pub due: Signal<In, Bit>,
    pub begins: Signal<In, Bit>,
    pub steps_random: Signal<In, Bit>,
    pub launch_random: Signal<In, Bits<16>>,
    pub counts: Signal<In, Bit>,
    pub was_blocked: Signal<In, Bit>,
    pub depth: Signal<In, Bits<10>>,
    pub have_front: Signal<In, Bit>,
    pub random: Signal<In, Bits<16>>,
    pub token_same: Signal<In, Bit>,
    pub token_yield: Signal<In, Bit>,
    pub caught_groups: Signal<In, Bits<W>>,
    pub uncaught_groups: Signal<In, Bits<W>>,
    pub apart_groups: Signal<In, Bits<22>>,
    pub resume_groups: Signal<In, Bits<22>>,
    pub token_below: Signal<In, Bits<4>>,
    pub t1_absent: Signal<In, Bit>,
    pub tk_absent: Signal<In, Bit>,
    pub at_scratch: Signal<In, Bit>,
    pub then_here: Signal<In, Bit>,
    pub front_full: Signal<In, Bit>,
    pub back_full: Signal<In, Bit>,
    pub at_base: Signal<In, Bit>,
    pub at_bound: Signal<In, Bit>,
    pub cfg_path: Signal<In, Bits<2>>,
    pub reached: Signal<In, Bits<2>>,
    pub reaches: Signal<In, Bits<2>>,
    pub clears_backward: Signal<Out, Bit>,
    pub counts_backward: Signal<Out, Bit>,
    pub next_random: Signal<Out, Bits<16>>,
    pub clears_yields: Signal<Out, Bit>,
    pub counts_yield: Signal<Out, Bit>,
    pub next_blocked: Signal<Out, Bit>,
    pub pc_from: Signal<Out, Bits<3>>,
    pub front_from: Signal<Out, Bits<2>>,
    pub push_from: Signal<Out, Bits<3>>,
    pub store_from: Signal<Out, Bits<2>>,
    pub takes: Signal<Out, Bit>,
    pub takes_live: Signal<Out, Bit>,
    pub by_token: Signal<Out, Bit>,
    pub by_front: Signal<Out, Bit>,
    pub stops_caught: Signal<Out, Bit>,
    pub stops: Signal<Out, Bit>,
    pub names_side: Signal<Out, Bit>,
    pub owes_side: Signal<Out, Bit>,
    pub d_first: Signal<Out, Bit>,
    pub new_kind: Signal<Out, Bits<4>>,
    pub push_front: Signal<Out, Bit>,
    pub push_back: Signal<Out, Bit>,
    pub pop: Signal<Out, Bit>,
    pub store: Signal<Out, Bit>,
    pub blocked: Signal<Out, Bit>,
    pub again: Signal<Out, Bit>,
    pub again_step: Signal<Out, Bits<3>>,
    pub again_mode: Signal<Out, Bits<3>>,
    pub follows: Signal<Out, Bit>,
    pub parts_next: Signal<Out, Bit>,
    pub waits_behind: Signal<Out, Bit>,
    pub pops_on: Signal<Out, Bit>,
    pub forcible: Signal<Out, Bits<2>>,
    pub goes_ready: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub dropped: Signal<Out, Bit>,
    pub exception: Signal<Out, Bit>,
    pub cause: Signal<Out, Bits<4>>,
    pub pop_behind: Signal<Out, Bit>,
    // Combinational.
    d_any: Signal<Local, Bit>,
    token_there: Signal<Local, Bit>,
    token_some: Signal<Local, Bit>,
    token_leaves: Signal<Local, Bit>,
    token_last: Signal<Local, Bit>,
    token_resumes: Signal<Local, Bit>,
    token_tried: Signal<Local, Bit>,
    searches: Signal<Local, Bit>,
    fires_start: Signal<Local, Bit>,
    fires: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    forced_due: Signal<Local, Bits<2>>,
    step: Step,
    sleeps: Signal<Local, Bit>,
    lives: Signal<Local, Bit>,
    d_count: Signal<Local, Bits<P>>,
    rest_count: Signal<Local, Bits<P>>,
    token_hit: Signal<Local, Bit>,
    token_clear: Signal<Local, Bit>,
    write_back: Signal<Local, Bit>,
    search_on: Signal<Local, Bit>,
    back_hit: Signal<Local, Bit>,
    front_merge: Signal<Local, Bit>,
    scan_on: Signal<Local, Bit>,
    scan_absent: Signal<Local, Bit>,
    merge_back: Signal<Local, Bit>,
    forks: Signal<Local, Bit>,
    back_blocked: Signal<Local, Bit>,
    then_mode: Signal<Local, Bits<3>>,
    front_mode: Signal<Local, Bits<3>>,
    back_mode: Signal<Local, Bits<3>>,
    d_smaller: Signal<Local, Bit>,
    uncaught_any: Signal<Local, Bit>,
    unwind: Signal<Local, Bit>,
    sent: Signal<Local, Bit>,
    owes: Signal<Local, Bit>,
    parts: Signal<Local, Bit>,
    blocks: Signal<Local, Bit>,
    runs_on: Signal<Local, Bit>,
    idles: Signal<Local, Bit>,
    // Constants.
    #[value(code::PATH_TAKEN_FIRST.into())]
    taken_first: Constant<Bits<2>>,
    #[value(code::PATH_FALL_THROUGH_FIRST.into())]
    fall_through_first: Constant<Bits<2>>,
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
    #[value(code::MODE_RUN.into())]
    mode_run: Constant<Bits<3>>,
    #[value(code::MODE_WAIT.into())]
    mode_wait: Constant<Bits<3>>,
    #[value(code::MODE_FETCH.into())]
    mode_fetch: Constant<Bits<3>>,
    #[value(code::MODE_WRITE_BACK.into())]
    mode_write_back: Constant<Bits<3>>,
    #[value(code::MODE_RECENTER.into())]
    mode_recenter: Constant<Bits<3>>,
    #[value(code::KIND_SYNC.into())]
    kind_sync: Constant<Bits<4>>,
    #[value(code::KIND_CALL.into())]
    kind_call: Constant<Bits<4>>,
    #[value(code::KIND_SUBV.into())]
    kind_subv: Constant<Bits<4>>,
    #[value(code::KIND_DIV.into())]
    kind_div: Constant<Bits<4>>,
    #[value(code::KIND_YIELD.into())]
    kind_yield: Constant<Bits<4>>,
    #[value(code::KIND_EXIT.into())]
    kind_exit: Constant<Bits<4>>,
    #[value(code::KIND_BARRIER.into())]
    kind_barrier: Constant<Bits<4>>,
    #[value(code::BARRIER_RETRY.into())]
    barrier_retry: Constant<Bits<4>>,
    #[value(u64::from(cause::ILLEGAL_TYPE).into())]
    cause_illegal_type: Constant<Bits<4>>,
    #[value(u64::from(cause::LOST_THREADS).into())]
    cause_lost_threads: Constant<Bits<4>>,
    #[value(u64::from(cause::ILLEGAL_OP).into())]
    cause_illegal_op: Constant<Bits<4>>,
    #[value(u64::from(cause::ALLOCATION).into())]
    cause_allocation: Constant<Bits<4>>,
    #[value(code::PC_HOLD.into())]
    pc_hold: Constant<Bits<3>>,
    #[value(code::PC_TARGET.into())]
    pc_target: Constant<Bits<3>>,
    #[value(code::PC_FALL.into())]
    pc_fall: Constant<Bits<3>>,
    #[value(code::PC_AFTER.into())]
    pc_after: Constant<Bits<3>>,
    #[value(code::PC_FRONT.into())]
    pc_front: Constant<Bits<3>>,
    #[value(code::PC_SIDE.into())]
    pc_side: Constant<Bits<3>>,
    #[value(code::FRONT_HOLD.into())]
    front_is_hold: Constant<Bits<2>>,
    #[value(code::FRONT_NAMED.into())]
    front_is_named: Constant<Bits<2>>,
    #[value(code::FRONT_JOINED.into())]
    front_is_joined: Constant<Bits<2>>,
    #[value(code::FRONT_WITHOUT.into())]
    front_is_without: Constant<Bits<2>>,
    #[value(code::STORE_WITHOUT.into())]
    store_without: Constant<Bits<2>>,
    #[value(code::STORE_JOINED.into())]
    store_joined: Constant<Bits<2>>,
    #[value(code::STORE_NEW.into())]
    store_new: Constant<Bits<2>>,
    #[value(code::STORE_FRONT.into())]
    store_front: Constant<Bits<2>>,
    #[value(0.into())]
    no_force: Constant<Bits<2>>,
    #[value(0x1_0101.into())]
    group_bits: Constant<Bits<22>>,
    #[value((0x0101_0101_0101_0101 & Bits::<W>::mask().to_u64()).into())]
    group_threads: Constant<Bits<W>>,
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
}

/// What holds whatever becomes of the operation: its token, yields, room, who is caught, who runs first.
struct Find;

#[part(Decide<W, P>, Find)]
fn update(&mut self) {
    // ---- The token at hand (CONV-040 to 042, CONV-051).
    self.d_any.next =
        self.d_some[0].val() | self.d_some[1].val() | self.d_some[2].val() | self.d_some[3].val();
    self.token_there.next = !(self.apart_groups.val() & self.group_bits.val()).any();
    self.token_some.next = (self.caught_groups.val() & self.group_threads.val()).any();
    self.token_leaves.next = (self.uncaught_groups.val() & self.group_threads.val()).any();
    self.token_last.next = self.k_last.val()
        | self.token_yield.val()
        | ((self.kind.val() == self.kind_sync.val()) & !self.token_below.val().get_bit(0))
        | ((self.kind.val() == self.kind_call.val()) & !self.token_below.val().get_bit(2));
    self.token_resumes.next = !(self.resume_groups.val() & self.group_bits.val()).any();
    self.searches.next = self.is_leave.val()
        & (!self.starting.val() | (!self.front_hit.val() & !self.front_last.val()));
    self.token_tried.next = self.searches.val() & !(self.starting.val() & self.t1_absent.val());
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
    self.scan_on.next =
        self.k_any.val() & !self.k_first.val() & self.token_yield.val() & !self.token_resumes.val();
    self.scan_absent.next = self.begins.val() & self.tk_absent.val();
    self.merge_back.next = self.back_hit.val() & self.at_scratch.val() & self.token_leaves.val();
    self.then_mode.next = self.mode_run.val();
    if !self.then_here.val() {
        self.then_mode.next = self.mode_fetch.val();
    }

    // ---- Does a yield fire (CONV-050), and what makes YIELD tokens otherwise (CONV-152 to 154)?
    self.fires_start.next = self.have_front.val() & self.due.val();
    if self.is_send.val() {
        self.fires_start.next = self.d_any.val() & (self.rest_any.val() | self.have_front.val());
    }
    if self.is_wake.val() {
        self.fires_start.next = self.d_any.val() & self.rest_any.val();
    }
    self.fires.next = !self.starting.val() | self.is_forced.val() | self.fires_start.val();
    self.opens.next = self.is_yield.val() & self.fires.val() & !self.have_front.val();

    // ---- Is there room for what is to be pushed (SPILL-020, SPILL-032)?
    self.forks.next = self.rest_any.val()
        & ((self.is_branch.val() & self.d_any.val() & !self.falls.val())
            | (self.is_part.val() & self.is_mask.val()));
    self.blocked.next = !self.vacant.val()
        & (self.enters.val() | self.forks.val() | self.opens.val())
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
    self.by_front.next = self.front_hit.val();
    self.by_token.next = self.token_hit.val() & !self.front_hit.val();
    self.uncaught_any.next = self.d_any.val();
    if self.token_hit.val() {
        self.uncaught_any.next = self.token_leaves.val();
    }
    if self.front_hit.val() {
        self.uncaught_any.next = self.front_leaves.val();
    }
    self.lives.next = self.live_any.val() | self.front_hit.val();
    self.sleeps.next = self.asleep_any.val() | (self.is_sleep.val() & self.d_any.val());

    // ---- Who runs first (CONV-011).
    self.d_count.next = self.d_low.val() + self.d_high.val();
    self.rest_count.next = self.rest_low.val() + self.rest_high.val();
    self.d_smaller.next = self.d_count.val() <= self.rest_count.val();
    self.d_first.next = self.d_smaller.val();
    if self.cfg_path.val() == self.taken_first.val() {
        self.d_first.next = true;
    }
    if self.cfg_path.val() == self.fall_through_first.val() {
        self.d_first.next = false;
    }
    if self.calls.val() {
        self.d_first.next = true;
    }

    // ---- What the operation makes, if it makes any: for these it does not matter who is caught, nor whether there
    // is room.
    self.new_kind.next = self.kind.val();
    if self.is_branch.val() {
        self.new_kind.next = self.kind_div.val();
    }
    if self.is_yield.val() {
        self.new_kind.next = self.kind_yield.val();
    }
    if self.is_part.val() {
        self.new_kind.next = self.kind_subv.val();
    }
    if self.is_exit.val() {
        self.new_kind.next = self.kind_exit.val();
    }
    if self.is_sleep.val() {
        self.new_kind.next = self.kind_barrier.val();
    }
    self.push_from.next = self.pc_target.val();
    if self.is_branch.val() {
        self.push_from.next = self.pc_side.val();
    }
    if self.is_yield.val() | self.is_call.val() | self.is_part.val() {
        self.push_from.next = self.pc_fall.val();
    }
    self.store_from.next = self.store_front.val();
    if self.is_leave.val() {
        self.store_from.next = self.store_without.val();
    }
    if self.is_yield.val() & self.have_front.val() {
        self.store_from.next = self.store_new.val();
        if self.back_hit.val() {
            self.store_from.next = self.store_joined.val();
        }
    }
    self.cause.next = self.cause_lost_threads.val();
    if self.is_launch.val() {
        self.cause.next = self.cause_allocation.val();
    }
    if self.is_fault.val() {
        self.cause.next = self.kind.val();
    }
    if self.is_illegal_op.val() {
        self.cause.next = self.cause_illegal_op.val();
    }
    if self.is_illegal_kind.val() {
        self.cause.next = self.cause_illegal_type.val();
    }
}

/// What the operation does to the warp and to its token.
struct CarryOut;

#[part(Decide<W, P>, CarryOut)]
fn update(&mut self) {
    // ---- Hold by default.
    self.clears_yields.next = false;
    self.counts_yield.next = false;
    self.clears_backward.next = false;
    self.counts_backward.next = self.counts.val();
    self.step.random.next = self.random.val();
    self.next_random.next = self.random.val();
    if self.steps_random.val() {
        self.next_random.next = self.step.stepped.val();
    }
    self.pc_from.next = self.pc_hold.val();
    self.front_from.next = self.front_is_hold.val();
    self.store.next = false;
    self.takes.next = false;
    self.takes_live.next = false;
    self.stops_caught.next = false;
    self.stops.next = false;
    self.names_side.next = self.is_branch.val();
    self.again.next = false;
    self.again_step.next = self.step_unwind.val();
    self.again_mode.next = self.mode_run.val();
    self.follows.next = false;
    self.done.next = false;
    self.dropped.next = false;
    // What else is decided for such an operation does not matter: its warp is freed.
    self.exception.next = self.is_fault.val() | self.is_illegal_op.val();
    self.owes.next = false;
    self.owes_side.next = false;
    self.sent.next = false;
    self.unwind.next = false;
    self.parts.next = false;
    self.push_front.next = false;
    self.push_back.next = false;

    // ---- Carry out.
    if self.is_launch.val() {
        self.takes.next = true;
        self.pc_from.next = self.pc_target.val();
        self.clears_yields.next = true;
        self.clears_backward.next = true;
        self.next_random.next = self.launch_random.val();
        self.exception.next = self.is_unallocated.val();
    } else if self.is_set.val() {
        // Whoever was off stays off for its reason; MASKED is the kind of this pass.
        self.takes.next = true;
        self.stops.next = true;
        self.pc_from.next = self.pc_fall.val();
    } else if self.is_jump.val() {
        self.pc_from.next = self.pc_target.val();
    } else if self.vacant.val() {
        // CONV-110.
        self.next_random.next = self.random.val();
        self.pc_from.next = self.pc_after.val();
    } else if self.is_illegal_kind.val() {
        self.exception.next = true;
    } else if self.is_leave.val() {
        if !self.d_any.val() {
            self.pc_from.next = self.pc_fall.val();
        } else if self.write_back.val() {
            // Then the same token once more: now it has nobody to lose.
            self.store.next = true;
            self.again.next = true;
            self.again_step.next = self.step_search.val();
            self.again_mode.next = self.mode_write_back.val();
        } else {
            if self.front_clear.val() {
                self.front_from.next = self.front_is_without.val();
            }
            if self.token_clear.val() {
                self.store.next = true;
            }
            if self.search_on.val() {
                self.again.next = true;
                self.again_step.next = self.step_search.val();
                if self.token_tried.val() {
                    self.again_mode.next = self.then_mode.val();
                    self.follows.next = true;
                } else {
                    self.again_mode.next = self.mode_fetch.val();
                }
            } else {
                self.stops_caught.next = true;
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
                } else if self.uncaught_any.val() {
                    self.pc_from.next = self.pc_target.val();
                } else {
                    self.pc_from.next = self.pc_fall.val();
                    self.owes.next = self.jumps.val();
                }
            }
        }
    } else if self.blocked.val() {
        self.counts_backward.next = false;
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
            self.pc_from.next = self.pc_fall.val();
        } else if !self.rest_any.val() | self.falls.val() {
            self.pc_from.next = self.pc_target.val();
        } else {
            self.push_front.next = true;
            self.stops.next = true;
            self.pc_from.next = self.pc_side.val();
            self.front_from.next = self.front_is_named.val();
            self.owes_side.next = self.jumps.val();
        }
    } else if self.is_yield.val() {
        if !self.fires.val() {
            if self.is_wake.val() {
                if self.d_any.val() & !self.rest_any.val() {
                    self.takes.next = true;
                    self.pc_from.next = self.pc_fall.val();
                }
            } else if self.is_send.val() {
                if !self.d_any.val() & (self.kind.val() == self.barrier_retry.val()) {
                    self.pc_from.next = self.pc_after.val();
                }
            } else {
                self.counts_yield.next = true;
                self.pc_from.next = self.pc_fall.val();
            }
        } else {
            if !self.is_send.val() & !self.is_wake.val() {
                if !self.is_forced.val() {
                    self.clears_yields.next = true;
                }
                self.clears_backward.next = true;
            }
            self.again.next = true;
            if self.opens.val() {
                self.sent.next = true;
                self.push_front.next = true;
                self.front_from.next = self.front_is_named.val();
            } else if self.scan_absent.val() {
                self.again_step.next = self.step_scan.val();
                self.again_mode.next = self.mode_fetch.val();
            } else if self.scan_on.val() {
                self.again_step.next = self.step_scan.val();
                self.again_mode.next = self.then_mode.val();
                self.follows.next = true;
            } else if self.merge_back.val() {
                // Then the same token once more: now it names the threads.
                self.store.next = true;
                self.again_step.next = self.step_scan.val();
                self.again_mode.next = self.mode_write_back.val();
            } else if self.back_blocked.val() {
                self.again_step.next = self.step_rescan.val();
                self.again_mode.next = self.back_mode.val();
            } else {
                self.sent.next = true;
                if self.back_hit.val() {
                    self.store.next = !self.at_scratch.val();
                } else if self.front_merge.val() {
                    self.front_from.next = self.front_is_joined.val();
                } else {
                    self.push_back.next = true;
                    self.store.next = true;
                }
            }
        }
        // Who stays active: nobody after a yield; all others after a RETRY or PART; all after a WAKE.
        if self.sent.val() {
            self.stops.next = true;
            if self.is_wake.val() {
                self.again.next = false;
            }
            if self.is_send.val() & self.rest_any.val() {
                self.again.next = false;
                if self.kind.val() == self.barrier_retry.val() {
                    self.pc_from.next = self.pc_after.val();
                }
            }
        }
    } else if self.is_push.val() {
        self.pc_from.next = self.pc_fall.val();
        self.dropped.next = self.drops.val();
        self.push_front.next = self.enters.val();
        if self.enters.val() {
            self.front_from.next = self.front_is_named.val();
        }
    } else if self.is_call.val() {
        self.dropped.next = self.drops.val();
        self.push_front.next = self.enters.val();
        if self.enters.val() {
            self.front_from.next = self.front_is_named.val();
        }
        if !self.d_any.val() {
            self.pc_from.next = self.pc_hold.val();
        } else if !self.rest_any.val() {
            self.pc_from.next = self.pc_target.val();
        } else {
            self.again.next = true;
            self.again_step.next = self.step_split.val();
        }
    } else if self.is_parting.val() {
        self.push_front.next = self.enters.val();
        if self.enters.val() {
            self.front_from.next = self.front_is_named.val();
        }
        self.again.next = true;
        self.again_step.next = self.step_part.val();
    } else if self.is_part.val() {
        if self.is_mask.val() {
            // CONV-120.
            self.dropped.next = self.drops.val();
            self.pc_from.next = self.pc_after.val();
            if self.rest_any.val() {
                self.push_front.next = true;
                self.front_from.next = self.front_is_named.val();
                self.stops.next = true;
            }
        } else {
            // CONV-122.
            self.parts.next = true;
            self.again_step.next = self.step_part.val();
        }
    } else if self.is_exit.val() | self.is_sleep.val() {
        self.stops.next = true;
        if self.rest_any.val() {
            self.pc_from.next = self.pc_fall.val();
        } else {
            self.unwind.next = true;
        }
    } else if self.is_next.val() {
        self.pc_from.next = self.pc_fall.val();
    } else if self.is_unwind.val() {
        self.unwind.next = true;
    }
}

/// Nobody is active: the token at hand is unwound; what is pushed; the end of the operation.
struct Unwind;

#[part(Decide<W, P>, Unwind)]
fn update(&mut self) {
    // ---- Unwind: nobody is active (CONV-070). The token at hand is T1 in every pass that comes here, unless it is
    // still in memory.
    self.pop.next = false;
    self.pops_on.next = false;
    self.parts_next.next = false;
    self.waits_behind.next = false;
    self.blocks.next = false;
    self.runs_on.next = false;
    if self.parts.val() {
        if self.rest_any.val() | !self.t1_absent.val() {
            self.pop.next = !self.rest_any.val();
            self.front_from.next = self.front_is_named.val();
            self.takes.next = true;
            self.pc_from.next = self.pc_front.val();
        } else {
            self.waits_behind.next = true;
        }
    }
    if self.unwind.val() {
        if !self.waiting_any.val() & self.sleeps.val() {
            // All that is left sleeps: the tokens are kept (CONV-151).
            self.blocks.next = true;
        } else if !self.waiting_any.val() & self.masked_any.val() {
            // CONV-113; only EXIT comes here.
            self.runs_on.next = true;
            self.pc_from.next = self.pc_after.val();
        } else if !self.waiting_any.val() {
            self.done.next = true;
        } else if !self.have_front.val() {
            self.exception.next = true;
        } else if self.front_parts.val() & self.lives.val() {
            self.parts_next.next = true;
        } else if self.t1_absent.val() {
            self.waits_behind.next = true;
        } else {
            self.pop.next = true;
            self.pops_on.next = !self.lives.val();
            self.takes_live.next = self.lives.val();
        }
    }

    // ---- Push at the front; the former front token moves to the token memory (CONV-031).
    if self.push_front.val() {
        self.store.next = true;
    }

    // ---- End of the operation; a forced yield may follow (CONV-055).
    self.pop_behind.next = self.depth.val() != self.one_token.val();
    self.idles.next = self.blocks.val() | self.runs_on.val() | self.is_wake.val();
    if self.vacant.val() | self.is_set.val() {
        self.idles.next = !self.is_set.val() | !self.d_any.val();
    }
    self.next_blocked.next = self.blocks.val()
        | (self.was_blocked.val()
            & !self.is_launch.val()
            & !(self.is_wake.val() & self.d_any.val()));
    self.forced_due.next = self.reached.val();
    if self.counts.val() {
        self.forced_due.next = self.reaches.val();
    }
    self.forcible.next = self.forced_due.val();
    if self.is_launch.val() | self.idles.val() | self.owes.val() {
        self.forcible.next = self.no_force.val();
    }
    self.goes_ready.next = !self.blocks.val()
        & (!self.is_wake.val() | (self.d_any.val() & !self.rest_any.val()))
        & (!self.is_launch.val() | self.selected_any.val());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random findings and state: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "decide",
            Decide::<8, 4>::default,
            4000,
            |u, rng, _| {
                u.kind.next = rng.bits();
                u.is_unallocated.next = rng.chance(1, 4);
                u.is_forced.next = rng.flip();
                u.is_mask.next = rng.flip();
                u.calls.next = rng.flip();
                u.vacant.next = rng.chance(1, 4);
                u.starting.next = rng.flip();
                u.selected_any.next = rng.flip();
                for some in &mut u.d_some {
                    some.next = rng.chance(1, 4);
                }
                u.rest_any.next = rng.flip();
                u.jumps.next = rng.flip();
                u.falls.next = rng.flip();
                u.front_hit.next = rng.flip();
                u.front_clear.next = rng.flip();
                u.front_last.next = rng.flip();
                u.k_last.next = rng.flip();
                u.k_any.next = rng.flip();
                u.k_first.next = rng.flip();
                u.front_resumes.next = rng.flip();
                u.front_leaves.next = rng.flip();
                u.live_any.next = rng.flip();
                u.waiting_any.next = rng.flip();
                u.asleep_any.next = rng.flip();
                u.masked_any.next = rng.flip();
                u.front_parts.next = rng.flip();
                u.d_low.next = rng.bits();
                u.d_high.next = rng.bits();
                u.rest_low.next = rng.bits();
                u.rest_high.next = rng.bits();
                u.enters.next = rng.flip();
                u.drops.next = rng.flip();
                u.due.next = rng.flip();
                u.begins.next = rng.chance(1, 4);
                u.steps_random.next = rng.flip();
                u.launch_random.next = rng.bits();
                u.counts.next = rng.flip();
                u.was_blocked.next = rng.flip();
                u.depth.next = rng.bits();
                u.have_front.next = rng.flip();
                u.random.next = rng.bits();
                u.caught_groups.next = rng.bits();
                u.uncaught_groups.next = rng.bits();
                u.token_below.next = rng.bits();
                u.t1_absent.next = rng.chance(1, 4);
                u.tk_absent.next = rng.chance(1, 4);
                u.at_scratch.next = rng.flip();
                u.then_here.next = rng.flip();
                u.front_full.next = rng.chance(1, 4);
                u.back_full.next = rng.chance(1, 4);
                u.at_base.next = rng.chance(1, 4);
                u.at_bound.next = rng.chance(1, 4);
                u.cfg_path.next = rng.bits();
                u.reached.next = rng.bits();
                u.reaches.next = rng.bits();
                // Comparisons that hold now and then.
                u.apart_groups.next = rng.below(3).into();
                u.resume_groups.next = rng.below(3).into();
                u.token_same.next = rng.flip();
                u.token_yield.next = rng.flip();
                u.depth.next = rng.below(6).into();
                // At most one operation at a time.
                let one = rng.below(20);
                u.is_launch.next = one == 0;
                u.is_fault.next = one == 1;
                u.is_illegal_op.next = one == 2;
                u.is_illegal_kind.next = one == 3;
                u.is_leave.next = one == 4 || one == 19;
                u.is_branch.next = one == 5;
                u.is_yield.next = one == 6 || one == 18;
                u.is_sleep.next = one == 7;
                u.is_push.next = one == 8;
                u.is_exit.next = one == 9;
                u.is_next.next = one == 10;
                u.is_call.next = one == 11;
                u.is_unwind.next = one == 12;
                u.is_set.next = one == 13;
                u.is_jump.next = one == 14;
                u.is_parting.next = one == 15;
                u.is_part.next = one == 16;
                let barrier = rng.below(3);
                u.is_send.next = one == 6 && barrier == 1;
                u.is_wake.next = one == 6 && barrier == 2;
            },
            None,
        )
        .unwrap();
    }
}
