//! Registers: rows that are written, instructions that are done.

use super::{lanes, Flight, Lockstep};
use crate::sm::ports::{Done, Row};
use crate::sm::report::SmError;

impl Lockstep<'_> {
    pub(super) fn row(&mut self, row: &Row) -> Result<(), SmError> {
        self.event = self.warps.cycle;
        self.seen.rows += 1;
        self.seen.shared_rows += u64::from(row.rd >= self.options.machine.shared_from);
        let warp = row.warp;
        let (lanes_of, threads) = (self.shape.lanes, self.shape.threads);
        let slot = &mut self.slots[warp];
        let open = |f: &&mut Flight| !f.done && f.rd == Some(row.rd);
        let Some(flight) = slot.flights.iter_mut().find(open) else {
            return self.rule(format!("SM-020: no instruction writes this row: {row:x?}"));
        };
        if flight.ignored {
            return self.rule(format!(
                "SM-022: warp {warp} has faulted, a later instruction writes: {row:x?}"
            ));
        }
        if flight.loose {
            return Ok(());
        }
        let mut tells = Vec::new();
        let mut wrong = None;
        for l in lanes(row.mask) {
            let lane = row.part * lanes_of + l;
            if l >= lanes_of || lane >= threads {
                return self.rule(format!("a row of a lane that does not exist: {row:x?}"));
            }
            if flight.seen[lane].is_some() {
                return self.rule(format!("SM-020: lane {lane} is written twice: {row:x?}"));
            }
            if flight.acting >> lane & 1 == 0 {
                wrong = Some((lane, "not to write".to_string()));
                break;
            }
            if flight.waits >> lane & 1 != 0 {
                return self.rule(format!(
                    "SM-021: lane {lane} has a result before its access took effect: {row:x?}"
                ));
            }
            let value = row.data[l];
            flight.seen[lane] = Some(value);
            match flight.expected[lane] {
                Some(expected) if expected != value => {
                    wrong = Some((lane, format!("{expected:#x}")));
                    break;
                }
                Some(_) => {}
                // The golden machine is told, or has not come there.
                None if flight.stepped => tells.push((lane, value)),
                None => {}
            }
        }
        if let Some((lane, model)) = wrong {
            let what = format!("lane {lane} of x{} in {row:x?}", row.rd);
            let l = lane % lanes_of;
            return self.mismatch(warp, what, format!("{:#x}", row.data[l]), model);
        }
        let differ = |flight: &Flight| {
            let mut values = flight.seen.iter().flatten();
            let first = values.next();
            flight.told && values.any(|v| Some(v) != first)
        };
        if differ(flight) {
            return self.rule(format!(
                "ISA-011: threads have read different values: {row:x?}"
            ));
        }
        if let Some((golden, block)) = self.golden(warp) {
            for (lane, value) in tells {
                golden.counter_read(block, 1 << lane, row.rd, value);
            }
        }
        Ok(())
    }

    pub(super) fn done(&mut self, done: &Done, memory: &[u8]) -> Result<(), SmError> {
        self.event = self.warps.cycle;
        let slot = &mut self.slots[done.warp];
        slot.since = self.warps.cycle;
        let same = |f: &Flight| !f.done && f.rd == done.rd;
        let alike = slot.flights.iter().filter(|f| same(f)).count();
        // Without rd it is not known whose it is: those that do nothing are over first.
        let ignored = slot.flights.iter().position(|f| same(f) && f.ignored);
        let at = ignored.or_else(|| slot.flights.iter().position(same));
        let Some(flight) = at.map(|n| &mut slot.flights[n]) else {
            return self.rule(format!("`done` of nothing: {done:?}"));
        };
        flight.done = true;
        let fence = flight.fence && alike == 1 && !flight.loose;
        let serial = flight.serial;
        self.complete(done.warp)?;
        if fence {
            self.fenced(done.warp, memory)?;
        }
        // An access of an instruction that is done cannot come any more; without rd it is not known whose `done` it is.
        if done.rd.is_some() {
            let late = self.slots[done.warp].expected.iter().flatten();
            let mut late = late.filter(|e| e.serial == serial && !e.bad);
            if let Some(e) = late.next() {
                let model = format!("operation {} at {:#x}", e.access.op, e.access.address);
                return self.mismatch(done.warp, "a `done`", "no access", model);
            }
        }
        Ok(())
    }

    /// From the registers of the golden machine.
    pub(super) fn expect_rows(&mut self, warp: usize, rd: u8, flight: &mut Flight) {
        let (golden, block) = self.golden(warp).expect("it runs");
        for lane in lanes(flight.acting) {
            let value = golden.thread(block, lane).registers[usize::from(rd)];
            flight.expected[lane] = Some(value);
        }
    }

    /// Instructions that are over leave.
    pub(super) fn complete(&mut self, warp: usize) -> Result<(), SmError> {
        let over = |f: &Flight| f.done && f.stepped;
        while let Some(n) = self.slots[warp].flights.iter().position(over) {
            let flight = self.slots[warp].flights.remove(n).expect("just found");
            if flight.loose || flight.rd.is_none() {
                continue;
            }
            let written = flight.seen.iter().enumerate();
            let written = written.fold(0u64, |m, (l, v)| m | u64::from(v.is_some()) << l);
            if written != flight.acting {
                let what = format!("the rows of x{}", flight.rd.unwrap_or(0));
                let (h, m) = (format!("{written:#x}"), format!("{:#x}", flight.acting));
                return self.mismatch(warp, what, h, m);
            }
        }
        Ok(())
    }
}
