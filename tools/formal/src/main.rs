//! `cargo xtask formal`: proofs about the generated Verilog with SymbiYosys. See `docs/formal.md`.

#![forbid(unsafe_code)]

mod prints;
mod proofs;
mod record;
mod row;
mod run;
mod table;

use anyhow::{bail, Result};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask formal [--all] [--again] [--beside] [--list] [NAME ...]

  without NAME  the short proofs; with --all also the long ones.
                What docs/proofs.md says of this very Verilog is not proved again
  --again       but it is
  NAME          every proof whose name begins so, again, with the traces of covers and of defects
  --beside      beside other programs that want the processors: ten times the patience
  --list        only print the names
";

fn main() -> ExitCode {
    match start() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<bool> {
    let (mut all, mut list, mut beside, mut again) = (false, false, false, false);
    let mut names = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--all" => all = true,
            "--again" => again = true,
            "--list" => list = true,
            "--beside" => beside = true,
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(true);
            }
            flag if flag.starts_with('-') => bail!("no such option: {flag}\n{HELP}"),
            _ => names.push(argument),
        }
    }
    let chosen = |name: &str, long: bool| {
        if names.is_empty() {
            all || !long
        } else {
            names.iter().any(|n| name.starts_with(n.as_str()))
        }
    };
    let mut tasks: Vec<_> = run::tasks()
        .into_iter()
        .filter(|task| chosen(&task.name, task.long))
        .collect();
    let prints = run::units()?.iter().map(prints::name).collect::<Vec<_>>();
    let prints: Vec<_> = prints
        .into_iter()
        .filter(|name| chosen(name, false))
        .collect();
    if tasks.is_empty() && prints.is_empty() {
        bail!("no proof is called so; --list prints the names");
    }
    if beside {
        tasks.iter_mut().for_each(|task| task.patience *= 10);
    }
    if list {
        for task in &tasks {
            let note = if task.long { "  (--all)" } else { "" };
            println!("{:28} {}{note}", task.name, task.how());
        }
        for name in &prints {
            println!("{name:28} {}", prints::HOW);
        }
        return Ok(true);
    }
    let traces = !names.is_empty();
    let again = again || traces;
    run::run(tasks, &prints, run::Choice { again, traces })
}
