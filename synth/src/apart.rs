//! Blocks of a large design that are mapped apart from each other: ABC then sees one block's paths, and not first of all
//! the longest path between two blocks, for which it would let all others grow.

use crate::estimate::of_modules;
use crate::flow::NETLIST;
use crate::tool;
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;
use weft_toolbox::Tool;

/// Commands before a synthesis command that flattens: these modules stay what they are.
pub(crate) fn keep(top: &str, blocks: &[&str]) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    format!(
        "hierarchy -top {top}\nsetattr -mod -set keep_hierarchy 1 {}\n",
        blocks.join(" ")
    )
}

/// A block that is no module of this Verilog: Yosys would only warn, and map all of it flat.
pub(crate) fn missing<'a>(verilog: &str, blocks: &[&'a str]) -> Option<&'a str> {
    let modules = verilog.lines().filter_map(|line| {
        let name = line.strip_prefix("module ")?;
        name.split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    });
    let modules: Vec<&str> = modules.collect();
    let mut blocks = blocks.iter().copied();
    blocks.find(|block| !modules.contains(block))
}

/// Of each module the better of two netlists; then `netlist.json` is one module.
///
/// `other`: the second netlist, if there is one.
pub(crate) fn join(
    yosys: &Tool,
    dir: &Path,
    top: &str,
    other: Option<&str>,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    let read = |name: &str| -> Result<Value> {
        let text = fs::read_to_string(dir.join(name)).with_context(|| format!("reading {name}"))?;
        serde_json::from_str(&text).with_context(|| format!("reading {name}"))
    };
    let mut netlist = read("netlist.json")?;
    if let Some(other) = other {
        let other = read(other)?;
        replace_longer(&mut netlist, &other);
    }
    // Without the cells that Yosys keeps as modules of its own.
    let own = |module: &str| module.trim_start_matches('\\').starts_with('$');
    for (module, longest) in of_modules(&netlist) {
        if own(&module) {
            continue;
        }
        progress(&format!(
            "{module}: longest path by an estimate {longest:.1} ns"
        ));
    }
    fs::write(dir.join("blocks.json"), netlist.to_string()).context("writing blocks.json")?;
    drop(netlist);
    let script = format!(
        "read_json blocks.json\nsetattr -mod -unset keep_hierarchy *\nhierarchy -top {top}\nflatten\nopt_clean\n{NETLIST}\n"
    );
    tool::run_yosys(yosys, dir, "join", &script, &["netlist.json"])?;
    let longest = of_modules(&read("netlist.json")?)
        .into_iter()
        .fold(0.0, |longest, (_, path)| path.max(longest));
    progress(&format!(
        "{top}: longest path by an estimate {longest:.1} ns, between blocks too"
    ));
    Ok(())
}

/// Modules whose longest path is shorter in the other netlist come from there.
fn replace_longer(netlist: &mut Value, other: &Value) {
    let mine = of_modules(netlist);
    for (module, theirs) in of_modules(other) {
        let longer = mine.iter().any(|(m, path)| *m == module && *path > theirs);
        if longer {
            netlist["modules"][&module] = other["modules"][&module].clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// So many LUTs one behind the other, then a register.
    fn chain(luts: u64) -> Value {
        let mut cells = serde_json::Map::new();
        for n in 0..luts {
            cells.insert(
                format!("lut{n}"),
                json!({
                    "type": "LUT4",
                    "port_directions": {"A": "input", "Z": "output"},
                    "connections": {"A": [n + 2], "Z": [n + 3]},
                }),
            );
        }
        cells.insert(
            "end".into(),
            json!({
                "type": "TRELLIS_FF",
                "port_directions": {"DI": "input", "Q": "output"},
                "connections": {"DI": [luts + 2], "Q": [2]},
            }),
        );
        json!({ "cells": cells })
    }

    #[test]
    fn each_module_comes_from_where_its_path_is_shorter() {
        let mut netlist = json!({"modules": {"a": chain(3), "b": chain(2), "c": chain(1)}});
        let other = json!({"modules": {"a": chain(2), "b": chain(4), "c": chain(1)}});
        replace_longer(&mut netlist, &other);
        let want = json!({"modules": {"a": chain(2), "b": chain(2), "c": chain(1)}});
        assert_eq!(netlist, want);
    }

    #[test]
    fn a_block_that_is_not_there_is_named() {
        let verilog = "module a (x);\nendmodule\nmodule b_c(input x);\nendmodule\n";
        assert_eq!(missing(verilog, &["a", "b_c"]), None);
        assert_eq!(missing(verilog, &["a", "b"]), Some("b"));
        assert_eq!(missing(verilog, &[]), None);
    }

    #[test]
    fn nothing_is_kept_without_blocks() {
        assert_eq!(keep("t", &[]), "");
        assert_eq!(
            keep("t", &["a", "b"]),
            "hierarchy -top t\nsetattr -mod -set keep_hierarchy 1 a b\n"
        );
    }
}
