//! What the lowerings win: random programs, kernels, styles, and how long a compilation takes; as a page with pictures.
//!
//! ```sh
//! cargo run --release -p weft-compiler --example measure -- --programs 500 --page docs/lowering.md --plots docs
//! ```
//!
//! `--waiting all` measures only programs whose threads wait for one another (`--waiting lock`: those with that in
//! their names), prints their part of the page, and fails if `auto` takes too much.
//! `--calls 60` measures instead what CALL tokens would win, over so many random programs with calls and the kernels.
//! `--shares yes` counts how many branches take masks and predication.
//! Without `--page` the text goes to standard output. Random programs and styles need a compiler that is installed.

mod calls;
mod kernels;
mod page;
mod plot;
mod programs;
mod run;
mod styles;
#[path = "../../tests/support/mod.rs"]
mod support;
mod waiting;

use std::path::PathBuf;
use std::process::ExitCode;

struct Arguments {
    programs: u64,
    seed: u64,
    calls: u64,
    shares: bool,
    waiting: Option<String>,
    page: Option<PathBuf>,
    plots: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments {
        programs: 20,
        seed: 1000,
        calls: 0,
        shares: false,
        waiting: None,
        page: None,
        plots: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{value}: not a number"));
        match word.as_str() {
            "--programs" => found.programs = number()?,
            "--seed" => found.seed = number()?,
            "--calls" => found.calls = number()?,
            "--shares" => found.shares = true,
            "--waiting" => found.waiting = Some(value.clone()),
            "--page" => found.page = Some(value.into()),
            "--plots" => found.plots = Some(value.into()),
            _ => {
                return Err(format!(
                    "{word}: --programs --seed --calls --shares --waiting --page --plots"
                ))
            }
        }
    }
    Ok(found)
}

fn measure() -> Result<(), String> {
    let arguments = arguments()?;
    if arguments.calls > 0 {
        return calls::measure(arguments.seed, arguments.calls);
    }
    if arguments.shares {
        print!("{}", page::shares());
        return Ok(());
    }
    if let Some(word) = &arguments.waiting {
        let rows = waiting::measure(word.strip_prefix("all").unwrap_or(word))?;
        print!("{}", page::only_waiting(&rows));
        let failures: Vec<String> = rows.iter().flat_map(waiting::Row::failures).collect();
        // What `cargo xtask long` keeps.
        let runs: usize = rows.iter().map(|row| row.taken.len()).sum();
        eprintln!(
            "programs that wait: {runs} runs, {} too slow",
            failures.len()
        );
        return match failures.is_empty() {
            true => Ok(()),
            false => Err(format!("auto takes too much:\n{}", failures.join("\n"))),
        };
    }
    let programs = programs::measure(arguments.seed, arguments.programs)?;
    let kernels = kernels::measure()?;
    // What follows takes longer than both.
    if let Some(folder) = &arguments.plots {
        plot::programs(&folder.join("lowering.svg"), &programs)?;
        plot::kernels(&folder.join("lowering_kernels.svg"), &kernels)?;
    }
    let styles = styles::measure()?;
    let time = kernels::compile_time()?;
    let waiting = waiting::measure("")?;
    let text = page::text(&programs, &kernels, &styles, &waiting, &time);
    match &arguments.page {
        Some(path) => std::fs::write(path, text).map_err(|e| format!("--page: {e}"))?,
        None => print!("{text}"),
    }
    Ok(())
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
