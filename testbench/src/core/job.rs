//! A CTA that runs: its threads with a memory of their own, and beside them its golden machine and the scalar oracle.

use super::report::CoreError;
use crate::lanes::{FunctionalLanes, LaneFault};
use crate::report::FaultReport;
use crate::run::RunConfig;
use weft_isa::Program;
use weft_sim::{Config, ConfigError, Machine, Memory, Oracle, OracleOutcome, Thread, Warp};

pub struct Job {
    /// As many warps as it has blocks, and its threads as the grid.
    pub config: Config,
    pub lanes: FunctionalLanes,
    pub golden: Option<Machine>,
    entry: u32,
}

impl Job {
    pub fn new(
        program: &Program,
        run: &RunConfig,
        threads: u32,
        lockstep: bool,
    ) -> Result<Job, CoreError> {
        let mut config = run.machine.clone();
        config.warps = (threads as usize).div_ceil(config.threads);
        config.grid = Some(threads);
        config.validate()?;
        config.validate_program(program)?;
        let mut lanes = FunctionalLanes::new(program, &config);
        load(&mut lanes.memory, run)?;
        let golden = match lockstep {
            true => {
                let mut machine = Machine::new(program, &config)?;
                load(machine.memory_mut(), run)?;
                Some(machine)
            }
            false => None,
        };
        Ok(Job {
            config,
            lanes,
            golden,
            entry: program.entry / 4,
        })
    }

    pub fn blocks(&self) -> usize {
        self.config.warps
    }

    /// The block was launched on this warp slot. Where a warp stands makes its random yields (CONV-052).
    pub fn launched(&mut self, block: usize, slot: usize) -> (u32, u64) {
        let (config, mask) = (&self.config, self.config.launch_mask(block));
        if let Some(machine) = &mut self.golden {
            *machine.warp_mut(block) = Warp::launch(
                slot,
                config.threads,
                config.tokens,
                config.policy(),
                self.entry,
                mask,
            )
            .expect("a valid configuration has enough tokens");
        }
        (self.entry, mask)
    }

    pub fn fault(&self, block: usize) -> Option<LaneFault> {
        self.lanes.fault(block)
    }

    pub fn faults(&self) -> Vec<FaultReport> {
        let report = |block| {
            let fault = self.fault(block)?;
            Some(FaultReport {
                warp: block,
                thread: (block * self.config.threads + fault.lane) as u32,
                pc: fault.pc << 2,
                cause: fault.cause.to_string(),
            })
        };
        (0..self.blocks()).filter_map(report).collect()
    }

    pub fn threads(&self) -> &[Thread] {
        &self.lanes.threads[..self.config.grid_size() as usize]
    }

    /// Memory, registers and instret at the end: of the threads, of the golden machine, and of every thread alone. Gives whether
    /// the oracle was asked.
    pub fn compare(&self, program: &Program, run: &RunConfig) -> Result<bool, CoreError> {
        let memory = &self.lanes.memory;
        if let Some(machine) = &self.golden {
            let width = self.config.threads;
            for (n, thread) in self.lanes.threads.iter().enumerate() {
                let theirs = machine.thread(n / width, n % width);
                same_thread(n, thread, theirs, "the golden model")?;
            }
            same_memory(memory, machine.memory(), "the golden model")?;
            for f in machine.faults() {
                let ours = self.fault(f.warp).map(|f| (f.lane, f.cause));
                if ours != Some((f.lane as usize, f.cause)) {
                    let detail = format!("{f}, in the hardware's lanes {ours:?}");
                    return Err(CoreError::FinalState(detail));
                }
            }
        }
        if !run.oracle || !self.faults().is_empty() {
            return Ok(false);
        }
        let mut oracle = Oracle::new(program, &self.config)?;
        load(oracle.memory_mut(), run)?;
        let outcome = oracle.run(run.instructions);
        let result = match outcome.map_err(|f| CoreError::FinalState(format!("alone: {f}")))? {
            OracleOutcome::Finished(result) => result,
            OracleOutcome::Unfinished { thread, pc } => {
                let detail = format!("thread {thread} alone has not ended, it is at {pc:#x}");
                return Err(CoreError::FinalState(detail));
            }
        };
        for (n, thread) in result.threads.iter().enumerate() {
            same_thread(n, &self.lanes.threads[n], thread, "the thread alone")?;
        }
        same_memory(memory, &result.memory, "the threads alone")?;
        Ok(true)
    }
}

pub fn load(memory: &mut Memory, run: &RunConfig) -> Result<(), ConfigError> {
    for segment in &run.data {
        let written = memory.write_bytes(segment.address, &segment.bytes);
        written.map_err(|_| ConfigError::Program {
            start: segment.address,
            end: u64::from(segment.address) + segment.bytes.len() as u64,
            memory: run.machine.memory,
        })?;
    }
    Ok(())
}

fn same_memory(ours: &Memory, theirs: &Memory, whose: &str) -> Result<(), CoreError> {
    let range = weft_sim::config::MEMORY_BASE..ours.size();
    let (a, b) = (ours.slice(range.clone()), theirs.slice(range.clone()));
    if a == b {
        return Ok(());
    }
    let at = range
        .step_by(4)
        .find(|&at| ours.read_u32(at) != theirs.read_u32(at));
    let at = at.unwrap_or(0);
    let detail = format!(
        "memory at {at:#x} is {:x?}, of {whose} {:x?}",
        ours.read_u32(at),
        theirs.read_u32(at)
    );
    Err(CoreError::FinalState(detail))
}

fn same_thread(n: usize, ours: &Thread, theirs: &Thread, whose: &str) -> Result<(), CoreError> {
    if ours == theirs {
        return Ok(());
    }
    let detail = format!("thread {n}: {ours:x?}, {whose} {theirs:x?}");
    Err(CoreError::FinalState(detail))
}
