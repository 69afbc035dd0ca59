//! What the condition in the word of a TOP says: who counts, and what completes it.
//!
//! Spec: `docs/spec/barrier.md`, Words.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `condition` | in | 3 | bits 13 to 11 of the word |
//! | `taking_only` | out | 1 | 2, 3, 4: only those that take part count |
//! | `everybody` | out | 1 | 0, and 5 to 7, which nobody uses: each live thread counts once |
//! | `impatient` | out | 1 | 3, 4: it has a timeout |
//! | `limits` | out | 1 | 1, 2, 4: the count of the word counts, if it is not 0 |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Condition {
    pub condition: Signal<In, Bits<3>>,
    pub taking_only: Signal<Out, Bit>,
    pub everybody: Signal<Out, Bit>,
    pub impatient: Signal<Out, Bit>,
    pub limits: Signal<Out, Bit>,
    is_1: Signal<Local, Bit>,
    is_2: Signal<Local, Bit>,
    is_3: Signal<Local, Bit>,
    is_4: Signal<Local, Bit>,
    #[value(1.into())]
    condition_1: Constant<Bits<3>>,
    #[value(2.into())]
    condition_2: Constant<Bits<3>>,
    #[value(3.into())]
    condition_3: Constant<Bits<3>>,
    #[value(4.into())]
    condition_4: Constant<Bits<3>>,
}

impl Logic for Condition {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_1.next = self.condition.val() == self.condition_1.val();
        self.is_2.next = self.condition.val() == self.condition_2.val();
        self.is_3.next = self.condition.val() == self.condition_3.val();
        self.is_4.next = self.condition.val() == self.condition_4.val();
        self.taking_only.next = self.is_2.val() | self.is_3.val() | self.is_4.val();
        self.everybody.next =
            !self.is_1.val() & !self.is_2.val() & !self.is_3.val() & !self.is_4.val();
        self.impatient.next = self.is_3.val() | self.is_4.val();
        self.limits.next = self.is_1.val() | self.is_2.val() | self.is_4.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let next = |u: &mut Condition, _: &mut weft_rtl::Rng, t| {
            u.condition.next = (t as u64 % 8).into();
        };
        weft_rtl::check_module("weft_condition", Condition::default, 16, next, None).unwrap();
    }
}
