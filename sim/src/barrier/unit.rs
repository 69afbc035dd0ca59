//! The operations.

use super::mutation::Mutation;
use super::ports::{BarrierError, Cause, Event, EventKind, Op, OpCode, Verdict, VerdictKind};
use super::state::{Barrier, Cta, Params, State, Timer, Warp, BARRIERS, CTAS, IDS, SLOTS};
use super::word::{Kind, Late, Origin, Word};
use crate::convergence::PC_MASK;
use std::collections::VecDeque;

/// What an operation gets, and what it does at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// `None` for LAUNCH and KILL.
    pub verdict: Option<Verdict>,
    pub errors: Vec<BarrierError>,
    /// In this order, behind the verdict.
    pub events: Vec<Event>,
}

/// What the unit may have done already although no port shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Nothing.
    #[default]
    Plain,
    /// BAR-052: it has found no further turn.
    GroupEnded,
    /// BAR-033: the barrier is INVALID: all are awake.
    Invalidated,
    /// BAR-053: odd threads need not retry any more.
    OddFreed,
}

/// A thread that waits, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiter {
    pub warp: usize,
    pub lane: u32,
    pub id: usize,
    /// Of the TOP.
    pub tag: u32,
    pub state: State,
    pub kind: Kind,
    /// It has run the section.
    pub done: bool,
    /// It waits for the group to end.
    pub late: bool,
    pub arrivals: u32,
    pub target: u32,
}

/// The barrier unit of 16 CTA slots.
#[derive(Clone, Debug)]
pub struct Unit {
    pub(super) params: Params,
    pub(super) ctas: Vec<Cta>,
    pub(super) warps: Vec<Warp>,
    /// Barriers: 8 × CTA slot + id.
    pub(super) queue: VecDeque<usize>,
    pub(super) slots: [Option<usize>; SLOTS],
    /// BAR-062: barriers that let their sleepers go; the first of them is served.
    pub(super) releases: VecDeque<usize>,
    /// BAR-062: a slot was taken last.
    pub(super) release_next: bool,
    /// `cfg_priority` now, and the levels of the barriers in slots when they took them, of the others when they came
    /// to the queue (BAR-061).
    pub(super) priority: u16,
    pub(super) levels: Vec<u16>,
    /// BAR-061: per priority, the slot behind the one that was taken last.
    pub(super) next_slots: [usize; 4],
    pub(super) mutation: Option<Mutation>,
    /// BAR-071: timers of barriers that are complete, and when they run out: what stops them is the event.
    pub(super) stopping: Vec<Option<(Timer, u32)>>,
    /// What happened, for coverage.
    pub(super) notes: Vec<&'static str>,
}

impl Unit {
    pub fn new(params: Params) -> Unit {
        let warp = || Warp {
            id: vec![0; params.threads],
            ..Warp::default()
        };
        Unit {
            params,
            ctas: vec![Cta::default(); CTAS],
            warps: (0..params.warps).map(|_| warp()).collect(),
            queue: VecDeque::new(),
            slots: [None; SLOTS],
            releases: VecDeque::new(),
            release_next: false,
            priority: 0,
            levels: vec![0; BARRIERS],
            next_slots: [0; 4],
            mutation: None,
            stopping: vec![None; BARRIERS],
            notes: Vec::new(),
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Unit {
        self.mutation = Some(mutation);
        self
    }

    pub(super) fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    pub(super) fn note(&mut self, what: &'static str) {
        self.notes.push(what);
    }

    /// What happened since the last call, for coverage.
    pub fn take_notes(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.notes)
    }

    pub fn state(&self, cta: usize, id: usize) -> State {
        self.ctas[cta].barriers[id].state
    }

    pub fn phase(&self, cta: usize, id: usize) -> bool {
        self.ctas[cta].barriers[id].phase
    }

    /// Threads of the CTA that have not ended.
    pub fn live(&self, cta: usize) -> u32 {
        self.ctas[cta].live
    }

    /// Threads of `warp` that are inside a section.
    pub fn inside(&self, warp: usize) -> u64 {
        self.warps[warp].inside
    }

    /// Threads of `warp` that sleep, held ones too.
    pub fn asleep(&self, warp: usize) -> u64 {
        self.warps[warp].asleep
    }

    /// The warp issues nothing (BAR-032).
    #[inline]
    pub fn is_held(&self, warp: usize) -> bool {
        self.warps[warp].held.is_some()
    }

    /// CTA slot and id of the barrier that the warp is held at.
    pub fn held_at(&self, warp: usize) -> Option<(usize, usize)> {
        self.warps[warp].held.map(|b| (b / IDS, b % IDS))
    }

    /// Warps that wait awake (BAR-084).
    pub fn waiting(&self) -> u64 {
        let waiting = self.warps.iter().enumerate().filter(|(_, w)| w.waits);
        waiting.fold(0, |mask, (warp, _)| mask | 1 << warp)
    }

    /// CTA slot of a warp.
    pub fn cta_of(&self, warp: usize) -> usize {
        self.warps[warp].cta
    }

    /// A barrier of the CTA may be INVALID already (BAR-033).
    pub fn maybe_invalid(&self, cta: usize) -> bool {
        (0..IDS).any(|id| self.may_be_invalid(cta * IDS + id))
    }

    /// BAR-083
    pub(super) fn change(&mut self, cta: usize, what: &'static str) {
        if self.mutated(Mutation::EventIgnored) && what != "waits.end.exit" {
            return;
        }
        let mut released = false;
        for w in self.warps.iter_mut().filter(|w| w.cta == cta) {
            w.told = 0;
            released |= std::mem::take(&mut w.waits);
        }
        if released {
            self.note(what);
        }
    }

    /// BAR-082, BAR-084; so who waits does not poll (BAR-085). `a`: of TOP, without those of BAR-020.
    fn tell(&mut self, op: &Op, a: u64, (kind, mask): (VerdictKind, u64)) {
        let waits = match kind {
            VerdictKind::Retry => true,
            VerdictKind::Part => matches!(op.code, OpCode::Top | OpCode::Arrive),
            _ => false,
        };
        let alone = self.mutated(Mutation::ToldAlone);
        let one = self.mutated(Mutation::OneIsEnough);
        let w = &mut self.warps[op.warp];
        if !waits {
            w.told = 0;
            return;
        }
        let before = if alone { 0 } else { w.told & !a };
        w.told = before | mask;
        let awake = w.live & !w.asleep;
        w.waits |= awake & !w.told == 0 || one;
        let (waits, asleep) = (w.waits, w.asleep != 0);
        if !waits {
            return self.note("told.some");
        }
        self.note(match op.code {
            _ if kind == VerdictKind::Part => "waits.part",
            OpCode::Wait => "waits.wait",
            OpCode::Top => "waits.top",
            OpCode::Arrive => "waits.arrive",
            _ => "waits.bottom",
        });
        if before & awake != 0 {
            self.note("waits.groups");
        }
        if asleep {
            self.note("waits.beside_sleepers");
        }
    }

    /// `cfg_priority`: counts when a barrier takes its slot.
    pub fn set_priority(&mut self, priority: u16) {
        if std::mem::replace(&mut self.priority, priority) == priority {
            return;
        }
        let full = self.slots.iter().all(Option::is_some);
        let changes = |&b: &usize| self.levels[b] != self.priority_of(b);
        if full && self.queue.iter().any(changes) {
            self.note("priority.queue_full");
        }
    }

    /// `hold`
    pub fn held(&self) -> u64 {
        let held = self
            .warps
            .iter()
            .enumerate()
            .filter(|(_, w)| w.held.is_some());
        held.fold(0, |mask, (warp, _)| mask | 1 << warp)
    }

    /// Everybody who waits.
    pub fn waiters(&self) -> Vec<Waiter> {
        let mut list = Vec::new();
        for (number, warp) in self.warps.iter().enumerate() {
            for lane in super::state::lanes(warp.asleep) {
                let id = usize::from(warp.id[lane as usize]);
                let bar = &self.ctas[warp.cta].barriers[id];
                list.push(Waiter {
                    warp: number,
                    lane,
                    id,
                    tag: bar.tag,
                    state: bar.state,
                    kind: bar.word.kind(),
                    done: warp.done >> lane & 1 != 0,
                    late: warp.late >> lane & 1 != 0,
                    arrivals: bar.arrivals,
                    target: self.target(warp.cta, id),
                });
            }
        }
        list
    }

    pub(super) fn bar(&mut self, number: usize) -> &mut Barrier {
        &mut self.ctas[number / IDS].barriers[number % IDS]
    }

    pub(super) fn look(&self, number: usize) -> &Barrier {
        &self.ctas[number / IDS].barriers[number % IDS]
    }

    /// Block and warp slot of all blocks of a CTA that still stand on theirs, ascending.
    pub(super) fn blocks(&self, cta: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = self.ctas[cta].warps.iter().copied().enumerate();
        all.filter(move |&(block, warp)| {
            let w = &self.warps[warp];
            (w.cta, w.block) == (cta, block)
        })
    }

    /// Executes an operation. `at`: the cycle in which its verdict rises, or any number without timers.
    pub fn op(&mut self, op: &Op, at: u64) -> Answer {
        self.op_read(op, at, Reading::Plain)
    }

    /// The same when the unit has done more than its ports have shown.
    pub fn op_read(&mut self, op: &Op, at: u64, reading: Reading) -> Answer {
        let mut answer = Answer::default();
        let give = |kind, mask| {
            Some(Verdict {
                warp: op.warp,
                kind,
                mask,
                pc: op.pc,
            })
        };
        let (mut errors, mut events) = (Vec::new(), Vec::new());
        let next = |(kind, mask)| give(kind, mask);
        answer.verdict = match op.code {
            OpCode::Top => {
                let all = self.top(op, at, reading, &mut errors, &mut events);
                self.stopping[self.warps[op.warp].cta * IDS + op.id] = None;
                next(all)
            }
            OpCode::Bottom | OpCode::BottomNb => next(self.bottom(op, reading, &mut errors)),
            OpCode::Reset => next(self.reset(op, &mut events)),
            OpCode::Arrive => {
                if reading == Reading::Invalidated {
                    self.become_invalid(self.warps[op.warp].cta * IDS + op.id);
                }
                next(self.arrive(op, &mut errors, &mut events))
            }
            OpCode::Wait => next(self.wait(op)),
            OpCode::Exit => next(self.exit(op, &mut events)),
            OpCode::Launch => {
                self.launch(op);
                None
            }
            OpCode::Kill => {
                self.kill(op.warp, &mut events);
                None
            }
        };
        if let Some(verdict) = answer.verdict {
            let nested = errors
                .iter()
                .filter(|e: &&BarrierError| e.cause == Cause::Nested);
            let a = nested.fold(op.active, |a, e| a & !e.mask);
            self.tell(op, a, (verdict.kind, verdict.mask));
        }
        answer.errors = errors;
        answer.events = events;
        answer
    }

    /// What the unit may have done before it looked at this operation, beside nothing.
    pub fn readings(&self, op: &Op) -> Vec<Reading> {
        let mut list = Vec::new();
        if op.code == OpCode::Top {
            let warp = &self.warps[op.warp];
            let number = warp.cta * IDS + op.id;
            if self.may_end(number) {
                list.push(Reading::GroupEnded);
            }
            if self.may_be_invalid(number) {
                list.push(Reading::Invalidated);
            }
        }
        if op.code == OpCode::Arrive && self.may_be_invalid(self.warps[op.warp].cta * IDS + op.id) {
            list.push(Reading::Invalidated);
        }
        if matches!(op.code, OpCode::Bottom | OpCode::BottomNb) {
            let warp = &self.warps[op.warp];
            let odd = warp.odd & warp.done & op.active;
            if odd != 0 {
                let id = usize::from(warp.id[odd.trailing_zeros() as usize]);
                let number = warp.cta * IDS + id;
                let bar = self.look(number);
                if bar.reset || bar.ending || self.may_end(number) {
                    list.push(Reading::OddFreed);
                }
            }
        }
        list
    }

    /// BAR-027: who is waited for.
    pub(super) fn target(&self, cta: usize, id: usize) -> u32 {
        let (cta, bar) = (&self.ctas[cta], &self.ctas[cta].barriers[id]);
        let live = match self.mutated(Mutation::ResidentOnly) {
            true => cta
                .warps
                .iter()
                .map(|&w| self.warps[w].live.count_ones())
                .sum(),
            false => cta.live,
        };
        let count = bar.word.count();
        let counts = match bar.word.condition() {
            0 => false,
            3 => bar.split,
            _ => true,
        };
        match counts && count != 0 {
            true => count.min(live),
            false => live,
        }
    }

    fn is_complete(&self, cta: usize, id: usize) -> bool {
        let bar = &self.ctas[cta].barriers[id];
        bar.state == State::Static && bar.arrivals >= self.target(cta, id)
    }

    fn top(
        &mut self,
        op: &Op,
        at: u64,
        reading: Reading,
        errors: &mut Vec<BarrierError>,
        events: &mut Vec<Event>,
    ) -> (VerdictKind, u64) {
        let (cta, block, id) = (self.warps[op.warp].cta, self.warps[op.warp].block, op.id);
        let number = cta * IDS + id;
        let error = |mask, cause| BarrierError {
            warp: op.warp,
            mask,
            pc: op.pc,
            id,
            cause,
        };
        let (mut a, mut s) = (op.active, op.mask & op.active);
        // BAR-020
        let nested = s & self.warps[op.warp].inside;
        if nested != 0 && !self.mutated(Mutation::NestingAllowed) {
            self.note("top.nested");
            errors.push(error(nested, Cause::Nested));
            a &= !nested;
            s &= !nested;
        }
        if a == 0 && !self.mutated(Mutation::NobodyArrives) {
            return (VerdictKind::Next, 0);
        }
        match reading {
            Reading::GroupEnded => self.bar(number).ending = true,
            Reading::Invalidated => self.become_invalid(number),
            Reading::Plain | Reading::OddFreed => {}
        }
        let n = a & !s;
        let bar = self.look(number);
        let same = !bar.split && (bar.tag == op.pc || self.mutated(Mutation::TagIgnored));
        let here = bar.state != State::Idle && same;
        let word = match here && !self.mutated(Mutation::LatestWord) {
            true => bar.word,
            false => op.word,
        };
        // BAR-021
        let c = match word.condition() {
            1 if self.mutated(Mutation::OthersNotCounted) => s,
            2 if self.mutated(Mutation::OthersCounted) => a,
            0 | 1 => a,
            _ => s,
        };
        // BAR-022
        let accepts = word.is_section() && word.is_impatient() && !bar.ending && !bar.reset;
        let split = bar.split && !self.mutated(Mutation::SplitLikeTop);
        let busy = match bar.state {
            State::Static => split || !(here || bar.split),
            State::Dynamic => !here || !accepts,
            State::Idle | State::Invalid => false,
        };
        if busy {
            let what = match (bar.state, here) {
                _ if bar.split => "top.busy.split",
                (State::Static, _) => "top.busy.static",
                (_, false) => "top.busy.dynamic.other_tag",
                _ if bar.reset => "top.busy.reset",
                _ if bar.ending => "top.busy.ending",
                (_, true) => "top.busy.dynamic.same_tag",
            };
            self.note(what);
            return match c == 0 || self.mutated(Mutation::BusyGoesOn) {
                true => {
                    self.note("top.busy.nobody_counts");
                    (VerdictKind::Next, 0)
                }
                false => (VerdictKind::Retry, c),
            };
        }
        // BAR-023
        if bar.state == State::Invalid && here {
            self.note("top.invalid");
            let bar = self.bar(number);
            bar.arrivals += c.count_ones();
            let bar = self.look(number);
            let all = match self.mutated(Mutation::InvalidUntilCount) {
                true => self.target(cta, id),
                false => self.ctas[cta].live,
            };
            if bar.arrivals >= all && !self.mutated(Mutation::InvalidNeverIdle) {
                self.note("top.invalid.idle");
                self.go_idle(number, events);
            }
            return (VerdictKind::Next, 0);
        }
        // BAR-051
        if bar.state == State::Dynamic {
            self.sleep(op.warp, s, id);
            let late = word.late();
            if s != 0 {
                match late {
                    Late::Runs => self.note("top.late.runs"),
                    Late::Skips => self.note("top.late.skips"),
                    Late::Joins | Late::Invalidates => self.note("top.late.joins"),
                }
                if word != op.word {
                    self.note("top.late.other_word");
                }
            }
            match late {
                Late::Runs | Late::Skips => self.warps[op.warp].late |= s,
                Late::Joins | Late::Invalidates => {
                    let bar = self.bar(number);
                    bar.rescan = true;
                    bar.joined |= s != 0;
                }
            }
            return sleepers(s);
        }
        // BAR-024
        let fresh = bar.state != State::Static;
        if word.condition() == 0 && !fresh && !self.mutated(Mutation::SeenIgnored) {
            let again = c & bar.seen(block);
            if again != 0 {
                self.note(match again == op.active {
                    true => "top.part.all",
                    false => "top.part.some",
                });
                return (VerdictKind::Part, again);
            }
        }
        // BAR-025
        if fresh && c == 0 {
            let first_of_any = matches!(word.origin(), Origin::First | Origin::Latest);
            if !(word.is_impatient() && first_of_any && n != 0) {
                self.note("top.idle.nobody_counts");
                return (VerdictKind::Next, 0);
            }
            self.note("top.static.timer_only");
        }
        let threads = self.ctas[cta].threads;
        if matches!(word.condition(), 1 | 2 | 4) && word.count() > threads {
            self.note("top.count_error");
            if a != 0 {
                errors.push(error(if s != 0 { s } else { a }, Cause::Count));
            }
        }
        let bar = self.bar(number);
        if fresh {
            if bar.state == State::Invalid {
                self.notes.push("top.invalid.other_tag");
            }
            let bar = self.bar(number);
            *bar = Barrier {
                state: State::Static,
                tag: op.pc,
                word,
                ..Barrier::idle(bar.phase)
            };
        } else if bar.word != op.word {
            let same = bar.word.with_count(0) == op.word.with_count(0);
            self.note(if same {
                "top.other_count"
            } else {
                "top.other_word"
            });
        }
        let latest = self.mutated(Mutation::LatestWord);
        let origin_ignored = self.mutated(Mutation::OriginIgnored);
        let bar = self.bar(number);
        if latest {
            bar.word = word;
        }
        bar.arrivals += c.count_ones();
        if word.condition() == 0 {
            bar.see(block, n);
        }
        // BAR-070
        if word.is_impatient() {
            let starts = match word.origin() {
                _ if origin_ignored => bar.timer.is_none(),
                Origin::FirstParticipant => bar.timer.is_none() && s != 0 && !bar.ran_out,
                Origin::First => fresh,
                Origin::LatestParticipant => s != 0,
                Origin::Latest => true,
            };
            if starts {
                bar.timer = Some(Timer {
                    start: at,
                    visits: 0,
                });
            }
        }
        self.note(match (word.condition(), word.is_section()) {
            (0, false) => "top.arrive.c0.simple",
            (1, false) => "top.arrive.c1.simple",
            (2, false) => "top.arrive.c2.simple",
            (3, false) => "top.arrive.c3.simple",
            (4, false) => "top.arrive.c4.simple",
            (0, true) => "top.arrive.c0.section",
            (1, true) => "top.arrive.c1.section",
            (2, true) => "top.arrive.c2.section",
            (3, true) => "top.arrive.c3.section",
            _ => "top.arrive.c4.section",
        });
        if n != 0 {
            self.note("top.others_go_on");
        }
        let complete = self.is_complete(cta, id);
        let warp = &self.warps[op.warp];
        // BAR-040
        if word.is_section() {
            self.sleep(op.warp, s, id);
            if complete {
                self.complete(number, EventKind::Fire, events);
            }
            return sleepers(s);
        }
        // BAR-031
        if complete {
            let others = warp.at(id, warp.asleep) != 0;
            let sleep = others || self.mutated(Mutation::CompleterSleeps);
            if sleep && s != 0 {
                self.note("simple.completer_sleeps");
                self.sleep(op.warp, s, id);
            } else if s != 0 {
                self.note("simple.completer_goes_on");
            }
            self.complete(number, EventKind::Fire, events);
            return sleepers(if sleep { s } else { 0 });
        }
        // BAR-032
        if s != 0 && s == warp.live && !self.mutated(Mutation::NeverHeld) {
            self.note("simple.held");
            self.sleep(op.warp, s, id);
            self.warps[op.warp].held = Some(number);
            return (VerdictKind::Next, 0);
        }
        self.sleep(op.warp, s, id);
        sleepers(s)
    }

    /// BAR-026
    fn sleep(&mut self, warp: usize, threads: u64, id: usize) {
        let warp = &mut self.warps[warp];
        warp.asleep |= threads;
        warp.done &= !threads;
        warp.late &= !threads;
        warp.odd &= !threads;
        warp.put(threads, id);
    }

    /// BAR-030, BAR-033, BAR-040, BAR-080: membership is complete.
    pub(super) fn complete(&mut self, number: usize, kind: EventKind, events: &mut Vec<Event>) {
        let (cta, id) = (number / IDS, number % IDS);
        let all = match self.mutated(Mutation::CountIsAll) {
            true => self.target(cta, id),
            false => self.ctas[cta].live,
        };
        events.push(Event { kind, cta, id });
        self.change(
            cta,
            match kind {
                EventKind::Timeout => "waits.end.timeout",
                _ => "waits.end.fire",
            },
        );
        let flips = !self.mutated(Mutation::PhaseStays);
        let bar = self.bar(number);
        let stopping = bar.timer.take().map(|timer| (timer, bar.word.ticks()));
        self.stopping[number] = stopping;
        let bar = self.bar(number);
        bar.ran_out = false;
        if bar.word.is_section() && !bar.split {
            bar.state = State::Dynamic;
            self.begin_group(number);
            self.note("section.complete");
            self.enqueue(number);
            return;
        }
        bar.phase ^= flips;
        if bar.split {
            *bar = Barrier::idle(bar.phase);
            self.note("split.complete");
            return;
        }
        bar.invalidates =
            bar.word.is_impatient() && bar.word.late() == Late::Invalidates && bar.arrivals < all;
        let invalidates = bar.invalidates && !self.mutated(Mutation::NeverInvalid);
        self.bar(number).invalidates = invalidates;
        let held = self.release_held(number);
        let sleepers = self.sleepers(number);
        self.note(match (held > 0, sleepers) {
            (false, false) => "simple.complete.nobody",
            (true, false) => "simple.complete.held",
            (false, true) => "simple.complete.asleep",
            (true, true) => "simple.complete.both",
        });
        if sleepers {
            self.bar(number).state = State::Dynamic;
            self.enqueue(number);
        } else if invalidates {
            self.become_invalid(number);
        } else {
            let bar = self.bar(number);
            *bar = Barrier::idle(bar.phase);
        }
    }

    /// All held warps of a barrier go on; how many.
    pub(super) fn release_held(&mut self, number: usize) -> usize {
        let mut count = 0;
        for warp in self.warps.iter_mut().filter(|w| w.held == Some(number)) {
            warp.held = None;
            warp.asleep = 0;
            count += 1;
        }
        count
    }

    /// Somebody is in this barrier and has to be woken.
    pub(super) fn sleepers(&self, number: usize) -> bool {
        let mut blocks = self.blocks(number / IDS);
        blocks.any(|(_, w)| self.asleep_at(w, number) != 0)
    }

    /// Threads of a warp slot that sleep at a barrier and are not held.
    pub(super) fn asleep_at(&self, warp: usize, number: usize) -> u64 {
        let warp = &self.warps[warp];
        match warp.held {
            Some(_) => 0,
            None if warp.cta != number / IDS => 0,
            None => warp.at(number % IDS, warp.asleep),
        }
    }

    fn bottom(
        &mut self,
        op: &Op,
        reading: Reading,
        errors: &mut Vec<BarrierError>,
    ) -> (VerdictKind, u64) {
        let (a, number) = (op.active, self.warps[op.warp].cta * IDS + op.id);
        // BAR-043
        if reading == Reading::OddFreed {
            let warp = &self.warps[op.warp];
            let lane = (a & warp.odd).trailing_zeros() as usize;
            let of_odd = warp.cta * IDS + usize::from(warp.id[lane]);
            let bar = self.bar(of_odd);
            bar.ending |= !bar.reset;
            // Warp after warp.
            let warp = &mut self.warps[op.warp];
            let odd = warp.at(of_odd % IDS, warp.odd);
            warp.done &= !odd;
        }
        let warp = &mut self.warps[op.warp];
        let odd = a & warp.odd;
        if odd != 0 {
            if a & !odd != 0 {
                self.note("bottom.odd.part");
                return (VerdictKind::Part, odd);
            }
            let waiting = odd & warp.done;
            warp.odd &= !(odd & !waiting);
            self.note(match waiting {
                0 => "bottom.odd.next",
                _ => "bottom.odd.retry",
            });
            return match waiting {
                0 => (VerdictKind::Next, 0),
                _ => (VerdictKind::Retry, waiting),
            };
        }
        // BAR-042
        let h = warp.at(op.id, a & warp.inside);
        let rest = a & !h;
        if rest != 0 {
            self.note("bottom.not_holding");
            if !self.mutated(Mutation::NotHoldingUnnoticed) {
                errors.push(BarrierError {
                    warp: op.warp,
                    mask: rest,
                    pc: op.pc,
                    id: op.id,
                    cause: Cause::NotHolding,
                });
            }
        }
        if h == 0 {
            return (VerdictKind::Next, 0);
        }
        if rest != 0 {
            self.note("bottom.not_holding.some");
        }
        let after = op.pc.wrapping_add(1) & PC_MASK;
        let bar = self.bar(number);
        let exit = *bar.exit.get_or_insert(after);
        self.warps[op.warp].inside &= !h;
        if op.code == OpCode::BottomNb && !self.mutated(Mutation::NonBlockingSleeps) {
            self.note("bottom.nb");
            return (VerdictKind::Next, 0);
        }
        let one_exit = self.mutated(Mutation::OneExit);
        let warp = &mut self.warps[op.warp];
        warp.done |= h;
        if exit == after || one_exit {
            warp.asleep |= h;
            self.note("bottom.sleeps");
            (VerdictKind::Sleep, h)
        } else {
            warp.odd |= h;
            self.note("bottom.odd");
            (VerdictKind::Retry, h)
        }
    }

    /// BAR-080
    fn arrive(
        &mut self,
        op: &Op,
        errors: &mut Vec<BarrierError>,
        events: &mut Vec<Event>,
    ) -> (VerdictKind, u64) {
        let (cta, block, id) = (self.warps[op.warp].cta, self.warps[op.warp].block, op.id);
        let (a, number) = (op.active, cta * IDS + id);
        let bar = self.look(number);
        let fresh = match bar.state {
            State::Idle | State::Invalid => true,
            State::Static if bar.split => false,
            State::Static | State::Dynamic => {
                self.note("arrive.busy");
                return (VerdictKind::Retry, a);
            }
        };
        let word = if fresh { op.word } else { bar.word };
        if word.condition() == 0 && !fresh && !self.mutated(Mutation::SeenIgnored) {
            let again = a & bar.seen(block);
            if again != 0 {
                self.note("arrive.part");
                return (VerdictKind::Part, again);
            }
        }
        if matches!(word.condition(), 1 | 2 | 4) && word.count() > self.ctas[cta].threads {
            self.note("arrive.count_error");
            errors.push(BarrierError {
                warp: op.warp,
                mask: a,
                pc: op.pc,
                id,
                cause: Cause::Count,
            });
        }
        let bar = self.bar(number);
        if fresh {
            *bar = Barrier {
                state: State::Static,
                split: true,
                word,
                ..Barrier::idle(bar.phase)
            };
        }
        bar.arrivals += a.count_ones();
        if word.condition() == 0 {
            bar.see(block, a);
        }
        self.note("arrive");
        if self.is_complete(cta, id) {
            self.complete(number, EventKind::Fire, events);
        }
        (VerdictKind::Next, 0)
    }

    /// BAR-081
    fn wait(&mut self, op: &Op) -> (VerdictKind, u64) {
        let bar = self.look(self.warps[op.warp].cta * IDS + op.id);
        let s = op.mask & op.active;
        let phase = bar.phase != self.mutated(Mutation::WrongPhase);
        let waiting = if phase { s } else { op.active & !s };
        self.note(match (waiting != 0, waiting == op.active) {
            (false, _) => "wait.passes",
            (true, false) => "wait.some",
            (true, true) => "wait.all",
        });
        match waiting {
            0 => (VerdictKind::Next, 0),
            _ => (VerdictKind::Retry, waiting),
        }
    }

    /// BAR-090
    fn reset(&mut self, op: &Op, events: &mut Vec<Event>) -> (VerdictKind, u64) {
        let cta = self.warps[op.warp].cta;
        let number = cta * IDS + op.id;
        if self.may_be_invalid(number) {
            self.become_invalid(number);
        }
        let held = self.warps.iter().any(|w| w.held == Some(number));
        let sleepers = self.sleepers(number);
        let bar = self.look(number);
        match bar.state {
            State::Idle => self.note("reset.idle"),
            State::Invalid => {
                self.note("reset.invalid");
                self.go_idle(number, events);
            }
            State::Static if !sleepers => {
                self.note(match held {
                    true => "reset.static.held",
                    false => "reset.static.nobody",
                });
                self.release_held(number);
                self.go_idle(number, events);
            }
            state => {
                self.note(match (state, bar.word.is_section()) {
                    (State::Static, false) => "reset.static.simple",
                    (State::Static, true) => "reset.static.section",
                    (_, false) => "reset.dynamic.simple",
                    (_, true) => "reset.dynamic.section",
                });
                let bar = self.bar(number);
                bar.reset = true;
                bar.invalidates = false;
                bar.timer = None;
                bar.ran_out = false;
                bar.state = State::Dynamic;
                self.release_held(number);
                self.take_from_inside(number);
                if state == State::Static {
                    self.enqueue(number);
                }
            }
        }
        (VerdictKind::Next, 0)
    }

    /// BAR-090: nobody is inside any more.
    fn take_from_inside(&mut self, number: usize) {
        let (cta, id) = (number / IDS, number % IDS);
        for warp in self.warps.iter_mut().filter(|w| w.cta == cta) {
            let inside = warp.at(id, warp.inside);
            warp.inside &= !inside;
        }
    }

    /// IDLE at once: nobody sleeps there.
    pub(super) fn go_idle(&mut self, number: usize, events: &mut Vec<Event>) {
        self.change(number / IDS, "waits.end.closed");
        let bar = self.bar(number);
        *bar = Barrier::idle(bar.phase);
        events.push(Event {
            kind: EventKind::Idle,
            cta: number / IDS,
            id: number % IDS,
        });
    }

    /// BAR-091
    fn exit(&mut self, op: &Op, events: &mut Vec<Event>) -> (VerdictKind, u64) {
        let s = op.mask & op.active & self.warps[op.warp].live;
        self.end(op.warp, s, false, events);
        (VerdictKind::Exit, op.mask & op.active)
    }

    /// BAR-092
    fn kill(&mut self, warp: usize, events: &mut Vec<Event>) {
        self.note("kill");
        let live = self.warps[warp].live;
        self.end(warp, live, true, events);
    }

    fn end(&mut self, warp: usize, s: u64, killed: bool, events: &mut Vec<Event>) {
        let (cta, block) = (self.warps[warp].cta, self.warps[warp].block);
        self.change(
            cta,
            match killed {
                true => "waits.end.kill",
                false => "waits.end.exit",
            },
        );
        let keeps = self.mutated(Mutation::ExitKeepsSection) && !killed;
        let keeps_sleepers = self.mutated(Mutation::KillKeepsSleepers);
        let keeps_arrivals = self.mutated(Mutation::ExitKeepsArrival);
        let still_counts = self.mutated(Mutation::ExitStillCounts) && !killed;
        for id in 0..IDS {
            let w = &self.warps[warp];
            let asleep = w.at(id, w.asleep & s).count_ones();
            let bar = &mut self.ctas[cta].barriers[id];
            if bar.state != State::Static {
                continue;
            }
            if killed && !keeps_sleepers {
                bar.arrivals = bar.arrivals.saturating_sub(asleep);
            }
            if bar.word.condition() == 0 && !keeps_arrivals {
                let seen = s & bar.seen(block);
                bar.arrivals -= seen.count_ones();
                if let Some(all) = bar.seen.get_mut(block) {
                    *all &= !s;
                }
            }
        }
        let w = &mut self.warps[warp];
        let inside = w.inside & s != 0;
        w.live &= !s;
        if !keeps {
            w.inside &= !s;
        }
        if !keeps_sleepers {
            w.asleep &= !s;
        }
        if killed {
            w.held = None;
        }
        w.done &= !s;
        w.late &= !s;
        w.odd &= !s;
        if inside {
            self.note(if killed { "kill.inside" } else { "exit.inside" });
        }
        if !still_counts {
            self.ctas[cta].live -= s.count_ones();
        }
        for id in 0..IDS {
            if self.is_complete(cta, id) {
                self.note(if killed {
                    "kill.completes"
                } else {
                    "exit.completes"
                });
                self.complete(cta * IDS + id, EventKind::Fire, events);
            }
        }
    }

    /// BAR-093
    fn launch(&mut self, op: &Op) {
        if op.block == 0 {
            self.change(op.cta, "waits.end.launch");
            for id in 0..IDS {
                self.leave(op.cta * IDS + id);
            }
            let keeps = self.mutated(Mutation::PhaseOutlivesCta);
            let cta = &mut self.ctas[op.cta];
            cta.live = op.threads;
            cta.threads = op.threads;
            cta.warps.clear();
            for bar in &mut cta.barriers {
                *bar = Barrier::idle(keeps && bar.phase);
            }
            self.note("launch.cta");
        }
        let cta = &mut self.ctas[op.cta];
        debug_assert_eq!(cta.warps.len(), op.block, "blocks come in ascending order");
        cta.warps.push(op.warp);
        self.warps[op.warp] = Warp {
            cta: op.cta,
            block: op.block,
            live: op.active,
            id: vec![0; self.params.threads],
            ..Warp::default()
        };
        debug_assert_eq!(BARRIERS, CTAS * IDS);
    }
}

fn sleepers(threads: u64) -> (VerdictKind, u64) {
    match threads {
        0 => (VerdictKind::Next, 0),
        _ => (VerdictKind::Sleep, threads),
    }
}

impl Word {
    /// The barrier of all live threads of the CTA.
    pub const ALL: Word = Word(0);
}
