//! Random programs through the compiler, compared with their threads alone (COMP-110 to COMP-113), and spoiled sources,
//! which are read or refused with their place (COMP-011).
//!
//! ```sh
//! cargo run --release -p weft-compiler --example fuzz -- --graphs 2000 --programs 500 --sources 10000 --seed 1
//! ```
//!
//! Each program goes through every compiler that is installed at every level, with `--draw` through one of these, by its
//! seed; those of odd seeds as the whole program (COMP-127). A failure is cut down and printed with the line that runs it again.

#[path = "../tests/support/mod.rs"]
mod support;

use rand::seq::SliceRandom as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use support::c_programs;
use support::compilers::{self, Compiler, LEVELS};
use support::graphs;
use support::judge::{alone, as_it_is, equal_to, shape, shape_together, Subject};
use support::spoiled;
use weft_compiler::{compile, Lower, Mutation, Options};

const AGAIN: &str = "again: cargo run --release -p weft-compiler --example fuzz --";

#[derive(Default)]
struct Arguments {
    seed: u64,
    graphs: u64,
    programs: u64,
    together: u64,
    sources: u64,
    draw: bool,
    lower: Option<Lower>,
    level: Option<String>,
    compiler: Option<String>,
    show: bool,
    /// For the tests of the tests.
    mutation: Option<Mutation>,
}

/// Those that take registers for free that are not.
fn mutation(name: &str) -> Result<Mutation, String> {
    let known = [
        Mutation::AllCallsByConvention,
        Mutation::ArgumentsByConvention,
        Mutation::NothingLive,
    ];
    let found = known.into_iter().find(|m| format!("{m:?}") == name);
    found.ok_or_else(|| format!("--mutation: {known:?}"))
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
            "--together" => found.together = number(value()?)?,
            "--mutation" => found.mutation = Some(mutation(&value()?)?),
            "--sources" => found.sources = number(value()?)?,
            "--draw" => found.draw = true,
            "--lower" => found.lower = Some(value()?.parse().map_err(|e| format!("{e}"))?),
            "--level" => found.level = Some(value()?),
            "--compiler" => found.compiler = Some(value()?),
            "--show" => found.show = true,
            _ => return Err(format!("unknown option {word}: --seed --graphs --programs --together --sources --draw --lower --level --compiler --mutation --show")),
        }
    }
    Ok(found)
}

/// Every second program is the whole one (COMP-127).
fn options(lower: Lower, seed: u64, mutation: Option<Mutation>) -> Options {
    Options {
        lower,
        mutation,
        whole: seed % 2 == 1,
        ..Options::default()
    }
}

/// What has been done.
#[derive(Default)]
struct Totals {
    comparisons: usize,
    /// Lowerings that gave what an earlier one of the same program gave.
    alike: usize,
    failures: usize,
    /// Programs that do not compile, or run for too long alone.
    skipped: usize,
    mutation: Option<Mutation>,
    /// Programs by compiler and level.
    programs: BTreeMap<String, usize>,
}

impl Totals {
    /// A program in each of these lowerings; the first that fails.
    fn check(
        &mut self,
        subject: &Subject,
        lowers: &[Lower],
        seed: u64,
        limit: u64,
    ) -> Result<(), (Lower, String)> {
        let (expected, shape) = match subject.waits {
            false => {
                let shape = shape(seed);
                (alone(subject, &subject.source, &shape, limit), shape)
            }
            true => {
                let shape = shape_together(seed);
                (as_it_is(subject, &shape, limit), shape)
            }
        };
        let expected = expected.map_err(|error| (Lower::None, error))?;
        let mut seen = Vec::new();
        for &lower in lowers {
            let output = compile(
                &subject.source,
                &subject.name,
                &options(lower, seed, self.mutation),
            );
            let assembly = output.map_err(|e| (lower, e.to_string()))?.assembly;
            if seen.contains(&assembly) {
                self.alike += 1;
                continue;
            }
            self.comparisons += 1;
            equal_to(&expected, subject, &assembly, &shape).map_err(|error| (lower, error))?;
            seen.push(assembly);
        }
        Ok(())
    }
}

/// Instructions of a thread of a graph alone, and of one of a C program: those that need more are left out.
const GRAPH: u64 = 5_000_000;
const PROGRAM: u64 = 400_000;

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
                "source {seed}: {error}\n{AGAIN} --sources 1 --seed {seed}"
            ));
        };
        for &lower in lowers {
            let options = options(lower, seed, None);
            let run = || compile(&text, "spoiled.s", &options).map_err(|e| e.to_string());
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
    let run = arguments().and_then(|arguments| run(&arguments));
    match run {
        Ok(failures) => ExitCode::from(u8::from(failures > 0)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<usize, String> {
    let only = arguments.lower.map(|lower| vec![lower]);
    let lowers = only.unwrap_or_else(|| Lower::ALL.to_vec());
    let mut totals = Totals {
        mutation: arguments.mutation,
        ..Totals::default()
    };
    let (read, refused, failed) = read_spoiled(arguments.seed, arguments.sources, &lowers);
    failed.iter().for_each(|failure| println!("{failure}"));
    if arguments.sources >= 100 && (read == 0 || refused == 0) {
        println!("sources: all of them were read, or none");
        totals.failures += 1;
    }
    totals.failures += failed.len();
    if arguments.graphs > 0 {
        check_graphs(arguments, &lowers, &mut totals);
    }
    for together in [false, true] {
        check_programs(arguments, together, &lowers, &mut totals)?;
    }
    if arguments.graphs + arguments.programs + arguments.together > 0 {
        for (what, count) in &totals.programs {
            println!("{what}: {count} programs");
        }
        println!(
            "{} comparisons, {} more lowerings gave what another had given, {} failures, {} programs too long or not compiled",
            totals.comparisons, totals.alike, totals.failures, totals.skipped
        );
    }
    Ok(totals.failures)
}

fn check_graphs(arguments: &Arguments, lowers: &[Lower], totals: &mut Totals) {
    for seed in arguments.seed..arguments.seed + arguments.graphs {
        let graph = graphs::random(seed);
        let subject = graph.subject();
        if arguments.show {
            println!("{}", subject.source);
        }
        if let Err((lower, error)) = totals.check(&subject, lowers, seed, GRAPH) {
            totals.failures += 1;
            let small = graph.clone().minimised(&|g| {
                let again = Totals::default().check(&g.subject(), &[lower], seed, GRAPH);
                again.is_err()
            });
            println!(
                "graph {seed}, --lower {lower}: {error}\n{}",
                small.subject().source
            );
            println!("{AGAIN} --graphs 1 --seed {seed} --lower {lower}");
        }
    }
}

fn check_programs(
    arguments: &Arguments,
    together: bool,
    lowers: &[Lower],
    totals: &mut Totals,
) -> Result<(), String> {
    let count = if together {
        arguments.together
    } else {
        arguments.programs
    };
    if count == 0 {
        return Ok(());
    }
    let compilers = compilers::compilers();
    let ways: Vec<Way> = compilers
        .iter()
        .filter(|c| arguments.compiler.as_ref().is_none_or(|n| c.name == *n))
        .flat_map(|compiler| {
            LEVELS.map(|level| Way {
                compiler,
                level,
                together,
            })
        })
        .filter(|way| arguments.level.as_ref().is_none_or(|l| l == way.level))
        .collect();
    if ways.is_empty() {
        return Err("no such RISC-V compiler is installed, or no such level: apt-get install gcc-riscv64-unknown-elf clang-19".into());
    }
    // In memory where there is such a folder: two small files for each program.
    let memory = Path::new("/dev/shm");
    let folder = match tempfile::tempdir_in(memory) {
        Ok(folder) => folder,
        Err(_) => tempfile::tempdir().map_err(|e| e.to_string())?,
    };
    for seed in arguments.seed..arguments.seed + count {
        let c = match together {
            false => c_programs::random(seed),
            true => c_programs::together(seed),
        };
        if arguments.show {
            println!("{c}");
        }
        let drawn: Vec<&Way> = match arguments.draw {
            true => {
                let rng = &mut ChaCha8Rng::seed_from_u64(seed ^ 0xD2A3);
                ways.choose(rng).into_iter().collect()
            }
            false => ways.iter().collect(),
        };
        for way in drawn {
            let Err((lower, error)) = way.check(&c, lowers, seed, folder.path(), totals) else {
                continue;
            };
            totals.failures += 1;
            let (compiler, level) = (&way.compiler.name, way.level);
            // What a mutation breaks is counted, and not looked at.
            let small = match totals.mutation {
                None => way.minimised(&c, lower, seed, folder.path()),
                Some(_) => String::new(),
            };
            println!("C program {seed}, {compiler} {level}, --lower {lower}: {error}\n{small}");
            let what = if together { "together" } else { "programs" };
            println!("{AGAIN} --{what} 1 --seed {seed} --lower {lower} --compiler {compiler} --level {level}");
        }
        let done = seed - arguments.seed + 1;
        if done % 500 == 0 {
            eprintln!("{done} programs, {} failures", totals.failures);
        }
    }
    Ok(())
}

/// How a C program becomes assembly.
struct Way<'a> {
    compiler: &'a Compiler,
    level: &'static str,
    /// Its threads work together.
    together: bool,
}

impl Way<'_> {
    /// One that does not compile, or runs for too long alone, is left out.
    fn check(
        &self,
        c: &str,
        lowers: &[Lower],
        seed: u64,
        folder: &Path,
        totals: &mut Totals,
    ) -> Result<(), (Lower, String)> {
        let (compiler, level) = (self.compiler, self.level);
        let Ok(assembly) = compiler.compile(c, level, folder) else {
            totals.skipped += 1;
            return Ok(());
        };
        let name = format!("{} {level}", compiler.name);
        let file = format!("program{seed}-{}{level}.s", compiler.name);
        let subject = match self.together {
            false => Subject::of_c(&file, assembly),
            true => Subject::of_c_together(&file, assembly),
        };
        match totals.check(&subject, lowers, seed, PROGRAM) {
            // An error of the assembler is one of ours, not a program that is too long.
            Err((Lower::None, error))
                if error.contains("undefined symbol") || error.contains("alone:") =>
            {
                totals.skipped += 1;
            }
            checked => {
                *totals.programs.entry(name).or_default() += 1;
                checked?;
            }
        }
        Ok(())
    }

    /// Takes away lines while the program still fails.
    fn minimised(&self, c: &str, lower: Lower, seed: u64, folder: &Path) -> String {
        let mut lines: Vec<String> = c.lines().map(String::from).collect();
        let mut size = lines.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at + size <= lines.len() {
                let mut fewer = lines.clone();
                fewer.drain(at..at + size);
                let text = fewer.join("\n");
                let mut totals = Totals::default();
                match self.check(&text, &[lower], seed, folder, &mut totals) {
                    Err(_) => lines = fewer,
                    Ok(()) => at += size,
                }
            }
            size /= 2;
        }
        lines.join("\n")
    }
}
