//! Which channel has the next step.
//!
//! Spec: `docs/spec/host.md`, HOST-033, HOST-036, HOST-037.
//!
//! # Parameters
//! `C` channels, 2 to 8; `CI` bits of the number of one.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `ready` | in | C | channels that can do a step |
//! | `waits` | in | C | channels that wait at an acquire |
//! | `after_wait` | in | 1 | the last step has left its channel waiting so |
//! | `priority_3` … `priority_0` | in | C | bit 3 … 0 of the priority of each |
//! | `any`, `place` | out | 1, CI | the one that is chosen; combinational |
//! | `takes` | in | 1 | it has the step: its round goes on behind it |
//!
//! # Cycle behaviour
//! After such a step those that wait are left out if anybody else is ready. Of those that no other one outranks
//! it is the first after the one that had the last step without waiting. If that one waits, it is the first of
//! all that wait and are ready, after the one that had the last step while it waited.
//!
//! A change of priorities counts one cycle later; nobody may take a step in between.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[module(requires(
            (2..=8).contains(&C) && CI == C.next_power_of_two().ilog2() as usize))]
pub struct Choice<const C: usize, const CI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ready: Signal<In, Bits<C>>,
    pub waits: Signal<In, Bits<C>>,
    pub after_wait: Signal<In, Bit>,
    pub priority_3: Signal<In, Bits<C>>,
    pub priority_2: Signal<In, Bits<C>>,
    pub priority_1: Signal<In, Bits<C>>,
    pub priority_0: Signal<In, Bits<C>>,
    pub takes: Signal<In, Bit>,
    pub any: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<CI>>,
    // State: the channels after the one that had the last step, of those that did not wait and of those that did.
    later: DFF<Bits<C>>,
    later_waiting: DFF<Bits<C>>,
    // By channel: those of higher priority.
    above: [DFF<Bits<C>>; C],
    // Combinational.
    willing: Signal<Local, Bits<C>>,
    among: Signal<Local, Bits<C>>,
    rank: [Signal<Local, Bits<4>>; C],
    outranks: [Signal<Local, Bits<C>>; C],
    among_0: Signal<Local, Bits<C>>,
    ahead: Signal<Local, Bits<C>>,
    taken_from: Signal<Local, Bits<C>>,
    negative: Signal<Local, Bits<C>>,
    first: Signal<Local, Bits<C>>,
    reading: Signal<Local, Bits<C>>,
    reading_ahead: Signal<Local, Bits<C>>,
    reading_from: Signal<Local, Bits<C>>,
    reading_negative: Signal<Local, Bits<C>>,
    first_waits: Signal<Local, Bits<C>>,
    chosen: Signal<Local, Bits<C>>,
    below: Signal<Local, Bits<C>>,
    // Constants.
    #[value(0u64.into())]
    none: Constant<Bits<C>>,
    #[value(1u64.into())]
    one: Constant<Bits<C>>,
}

#[part(Choice<C, CI>)]
fn update(&mut self) {
    // Who waits gives way (HOST-036).
    self.willing.next = self.ready.val() & !self.waits.val();
    if !self.after_wait.val() {
        self.willing.next = self.none.val();
    }
    self.among.next = self.ready.val();
    if self.willing.val().any() {
        self.among.next = self.willing.val();
    }
    // Who outranks whom changes with CONTROL only, and is known one cycle later.
    for i in 0..C {
        self.rank[i].next = 0.into();
        if self.priority_0.val().get_bit(i) {
            self.rank[i].next = self.rank[i].val().replace_bit(0, true);
        }
        if self.priority_1.val().get_bit(i) {
            self.rank[i].next = self.rank[i].val().replace_bit(1, true);
        }
        if self.priority_2.val().get_bit(i) {
            self.rank[i].next = self.rank[i].val().replace_bit(2, true);
        }
        if self.priority_3.val().get_bit(i) {
            self.rank[i].next = self.rank[i].val().replace_bit(3, true);
        }
    }
    self.among_0.next = self.among.val();
    for i in 0..C {
        self.outranks[i].next = self.none.val();
        for j in 0..C {
            if self.rank[j].val() > self.rank[i].val() {
                self.outranks[i].next = self.outranks[i].val().replace_bit(j, true);
            }
        }
        self.above[i].d.next = self.outranks[i].val();
        if (self.among.val() & self.above[i].q.val()).any() {
            self.among_0.next = self.among_0.val().replace_bit(i, false);
        }
    }
    self.ahead.next = self.among_0.val() & self.later.q.val();
    self.taken_from.next = self.among_0.val();
    if self.ahead.val().any() {
        self.taken_from.next = self.ahead.val();
    }
    self.negative.next = self.none.val() - self.taken_from.val();
    self.first.next = self.taken_from.val() & self.negative.val();

    // ---- Those that wait read in turn (HOST-037).
    self.reading.next = self.ready.val() & self.waits.val();
    self.reading_ahead.next = self.reading.val() & self.later_waiting.q.val();
    self.reading_from.next = self.reading.val();
    if self.reading_ahead.val().any() {
        self.reading_from.next = self.reading_ahead.val();
    }
    self.reading_negative.next = self.none.val() - self.reading_from.val();
    self.first_waits.next = self.first.val() & self.waits.val();
    self.chosen.next = self.first.val();
    if self.first_waits.val().any() {
        self.chosen.next = self.reading_from.val() & self.reading_negative.val();
    }
    self.any.next = self.ready.val().any();
    self.place.next = 0.into();
    for i in 0..C {
        if self.chosen.val().get_bit(i) {
            self.place.next = i.to_bits();
        }
    }
    self.below.next = self.chosen.val() - self.one.val();
    if self.takes.val() {
        if self.first_waits.val().any() {
            self.later_waiting.d.next = !(self.below.val() | self.chosen.val());
        } else {
            self.later.d.next = !(self.below.val() | self.chosen.val());
        }
    }
    if self.reset.val() {
        spread!(self.*.d <- self.none: later, later_waiting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn check<const C: usize, const CI: usize>() {
        weft_rtl::check_module(
            "choice",
            Choice::<C, CI>::default,
            500,
            |u, rng: &mut Rng, t| {
                u.ready.next = rng.bits();
                u.waits.next = rng.bits();
                u.after_wait.next = rng.chance(1, 2);
                u.priority_3.next = rng.bits();
                u.priority_2.next = rng.bits();
                u.priority_1.next = rng.bits();
                u.priority_0.next = rng.bits();
                u.takes.next = rng.chance(1, 2);
                u.reset.next = t == 0 || rng.chance(1, 100);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn verilog_agrees() {
        check::<2, 1>();
        check::<5, 3>();
        check::<8, 3>();
    }

    /// A cycle without a step.
    fn settle_priorities(b: &mut weft_rtl::Bench<Choice<5, 3>>) {
        b.uut.takes.next = false;
        b.edge();
        b.uut.takes.next = true;
    }

    #[test]
    fn priority_first_then_in_turn() {
        let mut b = weft_rtl::Bench::new(Choice::<5, 3>::default(), |u, level| {
            u.clock.next = level.into()
        });
        b.uut.takes.next = true;
        b.uut.ready.next = 0b11011u64.into();
        // Channels 0 and 3 have priority 2, 4 has 1, 1 has 0.
        b.uut.priority_1.next = 0b01001u64.into();
        b.uut.priority_0.next = 0b10000u64.into();
        settle_priorities(&mut b);
        for want in [0, 3, 0, 3] {
            b.settle();
            assert_eq!(b.uut.place.val().index(), want);
            b.edge();
        }
        b.uut.ready.next = 0b10010u64.into();
        b.settle();
        assert_eq!(b.uut.place.val().index(), 4);
        b.edge();
        b.uut.priority_1.next = 0u64.into();
        b.uut.priority_0.next = 0u64.into();
        settle_priorities(&mut b);
        b.uut.ready.next = 0b11111u64.into();
        for want in [0, 1, 2, 3, 4, 0] {
            b.settle();
            assert_eq!(b.uut.place.val().index(), want);
            b.edge();
        }
        // Channel 2 has the highest priority and waits, and gives way, until nobody else is ready.
        b.uut.priority_3.next = 0b00100u64.into();
        settle_priorities(&mut b);
        b.uut.waits.next = 0b00100u64.into();
        b.uut.after_wait.next = true;
        for (ready, want) in [(0b10101u64, 4), (0b00101, 0), (0b00100, 2)] {
            b.uut.ready.next = ready.into();
            b.settle();
            assert_eq!(b.uut.place.val().index(), want);
            b.edge();
        }
        b.uut.ready.next = 0u64.into();
        b.settle();
        assert!(!b.uut.any.val());
    }

    /// Each step in turn: who waits, ready, after a step that leaves its channel waiting; who is chosen.
    fn steps(priority_3: u64, all: &[(u64, u64, bool, usize)]) {
        let mut b = weft_rtl::Bench::new(Choice::<5, 3>::default(), |u, level| {
            u.clock.next = level.into()
        });
        b.uut.takes.next = true;
        b.uut.priority_3.next = priority_3.into();
        settle_priorities(&mut b);
        for (step, &(waits, ready, after_wait, want)) in all.iter().enumerate() {
            b.uut.waits.next = waits.into();
            b.uut.ready.next = ready.into();
            b.uut.after_wait.next = after_wait;
            b.settle();
            assert_eq!(b.uut.place.val().index(), want, "step {step}");
            b.edge();
        }
    }

    #[test]
    fn who_waits_reads_in_turn() {
        // Channels 1 and 4 have the higher priority. All wait: it does not matter.
        let all = [0, 1, 2, 3, 4, 0, 1].map(|c| (0b11111, 0b11111, true, c));
        steps(0b10010, &all);
        // Channel 2 works, and each of its steps leaves a read to the next one of the others, whatever its priority.
        let reads =
            [0, 1, 3, 4, 0].map(|c| [(0b11011, 0b11111, false, c), (0b11011, 0b11111, true, 2)]);
        steps(0b10010, &reads.concat());
        // Channels 2 and 3 work in turn: the reads in between do not turn their round back.
        let work = [(2, 0), (3, 1), (2, 4), (3, 0), (2, 1)];
        let work = work.map(|(works, reads)| {
            let among = 0b11111;
            [
                (0b10011, among, true, works),
                (0b10011, among, false, reads),
            ]
        });
        steps(0b10010, &work.concat());
        // Of higher priority than all that wait, and always ready: they do not read (HOST-033).
        steps(0b10000, &[4, 4, 4].map(|c| (0b01111, 0b11111, false, c)));
    }
}
