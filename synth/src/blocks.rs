//! Cells of a module by its blocks.

use crate::check::cell_counts;
use crate::flow::{map_with, Classes, Request};
use crate::tool;
use anyhow::{bail, Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use weft_toolbox::Toolbox;

/// One of the modules that stand in a module, with all below it; or what is left of that module itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub module: String,
    pub instances: u64,
    /// Of all its instances together.
    pub lut4: u64,
    pub carry: u64,
    pub ff: u64,
    pub bram: u64,
    pub lutram: u64,
}

/// Maps a module with its blocks kept apart, without placing it; the largest block comes first.
/// The sum is larger than what the module has as a whole, because nothing is simplified across the borders.
pub fn blocks(request: &Request, progress: &mut dyn FnMut(&str)) -> Result<Vec<Block>> {
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    let name = format!("{}-blocks", request.name);
    let dir = tool::work_dir(&toolbox, &name, request.target.name())?;
    fs::write(dir.join("design.v"), request.verilog).context("writing design.v")?;
    let placed = instances(request.verilog, request.top)?;
    let names: Vec<&str> = placed.keys().map(String::as_str).collect();
    let keep = match names.is_empty() {
        true => String::new(),
        false => format!("setattr -mod -set keep_hierarchy 1 {}\n", names.join(" ")),
    };
    let script = format!("read_verilog design.v\n{keep}@FLOW@\ntee -o stat.json stat -json\n");
    map_with(
        (&name, request.top),
        (request.target, request.mapper, ""),
        &yosys,
        &dir,
        &script,
        &["stat.json"],
        progress,
    )?;
    let stat = fs::read_to_string(dir.join("stat.json")).context("reading stat.json")?;
    let counts = cell_counts(&stat)?;
    let rest = (request.top.to_string(), 1);
    let mut blocks = Vec::new();
    for (module, instances) in placed.into_iter().chain([rest]) {
        let Some(cells) = counts.get(&module) else {
            bail!("{module} has vanished");
        };
        let cells = Classes::of(cells);
        blocks.push(Block {
            module,
            instances,
            lut4: instances * cells.lut4,
            carry: instances * cells.carry,
            ff: instances * cells.ff,
            bram: instances * cells.bram,
            lutram: instances * cells.lutram,
        });
    }
    blocks.sort_by_key(|block| std::cmp::Reverse(block.lut4));
    Ok(blocks)
}

/// The modules that stand in `top`, and how often.
fn instances(verilog: &str, top: &str) -> Result<BTreeMap<String, u64>> {
    let name_of = |line: &str| {
        let rest = line.trim_start().strip_prefix("module ")?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"_$".contains(c));
        Some(rest[..end.unwrap_or(rest.len())].to_string())
    };
    let all: BTreeSet<String> = verilog.lines().filter_map(name_of).collect();
    let mut placed = BTreeMap::new();
    let body = verilog
        .lines()
        .skip_while(|line| name_of(line).as_deref() != Some(top))
        .skip(1)
        .take_while(|line| line.trim() != "endmodule");
    for line in body {
        let first = line.split_whitespace().next().unwrap_or_default();
        if all.contains(first) {
            *placed.entry(first.to_string()).or_insert(0) += 1;
        }
    }
    if !all.contains(top) {
        bail!("there is no module {top}");
    }
    Ok(placed)
}

pub fn blocks_markdown(name: &str, blocks: &[Block]) -> String {
    let mut text = format!(
        "| block of {name} | instances | LUT4 | carry | FF | block RAM | LUT RAM |\n| --- | --- | --- | --- | --- | --- | --- |\n"
    );
    let mut sum = [0; 5];
    for b in blocks {
        let figures = [b.lut4, b.carry, b.ff, b.bram, b.lutram];
        for (sum, figure) in sum.iter_mut().zip(figures) {
            *sum += figure;
        }
        let figures = figures.map(|n| n.to_string()).join(" | ");
        text += &format!("| {} | {} | {figures} |\n", b.module, b.instances);
    }
    text + &format!("| sum | | {} |\n", sum.map(|n| n.to_string()).join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "
module top_part (input clock);
endmodule
module top (
  input clock
);
  top_part first (.clock(clock));
  top_part second (.clock(clock));
endmodule
module other (input clock);
  top_part third (.clock(clock));
endmodule
";

    #[test]
    fn blocks_are_found_in_the_text() {
        let placed = instances(TWO, "top").unwrap();
        assert_eq!(placed, BTreeMap::from([("top_part".to_string(), 2)]));
        assert!(instances(TWO, "tip").is_err());
    }

    #[test]
    fn the_table_has_a_sum() {
        let block = |module: &str, lut4| Block {
            module: module.into(),
            instances: 1,
            lut4,
            carry: 1,
            ff: 2,
            bram: 0,
            lutram: 3,
        };
        let text = blocks_markdown("x", &[block("a", 40), block("b", 2)]);
        assert!(text.contains("| a | 1 | 40 | 1 | 2 | 0 | 3 |\n"), "{text}");
        assert!(text.ends_with("| sum | | 42 | 2 | 4 | 0 | 6 |\n"), "{text}");
    }
}
