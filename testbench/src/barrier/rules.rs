//! Monitors of the ports. They do not know the model: they follow the threads by what is transferred.

use super::device::Size;
use crate::threads::lanes;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_sim::barrier::{
    EventKind, Late, Op, OpCode, Origin, Ports, VerdictKind, Wake, Word, CTAS, IDS,
};

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub rule: &'static str,
    pub text: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.rule, self.text)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Awake,
    /// Sleeps at a TOP with this pc.
    Waiting {
        id: usize,
        tag: u32,
    },
    Inside {
        id: usize,
    },
    /// Sleeps behind its BOTTOM.
    Done {
        id: usize,
        exit: u32,
    },
}

#[derive(Clone, Debug, Default)]
struct Thread {
    at: At,
    live: bool,
}

#[derive(Clone, Debug, Default)]
struct Warp {
    cta: usize,
    block: usize,
    threads: Vec<Thread>,
    /// BAR-082: threads that were told to wait, unless their CTA has changed since.
    told: u64,
    /// That was the latest verdict.
    asked: bool,
    /// Cycle of that verdict; the latest cycle in which something let the warp go.
    told_at: u64,
    freed_at: u64,
}

impl Warp {
    /// Somebody who is awake was not told to wait.
    fn can_go(&self) -> bool {
        let mut threads = self.threads.iter().enumerate();
        threads.any(|(lane, t)| {
            let awake = t.live && matches!(t.at, At::Awake | At::Inside { .. });
            awake && self.told >> lane & 1 == 0
        })
    }

    fn is_empty(&self) -> bool {
        !self.threads.iter().any(|t| t.live)
    }
}

type Logical = (usize, usize);

#[derive(Clone, Debug, Default)]
struct Barrier {
    /// The word of its first arrival, when it is known, and its tag.
    word: Option<Word>,
    tag: u32,
    /// Threads that have arrived, for condition 0.
    arrived: BTreeSet<Logical>,
    /// Turns of each participant since it was idle.
    turns: BTreeMap<Logical, u32>,
    /// The latest turn of the group.
    last: Option<Logical>,
    /// Arrivals that count at an impatient barrier: those of participants.
    came: u32,
    /// A RESET or KILL: no promises until it is idle.
    loose: bool,
    dynamic: bool,
    /// Complete before all have come, for good: under another tag the next generation begins without an event.
    invalid: bool,
    /// Its priority since it is complete, where that is known.
    level: Option<u16>,
    /// BAR-062, BAR-104: wakes of others while it could go: of a section, of sections with its priority.
    passed: u32,
}

#[derive(Clone, Debug, Default)]
struct Cta {
    threads: u32,
    launched: Vec<usize>,
    barriers: Vec<Barrier>,
    /// An operation of it had its verdict: events are its own, and not those of the CTA before.
    settled: bool,
    /// A KILL, or a barrier that may have become invalid, which no port shows.
    unseen: bool,
}

pub struct Rules {
    size: Size,
    warps: Vec<Warp>,
    ctas: Vec<Cta>,
    /// Operations in their order.
    taken: VecDeque<Op>,
    /// Warps that were killed, whose wakes may still come.
    killed: u64,
    cycle: u64,
    /// BAR-062: wakes of sections, one after the other, while sleepers of a simple barrier could be let go.
    sections: u32,
    /// `cfg_priority`, and the cycle of its latest change.
    priority: u16,
    priority_at: u64,
    /// Wakes, turns, verdicts, cycles of warps that wait awake.
    pub wakes: u64,
    pub turns: u64,
    pub verdicts: u64,
    pub waits: u64,
}

/// BAR-084: a warp is let go at most so many cycles after what does.
const RELEASE: u64 = 3;
/// A priority that has been the same for so long counts for whoever is complete now.
const SETTLED: u64 = 16;
/// BAR-062: one wake of a section goes before those who are let go, and one may be on its way.
const AHEAD: u32 = 2;
/// BAR-060, BAR-104: slots; all others of one priority go before a slot once.
const SLOTS: usize = 16;

macro_rules! require {
    ($holds:expr, $rule:expr, $($said:tt)*) => {
        if !$holds {
            return Err(Violation { rule: $rule, text: format!($($said)*) });
        }
    };
}

impl Rules {
    pub fn new(size: Size) -> Rules {
        let cta = || Cta {
            barriers: vec![Barrier::default(); IDS],
            ..Cta::default()
        };
        let warp = || Warp {
            threads: vec![Thread::default(); size.threads],
            ..Warp::default()
        };
        Rules {
            size,
            warps: (0..size.warps).map(|_| warp()).collect(),
            ctas: (0..CTAS).map(|_| cta()).collect(),
            taken: VecDeque::new(),
            killed: 0,
            cycle: 0,
            sections: 0,
            priority: 0,
            priority_at: 0,
            wakes: 0,
            turns: 0,
            verdicts: 0,
            waits: 0,
        }
    }

    pub fn cycle(&mut self, ports: &Ports) -> Result<(), Violation> {
        if ports.reset {
            *self = Rules::new(self.size);
            return Ok(());
        }
        if ports.cfg_priority != self.priority {
            (self.priority, self.priority_at) = (ports.cfg_priority, self.cycle);
            let barriers = self.ctas.iter_mut().flat_map(|c| &mut c.barriers);
            barriers.for_each(|bar| bar.level = None);
        }
        if let Some(verdict) = ports.verdict.filter(|_| ports.verdict_ready) {
            self.verdicts += 1;
            let Some(op) = self.taken.pop_front() else {
                require!(false, "one verdict per operation", "{verdict} for none");
                return Ok(());
            };
            let right = verdict.warp == op.warp
                && (verdict.kind == VerdictKind::Next || verdict.pc == op.pc);
            require!(right, "verdicts in order", "{verdict} for {op:?}");
            require!(
                verdict.mask & !op.active == 0,
                "verdicts name active threads",
                "{verdict} for {op:?}"
            );
            self.verdict(&op, verdict.kind, verdict.mask)?;
            self.tell(&op, verdict.kind, verdict.mask);
        }
        if let Some(event) = ports.event {
            self.change(event.cta);
            self.event(event.kind, event.cta, event.id)?;
            let bar = &self.ctas[event.cta].barriers[event.id];
            self.ctas[event.cta].unseen |= event.kind == EventKind::Timeout || bar.invalid;
        }
        if let Some(wake) = ports.wake.filter(|_| ports.wake_ready) {
            self.wakes += 1;
            self.woken(&wake)?;
        }
        if let Some(op) = ports.taken() {
            self.take(op);
        }
        self.hold(ports)?;
        self.cycle += 1;
        Ok(())
    }

    /// BAR-082
    fn tell(&mut self, op: &Op, kind: VerdictKind, mask: u64) {
        if op.code == OpCode::Exit {
            self.change(self.warps[op.warp].cta);
        }
        let bottom = matches!(op.code, OpCode::Bottom | OpCode::BottomNb);
        let warp = &mut self.warps[op.warp];
        warp.asked = kind == VerdictKind::Retry || kind == VerdictKind::Part && !bottom;
        warp.told = match warp.asked {
            true => warp.told & !op.active | mask,
            false => 0,
        };
        warp.told_at = self.cycle;
    }

    /// BAR-083
    fn change(&mut self, cta: usize) {
        for warp in self.warps.iter_mut().filter(|w| w.cta == cta) {
            warp.told = 0;
            warp.freed_at = self.cycle;
        }
    }

    /// BAR-084: a warp that waits awake is held, and no longer than that.
    fn hold(&mut self, ports: &Ports) -> Result<(), Violation> {
        if let Some(wake) = ports.wake {
            self.warps[wake.warp].freed_at = self.cycle;
        }
        for (number, warp) in self.warps.iter().enumerate() {
            if !warp.asked || self.killed >> number & 1 != 0 || warp.is_empty() {
                continue;
            }
            let held = ports.hold >> number & 1 != 0;
            let (now, can_go) = (self.cycle, warp.can_go());
            self.waits += u64::from(held);
            require!(
                !held || !can_go || now <= warp.freed_at + RELEASE,
                "BAR-084: who can go on is not held",
                "w{number}: told are {:#x}",
                warp.told
            );
            let unseen = self.ctas[warp.cta].unseen;
            require!(
                held || can_go || unseen || now <= warp.told_at + 1 || now <= warp.freed_at,
                "BAR-085: who was told to wait does not ask again",
                "w{number}: told are {:#x}",
                warp.told
            );
        }
        Ok(())
    }

    fn take(&mut self, op: &Op) {
        match op.code {
            OpCode::Launch => self.launch(op),
            OpCode::Kill => {
                self.killed |= 1 << op.warp;
                self.end(op.warp, u64::MAX);
                let cta = self.warps[op.warp].cta;
                self.ctas[cta].unseen = true;
                for bar in &mut self.ctas[cta].barriers {
                    bar.loose = true;
                }
            }
            OpCode::Reset => {
                // From here on, whenever it is carried out.
                let cta = self.warps[op.warp].cta;
                self.ctas[cta].barriers[op.id].loose = true;
                self.taken.push_back(*op);
            }
            _ => self.taken.push_back(*op),
        }
    }

    fn launch(&mut self, op: &Op) {
        self.killed &= !(1 << op.warp);
        let cta = &mut self.ctas[op.cta];
        if op.block == 0 {
            *cta = Cta {
                threads: op.threads,
                launched: Vec::new(),
                barriers: vec![Barrier::default(); IDS],
                settled: false,
                unseen: false,
            };
        }
        cta.launched.push(op.warp);
        let thread = |lane| Thread {
            at: At::Awake,
            live: op.active >> lane & 1 != 0,
        };
        self.warps[op.warp] = Warp {
            cta: op.cta,
            block: op.block,
            threads: (0..self.size.threads).map(thread).collect(),
            ..Warp::default()
        };
    }

    fn end(&mut self, warp: usize, mask: u64) {
        let warp = &mut self.warps[warp];
        for (lane, t) in warp.threads.iter_mut().enumerate() {
            if mask >> lane & 1 != 0 {
                *t = Thread::default();
                let logical = (warp.block, lane);
                for bar in &mut self.ctas[warp.cta].barriers {
                    bar.turns.remove(&logical);
                }
            }
        }
    }

    fn verdict(&mut self, op: &Op, kind: VerdictKind, mask: u64) -> Result<(), Violation> {
        use VerdictKind::*;
        let right = match op.code {
            OpCode::Top | OpCode::Bottom | OpCode::BottomNb => kind != Exit,
            OpCode::Reset => kind == Next,
            OpCode::Arrive => matches!(kind, Next | Retry | Part),
            OpCode::Wait => matches!(kind, Next | Retry),
            OpCode::Exit => kind == Exit && mask == op.mask & op.active,
            OpCode::Launch | OpCode::Kill => false,
        };
        require!(
            right,
            "verdicts that an operation has",
            "{kind:?}({mask:#x}) for {op:?}"
        );
        if self.killed >> op.warp & 1 != 0 {
            return Ok(());
        }
        let (cta, block) = (self.warps[op.warp].cta, self.warps[op.warp].block);
        self.ctas[cta].settled = true;
        let gone = matches!(kind, Retry | Part);
        match op.code {
            OpCode::Top if !gone => {
                let over = !self.sleeps(cta, op.id);
                let bar = &mut self.ctas[cta].barriers[op.id];
                // Who is inside goes on as if he were not there, and who does not count changes nothing.
                let threads = &self.warps[op.warp].threads;
                let inside = lanes(op.active)
                    .filter(|&lane| matches!(threads[lane].at, At::Inside { .. }))
                    .fold(0u64, |mask, lane| mask | 1 << lane);
                let (a, s) = (
                    op.active & !(inside & op.mask),
                    op.mask & op.active & !inside,
                );
                let anew = bar.invalid && over && bar.tag != op.pc;
                let word = bar.word.filter(|_| !anew).unwrap_or(op.word);
                let timer = matches!(word.origin(), Origin::First | Origin::Latest);
                let arrives =
                    a != 0 && (word.condition() < 2 || s != 0 || word.is_impatient() && timer);
                if anew && arrives {
                    *bar = Barrier::default();
                }
                require!(
                    !bar.invalid || bar.tag != op.pc || bar.loose || kind != Sleep,
                    "BAR-023: who comes late to an invalid barrier goes on",
                    "c{cta}.{}: {op:?}",
                    op.id
                );
                if arrives && (bar.word.is_none() || bar.tag == op.pc) {
                    bar.came += s.count_ones();
                }
                if !bar.dynamic && arrives {
                    if bar.word.is_none() {
                        (bar.word, bar.tag) = (Some(op.word), op.pc);
                    }
                    bar.arrived
                        .extend(lanes(op.active).map(|lane| (block, lane)));
                }
                if kind == Sleep {
                    for lane in lanes(mask) {
                        let t = &mut self.warps[op.warp].threads[lane];
                        require!(
                            t.at == At::Awake,
                            "only awake threads arrive",
                            "lane {lane} of {op:?}"
                        );
                        t.at = At::Waiting {
                            id: op.id,
                            tag: op.pc,
                        };
                        bar.turns.insert((block, lane), 0);
                    }
                }
            }
            OpCode::Arrive if !gone => {
                let bar = &mut self.ctas[cta].barriers[op.id];
                if bar.invalid {
                    *bar = Barrier::default();
                }
                bar.word.get_or_insert(op.word);
                bar.arrived
                    .extend(lanes(op.active).map(|lane| (block, lane)));
            }
            OpCode::Bottom | OpCode::BottomNb => {
                for lane in lanes(op.active) {
                    let t = &mut self.warps[op.warp].threads[lane];
                    if t.at == (At::Inside { id: op.id }) && kind != Part {
                        let sleeps = kind == Sleep && mask >> lane & 1 != 0;
                        t.at = match sleeps {
                            true => At::Done {
                                id: op.id,
                                exit: op.pc.wrapping_add(1) & 0x3f_ffff,
                            },
                            false => At::Awake,
                        };
                    } else if kind == Sleep && mask >> lane & 1 != 0 {
                        let loose = self.ctas[cta].barriers[op.id].loose;
                        require!(
                            loose,
                            "only who is inside sleeps at a BOTTOM",
                            "lane {lane} of {op:?}"
                        );
                        t.at = At::Done {
                            id: op.id,
                            exit: op.pc.wrapping_add(1) & 0x3f_ffff,
                        };
                    }
                }
            }
            OpCode::Exit => self.end(op.warp, mask),
            OpCode::Reset => {
                self.ctas[cta].barriers[op.id].loose = true;
                // Nobody is inside any more.
                for w in self.warps.iter_mut().filter(|w| w.cta == cta) {
                    for t in &mut w.threads {
                        if t.at == (At::Inside { id: op.id }) {
                            t.at = At::Awake;
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn event(&mut self, kind: EventKind, cta: usize, id: usize) -> Result<(), Violation> {
        let c = &self.ctas[cta];
        if !c.settled {
            return Ok(());
        }
        let bar = &c.barriers[id];
        match kind {
            EventKind::Fire => {
                let word = bar.word.unwrap_or_default();
                if word.condition() == 0 && !bar.loose {
                    // BAR-027: nobody is missing, launched or not.
                    let blocks = (c.threads as usize).div_ceil(self.size.threads);
                    require!(
                        c.launched.len() == blocks,
                        "complete with all threads",
                        "c{cta}.{id}: {} of {blocks} blocks are launched",
                        c.launched.len()
                    );
                    for (block, &warp) in c.launched.iter().enumerate() {
                        let w = &self.warps[warp];
                        for (lane, t) in w.threads.iter().enumerate() {
                            let here = (w.cta, w.block) == (cta, block) && t.live;
                            require!(
                                !here || bar.arrived.contains(&(block, lane)),
                                "complete with all threads",
                                "c{cta}.{id}: block {block}, lane {lane} has not arrived"
                            );
                        }
                    }
                }
                self.opened(cta, id);
            }
            EventKind::Timeout => {
                let patient = bar.word.is_some_and(|w| !w.is_impatient());
                require!(
                    !patient || bar.loose,
                    "only impatient barriers time out",
                    "c{cta}.{id}"
                );
                self.opened(cta, id);
            }
            EventKind::Again => self.ctas[cta].barriers[id].last = None,
            EventKind::Idle => {
                self.sections = 0;
                let word = bar.word.unwrap_or_default();
                let skip = word.is_impatient() && word.late() == Late::Skips;
                let live = self.live(cta);
                require!(
                    !bar.invalid || bar.loose || bar.came >= live,
                    "BAR-023: a barrier is invalid until all have come",
                    "c{cta}.{id}: {} of {live}",
                    bar.came
                );
                if word.is_section() && bar.dynamic && !bar.loose {
                    for (logical, turns) in &bar.turns {
                        require!(
                            *turns == 1 || skip && *turns == 0,
                            "BAR-102: each participant has one turn",
                            "c{cta}.{id}: block {}, lane {} had {turns}",
                            logical.0,
                            logical.1
                        );
                    }
                }
                // Nobody is left behind.
                for w in self.warps.iter().filter(|w| w.cta == cta) {
                    for (lane, t) in w.threads.iter().enumerate() {
                        let behind = match t.at {
                            At::Waiting { id: own, .. } | At::Done { id: own, .. } => own == id,
                            _ => false,
                        };
                        require!(
                            !behind,
                            "nobody sleeps at an idle barrier",
                            "c{cta}.{id}: block {}, lane {lane}",
                            w.block
                        );
                    }
                }
                self.ctas[cta].barriers[id] = Barrier::default();
            }
        }
        Ok(())
    }

    /// Somebody waits there for the end of membership or for a turn.
    fn sleeps(&self, cta: usize, id: usize) -> bool {
        let here = |t: &Thread| matches!(t.at, At::Waiting { id: own, .. } if own == id);
        let mut warps = self.warps.iter().filter(|w| w.cta == cta);
        warps.any(|w| w.threads.iter().any(here))
    }

    /// Threads of the CTA that have not ended, launched or not.
    fn live(&self, cta: usize) -> u32 {
        let c = &self.ctas[cta];
        let here = |(block, &warp): (usize, &usize)| {
            let w = &self.warps[warp];
            let threads = w.threads.iter().filter(|t| t.live);
            match (w.cta, w.block) == (cta, block) {
                true => threads.count(),
                false => 0,
            }
        };
        let launched: usize = c.launched.iter().enumerate().map(here).sum();
        let missing = (c.threads as usize).saturating_sub(c.launched.len() * self.size.threads);
        (launched + missing) as u32
    }

    /// BAR-033: a barrier that is complete before all have come may be invalid, whatever opened it.
    fn opened(&mut self, cta: usize, id: usize) {
        let bar = &self.ctas[cta].barriers[id];
        let policy = |w: Word| w.is_impatient() && w.late() == Late::Invalidates && !w.is_section();
        let invalid = bar.word.is_some_and(policy) && (bar.loose || bar.came < self.live(cta));
        let (word, tag, came, loose) = (bar.word, bar.tag, bar.came, bar.loose);
        self.complete(cta, id);
        if invalid {
            let bar = &mut self.ctas[cta].barriers[id];
            (bar.word, bar.tag, bar.came) = (word, tag, came);
            (bar.loose, bar.invalid) = (loose, true);
        }
    }

    fn complete(&mut self, cta: usize, id: usize) {
        let sleeps = self.sleeps(cta, id);
        let bar = &mut self.ctas[cta].barriers[id];
        let section = bar.word.is_some_and(Word::is_section);
        if sleeps || section {
            bar.dynamic = true;
            bar.last = None;
            let settled = self.cycle >= self.priority_at + SETTLED;
            bar.level = settled.then_some(self.priority >> (2 * id) & 3);
            bar.passed = 0;
        } else {
            *bar = Barrier::default();
        }
    }

    fn woken(&mut self, wake: &Wake) -> Result<(), Violation> {
        if self.killed >> wake.warp & 1 != 0 {
            return Ok(());
        }
        let (cta, block) = (self.warps[wake.warp].cta, self.warps[wake.warp].block);
        require!(wake.mask != 0, "wakes wake somebody", "{wake}");
        self.pass(wake)?;
        for lane in lanes(wake.mask) {
            let at = self.warps[wake.warp].threads[lane].at;
            match at {
                At::Waiting { id, tag } => {
                    let bar = &self.ctas[cta].barriers[id];
                    let word = bar.word.unwrap_or_default();
                    let turn = word.is_section() && wake.pc == tag.wrapping_add(1) & 0x3f_ffff;
                    if turn && bar.dynamic {
                        require!(
                            wake.mask.is_power_of_two(),
                            "BAR-041: one thread has a turn",
                            "{wake}"
                        );
                        self.turn(cta, id, (block, lane), word)?;
                        self.warps[wake.warp].threads[lane].at = At::Inside { id };
                        continue;
                    }
                    let known = [tag, tag.wrapping_add(1) & 0x3f_ffff].contains(&wake.pc);
                    let skip = word.is_impatient() && word.late() == Late::Skips;
                    require!(
                        known || skip,
                        "threads go on where they are",
                        "{wake}: lane {lane} sleeps at {tag:#x}"
                    );
                }
                At::Done { exit, .. } => {
                    require!(
                        wake.pc == exit,
                        "threads go on where they are",
                        "{wake}: lane {lane} goes on at {exit:#x}"
                    );
                }
                At::Awake | At::Inside { .. } => {
                    require!(false, "only sleeping threads wake", "{wake}: lane {lane}");
                }
            }
            self.warps[wake.warp].threads[lane].at = At::Awake;
        }
        Ok(())
    }

    /// BAR-104: whoever can go is not passed over, whatever its slot.
    fn pass(&mut self, wake: &Wake) -> Result<(), Violation> {
        let warp = &self.warps[wake.warp];
        let own = match warp.threads[wake.mask.trailing_zeros() as usize].at {
            At::Waiting { id, .. } | At::Done { id, .. } => (warp.cta, id),
            At::Awake | At::Inside { .. } => return Ok(()),
        };
        let of_section = |bar: &Barrier| bar.word.is_some_and(Word::is_section);
        let waking = &self.ctas[own.0].barriers[own.1];
        let (level, section) = (waking.level, of_section(waking) && !waking.loose);
        self.ctas[own.0].barriers[own.1].passed = 0;
        if !section {
            self.sections = 0;
            return Ok(());
        }
        // BAR-062: those who are let go do not wait for sections.
        let simple = |bar: &Barrier| bar.dynamic && !bar.loose && !of_section(bar);
        let pairs = || (0..CTAS).flat_map(|cta| (0..IDS).map(move |id| (cta, id)));
        let waits =
            pairs().any(|(cta, id)| simple(&self.ctas[cta].barriers[id]) && self.sleeps(cta, id));
        self.sections = if waits { self.sections + 1 } else { 0 };
        require!(
            self.sections <= AHEAD,
            "BAR-062: who is let go does not wait for sections",
            "{} wakes of sections, the last {wake}",
            self.sections
        );
        let complete = self.ctas.iter().flat_map(|c| &c.barriers);
        let complete = complete.filter(|bar| bar.dynamic && (of_section(bar) || bar.loose));
        // Only then is it sure that all of them have slots.
        let alone = |bar: &Barrier| bar.loose || bar.word.is_some_and(Word::is_exclusive);
        let all = complete.clone().count() <= SLOTS && !complete.clone().any(alone);
        for (cta, id) in pairs() {
            let bar = &self.ctas[cta].barriers[id];
            if !bar.dynamic || !of_section(bar) {
                continue;
            }
            let (same, passed) = (level.is_some() && bar.level == level, bar.passed);
            let able = all && (cta, id) != own && self.sleeps(cta, id) && !self.occupied(cta, id);
            let passed = match able {
                true => passed + u32::from(same),
                false => 0,
            };
            require!(
                passed < SLOTS as u32,
                "BAR-104: slots of one priority take turns",
                "c{cta}.{id} could go during {passed} wakes of others"
            );
            self.ctas[cta].barriers[id].passed = passed;
        }
        Ok(())
    }

    /// Somebody is inside its section.
    fn occupied(&self, cta: usize, id: usize) -> bool {
        let here = |t: &Thread| t.at == At::Inside { id };
        let mut warps = self.warps.iter().filter(|w| w.cta == cta);
        warps.any(|w| w.threads.iter().any(here))
    }

    fn turn(&mut self, cta: usize, id: usize, who: Logical, word: Word) -> Result<(), Violation> {
        self.turns += 1;
        for w in &self.warps {
            for (lane, t) in w.threads.iter().enumerate() {
                let At::Inside { id: other } = t.at else {
                    continue;
                };
                let bar = &self.ctas[w.cta].barriers[other];
                if bar.loose {
                    continue;
                }
                require!(
                    (w.cta, other) != (cta, id),
                    "BAR-100: one thread inside",
                    "c{cta}.{id}: block {}, lane {lane} and {who:?}",
                    w.block
                );
                let exclusive = word.is_exclusive() && !self.ctas[cta].barriers[id].loose
                    || bar.word.is_some_and(Word::is_exclusive);
                require!(
                    !exclusive,
                    "BAR-101: nobody beside an exclusive section",
                    "c{cta}.{id} and c{}.{other}",
                    w.cta
                );
            }
        }
        let bar = &mut self.ctas[cta].barriers[id];
        if let Some(turns) = bar.turns.get_mut(&who) {
            *turns += 1;
            let once = *turns == 1 || bar.loose;
            require!(
                once,
                "BAR-102: each participant has one turn",
                "c{cta}.{id}: {who:?}"
            );
        }
        let ascends = bar.last.is_none_or(|last| last < who);
        require!(
            ascends || word.is_impatient() || bar.loose,
            "BAR-103: turns ascend",
            "c{cta}.{id}: {who:?} after {:?}",
            bar.last
        );
        bar.last = Some(who);
        Ok(())
    }
}
