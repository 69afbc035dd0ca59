//! Functional units as the schedulers see them: when each class takes an instruction.
//!
//! Spec: `docs/spec/scheduler.md`, *Functional units*.
//!
//! # Parameters
//! `S` schedulers: 1, 2 or 4.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `cfg_interval` | in | 20 | cycles from one instruction to the next, 4 bits per class, class 0 lowest |
//! | `unit_ready` | in | 5 | from the units; may be late |
//! | `granted` | in | S of 5 each | this scheduler granted the class in the cycle before |
//! | `free` | out | S of 5 each | an instruction of the class may go as a second one in this cycle; one gate behind `unit_ready` |
//! | `ahead` | out | S of 5 each | a grant to the class may be made in the next cycle, if the units stay as ready as they are; late |
//! | `slow` | out | 5 | interval above 1 |
//!
//! # Cycle behaviour
//! ```text
//! a class of one scheduler with interval 4, granted as soon as it is free
//! cycle    0    1    2    3    4    5
//! phase    0    1    0    1    0    1
//! free     1    0    0    0    1    0
//! granted  -    1    0    0    0    1
//! left     0    0    1    1    0    0
//! ```
//! Slow classes are granted in cycles of phase 0 only, so time is counted in pairs of cycles.
//!
//! Classes 0 and 1 exist once per scheduler. Each of the others is offered to one scheduler at a time;
//! with every offer the turn goes on. A second one goes two cycles
//! behind the grant of its first one, so it has the turn of that time.
//!
//! # Invariants
//! 1. Two instructions of one unit are an interval apart at least.
//! 2. A shared class is free for one scheduler at a time, and after an offer to one for all others first.
//!
//! # Errors
//! None at run time. `Default` panics when `S` is not 1, 2 or 4.

mod busy;

use crate::hdl::*;
use busy::Busy;

/// Classes that exist once per scheduler: 0 and 1.
pub const OWN: usize = 2;
/// Classes that the schedulers share.
pub const SHARED: usize = 3;

#[module(requires(matches!(S, 1 | 2 | 4)))]
pub struct Units<const S: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_interval: Signal<In, Bits<20>>,
    pub unit_ready: Signal<In, Bits<5>>,
    #[many(S)]
    pub granted: Vec<Signal<In, Bits<5>>>,
    #[many(S)]
    pub free: Vec<Signal<Out, Bits<5>>>,
    #[many(S)]
    pub ahead: Vec<Signal<Out, Bits<5>>>,
    pub slow: Signal<Out, Bits<5>>,
    phase: DFF<Bit>,
    // State: the scheduler that class 2 + i is offered to next, one-hot.
    #[many(SHARED)]
    #[always]
    turn: Vec<DFF<Bits<S>>>,
    // Class i of scheduler s at 2 s + i; class 2 + i of all.
    #[many(OWN * S)]
    own: Vec<Busy>,
    #[many(SHARED)]
    shared: Vec<Busy>,
    // Combinational.
    next_phase: Signal<Local, Bit>,
    #[many(SHARED)]
    next_turn: Vec<Signal<Local, Bits<S>>>,
    // Of a fast class, two cycles ago.
    #[many(SHARED)]
    turn_before: Vec<Signal<Local, Bits<S>>>,
    any_granted: Signal<Local, Bits<5>>,
    #[many(S)]
    open: Vec<Signal<Local, Bits<5>>>,
    #[many(S)]
    will_open: Vec<Signal<Local, Bits<5>>>,
    is_slow: Signal<Local, Bits<5>>,
    // Constants.
    #[init((0..SHARED).map(|i| Constant::new((1u64 << ((OWN + i) % S)).into())).collect())]
    first: Vec<Constant<Bits<S>>>,
    // The turns come back in two cycles but with four schedulers.
    #[value(S == 4)]
    four: Constant<Bit>,
    #[value((S as u64 - 1).into())]
    to_last: Constant<Bits<2>>,
    #[value(0.into())]
    no_classes: Constant<Bits<5>>,
}

#[part(Units<S>)]
fn update(&mut self) {
    self.next_phase.next = !self.phase.q.val() & !self.reset.val();
    self.phase.d.next = self.next_phase.val();
    self.any_granted.next = self.no_classes.val();
    for s in 0..S {
        self.any_granted.next = self.any_granted.val() | self.granted[s].val();
    }
    self.is_slow.next = self.no_classes.val();
    for i in 0..2 {
        for s in 0..S {
            self.own[2 * s + i].reset.next = self.reset.val();
            self.own[2 * s + i].interval.next = self.cfg_interval.val().get_bits::<4>(4 * i);
            self.own[2 * s + i].odd.next = self.phase.q.val();
            self.own[2 * s + i].next_odd.next = self.next_phase.val();
            self.own[2 * s + i].granted.next = self.granted[s].val().get_bit(i);
            self.is_slow.next = self
                .is_slow
                .val()
                .replace_bit(i, self.own[2 * s + i].slow.val());
        }
    }
    for i in 0..3 {
        self.shared[i].reset.next = self.reset.val();
        self.shared[i].interval.next = self.cfg_interval.val().get_bits::<4>(4 * i + 8);
        self.shared[i].odd.next = self.phase.q.val();
        self.shared[i].next_odd.next = self.next_phase.val();
        self.shared[i].granted.next = self.any_granted.val().get_bit(i + 2);
        self.is_slow.next = self
            .is_slow
            .val()
            .replace_bit(i + 2, self.shared[i].slow.val());
        // With every offer the turn goes on.
        self.next_turn[i].next = self.turn[i].q.val();
        if self.shared[i].open.val() {
            self.next_turn[i].next =
                (self.turn[i].q.val() << 1) | (self.turn[i].q.val() >> self.to_last.val());
        }
        if self.reset.val() {
            self.next_turn[i].next = self.first[i].val();
        }
        self.turn[i].d.next = self.next_turn[i].val();
        self.turn_before[i].next = self.turn[i].q.val();
        if self.four.val() {
            self.turn_before[i].next = (self.turn[i].q.val() << 2) | (self.turn[i].q.val() >> 2);
        }
    }
    self.slow.next = self.is_slow.val();
    for s in 0..S {
        spread!(self.*[s] <- self.no_classes: open, will_open);
        for i in 0..2 {
            self.open[s].next = self.open[s]
                .val()
                .replace_bit(i, self.own[2 * s + i].open.val());
            self.will_open[s].next = self.will_open[s]
                .val()
                .replace_bit(i, self.own[2 * s + i].will_open.val());
        }
        for i in 0..3 {
            if self.turn_before[i].val().get_bit(s) {
                self.open[s].next = self.open[s]
                    .val()
                    .replace_bit(i + 2, self.shared[i].open.val());
            }
            if self.next_turn[i].val().get_bit(s) {
                self.will_open[s].next = self.will_open[s]
                    .val()
                    .replace_bit(i + 2, self.shared[i].will_open.val());
            }
        }
        self.free[s].next = self.open[s].val() & self.unit_ready.val();
        self.ahead[s].next = self.will_open[s].val() & self.unit_ready.val();
    }
}

#[cfg(test)]
mod tests;
