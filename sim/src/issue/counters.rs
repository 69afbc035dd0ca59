//! Why cycles pass, SCHED-040 to SCHED-042.

use std::collections::VecDeque;

/// Index of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Reason {
    Issue = 0,
    Unit = 1,
    Hazard = 2,
    Fetch = 3,
    Control = 4,
    #[default]
    Idle = 5,
    /// Of a warp only.
    Ready = 7,
}

/// Index of the cycles with two instructions among the reasons of the whole scheduler.
const TWO: usize = 6;
/// Index of the issued instructions among the counters of a warp.
const ISSUED: usize = 8;

/// What is counted in a cycle.
pub struct Cycle {
    /// SCHED-040
    pub reason: Reason,
    /// SCHED-041, of warp [`Counters::watched`].
    pub watched: Reason,
    /// The warp that issues, and how many instructions.
    pub issued: Option<(usize, u32)>,
}

#[derive(Clone, Debug)]
struct Values {
    warps: Vec<[u32; ISSUED + 1]>,
    whole: [u32; 8],
}

impl Values {
    /// `None`: there is no such counter.
    fn get(&self, select: u32) -> Option<u32> {
        let (warp, index) = (select as usize >> 4, select as usize & 15);
        match index {
            0..=ISSUED => Some(self.warps[warp][index]),
            // SCHED-042: reason 7 of the whole scheduler is not defined, nor is any other index.
            9 if warp % 8 <= TWO => Some(self.whole[warp % 8]),
            10 if 4 + warp % 4 <= TWO => Some(self.whole[4 + warp % 4]),
            _ => None,
        }
    }
}

/// A selected counter on its way to `counter_value`.
#[derive(Clone, Copy, Debug)]
struct Reading {
    select: u32,
    /// Without what happens later than 4 cycles before the select.
    least: u32,
}

#[derive(Clone, Debug)]
pub struct Counters {
    values: Values,
    /// Cycles in which all are still being set to 0.
    clearing: usize,
    /// k of SCHED-041
    number: u64,
    /// The values 3, 2 and 1 cycles ago; `None` while they were being cleared.
    before: VecDeque<Option<Values>>,
    /// Of 3, 2 and 1 cycles ago; `None` when the value is not defined.
    readings: VecDeque<Option<Reading>>,
}

impl Counters {
    pub fn new(warps: usize) -> Counters {
        Counters {
            values: Values {
                warps: vec![[0; ISSUED + 1]; warps],
                whole: [0; 8],
            },
            clearing: 16 * warps,
            number: 0,
            before: VecDeque::from(vec![None; 3]),
            readings: VecDeque::from(vec![None; 3]),
        }
    }

    /// The exact value of the state of this cycle; 0 where there is no counter.
    pub fn value(&self, select: u32) -> u32 {
        self.values.get(select).unwrap_or(0)
    }

    /// The warp that SCHED-041 looks at in this cycle.
    pub fn watched(&self) -> usize {
        (self.number % self.values.warps.len() as u64) as usize
    }

    pub fn counted(&self, hold: bool) -> bool {
        self.clearing == 0 && !hold
    }

    /// `counter_value` in this cycle: the smallest that is allowed, and how much more it may be.
    pub fn port(&self) -> Option<(u32, u32)> {
        let reading = self.readings[0]?;
        let most = self.value(reading.select);
        Some((reading.least, most.wrapping_sub(reading.least)))
    }

    pub fn step(&mut self, clear: bool, hold: bool, select: u32, cycle: &Cycle) {
        if clear {
            *self = Counters::new(self.values.warps.len());
            return;
        }
        let least = self.before[0].as_ref().and_then(|v| v.get(select));
        self.readings.pop_front();
        self.readings
            .push_back(least.map(|least| Reading { select, least }));
        self.before.pop_front();
        self.before
            .push_back((self.clearing == 0).then(|| self.values.clone()));
        if self.counted(hold) {
            self.count(cycle);
        }
        self.clearing = self.clearing.saturating_sub(1);
    }

    fn count(&mut self, cycle: &Cycle) {
        let watched = self.watched();
        let add = |counter: &mut u32, amount: u32| *counter = counter.wrapping_add(amount);
        add(&mut self.values.whole[cycle.reason as usize], 1);
        add(&mut self.values.warps[watched][cycle.watched as usize], 1);
        if let Some((warp, amount)) = cycle.issued {
            add(&mut self.values.warps[warp][ISSUED], amount);
            if amount == 2 {
                add(&mut self.values.whole[TWO], 1);
            }
        }
        self.number += 1;
    }
}
