//! Running Verilator as a lint.

use crate::export::Verilog;
use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;
use weft_toolbox::{Toolbox, Verilator};

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

/// Run `verilator --lint-only -Wall`, without a waiver: what the text has to be forgiven, it says itself, at its place,
/// with the reason. `Err` only when the tool is missing or does not run.
pub fn verilator_lint(v: &Verilog) -> Result<LintReport, String> {
    let tool = verilator()?;
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
    let messages = text.lines().filter(|line| line.starts_with('%'));
    let messages = messages.filter(|line| !line.starts_with("%Error: Exiting due to"));
    let report = LintReport {
        messages: messages.map(String::from).collect(),
    };
    if report.is_clean() && !out.status.success() {
        return Err(format!("{} failed:\n{text}", tool.bin.display()));
    }
    Ok(report)
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
