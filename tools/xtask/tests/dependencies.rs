//! What the project takes from others: from crates.io only, and under licences that ask for no more than to be named.
//!
//! *Why not `cargo deny`:* it is half an hour of compiling on a fresh machine, and the only wheel of it is older than what
//! cargo prints today. Whoever has it installed asks it for advisories besides: `cargo deny check advisories`.

use serde_json::{json, Value};
use spdx::{Expression, ParseMode};
use std::process::Command;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Of an expression such as `MIT OR Apache-2.0` one side is enough.
const LICENCES: [&str; 8] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "Unicode-3.0",
];

#[test]
fn what_is_taken_from_others_is_free_and_from_one_registry() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked"]);
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (count, refused) = judge(&serde_json::from_slice(&output.stdout).unwrap());
    assert!(count > 100, "{count} packages of others");
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// How many packages of others there are, and what is wrong with some of them.
fn judge(metadata: &Value) -> (usize, Vec<String>) {
    let packages = metadata["packages"].as_array().expect("packages");
    let mut refused = Vec::new();
    let mut count = 0;
    for package in packages {
        let text = |key: &str| package[key].as_str();
        let Some(source) = text("source") else {
            // Of this repository.
            continue;
        };
        count += 1;
        let mut refuse = |why: String| {
            let (name, version) = (text("name"), text("version"));
            let (name, version) = (name.unwrap_or("?"), version.unwrap_or("?"));
            refused.push(format!("{name} {version}: {why}"));
        };
        if source != REGISTRY {
            refuse(format!("is from {source}, not from crates.io"));
        }
        match text("license") {
            None => refuse("names no licence".into()),
            Some(licence) if !allowed(licence) => {
                refuse(format!("licence {licence} is not in {LICENCES:?}"));
            }
            Some(_) => {}
        }
    }
    (count, refused)
}

fn allowed(licence: &str) -> bool {
    // The old form of OR.
    let mode = ParseMode {
        allow_slash_as_or_operator: true,
        ..ParseMode::STRICT
    };
    Expression::parse_mode(licence, mode).is_ok_and(|expression| {
        expression.evaluate(|required| {
            // An exception only takes conditions away.
            let id = required.license.id();
            id.is_some_and(|id| LICENCES.contains(&id.name))
        })
    })
}

#[test]
fn one_side_of_or_is_enough_and_both_of_and_are_needed() {
    for licence in [
        "MIT",
        "MIT/Apache-2.0",
        "Unlicense OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception",
        "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
    ] {
        assert!(allowed(licence), "{licence}");
    }
    for licence in ["GPL-3.0-only", "MIT AND LGPL-2.1-or-later", "", "free"] {
        assert!(!allowed(licence), "{licence}");
    }
}

#[test]
fn what_is_from_elsewhere_or_without_a_licence_is_named() {
    let metadata = json!({"packages": [
        {"name": "weft", "version": "1.0.0", "source": null, "license": null},
        {"name": "good", "version": "1.0.0", "source": REGISTRY, "license": "MIT"},
        {"name": "far", "version": "2.0.0", "source": "git+https://example.org/far", "license": "MIT"},
        {"name": "silent", "version": "3.0.0", "source": REGISTRY, "license": null},
        {"name": "strict", "version": "4.0.0", "source": REGISTRY, "license": "AGPL-3.0-only"},
    ]});
    let (count, refused) = judge(&metadata);
    assert_eq!(count, 4);
    let names: Vec<_> = refused.iter().map(|line| line.split(' ').next()).collect();
    assert_eq!(names, [Some("far"), Some("silent"), Some("strict")]);
}
