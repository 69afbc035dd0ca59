//! Memory in block RAM, up to 32 words in LUT RAM where there is some: one write port and one registered read port on
//! one clock.
//! What is read in the cycle in which it is written is undefined.
//!
//! # Parameters
//! `T`: word type; `A`: address bits (2^A words).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write_enable`, `write_address`, `write_data` | in | 1, A, T | written at the edge that ends the cycle |
//! | `read_address` | in | A | |
//! | `read_data` | out | T | word at the former cycle's `read_address`; undefined if that cycle wrote it |
//!
//! # Cycle behaviour
//! Read latency 1. Block RAMs of FPGAs have no defined answer to a read of the word that the other port writes;
//! to give one costs a copy of the data and a comparison (`SyncRam`).
//! Here, and in the Verilog where `WEFT_RAM_COLLISIONS` is defined, such a read gives the complement of the old
//! word, so that a user who leans on it is found out.
//! Without it the Verilog is plain memory, as synthesis tools take it.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(requires((1..=16).contains(&A)))]
#[derive(Clone, Debug)]
pub struct BlockRam<const D: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<D>>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, Bits<D>>,
    #[init(vec![Bits::default(); 1 << A])]
    _words: Vec<Bits<D>>,
}

impl<const D: usize, const A: usize> Logic for BlockRam<D, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (read, write) = (
                self.read_address.val().index(),
                self.write_address.val().index(),
            );
            let old = self._words[read];
            let collides = self.write_enable.val() && read == write;
            self.read_data.next = if collides { !old } else { old };
            if self.write_enable.val() {
                self._words[write] = self.write_data.val();
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
{kind}
reg [{top}:0] mem [0:{last}];

always @(posedge clock) begin
`ifdef WEFT_RAM_COLLISIONS
   read_data <= (write_enable && read_address == write_address) ? ~mem[read_address] : mem[read_address];
`else
   read_data <= mem[read_address];
`endif
   if (write_enable) mem[write_address] <= write_data;
end
",
            kind = super::kind_of(A <= 5),
            top = D - 1,
            last = (1usize << A) - 1
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "block_ram",
            BlockRam::<8, 3>::default,
            400,
            |u, rng, t| {
                // Every word is written before it is read: contents are undefined at power-up.
                u.write_enable.next = t < 8 || rng.flip();
                u.write_address.next = if t < 8 { (t as u64).into() } else { rng.bits() };
                u.write_data.next = rng.bits();
                u.read_address.next = if t < 8 { 0.into() } else { rng.bits() };
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// Above 32 words, of block RAM only.
    #[test]
    fn verilog_agrees_above_32_words() {
        crate::stimulus::check_with_memories(
            "block_ram_long",
            BlockRam::<8, 6>::default,
            400,
            |u, rng, t| {
                u.write_enable.next = t < 64 || rng.flip();
                u.write_address.next = if t < 64 {
                    (t as u64).into()
                } else {
                    rng.bits()
                };
                u.write_data.next = rng.bits();
                u.read_address.next = if t < 64 { 0.into() } else { rng.bits() };
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
