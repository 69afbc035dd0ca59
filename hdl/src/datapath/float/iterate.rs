//! Division and square root of one lane, a bit per cycle, without rounding.
//!
//! Spec: `docs/spec/float.md`, FLOAT-040 to 042.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `root` | in | 1 | square root of the first operand, rather than the quotient of both |
//! | `load` | in | 1 | operands are taken |
//! | `mantissa_a`, `exponent_a`, `mantissa_b`, `exponent_b` | in | 24, 8 | operands |
//! | `settle` | in | 1 | what is not `settled` is shifted by one bit |
//! | `settled` | out | 1 | the iteration may begin |
//! | `step`, `place` | in | 1, 26 | it is decided whether this bit of the result is set: the highest first, then each one below |
//! | `result`, `rest` | out | 26, 1 | the result, 1 in its highest bit, and whether something is left below its lowest |
//! | `exponent` | out | 11 | biased exponent of that highest bit, two's complement |
//!
//! # Cycle behaviour
//! `load`, `settle` until `settled`, 26 times `step`; then the outputs hold until the next `load`.
//! Both operations are one recurrence: the remainder doubles, and is lessened by the divisor or, for a root, by twice
//! the result so far and the bit at hand, if it does not fall below 0.
//! Numbers have 25 bits behind the point: the remainder begins as half the mantissa.
//! For a root the exponent is made odd, by a remainder of twice the size where it is even.
//!
//! # Errors
//! None. Operands of which the iteration makes no number (zero, infinite, none, negative roots) do not harm.

use crate::hdl::*;

#[module]
pub struct Iterate {
    pub clock: Signal<In, Clock>,
    pub root: Signal<In, Bit>,
    pub load: Signal<In, Bit>,
    pub mantissa_a: Signal<In, Bits<24>>,
    pub exponent_a: Signal<In, Bits<8>>,
    pub mantissa_b: Signal<In, Bits<24>>,
    pub exponent_b: Signal<In, Bits<8>>,
    pub settle: Signal<In, Bit>,
    pub settled: Signal<Out, Bit>,
    pub step: Signal<In, Bit>,
    pub place: Signal<In, Bits<26>>,
    pub result: Signal<Out, Bits<26>>,
    pub rest: Signal<Out, Bit>,
    pub exponent: Signal<Out, Bits<11>>,
    // State: what is left, two bits before the point; the divisor; the result so far; the exponent of the quotient, or
    // of the operand of the root.
    remainder: DFF<Bits<27>>,
    divisor: DFF<Bits<24>>,
    so_far: DFF<Bits<26>>,
    power: DFF<Bits<11>>,
    // Combinational.
    a_settled: Signal<Local, Bit>,
    b_settled: Signal<Local, Bit>,
    quotient_power: Signal<Local, Bits<11>>,
    twice: Signal<Local, Bits<29>>,
    lessened: Signal<Local, Bits<28>>,
    left: Signal<Local, Bits<29>>,
    fits: Signal<Local, Bit>,
    biased: Signal<Local, Bits<11>>,
    #[value(0.into())]
    nothing: Constant<Bits<26>>,
    #[value(0x80_0000.into())]
    one: Constant<Bits<24>>,
    #[value(127.into())]
    bias: Constant<Bits<11>>,
    #[value(1.into())]
    one_power: Constant<Bits<11>>,
}

#[part(Iterate)]
fn update(&mut self) {
    // ---- Highest bits in their places; zeros have none.
    self.a_settled.next = self.remainder.q.val().get_bit(24) | !self.remainder.q.val().any();
    if self.root.val() {
        self.a_settled.next = self.remainder.q.val().get_bit(25)
            | (self.remainder.q.val().get_bit(24) & self.power.q.val().get_bit(0))
            | !self.remainder.q.val().any();
    }
    self.b_settled.next = self.divisor.q.val().get_bit(23) | !self.divisor.q.val().any();
    self.settled.next = self.a_settled.val() & self.b_settled.val();

    // ---- One bit.
    self.lessened.next = bit_cast::<28, 24>(self.divisor.q.val()) << 2;
    if self.root.val() {
        self.lessened.next =
            (bit_cast::<28, 26>(self.so_far.q.val()) << 1) | bit_cast::<28, 26>(self.place.val());
    }
    self.twice.next = bit_cast::<29, 27>(self.remainder.q.val()) << 1;
    self.left.next = self.twice.val() - bit_cast::<29, 28>(self.lessened.val());
    self.fits.next = !self.left.val().get_bit(28);

    // ---- State.
    self.quotient_power.next = bit_cast::<11, 8>(self.exponent_a.val()) + self.bias.val()
        - bit_cast::<11, 8>(self.exponent_b.val());
    if self.load.val() {
        self.remainder.d.next = bit_cast::<27, 24>(self.mantissa_a.val()) << 1;
        self.divisor.d.next = self.mantissa_b.val();
        self.power.d.next = self.quotient_power.val();
        if self.root.val() {
            self.divisor.d.next = self.one.val();
            self.power.d.next = bit_cast::<11, 8>(self.exponent_a.val());
        }
        self.so_far.d.next = self.nothing.val();
    }
    if self.settle.val() {
        if !self.a_settled.val() {
            self.remainder.d.next = self.remainder.q.val() << 1;
            if self.b_settled.val() {
                self.power.d.next = self.power.q.val() - self.one_power.val();
            }
        }
        if !self.b_settled.val() {
            self.divisor.d.next = self.divisor.q.val() << 1;
            if self.a_settled.val() {
                self.power.d.next = self.power.q.val() + self.one_power.val();
            }
        }
    }
    if self.step.val() {
        self.remainder.d.next = self.twice.val().get_bits::<27>(0);
        if self.fits.val() {
            self.remainder.d.next = self.left.val().get_bits::<27>(0);
            self.so_far.d.next = self.so_far.q.val() | self.place.val();
        }
    }

    // ---- Result.
    self.result.next = self.so_far.q.val();
    self.rest.next = self.remainder.q.val().any();
    self.biased.next = self.power.q.val() + self.bias.val();
    self.exponent.next = self.power.q.val();
    if self.root.val() {
        self.exponent.next = self.biased.val() >> 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    #[test]
    fn verilog_agrees() {
        let mut mantissas = [0; 2];
        weft_rtl::check_module(
            "weft_float_iterate",
            Iterate::default,
            3000,
            |u, rng, t| {
                let at = t % 40;
                if at == 0 {
                    mantissas = std::array::from_fn(|_| rng.below(1 << 24) >> rng.below(25));
                    u.root.next = rng.flip();
                    u.exponent_a.next = (1 + rng.below(254)).into();
                    u.exponent_b.next = (1 + rng.below(254)).into();
                }
                u.mantissa_a.next = mantissas[0].into();
                u.mantissa_b.next = mantissas[1].into();
                u.load.next = at == 0;
                u.settle.next = (1..12).contains(&at);
                u.step.next = (12..38).contains(&at);
                u.place.next = if (12..38).contains(&at) {
                    1 << (37 - at)
                } else {
                    0u64
                }
                .into();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// FLOAT-041, by the definition: what is left is below one unit of the last place, and tells whether it is 0.
    #[test]
    fn results_are_quotients_and_roots() {
        let clock: weft_rtl::ClockFn<Iterate> = |u, level| u.clock.next = level.into();
        let mut b = Bench::new(Iterate::default(), clock);
        let mut rng = Rng::new(1, "iterate");
        let mut exact = 0;
        for n in 0..200 {
            let root = n % 2 == 0;
            let mut mantissa = || match rng.below(3) {
                0 => 1 + rng.below(3),
                1 => 1 + rng.below(1 << 23),
                _ => 1 << 23 | rng.below(1 << 23),
            };
            let (ma, mb) = (mantissa(), mantissa());
            let mut exponent = |m: u64| if m >> 23 == 0 { 1 } else { 1 + rng.below(254) };
            let (ea, eb) = (exponent(ma), exponent(mb));
            let u = &mut b.uut;
            u.root.next = root;
            u.mantissa_a.next = ma.into();
            u.mantissa_b.next = mb.into();
            u.exponent_a.next = ea.into();
            u.exponent_b.next = eb.into();
            u.load.next = true;
            b.edge();
            b.uut.load.next = false;
            b.uut.settle.next = true;
            for _ in 0..25 {
                b.edge();
            }
            assert!(b.uut.settled.val());
            b.uut.settle.next = false;
            b.uut.step.next = true;
            for bit in (0..26).rev() {
                b.uut.place.next = (1u64 << bit).into();
                b.edge();
            }
            b.uut.step.next = false;
            b.settle();
            let exponent = b.uut.exponent.val().to_u64() as i32;
            let power = (exponent << 21 >> 21) - 127 - 25;
            let result = u128::from(b.uut.result.val().to_u64());
            assert!(result >> 24 != 0, "{ma:#x} {mb:#x}");
            let (ma, mb) = (u128::from(ma), u128::from(mb));
            // Both sides of `result · 2^power ≤ exact`, as integers.
            let (low, high, whole) = if root {
                let shift = ea as i32 - 150 - 2 * power;
                assert!((0..100).contains(&shift));
                (result * result, (result + 1) * (result + 1), ma << shift)
            } else {
                let shift = ea as i32 - eb as i32 - power;
                assert!((0..100).contains(&shift));
                (result * mb, (result + 1) * mb, ma << shift)
            };
            assert!(low <= whole && whole < high, "{root} {ma:#x} {mb:#x}");
            assert_eq!(b.uut.rest.val(), low != whole);
            exact += u32::from(low == whole);
        }
        assert!(exact > 3, "{exact}");
    }
}
