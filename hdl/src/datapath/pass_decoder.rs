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
#[registers]
pub struct DecodedStage {
    pub decoded: DFF<Bits<23>>,
    pub legal: DFF<Bit>,
    pub unit: DFF<Bits<3>>,
    pub alu: DFF<Bits<4>>,
    pub a_pc: DFF<Bit>,
    pub b_imm: DFF<Bit>,
    pub imm: DFF<Bits<32>>,
    pub condition: DFF<Bits<3>>,
    pub op: DFF<Bits<4>>,
    pub kind: DFF<Bits<4>>,
    pub has_target: DFF<Bit>,
    pub leader: DFF<Bits<2>>,
    pub csr: DFF<Bit>,
    pub breakpoint: DFF<Bit>,
    pub by_mode: DFF<Bit>,
    pub links: DFF<Bit>,
    pub mask: DFF<Bit>,
    pub mask_kind: DFF<Bits<3>>,
    pub access_op: DFF<Bits<5>>,
    pub access_size: DFF<Bits<2>>,
    pub access_signed: DFF<Bit>,
    pub access_order: DFF<Bits<2>>,
    pub float_code: DFF<Bits<5>>,
}

#[module]
pub struct PassDecoder {
    pub clock: Signal<In, Clock>,
    pub word: Signal<In, Bits<32>>,
    pub has_float: Signal<In, Bit>,
    pub decoded: Signal<Out, Bits<23>>,
    pub legal: Signal<Out, Bit>,
    pub unit: Signal<Out, Bits<3>>,
    pub alu: Signal<Out, Bits<4>>,
    pub a_pc: Signal<Out, Bit>,
    pub b_imm: Signal<Out, Bit>,
    pub imm: Signal<Out, Bits<32>>,
    pub condition: Signal<Out, Bits<3>>,
    pub op: Signal<Out, Bits<4>>,
    pub kind: Signal<Out, Bits<4>>,
    pub has_target: Signal<Out, Bit>,
    pub leader: Signal<Out, Bits<2>>,
    pub csr: Signal<Out, Bit>,
    pub breakpoint: Signal<Out, Bit>,
    pub by_mode: Signal<Out, Bit>,
    pub links: Signal<Out, Bit>,
    pub mask: Signal<Out, Bit>,
    pub mask_kind: Signal<Out, Bits<3>>,
    pub access_op: Signal<Out, Bits<5>>,
    pub access_size: Signal<Out, Bits<2>>,
    pub access_signed: Signal<Out, Bit>,
    pub access_order: Signal<Out, Bits<2>>,
    pub float_code: Signal<Out, Bits<5>>,
    decode: Decode,
    x: DecodedStage,
}

#[part(PassDecoder)]
fn update(&mut self) {
    carry!(self.decode <- self: word, has_float);
    carry!(self.x.*.d <- self.decode: decoded, legal, unit, alu, a_pc, b_imm, imm, condition, op);
    carry!(self.x.*.d <- self.decode: kind, has_target, leader, csr, breakpoint, by_mode, links);
    carry!(self.x.*.d <- self.decode: mask, mask_kind, access_op, access_size, access_signed);
    carry!(self.x.*.d <- self.decode: access_order, float_code);
    carry!(self <- self.x.*.q: decoded, legal, unit, alu, a_pc, b_imm, imm, condition, op, kind);
    carry!(self <- self.x.*.q: has_target, leader, csr, breakpoint, by_mode, links, mask);
    carry!(self <- self.x.*.q: mask_kind, access_op, access_size, access_signed);
    carry!(self <- self.x.*.q: access_order, float_code);
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
