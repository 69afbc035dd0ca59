//! Looking for programs and asking them who they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The first executable file of that name on PATH.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|file| is_executable(file))
}

pub(crate) fn is_executable(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.metadata()
            .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        file.is_file()
    }
}

/// What a tool prints, standard output and standard error together, when it starts at all.
pub(crate) fn banner(program: &Path, argument: &str) -> Option<String> {
    let output = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Some(text)
}
