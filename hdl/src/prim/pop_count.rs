//! Number of set bits, as a balanced tree.
//!
//! # Parameters
//! `N`: input bits, a power of two; `C` = log2 N + 1 result bits; `T` = 2 N − 1 tree nodes.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | N | |
//! | `count` | out | C | set bits of `bits`, 0..=N; combinational |
//!
//! # Errors
//! None at run time. `Default` panics when `C` or `T` does not fit `N`.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct PopCount<const N: usize, const C: usize, const T: usize> {
    pub bits: Signal<In, Bits<N>>,
    pub count: Signal<Out, Bits<C>>,
    // Node N + k adds nodes 2k and 2k + 1; the last node is the sum.
    node: [Signal<Local, Bits<C>>; T],
    zero: Constant<Bits<C>>,
    one: Constant<Bits<C>>,
}

impl<const N: usize, const C: usize, const T: usize> Default for PopCount<N, C, T> {
    fn default() -> Self {
        assert!(
            N == 1 << (C - 1) && T == 2 * N - 1,
            "PopCount<{N}, {C}, {T}>"
        );
        Self {
            bits: Default::default(),
            count: Default::default(),
            node: from_fn(|_| Default::default()),
            zero: Constant::new(0.into()),
            one: Constant::new(1.into()),
        }
    }
}

impl<const N: usize, const C: usize, const T: usize> Logic for PopCount<N, C, T> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..N {
            self.node[i].next = self.zero.val();
            if self.bits.val().get_bit(i) {
                self.node[i].next = self.one.val();
            }
        }
        // `n` and `t` only bring the generics into index arithmetic.
        for n in N..(N + 1) {
            for k in 0..(N - 1) {
                self.node[n + k].next = self.node[2 * k].val() + self.node[2 * k + 1].val();
            }
        }
        for t in T..(T + 1) {
            self.count.next = self.node[t - 1].val();
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
            PopCount::<32, 6, 63>::default,
            300,
            |u, rng, _| u.bits.next = rng.bits(),
            None,
        )
        .unwrap();
    }

    #[test]
    fn counts_every_value_of_eight_bits() {
        let mut u = PopCount::<8, 4, 15>::default();
        u.connect_all();
        for v in 0..256u64 {
            u.bits.next = v.into();
            weft_rtl::settle(&mut u);
            assert_eq!(u.count.val().to_u64(), u64::from(v.count_ones()));
        }
    }
}
