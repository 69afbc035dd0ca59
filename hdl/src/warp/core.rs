//! Core: the whole warp control.
//!
//! Spec and ports: `docs/spec/core.md`, and the pages of its units.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//! What each partition has of its own is an array of ports (`docs/spec/core.md`).
//!
//! # Cycle behaviour
//! Starts and stops go from the convergence unit to the scheduler through a register: an operation that ends in cycle t
//! has its warp's next instruction selected for fetching in t + 2 at the earliest; where that one was predicted, it is
//! pushed then (CORE-013).
//!
//! Barrier operations and EXIT go to the barrier unit;
//! what it says of them comes to the convergence unit in their place, ahead of everything else.
//! Wakes and other operations take turns.
//!
//! # Errors
//! `exception_*`, `error_*`, `cta_refused`, `cta_done_failed`.

mod barrier_gate;

use crate::bundles::{
    CounterPorts, ErrorPorts, EventPorts, ExceptionPorts, ExpiredPorts, FetchPorts, LinePorts,
    PolicyPorts, RetirePorts, SpillRequestPorts, SpillResponsePorts,
};
use crate::hdl::*;
use crate::prim::WarpQueue;
use crate::warp::barrier::{code as barrier_code, Barrier};
use crate::warp::convergence::{code, Convergence};
use crate::warp::cta::Cta;
use crate::warp::predict::Predict;
use crate::warp::schedulers::Schedulers;

#[module(kernel(Warps, barrier_gate::BarrierGate, Through))]
pub struct Core {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// How the level of a warp is made (CTA-021): 0 always 0, 1 set by the program, 2 of its CTA, 3 the larger.
    pub cfg_level_mix: Signal<In, Bits<2>>,
    /// The token allocation of warp slot w begins at base + 1,024 w, counted in tokens.
    pub cfg_token_base: Signal<In, Bits<32>>,
    /// Tokens of each allocation; above W.
    pub cfg_token_size: Signal<In, Bits<10>>,
    /// Warp slots that may be given to CTAs, a bit each; all of them, unless registers have fewer rows (SUBV-054).
    pub cfg_slots: Signal<In, Bits<WARPS>>,
    /// A CTA to run.
    pub cta_valid: Signal<In, Bit>,
    /// It is taken.
    pub cta_ready: Signal<Out, Bit>,
    /// Address of its first instruction.
    pub cta_pc: Signal<In, Bits<22>>,
    /// Its threads.
    pub cta_threads: Signal<In, Bits<12>>,
    /// Its priority level.
    pub cta_level: Signal<In, Bits<LEVEL_BITS>>,
    /// Comes back with `cta_refused` and `cta_done`.
    pub cta_id: Signal<In, Bits<16>>,
    /// Pulse: it has no threads, or more than there is room for; nothing is started (CTA-011).
    pub cta_refused: Signal<Out, Bit>,
    /// Which one.
    pub cta_refused_id: Signal<Out, Bits<16>>,
    /// Pulse: all warps of a CTA have ended (CTA-030).
    pub cta_done: Signal<Out, Bit>,
    /// Which one.
    pub cta_done_id: Signal<Out, Bits<16>>,
    /// Its slot.
    pub cta_done_slot: Signal<Out, Bits<4>>,
    /// One of its warps ended by an exception.
    pub cta_done_failed: Signal<Out, Bit>,
    /// The program sets the level of its warp (CTA-021).
    pub program_valid: Signal<In, Bit>,
    /// The warp.
    pub program_warp: Signal<In, Bits<WARP_BITS>>,
    /// The level.
    pub program_level: Signal<In, Bits<LEVEL_BITS>>,
    /// Which block stands on this warp slot? (CTA-031)
    pub where_warp: Signal<In, Bits<WARP_BITS>>,
    /// In the same cycle: its CTA slot.
    pub where_cta: Signal<Out, Bits<4>>,
    /// Its block.
    pub where_block: Signal<Out, Bits<WARP_BITS>>,
    /// The logical id of its lane 0.
    pub where_first: Signal<Out, Bits<12>>,
    /// Which warp slot has a block of this CTA slot …
    pub find_cta: Signal<In, Bits<4>>,
    /// … and of this number? (CTA-031)
    pub find_block: Signal<In, Bits<WARP_BITS>>,
    /// One cycle later: the warp slot.
    pub find_warp: Signal<Out, Bits<WARP_BITS>>,
    /// Which warp goes first: 0 age, 1 loose round robin, 2 greedy then oldest, 3 as 0 (SCHED-011, SCHED-013).
    pub cfg_policy: Signal<In, Bits<2>>,
    /// All instruction lines are forgotten; only while no warp runs and no line is awaited (SUPPLY-060).
    pub flush: Signal<In, Bit>,
    pub fetch: FetchPorts,
    pub line: LinePorts,
    /// Bit w: warp w runs.
    pub status_running: Signal<Out, Bits<WARPS>>,
    /// Bit w: instructions of warp w are issued and not done.
    pub status_flight: Signal<Out, Bits<WARPS>>,
    pub counter: CounterPorts,
    /// Four bits per class, class 0 lowest: cycles from one instruction to the next; 0 or 1 is every cycle.
    pub cfg_interval: Signal<In, Bits<20>>,
    /// Bit c: the unit of class c takes instructions; up to four that are already granted still come.
    pub unit_ready: Signal<In, Bits<5>>,
    pub cfg: PolicyPorts,
    /// What an instruction turned out to be: exactly one per issue, any number of cycles later.
    pub resolve_valid: Signal<In, Bit>,
    /// It is taken.
    pub resolve_ready: Signal<Out, Bit>,
    /// Its warp.
    pub resolve_warp: Signal<In, Bits<WARP_BITS>>,
    /// Operation: `Op` in `hdl/ports`.
    pub resolve_op: Signal<In, Bits<4>>,
    /// Token type, or cause of a FAULT, or barrier operation.
    pub resolve_kind: Signal<In, Bits<4>>,
    /// The selected threads.
    pub resolve_mask: Signal<In, Bits<THREADS>>,
    /// Target, or address of a PUSH.
    pub resolve_target: Signal<In, Bits<22>>,
    /// Where the instruction stands.
    pub resolve_pc: Signal<In, Bits<22>>,
    /// Threads that executed it: its `issue_mask`.
    pub resolve_active: Signal<In, Bits<THREADS>>,
    /// Barrier.
    pub resolve_id: Signal<In, Bits<3>>,
    /// Word of a barrier operation.
    pub resolve_word: Signal<In, Bits<32>>,
    /// Two bits per barrier id, id 0 lowest: the larger goes first in the arbiter (BAR-061).
    pub cfg_priority: Signal<In, Bits<16>>,
    /// An operation for the barrier unit.
    pub op_valid: Signal<Out, Bit>,
    /// It is taken.
    pub op_ready: Signal<Out, Bit>,
    /// Which one: `hdl/src/warp/barrier/code.rs`.
    pub op_code: Signal<Out, Bits<4>>,
    /// Its warp.
    pub op_warp: Signal<Out, Bits<WARP_BITS>>,
    /// Of a launch: CTA slot.
    pub op_cta: Signal<Out, Bits<4>>,
    /// Of a launch: block.
    pub op_block: Signal<Out, Bits<WARP_BITS>>,
    /// Of a launch: threads of the whole CTA.
    pub op_threads: Signal<Out, Bits<12>>,
    /// What becomes of the threads: one per operation but LAUNCH and KILL, in their order.
    pub verdict_valid: Signal<Out, Bit>,
    /// It is taken.
    pub verdict_ready: Signal<Out, Bit>,
    /// The warp.
    pub verdict_warp: Signal<Out, Bits<WARP_BITS>>,
    /// 0 NEXT, 1 SLEEP, 2 RETRY, 3 PART, 4 EXIT.
    pub verdict_op: Signal<Out, Bits<3>>,
    /// The threads that it is about.
    pub verdict_mask: Signal<Out, Bits<THREADS>>,
    /// Where the instruction stands.
    pub verdict_pc: Signal<Out, Bits<22>>,
    /// Bit w: warp w waits at a barrier as a whole and issues nothing (BAR-032, BAR-084).
    pub hold: Signal<Out, Bits<WARPS>>,
    /// Threads wake.
    pub wake_valid: Signal<Out, Bit>,
    /// It is taken.
    pub wake_ready: Signal<Out, Bit>,
    /// The convergence unit takes the verdict in this cycle.
    pub verdict_taken: Signal<Out, Bit>,
    /// The convergence unit takes the wake in this cycle.
    pub wake_taken: Signal<Out, Bit>,
    /// Their warp.
    pub wake_warp: Signal<Out, Bits<WARP_BITS>>,
    /// The threads.
    pub wake_mask: Signal<Out, Bits<THREADS>>,
    /// They go on at this address.
    pub wake_pc: Signal<Out, Bits<22>>,
    pub error: ErrorPorts,
    pub event: EventPorts,
    pub expired: ExpiredPorts,
    pub retire: RetirePorts,
    pub exception: ExceptionPorts,
    /// Bit w: warp w is running.
    pub status_busy: Signal<Out, Bits<WARPS>>,
    /// Bit w: a job of warp w is in flight at the memory port (SPILL-032).
    pub status_moving: Signal<Out, Bits<WARPS>>,
    /// Pushes that were dropped since reset.
    pub status_dropped: Signal<Out, Bits<32>>,
    /// Recenterings since reset (SPILL-021).
    pub status_recentered: Signal<Out, Bits<32>>,
    pub spill_request: SpillRequestPorts,
    pub spill_response: SpillResponsePorts,
    /// An access to a register of a warp; holds until it is taken.
    pub config_valid: Signal<In, Bit>,
    /// It is taken.
    pub config_ready: Signal<Out, Bit>,
    /// Write, and not read.
    pub config_write: Signal<In, Bit>,
    /// The warp.
    pub config_warp: Signal<In, Bits<WARP_BITS>>,
    /// The register.
    pub config_register: Signal<In, Bits<4>>,
    /// What is written.
    pub config_data: Signal<In, Bits<32>>,
    /// Pulse, four cycles after the transfer.
    pub config_done: Signal<Out, Bit>,
    /// Value of the register before a write, with `config_done`.
    pub config_result: Signal<Out, Bits<32>>,
    // What each partition has of its own: arrays of S (CORE-031).
    /// One cycle after `decode_word0`: the decoded form (`docs/spec/scheduler.md`).
    #[many(PARTITIONS)]
    pub decode0: Vec<Signal<In, Bits<23>>>,
    /// Likewise of `decode_word1`.
    #[many(PARTITIONS)]
    pub decode1: Vec<Signal<In, Bits<23>>>,
    /// An instruction of an even warp is complete.
    #[many(PARTITIONS)]
    pub done0_valid: Vec<Signal<In, Bit>>,
    /// Its warp.
    #[many(PARTITIONS)]
    pub done0_warp: Vec<Signal<In, Bits<WARP_BITS>>>,
    /// Its destination, as decoded.
    #[many(PARTITIONS)]
    pub done0_rd: Vec<Signal<In, Bits<6>>>,
    /// An instruction of an odd warp is complete.
    #[many(PARTITIONS)]
    pub done1_valid: Vec<Signal<In, Bit>>,
    /// Its warp.
    #[many(PARTITIONS)]
    pub done1_warp: Vec<Signal<In, Bits<WARP_BITS>>>,
    /// Its destination, as decoded.
    #[many(PARTITIONS)]
    pub done1_rd: Vec<Signal<In, Bits<6>>>,
    /// A word to decode: the next one of a warp.
    #[many(PARTITIONS)]
    pub decode_word0: Vec<Signal<Out, Bits<32>>>,
    /// The one at the odd address of its pair (SUPPLY-030).
    #[many(PARTITIONS)]
    pub decode_word1: Vec<Signal<Out, Bits<32>>>,
    /// An instruction to execute.
    #[many(PARTITIONS)]
    pub issue_valid: Vec<Signal<Out, Bit>>,
    /// Its warp.
    #[many(PARTITIONS)]
    pub issue_warp: Vec<Signal<Out, Bits<WARP_BITS>>>,
    /// Where it stands.
    #[many(PARTITIONS)]
    pub issue_pc: Vec<Signal<Out, Bits<22>>>,
    /// The threads that execute it.
    #[many(PARTITIONS)]
    pub issue_mask: Vec<Signal<Out, Bits<THREADS>>>,
    /// The instruction.
    #[many(PARTITIONS)]
    pub issue_word: Vec<Signal<Out, Bits<32>>>,
    /// Its decoded form.
    #[many(PARTITIONS)]
    pub issue_decoded: Vec<Signal<Out, Bits<23>>>,
    /// With it, the instruction at `issue_pc` + 1 goes, too.
    #[many(PARTITIONS)]
    pub second_valid: Vec<Signal<Out, Bit>>,
    /// That instruction.
    #[many(PARTITIONS)]
    pub second_word: Vec<Signal<Out, Bits<32>>>,
    /// Its decoded form.
    #[many(PARTITIONS)]
    pub second_decoded: Vec<Signal<Out, Bits<23>>>,
    cta: Cta<WARPS, WARP_BITS, WARP_COUNT_BITS, COUNTER_BITS, THREADS, LEVEL_BITS>,
    schedulers: Schedulers,
    convergence: Convergence,
    predict: Predict<WARP_BITS, THREADS>,
    barrier: Barrier<WARPS, WARP_BITS, THREADS, THREAD_COUNT_BITS, BARRIER_BITS, COUNTER_BITS>,
    // State: warps that were stopped by an exception and of which the barrier unit does not know yet, also in their
    // order.
    killing: DFF<Bits<WARPS>>,
    kills: WarpQueue<WARPS, WARP_BITS, WARP_COUNT_BITS>,
    // State: the barrier unit knows of the launch that is offered.
    told: DFF<Bit>,
    // State: the operation that is offered to the barrier unit.
    offer: DFF<Bit>,
    is_asked: DFF<Bit>,
    o_code: DFF<Bits<4>>,
    o_warp: DFF<Bits<WARP_BITS>>,
    o_active: DFF<Bits<THREADS>>,
    o_mask: DFF<Bits<THREADS>>,
    o_id: DFF<Bits<3>>,
    o_word: DFF<Bits<32>>,
    o_pc: DFF<Bits<22>>,
    // State: the verdict and the wake that are offered to the convergence unit.
    verdict: DFF<Bit>,
    v_warp: DFF<Bits<WARP_BITS>>,
    v_op: DFF<Bits<4>>,
    v_kind: DFF<Bits<4>>,
    v_mask: DFF<Bits<THREADS>>,
    v_pc: DFF<Bits<22>>,
    wake: DFF<Bit>,
    w_warp: DFF<Bits<WARP_BITS>>,
    w_mask: DFF<Bits<THREADS>>,
    w_pc: DFF<Bits<22>>,
    // State: an operation of the datapath was not taken in the cycle before.
    waits: DFF<Bit>,
    // State: wakes go before other operations in this cycle.
    wakes_first: DFF<Bit>,
    // State: what the convergence unit said in the cycle before.
    start_valid: DFF<Bit>,
    start_launch: DFF<Bit>,
    warp: DFF<Bits<WARP_BITS>>,
    start_pc: DFF<Bits<22>>,
    start_mask: DFF<Bits<THREADS>>,
    stop_valid: DFF<Bit>,
    stop_warp: DFF<Bits<WARP_BITS>>,
    stop_failed: DFF<Bit>,
    // Combinational.
    fails: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    tells: Signal<Local, Bit>,
    is_barrier: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    controls: Signal<Local, Bit>,
    wakes: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    answers: Signal<Local, Bit>,
    quiet: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    takes_kill: Signal<Local, Bit>,
    active: Signal<Local, Bits<THREADS>>,
    code: Signal<Local, Bits<4>>,
    asker: Signal<Local, Bits<WARP_BITS>>,
    killed: Signal<Local, Bits<WARPS>>,
    known: Signal<Local, Bits<WARPS>>,
    // Constants.
    #[value(code::OP_LAUNCH.into())]
    op_launch: Constant<Bits<4>>,
    #[value(code::OP_NEXT.into())]
    op_next: Constant<Bits<4>>,
    #[value(code::OP_EXIT.into())]
    op_exit: Constant<Bits<4>>,
    #[value(code::OP_BARRIER.into())]
    op_barrier: Constant<Bits<4>>,
    #[value(barrier_code::WAIT.into())]
    code_last: Constant<Bits<4>>,
    #[value(barrier_code::EXIT.into())]
    code_exit: Constant<Bits<4>>,
    #[value(barrier_code::LAUNCH.into())]
    code_launch: Constant<Bits<4>>,
    #[value(barrier_code::KILL.into())]
    code_kill: Constant<Bits<4>>,
    #[value(barrier_code::VERDICT_NEXT.into())]
    verdict_next: Constant<Bits<3>>,
    #[value(barrier_code::VERDICT_EXIT.into())]
    verdict_exit: Constant<Bits<3>>,
    #[value(barrier_code::VERDICT_SLEEP.into())]
    verdict_first: Constant<Bits<4>>,
    #[value(code::BARRIER_WAKE.into())]
    kind_wake: Constant<Bits<4>>,
    #[value(1.into())]
    one_warp: Constant<Bits<WARPS>>,
    #[value(u64::from(crate::ports::cause::RECENTER).into())]
    cause_recenter: Constant<Bits<4>>,
    #[value(0.into())]
    no_warps: Constant<Bits<WARPS>>,
}

/// Where warps go on and end: launches, levels, and what each partition has of its own.
struct Warps;

#[part(Core, Warps)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: cta, schedulers, convergence, predict, barrier, kills);

    // ---- Ends and resumes (CORE-011).
    self.fails.next = self.convergence.exception.valid.val()
        & (self.convergence.exception.cause.val() != self.cause_recenter.val());
    self.ends.next = self.convergence.retire.valid.val() & self.convergence.retire.done.val();
    self.start_valid.d.next = self.convergence.wake_valid.val();
    self.start_launch.d.next = self.convergence.retire.op.val() == self.op_launch.val();
    self.warp.d.next = self.convergence.wake_warp.val();
    carry!(self.start_*.d <- self.convergence.retire.next_*: pc, mask);
    self.stop_valid.d.next = self.fails.val() | self.ends.val();
    self.stop_warp.d.next = self.convergence.retire.warp.val();
    self.stop_failed.d.next = self.fails.val();
    carry!(self.schedulers <- self.*.q:
        start_valid, start_launch, start_warp = warp, start_pc, start_mask, stop_valid, stop_warp,
    );
    carry!(self.schedulers.predict_* <- self.predict: valid, warp = next_warp, pc = next_pc);
    carry!(self.cta.ended_* <- self.stop_*.q: valid, warp, failed);

    // ---- Launches and levels.
    self.cta.status_occupied.next = self.convergence.status_busy.val()
        | self.convergence.status_moving.val()
        | self.schedulers.status_running.val()
        | self.schedulers.status_flight.val()
        | self.killing.q.val()
        | !self.cfg_slots.val();
    // The barrier unit hears of it first.
    self.quiet.next = self.told.q.val() & !self.verdict.q.val() & !self.wake.q.val();
    self.convergence.launch_valid.next = self.cta.launch_valid.val() & self.quiet.val();
    self.cta.launch_ready.next = self.convergence.launch_ready.val() & self.quiet.val();
    carry!(self.convergence <- self.cta:
        launch_warp, launch_pc, launch_mask, launch_base, launch_size,
    );
    carry!(self.schedulers <- self.cta: level_valid, level_warp, level_value);

    self.schedulers.hold.next = self.barrier.hold.val();

    // ---- What each partition has of its own.
    for s in 0..PARTITIONS {
        carry!(self.*[s] <- self.schedulers.*[s]:
            issue_valid, issue_warp, issue_pc, issue_mask, issue_word, issue_decoded, second_valid,
            second_word, second_decoded,
        );
        carry!(self.schedulers.*[s] <- self.*[s]:
            decode0, decode1, done0_valid, done0_warp, done0_rd, done1_valid, done1_warp, done1_rd,
        );
        carry!(self.*[s] <- self.schedulers.*[s]: decode_word0, decode_word1);
    }
}

/// Ports that go through to the units; reset.
struct Through;

#[part(Core, Through)]
fn update(&mut self) {
    // ---- Ports of the units.
    carry!(self.cta <- self: cfg_level_mix, cfg_token_base, cfg_token_size, cta_valid);
    self.cta_ready.next = self.cta.cta_ready.val();
    carry!(self.cta <- self: cta_pc, cta_threads, cta_level, cta_id);
    carry!(self <- self.cta:
        cta_refused, cta_refused_id, cta_done, cta_done_id, cta_done_slot, cta_done_failed,
    );
    carry!(self.cta <- self: program_valid, program_warp, program_level, where_warp);
    carry!(self <- self.cta: where_cta, where_block, where_first);
    carry!(self.cta <- self: find_cta, find_block);
    self.find_warp.next = self.cta.find_warp.val();
    carry!(self.schedulers <- self: cfg_policy, flush);
    FetchPorts::<WARP_BITS>::link(&mut self.fetch, &mut self.schedulers.fetch);
    LinePorts::<WARP_BITS>::link(&mut self.line, &mut self.schedulers.line);
    carry!(self <- self.schedulers: status_running, status_flight);
    CounterPorts::<COUNTER_BITS>::link(&mut self.counter, &mut self.schedulers.counter);
    carry!(self.schedulers <- self: cfg_interval, unit_ready);
    PolicyPorts::link(&mut self.cfg, &mut self.convergence.cfg);
    RetirePorts::<WARP_BITS, THREADS>::link(&mut self.retire, &mut self.convergence.retire);
    ExceptionPorts::<WARP_BITS>::link(&mut self.exception, &mut self.convergence.exception);
    carry!(self <- self.convergence: status_busy, status_moving, status_dropped, status_recentered);
    SpillRequestPorts::<TOKEN_BITS, TAG_BITS>::link(
        &mut self.spill_request,
        &mut self.convergence.spill_request,
    );
    SpillResponsePorts::<TOKEN_BITS, TAG_BITS>::link(
        &mut self.spill_response,
        &mut self.convergence.spill_response,
    );
    self.convergence.config_valid.next = self.config_valid.val();
    self.config_ready.next = self.convergence.config_ready.val();
    carry!(self.convergence <- self: config_write, config_warp, config_register, config_data);
    carry!(self <- self.convergence: config_done, config_result);

    // ---- Reset wins.
    if self.reset.val() {
        self.killing.d.next = self.no_warps.val();
        self.told.d.next = false;
        self.offer.d.next = false;
        self.verdict.d.next = false;
        self.wake.d.next = false;
        self.start_valid.d.next = false;
        self.stop_valid.d.next = false;
    }
}
