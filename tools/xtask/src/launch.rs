//! `cargo weft ARGS`: builds the program with Verilator if it can be had, then becomes it.

use crate::cargo;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};
use weft_toolbox::{Group, Toolbox};

/// Set to leave Verilator out even if it is there.
const WITHOUT: &str = "WEFT_NO_VERILATOR";
/// After a failed installation, none is tried for this long.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Builds and runs `weft`. Everything said here goes to stderr; the exit code is that of `weft`.
pub fn weft(toolbox: &Toolbox, arguments: &[OsString]) -> ExitCode {
    let only_looking = arguments.first().is_some_and(|first| first == "doctor");
    let verilated = if only_looking {
        toolbox.verilator().is_some()
    } else {
        verilator_is_there(toolbox)
    };
    let verilated = verilated && std::env::var_os(WITHOUT).is_none() && toolbox.cxx().is_some();
    let features: &[&str] = match verilated {
        true if measures_issue(arguments) => &["verilated", "large"],
        true => &["verilated"],
        false => &[],
    };

    let built = build(toolbox, features).or_else(|why| {
        // Nothing of Verilator is needed to look for tools.
        if only_looking && verilated {
            build(toolbox, &[])
        } else {
            Err(why)
        }
    });
    match built {
        Ok(program) => become_program(toolbox, &program, arguments),
        Err(code) => {
            if only_looking {
                eprintln!("weft does not build; this is what its doctor would say:\n");
                print!("{}", weft_toolbox::render(&toolbox.doctor()));
            }
            code
        }
    }
}

/// Finds or installs Verilator; one warning line when there is none to be had.
fn verilator_is_there(toolbox: &Toolbox) -> bool {
    if std::env::var_os(WITHOUT).is_some() {
        return false;
    }
    if toolbox.cxx().is_none() {
        eprintln!("warning: no C++ compiler (apt-get install g++), so this build cannot run the generated Verilog");
        return false;
    }
    if toolbox.verilator().is_some() {
        return true;
    }
    let failed = toolbox.tools_dir().join("verilator-failed");
    let age = failed
        .metadata()
        .and_then(|m| m.modified())
        .ok()
        .and_then(|t| SystemTime::now().duration_since(t).ok());
    if age.is_some_and(|age| age < PAUSE) {
        eprintln!("warning: no Verilator, so this build cannot run the generated Verilog; `cargo xtask setup` tries again");
        return false;
    }
    match toolbox.install(Group::Verilator, &mut |line| eprintln!("{line}")) {
        Ok(()) => {
            let _ = std::fs::remove_file(failed);
            true
        }
        Err(error) => {
            let reason = format!("{error:#}");
            let first = reason.lines().next().unwrap_or_default();
            eprintln!(
                "warning: no Verilator, so this build cannot run the generated Verilog: {first}"
            );
            let _ = std::fs::write(failed, reason);
            false
        }
    }
}

/// `weft bench` with the section `issue`: the only one that runs the largest cores.
fn measures_issue(arguments: &[OsString]) -> bool {
    let mut words = arguments.iter().map(|a| a.to_string_lossy());
    if words.next().is_none_or(|command| command != "bench") {
        return false;
    }
    let (mut only, mut skip) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (&*word, None),
        };
        let list = match name {
            "--from" | "--help" | "-h" => return false,
            "--only" => &mut only,
            "--skip" => &mut skip,
            _ => continue,
        };
        let value = value.or_else(|| words.next().map(|value| value.into_owned()));
        list.extend(value.iter().flat_map(|v| v.split(',')).map(String::from));
    }
    let issue = "issue".to_string();
    (only.is_empty() || only.contains(&issue)) && !skip.contains(&issue)
}

/// Builds the program and returns where it is; the exit code of cargo when that fails.
fn build(toolbox: &Toolbox, features: &[&str]) -> Result<PathBuf, ExitCode> {
    let fail = |error: anyhow::Error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    };
    let program = cargo::target_dir(toolbox)
        .join("release")
        .join(format!("weft{}", std::env::consts::EXE_SUFFIX));
    let verilated = !features.is_empty();
    if verilated {
        cargo::forget_other_verilator(toolbox).map_err(fail)?;
    }
    let mut command = cargo::command(toolbox).map_err(fail)?;
    command.args(["build", "--release", "--package", "weft"]);
    if verilated {
        command.args(["--features", &features.join(",")]);
    }
    command
        .arg("--manifest-path")
        .arg(toolbox.root().join("Cargo.toml"));
    let first = !program.exists();
    let person = std::io::stderr().is_terminal();
    if first {
        let how_long = if verilated {
            "with Verilator, a few minutes"
        } else {
            "a minute or two"
        };
        eprintln!("building weft (once; {how_long})");
    }
    // Cargo's own progress only then: it also reports that there was nothing to do.
    if !(first && person) {
        command.arg("--quiet");
    }
    let status = watch(&mut command, person && !first)
        .map_err(|error| fail(anyhow::Error::new(error).context("starting cargo")))?;
    if status.success() {
        return Ok(program);
    }
    if verilated {
        eprintln!("error: weft does not build with Verilator; {WITHOUT}=1 cargo weft ... builds it without");
    }
    Err(code_of(status.code()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_cores_are_built_for_their_benchmark_only() {
        let measures = |line: &str| {
            let words: Vec<_> = line.split_whitespace().map(OsString::from).collect();
            measures_issue(&words)
        };
        for line in [
            "bench",
            "bench --all --update --book page.md",
            "bench --only issue",
            "bench --json x.json --only area,issue --units core",
            "bench --only=area --only issue",
            "bench --skip area,speed",
        ] {
            assert!(measures(line), "{line}");
        }
        for line in [
            "",
            "run kernels/spin_lock.asm",
            "run bench",
            "bench --from benches/baseline.json --plots docs",
            "bench --from=benches/baseline.json",
            "bench --only area",
            "bench --only=control,speed",
            "bench --skip issue",
            "bench --skip=speed,issue",
            "bench --help",
        ] {
            assert!(!measures(line), "{line}");
        }
    }
}
