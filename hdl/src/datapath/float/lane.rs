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

impl kernel::Part for FloatLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.prepare.code.next = self.code.val();
        self.prepare.rounding.next = self.rounding.val();
        self.prepare.a.next = self.a.val();
        self.prepare.b.next = self.b.val();
        self.prepare.c.next = self.c.val();
        self.times.a.next = self.prepare.mantissa_a.val();
        self.times.b.next = self.prepare.mantissa_b.val();
        self.iterate.root.next = self.code.val() == 8;
        self.iterate.load.next = self.load.val();
        self.iterate.settle.next = self.settle.val();
        self.iterate.step.next = self.step.val();
        self.iterate.place.next = self.place.val();
        self.iterate.mantissa_a.next = self.prepare.mantissa_a.val();
        self.iterate.exponent_a.next = self.prepare.exponent_a.val();
        self.iterate.mantissa_b.next = self.prepare.mantissa_b.val();
        self.iterate.exponent_b.next = self.prepare.exponent_b.val();
        self.settled.next = self.iterate.settled.val();
        self.prepare.quotient.next = self.iterate.result.val();
        self.prepare.rest.next = self.iterate.rest.val();
        self.prepare.quotient_exponent.next = self.iterate.exponent.val();
        self.sum.field.next = self.prepare.field.val();
        self.sum.shift.next = self.prepare.shift.val();
        self.sum.exponent.next = self.prepare.exponent.val();
        self.sum.alone.next = self.prepare.alone.val();
        self.sum.sticks.next = self.prepare.sticks.val();
        self.sum.subtracts.next = self.prepare.subtracts.val();
        self.sum.sign.next = self.prepare.sign.val();
        self.sum.field_sign.next = self.prepare.field_sign.val();
        self.sum.whole.next = self.prepare.whole.val();
        self.sum.mode.next = self.prepare.mode.val();
        self.sum.product.next = self.times.product.val();
        self.normalise.size.next = self.sum.size.val();
        self.normalise.lost.next = self.sum.lost.val();
        self.normalise.limit.next = self.sum.limit.val();
        self.normalise.exponent.next = self.sum.exponent_out.val();
        self.normalise.sign.next = self.sum.sign_out.val();
        self.normalise.zero_sign.next = self.sum.zero_sign.val();
        self.normalise.whole.next = self.sum.whole_out.val();
        self.normalise.mode.next = self.sum.mode_out.val();
        self.round.mantissa.next = self.normalise.mantissa.val();
        self.round.guard.next = self.normalise.guard.val();
        self.round.below.next = self.normalise.below.val();
        self.round.exponent.next = self.normalise.exponent_out.val();
        self.round.sign.next = self.normalise.sign_out.val();
        self.round.whole.next = self.normalise.whole_out.val();
        self.round.mode.next = self.normalise.mode_out.val();
        self.result.next = self.round.result.val();
    }
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
