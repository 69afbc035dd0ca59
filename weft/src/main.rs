//! `cargo weft`: run, compare, generate.

mod asm;
mod bench;
mod board;
mod cli;
mod compute;
mod cosim;
mod data;
mod demo;
mod disasm;
mod doctor;
mod engine;
mod image;
mod judge;
mod kernels;
mod options;
mod program;
mod progress;
mod report;
mod run;
mod size;
mod sm;
mod synth;
mod trace;
mod verilog;

use clap::Parser;
use cli::{Cli, Command};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::io::IsTerminal;
use std::process::ExitCode;
use weft_isa::AsmErrors;

fn main() -> ExitCode {
    end_quietly_when_nobody_reads();
    let cli = Cli::parse();
    let fine = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Cosim(args) => cosim::run(args),
        Command::Judge(args) => judge::run(args),
        Command::Asm(args) => asm::run(args).map(|()| true),
        Command::Disasm(args) => disasm::run(args).map(|()| true),
        Command::Verilog(args) => verilog::run(args).map(|()| true),
        Command::Synth(args) => synth::run(args),
        Command::Bench(args) => bench::run(args).map(|()| true),
        Command::Doctor(args) => doctor::run(args),
    };
    match fine {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain(error);
            ExitCode::from(2)
        }
    }
}

/// Assembler errors show the source; everything else is one line with its context.
fn complain(error: anyhow::Error) {
    match error.downcast::<AsmErrors>() {
        Ok(errors) => show(&errors),
        Err(error) if broken_pipe(&error) => {}
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

/// `weft demo | head`: the standard library panics when it prints to a closed pipe.
fn end_quietly_when_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = info.to_string();
        if text.contains("failed printing to stdout") && text.contains("Broken pipe") {
            std::process::exit(141);
        }
        usual(info);
    }));
}

/// The same for output that is not printed by `println!`.
fn broken_pipe(error: &anyhow::Error) -> bool {
    let io = error
        .chain()
        .find_map(|e| e.downcast_ref::<std::io::Error>());
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
