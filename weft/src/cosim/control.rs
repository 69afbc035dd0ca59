//! Random programs on the convergence unit.

use super::record::{Failure, Ranges, Run};
use super::Came;
use crate::cli::CosimArgs;
use crate::engines::machine;
use crate::progress;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Instant;
use weft_generate::{Design, Unit};
use weft_testbench::bins::Bins;
use weft_testbench::cosim::{cosim, CosimFailure, CosimOptions, CosimReport};
use weft_testbench::cover::{Cover, BINS};
use weft_testbench::cross::Bin;
use weft_testbench::dut::available;
use weft_testbench::report::RunError;

pub fn run(args: &CosimArgs, programs: Range<u64>) -> Result<Came> {
    let kind = machine::kind(args.engine);
    available(kind).map_err(machine::unavailable)?;
    for size in &args.sizes {
        Design::of(Unit::Control, *size, false).with_context(|| format!("--sizes {size}"))?;
    }
    let options = CosimOptions {
        kind,
        sizes: args.sizes.clone(),
        first: programs.start,
        artefacts: args.output.clone(),
        minimise: if args.no_minimise {
            0
        } else {
            CosimOptions::default().minimise
        },
        ..CosimOptions::default()
    };
    compare(args, &options, programs)
}

fn compare(args: &CosimArgs, options: &CosimOptions, programs: Range<u64>) -> Result<Came> {
    let count = programs.end - programs.start;
    let bar = progress::bar(count);
    let start = Instant::now();
    let result = cosim(args.seed, count, options, &mut |report| {
        bar.set_position(report.programs)
    });
    bar.finish_and_clear();
    let mut settings = vec![format!("--engine {}", options.kind.name())];
    if !options.sizes.is_empty() {
        let sizes: Vec<_> = options.sizes.iter().map(ToString::to_string).collect();
        settings.push(format!("--sizes {}", sizes.join(",")));
    }
    let mut run = Run {
        seconds: start.elapsed().as_secs_f64(),
        ..Run::new("control", settings.join(" "), args.seed)
    };
    let first = programs.start;
    match result {
        Ok(report) => {
            run.ran = Ranges::of(first..first + report.programs);
            run.counts = counts(&report);
            run.most = BTreeMap::from([("deepest deque".into(), report.deepest_deque as u64)]);
            run.bins = bins(&report.cover);
            let mut text = text(&report, run.seconds);
            if args.coverage {
                let _ = write!(text, "\n\n{}", report.cover);
            }
            Ok(Came { run, text })
        }
        Err(failure) => {
            if let CosimFailure {
                error: RunError::Dut(_) | RunError::Config(_),
                ..
            } = *failure
            {
                return Err(machine::refused(failure.error));
            }
            let text = failure.to_string();
            run.ran = Ranges::of(first..first + failure.passed);
            run.failures = vec![(*failure).into()];
            Ok(Came { run, text })
        }
    }
}

fn counts(report: &CosimReport) -> BTreeMap<String, u64> {
    let counts = [
        ("cycles", report.cycles),
        ("instructions", report.warp_instructions),
        ("thread instructions", report.thread_instructions),
        ("compared with oracle", report.oracle_compared),
        ("recenterings", report.recentered),
    ];
    counts.map(|(name, count)| (name.into(), count)).into()
}

/// Situations, and what is possible of the tables of the token window and of masks.
fn bins(cover: &Cover) -> BTreeMap<String, u64> {
    let mut bins: BTreeMap<_, _> = BINS
        .iter()
        .map(|b| (b.to_string(), cover.count(b)))
        .collect();
    let of_window = Bin::all().filter(|bin| bin.impossible().is_none());
    bins.extend(of_window.map(|bin| (format!("window: {bin}"), cover.cross.count(bin))));
    let of_masks = weft_testbench::mask_cross::Bin::all();
    let of_masks = of_masks.filter(|bin| bin.impossible().is_none());
    bins.extend(of_masks.map(|bin| (format!("mask: {bin}"), cover.masks.count(bin))));
    bins
}

impl From<CosimFailure> for Failure {
    fn from(found: CosimFailure) -> Failure {
        let minimised = found.minimised.map(|(path, _)| path.display().to_string());
        let failure = Failure::new(found.index, &found.error, found.setup, found.replay);
        Failure {
            minimised,
            ..failure.with_files(found.waves, found.listing)
        }
    }
}

fn text(report: &CosimReport, seconds: f64) -> String {
    let missing = report.cover.missing();
    let bins = BINS.len();
    let not = if missing.is_empty() {
        String::new()
    } else {
        format!("; not {}", missing.join(", "))
    };
    let possible = Bin::all().filter(|b| b.impossible().is_none()).count();
    let lines = [
        format!(
            "seed {}: {} programs, hardware and golden model equal at every operation",
            report.seed, report.programs
        ),
        format!("compared with oracle {}", report.oracle_compared),
        format!("cycles               {}", report.cycles),
        format!("instructions         {}", report.warp_instructions),
        format!("thread instructions  {}", report.thread_instructions),
        format!("deepest deque        {}", report.deepest_deque),
        format!(
            "situations covered   {} of {bins}{not}",
            bins - missing.len()
        ),
        format!(
            "token window         {} of {possible} (operation x where its match lay x state x recentered)",
            possible - report.cover.cross.missing().len()
        ),
        format!("seconds              {seconds:.1}"),
    ];
    lines.join("\n  ")
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
            minimise: 10,
            mutation: Some(Mutation::LargerGroupFirst),
            ..CosimOptions::default()
        };
        let came = compare(&args, &options, 0..50).unwrap();
        let seed = came.run.seed;
        let passed = came.run.ran.count();
        assert!(!super::super::report(&args, 0..50, &(0..50), vec![came]).unwrap());
        let text = std::fs::read_to_string(report).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["equal"], false);
        assert_eq!((seed, &json["programs"]), (5, &passed.into()));
        let failure = &json["runs"][0]["failures"][0];
        assert_eq!(failure["index"], passed);
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
