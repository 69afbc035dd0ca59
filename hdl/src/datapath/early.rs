//! What is known of an issued instruction before it is decoded again: the scheduler's form says most of it.
//!
//! Spec: `docs/spec/datapath.md`, DATA-011.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `word`, `decoded` | in | 32, 23 | the instruction, and the scheduler's form of it |
//! | `form` | out | 13 | bits 5..0: rd as there; 6: `control`; 7: *plain*; 10..8: `unit`, 11: `fused`, 12: `root` as at [`Decode`](super::decode::Decode) |
//!
//! A *plain* instruction needs no word of the leader, no ballot, no answer of mask unit, mode selector or counters for
//! its own sake: its passes may begin before it is decoded.
//!
//! # Cycle behaviour
//! Combinational, a few levels of logic.
//!
//! # Errors
//! A word that is no instruction is `control` and without a unit, as in the scheduler's form.

use crate::hdl::*;

#[module]
pub struct Early {
    pub word: Signal<In, Bits<32>>,
    pub decoded: Signal<In, Bits<23>>,
    pub form: Signal<Out, Bits<13>>,
    group: Signal<Local, Bits<3>>,
    opcode: Signal<Local, Bits<7>>,
    control: Signal<Local, Bit>,
    csr: Signal<Local, Bit>,
    plain: Signal<Local, Bit>,
    unit: Signal<Local, Bits<3>>,
    fused: Signal<Local, Bit>,
    root: Signal<Local, Bit>,
}

#[part(Early)]
fn update(&mut self) {
    self.group.next = self.decoded.val().get_bits::<3>(0);
    self.control.next = self.decoded.val().get_bit(3);
    self.opcode.next = self.word.val().get_bits::<7>(0);
    // Divisions, CSR instructions and fence.i are of one class (DATA-002).
    self.csr.next = (self.group.val() == 3) & self.word.val().get_bit(6);
    self.unit.next = self.group.val();
    if self.csr.val() | self.control.val() {
        self.unit.next = 0.into();
    }
    self.fused.next = (self.group.val() == 4) & (self.word.val().get_bits::<3>(4) == 4);
    self.root.next = (self.group.val() == 4)
        & (self.word.val().get_bits::<3>(4) == 5)
        & ((self.word.val().get_bits::<5>(27) == 3) | (self.word.val().get_bits::<5>(27) == 11));
    // Of control instructions: branches, jal, PUSH but for `subv.auto`, LEAVE.
    self.plain.next = (!self.control.val() & !self.csr.val())
        | (self.opcode.val() == 0x63)
        | (self.opcode.val() == 0x6f)
        | (self.opcode.val() == 0x2b)
        | ((self.opcode.val() == 0x0b) & (self.word.val().get_bits::<4>(7) != 12));
    self.form.next = (bit_cast::<13, 1>(self.root.val().into()) << 12)
        | (bit_cast::<13, 1>(self.fused.val().into()) << 11)
        | (bit_cast::<13, 3>(self.unit.val()) << 8)
        | (bit_cast::<13, 1>(self.plain.val().into()) << 7)
        | (bit_cast::<13, 1>(self.control.val().into()) << 6)
        | bit_cast::<13, 6>(self.decoded.val().get_bits::<6>(5));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datapath::decode::Decode;
    use weft_rtl::Rng;

    /// Opcodes of all instructions, and others; fields that are small oftener than not.
    fn word(rng: &mut Rng) -> u64 {
        const OPCODES: [u64; 21] = [
            0x37, 0x17, 0x6f, 0x67, 0x63, 0x03, 0x23, 0x13, 0x33, 0x2f, 0x0f, 0x73, 0x53, 0x43,
            0x47, 0x4b, 0x4f, 0x0b, 0x2b, 0x5b, 0x7b,
        ];
        const TOPS: [u64; 8] = [0, 1, 2, 0x20, 0x0c, 0x2c, 0x08, 0x04];
        let opcode = match rng.chance(15, 16) {
            true => OPCODES[rng.below(21) as usize],
            false => rng.below(128),
        };
        let top = match rng.chance(3, 4) {
            true => TOPS[rng.below(8) as usize],
            false => rng.below(128),
        };
        let mut field = || if rng.flip() { 0 } else { rng.below(32) };
        let (rd, rs1, rs2) = (field(), field(), field());
        opcode | rd << 7 | rng.below(8) << 12 | rs1 << 15 | rs2 << 20 | top << 25
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "early",
            Early::default,
            4000,
            |u, rng, _| {
                u.word.next = word(rng).into();
                u.decoded.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }

    /// It says what the decoder says, and nothing that is plain needs more (DATA-012, DATA-013).
    #[test]
    fn it_says_what_the_decoder_says() {
        let (mut decode, mut early) = (Decode::default(), Early::default());
        decode.connect_all();
        early.connect_all();
        let mut rng = Rng::new(1, "early");
        let mut plain = [0u32; 2];
        for _ in 0..20_000 {
            let word = word(&mut rng);
            decode.word.next = word.into();
            decode.has_float.next = true;
            weft_rtl::settle(&mut decode);
            early.word.next = word.into();
            early.decoded.next = decode.decoded.val();
            weft_rtl::settle(&mut early);
            let (d, form) = (decode.decoded.val().to_u64(), early.form.val().to_u64());
            assert_eq!(form & 63, d >> 5 & 63, "{word:#x}");
            assert_eq!(form >> 6 & 1, d >> 3 & 1, "{word:#x}");
            if decode.legal.val() {
                let said = (form >> 8 & 7, form >> 11 & 1 == 1, form >> 12 == 1);
                let unit = decode.unit.val().to_u64();
                assert_eq!(
                    said,
                    (unit, decode.fused.val(), decode.root.val()),
                    "{word:#x}"
                );
                let asks = decode.leader.val().any()
                    | decode.mask.val()
                    | decode.by_mode.val()
                    | decode.csr.val();
                let is_plain = form >> 7 & 1 == 1;
                assert!(!(is_plain && asks), "{word:#x}");
                plain[usize::from(is_plain)] += 1;
            } else {
                assert_eq!(form >> 8, 0, "{word:#x}");
            }
        }
        assert!(plain[0] > 300 && plain[1] > 3000, "{plain:?}");
    }
}
