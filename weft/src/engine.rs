//! Runs a program on an engine and says in one form what came of it.

use crate::check::Check;
use crate::cli::{Dut, EngineName, FirstGroup, MachineArgs, ModeName, PolicyName};
use crate::options::{Extent, LatencyOption};
use crate::outputs::{self, Output};
use crate::profile::Profile;
use crate::report::{CoreCounters, Counters, Ending};
use crate::trace::TraceWriter;
use anyhow::{ensure, Context, Result};
use std::io;
use std::path::{Path, PathBuf};
use weft_isa::Program;
use weft_sim::subvector::Force;
use weft_sim::{Config, Memory, PathPolicy, Thread};
use weft_testbench::dut::{available, DutError, RtlKind};
use weft_testbench::grid;
use weft_testbench::lockstep::{Failure, Observer, Retired};
use weft_testbench::memory::MemoryTiming;
use weft_testbench::report::{FaultReport, RunError, Tally};
use weft_testbench::run::{run_checked, run_program, Engine};
use weft_testbench::run_config::RunConfig;
use weft_testbench::timing::{Latency, Timing};
use weft_testbench::wave_file::WaveFile;

/// What an engine came to. Memory and registers are there when it got to an end.
pub struct Ran {
    pub ending: Ending,
    /// What is wrong, a line or a few each.
    pub findings: Vec<String>,
    /// What is to be said and is no finding.
    pub notes: Vec<String>,
    pub counters: Counters,
    /// `None`: the oracle has not judged.
    pub oracle_agrees: Option<bool>,
    /// On a whole core.
    pub core: Option<CoreCounters>,
    pub end: Option<(Memory, Vec<Thread>)>,
    /// Files that could not be written.
    pub lost: Vec<anyhow::Error>,
}

/// The engine that `--engine` and `--dut` name.
pub fn choose(name: EngineName, dut: Dut) -> Engine {
    match name {
        EngineName::Golden => Engine::Golden,
        EngineName::Oracle => Engine::Oracle,
        EngineName::Rtl => Engine::Rtl(RtlKind::Verilated),
        EngineName::RustHdl => Engine::Rtl(RtlKind::RustHdl),
        EngineName::Lockstep => Engine::Lockstep(kind(dut)),
        EngineName::Sm | EngineName::Gpu => unreachable!("neither SM nor GPU is run here"),
    }
}

pub fn kind(dut: Dut) -> RtlKind {
    match dut {
        Dut::Verilated => RtlKind::Verilated,
        Dut::RustHdl => RtlKind::RustHdl,
    }
}

/// Threads of a grid: each one's registers are kept in memory.
const MOST_THREADS: u64 = 1 << 22;

/// # Errors
/// A grid of more threads than there is room for.
pub fn most_threads(threads: u64) -> Result<()> {
    ensure!(
        threads <= MOST_THREADS,
        "--grid: {threads} threads; up to {MOST_THREADS} are run here"
    );
    Ok(())
}

/// The machine that the options describe.
pub fn machine(args: &MachineArgs) -> Result<Config> {
    most_threads(args.grid.map_or(0, Extent::product))?;
    ensure!(
        args.warps <= weft_sim::config::MAX_WARPS,
        "--warps {}: up to {} warps",
        args.warps,
        weft_sim::config::MAX_WARPS
    );
    let config = Config {
        warps: args.warps,
        threads: args.threads,
        tokens: args.tokens,
        grid: args.grid.map(|g| g.product() as u32),
        memory: args.memory.0,
        stack: args.stack.0,
        yield_every: args.yield_every.0,
        yield_random: args.yield_random.is_some(),
        yield_threshold: args.yield_random.unwrap_or_default(),
        yield_seed: args.yield_seed,
        forced_yield: args.forced_yield.0,
        path: match args.path {
            FirstGroup::Smaller => PathPolicy::SmallerFirst,
            FirstGroup::Taken => PathPolicy::TakenFirst,
            FirstGroup::FallThrough => PathPolicy::FallThroughFirst,
        },
        call_tokens: args.call_tokens,
        cta_warps: args.cta_warps,
        lanes: args.lanes,
        subvector: match args.mode {
            ModeName::Measured => Force::Measured,
            ModeName::Regular => Force::Regular,
            ModeName::SubVector => Force::SubVector,
        },
        shared_from: args.shared_from,
        ..Config::default()
    };
    let parts = grid::parts(&config).context("--grid, --cta-warps")?;
    for part in &parts {
        part.validate().context(
            "--warps, --threads, --tokens, --grid, --memory, --stack, --lanes, --shared-from",
        )?;
    }
    Ok(config)
}

pub fn timing(latency: LatencyOption) -> Timing {
    Timing {
        latency: latency.into(),
        ..Timing::default()
    }
}

pub fn token_timing(latency: LatencyOption) -> MemoryTiming {
    MemoryTiming {
        latency: latency.into(),
        ..MemoryTiming::default()
    }
}

impl From<LatencyOption> for Latency {
    fn from(option: LatencyOption) -> Latency {
        match option {
            LatencyOption::Fixed(n) => Latency::Fixed(n),
            LatencyOption::Random(n) => Latency::Random(n),
        }
    }
}

/// A Chrome trace of what retires.
pub struct Trace {
    name: String,
    writer: TraceWriter<Output>,
    written: io::Result<()>,
    steps: u64,
    clocked: bool,
}

impl Trace {
    pub fn create(path: &Path, title: &str, warps: usize, engine: Engine) -> Result<Trace> {
        let output = Output::create("--trace", path)?;
        let name = output.name.clone();
        let writer = TraceWriter::new(output, title, warps).with_context(|| name.clone())?;
        let clocked = !matches!(engine, Engine::Golden);
        Ok(Trace {
            name,
            writer,
            written: Ok(()),
            steps: 0,
            clocked,
        })
    }

    fn finish(self, ran: &Ran) -> Result<()> {
        let Trace {
            name,
            mut writer,
            written,
            ..
        } = self;
        let end = || {
            written?;
            for (warp, pc, cause) in ran.counters.faults.iter().map(|f| (f.warp, f.pc, &f.cause)) {
                writer.fault(self.steps, warp, pc / 4, cause)?;
            }
            writer.finish()
        };
        let output = end().context(name)?;
        output.finish()
    }
}

impl Observer for Trace {
    fn retired(&mut self, event: &Retired) {
        let time = if self.clocked {
            event.cycle
        } else {
            self.steps
        };
        if self.written.is_ok() {
            self.written = self.writer.record(time, event.record);
        }
        self.steps = time + 1;
    }
}

/// Files of waves and traces are written while a program runs.
#[derive(Default)]
pub struct Written {
    pub trace: Option<Trace>,
    /// Its name for messages.
    pub wave: Option<(String, WaveFile)>,
}

impl Written {
    /// Waves that a file is to have; gives what the simulation has to write to.
    pub fn wave(&mut self, option: &str, path: &Path) -> Result<PathBuf> {
        let name = outputs::named(option, path);
        let wave = WaveFile::create(path).with_context(|| name.clone())?;
        let pipe = wave.pipe();
        self.wave = Some((name, wave));
        Ok(pipe)
    }

    /// What could not be written is an error of the file, and none of the run.
    fn finish(self, ran: &mut Ran) {
        let lost = &mut Vec::new();
        if let Some(trace) = self.trace {
            lost.extend(trace.finish(ran).err());
        }
        if let Some((name, wave)) = self.wave {
            lost.extend(wave.finish().context(name).err());
        }
        ran.lost.append(lost);
    }
}

/// Runs the program.
///
/// # Errors
/// What keeps it from running at all; everything that goes wrong afterwards is in [`Ran`].
pub fn run(
    program: &Program,
    config: &RunConfig,
    engine: Engine,
    mut written: Written,
    check: Option<&mut Check>,
    profile: Option<&mut Profile>,
) -> Result<Ran> {
    let warps = config.machine.warps;
    let mut tally = Tally::new(warps);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut tally];
    observers.extend(
        written
            .trace
            .as_mut()
            .map(|trace| trace as &mut dyn Observer),
    );
    observers.extend(profile.map(|profile| profile as &mut dyn Observer));
    let result = match check {
        Some(check) => run_checked(program, config, &mut observers, check.checker()),
        None => run_program(program, config, engine, &mut observers),
    };
    let mut ran = match result {
        Ok(report) => {
            let counters = match engine {
                Engine::Oracle => Counters::of_threads(report.stats.total.thread_instructions),
                _ => Counters::of_warps(&report.stats, report.cycles),
            };
            let end = Some((report.memory, report.threads));
            let oracle = (report.oracle_agrees, report.oracle_silent);
            Ran::ended(report.faults, report.barrier_errors, counters, oracle, end)
        }
        Err(error) => Ran::cut_short(ending(error)?, &tally, config),
    };
    written.finish(&mut ran);
    Ok(ran)
}

impl Ran {
    fn ended(
        faults: Vec<FaultReport>,
        barrier_errors: Vec<String>,
        counters: Counters,
        (oracle_agrees, silent): (Option<bool>, Option<String>),
        end: Option<(Memory, Vec<Thread>)>,
    ) -> Ran {
        let of_faults = faults.iter().map(|f| {
            format!(
                "fault: warp {}, thread {}, pc {:#x}: {}",
                f.warp, f.thread, f.pc, f.cause
            )
        });
        let errors = barrier_errors.iter();
        let errors = errors.map(|e| format!("barrier error {e}"));
        let findings: Vec<_> = of_faults.chain(errors).collect();
        Ran {
            ending: match findings.is_empty() {
                true => Ending::Done,
                false => Ending::Fault,
            },
            findings,
            notes: silent.into_iter().collect(),
            counters: Counters { faults, ..counters },
            oracle_agrees,
            core: None,
            end,
            lost: Vec::new(),
        }
    }

    fn cut_short(cut: Cut, tally: &Tally, config: &RunConfig) -> Ran {
        let none = vec![0; config.machine.warps];
        let counters = Counters::of_warps(&tally.stats(config.machine.threads, &none), cut.cycle);
        Ran {
            ending: cut.ending,
            findings: vec![cut.finding],
            notes: Vec::new(),
            counters: Counters {
                thread_instructions: None,
                simd_efficiency: None,
                ..counters
            },
            oracle_agrees: cut.oracle_agrees,
            core: None,
            end: None,
            lost: Vec::new(),
        }
    }
}

/// A run that was cut short.
struct Cut {
    ending: Ending,
    finding: String,
    cycle: Option<u64>,
    oracle_agrees: Option<bool>,
}

/// What the watchdog does not know, and how to give it more time.
pub const SUSPECTED: &str = "\n  a program that computes for so long without a store looks the same: --watchdog N waits longer";

/// What a run that was cut short has come to; an error if the engine cannot run the program.
fn ending(error: RunError) -> Result<Cut> {
    let at = |ending, cycle| {
        let mut finding = error.to_string();
        if ending == Ending::Livelock {
            finding.push_str(SUSPECTED);
        }
        if ending == Ending::Limit {
            finding.push_str("\n  --limit N allows more");
        }
        Ok(Cut {
            ending,
            finding,
            cycle,
            oracle_agrees: None,
        })
    };
    match &error {
        RunError::Config(_)
        | RunError::Dut(_)
        | RunError::NoWavefront
        | RunError::Cannot { .. }
        | RunError::Failure(Failure::Cannot { .. }) => Err(refused(error)),
        RunError::GoldenLivelock { .. } => at(Ending::Livelock, None),
        RunError::GoldenLimit(..) | RunError::OracleLimit { .. } => at(Ending::Limit, None),
        RunError::GoldenHung(..) | RunError::OracleHung(_) => at(Ending::Hang, None),
        RunError::OracleFault(_) => at(Ending::Fault, None),
        RunError::Interrupted(_) => at(Ending::Interrupted, None),
        RunError::Failure(failure) => match failure {
            Failure::Livelock(stuck) => at(Ending::Livelock, Some(stuck.cycle)),
            Failure::Hang(stuck) => at(Ending::Hang, Some(stuck.cycle)),
            Failure::OutOfCycles(stuck) => at(Ending::Limit, Some(stuck.cycle)),
            Failure::Interrupted(stuck) => at(Ending::Interrupted, Some(stuck.cycle)),
            Failure::Mismatch(mismatch) => at(Ending::Mismatch, Some(mismatch.cycle)),
            Failure::Protocol(violation) => at(Ending::Mismatch, Some(violation.cycle)),
            Failure::Alone(_) => Ok(Cut {
                oracle_agrees: Some(false),
                ..at(Ending::Mismatch, None)?
            }),
            Failure::FinalState(_) | Failure::Cannot { .. } => at(Ending::Mismatch, None),
        },
    }
}

/// What a whole core is asked for beyond a [`RunConfig`].
#[derive(Clone, Copy, Debug)]
pub struct CoreRequest {
    pub policy: PolicyName,
    pub dual: bool,
    /// `None`: one for each 16 warps.
    pub partitions: Option<usize>,
    pub level: u8,
    pub level_mix: u8,
    /// Cycles from issue to resolve.
    pub resolve: LatencyOption,
    /// Compared with the golden model at every instruction.
    pub lockstep: bool,
}

mod core {
    use super::*;
    use weft_generate::design::usual_partitions;
    use weft_testbench::core::run::{design, run_observed};
    use weft_testbench::core::{CoreError, CoreOptions, CoreReport, Width};

    /// Of a core with so many warps.
    pub fn width(dual: bool, partitions: Option<usize>, warps: usize) -> Width {
        match (partitions.unwrap_or(usual_partitions(warps)), dual) {
            (0 | 1, false) => Width::Single,
            (0 | 1, true) => Width::Dual,
            (2, false) => Width::Two,
            (2, true) => Width::TwoDual,
            (_, false) => Width::Four,
            (_, true) => Width::FourDual,
        }
    }

    /// Whether there is such a core, and it can be simulated here.
    pub fn check(warps: usize, threads: usize, width: Width) -> Result<()> {
        design(warps, threads, width).with_context(|| format!("weft_core {warps}x{threads}"))?;
        available(RtlKind::Verilated).map_err(unavailable)
    }

    pub fn run(
        program: &Program,
        config: &RunConfig,
        request: &CoreRequest,
        mut written: Written,
    ) -> Result<Ran> {
        let machine = &config.machine;
        let (warps, threads) = (machine.warps, machine.threads);
        let width = width(request.dual, request.partitions, warps);
        check(warps, threads, width)?;
        let cta = machine.cta_warps.unwrap_or(warps);
        anyhow::ensure!(cta <= warps, "--cta-warps: the core has {warps} warps");
        let options = CoreOptions {
            width,
            policy: request.policy.pick(),
            resolve: request.resolve.into(),
            level_mix: request.level_mix,
            seed: config.seed,
            lockstep: request.lockstep,
            ..CoreOptions::default()
        };
        let grid = machine.grid_size();
        let options = options.with_grid(grid, (cta * threads) as u32, request.level);
        let mut tally = Tally::new(warps);
        let observers: Vec<&mut dyn Observer> = match &mut written.trace {
            Some(trace) => vec![&mut tally, trace],
            None => vec![&mut tally],
        };
        let result = run_observed(program, config, &options, observers);
        let mut ran = match result {
            Ok(report) => ended(report, &tally, threads),
            Err(error) => Ran::cut_short(ending(error)?, &tally, config),
        };
        written.finish(&mut ran);
        Ok(ran)
    }

    fn ended(report: CoreReport, tally: &Tally, threads: usize) -> Ran {
        let stats = tally.stats(threads, &report.by_slot);
        let counters = Counters::of_warps(&stats, Some(report.cycles));
        let faults = report.ctas.iter().flat_map(|c| c.faults.clone()).collect();
        let errors = match report.happened.barrier_errors {
            0 => Vec::new(),
            n => vec![format!("at {n} operations; the golden engine says which")],
        };
        let oracle = (report.oracle_agrees, report.oracle_silent.clone());
        let registers = report.ctas.iter().flat_map(|c| c.threads.clone()).collect();
        let end = report.memory.clone().map(|memory| (memory, registers));
        let core = CoreCounters {
            unit: report.width,
            policy: report.policy.name(),
            ctas: report.ctas.len(),
            issued: report.issued,
            ipc: report.ipc,
            dual_cycles: report.dual_cycles,
            reasons: Counters::reasons(&report.counters.reasons),
            sleeps: report.happened.sleeps,
            barriers: report.happened.barriers,
            turns: report.happened.turns,
        };
        Ran {
            core: Some(core),
            ..Ran::ended(faults, errors, counters, oracle, end)
        }
    }

    fn ending(error: CoreError) -> Result<Cut> {
        let cycle = Some(error.cycle());
        let (ending, oracle_agrees) = match &error {
            CoreError::Config(_) | CoreError::Dut(_) => return Err(error.into()),
            CoreError::Alone(_) => (Ending::Mismatch, Some(false)),
            CoreError::Mismatch { .. } | CoreError::Rule { .. } | CoreError::FinalState(_) => {
                (Ending::Mismatch, None)
            }
            CoreError::Hang { .. } => (Ending::Hang, None),
            CoreError::Livelock { .. } => (Ending::Livelock, None),
            CoreError::OutOfCycles(..) => (Ending::Limit, None),
            CoreError::Interrupted(..) => (Ending::Interrupted, None),
        };
        let mut finding = error.to_string();
        match ending {
            Ending::Livelock => finding.push_str(SUSPECTED),
            Ending::Limit => finding.push_str("\n  --limit N allows more"),
            _ => {}
        }
        Ok(Cut {
            ending,
            finding,
            cycle,
            oracle_agrees,
        })
    }
}

pub use core::{check as check_core, run as run_core, width};

/// Why an engine did not start.
pub fn refused(error: RunError) -> anyhow::Error {
    match error {
        RunError::Dut(error) => unavailable(error),
        RunError::Config(error) => error.into(),
        RunError::Failure(Failure::Cannot { what, .. }) => {
            anyhow::anyhow!("{what}; take --unit core, or --engine golden")
        }
        other => other.into(),
    }
}

/// Why a design cannot be simulated; where there are no tools for it, with what needs none.
pub fn unavailable(error: DutError) -> anyhow::Error {
    match error {
        DutError::Unavailable(_) => anyhow::anyhow!(
            "{error}; `cargo weft doctor` says more. Rust-HDL's own simulation needs none of it: run --engine rust-hdl, \
             run --engine lockstep --dut rust-hdl, cosim --engine rust-hdl"
        ),
        error => error.into(),
    }
}
