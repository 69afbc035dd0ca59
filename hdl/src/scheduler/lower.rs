//! Which of some levels are lower than one. Gates: a comparison each would be a chain.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-012.
//!
//! # Parameters
//! `N` levels.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `bit3` .. `bit0` | in | N each | bits of the levels, bit i of each of level i |
//! | `level` | in | 4 | |
//! | `lower` | out | N | these are lower than `level` |
//!
//! # Cycle behaviour
//! Combinational: two gates, of two bits each and of both pairs.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Lower<const N: usize> {
    pub bit3: Signal<In, Bits<N>>,
    pub bit2: Signal<In, Bits<N>>,
    pub bit1: Signal<In, Bits<N>>,
    pub bit0: Signal<In, Bits<N>>,
    pub level: Signal<In, Bits<4>>,
    pub lower: Signal<Out, Bits<N>>,
    than3: Signal<Local, Bits<N>>,
    than2: Signal<Local, Bits<N>>,
    than1: Signal<Local, Bits<N>>,
    than0: Signal<Local, Bits<N>>,
    equal3: Signal<Local, Bits<N>>,
    equal2: Signal<Local, Bits<N>>,
    equal1: Signal<Local, Bits<N>>,
    high_equal: Signal<Local, Bits<N>>,
    high_lower: Signal<Local, Bits<N>>,
    low_lower: Signal<Local, Bits<N>>,
    // Constants.
    none: Constant<Bits<N>>,
}

impl<const N: usize> Default for Lower<N> {
    fn default() -> Self {
        block!({
            bit3, bit2, bit1, bit0, level, lower, than3, than2, than1, than0, equal3, equal2, equal1, high_equal, high_lower, low_lower,
        } {
            none: Constant::new(0.into()),
        })
    }
}

impl<const N: usize> Logic for Lower<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.than3.next = self.none.val();
        if self.level.val().get_bit(3) {
            self.than3.next = !self.none.val();
        }
        self.than2.next = self.none.val();
        if self.level.val().get_bit(2) {
            self.than2.next = !self.none.val();
        }
        self.than1.next = self.none.val();
        if self.level.val().get_bit(1) {
            self.than1.next = !self.none.val();
        }
        self.than0.next = self.none.val();
        if self.level.val().get_bit(0) {
            self.than0.next = !self.none.val();
        }
        self.equal3.next = !(self.bit3.val() ^ self.than3.val());
        self.equal2.next = !(self.bit2.val() ^ self.than2.val());
        self.equal1.next = !(self.bit1.val() ^ self.than1.val());
        self.high_equal.next = self.equal3.val() & self.equal2.val();
        self.high_lower.next = (self.than3.val() & !self.bit3.val())
            | (self.equal3.val() & self.than2.val() & !self.bit2.val());
        self.low_lower.next = (self.than1.val() & !self.bit1.val())
            | (self.equal1.val() & self.than0.val() & !self.bit0.val());
        self.lower.next = self.high_lower.val() | (self.high_equal.val() & self.low_lower.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn drive(u: &mut Lower<8>, rng: &mut Rng) {
        u.bit3.next = rng.bits();
        u.bit2.next = rng.bits();
        u.bit1.next = rng.bits();
        u.bit0.next = rng.bits();
        u.level.next = rng.bits();
    }

    #[test]
    fn verilog_agrees() {
        let drive = |u: &mut Lower<8>, rng: &mut Rng, _| drive(u, rng);
        weft_rtl::check_module("weft_lower", Lower::<8>::default, 2000, drive, None).unwrap();
    }

    #[test]
    fn each_is_compared() {
        let mut u = Lower::<8>::default();
        let mut rng = Rng::new(1, "lower");
        for _ in 0..2000 {
            drive(&mut u, &mut rng);
            weft_rtl::settle(&mut u);
            let bits = [u.bit0.val(), u.bit1.val(), u.bit2.val(), u.bit3.val()];
            for i in 0..8 {
                let level = (0..4).fold(0, |level, b| level | u64::from(bits[b].get_bit(i)) << b);
                let lower = level < u.level.val().to_u64();
                assert_eq!(
                    u.lower.val().get_bit(i),
                    lower,
                    "{bits:?} {:?}",
                    u.level.val()
                );
            }
        }
    }
}
