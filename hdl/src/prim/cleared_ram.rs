//! Small memory with one write port and one combinational read port, cleared under reset: two `LutRam`s, for even and
//! odd addresses.
//!
//! # Parameters
//! `D`: bits of a word; `A`: address bits, 2 at least; `AH` = A - 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, AH | synchronous, active high; `clear` takes all values while `reset` is 1: the two words of that row become 0 |
//! | `write_enable`, `write_address`, `write_data` | in | 1, A, D | written at the edge that ends the cycle; not under `reset` |
//! | `read_address` | in | A | |
//! | `read_data` | out | D | the word, in the same cycle |
//!
//! # Cycle behaviour
//! As `LutRam`. Copies of a memory with several readers are equal after a reset.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::LutRam;
use crate::hdl::*;

#[module(requires(A == AH + 1, AH >= 1))]
pub struct ClearedRam<const D: usize, const A: usize, const AH: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<AH>>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<D>>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, Bits<D>>,
    even: LutRam<Bits<D>, AH>,
    odd: LutRam<Bits<D>, AH>,
    write_row: Signal<Local, Bits<AH>>,
    read_row: Signal<Local, Bits<AH>>,
    store: Signal<Local, Bits<D>>,
    #[value(0.into())]
    zero: Constant<Bits<D>>,
}

#[part(ClearedRam<D, A, AH>)]
fn update(&mut self) {
    self.write_row.next = self.write_address.val().get_bits::<AH>(1);
    self.store.next = self.write_data.val();
    if self.reset.val() {
        self.write_row.next = self.clear.val();
        self.store.next = self.zero.val();
    }
    self.even.write_enable.next =
        (self.write_enable.val() & !self.write_address.val().get_bit(0)) | self.reset.val();
    carry!(self.even <- self: write_address = write_row, write_data = store);
    self.odd.write_enable.next =
        (self.write_enable.val() & self.write_address.val().get_bit(0)) | self.reset.val();
    carry!(self.odd <- self: write_address = write_row, write_data = store);
    self.read_row.next = self.read_address.val().get_bits::<AH>(1);
    spread!(self.*.read_address <- self.read_row: even, odd);
    self.read_data.next = self.even.read_data.val();
    if self.read_address.val().get_bit(0) {
        self.read_data.next = self.odd.read_data.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    type Small = ClearedRam<3, 3, 2>;

    /// A reset of 4 cycles, later ones too.
    fn drive(u: &mut Small, rng: &mut Rng, t: usize) {
        u.reset.next = t % 500 < 4;
        u.clear.next = (t as u64 % 4).into();
        u.write_enable.next = rng.flip();
        u.write_address.next = rng.bits();
        u.write_data.next = rng.bits();
        u.read_address.next = rng.bits();
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "cleared_ram",
            Small::default,
            2000,
            drive,
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn words_are_those_written_last_or_0() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "cleared_ram");
        let mut words = [0u64; 8];
        let mut cleared = 0;
        for t in 0..3000usize {
            drive(&mut b.uut, &mut rng, t);
            b.settle();
            let u = &b.uut;
            if t % 500 >= 4 {
                let at = u.read_address.val().index();
                assert_eq!(u.read_data.val().to_u64(), words[at], "cycle {t}");
            }
            if u.reset.val() {
                cleared += u32::from(words != [0; 8]);
                words = [0; 8];
            } else if u.write_enable.val() {
                words[u.write_address.val().index()] = u.write_data.val().to_u64();
            }
            b.edge();
        }
        assert!(cleared > 3, "thin run: {cleared}");
    }
}
