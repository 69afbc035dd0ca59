//! Number of set bits, with few levels of gates: blocks of 16 bits almost without carries, their counts by adders.
//!
//! # Parameters
//! `N`: input bits, a power of two from 4 to 64; `C` = log2 N + 1 result bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | N | |
//! | `count` | out | C | set bits of `bits`, 0..=N; combinational |
//!
//! # How
//! A group of four bits is odd or not, has some (two or three) or not, has all or not.
//! Of the four groups of a block of 16 bits, those that are odd are counted by the same three gates, and those that
//! have some, and those that have all; little is left to add.
//! `PopCount` adds its groups as a tree, which is deeper, and tells the counts of the halves too.
//!
//! # Errors
//! None at run time. `Default` panics when `C` does not fit `N`.

use crate::hdl::*;

#[cell(
    requires((4..=64).contains(&N), N == 1 << (C - 1)),
    given(
        let several = |count| (0..count).map(|_| Default::default()).collect();
        let blocks = N.div_ceil(16);
    )
)]
pub struct Ones<const N: usize, const C: usize> {
    pub bits: Signal<In, Bits<N>>,
    pub count: Signal<Out, Bits<C>>,
    // Bits that do not exist are 0.
    wide: Signal<Local, Bits<64>>,
    // Of group g of block b, at 4 b + g.
    #[init(several(4 * blocks))]
    odd: Vec<Signal<Local, Bit>>,
    #[init(several(4 * blocks))]
    some: Vec<Signal<Local, Bit>>,
    #[init(several(4 * blocks))]
    all: Vec<Signal<Local, Bit>>,
    // Of the groups of block b, at 3 b + k: k = 0 of those that are odd, 1 of those that have some, 2 of those that
    // have all.
    #[init(several(12 * blocks))]
    member: Vec<Signal<Local, Bit>>,
    #[init(several(3 * blocks))]
    odds: Vec<Signal<Local, Bit>>,
    #[init(several(3 * blocks))]
    somes: Vec<Signal<Local, Bit>>,
    #[init(several(3 * blocks))]
    alls: Vec<Signal<Local, Bit>>,
    // Of each block: a carry into weight 4, a carry out of it, and the sum.
    #[init(several(blocks))]
    into_four: Vec<Signal<Local, Bit>>,
    #[init(several(blocks))]
    from_four: Vec<Signal<Local, Bit>>,
    #[many(4)]
    block_sum: Vec<Signal<Local, Bits<7>>>,
    sum: Signal<Local, Bits<7>>,
    low: Signal<Local, Bits<7>>,
    high: Signal<Local, Bits<7>>,
    #[value(0.into())]
    zero: Constant<Bits<7>>,
}

impl<const N: usize, const C: usize> Logic for Ones<N, C> {
    #[hdl_gen]
    fn update(&mut self) {
        self.wide.next = bit_cast::<64, N>(self.bits.val());
        // (N + 12) / 16: blocks; `N` is a multiple of 4.
        for i in 0..(4 * ((N + 12) / 16)) {
            self.odd[i].next = self.wide.val().get_bit(4 * i)
                ^ self.wide.val().get_bit(4 * i + 1)
                ^ self.wide.val().get_bit(4 * i + 2)
                ^ self.wide.val().get_bit(4 * i + 3);
            self.all[i].next = self.wide.val().get_bit(4 * i)
                & self.wide.val().get_bit(4 * i + 1)
                & self.wide.val().get_bit(4 * i + 2)
                & self.wide.val().get_bit(4 * i + 3);
            self.some[i].next = !self.all[i].val()
                & ((self.wide.val().get_bit(4 * i) & self.wide.val().get_bit(4 * i + 1))
                    | (self.wide.val().get_bit(4 * i + 2) & self.wide.val().get_bit(4 * i + 3))
                    | ((self.wide.val().get_bit(4 * i) | self.wide.val().get_bit(4 * i + 1))
                        & (self.wide.val().get_bit(4 * i + 2)
                            | self.wide.val().get_bit(4 * i + 3))));
        }
        for b in 0..((N + 12) / 16) {
            for g in 0..4 {
                self.member[12 * b + g].next = self.odd[4 * b + g].val();
                self.member[12 * b + g + 4].next = self.some[4 * b + g].val();
                self.member[12 * b + g + 8].next = self.all[4 * b + g].val();
            }
        }
        for i in 0..(3 * ((N + 12) / 16)) {
            self.odds[i].next = self.member[4 * i].val()
                ^ self.member[4 * i + 1].val()
                ^ self.member[4 * i + 2].val()
                ^ self.member[4 * i + 3].val();
            self.alls[i].next = self.member[4 * i].val()
                & self.member[4 * i + 1].val()
                & self.member[4 * i + 2].val()
                & self.member[4 * i + 3].val();
            self.somes[i].next = !self.alls[i].val()
                & ((self.member[4 * i].val() & self.member[4 * i + 1].val())
                    | (self.member[4 * i + 2].val() & self.member[4 * i + 3].val())
                    | ((self.member[4 * i].val() | self.member[4 * i + 1].val())
                        & (self.member[4 * i + 2].val() | self.member[4 * i + 3].val())));
        }
        for b in 0..4 {
            self.block_sum[b].next = self.zero.val();
        }
        // Only a full block has 16, and then nothing else; what remains of weight 8 is one thing at most.
        for b in 0..((N + 12) / 16) {
            self.into_four[b].next = self.somes[3 * b].val() & self.odds[3 * b + 1].val();
            self.from_four[b].next = (self.alls[3 * b].val() & self.somes[3 * b + 1].val())
                | (self.odds[3 * b + 2].val()
                    & (self.alls[3 * b].val() | self.somes[3 * b + 1].val()))
                | (self.into_four[b].val()
                    & (self.alls[3 * b].val()
                        | self.somes[3 * b + 1].val()
                        | self.odds[3 * b + 2].val()));
            self.block_sum[b].next = self.block_sum[b]
                .val()
                .replace_bit(0, self.odds[3 * b].val());
            self.block_sum[b].next = self.block_sum[b]
                .val()
                .replace_bit(1, self.somes[3 * b].val() ^ self.odds[3 * b + 1].val());
            self.block_sum[b].next = self.block_sum[b].val().replace_bit(
                2,
                self.alls[3 * b].val()
                    ^ self.somes[3 * b + 1].val()
                    ^ self.odds[3 * b + 2].val()
                    ^ self.into_four[b].val(),
            );
            self.block_sum[b].next = self.block_sum[b].val().replace_bit(
                3,
                self.alls[3 * b + 1].val() | self.somes[3 * b + 2].val() | self.from_four[b].val(),
            );
            self.block_sum[b].next = self.block_sum[b]
                .val()
                .replace_bit(4, self.alls[3 * b + 2].val());
        }
        self.low.next = self.block_sum[0].val() + self.block_sum[1].val();
        self.high.next = self.block_sum[2].val() + self.block_sum[3].val();
        self.sum.next = self.low.val() + self.high.val();
        self.count.next = self.sum.val().get_bits::<C>(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verilog_agrees_with<const N: usize, const C: usize>() {
        weft_rtl::check_module(
            "ones",
            Ones::<N, C>::default,
            2000,
            |u, rng, t| {
                let (some, other) = (rng.next(), rng.next());
                let wide = [some, some & other, some | other][t % 3];
                u.bits.next = (wide & (u64::MAX >> (64 - N))).into();
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn verilog_agrees() {
        verilog_agrees_with::<8, 4>();
        verilog_agrees_with::<32, 6>();
        verilog_agrees_with::<64, 7>();
    }

    #[test]
    fn counts_every_value_of_16_bits_in_each_block() {
        let mut u = Ones::<64, 7>::default();
        u.connect_all();
        for v in 0..1u64 << 16 {
            let wide = v << (v % 4 * 16) | 0xffff << ((v + 1) % 4 * 16);
            u.bits.next = wide.into();
            weft_rtl::settle(&mut u);
            assert_eq!(u.count.val().to_u64(), u64::from(wide.count_ones()));
        }
    }
}
