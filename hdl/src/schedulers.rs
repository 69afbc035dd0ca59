//! One or two schedulers on one set of functional units.
//!
//! Spec: `docs/spec/core.md` (CORE-030 to 036), `docs/spec/scheduler.md`.
//!
//! # Parameters
//! `S` schedulers: 1 has all `NW` warps, 2 have the even and the odd ones; `NH` = NW / S warps each, `HI` = log2 NH, `HH` = HI − 1,
//! `HA` = HI + 1, `GW` and `GI` as `Scheduler`, `HB` = HI + 4. `SB` = WI + 4. The others as `Scheduler`; S = 2 only with `DUAL` = 0.
//!
//! # Ports
//! Those of `Scheduler` and `Units`. For S = 2 `issue_*`, `decode_word0`, `decode_word1`, `decode0`, `decode1` and `done0_*` are those of the
//! even warps, `issue1_*`, `decode_word2`, `decode_word3`, `decode2`, `decode3` and `done1_*` those of the odd ones; for S = 1 the
//! former stand for all warps, the latter are 0 or not looked at (but `done1_*`, which is of odd warps in both).
//!
//! # Cycle behaviour
//! As `Scheduler`: nothing on the way but gates. A line that one scheduler wants waits while the port is taken by the other.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::scheduler::{picks_in_three_steps, Scheduler};
use crate::units::Units;

#[derive(LogicBlock)]
pub struct Schedulers<
    const NW: usize,
    const WI: usize,
    const SB: usize,
    const NH: usize,
    const HI: usize,
    const HH: usize,
    const HA: usize,
    const TURNS: usize,
    const HB: usize,
    const W: usize,
    const LB: usize,
    const DUAL: usize,
    const S: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_policy: Signal<In, Bits<2>>,
    pub cfg_interval: Signal<In, Bits<20>>,
    pub cfg_private: Signal<In, Bits<5>>,
    pub unit_ready: Signal<In, Bits<5>>,
    pub hold: Signal<In, Bits<NW>>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_pc: Signal<In, Bits<22>>,
    pub start_mask: Signal<In, Bits<W>>,
    pub start_launch: Signal<In, Bit>,
    pub stop_valid: Signal<In, Bit>,
    pub stop_warp: Signal<In, Bits<WI>>,
    pub level_valid: Signal<In, Bit>,
    pub level_warp: Signal<In, Bits<WI>>,
    pub level_value: Signal<In, Bits<LB>>,
    pub flush: Signal<In, Bit>,
    pub fetch_ready: Signal<In, Bit>,
    pub line_valid: Signal<In, Bit>,
    pub line_warp: Signal<In, Bits<WI>>,
    pub line_slot: Signal<In, Bit>,
    pub line_data: Signal<In, Bits<512>>,
    pub decode0: Signal<In, Bits<23>>,
    pub decode1: Signal<In, Bits<23>>,
    pub done0_valid: Signal<In, Bit>,
    pub done0_warp: Signal<In, Bits<WI>>,
    pub done0_rd: Signal<In, Bits<6>>,
    pub done1_valid: Signal<In, Bit>,
    pub done1_warp: Signal<In, Bits<WI>>,
    pub done1_rd: Signal<In, Bits<6>>,
    pub counter_clear: Signal<In, Bit>,
    pub counter_hold: Signal<In, Bit>,
    pub counter_select: Signal<In, Bits<SB>>,
    pub fetch_valid: Signal<Out, Bit>,
    pub fetch_warp: Signal<Out, Bits<WI>>,
    pub fetch_line: Signal<Out, Bits<18>>,
    pub decode_word0: Signal<Out, Bits<32>>,
    pub decode_word1: Signal<Out, Bits<32>>,
    pub decode_word2: Signal<Out, Bits<32>>,
    pub decode_word3: Signal<Out, Bits<32>>,
    pub issue_valid: Signal<Out, Bit>,
    pub issue_warp: Signal<Out, Bits<WI>>,
    pub issue_pc: Signal<Out, Bits<22>>,
    pub issue_mask: Signal<Out, Bits<W>>,
    pub issue_word: Signal<Out, Bits<32>>,
    pub issue_decoded: Signal<Out, Bits<23>>,
    pub second_valid: Signal<Out, Bit>,
    pub second_word: Signal<Out, Bits<32>>,
    pub second_decoded: Signal<Out, Bits<23>>,
    pub issue1_valid: Signal<Out, Bit>,
    pub issue1_warp: Signal<Out, Bits<WI>>,
    pub issue1_pc: Signal<Out, Bits<22>>,
    pub issue1_mask: Signal<Out, Bits<W>>,
    pub issue1_word: Signal<Out, Bits<32>>,
    pub issue1_decoded: Signal<Out, Bits<23>>,
    pub status_running: Signal<Out, Bits<NW>>,
    pub status_flight: Signal<Out, Bits<NW>>,
    pub counter_value: Signal<Out, Bits<32>>,
    pub decode2: Vec<Signal<In, Bits<23>>>,
    pub decode3: Vec<Signal<In, Bits<23>>>,
    scheduler: Vec<Scheduler<NH, HI, HH, HA, TURNS, HB, W, LB, DUAL>>,
    units: Units<S>,
    // State: the odd warps' lines go first.
    turn: DFF<Bit>,
    // State: the counter looked for in the last three cycles is one of the odd warps'.
    odd_1: DFF<Bit>,
    odd_2: DFF<Bit>,
    odd_3: DFF<Bit>,
    // Combinational.
    start_half: Signal<Local, Bits<WI>>,
    stop_half: Signal<Local, Bits<WI>>,
    level_half: Signal<Local, Bits<WI>>,
    line_half: Signal<Local, Bits<WI>>,
    done0_half: Signal<Local, Bits<WI>>,
    done1_half: Signal<Local, Bits<WI>>,
    hold0: Signal<Local, Bits<NH>>,
    fetch_half: Signal<Local, Bits<WI>>,
    from_other: Signal<Local, Bits<WI>>,
    index: Signal<Local, Bits<SB>>,
    select_warp: Signal<Local, Bits<SB>>,
    select: Signal<Local, Bits<SB>>,
    issue_half: Signal<Local, Bits<WI>>,
    issue1_half: Signal<Local, Bits<WI>>,
    issue1_small: Signal<Local, Bits<HI>>,
    fetch_small: Signal<Local, Bits<HI>>,
    running: Signal<Local, Bits<NW>>,
    flight: Signal<Local, Bits<NW>>,
    // For each scheduler: it is meant.
    starts: Vec<Signal<Local, Bit>>,
    stops: Vec<Signal<Local, Bit>>,
    levels: Vec<Signal<Local, Bit>>,
    lines: Vec<Signal<Local, Bit>>,
    hold1: Vec<Signal<Local, Bits<NH>>>,
    other_first: Vec<Signal<Local, Bit>>,
    // Constants.
    two: Constant<Bit>,
    three_steps: Constant<Bit>,
    shift: Constant<Bits<1>>,
    warp_at: Constant<Bits<3>>,
    index_bits: Constant<Bits<SB>>,
    upper: Constant<Bits<HI>>,
    lowest: Constant<Bits<HI>>,
    odd: Constant<Bits<WI>>,
    no_warp: Constant<Bits<WI>>,
    no_warps: Constant<Bits<NH>>,
    no_half: Constant<Bits<HI>>,
    none: Constant<Bits<NW>>,
    no_classes: Constant<Bits<5>>,
    no_pc: Constant<Bits<22>>,
    no_mask: Constant<Bits<W>>,
    no_word: Constant<Bits<32>>,
    no_decoded: Constant<Bits<23>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const SB: usize,
        const NH: usize,
        const HI: usize,
        const HH: usize,
        const HA: usize,
        const TURNS: usize,
        const HB: usize,
        const W: usize,
        const LB: usize,
        const DUAL: usize,
        const S: usize,
    > Default for Schedulers<NW, WI, SB, NH, HI, HH, HA, TURNS, HB, W, LB, DUAL, S>
{
    fn default() -> Self {
        assert!(
            (S == 1 || S == 2 && DUAL == 0)
                && NW == S * NH
                && NW == 1 << WI
                && NH == 1 << HI
                && HI >= 2
                && SB == WI + 4,
            "Schedulers<{NW}, {WI}, {SB}, {NH}, {HI}, {HH}, {HA}, {TURNS}, {HB}, {W}, {LB}, {DUAL}, {S}>"
        );
        block!({
            clock, reset, cfg_policy, cfg_interval, cfg_private, unit_ready, hold, start_valid, start_warp, start_pc, start_mask, start_launch, stop_valid, stop_warp, level_valid, level_warp, level_value, flush, fetch_ready, line_valid, line_warp, line_slot, line_data, decode0, decode1, done0_valid, done0_warp, done0_rd, done1_valid, done1_warp, done1_rd, counter_clear, counter_hold, counter_select, fetch_valid, fetch_warp, fetch_line, decode_word0, decode_word1, decode_word2, decode_word3, issue_valid, issue_warp, issue_pc, issue_mask, issue_word, issue_decoded, second_valid, second_word, second_decoded, issue1_valid, issue1_warp, issue1_pc, issue1_mask, issue1_word, issue1_decoded, status_running, status_flight, counter_value, start_half, stop_half, level_half, line_half, done0_half, done1_half, hold0, fetch_half, from_other, index, select_warp, select, issue_half, issue1_half, issue1_small, fetch_small, running, flight, units, turn, odd_1, odd_2, odd_3,
        } {
            scheduler: (0..S).map(|_| Default::default()).collect(),
            decode2: (1..S).map(|_| Default::default()).collect(),
            decode3: (1..S).map(|_| Default::default()).collect(),
            hold1: (1..S).map(|_| Default::default()).collect(),
            other_first: (1..S).map(|_| Default::default()).collect(),
            starts: (0..S).map(|_| Default::default()).collect(),
            stops: (0..S).map(|_| Default::default()).collect(),
            levels: (0..S).map(|_| Default::default()).collect(),
            lines: (0..S).map(|_| Default::default()).collect(),
            two: Constant::new(S == 2),
            three_steps: Constant::new(picks_in_three_steps(NH)),
            shift: Constant::new((S as u64 - 1).into()),
            warp_at: Constant::new((S as u64 + 3).into()),
            index_bits: Constant::new(15.into()),
            upper: Constant::new(((1u64 << HI) - 2).into()),
            lowest: Constant::new(1.into()),
            odd: Constant::new(1.into()),
            no_warp: Constant::new(0.into()),
            no_warps: Constant::new(0.into()),
            no_half: Constant::new(0.into()),
            none: Constant::new(0.into()),
            no_classes: Constant::new(0.into()),
            no_pc: Constant::new(0.into()),
            no_mask: Constant::new(0.into()),
            no_word: Constant::new(0.into()),
            no_decoded: Constant::new(0.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const SB: usize,
        const NH: usize,
        const HI: usize,
        const HH: usize,
        const HA: usize,
        const TURNS: usize,
        const HB: usize,
        const W: usize,
        const LB: usize,
        const DUAL: usize,
        const S: usize,
    > Logic for Schedulers<NW, WI, SB, NH, HI, HH, HA, TURNS, HB, W, LB, DUAL, S>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, turn, odd_1, odd_2, odd_3);
        self.units.clock.next = self.clock.val();
        self.units.reset.next = self.reset.val();
        for s in 0..S {
            self.scheduler[s].clock.next = self.clock.val();
            self.scheduler[s].reset.next = self.reset.val();
        }

        // ---- Whose it is: with two schedulers the lowest bit of the warp says it.
        self.start_half.next = self.start_warp.val() >> self.shift.val();
        self.stop_half.next = self.stop_warp.val() >> self.shift.val();
        self.level_half.next = self.level_warp.val() >> self.shift.val();
        self.line_half.next = self.line_warp.val() >> self.shift.val();
        self.starts[0].next = !self.two.val() | !self.start_warp.val().get_bit(0);
        self.stops[0].next = !self.two.val() | !self.stop_warp.val().get_bit(0);
        self.levels[0].next = !self.two.val() | !self.level_warp.val().get_bit(0);
        self.lines[0].next = !self.two.val() | !self.line_warp.val().get_bit(0);
        for s in 1..S {
            self.starts[s].next = self.start_warp.val().get_bit(0);
            self.stops[s].next = self.stop_warp.val().get_bit(0);
            self.levels[s].next = self.level_warp.val().get_bit(0);
            self.lines[s].next = self.line_warp.val().get_bit(0);
        }
        for s in 0..S {
            self.scheduler[s].cfg_policy.next = self.cfg_policy.val();
            self.scheduler[s].start_valid.next = self.start_valid.val() & self.starts[s].val();
            self.scheduler[s].start_warp.next = self.start_half.val().get_bits::<HI>(0);
            self.scheduler[s].start_pc.next = self.start_pc.val();
            self.scheduler[s].start_mask.next = self.start_mask.val();
            self.scheduler[s].start_launch.next = self.start_launch.val();
            self.scheduler[s].stop_valid.next = self.stop_valid.val() & self.stops[s].val();
            self.scheduler[s].stop_warp.next = self.stop_half.val().get_bits::<HI>(0);
            self.scheduler[s].level_valid.next = self.level_valid.val() & self.levels[s].val();
            self.scheduler[s].level_warp.next = self.level_half.val().get_bits::<HI>(0);
            self.scheduler[s].level_value.next = self.level_value.val();
            self.scheduler[s].flush.next = self.flush.val();
            self.scheduler[s].line_valid.next = self.line_valid.val() & self.lines[s].val();
            self.scheduler[s].line_warp.next = self.line_half.val().get_bits::<HI>(0);
            self.scheduler[s].line_slot.next = self.line_slot.val();
            self.scheduler[s].line_data.next = self.line_data.val();
            self.scheduler[s].counter_clear.next = self.counter_clear.val();
            self.scheduler[s].counter_hold.next = self.counter_hold.val();
            self.scheduler[s].cfg_slow.next = self.units.slow.val();
        }
        self.hold0.next = self.hold.val().get_bits::<NH>(0);
        for s in 1..S {
            self.hold1[s - 1].next = self.no_warps.val();
            for i in 0..NH {
                self.hold0.next = self
                    .hold0
                    .val()
                    .replace_bit(i, self.hold.val().get_bit(2 * i));
                self.hold1[s - 1].next = self.hold1[s - 1]
                    .val()
                    .replace_bit(i, self.hold.val().get_bit(2 * i + s));
            }
        }

        // ---- Functional units.
        self.units.cfg_interval.next = self.cfg_interval.val();
        self.units.cfg_private.next = self.cfg_private.val();
        self.units.unit_ready.next = self.unit_ready.val();
        self.units.granted1.next = self.no_classes.val();
        self.units.granted0.next = self.scheduler[0].granted_class.val();
        self.scheduler[0].unit_free.next = self.units.free0.val();
        self.scheduler[0].unit_ahead.next = self.units.ahead0.val();
        if self.three_steps.val() {
            self.scheduler[0].unit_ahead.next = self.units.two_ahead0.val();
        }
        self.scheduler[0].hold.next = self.hold0.val();
        for s in 1..S {
            self.units.granted1.next = self.scheduler[s].granted_class.val();
            self.scheduler[s].unit_free.next = self.units.free1.val();
            self.scheduler[s].unit_ahead.next = self.units.ahead1.val();
            if self.three_steps.val() {
                self.scheduler[s].unit_ahead.next = self.units.two_ahead1.val();
            }
            self.scheduler[s].hold.next = self.hold1[s - 1].val();
        }

        // ---- Lines: one port. Who has been served goes behind; who is offered stays until it is taken.
        self.scheduler[0].fetch_ready.next = self.fetch_ready.val();
        self.fetch_valid.next = self.scheduler[0].fetch_valid.val();
        self.fetch_line.next = self.scheduler[0].fetch_line.val();
        self.from_other.next = self.no_warp.val();
        self.fetch_small.next = self.scheduler[0].fetch_warp.val();
        for s in 1..S {
            self.other_first[s - 1].next = self.scheduler[s].fetch_valid.val()
                & (self.turn.q.val() | !self.scheduler[s - 1].fetch_valid.val());
            self.scheduler[s].fetch_ready.next =
                self.fetch_ready.val() & self.other_first[s - 1].val();
            self.scheduler[s - 1].fetch_ready.next =
                self.fetch_ready.val() & !self.other_first[s - 1].val();
            self.fetch_valid.next =
                self.scheduler[s - 1].fetch_valid.val() | self.scheduler[s].fetch_valid.val();
            if self.other_first[s - 1].val() {
                self.from_other.next = self.odd.val();
                self.fetch_small.next = self.scheduler[s].fetch_warp.val();
                self.fetch_line.next = self.scheduler[s].fetch_line.val();
            }
            if self.scheduler[s - 1].fetch_valid.val() | self.scheduler[s].fetch_valid.val() {
                self.turn.d.next = self.other_first[s - 1].val() ^ self.fetch_ready.val();
            }
        }
        self.fetch_half.next = bit_cast::<WI, HI>(self.fetch_small.val());
        self.fetch_warp.next = (self.fetch_half.val() << self.shift.val()) | self.from_other.val();

        // ---- Decoder.
        self.decode_word0.next = self.scheduler[0].decode_word0.val();
        self.decode_word1.next = self.scheduler[0].decode_word1.val();
        self.scheduler[0].decode0.next = self.decode0.val();
        self.scheduler[0].decode1.next = self.decode1.val();
        self.decode_word2.next = self.no_word.val();
        self.decode_word3.next = self.no_word.val();
        for s in 1..S {
            self.decode_word2.next = self.scheduler[s].decode_word0.val();
            self.decode_word3.next = self.scheduler[s].decode_word1.val();
            self.scheduler[s].decode0.next = self.decode2[s - 1].val();
            self.scheduler[s].decode1.next = self.decode3[s - 1].val();
        }

        // ---- Issue.
        self.issue_valid.next = self.scheduler[0].issue_valid.val();
        self.issue_half.next = bit_cast::<WI, HI>(self.scheduler[0].issue_warp.val());
        self.issue_pc.next = self.scheduler[0].issue_pc.val();
        self.issue_mask.next = self.scheduler[0].issue_mask.val();
        self.issue_word.next = self.scheduler[0].issue_word.val();
        self.issue_decoded.next = self.scheduler[0].issue_decoded.val();
        self.second_valid.next = self.scheduler[0].second_valid.val();
        self.second_word.next = self.scheduler[0].second_word.val();
        self.second_decoded.next = self.scheduler[0].second_decoded.val();
        self.issue_warp.next = self.issue_half.val() << self.shift.val();
        self.issue1_valid.next = false;
        self.issue1_small.next = self.no_half.val();
        self.issue1_pc.next = self.no_pc.val();
        self.issue1_mask.next = self.no_mask.val();
        self.issue1_word.next = self.no_word.val();
        self.issue1_decoded.next = self.no_decoded.val();
        for s in 1..S {
            self.issue1_valid.next = self.scheduler[s].issue_valid.val();
            self.issue1_small.next = self.scheduler[s].issue_warp.val();
            self.issue1_pc.next = self.scheduler[s].issue_pc.val();
            self.issue1_mask.next = self.scheduler[s].issue_mask.val();
            self.issue1_word.next = self.scheduler[s].issue_word.val();
            self.issue1_decoded.next = self.scheduler[s].issue_decoded.val();
        }
        self.issue1_half.next = bit_cast::<WI, HI>(self.issue1_small.val());
        self.issue1_warp.next = (self.issue1_half.val() << self.shift.val()) | self.odd.val();

        // ---- Done: each scheduler has two ports, for its own even and odd warps.
        self.done0_half.next = self.done0_warp.val() >> self.shift.val();
        self.done1_half.next = self.done1_warp.val() >> self.shift.val();
        self.scheduler[0].done0_valid.next = self.done0_valid.val();
        self.scheduler[0].done0_warp.next = self.done0_half.val().get_bits::<HI>(0);
        self.scheduler[0].done0_rd.next = self.done0_rd.val();
        self.scheduler[0].done1_valid.next = self.done1_valid.val();
        self.scheduler[0].done1_warp.next = self.done1_half.val().get_bits::<HI>(0);
        self.scheduler[0].done1_rd.next = self.done1_rd.val();
        for s in 1..S {
            self.scheduler[s - 1].done0_valid.next =
                self.done0_valid.val() & !self.done0_half.val().get_bit(0);
            self.scheduler[s - 1].done0_warp.next =
                self.done0_half.val().get_bits::<HI>(0) & self.upper.val();
            self.scheduler[s - 1].done1_valid.next =
                self.done0_valid.val() & self.done0_half.val().get_bit(0);
            self.scheduler[s - 1].done1_warp.next =
                self.done0_half.val().get_bits::<HI>(0) | self.lowest.val();
            self.scheduler[s - 1].done1_rd.next = self.done0_rd.val();
            self.scheduler[s].done0_valid.next =
                self.done1_valid.val() & !self.done1_half.val().get_bit(0);
            self.scheduler[s].done0_warp.next =
                self.done1_half.val().get_bits::<HI>(0) & self.upper.val();
            self.scheduler[s].done0_rd.next = self.done1_rd.val();
            self.scheduler[s].done1_valid.next =
                self.done1_valid.val() & self.done1_half.val().get_bit(0);
            self.scheduler[s].done1_warp.next =
                self.done1_half.val().get_bits::<HI>(0) | self.lowest.val();
            self.scheduler[s].done1_rd.next = self.done1_rd.val();
        }

        // ---- Status.
        self.running.next = self.none.val();
        self.flight.next = self.none.val();
        self.running.next = bit_cast::<NW, NH>(self.scheduler[0].status_running.val());
        self.flight.next = bit_cast::<NW, NH>(self.scheduler[0].status_flight.val());
        for s in 1..S {
            for i in 0..NH {
                self.running.next = self
                    .running
                    .val()
                    .replace_bit(2 * i, self.scheduler[s - 1].status_running.val().get_bit(i));
                self.running.next = self
                    .running
                    .val()
                    .replace_bit(2 * i + 1, self.scheduler[s].status_running.val().get_bit(i));
                self.flight.next = self
                    .flight
                    .val()
                    .replace_bit(2 * i, self.scheduler[s - 1].status_flight.val().get_bit(i));
                self.flight.next = self
                    .flight
                    .val()
                    .replace_bit(2 * i + 1, self.scheduler[s].status_flight.val().get_bit(i));
            }
        }
        self.status_running.next = self.running.val();
        self.status_flight.next = self.flight.val();

        // ---- Counters.
        self.index.next = self.counter_select.val() & self.index_bits.val();
        self.select_warp.next = self.counter_select.val() >> self.warp_at.val();
        self.select.next = (self.select_warp.val() << 4) | self.index.val();
        self.odd_1.d.next = self.two.val() & self.counter_select.val().get_bit(4);
        self.odd_2.d.next = self.odd_1.q.val();
        self.odd_3.d.next = self.odd_2.q.val();
        self.counter_value.next = self.scheduler[0].counter_value.val();
        for s in 0..S {
            self.scheduler[s].counter_select.next = self.select.val().get_bits::<HB>(0);
            if self.odd_3.q.val() {
                self.counter_value.next = self.scheduler[s].counter_value.val();
            }
        }

        // ---- Reset wins.
        if self.reset.val() {
            self.turn.d.next = false;
        }
    }
}
