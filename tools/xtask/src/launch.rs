//! `cargo weft ARGS`: builds the program, then becomes it.
//! It needs no external tool: models of the hardware are made by the program when
//! they are first needed.

use crate::cargo;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;
use weft_toolbox::Toolbox;

/// Builds and runs `weft`. Everything said here goes to stderr; the exit code is that of `weft`.
pub fn weft(toolbox: &Toolbox, arguments: &[OsString]) -> ExitCode {
    match build(toolbox) {
        Ok(program) => become_program(toolbox, &program, arguments),
        Err(code) => {
            if arguments.first().is_some_and(|first| first == "doctor") {
                eprintln!("weft does not build; this is what its doctor would say:\n");
                print!("{}", weft_toolbox::render(&toolbox.doctor()));
            }
            code
        }
    }
}

/// Builds the program and returns where it is; the exit code of cargo when that fails.
fn build(toolbox: &Toolbox) -> Result<PathBuf, ExitCode> {
    let program = cargo::target_dir(toolbox)
        .join("release")
        .join(format!("weft{}", std::env::consts::EXE_SUFFIX));
    let mut command = toolbox.cargo();
    command.args(["build", "--release", "--package", "weft", "--manifest-path"]);
    command.arg(toolbox.root().join("Cargo.toml"));
    let first = !program.exists();
    let person = std::io::stderr().is_terminal();
    if first {
        eprintln!("building weft (once; some minutes)");
    }
    let start = Instant::now();
    // Cargo's own progress only then: it also reports that there was nothing to do.
    let status = match first && person {
        true => command.stdin(Stdio::null()).status(),
        false => {
            if person {
                command.arg("--color=always");
            }
            watch(&mut command, person && !first)
        }
    };
    let status = status.map_err(|error| {
        eprintln!("error: starting cargo: {error}");
        ExitCode::FAILURE
    })?;
    if !status.success() {
        return Err(code_of(status.code()));
    }
    if first {
        eprintln!("built weft ({:.0} s)", start.elapsed().as_secs_f64());
    }
    Ok(program)
}

/// Waits for cargo, and passes on what it says but for its progress: that it waits for another cargo command, with
/// `say_so` that something is built, and whatever is wrong.
fn watch(cargo: &mut Command, say_so: bool) -> std::io::Result<ExitStatus> {
    let mut child = cargo.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut told = !say_so;
    for line in child
        .stderr
        .take()
        .into_iter()
        .flat_map(|said| BufReader::new(said).lines())
    {
        match what_is_said(&line?) {
            Said::Waits => eprintln!("waiting for another cargo command in this checkout"),
            Said::Builds if !std::mem::replace(&mut told, true) => {
                eprintln!("building weft (it has changed)");
            }
            Said::Builds | Said::Progress => {}
            Said::Other(line) => eprintln!("{line}"),
        }
    }
    child.wait()
}

#[derive(Debug, PartialEq, Eq)]
enum Said<'a> {
    Waits,
    Builds,
    Progress,
    Other(&'a str),
}

/// A line of cargo's, with colours or without.
fn what_is_said(line: &str) -> Said<'_> {
    // The word stands between escape sequences, which end with an `m`.
    let mut plain = String::new();
    let mut parts = line.split('\u{1b}');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, text)| text));
    }
    match plain.split_whitespace().next() {
        Some("Blocking") => Said::Waits,
        Some("Compiling") => Said::Builds,
        Some(
            "Finished" | "Updating" | "Locking" | "Downloading" | "Downloaded" | "Adding" | "Fresh"
            | "Building",
        ) => Said::Progress,
        _ => Said::Other(line),
    }
}

fn become_program(toolbox: &Toolbox, program: &Path, arguments: &[OsString]) -> ExitCode {
    let mut command = Command::new(program);
    command.args(arguments);
    match toolbox.verilator_env() {
        Ok(environment) => {
            command.envs(environment);
        }
        Err(error) => eprintln!("warning: {error:#}"),
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let error = command.exec();
        eprintln!("error: starting {}: {error}", program.display());
        ExitCode::FAILURE
    }
    #[cfg(not(unix))]
    match command.status() {
        Ok(status) => code_of(status.code()),
        Err(error) => {
            eprintln!("error: starting {}: {error}", program.display());
            ExitCode::FAILURE
        }
    }
}

fn code_of(code: Option<i32>) -> ExitCode {
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G33: progress is left out, what one waits for is not.
    #[test]
    fn what_cargo_waits_for_is_passed_on() {
        let said = |line| what_is_said(line);
        assert_eq!(
            said("    Blocking waiting for file lock on build directory"),
            Said::Waits
        );
        assert_eq!(
            said("\u{1b}[1m\u{1b}[36m    Blocking\u{1b}[0m waiting for file lock on artifact directory"),
            Said::Waits
        );
        assert_eq!(said("   Compiling weft v0.2.0"), Said::Builds);
        assert_eq!(
            said("    Finished `release` profile [optimized] target(s) in 0.1s"),
            Said::Progress
        );
        for line in [
            "error[E0308]: mismatched types",
            "warning: unused",
            "  --> src/main.rs:1:1",
            "",
        ] {
            assert_eq!(said(line), Said::Other(line));
        }
    }
}
