//! Operations that do not round: sign, minimum, maximum, comparisons, class; and the size of an integer.
//!
//! Spec: `docs/spec/float.md`, FLOAT-022.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `code` | in | 5 | 11 and 12: size of an integer, signed or not; 13 to 21 as FLOAT-020 has them |
//! | `a`, `b` | in | 32 | operands |
//! | `a_nan`, `a_infinite`, `a_zero`, `b_nan`, `b_zero` | in | 1 | what they are |
//! | `word` | out | 32 | the result |
//!
//! # Cycle behaviour
//! Combinational: one comparison of 31 bits, then what the code takes of it.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Exact {
    pub code: Signal<In, Bits<5>>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub a_nan: Signal<In, Bit>,
    pub a_infinite: Signal<In, Bit>,
    pub a_zero: Signal<In, Bit>,
    pub b_nan: Signal<In, Bit>,
    pub b_zero: Signal<In, Bit>,
    pub word: Signal<Out, Bits<32>>,
    // Combinational: signs; sizes compared; both as numbers, −0 below +0; what holds of them.
    a_negative: Signal<Local, Bit>,
    b_negative: Signal<Local, Bit>,
    gap: Signal<Local, Bits<32>>,
    smaller: Signal<Local, Bit>,
    equal: Signal<Local, Bit>,
    differ: Signal<Local, Bit>,
    below: Signal<Local, Bit>,
    zeros: Signal<Local, Bit>,
    ordered: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    lower: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    sign: Signal<Local, Bit>,
    takes_a: Signal<Local, Bit>,
    tiny: Signal<Local, Bit>,
    normal: Signal<Local, Bit>,
    ordinary: Signal<Local, Bit>,
    signaling: Signal<Local, Bit>,
    quiet: Signal<Local, Bit>,
    group: Signal<Local, Bits<32>>,
    lowest: Signal<Local, Bits<4>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(1.into())]
    one: Constant<Bits<32>>,
    #[value(0x7fc0_0000u64.into())]
    canonical: Constant<Bits<32>>,
}

#[part(Exact)]
fn update(&mut self) {
    // ---- Comparison.
    self.a_negative.next = self.a.val().get_bit(31);
    self.b_negative.next = self.b.val().get_bit(31);
    self.gap.next = bit_cast::<32, 31>(self.a.val().get_bits::<31>(0))
        - bit_cast::<32, 31>(self.b.val().get_bits::<31>(0));
    self.smaller.next = self.gap.val().get_bit(31);
    self.equal.next = !self.gap.val().any();
    self.differ.next = self.a_negative.val() ^ self.b_negative.val();
    self.below.next = self.smaller.val();
    if self.a_negative.val() {
        self.below.next = self.differ.val() | (!self.smaller.val() & !self.equal.val());
    } else if self.differ.val() {
        self.below.next = false;
    }
    self.zeros.next = self.a_zero.val() & self.b_zero.val();
    self.ordered.next = !self.a_nan.val() & !self.b_nan.val();
    self.same.next = self.zeros.val() | (self.equal.val() & !self.differ.val());
    self.lower.next = self.below.val() & !self.zeros.val();
    self.holds.next = self.ordered.val() & (self.lower.val() | self.same.val());
    if self.code.val() == 19 {
        self.holds.next = self.ordered.val() & self.lower.val();
    }
    if self.code.val() == 20 {
        self.holds.next = self.ordered.val() & self.same.val();
    }
    // Minimum (16) and maximum (17): of a number and none, the number.
    self.takes_a.next = self.below.val() ^ self.code.val().get_bit(0);
    if self.b_nan.val() {
        self.takes_a.next = true;
    }
    if self.a_nan.val() {
        self.takes_a.next = false;
    }

    // ---- Sign.
    self.sign.next = self.b_negative.val();
    if self.code.val() == 14 {
        self.sign.next = !self.b_negative.val();
    }
    if self.code.val() == 15 {
        self.sign.next = self.differ.val();
    }

    // ---- Class.
    self.normal.next = self.a.val().get_bits::<8>(23).any();
    self.ordinary.next = self.normal.val() & !self.a_infinite.val() & !self.a_nan.val();
    self.tiny.next = !self.normal.val() & !self.a_zero.val();
    self.quiet.next = self.a_nan.val() & self.a.val().get_bit(22);
    self.signaling.next = self.a_nan.val() & !self.a.val().get_bit(22);
    self.lowest.next = 0.into();
    self.lowest.next = self.lowest.val().replace_bit(0, self.a_infinite.val());
    self.lowest.next = self.lowest.val().replace_bit(1, self.ordinary.val());
    self.lowest.next = self.lowest.val().replace_bit(2, self.tiny.val());
    self.lowest.next = self.lowest.val().replace_bit(3, self.a_zero.val());
    self.group.next = self.zero.val();
    if self.a_negative.val() {
        self.group.next = bit_cast::<32, 4>(self.lowest.val());
    } else {
        for i in 0..4 {
            self.group.next = self
                .group
                .val()
                .replace_bit(7 - i, self.lowest.val().get_bit(i));
        }
    }
    self.group.next = self.group.val().replace_bit(8, self.signaling.val());
    self.group.next = self.group.val().replace_bit(9, self.quiet.val());

    // ---- Result.
    self.word.next = self.a.val();
    if (self.code.val() == 11) & self.a_negative.val() {
        self.word.next = self.zero.val() - self.a.val();
    }
    if (self.code.val() == 13) | (self.code.val() == 14) | (self.code.val() == 15) {
        self.word.next = self.a.val().replace_bit(31, self.sign.val());
    }
    if (self.code.val() == 16) | (self.code.val() == 17) {
        if !self.takes_a.val() {
            self.word.next = self.b.val();
        }
        if self.a_nan.val() & self.b_nan.val() {
            self.word.next = self.canonical.val();
        }
    }
    if (self.code.val() == 18) | (self.code.val() == 19) | (self.code.val() == 20) {
        self.word.next = self.zero.val();
        if self.holds.val() {
            self.word.next = self.one.val();
        }
    }
    if self.code.val() == 21 {
        self.word.next = self.group.val();
    }
}

#[cfg(test)]
mod tests {
    use super::super::operand;
    use super::*;
    use weft_rtl::Rng;

    fn drive(u: &mut Exact, rng: &mut Rng) {
        let a = operand(rng) as u32;
        let b = match rng.below(4) {
            0 => a,
            1 => a ^ 1 << 31,
            _ => operand(rng) as u32,
        };
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        u.code.next = (11 + rng.below(11)).into();
        u.a.next = u64::from(a).into();
        u.b.next = u64::from(b).into();
        u.a_nan.next = x.is_nan();
        u.a_infinite.next = x.is_infinite();
        u.a_zero.next = x == 0.0;
        u.b_nan.next = y.is_nan();
        u.b_zero.next = y == 0.0;
    }

    #[test]
    fn verilog_agrees() {
        let drive = |u: &mut Exact, rng: &mut Rng, _| drive(u, rng);
        weft_rtl::check_module("weft_float_exact", Exact::default, 2000, drive, None).unwrap();
    }

    /// FLOAT-022: comparisons are those of Rust; minimum and maximum as well, but for the order of zeros.
    #[test]
    fn results_are_those_of_rust() {
        let mut u = Exact::default();
        u.connect_all();
        let mut rng = Rng::new(1, "exact");
        let mut met = [0; 22];
        for _ in 0..6000 {
            drive(&mut u, &mut rng);
            weft_rtl::settle(&mut u);
            let (a, b) = (u.a.val().to_u64() as u32, u.b.val().to_u64() as u32);
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            let code = u.code.val().to_u64();
            met[code as usize] += 1;
            let chosen = |value: f32, other: u32| match (x.is_nan(), y.is_nan()) {
                (true, true) => 0x7fc0_0000,
                _ if x == 0.0 && y == 0.0 => other,
                _ => value.to_bits(),
            };
            let word = match code {
                11 => (a as i32).unsigned_abs(),
                12 => a,
                13 => x.copysign(y).to_bits(),
                14 => x.copysign(-y).to_bits(),
                15 => a ^ b & 1 << 31,
                16 => chosen(x.min(y), a | b),
                17 => chosen(x.max(y), a & b),
                18 => u32::from(x <= y),
                19 => u32::from(x < y),
                20 => u32::from(x == y),
                _ => {
                    let place = match x.classify() {
                        std::num::FpCategory::Nan => 8 + (a >> 22 & 1),
                        _ if x == 0.0 => 3 + (!a >> 31),
                        _ if x.is_infinite() => 7 * (!a >> 31),
                        std::num::FpCategory::Subnormal => 2 + 3 * (!a >> 31),
                        _ => 1 + 5 * (!a >> 31),
                    };
                    1 << place
                }
            };
            let found = u.word.val().to_u64() as u32;
            assert_eq!(found, word, "{a:#010x} {code} {b:#010x}");
        }
        assert!(met[11..].iter().all(|n| *n > 300), "{met:?}");
    }
}
