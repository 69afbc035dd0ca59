//! Counts by the ports what the counters of the scheduler must say (SCHED-040 to SCHED-042), and reads all of them at
//! the end.

use super::device::Size;
use super::rules::{Rules, Violation};
use std::collections::VecDeque;
use weft_sim::issue::{Inputs, Outputs};

/// Indices of the counters.
const ISSUE: usize = 0;
const CONTROL: usize = 4;
const IDLE: usize = 5;
const TWO: usize = 6;
const ISSUED: usize = 8;
const WHOLE: usize = 9;
const HIGH: usize = 10;

/// Cycles from a select to its value.
const READ: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
struct Warp {
    /// Counted cycles in which it was looked at, and in which of them it issued, waited, did not run.
    looked: u32,
    issuing: u32,
    waiting: u32,
    idle: u32,
    instructions: u32,
}

/// The state of the cycle before, whose issue shows now.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// Counted, as cycle number k.
    number: Option<u64>,
    runs: bool,
    waits: bool,
}

pub struct Tally {
    size: Size,
    /// Cycles in which the counters are still cleared.
    pub clearing: usize,
    /// Of the next counted cycle.
    number: u64,
    before: Before,
    counted: u32,
    issuing: u32,
    two: u32,
    warps: Vec<Warp>,
    /// Selects whose values are still to come.
    selects: VecDeque<u32>,
    /// What was read, by select.
    read: Vec<Option<u32>>,
}

impl Tally {
    pub fn new(size: Size) -> Tally {
        Tally {
            size,
            clearing: 0,
            number: 0,
            before: Before::default(),
            counted: 0,
            issuing: 0,
            two: 0,
            warps: vec![Warp::default(); size.warps],
            selects: VecDeque::new(),
            read: vec![None; size.warps * 16],
        }
    }

    /// One cycle; `rules` have not seen it yet.
    pub fn cycle(&mut self, i: &Inputs, o: &Outputs, rules: &Rules) {
        // What was issued in the cycle before shows in this one.
        if let Some(number) = self.before.number {
            let watched = (number % self.size.warps as u64) as usize;
            let issuing = o.issue_valid.then_some(usize::from(o.issue_warp));
            self.counted += 1;
            let warp = &mut self.warps[watched];
            warp.looked += 1;
            if issuing == Some(watched) {
                warp.issuing += 1;
            } else if !self.before.runs {
                warp.idle += 1;
            } else if self.before.waits {
                warp.waiting += 1;
            }
            if let Some(issuing) = issuing {
                self.issuing += 1;
                self.two += u32::from(o.second_valid);
                self.warps[issuing].instructions += 1 + u32::from(o.second_valid);
            }
        }
        self.before = Before::default();
        if i.reset || i.counter_clear {
            *self = Tally {
                clearing: 16 * self.size.warps,
                ..Tally::new(self.size)
            };
        } else if self.clearing > 0 {
            self.clearing -= 1;
        } else if !i.counter_hold {
            let watched = (self.number % self.size.warps as u64) as usize;
            self.before = Before {
                number: Some(self.number),
                runs: o.status_running >> watched & 1 == 1,
                waits: rules.waits_now(watched, o) || i.hold >> watched & 1 == 1,
            };
            self.number += 1;
        }
        self.selects.push_back(i.counter_select);
        if self.selects.len() > READ {
            let select = self.selects.pop_front().expect("a select");
            self.read[select as usize] = Some(o.counter_value);
        }
    }

    /// To be called after all counters were selected, with nothing counted since some cycles before.
    pub fn check(&self) -> Result<(), Violation> {
        let read = |warp: usize, index: usize| {
            self.read[warp << 4 | index].expect("all counters were selected")
        };
        let expect = |what: String, right: u32, value: u32| match value == right {
            true => Ok(()),
            false => Err(Violation {
                rule: "SCHED-042",
                text: format!("{what}: {value}, counted at the ports {right}"),
            }),
        };
        // Reasons 4 and up have a second place.
        let whole = |reason: usize| match reason < 4 {
            true => read(reason, WHOLE),
            false => read(reason - 4, HIGH),
        };
        let reasons = (0..TWO).fold(0u32, |sum, reason| sum.wrapping_add(whole(reason)));
        expect("all reasons".into(), self.counted, reasons)?;
        expect("cycles with two".into(), self.two, whole(TWO))?;
        for reason in (0..=TWO).filter(|_| self.size.warps >= 8) {
            let what = format!("reason {reason} by its first index");
            expect(what, whole(reason), read(reason, WHOLE))?;
        }
        expect("cycles with an issue".into(), self.issuing, whole(ISSUE))?;
        for (number, warp) in self.warps.iter().enumerate() {
            let name = |what: &str| format!("warp {number}, {what}");
            let sum = (0..8)
                .filter(|&reason| reason != TWO)
                .fold(0u32, |sum, reason| sum.wrapping_add(read(number, reason)));
            expect(name("all reasons"), warp.looked, sum)?;
            expect(name("ISSUE"), warp.issuing, read(number, ISSUE))?;
            expect(name("CONTROL"), warp.waiting, read(number, CONTROL))?;
            expect(name("IDLE"), warp.idle, read(number, IDLE))?;
            expect(
                name("instructions"),
                warp.instructions,
                read(number, ISSUED),
            )?;
        }
        Ok(())
    }
}
