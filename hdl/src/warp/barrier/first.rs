//! The lowest of 16 bits that is set, without a carry chain.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | 16 | |
//! | `any` | out | 1 | one is set |
//! | `at` | out | 4 | the lowest of them; if none is, anything |
//!
//! Combinational: groups of four, then the first group; four levels of logic.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct First {
    pub bits: Signal<In, Bits<16>>,
    pub any: Signal<Out, Bit>,
    pub at: Signal<Out, Bits<4>>,
    // Combinational, per group: one is set; which.
    some: [Signal<Local, Bit>; 4],
    high: [Signal<Local, Bit>; 4],
    low: [Signal<Local, Bit>; 4],
    group_high: Signal<Local, Bit>,
    group_low: Signal<Local, Bit>,
    group1: Signal<Local, Bit>,
    group2: Signal<Local, Bit>,
    group3: Signal<Local, Bit>,
    which_high: Signal<Local, Bit>,
    which_low: Signal<Local, Bit>,
    #[value(0.into())]
    zero: Constant<Bits<4>>,
}

impl Logic for First {
    #[hdl_gen]
    fn update(&mut self) {
        for g in 0..4 {
            self.some[g].next = self.bits.val().get_bit(4 * g)
                | self.bits.val().get_bit(4 * g + 1)
                | self.bits.val().get_bit(4 * g + 2)
                | self.bits.val().get_bit(4 * g + 3);
            self.high[g].next =
                !self.bits.val().get_bit(4 * g) & !self.bits.val().get_bit(4 * g + 1);
            self.low[g].next = !self.bits.val().get_bit(4 * g)
                & (self.bits.val().get_bit(4 * g + 1) | !self.bits.val().get_bit(4 * g + 2));
        }
        self.group_high.next = !self.some[0].val() & !self.some[1].val();
        self.group_low.next = !self.some[0].val() & (self.some[1].val() | !self.some[2].val());
        self.group1.next = !self.some[0].val() & self.some[1].val();
        self.group2.next = self.group_high.val() & self.some[2].val();
        self.group3.next = self.group_high.val() & !self.some[2].val();
        self.which_high.next = (self.some[0].val() & self.high[0].val())
            | (self.group1.val() & self.high[1].val())
            | (self.group2.val() & self.high[2].val())
            | (self.group3.val() & self.high[3].val());
        self.which_low.next = (self.some[0].val() & self.low[0].val())
            | (self.group1.val() & self.low[1].val())
            | (self.group2.val() & self.low[2].val())
            | (self.group3.val() & self.low[3].val());
        self.at.next = self.zero.val();
        self.at.next = self.at.val().replace_bit(0, self.which_low.val());
        self.at.next = self.at.val().replace_bit(1, self.which_high.val());
        self.at.next = self.at.val().replace_bit(2, self.group_low.val());
        self.at.next = self.at.val().replace_bit(3, self.group_high.val());
        self.any.next =
            self.some[0].val() | self.some[1].val() | self.some[2].val() | self.some[3].val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_barrier_first",
            First::default,
            500,
            |u, rng, _| u.bits.next = (rng.next() & rng.next() & rng.next() & 0xFFFF).into(),
            None,
        )
        .unwrap();
    }

    #[test]
    fn is_the_lowest_bit() {
        let mut u = First::default();
        u.connect_all();
        let mut rng = weft_rtl::Rng::new(1, "first");
        for t in 0..1000u64 {
            let bits = if t < 17 {
                (1 << t) & 0xFFFF
            } else {
                rng.next() & rng.next() & 0xFFFF
            };
            u.bits.next = bits.into();
            weft_rtl::settle(&mut u);
            assert_eq!(u.any.val(), bits != 0);
            assert!(bits == 0 || u.at.val().to_u64() == u64::from(bits.trailing_zeros()));
        }
    }
}
