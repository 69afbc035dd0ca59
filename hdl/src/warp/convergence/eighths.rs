//! An OR over each group of eight bits: the first half of an OR over all.
//!
//! # Parameters
//! `N` bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | N | |
//! | `groups` | out | N | any of this bit and the seven above; every eighth place counts |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Eighths<const N: usize> {
    pub bits: Signal<In, Bits<N>>,
    pub groups: Signal<Out, Bits<N>>,
    pairs: Signal<Local, Bits<N>>,
    fours: Signal<Local, Bits<N>>,
    #[value(1.into())]
    one_place: Constant<Bits<3>>,
    #[value(2.into())]
    two_places: Constant<Bits<3>>,
    #[value(4.into())]
    four_places: Constant<Bits<3>>,
}

impl<const N: usize> Logic for Eighths<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.pairs.next = self.bits.val() | (self.bits.val() >> self.one_place.val());
        self.fours.next = self.pairs.val() | (self.pairs.val() >> self.two_places.val());
        self.groups.next = self.fours.val() | (self.fours.val() >> self.four_places.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let next = |u: &mut Eighths<22>, rng: &mut weft_rtl::Rng, _| {
            u.bits.next = (rng.bits::<22>().to_u64() & rng.bits::<22>().to_u64()).into();
        };
        weft_rtl::check_module("weft_eighths", Eighths::<22>::default, 1000, next, None).unwrap();
    }
}
