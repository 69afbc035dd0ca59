//! The scalar oracle: every thread alone, to its end, one after the other, over one memory.
//!
//! Convergence is advice, branching is not: here all advice is ignored. There are no warps and no tokens in this
//! file, a mask is one bit, and it shares only the functional datapath with the golden model.
//! Memory races aside, registers, instret and memory must come out the same.
//! A program whose threads wait for one another cannot run this way.

use crate::code::Code;
use crate::config::{Config, ConfigError};
use crate::fault::Fault;
use crate::lane::{code_address, execute, illegal, CsrView, Effect, Thread};
use crate::memory::{FaultCause, Memory};
use crate::space::{Launch, Windows};
use weft_isa::{Instr, Mask, MaskCond, MaskInstr, MaskOp, Program};

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
    barrier: Option<Met>,
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
}

#[derive(Clone, Debug)]
pub struct OracleResult {
    pub memory: Memory,
    /// Registers and instret of every thread of the grid at its end.
    pub threads: Vec<Thread>,
    /// The first barrier instruction that a thread has executed: alone it meets nobody there, so it went on as after a
    /// `nop`. What came out says nothing then about a program whose threads rely on the barrier.
    pub barrier: Option<Met>,
}

/// A barrier instruction that a thread has executed alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// Number in the grid.
    pub thread: u32,
    /// Byte address.
    pub pc: u32,
    pub instr: Instr,
}

impl std::fmt::Display for Met {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Met { thread, pc, instr } = self;
        write!(f, "`{instr}` of thread {thread} at {pc:#x}")
    }
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
            barrier: None,
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
    /// The first fault of a thread; the threads before it have ended.
    pub fn run(mut self, limit: u64) -> Result<OracleOutcome, Fault> {
        let mut threads = Vec::new();
        let (total, each) = match &self.launch {
            Some(launch) => (launch.total(), launch.threads()),
            None => (self.config.grid_size(), self.config.grid_size()),
        };
        for number in 0..total {
            if let Some(launch) = self.launch.as_ref().filter(|_| number % each == 0) {
                self.windows = Some(Windows::new(launch, number / each, self.config.memory));
            }
            let mut thread = match &self.launch {
                Some(launch) => Thread::of_launch(launch, number),
                None => {
                    Thread::launched(&self.config, number).with_global_pointer(self.global_pointer)
                }
            };
            if let Some(pc) = self.run_thread(number, &mut thread, limit)? {
                let thread = self.config.number(number);
                return Ok(OracleOutcome::Unfinished { thread, pc });
            }
            threads.push(thread);
        }
        Ok(OracleOutcome::Finished(OracleResult {
            memory: self.memory,
            threads,
            barrier: self.barrier,
        }))
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

    /// Runs one thread to its end; gives the pc if it has not ended within the limit.
    fn run_thread(
        &mut self,
        number: u32,
        thread: &mut Thread,
        limit: u64,
    ) -> Result<Option<u32>, Fault> {
        let csr = self.view(number);
        let (warp, lane) = (csr.warp, csr.lane);
        let mut pc = self.entry;
        let mut alone = Alone::new();
        for n in 0..limit {
            if n % (1 << 20) == 0 && self.interrupted.is_some_and(|asked| asked()) {
                break;
            }
            let at = pc;
            let fault = |cause: FaultCause| Fault {
                warp: warp as usize,
                thread: csr.thread,
                lane,
                pc: at,
                cause,
            };
            self.code.refresh(&mut self.memory);
            let instr = self.code.fetch(pc, &self.memory).map_err(fault)?;
            match alone.acts(instr, thread, lane).map_err(fault)? {
                Acts::Fully => {}
                Acts::Not => {
                    thread.instret += u64::from(alone.on);
                    pc = after(pc);
                    continue;
                }
                Acts::Mask { was_on, jump } => {
                    thread.instret += u64::from(was_on);
                    pc = match jump {
                        Some(offset) => target(pc, offset).map_err(fault)?,
                        None => after(pc),
                    };
                    continue;
                }
            }
            let effect = match &mut self.windows {
                Some(windows) => {
                    let bus = &mut windows.over(&mut self.memory);
                    execute(instr, pc, thread, &csr, bus)
                }
                None => execute(instr, pc, thread, &csr, &mut self.memory),
            }
            .map_err(fault)?;
            if matches!(effect, Effect::Barrier { .. }) {
                self.barrier.get_or_insert(Met {
                    thread: csr.thread,
                    pc,
                    instr,
                });
            }
            thread.instret += 1;
            match next_pc(effect, pc) {
                Some(next) => pc = next,
                None => return Ok(None),
            }
        }
        Ok(Some(pc))
    }
}

/// Where a thread goes on that is alone; `None` when it has ended.
fn next_pc(effect: Effect, pc: u32) -> Option<u32> {
    let after = after(pc);
    match effect {
        // Alone nobody waits for anybody.
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

/// A warp of one thread with masks of one bit (`docs/spec/masks.md`, MASK-060).
struct Alone {
    on: bool,
    bits: [bool; 8],
    condition: bool,
    /// The bit that guards the write-back, and for how many more instructions.
    guard: (bool, u8),
}

/// What an instruction does to a thread that is alone.
enum Acts {
    /// What it does without masks.
    Fully,
    /// Nothing.
    Not,
    /// It was a mask instruction; a jump by this offset follows.
    Mask { was_on: bool, jump: Option<i32> },
}

impl Alone {
    fn new() -> Alone {
        Alone {
            on: true,
            bits: [false; 8],
            condition: false,
            guard: (true, 0),
        }
    }

    fn bit(&self, mask: Mask) -> bool {
        self.bits
            .get(usize::from(mask.number()))
            .copied()
            .unwrap_or(self.on)
    }

    /// A result for a mask operand: scc follows.
    fn put(&mut self, mask: Mask, bit: bool) {
        self.condition = bit;
        match self.bits.get_mut(usize::from(mask.number())) {
            Some(own) => *own = bit,
            None => self.on = bit,
        }
    }

    fn acts(&mut self, instr: Instr, thread: &mut Thread, lane: u32) -> Result<Acts, FaultCause> {
        let guarded = self.guard.1 > 0;
        if guarded {
            self.guard.1 -= 1;
            if !instr.changes_nothing_but_data() {
                return Err(illegal(instr));
            }
        }
        Ok(match instr {
            Instr::Mask(instr) => {
                let was_on = self.on;
                let jump = self.mask(instr, thread, lane);
                Acts::Mask { was_on, jump }
            }
            Instr::Jal { offset, .. } if !self.on => Acts::Mask {
                was_on: false,
                jump: Some(offset),
            },
            _ if !self.on || guarded && !self.guard.0 => Acts::Not,
            _ => Acts::Fully,
        })
    }

    /// Carries out a mask instruction; gives the offset if it jumps.
    fn mask(&mut self, instr: MaskInstr, thread: &mut Thread, lane: u32) -> Option<i32> {
        let on = self.on;
        let word = |bit: bool, high| (u64::from(bit) << lane >> (32 * u32::from(high))) as u32;
        let mut give = |rd, value| {
            if on {
                thread.set(rd, value);
            }
        };
        match instr {
            MaskInstr::Logic { op, md, ma, mb } => {
                self.put(md, of_bits(op, self.bit(ma), self.bit(mb)));
            }
            MaskInstr::Save { op, md, ms } => {
                let result = of_bits(op, self.bit(ms), on);
                self.put(md, on);
                self.put(Mask::EXEC, result);
            }
            MaskInstr::Set { md, rs1 } => {
                self.put(md, on && thread.registers[usize::from(rs1)] != 0);
            }
            MaskInstr::Get { rd, ms, high } => give(rd, word(self.bit(ms), high)),
            MaskInstr::Put { md, rs1, high } => {
                if on && (lane >= 32) == high {
                    self.put(
                        md,
                        thread.registers[usize::from(rs1)] >> (lane % 32) & 1 != 0,
                    );
                } else if on {
                    self.put(md, self.bit(md));
                }
            }
            MaskInstr::Count { rd, ms } => give(rd, self.bit(ms).into()),
            MaskInstr::First { rd, ms } => give(rd, if self.bit(ms) { lane } else { u32::MAX }),
            MaskInstr::Condition { rd } => give(rd, self.condition.into()),
            MaskInstr::Branch { cond, ms, offset } => {
                let wanted = matches!(cond, MaskCond::NonZero | MaskCond::Ones);
                return (self.bit(ms) == wanted).then_some(offset);
            }
            MaskInstr::BranchCondition { value, offset } => {
                return (self.condition == value).then_some(offset);
            }
            MaskInstr::Predicate { ms, count } => self.guard = (self.bit(ms), count),
        }
        None
    }
}

fn of_bits(op: MaskOp, a: bool, b: bool) -> bool {
    match op {
        MaskOp::And => a && b,
        MaskOp::Or => a || b,
        MaskOp::Xor => a != b,
        MaskOp::Andn => a && !b,
        MaskOp::Nand => !(a && b),
        MaskOp::Nor => !(a || b),
        MaskOp::Xnor => a == b,
        MaskOp::Orn => a || !b,
    }
}
