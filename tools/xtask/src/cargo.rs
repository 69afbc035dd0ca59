//! Running cargo with the chosen Verilator.

use anyhow::{bail, Context, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use weft_toolbox::{Toolbox, Version};

/// The cargo that runs this program.
pub fn program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// `cargo`, for this workspace, with the environment in which build scripts find the chosen Verilator.
pub fn command(toolbox: &Toolbox) -> Result<Command> {
    let mut command = Command::new(program());
    command.envs(toolbox.verilator_env()?);
    // What cargo tells this program about itself means something else to the build scripts of others.
    for (name, _) in std::env::vars_os() {
        let own = name
            .to_str()
            .is_some_and(|n| n.starts_with("CARGO_PKG_") || n.starts_with("CARGO_MANIFEST_"));
        if own {
            command.env_remove(name);
        }
    }
    Ok(command)
}

/// The directory that cargo builds into. This program lies in its `debug`.
pub fn target_dir(toolbox: &Toolbox) -> PathBuf {
    let own = std::env::current_exe().ok();
    let above = own.as_deref().and_then(Path::parent).and_then(Path::parent);
    above.map_or_else(|| toolbox.root().join("target"), Path::to_path_buf)
}

/// The build script of `verilated` does not notice that another Verilator is used now, and models of one do not link with
/// the runtime of another. So both are built anew then.
pub fn forget_other_verilator(toolbox: &Toolbox) -> Result<()> {
    let Some(now) = toolbox.verilator().and_then(|v| Version::parse(&v.version)) else {
        return Ok(());
    };
    for (directory, profile) in [("debug", "dev"), ("release", "release")] {
        let builds = target_dir(toolbox).join(directory).join("build");
        if !built_with(&builds).iter().any(|version| *version != now) {
            continue;
        }
        for package in ["verilated", "weft-testbench"] {
            let mut cargo = command(toolbox)?;
            cargo.current_dir(toolbox.root()).args([
                "clean",
                "--quiet",
                "--profile",
                profile,
                "--package",
                package,
            ]);
            let status = cargo
                .stdin(Stdio::null())
                .status()
                .context("starting cargo clean")?;
            if !status.success() {
                bail!("what was built with another Verilator could not be removed; `cargo clean` removes everything");
            }
        }
    }
    Ok(())
}

/// The Verilators that the runtimes in a build directory were made with, as the build script of `verilated` said it.
fn built_with(builds: &Path) -> Vec<Version> {
    let entries = fs::read_dir(builds).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .starts_with("verilated-")
    });
    let outputs = ours.filter_map(|entry| fs::read_to_string(entry.path().join("output")).ok());
    outputs
        .filter_map(|output| runtime_version(&output))
        .collect()
}

fn runtime_version(output: &str) -> Option<Version> {
    let number = output
        .lines()
        .find_map(|line| line.strip_prefix("cargo:rustc-cfg=verilator_version="))?;
    Version::parse(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_in_captured_output() {
        let output = "cargo:rustc-cfg=verilator_version=\"5.48\"\nOUT_DIR = Some(/work/target/release/build/verilated-3/out)\n";
        assert_eq!(runtime_version(output), Some(Version(5, 48)));
        assert_eq!(runtime_version("OUT_DIR = None\n"), None);
    }
}
