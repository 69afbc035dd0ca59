//! Memory of 32-bit words in block RAM whose bytes are written one by one: one write port and one registered read port
//! on one clock.
//!
//! # Parameters
//! `A`: address bits (2^A words).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write_bytes`, `write_address`, `write_data` | in | 4, A, 32 | byte i of the word is written at the edge that ends the cycle if bit i is 1 |
//! | `read_address` | in | A | |
//! | `read_data` | out | 32 | word at the former cycle's `read_address`; undefined if that cycle wrote to it |
//!
//! # Cycle behaviour
//! As `BlockRam`: here, and in the Verilog where `WEFT_RAM_COLLISIONS` is defined, a read of a word that is written
//! gives the complement of the old one.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(requires((1..=16).contains(&A)))]
#[derive(Clone, Debug)]
pub struct ByteRam<const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write_bytes: Signal<In, Bits<4>>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<32>>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, Bits<32>>,
    #[init(vec![0; 1 << A])]
    _words: Vec<u32>,
}

impl<const A: usize> Logic for ByteRam<A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (read, write) = (
                self.read_address.val().index(),
                self.write_address.val().index(),
            );
            let bytes = self.write_bytes.val().to_u64() as u32;
            let old = self._words[read];
            let collides = bytes != 0 && read == write;
            self.read_data.next = u64::from(if collides { !old } else { old }).into();
            let data = self.write_data.val().to_u64() as u32;
            for byte in (0..4).filter(|byte| bytes >> byte & 1 == 1) {
                let mask = 0xFF << (8 * byte);
                self._words[write] = self._words[write] & !mask | data & mask;
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text = format!(
            "\
(* ram_style = \"block\", no_rw_check *)
reg [31:0] mem [0:{last}];

always @(posedge clock) begin
`ifdef WEFT_RAM_COLLISIONS
   read_data <= (|write_bytes && read_address == write_address) ? ~mem[read_address] : mem[read_address];
`else
   read_data <= mem[read_address];
`endif
",
            last = (1usize << A) - 1
        );
        for byte in 0..4 {
            let (high, low) = (8 * byte + 7, 8 * byte);
            text += &format!(
                "   if (write_bytes[{byte}]) mem[write_address][{high}:{low}] <= write_data[{high}:{low}];\n"
            );
        }
        Verilog::Custom(text + "end\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "byte_ram",
            ByteRam::<3>::default,
            400,
            |u, rng, t| {
                u.write_bytes.next = if t < 8 { 15u64.into() } else { rng.bits() };
                u.write_address.next = if t < 8 { (t as u64).into() } else { rng.bits() };
                u.write_data.next = rng.bits();
                u.read_address.next = if t < 8 { 0u64.into() } else { rng.bits() };
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
