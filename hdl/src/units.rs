//! Functional units as the schedulers see them: when each class takes an instruction.
//!
//! Spec: `docs/spec/scheduler.md`, *Functional units*.
//!
//! # Parameters
//! `S`: schedulers, 1 or 2. With one, `granted1` is ignored and `free1` is 0.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `cfg_interval` | in | 20 | cycles from one instruction to the next, 4 bits per class, class 0 lowest |
//! | `cfg_private` | in | 5 | S = 2: the class exists once per scheduler |
//! | `unit_ready` | in | 5 | from the units; may be late |
//! | `granted0`, `granted1` | in | 5 | this scheduler granted the class in the cycle before |
//! | `free0`, `free1` | out | 5 | a grant to the class may be made in this cycle; one gate behind `unit_ready` |
//! | `ahead0`, `ahead1` | out | 5 | so it is in the next cycle, if the units stay as ready as they are; late |
//! | `two_ahead0`, `two_ahead1` | out | 5 | so it is in the cycle after that, if nothing is granted in this one and the units stay as ready as they are; by the configuration of the cycle before; one gate behind `unit_ready` |
//! | `slow` | out | 5 | interval above 1 |
//!
//! # Cycle behaviour
//! ```text
//! one scheduler, a class with interval 4, granted as soon as it is free
//! cycle    0    1    2    3    4    5
//! phase    0    1    2    3    0    1
//! free     1    0    0    0    1    0
//! granted  -    1    0    0    0    1
//! timer    0    0    2    1    0    0
//! ```
//! Slow classes are granted in cycles of even phase only, so time is counted in pairs of cycles, and `free` is ready in a register.
//!
//! With two schedulers each is offered additions in one cycle and the other shared classes in the next, in turns with the other one.
//!
//! # Invariants
//! 1. Two instructions of one unit are an interval apart at least.
//! 2. A shared class is free for one scheduler at a time, and after a grant to one for the other one first.
//!
//! # Errors
//! None at run time. `Default` panics when `S` is neither 1 nor 2.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Units<const S: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_interval: Signal<In, Bits<20>>,
    pub cfg_private: Signal<In, Bits<5>>,
    pub unit_ready: Signal<In, Bits<5>>,
    pub granted0: Signal<In, Bits<5>>,
    pub granted1: Signal<In, Bits<5>>,
    pub free0: Signal<Out, Bits<5>>,
    pub free1: Signal<Out, Bits<5>>,
    pub ahead0: Signal<Out, Bits<5>>,
    pub ahead1: Signal<Out, Bits<5>>,
    pub two_ahead0: Signal<Out, Bits<5>>,
    pub two_ahead1: Signal<Out, Bits<5>>,
    pub slow: Signal<Out, Bits<5>>,
    // State: pairs of cycles since the last grant of each class, 7 at most; index 5 and up for scheduler 1.
    phase: DFF<Bits<2>>,
    since: [DFF<Bits<3>>; 10],
    // State: the odd turns of a shared slow class are scheduler 0's, the even ones scheduler 1's.
    swapped: DFF<Bits<5>>,
    // State: free but for `unit_ready`.
    open0: DFF<Bits<5>>,
    open1: DFF<Bits<5>>,
    // State: free two cycles later, if nothing is granted before, but for `unit_ready`.
    two_open0: DFF<Bits<5>>,
    two_open1: DFF<Bits<5>>,
    // Combinational. `calm` and `after`: without a grant that is reported in this cycle, and behind one. Twice from `half_left` on: for the next cycle, and for that two cycles behind it.
    next_phase: Signal<Local, Bits<2>>,
    half: [Signal<Local, Bits<3>>; 5],
    start: [Signal<Local, Bits<3>>; 5],
    is_slow: [Signal<Local, Bit>; 5],
    quads: [Signal<Local, Bit>; 5],
    order: Signal<Local, Bits<5>>,
    swap: Signal<Local, Bits<5>>,
    own: Signal<Local, Bits<5>>,
    starts: [Signal<Local, Bit>; 10],
    starts1: [Signal<Local, Bit>; 5],
    half_left: [Signal<Local, Bits<3>>; 10],
    phase_at: [Signal<Local, Bits<2>>; 2],
    over: [Signal<Local, Bit>; 20],
    over1: [Signal<Local, Bit>; 10],
    over_after: [Signal<Local, Bit>; 10],
    turn0: [Signal<Local, Bit>; 10],
    even: [Signal<Local, Bit>; 2],
    calm0: [Signal<Local, Bit>; 10],
    calm1: [Signal<Local, Bit>; 10],
    after0: [Signal<Local, Bit>; 10],
    after1: [Signal<Local, Bit>; 10],
    will_open0: [Signal<Local, Bits<5>>; 2],
    will_open1: [Signal<Local, Bits<5>>; 2],
    // Constants.
    class: [Constant<Bits<5>>; 5],
    two: Constant<Bit>,
    alone: Constant<Bits<5>>,
    not_additions: Constant<Bits<5>>,
    no_classes: Constant<Bits<5>>,
    no_pairs: Constant<Bits<3>>,
    one_pair: Constant<Bits<3>>,
    long_ago: Constant<Bits<3>>,
    phase_0: Constant<Bits<2>>,
    phase_1: Constant<Bits<2>>,
    phase_2: Constant<Bits<2>>,
}

impl<const S: usize> Default for Units<S> {
    fn default() -> Self {
        assert!(S == 1 || S == 2, "Units<{S}>: 1 or 2 schedulers");
        block!({
            clock, reset, cfg_interval, cfg_private, unit_ready, granted0, granted1, free0, free1,
            ahead0, ahead1, two_ahead0, two_ahead1, slow, phase, since, swapped, open0, open1, two_open0, two_open1, next_phase, half, start, is_slow, quads, order, swap, own,
            starts, starts1, half_left, phase_at, over, over1, over_after, turn0, even, calm0, calm1, after0, after1, will_open0, will_open1,
        } {
            two: Constant::new(S == 2),
            alone: Constant::new(if S == 2 { 0 } else { 31u64 }.into()),
            not_additions: Constant::new(0b11110.into()),
            no_classes: Constant::new(0.into()),
            no_pairs: Constant::new(0.into()),
            one_pair: Constant::new(1.into()),
            long_ago: Constant::new(7.into()),
            phase_0: Constant::new(0.into()),
            phase_1: Constant::new(1.into()),
            phase_2: Constant::new(2.into()),
            class: from_fn(|i| Constant::new((1u64 << i).into())),
        })
    }
}

impl<const S: usize> Logic for Units<S> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, swapped, open0, open1, two_open0, two_open1);
        for i in 0..10 {
            self.since[i].clock.next = self.clock.val();
        }
        self.next_phase.next = self.phase.q.val() + self.phase_1.val();
        if self.reset.val() {
            self.next_phase.next = self.phase_0.val();
        }
        self.phase.d.next = self.next_phase.val();
        self.slow.next = self.no_classes.val();
        for i in 0..5 {
            self.half[i].next = self.cfg_interval.val().get_bits::<3>(4 * i + 1);
            self.is_slow[i].next = self.half[i].val().any();
            self.slow.next = self.slow.val().replace_bit(i, self.is_slow[i].val());
            // At a grant: an even interval is over one pair of cycles earlier than the odd one above it.
            self.start[i].next = self.no_pairs.val();
            if !self.cfg_interval.val().get_bit(4 * i) {
                self.start[i].next = self.one_pair.val();
            }
        }
        self.own.next = self.cfg_private.val() | self.alone.val();
        // A grant that is reported comes late: it chooses between what is found without it. One to a slow class is reported in odd phases only; for the
        // others it does not matter.
        for i in 0..5 {
            self.starts[i].next = (self.granted0.val().get_bit(i)
                | (self.granted1.val().get_bit(i) & !self.own.val().get_bit(i)))
                & !self.reset.val();
            self.starts[i + 5].next = self.granted1.val().get_bit(i) & !self.reset.val();
            self.starts1[i].next = self.starts[i].val();
            if self.own.val().get_bit(i) {
                self.starts1[i].next = self.starts[i + 5].val();
            }
        }
        // Time since a grant.
        for i in 0..5 {
            for s in 0..2 {
                self.since[5 * s + i].d.next = self.since[5 * s + i].q.val();
                if self.phase.q.val().get_bit(0) & !self.since[5 * s + i].q.val().all() {
                    self.since[5 * s + i].d.next =
                        self.since[5 * s + i].q.val() + self.one_pair.val();
                }
                if self.starts[5 * s + i].val() {
                    self.since[5 * s + i].d.next = self.start[i].val() + self.one_pair.val();
                }
                if self.reset.val() {
                    self.since[5 * s + i].d.next = self.long_ago.val();
                }
            }
        }
        // After an interval of whole rounds of four phases the other scheduler comes first.
        self.order.next = self.swapped.q.val();
        if self.reset.val() {
            self.order.next = self.no_classes.val();
        }
        self.swap.next = self.order.val();
        for i in 0..5 {
            self.quads[i].next = self.is_slow[i].val()
                & (self.half[i].val().get_bit(0) == self.cfg_interval.val().get_bit(4 * i));
            if self.quads[i].val() & self.starts[i].val() & !self.own.val().get_bit(i) {
                self.swap.next = self.swap.val() ^ self.class[i].val();
            }
        }
        self.swapped.d.next = self.swap.val();
        // Free in the next cycle, and two cycles behind it. Slow classes are so in even phases only; a pair of cycles more is over by the second.
        self.phase_at[0].next = self.next_phase.val();
        self.phase_at[1].next = self.next_phase.val() + self.phase_2.val();
        for i in 0..5 {
            self.half_left[i].next = self.half[i].val();
            self.half_left[i + 5].next = self.no_pairs.val();
            if self.half[i].val().any() {
                self.half_left[i + 5].next = self.half[i].val() - self.one_pair.val();
            }
        }
        for k in 0..2 {
            self.even[k].next = !self.phase_at[k].val().get_bit(0);
            self.will_open0[k].next = self.no_classes.val();
            self.will_open1[k].next = self.no_classes.val();
            for i in 0..5 {
                self.over_after[5 * k + i].next =
                    self.start[i].val() >= self.half_left[5 * k + i].val();
                for s in 0..2 {
                    self.over[10 * k + 5 * s + i].next = (self.since[5 * s + i].q.val()
                        >= self.half_left[5 * k + i].val())
                        | self.reset.val();
                }
                self.over1[5 * k + i].next = self.over[10 * k + i].val();
                if self.own.val().get_bit(i) {
                    self.over1[5 * k + i].next = self.over[10 * k + i + 5].val();
                }
                self.turn0[5 * k + i].next =
                    self.phase_at[k].val().get_bit(1) == self.order.val().get_bit(i);
                if self.own.val().get_bit(i) {
                    self.calm0[5 * k + i].next = !self.is_slow[i].val() | self.even[k].val();
                    self.calm1[5 * k + i].next = !self.is_slow[i].val() | self.even[k].val();
                } else if self.is_slow[i].val() {
                    self.calm0[5 * k + i].next = self.even[k].val() & self.turn0[5 * k + i].val();
                    self.calm1[5 * k + i].next = self.even[k].val() & !self.turn0[5 * k + i].val();
                } else {
                    self.calm0[5 * k + i].next =
                        self.even[k].val() != self.not_additions.val().get_bit(i);
                    self.calm1[5 * k + i].next =
                        self.even[k].val() == self.not_additions.val().get_bit(i);
                }
                self.after0[5 * k + i].next = self.calm0[5 * k + i].val();
                self.after1[5 * k + i].next = self.calm1[5 * k + i].val();
                if self.is_slow[i].val() & !self.own.val().get_bit(i) {
                    self.after0[5 * k + i].next =
                        self.even[k].val() & (self.turn0[5 * k + i].val() ^ self.quads[i].val());
                    self.after1[5 * k + i].next =
                        self.even[k].val() & !(self.turn0[5 * k + i].val() ^ self.quads[i].val());
                }
                if self.starts[i].val() {
                    if self.after0[5 * k + i].val() & self.over_after[5 * k + i].val() {
                        self.will_open0[k].next = self.will_open0[k].val().replace_bit(i, true);
                    }
                } else if self.calm0[5 * k + i].val() & self.over[10 * k + i].val() {
                    self.will_open0[k].next = self.will_open0[k].val().replace_bit(i, true);
                }
                if self.two.val() {
                    if self.starts1[i].val() {
                        if self.after1[5 * k + i].val() & self.over_after[5 * k + i].val() {
                            self.will_open1[k].next = self.will_open1[k].val().replace_bit(i, true);
                        }
                    } else if self.calm1[5 * k + i].val() & self.over1[5 * k + i].val() {
                        self.will_open1[k].next = self.will_open1[k].val().replace_bit(i, true);
                    }
                }
            }
        }
        self.open0.d.next = self.will_open0[0].val();
        self.open1.d.next = self.will_open1[0].val();
        self.two_open0.d.next = self.will_open0[1].val();
        self.two_open1.d.next = self.will_open1[1].val();
        self.free0.next = self.open0.q.val() & self.unit_ready.val();
        self.free1.next = self.open1.q.val() & self.unit_ready.val();
        self.ahead0.next = self.will_open0[0].val() & self.unit_ready.val();
        self.ahead1.next = self.will_open1[0].val() & self.unit_ready.val();
        self.two_ahead0.next = self.two_open0.q.val() & self.unit_ready.val();
        self.two_ahead1.next = self.two_open1.q.val() & self.unit_ready.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    /// The unit as the page describes it.
    #[derive(Clone, Default)]
    struct Model {
        phase: u64,
        /// Index: scheduler, class; of a shared class only scheduler 0's counts.
        timer: [[u64; 5]; 2],
        swap: u64,
    }

    /// Inputs of one cycle.
    #[derive(Clone, Copy, Default)]
    struct Cycle {
        interval: [u64; 5],
        private: u64,
        ready: u64,
        granted: [u64; 2],
    }

    impl Model {
        fn free(&self, schedulers: usize, c: &Cycle) -> [u64; 2] {
            let mut free = [0; 2];
            for (s, free) in free.iter_mut().enumerate().take(schedulers) {
                for class in 0..5 {
                    let own = schedulers == 1 || c.private >> class & 1 == 1;
                    let slow = c.interval[class] > 1;
                    let time = match (own, slow) {
                        (true, false) => true,
                        (true, true) => self.phase & 1 == 0,
                        (false, false) => self.phase & 1 == (s ^ usize::from(class != 0)) as u64,
                        (false, true) => self.phase == 2 * (s as u64 ^ self.swap >> class & 1),
                    };
                    let timer = self.timer[if own { s } else { 0 }][class];
                    if c.ready >> class & 1 == 1 && timer == 0 && time {
                        *free |= 1 << class;
                    }
                }
            }
            free
        }

        fn step(&mut self, schedulers: usize, c: &Cycle) {
            for class in 0..5 {
                let own = schedulers == 1 || c.private >> class & 1 == 1;
                let rounded = c.interval[class].next_multiple_of(2);
                let granted = (c.granted[0] | c.granted[1]) >> class & 1;
                if !own && c.interval[class] > 1 && rounded % 4 == 0 {
                    self.swap ^= granted << class;
                }
                for s in 0..2 {
                    let here = c.granted[s] >> class & 1 == 1;
                    let there = c.granted[1 - s] >> class & 1 == 1 && !own;
                    let interval = c.interval[class].next_multiple_of(2);
                    let timer = &mut self.timer[s][class];
                    *timer = if here || there {
                        interval.saturating_sub(2)
                    } else {
                        timer.saturating_sub(1)
                    };
                }
            }
            self.phase = (self.phase + 1) % 4;
        }
    }

    /// Schedulers that grant much of what is free.
    #[derive(Default)]
    struct Schedulers {
        model: Model,
        /// This cycle and the one before.
        cycle: Cycle,
        before: Cycle,
        granted: [u64; 2],
        /// Quiet cycles before the configuration changes.
        quiet: u64,
        /// The configuration is new: it counts from the next cycle on.
        changed: bool,
    }

    impl Schedulers {
        /// Inputs of the next cycle.
        fn next(&mut self, schedulers: usize, rng: &mut Rng, t: usize) -> Cycle {
            if rng.chance(1, 150) {
                self.quiet = 20;
            }
            self.changed = self.quiet == 1;
            self.before = self.cycle;
            if t < 2 || self.changed {
                self.cycle.interval = from_fn(|_| if rng.flip() { 1 } else { rng.below(16) });
                self.cycle.private = rng.below(32);
            }
            let change = self.quiet > 0;
            self.quiet = self.quiet.saturating_sub(1);
            self.cycle.ready = if rng.chance(1, 4) { rng.below(32) } else { 31 };
            self.cycle.granted = [0; 2];
            let free = self.model.free(schedulers, &self.cycle);
            for (s, free) in free.iter().enumerate().take(schedulers) {
                self.cycle.granted[s] = self.granted[s];
                let class = rng.below(5);
                self.granted[s] = if change { 0 } else { free & 1 << class };
            }
            self.cycle
        }
    }

    fn apply<const S: usize>(u: &mut Units<S>, c: &Cycle) {
        let interval = (0..5).fold(0, |all, class| all | c.interval[class] << (4 * class));
        u.cfg_interval.next = interval.into();
        u.cfg_private.next = c.private.into();
        u.unit_ready.next = c.ready.into();
        u.granted0.next = c.granted[0].into();
        u.granted1.next = c.granted[1].into();
    }

    fn agrees<const S: usize>(name: &str) {
        let mut schedulers = Schedulers::default();
        weft_rtl::check_module(
            name,
            Units::<S>::default,
            3000,
            |u, rng, t| {
                if t < 2 {
                    schedulers.model = Model::default();
                    schedulers.granted = [0; 2];
                }
                let cycle = schedulers.next(S, rng, t);
                apply(u, &cycle);
                u.reset.next = t < 2;
                schedulers.model.step(S, &cycle);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn verilog_agrees() {
        agrees::<1>("weft_units");
        agrees::<2>("weft_units_two");
    }

    fn follows<const S: usize>() {
        let mut b = Bench::new(Units::<S>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = Rng::new(1, "units");
        let mut schedulers = Schedulers::default();
        // Cycle of the last instruction: class, unit of it.
        let mut last = [[None::<u64>; 2]; 5];
        let (mut slow, mut odd, mut both, mut stopped, mut old) = (0, 0, 0, 0, 0);
        for t in 0..30_000u64 {
            let reset = t < 2 || rng.chance(1, 4000);
            let cycle = schedulers.next(S, &mut rng, t as usize);
            apply(&mut b.uut, &cycle);
            b.uut.reset.next = reset;
            b.settle();
            let free = schedulers.model.free(S, &cycle);
            if t >= 2 {
                if !schedulers.changed {
                    assert_eq!(b.uut.free0.val().to_u64(), free[0], "cycle {t}");
                    assert_eq!(b.uut.free1.val().to_u64(), free[1], "cycle {t}");
                }
                if !reset {
                    let mut next = schedulers.model.clone();
                    next.step(S, &cycle);
                    let ahead = next.free(S, &cycle);
                    assert_eq!(b.uut.ahead0.val().to_u64(), ahead[0], "cycle {t}");
                    assert_eq!(b.uut.ahead1.val().to_u64(), ahead[1], "cycle {t}");
                    // The configuration of the cycle before, and nothing is granted in this one.
                    let mut quiet = schedulers.before;
                    (quiet.ready, quiet.granted) = (cycle.ready, [0; 2]);
                    next.step(S, &quiet);
                    let ahead = next.free(S, &quiet);
                    old += usize::from(ahead != next.free(S, &cycle));
                    assert_eq!(b.uut.two_ahead0.val().to_u64(), ahead[0], "cycle {t}");
                    assert_eq!(b.uut.two_ahead1.val().to_u64(), ahead[1], "cycle {t}");
                }
                for class in 0..5 {
                    let interval = cycle.interval[class];
                    assert_eq!(b.uut.slow.val().get_bit(class), interval > 1, "cycle {t}");
                    let own = S == 1 || cycle.private >> class & 1 == 1;
                    let granted: Vec<_> = (0..2)
                        .filter(|&s| cycle.granted[s] >> class & 1 == 1)
                        .collect();
                    assert!(granted.len() < 2 || own, "cycle {t}");
                    both += usize::from(granted.len() == 2);
                    for s in granted {
                        let last = &mut last[class][if own { s } else { 0 }];
                        let apart = t - last.unwrap_or(0);
                        assert!(last.is_none() || apart >= interval, "cycle {t}");
                        slow += usize::from(apart == interval && interval > 1);
                        odd += usize::from(apart == interval + 1 && interval > 1);
                        *last = Some(t);
                    }
                    stopped += usize::from(cycle.ready >> class & 1 == 0);
                }
            }
            if reset {
                schedulers.model = Model::default();
                schedulers.granted = [0; 2];
                last = Default::default();
            } else {
                schedulers.model.step(S, &cycle);
            }
            b.edge();
        }
        println!("{S}: slow {slow}, odd {odd}, both {both}, stopped {stopped}, old {old}");
        assert!(slow > 100 && odd > 100 && stopped > 100 && (both > 100) == (S == 2));
        assert!(old > 20, "the old configuration counts");
    }

    /// Functional units, as on the page, over random grants and configurations.
    #[test]
    fn one_scheduler_follows_the_specification() {
        follows::<1>();
    }

    #[test]
    fn two_schedulers_follow_the_specification() {
        follows::<2>();
    }

    /// A scheduler that takes a shared class whenever it can does not keep it from the other one, whatever the interval is.
    #[test]
    fn two_that_poll_get_the_same() {
        for interval in 0..16u64 {
            let mut b = Bench::new(Units::<2>::default(), |u, level| {
                u.clock.next = level.into()
            });
            let all = (0..5).fold(0, |all, class| all | interval << (4 * class));
            b.uut.cfg_interval.next = all.into();
            b.uut.cfg_private.next = 0.into();
            b.uut.unit_ready.next = 31.into();
            let mut got = [[0u64; 5]; 2];
            for t in 0..400 {
                b.uut.reset.next = t < 2;
                b.settle();
                let free = [b.uut.free0.val(), b.uut.free1.val()].map(|bits| bits.to_u64());
                b.edge();
                // What was free is granted, and reported in the next cycle.
                let granted = if t < 2 { [0; 2] } else { free };
                b.uut.granted0.next = granted[0].into();
                b.uut.granted1.next = granted[1].into();
                for (got, bits) in got.iter_mut().zip(granted) {
                    (0..5).for_each(|class| got[class] += bits >> class & 1);
                }
            }
            let least = 395 / (2 * interval.next_multiple_of(2).max(1)) - 1;
            for class in 0..5 {
                let [even, odd] = got.map(|got| got[class]);
                assert!(
                    even.abs_diff(odd) <= 1 && even >= least,
                    "{interval}: {got:?}"
                );
            }
        }
    }
}
