//! Convergence unit: per-warp program counter, active mask, reasons and token deque.
//!
//! Spec: `docs/spec/convergence.md`; ports as in `docs/spec/control.md`, and below.
//!
//! # Parameters
//! `NW` warps and `W` threads per warp, powers of two; `WI` = log2 NW; `P` = log2 (2 W) pointer bits; `C` = P + 1 depth bits;
//! `TA` = WI + P token address bits; `T` = 2 W − 1.
//!
//! # Ports beyond those of the control plane
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `wake_valid`, `wake_warp` | out | 1, WI | pulse: this warp may issue again, from `retire_next_pc` with `retire_next_mask`; late |
//! | `read_warp` | in | WI | warp to issue next |
//! | `read_pc`, `read_mask` | out | 22, W | pc and active mask of the former cycle's `read_warp` |
//!
//! # Cycle behaviour
//! Three stages. *Read*: a resolve, a launch or a further pass of an operation addresses the state memories of its warp and one token.
//! *Match* (`matching.rs`): all comparisons. *Execute* (`execute.rs`): results are written back and the outcome is shown in the same cycle.
//! ```text
//! cycle      0        1        2        3
//! resolve    warp 5
//! read       warp 5
//! match               warp 5
//! execute                      warp 5            retire, wake
//! issue                                 warp 5   one pass: the next issue comes 3 cycles after the resolve
//! ```
//! A further pass enters *read* in the cycle after *execute*, ahead of new resolves: it costs its own warp 3 cycles and the others one slot.
//!
//! # State
//! Everything that grows with warps × threads lies in memories. The front token stands with the warp's state; the others stand in the
//! token memory, 2 W places per warp used as a ring: the token with number n (front = 0) at `head` + n − 1, the last one at `last`. So a pass
//! sees T0 and one more token.
//!
//! # Invariants
//! 1. A warp has at most one operation in flight; so no pass ever reads state that another pass still has to write.
//! 2. At most one pass per cycle asks for another one, and it is taken up in the next cycle: nothing has to be queued.
//!
//! # Errors
//! `exception_*`; the warp's slot becomes free. `Default` panics when a derived parameter does not fit.

pub mod code;
mod entry;
mod execute;
mod matching;

pub use entry::Entry;
pub use execute::Execute;
pub use matching::Match;

use crate::hdl::*;
use crate::prim::{LutRam, SyncRam};

#[derive(LogicBlock)]
pub struct Convergence<
    const NW: usize,
    const WI: usize,
    const W: usize,
    const P: usize,
    const C: usize,
    const TA: usize,
    const T: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_yield_every: Signal<In, Bits<16>>,
    pub cfg_forced_yield: Signal<In, Bits<16>>,
    pub cfg_path: Signal<In, Bits<2>>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_ready: Signal<Out, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_pc: Signal<In, Bits<22>>,
    pub launch_mask: Signal<In, Bits<W>>,
    pub resolve_valid: Signal<In, Bit>,
    pub resolve_ready: Signal<Out, Bit>,
    pub resolve_warp: Signal<In, Bits<WI>>,
    pub resolve_op: Signal<In, Bits<4>>,
    pub resolve_kind: Signal<In, Bits<4>>,
    pub resolve_mask: Signal<In, Bits<W>>,
    pub resolve_target: Signal<In, Bits<22>>,
    pub retire_valid: Signal<Out, Bit>,
    pub retire_warp: Signal<Out, Bits<WI>>,
    pub retire_op: Signal<Out, Bits<4>>,
    pub retire_pc: Signal<Out, Bits<22>>,
    pub retire_next_pc: Signal<Out, Bits<22>>,
    pub retire_next_mask: Signal<Out, Bits<W>>,
    pub retire_done: Signal<Out, Bit>,
    pub retire_depth: Signal<Out, Bits<C>>,
    pub retire_front_kind: Signal<Out, Bits<4>>,
    pub retire_front_mask: Signal<Out, Bits<W>>,
    pub retire_front_pc: Signal<Out, Bits<22>>,
    pub retire_front_below: Signal<Out, Bits<4>>,
    pub retire_dropped: Signal<Out, Bit>,
    pub exception_valid: Signal<Out, Bit>,
    pub exception_warp: Signal<Out, Bits<WI>>,
    pub exception_pc: Signal<Out, Bits<22>>,
    pub exception_cause: Signal<Out, Bits<4>>,
    pub status_busy: Signal<Out, Bits<NW>>,
    pub status_dropped: Signal<Out, Bits<32>>,
    pub wake_valid: Signal<Out, Bit>,
    pub wake_warp: Signal<Out, Bits<WI>>,
    pub read_warp: Signal<In, Bits<WI>>,
    pub read_pc: Signal<Out, Bits<22>>,
    pub read_mask: Signal<Out, Bits<W>>,
    // State: memories by warp.
    active: SyncRam<Bits<W>, WI>,
    issue_active: SyncRam<Bits<W>, WI>,
    reason: [SyncRam<Bits<W>, WI>; 4],
    pc: SyncRam<Bits<22>, WI>,
    issue_pc: SyncRam<Bits<22>, WI>,
    front_tags: SyncRam<Bits<8>, WI>,
    front_mask: SyncRam<Bits<W>, WI>,
    front_pc: SyncRam<Bits<22>, WI>,
    yields: SyncRam<Bits<16>, WI>,
    backward: SyncRam<Bits<16>, WI>,
    head: LutRam<Bits<P>, WI>,
    last: LutRam<Bits<P>, WI>,
    depth: LutRam<Bits<C>, WI>,
    // State: memory of the tokens behind the front, by {warp, place}.
    token_tags: SyncRam<Bits<8>, TA>,
    token_mask: SyncRam<Bits<W>, TA>,
    token_pc: SyncRam<Bits<22>, TA>,
    // State: running warps, pushes dropped.
    busy: DFF<Bits<NW>>,
    drops: DFF<Bits<32>>,
    // Pipeline register between read and match.
    c_valid: DFF<Bit>,
    c_warp: DFF<Bits<WI>>,
    c_op: DFF<Bits<4>>,
    c_step: DFF<Bits<3>>,
    c_kind: DFF<Bits<4>>,
    c_selected: DFF<Bits<W>>,
    c_target: DFF<Bits<22>>,
    c_k: DFF<Bits<C>>,
    c_at: DFF<Bits<P>>,
    c_head: DFF<Bits<P>>,
    c_last: DFF<Bits<P>>,
    c_depth: DFF<Bits<C>>,
    // Pipeline register between match and execute: the pass, the state, what was found.
    e_valid: DFF<Bit>,
    e_warp: DFF<Bits<WI>>,
    e_op: DFF<Bits<4>>,
    e_kind: DFF<Bits<4>>,
    e_target: DFF<Bits<22>>,
    e_k: DFF<Bits<C>>,
    e_at: DFF<Bits<P>>,
    e_active: DFF<Bits<W>>,
    e_pc: DFF<Bits<22>>,
    e_front_kind: DFF<Bits<4>>,
    e_front_mask: DFF<Bits<W>>,
    e_front_pc: DFF<Bits<22>>,
    e_front_below: DFF<Bits<4>>,
    e_head: DFF<Bits<P>>,
    e_last: DFF<Bits<P>>,
    e_depth: DFF<Bits<C>>,
    e_yields: DFF<Bits<16>>,
    e_token_kind: DFF<Bits<4>>,
    e_token_mask: DFF<Bits<W>>,
    e_token_pc: DFF<Bits<22>>,
    e_token_below: DFF<Bits<4>>,
    e_reason: [DFF<Bits<W>>; 4],
    e_is_launch: DFF<Bit>,
    e_is_fault: DFF<Bit>,
    e_is_illegal_op: DFF<Bit>,
    e_is_illegal_kind: DFF<Bit>,
    e_is_leave: DFF<Bit>,
    e_is_branch: DFF<Bit>,
    e_is_yield: DFF<Bit>,
    e_is_push: DFF<Bit>,
    e_is_exit: DFF<Bit>,
    e_is_next: DFF<Bit>,
    e_starting: DFF<Bit>,
    e_selected: DFF<Bits<W>>,
    e_selected_any: DFF<Bit>,
    e_d_any: DFF<Bit>,
    e_rest_any: DFF<Bit>,
    e_fall: DFF<Bits<22>>,
    e_falls: DFF<Bit>,
    e_front_hit: DFF<Bit>,
    e_front_clear: DFF<Bit>,
    e_token_tried: DFF<Bit>,
    e_token_same: DFF<Bit>,
    e_token_there: DFF<Bit>,
    e_token_some: DFF<Bit>,
    e_token_last: DFF<Bit>,
    e_token_yield: DFF<Bit>,
    e_token_resumes: DFF<Bit>,
    e_k_any: DFF<Bit>,
    e_k_first: DFF<Bit>,
    e_front_resumes: DFF<Bit>,
    e_front_leaves: DFF<Bit>,
    e_token_leaves: DFF<Bit>,
    e_live: DFF<Bits<W>>,
    e_live_any: DFF<Bit>,
    e_waiting_any: DFF<Bit>,
    e_d_smaller: DFF<Bit>,
    e_redundant: DFF<Bit>,
    e_is_short: DFF<Bit>,
    e_below: DFF<Bits<4>>,
    e_fires: DFF<Bit>,
    e_yields_plus_1: DFF<Bits<16>>,
    e_counted: DFF<Bits<16>>,
    e_forced_due: DFF<Bit>,
    // Combinational.
    entry: Entry<NW, WI, W, P, C>,
    matching: Match<W, P, C, T>,
    pass: Execute<W, P, C, T>,
    r_k: Signal<Local, Bits<C>>,
    r_at: Signal<Local, Bits<P>>,
    front_tag: Signal<Local, Bits<8>>,
    token_tag: Signal<Local, Bits<8>>,
    started: Signal<Local, Bits<NW>>,
    ended: Signal<Local, Bits<NW>>,
    write: Signal<Local, Bit>,
    read_at: Signal<Local, Bits<TA>>,
    store_at: Signal<Local, Bits<TA>>,
    // Constants.
    one_token: Constant<Bits<C>>,
    one_warp: Constant<Bits<NW>>,
    no_warps: Constant<Bits<NW>>,
    one_drop: Constant<Bits<32>>,
    no_drops: Constant<Bits<32>>,
    place_bits: Constant<Bits<4>>,
    tag_shift: Constant<Bits<4>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const W: usize,
        const P: usize,
        const C: usize,
        const TA: usize,
        const T: usize,
    > Default for Convergence<NW, WI, W, P, C, TA, T>
{
    fn default() -> Self {
        assert!(
            NW == 1 << WI && 2 * W == 1 << P && C == P + 1 && TA == WI + P && T == 2 * W - 1,
            "Convergence<{NW}, {WI}, {W}, {P}, {C}, {TA}, {T}>"
        );
        block!({
            clock, reset, cfg_yield_every, cfg_forced_yield, cfg_path, launch_valid, launch_ready,
            launch_warp, launch_pc, launch_mask, resolve_valid, resolve_ready, resolve_warp,
            resolve_op, resolve_kind, resolve_mask, resolve_target, retire_valid, retire_warp,
            retire_op, retire_pc, retire_next_pc, retire_next_mask, retire_done, retire_depth,
            retire_front_kind, retire_front_mask, retire_front_pc, retire_front_below,
            retire_dropped, exception_valid, exception_warp, exception_pc, exception_cause,
            status_busy, status_dropped, wake_valid, wake_warp, read_warp, read_pc, read_mask,
            active, issue_active, reason, pc, issue_pc, front_tags, front_mask, front_pc, yields,
            backward, head, last, depth, token_tags, token_mask, token_pc, busy, drops, c_valid,
            c_warp, c_op, c_step, c_kind, c_selected, c_target, c_k, c_at, c_head, c_last, c_depth,
            e_valid, e_warp, e_op, e_kind, e_target, e_k, e_at, e_active, e_pc, e_front_kind,
            e_front_mask, e_front_pc, e_front_below, e_head, e_last, e_depth, e_yields,
            e_token_kind, e_token_mask, e_token_pc, e_token_below, e_reason, e_is_launch,
            e_is_fault, e_is_illegal_op, e_is_illegal_kind, e_is_leave, e_is_branch, e_is_yield,
            e_is_push, e_is_exit, e_is_next, e_starting, e_selected, e_selected_any, e_d_any,
            e_rest_any, e_fall, e_falls, e_front_hit, e_front_clear, e_token_tried, e_token_same,
            e_token_there, e_token_some, e_token_last, e_token_yield, e_token_resumes, e_k_any,
            e_k_first, e_front_resumes, e_front_leaves, e_token_leaves, e_live, e_live_any,
            e_waiting_any, e_d_smaller, e_redundant, e_is_short, e_below, e_fires, e_yields_plus_1,
            e_counted, e_forced_due, entry, matching, pass, r_k, r_at, front_tag, token_tag,
            started, ended, write, read_at, store_at,
        } {
            one_token: Constant::new(1.into()),
            one_warp: Constant::new(1.into()),
            no_warps: Constant::new(0.into()),
            one_drop: Constant::new(1.into()),
            no_drops: Constant::new(0.into()),
            place_bits: Constant::new((P as u64).into()),
            tag_shift: Constant::new(4.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const W: usize,
        const P: usize,
        const C: usize,
        const TA: usize,
        const T: usize,
    > Logic for Convergence<NW, WI, W, P, C, TA, T>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, drops, c_valid, c_warp, c_op, c_step);
        dff_setup!(self, clock, c_kind, c_selected, c_target, c_k, c_at, c_head);
        dff_setup!(self, clock, c_last, c_depth);
        dff_setup!(
            self,
            clock,
            e_token_tried,
            e_token_same,
            e_token_there,
            e_token_some,
            e_token_last
        );
        dff_setup!(
            self,
            clock,
            e_token_yield,
            e_token_resumes,
            e_k_any,
            e_k_first,
            e_front_resumes
        );
        clock!(
            self,
            clock,
            active,
            issue_active,
            pc,
            issue_pc,
            front_tags,
            front_mask
        );
        dff_setup!(self, clock, e_valid, e_warp, e_op, e_kind, e_target, e_k);
        dff_setup!(
            self,
            clock,
            e_at,
            e_active,
            e_pc,
            e_front_kind,
            e_front_mask,
            e_front_pc
        );
        dff_setup!(
            self,
            clock,
            e_front_below,
            e_head,
            e_last,
            e_depth,
            e_yields,
            e_token_kind,
            e_token_mask
        );
        dff_setup!(
            self,
            clock,
            e_token_pc,
            e_token_below,
            e_is_launch,
            e_is_fault,
            e_is_illegal_op,
            e_is_illegal_kind
        );
        dff_setup!(
            self,
            clock,
            e_is_leave,
            e_is_branch,
            e_is_yield,
            e_is_push,
            e_is_exit,
            e_is_next
        );
        dff_setup!(
            self,
            clock,
            e_starting,
            e_selected,
            e_selected_any,
            e_d_any,
            e_rest_any,
            e_fall,
            e_falls
        );
        dff_setup!(self, clock, e_front_hit, e_front_clear, e_front_leaves);
        dff_setup!(
            self,
            clock,
            e_token_leaves,
            e_live,
            e_live_any,
            e_waiting_any,
            e_d_smaller,
            e_redundant
        );
        dff_setup!(
            self,
            clock,
            e_is_short,
            e_below,
            e_fires,
            e_yields_plus_1,
            e_counted,
            e_forced_due
        );
        clock!(self, clock, entry);
        clock!(self, clock, front_pc, yields, backward, head, last, depth, token_tags);
        clock!(self, clock, token_mask, token_pc);
        for i in 0..4 {
            self.reason[i].clock.next = self.clock.val();
            self.e_reason[i].clock.next = self.clock.val();
        }

        // ---- Read: what enters, the state of its warp, and one token.
        self.entry.reset.next = self.reset.val();
        self.entry.busy.next = self.busy.q.val();
        self.entry.launch_valid.next = self.launch_valid.val();
        self.entry.launch_warp.next = self.launch_warp.val();
        self.entry.launch_pc.next = self.launch_pc.val();
        self.entry.launch_mask.next = self.launch_mask.val();
        self.entry.resolve_valid.next = self.resolve_valid.val();
        self.entry.resolve_warp.next = self.resolve_warp.val();
        self.entry.resolve_op.next = self.resolve_op.val();
        self.entry.resolve_kind.next = self.resolve_kind.val();
        self.entry.resolve_mask.next = self.resolve_mask.val();
        self.entry.resolve_target.next = self.resolve_target.val();
        self.launch_ready.next = self.entry.launch_ready.val();
        self.resolve_ready.next = self.entry.resolve_ready.val();
        self.head.read_address.next = self.entry.warp.val();
        self.last.read_address.next = self.entry.warp.val();
        self.depth.read_address.next = self.entry.warp.val();
        // A first pass looks at the token behind the front, a yield at the last one; a search goes on from its own place.
        self.r_k.next = self.entry.k.val();
        self.r_at.next = self.head.read_data.val();
        if self.entry.from_back.val() {
            self.r_k.next = self.depth.read_data.val() - self.one_token.val();
            self.r_at.next = self.last.read_data.val();
        }
        if self.entry.goes_on.val() {
            self.r_at.next = self.entry.at.val();
        }
        self.read_at.next = (bit_cast::<TA, WI>(self.entry.warp.val()) << self.place_bits.val())
            | bit_cast::<TA, P>(self.r_at.val());
        self.active.read_address.next = self.entry.warp.val();
        self.pc.read_address.next = self.entry.warp.val();
        self.front_tags.read_address.next = self.entry.warp.val();
        self.front_mask.read_address.next = self.entry.warp.val();
        self.front_pc.read_address.next = self.entry.warp.val();
        self.yields.read_address.next = self.entry.warp.val();
        self.backward.read_address.next = self.entry.warp.val();
        for i in 0..4 {
            self.reason[i].read_address.next = self.entry.warp.val();
        }
        self.token_tags.read_address.next = self.read_at.val();
        self.token_mask.read_address.next = self.read_at.val();
        self.token_pc.read_address.next = self.read_at.val();
        self.c_valid.d.next = self.entry.valid.val();
        self.c_warp.d.next = self.entry.warp.val();
        self.c_op.d.next = self.entry.op.val();
        self.c_step.d.next = self.entry.step.val();
        self.c_kind.d.next = self.entry.kind.val();
        self.c_selected.d.next = self.entry.selected.val();
        self.c_target.d.next = self.entry.target.val();
        self.c_k.d.next = self.r_k.val();
        self.c_at.d.next = self.r_at.val();
        self.c_head.d.next = self.head.read_data.val();
        self.c_last.d.next = self.last.read_data.val();
        self.c_depth.d.next = self.depth.read_data.val();

        // ---- Match.
        self.matching.op.next = self.c_op.q.val();
        self.matching.step.next = self.c_step.q.val();
        self.matching.kind.next = self.c_kind.q.val();
        self.matching.selected.next = self.c_selected.q.val();
        self.matching.target.next = self.c_target.q.val();
        self.matching.k.next = self.c_k.q.val();
        self.matching.depth.next = self.c_depth.q.val();
        self.matching.active.next = self.active.read_data.val();
        self.matching.pc.next = self.pc.read_data.val();
        self.matching.front_kind.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.matching.front_below.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.matching.front_mask.next = self.front_mask.read_data.val();
        self.matching.front_pc.next = self.front_pc.read_data.val();
        self.matching.yields.next = self.yields.read_data.val();
        self.matching.backward.next = self.backward.read_data.val();
        self.matching.token_kind.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.matching.token_below.next = self.token_tags.read_data.val().get_bits::<4>(4);
        self.matching.token_mask.next = self.token_mask.read_data.val();
        self.matching.token_pc.next = self.token_pc.read_data.val();
        self.matching.cfg_yield_every.next = self.cfg_yield_every.val();
        self.matching.cfg_forced_yield.next = self.cfg_forced_yield.val();
        for i in 0..4 {
            self.matching.reason[i].next = self.reason[i].read_data.val();
            self.e_reason[i].d.next = self.reason[i].read_data.val();
        }
        self.e_valid.d.next = self.c_valid.q.val();
        self.e_warp.d.next = self.c_warp.q.val();
        self.e_op.d.next = self.c_op.q.val();
        self.e_kind.d.next = self.c_kind.q.val();
        self.e_target.d.next = self.c_target.q.val();
        self.e_k.d.next = self.c_k.q.val();
        self.e_at.d.next = self.c_at.q.val();
        self.e_head.d.next = self.c_head.q.val();
        self.e_last.d.next = self.c_last.q.val();
        self.e_depth.d.next = self.c_depth.q.val();
        self.e_active.d.next = self.active.read_data.val();
        self.e_pc.d.next = self.pc.read_data.val();
        self.e_front_kind.d.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.e_front_below.d.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.e_front_mask.d.next = self.front_mask.read_data.val();
        self.e_front_pc.d.next = self.front_pc.read_data.val();
        self.e_yields.d.next = self.yields.read_data.val();
        self.e_token_kind.d.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.e_token_below.d.next = self.token_tags.read_data.val().get_bits::<4>(4);
        self.e_token_mask.d.next = self.token_mask.read_data.val();
        self.e_token_pc.d.next = self.token_pc.read_data.val();
        self.e_is_launch.d.next = self.matching.is_launch.val();
        self.e_is_fault.d.next = self.matching.is_fault.val();
        self.e_is_illegal_op.d.next = self.matching.is_illegal_op.val();
        self.e_is_illegal_kind.d.next = self.matching.is_illegal_kind.val();
        self.e_is_leave.d.next = self.matching.is_leave.val();
        self.e_is_branch.d.next = self.matching.is_branch.val();
        self.e_is_yield.d.next = self.matching.is_yield.val();
        self.e_is_push.d.next = self.matching.is_push.val();
        self.e_is_exit.d.next = self.matching.is_exit.val();
        self.e_is_next.d.next = self.matching.is_next.val();
        self.e_starting.d.next = self.matching.starting.val();
        self.e_selected.d.next = self.c_selected.q.val();
        self.e_selected_any.d.next = self.matching.selected_any.val();
        self.e_d_any.d.next = self.matching.d_any.val();
        self.e_rest_any.d.next = self.matching.rest_any.val();
        self.e_fall.d.next = self.matching.fall.val();
        self.e_falls.d.next = self.matching.falls.val();
        self.e_front_hit.d.next = self.matching.front_hit.val();
        self.e_front_clear.d.next = self.matching.front_clear.val();
        self.e_token_tried.d.next = self.matching.token_tried.val();
        self.e_token_same.d.next = self.matching.token_same.val();
        self.e_token_there.d.next = self.matching.token_there.val();
        self.e_token_some.d.next = self.matching.token_some.val();
        self.e_token_last.d.next = self.matching.token_last.val();
        self.e_token_yield.d.next = self.matching.token_yield.val();
        self.e_token_resumes.d.next = self.matching.token_resumes.val();
        self.e_k_any.d.next = self.matching.k_any.val();
        self.e_k_first.d.next = self.matching.k_first.val();
        self.e_front_resumes.d.next = self.matching.front_resumes.val();
        self.e_front_leaves.d.next = self.matching.front_leaves.val();
        self.e_token_leaves.d.next = self.matching.token_leaves.val();
        self.e_live.d.next = self.matching.live.val();
        self.e_live_any.d.next = self.matching.live_any.val();
        self.e_waiting_any.d.next = self.matching.waiting_any.val();
        self.e_d_smaller.d.next = self.matching.d_smaller.val();
        self.e_redundant.d.next = self.matching.redundant.val();
        self.e_is_short.d.next = self.matching.is_short.val();
        self.e_below.d.next = self.matching.below.val();
        self.e_fires.d.next = self.matching.fires.val();
        self.e_yields_plus_1.d.next = self.matching.yields_plus_1.val();
        self.e_counted.d.next = self.matching.counted.val();
        self.e_forced_due.d.next = self.matching.forced_due.val();

        // ---- Execute.
        self.pass.op.next = self.e_op.q.val();
        self.pass.kind.next = self.e_kind.q.val();
        self.pass.target.next = self.e_target.q.val();
        self.pass.k.next = self.e_k.q.val();
        self.pass.token_at.next = self.e_at.q.val();
        self.pass.active.next = self.e_active.q.val();
        self.pass.pc.next = self.e_pc.q.val();
        self.pass.front_kind.next = self.e_front_kind.q.val();
        self.pass.front_mask.next = self.e_front_mask.q.val();
        self.pass.front_pc.next = self.e_front_pc.q.val();
        self.pass.front_below.next = self.e_front_below.q.val();
        self.pass.head.next = self.e_head.q.val();
        self.pass.last.next = self.e_last.q.val();
        self.pass.depth.next = self.e_depth.q.val();
        self.pass.yields.next = self.e_yields.q.val();
        self.pass.token_kind.next = self.e_token_kind.q.val();
        self.pass.token_mask.next = self.e_token_mask.q.val();
        self.pass.token_pc.next = self.e_token_pc.q.val();
        self.pass.token_below.next = self.e_token_below.q.val();
        self.pass.is_launch.next = self.e_is_launch.q.val();
        self.pass.is_fault.next = self.e_is_fault.q.val();
        self.pass.is_illegal_op.next = self.e_is_illegal_op.q.val();
        self.pass.is_illegal_kind.next = self.e_is_illegal_kind.q.val();
        self.pass.is_leave.next = self.e_is_leave.q.val();
        self.pass.is_branch.next = self.e_is_branch.q.val();
        self.pass.is_yield.next = self.e_is_yield.q.val();
        self.pass.is_push.next = self.e_is_push.q.val();
        self.pass.is_exit.next = self.e_is_exit.q.val();
        self.pass.is_next.next = self.e_is_next.q.val();
        self.pass.starting.next = self.e_starting.q.val();
        self.pass.selected.next = self.e_selected.q.val();
        self.pass.selected_any.next = self.e_selected_any.q.val();
        self.pass.d_any.next = self.e_d_any.q.val();
        self.pass.rest_any.next = self.e_rest_any.q.val();
        self.pass.fall.next = self.e_fall.q.val();
        self.pass.falls.next = self.e_falls.q.val();
        self.pass.front_hit.next = self.e_front_hit.q.val();
        self.pass.front_clear.next = self.e_front_clear.q.val();
        self.pass.token_tried.next = self.e_token_tried.q.val();
        self.pass.token_same.next = self.e_token_same.q.val();
        self.pass.token_there.next = self.e_token_there.q.val();
        self.pass.token_some.next = self.e_token_some.q.val();
        self.pass.token_last.next = self.e_token_last.q.val();
        self.pass.token_yield.next = self.e_token_yield.q.val();
        self.pass.token_resumes.next = self.e_token_resumes.q.val();
        self.pass.k_any.next = self.e_k_any.q.val();
        self.pass.k_first.next = self.e_k_first.q.val();
        self.pass.front_resumes.next = self.e_front_resumes.q.val();
        self.pass.front_leaves.next = self.e_front_leaves.q.val();
        self.pass.token_leaves.next = self.e_token_leaves.q.val();
        self.pass.live.next = self.e_live.q.val();
        self.pass.live_any.next = self.e_live_any.q.val();
        self.pass.waiting_any.next = self.e_waiting_any.q.val();
        self.pass.cfg_path.next = self.cfg_path.val();
        self.pass.d_smaller.next = self.e_d_smaller.q.val();
        self.pass.redundant.next = self.e_redundant.q.val();
        self.pass.is_short.next = self.e_is_short.q.val();
        self.pass.below.next = self.e_below.q.val();
        self.pass.fires.next = self.e_fires.q.val();
        self.pass.yields_plus_1.next = self.e_yields_plus_1.q.val();
        self.pass.counted.next = self.e_counted.q.val();
        self.pass.forced_due.next = self.e_forced_due.q.val();
        for i in 0..4 {
            self.pass.reason[i].next = self.e_reason[i].q.val();
        }

        // ---- Write back.
        self.write.next = self.e_valid.q.val();
        self.front_tag.next = (bit_cast::<8, 4>(self.pass.next_front_below.val())
            << self.tag_shift.val())
            | bit_cast::<8, 4>(self.pass.next_front_kind.val());
        self.active.write_enable.next = self.write.val();
        self.active.write_address.next = self.e_warp.q.val();
        self.active.write_data.next = self.pass.next_active.val();
        self.issue_active.write_enable.next = self.write.val();
        self.issue_active.write_address.next = self.e_warp.q.val();
        self.issue_active.write_data.next = self.pass.next_active.val();
        self.pc.write_enable.next = self.write.val();
        self.pc.write_address.next = self.e_warp.q.val();
        self.pc.write_data.next = self.pass.next_pc.val();
        self.issue_pc.write_enable.next = self.write.val();
        self.issue_pc.write_address.next = self.e_warp.q.val();
        self.issue_pc.write_data.next = self.pass.next_pc.val();
        self.front_tags.write_enable.next = self.write.val();
        self.front_tags.write_address.next = self.e_warp.q.val();
        self.front_tags.write_data.next = self.front_tag.val();
        self.front_mask.write_enable.next = self.write.val();
        self.front_mask.write_address.next = self.e_warp.q.val();
        self.front_mask.write_data.next = self.pass.next_front_mask.val();
        self.front_pc.write_enable.next = self.write.val();
        self.front_pc.write_address.next = self.e_warp.q.val();
        self.front_pc.write_data.next = self.pass.next_front_pc.val();
        self.yields.write_enable.next = self.write.val();
        self.yields.write_address.next = self.e_warp.q.val();
        self.yields.write_data.next = self.pass.next_yields.val();
        self.backward.write_enable.next = self.write.val();
        self.backward.write_address.next = self.e_warp.q.val();
        self.backward.write_data.next = self.pass.next_backward.val();
        self.head.write_enable.next = self.write.val();
        self.head.write_address.next = self.e_warp.q.val();
        self.head.write_data.next = self.pass.next_head.val();
        self.last.write_enable.next = self.write.val();
        self.last.write_address.next = self.e_warp.q.val();
        self.last.write_data.next = self.pass.next_last.val();
        self.depth.write_enable.next = self.write.val();
        self.depth.write_address.next = self.e_warp.q.val();
        self.depth.write_data.next = self.pass.next_depth.val();
        for i in 0..4 {
            self.reason[i].write_enable.next = self.write.val();
            self.reason[i].write_address.next = self.e_warp.q.val();
            self.reason[i].write_data.next = self.pass.next_reason[i].val();
        }
        self.store_at.next = (bit_cast::<TA, WI>(self.e_warp.q.val()) << self.place_bits.val())
            | bit_cast::<TA, P>(self.pass.store_at.val());
        self.token_tag.next = (bit_cast::<8, 4>(self.pass.store_below.val())
            << self.tag_shift.val())
            | bit_cast::<8, 4>(self.pass.store_kind.val());
        self.token_tags.write_enable.next = self.write.val() & self.pass.store.val();
        self.token_tags.write_address.next = self.store_at.val();
        self.token_tags.write_data.next = self.token_tag.val();
        self.token_mask.write_enable.next = self.write.val() & self.pass.store.val();
        self.token_mask.write_address.next = self.store_at.val();
        self.token_mask.write_data.next = self.pass.store_mask.val();
        self.token_pc.write_enable.next = self.write.val() & self.pass.store.val();
        self.token_pc.write_address.next = self.store_at.val();
        self.token_pc.write_data.next = self.pass.store_pc.val();

        // ---- A further pass.
        self.entry.again_valid.next = self.e_valid.q.val() & self.pass.again.val();
        self.entry.again_warp.next = self.e_warp.q.val();
        self.entry.again_op.next = self.pass.again_op.val();
        self.entry.again_step.next = self.pass.again_step.val();
        self.entry.again_kind.next = self.e_kind.q.val();
        self.entry.again_mask.next = self.pass.again_mask.val();
        self.entry.again_target.next = self.e_target.q.val();
        self.entry.again_k.next = self.pass.again_k.val();
        self.entry.again_at.next = self.pass.again_at.val();

        // ---- Outcome.
        self.wake_valid.next = self.e_valid.q.val() & self.pass.ready.val();
        self.wake_warp.next = self.e_warp.q.val();
        self.retire_valid.next = self.e_valid.q.val() & self.pass.retire.val();
        self.retire_warp.next = self.e_warp.q.val();
        self.retire_op.next = self.e_op.q.val();
        self.retire_pc.next = self.e_pc.q.val();
        self.retire_next_pc.next = self.pass.next_pc.val();
        self.retire_next_mask.next = self.pass.next_active.val();
        self.retire_done.next = self.pass.done.val();
        self.retire_depth.next = self.pass.next_depth.val();
        self.retire_front_kind.next = self.pass.next_front_kind.val();
        self.retire_front_mask.next = self.pass.next_front_mask.val();
        self.retire_front_pc.next = self.pass.next_front_pc.val();
        self.retire_front_below.next = self.pass.next_front_below.val();
        self.retire_dropped.next = self.pass.dropped.val();
        self.exception_valid.next = self.e_valid.q.val() & self.pass.exception.val();
        self.exception_warp.next = self.e_warp.q.val();
        self.exception_pc.next = self.e_pc.q.val();
        self.exception_cause.next = self.pass.cause.val();
        if self.e_valid.q.val() & self.pass.dropped.val() {
            self.drops.d.next = self.drops.q.val() + self.one_drop.val();
        }
        self.status_dropped.next = self.drops.q.val();
        // An empty launch mask starts nothing.
        self.started.next = self.no_warps.val();
        if self.entry.launch_taken.val() & self.launch_mask.val().any() {
            self.started.next = self.one_warp.val() << self.launch_warp.val();
        }
        self.ended.next = self.no_warps.val();
        if self.e_valid.q.val() & (self.pass.done.val() | self.pass.exception.val()) {
            self.ended.next = self.one_warp.val() << self.e_warp.q.val();
        }
        self.busy.d.next = (self.busy.q.val() & !self.ended.val()) | self.started.val();
        self.status_busy.next = self.busy.q.val();

        // ---- Issue reads.
        self.issue_active.read_address.next = self.read_warp.val();
        self.issue_pc.read_address.next = self.read_warp.val();
        self.read_mask.next = self.issue_active.read_data.val();
        self.read_pc.next = self.issue_pc.read_data.val();

        // ---- Reset wins.
        if self.reset.val() {
            self.c_valid.d.next = false;
            self.e_valid.d.next = false;
            self.busy.d.next = self.no_warps.val();
            self.drops.d.next = self.no_drops.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{check_with_memories, Datapath};
    use weft_rtl::settle;

    type Small = Convergence<4, 2, 8, 4, 5, 6, 15>;

    /// Lint, export, `-Wall`, and the same outputs as its Verilog while four warps run random operations.
    #[test]
    fn verilog_agrees() {
        let mut datapath = Datapath::default();
        let (mut dones, mut exceptions, mut dropped, mut forced) = (0, 0, 0, 0);
        check_with_memories(
            "weft_convergence",
            Small::default,
            8000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.cfg_yield_every.next = 2.into();
                u.cfg_forced_yield.next = 9.into();
                u.cfg_path.next = (t as u64 / 2000).into();
                let launch = if t < 2 { None } else { datapath.launch(rng) };
                u.launch_valid.next = launch.is_some();
                let (warp, pc, mask) = launch.unwrap_or_default();
                u.launch_warp.next = (warp & 3).into();
                u.launch_pc.next = pc.into();
                u.launch_mask.next = (mask & 0xFF).into();
                u.read_warp.next = rng.bits();
                let offer = if t < 2 { None } else { datapath.offer(rng) };
                u.resolve_valid.next = offer.is_some();
                let r = offer.unwrap_or_default();
                u.resolve_warp.next = r.warp.into();
                u.resolve_op.next = r.op.into();
                u.resolve_kind.next = r.kind.into();
                u.resolve_mask.next = (r.mask & 0xFF).into();
                u.resolve_target.next = r.target.into();
                settle(u);
                if launch.is_some() && u.launch_ready.val() {
                    datapath.launched();
                }
                if offer.is_some() && u.resolve_ready.val() {
                    datapath.taken();
                }
                if u.wake_valid.val() {
                    datapath.issued(u.wake_warp.val().to_u64());
                }
                dones += u32::from(u.retire_valid.val() && u.retire_done.val());
                dropped += u32::from(u.retire_valid.val() && u.retire_dropped.val());
                forced += u32::from(u.retire_valid.val() && u.retire_op.val().to_u64() == 9);
                exceptions += u32::from(u.exception_valid.val());
            },
            |u, level| u.clock.next = level.into(),
        );
        assert!(
            dones > 5 && exceptions > 5 && dropped > 5 && forced > 5,
            "thin run: done {dones}, exceptions {exceptions}, dropped {dropped}, forced {forced}"
        );
    }
}
