//! Faults: exceptions of warps, and what the host reads.

use super::Lockstep;
use crate::sm::ports::{Exception, Reported};
use crate::sm::report::SmError;
use crate::warps::said;
use weft_sim::barrier::Answer as Told;
use weft_sim::{Event, Fault, FaultCause};

impl Lockstep<'_> {
    pub(super) fn faulted(
        &mut self,
        warp: usize,
        fault: Fault,
        suspects: Vec<(u32, FaultCause)>,
    ) -> Result<(), SmError> {
        self.seen.faults += 1;
        match fault.cause {
            FaultCause::Fetch { .. } => self.seen.fetches_outside += 1,
            FaultCause::FetchBus { .. } => self.seen.fetch_errors += 1,
            _ => {}
        }
        let slot = &mut self.slots[warp];
        slot.fault = Some(fault);
        slot.suspects = suspects;
        let (cta, _) = self.stands(warp).expect("it runs");
        if !self.failed.contains(&cta) {
            self.failed.push(cta);
        }
        Ok(())
    }

    pub(super) fn excepted(&mut self, exception: &Exception) -> Result<(), SmError> {
        let Exception { warp, pc, cause } = *exception;
        let text = format!("exception at {:#x}, cause {cause}", pc * 4);
        self.event = self.warps.cycle;
        if !self.warps[warp].alive {
            return self.rule(format!("warp {warp} does not run: {text}"));
        }
        if self.slots[warp].fault.is_none() {
            // Of a control instruction: the golden machine has not come there.
            let Some(issue) = self.warps[warp].control else {
                return self.mismatch(warp, "an exception", text, "no fault");
            };
            let expected = self.retire_in_model(warp, Event::Next);
            let Err(Some(fault)) = expected else {
                return self.mismatch(warp, "an exception", text, said(&expected));
            };
            if issue.pc != pc {
                return self.mismatch(warp, "an exception", text, fault.to_string());
            }
            self.faulted(warp, fault, vec![(fault.lane, fault.cause)])?;
            for flight in self.slots[warp].flights.iter_mut().filter(|f| !f.stepped) {
                (flight.stepped, flight.loose) = (true, true);
            }
        }
        let slot = &self.slots[warp];
        let fault = slot.fault.expect("just found");
        let named = slot.suspects.iter().any(|(_, c)| c.code() == cause);
        if fault.pc != pc * 4 || !named {
            return self.mismatch(warp, "an exception", text, fault.to_string());
        }
        for flight in self.slots[warp].flights.iter_mut().filter(|f| !f.stepped) {
            (flight.stepped, flight.loose) = (true, true);
        }
        self.warps[warp].excepted = Some(self.warps.cycle);
        self.complete(warp)?;
        self.over(warp)
    }

    /// What is said of a slot's former life says nothing of this one.
    pub(super) fn known(&mut self, faulted: u64) {
        let rises = faulted & !self.faulted;
        self.faulted = faulted;
        for (warp, slot) in self.slots.iter_mut().enumerate() {
            slot.known |= rises >> warp & 1 == 1;
        }
    }

    /// SM-013.
    pub(super) fn fault(&mut self, reported: &Reported) -> Result<(), SmError> {
        let Reported {
            warp,
            lane,
            pc,
            cause,
            address,
        } = *reported;
        self.event = self.warps.cycle;
        if self.reported.is_empty() {
            let ra = self
                .golden(warp)
                .map(|(golden, block)| golden.thread(block, lane as usize).registers[1]);
            self.returns_to = ra;
        }
        self.reported.push(*reported);
        let text = format!(
            "fault of lane {lane} at {:#x}, cause {cause}, address {address:#x}",
            pc * 4
        );
        if self.stands(warp).is_none() || self.slots[warp].reported {
            return self.rule(format!("warp {warp}: reported twice, or of nobody: {text}"));
        }
        if self.slots[warp].fault.is_none() && self.warps[warp].control.is_some() {
            // Of a control instruction, before its exception: compared there.
            let (golden, block) = self.golden(warp).expect("it stands somewhere");
            let mut copy = golden.clone();
            let fault = copy.step_by(block, |_, _, _| Told::default()).err();
            let Some(fault) = fault else {
                return self.mismatch(warp, "a fault", text, "none");
            };
            self.slots[warp].reported = true;
            let agrees = (fault.pc, fault.lane, fault.cause.code()) == (pc * 4, lane, cause)
                && fault.cause.value(fault.pc) == address;
            return match agrees {
                true => Ok(()),
                false => self.mismatch(warp, "a fault", text, fault.to_string()),
            };
        }
        let slot = &self.slots[warp];
        let Some(fault) = slot.fault else {
            return self.mismatch(warp, "a fault", text, "none");
        };
        let late = |cause: &FaultCause| matches!(cause, FaultCause::Bus { .. });
        let any = slot.suspects.iter().any(|(_, cause)| late(cause));
        let allowed = |(l, c): &&(u32, FaultCause)| {
            let lowest = *l == fault.lane && *l == lane;
            lowest && c.code() == cause && c.value(fault.pc) == address
        };
        if fault.pc != pc * 4 || slot.suspects.iter().find(allowed).is_none() {
            let model = format!("{fault}; may be named: {:x?}", slot.suspects);
            return self.mismatch(warp, "a fault", text, model);
        }
        self.seen.late_faults += u64::from(any);
        self.slots[warp].reported = true;
        Ok(())
    }
}
