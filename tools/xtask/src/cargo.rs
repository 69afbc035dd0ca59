//! Running cargo.

use anyhow::Result;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::Toolbox;

/// The cargo that runs this program.
pub fn program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// `cargo`, for this workspace, with the environment in which programs find the chosen Verilator.
pub fn command(toolbox: &Toolbox) -> Result<Command> {
    let mut command = toolbox.cargo();
    command.envs(toolbox.verilator_env()?);
    Ok(command)
}

/// The directory that cargo builds into. This program lies in its `debug`.
pub fn target_dir(toolbox: &Toolbox) -> PathBuf {
    let own = std::env::current_exe().ok();
    let above = own.as_deref().and_then(Path::parent).and_then(Path::parent);
    above.map_or_else(|| toolbox.target_dir(), Path::to_path_buf)
}
