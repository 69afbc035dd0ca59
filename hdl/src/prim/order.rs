//! A total order of N things, kept as one bit per pair, and the first of some of them.
//!
//! # Parameters
//! `N` things, at most 64.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous: 0 stands first, N - 1 last |
//! | `front` | in | N | these go before all others; among themselves, and among the others, nothing changes |
//! | `among` | in | N | |
//! | `first` | out | N | one-hot: the one among `among` that stands before all others among them; 0 if there is none |
//!
//! # Cycle behaviour
//! `first` is combinational; the order changes at the edge. None or all in `front`: it stays as it is.
//!
//! Written in Verilog of its own: the next state of a pair is one function of three inputs, of two bits of `front` and its own. As gates, not as a
//! conditional assignment: of that synthesis makes an enable of its own for each flip-flop.
//!
//! # Errors
//! None. Whatever `front` is, the order stays a total one.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug)]
pub struct Order<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub front: Signal<In, Bits<N>>,
    pub among: Signal<In, Bits<N>>,
    pub first: Signal<Out, Bits<N>>,
    /// Per thing, those that stand before it.
    _before: Vec<u64>,
}

impl<const N: usize> Default for Order<N> {
    fn default() -> Self {
        assert!((2..=64).contains(&N), "Order<{N}>");
        Self {
            clock: Default::default(),
            reset: Default::default(),
            front: Default::default(),
            among: Default::default(),
            first: Default::default(),
            _before: (0..N).map(|i| (1 << i) - 1).collect(),
        }
    }
}

impl<const N: usize> Logic for Order<N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let front = self.front.val().to_u64();
            if self.reset.val() {
                self._before = (0..N).map(|i| (1 << i) - 1).collect();
            } else {
                let others = !front & (u64::MAX >> (64 - N));
                for (i, before) in self._before.iter_mut().enumerate() {
                    if front >> i & 1 != 0 {
                        *before &= front;
                    } else {
                        *before = (*before & others) | front;
                    }
                }
            }
        }
        let among = self.among.val().to_u64();
        let is_first = |&i: &usize| among >> i & 1 != 0 && among & self._before[i] == 0;
        let first = (0..N).filter(is_first).fold(0u64, |set, i| set | 1 << i);
        self.first.next = first.into();
    }
    fn connect(&mut self) {
        self.first.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
// Bit {N} i + j, i < j: j stands ahead i.
reg [{top}:0] ahead;

initial ahead = {bits}'d0;

always @(posedge clock) begin : step
   integer i, j;
   for (i = 0; i < {N}; i = i + 1)
      for (j = i + 1; j < {N}; j = j + 1)
         if (reset) ahead[{N} * i + j] <= 1'b0;
         else ahead[{N} * i + j] <= (ahead[{N} * i + j] & ~front[i]) | (front[j] & (ahead[{N} * i + j] | ~front[i]));
end

always @(*) begin : pick
   integer i, j;
   reg beaten;
   for (i = 0; i < {N}; i = i + 1) begin
      beaten = 1'b0;
      for (j = 0; j < i; j = j + 1) beaten = beaten | (among[j] & ~ahead[{N} * j + i]);
      for (j = i + 1; j < {N}; j = j + 1) beaten = beaten | (among[j] & ahead[{N} * i + j]);
      first[i] = among[i] & ~beaten;
   end
end
",
            bits = N * N,
            top = N * N - 1,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "order",
            Order::<8>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.front.next = rng.bits();
                u.among.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn the_first_among_some() {
        let mut b = weft_rtl::Bench::new(Order::<8>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = weft_rtl::Rng::new(1, "order");
        let mut order: Vec<u64> = (0..8).collect();
        for t in 0..2000 {
            let front = [rng.below(256), 1 << rng.below(8), 0, 255][rng.below(4) as usize];
            b.uut.front.next = front.into();
            let among = rng.below(256);
            b.uut.among.next = among.into();
            b.settle();
            let first = order.iter().find(|&&w| among >> w & 1 != 0);
            let first = first.map_or(0, |w| 1u64 << w);
            assert_eq!(b.uut.first.val().to_u64(), first, "cycle {t}");
            order.sort_by_key(|&w| front >> w & 1 == 0);
            b.edge();
        }
    }
}
