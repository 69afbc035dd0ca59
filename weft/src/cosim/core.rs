//! Random programs on the whole core, on each size in turn.

use super::record::{Failure, Ranges, Run};
use super::Came;
use crate::cli::CosimArgs;
use crate::{engines, progress};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;
use weft_testbench::core::cosim::{cosim, CoreFailure, Totals};
use weft_testbench::stop;

pub fn run(args: &CosimArgs, programs: Range<u64>) -> Result<Came> {
    let width = |warps| engines::width(args.dual, args.partitions, warps);
    let given = args.sizes.iter().map(|c| (c.warps, c.threads));
    let mut sizes: Vec<_> = given.collect();
    if sizes.is_empty() {
        // Four warps are a partition at least.
        let partitions = args.partitions.unwrap_or(1);
        sizes = vec![(4 * partitions, 4), (8.max(4 * partitions), 8)];
    }
    for &(warps, threads) in &sizes {
        engines::check_core(warps, threads, width(warps)).context("--sizes")?;
    }
    let mut widths: Vec<_> = sizes.iter().map(|s| width(s.0).name()).collect();
    widths.dedup();
    let bar = progress::bar(programs.end - programs.start);
    let start = Instant::now();
    let mut totals = Totals::default();
    let mut failure = None;
    for index in programs.clone() {
        let (warps, threads) = sizes[(index % sizes.len() as u64) as usize];
        let size = (warps, threads, width(warps));
        match cosim(args.seed, index, 1, size, Some(args.output.clone())) {
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
    let mut settings: Vec<_> = sizes.iter().map(|(w, t)| format!("{w}x{t}")).collect();
    settings = vec![format!("--sizes {}", settings.join(","))];
    settings.extend(args.dual.then(|| "--dual".into()));
    settings.extend(args.partitions.map(|n| format!("--partitions {n}")));
    let mut run = Run {
        ran: Ranges::of(programs.start..programs.start + totals.programs),
        seconds: start.elapsed().as_secs_f64(),
        counts: counts(&totals),
        bins: bins(&totals),
        ..Run::new("core", settings.join(" "), args.seed)
    };
    let text = match &failure {
        Some(failure) => failure.to_string(),
        None => text(&totals, args.seed, &widths, run.seconds),
    };
    run.failures = failure
        .map(|failure| (*failure).into())
        .into_iter()
        .collect();
    Ok(Came { run, text })
}

fn counts(totals: &Totals) -> BTreeMap<String, u64> {
    let counts = [
        ("CTAs", totals.ctas),
        ("cycles", totals.cycles),
        ("instructions", totals.issued),
        ("CTAs compared with oracle", totals.oracle_compared),
        ("programs with barriers", totals.with_barriers),
        ("programs with masks", totals.with_masks),
    ];
    let policies = totals.policies.iter();
    let policies = policies.map(|(name, n)| (format!("programs under {name}"), *n));
    let counts = counts.map(|(name, count)| (name.to_string(), count));
    counts.into_iter().chain(policies).collect()
}

/// What has happened, under the names that it has there.
fn bins(totals: &Totals) -> BTreeMap<String, u64> {
    let bins = serde_json::to_value(&totals.happened);
    let bins = bins.and_then(serde_json::from_value::<BTreeMap<String, u64>>);
    let bins = bins.expect("a number for each name");
    let words = |name: String| name.replace('_', " ");
    bins.into_iter().map(|(name, n)| (words(name), n)).collect()
}

impl From<CoreFailure> for Failure {
    fn from(found: CoreFailure) -> Failure {
        let CoreFailure {
            index,
            error,
            setup,
            replay,
            listing,
            wave,
        } = found;
        Failure::new(index, &error, setup, replay).with_files(wave, listing)
    }
}

fn text(totals: &Totals, seed: u64, widths: &[&str], seconds: f64) -> String {
    let policies = totals.policies.iter();
    let policies: Vec<_> = policies.map(|(name, n)| format!("{n} {name}")).collect();
    let lines = [
        format!(
            "seed {seed}: {} programs on weft_core ({}), hardware and golden model equal at every instruction",
            totals.programs,
            widths.join(", ")
        ),
        format!(
            "compared with oracle {} of {} CTAs",
            totals.oracle_compared, totals.ctas
        ),
        format!("cycles               {}", totals.cycles),
        format!("instructions         {}", totals.issued),
        format!(
            "programs             {} with barriers, {} with masks",
            totals.with_barriers, totals.with_masks
        ),
        format!("policies             {}", policies.join(", ")),
        format!("seconds              {seconds:.1}"),
    ];
    lines.join("\n  ")
}
