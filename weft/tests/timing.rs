//! The timing pictures of `docs/spec` show what the examples do: each one is compared with a recording under Icarus,
//! and its drawing with its source. Those of the work queue are recorded by `testbench/tests/gpu.rs`.
//!
//! A picture in `docs/timing` is a JSON file for [WaveDrom](https://wavedrom.com), and an SVG file made of it.
//! After a change of a source: `WEFT_DRAW=1 cargo test -p weft --test timing`. What differs is told with the recorded
//! wave.

mod recording;

use recording::{root, Bits, Recording};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use weft_toolbox::which;

/// Picture, example, and the unit in the example's bench; it begins in cycle `head.tick`, or counts from so many cycles
/// before this port is 1 for the first time, so that it lasts when the unit becomes faster.
type Picture = (
    &'static str,
    &'static str,
    &'static str,
    Option<(&'static str, u64)>,
);
const PICTURES: [Picture; 6] = [
    ("launch", "control", "control", None),
    ("core_issue", "core", "core", None),
    ("core_control", "core", "core", None),
    ("sm_launch", "sm", "sm", Some(("busy", 8))),
    ("sm_read", "sm", "sm", Some(("axi_arvalid", 1))),
    ("sm_write", "sm", "sm", Some(("axi_awvalid", 1))),
];

/// Values of `resolve_op` by the names of docs/spec/convergence.md.
const OPERATIONS: [(&str, u64); 2] = [("NEXT", 0), ("PUSH", 3)];

/// All sources, whoever records them.
fn drawn() -> Vec<String> {
    let folder = std::fs::read_dir(root().join("docs/timing")).expect("a folder");
    let paths = folder.map(|entry| entry.expect("an entry").path());
    let mut names: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
        .collect();
    names.sort();
    names
}

fn source(picture: &str) -> String {
    let path = root().join(format!("docs/timing/{picture}.json"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Recording {
    fn bits(&self, cycle: u64, port: &str) -> &str {
        let ports = self
            .0
            .get(&cycle)
            .unwrap_or_else(|| panic!("cycle {cycle} is not recorded"));
        ports
            .get(port)
            .unwrap_or_else(|| panic!("{port} is not a port"))
    }

    /// The first cycle in which this port is 1.
    fn first(&self, port: &str) -> u64 {
        let first = self.0.iter().find(|(_, ports)| ports[port] == "1");
        *first.unwrap_or_else(|| panic!("{port} is never 1")).0
    }

    /// Bits of the instruction at this address, of the line that was brought.
    fn word(&self, address: usize) -> &str {
        let cycle = self.0.iter().find(|(_, ports)| ports["line_valid"] == "1");
        let line = &cycle.expect("a line").1["line_data"];
        &line[line.len() - 32 * (address + 1)..line.len() - 32 * address]
    }

    /// The decoded form with which the instruction at this address was issued.
    fn decoded(&self, address: usize) -> &str {
        let cycle = self.0.values().find(|ports| {
            ports["issue_valid"] == "1"
                && u64::from_str_radix(&ports["issue_pc"], 2) == Ok(address as u64)
        });
        &cycle.expect("an issue")["issue_decoded"]
    }

    /// The bits that a label of this port means.
    fn meant(&self, port: &str, label: &str, width: usize) -> Bits {
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        if let Some(address) = label.strip_prefix("word ").and_then(number) {
            return match port {
                "decode_word0" | "decode_word1" => self.word(address as usize).into(),
                "decode0" | "decode1" => self.decoded(address as usize).into(),
                _ => panic!("{port} has no words"),
            };
        }
        let named = OPERATIONS.iter().find(|(name, _)| *name == label);
        let value = named.map(|(_, value)| *value).or_else(|| number(label));
        let value = value.unwrap_or_else(|| panic!("{port}: what is {label}?"));
        format!("{value:0width$b}")
    }
}

/// Compares one wave; what it says first is what differs.
fn compare(recording: &Recording, start: u64, signal: &Json) -> Result<(), String> {
    let Some(name) = signal["name"].as_str() else {
        return Ok(());
    };
    let wave = signal["wave"].as_str().expect("a wave");
    if wave.starts_with('p') {
        return Ok(());
    }
    let mut labels = signal["data"].as_array().into_iter().flatten();
    let (mut expected, mut known) = (String::new(), false);
    for (offset, symbol) in wave.chars().enumerate() {
        let cycle = start + offset as u64;
        let bits = recording.bits(cycle, name);
        match symbol {
            '.' => {}
            'x' => known = false,
            '0' | '1' => (expected, known) = (symbol.to_string(), true),
            '2'..='9' | '=' => {
                let label = labels.next().and_then(Json::as_str).expect("a label");
                (expected, known) = (recording.meant(name, label, bits.len()), true);
            }
            other => panic!("{name}: {other} is not used in these pictures"),
        }
        if known && bits != expected {
            let all: Vec<&str> = (0..wave.len() as u64)
                .map(|i| recording.bits(start + i, name))
                .collect();
            return Err(format!(
                "{name} in cycle {cycle} is {bits}, drawn {expected}; recorded: {}",
                all.join(" ")
            ));
        }
    }
    Ok(())
}

#[test]
fn pictures_show_what_was_recorded() {
    if which("iverilog").is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the CI has to have iverilog"
        );
        eprintln!("skipped: there is no iverilog");
        return;
    }
    let mut recordings = BTreeMap::new();
    let mut wrong = Vec::new();
    for (picture, example, unit, from) in PICTURES {
        let recording = recordings
            .entry(example)
            .or_insert_with(|| Recording::of(example, unit, &["+alone", "+vcd"]).0);
        let json: Json = serde_json::from_str(&source(picture)).expect("JSON");
        let start = match from {
            None => json["head"]["tick"].as_u64().expect("a first cycle"),
            Some((port, before)) => recording.first(port) - before,
        };
        let signals = json["signal"].as_array().expect("signals");
        assert!(signals.len() > 4, "{picture}");
        wrong.extend(signals.iter().filter_map(|signal| {
            let error = compare(recording, start, signal).err()?;
            Some(format!("{picture}: {error}"))
        }));

        // A picture that is late by a cycle is not the recording's.
        let late = |signal: &Json| compare(recording, start + 1, signal).is_err();
        assert!(signals.iter().any(late), "{picture}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pictures_are_drawn_from_their_sources() {
    let all = drawn();
    assert!(PICTURES
        .iter()
        .all(|(name, ..)| all.iter().any(|n| n == name)));
    for picture in &all {
        let figure = wavedrom::Figure::from_json(&source(picture)).expect("WaveJSON");
        let mut drawn = Vec::new();
        figure.assemble().write_svg(&mut drawn).expect("drawn");
        let drawn = String::from_utf8(drawn).expect("text") + "\n";
        let path = root().join(format!("docs/timing/{picture}.svg"));
        if std::env::var_os("WEFT_DRAW").is_some() {
            std::fs::write(&path, &drawn).expect("written");
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        let again = "WEFT_DRAW=1 cargo test -p weft --test timing";
        assert!(
            there == drawn,
            "{picture}.svg is not made of its source: {again}"
        );
    }
}
