//! The next one in turn: the lowest bit above a place, or else the lowest of all.
//!
//! # Parameters
//! `N`: bits, at most 64.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `among` | in | N | |
//! | `after` | in | N | those that come first |
//! | `first` | out | N | one-hot: the lowest of those `among` that are in `after`; if there is none, the lowest `among` all; 0 if there is none at all |
//! | `behind` | out | N | all bits above `first`; 0 if there is none |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! Written in Verilog of its own: one subtraction over both, those that come first below all, so that its borrow tells whether there are any.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug)]
pub struct InTurn<const N: usize> {
    pub among: Signal<In, Bits<N>>,
    pub after: Signal<In, Bits<N>>,
    pub first: Signal<Out, Bits<N>>,
    pub behind: Signal<Out, Bits<N>>,
}

impl<const N: usize> Default for InTurn<N> {
    fn default() -> Self {
        assert!((1..=64).contains(&N), "InTurn<{N}>");
        Self {
            among: Default::default(),
            after: Default::default(),
            first: Default::default(),
            behind: Default::default(),
        }
    }
}

impl<const N: usize> Logic for InTurn<N> {
    fn update(&mut self) {
        let among = self.among.val().to_u64();
        let ahead = among & self.after.val().to_u64();
        let from = if ahead == 0 { among } else { ahead };
        let all = u64::MAX >> (64 - N);
        self.first.next = (from & from.wrapping_neg()).into();
        self.behind.next = ((from ^ from.wrapping_neg()) & all).into();
    }
    fn connect(&mut self) {
        self.first.connect();
        self.behind.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
wire [{top}:0] both = {{among, among & after}};
wire [{top}:0] minus = {bits}'d0 - both;
wire [{top}:0] lowest = both & minus;
wire [{top}:0] above = both ^ minus;

always @(*) begin
   first = lowest[{last}:0] | lowest[{top}:{N}];
   behind = above[{N}] ? above[{last}:0] : above[{top}:{N}];
end
",
            bits = 2 * N,
            top = 2 * N - 1,
            last = N - 1,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "in_turn",
            InTurn::<8>::default,
            2000,
            |u, rng, _| {
                u.among.next = rng.bits::<8>() & rng.bits::<8>();
                u.after.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn the_next_of_some() {
        let mut u = InTurn::<6>::default();
        u.connect_all();
        for among in 0..64u64 {
            for last in 0..6 {
                u.among.next = among.into();
                u.after.next = (0b11_1110 << last & 0b11_1111u64).into();
                weft_rtl::settle(&mut u);
                let next = (1..=6)
                    .map(|n| (last + n) % 6)
                    .find(|w| among >> w & 1 != 0);
                let next = next.map_or(0, |w| 1u64 << w);
                assert_eq!(u.first.val().to_u64(), next, "{among:#b} after {last}");
                let behind = (0..6).filter(|&w| next != 0 && 1 << w > next);
                let behind = behind.fold(0, |set, w| set | 1 << w);
                assert_eq!(u.behind.val().to_u64(), behind, "{among:#b} after {last}");
            }
        }
    }
}
