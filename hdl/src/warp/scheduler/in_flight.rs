//! How many instructions of a warp are in flight, as far as a completion asks: one, or 29 or more.
//! From its two counts, without a subtraction.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-023, 025 and 027.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `issued`, `completed` | in | 5, 5 | counts modulo 32 |
//! | `one` | out | 1 | `issued` - `completed` = 1 |
//! | `many` | out | 1 | `issued` - `completed` >= 29: `completed` is 1, 2 or 3 more than `issued` |
//!
//! # Cycle behaviour
//! Combinational. That b = a + carry is said bit by bit: a ^ b is the carry into the bit, and given that the bits below
//! agree, the carry out of a bit is a & !b.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct InFlight {
    pub issued: Signal<In, Bits<5>>,
    pub completed: Signal<In, Bits<5>>,
    pub one: Signal<Out, Bit>,
    pub many: Signal<Out, Bit>,
    differs: Signal<Local, Bits<5>>,
    // Carries into the bits: of `completed` + 1 (bit 0 and above); of `issued` + 1 .. 3 (bit 2 and above).
    next_completed: Signal<Local, Bits<5>>,
    next_issued: Signal<Local, Bits<3>>,
    low_carry: Signal<Local, Bit>,
    #[value(1.into())]
    carry_in: Constant<Bits<5>>,
}

impl Logic for InFlight {
    #[hdl_gen]
    fn update(&mut self) {
        self.differs.next = self.issued.val() ^ self.completed.val();
        self.next_completed.next =
            ((self.completed.val() & !self.issued.val()) << 1) | self.carry_in.val();
        self.one.next = self.differs.val() == self.next_completed.val();
        self.low_carry.next =
            self.issued.val().get_bits::<2>(0) > self.completed.val().get_bits::<2>(0);
        self.next_issued.next =
            ((self.issued.val().get_bits::<3>(2) & !self.completed.val().get_bits::<3>(2)) << 1)
                | bit_cast::<3, 1>(self.low_carry.val().into());
        self.many.next = self.differs.val().get_bits::<2>(0).any()
            & (self.differs.val().get_bits::<3>(2) == self.next_issued.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let next = |u: &mut InFlight, _: &mut weft_rtl::Rng, t| {
            u.issued.next = (t as u64 % 32).into();
            u.completed.next = (t as u64 / 32).into();
        };
        weft_rtl::check_module("weft_in_flight", InFlight::default, 1024, next, None).unwrap();
    }

    #[test]
    fn every_pair_of_counts() {
        let mut u = InFlight::default();
        u.connect_all();
        for issued in 0..32u64 {
            for completed in 0..32u64 {
                u.issued.next = issued.into();
                u.completed.next = completed.into();
                weft_rtl::settle(&mut u);
                let flight = (issued + 32 - completed) % 32;
                let got = (u.one.val(), u.many.val());
                assert_eq!(got, (flight == 1, flight >= 29), "{issued} - {completed}");
            }
        }
    }
}
