//! Passes for the load/store unit, in order: straight to it, or, while others wait, through block RAM.
//!
//! Spec: `docs/spec/memory.md`, *Load/store unit*.
//!
//! # Parameters
//! `QI`: log2 of the places; `H` bits of a pass besides its lanes' addresses and data, which are `LW` bits each;
//! `PS` = log2 of the passes of an instruction.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `push_valid` / `push_ready`, `push_head`, `push_address`, `push_data` | in / out | 1, H, LW, LW | |
//! | `pop_valid` / `pop_ready`, `pop_head`, `pop_address`, `pop_data` | out / in | 1, H, LW, LW | |
//! | `slots_free` | out | 5 | instructions that it takes, 31 at most |
//!
//! # Cycle behaviour
//! A pass that comes to an empty queue is offered in that cycle; one that waits, two cycles after it was taken at the
//! earliest. One goes in and one out in each cycle.
//! `push_ready` depends on no other port.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::BlockRam;

#[module(requires(QC == QI + 1, QI >= 5, PS < QI, PS < 8))]
pub struct PassQueue<
    const QI: usize,
    const QC: usize,
    const H: usize,
    const LW: usize,
    const PS: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push_valid: Signal<In, Bit>,
    pub push_ready: Signal<Out, Bit>,
    pub push_head: Signal<In, Bits<H>>,
    pub push_address: Signal<In, Bits<LW>>,
    pub push_data: Signal<In, Bits<LW>>,
    pub pop_valid: Signal<Out, Bit>,
    pub pop_ready: Signal<In, Bit>,
    pub pop_head: Signal<Out, Bits<H>>,
    pub pop_address: Signal<Out, Bits<LW>>,
    pub pop_data: Signal<Out, Bits<LW>>,
    pub slots_free: Signal<Out, Bits<5>>,
    // State: passes, and whether there are any, of which the first one may be shown; where it is, where the next one goes.
    stored: DFF<Bits<QC>>,
    holds: DFF<Bit>,
    shown: DFF<Bit>,
    first: DFF<Bits<QI>>,
    last: DFF<Bits<QI>>,
    heads: BlockRam<H, QI>,
    addresses: BlockRam<LW, QI>,
    data: BlockRam<LW, QI>,
    // Combinational.
    straight: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    pushes: Signal<Local, Bit>,
    pops: Signal<Local, Bit>,
    remain: Signal<Local, Bits<QC>>,
    next_first: Signal<Local, Bits<QI>>,
    room: Signal<Local, Bits<QC>>,
    instructions: Signal<Local, Bits<QC>>,
    #[value(1u64.into())]
    one: Constant<Bits<QC>>,
    #[value(0u64.into())]
    none: Constant<Bits<QC>>,
    #[value((1u64 << QI).into())]
    all: Constant<Bits<QC>>,
    #[value(31u64.into())]
    most: Constant<Bits<QC>>,
    #[value((PS as u64).into())]
    shift: Constant<Bits<3>>,
    #[value(1u64.into())]
    one_place: Constant<Bits<QI>>,
    #[value(0u64.into())]
    no_place: Constant<Bits<QI>>,
}

#[part(PassQueue<QI, QC, H, LW, PS>)]
fn update(&mut self) {
    self.push_ready.next = self.stored.q.val() != self.all.val();
    self.straight.next = !self.holds.q.val();
    self.goes.next = self.straight.val() & self.pop_ready.val();
    self.pushes.next = self.push_valid.val() & self.push_ready.val() & !self.goes.val();
    self.pop_valid.next = self.shown.q.val() | (self.straight.val() & self.push_valid.val());
    self.pops.next = self.shown.q.val() & self.pop_ready.val();
    // What remains can be read for the next cycle; what is pushed now cannot.
    self.remain.next = self.stored.q.val();
    self.next_first.next = self.first.q.val();
    if self.pops.val() {
        self.remain.next = self.stored.q.val() - self.one.val();
        self.next_first.next = self.first.q.val() + self.one_place.val();
    }
    self.shown.d.next = self.remain.val().any();
    self.holds.d.next = self.remain.val().any() | self.pushes.val();
    self.first.d.next = self.next_first.val();
    self.stored.d.next = self.remain.val();
    if self.pushes.val() {
        self.stored.d.next = self.remain.val() + self.one.val();
        self.last.d.next = self.last.q.val() + self.one_place.val();
    }
    spread!(self.*.write_enable <- self.pushes: heads, addresses, data);
    spread!(self.*.write_address <- self.last.q: heads, addresses, data);
    self.heads.write_data.next = self.push_head.val();
    self.addresses.write_data.next = self.push_address.val();
    self.data.write_data.next = self.push_data.val();
    spread!(self.*.read_address <- self.next_first: heads, addresses, data);
    self.pop_head.next = self.heads.read_data.val();
    self.pop_address.next = self.addresses.read_data.val();
    self.pop_data.next = self.data.read_data.val();
    // If none is shown, nothing is valid but what goes straight.
    if !self.shown.q.val() {
        carry!(self.pop_* <- self.push_*: head, address, data);
    }
    self.room.next = self.all.val() - self.stored.q.val();
    self.instructions.next = self.room.val() >> self.shift.val();
    if self.instructions.val() > self.most.val() {
        self.instructions.next = self.most.val();
    }
    self.slots_free.next = self.instructions.val().get_bits::<5>(0);
    if self.reset.val() {
        self.stored.d.next = self.none.val();
        self.holds.d.next = false;
        self.shown.d.next = false;
        spread!(self.*.d <- self.no_place: first, last);
    }
}
