//! The golden model: warps, their threads, and memory.
//!
//! Spec: `docs/spec/isa.md` (*Reference machine*, and how instructions become control operations) and
//! `docs/spec/convergence.md`, whose operations are in [`crate::convergence`]. Untimed: [`Machine::step`] is told which warp
//! goes, so that the co-simulation can follow the order in which the hardware retires; [`Machine::run`] goes round-robin.

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
}

impl Machine {
    /// Loads the program and launches all warps at its entry.
    pub fn new(program: &Program, config: &Config) -> Result<Machine, ConfigError> {
        config.validate()?;
        config.validate_program(program)?;
        let mut memory = Memory::load(program, config.memory);
        let code = Code::new(program, &mut memory);
        let (policy, entry) = (config.policy(), program.entry / 4);
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
        assert!(self.is_runnable(warp), "warp {warp} is not running");
        let control = &mut self.slots[warp].control;
        if control.forced_yield_due() {
            return Ok(control
                .forced_yield()
                .unwrap_or_else(|e| panic!("warp {warp}: {e}")));
        }
        let (pc, active) = (control.pc(), control.active());
        self.code.refresh(&mut self.memory);
        let operation = self.execute(warp, pc * 4, active).inspect_err(|fault| {
            self.slots[warp].fault = Some(*fault);
            self.faults.push(*fault);
        })?;
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

    /// Fetches one instruction and executes it for all active threads, or for the leader's group, in ascending order.
    fn execute(&mut self, warp: usize, pc_byte: u32, active: u64) -> Result<Operation, Fault> {
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
        };
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
            thread.instret += 1;
            selected |= u64::from(selects(effect)) << lane;
        }
        self.slots[warp].thread_instructions += u64::from(executing.count_ones());
        if self.config.call_tokens {
            effect = effect.with_call_tokens(instr);
        }
        Ok(operation(effect, selected))
    }

    /// Runs the warps in turn, each for one operation, until all are done, or have faulted, or a limit is reached. Calls
    /// `observer` for everything that retires.
    pub fn run(&mut self, limits: &Limits, mut observer: impl FnMut(&Record)) -> Outcome {
        let mut executed = 0u64;
        let mut progress = (self.memory.changes(), self.ended);
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
                match self.step(warp) {
                    Ok(record) => {
                        executed += u64::from(record.event != crate::Event::ForcedYield);
                        observer(&record);
                    }
                    Err(_) => continue,
                }
                let now = (self.memory.changes(), self.ended);
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

    /// Neither done nor blocked nor faulted.
    #[inline]
    pub fn is_runnable(&self, warp: usize) -> bool {
        let slot = &self.slots[warp];
        slot.fault.is_none() && slot.control.active() != 0
    }

    /// No warp is runnable any more.
    pub fn is_finished(&self) -> bool {
        !(0..self.slots.len()).any(|warp| self.is_runnable(warp))
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
        Effect::Leave { selected, .. } => selected,
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
        Effect::Exit => Operation::Exit { selected },
    }
}
