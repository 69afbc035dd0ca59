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

#[cell(requires((1..=8).contains(&A)))]
#[derive(Clone, Debug)]
pub struct LutRam<T: Synth, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, T>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, T>,
    #[init(vec![T::default(); 1 << A])]
    _words: Vec<T>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "lut_ram",
            LutRam::<Bits<8>, 3>::default,
            400,
            |u, rng, t| {
                // Every word is written before it is read: contents are undefined at power-up.
                u.write_enable.next = t < 8 || rng.flip();
                u.write_address.next = if t < 8 { (t as u64).into() } else { rng.bits() };
                u.write_data.next = rng.bits();
                u.read_address.next = if t < 8 {
                    (t.max(1) as u64 - 1).into()
                } else {
                    rng.bits()
                };
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// A written word is seen in the next cycle, without another clock edge.
    #[test]
    fn read_is_combinational() {
        let mut b = weft_rtl::Bench::new(LutRam::<Bits<8>, 3>::default(), |u, level| {
            u.clock.next = level.into()
        });
        b.uut.write_enable.next = true;
        for a in 0..8u64 {
            b.uut.write_address.next = a.into();
            b.uut.write_data.next = (a * 7).into();
            b.edge();
        }
        b.uut.write_enable.next = false;
        for a in 0..8u64 {
            b.uut.read_address.next = a.into();
            b.settle();
            assert_eq!(b.uut.read_data.val().to_u64(), a * 7);
        }
    }
}
