//! The golden model: warps, their threads, and memory.
//!
//! Spec: `docs/spec/isa.md` (*Reference machine*, and how instructions become control operations),
//! `docs/spec/convergence.md`, whose operations are in [`crate::convergence`], and `docs/spec/barrier.md`, whose unit
//! is in [`crate::barrier`]: it decides what a barrier instruction becomes, and wakes threads ([`Machine::serve`]).
//! Untimed: [`Machine::step`] is told which warp goes, so that the co-simulation can follow the order in which the
//! hardware retires; [`Machine::run`] goes round-robin, turn by turn (`machine/turns.rs`).
//! What a debugger sees and changes is in `machine/inspect.rs`.

use crate::barrier::{Answer, BarrierError, Doing, Event as BarrierEvent, Op, OpCode, Params};
use crate::barrier::{State as BarrierState, Unit, VerdictKind, Wake, Word};
use crate::cache::Cache;
use crate::check::Checker;
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
use crate::space::{Answers, Bus, Launch, Place, Told, Windows};
use crate::stats::{Stats, WarpStats};
use crate::subvector::{Parts, Selector};
use crate::view::{Order, View};
use std::collections::BTreeMap;
use std::fmt;
use weft_isa::{Instr, Kind, MaskInstr, Program};

mod inspect;
mod turns;

pub use inspect::Standing;
pub use turns::Turns;

/// Livelock is when that many warp instructions in a row change no memory content and end no thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchdog {
    pub instructions: u64,
}

/// How long [`Machine::run`] runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub watchdog: Option<Watchdog>,
    /// Most warp instructions in this run.
    pub instructions: Option<u64>,
    /// Asked from time to time: the run ends when it says so.
    pub interrupted: Option<fn() -> bool>,
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
    /// [`Limits::interrupted`] said so.
    Interrupted,
    /// Nothing can run any more, but threads wait at barriers. Earlier faults are in [`Machine::faults`].
    Hung(Vec<Stuck>),
}

/// A thread that waits at a barrier for ever, or for one that does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub warp: usize,
    pub lane: u32,
    /// Number in the grid.
    pub thread: u32,
    pub cta: usize,
    /// Byte address of the barrier instruction.
    pub pc: u32,
    /// The call of the short function that it stands in.
    pub call: Option<u32>,
    pub barrier: usize,
    pub waits: Waits,
}

/// What for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// At no barrier: a mask has switched it off, and who could switch it on waits (MASK-042).
    Masked,
}

impl Stuck {
    fn place(&self, f: &mut String) {
        let Stuck {
            cta, pc, barrier, ..
        } = *self;
        let what = match self.waits {
            Waits::Arrivals {
                section,
                arrivals,
                target,
            } => {
                let what = if section { "section" } else { "barrier" };
                format!("{what}, {arrivals} of {target} arrivals")
            }
            Waits::Turn => "section, somebody is inside or has not run it".into(),
            Waits::Busy => "the barrier is in use elsewhere".into(),
            Waits::Phase => "the phase does not end".into(),
            Waits::Masked => {
                *f += &format!(", switched off by a mask in CTA {cta} (MASK-042)");
                return;
            }
        };
        // The caller first: its line is what the programmer has written.
        let at = match self.call {
            Some(call) => format!("{call:#x} (by {pc:#x})"),
            None => format!("{pc:#x}"),
        };
        *f += &format!(" at {at}, barrier {barrier} of CTA {cta}: {what}");
    }

    /// A line for all threads of a warp that wait for the same, and one for all warps of which the same lanes do.
    pub fn lines(stuck: &[Stuck]) -> Vec<String> {
        let mut groups: BTreeMap<_, (u64, &Stuck, u32)> = BTreeMap::new();
        for s in stuck {
            let masked = s.waits == Waits::Masked;
            let key = (s.warp, masked, s.cta, s.pc, s.call, s.barrier, s.waits);
            let group = groups.entry(key).or_insert((0, s, 0));
            group.0 |= 1 << s.lane;
            group.2 += 1;
        }
        let mut warps: Vec<(Vec<usize>, u64, &Stuck, u32)> = Vec::new();
        for (mask, first, count) in groups.into_values() {
            let same = |(_, lanes, other, _): &&mut (Vec<usize>, u64, &Stuck, u32)| {
                let key = |s: &Stuck| (s.cta, s.pc, s.call, s.barrier, s.waits);
                *lanes == mask && key(other) == key(first)
            };
            match warps.iter_mut().find(same) {
                Some((list, _, _, all)) => {
                    list.push(first.warp);
                    *all += count;
                }
                None => warps.push((vec![first.warp], mask, first, count)),
            }
        }
        let line = |(list, mask, first, count): (Vec<usize>, u64, &Stuck, u32)| {
            if count == 1 {
                return first.to_string();
            }
            let list: Vec<_> = list.iter().map(usize::to_string).collect();
            let plural = if list.len() == 1 { "" } else { "s" };
            let (warps, lanes) = (list.join(" "), ranges(mask));
            let mut line = format!("warp{plural} {warps}, lanes {lanes}: {count} threads wait");
            first.place(&mut line);
            line
        };
        warps.into_iter().map(line).collect()
    }
}

/// One thread's instruction, with somebody who looks on.
#[inline(always)]
fn execute_checked(
    instr: Instr,
    pc_byte: u32,
    thread: &mut Thread,
    csr: &CsrView,
    bus: &mut impl Bus,
    checker: &mut Option<Box<Checker>>,
) -> Result<Effect, FaultCause> {
    let Some(checker) = checker else {
        return execute(instr, pc_byte, thread, csr, bus);
    };
    if let Instr::Fence { fields } = instr {
        checker.fence(csr.thread, fields);
    }
    execute(
        instr,
        pc_byte,
        thread,
        csr,
        &mut checker.over(bus, instr, pc_byte),
    )
}

/// Lanes of a mask, as ranges.
fn ranges(mask: u64) -> String {
    let mut ranges = Vec::new();
    let mut lane = 0;
    while lane < 64 {
        let first = lane;
        while lane < 64 && mask >> lane & 1 != 0 {
            lane += 1;
        }
        match lane - first {
            0 => lane += 1,
            1 => ranges.push(first.to_string()),
            _ => ranges.push(format!("{first}-{}", lane - 1)),
        }
    }
    ranges.join(" ")
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (warp, lane, thread) = (self.warp, self.lane, self.thread);
        let mut line = format!("warp {warp}, lane {lane} (thread {thread}) waits");
        self.place(&mut line);
        f.write_str(&line)
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

impl Spinning {
    /// So many addresses stand in its line.
    const SHOWN: usize = 16;
}

impl fmt::Display for Spinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warp {}: active {:#x} at", self.warp, self.active)?;
        for pc in self.pcs.iter().take(Spinning::SHOWN) {
            write!(f, " {pc:#x}")?;
        }
        match self.pcs.len().saturating_sub(Spinning::SHOWN) {
            0 => {}
            more => write!(f, " and {more} more")?,
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
    /// Of each thread: the barrier instruction that it has to execute again.
    retries: Vec<Option<(u32, usize, OpCode)>>,
}

/// What one operation took (MASK-070, SUBV-030); 0 passes for a forced yield.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Cycles of the lanes.
    pub passes: u32,
    /// Cache lines that were missing.
    pub misses: u32,
    /// It went to the convergence unit (a jump, a branch, taken or not, a mask instruction: CORE-010) or to the
    /// barriers.
    pub resolved: bool,
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
    cache: Option<Cache>,
    selector: Selector,
    /// Somebody else answers the next `subv.auto`.
    told_mode: Option<bool>,
    /// It runs this CTA of this launch.
    launch: Option<(Launch, u32)>,
    /// TASK-015: what a CTA of a queue reads as its place and as the size of the grid.
    queue_place: Option<([u32; 3], [u32; 3])>,
    /// Where instructions are fetched from, if not from all of memory.
    text: Option<(u32, u32)>,
    behind: Behind,
    /// It looks on.
    checker: Option<Box<Checker>>,
}

/// Where loads, stores and atomics go.
#[derive(Clone, Debug)]
enum Behind {
    Memory,
    /// To the memory, but in the windows of a CTA.
    Windows(Windows),
    /// Somebody else says what they come to.
    Told(Told),
}

/// Most errors of barriers that are kept.
const MOST_BARRIER_ERRORS: usize = 1_000;

impl Machine {
    /// Loads the program and launches all warps at its entry.
    pub fn new(program: &Program, config: &Config) -> Result<Machine, ConfigError> {
        config.validate()?;
        config.validate_program(program)?;
        let memory = Memory::load(program, config.memory);
        let launched =
            |number| Thread::launched(config, number).with_global_pointer(program.global_pointer());
        Ok(Machine::launch(program, config, memory, launched))
    }

    /// The machine of CTA number `cta` of a launch, over a global memory that holds the program and what the CTAs
    /// before have left.
    pub fn of_cta(
        program: &Program,
        config: &Config,
        launch: &Launch,
        cta: u32,
        memory: Memory,
    ) -> Result<Machine, ConfigError> {
        let config = launch.config(config)?;
        config.validate_program(program)?;
        let first = cta.wrapping_mul(launch.threads());
        let launched = |number| Thread::of_launch(launch, first.wrapping_add(number));
        let windows = Windows::new(launch, cta, config.memory);
        let mut machine = Machine::launch(program, &config, memory, launched);
        machine.launch = Some((*launch, cta));
        machine.behind = Behind::Windows(windows);
        Ok(machine)
    }

    /// A CTA beside others over one memory: its first thread is called `number` there, and no other CTA's threads are
    /// called so. A CTA of a queue reads `queue_place` as its place and as the size of the grid (TASK-015).
    pub fn among_others(
        mut self,
        number: u32,
        queue_place: Option<([u32; 3], [u32; 3])>,
    ) -> Machine {
        if let Behind::Windows(windows) = &mut self.behind {
            windows.set_known_as(number);
        }
        self.queue_place = queue_place;
        self
    }

    /// A CTA that reaches of global memory what lies in this window, data and instructions (MEM-007).
    pub fn within(mut self, window: (u32, u32)) -> Machine {
        if let Behind::Windows(windows) = &mut self.behind {
            windows.set_window(window);
        }
        self.text = Some(window);
        self
    }

    /// A machine of a CTA without data memory: before each step with a load, store or atomic somebody
    /// [tells](Machine::tell) what it comes to.
    pub fn without_memory(mut self) -> Machine {
        if let Some((launch, _)) = &self.launch {
            self.behind = Behind::Told(Told {
                bounds: launch.bounds(self.config.memory),
                answers: Answers::new(),
            });
        }
        self
    }

    /// The memory answers the fetch of these lines of 64 bytes with an error (MEM-052).
    pub fn with_broken_text(mut self, lines: &[u32]) -> Machine {
        self.code.break_lines(lines);
        self
    }

    /// The instruction at a byte address of the text, where a program has written into it and the machine has no memory.
    pub fn set_instruction(&mut self, address: u32, word: u32) {
        self.code.set(address, word);
    }

    /// What the next instruction's accesses come to, by lane.
    pub fn tell(&mut self, answers: Answers) {
        if let Behind::Told(told) = &mut self.behind {
            told.answers = answers;
        }
    }

    fn launch(
        program: &Program,
        config: &Config,
        mut memory: Memory,
        launched: impl Fn(u32) -> Thread,
    ) -> Machine {
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
                    1 => launched((warp * config.threads + lane) as u32),
                    _ => Thread::default(),
                };
                let control =
                    Warp::launch(warp, config.threads, config.tokens, policy, entry, mask);
                Slot {
                    control: control.expect("a valid configuration has enough tokens"),
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
                    retries: vec![None; config.threads],
                }
            })
            .collect();
        Machine {
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
            cache: config.cache.map(Cache::new),
            selector: Selector::new(config.subvector, config.miss_threshold),
            told_mode: None,
            launch: None,
            queue_place: None,
            text: None,
            behind: Behind::Memory,
            checker: None,
        }
    }

    /// All that its threads do from now on is checked.
    pub fn with_checker(mut self, mut checker: Box<Checker>) -> Machine {
        checker.next_cta();
        self.checker = Some(checker);
        self
    }

    /// With what it has found.
    pub fn take_checker(&mut self) -> Option<Box<Checker>> {
        self.checker.take()
    }

    /// If the next operation is a `subv.auto`, this is the answer, in place of that of the machine's own controller:
    /// whoever runs beside the machine has caches that see accesses in another order.
    pub fn tell_mode(&mut self, subvector: bool) {
        self.told_mode = Some(subvector);
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

    /// The same for its barriers.
    #[doc(hidden)]
    pub fn with_barrier_mutation(mut self, mutation: crate::barrier::Mutation) -> Machine {
        self.barriers = self.barriers.with_mutation(mutation);
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

    /// The same when somebody else gives the operations to the barrier unit: `give` is called for a barrier
    /// instruction, EXIT, or the KILL of a fault, with the unit, the operation and the machine's clock.
    pub fn step_by(
        &mut self,
        warp: usize,
        mut give: impl FnMut(&mut Unit, &Op, u64) -> Answer,
    ) -> Result<Record, Fault> {
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
        self.check_awake(warp, active);
        self.code.refresh(&mut self.memory);
        self.clock += 1;
        if self.timed {
            self.barriers.visit(self.clock);
            self.time_out();
        }
        let executed = self.execute(warp, pc * 4, active);
        self.told_mode = None;
        let executed = executed.inspect_err(|fault| {
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
        let record = slot
            .control
            .apply(operation)
            .unwrap_or_else(|e| panic!("warp {warp}, pc {:#x}: {e}", pc * 4));
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

    /// The verdict of the barrier unit as an operation of the warp.
    fn answered(&mut self, op: &Op, answer: Answer) -> Operation {
        let room = MOST_BARRIER_ERRORS.saturating_sub(self.barrier_errors.len());
        self.barrier_errors
            .extend(answer.errors.iter().take(room).copied());
        self.barrier_changed(&answer.events);
        let verdict = answer.verdict.expect("it has a verdict");
        let again = verdict.again(op.active);
        self.retried = match again == op.active {
            true => self.retried + 1,
            false => 0,
        };
        self.check_barrier(op, &answer);
        let slot = &mut self.slots[op.warp];
        for lane in (0..self.config.threads).filter(|lane| op.active >> lane & 1 != 0) {
            let retries = again >> lane & 1 != 0;
            slot.retries[lane] = retries.then_some((op.pc, op.id, op.code));
            slot.threads[lane].instret += u64::from(!retries && op.code != OpCode::Exit);
        }
        if op.code != OpCode::Exit {
            slot.thread_instructions += u64::from((op.active & !again).count_ones());
        }
        let selected = verdict.mask;
        match verdict.kind {
            VerdictKind::Next => Operation::Next,
            VerdictKind::Sleep => Operation::Sleep { selected },
            VerdictKind::Retry => Operation::Retry { selected },
            VerdictKind::Part => Operation::Part { selected },
            VerdictKind::Exit => Operation::Exit { selected },
        }
    }

    /// CHECK-011
    fn check_barrier(&mut self, op: &Op, answer: &Answer) {
        let first = self.first_thread(op.warp);
        let (Some(checker), Some(verdict)) = (&mut self.checker, &answer.verdict) else {
            return;
        };
        let asleep = match verdict.kind {
            VerdictKind::Sleep => verdict.mask,
            // BAR-032
            _ if self.barriers.is_held(op.warp) => op.active,
            _ => 0,
        };
        let top = op.code == OpCode::Top;
        let takes_part = match op.code {
            OpCode::Top => op.active & op.mask,
            _ => op.active,
        };
        let acting = takes_part & !verdict.again(op.active);
        // All of them come before one of them leaves.
        for lane in lanes(acting) {
            let thread = first + lane as u32;
            match op.code {
                OpCode::Exit => checker.ends(thread),
                OpCode::Top if op.word.is_section() => {
                    checker.comes(thread, op.id, op.word.is_exclusive());
                }
                OpCode::Bottom | OpCode::BottomNb => checker.goes(thread, op.id),
                OpCode::Top | OpCode::Arrive => checker.arrives(thread, op.id),
                _ => {}
            }
        }
        for lane in lanes(acting) {
            let thread = first + lane as u32;
            if asleep >> lane & 1 != 0 {
                checker.sleeps(thread, op.id);
            } else if top || op.code == OpCode::Wait {
                checker.leaves(thread, op.id);
            }
        }
    }

    /// The barrier that these threads have slept at has let them go, one by one or with their warp.
    fn check_awake(&mut self, warp: usize, awake: u64) {
        if self.checker.is_none() {
            return;
        }
        let first = self.first_thread(warp);
        if let Some(checker) = &mut self.checker {
            lanes(awake).for_each(|lane| checker.wakes(first + lane as u32));
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

    /// What the barrier unit does next on its own: threads wake, or a barrier changes its state.
    /// The golden machine on its own does all of this before the next instruction.
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

    /// These threads wake, whatever this machine's own barrier unit thinks of it.
    pub fn wake_up(&mut self, wake: &Wake) -> Record {
        self.check_awake(wake.warp, wake.mask);
        let warp = &mut self.slots[wake.warp].control;
        let woken = warp.wake(wake.mask, wake.pc);
        woken.unwrap_or_else(|e| panic!("warp {}: {e}", wake.warp))
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
            thread: self.config.number((warp * width + lane) as u32),
            cta: self.config.cta_number(warp) as usize,
            pc: pc * 4,
            call: self.code.caller(
                pc * 4,
                self.slots[warp].threads[lane].registers[5],
                &self.memory,
            ),
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
            // Who is asleep, or asks again and again, may be masked for that time.
            let masked = slot.control.waiting_for(MASKED);
            for lane in (0..width).filter(|lane| masked >> lane & 1 != 0) {
                let waits = |s: &Stuck| (s.warp, s.lane) == (warp, lane as u32);
                if !list.iter().any(waits) {
                    list.push(of(warp, lane, 0, 0, Waits::Masked));
                }
            }
        }
        list.sort_by_key(|s| s.thread);
        list
    }

    /// MEM-053.
    fn fetch(&self, address: u32) -> Result<Instr, FaultCause> {
        match self.text {
            Some((base, end)) if !(base..end).contains(&address) => {
                Err(FaultCause::Fetch { address })
            }
            _ => self.code.fetch(address, &self.memory),
        }
    }

    /// Fetches one instruction and executes it for all active threads, or for the leader's group, in ascending order.
    /// With the operation of the barrier unit, if that decides what becomes of it.
    fn execute(
        &mut self,
        warp: usize,
        pc_byte: u32,
        active: u64,
    ) -> Result<(Operation, Option<Op>), Fault> {
        let first = self.first_thread(warp);
        let fault = |lane: u32, cause| Fault {
            warp,
            thread: first + lane,
            lane,
            pc: pc_byte,
            cause,
        };
        let instr = self
            .fetch(pc_byte)
            .map_err(|cause| fault(self.leader(warp, active), cause))?;
        let slot = &mut self.slots[warp];
        let Some(writing) = slot.masks.write_mask(instr, active) else {
            return Err(fault(self.leader(warp, active), illegal(instr)));
        };
        lanes(active).for_each(|lane| slot.parts.arrive(lane, pc_byte / 4));
        slot.cost = Cost {
            passes: 1,
            misses: 0,
            resolved: !instr.changes_nothing_but_data() || matches!(instr, Instr::Barrier { .. }),
        };
        let executed = match instr {
            Instr::Mask(instr) => self
                .execute_mask(instr, warp, pc_byte, active)
                .map(|operation| (operation, None))
                .map_err(|cause| fault(self.leader(warp, active), cause))?,
            // MASK-021.
            Instr::Jal { rd: _, offset } if active == 0 => {
                let target = code_address(pc_byte.wrapping_add(offset as u32))
                    .map_err(|cause| fault(self.leader(warp, active), cause))?;
                (Operation::Jump { target: target / 4 }, None)
            }
            _ if active == 0 => (Operation::Next, None),
            _ => self
                .execute_threads(instr, warp, pc_byte, active, writing)
                .map_err(|(lane, cause)| fault(lane as u32, cause))?,
        };
        self.slots[warp].passes += u64::from(self.slots[warp].cost.passes);
        Ok(executed)
    }

    /// Number in the grid of lane 0 of a warp.
    fn first_thread(&self, warp: usize) -> u32 {
        let within = (warp * self.config.threads) as u32;
        match &self.launch {
            Some((launch, cta)) => cta.wrapping_mul(launch.threads()).wrapping_add(within),
            None => self.config.number(within),
        }
    }

    /// Numbers of lane 0 of a warp in its CTA and its launch.
    fn place(&self, launch: &Launch, cta: u32, warp: usize) -> Place {
        let width = self.config.threads;
        let place = launch.place(cta, (warp * width) as u32, width);
        match self.queue_place {
            Some((at, grid)) => Place { at, grid, ..place },
            None => place,
        }
    }

    /// What the CSRs of lane 0 of a warp say; the others' follow from it.
    fn view(&self, warp: usize) -> CsrView {
        let (config, width) = (&self.config, self.config.threads);
        let view = CsrView {
            thread: self.first_thread(warp),
            width: width as u32,
            float: self.config.float,
            ..CsrView::default()
        };
        match &self.launch {
            Some((launch, cta)) => CsrView {
                warp: cta.wrapping_mul(launch.blocks(width) as u32) + warp as u32,
                grid: launch.total(),
                cta: *cta,
                place: self.place(launch, *cta, warp),
                ..view
            },
            None => CsrView::of(config, warp, 0, 0),
        }
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

    /// One instruction for all active threads, or for the leader's group, in ascending order;
    /// those outside `writing` do nothing.
    fn execute_threads(
        &mut self,
        instr: Instr,
        warp: usize,
        pc_byte: u32,
        active: u64,
        writing: u64,
    ) -> Result<(Operation, Option<Op>), (usize, FaultCause)> {
        let view = CsrView {
            mask: active,
            ..self.view(warp)
        };
        let slot = &mut self.slots[warp];
        let executing = executing(instr, &slot.threads, active);
        let mut csr = view;
        let counts = !matches!(instr, Instr::Barrier { .. });
        let mut word = None;
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
        let (mut selected, mut completed) = (0, 0);
        let mut effect = Effect::Next;
        let order = Order::of(instr);
        if let Behind::Windows(windows) = &mut self.behind {
            let thread = (warp * self.config.threads) as u32;
            windows.before(order, thread, &mut self.memory);
        }
        for lane in lanes(executing) {
            let thread = &mut slot.threads[lane];
            if writing >> lane & 1 != 0 {
                csr.lane = lane as u32;
                csr.thread = view.thread + lane as u32;
                csr.place.thread = view.place.thread + lane as u32;
                if self.launch.is_none() {
                    csr.stack = self.config.stack_of(csr.thread);
                }
                effect = match &mut self.behind {
                    Behind::Memory => {
                        let (memory, checker) = (&mut self.memory, &mut self.checker);
                        execute_checked(instr, pc_byte, thread, &csr, memory, checker)
                    }
                    Behind::Windows(windows) => {
                        let bus = &mut windows.over(&mut self.memory);
                        execute_checked(instr, pc_byte, thread, &csr, bus, &mut self.checker)
                    }
                    Behind::Told(told) => {
                        execute(instr, pc_byte, thread, &csr, &mut told.lane(lane))
                    }
                }
                .map_err(|cause| (lane, cause))?;
                if let Effect::Barrier { word: own, .. } = effect {
                    word.get_or_insert(own);
                }
                selected |= u64::from(selects(effect)) << lane;
                completed += u64::from(counts);
            }
            thread.instret += u64::from(counts);
        }
        if let Behind::Windows(windows) = &mut self.behind {
            windows.behind(order);
        }
        // Of an instruction that retires: not those in front of a lane that faults.
        slot.thread_instructions += completed;
        if self.config.call_tokens {
            effect = effect.with_call_tokens(instr);
        }
        if let Effect::SubVector { auto, target } = effect {
            if auto && !self.told_mode.unwrap_or_else(|| self.selector.select()) {
                // Its `sync` needs a token all the same: SUBV-014.
                let kind = Kind::SYNC;
                let push = operation(Effect::Push { kind, target }, selected);
                return Ok((push, None));
            }
            lanes(active).for_each(|lane| slot.parts.enter(lane, target / 4));
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

    /// Each warp that has not ended: its number, its pc, and how many of its threads are active.
    pub fn alive(&self) -> impl Iterator<Item = (usize, u32, u32)> + '_ {
        let over = |slot: &Slot| slot.fault.is_some() || slot.control.is_done();
        let slots = self.slots.iter().enumerate();
        let alive = slots.filter(move |(_, slot)| !over(slot));
        alive.map(|(warp, slot)| {
            let threads = slot.control.active().count_ones();
            (warp, slot.control.pc() * 4, threads)
        })
    }

    /// A line for each warp that has not ended: where it stands.
    pub fn standing(&self) -> String {
        let line =
            |(warp, at, threads)| format!("\n  warp {warp} at {at:#x}, {threads} threads on");
        self.alive().map(line).collect()
    }

    /// The first warp that has not ended, and where it stands.
    pub fn first_standing(&self) -> Option<(usize, u32)> {
        let over = |slot: &Slot| slot.fault.is_some() || slot.control.is_done();
        let mut slots = self.slots.iter().enumerate();
        let (warp, slot) = slots.find(|(_, slot)| !over(slot))?;
        Some((warp, slot.control.pc() * 4))
    }

    /// It can execute something: neither done nor faulted, and not all of its threads sleep or are held at a barrier.
    #[inline]
    pub fn is_runnable(&self, warp: usize) -> bool {
        let slot = &self.slots[warp];
        let control = &slot.control;
        let stands = slot.fault.is_some() || control.is_done() || control.is_blocked();
        !stands && !self.barriers.is_held(warp)
    }

    /// Its threads have executed a barrier instruction and must not go on yet (BAR-032, BAR-084).
    pub fn is_held(&self, warp: usize) -> bool {
        self.barriers.is_held(warp)
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

    /// How the SM on which the CTA runs sees global memory.
    pub fn swap_view(&mut self, view: &mut Option<Box<View>>) {
        if let Behind::Windows(windows) = &mut self.behind {
            windows.swap_view(view);
        }
    }

    /// For data that come from outside.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// The threads of a warp that would carry out this instruction next: those of the leader's group, within the write
    /// mask. `None`:
    /// it must not stand in a predicated block.
    pub fn acting(&self, warp: usize, instr: Instr) -> Option<u64> {
        let slot = &self.slots[warp];
        let active = slot.control.active();
        let writing = slot.masks.clone().write_mask(instr, active)?;
        Some(match active {
            0 => 0,
            _ => executing(instr, &slot.threads, active) & writing,
        })
    }

    /// The operation for the barrier unit that a warp's next instruction is.
    pub fn barrier_op(&self, warp: usize, instr: Instr) -> Option<Op> {
        let slot = &self.slots[warp];
        let (pc, active) = (slot.control.pc(), slot.control.active());
        let mut op = Op {
            warp,
            active,
            pc,
            ..Op::default()
        };
        let mut word = None;
        for lane in lanes(self.acting(warp, instr)?) {
            let (mut thread, view) = (slot.threads[lane], CsrView::default());
            let effect = execute(instr, pc * 4, &mut thread, &view, &mut Memory::new(0)).ok()?;
            op.mask |= u64::from(selects(effect)) << lane;
            match effect {
                Effect::Barrier {
                    op: what,
                    id,
                    word: own,
                    ..
                } => {
                    (op.code, op.id) = (OpCode::from(what), id.into());
                    word.get_or_insert(own);
                }
                Effect::Exit => op.code = OpCode::Exit,
                _ => return None,
            }
        }
        op.word = Word(word.unwrap_or(0));
        Some(op)
    }

    /// The memory, when the machine is no longer needed.
    pub fn into_memory(self) -> Memory {
        self.memory
    }

    /// What the scheduler beside the machine has shown for an instruction of the warp that reads one of its counters
    /// and that the machine has executed: it is what these threads have read. Until then, and alone, they have read 0.
    pub fn counter_read(&mut self, warp: usize, readers: u64, rd: u8, value: u32) {
        for lane in lanes(readers) {
            self.slots[warp].threads[lane].set(rd, value);
        }
    }

    /// Registers and instret of a thread; instret counts within the write mask or not (MASK-032).
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

/// The control operation of an instruction, from the effect on any of its threads and the selected mask.
/// All its threads have the same effect but for being selected: direct targets are relative to the pc, indirect ones
/// equal the leader's.
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
