//! A CTA that runs: its threads with a memory of their own, and beside them its golden machine and the scalar oracle.

use super::options::CoreOptions;
use super::report::CoreError;
use crate::final_state::{self, load};
use crate::lanes::{FunctionalLanes, LaneFault};
use crate::report::FaultReport;
use crate::run::RunConfig;
use weft_isa::Program;
use weft_sim::{Config, Machine, Mutation, Oracle, OracleOutcome, Thread, Warp};

pub struct Job {
    /// As many warps as it has blocks, and its threads as the grid.
    pub config: Config,
    pub lanes: FunctionalLanes,
    pub golden: Option<Machine>,
    mutation: Option<Mutation>,
    entry: u32,
}

impl Job {
    pub fn new(
        program: &Program,
        run: &RunConfig,
        threads: u32,
        options: &CoreOptions,
    ) -> Result<Job, CoreError> {
        let mut config = run.machine.clone();
        config.warps = (threads as usize).div_ceil(config.threads);
        config.grid = Some(threads);
        config.validate()?;
        config.validate_program(program)?;
        let mut lanes = FunctionalLanes::new(program, &config).with_barriers();
        load(&mut lanes.memory, run)?;
        let golden = match options.lockstep {
            true => {
                let mut machine = Machine::new(program, &config)?;
                if let Some(mutation) = options.mutation {
                    machine = machine.with_mutation(mutation);
                }
                load(machine.memory_mut(), run)?;
                Some(machine)
            }
            false => None,
        };
        Ok(Job {
            config,
            lanes,
            golden,
            mutation: options.mutation,
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
            let warp = Warp::launch(
                slot,
                config.threads,
                config.tokens,
                config.policy(),
                self.entry,
                mask,
            )
            .expect("a valid configuration has enough tokens");
            *machine.warp_mut(block) = match self.mutation {
                Some(mutation) => warp.with_mutation(mutation),
                None => warp,
            };
        }
        (self.entry, mask)
    }

    pub fn fault(&self, block: usize) -> Option<LaneFault> {
        self.lanes.fault(block)
    }

    pub fn faults(&self) -> Vec<FaultReport> {
        final_state::faults(&self.lanes, &self.config)
    }

    pub fn threads(&self) -> &[Thread] {
        &self.lanes.threads[..self.config.grid_size() as usize]
    }

    /// Memory, registers and instret at the end: of the threads, of the golden machine, and of every thread alone. Gives whether
    /// the oracle was asked.
    pub fn compare(&self, program: &Program, run: &RunConfig) -> Result<bool, CoreError> {
        if let Some(machine) = &self.golden {
            final_state::same_as_golden(&self.lanes, machine).map_err(CoreError::FinalState)?;
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
        final_state::same_as_alone(&self.lanes, &result).map_err(CoreError::FinalState)?;
        Ok(true)
    }
}
