//! `weft_wavefront`: who selects the mode of `subv.auto`, and where the registers of a warp stand in the register file.
//!
//! Spec: `docs/spec/subvector.md`, SUBV-010 to 013, 020 to 023, 040 to 046. Part of the datapath.
//!
//! # Parameters
//! `NW` warps, a power of two from 4 to 32; `W` threads per warp, 4 to 64; `PB` = log2 W; `RB` = log2 NW + PB + 5.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `cfg_threshold` | in | 9 | miss rate from which on sub-vector mode is selected, in 1/256; above 256: never |
//! | `cfg_force` | in | 2 | 0 and 3: measured, 1 regular, 2 sub-vector |
//! | `cfg_lanes` | in | 3 | log2 L (CONV-121); level |
//! | `cfg_shared_from` | in | 6 | F, the first shared register; 32 and more: none; level |
//! | `access_valid`, `access_miss`, `access_regular` | in | 1 | an access to the cache; it missed; it was made in regular mode |
//! | `ask_valid` | in | 1 | a `subv.auto` |
//! | `answer_valid`, `answer_subvector` | out | 1 | one cycle after `ask_valid`; it is a `subv.start` |
//! | `decision_valid`, `decision_subvector` | out | 1 | one cycle after the access that completed a window |
//! | `map_valid`, `map_uses` | in | 1, 3 | registers of an instruction for one part; bit 0 rs1, 1 rs2, 2 rd is used |
//! | `map_subvector` | in | 1 | its threads are in sub-vector mode |
//! | `map_part` | in | PB | number of the part, below P |
//! | `map_base` | in | RB | first row of the warp |
//! | `map_rs1`, `map_rs2`, `map_rd` | in | 5 | register numbers |
//! | `row_valid`, `row_misuse` | out | 1, 3 | one cycle after `map_valid`; a used register is shared, outside the mode |
//! | `row_rs1`, `row_rs2`, `row_rd` | out | RB | the rows |
//! | `warp_rows` | out | RB | rows that a warp takes |
//!
//! # Cycle behaviour
//! ```text
//! cycle      255                256               257
//! access_*   256th counted      ...
//! ask_valid  1                  1                 0
//! answer_*   -                  of cycle 255      of cycle 256
//!                               (old decision)    (new decision)
//! decision_* -                  of the 256        -
//! map_*      of an instruction  of the next one
//! row_*      -                  of the first      of the next one
//! ```
//!
//! # Invariants
//! 1. `hold` is one-hot after reset, and `left` is never more than the hold of the latest decision.
//! 2. A row is in [`map_base`, `map_base` + `warp_rows`).
//!
//! # Errors
//! Only `row_misuse`. `Default` panics when the parameters do not fit.

use crate::hdl::*;

/// The row of one operand: a cell of its own, three times the same.
#[cell]
pub struct RowAddress<const PB: usize, const RB: usize> {
    pub name: Signal<In, Bits<5>>,
    pub used: Signal<In, Bit>,
    pub in_mode: Signal<In, Bit>,
    pub part: Signal<In, Bits<PB>>,
    pub base: Signal<In, Bits<RB>>,
    /// F, log2 P, and F × P − F.
    pub shared_from: Signal<In, Bits<6>>,
    pub shift: Signal<In, Bits<3>>,
    pub shared_base: Signal<In, Bits<RB>>,
    pub row: Signal<Out, Bits<RB>>,
    pub misuse: Signal<Out, Bit>,
    number: Signal<Local, Bits<6>>,
    is_shared: Signal<Local, Bit>,
    wide: Signal<Local, Bits<RB>>,
    offset: Signal<Local, Bits<RB>>,
}

impl<const PB: usize, const RB: usize> Logic for RowAddress<PB, RB> {
    #[hdl_gen]
    fn update(&mut self) {
        self.number.next = bit_cast::<6, 5>(self.name.val());
        self.is_shared.next = self.number.val() >= self.shared_from.val();
        self.wide.next = bit_cast::<RB, 5>(self.name.val());
        self.offset.next =
            (self.wide.val() << self.shift.val()) | bit_cast::<RB, PB>(self.part.val());
        if self.is_shared.val() {
            self.offset.next = self.shared_base.val() + self.wide.val();
        }
        self.row.next = self.base.val() + self.offset.val();
        self.misuse.next = self.is_shared.val() & self.used.val() & !self.in_mode.val();
    }
}

#[module(
    requires(
        NW.is_power_of_two(), (4..=32).contains(&NW), W == 1 << PB, (2..=6).contains(&PB),
        RB == NW.ilog2() as usize + PB + 5
    )
)]
pub struct Wavefront<const NW: usize, const W: usize, const PB: usize, const RB: usize> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// Miss rate from which on it is sub-vector mode, in 1/256; above 256 never (SUBV-011).
    pub cfg_threshold: Signal<In, Bits<9>>,
    /// Who selects the mode (SUBV-013); 3 is as 0.
    pub cfg_force: Signal<In, Bits<2>>,
    /// log2 of the lanes (CONV-121).
    pub cfg_lanes: Signal<In, Bits<3>>,
    /// The first register that the parts of a warp share (SUBV-020); 32 and more: none.
    pub cfg_shared_from: Signal<In, Bits<6>>,
    /// An access to the cache.
    pub access_valid: Signal<In, Bit>,
    /// It missed.
    pub access_miss: Signal<In, Bit>,
    /// Its thread is in regular mode.
    pub access_regular: Signal<In, Bit>,
    /// A `subv.auto`.
    pub ask_valid: Signal<In, Bit>,
    /// One cycle after `ask_valid`.
    pub answer_valid: Signal<Out, Bit>,
    /// It is a `subv.start`, and not an `ssy` (SUBV-014).
    pub answer_subvector: Signal<Out, Bit>,
    /// One cycle after the access that completes a window.
    pub decision_valid: Signal<Out, Bit>,
    /// What is decided: sub-vector mode.
    pub decision_subvector: Signal<Out, Bit>,
    /// The registers of an instruction for one part.
    pub map_valid: Signal<In, Bit>,
    /// Bit 0: rs1 is used, 1: rs2, 2: rd.
    pub map_uses: Signal<In, Bits<3>>,
    /// The part's threads are in sub-vector mode.
    pub map_subvector: Signal<In, Bit>,
    /// The part's number.
    pub map_part: Signal<In, Bits<PB>>,
    /// The warp's first row.
    pub map_base: Signal<In, Bits<RB>>,
    /// Register.
    pub map_rs1: Signal<In, Bits<5>>,
    /// Register.
    pub map_rs2: Signal<In, Bits<5>>,
    /// Register.
    pub map_rd: Signal<In, Bits<5>>,
    /// One cycle after `map_valid`.
    pub row_valid: Signal<Out, Bit>,
    /// Bits as in `map_uses`: a shared register is used, and the part is not in the mode (SUBV-023).
    pub row_misuse: Signal<Out, Bits<3>>,
    /// Row of rs1, also when it is not used.
    pub row_rs1: Signal<Out, Bits<RB>>,
    /// Row of rs2.
    pub row_rs2: Signal<Out, Bits<RB>>,
    /// Row of rd.
    pub row_rd: Signal<Out, Bits<RB>>,
    /// Rows that a warp takes.
    pub warp_rows: Signal<Out, Bits<RB>>,
    // State: the window; `subv.auto` that still select sub-vector mode; the next hold in 64, one-hot.
    accesses: DFF<Bits<8>>,
    misses: DFF<Bits<9>>,
    left: DFF<Bits<13>>,
    hold: DFF<Bits<7>>,
    // What the configuration comes to: F, log2 P, P - 1, F * P - F, rows of a warp.
    shared_from: DFF<Bits<6>>,
    shift: DFF<Bits<3>>,
    part_bits: DFF<Bits<PB>>,
    shared_base: DFF<Bits<RB>>,
    all_rows: DFF<Bits<RB>>,
    // Results.
    answered: DFF<Bit>,
    answer: DFF<Bit>,
    decided: DFF<Bit>,
    decision: DFF<Bit>,
    mapped: DFF<Bit>,
    misuse: DFF<Bits<3>>,
    rs1: DFF<Bits<RB>>,
    rs2: DFF<Bits<RB>>,
    rd: DFF<Bits<RB>>,
    // Combinational.
    counts: Signal<Local, Bit>,
    missed: Signal<Local, Bit>,
    total: Signal<Local, Bits<9>>,
    decides: Signal<Local, Bit>,
    pays: Signal<Local, Bit>,
    measured: Signal<Local, Bit>,
    wide_hold: Signal<Local, Bits<13>>,
    wide_from: Signal<Local, Bits<RB>>,
    shared_start: Signal<Local, Bits<RB>>,
    beyond: Signal<Local, Bits<PB>>,
    part: Signal<Local, Bits<PB>>,
    misused: Signal<Local, Bits<3>>,
    of_rs1: RowAddress<PB, RB>,
    of_rs2: RowAddress<PB, RB>,
    of_rd: RowAddress<PB, RB>,
    // Constants.
    #[value(1.into())]
    one_access: Constant<Bits<8>>,
    #[value(0.into())]
    no_accesses: Constant<Bits<8>>,
    #[value(1.into())]
    one_miss: Constant<Bits<9>>,
    #[value(0.into())]
    no_misses: Constant<Bits<9>>,
    #[value(1.into())]
    one_ask: Constant<Bits<13>>,
    #[value(0.into())]
    no_asks: Constant<Bits<13>>,
    #[value(6.into())]
    hold_bits: Constant<Bits<3>>,
    #[value(1.into())]
    first_hold: Constant<Bits<7>>,
    #[value(1.into())]
    longer: Constant<Bits<1>>,
    #[value(1.into())]
    force_regular: Constant<Bits<2>>,
    #[value(2.into())]
    force_subvector: Constant<Bits<2>>,
    #[value(32.into())]
    all_registers: Constant<Bits<6>>,
    #[value(32.into())]
    all_private: Constant<Bits<RB>>,
    #[value((PB as u64).into())]
    width_bits: Constant<Bits<3>>,
    #[value(0.into())]
    one_part: Constant<Bits<3>>,
    #[value((W as u64 - 1).into())]
    all_parts: Constant<Bits<PB>>,
}

#[part(Wavefront<NW, W, PB, RB>)]
fn update(&mut self) {
    // ---- The window (SUBV-011). 256 accesses: misses * 256 >= threshold * 256.
    self.counts.next = self.access_valid.val() & self.access_regular.val();
    self.missed.next = self.counts.val() & self.access_miss.val();
    self.total.next = self.misses.q.val();
    if self.missed.val() {
        self.total.next = self.misses.q.val() + self.one_miss.val();
    }
    self.decides.next = self.counts.val() & self.accesses.q.val().all();
    self.pays.next = self.total.val() >= self.cfg_threshold.val();
    if self.counts.val() {
        self.accesses.d.next = self.accesses.q.val() + self.one_access.val();
        self.misses.d.next = self.total.val();
    }

    // ---- A question (SUBV-012, 013) goes before an access of the same cycle.
    self.measured.next = (self.cfg_force.val() != self.force_regular.val())
        & (self.cfg_force.val() != self.force_subvector.val());
    self.answer.d.next = (self.cfg_force.val() == self.force_subvector.val())
        | (self.measured.val() & self.left.q.val().any());
    self.answered.d.next = self.ask_valid.val() & !self.reset.val();
    if self.ask_valid.val() & self.measured.val() & self.left.q.val().any() {
        self.left.d.next = self.left.q.val() - self.one_ask.val();
    }
    self.wide_hold.next = bit_cast::<13, 7>(self.hold.q.val()) << self.hold_bits.val();
    self.decided.d.next = self.decides.val() & !self.reset.val();
    self.decision.d.next = self.pays.val();
    if self.decides.val() {
        carry!(self.*.d <- self.no_*: accesses, misses, left = asks);
        self.hold.d.next = self.first_hold.val();
        if self.pays.val() {
            self.left.d.next = self.wide_hold.val();
            self.hold.d.next = self.hold.q.val();
            if !self.hold.q.val().get_bit(6) {
                self.hold.d.next = self.hold.q.val() << self.longer.val();
            }
        }
    }
    if self.reset.val() {
        carry!(self.*.d <- self.no_*: accesses, misses, left = asks);
        self.hold.d.next = self.first_hold.val();
    }
    carry!(self <- self.*.q:
        answer_valid = answered, answer_subvector = answer, decision_valid = decided,
        decision_subvector = decision,
    );

    // ---- The configuration, in two steps.
    self.shared_from.d.next = self.cfg_shared_from.val();
    if self.cfg_shared_from.val() >= self.all_registers.val() {
        self.shared_from.d.next = self.all_registers.val();
    }
    self.shift.d.next = self.width_bits.val() - self.cfg_lanes.val();
    if self.cfg_lanes.val() >= self.width_bits.val() {
        self.shift.d.next = self.one_part.val();
    }
    self.beyond.next = self.all_parts.val() << self.shift.q.val();
    self.part_bits.d.next = !self.beyond.val();
    self.wide_from.next = bit_cast::<RB, 6>(self.shared_from.q.val());
    self.shared_start.next = self.wide_from.val() << self.shift.q.val();
    self.shared_base.d.next = self.shared_start.val() - self.wide_from.val();
    self.all_rows.d.next =
        (self.shared_start.val() - self.wide_from.val()) + self.all_private.val();
    self.warp_rows.next = self.all_rows.q.val();

    // ---- Rows (SUBV-021).
    self.part.next = self.map_part.val() & self.part_bits.q.val();
    self.of_rs1.name.next = self.map_rs1.val();
    self.of_rs1.used.next = self.map_uses.val().get_bit(0);
    carry!(self.of_rs1 <- self: in_mode = map_subvector, part, base = map_base);
    carry!(self.of_rs1 <- self.*.q: shared_from, shift, shared_base);
    self.of_rs2.name.next = self.map_rs2.val();
    self.of_rs2.used.next = self.map_uses.val().get_bit(1);
    carry!(self.of_rs2 <- self: in_mode = map_subvector, part, base = map_base);
    carry!(self.of_rs2 <- self.*.q: shared_from, shift, shared_base);
    self.of_rd.name.next = self.map_rd.val();
    self.of_rd.used.next = self.map_uses.val().get_bit(2);
    carry!(self.of_rd <- self: in_mode = map_subvector, part, base = map_base);
    carry!(self.of_rd <- self.*.q: shared_from, shift, shared_base);
    carry!(self.*.d <- self.of_*.row: rs1, rs2, rd);
    self.misused.next = bit_cast::<3, 1>(self.of_rs1.misuse.val().into());
    if self.of_rs2.misuse.val() {
        self.misused.next = self.misused.val().replace_bit(1, true);
    }
    if self.of_rd.misuse.val() {
        self.misused.next = self.misused.val().replace_bit(2, true);
    }
    self.misuse.d.next = self.misused.val();
    self.mapped.d.next = self.map_valid.val() & !self.reset.val();
    self.row_valid.next = self.mapped.q.val();
    carry!(self.row_* <- self.*.q: misuse, rs1, rs2, rd);
}

crate::simulation::word_ports! { Wavefront<NW, W, PB, RB>:
    reset cfg_threshold cfg_force cfg_lanes cfg_shared_from access_valid access_miss access_regular ask_valid map_valid
    map_uses map_subvector map_part map_base map_rs1 map_rs2 map_rd;
    answer_valid answer_subvector decision_valid decision_subvector row_valid row_misuse row_rs1 row_rs2 row_rd warp_rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_ports::wavefront::{Inputs, Map};
    use weft_rtl::Rng;

    fn drive<const NW: usize, const W: usize, const PB: usize, const RB: usize>(
        u: &mut Wavefront<NW, W, PB, RB>,
        i: &Inputs,
    ) {
        let map = i.map.unwrap_or_default();
        let (miss, regular) = i.access.unwrap_or_default();
        u.reset.next = i.reset;
        u.cfg_threshold.next = i.threshold.into();
        u.cfg_force.next = i.force.into();
        u.cfg_lanes.next = i.lanes.into();
        u.cfg_shared_from.next = i.shared_from.into();
        u.access_valid.next = i.access.is_some();
        u.access_miss.next = miss;
        u.access_regular.next = regular;
        u.ask_valid.next = i.ask;
        u.map_valid.next = i.map.is_some();
        u.map_uses.next = map.uses.into();
        u.map_subvector.next = map.subvector;
        u.map_part.next = map.part.into();
        u.map_base.next = map.base.into();
        u.map_rs1.next = map.registers[0].into();
        u.map_rs2.next = map.registers[1].into();
        u.map_rd.next = map.registers[2].into();
    }

    /// Random ports; most of the time many accesses, which nearly all miss or nearly all hit.
    fn random(rng: &mut Rng, t: usize, threads: usize, rows: u64) -> Inputs {
        let often = [1, 7][t / 1000 % 2];
        Inputs {
            reset: t < 2 || rng.chance(1, 1500),
            threshold: [0, 32, 224, 256, 300][t / 2000 % 5],
            force: if rng.chance(1, 20) { rng.below(4) } else { 0 },
            lanes: rng.below(8),
            shared_from: rng.below(64),
            access: (rng.chance(7, 8)).then(|| (rng.chance(often, 8), rng.chance(7, 8))),
            ask: rng.chance(1, 3),
            map: (rng.chance(3, 4)).then(|| Map {
                uses: rng.below(8),
                subvector: rng.chance(1, 2),
                part: rng.below(threads as u64),
                base: rng.below(rows),
                registers: [rng.below(32), rng.below(32), rng.below(32)],
            }),
        }
    }

    fn verilog_agrees<const NW: usize, const W: usize, const PB: usize, const RB: usize>() {
        weft_rtl::check_module(
            "weft_wavefront",
            Wavefront::<NW, W, PB, RB>::default,
            12_000,
            |u, rng, t| drive(u, &random(rng, t, W, 1 << RB)),
            Some(|u: &mut Wavefront<NW, W, PB, RB>, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn verilog_agrees_with_4_threads() {
        verilog_agrees::<4, 4, 2, 9>();
    }

    #[test]
    fn verilog_agrees_with_64_threads() {
        verilog_agrees::<4, 64, 6, 13>();
    }
}
