//! `weft run --check`: what a program does that it must not do, though it may well come to the right result.
//!
//! Spec: `docs/spec/check.md`. A [`Checker`] stands between the threads of a golden machine and their memory
//! ([`crate::Machine::with_checker`]). It changes nothing that they see.

mod clock;
mod finding;
mod shadow;

use crate::memory::{load_size, store_size, FaultCause};
use crate::space::{Bus, LOCAL, SCRATCHPAD};
use crate::view::{READS, WRITES};
use clock::{Clock, Moment};
use finding::Key;
pub use finding::{Accessed, Finding, Names, Wrong};
use shadow::{Access, Bytes, Owner, Shadow};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use weft_isa::{AmoOp, Instr, LoadWidth, Program, StoreWidth, ZONE, ZONE_BYTES};

/// What is known of a thread.
#[derive(Clone, Debug)]
struct State {
    time: u32,
    /// What comes before all that it does now.
    clock: Clock,
    /// What came before its latest fence with W (CHECK-012).
    fenced: Option<Clock>,
    /// The fence was the latest thing it did with memory.
    at_fence: bool,
    /// What comes before what it has seen without an acquire.
    seen: Clock,
    /// The latest thing that it did with memory was to load this.
    loaded: Option<Bytes>,
    /// A race of that load, unless a fence follows at once (CHECK-013).
    doubt: Option<Finding>,
    /// It sleeps at this barrier.
    asleep: Option<usize>,
}

impl Default for State {
    fn default() -> State {
        State {
            time: 1,
            clock: Clock::default(),
            fenced: None,
            at_fence: false,
            seen: Clock::default(),
            loaded: None,
            doubt: None,
            asleep: None,
        }
    }
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Does {
    reads: bool,
    writes: bool,
    /// `aq` and `rl` of an atomic.
    atomic: Option<(bool, bool)>,
}

#[derive(Clone, Debug)]
pub struct Checker {
    /// Threads of a CTA.
    each: u32,
    states: Vec<State>,
    shadow: Shadow,
    /// What comes before who reads such a word atomically.
    released: HashMap<(Owner, u32), Clock>,
    /// By CTA and barrier what comes before who leaves it; by CTA, before who leaves any: threads that have ended.
    barriers: HashMap<(u32, usize), Clock>,
    ended: HashMap<u32, Clock>,
    /// What comes before who goes into an exclusive section: threads that have left any section; and the other way
    /// round.
    sections: Clock,
    exclusive: Clock,
    /// Barriers of exclusive sections.
    excludes: HashSet<(u32, usize)>,
    code: Range<u32>,
    constants: Range<u32>,
    zones: Vec<u32>,
    /// Global memory that belongs to the program.
    owned: Vec<Range<u32>>,
    found: Vec<Finding>,
    known: HashMap<Key, usize>,
}

impl Checker {
    /// Of CTAs of `each` threads; `stacks`: global memory in which the threads' stacks are.
    pub fn new(program: &Program, each: u32, stacks: Range<u32>) -> Checker {
        let mut shadow = Shadow::default();
        let mut owned = Vec::new();
        for segment in &program.segments {
            shadow.contents(segment.range());
            owned.push(segment.range());
        }
        owned.push(stacks);
        let symbol = |name: &str| program.symbols.get(name).copied().unwrap_or_default();
        let zones = program.symbols.iter();
        let mut zones: Vec<u32> = zones
            .filter(|(name, _)| name.starts_with(ZONE))
            .map(|(_, address)| *address)
            .collect();
        zones.sort_unstable();
        Checker {
            each: each.max(1),
            states: Vec::new(),
            shadow,
            released: HashMap::new(),
            barriers: HashMap::new(),
            ended: HashMap::new(),
            sections: Clock::default(),
            exclusive: Clock::default(),
            excludes: HashSet::new(),
            code: program.text.0..program.text.1,
            constants: symbol("__rodata_start")..symbol("__rodata_end"),
            zones,
            owned,
            found: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// What was found, in the order in which it happened first.
    pub fn findings(&mut self) -> &[Finding] {
        for thread in 0..self.states.len() {
            self.settle(thread as u32);
        }
        &self.found
    }

    /// Other CTAs follow, on the same SM.
    pub fn next_cta(&mut self) {
        self.shadow.forget_private();
        self.released.retain(|(owner, _), _| *owner == Owner::All);
    }

    fn state(&mut self, thread: u32) -> &mut State {
        let at = thread as usize;
        if self.states.len() <= at {
            self.states.resize_with(at + 1, State::default);
        }
        &mut self.states[at]
    }

    fn find(&mut self, finding: Finding) {
        let key = finding.key();
        match self.known.get(&key) {
            Some(&at) => self.found[at].times += 1,
            None => {
                self.known.insert(key, self.found.len());
                self.found.push(finding);
            }
        }
    }

    /// No fence has followed the thread's latest load.
    fn settle(&mut self, thread: u32) {
        if let Some(doubt) = self.state(thread).doubt.take() {
            self.find(doubt);
        }
    }

    /// What the thread has done so far comes before whoever joins the clock that is given back.
    fn release(&mut self, thread: u32) -> Clock {
        let each = self.each;
        let state = self.state(thread);
        let time = state.time;
        state.time += 1;
        let mut clock = state.clock.clone();
        clock.add(Moment { thread, time }, each);
        clock
    }

    /// CHECK-011: the thread has come to a barrier that lets nobody go before.
    pub(crate) fn arrives(&mut self, thread: u32, barrier: usize) {
        self.settle(thread);
        let key = (thread / self.each, barrier);
        let clock = self.release(thread);
        self.barriers.entry(key).or_default().join(&clock);
    }

    /// The thread has come to a section.
    pub(crate) fn comes(&mut self, thread: u32, barrier: usize, exclusive: bool) {
        self.settle(thread);
        let key = (thread / self.each, barrier);
        match exclusive {
            true => self.excludes.insert(key),
            false => self.excludes.remove(&key),
        };
    }

    /// The thread has left a section.
    pub(crate) fn goes(&mut self, thread: u32, barrier: usize) {
        self.arrives(thread, barrier);
        let key = (thread / self.each, barrier);
        let Some(clock) = self.barriers.get(&key) else {
            return;
        };
        self.sections.join(clock);
        if self.excludes.contains(&key) {
            self.exclusive.join(clock);
        }
    }

    pub(crate) fn sleeps(&mut self, thread: u32, barrier: usize) {
        self.state(thread).asleep = Some(barrier);
    }

    /// The barrier has let it go.
    pub(crate) fn leaves(&mut self, thread: u32, barrier: usize) {
        let cta = thread / self.each;
        let key = (cta, barrier);
        let others = match self.excludes.contains(&key) {
            true => &self.sections,
            false => &self.exclusive,
        };
        let clocks = [self.barriers.get(&key), self.ended.get(&cta), Some(others)];
        let clocks: Vec<Clock> = clocks.into_iter().flatten().cloned().collect();
        let state = self.state(thread);
        clocks.iter().for_each(|clock| state.clock.join(clock));
    }

    pub(crate) fn wakes(&mut self, thread: u32) {
        if let Some(barrier) = self.state(thread).asleep.take() {
            self.leaves(thread, barrier);
        }
    }

    pub(crate) fn ends(&mut self, thread: u32) {
        self.settle(thread);
        let clock = self.release(thread);
        let cta = thread / self.each;
        self.ended.entry(cta).or_default().join(&clock);
    }

    /// CHECK-012, CHECK-013.
    pub(crate) fn fence(&mut self, thread: u32, fields: u16) {
        let (before, behind) = (fields >> 4 & 15, fields & 15);
        if before & READS != 0 && behind & READS != 0 {
            self.state(thread).doubt = None;
            if let Some(bytes) = self.state(thread).loaded.take() {
                self.shadow.make_flag(bytes);
                self.sees(thread, bytes, false);
            }
            let state = self.state(thread);
            let seen = std::mem::take(&mut state.seen);
            state.clock.join(&seen);
        }
        self.settle(thread);
        if before & WRITES != 0 && behind & WRITES != 0 {
            let clock = self.release(thread);
            let state = self.state(thread);
            state.fenced = Some(clock);
            state.at_fence = true;
        }
        self.state(thread).loaded = None;
    }

    /// The thread has read atomically what others released there.
    fn sees(&mut self, thread: u32, bytes: Bytes, acquires: bool) {
        let key = (bytes.owner, bytes.address / 4);
        let Some(clock) = self.released.get(&key).cloned() else {
            return;
        };
        let state = self.state(thread);
        match acquires {
            true => state.clock.join(&clock),
            false => state.seen.join(&clock),
        }
    }

    /// What others who read the word atomically see of the thread.
    fn shows(&mut self, thread: u32, bytes: Bytes, releases: bool, updates: bool) {
        let clock = match releases {
            true => Some(self.release(thread)),
            false => self.state(thread).fenced.clone(),
        };
        let key = (bytes.owner, bytes.address / 4);
        match (clock, updates) {
            (Some(clock), true) => self.released.entry(key).or_default().join(&clock),
            (Some(clock), false) => drop(self.released.insert(key, clock)),
            (None, true) => {}
            (None, false) => drop(self.released.remove(&key)),
        }
    }

    fn access(&mut self, thread: u32, pc: u32, address: u32, size: u32, does: Does) {
        self.settle(thread);
        let owner = match address {
            SCRATCHPAD.. => Owner::Cta,
            LOCAL.. => Owner::Thread(thread),
            _ => Owner::All,
        };
        let bytes = Bytes {
            owner,
            address,
            size,
        };
        let access = Accessed {
            thread,
            pc,
            writes: does.writes,
            atomic: does.atomic.is_some(),
        };
        let is_unwritten = does.reads && self.shadow.is_unwritten(bytes);
        let wrong = self.place(bytes, does.writes);
        let wrong = wrong.or(is_unwritten.then_some(Wrong::Unwritten));
        if let Some(wrong) = wrong {
            self.find(Finding {
                wrong,
                bytes,
                access,
                times: 1,
            });
        }
        if does.writes || is_unwritten {
            // Told once.
            self.shadow.write(bytes);
        }
        if matches!(owner, Owner::Thread(_)) {
            return;
        }
        let flag = does.atomic.is_none() && self.shadow.is_flag(bytes);
        let first = does.atomic.is_none() && does.writes && self.state(thread).at_fence;
        if first {
            self.shadow.make_flag(bytes);
        }
        let atomic = does.atomic.is_some() || flag || first;
        let race = self.remember(access, bytes, atomic);
        if let Some(other) = race {
            let finding = Finding {
                wrong: Wrong::Race(other),
                bytes,
                access,
                times: 1,
            };
            match does.writes || does.atomic.is_some() {
                true => self.find(finding),
                false => self.state(thread).doubt = Some(finding),
            }
        }
        if atomic {
            let (acquires, releases) = does.atomic.unwrap_or_default();
            if does.reads {
                self.sees(thread, bytes, acquires);
            }
            if does.writes {
                self.shows(thread, bytes, releases, does.reads);
            }
        }
        let state = self.state(thread);
        state.at_fence = false;
        state.loaded = (does.reads && does.atomic.is_none()).then_some(bytes);
    }

    /// What is wrong with the place of an access.
    fn place(&self, bytes: Bytes, writes: bool) -> Option<Wrong> {
        let address = bytes.address;
        let zone = self.zones.partition_point(|zone| *zone <= address);
        let zone = zone.checked_sub(1).map(|at| self.zones[at]);
        if zone.is_some_and(|zone| address - zone < ZONE_BYTES) {
            return Some(Wrong::Beside);
        }
        if bytes.owner != Owner::All {
            return None;
        }
        if writes && self.code.contains(&address) {
            return Some(Wrong::Code);
        }
        if writes && self.constants.contains(&address) {
            return Some(Wrong::Constant);
        }
        let within = |range: &Range<u32>| range.contains(&address);
        match self.owned.iter().any(within) {
            true => None,
            false => Some(Wrong::Nothing),
        }
    }

    /// The first other access with which it races. The access is remembered.
    fn remember(&mut self, access: Accessed, bytes: Bytes, atomic: bool) -> Option<Accessed> {
        self.state(access.thread);
        let each = self.each;
        let state = &self.states[access.thread as usize];
        let moment = Moment {
            thread: access.thread,
            time: state.time,
        };
        let now = Access {
            moment,
            pc: access.pc,
            atomic,
        };
        let ordered = |other: &Access| {
            other.moment.thread == moment.thread || state.clock.knows(other.moment, each)
        };
        let races = |other: &Access| !(ordered(other) || other.atomic && atomic);
        let mut found = None;
        for history in self.shadow.histories(bytes) {
            let told = |other: &Access, writes| Accessed {
                thread: other.moment.thread,
                pc: other.pc,
                writes,
                atomic: other.atomic,
            };
            if let Some(write) = history.write.filter(|write| races(write)) {
                found.get_or_insert(told(&write, true));
            }
            if !access.writes {
                history
                    .reads
                    .retain(|read| !ordered(read) || atomic && !read.atomic);
                history.reads.push(now);
                continue;
            }
            if let Some(read) = history.reads.iter().find(|read| races(read)) {
                found.get_or_insert(told(read, false));
            }
            history.write = Some(now);
            history.reads.clear();
        }
        found
    }

    /// The memory of a thread that executes `instr` at `pc`.
    pub(crate) fn over<'a, B: Bus>(
        &'a mut self,
        bus: &'a mut B,
        instr: Instr,
        pc: u32,
    ) -> Watched<'a, B> {
        let atomic = match instr {
            Instr::LoadReserved { aq, rl, .. }
            | Instr::StoreConditional { aq, rl, .. }
            | Instr::Amo { aq, rl, .. } => Some((aq, rl)),
            _ => None,
        };
        Watched {
            checker: self,
            bus,
            pc,
            atomic,
        }
    }
}

/// A memory, and who looks on.
pub(crate) struct Watched<'a, B> {
    checker: &'a mut Checker,
    bus: &'a mut B,
    pc: u32,
    atomic: Option<(bool, bool)>,
}

impl<B> Watched<'_, B> {
    fn note(&mut self, thread: u32, address: u32, size: u32, (reads, writes): (bool, bool)) {
        let does = Does {
            reads,
            writes,
            atomic: self.atomic,
        };
        self.checker.access(thread, self.pc, address, size, does);
    }
}

impl<B: Bus> Bus for Watched<'_, B> {
    fn read(&mut self, thread: u32, width: LoadWidth, address: u32) -> Result<u32, FaultCause> {
        let value = self.bus.read(thread, width, address)?;
        self.note(thread, address, load_size(width), (true, false));
        Ok(value)
    }

    fn store(
        &mut self,
        thread: u32,
        width: StoreWidth,
        address: u32,
        value: u32,
    ) -> Result<(), FaultCause> {
        self.bus.store(thread, width, address, value)?;
        self.note(thread, address, store_size(width), (false, true));
        Ok(())
    }

    fn load_reserved(&mut self, thread: u32, address: u32) -> Result<u32, FaultCause> {
        let value = self.bus.load_reserved(thread, address)?;
        self.note(thread, address, 4, (true, false));
        Ok(value)
    }

    fn store_conditional(
        &mut self,
        thread: u32,
        address: u32,
        value: u32,
    ) -> Result<bool, FaultCause> {
        let stored = self.bus.store_conditional(thread, address, value)?;
        if stored {
            self.note(thread, address, 4, (true, true));
        }
        Ok(stored)
    }

    fn amo(
        &mut self,
        thread: u32,
        op: AmoOp,
        address: u32,
        operand: u32,
    ) -> Result<u32, FaultCause> {
        let old = self.bus.amo(thread, op, address, operand)?;
        self.note(thread, address, 4, (true, true));
        Ok(old)
    }
}
