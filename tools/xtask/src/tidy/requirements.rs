//! Requirement numbers, such as CONV-040: each is defined once, by a page of `docs/spec`, and cited by code and by a
//! test or a proof.
//!
//! A page defines a number by writing it in bold.
//! Lists count: "BAR-027, 033" cites two, and "SCHED-015 to 018" all between that exist.
//! What a page lists under *What holds* follows from its other rules: tests cite it, code need not.

use super::{Finding, Source};
use regex_lite::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Where a number is defined, and by whom it is cited.
#[derive(Default)]
struct Requirement {
    defined: Vec<(String, usize)>,
    follows: bool,
    code: bool,
    test: bool,
}

/// All requirements, and citations of numbers that no page defines.
fn read(sources: &[Source]) -> (BTreeMap<String, Requirement>, Vec<Finding>) {
    let mut unknown = Vec::new();
    let mut all: BTreeMap<String, Requirement> = BTreeMap::new();
    for page in sources.iter().filter(|s| is_page(s)) {
        for (line, number, follows) in defined(page) {
            let requirement = all.entry(number).or_default();
            requirement.defined.push((page.path.clone(), line));
            requirement.follows |= follows;
        }
    }
    let units: BTreeSet<String> = all.keys().map(|n| unit(n).to_string()).collect();
    for source in sources.iter().filter(|s| is_code(s) || is_page(s)) {
        for (line, citation, test) in cited(source) {
            let Citation { number, between } = citation;
            match all.get_mut(&number) {
                Some(requirement) if is_code(source) => {
                    requirement.test |= test;
                    requirement.code |= !test;
                }
                Some(requirement) => requirement.test |= test,
                // Other projects have numbers with dashes, too.
                None if between || !units.contains(unit(&number)) => {}
                None => {
                    let text = format!("no page defines {number}");
                    unknown.push(finding(&source.path, line, text));
                }
            }
        }
    }
    (all, unknown)
}

/// Numbers that no page defines, and numbers that are defined twice.
pub fn known(sources: &[Source]) -> Vec<Finding> {
    let (all, mut findings) = read(sources);
    for (number, requirement) in &all {
        let (path, line) = &requirement.defined[0];
        for (again, at) in &requirement.defined[1..] {
            let text = format!("{number} is defined at {path}:{line} as well");
            findings.push(finding(again, *at, text));
        }
    }
    findings
}

/// Requirements that follow the line before without a blank one: rendered, they would be one paragraph with it.
pub fn apart(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in sources.iter().filter(|s| is_page(s)) {
        let lines: Vec<_> = page.lines().collect();
        let mut rules = defined(page);
        // A line that names others is still one rule's.
        rules.dedup_by_key(|(line, ..)| *line);
        for (line, number, _) in rules {
            let at = lines.iter().position(|(n, _)| *n == line);
            let at = at.filter(|&at| lines[at].1.starts_with("**"));
            let before = at.and_then(|at| at.checked_sub(1)).map(|at| lines[at].1);
            if before.is_some_and(|before| !before.trim().is_empty()) {
                let text = format!("no blank line before {number}");
                findings.push(finding(&page.path, line, text));
            }
        }
    }
    findings
}

/// Requirements that no code, or no test and no proof, cites.
pub fn covered(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, requirement) in &read(sources).0 {
        let (path, line) = &requirement.defined[0];
        let missing = match (requirement.code || requirement.follows, requirement.test) {
            (true, true) => continue,
            (true, false) => "no test and no proof cites",
            (false, true) => "no code cites",
            (false, false) => "nothing cites",
        };
        findings.push(finding(path, *line, format!("{missing} {number}")));
    }
    findings
}

fn finding(path: &str, line: usize, text: String) -> Finding {
    Finding {
        path: path.into(),
        line,
        text,
    }
}

fn is_page(source: &Source) -> bool {
    source.within("docs/spec/") && source.is(".md")
}

fn is_code(source: &Source) -> bool {
    [".rs", ".sv", ".v", ".toml", ".asm", ".c", ".h", ".cpp"]
        .iter()
        .any(|e| source.is(e))
        && !source.within("tools/xtask/")
}

/// `CONV` of `CONV-040`.
fn unit(number: &str) -> &str {
    number.split('-').next().unwrap_or_default()
}

/// Line and number of each definition, and whether it stands under *What holds*.
fn defined(page: &Source) -> Vec<(usize, String, bool)> {
    let mut follows = false;
    let mut list = Vec::new();
    for (line, text) in page.lines() {
        if text.starts_with('#') {
            follows = text.ends_with("What holds");
        }
        if !text.contains("**") {
            continue;
        }
        let numbers = BOLD.captures_iter(text);
        list.extend(numbers.map(|c| (line, c[1].to_string(), follows)));
    }
    list
}

/// A number that a line names; `between`: by a range, as neither of its ends.
#[derive(Debug, PartialEq, Eq)]
struct Citation {
    number: String,
    between: bool,
}

/// Line, number, and whether it is a test that cites.
///
/// Tests are all files of the test bench, of `tests` folders and of proofs, what stands behind `#[cfg(test)]`, and the
/// table
/// *Where it is tested* of a page.
fn cited(source: &Source) -> Vec<(usize, Citation, bool)> {
    let whole = source.within("testbench/")
        || source.path.contains("/formal/")
        || source.path.contains("/tests/")
        || source.is("/tests.rs");
    let mut test = whole;
    let mut list = Vec::new();
    for (line, text) in source.lines() {
        if !whole {
            test |= text.trim_start().starts_with("#[cfg(test)]");
            if text.starts_with('#') && is_page(source) {
                test = text.contains("tested");
            }
        }
        list.extend(numbers(text).into_iter().map(|n| (line, n, test)));
    }
    list
}

/// Made once: to make a pattern takes longer than to look for it in a line.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

static BOLD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\*\*([A-Z]{2,}-[0-9]{3})\b"));
static FIRST: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b([A-Z]{2,})-([0-9]{3})\b"));
static NEXT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(,| and|, and| to|–|-) ?(?:([A-Z]{2,})-)?([0-9]{3})\b"));

/// All numbers that a line names, lists and ranges resolved.
fn numbers(text: &str) -> Vec<Citation> {
    let mut list = Vec::new();
    let mut rest = text;
    // Most lines have none, and no capital before a dash.
    if !text
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_uppercase() && pair[1] == b'-')
    {
        return list;
    }
    while let Some(found) = FIRST.captures(rest) {
        let unit = &found[1];
        let mut last: u32 = found[2].parse().expect("three digits");
        rest = &rest[found.get(0).expect("the whole").end()..];
        let citation = |n: u32, between| Citation {
            number: format!("{unit}-{n:03}"),
            between,
        };
        list.push(citation(last, false));
        let same = |more: &Captures| more.get(2).is_none_or(|other| other.as_str() == unit);
        while let Some(more) = NEXT.captures(rest).filter(same) {
            let number: u32 = more[3].parse().expect("three digits");
            let from = match &more[1] {
                " to" | "–" | "-" => last + 1,
                _ => number,
            };
            list.extend((from..=number).map(|n| citation(n, n != number)));
            last = number;
            rest = &rest[more[0].len()..];
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn lists_and_ranges_name_all_their_numbers() {
        let of = |text| {
            let all = numbers(text);
            all.iter()
                .map(|c| c.number.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(of("CONV-040"), "CONV-040");
        assert_eq!(
            of("SCHED-015 to 018: x"),
            "SCHED-015 SCHED-016 SCHED-017 SCHED-018"
        );
        assert_eq!(of("BAR-027, 033 and 040."), "BAR-027 BAR-033 BAR-040");
        assert_eq!(of("COMP-020 to COMP-022"), "COMP-020 COMP-021 COMP-022");
        assert_eq!(of("ABC-010, DEF-060"), "ABC-010 DEF-060");
        assert_eq!(of("US-9459876, ISO-8859"), "");
    }

    #[test]
    fn every_kind_of_finding_is_found() {
        let page = "**ABC-010** One.\n**ABC-020** Two.\n**ABC-030** Three.\n**ABC-030** Again.\n";
        let code = "// ABC-010 to 020\n// ABC-099\n#[cfg(test)]\n// ABC-010\n";
        let sources = [
            source("docs/spec/abc.md", page),
            source("hdl/src/abc.rs", code),
        ];
        let text = |found: Vec<Finding>| found.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            text(known(&sources)),
            [
                "hdl/src/abc.rs:2: no page defines ABC-099",
                "docs/spec/abc.md:4: ABC-030 is defined at docs/spec/abc.md:3 as well",
            ]
        );
        assert_eq!(
            text(covered(&sources)),
            [
                "docs/spec/abc.md:2: no test and no proof cites ABC-020",
                "docs/spec/abc.md:3: nothing cites ABC-030",
            ]
        );
    }

    #[test]
    fn a_range_in_the_table_of_tests_is_a_test() {
        let page = "# Abc\n**ABC-010** One.\n**ABC-011** Two.\n## Where it is tested\n| ABC-010 to 011 | `t` |\n";
        let sources = [
            source("docs/spec/abc.md", page),
            source("hdl/src/abc.rs", "// ABC-010, 011\n"),
        ];
        assert_eq!(covered(&sources), []);
    }

    #[test]
    fn rules_are_paragraphs_of_their_own() {
        let page = "# Abc\n\n**ABC-010** One.\n**ABC-020** Two, as **ABC-010** says.\nMore.\n\n**ABC-030** Three.\n";
        let found = apart(&[source("docs/spec/abc.md", page)]);
        let text: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["docs/spec/abc.md:4: no blank line before ABC-020"]);
    }
}
