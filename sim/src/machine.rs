//! The golden model: warps, their threads, and memory.
//!
//! Spec: `docs/spec/isa.md` (*Reference machine*, and how instructions become control operations),
//! `docs/spec/convergence.md`, whose operations are in [`crate::convergence`], and `docs/spec/barrier.md`, whose unit is in
//! [`crate::barrier`]: it decides what a barrier instruction becomes, and wakes threads ([`Machine::serve`]). Untimed: [`Machine::step`] is told which warp
//! goes, so that the co-simulation can follow the order in which the hardware retires; [`Machine::run`] goes round-robin.

use crate::barrier::{Answer, BarrierError, Doing, Event as BarrierEvent, Op, OpCode, Params};
use crate::barrier::{State as BarrierState, Unit, Verdict, VerdictKind, Wake, Word};
use crate::code::Code;
use crate::config::{Config, ConfigError};
use crate::convergence::{Operation, Warp, PC_MASK};
use crate::deque::{kind_name, Token};
use crate::fault::Fault;
use crate::lane::{execute, indirect_target, CsrView, Effect, Thread};
use crate::memory::{FaultCause, Memory};
use crate::mutation::Mutation;
use crate::record::Record;
use crate::stats::{Stats, WarpStats};
use std::fmt;
use weft_isa::{Instr, Program};

/// Livelock is when that many warp instructions in a row change no memory content and end no thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchdog {
    pub instructions: u64,
}

/// How long [`Machine::run`] runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub watchdog: Option<Watchdog>,
    /// Most warp instructions in this run.
    pub instructions: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every thread has ended.
    Done,
    /// These warps faulted, all others are done.
    Faulted(Vec<Fault>),
    /// The watchdog barked: the warps that still run. Earlier faults are in [`Machine::faults`].
    Livelock(Vec<Spinning>),
    /// The limit of instructions was reached.
    OutOfInstructions,
    /// Nothing can run any more, but threads wait at barriers. Earlier faults are in [`Machine::faults`].
    Hung(Vec<Stuck>),
}

/// A thread that waits at a barrier for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub warp: usize,
    pub lane: u32,
    /// Number in the grid.
    pub thread: u32,
    pub cta: usize,
    /// Byte address of the barrier instruction.
    pub pc: u32,
    pub barrier: usize,
    pub waits: Waits,
}

/// What for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Asleep at a barrier where so many have arrived.
    Arrivals {
        section: bool,
        arrivals: u32,
        target: u32,
    },
    /// Asleep at a section that somebody is inside.
    Turn,
    /// It executes the instruction again and again: the barrier is in use.
    Busy,
    /// At a WAIT.
    Phase,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "warp {}, lane {} (thread {}) waits at {:#x}, barrier {} of CTA {}: ",
            self.warp, self.lane, self.thread, self.pc, self.barrier, self.cta
        )?;
        match self.waits {
            Waits::Arrivals {
                section,
                arrivals,
                target,
            } => {
                let what = if section { "section" } else { "barrier" };
                write!(f, "{what}, {arrivals} of {target} arrivals")
            }
            Waits::Turn => f.write_str("section, somebody is inside or has not run it"),
            Waits::Busy => f.write_str("the barrier is in use elsewhere"),
            Waits::Phase => f.write_str("the phase does not end"),
        }
    }
}

/// What a warp was doing when the watchdog barked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spinning {
    pub warp: usize,
    /// Byte addresses that it executed lately, ascending.
    pub pcs: Vec<u32>,
    /// Active mask.
    pub active: u64,
    /// Lane and reason of every thread that is off but has not ended.
    pub waiting: Vec<(usize, u8)>,
}

impl fmt::Display for Spinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warp {}: active {:#x} at", self.warp, self.active)?;
        for pc in &self.pcs {
            write!(f, " {pc:#x}")?;
        }
        for (n, (lane, reason)) in self.waiting.iter().enumerate() {
            let before = if n == 0 { "; waiting: lane" } else { "," };
            write!(f, "{before} {lane} {}", kind_name(*reason))?;
        }
        Ok(())
    }
}

/// A warp with its threads.
#[derive(Clone, Debug)]
struct Slot {
    control: Warp,
    threads: Vec<Thread>,
    fault: Option<Fault>,
    warp_instructions: u64,
    thread_instructions: u64,
    recent: Recent,
    /// Of each thread: the barrier instruction that it has to execute again.
    retries: Vec<Option<(u32, usize, OpCode)>>,
}

/// The latest pcs of a warp (instruction indices), for the watchdog's report.
#[derive(Clone, Debug)]
struct Recent {
    ring: [u32; Recent::LENGTH],
    count: usize,
}

impl Recent {
    const LENGTH: usize = 256;

    #[inline]
    fn note(&mut self, pc: u32) {
        self.ring[self.count % Self::LENGTH] = pc;
        self.count = self.count.wrapping_add(1);
    }

    /// Byte addresses of the latest `most` entries, ascending, each once.
    fn addresses(&self, most: usize) -> Vec<u32> {
        let most = most.clamp(1, Self::LENGTH).min(self.count);
        let latest = (1..=most).map(|back| self.ring[(self.count - back) % Self::LENGTH] * 4);
        latest
            .collect::<std::collections::BTreeSet<u32>>()
            .into_iter()
            .collect()
    }
}

#[derive(Clone, Debug)]
pub struct Machine {
    config: Config,
    code: Code,
    memory: Memory,
    slots: Vec<Slot>,
    faults: Vec<Fault>,
    /// Threads that have executed EXIT.
    ended: u64,
    barriers: Unit,
    barrier_errors: Vec<BarrierError>,
    /// Warp instructions, as the clock of the barriers' timers.
    clock: u64,
    /// A timer runs.
    timed: bool,
    /// Warp instructions in a row that got nowhere: their threads have to execute a barrier instruction again.
    retried: u64,
    /// Barriers have changed so often.
    barrier_changes: u64,
}

/// Most errors of barriers that are kept.
const MOST_BARRIER_ERRORS: usize = 1_000;

impl Machine {
    /// Loads the program and launches all warps at its entry.
    pub fn new(program: &Program, config: &Config) -> Result<Machine, ConfigError> {
        config.validate()?;
        config.validate_program(program)?;
        let mut memory = Memory::load(program, config.memory);
        let code = Code::new(program, &mut memory);
        let (policy, entry) = (config.policy(), program.entry / 4);
        let mut barriers = Unit::new(Params {
            warps: config.warps,
            threads: config.threads,
        });
        for warp in (0..config.warps).filter(|&warp| config.launch_mask(warp) != 0) {
            let cta = config.cta_of(warp);
            let launch = Op {
                code: OpCode::Launch,
                warp,
                active: config.launch_mask(warp),
                cta,
                block: config.block_of(warp),
                threads: config.cta_threads(cta),
                ..Op::default()
            };
            barriers.op(&launch, 0);
        }
        let slots = (0..config.warps)
            .map(|warp| {
                let mask = config.launch_mask(warp);
                let thread = |lane| match mask >> lane & 1 {
                    1 => Thread::launched(config, (warp * config.threads + lane) as u32),
                    _ => Thread::default(),
                };
                let launched =
                    Warp::launch(warp, config.threads, config.tokens, policy, entry, mask);
                Slot {
                    control: launched.expect("a valid configuration has enough tokens"),
                    threads: (0..config.threads).map(thread).collect(),
                    fault: None,
                    warp_instructions: 0,
                    thread_instructions: 0,
                    recent: Recent {
                        ring: [0; Recent::LENGTH],
                        count: 0,
                    },
                    retries: vec![None; config.threads],
                }
            })
            .collect();
        Ok(Machine {
            config: config.clone(),
            code,
            memory,
            slots,
            faults: Vec::new(),
            ended: 0,
            barriers,
            barrier_errors: Vec::new(),
            clock: 0,
            timed: false,
            retried: 0,
            barrier_changes: 0,
        })
    }

    /// A machine that departs from the specification in one point.
    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Machine {
        for slot in &mut self.slots {
            slot.control = slot.control.clone().with_mutation(mutation);
        }
        self
    }

    /// Retires one operation of `warp`, or one forced yield if that is due.
    ///
    /// # Errors
    /// A fault of a thread (CONV-100); the warp has stopped then.
    ///
    /// # Panics
    /// When the warp is not [runnable](Machine::is_runnable), and on LOST_THREADS (CONV-071).
    pub fn step(&mut self, warp: usize) -> Result<Record, Fault> {
        self.step_by(warp, |unit, op, clock| unit.op(op, clock))
    }

    /// The same when somebody else gives the operations to the barrier unit: `give` is called for a barrier instruction,
    /// EXIT, or the KILL of a fault, with the unit, the operation and the machine's clock.
    pub fn step_by(
        &mut self,
        warp: usize,
        mut give: impl FnMut(&mut Unit, &Op, u64) -> Answer,
    ) -> Result<Record, Fault> {
        assert!(self.is_runnable(warp), "warp {warp} is not running");
        let control = &mut self.slots[warp].control;
        if control.forced_yield_due() {
            return Ok(control
                .forced_yield()
                .unwrap_or_else(|e| panic!("warp {warp}: {e}")));
        }
        let (pc, active) = (control.pc(), control.active());
        self.code.refresh(&mut self.memory);
        self.clock += 1;
        if self.timed {
            self.barriers.visit(self.clock);
            self.time_out();
        }
        let executed = self.execute(warp, pc * 4, active).inspect_err(|fault| {
            self.slots[warp].fault = Some(*fault);
            self.faults.push(*fault);
        });
        let operation = match executed {
            Ok((operation, None)) => {
                self.retried = 0;
                operation
            }
            Ok((_, Some(op))) => {
                let answer = give(&mut self.barriers, &op, self.clock);
                self.answered(&op, answer)
            }
            Err(fault) => {
                let kill = Op {
                    code: OpCode::Kill,
                    warp,
                    ..Op::default()
                };
                let answer = give(&mut self.barriers, &kill, self.clock);
                self.barrier_changed(&answer.events);
                return Err(fault);
            }
        };
        let slot = &mut self.slots[warp];
        slot.recent.note(pc);
        slot.warp_instructions += 1;
        if let Operation::Exit { selected } = operation {
            self.ended += u64::from(selected.count_ones());
        }
        Ok(slot
            .control
            .apply(operation)
            .unwrap_or_else(|e| panic!("warp {warp}, pc {:#x}: {e}", pc * 4)))
    }

    /// The verdict of the barrier unit as an operation of the warp.
    fn answered(&mut self, op: &Op, answer: Answer) -> Operation {
        let room = MOST_BARRIER_ERRORS.saturating_sub(self.barrier_errors.len());
        self.barrier_errors
            .extend(answer.errors.iter().take(room).copied());
        self.barrier_changed(&answer.events);
        let Verdict { kind, mask, .. } = answer.verdict.expect("it has a verdict");
        let again = match kind {
            VerdictKind::Retry => mask,
            VerdictKind::Part => op.active,
            VerdictKind::Next | VerdictKind::Sleep | VerdictKind::Exit => 0,
        };
        self.retried = match again == op.active {
            true => self.retried + 1,
            false => 0,
        };
        let slot = &mut self.slots[op.warp];
        for lane in (0..self.config.threads).filter(|lane| op.active >> lane & 1 != 0) {
            let retries = again >> lane & 1 != 0;
            slot.retries[lane] = retries.then_some((op.pc, op.id, op.code));
            slot.threads[lane].instret += u64::from(!retries && op.code != OpCode::Exit);
        }
        if op.code != OpCode::Exit {
            slot.thread_instructions += u64::from((op.active & !again).count_ones());
        }
        let selected = mask;
        match kind {
            VerdictKind::Next => Operation::Next,
            VerdictKind::Sleep => Operation::Sleep { selected },
            VerdictKind::Retry => Operation::Retry { selected },
            VerdictKind::Part => Operation::Part { selected },
            VerdictKind::Exit => Operation::Exit { selected },
        }
    }

    fn barrier_changed(&mut self, events: &[BarrierEvent]) {
        self.barrier_changes += events.len() as u64;
        self.timed = self.barriers.next_expiry(self.clock).is_some();
    }

    fn time_out(&mut self) {
        for number in self.barriers.run_out() {
            let events = self.barriers.time_out(number);
            self.barrier_changed(&events);
            self.retried = 0;
        }
    }

    /// What the barrier unit does next on its own: threads wake, or a barrier changes its state. The golden machine on its
    /// own does all of this before the next instruction.
    pub fn serve(&mut self) -> Option<Served> {
        let doing = self.barriers.choose()?;
        self.retried = 0;
        Some(match doing {
            Doing::Wake(wake) => Served::Woken(self.wake_up(&wake)),
            Doing::Event(event) => {
                self.barrier_changed(&[event]);
                Served::Event(event)
            }
        })
    }

    /// The hardware has woken these threads.
    ///
    /// # Errors
    /// The specification of the barrier unit does not allow it.
    pub fn woken(&mut self, wake: &Wake) -> Result<Record, String> {
        self.barriers.woken(wake)?;
        Ok(self.wake_up(wake))
    }

    /// These threads wake, whatever this machine's own barrier unit thinks of it.
    pub fn wake_up(&mut self, wake: &Wake) -> Record {
        let warp = &mut self.slots[wake.warp].control;
        let woken = warp.wake(wake.mask, wake.pc);
        woken.unwrap_or_else(|e| panic!("warp {}: {e}", wake.warp))
    }

    /// The barrier unit. Whoever follows the hardware's choices tells it of them.
    pub fn barriers_mut(&mut self) -> &mut Unit {
        &mut self.barriers
    }

    pub fn barriers(&self) -> &Unit {
        &self.barriers
    }

    /// Bad use of barriers, in the order in which it happened; the first 1,000.
    pub fn barrier_errors(&self) -> &[BarrierError] {
        &self.barrier_errors
    }

    /// Everybody who waits at a barrier.
    pub fn stuck(&self) -> Vec<Stuck> {
        let width = self.config.threads;
        let of = |warp: usize, lane: usize, pc: u32, barrier, waits| Stuck {
            warp,
            lane: lane as u32,
            thread: (warp * width + lane) as u32,
            cta: self.config.cta_of(warp),
            pc: pc * 4,
            barrier,
            waits,
        };
        let asleep = self.barriers.waiters().into_iter().map(|w| {
            let section = w.kind != crate::barrier::Kind::Simple;
            let waits = match w.state {
                BarrierState::Dynamic => Waits::Turn,
                _ => Waits::Arrivals {
                    section,
                    arrivals: w.arrivals,
                    target: w.target,
                },
            };
            of(w.warp, w.lane as usize, w.tag, w.id, waits)
        });
        let mut list: Vec<Stuck> = asleep.collect();
        for (warp, slot) in self.slots.iter().enumerate() {
            let ended = slot.control.ended();
            if slot.fault.is_some() {
                continue;
            }
            for (lane, retry) in slot.retries.iter().enumerate() {
                if let Some((pc, id, code)) = retry.filter(|_| ended >> lane & 1 == 0) {
                    let waits = match code {
                        OpCode::Wait => Waits::Phase,
                        _ => Waits::Busy,
                    };
                    list.push(of(warp, lane, pc, id, waits));
                }
            }
        }
        list.sort_by_key(|s| s.thread);
        list
    }

    /// Nothing but barrier instructions that have to be executed again has run for a while: every thread has tried.
    fn gets_nowhere(&self) -> bool {
        let threads = (self.slots.len() * self.config.threads) as u64;
        self.retried > 4 * threads + 16
    }

    /// Nothing can run: the first timer runs out at once. False when none runs.
    fn skip_to_timeout(&mut self) -> bool {
        let Some(expiry) = self.barriers.next_expiry(self.clock + 1) else {
            return false;
        };
        // Visits in between count for longer timers.
        while self.clock < expiry {
            self.clock += 1;
            self.barriers.visit(self.clock);
        }
        self.time_out();
        true
    }

    /// Fetches one instruction and executes it for all active threads, or for the leader's group, in ascending order. With
    /// the operation of the barrier unit, if that decides what becomes of it.
    fn execute(
        &mut self,
        warp: usize,
        pc_byte: u32,
        active: u64,
    ) -> Result<(Operation, Option<Op>), Fault> {
        let width = self.config.threads;
        let first = (warp * width) as u32;
        let fault = |lane: u32, cause| Fault {
            warp,
            thread: first + lane,
            lane,
            pc: pc_byte,
            cause,
        };
        let leader = active.trailing_zeros();
        let instr = self
            .code
            .fetch(pc_byte, &self.memory)
            .map_err(|cause| fault(leader, cause))?;
        let threads = &mut self.slots[warp].threads[..];
        let executing = executing(instr, threads, active);
        let mut csr = CsrView {
            thread: 0,
            lane: 0,
            warp: warp as u32,
            grid: self.config.grid_size(),
            mask: active,
            width: width as u32,
            cta: self.config.cta_of(warp) as u32,
        };
        let counts = !matches!(instr, Instr::Barrier { .. });
        let mut word = None;
        let mut selected = 0;
        let mut effect = Effect::Next;
        let mut rest = executing;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            csr.lane = lane;
            csr.thread = first + lane;
            let thread = &mut threads[lane as usize];
            effect = execute(instr, pc_byte, thread, &csr, &mut self.memory)
                .map_err(|cause: FaultCause| fault(lane, cause))?;
            thread.instret += u64::from(counts);
            if let Effect::Barrier { word: own, .. } = effect {
                word.get_or_insert(own);
            }
            selected |= u64::from(selects(effect)) << lane;
        }
        if counts {
            self.slots[warp].thread_instructions += u64::from(executing.count_ones());
        }
        if self.config.call_tokens {
            effect = effect.with_call_tokens(instr);
        }
        let op = Op {
            warp,
            active,
            mask: selected,
            word: Word(word.unwrap_or(0)),
            pc: (pc_byte / 4) & PC_MASK,
            ..Op::default()
        };
        Ok(match effect {
            Effect::Barrier { op: what, id, .. } => {
                let code = OpCode::from(what);
                let id = usize::from(id);
                (Operation::Next, Some(Op { code, id, ..op }))
            }
            _ => (operation(effect, selected), self.exit_op(effect, op)),
        })
    }

    /// The barrier unit has to know of threads that end.
    fn exit_op(&self, effect: Effect, op: Op) -> Option<Op> {
        let code = OpCode::Exit;
        matches!(effect, Effect::Exit).then_some(Op { code, ..op })
    }

    /// Runs the warps in turn, each for one operation, until all are done, or have faulted, or a limit is reached. Calls
    /// `observer` for everything that retires.
    pub fn run(&mut self, limits: &Limits, mut observer: impl FnMut(&Record)) -> Outcome {
        let mut executed = 0u64;
        let mut progress = (self.memory.changes() + self.barrier_changes, self.ended);
        let mut progress_at = 0u64;
        loop {
            let mut ran = false;
            for warp in 0..self.slots.len() {
                if !self.is_runnable(warp) {
                    continue;
                }
                ran = true;
                if limits.instructions.is_some_and(|most| executed >= most) {
                    return Outcome::OutOfInstructions;
                }
                let stepped = self.step(warp);
                if let Ok(record) = &stepped {
                    executed += u64::from(record.event != crate::Event::ForcedYield);
                    observer(record);
                }
                while let Some(served) = self.serve() {
                    if let Served::Woken(record) = served {
                        observer(&record);
                    }
                }
                if stepped.is_err() {
                    continue;
                }
                if self.gets_nowhere() && !self.skip_to_timeout() {
                    return Outcome::Hung(self.stuck());
                }
                let now = (self.memory.changes() + self.barrier_changes, self.ended);
                if now != progress {
                    progress = now;
                    progress_at = executed;
                }
                if let Some(Watchdog { instructions }) = limits.watchdog {
                    if executed - progress_at >= instructions && !self.is_finished() {
                        return Outcome::Livelock(self.spinning(instructions));
                    }
                }
            }
            if !ran {
                if self.skip_to_timeout() {
                    while let Some(served) = self.serve() {
                        if let Served::Woken(record) = served {
                            observer(&record);
                        }
                    }
                    continue;
                }
                if !self.is_finished() {
                    return Outcome::Hung(self.stuck());
                }
                return match self.faults.is_empty() {
                    true => Outcome::Done,
                    false => Outcome::Faulted(self.faults.clone()),
                };
            }
        }
    }

    /// What the running warps did in the last `instructions` warp instructions of the machine.
    fn spinning(&self, instructions: u64) -> Vec<Spinning> {
        let each = (instructions / self.slots.len() as u64).min(Recent::LENGTH as u64) as usize;
        let runnable = (0..self.slots.len()).filter(|&warp| self.is_runnable(warp));
        runnable
            .map(|warp| {
                let slot = &self.slots[warp];
                let reason = |lane| slot.control.reason(lane).map(|reason| (lane, reason));
                Spinning {
                    warp,
                    pcs: slot.recent.addresses(each),
                    active: slot.control.active(),
                    waiting: (0..self.config.threads)
                        .filter_map(reason)
                        .filter(|(_, reason)| *reason != crate::EXIT)
                        .collect(),
                }
            })
            .collect()
    }

    /// It can execute something: neither done nor faulted, and not all of its threads sleep or are held at a barrier.
    #[inline]
    pub fn is_runnable(&self, warp: usize) -> bool {
        let slot = &self.slots[warp];
        slot.fault.is_none() && slot.control.active() != 0 && !self.barriers.is_held(warp)
    }

    /// All warps are done or have faulted.
    pub fn is_finished(&self) -> bool {
        let over = |slot: &Slot| slot.fault.is_some() || slot.control.is_done();
        self.slots.iter().all(over)
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// For data that come from outside.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Registers and instret of a thread.
    pub fn thread(&self, warp: usize, lane: usize) -> &Thread {
        &self.slots[warp].threads[lane]
    }

    /// pc, active mask, reasons and deque of a warp.
    pub fn warp(&self, warp: usize) -> &Warp {
        &self.slots[warp].control
    }

    /// For writes through the configuration port.
    pub fn warp_mut(&mut self, warp: usize) -> &mut Warp {
        &mut self.slots[warp].control
    }

    /// The deque of a warp, front to back.
    pub fn tokens(&self, warp: usize) -> Vec<Token> {
        self.warp(warp).deque().iter().collect()
    }

    /// Why a thread is off; `None` when it is active.
    pub fn reason(&self, warp: usize, lane: usize) -> Option<u8> {
        self.warp(warp).reason(lane)
    }

    /// In the order in which they happened.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    pub fn stats(&self) -> Stats {
        let of = |slot: &Slot| WarpStats {
            warp_instructions: slot.warp_instructions,
            thread_instructions: slot.thread_instructions,
            ..*slot.control.counters()
        };
        Stats::new(self.config.threads, self.slots.iter().map(of).collect())
    }
}

/// Something that the barrier unit did on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    Woken(Record),
    Event(BarrierEvent),
}

/// All active threads; for an indirect jump, also as a call or return, only those with the leader's target (CONV-022,
/// CONV-035, CONV-045).
#[inline]
fn executing(instr: Instr, threads: &[Thread], active: u64) -> u64 {
    let leader = &threads[active.trailing_zeros() as usize];
    let Some(target) = indirect_target(instr, leader) else {
        return active;
    };
    let same = |lane: &usize| {
        active >> lane & 1 != 0 && indirect_target(instr, &threads[*lane]) == Some(target)
    };
    (0..threads.len())
        .filter(same)
        .fold(0, |group, lane| group | 1 << lane)
}

/// Does a thread with this effect belong to the selected mask?
#[inline(always)]
fn selects(effect: Effect) -> bool {
    match effect {
        Effect::Branch { taken, .. } => taken,
        Effect::Leave { selected, .. } | Effect::Barrier { selected, .. } => selected,
        _ => true,
    }
}

/// The control operation of an instruction, from the effect on any of its threads and the selected mask. All its threads
/// have the same effect but for being selected: direct targets are relative to the pc, indirect ones equal the leader's.
#[inline]
fn operation(effect: Effect, selected: u64) -> Operation {
    let index = |address: u32| (address / 4) & PC_MASK;
    match effect {
        Effect::Next => Operation::Next,
        Effect::Branch { target, .. } | Effect::Jump { target } => Operation::Branch {
            selected,
            target: index(target),
        },
        Effect::Indirect { target } => Operation::Indirect {
            selected,
            target: index(target),
        },
        Effect::Call { target } => Operation::Call {
            selected,
            target: index(target),
        },
        Effect::Push { kind, target } => Operation::Push {
            kind: kind.code(),
            address: index(target),
        },
        Effect::Leave { kind, target, .. } => Operation::Leave {
            kind: kind.code(),
            selected,
            target: index(target),
        },
        Effect::LeaveIndirect { kind, target } => Operation::LeaveIndirect {
            kind: kind.code(),
            selected,
            target: index(target),
        },
        Effect::Yield => Operation::Yield,
        Effect::Barrier { .. } => Operation::Next,
        Effect::Exit => Operation::Exit { selected },
    }
}
