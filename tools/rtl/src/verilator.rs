//! Running Verilator as a lint.

use crate::export::Verilog;
use crate::paths;
use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;
use weft_toolbox::{Hash, Toolbox, Verilator};

/// The Verilator of this checkout, as `weft-toolbox` finds it.
///
/// # Errors
/// There is none that is new enough.
pub fn verilator() -> Result<&'static Verilator, String> {
    static FOUND: OnceLock<Option<Verilator>> = OnceLock::new();
    FOUND
        .get_or_init(|| Toolbox::here().verilator())
        .as_ref()
        .ok_or_else(|| {
            format!(
                "no Verilator from {} on; `cargo xtask setup` installs one",
                Verilator::OLDEST
            )
        })
}

/// Standard output and standard error together.
pub(crate) fn text_of(o: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&o.stdout),
        String::from_utf8_lossy(&o.stderr)
    )
}

/// What Verilator says about a design.
#[derive(Clone, Debug, Default)]
pub struct LintReport {
    /// Warnings and errors.
    pub messages: Vec<String>,
}

impl LintReport {
    pub fn is_clean(&self) -> bool {
        self.messages.is_empty()
    }
}

const LINT: [&str; 3] = ["--lint-only", "-Wall", "--no-timing"];

/// Run `verilator --lint-only -Wall`, without a waiver: what the text has to be forgiven, it says itself, at its place,
/// with the reason. `Err` only when the tool is missing or does not run.
///
/// A text that was clean is not asked about again: an empty file in `target/weft-rtl/clean` says so, by its content.
pub fn verilator_lint(v: &Verilog) -> Result<LintReport, String> {
    let tool = verilator()?;
    let clean = paths::target_dir().join("weft-rtl/clean");
    std::fs::create_dir_all(&clean).map_err(|e| format!("{}: {e}", clean.display()))?;
    let clean = clean.join(format!("{}-{}", v.top, key(tool, v).and(LINT.join(" "))));
    if clean.exists() {
        return Ok(LintReport::default());
    }
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let files = write_files(v, dir.path())?;
    let out = tool
        .command()
        .current_dir(dir.path())
        .args(LINT)
        .args(["--top-module", &v.top])
        .args(files)
        .output()
        .map_err(|e| format!("{}: {e}", tool.bin.display()))?;
    let text = text_of(&out);
    let messages = text.lines().filter(|line| line.starts_with('%'));
    let messages = messages.filter(|line| !line.starts_with("%Error: Exiting due to"));
    let report = LintReport {
        messages: messages.map(String::from).collect(),
    };
    if report.is_clean() && !out.status.success() {
        return Err(format!("{} failed:\n{text}", tool.bin.display()));
    }
    if report.is_clean() {
        std::fs::write(&clean, "").map_err(|e| format!("{}: {e}", clean.display()))?;
    }
    Ok(report)
}

/// Of a design and the Verilator that reads it.
pub(crate) fn key(tool: &Verilator, v: &Verilog) -> Hash {
    let hash = Hash::default().and(&tool.version);
    let hash = hash.and(tool.root.as_os_str().as_encoded_bytes());
    let files = v.files();
    files.iter().fold(hash.and(&v.top), |hash, (name, text)| {
        hash.and(name).and(text)
    })
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
