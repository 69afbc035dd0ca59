//! `cargo xtask tidy`: what no compiler checks. Each rule reads the files that git tracks and returns what it finds,
//! each with its place.
//!
//! | rule | finds | in the gate |
//! |---|---|---|
//! | numbers ([`requirements`]) | a requirement number that no page defines, or two define | yes |
//! | paths ([`paths`]) | a path in a page or a comment that does not exist | yes |
//! | arrows ([`arrows`]) | a crate or a room that uses what is not open to it, and circles | yes |
//! | habits ([`habits`]) | a crate that does not forbid `unsafe`, a file that names rust-hdl | yes |
//! | words ([`words`]) | a word that makes a reader stop and is on the pages more often than before, or a README of over 900 words | yes |
//! | positions ([`wires`]) | a block with more than eight parameters by position | yes |
//! | copies ([`wires`]) | more values that only go from one place to another than are recorded | yes |
//! | coverage ([`requirements`]) | a requirement that no code, or no test and no proof, cites | with `--all` |
//! | columns ([`columns`]) | a line over 120 columns | with `--all` |

mod arrows;
mod columns;
mod figures;
mod habits;
mod paths;
mod requirements;
mod siblings;
mod wires;
mod words;

use anyhow::{bail, Context, Result};
use std::fmt;
use std::io;
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

/// A rule: its name, whether the gate holds it, and what it finds.
type Rule = (&'static str, bool, fn(&[Source], &Path) -> Vec<Finding>);

const RULES: [Rule; 11] = [
    ("numbers", true, |sources, _| requirements::known(sources)),
    ("rules", true, |sources, _| requirements::apart(sources)),
    ("paths", true, paths::check),
    ("arrows", true, |sources, _| arrows::check(sources)),
    ("siblings", true, |sources, _| siblings::check(sources)),
    ("habits", true, |sources, _| habits::check(sources)),
    ("words", true, |sources, _| words::check(sources)),
    ("positions", true, |sources, _| wires::positions(sources)),
    ("copies", true, |sources, _| wires::copies(sources)),
    // Not held by the gate yet: there is much to mend from before the rules.
    ("coverage", false, |sources, _| {
        requirements::covered(sources)
    }),
    ("columns", false, |sources, _| columns::check(sources)),
];

/// Runs the rules over the checkout at `root` and prints what they find; `all`: also those that the gate does not hold.
///
/// # Errors
/// Something was found, or git does not tell the files.
pub fn run(root: &Path, all: bool) -> Result<()> {
    let sources = tracked(root)?;
    let mut count = 0;
    for (rule, _, find) in RULES.iter().filter(|(_, held, _)| all || *held) {
        let findings = find(&sources, root);
        for finding in &findings {
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

/// Prints how large the sources of the hardware are, and the arrows.
///
/// # Errors
/// Git does not tell the files; the figures cannot be written.
pub fn figures(root: &Path) -> Result<()> {
    match figures::write(&tracked(root)?, &mut io::stdout().lock()) {
        // Nobody reads on.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
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
