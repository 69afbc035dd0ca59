//! A GPU: front end, task management, one memory, and a golden machine for each CTA that runs.

use super::front::{command, Front, Outcome, Step};
use super::mutation::Mutation;
use super::registers::{at, Size};
use super::sms::PLACES;
use super::tasks::{CtaFault, Start, TaskStep, Tasks};
use crate::config::Config;
use crate::draw::Draw;
use crate::fault::Fault;
use crate::machine::{self, Machine, Stuck};
use crate::memory::{FaultCause, Memory};
use crate::policy::PathPolicy;
use crate::space::Launch;
use crate::view::{Order, View};
use weft_isa::Program;

/// Something that has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Front(Step),
    Task(TaskStep),
}

/// A CTA that has not ended well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Address of its descriptor, and its first instruction.
    pub task: u32,
    pub pc: u32,
    pub sm: usize,
    pub cta: u32,
    pub cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// One for each warp that has faulted; warps and threads are those of the CTA's machine.
    Faults(Vec<Fault>),
    /// Nobody in the CTA can go on.
    Hung(Vec<Stuck>),
    /// Its task was killed; the first warp that ran, and where it stood (TASK-132).
    Killed { warp: u32, pc: u32 },
}

/// Why [`Gpu::run`] has come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Nothing will happen before the host does something.
    Quiet,
    /// The limit of instructions was reached.
    OutOfInstructions,
    /// The caller's condition holds.
    Reached,
}

struct Cta {
    machine: Machine,
    start: Start,
}

pub struct Gpu {
    pub memory: Memory,
    front: Front,
    tasks: Tasks,
    /// Settings of the machines that a descriptor does not say.
    config: Config,
    /// By SM and place.
    ctas: Vec<Option<Box<Cta>>>,
    /// Of each SM; that of the CTA that goes on is with its machine.
    views: Vec<Option<Box<View>>>,
    /// Warp instructions that a CTA runs before the next one's turn.
    quantum: u64,
    failures: Vec<Failure>,
    instructions: u64,
    thread_instructions: u64,
    idle: bool,
    /// What the L2 holds is drawn from here, if there is one.
    shared: Option<Draw>,
    /// For tests: the L2 forgets nothing for tasks.
    ignores_shared: bool,
}

impl Gpu {
    /// A GPU with `memory` bytes of memory, all of which threads reach until THREAD_END is written.
    pub fn new(size: Size, memory: u32) -> Gpu {
        let mut gpu = Gpu {
            memory: Memory::new(memory),
            front: Front::new(size),
            tasks: Tasks::new(size),
            config: Config {
                threads: size.threads,
                warps: size.warps,
                float: size.float > 0,
                ..Config::default()
            },
            ctas: (0..size.sms * PLACES).map(|_| None).collect(),
            views: Vec::new(),
            quantum: 256,
            failures: Vec::new(),
            instructions: 0,
            thread_instructions: 0,
            idle: true,
            shared: None,
            ignores_shared: false,
        };
        gpu.set_seed(0);
        gpu.write(at::MEMORY_END, memory);
        gpu.write(at::THREAD_END, memory);
        gpu
    }

    /// Instructions that a CTA runs before the next one's turn.
    pub fn set_quantum(&mut self, instructions: u64) {
        self.quantum = instructions.max(1);
    }

    /// Where what the SMs hold, and when their writes come to memory, is drawn from.
    pub fn set_seed(&mut self, seed: u64) {
        let size = *self.size();
        let sms = size.sms as u64;
        let view = |sm| View::new(seed.wrapping_mul(sms).wrapping_add(sm), size.threads);
        self.views = (0..sms).map(|sm| Some(Box::new(view(sm)))).collect();
    }

    /// The SMs share lines, which may be older than what the host writes by [`Gpu::write_memory`]
    /// (`docs/spec/l2.md`).
    pub fn share_lines(&mut self, seed: u64) {
        self.shared = Some(Draw::new(seed));
    }

    /// A write of the host to memory (SHARED-041).
    ///
    /// # Errors
    /// Some of it is not there, and nothing was written.
    pub fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), FaultCause> {
        let shared = &mut self.shared;
        let held = || shared.as_mut().is_some_and(|draw| draw.of(2) == 0);
        self.memory.write_past(address, bytes, held)
    }

    /// SHARED-040.
    fn forget_shared(&mut self) {
        if !self.ignores_shared {
            self.memory.forget_older();
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Gpu {
        self.set_mutation(mutation);
        self
    }

    #[doc(hidden)]
    pub fn set_mutation(&mut self, mutation: Mutation) {
        self.front.set_mutation(mutation);
        self.tasks.set_mutation(mutation);
        let ignored = Order {
            settles: mutation == Mutation::ReleasesDoNotWait,
            forgets: mutation == Mutation::AcquiresForgetNothing,
        };
        let views = self.views.iter_mut().flatten();
        views.for_each(|view| view.ignore(ignored));
        self.ignores_shared = mutation == Mutation::TasksForgetNothing;
    }

    pub fn size(&self) -> &Size {
        self.tasks.size()
    }

    /// A write of the host.
    pub fn write(&mut self, address: u32, value: u32) {
        self.front.write(&mut self.tasks, address, value);
    }

    /// A read of the host.
    pub fn read(&mut self, address: u32) -> u32 {
        let idle = self.idle && self.ctas.iter().all(Option::is_none);
        self.front.read(&self.tasks, address, idle)
    }

    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// CTAs that have faulted or hung, in the order in which they ended.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// CTAs that run, and their machines.
    pub fn running(&self) -> impl Iterator<Item = (&Start, &Machine)> + Clone {
        let ctas = self.ctas.iter().flatten();
        ctas.map(|cta| (&cta.start, &cta.machine))
    }

    /// Warp instructions so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Instructions that the threads of all CTAs have completed that are over.
    pub fn thread_instructions(&self) -> u64 {
        self.thread_instructions
    }

    /// Goes on until nothing can happen any more, `reached` holds (asked after each turn), or so many instructions have
    /// been run.
    pub fn run(
        &mut self,
        instructions: Option<u64>,
        mut reached: impl FnMut(&mut Gpu) -> bool,
        mut observer: impl FnMut(&Event),
    ) -> Pause {
        let most = instructions.map(|most| self.instructions.saturating_add(most));
        loop {
            if reached(self) {
                return Pause::Reached;
            }
            if most.is_some_and(|most| self.instructions >= most) {
                return Pause::OutOfInstructions;
            }
            if !self.turn(&mut observer) {
                return match reached(self) {
                    true => Pause::Reached,
                    false => Pause::Quiet,
                };
            }
        }
    }

    /// Everybody's turn once; whether anything has happened or may still happen by itself.
    pub fn turn(&mut self, observer: &mut impl FnMut(&Event)) -> bool {
        // SHARED-042: in the end each line comes anew.
        if self.shared.as_mut().is_some_and(|draw| draw.of(64) == 0) {
            self.memory.forget_older();
        }
        let mut active = self.tasks_go_on(observer);
        self.front.poll_all();
        loop {
            let idle = self.is_idle(observer);
            let Some(channel) = self.front.choose(idle) else {
                break;
            };
            let step = self
                .front
                .step(&mut self.memory, &mut self.tasks, channel, idle);
            self.membar(&step);
            observer(&Event::Front(step));
            active |= step.outcome != Outcome::Waits;
            self.tasks_go_on(observer);
        }
        let counted = self.read(at::TIMEOUT) != 0;
        active |= counted && (0..self.size().channels).any(|c| self.front.waits(c));
        for n in 0..self.ctas.len() {
            active |= self.cta_goes_on(n, observer);
            active |= self.tasks_go_on(observer);
        }
        self.tasks.look_at_queues(&self.memory);
        active |= self.tasks_go_on(observer);
        self.is_idle(observer);
        active
    }

    /// What LIMIT counts: each SM executes an instruction in a cycle.
    fn clock(&self) -> u64 {
        self.instructions / self.size().sms as u64
    }

    /// GPU-032.
    fn membar(&mut self, step: &Step) {
        if step.is_command && step.word & 0xff == command::MEMBAR {
            self.views.iter_mut().flatten().for_each(|v| v.forget());
            self.forget_shared();
        }
    }

    fn is_idle(&mut self, observer: &mut impl FnMut(&Event)) -> bool {
        loop {
            let (idle, step) = self.tasks.idle(&mut self.memory);
            self.idle = idle;
            match step {
                Some(step) => observer(&Event::Task(step)),
                None => return idle,
            }
        }
    }

    fn tasks_go_on(&mut self, observer: &mut impl FnMut(&Event)) -> bool {
        let mut active = false;
        // Queues that wait for work may hand on their slots for ever.
        for _ in 0..1_000 {
            let steps = self.tasks.step(&mut self.memory);
            if steps.is_empty() {
                break;
            }
            for step in steps {
                active |= !matches!(step, TaskStep::Return { head: false, .. });
                let queue = |start: &Start| start.descriptor.queue.is_some();
                if matches!(&step, TaskStep::Load { .. })
                    || matches!(&step, TaskStep::Start(start) if queue(start))
                {
                    self.forget_shared();
                }
                if let TaskStep::Start(start) = step {
                    self.begin(start);
                }
                observer(&Event::Task(step));
                if let TaskStep::Kill { slot, .. } = step {
                    self.end_all_of(slot, observer);
                }
            }
        }
        active
    }

    fn begin(&mut self, start: Start) {
        let descriptor = &start.descriptor;
        let queue = descriptor.queue;
        let launch = Launch {
            grid: if queue.is_some() {
                [1; 3]
            } else {
                descriptor.grid
            },
            cta: descriptor.cta,
            arguments: descriptor.arguments,
            scratchpad: descriptor.scratchpad,
            local: descriptor.local,
        };
        let config = Config {
            // HOST-001.
            memory: self.tasks.thread_end,
            path: PathPolicy::from_code(descriptor.path),
            forced_yield: descriptor.forced_yield,
            yield_every: descriptor.yield_every,
            ..self.config.clone()
        };
        // Nothing of it is known: its instructions are read from memory.
        let program = Program {
            entry: descriptor.pc,
            segments: Vec::new(),
            symbols: Default::default(),
            text: (0, 0),
        };
        let none = Memory::new(0);
        let machine = Machine::of_cta(&program, &config, &launch, start.cta, none);
        let machine = machine.expect("the descriptor has been checked");
        // GPU-030.
        self.views[start.sm]
            .as_mut()
            .expect("no CTA goes on")
            .forget();
        let at = start.sm * PLACES + start.place;
        let threads = (self.size().warps * self.size().threads) as u32;
        let place = queue.map(|queue| {
            let grid = [queue.entries, queue.each, 1];
            ([start.first, start.entries, 0], grid)
        });
        let machine = machine
            .among_others(at as u32 * threads, place)
            .within(self.tasks.window(descriptor.domain));
        self.ctas[at] = Some(Box::new(Cta { machine, start }));
    }

    /// TASK-133: the CTAs of a task that is killed.
    fn end_all_of(&mut self, slot: usize, observer: &mut impl FnMut(&Event)) {
        for n in 0..self.ctas.len() {
            let of_it = |cta: &mut Box<Cta>| cta.start.slot == slot;
            let Some(cta) = self.ctas[n].take_if(of_it) else {
                continue;
            };
            let (warp, pc) = cta.machine.first_standing().unwrap_or_default();
            let warp = warp as u32;
            self.write_all_of(n);
            self.thread_instructions += cta.machine.stats().total.thread_instructions;
            self.failures
                .push(cta.start.failure(Cause::Killed { warp, pc }));
            let fault = CtaFault {
                warp,
                cause: FaultCause::Killed.code(),
                pc,
                ..CtaFault::default()
            };
            let (sm, place) = (cta.start.sm, cta.start.place);
            let step = self.tasks.end(&self.memory, sm, place, Some(fault));
            observer(&Event::Task(step));
        }
    }

    /// SM-014: each store of the CTA there is in memory when it is told to be over.
    fn write_all_of(&mut self, n: usize) {
        let each = (self.tasks.size().warps * self.tasks.size().threads) as u32;
        let view = self.views[n / PLACES].as_mut().expect("no CTA goes on");
        view.settle(n as u32 * each..(n as u32 + 1) * each, &mut self.memory);
    }

    fn cta_goes_on(&mut self, n: usize, observer: &mut impl FnMut(&Event)) -> bool {
        let Some(cta) = &mut self.ctas[n] else {
            return false;
        };
        let view = &mut self.views[n / PLACES];
        std::mem::swap(cta.machine.memory_mut(), &mut self.memory);
        cta.machine.swap_view(view);
        let limits = machine::Limits {
            instructions: Some(self.quantum),
            ..machine::Limits::default()
        };
        let mut ran = 0;
        let outcome = cta.machine.run(&limits, |_| ran += 1);
        self.instructions += ran;
        std::mem::swap(cta.machine.memory_mut(), &mut self.memory);
        cta.machine.swap_view(view);
        let view = view.as_mut().expect("it has come back");
        view.wait(&mut self.memory);
        self.tasks.set_clock(self.clock());
        if matches!(outcome, machine::Outcome::OutOfInstructions) {
            return true;
        }
        self.write_all_of(n);
        let cta = self.ctas[n].take().expect("it runs there");
        self.thread_instructions += cta.machine.stats().total.thread_instructions;
        let start = cta.start;
        let mut fail = |cause| self.failures.push(start.failure(cause));
        let fault = match outcome {
            machine::Outcome::Hung(stuck) => {
                let first = stuck.first();
                let fault = first.map_or(CtaFault::default(), |stuck| CtaFault {
                    warp: stuck.warp as u32,
                    thread: stuck.lane,
                    pc: stuck.pc,
                    ..CtaFault::default()
                });
                fail(Cause::Hung(stuck));
                Some(fault)
            }
            _ => cta.machine.faults().first().map(|first| {
                fail(Cause::Faults(cta.machine.faults().to_vec()));
                CtaFault::from(first)
            }),
        };
        let step = self.tasks.end(&self.memory, start.sm, start.place, fault);
        observer(&Event::Task(step));
        true
    }
}

impl Start {
    fn failure(&self, cause: Cause) -> Failure {
        Failure {
            task: self.task,
            pc: self.descriptor.pc,
            sm: self.sm,
            cta: self.cta,
            cause,
        }
    }
}

/// As the FAULT registers say it (TASK-064).
impl From<&Fault> for CtaFault {
    fn from(fault: &Fault) -> CtaFault {
        CtaFault {
            warp: fault.warp as u32,
            thread: fault.lane,
            cause: fault.cause.code(),
            pc: fault.pc,
            address: fault.cause.value(fault.pc),
        }
    }
}
