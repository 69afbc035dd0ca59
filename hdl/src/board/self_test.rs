//! Self-test: a control plane that runs a stored program on all its warps, and what compares its signature with the
//! right one.
//!
//! Spec: `docs/spec/board.md`, BOARD-010 to 032.
//!
//! # Parameters
//! As `Control`, with W at most 32 and NW at least 2; `A` = WI + 6, address bits of the token memory.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `over` | out | 1 | level: the test has ended |
//! | `pass` | out | 1 | level: it has ended well |
//! | `total` | out | 32 | the signature, when `over` |
//!
//! # Cycle behaviour
//! Starts in the cycle after `reset`; ends for good.
//!
//! # Errors
//! An exception, or no end within 2^20 cycles: `over` without `pass`.

use super::datapath::Datapath;
use super::program::{
    BASE, FORCED_YIELD, ROUNDS, SPARE_TOKENS, YIELD_EVERY, YIELD_SEED, YIELD_THRESHOLD,
};
use super::signature::Signature;
use super::token_memory::TokenMemory;
use crate::hdl::*;
use crate::warp::control::Control;

/// Where the test is.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Phase {
    /// Warps get their first random number and a signature of 0, one per cycle.
    Seed,
    /// Warps are launched, one after the other.
    Launch,
    /// Until all have ended.
    Run,
    Over,
}

#[derive(LogicBlock)]
pub struct SelfTest<
    const NW: usize,
    const WI: usize,
    const WC: usize,
    const W: usize,
    const P: usize,
    const K: usize,
    const B: usize,
    const R: usize,
    const TA: usize,
    const M: usize,
    const A: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub over: Signal<Out, Bit>,
    pub pass: Signal<Out, Bit>,
    pub total: Signal<Out, Bits<32>>,
    control: Control<NW, WI, WC, W, P, K, B, R, TA, M>,
    datapath: Datapath<WI, W>,
    tokens: TokenMemory<M, TA, A>,
    signature: Signature<WI, W>,
    // State.
    phase: DFF<Phase>,
    warp: DFF<Bits<WI>>,
    round: DFF<Bits<3>>,
    /// Cycles in which nothing was busy.
    quiet: DFF<Bits<3>>,
    cycles: DFF<Bits<20>>,
    fault: DFF<Bit>,
    // State: as the control plane and the datapath see the launch and the levels.
    yield_every: DFF<Bits<16>>,
    yield_random: DFF<Bit>,
    // Combinational.
    busy: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    // Constants.
    golden: Constant<Bits<32>>,
    first_warp: Constant<Bits<WI>>,
    next_warp: Constant<Bits<WI>>,
    no_round: Constant<Bits<3>>,
    one_round: Constant<Bits<3>>,
    last_round: Constant<Bits<3>>,
    no_quiet: Constant<Bits<3>>,
    one_quiet: Constant<Bits<3>>,
    no_cycles: Constant<Bits<20>>,
    one_cycle: Constant<Bits<20>>,
    no_word: Constant<Bits<32>>,
    no_register: Constant<Bits<4>>,
    all_threads: Constant<Bits<W>>,
    start: Constant<Bits<22>>,
    size: Constant<Bits<10>>,
    every: Constant<Bits<16>>,
    threshold: Constant<Bits<16>>,
    one_part: Constant<Bits<3>>,
    seed: Constant<Bits<16>>,
    forced: Constant<Bits<16>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
        const A: usize,
    > SelfTest<NW, WI, WC, W, P, K, B, R, TA, M, A>
{
    /// A test that passes with this signature.
    pub fn new(golden: u32) -> Self {
        assert!(A == WI + 6, "SelfTest: A = {A}, WI = {WI}");
        assert!(W + SPARE_TOKENS <= 64, "SelfTest: W = {W}, legal 1..=32");
        assert_eq!(ROUNDS, 8, "the rounds are counted in 3 bits");
        block!({
            clock, reset, over, pass, total, control, datapath, tokens, signature, phase, warp,
            round, quiet, cycles, fault, yield_every, yield_random, busy, good,
        } {
            golden: Constant::new(u64::from(golden).into()),
            first_warp: Constant::new(0.into()),
            next_warp: Constant::new(1.into()),
            no_round: Constant::new(0.into()),
            one_round: Constant::new(1.into()),
            last_round: Constant::new((ROUNDS - 1).into()),
            no_quiet: Constant::new(0.into()),
            one_quiet: Constant::new(1.into()),
            no_cycles: Constant::new(0.into()),
            one_cycle: Constant::new(1.into()),
            no_word: Constant::new(0.into()),
            no_register: Constant::new(0.into()),
            all_threads: Constant::new((u64::MAX >> (64 - W)).into()),
            start: Constant::new(BASE.into()),
            size: Constant::new(((W + SPARE_TOKENS) as u64).into()),
            every: Constant::new(YIELD_EVERY.into()),
            threshold: Constant::new(YIELD_THRESHOLD.into()),
            one_part: Constant::new(7.into()),
            seed: Constant::new(YIELD_SEED.into()),
            forced: Constant::new(FORCED_YIELD.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
        const A: usize,
    > Logic for SelfTest<NW, WI, WC, W, P, K, B, R, TA, M, A>
{
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            phase,
            warp,
            round,
            quiet,
            cycles,
            fault,
            yield_every,
            yield_random
        );
        clock!(self, clock, control, datapath, tokens, signature);
        spread!(self.*.reset <- self.reset: control, datapath, tokens, signature);
        // Levels, by round.
        self.yield_every.d.next = self.every.val();
        self.yield_random.d.next = self.round.q.val().get_bit(2);
        carry!(self.control.cfg <- self.*.q: yield_every, yield_random);
        carry!(self.control.cfg.yield_* <- self: threshold, seed);
        self.control.cfg.forced_yield.next = self.forced.val();
        self.control.cfg.path.next = self.round.q.val().get_bits::<2>(0);
        self.control.cfg.lanes.next = self.one_part.val();
        self.control.cfg.recenter.next = false;
        // Launch.
        self.datapath.seed_enable.next = self.phase.q.val() == Phase::Seed;
        self.datapath.seed_warp.next = self.warp.q.val();
        self.signature.clear_enable.next = self.phase.q.val() == Phase::Seed;
        self.signature.clear_warp.next = self.warp.q.val();
        self.control.launch_valid.next = self.phase.q.val() == Phase::Launch;
        self.control.launch_warp.next = self.warp.q.val();
        carry!(self.control <- self: launch_pc = start, launch_mask = all_threads);
        self.control.launch_base.next = bit_cast::<32, WI>(self.warp.q.val()) << 6;
        self.control.launch_size.next = self.size.val();
        // Instructions and their operations.
        self.datapath.issue_valid.next = self.control.issue_valid.val();
        self.control.issue_ready.next = self.datapath.issue_ready.val();
        carry!(self.datapath <- self.control: issue_warp, issue_pc, issue_mask);
        self.control.resolve_valid.next = self.datapath.resolve_valid.val();
        self.datapath.resolve_ready.next = self.control.resolve_ready.val();
        carry!(self.control <- self.datapath:
            resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target,
        );
        // Tokens.
        self.tokens.request_valid.next = self.control.spill_request.valid.val();
        self.control.spill_request.ready.next = self.tokens.request_ready.val();
        carry!(self.tokens.request_* <- self.control.spill_request: write, address, data, tag);
        self.control.spill_response.valid.next = self.tokens.response_valid.val();
        self.tokens.response_ready.next = self.control.spill_response.ready.val();
        carry!(self.control.spill_response <- self.tokens.response_*: write, tag, data);
        self.control.config_valid.next = false;
        self.control.config_write.next = false;
        self.control.config_warp.next = self.first_warp.val();
        carry!(self.control.config_* <- self.no_*: register, data = word);
        // Trace.
        carry!(self.signature.retire_* <- self.control.retire:
            valid, warp, op, pc, next_pc, next_mask, done, depth, front_kind, front_mask,
            front_pc, front_below, dropped,
        );
        self.fault.d.next = self.fault.q.val() | self.control.exception.valid.val();
        // Phases.
        self.busy.next =
            self.control.status_busy.val().any() | self.control.status_moving.val().any();
        self.quiet.d.next = self.no_quiet.val();
        self.cycles.d.next = self.cycles.q.val() + self.one_cycle.val();
        match self.phase.q.val() {
            Phase::Seed => {
                self.warp.d.next = self.warp.q.val() + self.next_warp.val();
                if self.warp.q.val().all() {
                    self.phase.d.next = Phase::Launch;
                }
            }
            Phase::Launch => {
                if self.control.launch_ready.val() {
                    self.warp.d.next = self.warp.q.val() + self.next_warp.val();
                    if self.warp.q.val().all() {
                        self.phase.d.next = Phase::Run;
                    }
                }
            }
            Phase::Run => {
                if !self.busy.val() {
                    self.quiet.d.next = self.quiet.q.val() + self.one_quiet.val();
                }
                if self.quiet.q.val().all() & !self.busy.val() {
                    self.round.d.next = self.round.q.val() + self.one_round.val();
                    self.phase.d.next = Phase::Launch;
                    if self.round.q.val() == self.last_round.val() {
                        self.phase.d.next = Phase::Over;
                    }
                }
            }
            _ => {
                self.cycles.d.next = self.cycles.q.val();
            }
        }
        // Too late is too late: the counter stays where it is.
        if self.cycles.q.val().all() {
            self.cycles.d.next = self.cycles.q.val();
            self.phase.d.next = Phase::Over;
        }
        self.over.next = self.phase.q.val() == Phase::Over;
        self.good.next = self.signature.total.val() == self.golden.val();
        self.pass.next =
            self.over.val() & self.good.val() & !self.fault.q.val() & !self.cycles.q.val().all();
        self.total.next = self.signature.total.val();
        // Reset wins.
        if self.reset.val() {
            self.phase.d.next = Phase::Seed;
            self.warp.d.next = self.first_warp.val();
            carry!(self.*.d <- self.no_*: round, cycles);
            self.fault.d.next = false;
        }
    }
}
