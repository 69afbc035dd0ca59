//! The fault of an instruction: that of its lowest thread.
//!
//! Spec: `docs/spec/memory.md`, MEM-016, MEM-018.
//!
//! # Parameters
//! `T` instructions, a power of two, 4 at least; `TI` = log2 T.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `begins`, `begins_slot` | in | 1, TI | an instruction without faults |
//! | `note`, `note_slot`, `note_thread`, `note_cause`, `note_address` | in | 1, TI, 6, 4, 32 | a thread of it has faulted |
//! | `ask_slot` / `any`, `thread`, `cause`, `address` | in / out | TI / 1, 6, 4, 32 | what is known; combinational |
//!
//! # Cycle behaviour
//! A note is seen from the next cycle on.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(T == 1 << TI))]
pub struct Faults<const T: usize, const TI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub begins: Signal<In, Bit>,
    pub begins_slot: Signal<In, Bits<TI>>,
    pub note: Signal<In, Bit>,
    pub note_slot: Signal<In, Bits<TI>>,
    pub note_thread: Signal<In, Bits<6>>,
    pub note_cause: Signal<In, Bits<4>>,
    pub note_address: Signal<In, Bits<32>>,
    pub ask_slot: Signal<In, Bits<TI>>,
    pub any: Signal<Out, Bit>,
    pub thread: Signal<Out, Bits<6>>,
    pub cause: Signal<Out, Bits<4>>,
    pub address: Signal<Out, Bits<32>>,
    // State per instruction: there is one; thread (twice), cause and address.
    noted: DFF<Bits<T>>,
    threads: LutRam<Bits<6>, TI>,
    others: LutRam<Bits<6>, TI>,
    causes: LutRam<Bits<4>, TI>,
    addresses: LutRam<Bits<32>, TI>,
    next_noted: Signal<Local, Bits<T>>,
    is_noted: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    #[init((0..T).map(|t| Constant::new((t as u64).into())).collect())]
    number: Vec<Constant<Bits<TI>>>,
    #[value(0u64.into())]
    nothing: Constant<Bits<T>>,
}

#[part(Faults<T, TI>)]
fn update(&mut self) {
    self.any.next = self.noted.q.val().get_bit(self.ask_slot.val().index());
    spread!(self.*.read_address <- self.ask_slot: threads, causes, addresses);
    self.thread.next = self.threads.read_data.val();
    self.cause.next = self.causes.read_data.val();
    self.address.next = self.addresses.read_data.val();
    // Of two threads the lower one counts.
    self.others.read_address.next = self.note_slot.val();
    self.is_noted.next = self.noted.q.val().get_bit(self.note_slot.val().index());
    self.writes.next = self.note.val()
        & (!self.is_noted.val() | (self.note_thread.val() < self.others.read_data.val()));
    spread!(self.*.write_enable <- self.writes: threads, others, causes, addresses);
    spread!(self.*.write_address <- self.note_slot: threads, others, causes, addresses);
    spread!(self.*.write_data <- self.note_thread: threads, others);
    self.causes.write_data.next = self.note_cause.val();
    self.addresses.write_data.next = self.note_address.val();
    self.next_noted.next = self.noted.q.val();
    for t in 0..T {
        if self.begins.val() & (self.begins_slot.val() == self.number[t].val()) {
            self.next_noted.next = self.next_noted.val().replace_bit(t, false);
        }
        if self.writes.val() & (self.note_slot.val() == self.number[t].val()) {
            self.next_noted.next = self.next_noted.val().replace_bit(t, true);
        }
    }
    if self.reset.val() {
        self.next_noted.next = self.nothing.val();
    }
    self.noted.d.next = self.next_noted.val();
}
