//! Number of set bits: groups of four by table, their counts as a balanced tree of adders.
//!
//! # Parameters
//! `N`: input bits, a power of two from 4 to 64; `C` = log2 N + 1 result bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | N | |
//! | `count` | out | C | set bits of `bits`, 0..=N; combinational |
//! | `low`, `high` | out | C | … of each half of them; their sum is `count` |
//!
//! # Errors
//! None at run time. `Default` panics when `C` does not fit `N`.

use crate::hdl::*;

#[cell(
    requires((4..=64).contains(&N), N == 1 << (C - 1)),
    given(let groups = || (0..N / 4).map(|_| Default::default()).collect();)
)]
pub struct PopCount<const N: usize, const C: usize> {
    pub bits: Signal<In, Bits<N>>,
    pub count: Signal<Out, Bits<C>>,
    pub low: Signal<Out, Bits<C>>,
    pub high: Signal<Out, Bits<C>>,
    // Of four bits each: odd; two or three; four.
    #[init(groups())]
    odd: Vec<Signal<Local, Bit>>,
    #[init(groups())]
    some: Vec<Signal<Local, Bit>>,
    #[init(groups())]
    all: Vec<Signal<Local, Bit>>,
    // Node N/4 + k adds nodes 2k and 2k + 1; the last node is the sum.
    #[many(N / 2 - 1)]
    node: Vec<Signal<Local, Bits<C>>>,
    #[value(0.into())]
    zero: Constant<Bits<C>>,
    #[value(1.into())]
    one: Constant<Bits<C>>,
    #[value(2.into())]
    two: Constant<Bits<C>>,
    #[value(4.into())]
    four: Constant<Bits<C>>,
}

impl<const N: usize, const C: usize> Logic for PopCount<N, C> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..(N / 4) {
            self.odd[i].next = self.bits.val().get_bit(4 * i)
                ^ self.bits.val().get_bit(4 * i + 1)
                ^ self.bits.val().get_bit(4 * i + 2)
                ^ self.bits.val().get_bit(4 * i + 3);
            self.all[i].next = self.bits.val().get_bit(4 * i)
                & self.bits.val().get_bit(4 * i + 1)
                & self.bits.val().get_bit(4 * i + 2)
                & self.bits.val().get_bit(4 * i + 3);
            self.some[i].next = !self.all[i].val()
                & ((self.bits.val().get_bit(4 * i) & self.bits.val().get_bit(4 * i + 1))
                    | (self.bits.val().get_bit(4 * i + 2) & self.bits.val().get_bit(4 * i + 3))
                    | ((self.bits.val().get_bit(4 * i) | self.bits.val().get_bit(4 * i + 1))
                        & (self.bits.val().get_bit(4 * i + 2)
                            | self.bits.val().get_bit(4 * i + 3))));
            self.node[i].next = self.zero.val();
            if self.odd[i].val() {
                self.node[i].next = self.node[i].val() | self.one.val();
            }
            if self.some[i].val() {
                self.node[i].next = self.node[i].val() | self.two.val();
            }
            if self.all[i].val() {
                self.node[i].next = self.node[i].val() | self.four.val();
            }
        }
        self.low.next = self.node[0].val();
        self.high.next = self.zero.val();
        // `g` only brings the generic into index arithmetic.
        for g in (N / 4)..(N / 4 + 1) {
            for k in 0..(N / 4 - 1) {
                self.node[g + k].next = self.node[2 * k].val() + self.node[2 * k + 1].val();
                // The last sum is that of the halves; four bits are not divided.
                self.low.next = self.node[2 * k].val();
                self.high.next = self.node[2 * k + 1].val();
            }
            self.count.next = self.node[2 * g - 2].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "pop_count",
            PopCount::<32, 6>::default,
            300,
            |u, rng, _| u.bits.next = rng.bits(),
            None,
        )
        .unwrap();
    }

    #[test]
    fn counts_every_value_of_eight_bits() {
        let mut u = PopCount::<8, 4>::default();
        u.connect_all();
        for v in 0..256u64 {
            u.bits.next = v.into();
            weft_rtl::settle(&mut u);
            assert_eq!(u.count.val().to_u64(), u64::from(v.count_ones()));
        }
    }
}
