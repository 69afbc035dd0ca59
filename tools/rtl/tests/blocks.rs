//! Whole blocks through the one call that module tests make.

use weft_rtl::check_module;
use weft_rtl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Counter<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub en: Signal<In, Bit>,
    pub count: Signal<Out, Bits<W>>,
    pub wrap: Signal<Out, Bit>,
    r: DFF<Bits<W>>,
    inc: Signal<Local, Bits<W>>,
}

impl<const W: usize> Logic for Counter<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, r);
        self.inc.next = self.r.q.val() + 1;
        if self.en.val() {
            self.r.d.next = self.inc.val();
        }
        if self.reset.val() {
            self.r.d.next = 0.into();
        }
        self.count.next = self.r.q.val();
        self.wrap.next = self.en.val() && self.r.q.val().all();
    }
}

fn counter<const W: usize>() {
    check_module(
        "counter",
        Counter::<W>::default,
        200,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.en.next = rng.chance(3, 4);
        },
        Some(|u, c| u.clock.next = c.into()),
    )
    .unwrap();
}

#[test]
fn counters_of_every_port_size() {
    counter::<4>();
    counter::<12>();
    counter::<30>();
    counter::<60>();
    counter::<100>();
}
