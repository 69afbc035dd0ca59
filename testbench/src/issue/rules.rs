//! Monitors of the ports of `weft_scheduler`. They know the instruction memory and the specification, but not the
//! model.

use super::code::{decode, PC_MASK};
use super::device::Size;
use std::collections::VecDeque;
use weft_sim::issue::{Decoded, Inputs, Outputs};

/// Most instructions of a warp in flight when one more is issued.
const FLIGHT: u32 = 28;
/// Index in the past of the cycle in which a warp that issues now was a candidate, and of the one whose `unit_ahead`
/// counted for it (SCHED-010).
const CANDIDATE: usize = 2;
const ASKED: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Number of the requirement.
    pub rule: &'static str,
    pub text: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.rule, self.text)
    }
}

macro_rules! require {
    ($holds:expr, $rule:literal, $($text:tt)*) => {
        if !$holds {
            return Err(Violation { rule: $rule, text: format!($($text)*) });
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// Since a stop in this cycle, or since ever.
    Stopped(u64),
    Runs,
    /// For the start after a control operation.
    Waits,
}

/// A register that an instruction in flight writes, or wrote.
#[derive(Clone, Copy, Debug, Default)]
struct Register {
    pending: bool,
    /// Cycle of its last `done`.
    done: u64,
}

#[derive(Clone, Debug)]
struct Warp {
    flow: Flow,
    /// Address of the instruction that comes next.
    next: u32,
    mask: u64,
    registers: [Register; 32],
    flight: u32,
    /// Cycles of the last `done`s: as many as can come too late for an issue.
    dones: [u64; 5],
    /// Cycle of the last issue at the ports.
    issued: Option<u64>,
    /// Line asked for and not there yet, per slot.
    awaited: [Option<u32>; 2],
    level: u8,
    /// Since when nothing has changed that decides whether its next instruction can go.
    quiet: u64,
    /// Grants to other warps of its level while it was a candidate for sure.
    passed_over: usize,
    /// Cycle in which its start was predicted.
    predicted: Option<u64>,
}

/// What was at the inputs some cycles ago.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    unit_free: u8,
    unit_ahead: u8,
    hold: u64,
    slow: u8,
    policy: u8,
}

impl Past {
    fn by_age(&self) -> bool {
        matches!(self.policy, 0 | 3)
    }
}

pub struct Rules {
    size: Size,
    now: u64,
    warps: Vec<Warp>,
    /// Of the cycles before, the last one first.
    past: VecDeque<Past>,
    /// `granted_class` of the last two cycles, the last one first.
    classes: [u8; 2],
    /// A request that must stay.
    request: Option<(u8, u32)>,
    /// Since when the request register has been free.
    unasked: u64,
    /// Cycle of the last level write.
    leveled: u64,
    reset: bool,
    /// Grants that were looked at for SCHED-030.
    pub judged: u64,
}

fn bit(bits: u64, at: usize) -> bool {
    bits >> at & 1 == 1
}

impl Rules {
    pub fn new(size: Size) -> Rules {
        Rules {
            size,
            now: 0,
            warps: vec![Warp::new(); size.warps],
            past: VecDeque::from(vec![Past::default(); 5]),
            classes: [0; 2],
            request: None,
            unasked: 0,
            leveled: 0,
            reset: false,
            judged: 0,
        }
    }

    /// The warp waits in this cycle, to be asked before [`cycle`](Self::cycle): for the answer to a control operation
    /// that was issued before, or that shows at the ports now.
    pub fn waits_now(&self, warp: usize, o: &Outputs) -> bool {
        let control = o.issue_decoded.control || o.second_valid && o.second_decoded.control;
        let shows = o.issue_valid && usize::from(o.issue_warp) == warp && control;
        match self.warps[warp].flow {
            Flow::Runs => shows,
            Flow::Waits => true,
            Flow::Stopped(_) => false,
        }
    }

    /// One cycle. `word`: the instruction memory. Before the first reset nothing is looked at.
    pub fn cycle(
        &mut self,
        i: &Inputs,
        o: &Outputs,
        word: &dyn Fn(u32) -> u32,
    ) -> Result<(), Violation> {
        if self.reset {
            self.status(o)?;
            if o.issue_valid {
                self.issue(o, word)?;
            }
            require!(
                o.issue_valid || !o.second_valid,
                "SCHED-022",
                "second_valid without issue_valid"
            );
            self.fetch(i, o)?;
            require!(
                o.granted_class.count_ones() <= 1,
                "SCHED-011",
                "granted_class {:#b}",
                o.granted_class
            );
        }
        self.classes = [o.granted_class, self.classes[0]];
        if i.reset {
            let judged = self.judged;
            *self = Rules {
                now: self.now,
                reset: true,
                judged,
                ..Rules::new(self.size)
            };
        } else {
            self.inputs(i);
        }
        self.past.pop_back();
        self.past.push_front(Past {
            unit_free: i.unit_free,
            unit_ahead: i.unit_ahead,
            hold: i.hold,
            slow: i.cfg_slow,
            policy: i.cfg_policy,
        });
        self.now += 1;
        Ok(())
    }

    fn status(&self, o: &Outputs) -> Result<(), Violation> {
        for (number, warp) in self.warps.iter().enumerate() {
            let runs = !matches!(warp.flow, Flow::Stopped(_));
            require!(
                bit(o.status_running, number) == runs,
                "SCHED-028",
                "status_running of warp {number} is {}",
                !runs
            );
        }
        // What is at `issue_*` now is in flight already.
        let issuing = |number| match o.issue_valid && usize::from(o.issue_warp) == number {
            true => 1 + u32::from(o.second_valid),
            false => 0,
        };
        for (number, warp) in self.warps.iter().enumerate() {
            let flight = warp.flight + issuing(number);
            require!(
                bit(o.status_flight, number) == (flight != 0),
                "SCHED-023",
                "warp {number} has {flight} in flight, status_flight says otherwise"
            );
        }
        Ok(())
    }

    fn issue(&mut self, o: &Outputs, word: &dyn Fn(u32) -> u32) -> Result<(), Violation> {
        let (now, number) = (self.now, usize::from(o.issue_warp));
        require!(number < self.size.warps, "ports", "issue of warp {number}");
        let warp = &self.warps[number];
        match warp.flow {
            Flow::Runs => {}
            Flow::Waits => require!(
                false,
                "SCHED-031",
                "warp {number} issues past a control operation"
            ),
            // A stop takes effect in the cycle after it, and an issue shows one cycle after its stage.
            Flow::Stopped(since) => require!(
                now == since + 1,
                "SCHED-020",
                "warp {number} issues, stopped in cycle {since}"
            ),
        }
        require!(
            warp.issued.is_none_or(|cycle| cycle + 2 < now),
            "SCHED-010",
            "warp {number} issues twice in {} cycles",
            3
        );
        require!(
            o.issue_pc == warp.next,
            "SCHED-031",
            "warp {number} issues {:#x}, next is {:#x}",
            o.issue_pc,
            warp.next
        );
        require!(
            o.issue_mask == warp.mask,
            "SCHED-028",
            "mask {:#x} of warp {number}, started with {:#x}",
            o.issue_mask,
            warp.mask
        );
        let first = expected(word(o.issue_pc), o.issue_word, o.issue_decoded)?;
        require!(
            self.classes[1] == 1 << first.class,
            "SCHED-011",
            "an instruction of class {}; granted_class was {:#b} 2 cycles ago",
            first.class,
            self.classes[1]
        );
        require!(
            !bit(self.past[CANDIDATE].hold, number),
            "SCHED-010",
            "warp {number} issues, which was held when it was a candidate"
        );
        require!(
            bit(self.past[ASKED].unit_ahead.into(), first.class.into()),
            "SCHED-010",
            "warp {number} issues to class {}, which was not free ahead for a candidate",
            first.class
        );
        self.hazards(number, first, 4)?;
        let flight = self.in_flight(number, 4);
        require!(
            flight < FLIGHT,
            "SCHED-025",
            "warp {number} issues with {flight} in flight"
        );
        require!(
            !first.drain || flight == 0,
            "SCHED-025",
            "a drain instruction of warp {number} with {flight} in flight"
        );
        self.starvation(number)?;
        let mut next = o.issue_pc.wrapping_add(1) & PC_MASK;
        let mut all = vec![first];
        if o.second_valid {
            let second = expected(word(next), o.second_word, o.second_decoded)?;
            self.second(number, first, second)?;
            next = next.wrapping_add(1) & PC_MASK;
            all.push(second);
        }
        let warp = &mut self.warps[number];
        warp.next = next;
        warp.issued = Some(now);
        for d in all {
            warp.flight += 1;
            if let Some(rd) = d.rd {
                warp.registers[usize::from(rd)].pending = true;
            }
            if d.control && warp.flow == Flow::Runs {
                warp.flow = Flow::Waits;
            }
        }
        (warp.quiet, warp.passed_over) = (now, 0);
        Ok(())
    }

    /// `before`: cycles from the decision to the issue port.
    fn unit(&self, d: Decoded, before: usize, number: usize) -> Result<(), Violation> {
        require!(
            bit(self.past[before - 1].unit_free.into(), d.class.into()),
            "SCHED-010",
            "warp {number} issues to class {}, which was not free {before} cycles ago",
            d.class
        );
        Ok(())
    }

    /// None of the registers is pending, and none became free too late: less than `before` cycles ago.
    fn hazards(&self, number: usize, d: Decoded, before: u64) -> Result<(), Violation> {
        for (what, register) in [("rd", d.rd), ("rs1", d.rs1), ("rs2", d.rs2)] {
            let Some(register) = register else { continue };
            let r = self.warps[number].registers[usize::from(register)];
            require!(
                !r.pending && (r.done == 0 || r.done + before <= self.now),
                "SCHED-025",
                "warp {number} issues while its {what}, x{register}, is pending"
            );
        }
        Ok(())
    }

    /// Without the `done`s that came less than `before` cycles ago.
    fn in_flight(&self, number: usize, before: u64) -> u32 {
        let warp = &self.warps[number];
        let late = warp
            .dones
            .iter()
            .filter(|&&d| d != 0 && d + before > self.now);
        warp.flight + late.count() as u32
    }

    fn second(&self, number: usize, first: Decoded, second: Decoded) -> Result<(), Violation> {
        let refused = |why: &str| Violation {
            rule: "SCHED-021",
            text: format!("warp {number} issues a second instruction: {why}"),
        };
        if !self.size.dual {
            return Err(refused("single issue"));
        }
        if first.control {
            return Err(refused("past a control operation"));
        }
        if second.drain {
            return Err(refused("drain"));
        }
        if first.class == second.class {
            return Err(refused("the same class"));
        }
        if bit(self.past[0].slow.into(), second.class.into()) {
            return Err(refused("a slow class"));
        }
        self.unit(second, 1, number)?;
        self.hazards(number, second, 1)?;
        let used = |r| r == first.rd && first.rd.is_some();
        if used(second.rd) || used(second.rs1) || used(second.rs2) {
            return Err(refused("it depends on the first"));
        }
        if self.in_flight(number, 1) + 1 > FLIGHT {
            return Err(refused("too many in flight"));
        }
        Ok(())
    }

    /// The next instruction of a warp in which nothing has changed for so long, and for which no line had to be asked
    /// for, is at the picker.
    fn patience(&self) -> u64 {
        2 * self.size.warps as u64 + 32
    }

    /// SCHED-030, as far as it can be seen: the granted warp `number` was preferred to others, 3 cycles ago.
    fn starvation(&mut self, number: usize) -> Result<(), Violation> {
        let level = self.warps[number].level;
        let (past, warps) = (self.past[ASKED], self.size.warps);
        let (patience, bound) = (self.patience(), warps - 1);
        let steady = self.leveled + 5 < self.now && self.unasked + patience < self.now;
        if !steady || !self.past.iter().all(Past::by_age) {
            return Ok(());
        }
        for other in 0..warps {
            let warp = &self.warps[other];
            let ripe = other != number
                && warp.flow == Flow::Runs
                && warp.level >= level
                && warp.flight == 0
                && warp.quiet + patience < self.now
                && warp.awaited == [None; 2]
                && !self.past.iter().any(|past| bit(past.hold, other));
            if !ripe {
                continue;
            }
            // Its class is not known here: all must have been free.
            if past.unit_ahead != 31 {
                continue;
            }
            self.judged += 1;
            let warp = &mut self.warps[other];
            require!(
                warp.level == level,
                "SCHED-012",
                "warp {number} of level {level} goes before warp {other} of level {}",
                warp.level
            );
            warp.passed_over += 1;
            require!(
                warp.passed_over <= bound,
                "SCHED-030",
                "warp {other} waits for {} grants to warps of its level",
                warp.passed_over
            );
        }
        Ok(())
    }

    fn fetch(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        let shown = o.fetch_valid.then_some((o.fetch_warp, o.fetch_line));
        if let Some(request) = self.request {
            require!(
                shown == Some(request),
                "SUPPLY-021",
                "the request {request:x?} was not taken, now {shown:x?}"
            );
        }
        if let Some((number, line)) = shown.filter(|_| self.request.is_none()) {
            let number = usize::from(number);
            require!(
                number < self.size.warps,
                "ports",
                "a line for warp {number}"
            );
            let slot = &mut self.warps[number].awaited[(line & 1) as usize];
            require!(
                slot.is_none(),
                "SUPPLY-020",
                "warp {number} asks for line {line:#x} before {:#x} is there",
                slot.unwrap_or(0)
            );
            *slot = Some(line);
        }
        if shown.is_some() {
            self.unasked = self.now + 1;
        }
        self.request = shown.filter(|_| !i.fetch_ready);
        Ok(())
    }

    fn inputs(&mut self, i: &Inputs) {
        let now = self.now;
        let dones = [
            (i.done0_valid, i.done0_warp, i.done0_rd),
            (i.done1_valid, i.done1_warp, i.done1_rd),
        ];
        for (_, number, rd) in dones.into_iter().filter(|d| d.0) {
            let warp = &mut self.warps[usize::from(number)];
            warp.flight = warp.flight.checked_sub(1).expect("a done for an issue");
            warp.dones.rotate_right(1);
            warp.dones[0] = now;
            warp.quiet = now;
            if let Some(rd) = rd {
                warp.registers[usize::from(rd)] = Register {
                    pending: false,
                    done: now,
                };
            }
        }
        if i.line_valid {
            let warp = &mut self.warps[usize::from(i.line_warp)];
            let line = warp.awaited[usize::from(i.line_slot)].take();
            assert!(line.is_some(), "the bench answers what was not asked for");
            (warp.quiet, warp.passed_over) = (now, 0);
        }
        if i.predict_valid {
            let warp = &mut self.warps[usize::from(i.predict_warp)];
            assert!(
                warp.flow == Flow::Waits && warp.predicted.is_none(),
                "the bench predicts warp {}, which waits for no start or was predicted",
                i.predict_warp
            );
            warp.predicted = Some(now);
        }
        if i.start_valid {
            let warp = &mut self.warps[usize::from(i.start_warp)];
            assert!(
                warp.predicted.take().is_none_or(|cycle| cycle + 2 <= now),
                "the bench starts warp {} too early behind its prediction",
                i.start_warp
            );
            assert!(
                match warp.flow {
                    Flow::Runs => false,
                    Flow::Waits => true,
                    Flow::Stopped(since) => since == 0 || now >= since + 4,
                },
                "the bench starts warp {} too early",
                i.start_warp
            );
            warp.flow = Flow::Runs;
            (warp.next, warp.mask) = (i.start_pc, i.start_mask);
            (warp.quiet, warp.passed_over, warp.issued) = (now, 0, None);
        }
        if i.stop_valid {
            let warp = &mut self.warps[usize::from(i.stop_warp)];
            (warp.flow, warp.predicted) = (Flow::Stopped(now), None);
        }
        if i.cfg_policy == 1 {
            self.warps.iter_mut().for_each(|warp| warp.level = 0);
            self.leveled = now;
        } else if i.level_valid && self.past[0].policy != 1 {
            self.warps[usize::from(i.level_warp)].level = i.level_value;
            self.leveled = now;
        }
        if i.level_valid || !matches!(i.cfg_policy, 0 | 3) || i.flush {
            for warp in &mut self.warps {
                warp.passed_over = 0;
            }
        }
    }
}

impl Warp {
    fn new() -> Warp {
        Warp {
            flow: Flow::Stopped(0),
            next: 0,
            mask: 0,
            registers: [Register::default(); 32],
            flight: 0,
            dones: [0; 5],
            issued: None,
            awaited: [None; 2],
            level: 0,
            quiet: 0,
            passed_over: 0,
            predicted: None,
        }
    }
}

/// The instruction at the ports must be the one in memory.
fn expected(memory: u32, word: u32, decoded: Decoded) -> Result<Decoded, Violation> {
    require!(
        word == memory,
        "SCHED-031",
        "instruction {word:#010x}, in memory {memory:#010x}"
    );
    let right = decode(memory);
    require!(
        decoded == right,
        "SCHED-022",
        "{word:#010x} decoded as {decoded:?}, is {right:?}"
    );
    Ok(right)
}
