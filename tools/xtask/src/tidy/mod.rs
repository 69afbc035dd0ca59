//! `cargo xtask tidy`: what no compiler checks. Each rule reads the files that git tracks and returns what it finds, each with its place.
//!
//! | rule | finds |
//! |---|---|
//! | [`requirements`] | a requirement number that no page defines; one that no code, or no test, cites |
//! | [`paths`] | a path in a page or a comment that does not exist |
//! | [`columns`] | a line over 120 columns |

mod columns;
mod paths;
mod requirements;

use anyhow::{bail, Context, Result};
use std::fmt;
use std::path::Path;
use std::process::Command;

/// A tracked text file.
pub struct Source {
    /// From the root, with `/`.
    pub path: String,
    pub text: String,
}

impl Source {
    /// The lines with their numbers, from 1 on.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line))
    }

    fn is(&self, ending: &str) -> bool {
        self.path.ends_with(ending)
    }

    fn within(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }
}

/// What a rule found.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    pub path: String,
    /// 0: the whole file.
    pub line: usize,
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.text),
            line => write!(f, "{}:{line}: {}", self.path, self.text),
        }
    }
}

/// Runs every rule over the checkout at `root`, prints what they find.
///
/// # Errors
/// Something was found, or git does not tell the files.
pub fn run(root: &Path) -> Result<()> {
    let sources = tracked(root)?;
    let rules: [(&str, Vec<Finding>); 3] = [
        ("requirements", requirements::check(&sources)),
        ("paths", paths::check(&sources, root)),
        ("columns", columns::check(&sources)),
    ];
    let mut count = 0;
    for (rule, findings) in &rules {
        for finding in findings {
            println!("{rule}: {finding}");
        }
        count += findings.len();
    }
    if count > 0 {
        bail!("{count} things to tidy");
    }
    println!("{} files are tidy", sources.len());
    Ok(())
}

/// The text files that git tracks; a file that is not UTF-8 is data.
fn tracked(root: &Path) -> Result<Vec<Source>> {
    let listed = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["ls-files", "-z"])
        .output()
        .context("git ls-files")?;
    if !listed.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    }
    let names =
        String::from_utf8(listed.stdout).context("git ls-files: a name that is not UTF-8")?;
    let read = |path: &str| {
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        let path = path.to_string();
        Some(Source { path, text })
    };
    let sources: Vec<_> = names.split('\0').filter_map(read).collect();
    if sources.is_empty() {
        bail!("git tracks no file below {}", root.display());
    }
    Ok(sources)
}

#[cfg(test)]
fn source(path: &str, text: &str) -> Source {
    Source {
        path: path.into(),
        text: text.into(),
    }
}
