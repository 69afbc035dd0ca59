//! First half of a pass: what the operands, the state and the two tokens at hand say about each other. Combinational.
//!
//! Spec: `docs/spec/convergence.md`. Every comparison and every reduction over the threads is made here, so that `execute.rs`
//! is left with choosing.
//!
//! # Parameters
//! `W` threads per warp; `P` = log2 (2 W) = bits of a thread count.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `op`, `step`, `mode`, `kind`, `selected`, `target`, `k` | in | pass to make: operation, which pass of it, operands, number of the token at hand |
//! | `blocked`, `cfg_lanes` | in | the warp is blocked (CONV-151); log2 L (CONV-121) |
//! | `size_new`, `t1_absent` | in | allocation of a launch; there is a token behind the front, but it is not at hand |
//! | `active` .. `backward`, `token_*`, `cfg_*` | in | state of the warp, token Tk, yield policy |
//! | `chosen` | out | `selected`; of a WAKE those of them that sleep (CONV-154); of a SET those of them that it may turn on (CONV-111) |
//! | `goes` | out | threads that a YIELD token is to name; of PART the lowest part of `selected` |
//! | `is_*`, `starting` | out | decoded pass; at most one of `is_*`; none in another mode than RUN |
//! | `scans` | out | looks at tokens from the back: a yield, and what else makes a YIELD token |
//! | `plain` | out | first pass of an operation that cannot search: may start a job in passing (SPILL-032) |
//! | `vacant` | out | an operation begins with nobody active (CONV-110) |
//! | `selected_any`, `d_any`, `rest_any` | out | any selected thread; any of *d*, the selected active threads (WAKE, SET: of `chosen`); any other active thread (WAKE: the warp is not blocked; PART: any other selected one) |
//! | `after`, `fall`, `falls` | out | pc + 1; where the threads not selected go (also: resume address of a yield); the target is there too, and all stay together |
//! | `jumps` | out | the threads not selected run the same instruction again (CONV-022, CONV-056) |
//! | `front_hit`, `front_clear` | out | the front token catches threads of `d` (CONV-042); is passed and loses `d` (CONV-041) |
//! | `searches` | out | LEAVE has not found its token at the front |
//! | `token_tried`, `_same`, `_there`, `_some`, `_last` | out | Tk is searched; has the type; the address; names threads of `d`; no deeper token can match |
//! | `front_leaves`, `token_leaves` | out | threads of `d` that this token does not name |
//! | `token_covers` | out | Tk names all active threads |
//! | `live`, `live_any`, `waiting_any`, `asleep_any`, `masked_any` | out | who wakes when the front token is popped; anybody left who waits (CONV-070), who sleeps (CONV-151), who is masked (CONV-113) |
//! | `front_parts` | out | the front is a SUBV token (CONV-122) |
//! | `d_smaller` | out | `d` is not the larger group (CONV-011) |
//! | `pushes`, `drops`, `below` | out | a software push enters; is dropped; below bits of what enters at the front (CONV-030, 031) |
//! | `fires`, `yields_plus_1`, `random_next` | out | the yield fires; counter with this execution (CONV-050); stepped random number (CONV-052) |
//! | `k_any`, `k_first`, `token_yield`, `token_resumes`, `front_resumes` | out | k ≥ 1; k = 1; Tk is a YIELD token; has the resume address; the front is a YIELD token with it (CONV-051) |
//! | `opens` | out | a YIELD token enters an empty deque |
//! | `scan_begins`, `steps_random` | out | a yield begins at the last token; steps the random number |
//! | `counted`, `forced_due` | out | backward transfers with this one; that many call for a forced yield (CONV-055) |
//!
//! # Errors
//! None; `is_illegal_*` mark what `execute.rs` reports.

use super::{code, Part};
use crate::hdl::*;
use crate::prim::PopCount;

#[derive(LogicBlock)]
pub struct Match<const W: usize, const P: usize> {
    pub op: Signal<In, Bits<4>>,
    pub step: Signal<In, Bits<3>>,
    pub mode: Signal<In, Bits<3>>,
    pub kind: Signal<In, Bits<4>>,
    pub selected: Signal<In, Bits<W>>,
    pub target: Signal<In, Bits<22>>,
    pub k: Signal<In, Bits<10>>,
    pub active: Signal<In, Bits<W>>,
    pub reason: [Signal<In, Bits<W>>; 4],
    pub pc: Signal<In, Bits<22>>,
    pub front_kind: Signal<In, Bits<4>>,
    pub front_mask: Signal<In, Bits<W>>,
    pub front_pc: Signal<In, Bits<22>>,
    pub front_below: Signal<In, Bits<4>>,
    pub depth: Signal<In, Bits<10>>,
    pub size: Signal<In, Bits<10>>,
    pub size_new: Signal<In, Bits<10>>,
    pub t1_absent: Signal<In, Bit>,
    pub blocked: Signal<In, Bit>,
    pub yields: Signal<In, Bits<16>>,
    pub backward: Signal<In, Bits<16>>,
    pub random: Signal<In, Bits<16>>,
    pub token_kind: Signal<In, Bits<4>>,
    pub token_mask: Signal<In, Bits<W>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub token_below: Signal<In, Bits<4>>,
    pub cfg_yield_every: Signal<In, Bits<16>>,
    pub cfg_forced_yield: Signal<In, Bits<16>>,
    pub cfg_yield_random: Signal<In, Bit>,
    pub cfg_yield_threshold: Signal<In, Bits<16>>,
    pub cfg_lanes: Signal<In, Bits<3>>,
    pub is_launch: Signal<Out, Bit>,
    pub is_config: Signal<Out, Bit>,
    pub is_unallocated: Signal<Out, Bit>,
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
    pub plain: Signal<Out, Bit>,
    pub scans: Signal<Out, Bit>,
    pub is_exit: Signal<Out, Bit>,
    pub is_next: Signal<Out, Bit>,
    pub is_set: Signal<Out, Bit>,
    pub is_jump: Signal<Out, Bit>,
    pub is_parting: Signal<Out, Bit>,
    pub is_part: Signal<Out, Bit>,
    pub vacant: Signal<Out, Bit>,
    pub starting: Signal<Out, Bit>,
    pub chosen: Signal<Out, Bits<W>>,
    pub goes: Signal<Out, Bits<W>>,
    pub selected_any: Signal<Out, Bit>,
    pub d_any: Signal<Out, Bit>,
    pub rest_any: Signal<Out, Bit>,
    pub after: Signal<Out, Bits<22>>,
    pub fall: Signal<Out, Bits<22>>,
    pub falls: Signal<Out, Bit>,
    pub jumps: Signal<Out, Bit>,
    pub front_hit: Signal<Out, Bit>,
    pub front_clear: Signal<Out, Bit>,
    pub searches: Signal<Out, Bit>,
    pub token_tried: Signal<Out, Bit>,
    pub token_same: Signal<Out, Bit>,
    pub token_there: Signal<Out, Bit>,
    pub token_some: Signal<Out, Bit>,
    pub token_last: Signal<Out, Bit>,
    pub token_yield: Signal<Out, Bit>,
    pub token_resumes: Signal<Out, Bit>,
    pub k_any: Signal<Out, Bit>,
    pub k_first: Signal<Out, Bit>,
    pub token_covers: Signal<Out, Bit>,
    pub front_leaves: Signal<Out, Bit>,
    pub token_leaves: Signal<Out, Bit>,
    pub live: Signal<Out, Bits<W>>,
    pub live_any: Signal<Out, Bit>,
    pub waiting_any: Signal<Out, Bit>,
    pub asleep_any: Signal<Out, Bit>,
    pub masked_any: Signal<Out, Bit>,
    pub front_parts: Signal<Out, Bit>,
    pub d_smaller: Signal<Out, Bit>,
    pub pushes: Signal<Out, Bit>,
    pub drops: Signal<Out, Bit>,
    pub below: Signal<Out, Bits<4>>,
    pub fires: Signal<Out, Bit>,
    pub opens: Signal<Out, Bit>,
    pub scan_begins: Signal<Out, Bit>,
    pub steps_random: Signal<Out, Bit>,
    pub yields_plus_1: Signal<Out, Bits<16>>,
    pub random_next: Signal<Out, Bits<16>>,
    pub counted: Signal<Out, Bits<16>>,
    pub forced_due: Signal<Out, Bit>,
    pub front_resumes: Signal<Out, Bit>,
    // Cells.
    d_count: PopCount<W, P>,
    rest_count: PopCount<W, P>,
    part: Part<W>,
    // Combinational.
    is_transfer: Signal<Local, Bit>,
    software_op: Signal<Local, Bit>,
    run: Signal<Local, Bit>,
    run_start: Signal<Local, Bit>,
    call_op: Signal<Local, Bit>,
    barrier_op: Signal<Local, Bit>,
    mask_op: Signal<Local, Bit>,
    yields_op: Signal<Local, Bit>,
    fires_start: Signal<Local, Bit>,
    d: Signal<Local, Bits<W>>,
    taken: Signal<Local, Bits<W>>,
    taken_any: Signal<Local, Bit>,
    rest: Signal<Local, Bits<W>>,
    off: Signal<Local, Bits<W>>,
    k_plus_1: Signal<Local, Bits<10>>,
    have_front: Signal<Local, Bit>,
    room: Signal<Local, Bits<10>>,
    redundant: Signal<Local, Bit>,
    is_short: Signal<Local, Bit>,
    fires_by_policy: Signal<Local, Bit>,
    random_half: Signal<Local, Bits<16>>,
    incremented: Signal<Local, Bits<16>>,
    front_same: Signal<Local, Bit>,
    front_there: Signal<Local, Bit>,
    front_after: Signal<Local, Bit>,
    push_there: Signal<Local, Bit>,
    front_yield: Signal<Local, Bit>,
    front_last: Signal<Local, Bit>,
    front_caught: Signal<Local, Bits<W>>,
    front_uncaught: Signal<Local, Bits<W>>,
    token_caught: Signal<Local, Bits<W>>,
    token_uncaught: Signal<Local, Bits<W>>,
    front_match: Signal<Local, Bits<W>>,
    unexited: Signal<Local, Bits<W>>,
    sleepers: Signal<Local, Bits<W>>,
    asleep: Signal<Local, Bits<W>>,
    maskers: Signal<Local, Bits<W>>,
    masked: Signal<Local, Bits<W>>,
    waiting: Signal<Local, Bits<W>>,
    uncovered: Signal<Local, Bits<W>>,
    token_lacks: Signal<Local, Bits<W>>,
    // Constants.
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
    op_config: Constant<Bits<4>>,
    op_call: Constant<Bits<4>>,
    op_barrier: Constant<Bits<4>>,
    op_mask: Constant<Bits<4>>,
    op_illegal: Constant<Bits<4>>,
    step_start: Constant<Bits<3>>,
    step_search: Constant<Bits<3>>,
    step_split: Constant<Bits<3>>,
    step_scan: Constant<Bits<3>>,
    step_unwind: Constant<Bits<3>>,
    step_rescan: Constant<Bits<3>>,
    step_part: Constant<Bits<3>>,
    kind_sync: Constant<Bits<4>>,
    kind_call: Constant<Bits<4>>,
    kind_div: Constant<Bits<4>>,
    kind_yield: Constant<Bits<4>>,
    kind_exit: Constant<Bits<4>>,
    kind_barrier: Constant<Bits<4>>,
    kind_masked: Constant<Bits<4>>,
    kind_subv: Constant<Bits<4>>,
    pass_set: Constant<Bits<4>>,
    pass_jump: Constant<Bits<4>>,
    pass_subv_start: Constant<Bits<4>>,
    barrier_wake: Constant<Bits<4>>,
    kind_last_software: Constant<Bits<4>>,
    no_kind: Constant<Bits<4>>,
    below_sync: Constant<Bits<4>>,
    below_div: Constant<Bits<4>>,
    below_call: Constant<Bits<4>>,
    below_yield: Constant<Bits<4>>,
    no_threads: Constant<Bits<W>>,
    all_threads: Constant<Bits<W>>,
    one_token: Constant<Bits<10>>,
    width: Constant<Bits<10>>,
    taps: Constant<Bits<16>>,
    one_place: Constant<Bits<1>>,
    one_pc: Constant<Bits<22>>,
    one_count: Constant<Bits<16>>,
}

impl<const W: usize, const P: usize> Default for Match<W, P> {
    fn default() -> Self {
        assert!((4..=64).contains(&W) && 2 * W == 1 << P, "Match<{W}, {P}>");
        block!({
            op, step, mode, kind, selected, target, k, active, reason, pc, front_kind, front_mask,
            front_pc, front_below, depth, size, size_new, t1_absent, blocked, yields, backward, random,
            token_kind, token_mask, token_pc, token_below, cfg_yield_every, cfg_forced_yield,
            cfg_yield_random, cfg_yield_threshold, cfg_lanes, is_launch, is_config, is_unallocated, is_fault,
            is_illegal_op, is_illegal_kind, is_leave, is_branch, is_yield, is_sleep, is_send, is_wake, is_push, is_call,
            is_unwind, plain, scans, is_exit, is_next, is_set, is_jump, is_parting, is_part, vacant, starting, chosen, goes, selected_any, d_any, rest_any, after,
            fall, falls, jumps, front_hit, front_clear, searches, token_tried, token_same, token_there,
            token_some, token_last, token_yield, token_resumes, k_any, k_first, token_covers,
            front_leaves, token_leaves, live, live_any, waiting_any, asleep_any, masked_any, front_parts, d_smaller, pushes, drops,
            below, fires, opens, scan_begins, steps_random, yields_plus_1, random_next, counted, forced_due, front_resumes, d_count,
            rest_count, part, is_transfer, software_op, run, run_start, call_op, barrier_op, mask_op, yields_op, fires_start, d, taken, taken_any, rest, off,
            k_plus_1, have_front, room, redundant, is_short, fires_by_policy, random_half,
            incremented, front_same, front_there, front_after, push_there, front_yield, front_last,
            front_caught, front_uncaught, token_caught, token_uncaught, front_match, unexited, sleepers, asleep, maskers, masked,
            waiting, uncovered, token_lacks,
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
            op_config: Constant::new(code::OP_CONFIG.into()),
            op_call: Constant::new(code::OP_CALL.into()),
            op_barrier: Constant::new(code::OP_BARRIER.into()),
            op_mask: Constant::new(code::OP_MASK.into()),
            op_illegal: Constant::new(code::OP_ILLEGAL.into()),
            step_start: Constant::new(code::STEP_START.into()),
            step_search: Constant::new(code::STEP_SEARCH.into()),
            step_split: Constant::new(code::STEP_SPLIT.into()),
            step_scan: Constant::new(code::STEP_SCAN.into()),
            step_unwind: Constant::new(code::STEP_UNWIND.into()),
            step_rescan: Constant::new(code::STEP_RESCAN.into()),
            step_part: Constant::new(code::STEP_PART.into()),
            kind_sync: Constant::new(code::KIND_SYNC.into()),
            kind_call: Constant::new(code::KIND_CALL.into()),
            kind_div: Constant::new(code::KIND_DIV.into()),
            kind_yield: Constant::new(code::KIND_YIELD.into()),
            kind_exit: Constant::new(code::KIND_EXIT.into()),
            kind_barrier: Constant::new(code::KIND_BARRIER.into()),
            kind_masked: Constant::new(code::KIND_MASKED.into()),
            kind_subv: Constant::new(code::KIND_SUBV.into()),
            pass_set: Constant::new(code::PASS_SET.into()),
            pass_jump: Constant::new(code::PASS_JUMP.into()),
            pass_subv_start: Constant::new(code::PASS_SUBV_START.into()),
            barrier_wake: Constant::new(code::BARRIER_WAKE.into()),
            kind_last_software: Constant::new(code::KIND_LAST_SOFTWARE.into()),
            no_kind: Constant::new(0.into()),
            below_sync: Constant::new(1.into()),
            below_div: Constant::new(2.into()),
            below_call: Constant::new(4.into()),
            below_yield: Constant::new(8.into()),
            no_threads: Constant::new(0.into()),
            all_threads: Constant::new(Bits::<W>::mask()),
            one_token: Constant::new(1.into()),
            width: Constant::new((W as u64).into()),
            taps: Constant::new(0xB400.into()),
            one_place: Constant::new(1.into()),
            one_pc: Constant::new(1.into()),
            one_count: Constant::new(1.into()),
        })
    }
}

impl<const W: usize, const P: usize> Logic for Match<W, P> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Decode.
        self.run.next = !self.mode.val().any();
        self.starting.next = self.step.val() == self.step_start.val();
        self.run_start.next = self.run.val() & self.starting.val();
        self.is_launch.next = self.op.val() == self.op_launch.val();
        self.is_unallocated.next = self.is_launch.val() & (self.size_new.val() <= self.width.val());
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
        self.yields_op.next =
            (self.op.val() == self.op_yield.val()) | (self.op.val() == self.op_forced_yield.val());
        self.scans.next = self.yields_op.val() | (self.barrier_op.val() & self.kind.val().any());
        self.is_yield.next = self.scans.val()
            & !self.is_illegal_kind.val()
            & self.run.val()
            & (self.starting.val()
                | (self.step.val() == self.step_scan.val())
                | (self.step.val() == self.step_rescan.val()));
        self.is_push.next =
            self.run.val() & (self.op.val() == self.op_push.val()) & !self.is_illegal_kind.val();
        self.call_op.next = self.op.val() == self.op_call.val();
        self.is_call.next = self.run_start.val() & self.call_op.val();
        self.is_exit.next = self.run_start.val() & (self.op.val() == self.op_exit.val());
        self.is_next.next = self.run.val() & !self.op.val().any();
        self.mask_op.next = self.op.val() == self.op_mask.val();
        self.is_set.next =
            self.run_start.val() & self.mask_op.val() & (self.kind.val() == self.pass_set.val());
        self.is_jump.next =
            self.run_start.val() & self.mask_op.val() & (self.kind.val() == self.pass_jump.val());
        self.is_parting.next = self.run_start.val()
            & self.mask_op.val()
            & (self.kind.val() == self.pass_subv_start.val());
        self.is_part.next = self.run.val() & (self.step.val() == self.step_part.val());
        self.vacant.next = self.run_start.val()
            & !self.active.val().any()
            & !self.is_config.val()
            & !self.is_wake.val();
        self.is_unwind.next =
            self.run.val() & (self.step.val() == self.step_unwind.val()) & !self.is_config.val();
        self.plain.next = self.is_next.val()
            | self.is_push.val()
            | self.is_call.val()
            | self.is_exit.val()
            | self.is_sleep.val()
            | (self.run_start.val() & self.mask_op.val())
            | (self.is_branch.val() & self.starting.val());

        // ---- Threads and addresses.
        self.off.next = !self.active.val();
        self.sleepers.next = self.all_threads.val();
        self.maskers.next = self.all_threads.val();
        for i in 0..4 {
            if self.kind_masked.val().get_bit(i) {
                self.maskers.next = self.maskers.val() & self.reason[i].val();
            } else {
                self.maskers.next = self.maskers.val() & !self.reason[i].val();
            }
            if self.kind_barrier.val().get_bit(i) {
                self.sleepers.next = self.sleepers.val() & self.reason[i].val();
            } else {
                self.sleepers.next = self.sleepers.val() & !self.reason[i].val();
            }
        }
        self.asleep.next = self.sleepers.val() & self.off.val();
        self.masked.next = self.maskers.val() & self.off.val();
        self.chosen.next = self.selected.val();
        if self.is_wake.val() {
            self.chosen.next = self.selected.val() & self.asleep.val();
        }
        if self.is_set.val() {
            self.chosen.next = self.selected.val() & (self.active.val() | self.maskers.val());
        }
        self.part.bits.next = self.selected.val();
        self.part.cfg_lanes.next = self.cfg_lanes.val();
        // What searches, counts and splits asks of `taken`: what a WAKE or a SET chooses comes too late for that.
        self.taken.next = self.selected.val() & self.active.val();
        self.taken_any.next = self.taken.val().any();
        self.d.next = self.taken.val();
        self.rest.next = self.active.val() & !self.selected.val();
        self.goes.next = self.active.val();
        if self.is_send.val() {
            self.goes.next = self.d.val();
        }
        if self.is_wake.val() | self.is_set.val() {
            self.d.next = self.chosen.val();
        }
        self.rest_any.next = self.rest.val().any();
        if self.is_wake.val() {
            self.goes.next = self.chosen.val();
            self.rest_any.next = !self.blocked.val();
        }
        if self.is_part.val() {
            self.goes.next = self.part.lowest.val();
            self.rest_any.next = self.part.others_any.val();
        }
        self.selected_any.next = self.selected.val().any();
        self.d_any.next = self.d.val().any();
        self.after.next = self.pc.val() + self.one_pc.val();
        self.jumps.next = (self.op.val() == self.op_indirect.val())
            | (self.op.val() == self.op_leave_indirect.val())
            | self.call_op.val();
        self.fall.next = self.after.val();
        if self.jumps.val() | (self.op.val() == self.op_forced_yield.val()) | self.is_send.val() {
            self.fall.next = self.pc.val();
        }
        if self.is_wake.val() {
            self.fall.next = self.target.val();
        }
        self.falls.next = (self.target.val() == self.fall.val()) & !self.jumps.val();
        self.k_plus_1.next = self.k.val() + self.one_token.val();
        self.k_any.next = self.k.val().any();
        self.k_first.next = self.k.val() == self.one_token.val();
        self.have_front.next = self.depth.val().any();

        // ---- Count backward transfers (CONV-055).
        self.is_transfer.next =
            self.starting.val() & (self.is_leave.val() | self.is_branch.val() | self.is_call.val());
        self.incremented.next = self.backward.val();
        if !self.backward.val().all() {
            self.incremented.next = self.backward.val() + self.one_count.val();
        }
        self.counted.next = self.backward.val();
        if self.is_transfer.val() & self.taken_any.val() & (self.target.val() <= self.pc.val()) {
            self.counted.next = self.incremented.val();
        }
        self.forced_due.next =
            self.cfg_forced_yield.val().any() & (self.counted.val() >= self.cfg_forced_yield.val());

        // ---- Search the front token and Tk (CONV-040 to 042).
        self.front_same.next = self.front_kind.val() == self.kind.val();
        self.front_there.next = self.front_pc.val() == self.target.val();
        self.front_yield.next = self.front_kind.val() == self.kind_yield.val();
        self.front_caught.next = self.taken.val() & self.front_mask.val();
        self.front_uncaught.next = self.taken.val() & !self.front_mask.val();
        self.front_leaves.next = self.front_uncaught.val().any();
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
        self.front_last.next = (self.depth.val() <= self.one_token.val())
            | self.front_yield.val()
            | ((self.kind.val() == self.kind_sync.val()) & !self.front_below.val().get_bit(0))
            | ((self.kind.val() == self.kind_call.val()) & !self.front_below.val().get_bit(2));
        self.searches.next = self.is_leave.val()
            & (!self.starting.val() | (!self.front_hit.val() & !self.front_last.val()));
        self.token_tried.next = self.searches.val() & !(self.starting.val() & self.t1_absent.val());
        self.token_same.next = self.token_kind.val() == self.kind.val();
        self.token_there.next = self.token_pc.val() == self.target.val();
        self.token_yield.next = self.token_kind.val() == self.kind_yield.val();
        self.token_caught.next = self.taken.val() & self.token_mask.val();
        self.token_uncaught.next = self.taken.val() & !self.token_mask.val();
        self.token_leaves.next = self.token_uncaught.val().any();
        self.token_some.next = self.token_caught.val().any();
        self.token_lacks.next = self.goes.val() & !self.token_mask.val();
        self.token_covers.next = !self.token_lacks.val().any();
        self.token_last.next = (self.depth.val() <= self.k_plus_1.val())
            | self.token_yield.val()
            | ((self.kind.val() == self.kind_sync.val()) & !self.token_below.val().get_bit(0))
            | ((self.kind.val() == self.kind_call.val()) & !self.token_below.val().get_bit(2));

        // ---- Who would wake if the front token were popped (CONV-070)? Threads just caught by it come on top.
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
        self.waiting.next =
            self.unexited.val() & self.off.val() & !self.sleepers.val() & !self.maskers.val();
        self.masked_any.next = self.masked.val().any();
        self.front_parts.next = self.front_kind.val() == self.kind_subv.val();
        self.asleep_any.next = self.asleep.val().any() | (self.is_sleep.val() & self.d_any.val());
        self.waiting_any.next = self.waiting.val().any() | self.is_leave.val();
        self.live.next = self.front_mask.val() & self.front_match.val();
        self.live_any.next = self.live.val().any() | self.front_hit.val();

        // ---- Split (CONV-010, CONV-011).
        self.d_count.bits.next = self.taken.val();
        self.rest_count.bits.next = self.rest.val();
        self.d_smaller.next = self.d_count.count.val() <= self.rest_count.count.val();

        // ---- Push (CONV-030, CONV-031).
        self.uncovered.next = self.active.val() & !self.front_mask.val();
        self.front_after.next = self.front_pc.val() == self.after.val();
        self.push_there.next = self.front_there.val();
        if self.call_op.val() {
            self.push_there.next = self.front_after.val();
        }
        self.redundant.next = self.have_front.val()
            & self.front_same.val()
            & self.push_there.val()
            & !self.uncovered.val().any();
        self.room.next = self.size.val() - self.width.val();
        self.is_short.next = self.depth.val() >= self.room.val();
        self.pushes.next = (self.is_push.val() | self.is_call.val() | self.is_parting.val())
            & !self.redundant.val()
            & !self.is_short.val();
        // A call is resolved in its second pass when its threads part ways, SUBV_START always: what became of its push can still be told.
        self.drops.next = (self.is_push.val()
            | self.is_call.val()
            | (self.call_op.val() & self.is_branch.val())
            | (self.mask_op.val() & self.is_part.val()))
            & !self.redundant.val()
            & self.is_short.val();
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

        // ---- Yield (CONV-050, CONV-051); the resume address is `fall`.
        self.yields_plus_1.next = self.yields.val();
        if !self.yields.val().all() {
            self.yields_plus_1.next = self.yields.val() + self.one_count.val();
        }
        self.scan_begins.next =
            self.is_yield.val() & self.have_front.val() & (self.step.val() != self.step_scan.val());
        self.steps_random.next = self.run_start.val() & (self.op.val() == self.op_yield.val());
        self.random_half.next = self.random.val() >> self.one_place.val();
        self.random_next.next = self.random_half.val();
        if self.random.val().get_bit(0) {
            self.random_next.next = self.random_half.val() ^ self.taps.val();
        }
        self.fires_by_policy.next = self.cfg_yield_every.val().any()
            & (self.yields_plus_1.val() >= self.cfg_yield_every.val());
        if self.cfg_yield_random.val() {
            self.fires_by_policy.next = self.random_next.val() < self.cfg_yield_threshold.val();
        }
        // What makes a YIELD token with some of the threads (CONV-152 to 154).
        self.fires_start.next = self.have_front.val() & self.fires_by_policy.val();
        if self.is_send.val() {
            self.fires_start.next =
                self.d_any.val() & (self.rest_any.val() | self.have_front.val());
        }
        if self.is_wake.val() {
            self.fires_start.next = self.d_any.val() & self.rest_any.val();
        }
        self.fires.next = !self.starting.val()
            | (self.op.val() == self.op_forced_yield.val())
            | self.fires_start.val();
        self.opens.next = self.is_yield.val() & self.fires.val() & !self.have_front.val();
        self.token_resumes.next = self.token_pc.val() == self.fall.val();
        self.front_resumes.next = self.front_yield.val() & (self.front_pc.val() == self.fall.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random state and operands: also states that no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "match",
            Match::<8, 4>::default,
            3000,
            |u, rng, _| {
                u.op.next = rng.bits();
                u.mode.next = if rng.flip() { 0.into() } else { rng.bits() };
                u.step.next = if rng.flip() {
                    0.into()
                } else {
                    rng.below(7).into()
                };
                u.blocked.next = rng.flip();
                u.cfg_lanes.next = rng.bits();
                u.kind.next = if rng.flip() {
                    rng.below(4).into()
                } else {
                    rng.bits()
                };
                u.selected.next = rng.bits();
                u.target.next = rng.below(3).into();
                u.k.next = rng.below(4).into();
                u.active.next = if rng.chance(1, 4) {
                    0.into()
                } else {
                    rng.bits()
                };
                let asleep = rng.bits::<8>();
                for (i, r) in u.reason.iter_mut().enumerate() {
                    let barrier = if code::KIND_BARRIER >> i & 1 == 1 {
                        asleep
                    } else {
                        0.into()
                    };
                    r.next = barrier | (rng.bits::<8>() & !asleep);
                }
                u.pc.next = rng.below(3).into();
                u.front_kind.next = if rng.flip() { 0.into() } else { rng.bits() };
                u.front_mask.next = rng.bits();
                u.front_pc.next = rng.below(3).into();
                u.front_below.next = rng.bits();
                u.depth.next = rng.below(10).into();
                u.size.next = (9 + rng.below(10)).into();
                u.size_new.next = rng.below(16).into();
                u.t1_absent.next = rng.chance(1, 4);
                u.random.next = rng.bits();
                u.cfg_yield_random.next = rng.flip();
                u.cfg_yield_threshold.next = rng.bits();
                u.yields.next = if rng.chance(1, 8) {
                    0xFFFF.into()
                } else {
                    rng.below(6).into()
                };
                u.backward.next = if rng.chance(1, 8) {
                    0xFFFF.into()
                } else {
                    rng.below(6).into()
                };
                u.token_kind.next = if rng.flip() { 14.into() } else { rng.bits() };
                u.token_mask.next = rng.bits();
                u.token_pc.next = rng.below(3).into();
                u.token_below.next = rng.bits();
                u.cfg_yield_every.next = rng.below(4).into();
                u.cfg_forced_yield.next = rng.below(5).into();
            },
            None,
        )
        .unwrap();
    }
}
