//! The pages' tables of registers have the same names at the same addresses as the data.

use std::path::Path;
use weft_protocol::{blocks, Sizes};

const MOST: Sizes = Sizes {
    channels: 8,
    sms: 8,
};

/// Rows of tables that begin with an address: address, as written, and name.
fn rows(page: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
    let text = std::fs::read_to_string(&path).expect(page);
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (addresses, names) = (cells[1], cells[2]);
        if !addresses.contains("0x") || cells.len() < 5 {
            continue;
        }
        // `0x14, 0x18 | GRID_X, _Y`: an underscore stands for the beginning of the name before.
        let mut before = String::new();
        for (address, name) in addresses.split(", ").zip(names.split(", ")) {
            let name = match name.strip_prefix('_') {
                Some(end) => format!("{}_{end}", before.rsplit_once('_').map_or("", |(b, _)| b)),
                None => name.to_string(),
            };
            rows.push((address.to_string(), name.clone()));
            before = name;
        }
    }
    rows
}

/// Names in the one row of counters, in the order of their addresses from 0x030 on.
fn counters() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec/host.md");
    let text = std::fs::read_to_string(path).expect("a page");
    let row = text.lines().find(|l| l.starts_with("| 0x030 … 0x04C |"));
    let words = row.expect("a row of counters").split([' ', ',']);
    let named =
        |word: &&str| word.len() > 3 && word.bytes().all(|c| c.is_ascii_uppercase() || c == b'_');
    let names: Vec<String> = words.filter(named).map(String::from).collect();
    assert_eq!(names.len(), 8, "{names:?}");
    names
}

fn hex(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[test]
fn each_register_is_on_its_page() {
    let counters = counters();
    for block in blocks() {
        let pages: &[&str] = match block.name.as_str() {
            "gpu" => &["docs/spec/host.md", "docs/spec/tasks.md"],
            _ => &["docs/spec/memory.md"],
        };
        let rows: Vec<_> = pages.iter().flat_map(|page| rows(page)).collect();
        let has = |at: u32, name: &str| {
            rows.iter()
                .any(|(address, named)| hex(address) == Some(at) && named == name)
        };
        for register in &block.registers {
            let counted = counters.iter().position(|name| *name == register.name);
            if let Some(place) = counted.filter(|_| block.name == "gpu") {
                assert_eq!(register.at, 0x030 + 4 * place as u32, "{}", register.name);
                continue;
            }
            assert!(
                has(register.at, &register.name),
                "{} {:#x}",
                register.name,
                register.at
            );
        }
        for group in &block.groups {
            for register in &group.registers {
                let listed = rows.iter().any(|(address, name)| {
                    let offset = address.trim_start_matches("+ ");
                    let offset = offset.split(" + ").next().and_then(hex);
                    let first = register.at == 0 && offset == Some(group.at);
                    *name == register.name && (first || offset == Some(register.at))
                });
                assert!(
                    listed,
                    "{}: {} {:#x}",
                    group.name, register.name, register.at
                );
            }
        }
    }
}

#[test]
fn each_row_of_the_pages_is_a_register() {
    let blocks = blocks();
    for (page, block) in [
        ("docs/spec/host.md", "gpu"),
        ("docs/spec/tasks.md", "gpu"),
        ("docs/spec/memory.md", "sm"),
    ] {
        let block = blocks.iter().find(|b| b.name == block).expect("a block");
        let of_groups = || block.groups.iter().flat_map(|group| &group.registers);
        let mut found = 0;
        for (address, name) in rows(page) {
            let Some(at) = hex(&address) else { continue };
            let mut all = block.registers.iter().chain(of_groups());
            let known = all.any(|register| register.name == name && register.at == at);
            assert!(
                known,
                "{page}: {name} at {address} is not in registers.toml"
            );
            found += 1;
        }
        assert!(found > 10, "{page}: {found}");
    }
    assert!(blocks[0].all(MOST).len() > 120);
}
