//! Small memory with one write port and one combinational read port (distributed RAM on FPGAs that have it).
//!
//! # Parameters
//! `T`: word type; `A`: address bits (2^A words).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write_enable`, `write_address`, `write_data` | in | 1, A, T | written at the edge that ends the cycle |
//! | `read_address` | in | A | |
//! | `read_data` | out | T | the word, in the same cycle |
//!
//! # Cycle behaviour
//! Read latency 0. A write is seen from the next cycle on. Contents are undefined at power-up.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug)]
pub struct LutRam<T: Synth, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, T>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, T>,
    _words: Vec<T>,
}

impl<T: Synth, const A: usize> Default for LutRam<T, A> {
    fn default() -> Self {
        assert!((1..=8).contains(&A), "LutRam: A = {A}, legal 1..=8");
        Self {
            clock: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            _words: vec![T::default(); 1 << A],
        }
    }
}

impl<T: Synth, const A: usize> Logic for LutRam<T, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self._words[self.write_address.val().index()] = self.write_data.val();
        }
        self.read_data.next = self._words[self.read_address.val().index()];
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
reg [{top}:0] mem [0:{last}];

always @(posedge clock) if (write_enable) mem[write_address] <= write_data;

always @(*) read_data = mem[read_address];
",
            top = T::BITS - 1,
            last = (1usize << A) - 1
        ))
    }
}
