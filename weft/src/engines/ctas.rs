//! `weft run --cta` on golden machine and oracle: grids of CTAs as an SM runs them.

use super::ran::help_for;
use super::{fields_of, launch, size_of, sm, Engine, Job, Ran, Watch};
use crate::check::Check;
use crate::cli::RunArgs;
use crate::printed;
use crate::report::Counters;
use crate::start::Constructors;
use anyhow::Result;
use serde_json::{Map, Value};
use weft_isa::Program;
use weft_sim::Record;
use weft_testbench::sm::{grid, SmOptions};

pub struct Ctas {
    /// Each thread alone.
    alone: bool,
    options: SmOptions,
}

impl Ctas {
    pub fn golden(args: &RunArgs) -> Result<Ctas> {
        Ctas::of(args, false)
    }

    pub fn oracle(args: &RunArgs) -> Result<Ctas> {
        Ctas::of(args, true)
    }

    fn of(args: &RunArgs, alone: bool) -> Result<Ctas> {
        let options = launch::options(args)?;
        Ok(Ctas { alone, options })
    }
}

impl Engine for Ctas {
    fn name(&self) -> String {
        if self.alone { "oracle" } else { "golden" }.into()
    }

    fn size(&self) -> String {
        size_of(&self.options)
    }

    fn fields(&self) -> Map<String, Value> {
        fields_of(&self.options)
    }

    fn memory(&self) -> u32 {
        self.options.machine.memory
    }

    fn threads(&self) -> u32 {
        self.options.launch.total()
    }

    fn ready(&mut self, job: &mut Job) -> Result<()> {
        launch::ready(job, &mut self.options, Constructors::Launch)
    }

    fn check(&self, program: &Program) -> Option<Check> {
        (!self.alone).then(|| Check::new(program, self.options.launch.threads(), 0..0))
    }

    fn run(&mut self, job: &mut Job, watch: Watch) -> Result<Ran> {
        let Watch { check, mut profile } = watch;
        let program = &job.program;
        let ran = if self.alone {
            grid::oracle(program, &self.options)
        } else {
            let mut unchecked = None;
            let checker = check.map_or(&mut unchecked, Check::checker);
            let mut executed = |record: &Record| {
                if let Some(profile) = &mut profile {
                    profile.executed(record);
                }
            };
            grid::checked(program, &self.options, &mut executed, checker)
        };
        let ran = match ran {
            Ok(ran) => ran,
            Err(error) => return sm::failed(error),
        };
        let faults = ran.faults.iter().map(|f| {
            let ra = ran.threads.get(f.thread as usize).map(|t| t.registers[1]);
            format!("fault: {f}{}", printed::caller(program, f.pc, ra))
        });
        let misuse = ran.misuse.iter();
        let misuse = misuse.map(|what| format!("barrier error {what}"));
        let instructions = ran.warp_instructions;
        Ok(Ran {
            help: help_for(ran.faults.iter().map(|f| f.cause)),
            notes: ran.orders.iter().cloned().collect(),
            counters: match self.alone {
                true => Counters::of_threads(instructions),
                false => Counters {
                    warp_instructions: Some(instructions),
                    ..Counters::default()
                },
            },
            lines: vec![format!("{instructions} instructions")],
            memory: Some(ran.memory),
            ..Ran::ended(faults.chain(misuse).collect())
        })
    }
}
