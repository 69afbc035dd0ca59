//! Barriers for threads that are alone (`docs/spec/barrier.md`): each thread arrives by itself, there are no warps.
//!
//! Written from the page, and shares nothing with [`crate::barrier`]. Where the page leaves it to time who belongs to a
//! group, [`Doubt`] says so.

use std::collections::VecDeque;
use weft_isa::BarrierOp;

const IDS: usize = 8;

/// The order in which threads are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Lowest number first; a timer runs out when nobody can go on.
    Ascending,
    /// Highest number first; a timer runs out at once.
    Descending,
}

/// Why what comes out may depend on who arrives first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// Groups do: another order of the threads shows whether the outcome does.
    Order(&'static str),
    /// What threads execute does.
    Always(&'static str),
}

/// What a barrier instruction comes to for the thread that executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It has completed the instruction, whether it goes on or sleeps.
    Completes,
    /// It executes the instruction again when something has changed.
    Asks,
}

/// Table *Word*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word(u32);

impl Word {
    fn count(self) -> u32 {
        self.0 & 0x7ff
    }

    fn condition(self) -> u32 {
        let field = self.0 >> 11 & 7;
        if field > 4 {
            0
        } else {
            field
        }
    }

    fn section(self) -> bool {
        matches!(self.0 >> 14 & 3, 1 | 2)
    }

    fn exclusive(self) -> bool {
        self.section() && self.0 >> 16 & 1 == 1
    }

    fn impatient(self) -> bool {
        self.condition() >= 3
    }

    /// The timer runs from arrivals of any kind.
    fn of_any_kind(self) -> bool {
        self.0 >> 17 & 1 == 1
    }

    fn late(self) -> u32 {
        self.0 >> 19 & 3
    }

    fn waits_when_late(self) -> bool {
        matches!(self.late(), 1 | 2)
    }

    fn skips(self) -> bool {
        self.section() && self.late() == 2
    }

    fn invalidates(self) -> bool {
        !self.section() && self.late() == 3
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    Static,
    Dynamic,
    Invalid,
}

#[derive(Clone, Debug, Default)]
struct Barrier {
    state: State,
    split: bool,
    tag: u32,
    word: Word,
    arrivals: u32,
    phase: bool,
    rescan: bool,
    exit: Option<u32>,
    timer: bool,
    /// Where the selector stands.
    cursor: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Goes,
    /// It has been told to ask again when so many changes had happened.
    Asks(u64),
    Sleeps,
    Ended,
}

#[derive(Clone, Debug)]
struct Member {
    stands: Stands,
    pc: u32,
    /// At this barrier, while it sleeps.
    at: usize,
    done: bool,
    late: bool,
    inside: Option<usize>,
    /// By barrier: has arrived in this generation without sleeping.
    seen: [bool; IDS],
}

/// A thread that waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiter {
    pub member: usize,
    pub id: usize,
    pub tag: u32,
    pub arrivals: u32,
    pub target: u32,
    pub asleep: bool,
}

/// The threads of a CTA at its barriers.
#[derive(Clone, Debug)]
pub(super) struct Barriers {
    order: Order,
    members: Vec<Member>,
    barriers: [Barrier; IDS],
    /// Sections that are complete, and those whose turns are given.
    queue: VecDeque<usize>,
    open: Vec<usize>,
    live: u32,
    changes: u64,
    latest: usize,
    pub doubt: Option<Doubt>,
    /// Bad use; the threads go on.
    pub misuse: Option<&'static str>,
}

impl Barriers {
    pub fn new(threads: u32, entry: u32, order: Order) -> Barriers {
        let member = Member {
            stands: Stands::Goes,
            pc: entry,
            at: 0,
            done: false,
            late: false,
            inside: None,
            seen: [false; IDS],
        };
        Barriers {
            order,
            members: vec![member; threads as usize],
            barriers: Default::default(),
            queue: VecDeque::new(),
            open: Vec::new(),
            live: threads,
            changes: 0,
            latest: match order {
                Order::Ascending => threads as usize - 1,
                Order::Descending => 0,
            },
            doubt: None,
            misuse: None,
        }
    }

    /// Where a thread stands.
    pub fn pc(&mut self, member: usize) -> &mut u32 {
        &mut self.members[member].pc
    }

    /// The thread that runs next: round by round, each up to a barrier instruction.
    pub fn next(&mut self) -> Option<usize> {
        loop {
            let count = self.members.len();
            let (first, changes) = (self.latest, self.changes);
            let of_round = |n: usize| match self.order {
                Order::Ascending => (first + n) % count,
                Order::Descending => (first + count - n) % count,
            };
            let goes = |&n: &usize| match self.members[n].stands {
                Stands::Goes => true,
                Stands::Asks(since) => since != changes,
                Stands::Sleeps | Stands::Ended => false,
            };
            if let Some(found) = (1..=count).map(of_round).find(goes) {
                self.latest = found;
                return Some(found);
            }
            let timed = |b: &Barrier| b.state == State::Static && b.timer;
            let id = self.barriers.iter().position(timed)?;
            self.time_out(id);
        }
    }

    /// Those who wait, when nobody can go on.
    pub fn waiters(&self) -> Vec<Waiter> {
        let waits = |(member, m): (usize, &Member)| {
            let asleep = match m.stands {
                Stands::Sleeps => true,
                Stands::Asks(_) => false,
                Stands::Goes | Stands::Ended => return None,
            };
            let b = &self.barriers[m.at];
            let tag = match asleep && !m.done {
                true => b.tag,
                false => m.pc,
            };
            Some(Waiter {
                member,
                id: m.at,
                tag,
                arrivals: b.arrivals,
                target: self.target(m.at),
                asleep,
            })
        };
        self.members.iter().enumerate().filter_map(waits).collect()
    }

    /// A barrier instruction of a thread at its pc.
    pub fn op(&mut self, t: usize, op: BarrierOp, id: u8, selected: bool, word: u32) -> Verdict {
        let (id, word, pc) = (usize::from(id), Word(word), self.members[t].pc);
        self.members[t].stands = Stands::Goes;
        self.members[t].pc = super::after(pc);
        let verdict = match op {
            BarrierOp::Top { .. } | BarrierOp::TopNez { .. } => self.top(t, selected, id, word, pc),
            BarrierOp::Bottom => self.bottom(t, id, true),
            BarrierOp::BottomNb => self.bottom(t, id, false),
            BarrierOp::Reset => self.reset(id),
            BarrierOp::Arrive { .. } => self.arrive(t, id, word),
            BarrierOp::Wait { .. } => match selected == self.barriers[id].phase {
                true => Verdict::Asks,
                false => Verdict::Completes,
            },
        };
        if verdict == Verdict::Asks {
            let m = &mut self.members[t];
            (m.stands, m.pc, m.at) = (Stands::Asks(self.changes), pc, id);
        }
        self.settle();
        verdict
    }

    /// BAR-091
    pub fn ended(&mut self, t: usize) {
        self.members[t].stands = Stands::Ended;
        self.members[t].inside = None;
        self.live -= 1;
        self.changes += 1;
        for id in 0..IDS {
            let seen = std::mem::take(&mut self.members[t].seen[id]);
            let b = &mut self.barriers[id];
            if b.state != State::Static {
                continue;
            }
            b.arrivals -= u32::from(seen && b.word.condition() == 0);
            self.complete_if_full(id);
        }
        self.settle();
    }

    fn doubts(&mut self, doubt: Doubt) {
        // One thread meets nobody.
        if self.members.len() > 1 {
            self.doubt = self.doubt.max(Some(doubt));
        }
    }

    /// Who belongs to the group of this arrival.
    fn doubts_of(&mut self, word: Word, all_count: bool) {
        let all = word.count() == 0 || word.count() as usize >= self.members.len();
        if word.impatient() && word.skips() {
            self.doubts(Doubt::Always("time decides who skips the section"));
        } else if word.impatient() {
            self.doubts(Doubt::Order("an impatient barrier"));
        } else if word.condition() != 0 && !all {
            self.doubts(Doubt::Order("a barrier of the first that come"));
        } else if word.condition() == 1 && !all_count {
            self.doubts(Doubt::Order("arrivals that are counted each time"));
        }
    }

    fn top(&mut self, t: usize, takes_part: bool, id: usize, word: Word, pc: u32) -> Verdict {
        use Verdict::{Asks, Completes};
        // BAR-020
        if self.members[t].inside.is_some() {
            self.misuse = Some("bar.top inside a section (NESTED)");
            return Completes;
        }
        let b = &self.barriers[id];
        let ours = b.tag == pc && !b.split;
        // BAR-021
        let word = match b.state != State::Idle && ours {
            true if b.state == State::Static && b.word != word => {
                let governs = b.word;
                self.doubts(Doubt::Order(
                    "threads that describe one barrier differently",
                ));
                governs
            }
            true => b.word,
            false => word,
        };
        let counts = takes_part || matches!(word.condition(), 0 | 1);
        self.doubts_of(word, takes_part);
        // BAR-022
        let b = &self.barriers[id];
        let in_use = matches!(b.state, State::Static | State::Dynamic);
        if in_use && !ours {
            self.doubts(Doubt::Order("a barrier that is used in two places at once"));
            return if counts { Asks } else { Completes };
        }
        if b.state == State::Dynamic && !(word.section() && word.impatient()) {
            return if counts { Asks } else { Completes };
        }
        match b.state {
            // BAR-023
            State::Invalid if ours => {
                self.barriers[id].arrivals += u32::from(counts);
                self.changes += 1;
                if self.barriers[id].arrivals >= self.live {
                    self.barriers[id].state = State::Idle;
                }
                return Completes;
            }
            // BAR-051
            State::Dynamic => {
                if takes_part {
                    self.sleep(t, id, false);
                    let late = word.waits_when_late();
                    self.members[t].late = late;
                    self.barriers[id].rescan |= !late;
                }
                return Completes;
            }
            _ => {}
        }
        // BAR-024
        let again = self.barriers[id].state == State::Static && self.members[t].seen[id];
        if word.condition() == 0 && again {
            return Asks;
        }
        // BAR-025
        let starts_timer = word.impatient() && (takes_part || word.of_any_kind());
        if !counts && self.barriers[id].state != State::Static && !starts_timer {
            return Completes;
        }
        if self.barriers[id].state != State::Static {
            self.begin(id, word);
            self.barriers[id].tag = pc;
        }
        self.changes += 1;
        self.counts_too_many(word);
        let b = &mut self.barriers[id];
        b.arrivals += u32::from(counts);
        b.timer |= starts_timer;
        self.members[t].seen[id] |= word.condition() == 0 && !takes_part;
        // BAR-026
        if takes_part {
            self.sleep(t, id, false);
        }
        self.complete_if_full(id);
        Completes
    }

    /// STATIC, with nobody there.
    fn begin(&mut self, id: usize, word: Word) {
        let phase = self.barriers[id].phase;
        self.barriers[id] = Barrier {
            state: State::Static,
            word,
            phase,
            ..Barrier::default()
        };
        self.members.iter_mut().for_each(|m| m.seen[id] = false);
    }

    fn sleep(&mut self, t: usize, id: usize, done: bool) {
        let m = &mut self.members[t];
        (m.stands, m.at, m.done, m.late) = (Stands::Sleeps, id, done, false);
    }

    fn counts_too_many(&mut self, word: Word) {
        let over = word.count() as usize > self.members.len();
        if over && matches!(word.condition(), 1 | 2 | 4) {
            self.misuse = Some("the count is above the threads of the CTA (COUNT)");
        }
    }

    /// BAR-027
    fn target(&self, id: usize) -> u32 {
        let word = self.barriers[id].word;
        match (word.condition(), word.count()) {
            (0 | 3, _) | (_, 0) => self.live,
            (_, count) => count.min(self.live),
        }
    }

    fn complete_if_full(&mut self, id: usize) {
        let b = &self.barriers[id];
        if b.state == State::Static && b.arrivals >= self.target(id) {
            self.complete(id);
        }
    }

    /// BAR-071
    fn time_out(&mut self, id: usize) {
        self.complete(id);
        self.settle();
    }

    /// BAR-030, 033, 040
    fn complete(&mut self, id: usize) {
        self.changes += 1;
        let live = self.live;
        let b = &mut self.barriers[id];
        b.timer = false;
        if b.word.section() && !b.split {
            (b.state, b.cursor) = (State::Dynamic, 0);
            self.queue.push_back(id);
            return;
        }
        b.phase = !b.phase;
        let part = b.word.impatient() && b.word.invalidates() && b.arrivals < live;
        b.state = if part && !b.split {
            State::Invalid
        } else {
            State::Idle
        };
        self.wake(id, |_| true);
    }

    fn wake(&mut self, id: usize, who: impl Fn(&Member) -> bool) {
        let asleep = |m: &&mut Member| m.stands == Stands::Sleeps && m.at == id;
        for m in self.members.iter_mut().filter(asleep) {
            if who(m) {
                (m.stands, m.done) = (Stands::Goes, false);
            }
        }
    }

    /// BAR-042 to 044: all BOTTOMs of a group wait for its end, and go on behind themselves.
    fn bottom(&mut self, t: usize, id: usize, waits: bool) -> Verdict {
        let m = &mut self.members[t];
        if m.inside != Some(id) {
            self.misuse = Some("bar.bot outside of its section (NOT_HOLDING)");
            return Verdict::Completes;
        }
        m.inside = None;
        let behind = m.pc;
        if waits {
            self.sleep(t, id, true);
        }
        self.changes += 1;
        self.barriers[id].exit.get_or_insert(behind);
        Verdict::Completes
    }

    /// BAR-080
    fn arrive(&mut self, t: usize, id: usize, word: Word) -> Verdict {
        let b = &self.barriers[id];
        if matches!(b.state, State::Static | State::Dynamic) && !b.split {
            self.doubts(Doubt::Order("a barrier that is used in two ways at once"));
            return Verdict::Asks;
        }
        let word = match b.state {
            State::Static => b.word,
            _ => word,
        };
        let each_once = word.condition() == 0;
        if !each_once {
            self.doubts(Doubt::Order("arrivals that are counted each time"));
        }
        let again = self.barriers[id].state == State::Static && self.members[t].seen[id];
        if each_once && again {
            return Verdict::Asks;
        }
        if self.barriers[id].state != State::Static {
            self.begin(id, word);
            self.barriers[id].split = true;
        }
        self.changes += 1;
        self.counts_too_many(word);
        self.members[t].seen[id] = each_once;
        self.barriers[id].arrivals += 1;
        self.complete_if_full(id);
        Verdict::Completes
    }

    /// BAR-090
    fn reset(&mut self, id: usize) -> Verdict {
        self.doubts(Doubt::Always("who waits at a barrier that is reset"));
        let (tag, section) = (self.barriers[id].tag, self.barriers[id].word.section());
        if self.barriers[id].state != State::Idle {
            self.changes += 1;
            for m in &mut self.members {
                if m.inside == Some(id) {
                    m.inside = None;
                }
                if m.stands == Stands::Sleeps && m.at == id {
                    if section && !m.done {
                        m.pc = tag;
                    }
                    (m.stands, m.done) = (Stands::Goes, false);
                }
            }
        }
        self.barriers[id].state = State::Idle;
        self.queue.retain(|&other| other != id);
        self.open.retain(|&other| other != id);
        Verdict::Completes
    }

    /// Turns, ends of groups, and timers that run out at once.
    fn settle(&mut self) {
        if self.order == Order::Descending {
            for id in 0..IDS {
                let b = &self.barriers[id];
                if b.state == State::Static && b.timer {
                    self.complete(id);
                }
            }
        }
        // BAR-060
        while let Some(&id) = self.queue.front() {
            let exclusive = |&id: &usize| self.barriers[id].word.exclusive();
            let alone = exclusive(&id) || self.open.iter().any(exclusive);
            if !self.open.is_empty() {
                self.doubts(Doubt::Order("sections that are open at one time"));
                if alone {
                    break;
                }
            }
            self.queue.pop_front();
            self.open.push(id);
            if !self.turn(id) {
                self.end(id);
            }
        }
        let mut ended = false;
        for id in self.open.clone() {
            if !self.turn(id) {
                self.end(id);
                ended = true;
            }
        }
        if ended {
            self.settle();
        }
    }

    /// BAR-041, 050, 052; false when the group has ended.
    fn turn(&mut self, id: usize) -> bool {
        if self.members.iter().any(|m| m.inside == Some(id)) {
            return true;
        }
        loop {
            let from = self.barriers[id].cursor;
            let waits = |m: &Member| m.stands == Stands::Sleeps && m.at == id && !m.done && !m.late;
            let found = (from..self.members.len()).find(|&t| waits(&self.members[t]));
            if let Some(t) = found {
                let m = &mut self.members[t];
                (m.stands, m.inside) = (Stands::Goes, Some(id));
                self.barriers[id].cursor = t + 1;
                return true;
            }
            if !std::mem::take(&mut self.barriers[id].rescan) {
                return false;
            }
            self.barriers[id].cursor = 0;
        }
    }

    /// BAR-053 to 056
    fn end(&mut self, id: usize) {
        self.changes += 1;
        self.open.retain(|&other| other != id);
        self.wake(id, |m| m.done);
        let (exit, skips) = (self.barriers[id].exit, self.barriers[id].word.skips());
        let mut again = false;
        for m in &mut self.members {
            if m.stands != Stands::Sleeps || m.at != id {
                continue;
            }
            m.late = false;
            match exit.filter(|_| skips) {
                Some(exit) => (m.stands, m.pc) = (Stands::Goes, exit),
                None => again = true,
            }
        }
        let b = &mut self.barriers[id];
        b.cursor = 0;
        if again {
            self.queue.push_back(id);
        } else {
            b.state = State::Idle;
            b.phase = !b.phase;
        }
    }
}
