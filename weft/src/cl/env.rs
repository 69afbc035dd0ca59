//! `weft cl env`: the line by which a loader of OpenCL finds Weft's library (docs/opencl.md).

use crate::cli::ClEnvArgs;
use anyhow::{bail, Context, Result};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use weft_toolbox::Toolbox;

/// A library of the workspace: its package and its file.
pub struct Library {
    package: &'static str,
    file: &'static str,
}

pub const OPENCL: Library = Library {
    package: "weft-opencl",
    file: "libweft_opencl.so",
};
pub const PYTHON: Library = Library {
    package: "weft-python",
    file: "libweft_python.so",
};

/// Builds the library, unless it is to be taken as it is, and prints the line.
pub fn run(args: &ClEnvArgs) -> Result<bool> {
    let library = OPENCL.path(args.as_it_is)?;
    println!("export OCL_ICD_VENDORS={}", quoted(&library));
    Ok(true)
}

impl Library {
    /// Where it is, after it was built unless it is to be taken as it is.
    pub fn path(&self, as_it_is: bool) -> Result<PathBuf> {
        let program = std::env::current_exe().context("where this program is")?;
        let folder = program.parent().context("where this program is")?;
        if !as_it_is {
            self.build(folder)?;
        }
        self.newest(folder).with_context(|| {
            let (folder, file) = (folder.display(), self.file);
            format!("{folder}: no {file}; without --as-it-is it is built")
        })
    }

    /// In the profile of this program, the newest. Cargo copies the libraries of the workspace beside the programs only
    /// when it builds them for their own sake.
    fn newest(&self, folder: &Path) -> Option<PathBuf> {
        let places = [folder.join("deps").join(self.file), folder.join(self.file)];
        let built = |place: &PathBuf| place.metadata().and_then(|file| file.modified()).ok();
        let places = places.into_iter().filter(|place| place.is_file());
        places.max_by_key(built)
    }

    fn build(&self, folder: &Path) -> Result<()> {
        let toolbox = Toolbox::here();
        let mut cargo = toolbox.cargo();
        cargo.args(["build", "--quiet", "--package", self.package]);
        cargo
            .arg("--manifest-path")
            .arg(toolbox.root().join("Cargo.toml"));
        if folder.file_name().is_some_and(|name| name == "release") {
            cargo.arg("--release");
        }
        // Standard output is for what is asked for.
        cargo.stdin(Stdio::null()).stdout(Stdio::null());
        let status = cargo.status().context("starting cargo")?;
        match status.success() {
            true => Ok(()),
            false => bail!("{} does not build", self.file),
        }
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
