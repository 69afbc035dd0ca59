//! What stands in for the SMs: it keeps what it is told, and ends CTAs when their threads are done.

use super::device::{Fault, Shape, SmIn, SmOut};

/// Words that a CTA comes with (docs/spec/tasks.md, *Port of an SM*).
pub const WORDS: usize = 26;

/// What threads do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// So many entries are added to the queue of this descriptor, if there is room.
    Put(u32, u32),
    /// Launches a descriptor through the spawn ring (TASK-071).
    Spawn(u32),
    /// Takes a ticket and never uses it.
    Lose,
    Write(u32, u32),
    /// Adds to a word, in one step.
    Add(u32, u32),
}

/// What the threads of a CTA do: acts at cycles behind its start, then its end.
#[derive(Clone, Debug, Default)]
pub struct Life {
    pub cycles: u64,
    pub acts: Vec<(u64, Act)>,
    /// A thread faults at the end.
    pub fault: Option<Fault>,
}

impl Life {
    /// Cycles of a life that has no end of its own.
    pub const ENDLESS: u64 = u64::MAX / 2;
}

/// A CTA on an SM.
#[derive(Clone, Debug)]
pub struct Cta {
    pub place: u64,
    pub words: [u32; WORDS],
    /// `None`: the step that says so is not over yet.
    pub life: Option<Life>,
    pub since: u64,
    /// A ticket that was taken, what is to be written, and when the thread began to wait.
    pub ticket: Option<(u32, u32, u64)>,
    pub fault_told: bool,
    /// At the port.
    pub ending: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Sm {
    words: [Option<u32>; WORDS],
    pub ctas: Vec<Cta>,
    /// At its ports.
    end: Option<(u64, bool)>,
    fault: Option<Fault>,
    /// Place of the CTA whose end was taken last, and whether it failed.
    pub ended: Option<(u64, bool)>,
}

impl Sm {
    /// What is at its ports in this cycle: an end and a fault hold until they are taken.
    pub fn inputs(&mut self, ready: bool) -> SmIn {
        if self.fault.is_none() {
            self.fault = self
                .ctas
                .iter()
                .find_map(|cta| match (&cta.life, cta.fault_told) {
                    (Some(life), false) if cta.ending => life.fault,
                    _ => None,
                });
        }
        if self.end.is_none() {
            let over = |cta: &&Cta| {
                let told = |life: &Life| life.fault.is_none() || cta.fault_told;
                cta.ending && cta.life.as_ref().is_some_and(told)
            };
            let end = self.ctas.iter().find(over);
            self.end = end.map(|cta| (cta.place, cta.fault_told));
        }
        SmIn {
            ready,
            end: self.end,
            fault: self.fault,
        }
    }

    /// # Errors
    /// What must not be.
    pub fn cycle(&mut self, i: &SmIn, o: &SmOut, cycle: u64, shape: &Shape) -> Result<(), String> {
        if let Some((index, word)) = o.word {
            // From the first one on, in ascending order, but 24 and 25 may come behind 11, too (TASK-101).
            // What was told for a CTA that has not come counts for nothing.
            if index == 0 {
                self.words = [None; WORDS];
            } else {
                let ahead = index == 24 && self.words[12].is_none();
                let before = if ahead { 11 } else { index - 1 };
                if self.words.get(before).is_none_or(Option::is_none) {
                    return Err(format!("word {index} without word {before}"));
                }
            }
            // What an SM keeps once for its task does not change while it has a CTA (TASK-056).
            let kept = !shape.mix && !(14..21).contains(&index);
            let running = self.ctas.first().filter(|_| kept);
            if running.is_some_and(|cta| cta.words.get(index) != Some(&word)) {
                return Err(format!("word {index} of another task than runs there"));
            }
            let at = self.words.get_mut(index).ok_or(format!("word {index}"))?;
            if at
                .replace(word)
                .is_some_and(|told| index < 24 || told != word)
            {
                return Err(format!("word {index} twice"));
            }
        }
        if o.kill {
            self.kill(cycle);
        }
        if let (Some(place), true) = (o.cta, i.ready) {
            let words = self
                .words
                .map(|word| word.ok_or("a CTA without all its words".to_string()));
            let mut told = [0; WORDS];
            for (told, word) in told.iter_mut().zip(words) {
                *told = word?;
            }
            self.words = [None; WORDS];
            self.ctas.push(Cta {
                place,
                words: told,
                life: None,
                since: cycle,
                ticket: None,
                fault_told: false,
                ending: false,
            });
            self.fits(shape)?;
        }
        if o.fault_taken {
            let fault = i.fault.ok_or("a fault is taken that is not there")?;
            let cta = self.ctas.iter_mut().find(|cta| cta.place == fault.place);
            cta.ok_or("a fault of nobody")?.fault_told = true;
            self.fault = None;
        }
        if o.end_taken {
            let (place, failed) = i.end.ok_or("an end is taken that is not there")?;
            self.ctas.retain(|cta| cta.place != place);
            self.ended = Some((place, failed));
            self.end = None;
        }
        Ok(())
    }

    /// TASK-133: one CTA after the other ends, behind a fault of its own.
    fn kill(&mut self, cycle: u64) {
        let runs = |cta: &&mut Cta| !cta.ending && cta.life.is_some();
        let Some(cta) = self.ctas.iter_mut().find(runs).filter(|_| cycle % 8 == 0) else {
            return;
        };
        cta.ending = true;
        cta.ticket = None;
        let fault = Fault {
            place: cta.place,
            ..Fault::default()
        };
        if let Some(life) = &mut cta.life {
            life.acts.clear();
            life.fault = Some(fault);
        }
    }

    /// Nothing is given away twice (TASK-055, TASK-056).
    fn fits(&self, shape: &Shape) -> Result<(), String> {
        let warps = |cta: &Cta| cta.words[12].div_ceil(shape.threads as u32);
        let taken: u32 = self.ctas.iter().map(warps).sum();
        if taken > shape.warps as u32 {
            return Err(format!("{taken} warps on an SM"));
        }
        let granule = 1024 * shape.scratchpad / 32;
        let range = |cta: &Cta| {
            let bytes = cta.words[9].div_ceil(granule) * granule;
            cta.words[20]..cta.words[20] + bytes
        };
        let (new, others) = self.ctas.split_last().expect("one has come");
        for other in others {
            let (a, b) = (range(new), range(other));
            if new.place == other.place || a.start.max(b.start) < a.end.min(b.end) {
                return Err(format!("two CTAs in one place: {new:?}, {other:?}"));
            }
            if !shape.mix && (new.words[1], new.words[8]) != (other.words[1], other.words[8]) {
                return Err(format!("CTAs of two tasks: {new:?}, {other:?}"));
            }
        }
        if range(new).end > 1024 * shape.scratchpad {
            return Err(format!("beyond the scratchpad: {new:?}"));
        }
        Ok(())
    }
}
