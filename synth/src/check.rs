//! Structural checks of generated Verilog.

use crate::tool;
use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use weft_toolbox::Toolbox;

/// A design that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checks {
    /// Yosys's word-level cells by type, flattened: `$dff`, `$mux`, …
    pub cells: BTreeMap<String, u64>,
    /// Warnings that are no failures: lost bits, and so on.
    pub warnings: Vec<String>,
}

/// Elaborates module `top`, flattens it and fails with a list of what is wrong: latches, signals with two drivers,
/// signals that are used and have none, combinational loops, modules that are not there.
pub fn yosys_check(verilog: &str, top: &str) -> Result<Checks> {
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    let script = format!(
        "read_verilog design.v\nhierarchy -check -top {top}\nproc\ncheck\nflatten\nopt_clean\ncheck -assert\ntee -o stat.json stat -json\n"
    );
    tool::in_scratch(&toolbox, verilog, |dir| {
        let outcome = tool::run_yosys(&yosys, dir, "check", &script, &["stat.json"]);
        // `check -assert` only counts; what it found is in the log.
        let log = fs::read_to_string(dir.join("check.log")).unwrap_or_default();
        let problems = problems(&log);
        if !problems.is_empty() {
            bail!(
                "{top} is not sound (see {}):\n  {}",
                dir.join("design.v").display(),
                problems.join("\n  ")
            );
        }
        outcome?;
        let stat = fs::read_to_string(dir.join("stat.json"))?;
        Ok(Checks {
            cells: cell_counts(&stat)?.remove(top).unwrap_or_default(),
            warnings: warnings(&log),
        })
    })
}

/// What makes a design unsound, from a log of `proc` and `check`.
pub(crate) fn problems(log: &str) -> Vec<String> {
    let mut problems = latches(log);
    let lines: Vec<&str> = log.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let Some(text) = line.trim_start().strip_prefix("Warning: ") else {
            continue;
        };
        let faulty = [
            "multiple conflicting drivers",
            "Drivers conflicting with a constant",
            "is used but has no driver",
            "found logic loop",
        ];
        if faulty.iter().any(|words| text.contains(words)) {
            // Details follow, indented.
            let details = lines[number + 1..]
                .iter()
                .take_while(|line| line.starts_with("    "))
                .take(8);
            let details: Vec<&str> = details.map(|line| line.trim()).collect();
            problems.push(if details.is_empty() {
                text.to_string()
            } else {
                format!("{text} {}", details.join(", "))
            });
        }
    }
    problems
}

/// Signals that became latches: `No latch inferred for …` is the good news.
pub(crate) fn latches(log: &str) -> Vec<String> {
    log.lines()
        .filter_map(|line| {
            let at = line.find("Latch inferred for signal")?;
            let signal = line[at..].split('`').nth(1)?.split('\'').next()?;
            Some(format!("latch: {}", signal.replace('\\', "")))
        })
        .collect()
}

fn warnings(log: &str) -> Vec<String> {
    let mut list: Vec<String> = log
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("Warning: "))
        .map(str::to_string)
        .collect();
    list.sort();
    list.dedup();
    list
}

/// Module to cell type to count, from `stat -json`.
pub(crate) fn cell_counts(stat: &str) -> Result<BTreeMap<String, BTreeMap<String, u64>>> {
    let stat: Value = serde_json::from_str(stat).context("reading Yosys's statistics")?;
    let modules = stat["modules"]
        .as_object()
        .context("Yosys's statistics have no modules")?;
    let counts = |module: &Value| {
        let cells = module["num_cells_by_type"].as_object();
        cells
            .into_iter()
            .flatten()
            .filter_map(|(kind, n)| Some((kind.clone(), n.as_u64()?)))
            .collect()
    };
    Ok(modules
        .iter()
        .map(|(name, module)| (name.trim_start_matches('\\').to_string(), counts(module)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Captured from Yosys 0.70; 0.23 differs in the latch's line, which is no warning there, and in `source:`.
    const LOG: &str = "\
No latch inferred for signal `\\sub.\\y' from process `\\sub.$proc$bad.v:3$2'.
Warning: Latch inferred for signal `\\bad.\\l' from process `\\bad.$proc$bad.v:9$5': $auto$proc_dlatch.cc:559:proc_dlatch$19
Warning: multiple conflicting drivers for bad.\\a [0]:
    module input a[0]
    module input a[1]
Warning: Drivers conflicting with a constant 1'0 driver:
    port Q[0] of cell $procdff$23 ($dff)
Warning: Wire bad.\\s.nobody [3] is used but has no driver.
Warning: found logic loop in module bad:
    cell $and$bad.v:8$3 ($and) source: bad.v:8.15-8.24
    wire \\lw source: bad.v:8.8-8.10
Warning: Resizing cell port bad.s.a from 3 bits to 4 bits.
";

    #[test]
    fn problems_of_a_captured_log() {
        let found = problems(LOG);
        assert_eq!(found.len(), 5, "{found:#?}");
        assert_eq!(found[0], "latch: bad.l");
        assert!(found[1].contains("module input a[1]"));
        assert!(found[2].contains("port Q[0]"));
        assert!(found[4].contains("wire \\lw"));
        let old = "Latch inferred for signal `\\bad.\\l' from process `\\bad.$proc$bad.v:9$5': $auto$proc_dlatch.cc:427:x$19\n";
        assert_eq!(latches(old), ["latch: bad.l"]);
        assert!(
            problems("Warning: Resizing cell port bad.s.a from 3 bits to 4 bits.\n").is_empty()
        );
    }

    #[test]
    fn statistics_of_yosys() {
        let stat = r#"{ "creator": "Yosys 0.70", "modules": { "\\adder": { "num_cells": 24, "num_cells_by_type":
            { "CCU2C": 8, "TRELLIS_FF": 16 } } }, "design": { "num_cells": 24 } }"#;
        assert_eq!(cell_counts(stat).unwrap()["adder"]["TRELLIS_FF"], 16);
    }
}
