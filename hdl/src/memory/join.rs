//! Values side by side: value i is in bits B i + B − 1 … B i.
//!
//! # Parameters
//! `N` values of `B` bits; `NB` = N × B.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `each` | in | N of B | |
//! | `whole` | out | NB | all of them; combinational |
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Join<const N: usize, const B: usize, const NB: usize> {
    pub each: Vec<Signal<In, Bits<B>>>,
    pub whole: Signal<Out, Bits<NB>>,
}

impl<const N: usize, const B: usize, const NB: usize> Default for Join<N, B, NB> {
    fn default() -> Self {
        assert!(NB == N * B && N > 0 && B > 0, "Join<{N}, {B}, {NB}>");
        Self {
            each: (0..N).map(|_| Default::default()).collect(),
            whole: Default::default(),
        }
    }
}

impl<const N: usize, const B: usize, const NB: usize> kernel::Clocked for Join<N, B, NB> {}

impl<const N: usize, const B: usize, const NB: usize> Logic for Join<N, B, NB> {
    fn update(&mut self) {
        let mut whole = Bits::<NB>::default();
        for (i, each) in self.each.iter().enumerate() {
            let each = each.val();
            for bit in (0..B).filter(|&bit| each.get_bit(bit)) {
                whole = whole.replace_bit(B * i + bit, true);
            }
        }
        self.whole.next = whole;
    }
    fn connect(&mut self) {
        self.whole.connect();
    }
    fn hdl(&self) -> Verilog {
        let each: Vec<String> = (0..N).rev().map(|i| format!("each${i}")).collect();
        Verilog::Custom(format!("always @(*) whole = {{{}}};\n", each.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_join",
            Join::<4, 6, 24>::default,
            200,
            |u, rng, _| u.each.iter_mut().for_each(|each| each.next = rng.bits()),
            None,
        )
        .unwrap();
    }
}
