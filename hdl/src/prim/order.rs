//! A total order of N things, kept as one bit per pair.
//!
//! # Parameters
//! `N` things, at most 64.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous: 0 stands first, N - 1 last |
//! | `moves`, `front` | in | 1, N | these go before all others |
//! | `ascending` | in | 1 | 0: among themselves, and among the others, nothing changes; 1: they stand by their numbers then |
//! | `among` | in | N | |
//! | `beaten` | out | N | those, of all, that one among `among` stands before; so `among` without them is the first of these, or empty |
//!
//! # Cycle behaviour
//! `beaten` is combinational; the order changes at the edge, with `moves`.
//!
//! Written in Verilog of its own: the next state of a pair is one function of four inputs: `ascending`, two bits of
//! `front`, and its own. As gates, not as a conditional assignment: of that synthesis makes an enable of its own for
//! each flip-flop; they have one in common, `moves`.
//!
//! # Errors
//! None. Whatever `front` is, the order stays a total one.

use crate::hdl::*;

#[cell(requires((2..=64).contains(&N)))]
#[derive(Clone, Debug)]
pub struct Order<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub moves: Signal<In, Bit>,
    pub front: Signal<In, Bits<N>>,
    pub ascending: Signal<In, Bit>,
    pub among: Signal<In, Bits<N>>,
    pub beaten: Signal<Out, Bits<N>>,
    /// Per thing, those that stand before it.
    #[init((0..N).map(|i| (1 << i) - 1).collect())]
    _before: Vec<u64>,
}

impl<const N: usize> Logic for Order<N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let front = self.front.val().to_u64();
            if self.reset.val() {
                self._before = (0..N).map(|i| (1 << i) - 1).collect();
            } else if self.moves.val() {
                if self.ascending.val() {
                    self._before = (0..N).map(|i| (1 << i) - 1).collect();
                }
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
        let is_beaten = |&i: &usize| among & self._before[i] != 0;
        let beaten = (0..N).filter(is_beaten).fold(0u64, |set, i| set | 1 << i);
        self.beaten.next = beaten.into();
    }
    fn connect(&mut self) {
        self.beaten.connect();
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
         else if (moves) ahead[{N} * i + j] <= (ahead[{N} * i + j] & ~ascending & ~(front[i] & ~front[j])) | (front[j] & ~front[i]);
end

always @(*) begin : pick
   integer i, j;
   reg [{last}:0] earlier;
   for (i = 0; i < {N}; i = i + 1) begin
      earlier[i] = 1'b0;
      for (j = 0; j < i; j = j + 1) earlier[j] = ~ahead[{N} * j + i];
      for (j = i + 1; j < {N}; j = j + 1) earlier[j] = ahead[{N} * i + j];
      beaten[i] = |(among & earlier);
   end
end
",
            last = N - 1,
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
                u.moves.next = rng.flip();
                u.front.next = rng.bits();
                u.ascending.next = rng.chance(1, 4);
                u.among.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn who_stands_behind_some() {
        let mut b = weft_rtl::Bench::new(Order::<8>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = weft_rtl::Rng::new(1, "order");
        let mut order: Vec<u64> = (0..8).collect();
        for t in 0..2000 {
            let front = [rng.below(256), 1 << rng.below(8), 0, 255][rng.below(4) as usize];
            let moves = rng.flip();
            b.uut.moves.next = moves;
            b.uut.front.next = front.into();
            let among = rng.below(256);
            b.uut.among.next = among.into();
            let ascending = rng.chance(1, 8);
            b.uut.ascending.next = ascending;
            b.settle();
            let first = order.iter().position(|&w| among >> w & 1 != 0);
            let behind = first.map_or(&[][..], |first| &order[first + 1..]);
            let beaten = behind.iter().fold(0u64, |set, w| set | 1 << w);
            assert_eq!(b.uut.beaten.val().to_u64(), beaten, "cycle {t}");
            if moves && ascending {
                order.sort();
            }
            if moves {
                order.sort_by_key(|&w| front >> w & 1 == 0);
            }
            b.edge();
        }
    }
}
