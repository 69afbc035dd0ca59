//! Where a warp will probably go on behind a control operation, while the convergence unit carries that out.
//!
//! Spec: `docs/spec/core.md`, CORE-013.
//!
//! # Parameters
//! `WI` = log2 of the number of warps; `W` threads per warp.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `taken` | in | 1 | the convergence unit takes an operation of the datapath |
//! | `warp`, `op`, `kind`, `mask`, `active`, `target`, `pc` | in | WI, 4, 4, W, W, 22, 22 | which: the `resolve_*` of `docs/spec/control.md` and `core.md` |
//! | `valid`, `next_warp`, `next_pc` | out | 1, WI, 22 | two cycles later: the warp goes on there; registers |
//!
//! # Cycle behaviour
//! The first cycle finds whether the operation goes to its target, the second one chooses between target and address.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::warp::convergence::code;

#[module(requires(WI >= 1, W >= 1))]
pub struct Predict<const WI: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub taken: Signal<In, Bit>,
    pub warp: Signal<In, Bits<WI>>,
    pub op: Signal<In, Bits<4>>,
    pub kind: Signal<In, Bits<4>>,
    pub mask: Signal<In, Bits<W>>,
    pub active: Signal<In, Bits<W>>,
    pub target: Signal<In, Bits<22>>,
    pub pc: Signal<In, Bits<22>>,
    pub valid: Signal<Out, Bit>,
    pub next_warp: Signal<Out, Bits<WI>>,
    pub next_pc: Signal<Out, Bits<22>>,
    // State: the operation, and whether it goes to its target.
    there: DFF<Bit>,
    there_warp: DFF<Bits<WI>>,
    there_pc: DFF<Bits<22>>,
    there_target: DFF<Bits<22>>,
    jumps: DFF<Bit>,
    // State: what is said.
    says: DFF<Bit>,
    says_warp: DFF<Bits<WI>>,
    says_pc: DFF<Bits<22>>,
    // Combinational.
    selected: Signal<Local, Bit>,
    may_part: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    // Constants.
    #[value(code::OP_BRANCH.into())]
    op_branch: Constant<Bits<4>>,
    #[value(code::OP_INDIRECT.into())]
    op_indirect: Constant<Bits<4>>,
    #[value(code::OP_LEAVE.into())]
    op_leave: Constant<Bits<4>>,
    #[value(code::OP_LEAVE_INDIRECT.into())]
    op_leave_indirect: Constant<Bits<4>>,
    #[value(code::OP_FAULT.into())]
    op_fault: Constant<Bits<4>>,
    #[value(code::OP_CALL.into())]
    op_call: Constant<Bits<4>>,
    #[value(code::OP_MASK.into())]
    op_mask: Constant<Bits<4>>,
    #[value(code::MASK_JUMP.into())]
    kind_jump: Constant<Bits<4>>,
    #[value(1.into())]
    one: Constant<Bits<22>>,
}

#[part(Predict<WI, W>)]
fn update(&mut self) {
    self.selected.next = (self.mask.val() & self.active.val()).any();
    self.may_part.next =
        (self.op.val() == self.op_branch.val()) | (self.op.val() == self.op_leave.val());
    self.goes.next = (self.op.val() == self.op_indirect.val())
        | (self.op.val() == self.op_leave_indirect.val())
        | (self.op.val() == self.op_call.val())
        | ((self.op.val() == self.op_mask.val()) & (self.kind.val() == self.kind_jump.val()));
    self.there.d.next = self.taken.val() & (self.op.val() != self.op_fault.val());
    carry!(self.there_*.d <- self: warp, pc, target);
    self.jumps.d.next = self.goes.val() | (self.may_part.val() & self.selected.val());
    self.says.d.next = self.there.q.val();
    self.says_warp.d.next = self.there_warp.q.val();
    self.says_pc.d.next = self.there_pc.q.val() + self.one.val();
    if self.jumps.q.val() {
        self.says_pc.d.next = self.there_target.q.val();
    }
    self.valid.next = self.says.q.val();
    carry!(self.next_* <- self.says_*.q: warp, pc);
    // Reset wins.
    if self.reset.val() {
        self.there.d.next = false;
        self.says.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use weft_rtl::{Bench, Rng};

    type Small = Predict<2, 5>;

    /// Drives an operation, and gives what CORE-013 says of it.
    fn drive(u: &mut Small, rng: &mut Rng, reset: bool) -> Option<(u64, u64)> {
        let (taken, warp, op) = (rng.flip(), rng.below(4), rng.below(16));
        let kind = rng.below(3);
        let (mask, active) = (rng.below(32) & rng.below(32), rng.below(32));
        let near_the_end = rng.chance(1, 4);
        let pc = if near_the_end {
            (1 << 22) - 1
        } else {
            rng.below(1 << 22)
        };
        let target = rng.below(1 << 22);
        u.reset.next = reset;
        u.taken.next = taken;
        u.warp.next = warp.into();
        u.op.next = op.into();
        u.kind.next = kind.into();
        u.mask.next = mask.into();
        u.active.next = active.into();
        u.target.next = target.into();
        u.pc.next = pc.into();
        let behind = (pc + 1) % (1 << 22);
        let next = match op {
            code::OP_FAULT => return None,
            code::OP_INDIRECT | code::OP_LEAVE_INDIRECT | code::OP_CALL => target,
            code::OP_BRANCH | code::OP_LEAVE if mask & active != 0 => target,
            code::OP_MASK if kind == code::MASK_JUMP => target,
            _ => behind,
        };
        (taken && !reset).then_some((warp, next))
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_predict",
            Small::default,
            500,
            |u, rng, t| {
                drive(u, rng, t < 1);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn two_cycles_later_it_says_where() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "predict");
        let mut on_its_way = [None; 2];
        let mut said = BTreeSet::new();
        for t in 0..2000 {
            let reset = t == 0 || t % 500 == 499;
            let next = drive(&mut b.uut, &mut rng, reset);
            b.settle();
            let u = &b.uut;
            let says = (u.next_warp.val().to_u64(), u.next_pc.val().to_u64());
            assert_eq!(u.valid.val().then_some(says), on_its_way[0], "cycle {t}");
            if u.valid.val() {
                said.insert(says.1 == 0);
            }
            on_its_way = [on_its_way[1], next];
            if reset {
                on_its_way = [None; 2];
            }
            b.edge();
        }
        assert_eq!(said.len(), 2, "an address wraps, and others do not");
    }
}
