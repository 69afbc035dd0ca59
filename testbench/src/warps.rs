//! The rules of warps at the ports that `weft_core` and `weft_sm` share, once for both judges: what a warp may issue, what
//! it may retire, what the barrier unit is asked and says, whom it wakes.
//!
//! A judge tells them what it sees, and keeps what only it knows: the core's units and counters, the SM's accesses and
//! rows. The golden machines are the judge's; here they only do what has retired.

use crate::barrier::{device::Size, rules::Rules};
use crate::lockstep::line;
use std::collections::VecDeque;
use std::ops::{Index, IndexMut};
use weft_sim::barrier::{Answer as Told, Judge, Op as BarrierOp, OpCode, Params, Ports};
use weft_sim::barrier::{Verdict, VerdictKind, Wake};
use weft_sim::convergence::PC_MASK;
use weft_sim::issue::Decoded;
use weft_sim::{Event, Fault, Machine, Record};

/// How many records of a warp a failure shows.
const HISTORY: usize = 16;

/// Instructions that the scheduler still gives when an exception has been reported: it hears of it one cycle later, and
/// what is in its issue stage comes out after that.
const LATE: u64 = 2;

/// Most instructions of a warp in flight (SCHED-021, SCHED-025).
const FLIGHT: usize = 29;

/// What a judge has found.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// A rule of the ports is broken.
    Rule(String),
    /// The hardware did something else than the golden machine.
    Differs {
        warp: usize,
        what: String,
        hardware: String,
        model: String,
        history: String,
    },
}

/// An instruction at the issue port.
#[derive(Clone, Copy, Debug)]
pub struct Issue {
    pub warp: usize,
    pub pc: u32,
    pub mask: u64,
    pub word: u32,
    /// It comes beside the one before it.
    pub second: bool,
}

/// What the convergence unit has taken from the barrier unit and not retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    Verdict(Verdict),
    Wake(Wake),
}

/// A warp slot.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// CTA and block of the latest launch.
    pub stands: Option<(usize, usize)>,
    pub alive: bool,
    /// Where the next instruction is to come from, with which threads.
    pub pc: u32,
    pub mask: u64,
    /// A control instruction was issued and has not retired.
    pub control: Option<Issue>,
    /// Given to the barrier unit.
    pub asked: Option<BarrierOp>,
    pub accepted: Option<Accepted>,
    /// Threads were woken beside those that run; since the last control operation.
    pub woken: bool,
    /// CONV-151: nobody runs, until a wake.
    pub blocked: bool,
    /// Cycle of the exception that has ended it.
    pub excepted: Option<u64>,
    pub launches: u64,
    /// Of all its launches.
    pub issued: u64,
    history: History,
}

/// What a warp has done, with its cycles: the latest last. A failure shows it line by line, a slot does not.
#[derive(Clone, Default)]
struct History(VecDeque<(u64, Record)>);

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} operations", self.0.len())
    }
}

/// An operation at the retire port, with where it began.
#[derive(Clone, Copy, Debug)]
pub struct Retiring {
    pub record: Record,
    pub forced: bool,
    /// By a wake.
    pub wakes: bool,
    /// Its warp ran and goes on: where it is the convergence unit does not know between two control operations.
    pub runs: bool,
}

pub struct WarpRules {
    slots: Vec<Slot>,
    pub cycle: u64,
    /// The barrier unit is compared with its model; `None`: it is not, or nobody can say any more what it was asked.
    pub barrier_model: Option<Judge>,
    /// Rules of its ports that know no model; `None`: nobody can say any more what it was asked.
    pub barrier_rules: Option<Rules>,
    /// What stands between the barrier unit and the convergence unit (CORE-017).
    told: Option<Verdict>,
    wake: Option<Wake>,
}

impl Index<usize> for WarpRules {
    type Output = Slot;

    fn index(&self, warp: usize) -> &Slot {
        &self.slots[warp]
    }
}

impl IndexMut<usize> for WarpRules {
    fn index_mut(&mut self, warp: usize) -> &mut Slot {
        &mut self.slots[warp]
    }
}

fn rule<T>(detail: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong::Rule(detail.into()))
}

impl WarpRules {
    /// `model`: the barrier unit's model judges it, too.
    pub fn new(warps: usize, threads: usize, model: bool) -> WarpRules {
        WarpRules {
            slots: vec![Slot::default(); warps],
            cycle: 0,
            barrier_model: model.then(|| Judge::new(Params { warps, threads })),
            barrier_rules: Some(Rules::new(Size { warps, threads })),
            told: None,
            wake: None,
        }
    }

    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Nothing stands at the barrier unit or behind it.
    pub fn is_quiet(&self) -> bool {
        let judge = self.barrier_model.as_ref().is_none_or(Judge::is_quiet);
        judge && self.told.is_none() && self.wake.is_none()
    }

    pub fn differs<T>(
        &self,
        warp: usize,
        what: impl Into<String>,
        hardware: impl Into<String>,
        model: impl Into<String>,
    ) -> Result<T, Wrong> {
        let mut history = String::from("\n  before that:");
        for (cycle, record) in &self.slots[warp].history.0 {
            history += &format!("\n    {cycle:>8} {}", line(record));
        }
        Err(Wrong::Differs {
            warp,
            what: what.into(),
            hardware: hardware.into(),
            model: model.into(),
            history,
        })
    }

    pub fn note(&mut self, warp: usize, record: Record) {
        let cycle = self.cycle;
        let history = &mut self.slots[warp].history.0;
        if history.len() == HISTORY {
            history.pop_front();
        }
        history.push_back((cycle, Record { warp, ..record }));
    }

    /// A warp begins in a slot.
    pub fn launched(&mut self, warp: usize, stands: (usize, usize), (pc, mask): (u32, u64)) {
        let slot = &mut self.slots[warp];
        *slot = Slot {
            stands: Some(stands),
            alive: true,
            pc,
            mask,
            launches: slot.launches + 1,
            issued: slot.issued,
            ..Slot::default()
        };
    }

    // ---- Issue.

    /// It comes from the warp's next place, with its threads, past no control instruction.
    pub fn follows(&self, issue: &Issue) -> Result<(), Wrong> {
        let Issue { warp, pc, mask, .. } = *issue;
        let slot = &self.slots[warp];
        let late = slot.excepted.is_some_and(|at| self.cycle <= at + LATE);
        if !slot.alive && !late {
            return rule(format!("warp {warp} issues and does not run: {issue:x?}"));
        }
        if let Some(control) = slot.control {
            return rule(format!(
                "warp {warp} issues past a control instruction: {issue:x?}, {control:x?}"
            ));
        }
        if (pc, mask) != (slot.pc, slot.mask) {
            return rule(format!(
                "warp {warp}: lost or issued twice: {issue:x?}, next is {:#x} with {:#x}",
                slot.pc, slot.mask
            ));
        }
        Ok(())
    }

    /// It waits for no register. `flying`: instructions of the warp in flight; `pending`: one of them writes this one.
    pub fn unhindered(
        &self,
        issue: &Issue,
        decoded: &Decoded,
        registers: impl IntoIterator<Item = u8>,
        flying: usize,
        pending: impl Fn(u8) -> bool,
    ) -> Result<(), Wrong> {
        let warp = issue.warp;
        if let Some(x) = registers.into_iter().find(|&x| pending(x)) {
            return rule(format!(
                "warp {warp}: x{x} is pending: {issue:x?}, {decoded:?}"
            ));
        }
        if decoded.drain && (issue.second || flying != 0) {
            return rule(format!(
                "warp {warp}: {issue:x?}, {decoded:?} with {flying} in flight"
            ));
        }
        if flying >= FLIGHT {
            return rule(format!("warp {warp}: more than {FLIGHT} in flight"));
        }
        Ok(())
    }

    /// What an instruction that is not control does to its warp at the issue port.
    pub fn next_of(&self, issue: &Issue) -> Record {
        let next_pc = (issue.pc + 1) & PC_MASK;
        Record {
            warp: issue.warp,
            event: Event::Next,
            pc: issue.pc,
            mask: issue.mask,
            next_pc,
            next_mask: issue.mask,
            done: false,
            blocked: false,
            depth: 0,
            front: None,
            dropped: false,
        }
    }

    pub fn issued(&mut self, issue: &Issue, control: bool) {
        let slot = &mut self.slots[issue.warp];
        slot.pc = (issue.pc + 1) & PC_MASK;
        slot.control = control.then_some(*issue);
        slot.issued += 1;
    }

    // ---- The barrier unit.

    /// A KILL comes of an exception alone.
    pub fn killed(&self, warp: usize) -> Result<(), Wrong> {
        match self.slots[warp].excepted {
            Some(_) => Ok(()),
            None => rule(format!("KILL of warp {warp}")),
        }
    }

    /// The unit's ports in this cycle.
    pub fn barrier(&mut self, ports: &Ports) -> Result<(), Wrong> {
        if let Some(judge) = &mut self.barrier_model {
            if let Err(detail) = judge.cycle(ports) {
                return rule(format!("barrier unit: {detail}\n{ports:x?}"));
            }
        }
        if let Some(rules) = &mut self.barrier_rules {
            if let Err(violation) = rules.cycle(ports) {
                return rule(format!("barrier unit: {violation}\n{ports:x?}"));
            }
        }
        if let Some(op) = ports.taken().filter(|op| op.code.has_verdict()) {
            self.slots[op.warp].asked = Some(*op);
        }
        Ok(())
    }

    /// The convergence unit takes a verdict: it is what the barrier unit has said.
    pub fn verdict_taken(&mut self) -> Result<Verdict, Wrong> {
        let Some(verdict) = self.told.take() else {
            return rule("a verdict is taken that nobody has said");
        };
        self.slots[verdict.warp].accepted = Some(Accepted::Verdict(verdict));
        Ok(verdict)
    }

    /// The convergence unit takes a wake. The dead are not woken.
    pub fn wake_taken(&mut self) -> Result<Wake, Wrong> {
        let Some(wake) = self.wake.take() else {
            return rule("a wake is taken that nobody has said");
        };
        let slot = &mut self.slots[wake.warp];
        if slot.alive {
            slot.accepted = Some(Accepted::Wake(wake));
        }
        Ok(wake)
    }

    /// What the unit says in this cycle stands before the convergence unit from the next one on.
    pub fn answers(&mut self, ports: &Ports) -> Result<(), Wrong> {
        let verdict = ports.verdict.filter(|_| ports.verdict_ready);
        let wake = ports.wake.filter(|_| ports.wake_ready);
        if verdict.is_some() && self.told.is_some() || wake.is_some() && self.wake.is_some() {
            return rule("the barrier unit says more than can stand before the convergence unit");
        }
        self.told = verdict.or(self.told);
        self.wake = wake.or(self.wake);
        Ok(())
    }

    // ---- Retire.

    /// `shown`: as it stands at the port. `resolved`: so is the warp's control instruction.
    pub fn retires(&self, shown: &Record, resolved: bool) -> Result<Retiring, Wrong> {
        let warp = shown.warp;
        let slot = &self.slots[warp];
        let wakes = matches!(slot.accepted, Some(Accepted::Wake(_)));
        let forced = shown.event == Event::ForcedYield;
        let began = match (forced, slot.control) {
            _ if wakes => (shown.pc, slot.mask),
            (true, None) => (slot.pc, slot.mask),
            (false, Some(issue)) if resolved => (issue.pc, issue.mask),
            _ => return rule(format!("warp {warp} retires {}: {slot:x?}", line(shown))),
        };
        let record = Record {
            mask: began.1,
            next_pc: match shown.done || shown.blocked {
                true => 0,
                false => shown.next_pc,
            },
            front: shown.front.filter(|_| shown.depth != 0),
            ..*shown
        };
        if !slot.alive || record.pc != began.0 {
            return rule(format!("warp {warp} retires {}: {slot:x?}", line(&record)));
        }
        Ok(Retiring {
            record,
            forced,
            wakes,
            runs: wakes && !slot.blocked,
        })
    }

    /// The golden machine does what the hardware has retired. Of a barrier operation it is told the verdict;
    /// `Err(None)`: it does not run, or has another operation.
    pub fn step(
        &self,
        warp: usize,
        golden: &mut Machine,
        block: usize,
    ) -> Result<Record, Option<Fault>> {
        let slot = &self.slots[warp];
        let verdict = match slot.accepted {
            Some(Accepted::Wake(wake)) => {
                let wake = Wake {
                    warp: block,
                    ..wake
                };
                let record = golden.wake_up(&wake);
                return Ok(Record { warp, ..record });
            }
            Some(Accepted::Verdict(verdict)) => Some(verdict),
            None => None,
        };
        if slot.woken {
            golden.warp_mut(block).defer_forced_yield();
        }
        if !golden.is_runnable(block) {
            return Err(None);
        }
        let mut agrees = true;
        let stepped = golden.step_by(block, |_, op, _| {
            let op = BarrierOp { warp, ..*op };
            agrees = op.code == OpCode::Kill || slot.asked.is_some_and(|asked| same(&asked, &op));
            Told {
                verdict: verdict.or(Some(Verdict {
                    warp,
                    kind: VerdictKind::Next,
                    mask: 0,
                    pc: op.pc,
                })),
                ..Told::default()
            }
        });
        match agrees {
            true => stepped
                .map(|record| Record { warp, ..record })
                .map_err(Some),
            false => Err(None),
        }
    }

    /// What has retired is what the golden machine did; gives it with the place of a warp that runs.
    pub fn agrees(
        &mut self,
        retiring: &Retiring,
        model: &Result<Record, Option<Fault>>,
    ) -> Result<Record, Wrong> {
        let Retiring { record, runs, .. } = *retiring;
        let seen = match model {
            Ok(model) if runs => Record {
                pc: model.pc,
                next_pc: model.next_pc,
                ..record
            },
            _ => record,
        };
        if *model != Ok(seen) {
            return self.differs(
                record.warp,
                "a retired operation",
                line(&record),
                said(model),
            );
        }
        self.note(record.warp, record);
        Ok(seen)
    }

    /// The warp goes on behind it. `false`: it ran and runs, and its control operation is still to come.
    pub fn retired(&mut self, retiring: &Retiring) -> bool {
        let Retiring { record, .. } = *retiring;
        let slot = &mut self.slots[record.warp];
        if !retiring.forced {
            slot.accepted = None;
        }
        slot.woken = retiring.runs;
        if retiring.runs {
            return false;
        }
        slot.control = None;
        slot.asked = None;
        (slot.pc, slot.mask) = (record.next_pc, record.next_mask);
        slot.blocked = record.blocked;
        true
    }

    /// The warp has ended, or was stopped by an exception.
    pub fn over(&mut self, warp: usize) {
        let slot = &mut self.slots[warp];
        slot.alive = false;
        slot.control = None;
        slot.accepted = None;
    }
}

/// The same operation, as far as its code uses the fields.
fn same(a: &BarrierOp, b: &BarrierOp) -> bool {
    let operands = |op: &BarrierOp| match op.code {
        OpCode::Top | OpCode::Arrive => (op.mask, op.id, op.word.0),
        OpCode::Wait => (op.mask, op.id, 0),
        OpCode::Exit => (op.mask, 0, 0),
        _ => (0, op.id, 0),
    };
    (a.code, a.warp, a.active, a.pc) == (b.code, b.warp, b.active, b.pc)
        && operands(a) == operands(b)
}

/// What the golden machine did.
pub fn said(model: &Result<Record, Option<Fault>>) -> String {
    match model {
        Ok(record) => line(record),
        Err(Some(fault)) => fault.to_string(),
        Err(None) => "the warp does not run, or has another operation".to_string(),
    }
}
