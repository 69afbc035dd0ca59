//! The longest path of a mapped netlist, before it is placed: an estimate, to choose between two netlists of one design.

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use std::collections::hash_map::Entry;
use std::collections::HashMap;

// Nanoseconds on an ECP5 of speed grade 6, from placements of the SM's blocks; a placed path takes 0.82 to 1.06 of the
// estimate.
const WIRE: f64 = 0.95;
const LUT: f64 = 0.24;
const INTO_CARRY: f64 = 0.45;
const CARRY: f64 = 0.07;
const OUT_OF_CARRY: f64 = 0.45;
const PRODUCT: f64 = 3.5;
const REGISTER: f64 = 0.52;
const BLOCK_RAM: f64 = 5.6;

/// Nanoseconds of the longest path from register to register in any module of a netlist for the ECP5, which is Yosys's
/// JSON. Instances of other modules, and kinds of cells that are not known, count as registers.
///
/// # Errors
/// Text that is no such netlist.
pub(crate) fn longest_path(netlist: &str) -> Result<f64> {
    let netlist: Value = serde_json::from_str(netlist).context("reading Yosys's netlist")?;
    let modules = netlist["modules"]
        .as_object()
        .context("Yosys's netlist has no modules")?;
    let longest = |module: &Value| module["cells"].as_object().map(of_module);
    Ok(modules.values().filter_map(longest).fold(0.0, f64::max))
}

/// Of each module that has a path: its name and its longest one.
pub(crate) fn of_modules(netlist: &Value) -> Vec<(String, f64)> {
    let modules = netlist["modules"].as_object().into_iter().flatten();
    let longest = modules.filter_map(|(name, module)| {
        let longest = module["cells"].as_object().map(of_module)?;
        (longest > 0.0).then(|| (name.clone(), longest))
    });
    longest.collect()
}

/// Number of a wire of one bit.
type Wire = u64;

/// Inputs, each with what the way from there takes.
type Ways = Vec<(Wire, f64)>;

/// What an output depends on in the same cycle.
struct Driver {
    inputs: Ways,
    /// Of a register's output: after the clock's edge.
    start: f64,
}

fn of_module(cells: &Map<String, Value>) -> f64 {
    let mut drivers: HashMap<Wire, Driver> = HashMap::new();
    let mut ends: Vec<Wire> = Vec::new();
    for cell in cells.values() {
        add_cell(cell, &mut drivers, &mut ends);
    }
    // Depth first without recursion: a carry chain beside many gates is deeper than a stack.
    let mut arrivals: HashMap<Wire, f64> = HashMap::new();
    let mut longest = 0.0f64;
    for end in ends {
        let mut stack = vec![(end, false)];
        while let Some((wire, ready)) = stack.pop() {
            let Some(driver) = drivers.get(&wire) else {
                continue;
            };
            if ready {
                let latest = driver.inputs.iter();
                let latest = latest.map(|(from, way)| arrivals.get(from).unwrap_or(&0.0) + way);
                arrivals.insert(wire, latest.fold(driver.start, f64::max));
            } else if let Entry::Vacant(arrival) = arrivals.entry(wire) {
                // A loop, which no good netlist has, would end here.
                arrival.insert(driver.start);
                stack.push((wire, true));
                stack.extend(driver.inputs.iter().map(|(from, _)| (*from, false)));
            }
        }
        longest = longest.max(arrivals.get(&end).unwrap_or(&0.0) + WIRE);
    }
    longest
}

fn add_cell(cell: &Value, drivers: &mut HashMap<Wire, Driver>, ends: &mut Vec<Wire>) {
    let kind = cell["type"].as_str().unwrap_or_default();
    let wires = |port: &str| -> Vec<Wire> {
        let bits = cell["connections"][port].as_array();
        let bits = bits.map(|bits| bits.iter().filter_map(Value::as_u64).collect());
        bits.unwrap_or_default()
    };
    let from = |ports: &[&str], way: f64| -> Ways {
        let wires = ports.iter().flat_map(|port| wires(port));
        wires.map(|wire| (wire, way)).collect()
    };
    let Some(directions) = cell["port_directions"].as_object() else {
        return;
    };
    for (port, direction) in directions {
        let port = port.as_str();
        if direction != "output" {
            let combinational = match kind {
                "LUT4" | "CCU2C" | "PFUMX" | "L6MUX21" | "MULT18X18D" => true,
                "TRELLIS_DPR16X4" => port == "RAD",
                _ => port.starts_with("CLK"),
            };
            if !combinational {
                ends.extend(wires(port));
            }
            continue;
        }
        let (inputs, start) = match (kind, port) {
            ("LUT4", _) => (from(&["A", "B", "C", "D"], WIRE + LUT), 0.0),
            ("PFUMX", _) => (from(&["ALUT", "BLUT", "C0"], WIRE + LUT), 0.0),
            ("L6MUX21", _) => (from(&["D0", "D1", "SD"], WIRE + LUT), 0.0),
            ("TRELLIS_DPR16X4", _) => (from(&["RAD"], WIRE + LUT), 0.0),
            ("CCU2C", "S0") => (carry(&from, &["A0", "B0", "C0", "D0"], OUT_OF_CARRY), 0.0),
            ("CCU2C", "S1") => (carry(&from, BOTH, OUT_OF_CARRY), 0.0),
            ("CCU2C", _) => (carry(&from, BOTH, 0.0), 0.0),
            ("MULT18X18D", _) => {
                let operands = directions.keys().map(String::as_str);
                let operands = operands.filter(|p| is_operand(p)).collect::<Vec<_>>();
                (from(&operands, WIRE + PRODUCT), 0.0)
            }
            ("DP16KD" | "PDPW16KD", _) => (Vec::new(), BLOCK_RAM),
            _ => (Vec::new(), REGISTER),
        };
        for wire in wires(port) {
            let inputs = inputs.clone();
            drivers.insert(wire, Driver { inputs, start });
        }
    }
}

const BOTH: &[&str] = &["A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"];

/// The ways through a carry: from its operands, and along the chain.
fn carry(from: &dyn Fn(&[&str], f64) -> Ways, operands: &[&str], out: f64) -> Ways {
    let mut ways = from(operands, WIRE + INTO_CARRY);
    ways.extend(from(&["CIN"], CARRY + out));
    ways
}

/// Bits of a multiplier's operands: `A0`, `B17`.
fn is_operand(port: &str) -> bool {
    let number = port.strip_prefix(['A', 'B']);
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cell(kind: &str, inputs: &[(&str, u64)], outputs: &[(&str, u64)]) -> Value {
        let mut directions = Map::new();
        let mut connections = Map::new();
        for (ports, direction) in [(inputs, "input"), (outputs, "output")] {
            for (port, wire) in ports {
                directions.insert(port.to_string(), json!(direction));
                connections.insert(port.to_string(), json!([wire]));
            }
        }
        json!({"type": kind, "port_directions": directions, "connections": connections})
    }

    fn estimate(cells: &[Value]) -> f64 {
        let named = cells.iter().enumerate();
        let cells: Map<_, _> = named.map(|(i, c)| (format!("c{i}"), c.clone())).collect();
        longest_path(&json!({"modules": {"top": {"cells": cells}}}).to_string()).unwrap()
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found} for {wanted}");
    }

    /// Register, two gates, register; then what is longer: a block RAM, a carry chain, a loop that ends nowhere.
    #[test]
    fn the_longest_way_counts() {
        let register = cell("TRELLIS_FF", &[("CLK", 1), ("DI", 5)], &[("Q", 2)]);
        let gates = [
            cell("LUT4", &[("A", 2)], &[("Z", 4)]),
            cell("LUT4", &[("A", 2), ("B", 4)], &[("Z", 5)]),
        ];
        let mut cells = vec![register];
        cells.extend(gates);
        near(estimate(&cells), REGISTER + 2.0 * (WIRE + LUT) + WIRE);
        cells.push(cell("DP16KD", &[("CLKA", 1), ("ADA0", 2)], &[("DOB0", 6)]));
        cells.push(cell("TRELLIS_FF", &[("CLK", 1), ("DI", 6)], &[("Q", 7)]));
        near(estimate(&cells), BLOCK_RAM + WIRE);
        cells.push(cell("CCU2C", &[("A0", 6), ("CIN", 9)], &[("COUT", 8)]));
        cells.push(cell("CCU2C", &[("A0", 2), ("CIN", 8)], &[("S1", 10)]));
        cells.push(cell("TRELLIS_FF", &[("DI", 10)], &[("Q", 11)]));
        let chain = BLOCK_RAM + WIRE + INTO_CARRY + CARRY + OUT_OF_CARRY + WIRE;
        near(estimate(&cells), chain);
        cells.push(cell("LUT4", &[("A", 13)], &[("Z", 12)]));
        cells.push(cell("LUT4", &[("A", 12)], &[("Z", 13)]));
        near(estimate(&cells), chain);
    }

    #[test]
    fn other_text_is_refused() {
        assert!(longest_path("{}").is_err());
        assert!(longest_path("no netlist").is_err());
    }
}
