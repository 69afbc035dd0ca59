//! `cargo weft ARGS`: builds the program, then becomes it.
//! It needs no external tool: models of the hardware are made by the program when
//! they are first needed.

use crate::cargo;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};
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
    // Cargo's own progress only then: it also reports that there was nothing to do.
    if !(first && person) {
        command.arg("--quiet");
    }
    let start = Instant::now();
    let status = watch(&mut command, person && !first).map_err(|error| {
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

/// Waits for cargo; says that something is built when it takes long enough to wonder.
fn watch(cargo: &mut Command, say_so: bool) -> std::io::Result<ExitStatus> {
    let mut child = cargo.stdin(Stdio::null()).spawn()?;
    if say_so {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(1500) {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        eprintln!("building weft (it has changed)");
    }
    child.wait()
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
