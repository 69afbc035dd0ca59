//! One more than a number, by gates: of few bits that is smaller than a carry chain, which costs cells at either end
//! too. Combinational.
//!
//! # Parameters
//! `N` bits, 2 to 16.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `value` | in | N | |
//! | `after` | out | N | `value` + 1 modulo 2^N |
//!
//! # Errors
//! None at run time. `Default` panics when `N` is not legal.

use crate::hdl::*;

#[cell(requires((2..=16).contains(&N)))]
pub struct Successor<const N: usize> {
    pub value: Signal<In, Bits<N>>,
    pub after: Signal<Out, Bits<N>>,
    // All bits below this one are set; the sum.
    #[many(N)]
    carry: Vec<Signal<Local, Bit>>,
    sum: Signal<Local, Bits<N>>,
}

impl<const N: usize> Logic for Successor<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.carry[0].next = true;
        for i in 1..N {
            self.carry[i].next = self.carry[i - 1].val() & self.value.val().get_bit(i - 1);
        }
        self.sum.next = self.value.val();
        for i in 0..N {
            self.sum.next = self
                .sum
                .val()
                .replace_bit(i, self.value.val().get_bit(i) ^ self.carry[i].val());
        }
        self.after.next = self.sum.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "successor",
            Successor::<5>::default,
            100,
            |u, rng, t| {
                u.value.next = if t < 32 {
                    (t as u64).into()
                } else {
                    rng.bits()
                }
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn adds_one_to_every_value() {
        let mut u = Successor::<5>::default();
        u.connect_all();
        for v in 0..32u64 {
            u.value.next = v.into();
            weft_rtl::settle(&mut u);
            assert_eq!(u.after.val().to_u64(), (v + 1) % 32);
        }
    }
}
