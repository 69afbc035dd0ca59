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

impl kernel::Part for PassDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.decode.word.next = self.word.val();
        self.decode.has_float.next = self.has_float.val();
        self.x.decoded.d.next = self.decode.decoded.val();
        self.x.legal.d.next = self.decode.legal.val();
        self.x.unit.d.next = self.decode.unit.val();
        self.x.alu.d.next = self.decode.alu.val();
        self.x.a_pc.d.next = self.decode.a_pc.val();
        self.x.b_imm.d.next = self.decode.b_imm.val();
        self.x.imm.d.next = self.decode.imm.val();
        self.x.condition.d.next = self.decode.condition.val();
        self.x.op.d.next = self.decode.op.val();
        self.x.kind.d.next = self.decode.kind.val();
        self.x.has_target.d.next = self.decode.has_target.val();
        self.x.leader.d.next = self.decode.leader.val();
        self.x.csr.d.next = self.decode.csr.val();
        self.x.breakpoint.d.next = self.decode.breakpoint.val();
        self.x.by_mode.d.next = self.decode.by_mode.val();
        self.x.links.d.next = self.decode.links.val();
        self.x.mask.d.next = self.decode.mask.val();
        self.x.mask_kind.d.next = self.decode.mask_kind.val();
        self.x.access_op.d.next = self.decode.access_op.val();
        self.x.access_size.d.next = self.decode.access_size.val();
        self.x.access_signed.d.next = self.decode.access_signed.val();
        self.x.access_order.d.next = self.decode.access_order.val();
        self.x.float_code.d.next = self.decode.float_code.val();
        self.decoded.next = self.x.decoded.q.val();
        self.legal.next = self.x.legal.q.val();
        self.unit.next = self.x.unit.q.val();
        self.alu.next = self.x.alu.q.val();
        self.a_pc.next = self.x.a_pc.q.val();
        self.b_imm.next = self.x.b_imm.q.val();
        self.imm.next = self.x.imm.q.val();
        self.condition.next = self.x.condition.q.val();
        self.op.next = self.x.op.q.val();
        self.kind.next = self.x.kind.q.val();
        self.has_target.next = self.x.has_target.q.val();
        self.leader.next = self.x.leader.q.val();
        self.csr.next = self.x.csr.q.val();
        self.breakpoint.next = self.x.breakpoint.q.val();
        self.by_mode.next = self.x.by_mode.q.val();
        self.links.next = self.x.links.q.val();
        self.mask.next = self.x.mask.q.val();
        self.mask_kind.next = self.x.mask_kind.q.val();
        self.access_op.next = self.x.access_op.q.val();
        self.access_size.next = self.x.access_size.q.val();
        self.access_signed.next = self.x.access_signed.q.val();
        self.access_order.next = self.x.access_order.q.val();
        self.float_code.next = self.x.float_code.q.val();
    }
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
