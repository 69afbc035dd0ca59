//! The counters of the scheduler: read by instructions, and at the end.

use super::{CoreSession, Reading};
use crate::core::report::{CoreError, Counters};

impl CoreSession<'_> {
    /// The value comes three cycles after its number.
    pub(super) fn counter_port(&mut self) {
        let due = |r: &Reading| r.selected.is_some_and(|at| at + 3 <= self.warps.cycle);
        if !self.readings.front().is_some_and(due) {
            return;
        }
        let Some(r) = self.readings.pop_front() else {
            return;
        };
        let value = self.get(self.o.counter_value) as u32;
        let (cta, block) = r.stands;
        // A CTA that has failed may be over.
        if let Some(job) = &mut self.ctas[cta].job {
            job.lanes.counter_read(block, &r.read, value);
            if let Some(machine) = &mut job.golden {
                machine.counter_read(block, r.read.readers, r.read.rd, value);
            }
        }
        self.happened.counter_reads += 1;
        self.units.issued(self.warps.cycle, r.class, r.done);
    }

    /// Through the counter port.
    pub(super) fn counters(&mut self) -> Counters {
        self.flat.set(self.i.counter_hold, 1);
        self.flat.set(self.i.cta_valid, 0);
        self.flat.set(self.i.program_valid, 0);
        let mut read = |warp: usize, index: usize| {
            let select = (warp << 4 | index) as u64;
            self.flat.set(self.i.counter_select, select);
            for _ in 0..6 {
                self.flat.settle();
                self.flat.edge();
            }
            self.flat.get(self.o.counter_value) as u32
        };
        // Of all partitions (CORE-036): added up.
        let partitions = self.partitions.len();
        let mut whole = |reason: usize| {
            let (nth, index) = place_of(reason);
            let of = (0..partitions).map(|p| read(nth * partitions + p, index));
            of.sum::<u32>()
        };
        let reasons = std::array::from_fn(&mut whole);
        let dual = whole(6);
        let warps = (0..self.size.warps)
            .map(|warp| std::array::from_fn(|index| read(warp, index)))
            .collect();
        let issued = (0..self.size.warps).map(|warp| read(warp, 8)).collect();
        Counters {
            reasons,
            dual,
            warps,
            issued,
        }
    }

    pub(super) fn check_counters(&self, c: &Counters) -> Result<(), CoreError> {
        let (sum, all) = (c.warps.iter().flatten().sum::<u32>(), c.cycles());
        let instructions: u64 = c.issued.iter().map(|&n| u64::from(n)).sum();
        let expected = (self.issue_cycles, self.happened.dual);
        let seen = (u64::from(c.reasons[0]), u64::from(c.dual));
        if sum != all || seen != expected || instructions != expected.0 + expected.1 {
            let detail = format!(
                "{c:?}: of warps {sum}, of all {all}, issued {instructions}; cycles with an issue and with two: {expected:?}"
            );
            return Err(CoreError::FinalState(detail));
        }
        Ok(())
    }
}

/// Where the counter of a reason of a whole scheduler stands: which of its warps to name, and the index.
fn place_of(reason: usize) -> (usize, usize) {
    match reason {
        0..=3 => (reason, 9),
        _ => (reason - 4, 10),
    }
}

/// What `counter_select` says for a CSR that an instruction of the warp reads, with so many partitions.
pub(super) fn counter_select(number: u16, warp: usize, partitions: usize) -> u64 {
    let (warp, index) = match usize::from(number) {
        // Of its partition: the reason says which warp to name.
        whole @ 0xce0.. => {
            let (nth, index) = place_of(whole - 0xce0);
            (nth * partitions + warp % partitions, index)
        }
        own => (warp, own - 0xcd0),
    };
    (warp << 4 | index) as u64
}
