//! The control operations of one warp, in the words of `docs/spec/convergence.md`.
//!
//! A [`Warp`] knows no instruction set and no datapath: it is given [`Operation`]s with their selected masks. pcs,
//! targets and addresses are instruction indices of 22 bits.

use crate::deque::{
    Deque, Pushed, Token, BARRIER, CALL, DIV, EXIT, LAST_SOFTWARE, MASKED, MAX_TOKENS, SUBV, SYNC,
    YIELD,
};
use crate::mutation::Mutation;
use crate::policy::{PathPolicy, Policy};
use crate::record::{Event, Record};
use crate::stats::WarpStats;

/// pc, target and address are 22-bit instruction indices; arithmetic wraps.
pub const PC_MASK: u32 = (1 << 22) - 1;

/// Numbers of a warp that the configuration port can read and write (`docs/spec/spill.md`). A launch sets them anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// YIELDS: CONV-050.
    pub yields: u16,
    /// TRANSFERS: CONV-055, all since the last yield.
    pub transfers: u16,
    /// CONV-055: those since a token was popped. No register shows it; a write of TRANSFERS sets it to 0.
    pub standstill: u16,
    /// RANDOM: CONV-052; never 0.
    pub random: u16,
}

impl Registers {
    /// A write of TRANSFERS (CONV-055).
    pub fn set_transfers(&mut self, transfers: u16) {
        self.transfers = transfers;
        self.standstill = 0;
    }
}

/// CONV-055: backward transfers that a warp may carry out while tokens are popped, for each that it may without.
const POPPING: u16 = 64;

/// CONV-055: what asks for a forced yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// No token has been popped for so long.
    Standstill,
    /// Tokens are popped, but no yield of either kind has fired for 64 times as long.
    Transfers,
}

/// What an instruction turned out to be. Of a selected mask only the active threads count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Next,
    Branch {
        selected: u64,
        target: u32,
    },
    /// `selected`: the active threads whose target equals the leader's.
    Indirect {
        selected: u64,
        target: u32,
    },
    Push {
        kind: u8,
        address: u32,
    },
    Leave {
        kind: u8,
        selected: u64,
        target: u32,
    },
    LeaveIndirect {
        kind: u8,
        selected: u64,
        target: u32,
    },
    Yield,
    Exit {
        selected: u64,
    },
    /// `selected`: as for an indirect jump; all active threads for a direct call.
    Call {
        selected: u64,
        target: u32,
    },
    Sleep {
        selected: u64,
    },
    Retry {
        selected: u64,
    },
    Part {
        selected: u64,
    },
    /// CONV-111: of the active and the masked threads, the selected ones are on.
    Set {
        selected: u64,
    },
    /// CONV-112: the whole warp goes there.
    Jump {
        target: u32,
    },
    /// CONV-120: `target` is the end of the loop.
    SubVector {
        target: u32,
    },
}

impl Operation {
    pub fn event(&self) -> Event {
        match self {
            Operation::Next => Event::Next,
            Operation::Branch { .. } => Event::Branch,
            Operation::Indirect { .. } => Event::Indirect,
            Operation::Push { .. } => Event::Push,
            Operation::Leave { .. } => Event::Leave,
            Operation::LeaveIndirect { .. } => Event::LeaveIndirect,
            Operation::Yield => Event::Yield,
            Operation::Exit { .. } => Event::Exit,
            Operation::Call { .. } => Event::Call,
            Operation::Sleep { .. } | Operation::Retry { .. } | Operation::Part { .. } => {
                Event::Barrier
            }
            Operation::Set { .. } | Operation::Jump { .. } | Operation::SubVector { .. } => {
                Event::Mask
            }
        }
    }
}

/// Why the convergence unit cannot carry out an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Exception {
    /// CONV-100: PUSH or LEAVE of a type above 9.
    #[error("ILLEGAL_TYPE: token type {0} is not for software")]
    IllegalType(u8),
    /// CONV-071: cannot happen.
    #[error("LOST_THREADS: threads wait, but the deque is empty")]
    LostThreads,
    /// CONV-080: a launch with an allocation of this many tokens.
    #[error("ALLOCATION: {tokens} tokens for a warp of {threads} threads: {} to {MAX_TOKENS} are possible", threads + 1)]
    Allocation { tokens: usize, threads: usize },
}

impl Exception {
    /// `exception_cause` of `docs/spec/control.md`.
    pub const fn code(self) -> u8 {
        match self {
            Exception::IllegalType(_) => 1,
            Exception::LostThreads => 2,
            Exception::Allocation { .. } => 15,
        }
    }
}

/// CONV-052: the random number of a warp at its launch.
fn first_random(seed: u16, warp: usize) -> u16 {
    (seed ^ (warp as u16).wrapping_mul(0x0421)).max(1)
}

/// CONV-052: a Galois LFSR of period 2^16 − 1.
fn step_random(random: u16) -> u16 {
    let feedback = if random & 1 != 0 { 0xb400 } else { 0 };
    random >> 1 ^ feedback
}

/// One warp: its pc, its active mask, why its other threads are off, and its deque.
#[derive(Clone, Debug)]
pub struct Warp {
    number: usize,
    policy: Policy,
    /// All W threads.
    threads: u64,
    pc: u32,
    active: u64,
    /// For each reason, the threads that are off for it. Disjoint; together with `active` all threads.
    off: [u64; 16],
    deque: Deque,
    registers: Registers,
    /// CONV-056: the threads that have to run the latest operation, a jump, again.
    owes: u64,
    /// CONV-151.
    blocked: bool,
    /// CONV-154: the latest event was a wake, after which no forced yield comes.
    after_wake: bool,
    counters: WarpStats,
    mutation: Option<Mutation>,
}

impl Warp {
    /// CONV-080: of `width` threads those in `mask` start at `pc`, with an allocation of `tokens` tokens;
    /// all others have ended. An empty mask gives a warp that is done.
    ///
    /// # Errors
    /// [`Exception::Allocation`]: the warp does not start (SPILL-024).
    pub fn launch(
        number: usize,
        width: usize,
        tokens: usize,
        policy: Policy,
        pc: u32,
        mask: u64,
    ) -> Result<Warp, Exception> {
        let threads = u64::MAX >> (64 - width);
        assert_eq!(
            mask & !threads,
            0,
            "launch mask {mask:#x} of a warp of {width} threads"
        );
        if tokens <= width || tokens > MAX_TOKENS {
            return Err(Exception::Allocation {
                tokens,
                threads: width,
            });
        }
        let mut off = [0; 16];
        off[usize::from(EXIT)] = threads & !mask;
        Ok(Warp {
            number,
            policy,
            threads,
            pc: pc & PC_MASK,
            active: mask,
            off,
            deque: Deque::new(width, tokens),
            registers: Registers {
                yields: 0,
                transfers: 0,
                standstill: 0,
                random: first_random(policy.yield_seed, number),
            },
            owes: 0,
            blocked: false,
            after_wake: false,
            counters: WarpStats::default(),
            mutation: None,
        })
    }

    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Warp {
        self.mutation = Some(mutation);
        self.deque = self.deque.with_mutation(mutation);
        if self.mutated(Mutation::RandomYieldSameForAllWarps) {
            self.registers.random = first_random(self.policy.yield_seed, 0);
        }
        self
    }

    /// Where the warp goes on.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// A
    pub fn active(&self) -> u64 {
        self.active
    }

    /// Every thread has ended. (CONV-110: without active threads a warp may go on.)
    pub fn is_done(&self) -> bool {
        self.ended() == self.threads
    }

    /// CONV-151: nobody is active, and the warp cannot go on before somebody wakes. (CONV-110: not every warp without
    /// active threads is.)
    pub fn is_blocked(&self) -> bool {
        self.blocked
    }

    pub fn deque(&self) -> &Deque {
        &self.deque
    }

    /// Why the thread in `lane` is off; `None` when it is active.
    pub fn reason(&self, lane: usize) -> Option<u8> {
        (0..16u8).find(|&reason| self.off[usize::from(reason)] >> lane & 1 != 0)
    }

    /// The threads that are off for `reason`.
    pub fn waiting_for(&self, reason: u8) -> u64 {
        self.off[usize::from(reason)]
    }

    pub fn ended(&self) -> u64 {
        self.off[usize::from(EXIT)]
    }

    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// For writes through the configuration port.
    pub fn registers_mut(&mut self) -> &mut Registers {
        &mut self.registers
    }

    /// Counters of this warp; those of instructions belong to the datapath and are zero here.
    pub fn counters(&self) -> &WarpStats {
        &self.counters
    }

    /// Carries out one operation with all its unwinding.
    ///
    /// # Panics
    /// When the warp is done or blocked.
    pub fn apply(&mut self, operation: Operation) -> Result<Record, Exception> {
        assert!(
            !self.is_done() && !self.blocked,
            "warp {} is {} and cannot execute {operation:?}",
            self.number,
            if self.is_done() { "done" } else { "blocked" }
        );
        let (pc, mask) = (self.pc, self.active);
        let mut dropped = false;
        self.owes = 0;
        self.after_wake = false;
        match operation {
            Operation::Set { selected } => self.set(selected)?,
            Operation::Jump { target } => self.warp_jump(target),
            _ if self.active == 0 && !self.mutated(Mutation::EmptyMaskActs) => self.next(),
            Operation::SubVector { target } => dropped = self.sub_vector(target),
            Operation::Next => self.next(),
            Operation::Branch { selected, target } => self.branch(selected, target),
            Operation::Indirect { selected, target } => self.indirect(selected, target),
            Operation::Push { kind, address } => dropped = self.push(kind, address)?,
            Operation::Leave {
                kind,
                selected,
                target,
            } => {
                self.leave(kind, selected, target, self.after(), false)?;
            }
            Operation::LeaveIndirect {
                kind,
                selected,
                target,
            } => {
                self.leave(kind, selected, target, self.pc, true)?;
            }
            Operation::Yield => self.yield_()?,
            Operation::Exit { selected } => self.exit(selected)?,
            Operation::Call { selected, target } => dropped = self.call(selected, target),
            Operation::Sleep { selected } => self.sleep(selected)?,
            Operation::Retry { selected } => self.retry(selected, self.after())?,
            Operation::Part { selected } => {
                let fall = match self.mutated(Mutation::PartLetsGoOn) {
                    true => self.after(),
                    false => self.pc,
                };
                self.retry(selected, fall)?
            }
        }
        Ok(self.record(operation.event(), pc, mask, dropped))
    }

    /// CONV-154: the sleeping threads of `selected` go on at `target`.
    ///
    /// # Panics
    /// When the warp is done.
    pub fn wake(&mut self, selected: u64, target: u32) -> Result<Record, Exception> {
        assert!(!self.is_done(), "warp {} is done", self.number);
        let (pc, mask) = (self.pc, self.active);
        self.after_wake = !self.mutated(Mutation::ForcedYieldAfterWake);
        let woken = match self.mutated(Mutation::WakeAnyReason) {
            true => selected & !self.active & !self.ended(),
            false => selected & self.waiting_for(BARRIER),
        };
        if woken != 0 {
            if self.blocked || self.mutated(Mutation::WakeInterrupts) {
                self.blocked = false;
                if self.mutated(Mutation::WakeDropsTokens) {
                    self.deque.clear();
                }
                self.switch_on(woken);
                self.pc = target & PC_MASK;
            } else {
                self.send_back(woken, target & PC_MASK);
            }
        }
        Ok(self.record(Event::Barrier, pc, mask, false))
    }

    /// CORE-020: what was woken is looked at when the next control operation ends.
    pub fn defer_forced_yield(&mut self) {
        self.after_wake = true;
    }

    /// CONV-055: which counter, if any, has reached the limit of the policy.
    pub fn reached(&self) -> Option<Reached> {
        let limit = self.policy.forced_yield;
        let whole = limit.saturating_mul(POPPING);
        match limit {
            0 => None,
            _ if self.registers.standstill >= limit => Some(Reached::Standstill),
            _ if self.mutated(Mutation::OnlyStandstillForces) => None,
            _ if self.registers.transfers >= whole => Some(Reached::Transfers),
            _ => None,
        }
    }

    /// CONV-055: does the warp have to yield before it issues again?
    pub fn forced_yield_due(&self) -> bool {
        self.reached().is_some()
            && self.active != 0
            && !self.after_wake
            && !self.deque.is_empty()
            && (self.active != self.owes || self.mutated(Mutation::ForcedYieldAtOwedJump))
    }

    /// CONV-055: the warp yields where it stands.
    pub fn forced_yield(&mut self) -> Result<Record, Exception> {
        debug_assert!(self.forced_yield_due());
        let (pc, mask) = (self.pc, self.active);
        self.counters.forced_yields += 1;
        if self.mutated(Mutation::ForcedYieldResetsYield) {
            self.registers.yields = 0;
        }
        self.fire(self.pc)?;
        Ok(self.record(Event::ForcedYield, pc, mask, false))
    }

    /// CONV-020.
    fn next(&mut self) {
        self.pc = self.after();
    }

    /// CONV-021.
    fn branch(&mut self, selected: u64, target: u32) {
        let taken = selected & self.active;
        self.count_transfer(taken, target);
        self.split(taken, target & PC_MASK, self.active & !taken, self.after());
    }

    /// CONV-022: the others run the same instruction again later.
    fn indirect(&mut self, selected: u64, target: u32) {
        let group = selected & self.active;
        self.count_transfer(group, target);
        let fall = if self.mutated(Mutation::IndirectFallsThrough) {
            self.after()
        } else {
            self.pc
        };
        self.owes = if group == 0 { 0 } else { self.active & !group };
        let first = self.runs_first(group, self.active & !group);
        self.jump(group, target & PC_MASK, self.active & !group, fall, first);
    }

    /// CONV-010 Split(t, target, other, fall): threads t go to `target`, threads `other` to `fall`.
    fn split(&mut self, t: u64, target: u32, other: u64, fall: u32) {
        debug_assert_eq!(self.active, t | other);
        if t == 0 {
            self.pc = fall;
        } else if other == 0 || target == fall {
            self.pc = target;
        } else {
            self.part(t, target, other, fall, self.runs_first(t, other));
        }
    }

    /// Split of a jump that `other` have to run again (CONV-022): with the own pc as target the groups part all the
    /// same.
    fn jump(&mut self, t: u64, target: u32, other: u64, fall: u32, t_first: bool) {
        let apart = t != 0 && other != 0 && !self.mutated(Mutation::JumpToItselfKeepsTogether);
        match apart {
            true => self.part(t, target, other, fall, t_first),
            false => self.split(t, target, other, fall),
        }
    }

    /// CONV-010: the warp diverges.
    fn part(&mut self, t: u64, target: u32, other: u64, fall: u32, t_first: bool) {
        self.counters.divergences += 1;
        if t_first {
            self.defer(other, fall);
            self.pc = target;
        } else {
            self.defer(t, target);
            self.pc = fall;
        }
    }

    /// CONV-011: whether t runs first.
    fn runs_first(&self, t: u64, other: u64) -> bool {
        match self.policy.path {
            _ if self.mutation == Some(Mutation::IgnorePath) => self.is_smaller(t, other),
            PathPolicy::SmallerFirst => self.is_smaller(t, other),
            PathPolicy::TakenFirst => true,
            PathPolicy::FallThroughFirst => false,
        }
    }

    /// Whether t is the smaller group, or as large as the other.
    fn is_smaller(&self, t: u64, other: u64) -> bool {
        let (t, other) = (t.count_ones(), other.count_ones());
        match self.mutation {
            Some(Mutation::LargerGroupFirst) => t >= other,
            Some(Mutation::FallFirstOnTie) => t < other,
            _ => t <= other,
        }
    }

    /// CONV-010: active threads wait for their turn behind a DIV token.
    fn defer(&mut self, threads: u64, address: u32) {
        self.deque.push_front(DIV, threads, address);
        self.switch_off(threads, DIV);
        self.note_depth();
    }

    /// CONV-030. Says whether the push was dropped.
    fn push(&mut self, kind: u8, address: u32) -> Result<bool, Exception> {
        self.check_type(kind)?;
        let pushed = self.push_token(kind, self.active, address & PC_MASK);
        self.pc = self.after();
        Ok(pushed == Pushed::Dropped)
    }

    fn push_token(&mut self, kind: u8, threads: u64, address: u32) -> Pushed {
        let pushed = self.deque.push_software(kind, threads, address);
        self.counters.pushes += 1;
        match pushed {
            Pushed::Entered => self.note_depth(),
            Pushed::Redundant => self.counters.redundant_pushes += 1,
            Pushed::Dropped => self.counters.dropped_pushes += 1,
        }
        pushed
    }

    /// CONV-035: those with another target run the call again later. Says whether the push was dropped.
    fn call(&mut self, selected: u64, target: u32) -> bool {
        let group = selected & self.active;
        let named = match self.mutated(Mutation::CallPushesForLeaderOnly) {
            true => group,
            false => self.active,
        };
        let pushed = self.push_token(CALL, named, self.after());
        if !self.mutated(Mutation::CallsAreNotCounted) {
            self.count_transfer(group, target);
        }
        let fall = match self.mutated(Mutation::CallFallsThrough) {
            true => self.after(),
            false => self.pc,
        };
        let others = self.active & !group;
        let first = !self.mutated(Mutation::CallObeysPath) || self.runs_first(group, others);
        self.jump(group, target & PC_MASK, others, fall, first);
        pushed == Pushed::Dropped
    }

    /// CONV-040 to CONV-043, and CONV-045 with the own pc as fall address.
    fn leave(
        &mut self,
        kind: u8,
        selected: u64,
        target: u32,
        fall: u32,
        indirect: bool,
    ) -> Result<(), Exception> {
        self.check_type(kind)?;
        let target = target & PC_MASK;
        let leaving = selected & self.active;
        if leaving == 0 {
            if self.mutated(Mutation::UnwindOnEmptyLeave) {
                self.switch_off(self.active, kind);
                return self.unwind();
            }
            self.pc = fall;
            return Ok(());
        }
        if !self.mutated(Mutation::LeavesAreNotCounted) {
            self.count_transfer(leaving, target);
        }
        let caught = self.deque.catch(kind, leaving, target);
        self.switch_off(caught, kind);
        if self.active == 0 {
            return self.unwind();
        }
        let (free, others) = (leaving & !caught, self.active & !leaving);
        if indirect {
            self.owes = others;
            self.jump(free, target, others, fall, self.runs_first(free, others));
        } else {
            self.split(free, target, others, fall);
        }
        Ok(())
    }

    /// CONV-050, CONV-052.
    fn yield_(&mut self) -> Result<(), Exception> {
        self.registers.yields = self.registers.yields.saturating_add(1);
        let random = step_random(self.registers.random);
        let has_others = !self.deque.is_empty() || self.mutated(Mutation::YieldOnEmptyDeque);
        let fires = self.yield_due(random) && has_others;
        if fires || !self.mutated(Mutation::RandomYieldStepsOnlyWhenFired) {
            self.registers.random = random;
        }
        if !fires {
            if self.mutated(Mutation::UnfiredYieldResets) {
                self.registers.yields = 0;
            }
            self.pc = self.after();
            return Ok(());
        }
        self.registers.yields = 0;
        self.counters.yields_fired += 1;
        self.fire(self.after())
    }

    /// Whether the policy lets a YIELD fire that has been counted and has drawn `random`.
    fn yield_due(&self, random: u16) -> bool {
        let policy = self.policy;
        if !policy.yield_random {
            return policy.yield_every != 0 && self.registers.yields >= policy.yield_every;
        }
        match self.mutation {
            Some(Mutation::RandomYieldIgnoresThreshold) => true,
            Some(Mutation::RandomYieldFiresAtThreshold) => random <= policy.yield_threshold,
            _ => random < policy.yield_threshold,
        }
    }

    /// CONV-051: a yield of either kind fires, with this resume address.
    fn fire(&mut self, resume: u32) -> Result<(), Exception> {
        self.registers.transfers = 0;
        self.registers.standstill = 0;
        self.deque.push_yield(self.active, resume);
        self.switch_off(self.active, YIELD);
        self.note_depth();
        self.unwind()
    }

    /// CONV-150.
    fn sleep(&mut self, selected: u64) -> Result<(), Exception> {
        self.switch_off(selected & self.active, BARRIER);
        if self.active == 0 {
            return self.unwind();
        }
        self.pc = self.after();
        Ok(())
    }

    /// CONV-152, CONV-153: the selected threads run the instruction again later, the others go on at `fall`.
    fn retry(&mut self, selected: u64, fall: u32) -> Result<(), Exception> {
        let again = selected & self.active;
        if again == self.active && self.deque.is_empty() {
            return Ok(());
        }
        if again != 0 {
            let address = match self.mutated(Mutation::RetryGoesOn) {
                true => self.after(),
                false => self.pc,
            };
            self.send_back(again, address);
        }
        if self.active == 0 {
            return self.unwind();
        }
        self.pc = fall;
        Ok(())
    }

    /// CONV-152: `threads` enter a YIELD token.
    fn send_back(&mut self, threads: u64, address: u32) {
        self.deque.push_yield(threads, address);
        for off in &mut self.off {
            *off &= !threads;
        }
        self.switch_off(threads, YIELD);
        self.note_depth();
    }

    /// CONV-111.
    fn set(&mut self, selected: u64) -> Result<(), Exception> {
        let concerned = match self.mutation {
            Some(Mutation::SetWakesAnyReason) => self.threads & !self.ended(),
            Some(Mutation::SetNeverWakes) => self.active,
            _ => self.active | self.waiting_for(MASKED),
        };
        self.switch_on(selected & concerned);
        self.off[usize::from(MASKED)] |= concerned & !selected;
        if self.active == 0 && self.mutated(Mutation::SetUnwinds) && !self.deque.is_empty() {
            return self.unwind();
        }
        self.pc = self.after();
        Ok(())
    }

    /// CONV-112.
    fn warp_jump(&mut self, target: u32) {
        if self.mutated(Mutation::JumpsAreCounted) {
            self.count_transfer(self.active, target);
        }
        let stays = self.active == 0 && self.mutated(Mutation::JumpNeedsThreads);
        self.pc = match stays {
            true => self.after(),
            false => target & PC_MASK,
        };
    }

    /// CONV-120, SUBV-001. Says whether the push was dropped.
    fn sub_vector(&mut self, target: u32) -> bool {
        let mut pushed = Pushed::Redundant;
        if !self.mutated(Mutation::SubVectorWithoutSync) {
            pushed = self.push_token(SYNC, self.active, target & PC_MASK);
        }
        let rest = self.active & !self.lowest_part(self.active);
        self.pc = self.after();
        if rest != 0 {
            self.deque.push_front(SUBV, rest, self.pc);
            self.switch_off(rest, SUBV);
            self.note_depth();
        }
        pushed == Pushed::Dropped
    }

    /// CONV-121: those of `threads` that are in its lowest non-empty part.
    fn lowest_part(&self, threads: u64) -> u64 {
        if threads == 0 {
            return 0;
        }
        let lanes = match self.policy.lanes {
            0 => 64,
            lanes => u32::from(lanes).min(64),
        };
        let first = match self.mutated(Mutation::HighestPartFirst) {
            true => 63 - threads.leading_zeros(),
            false => threads.trailing_zeros(),
        };
        threads & (u64::MAX >> (64 - lanes)) << (first / lanes * lanes)
    }

    /// CONV-060.
    fn exit(&mut self, selected: u64) -> Result<(), Exception> {
        self.switch_off(selected & self.active, EXIT);
        if self.active == 0 {
            return self.unwind();
        }
        self.pc = self.after();
        Ok(())
    }

    /// CONV-070 and CONV-071: nobody is active.
    fn unwind(&mut self) -> Result<(), Exception> {
        debug_assert_eq!(self.active, 0);
        if self.mutated(Mutation::UnwindResetsForced) {
            self.registers.transfers = 0;
            self.registers.standstill = 0;
        }
        if self.ended() == self.threads {
            if !self.mutated(Mutation::LeftoverTokensStay) {
                self.deque.clear();
            }
            return Ok(());
        }
        if self.only_masked_left() {
            self.pc = self.after();
            return Ok(());
        }
        let no_token_wakes = self.ended() | self.waiting_for(BARRIER) | self.waiting_for(MASKED);
        let blocks = no_token_wakes == self.threads;
        if blocks && !self.mutated(Mutation::BlockedDropsTokens) {
            self.blocked = true;
            return Ok(());
        }
        loop {
            let Some(token) = self.deque.pop_front() else {
                if blocks {
                    self.blocked = true;
                    return Ok(());
                }
                return self.nothing_left();
            };
            let mut threads = self.woken_by(token);
            let waiting = threads;
            if token.kind == SUBV {
                threads = self.next_part(token, waiting);
            }
            if threads == waiting && !self.mutated(Mutation::PoppedTokensStandStill) {
                self.registers.standstill = 0;
            }
            if threads != 0 {
                self.switch_on(threads);
                self.pc = token.address;
                return Ok(());
            }
            if self.mutated(Mutation::PopOnlyOne) {
                self.deque.clear();
                return self.nothing_left();
            }
        }
    }

    /// CONV-113: masked threads ride on alone.
    fn only_masked_left(&mut self) -> bool {
        let masked = self.waiting_for(MASKED);
        match self.mutation {
            Some(Mutation::MaskedRunBeforeTokens) => masked != 0,
            Some(Mutation::MaskedDropTokens) if masked | self.ended() == self.threads => {
                self.deque.clear();
                true
            }
            _ => masked | self.ended() == self.threads,
        }
    }

    /// CONV-122: one part of the waiting threads of a SUBV token goes on; the token stays for the others.
    fn next_part(&mut self, token: Token, waiting: u64) -> u64 {
        if waiting == 0 || self.mutated(Mutation::SubVectorWakesAllParts) {
            return waiting;
        }
        let part = self.lowest_part(waiting);
        if waiting != part {
            self.deque.push_front(SUBV, waiting & !part, token.address);
        }
        part
    }

    /// CONV-071: threads wait, and there is no token.
    fn nothing_left(&mut self) -> Result<(), Exception> {
        if self.mutated(Mutation::PopOnlyOne) {
            self.off = [0; 16];
            self.off[usize::from(EXIT)] = self.threads;
            return Ok(());
        }
        Err(Exception::LostThreads)
    }

    /// CONV-070: the inactive threads that the token names and whose reason is its type.
    fn woken_by(&self, token: Token) -> u64 {
        let waiting = self.waiting_for(token.kind);
        match self.mutation {
            Some(Mutation::IgnoreReason) => token.mask & !self.ended(),
            Some(Mutation::RevocableExit) => token.mask & (waiting | self.ended()),
            Some(Mutation::WakeUnnamed) => waiting,
            _ => token.mask & waiting,
        }
    }

    fn switch_off(&mut self, threads: u64, reason: u8) {
        self.active &= !threads;
        self.off[usize::from(reason)] |= threads;
    }

    fn switch_on(&mut self, threads: u64) {
        for off in &mut self.off {
            *off &= !threads;
        }
        self.active = threads;
    }

    /// CONV-055: counts a control transfer with at least one selected active thread and target ≤ pc.
    fn count_transfer(&mut self, threads: u64, target: u32) {
        if threads != 0 && target & PC_MASK <= self.pc {
            let registers = &mut self.registers;
            if registers.transfers < u16::MAX {
                registers.transfers += 1;
                registers.standstill += 1;
            }
        }
    }

    /// CONV-100.
    fn check_type(&self, kind: u8) -> Result<(), Exception> {
        if kind > LAST_SOFTWARE && !self.mutated(Mutation::ReservedTypes) {
            return Err(Exception::IllegalType(kind));
        }
        Ok(())
    }

    /// pc + 1.
    fn after(&self) -> u32 {
        (self.pc + 1) & PC_MASK
    }

    fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    /// After a push.
    fn note_depth(&mut self) {
        self.counters.deepest_deque = self.counters.deepest_deque.max(self.deque.depth());
    }

    fn record(&mut self, event: Event, pc: u32, mask: u64, dropped: bool) -> Record {
        debug_assert!(self.mutation.is_some() || self.is_consistent(), "{self:?}");
        self.counters.recentered = self.deque.recentered();
        let done = self.is_done();
        let idle = done || self.blocked;
        Record {
            warp: self.number,
            event,
            pc,
            mask,
            next_pc: if idle { 0 } else { self.pc },
            next_mask: self.active,
            done,
            blocked: self.blocked,
            depth: self.deque.depth(),
            front: self.deque.front(),
            dropped,
        }
    }

    /// Every thread is either active or off for one reason; the deque is in order and in its allocation (CONV-090);
    /// each deferred or yielded thread, or thread of a part that waits, stands in exactly one token of its kind
    /// (CONV-155, CONV-123).
    fn is_consistent(&self) -> bool {
        let (mut seen, mut twice) = (self.active, 0);
        for off in self.off {
            twice |= seen & off;
            seen |= off;
        }
        let named_once = [DIV, YIELD, SUBV].into_iter().all(|kind| {
            let (mut named, mut again) = (0, 0);
            for token in self.deque.iter().filter(|t| t.kind == kind) {
                again |= named & token.mask;
                named |= token.mask;
            }
            again == 0 && named == self.waiting_for(kind)
        });
        twice == 0 && seen == self.threads && named_once && self.deque.is_well_formed()
    }
}
