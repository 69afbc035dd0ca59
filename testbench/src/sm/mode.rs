//! Monitor of the mode selection (docs/spec/subvector.md, SUBV-010 to 013, *In `weft_sm`*): which reads count, what a
//! window decides, and what each `subv.auto` is, worked out from the trace alone.

use super::ports::Mode;
use weft_sim::Force;

/// Reads of a window, and the shortest and the longest hold.
const WINDOW: u32 = 256;
const SHORTEST: u32 = 64;
const LONGEST: u32 = 4096;

/// How often something happened: coverage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// `subv.auto` with a thread on, and those that were sub-vector mode.
    pub asked: u64,
    pub subvector: u64,
    /// Decisions for regular mode and for sub-vector mode.
    pub decided: [u64; 2],
    /// Reads that did not count.
    pub uncounted: u64,
}

/// A warp.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// It is in a loop that ends at this instruction.
    end: Option<u32>,
    /// What its `subv.auto` that has not retired is.
    answer: Option<bool>,
}

pub struct ModeRules {
    force: Force,
    /// In 1/256.
    threshold: u32,
    has_cache: bool,
    slots: Vec<Slot>,
    /// Reads and misses of the window.
    reads: u32,
    misses: u32,
    /// `subv.auto` that are still sub-vector mode, and how many the next decision for it makes so.
    left: u32,
    hold: u32,
    /// Of the cycle before: who has asked, and what must be said; what must be decided.
    asked: Option<(usize, bool)>,
    decides: Option<bool>,
    /// Reads that have taken effect, in sub-vector mode and in regular mode, and have not looked for their line.
    owed: [i64; 2],
    pub seen: Selected,
}

impl ModeRules {
    pub fn new(force: Force, threshold: u16, warps: usize, has_cache: bool) -> ModeRules {
        ModeRules {
            force,
            threshold: threshold.into(),
            has_cache,
            slots: vec![Slot::default(); warps],
            reads: 0,
            misses: 0,
            left: 0,
            hold: SHORTEST,
            asked: None,
            decides: None,
            owed: [0; 2],
            seen: Selected::default(),
        }
    }

    /// A warp starts.
    pub fn init(&mut self, warp: usize) {
        self.slots[warp] = Slot::default();
    }

    /// An instruction is issued. Gives whether it is in regular mode.
    pub fn issued(&mut self, warp: usize, pc: u32) -> bool {
        let slot = &mut self.slots[warp];
        if slot.end == Some(pc) {
            slot.end = None;
        }
        slot.end.is_none()
    }

    /// A `subv.start`, or with `auto` a `subv.auto`, with threads on has retired: as sub-vector mode?
    pub fn retired(
        &mut self,
        warp: usize,
        auto: bool,
        end: u32,
        subvector: bool,
    ) -> Result<(), String> {
        let slot = &mut self.slots[warp];
        if auto && slot.answer.take() != Some(subvector) {
            return Err(format!(
                "SUBV-011: `subv.auto` of warp {warp} retires as what the selector did not say"
            ));
        }
        if subvector && slot.end.is_none() {
            slot.end = Some(end);
        }
        Ok(())
    }

    /// A read of a load, in memory and not in the scratchpad, has taken effect.
    pub fn read(&mut self, regular: bool) {
        self.owed[usize::from(regular)] += i64::from(self.has_cache);
    }

    /// One cycle, after the effects that it shows.
    pub fn cycle(&mut self, mode: &Mode) -> Result<(), String> {
        if mode.decision != self.decides {
            let (seen, due) = (mode.decision, self.decides);
            return Err(format!("SUBV-011: decided {seen:?}, due is {due:?}"));
        }
        if let Some((warp, answer)) = self.asked.take() {
            if mode.subvector != answer {
                return Err(format!(
                    "SUBV-012: warp {warp} is told {}, due is {answer}; {} left",
                    mode.subvector, self.left
                ));
            }
            self.slots[warp].answer = Some(answer);
        }
        if let Some(warp) = mode.ask {
            let answer = match self.force {
                Force::Regular => false,
                Force::SubVector => true,
                Force::Measured => self.left > 0,
            };
            if self.force == Force::Measured && self.left > 0 {
                self.left -= 1;
            }
            self.asked = Some((warp, answer));
            self.seen.asked += 1;
            self.seen.subvector += u64::from(answer);
        }
        self.decides = None;
        if let Some((miss, regular)) = mode.access {
            self.counted(miss, regular)?;
        }
        Ok(())
    }

    fn counted(&mut self, miss: bool, regular: bool) -> Result<(), String> {
        let owed = &mut self.owed[usize::from(regular)];
        *owed -= 1;
        if *owed < 0 {
            return Err(format!(
                "SUBV-050: a read with regular = {regular} that has not taken effect"
            ));
        }
        if !regular {
            self.seen.uncounted += 1;
            return Ok(());
        }
        self.reads += 1;
        self.misses += u32::from(miss);
        if self.reads == WINDOW {
            let pays = self.misses * WINDOW >= self.threshold * self.reads;
            self.seen.decided[usize::from(pays)] += 1;
            self.decides = Some(pays);
            self.left = if pays { self.hold } else { 0 };
            self.hold = match pays {
                true => (2 * self.hold).min(LONGEST),
                false => SHORTEST,
            };
            (self.reads, self.misses) = (0, 0);
        }
        Ok(())
    }

    /// Nothing is on its way any more: each read has looked for its line once.
    pub fn finish(&self) -> Result<(), String> {
        match self.owed {
            [0, 0] => Ok(()),
            owed => Err(format!(
                "SUBV-050: reads that have not looked for their line: {owed:?}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> ModeRules {
        ModeRules::new(Force::Measured, 64, 1, true)
    }

    fn read(rules: &mut ModeRules, miss: bool, decision: Option<bool>) -> Result<(), String> {
        rules.read(true);
        rules.cycle(&Mode {
            access: Some((miss, true)),
            decision,
            ..Mode::default()
        })
    }

    /// A window with so many misses, then what is decided is shown.
    fn window(misses: usize, decision: bool) -> Result<ModeRules, String> {
        let mut rules = rules();
        for n in 0..256 {
            read(&mut rules, n < misses, None)?;
        }
        let mode = Mode {
            ask: Some(0),
            decision: Some(decision),
            ..Mode::default()
        };
        rules.cycle(&mode).map(|()| rules)
    }

    #[test]
    fn another_decision_or_answer_is_told() {
        assert!(window(63, false).is_ok());
        assert!(window(63, true).is_err());
        assert!(window(64, true).is_ok());
        assert!(window(64, false).is_err());
        let answer = |subvector| Mode {
            subvector,
            ..Mode::default()
        };
        assert!(window(64, true).unwrap().cycle(&answer(true)).is_ok());
        assert!(window(64, true).unwrap().cycle(&answer(false)).is_err());
        assert!(window(0, false).unwrap().cycle(&answer(true)).is_err());
    }

    #[test]
    fn a_read_that_nobody_made_or_that_is_missing_is_told() {
        let mut rules = rules();
        rules.read(true);
        assert!(rules.finish().is_err());
        let access = |regular| Mode {
            access: Some((false, regular)),
            ..Mode::default()
        };
        assert!(rules.cycle(&access(false)).is_err());
        assert!(rules.cycle(&access(true)).is_ok());
        assert!(rules.cycle(&access(true)).is_err());
    }

    #[test]
    fn a_loop_ends_at_its_label_and_a_subv_auto_is_what_was_answered() {
        let mut rules = rules();
        assert!(rules.retired(0, false, 9, true).is_ok());
        assert!(rules.retired(0, false, 7, true).is_ok());
        assert!(!rules.issued(0, 7));
        assert!(rules.issued(0, 9));
        assert!(rules.retired(0, true, 9, false).is_err());
    }
}
