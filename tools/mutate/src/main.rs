//! `cargo xtask mutate`: the command line of `weft_mutate`.

#![forbid(unsafe_code)]

use anyhow::{bail, ensure, Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use weft_mutate::campaign::{self, Asked, Fate, Report};
use weft_mutate::units::{self, Target};
use weft_mutate::{page, worker};
use weft_toolbox::Toolbox;

const HELP: &str = "\
cargo xtask mutate UNIT [OPTIONS]   the score of a unit's checks: scheduler, convergence, barrier, core, sm, host, tasks, gpu

  --count N         mutants, drawn at random from all that there are (100)
  --seed S          of the draw and of the random runs (1)
  --budget SECONDS  random lockstep for each (20)
  --jobs N          mutants at the same time (as many as processors)
  --random          random lockstep alone, without the written tests
  --module TEXT     only in modules with this in their names
  --json FILE       all mutants and what became of them
  --no-page         docs/mutation.md stays as it is
";

struct Options {
    asked: Asked,
    json: Option<PathBuf>,
    page: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "--help" || a == "help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    if let [worker, unit, numbers @ ..] = arguments {
        if worker == "--worker" {
            let numbers: Result<Vec<u64>, _> = numbers.iter().map(|n| n.parse()).collect();
            let [seed, budget, patience] = numbers?[..] else {
                bail!("--worker UNIT SEED SECONDS SECONDS");
            };
            let of = Duration::from_secs;
            worker::work(target(unit)?, seed, of(budget), of(patience));
        }
    }
    let options = read(arguments)?;
    let toolbox = Toolbox::here();
    let report = campaign::run(&toolbox, &options.asked, &std::env::current_exe()?)?;
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(path, text + "\n").with_context(|| path.display().to_string())?;
    }
    if options.page {
        let date = time::OffsetDateTime::now_utc().date().to_string();
        page::write(toolbox.root(), &report, &date)?;
    }
    print(&report);
    Ok(())
}

fn target(name: &str) -> Result<Target> {
    Target::named(name).with_context(|| {
        let all: Vec<_> = units::ALL.iter().map(|target| target.name).collect();
        format!(
            "{name}: no unit with lockstep; there are {}",
            all.join(", ")
        )
    })
}

fn read(arguments: &[String]) -> Result<Options> {
    let mut words = arguments.iter();
    let unit = words.next().filter(|word| !word.starts_with('-'));
    let mut options = Options {
        asked: Asked {
            target: target(unit.context("a unit comes first; --help says which there are")?)?,
            count: 100,
            seed: 1,
            budget: Duration::from_secs(20),
            random_only: false,
            module: String::new(),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
        },
        json: None,
        page: true,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word}: what?"));
        let asked = &mut options.asked;
        match word.as_str() {
            "--count" => asked.count = number(word, value()?)? as usize,
            "--seed" => asked.seed = number(word, value()?)?,
            "--budget" => asked.budget = Duration::from_secs(number(word, value()?)?),
            "--jobs" => asked.jobs = number(word, value()?)? as usize,
            "--module" => asked.module = value()?.clone(),
            "--json" => options.json = Some(value()?.into()),
            "--random" => asked.random_only = true,
            "--no-page" => options.page = false,
            _ => bail!("{word}: no such option\n\n{HELP}"),
        }
    }
    ensure!(options.asked.count > 0, "--count: at least one");
    ensure!(options.asked.jobs > 0, "--jobs: at least one");
    ensure!(!options.asked.budget.is_zero(), "--budget: at least one");
    Ok(options)
}

fn number(option: &str, text: &str) -> Result<u64> {
    text.parse()
        .with_context(|| format!("{option} {text}: a number"))
}

fn print(report: &Report) {
    let count = |is: fn(&Fate) -> bool| report.mutants.iter().filter(|m| is(&m.fate)).count();
    let noticed = count(|fate| matches!(fate, Fate::Noticed { .. }));
    let survive = count(|fate| matches!(fate, Fate::Survived { .. }));
    println!(
        "{}: {} mutants of {}, seed {}: {noticed} noticed, {} equivalent, {survive} survive: {} in {:.0} s",
        report.unit,
        report.mutants.len(),
        report.possible,
        report.seed,
        report.mutants.len() - noticed - survive,
        page::score(noticed, survive),
        report.seconds
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options> {
        let words: Vec<String> = line.split_whitespace().map(Into::into).collect();
        read(&words)
    }

    #[test]
    fn what_is_asked_for_is_read() {
        let read = options("tasks --count 5 --seed 7 --budget 3 --json a.json --no-page").unwrap();
        let asked = &read.asked;
        assert_eq!(
            (asked.target.name, asked.count, asked.seed),
            ("tasks", 5, 7)
        );
        assert_eq!(asked.budget, Duration::from_secs(3));
        assert!(!read.page && read.json.is_some());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, says) in [
            ("", "a unit comes first"),
            ("--count 3", "a unit comes first"),
            ("masks", "masks: no unit with lockstep; there are scheduler"),
            ("tasks --count", "--count: what?"),
            ("tasks --count x", "--count x: a number"),
            ("tasks --count 0", "--count: at least one"),
            ("tasks --all", "--all: no such option"),
        ] {
            let error = options(line).err().map(|e| format!("{e:#}"));
            assert!(
                error.as_ref().is_some_and(|e| e.contains(says)),
                "{line}: {error:?}"
            );
        }
    }
}
