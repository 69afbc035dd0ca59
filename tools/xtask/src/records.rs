//! Which test programs need not run: each that has passed with everything that it looked at as it is now.
//!
//! A record lies in `target/tests/records`; it has each path that the program or one of its children named
//! ([`crate::reads`]), its own executable among them, and how that was found.
//! Without strace there are no records, and every program runs.
//!
//! - Of a file of the checkout that is its content, of a folder that was opened its names, of any other file size and
//!   time of change, of what was not there that it was not.
//! - What the program itself has made or changed is no input. A program that has changed a file of the checkout outside
//!   of `target` and `.tools` is not recorded: it is run for what it does.
//! - A program is not recorded either when something that it looked at has changed since the tests began.
//! - Variables of the environment count, but for those that a terminal sets, and so does how records are made.
//!
//! *Left out* are temporary files, devices, `.git` (the name of the commit, which some print), and what is kept by content
//! below `target` and `.tools/cache`: what that is made from was looked at as well.

use crate::programs::{Ended, Program};
use crate::reads::{self, Reads};
use anyhow::{Context, Result};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fs};
use weft_toolbox::Hash;

/// The records of one checkout.
pub struct Records {
    root: PathBuf,
    target: PathBuf,
    folder: PathBuf,
    since: SystemTime,
    environment: String,
    /// What has been found of files of the checkout in this run.
    found: HashMap<(PathBuf, bool), String>,
}

/// A file that is changed now may be so much older by its own time.
const TICK: Duration = Duration::from_millis(20);

/// Where strace writes what a program looks at.
pub struct Logs(PathBuf);

impl Logs {
    pub fn of(&self, name: &str) -> PathBuf {
        self.0.join(format!("{}.strace", file_name(name)))
    }
}

/// A run that need not be made again.
#[derive(Debug, PartialEq)]
pub struct Before {
    pub ago: Duration,
    pub time: Duration,
}

impl Records {
    /// `variables`: those that the programs get besides this one's own.
    pub fn of(root: &Path, target: &Path, variables: &[(String, String)]) -> Result<Records> {
        let folder = target.join("tests/records");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Records {
            root: root.to_path_buf(),
            target: target.to_path_buf(),
            folder,
            since: SystemTime::now() - TICK,
            environment: environment(variables),
            found: HashMap::new(),
        })
    }

    pub fn logs(&self) -> Logs {
        Logs(self.folder.clone())
    }

    fn record(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{}.json", file_name(name)))
    }

    /// The run of before, if it would be the same again.
    pub fn before(&mut self, program: &Program) -> Option<Before> {
        let text = fs::read(self.record(&program.name)).ok()?;
        let record: Value = serde_json::from_slice(&text).ok()?;
        // Another executable of this name is another program, though that of before may still be there.
        if record["environment"].as_str()? != self.environment
            || Path::new(record["program"].as_str()?) != program.executable
        {
            return None;
        }
        for (path, was) in record["inputs"].as_object()? {
            let (opened, was) = (was[0].as_bool()?, was[1].as_str()?);
            if self.state(Path::new(path), opened) != was {
                return None;
            }
        }
        let seconds = |name: &str| record[name].as_f64().map(Duration::from_secs_f64);
        Some(Before {
            ago: (UNIX_EPOCH + seconds("at")?).elapsed().unwrap_or_default(),
            time: seconds("time")?,
        })
    }

    /// Writes the record of a program that has passed, and drops that of one that has not.
    /// There is none either when it cannot be told what the program depends on.
    pub fn ended(&mut self, program: &Ended) {
        let log = self.logs().of(&program.name);
        let text = fs::read(&log).unwrap_or_default();
        let _ = fs::remove_file(&log);
        let file = self.record(&program.name);
        let record = match program.status.success() {
            true => self.made(program, &String::from_utf8_lossy(&text)),
            false => None,
        };
        let kept = record.is_some_and(|record| fs::write(&file, record.to_string()).is_ok());
        if !kept {
            let _ = fs::remove_file(&file);
        }
    }

    fn made(&mut self, program: &Ended, log: &str) -> Option<Value> {
        let Reads {
            read,
            written,
            unknown,
        } = reads::reads(log, &program.directory);
        let changes_the_checkout = written.iter().any(|path| self.is_source(path));
        let inputs = read.into_iter().filter(|(path, _)| self.counts(path));
        let inputs: Vec<_> = inputs.filter(|(path, _)| !written.contains(path)).collect();
        let there = inputs.iter().any(|(path, _)| *path == program.executable);
        let changed = inputs.iter().any(|(path, _)| self.is_newer(path));
        if !there || unknown || changes_the_checkout || changed {
            return None;
        }
        let mut states = serde_json::Map::new();
        for (path, opened) in inputs {
            let state = self.state(&path, opened);
            states.insert(path.to_str()?.into(), json!([opened, state]));
        }
        Some(json!({
            "environment": self.environment,
            "program": program.executable,
            "at": program.start.duration_since(UNIX_EPOCH).ok()?.as_secs_f64(),
            "time": program.time.as_secs_f64(),
            "inputs": states,
        }))
    }

    /// A file that somebody writes: part of the checkout, and nothing that is made from it.
    fn is_source(&self, path: &Path) -> bool {
        let made = [
            &self.target,
            &self.root.join(".tools"),
            &self.root.join(".git"),
        ];
        let python = ["__pycache__", ".pytest_cache"];
        path.starts_with(&self.root)
            && !made.iter().any(|folder| path.starts_with(folder))
            && !path
                .iter()
                .any(|part| python.iter().any(|name| part == *name))
    }

    /// Whether a path can be an input.
    fn counts(&self, path: &Path) -> bool {
        if path.starts_with(&self.target) {
            return path.starts_with(self.target.join("debug")) && !path.is_dir();
        }
        if path.starts_with(&self.root) {
            let by_content = [".git", ".tools/cache"].map(|folder| self.root.join(folder));
            return !by_content.iter().any(|folder| path.starts_with(folder));
        }
        let passing = ["/dev", "/proc", "/run", "/sys", "/tmp", "/var"];
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        !passing.iter().any(|folder| real.starts_with(folder)) && !real.starts_with(env::temp_dir())
    }

    /// Whether a file, or the folder that it is not in, has changed since the tests began.
    fn is_newer(&self, path: &Path) -> bool {
        let since = self.since.duration_since(UNIX_EPOCH).unwrap_or_default();
        let changed = |file: fs::Metadata| {
            Duration::new(file.ctime().unsigned_abs(), file.ctime_nsec() as u32) > since
        };
        match fs::metadata(path) {
            // The names in a folder are told by the folder; what is made beside them is not of the checkout.
            Ok(file) if file.is_dir() && !self.is_source(path) => false,
            Ok(file) => changed(file),
            Err(_) if !self.is_source(path) => false,
            Err(_) => {
                let mut folders = path.ancestors().skip(1);
                let nearest = folders.find_map(|folder| fs::metadata(folder).ok());
                nearest.is_some_and(changed)
            }
        }
    }

    /// How a path is found now.
    fn state(&mut self, path: &Path, opened: bool) -> String {
        if !self.is_source(path) {
            return self.look(path, opened);
        }
        let key = (path.to_path_buf(), opened);
        if let Some(state) = self.found.get(&key) {
            return state.clone();
        }
        let state = self.look(path, opened);
        self.found.insert(key, state.clone());
        state
    }

    fn look(&self, path: &Path, opened: bool) -> String {
        let Ok(file) = fs::metadata(path) else {
            return "absent".into();
        };
        if file.is_dir() {
            return match (opened, fs::read_dir(path)) {
                (true, Ok(entries)) => {
                    let mut names: Vec<_> =
                        entries.flatten().map(|entry| entry.file_name()).collect();
                    names.sort();
                    let hash = names.iter().fold(Hash::default(), |hash, name| {
                        hash.and(name.as_encoded_bytes())
                    });
                    format!("names {hash}")
                }
                _ => "folder".into(),
            };
        }
        if self.is_source(path) {
            return match fs::read(path) {
                Ok(content) => format!("content {}", Hash::default().and(content)),
                Err(error) => error.kind().to_string(),
            };
        }
        let changed = file.modified().ok();
        let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        format!("{} {}", file.len(), changed.unwrap_or_default().as_nanos())
    }
}

/// Of all variables that may mean something to a test, and of how records are made.
fn environment(variables: &[(String, String)]) -> String {
    let terminal = [
        "_", "COLUMNS", "LINES", "OLDPWD", "PWD", "SHLVL", "SSH_", "TERM", "XDG_",
    ];
    let mut all: Vec<_> = env::vars_os()
        .filter(|(name, _)| {
            let name = name.to_string_lossy();
            !terminal.iter().any(|start| name.starts_with(start))
        })
        .collect();
    all.extend(
        variables
            .iter()
            .map(|(name, value)| (name.into(), value.into())),
    );
    all.sort();
    let rules = Hash::default()
        .and(include_str!("reads.rs"))
        .and(include_str!("records.rs"));
    let hash = all.iter().fold(rules, |hash, (name, value)| {
        hash.and(name.as_encoded_bytes())
            .and(value.as_encoded_bytes())
    });
    hash.to_string()
}

/// `weft-sim src/lib.rs` as `weft-sim+src%lib.rs`.
fn file_name(name: &str) -> String {
    name.replace(' ', "+").replace('/', "%")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    /// A checkout with a file of the hardware, a kernel and a test program.
    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for folder in ["hdl", "kernels", "target/debug", "target/models", ".tools"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        for file in [
            "hdl/a.rs",
            "kernels/k.c",
            "target/debug/program",
            "target/models/m.so",
        ] {
            fs::write(root.path().join(file), file).unwrap();
        }
        root
    }

    fn records(root: &Path) -> Records {
        Records::of(root, &root.join("target"), &[]).unwrap()
    }

    fn program(root: &Path) -> Program {
        Program::at("p tests/t.rs", root.join("target/debug/program"), root)
    }

    /// What strace would say of a program that opens, looks for and writes these.
    fn log(root: &Path, opened: &[&str], asked: &[&str], written: &[&str]) -> String {
        let path = |file: &&str| root.join(file).display().to_string();
        let program = path(&"target/debug/program");
        let mut log = format!("1 execve(\"{program}\", [\"p\"], 0x1 /* 9 vars */) = 0\n");
        for file in opened.iter().map(path) {
            log += &format!("1 openat(AT_FDCWD</>, \"{file}\", O_RDONLY) = 3<{file}>\n");
        }
        for file in asked.iter().map(path) {
            log += &format!("1 access(\"{file}\", F_OK) = 0\n");
        }
        for file in written.iter().map(path) {
            log += &format!("1 openat(AT_FDCWD</>, \"{file}\", O_WRONLY|O_CREAT, 0666) = 3\n");
        }
        log
    }

    /// The program ends, having done that.
    fn ends(root: &Path, log: &str, code: i32) {
        std::thread::sleep(2 * TICK);
        let mut records = records(root);
        fs::write(records.logs().of("p tests/t.rs"), log).unwrap();
        records.ended(&ended(root, code));
    }

    fn ended(root: &Path, code: i32) -> Ended {
        Ended {
            name: "p tests/t.rs".into(),
            again: String::new(),
            executable: root.join("target/debug/program"),
            directory: root.to_path_buf(),
            start: SystemTime::now(),
            time: Duration::from_secs(7),
            used: Duration::ZERO,
            said: String::new(),
            status: ExitStatus::from_raw(code << 8),
        }
    }

    fn known(root: &Path) -> bool {
        records(root).before(&program(root)).is_some()
    }

    /// With the log, the program is known; the change makes that it must run again.
    #[track_caller]
    fn notices(log: impl Fn(&Path) -> String, change: impl Fn(&Path)) {
        let root = checkout();
        ends(root.path(), &log(root.path()), 0);
        let before = records(root.path()).before(&program(root.path()));
        assert_eq!(before.expect("a record").time, Duration::from_secs(7));
        change(root.path());
        assert!(!known(root.path()));
    }

    fn write(file: &'static str, text: &'static str) -> impl Fn(&Path) {
        move |root| fs::write(root.join(file), text).unwrap()
    }

    #[test]
    fn a_change_of_anything_that_was_looked_at_is_noticed() {
        let opened = |files: &'static [&str]| move |root: &Path| log(root, files, &[], &[]);
        notices(opened(&["hdl/a.rs"]), write("hdl/a.rs", "hdl/b.rs"));
        notices(opened(&["hdl/a.rs"]), |root| {
            fs::remove_file(root.join("hdl/a.rs")).unwrap()
        });
        notices(opened(&["hdl"]), write("hdl/new.rs", ""));
        notices(
            opened(&["target/debug/program"]),
            write("target/debug/program", "another"),
        );
        let asked = |root: &Path| log(root, &[], &["hdl/new.rs"], &[]);
        notices(asked, write("hdl/new.rs", ""));
        // It may be asked about by its times only, as make does.
        notices(
            |root| log(root, &[], &["kernels/k.c"], &[]),
            write("kernels/k.c", "int k;"),
        );
    }

    #[test]
    fn what_it_has_not_looked_at_and_what_it_makes_do_not_count() {
        let root = checkout();
        let root = root.path();
        ends(
            root,
            &log(
                root,
                &["hdl/a.rs", "target/models/m.so"],
                &["hdl"],
                &["target/models/n.so"],
            ),
            0,
        );
        fs::write(root.join("kernels/k.c"), "changed").unwrap();
        fs::write(root.join("hdl/new.rs"), "the folder was not listed").unwrap();
        fs::write(root.join("target/models/n.so"), "made again").unwrap();
        assert!(known(root));
        // The same text again, at another time.
        fs::write(root.join("hdl/a.rs"), "hdl/a.rs").unwrap();
        assert!(known(root));
    }

    #[test]
    fn no_record_of_a_failure_of_a_writer_or_without_inputs() {
        let root = checkout();
        let root = root.path();
        let good = log(root, &["hdl/a.rs"], &[], &[]);
        ends(root, &good, 0);
        assert!(known(root));
        ends(root, &good, 1);
        assert!(!known(root), "it has failed since");
        ends(root, "", 0);
        assert!(!known(root), "nothing is known of it");
        ends(root, &(good.clone() + "2 access(\"x\", F_OK) = 0\n"), 0);
        assert!(!known(root), "nobody knows where x is");
        ends(root, &good, 0);
        let other = Program::at("p tests/t.rs", root.join("target/debug/other"), root);
        assert!(records(root).before(&other).is_none(), "another executable");
        ends(root, &log(root, &["hdl/a.rs"], &[], &["kernels/k.c"]), 0);
        assert!(!known(root), "it writes into the checkout");
        let mut records = records(root);
        fs::write(records.logs().of("p tests/t.rs"), &good).unwrap();
        // An edit while the tests run: who can tell which text the program has read?
        fs::write(root.join("hdl/a.rs"), "hdl/a.rs").unwrap();
        records.ended(&ended(root, 0));
        assert!(!known(root), "an input has changed");
    }

    /// With strace itself, where it is there and does not trace this test: a shell that reads one file through a child, and looks for another.
    #[test]
    fn strace_tells_what_children_read() {
        if !reads::available() {
            return;
        }
        let root = checkout();
        let root = root.path().canonicalize().unwrap();
        let file = root.join("log");
        let script = "cat hdl/a.rs; test -e hdl/none; echo x > target/models/o";
        let mut command = std::process::Command::new("strace");
        command.args(reads::STRACE).arg("-o").arg(&file);
        command.args(["sh", "-c", script]).current_dir(&root);
        assert!(command.output().unwrap().status.success());
        let all = reads::reads(&fs::read_to_string(&file).unwrap(), &root);
        assert_eq!(all.read.get(&root.join("hdl/a.rs")), Some(&true));
        assert_eq!(all.read.get(&root.join("hdl/none")), Some(&false));
        assert!(all.written.contains(&root.join("target/models/o")));
    }
}
