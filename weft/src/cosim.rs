//! `weft cosim`: random programs, hardware against model and oracle.

use crate::cli::{CosimArgs, CosimUnit};
use crate::engine;
use crate::progress;
use crate::queue;
use crate::report::write_json;
use crate::sm;
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use std::time::Instant;
use weft_generate::{Design, Unit};
use weft_testbench::bins::Bins;
use weft_testbench::core::cosim::Totals as CoreTotals;
use weft_testbench::cosim::{cosim, CosimFailure, CosimOptions, CosimReport};
use weft_testbench::cross::Bin;
use weft_testbench::dut::available;
use weft_testbench::report::RunError;
use weft_testbench::stop;

#[derive(Serialize)]
struct Report<'a> {
    /// `null`: no program was run to its end.
    equal: Option<bool>,
    /// Somebody has ended it before all programs were run.
    interrupted: bool,
    seconds: f64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    totals: Option<&'a CosimReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<&'a CoreTotals>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

#[derive(Serialize)]
struct Failure {
    seed: u64,
    index: u64,
    error: String,
    setup: String,
    replay: String,
    waves: Option<String>,
    listing: Option<String>,
    minimised: Option<String>,
    passed: u64,
}

/// True when hardware, model and oracle agree on every program.
pub fn run(args: &CosimArgs) -> Result<bool> {
    ensure!(args.programs > 0, "--programs: at least one");
    ensure!(
        args.first.checked_add(args.programs).is_some(),
        "--first, --programs: the numbers of programs end at {}",
        u64::MAX
    );
    crate::heed_signals();
    if args.unit == CosimUnit::Sm {
        return sm::cosim(args);
    }
    if args.unit == CosimUnit::Core {
        return core(args);
    }
    if matches!(
        args.unit,
        CosimUnit::Host | CosimUnit::Tasks | CosimUnit::Gpu
    ) {
        return queue::cosim(args);
    }
    let kind = engine::kind(args.engine);
    available(kind).map_err(engine::unavailable)?;
    for size in &args.sizes {
        Design::of(Unit::Control, *size, false).with_context(|| format!("--sizes {size}"))?;
    }
    let options = CosimOptions {
        kind,
        sizes: args.sizes.clone(),
        first: args.first,
        artefacts: args.output.clone(),
        minimise: if args.no_minimise {
            0
        } else {
            CosimOptions::default().minimise
        },
        ..CosimOptions::default()
    };
    compare(args, &options)
}

fn compare(args: &CosimArgs, options: &CosimOptions) -> Result<bool> {
    let bar = progress::bar(args.programs);
    let start = Instant::now();
    let result = cosim(args.seed, args.programs, options, &mut |report| {
        bar.set_position(report.programs)
    });
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();

    match result {
        Ok(report) => {
            let written = args.json.as_ref().map(|path| {
                let report = Report {
                    equal: (report.programs > 0).then_some(true),
                    interrupted: stop::requested(),
                    seconds,
                    totals: Some(&report),
                    core: None,
                    failure: None,
                };
                write_json(path, &report)
            });
            print(&report, seconds);
            if args.coverage {
                println!("\n{}", report.cover);
            }
            written.transpose()?;
            whole(report.programs, args)
        }
        Err(failure) => {
            if let CosimFailure {
                error: RunError::Dut(_) | RunError::Config(_),
                ..
            } = *failure
            {
                return Err(engine::refused(failure.error));
            }
            eprintln!("{failure}");
            if let Some(path) = &args.json {
                write_json(
                    path,
                    &Report {
                        equal: Some(false),
                        interrupted: false,
                        seconds,
                        totals: None,
                        core: None,
                        failure: Some((*failure).into()),
                    },
                )?;
            }
            Ok(false)
        }
    }
}

/// All that was asked for has been run.
fn whole(programs: u64, args: &CosimArgs) -> Result<bool> {
    ensure!(
        !stop::requested(),
        "interrupted after {programs} of {} programs",
        args.programs
    );
    ensure!(programs > 0, "no program was run");
    Ok(true)
}

/// Random programs on the whole core, on each size in turn.
fn core(args: &CosimArgs) -> Result<bool> {
    use weft_testbench::core::cosim;
    let width = |warps| engine::width(args.dual, args.partitions, warps);
    let given = args.sizes.iter().map(|c| (c.warps, c.threads));
    let mut sizes: Vec<_> = given.collect();
    if sizes.is_empty() {
        // Four warps are a partition at least.
        let partitions = args.partitions.unwrap_or(1);
        sizes = vec![(4 * partitions, 4), (8.max(4 * partitions), 8)];
    }
    for &(warps, threads) in &sizes {
        engine::check_core(warps, threads, width(warps)).context("--sizes")?;
    }
    let mut widths: Vec<_> = sizes.iter().map(|s| width(s.0).name()).collect();
    widths.dedup();
    let bar = progress::bar(args.programs);
    let start = Instant::now();
    let mut totals = CoreTotals::default();
    let mut failure = None;
    for index in args.first..args.first + args.programs {
        let (warps, threads) = sizes[(index % sizes.len() as u64) as usize];
        let size = (warps, threads, width(warps));
        match cosim::cosim(args.seed, index, 1, size, Some(args.output.clone())) {
            Ok(report) => totals.join(&report),
            Err(found) => {
                failure = Some(found);
                break;
            }
        }
        if stop::requested() {
            break;
        }
        bar.set_position(totals.programs);
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let written = args.json.as_ref().map(|path| {
        let text = |path: &std::path::PathBuf| path.display().to_string();
        let report = Report {
            equal: match failure {
                Some(_) => Some(false),
                None => (totals.programs > 0).then_some(true),
            },
            interrupted: stop::requested(),
            seconds,
            totals: None,
            core: Some(&totals),
            failure: failure.as_ref().map(|f| Failure {
                seed: args.seed,
                index: f.index,
                error: f.error.to_string(),
                setup: f.setup.clone(),
                replay: f.replay.clone(),
                waves: f.wave.as_ref().map(text),
                listing: f.listing.as_ref().map(text),
                minimised: None,
                passed: totals.programs,
            }),
        };
        write_json(path, &report)
    });
    if let Some(failure) = failure {
        eprintln!("{failure}");
        written.transpose()?;
        return Ok(false);
    }
    println!(
        "seed {}: {} programs on weft_core ({}), hardware and golden model equal at every instruction",
        args.seed,
        totals.programs,
        widths.join(", ")
    );
    println!(
        "  compared with oracle {} of {} CTAs",
        totals.oracle_compared, totals.ctas
    );
    println!("  cycles               {}", totals.cycles);
    println!("  instructions         {}", totals.issued);
    let (barriers, masks) = (totals.with_barriers, totals.with_masks);
    println!("  programs             {barriers} with barriers, {masks} with masks");
    let policies = totals
        .policies
        .iter()
        .map(|(name, n)| format!("{n} {name}"));
    println!(
        "  policies             {}",
        policies.collect::<Vec<_>>().join(", ")
    );
    println!("  seconds              {seconds:.1}");
    written.transpose()?;
    whole(totals.programs, args)
}

impl From<CosimFailure> for Failure {
    fn from(failure: CosimFailure) -> Failure {
        let text = |path: std::path::PathBuf| path.display().to_string();
        Failure {
            seed: failure.seed,
            index: failure.index,
            error: failure.error.to_string(),
            setup: failure.setup,
            replay: failure.replay,
            waves: failure.waves.map(text),
            listing: failure.listing.map(text),
            minimised: failure.minimised.map(|(path, _)| text(path)),
            passed: failure.passed,
        }
    }
}

fn print(report: &CosimReport, seconds: f64) {
    let CosimReport {
        seed,
        programs,
        cycles,
        warp_instructions,
        ..
    } = report;
    println!(
        "seed {seed}: {programs} programs, hardware and golden model equal at every operation"
    );
    println!("  compared with oracle {}", report.oracle_compared);
    println!("  cycles               {cycles}");
    println!("  instructions         {warp_instructions}");
    println!("  thread instructions  {}", report.thread_instructions);
    println!("  deepest deque        {}", report.deepest_deque);
    let missing = report.cover.missing();
    let bins = weft_testbench::cover::BINS.len();
    let not = if missing.is_empty() {
        String::new()
    } else {
        format!("; not {}", missing.join(", "))
    };
    println!(
        "  situations covered   {} of {bins}{not}",
        bins - missing.len()
    );
    let possible = Bin::all().filter(|b| b.impossible().is_none()).count();
    println!(
        "  token window         {} of {possible} (operation x where its match lay x state x recentered)",
        possible - report.cover.cross.missing().len()
    );
    println!("  seconds              {seconds:.1}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use weft_sim::Mutation;
    use weft_testbench::dut::RtlKind;

    /// A model that departs from the specification stands in for hardware that does.
    #[test]
    fn a_difference_is_a_finding_with_a_way_to_replay_it() {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("r.json");
        let words = ["weft", "cosim", "--seed", "5", "--programs", "50", "--json"];
        let words = words
            .into_iter()
            .map(Into::into)
            .chain([report.clone().into_os_string()]);
        let Command::Cosim(args) = Cli::parse_from(words).command else {
            panic!("not cosim")
        };
        let options = CosimOptions {
            kind: RtlKind::RustHdl,
            sizes: vec![weft_generate::Config::new(4, 4, 4, 2)],
            artefacts: folder.path().into(),
            minimise: 40,
            mutation: Some(Mutation::LargerGroupFirst),
            ..CosimOptions::default()
        };
        assert!(!compare(&args, &options).unwrap());
        let text = std::fs::read_to_string(report).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["equal"], false);
        let failure = &json["failure"];
        assert!(
            failure["error"].as_str().unwrap().contains("differ"),
            "{failure}"
        );
        assert!(
            failure["replay"].as_str().unwrap().contains("--seed 5"),
            "{failure}"
        );
        for file in ["waves", "listing", "minimised"] {
            let path = failure[file].as_str().unwrap();
            assert!(std::fs::metadata(path).unwrap().len() > 100, "{path}");
        }
    }
}
