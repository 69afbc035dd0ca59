//! Timers of the barriers.
//!
//! Spec: `docs/spec/barrier.md`, BAR-070, 071.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `ready` | out | 1 | the table is cleared: 128 cycles after reset; nothing is set before |
//! | `arm`, `barrier`, `ticks` | in | 1, 7, 11 | in this cycle the barrier's timer starts, or stops (0 ticks); not in two cycles in a row; `ticks` stay in the next |
//! | `expired`, `expired_barrier` | out | 1, 7 | pulse: it has run out |
//! | `due` | out | 1 | some have run out that were not taken yet |
//! | `head_valid`, `head`, `pop` | out, out, in | 1, 7, 1 | the first of these, and that it is taken |
//!
//! # Cycle behaviour
//! ```text
//! cycle            2b - 2   2b - 1    2b                2b + 1
//! barrier b        address  its time  visit, write back expired
//! write port       b - 1    set       b                 set
//! ```
//! Cycles count from the first one after reset. What is set in an even cycle is written in the next one.
//!
//! # Invariants
//! 1. `due` from the cycle of `expired` on.
//! 2. What is set in the cycle of a visit counts before the visit.
//!
//! # Errors
//! None.

use super::fifo::Fifo;
use crate::hdl::*;
use crate::prim::BlockRam;

#[module]
pub struct Timers {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub arm: Signal<In, Bit>,
    pub barrier: Signal<In, Bits<7>>,
    pub ticks: Signal<In, Bits<11>>,
    pub expired: Signal<Out, Bit>,
    pub expired_barrier: Signal<Out, Bits<7>>,
    pub due: Signal<Out, Bit>,
    pub head_valid: Signal<Out, Bit>,
    pub head: Signal<Out, Bits<7>>,
    pub pop: Signal<In, Bit>,
    // State: the cycle: whether it is odd, the barrier of it, the next one; the table is not cleared yet;
    // time of the barrier that is visited in this cycle.
    odd: DFF<Bit>,
    here: DFF<Bits<7>>,
    next: DFF<Bits<7>>,
    clearing: DFF<Bit>,
    left: DFF<Bits<11>>,
    // State: what was set in an even cycle.
    waits: DFF<Bit>,
    wait_barrier: DFF<Bits<7>>,
    // State: the pulse.
    out: DFF<Bit>,
    out_barrier: DFF<Bits<7>>,
    times: BlockRam<11, 7>,
    queue: Fifo<7, 8>,
    // Combinational.
    clears: Signal<Local, Bits<7>>,
    set_here: Signal<Local, Bit>,
    runs: Signal<Local, Bit>,
    runs_out: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    write_barrier: Signal<Local, Bits<7>>,
    write_time: Signal<Local, Bits<11>>,
    // Constants.
    #[value(0.into())]
    first: Constant<Bits<7>>,
    #[value(64.into())]
    half: Constant<Bits<7>>,
    #[value(1.into())]
    one_barrier: Constant<Bits<7>>,
    #[value(0.into())]
    stopped: Constant<Bits<11>>,
    #[value(1.into())]
    one_tick: Constant<Bits<11>>,
}

#[part(Timers)]
fn update(&mut self) {
    self.queue.reset.next = self.reset.val();

    self.odd.d.next = !self.odd.q.val();
    if self.odd.q.val() {
        self.here.d.next = self.next.q.val();
        self.next.d.next = self.next.q.val() + self.one_barrier.val();
        if self.next.q.val() == self.half.val() {
            self.clearing.d.next = false;
        }
    }
    self.times.read_address.next = self.next.q.val();

    // ---- Even cycles: the visit.
    self.set_here.next = self.arm.val() & (self.barrier.val() == self.here.q.val());
    self.runs.next =
        self.left.q.val().any() & !self.odd.q.val() & !self.set_here.val() & !self.clearing.q.val();
    self.runs_out.next = self.runs.val() & (self.left.q.val() == self.one_tick.val());
    self.out.d.next = self.runs_out.val();
    self.out_barrier.d.next = self.here.q.val();
    self.queue.push.next = self.runs_out.val();
    self.queue.push_data.next = self.here.q.val();
    self.waits.d.next = self.arm.val() & !self.odd.q.val();
    self.wait_barrier.d.next = self.barrier.val();

    // ---- One write port: clearing, visits, and in odd cycles what is set.
    self.writes.next = self.runs.val();
    self.write_barrier.next = self.here.q.val();
    self.write_time.next = self.left.q.val() - self.one_tick.val();
    if self.odd.q.val() {
        self.writes.next = self.arm.val() | self.waits.q.val();
        carry!(self.write_* <- self: barrier, time = ticks);
        if self.waits.q.val() {
            self.write_barrier.next = self.wait_barrier.q.val();
        }
    }
    // In odd cycles: the time of the next one, past what is written now.
    self.left.d.next = self.times.read_data.val();
    if self.writes.val() & (self.write_barrier.val() == self.next.q.val()) {
        self.left.d.next = self.write_time.val();
    }
    self.clears.next = (self.next.q.val() << 1) | bit_cast::<7, 1>(self.odd.q.val().into());
    if self.clearing.q.val() {
        self.writes.next = true;
        self.write_barrier.next = self.clears.val();
        self.write_time.next = self.stopped.val();
    }
    carry!(self.times <- self: write_enable = writes, write_address = write_barrier);
    self.times.write_data.next = self.write_time.val();
    if self.reset.val() {
        self.odd.d.next = false;
        self.here.d.next = self.first.val();
        self.next.d.next = self.one_barrier.val();
        self.clearing.d.next = true;
        self.waits.d.next = false;
        self.out.d.next = false;
    }

    self.queue.mark.next = false;
    self.queue.pop.next = self.pop.val();
    self.ready.next = !self.clearing.q.val();
    self.expired.next = self.out.q.val();
    self.expired_barrier.next = self.out_barrier.q.val();
    carry!(self <- self.queue: due = any, head_valid = valid, head = data);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_barrier_timers",
            Timers::default,
            6000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.arm.next = t > 200 && t % 3 == 0 && rng.flip();
                u.barrier.next = rng.below(12).into();
                if t % 3 == 0 {
                    u.ticks.next = rng.below(4).into();
                }
                u.pop.next = t > 200 && u.head_valid.val() && rng.flip();
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// Every timer runs out in the cycle that BAR-070 says, and all are taken in that order.
    #[test]
    fn run_out_in_their_cycle() {
        let mut b = Bench::new(Timers::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "timers");
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        let mut left = [0u64; 128];
        let mut due = VecDeque::new();
        let (mut pulse, mut last, mut met, mut runs) = (None, 0, 0, 0);
        for n in 0..200_000u64 {
            let here = (n % 256 / 2) as usize;
            let near = (here as u64 + rng.below(3)) % 128;
            let set = n >= 128 && n - last > 1 && rng.chance(1, 2);
            let barrier = if rng.flip() { near } else { rng.below(128) } as usize;
            let time = if rng.chance(1, 30) {
                rng.below(9)
            } else {
                rng.below(3)
            };
            b.uut.arm.next = set;
            b.uut.barrier.next = (barrier as u64).into();
            if set || n == 0 || n - last > 1 {
                b.uut.ticks.next = time.into();
            }
            b.uut.pop.next = false;
            b.settle();
            assert_eq!(b.uut.ready.val(), n >= 128);
            assert_eq!(b.uut.expired.val(), pulse.is_some(), "cycle {n}");
            if let Some(barrier) = pulse {
                assert_eq!(b.uut.expired_barrier.val().to_u64(), barrier, "cycle {n}");
                due.push_back(barrier);
                runs += 1;
            }
            assert_eq!(b.uut.due.val(), !due.is_empty(), "cycle {n}");
            if b.uut.head_valid.val() && rng.chance(1, 3) {
                assert_eq!(
                    Some(b.uut.head.val().to_u64()),
                    due.pop_front(),
                    "cycle {n}"
                );
                b.uut.pop.next = true;
            }
            if set {
                left[barrier] = time;
                last = n;
            }
            pulse = None;
            if n % 2 == 0 {
                if set && barrier == here {
                    met += 1;
                } else if left[here] > 0 {
                    left[here] -= 1;
                    pulse = (left[here] == 0).then_some(here as u64);
                }
            }
            b.edge();
        }
        assert!(met > 100 && runs > 1000, "met {met}, runs {runs}");
    }
}
