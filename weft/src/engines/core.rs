//! `weft run` on `weft_core`: CTAs, scheduler, barriers and convergence in hardware, with a datapath around them.

use super::machine::unavailable;
use super::written::Written;
use super::{map, Job, Ran};
use crate::cli::{EngineName, PolicyName};
use crate::report::{CoreCounters, Counters, Ending};
use anyhow::{ensure, Context, Result};
use serde_json::json;
use weft_generate::design::usual_partitions;
use weft_testbench::core::run::{design, run_observed};
use weft_testbench::core::{CoreError, CoreOptions, CoreReport, Width};
use weft_testbench::dut::{available, RtlKind};
use weft_testbench::lockstep::Observer;
use weft_testbench::report::Tally;
use weft_testbench::run_config::RunConfig;

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

pub fn run(job: &Job, config: &RunConfig, mut written: Written) -> Result<Ran> {
    let (asked, machine) = (&job.args.core, &config.machine);
    let (warps, threads) = (machine.warps, machine.threads);
    let width = width(asked.dual, asked.partitions, warps);
    check(warps, threads, width)?;
    let cta = machine.cta_warps.unwrap_or(warps);
    ensure!(cta <= warps, "--cta-warps: the core has {warps} warps");
    let options = CoreOptions {
        width,
        policy: asked.policy.unwrap_or(PolicyName::Age).pick(),
        resolve: job.args.latency.into(),
        level_mix: asked.level_mix.unwrap_or(0),
        seed: config.seed,
        lockstep: job.args.engine == EngineName::Lockstep,
        ..CoreOptions::default()
    };
    let level = asked.level.unwrap_or(0);
    let options = options.with_grid(machine.grid_size(), (cta * threads) as u32, level);
    let mut tally = Tally::new(warps);
    let observers: Vec<&mut dyn Observer> = match &mut written.trace {
        Some(trace) => vec![&mut tally, trace],
        None => vec![&mut tally],
    };
    let mut ran = match run_observed(&job.program, config, &options, observers) {
        Ok(report) => ended(report, &tally, threads),
        Err(error) => cut_short(error, &tally, threads)?,
    };
    ran.lost = written.finish(&ran.counters);
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
    let mut ran = Ran::of_warps(faults, errors, counters);
    ran.lines.extend(core.lines());
    ran.fields = map(json!({ "core": core }));
    ran.notes = report.oracle_silent.into_iter().collect();
    ran.oracle_agrees = report.oracle_agrees;
    ran.memory = report.memory;
    ran
}

/// An error if the core cannot run the program.
fn cut_short(error: CoreError, tally: &Tally, threads: usize) -> Result<Ran> {
    let ending = match &error {
        CoreError::Config(_) | CoreError::Dut(_) => return Err(error.into()),
        CoreError::Alone(_)
        | CoreError::Mismatch { .. }
        | CoreError::Rule { .. }
        | CoreError::FinalState(_) => Ending::Mismatch,
        CoreError::Hang { .. } => Ending::Hang,
        CoreError::Livelock { .. } => Ending::Livelock,
        CoreError::OutOfCycles(..) => Ending::Limit,
        CoreError::Interrupted(..) => Ending::Interrupted,
    };
    let cycle = Some(error.cycle());
    let mut ran = Ran::cut_short(ending, error.to_string()).counted(tally, threads, cycle);
    ran.oracle_agrees = matches!(error, CoreError::Alone(_)).then_some(false);
    Ok(ran)
}
