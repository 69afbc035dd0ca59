//! The page of `weft cosim merge --page`: runs and their failures, and beside them what the checkout has of requirements,
//! mutants, proofs and long runs. One file, which any browser shows.
//!
//! Requirements are read from `docs/spec`, and who cites them from the sources; mutants, proofs and long runs from the tables
//! that `cargo xtask mutate`, `formal` and `long` write.

use super::record::{Campaign, Run};
use anyhow::{ensure, Context, Result};
use minijinja::{context, AutoEscape, Environment};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use weft_toolbox::Toolbox;

const TEMPLATE: &str = include_str!("page.html");

/// A rule of the specification, and how many files of each kind cite it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Rule {
    name: String,
    says: String,
    code: usize,
    tests: usize,
    copies: usize,
    proofs: usize,
    /// No test, no copy and no proof cites it.
    bare: bool,
}

#[derive(Serialize)]
struct SpecPage {
    name: String,
    rules: Vec<Rule>,
    bare: usize,
}

/// # Errors
/// Git does not tell the files of the checkout, or one of them cannot be read.
pub fn page(campaign: &Campaign) -> Result<String> {
    let toolbox = Toolbox::here();
    let root = toolbox.root();
    let pages = requirements(&tracked(root)?);
    let runs: Vec<_> = campaign.runs.iter().map(of_run).collect();
    let missing = campaign.runs.iter().map(|run| run.whole.without(&run.ran));
    let failures = campaign.runs.iter().map(|run| run.failures.len());
    let failed: usize = failures.sum();
    let bare: usize = pages.iter().map(|page| page.bare).sum();
    let rules: Vec<_> = pages.iter().flat_map(|page| &page.rules).collect();
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let text = environment.render_str(
        TEMPLATE,
        context! {
            programs => campaign.programs,
            failed,
            missing => missing.map(|ranges| ranges.count()).sum::<u64>().saturating_sub(failed as u64),
            hours => format!("{:.2}", campaign.seconds / 3600.0),
            commit => toolbox.commit(),
            runs,
            requirements => rules,
            pages,
            bare,
            mutants => table(root, "docs/mutation.md")?,
            proofs => table(root, "docs/proofs.md")?,
            long => table(root, "docs/long.md")?,
        },
    );
    text.context("the template of the page")
}

fn of_run(run: &Run) -> minijinja::Value {
    // As pairs, in their order.
    let pairs = |map: &BTreeMap<String, u64>| -> Vec<(String, u64)> {
        map.iter().map(|(name, n)| (name.clone(), *n)).collect()
    };
    context! {
        name => run.name(),
        commit => run.commit,
        ran => run.ran.count(),
        whole => run.whole.count(),
        left => run.whole.without(&run.ran).to_string(),
        seconds => format!("{:.1}", run.seconds),
        counts => pairs(&run.counts),
        bins => pairs(&run.bins),
        never => run.never().len(),
        failures => run.failures,
    }
}

/// The first table of a page in Markdown, its heading first, without marks of code.
fn table(root: &Path, page: &str) -> Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(root.join(page)).with_context(|| page.to_string())?;
    Ok(first_table(&text))
}

fn first_table(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|'));
    let lines = lines.take_while(|line| line.starts_with('|'));
    let row = |line: &str| -> Vec<String> {
        // A bar inside a cell is written with a backslash.
        let inner = line.trim().trim_matches('|').replace("\\|", "\u{0}");
        let cells = inner.split('|').map(|cell| cell.trim().replace('`', ""));
        cells.map(|cell| cell.replace('\u{0}', "|")).collect()
    };
    let all: Vec<_> = lines.map(row).collect();
    let ruled = |cells: &Vec<String>| cells.iter().all(|cell| cell.chars().all(|c| c == '-'));
    all.into_iter().filter(|cells| !ruled(cells)).collect()
}

/// Text files of the checkout: path and text.
fn tracked(root: &Path) -> Result<Vec<(String, String)>> {
    let mut git = Command::new("git");
    let listed = git.arg("-C").arg(root).args(["ls-files", "-z"]).output();
    let listed = listed.context("git ls-files")?;
    ensure!(
        listed.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names = names.split('\0').filter(|name| !name.is_empty());
    let read = |name: &str| Some((name.into(), fs::read_to_string(root.join(name)).ok()?));
    Ok(names.filter_map(read).collect())
}

fn requirements(files: &[(String, String)]) -> Vec<SpecPage> {
    let mut pages = Vec::new();
    let mut places: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (path, text) in files {
        let Some(name) = path.strip_prefix("docs/spec/") else {
            continue;
        };
        let rules: Vec<_> = text.lines().filter_map(defined).collect();
        if rules.is_empty() {
            continue;
        }
        for (n, rule) in rules.iter().enumerate() {
            places.insert(rule.name.clone(), (pages.len(), n));
        }
        pages.push(SpecPage {
            name: name.trim_end_matches(".md").into(),
            rules,
            bare: 0,
        });
    }
    for (path, text) in files {
        for (kind, text) in kinds(path, text) {
            let mut cited: Vec<_> = numbers(text).filter(|n| places.contains_key(*n)).collect();
            cited.sort_unstable();
            cited.dedup();
            for number in cited {
                let (page, n) = places[number];
                let rule: &mut Rule = &mut pages[page].rules[n];
                *match kind {
                    Kind::Code => &mut rule.code,
                    Kind::Test => &mut rule.tests,
                    Kind::Copy => &mut rule.copies,
                    Kind::Proof => &mut rule.proofs,
                } += 1;
            }
        }
    }
    for page in &mut pages {
        for rule in &mut page.rules {
            rule.bare = rule.tests + rule.copies + rule.proofs == 0;
        }
        page.bare = page.rules.iter().filter(|rule| rule.bare).count();
    }
    pages
}

enum Kind {
    Code,
    Test,
    Copy,
    Proof,
}

/// What a file is; of a source with tests its two halves.
fn kinds<'a>(path: &str, text: &'a str) -> Vec<(Kind, &'a str)> {
    if path.starts_with("docs/") || path.ends_with(".md") {
        return Vec::new();
    }
    if path.starts_with("hdl/formal/") || path.starts_with("tools/formal/") {
        return vec![(Kind::Proof, text)];
    }
    if path.starts_with("testbench/faults/") {
        return vec![(Kind::Copy, text)];
    }
    // The bench is there to judge.
    if path.contains("/tests/") || path.starts_with("testbench/") {
        return vec![(Kind::Test, text)];
    }
    match text.split_once("#[cfg(test)]") {
        Some((code, tests)) => vec![(Kind::Code, code), (Kind::Test, tests)],
        None => vec![(Kind::Code, text)],
    }
}

/// A line that defines a rule: `**CONV-021 BRANCH(S, target).** Split …`, or `**GPU-010** *One manager.* All that …`.
fn defined(line: &str) -> Option<Rule> {
    let rest = line.strip_prefix("**")?;
    let name = numbers(rest)
        .next()
        .filter(|name| rest.starts_with(*name))?;
    let says = rest[name.len()..].replace(['*', '`'], "");
    let says = says.trim();
    let end = says.find(". ").map_or(says.len(), |at| at + 1);
    Some(Rule {
        name: name.into(),
        says: says[..end].into(),
        ..Rule::default()
    })
}

/// Numbers of requirements: capitals, a hyphen, three digits.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| {
            word.split_once('-').is_some_and(|(area, number)| {
                area.len() > 1
                    && area.chars().all(|c| c.is_ascii_uppercase())
                    && number.len() == 3
                    && number.chars().all(|c| c.is_ascii_digit())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::super::record::{Failure, Ranges};
    use super::*;

    #[test]
    fn the_first_table_without_its_rule() {
        let text =
            "# A\n\ntext | here\n| a | `b` |\n| --- | --- |\n| 1 | `x \\| y` |\n\n| other |\n";
        assert_eq!(first_table(text), [["a", "b"], ["1", "x | y"]]);
        assert!(first_table("no table").is_empty());
    }

    #[test]
    fn a_rule_is_counted_once_for_each_file_that_cites_it() {
        let file = |path: &str, text: &str| (path.to_string(), text.to_string());
        let pages = requirements(&[
            file(
                "docs/spec/a.md",
                "**AB-001** *One.* It is. CD-002\n\n**AB-002 Two(x).** Then.\nAB-001\n",
            ),
            file("docs/spec/b.md", "no rules, AB-001\n"),
            file("sim/src/a.rs", "// AB-001, AB-001\n"),
            file("sim/src/b.rs", "// AB-001\n#[cfg(test)]\n// AB-001\n"),
            file("sim/src/d.rs", "// AB-002\n#[cfg(test)]\n"),
            file("testbench/faults/a.toml", "breaks = \"AB-001\"\n"),
            file("hdl/formal/a.sv", "// AB-001 XAB-001 AB-0012\n"),
            file("hdl/src/c.rs", "// AB-002\n"),
        ]);
        assert_eq!(
            (pages.len(), pages[0].name.as_str(), pages[0].bare),
            (1, "a", 1)
        );
        let [one, two] = &pages[0].rules[..] else {
            panic!("{} rules", pages[0].rules.len())
        };
        assert_eq!((one.name.as_str(), one.says.as_str()), ("AB-001", "One."));
        assert_eq!((one.code, one.tests, one.copies, one.proofs), (2, 1, 1, 1));
        assert_eq!(
            (two.says.as_str(), two.code, two.bare),
            ("Two(x).", 2, true)
        );
    }

    /// With the tables of this checkout.
    #[test]
    fn the_page_has_failures_gaps_and_what_never_happened() {
        let run = Run {
            unit: "sm".into(),
            settings: "--size 4x4l4".into(),
            whole: Ranges::of(0..10),
            ran: Ranges::of(0..6),
            bins: BTreeMap::from([("a <b>".into(), 0), ("c".into(), 3)]),
            failures: vec![Failure {
                index: 6,
                error: "x < y".into(),
                replay: "cargo weft cosim --first 6".into(),
                ..Failure::default()
            }],
            ..Run::default()
        };
        let text = page(&Campaign::of(vec![run], false)).unwrap();
        for part in [
            "6 random programs",
            "1 not equal",
            "3 not run",
            "6 to 9",
            "x &lt; y",
            "cargo weft cosim --first 6",
            "1 of 2",
            "a &lt;b&gt;",
            "<td>CONV-021</td>",
            "weft_tasks",
        ] {
            assert!(text.contains(part), "no {part:?}");
        }
        assert!(!text.contains("<b>\"") && !text.contains("{{"));
    }
}
