//! Warps, threads and surroundings that options describe, and why there is no hardware for them.

use crate::cli::{Dut, FirstGroup, MachineArgs, ModeName};
use crate::options::{Extent, LatencyOption};
use anyhow::{anyhow, ensure, Result};
use weft_sim::subvector::Force;
use weft_sim::{Config, ConfigError, PathPolicy};
use weft_testbench::dut::{DutError, RtlKind};
use weft_testbench::grid;
use weft_testbench::lockstep::Failure;
use weft_testbench::memory::MemoryTiming;
use weft_testbench::report::RunError;
use weft_testbench::timing::{Latency, Timing};

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
pub fn of(args: &MachineArgs) -> Result<Config> {
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
    let parts = grid::parts(&config).map_err(blamed)?;
    for part in &parts {
        part.validate().map_err(blamed)?;
    }
    Ok(config)
}

/// Why there is no such machine, behind the option that is to be changed.
pub fn blamed(error: ConfigError) -> anyhow::Error {
    let option = match error {
        ConfigError::Warps(_) => "--warps",
        ConfigError::Threads(_) => "--threads",
        ConfigError::Tokens { .. } => "--tokens",
        ConfigError::Grid { .. } | ConfigError::Part(_) => "--grid",
        ConfigError::Cta(_) => "--cta-warps",
        ConfigError::Memory(_) => "--memory",
        ConfigError::Stack(_) => "--stack",
        ConfigError::Stacks { .. } => "--stack, or --memory",
        ConfigError::Lanes { .. } => "--lanes",
        ConfigError::SharedFrom(_) => "--shared-from",
        // Of the program, or of what no option sets.
        ConfigError::Program { .. }
        | ConfigError::Overlap { .. }
        | ConfigError::Entry(_)
        | ConfigError::Text { .. }
        | ConfigError::MissThreshold(_)
        | ConfigError::Cache(_) => return error.into(),
    };
    anyhow!("{option}: {error}")
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

/// Why an engine did not start.
pub fn refused(error: RunError) -> anyhow::Error {
    match error {
        RunError::Dut(error) => unavailable(error),
        RunError::Config(error) => error.into(),
        RunError::Failure(Failure::Cannot { what, .. }) => {
            anyhow!("{what}; take --unit core, or --engine golden")
        }
        other => other.into(),
    }
}

/// Why a design cannot be simulated; where there are no tools for it, with what needs none.
pub fn unavailable(error: DutError) -> anyhow::Error {
    match error {
        DutError::Unavailable(_) => anyhow!(
            "{error}; `cargo weft doctor` says more. Rust-HDL's own simulation needs none of it: run --engine rust-hdl, \
             run --engine lockstep --dut rust-hdl, cosim --engine rust-hdl"
        ),
        error => error.into(),
    }
}
