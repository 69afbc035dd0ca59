//! The machine as somebody stops it.
//!
//! A warp steps all of its active threads at once, and a debugger asks for one. So a breakpoint is told for each active
//! thread of the warp, one after the other, before any of them goes on (DEBUG-020); a thread that is stepped alone goes
//! ahead in a copy of the machine, and the others follow (DEBUG-021, `session/alone.rs`).

mod alone;

pub use alone::Write;

use crate::thread::Thread;
use crate::watch::{self, Hit, Watch};
use crate::work::Work;
use alone::Ahead;
use std::collections::BTreeSet;
use std::ops::Range;
use weft_sim::{
    Config, ConfigError, Fault, FaultCause, Machine, Memory, Outcome, Record, Standing, Stuck,
    Turns, Watchdog,
};

/// Why nothing goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The thread that was to be stepped has executed its instruction.
    Step(Thread),
    /// The thread is about to execute an instruction with a breakpoint.
    Break(Thread),
    /// The thread is about to make an access that is watched.
    Watch(Hit),
    /// The thread has faulted, and its warp has stopped.
    Fault(Thread, FaultCause),
    /// No thread can go on; this is one that waits.
    Hang(Thread),
    /// Nothing has changed for as long as the watchdog allows; this thread is one that runs.
    Spins(Thread),
    /// Somebody asked for it; this thread would go on next.
    Interrupt(Thread),
    /// Every thread of the grid has ended, or has faulted: exit code 0 or 1.
    Exit(u8),
}

/// What is to go on.
#[derive(Clone, Debug, Default)]
pub struct Resume {
    /// By its number in the grid: it stops when it has executed an instruction, or has left the range.
    pub step: Option<u32>,
    pub range: Option<Range<u32>>,
    /// Only this thread goes on, by its number.
    pub alone: Option<u32>,
}

/// A run that is debugged.
pub struct Session {
    work: Work,
    part: u32,
    machine: Machine,
    turns: Turns,
    watchdog: Option<Watchdog>,
    breakpoints: BTreeSet<u32>,
    watches: Vec<Watch>,
    resume: Resume,
    /// By warp: lanes that have been told of the breakpoint, and of a watched access, at the instruction at which the warp
    /// stands.
    told: Vec<u64>,
    told_access: Vec<u64>,
    /// Threads that have been stepped alone.
    ahead: Vec<Ahead>,
    /// A warp that has made one step from where the machine stands now; for all of its threads.
    after: Option<(usize, std::rc::Rc<Machine>)>,
    /// Its number in the grid: it is shown though it has ended.
    shown: Option<u32>,
    /// Of a thread that was stepped and has ended: its number, and where it is shown.
    ended_at: Option<(u32, u32)>,
    /// What the latest stop means, in words.
    why: String,
    /// Who hears of what a debugger cannot be told.
    say: Box<dyn FnMut(&str)>,
    faulted: bool,
    ended: bool,
}

impl Session {
    /// At the beginning. `watchdog`: warp instructions without a change after which a run that spins stops; `say`
    /// hears of faults, hangs, and of the next CTA.
    ///
    /// # Errors
    /// As [`Work::machine`].
    pub fn new(
        work: Work,
        watchdog: Option<u64>,
        say: Box<dyn FnMut(&str)>,
    ) -> Result<Session, ConfigError> {
        let machine = work.machine(0, None)?;
        let mut session = Session {
            turns: Turns::new(&machine),
            told: vec![0; machine.config().warps],
            told_access: vec![0; machine.config().warps],
            work,
            part: 0,
            machine,
            watchdog: watchdog.map(|instructions| Watchdog { instructions }),
            breakpoints: BTreeSet::new(),
            watches: Vec::new(),
            resume: Resume::default(),
            ahead: Vec::new(),
            after: None,
            shown: None,
            ended_at: None,
            why: "at its beginning".into(),
            say,
            faulted: false,
            ended: false,
        };
        session.begins();
        Ok(session)
    }

    fn begins(&mut self) {
        if self.work.parts() < 2 {
            return;
        }
        let first = self.machine.number(0, 0);
        let last = first + self.threads().count() as u32 - 1;
        let name = self.work.name(self.part);
        (self.say)(&format!("{name} begins: threads {first} to {last}"));
    }

    /// The machine of the part that runs now.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Global memory, when it is no longer needed.
    pub fn into_memory(self) -> Memory {
        self.machine.into_memory()
    }

    /// Every thread of the grid has ended or has faulted.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// What the latest stop means.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// The part that runs now, by name; `None`: there is one.
    pub fn part(&self) -> Option<String> {
        (self.work.parts() > 1).then(|| self.work.name(self.part))
    }

    fn config(&self) -> &Config {
        self.machine.config()
    }

    /// All threads of the machine that runs now, with those that have ended.
    fn threads(&self) -> impl Iterator<Item = Thread> + '_ {
        let (warps, width) = (self.config().warps, self.config().threads);
        let all =
            (0..warps).flat_map(move |warp| (0..width).map(move |lane| Thread { warp, lane }));
        all.filter(|t| self.is_there(*t))
    }

    /// The grid has it.
    fn is_there(&self, thread: Thread) -> bool {
        self.config().launch_mask(thread.warp) >> thread.lane & 1 != 0
    }

    fn has_finished(&self, thread: Thread) -> bool {
        self.machine.warp(thread.warp).ended() >> thread.lane & 1 != 0
    }

    /// There is something to see of it: it has not ended, or is the latest one that was stopped.
    fn is_seen(&self, thread: Thread) -> bool {
        !self.has_finished(thread) || self.shown == Some(self.number(thread))
    }

    /// Numbers in the grid of the threads that there are to see, ascending.
    pub fn alive(&self) -> Vec<u32> {
        let seen = self.threads().filter(|t| self.is_seen(*t));
        seen.map(|t| self.number(t)).collect()
    }

    /// Whether this is one of them.
    pub fn is_alive(&self, number: u32) -> bool {
        self.find(number).is_some_and(|t| self.is_seen(t))
    }

    /// Number in the grid.
    pub fn number(&self, thread: Thread) -> u32 {
        self.machine.number(thread.warp, thread.lane)
    }

    /// The thread with this number in the grid, if it is one of the machine that runs now.
    pub fn find(&self, number: u32) -> Option<Thread> {
        let own = number.checked_sub(self.machine.number(0, 0))? as usize;
        let width = self.config().threads;
        let thread = Thread {
            warp: own / width,
            lane: own % width,
        };
        let there = thread.warp < self.config().warps && self.is_there(thread);
        there.then_some(thread)
    }

    /// The machine as this thread sees it: ahead of the others, if it has been stepped alone.
    pub fn seen_by(&self, thread: Thread) -> &Machine {
        match self.ahead.iter().find(|a| a.thread == thread) {
            Some(ahead) => &ahead.machine,
            None => &self.machine,
        }
    }

    /// Where it stands, as a byte address; of one that has been stepped and has ended, its last instruction, or
    /// what is behind it (DEBUG-021).
    /// Of one whose token is lost, where its warp is.
    pub fn pc(&self, thread: Thread) -> u32 {
        let machine = self.seen_by(thread);
        let ended = self.ended_at.filter(|(n, _)| *n == self.number(thread));
        match (machine.standing_of(thread.warp, thread.lane), ended) {
            (Standing::Ended, Some((_, pc))) => pc,
            (Standing::Active { pc } | Standing::Off { pc: Some(pc), .. }, _) => pc,
            _ => machine.warp(thread.warp).pc() * 4,
        }
    }

    /// A register, or bytes of memory as the thread sees them, are changed.
    ///
    /// # Errors
    /// Memory that is not mapped.
    pub fn write(&mut self, thread: Thread, write: Write) -> Result<(), FaultCause> {
        self.after = None;
        if let Some(ahead) = self.ahead.iter_mut().find(|a| a.thread == thread) {
            return ahead.write(write);
        }
        write.apply(&mut self.machine, thread)?;
        self.follow_again();
        Ok(())
    }

    pub fn set_breakpoint(&mut self, address: u32) {
        self.breakpoints.insert(address);
    }

    /// False: there was none.
    pub fn clear_breakpoint(&mut self, address: u32) -> bool {
        self.breakpoints.remove(&address)
    }

    fn has_breakpoint(&self, address: u32) -> bool {
        self.breakpoints.contains(&address)
    }

    pub fn set_watch(&mut self, watch: Watch) {
        self.watches.push(watch);
    }

    /// False: there was none.
    pub fn clear_watch(&mut self, watch: &Watch) -> bool {
        let at = self.watches.iter().position(|w| w == watch);
        at.map(|at| self.watches.remove(at)).is_some()
    }

    /// Nobody debugs any more: without stops, everything as it stands.
    pub fn leave(&mut self) {
        self.breakpoints.clear();
        self.watches.clear();
        self.resume = Resume::default();
    }

    /// What [`Session::advance`] is to do.
    pub fn resume(&mut self, resume: Resume) {
        self.resume = resume;
        self.shown = None;
    }

    /// Somebody wants it to stop.
    pub fn interrupt(&mut self) -> Stop {
        let thread = self.next_thread();
        self.stopped(Stop::Interrupt(thread))
    }

    /// One that would go on next, or one that waits.
    fn next_thread(&self) -> Thread {
        let machine = &self.machine;
        let active = |warp: &usize| machine.is_runnable(*warp) && machine.warp(*warp).active() != 0;
        let first = |warp: usize| Thread {
            warp,
            lane: machine.warp(warp).active().trailing_zeros() as usize,
        };
        let runs = (0..self.config().warps).find(active).map(first);
        let thread = runs.or_else(|| self.waiting());
        thread.unwrap_or(Thread { warp: 0, lane: 0 })
    }

    /// The thread alone gets nowhere.
    fn cannot_go_on(&mut self, thread: Thread) -> Stop {
        let number = self.number(thread);
        self.why = format!("thread {number} cannot go on alone: nothing goes on behind it");
        Stop::Hang(thread)
    }

    /// A thread that has not ended, if there is one.
    fn waiting(&self) -> Option<Thread> {
        self.threads().find(|t| !self.has_finished(*t))
    }

    /// One turn of one warp at most. `None`: nothing has happened that somebody waits for.
    pub fn advance(&mut self) -> Option<Stop> {
        if let Some(thread) = self.resume.alone.and_then(|number| self.find(number)) {
            let stop = self.advance_alone(thread)?;
            return Some(self.stopped(stop));
        }
        // Whoever is behind somebody goes first: then nobody can come between.
        let goes = |a: &&Ahead| {
            let Thread { warp, lane } = a.thread;
            let active = self.machine.warp(warp).active() >> lane & 1 != 0;
            active && self.machine.is_runnable(warp)
        };
        let behind = self.ahead.iter().find(goes).map(|a| a.thread.warp);
        let Some(warp) = behind.or_else(|| self.machine.due(&mut self.turns)) else {
            let outcome = self.machine.idle(|_: &Record| ());
            self.after = None;
            return outcome.and_then(|outcome| self.outcome(outcome));
        };
        if let Some(thread) = self.next_to_tell(warp) {
            self.told[warp] |= 1 << thread.lane;
            return Some(self.stopped(Stop::Break(thread)));
        }
        if let Some(hit) = self.access_to_tell(warp) {
            self.told_access[warp] |= 1 << hit.thread.lane;
            return Some(self.stopped(Stop::Watch(hit)));
        }
        let stop = self.take_turn(warp)?;
        Some(self.stopped(stop))
    }

    /// DEBUG-020: the lowest thread of the warp that has not been told of the breakpoint at which it stands.
    fn next_to_tell(&self, warp: usize) -> Option<Thread> {
        let control = self.machine.warp(warp);
        if !self.has_breakpoint(control.pc() * 4) || control.forced_yield_due() {
            return None;
        }
        let left = control.active() & !self.told[warp] & !self.lanes_ahead(warp);
        (left != 0).then(|| Thread {
            warp,
            lane: left.trailing_zeros() as usize,
        })
    }

    fn lanes_ahead(&self, warp: usize) -> u64 {
        let ahead = self.ahead.iter().filter(|a| a.thread.warp == warp);
        ahead.fold(0, |mask, a| mask | 1 << a.thread.lane)
    }

    /// DEBUG-022: the same for an access that is watched. Before it, as GDB wants it on RISC-V.
    fn access_to_tell(&self, warp: usize) -> Option<Hit> {
        if self.watches.is_empty() || self.machine.warp(warp).forced_yield_due() {
            return None;
        }
        let told = self.told_access[warp] | self.lanes_ahead(warp);
        let mut hits = watch::hits(&self.machine, warp, &self.watches).into_iter();
        hits.find(|hit| told >> hit.thread.lane & 1 == 0)
    }

    fn take_turn(&mut self, warp: usize) -> Option<Stop> {
        let stepped = self.resume.step.and_then(|number| self.find(number));
        let before = stepped.map(|t| progress(&self.machine, t));
        let stood = stepped.map(|t| self.pc(t));
        let told = self.told_progress(warp);
        let (result, outcome) =
            self.machine
                .turn(&mut self.turns, warp, self.watchdog, |_: &Record| ());
        self.after = None;
        // Who has not executed the instruction has been told of it: a barrier that is tried again, a jump of some threads.
        for (thread, before) in told {
            if progress(&self.machine, thread) != before {
                self.told[warp] &= !(1 << thread.lane);
                self.told_access[warp] &= !(1 << thread.lane);
            }
        }
        let known = result.err().filter(|fault| self.knows(fault));
        self.catch_up();
        if let Err(fault) = result {
            self.faulted = true;
            let thread = Thread {
                warp,
                lane: fault.lane as usize,
            };
            return known.is_none().then_some(Stop::Fault(thread, fault.cause));
        }
        if let Some(outcome) = outcome {
            return self.outcome_of(outcome);
        }
        let thread = stepped?;
        if Some(progress(&self.machine, thread)) == before {
            return None;
        }
        self.ended_at = stood.map(|pc| (self.number(thread), pc));
        let inside =
            |range: &Range<u32>| !self.has_finished(thread) && range.contains(&self.pc(thread));
        match self.resume.range.as_ref().is_some_and(inside) {
            true => None,
            false => Some(Stop::Step(thread)),
        }
    }

    /// The threads of a warp that have been told of where they stand, and how far they are.
    fn told_progress(&self, warp: usize) -> Vec<(Thread, (bool, u64))> {
        let told = self.told[warp] | self.told_access[warp];
        let lanes = (0..64).filter(|lane| told >> lane & 1 != 0);
        let of = |lane| Thread { warp, lane };
        let of = |lane| (of(lane), progress(&self.machine, of(lane)));
        lanes.map(of).collect()
    }

    /// The debugger has been told when the thread was ahead.
    fn knows(&self, fault: &Fault) -> bool {
        let lane = |a: &&Ahead| (a.thread.warp, a.thread.lane) == (fault.warp, fault.lane as usize);
        self.ahead.iter().find(lane).is_some_and(|a| a.faulted)
    }

    fn outcome(&mut self, outcome: Outcome) -> Option<Stop> {
        let stop = self.outcome_of(outcome)?;
        Some(self.stopped(stop))
    }

    fn outcome_of(&mut self, outcome: Outcome) -> Option<Stop> {
        match outcome {
            Outcome::Done | Outcome::Faulted(_) => self.next_part(),
            Outcome::Hung(stuck) => {
                self.why = format!("nothing goes on:\n{}", Stuck::lines(&stuck).join("\n"));
                let first = stuck.first().map(|s| Thread {
                    warp: s.warp,
                    lane: s.lane as usize,
                });
                let thread = first.or_else(|| self.waiting());
                Some(Stop::Hang(thread.unwrap_or(Thread { warp: 0, lane: 0 })))
            }
            Outcome::Livelock(spinning) => {
                let lines: Vec<String> = spinning.iter().map(ToString::to_string).collect();
                let most = self.watchdog.map_or(0, |w| w.instructions);
                self.why = format!(
                    "a livelock is suspected: memory has not changed for {most} warp instructions (--watchdog)\n{}",
                    lines.join("\n")
                );
                // The watchdog waits as long again.
                self.turns = Turns::new(&self.machine);
                Some(Stop::Spins(self.next_thread()))
            }
            Outcome::OutOfInstructions | Outcome::Interrupted => None,
        }
    }

    /// The machine has come to its end.
    fn next_part(&mut self) -> Option<Stop> {
        self.ahead.clear();
        if self.part + 1 >= self.work.parts() {
            self.ended = true;
            return Some(Stop::Exit(u8::from(self.faulted)));
        }
        self.part += 1;
        let memory = std::mem::replace(self.machine.memory_mut(), Memory::new(0));
        let next = self.work.machine(self.part, Some(memory));
        self.machine = next.expect("the first part has been one of this size");
        self.turns = Turns::new(&self.machine);
        self.told = vec![0; self.config().warps];
        self.told_access = self.told.clone();
        self.shown = None;
        self.begins();
        None
    }

    /// Keeps in words what it means.
    fn stopped(&mut self, stop: Stop) -> Stop {
        let (thread, what) = match &stop {
            Stop::Step(t) => (*t, "has been stepped".to_string()),
            Stop::Break(t) => (*t, "is at a breakpoint".into()),
            Stop::Watch(hit) => {
                let at = hit.watch.range.start;
                (
                    hit.thread,
                    format!("is about to access what is watched at {at:#x}"),
                )
            }
            Stop::Fault(t, cause) => (*t, format!("has faulted: {cause}; its warp has stopped")),
            Stop::Interrupt(t) => (*t, "would go on next".into()),
            Stop::Hang(t) | Stop::Spins(t) => {
                self.shown = Some(self.number(*t));
                let why = self.why.clone();
                (self.say)(&why);
                return stop;
            }
            Stop::Exit(code) => {
                self.why = format!("every thread has ended, exit code {code}");
                return stop;
            }
        };
        let number = self.number(thread);
        self.shown = Some(number);
        let Thread { warp, lane } = thread;
        self.why = format!("thread {number} (warp {warp}, lane {lane}) {what}");
        if let Stop::Fault(..) = stop {
            let line = format!("{} at {:#x}", self.why, self.pc(thread));
            (self.say)(&line);
        }
        stop
    }
}

/// What changes when a thread executes an instruction: what it has completed, and whether it has ended.
fn progress(machine: &Machine, thread: Thread) -> (bool, u64) {
    let ended = machine.warp(thread.warp).ended() >> thread.lane & 1 != 0;
    (ended, machine.thread(thread.warp, thread.lane).instret)
}
