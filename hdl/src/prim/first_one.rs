//! Number of the lowest set bit: a balanced tree that keeps the left half's answer wherever that half has a bit.
//!
//! # Parameters
//! `N`: input bits, a power of two from 4 to 64; `I` = log2 N result bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | N | |
//! | `any` | out | 1 | one of `bits` is set; combinational |
//! | `place` | out | I | number of the lowest; N - 1 if there is none |
//!
//! # Errors
//! None at run time. `Default` panics when `I` does not fit `N`.

use crate::hdl::*;

#[cell(
    requires((4..=64).contains(&N), N == 1 << I),
    given(
        let right = (0..I).flat_map(|level| { let add = move || Constant::new((1u64 << level).into()); std::iter::repeat_with(add).take(N >> (level + 1)) });
    )
)]
pub struct FirstOne<const N: usize, const I: usize> {
    pub bits: Signal<In, Bits<N>>,
    pub any: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<I>>,
    // Nodes 0 to N/2 - 1 are pairs of bits; node N/2 + k joins nodes 2k and 2k + 1; the last node is the answer.
    #[many(N - 1)]
    some: Vec<Signal<Local, Bit>>,
    #[many(N - 1)]
    node: Vec<Signal<Local, Bits<I>>>,
    // What a node's right half adds to the place.
    #[init(right.collect())]
    right: Vec<Constant<Bits<I>>>,
    #[value(0.into())]
    zero: Constant<Bits<I>>,
}

impl<const N: usize, const I: usize> Logic for FirstOne<N, I> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..(N / 2) {
            self.some[i].next = self.bits.val().get_bit(2 * i) | self.bits.val().get_bit(2 * i + 1);
            self.node[i].next = self.right[i].val();
            if self.bits.val().get_bit(2 * i) {
                self.node[i].next = self.zero.val();
            }
        }
        // `g` only brings the generic into index arithmetic.
        for g in (N / 2)..(N / 2 + 1) {
            for k in 0..(N / 2 - 1) {
                self.some[g + k].next = self.some[2 * k].val() | self.some[2 * k + 1].val();
                self.node[g + k].next = self.node[2 * k + 1].val() | self.right[g + k].val();
                if self.some[2 * k].val() {
                    self.node[g + k].next = self.node[2 * k].val();
                }
            }
            self.any.next = self.some[2 * g - 2].val();
            self.place.next = self.node[2 * g - 2].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "first_one",
            FirstOne::<32, 5>::default,
            300,
            |u, rng, t| {
                // Few bits, so that the lowest is anywhere.
                u.bits.next = (rng.below(4) << (t % 32) & 0xffff_ffff).into();
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn finds_the_lowest_of_every_value_of_eight_bits() {
        let mut u = FirstOne::<8, 3>::default();
        u.connect_all();
        for v in 0..256u64 {
            u.bits.next = v.into();
            weft_rtl::settle(&mut u);
            assert_eq!(u.any.val(), v != 0);
            let expected = if v == 0 { 7 } else { v.trailing_zeros() };
            assert_eq!(u.place.val().to_u64(), u64::from(expected), "{v:#x}");
        }
    }
}
