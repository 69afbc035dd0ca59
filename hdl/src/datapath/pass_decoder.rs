//! The decoder with a register behind it: what a pass does is known when its operands are there.
//!
//! Spec: `docs/spec/datapath.md`, DATA-020.
//!
//! # Ports
//! `word`: of the pass whose rows are addressed (R); `has_float`: as at [`Decode`]. All others: what [`Decode`] says of it, one cycle later (X).
//!
//! # Errors
//! None.

use super::decode::Decode;
use crate::hdl::*;

/// What is said of the pass in X.
#[stage_of(DecodedPorts)]
pub struct DecodedStage;

#[module]
pub struct PassDecoder {
    pub clock: Signal<In, Clock>,
    pub word: Signal<In, Bits<32>>,
    pub has_float: Signal<In, Bit>,
    #[flat]
    pub out: DecodedPorts,
    decode: Decode,
    x: DecodedStage,
}

#[part(PassDecoder)]
fn update(&mut self) {
    carry!(self.decode <- self: word, has_float);
    carry!(self.x.*.d <- self.decode: every DecodedPorts);
    carry!(self <- self.x.*.q: every DecodedPorts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Bench;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "pass_decoder",
            PassDecoder::default,
            4000,
            |u, rng, _| {
                u.word.next = rng.bits();
                u.has_float.next = rng.flip();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// What is said of a word comes in the cycle after it, and stays for one.
    #[test]
    fn a_cycle_after_the_word() {
        let mut b = Bench::new(PassDecoder::default(), |u: &mut PassDecoder, level| {
            u.clock.next = level.into();
        });
        b.uut.has_float.next = true;
        // mul, lw, div, fadd.s, illegal: unit and legal.
        let words = [
            (0x0220_8033u64, 1, true),
            (0x0000_2003, 2, true),
            (0x0220_c033, 3, true),
            (0x0020_8053, 4, true),
            (0, 0, false),
        ];
        for (word, unit, legal) in words {
            b.uut.word.next = word.into();
            b.edge();
            b.uut.word.next = 0x13.into();
            assert_eq!(b.uut.unit.val().to_u64(), unit, "{word:#x}");
            assert_eq!(b.uut.legal.val(), legal, "{word:#x}");
            b.edge();
            assert_eq!((b.uut.unit.val().to_u64(), b.uut.legal.val()), (0, true));
        }
    }
}
