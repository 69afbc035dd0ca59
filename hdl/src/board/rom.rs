//! Memory with fixed contents and one registered read port.
//!
//! # Parameters
//! `D`: bits of a word; `A`: address bits (2^A words).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `address` | in | A | |
//! | `data` | out | D | word at the former cycle's `address` |
//!
//! # Cycle behaviour
//! Read latency 1.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug)]
pub struct Rom<const D: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<A>>,
    pub data: Signal<Out, Bits<D>>,
    _words: Vec<u64>,
}

impl<const D: usize, const A: usize> Rom<D, A> {
    /// # Panics
    /// When these are not 2^A words, or one does not fit into D bits.
    pub fn new(words: Vec<u64>) -> Self {
        assert_eq!(words.len(), 1 << A, "Rom: words");
        assert!((1..=64).contains(&D) && words.iter().all(|word| word >> (D - 1) < 2));
        Self {
            clock: Default::default(),
            address: Default::default(),
            data: Default::default(),
            _words: words,
        }
    }
}

impl<const D: usize, const A: usize> Logic for Rom<D, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.data.next = self._words[self.address.val().index()].into();
        }
    }
    fn connect(&mut self) {
        self.data.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text = String::from("always @(posedge clock)\n   case (address)\n");
        for (address, word) in self._words.iter().enumerate() {
            text += &format!("      {A}'d{address}: data <= {D}'h{word:x};\n");
        }
        Verilog::Custom(text + "   endcase\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "rom",
            || Rom::<16, 3>::new((0..8).map(|i| 0x1357 * i).collect()),
            200,
            |u, rng, _| u.address.next = rng.bits(),
            |u, level| u.clock.next = level.into(),
        );
    }
}
