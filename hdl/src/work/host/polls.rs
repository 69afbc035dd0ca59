//! Channels that have read a semaphore in vain and wait before they read it again.
//!
//! Spec: `docs/spec/host.md`, HOST-034.
//!
//! # Parameters
//! `C` channels, 2 to 8; `CI` bits of the number of one.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `now` | in | 32 | cycles, low word |
//! | `sets`, `channel`, `cycles` | in | 1, CI, 16 | this channel waits for so many cycles from now on |
//! | `pending` | out | C | channels that wait; from registers |
//!
//! # Cycle behaviour
//! When each one is over stands in a small memory; one of them is looked at in a cycle, so a wait is up to C cycles
//! longer.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(
            (2..=8).contains(&C) && CI == C.next_power_of_two().ilog2() as usize))]
pub struct Polls<const C: usize, const CI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub now: Signal<In, Bits<32>>,
    pub sets: Signal<In, Bit>,
    pub channel: Signal<In, Bits<CI>>,
    pub cycles: Signal<In, Bits<16>>,
    pub pending: Signal<Out, Bits<C>>,
    due: LutRam<Bits<32>, CI>,
    waiting: DFF<Bits<C>>,
    looked_at: DFF<Bits<CI>>,
    // Combinational.
    late: Signal<Local, Bits<32>>,
    kept: Signal<Local, Bits<C>>,
    added: Signal<Local, Bits<C>>,
    // Constants.
    #[value(0u64.into())]
    none: Constant<Bits<C>>,
    #[value(1u64.into())]
    one: Constant<Bits<C>>,
    #[value((C as u64 - 1).into())]
    last: Constant<Bits<CI>>,
    #[value(0u64.into())]
    first: Constant<Bits<CI>>,
}

#[part(Polls<C, CI>)]
fn update(&mut self) {
    carry!(self.due <- self: write_enable = sets, write_address = channel);
    self.due.write_data.next = self.now.val() + bit_cast::<32, 16>(self.cycles.val());
    self.due.read_address.next = self.looked_at.q.val();
    self.looked_at.d.next = self.looked_at.q.val() + 1;
    if self.looked_at.q.val() == self.last.val() {
        self.looked_at.d.next = self.first.val();
    }
    self.late.next = self.now.val() - self.due.read_data.val();
    self.kept.next = self.waiting.q.val();
    if !self.late.val().get_bit(31) {
        self.kept.next = self.waiting.q.val() & !(self.one.val() << self.looked_at.q.val());
    }
    self.added.next = self.none.val();
    if self.sets.val() {
        self.added.next = self.one.val() << self.channel.val();
    }
    self.waiting.d.next = self.kept.val() | self.added.val();
    self.pending.next = self.waiting.q.val();
    if self.reset.val() {
        self.waiting.d.next = self.none.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "polls",
            Polls::<5, 3>::default,
            1000,
            |u, rng, t| {
                u.now.next = ((0xFFFF_FF00u64 + t as u64) & 0xFFFF_FFFF).into();
                // Each of them once, so that nothing undefined is looked at.
                u.sets.next = t < 5 || rng.chance(1, 8);
                u.channel.next = if t < 5 { t as u64 } else { rng.below(5) }.into();
                u.cycles.next = [0u64, 1, 7, 40][rng.below(4) as usize].into();
                u.reset.next = rng.chance(1, 100);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn nobody_is_early_nor_much_too_late() {
        for wait in [0u64, 1, 2, 9, 100] {
            let mut b = weft_rtl::Bench::new(Polls::<5, 3>::default(), |u, level| {
                u.clock.next = level.into()
            });
            // The cycle counter wraps meanwhile.
            for t in 0..200u64 {
                b.uut.now.next = ((0xFFFF_FFF0 + t) & 0xFFFF_FFFF).into();
                b.uut.sets.next = t == 10;
                b.uut.channel.next = 3u64.into();
                b.uut.cycles.next = wait.into();
                b.settle();
                let pending = b.uut.pending.val().get_bit(3);
                if t > 10 && t < 10 + wait {
                    assert!(pending, "wait {wait}: over in cycle {t}");
                } else if t > 10 + wait + 6 || t <= 10 {
                    assert!(!pending, "wait {wait}: not over in cycle {t}");
                }
                b.edge();
            }
        }
    }
}
