//! The test programs that cargo has built, and running them two at a time.
//!
//! *Why not `cargo test`:* it runs one program after the other, and at the end of most one processor has nothing to do.

use crate::reads::STRACE;
use anyhow::{bail, Context, Result};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use wait4::Wait4;

/// Each has as many threads as there are processors; the second one fills what the first leaves.
const AT_ONCE: usize = 2;

/// A test program.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    /// Package and source: `weft-sim src/lib.rs`.
    pub name: String,
    /// The command that runs it alone.
    again: String,
    pub executable: PathBuf,
    package: String,
    /// Of its package, where cargo runs it.
    pub directory: PathBuf,
}

#[cfg(test)]
impl Program {
    pub fn at(name: &str, executable: PathBuf, directory: &Path) -> Program {
        Program {
            name: name.into(),
            again: String::new(),
            executable,
            package: String::new(),
            directory: directory.to_path_buf(),
        }
    }
}

/// A program that has ended.
pub struct Ended {
    /// See [`Program::name`].
    pub name: String,
    /// The command that runs it alone.
    pub again: String,
    pub executable: PathBuf,
    pub directory: PathBuf,
    pub start: SystemTime,
    pub time: Duration,
    /// Of the processors, with what it has started and waited for.
    pub used: Duration,
    /// What it has printed.
    pub said: String,
    pub status: ExitStatus,
}

/// Of what `cargo test --no-run --message-format json` prints, in its order.
///
/// # Errors
/// A line is not what cargo's reference says, or there is no program at all.
pub fn built(messages: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("a message of cargo")?;
        let text = |value: &Value| value.as_str().map(PathBuf::from);
        let (Some(executable), Some(true)) = (
            text(&message["executable"]),
            message["profile"]["test"].as_bool(),
        ) else {
            continue;
        };
        let manifest = text(&message["manifest_path"]).context("cargo names no manifest")?;
        let source = text(&message["target"]["src_path"]).context("cargo names no source")?;
        let directory = manifest.parent().unwrap_or(Path::new("")).to_path_buf();
        let source = source.strip_prefix(&directory).unwrap_or(&source).display();
        let package = package(&message["package_id"]);
        let target = &message["target"];
        let target = match target["kind"][0].as_str() {
            Some("test") => format!("--test {}", target["name"].as_str().unwrap_or_default()),
            Some("bin") => "--bins".into(),
            _ => "--lib".into(),
        };
        programs.push(Program {
            name: format!("{package} {source}"),
            again: format!("cargo test --package {package} {target}"),
            executable,
            package,
            directory,
        });
    }
    if programs.is_empty() {
        bail!("cargo has built no test program");
    }
    Ok(programs)
}

/// Of `path+file:///weft/sim#weft-sim@0.2.0` or `path+file:///weft#0.2.0` the name.
fn package(id: &Value) -> String {
    let id = id.as_str().unwrap_or_default();
    let (path, rest) = id.rsplit_once('#').unwrap_or((id, id));
    match rest.split_once('@') {
        Some((name, _)) => name.into(),
        None => path.rsplit('/').next().unwrap_or(path).into(),
    }
}

/// Runs all of them, each in the directory of its package, and hands on each that ends.
/// What they print goes to files in `folder` until then; what they look at goes to the file that `log` names, if any.
///
/// # Errors
/// A program cannot be started, or a file not written.
pub fn run(
    programs: Vec<Program>,
    folder: &Path,
    environment: &[(String, String)],
    log: impl Fn(&str) -> Option<PathBuf> + Sync,
    mut each: impl FnMut(Ended),
) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let (log, waiting) = (&log, Mutex::new(programs.into_iter().enumerate()));
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next()
    };
    let lane = |ends: Sender<Result<Ended>>| {
        while let Some((number, program)) = next() {
            let said = folder.join(format!("{number}.txt"));
            let log = log(&program.name);
            let ended = run_one(program, &said, environment, log.as_deref());
            if ends.send(ended).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, ends) = mpsc::channel();
        for _ in 0..AT_ONCE {
            let sender = sender.clone();
            scope.spawn(move || lane(sender));
        }
        drop(sender);
        for ended in ends {
            each(ended?);
        }
        Ok(())
    })
}

fn run_one(
    program: Program,
    said: &Path,
    environment: &[(String, String)],
    log: Option<&Path>,
) -> Result<Ended> {
    let Program {
        name,
        again,
        executable,
        package,
        directory,
    } = program;
    let (start, began) = (SystemTime::now(), Instant::now());
    let file = File::create(said).with_context(|| said.display().to_string())?;
    let mut command = match log {
        None => Command::new(&executable),
        Some(log) => {
            let mut strace = Command::new("strace");
            strace.args(STRACE).arg("-o").arg(log).arg(&executable);
            strace
        }
    };
    command
        .current_dir(&directory)
        .env("CARGO_MANIFEST_DIR", &directory)
        .env("CARGO_PKG_NAME", &package)
        .envs(environment.iter().cloned())
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    let mut child = command.spawn().with_context(|| name.clone())?;
    let ended = child.wait4().with_context(|| name.clone())?;
    let bytes = fs::read(said).with_context(|| said.display().to_string())?;
    Ok(Ended {
        name,
        again,
        executable,
        directory,
        start,
        time: began.elapsed(),
        used: ended.rusage.utime + ended.rusage.stime,
        said: String::from_utf8_lossy(&bytes).into_owned(),
        status: ended.status,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const MESSAGES: &str = r#"
{"reason":"compiler-artifact","package_id":"registry+https://x#serde@1.0.0","manifest_path":"/c/serde/Cargo.toml","target":{"src_path":"/c/serde/src/lib.rs"},"profile":{"test":false},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///w/sim#weft-sim@0.2.0","manifest_path":"/w/sim/Cargo.toml","target":{"kind":["test"],"name":"control","src_path":"/w/sim/tests/control/main.rs"},"profile":{"test":true},"executable":"/w/target/debug/deps/control-0"}
{"reason":"compiler-artifact","package_id":"path+file:///w/weft#0.2.0","manifest_path":"/w/weft/Cargo.toml","target":{"kind":["bin"],"name":"weft","src_path":"/w/weft/src/main.rs"},"profile":{"test":false},"executable":"/w/target/debug/weft"}
{"reason":"compiler-artifact","package_id":"path+file:///w/weft#0.2.0","manifest_path":"/w/weft/Cargo.toml","target":{"kind":["bin"],"name":"weft","src_path":"/w/weft/src/main.rs"},"profile":{"test":true},"executable":"/w/target/debug/deps/weft-0"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn programs_are_what_has_an_executable_and_tests() {
        let programs = built(MESSAGES).unwrap();
        let names: Vec<_> = programs.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(
            names,
            ["weft-sim tests/control/main.rs", "weft src/main.rs"]
        );
        let again: Vec<_> = programs.iter().map(|p| p.again.as_str()).collect();
        let commands = [
            "cargo test --package weft-sim --test control",
            "cargo test --package weft --bins",
        ];
        assert_eq!(again, commands);
        assert_eq!(programs[0].directory, Path::new("/w/sim"));
        assert!(built("{\"reason\":\"build-finished\"}").is_err());
        assert!(built("{").is_err());
    }

    #[test]
    fn each_ends_once_with_what_it_said_and_how() {
        let folder = std::env::temp_dir().join(format!("weft-programs-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = |number: i32| {
            let executable = folder.join(format!("p{number}"));
            let script = format!("#!/bin/sh\necho $WORD $CARGO_PKG_NAME; pwd; exit {number}\n");
            fs::write(&executable, script).unwrap();
            fs::set_permissions(&executable, fs::Permissions::from_mode(0o755)).unwrap();
            Program {
                name: number.to_string(),
                again: String::new(),
                executable,
                package: format!("p{number}"),
                directory: folder.clone(),
            }
        };
        let programs = (0..7).map(program).collect();
        let environment = [("WORD".to_string(), "number".to_string())];
        let mut ends = Vec::new();
        run(
            programs,
            &folder.join("said"),
            &environment,
            |_| None,
            |ended| {
                ends.push((ended.name, ended.said, ended.status.code()));
            },
        )
        .unwrap();
        ends.sort();
        let real = folder.canonicalize().unwrap();
        let all: Vec<_> = (0..7)
            .map(|n| {
                let said = format!("number p{n}\n{}\n", real.display());
                (n.to_string(), said, Some(n))
            })
            .collect();
        assert_eq!(ends, all);
        fs::remove_dir_all(&folder).unwrap();
    }
}
