//! A control plane for testing the testbench: cycle by cycle like the hardware, but made of the golden model's warps, and
//! with switchable breakages.

use std::collections::VecDeque;
use weft_hdl::ports::{Control, Inputs, Op, Outputs};
use weft_hdl::Config;
use weft_sim::{Operation, PathPolicy, Policy, Record, Warp};

/// What the scripted control does wrong, from the `after`-th retired operation on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage {
    None,
    /// Offers another warp while the issue stage waits.
    OfferChanges,
    /// Issues a warp again while its instruction is in flight.
    IssueTwice,
    /// Issues a warp that does not run.
    IssueIdle,
    /// Issues at pc + 1.
    IssueWrongPlace,
    /// Issues with one thread fewer.
    IssueWrongMask,
    /// Serves the newest ready warp first.
    NewestFirst,
    /// Takes a launch of a warp that runs.
    LaunchBusy,
    /// Retires an operation twice.
    RetireTwice,
    /// Retires operation 0 in place of the resolved one.
    RetireWrongOp,
    /// Says done although threads go on.
    RetireDone,
    /// Marks a NEXT as a dropped push.
    DroppedNext,
    /// Reports an exception of a warp that has nothing in flight.
    StrayException,
    /// Never retires again.
    Hang,
    /// Forgets a warp: never offers it again.
    LoseWarp,
    /// Shows a running warp as idle.
    BusyBit,
    /// Counts no dropped pushes.
    DroppedCount,
    /// Loses one thread of the next mask.
    NextMask,
    /// Shows a wrong front token.
    Front,
}

const LATENCY: u64 = 3;

#[derive(Clone, Copy)]
enum Outcome {
    Retire(Record),
    Trap { warp: usize, pc: u32, cause: u8 },
}

pub struct Scripted {
    config: Config,
    breakage: Breakage,
    after: u64,
    policy: Policy,
    warps: Vec<Option<Warp>>,
    ready: VecDeque<usize>,
    offered: Option<usize>,
    offer_stalls: u64,
    issued: Vec<bool>,
    /// (cycle, what)
    outcomes: VecDeque<(u64, Outcome)>,
    cycle: u64,
    retired: u64,
    dropped: u32,
    repeat: Option<Record>,
    inputs: Inputs,
    outputs: Outputs,
}

impl Scripted {
    pub fn new(config: Config, breakage: Breakage, after: u64) -> Scripted {
        Scripted {
            config,
            breakage,
            after,
            policy: Policy::default(),
            warps: vec![None; config.warps],
            ready: VecDeque::new(),
            offered: None,
            offer_stalls: 0,
            issued: vec![false; config.warps],
            outcomes: VecDeque::new(),
            cycle: 0,
            retired: 0,
            dropped: 0,
            repeat: None,
            inputs: Inputs::default(),
            outputs: Outputs::default(),
        }
    }

    fn broken(&self, breakage: Breakage) -> bool {
        self.breakage == breakage && self.retired >= self.after
    }

    fn due(&self) -> Option<Outcome> {
        let (at, outcome) = self.outcomes.front()?;
        (*at <= self.cycle && !self.broken(Breakage::Hang)).then_some(*outcome)
    }

    fn wake(&mut self, warp: usize) {
        if self.broken(Breakage::LoseWarp) && self.ready.iter().any(|w| *w != warp) {
            return;
        }
        if self.broken(Breakage::NewestFirst) {
            self.ready.push_front(warp);
        } else {
            self.ready.push_back(warp);
        }
    }

    fn apply(&mut self, i: &Inputs) -> Outcome {
        let n = usize::from(i.resolve_warp);
        let warp = self.warps[n].as_mut().expect("a running warp");
        let (kind, selected, target) = (i.resolve_kind, i.resolve_mask, i.resolve_target);
        let operation = match i.resolve_op {
            0 => Operation::Next,
            1 => Operation::Branch { selected, target },
            2 => Operation::Indirect { selected, target },
            3 => Operation::Push {
                kind,
                address: target,
            },
            4 => Operation::Leave {
                kind,
                selected,
                target,
            },
            5 => Operation::LeaveIndirect {
                kind,
                selected,
                target,
            },
            6 => Operation::Yield,
            7 => Operation::Exit { selected },
            8 => {
                return Outcome::Trap {
                    warp: n,
                    pc: warp.pc(),
                    cause: kind,
                }
            }
            _ => {
                return Outcome::Trap {
                    warp: n,
                    pc: warp.pc(),
                    cause: 3,
                }
            }
        };
        let pc = warp.pc();
        match warp.apply(operation) {
            Ok(record) => Outcome::Retire(record),
            Err(e) => Outcome::Trap {
                warp: n,
                pc,
                cause: e.code(),
            },
        }
    }

    fn show_retire(&self, o: &mut Outputs, r: &Record) {
        o.retire_valid = true;
        o.retire_warp = r.warp as u8;
        o.retire_op = if self.broken(Breakage::RetireWrongOp) {
            Op::Next as u8
        } else {
            r.event.code()
        };
        o.retire_pc = r.pc;
        o.retire_next_pc = r.next_pc;
        o.retire_next_mask = r.next_mask;
        if self.broken(Breakage::NextMask) && r.next_mask.count_ones() > 1 {
            o.retire_next_mask &= r.next_mask - 1;
        }
        o.retire_done = r.done || self.broken(Breakage::RetireDone);
        o.retire_depth = r.depth as u8;
        if let Some(front) = r.front {
            o.retire_front_kind = front.kind;
            o.retire_front_mask = front.mask;
            o.retire_front_pc = front.address;
            o.retire_front_below = front.below ^ u8::from(self.broken(Breakage::Front));
        }
        o.retire_dropped = r.dropped || self.broken(Breakage::DroppedNext);
    }
}

impl Control for Scripted {
    fn settle(&mut self, i: &Inputs) -> Outputs {
        self.inputs = *i;
        let mut o = Outputs {
            resolve_ready: true,
            status_dropped: self.dropped,
            ..Outputs::default()
        };
        for (n, warp) in self.warps.iter().enumerate() {
            o.status_busy |= u64::from(warp.is_some()) << n;
        }
        if self.broken(Breakage::BusyBit) {
            o.status_busy &= o.status_busy.wrapping_sub(1);
        }
        let free = self.warps[usize::from(i.launch_warp) % self.config.warps].is_none();
        o.launch_ready = free || self.broken(Breakage::LaunchBusy);
        let mut offered = self.offered;
        if self.broken(Breakage::OfferChanges) && self.offer_stalls > 0 {
            offered = offered
                .and_then(|n| self.ready.iter().copied().find(|m| *m != n))
                .or(offered);
        }
        if self.broken(Breakage::IssueTwice) {
            offered = self.issued.iter().position(|x| *x).or(offered);
        }
        if self.broken(Breakage::IssueIdle) {
            offered = self.warps.iter().position(Option::is_none).or(offered);
        }
        if let Some(n) = offered {
            o.issue_valid = true;
            o.issue_warp = n as u8;
            if let Some(warp) = &self.warps[n] {
                o.issue_pc = warp.pc() + u32::from(self.broken(Breakage::IssueWrongPlace));
                o.issue_mask = warp.active();
                if self.broken(Breakage::IssueWrongMask) && o.issue_mask.count_ones() > 1 {
                    o.issue_mask &= o.issue_mask - 1;
                }
            }
        }
        match (self.repeat, self.due()) {
            (Some(record), _) => self.show_retire(&mut o, &record),
            (None, Some(Outcome::Retire(record))) => self.show_retire(&mut o, &record),
            (None, Some(Outcome::Trap { warp, pc, cause })) => {
                (
                    o.exception_valid,
                    o.exception_warp,
                    o.exception_pc,
                    o.exception_cause,
                ) = (true, warp as u8, pc, cause);
            }
            (None, None) => {}
        }
        if self.broken(Breakage::StrayException) {
            (o.exception_valid, o.exception_warp, o.exception_cause) = (true, 0, 4);
            o.exception_pc = self.warps[0].as_ref().map_or(0, Warp::pc);
        }
        self.outputs = o;
        o
    }

    fn edge(&mut self) {
        let (i, o) = (self.inputs, self.outputs);
        if i.reset {
            *self = Scripted::new(self.config, self.breakage, self.after);
            return;
        }
        self.policy = Policy {
            yield_every: i.cfg_yield_every,
            forced_yield: i.cfg_forced_yield,
            path: PathPolicy::from_code(i.cfg_path),
        };
        if self.repeat.take().is_none() {
            if let Some(outcome) = self.due() {
                self.outcomes.pop_front();
                self.finish(outcome);
            }
        }
        if i.resolve_valid {
            self.issued[usize::from(i.resolve_warp)] = false;
            let outcome = self.apply(&i);
            self.outcomes.push_back((self.cycle + LATENCY, outcome));
        }
        if o.issue_valid && i.issue_ready {
            self.issued[usize::from(o.issue_warp)] = true;
            if self.offered == Some(usize::from(o.issue_warp)) {
                self.offered = None;
            }
            self.offer_stalls = 0;
        } else if o.issue_valid {
            self.offer_stalls += 1;
        }
        if i.launch_valid && o.launch_ready {
            let (n, width) = (usize::from(i.launch_warp), self.config.threads);
            self.warps[n] = Some(Warp::launch(
                n,
                width,
                self.policy,
                i.launch_pc,
                i.launch_mask,
            ));
            self.wake(n);
        }
        if self.offered.is_none() {
            self.offered = self.ready.pop_front();
        }
        self.cycle += 1;
    }
}

impl Scripted {
    fn finish(&mut self, outcome: Outcome) {
        let record = match outcome {
            Outcome::Trap { warp, .. } => {
                self.warps[warp] = None;
                return;
            }
            Outcome::Retire(record) => record,
        };
        self.retired += 1;
        if record.dropped && !self.broken(Breakage::DroppedCount) {
            self.dropped += 1;
        }
        if self.broken(Breakage::RetireTwice) {
            self.repeat = Some(record);
        }
        let n = record.warp;
        if record.done {
            self.warps[n] = None;
            return;
        }
        let warp = self.warps[n].as_mut().expect("a running warp");
        if warp.forced_yield_due() {
            let forced = warp.forced_yield().expect("no thread is lost");
            self.outcomes
                .push_back((self.cycle + LATENCY, Outcome::Retire(forced)));
        } else {
            self.wake(n);
        }
    }
}
