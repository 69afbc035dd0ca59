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
mod issue;
mod levels;
mod lower;
mod pick;
pub mod picker;
pub mod queue;
mod running;
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

#[module(
    requires(NW <= 16, NW == 1 << WI, WI == WH + 1, WA == WI + 1, SB == WI + 4, DUAL <= 1),
    kernel(pick::Pick, issue::Issue, running::Waits, running::Running)
)]
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
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// Which warp goes first: 0 age, 1 loose round robin, 2 greedy then oldest, 3 as 0 (SCHED-011, SCHED-013).
    pub cfg_policy: Signal<In, Bits<2>>,
    /// Bit c: class c takes an instruction less often than every cycle.
    pub cfg_slow: Signal<In, Bits<5>>,
    /// Bit c: an instruction of class c may go as a second one in this cycle.
    pub unit_free: Signal<In, Bits<5>>,
    /// Bit c: a grant to class c may be made in the next cycle.
    pub unit_ahead: Signal<In, Bits<5>>,
    /// Bit w: warp w waits at a barrier as a whole and issues nothing (BAR-032, BAR-084).
    pub hold: Signal<In, Bits<NW>>,
    /// A warp goes on: its control operation has retired, or it was launched (SCHED-028).
    pub start_valid: Signal<In, Bit>,
    /// The warp.
    pub start_warp: Signal<In, Bits<WI>>,
    /// Where.
    pub start_pc: Signal<In, Bits<22>>,
    /// With these threads.
    pub start_mask: Signal<In, Bits<W>>,
    /// It was launched.
    pub start_launch: Signal<In, Bit>,
    /// A start of a warp is to be expected (SUPPLY-070).
    pub predict_valid: Signal<In, Bit>,
    /// The warp.
    pub predict_warp: Signal<In, Bits<WI>>,
    /// Where.
    pub predict_pc: Signal<In, Bits<22>>,
    /// A warp has ended, or was stopped by an exception (SCHED-029).
    pub stop_valid: Signal<In, Bit>,
    /// The warp.
    pub stop_warp: Signal<In, Bits<WI>>,
    /// The priority level of a warp is set (SCHED-012).
    pub level_valid: Signal<In, Bit>,
    /// The warp.
    pub level_warp: Signal<In, Bits<WI>>,
    /// The level; larger goes first.
    pub level_value: Signal<In, Bits<LB>>,
    /// All instruction lines are forgotten; only while no warp runs and no line is awaited (SUPPLY-060).
    pub flush: Signal<In, Bit>,
    pub fetch: FetchPorts<WI>,
    pub line: LinePorts<WI>,
    /// A word to decode: the next one of a warp.
    pub decode_word0: Signal<Out, Bits<32>>,
    /// The one at the odd address of its pair (SUPPLY-030).
    pub decode_word1: Signal<Out, Bits<32>>,
    /// One cycle after `decode_word0`: the decoded form (`docs/spec/scheduler.md`).
    pub decode0: Signal<In, Bits<23>>,
    /// Likewise of `decode_word1`.
    pub decode1: Signal<In, Bits<23>>,
    /// Bit c: in the cycle before, an instruction of class c was granted.
    pub granted_class: Signal<Out, Bits<5>>,
    /// An instruction to execute.
    pub issue_valid: Signal<Out, Bit>,
    /// Its warp.
    pub issue_warp: Signal<Out, Bits<WI>>,
    /// Where it stands.
    pub issue_pc: Signal<Out, Bits<22>>,
    /// The threads that execute it.
    pub issue_mask: Signal<Out, Bits<W>>,
    /// The instruction.
    pub issue_word: Signal<Out, Bits<32>>,
    /// Its decoded form.
    pub issue_decoded: Signal<Out, Bits<23>>,
    /// With it, the instruction at `issue_pc` + 1 goes, too.
    pub second_valid: Signal<Out, Bit>,
    /// That instruction.
    pub second_word: Signal<Out, Bits<32>>,
    /// Its decoded form.
    pub second_decoded: Signal<Out, Bits<23>>,
    /// An instruction of an even warp is complete.
    pub done0_valid: Signal<In, Bit>,
    /// Its warp.
    pub done0_warp: Signal<In, Bits<WI>>,
    /// Its destination, as decoded.
    pub done0_rd: Signal<In, Bits<6>>,
    /// An instruction of an odd warp is complete.
    pub done1_valid: Signal<In, Bit>,
    /// Its warp.
    pub done1_warp: Signal<In, Bits<WI>>,
    /// Its destination, as decoded.
    pub done1_rd: Signal<In, Bits<6>>,
    /// Bit w: warp w runs.
    pub status_running: Signal<Out, Bits<NW>>,
    /// Bit w: instructions of warp w are issued and not done.
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
    #[many(NW)]
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
    last_class: Signal<Local, Bits<3>>,
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
    predict_bit: Signal<Local, Bits<NW>>,
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
    // The class of `control` instructions behind which lines are asked for anew (SUPPLY-061).
    #[value(3.into())]
    forgetful: Constant<Bits<3>>,
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
