//! Gates, for those who think of an ASIC: gate equivalents of logic and flip-flops, bits of memory, logic depth.
//!
//! Memories are left out and counted by their bits: in an ASIC they are macros or latch arrays, and what they cost
//! depends on the generator. So the depth is that of paths from register, memory or port to register, memory or port;
//! the time of a memory is not in it.
//! A gate equivalent is the area of a NAND with two inputs, here taken as a quarter of the transistors of static CMOS;
//! it is good for comparing, not for quoting an area.

use crate::check::{cell_counts, latches};
use crate::report::grouped;
use crate::tool;
use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;
use weft_toolbox::Toolbox;

/// Transistors of each cell in static CMOS, as Yosys's `stat -tech cmos` counts them.
const TRANSISTORS: &[(&str, u32)] = &[
    ("$_NOT_", 2),
    ("$_NAND_", 4),
    ("$_NOR_", 4),
    ("$_AND_", 6),
    ("$_OR_", 6),
    ("$_ANDNOT_", 6),
    ("$_ORNOT_", 6),
    ("$_AOI3_", 6),
    ("$_OAI3_", 6),
    ("$_AOI4_", 8),
    ("$_OAI4_", 8),
    ("$_MUX_", 12),
    ("$_NMUX_", 10),
    ("$_XOR_", 12),
    ("$_XNOR_", 12),
    ("$_DFF_P_", 16),
];

/// The gates that logic is mapped to: `abc -g cmos4`.
const LIBRARY: &str = "cmos4";

/// A memory that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Macro {
    /// Name of its module.
    pub module: String,
    pub words: u64,
    pub width: u64,
    pub instances: u64,
}

impl Macro {
    pub fn bits(&self) -> u64 {
        self.words * self.width * self.instances
    }
}

/// Figures of one module in gates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateReport {
    /// What was measured, as the caller calls it.
    pub name: String,
    pub top: String,
    /// Commands of Yosys.
    pub flow: String,
    /// Gate equivalents without flip-flops and without memories.
    pub logic_ge: f64,
    /// Gate equivalents of the flip-flops.
    pub ff_ge: f64,
    pub ff: u64,
    /// Gates after mapping, by Yosys's type.
    pub cells: BTreeMap<String, u64>,
    pub memory_bits: u64,
    pub memories: Vec<Macro>,
    /// Gates on the longest path.
    pub depth: u64,
    /// Signals on it, with the names of the Verilog as far as they have survived.
    pub path: Vec<String>,
    pub yosys: String,
    pub seconds: f64,
}

/// Head of a table of [`GateReport::markdown_row`]s.
pub fn gates_header() -> &'static str {
    "| unit | logic GE | flip-flops | flip-flop GE | memory bits | depth in gates |\n\
     | --- | --- | --- | --- | --- | --- |"
}

impl GateReport {
    /// One row, without line end.
    pub fn markdown_row(&self) -> String {
        format!(
            "| {} | {} | {} | {} | {} | {} |",
            self.name,
            grouped(self.logic_ge.round() as u64),
            grouped(self.ff),
            grouped(self.ff_ge.round() as u64),
            grouped(self.memory_bits),
            self.depth,
        )
    }

    /// The longest path as text: the signals that still have a name of the Verilog.
    pub fn path_text(&self) -> String {
        let named: Vec<&str> = self
            .path
            .iter()
            .map(String::as_str)
            .filter(|name| !name.starts_with('$'))
            .collect();
        named.join("\n")
    }
}

/// Maps module `top` to gates. `progress` gets a line at each step.
pub fn gates(
    name: &str,
    verilog: &str,
    top: &str,
    progress: &mut dyn FnMut(&str),
) -> Result<GateReport> {
    let start = Instant::now();
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    let dir = tool::work_dir(&toolbox, name, "gates")?;
    fs::write(dir.join("design.v"), verilog).context("writing design.v")?;
    let mut macros = memory_modules(verilog);
    macros.retain(|m| m.module != top);
    let boxes: String = macros
        .iter()
        .map(|m| format!("blackbox {}\n", m.module))
        .collect();
    // Or their outputs would be taken to depend on their inputs at once.
    let delete: String = macros
        .iter()
        .map(|m| format!("delete t:{}\n", m.module))
        .collect();
    let flow = format!(
        "synth -flatten -noabc -top {top}; dfflegalize -cell $_DFF_P_ 01; abc -g {LIBRARY}"
    );
    let script = format!(
        "read_verilog design.v\nhierarchy -check -top {top}\nproc\n{boxes}{}\nopt_clean\n\
         tee -o stat.json stat -json\n{delete}tee -o depth.txt ltp -noff\n",
        flow.replace("; ", "\n")
    );
    progress(&format!("{name}: {} {} {flow}", yosys.name, yosys.version));
    let outputs = ["stat.json", "depth.txt"];
    let log = tool::run_yosys(&yosys, &dir, "gates", &script, &outputs)?;
    let latches = latches(&log);
    if !latches.is_empty() {
        bail!("{top} has latches:\n  {}", latches.join("\n  "));
    }
    let stat = fs::read_to_string(dir.join("stat.json")).context("reading stat.json")?;
    let mut cells = cell_counts(&stat)?
        .remove(top)
        .with_context(|| format!("{top} has vanished"))?;
    for memory in &mut macros {
        memory.instances = cells.remove(&memory.module).unwrap_or(0);
    }
    macros.retain(|memory| memory.instances > 0);
    cells.remove("$scopeinfo");
    let mut logic_ge = 0.0;
    let mut ff_ge = 0.0;
    for (cell, count) in &cells {
        let Some((_, transistors)) = TRANSISTORS.iter().find(|(name, _)| name == cell) else {
            bail!("{top}: no gate equivalent is known for {count} cells {cell}");
        };
        let ge = f64::from(*transistors) / 4.0 * *count as f64;
        if cell == "$_DFF_P_" {
            ff_ge += ge;
        } else {
            logic_ge += ge;
        }
    }
    let text = fs::read_to_string(dir.join("depth.txt")).context("reading depth.txt")?;
    let (depth, path) = longest_path(&text)?;
    Ok(GateReport {
        name: name.into(),
        top: top.into(),
        flow,
        logic_ge,
        ff_ge,
        ff: cells.get("$_DFF_P_").copied().unwrap_or(0),
        cells,
        memory_bits: macros.iter().map(Macro::bits).sum(),
        memories: macros,
        depth,
        path,
        yosys: format!("{} {}", yosys.name, yosys.version),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Modules that declare an array of registers: `reg [31:0] mem [0:15];`.
fn memory_modules(verilog: &str) -> Vec<Macro> {
    let mut found: Vec<Macro> = Vec::new();
    let mut module = "";
    for line in verilog.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("module ") {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            module = &rest[..end.unwrap_or(rest.len())];
        }
        let Some((words, width)) = array(line) else {
            continue;
        };
        // More than one array in a module counts as one macro of as many bits.
        match found.iter_mut().find(|m| m.module == module) {
            Some(known) => {
                *known = Macro {
                    words: 1,
                    width: known.words * known.width + words * width,
                    ..known.clone()
                }
            }
            None => found.push(Macro {
                module: module.into(),
                words,
                width,
                instances: 0,
            }),
        }
    }
    found
}

/// Words and width of `reg [a:b] name [c:d];`.
fn array(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("reg ")?.strip_suffix(';')?.trim();
    let range = |text: &str| -> Option<u64> {
        let (high, low) = text.split_once(':')?;
        let (high, low) = (high.trim().parse::<u64>().ok()?, low.trim().parse().ok()?);
        Some(high.abs_diff(low) + 1)
    };
    let (width, rest) = match rest.strip_prefix('[') {
        Some(rest) => {
            let (inside, rest) = rest.split_once(']')?;
            (range(inside)?, rest)
        }
        None => (1, rest),
    };
    let (_, words) = rest.split_once('[')?;
    Some((range(words.strip_suffix(']')?)?, width))
}

/// Length and signals of what `ltp` found.
fn longest_path(text: &str) -> Result<(u64, Vec<String>)> {
    let length = text
        .split("(length=")
        .nth(1)
        .and_then(|rest| rest.split(')').next()?.parse().ok())
        .context("Yosys names no longest path")?;
    let signal = |line: &str| {
        let (number, rest) = line.trim_start().split_once(": ")?;
        // The last line may name the flip-flop that it ends in.
        if number != "ff" {
            number.parse::<u64>().ok()?;
        }
        Some(rest.split(" (").next()?.trim().replace('\\', ""))
    };
    Ok((length, text.lines().filter_map(signal).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_are_found_in_the_text() {
        let text = "module a(clock);\n    reg [31:0] mem [0:15];\nendmodule\nmodule b (x);\n  reg [3:0] q;\n  reg flag [0:3];\nendmodule\n";
        let found = memory_modules(text);
        let of = |name: &str| found.iter().find(|m| m.module == name).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((of("a").words, of("a").width), (16, 32));
        assert_eq!((of("b").words, of("b").width), (4, 1));
    }

    /// Captured from Yosys 0.70.
    #[test]
    fn longest_path_of_a_captured_text() {
        let text = "\nLongest topological path in mix (length=3):\n    0: \\a [3]\n    1: $abc$1$new_n1 ($abc$1$auto$2)\n    2: \\core.x ($abc$3)\n    3: $0\\q[0:0]\n   ff: \\q [0] (via $auto$4)\n";
        let (length, path) = longest_path(text).unwrap();
        assert_eq!(length, 3);
        assert_eq!(path[0], "a [3]");
        assert_eq!((path[2].as_str(), path[4].as_str()), ("core.x", "q [0]"));
        assert!(longest_path("").is_err());
    }
}
