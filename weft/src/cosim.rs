//! `weft cosim`: random programs, hardware against model and oracle.

use crate::cli::CosimArgs;
use crate::engine;
use crate::progress;
use crate::report::write_json;
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use std::time::Instant;
use weft_generate::{Design, Unit};
use weft_testbench::bins::Bins;
use weft_testbench::cosim::{cosim, CosimFailure, CosimOptions, CosimReport};
use weft_testbench::cross::Bin;
use weft_testbench::dut::available;
use weft_testbench::report::RunError;

#[derive(Serialize)]
struct Report<'a> {
    equal: bool,
    seconds: f64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    totals: Option<&'a CosimReport>,
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
            print(&report, seconds);
            if args.coverage {
                println!("\n{}", report.cover);
            }
            if let Some(path) = &args.json {
                write_json(
                    path,
                    &Report {
                        equal: true,
                        seconds,
                        totals: Some(&report),
                        failure: None,
                    },
                )?;
            }
            Ok(true)
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
                        equal: false,
                        seconds,
                        totals: None,
                        failure: Some((*failure).into()),
                    },
                )?;
            }
            Ok(false)
        }
    }
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
