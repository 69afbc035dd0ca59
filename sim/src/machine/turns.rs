//! Turns: which warp goes next when nobody else says so, when nothing goes on any more, and [`Machine::run`], which is
//! made of them. A debugger takes the same turns, one at a time.

use super::{Limits, Machine, Outcome, Served, Spinning, Watchdog};
use crate::fault::Fault;
use crate::record::Record;
use crate::Event;

/// Whose turn it is, and what the turns so far have come to. It belongs to one machine.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// The first warp that has not had its turn in this round.
    next: usize,
    /// Somebody has had a turn in this round.
    ran: bool,
    rounds: u32,
    /// Warp instructions.
    executed: u64,
    progress: (u64, u64),
    progress_at: u64,
}

impl Turns {
    /// Of a machine as it stands.
    pub fn new(machine: &Machine) -> Turns {
        Turns {
            progress: machine.progress(),
            ..Turns::default()
        }
    }

    /// Whole rounds so far; it wraps.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }
}

impl Machine {
    /// Runs the warps in turn, each for one operation, until all are done, or have faulted, or a limit is reached.
    /// Calls `observer` for everything that retires.
    pub fn run(&mut self, limits: &Limits, mut observer: impl FnMut(&Record)) -> Outcome {
        let mut turns = Turns::new(self);
        loop {
            let rounds = turns.rounds;
            let due = self.due(&mut turns);
            if rounds != turns.rounds
                && turns.rounds % 1024 == 0
                && limits.interrupted.is_some_and(|asked| asked())
            {
                return Outcome::Interrupted;
            }
            let outcome = match due {
                Some(_)
                    if limits
                        .instructions
                        .is_some_and(|most| turns.executed >= most) =>
                {
                    return Outcome::OutOfInstructions;
                }
                Some(warp) => {
                    self.turn(&mut turns, warp, limits.watchdog, &mut observer)
                        .1
                }
                None => self.idle(&mut observer),
            };
            if let Some(outcome) = outcome {
                return outcome;
            }
        }
    }

    /// The warp whose turn it is, which is [runnable](Machine::is_runnable): each has one in a round. `None`: no warp
    /// can go; [`Machine::idle`] says what becomes of that.
    #[inline]
    pub fn due(&self, turns: &mut Turns) -> Option<usize> {
        loop {
            while turns.next < self.slots.len() {
                if self.is_runnable(turns.next) {
                    return Some(turns.next);
                }
                turns.next += 1;
            }
            turns.next = 0;
            turns.rounds = turns.rounds.wrapping_add(1);
            if !std::mem::take(&mut turns.ran) {
                return None;
            }
        }
    }

    /// One turn of a runnable warp: an operation, or a forced yield if that is due, and all that the barrier unit does
    /// because of it. With the outcome, if the machine hangs, or spins for as long as the watchdog allows.
    /// Whoever gives a turn to a warp that is not [due](Machine::due) changes no one else's place in the round.
    ///
    /// # Panics
    /// As [`Machine::step`].
    #[inline]
    pub fn turn(
        &mut self,
        turns: &mut Turns,
        warp: usize,
        watchdog: Option<Watchdog>,
        mut observer: impl FnMut(&Record),
    ) -> (Result<Record, Fault>, Option<Outcome>) {
        turns.ran = true;
        if turns.next == warp {
            turns.next += 1;
        }
        let stepped = self.step(warp);
        if let Ok(record) = &stepped {
            turns.executed += u64::from(record.event != Event::ForcedYield);
            observer(record);
        }
        self.serve_all(&mut observer);
        if stepped.is_err() {
            return (stepped, None);
        }
        if self.gets_nowhere() && !self.skip_to_timeout() {
            return (stepped, Some(Outcome::Hung(self.stuck())));
        }
        let now = self.progress();
        if now != turns.progress {
            turns.progress = now;
            turns.progress_at = turns.executed;
        }
        let barks = |most: u64| turns.executed - turns.progress_at >= most && !self.is_finished();
        let outcome = watchdog
            .filter(|watchdog| barks(watchdog.instructions))
            .map(|watchdog| Outcome::Livelock(self.spinning(watchdog.instructions)));
        (stepped, outcome)
    }

    /// No warp is due: the first timer runs out at once, if one runs. With the outcome, if none does.
    pub fn idle(&mut self, mut observer: impl FnMut(&Record)) -> Option<Outcome> {
        if self.skip_to_timeout() {
            self.serve_all(&mut observer);
            return None;
        }
        if !self.is_finished() {
            return Some(Outcome::Hung(self.stuck()));
        }
        Some(match self.faults.is_empty() {
            true => Outcome::Done,
            false => Outcome::Faulted(self.faults.clone()),
        })
    }

    #[inline]
    fn serve_all(&mut self, observer: &mut impl FnMut(&Record)) {
        while let Some(served) = self.serve() {
            if let Served::Woken(record) = served {
                observer(&record);
            }
        }
    }

    /// Nothing but barrier instructions that have to be executed again has run for a while: every thread has tried.
    fn gets_nowhere(&self) -> bool {
        let threads = (self.slots.len() * self.config.threads) as u64;
        self.retried > 4 * threads + 16
    }

    /// Nothing can run: the first timer runs out at once. False when none runs.
    fn skip_to_timeout(&mut self) -> bool {
        let Some(expiry) = self.barriers.next_expiry(self.clock + 1) else {
            return false;
        };
        // Visits in between count for longer timers.
        while self.clock < expiry {
            self.clock += 1;
            self.barriers.visit(self.clock);
        }
        self.time_out();
        true
    }

    /// What changes when something useful has happened.
    fn progress(&self) -> (u64, u64) {
        let windows = match &self.behind {
            super::Behind::Windows(windows) => windows.changes(),
            _ => 0,
        };
        let changes = self.memory.changes() + windows;
        (changes + self.barrier_changes, self.ended)
    }

    /// What the running warps did in the last `instructions` warp instructions of the machine.
    fn spinning(&self, instructions: u64) -> Vec<Spinning> {
        let most = super::Recent::LENGTH as u64;
        let each = (instructions / self.slots.len() as u64).min(most) as usize;
        let runnable = (0..self.slots.len()).filter(|&warp| self.is_runnable(warp));
        runnable
            .map(|warp| {
                let slot = &self.slots[warp];
                let reason = |lane| slot.control.reason(lane).map(|reason| (lane, reason));
                Spinning {
                    warp,
                    pcs: slot.recent.addresses(each),
                    active: slot.control.active(),
                    waiting: (0..self.config.threads)
                        .filter_map(reason)
                        .filter(|(_, reason)| *reason != crate::EXIT)
                        .collect(),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn machine(text: &str, warps: usize) -> Machine {
        let program = weft_isa::assemble(text, "p.s").unwrap();
        let config = Config {
            warps,
            threads: 4,
            ..Config::default()
        };
        Machine::new(&program, &config).unwrap()
    }

    /// Turns taken from outside are those of a run, one by one, with the same end.
    #[test]
    fn a_run_is_its_turns() {
        let texts = [
            "_start: andi t0, a0, 1\n bnez t0, 1f\n addi t1, t1, 1\n1: addi t1, t1, 2\n exit\n",
            "_start: ebreak\n exit\n",
            "_start: j _start\n",
        ];
        for text in texts {
            let mut whole = machine(text, 3);
            let mut alone = whole.clone();
            let watchdog = Some(Watchdog { instructions: 50 });
            let limits = Limits {
                watchdog,
                ..Limits::default()
            };
            let (mut first, mut second) = (Vec::new(), Vec::new());
            let outcome = whole.run(&limits, |record| first.push(*record));
            let mut turns = Turns::new(&alone);
            let end = loop {
                let end = match alone.due(&mut turns) {
                    Some(warp) => {
                        let observe = |record: &Record| second.push(*record);
                        alone.turn(&mut turns, warp, watchdog, observe).1
                    }
                    None => alone.idle(|record: &Record| second.push(*record)),
                };
                if let Some(end) = end {
                    break end;
                }
            };
            assert_eq!((outcome, first), (end, second), "{text}");
        }
    }

    /// A turn out of order is one turn more, and nobody else loses his.
    #[test]
    fn a_turn_out_of_order_takes_nobody_elses() {
        let mut machine = machine("_start: nop\n nop\n nop\n exit\n", 3);
        let mut turns = Turns::new(&machine);
        machine
            .turn(&mut turns, 2, None, |_: &Record| ())
            .0
            .unwrap();
        let mut order = Vec::new();
        for _ in 0..3 {
            let warp = machine.due(&mut turns).unwrap();
            machine
                .turn(&mut turns, warp, None, |_: &Record| ())
                .0
                .unwrap();
            order.push(warp);
        }
        assert_eq!(order, [0, 1, 2]);
        assert_eq!(
            [0, 1, 2].map(|warp| machine.warp(warp).pc()),
            [1025, 1025, 1026]
        );
    }
}
