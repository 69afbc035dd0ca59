//! The golden model: warps, their threads, and memory.
//!
//! Spec: `docs/spec/isa.md` (*Reference machine*, and how instructions become control operations) and
//! `docs/spec/convergence.md`, whose operations are in [`crate::convergence`]. Untimed: [`Machine::step`] is told which warp
//! goes, so that the co-simulation can follow the order in which the hardware retires; [`Machine::run`] goes round-robin.

use crate::cache::Cache;
use crate::code::Code;
use crate::config::{Config, ConfigError};
use crate::convergence::{Operation, Warp, PC_MASK};
use crate::deque::{kind_name, Token, MASKED};
use crate::fault::Fault;
use crate::lane::{
    code_address, data_address, execute, illegal, indirect_target, CsrView, Effect, Thread,
};
use crate::masks::{MaskEffect, Masks};
use crate::memory::{FaultCause, Memory};
use crate::mutation::Mutation;
use crate::record::Record;
use crate::stats::{Stats, WarpStats};
use crate::subvector::{Parts, Selector};
use std::fmt;
use weft_isa::{Instr, Kind, MaskInstr, Program};

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
    masks: Masks,
    parts: Parts,
    cost: Cost,
    warp_instructions: u64,
    thread_instructions: u64,
    passes: u64,
    recent: Recent,
}

/// What one operation took (MASK-070, SUBV-030); 0 passes for a forced yield.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Cycles of the lanes.
    pub passes: u32,
    /// Cache lines that were missing.
    pub misses: u32,
    /// The warp went on elsewhere than at the next instruction.
    pub redirected: bool,
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
    cache: Option<Cache>,
    selector: Selector,
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
                    masks: Masks::new(config.threads),
                    parts: Parts::new(config.threads, config.lanes(), config.shared_from),
                    cost: Cost::default(),
                    warp_instructions: 0,
                    thread_instructions: 0,
                    passes: 0,
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
            cache: config.cache.map(Cache::new),
            selector: Selector::new(config.subvector, config.miss_threshold),
        })
    }

    /// A machine that departs from the specification in one point.
    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Machine {
        for slot in &mut self.slots {
            slot.control = slot.control.clone().with_mutation(mutation);
            slot.masks = slot.masks.clone().with_mutation(mutation);
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
            self.slots[warp].cost = Cost::default();
            let control = &mut self.slots[warp].control;
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
        let record = slot
            .control
            .apply(operation)
            .unwrap_or_else(|e| panic!("warp {warp}, pc {:#x}: {e}", pc * 4));
        slot.cost.redirected = !record.done && record.next_pc != (pc + 1) & PC_MASK;
        Ok(record)
    }

    /// What the latest operation of a warp took.
    pub fn cost(&self, warp: usize) -> Cost {
        self.slots[warp].cost
    }

    /// The data cache, if there is one.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// Mask registers of a warp.
    pub fn masks(&self, warp: usize) -> &Masks {
        &self.slots[warp].masks
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
        let instr = self
            .code
            .fetch(pc_byte, &self.memory)
            .map_err(|cause| fault(self.leader(warp, active), cause))?;
        let slot = &mut self.slots[warp];
        let Some(writing) = slot.masks.write_mask(instr, active) else {
            return Err(fault(self.leader(warp, active), illegal(instr)));
        };
        lanes(active).for_each(|lane| slot.parts.arrive(lane, pc_byte / 4));
        slot.cost = Cost {
            passes: 1,
            ..Cost::default()
        };
        let operation = match instr {
            Instr::Mask(instr) => self
                .execute_mask(instr, warp, pc_byte, active)
                .map_err(|cause| fault(self.leader(warp, active), cause))?,
            Instr::Jal { rd: _, offset } if active == 0 => {
                let target = code_address(pc_byte.wrapping_add(offset as u32))
                    .map_err(|cause| fault(self.leader(warp, active), cause))?;
                Operation::Jump { target: target / 4 }
            }
            _ if active == 0 => Operation::Next,
            _ => self
                .execute_threads(instr, warp, pc_byte, active, writing)
                .map_err(|(lane, cause)| fault(lane as u32, cause))?,
        };
        self.slots[warp].passes += u64::from(self.slots[warp].cost.passes);
        Ok(operation)
    }

    /// Who is named for a fault of the warp: the lowest thread that is on, else the lowest masked one (MASK-023).
    fn leader(&self, warp: usize, active: u64) -> u32 {
        match active {
            0 => self.warp(warp).waiting_for(MASKED).trailing_zeros(),
            _ => active.trailing_zeros(),
        }
    }

    /// One mask instruction, for the warp.
    fn execute_mask(
        &mut self,
        instr: MaskInstr,
        warp: usize,
        pc_byte: u32,
        active: u64,
    ) -> Result<Operation, FaultCause> {
        let slot = &mut self.slots[warp];
        for lane in lanes(active) {
            slot.parts.access(Instr::Mask(instr), lane)?;
        }
        let effect = slot
            .masks
            .execute(instr, pc_byte, active, &mut slot.threads)?;
        lanes(active).for_each(|lane| slot.threads[lane].instret += 1);
        slot.thread_instructions += u64::from(active.count_ones());
        if matches!(
            instr,
            MaskInstr::Set { .. }
                | MaskInstr::Get { .. }
                | MaskInstr::Count { .. }
                | MaskInstr::First { .. }
                | MaskInstr::Condition { .. }
        ) {
            slot.cost.passes = passes(active, self.config.lanes());
        }
        Ok(match effect {
            MaskEffect::Next => Operation::Next,
            MaskEffect::Set(selected) => Operation::Set { selected },
            MaskEffect::Jump(target) => Operation::Jump { target: target / 4 },
        })
    }

    /// One instruction for all active threads, or for the leader's group, in ascending order; those outside `writing` do
    /// nothing.
    fn execute_threads(
        &mut self,
        instr: Instr,
        warp: usize,
        pc_byte: u32,
        active: u64,
        writing: u64,
    ) -> Result<Operation, (usize, FaultCause)> {
        let width = self.config.threads;
        let slot = &mut self.slots[warp];
        let executing = executing(instr, &slot.threads, active);
        let first = (warp * width) as u32;
        let mut csr = CsrView {
            thread: 0,
            lane: 0,
            warp: warp as u32,
            grid: self.config.grid_size(),
            mask: active,
            width: width as u32,
        };
        if self.config.shared_from < 32 {
            for lane in lanes(executing & writing) {
                slot.parts.access(instr, lane).map_err(|e| (lane, e))?;
            }
        }
        slot.cost.passes = passes(executing & writing, self.config.lanes());
        if let Some(cache) = &mut self.cache {
            let regular = |lane| !slot.parts.contains(lane);
            let (threads, lanes) = (&slot.threads, self.config.lanes());
            slot.cost.misses = touch(
                cache,
                instr,
                threads,
                executing & writing,
                lanes,
                |lane, miss| {
                    if regular(lane) {
                        self.selector.count(miss);
                    }
                },
            );
        }
        let mut selected = 0;
        let mut effect = Effect::Next;
        for lane in lanes(executing) {
            let thread = &mut slot.threads[lane];
            if writing >> lane & 1 != 0 {
                csr.lane = lane as u32;
                csr.thread = first + lane as u32;
                effect = execute(instr, pc_byte, thread, &csr, &mut self.memory)
                    .map_err(|cause| (lane, cause))?;
                selected |= u64::from(selects(effect)) << lane;
            }
            thread.instret += 1;
        }
        slot.thread_instructions += u64::from((executing & writing).count_ones());
        if self.config.call_tokens {
            effect = effect.with_call_tokens(instr);
        }
        if let Effect::SubVector { auto, target } = effect {
            if auto && !self.selector.select() {
                // Its `sync` needs a token all the same: SUBV-014.
                return Ok(operation(
                    Effect::Push {
                        kind: Kind::SYNC,
                        target,
                    },
                    selected,
                ));
            }
            lanes(active).for_each(|lane| slot.parts.enter(lane, target / 4));
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

    /// Neither done nor faulted.
    #[inline]
    pub fn is_runnable(&self, warp: usize) -> bool {
        let slot = &self.slots[warp];
        slot.fault.is_none() && !slot.control.is_done()
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
            passes: slot.passes,
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
        Effect::SubVector { target, .. } => Operation::SubVector {
            target: index(target),
        },
    }
}

/// The members of a mask, ascending.
#[inline]
fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}

/// MASK-070: the parts with a thread in `mask`, at least one.
fn passes(mask: u64, lanes: usize) -> u32 {
    if lanes >= 64 {
        return 1;
    }
    let part = (1u64 << lanes) - 1;
    let parts = (0..64 / lanes).filter(|n| mask >> (n * lanes) & part != 0);
    (parts.count() as u32).max(1)
}

/// The accesses of an instruction to the cache: in each pass every line once. Gives the misses.
fn touch(
    cache: &mut Cache,
    instr: Instr,
    threads: &[Thread],
    executing: u64,
    part: usize,
    mut each: impl FnMut(usize, bool),
) -> u32 {
    let mut seen: Vec<(usize, u32)> = Vec::new();
    let mut misses = 0;
    for lane in lanes(executing) {
        let Some(address) = data_address(instr, &threads[lane]) else {
            return misses;
        };
        let access = (lane / part, cache.line(address));
        if !seen.contains(&access) {
            seen.push(access);
            let miss = cache.access(access.1);
            misses += u32::from(miss);
            each(lane, miss);
        }
    }
    misses
}
