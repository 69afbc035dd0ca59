//! Functional units without contents: when an instruction is done, and when its resolve is offered.

use super::options::CoreOptions;
use crate::lanes::{BarrierOperands, Resolve};
use crate::seed::{stream, Rng};
use crate::timing::Latency;
use rand::Rng as _;

/// A resolve on its way.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub warp: usize,
    pub pc: u32,
    pub resolve: Resolve,
    /// Of a barrier instruction.
    pub barrier: BarrierOperands,
    /// All threads that execute it.
    pub active: u64,
}

/// An instruction on its way to its `done`.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    pub warp: usize,
    pub rd: Option<u8>,
    /// Among the instructions of its warp.
    pub number: u64,
}

pub struct Units {
    options: CoreOptions,
    /// By the `done` port of the warp; with the cycle from which on they may come.
    done: Vec<Vec<(u64, Done)>>,
    answers: Vec<(u64, Answer)>,
    latency: Rng,
    gaps: Rng,
}

impl Units {
    pub fn new(options: &CoreOptions) -> Units {
        Units {
            options: options.clone(),
            done: vec![Vec::new(); 2 * options.width.partitions()],
            answers: Vec::new(),
            latency: stream(options.seed, "unit latency"),
            gaps: stream(options.seed, "unit gaps"),
        }
    }

    fn due(&mut self, cycle: u64, latency: Latency) -> u64 {
        cycle
            + match latency {
                Latency::Fixed(cycles) => u64::from(cycles),
                Latency::Random(most) => self.latency.gen_range(0..=most).into(),
            }
    }

    pub fn issued(&mut self, cycle: u64, class: u8, done: Done) {
        let due = self.due(cycle, self.options.latencies[usize::from(class)]);
        let port = done_port(done.warp, self.options.width.partitions());
        self.done[port].push((due, done));
    }

    pub fn answer(&mut self, cycle: u64, answer: Answer) {
        let due = self.due(cycle, self.options.resolve);
        self.answers.push((due, answer));
    }

    fn gap(&mut self, percent: u32) -> bool {
        percent != 0 && self.gaps.gen_range(0..100) < percent
    }

    pub fn ready(&mut self) -> u8 {
        let stall = self.options.unit_stall;
        (0..5).fold(0, |bits, class| bits | u8::from(!self.gap(stall)) << class)
    }

    /// The instruction that is done in this cycle at this port.
    pub fn done(&mut self, cycle: u64, port: usize) -> Option<Done> {
        if self.done[port].is_empty() || self.gap(self.options.done_gap) {
            return None;
        }
        let any = self.options.any_order;
        let (list, draws) = (&mut self.done[port], &mut self.gaps);
        let due = |p: &(u64, Done)| p.0 <= cycle;
        let index = take(list, due, any, draws)?;
        Some(list.remove(index).1)
    }

    /// The resolve that is offered next.
    pub fn offer(&mut self, cycle: u64) -> Option<Answer> {
        if self.answers.is_empty() || self.gap(self.options.resolve_gap) {
            return None;
        }
        let any = self.options.any_order;
        let index = take(&self.answers, |p| p.0 <= cycle, any, &mut self.gaps)?;
        Some(self.answers.remove(index).1)
    }

    pub fn idle(&self) -> bool {
        self.answers.is_empty() && self.done.iter().all(Vec::is_empty)
    }
}

/// The `done` port of a warp: 2 p for the even warps of partition p, 2 p + 1 for the odd ones (CORE-031).
pub fn done_port(warp: usize, partitions: usize) -> usize {
    2 * (warp % partitions) + warp / partitions % 2
}

fn take<T>(
    list: &[(u64, T)],
    due: impl Fn(&(u64, T)) -> bool,
    any_order: bool,
    draws: &mut Rng,
) -> Option<usize> {
    let indices = list.iter().enumerate().filter(|(_, p)| due(p));
    match any_order {
        true => {
            let count = indices.clone().count();
            let nth = (count > 0).then(|| draws.gen_range(0..count))?;
            indices.map(|(index, _)| index).nth(nth)
        }
        false => indices.min_by_key(|(_, p)| p.0).map(|(index, _)| index),
    }
}
