//! Random programs through the compiler, compared with their threads alone (COMP-110 to COMP-113), and spoiled sources,
//! which are read or refused with their place (COMP-011).
//!
//! ```sh
//! cargo run --release -p weft-compiler --example fuzz -- --graphs 2000 --programs 500 --sources 10000 --seed 1
//! ```
//!
//! C programs need a compiler that is installed; a failure is cut down and printed with the line that runs it again.

#[path = "../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;
use support::c_programs;
use support::compilers::{self, Compiler, LEVELS};
use support::graphs;
use support::judge::{equal, shape, Subject};
use support::spoiled;
use weft_compiler::{compile, Lower, Options};

#[derive(Default)]
struct Arguments {
    seed: u64,
    graphs: u64,
    programs: u64,
    sources: u64,
    lower: Option<Lower>,
    level: Option<String>,
    compiler: Option<String>,
    measure: bool,
    show: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments {
        seed: 1,
        ..Arguments::default()
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| {
            text.parse::<u64>()
                .map_err(|_| format!("{text} is not a number"))
        };
        match word.as_str() {
            "--seed" => found.seed = number(value()?)?,
            "--graphs" => found.graphs = number(value()?)?,
            "--programs" => found.programs = number(value()?)?,
            "--sources" => found.sources = number(value()?)?,
            "--lower" => found.lower = Some(value()?.parse().map_err(|e| format!("{e}"))?),
            "--level" => found.level = Some(value()?),
            "--compiler" => found.compiler = Some(value()?),
            "--measure" => found.measure = true,
            "--show" => found.show = true,
            _ => return Err(format!("unknown option {word}: --seed --graphs --programs --sources --lower --level --compiler --measure --show")),
        }
    }
    Ok(found)
}

fn options(lower: Lower) -> Options {
    Options {
        lower,
        ..Options::default()
    }
}

fn check(subject: &Subject, lower: Lower, seed: u64) -> Result<(), String> {
    let output =
        compile(&subject.source, &subject.name, &options(lower)).map_err(|e| e.to_string())?;
    equal(subject, &output.assembly, &shape(seed))
}

/// Cycles and warp instructions of each lowering, relative to none.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<f64>>,
}

/// What is measured: cycles of a lone warp, cycles of 16, warp instructions of 16.
const FIGURES: [&str; 4] = [
    "cycles, 1 warp",
    "cycles, 16 warps",
    "instructions, 16 warps",
    "cycles, 7 warps",
];

impl Table {
    fn note(&mut self, subject: &Subject, seed: u64) {
        let run = |lower: Lower| {
            let output = compile(&subject.source, &subject.name, &options(lower)).ok()?;
            Some([
                cycles(subject, &output.assembly, 1)?.0,
                cycles(subject, &output.assembly, 16)?.0,
                cycles(subject, &output.assembly, 16)?.1,
                cycles(subject, &output.assembly, 7)?.0,
            ])
        };
        let Some(none) = run(Lower::None) else { return };
        let mut row = Vec::new();
        for lower in &Lower::ALL[..4] {
            let Some(other) = run(*lower) else { return };
            row.extend(none.iter().zip(other).map(|(none, other)| none / other));
        }
        if row[..4].iter().any(|&speed| speed < 0.99) {
            println!(
                "auto is slower than none: {} seed {seed}: {:.3?}, all tokens {:.3?}",
                subject.name,
                &row[..4],
                &row[4..8]
            );
        }
        self.rows.push(row);
    }

    fn print(&self, what: &str) {
        if self.rows.is_empty() {
            return;
        }
        let count = self.rows.len() as f64;
        println!("{what}: {} measured", self.rows.len());
        for (number, figure) in FIGURES.iter().enumerate() {
            println!("  {figure}");
            for (at, lower) in Lower::ALL[..4].iter().enumerate() {
                let mut column: Vec<f64> =
                    self.rows.iter().map(|row| row[4 * at + number]).collect();
                column.sort_by(f64::total_cmp);
                let mean = (column.iter().map(|x| x.ln()).sum::<f64>() / count).exp();
                let slower = column.iter().filter(|&&x| x < 0.99).count();
                println!("    {lower:10} {mean:.3} times as fast (geometric mean), worst {:.3}, median {:.3}, best {:.2}, slower by more than 1 %: {slower}", column[0], column[column.len() / 2], column[column.len() - 1]);
            }
        }
    }
}

/// Cycles under the clock of the golden model, and warp instructions.
fn cycles(subject: &Subject, assembly: &str, warps: usize) -> Option<(f64, f64)> {
    let config = weft_sim::Config {
        warps,
        threads: 32,
        memory: 1 << 23,
        ..weft_sim::Config::default()
    };
    let program = support::judge::assemble(&subject.name, assembly).ok()?;
    let mut machine = weft_sim::Machine::new(&program, &config).ok()?;
    let cycles = weft_sim::timing::Timing::default().run(&mut machine).ok()?;
    Some((
        cycles as f64,
        machine.stats().total.warp_instructions as f64,
    ))
}

/// Spoiled sources in every lowering: how many were read and how many refused, and what each failure says.
fn read_spoiled(seed: u64, count: u64, lowers: &[Lower]) -> (u64, u64, Vec<String>) {
    let sources = spoiled::sources();
    let (mut read, mut refused, mut failures) = (0, 0, Vec::new());
    let mut longest = (0.0, 0);
    for seed in seed..seed + count {
        let text = spoiled::random(seed, &sources);
        let start = std::time::Instant::now();
        let mut fails = |error: String| {
            failures.push(format!(
                "source {seed}: {error}\nagain: cargo run --release -p weft-compiler --example fuzz -- --sources 1 --seed {seed}"
            ));
        };
        for &lower in lowers {
            let run = || compile(&text, "spoiled.s", &options(lower)).map_err(|e| e.to_string());
            match std::panic::catch_unwind(run) {
                Err(_) => fails(format!("--lower {lower} panics")),
                Ok(Err(error)) if !error.contains("spoiled.s:") => {
                    fails(format!("--lower {lower}: no place is named: {error}"));
                }
                Ok(Err(_)) => refused += 1,
                Ok(Ok(output)) if lower == Lower::None && output.assembly != text => {
                    fails("--lower none changes it (COMP-002)".into());
                }
                Ok(Ok(_)) => read += 1,
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds > longest.0 {
            longest = (seconds, seed);
        }
    }
    if count > 0 {
        println!(
            "{count} spoiled sources, each in {} lowerings: {read} read, {refused} refused with their place, {} failures; the longest (seed {}) took {:.2} s for all",
            lowers.len(),
            failures.len(),
            longest.1,
            longest.0
        );
    }
    (read, refused, failures)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let lowers: Vec<Lower> = arguments
        .lower
        .map_or(Lower::ALL.to_vec(), |lower| vec![lower]);
    let (mut failures, mut skipped, mut checked) = (0, 0, 0);
    let (read, refused, failed) = read_spoiled(arguments.seed, arguments.sources, &lowers);
    failed.iter().for_each(|failure| println!("{failure}"));
    if arguments.sources >= 100 && (read == 0 || refused == 0) {
        println!("sources: all of them were read, or none");
        failures += 1;
    }
    failures += failed.len();
    let mut table = Table::default();
    for seed in arguments.seed..arguments.seed + arguments.graphs {
        let graph = graphs::random(seed);
        let subject = graph.subject();
        if arguments.show {
            println!("{}", subject.source);
        }
        for &lower in &lowers {
            checked += 1;
            if let Err(error) = check(&subject, lower, seed) {
                failures += 1;
                let small = graph
                    .clone()
                    .minimised(&|g| check(&g.subject(), lower, seed).is_err());
                println!(
                    "graph {seed}, --lower {lower}: {error}\n{}",
                    small.subject().source
                );
                println!("again: cargo run --release -p weft-compiler --example fuzz -- --graphs 1 --seed {seed} --lower {lower}");
            }
        }
        if arguments.measure {
            table.note(&subject, seed);
        }
    }
    table.print("graphs");
    let mut compilers = compilers::compilers();
    compilers.retain(|c| {
        arguments
            .compiler
            .as_ref()
            .is_none_or(|name| c.name == *name)
    });
    let folder = std::env::temp_dir().join(format!("weft-fuzz-{}", std::process::id()));
    let mut tables: Vec<(String, Table)> = Vec::new();
    if arguments.programs > 0 {
        if compilers.is_empty() {
            eprintln!("error: no RISC-V compiler is installed: apt-get install gcc-riscv64-unknown-elf clang-19");
            return ExitCode::from(2);
        }
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    }
    for seed in arguments.seed..arguments.seed + arguments.programs {
        let c = c_programs::random(seed);
        if arguments.show {
            println!("{c}");
        }
        for compiler in &compilers {
            for level in LEVELS
                .iter()
                .filter(|l| arguments.level.as_ref().is_none_or(|only| only == *l))
            {
                match c_program(&c, compiler, level, &lowers, seed, &folder) {
                    Ok(None) => skipped += 1,
                    Ok(Some(subject)) => {
                        checked += lowers.len();
                        if arguments.measure {
                            let name = format!("{} {level}", compiler.name);
                            let at =
                                tables
                                    .iter()
                                    .position(|(n, _)| *n == name)
                                    .unwrap_or_else(|| {
                                        tables.push((name, Table::default()));
                                        tables.len() - 1
                                    });
                            tables[at].1.note(&subject, seed);
                        }
                    }
                    Err((lower, error)) => {
                        failures += 1;
                        let small = minimised(&c, compiler, level, lower, seed, &folder);
                        println!(
                            "C program {seed}, {} {level}, --lower {lower}: {error}\n{small}",
                            compiler.name
                        );
                        println!("again: cargo run --release -p weft-compiler --example fuzz -- --programs 1 --seed {seed} --lower {lower} --compiler {} --level {level}", compiler.name);
                    }
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    tables.iter().for_each(|(name, table)| table.print(name));
    println!(
        "{checked} comparisons, {failures} failures, {skipped} programs too long or not compiled"
    );
    ExitCode::from(u8::from(failures > 0))
}

/// `None`: it does not compile, or runs for too long alone.
fn c_program(
    c: &str,
    compiler: &Compiler,
    level: &str,
    lowers: &[Lower],
    seed: u64,
    folder: &std::path::Path,
) -> Result<Option<Subject>, (Lower, String)> {
    let Ok(assembly) = compiler.compile(c, level, folder) else {
        return Ok(None);
    };
    let subject = Subject::of_c(
        &format!("program{seed}-{}{level}.s", compiler.name),
        assembly,
    );
    let runs = support::judge::alone(&subject, &subject.source, &shape(seed), 400_000);
    if let Err(error) = runs {
        // An error of the assembler is one of ours, not a program that is too long.
        return match error.contains("does not end")
            || error.contains("undefined symbol")
            || error.contains("alone:")
        {
            true => Ok(None),
            false => Err((Lower::None, error)),
        };
    }
    for &lower in lowers {
        check(&subject, lower, seed).map_err(|error| (lower, error))?;
    }
    Ok(Some(subject))
}

/// Takes away lines while the program still fails.
fn minimised(
    c: &str,
    compiler: &Compiler,
    level: &str,
    lower: Lower,
    seed: u64,
    folder: &std::path::Path,
) -> String {
    let mut lines: Vec<String> = c.lines().map(String::from).collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(at..at + size);
            match c_program(&fewer.join("\n"), compiler, level, &[lower], seed, folder) {
                Err(_) => lines = fewer,
                Ok(_) => at += size,
            }
        }
        size /= 2;
    }
    lines.join("\n")
}
