//! Running cargo with the chosen Verilator.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use weft_toolbox::Toolbox;

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

/// The build script of `verilated` does not notice that another Verilator is used, and models of one do not link with the
/// runtime of another. So both are built anew then.
pub fn forget_other_verilator(toolbox: &Toolbox) -> Result<()> {
    let Some(verilator) = toolbox.verilator() else {
        return Ok(());
    };
    let target = target_dir(toolbox);
    let note = target.join("verilator-used");
    let now = verilator.fingerprint();
    match fs::read_to_string(&note) {
        Ok(before) if before == now => return Ok(()),
        Ok(_) => clean(toolbox)?,
        // Nothing is known of what has been built; a new directory has nothing in it.
        Err(_) if target.join("debug/deps").exists() || target.join("release/deps").exists() => {
            clean(toolbox)?
        }
        Err(_) => {}
    }
    fs::write(&note, now).with_context(|| format!("writing {}", note.display()))
}

fn clean(toolbox: &Toolbox) -> Result<()> {
    for profile in ["dev", "release"] {
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
            // A package that is not in the lock file yet is an error of no interest.
            let _ = cargo.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
    }
    Ok(())
}
