//! `docs/mutation.md`: the latest score of each unit, and what has survived; this program reads and writes it.

use crate::campaign::{Fate, Judged, Report};
use crate::rule::Rule;
use crate::units;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

pub const PAGE: &str = "docs/mutation.md";

const HEAD: &str = "\
# What the checks notice of mutants

Written by `cargo xtask mutate UNIT`, which alters the exported Verilog by rule, one statement at a time, and runs random
lockstep on each mutant for so many seconds, then the written tests that open the same design, until one of them notices.
Blocks that are units of their own are altered in those: `core` is without scheduler, barrier and convergence unit, `sm`
without its core, `gpu` without its SM.
The score is of mutants that are not marked as doing the same (`testbench/mutants/`, each with its reason).
*Never different*: no run has come to where the altered value differs from what it was, so it is the stimulus that is
missing; of all others, nothing looks at what they change, or they do the same.

| unit | design | date | seed | mutants of | seconds for each | equivalent | noticed | by lockstep | by written tests | survive | never different | score |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

/// What stands on the page about one unit: its row, and its part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    row: String,
    text: String,
}

/// Puts the report in place of what the page says of the unit.
///
/// # Errors
/// The page cannot be read or written.
pub fn write(root: &Path, report: &Report, date: &str) -> Result<()> {
    let path = root.join(PAGE);
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    // Readers see the old page or the new one.
    let new = path.with_extension("md.new");
    std::fs::write(&new, with(&old, report, date))
        .and_then(|()| std::fs::rename(&new, &path))
        .with_context(|| path.display().to_string())
}

fn with(old: &str, report: &Report, date: &str) -> String {
    let mut parts = read(old);
    let (row, text) = (row(report, date), part(report));
    parts.insert(report.unit.into(), Part { row, text });
    let order = units::ALL
        .into_iter()
        .filter_map(|unit| parts.get(unit.name));
    let parts: Vec<_> = order.collect();
    let rows: String = parts.iter().map(|part| part.row.clone()).collect();
    let texts: String = parts
        .iter()
        .map(|part| format!("\n{}", part.text))
        .collect();
    format!("{HEAD}{rows}{texts}")
}

/// By unit.
fn read(page: &str) -> BTreeMap<String, Part> {
    let mut parts: BTreeMap<String, Part> = BTreeMap::new();
    let mut of: Option<String> = None;
    for line in page.lines() {
        if let Some(unit) = line.strip_prefix("## `").and_then(|l| l.strip_suffix('`')) {
            of = Some(unit.into());
        }
        let row = line.strip_prefix("| `").and_then(|l| l.split_once('`'));
        match (&of, row) {
            (Some(unit), _) => parts.entry(unit.clone()).or_default().text += &format!("{line}\n"),
            (None, Some((unit, _))) => {
                parts.entry(unit.into()).or_default().row = format!("{line}\n")
            }
            (None, None) => {}
        }
    }
    for part in parts.values_mut() {
        part.text = format!("{}\n", part.text.trim_end());
    }
    parts
}

/// How many have this fate.
fn count(report: &Report, is: impl Fn(&Fate) -> bool) -> usize {
    report.mutants.iter().filter(|m| is(&m.fate)).count()
}

fn row(report: &Report, date: &str) -> String {
    let equivalent = count(report, |f| matches!(f, Fate::Equivalent { .. }));
    let noticed = count(report, |f| matches!(f, Fate::Noticed { .. }));
    let lockstep = count(
        report,
        |f| matches!(f, Fate::Noticed { by, .. } if by == "lockstep"),
    );
    let survive = count(report, |f| matches!(f, Fate::Survived { .. }));
    let never = count(report, |f| matches!(f, Fate::Survived { different: false }));
    let cells = [
        format!("`{}`", report.unit),
        report.design.clone(),
        date.into(),
        report.seed.to_string(),
        format!("{} of {}", report.mutants.len(), report.possible),
        report.budget.to_string(),
        equivalent.to_string(),
        noticed.to_string(),
        lockstep.to_string(),
        match report.tests {
            0 => "not run".into(),
            _ => (noticed - lockstep).to_string(),
        },
        survive.to_string(),
        never.to_string(),
        score(noticed, survive),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// In percent, rounded down to a tenth.
pub fn score(noticed: usize, survive: usize) -> String {
    match 1000 * noticed / (noticed + survive).max(1) {
        1000 => "100 %".into(),
        tenths => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

fn part(report: &Report) -> String {
    let mut text = format!("## `{}`\n\n", report.unit);
    let rules = Rule::ALL.into_iter().filter_map(|rule| {
        let of = |judged: &&Judged| judged.mutant.rule == rule;
        let all: Vec<_> = report.mutants.iter().filter(of).collect();
        let noticed = |judged: &&&Judged| matches!(judged.fate, Fate::Noticed { .. });
        let noticed = all.iter().filter(noticed).count();
        (!all.is_empty()).then(|| format!("{} {noticed} of {}", rule.name(), all.len()))
    });
    let rules = rules.collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "Noticed, by rule: {rules}.");
    let mut tests: BTreeMap<&str, usize> = BTreeMap::new();
    for judged in &report.mutants {
        match &judged.fate {
            Fate::Noticed { by, .. } if by != "lockstep" => *tests.entry(by).or_default() += 1,
            _ => {}
        }
    }
    if !tests.is_empty() {
        let tests = tests.iter().map(|(test, n)| format!("{test} {n}"));
        let tests = tests.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "Behind lockstep, by written tests: {tests}.");
    }
    let survived = |judged: &&Judged| matches!(judged.fate, Fate::Survived { .. });
    let survivors: Vec<_> = report.mutants.iter().filter(survived).collect();
    if survivors.is_empty() {
        return text + "Nothing has survived.\n";
    }
    text += "\n| survives | of | rule | under | was | becomes | different |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n";
    for judged in survivors {
        let Judged {
            mutant: m, source, ..
        } = judged;
        let different = judged.fate == Fate::Survived { different: true };
        let cells = [
            format!("`{}.v:{}`", m.module, m.line),
            code(source.as_deref().unwrap_or_default()),
            m.rule.name().into(),
            code(&m.under),
            code(&m.was),
            if m.becomes.is_empty() {
                "left out".into()
            } else {
                code(&m.becomes)
            },
            if different { "yes" } else { "never" }.into(),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// In a cell of a table.
fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("`{}`", text.replace('|', "\\|")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{sites, tests::design};

    fn report(unit: &'static str, fates: &[Fate]) -> Report {
        let all = sites(&design()).concat();
        let judged = |(n, fate): (usize, &Fate)| Judged {
            number: n + 1,
            mutant: all[n].clone(),
            source: Some("hdl/src/m.rs".into()),
            runs: 7,
            fate: fate.clone(),
        };
        Report {
            unit,
            design: "weft_m 4x4".into(),
            seed: 3,
            budget: 10,
            runs: 100,
            tests: 2,
            possible: all.len(),
            seconds: 1.0,
            mutants: fates.iter().enumerate().map(judged).collect(),
        }
    }

    #[test]
    fn a_unit_takes_the_place_of_its_former_one() {
        let noticed = |by: &str| Fate::Noticed {
            by: by.into(),
            said: "a | b".into(),
        };
        let survived = |different| Fate::Survived { different };
        let same = Fate::Equivalent {
            reason: "nobody reads it".into(),
        };
        let fates = [
            noticed("lockstep"),
            noticed("`written`"),
            survived(true),
            survived(false),
            same,
        ];
        let page = with("", &report("tasks", &fates), "2026-11-29");
        let row = "| `tasks` | weft_m 4x4 | 2026-11-29 | 3 | 5 of 20 | 10 | 1 | 2 | 1 | 1 | 2 | 1 | 50.0 % |\n";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("by written tests: `written` 1."), "{page}");
        assert_eq!(page.matches("| `m.v:").count(), 2);
        let both = with(&page, &report("barrier", &fates[..2]), "2026-11-29");
        assert!(both.find("## `barrier`") < both.find("## `tasks`"));
        assert!(both.contains("Nothing has survived.") && both.contains("| 100 % |"));
        // Again the same: nothing moves.
        assert_eq!(with(&both, &report("tasks", &fates), "2026-11-29"), both);
        let less = with(&both, &report("tasks", &fates[..1]), "2026-11-30");
        assert!(!less.contains(row) && less.contains("2026-11-30") && less.contains("`barrier`"));
    }

    #[test]
    fn a_score_is_never_rounded_up() {
        assert_eq!(score(1999, 1), "99.9 %");
        assert_eq!(score(5, 0), "100 %");
        assert_eq!(score(0, 0), "0.0 %");
    }
}
