//! What a warp issues, and the golden machine's step: its accesses, the rows that must come.

use super::{in_sm, lanes, Access, Expected, Flight, Lockstep, Ordered};
use crate::core::decode::MEMORY;
use crate::lockstep::line;
use crate::sm::ports::{op, LINE};
use crate::sm::report::SmError;
use crate::sm::shadow::Word;
use crate::warps::{said, Issue};
use weft_isa::{Instr, LoadWidth, MulOp};
use weft_sim::barrier::Answer as Told;
use weft_sim::issue::Decoded;
use weft_sim::lane::data_address;
use weft_sim::memory::MEMORY_BASE;
use weft_sim::space::{load_size, store_size, Answers, LOCAL};
use weft_sim::view::Order;
use weft_sim::{FaultCause, Record};

/// What the dividers do.
const DIVISIONS: [MulOp; 4] = [MulOp::Div, MulOp::Divu, MulOp::Rem, MulOp::Remu];

impl Lockstep<'_> {
    pub(super) fn check_issue(&self, issue: &Issue, decoded: &Decoded) -> Result<(), SmError> {
        let Issue { warp, pc, word, .. } = *issue;
        self.judged(self.warps.follows(issue))?;
        let right = self.program_word(pc);
        let written = self.text.of(warp, pc * 4);
        let may = match &written {
            Some(words) => words.contains(&word),
            None => right.is_none_or(|right| right == word),
        };
        if !may {
            let right = written.map_or(format!("{right:x?}"), |words| format!("one of {words:x?}"));
            return self.rule(format!(
                "warp {warp}: the word at {:#x} is {right}: {issue:x?}",
                pc * 4
            ));
        }
        let flights = self.slots[warp].flights.iter();
        let open: Vec<&Flight> = flights.filter(|f| !f.done).collect();
        let pending = |x: u8| open.iter().any(|f| f.rd == Some(x));
        // Whatever the word names, a third source among them.
        let instr = weft_isa::decode(word).ok().filter(|_| !decoded.control);
        let named = instr.map_or([None; 4], |instr| instr.registers());
        let used = [decoded.rd, decoded.rs1, decoded.rs2]
            .into_iter()
            .chain(named)
            .flatten();
        let unhindered = self
            .warps
            .unhindered(issue, decoded, used, open.len(), pending);
        self.judged(unhindered)
    }

    /// `None`: outside the program; there may be data. Zeros where there is no memory, or it answers with an error.
    pub(super) fn program_word(&self, pc: u32) -> Option<u32> {
        let at = pc * 4;
        let mapped = (MEMORY_BASE..self.bounds.memory).contains(&at);
        if !mapped || self.options.bad_lines.contains(&(at & !(LINE - 1))) {
            return Some(0);
        }
        let (start, end) = self.program.text;
        (start..end).contains(&at).then(|| self.program_at(at))
    }

    pub(super) fn program_at(&self, at: u32) -> u32 {
        let of = self.program.segments.iter().find(|s| {
            let end = s.address + s.bytes.len() as u32;
            s.address <= at && at + 4 <= end
        });
        of.map_or(0, |s| {
            let n = (at - s.address) as usize;
            u32::from_le_bytes(s.bytes[n..n + 4].try_into().expect("four bytes"))
        })
    }

    pub(super) fn issued(&mut self, issue: &Issue) -> Result<(), SmError> {
        let decoded = in_sm(issue.word, self.shape.float > 0);
        self.check_issue(issue, &decoded)?;
        let Issue { warp, pc, .. } = *issue;
        let instr = weft_isa::decode(issue.word).ok();
        self.event = self.warps.cycle;
        self.seen.issued += 1;
        if !self.text.is_constant() {
            if let Some((golden, _)) = self.golden(warp) {
                golden.set_instruction(pc * 4, issue.word);
            }
        }
        let width = self.shape.threads;
        self.warps.issued(issue, decoded.control);
        let slot = &mut self.slots[warp];
        (slot.since, slot.supplied) = (self.warps.cycle, true);
        slot.arrives = matches!(instr, Some(Instr::Barrier { .. }));
        let loose = slot.fault.is_some() || !self.warps[warp].alive;
        slot.serial += 1;
        let mut flight = Flight {
            serial: slot.serial,
            rd: decoded.rd,
            control: decoded.control,
            fence: matches!(instr, Some(Instr::Fence { .. })),
            memory: decoded.class == MEMORY && !decoded.control,
            divides: matches!(instr, Some(Instr::Mul { op, .. }) if DIVISIONS.contains(&op)),
            done: false,
            stepped: loose,
            loose,
            regular: self.mode.issued(warp, pc),
            ignored: slot.known || slot.reported,
            acting: 0,
            expected: vec![None; width],
            waits: 0,
            told: false,
            seen: vec![None; width],
        };
        self.seen.fences += u64::from(flight.fence);
        let order = instr.map(Order::of).unwrap_or_default();
        let orders = (order.settles || order.forgets) && instr != Some(Instr::FenceI);
        if orders && !flight.fence && !loose {
            self.slots[warp].ordered.push(Ordered {
                serial: flight.serial,
                acquires: order.forgets,
                acted: false,
            });
        }
        self.seen.ignored += u64::from(loose);
        if !loose {
            if let (Some(instr), Some((golden, block))) = (instr, self.golden(warp)) {
                flight.acting = golden.acting(block, instr).unwrap_or(0);
                let predicated = !decoded.control && flight.acting != issue.mask;
                self.seen.predicated += u64::from(predicated);
                self.seen.predicated_away += u64::from(predicated && flight.acting == 0);
            }
            self.seen.without_threads += u64::from(issue.mask == 0);
            if let (Some(Instr::Float(float)), false) = (instr, decoded.control) {
                let predicated = flight.acting != issue.mask && flight.acting != 0;
                self.seen.float(float, decoded.drain, predicated);
            }
            match decoded.control {
                // A link is known; the others' results come with the step.
                true => {}
                false => self.step(issue, instr, &mut flight)?,
            }
        }
        let lanes = self.shape.lanes;
        let parts = (0..self.shape.parts()).filter(|p| {
            let part = flight.acting >> (p * lanes);
            part.trailing_zeros() < lanes as u32
        });
        let turns = match instr {
            Some(Instr::Float(float)) if !decoded.control => self.shape.turns(float),
            _ => 1,
        };
        let parts = parts.count();
        if flight.divides && !loose {
            let mut others = self.slots.iter().flat_map(|slot| &slot.flights);
            let beside = others.any(|other| other.divides && !other.done);
            self.seen.division(parts, beside);
        }
        let passes = parts.max(1) as u64 * turns;
        self.passes_until = self.passes_until.max(self.warps.cycle) + passes;
        self.slots[warp].flights.push_back(flight);
        Ok(())
    }

    /// The golden machine executes an instruction that is not control.
    pub(super) fn step(
        &mut self,
        issue: &Issue,
        instr: Option<Instr>,
        flight: &mut Flight,
    ) -> Result<(), SmError> {
        let Issue { warp, pc, .. } = *issue;
        let accesses = self.accesses(warp, instr, flight.acting);
        self.count_lines(&accesses);
        let mut answers: Answers = vec![None; self.shape.threads];
        let mut suspects = Vec::new();
        for (lane, access, cause) in &accesses {
            answers[*lane] = Some(match cause {
                Some(cause) => {
                    suspects.push((*lane as u32, *cause));
                    Err(*cause)
                }
                None => Ok(0),
            });
            let bad = self.is_bad(*lane, warp, access);
            if cause.is_none() || bad {
                let serial = flight.serial;
                let access = *access;
                self.slots[warp].expected[*lane].push_back(Expected {
                    serial,
                    access,
                    bad,
                    regular: flight.regular,
                });
            }
        }
        let woken = self.warps[warp].woken;
        let (golden, block) = self.golden(warp).expect("it runs");
        if woken {
            golden.warp_mut(block).defer_forced_yield();
        }
        golden.tell(answers);
        let expected = match golden.is_runnable(block) {
            true => golden
                .step_by(block, |_, _, _| Told::default())
                .map_err(Some),
            false => Err(None),
        };
        flight.stepped = true;
        let seen = self.warps.next_of(issue);
        match expected {
            Ok(record)
                if record
                    == Record {
                        depth: record.depth,
                        front: record.front,
                        ..seen
                    } =>
            {
                self.warps.note(warp, record)
            }
            Err(Some(fault)) if fault.pc == pc * 4 => {
                if suspects.is_empty() {
                    suspects.push((fault.lane, fault.cause));
                }
                flight.loose = true;
                self.faulted(warp, fault, suspects)?;
                return Ok(());
            }
            other => {
                let model = said(&other);
                return self.mismatch(warp, "an issued instruction", line(&seen), model);
            }
        }
        self.seen.thread_instructions += u64::from(flight.acting.count_ones());
        let memory = !accesses.is_empty();
        flight.told = instr.is_some_and(is_told);
        self.seen.counters_read += u64::from(flight.told);
        if let Some(rd) = flight.rd {
            flight.waits = if memory { flight.acting } else { 0 };
            if !memory && !flight.told {
                self.expect_rows(warp, rd, flight);
            }
        }
        Ok(())
    }

    /// How many lines of global memory an instruction asks for.
    pub(super) fn count_lines(&mut self, accesses: &[(usize, Access, Option<FaultCause>)]) {
        let global = accesses.iter().filter(|(_, _, cause)| cause.is_none());
        let lines = global.map(|(_, access, _)| access.address / LINE);
        let mut lines: Vec<u32> = lines.filter(|line| *line < LOCAL / LINE).collect();
        if !lines.is_empty() {
            lines.sort_unstable();
            lines.dedup();
            self.seen.accesses += 1;
            self.seen.lines += lines.len() as u64;
        }
    }

    /// The accesses of an instruction, by lane, each with its fault if it must have one.
    pub(super) fn accesses(
        &mut self,
        warp: usize,
        instr: Option<Instr>,
        acting: u64,
    ) -> Vec<(usize, Access, Option<FaultCause>)> {
        let bounds = self.bounds;
        let Some(instr) = instr else {
            return Vec::new();
        };
        let mut list = Vec::new();
        for lane in lanes(acting) {
            let (golden, block) = self.golden(warp).expect("it runs");
            let thread = *golden.thread(block, lane);
            let Some(address) = data_address(instr, &thread) else {
                return list;
            };
            let register = |x: u8| thread.registers[usize::from(x)];
            let plain = Access {
                op: op::LOAD,
                size: 4,
                signed: false,
                amo: None,
                address,
                data: 0,
                rd: None,
            };
            let access = match instr {
                Instr::Load { width, rd, .. } => Access {
                    size: load_size(width),
                    signed: matches!(width, LoadWidth::I8 | LoadWidth::I16),
                    rd: Some(rd),
                    ..plain
                },
                Instr::Store { width, rs2, .. } => Access {
                    op: op::STORE,
                    size: store_size(width),
                    data: register(rs2),
                    ..plain
                },
                Instr::LoadReserved { rd, .. } => Access {
                    op: op::LR,
                    rd: Some(rd),
                    ..plain
                },
                Instr::StoreConditional { rd, rs2, .. } => Access {
                    op: op::SC,
                    data: register(rs2),
                    rd: Some(rd),
                    ..plain
                },
                Instr::Amo {
                    op: amo, rd, rs2, ..
                } => Access {
                    op: op::amo(amo),
                    amo: Some(amo),
                    data: register(rs2),
                    rd: Some(rd),
                    ..plain
                },
                _ => return list,
            };
            let mut cause = bounds.window(address, access.size).err();
            if cause.is_none() && self.is_bad(lane, warp, &access) {
                cause = Some(FaultCause::Bus { address });
            }
            list.push((lane, access, cause));
        }
        list
    }

    /// The line answers with an error. Not to an SC: it has no reservation there, since its LR has faulted, and fails
    /// without an access.
    pub(super) fn is_bad(&self, lane: usize, warp: usize, access: &Access) -> bool {
        if self.options.bad_lines.is_empty() || access.op == op::SC {
            return false;
        }
        match self.shadow.word(&self.who(warp, lane), access.address) {
            Ok(Word::Physical(at)) => self.options.bad_lines.contains(&(at & !63)),
            _ => false,
        }
    }
}

/// Its value is the hardware's to say (ISA-011, ISA-013).
fn is_told(instr: Instr) -> bool {
    match instr {
        Instr::Csr { csr, .. } => {
            matches!(csr, 0xc00..=0xc02 | 0xc80..=0xc82 | 0xcd0..=0xcd8 | 0xce0..=0xce6)
        }
        _ => false,
    }
}
