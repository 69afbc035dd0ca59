//! The written tests of a unit on one mutant: the test programs as they are, with the mutant in place of the design.

use crate::process;
use crate::schema::OPENED;
use anyhow::{bail, Context, Result};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use weft_testbench::rtl::stand_in::{StandIn, VARIABLE};
use weft_toolbox::Toolbox;

/// Tests of something else than the design as it is: they break it, or the model, themselves.
const OTHERS: [&str; 6] = [
    "copies",
    "mutation",
    "departure",
    "fault_of",
    "failure_is",
    "monitors",
];
/// On the whole design; the slower ones are random lockstep again.
const LIMIT: Duration = Duration::from_secs(30);

/// A test that opens the design, and how long it takes on the whole one.
pub struct Test {
    pub name: String,
    program: PathBuf,
    time: Duration,
}

/// What a test says of a mutant.
pub struct Verdict {
    pub failed: bool,
    pub said: String,
}

/// The tests of these programs that open the design and pass, fast ones first. `whole`: the design with no mutant.
///
/// # Errors
/// They cannot be built, or a program does not list its tests.
pub fn tests(toolbox: &Toolbox, programs: &[&str], whole: &StandIn) -> Result<Vec<Test>> {
    let mut all = Vec::new();
    for program in built(toolbox, programs)? {
        let listed = Command::new(&program).arg("--list").output();
        let listed = listed.with_context(|| program.display().to_string())?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        for name in listed.lines().filter_map(|l| l.strip_suffix(": test")) {
            if OTHERS.iter().any(|other| name.contains(other)) {
                continue;
            }
            let mut test = Test {
                name: name.into(),
                program: program.clone(),
                time: LIMIT / 10,
            };
            let (verdict, time) = test.on(toolbox, whole)?;
            if verdict.said.contains(OPENED) && !verdict.failed && time < LIMIT {
                test.time = time;
                all.push(test);
            }
        }
    }
    all.sort_by_key(|test| test.time);
    Ok(all)
}

impl Test {
    /// On this mutant.
    ///
    /// # Errors
    /// The test program cannot be started.
    pub fn run(&self, toolbox: &Toolbox, mutant: &StandIn) -> Result<Verdict> {
        self.on(toolbox, mutant).map(|(verdict, _)| verdict)
    }

    fn on(&self, toolbox: &Toolbox, stand_in: &StandIn) -> Result<(Verdict, Duration)> {
        let mut command = Command::new(&self.program);
        command
            .args(["--exact", "--test-threads", "1", "--nocapture", &self.name])
            .current_dir(toolbox.root().join("testbench"))
            .envs(toolbox.verilator_env()?)
            .env(VARIABLE, stand_in.text());
        let limit = Duration::from_secs(10) + 10 * self.time;
        let ended = process::run(&mut command, limit)?;
        // What does not end has noticed nothing: it may have waited for a processor.
        let failed = ended.status.is_some_and(|status| !status.success());
        let said = ended.said;
        Ok((Verdict { failed, said }, ended.time))
    }
}

/// The programs of these tests, built now.
fn built(toolbox: &Toolbox, names: &[&str]) -> Result<Vec<PathBuf>> {
    let mut cargo = toolbox.cargo();
    cargo
        .current_dir(toolbox.root())
        .envs(toolbox.verilator_env()?);
    cargo.args(["test", "--quiet", "--package", "weft-testbench", "--no-run"]);
    cargo.args(["--message-format", "json"]);
    for name in names {
        cargo.args(["--test", name]);
    }
    let output = cargo.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{cargo:?} failed:\n{said}");
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut programs = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("a message of cargo")?;
        let is_test = message["profile"]["test"] == true;
        programs.extend(
            message["executable"]
                .as_str()
                .filter(|_| is_test)
                .map(PathBuf::from),
        );
    }
    Ok(programs)
}
