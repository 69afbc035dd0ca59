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
//! | `wake_valid`, `wake_warp` | out | 1, WI | pulse: this warp may issue again; late |
//! | `read_warp` | in | WI | warp to issue next |
//! | `read_pc`, `read_mask` | out | 22, W | pc and active mask of the former cycle's `read_warp` |
//!
//! # Cycle behaviour
//! Two stages. *Read*: a resolve, a launch or a further pass of an operation addresses the state memories of its warp and one token.
//! *Execute* (`execute.rs`): one pass; results are written back and the outcome is shown at the end of the same cycle.
//! ```text
//! cycle      0        1        2        3
//! resolve    warp 5
//! read       warp 5
//! execute             warp 5                     retire, wake
//! pick                         warp 5            (scheduler)
//! issue                                 warp 5   one pass: the next issue comes 3 cycles after the resolve
//! ```
//! A further pass enters *read* in the cycle after *execute*, ahead of new resolves: it costs its own warp 2 cycles and the others one slot.
//!
//! # State
//! Everything that grows with warps × threads lies in memories. The front token stands with the warp's state; the others stand in the
//! token memory, 2 W places per warp used as a ring: the token with number n (front = 0) at `head` + n − 1. So a pass sees T0 and one more token.
//!
//! # Invariants
//! 1. A warp has at most one operation in flight; so no pass ever reads state that another pass still has to write.
//! 2. At most one pass per cycle asks for another one, and it is taken up in the next cycle: nothing has to be queued.
//!
//! # Errors
//! `exception_*`; the warp's slot becomes free. `Default` panics when a derived parameter does not fit.

pub mod code;
mod execute;

pub use execute::Execute;

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
    depth: LutRam<Bits<C>, WI>,
    // State: memory of the tokens behind the front, by {warp, place}.
    token_tags: SyncRam<Bits<8>, TA>,
    token_mask: SyncRam<Bits<W>, TA>,
    token_pc: SyncRam<Bits<22>, TA>,
    // State: running warps, pushes dropped.
    busy: DFF<Bits<NW>>,
    drops: DFF<Bits<32>>,
    // Pipeline register between read and execute.
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
    c_depth: DFF<Bits<C>>,
    // A further pass, on its way back to read.
    x_valid: DFF<Bit>,
    x_warp: DFF<Bits<WI>>,
    x_op: DFF<Bits<4>>,
    x_step: DFF<Bits<3>>,
    x_kind: DFF<Bits<4>>,
    x_selected: DFF<Bits<W>>,
    x_target: DFF<Bits<22>>,
    x_k: DFF<Bits<C>>,
    // Combinational.
    pass: Execute<W, P, C, T>,
    launch_take: Signal<Local, Bit>,
    resolve_take: Signal<Local, Bit>,
    launch_idle: Signal<Local, Bit>,
    r_valid: Signal<Local, Bit>,
    r_warp: Signal<Local, Bits<WI>>,
    r_op: Signal<Local, Bits<4>>,
    r_step: Signal<Local, Bits<3>>,
    r_kind: Signal<Local, Bits<4>>,
    r_selected: Signal<Local, Bits<W>>,
    r_target: Signal<Local, Bits<22>>,
    r_k: Signal<Local, Bits<C>>,
    r_k_low: Signal<Local, Bits<P>>,
    r_at: Signal<Local, Bits<P>>,
    front_tag: Signal<Local, Bits<8>>,
    token_tag: Signal<Local, Bits<8>>,
    started: Signal<Local, Bits<NW>>,
    ended: Signal<Local, Bits<NW>>,
    write: Signal<Local, Bit>,
    read_at: Signal<Local, Bits<TA>>,
    store_at: Signal<Local, Bits<TA>>,
    // Constants.
    op_yield: Constant<Bits<4>>,
    op_forced_yield: Constant<Bits<4>>,
    op_launch: Constant<Bits<4>>,
    op_fault: Constant<Bits<4>>,
    op_illegal: Constant<Bits<4>>,
    no_kind: Constant<Bits<4>>,
    step_start: Constant<Bits<3>>,
    one_token: Constant<Bits<C>>,
    one_place: Constant<Bits<P>>,
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
            clock, reset, cfg_yield_every, cfg_forced_yield, launch_valid, launch_ready,
            launch_warp, launch_pc, launch_mask, resolve_valid, resolve_ready, resolve_warp,
            resolve_op, resolve_kind, resolve_mask, resolve_target, retire_valid, retire_warp,
            retire_op, retire_pc, retire_next_pc, retire_next_mask, retire_done, retire_depth,
            retire_front_kind, retire_front_mask, retire_front_pc, retire_front_below,
            retire_dropped, exception_valid, exception_warp, exception_pc, exception_cause,
            status_busy, status_dropped, wake_valid, wake_warp, read_warp, read_pc, read_mask,
            active, issue_active, reason, pc, issue_pc, front_tags, front_mask, front_pc, yields,
            backward, head, depth, token_tags, token_mask, token_pc, busy, drops, c_valid,
            c_warp, c_op, c_step, c_kind, c_selected, c_target, c_k, c_at, c_head, c_depth,
            x_valid, x_warp, x_op, x_step, x_kind, x_selected, x_target, x_k, pass, launch_take,
            resolve_take, launch_idle, r_valid, r_warp, r_op, r_step, r_kind, r_selected,
            r_target, r_k, r_k_low, r_at, front_tag, token_tag, started, ended, write, read_at,
            store_at,
        } {
            op_yield: Constant::new(code::OP_YIELD.into()),
            op_forced_yield: Constant::new(code::OP_FORCED_YIELD.into()),
            op_launch: Constant::new(code::OP_LAUNCH.into()),
            op_fault: Constant::new(code::OP_FAULT.into()),
            op_illegal: Constant::new(code::OP_ILLEGAL.into()),
            no_kind: Constant::new(0.into()),
            step_start: Constant::new(code::STEP_START.into()),
            one_token: Constant::new(1.into()),
            one_place: Constant::new(1.into()),
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
        dff_setup!(self, clock, c_depth, x_valid, x_warp, x_op, x_step, x_kind);
        dff_setup!(self, clock, x_selected, x_target, x_k);
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
        clock!(self, clock, front_pc, yields, backward, head, depth, token_tags);
        clock!(self, clock, token_mask, token_pc);
        for i in 0..4 {
            self.reason[i].clock.next = self.clock.val();
        }

        // ---- Read: a further pass first, then a launch, then a resolve.
        self.launch_idle.next = !self.busy.q.val().get_bit(self.launch_warp.val().index());
        self.launch_ready.next = !self.x_valid.q.val() & self.launch_idle.val();
        self.launch_take.next = self.launch_valid.val() & self.launch_ready.val();
        self.resolve_ready.next = !self.x_valid.q.val() & !self.launch_take.val();
        self.resolve_take.next = self.resolve_valid.val() & self.resolve_ready.val();
        self.r_valid.next = self.x_valid.q.val() | self.launch_take.val() | self.resolve_take.val();
        self.r_warp.next = self.resolve_warp.val();
        self.r_op.next = self.resolve_op.val();
        if self.resolve_op.val() > self.op_fault.val() {
            self.r_op.next = self.op_illegal.val();
        }
        self.r_step.next = self.step_start.val();
        self.r_kind.next = self.resolve_kind.val();
        self.r_selected.next = self.resolve_mask.val();
        self.r_target.next = self.resolve_target.val();
        if self.launch_take.val() {
            self.r_warp.next = self.launch_warp.val();
            self.r_op.next = self.op_launch.val();
            self.r_kind.next = self.no_kind.val();
            self.r_selected.next = self.launch_mask.val();
            self.r_target.next = self.launch_pc.val();
        }
        if self.x_valid.q.val() {
            self.r_warp.next = self.x_warp.q.val();
            self.r_op.next = self.x_op.q.val();
            self.r_step.next = self.x_step.q.val();
            self.r_kind.next = self.x_kind.q.val();
            self.r_selected.next = self.x_selected.q.val();
            self.r_target.next = self.x_target.q.val();
        }
        self.head.read_address.next = self.r_warp.val();
        self.depth.read_address.next = self.r_warp.val();
        // The token to look at: the last one for a yield, else the one behind the front, unless a pass asks for another.
        self.r_k.next = self.one_token.val();
        if (self.r_op.val() == self.op_yield.val())
            | (self.r_op.val() == self.op_forced_yield.val())
        {
            self.r_k.next = self.depth.read_data.val() - self.one_token.val();
        }
        if self.x_valid.q.val() & (self.x_step.q.val() != self.step_start.val()) {
            self.r_k.next = self.x_k.q.val();
        }
        self.r_k_low.next = self.r_k.val().get_bits::<P>(0);
        self.r_at.next = self.head.read_data.val() + self.r_k_low.val() - self.one_place.val();
        self.read_at.next = (bit_cast::<TA, WI>(self.r_warp.val()) << self.place_bits.val())
            | bit_cast::<TA, P>(self.r_at.val());
        self.active.read_address.next = self.r_warp.val();
        self.pc.read_address.next = self.r_warp.val();
        self.front_tags.read_address.next = self.r_warp.val();
        self.front_mask.read_address.next = self.r_warp.val();
        self.front_pc.read_address.next = self.r_warp.val();
        self.yields.read_address.next = self.r_warp.val();
        self.backward.read_address.next = self.r_warp.val();
        for i in 0..4 {
            self.reason[i].read_address.next = self.r_warp.val();
        }
        self.token_tags.read_address.next = self.read_at.val();
        self.token_mask.read_address.next = self.read_at.val();
        self.token_pc.read_address.next = self.read_at.val();
        self.c_valid.d.next = self.r_valid.val();
        self.c_warp.d.next = self.r_warp.val();
        self.c_op.d.next = self.r_op.val();
        self.c_step.d.next = self.r_step.val();
        self.c_kind.d.next = self.r_kind.val();
        self.c_selected.d.next = self.r_selected.val();
        self.c_target.d.next = self.r_target.val();
        self.c_k.d.next = self.r_k.val();
        self.c_at.d.next = self.r_at.val();
        self.c_head.d.next = self.head.read_data.val();
        self.c_depth.d.next = self.depth.read_data.val();

        // ---- Execute.
        self.pass.op.next = self.c_op.q.val();
        self.pass.step.next = self.c_step.q.val();
        self.pass.kind.next = self.c_kind.q.val();
        self.pass.selected.next = self.c_selected.q.val();
        self.pass.target.next = self.c_target.q.val();
        self.pass.k.next = self.c_k.q.val();
        self.pass.head.next = self.c_head.q.val();
        self.pass.depth.next = self.c_depth.q.val();
        self.pass.token_at.next = self.c_at.q.val();
        self.pass.active.next = self.active.read_data.val();
        for i in 0..4 {
            self.pass.reason[i].next = self.reason[i].read_data.val();
        }
        self.pass.pc.next = self.pc.read_data.val();
        self.pass.front_kind.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.pass.front_below.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.pass.front_mask.next = self.front_mask.read_data.val();
        self.pass.front_pc.next = self.front_pc.read_data.val();
        self.pass.yields.next = self.yields.read_data.val();
        self.pass.backward.next = self.backward.read_data.val();
        self.pass.token_kind.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.pass.token_below.next = self.token_tags.read_data.val().get_bits::<4>(4);
        self.pass.token_mask.next = self.token_mask.read_data.val();
        self.pass.token_pc.next = self.token_pc.read_data.val();
        self.pass.cfg_yield_every.next = self.cfg_yield_every.val();
        self.pass.cfg_forced_yield.next = self.cfg_forced_yield.val();

        // ---- Write back.
        self.write.next = self.c_valid.q.val();
        self.front_tag.next = (bit_cast::<8, 4>(self.pass.next_front_below.val())
            << self.tag_shift.val())
            | bit_cast::<8, 4>(self.pass.next_front_kind.val());
        self.active.write_enable.next = self.write.val();
        self.active.write_address.next = self.c_warp.q.val();
        self.active.write_data.next = self.pass.next_active.val();
        self.issue_active.write_enable.next = self.write.val();
        self.issue_active.write_address.next = self.c_warp.q.val();
        self.issue_active.write_data.next = self.pass.next_active.val();
        self.pc.write_enable.next = self.write.val();
        self.pc.write_address.next = self.c_warp.q.val();
        self.pc.write_data.next = self.pass.next_pc.val();
        self.issue_pc.write_enable.next = self.write.val();
        self.issue_pc.write_address.next = self.c_warp.q.val();
        self.issue_pc.write_data.next = self.pass.next_pc.val();
        self.front_tags.write_enable.next = self.write.val();
        self.front_tags.write_address.next = self.c_warp.q.val();
        self.front_tags.write_data.next = self.front_tag.val();
        self.front_mask.write_enable.next = self.write.val();
        self.front_mask.write_address.next = self.c_warp.q.val();
        self.front_mask.write_data.next = self.pass.next_front_mask.val();
        self.front_pc.write_enable.next = self.write.val();
        self.front_pc.write_address.next = self.c_warp.q.val();
        self.front_pc.write_data.next = self.pass.next_front_pc.val();
        self.yields.write_enable.next = self.write.val();
        self.yields.write_address.next = self.c_warp.q.val();
        self.yields.write_data.next = self.pass.next_yields.val();
        self.backward.write_enable.next = self.write.val();
        self.backward.write_address.next = self.c_warp.q.val();
        self.backward.write_data.next = self.pass.next_backward.val();
        self.head.write_enable.next = self.write.val();
        self.head.write_address.next = self.c_warp.q.val();
        self.head.write_data.next = self.pass.next_head.val();
        self.depth.write_enable.next = self.write.val();
        self.depth.write_address.next = self.c_warp.q.val();
        self.depth.write_data.next = self.pass.next_depth.val();
        for i in 0..4 {
            self.reason[i].write_enable.next = self.write.val();
            self.reason[i].write_address.next = self.c_warp.q.val();
            self.reason[i].write_data.next = self.pass.next_reason[i].val();
        }
        self.store_at.next = (bit_cast::<TA, WI>(self.c_warp.q.val()) << self.place_bits.val())
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
        self.x_valid.d.next = self.c_valid.q.val() & self.pass.again.val();
        self.x_warp.d.next = self.c_warp.q.val();
        self.x_op.d.next = self.pass.again_op.val();
        self.x_step.d.next = self.pass.again_step.val();
        self.x_kind.d.next = self.c_kind.q.val();
        self.x_selected.d.next = self.pass.again_mask.val();
        self.x_target.d.next = self.c_target.q.val();
        self.x_k.d.next = self.pass.again_k.val();

        // ---- Outcome.
        self.wake_valid.next = self.c_valid.q.val() & self.pass.ready.val();
        self.wake_warp.next = self.c_warp.q.val();
        self.retire_valid.next = self.c_valid.q.val() & self.pass.retire.val();
        self.retire_warp.next = self.c_warp.q.val();
        self.retire_op.next = self.c_op.q.val();
        self.retire_pc.next = self.pc.read_data.val();
        self.retire_next_pc.next = self.pass.next_pc.val();
        self.retire_next_mask.next = self.pass.next_active.val();
        self.retire_done.next = self.pass.done.val();
        self.retire_depth.next = self.pass.next_depth.val();
        self.retire_front_kind.next = self.pass.next_front_kind.val();
        self.retire_front_mask.next = self.pass.next_front_mask.val();
        self.retire_front_pc.next = self.pass.next_front_pc.val();
        self.retire_front_below.next = self.pass.next_front_below.val();
        self.retire_dropped.next = self.pass.dropped.val();
        self.exception_valid.next = self.c_valid.q.val() & self.pass.exception.val();
        self.exception_warp.next = self.c_warp.q.val();
        self.exception_pc.next = self.pc.read_data.val();
        self.exception_cause.next = self.pass.cause.val();
        if self.c_valid.q.val() & self.pass.dropped.val() {
            self.drops.d.next = self.drops.q.val() + self.one_drop.val();
        }
        self.status_dropped.next = self.drops.q.val();
        // An empty launch mask starts nothing.
        self.started.next = self.no_warps.val();
        if self.launch_take.val() & self.launch_mask.val().any() {
            self.started.next = self.one_warp.val() << self.launch_warp.val();
        }
        self.ended.next = self.no_warps.val();
        if self.c_valid.q.val() & (self.pass.done.val() | self.pass.exception.val()) {
            self.ended.next = self.one_warp.val() << self.c_warp.q.val();
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
            self.x_valid.d.next = false;
            self.busy.d.next = self.no_warps.val();
            self.drops.d.next = self.no_drops.val();
        }
    }
}
