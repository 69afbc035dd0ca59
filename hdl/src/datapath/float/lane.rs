//! One lane of float: seven ranks for every code, and the iteration of division and square root beside them.
//!
//! Spec: `docs/spec/float.md`, FLOAT-030.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `code`, `rounding`, `a`, `b`, `c` | in | 5, 3, 32, 32, 32 | what is computed |
//! | `load`, `settle`, `step`, `place`, `settled` | in, in, in, in, out | 1, 1, 1, 26, 1 | of the iteration (`iterate`) |
//! | `result` | out | 32 | of the inputs of seven cycles before |
//!
//! # Cycle behaviour
//! Every cycle takes operands. A division or root is loaded, settled and stepped with its operands at the inputs, and
//! goes into the ranks like any other code in the cycle behind the last step.
//!
//! | rank | block | what is registered |
//! |---|---|---|
//! | 1, 2 | `prepare` | what the operands are; the addend's field and its shift. Beside it the product begins |
//! | 3, 4 | `sum` | the addend in its place; the sum |
//! | 5, 6 | `normalise` | the highest bit among 16; on top |
//! | 7 | `round` | the word |
//!
//! # Errors
//! None.

use super::iterate::Iterate;
use super::normalise::Normalise;
use super::prepare::Prepare;
use super::product::Product;
use super::round::Round;
use super::sum::Sum;
use crate::hdl::*;

#[module]
pub struct FloatLane {
    pub clock: Signal<In, Clock>,
    pub code: Signal<In, Bits<5>>,
    pub rounding: Signal<In, Bits<3>>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub c: Signal<In, Bits<32>>,
    pub load: Signal<In, Bit>,
    pub settle: Signal<In, Bit>,
    pub settled: Signal<Out, Bit>,
    pub step: Signal<In, Bit>,
    pub place: Signal<In, Bits<26>>,
    pub result: Signal<Out, Bits<32>>,
    // Cells.
    prepare: Prepare,
    times: Product,
    iterate: Iterate,
    sum: Sum,
    normalise: Normalise,
    round: Round,
}

#[part(FloatLane)]
fn update(&mut self) {
    carry!(self.prepare <- self: code, rounding, a, b, c);
    carry!(self.times <- self.prepare.mantissa_*: a, b);
    self.iterate.root.next = self.code.val() == 8;
    carry!(self.iterate <- self: load, settle, step, place);
    carry!(self.iterate <- self.prepare: mantissa_a, exponent_a, mantissa_b, exponent_b);
    self.settled.next = self.iterate.settled.val();
    carry!(self.prepare <- self.iterate: quotient = result, rest, quotient_exponent = exponent);
    carry!(self.sum <- self.prepare:
        field, shift, exponent, alone, sticks, subtracts, sign, field_sign, whole, mode,
    );
    self.sum.product.next = self.times.product.val();
    carry!(self.normalise <- self.sum: size, lost, limit, exponent = exponent_out, sign = sign_out);
    carry!(self.normalise <- self.sum: zero_sign, whole = whole_out, mode = mode_out);
    carry!(self.round <- self.normalise: mantissa, guard, below, exponent = exponent_out);
    carry!(self.round <- self.normalise: sign = sign_out, whole = whole_out, mode = mode_out);
    self.result.next = self.round.result.val();
}

#[cfg(test)]
mod tests {
    use super::super::{drive_code, operand};
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_lane",
            FloatLane::default,
            1500,
            |u, rng, t| {
                u.code.next = drive_code(rng).into();
                u.rounding.next = rng.bits();
                u.a.next = operand(rng).into();
                u.b.next = operand(rng).into();
                u.c.next = operand(rng).into();
                u.load.next = t % 50 == 0;
                u.settle.next = (1..24).contains(&(t % 50));
                u.step.next = t % 50 >= 24;
                u.place.next = (1u64 << 25 >> (t % 50).saturating_sub(24)).into();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
