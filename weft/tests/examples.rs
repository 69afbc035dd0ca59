//! The examples run as their README says. What a tool is missing for is said by name; in the CI nothing may be missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::{which, Toolbox};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

const JUDGE: &str = "libweft_judge.so";
const DRIVER: &str = "libweft_driver_c.so";

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

/// The folder of a C library, built by the dependency on its crate.
fn library(name: &str) -> PathBuf {
    let weft = Path::new(env!("CARGO_BIN_EXE_weft"));
    let folder = weft.parent().expect("a folder");
    // Cargo copies the libraries of the workspace beside the programs only when it builds them for their own sake.
    match folder.join(name).exists() {
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

/// `examples/core/run.sh`, with a fault on purpose if one is named.
fn core(fault: Option<&str>) -> (bool, String) {
    let out = tempfile::tempdir().expect("a folder");
    let ran = Command::new("examples/core/run.sh")
        .current_dir(root())
        .env("WEFT", env!("CARGO_BIN_EXE_weft"))
        .env("OUT", out.path())
        .envs(fault.map(|name| ("DEFINE", name)))
        .output()
        .expect("runs");
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    (ran.status.success(), format!("{out}{err}"))
}

#[test]
fn a_datapath_on_the_core_runs_two_ctas() {
    if !there("iverilog", which("iverilog").is_some()) {
        return;
    }
    let (well, text) = core(None);
    assert!(well && text.contains("17 threads are right"), "{text}");
    // As docs/spec/core.md says.
    assert!(text.contains("issued in cycle 147\n"), "{text}");
}

#[test]
fn the_rules_of_the_core_notice_what_is_done_twice_held_too_long_and_never_ready() {
    if !there("iverilog", which("iverilog").is_some()) {
        return;
    }
    for (fault, rule) in [
        ("DONE_TWICE", "DONE_ONCE: warp 0"),
        ("HOLD_TOO_LONG", "RESOLVE_ONCE: warp 0"),
        ("NO_UNITS", "UNITS: unit_ready is 0 for 4,096 cycles"),
    ] {
        let (well, text) = core(Some(fault));
        assert!(!well && text.contains(rule), "{fault}: {text}");
    }
}

#[test]
fn a_datapath_in_python_runs_under_cocotb() {
    if !there("iverilog", which("iverilog").is_some()) {
        return;
    }
    let python = Toolbox::here().cocotb();
    if !there("cocotb", python.is_some()) {
        return;
    }
    let python = python.expect("it is there").path;
    let out = tempfile::tempdir().expect("a folder");
    let (verilog, build) = (out.path().join("verilog"), out.path().join("build"));
    run(Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(["verilog", "--config", "tiny", "-o"])
        .arg(&verilog));
    let text = run(Command::new(python)
        .arg("examples/cocotb/control.py")
        .args([&verilog, &build]));
    assert!(text.contains("16 threads are right"), "{text}");
}

/// AXI models of others around `weft_gpu`, which hold back at random, and a look at each channel in each cycle.
#[test]
fn the_gpu_runs_between_the_axi_models_of_others() {
    if !there("iverilog", which("iverilog").is_some()) {
        return;
    }
    let python = Toolbox::here().cocotb();
    if !there("cocotb and cocotbext-axi", python.is_some()) {
        return;
    }
    let python = python.expect("it is there").path;
    let out = tempfile::tempdir().expect("a folder");
    let at = |name: &str| out.path().join(name);
    let weft = || Command::new(env!("CARGO_BIN_EXE_weft"));
    run(weft()
        .args(["verilog", "--unit", "gpu", "--config", "tiny", "-o"])
        .arg(at("verilog")));
    run(weft()
        .args(["asm", "examples/axi/saxpy.s", "-o"])
        .arg(at("kernel.bin")));
    let text = run(Command::new(python).arg("examples/axi/gpu.py").args([
        at("verilog"),
        at("kernel.bin"),
        at("build"),
    ]));
    assert!(text.contains("53 elements are right, seed 1"), "{text}");
}

#[test]
fn the_machine_steps_from_python() {
    if !there("python3", which("python3").is_some()) {
        return;
    }
    let text = run(Command::new("python3")
        .arg("examples/python/machine.py")
        .arg(library(JUDGE).join(JUDGE)));
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
        .env("JUDGE", library(JUDGE))
        .env("OUT", out.path()));
    assert!(
        text.contains("noticed: warp 0: retire_next_pc is 0x3, by the model 0x2"),
        "{text}"
    );
    assert!(text.contains("2 operations were right"), "{text}");
}

#[test]
fn a_host_in_c_launches_through_the_driver() {
    let out = tempfile::tempdir().expect("a folder");
    let text = run(Command::new("examples/driver/run.sh")
        .env("WEFT", env!("CARGO_BIN_EXE_weft"))
        .env("DRIVER", library(DRIVER))
        .env("OUT", out.path()));
    let right = "1000 elements are right after 2 launches of 64 CTAs";
    assert!(text.contains(right), "{text}");
    let fault = "as it should be: kernel stray, CTA 0, warp 2, thread 16, pc 0x";
    assert!(text.contains(fault), "{text}");
    assert!(text.contains("kernel.c:23)"), "{text}");
}

/// What stands between `.name(` and its `)`, in each connection of this port.
fn connections<'a>(bench: &'a str, port: &str) -> Vec<&'a str> {
    let start = format!(".{port}(");
    let rest = bench.split(&start).skip(1);
    rest.map(|rest| rest.split_once(')').expect("closed").0)
        .collect()
}

/// Whoever takes the example has every input of the core before them: driven by the datapath, or a tie-off that the
/// page's table explains.
#[test]
fn every_input_of_the_core_is_driven_or_its_tie_off_explained() {
    let out = tempfile::tempdir().expect("a folder");
    run(Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(["verilog", "--unit", "core", "--config", "tiny", "-o"])
        .arg(out.path()));
    let ports = std::fs::read_to_string(out.path().join("weft_core.ports.json")).expect("a table");
    let ports: serde_json::Value = serde_json::from_str(&ports).expect("JSON");
    let bench = std::fs::read_to_string(root().join("examples/core/bench.v")).expect("a bench");
    let page = std::fs::read_to_string(root().join("docs/spec/core.md")).expect("a page");
    let table = page.split("| input | tied to | means |").nth(1);
    let table = table.and_then(|rest| rest.split("\n\n").next());
    let explained: Vec<&str> = table
        .expect("a table")
        .lines()
        .filter_map(|line| line.split('|').nth(1))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let is_explained = |name: &str| {
        explained.iter().any(|e| match e.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => *e == name,
        })
    };
    let (mut tied, mut missing) = (0, Vec::new());
    for port in ports["ports"].as_array().expect("ports") {
        let name = port["name"].as_str().expect("a name");
        let joined = connections(&bench, name);
        assert!(!joined.is_empty(), "{name} is not connected");
        // Bases of numbers: 20'd0.
        let constant = joined[0].contains('\'') || joined[0] == "UNITS";
        if port["direction"] == "in" && constant {
            tied += 1;
            // Of a group whose valid is tied off the data do not count.
            let group = name.rsplit_once('_').map_or(name, |(group, _)| group);
            if !is_explained(name) && !is_explained(&format!("{group}_valid")) {
                missing.push(name);
            }
        }
    }
    assert!(tied > 20, "{tied}");
    assert_eq!(
        missing, [""; 0],
        "tied off, and docs/spec/core.md does not say why"
    );
}
