//! Yield policy of one warp: its counters and its random number, and what they mean for its next operation.
//! Combinational.
//!
//! Spec: `docs/spec/convergence.md`, CONV-050 to 055.
//! The policy changes only while no warp is busy and a launch clears the counters, so
//! whether something is due is asked when they are written, and kept beside them as one bit each.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `yields`, `backward`, `standstill`, `random` | in | 16 | counters of yields, of backward transfers, and of those since a token was popped, as they are; random number to be |
//! | `yields_full`, `backward_full` | in | 1 | they count no further; the latter of both counters of transfers |
//! | `clears_*`, `counts_*` | in | 1 | a counter is cleared; counts one |
//! | `pops` | in | 1 | a token is popped: no standstill |
//! | `sets_yields`, `sets_transfers`, `sets_random`, `value` | in | 1, 16 | a register is written |
//! | `cfg_*` | in | | policy |
//! | `next_yields`, `next_backward`, `next_standstill`, `next_random` | out | 16 | to be stored |
//! | `due` | out | 1 | a YIELD that is executed next fires |
//! | `reached`, `reaches` | out | 2 | a forced yield follows an operation; one that is a backward transfer. Bit 1: one that pops a token, too |
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Policy {
    pub yields: Signal<In, Bits<16>>,
    pub yields_full: Signal<In, Bit>,
    pub clears_yields: Signal<In, Bit>,
    pub counts_yield: Signal<In, Bit>,
    pub sets_yields: Signal<In, Bit>,
    pub backward: Signal<In, Bits<16>>,
    pub backward_full: Signal<In, Bit>,
    pub clears_backward: Signal<In, Bit>,
    pub counts_backward: Signal<In, Bit>,
    pub standstill: Signal<In, Bits<16>>,
    pub pops: Signal<In, Bit>,
    pub sets_transfers: Signal<In, Bit>,
    pub random: Signal<In, Bits<16>>,
    pub sets_random: Signal<In, Bit>,
    pub value: Signal<In, Bits<16>>,
    pub cfg_yield_every: Signal<In, Bits<16>>,
    pub cfg_forced_yield: Signal<In, Bits<16>>,
    pub cfg_yield_random: Signal<In, Bit>,
    pub cfg_yield_threshold: Signal<In, Bits<16>>,
    pub next_yields: Signal<Out, Bits<16>>,
    pub next_backward: Signal<Out, Bits<16>>,
    pub next_standstill: Signal<Out, Bits<16>>,
    pub next_random: Signal<Out, Bits<16>>,
    pub due: Signal<Out, Bit>,
    pub reached: Signal<Out, Bits<2>>,
    pub reaches: Signal<Out, Bits<2>>,
    // Cells.
    step: Step,
    // Combinational.
    // Before they count.
    yields_from: Signal<Local, Bits<16>>,
    backward_from: Signal<Local, Bits<16>>,
    backward_now: Signal<Local, Bits<16>>,
    standstill_from: Signal<Local, Bits<16>>,
    standstill_now: Signal<Local, Bits<16>>,
    random_now: Signal<Local, Bits<16>>,
    // How far they are beyond their limits; -1 or -2.
    to_yield: Signal<Local, Bits<16>>,
    to_force: Signal<Local, Bits<16>>,
    to_force_all: Signal<Local, Bits<16>>,
    yield_near: Signal<Local, Bit>,
    one_yield: Signal<Local, Bit>,
    one_transfer: Signal<Local, Bit>,
    one_standing: Signal<Local, Bit>,
    // Whole units of `unit` transfers; who reaches what.
    backward_units: Signal<Local, Bits<16>>,
    forces: Signal<Local, Bit>,
    unit_ends: Signal<Local, Bit>,
    nearly_full: Signal<Local, Bit>,
    all_reached: Signal<Local, Bit>,
    all_reaches: Signal<Local, Bit>,
    still_reached: Signal<Local, Bit>,
    still_reaches: Signal<Local, Bit>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<16>>,
    #[value(0x7fff.into())]
    near: Constant<Bits<16>>,
    #[value(1.into())]
    one_place: Constant<Bits<1>>,
    #[value(6.into())]
    unit: Constant<Bits<3>>,
    #[value(63.into())]
    unit_places: Constant<Bits<16>>,
    #[value(0xFFFE.into())]
    last: Constant<Bits<16>>,
    #[value(1.into())]
    by_standstill: Constant<Bits<2>>,
    #[value(3.into())]
    by_all: Constant<Bits<2>>,
    #[value(0.into())]
    by_none: Constant<Bits<2>>,
}

impl Logic for Policy {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Counters (CONV-050, CONV-055); they saturate.
        self.yields_from.next = self.yields.val();
        if self.sets_yields.val() {
            self.yields_from.next = self.value.val();
        }
        if self.clears_yields.val() {
            self.yields_from.next = self.none.val();
        }
        self.one_yield.next =
            self.counts_yield.val() & !self.clears_yields.val() & !self.yields_full.val();
        self.next_yields.next =
            self.yields_from.val() + bit_cast::<16, 1>(self.one_yield.val().into());
        self.backward_from.next = self.backward.val();
        if self.sets_transfers.val() {
            self.backward_from.next = self.value.val();
        }
        if self.clears_backward.val() {
            self.backward_from.next = self.none.val();
        }
        self.one_transfer.next =
            self.counts_backward.val() & !self.clears_backward.val() & !self.backward_full.val();
        self.backward_now.next =
            self.backward_from.val() + bit_cast::<16, 1>(self.one_transfer.val().into());
        self.next_backward.next = self.backward_now.val();
        self.standstill_from.next = self.standstill.val();
        if self.sets_transfers.val() | self.clears_backward.val() | self.pops.val() {
            self.standstill_from.next = self.none.val();
        }
        self.one_standing.next = self.one_transfer.val() & !self.pops.val();
        self.standstill_now.next =
            self.standstill_from.val() + bit_cast::<16, 1>(self.one_standing.val().into());
        self.next_standstill.next = self.standstill_now.val();
        self.random_now.next = self.random.val();
        if self.sets_random.val() {
            self.random_now.next = self.value.val();
        }
        self.next_random.next = self.random_now.val();

        // ---- What they mean for the next operation. A YIELD counts itself, or steps the random number, before it
        // asks.
        self.step.random.next = self.random_now.val();
        // With one more a counter reaches its limit if the difference is -1 or more, with two more if it is -2 or more.
        // So the subtraction need not wait for the addition.
        self.to_yield.next = self.yields_from.val() - self.cfg_yield_every.val();
        self.yield_near.next = (self.to_yield.val() >> self.one_place.val()) == self.near.val();
        self.due.next = self.cfg_yield_every.val().any()
            & ((self.yields_from.val() >= self.cfg_yield_every.val())
                | (self.yield_near.val()
                    & (self.to_yield.val().get_bit(0) | self.one_yield.val())));
        if self.cfg_yield_random.val() {
            self.due.next = self.step.stepped.val() < self.cfg_yield_threshold.val();
        }
        // (This one may wait; were it as early, the mapper would aim at a shorter cycle everywhere, for a tenth more
        // cells.)
        self.forces.next = self.cfg_forced_yield.val().any();
        self.to_force.next = self.standstill_now.val() - self.cfg_forced_yield.val();
        self.still_reached.next = self.standstill_now.val() >= self.cfg_forced_yield.val();
        self.still_reaches.next = self.to_force.val().all();
        // All transfers, in units of 64; 65,535 are always enough.
        self.backward_units.next = self.backward_now.val() >> self.unit.val();
        self.to_force_all.next = self.backward_units.val() - self.cfg_forced_yield.val();
        self.unit_ends.next =
            (self.backward_now.val() & self.unit_places.val()) == self.unit_places.val();
        self.nearly_full.next = self.backward_now.val() == self.last.val();
        self.all_reached.next = (self.backward_units.val() >= self.cfg_forced_yield.val())
            | self.backward_now.val().all();
        self.all_reaches.next =
            self.nearly_full.val() | (self.unit_ends.val() & self.to_force_all.val().all());
        self.reached.next = self.by_none.val();
        self.reaches.next = self.by_none.val();
        if self.forces.val() & self.still_reached.val() {
            self.reached.next = self.by_standstill.val();
        }
        if self.forces.val() & (self.still_reached.val() | self.still_reaches.val()) {
            self.reaches.next = self.by_standstill.val();
        }
        if self.forces.val() & self.all_reached.val() {
            self.reached.next = self.by_all.val();
        }
        if self.forces.val() & (self.all_reached.val() | self.all_reaches.val()) {
            self.reaches.next = self.by_all.val();
        }
    }
}

/// One step of the random number (CONV-052). Combinational.
#[cell]
pub struct Step {
    pub random: Signal<In, Bits<16>>,
    pub stepped: Signal<Out, Bits<16>>,
    half: Signal<Local, Bits<16>>,
    #[value(1.into())]
    one_place: Constant<Bits<1>>,
    #[value(0xB400.into())]
    taps: Constant<Bits<16>>,
}

impl Logic for Step {
    #[hdl_gen]
    fn update(&mut self) {
        self.half.next = self.random.val() >> self.one_place.val();
        self.stepped.next = self.half.val();
        if self.random.val().get_bit(0) {
            self.stepped.next = self.half.val() ^ self.taps.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random counters near their limits, and full ones: also such as no program reaches, since every signal must
    /// agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "policy",
            Policy::default,
            4000,
            |u, rng, _| {
                u.cfg_yield_every.next = rng.below(4).into();
                u.cfg_forced_yield.next = if rng.chance(1, 16) {
                    rng.bits()
                } else {
                    rng.below(4).into()
                };
                u.cfg_yield_random.next = rng.flip();
                u.cfg_yield_threshold.next = rng.bits();
                u.yields.next = if rng.chance(1, 8) {
                    0xFFFF.into()
                } else {
                    rng.below(6).into()
                };
                u.backward.next = match rng.below(8) {
                    0 => (0xFFFD + rng.below(3)).into(),
                    1..=3 => (64 * rng.below(4) + 62 + rng.below(3)).into(),
                    _ => rng.below(6).into(),
                };
                u.standstill.next = rng.below(6).into();
                u.pops.next = rng.flip();
                u.random.next = rng.bits();
                u.value.next = rng.bits();
                u.yields_full.next = rng.flip();
                u.backward_full.next = rng.flip();
                u.clears_yields.next = rng.flip();
                u.clears_backward.next = rng.flip();
                u.counts_yield.next = rng.flip();
                u.counts_backward.next = rng.flip();
                u.sets_yields.next = rng.chance(1, 8);
                u.sets_transfers.next = rng.chance(1, 8);
                u.sets_random.next = rng.chance(1, 8);
            },
            None,
        )
        .unwrap();
    }
}
