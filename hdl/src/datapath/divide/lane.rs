//! Division of one lane: two bits of the quotient per cycle, and the answer with its sign.
//!
//! Spec: `docs/spec/datapath.md`, DATA-032.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `a`, `b`, `is_signed` | in | 32, 32, 1 | dividend and divisor of the next division, and whether they are signed |
//! | `size` | out | 3 | that dividend does not fit into one, two, three bytes |
//! | `load`, `bytes` | in | 1, 2 | that division begins, with so many bytes of the dividend but one |
//! | `step` | in | 1 | two bits; four times for each of the bytes |
//! | `finish`, `remainder_wanted` | in | 1, 1 | the answer is put away: the remainder, or the quotient |
//! | `result` | out | 32 | that answer, until the next one |
//!
//! # Cycle behaviour
//! `load`, `step` in each cycle from the next one on, `finish` after the last step.
//! The next `load` may come with `finish`.
//!
//! The divisor is never negated: if it is negative it is added rather than taken away.
//! By zero everything fits: the remainder is the dividend, and the quotient all ones, as ones stand below the dividend.
//!
//! # Errors
//! None. Of a dividend that does not fit into `bytes` the answer means nothing.

use crate::hdl::*;

#[module]
pub struct DivideLane {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub is_signed: Signal<In, Bit>,
    pub size: Signal<Out, Bits<3>>,
    pub load: Signal<In, Bit>,
    pub bytes: Signal<In, Bits<2>>,
    pub step: Signal<In, Bit>,
    pub finish: Signal<In, Bit>,
    pub remainder_wanted: Signal<In, Bit>,
    pub result: Signal<Out, Bits<32>>,
    // What is left; bits to come above, quotient below; what is added, and 1 for a divisor to be taken
    // away; signs of quotient and remainder; the answer.
    remainder: DFF<Bits<32>>,
    quotient: DFF<Bits<32>>,
    lessens: DFF<Bits<32>>,
    one_more: DFF<Bit>,
    quotient_sign: DFF<Bit>,
    remainder_sign: DFF<Bit>,
    answer: DFF<Bits<32>>,
    // Combinational.
    a_negative: Signal<Local, Bit>,
    b_negative: Signal<Local, Bit>,
    by_zero: Signal<Local, Bit>,
    turned: Signal<Local, Bits<32>>,
    absolute: Signal<Local, Bits<32>>,
    sign_below: Signal<Local, Bits<3>>,
    below: Signal<Local, Bits<32>>,
    right: Signal<Local, Bits<34>>,
    rest: [Signal<Local, Bits<32>>; 3],
    now: Signal<Local, Bits<32>>,
    next_bit: Signal<Local, Bit>,
    shifted: Signal<Local, Bits<33>>,
    left: Signal<Local, Bits<34>>,
    sum: Signal<Local, Bits<34>>,
    fits: [Signal<Local, Bit>; 2],
    negates: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<32>>,
    turned_back: Signal<Local, Bits<32>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(0xff_ffff.into())]
    three_bytes: Constant<Bits<32>>,
    #[value(0xffff.into())]
    two_bytes: Constant<Bits<32>>,
    #[value(0xff.into())]
    one_byte: Constant<Bits<32>>,
    #[value(0xffff_ffff_u64.into())]
    ones: Constant<Bits<32>>,
    #[value((1 << 33).into())]
    top_bit: Constant<Bits<34>>,
}

#[part(DivideLane)]
fn update(&mut self) {
    // ---- Signs and size. A negative dividend needs room for its sign, so its size does not wait for the sum.
    self.a_negative.next = self.is_signed.val() & self.a.val().get_bit(31);
    self.b_negative.next = self.is_signed.val() & self.b.val().get_bit(31);
    self.by_zero.next = !self.b.val().any();
    self.below.next = self.zero.val();
    if self.by_zero.val() {
        self.below.next = self.ones.val();
    }
    self.turned.next = self.a.val();
    if self.a_negative.val() {
        self.turned.next = !self.a.val();
    }
    self.absolute.next = self.turned.val() + bit_cast::<32, 1>(self.a_negative.val().into());
    self.sign_below.next = 0.into();
    if self.a_negative.val() {
        self.sign_below.next = bit_cast::<3, 1>(self.turned.val().get_bits::<1>(7))
            | (bit_cast::<3, 1>(self.turned.val().get_bits::<1>(15)) << 1)
            | (bit_cast::<3, 1>(self.turned.val().get_bits::<1>(23)) << 2);
    }
    self.size.next = self.sign_below.val()
        | bit_cast::<3, 1>(self.turned.val().get_bits::<24>(8).any().into())
        | (bit_cast::<3, 1>(self.turned.val().get_bits::<16>(16).any().into()) << 1)
        | (bit_cast::<3, 1>(self.turned.val().get_bits::<8>(24).any().into()) << 2);

    // (With a one below on either side, what is added for a divisor to be taken away is a carry.)
    self.right.next = self.top_bit.val()
        | (bit_cast::<34, 32>(self.lessens.q.val()) << 1)
        | bit_cast::<34, 1>(self.one_more.q.val().into());

    // ---- Two bits, one behind the other: does the divisor fit into what is left?
    self.rest[0].next = self.remainder.q.val();
    for i in 0..2 {
        self.now.next = self.rest[i].val();
        self.next_bit.next = self.quotient.q.val().get_bit(31 - i);
        self.shifted.next = (bit_cast::<33, 32>(self.now.val()) << 1)
            | bit_cast::<33, 1>(self.next_bit.val().into());
        self.left.next = (bit_cast::<34, 33>(self.shifted.val()) << 1) | 1;
        self.sum.next = self.left.val() + self.right.val();
        self.fits[i].next = !self.sum.val().get_bit(33);
        self.rest[i + 1].next = self.shifted.val().get_bits::<32>(0);
        if !self.sum.val().get_bit(33) {
            self.rest[i + 1].next = self.sum.val().get_bits::<32>(1);
        }
    }
    if self.step.val() {
        self.remainder.d.next = self.rest[2].val();
        self.quotient.d.next = (self.quotient.q.val() << 2)
            | (bit_cast::<32, 1>(self.fits[0].val().into()) << 1)
            | bit_cast::<32, 1>(self.fits[1].val().into());
    }

    // ---- The answer.
    carry!(self <- self.*.q: chosen = quotient, negates = quotient_sign);
    if self.remainder_wanted.val() {
        carry!(self <- self.*.q: chosen = remainder, negates = remainder_sign);
    }
    self.turned_back.next = self.chosen.val();
    if self.negates.val() {
        self.turned_back.next = !self.chosen.val();
    }
    if self.finish.val() {
        self.answer.d.next = self.turned_back.val() + bit_cast::<32, 1>(self.negates.val().into());
    }
    carry!(self <- self.*.q: result = answer);

    // ---- The next one begins.
    if self.load.val() {
        carry!(self.*.d <- self: remainder = zero, quotient = absolute, remainder_sign = a_negative);
        if self.bytes.val() == 2 {
            self.quotient.d.next =
                (self.absolute.val() << 8) | (self.below.val() & self.one_byte.val());
        }
        if self.bytes.val() == 1 {
            self.quotient.d.next =
                (self.absolute.val() << 16) | (self.below.val() & self.two_bytes.val());
        }
        if self.bytes.val() == 0 {
            self.quotient.d.next =
                (self.absolute.val() << 24) | (self.below.val() & self.three_bytes.val());
        }
        self.lessens.d.next = !self.b.val();
        if self.b_negative.val() {
            self.lessens.d.next = self.b.val();
        }
        self.one_more.d.next = !self.b_negative.val();
        self.quotient_sign.d.next =
            (self.a_negative.val() ^ self.b_negative.val()) & !self.by_zero.val();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::operand;
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "divide_lane",
            DivideLane::default,
            3000,
            |u, rng, t| {
                u.a.next = u64::from(operand(rng)).into();
                u.b.next = u64::from(operand(rng)).into();
                u.is_signed.next = rng.flip();
                u.load.next = t % 11 == 0;
                u.bytes.next = rng.bits();
                u.step.next = t % 11 > 0 && t % 11 < 9;
                u.finish.next = t % 11 == 9;
                u.remainder_wanted.next = rng.flip();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
