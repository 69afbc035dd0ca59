//! A control plane for testing the testbench: cycle by cycle like the hardware, but made of the golden model's warps,
//! and with switchable breakages.

mod traffic;

use std::collections::VecDeque;
use traffic::{Job, Traffic};
use weft_generate::Config;
use weft_ports::control::{barrier, cause, mask, register, Control, Inputs, Op, Outputs};
use weft_sim::{Operation, PathPolicy, Policy, Record, Warp};
use weft_testbench::driver::new_head;
use weft_testbench::lanes::Resolve;
use weft_testbench::reference::yielded;
use weft_testbench::window::Places;

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
    /// Issues a warp whose threads all sleep.
    IssueBlocked,
    /// Takes a resolve of a warp with an operation on its way.
    ResolveEngaged,
    /// Wakes threads of a running warp so that they run at once.
    WakeMoves,
    /// A WAKE ends as another operation.
    WakeWrongOp,
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
    /// Withdraws a memory request that is not taken at once.
    SpillChanges,
    /// Accesses the word behind the allocation.
    SpillOutside,
    /// Names another warp in the tag.
    SpillWrongWarp,
    /// Repeats an address within a burst.
    SpillJumps,
    /// Uses one tag for all requests of a burst.
    SpillSameTag,
    /// Writes what is no token.
    SpillNoToken,
    /// Reports RECENTER although the hardware moves tokens itself.
    StopsUnasked,
    /// Ends an operation before the driver has said so.
    ResumesAlone,
    /// Counts no recenterings.
    RecenteredCount,
    /// Refuses a launch with another cause.
    RefusesWrongly,
    /// Ends an access to a register a cycle late.
    ConfigLate,
    /// Gives wrong counters of yields.
    ConfigWrong,
    /// Gives a wrong number of tokens in memory.
    StoredWrong,
}

const LATENCY: u64 = 3;

#[derive(Clone, Copy)]
enum Outcome {
    Retire(Record),
    Trap { warp: usize, pc: u32, cause: u8 },
}

/// An operation on its way.
struct Pending {
    at: u64,
    warp: usize,
    outcome: Outcome,
    /// It is a WAKE.
    wake: bool,
    /// The warp may issue afterwards.
    readies: bool,
    stop: Stop,
    jobs: VecDeque<Job>,
}

/// SPILL-023.
#[derive(Clone, Debug)]
enum Stop {
    None,
    ToReport(Box<Stopped>),
    Waiting(Box<Stopped>),
}

#[derive(Clone, Debug)]
struct Stopped {
    before: Warp,
    record: Record,
    resolve: Resolve,
    /// HEAD as it is, and as it must become.
    from: u32,
    to: u32,
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
    pending: VecDeque<Pending>,
    traffic: Traffic,
    /// The warp whose job is at the memory port.
    moving: Option<usize>,
    /// Cycles that the request has waited.
    request_waits: u64,
    /// Access to a register: when it is done, result.
    access: Option<(u64, u32)>,
    cycle: u64,
    retired: u64,
    dropped: u32,
    recentered: u32,
    /// `status_recentered`: two that are planned in one cycle come one after the other.
    status_recentered: u32,
    repeat: Option<Record>,
    /// What `due` was when the ports settled.
    shown: Option<usize>,
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
            pending: VecDeque::new(),
            traffic: Traffic::new(config),
            moving: None,
            request_waits: 0,
            access: None,
            cycle: 0,
            retired: 0,
            dropped: 0,
            recentered: 0,
            status_recentered: 0,
            repeat: None,
            shown: None,
            inputs: Inputs::default(),
            outputs: Outputs::default(),
        }
    }

    fn broken(&self, breakage: Breakage) -> bool {
        self.breakage == breakage && self.retired >= self.after
    }

    /// Index of the operation whose end, or stop, shows in this cycle.
    fn due(&self) -> Option<usize> {
        if self.broken(Breakage::Hang) {
            return None;
        }
        self.pending.iter().position(|p| {
            let ends = match p.stop {
                Stop::None => p.jobs.is_empty(),
                Stop::ToReport(_) => true,
                Stop::Waiting(_) => self.broken(Breakage::ResumesAlone),
            };
            p.at <= self.cycle && ends
        })
    }

    /// The job at the memory port.
    fn job(&self) -> Option<&Job> {
        let of = self.moving?;
        self.pending.iter().find(|p| p.warp == of)?.jobs.front()
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
        let pc = warp.pc();
        let trap = |cause| Outcome::Trap { warp: n, pc, cause };
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
            8 => return trap(kind),
            10 => Operation::Call { selected, target },
            11 => match kind {
                barrier::SLEEP => Operation::Sleep { selected },
                barrier::RETRY => Operation::Retry { selected },
                barrier::PART => Operation::Part { selected },
                barrier::WAKE => {
                    let woken = warp.wake(selected, target);
                    return woken.map_or_else(|e| trap(e.code()), Outcome::Retire);
                }
                // With nobody on, whatever it carries.
                _ if warp.active() == 0 => Operation::Sleep { selected },
                _ => return trap(cause::ILLEGAL_TYPE),
            },
            14 => match kind {
                mask::SET => Operation::Set { selected },
                mask::JUMP => Operation::Jump { target },
                mask::SUBV_START => Operation::SubVector { target },
                _ => return trap(cause::ILLEGAL_OP),
            },
            _ => return trap(cause::ILLEGAL_OP),
        };
        match warp.apply(operation) {
            Ok(record) => Outcome::Retire(record),
            Err(e) => trap(e.code()),
        }
    }

    /// The warp has carried out an operation; `before` it was like that.
    fn begin(&mut self, before: Warp, outcome: Outcome, warp: usize, resolve: Resolve) {
        let runs = |w: &Warp| !w.is_done() && !w.is_blocked();
        let runs = self.warps[warp].as_ref().is_some_and(runs);
        let mut pending = Pending {
            at: self.cycle + LATENCY,
            warp,
            outcome,
            wake: resolve.is_wake(),
            readies: runs && (!resolve.is_wake() || before.is_blocked()),
            stop: Stop::None,
            jobs: VecDeque::new(),
        };
        if let (Outcome::Retire(record), Some(after)) = (outcome, self.warps[warp].clone()) {
            let deque = before.deque();
            let recentered = after.deque().recentered() > deque.recentered();
            let tail = deque.tail() as u32;
            // At the front always from position 0; a CALL may have pushed a token before.
            let from = match yielded(&record, &resolve, &before, &after) {
                Some(_) if deque.depth() > 0 => deque.head() as u32,
                _ => 0,
            };
            let to = match recentered {
                true => new_head(from, tail, deque.capacity() as u32),
                false => from,
            };
            if recentered && self.inputs.cfg_recenter {
                let stopped = Box::new(Stopped {
                    before,
                    record,
                    resolve,
                    from,
                    to,
                });
                pending.stop = Stop::ToReport(stopped);
            } else {
                let counts = recentered && !self.broken(Breakage::RecenteredCount);
                self.recentered += u32::from(counts);
                let by = to as isize - from as isize;
                let plan = self
                    .traffic
                    .plan(&record, &before, &after, by, recentered, &resolve);
                pending.jobs = plan;
            }
        }
        self.pending.push_back(pending);
    }

    /// A register of a warp, and the write that goes with the access.
    fn access(&mut self, i: &Inputs) -> u32 {
        let n = usize::from(i.config_warp);
        let window = self.traffic.window(n).clone();
        let stopped = self.pending.iter().find_map(|p| match &p.stop {
            Stop::Waiting(stopped) if p.warp == n => Some(stopped.clone()),
            _ => None,
        });
        let Some(warp) = self.warps[n].as_mut() else {
            return 0;
        };
        let deque = stopped.as_ref().map_or(warp.deque(), |s| s.before.deque());
        let (head, tail) = (deque.head() as u32, deque.tail() as u32);
        let low = head + 1 + window.fore as u32;
        let head = stopped.as_ref().map_or(head, |s| s.from);
        let wrong = self.retired >= self.after;
        let value = match i.config_register {
            register::HEAD => head,
            register::TAIL => tail,
            register::LOW => low,
            register::STORED => {
                let more = wrong && self.breakage == Breakage::StoredWrong && window.stored > 0;
                window.stored as u32 - u32::from(more)
            }
            register::BASE => window.base,
            register::SIZE => window.size.into(),
            register::YIELDS => {
                let more = wrong && self.breakage == Breakage::ConfigWrong;
                u32::from(warp.registers().yields) + u32::from(more)
            }
            register::TRANSFERS => warp.registers().transfers.into(),
            register::RANDOM => warp.registers().random.into(),
            _ => 0,
        };
        if i.config_write {
            let counter = i.config_data as u16;
            match (i.config_register, stopped) {
                (register::YIELDS, _) => warp.registers_mut().yields = counter,
                (register::TRANSFERS, _) => warp.registers_mut().set_transfers(counter),
                (register::RANDOM, _) => warp.registers_mut().random = counter,
                (register::HEAD, Some(stopped)) => assert_eq!(i.config_data, stopped.to),
                (register::RESUME, Some(stopped)) => self.resume(n, &stopped),
                _ => {}
            }
        }
        value
    }

    fn resume(&mut self, n: usize, stopped: &Stopped) {
        let by = stopped.to as isize - stopped.from as isize;
        self.traffic.moved(n, by);
        let after = self.warps[n].clone().expect("it runs");
        let (record, resolve) = (&stopped.record, &stopped.resolve);
        let jobs = self
            .traffic
            .plan(record, &stopped.before, &after, by, false, resolve);
        let pending = self.pending.iter_mut().find(|p| p.warp == n);
        let pending = pending.expect("the warp that has stopped");
        (pending.stop, pending.jobs) = (Stop::None, jobs);
    }

    fn show(&self, o: &mut Outputs, p: &Pending) {
        let (warp, pc, cause) = match (&p.stop, p.outcome) {
            (Stop::ToReport(stopped), _) => (p.warp, stopped.record.pc, cause::RECENTER),
            (_, Outcome::Retire(record))
                if self.broken(Breakage::StopsUnasked) && !self.inputs.cfg_recenter =>
            {
                (p.warp, record.pc, cause::RECENTER)
            }
            (_, Outcome::Retire(record)) => return self.show_retire(o, &record, p.wake),
            (_, Outcome::Trap { warp, pc, cause }) => (warp, pc, cause),
        };
        (o.exception_valid, o.exception_warp) = (true, warp as u8);
        (o.exception_pc, o.exception_cause) = (pc, cause);
        if cause == cause::ALLOCATION && self.broken(Breakage::RefusesWrongly) {
            o.exception_cause = cause::ILLEGAL_TYPE;
        }
    }

    fn show_retire(&self, o: &mut Outputs, r: &Record, wake: bool) {
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
        // Where a woken warp goes that was blocked is for the model to say.
        if self.broken(Breakage::WakeMoves) && wake && r.mask != 0 {
            o.retire_next_pc ^= 1;
        }
        if self.broken(Breakage::WakeWrongOp) && wake {
            o.retire_op = Op::Next as u8;
        }
        if self.broken(Breakage::NextMask) && r.next_mask.count_ones() > 1 {
            o.retire_next_mask &= r.next_mask - 1;
        }
        o.retire_done = r.done || self.broken(Breakage::RetireDone);
        o.retire_blocked = r.blocked;
        o.retire_depth = r.depth as u16;
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
            status_dropped: self.dropped,
            status_recentered: self.status_recentered,
            config_ready: true,
            spill_response_ready: true,
            ..Outputs::default()
        };
        let late = u64::from(self.broken(Breakage::ConfigLate));
        if let Some((_, result)) = self.access.filter(|(at, _)| at + late == self.cycle) {
            (o.config_done, o.config_result) = (true, result);
        }
        if let Some(job) = self.job() {
            let broken = |breakage| self.broken(breakage);
            self.traffic.show(job, self.request_waits, broken, &mut o);
        }
        for (n, warp) in self.warps.iter().enumerate() {
            o.status_busy |= u64::from(warp.is_some()) << n;
        }
        if self.broken(Breakage::BusyBit) {
            o.status_busy &= o.status_busy.wrapping_sub(1);
        }
        let n = usize::from(i.resolve_warp) % self.config.warps;
        o.resolve_ready = self.pending.iter().all(|p| p.warp != n)
            || (self.broken(Breakage::ResolveEngaged) && self.warps[n].is_some());
        let n = usize::from(i.launch_warp) % self.config.warps;
        let free = self.warps[n].is_none() && self.pending.iter().all(|p| p.warp != n);
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
        if self.broken(Breakage::IssueIdle) && self.offer_stalls == 0 {
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
        self.shown = self.due();
        let due = self.shown.map(|index| &self.pending[index]);
        match (self.repeat, due) {
            (Some(record), _) => self.show_retire(&mut o, &record, false),
            (None, Some(p)) => self.show(&mut o, p),
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
            yield_random: i.cfg_yield_random,
            yield_threshold: i.cfg_yield_threshold,
            yield_seed: i.cfg_yield_seed,
            forced_yield: i.cfg_forced_yield,
            path: PathPolicy::from_code(i.cfg_path),
            lanes: match i.cfg_lanes {
                level @ 0..=6 => 1 << level,
                _ => 0,
            },
        };
        self.move_tokens(&i, &o);
        if self.repeat.take().is_none() {
            if let Some(index) = self.shown {
                self.end(index);
            }
        }
        self.access = self.access.filter(|_| !o.config_done);
        if i.config_valid {
            let result = self.access(&i);
            self.access = Some((self.cycle + 4, result));
        }
        if i.resolve_valid && o.resolve_ready {
            self.resolved(&i);
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
            self.launch(&i);
        }
        if self.offered.is_none() {
            self.offered = self.ready.pop_front();
        }
        self.status_recentered += u32::from(self.status_recentered != self.recentered);
        self.cycle += 1;
    }
}

impl Scripted {
    fn resolved(&mut self, i: &Inputs) {
        let n = usize::from(i.resolve_warp);
        let resolve = Resolve {
            op: i.resolve_op,
            kind: i.resolve_kind,
            mask: i.resolve_mask,
            target: i.resolve_target,
        };
        let Some(before) = self.warps[n].clone() else {
            assert!(resolve.is_wake(), "{resolve:?} of warp {n}, which is idle");
            return;
        };
        self.issued[n] &= resolve.is_wake();
        let outcome = self.apply(i);
        self.begin(before, outcome, n, resolve);
    }

    fn launch(&mut self, i: &Inputs) {
        let (n, width) = (usize::from(i.launch_warp), self.config.threads);
        let size = usize::from(i.launch_size);
        let launched = Warp::launch(n, width, size, self.policy, i.launch_pc, i.launch_mask);
        match launched {
            Ok(warp) => {
                self.warps[n] = Some(warp);
                self.traffic.launched(n, i.launch_base, i.launch_size);
                self.wake(n);
            }
            Err(e) => {
                let outcome = Outcome::Trap {
                    warp: n,
                    pc: i.launch_pc,
                    cause: e.code(),
                };
                self.pending.push_back(Pending {
                    at: self.cycle + LATENCY,
                    warp: n,
                    outcome,
                    wake: false,
                    readies: false,
                    stop: Stop::None,
                    jobs: VecDeque::new(),
                });
            }
        }
    }

    /// The memory port.
    fn move_tokens(&mut self, i: &Inputs, o: &Outputs) {
        let waits = o.spill_request_valid && !i.spill_request_ready;
        self.request_waits = if waits { self.request_waits + 1 } else { 0 };
        if self.moving.is_none() {
            self.moving = self
                .pending
                .iter()
                .find(|p| !p.jobs.is_empty())
                .map(|p| p.warp);
            return;
        }
        let of = self.moving.expect("just checked");
        let pending = self.pending.iter_mut().find(|p| p.warp == of);
        let jobs = pending.map(|p| &mut p.jobs);
        let Some(jobs) = jobs.filter(|jobs| !jobs.is_empty()) else {
            self.moving = None;
            return;
        };
        if jobs[0].edge(i, o, Places::of(self.config)) {
            jobs.pop_front();
            self.moving = None;
        }
    }

    fn end(&mut self, index: usize) {
        if let Stop::ToReport(stopped) = self.pending[index].stop.clone() {
            self.pending[index].stop = Stop::Waiting(stopped);
            self.recentered += u32::from(!self.broken(Breakage::RecenteredCount));
            return;
        }
        let ended = self.pending.remove(index).expect("it is due");
        let record = match ended.outcome {
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
        let blocks = self.broken(Breakage::IssueBlocked);
        let warp = self.warps[n].as_mut().expect("a running warp");
        if warp.forced_yield_due() {
            let before = warp.clone();
            let forced = warp.forced_yield().expect("no thread is lost");
            self.begin(before, Outcome::Retire(forced), n, Resolve::default());
        } else if ended.readies || (warp.is_blocked() && blocks) {
            self.wake(n);
        }
    }
}
