//! Where a token of a ring stands in the token window.
//!
//! Spec: `docs/spec/spill.md`, SPILL-030.
//!
//! # Parameters
//! As `Locate`.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `number` | in | R | ring number of a token |
//! | `front`, `back` | out | R each | its place, if it is in the front ring; in the back ring |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(given(let (front, back) = (K as u64 - 1, B as u64 - 1);))]
pub struct Place<const K: usize, const B: usize, const R: usize> {
    pub number: Signal<In, Bits<R>>,
    pub front: Signal<Out, Bits<R>>,
    pub back: Signal<Out, Bits<R>>,
    #[value(front.into())]
    front_wrap: Constant<Bits<R>>,
    #[value((back & front).into())]
    back_low: Constant<Bits<R>>,
    #[value((back & !front).into())]
    back_high: Constant<Bits<R>>,
    #[value((K as u64).into())]
    front_places: Constant<Bits<R>>,
}

impl<const K: usize, const B: usize, const R: usize> Logic for Place<K, B, R> {
    #[hdl_gen]
    fn update(&mut self) {
        self.front.next = self.number.val() & self.front_wrap.val();
        self.back.next = (self.number.val() & self.back_low.val())
            | ((self.number.val() & self.back_high.val()) + self.front_places.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let next = |u: &mut Place<4, 8, 4>, _: &mut weft_rtl::Rng, t| {
            u.number.next = (t as u64 % 16).into();
        };
        weft_rtl::check_module("weft_place", Place::<4, 8, 4>::default, 32, next, None).unwrap();
    }

    /// Every number has a place of its own among the `B` or `K` that follow each other, and no place is in both rings.
    fn places<const K: usize, const B: usize, const R: usize>() {
        let mut u = Place::<K, B, R>::default();
        u.connect_all();
        for number in 0..1 << R {
            u.number.next = number.into();
            weft_rtl::settle(&mut u);
            let (k, b) = (K as u64, B as u64);
            assert_eq!(u.front.val().to_u64(), number % k, "{number}");
            assert_eq!(u.back.val().to_u64(), k + number % b, "{number}");
        }
    }

    #[test]
    fn every_number() {
        places::<8, 2, 4>();
        places::<4, 4, 4>();
        places::<2, 4, 3>();
        places::<2, 1, 2>();
    }
}
