//! Is shown the ports of `weft_barrier` cycle by cycle and says what is wrong. What the specification leaves to the
//! hardware it accepts.

use super::mutation::Mutation;
use super::ports::{BarrierError, Event, EventKind, Op, OpCode, Ports, Verdict, VerdictKind};
use super::serve::Woken;
use super::state::{Params, BARRIERS, IDS};
use super::unit::{Answer, Reading, Unit};
use std::collections::VecDeque;

/// A slot that could go for so long before the unit had to choose was there to be chosen.
const ARBITER_SLACK: u64 = 48;
/// A barrier is INVALID so many cycles after its last wake.
const INVALID_SLACK: u64 = 6;
/// Nothing takes longer when nobody is in the way.
const PATIENCE: u64 = 4_096;
/// A warp that waits awake goes on so many cycles after what lets it go.
const RELEASE_SLACK: u64 = 3;
/// KILL and LAUNCH have been carried out after so many cycles.
const SILENT_SLACK: u64 = 256;

/// What a cycle showed, for monitors and coverage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// A verdict rose.
    Judged(Op, Verdict),
    Event(Event),
    /// A wake rose, of this barrier (8 × CTA slot + id).
    Woken(Woken, usize),
}

#[derive(Clone, Copy, Debug)]
struct Taken {
    op: Op,
    cycle: u64,
}

#[derive(Clone, Debug)]
pub struct Judge {
    unit: Unit,
    params: Params,
    cycle: u64,
    /// Operations without a verdict yet.
    taken: VecDeque<Taken>,
    /// Events that must come before anything else does.
    owed: VecDeque<Event>,
    errors: VecDeque<BarrierError>,
    /// Must run out in this cycle.
    expires: Option<(usize, usize)>,
    /// Cycle of the pulse, by barrier.
    expired_at: Vec<u64>,
    /// `hold` may differ up to this cycle.
    hold_free: Vec<u64>,
    held: u64,
    /// The barriers of held warps, CTA slot and id.
    held_at: Vec<Option<(usize, usize)>>,
    /// Warps that a RESET lets go with its verdict.
    let_go: u64,
    /// Warps whose KILL has been taken.
    killed: u64,
    /// Since when a barrier in a slot can go.
    can_go: Vec<Option<u64>>,
    /// A barrier was in a slot, or let sleepers go, when it was looked at last: without one nobody can go.
    served: bool,
    /// BAR-084: `hold` of a warp that waits awake may differ up to this cycle.
    wait_free: Vec<u64>,
    /// CTA slots in which the change to INVALID may have come before or behind what was told.
    unsure: u16,
    /// Cycle of the latest wake.
    last_wake: u64,
    before: Ports,
    /// The latest cycle with a wake.
    awake_since: u64,
    /// The latest cycle in which no event was owed.
    owed_since: u64,
    /// The latest cycle in which a verdict or wake was there.
    busy: u64,
    priority_since: u64,
    /// Of the barriers in slots: when they took it, and their priorities where they are known.
    entered: Vec<Option<u64>>,
    levels: Vec<Option<u16>>,
    /// The cycle in which a LAUNCH was taken that has been carried out now: it may have made slots free since.
    launched: Option<u64>,
    /// BAR-104: for each barrier that can go, the slots that have had a wake since, one bit each.
    passed: Vec<u16>,
    /// BAR-062: wakes of slots, one after the other, while sleepers of another barrier could be let go;
    /// and the reverse.
    of_slots: u32,
    of_releases: u32,
    happened: Vec<Happened>,
}

macro_rules! check {
    ($holds:expr, $($said:tt)*) => {
        if !$holds {
            return Err(format!($($said)*));
        }
    };
}

impl Judge {
    pub fn new(params: Params) -> Judge {
        Judge {
            unit: Unit::new(params),
            params,
            cycle: 0,
            taken: VecDeque::new(),
            owed: VecDeque::new(),
            errors: VecDeque::new(),
            expires: None,
            expired_at: vec![0; BARRIERS],
            hold_free: vec![0; params.warps],
            held: 0,
            held_at: vec![None; params.warps],
            let_go: 0,
            killed: 0,
            can_go: vec![None; BARRIERS],
            served: false,
            wait_free: vec![0; params.warps],
            unsure: 0,
            last_wake: 0,
            before: Ports::default(),
            awake_since: 0,
            owed_since: 0,
            busy: 0,
            priority_since: 0,
            entered: vec![None; BARRIERS],
            levels: vec![None; BARRIERS],
            launched: None,
            passed: vec![0; BARRIERS],
            of_slots: 0,
            of_releases: 0,
            happened: Vec::new(),
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Judge {
        self.unit = self.unit.with_mutation(mutation);
        self
    }

    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    pub fn unit_mut(&mut self) -> &mut Unit {
        &mut self.unit
    }

    /// n of BAR-070.
    pub fn now(&self) -> u64 {
        self.cycle
    }

    /// For messages.
    pub fn under_way(&self) -> String {
        let slots: Vec<_> = self.unit.in_slots().map(|(_, b)| b).collect();
        format!(
            "operations {:?}, events {:?}, queue {:?}, slots {slots:?}, releases {:?}",
            self.taken, self.owed, self.unit.queue, self.unit.releases
        )
    }

    /// Nothing is under way: all operations have their verdicts, and no barrier is in the queue or a slot.
    pub fn is_quiet(&self) -> bool {
        self.taken.is_empty()
            && self.owed.is_empty()
            && self.unit.queue.is_empty()
            && self.unit.in_slots().next().is_none()
            && self.unit.releasing().is_none()
    }

    /// One cycle.
    pub fn cycle(&mut self, ports: &Ports) -> Result<Vec<Happened>, String> {
        if ports.reset {
            let mutation = self.unit.mutation;
            *self = Judge::new(self.params);
            self.unit.mutation = mutation;
            return Ok(Vec::new());
        }
        let judged = self.judge(ports);
        self.before = ports.clone();
        self.cycle += 1;
        judged?;
        Ok(std::mem::take(&mut self.happened))
    }

    fn judge(&mut self, ports: &Ports) -> Result<(), String> {
        self.unit.set_priority(ports.cfg_priority);
        self.timers(ports)?;
        self.errors(ports)?;
        self.verdict(ports)?;
        self.event(ports)?;
        self.wake(ports)?;
        if let Some(op) = ports.taken() {
            check!(op.warp < self.params.warps, "stimulus: warp {}", op.warp);
            self.taken.push_back(Taken {
                op: *op,
                cycle: self.cycle,
            });
            if op.code == OpCode::Kill {
                self.killed |= 1 << op.warp;
            }
        }
        self.overdue();
        self.hold(ports)?;
        self.note_slots(ports);
        self.progress(ports)?;
        let before = self.expires;
        debug_assert_eq!(before, None);
        self.expires = self.unit.visit(self.cycle);
        Ok(())
    }

    /// BAR-070: cycle-exact, unless a KILL is under way.
    fn timers(&mut self, ports: &Ports) -> Result<(), String> {
        let want = self.expires.take();
        if want == ports.expired {
            if let Some((cta, id)) = want {
                self.expired_at[cta * IDS + id] = self.cycle;
                self.unit.note("timer.runs_out");
            }
            return Ok(());
        }
        let excused = want.is_some_and(|(cta, _)| self.silent(cta));
        check!(
            excused && ports.expired.is_none(),
            "BAR-070: expired: model {want:?}, device {:?}",
            ports.expired
        );
        // The KILL that nobody saw has stopped it.
        while self.silent_first() {
            self.carry_out_silent();
        }
        Ok(())
    }

    /// A KILL or LAUNCH of this CTA slot may have been carried out already.
    fn silent(&self, cta: usize) -> bool {
        let of = |t: &Taken| match t.op.code {
            OpCode::Kill => self.unit.warps[t.op.warp].cta == cta,
            OpCode::Launch => t.op.cta == cta,
            _ => false,
        };
        let first = self.taken.iter().take_while(|t| !t.op.code.has_verdict());
        first.into_iter().any(of)
    }

    /// The first of the operations is a KILL or LAUNCH.
    fn silent_first(&self) -> bool {
        let front = self.taken.front();
        front.is_some_and(|t| !t.op.code.has_verdict())
    }

    /// The KILL or LAUNCH that is the first of the operations.
    fn carry_out_silent(&mut self) {
        if let Some(Taken { op, cycle }) = self.taken.pop_front() {
            let cta = self.unit.cta_of(op.warp);
            if op.code == OpCode::Kill {
                // The device may still be about to.
                for warp in (0..self.params.warps).filter(|&w| self.unit.cta_of(w) == cta) {
                    self.wait_free[warp] = self.cycle + SILENT_SLACK;
                }
            }
            let answer = self.unit.op(&op, self.cycle);
            self.unit.free_invalid();
            self.hold_free[op.warp] = self.cycle + 1;
            if op.code == OpCode::Launch {
                self.killed &= !(1 << op.warp);
                self.launched = self.launched.or(Some(cycle));
            }
            self.owed.extend(answer.events);
        }
    }

    /// Those that have surely been carried out.
    fn overdue(&mut self) {
        let waits = self.before.verdict.is_some() && !self.before.verdict_ready
            || self.before.wake.is_some() && !self.before.wake_ready;
        while let Some(front) = self.taken.front() {
            let silent = !front.op.code.has_verdict() && !waits;
            if !silent
                || front.cycle.max(self.busy) + SILENT_SLACK > self.cycle
                || !self.owed.is_empty()
            {
                break;
            }
            self.carry_out_silent();
        }
    }

    fn verdict(&mut self, ports: &Ports) -> Result<(), String> {
        let pending = self.before.verdict.filter(|_| !self.before.verdict_ready);
        if let Some(pending) = pending {
            let same = ports.verdict == Some(pending);
            check!(same, "the verdict {pending} changed before it was taken");
        }
        let Some(verdict) = ports.verdict.filter(|_| pending.is_none()) else {
            return Ok(());
        };
        while self.silent_first() {
            check!(
                self.owed.is_empty(),
                "{} is missing before the verdict {verdict}",
                self.owed[0]
            );
            self.carry_out_silent();
        }
        check!(
            self.owed.is_empty(),
            "{} is missing before the verdict {verdict}",
            self.owed[0]
        );
        let Some(Taken { op, cycle }) = self.taken.pop_front() else {
            return Err(format!("verdict {verdict}, but there is no operation"));
        };
        if let Some(missing) = self.errors.front() {
            return Err(format!(
                "error {missing} is missing before the verdict {verdict}"
            ));
        }
        let run_out = self.unit.run_out();
        let overdue = run_out.iter().find(|&&b| self.expired_at[b] + 1 < cycle);
        if let Some(b) = overdue {
            return Err(format!(
                "BAR-071: the timer of c{}.{} ran out before the operation of this verdict was taken",
                b / IDS,
                b % IDS
            ));
        }
        let readings = self.unit.readings(&op);
        // After the last wake it is INVALID before the next operation.
        let waking = self.before.wake.is_some() && !self.before.wake_ready;
        if readings.contains(&Reading::Invalidated) && !waking {
            let mut unit = self.unit.clone();
            let other = unit.op_read(&op, self.cycle, Reading::Invalidated);
            if other.verdict.is_some_and(|v| v.agrees(&verdict)) {
                self.unit = unit;
                self.settle(ports, &op, other);
                self.happened.push(Happened::Judged(op, verdict));
                return Ok(());
            }
        }
        let before = (!readings.is_empty()).then(|| self.unit.clone());
        let answer = self.unit.op(&op, self.cycle);
        let agrees = |a: &Answer| a.verdict.is_some_and(|v| v.agrees(&verdict));
        let mut right = agrees(&answer);
        let mut used = answer.clone();
        if let (false, Some(before)) = (right, before) {
            for reading in readings {
                let mut unit = before.clone();
                let other = unit.op_read(&op, self.cycle, reading);
                if agrees(&other) {
                    self.unit = unit;
                    self.unit.note(match reading {
                        Reading::Plain => "reading.plain",
                        Reading::GroupEnded => "reading.group_ended",
                        Reading::Invalidated => "reading.invalidated",
                        Reading::OddFreed => "reading.odd_freed",
                    });
                    (right, used) = (true, other);
                    break;
                }
            }
        }
        let want = answer.verdict.expect("it has a verdict");
        check!(
            right,
            "{:?} of w{}: verdict: model {want}, device {verdict}",
            op.code,
            op.warp
        );
        self.settle(ports, &op, used);
        self.happened.push(Happened::Judged(op, verdict));
        Ok(())
    }

    fn settle(&mut self, _: &Ports, op: &Op, answer: Answer) {
        let held = self.unit.held();
        if op.code == OpCode::Top && held >> op.warp & 1 != self.held >> op.warp & 1 {
            // Until the verdict is transferred, and then one cycle more.
            self.hold_free[op.warp] = u64::MAX;
        }
        let cta = self.unit.cta_of(op.warp);
        let told = answer
            .verdict
            .is_some_and(|v| matches!(v.kind, VerdictKind::Retry | VerdictKind::Part));
        if told && self.unit.maybe_invalid(cta) {
            self.unsure |= 1 << cta;
        } else if op.code == OpCode::Exit || answer.events.iter().any(|e| e.cta == cta) {
            self.unsure &= !(1 << cta);
        }
        self.errors.extend(answer.errors);
        self.owed.extend(answer.events);
    }

    fn event(&mut self, ports: &Ports) -> Result<(), String> {
        let Some(event) = ports.event else {
            return Ok(());
        };
        self.happened.push(Happened::Event(event));
        // (AGAIN: it waits anew.)
        let number = event.cta * IDS + event.id;
        (self.can_go[number], self.passed[number]) = (None, 0);
        // (The end of a group may be a turn without a wake.)
        match self.unit.slot_of(number) {
            Some(_) => self.of_releases = 0,
            None => self.of_slots = 0,
        }
        self.unsure &= !(1 << event.cta);
        // A pulse comes behind the transfer of the verdict before it.
        let waiting = ports.verdict.is_some() && !ports.verdict_ready;
        if event.kind == EventKind::Timeout && self.owed.is_empty() && self.silent_first() {
            // Rather behind the KILL or LAUNCH that was taken before.
            let mut other = self.clone();
            while other.silent_first() && other.taken[0].cycle < other.cycle {
                other.carry_out_silent();
            }
            if other.owed.is_empty() && other.unit.happened(&event).is_ok() {
                *self = other;
                return Ok(());
            }
        }
        loop {
            if let Some(owed) = self.owed.front() {
                if *owed == event {
                    check!(!waiting, "{event} before the verdict was transferred");
                    self.owed.pop_front();
                    self.unit.stop_timer(event.cta, event.id);
                    self.unit.announced(&event);
                    return Ok(());
                }
                return Err(format!("event: model {owed}, device {event}"));
            }
            let mut unit = self.unit.clone();
            match unit.happened(&event) {
                Ok(()) => {
                    self.unit = unit;
                    return Ok(());
                }
                Err(why) => {
                    let silent = self.silent_first();
                    check!(silent, "{why}");
                    self.carry_out_silent();
                }
            }
        }
    }

    fn wake(&mut self, ports: &Ports) -> Result<(), String> {
        let pending = self.before.wake.filter(|_| !self.before.wake_ready);
        if let Some(pending) = pending {
            let same = ports.wake == Some(pending);
            check!(same, "the wake of {pending} changed before it was taken");
        }
        let Some(wake) = ports.wake.filter(|_| pending.is_none()) else {
            return Ok(());
        };
        check!(
            wake.warp < self.params.warps,
            "wake of {wake}: no such warp"
        );
        loop {
            let mut unit = self.unit.clone();
            match unit.woken(&wake) {
                Ok((what, number)) => {
                    self.arbiter(number, what)?;
                    self.pass(number)?;
                    self.alternate(number)?;
                    let other = |b: usize| b != number && self.can_go[b].is_some();
                    let several = (0..BARRIERS).any(other);
                    self.unit = unit;
                    if several {
                        self.unit.note("arbiter.several");
                    }
                    if self.of_slots > 0 {
                        self.unit.note("releases.wait");
                    }
                    if self.of_releases > 0 {
                        self.unit.note("slots.wait");
                    }
                    self.last_wake = self.cycle;
                    self.can_go[number] = None;
                    self.happened.push(Happened::Woken(what, number));
                    return Ok(());
                }
                Err(why) => {
                    let silent = self.silent_first();
                    check!(silent && self.owed.is_empty(), "{why}");
                    self.carry_out_silent();
                }
            }
        }
    }

    /// BAR-061: was there one with a higher priority all the time?
    fn arbiter(&mut self, number: usize, what: Woken) -> Result<(), String> {
        let others = |b: &usize| *b != number && self.can_go[*b].is_some();
        let Some(level) = self.levels[number].filter(|_| what == Woken::Turn) else {
            return Ok(());
        };
        let latest = self.last_wake;
        let older = |b: &usize| {
            others(b)
                && self.levels[*b].is_some_and(|other| other > level)
                && self.can_go[*b].is_some_and(|since| since + ARBITER_SLACK < latest)
        };
        if let Some(b) = (0..BARRIERS).find(older) {
            return Err(format!(
                "BAR-061: a turn of c{}.{} with priority {level}, but c{}.{} with a higher one could go",
                number / IDS,
                number % IDS,
                b / IDS,
                b % IDS,
            ));
        }
        Ok(())
    }

    /// BAR-104: a wake of this barrier. No other of its priority that can go has seen one of this slot before.
    fn pass(&mut self, number: usize) -> Result<(), String> {
        self.passed[number] = 0;
        let Some((level, slot)) = self.levels[number].zip(self.unit.slot_of(number)) else {
            return Ok(());
        };
        let bit = 1 << slot;
        for b in (0..BARRIERS).filter(|&b| b != number) {
            // (Able for so long that the unit knew it before it chose.)
            let able = self.can_go[b].is_some_and(|since| since + ARBITER_SLACK < self.cycle);
            if !able || self.levels[b] != Some(level) {
                continue;
            }
            check!(
                self.passed[b] & bit == 0,
                "BAR-104: a second wake of c{}.{} in its slot while c{}.{} of the same priority could go",
                number / IDS,
                number % IDS,
                b / IDS,
                b % IDS
            );
            self.passed[b] |= bit;
        }
        Ok(())
    }

    /// BAR-062: a wake of this barrier. Slots and those that let sleepers go take turns.
    fn alternate(&mut self, number: usize) -> Result<(), String> {
        let release = self.unit.releasing();
        // (Able for so long that the unit knew it before it chose.)
        let able =
            |b: usize| self.can_go[b].is_some_and(|since| since + ARBITER_SLACK < self.cycle);
        if release == Some(number) {
            let slots = self.unit.in_slots().any(|(_, b)| able(b));
            self.of_slots = 0;
            self.of_releases = if slots { self.of_releases + 1 } else { 0 };
        } else {
            self.of_releases = 0;
            self.of_slots = if release.is_some_and(able) {
                self.of_slots + 1
            } else {
                0
            };
        }
        check!(
            self.of_slots < 2 && self.of_releases < 2,
            "BAR-062: {} wakes of {} one after the other, the last of c{}.{}",
            self.of_slots.max(self.of_releases),
            if self.of_slots > 0 {
                "slots"
            } else {
                "releases"
            },
            number / IDS,
            number % IDS
        );
        Ok(())
    }

    /// BAR-104: what can happen does, when nobody holds it up.
    fn progress(&mut self, ports: &Ports) -> Result<(), String> {
        let held_up = ports.verdict.is_some() || ports.wake.is_some();
        if held_up || self.before.verdict.is_some() || self.before.wake.is_some() {
            self.busy = self.cycle;
        }
        if self.owed.is_empty() {
            self.owed_since = self.cycle;
        }
        let long = |since: u64| since.max(self.busy) + PATIENCE < self.cycle;
        if let Some(taken) = self.taken.front().filter(|t| long(t.cycle)) {
            return Err(format!("no verdict for {:?}", taken.op));
        }
        if let Some(event) = self.owed.front().filter(|_| long(self.owed_since)) {
            return Err(format!("{event} does not come"));
        }
        let waits = |b: &usize| self.can_go[*b].is_some_and(long);
        let all = if self.served { BARRIERS } else { 0 };
        if let Some(b) = (0..all).find(waits) {
            let (cta, id) = (b / IDS, b % IDS);
            return Err(format!(
                "BAR-104: c{cta}.{id} could go for {PATIENCE} cycles"
            ));
        }
        if let Some(&b) = self
            .unit
            .run_out()
            .iter()
            .find(|b| long(self.expired_at[**b]))
        {
            let (cta, id) = (b / IDS, b % IDS);
            return Err(format!("BAR-071: nobody looks at the timer of c{cta}.{id}"));
        }
        Ok(())
    }

    fn note_slots(&mut self, ports: &Ports) {
        if ports.cfg_priority != self.before.cfg_priority {
            self.priority_since = self.cycle;
        }
        self.unit.free_invalid();
        // With the transfer of the last wake, or a little later; slots that can go may come before.
        let could = self.served && self.can_go.iter().any(Option::is_some);
        if ports.wake.is_some() || could {
            self.awake_since = self.cycle;
        }
        if self.cycle == self.awake_since + INVALID_SLACK {
            self.unit.settle_invalid();
        }
        let launched = self.launched.take();
        // Most cycles find nothing there, as the one before.
        let served = self.unit.in_slots().next().is_some() || self.unit.releasing().is_some();
        if !std::mem::replace(&mut self.served, served) && !served {
            return;
        }
        let slots: Vec<usize> = self.unit.in_slots().map(|(_, b)| b).collect();
        // A slot that a LAUNCH has made free may have been taken long before.
        let since = launched.unwrap_or(self.cycle);
        for number in 0..BARRIERS {
            let taken = slots.contains(&number);
            // BAR-060: before its event the unit has no slot for it, whatever the model says.
            let early = self.owed.iter().any(|e| e.cta * IDS + e.id == number);
            // The unit may take the slot a little later than the model.
            let unsure = since < self.priority_since + ARBITER_SLACK;
            if !taken || early {
                self.levels[number] = None;
                self.entered[number] = None;
            } else if self.entered[number].is_none() {
                self.entered[number] = Some(self.cycle);
                self.levels[number] = Some(self.unit.level(number)).filter(|_| !unsure);
            } else if self.entered[number].is_some_and(|at| self.cycle < at + ARBITER_SLACK)
                && unsure
            {
                self.levels[number] = None;
            }
            let served = taken || self.unit.releasing() == Some(number);
            let since = &mut self.can_go[number];
            *since = match served && self.unit.can_go(number) {
                true => since.or(Some(self.cycle)),
                false => None,
            };
            if since.is_none() {
                self.passed[number] = 0;
            }
        }
    }

    /// They come behind the transfer of their verdict and before the next one.
    fn errors(&mut self, ports: &Ports) -> Result<(), String> {
        let Some(shown) = ports.error else {
            return Ok(());
        };
        let waiting = self.before.verdict.is_some() && !self.before.verdict_ready;
        check!(
            !waiting || ports.verdict_ready,
            "error {shown} before the verdict was transferred"
        );
        if shown.mask == 0 && self.errors.front().is_none_or(|e| e.mask != 0) {
            // BAR-020: nobody is left who could have arrived.
            self.unit.note("error.of_nobody");
            return Ok(());
        }
        let want = self.errors.pop_front();
        check!(
            want == Some(shown),
            "error: model {want:?}, device {shown:?}"
        );
        self.unit.note("error");
        Ok(())
    }

    /// BAR-032, BAR-084
    fn hold(&mut self, ports: &Ports) -> Result<(), String> {
        let mut held = self.unit.held();
        for (warp, at) in self.held_at.iter_mut().enumerate() {
            // Until the event.
            match self.unit.held_at(warp) {
                Some(barrier) => *at = Some(barrier),
                None if self.owed.iter().any(|e| *at == Some((e.cta, e.id))) => held |= 1 << warp,
                None => *at = None,
            }
        }
        let changed = held ^ self.held;
        let fell = changed & !held;
        for warp in 0..self.params.warps {
            if fell >> warp & 1 != 0 {
                // BAR-090: a RESET lets them go with its verdict.
                let waits = ports.verdict.is_some() && !ports.verdict_ready;
                let together = ports.event.is_some() || !waits;
                self.hold_free[warp] = match together {
                    true => self.cycle,
                    false => u64::MAX,
                };
                self.let_go |= u64::from(!together) << warp;
            }
        }
        // All at once.
        let together = ports.event.is_some_and(|e| e.kind != EventKind::Again);
        if together && fell != 0 && self.killed & fell == 0 {
            let still = ports.hold & fell;
            check!(
                still == 0 || still == fell,
                "BAR-032: of {fell:#x} only {still:#x} are still held"
            );
        }
        self.held = held;
        let transferred = ports.verdict.filter(|_| ports.verdict_ready);
        if transferred.is_some() {
            for warp in (0..self.params.warps).filter(|w| self.let_go >> w & 1 != 0) {
                self.hold_free[warp] = self.cycle;
            }
            self.let_go = 0;
        }
        if let Some(verdict) = transferred {
            let free = &mut self.hold_free[verdict.warp];
            if *free == u64::MAX {
                *free = self.cycle;
            }
        }
        let waiting = self.unit.waiting();
        for warp in 0..self.params.warps {
            let waits = waiting >> warp & 1;
            let (want, have) = (held >> warp & 1 | waits, ports.hold >> warp & 1);
            let free = self.cycle <= self.hold_free[warp] || self.killed >> warp & 1 != 0;
            if self.unsettled(warp, ports) {
                let slack = if waits == 1 { 1 } else { RELEASE_SLACK };
                self.wait_free[warp] = self.wait_free[warp].max(self.cycle + slack);
            }
            // Held whole, it does not matter what it waited for before.
            let changes = self.cycle <= self.wait_free[warp] && held >> warp & 1 == 0;
            check!(
                want == have || free || changes,
                "{}: hold of w{warp}: model {want}, device {have}",
                if waits == have { "BAR-032" } else { "BAR-084" }
            );
        }
        Ok(())
    }

    /// BAR-084: what begins or ends the waiting of this warp is under way.
    fn unsettled(&self, warp: usize, ports: &Ports) -> bool {
        let cta = self.unit.cta_of(warp);
        let same = |other: usize| self.unit.cta_of(other) == cta;
        ports.verdict.is_some_and(|v| same(v.warp))
            || ports.event.is_some_and(|e| e.cta == cta)
            || ports.wake.is_some_and(|w| w.warp == warp)
            || self.owed.iter().any(|e| e.cta == cta)
            || self.unsure >> cta & 1 != 0
            || self.unit.maybe_invalid(cta)
            || self.taken.iter().any(|t| match t.op.code {
                OpCode::Kill => same(t.op.warp),
                // It may have been carried out, and its warp killed since.
                OpCode::Launch => t.op.cta == cta,
                _ => false,
            })
    }
}
