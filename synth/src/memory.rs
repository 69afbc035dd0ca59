//! What becomes of memories.

use crate::target::Target;
use crate::tool;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use weft_toolbox::Toolbox;

/// What a memory is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    BlockRam,
    LutRam,
    FlipFlops,
    /// The mapper did not say: not a memory any more (a constant table, or never read).
    Nothing,
}

/// One memory of a flattened design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryReport {
    /// Hierarchical name: `stack.ram.mem`.
    pub name: String,
    pub words: u64,
    pub width: u64,
    pub read_ports: u64,
    pub write_ports: u64,
    pub kind: MemoryKind,
    /// The mapper's name for it: `$__TRELLIS_DPR16X4_`.
    pub mapped_to: String,
}

impl MemoryReport {
    pub fn bits(&self) -> u64 {
        self.words * self.width
    }
}

/// The memories in module `top` and below, with what they become on `target`.
pub fn memories(verilog: &str, top: &str, target: Target) -> Result<Vec<MemoryReport>> {
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    // The steps of the synthesis command up to the mapping of RAM, with a look at the design just before.
    let script = format!(
        "read_verilog design.v\nsynth_{target} -top {top} -run begin:map_ram\n\
         select {top}\njson -o memories.json\nselect -clear\n\
         synth_{target} -top {top} -run map_ram:map_ffram\n"
    );
    tool::in_scratch(&toolbox, verilog, |dir| {
        let log = tool::run_yosys(&yosys, dir, "memories", &script, &["memories.json"])?;
        let netlist = fs::read_to_string(dir.join("memories.json"))?;
        combine(&netlist, &log, top)
    })
}

fn combine(netlist: &str, log: &str, top: &str) -> Result<Vec<MemoryReport>> {
    let netlist: Value = serde_json::from_str(netlist).context("reading Yosys's JSON")?;
    let mapped = mappings(log, top);
    let Some(cells) = netlist["modules"][top]["cells"].as_object() else {
        return Ok(Vec::new());
    };
    let mut reports: Vec<MemoryReport> = cells
        .iter()
        .filter(|(_, cell)| {
            cell["type"]
                .as_str()
                .is_some_and(|kind| kind == "$mem_v2" || kind == "$mem")
        })
        .map(|(cell_name, cell)| {
            let number = |key: &str| binary(&cell["parameters"][key]);
            let id = cell["parameters"]["MEMID"].as_str().unwrap_or(cell_name);
            let name = id.strip_prefix('\\').unwrap_or(id).to_string();
            let mapped_to = mapped.get(&name).cloned().unwrap_or_default();
            MemoryReport {
                words: number("SIZE"),
                width: number("WIDTH"),
                read_ports: number("RD_PORTS"),
                write_ports: number("WR_PORTS"),
                kind: kind(&mapped_to),
                mapped_to,
                name,
            }
        })
        .collect();
    reports.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(reports)
}

/// Parameters in Yosys's JSON are binary numerals in strings.
fn binary(value: &Value) -> u64 {
    match value {
        Value::String(digits) => u64::from_str_radix(digits, 2).unwrap_or(0),
        other => other.as_u64().unwrap_or(0),
    }
}

/// Memory name to what `memory_libmap` chose for it.
pub(crate) fn mappings(log: &str, top: &str) -> BTreeMap<String, String> {
    let prefix = format!("{top}.");
    let local = |name: &str| {
        let name = name.strip_prefix(&prefix).unwrap_or(name);
        name.strip_prefix('\\').unwrap_or(name).to_string()
    };
    log.lines()
        .filter_map(|line| {
            if let Some(rest) = line.strip_prefix("mapping memory ") {
                let (name, resource) = rest.rsplit_once(" via ")?;
                return Some((local(name), resource.trim().to_string()));
            }
            line.strip_prefix("using FF mapping for memory ")
                .map(|name| (local(name.trim()), "flip-flops".into()))
        })
        .collect()
}

fn kind(mapped_to: &str) -> MemoryKind {
    match mapped_to {
        "" => MemoryKind::Nothing,
        "flip-flops" => MemoryKind::FlipFlops,
        lut if lut.contains("DPR16X4") || lut.contains("LUTRAM") => MemoryKind::LutRam,
        _ => MemoryKind::BlockRam,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapper_lines_of_two_versions() {
        let new = "mapping memory ram.big via $__DP16KD_\nusing FF mapping for memory ram.tiny\n\
                   mapping memory ram.small_mem via $__TRELLIS_DPR16X4_\n";
        let old = "mapping memory ram.big via $__ECP5_DP16KD_\nmapping memory ram.small_mem via $__TRELLIS_DPR16X4_\n\
                   using FF mapping for memory ram.tiny\n";
        let ice40 =
            "mapping memory ram.big via $__ICE40_RAM4K_\nusing FF mapping for memory ram.tiny\n";
        for log in [new, old] {
            let found = mappings(log, "ram");
            assert_eq!(kind(&found["big"]), MemoryKind::BlockRam);
            assert_eq!(kind(&found["small_mem"]), MemoryKind::LutRam);
            assert_eq!(kind(&found["tiny"]), MemoryKind::FlipFlops);
        }
        assert_eq!(kind(&mappings(ice40, "ram")["big"]), MemoryKind::BlockRam);
    }
}
