//! Compares N levels with one: which are lower. Written as gates, because N comparisons would be carry chains.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-012.
//!
//! # Parameters
//! `N` levels of `LB` bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bits` | in | LB of N each | bit i of `bits[b]`: bit b of level i |
//! | `level` | in | LB | |
//! | `lower` | out | N | these are lower than `level` |
//!
//! # Cycle behaviour
//! Combinational, bit by bit from the lowest on.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Lower<const N: usize, const LB: usize> {
    #[many(LB)]
    pub bits: Vec<Signal<In, Bits<N>>>,
    pub level: Signal<In, Bits<LB>>,
    pub lower: Signal<Out, Bits<N>>,
    #[many(LB)]
    than: Vec<Signal<Local, Bits<N>>>,
    below: Signal<Local, Bits<N>>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<N>>,
}

impl<const N: usize, const LB: usize> Logic for Lower<N, LB> {
    #[hdl_gen]
    fn update(&mut self) {
        self.below.next = self.none.val();
        for b in 0..LB {
            self.than[b].next = self.none.val();
            if self.level.val().get_bit(b) {
                self.than[b].next = !self.none.val();
            }
            self.below.next = (self.than[b].val() & !self.bits[b].val())
                | (!(self.than[b].val() ^ self.bits[b].val()) & self.below.val());
        }
        self.lower.next = self.below.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn drive<const LB: usize>(u: &mut Lower<8, LB>, rng: &mut Rng) {
        for bits in &mut u.bits {
            bits.next = rng.bits();
        }
        u.level.next = rng.bits();
    }

    #[test]
    fn verilog_agrees() {
        let drive = |u: &mut Lower<8, 4>, rng: &mut Rng, _| drive(u, rng);
        weft_rtl::check_module("weft_lower", Lower::<8, 4>::default, 2000, drive, None).unwrap();
    }

    fn compares<const LB: usize>() {
        let mut u = Lower::<8, LB>::default();
        let mut rng = Rng::new(1, "lower");
        for _ in 0..2000 {
            drive(&mut u, &mut rng);
            weft_rtl::settle(&mut u);
            let bit = |b: usize, i: usize| u64::from(u.bits[b].val().get_bit(i)) << b;
            for i in 0..8 {
                let level = (0..LB).fold(0, |level, b| level | bit(b, i));
                let lower = level < u.level.val().to_u64();
                assert_eq!(
                    u.lower.val().get_bit(i),
                    lower,
                    "{level} {:?}",
                    u.level.val()
                );
            }
        }
    }

    #[test]
    fn each_is_compared() {
        compares::<2>();
        compares::<4>();
        compares::<6>();
    }
}
