//! Control: what instructions turned out to be, and faults, one after the other to the resolve port.
//!
//! Spec: `docs/spec/datapath.md`, DATA-040 to DATA-044; `docs/spec/sm.md`, SM-013, SM-014.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW, `W` threads per warp.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `push_valid`, `push_*` | in | | an instruction's resolve, with the fields of the port of the core |
//! | `fault_valid`, `fault_warp`, `fault_pc`, `fault_cause` | in | 1, WI, 22, 4 | a fault of an instruction |
//! | `begin_valid`, `begin_warp` | in | 1, WI | a new launch of this warp: what is left of the former one is dropped |
//! | `dead` | in | NW | the warp has faulted: its resolves are dropped |
//! | `pending` | in | NW | accesses of the warp are not over |
//! | `retire_valid`, `retire_warp`, `exception_valid` | in | 1, WI, 1 | of the core |
//! | `resolve_*` | | | the port of the core |
//! | `busy` | out | 1 | something is queued |
//! | `in_core` | out | NW | warps with an operation in the core |
//! | `forget_text` | out | 1 | pulse: a fence.i is offered, and instruction lines are to be forgotten |
//!
//! # Cycle behaviour
//! A resolve is offered in the cycle after its push when nothing else is queued or offered;
//! behind one that is taken the port is empty for a cycle.
//! EXIT, fence.i and faults wait until no access of their warp is pending (others overtake EXIT and fence.i).
//! A fault waits, too, until the operation of its warp that was offered before has retired.
//!
//! # Invariants
//! A warp has one resolve and one fault at most in here.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::LutRam;
use crate::warp::convergence::code;

#[module(requires(NW == 1 << WI))]
pub struct Control<const NW: usize, const WI: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push_valid: Signal<In, Bit>,
    pub push_warp: Signal<In, Bits<WI>>,
    pub push_op: Signal<In, Bits<4>>,
    pub push_kind: Signal<In, Bits<4>>,
    pub push_mask: Signal<In, Bits<W>>,
    pub push_target: Signal<In, Bits<22>>,
    pub push_pc: Signal<In, Bits<22>>,
    pub push_active: Signal<In, Bits<W>>,
    pub push_id: Signal<In, Bits<3>>,
    pub push_word: Signal<In, Bits<32>>,
    pub fault_valid: Signal<In, Bit>,
    pub fault_warp: Signal<In, Bits<WI>>,
    pub fault_pc: Signal<In, Bits<22>>,
    pub fault_cause: Signal<In, Bits<4>>,
    pub begin_valid: Signal<In, Bit>,
    pub begin_warp: Signal<In, Bits<WI>>,
    pub dead: Signal<In, Bits<NW>>,
    pub pending: Signal<In, Bits<NW>>,
    pub retire_valid: Signal<In, Bit>,
    pub retire_warp: Signal<In, Bits<WI>>,
    pub exception_valid: Signal<In, Bit>,
    pub exception_warp: Signal<In, Bits<WI>>,
    pub resolve_valid: Signal<Out, Bit>,
    pub resolve_ready: Signal<In, Bit>,
    pub resolve_warp: Signal<Out, Bits<WI>>,
    pub resolve_op: Signal<Out, Bits<4>>,
    pub resolve_kind: Signal<Out, Bits<4>>,
    pub resolve_mask: Signal<Out, Bits<W>>,
    pub resolve_target: Signal<Out, Bits<22>>,
    pub resolve_pc: Signal<Out, Bits<22>>,
    pub resolve_active: Signal<Out, Bits<W>>,
    pub resolve_id: Signal<Out, Bits<3>>,
    pub resolve_word: Signal<Out, Bits<32>>,
    pub busy: Signal<Out, Bit>,
    pub in_core: Signal<Out, Bits<NW>>,
    pub forget_text: Signal<Out, Bit>,
    // Resolves by warp, and the order of the warps.
    order: LutRam<Bits<WI>, WI>,
    ops: LutRam<Bits<4>, WI>,
    kinds: LutRam<Bits<4>, WI>,
    masks: LutRam<Bits<W>, WI>,
    targets: LutRam<Bits<22>, WI>,
    pcs: LutRam<Bits<22>, WI>,
    actives: LutRam<Bits<W>, WI>,
    ids: LutRam<Bits<3>, WI>,
    words: LutRam<Bits<32>, WI>,
    head: DFF<Bits<WI>>,
    tail: DFF<Bits<WI>>,
    count: DFF<Bits<8>>,
    // Faults by warp, and their order.
    fault_order: LutRam<Bits<WI>, WI>,
    fault_pcs: LutRam<Bits<22>, WI>,
    fault_causes: LutRam<Bits<4>, WI>,
    fault_head: DFF<Bits<WI>>,
    fault_tail: DFF<Bits<WI>>,
    fault_count: DFF<Bits<8>>,
    // State: warps whose resolve is queued and counts; warps with an operation in the core.
    counts: DFF<Bits<NW>>,
    outside: DFF<Bits<NW>>,
    // State: whose operation has retired in the cycle before.
    clears: DFF<Bits<NW>>,
    // State: what is offered.
    offers: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    op: DFF<Bits<4>>,
    kind: DFF<Bits<4>>,
    mask: DFF<Bits<W>>,
    target: DFF<Bits<22>>,
    pc: DFF<Bits<22>>,
    active: DFF<Bits<W>>,
    id: DFF<Bits<3>>,
    word: DFF<Bits<32>>,
    // Combinational.
    loads: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    direct: Signal<Local, Bit>,
    pops: Signal<Local, Bit>,
    turns: Signal<Local, Bit>,
    is_fence: Signal<Local, Bit>,
    push_is_fence: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    push_waits: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
    head_warp: Signal<Local, Bits<WI>>,
    faulty: Signal<Local, Bits<WI>>,
    some_fault: Signal<Local, Bit>,
    takes_fault: Signal<Local, Bit>,
    one_more: Signal<Local, Bits<8>>,
    one_less: Signal<Local, Bits<8>>,
    fault_more: Signal<Local, Bits<8>>,
    fault_less: Signal<Local, Bits<8>>,
    sets: Signal<Local, Bits<NW>>,
    ends: Signal<Local, Bits<NW>>,
    gains: Signal<Local, Bits<NW>>,
    loses: Signal<Local, Bits<NW>>,
    #[value(code::OP_NEXT.into())]
    op_next: Constant<Bits<4>>,
    #[value(code::NEXT_FENCE_I.into())]
    kind_fence_i: Constant<Bits<4>>,
    #[value(code::OP_EXIT.into())]
    op_exit: Constant<Bits<4>>,
    #[value(code::OP_FAULT.into())]
    op_fault: Constant<Bits<4>>,
    #[value(1.into())]
    one: Constant<Bits<WI>>,
    #[value(0.into())]
    no_place: Constant<Bits<WI>>,
    #[value(0.into())]
    none: Constant<Bits<8>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value(0.into())]
    nobody: Constant<Bits<W>>,
}

#[part(Control<NW, WI, W>)]
fn update(&mut self) {
    // ---- The oldest resolve and the oldest fault.
    self.order.read_address.next = self.head.q.val();
    self.head_warp.next = self.order.read_data.val();
    spread!(self.*.read_address <- self.head_warp:
        ops, kinds, masks, targets, pcs, actives, ids, words,
    );
    self.fault_order.read_address.next = self.fault_head.q.val();
    self.faulty.next = self.fault_order.read_data.val();
    spread!(self.*.read_address <- self.faulty: fault_pcs, fault_causes);
    self.some.next = self.count.q.val().any();
    self.some_fault.next = self.fault_count.q.val().any();

    // ---- What is offered next: a fault, the oldest resolve, or the one that comes in.
    // Not of whether the one before is taken: that is known late.
    self.loads.next = !self.offers.q.val();
    self.takes_fault.next = self.loads.val()
        & self.some_fault.val()
        & !self.pending.val().get_bit(self.faulty.val().index())
        & !self.outside.q.val().get_bit(self.faulty.val().index());
    self.drops.next = !self.counts.q.val().get_bit(self.head_warp.val().index())
        | self.dead.val().get_bit(self.head_warp.val().index());
    self.is_fence.next = (self.ops.read_data.val() == self.op_next.val())
        & (self.kinds.read_data.val() == self.kind_fence_i.val());
    self.push_is_fence.next = (self.push_op.val() == self.op_next.val())
        & (self.push_kind.val() == self.kind_fence_i.val());
    self.waits.next = ((self.ops.read_data.val() == self.op_exit.val()) | self.is_fence.val())
        & self.pending.val().get_bit(self.head_warp.val().index());
    self.push_waits.next = ((self.push_op.val() == self.op_exit.val()) | self.push_is_fence.val())
        & self.pending.val().get_bit(self.push_warp.val().index());
    // Who waits goes behind the others.
    self.turns.next =
        self.some.val() & !self.drops.val() & self.waits.val() & !self.push_valid.val();
    self.pops.next = self.some.val()
        & (self.drops.val() | (self.loads.val() & !self.takes_fault.val() & !self.waits.val()));
    self.direct.next = self.push_valid.val()
        & !self.some.val()
        & self.loads.val()
        & !self.takes_fault.val()
        & !self.push_waits.val();
    self.stores.next = self.push_valid.val() & !self.direct.val();

    self.offers.d.next = self.offers.q.val() & !self.resolve_ready.val();
    self.sets.next = self.no_warps.val();
    self.forget_text.next = (self.direct.val() & self.push_is_fence.val())
        | (self.pops.val() & !self.drops.val() & self.is_fence.val());
    if self.direct.val() {
        self.offers.d.next = true;
        carry!(self.*.d <- self.push_*: warp, op, kind, mask, target, pc, active, id, word);
        self.sets.next = self.one_warp.val() << self.push_warp.val();
    }
    if self.pops.val() & !self.drops.val() {
        self.offers.d.next = true;
        self.warp.d.next = self.head_warp.val();
        self.op.d.next = self.ops.read_data.val();
        self.kind.d.next = self.kinds.read_data.val();
        self.mask.d.next = self.masks.read_data.val();
        self.target.d.next = self.targets.read_data.val();
        self.pc.d.next = self.pcs.read_data.val();
        self.active.d.next = self.actives.read_data.val();
        self.id.d.next = self.ids.read_data.val();
        self.word.d.next = self.words.read_data.val();
        self.sets.next = self.one_warp.val() << self.head_warp.val();
    }
    if self.takes_fault.val() {
        self.offers.d.next = true;
        self.warp.d.next = self.faulty.val();
        self.op.d.next = self.op_fault.val();
        self.kind.d.next = self.fault_causes.read_data.val();
        self.mask.d.next = self.nobody.val();
        self.pc.d.next = self.fault_pcs.read_data.val();
        self.active.d.next = self.nobody.val();
        self.sets.next = self.one_warp.val() << self.faulty.val();
    }
    self.resolve_valid.next = self.offers.q.val();
    carry!(self.resolve_* <- self.*.q: warp, op, kind, mask, target, pc, active, id, word);

    // ---- Queue of resolves.
    self.order.write_enable.next = self.stores.val() | self.turns.val();
    self.order.write_address.next = self.tail.q.val();
    self.order.write_data.next = self.push_warp.val();
    if self.turns.val() {
        self.order.write_data.next = self.head_warp.val();
    }
    spread!(self.*.write_enable <- self.stores:
        ops, kinds, masks, targets, pcs, actives, ids, words,
    );
    spread!(self.*.write_address <- self.push_warp:
        ops, kinds, masks, targets, pcs, actives, ids, words,
    );
    self.ops.write_data.next = self.push_op.val();
    self.kinds.write_data.next = self.push_kind.val();
    self.masks.write_data.next = self.push_mask.val();
    self.targets.write_data.next = self.push_target.val();
    self.pcs.write_data.next = self.push_pc.val();
    self.actives.write_data.next = self.push_active.val();
    self.ids.write_data.next = self.push_id.val();
    self.words.write_data.next = self.push_word.val();
    self.gains.next = self.no_warps.val();
    self.loses.next = self.no_warps.val();
    if self.stores.val() {
        self.gains.next = self.one_warp.val() << self.push_warp.val();
    }
    if self.stores.val() | self.turns.val() {
        self.tail.d.next = self.tail.q.val() + self.one.val();
    }
    if self.pops.val() {
        self.loses.next = self.one_warp.val() << self.head_warp.val();
    }
    if self.pops.val() | self.turns.val() {
        self.head.d.next = self.head.q.val() + self.one.val();
    }
    if self.begin_valid.val() {
        self.loses.next = self.loses.val() | (self.one_warp.val() << self.begin_warp.val());
    }
    self.one_more.next = self.count.q.val() + 1;
    self.one_less.next = self.count.q.val() - 1;
    if self.stores.val() & !self.pops.val() {
        self.count.d.next = self.one_more.val();
    }
    if self.pops.val() & !self.stores.val() {
        self.count.d.next = self.one_less.val();
    }
    self.counts.d.next = (self.counts.q.val() & !self.loses.val()) | self.gains.val();

    // ---- Queue of faults.
    spread!(self.*.write_enable <- self.fault_valid: fault_order, fault_pcs, fault_causes);
    self.fault_order.write_address.next = self.fault_tail.q.val();
    spread!(self.*.write_address <- self.fault_warp: fault_pcs, fault_causes);
    self.fault_order.write_data.next = self.fault_warp.val();
    self.fault_pcs.write_data.next = self.fault_pc.val();
    self.fault_causes.write_data.next = self.fault_cause.val();
    if self.fault_valid.val() {
        self.fault_tail.d.next = self.fault_tail.q.val() + self.one.val();
    }
    if self.takes_fault.val() {
        self.fault_head.d.next = self.fault_head.q.val() + self.one.val();
    }
    self.fault_more.next = self.fault_count.q.val() + 1;
    self.fault_less.next = self.fault_count.q.val() - 1;
    if self.fault_valid.val() & !self.takes_fault.val() {
        self.fault_count.d.next = self.fault_more.val();
    }
    if self.takes_fault.val() & !self.fault_valid.val() {
        self.fault_count.d.next = self.fault_less.val();
    }

    // ---- Operations in the core.
    // What retires is known late: it is out of the core a cycle later.
    self.ends.next = self.no_warps.val();
    if self.retire_valid.val() {
        self.ends.next = self.one_warp.val() << self.retire_warp.val();
    }
    if self.exception_valid.val() {
        self.ends.next = self.ends.val() | (self.one_warp.val() << self.exception_warp.val());
    }
    self.clears.d.next = self.ends.val();
    self.outside.d.next = (self.outside.q.val() & !self.clears.q.val()) | self.sets.val();
    self.busy.next = self.some.val() | self.some_fault.val() | self.offers.q.val();
    self.in_core.next = self.outside.q.val();

    if self.reset.val() {
        carry!(self.*.d <- self:
            head = no_place, tail = no_place, count = none, fault_head = no_place,
            fault_tail = no_place, fault_count = none, counts = no_warps, outside = no_warps,
            clears = no_warps,
        );
        self.offers.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Bench;

    type Small = Control<4, 2, 4>;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "control",
            Small::default,
            3000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.push_valid.next = t > 2 && rng.chance(1, 3);
                u.push_warp.next = rng.bits();
                u.push_op.next = [0u64, 1, 7, 8, 11][rng.below(5) as usize].into();
                u.push_kind.next = match rng.flip() {
                    true => code::NEXT_FENCE_I.into(),
                    false => rng.bits(),
                };
                u.push_mask.next = rng.bits();
                u.push_target.next = rng.bits();
                u.push_pc.next = rng.bits();
                u.push_active.next = rng.bits();
                u.push_id.next = rng.bits();
                u.push_word.next = rng.bits();
                u.fault_valid.next = t > 2 && rng.chance(1, 16);
                u.fault_warp.next = rng.bits();
                u.fault_pc.next = rng.bits();
                u.fault_cause.next = rng.bits();
                u.begin_valid.next = rng.chance(1, 32);
                u.begin_warp.next = rng.bits();
                u.dead.next = if rng.chance(1, 4) {
                    rng.bits()
                } else {
                    0.into()
                };
                u.pending.next = if rng.chance(1, 4) {
                    rng.bits()
                } else {
                    0.into()
                };
                u.retire_valid.next = rng.flip();
                u.retire_warp.next = rng.bits();
                u.exception_valid.next = rng.chance(1, 16);
                u.exception_warp.next = rng.bits();
                u.resolve_ready.next = rng.flip();
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    fn push(u: &mut Small, warp: u64, op: u64) {
        u.push_valid.next = true;
        u.push_warp.next = warp.into();
        u.push_op.next = op.into();
    }

    /// SM-014: EXIT waits for the accesses of its warp, and others overtake it.
    #[test]
    fn exit_waits_for_its_accesses_and_holds_up_nobody() {
        let mut b = Bench::new(Small::default(), |u: &mut Small, level| {
            u.clock.next = level.into();
        });
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        b.uut.resolve_ready.next = true;
        b.uut.pending.next = 0b0010.into();
        push(&mut b.uut, 1, code::OP_EXIT);
        b.edge();
        push(&mut b.uut, 2, code::OP_BRANCH);
        b.edge();
        b.uut.push_valid.next = false;
        let mut seen = Vec::new();
        for cycle in 0..12 {
            if cycle == 6 {
                assert_eq!(seen, [2]);
                b.uut.pending.next = 0.into();
            }
            b.settle();
            if b.uut.resolve_valid.val() {
                seen.push(b.uut.resolve_warp.val().to_u64());
            }
            b.edge();
        }
        assert_eq!(seen, [2, 1]);
    }

    /// DATA-047: fence.i waits, too, and lines are forgotten once, in the cycle before it is offered.
    #[test]
    fn a_fence_of_instructions_waits_and_forgets_once() {
        let mut b = Bench::new(Small::default(), |u: &mut Small, level| {
            u.clock.next = level.into();
        });
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        b.uut.resolve_ready.next = true;
        for (waits, kind) in [(6, code::NEXT_FENCE_I), (0, code::NEXT_FENCE_I), (0, 0)] {
            push(&mut b.uut, 1, code::OP_NEXT);
            b.uut.push_kind.next = kind.into();
            let (mut forgets, mut offered) = (Vec::new(), Vec::new());
            for cycle in 0..12 {
                let pending = u64::from(cycle < waits) << 1;
                b.uut.pending.next = pending.into();
                b.settle();
                if b.uut.forget_text.val() {
                    forgets.push(cycle);
                }
                if b.uut.resolve_valid.val() {
                    offered.push(cycle);
                }
                b.edge();
                b.uut.push_valid.next = false;
            }
            assert_eq!(offered, [waits + 1]);
            assert_eq!(forgets, if kind == 0 { vec![] } else { vec![waits] });
        }
    }

    /// SM-013: a warp that has faulted is resolved once, as FAULT.
    #[test]
    fn what_a_dead_warp_still_resolves_is_dropped() {
        let mut b = Bench::new(Small::default(), |u: &mut Small, level| {
            u.clock.next = level.into();
        });
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        // Nothing is taken, so that the second one is queued.
        push(&mut b.uut, 0, code::OP_BRANCH);
        b.edge();
        push(&mut b.uut, 3, code::OP_BRANCH);
        b.edge();
        b.uut.push_valid.next = false;
        b.uut.fault_valid.next = true;
        b.uut.fault_warp.next = 3.into();
        b.uut.fault_cause.next = 6.into();
        b.edge();
        b.uut.fault_valid.next = false;
        b.uut.dead.next = 0b1000.into();
        b.uut.resolve_ready.next = true;
        let mut seen = Vec::new();
        for _ in 0..12 {
            b.settle();
            let u = &b.uut;
            if u.resolve_valid.val() {
                seen.push((u.resolve_warp.val().to_u64(), u.resolve_op.val().to_u64()));
            }
            b.edge();
        }
        assert_eq!(seen, [(0, code::OP_BRANCH), (3, code::OP_FAULT)]);
    }
}
