//! Running Verilator as a lint.

use crate::export::Verilog;
use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;
use weft_toolbox::{Toolbox, Verilator};
use weft_verilog::{Waiver, WAIVERS};

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

fn covers(waiver: &Waiver, code: &str, message: &str) -> bool {
    waiver.code == code && matches(waiver.message, message)
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|t| {
            (0..=t.len()).any(|i| t.is_char_boundary(i) && matches(rest, &t[i..]))
        }),
    }
}

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
    WAIVERS.iter().find(|w| covers(w, code, message)).copied()
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
