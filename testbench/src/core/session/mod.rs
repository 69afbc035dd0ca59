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

mod control;
mod counters;
mod ctas;
mod inputs;
mod issue;
mod tokens;

use crate::core::fetch::Fetch;
use crate::core::job::{oracle_error, Job, Shared};
use crate::core::options::{CoreOptions, Cta};
use crate::core::ports::{InPorts, OutPorts, PartitionIn, PartitionOut};
use crate::core::report::{CoreError, Counters, CtaReport, Happened};
use crate::core::units::{Answer, Done, Units};
use crate::final_state::{load, Alone};
use crate::lanes::{CounterRead, Noise, Resolve};
use crate::lockstep::{Observer, Watchdog};
use crate::memory::{Checker, TokenMemory};
use crate::rtl::Model;
use crate::run_config::RunConfig;
use crate::seed::{stream, Rng};
use crate::session::{Access, Recenter};
use crate::warps::{WarpRules, Wrong};
use crate::{barrier, final_state};
use rand::Rng as _;
use std::collections::{BTreeMap, VecDeque};
use weft_generate::Config;
use weft_isa::Program;
use weft_ports::control::Inputs;
use weft_sim::{Memory, Part, Token};

/// `cta_done` follows that many cycles after the last warp has ended, when no other CTA ends.
const DONE_WITHIN: u64 = 5;

/// What only this judge knows of a warp slot.
#[derive(Clone, Debug, Default)]
struct CoreSlot {
    /// The resolve of its control instruction has been taken.
    resolved: bool,
    /// What it was resolved as.
    resolve: Resolve,
    /// CORE-012: an instruction has faulted; what comes is ignored.
    faulted: bool,
    /// Registers that instructions in flight write.
    pending: u32,
    /// By their numbers of issue.
    in_flight: VecDeque<u64>,
    /// Depth and front token after the latest control operation.
    deque: (usize, Option<Token>),
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
    warps: WarpRules,
    slots: Vec<CoreSlot>,
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
    /// Resets the core. Of `run` it ignores timing, window and waves, which are the model's.
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
            warps: WarpRules::new(size.warps, size.threads, options.lockstep),
            slots: vec![CoreSlot::default(); size.warps],
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
            event: 0,
            useful: (0, 0),
            issue_cycles: 0,
            began: None,
            ended: 0,
            model_recentered: 0,
            unseen_wakes: 0,
            thread_instructions: 0,
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

    /// The counters have been cleared by then.
    fn start(&self) -> u64 {
        16 * self.size.warps as u64 + 8
    }

    fn rule<T>(&self, detail: impl Into<String>) -> Result<T, CoreError> {
        Err(CoreError::Rule {
            cycle: self.warps.cycle,
            detail: detail.into(),
        })
    }

    /// What the rules of warps say, at this cycle.
    fn judged<T>(&self, said: Result<T, Wrong>) -> Result<T, CoreError> {
        let cycle = self.warps.cycle;
        said.map_err(|wrong| match wrong {
            Wrong::Rule(detail) => CoreError::Rule { cycle, detail },
            Wrong::Differs {
                warp,
                what,
                hardware,
                model,
                history,
            } => CoreError::Mismatch {
                cycle,
                warp,
                what,
                hardware,
                model,
                history,
            },
        })
    }

    fn mismatch<T>(
        &self,
        warp: usize,
        what: &str,
        hardware: String,
        model: String,
    ) -> Result<T, CoreError> {
        self.judged(self.warps.differs(warp, what, hardware, model))
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
            && self.warps.is_quiet()
            && self.warps.cycle > self.ended + 8
    }

    fn cycle(&mut self) -> Result<(), CoreError> {
        self.launches()?;
        self.issues()?;
        self.drive();
        self.flat.settle();
        self.transfers()?;
        self.flat.edge();
        self.warps.cycle += 1;
        self.watch()
    }

    fn transfers(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let words = self.partitions.iter().map(|(_, o)| o.decode_word);
        self.words = words
            .map(|ports| ports.map(|port| self.get(port) as u32))
            .collect();
        if self.bit(o.fetch_valid) && self.fetch_ready {
            let (warp, line) = (self.get(o.fetch_warp) as u8, self.get(o.fetch_line) as u32);
            if let Err(detail) = self.fetch.requested(self.warps.cycle, warp, line) {
                return self.rule(detail);
            }
            let partition = usize::from(warp) % self.partitions.len();
            let (at, before) = std::mem::replace(&mut self.line_of, (self.warps.cycle, partition));
            let turns = at + 1 == self.warps.cycle && before != partition;
            self.happened.lines_in_turns += u64::from(turns);
        }
        self.cta_ports()?;
        self.barrier_ports()?;
        if let Some(answer) = self.presented {
            if self.bit(self.o.resolve_ready) {
                let waited = self.warps.cycle - self.presented_since;
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

    fn watch(&mut self) -> Result<(), CoreError> {
        let jobs = self.ctas.iter().filter_map(|c| c.job.as_ref());
        let own = jobs.map(|job| job.lanes.memory.changes()).sum::<u64>();
        let shared = self.shared.as_ref().map_or(0, |s| s.lanes.changes());
        let changes = own + shared;
        if changes != self.useful.0 {
            self.useful = (changes, self.warps.cycle);
        }
        let warps = || {
            let slots = self.warps.slots().iter().enumerate();
            let text = slots.filter(|(_, s)| s.alive).map(|(warp, s)| {
                let waits = if s.control.is_some() { ", waits" } else { "" };
                let flight = self.slots[warp].in_flight.len();
                let (at, issued) = (s.pc * 4, s.issued);
                format!("\n  warp {warp} at {at:#x}{waits}, {flight} in flight, {issued} issued")
            });
            let waiters = self
                .warps
                .barrier_model
                .iter()
                .flat_map(|judge| judge.unit().waiters());
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
        let (cycle, silent) = (self.warps.cycle, self.warps.cycle - self.event);
        if silent >= self.watchdog.hang {
            let warps = warps();
            return Err(CoreError::Hang {
                cycle,
                silent,
                warps,
            });
        }
        let silent = self.warps.cycle - self.useful.1;
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
        self.happened.turns = self
            .warps
            .barrier_rules
            .as_ref()
            .map_or(0, |rules| rules.turns);
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
