//! Warp scheduler: of all warps whose next instruction can go, the one with the highest priority issues.
//!
//! Spec and ports: `docs/spec/scheduler.md`, `docs/spec/supply.md`.
//!
//! # Parameters
//! `NW` warps, 4, 8 or 16; `WI` = log2 NW; `WH` = WI - 1; `WA` = WI + 1; `SB` = WI + 4; `W` threads per warp;
//! `LB` level bits; `DUAL`: 1:
//! up to two instructions of one warp per cycle.
//!
//! # Cycle behaviour
//! ```text
//! cycle      t         t + 1            t + 2                           t + 3
//! stage      pick      aim              issue                           out
//!            picker    number of the    instructions, scoreboard row;   words and mask from block RAM,
//!                      warp, its head   check of the next instruction   issue_*
//! supply     select    look             words                           push: check of the first instruction
//! ```
//! A warp can be granted again in t + 3.
//!
//! # Invariants
//! 1. A warp is at the picker only if its first instruction has been checked and may go: nothing about hazards is asked
//!    there.
//! 2. Every queued instruction is checked exactly once, by the issue of the one before it or by its push.
//! 3. A running warp that is not at the picker waits for a control operation if and only if the supply wants nothing
//!    more for it.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

mod at_least;
pub mod counters;
mod hazard;
mod in_flight;
mod levels;
mod lower;
pub mod picker;
pub mod queue;
mod same;
pub mod scoreboard;
pub mod supply;
mod touch;
mod waiting;

use crate::bundles::{CounterPorts, FetchPorts, LinePorts};
use crate::hdl::*;
use crate::prim::BlockRam;
use counters::Counters;
use hazard::Hazard;
use levels::Levels;
use picker::Picker;
use queue::Queue;
use scoreboard::Scoreboard;
use supply::Supply;
use waiting::Waiting;

#[module(requires(NW <= 16, NW == 1 << WI, WI == WH + 1, WA == WI + 1, SB == WI + 4, DUAL <= 1))]
pub struct Scheduler<
    const NW: usize,
    const WI: usize,
    const WH: usize,
    const WA: usize,
    const SB: usize,
    const W: usize,
    const LB: usize,
    const DUAL: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_policy: Signal<In, Bits<2>>,
    pub cfg_slow: Signal<In, Bits<5>>,
    pub unit_free: Signal<In, Bits<5>>,
    pub unit_ahead: Signal<In, Bits<5>>,
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
    pub fetch: FetchPorts<WI>,
    pub line: LinePorts<WI>,
    pub decode_word0: Signal<Out, Bits<32>>,
    pub decode_word1: Signal<Out, Bits<32>>,
    pub decode0: Signal<In, Bits<23>>,
    pub decode1: Signal<In, Bits<23>>,
    pub granted_class: Signal<Out, Bits<5>>,
    pub issue_valid: Signal<Out, Bit>,
    pub issue_warp: Signal<Out, Bits<WI>>,
    pub issue_pc: Signal<Out, Bits<22>>,
    pub issue_mask: Signal<Out, Bits<W>>,
    pub issue_word: Signal<Out, Bits<32>>,
    pub issue_decoded: Signal<Out, Bits<23>>,
    pub second_valid: Signal<Out, Bit>,
    pub second_word: Signal<Out, Bits<32>>,
    pub second_decoded: Signal<Out, Bits<23>>,
    pub done0_valid: Signal<In, Bit>,
    pub done0_warp: Signal<In, Bits<WI>>,
    pub done0_rd: Signal<In, Bits<6>>,
    pub done1_valid: Signal<In, Bit>,
    pub done1_warp: Signal<In, Bits<WI>>,
    pub done1_rd: Signal<In, Bits<6>>,
    pub status_running: Signal<Out, Bits<NW>>,
    pub status_flight: Signal<Out, Bits<NW>>,
    pub counter: CounterPorts<SB>,
    picker: Picker<NW, WI, LB>,
    levels: Levels<WI, WH, LB>,
    scoreboard: Scoreboard<NW, WI, WH>,
    queue: Queue<NW, WI, WH, WA>,
    supply: Supply<NW, WI, WH, WA>,
    counters: Counters<NW, WI, SB>,
    waiting: Waiting<NW, WI, WH>,
    // State per warp.
    running: DFF<Bits<NW>>,
    present: DFF<Bits<NW>>,
    room: DFF<Bits<NW>>,
    #[init((0..NW).map(|_| Default::default()).collect())]
    class: Vec<DFF<Bits<3>>>,
    // State per warp: the unit of its first instruction is free in this cycle;
    // and it was not granted two cycles before.
    usable: DFF<Bits<NW>>,
    mask: BlockRam<W, WI>,
    // State: loose round robin was chosen in the cycle before.
    was_in_turn: DFF<Bit>,
    // State: the issue stage, and what leaves it.
    i_valid: DFF<Bit>,
    // Its warp, one-hot, or 0.
    issues: DFF<Bits<NW>>,
    i_warp: DFF<Bits<WI>>,
    o_valid: DFF<Bit>,
    o_warp: DFF<Bits<WI>>,
    o_first: DFF<Bits<23>>,
    o_second: DFF<Bit>,
    o_other: DFF<Bits<23>>,
    // State: the warp that was launched in the cycle before.
    launched: DFF<Bit>,
    launched_warp: DFF<Bits<WI>>,
    // State: the warp in the issue stage is that in the push stage.
    same_warp: DFF<Bit>,
    // State: the warp of the push stage was at the picker in the cycle before, and has issued all that it had then.
    was_present: DFF<Bit>,
    was_emptied: DFF<Bit>,
    // State: the words of the push stage.
    p_word0: DFF<Bits<32>>,
    p_word1: DFF<Bits<32>>,
    // Combinational.
    free: Signal<Local, Bits<8>>,
    ahead: Signal<Local, Bits<8>>,
    class0: Signal<Local, Bits<NW>>,
    class1: Signal<Local, Bits<NW>>,
    class2: Signal<Local, Bits<NW>>,
    slow: Signal<Local, Bits<8>>,
    ready: Signal<Local, Bits<NW>>,
    granted: Signal<Local, Bits<NW>>,
    in_turn: Signal<Local, Bit>,
    greedy_first: Signal<Local, Bit>,
    sets_level: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    granted_of: Signal<Local, Bits<3>>,
    aim_warp: Signal<Local, Bits<WI>>,
    issuing: Signal<Local, Bit>,
    first: Signal<Local, Bits<23>>,
    other: Signal<Local, Bits<23>>,
    third: Signal<Local, Bits<23>>,
    first_rd: Signal<Local, Bits<6>>,
    other_rd: Signal<Local, Bits<6>>,
    other_class: Signal<Local, Bits<3>>,
    there_is_other: Signal<Local, Bit>,
    other_clear: Signal<Local, Bit>,
    pairs: Signal<Local, Bit>,
    second: Signal<Local, Bit>,
    left: Signal<Local, Bits<3>>,
    next_there: Signal<Local, Bit>,
    next: Signal<Local, Bits<23>>,
    other_usable: Signal<Local, Bit>,
    third_usable: Signal<Local, Bit>,
    next_usable: Signal<Local, Bit>,
    pushed_usable: Signal<Local, Bit>,
    row: Signal<Local, Bits<32>>,
    other_hazard: Hazard,
    third_hazard: Hazard,
    next_waits_rd: Signal<Local, Bit>,
    next_waits_rs1: Signal<Local, Bit>,
    next_waits_rs2: Signal<Local, Bit>,
    push_warp: Signal<Local, Bits<WI>>,
    push_runs: Signal<Local, Bit>,
    push_odd: Signal<Local, Bit>,
    push_count: Signal<Local, Bits<2>>,
    push_last: Signal<Local, Bit>,
    push_same: Signal<Local, Bit>,
    pushed: Signal<Local, Bits<23>>,
    pushed_hazard: Hazard,
    push_alone: Signal<Local, Bit>,
    push_queues: Signal<Local, Bits<NW>>,
    push_checks: Signal<Local, Bit>,
    may_use: Signal<Local, Bits<NW>>,
    will_use: Signal<Local, Bits<NW>>,
    present_issue: Signal<Local, Bits<NW>>,
    room_left: Signal<Local, Bit>,
    room_issue: Signal<Local, Bits<NW>>,
    room_push: Signal<Local, Bits<NW>>,
    blocked: Signal<Local, Bits<NW>>,
    push_bit: Signal<Local, Bits<NW>>,
    push_check_bit: Signal<Local, Bits<NW>>,
    start_bit: Signal<Local, Bits<NW>>,
    stop_bit: Signal<Local, Bits<NW>>,
    // Constants.
    #[value(DUAL == 1)]
    dual: Constant<Bit>,
    // Warps that have this bit in their number.
    #[init((0..WI) .map(|b| Constant::new((0..NW).fold(0u64, |set, i| set | ((i >> b & 1) as u64) << i).into())) .collect())]
    numbers_with: Vec<Constant<Bits<NW>>>,
    #[init((0..NW).map(|i| Constant::new((1u64 << i).into())).collect())]
    bit: Vec<Constant<Bits<NW>>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(0.into())]
    no_warp: Constant<Bits<WI>>,
    #[value(0.into())]
    no_rd: Constant<Bits<6>>,
    #[value(1.into())]
    one: Constant<Bits<3>>,
    #[value(3.into())]
    few: Constant<Bits<3>>,
    #[value(0.into())]
    push_none: Constant<Bits<2>>,
    #[value(1.into())]
    push_one: Constant<Bits<2>>,
    #[value(2.into())]
    push_two: Constant<Bits<2>>,
    #[value(1.into())]
    one_class: Constant<Bits<5>>,
    #[value(0.into())]
    no_classes: Constant<Bits<5>>,
    #[value(1.into())]
    round_robin: Constant<Bits<2>>,
    #[value(2.into())]
    greedy_oldest: Constant<Bits<2>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WH: usize,
        const WA: usize,
        const SB: usize,
        const W: usize,
        const LB: usize,
        const DUAL: usize,
    > kernel::Part for Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.scoreboard.reset.next = self.reset.val();
        self.queue.reset.next = self.reset.val();
        self.queue.clear.next = self.scoreboard.clear.val();
        self.supply.reset.next = self.reset.val();
        self.counters.reset.next = self.reset.val();

        // ---- Pick.
        self.free.next = bit_cast::<8, 5>(self.unit_free.val());
        self.slow.next = bit_cast::<8, 5>(self.cfg_slow.val());
        self.blocked.next = self.waiting.blocked.val();
        self.ahead.next = bit_cast::<8, 5>(self.unit_ahead.val());
        self.may_use.next = self.no_warps.val();
        for i in 0..NW {
            if self.ahead.val().get_bit(self.class[i].q.val().index()) {
                self.may_use.next = self.may_use.val() | self.bit[i].val();
            }
        }
        self.ready.next =
            self.present.q.val() & self.usable.q.val() & !self.hold.val() & !self.blocked.val();
        self.class0.next = self.no_warps.val();
        self.class1.next = self.no_warps.val();
        self.class2.next = self.no_warps.val();
        for i in 0..NW {
            self.class0.next = self
                .class0
                .val()
                .replace_bit(i, self.class[i].q.val().get_bit(0));
            self.class1.next = self
                .class1
                .val()
                .replace_bit(i, self.class[i].q.val().get_bit(1));
            self.class2.next = self
                .class2
                .val()
                .replace_bit(i, self.class[i].q.val().get_bit(2));
        }
        // Loose round robin has no levels.
        self.in_turn.next = self.cfg_policy.val() == self.round_robin.val();
        self.greedy_first.next = self.cfg_policy.val() == self.greedy_oldest.val();
        self.was_in_turn.d.next = self.in_turn.val();
        self.sets_level.next =
            self.level_valid.val() & !self.in_turn.val() & !self.was_in_turn.q.val();
        // A launch touches one cycle later, when its level has been looked up.
        self.launched.d.next = self.start_valid.val() & self.start_launch.val();
        self.launched_warp.d.next = self.start_warp.val();
        self.issuing.next = self.i_valid.q.val();
        self.picker.reset.next = self.reset.val();
        self.picker.in_turn.next = self.in_turn.val();
        self.picker.greedy_first.next = self.greedy_first.val();
        self.picker.was_in_turn.next = self.was_in_turn.q.val();
        self.picker.ready.next = self.ready.val();
        self.picker.issuing.next = self.issuing.val();
        self.picker.issue.next = self.issues.q.val();
        self.picker.issue_warp.next = self.i_warp.q.val();
        self.picker.issue_level.next = self.levels.issue_level.val();
        self.picker.above_issue.next = self.levels.above_issue.val();
        self.picker.level_valid.next = self.sets_level.val();
        self.picker.level_warp.next = self.level_warp.val();
        self.picker.level_value.next = self.level_value.val();
        self.picker.launch_valid.next = self.launched.q.val();
        self.picker.launch_warp.next = self.launched_warp.q.val();
        self.picker.launch_level.next = self.levels.launch_level.val();
        self.granted.next = self.picker.granted.val();
        self.levels.reset.next = self.reset.val() | self.in_turn.val();
        self.levels.clear.next = self.scoreboard.clear.val();
        self.levels.level_valid.next = self.sets_level.val();
        self.levels.level_warp.next = self.level_warp.val();
        self.levels.level_value.next = self.level_value.val();
        self.levels.launch_warp.next = self.start_warp.val();

        // ---- Aim.
        self.aim_warp.next = self.no_warp.val();
        for b in 0..WI {
            self.aim_warp.next = self
                .aim_warp
                .val()
                .replace_bit(b, (self.granted.val() & self.numbers_with[b].val()).any());
        }
        self.granted_of.next =
            bit_cast::<3, 1>((self.granted.val() & self.class0.val()).any().into())
                | (bit_cast::<3, 1>((self.granted.val() & self.class1.val()).any().into()) << 1)
                | (bit_cast::<3, 1>((self.granted.val() & self.class2.val()).any().into()) << 2);
        self.granted_class.next = self.no_classes.val();
        if self.granted.val().any() {
            self.granted_class.next = self.one_class.val() << self.granted_of.val();
        }
        self.levels.aim_warp.next = self.aim_warp.val();
        self.queue.aim.next = self.granted.val();
        self.queue.aim_warp.next = self.aim_warp.val();
        // A warp that is stopped now does not run in the issue stage.
        self.stop_bit.next = self.no_warps.val();
        if self.stop_valid.val() {
            self.stop_bit.next = self.one_warp.val() << self.stop_warp.val();
        }
        self.goes.next = (self.granted.val() & self.running.q.val()).any()
            & !(self.stop_valid.val() & (self.stop_warp.val() == self.aim_warp.val()));
        self.i_valid.d.next = self.goes.val();
        // Not by `goes`, which is later.
        self.issues.d.next = self.granted.val() & self.running.q.val() & !self.stop_bit.val();
        self.i_warp.d.next = self.aim_warp.val();

        // ---- Issue: the first instruction, and the next one where it may go with it.
        self.queue.issuing.next = self.issuing.val();
        self.queue.issue.next = self.issues.q.val();
        self.queue.issue_warp.next = self.i_warp.q.val();
        self.first.next = self.queue.first.val();
        self.other.next = self.queue.other.val();
        self.third.next = self.queue.third.val();
        self.first_rd.next = self.first.val().get_bits::<6>(5);
        self.other_rd.next = self.other.val().get_bits::<6>(5);
        self.scoreboard.issuing.next = self.issuing.val();
        self.scoreboard.aim.next = self.granted.val();
        self.scoreboard.aim_warp.next = self.aim_warp.val();
        self.scoreboard.issue.next = self.issues.q.val();
        self.scoreboard.issue_warp.next = self.i_warp.q.val();
        self.scoreboard.first_rd.next = self.first_rd.val();
        self.row.next = self.scoreboard.row.val();
        self.other_hazard.instruction.next = self.other.val();
        self.other_hazard.row.next = self.row.val();
        self.other_hazard.counts.next = self.scoreboard.row_counts.val();
        self.other_hazard.frees.next = self.scoreboard.frees.val();
        self.other_hazard.freed.next = self.scoreboard.freed.val();
        self.third_hazard.frees.next = self.scoreboard.frees.val();
        self.third_hazard.freed.next = self.scoreboard.freed.val();
        self.pushed_hazard.frees.next = self.scoreboard.push_frees.val();
        self.pushed_hazard.freed.next = self.scoreboard.push_freed.val();
        self.other_hazard.freed_before.next = self.scoreboard.freed_before.val();
        self.third_hazard.freed_before.next = self.scoreboard.freed_before.val();
        self.pushed_hazard.freed_before.next = self.scoreboard.push_freed_before.val();
        self.other_hazard.first_before.next = self.no_rd.val();
        self.other_hazard.second_before.next = self.no_rd.val();
        self.third_hazard.first_before.next = self.no_rd.val();
        self.third_hazard.second_before.next = self.no_rd.val();
        self.pushed_hazard.first_before.next = self.scoreboard.first_before.val();
        self.pushed_hazard.second_before.next = self.scoreboard.second_before.val();
        self.other_hazard.first_rd.next = self.first_rd.val();
        self.other_hazard.second_rd.next = self.first_rd.val();
        self.third_hazard.instruction.next = self.third.val();
        self.third_hazard.row.next = self.row.val();
        self.third_hazard.counts.next = self.scoreboard.row_counts.val();
        self.third_hazard.first_rd.next = self.first_rd.val();
        self.third_hazard.second_rd.next = self.other_rd.val();
        self.there_is_other.next =
            (self.queue.count.val() > self.one.val()) & !self.first.val().get_bit(3);
        self.other_class.next = self.other.val().get_bits::<3>(0);
        self.other_clear.next = !self.other_hazard.rd.val()
            & !self.other_hazard.rs1.val()
            & !self.other_hazard.rs2.val();
        self.pairs.next = self.dual.val()
            & !self.other.val().get_bit(4)
            & (self.other_class.val() != self.first.val().get_bits::<3>(0))
            & self.free.val().get_bit(self.other_class.val().index())
            & !self.slow.val().get_bit(self.other_class.val().index());
        self.second.next = self.issuing.val()
            & self.there_is_other.val()
            & self.other_clear.val()
            & self.pairs.val();
        self.queue.second.next = self.second.val();
        self.scoreboard.second.next = self.second.val();
        self.scoreboard.second_rd.next = self.other_rd.val();

        // ---- Check of the one behind.
        self.other_usable.next = self.ahead.val().get_bit(self.other_class.val().index());
        self.third_usable.next = self
            .ahead
            .val()
            .get_bit(self.third.val().get_bits::<3>(0).index());
        self.next.next = self.other.val();
        self.next_usable.next = self.other_usable.val();
        self.next_waits_rd.next = self.other_hazard.rd.val();
        self.next_waits_rs1.next = self.other_hazard.rs1.val();
        self.next_waits_rs2.next = self.other_hazard.rs2.val();
        if self.second.val() {
            self.next.next = self.third.val();
            self.next_usable.next = self.third_usable.val();
            self.next_waits_rd.next = self.third_hazard.rd.val();
            self.next_waits_rs1.next = self.third_hazard.rs1.val();
            self.next_waits_rs2.next = self.third_hazard.rs2.val();
        }
        self.left.next = self.queue.left.val();
        self.next_there.next = self.issuing.val() & self.left.val().any();

        // ---- Push, and check of what comes to an empty queue.
        self.push_warp.next = self.supply.push_warp.val();
        self.push_odd.next = self.supply.push_pc.val().get_bit(0);
        self.push_bit.next = self.supply.push.val();
        self.push_runs.next = self.supply.push_runs.val();
        self.pushed.next = self.decode0.val();
        self.push_count.next = self.push_none.val();
        if self.push_runs.val() {
            self.push_count.next = self.push_two.val();
            if self.push_odd.val() | self.decode0.val().get_bit(3) {
                self.push_count.next = self.push_one.val();
            }
        }
        self.push_last.next = self.push_runs.val()
            & (self.decode0.val().get_bit(3)
                | (!self.push_odd.val() & self.decode1.val().get_bit(3)));
        self.supply.push_count.next = self.push_count.val();
        self.supply.push_last.next = self.push_last.val();
        self.queue.push.next = self.push_bit.val();
        self.queue.push_warp.next = self.push_warp.val();
        self.queue.push_pc.next = self.supply.push_pc.val();
        self.queue.push_count.next = self.push_count.val();
        self.queue.push0.next = self.decode0.val();
        // From an odd address both are the same.
        self.queue.push1.next = self.decode1.val();
        self.queue.push_word0.next = self.p_word0.q.val();
        self.queue.push_word1.next = self.p_word1.q.val();
        self.same_warp.d.next = self.aim_warp.val() == self.supply.words_warp.val();
        self.scoreboard.same_warp.next = self.same_warp.q.val();
        self.push_same.next = self.issuing.val() & self.push_runs.val() & self.same_warp.q.val();
        self.queue.push_same.next = self.push_same.val();
        self.scoreboard.words.next = self.supply.words.val();
        self.scoreboard.words_warp.next = self.supply.words_warp.val();
        self.scoreboard.push_warp.next = self.push_warp.val();
        self.pushed_hazard.instruction.next = self.pushed.val();
        self.pushed_hazard.row.next = self.scoreboard.push_row.val();
        self.pushed_hazard.counts.next = self.scoreboard.push_row_counts.val();
        self.pushed_hazard.first_rd.next = self.no_rd.val();
        self.pushed_hazard.second_rd.next = self.no_rd.val();
        if self.push_same.val() {
            self.pushed_hazard.first_rd.next = self.first_rd.val();
            if self.second.val() {
                self.pushed_hazard.second_rd.next = self.other_rd.val();
            }
        }
        // A warp that is at the picker has something queued, and only such a warp has.
        self.was_present.d.next = (self.present.q.val() & self.supply.words.val()).any();
        self.was_emptied.d.next = self.issuing.val()
            & (self.i_warp.q.val() == self.supply.words_warp.val())
            & !self.left.val().any();
        self.push_alone.next =
            self.push_runs.val() & (!self.was_present.q.val() | self.was_emptied.q.val());
        self.push_checks.next = self.push_alone.val();
        if self.push_same.val() {
            self.push_checks.next = !self.left.val().any();
        }

        // ---- Who waits for what.
        self.push_check_bit.next = self.no_warps.val();
        if self.push_checks.val() {
            self.push_check_bit.next = self.push_bit.val();
        }
        self.waiting.reset.next = self.reset.val();
        self.waiting.clear.next = self.scoreboard.clear.val();
        self.waiting.issue_check.next = self.next_there.val();
        self.waiting.issuing.next = self.issuing.val();
        self.waiting.issue.next = self.issues.q.val();
        self.waiting.issue_warp.next = self.i_warp.q.val();
        self.waiting.issue_instruction.next = self.next.val();
        self.waiting.issue_rd.next = self.next_waits_rd.val();
        self.waiting.issue_rs1.next = self.next_waits_rs1.val();
        self.waiting.issue_rs2.next = self.next_waits_rs2.val();
        self.waiting.push_alone.next = self.push_alone.val();
        self.waiting.push_check.next = self.push_checks.val();
        self.waiting.push_check_bit.next = self.push_check_bit.val();
        self.waiting.push_warp.next = self.push_warp.val();
        self.waiting.push_instruction.next = self.pushed.val();
        self.waiting.push_rd.next = self.pushed_hazard.rd.val();
        self.waiting.push_rs1.next = self.pushed_hazard.rs1.val();
        self.waiting.push_rs2.next = self.pushed_hazard.rs2.val();
        self.waiting.done0_valid.next = self.done0_valid.val();
        self.waiting.done0_warp.next = self.done0_warp.val();
        self.waiting.done0_rd.next = self.done0_rd.val();
        self.waiting.done1_valid.next = self.done1_valid.val();
        self.waiting.done1_warp.next = self.done1_warp.val();
        self.waiting.done1_rd.next = self.done1_rd.val();
        self.waiting.issue_full.next = self.scoreboard.filled.val();
        self.waiting.push_full.next = self.scoreboard.push_filled.val();
        self.waiting.push_flies.next = self.scoreboard.push_flies.val();
        self.waiting.left0_any.next = self.scoreboard.left0_any.val();
        self.waiting.left0_many.next = self.scoreboard.left0_many.val();
        self.waiting.left1_any.next = self.scoreboard.left1_any.val();
        self.waiting.left1_many.next = self.scoreboard.left1_many.val();
        self.scoreboard.done0_valid.next = self.done0_valid.val();
        self.scoreboard.done0_warp.next = self.done0_warp.val();
        self.scoreboard.done0_rd.next = self.done0_rd.val();
        self.scoreboard.done1_valid.next = self.done1_valid.val();
        self.scoreboard.done1_warp.next = self.done1_warp.val();
        self.scoreboard.done1_rd.next = self.done1_rd.val();
        self.scoreboard.done0_of.next = self.waiting.done0_before.val();
        self.scoreboard.done1_of.next = self.waiting.done1_before.val();
        // Whether its unit will be free is found for the class that it has then.
        self.pushed_usable.next = self
            .ahead
            .val()
            .get_bit(self.pushed.val().get_bits::<3>(0).index());
        self.will_use.next = self.no_warps.val();
        for i in 0..NW {
            if self.push_check_bit.val().get_bit(i) {
                self.class[i].d.next = self.pushed.val().get_bits::<3>(0);
                if self.pushed_usable.val() {
                    self.will_use.next = self.will_use.val() | self.bit[i].val();
                }
            } else if self.issues.q.val().get_bit(i) {
                self.class[i].d.next = self.next.val().get_bits::<3>(0);
                if self.next_usable.val() {
                    self.will_use.next = self.will_use.val() | self.bit[i].val();
                }
            } else if self.may_use.val().get_bit(i) {
                self.will_use.next = self.will_use.val() | self.bit[i].val();
            }
        }
        // Who is granted now is no candidate in the next cycle.
        self.usable.d.next = self.will_use.val() & !self.granted.val();

        // ---- Start and stop; they win.
        self.start_bit.next = self.no_warps.val();
        if self.start_valid.val() {
            self.start_bit.next = self.one_warp.val() << self.start_warp.val();
        }
        self.queue.start_valid.next = self.start_valid.val();
        self.queue.start_warp.next = self.start_warp.val();
        self.queue.start_pc.next = self.start_pc.val();
        self.running.d.next = (self.running.q.val() | self.start_bit.val()) & !self.stop_bit.val();
        self.present_issue.next = self.present.q.val() & !self.issues.q.val();
        if self.next_there.val() {
            self.present_issue.next = self.present.q.val() | self.issues.q.val();
        }
        // Behind an issue of the same warp there is one, that which is left or that which is pushed.
        self.push_queues.next = self.no_warps.val();
        if self.push_alone.val() | self.push_same.val() {
            self.push_queues.next = self.push_bit.val();
        }
        self.present.d.next =
            (self.present_issue.val() | self.push_queues.val()) & !self.stop_bit.val();
        self.room_left.next = self.left.val() < self.few.val();
        // An issue takes no room. What is pushed for that warp in the same cycle goes before it.
        self.room_issue.next = self.room.q.val();
        if self.room_left.val() {
            self.room_issue.next = self.room.q.val() | self.issues.q.val();
        }
        self.room_push.next = self.room_issue.val() & !self.push_bit.val();
        if self.queue.push_few.val() {
            self.room_push.next = self.room_push.val() | self.push_bit.val();
        }
        self.room.d.next = self.room_push.val() | self.start_bit.val();
        self.mask.write_enable.next = self.start_valid.val();
        self.mask.write_address.next = self.start_warp.val();
        self.mask.write_data.next = self.start_mask.val();
        self.mask.read_address.next = self.i_warp.q.val();

        // ---- Supply.
        self.supply.start.next = self.start_bit.val();
        self.supply.start_valid.next = self.start_valid.val();
        self.supply.start_warp.next = self.start_warp.val();
        self.supply.start_pc.next = self.start_pc.val();
        self.supply.stop.next = self.stop_bit.val();
        self.supply.stop_valid.next = self.stop_valid.val();
        self.supply.stop_warp.next = self.stop_warp.val();
        self.supply.flush.next = self.flush.val();
        self.supply.room.next = self.room.q.val();
        self.supply.line_valid.next = self.line.valid.val();
        self.supply.line_warp.next = self.line.warp.val();
        self.supply.line_slot.next = self.line.slot.val();
        self.supply.line_data.next = self.line.data.val();
        FetchPorts::<WI>::link(&mut self.fetch, &mut self.supply.fetch);
        self.decode_word0.next = self.supply.decode_word0.val();
        self.decode_word1.next = self.supply.decode_word1.val();
        self.p_word0.d.next = self.supply.decode_word0.val();
        self.p_word1.d.next = self.supply.decode_word1.val();

        // ---- Out.
        self.o_valid.d.next = self.issuing.val();
        self.o_warp.d.next = self.i_warp.q.val();
        self.o_first.d.next = self.first.val();
        self.o_second.d.next = self.second.val();
        self.o_other.d.next = self.other.val();
        self.issue_valid.next = self.o_valid.q.val();
        self.issue_warp.next = self.o_warp.q.val();
        self.issue_pc.next = self.queue.first_pc.val();
        self.issue_mask.next = self.mask.read_data.val();
        self.issue_word.next = self.queue.first_word.val();
        self.issue_decoded.next = self.o_first.q.val();
        self.second_valid.next = self.o_second.q.val();
        self.second_word.next = self.queue.other_word.val();
        self.second_decoded.next = self.o_other.q.val();
        self.status_running.next = self.running.q.val();
        self.status_flight.next = self.scoreboard.flight.val();

        // ---- Counters.
        self.counters.running.next = self.running.q.val();
        self.counters.wants.next = self.supply.wants.val();
        self.counters.held.next = self.hold.val();
        self.counters.present.next = self.present.q.val();
        self.counters.blocked.next = self.blocked.val();
        self.counters.usable.next = self.usable.q.val();
        self.counters.clear.next = self.counter.clear.val();
        self.counters.hold.next = self.counter.hold.val();
        self.counters.second.next = self.second.val();
        self.counters.issued.next = self.issuing.val();
        self.counters.issued_warp.next = self.i_warp.q.val();
        self.counters.select.next = self.counter.select.val();
        self.counter.value.next = self.counters.value.val();

        // ---- Reset wins.
        if self.reset.val() {
            self.running.d.next = self.no_warps.val();
            self.present.d.next = self.no_warps.val();
            self.room.d.next = self.no_warps.val();
            self.i_valid.d.next = false;
            self.issues.d.next = self.no_warps.val();
            self.launched.d.next = false;
            self.o_valid.d.next = false;
            self.o_second.d.next = false;
        }
    }
}
