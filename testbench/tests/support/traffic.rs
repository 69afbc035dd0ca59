//! The memory port of the scripted control plane: a token window that does one job at a time and keeps its warp
//! waiting.

use super::Breakage;
use std::collections::{HashMap, VecDeque};
use weft_generate::Config;
use weft_ports::control::{Inputs, Outputs};
use weft_sim::{Deque, Record, Warp};
use weft_testbench::lanes::Resolve;
use weft_testbench::reference::{yielded, Yielded};
use weft_testbench::window::Places;

/// Tokens of one warp.
#[derive(Clone, Debug, Default)]
pub struct Window {
    pub base: u32,
    pub size: u16,
    pub fore: usize,
    pub stored: usize,
    pub rear: usize,
    /// What memory must hold, by position.
    memory: HashMap<usize, u128>,
}

#[derive(Clone, Debug)]
pub struct Job {
    warp: usize,
    write: bool,
    address: u32,
    /// What is written, or must be read.
    tokens: Vec<u128>,
    places: Vec<u16>,
    sent: usize,
    answered: usize,
}

pub struct Traffic {
    config: Config,
    places: Places,
    windows: Vec<Window>,
}

impl Traffic {
    pub fn new(config: Config) -> Traffic {
        Traffic {
            config,
            places: Places::of(config),
            windows: vec![Window::default(); config.warps],
        }
    }

    pub fn window(&self, warp: usize) -> &Window {
        &self.windows[warp]
    }

    pub fn launched(&mut self, warp: usize, base: u32, size: u16) {
        self.windows[warp] = Window {
            base,
            size,
            ..Window::default()
        };
    }

    /// The driver has moved the tokens by this distance.
    pub fn moved(&mut self, warp: usize, by: isize) {
        let window = &mut self.windows[warp];
        window.memory = window
            .memory
            .drain()
            .map(|(position, token)| (position.wrapping_add_signed(by), token))
            .collect();
    }

    /// The jobs of an operation, which has moved all tokens by this distance;
    /// those in memory it has still to move (`copies`).
    pub fn plan(
        &mut self,
        record: &Record,
        before: &Warp,
        after: &Warp,
        by: isize,
        copies: bool,
        resolve: &Resolve,
    ) -> VecDeque<Job> {
        let n = record.warp;
        let mut jobs = VecDeque::new();
        if record.done {
            let Window { base, size, .. } = self.windows[n];
            self.launched(n, base, size);
            return jobs;
        }
        let head = before.deque().head().wrapping_add_signed(by);
        let mut low = head + 1 + self.windows[n].fore;
        if copies {
            self.copy(n, low.wrapping_add_signed(-by), by, &mut jobs);
        }
        self.write_back(n, low, after.deque(), &mut jobs);
        let (was, is) = (before.deque().depth(), after.deque().depth());
        let back = usize::from(yielded(record, resolve, before, after) == Some(Yielded::Pushed));
        let w = &mut self.windows[n];
        if back > 0 && was > 0 {
            let joins = w.stored + w.rear == 0 && w.fore < self.config.front;
            match joins {
                true => w.fore += 1,
                false => w.rear += 1,
            }
        }
        if is > was + back {
            // The first token ever is T0.
            w.fore += is - was - back - usize::from(was == 0);
        }
        for _ in is..was + back {
            if self.windows[n].fore == 0 && self.windows[n].stored > 0 {
                let count = self.windows[n].stored.min(self.config.front / 2);
                self.fill(n, low, count, &mut jobs);
                low += count;
            }
            let w = &mut self.windows[n];
            match (w.fore, w.rear) {
                (0, 0) => {}
                (0, _) => w.rear -= 1,
                _ => w.fore -= 1,
            }
        }
        self.settle(n, after.deque(), &mut jobs);
        let w = &self.windows[n];
        let total = w.fore + w.stored + w.rear;
        assert_eq!(total, is.saturating_sub(1), "{record:?} {w:?}");
        jobs
    }

    /// Tokens in memory that a search has changed: read and written.
    fn write_back(&mut self, n: usize, low: usize, after: &Deque, jobs: &mut VecDeque<Job>) {
        let width = self.config.threads;
        for position in low..low + self.windows[n].stored {
            let now = position
                .checked_sub(after.head())
                .and_then(|index| after.iter().nth(index))
                .map(|token| token.to_bits(width));
            let Some(now) = now.filter(|now| *now != self.windows[n].memory[&position]) else {
                continue;
            };
            jobs.push_back(self.job(n, false, position, 1, self.scratch()));
            self.windows[n].memory.insert(position, now);
            jobs.push_back(self.job(n, true, position, 1, self.scratch()));
        }
    }

    fn copy(&mut self, n: usize, low: usize, by: isize, jobs: &mut VecDeque<Job>) {
        let stored = self.windows[n].stored;
        let order: Vec<usize> = match by > 0 {
            true => (low..low + stored).rev().collect(),
            false => (low..low + stored).collect(),
        };
        for position in order {
            jobs.push_back(self.job(n, false, position, 1, self.scratch()));
            let to = position.wrapping_add_signed(by);
            let memory = &mut self.windows[n].memory;
            let token = memory.remove(&position).expect("a stored token");
            memory.insert(to, token);
            jobs.push_back(self.job(n, true, to, 1, self.scratch()));
        }
    }

    fn fill(&mut self, n: usize, low: usize, count: usize, jobs: &mut VecDeque<Job>) {
        let places = self.front(low, count);
        jobs.push_back(self.job(n, false, low, count, places));
        let w = &mut self.windows[n];
        w.memory
            .retain(|position, _| !(low..low + count).contains(position));
        w.fore += count;
        w.stored -= count;
    }

    /// SPILL-032, until nothing is to be done.
    fn settle(&mut self, n: usize, after: &Deque, jobs: &mut VecDeque<Job>) {
        let Config { front, back, .. } = self.config;
        loop {
            let low = after.head() + 1 + self.windows[n].fore;
            let (fore, stored, rear) = {
                let w = &self.windows[n];
                (w.fore, w.stored, w.rear)
            };
            if fore >= front - front / 4 {
                let count = front / 2;
                let places = self.front(low - count, count);
                self.store(n, low - count, after, count);
                jobs.push_back(self.job(n, true, low - count, count, places));
                self.windows[n].fore -= count;
            } else if rear == back {
                let (from, count) = (low + stored, (back / 2).max(1));
                let places = (from..from + count)
                    .map(|p| (front + p % back) as u16)
                    .collect();
                self.store(n, from, after, count);
                jobs.push_back(self.job(n, true, from, count, places));
                self.windows[n].rear -= count;
            } else if stored > 0 && fore < (front / 4).max(1) {
                self.fill(n, low, stored.min(front / 2), jobs);
            } else {
                return;
            }
        }
    }

    fn store(&mut self, n: usize, from: usize, after: &Deque, count: usize) {
        let tokens = after.iter().skip(from - after.head()).take(count);
        let width = self.config.threads;
        for (position, token) in (from..).zip(tokens) {
            self.windows[n]
                .memory
                .insert(position, token.to_bits(width));
        }
        self.windows[n].stored += count;
    }

    fn front(&self, low: usize, count: usize) -> Vec<u16> {
        let places = low..low + count;
        places.map(|p| (p % self.config.front) as u16).collect()
    }

    fn scratch(&self) -> Vec<u16> {
        vec![(self.config.front + self.config.back) as u16]
    }

    fn job(&self, n: usize, write: bool, at: usize, count: usize, places: Vec<u16>) -> Job {
        let w = &self.windows[n];
        Job {
            warp: n,
            write,
            address: w.base.wrapping_add(at as u32),
            tokens: (at..at + count).map(|p| w.memory[&p]).collect(),
            places,
            sent: 0,
            answered: 0,
        }
    }

    /// The request of this cycle, which has waited for so many, with its defect.
    pub fn show(&self, job: &Job, waits: u64, broken: impl Fn(Breakage) -> bool, o: &mut Outputs) {
        if job.sent == job.tokens.len() {
            return;
        }
        let n = job.sent;
        let tag = |warp, n: usize| self.places.tag(warp, job.places[n]);
        o.spill_request_valid = true;
        o.spill_request_write = job.write;
        o.spill_request_last = n + 1 == job.tokens.len();
        o.spill_request_address = job.address.wrapping_add(n as u32);
        o.spill_request_tag = tag(job.warp, n);
        o.spill_request_data = if job.write { job.tokens[n] } else { 0 };
        let w = &self.windows[job.warp];
        if broken(Breakage::SpillChanges) {
            o.spill_request_valid = waits == 0;
        }
        if broken(Breakage::SpillOutside) {
            o.spill_request_address = w.base.wrapping_add(w.size.into());
        }
        if broken(Breakage::SpillWrongWarp) {
            o.spill_request_tag = tag(job.warp ^ 1, n);
        }
        if broken(Breakage::SpillJumps) {
            o.spill_request_address = job.address;
        }
        if broken(Breakage::SpillSameTag) {
            o.spill_request_tag = tag(job.warp, 0);
        }
        if broken(Breakage::SpillNoToken) && job.write {
            o.spill_request_data |= 0xf;
        }
    }
}

impl Job {
    /// Transfers of a cycle. Says whether the job has ended.
    pub fn edge(&mut self, i: &Inputs, o: &Outputs, places: Places) -> bool {
        if i.spill_response_valid {
            if !i.spill_response_write && !self.write {
                let place = |p: &u16| places.tag(self.warp, *p) == i.spill_response_tag;
                if let Some(at) = self.places.iter().position(place) {
                    assert_eq!(
                        i.spill_response_data, self.tokens[at],
                        "memory gives back what was written there"
                    );
                }
            }
            self.answered += 1;
        }
        if o.spill_request_valid && i.spill_request_ready {
            self.sent += 1;
        }
        self.answered == self.tokens.len()
    }
}
