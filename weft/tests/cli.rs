//! The command as a user meets it: exit codes, messages, files.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn weft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments)
        .output()
        .unwrap()
}

fn kernel(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../kernels")
        .join(name)
        .to_str()
        .unwrap()
        .into()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().into()
    }
    fn write(&self, name: &str, contents: &str) -> String {
        std::fs::write(self.path(name), contents).unwrap();
        self.text(name)
    }
    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }
}

/// Standard output of a command that must succeed.
fn succeeds(arguments: &[&str]) -> String {
    let output = weft(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "weft {arguments:?}: {:?}\n{error}",
        output.status
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a command that must end with this code.
fn fails(code: i32, arguments: &[&str]) -> String {
    let output = weft(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "weft {arguments:?}\n{error}"
    );
    error
}

#[test]
fn help_names_every_command_and_gives_examples() {
    let help = succeeds(&["--help"]);
    let list = help
        .split("Commands:")
        .nth(1)
        .unwrap()
        .split("Options:")
        .next()
        .unwrap();
    let commands: Vec<_> = list
        .lines()
        .filter_map(|l| l.strip_prefix("  ")?.split(' ').next())
        .collect();
    for needed in [
        "run", "cosim", "verilog", "asm", "disasm", "synth", "bench", "doctor", "demo",
    ] {
        assert!(
            commands.contains(&needed),
            "{needed} is not in {commands:?}"
        );
    }
    for command in commands
        .into_iter()
        .filter(|c| !c.is_empty() && *c != "help")
    {
        let help = succeeds(&[command, "--help"]);
        assert!(
            help.contains(&format!("cargo weft {command}")),
            "{command}: no example in\n{help}"
        );
    }
}

#[test]
fn golden_and_oracle_agree_on_a_kernel() {
    let run = |engine| {
        let out = succeeds(&[
            "run",
            &kernel("nested.asm"),
            "--engine",
            engine,
            "--dump",
            "result:64",
        ]);
        out[out.find("result").unwrap()..].to_string()
    };
    assert_eq!(run("golden"), run("oracle"));
}

#[test]
fn c_kernels_are_started_and_get_their_data() {
    let folder = Folder::new();
    let report = folder.text("report.json");
    let pairs = format!("pairs={}", kernel("data/pairs.txt"));
    succeeds(&[
        "run",
        &kernel("gcd.s"),
        "--load",
        &pairs,
        "--dump",
        "divisor:8",
        "--json",
        &report,
    ]);
    let json = folder.json("report.json");
    let words: Vec<_> = json["dump"][0]["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w.as_u64().unwrap())
        .collect();
    assert_eq!(words, [1, 0, 7, 7, 1, 4_294_967_295, 4096, 21]);
    assert_eq!(json["ending"], "done");
}

#[test]
fn a_livelock_is_a_finding() {
    let lock = kernel("spin_lock.asm");
    let still = [
        "run",
        &lock,
        "--yield",
        "off",
        "--forced-yield",
        "off",
        "--watchdog",
        "10000",
    ];
    let error = fails(1, &still);
    assert!(error.contains("livelock suspected"), "{error}");
    assert!(error.contains("--watchdog N waits longer"), "{error}");
    assert!(error.contains("warp 0"), "{error}");
    succeeds(&["run", &lock, "--yield", "always", "--forced-yield", "off"]);
    succeeds(&["run", &lock, "--yield", "off", "--forced-yield", "100"]);
}

#[test]
fn a_fault_names_its_place() {
    let folder = Folder::new();
    let bad = folder.write(
        "bad.asm",
        "_start:\n  li t0, 0x1001\n  lw t1, 0(t0)\n  exit\n",
    );
    let error = fails(1, &["run", &bad]);
    assert!(
        error.contains("misaligned") && error.contains("warp 0"),
        "{error}"
    );
}

#[test]
fn a_wrong_program_shows_the_line() {
    let folder = Folder::new();
    let bad = folder.write("bad.asm", "_start:\n  addi a0, a0, 1\n  addj a0, a0, 1\n");
    for command in ["run", "asm", "disasm"] {
        let error = fails(2, &[command, &bad]);
        assert!(
            error.contains("bad.asm") && error.contains('3') && error.contains("addj"),
            "{error}"
        );
    }
}

#[test]
fn input_errors_name_the_option_or_the_file() {
    let folder = Folder::new();
    let gcd = kernel("gcd.s");
    let wrong_word = folder.write("words.txt", "1 2\n3 four\n");
    let notes = folder.write("notes.doc", "no program");
    let odd_size = folder.write("odd.toml", "warps = 4\nthreads = 5\n");
    let lanes = folder.write("lanes.toml", "warps = 4\nthreads = 4\nlanes = 1\n");
    for (arguments, needed) in [
        (vec!["run", "/nowhere/x.asm"], "/nowhere/x.asm"),
        (vec!["run", &notes], "notes.doc"),
        (vec!["run", &gcd, "--yield", "sometimes"], "--yield"),
        (vec!["run", &gcd, "--threads", "5"], "5 threads"),
        (vec!["run", &gcd, "--tokens", "8"], "8 tokens per warp"),
        (vec!["run", &gcd, "--yield-random", "65536"], "65535"),
        (
            vec!["run", &gcd, "--yield-random", "1", "--yield", "off"],
            "--yield",
        ),
        (vec!["run", &gcd, "--yield-seed", "1"], "--yield-random"),
        (vec!["run", &gcd, "--grid", "0"], "--grid"),
        (vec!["run", &gcd, "--load", "pears=x"], "pears"),
        (
            vec!["run", &gcd, "--load", &format!("pairs={wrong_word}")],
            "words.txt:2: 'four'",
        ),
        (vec!["run", &gcd, "--dump", "nothing:3"], "nothing"),
        (vec!["run", &gcd, "--memory", "100"], "memory"),
        (
            vec!["run", &gcd, "--trace", &format!("{gcd}/t.json")],
            "gcd.s/t.json",
        ),
        (vec!["run", &gcd, "--vcd", "x.vcd"], "--vcd"),
        (vec!["verilog", "--config", "huge", "-o", "x"], "huge"),
        (
            vec!["verilog", "--config", &odd_size, "-o", "x"],
            "odd.toml:2: weft_control: threads = 5: threads must be a power of two from 4 to 64",
        ),
        (
            vec!["synth", "ecp5", "--config", &lanes],
            "lanes.toml:3: weft_control has no parameter lanes",
        ),
        (vec!["demo", "frob"], "spin_lock"),
        (vec!["frobnicate"], "frobnicate"),
    ] {
        let error = fails(2, &arguments);
        assert!(
            error.contains(needed),
            "weft {arguments:?}: no {needed} in\n{error}"
        );
    }
}

#[test]
fn disassembly_assembles_to_the_same_words() {
    let words = |listing: &str| -> Vec<String> {
        let word = |l: &str| {
            Some(
                l.split_once(":  ")?
                    .1
                    .split_whitespace()
                    .next()?
                    .to_string(),
            )
        };
        listing.lines().filter_map(word).collect()
    };
    let text = |l: &str| Some(l.split_once(":  ")?.1.split_once("  ")?.1.to_string());
    let folder = Folder::new();
    for name in [
        "nested.asm",
        "calls.asm",
        "spin_lock.asm",
        "bfs.s",
        "histogram.s",
        "rangelock.s",
    ] {
        let listing = succeeds(&["asm", &kernel(name)]);
        assert!(listing.lines().count() > 20, "{listing}");
        let again: String = listing
            .lines()
            .filter_map(text)
            .map(|l| format!("  {l}\n"))
            .collect();
        let source = folder.write("again.asm", &format!("  .text\n_start:\n{again}"));
        assert_eq!(
            words(&listing),
            words(&succeeds(&["disasm", &source])),
            "{name}"
        );
    }
}

#[test]
fn a_flat_binary_disassembles_like_its_source() {
    let folder = Folder::new();
    let source = folder.write("two.asm", "_start:\n  yield\n  exit\n");
    succeeds(&["asm", &source, "-o", &folder.text("two.bin")]);
    let listing = succeeds(&["disasm", &folder.text("two.bin")]);
    assert!(
        listing.contains("yield") && listing.contains("exit"),
        "{listing}"
    );
    folder.write("odd.bin", "abcde");
    assert!(fails(2, &["disasm", &folder.text("odd.bin")]).contains("odd.bin"));
}

#[test]
fn a_trace_is_valid_json_with_a_track_per_warp() {
    let folder = Folder::new();
    succeeds(&[
        "run",
        &kernel("spin_lock.asm"),
        "--warps",
        "2",
        "--threads",
        "4",
        "--trace",
        &folder.text("t.json"),
    ]);
    let json = folder.json("t.json");
    let events = json["traceEvents"].as_array().unwrap();
    let count = |key: &str, value: &str| events.iter().filter(|e| e[key] == value).count();
    assert_eq!(count("name", "thread_name"), 2);
    assert!(count("ph", "X") > 10 && count("name", "yield") > 1 && count("name", "diverge") > 1);
}

#[test]
fn the_demo_is_as_it_must_be() {
    let folder = Folder::new();
    let (out, report) = (folder.text("out"), folder.text("demo.json"));
    let size = ["--warps", "4", "--threads", "4"];
    let demo = |more: &[&str]| {
        succeeds(&[&["demo", "-o", &out, "--json", &report], more, &size[..]].concat())
    };
    demo(&["calls", "collatz_tokens", "--dut", "rust-hdl"]);
    let rust_hdl = folder.json("demo.json");
    let table = demo(&["spin_lock"]);
    assert!(table.contains("livelock suspected, as it must"), "{table}");
    let json = folder.json("demo.json");
    let rows: Vec<_> = [&rust_hdl, &json]
        .iter()
        .flat_map(|json| json["rows"].as_array().unwrap())
        .collect();
    assert!(rows.len() > 4);
    assert_eq!(
        rows.iter()
            .filter(|r| r["ending"] == "livelock_suspected")
            .count(),
        1
    );
    for row in rows.iter().filter(|r| r["ending"] != "livelock_suspected") {
        for agrees in [
            "model_agrees",
            "oracle_agrees",
            "result_right",
            "as_it_must_be",
        ] {
            assert_eq!(row[agrees], true, "{agrees} of {row}");
        }
        assert!(
            folder.json(row["trace"].as_str().unwrap())["traceEvents"]
                .as_array()
                .unwrap()
                .len()
                > 10
        );
    }
    let waves = folder.path("out/spin_lock-always-forced-off.vcd");
    assert!(std::fs::read_to_string(waves)
        .unwrap()
        .contains("$enddefinitions"));
}

#[test]
fn hardware_in_lockstep_compares_with_the_oracle() {
    let folder = Folder::new();
    let report = folder.text("r.json");
    let lockstep = [
        "--engine",
        "lockstep",
        "--dut",
        "rust-hdl",
        "--warps",
        "4",
        "--threads",
        "4",
        "--oracle",
    ];
    let latency = ["--latency", "random:7", "--seed", "3", "--json", &report];
    succeeds(&[&["run", &kernel("calls.asm")], &lockstep[..], &latency[..]].concat());
    let json = folder.json("r.json");
    assert_eq!(json["oracle_agrees"], true);
    assert!(json["cycles"].as_u64().unwrap() > 1000);
    // The threads of this one race, and the oracle goes in another order.
    let error = fails(
        1,
        &[&["run", &kernel("spin_lock.asm")], &lockstep[..]].concat(),
    );
    assert!(error.contains("alone"), "{error}");
}

#[test]
fn random_programs_agree_and_are_reported() {
    let folder = Folder::new();
    let report = folder.text("r.json");
    let out = succeeds(&[
        "cosim",
        "--engine",
        "rust-hdl",
        "--sizes",
        "4x4",
        "--programs",
        "3",
        "--seed",
        "9",
        "--json",
        &report,
    ]);
    assert!(out.contains("seed 9: 3 programs"), "{out}");
    let json = folder.json("r.json");
    assert_eq!(
        (&json["equal"], &json["programs"]),
        (&Value::from(true), &Value::from(3))
    );
    let error = fails(2, &["cosim", "--engine", "rust-hdl", "--sizes", "4x5"]);
    assert!(
        error.contains("4x5") && error.contains("threads must be a power of two"),
        "{error}"
    );
}

#[test]
fn the_benchmark_has_rates_latencies_and_speeds() {
    let folder = Folder::new();
    let (report, baseline) = (folder.text("r.json"), folder.text("baseline.json"));
    let engine = "verilated";
    let small = ["--engine", engine, "--warps", "4", "--threads", "4"];
    let of_speed = ["--cycles", "500", "--programs", "2", "--rounds", "1"];
    let run = |more: &[&str]| {
        let common = ["bench", "--json", &report, "--baseline", &baseline];
        succeeds(&[&common, more, &small[..]].concat())
    };
    let both = ["--only", "control,speed", "--update"];
    let out = run(&[&both[..], &of_speed].concat());
    assert!(out.contains("nothing to compare with"), "{out}");
    let json = folder.json("r.json");
    assert!(json["control"]["issue_rates"].as_array().unwrap().len() >= 3);
    assert!(json["control"]["latencies"].as_array().unwrap().len() >= 5);
    let rates = json["speed"]["rates"].as_array().unwrap();
    assert_eq!(rates.len(), 6);
    let positive = |r: &Value| r["per_second"]["median"].as_f64().unwrap() > 0.0;
    assert!(rates.iter().all(positive), "{rates:?}");
    // What is counted comes out the same; what is not measured again stays in the baseline.
    let out = run(&["--only", "control", "--update"]);
    assert!(
        out.contains(" figures as in the baseline, 0 changed, 0 of them worse"),
        "{out}"
    );
    assert!(folder.json("r.json")["speed"].is_null());
    assert_eq!(folder.json("baseline.json")["speed"], json["speed"]);
    assert_eq!(folder.json("baseline.json")["control"], json["control"]);
}

/// What is worse is told, and is no failure; neither is it hidden by what is better.
#[test]
fn the_benchmark_tells_regressions() {
    let folder = Folder::new();
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/baseline.json");
    let text = std::fs::read_to_string(committed).unwrap();
    let mut before: Value = serde_json::from_str(&text).unwrap();
    // It was one cycle faster then, and twice as large.
    let measured = before["control"]["latencies"][0]["cycles"]
        .as_u64()
        .unwrap();
    before["control"]["latencies"][0]["cycles"] = (measured - 1).into();
    let cells = before["area"][0]["lut4"].as_u64().unwrap();
    before["area"][0]["lut4"] = (2 * cells).into();
    let baseline = folder.text("before.json");
    std::fs::write(&baseline, before.to_string()).unwrap();
    let out = succeeds(&["bench", "--from", committed, "--baseline", &baseline]);
    let told: Vec<_> = out.lines().filter(|l| l.contains("REGRESSION")).collect();
    let wanted = format!(" -> {measured} cycles (+");
    assert!(
        out.contains("2 changed, 1 of them worse by more than 5 %")
            && told.len() == 1
            && told[0].contains("control: 16x32k8b2, verilated: NEXT")
            && told[0].contains(&wanted),
        "{out}"
    );
    assert!(out.contains("better     area: "), "{out}");
}

#[test]
fn the_benchmark_refuses_what_it_cannot_measure() {
    for (arguments, complaint) in [
        (
            &["--only", "control", "--units", "masks"][..],
            "--units: section control has nothing of that; take section area",
        ),
        (&["--only", "speed", "--skip", "speed"], "nothing is left"),
        (
            &["--only", "barrier", "--engine", "rust-hdl"],
            "--engine: section barrier has nothing of that",
        ),
        (
            &["--only", "sm", "--engine", "rust-hdl"],
            "--engine: section sm has nothing of that",
        ),
        (
            &[
                "--only",
                "control",
                "--threads",
                "5",
                "--engine",
                "rust-hdl",
            ],
            "threads must be a power of two",
        ),
        (&["--only", "speed", "--rounds", "0"], "--rounds"),
        (&["--only", "tea"], "control, barrier, kernels"),
        (&["--from", "none.json"], "none.json"),
        (&["--from", "none.json", "--all"], "--all"),
        (&["--only", "masks", "--baseline", "none.json"], "none.json"),
    ] {
        let error = fails(2, &[&["bench"], arguments].concat());
        assert!(error.contains(complaint), "{arguments:?}\n{error}");
    }
}
