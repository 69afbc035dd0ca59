//! A binary32 word in parts.
//!
//! Spec: `docs/spec/float.md`, FLOAT-010.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `word` | in | 32 | |
//! | `exponent` | out | 8 | biased; that of a subnormal number and of zero is 1 |
//! | `mantissa` | out | 24 | with the hidden bit on top |
//! | `nan`, `infinite`, `zero` | out | 1 | what it is instead of a number with a mantissa |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Unpack {
    pub word: Signal<In, Bits<32>>,
    pub exponent: Signal<Out, Bits<8>>,
    pub mantissa: Signal<Out, Bits<24>>,
    pub nan: Signal<Out, Bit>,
    pub infinite: Signal<Out, Bit>,
    pub zero: Signal<Out, Bit>,
    // Combinational.
    field: Signal<Local, Bits<8>>,
    fraction: Signal<Local, Bits<23>>,
    normal: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
}

#[part(Unpack)]
fn update(&mut self) {
    self.field.next = self.word.val().get_bits::<8>(23);
    self.fraction.next = self.word.val().get_bits::<23>(0);
    self.normal.next = self.field.val().any();
    self.full.next = self.field.val().all();
    self.some.next = self.fraction.val().any();
    self.exponent.next = self.field.val();
    if !self.normal.val() {
        self.exponent.next = 1.into();
    }
    self.mantissa.next = bit_cast::<24, 23>(self.fraction.val());
    self.mantissa.next = self.mantissa.val().replace_bit(23, self.normal.val());
    self.nan.next = self.full.val() & self.some.val();
    self.infinite.next = self.full.val() & !self.some.val();
    self.zero.next = !self.normal.val() & !self.some.val();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_unpack",
            Unpack::default,
            500,
            |u, rng, _| u.word.next = super::super::operand(rng).into(),
            None,
        )
        .unwrap();
    }

    /// FLOAT-010.
    #[test]
    fn parts_give_the_number() {
        let mut u = Unpack::default();
        u.connect_all();
        let mut rng = weft_rtl::Rng::new(1, "unpack");
        for _ in 0..2000 {
            let word = super::super::operand(&mut rng);
            u.word.next = word.into();
            weft_rtl::settle(&mut u);
            let number = f32::from_bits(word as u32);
            assert_eq!(u.nan.val(), number.is_nan());
            assert_eq!(u.infinite.val(), number.is_infinite());
            assert_eq!(u.zero.val(), number == 0.0);
            if number.is_finite() {
                let exponent = u.exponent.val().to_u64() as i32 - 150;
                let size = u.mantissa.val().to_u64() as f64 * f64::from(exponent).exp2();
                assert_eq!(f64::from(number.abs()), size, "{word:#x}");
            }
        }
    }
}
