//! `weft cosim merge`: parts of campaigns become whole ones, in which each program counts once.

use super::page;
use super::record::{Campaign, Ranges, Run};
use crate::cli::MergeArgs;
use crate::outputs;
use crate::report::write_json;
use anyhow::{bail, ensure, Context, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// True when each program of each campaign was run, and was equal.
pub fn run(args: &MergeArgs) -> Result<bool> {
    let written = [
        ("--json", args.json.as_deref()),
        ("--page", args.page.as_deref()),
    ];
    let read: Vec<_> = args.files.iter().map(|file| ("", file.as_path())).collect();
    outputs::distinct(&written, &read)?;
    let mut parts = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        for run in read_file(file).with_context(|| name.clone())?.runs {
            parts.push((name.clone(), run));
        }
    }
    let merged = merge(parts)?;
    for line in &merged.notes {
        eprintln!("{line}");
    }
    let campaign = Campaign::of(merged.runs, false);
    if let Some(path) = &args.json {
        write_json(path, &campaign)?;
    }
    if let Some(path) = &args.page {
        outputs::write("--page", path, page::page(&campaign)?)?;
    }
    let mut missing = Vec::new();
    for run in &campaign.runs {
        println!("{}", line(run));
        for failure in &run.failures {
            eprintln!(
                "{}, program {}: {}\n  replay: {}",
                run.name(),
                failure.index,
                failure.error,
                failure.replay
            );
        }
        let left = run.whole.without(&run.ran);
        if !left.is_empty() {
            missing.push(format!("{}: programs {left} were not run", run.name()));
        }
    }
    if campaign.equal == Some(false) {
        missing.iter().for_each(|line| eprintln!("{line}"));
        return Ok(false);
    }
    ensure!(missing.is_empty(), "{}", missing.join("\n"));
    ensure!(campaign.equal.is_some(), "no program was run");
    Ok(true)
}

fn read_file(file: &Path) -> Result<Campaign> {
    let text = weft_isa::files::read_text(file)?;
    serde_json::from_str(&text).context("no report of `weft cosim`")
}

fn line(run: &Run) -> String {
    let never = run.never();
    let situations = match run.bins.len() {
        0 => String::new(),
        all => format!(", {} of {all} situations", all - never.len()),
    };
    format!(
        "{}: {} of {} programs equal, {} not{situations}, {:.1} s, {}",
        run.name(),
        run.ran.count(),
        run.whole.count(),
        run.failures.len(),
        run.seconds,
        run.commit
    )
}

struct Merged {
    /// By name and commit.
    runs: Vec<Run>,
    notes: Vec<String>,
}

/// Parts with the files that they come from.
fn merge(parts: Vec<(String, Run)>) -> Result<Merged> {
    let mut notes = Vec::new();
    // What was taken of each campaign, and from which file.
    let mut campaigns: BTreeMap<(String, String), Vec<(String, Run)>> = BTreeMap::new();
    for (file, part) in parts {
        let taken = campaigns
            .entry((part.name(), part.commit.clone()))
            .or_default();
        let known = taken.iter().find(|(_, other)| meets(other, &part));
        match known {
            None => taken.push((file, part)),
            Some((first, other)) if same(other, &part) => {
                notes.push(format!("{file}: the same as {first}, and counted once"));
            }
            Some((first, other)) if other.ran == part.ran => bail!(
                "{first} and {file} have the same programs of {} and not the same of what they came to: the runs do not \
                 repeat each other",
                part.name()
            ),
            Some((first, other)) => bail!(
                "{first} and {file} overlap in programs {} of {}: each counts once",
                all(other).common(&all(&part)),
                part.name()
            ),
        }
    }
    let commits: Vec<_> = campaigns
        .keys()
        .map(|(_, commit)| commit.as_str())
        .collect();
    if let Some(other) = commits.iter().find(|commit| **commit != commits[0]) {
        notes.push(format!("of several commits: {}, {other}", commits[0]));
    }
    let runs = campaigns.into_values().map(join).collect();
    Ok(Merged { runs, notes })
}

/// All programs that a part says something of.
fn all(run: &Run) -> Ranges {
    let mut all = run.ran.clone();
    for failure in &run.failures {
        all.join(&Ranges::of(failure.index..failure.index + 1));
    }
    all
}

/// Both say something of some program, or both nothing of any.
fn meets(a: &Run, b: &Run) -> bool {
    let (a, b) = (all(a), all(b));
    !a.common(&b).is_empty() || a.is_empty() && b.is_empty()
}

/// But for the time, and for where its files are.
fn same(a: &Run, b: &Run) -> bool {
    let timeless = |run: &Run| {
        let mut run = run.clone();
        run.seconds = 0.0;
        run.whole = Ranges::default();
        for failure in &mut run.failures {
            (failure.waves, failure.listing, failure.minimised) = (None, None, None);
        }
        run
    };
    timeless(a) == timeless(b)
}

fn join(parts: Vec<(String, Run)>) -> Run {
    let mut whole = Run::default();
    for (n, (_, part)) in parts.into_iter().enumerate() {
        if n == 0 {
            whole = part;
            continue;
        }
        whole.whole.join(&part.whole);
        whole.ran.join(&part.ran);
        whole.seconds += part.seconds;
        let sums = [
            (&mut whole.counts, part.counts),
            (&mut whole.bins, part.bins),
        ];
        for (sum, more) in sums {
            more.into_iter()
                .for_each(|(name, n)| *sum.entry(name).or_default() += n);
        }
        for (name, n) in part.most {
            let most = whole.most.entry(name).or_default();
            *most = n.max(*most);
        }
        whole.failures.extend(part.failures);
    }
    whole.failures.sort_by_key(|failure| failure.index);
    whole
}

#[cfg(test)]
mod tests {
    use super::super::record::Failure;
    use super::*;
    use std::ops::Range;

    fn part(ran: Range<u64>, bin: u64) -> Run {
        Run {
            unit: "tasks".into(),
            seed: 7,
            whole: Ranges::of(0..10),
            ran: Ranges::of(ran.clone()),
            seconds: 1.0,
            counts: BTreeMap::from([("cycles".into(), 100 * (ran.end - ran.start))]),
            most: BTreeMap::from([("deepest".into(), ran.end)]),
            bins: BTreeMap::from([("error".into(), bin), ("never".into(), 0)]),
            ..Run::default()
        }
    }

    fn merged(parts: &[Run]) -> Result<Merged> {
        let named = parts.iter().enumerate();
        merge(
            named
                .map(|(n, run)| (format!("{n}.json"), run.clone()))
                .collect(),
        )
    }

    #[test]
    fn parts_in_any_order_are_the_whole() {
        let whole = Run {
            seconds: 3.0,
            ..part(0..10, 6)
        };
        let parts = [part(4..7, 1), part(0..4, 2), part(7..10, 3)];
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let merged = merged(&order.map(|n| parts[n].clone())).unwrap();
            assert_eq!(merged.runs, std::slice::from_ref(&whole));
            assert!(merged.notes.is_empty());
        }
        // Of merged parts the whole comes out as well.
        let two = merged(&parts[..2]).unwrap().runs.remove(0);
        assert_eq!(two.whole.without(&two.ran).to_string(), "7 to 9");
        assert_eq!(merged(&[two, parts[2].clone()]).unwrap().runs, [whole]);
    }

    #[test]
    fn a_program_counts_once() {
        let again = Run {
            seconds: 9.0,
            ..part(0..4, 2)
        };
        let merged_twice = merged(&[part(0..4, 2), again]).unwrap();
        assert_eq!(merged_twice.runs, [part(0..4, 2)]);
        assert!(merged_twice.notes[0].contains("counted once"));
        let error = |parts: &[Run]| merged(parts).err().unwrap().to_string();
        let overlap = error(&[part(0..4, 2), part(3..6, 1)]);
        assert!(overlap.contains("programs 3 of tasks, seed 7"), "{overlap}");
        let other = error(&[part(0..4, 2), part(0..4, 1)]);
        assert!(other.contains("do not repeat"), "{other}");
    }

    #[test]
    fn other_seeds_settings_and_commits_are_other_campaigns() {
        let seed = Run {
            seed: 8,
            ..part(0..4, 2)
        };
        let settings = Run {
            settings: "--size 4x4".into(),
            ..part(0..4, 2)
        };
        let commit = Run {
            commit: "abc".into(),
            ..part(0..4, 2)
        };
        let merged = merged(&[part(0..4, 2), seed, settings, commit]).unwrap();
        assert_eq!(merged.runs.len(), 4);
        assert!(merged.notes[0].contains("several commits"));
    }

    #[test]
    fn a_failure_is_kept_and_its_program_is_missing() {
        let failed = Run {
            failures: vec![Failure {
                index: 6,
                ..Failure::default()
            }],
            ..part(4..6, 0)
        };
        let run = merged(&[failed.clone(), part(0..4, 2)])
            .unwrap()
            .runs
            .remove(0);
        assert_eq!(run.failures.len(), 1);
        assert_eq!(run.whole.without(&run.ran).to_string(), "6 to 9");
        assert!(merged(&[failed, part(6..8, 0)]).is_err());
    }
}
