//! `cargo weft`: run, compare, generate.

#![forbid(unsafe_code)]

mod asm;
mod bench;
mod board;
mod cc;
mod check;
mod cl;
mod cli;
mod compile;
mod compute;
mod cosim;
mod data;
mod debug;
mod demo;
mod device;
mod disasm;
mod doctor;
mod dump;
mod engines;
mod files;
mod image;
mod judge;
mod kernels;
mod nested;
mod npy;
mod options;
mod outputs;
mod parse;
mod printed;
mod profile;
mod program;
mod progress;
mod report;
mod run;
mod shell;
mod size;
mod sources;
mod start;
mod synth;
mod takes;
mod trace;
mod values;
mod verilog;

use cli::{Cli, Command};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use weft_isa::AsmErrors;

fn main() -> ExitCode {
    say_what_standard_output_is_missing();
    let matches = parse::command().get_matches();
    let fine = parse::parse(&matches).and_then(|mut cli| carry_out(&mut cli));
    match fine {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => match error.downcast::<Exit>() {
            Ok(Exit(code)) => ExitCode::from(code),
            Err(error) => {
                let told = error.is::<Told>() || error.to_string().starts_with("interrupted");
                complain(error);
                // A tool that was ended with this run has failed for no reason of its own.
                if weft_testbench::stop::requested() && !told {
                    eprintln!("interrupted");
                }
                ExitCode::from(2)
            }
        },
    }
}

/// False: a finding.
fn carry_out(cli: &mut Cli) -> anyhow::Result<bool> {
    match &mut cli.command {
        Command::Run(args) => run::prepare(args).and_then(|()| run::run(args)),
        Command::Debug(args) => debug::run(args),
        Command::Cc(args) => cc::run(args).map(|()| true),
        Command::Cl(args) => cl::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Cosim(args) => cosim::run(args),
        Command::Compile(args) => compile::run(args).map(|()| true),
        Command::Judge(args) => judge::run(args),
        Command::Asm(args) => asm::run(args).map(|()| true),
        Command::Disasm(args) => disasm::run(args).map(|()| true),
        Command::Verilog(args) => verilog::run(args).map(|()| true),
        Command::Synth(args) => synth::run(args),
        Command::Bench(args) => bench::run(args).map(|()| true),
        Command::Doctor(args) => doctor::run(args),
        Command::Completions(args) => {
            shell::completions(args);
            Ok(true)
        }
        Command::Man(args) => shell::man(args).map(|()| true),
    }
}

/// What was wrong has been said; the exit code is still to say it.
#[derive(Debug, thiserror::Error)]
#[error("see above")]
pub struct Told;

/// CC-024: the program has ended with this code, and nothing is wrong with the run.
#[derive(Debug, thiserror::Error)]
#[error("exit code {0}")]
pub struct Exit(pub u8);

/// Assembler errors show the source; everything else is one line with its context.
fn complain(error: anyhow::Error) {
    // What a compiler or a linker said is shown as it is, before the line that it comes to.
    if let Some(said) = error
        .downcast_ref::<weft_cc::Error>()
        .and_then(weft_cc::Error::output)
    {
        eprint!("{said}");
    }
    match error.downcast::<AsmErrors>() {
        Ok(errors) => show(&errors),
        Err(error) if error.is::<Told>() => {}
        Err(error) => eprintln!("error: {error:#}"),
    }
}

/// Every error with its place in the source.
fn show(errors: &AsmErrors) {
    let handler = match std::io::stderr().is_terminal() {
        true => GraphicalReportHandler::new(),
        false => GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()),
    };
    for error in errors.related().into_iter().flatten() {
        let mut text = String::new();
        match handler.render_report(&mut text, error) {
            Ok(()) => eprint!("{text}"),
            Err(_) => eprintln!("error: {error}"),
        }
    }
}

/// A full disk, or nobody who reads: the standard library panics when it cannot print.
/// Files are written before anything is printed.
fn say_what_standard_output_is_missing() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = info.to_string();
        if let Some((_, why)) = text.split_once("failed printing to stdout: ") {
            let why = why.lines().next().unwrap_or(why);
            // Nobody may read that either.
            let _ = writeln!(std::io::stderr(), "error: standard output: {why}");
            std::process::exit(2);
        }
        if text.contains("failed printing to stderr: ") {
            std::process::exit(2);
        }
        usual(info);
    }));
}

/// The first SIGINT or SIGTERM lets a run end in good order, the second one ends the program at once.
pub fn heed_signals() {
    let flag = weft_testbench::stop::flag();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without it a signal ends the program, as ever.
        let _ = signal_hook::flag::register_conditional_default(signal, flag.clone());
        let _ = signal_hook::flag::register(signal, flag.clone());
    }
}
