//! A simple clock around the golden model: how long a program takes on lanes that are shared by several warps.
//!
//! One instruction at a time uses the lanes, for as many cycles as it has passes (MASK-070).
//! A warp is ready again `interval` cycles after its instruction began, `resolve` cycles if the convergence unit or the
//! barriers had to be asked, whether or not it went elsewhere, and not before its missing cache lines have come: each
//! takes the memory for `beat` cycles and arrives `latency` cycles later.
//! Of the warps that are ready the one that has waited longest goes.
//! Only `resident` warps run at a time; the next one starts when one has ended.

use crate::fault::Fault;
use crate::machine::Machine;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Timing {
    pub interval: u64,
    pub resolve: u64,
    pub latency: u64,
    pub beat: u64,
    pub resident: usize,
}

impl Default for Timing {
    /// A lone warp of `weft_core` issues every 3 cycles, and 13 after a branch, taken or not
    /// (`weft bench --only issue`).
    fn default() -> Self {
        Timing {
            interval: 3,
            resolve: 13,
            latency: 60,
            beat: 8,
            resident: usize::MAX,
        }
    }
}

impl Timing {
    /// Runs all warps to their end, or until those that are left wait at barriers for ever, and gives the number of
    /// cycles.
    ///
    /// # Errors
    /// The first fault.
    pub fn run(&self, machine: &mut Machine) -> Result<u64, Fault> {
        let mut waiting = 0..machine.config().warps;
        let mut ready: Vec<(u64, usize)> = waiting
            .by_ref()
            .filter(|&warp| machine.is_runnable(warp))
            .take(self.resident)
            .map(|warp| (0, warp))
            .collect();
        let (mut now, mut memory) = (0, 0);
        let mut asleep: Vec<usize> = Vec::new();
        while let Some(next) = (0..ready.len()).min_by_key(|&at| ready[at]) {
            let (since, warp) = ready.swap_remove(next);
            now = since.max(now);
            let record = machine.step(warp)?;
            let cost = machine.cost(warp);
            let delay = match cost.resolved {
                true => self.resolve,
                false => self.interval,
            };
            let mut again = now + delay.max(cost.passes.into());
            for _ in 0..cost.misses {
                memory = now.max(memory) + self.beat;
                again = again.max(memory + self.latency);
            }
            now += u64::from(cost.passes);
            while machine.serve().is_some() {}
            asleep.retain(|&sleeper| {
                let wakes = machine.is_runnable(sleeper);
                ready.extend(wakes.then_some((now + self.interval, sleeper)));
                !wakes
            });
            if !record.done {
                match machine.is_runnable(warp) {
                    true => ready.push((again, warp)),
                    false => asleep.push(warp),
                }
            } else if let Some(warp) = waiting.find(|&warp| machine.is_runnable(warp)) {
                ready.push((again, warp));
            }
        }
        Ok(now)
    }
}
