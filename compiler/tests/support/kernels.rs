//! The kernels of the repository whose threads do not race.

use super::judge::{Inputs, Subject};
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every assembly source of `kernels/`, and its text.
pub fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["kernels", "kernels/masks"] {
        let entries = std::fs::read_dir(root().join(folder))
            .expect("kernels")
            .flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.extension().is_some_and(|e| e == "s" || e == "asm") {
                let name = path
                    .file_name()
                    .expect("a file")
                    .to_string_lossy()
                    .into_owned();
                found.push((name, std::fs::read_to_string(&path).expect("text")));
            }
        }
    }
    found.sort();
    found
}

fn words(file: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(root().join("kernels/data").join(file)).expect("data");
    let numbers = text
        .lines()
        .flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace());
    numbers
        .flat_map(|n| n.parse::<u32>().expect("a number").to_le_bytes())
        .collect()
}

/// Kernels whose results do not depend on the order of the threads.
pub fn race_free() -> Vec<Subject> {
    let text = || {
        vec![(
            "text".to_string(),
            std::fs::read(root().join("kernels/data/gettysburg")).expect("text"),
        )]
    };
    let graph = || {
        vec![
            ("rows".to_string(), words("karate_rows.txt")),
            ("columns".to_string(), words("karate_columns.txt")),
        ]
    };
    let kernel = |name: &str, inputs: Inputs, outputs: &[(&str, u32)]| Subject {
        name: name.into(),
        source: std::fs::read_to_string(root().join("kernels").join(name)).expect("a kernel"),
        inputs,
        outputs: outputs
            .iter()
            .map(|(symbol, bytes)| (symbol.to_string(), *bytes))
            .collect(),
        waits: false,
    };
    vec![
        kernel("bfs.s", graph(), &[("distance", 1156)]),
        kernel("collatz.s", vec![], &[("steps", 4096)]),
        kernel("collatz_tokens.s", vec![], &[("steps", 4096)]),
        kernel(
            "gcd.s",
            vec![("pairs".into(), words("pairs.txt"))],
            &[("divisor", 4096)],
        ),
        kernel("histogram.s", text(), &[("letters", 104), ("others", 4)]),
        kernel("recursion.s", vec![], &[("result", 4096)]),
        kernel("nested.asm", vec![], &[("result", 4096)]),
        kernel("calls.asm", vec![], &[("result", 4096)]),
    ]
}
