//! What `weft verilog` writes: complete, the same every time, and accepted by the tools that it is for.

mod systemrdl;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use weft_toolbox::Toolbox;

type Files = BTreeMap<String, String>;

fn weft(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.current_dir(directory).arg("verilog");
    command.args(arguments).output().unwrap()
}

fn both(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

fn read(directory: &Path) -> Files {
    let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    entries
        .map(|e| {
            let name = e.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(e.path()).unwrap())
        })
        .collect()
}

/// The files in `out` below the directory.
fn written(directory: &Path, arguments: &[&str]) -> Files {
    let output = weft(directory, &[arguments, &["-o", "out"]].concat());
    assert!(output.status.success(), "{arguments:?}\n{}", both(&output));
    read(&directory.join("out"))
}

fn refused(directory: &Path, arguments: &[&str]) -> String {
    let output = weft(directory, arguments);
    let text = both(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{text}");
    text
}

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The command in the header of a file.
fn command_in(text: &str) -> Vec<&str> {
    let line = text
        .lines()
        .find_map(|l| l.split_once("Made by: cargo weft verilog "));
    let (command, to) = line.unwrap().1.split_once(" -o ").unwrap();
    assert_eq!(to.trim_end_matches(['"', ',']), "DIR");
    command.split(' ').collect()
}

#[test]
fn everything_that_is_needed_is_there() {
    let directory = temporary();
    let files = written(
        directory.path(),
        &["--config", "tiny", "--bundle", "--wrapper"],
    );
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    let needed = [
        "weft_control.core",
        "weft_control.f",
        "weft_control.ports.json",
        "weft_control.ports.md",
        "weft_control.v",
        "weft_control_rules.sv",
        "weft_control_sv.sv",
    ];
    assert_eq!(names, needed);
    let list: Vec<_> = files["weft_control.f"]
        .lines()
        .filter(|l| !l.starts_with("//"))
        .collect();
    assert_eq!(list, ["weft_control.v", "weft_control_sv.sv"]);
    let table = &files["weft_control.ports.md"];
    let row = "\n| `launch_mask` | Its threads, one at least. | in | W = 4 |\n";
    assert!(
        table.contains("\n## launch\n") && table.contains(row),
        "{table}"
    );
    let core = &files["weft_control.core"];
    let name = concat!(
        "\"weft:core:weft_control_4x4k4b2:",
        env!("CARGO_PKG_VERSION"),
        "\""
    );
    assert!(
        core.starts_with("CAPI=2:\n") && core.contains(name),
        "{core}"
    );
}

/// What the Markdown says, for programs.
#[test]
fn ports_are_there_as_json() {
    for unit in ["control", "core"] {
        let directory = temporary();
        let files = written(directory.path(), &["--config", "tiny", "--unit", unit]);
        let table = &files[&format!("weft_{unit}.ports.md")];
        let json = &files[&format!("weft_{unit}.ports.json")];
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        let ports = json["ports"].as_array().unwrap();
        assert_eq!(ports.len(), table.matches("\n| `").count());
        for port in ports {
            let of = |key: &str| port[key].as_str().unwrap();
            let section = table.split(&format!("\n## {}\n\n", of("section"))).nth(1);
            let section = section.unwrap().split("\n## ").next().unwrap();
            assert!(section.starts_with(of("meaning")), "{port}");
            let (name, port_meaning, direction) = (of("name"), of("port"), of("direction"));
            let row = format!("\n| `{name}` | {port_meaning} | {direction} | ");
            let rest = section.split(&row).nth(1).unwrap();
            let width = rest.split(" |").next().unwrap();
            let width = width.rsplit(' ').next().unwrap();
            assert_eq!(port["width"].to_string(), width, "{port}");
        }
        let parameters = json["parameters"].as_array().unwrap();
        assert!(parameters
            .iter()
            .any(|p| p["name"] == "NW" && p["value"] == 4));
    }
}

/// A tool that knows nothing of Weft gets plain memories: no macro has to be defined for synthesis.
#[test]
fn nothing_is_asked_of_a_synthesis_tool() {
    for unit in ["core", "sm", "token-memory"] {
        let directory = temporary();
        let files = written(directory.path(), &["--config", "tiny", "--unit", unit]);
        let verilog = files.iter().filter(|(name, _)| name.ends_with(".v"));
        let macros = |text: &str| -> Vec<String> {
            let lines = text.lines().map(str::trim_start);
            let lines = lines.filter(|l| l.starts_with("`if"));
            lines.map(String::from).collect()
        };
        let found: Vec<_> = verilog.flat_map(|(_, text)| macros(text)).collect();
        assert!(!found.is_empty(), "{unit} has block RAM");
        for line in found {
            assert_eq!(line, "`ifdef WEFT_RAM_COLLISIONS", "{unit}");
        }
    }
}

/// The folder is a library: Icarus finds each module by its file, from anywhere.
#[test]
fn icarus_takes_the_folder_from_elsewhere() {
    if weft_toolbox::which("iverilog").is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the CI has to have Icarus"
        );
        eprintln!("skipped: there is no Icarus");
        return;
    }
    let directory = temporary();
    let elsewhere = temporary();
    written(directory.path(), &["--config", "tiny"]);
    let user =
        "module user;\n  reg clock = 0;\n  weft_control control (.clock(clock));\nendmodule\n";
    std::fs::write(elsewhere.path().join("user.v"), user).unwrap();
    let output = Command::new("iverilog")
        .current_dir(elsewhere.path())
        .args(["-g2012", "-s", "user", "-o", "user.vvp", "user.v", "-y"])
        .arg(directory.path().join("out"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", both(&output));
    let made = std::fs::read_to_string(elsewhere.path().join("user.vvp")).unwrap();
    assert!(
        made.contains("weft_control_convergence"),
        "no hardware in it"
    );
}

/// Every name stands for its size, in header, table and wrapper alike, and docs/sizes.md says the same.
#[test]
fn named_configurations_are_what_their_page_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/sizes.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (name, config) in weft_generate::Config::NAMED {
        let directory = temporary();
        let files = written(directory.path(), &["--config", name, "--wrapper"]);
        let weft_generate::Config {
            warps,
            threads,
            front,
            back,
            ..
        } = config;
        let row = format!("| `{name}` | {warps} | {threads} | {front}, {back} |");
        assert!(page.contains(&row), "docs/sizes.md has no {row}");
        let head = format!(
            "Configuration {name}: {warps} warps, {threads} threads per warp, token window of {front} front and {back} back"
        );
        for (file, text) in &files {
            assert!(text.contains(&head), "{file}: no {head}");
            assert_eq!(command_in(text)[1], name, "{file}");
        }
        let table = &files["weft_control.ports.md"];
        let wrapper = &files["weft_control_sv.sv"];
        for (parameter, value) in [("NW", warps), ("W", threads), ("K", front), ("B", back)] {
            let row = format!("\n| {parameter} | {value} | ");
            assert!(table.contains(&row), "{name}: no {row} in\n{table}");
            let declared = format!("localparam int unsigned {parameter} = {value},");
            assert!(wrapper.contains(&declared), "{name}: {declared}\n{wrapper}");
        }
    }
}

/// From `module` to `endmodule`, by name.
fn modules(texts: &[&String]) -> BTreeMap<String, String> {
    let mut modules = BTreeMap::new();
    for text in texts {
        for piece in text.split("\nmodule ").skip(1) {
            let body = piece.split("\nendmodule").next().unwrap();
            let name = body.split(['(', ' ', '#', ';']).next().unwrap();
            let twice = modules.insert(name.to_string(), body.to_string());
            assert_eq!(twice, None, "{name} is there twice");
        }
    }
    modules
}

/// One file per module, called like it, or one file with the same modules.
#[test]
fn a_bundle_has_the_modules_of_the_single_files() {
    for unit in ["control", "masks"] {
        let directory = temporary();
        let request = ["--config", "tiny", "--unit", unit];
        let single = written(directory.path(), &request);
        let sources = |files: &Files| -> Files {
            let verilog = files.iter().filter(|(name, _)| name.ends_with(".v"));
            verilog.map(|(n, t)| (n.clone(), t.clone())).collect()
        };
        let single = sources(&single);
        assert!(single.len() > 3, "{unit}");
        for (file, text) in &single {
            let names: Vec<_> = modules(&[text]).into_keys().collect();
            assert_eq!(names, [file.trim_end_matches(".v")]);
        }
        let elsewhere = temporary();
        let bundle = sources(&written(
            elsewhere.path(),
            &[&request[..], &["--bundle"]].concat(),
        ));
        assert_eq!(bundle.len(), 1);
        let of = |files: &Files| modules(&files.values().collect::<Vec<_>>());
        assert_eq!(of(&bundle), of(&single), "{unit}");
    }
}

#[test]
fn every_file_says_what_it_is_and_no_more() {
    let directory = temporary();
    let files = written(
        directory.path(),
        &[
            "--config",
            "16x32",
            "--unit",
            "scheduler",
            "--dual",
            "--wrapper",
        ],
    );
    for (name, text) in &files {
        let head: Vec<_> = text
            .lines()
            .filter(|l| !["CAPI=2:", "<!--", "{", "  \"about\": ["].contains(l))
            .take(5)
            .map(|l| {
                l.trim_start_matches(['/', '#', ' ', '"'])
                    .trim_end_matches(['"', ','])
            })
            .collect();
        let first = concat!(
            "Weft ",
            env!("CARGO_PKG_VERSION"),
            ": weft_scheduler, warp scheduler"
        );
        let expected = [
            first,
            "Configuration default: 16 warps, 32 threads per warp, up to two instructions of one warp per cycle",
            "Made by: cargo weft verilog --config default --unit scheduler --dual --wrapper -o DIR",
            "Copyright (c) 2026 The Weft contributors",
            "SPDX-License-Identifier: MIT",
        ];
        assert_eq!(head, expected, "{name}");
        let place = directory.path().to_str().unwrap();
        assert!(!text.contains(place), "{name} says where it was written");
    }
}

/// What each format demands comes first, then who has made it; what is in them is tested in `weft-protocol`.
#[test]
fn registers_come_with_a_unit_that_has_some() {
    let directory = temporary();
    let files = written(directory.path(), &["--config", "tiny", "--unit", "sm"]);
    for (end, begins) in [
        ("h", "// Weft "),
        ("rdl", "// Weft "),
        ("svd", "<?xml version="),
        ("json", "{"),
        ("csv", "csr_base,weft_sm,"),
    ] {
        let text = &files[&format!("weft_sm.regs.{end}")];
        assert!(text.starts_with(begins), "{end}");
        assert!(text.contains("Made by: cargo weft verilog --config tiny --unit sm -o DIR"));
        assert!(text.to_lowercase().contains("memory_size"), "{end}");
    }
    assert!(files["weft_sm.f"]
        .lines()
        .all(|line| line.ends_with(".v") || line.starts_with("//")));
}

/// The same bytes from the same request: elsewhere, in other words, and from the command in the header.
#[test]
fn the_same_request_gives_the_same_bytes() {
    let (first, second) = (temporary(), temporary());
    std::fs::write(
        first.path().join("mine.toml"),
        "back = 2\nfront = 4\nwarps = 16\nthreads = 32\n",
    )
    .unwrap();
    let files = written(first.path(), &["--config", "mine.toml", "--wrapper"]);
    let far = second.path().join("a b/c");
    let to = far.to_str().unwrap();
    let window = ["--config", "default", "--window", "4,2", "--wrapper"];
    let output = weft(second.path(), &[&window[..], &["-o", to]].concat());
    assert!(output.status.success(), "{}", both(&output));
    assert_eq!(files, read(&far));
    for text in files.values() {
        assert_eq!(command_in(text), command_in(&files["weft_control.v"]));
    }
    let again = command_in(&files["weft_control.v"]);
    assert_eq!(files, written(second.path(), &again));
    // Over what is there.
    assert_eq!(files, written(second.path(), &again));
}

/// A scheduler has no token window; what the header says makes the same files.
#[test]
fn a_scheduler_is_the_same_with_any_window() {
    let (first, second) = (temporary(), temporary());
    let unit = ["--unit", "scheduler", "--dual", "--config"];
    let files = written(first.path(), &[&unit[..], &["16x32k2b2"]].concat());
    let again = command_in(&files["weft_scheduler.v"]);
    assert_eq!(
        again,
        ["--config", "default", "--unit", "scheduler", "--dual"]
    );
    assert_eq!(files, written(second.path(), &again));
    let large = written(second.path(), &["--unit", "scheduler", "--config", "8x32"]);
    let again = command_in(&large["weft_scheduler.v"]);
    assert_eq!(again, ["--config", "8x32", "--unit", "scheduler"]);
}

#[test]
fn requests_that_cannot_be_met_say_why_and_write_nothing() {
    let directory = temporary();
    let path = directory.path();
    std::fs::write(path.join("file"), "").unwrap();
    for (number, (text, complaint)) in [
        ("", "warps is missing"),
        ("warps = 16\n", "threads is missing"),
        ("warps = 16\nthreads = 32\nlanes = 2\n", "lanes"),
        ("warps = -16\nthreads = 32\n", "-16"),
        ("warps = 16\nthreads = 32.5\n", "32.5"),
        (
            "warps = 16\nthreads = 32\nfront = 5\n",
            "toml:3: weft_control: front = 5: front must be",
        ),
        (
            "warps = 16\nthreads = 0\n",
            "toml:2: weft_control: threads = 0: threads must be",
        ),
        ("warps = 16, threads = 32\n", "toml:1: expected newline"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("mine{number}.toml");
        std::fs::write(path.join(&name), text).unwrap();
        let error = refused(path, &["--config", &name, "-o", "out"]);
        assert!(
            error.contains(complaint) && error.contains(&name),
            "{error}"
        );
    }
    for (arguments, complaint) in [
        (
            &["--config", "huge", "-o", "out"][..],
            "tiny, compact, small",
        ),
        (
            &["--config", "16x33", "-o", "out"],
            "threads = 33: threads must be a power of two from 4 to 64",
        ),
        (&["--config", "none.toml", "-o", "out"], "none.toml"),
        (&["--config", "tiny", "--window", "4", "-o", "out"], "8,2"),
        (
            &["--config", "tiny", "--warps", "5", "-o", "out"],
            "warps = 5: warps must be a power of two",
        ),
        (&["--unit", "datapath", "-o", "out"], "scheduler"),
        (
            &["--config", "max", "--unit", "scheduler", "-o", "out"],
            "weft_scheduler: warps = 32: warps must be a power of two from 4 to 16",
        ),
        (
            &[
                "--config",
                "tiny",
                "--unit",
                "core",
                "--set",
                "partitions=2",
                "-o",
                "out",
            ],
            "4 warps in 2 partitions are 2 in each; it must be 4 to 16",
        ),
        (
            &["--config", "tiny", "--set", "lanes=8", "-o", "out"],
            "weft_control has no parameter lanes; it has warps, threads, front, back",
        ),
        (
            &["--config", "tiny", "--set", "lanes", "-o", "out"],
            "NAME=NUMBER",
        ),
        (
            &["--unit", "convergence", "--dual", "-o", "out"],
            "--dual: weft_convergence does not",
        ),
        (&["--config", "tiny"], "--output"),
        (&["--config", "tiny", "-o", "file"], "not a directory"),
        (&["--config", "tiny", "-o", "file/below"], "file/below"),
    ] {
        let error = refused(path, arguments);
        assert!(error.contains(complaint), "{arguments:?}\n{error}");
    }
    assert!(!path.join("out").exists());
}

fn verilator(toolbox: &Toolbox) -> weft_toolbox::Verilator {
    let found = toolbox.verilator();
    found.expect("there is no Verilator; `cargo xtask setup` installs it")
}

/// The wrapper has no warning at all; what lies below it has only those that the generator accepts.
#[test]
fn verilator_has_nothing_to_say_about_the_wrapper() {
    let verilator = verilator(&Toolbox::here());
    for (size, unit) in [
        ("tiny", "control"),
        ("4x64", "control"),
        ("tiny", "convergence"),
        ("8x32", "scheduler"),
        ("16x4 --set level_bits=6 --dual", "scheduler"),
        ("tiny --dual", "scheduler"),
        ("tiny", "core"),
        ("16x32 --dual", "core"),
        ("8x4 --set partitions=2 --dual", "core"),
        ("16x4 --set partitions=4", "core"),
        ("max", "barrier"),
        ("4x64", "masks"),
        ("max", "masks"),
        ("tiny", "wavefront"),
        ("16x64", "wavefront"),
    ] {
        let directory = temporary();
        let name = unit.replace('-', "_");
        let mut arguments = vec!["--unit", unit, "--wrapper", "--config"];
        arguments.extend(size.split(' '));
        written(directory.path(), &arguments);
        let output = verilator
            .command()
            .current_dir(directory.path().join("out"))
            .args(["--lint-only", "-Wall", "-Wno-fatal"])
            .args(["-f", &format!("weft_{name}.f")])
            .args(["--top-module", &format!("weft_{name}_sv")])
            .output()
            .unwrap();
        let text = both(&output);
        let messages: Vec<_> = text.lines().filter(|l| l.starts_with('%')).collect();
        assert!(
            output.status.success() && messages.is_empty(),
            "{size} {unit}: {messages:#?}\n{text}"
        );
    }
}

/// A bench that writes each token of the memory and reads all of them back, while it takes the answers at odd times.
const TOKENS: &str = r#"
module user;
  reg clock = 0, reset = 1, valid = 0, write = 0, ready = 0;
  reg [31:0] address = 0;
  wire asked, answers, answers_write;
  wire [4:0] tag;
  wire [63:0] data;
  integer sent = 0, taken = 0, cycle = 0;
  wire [31:0] place = taken % PLACES;
  always #5 clock = !clock;
  weft_token_memory memory (
    .clock(clock), .reset(reset), .request_valid(valid), .request_ready(asked), .request_write(write),
    .request_address(address), .request_data({~address, address}), .request_tag(address[4:0]),
    .response_valid(answers), .response_ready(ready), .response_write(answers_write), .response_tag(tag),
    .response_data(data));
  always @(posedge clock) begin
    cycle <= cycle + 1;
    reset <= cycle < 4;
    ready <= cycle % 3 != 1;
    if (!reset) begin
      if (valid && asked) sent = sent + 1;
      valid <= sent < 2 * PLACES;
      write <= sent < PLACES;
      address <= sent % PLACES;
      if (answers && ready) begin
        if (tag !== taken[4:0] || answers_write !== (taken < PLACES)
            || taken >= PLACES && data !== {~place, place})
          $fatal(1, "answer %0d: %b %b %h", taken, tag, answers_write, data);
        taken <= taken + 1;
        if (taken == 2 * PLACES - 1) begin $display("all read back"); $finish; end
      end
    end
    if (cycle == 8 * PLACES + 100) $fatal(1, "%0d answers", taken);
  end
endmodule
"#;

/// The memory for tokens fits the spill port it is for, and keeps `tokens` places for each warp.
#[test]
fn a_token_memory_is_what_the_spill_port_asks_for() {
    let ports = |unit: &str, size: &str| {
        let directory = temporary();
        let files = written(directory.path(), &["--unit", unit, "--config", size]);
        let json = &files[&format!("weft_{}.ports.json", unit.replace('-', "_"))];
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        let ports = json["ports"].as_array().unwrap().iter();
        let width = |p: &serde_json::Value| p["width"].as_u64().unwrap();
        let named = ports.map(|p| (p["name"].as_str().unwrap().to_string(), width(p)));
        named.collect::<BTreeMap<_, _>>()
    };
    for size in ["tiny", "4x64k8b2", "default"] {
        let control = ports("control", size);
        for (name, width) in ports("token-memory", size) {
            if name != "clock" && name != "reset" {
                assert_eq!(control[&format!("spill_{name}")], width, "{size} {name}");
            }
        }
    }

    if weft_toolbox::which("iverilog").is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the CI has to have Icarus"
        );
        eprintln!("skipped: there is no Icarus");
        return;
    }
    let directory = temporary();
    let arguments = ["--unit", "token-memory", "--config", "tiny"];
    let places = ["--set", "tokens=16"];
    written(directory.path(), &[&arguments[..], &places].concat());
    // Four warps of 16 tokens.
    let user = TOKENS.replace("PLACES", "64");
    std::fs::write(directory.path().join("user.v"), user).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .current_dir(directory.path())
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", both(&output));
        both(&output)
    };
    let define = "-DWEFT_RAM_COLLISIONS";
    run(
        "iverilog",
        &[
            "-g2012", define, "-s", "user", "-o", "user.vvp", "user.v", "-y", "out",
        ],
    );
    assert!(run("vvp", &["-n", "user.vvp"]).contains("all read back"));
}

/// The `bind` that a rule file has in its head is that of its size and prefix;
/// it takes the ports by their names, each of which is one of the unit's, and as wide.
#[test]
fn rules_are_bound_to_their_units() {
    let verilator = verilator(&Toolbox::here());
    for (unit, size, prefix) in [
        ("control", "tiny", ""),
        ("control", "16x32", "a_"),
        ("core", "tiny", "b_"),
        ("core", "16x32 --dual", ""),
    ] {
        let directory = temporary();
        let mut arguments = vec!["--unit", unit, "--prefix", prefix, "--config"];
        arguments.extend(size.split(' '));
        let files = written(directory.path(), &arguments);
        let top = format!("{prefix}weft_{unit}");
        let rules = &files[&format!("{top}_rules.sv")];
        let bind = rules.lines().filter_map(|l| l.strip_prefix("//     bind "));
        let bind = format!("bind {}\n", bind.clone().next().unwrap());
        assert!(bind.starts_with(&format!("bind {top} {top}_rules #(.NW(")));
        let told = |bind: &str| -> Vec<String> {
            std::fs::write(directory.path().join("out/bound.sv"), bind).unwrap();
            let output = verilator
                .command()
                .current_dir(directory.path().join("out"))
                .args(["--lint-only", "--assert", "-Wall", "-Wno-fatal"])
                .args(["-f", &format!("{top}.f")])
                .args([&format!("{top}_rules.sv"), "bound.sv"])
                .args(["--top-module", &top])
                .output()
                .unwrap();
            let text = both(&output);
            assert!(output.status.success(), "{unit} {size}: {text}");
            let at = |line: &&str| line.contains("_rules.sv:") || line.contains("bound.sv:");
            let lines = text.lines().filter(|l| l.starts_with('%')).filter(at);
            lines.map(String::from).collect()
        };
        assert_eq!(told(&bind), [""; 0], "{unit} {size}");
        // What the module is for by itself is this size, too.
        let start = bind.find("#(").unwrap();
        let end = bind.find(") rules").unwrap();
        let plain = [&bind[..start], &bind[end + 2..]].concat();
        assert_eq!(told(&plain), [""; 0], "{plain}");
        // A width that is not the unit's is noticed.
        let other = bind.replace(".W(", ".W(1");
        assert_ne!(told(&other), [""; 0], "{other}");
    }
}

/// Two sizes with their rules in one design: nothing has the name of something else.
#[test]
fn two_sizes_stand_side_by_side() {
    let verilator = verilator(&Toolbox::here());
    let directory = temporary();
    let mut binds = String::new();
    let mut user = "module user (input wire clock, input wire reset);\n".to_string();
    let mut command = verilator.command();
    command.current_dir(directory.path()).args([
        "--lint-only",
        "--assert",
        "-Wall",
        "-Wno-fatal",
        "-Wno-PINMISSING",
    ]);
    for (prefix, size) in [("a_", "4x4k4b2"), ("b_", "8x8k4b1")] {
        let arguments = ["--config", size, "--prefix", prefix, "-o", prefix];
        let output = weft(directory.path(), &arguments);
        assert!(output.status.success(), "{}", both(&output));
        let files = read(&directory.path().join(prefix));
        let rules = &files[&format!("{prefix}weft_control_rules.sv")];
        let bind = rules.lines().find_map(|l| l.strip_prefix("//     bind "));
        binds += &format!("bind {}\n", bind.unwrap());
        user += &format!("  {prefix}weft_control {prefix}i (.clock(clock), .reset(reset));\n");
        let sources = files
            .keys()
            .filter(|n| n.ends_with(".v") || n.ends_with(".sv"));
        command.args(sources.map(|n| format!("{prefix}/{n}")));
    }
    std::fs::write(
        directory.path().join("user.sv"),
        user + "endmodule\n" + &binds,
    )
    .unwrap();
    let output = command
        .args(["user.sv", "--top-module", "user"])
        .output()
        .unwrap();
    let text = both(&output);
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("MODDUP"), "{text}");
}

/// FuseSoC with the Verilator of this checkout, working in a directory of its own.
struct FuseSoc {
    directory: tempfile::TempDir,
    path: std::ffi::OsString,
}

impl FuseSoc {
    #[cfg(unix)]
    fn new() -> Self {
        let toolbox = Toolbox::here();
        let verilator = verilator(&toolbox);
        // Writes the scripts.
        toolbox.verilator_env().unwrap();
        // As the help of `weft verilog` says.
        let programs = toolbox.root().join(".tools/bin");
        let path = match programs.join("verilator").exists() {
            true => Some(programs),
            // One on PATH, which has it beside it.
            false => verilator.bin.parent().map(Path::to_path_buf),
        };
        let old = std::env::var_os("PATH").unwrap_or_default();
        let path = path.into_iter().chain(std::env::split_paths(&old));
        FuseSoc {
            path: std::env::join_paths(path).unwrap(),
            directory: temporary(),
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let tool = Toolbox::here().fusesoc();
        let tool = tool.expect("there is no FuseSoC; `cargo xtask setup` installs it");
        let home = self.directory.path().join("home");
        tool.command()
            .current_dir(self.directory.path())
            .env("PATH", &self.path)
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_DATA_HOME", home.join("data"))
            .env_remove("VERILATOR_ROOT")
            .args(["--cores-root", "."])
            .args(arguments)
            .output()
            .unwrap()
    }

    fn lint(&self, core: &str) -> Output {
        self.run(&["run", "--target=lint", core])
    }
}

/// The commands that the scripts give their tools, as procedures that only look at the files: a name that is none of
/// the tool's commands, a brace that is not closed or a file that is not there ends the script.
const TOOLS: &str = r#"
proc there {file} { if {![file isfile $file]} { error "no file $file" } }
proc read_verilog {args} { there [lindex $args end]; puts "source [file tail [lindex $args end]]" }
proc read_xdc {file} { there $file; puts "constraints [file tail $file]" }
foreach name {synth_design opt_design place_design route_design report_utilization report_timing_summary report_timing write_checkpoint
    project_new set_instance_assignment export_assignments execute_flow project_close} { proc $name {args} "puts \"$name \$args\"" }
proc set_global_assignment {flag key value} {
    switch $key {
        VERILOG_FILE - SYSTEMVERILOG_FILE { there $value; puts "source [file tail $value]" }
        SDC_FILE { there $value; puts "constraints [file tail $value]" }
        default { puts "$key $value" }
    }
}
proc create_clock {args} { puts "clock $args" }
proc get_ports {name} { return $name }
rename package tcl_package
proc package {args} { puts "package $args" }
source [lindex $argv 0]
"#;

/// Runs a script with the commands above; `None` without a Tcl interpreter.
fn tcl(directory: &Path, script: &str) -> Option<Output> {
    let there = Command::new("tclsh").arg("/dev/null").output();
    if !there.is_ok_and(|output| output.status.success()) {
        eprintln!("{script}: only its braces are checked: there is no tclsh");
        return None;
    }
    std::fs::write(directory.join("tools.tcl"), TOOLS).unwrap();
    let mut command = Command::new("tclsh");
    command.current_dir(directory);
    Some(command.args(["tools.tcl", script]).output().unwrap())
}

#[test]
fn scripts_name_every_file_and_are_tcl() {
    for (unit, flags) in [
        ("control", ["--bundle", "--wrapper"]),
        ("scheduler", ["--scripts"; 2]),
    ] {
        let directory = temporary();
        let directory = directory.path();
        let mut arguments = vec!["--config", "tiny", "--unit", unit, "--scripts"];
        arguments.extend(flags.into_iter().filter(|f| *f != "--scripts"));
        let files = written(directory, &arguments);
        let top = format!("weft_{unit}");
        let list: Vec<_> = files[&format!("{top}.f")]
            .lines()
            .filter(|l| !l.starts_with("//"))
            .collect();
        let constraints = &files[&format!("{top}.sdc")];
        assert!(constraints.contains("create_clock -name clock -period 10.000"));
        for tool in ["vivado", "quartus"] {
            let name = format!("{top}.{tool}.tcl");
            let text = &files[&name];
            assert!(text.starts_with("# UNTESTED in "), "{text}");
            for bracket in ["{}", "[]"] {
                let (open, close) = bracket.split_at(1);
                assert_eq!(text.matches(open).count(), text.matches(close).count());
            }
            let Some(output) = tcl(directory, &format!("out/{name}")) else {
                continue;
            };
            let said = both(&output);
            assert!(output.status.success(), "{said}");
            let sources: Vec<_> = said
                .lines()
                .filter_map(|l| l.strip_prefix("source "))
                .collect();
            assert_eq!(sources, list, "{tool}");
            assert!(said.contains(&format!("constraints {top}.sdc")), "{said}");
            let last = if flags[1] == "--wrapper" {
                "weft_control_sv"
            } else {
                "weft_scheduler"
            };
            assert!(said.contains(last), "{said}");
            // A checker that cannot fail is none: a file that is missing, a brace that is not closed.
            std::fs::remove_file(directory.join("out").join(list[0])).unwrap();
            let missing = tcl(directory, &format!("out/{name}")).unwrap();
            assert!(!missing.status.success() && both(&missing).contains("no file"));
            std::fs::write(directory.join("out").join(list[0]), &files[list[0]]).unwrap();
            std::fs::write(directory.join("broken.tcl"), text.replacen('}', "", 1)).unwrap();
            assert!(!tcl(directory, "broken.tcl").unwrap().status.success());
        }
        // The constraints themselves.
        if let Some(output) = tcl(directory, &format!("out/{top}.sdc")) {
            let said = both(&output);
            assert!(
                output.status.success() && said.contains("clock -name clock"),
                "{said}"
            );
        }
    }
}

#[test]
#[cfg(unix)]
fn fusesoc_lints_the_core_and_finds_what_is_wrong() {
    for (unit, flag) in [
        ("control", "--wrapper"),
        ("convergence", "--bundle"),
        ("scheduler", "--wrapper"),
        ("core", "--wrapper"),
        ("masks", "--wrapper"),
        ("wavefront", "--wrapper"),
    ] {
        let fusesoc = FuseSoc::new();
        let directory = fusesoc.directory.path();
        written(directory, &["--config", "tiny", "--unit", unit, flag]);
        let size = match unit {
            "scheduler" | "masks" | "wavefront" => "4x4",
            _ => "4x4k4b2",
        };
        let core = format!("weft:core:weft_{unit}_{size}");
        let output = fusesoc.lint(&core);
        let text = both(&output);
        let linted = text.contains("verilator -f ");
        assert!(output.status.success() && linted, "{unit}:\n{text}");
        assert!(!text.contains("WARNING") && !text.contains('%'), "{text}");

        let shown = both(&fusesoc.run(&["core", "show", &core]));
        let name = format!("{core}:{}", env!("CARGO_PKG_VERSION"));
        assert!(shown.contains(&name), "{shown}");

        // A checker that cannot fail is none. (Older Verilators say WIDTH, newer ones WIDTHTRUNC.)
        let file = directory.join(format!("out/weft_{unit}.v"));
        let good = std::fs::read_to_string(&file).unwrap();
        let bad = "    wire [3:0] narrow = 5'd3;\nendmodule";
        std::fs::write(&file, good.replacen("endmodule", bad, 1)).unwrap();
        let output = fusesoc.lint(&core);
        let text = both(&output);
        assert!(
            !output.status.success() && text.contains("%Warning-WIDTH"),
            "{unit}:\n{text}"
        );
    }
}

#[test]
#[cfg(unix)]
fn a_core_may_depend_on_it() {
    let fusesoc = FuseSoc::new();
    let directory = fusesoc.directory.path();
    written(directory, &["--config", "tiny", "--unit", "scheduler"]);
    std::fs::write(
        directory.join("user.core"),
        "CAPI=2:\nname: \"some:body:user:1.0\"\nfilesets:\n  rtl:\n    depend: [\"weft:core:weft_scheduler_4x4\"]\n\
         targets:\n  lint:\n    filesets: [rtl]\n    toplevel: weft_scheduler\n    flow: lint\n    \
         flow_options:\n      tool: verilator\n",
    )
    .unwrap();
    let output = fusesoc.lint("some:body:user");
    let text = both(&output);
    assert!(
        output.status.success() && text.contains("verilator -f "),
        "{text}"
    );
}
