//! From a set of threads, selects those of the lowest part (L threads) that has any.
//!
//! Spec: `docs/spec/convergence.md`, CONV-121.
//!
//! # Parameters
//! `W` threads per warp, a power of two from 4 to 64.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | W | the set, a bit for each thread |
//! | `cfg_lanes` | in | 3 | log2 of the threads of a part |
//! | `lowest` | out | W | |
//! | `others_any` | out | 1 | some are in other parts |
//!
//! Combinational: a tree over the threads, upwards who is there, downwards who comes later.
//! Halves that are parts, or whole parts, exclude each other.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(
    requires((4..=64).contains(&W), W.is_power_of_two()),
    given(
        let nodes = |count| (0..count).map(|_| Default::default()).collect();
        // Node W + k is one of W / 2 pairs, then one of W / 4 quadruples …
        let half = |k: usize| W.ilog2() - 1 - (W - 1 - k).ilog2();
    )
)]
pub struct Part<const W: usize> {
    pub bits: Signal<In, Bits<W>>,
    pub cfg_lanes: Signal<In, Bits<3>>,
    pub lowest: Signal<Out, Bits<W>>,
    pub others_any: Signal<Out, Bit>,
    // Node k < W is thread k; node W + k has the halves 2k and 2k + 1; the last node is the warp.
    // In it: somebody (not told of the warp); threads of several parts.
    #[init(nodes(2 * W - 2))]
    any: Vec<Signal<Local, Bit>>,
    #[init(nodes(2 * W - 1))]
    several: Vec<Signal<Local, Bit>>,
    // A lower part has threads.
    #[init(nodes(2 * W - 1))]
    later: Vec<Signal<Local, Bit>>,
    // Of node W + k: its halves are in different parts.
    #[init(nodes(W - 1))]
    parts: Vec<Signal<Local, Bit>>,
    // log2 of the threads of a half.
    #[init((0..W - 1) .map(|k| Constant::new(u64::from(half(k)).into())) .collect())]
    half: Vec<Constant<Bits<3>>>,
}

impl<const W: usize> Logic for Part<W> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..W {
            self.any[i].next = self.bits.val().get_bit(i);
            self.several[i].next = false;
        }
        // `n` only brings the generic into index arithmetic.
        for n in W..(W + 1) {
            for k in 0..(W - 2) {
                self.any[n + k].next = self.any[2 * k].val() | self.any[2 * k + 1].val();
            }
            for k in 0..(W - 1) {
                self.parts[k].next = self.cfg_lanes.val() <= self.half[k].val();
                self.several[n + k].next = self.several[2 * k].val()
                    | self.several[2 * k + 1].val()
                    | (self.parts[k].val() & self.any[2 * k].val() & self.any[2 * k + 1].val());
            }
            self.others_any.next = self.several[2 * n - 2].val();
            // From the warp down to the threads.
            self.later[2 * n - 2].next = false;
            for k in 0..(W - 1) {
                self.later[2 * n - 4 - 2 * k].next = self.later[2 * n - 2 - k].val();
                self.later[2 * n - 3 - 2 * k].next = self.later[2 * n - 2 - k].val()
                    | (self.parts[n - 2 - k].val() & self.any[2 * n - 4 - 2 * k].val());
            }
        }
        self.lowest.next = self.bits.val();
        for i in 0..W {
            if self.later[i].val() {
                self.lowest.next = self.lowest.val().replace_bit(i, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "part",
            Part::<32>::default,
            500,
            |u, rng, _| {
                u.bits.next = (rng.next() & rng.next() & rng.next() & 0xFFFF_FFFF).into();
                u.cfg_lanes.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn is_the_lowest_part_that_is_not_empty() {
        let mut u = Part::<8>::default();
        u.connect_all();
        for log in 0..8u64 {
            for threads in 0..256u64 {
                u.bits.next = threads.into();
                u.cfg_lanes.next = log.into();
                weft_rtl::settle(&mut u);
                let lanes = 1 << log.min(3);
                let first = (threads | 1 << 7).trailing_zeros();
                let lowest = threads & ((1 << lanes) - 1) << (first / lanes * lanes);
                assert_eq!(u.lowest.val().to_u64(), lowest, "{threads:#x} by {lanes}");
                assert_eq!(u.others_any.val(), lowest != threads);
            }
        }
    }
}
