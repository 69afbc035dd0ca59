//! Control operations: the barrier unit, what retires, exceptions.

use super::CoreSession;
use crate::core::report::{line, CoreError};
use crate::session::Recenter;
use crate::warps::{said, Accepted, Retiring};
use weft_ports::control::{cause, Op};
use weft_sim::barrier::{EventKind, Op as BarrierOp, OpCode, Ports, Verdict, VerdictKind, Word};
use weft_sim::convergence::Warp;
use weft_sim::{Event, Fault, Record, Token};

impl CoreSession<'_> {
    /// The operation at the barrier unit, from what stands at the ports and what was to come.
    pub(super) fn barrier_op(&self) -> Result<BarrierOp, CoreError> {
        let o = &self.o;
        let warp = self.get(o.op_warp) as usize;
        let Some(code) = OpCode::from_code(self.get(o.op_code) as u8) else {
            return self.rule(format!(
                "operation {} at the barrier unit",
                self.get(o.op_code)
            ));
        };
        Ok(match code {
            OpCode::Launch => {
                let Some(&(cta, block)) = self.to_launch.front() else {
                    return self
                        .rule("the barrier unit hears of a launch, no block is to be launched");
                };
                let job = self.ctas[cta].job.as_ref().expect("made when it was taken");
                let op = BarrierOp {
                    code,
                    warp,
                    active: job.config.launch_mask(block),
                    cta: self.get(o.op_cta) as usize,
                    block,
                    threads: self.ctas[cta].cta.threads,
                    ..BarrierOp::default()
                };
                let seen = (self.get(o.op_block), self.get(o.op_threads));
                if seen != (block as u64, op.threads.into()) {
                    return self.rule(format!("launch at the barrier unit {seen:?}: {op:?}"));
                }
                op
            }
            OpCode::Kill => {
                self.judged(self.warps.killed(warp))?;
                BarrierOp {
                    code,
                    warp,
                    ..BarrierOp::default()
                }
            }
            _ => {
                let Some(answer) = self.presented.filter(|a| a.warp == warp) else {
                    return self.rule(format!("{code:?} of warp {warp}: nothing is presented"));
                };
                BarrierOp {
                    code,
                    warp,
                    active: answer.active,
                    mask: answer.resolve.mask & answer.active,
                    id: answer.barrier.id.into(),
                    word: Word(answer.barrier.word),
                    pc: answer.pc,
                    ..BarrierOp::default()
                }
            }
        })
    }

    pub(super) fn barrier_ports(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let shown = match self.barrier.read(&self.flat) {
            Ok(shown) => shown,
            Err(detail) => return self.rule(detail),
        };
        let mut ports = Ports {
            cfg_priority: self.options.priority,
            op_valid: self.bit(o.op_valid),
            verdict_ready: self.bit(o.verdict_ready),
            wake_ready: self.bit(o.wake_ready),
            ..shown
        };
        if ports.op_valid {
            ports.op = self.barrier_op()?;
        }
        let judged = self.warps.barrier(&ports);
        self.judged(judged)?;
        self.held[(self.warps.cycle % 8) as usize] = ports.hold;
        self.happened.held += u64::from(ports.hold != 0);
        if let Some(event) = ports.event {
            self.event = self.warps.cycle;
            let h = &mut self.happened;
            *match event.kind {
                EventKind::Fire => &mut h.barriers,
                EventKind::Timeout => &mut h.timeouts,
                EventKind::Idle => &mut h.idle,
                EventKind::Again => &mut h.late_groups,
            } += 1;
        }
        self.happened.barrier_errors += u64::from(ports.error.is_some());
        self.answers_taken()?;
        let answers = self.warps.answers(&ports);
        self.judged(answers)
    }

    /// What the convergence unit takes of the barrier unit's answers.
    pub(super) fn answers_taken(&mut self) -> Result<(), CoreError> {
        if self.bit(self.o.verdict_taken) {
            let verdict = self.warps.verdict_taken();
            self.verdict(self.judged(verdict)?)?;
        }
        if self.bit(self.o.wake_taken) {
            let wake = self.warps.wake_taken();
            let wake = self.judged(wake)?;
            let slot = &self.warps[wake.warp];
            self.happened.wakes += 1;
            self.happened.wakes_of_running += u64::from(!slot.blocked);
            self.happened.wakes_of_the_dead += u64::from(!slot.alive);
        }
        Ok(())
    }

    pub(super) fn verdict(&mut self, verdict: Verdict) -> Result<(), CoreError> {
        let slot = &self.warps[verdict.warp];
        let Some(op) = slot.asked.filter(|_| slot.alive) else {
            return self.rule(format!("{verdict:?} of nothing"));
        };
        let h = &mut self.happened;
        match verdict.kind {
            VerdictKind::Sleep => h.sleeps += 1,
            VerdictKind::Retry => h.retries += 1,
            VerdictKind::Part => h.parts += 1,
            VerdictKind::Next | VerdictKind::Exit => {}
        }
        if op.code != OpCode::Exit {
            let (cta, block) = slot.stands.expect("it runs");
            let job = self.ctas[cta].job.as_mut().expect("it runs");
            job.lanes
                .completed(block, op.active & !verdict.again(op.active));
        }
        Ok(())
    }

    /// The golden machine's warp.
    pub(super) fn model(&self, warp: usize) -> Option<&Warp> {
        let (cta, block) = self.warps[warp].stands?;
        let machine = self.ctas[cta].job.as_ref()?.golden.as_ref()?;
        Some(machine.warp(block))
    }

    /// The golden machine does what the hardware has retired.
    pub(super) fn golden(&mut self, warp: usize) -> Option<Result<Record, Option<Fault>>> {
        let (cta, block) = self.warps[warp].stands?;
        let machine = self.ctas[cta].job.as_mut()?.golden.as_mut()?;
        let shared = self.shared.as_mut().and_then(|s| s.golden.as_mut());
        let mut memory = shared;
        if let Some(memory) = &mut memory {
            std::mem::swap(machine.memory_mut(), memory);
        }
        let stepped = self.warps.step(warp, machine, block);
        if let Some(memory) = &mut memory {
            std::mem::swap(machine.memory_mut(), memory);
        }
        Some(stepped)
    }

    pub(super) fn retired(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let warp = self.get(o.retire_warp) as usize;
        let code = self.get(o.retire_op) as u8;
        let (slot, own) = (&self.warps[warp], &self.slots[warp]);
        // A verdict, or a mask instruction that changes no active mask.
        let told = matches!(slot.accepted, Some(Accepted::Verdict(_)))
            || (slot.control.is_some() && own.resolve.op == Op::Next as u8);
        let Some(event) = Event::from_code(code).filter(|&e| e != Event::Next || told) else {
            return self.rule(format!("warp {warp} retires operation {code}"));
        };
        let shown = Record {
            warp,
            event,
            pc: self.get(o.retire_pc) as u32,
            mask: 0,
            next_pc: self.get(o.retire_next_pc) as u32,
            next_mask: self.get(o.retire_next_mask),
            done: self.bit(o.retire_done),
            blocked: self.bit(o.retire_blocked),
            depth: self.get(o.retire_depth) as usize,
            front: Some(Token {
                kind: self.get(o.retire_front_kind) as u8,
                mask: self.get(o.retire_front_mask),
                address: self.get(o.retire_front_pc) as u32,
                below: self.get(o.retire_front_below) as u8,
            }),
            dropped: self.bit(o.retire_dropped),
        };
        let retiring = self.warps.retires(&shown, own.resolved);
        let retiring = self.judged(retiring)?;
        let Retiring { record, wakes, .. } = retiring;
        if self.slots[warp].faulted {
            if !wakes {
                return self.rule(format!(
                    "{} behind a fault: {:x?}",
                    line(&record),
                    self.slots[warp]
                ));
            }
            // The exception is still to come; the golden machine has stopped the warp.
            self.warps[warp].accepted = None;
            self.unseen_wakes += 1;
            return Ok(());
        }
        let before = match event {
            Event::Mask => self.model(warp).cloned(),
            _ => None,
        };
        let seen = match self.golden(warp) {
            Some(model) => {
                let agrees = self.warps.agrees(&retiring, &model);
                self.judged(agrees)?
            }
            None => {
                self.warps.note(warp, record);
                record
            }
        };
        let resolve = self.slots[warp].resolve;
        self.observe(&seen, &resolve);
        self.slots[warp].deque = (record.depth, record.front);
        self.event = self.warps.cycle;
        let h = &mut self.happened;
        match event {
            Event::ForcedYield => h.forced_yields += 1,
            Event::Yield => h.yields += 1,
            Event::Push | Event::Call => h.pushes += 1,
            _ => {}
        }
        h.dropped += u64::from(record.dropped);
        if let Some(before) = before {
            let (resolve, threads) = (self.slots[warp].resolve, self.size.threads);
            let lanes = self.run.machine.lanes();
            h.masks
                .sample(&resolve, record.next_mask, &before, threads, lanes);
        }
        h.blocked += u64::from(record.blocked);
        if !self.warps.retired(&retiring) {
            return Ok(());
        }
        if event == Event::Exit {
            self.useful.1 = self.warps.cycle;
        }
        if record.done {
            self.over(warp, false);
        }
        Ok(())
    }

    pub(super) fn excepted(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let warp = self.get(o.exception_warp) as usize;
        let (pc, code) = (
            self.get(o.exception_pc) as u32,
            self.get(o.exception_cause) as u8,
        );
        self.event = self.warps.cycle;
        let (slot, own) = (&self.warps[warp], &self.slots[warp]);
        let what = format!("exception at {:#x}, cause {code}", pc * 4);
        if !slot.alive {
            return self.rule(format!("warp {warp} does not run: {what}"));
        }
        if code == cause::RECENTER {
            if self.run.recenter != Recenter::Driver {
                return self.rule(format!("warp {warp}: {what}"));
            }
            if let Err((rule, detail)) = self.checker.stop(warp) {
                return self.rule(format!("{rule:?}: {detail}"));
            }
            self.stopped.push_back(warp);
            return Ok(());
        }
        let faulted = own.faulted;
        if !own.resolved && !faulted {
            return self.rule(format!("warp {warp}: {what}; nothing was resolved"));
        }
        // The model has met the fault of an instruction that is not control when it was issued.
        let (cta, block) = slot.stands.expect("it runs");
        let job = self.ctas[cta].job.as_ref().expect("it runs");
        let ours = job.fault(block).map(|f| (f.pc, f.cause.code()));
        if !faulted {
            let expected = self.golden(warp);
            let agree = match &expected {
                None => true,
                Some(Err(Some(f))) => (f.pc, f.cause.code()) == (pc * 4, code),
                _ => false,
            };
            if !agree {
                let model = expected.as_ref().map_or("no model".into(), said);
                return self.mismatch(warp, "an exception", what, model);
            }
        }
        if ours != Some((pc, code)) {
            return self.mismatch(warp, "an exception", what, format!("the lanes: {ours:x?}"));
        }
        self.warps[warp].excepted = Some(self.warps.cycle);
        self.over(warp, true);
        Ok(())
    }
}
