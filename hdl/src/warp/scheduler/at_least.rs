//! Whether a count of instructions in flight is close to its bound. Gates: a comparison would be a carry chain.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-025.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `count` | in | 5 | |
//! | `from_26` .. `from_30` | out | 1 each | it is so many or more |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct AtLeast {
    pub count: Signal<In, Bits<5>>,
    pub from_26: Signal<Out, Bit>,
    pub from_27: Signal<Out, Bit>,
    pub from_28: Signal<Out, Bit>,
    pub from_29: Signal<Out, Bit>,
    pub from_30: Signal<Out, Bit>,
    from_24: Signal<Local, Bit>,
    fours: Signal<Local, Bit>,
    twos: Signal<Local, Bit>,
    ones: Signal<Local, Bit>,
}

impl Logic for AtLeast {
    #[hdl_gen]
    fn update(&mut self) {
        self.from_24.next = self.count.val().get_bit(4) & self.count.val().get_bit(3);
        self.fours.next = self.count.val().get_bit(2);
        self.twos.next = self.count.val().get_bit(1);
        self.ones.next = self.count.val().get_bit(0);
        self.from_26.next = self.from_24.val() & (self.fours.val() | self.twos.val());
        self.from_27.next =
            self.from_24.val() & (self.fours.val() | (self.twos.val() & self.ones.val()));
        self.from_28.next = self.from_24.val() & self.fours.val();
        self.from_29.next =
            self.from_24.val() & self.fours.val() & (self.twos.val() | self.ones.val());
        self.from_30.next = self.from_24.val() & self.fours.val() & self.twos.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let next =
            |u: &mut AtLeast, _: &mut weft_rtl::Rng, t| u.count.next = (t as u64 % 32).into();
        weft_rtl::check_module("weft_at_least", AtLeast::default, 64, next, None).unwrap();
    }

    #[test]
    fn every_count() {
        let mut u = AtLeast::default();
        u.connect_all();
        for count in 0..32u64 {
            u.count.next = count.into();
            weft_rtl::settle(&mut u);
            let got = [&u.from_26, &u.from_27, &u.from_28, &u.from_29, &u.from_30];
            let got = got.map(|from| from.val());
            assert_eq!(
                got,
                [26, 27, 28, 29, 30].map(|bound| count >= bound),
                "{count}"
            );
        }
    }
}
