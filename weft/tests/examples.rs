//! The examples run as their README says. What a tool is missing for is said by name; in the CI nothing may be missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::{which, Toolbox};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// False, and a line, when the tool is not there.
fn there(tool: &str, found: bool) -> bool {
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "the CI has to have {tool}"
        );
        eprintln!("skipped: there is no {tool}");
    }
    found
}

/// What it printed.
fn run(command: &mut Command) -> String {
    let output = command
        .current_dir(root())
        .output()
        .expect("the command starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        output.status.success(),
        "{command:?}: {}\n{out}{err}",
        output.status
    );
    out.into_owned()
}

/// The folder of the C library, built by the dependency on `weft-judge`.
fn library() -> PathBuf {
    let weft = Path::new(env!("CARGO_BIN_EXE_weft"));
    let folder = weft.parent().expect("a folder");
    // Cargo copies the libraries of the workspace beside the programs only when it builds them for their own sake.
    match folder.join("libweft_judge.so").exists() {
        true => folder.into(),
        false => folder.join("deps"),
    }
}

#[test]
fn a_datapath_of_a_readers_own_is_judged() {
    if !there("iverilog", which("iverilog").is_some()) {
        return;
    }
    let out = tempfile::tempdir().expect("a folder");
    let text = run(Command::new("examples/control/run.sh")
        .env("WEFT", env!("CARGO_BIN_EXE_weft"))
        .env("OUT", out.path()));
    assert!(text.contains("16 threads are right"), "{text}");
    assert!(
        text.contains("right: 43 operations retired as the model says"),
        "{text}"
    );

    // The judge notices one wrong bit in the same trace.
    let trace = std::fs::read_to_string(out.path().join("trace.jsonl")).expect("a trace");
    let wrong = out.path().join("wrong.jsonl");
    let text = trace.replacen("\"next_mask\":15", "\"next_mask\":7", 1);
    assert_ne!(text, trace);
    std::fs::write(&wrong, text).expect("written");
    let judged = Command::new(env!("CARGO_BIN_EXE_weft"))
        .arg("judge")
        .arg(&wrong)
        .output()
        .expect("runs");
    assert_eq!(judged.status.code(), Some(1));
    let said = String::from_utf8_lossy(&judged.stdout);
    assert!(
        said.contains("retire_next_mask is 0x7, by the model 0xf"),
        "{said}"
    );
}

#[test]
fn the_rules_notice_a_resolve_that_is_held_too_long() {
    if !there("iverilog", which("iverilog").is_some()) {
        return;
    }
    let out = tempfile::tempdir().expect("a folder");
    let ran = Command::new("examples/control/run.sh")
        .current_dir(root())
        .env("WEFT", env!("CARGO_BIN_EXE_weft"))
        .env("OUT", out.path())
        .env("DEFINE", "HOLD_TOO_LONG")
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(!ran.status.success(), "{text}");
    assert!(
        text.contains("RESOLVE_HOLDS: resolve_* changed before its transfer"),
        "{text}"
    );
}

#[test]
fn the_machine_steps_from_python() {
    if !there("python3", which("python3").is_some()) {
        return;
    }
    let text = run(Command::new("python3")
        .arg("examples/python/machine.py")
        .arg(library().join("libweft_judge.so")));
    assert!(
        text.ends_with("7 threads are right after 8 warp instructions\n"),
        "{text}"
    );
}

#[test]
fn the_judge_is_called_through_dpi() {
    let toolbox = Toolbox::here();
    if !there("Verilator", toolbox.verilator().is_some()) {
        return;
    }
    let environment = toolbox.verilator_env().expect("its environment");
    let out = tempfile::tempdir().expect("a folder");
    let text = run(Command::new("examples/dpi/run.sh")
        .envs(environment)
        .env("JUDGE", library())
        .env("OUT", out.path()));
    assert!(
        text.contains("noticed: warp 0: retire_next_pc is 0x3, by the model 0x2"),
        "{text}"
    );
    assert!(text.contains("2 operations were right"), "{text}");
}
