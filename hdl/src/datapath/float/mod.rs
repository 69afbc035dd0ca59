//! `weft_float`: single-precision float of a warp's passes, F lanes at once.
//!
//! Spec: `docs/spec/float.md`.
//!
//! # Parameters
//! `WI`: log2 warps; `L` lanes of the datapath, `LW` = 32 L; `PB` bits of a part's number;
//! `F` lanes of float, `FN` = L / F turns of a pass (1, 2 or 4), `FB` = max(1, log2 FN).
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module(requires(LW == 32 * L, F * FN == L, FN == 1 || FN == 2 || FN == 4, FN <= 2 && FB == 1 || FN == 1 << FB))]
pub struct Float<
    const WI: usize,
    const L: usize,
    const LW: usize,
    const PB: usize,
    const F: usize,
    const FN: usize,
    const FB: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// The row at `b` is the third operand of the next pass, and is kept until that comes.
    pub third_valid: Signal<In, Bit>,
    /// A pass; there is never a second one within FN cycles.
    pub pass_valid: Signal<In, Bit>,
    /// It is the last one of its instruction.
    pub pass_last: Signal<In, Bit>,
    /// Its warp.
    pub pass_warp: Signal<In, Bits<WI>>,
    /// Its part of the warp.
    pub pass_part: Signal<In, Bits<PB>>,
    /// Bit 5: there is a destination; bits 4:0: its number.
    pub pass_rd: Signal<In, Bits<6>>,
    /// Its lanes; never 0.
    pub pass_mask: Signal<In, Bits<L>>,
    /// The operation.
    pub pass_code: Signal<In, Bits<5>>,
    /// 0 rne, 1 rtz, 2 rdn, 3 rup, 4 rmm, 7 as 0.
    pub pass_rounding: Signal<In, Bits<3>>,
    /// First operands, lane 0 lowest.
    pub a: Signal<In, Bits<LW>>,
    /// Second operands, lane 0 lowest.
    pub b: Signal<In, Bits<LW>>,
    /// Three more passes have room beyond all that are inside, and no division or square root is inside.
    pub free: Signal<Out, Bit>,
    /// Nothing is inside: a division or square root may be sent.
    pub idle: Signal<Out, Bit>,
    /// A row of results.
    pub result_valid: Signal<Out, Bit>,
    /// It is taken.
    pub result_ready: Signal<In, Bit>,
    /// Its warp.
    pub result_warp: Signal<Out, Bits<WI>>,
    /// Its part.
    pub result_part: Signal<Out, Bits<PB>>,
    /// The register.
    pub result_rd: Signal<Out, Bits<5>>,
    /// Its lanes.
    pub result_mask: Signal<Out, Bits<L>>,
    /// The words, lane 0 lowest.
    pub result_data: Signal<Out, Bits<LW>>,
    /// An instruction is complete: its rows have been taken before.
    pub complete_valid: Signal<Out, Bit>,
    /// It is taken note of.
    pub complete_ready: Signal<In, Bit>,
    /// Its warp.
    pub complete_warp: Signal<Out, Bits<WI>>,
    /// Its `pass_rd`.
    pub complete_rd: Signal<Out, Bits<6>>,
    // Nothing is computed yet.
    inside: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    part: DFF<Bits<PB>>,
    rd: DFF<Bits<6>>,
    mask: DFF<Bits<L>>,
    row: DFF<Bits<LW>>,
}

impl<
        const WI: usize,
        const L: usize,
        const LW: usize,
        const PB: usize,
        const F: usize,
        const FN: usize,
        const FB: usize,
    > kernel::Part for Float<WI, L, LW, PB, F, FN, FB>
{
    #[hdl_gen]
    fn update(&mut self) {
        if self.pass_valid.val() {
            self.inside.d.next = self.pass_last.val();
            self.warp.d.next = self.pass_warp.val();
            self.part.d.next = self.pass_part.val();
            self.rd.d.next = self.pass_rd.val();
            self.mask.d.next = self.pass_mask.val();
            self.row.d.next = self.a.val() | self.b.val();
        }
        if self.complete_ready.val() {
            self.inside.d.next = false;
        }
        self.free.next = !self.inside.q.val();
        self.idle.next = !self.inside.q.val();
        self.result_valid.next = false;
        self.result_warp.next = self.warp.q.val();
        self.result_part.next = self.part.q.val();
        self.result_rd.next = self.rd.q.val().get_bits::<5>(0);
        self.result_mask.next = self.mask.q.val();
        self.result_data.next = self.row.q.val();
        self.complete_valid.next = self.inside.q.val();
        self.complete_warp.next = self.warp.q.val();
        self.complete_rd.next = self.rd.q.val();
    }
}
