//! An OR over each quarter of a vector: the first half of an OR over all of it, with room for a register after it.
//!
//! # Parameters
//! `N`: bits, a multiple of 4, 64 at most.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `among` | in | N | |
//! | `some` | out | 4 | bit k: there is a 1 among the N / 4 bits from bit k N / 4 on |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None. `Default` panics when `N` does not fit.

use crate::hdl::*;

#[cell(requires(N >= 4, N % 4 == 0, N <= 64))]
#[derive(Clone, Debug)]
pub struct Quarters<const N: usize> {
    pub among: Signal<In, Bits<N>>,
    pub some: Signal<Out, Bits<4>>,
}

impl<const N: usize> Logic for Quarters<N> {
    fn update(&mut self) {
        let among = self.among.val();
        let some = |k: usize| (0..N / 4).any(|i| among.get_bit(k * N / 4 + i));
        self.some.next = (0..4)
            .fold(0u64, |all, k| all | u64::from(some(k)) << k)
            .into();
    }
    fn connect(&mut self) {
        self.some.connect();
    }
    fn hdl(&self) -> Verilog {
        let part = |k: usize| format!("|among[{}:{}]", (k + 1) * N / 4 - 1, k * N / 4);
        Verilog::Custom(format!(
            "always @(*) some = {{{}, {}, {}, {}}};\n",
            part(3),
            part(2),
            part(1),
            part(0)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "quarters",
            Quarters::<16>::default,
            500,
            |u, rng, _| {
                u.among.next = (rng.bits::<16>().to_u64()
                    & rng.bits::<16>().to_u64()
                    & rng.bits::<16>().to_u64())
                .into();
            },
            None,
        )
        .unwrap();
    }
}
