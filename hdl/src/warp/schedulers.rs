//! The partitions of a core: one, two or four schedulers on one set of functional units.
//!
//! Spec: `docs/spec/core.md` (CORE-030 to 036), `docs/spec/scheduler.md`.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
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
        matches!(PARTITIONS, 1 | 2 | 4), WARPS == PARTITIONS * PARTITION_WARPS, WARPS == 1 << WARP_BITS,
        PARTITION_WARPS == 1 << PARTITION_WARP_BITS, PARTITION_WARP_BITS >= 2, COUNTER_BITS == WARP_BITS + 4
    )
)]
pub struct Schedulers {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_policy: Signal<In, Bits<2>>,
    pub cfg_interval: Signal<In, Bits<20>>,
    pub unit_ready: Signal<In, Bits<5>>,
    pub hold: Signal<In, Bits<WARPS>>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WARP_BITS>>,
    pub start_pc: Signal<In, Bits<22>>,
    pub start_mask: Signal<In, Bits<THREADS>>,
    pub start_launch: Signal<In, Bit>,
    pub predict_valid: Signal<In, Bit>,
    pub predict_warp: Signal<In, Bits<WARP_BITS>>,
    pub predict_pc: Signal<In, Bits<22>>,
    pub stop_valid: Signal<In, Bit>,
    pub stop_warp: Signal<In, Bits<WARP_BITS>>,
    pub level_valid: Signal<In, Bit>,
    pub level_warp: Signal<In, Bits<WARP_BITS>>,
    pub level_value: Signal<In, Bits<LEVEL_BITS>>,
    pub flush: Signal<In, Bit>,
    pub line: LinePorts,
    pub counter: CounterPorts,
    pub fetch: FetchPorts,
    pub status_running: Signal<Out, Bits<WARPS>>,
    pub status_flight: Signal<Out, Bits<WARPS>>,
    #[many(PARTITIONS)]
    pub decode0: Vec<Signal<In, Bits<23>>>,
    #[many(PARTITIONS)]
    pub decode1: Vec<Signal<In, Bits<23>>>,
    #[many(PARTITIONS)]
    pub done0_valid: Vec<Signal<In, Bit>>,
    #[many(PARTITIONS)]
    pub done0_warp: Vec<Signal<In, Bits<WARP_BITS>>>,
    #[many(PARTITIONS)]
    pub done0_rd: Vec<Signal<In, Bits<6>>>,
    #[many(PARTITIONS)]
    pub done1_valid: Vec<Signal<In, Bit>>,
    #[many(PARTITIONS)]
    pub done1_warp: Vec<Signal<In, Bits<WARP_BITS>>>,
    #[many(PARTITIONS)]
    pub done1_rd: Vec<Signal<In, Bits<6>>>,
    #[many(PARTITIONS)]
    pub decode_word0: Vec<Signal<Out, Bits<32>>>,
    #[many(PARTITIONS)]
    pub decode_word1: Vec<Signal<Out, Bits<32>>>,
    #[many(PARTITIONS)]
    pub issue_valid: Vec<Signal<Out, Bit>>,
    #[many(PARTITIONS)]
    pub issue_warp: Vec<Signal<Out, Bits<WARP_BITS>>>,
    #[many(PARTITIONS)]
    pub issue_pc: Vec<Signal<Out, Bits<22>>>,
    #[many(PARTITIONS)]
    pub issue_mask: Vec<Signal<Out, Bits<THREADS>>>,
    #[many(PARTITIONS)]
    pub issue_word: Vec<Signal<Out, Bits<32>>>,
    #[many(PARTITIONS)]
    pub issue_decoded: Vec<Signal<Out, Bits<23>>>,
    #[many(PARTITIONS)]
    pub second_valid: Vec<Signal<Out, Bit>>,
    #[many(PARTITIONS)]
    pub second_word: Vec<Signal<Out, Bits<32>>>,
    #[many(PARTITIONS)]
    pub second_decoded: Vec<Signal<Out, Bits<23>>>,
    #[many(PARTITIONS)]
    scheduler: Vec<
        Scheduler<
            PARTITION_WARPS,
            PARTITION_WARP_BITS,
            PARTITION_HALF_BITS,
            PARTITION_COUNT_BITS,
            PARTITION_COUNTER_BITS,
            THREADS,
            LEVEL_BITS,
            DUAL,
        >,
    >,
    functional: Units<PARTITIONS>,
    // State: the partitions that come first at the fetch port, from one of them on all.
    favoured: DFF<Bits<PARTITIONS>>,
    // State: the partition whose counter was looked for one, two and three cycles ago.
    selected_1: DFF<Bits<2>>,
    selected_2: DFF<Bits<2>>,
    selected_3: DFF<Bits<2>>,
    // Combinational: a warp's number in its partition; its partition, one-hot.
    start_own: Signal<Local, Bits<WARP_BITS>>,
    predict_own: Signal<Local, Bits<WARP_BITS>>,
    stop_own: Signal<Local, Bits<WARP_BITS>>,
    level_own: Signal<Local, Bits<WARP_BITS>>,
    line_own: Signal<Local, Bits<WARP_BITS>>,
    start_at: Signal<Local, Bits<WARP_BITS>>,
    start_of: Signal<Local, Bits<PARTITIONS>>,
    predict_at: Signal<Local, Bits<WARP_BITS>>,
    predict_of: Signal<Local, Bits<PARTITIONS>>,
    stop_at: Signal<Local, Bits<WARP_BITS>>,
    stop_of: Signal<Local, Bits<PARTITIONS>>,
    level_at: Signal<Local, Bits<WARP_BITS>>,
    level_of: Signal<Local, Bits<PARTITIONS>>,
    line_at: Signal<Local, Bits<WARP_BITS>>,
    line_of: Signal<Local, Bits<PARTITIONS>>,
    wants_line: Signal<Local, Bits<PARTITIONS>>,
    first_of: Signal<Local, Bits<PARTITIONS>>,
    lowest: Signal<Local, Bits<PARTITIONS>>,
    up_to: Signal<Local, Bits<PARTITIONS>>,
    lowest_less: Signal<Local, Bits<PARTITIONS>>,
    fetch_number: Signal<Local, Bits<PARTITION_WARP_BITS>>,
    fetch_own: Signal<Local, Bits<WARP_BITS>>,
    own_number: Signal<Local, Bits<PARTITION_WARP_BITS>>,
    issue_own: Signal<Local, Bits<WARP_BITS>>,
    fetch_partition: Signal<Local, Bits<WARP_BITS>>,
    running: Signal<Local, Bits<WARPS>>,
    flight: Signal<Local, Bits<WARPS>>,
    index: Signal<Local, Bits<COUNTER_BITS>>,
    select_warp: Signal<Local, Bits<COUNTER_BITS>>,
    select: Signal<Local, Bits<COUNTER_BITS>>,
    value: Signal<Local, Bits<32>>,
    #[many(PARTITIONS)]
    own_hold: Vec<Signal<Local, Bits<PARTITION_WARPS>>>,
    #[many(PARTITIONS)]
    own_done0: Vec<Signal<Local, Bits<WARP_BITS>>>,
    #[many(PARTITIONS)]
    own_done1: Vec<Signal<Local, Bits<WARP_BITS>>>,
    // Constants.
    #[value(u64::from(PARTITIONS.ilog2()).into())]
    shift: Constant<Bits<2>>,
    #[value((u64::from(PARTITIONS.ilog2()) + 4).into())]
    warp_at: Constant<Bits<3>>,
    #[value((PARTITIONS as u64 - 1).into())]
    low_bits: Constant<Bits<WARP_BITS>>,
    #[value((PARTITIONS as u64 - 1).into())]
    partition_bits: Constant<Bits<2>>,
    #[value(15.into())]
    index_bits: Constant<Bits<COUNTER_BITS>>,
    #[init((0..PARTITIONS as u64).map(|s| Constant::new(s.into())).collect())]
    partition: Vec<Constant<Bits<WARP_BITS>>>,
    // At 16 s + i: number and bit of warp i of partition s.
    #[init((0..16 * PARTITIONS).map(|n| Constant::new(((n % 16 % PARTITION_WARPS * PARTITIONS + n / 16) as u64).into())).collect())]
    warp: Vec<Constant<Bits<WARP_BITS>>>,
    #[init((0..16 * PARTITIONS).map(|n| Constant::new((1u64 << (n % 16 % PARTITION_WARPS * PARTITIONS + n / 16)).into())).collect())]
    bit: Vec<Constant<Bits<WARPS>>>,
    #[init((0..PARTITIONS as u64).map(|s| Constant::new(s.into())).collect())]
    number: Vec<Constant<Bits<2>>>,
    #[value(1.into())]
    one_hot: Constant<Bits<PARTITIONS>>,
    #[value(0.into())]
    nobody: Constant<Bits<PARTITIONS>>,
    #[value(0.into())]
    no_warps: Constant<Bits<PARTITION_WARPS>>,
    #[value(0.into())]
    none: Constant<Bits<WARPS>>,
}

#[part(Schedulers)]
fn update(&mut self) {
    self.functional.reset.next = self.reset.val();

    // ---- Whose it is: the lowest bits of the warp say it.
    self.start_own.next = self.start_warp.val() >> self.shift.val();
    self.start_at.next = self.start_warp.val() & self.low_bits.val();
    self.start_of.next = self.one_hot.val() << self.start_at.val();
    self.predict_own.next = self.predict_warp.val() >> self.shift.val();
    self.predict_at.next = self.predict_warp.val() & self.low_bits.val();
    self.predict_of.next = self.one_hot.val() << self.predict_at.val();
    self.stop_own.next = self.stop_warp.val() >> self.shift.val();
    self.stop_at.next = self.stop_warp.val() & self.low_bits.val();
    self.stop_of.next = self.one_hot.val() << self.stop_at.val();
    self.level_own.next = self.level_warp.val() >> self.shift.val();
    self.level_at.next = self.level_warp.val() & self.low_bits.val();
    self.level_of.next = self.one_hot.val() << self.level_at.val();
    self.line_own.next = self.line.warp.val() >> self.shift.val();
    self.line_at.next = self.line.warp.val() & self.low_bits.val();
    self.line_of.next = self.one_hot.val() << self.line_at.val();
    for s in 0..PARTITIONS {
        carry!(self.scheduler[s] <- self: reset, cfg_policy);
        self.scheduler[s].start_valid.next =
            self.start_valid.val() & self.start_of.val().get_bit(s);
        self.scheduler[s].start_warp.next = self.start_own.val().get_bits::<PARTITION_WARP_BITS>(0);
        carry!(self.scheduler[s] <- self: start_pc, start_mask, start_launch);
        self.scheduler[s].predict_valid.next =
            self.predict_valid.val() & self.predict_of.val().get_bit(s);
        self.scheduler[s].predict_warp.next =
            self.predict_own.val().get_bits::<PARTITION_WARP_BITS>(0);
        carry!(self.scheduler[s] <- self: predict_pc);
        self.scheduler[s].stop_valid.next = self.stop_valid.val() & self.stop_of.val().get_bit(s);
        self.scheduler[s].stop_warp.next = self.stop_own.val().get_bits::<PARTITION_WARP_BITS>(0);
        self.scheduler[s].level_valid.next =
            self.level_valid.val() & self.level_of.val().get_bit(s);
        self.scheduler[s].level_warp.next = self.level_own.val().get_bits::<PARTITION_WARP_BITS>(0);
        carry!(self.scheduler[s] <- self: level_value, flush);
        self.scheduler[s].line.valid.next = self.line.valid.val() & self.line_of.val().get_bit(s);
        self.scheduler[s].line.warp.next = self.line_own.val().get_bits::<PARTITION_WARP_BITS>(0);
        carry!(self.scheduler[s].line <- self.line: slot, data);
        carry!(self.scheduler[s].counter <- self.counter: clear, hold);
    }

    // ---- One bit per warp.
    self.running.next = self.none.val();
    self.flight.next = self.none.val();
    for s in 0..PARTITIONS {
        self.own_hold[s].next = self.no_warps.val();
        for i in 0..PARTITION_WARPS {
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
    for s in 0..PARTITIONS {
        self.functional.granted[s].next = self.scheduler[s].granted_class.val();
        carry!(self.scheduler[s].unit_* <- self.functional.*[s]: free, ahead);
        self.scheduler[s].cfg_slow.next = self.functional.slow.val();
    }

    // ---- Lines: one port. Who has been served goes behind all others; who is offered stays until it is taken.
    self.wants_line.next = self.nobody.val();
    for s in 0..PARTITIONS {
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
    for s in 0..PARTITIONS {
        self.scheduler[s].fetch.ready.next = self.fetch.ready.val() & self.lowest.val().get_bit(s);
        if self.lowest.val().get_bit(s) {
            self.fetch_number.next = self.scheduler[s].fetch.warp.val();
            self.fetch.line.next = self.scheduler[s].fetch.line.val();
            self.fetch_partition.next = self.partition[s].val();
        }
    }
    self.fetch_own.next = bit_cast::<WARP_BITS, PARTITION_WARP_BITS>(self.fetch_number.val());
    self.fetch.warp.next = (self.fetch_own.val() << self.shift.val()) | self.fetch_partition.val();

    // ---- Decoder, instructions, and what is done: each partition's own.
    for s in 0..PARTITIONS {
        carry!(self.*[s] <- self.scheduler[s]: decode_word0, decode_word1);
        carry!(self.scheduler[s] <- self.*[s]: decode0, decode1);
        self.issue_valid[s].next = self.scheduler[s].issue_valid.val();
        self.own_number.next = self.scheduler[s].issue_warp.val();
        self.issue_own.next = bit_cast::<WARP_BITS, PARTITION_WARP_BITS>(self.own_number.val());
        self.issue_warp[s].next =
            (self.issue_own.val() << self.shift.val()) | self.partition[s].val();
        carry!(self.*[s] <- self.scheduler[s]: issue_pc, issue_mask, issue_word, issue_decoded);
        carry!(self.*[s] <- self.scheduler[s]: second_valid, second_word, second_decoded);
        self.own_done0[s].next = self.done0_warp[s].val() >> self.shift.val();
        self.scheduler[s].done0_valid.next = self.done0_valid[s].val();
        self.scheduler[s].done0_warp.next =
            self.own_done0[s].val().get_bits::<PARTITION_WARP_BITS>(0);
        self.scheduler[s].done0_rd.next = self.done0_rd[s].val();
        self.own_done1[s].next = self.done1_warp[s].val() >> self.shift.val();
        self.scheduler[s].done1_valid.next = self.done1_valid[s].val();
        self.scheduler[s].done1_warp.next =
            self.own_done1[s].val().get_bits::<PARTITION_WARP_BITS>(0);
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
    for s in 0..PARTITIONS {
        self.scheduler[s].counter.select.next =
            self.select.val().get_bits::<PARTITION_COUNTER_BITS>(0);
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
