//! `cargo xtask long`: what takes too long for the gate, run by run. Each run's last result stands in `docs/long.md`,
//! which this program reads and writes.

use crate::cargo;
use anyhow::{bail, Context, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use weft_toolbox::Toolbox;

const PAGE: &str = "docs/long.md";

const HEAD: &str = "\
# What takes too long for the gate

Written by `cargo xtask long`, which makes these runs one after the other; `cargo xtask long NAME ...` makes some of
them, `--list` says which there are; `--share 10` makes a tenth (percent) of the programs of those that count any.
A line is the last time that its run has come to an end, on which commit (+: with changes) and machine, and what it said.
A run that fails is in no line: it prints the line that replays it, and the command ends with 1.
Each proof by itself: [proofs.md](proofs.md).

| run | command | commit | date | machine | seconds | result |
| --- | --- | --- | --- | --- | --- | --- |
";

struct Run {
    name: &'static str,
    /// As one types it; words before the command that hold a `=` are its environment.
    command: &'static str,
    /// What the lines of its result begin with.
    says: &'static [&'static str],
}

const COSIM: &[&str] = &[
    "seed",
    "compared with oracle",
    "cycles",
    "programs",
    "situations covered",
    "token window",
    "oracle",
];
/// Behind the first number of the shape.
const SM: &[&str] = &["x4l4:", "x8l4:", "x8l4f2:"];
/// How many programs, and how often this has happened in them, or in how many of them.
const GPU: &[&str] = &[
    "weft_gpu:",
    "CTAs on more than one SM",
    "launch by a thread",
    "launch as a dependent",
    "eviction",
    "nested in a GPU-owned channel",
    "queue that CTAs add to",
    "fault of a thread",
];
const TEST: &[&str] = &["test result:", "not covered"];

/// How many words, or results.
const FLOAT: &[&str] = &["words", "results of", "weft_float:", "test result:"];

const RUNS: [Run; 38] = [
    Run {
        name: "proofs",
        command: "cargo xtask formal --all",
        says: &["runs in"],
    },
    Run {
        name: "window",
        command: "cargo test -p weft-testbench --test random -- --ignored programs_cover_the_token_window",
        says: TEST,
    },
    Run {
        name: "control",
        command: "cargo weft cosim --seed 2 --programs 3000 --coverage",
        says: COSIM,
    },
    Run {
        name: "core",
        command: "cargo weft cosim --unit core --seed 2 --programs 1000",
        says: COSIM,
    },
    Run {
        name: "core-dual",
        command: "cargo weft cosim --unit core --dual --seed 2 --programs 500",
        says: COSIM,
    },
    Run {
        name: "core-partitions",
        command: "cargo weft cosim --unit core --sizes 8x4 --partitions 2 --seed 2 --programs 500",
        says: COSIM,
    },
    Run {
        name: "core-partitions-dual",
        command: "cargo test -p weft-testbench --test partitions two_dual -- --include-ignored",
        says: TEST,
    },
    Run {
        name: "sm",
        command: "cargo weft cosim --unit sm --size 4x4l4 --seed 2 --programs 500",
        says: SM,
    },
    Run {
        name: "sm-two-parts",
        command: "cargo weft cosim --unit sm --size 4x8l4 --seed 2 --programs 300",
        says: SM,
    },
    Run {
        name: "control-sizes",
        command: "WEFT_SIZES=all cargo test -p weft-testbench --test random --test spill",
        says: TEST,
    },
    Run {
        name: "sm-float",
        command: "cargo weft cosim --unit sm --size 4x8l4f2 --seed 2 --programs 300",
        says: SM,
    },
    Run {
        name: "float-kernels",
        command: "WEFT_FLOAT=all cargo test -p weft --test float cycles",
        says: TEST,
    },
    Run {
        name: "float-vortex",
        command: "WEFT_FLOAT=vortex cargo test -p weft --test float vortex -- --nocapture",
        says: &["warps x 4"],
    },
    Run {
        name: "sm-lowered",
        command: "cargo run --release -p weft-testbench --example c_programs -- --seed 2 --programs 100 --graphs 300",
        says: &["C programs:", "graphs:"],
    },
    Run {
        name: "waiting",
        command: "cargo run --release -p weft-compiler --example measure -- --waiting all",
        says: &["programs that wait:"],
    },
    Run {
        name: "sm-copies",
        command: "SM_FAULTS=all cargo test -p weft-testbench --test sm_rtl broken",
        says: TEST,
    },
    Run {
        name: "sizes",
        command: "WEFT_SIZES=all cargo test -p weft-hdl --test verilog",
        says: TEST,
    },
    Run {
        name: "sound",
        command: "WEFT_SIZES=all cargo test -p weft-synth --test control units_are_sound",
        says: TEST,
    },
    Run {
        name: "borders",
        command: "WEFT_SIZES=all cargo test -p weft borders_of_its_parameters",
        says: TEST,
    },
    Run {
        name: "pages",
        command: "cargo test -p weft --test pages -- --include-ignored",
        says: TEST,
    },
    Run {
        name: "sm-rows",
        command: "cargo test -p weft-testbench --test sm_rtl more_warps -- --include-ignored --nocapture",
        says: TEST,
    },
    Run {
        name: "wheel",
        command: "WEFT_WHEEL=1 cargo test -p weft-python --test package wheel",
        says: TEST,
    },
    Run {
        name: "opencl",
        command: "WEFT_ULP_STRIDE=1 cargo test --release -p weft-cc --test ulp",
        says: TEST,
    },
    Run {
        name: "float",
        command: "WEFT_FLOAT_WORDS=10000000 WEFT_FLOAT_SLOW=10000000 cargo test --workspace --test float -- every_code --nocapture",
        says: FLOAT,
    },
    // An hour of a processor. With WEFT_FLOAT_STRIDE=16 and WEFT_FLOAT_FIRST=0 to 15 in sixteen parts.
    Run {
        name: "float-words",
        command: "WEFT_FLOAT_STRIDE=1 cargo test --workspace --test float -- words_of --nocapture",
        says: FLOAT,
    },
    Run {
        name: "float-programs",
        command: "cargo weft cosim --unit float --seed 2 --programs 5000",
        says: FLOAT,
    },
    Run {
        name: "float-qemu",
        command: "WEFT_QEMU_WORDS=10000000 WEFT_QEMU_STRIDE=1 cargo test --workspace --test float_qemu -- --nocapture",
        says: FLOAT,
    },
    Run {
        name: "tasks",
        command: "cargo weft cosim --unit tasks --seed 20261128 --programs 2000",
        says: &["weft_tasks:"],
    },
    Run {
        name: "gpu",
        command: "cargo weft cosim --unit gpu --seed 1 --programs 200 --coverage",
        says: GPU,
    },
    Run {
        name: "slurm",
        command: "cargo test -p weft --test campaign -- --ignored slurm",
        says: TEST,
    },
    Run {
        name: "gpu-copies",
        command: "GPU_FAULTS=all cargo test -p weft-testbench --test gpu broken",
        says: TEST,
    },
    Run {
        name: "gpu-mixes",
        command: "MIX_SEED=7 MIXES=10000 cargo test -p weft-testbench --test gpu hostile",
        says: TEST,
    },
    Run {
        name: "gpu-sms",
        command: "SMS=2,3,4 LITMUS=12 GPU_FAULTS=all cargo test -p weft-testbench --test gpu_sms -- --include-ignored",
        says: TEST,
    },
    Run {
        name: "gpu-l2",
        command: "GPU_L2=4 SMS=2,3 LITMUS=12 GPU_L2_FAULTS=all cargo test -p weft-testbench --test gpu_sms -- --include-ignored",
        says: TEST,
    },
    Run {
        name: "many-sms",
        command: "SMS=6,8 GPU_PROGRAMS=12 LITMUS=3 GPU_FAULTS=all cargo test -p weft-testbench --test gpu_sms -- --include-ignored",
        says: TEST,
    },
    Run {
        name: "many-sms-copies",
        command: "TASKS_SMS_FAULTS=all cargo test -p weft-testbench --test tasks seven",
        says: TEST,
    },
    Run {
        name: "masks",
        command: "WEFT_PROGRAMS=20000 cargo test -p weft-sim --test masks programs_with_masks",
        says: TEST,
    },
    Run {
        name: "host",
        command: "WEFT_HOST_PROGRAMS=10000 cargo test -p weft-sim --test host",
        says: TEST,
    },
];

/// The runs of these names, or all; one that fails does not keep the others away.
pub fn run(toolbox: &Toolbox, arguments: &[OsString]) -> Result<()> {
    let mut names: Vec<_> = arguments.iter().map(|a| a.to_string_lossy()).collect();
    let mut share = 100;
    if let Some(at) = names.iter().position(|name| name == "--share") {
        let given = names.get(at + 1).and_then(|n| n.parse().ok());
        share = match given {
            Some(percent @ 1..=100) => percent,
            _ => bail!("--share: percent of the programs, 1 to 100"),
        };
        names.drain(at..at + 2);
    }
    if names.iter().any(|name| name == "--list") {
        for run in &RUNS {
            println!("{:16} {}", run.name, run.command);
        }
        return Ok(());
    }
    if let Some(name) = names.iter().find(|n| RUNS.iter().all(|r| r.name != **n)) {
        bail!("no long run is called {name}; --list prints the names");
    }
    let path = toolbox.root().join(PAGE);
    let mut failed = Vec::new();
    for run in &RUNS {
        if !names.is_empty() && names.iter().all(|name| name != run.name) {
            continue;
        }
        let command = shared(run.command, share);
        println!("\n== {}: {command}", run.name);
        let start = Instant::now();
        match said(toolbox, &command, run.says)? {
            // A row without a result would say nothing.
            Some(result) if result.is_empty() => failed.push(run.name),
            Some(result) => {
                let row = [
                    run.name.into(),
                    format!("`{command}`"),
                    toolbox.commit(),
                    line_of("date", &["-u", "+%Y-%m-%d"]),
                    machine(),
                    format!("{:.0}", start.elapsed().as_secs_f64()),
                    result,
                ];
                let old = fs::read_to_string(&path).unwrap_or_default();
                // Readers see the old page or the new one.
                let new = path.with_extension("new");
                fs::write(&new, with_row(&old, run.name, &row))
                    .and_then(|()| fs::rename(&new, &path))
                    .with_context(|| path.display().to_string())?;
            }
            None => failed.push(run.name),
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => bail!("failed: {}", failed.join(", ")),
    }
}

/// The command with so many percent of its programs, at least one; of a run that counts none it is the same.
fn shared(command: &str, percent: u64) -> String {
    let part = |n: u64| (n * percent / 100).max(1);
    let mut after = "";
    let words = command.split(' ').map(|word| {
        let before = std::mem::replace(&mut after, word);
        let (name, number) = match word.split_once('=') {
            Some((name, number)) if name.ends_with("PROGRAMS") => (format!("{name}="), number),
            _ if before == "--programs" => (String::new(), word),
            _ => return word.into(),
        };
        let number: u64 = number.parse().expect("a number of programs");
        format!("{name}{}", part(number))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Runs it and shows all it says; what of that is its result, or `None` when it fails.
fn said(toolbox: &Toolbox, command: &str, says: &[&str]) -> Result<Option<String>> {
    let mut words = command.split_whitespace().peekable();
    let mut environment = Vec::new();
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        environment.push((name, value));
        words.next();
    }
    let cargo = words.next();
    debug_assert_eq!(cargo, Some("cargo"));
    let mut command = cargo::command(toolbox)?;
    command.current_dir(toolbox.root()).args(words);
    command.envs(environment).stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let mut found = Vec::new();
    for line in child
        .stdout
        .take()
        .into_iter()
        .flat_map(|out| BufReader::new(out).lines())
    {
        let line = line?;
        println!("{line}");
        found.extend(figure(says, &line));
    }
    Ok(child.wait()?.success().then(|| found.join("; ")))
}

/// The line with single spaces, without what it lists, if it begins with one of these, maybe behind a number.
fn figure(says: &[&str], line: &str) -> Option<String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let text = words.join(" ");
    // A test program that was filtered out altogether says nothing.
    let nothing = text.contains(" 0 passed");
    let named = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let begins = says.iter().any(|start| named.starts_with(start));
    let short = text.split(';').next().unwrap_or_default();
    (begins && !nothing).then(|| short.replace('|', "/"))
}

/// The page with this run's row in place of its former one; rows stand in the order of [`RUNS`].
fn with_row(old: &str, name: &str, cells: &[String]) -> String {
    let mut rows: BTreeMap<usize, String> = BTreeMap::new();
    let place = |name: &str| RUNS.iter().position(|run| run.name == name);
    for line in old.lines() {
        let first = line.strip_prefix("| ").and_then(|l| l.split(" |").next());
        if let Some(at) = first.and_then(place) {
            rows.insert(at, line.into());
        }
    }
    if let Some(at) = place(name) {
        rows.insert(at, format!("| {} |", cells.join(" | ")));
    }
    let rows: String = rows.values().map(|row| format!("{row}\n")).collect();
    format!("{HEAD}{rows}")
}

/// What a program prints first; empty without it.
fn line_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    text.unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default()
        .into()
}

/// Processors and their name, where the system tells.
fn machine() -> String {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = text.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split(':').nth(1));
    format!(
        "{count} × {}",
        model.map_or(std::env::consts::ARCH, str::trim)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_the_place_of_the_former_one() {
        let row = |name: &str, result: &str| [name.to_string(), result.to_string()];
        let page = with_row("", "sm", &row("sm", "first"));
        let page = with_row(&page, "control", &row("control", "ok"));
        let page = with_row(&page, "sm", &row("sm", "second"));
        let rows = page.strip_prefix(HEAD).expect("the head");
        assert_eq!(rows, "| control | ok |\n| sm | second |\n");
    }

    #[test]
    fn figures_are_lines_without_their_lists() {
        let figure = |line: &str| figure(COSIM, line);
        let covered = figure("  situations covered   103 of 152; not a, b");
        assert_eq!(covered.as_deref(), Some("situations covered 103 of 152"));
        assert_eq!(figure("compiling weft_sm"), None);
        let sm = super::figure(SM, "4x8l4: 90 programs equal, 50 of them; 3 CTAs");
        assert_eq!(sm.as_deref(), Some("4x8l4: 90 programs equal, 50 of them"));
        let test = super::figure(TEST, "test result: ok. 0 passed; 0 failed");
        assert_eq!(test, None);
    }

    #[test]
    fn a_share_is_of_programs_and_of_nothing_else() {
        let command = "X_PROGRAMS=20000 cargo test --seed 3000 --programs 300";
        let tenth = "X_PROGRAMS=2000 cargo test --seed 3000 --programs 30";
        assert_eq!(shared(command, 10), tenth);
        for run in &RUNS {
            assert_eq!(shared(run.command, 100), run.command);
        }
        assert_eq!(
            shared("cargo weft --programs 7", 1),
            "cargo weft --programs 1"
        );
    }

    #[test]
    fn names_are_different_and_commands_run_cargo() {
        for (n, run) in RUNS.iter().enumerate() {
            assert!(RUNS[..n].iter().all(|other| other.name != run.name));
            let words = run.command.split_whitespace();
            let mut words = words.skip_while(|word| word.contains('='));
            assert_eq!(words.next(), Some("cargo"), "{}", run.command);
        }
    }
}
