//! First in, first out, in block RAM, with its head in a register.
//!
//! # Parameters
//! `D` bits per entry; at most 2^A - 1 entries; `A` is 3, 7 or 8.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high: empty |
//! | `push`, `push_data` | in | 1, D | an entry is added; never into a full one |
//! | `pop` | in | 1 | the head leaves; only with `valid` |
//! | `any` | out | 1 | there are entries |
//! | `valid`, `data` | out | 1, D | the head |
//! | `mark`, `marked` | in, out | 1, 1 | the entries that are there now are marked, in a cycle without `push` and `pop`, with a head or without entries; so is the head, or will be |
//!
//! # Cycle behaviour
//! An entry pushed into an empty one is the head in the next cycle.
//! After a pop the next head is there in the next cycle, or in the one after when heads left in both.
//! `any` without `valid`: the head is on its way.
//!
//! # Errors
//! None at run time. `Default` panics at another `A`.

use crate::hdl::*;
use crate::prim::BlockRam;

#[module(
    given(
        let taps: u64 = match A { 3 => 0x6, 7 => 0x60, 8 => 0xB8, _ => panic!("Fifo<{D}, {A}>"), };
    )
)]
pub struct Fifo<const D: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_data: Signal<In, Bits<D>>,
    pub pop: Signal<In, Bit>,
    pub any: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<D>>,
    pub mark: Signal<In, Bit>,
    pub marked: Signal<Out, Bit>,
    // State: the head; there are entries behind it; the first of them has been read.
    head: DFF<Bits<D>>,
    full: DFF<Bit>,
    some: DFF<Bit>,
    read: DFF<Bit>,
    first: DFF<Bits<A>>,
    last: DFF<Bits<A>>,
    // State: the head is marked, or will be; behind it those before this one are.
    of_mark: DFF<Bit>,
    bound: DFF<Bits<A>>,
    memory: BlockRam<D, A>,
    // Combinational.
    direct: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    second: Signal<Local, Bits<A>>,
    after_last: Signal<Local, Bits<A>>,
    // Constants.
    #[value(0.into())]
    start: Constant<Bits<A>>,
    #[value(1.into())]
    next: Constant<Bits<A>>,
    #[value(taps.into())]
    taps: Constant<Bits<A>>,
}

#[part(Fifo<D, A>)]
fn update(&mut self) {
    self.direct.next = self.push.val() & !self.full.q.val() & !self.some.q.val();
    self.stores.next = self.push.val() & (self.full.q.val() | self.some.q.val());
    self.loads.next = self.read.q.val() & (self.pop.val() | !self.full.q.val());
    self.memory.write_enable.next = self.stores.val();
    self.memory.write_address.next = self.last.q.val();
    self.memory.write_data.next = self.push_data.val();
    self.memory.read_address.next = self.first.q.val();
    // (Places follow each other as the words of a shift register with feedback, which needs no carries;
    // that of all ones is not used.)
    self.second.next = self.first.q.val() << 1;
    if !(self.first.q.val() & self.taps.val()).xor() {
        self.second.next = self.second.val() | self.next.val();
    }
    self.after_last.next = self.last.q.val() << 1;
    if !(self.last.q.val() & self.taps.val()).xor() {
        self.after_last.next = self.after_last.val() | self.next.val();
    }
    self.some.d.next = self.stores.val()
        | (self.some.q.val() & !(self.loads.val() & (self.last.q.val() == self.second.val())));
    // What is read now is the first entry in the next cycle, unless that leaves now.
    self.read.d.next = self.some.q.val() & !self.loads.val();
    if self.stores.val() {
        self.last.d.next = self.after_last.val();
    }
    if self.loads.val() {
        self.first.d.next = self.second.val();
        self.head.d.next = self.memory.read_data.val();
    }
    if self.direct.val() {
        self.head.d.next = self.push_data.val();
    }
    self.full.d.next = self.direct.val() | self.loads.val() | (self.full.q.val() & !self.pop.val());
    if self.reset.val() {
        self.full.d.next = false;
        self.some.d.next = false;
        self.read.d.next = false;
        spread!(self.*.d <- self.start: first, last);
    }
    if self.pop.val() & (self.first.q.val() == self.bound.q.val()) {
        self.of_mark.d.next = false;
    }
    if self.mark.val() {
        self.of_mark.d.next = self.full.q.val();
        self.bound.d.next = self.last.q.val();
    }
    self.any.next = self.full.q.val() | self.some.q.val();
    carry!(self <- self.*.q: valid = full, data = head, marked = of_mark);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_barrier_fifo",
            Fifo::<5, 3>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2;
                // Never more than there is room for.
                u.push.next = t % 16 < 8 && rng.chance(1, 2);
                u.push_data.next = rng.bits();
                u.pop.next = t > 2 && u.valid.val() && (t % 16 > 7 || rng.chance(1, 2));
                u.mark.next = rng.chance(1, 4);
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn keeps_the_order() {
        let mut b = Bench::new(Fifo::<5, 3>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = Rng::new(1, "fifo");
        let mut model = VecDeque::new();
        let (mut full, mut empty, mut round) = (0, 0, 0);
        for t in 0..5000u64 {
            let (push, pop) = (rng.chance(1 + t / 1000 % 3, 3), rng.chance(1, 2));
            b.uut.push.next = false;
            b.uut.pop.next = false;
            b.settle();
            assert_eq!(b.uut.any.val(), !model.is_empty(), "cycle {t}");
            if b.uut.valid.val() {
                assert_eq!(b.uut.marked.val(), round > 0, "cycle {t}");
                assert_eq!(Some(&b.uut.data.val().to_u64()), model.front(), "cycle {t}");
                b.uut.pop.next = pop;
                if pop {
                    model.pop_front();
                    round = round.max(1) - 1;
                }
            }
            full += usize::from(model.len() == 7);
            empty += usize::from(model.is_empty());
            if push && model.len() < 7 {
                let data = rng.below(32);
                b.uut.push.next = true;
                b.uut.push_data.next = data.into();
                model.push_back(data);
            }
            b.uut.mark.next = false;
            let rests = b.uut.valid.val() || model.is_empty();
            if rests && !push && !pop && rng.chance(1, 4) {
                b.uut.mark.next = true;
                round = model.len();
            }
            b.edge();
        }
        assert!(full > 100 && empty > 100, "full {full}, empty {empty}");
    }
}
