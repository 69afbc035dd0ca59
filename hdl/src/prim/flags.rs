//! Flip-flops with an enable each.
//!
//! # Parameters
//! `N` bits, at most 64.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `enable`, `data` | in | N, N | bit i := data bit i at the edge, where enable bit i is 1 |
//! | `q` | out | N | from registers; 0 at power-up |
//!
//! # Cycle behaviour
//! A `DFF` of N bits holds by a multiplexer before it, which synthesis does not always turn back into an enable;
//! here each bit has one.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(requires((1..=64).contains(&N)))]
#[derive(Clone, Debug)]
pub struct Flags<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub enable: Signal<In, Bits<N>>,
    pub data: Signal<In, Bits<N>>,
    pub q: Signal<Out, Bits<N>>,
    #[init(0)]
    _q: u64,
}

impl<const N: usize> Logic for Flags<N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (enable, data) = (self.enable.val().to_u64(), self.data.val().to_u64());
            self._q = (self._q & !enable) | (data & enable);
        }
        self.q.next = self._q.into();
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
integer i;

initial q = {N}'d0;

always @(posedge clock)
   for (i = 0; i < {N}; i = i + 1)
      if (enable[i]) q[i] <= data[i];
"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "flags",
            Flags::<8>::default,
            1000,
            |u, rng, _| {
                u.enable.next = rng.bits();
                u.data.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn enabled_bits_follow_the_data() {
        let mut b = weft_rtl::Bench::new(Flags::<8>::default(), |u, level| {
            u.clock.next = level.into()
        });
        for (enable, data, q) in [
            (0xF0u64, 0xAAu64, 0xA0u64),
            (0x0F, 0x55, 0xA5),
            (0, 0xFF, 0xA5),
        ] {
            b.uut.enable.next = enable.into();
            b.uut.data.next = data.into();
            b.edge();
            b.settle();
            assert_eq!(b.uut.q.val().to_u64(), q);
        }
    }
}
