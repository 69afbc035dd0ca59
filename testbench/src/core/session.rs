//! The core with everything around it, cycle by cycle: CTAs, instruction lines, functional units, tokens;
//! in lockstep with the golden machines of the CTAs, and under monitors that know no model.
//!
//! Instructions that are not `control` take effect in the cycle in which they come out at `issue_*`, the first one
//! before the second one, a partition's before those of the next one; the golden machine steps there.
//! Control operations it steps at `retire_*`. Only the former touch memory, so both
//! see all accesses in the same order.
//!
//! What the barrier unit says of an instruction, and whom it wakes, a model of that unit judges at its ports;
//! the golden machines take it as told.

use super::decode::decode;
use super::fetch::Fetch;
use super::job::{oracle_error, Job, Shared};
use super::options::{CoreOptions, Cta};
use super::ports::{InPorts, OutPorts, PartitionIn, PartitionOut};
use super::report::{line, CoreError, Counters, CtaReport, Happened};
use super::units::{done_port, Answer, Done, Units};
use crate::barrier::{self, rules::Rules};
use crate::driver::{self, Port};
use crate::final_state::{self, load, Alone};
use crate::lanes::{CounterRead, Lanes as _, Noise, Resolve};
use crate::lockstep::{Observer, Retired, Watchdog};
use crate::memory::{Allocation, Checker, Request, TokenMemory};
use crate::rtl::Model;
use crate::run_config::RunConfig;
use crate::seed::{stream, Rng};
use crate::session::{Access, Recenter};
use rand::Rng as _;
use std::collections::{BTreeMap, VecDeque};
use weft_generate::Config;
use weft_isa::Program;
use weft_ports::control::{cause, Inputs, Op, Outputs};
use weft_sim::barrier::{Answer as Told, EventKind, Judge, Op as BarrierOp, OpCode, Params};
use weft_sim::barrier::{Ports, Verdict, VerdictKind, Wake, Word};
use weft_sim::convergence::{Warp, PC_MASK};
use weft_sim::issue::{register_to_bits, Decoded};
use weft_sim::{Event, Fault, Memory, Part, Record, Token};

/// How many records of a warp a failure shows.
const HISTORY: usize = 16;

/// Instructions that the scheduler still gives when an exception has been reported: it hears of it one cycle later, and
/// what is in its issue stage comes out after that.
const LATE: u64 = 2;

/// Most instructions of a warp in flight (SCHED-021, SCHED-025).
const FLIGHT: usize = 29;

/// `cta_done` follows that many cycles after the last warp has ended, when no other CTA ends.
const DONE_WITHIN: u64 = 5;

/// What the convergence unit has taken from the barrier unit and not retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepted {
    Verdict(Verdict),
    Wake(Wake),
}

/// A warp slot.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// CTA and block of the latest launch.
    stands: Option<(usize, usize)>,
    alive: bool,
    /// Where the next instruction is to come from, with which threads.
    pc: u32,
    mask: u64,
    /// A control instruction was issued and has not retired; `false` in `resolved`: nor has its resolve been taken.
    waits: bool,
    resolved: bool,
    /// What it was resolved as.
    resolve: Resolve,
    control: Option<(u32, u64)>,
    /// Given to the barrier unit.
    asked: Option<BarrierOp>,
    accepted: Option<Accepted>,
    /// Threads were woken beside those that run; since the last control operation.
    woken: bool,
    /// CONV-151: nobody runs, until a wake.
    blocked: bool,
    /// CORE-012: an instruction has faulted; what comes is ignored.
    faulted: bool,
    /// Cycle of the exception that has ended it.
    excepted: Option<u64>,
    /// Registers that instructions in flight write.
    pending: u32,
    /// By their numbers of issue.
    in_flight: VecDeque<u64>,
    issued: u64,
    history: VecDeque<(u64, Record)>,
    /// Depth and front token after the latest control operation.
    deque: (usize, Option<Token>),
    launches: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Taken(u64),
    /// All warps have ended, in this cycle.
    Over(u64),
    Done,
}

struct Block {
    cta: Cta,
    /// Of a grid: which part of it.
    part: Option<Part>,
    state: State,
    job: Option<Job>,
    ended: usize,
    report: CtaReport,
}

/// An instruction that reads a counter of the scheduler: it is done when the counter port has shown the value.
struct Reading {
    stands: (usize, usize),
    read: CounterRead,
    class: u8,
    done: Done,
    /// For `counter_select`, and the cycle in which it was there.
    select: u64,
    selected: Option<u64>,
}

/// An instruction at the issue port.
#[derive(Clone, Copy, Debug)]
struct Issue {
    warp: usize,
    pc: u32,
    mask: u64,
    word: u32,
    decoded: Decoded,
    second: bool,
}

pub struct CoreSession<'a> {
    flat: Model,
    i: InPorts,
    o: OutPorts,
    partitions: Vec<(PartitionIn, PartitionOut)>,
    barrier: barrier::ports::OutPorts,
    size: Config,
    program: &'a Program,
    run: &'a RunConfig,
    options: CoreOptions,
    watchdog: Watchdog,
    /// Inputs at the memory and the configuration port.
    around: Inputs,
    tokens: TokenMemory,
    checker: Checker,
    fetch: Fetch,
    units: Units,
    noise: Option<Noise>,
    draws: Rng,
    slots: Vec<Slot>,
    ctas: Vec<Block>,
    /// Blocks that are launched next.
    to_launch: VecDeque<(usize, usize)>,
    offered: Option<usize>,
    next_cta: usize,
    refuses: Option<(u64, u16)>,
    presented: Option<Answer>,
    presented_since: u64,
    /// Of each partition.
    words: Vec<[u32; 2]>,
    fetch_ready: bool,
    readings: VecDeque<Reading>,
    /// Levels that instructions have set and that are still to be told: warp, level.
    levels: VecDeque<(usize, u8)>,
    /// In this cycle a level is raised.
    raise: u64,
    where_warp: usize,
    ready: [u8; 8],
    /// Of each class the latest issue; of a class that each partition has for itself by partition.
    latest: [[Option<u64>; 5]; 4],
    /// Cycle and partition of the latest line that was asked for.
    line_of: (u64, usize),
    to_look_up: VecDeque<usize>,
    /// Looked for in this cycle, and in the one before: CTA, block, its warp.
    finding: Option<(usize, usize, usize)>,
    found: Option<(usize, usize, usize)>,
    busy: u64,
    access: Option<Access>,
    answer: Option<u32>,
    stopped: VecDeque<usize>,
    moving: u64,
    recentered: u32,
    cycle: u64,
    /// Of the latest event, and of the latest useful one.
    event: u64,
    useful: (u64, u64),
    issue_cycles: u64,
    began: Option<u64>,
    ended: u64,
    model_recentered: u64,
    /// Wakes of warps that have faulted; the golden machine does not see them.
    unseen_wakes: u64,
    thread_instructions: u64,
    judge: Option<Judge>,
    rules: Rules,
    /// What stands between the barrier unit and the convergence unit (CORE-017).
    told: Option<Verdict>,
    woken: Option<Wake>,
    /// `hold`, of the latest cycles.
    held: [u64; 8],
    happened: Happened,
    /// The memory of a grid, while no CTA holds it.
    shared: Option<Shared>,
    by_slot: Vec<u64>,
    oracle: (Option<bool>, Option<String>),
    observers: Vec<&'a mut dyn Observer>,
}

/// What [`CoreSession::run`] gives back.
pub struct Ran {
    pub cycles: u64,
    pub issued: u64,
    pub thread_instructions: u64,
    pub counters: Counters,
    pub happened: Happened,
    pub ctas: Vec<CtaReport>,
    /// [`super::CoreReport::oracle_agrees`] and `oracle_silent`.
    pub oracle: (Option<bool>, Option<String>),
    pub by_slot: Vec<u64>,
    pub memory: Option<Memory>,
}

impl<'a> CoreSession<'a> {
    /// Resets the core. Of `run` it uses machine, token memory, watchdog and data, and ignores the rest.
    pub fn new(
        flat: Model,
        size: Config,
        program: &'a Program,
        run: &'a RunConfig,
        options: &CoreOptions,
        observers: Vec<&'a mut dyn Observer>,
    ) -> Result<CoreSession<'a>, CoreError> {
        check(program, run, options)?;
        let mut image = Memory::load(program, run.machine.memory);
        load(&mut image, run)?;
        let list = match options.ctas.is_empty() {
            true => vec![Cta {
                threads: run.machine.grid_size(),
                level: 0,
                id: 0,
            }],
            false => options.ctas.clone(),
        };
        let grid: u32 = list.iter().map(|cta| cta.threads).sum();
        let full = list[0].threads;
        let mut first = 0;
        let ctas = list.into_iter().enumerate().map(|(n, cta)| Block {
            cta,
            part: options.grid.then(|| {
                let thread = first;
                first += cta.threads;
                Part {
                    thread,
                    cta: n as u32,
                    grid,
                    full,
                }
            }),
            state: State::Waiting,
            job: None,
            ended: 0,
            report: CtaReport {
                cta,
                refused: false,
                failed: false,
                slot: None,
                warps: Vec::new(),
                began: 0,
                ended: 0,
                faults: Vec::new(),
                oracle_agrees: None,
                cache: None,
                memory: Memory::new(0),
                threads: Vec::new(),
            },
        });
        let slowness = run.tokens.slowness() + options.slowness();
        let seed = options.seed;
        let mut session = CoreSession {
            i: InPorts::of(&flat),
            o: OutPorts::of(&flat),
            partitions: (0..options.width.partitions())
                .map(|p| (PartitionIn::of(&flat, p), PartitionOut::of(&flat, p)))
                .collect(),
            barrier: barrier::ports::OutPorts::of(&flat),
            flat,
            size,
            program,
            run,
            options: options.clone(),
            watchdog: run.watchdog.for_memory(slowness, run.machine.tokens),
            around: Inputs::default(),
            tokens: TokenMemory::new(run.tokens, size.threads, seed),
            checker: Checker::new(size),
            fetch: Fetch::new(image, options),
            units: Units::new(options),
            noise: options.noise.then(|| Noise::new(seed, size.threads)),
            draws: stream(seed, "core surroundings"),
            slots: vec![Slot::default(); size.warps],
            ctas: ctas.collect(),
            to_launch: VecDeque::new(),
            offered: None,
            next_cta: 0,
            refuses: None,
            presented: None,
            presented_since: 0,
            words: vec![[0; 2]; options.width.partitions()],
            fetch_ready: false,
            readings: VecDeque::new(),
            levels: VecDeque::new(),
            raise: 0,
            where_warp: 0,
            ready: [0; 8],
            latest: [[None; 5]; 4],
            line_of: (0, 0),
            to_look_up: VecDeque::new(),
            finding: None,
            found: None,
            busy: 0,
            access: None,
            answer: None,
            stopped: VecDeque::new(),
            moving: 0,
            recentered: 0,
            cycle: 0,
            event: 0,
            useful: (0, 0),
            issue_cycles: 0,
            began: None,
            ended: 0,
            model_recentered: 0,
            unseen_wakes: 0,
            thread_instructions: 0,
            judge: options.lockstep.then(|| {
                Judge::new(Params {
                    warps: size.warps,
                    threads: size.threads,
                })
            }),
            rules: Rules::new(barrier::device::Size {
                warps: size.warps,
                threads: size.threads,
            }),
            told: None,
            woken: None,
            held: [0; 8],
            happened: Happened::default(),
            shared: None,
            by_slot: vec![0; size.warps],
            oracle: (None, None),
            observers,
        };
        session.reset();
        Ok(session)
    }

    fn base(&self) -> u32 {
        // Allocations anywhere in the address space, also across its end.
        stream(self.options.seed, "token base").gen()
    }

    /// `cfg_slots`
    fn slots_for_ctas(&self) -> u64 {
        self.options.slots & u64::MAX >> (64 - self.size.warps)
    }

    fn reset(&mut self) {
        let policy = self.run.machine.policy();
        let base = self.base();
        let intervals = self.options.intervals.iter().enumerate();
        let intervals = intervals.fold(0, |all, (class, &n)| all | u64::from(n) << (4 * class));
        let slots = self.slots_for_ctas();
        let (f, i) = (&mut self.flat, &self.i);
        f.set(i.cfg_level_mix, self.options.level_mix.into());
        f.set(i.cfg_token_base, base.into());
        f.set(i.cfg_token_size, self.run.machine.tokens as u64);
        f.set(i.cfg_slots, slots);
        f.set(i.cfg_policy, self.options.policy.code().into());
        f.set(i.cfg_interval, intervals);
        f.set(i.cfg_priority, self.options.priority.into());
        f.set(i.cfg_yield_every, policy.yield_every.into());
        f.set(i.cfg_forced_yield, policy.forced_yield.into());
        f.set(i.cfg_yield_random, policy.yield_random.into());
        f.set(i.cfg_yield_threshold, policy.yield_threshold.into());
        f.set(i.cfg_yield_seed, policy.yield_seed.into());
        f.set(i.cfg_path, policy.path.code().into());
        f.set(i.cfg_lanes, policy.lanes_level().into());
        let driver = self.run.recenter == Recenter::Driver;
        f.set(i.cfg_recenter, driver.into());
        f.set(i.reset, 1);
        // The scoreboard clears its rows meanwhile, one per cycle and parity.
        for _ in 0..(self.size.warps / 2).max(4) {
            f.settle();
            f.edge();
        }
        f.set(i.reset, 0);
        f.settle();
        self.recentered = self.flat.get(self.o.status_recentered) as u32;
    }

    fn rule<T>(&self, detail: impl Into<String>) -> Result<T, CoreError> {
        Err(CoreError::Rule {
            cycle: self.cycle,
            detail: detail.into(),
        })
    }

    fn mismatch<T>(
        &self,
        warp: usize,
        what: &str,
        hardware: String,
        model: String,
    ) -> Result<T, CoreError> {
        let mut history = String::from("\n  before that:");
        for (cycle, record) in &self.slots[warp].history {
            history += &format!("\n    {cycle:>8} {}", crate::lockstep::line(record));
        }
        Err(CoreError::Mismatch {
            cycle: self.cycle,
            warp,
            what: what.to_string(),
            hardware,
            model,
            history,
        })
    }

    fn get(&self, port: crate::rtl::Out) -> u64 {
        self.flat.get(port)
    }

    fn bit(&self, port: crate::rtl::Out) -> bool {
        self.flat.get(port) != 0
    }

    /// Until all CTAs have ended.
    pub fn run(mut self) -> Result<Ran, CoreError> {
        while !self.finished() {
            self.cycle()?;
            while let Some(warp) = self.stopped.pop_front() {
                self.serve(warp)?;
            }
        }
        self.finish()
    }

    fn finished(&self) -> bool {
        let rest = self.ctas.iter().all(|c| c.state == State::Done);
        rest && self.units.idle()
            && self.readings.is_empty()
            && self.presented.is_none()
            && self.access.is_none()
            && self.moving == 0
            && self.checker.idle()
            && self.judge.as_ref().is_none_or(Judge::is_quiet)
            && self.told.is_none()
            && self.woken.is_none()
            && self.cycle > self.ended + 8
    }

    fn cycle(&mut self) -> Result<(), CoreError> {
        self.launches()?;
        self.issues()?;
        self.drive();
        self.flat.settle();
        self.transfers()?;
        self.flat.edge();
        self.cycle += 1;
        self.watch()
    }

    // ---- What has come out with the last edge.

    /// Warps that have become busy.
    fn launches(&mut self) -> Result<(), CoreError> {
        let busy = self.get(self.o.status_busy);
        let new = busy & !self.busy;
        self.busy = busy;
        if new == 0 {
            return Ok(());
        }
        if new.count_ones() > 1 {
            return self.rule(format!("warps {new:#x} start at once"));
        }
        let warp = new.trailing_zeros() as usize;
        let Some((cta, block)) = self.to_launch.pop_front() else {
            return self.rule(format!("warp {warp} starts, no block is to be launched"));
        };
        let slots = self.slots_for_ctas();
        if slots >> warp & 1 == 0 {
            return self.rule(format!("warp slot {warp} gets a warp, of slots {slots:#x}"));
        }
        self.happened.withheld += u64::from(slots.count_ones() < self.size.warps as u32);
        let slot = &self.slots[warp];
        if slot.alive || !slot.in_flight.is_empty() {
            return self.rule(format!(
                "warp {warp} is launched while it is not free: {slot:x?}"
            ));
        }
        let others = self.slots.iter().any(|s| s.alive);
        self.happened.reused += u64::from(slot.launches > 0);
        self.happened.reused_while_running += u64::from(slot.launches > 0 && others);
        let size = self.run.machine.tokens;
        let base = self.base().wrapping_add(warp as u32 * 1024);
        self.tokens.forget(base, size as u32);
        let allocation = Allocation {
            base,
            size: size as u16,
        };
        self.checker.launched(warp, allocation);
        let state = &mut self.ctas[cta];
        let job = state.job.as_mut().expect("made when the CTA was taken");
        let (pc, mask) = job.launched(block, warp);
        if block == 0 {
            state.report.began = self.cycle;
        }
        state.report.warps.push(warp);
        let slot = &mut self.slots[warp];
        *slot = Slot {
            stands: Some((cta, block)),
            alive: true,
            pc,
            mask,
            launches: slot.launches + 1,
            ..Slot::default()
        };
        self.to_look_up.push_back(warp);
        if self
            .options
            .raise
            .is_some_and(|(raised, _)| usize::from(raised) == warp)
        {
            self.raise = self.cycle + 1;
        }
        self.began = self.began.or(Some(self.cycle));
        self.event = self.cycle;
        Ok(())
    }

    fn issues(&mut self) -> Result<(), CoreError> {
        let dual = self.happened.dual;
        let mut firsts = Vec::new();
        for p in 0..self.partitions.len() {
            firsts.extend(self.issues_of(p)?);
        }
        if let [first, others @ ..] = &firsts[..] {
            let control = |issue: &&Issue| issue.decoded.control;
            let alike = |issue: &&Issue| issue.decoded.class == first.decoded.class;
            let h = &mut self.happened;
            h.pairs += u64::from(!others.is_empty());
            h.pairs_of_control += u64::from(firsts.iter().filter(control).count() > 1);
            h.pairs_of_a_class += u64::from(others.iter().any(|issue| alike(&issue)));
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
    fn issues_of(&mut self, p: usize) -> Result<Option<Issue>, CoreError> {
        let o = &self.partitions[p].1;
        let first = Issue {
            warp: self.get(o.issue_warp) as usize,
            pc: self.get(o.issue_pc) as u32,
            mask: self.get(o.issue_mask),
            word: self.get(o.issue_word) as u32,
            decoded: Decoded::from_bits(self.get(o.issue_decoded) as u32),
            second: false,
        };
        let second = Issue {
            pc: (first.pc + 1) & PC_MASK,
            word: self.get(o.second_word) as u32,
            decoded: Decoded::from_bits(self.get(o.second_decoded) as u32),
            second: true,
            ..first
        };
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
        self.event = self.cycle;
        self.issued(first)?;
        if two {
            if !self.options.width.is_dual() {
                return self.rule("two instructions on a core with single issue");
            }
            self.happened.dual += 1;
            self.happened.dual_control += u64::from(second.decoded.control);
            if first.decoded.class == second.decoded.class {
                return self.rule(format!("two instructions of class {}", first.decoded.class));
            }
            self.issued(second)?;
        }
        Ok(Some(first))
    }

    /// The monitors: they know the program and what has come out before.
    fn check_issue(&mut self, issue: &Issue) -> Result<(), CoreError> {
        let Issue {
            warp,
            pc,
            mask,
            word,
            decoded: d,
            second,
        } = *issue;
        let (cycle, slot) = (self.cycle, &self.slots[warp]);
        let late = slot.excepted.is_some_and(|at| cycle <= at + LATE);
        if !slot.alive && !late {
            return self.rule(format!("warp {warp} issues and does not run: {issue:x?}"));
        }
        if slot.waits {
            return self.rule(format!(
                "warp {warp} issues past a control instruction: {issue:x?}, {slot:x?}"
            ));
        }
        if (pc, mask) != (slot.pc, slot.mask) {
            return self.rule(format!(
                "warp {warp}: lost or issued twice: {issue:x?}, next is {:#x} with {:#x}",
                slot.pc, slot.mask
            ));
        }
        if word != self.fetch.word(pc) || d != decode(word) {
            let right = self.fetch.word(pc);
            return self.rule(format!(
                "warp {warp}: the word at {:#x} is {right:#x}: {issue:x?}",
                pc * 4
            ));
        }
        let used = [d.rd, d.rs1, d.rs2].into_iter().flatten();
        if let Some(x) = used.into_iter().find(|x| slot.pending >> x & 1 != 0) {
            return self.rule(format!("warp {warp}: x{x} is pending: {issue:x?}"));
        }
        if d.drain && (second || !slot.in_flight.is_empty()) {
            let count = slot.in_flight.len();
            return self.rule(format!("warp {warp}: {issue:x?} with {count} in flight"));
        }
        if slot.in_flight.len() >= FLIGHT {
            return self.rule(format!("warp {warp}: more than {FLIGHT} in flight"));
        }
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

    fn issued(&mut self, issue: Issue) -> Result<(), CoreError> {
        self.check_issue(&issue)?;
        let Issue {
            warp,
            pc,
            mask,
            decoded,
            ..
        } = issue;
        let slot = &mut self.slots[warp];
        slot.pc = (pc + 1) & PC_MASK;
        slot.waits = decoded.control;
        slot.in_flight.push_back(slot.issued);
        if let Some(x) = decoded.rd {
            slot.pending |= 1 << x;
        }
        let done = Done {
            warp,
            rd: decoded.rd,
            number: slot.issued,
        };
        slot.issued += 1;
        let most = &mut self.happened.most_in_flight;
        *most = (*most).max(slot.in_flight.len() as u64);
        if !slot.alive || slot.faulted {
            self.units.issued(self.cycle, decoded.class, done);
            self.happened.late += u64::from(!slot.alive);
            self.happened.ignored += 1;
            self.happened.ignored_control += u64::from(decoded.control);
            return Ok(());
        }
        let (cta, block) = slot.stands.expect("it runs");
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
            None => self.units.issued(self.cycle, decoded.class, done),
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
            slot.control = Some((pc, mask));
            slot.resolved = false;
            slot.resolve = resolve;
            self.happened.control_faults += u64::from(faults);
        } else {
            self.happened.other_faults += u64::from(faults);
            slot.faulted = faults;
            if !faults && resolve.op != Op::Next as u8 {
                return self.rule(format!("{issue:x?} is a control operation: {resolve:x?}"));
            }
            if let Some(machine) = job.golden.as_mut().filter(|_| slot.woken) {
                machine.warp_mut(block).defer_forced_yield();
            }
            let expected = job.golden.as_mut().map(|m| match m.is_runnable(block) {
                true => m.step_by(block, |_, _, _| Told::default()).map_err(Some),
                false => Err(None),
            });
            job.swap(&mut self.shared);
            let (depth, front) = slot.deque;
            let seen = Record {
                warp,
                event: Event::Next,
                pc,
                mask,
                next_pc: (pc + 1) & PC_MASK,
                next_mask: mask,
                done: false,
                blocked: false,
                depth,
                front,
                dropped: false,
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
            self.units.answer(self.cycle, answer);
        }
        Ok(())
    }

    /// An instruction that is not `control`, against the model's step. Depth and front token do not show here.
    fn stepped(
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
            let model = said(&expected);
            return self.mismatch(warp, "an issued instruction", hardware, model);
        }
        if let Some(Ok(record)) = expected {
            self.note(warp, record);
        }
        Ok(())
    }

    fn observe(&mut self, record: &Record, resolve: &Resolve) {
        let event = Retired {
            cycle: self.cycle,
            record,
            resolve,
            before: None,
            after: None,
            began: Default::default(),
            issued: true,
        };
        self.observers.iter_mut().for_each(|o| o.retired(&event));
    }

    fn note(&mut self, warp: usize, record: Record) {
        let history = &mut self.slots[warp].history;
        if history.len() == HISTORY {
            history.pop_front();
        }
        history.push_back((self.cycle, record));
    }

    // ---- Inputs.

    fn drive(&mut self) {
        let cycle = self.cycle;
        // Instruction lines and the decoder.
        let ready = self.fetch.ready();
        self.fetch_ready = ready;
        self.flat.set(self.i.fetch_ready, ready.into());
        let comes = self.fetch.line(cycle);
        self.flat.set(self.i.line_valid, comes.is_some().into());
        if let Some(comes) = comes {
            self.happened.lines += 1;
            self.flat.set(self.i.line_warp, comes.warp.into());
            self.flat.set(self.i.line_slot, comes.slot.into());
            self.flat.set_words(self.i.line_data, &comes.data);
        }
        for p in 0..self.partitions.len() {
            for n in 0..2 {
                let bits = self.with_noise(decode(self.words[p][n]));
                self.flat.set(self.partitions[p].0.decode[n], bits);
            }
        }
        // Functional units.
        let ready = match self.cycle < self.start() {
            true => 31,
            false => self.units.ready(),
        };
        self.ready[(cycle % 8) as usize] = ready;
        self.flat.set(self.i.unit_ready, ready.into());
        for port in 0..2 * self.partitions.len() {
            let done = self.units.done(cycle, port);
            let shown = match done {
                Some(done) => {
                    self.done(done);
                    (done.warp as u64, self.register(done.rd))
                }
                None if self.options.noise => {
                    let count = self.partitions.len();
                    let of_port = |&w: &usize| done_port(w, count) == port;
                    let warps: Vec<usize> = (0..self.size.warps).filter(of_port).collect();
                    let any = warps[self.draws.gen_range(0..warps.len())];
                    (any as u64, self.draws.gen_range(0..64))
                }
                None => ((port / 2 + port % 2 * self.partitions.len()) as u64, 0),
            };
            let (i, n) = (&self.partitions[port / 2].0, port % 2);
            self.flat.set(i.done_valid[n], done.is_some().into());
            self.flat.set(i.done_warp[n], shown.0);
            self.flat.set(i.done_rd[n], shown.1);
        }
        // Counters.
        if let Some(next) = self.readings.iter_mut().find(|r| r.selected.is_none()) {
            next.selected = Some(cycle);
            self.flat.set(self.i.counter_select, next.select);
        }
        // Resolves.
        if self.presented.is_none() {
            self.presented = self.units.offer(cycle);
            self.presented_since = cycle;
        }
        self.flat
            .set(self.i.resolve_valid, self.presented.is_some().into());
        if let Some(Answer {
            warp,
            pc,
            resolve,
            barrier,
            active,
        }) = self.presented
        {
            self.flat.set(self.i.resolve_active, active);
            self.flat.set(self.i.resolve_id, barrier.id.into());
            self.flat.set(self.i.resolve_word, barrier.word.into());
            self.flat.set(self.i.resolve_warp, warp as u64);
            self.flat.set(self.i.resolve_pc, pc.into());
            self.flat.set(self.i.resolve_op, resolve.op.into());
            self.flat.set(self.i.resolve_kind, resolve.kind.into());
            self.flat.set(self.i.resolve_mask, resolve.mask);
            self.flat.set(self.i.resolve_target, resolve.target.into());
        }
        self.drive_ctas();
        self.drive_tokens();
    }

    fn with_noise(&mut self, d: Decoded) -> u64 {
        let [rd, rs1, rs2] = [d.rd, d.rs1, d.rs2].map(|r| self.register(r));
        u64::from(d.to_bits()) & 0x1f | rd << 5 | rs1 << 11 | rs2 << 17
    }

    /// The number of a register that is not used means nothing.
    fn register(&mut self, register: Option<u8>) -> u64 {
        match register {
            None if self.options.noise => self.draws.gen_range(0..32),
            _ => register_to_bits(register).into(),
        }
    }

    fn done(&mut self, done: Done) {
        let slot = &mut self.slots[done.warp];
        if let Some(x) = done.rd {
            slot.pending &= !(1 << x);
        }
        self.happened.overtaking += u64::from(slot.in_flight[0] != done.number);
        slot.in_flight.retain(|&number| number != done.number);
    }

    /// The counters have been cleared by then.
    fn start(&self) -> u64 {
        16 * self.size.warps as u64 + 8
    }

    fn drive_ctas(&mut self) {
        let gap = self.options.cta_gap;
        let waits = gap != 0 && self.draws.gen_range(0..100) < gap;
        let more = self.next_cta < self.ctas.len() && self.cycle >= self.start();
        if self.offered.is_none() && more && !waits {
            self.offered = Some(self.next_cta);
            self.next_cta += 1;
        }
        self.flat
            .set(self.i.cta_valid, self.offered.is_some().into());
        if let Some(index) = self.offered {
            let cta = self.ctas[index].cta;
            let entry = self.program.entry / 4;
            self.flat.set(self.i.cta_pc, entry.into());
            self.flat.set(self.i.cta_threads, cta.threads.into());
            self.flat.set(self.i.cta_level, cta.level.into());
            self.flat.set(self.i.cta_id, cta.id.into());
        }
        let levels = self.options.levels;
        let written = self.levels.pop_front();
        self.happened.levels_written += u64::from(written.is_some());
        let level = match self.options.raise {
            _ if written.is_some() => written.map(|(warp, level)| (warp as u64, level.into())),
            Some((warp, level)) if self.raise == self.cycle => Some((warp.into(), level.into())),
            _ if levels != 0 && self.draws.gen_range(0..1000) < levels => {
                let warp = self.draws.gen_range(0..self.size.warps as u64);
                Some((warp, self.draws.gen_range(0..16)))
            }
            _ => None,
        };
        self.flat.set(self.i.program_valid, level.is_some().into());
        if let Some((warp, level)) = level {
            self.happened.program_levels += 1;
            self.flat.set(self.i.program_warp, warp);
            self.flat.set(self.i.program_level, level);
        }
        let warp = self.to_look_up.front().copied();
        let warp = warp.unwrap_or_else(|| self.draws.gen_range(0..self.size.warps));
        self.where_warp = warp;
        self.flat.set(self.i.where_warp, warp as u64);
        // The other way round: any block that runs.
        let of = self.draws.gen_range(0..self.size.warps);
        let slot = self.slots[of].stands.filter(|_| self.slots[of].alive);
        let find = slot.and_then(|(cta, block)| {
            let slot = self.ctas[cta].report.slot?;
            Some((slot, block, cta))
        });
        if let Some((slot, block, _)) = find {
            self.flat.set(self.i.find_cta, slot.into());
            self.flat.set(self.i.find_block, block as u64);
        }
        self.finding = find.map(|(_, block, cta)| (cta, block, of));
    }

    fn drive_tokens(&mut self) {
        self.tokens.drive(&mut self.around);
        let (f, i, a) = (&mut self.flat, &self.i, &self.around);
        f.set(i.spill_request_ready, a.spill_request_ready.into());
        f.set(i.spill_response_valid, a.spill_response_valid.into());
        f.set(i.spill_response_write, a.spill_response_write.into());
        f.set(i.spill_response_tag, a.spill_response_tag.into());
        f.set(i.spill_response_data, a.spill_response_data as u64);
        f.set(i.config_valid, a.config_valid.into());
        f.set(i.config_write, a.config_write.into());
        f.set(i.config_warp, a.config_warp.into());
        f.set(i.config_register, a.config_register.into());
        f.set(i.config_data, a.config_data.into());
    }

    // ---- Outputs.

    fn transfers(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let words = self.partitions.iter().map(|(_, o)| o.decode_word);
        self.words = words
            .map(|ports| ports.map(|port| self.get(port) as u32))
            .collect();
        if self.bit(o.fetch_valid) && self.fetch_ready {
            let (warp, line) = (self.get(o.fetch_warp) as u8, self.get(o.fetch_line) as u32);
            if let Err(detail) = self.fetch.requested(self.cycle, warp, line) {
                return self.rule(detail);
            }
            let partition = usize::from(warp) % self.partitions.len();
            let (at, before) = std::mem::replace(&mut self.line_of, (self.cycle, partition));
            let turns = at + 1 == self.cycle && before != partition;
            self.happened.lines_in_turns += u64::from(turns);
        }
        self.cta_ports()?;
        self.barrier_ports()?;
        if let Some(answer) = self.presented {
            if self.bit(self.o.resolve_ready) {
                let waited = self.cycle - self.presented_since;
                self.happened.resolve_waits += u64::from(waited > 0);
                let slot = &mut self.slots[answer.warp];
                slot.resolved = true;
                self.presented = None;
            }
        }
        self.counter_port();
        self.token_ports()?;
        if self.bit(self.o.retire_valid) {
            self.retired()?;
        }
        if self.bit(self.o.exception_valid) {
            self.excepted()?;
        }
        self.moving = self.get(self.o.status_moving);
        Ok(())
    }

    /// The operation at the barrier unit, from what stands at the ports and what was to come.
    fn barrier_op(&self) -> Result<BarrierOp, CoreError> {
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
                if self.slots[warp].excepted.is_none() {
                    return self.rule(format!("KILL of warp {warp}"));
                }
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

    fn barrier_ports(&mut self) -> Result<(), CoreError> {
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
        if let Some(judge) = &mut self.judge {
            if let Err(detail) = judge.cycle(&ports) {
                return self.rule(format!("barrier unit: {detail}\n{ports:x?}"));
            }
        }
        if let Err(violation) = self.rules.cycle(&ports) {
            return self.rule(format!("barrier unit: {violation}\n{ports:x?}"));
        }
        self.held[(self.cycle % 8) as usize] = ports.hold;
        self.happened.held += u64::from(ports.hold != 0);
        if let Some(event) = ports.event {
            self.event = self.cycle;
            let h = &mut self.happened;
            *match event.kind {
                EventKind::Fire => &mut h.barriers,
                EventKind::Timeout => &mut h.timeouts,
                EventKind::Idle => &mut h.idle,
                EventKind::Again => &mut h.late_groups,
            } += 1;
        }
        self.happened.barrier_errors += u64::from(ports.error.is_some());
        if let Some(op) = ports.taken().filter(|op| op.code.has_verdict()) {
            self.slots[op.warp].asked = Some(*op);
        }
        self.answers_taken()?;
        let verdict = ports.verdict.filter(|_| ports.verdict_ready);
        let wake = ports.wake.filter(|_| ports.wake_ready);
        if verdict.is_some() && self.told.is_some() || wake.is_some() && self.woken.is_some() {
            return self
                .rule("the barrier unit says more than can stand before the convergence unit");
        }
        self.told = verdict.or(self.told);
        self.woken = wake.or(self.woken);
        Ok(())
    }

    /// What the convergence unit takes of the barrier unit's answers.
    fn answers_taken(&mut self) -> Result<(), CoreError> {
        if self.bit(self.o.verdict_taken) {
            let Some(verdict) = self.told.take() else {
                return self.rule("a verdict is taken that nobody has said");
            };
            self.verdict(verdict)?;
        }
        if self.bit(self.o.wake_taken) {
            let Some(wake) = self.woken.take() else {
                return self.rule("a wake is taken that nobody has said");
            };
            let slot = &mut self.slots[wake.warp];
            self.happened.wakes += 1;
            self.happened.wakes_of_running += u64::from(!slot.blocked);
            self.happened.wakes_of_the_dead += u64::from(!slot.alive);
            if slot.alive {
                slot.accepted = Some(Accepted::Wake(wake));
            }
        }
        Ok(())
    }

    fn verdict(&mut self, verdict: Verdict) -> Result<(), CoreError> {
        let slot = &mut self.slots[verdict.warp];
        let Some(op) = slot.asked.filter(|_| slot.alive) else {
            return self.rule(format!("{verdict:?} of nothing"));
        };
        slot.accepted = Some(Accepted::Verdict(verdict));
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

    fn token_ports(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let outputs = Outputs {
            spill_request_valid: self.bit(o.spill_request_valid),
            spill_request_write: self.bit(o.spill_request_write),
            spill_request_last: self.bit(o.spill_request_last),
            spill_request_tag: self.get(o.spill_request_tag) as u16,
            spill_request_address: self.get(o.spill_request_address) as u32,
            spill_request_data: self.get(o.spill_request_data).into(),
            spill_response_ready: self.bit(o.spill_response_ready),
            ..Outputs::default()
        };
        if let Err((rule, detail)) = self.checker.cycle(&self.around, &outputs) {
            return self.rule(format!("{rule:?}: {detail}"));
        }
        let taken = self.around.spill_request_ready && Request::offered(&outputs).is_some();
        if taken {
            self.happened.token_requests += 1;
            self.event = self.cycle;
        }
        self.tokens.edge(&self.around, &outputs);
        if self.around.config_valid && self.bit(self.o.config_ready) {
            self.around.config_valid = false;
        }
        if self.bit(self.o.config_done) {
            self.answer = Some(self.get(self.o.config_result) as u32);
            self.access = None;
        }
        Ok(())
    }

    /// The value comes three cycles after its number.
    fn counter_port(&mut self) {
        let due = |r: &Reading| r.selected.is_some_and(|at| at + 3 <= self.cycle);
        if !self.readings.front().is_some_and(due) {
            return;
        }
        let Some(r) = self.readings.pop_front() else {
            return;
        };
        let value = self.get(self.o.counter_value) as u32;
        let (cta, block) = r.stands;
        // A CTA that has failed may be over.
        if let Some(job) = &mut self.ctas[cta].job {
            job.lanes.counter_read(block, &r.read, value);
            if let Some(machine) = &mut job.golden {
                machine.counter_read(block, r.read.readers, r.read.rd, value);
            }
        }
        self.happened.counter_reads += 1;
        self.units.issued(self.cycle, r.class, r.done);
    }

    fn cta_ports(&mut self) -> Result<(), CoreError> {
        let cycle = self.cycle;
        let room = (self.size.warps * self.size.threads) as u32;
        // Refused, in the cycle after its transfer.
        let refused = self
            .bit(self.o.cta_refused)
            .then(|| self.get(self.o.cta_refused_id) as u16);
        let expected = self.refuses.filter(|r| r.0 + 1 == cycle).map(|r| r.1);
        if refused != expected {
            return self.rule(format!("CTA refused: {refused:?}, must be {expected:?}"));
        }
        if let Some(index) = self.offered.filter(|_| self.bit(self.o.cta_ready)) {
            if !self.to_launch.is_empty() {
                return self.rule("a CTA is taken while another one is being placed");
            }
            self.offered = None;
            self.event = cycle;
            let Cta { threads, id, .. } = self.ctas[index].cta;
            if threads == 0 || threads > room {
                self.refuses = Some((cycle, id));
                self.happened.refused += 1;
                let state = &mut self.ctas[index];
                (state.report.refused, state.state) = (true, State::Done);
            } else {
                let part = self.ctas[index].part;
                let mut job = Job::new(self.program, self.run, threads, part, &self.options)?;
                if part.is_some() {
                    let memory = job.share();
                    self.shared.get_or_insert(memory);
                }
                let blocks = (0..job.blocks()).map(|block| (index, block));
                self.to_launch.extend(blocks);
                self.ctas[index].job = Some(job);
                self.ctas[index].state = State::Taken(cycle);
            }
        }
        self.mapping()?;
        if self.bit(self.o.cta_done) {
            self.cta_done()?;
        }
        let there = |c: &&Block| matches!(c.state, State::Taken(_)) && !c.report.warps.is_empty();
        let there = self.ctas.iter().filter(there).count() as u64;
        self.happened.cta_overlap += u64::from(there > 1);
        self.happened.most_ctas = self.happened.most_ctas.max(there);
        let over = |c: &&Block| matches!(c.state, State::Over(_));
        let over: Vec<_> = self.ctas.iter().filter(over).collect();
        // One pulse per cycle at most.
        let patience = DONE_WITHIN + 4 * over.len() as u64;
        let forgotten = |c: &&&Block| matches!(c.state, State::Over(at) if cycle > at + patience);
        match over.iter().find(forgotten) {
            Some(c) => self.rule(format!("no cta_done for {:?}, {:?}", c.cta, c.state)),
            None => Ok(()),
        }
    }

    /// `where_*` and `find_*` against the order of the launches.
    fn mapping(&mut self) -> Result<(), CoreError> {
        if let Some((cta, block, warp)) = self.found.take() {
            let found = self.get(self.o.find_warp) as usize;
            if self.ctas[cta].state != State::Done && found != warp {
                return self.rule(format!(
                    "block {block} of {:?} stands on warp {warp}, find_warp is {found}",
                    self.ctas[cta].cta
                ));
            }
        }
        self.found = self.finding.take();
        let warp = self.where_warp;
        if self.to_look_up.front() == Some(&warp) {
            self.to_look_up.pop_front();
        }
        let Some((cta, block)) = self.slots[warp].stands.filter(|_| self.slots[warp].alive) else {
            return Ok(());
        };
        let seen = (
            self.get(self.o.where_block) as usize,
            self.get(self.o.where_first) as usize,
        );
        let slot = self.get(self.o.where_cta) as u8;
        if seen != (block, block * self.size.threads) {
            return self.rule(format!(
                "block {block} of {:?} stands on warp {warp}; where_block and where_first: {seen:?}",
                self.ctas[cta].cta
            ));
        }
        let others = self.ctas.iter().enumerate().filter(|(n, _)| *n != cta);
        let mut running = others.filter(|(_, c)| c.state != State::Done);
        if running.any(|(_, c)| c.report.slot == Some(slot)) {
            return self.rule(format!("two CTAs in slot {slot}"));
        }
        match self.ctas[cta].report.slot {
            Some(before) if before != slot => {
                self.rule(format!("a CTA in slots {before} and {slot}"))
            }
            _ => {
                self.ctas[cta].report.slot = Some(slot);
                Ok(())
            }
        }
    }

    fn cta_done(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let id = self.get(o.cta_done_id) as u16;
        let (slot, failed) = (self.get(o.cta_done_slot) as u8, self.bit(o.cta_done_failed));
        let over = |c: &Block| c.cta.id == id && matches!(c.state, State::Over(_));
        let Some(index) = self.ctas.iter().position(over) else {
            return self.rule(format!("cta_done of id {id:#x}, which has not ended"));
        };
        let state = &mut self.ctas[index];
        let known = (state.report.slot.unwrap_or(slot), state.report.failed);
        if known != (slot, failed) {
            return self.rule(format!(
                "cta_done of id {id:#x}: slot {slot}, failed {failed}; must be {known:?}"
            ));
        }
        state.state = State::Done;
        let report = &mut state.report;
        (report.slot, report.ended) = (Some(slot), self.cycle);
        let mut job = state.job.take().expect("it ran");
        report.faults = job.faults();
        job.swap(&mut self.shared);
        job.compare()?;
        job.swap(&mut self.shared);
        if state.part.is_none() {
            match job.compare_alone(self.program, self.run)? {
                Some(Alone::Agrees) => report.oracle_agrees = Some(true),
                Some(Alone::Silent(why)) => self.oracle.1 = Some(why),
                None => {}
            }
        }
        report.threads = job.threads().to_vec();
        for (block, &slot) in report.warps.iter().enumerate() {
            self.by_slot[slot] += job.lanes.thread_instructions()[block];
        }
        if let Some(machine) = &job.golden {
            self.model_recentered += machine.stats().total.recentered;
            report.cache = machine.cache().cloned();
        }
        self.thread_instructions += job.lanes.thread_instructions().iter().sum::<u64>();
        report.memory = job.lanes.memory;
        self.happened.failed_ctas += u64::from(failed);
        self.ended = self.cycle;
        self.event = self.cycle;
        Ok(())
    }

    /// The warp has ended, or was stopped by an exception.
    fn over(&mut self, warp: usize, failed: bool) {
        let slot = &mut self.slots[warp];
        slot.alive = false;
        slot.waits = false;
        slot.control = None;
        let (cta, _) = slot.stands.expect("it ran");
        let state = &mut self.ctas[cta];
        state.ended += 1;
        state.report.failed |= failed;
        let blocks = state.job.as_ref().map_or(0, Job::blocks);
        if state.ended == blocks {
            state.state = State::Over(self.cycle);
        }
        self.useful.1 = self.cycle;
    }

    /// The golden machine's warp.
    fn model(&self, warp: usize) -> Option<&Warp> {
        let (cta, block) = self.slots[warp].stands?;
        let machine = self.ctas[cta].job.as_ref()?.golden.as_ref()?;
        Some(machine.warp(block))
    }

    /// The golden machine does what the hardware has retired. Of a barrier operation it is told the verdict;
    /// `false`: it has another operation.
    fn golden(&mut self, warp: usize) -> Option<Result<Record, Option<Fault>>> {
        let slot = &self.slots[warp];
        let (cta, block) = slot.stands?;
        let (asked, accepted, woken) = (slot.asked, slot.accepted, slot.woken);
        let machine = self.ctas[cta].job.as_mut()?.golden.as_mut()?;
        if let Some(Accepted::Wake(wake)) = accepted {
            return Some(Ok(Record {
                warp,
                ..machine.wake_up(&Wake {
                    warp: block,
                    ..wake
                })
            }));
        }
        if woken {
            machine.warp_mut(block).defer_forced_yield();
        }
        let mut agrees = true;
        let shared = self.shared.as_mut().and_then(|s| s.golden.as_mut());
        let mut memory = shared;
        if let Some(memory) = &mut memory {
            std::mem::swap(machine.memory_mut(), memory);
        }
        let stepped = match machine.is_runnable(block) {
            true => machine
                .step_by(block, |_, op, _| {
                    let op = BarrierOp { warp, ..*op };
                    let verdict = match accepted {
                        Some(Accepted::Verdict(verdict)) => Some(verdict),
                        _ => None,
                    };
                    agrees = op.code == OpCode::Kill || asked.is_some_and(|a| same(&a, &op));
                    Told {
                        verdict: verdict.or(Some(Verdict {
                            warp,
                            kind: VerdictKind::Next,
                            mask: 0,
                            pc: op.pc,
                        })),
                        ..Told::default()
                    }
                })
                .map_err(Some),
            false => Err(None),
        };
        if let Some(memory) = &mut memory {
            std::mem::swap(machine.memory_mut(), memory);
        }
        match agrees {
            true => Some(stepped),
            false => Some(Err(None)),
        }
    }

    fn retired(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let warp = self.get(o.retire_warp) as usize;
        let (done, blocked) = (self.bit(o.retire_done), self.bit(o.retire_blocked));
        let depth = self.get(o.retire_depth) as usize;
        let token = Token {
            kind: self.get(o.retire_front_kind) as u8,
            mask: self.get(o.retire_front_mask),
            address: self.get(o.retire_front_pc) as u32,
            below: self.get(o.retire_front_below) as u8,
        };
        let code = self.get(o.retire_op) as u8;
        let slot = &self.slots[warp];
        // A verdict, or a mask instruction that changes no active mask.
        let told = matches!(slot.accepted, Some(Accepted::Verdict(_)))
            || (slot.control.is_some() && slot.resolve.op == Op::Next as u8);
        let Some(event) = Event::from_code(code).filter(|&e| e != Event::Next || told) else {
            return self.rule(format!("warp {warp} retires operation {code}"));
        };
        let wakes = matches!(slot.accepted, Some(Accepted::Wake(_)));
        let forced = event == Event::ForcedYield;
        // Where a running warp is the convergence unit does not know between two control operations.
        let runs = wakes && !slot.blocked;
        let began = match (forced, slot.control) {
            _ if wakes => (self.get(o.retire_pc) as u32, slot.mask),
            (true, None) => (slot.pc, slot.mask),
            (false, Some(control)) if slot.resolved => control,
            _ => {
                return self.rule(format!("warp {warp} retires {}: {slot:x?}", event.name()));
            }
        };
        let record = Record {
            warp,
            event,
            pc: self.get(o.retire_pc) as u32,
            mask: began.1,
            next_pc: if done || blocked {
                0
            } else {
                self.get(o.retire_next_pc) as u32
            },
            next_mask: self.get(o.retire_next_mask),
            done,
            depth,
            front: (depth != 0).then_some(token),
            blocked,
            dropped: self.bit(o.retire_dropped),
        };
        if slot.alive && slot.faulted && wakes {
            // The exception is still to come; the golden machine has stopped the warp.
            self.slots[warp].accepted = None;
            self.unseen_wakes += 1;
            return Ok(());
        }
        if !slot.alive || slot.faulted || record.pc != began.0 {
            return self.rule(format!("{}: {slot:x?}", line(&record)));
        }
        let before = match event {
            Event::Mask => self.model(warp).cloned(),
            _ => None,
        };
        let expected = self.golden(warp);
        let seen = match &expected {
            Some(Ok(model)) if runs => Record {
                pc: model.pc,
                next_pc: model.next_pc,
                ..record
            },
            _ => record,
        };
        if expected.as_ref().is_some_and(|e| *e != Ok(seen)) {
            let model = said(&expected);
            return self.mismatch(warp, "a retired operation", line(&record), model);
        }
        self.note(warp, record);
        let resolve = self.slots[warp].resolve;
        self.observe(&seen, &resolve);
        self.slots[warp].deque = (record.depth, record.front);
        self.event = self.cycle;
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
        h.blocked += u64::from(blocked);
        let slot = &mut self.slots[warp];
        if !forced {
            slot.accepted = None;
        }
        if runs {
            slot.woken = true;
            return Ok(());
        }
        slot.woken = false;
        slot.waits = false;
        slot.control = None;
        slot.asked = None;
        (slot.pc, slot.mask) = (record.next_pc, record.next_mask);
        slot.blocked = blocked;
        if event == Event::Exit {
            self.useful.1 = self.cycle;
        }
        if done {
            self.over(warp, false);
        }
        Ok(())
    }

    fn excepted(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let warp = self.get(o.exception_warp) as usize;
        let (pc, code) = (
            self.get(o.exception_pc) as u32,
            self.get(o.exception_cause) as u8,
        );
        self.event = self.cycle;
        let slot = &self.slots[warp];
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
        if !slot.resolved && !slot.faulted {
            return self.rule(format!("warp {warp}: {what}; nothing was resolved"));
        }
        // The model has met the fault of an instruction that is not control when it was issued.
        let (cta, block) = slot.stands.expect("it runs");
        let job = self.ctas[cta].job.as_ref().expect("it runs");
        let ours = job.fault(block).map(|f| (f.pc, f.cause.code()));
        if !slot.faulted {
            let expected = self.golden(warp);
            let agree = match &expected {
                None => true,
                Some(Err(Some(f))) => (f.pc, f.cause.code()) == (pc * 4, code),
                _ => false,
            };
            if !agree {
                let model = said(&expected);
                return self.mismatch(warp, "an exception", what, model);
            }
        }
        if ours != Some((pc, code)) {
            return self.mismatch(warp, "an exception", what, format!("the lanes: {ours:x?}"));
        }
        self.slots[warp].excepted = Some(self.cycle);
        self.over(warp, true);
        Ok(())
    }

    fn watch(&mut self) -> Result<(), CoreError> {
        let jobs = self.ctas.iter().filter_map(|c| c.job.as_ref());
        let own = jobs.map(|job| job.lanes.memory.changes()).sum::<u64>();
        let shared = self.shared.as_ref().map_or(0, |s| s.lanes.changes());
        let changes = own + shared;
        if changes != self.useful.0 {
            self.useful = (changes, self.cycle);
        }
        let warps = || {
            let alive = self.slots.iter().enumerate().filter(|(_, s)| s.alive);
            let text = alive.map(|(warp, s)| {
                let waits = if s.waits { ", waits" } else { "" };
                let flight = s.in_flight.len();
                let (at, issued) = (s.pc * 4, s.issued);
                format!("\n  warp {warp} at {at:#x}{waits}, {flight} in flight, {issued} issued")
            });
            let waiters = self.judge.iter().flat_map(|judge| judge.unit().waiters());
            // A line for all that sleep for the same.
            let mut asleep = BTreeMap::<_, u64>::new();
            for w in waiters {
                let key = (w.warp, w.id, w.tag, w.arrivals, w.target);
                *asleep.entry(key).or_default() |= 1 << w.lane;
            }
            let sleepers = asleep
                .iter()
                .map(|((warp, id, tag, arrivals, target), mask)| {
                    let (at, count) = (tag * 4, mask.count_ones());
                    format!(
                    "\n  warp {warp}, lanes {mask:#x}: {count} threads sleep at barrier {id}, {at:#x}: \
                     {arrivals} of {target}"
                )
                });
            text.chain(sleepers).collect::<String>()
        };
        let (cycle, silent) = (self.cycle, self.cycle - self.event);
        if silent >= self.watchdog.hang {
            let warps = warps();
            return Err(CoreError::Hang {
                cycle,
                silent,
                warps,
            });
        }
        let silent = self.cycle - self.useful.1;
        if silent >= self.watchdog.livelock {
            let warps = warps();
            return Err(CoreError::Livelock {
                cycle,
                silent,
                warps,
            });
        }
        match self.run.cycles {
            _ if cycle % 1024 == 0 && crate::stop::requested() => {
                Err(CoreError::Interrupted(cycle, warps()))
            }
            Some(most) if cycle >= most => Err(CoreError::OutOfCycles(cycle, warps())),
            _ => Ok(()),
        }
    }

    // ---- Recentering by the driver.

    fn serve(&mut self, warp: usize) -> Result<(), CoreError> {
        driver::recenter(&mut Served { session: self }, warp)?;
        self.happened.served += 1;
        Ok(())
    }

    fn access(&mut self, warp: usize, register: u8, write: Option<u32>) -> Result<u32, CoreError> {
        if register == weft_ports::control::register::RESUME {
            self.checker.resume(warp);
        }
        self.access = Some(Access {
            warp,
            register,
            write,
        });
        let a = &mut self.around;
        a.config_valid = true;
        a.config_write = write.is_some();
        a.config_warp = warp as u8;
        a.config_register = register;
        a.config_data = write.unwrap_or(0);
        self.answer = None;
        loop {
            self.cycle()?;
            if let Some(result) = self.answer.take() {
                return Ok(result);
            }
        }
    }

    // ---- The end.

    fn finish(mut self) -> Result<Ran, CoreError> {
        let o = &self.o;
        let rest = [
            o.status_busy,
            o.status_moving,
            o.status_running,
            o.status_flight,
        ];
        if let Some(port) = rest.iter().find(|&&port| self.bit(port)) {
            return self.rule(format!("not at rest at the end: {:x?}", self.get(*port)));
        }
        let now = self.get(o.status_recentered) as u32;
        let ours = u64::from(now.wrapping_sub(self.recentered));
        let unseen = self.unseen_wakes != 0 && ours > self.model_recentered;
        if self.options.lockstep && ours != self.model_recentered && !unseen {
            let model = self.model_recentered;
            let detail = format!("the hardware has recentered {ours} times, the model {model}");
            return Err(CoreError::FinalState(detail));
        }
        self.happened.recentered = ours;
        self.happened.turns = self.rules.turns;
        let issued: u64 = self.issue_cycles + self.happened.dual;
        let counters = self.counters();
        self.check_counters(&counters)?;
        let began = self.began.unwrap_or(self.ended);
        self.judge_grid()?;
        Ok(Ran {
            cycles: self.ended.saturating_sub(began),
            issued,
            thread_instructions: self.thread_instructions,
            counters,
            happened: self.happened,
            ctas: self.ctas.into_iter().map(|c| c.report).collect(),
            oracle: self.oracle,
            by_slot: self.by_slot,
            memory: self.shared.map(|s| s.lanes),
        })
    }

    /// Of a grid: every thread alone, CTA by CTA, over one memory.
    fn judge_grid(&mut self) -> Result<(), CoreError> {
        let Some(shared) = self.shared.as_ref().filter(|_| self.run.oracle) else {
            return Ok(());
        };
        if self.ctas.iter().any(|c| !c.report.faults.is_empty()) {
            return Ok(());
        }
        let ctas = self.ctas.iter().filter(|c| !c.report.refused);
        let parts = ctas.map(|c| (c.cta.threads, c.part, &c.report.threads[..]));
        let alone = final_state::grid_alone(parts, &shared.lanes, self.program, self.run);
        match alone.map_err(oracle_error)? {
            Alone::Agrees => self.oracle.0 = Some(true),
            Alone::Silent(why) => self.oracle.1 = Some(why),
        }
        Ok(())
    }

    /// Through the counter port.
    fn counters(&mut self) -> Counters {
        self.flat.set(self.i.counter_hold, 1);
        self.flat.set(self.i.cta_valid, 0);
        self.flat.set(self.i.program_valid, 0);
        let mut read = |warp: usize, index: usize| {
            let select = (warp << 4 | index) as u64;
            self.flat.set(self.i.counter_select, select);
            for _ in 0..6 {
                self.flat.settle();
                self.flat.edge();
            }
            self.flat.get(self.o.counter_value) as u32
        };
        // Of all partitions (CORE-036): added up.
        let partitions = self.partitions.len();
        let mut whole = |reason: usize| {
            let (nth, index) = place_of(reason);
            let of = (0..partitions).map(|p| read(nth * partitions + p, index));
            of.sum::<u32>()
        };
        let reasons = std::array::from_fn(&mut whole);
        let dual = whole(6);
        let warps = (0..self.size.warps)
            .map(|warp| std::array::from_fn(|index| read(warp, index)))
            .collect();
        let issued = (0..self.size.warps).map(|warp| read(warp, 8)).collect();
        Counters {
            reasons,
            dual,
            warps,
            issued,
        }
    }

    fn check_counters(&self, c: &Counters) -> Result<(), CoreError> {
        let (sum, all) = (c.warps.iter().flatten().sum::<u32>(), c.cycles());
        let instructions: u64 = c.issued.iter().map(|&n| u64::from(n)).sum();
        let expected = (self.issue_cycles, self.happened.dual);
        let seen = (u64::from(c.reasons[0]), u64::from(c.dual));
        if sum != all || seen != expected || instructions != expected.0 + expected.1 {
            let detail = format!(
                "{c:?}: of warps {sum}, of all {all}, issued {instructions}; cycles with an issue and with two: {expected:?}"
            );
            return Err(CoreError::FinalState(detail));
        }
        Ok(())
    }
}

/// A machine that makes sense, and a program that fits into it; of a grid the stacks of all CTAs count.
fn check(program: &Program, run: &RunConfig, options: &CoreOptions) -> Result<(), CoreError> {
    let mut machine = run.machine.clone();
    if options.grid {
        let grid = options.ctas.iter().map(|cta| cta.threads).sum();
        let threads = machine.threads as u32;
        let first = options.ctas.first().map_or(0, |cta| cta.threads);
        machine.grid = Some(first);
        machine.part = Some(Part {
            thread: 0,
            cta: 0,
            grid,
            full: first,
        });
        let but_last = options.ctas.iter().rev().skip(1);
        if let Some(cta) = but_last.into_iter().find(|c| c.threads % threads != 0) {
            return Err(CoreError::FinalState(format!(
                "a CTA of {} threads in the middle of a grid: not whole warps",
                cta.threads
            )));
        }
    }
    machine.validate()?;
    machine.validate_program(program)?;
    Ok(())
}

/// Where the counter of a reason of a whole scheduler stands: which of its warps to name, and the index.
fn place_of(reason: usize) -> (usize, usize) {
    match reason {
        0..=3 => (reason, 9),
        _ => (reason - 4, 10),
    }
}

/// What `counter_select` says for a CSR that an instruction of the warp reads, with so many partitions.
fn counter_select(number: u16, warp: usize, partitions: usize) -> u64 {
    let (warp, index) = match usize::from(number) {
        // Of its partition: the reason says which warp to name.
        whole @ 0xce0.. => {
            let (nth, index) = place_of(whole - 0xce0);
            (nth * partitions + warp % partitions, index)
        }
        own => (warp, own - 0xcd0),
    };
    (warp << 4 | index) as u64
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

fn said(expected: &Option<Result<Record, Option<Fault>>>) -> String {
    match expected {
        None => "no model".to_string(),
        Some(Ok(record)) => line(record),
        Some(Err(Some(fault))) => fault.to_string(),
        Some(Err(None)) => "the warp does not run".to_string(),
    }
}

struct Served<'s, 'a> {
    session: &'s mut CoreSession<'a>,
}

impl Port for Served<'_, '_> {
    type Error = CoreError;

    fn read(&mut self, warp: usize, register: u8) -> Result<u32, CoreError> {
        self.session.access(warp, register, None)
    }

    fn write(&mut self, warp: usize, register: u8, value: u32) -> Result<(), CoreError> {
        self.session.access(warp, register, Some(value)).map(|_| ())
    }

    fn load(&mut self, address: u32) -> Result<u128, CoreError> {
        self.session.cycle()?;
        Ok(self.session.tokens.load(address))
    }

    fn store(&mut self, address: u32, token: u128) -> Result<(), CoreError> {
        self.session.cycle()?;
        self.session.tokens.store(address, token);
        Ok(())
    }
}
