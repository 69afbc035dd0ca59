//! Memory with one write port and one registered read port on one clock.
//!
//! # Parameters
//! `T`: word type; `A`: address bits (2^A words).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write_enable`, `write_address`, `write_data` | in | 1, A, T | written at the edge that ends the cycle |
//! | `read_address` | in | A | |
//! | `read_data` | out | T | word at the former cycle's `read_address`, as it was *before* that cycle's write |
//!
//! # Cycle behaviour
//! Read latency 1. A write is seen by reads addressed in the next cycle or later. Contents are undefined at power-up.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(requires((1..=16).contains(&A)))]
#[derive(Clone, Debug)]
pub struct SyncRam<T: Synth, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, T>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, T>,
    #[init(vec![T::default(); 1 << A])]
    _words: Vec<T>,
}

impl<T: Synth, const A: usize> Logic for SyncRam<T, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._words[self.read_address.val().index()];
            if self.write_enable.val() {
                self._words[self.write_address.val().index()] = self.write_data.val();
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
reg [{top}:0] mem [0:{last}];

always @(posedge clock) begin
   read_data <= mem[read_address];
   if (write_enable) mem[write_address] <= write_data;
end
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
            "sync_ram",
            SyncRam::<Bits<8>, 3>::default,
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

    /// The read port shows the word as it was before the same cycle's write.
    #[test]
    fn read_is_before_write() {
        let mut b = weft_rtl::Bench::new(SyncRam::<Bits<8>, 3>::default(), |u, level| {
            u.clock.next = level.into()
        });
        b.uut.write_enable.next = true;
        b.uut.write_address.next = 5.into();
        b.uut.read_address.next = 5.into();
        for (data, seen) in [(1u64, None), (2, Some(1)), (3, Some(2))] {
            b.uut.write_data.next = data.into();
            b.edge();
            if let Some(seen) = seen {
                assert_eq!(b.uut.read_data.val().to_u64(), seen);
            }
        }
    }
}
