//! Who wakes next: the queue, its slots, turns, releases and the ends of groups. Either judged or chosen.

use super::mutation::Mutation;
use super::ports::{Event, EventKind, Wake};
use super::state::{Barrier, State, IDS, SLOTS};
use super::unit::Unit;
use super::word::Late;
use crate::convergence::PC_MASK;
use std::cmp::Reverse;

/// What a wake was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Woken {
    /// BAR-030
    Released,
    /// BAR-041
    Turn,
    /// BAR-053, BAR-054
    GroupEnd,
    /// BAR-090
    Reset,
}

/// Something that the unit does on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Wake(Wake),
    Event(Event),
}

impl Unit {
    /// BAR-060, BAR-062: a section waits for a slot; what only lets sleepers go, for those before it.
    pub(super) fn enqueue(&mut self, number: usize) {
        if self.queue.contains(&number) || self.slot_of(number).is_some() {
            return;
        }
        let bar = self.look(number);
        if bar.reset || !bar.word.is_section() {
            if !self.releases.is_empty() {
                self.note("releases.several");
            }
            if self.slots.iter().flatten().any(|&b| self.exclusive(b)) {
                self.note("releases.beside_exclusive");
            }
            self.releases.push_back(number);
            return;
        }
        self.levels[number] = self.priority_of(number);
        match self.mutated(Mutation::LastInFirstOut) {
            true => self.queue.push_front(number),
            false => self.queue.push_back(number),
        }
        self.take_slots();
    }

    fn exclusive(&self, number: usize) -> bool {
        let bar = self.look(number);
        bar.word.is_exclusive() && !bar.split && !self.mutated(Mutation::NotExclusive)
    }

    fn take_slots(&mut self) {
        while let Some(&head) = self.queue.front() {
            let taken = self.slots.iter().flatten().count();
            let blocked = self.slots.iter().flatten().any(|&b| self.exclusive(b));
            if blocked || taken == SLOTS || self.exclusive(head) && taken > 0 {
                self.note(match (blocked, taken == SLOTS) {
                    (true, _) => "queue.waits.for_exclusive",
                    (_, true) => "queue.waits.full",
                    _ => "queue.waits.is_exclusive",
                });
                return;
            }
            self.queue.pop_front();
            self.take_level(head);
            if let Some(slot) = self.slots.iter_mut().find(|s| s.is_none()) {
                *slot = Some(head);
            }
            if taken > 0 {
                self.note("slots.several");
            }
            if taken == SLOTS - 1 {
                self.note("slots.full");
            }
        }
    }

    /// BAR-061: its priority is that of now.
    fn take_level(&mut self, number: usize) {
        if !self.mutated(Mutation::PriorityWhenQueued) {
            self.levels[number] = self.priority_of(number);
        }
    }

    /// `cfg_priority` of its id.
    pub(super) fn priority_of(&self, number: usize) -> u16 {
        self.priority >> (2 * (number % IDS)) & 3
    }

    /// BAR-060: this event of an operation is there. With it, and not with the verdict before it, the barrier enters
    /// the queue, and may take its slot.
    pub fn announced(&mut self, event: &Event) {
        let number = event.cta * IDS + event.id;
        if self.slot_of(number).is_some() {
            if self.levels[number] != self.priority_of(number) {
                self.note("priority.before_event");
            }
            self.take_level(number);
        }
    }

    pub(super) fn slot_of(&self, number: usize) -> Option<usize> {
        self.slots.iter().position(|s| *s == Some(number))
    }

    /// BAR-060, BAR-062: it has a slot, or is the first of those that let sleepers go.
    fn is_served(&self, number: usize) -> bool {
        self.slot_of(number).is_some() || self.releasing() == Some(number)
    }

    /// BAR-062: the barrier that lets its sleepers go: 8 × CTA slot + id.
    pub fn releasing(&self) -> Option<usize> {
        self.releases.front().copied()
    }

    fn free_slot(&mut self, number: usize) {
        self.releases.retain(|&b| b != number);
        if let Some(slot) = self.slot_of(number) {
            self.slots[slot] = None;
            self.take_slots();
        }
    }

    /// BAR-093: whatever it was in, it is not.
    pub(super) fn leave(&mut self, number: usize) {
        if self.queue.contains(&number) || self.slot_of(number).is_some() {
            self.note("launch.leaves_queue");
        }
        if self.releases.contains(&number) {
            self.note("launch.leaves_releases");
        }
        self.queue.retain(|&b| b != number);
        self.free_slot(number);
        self.take_slots();
    }

    /// Barriers in slots, with their slots: 8 × CTA slot + id.
    pub fn in_slots(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = self.slots.iter().enumerate();
        all.filter_map(|(slot, b)| b.map(|b| (slot, b)))
    }

    /// BAR-061: the priority of a barrier in a slot.
    pub fn level(&self, number: usize) -> u16 {
        self.levels[number]
    }

    /// BAR-061: it can have a turn, or the end of its group.
    pub fn can_go(&self, number: usize) -> bool {
        let bar = self.look(number);
        bar.reset || !bar.word.is_section() || !self.somebody_inside(number)
    }

    fn somebody_inside(&self, number: usize) -> bool {
        let id = number % IDS;
        let mut blocks = self.blocks(number / IDS);
        blocks.any(|(_, w)| self.warps[w].at(id, self.warps[w].inside) != 0)
    }

    /// Sleepers without a turn: blocks, warp slots, masks.
    fn candidates(&self, number: usize) -> Vec<(usize, usize, u64)> {
        let forgotten = self.mutated(Mutation::JoinersForgotten);
        let of = |(block, warp): (usize, usize)| {
            let w = &self.warps[warp];
            let mut mask = self.asleep_at(warp, number) & !w.done & !w.late;
            if forgotten {
                mask &= self.members(number, block);
            }
            (mask != 0).then_some((block, warp, mask))
        };
        self.blocks(number / IDS).filter_map(of).collect()
    }

    fn members(&self, number: usize, block: usize) -> u64 {
        let members = &self.look(number).members;
        members.get(block).copied().unwrap_or(0)
    }

    pub(super) fn begin_group(&mut self, number: usize) {
        let mut members = Vec::new();
        for (block, warp) in self.blocks(number / IDS) {
            members.resize(block, 0);
            let w = &self.warps[warp];
            members.push(self.asleep_at(warp, number) & !w.done & !w.late);
        }
        let bar = self.bar(number);
        bar.members = members;
        bar.last = None;
        bar.joined = false;
        bar.ending = false;
        bar.rescan = false;
    }

    /// BAR-052: its group may have ended, seen from outside.
    pub(super) fn may_end(&self, number: usize) -> bool {
        let bar = self.look(number);
        bar.state == State::Dynamic
            && bar.word.is_section()
            && !bar.split
            && !bar.reset
            && !bar.ending
            && self.slot_of(number).is_some()
            && !self.somebody_inside(number)
            && self.candidates(number).is_empty()
    }

    /// BAR-033: all are awake.
    pub(super) fn may_be_invalid(&self, number: usize) -> bool {
        let bar = self.look(number);
        let waits = || self.releases.iter().skip(1).any(|&b| b == number);
        bar.state == State::Dynamic && bar.invalidates && !waits() && !self.sleepers(number)
    }

    pub(super) fn become_invalid(&mut self, number: usize) {
        self.note("simple.invalid");
        self.change(number / IDS, "waits.end.invalid");
        let bar = self.bar(number);
        bar.state = State::Invalid;
        bar.invalidates = false;
        self.free_slot(number);
    }

    /// The next wake of those that go on together.
    fn next_release(&self, number: usize) -> Option<(Wake, Woken)> {
        let bar = self.look(number);
        let after = bar.tag.wrapping_add(1) & PC_MASK;
        let skips = bar.word.late() == Late::Skips && !self.mutated(Mutation::SkippersRun)
            || bar.word.late() == Late::Runs && self.mutated(Mutation::RunnersSkip);
        for (_, warp) in self.blocks(number / IDS) {
            let w = &self.warps[warp];
            let asleep = self.asleep_at(warp, number);
            let (done, others) = (asleep & w.done, asleep & !w.done);
            let wake = |mask, pc, what| Some((Wake { warp, mask, pc }, what));
            if !bar.word.is_section() {
                if asleep != 0 {
                    let what = if bar.reset {
                        Woken::Reset
                    } else {
                        Woken::Released
                    };
                    return wake(asleep, after, what);
                }
            } else if bar.reset {
                if done != 0 {
                    return wake(done, bar.exit.unwrap_or(0), Woken::Reset);
                }
                if others != 0 {
                    let runs = self.mutated(Mutation::ResetRunsSection);
                    return wake(others, if runs { after } else { bar.tag }, Woken::Reset);
                }
            } else if let Some(exit) = bar.exit {
                let mask = done | if skips { asleep & w.late } else { 0 };
                if mask != 0 {
                    return wake(mask, exit, Woken::GroupEnd);
                }
            }
        }
        None
    }

    fn latecomers(&self, number: usize) -> bool {
        let mut blocks = self.blocks(number / IDS);
        blocks.any(|(_, w)| self.asleep_at(w, number) & self.warps[w].late != 0)
    }

    /// Odd threads need not retry any more (BAR-053).
    pub(super) fn free_odd(&mut self, number: usize) {
        let (cta, id) = (number / IDS, number % IDS);
        for w in self.warps.iter_mut().filter(|w| w.cta == cta) {
            let odd = w.at(id, w.odd);
            w.done &= !odd;
        }
    }

    /// BAR-030, BAR-056, BAR-090
    fn finish(&mut self, number: usize) -> Event {
        let (cta, id) = (number / IDS, number % IDS);
        self.free_odd(number);
        let stays = self.mutated(Mutation::SectionPhaseStays);
        let what = match self.look(number).reset {
            true => "waits.end.reset",
            false => "waits.end.idle",
        };
        self.change(cta, what);
        let bar = self.bar(number);
        let flips = bar.word.is_section() && !bar.reset && !stays;
        *bar = Barrier::idle(bar.phase ^ flips);
        self.free_slot(number);
        Event {
            kind: EventKind::Idle,
            cta,
            id,
        }
    }

    /// BAR-055
    fn again(&mut self, number: usize) -> Event {
        let (cta, id) = (number / IDS, number % IDS);
        self.change(cta, "waits.end.again");
        self.free_odd(number);
        for w in self.warps.iter_mut().filter(|w| w.cta == cta) {
            let late = w.at(id, w.asleep & w.late);
            w.late &= !late;
        }
        self.begin_group(number);
        self.free_slot(number);
        self.enqueue(number);
        Event {
            kind: EventKind::Again,
            cta,
            id,
        }
    }

    fn wake_up(&mut self, wake: &Wake, what: Woken) {
        let kept = self.mutated(Mutation::WakeKeepsWaiting);
        let w = &mut self.warps[wake.warp];
        w.asleep &= !wake.mask;
        // BAR-084
        let released = w.waits && !kept;
        w.waits &= kept;
        if released {
            self.notes.push("waits.end.wake");
        }
        match what {
            Woken::Turn => w.inside |= wake.mask,
            _ => {
                w.done &= !wake.mask;
                w.late &= !wake.mask;
            }
        }
    }

    /// The next one lets its sleepers go when an invalid barrier has nobody left: no event tells.
    pub(super) fn free_invalid(&mut self) {
        while let Some(number) = self.releasing().filter(|&b| self.may_be_invalid(b)) {
            self.free_slot(number);
        }
    }

    /// BAR-033: barriers whose threads are all awake are INVALID now.
    pub fn settle_invalid(&mut self) {
        for number in 0..super::state::BARRIERS {
            if self.may_be_invalid(number) {
                self.become_invalid(number);
            }
        }
    }

    /// The hardware has woken these threads.
    ///
    /// # Errors
    /// The specification does not allow it.
    pub fn woken(&mut self, wake: &Wake) -> Result<(Woken, usize), String> {
        let w = &self.warps[wake.warp];
        if wake.mask == 0 || wake.mask & !w.asleep != 0 {
            let asleep = w.asleep;
            return Err(format!("wake of {wake}: asleep are {asleep:#x}"));
        }
        if w.held.is_some() {
            return Err(format!("BAR-032: wake of {wake}: the warp is held"));
        }
        let id = usize::from(w.id[wake.mask.trailing_zeros() as usize]);
        if w.at(id, wake.mask) != wake.mask {
            return Err(format!("wake of {wake}: threads of several barriers"));
        }
        let (number, name) = (w.cta * IDS + id, format!("c{}.{id}", w.cta));
        let bar = self.look(number);
        if bar.state != State::Dynamic {
            return Err(format!("wake of {wake}: {name} is {:?}", bar.state));
        }
        if !self.is_served(number) {
            return Err(format!(
                "BAR-060, BAR-062: wake of {wake}: it is not the turn of {name}"
            ));
        }
        let section = bar.word.is_section() && !bar.reset;
        if section && !bar.ending {
            let candidates = self.candidates(number);
            if self.somebody_inside(number) || !candidates.is_empty() {
                self.judge_turn(number, wake, &candidates)?;
                self.wake_up(wake, Woken::Turn);
                return Ok((Woken::Turn, number));
            }
            self.bar(number).ending = true;
        }
        let Some((right, what)) = self.next_release(number) else {
            return Err(format!("wake of {wake}: {name} has nobody to wake"));
        };
        if right != *wake {
            return Err(format!(
                "wake of {wake}, not of {right} ({what:?} of {name})"
            ));
        }
        self.wake_up(wake, what);
        self.note(match what {
            Woken::Released => "wake.released",
            Woken::Turn => "wake.turn",
            Woken::GroupEnd => "wake.group_end",
            Woken::Reset => "wake.reset",
        });
        self.free_invalid();
        Ok((what, number))
    }

    /// BAR-041, BAR-050
    fn judge_turn(
        &mut self,
        number: usize,
        wake: &Wake,
        candidates: &[(usize, usize, u64)],
    ) -> Result<(), String> {
        let bar = self.look(number);
        if self.somebody_inside(number) {
            return Err(format!("BAR-041: wake of {wake}: somebody is inside"));
        }
        let after = bar.tag.wrapping_add(1) & PC_MASK;
        if wake.pc != after {
            return Err(format!(
                "BAR-041: wake of {wake}: the section is at {after:#x}"
            ));
        }
        let found = candidates.iter().find(|c| c.1 == wake.warp);
        let Some(&(block, ..)) =
            found.filter(|c| wake.mask.is_power_of_two() && c.2 & wake.mask != 0)
        else {
            return Err(format!(
                "BAR-041: wake of {wake}: not one thread without a turn"
            ));
        };
        let place = (block, wake.mask.trailing_zeros());
        // Members that have been there since before the selector came to their block.
        let mut waiting = candidates.iter().flat_map(|&(block, _, mask)| {
            let members = mask & self.members(number, block);
            super::state::lanes(members).map(move |lane| (block, lane))
        });
        let first = waiting.next();
        let back = bar.last.is_some_and(|last| place < last);
        if let Some(first) = first.filter(|&first| first < place || back) {
            return Err(format!(
                "BAR-050: turn of block {}, lane {} before block {}, lane {}",
                place.0, place.1, first.0, first.1
            ));
        }
        self.note(match (back, first == Some(place)) {
            (true, _) => "turn.rescan",
            (false, true) => "turn.member",
            (false, false) => "turn.joiner",
        });
        if block > 0 {
            self.note("turn.later_block");
        }
        let bar = self.bar(number);
        bar.last = Some(place);
        // Who comes again joins.
        if let Some(members) = bar.members.get_mut(block) {
            *members &= !wake.mask;
        }
        Ok(())
    }

    /// The hardware has said that this happened on its own.
    ///
    /// # Errors
    /// The specification does not allow it.
    pub fn happened(&mut self, event: &Event) -> Result<(), String> {
        let number = event.cta * IDS + event.id;
        if event.kind == EventKind::Timeout {
            if !self.run_out().contains(&number) {
                return Err(format!("BAR-071: {event}: its timer has not run out"));
            }
            self.time_out(number);
            return Ok(());
        }
        let bar = self.look(number);
        let state = bar.state;
        let err = |why: &str| Err(format!("{event}: {why}"));
        if event.kind == EventKind::Fire {
            return err("BAR-027: it is not complete");
        }
        let invalid = state == State::Invalid || self.may_be_invalid(number);
        if invalid && event.kind == EventKind::Idle {
            // It was INVALID already when somebody came who counted nothing (BAR-023).
            if self.look(number).arrivals >= self.live(event.cta) {
                self.become_invalid(number);
                self.go_idle(number, &mut Vec::new());
                return Ok(());
            }
        }
        if state != State::Dynamic {
            return Err(format!("{event}: it is {state:?}"));
        }
        if !self.is_served(number) {
            return err("BAR-060, BAR-062: it is not its turn");
        }
        let section = bar.word.is_section();
        if bar.reset || !section {
            if event.kind == EventKind::Again || self.sleepers(number) {
                return err("threads sleep there");
            }
            if bar.invalidates {
                return err("BAR-033: it becomes INVALID");
            }
            self.finish(number);
            return Ok(());
        }
        if !bar.ending && !self.may_end(number) {
            return err("BAR-052: its group has not ended");
        }
        if self.next_release(number).is_some() {
            return err("BAR-053: threads that are done sleep there");
        }
        match (event.kind, self.latecomers(number)) {
            (EventKind::Again, true) => {
                self.note("section.again");
                self.again(number);
            }
            (EventKind::Idle, false) => {
                self.note("section.idle");
                self.finish(number);
            }
            (EventKind::Again, false) => return err("BAR-055: nobody is late"),
            _ => return err("BAR-055: late threads have not run"),
        }
        Ok(())
    }

    /// BAR-050: what the selector finds in a block is fixed when it comes there; then the next block; then a rescan.
    fn next_turn(
        &self,
        number: usize,
        candidates: &[(usize, usize, u64)],
    ) -> Option<(usize, usize, u32)> {
        let last = self.look(number).last;
        let ahead = |&(block, warp, mask): &(usize, usize, u64)| {
            let mask = match last {
                Some((at, _)) if block < at => 0,
                Some((at, _)) if block == at => mask & self.members(number, block),
                _ => mask,
            };
            (mask != 0).then_some((block, warp, mask))
        };
        let found = candidates.iter().find_map(ahead);
        let (block, warp, mask) = found.or(candidates.first().copied())?;
        Some((block, warp, mask.trailing_zeros()))
    }

    /// Chooses what happens next, and does it: by turns the first of those that let sleepers go (BAR-062), and, of the
    /// slots that can go, one with the highest priority, the next of these behind the one that was chosen last
    /// (BAR-061).
    pub fn choose(&mut self) -> Option<Doing> {
        let of = |number: usize| {
            let level = self.levels[number];
            match self.mutated(Mutation::PriorityReversed) {
                true => 3 - level,
                false => level,
            }
        };
        let two = self.mutated(Mutation::TwoInside);
        let mut all: Vec<(usize, usize)> = self.in_slots().collect();
        if self.mutated(Mutation::QueueIgnored) {
            all.extend(self.queue.iter().map(|&b| (0, b)));
        }
        let can = |number: usize| self.can_go(number) || two && !self.candidates(number).is_empty();
        let fixed = self.mutated(Mutation::LowestSlotFirst);
        let distance = |slot: usize, number: usize| match fixed {
            true => slot,
            false => (slot + SLOTS - self.next_slots[usize::from(self.levels[number])]) % SLOTS,
        };
        let able = all.into_iter().filter(|&(_, number)| can(number));
        let slot = able.min_by_key(|&(slot, number)| (Reverse(of(number)), distance(slot, number)));
        let exclusive = self.slots.iter().flatten().any(|&b| self.exclusive(b));
        let waits = exclusive && self.mutated(Mutation::ReleaseWaits);
        let release = self.releasing().filter(|_| !waits);
        let number = match (release, slot) {
            (Some(number), other) if other.is_none() || self.release_next => {
                self.release_next = self.mutated(Mutation::ReleasesFirst);
                number
            }
            (_, slot) => {
                let (slot, number) = slot?;
                self.release_next = true;
                self.next_slots[usize::from(self.levels[number])] = (slot + 1) % SLOTS;
                number
            }
        };
        if self.may_be_invalid(number) {
            self.become_invalid(number);
            return self.choose();
        }
        let bar = self.look(number);
        if bar.word.is_section() && !bar.reset && !bar.ending {
            let candidates = self.candidates(number);
            let chosen = match self.mutated(Mutation::HighestFirst) {
                true => candidates.last().map(|c| (c.0, c.1, c.2.ilog2())),
                false => self.next_turn(number, &candidates),
            };
            if let Some((block, warp, lane)) = chosen {
                let bar = self.bar(number);
                bar.last = Some((block, lane));
                if let Some(members) = bar.members.get_mut(block) {
                    *members &= !(1 << lane);
                }
                let pc = bar.tag.wrapping_add(1) & PC_MASK;
                let wake = Wake {
                    warp,
                    mask: 1 << lane,
                    pc,
                };
                self.wake_up(&wake, Woken::Turn);
                return Some(Doing::Wake(wake));
            }
            self.bar(number).ending = true;
        }
        if let Some((wake, what)) = self.next_release(number) {
            self.wake_up(&wake, what);
            return Some(Doing::Wake(wake));
        }
        let bar = self.look(number);
        if self.may_be_invalid(number) {
            self.become_invalid(number);
            return self.choose();
        }
        let again = bar.word.is_section() && !bar.reset && self.latecomers(number);
        Some(Doing::Event(match again {
            true => self.again(number),
            false => self.finish(number),
        }))
    }
}
