//! The partitions of a core: one, two or four schedulers on one set of functional units.
//!
//! Spec: `docs/spec/core.md` (CORE-030 to 036), `docs/spec/scheduler.md`.
//!
//! # Parameters
//! `S` partitions: 1, 2 or 4. `NW` warps, `WI` = log2 NW, `SB` = WI + 4. Each has `NH` = NW / S of them, 16 at most;
//! `HI` = log2 NH, `HH` = HI - 1, `HA` = HI + 1, `HB` = HI + 4. The others as `Scheduler`.
//!
//! # Ports
//! Those of `Scheduler` and `Units`. What each partition has of its own is an array of S.
//! Warps have their numbers in the core, at all ports.
//!
//! # Cycle behaviour
//! As `Scheduler`: nothing on the way but gates.
//! A line that one partition wants waits while the port is taken by another one.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::bundles::{CounterPorts, FetchPorts, LinePorts};
use crate::hdl::*;
use crate::warp::scheduler::Scheduler;
use crate::warp::units::Units;

#[module(
    requires(
        matches!(S, 1 | 2 | 4), NW == S * NH, NW == 1 << WI, NH == 1 << HI, HI >= 2, SB == WI + 4
    )
)]
pub struct Schedulers<
    const NW: usize,
    const WI: usize,
    const SB: usize,
    const NH: usize,
    const HI: usize,
    const HH: usize,
    const HA: usize,
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
    pub line: LinePorts<WI>,
    pub counter: CounterPorts<SB>,
    pub fetch: FetchPorts<WI>,
    pub status_running: Signal<Out, Bits<NW>>,
    pub status_flight: Signal<Out, Bits<NW>>,
    #[many(S)]
    pub decode0: Vec<Signal<In, Bits<23>>>,
    #[many(S)]
    pub decode1: Vec<Signal<In, Bits<23>>>,
    #[many(S)]
    pub done0_valid: Vec<Signal<In, Bit>>,
    #[many(S)]
    pub done0_warp: Vec<Signal<In, Bits<WI>>>,
    #[many(S)]
    pub done0_rd: Vec<Signal<In, Bits<6>>>,
    #[many(S)]
    pub done1_valid: Vec<Signal<In, Bit>>,
    #[many(S)]
    pub done1_warp: Vec<Signal<In, Bits<WI>>>,
    #[many(S)]
    pub done1_rd: Vec<Signal<In, Bits<6>>>,
    #[many(S)]
    pub decode_word0: Vec<Signal<Out, Bits<32>>>,
    #[many(S)]
    pub decode_word1: Vec<Signal<Out, Bits<32>>>,
    #[many(S)]
    pub issue_valid: Vec<Signal<Out, Bit>>,
    #[many(S)]
    pub issue_warp: Vec<Signal<Out, Bits<WI>>>,
    #[many(S)]
    pub issue_pc: Vec<Signal<Out, Bits<22>>>,
    #[many(S)]
    pub issue_mask: Vec<Signal<Out, Bits<W>>>,
    #[many(S)]
    pub issue_word: Vec<Signal<Out, Bits<32>>>,
    #[many(S)]
    pub issue_decoded: Vec<Signal<Out, Bits<23>>>,
    #[many(S)]
    pub second_valid: Vec<Signal<Out, Bit>>,
    #[many(S)]
    pub second_word: Vec<Signal<Out, Bits<32>>>,
    #[many(S)]
    pub second_decoded: Vec<Signal<Out, Bits<23>>>,
    #[many(S)]
    scheduler: Vec<Scheduler<NH, HI, HH, HA, HB, W, LB, DUAL>>,
    functional: Units<S>,
    // State: the partitions that come first at the fetch port, from one of them on all.
    favoured: DFF<Bits<S>>,
    // State: the partition whose counter was looked for one, two and three cycles ago.
    selected_1: DFF<Bits<2>>,
    selected_2: DFF<Bits<2>>,
    selected_3: DFF<Bits<2>>,
    // Combinational: a warp's number in its partition; its partition, one-hot.
    start_own: Signal<Local, Bits<WI>>,
    stop_own: Signal<Local, Bits<WI>>,
    level_own: Signal<Local, Bits<WI>>,
    line_own: Signal<Local, Bits<WI>>,
    start_at: Signal<Local, Bits<WI>>,
    start_of: Signal<Local, Bits<S>>,
    stop_at: Signal<Local, Bits<WI>>,
    stop_of: Signal<Local, Bits<S>>,
    level_at: Signal<Local, Bits<WI>>,
    level_of: Signal<Local, Bits<S>>,
    line_at: Signal<Local, Bits<WI>>,
    line_of: Signal<Local, Bits<S>>,
    wants_line: Signal<Local, Bits<S>>,
    first_of: Signal<Local, Bits<S>>,
    lowest: Signal<Local, Bits<S>>,
    up_to: Signal<Local, Bits<S>>,
    lowest_less: Signal<Local, Bits<S>>,
    fetch_number: Signal<Local, Bits<HI>>,
    fetch_own: Signal<Local, Bits<WI>>,
    own_number: Signal<Local, Bits<HI>>,
    issue_own: Signal<Local, Bits<WI>>,
    fetch_partition: Signal<Local, Bits<WI>>,
    running: Signal<Local, Bits<NW>>,
    flight: Signal<Local, Bits<NW>>,
    index: Signal<Local, Bits<SB>>,
    select_warp: Signal<Local, Bits<SB>>,
    select: Signal<Local, Bits<SB>>,
    value: Signal<Local, Bits<32>>,
    #[many(S)]
    own_hold: Vec<Signal<Local, Bits<NH>>>,
    #[many(S)]
    own_done0: Vec<Signal<Local, Bits<WI>>>,
    #[many(S)]
    own_done1: Vec<Signal<Local, Bits<WI>>>,
    // Constants.
    #[value(u64::from(S.ilog2()).into())]
    shift: Constant<Bits<2>>,
    #[value((u64::from(S.ilog2()) + 4).into())]
    warp_at: Constant<Bits<3>>,
    #[value((S as u64 - 1).into())]
    low_bits: Constant<Bits<WI>>,
    #[value((S as u64 - 1).into())]
    partition_bits: Constant<Bits<2>>,
    #[value(15.into())]
    index_bits: Constant<Bits<SB>>,
    #[init((0..S as u64).map(|s| Constant::new(s.into())).collect())]
    partition: Vec<Constant<Bits<WI>>>,
    // At 16 s + i: number and bit of warp i of partition s.
    #[init((0..16 * S).map(|n| Constant::new(((n % 16 % NH * S + n / 16) as u64).into())).collect())]
    warp: Vec<Constant<Bits<WI>>>,
    #[init((0..16 * S).map(|n| Constant::new((1u64 << (n % 16 % NH * S + n / 16)).into())).collect())]
    bit: Vec<Constant<Bits<NW>>>,
    #[init((0..S as u64).map(|s| Constant::new(s.into())).collect())]
    number: Vec<Constant<Bits<2>>>,
    #[value(1.into())]
    one_hot: Constant<Bits<S>>,
    #[value(0.into())]
    nobody: Constant<Bits<S>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NH>>,
    #[value(0.into())]
    none: Constant<Bits<NW>>,
}

#[part(Schedulers<NW, WI, SB, NH, HI, HH, HA, HB, W, LB, DUAL, S>)]
fn update(&mut self) {
    self.functional.reset.next = self.reset.val();

    // ---- Whose it is: the lowest bits of the warp say it.
    self.start_own.next = self.start_warp.val() >> self.shift.val();
    self.start_at.next = self.start_warp.val() & self.low_bits.val();
    self.start_of.next = self.one_hot.val() << self.start_at.val();
    self.stop_own.next = self.stop_warp.val() >> self.shift.val();
    self.stop_at.next = self.stop_warp.val() & self.low_bits.val();
    self.stop_of.next = self.one_hot.val() << self.stop_at.val();
    self.level_own.next = self.level_warp.val() >> self.shift.val();
    self.level_at.next = self.level_warp.val() & self.low_bits.val();
    self.level_of.next = self.one_hot.val() << self.level_at.val();
    self.line_own.next = self.line.warp.val() >> self.shift.val();
    self.line_at.next = self.line.warp.val() & self.low_bits.val();
    self.line_of.next = self.one_hot.val() << self.line_at.val();
    for s in 0..S {
        carry!(self.scheduler[s] <- self: reset, cfg_policy);
        self.scheduler[s].start_valid.next =
            self.start_valid.val() & self.start_of.val().get_bit(s);
        self.scheduler[s].start_warp.next = self.start_own.val().get_bits::<HI>(0);
        carry!(self.scheduler[s] <- self: start_pc, start_mask, start_launch);
        self.scheduler[s].stop_valid.next = self.stop_valid.val() & self.stop_of.val().get_bit(s);
        self.scheduler[s].stop_warp.next = self.stop_own.val().get_bits::<HI>(0);
        self.scheduler[s].level_valid.next =
            self.level_valid.val() & self.level_of.val().get_bit(s);
        self.scheduler[s].level_warp.next = self.level_own.val().get_bits::<HI>(0);
        carry!(self.scheduler[s] <- self: level_value, flush);
        self.scheduler[s].line.valid.next = self.line.valid.val() & self.line_of.val().get_bit(s);
        self.scheduler[s].line.warp.next = self.line_own.val().get_bits::<HI>(0);
        carry!(self.scheduler[s].line <- self.line: slot, data);
        carry!(self.scheduler[s].counter <- self.counter: clear, hold);
    }

    // ---- One bit per warp.
    self.running.next = self.none.val();
    self.flight.next = self.none.val();
    for s in 0..S {
        self.own_hold[s].next = self.no_warps.val();
        for i in 0..NH {
            self.own_hold[s].next = self.own_hold[s].val().replace_bit(
                i,
                self.hold.val().get_bit(self.warp[16 * s + i].val().index()),
            );
            if self.scheduler[s].status_running.val().get_bit(i) {
                self.running.next = self.running.val() | self.bit[16 * s + i].val();
            }
            if self.scheduler[s].status_flight.val().get_bit(i) {
                self.flight.next = self.flight.val() | self.bit[16 * s + i].val();
            }
        }
        self.scheduler[s].hold.next = self.own_hold[s].val();
    }
    carry!(self.status_* <- self: running, flight);

    // ---- Functional units.
    carry!(self.functional <- self: cfg_interval, unit_ready);
    for s in 0..S {
        self.functional.granted[s].next = self.scheduler[s].granted_class.val();
        carry!(self.scheduler[s].unit_* <- self.functional.*[s]: free, ahead);
        self.scheduler[s].cfg_slow.next = self.functional.slow.val();
    }

    // ---- Lines: one port. Who has been served goes behind all others; who is offered stays until it is taken.
    self.wants_line.next = self.nobody.val();
    for s in 0..S {
        self.wants_line.next = self
            .wants_line
            .val()
            .replace_bit(s, self.scheduler[s].fetch.valid.val());
    }
    self.first_of.next = self.wants_line.val() & self.favoured.q.val();
    if !(self.wants_line.val() & self.favoured.q.val()).any() {
        self.first_of.next = self.wants_line.val();
    }
    // The lowest of these.
    self.up_to.next = self.first_of.val() - self.one_hot.val();
    self.lowest.next = self.first_of.val() & !self.up_to.val();
    self.lowest_less.next = self.up_to.val() & !self.first_of.val();
    if self.wants_line.val().any() {
        self.favoured.d.next = !self.lowest_less.val();
        if self.fetch.ready.val() {
            self.favoured.d.next = !(self.lowest_less.val() | self.lowest.val());
        }
    }
    self.fetch.valid.next = self.wants_line.val().any();
    self.fetch_number.next = self.scheduler[0].fetch.warp.val();
    self.fetch.line.next = self.scheduler[0].fetch.line.val();
    self.fetch_partition.next = self.partition[0].val();
    for s in 0..S {
        self.scheduler[s].fetch.ready.next = self.fetch.ready.val() & self.lowest.val().get_bit(s);
        if self.lowest.val().get_bit(s) {
            self.fetch_number.next = self.scheduler[s].fetch.warp.val();
            self.fetch.line.next = self.scheduler[s].fetch.line.val();
            self.fetch_partition.next = self.partition[s].val();
        }
    }
    self.fetch_own.next = bit_cast::<WI, HI>(self.fetch_number.val());
    self.fetch.warp.next = (self.fetch_own.val() << self.shift.val()) | self.fetch_partition.val();

    // ---- Decoder, instructions, and what is done: each partition's own.
    for s in 0..S {
        carry!(self.*[s] <- self.scheduler[s]: decode_word0, decode_word1);
        carry!(self.scheduler[s] <- self.*[s]: decode0, decode1);
        self.issue_valid[s].next = self.scheduler[s].issue_valid.val();
        self.own_number.next = self.scheduler[s].issue_warp.val();
        self.issue_own.next = bit_cast::<WI, HI>(self.own_number.val());
        self.issue_warp[s].next =
            (self.issue_own.val() << self.shift.val()) | self.partition[s].val();
        carry!(self.*[s] <- self.scheduler[s]: issue_pc, issue_mask, issue_word, issue_decoded);
        carry!(self.*[s] <- self.scheduler[s]: second_valid, second_word, second_decoded);
        self.own_done0[s].next = self.done0_warp[s].val() >> self.shift.val();
        self.scheduler[s].done0_valid.next = self.done0_valid[s].val();
        self.scheduler[s].done0_warp.next = self.own_done0[s].val().get_bits::<HI>(0);
        self.scheduler[s].done0_rd.next = self.done0_rd[s].val();
        self.own_done1[s].next = self.done1_warp[s].val() >> self.shift.val();
        self.scheduler[s].done1_valid.next = self.done1_valid[s].val();
        self.scheduler[s].done1_warp.next = self.own_done1[s].val().get_bits::<HI>(0);
        self.scheduler[s].done1_rd.next = self.done1_rd[s].val();
    }

    // ---- Counters.
    self.index.next = self.counter.select.val() & self.index_bits.val();
    self.select_warp.next = self.counter.select.val() >> self.warp_at.val();
    self.select.next = (self.select_warp.val() << 4) | self.index.val();
    self.selected_1.d.next = self.counter.select.val().get_bits::<2>(4) & self.partition_bits.val();
    self.selected_2.d.next = self.selected_1.q.val();
    self.selected_3.d.next = self.selected_2.q.val();
    self.value.next = self.scheduler[0].counter.value.val();
    for s in 0..S {
        self.scheduler[s].counter.select.next = self.select.val().get_bits::<HB>(0);
        if self.selected_3.q.val() == self.number[s].val() {
            self.value.next = self.scheduler[s].counter.value.val();
        }
    }
    self.counter.value.next = self.value.val();

    // ---- Reset wins.
    if self.reset.val() {
        self.favoured.d.next = !self.nobody.val();
    }
}
