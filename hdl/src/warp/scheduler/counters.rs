//! Counters of a scheduler: where its cycles went.
//!
//! Spec: `docs/spec/scheduler.md`, *Counters*.
//!
//! # Parameters
//! `NW` warps, a power of two, 4 at least; `WI` = log2 NW; `SB` = WI + 4.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `clear`, `hold` | in | 1 | `counter_clear`, `counter_hold` |
//! | `issued`, `issued_warp`, `second` | in | 1, WI, 1 | an instruction is issued in this cycle; with it a second one; late |
//! | `running`, `wants`, `held` | in | NW each | warps that run; that have more to decode; that wait at a barrier |
//! | `present`, `blocked`, `usable` | in | NW each | warps that run and have an instruction; of these: it waits; its unit is free |
//! | `select`, `value` | in, out | SB, 32 | `counter_select`, `counter_value` |
//!
//! # Cycle behaviour
//! ```text
//! cycle         0         1         2         3                     select      0    1    2    3
//! event         1         -         -         -                     copy        -    1    -    -
//! memory        -         read      -         written at the end    value       -    -    -    1
//! ```
//! Of the sets, the bits of the warp that is looked at go to registers;
//! which reason they make is found in the next cycle.
//! Each memory has a copy for `value`. An event counts in `value` when its select comes 3 cycles after it or later.
//! A clear takes 2^SB cycles, in which the number of the cycle is the address.
//!
//! # Invariants
//! 1. A warp's counters add up to the cycles in which it was looked at (SCHED-041).
//! 2. Nothing is lost when a warp issues again 3 cycles after it issued; it must not do so earlier.
//!
//! # Errors
//! None at run time. `Default` panics when `WI` or `SB` do not fit `NW`.

use crate::hdl::*;
use crate::prim::{BlockRam, LutRam, Quarters, SyncRam};

#[module(requires(NW >= 4, NW == 1 << WI, SB == WI + 4))]
pub struct Counters<const NW: usize, const WI: usize, const SB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub hold: Signal<In, Bit>,
    pub issued: Signal<In, Bit>,
    pub issued_warp: Signal<In, Bits<WI>>,
    pub second: Signal<In, Bit>,
    pub running: Signal<In, Bits<NW>>,
    pub wants: Signal<In, Bits<NW>>,
    pub held: Signal<In, Bits<NW>>,
    pub present: Signal<In, Bits<NW>>,
    pub blocked: Signal<In, Bits<NW>>,
    pub usable: Signal<In, Bits<NW>>,
    pub select: Signal<In, Bits<SB>>,
    pub value: Signal<Out, Bits<32>>,
    // State: number of the counted cycle, or of the cycle of a clear.
    number: DFF<Bits<SB>>,
    clearing: DFF<Bit>,
    // State: what there was in the cycle before, among all warps.
    was_clean: DFF<Bits<4>>,
    was_offered: DFF<Bit>,
    was_wanting: DFF<Bit>,
    was_running: DFF<Bit>,
    // State: the warp that is looked at.
    look: DFF<Bits<NW>>,
    // State: what was found of it.
    issued_1: DFF<Bit>,
    runs_1: DFF<Bit>,
    wants_1: DFF<Bit>,
    offers_1: DFF<Bit>,
    clean_1: DFF<Bits<4>>,
    usable_1: DFF<Bits<4>>,
    looked_1: DFF<Bits<WI>>,
    step_1: DFF<Bits<4>>,
    // State: events on their way, by cycles since. `one`, `two`: so many instructions of `warp` were issued.
    counts_1: DFF<Bit>,
    counts_2: DFF<Bit>,
    counts_3: DFF<Bit>,
    clears_1: DFF<Bit>,
    clears_2: DFF<Bit>,
    clears_3: DFF<Bit>,
    one_1: DFF<Bit>,
    one_2: DFF<Bit>,
    one_3: DFF<Bit>,
    two_1: DFF<Bit>,
    two_2: DFF<Bit>,
    two_3: DFF<Bit>,
    place_2: DFF<Bits<SB>>,
    place_3: DFF<Bits<SB>>,
    warp_1: DFF<Bits<WI>>,
    warp_2: DFF<Bits<WI>>,
    warp_3: DFF<Bits<WI>>,
    whole_1: DFF<Bits<3>>,
    reasons_3: DFF<Bits<32>>,
    issues_3: DFF<Bits<32>>,
    // State: reasons of warps, issued instructions of warps, reasons of the whole scheduler;
    // each with a copy for `value`.
    reasons: BlockRam<32, SB>,
    reasons_copy: SyncRam<Bits<32>, SB>,
    // (All as large as the first: a small one would become LUTs.)
    issues: SyncRam<Bits<32>, SB>,
    issues_copy: SyncRam<Bits<32>, SB>,
    whole: LutRam<Bits<32>, 3>,
    whole_copy: LutRam<Bits<32>, 3>,
    // State: cycles with two instructions.
    pairs: DFF<Bits<32>>,
    // State: the selected counter on its way; all values but the selected one are 0.
    select_1: DFF<Bits<SB>>,
    select_2: DFF<Bits<SB>>,
    value_reasons: DFF<Bits<32>>,
    value_issues: DFF<Bits<32>>,
    value_whole: DFF<Bits<32>>,
    value_pairs: DFF<Bits<32>>,
    // Combinational: warps that are not held and have more to decode; that have an instruction;
    // one that waits for nothing.
    wanting: Signal<Local, Bits<NW>>,
    offered: Signal<Local, Bits<NW>>,
    clean: Signal<Local, Bits<NW>>,
    some_clean: Quarters<NW>,
    looked_clean: Quarters<NW>,
    looked_usable: Quarters<NW>,
    reason: Signal<Local, Bits<3>>,
    counted: Signal<Local, Bit>,
    looked: Signal<Local, Bits<WI>>,
    wraps: Signal<Local, Bits<NW>>,
    round: Signal<Local, Bits<SB>>,
    step: Signal<Local, Bits<4>>,
    warp_reason: Signal<Local, Bits<3>>,
    low: Signal<Local, Bits<4>>,
    place_1: Signal<Local, Bits<SB>>,
    new_reasons: Signal<Local, Bits<32>>,
    step_reasons: Signal<Local, Bits<32>>,
    writes_reasons: Signal<Local, Bit>,
    new_issues: Signal<Local, Bits<32>>,
    step_issues: Signal<Local, Bits<32>>,
    writes_issues: Signal<Local, Bit>,
    new_whole: Signal<Local, Bits<32>>,
    writes_whole: Signal<Local, Bit>,
    wide_select: Signal<Local, Bits<7>>,
    index: Signal<Local, Bits<4>>,
    which: Signal<Local, Bits<3>>,
    // Constants.
    #[value(0.into())]
    first_number: Constant<Bits<SB>>,
    #[value(1.into())]
    next_number: Constant<Bits<SB>>,
    #[value((WI as u64).into())]
    warp_bits: Constant<Bits<3>>,
    #[value((NW as u64 - 1).into())]
    last_warp: Constant<Bits<WI>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(1.into())]
    one: Constant<Bits<32>>,
    #[value(1.into())]
    first_warp: Constant<Bits<NW>>,
    #[value(0.into())]
    is_issue: Constant<Bits<3>>,
    #[value(1.into())]
    is_unit: Constant<Bits<3>>,
    #[value(0.into())]
    no_quarters: Constant<Bits<4>>,
    #[value(2.into())]
    is_hazard: Constant<Bits<3>>,
    #[value(3.into())]
    is_fetch: Constant<Bits<3>>,
    #[value(4.into())]
    is_waiting: Constant<Bits<3>>,
    #[value(5.into())]
    is_idle: Constant<Bits<3>>,
    #[value(7.into())]
    is_ready: Constant<Bits<3>>,
    #[value(8.into())]
    index_issued: Constant<Bits<4>>,
    #[value(9.into())]
    index_low: Constant<Bits<4>>,
    #[value(10.into())]
    index_high: Constant<Bits<4>>,
    #[value(4.into())]
    which_high: Constant<Bits<3>>,
    #[value(6.into())]
    which_pairs: Constant<Bits<3>>,
}

#[part(Counters<NW, WI, SB>)]
fn update(&mut self) {
    // Of all warps: what there was in the cycle before. The reasons that come before CONTROL leave no others.
    self.wanting.next = self.wants.val() & !self.held.val();
    self.offered.next = self.present.val() & !self.held.val();
    self.clean.next = self.offered.val() & !self.blocked.val();
    self.some_clean.among.next = self.clean.val();
    self.was_clean.d.next = self.some_clean.some.val();
    self.was_offered.d.next = self.offered.val().any();
    self.was_wanting.d.next = self.wanting.val().any();
    self.was_running.d.next = self.running.val().any();
    self.reason.next = self.is_idle.val();
    if self.issued.val() {
        self.reason.next = self.is_issue.val();
    } else if self.was_clean.q.val().any() {
        self.reason.next = self.is_unit.val();
    } else if self.was_offered.q.val() {
        self.reason.next = self.is_hazard.val();
    } else if self.was_wanting.q.val() {
        self.reason.next = self.is_fetch.val();
    } else if self.was_running.q.val() {
        self.reason.next = self.is_waiting.val();
    }
    if self.reset.val() {
        self.was_clean.d.next = self.no_quarters.val();
        self.was_offered.d.next = false;
        self.was_wanting.d.next = false;
        self.was_running.d.next = false;
    }
    // The cycle at hand.
    self.counted.next = !self.clearing.q.val() & !self.hold.val();
    self.looked.next = bit_cast::<WI, SB>(self.number.q.val());
    self.wraps.next = self.look.q.val() >> self.last_warp.val();
    if self.clearing.q.val() | !self.hold.val() {
        self.number.d.next = self.number.q.val() + self.next_number.val();
        self.look.d.next = (self.look.q.val() << 1) | self.wraps.val();
    }
    if self.number.q.val().all() {
        self.clearing.d.next = false;
    }
    if self.reset.val() | self.clear.val() {
        self.number.d.next = self.first_number.val();
        self.look.d.next = self.first_warp.val();
        self.clearing.d.next = true;
    }
    self.round.next = self.number.q.val() >> self.warp_bits.val();
    self.step.next = bit_cast::<4, SB>(self.round.val());
    self.counts_1.d.next = self.counted.val();
    self.clears_1.d.next = self.clearing.q.val();
    self.one_1.d.next = self.counted.val() & self.issued.val() & !self.second.val();
    self.two_1.d.next = self.counted.val() & self.issued.val() & self.second.val();
    self.warp_1.d.next = self.issued_warp.val();
    self.whole_1.d.next = self.reason.val();
    if self.clearing.q.val() {
        self.warp_1.d.next = self.looked.val();
        self.whole_1.d.next = self.step.val().get_bits::<3>(0);
    }
    // The warp that is looked at.
    self.issued_1.d.next = self.issued.val() & (self.issued_warp.val() == self.looked.val());
    self.runs_1.d.next = (self.running.val() & self.look.q.val()).any();
    self.wants_1.d.next = (self.wanting.val() & self.look.q.val()).any();
    self.offers_1.d.next = (self.offered.val() & self.look.q.val()).any();
    self.looked_clean.among.next = self.clean.val() & self.look.q.val();
    self.clean_1.d.next = self.looked_clean.some.val();
    self.looked_usable.among.next = self.usable.val() & self.look.q.val();
    self.usable_1.d.next = self.looked_usable.some.val();
    self.looked_1.d.next = self.looked.val();
    self.step_1.d.next = self.step.val();
    self.warp_reason.next = self.is_waiting.val();
    if self.issued_1.q.val() {
        self.warp_reason.next = self.is_issue.val();
    } else if !self.runs_1.q.val() {
        self.warp_reason.next = self.is_idle.val();
    } else if self.clean_1.q.val().any() {
        self.warp_reason.next = self.is_unit.val();
        if self.usable_1.q.val().any() {
            self.warp_reason.next = self.is_ready.val();
        }
    } else if self.offers_1.q.val() {
        self.warp_reason.next = self.is_hazard.val();
    } else if self.wants_1.q.val() {
        self.warp_reason.next = self.is_fetch.val();
    }
    self.low.next = bit_cast::<4, 3>(self.warp_reason.val());
    if self.clears_1.q.val() {
        self.low.next = self.step_1.q.val();
    }
    self.place_1.next =
        (bit_cast::<SB, WI>(self.looked_1.q.val()) << 4) | bit_cast::<SB, 4>(self.low.val());
    // Memories of the warps: read, take over, add and write.
    carry!(self.*.d <- self.*.q: counts_2 = counts_1, counts_3 = counts_2, clears_2 = clears_1);
    carry!(self.*.d <- self.*.q: clears_3 = clears_2, one_2 = one_1, one_3 = one_2, two_2 = two_1);
    self.two_3.d.next = self.two_2.q.val();
    self.place_2.d.next = self.place_1.val();
    carry!(self.*.d <- self.*.q: place_3 = place_2, warp_2 = warp_1, warp_3 = warp_2);
    self.reasons.read_address.next = self.place_1.val();
    self.issues.read_address.next = bit_cast::<SB, WI>(self.warp_1.q.val());
    self.reasons_3.d.next = self.reasons.read_data.val();
    self.issues_3.d.next = self.issues.read_data.val();
    if self.clears_2.q.val() {
        spread!(self.*.d <- self.zero: reasons_3, issues_3);
    }
    self.step_reasons.next = bit_cast::<32, 1>(self.counts_3.q.val().into());
    self.new_reasons.next = self.reasons_3.q.val() + self.step_reasons.val();
    self.writes_reasons.next = self.counts_3.q.val() | self.clears_3.q.val();
    self.reasons.write_enable.next = self.writes_reasons.val();
    self.reasons.write_address.next = self.place_3.q.val();
    self.reasons.write_data.next = self.new_reasons.val();
    self.reasons_copy.write_enable.next = self.writes_reasons.val();
    self.reasons_copy.write_address.next = self.place_3.q.val();
    self.reasons_copy.write_data.next = self.new_reasons.val();
    self.step_issues.next = bit_cast::<32, 1>(self.one_3.q.val().into())
        | (bit_cast::<32, 1>(self.two_3.q.val().into()) << 1);
    self.new_issues.next = self.issues_3.q.val() + self.step_issues.val();
    self.writes_issues.next = self.one_3.q.val() | self.two_3.q.val() | self.clears_3.q.val();
    self.issues.write_enable.next = self.writes_issues.val();
    self.issues.write_address.next = bit_cast::<SB, WI>(self.warp_3.q.val());
    self.issues.write_data.next = self.new_issues.val();
    self.issues_copy.write_enable.next = self.writes_issues.val();
    self.issues_copy.write_address.next = bit_cast::<SB, WI>(self.warp_3.q.val());
    self.issues_copy.write_data.next = self.new_issues.val();
    // The whole scheduler: all in one cycle, the same reason may come in the next one.
    self.whole.read_address.next = self.whole_1.q.val();
    self.new_whole.next = self.whole.read_data.val() + self.one.val();
    if self.two_1.q.val() {
        self.pairs.d.next = self.pairs.q.val() + self.one.val();
    }
    if self.clears_1.q.val() {
        self.new_whole.next = self.zero.val();
        self.pairs.d.next = self.zero.val();
    }
    self.writes_whole.next = self.counts_1.q.val() | self.clears_1.q.val();
    self.whole.write_enable.next = self.writes_whole.val();
    self.whole.write_address.next = self.whole_1.q.val();
    self.whole.write_data.next = self.new_whole.val();
    self.whole_copy.write_enable.next = self.writes_whole.val();
    self.whole_copy.write_address.next = self.whole_1.q.val();
    self.whole_copy.write_data.next = self.new_whole.val();
    // Value.
    self.select_1.d.next = self.select.val();
    self.select_2.d.next = self.select_1.q.val();
    self.reasons_copy.read_address.next = self.select_1.q.val();
    self.issues_copy.read_address.next = self.select_1.q.val() >> 4;
    self.index.next = self.select_2.q.val().get_bits::<4>(0);
    self.wide_select.next = bit_cast::<7, SB>(self.select_2.q.val());
    self.which.next = self.wide_select.val().get_bits::<3>(4);
    if self.index.val() == self.index_high.val() {
        self.which.next = self.wide_select.val().get_bits::<3>(4) | self.which_high.val();
    }
    self.whole_copy.read_address.next = self.which.val();
    self.value_reasons.d.next = self.reasons_copy.read_data.val();
    self.value_issues.d.next = self.issues_copy.read_data.val();
    self.value_whole.d.next = self.whole_copy.read_data.val();
    self.value_pairs.d.next = self.pairs.q.val();
    if self.index.val().get_bit(3) {
        self.value_reasons.d.next = self.zero.val();
    }
    if self.index.val() != self.index_issued.val() {
        self.value_issues.d.next = self.zero.val();
    }
    if (self.index.val() != self.index_low.val()) & (self.index.val() != self.index_high.val()) {
        spread!(self.*.d <- self.zero: value_whole, value_pairs);
    }
    if self.which.val() != self.which_pairs.val() {
        self.value_pairs.d.next = self.zero.val();
    }
    self.value.next = self.value_reasons.q.val()
        | self.value_issues.q.val()
        | self.value_whole.q.val()
        | self.value_pairs.q.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    /// The counters as the page describes them.
    #[derive(Clone, PartialEq, Debug)]
    struct Model {
        clearing: usize,
        number: usize,
        /// Warp, reason.
        reasons: Vec<[u64; 8]>,
        issued: Vec<u64>,
        whole: [u64; 8],
    }

    impl Model {
        fn new(warps: usize) -> Model {
            Model {
                clearing: 16 * warps,
                number: 0,
                reasons: vec![[0; 8]; warps],
                issued: vec![0; warps],
                whole: [0; 8],
            }
        }

        fn step(&mut self, c: &Cycle) {
            let warps = self.issued.len();
            if c.clear {
                *self = Model::new(warps);
            } else if self.clearing > 0 {
                self.clearing -= 1;
            } else if !c.hold {
                self.whole[c.reason] += 1;
                self.whole[6] += u64::from(c.issued && c.second);
                let looked = self.number % warps;
                let issues = c.issued && c.warp == looked;
                self.reasons[looked][if issues { 0 } else { c.reasons[looked] }] += 1;
                self.issued[c.warp] += u64::from(c.issued) + u64::from(c.issued && c.second);
                self.number += 1;
            }
        }

        fn value(&self, (warp, index): (usize, usize)) -> u64 {
            match index {
                0..=7 => self.reasons[warp][index],
                8 => self.issued[warp],
                9 => self.whole[warp % 8],
                10 => self.whole[warp % 4 + 4],
                _ => 0,
            }
        }
    }

    /// Inputs of one cycle.
    #[derive(Clone, Copy, Default)]
    struct Cycle {
        clear: bool,
        hold: bool,
        /// Of all warps, by what there was in the cycle before, unless one issues.
        reason: usize,
        issued: bool,
        warp: usize,
        second: bool,
        /// Of each warp, unless it issues.
        reasons: [usize; 8],
        /// What does not change them, and the warps that are held.
        any: u64,
        held: u64,
        select: (usize, usize),
    }

    /// A random scheduler: few warps for a while, so that the same ones come again as soon as they may.
    #[derive(Default)]
    struct Scheduler {
        cycle: Cycle,
        last: VecDeque<Option<usize>>,
        active: usize,
        often: u64,
    }

    impl Scheduler {
        fn next(&mut self, warps: usize, rng: &mut Rng) -> Cycle {
            if rng.chance(1, 50) {
                self.active = 1 + rng.below(warps as u64) as usize;
                self.often = rng.below(17);
            }
            let c = &mut self.cycle;
            c.clear = rng.chance(1, 3000);
            c.hold = if c.hold {
                rng.chance(7, 8)
            } else {
                rng.chance(1, 40)
            };
            c.warp = rng.below(self.active.max(1) as u64) as usize;
            c.issued = rng.chance(self.often, 16) && !self.last.contains(&Some(c.warp));
            c.second = c.issued && rng.flip();
            let first = [(1, 1), (7, 1), (2, 2), (3, 3), (4, 4)]
                .iter()
                .find(|(reason, _)| c.reasons[..warps].contains(reason));
            c.reason = match first {
                _ if c.issued => 0,
                Some(&(_, reason)) => reason,
                None => 5,
            };
            c.any = rng.bits::<8>().to_u64();
            // All idle now and then, and few of the first reasons.
            let from = rng.below(8);
            for reason in &mut c.reasons {
                let least = from.min(6);
                *reason = [1, 7, 2, 2, 3, 4, 5][(least + rng.below(7 - least)) as usize];
            }
            c.held = rng.bits::<8>().to_u64();
            let index = if rng.chance(1, 8) {
                rng.below(16)
            } else {
                rng.below(11)
            };
            c.select = (rng.below(warps as u64) as usize, index as usize);
            // Not again in the two following cycles.
            self.last.push_back(c.issued.then_some(c.warp));
            if self.last.len() > 2 {
                self.last.pop_front();
            }
            *c
        }
    }

    fn apply<const NW: usize, const WI: usize, const SB: usize>(
        u: &mut Counters<NW, WI, SB>,
        c: &Cycle,
        reset: bool,
    ) {
        u.reset.next = reset;
        u.clear.next = c.clear;
        u.hold.next = c.hold;
        u.issued.next = c.issued;
        u.issued_warp.next = (c.warp as u64).into();
        u.second.next = c.second;
        let warps = |reasons: &[usize]| {
            let holds = |w: &usize| reasons.contains(&c.reasons[*w]);
            (0..NW).filter(holds).fold(0u64, |set, w| set | 1 << w)
        };
        // Who is held waits, whatever else is the case; some of those that wait are held.
        let held = warps(&[4]) & c.held;
        let offered = warps(&[1, 2, 7]);
        u.running.next = warps(&[1, 2, 3, 4, 7]).into();
        u.held.next = held.into();
        u.wants.next = (warps(&[3]) | (offered | held) & c.any).into();
        u.present.next = (offered | held & c.any).into();
        u.blocked.next = (warps(&[2]) | !offered & c.any & ((1 << NW) - 1)).into();
        u.usable.next = (warps(&[7]) | !warps(&[1]) & c.any & ((1 << NW) - 1)).into();
        u.select.next = ((c.select.0 << 4 | c.select.1) as u64).into();
    }

    #[test]
    fn verilog_agrees() {
        let mut scheduler = Scheduler::default();
        crate::stimulus::check_with_memories(
            "weft_counters",
            Counters::<8, 3, 7>::default,
            3000,
            |u, rng, t| apply(u, &scheduler.next(8, rng), t < 2),
            |u, level| u.clock.next = level.into(),
        );
        let mut scheduler = Scheduler::default();
        crate::stimulus::check_with_memories(
            "weft_counters_4",
            Counters::<4, 2, 6>::default,
            1000,
            |u, rng, t| apply(u, &scheduler.next(4, rng), t < 2),
            |u, level| u.clock.next = level.into(),
        );
    }

    fn follows<const NW: usize, const WI: usize, const SB: usize>(cycles: usize) {
        let mut b = Bench::new(Counters::<NW, WI, SB>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = Rng::new(1, "counters");
        let mut scheduler = Scheduler::default();
        let mut model = Model::new(NW);
        // Models before the last cycles, and what was selected in them; the newest last.
        let mut models: VecDeque<Model> = VecDeque::new();
        let mut selects: VecDeque<(usize, usize)> = VecDeque::new();
        let (mut large, mut clears, mut again) = (0, 0, 0);
        let mut kinds = [0; 16];
        let mut issues = vec![0usize; NW];
        for t in 0..cycles {
            let reset = t < 2 || rng.chance(1, 6000);
            let mut cycle = scheduler.next(NW, &mut rng);
            apply(&mut b.uut, &cycle, reset);
            b.settle();
            if t >= 2 {
                let looked = b.uut.looked.val().to_u64() as usize;
                if model.clearing == 0 {
                    assert_eq!(looked, model.number % NW, "cycle {t}");
                }
            }
            models.push_back(model.clone());
            selects.push_back(cycle.select);
            if models.len() > 8 {
                models.pop_front();
                selects.pop_front();
                // Selected three cycles ago; events of the fourth before that are in the models from two before it on.
                let select = selects[4];
                let value = b.uut.value.val().to_u64();
                let open = models.iter().all(|m| m.clearing == 0);
                if open {
                    let late: Vec<u64> = models.iter().skip(1).map(|m| m.value(select)).collect();
                    assert!(
                        late.contains(&value),
                        "cycle {t}: {select:?}: {value}, {late:?}"
                    );
                    kinds[select.1] += usize::from(value > 0);
                    large += usize::from(value > 100);
                }
            }
            cycle.clear |= reset;
            clears += usize::from(cycle.clear && t > 2);
            if cycle.issued && model.clearing == 0 && !cycle.hold {
                again += usize::from(t - issues[cycle.warp] == 3);
                issues[cycle.warp] = t;
            }
            model.step(&cycle);
            b.edge();
        }
        println!("clears {clears}, again {again}, large {large}, {kinds:?}");
        assert!(clears > 2 && again > 500 && large > 1000);
        for (index, n) in kinds.iter().enumerate() {
            // There is no reason 6.
            let counts = index < 11 && index != 6;
            assert!(if counts { *n > 50 } else { *n == 0 }, "index {index}: {n}");
        }
    }

    /// SCHED-040, SCHED-041, SCHED-042.
    #[test]
    fn it_follows_the_specification() {
        follows::<8, 3, 7>(25_000);
        follows::<4, 2, 6>(10_000);
    }
}
