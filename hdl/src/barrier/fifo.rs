//! First in, first out, in block RAM, with its head in a register.
//!
//! # Parameters
//! `D` bits per entry; 2^A of them beside the head; `C` = A + 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high: empty |
//! | `push`, `push_data` | in | 1, D | an entry is added; never into a full one |
//! | `pop` | in | 1 | the head leaves; only with `valid` |
//! | `any` | out | 1 | there are entries |
//! | `valid`, `data` | out | 1, D | the head |
//! | `count` | out | C | entries behind the head |
//!
//! # Cycle behaviour
//! An entry pushed into an empty one is the head in the next cycle. After a pop the next head is there in the next cycle, or
//! in the one after when heads left in both. `any` without `valid`: the head is on its way.
//!
//! # Errors
//! None at run time. `Default` panics when `C` does not fit `A`.

use crate::hdl::*;
use crate::prim::BlockRam;

#[derive(LogicBlock)]
pub struct Fifo<const D: usize, const A: usize, const C: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_data: Signal<In, Bits<D>>,
    pub pop: Signal<In, Bit>,
    pub any: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<D>>,
    pub count: Signal<Out, Bits<C>>,
    // State: the head; the entries behind it, some of them; the first of them has been read.
    head: DFF<Bits<D>>,
    full: DFF<Bit>,
    behind: DFF<Bits<C>>,
    some: DFF<Bit>,
    read: DFF<Bit>,
    first: DFF<Bits<A>>,
    last: DFF<Bits<A>>,
    memory: BlockRam<D, A>,
    // Combinational.
    direct: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    step: Signal<Local, Bits<C>>,
    // Constants.
    none: Constant<Bits<C>>,
    single: Constant<Bits<C>>,
    less: Constant<Bits<C>>,
    start: Constant<Bits<A>>,
    one: Constant<Bits<A>>,
}

impl<const D: usize, const A: usize, const C: usize> Default for Fifo<D, A, C> {
    fn default() -> Self {
        assert!(C == A + 1, "Fifo<{D}, {A}, {C}>");
        block!({
            clock, reset, push, push_data, pop, any, valid, data, count, head, full, behind, some,
            read, first, last, memory, direct, stores, loads, step,
        } {
            none: Constant::new(0.into()),
            single: Constant::new(1.into()),
            less: Constant::new(((1u64 << C) - 1).into()),
            start: Constant::new(0.into()),
            one: Constant::new(1.into()),
        })
    }
}

impl<const D: usize, const A: usize, const C: usize> Logic for Fifo<D, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, full, behind, some, read, first, last);
        clock!(self, clock, memory);
        self.direct.next = self.push.val() & !self.full.q.val() & !self.some.q.val();
        self.stores.next = self.push.val() & (self.full.q.val() | self.some.q.val());
        self.loads.next = self.read.q.val() & (self.pop.val() | !self.full.q.val());
        self.memory.write_enable.next = self.stores.val();
        self.memory.write_address.next = self.last.q.val();
        self.memory.write_data.next = self.push_data.val();
        self.memory.read_address.next = self.first.q.val();
        // One more, or one less.
        self.step.next = self.single.val();
        if self.loads.val() {
            self.step.next = self.less.val();
        }
        if self.stores.val() ^ self.loads.val() {
            self.behind.d.next = self.behind.q.val() + self.step.val();
        }
        // (Not by what is left: that is known late.)
        self.some.d.next = self.stores.val()
            | (self.some.q.val()
                & !(self.loads.val() & (self.behind.q.val() == self.single.val())));
        // What is read now is the first entry in the next cycle, unless that leaves now.
        self.read.d.next = self.some.q.val() & !self.loads.val();
        if self.stores.val() {
            self.last.d.next = self.last.q.val() + self.one.val();
        }
        if self.loads.val() {
            self.first.d.next = self.first.q.val() + self.one.val();
            self.head.d.next = self.memory.read_data.val();
        }
        if self.direct.val() {
            self.head.d.next = self.push_data.val();
        }
        self.full.d.next =
            self.direct.val() | self.loads.val() | (self.full.q.val() & !self.pop.val());
        if self.reset.val() {
            self.full.d.next = false;
            self.some.d.next = false;
            self.read.d.next = false;
            self.behind.d.next = self.none.val();
            self.first.d.next = self.start.val();
            self.last.d.next = self.start.val();
        }
        self.any.next = self.full.q.val() | self.some.q.val();
        self.valid.next = self.full.q.val();
        self.data.next = self.head.q.val();
        self.count.next = self.behind.q.val();
    }
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
            Fifo::<5, 3, 4>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.push.next = u.count.val().to_u64() < 7 && rng.chance(1, 2);
                u.push_data.next = rng.bits();
                u.pop.next = t > 2 && u.valid.val() && rng.chance(1, 2);
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn keeps_the_order() {
        let mut b = Bench::new(Fifo::<5, 3, 4>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = Rng::new(1, "fifo");
        let mut model = VecDeque::new();
        let (mut full, mut empty) = (0, 0);
        for t in 0..5000u64 {
            let (push, pop) = (rng.chance(1 + t / 1000 % 3, 3), rng.chance(1, 2));
            b.uut.push.next = false;
            b.uut.pop.next = false;
            b.settle();
            assert_eq!(b.uut.any.val(), !model.is_empty(), "cycle {t}");
            if b.uut.valid.val() {
                assert_eq!(Some(&b.uut.data.val().to_u64()), model.front(), "cycle {t}");
                b.uut.pop.next = pop;
                if pop {
                    model.pop_front();
                }
            }
            full += usize::from(model.len() == 8);
            empty += usize::from(model.is_empty());
            if push && model.len() < 8 {
                let data = rng.below(32);
                b.uut.push.next = true;
                b.uut.push_data.next = data.into();
                model.push_back(data);
            }
            b.edge();
        }
        assert!(full > 100 && empty > 100, "full {full}, empty {empty}");
    }
}
