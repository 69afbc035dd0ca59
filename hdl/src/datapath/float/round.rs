//! Rank 7 of a lane: the one rounding of a result, and its word.
//!
//! Spec: `docs/spec/float.md`, FLOAT-021 and FLOAT-034.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `mantissa`, `guard`, `below`, `exponent`, `sign`, `whole`, `mode` | in | 32, 1, 1, 11, 1, 1, 3 | of rank 6 |
//! | `result` | out | 32 | the word |
//!
//! # Cycle behaviour
//! Every cycle takes operands; the result is of those of the cycle before.
//! One adder rounds: at bit 8 a mantissa, at bit 0 a whole number, which it also negates.
//!
//! # Errors
//! None. Too large a number becomes infinite, or the largest number where the mode does not round that way.

use crate::hdl::*;

#[module]
pub struct Round {
    pub clock: Signal<In, Clock>,
    pub mantissa: Signal<In, Bits<32>>,
    pub guard: Signal<In, Bit>,
    pub below: Signal<In, Bit>,
    pub exponent: Signal<In, Bits<11>>,
    pub sign: Signal<In, Bit>,
    pub whole: Signal<In, Bit>,
    pub mode: Signal<In, Bits<3>>,
    pub result: Signal<Out, Bits<32>>,
    #[always]
    word7: DFF<Bits<32>>,
    // Combinational.
    odd: Signal<Local, Bit>,
    inexact: Signal<Local, Bit>,
    raises: Signal<Local, Bit>,
    outward: Signal<Local, Bit>,
    negates: Signal<Local, Bit>,
    turned: Signal<Local, Bits<32>>,
    step: Signal<Local, Bits<33>>,
    sum: Signal<Local, Bits<33>>,
    carry: Signal<Local, Bit>,
    hidden: Signal<Local, Bit>,
    power: Signal<Local, Bits<11>>,
    over: Signal<Local, Bit>,
    field: Signal<Local, Bits<8>>,
    fraction: Signal<Local, Bits<23>>,
    packed_word: Signal<Local, Bits<32>>,
    #[value(0x7f80_0000.into())]
    infinity: Constant<Bits<32>>,
    #[value(0x7f7f_ffff.into())]
    largest: Constant<Bits<32>>,
    #[value(254.into())]
    highest: Constant<Bits<11>>,
}

#[part(Round)]
fn update(&mut self) {
    // ---- Which way.
    self.odd.next = self.mantissa.val().get_bit(8);
    if self.whole.val() {
        self.odd.next = self.mantissa.val().get_bit(0);
    }
    self.inexact.next = self.guard.val() | self.below.val();
    self.raises.next = self.guard.val() & (self.below.val() | self.odd.val());
    self.outward.next = true;
    if self.mode.val() == 1 {
        self.raises.next = false;
        self.outward.next = false;
    }
    if self.mode.val() == 2 {
        self.raises.next = self.inexact.val() & self.sign.val();
        self.outward.next = self.sign.val();
    }
    if self.mode.val() == 3 {
        self.raises.next = self.inexact.val() & !self.sign.val();
        self.outward.next = !self.sign.val();
    }
    if self.mode.val() == 4 {
        self.raises.next = self.guard.val();
    }

    // ---- One adder. A whole number below 0: not (number + 1) is its negative, less 1.
    self.negates.next = self.whole.val() & self.sign.val();
    self.turned.next = self.mantissa.val();
    if self.negates.val() {
        self.turned.next = !self.mantissa.val();
    }
    self.step.next = bit_cast::<33, 1>(self.raises.val().into()) << 8;
    if self.whole.val() {
        self.step.next = bit_cast::<33, 1>((self.raises.val() ^ self.negates.val()).into());
    }
    self.sum.next = bit_cast::<33, 32>(self.turned.val()) + self.step.val();
    self.carry.next = self.sum.val().get_bit(32);
    self.hidden.next = self.carry.val() | self.sum.val().get_bit(31);

    // ---- The word. (With a carry the fraction is 0 in either place.)
    self.power.next = self.exponent.val() + bit_cast::<11, 1>(self.carry.val().into());
    self.field.next = 0.into();
    if self.hidden.val() {
        self.field.next = self.power.val().get_bits::<8>(0);
    }
    self.fraction.next = self.sum.val().get_bits::<23>(8);
    self.packed_word.next =
        (bit_cast::<32, 8>(self.field.val()) << 23) | bit_cast::<32, 23>(self.fraction.val());
    self.over.next = self.hidden.val() & (self.power.val() > self.highest.val());
    if self.over.val() {
        self.packed_word.next = self.largest.val();
        if self.outward.val() {
            self.packed_word.next = self.infinity.val();
        }
    }
    self.word7.d.next = self.packed_word.val().replace_bit(31, self.sign.val());
    if self.whole.val() {
        self.word7.d.next = self.sum.val().get_bits::<32>(0);
    }
    self.result.next = self.word7.q.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    fn drive(u: &mut Round, rng: &mut Rng) {
        u.mantissa.next = match rng.below(3) {
            0 => (0xffff_ffff_u64 << rng.below(20) & 0xffff_ffff).into(),
            _ => rng.bits(),
        };
        u.guard.next = rng.flip();
        u.below.next = rng.flip();
        u.exponent.next = (1 + rng.below(260)).into();
        u.sign.next = rng.flip();
        u.whole.next = rng.flip();
        u.mode.next = [0, 1, 2, 3, 4, 7][rng.below(6) as usize].into();
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_round",
            Round::default,
            2000,
            |u, rng, _| drive(u, rng),
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// FLOAT-021, FLOAT-034: a whole number in each mode, by its value in eighths.
    #[test]
    fn whole_numbers_are_rounded_by_the_mode() {
        let clock: weft_rtl::ClockFn<Round> = |u, level| u.clock.next = level.into();
        let mut b = Bench::new(Round::default(), clock);
        let mut rng = Rng::new(1, "round");
        for _ in 0..2000 {
            let number = rng.below(1 << 30) as i64;
            let (guard, below, negative) = (rng.flip(), rng.flip(), rng.flip());
            let mode = rng.below(5);
            let u = &mut b.uut;
            u.mantissa.next = (number as u64).into();
            u.guard.next = guard;
            u.below.next = below;
            u.exponent.next = 1.into();
            u.sign.next = negative;
            u.whole.next = true;
            u.mode.next = mode.into();
            b.edge();
            b.settle();
            let parts = 4 * i64::from(guard) + i64::from(below);
            let value = (8 * number + parts) * if negative { -1 } else { 1 };
            let (down, up) = (value.div_euclid(8), -(-value).div_euclid(8));
            let rest = value.rem_euclid(8);
            let due = match mode {
                1 => value / 8,
                2 => down,
                3 => up,
                _ if rest != 4 => (value + 4).div_euclid(8),
                4 if negative => down,
                4 => up,
                _ => down + (down & 1),
            };
            let found = b.uut.result.val().to_u64() as u32 as i32;
            assert_eq!(i64::from(found), due, "{value} eighths, mode {mode}");
        }
    }
}
