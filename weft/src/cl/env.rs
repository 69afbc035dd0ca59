//! `weft cl env`: the line by which a loader of OpenCL finds Weft's library (docs/opencl.md).

use crate::cli::ClEnvArgs;
use anyhow::{bail, Context, Result};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use weft_toolbox::Toolbox;

/// The library's file.
const LIBRARY: &str = "libweft_opencl.so";

/// Builds the library, unless it is to be taken as it is, and prints the line.
pub fn run(args: &ClEnvArgs) -> Result<bool> {
    let program = std::env::current_exe().context("where this program is")?;
    let folder = program.parent().context("where this program is")?;
    if !args.as_it_is {
        build(folder)?;
    }
    let library = there(folder).with_context(|| {
        let folder = folder.display();
        format!("{folder}: no {LIBRARY}; `weft cl env` without --as-it-is builds it")
    })?;
    println!("export OCL_ICD_VENDORS={}", quoted(&library));
    Ok(true)
}

/// In the profile of this program, the newest. Cargo copies the libraries of the workspace beside the programs only when it
/// builds them for their own sake.
fn there(folder: &Path) -> Option<PathBuf> {
    let places = [folder.join("deps").join(LIBRARY), folder.join(LIBRARY)];
    let built = |place: &PathBuf| place.metadata().and_then(|file| file.modified()).ok();
    let places = places.into_iter().filter(|place| place.is_file());
    places.max_by_key(built)
}

fn build(folder: &Path) -> Result<()> {
    let toolbox = Toolbox::here();
    let mut cargo = toolbox.cargo();
    cargo.args([
        "build",
        "--quiet",
        "--package",
        "weft-opencl",
        "--manifest-path",
    ]);
    cargo.arg(toolbox.root().join("Cargo.toml"));
    if folder.file_name().is_some_and(|name| name == "release") {
        cargo.arg("--release");
    }
    // The line alone is for the shell.
    cargo.stdin(Stdio::null()).stdout(Stdio::null());
    let status = cargo.status().context("starting cargo")?;
    match status.success() {
        true => Ok(()),
        false => bail!("{LIBRARY} does not build"),
    }
}

/// For a shell; plain where nothing needs quotes.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_the_line() {
        assert_eq!(quoted(Path::new("/a/b-c.so")), "/a/b-c.so");
        assert_eq!(quoted(Path::new("/my $a/it's")), r"'/my $a/it'\''s'");
    }
}
