//! Whether a descriptor that is named waits for others that will name it, too (TASK-027).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `word_valid`, `index`, `word` | in | 1, 5, 32 | one of its words |
//! | `waits` | out | 1 | it waits for more: it is counted, and not inserted |
//! | `count` | out | 16 | NAMED with this one |
//! | `some` | out | 1 | NAMED is not 0 |
//!
//! # Cycle behaviour
//! `waits`, `count` and `some` stand from the cycle behind word 26 on, until another descriptor is read.

use crate::hdl::*;

#[module]
pub struct Naming {
    pub clock: Signal<In, Clock>,
    pub word_valid: Signal<In, Bit>,
    pub index: Signal<In, Bits<5>>,
    pub word: Signal<In, Bits<32>>,
    pub waits: Signal<Out, Bit>,
    pub count: Signal<Out, Bits<16>>,
    pub some: Signal<Out, Bit>,
    predecessors: DFF<Bits<16>>,
    earlier: DFF<Bits<16>>,
    // The last of both has come; what they say.
    known: DFF<Bit>,
    is_waiting: DFF<Bit>,
    after: Signal<Local, Bits<17>>,
}

#[part(Naming)]
fn update(&mut self) {
    if self.word_valid.val() & (self.index.val() == 24) {
        self.predecessors.d.next = self.word.val().get_bits::<16>(0);
    }
    if self.word_valid.val() & (self.index.val() == 26) {
        self.earlier.d.next = self.word.val().get_bits::<16>(0);
    }
    self.after.next = bit_cast::<17, 16>(self.earlier.q.val()) + 1;
    self.known.d.next = self.word_valid.val() & (self.index.val() == 26);
    if self.known.q.val() {
        self.is_waiting.d.next = self.after.val() < bit_cast::<17, 16>(self.predecessors.q.val());
    }
    self.waits.next = self.is_waiting.q.val();
    self.count.next = self.after.val().get_bits::<16>(0);
    self.some.next = self.earlier.q.val().any();
}
