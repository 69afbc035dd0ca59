//! Random C programs of stock compilers, and random graphs, in every lowering on `weft_sm` under Verilator, in lockstep
//! with the golden machine and at the end against every thread alone (COMP-114).
//!
//! ```sh
//! cargo run --release -p weft-testbench --example c_programs -- --programs 100 --graphs 50 --size 4x4l4 --size 4x8l4
//! ```
//!
//! Each program is compiled by every compiler that is there, each at one level, by turns.
//! `--compiler`, `--level` and `--lower` choose one of them. A failure prints the line that runs it again.

#[path = "../tests/compiled/mod.rs"]
mod compiled;

use compiled::{check, compilers, Origin, Plan, Totals};
use std::process::ExitCode;
use std::time::Instant;
use weft_compiler::Lower;
use weft_testbench::sm::Shape;

const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

struct Arguments {
    seed: u64,
    first: u64,
    programs: u64,
    graphs: u64,
    instructions: u64,
    /// After so many no program begins any more.
    seconds: u64,
    sizes: Vec<Shape>,
    lower: Option<Lower>,
    level: Option<&'static str>,
    compiler: Option<String>,
}

const OPTIONS: &str =
    "--seed --first --programs --graphs --instructions --seconds --size --lower --level --compiler";

/// Warps x threads l lanes.
fn shape(text: &str) -> Option<Shape> {
    let numbers = text.split(['x', 'l']).map(str::parse::<usize>);
    match numbers.collect::<Result<Vec<_>, _>>().as_deref() {
        Ok(&[warps, threads, lanes]) if lanes > 0 && threads % lanes == 0 => {
            Some(Shape::of(warps, threads, lanes))
        }
        _ => None,
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments {
        seed: 1,
        first: 0,
        programs: 20,
        graphs: 10,
        instructions: 20_000,
        seconds: u64::MAX,
        sizes: Vec::new(),
        lower: None,
        level: None,
        compiler: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word} needs a value"))?;
        let number = || {
            let number = value.parse::<u64>();
            number.map_err(|_| format!("{word}: {value} is not a number"))
        };
        match word.as_str() {
            "--seed" => found.seed = number()?,
            "--first" => found.first = number()?,
            "--programs" => found.programs = number()?,
            "--graphs" => found.graphs = number()?,
            "--instructions" => found.instructions = number()?,
            "--seconds" => found.seconds = number()?,
            "--size" => found.sizes.push(shape(&value).ok_or_else(|| {
                format!("--size {value}: write warps x threads l lanes, such as 8x8l8")
            })?),
            "--lower" => found.lower = Some(value.parse().map_err(|e| format!("{e}"))?),
            "--level" => {
                let level = LEVELS.into_iter().find(|level| *level == value);
                let known = LEVELS.join(", ");
                found.level = Some(level.ok_or_else(|| format!("--level: {known}"))?);
            }
            "--compiler" => found.compiler = Some(value),
            _ => return Err(format!("unknown option {word}: {OPTIONS}")),
        }
    }
    if found.sizes.is_empty() {
        found.sizes = vec![Shape::TINY, Shape::of(4, 8, 4)];
    }
    Ok(found)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let Arguments { seed, first, .. } = *arguments;
    let mut there = compilers();
    let wanted = arguments.compiler.as_ref();
    there.retain(|c| wanted.is_none_or(|name| c.family.name() == name));
    if there.is_empty() && arguments.programs > 0 {
        let wanted = wanted.map_or("for RISC-V", String::as_str);
        return Err(format!(
            "no compiler {wanted} is installed: `cargo xtask setup`"
        ));
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let lowers = match arguments.lower {
        Some(lower) => vec![lower],
        None => Lower::ALL.into_iter().rev().collect(),
    };
    let plans = arguments.sizes.iter().map(|&shape| Plan {
        seed,
        shape,
        lowers: lowers.clone(),
        instructions: arguments.instructions,
        fault: None,
    });
    let plans: Vec<Plan> = plans.collect();
    println!(
        "seed {seed}, from {first} on: {} C programs, {} graphs",
        arguments.programs, arguments.graphs
    );
    let mut right = true;
    for c in [true, false] {
        let count = if c {
            arguments.programs
        } else {
            arguments.graphs
        };
        if count == 0 {
            continue;
        }
        let (start, mut totals) = (Instant::now(), Totals::default());
        for index in first..first + count {
            if start.elapsed().as_secs() >= arguments.seconds {
                break;
            }
            for (n, plan) in plans.iter().enumerate() {
                let level = LEVELS[(index as usize + n) % LEVELS.len()];
                let level = arguments.level.unwrap_or(level);
                let origins: Vec<Origin> = match c {
                    true => there
                        .iter()
                        .map(|compiler| Origin::C(compiler, level))
                        .collect(),
                    false => vec![Origin::Graph],
                };
                for origin in origins {
                    if let Err(failure) = check(plan, index, origin, folder.path(), &mut totals) {
                        println!("{failure}");
                        right = false;
                    }
                }
            }
        }
        let what = if c { "C programs" } else { "graphs" };
        println!(
            "{what}: {} programs x compilers x sizes ({} left out), {} runs in lockstep ({} more lowered alike), {} \
             cycles, {} warp instructions, {:.0} s",
            totals.programs,
            totals.left_out,
            totals.runs,
            totals.alike,
            totals.cycles,
            totals.instructions,
            start.elapsed().as_secs_f64()
        );
        print!("{}", totals.seen);
        // Of few programs, or of one lowering, nobody expects everything.
        let missing = totals.seen.missing(c);
        let all = totals.programs >= 60 && arguments.lower.is_none();
        if all && !missing.is_empty() {
            let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
            println!("not covered: {}", missing.join(", "));
            right = false;
        }
    }
    Ok(right)
}
