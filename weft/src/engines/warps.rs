//! `weft run` on flat grids: golden machine, oracle, and the warp control of `weft_control` or `weft_core`.

use super::machine::{self, refused};
use super::written::Written;
use super::{core, map, Engine, Job, Ran, Watch};
use crate::check::Check;
use crate::cli::{Dut, EngineName, RunArgs, RunUnit};
use crate::report::{Counters, Ending};
use crate::{printed, program, start, takes};
use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Map, Value};
use weft_cc::Float;
use weft_isa::Program;
use weft_sim::Config;
use weft_testbench::grid;
use weft_testbench::lockstep::{Failure, Observer, Watchdog};
use weft_testbench::report::{RunError, Tally};
use weft_testbench::run::{run_checked, run_program, Engine as Runner};
use weft_testbench::run_config::RunConfig;
use weft_testbench::session::Recenter;

pub struct Warps {
    runner: Runner,
    machine: Config,
    /// Which hardware runs the program; `None`: none does, or the program is not known yet.
    unit: Option<RunUnit>,
    fields: Map<String, Value>,
}

impl Warps {
    pub fn new(args: &RunArgs, runner: Runner) -> Result<Warps> {
        let machine = Config {
            float: args.compile.float == Float::Hard,
            ..machine::of(&args.machine)?
        };
        let fields = map(json!({
            "warps": machine.warps,
            "threads": machine.threads,
            "tokens_per_warp": machine.tokens,
            "grid": machine.grid_size(),
            "yield": match args.machine.yield_random {
                Some(threshold) => format!("random:{threshold}"),
                None => args.machine.yield_every.to_string(),
            },
            "forced_yield": args.machine.forced_yield.to_string(),
            "path": machine.path,
            "call_tokens": machine.call_tokens,
        }));
        Ok(Warps {
            runner,
            machine,
            unit: None,
            fields,
        })
    }

    fn config(&self, args: &RunArgs) -> RunConfig {
        RunConfig {
            timing: machine::timing(args.latency),
            window: args.window.map(|w| (w.front, w.back)),
            tokens: machine::token_timing(args.token_latency),
            recenter: match args.driver {
                true => Recenter::Driver,
                false => Recenter::Hardware,
            },
            seed: args.seed,
            watchdog: Watchdog {
                livelock: args.watchdog,
                ..Watchdog::default()
            },
            cycles: Some(args.most_cycles()),
            instructions: args.most_instructions(),
            oracle: args.oracle,
            machine: self.machine.clone(),
            ..RunConfig::default()
        }
    }
}

impl Engine for Warps {
    fn name(&self) -> String {
        self.runner.name()
    }

    fn title(&self) -> String {
        match self.unit {
            Some(RunUnit::Core) => self.name() + ", weft_core",
            _ => self.name(),
        }
    }

    fn size(&self) -> String {
        let Config { warps, threads, .. } = self.machine;
        let grid = self.machine.grid_size();
        format!("{warps} warps x {threads} threads, grid {grid}")
    }

    fn fields(&self) -> Map<String, Value> {
        let mut fields = self.fields.clone();
        fields.insert("unit".into(), json!(self.unit.map(RunUnit::name)));
        fields
    }

    fn memory(&self) -> u32 {
        self.machine.memory
    }

    fn threads(&self) -> u32 {
        self.machine.grid_size()
    }

    fn ready(&mut self, job: &mut Job) -> Result<()> {
        let kernel = job.args.gpu.kernel.as_deref();
        start::enter(&mut job.program, kernel, start::Constructors::Launch).context("--kernel")?;
        for part in grid::parts(&self.machine)? {
            part.validate_program(&job.program)
                .with_context(|| job.args.program.display().to_string())?;
        }
        self.unit = unit(job)?;
        Ok(())
    }

    fn check(&self, program: &Program) -> Option<Check> {
        let machine = &self.machine;
        let each = machine.cta_warps.unwrap_or(machine.warps) * machine.threads;
        let stacks = machine.stacks_begin()..machine.memory;
        let golden = self.runner == Runner::Golden;
        golden.then(|| Check::new(program, each as u32, stacks))
    }

    fn run(&mut self, job: &mut Job, watch: Watch) -> Result<Ran> {
        let clocked = self.runner != Runner::Golden;
        let (written, wave) = Written::of(job, self.machine.warps, clocked)?;
        let config = RunConfig {
            wave,
            ..self.config(job.args)
        };
        match self.unit {
            Some(RunUnit::Core) => core::run(job, &config, written),
            _ => run(&job.program, &config, self.runner, written, watch),
        }
        .map(|ran| with_help(ran, &job.program))
    }

    /// Warps say where they have faulted; other findings name the pc in their text.
    fn place(&self, ran: &mut Ran, job: &Job) {
        let faults = &ran.counters.faults;
        for (finding, fault) in ran.findings.iter_mut().zip(faults) {
            if let Some(place) = job.lines.place(fault.pc) {
                finding.push_str(&format!("\n  in {place}"));
            }
            let caller = printed::caller(&job.program, fault.pc, Some(fault.returns_to));
            finding.push_str(&printed::with_places(&caller, &job.lines));
        }
        for finding in ran.findings.iter_mut().skip(faults.len()) {
            *finding = printed::with_places(finding, &job.lines);
        }
    }
}

fn with_help(ran: Ran, program: &Program) -> Ran {
    let faults = ran.counters.faults.iter();
    let mut help = faults.filter_map(|fault| help(program, fault.pc, &fault.cause));
    Ran {
        help: help.next_back().map(String::from).into_iter().collect(),
        ..ran
    }
}

/// What a warp's fault comes from that is seen again and again.
fn help(program: &Program, pc: u32, cause: &str) -> Option<&'static str> {
    let mut help = None;
    if pc < weft_isa::IMAGE_BASE && !program.symbols.contains_key("_start") {
        help = Some(
            "the program has no `_start`, so it began with its first instruction, and returned from there",
        );
    }
    if cause.contains("unmapped address 0xd0") {
        help = Some("the scratchpad is there in grids of CTAs only: --cta N says how many threads a CTA has");
    }
    if cause.contains("unmapped address 0xffff") && program.symbols.is_empty() {
        help = Some(
            "gp is 0, since the file has no symbols that tell it: set gp at the start, or link with --no-relax",
        );
    }
    help
}

/// Runs the program.
///
/// # Errors
/// What keeps it from running at all; everything that goes wrong afterwards is in [`Ran`].
pub fn run(
    program: &Program,
    config: &RunConfig,
    runner: Runner,
    mut written: Written,
    watch: Watch,
) -> Result<Ran> {
    let mut tally = Tally::new(config.machine.warps);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut tally];
    let trace = written.trace.as_mut();
    observers.extend(trace.map(|trace| trace as &mut dyn Observer));
    let profile = watch.profile;
    observers.extend(profile.map(|profile| profile as &mut dyn Observer));
    let result = match watch.check {
        Some(check) => run_checked(program, config, &mut observers, check.checker()),
        None => run_program(program, config, runner, &mut observers),
    };
    let mut ran = match result {
        Ok(report) => {
            let counters = match runner {
                Runner::Oracle => Counters::of_threads(report.stats.total.thread_instructions),
                _ => Counters::of_warps(&report.stats, report.cycles),
            };
            Ran {
                notes: report.oracle_silent.into_iter().collect(),
                oracle_agrees: report.oracle_agrees,
                memory: Some(report.memory),
                ..Ran::of_warps(report.faults, report.barrier_errors, counters)
            }
        }
        Err(error) => cut_short(error, &tally, config.machine.threads)?,
    };
    ran.lost = written.finish(&ran.counters);
    Ok(ran)
}

/// What a run that was cut short has come to; an error if the engine cannot run the program.
fn cut_short(error: RunError, tally: &Tally, threads: usize) -> Result<Ran> {
    let (ending, cycle) = match &error {
        RunError::Config(_)
        | RunError::Dut(_)
        | RunError::NoWavefront
        | RunError::Cannot { .. }
        | RunError::Failure(Failure::Cannot { .. }) => return Err(refused(error)),
        RunError::GoldenLivelock { .. } => (Ending::Livelock, None),
        RunError::GoldenLimit(..) | RunError::OracleLimit { .. } => (Ending::Limit, None),
        RunError::GoldenHung(..) | RunError::OracleHung(_) => (Ending::Hang, None),
        RunError::OracleFault(_) => (Ending::Fault, None),
        RunError::Interrupted(_) => (Ending::Interrupted, None),
        RunError::Failure(failure) => match failure {
            Failure::Livelock(stuck) => (Ending::Livelock, Some(stuck.cycle)),
            Failure::Hang(stuck) => (Ending::Hang, Some(stuck.cycle)),
            Failure::OutOfCycles(stuck) => (Ending::Limit, Some(stuck.cycle)),
            Failure::Interrupted(stuck) => (Ending::Interrupted, Some(stuck.cycle)),
            Failure::Mismatch(mismatch) => (Ending::Mismatch, Some(mismatch.cycle)),
            Failure::Protocol(violation) => (Ending::Mismatch, Some(violation.cycle)),
            Failure::Alone(_) | Failure::FinalState(_) | Failure::Cannot { .. } => {
                (Ending::Mismatch, None)
            }
        },
    };
    let mut ran = Ran::cut_short(ending, error.to_string()).counted(tally, threads, cycle);
    let alone = matches!(error, RunError::Failure(Failure::Alone(_)));
    ran.oracle_agrees = alone.then_some(false);
    Ok(ran)
}

/// Which hardware runs the program; `None`: none does. Programs with barriers need a core.
fn unit(job: &Job) -> Result<Option<RunUnit>> {
    let Job {
        args,
        program,
        lines,
    } = job;
    if matches!(args.engine, EngineName::Golden | EngineName::Oracle) {
        return Ok(None);
    }
    let (core, asked) = (&args.core, takes::of_core(args));
    let rust_hdl = args.engine == EngineName::RustHdl
        || args.engine == EngineName::Lockstep && args.dut == Dut::RustHdl;
    let barrier = program::first_barrier(program);
    let unit = match (core.unit, asked) {
        (Some(unit), _) => unit,
        (None, Some(_)) => RunUnit::Core,
        (None, None) if barrier.is_some() => RunUnit::Core,
        (None, None) => RunUnit::Control,
    };
    if unit == RunUnit::Core && rust_hdl {
        let why = match (core.unit, asked, barrier) {
            (None, None, Some((pc, instr))) => {
                let place = lines.place(pc).map(|p| format!(", in {p}"));
                let place = place.unwrap_or_default();
                format!("`{instr}` at {pc:#x}{place} needs weft_core, which ")
            }
            _ => "weft_core ".to_string(),
        };
        bail!("{why}is not there in Rust-HDL's own simulation; take --engine rtl, or lockstep with --dut verilated");
    }
    takes::check_unit(args, unit.name())?;
    if unit == RunUnit::Core {
        ensure!(args.machine.cta_warps != Some(0), "--cta-warps: 1 or more");
    }
    Ok(Some(unit))
}
