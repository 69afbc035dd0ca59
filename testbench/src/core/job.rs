//! A CTA that runs: its threads with a memory of their own, and beside them its golden machine and the scalar oracle.

use super::options::CoreOptions;
use super::report::CoreError;
use crate::final_state::{self, compare_alone, load, Alone};
use crate::lanes::{FunctionalLanes, LaneFault};
use crate::lockstep::Failure;
use crate::report::{FaultReport, RunError};
use crate::run_config::RunConfig;
use weft_isa::Program;
use weft_sim::{Config, Machine, Memory, Mutation, Part, Thread, Warp};

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
        part: Option<Part>,
        options: &CoreOptions,
    ) -> Result<Job, CoreError> {
        let mut config = run.machine.clone();
        config.warps = (threads as usize).div_ceil(config.threads);
        config.grid = Some(threads);
        config.part = part;
        config.cta_warps = None;
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

    /// The CTAs of a grid have one memory, which only one of them holds at a time: this one takes it, or gives it back.
    pub fn swap(&mut self, shared: &mut Option<Shared>) {
        let Some(shared) = shared else {
            return;
        };
        std::mem::swap(&mut self.lanes.memory, &mut shared.lanes);
        if let (Some(machine), Some(memory)) = (&mut self.golden, &mut shared.golden) {
            std::mem::swap(machine.memory_mut(), memory);
        }
    }

    /// Its memory as that of a grid; what it has now is empty.
    pub fn share(&mut self) -> Shared {
        let mut shared = Shared {
            lanes: Memory::new(0),
            golden: self.golden.as_ref().map(|_| Memory::new(0)),
        };
        std::mem::swap(&mut self.lanes.memory, &mut shared.lanes);
        if let (Some(machine), Some(memory)) = (&mut self.golden, &mut shared.golden) {
            std::mem::swap(machine.memory_mut(), memory);
        }
        shared
    }

    /// Memory, registers and instret at the end: of the threads and of the golden machine.
    ///
    /// # Errors
    /// What differs.
    pub fn compare(&self) -> Result<(), CoreError> {
        match &self.golden {
            Some(machine) => {
                final_state::same_as_golden(&self.lanes, machine).map_err(CoreError::FinalState)
            }
            None => Ok(()),
        }
    }

    /// The same with every thread alone, if the run wants that and no thread has faulted.
    ///
    /// # Errors
    /// What differs.
    pub fn compare_alone(
        &self,
        program: &Program,
        run: &RunConfig,
    ) -> Result<Option<Alone>, CoreError> {
        if !run.oracle || !self.faults().is_empty() {
            return Ok(None);
        }
        let alone = compare_alone(&self.lanes, program, &self.config, run);
        alone.map(Some).map_err(oracle_error)
    }
}

/// The memory of a grid: of the threads, and of the golden machines.
pub struct Shared {
    pub lanes: Memory,
    pub golden: Option<Memory>,
}

/// What the oracle says, as an error of the core.
pub fn oracle_error(error: RunError) -> CoreError {
    match error {
        RunError::Failure(Failure::Alone(detail)) => CoreError::Alone(detail),
        RunError::Config(error) => CoreError::Config(error),
        other => CoreError::Alone(other.to_string()),
    }
}
