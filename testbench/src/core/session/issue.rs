//! What comes out at the issue ports: monitors that know the program, and the golden machine's step.

use super::counters::counter_select;
use super::{CoreSession, Reading};
use crate::core::decode::decode;
use crate::core::report::{line, CoreError};
use crate::core::units::{Answer, Done};
use crate::lanes::{Lanes as _, Resolve};
use crate::lockstep::Retired;
use crate::warps::{said, Issue};
use weft_ports::control::Op;
use weft_sim::barrier::Answer as Told;
use weft_sim::convergence::PC_MASK;
use weft_sim::issue::Decoded;
use weft_sim::{Fault, Record};

impl CoreSession<'_> {
    pub(super) fn issues(&mut self) -> Result<(), CoreError> {
        let dual = self.happened.dual;
        let mut firsts = Vec::new();
        for p in 0..self.partitions.len() {
            firsts.extend(self.issues_of(p)?);
        }
        if let [first, others @ ..] = &firsts[..] {
            let control = |decoded: &&Decoded| decoded.control;
            let alike = |decoded: &&Decoded| decoded.class == first.class;
            let h = &mut self.happened;
            h.pairs += u64::from(!others.is_empty());
            h.pairs_of_control += u64::from(firsts.iter().filter(control).count() > 1);
            h.pairs_of_a_class += u64::from(others.iter().any(|decoded| alike(&decoded)));
            h.of_all_partitions += u64::from(firsts.len() == self.partitions.len());
            h.several += u64::from(!others.is_empty() || h.dual > dual);
        }
        let flight = self.get(self.o.status_flight);
        for (warp, slot) in self.slots.iter().enumerate() {
            if (flight >> warp & 1 != 0) == slot.in_flight.is_empty() {
                let count = slot.in_flight.len();
                return self.rule(format!(
                    "warp {warp}: {count} instructions are in flight, status_flight is {flight:#x}"
                ));
            }
        }
        Ok(())
    }

    /// What a partition issues: its first instruction, if any.
    pub(super) fn issues_of(&mut self, p: usize) -> Result<Option<Decoded>, CoreError> {
        let o = &self.partitions[p].1;
        let first = Issue {
            warp: self.get(o.issue_warp) as usize,
            pc: self.get(o.issue_pc) as u32,
            mask: self.get(o.issue_mask),
            word: self.get(o.issue_word) as u32,
            second: false,
        };
        let second = Issue {
            pc: (first.pc + 1) & PC_MASK,
            word: self.get(o.second_word) as u32,
            second: true,
            ..first
        };
        let decoded = Decoded::from_bits(self.get(o.issue_decoded) as u32);
        let beside = Decoded::from_bits(self.get(o.second_decoded) as u32);
        let (valid, two) = (self.bit(o.issue_valid), self.bit(o.second_valid));
        if !valid {
            return match two {
                true => self.rule("a second instruction without a first one"),
                false => Ok(None),
            };
        }
        if first.warp % self.partitions.len() != p {
            return self.rule(format!("not a warp of partition {p}: {first:x?}"));
        }
        self.issue_cycles += 1;
        self.event = self.warps.cycle;
        self.issued(first, decoded)?;
        if two {
            if !self.options.width.is_dual() {
                return self.rule("two instructions on a core with single issue");
            }
            self.happened.dual += 1;
            self.happened.dual_control += u64::from(beside.control);
            if decoded.class == beside.class {
                return self.rule(format!("two instructions of class {}", decoded.class));
            }
            self.issued(second, beside)?;
        }
        Ok(Some(decoded))
    }

    /// The monitors: they know the program and what has come out before.
    pub(super) fn check_issue(&mut self, issue: &Issue, d: &Decoded) -> Result<(), CoreError> {
        let Issue {
            warp,
            pc,
            word,
            second,
            ..
        } = *issue;
        let (cycle, slot) = (self.warps.cycle, &self.slots[warp]);
        self.judged(self.warps.follows(issue))?;
        if word != self.fetch.word(pc) || *d != decode(word) {
            let right = self.fetch.word(pc);
            return self.rule(format!(
                "warp {warp}: the word at {:#x} is {right:#x}: {issue:x?}, decoded {d:?}",
                pc * 4
            ));
        }
        let used = [d.rd, d.rs1, d.rs2].into_iter().flatten();
        let pending = |x| slot.pending >> x & 1 != 0;
        let flying = slot.in_flight.len();
        let unhindered = self.warps.unhindered(issue, d, used, flying, pending);
        self.judged(unhindered)?;
        let class = usize::from(d.class);
        let interval = u64::from(self.options.intervals[class]).next_multiple_of(2);
        let slow = self.options.intervals[class] > 1;
        // A unit of its partition, or one for all.
        let unit = match class {
            0 | 1 => warp % self.partitions.len(),
            _ => 0,
        };
        let before = self.latest[unit][class];
        let least = if slow { interval } else { 1 };
        if slow && second || before.is_some_and(|at| cycle - at < least) {
            return self.rule(format!(
                "class {class}: interval {interval}, latest {before:?}: {issue:x?}"
            ));
        }
        // Granted three cycles ago, and asked for in the cycle before that; a second one is chosen in the issue stage.
        let chosen = cycle.wrapping_sub(if second { 1 } else { 4 });
        if self.ready[(chosen % 8) as usize] >> class & 1 == 0 {
            return self.rule(format!("class {class} was not ready: {issue:x?}"));
        }
        // A warp that is held then is not granted.
        let granted = (cycle.wrapping_sub(3) % 8) as usize;
        if self.held[granted] >> warp & 1 != 0 {
            return self.rule(format!("warp {warp} was held at its grant: {issue:x?}"));
        }
        self.latest[unit][class] = Some(cycle);
        Ok(())
    }

    pub(super) fn issued(&mut self, issue: Issue, decoded: Decoded) -> Result<(), CoreError> {
        self.check_issue(&issue, &decoded)?;
        let Issue { warp, pc, mask, .. } = issue;
        let number = self.warps[warp].issued;
        self.warps.issued(&issue, decoded.control);
        let (slot, shared) = (&mut self.slots[warp], &self.warps[warp]);
        slot.in_flight.push_back(number);
        if let Some(x) = decoded.rd {
            slot.pending |= 1 << x;
        }
        let done = Done {
            warp,
            rd: decoded.rd,
            number,
        };
        let most = &mut self.happened.most_in_flight;
        *most = (*most).max(slot.in_flight.len() as u64);
        if !shared.alive || slot.faulted {
            self.units.issued(self.warps.cycle, decoded.class, done);
            self.happened.late += u64::from(!shared.alive);
            self.happened.ignored += 1;
            self.happened.ignored_control += u64::from(decoded.control);
            return Ok(());
        }
        let (cta, block) = shared.stands.expect("it runs");
        let job = self.ctas[cta].job.as_mut().expect("it runs");
        job.swap(&mut self.shared);
        let before = job.lanes.narrowed;
        let mut resolve = job.lanes.resolve(block, pc, mask);
        let narrowed = job.lanes.narrowed - before;
        self.happened.without_threads += u64::from(mask == 0);
        self.happened.narrowed += narrowed;
        self.happened.narrowed_second += u64::from(issue.second) * narrowed;
        let barrier = job.lanes.barrier();
        let asked = job.lanes.asked();
        if let Some(level) = asked.level {
            self.levels.push_back((warp, level));
        }
        match asked.counter {
            None => self.units.issued(self.warps.cycle, decoded.class, done),
            Some(read) => self.readings.push_back(Reading {
                stands: (cta, block),
                select: counter_select(read.number, warp, self.partitions.len()),
                class: decoded.class,
                selected: None,
                read,
                done,
            }),
        }
        let faults = resolve.op == Op::Fault as u8;
        if decoded.control {
            job.swap(&mut self.shared);
            slot.resolved = false;
            slot.resolve = resolve;
            self.happened.control_faults += u64::from(faults);
        } else {
            self.happened.other_faults += u64::from(faults);
            slot.faulted = faults;
            if !faults && resolve.op != Op::Next as u8 {
                return self.rule(format!("{issue:x?} is a control operation: {resolve:x?}"));
            }
            if let Some(machine) = job.golden.as_mut().filter(|_| shared.woken) {
                machine.warp_mut(block).defer_forced_yield();
            }
            let expected = job.golden.as_mut().map(|m| match m.is_runnable(block) {
                true => m.step_by(block, |_, _, _| Told::default()).map_err(Some),
                false => Err(None),
            });
            job.swap(&mut self.shared);
            let (depth, front) = slot.deque;
            let seen = Record {
                depth,
                front,
                ..self.warps.next_of(&issue)
            };
            self.stepped(warp, faults.then_some(resolve.kind), seen, expected)?;
            if !faults {
                self.observe(&seen, &resolve);
            }
        }
        if decoded.control || faults {
            match &mut self.noise {
                Some(noise) if resolve.op != Op::Barrier as u8 => {
                    resolve = noise.apply(resolve, mask);
                }
                _ => {}
            }
            let answer = Answer {
                warp,
                pc,
                resolve,
                barrier,
                active: mask,
            };
            self.units.answer(self.warps.cycle, answer);
        }
        Ok(())
    }

    /// An instruction that is not `control`, against the model's step. Depth and front token do not show here.
    pub(super) fn stepped(
        &mut self,
        warp: usize,
        fault: Option<u8>,
        seen: Record,
        expected: Option<Result<Record, Option<Fault>>>,
    ) -> Result<(), CoreError> {
        let agree = match (&expected, fault) {
            (None, _) => return Ok(()),
            (Some(Ok(model)), None) => {
                *model
                    == Record {
                        depth: model.depth,
                        front: model.front,
                        ..seen
                    }
            }
            (Some(Err(Some(f))), Some(code)) => f.pc == seen.pc * 4 && f.cause.code() == code,
            _ => false,
        };
        let hardware = match fault {
            None => line(&seen),
            Some(code) => format!("fault at {:#x}, cause {code}", seen.pc * 4),
        };
        if !agree {
            let model = expected.as_ref().map_or("no model".into(), said);
            return self.mismatch(warp, "an issued instruction", hardware, model);
        }
        if let Some(Ok(record)) = expected {
            self.warps.note(warp, record);
        }
        Ok(())
    }

    pub(super) fn observe(&mut self, record: &Record, resolve: &Resolve) {
        let event = Retired {
            cycle: self.warps.cycle,
            record,
            resolve,
            before: None,
            after: None,
            began: Default::default(),
            issued: true,
        };
        self.observers.iter_mut().for_each(|o| o.retired(&event));
    }
}
