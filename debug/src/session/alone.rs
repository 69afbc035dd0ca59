//! A thread that goes on while all others stand (DEBUG-021): it does so in a copy of the machine, where its warp takes
//! it along, and is shown from there. When the others may go on, its warp goes first until they have met.

use super::{progress, Session, Stop};
use crate::thread::Thread;
use crate::watch::{self, Hit};
use std::collections::VecDeque;
use std::rc::Rc;
use weft_sim::{FaultCause, Machine, Record, Standing, Turns};

/// Most turns after which a thread that is ahead has to be where it was, when something has been written.
const MOST_AGAIN: u32 = 1_000_000;

/// What somebody has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Number and value; x0 stays 0.
    Register(u8, u32),
    Memory(u32, Vec<u8>),
}

impl Write {
    /// # Errors
    /// Memory that is not mapped.
    pub fn apply(&self, machine: &mut Machine, thread: Thread) -> Result<(), FaultCause> {
        let Thread { warp, lane } = thread;
        match self {
            Write::Register(register, value) => {
                machine.thread_mut(warp, lane).set(*register, *value);
                Ok(())
            }
            Write::Memory(address, bytes) => machine.write_bytes(warp, lane, *address, bytes),
        }
    }
}

/// A thread that has been stepped alone.
#[derive(Clone, Debug)]
pub struct Ahead {
    pub thread: Thread,
    /// Where it is; of all others it is what would be if nobody else did anything.
    pub machine: Rc<Machine>,
    turns: Turns,
    /// What has been written there, and behind how many of its instructions.
    writes: VecDeque<(u64, Write)>,
    /// It has faulted there, and that has been told.
    pub faulted: bool,
    /// So has the watched access that it is about to make.
    told_access: bool,
}

impl Ahead {
    fn new(thread: Thread, machine: Rc<Machine>) -> Ahead {
        Ahead {
            thread,
            turns: Turns::new(&machine),
            machine,
            writes: VecDeque::new(),
            faulted: false,
            told_access: false,
        }
    }

    /// # Errors
    /// Memory that is not mapped.
    pub fn write(&mut self, write: Write) -> Result<(), FaultCause> {
        write.apply(Rc::make_mut(&mut self.machine), self.thread)?;
        let (_, done) = progress(&self.machine, self.thread);
        self.writes.push_back((done, write));
        Ok(())
    }

    /// What was written when the thread had completed no more than this.
    fn due_write(&mut self, done: u64) -> Option<Write> {
        let due = self.writes.front().is_some_and(|(at, _)| *at <= done);
        due.then(|| self.writes.pop_front())?
            .map(|(_, write)| write)
    }

    /// One turn for the thread's warp, if it runs, else for whoever is next. False: nothing goes on.
    fn turn(&mut self) -> bool {
        let warp = self.thread.warp;
        let machine = Rc::make_mut(&mut self.machine);
        let active = machine.warp(warp).active() >> self.thread.lane & 1 != 0;
        let due = match machine.is_runnable(warp) && active {
            true => Some(warp),
            false => machine.due(&mut self.turns),
        };
        let end = match due {
            Some(warp) => {
                let (result, outcome) = machine.turn(&mut self.turns, warp, None, |_: &Record| ());
                if let Err(fault) = result {
                    let own = (fault.warp, fault.lane as usize);
                    self.faulted = own == (self.thread.warp, self.thread.lane);
                }
                outcome
            }
            None => machine.idle(|_: &Record| ()),
        };
        end.is_none()
    }
}

/// Where a thread is shown that has ended alone: at its last instruction GDB would step it over the same breakpoint again,
/// for ever.
fn behind(stood: u32, ended: bool) -> u32 {
    stood + if ended { 4 } else { 0 }
}

impl Session {
    /// A turn for a thread that goes on alone.
    pub(super) fn advance_alone(&mut self, thread: Thread) -> Option<Stop> {
        let Thread { warp, lane } = thread;
        let stepping = self.resume.step.is_some();
        let at = match self.ahead.iter().position(|a| a.thread == thread) {
            Some(at) => at,
            None => {
                if self.machine.standing_of(warp, lane) == Standing::Ended {
                    return Some(Stop::Step(thread));
                }
                self.told[warp] |= 1 << lane;
                if self.told_access[warp] >> lane & 1 == 0 {
                    if let Some(hit) = self.access(&self.machine, thread) {
                        self.told_access[warp] |= 1 << lane;
                        return Some(Stop::Watch(hit));
                    }
                }
                if let Some(step) = stepping.then(|| self.one_step(thread)).flatten() {
                    return Some(step);
                }
                let mut ahead = Ahead::new(thread, Rc::new(self.machine.clone()));
                ahead.told_access = true;
                self.ahead.push(ahead);
                self.ahead.len() - 1
            }
        };
        if !std::mem::replace(&mut self.ahead[at].told_access, true) {
            if let Some(hit) = self.access(&self.ahead[at].machine, thread) {
                return Some(Stop::Watch(hit));
            }
        }
        let stood = self.pc(thread);
        let mut ahead = self.ahead.swap_remove(at);
        let before = progress(&ahead.machine, thread);
        let goes_on = ahead.turn();
        let after = progress(&ahead.machine, thread);
        let (ended, stands) = (after.0, ahead.machine.standing_of(warp, lane));
        let faulted = ahead.faulted;
        let cause = ahead.machine.faults().last().map(|fault| fault.cause);
        let stopped = !ahead.machine.faults().is_empty()
            && !ahead.machine.is_runnable(warp)
            && matches!(stands, Standing::Active { .. });
        self.ahead.push(ahead);
        let moved = after != before;
        if let (true, Some(ahead)) = (moved, self.ahead.last_mut()) {
            ahead.told_access = false;
            self.ended_at = Some((self.number(thread), behind(stood, ended)));
        }
        if let (true, Some(cause)) = (faulted, cause) {
            return Some(Stop::Fault(thread, cause));
        }
        // Somebody else's fault has stopped the warp: that is told when the others go on.
        if stopped && !moved {
            return Some(Stop::Step(thread));
        }
        if moved && (stepping || ended) {
            let pc = self.pc(thread);
            let inside = !ended && self.resume.range.as_ref().is_some_and(|r| r.contains(&pc));
            return (!inside).then_some(Stop::Step(thread));
        }
        if moved && self.has_breakpoint(self.pc(thread)) {
            return Some(Stop::Break(thread));
        }
        (!goes_on).then(|| self.cannot_go_on(thread))
    }

    /// The access to something watched that a thread is about to make.
    fn access(&self, machine: &Machine, thread: Thread) -> Option<Hit> {
        let hits = watch::hits(machine, thread.warp, &self.watches);
        hits.into_iter().find(|hit| hit.thread == thread)
    }

    /// One step from where the machine stands: its copy serves all threads of the warp.
    /// `None`: it takes more than a step of its warp.
    fn one_step(&mut self, thread: Thread) -> Option<Stop> {
        let warp = thread.warp;
        let active = self.machine.warp(warp).active() >> thread.lane & 1 != 0;
        if !active || !self.machine.is_runnable(warp) || self.resume.range.is_some() {
            return None;
        }
        if self.after.as_ref().is_none_or(|(of, _)| *of != warp) {
            let mut ahead = Ahead::new(thread, Rc::new(self.machine.clone()));
            if !ahead.turn() || ahead.faulted {
                return None;
            }
            self.after = Some((warp, ahead.machine));
        }
        let after = self.after.as_ref().map(|(_, machine)| Rc::clone(machine))?;
        let (ended, done) = progress(&after, thread);
        if (ended, done) == progress(&self.machine, thread) {
            return None;
        }
        self.ended_at = Some((self.number(thread), behind(self.pc(thread), ended)));
        self.ahead.push(Ahead::new(thread, after));
        Some(Stop::Step(thread))
    }

    /// The machine has gone on: whom it has met is no longer ahead.
    pub(super) fn catch_up(&mut self) {
        let mut ahead = std::mem::take(&mut self.ahead);
        ahead.retain_mut(|a| {
            let there = progress(&a.machine, a.thread);
            let here = progress(&self.machine, a.thread);
            while let Some(write) = a.due_write(here.1) {
                // It was mapped when it was written, and still is.
                let _ = write.apply(&mut self.machine, a.thread);
            }
            let stopped = !self.machine.is_runnable(a.thread.warp) && a.faulted;
            !(here.0 || stopped || (!there.0 && here.1 >= there.1 && !a.faulted))
        });
        self.ahead = ahead;
    }

    /// Somebody has written where the machine stands: who is ahead comes from there again.
    pub(super) fn follow_again(&mut self) {
        for ahead in &mut self.ahead {
            let (ended, aim) = progress(&ahead.machine, ahead.thread);
            let mut again = Ahead::new(ahead.thread, Rc::new(self.machine.clone()));
            again.writes = ahead.writes.clone();
            for _ in 0..MOST_AGAIN {
                let now = progress(&again.machine, ahead.thread);
                while let Some(write) = again.due_write(now.1) {
                    let _ = write.apply(Rc::make_mut(&mut again.machine), ahead.thread);
                }
                if now.0 || (now.1 >= aim && !ended) || !again.turn() {
                    break;
                }
            }
            ahead.machine = again.machine;
        }
    }
}
