//! Ranks 5 and 6 of a lane: the highest bit that is set comes to the top, or as near as the exponent allows.
//!
//! Spec: `docs/spec/float.md`, FLOAT-033.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `size`, `lost`, `limit`, `exponent`, `sign`, `zero_sign`, `whole`, `mode` | in | 78, 1, 78, 11, 1, 1, 1, 3 | of rank 4 |
//! | `mantissa` | out | 32 | the top of the window: a mantissa in its upper 24 bits, or a whole number |
//! | `guard`, `below` | out | 1 | the bit behind it, and whether there is any behind that |
//! | `exponent_out` | out | 11 | biased exponent of the highest bit, two's complement |
//! | `sign_out`, `whole_out`, `mode_out` | out | 1, 1, 3 | |
//!
//! # Cycle behaviour
//! Every cycle takes operands; outputs are of those of two cycles before.
//! Rank 5 moves by groups of 16 bits, rank 6 by the rest.
//! The limit is a bit of its own beside the window, so that counting zeros gives the lesser of both numbers.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Normalise {
    pub clock: Signal<In, Clock>,
    pub size: Signal<In, Bits<78>>,
    pub lost: Signal<In, Bit>,
    pub limit: Signal<In, Bits<78>>,
    pub exponent: Signal<In, Bits<11>>,
    pub sign: Signal<In, Bit>,
    pub zero_sign: Signal<In, Bit>,
    pub whole: Signal<In, Bit>,
    pub mode: Signal<In, Bits<3>>,
    pub mantissa: Signal<Out, Bits<32>>,
    pub guard: Signal<Out, Bit>,
    pub below: Signal<Out, Bit>,
    pub exponent_out: Signal<Out, Bits<11>>,
    pub sign_out: Signal<Out, Bit>,
    pub whole_out: Signal<Out, Bit>,
    pub mode_out: Signal<Out, Bits<3>>,
    // Rank 5: moved by groups; the group with the highest bit.
    #[always]
    moved5: DFF<Bits<78>>,
    #[always]
    leads5: DFF<Bits<16>>,
    #[always]
    group5: DFF<Bits<3>>,
    #[always]
    lost5: DFF<Bit>,
    #[always]
    exponent5: DFF<Bits<11>>,
    #[always]
    sign5: DFF<Bit>,
    #[always]
    whole5: DFF<Bit>,
    #[always]
    mode5: DFF<Bits<3>>,
    // Rank 6.
    #[always]
    mantissa6: DFF<Bits<32>>,
    #[always]
    guard6: DFF<Bit>,
    #[always]
    below6: DFF<Bit>,
    #[always]
    exponent6: DFF<Bits<11>>,
    #[always]
    sign6: DFF<Bit>,
    #[always]
    whole6: DFF<Bit>,
    #[always]
    mode6: DFF<Bits<3>>,
    // Combinational.
    marked: Signal<Local, Bits<80>>,
    of_eight: Signal<Local, Bits<8>>,
    of_four: Signal<Local, Bits<4>>,
    of_two: Signal<Local, Bits<2>>,
    zeros: Signal<Local, Bits<4>>,
    all_zeros: Signal<Local, Bits<7>>,
    placed: Signal<Local, Bits<78>>,
    lowest: Signal<Local, Bit>,
}

#[part(Normalise)]
fn update(&mut self) {
    // ---- Rank 5. (A one behind the window: some group has one.)
    self.marked.next = (bit_cast::<80, 78>(self.size.val() | self.limit.val()) << 2) | 1;
    self.leads5.d.next = self.marked.val().get_bits::<16>(0);
    self.moved5.d.next = self.size.val() << 64;
    self.group5.d.next = 4.into();
    if self.marked.val().get_bits::<16>(64).any() {
        self.leads5.d.next = self.marked.val().get_bits::<16>(64);
        self.moved5.d.next = self.size.val();
        self.group5.d.next = 0.into();
    } else if self.marked.val().get_bits::<16>(48).any() {
        self.leads5.d.next = self.marked.val().get_bits::<16>(48);
        self.moved5.d.next = self.size.val() << 16;
        self.group5.d.next = 1.into();
    } else if self.marked.val().get_bits::<16>(32).any() {
        self.leads5.d.next = self.marked.val().get_bits::<16>(32);
        self.moved5.d.next = self.size.val() << 32;
        self.group5.d.next = 2.into();
    } else if self.marked.val().get_bits::<16>(16).any() {
        self.leads5.d.next = self.marked.val().get_bits::<16>(16);
        self.moved5.d.next = self.size.val() << 48;
        self.group5.d.next = 3.into();
    }
    self.lost5.d.next = self.lost.val();
    self.sign5.d.next = self.sign.val();
    if !self.size.val().any() & !self.lost.val() {
        self.sign5.d.next = self.zero_sign.val();
    }
    self.exponent5.d.next = self.exponent.val();
    self.whole5.d.next = self.whole.val();
    self.mode5.d.next = self.mode.val();

    // ---- Rank 6.
    self.zeros.next = 0.into();
    self.of_eight.next = self.leads5.q.val().get_bits::<8>(8);
    if !self.leads5.q.val().get_bits::<8>(8).any() {
        self.of_eight.next = self.leads5.q.val().get_bits::<8>(0);
        self.zeros.next = self.zeros.val().replace_bit(3, true);
    }
    self.of_four.next = self.of_eight.val().get_bits::<4>(4);
    if !self.of_eight.val().get_bits::<4>(4).any() {
        self.of_four.next = self.of_eight.val().get_bits::<4>(0);
        self.zeros.next = self.zeros.val().replace_bit(2, true);
    }
    self.of_two.next = self.of_four.val().get_bits::<2>(2);
    if !self.of_four.val().get_bits::<2>(2).any() {
        self.of_two.next = self.of_four.val().get_bits::<2>(0);
        self.zeros.next = self.zeros.val().replace_bit(1, true);
    }
    if !self.of_two.val().get_bit(1) {
        self.zeros.next = self.zeros.val().replace_bit(0, true);
    }
    self.placed.next = self.moved5.q.val() << self.zeros.val();
    self.mantissa6.d.next = self.placed.val().get_bits::<32>(46);
    self.lowest.next = self.placed.val().get_bits::<45>(0).any() | self.lost5.q.val();
    self.guard6.d.next = self.placed.val().get_bit(53);
    self.below6.d.next = self.lowest.val() | self.placed.val().get_bits::<8>(45).any();
    if self.whole5.q.val() {
        self.guard6.d.next = self.placed.val().get_bit(45);
        self.below6.d.next = self.lowest.val();
    }
    self.all_zeros.next =
        (bit_cast::<7, 3>(self.group5.q.val()) << 4) | bit_cast::<7, 4>(self.zeros.val());
    self.exponent6.d.next = self.exponent5.q.val() - bit_cast::<11, 7>(self.all_zeros.val());
    carry!(self.*.d <- self.*.q: sign6 = sign5, whole6 = whole5, mode6 = mode5);
    carry!(self <- self.*.q: mantissa = mantissa6, guard = guard6, below = below6);
    self.exponent_out.next = self.exponent6.q.val();
    carry!(self <- self.*.q: sign_out = sign6, whole_out = whole6, mode_out = mode6);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_normalise",
            Normalise::default,
            2000,
            |u, rng, _| {
                let zeros: Bits<7> = rng.below(79).into();
                let size: Bits<78> = rng.bits();
                u.size.next = size >> zeros;
                u.lost.next = rng.flip();
                let place = rng.below(90) as usize;
                u.limit.next = Bits::default();
                if place < 78 {
                    u.limit.next = Bits::<78>::default().replace_bit(place, true);
                }
                u.exponent.next = rng.bits();
                u.sign.next = rng.flip();
                u.zero_sign.next = rng.flip();
                u.whole.next = rng.chance(1, 3);
                u.mode.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
