//! Control operations: the barrier unit, what retires, the mode of sub-vector loops.

use super::{Flight, Lockstep};
use crate::sm::ports::Trace;
use crate::sm::report::{SmError, Watcher};
use crate::warps::{Issue, Retiring};
use weft_isa::Instr;
use weft_sim::barrier::{Op as BarrierOp, OpCode, Ports, VerdictKind};
use weft_sim::{Event, Record};

impl Lockstep<'_> {
    pub(super) fn barriers(&mut self, trace: &Trace) -> Result<(), SmError> {
        let mut ports: Ports = trace.barrier.clone();
        ports.cfg_priority = self.options.priority;
        if ports.op_valid {
            match self.barrier_op(&ports.op)? {
                Some(op) => ports.op = op,
                // Nobody can say any more what a faulted warp asks of it.
                None => (self.warps.barrier_model, self.warps.barrier_rules) = (None, None),
            }
        }
        let judged = self.warps.barrier(&ports);
        self.judged(judged)?;
        if ports.event.is_some() {
            self.event = self.warps.cycle;
        }
        if let Some(op) = ports.taken() {
            match op.code {
                OpCode::Launch => self.launching[op.warp] = Some((op.cta, op.block)),
                code if code.has_verdict() => {
                    self.seen.barriers += u64::from(code != OpCode::Exit);
                }
                _ => {}
            }
        }
        if trace.verdict_taken {
            let verdict = self.warps.verdict_taken();
            let verdict = self.judged(verdict)?;
            self.seen.sleeps += u64::from(verdict.kind == VerdictKind::Sleep);
        }
        if trace.wake_taken {
            let wake = self.warps.wake_taken();
            self.judged(wake)?;
            self.seen.wakes += 1;
        }
        let answers = self.warps.answers(&ports);
        self.judged(answers)
    }

    /// What the barrier unit is asked. `None`: nobody can say.
    pub(super) fn barrier_op(&mut self, shown: &BarrierOp) -> Result<Option<BarrierOp>, SmError> {
        let BarrierOp { code, warp, .. } = *shown;
        match code {
            OpCode::Launch => {
                let first = shown.block * self.shape.threads;
                let count = (shown.threads as usize).saturating_sub(first);
                let active = match count.min(self.shape.threads) {
                    64.. => u64::MAX,
                    n => (1 << n) - 1,
                };
                if shown.threads != self.options.launch.threads() || active == 0 {
                    return self.rule(format!("LAUNCH at the barrier unit: {shown:?}"));
                }
                return Ok(Some(BarrierOp { active, ..*shown }));
            }
            OpCode::Kill => {
                self.judged(self.warps.killed(warp))?;
                return Ok(Some(*shown));
            }
            _ => {}
        }
        if self.slots[warp].fault.is_some() {
            return Ok(None);
        }
        let Some(issue) = self.warps[warp].control else {
            return self.rule(format!("{code:?} of warp {warp} without an instruction"));
        };
        let instr = weft_isa::decode(issue.word).ok();
        let op = self
            .golden(warp)
            .and_then(|(golden, block)| golden.barrier_op(block, instr?));
        match op.filter(|op| op.code == code) {
            Some(op) => Ok(Some(BarrierOp { warp, ..op })),
            None => self.rule(format!("{code:?} at the barrier unit by {issue:x?}")),
        }
    }

    pub(super) fn retired(
        &mut self,
        shown: &Record,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SmError> {
        let warp = shown.warp;
        self.event = self.warps.cycle;
        self.seen.retired += 1;
        let retiring = self.warps.retires(shown, true);
        let retiring = self.judged(retiring)?;
        let Retiring {
            record,
            forced,
            wakes,
            ..
        } = retiring;
        let over = self.warps[warp].control;
        if self.slots[warp].fault.is_none() {
            let model = self.retire_in_model(warp, shown.event);
            let agrees = self.warps.agrees(&retiring, &model);
            self.judged(agrees)?;
            watcher.retired(self.warps.cycle, &record);
            if !forced && !wakes {
                self.stepped_control(warp)?;
            }
        }
        if !forced && !wakes && self.slots[warp].fault.is_none() {
            self.selected(warp, shown.event)?;
        }
        self.seen.forced_yields += u64::from(forced);
        self.seen.masks += u64::from(shown.event == Event::Mask);
        if !self.warps.retired(&retiring) {
            return Ok(());
        }
        if over.is_some_and(|issue| weft_isa::decode(issue.word) == Ok(Instr::FenceI)) {
            self.text.fenced(warp, self.warps.cycle);
        }
        let slot = &mut self.slots[warp];
        (slot.since, slot.supplied) = (self.warps.cycle, false);
        if record.event == Event::Exit {
            self.useful.1 = self.warps.cycle;
        }
        if record.done {
            self.over(warp)?;
        }
        Ok(())
    }

    /// What a `subv.start` or `subv.auto` has retired as.
    pub(super) fn selected(&mut self, warp: usize, event: Event) -> Result<(), SmError> {
        let Some(Issue { pc, mask, word, .. }) = self.warps[warp].control else {
            return Ok(());
        };
        let Ok(Instr::SubVector { auto, offset }) = weft_isa::decode(word) else {
            return Ok(());
        };
        if mask == 0 {
            return Ok(());
        }
        let end = (pc * 4).wrapping_add_signed(offset) / 4;
        let subvector = event == Event::Mask;
        match self.mode.retired(warp, auto, end, subvector) {
            Ok(()) => Ok(()),
            Err(detail) => self.rule(detail),
        }
    }

    /// The rows of a control instruction that the golden machine has executed.
    pub(super) fn stepped_control(&mut self, warp: usize) -> Result<(), SmError> {
        let open = |f: &Flight| f.control && !f.stepped;
        let Some(n) = self.slots[warp].flights.iter().position(open) else {
            return Ok(());
        };
        let mut flight = self.slots[warp].flights[n].clone();
        flight.stepped = true;
        self.seen.thread_instructions += u64::from(flight.acting.count_ones());
        if let Some(rd) = flight.rd {
            self.expect_rows(warp, rd, &mut flight);
        }
        let wrong = (0..self.shape.threads)
            .find(|&l| flight.seen[l].is_some() && flight.expected[l] != flight.seen[l]);
        if let Some(lane) = wrong {
            let what = format!("lane {lane} of x{}", flight.rd.unwrap_or(0));
            let (h, m) = (flight.seen[lane], flight.expected[lane]);
            return self.mismatch(warp, what, format!("{h:x?}"), format!("{m:x?}"));
        }
        self.slots[warp].flights[n] = flight;
        self.complete(warp)
    }
}
