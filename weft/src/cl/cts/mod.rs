//! `weft cl cts`: programs of an OpenCL-CTS that a user has built, test by test (docs/opencl.md).
//!
//! Each test is a process of its own: one that hangs or dies takes no other one with it.

mod suite;
mod table;

use super::env::OPENCL;
use super::page;
use crate::cli::ClCtsArgs;
use anyhow::{bail, ensure, Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use weft_testbench::stop;

/// How a test has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Passed,
    Failed,
    /// The device says that it has not what the test is about.
    Unsupported,
    /// It was ended.
    Late,
}

/// One test of a program.
struct Test<'a> {
    program: &'a suite::Program,
    path: &'a Path,
    name: String,
}

/// A test that has run.
pub struct Ran {
    pub program: &'static str,
    pub name: String,
    pub ending: Ending,
    pub seconds: f64,
}

/// True when no test has failed.
pub fn run(args: &ClCtsArgs) -> Result<bool> {
    crate::heed_signals();
    ensure!(args.dir.is_dir(), "{}: no folder", args.dir.display());
    if let Some(book) = &args.book {
        page::ready(book, "cts")?;
    }
    let library = OPENCL.path(args.as_it_is)?;
    let mut found = Vec::new();
    for program in suite::PROGRAMS {
        if let Some(path) = located(&args.dir, program.name)? {
            found.push((program, path));
        }
    }
    ensure!(
        !found.is_empty(),
        "{}: none of the suite's programs is below it, such as test_basic",
        args.dir.display()
    );
    let tests = chosen(args, &found, &library)?;
    let folder = tempfile::tempdir().context("a folder for what tests print")?;
    let logs = args.logs.as_deref().unwrap_or(folder.path());
    std::fs::create_dir_all(logs).with_context(|| format!("--logs {}", logs.display()))?;
    let ran = all(args, &tests, &library, logs)?;
    let text = table::text(&ran);
    print!("\n{text}");
    if stop::requested() {
        bail!(crate::Told);
    }
    if let Some(book) = &args.book {
        let suite = args.suite.as_deref().unwrap_or_default();
        let device = std::env::var("WEFT_DEVICE").unwrap_or_else(|_| "golden".into());
        let head = format!("{}, {device}, OpenCL-CTS at {suite}\n\n", page::today());
        page::put(book, "cts", &(head + &text))?;
    }
    let bad = |ran: &Ran| matches!(ran.ending, Ending::Failed | Ending::Late);
    Ok(!ran.iter().any(bad))
}

/// The program of this name below the folder.
fn located(folder: &Path, name: &str) -> Result<Option<PathBuf>> {
    let what = || folder.display().to_string();
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(what)? {
        let path = entry.with_context(what)?.path();
        if path.is_dir() {
            folders.push(path);
        } else if path.file_name().is_some_and(|file| file == name) {
            let path = path
                .canonicalize()
                .with_context(|| path.display().to_string())?;
            return Ok(Some(path));
        }
    }
    folders.sort();
    for folder in folders {
        if let Some(path) = located(&folder, name)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// What each program says that it has, or those that were asked for.
fn chosen<'a>(
    args: &ClCtsArgs,
    found: &'a [(&'static suite::Program, PathBuf)],
    library: &Path,
) -> Result<Vec<Test<'a>>> {
    let mut tests = Vec::new();
    let mut wanted: Vec<_> = args.only.iter().map(|only| (only, false)).collect();
    for (program, path) in found {
        let of_it = |only: &str| only.split(':').next() == Some(program.name);
        if !wanted.is_empty() && !wanted.iter().any(|(only, _)| of_it(only)) {
            continue;
        }
        let mut command = command(path, library);
        let output = command.arg("--list").output();
        let output = output.with_context(|| format!("starting {}", path.display()))?;
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = listed.lines().filter_map(|line| line.strip_prefix('\t'));
        let names: Vec<&str> = names.map(str::trim).collect();
        ensure!(
            !names.is_empty(),
            "{} --list lists no tests",
            path.display()
        );
        for name in names {
            let whole = format!("{}:{name}", program.name);
            let mut is_wanted = wanted.is_empty();
            for (only, was_found) in &mut wanted {
                if **only == program.name || **only == whole {
                    (is_wanted, *was_found) = (true, true);
                }
            }
            if is_wanted {
                let name = name.into();
                tests.push(Test {
                    program,
                    path,
                    name,
                });
            }
        }
    }
    match wanted.iter().find(|(_, was_found)| !was_found) {
        Some((only, _)) => bail!("--only {only}: there is no such program or test"),
        None => Ok(tests),
    }
}

fn command(path: &Path, library: &Path) -> Command {
    let mut command = Command::new(path);
    // Some read files that stand beside them.
    command.current_dir(path.parent().unwrap_or(Path::new(".")));
    command.env("OCL_ICD_VENDORS", library).stdin(Stdio::null());
    // One file for all of them would hold the last one's results.
    command.env_remove("CL_CONFORMANCE_RESULTS_FILENAME");
    command
}

/// Runs all tests, several at a time; a line for each.
fn all(args: &ClCtsArgs, tests: &[Test], library: &Path, logs: &Path) -> Result<Vec<Ran>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(at).filter(|_| !stop::requested()) else {
                return Ok(());
            };
            let log = logs.join(format!("{}.{}.log", test.program.name, test.name));
            let start = Instant::now();
            let ending = one(test, library, &log, Duration::from_secs(args.seconds))?;
            if stop::requested() {
                return Ok(());
            }
            let ran = Ran {
                program: test.program.name,
                name: test.name.clone(),
                ending,
                seconds: start.elapsed().as_secs_f64(),
            };
            println!(
                "{:<12} {:>6.1} s  {}:{}",
                table::word(ending),
                ran.seconds,
                ran.program,
                ran.name
            );
            done.lock().expect("no worker panics").push((at, ran));
        }
    };
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..args.jobs).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            worker.join().expect("no worker panics")?;
        }
        Ok(())
    })?;
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, ran)| ran).collect())
}

fn one(test: &Test, library: &Path, log: &Path, limit: Duration) -> Result<Ending> {
    let what = || log.display().to_string();
    let out = std::fs::File::create(log).with_context(what)?;
    let errors = out.try_clone().with_context(what)?;
    let mut command = command(test.path, library);
    command.args(test.program.arguments).arg(&test.name);
    let child = command.stdout(out).stderr(errors).spawn();
    let mut child = child.with_context(|| format!("starting {}", test.path.display()))?;
    let Some(status) = within(&mut child, limit).with_context(what)? else {
        return Ok(Ending::Late);
    };
    let said = std::fs::read(log).with_context(what)?;
    Ok(ending(status, &String::from_utf8_lossy(&said), &test.name))
}

/// None when it was ended, because it took too long or nobody wants to know any more.
fn within(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit || stop::requested() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// By its exit and by what it has said of itself. Nothing said is no success.
fn ending(status: ExitStatus, said: &str, name: &str) -> Ending {
    let lines: Vec<_> = said.lines().map(str::trim_end).collect();
    let says = |end: &str| lines.contains(&format!("{name} {end}").as_str());
    let starts = |with: &str| lines.iter().any(|line| line.starts_with(with));
    // Tests of newer versions are left out, and then said to have passed.
    let left_out = starts(&format!("{name} skipped (")) || starts("SKIPPED ");
    match status.success() {
        true if says("test not supported") || left_out => Ending::Unsupported,
        true if says("passed") => Ending::Passed,
        _ => Ending::Failed,
    }
}
