//! The control operations of one warp, in the words of `docs/spec/convergence.md`.
//!
//! A [`Warp`] knows no instruction set and no datapath: it is given [`Operation`]s with their selected masks. pcs,
//! targets and addresses are instruction indices of 22 bits.

use crate::config::PathPolicy;
use crate::deque::{Deque, Pushed, SearchRules, Token, DIV, EXIT, LAST_SOFTWARE, YIELD};
use crate::record::{Event, Record};
use crate::stats::WarpStats;

/// pc, target and address are 22-bit instruction indices; arithmetic wraps.
pub const PC_MASK: u32 = (1 << 22) - 1;

/// CONV-011, CONV-050 and CONV-055.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    pub yield_every: u16,
    pub forced_yield: u16,
    pub path: PathPolicy,
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
}

impl Exception {
    /// `exception_cause` of `docs/spec/control.md`.
    pub const fn code(self) -> u8 {
        match self {
            Exception::IllegalType(_) => 1,
            Exception::LostThreads => 2,
        }
    }
}

/// A deliberate departure from one requirement, for tests that must notice it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// CONV-010: the larger group runs first.
    LargerGroupFirst,
    /// CONV-010: on a tie the group that falls through runs first.
    FallFirstOnTie,
    /// CONV-011: the smaller group runs first whatever the policy.
    IgnorePath,
    /// CONV-022: the other threads do not run the jump again.
    IndirectFallsThrough,
    /// CONV-030: tokens that are already there are pushed again.
    KeepRedundantPushes,
    /// CONV-030: a front token that names only some of the active threads is taken for the same.
    RedundantIgnoresMask,
    /// CONV-030: pushes are dropped one token late.
    DropLate,
    /// CONV-100: PUSH and LEAVE accept every type.
    ReservedTypes,
    /// CONV-040: LEAVE without a selected thread unwinds.
    UnwindOnEmptyLeave,
    /// CONV-040: a token for another address catches too.
    CatchAnyAddress,
    /// CONV-040: a token of another type catches too.
    CatchAnyType,
    /// CONV-041: passed tokens keep their masks.
    KeepPassedTokens,
    /// CONV-041: passed tokens lose the leaving threads only when a token is found.
    KeepPassedWhenUnfound,
    /// CONV-042: the token catches threads that it does not name.
    CatchUnnamed,
    /// CONV-050: YIELD fires with an empty deque too.
    YieldOnEmptyDeque,
    /// CONV-050: a YIELD that does not fire resets its counter.
    UnfiredYieldResets,
    /// CONV-051: a yield pushes at the front.
    LifoYield,
    /// CONV-051: a merged YIELD token does not gain the threads.
    SkipMergeMask,
    /// CONV-051: YIELD tokens never merge.
    NeverMergeYields,
    /// CONV-055: an unwind resets the counter.
    UnwindResetsForced,
    /// CONV-055: only taken branches count, leaves do not.
    LeavesAreNotCounted,
    /// CONV-055: a forced yield resets the yield counter too.
    ForcedYieldResetsYield,
    /// CONV-060: an unwind may wake threads that have ended.
    RevocableExit,
    /// CONV-070: an unwind wakes the threads of the token whatever they wait for.
    IgnoreReason,
    /// CONV-070: a warp that is done keeps its tokens.
    LeftoverTokensStay,
    /// CONV-070: only one token is popped, and the warp ends when it names nobody.
    PopOnlyOne,
}

impl Mutation {
    pub const ALL: [Mutation; 26] = [
        Mutation::LargerGroupFirst,
        Mutation::FallFirstOnTie,
        Mutation::IgnorePath,
        Mutation::IndirectFallsThrough,
        Mutation::KeepRedundantPushes,
        Mutation::RedundantIgnoresMask,
        Mutation::DropLate,
        Mutation::ReservedTypes,
        Mutation::UnwindOnEmptyLeave,
        Mutation::CatchAnyAddress,
        Mutation::CatchAnyType,
        Mutation::KeepPassedTokens,
        Mutation::KeepPassedWhenUnfound,
        Mutation::CatchUnnamed,
        Mutation::YieldOnEmptyDeque,
        Mutation::UnfiredYieldResets,
        Mutation::LifoYield,
        Mutation::SkipMergeMask,
        Mutation::NeverMergeYields,
        Mutation::UnwindResetsForced,
        Mutation::LeavesAreNotCounted,
        Mutation::ForcedYieldResetsYield,
        Mutation::RevocableExit,
        Mutation::IgnoreReason,
        Mutation::LeftoverTokensStay,
        Mutation::PopOnlyOne,
    ];
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
    yield_counter: u16,
    forced_counter: u16,
    counters: WarpStats,
    mutation: Option<Mutation>,
}

impl Warp {
    /// CONV-080: the threads `mask` start at `pc`; all others have ended. An empty mask gives a warp that is done.
    pub fn launch(number: usize, width: usize, policy: Policy, pc: u32, mask: u64) -> Warp {
        let threads = u64::MAX >> (64 - width);
        assert_eq!(
            mask & !threads,
            0,
            "launch mask {mask:#x} of a warp of {width} threads"
        );
        let mut off = [0; 16];
        off[usize::from(EXIT)] = threads & !mask;
        Warp {
            number,
            policy,
            threads,
            pc: pc & PC_MASK,
            active: mask,
            off,
            deque: Deque::new(width),
            yield_counter: 0,
            forced_counter: 0,
            counters: WarpStats::default(),
            mutation: None,
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Warp {
        self.mutation = Some(mutation);
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

    /// Every thread has ended.
    pub fn is_done(&self) -> bool {
        self.active == 0
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

    /// Counters of this warp; those of instructions belong to the datapath and are zero here.
    pub fn counters(&self) -> &WarpStats {
        &self.counters
    }

    /// Carries out one operation with all its unwinding.
    ///
    /// # Panics
    /// When the warp is done.
    pub fn apply(&mut self, operation: Operation) -> Result<Record, Exception> {
        assert!(
            !self.is_done(),
            "warp {} is done and cannot execute {operation:?}",
            self.number
        );
        let (pc, mask) = (self.pc, self.active);
        let mut dropped = false;
        match operation {
            Operation::Next => self.next(),
            Operation::Branch { selected, target } => self.branch(selected, target),
            Operation::Indirect { selected, target } => self.indirect(selected, target),
            Operation::Push { kind, address } => dropped = self.push(kind, address)?,
            Operation::Leave {
                kind,
                selected,
                target,
            } => {
                self.leave(kind, selected, target, self.after())?;
            }
            Operation::LeaveIndirect {
                kind,
                selected,
                target,
            } => {
                self.leave(kind, selected, target, self.pc)?;
            }
            Operation::Yield => self.yield_()?,
            Operation::Exit { selected } => self.exit(selected)?,
        }
        Ok(self.record(operation.event(), pc, mask, dropped))
    }

    /// CONV-055: does the warp have to yield before it issues again?
    pub fn forced_yield_due(&self) -> bool {
        self.policy.forced_yield != 0
            && self.forced_counter >= self.policy.forced_yield
            && self.active != 0
            && !self.deque.is_empty()
    }

    /// CONV-055: the warp yields where it stands.
    pub fn forced_yield(&mut self) -> Result<Record, Exception> {
        debug_assert!(self.forced_yield_due());
        let (pc, mask) = (self.pc, self.active);
        self.counters.forced_yields += 1;
        if self.mutated(Mutation::ForcedYieldResetsYield) {
            self.yield_counter = 0;
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
        self.split(group, target & PC_MASK, self.active & !group, fall);
    }

    /// CONV-010 Split(t, target, other, fall): threads t go to `target`, threads `other` to `fall`.
    fn split(&mut self, t: u64, target: u32, other: u64, fall: u32) {
        debug_assert_eq!(self.active, t | other);
        if t == 0 {
            self.pc = fall;
        } else if other == 0 || target == fall {
            self.pc = target;
        } else {
            self.counters.divergences += 1;
            if self.runs_first(t, other) {
                self.defer(other, fall);
                self.pc = target;
            } else {
                self.defer(t, target);
                self.pc = fall;
            }
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
        let pushed = self.push_token(kind, address & PC_MASK);
        self.counters.pushes += 1;
        match pushed {
            Pushed::Entered => self.note_depth(),
            Pushed::Redundant => self.counters.redundant_pushes += 1,
            Pushed::Dropped => self.counters.dropped_pushes += 1,
        }
        self.pc = self.after();
        Ok(pushed == Pushed::Dropped)
    }

    fn push_token(&mut self, kind: u8, address: u32) -> Pushed {
        let front = self.deque.front();
        let same = front.is_some_and(|t| t.kind == kind && t.address == address);
        let covers = front.is_some_and(|t| t.mask & self.active == self.active);
        match self.mutation {
            Some(Mutation::RedundantIgnoresMask) if same => Pushed::Redundant,
            Some(Mutation::KeepRedundantPushes)
                if same && covers && self.deque.depth() < self.width() =>
            {
                self.deque.push_front(kind, self.active, address);
                Pushed::Entered
            }
            Some(Mutation::DropLate) if !(same && covers) && self.deque.depth() == self.width() => {
                self.deque.push_front(kind, self.active, address);
                Pushed::Entered
            }
            _ => self.deque.push_software(kind, self.active, address),
        }
    }

    /// CONV-040 to CONV-043, and CONV-045 with the own pc as fall address.
    fn leave(&mut self, kind: u8, selected: u64, target: u32, fall: u32) -> Result<(), Exception> {
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
        let caught = self.deque.catch(kind, leaving, target, self.search_rules());
        self.switch_off(caught, kind);
        if self.active == 0 {
            return self.unwind();
        }
        self.split(leaving & !caught, target, self.active & !leaving, fall);
        Ok(())
    }

    /// CONV-050.
    fn yield_(&mut self) -> Result<(), Exception> {
        self.yield_counter = self.yield_counter.saturating_add(1);
        let every = self.policy.yield_every;
        let has_others = !self.deque.is_empty() || self.mutated(Mutation::YieldOnEmptyDeque);
        if every == 0 || self.yield_counter < every || !has_others {
            if self.mutated(Mutation::UnfiredYieldResets) {
                self.yield_counter = 0;
            }
            self.pc = self.after();
            return Ok(());
        }
        self.yield_counter = 0;
        self.counters.yields_fired += 1;
        self.fire(self.after())
    }

    /// CONV-051: a yield of either kind fires, with this resume address.
    fn fire(&mut self, resume: u32) -> Result<(), Exception> {
        self.forced_counter = 0;
        match self.mutation {
            Some(Mutation::LifoYield) => self.deque.push_front(YIELD, self.active, resume),
            Some(Mutation::NeverMergeYields) => self.deque.push_back(YIELD, self.active, resume),
            Some(Mutation::SkipMergeMask) if self.deque.find_yield(resume).is_some() => {}
            _ => drop(self.deque.push_yield(self.active, resume)),
        }
        self.switch_off(self.active, YIELD);
        self.note_depth();
        self.unwind()
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
            self.forced_counter = 0;
        }
        if self.ended() == self.threads {
            if !self.mutated(Mutation::LeftoverTokensStay) {
                self.deque.clear();
            }
            return Ok(());
        }
        loop {
            let Some(token) = self.deque.pop_front() else {
                return self.nothing_left();
            };
            let threads = token.mask & self.wakeable(token);
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

    /// CONV-071: threads wait, and there is no token.
    fn nothing_left(&mut self) -> Result<(), Exception> {
        if self.mutated(Mutation::PopOnlyOne) {
            self.off = [0; 16];
            self.off[usize::from(EXIT)] = self.threads;
            return Ok(());
        }
        Err(Exception::LostThreads)
    }

    /// CONV-070: the inactive threads whose reason is the token's type.
    fn wakeable(&self, token: Token) -> u64 {
        let waiting = self.waiting_for(token.kind);
        match self.mutation {
            Some(Mutation::IgnoreReason) => self.threads & !self.ended(),
            Some(Mutation::RevocableExit) => waiting | self.ended(),
            _ => waiting,
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
            self.forced_counter = self.forced_counter.saturating_add(1);
        }
    }

    /// CONV-100.
    fn check_type(&self, kind: u8) -> Result<(), Exception> {
        if kind > LAST_SOFTWARE && !self.mutated(Mutation::ReservedTypes) {
            return Err(Exception::IllegalType(kind));
        }
        Ok(())
    }

    fn search_rules(&self) -> SearchRules {
        let rules = SearchRules::SPECIFIED;
        match self.mutation {
            Some(Mutation::KeepPassedTokens) => SearchRules {
                clear_passed: false,
                ..rules
            },
            Some(Mutation::KeepPassedWhenUnfound) => SearchRules {
                clear_unfound: false,
                ..rules
            },
            Some(Mutation::CatchAnyAddress) => SearchRules {
                match_address: false,
                ..rules
            },
            Some(Mutation::CatchAnyType) => SearchRules {
                match_kind: false,
                ..rules
            },
            Some(Mutation::CatchUnnamed) => SearchRules {
                match_mask: false,
                ..rules
            },
            _ => rules,
        }
    }

    /// pc + 1.
    fn after(&self) -> u32 {
        (self.pc + 1) & PC_MASK
    }

    fn width(&self) -> usize {
        self.threads.count_ones() as usize
    }

    fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    fn note_depth(&mut self) {
        self.counters.deepest_deque = self.counters.deepest_deque.max(self.deque.depth());
    }

    fn record(&self, event: Event, pc: u32, mask: u64, dropped: bool) -> Record {
        debug_assert!(self.mutation.is_some() || self.is_consistent(), "{self:?}");
        let done = self.is_done();
        Record {
            warp: self.number,
            event,
            pc,
            mask,
            next_pc: if done { 0 } else { self.pc },
            next_mask: self.active,
            done,
            depth: self.deque.depth(),
            front: self.deque.front(),
            dropped,
        }
    }

    /// Every thread is either active or off for one reason; the deque is in order and did not overflow (CONV-090); each
    /// deferred or yielded thread stands in exactly one token of its kind.
    fn is_consistent(&self) -> bool {
        let (mut seen, mut twice) = (self.active, 0);
        for off in self.off {
            twice |= seen & off;
            seen |= off;
        }
        let named_once = [DIV, YIELD].into_iter().all(|kind| {
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
