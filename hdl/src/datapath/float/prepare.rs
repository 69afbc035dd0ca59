//! Ranks 1 and 2 of a lane: what the operands are, where the addend stands, results that need no arithmetic.
//!
//! Spec: `docs/spec/float.md`, FLOAT-030 to 032.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `code`, `rounding` | in | 5, 3 | FLOAT-020, FLOAT-021 |
//! | `a`, `b`, `c` | in | 32 | operands; `c` counts for fused operations only |
//! | `mantissa_a`, `exponent_a`, `mantissa_b`, `exponent_b` | out | 24, 8 | of the factors, in the same cycle |
//! | `quotient`, `rest`, `quotient_exponent` | in | 26, 1, 11 | of the iteration, a cycle later than its operands |
//! | `field` | out | 32 | addend, or what stands for it |
//! | `shift` | out | 7 | by so many bits it is moved right below bit 76 of the window, 0 to 78 |
//! | `exponent` | out | 11 | biased exponent of bit 76 of the window, never below 0 |
//! | `alone`, `sticks` | out | 1 | the product is below the window, and more than nothing |
//! | `subtracts` | out | 1 | product and addend have other signs |
//! | `sign`, `field_sign` | out | 1 | of the product, or of what there is instead; of the addend |
//! | `whole` | out | 1 | the result is an integer: bits 76 to 45 of the window |
//! | `mode` | out | 3 | `rounding` |
//!
//! # Cycle behaviour
//! Every cycle takes operands; outputs from `field` on are of those of two cycles before.
//! Rank 1: sums of exponents, signs, what is no number. Rank 2: the field and its shift.
//!
//! | codes | product | addend | window |
//! |---|---|---|---|
//! | fused, sums, products | a · b; sums: a · 1 | c; sums: b; products: zero of the product's sign | as the exponents say |
//! | to an integer | none | a | moved until its bit 76 is worth 2^31; a whole number |
//! | from an integer | none | its size | bit 76 is worth 2^31 |
//! | division, square root | none | result of the iteration | bit 76 is its highest bit; where its exponent would be below 0, it is moved until that is 0 |
//! | exact ones; all that is no number, infinite, zero or too large for an integer | none | the result itself | a whole number, not moved |
//!
//! # Errors
//! None.

use super::exact::Exact;
use super::unpack::Unpack;
use crate::hdl::*;

#[module]
pub struct Prepare {
    pub clock: Signal<In, Clock>,
    pub code: Signal<In, Bits<5>>,
    pub rounding: Signal<In, Bits<3>>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub c: Signal<In, Bits<32>>,
    pub mantissa_a: Signal<Out, Bits<24>>,
    pub exponent_a: Signal<Out, Bits<8>>,
    pub mantissa_b: Signal<Out, Bits<24>>,
    pub exponent_b: Signal<Out, Bits<8>>,
    pub quotient: Signal<In, Bits<26>>,
    pub rest: Signal<In, Bit>,
    pub quotient_exponent: Signal<In, Bits<11>>,
    pub field: Signal<Out, Bits<32>>,
    pub shift: Signal<Out, Bits<7>>,
    pub exponent: Signal<Out, Bits<11>>,
    pub alone: Signal<Out, Bit>,
    pub sticks: Signal<Out, Bit>,
    pub subtracts: Signal<Out, Bit>,
    pub sign: Signal<Out, Bit>,
    pub field_sign: Signal<Out, Bit>,
    pub whole: Signal<Out, Bit>,
    pub mode: Signal<Out, Bits<3>>,
    // Cells.
    of_a: Unpack,
    of_b: Unpack,
    of_c: Unpack,
    exact: Exact,
    // Rank 1: kinds of codes; signs; exponents; operands.
    #[always]
    fused1: DFF<Bit>,
    #[always]
    signed1: DFF<Bit>,
    #[always]
    unsigned1: DFF<Bit>,
    #[always]
    from_word1: DFF<Bit>,
    #[always]
    iterates1: DFF<Bit>,
    #[always]
    mode1: DFF<Bits<3>>,
    #[always]
    sign1: DFF<Bit>,
    #[always]
    field_sign1: DFF<Bit>,
    #[always]
    a_nan1: DFF<Bit>,
    #[always]
    no_product1: DFF<Bit>,
    #[always]
    higher1: DFF<Bits<11>>,
    #[always]
    distance1: DFF<Bits<11>>,
    #[always]
    exponent1: DFF<Bits<8>>,
    #[always]
    mantissa1: DFF<Bits<24>>,
    #[always]
    word1: DFF<Bits<32>>,
    // Rank 1: the result is no number (`quiet`), infinite (`high`) or zero.
    #[always]
    special1: DFF<Bit>,
    #[always]
    negative1: DFF<Bit>,
    #[always]
    high1: DFF<Bit>,
    #[always]
    quiet1: DFF<Bit>,
    // Rank 2.
    #[always]
    field2: DFF<Bits<32>>,
    #[always]
    shift2: DFF<Bits<7>>,
    #[always]
    exponent2: DFF<Bits<11>>,
    #[always]
    alone2: DFF<Bit>,
    #[always]
    sticks2: DFF<Bit>,
    #[always]
    subtracts2: DFF<Bit>,
    #[always]
    sign2: DFF<Bit>,
    #[always]
    field_sign2: DFF<Bit>,
    #[always]
    whole2: DFF<Bit>,
    #[always]
    mode2: DFF<Bits<3>>,
    // Combinational, rank 1.
    fused: Signal<Local, Bit>,
    sums: Signal<Local, Bit>,
    to_word: Signal<Local, Bit>,
    negates: Signal<Local, Bit>,
    turns: Signal<Local, Bit>,
    factor: Signal<Local, Bits<32>>,
    addend: Signal<Local, Bits<32>>,
    a_negative: Signal<Local, Bit>,
    product_sign: Signal<Local, Bit>,
    addend_sign: Signal<Local, Bit>,
    no_product: Signal<Local, Bit>,
    sum: Signal<Local, Bits<11>>,
    higher: Signal<Local, Bits<11>>,
    any_nan: Signal<Local, Bit>,
    no_number: Signal<Local, Bit>,
    infinite: Signal<Local, Bit>,
    zero: Signal<Local, Bit>,
    special_sign: Signal<Local, Bit>,
    // Combinational, rank 2.
    under: Signal<Local, Bit>,
    tiny: Signal<Local, Bit>,
    distance: Signal<Local, Bits<11>>,
    far: Signal<Local, Bit>,
    near: Signal<Local, Bits<7>>,
    is_word: Signal<Local, Bit>,
    high_word: Signal<Local, Bit>,
    too_large: Signal<Local, Bit>,
    special: Signal<Local, Bit>,
    computes: Signal<Local, Bit>,
    lonely: Signal<Local, Bit>,
    top: Signal<Local, Bit>,
    middle: Signal<Local, Bit>,
    half: Signal<Local, Bit>,
    low: Signal<Local, Bit>,
    answer: Signal<Local, Bits<32>>,
    #[value(0x3f80_0000.into())]
    one: Constant<Bits<32>>,
    #[value(0.into())]
    nothing: Constant<Bits<32>>,
    #[value(0.into())]
    none: Constant<Bits<11>>,
    #[value(99.into())]
    product_bias: Constant<Bits<11>>,
    #[value(158.into())]
    of_word: Constant<Bits<11>>,
    #[value(1.into())]
    of_whole: Constant<Bits<11>>,
    #[value(78.into())]
    farthest: Constant<Bits<7>>,
    #[value(0x7f80_0000.into())]
    exponent_bits: Constant<Bits<32>>,
    #[value(0x40_0000.into())]
    quiet_bit: Constant<Bits<32>>,
    #[value(0x3f_ffff.into())]
    low_bits: Constant<Bits<32>>,
    #[value(0x8000_0000u64.into())]
    sign_bit: Constant<Bits<32>>,
}

#[part(Prepare)]
fn update(&mut self) {
    // ---- Operands.
    self.fused.next = self.code.val() < 7;
    self.sums.next = (self.code.val() == 4) | (self.code.val() == 5);
    self.to_word.next = (self.code.val() == 9) | (self.code.val() == 10);
    self.factor.next = self.b.val();
    self.addend.next = self.c.val();
    if self.sums.val() {
        self.factor.next = self.one.val();
        self.addend.next = self.b.val();
    }
    if self.code.val() == 6 {
        self.addend.next = self.nothing.val();
    }
    if self.to_word.val() {
        self.addend.next = self.a.val();
    }
    self.of_a.word.next = self.a.val();
    self.of_b.word.next = self.factor.val();
    self.of_c.word.next = self.addend.val();
    self.mantissa_a.next = self.of_a.mantissa.val();
    self.exponent_a.next = self.of_a.exponent.val();
    self.mantissa_b.next = self.of_b.mantissa.val();
    self.exponent_b.next = self.of_b.exponent.val();
    carry!(self.exact <- self: code, a, b);
    carry!(self.exact.a_* <- self.of_a: nan, infinite, zero);
    carry!(self.exact.b_* <- self.of_b: nan, zero);

    // ---- Signs.
    self.a_negative.next = self.a.val().get_bit(31);
    self.negates.next = (self.code.val() == 2) | (self.code.val() == 3);
    self.turns.next = (self.code.val() == 1) | (self.code.val() == 3) | (self.code.val() == 5);
    self.product_sign.next =
        self.a_negative.val() ^ self.factor.val().get_bit(31) ^ self.negates.val();
    self.addend_sign.next = self.addend.val().get_bit(31) ^ self.turns.val();
    if self.code.val() == 6 {
        self.addend_sign.next = self.product_sign.val();
    }
    self.sign1.d.next = false;
    if self.fused.val() | (self.code.val() == 7) {
        self.sign1.d.next = self.product_sign.val();
    }
    if self.to_word.val() | (self.code.val() == 11) {
        self.sign1.d.next = self.a_negative.val();
    }
    self.field_sign1.d.next = self.addend_sign.val();

    // ---- Exponents: the addend's highest place is 27 above that of the product.
    self.sum.next =
        bit_cast::<11, 8>(self.of_a.exponent.val()) + bit_cast::<11, 8>(self.of_b.exponent.val());
    self.higher.next = self.sum.val() - self.product_bias.val();
    if self.to_word.val() {
        self.higher.next = self.of_word.val();
    }
    self.higher1.d.next = self.higher.val();
    self.distance1.d.next = self.higher.val() - bit_cast::<11, 8>(self.of_c.exponent.val());
    self.exponent1.d.next = self.of_c.exponent.val();
    self.mantissa1.d.next = self.of_c.mantissa.val();
    self.word1.d.next = self.exact.word.val();
    self.no_product.next = self.of_a.zero.val() | self.of_b.zero.val();
    self.no_product1.d.next = self.no_product.val();
    self.a_nan1.d.next = self.of_a.nan.val();
    self.fused1.d.next = self.fused.val();
    self.signed1.d.next = self.code.val() == 9;
    self.unsigned1.d.next = self.code.val() == 10;
    self.from_word1.d.next = (self.code.val() == 11) | (self.code.val() == 12);
    self.iterates1.d.next = (self.code.val() == 7) | (self.code.val() == 8);
    self.mode1.d.next = self.rounding.val();

    // ---- What is no number, infinite, zero without arithmetic.
    self.any_nan.next = self.of_a.nan.val() | self.of_b.nan.val();
    self.no_number.next = self.any_nan.val()
        | self.of_c.nan.val()
        | (self.of_a.infinite.val() & self.of_b.zero.val())
        | (self.of_b.infinite.val() & self.of_a.zero.val())
        | ((self.of_a.infinite.val() | self.of_b.infinite.val())
            & self.of_c.infinite.val()
            & (self.product_sign.val() ^ self.addend_sign.val()));
    self.infinite.next =
        self.of_a.infinite.val() | self.of_b.infinite.val() | self.of_c.infinite.val();
    self.zero.next = self.no_product.val() & self.of_c.zero.val();
    self.special_sign.next = self.product_sign.val();
    if self.of_c.infinite.val() {
        self.special_sign.next = self.addend_sign.val();
    }
    if self.zero.val() & (self.product_sign.val() ^ self.addend_sign.val()) {
        self.special_sign.next = self.rounding.val() == 2;
    }
    if self.code.val() == 7 {
        self.no_number.next = self.any_nan.val()
            | (self.of_a.infinite.val() & self.of_b.infinite.val())
            | (self.of_a.zero.val() & self.of_b.zero.val());
        self.infinite.next = self.of_a.infinite.val() | self.of_b.zero.val();
        self.zero.next = self.of_a.zero.val() | self.of_b.infinite.val();
        self.special_sign.next = self.product_sign.val();
    }
    if self.code.val() == 8 {
        self.no_number.next = self.of_a.nan.val() | (self.a_negative.val() & !self.of_a.zero.val());
        carry!(self <- self.of_a: infinite, zero);
        self.special_sign.next = self.a_negative.val();
    }
    self.special1.d.next =
        (self.code.val() < 9) & (self.no_number.val() | self.infinite.val() | self.zero.val());
    self.negative1.d.next = self.special_sign.val() & !self.no_number.val();
    self.high1.d.next = self.no_number.val() | self.infinite.val();
    self.quiet1.d.next = self.no_number.val();

    // ---- Rank 2: where the addend stands.
    self.under.next = self.distance1.q.val().get_bit(10);
    self.tiny.next = self.quotient_exponent.val().get_bit(10);
    self.distance.next = self.distance1.q.val();
    if self.iterates1.q.val() {
        self.distance.next = self.none.val() - self.quotient_exponent.val();
    }
    self.near.next = self.distance.val().get_bits::<7>(0);
    self.far.next =
        self.distance.val().get_bits::<3>(7).any() | (self.near.val() > self.farthest.val());
    self.is_word.next = self.signed1.q.val() | self.unsigned1.q.val();
    // Too large for an integer: 2^31 or 2^32 and above (−2^31 is what comes of it anyway); below 0 for an unsigned one.
    self.too_large.next = (self.signed1.q.val()
        & (self.under.val() | !self.distance1.q.val().any()))
        | (self.unsigned1.q.val() & (self.under.val() | self.sign1.q.val()));
    self.special.next = self.special1.q.val() | self.too_large.val();
    self.computes.next = self.fused1.q.val() & !self.special.val();
    self.lonely.next = !self.computes.val() | self.under.val() | self.no_product1.q.val();
    self.alone2.d.next = self.lonely.val();
    self.sticks2.d.next = self.computes.val() & !self.no_product1.q.val();
    self.shift2.d.next = 0.into();
    if (self.computes.val() & !self.lonely.val())
        | (self.is_word.val() & !self.special.val())
        | (self.iterates1.q.val() & self.tiny.val() & !self.special.val())
    {
        self.shift2.d.next = self.near.val();
        if self.far.val() {
            self.shift2.d.next = self.farthest.val();
        }
    }
    self.exponent2.d.next = self.of_whole.val();
    if self.computes.val() {
        self.exponent2.d.next = self.higher1.q.val();
        if self.lonely.val() {
            self.exponent2.d.next = bit_cast::<11, 8>(self.exponent1.q.val());
        }
    }
    if self.from_word1.q.val() {
        self.exponent2.d.next = self.of_word.val();
    }
    if self.iterates1.q.val() & !self.special.val() {
        self.exponent2.d.next = self.quotient_exponent.val();
        if self.tiny.val() {
            self.exponent2.d.next = self.none.val();
        }
    }
    self.whole2.d.next = self.special.val()
        | !(self.fused1.q.val() | self.from_word1.q.val() | self.iterates1.q.val());
    self.subtracts2.d.next = self.computes.val() & (self.sign1.q.val() ^ self.field_sign1.q.val());
    self.sign2.d.next = self.sign1.q.val() & !self.special.val();
    self.field_sign2.d.next = self.field_sign1.q.val();
    self.mode2.d.next = self.mode1.q.val();

    // ---- The field. Integers that are too large: the largest one, or the least one for those below 0.
    self.high_word.next = !self.sign1.q.val() | self.a_nan1.q.val();
    carry!(self <- self.*.q: top = negative1, middle = high1, half = quiet1);
    self.low.next = false;
    if self.is_word.val() {
        self.top.next = self.high_word.val() ^ self.signed1.q.val();
        spread!(self <- self.high_word: middle, half, low);
    }
    self.answer.next = self.nothing.val();
    if self.top.val() {
        self.answer.next = self.answer.val() | self.sign_bit.val();
    }
    if self.middle.val() {
        self.answer.next = self.answer.val() | self.exponent_bits.val();
    }
    if self.half.val() {
        self.answer.next = self.answer.val() | self.quiet_bit.val();
    }
    if self.low.val() {
        self.answer.next = self.answer.val() | self.low_bits.val();
    }
    self.field2.d.next = self.word1.q.val();
    if self.fused1.q.val() | self.is_word.val() {
        self.field2.d.next = bit_cast::<32, 24>(self.mantissa1.q.val()) << 8;
    }
    if self.iterates1.q.val() {
        self.field2.d.next = (bit_cast::<32, 26>(self.quotient.val()) << 6)
            | bit_cast::<32, 1>(self.rest.val().into());
    }
    if self.special.val() {
        self.field2.d.next = self.answer.val();
    }
    carry!(self <- self.*.q: field = field2, shift = shift2, exponent = exponent2, alone = alone2);
    carry!(self <- self.*.q: sticks = sticks2, subtracts = subtracts2, sign = sign2);
    carry!(self <- self.*.q: field_sign = field_sign2, whole = whole2, mode = mode2);
}

#[cfg(test)]
mod tests {
    use super::super::{drive_code, operand};
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_prepare",
            Prepare::default,
            3000,
            |u, rng, _| {
                u.code.next = drive_code(rng).into();
                u.rounding.next = rng.bits();
                u.a.next = operand(rng).into();
                u.b.next = operand(rng).into();
                u.c.next = operand(rng).into();
                u.quotient.next = rng.bits();
                u.rest.next = rng.flip();
                u.quotient_exponent.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
