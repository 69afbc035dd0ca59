//! Runs a program on an engine and says in one form what came of it.

use crate::cli::{Dut, EngineName, FirstGroup, MachineArgs};
use crate::options::LatencyOption;
use crate::report::{Counters, Ending};
use crate::trace::TraceWriter;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use weft_isa::Program;
use weft_sim::{Config, Memory, PathPolicy, Thread};
use weft_testbench::dut::{DutError, RtlKind};
use weft_testbench::lockstep::{Failure, Observer, Retired};
use weft_testbench::memory::MemoryTiming;
use weft_testbench::report::{RunError, Tally};
use weft_testbench::run::{run_program, Engine, RunConfig};
use weft_testbench::timing::{Latency, Timing};

/// What an engine came to. Memory and registers are there when it got to an end.
pub struct Ran {
    pub ending: Ending,
    /// What is wrong, a line or a few each.
    pub findings: Vec<String>,
    pub counters: Counters,
    pub oracle_agrees: bool,
    pub end: Option<(Memory, Vec<Thread>)>,
}

/// The engine that `--engine` and `--dut` name.
pub fn choose(name: EngineName, dut: Dut) -> Engine {
    match name {
        EngineName::Golden => Engine::Golden,
        EngineName::Oracle => Engine::Oracle,
        EngineName::Rtl => Engine::Rtl(RtlKind::Verilated),
        EngineName::RustHdl => Engine::Rtl(RtlKind::RustHdl),
        EngineName::Lockstep => Engine::Lockstep(kind(dut)),
    }
}

pub fn kind(dut: Dut) -> RtlKind {
    match dut {
        Dut::Verilated => RtlKind::Verilated,
        Dut::RustHdl => RtlKind::RustHdl,
    }
}

/// The machine that the options describe.
pub fn machine(args: &MachineArgs) -> Result<Config> {
    let config = Config {
        warps: args.warps,
        threads: args.threads,
        tokens: args.tokens,
        grid: args.grid,
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
        ..Config::default()
    };
    config
        .validate()
        .context("--warps, --threads, --tokens, --grid, --memory, --stack")?;
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
    path: PathBuf,
    writer: TraceWriter<BufWriter<File>>,
    written: io::Result<()>,
    steps: u64,
    clocked: bool,
}

impl Trace {
    pub fn create(path: &Path, title: &str, warps: usize, engine: Engine) -> Result<Trace> {
        let open = || TraceWriter::new(BufWriter::new(File::create(path)?), title, warps);
        let writer = open().with_context(|| format!("--trace {}", path.display()))?;
        let clocked = !matches!(engine, Engine::Golden);
        Ok(Trace {
            path: path.into(),
            writer,
            written: Ok(()),
            steps: 0,
            clocked,
        })
    }

    fn finish(self, ran: &Ran) -> Result<()> {
        let Trace {
            path,
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
        end().with_context(|| format!("--trace {}", path.display()))
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

/// Runs the program.
///
/// # Errors
/// What keeps it from running at all; everything that goes wrong afterwards is in [`Ran`].
pub fn run(
    program: &Program,
    config: &RunConfig,
    engine: Engine,
    mut trace: Option<Trace>,
) -> Result<Ran> {
    let warps = config.machine.warps;
    let mut tally = Tally::new(warps);
    let result = match &mut trace {
        Some(trace) => run_program(program, config, engine, &mut [&mut tally, trace]),
        None => run_program(program, config, engine, &mut [&mut tally]),
    };
    let ran = match result {
        Ok(report) => {
            let findings = report.faults.iter().map(|f| {
                format!(
                    "fault: warp {}, thread {}, pc {:#x}: {}",
                    f.warp, f.thread, f.pc, f.cause
                )
            });
            let errors = report.barrier_errors.iter();
            let errors = errors.map(|e| format!("barrier error {e}"));
            let findings: Vec<_> = findings.chain(errors).collect();
            let counters = match engine {
                Engine::Oracle => Counters::of_threads(report.stats.total.thread_instructions),
                _ => Counters::of_warps(&report.stats, report.cycles),
            };
            Ran {
                ending: if findings.is_empty() {
                    Ending::Done
                } else {
                    Ending::Fault
                },
                findings,
                counters: Counters {
                    faults: report.faults,
                    ..counters
                },
                oracle_agrees: report.oracle_agrees,
                end: Some((report.memory, report.threads)),
            }
        }
        Err(error) => {
            let ending = ending(error)?;
            let counters = Counters::of_warps(
                &tally.stats(config.machine.threads, &vec![0; warps]),
                ending.2,
            );
            let counters = Counters {
                thread_instructions: None,
                simd_efficiency: None,
                ..counters
            };
            Ran {
                ending: ending.0,
                findings: vec![ending.1],
                counters,
                oracle_agrees: false,
                end: None,
            }
        }
    };
    if let Some(trace) = trace {
        trace.finish(&ran)?;
    }
    Ok(ran)
}

/// Ending, message and cycles of a run that was cut short.
fn ending(error: RunError) -> Result<(Ending, String, Option<u64>)> {
    let text = error.to_string();
    let at = |ending, cycle| Ok((ending, text.clone(), cycle));
    match &error {
        RunError::Config(_) | RunError::Dut(_) | RunError::NoWavefront => Err(refused(error)),
        RunError::GoldenLivelock { .. } => at(Ending::Livelock, None),
        RunError::GoldenLimit(_) | RunError::OracleLimit { .. } => at(Ending::Limit, None),
        RunError::GoldenHung(..) => at(Ending::Hang, None),
        RunError::OracleFault(_) => at(Ending::Fault, None),
        RunError::Failure(failure) => match failure {
            Failure::Livelock(stuck) => at(Ending::Livelock, Some(stuck.cycle)),
            Failure::Hang(stuck) => at(Ending::Hang, Some(stuck.cycle)),
            Failure::OutOfCycles(cycle) => at(Ending::Limit, Some(*cycle)),
            Failure::Mismatch(mismatch) => at(Ending::Mismatch, Some(mismatch.cycle)),
            Failure::Protocol(violation) => at(Ending::Mismatch, Some(violation.cycle)),
            Failure::FinalState(_) => at(Ending::Mismatch, None),
        },
    }
}

/// Why an engine did not start.
pub fn refused(error: RunError) -> anyhow::Error {
    match error {
        RunError::Dut(error) => unavailable(error),
        RunError::Config(error) => error.into(),
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
