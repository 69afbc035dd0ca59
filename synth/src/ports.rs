//! The ports of a module, as Yosys reads them.

use crate::tool;
use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::path::Path;
use weft_toolbox::{Tool, Toolbox};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
}

/// One port of a module, in the order of its declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Port {
    pub name: String,
    pub direction: Direction,
    pub width: usize,
}

/// The ports of module `top`.
pub fn ports(verilog: &str, top: &str) -> Result<Vec<Port>> {
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    tool::in_scratch(&toolbox, verilog, |dir| read(&yosys, dir, top))
}

/// The same for `design.v` in a work directory.
pub(crate) fn read(yosys: &Tool, dir: &Path, top: &str) -> Result<Vec<Port>> {
    let script = format!(
        "read_verilog design.v\nhierarchy -check -top {top}\nproc\nwrite_json ports.json\n"
    );
    tool::run_yosys(yosys, dir, "ports", &script, &["ports.json"])?;
    parse(&fs::read_to_string(dir.join("ports.json"))?, top)
}

fn parse(json: &str, top: &str) -> Result<Vec<Port>> {
    let design: Value = serde_json::from_str(json).context("reading Yosys's JSON")?;
    let Some(ports) = design["modules"][top]["ports"].as_object() else {
        bail!("there is no module {top:?} in the Verilog");
    };
    let port = |(name, value): (&String, &Value)| {
        let direction = match value["direction"].as_str() {
            Some("input") => Direction::Input,
            Some("output") => Direction::Output,
            other => bail!(
                "port {name} of {top} is {}; only inputs and outputs can be measured",
                other.unwrap_or("?")
            ),
        };
        let bits = value["bits"]
            .as_array()
            .with_context(|| format!("port {name} has no bits"))?;
        Ok(Port {
            name: name.clone(),
            direction,
            width: bits.len(),
        })
    };
    ports.iter().map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_yosys_json() {
        let json = r#"{ "creator": "Yosys 0.70", "modules": { "top": { "attributes": { "top": "1" }, "ports": {
            "clock": { "direction": "input", "bits": [ 2 ] },
            "bus$data": { "direction": "input", "bits": [ 3, 4, 5 ] },
            "sum": { "direction": "output", "bits": [ 6, "0" ] } }, "cells": {} } } }"#;
        let ports = parse(json, "top").unwrap();
        let port = |name: &str| ports.iter().find(|p| p.name == name).unwrap();
        assert_eq!(
            (port("clock").direction, port("clock").width),
            (Direction::Input, 1)
        );
        assert_eq!(
            (port("bus$data").direction, port("bus$data").width),
            (Direction::Input, 3)
        );
        assert_eq!(
            (port("sum").direction, port("sum").width),
            (Direction::Output, 2)
        );
        assert!(parse(json, "other")
            .unwrap_err()
            .to_string()
            .contains("no module \"other\""));
        let both = json.replace("\"output\"", "\"inout\"");
        assert!(parse(&both, "top")
            .unwrap_err()
            .to_string()
            .contains("inout"));
    }
}
