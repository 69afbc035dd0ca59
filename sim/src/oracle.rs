//! The scalar oracle: every thread alone, to its end, one after the other, over one memory.
//!
//! Convergence is advice, branching is not: here all advice is ignored. There are no warps, masks or tokens in this
//! file, and it shares only the functional datapath with the golden model. Memory races aside, registers, instret and memory
//! must come out the same. A program whose threads wait for one another cannot run this way.

use crate::code::Code;
use crate::config::{Config, ConfigError};
use crate::fault::Fault;
use crate::lane::{execute, CsrView, Effect, Thread};
use crate::memory::{FaultCause, Memory};
use weft_isa::Program;

#[derive(Clone, Debug)]
pub struct Oracle {
    entry: u32,
    config: Config,
    code: Code,
    memory: Memory,
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
}

impl Oracle {
    pub fn new(program: &Program, config: &Config) -> Result<Oracle, ConfigError> {
        config.validate()?;
        config.validate_program(program)?;
        let mut memory = Memory::load(program, config.memory);
        let code = Code::new(program, &mut memory);
        Ok(Oracle {
            entry: program.entry,
            config: config.clone(),
            code,
            memory,
        })
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
        for number in 0..self.config.grid_size() {
            let mut thread = Thread::launched(&self.config, number);
            if let Some(pc) = self.run_thread(number, &mut thread, limit)? {
                return Ok(OracleOutcome::Unfinished { thread: number, pc });
            }
            threads.push(thread);
        }
        Ok(OracleOutcome::Finished(OracleResult {
            memory: self.memory,
            threads,
        }))
    }

    /// Runs one thread to its end; gives the pc if it has not ended within the limit.
    fn run_thread(
        &mut self,
        number: u32,
        thread: &mut Thread,
        limit: u64,
    ) -> Result<Option<u32>, Fault> {
        let width = self.config.threads as u32;
        let (warp, lane) = (number / width, number % width);
        let csr = CsrView {
            thread: number,
            lane,
            warp,
            grid: self.config.grid_size(),
            mask: 1 << lane,
            width,
            cta: self.config.cta_of(warp as usize) as u32,
        };
        let mut pc = self.entry;
        for _ in 0..limit {
            let at = pc;
            let fault = |cause: FaultCause| Fault {
                warp: warp as usize,
                thread: number,
                lane,
                pc: at,
                cause,
            };
            self.code.refresh(&mut self.memory);
            let instr = self.code.fetch(pc, &self.memory).map_err(fault)?;
            let effect = execute(instr, pc, thread, &csr, &mut self.memory).map_err(fault)?;
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
    let after = (pc + 4) % crate::config::CODE_LIMIT;
    match effect {
        // Alone nobody waits for anybody.
        Effect::Next | Effect::Push { .. } | Effect::Yield | Effect::Barrier { .. } => Some(after),
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
