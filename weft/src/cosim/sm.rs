//! Random programs on the SM.

use super::record::{Failure, Ranges, Run};
use super::Came;
use crate::cli::CosimArgs;
use crate::{engines, progress};
use anyhow::{anyhow, Result};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Instant;
use weft_testbench::core::Pick;
use weft_testbench::sm::cosim::{cosim, SmFailure, SmTotals};
use weft_testbench::sm::{Shape, SmError};
use weft_testbench::stop;

/// A run for each shape.
pub fn run(args: &CosimArgs, programs: Range<u64>) -> Result<Vec<Came>> {
    let mut came = Vec::new();
    for shape in shapes(args)? {
        if stop::requested() {
            break;
        }
        came.push(of_shape(args, programs.clone(), shape)?);
    }
    Ok(came)
}

fn of_shape(args: &CosimArgs, programs: Range<u64>, shape: Shape) -> Result<Came> {
    let count = programs.end - programs.start;
    let bar = progress::bar(count);
    let start = Instant::now();
    let result = cosim(
        args.seed,
        (programs.start, count),
        shape,
        &mut engines::run_sm,
        Some(&args.output),
        &mut |n| bar.set_position(n),
    );
    bar.finish_and_clear();
    let mut run = Run {
        seconds: start.elapsed().as_secs_f64(),
        ..Run::new("sm", format!("--size {shape}"), args.seed)
    };
    let text = match result {
        Ok(totals) => {
            run.ran = Ranges::of(programs.start..programs.start + totals.programs);
            (run.counts, run.most, run.bins) = numbers(&totals);
            text(&totals, shape, run.seconds, args.coverage)
        }
        Err(failure) => {
            if matches!(failure.error, SmError::Dut(_)) {
                return Err(failure.error.into());
            }
            let text = failure.to_string();
            run.ran = Ranges::of(programs.start..failure.index);
            run.failures = vec![(*failure).into()];
            text
        }
    };
    Ok(Came { run, text })
}

type Numbers = BTreeMap<String, u64>;

/// Counts, the largest, and bins.
fn numbers(totals: &SmTotals) -> (Numbers, Numbers, Numbers) {
    let counts = [
        ("compared with oracle", totals.oracle_compared),
        ("cycles", totals.cycles),
        ("programs with masks", totals.with_masks),
        ("programs with a fault", totals.failed),
    ];
    let policies = Pick::ALL.map(|pick| {
        let programs = totals.policies[usize::from(pick.code())];
        (format!("programs under {}", pick.name()), programs)
    });
    let more = [
        ("overtakings", totals.overtakings),
        ("axi errors", totals.axi_errors),
        ("yields at random", totals.random_yields),
        ("levels", totals.with_levels),
    ];
    let seen = totals.seen.rows_of_table();
    let (most, seen): (Vec<_>, Vec<_>) = seen.into_iter().partition(|(name, _)| is_most(name));
    let bins = seen.into_iter().chain(totals.cache.rows_of_table());
    let words = |(name, n): (&str, u64)| (name.replace('_', " "), n);
    (
        counts.map(words).into(),
        most.into_iter().map(words).collect(),
        bins.chain(more).map(words).chain(policies).collect(),
    )
}

fn is_most(name: &str) -> bool {
    name.starts_with("most_")
}

impl From<SmFailure> for Failure {
    fn from(found: SmFailure) -> Failure {
        let SmFailure {
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

fn text(totals: &SmTotals, shape: Shape, seconds: f64, coverage: bool) -> String {
    let mut text = format!(
        "{shape}: {} programs equal, {} of them to every thread alone; {} CTAs, {} instructions, {} cycles, {seconds:.1} s",
        totals.programs, totals.oracle_compared, totals.seen.ctas, totals.seen.issued, totals.cycles
    );
    if coverage {
        let seen = totals.seen.rows_of_table().into_iter();
        let rows = seen.chain(totals.cache.rows_of_table());
        let more = [
            ("overtakings", totals.overtakings),
            ("axi_errors", totals.axi_errors),
        ];
        for (name, count) in rows.chain(more) {
            let _ = write!(text, "\n  {name:<20} {count:>12}");
        }
    }
    text
}

fn shapes(args: &CosimArgs) -> Result<Vec<Shape>> {
    let Some(size) = &args.size else {
        return Ok(vec![Shape::TINY, Shape::SMALL]);
    };
    let shape = size.parse().map_err(|e| anyhow!("--size {e}"))?;
    Ok(vec![shape])
}
