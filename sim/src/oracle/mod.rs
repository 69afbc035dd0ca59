//! The scalar oracle: every thread alone, up to its end or the next barrier, one after the other, over one memory.
//!
//! Convergence is advice, branching is not: here all advice is ignored. There are no warps and no tokens in this
//! file, a mask is one bit, and it shares only the functional datapath with the golden model.
//! Memory races aside, registers, instret and memory must come out the same.
//! At barriers the threads of a CTA wait for each other ([`barriers`]). Where it is a matter of time who belongs to a
//! group, the threads run in two orders, and what comes out otherwise is not judged.
//! A program whose threads wait for one another in memory cannot run this way.

mod barriers;
mod masks;

use crate::code::Code;
use crate::config::{Config, ConfigError};
use crate::fault::Fault;
use crate::lane::{code_address, execute, CsrView, Effect, Thread};
use crate::memory::{FaultCause, Memory};
use crate::space::{Launch, Windows};
use barriers::{Barriers, Doubt, Order, Verdict, Waiter};
use masks::{Acts, OneBit};
use std::fmt;
use weft_isa::{BarrierOp, Instr, Program};

#[derive(Clone, Debug)]
pub struct Oracle {
    entry: u32,
    global_pointer: u32,
    config: Config,
    code: Code,
    memory: Memory,
    launch: Option<Launch>,
    /// Of the CTA whose threads run.
    windows: Option<Windows>,
    order: Order,
    doubt: Option<(Doubt, Met)>,
    misuse: Option<String>,
    interrupted: Option<fn() -> bool>,
}

#[derive(Clone, Debug)]
pub enum OracleOutcome {
    Finished(OracleResult),
    /// This thread had not ended after the limit of instructions; `pc` is the byte address where it stood.
    Unfinished {
        thread: u32,
        pc: u32,
    },
    /// Nobody can go on: these threads wait at barriers.
    Hung(Vec<Lonely>),
    /// What threads come to depends on who arrives first, and that is not a thing to know alone: why.
    Silent(String),
}

#[derive(Clone, Debug)]
pub struct OracleResult {
    pub memory: Memory,
    /// Registers and instret of every thread of the grid at its end.
    pub threads: Vec<Thread>,
    /// A barrier instruction that was used badly; its thread has gone on.
    pub misuse: Option<String>,
    /// A barrier whose groups depend on who arrives first: two orders of the threads came to the same.
    pub orders: Option<String>,
}

/// A barrier instruction that a thread has executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// Number in the grid.
    pub thread: u32,
    /// Byte address.
    pub pc: u32,
    pub instr: Instr,
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Met { thread, pc, instr } = self;
        write!(f, "`{instr}` of thread {thread} at {pc:#x}")
    }
}

/// A thread that waits at a barrier for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lonely {
    /// Number in the grid.
    pub thread: u32,
    /// Byte address of the barrier instruction, or of the call of the short function that it stands in.
    pub pc: u32,
    pub barrier: usize,
    /// It sleeps where so many of so many have arrived; `None`: the barrier is in use elsewhere, or its phase does not
    /// end.
    pub arrivals: Option<(u32, u32)>,
}

impl fmt::Display for Lonely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lonely {
            thread,
            pc,
            barrier,
            arrivals,
        } = self;
        write!(f, "thread {thread} waits at {pc:#x}, barrier {barrier}")?;
        match arrivals {
            Some((arrivals, target)) => write!(f, ": {arrivals} of {target} arrivals"),
            None => write!(f, ": in use elsewhere, or its phase does not end"),
        }
    }
}

/// A thread of the CTA that runs.
struct Alone {
    /// Number in the grid of this machine.
    number: u32,
    thread: Thread,
    view: CsrView,
    mask: OneBit,
    instructions: u64,
}

/// Why a thread does not run on.
enum Stop {
    Ended,
    Barrier {
        op: BarrierOp,
        id: u8,
        selected: bool,
        word: u32,
        met: Met,
    },
    /// It has come to the limit, or somebody has interrupted it.
    Limit,
}

impl Oracle {
    pub fn new(program: &Program, config: &Config) -> Result<Oracle, ConfigError> {
        config.validate()?;
        config.validate_program(program)?;
        let mut memory = Memory::load(program, config.memory);
        let code = Code::new(program, &mut memory);
        Ok(Oracle {
            entry: program.entry,
            global_pointer: program.global_pointer(),
            config: config.clone(),
            code,
            memory,
            launch: None,
            windows: None,
            order: Order::Ascending,
            doubt: None,
            misuse: None,
            interrupted: None,
        })
    }

    /// For all CTAs of a launch, one after the other; `config` is the machine that they run on.
    pub fn of_launch(
        program: &Program,
        config: &Config,
        launch: &Launch,
    ) -> Result<Oracle, ConfigError> {
        let mut oracle = Oracle::new(program, &launch.config(config)?)?;
        oracle.launch = Some(*launch);
        Ok(oracle)
    }

    /// Asked from time to time; a thread is left unfinished when it says so.
    pub fn interrupted_by(mut self, asked: fn() -> bool) -> Oracle {
        self.interrupted = Some(asked);
        self
    }

    /// For data that come from outside.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Runs all threads of the grid, each for at most `limit` instructions.
    ///
    /// # Errors
    /// The first fault of a thread; the CTAs before it have ended.
    pub fn run(mut self, limit: u64) -> Result<OracleOutcome, Fault> {
        let other = self.code.has_barriers().then(|| Oracle {
            order: Order::Descending,
            ..self.clone()
        });
        let first = self.pass(limit);
        let Some((doubt, met)) = self.doubt else {
            return first;
        };
        let (Doubt::Order(what) | Doubt::Always(what)) = doubt;
        let why = format!("{what}: {met}");
        let (Doubt::Order(_), Some(mut other)) = (doubt, other) else {
            return Ok(OracleOutcome::Silent(why));
        };
        let second = other.pass(limit);
        let same = match (&first, &second) {
            (Ok(OracleOutcome::Finished(first)), Ok(OracleOutcome::Finished(second))) => {
                let whole = |r: &OracleResult| {
                    r.memory
                        .slice(crate::memory::MEMORY_BASE..r.memory.size())
                        .map(<[u8]>::to_vec)
                };
                first.threads == second.threads && whole(first) == whole(second)
            }
            (Ok(OracleOutcome::Hung(_)), Ok(OracleOutcome::Hung(_)))
            | (Ok(OracleOutcome::Unfinished { .. }), Ok(OracleOutcome::Unfinished { .. })) => true,
            (Err(first), Err(second)) => first == second,
            _ => false,
        };
        let known = !matches!(other.doubt, Some((Doubt::Always(_), _)));
        if !same || !known {
            return Ok(OracleOutcome::Silent(why));
        }
        Ok(match first? {
            OracleOutcome::Finished(result) => OracleOutcome::Finished(OracleResult {
                orders: Some(why),
                ..result
            }),
            other => other,
        })
    }

    /// All CTAs in one order of their threads.
    fn pass(&mut self, limit: u64) -> Result<OracleOutcome, Fault> {
        let mut threads = Vec::new();
        let total = match &self.launch {
            Some(launch) => launch.total(),
            None => self.config.grid_size(),
        };
        let mut first = 0;
        while first < total {
            let each = match &self.launch {
                Some(launch) => launch.threads(),
                None => {
                    let cta = self.config.cta_of(first as usize / self.config.threads);
                    self.config.cta_threads(cta)
                }
            };
            if let Some(launch) = &self.launch {
                self.windows = Some(Windows::new(launch, first / each, self.config.memory));
            }
            let mut cta: Vec<_> = (first..first + each).map(|n| self.alone(n)).collect();
            if let Some(unfinished) = self.run_cta(&mut cta, limit)? {
                return Ok(unfinished);
            }
            threads.extend(cta.iter().map(|alone| alone.thread));
            first += each;
        }
        Ok(OracleOutcome::Finished(OracleResult {
            memory: std::mem::replace(&mut self.memory, Memory::new(0)),
            threads,
            misuse: self.misuse.take(),
            orders: None,
        }))
    }

    fn alone(&self, number: u32) -> Alone {
        let thread = match &self.launch {
            Some(launch) => Thread::of_launch(launch, number),
            None => Thread::launched(&self.config, number).with_global_pointer(self.global_pointer),
        };
        Alone {
            number,
            thread,
            view: self.view(number),
            mask: OneBit::new(),
            instructions: 0,
        }
    }

    /// What the CSRs of a thread say.
    fn view(&self, number: u32) -> CsrView {
        let width = self.config.threads as u32;
        let (cta, within) = match &self.launch {
            Some(launch) => (number / launch.threads(), number % launch.threads()),
            None => (0, number),
        };
        let (block, lane) = (within / width, within % width);
        let view = CsrView {
            thread: number,
            lane,
            mask: 1 << lane,
            width,
            float: self.config.float,
            ..CsrView::default()
        };
        match &self.launch {
            Some(launch) => CsrView {
                warp: cta * launch.blocks(self.config.threads) as u32 + block,
                grid: launch.total(),
                cta,
                place: launch.place(cta, within, self.config.threads),
                ..view
            },
            None => CsrView::of(&self.config, block as usize, lane as usize, 1 << lane),
        }
    }

    /// Runs the threads of a CTA to their ends; gives what they have come to if that is something else.
    fn run_cta(&mut self, cta: &mut [Alone], limit: u64) -> Result<Option<OracleOutcome>, Fault> {
        let mut barriers = Barriers::new(cta.len() as u32, self.entry, self.order);
        let mut left = cta.len();
        while left > 0 {
            let Some(member) = barriers.next() else {
                let hung = barriers.waiters();
                let hung = hung.into_iter().map(|w| self.lonely(cta, w)).collect();
                return Ok(Some(OracleOutcome::Hung(hung)));
            };
            let alone = &mut cta[member];
            match self.run_thread(alone, barriers.pc(member), limit)? {
                Stop::Ended => {
                    barriers.ended(member);
                    left -= 1;
                }
                Stop::Barrier {
                    op,
                    id,
                    selected,
                    word,
                    met,
                } => {
                    let verdict = barriers.op(member, op, id, selected, word);
                    alone.thread.instret += u64::from(verdict == Verdict::Completes);
                    self.judge(&mut barriers, met);
                    if let Some((Doubt::Always(what), met)) = self.doubt {
                        return Ok(Some(OracleOutcome::Silent(format!("{what}: {met}"))));
                    }
                }
                Stop::Limit => {
                    let (thread, pc) = (self.config.number(alone.number), *barriers.pc(member));
                    return Ok(Some(OracleOutcome::Unfinished { thread, pc }));
                }
            }
        }
        Ok(None)
    }

    /// Keeps what a barrier instruction has shown.
    fn judge(&mut self, barriers: &mut Barriers, met: Met) {
        if let Some(doubt) = barriers.doubt.take() {
            let worse = |(known, _): &(Doubt, Met)| {
                matches!((known, doubt), (Doubt::Order(_), Doubt::Always(_)))
            };
            if self.doubt.as_ref().is_none_or(worse) {
                self.doubt = Some((doubt, met));
            }
        }
        if let Some(what) = barriers.misuse.take() {
            self.misuse.get_or_insert_with(|| format!("{met}: {what}"));
        }
    }

    fn lonely(&self, cta: &[Alone], waiter: Waiter) -> Lonely {
        let link = cta[waiter.member].thread.registers[5];
        let call = self.code.caller(waiter.tag, link, &self.memory);
        Lonely {
            thread: self.config.number(cta[waiter.member].number),
            pc: call.unwrap_or(waiter.tag),
            barrier: waiter.id,
            arrivals: waiter.asleep.then_some((waiter.arrivals, waiter.target)),
        }
    }

    /// Runs one thread up to its end, a barrier instruction, or the limit.
    fn run_thread(&mut self, alone: &mut Alone, pc: &mut u32, limit: u64) -> Result<Stop, Fault> {
        let Alone {
            thread,
            view: csr,
            mask,
            instructions,
            ..
        } = alone;
        let (warp, lane) = (csr.warp, csr.lane);
        while *instructions < limit {
            if *instructions % (1 << 20) == 0 && self.interrupted.is_some_and(|asked| asked()) {
                break;
            }
            *instructions += 1;
            let at = *pc;
            let fault = |cause: FaultCause| Fault {
                warp: warp as usize,
                thread: csr.thread,
                lane,
                pc: at,
                cause,
            };
            self.code.refresh(&mut self.memory);
            let instr = self.code.fetch(at, &self.memory).map_err(fault)?;
            match mask.acts(instr, thread, lane).map_err(fault)? {
                Acts::Fully => {}
                Acts::Not => {
                    thread.instret += u64::from(mask.on);
                    *pc = after(at);
                    continue;
                }
                Acts::Mask { was_on, jump } => {
                    thread.instret += u64::from(was_on);
                    *pc = match jump {
                        Some(offset) => target(at, offset).map_err(fault)?,
                        None => after(at),
                    };
                    continue;
                }
            }
            let effect = match &mut self.windows {
                Some(windows) => {
                    let bus = &mut windows.over(&mut self.memory);
                    execute(instr, at, thread, csr, bus)
                }
                None => execute(instr, at, thread, csr, &mut self.memory),
            }
            .map_err(fault)?;
            if let Effect::Barrier {
                op,
                id,
                selected,
                word,
            } = effect
            {
                let thread = csr.thread;
                return Ok(Stop::Barrier {
                    op,
                    id,
                    selected,
                    word,
                    met: Met {
                        thread,
                        pc: at,
                        instr,
                    },
                });
            }
            thread.instret += 1;
            match next_pc(effect, at) {
                Some(next) => *pc = next,
                None => return Ok(Stop::Ended),
            }
        }
        Ok(Stop::Limit)
    }
}

/// Where a thread goes on that is alone; `None` when it has ended.
fn next_pc(effect: Effect, pc: u32) -> Option<u32> {
    let after = after(pc);
    match effect {
        Effect::Next
        | Effect::Push { .. }
        | Effect::Yield
        | Effect::Barrier { .. }
        | Effect::SubVector { .. } => Some(after),
        Effect::Branch { taken: false, .. }
        | Effect::Leave {
            selected: false, ..
        } => Some(after),
        Effect::Branch { target, .. } | Effect::Leave { target, .. } => Some(target),
        Effect::Jump { target }
        | Effect::Indirect { target }
        | Effect::Call { target }
        | Effect::LeaveIndirect { target, .. } => Some(target),
        Effect::Exit => None,
    }
}

fn after(pc: u32) -> u32 {
    (pc + 4) % crate::config::CODE_LIMIT
}

fn target(pc: u32, offset: i32) -> Result<u32, FaultCause> {
    code_address(pc.wrapping_add_signed(offset))
}
