//! What an example's bench has recorded of a unit under Icarus.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Bits of a port, the highest one first: `0`, `1`, `x`, `z`.
pub type Bits = String;

/// What stood at the ports just before each rising edge of the clock, by cycle.
#[derive(Default)]
pub struct Recording(pub BTreeMap<u64, BTreeMap<String, Bits>>);

impl Recording {
    /// Runs the example with these arguments and reads what it has recorded of `unit`, and what it has said.
    pub fn of(example: &str, unit: &str, arguments: &[&str]) -> (Self, String) {
        let out = tempfile::tempdir().expect("a folder");
        let ran = Command::new(format!("examples/{example}/run.sh"))
            .current_dir(root())
            .args(arguments)
            .env("WEFT", env!("CARGO_BIN_EXE_weft"))
            .env("OUT", out.path())
            .output()
            .expect("starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&ran.stdout);
        assert!(ran.status.success(), "{said}{}", text(&ran.stderr));
        let file = std::fs::File::open(out.path().join("ports.vcd")).expect("a recording");
        let recording = Self::read(vcd::Parser::new(BufReader::new(file)), unit);
        (recording, said)
    }

    fn read(mut parser: vcd::Parser<BufReader<std::fs::File>>, unit: &str) -> Self {
        let header = parser.parse_header().expect("a header");
        let variable = |path: &[&str]| header.find_var(path).expect("a variable").code;
        let (clock, cycle) = (variable(&["bench", "clock"]), variable(&["bench", "cycle"]));
        let scope = header.find_scope(&["bench", unit]).expect("the unit");
        let ports: Vec<(String, vcd::IdCode, usize)> = scope
            .children
            .iter()
            .filter_map(|item| match item {
                vcd::ScopeItem::Var(var) => {
                    Some((var.reference.clone(), var.code, var.size as usize))
                }
                _ => None,
            })
            .collect();

        let mut recording = Self::default();
        let mut now: BTreeMap<vcd::IdCode, Bits> = BTreeMap::new();
        // What has changed at this time; before a rising edge it was what it is in `now`.
        let mut changed: Vec<(vcd::IdCode, Bits)> = Vec::new();
        for command in parser {
            match command.expect("well-formed") {
                vcd::Command::Timestamp(_) => {
                    let rises = changed.iter().any(|(id, bits)| *id == clock && bits == "1");
                    let number = now.get(&cycle).map(|bits| u64::from_str_radix(bits, 2));
                    if let (true, Some(Ok(cycle))) = (rises, number) {
                        let all = ports.iter().map(|(name, id, size)| {
                            let bits = now.get(id).map_or("x", String::as_str);
                            (name.clone(), widened(bits, *size))
                        });
                        recording.0.insert(cycle, all.collect());
                    }
                    now.extend(changed.drain(..));
                }
                vcd::Command::ChangeScalar(id, value) => changed.push((id, value.to_string())),
                vcd::Command::ChangeVector(id, value) => {
                    let bits = value.iter().map(|bit| bit.to_string()).collect();
                    changed.push((id, bits));
                }
                _ => {}
            }
        }
        assert!(
            recording.0.len() > 20,
            "{} cycles of {unit}",
            recording.0.len()
        );
        recording
    }
}

/// A VCD leaves out leading bits: zeros, or what is not known.
fn widened(bits: &str, size: usize) -> Bits {
    let unknown = bits.chars().next().filter(|c| "xz".contains(*c));
    let first = unknown.unwrap_or('0');
    let missing = size.saturating_sub(bits.len());
    first.to_string().repeat(missing) + bits
}
