//! The self-test of the boards, as `weft synth --board` writes it, in simulation from configuration to its result;
//! and broken on purpose.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use weft_toolbox::{Toolbox, Verilator};

fn weft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Verilog of a board, without tools.
fn written(board: &str, directory: &Path) -> String {
    let to = directory.to_str().unwrap();
    let output = weft(&["synth", "--board", board, "--script-only", "-o", to]);
    assert!(output.status.success(), "{}", text(&output));
    std::fs::read_to_string(directory.join(format!("weft_{board}.v"))).unwrap()
}

/// Runs until a result is lit and its line is written, or for 2^20 cycles and some.
/// Prints `pass`, `fail` or `nothing`, the cycle, and the line.
const MAIN: &str = r#"
#include "Vboard.h"
#include "verilated.h"
#include <cstdio>
#include <string>
int main(int argc, char** argv) {
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(7);
    context.commandArgs(argc, argv);
    Vboard board{&context};
    const bool low = argv[1][0] == '1', released = argv[2][0] == '1';
    const int divider = std::stoi(argv[3]);
    long cycle = 0, ended = -1, bit_at = 0;
    int bits = -1, byte = 0;
    std::string line;
    const char* result = "nothing";
    board.button = released;
    for (; cycle < 1300000 && !(ended >= 0 && !line.empty() && line.back() == '\n'); cycle++) {
        board.clock = 0; board.eval();
        board.clock = 1; board.eval();
        const bool pass = board.led_pass != low, fail = board.led_fail != low;
        if (pass && fail) { std::puts("both"); return 1; }
        if (ended < 0 && (pass || fail)) { ended = cycle; result = pass ? "pass" : "fail"; }
        if (ended >= 0 && (pass ? "pass" : fail ? "fail" : "nothing") != std::string(result)) { std::puts("changed"); return 1; }
        if (bits < 0) {
            if (!board.uart_tx) { bits = 0; byte = 0; bit_at = cycle + divider + divider / 2; }
        } else if (cycle == bit_at) {
            if (bits == 8) { if (!board.uart_tx) { std::puts("frame"); return 1; } line += char(byte); bits = -1; }
            else { byte |= board.uart_tx << bits++; bit_at += divider; }
        }
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    std::printf("%s %ld %s\n", result, ended, line.c_str());
}
"#;

/// What is seen of a run: the LED, the cycle in which it is lit, the line.
#[derive(Debug)]
struct Seen {
    led: String,
    cycle: i64,
    line: String,
}

fn compiler(verilator: &Verilator) -> Command {
    let include = verilator.root.join("include");
    let mut compiler = Command::new("c++");
    compiler.env_remove("CPATH").env_remove("CXXFLAGS");
    compiler
        .args([
            "-std=c++17",
            "-O1",
            "-w",
            "-DVM_COVERAGE=0",
            "-DVM_SC=0",
            "-DVM_TRACE=0",
        ])
        .args(["-DVL_TIME_CONTEXT", "-I"])
        .arg(&include)
        .arg("-I")
        .arg(include.join("vltstd"));
    compiler
}

/// Verilator's runtime, compiled once.
fn runtime(verilator: &Verilator) -> &'static [PathBuf] {
    static OBJECTS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    OBJECTS.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board-runtime");
        std::fs::create_dir_all(&directory).unwrap();
        let compile = |name: &str| {
            let source = verilator.root.join("include").join(name);
            let object = directory.join(name).with_extension("o");
            let mut compiler = compiler(verilator);
            compiler.arg("-c").arg(source).arg("-o").arg(&object);
            let output = compiler.output().unwrap();
            assert!(output.status.success(), "{}", text(&output));
            object
        };
        ["verilated.cpp", "verilated_threads.cpp"]
            .map(compile)
            .into()
    })
}

fn run(verilator: &Verilator, board: &str, verilog: &str) -> Seen {
    let directory = tempfile::tempdir().unwrap();
    compiled(
        verilator,
        &format!("weft_{board}"),
        verilog,
        directory.path(),
    );
    seen(board, directory.path(), &[])
}

/// Compiles the top into the program `run` in the directory.
fn compiled(verilator: &Verilator, top: &str, verilog: &str, directory: &Path) {
    let at = |name: &str| directory.join(name);
    std::fs::write(at("board.v"), verilog).unwrap();
    std::fs::write(at("main.cpp"), MAIN).unwrap();
    let mut command = verilator.command();
    command.current_dir(directory).args([
        "--cc",
        "--prefix",
        "Vboard",
        "--top-module",
        top,
        "-Mdir",
        "model",
        "--no-timing",
        "-Wno-fatal",
        "-Wno-lint",
        "-Wno-style",
        "--x-initial",
        "unique",
        "--x-assign",
        "unique",
        "-DWEFT_RAM_COLLISIONS",
        "board.v",
    ]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    // All in one file: Verilator's headers take longer than most of what includes them.
    let mut sources: Vec<PathBuf> = std::fs::read_dir(at("model"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "cpp"))
        .collect();
    sources.push(at("main.cpp"));
    let lines = sources
        .iter()
        .map(|file| format!("#include \"{}\"\n", file.display()));
    std::fs::write(at("all.cpp"), lines.collect::<String>()).unwrap();
    let mut compiler = compiler(verilator);
    compiler.current_dir(directory);
    compiler
        .args(["-Imodel", "all.cpp"])
        .args(runtime(verilator));
    compiler.args(["-pthread", "-latomic", "-o", "run"]);
    let output = compiler.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

/// Runs what is compiled there.
fn seen(board: &str, directory: &Path, more: &[&str]) -> Seen {
    // As the board has them: LEDs and button low, cycles of a bit.
    let arguments = match board {
        "icebreaker" => ["1", "1", "104"],
        "orangecrab" => ["1", "1", "416"],
        "ulx3s" => ["0", "0", "217"],
        // With a PLL.
        "ulx3s at 60 MHz" => ["0", "0", "520"],
        "arty_a7" => ["0", "0", "868"],
        other => panic!("{other}"),
    };
    let mut command = Command::new(directory.join("run"));
    let output = command.args(arguments).args(more).output().unwrap();
    let said = text(&output);
    let mut words = said.trim_end().splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default().to_string();
    Seen {
        led: word(),
        cycle: word().parse().unwrap_or(-1),
        line: word(),
    }
}

fn verilator() -> Option<Verilator> {
    let found = Toolbox::here().verilator();
    if found.is_none() {
        eprintln!("skipped: there is no Verilator; `cargo xtask setup` installs it");
    }
    found
}

/// Verilog of a board whose test passes.
fn passes(verilator: &Verilator, board: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let verilog = written(board, directory.path());
    let seen = run(verilator, board, &verilog);
    eprintln!("{board}: {seen:?}");
    assert_eq!(seen.led, "pass", "{board}: {seen:?}");
    assert!(
        seen.line.starts_with("PASS ") && seen.line.len() == 13,
        "{seen:?}"
    );
    assert!((1_000..500_000).contains(&seen.cycle), "{seen:?}");
    verilog
}

/// What is broken; what stands in the text, and what in its place.
type Break = (&'static str, &'static str, &'static str);

/// One change each in a memory of the convergence unit, the datapath, the token memory, the levels and the memory port;
/// the right signature stays.
const BREAKS: &[Break] = &[
    (
        "a memory of the convergence unit inverts a bit",
        "if (write_enable) mem[write_address] <= write_data;",
        "if (write_enable) mem[write_address] <= write_data ^ 1'b1;",
    ),
    (
        "thread 0 is never selected",
        ".resolve_mask(datapath_resolve_mask)",
        ".resolve_mask(datapath_resolve_mask & 4'd14)",
    ),
    (
        "tokens change a bit of their address in memory",
        ".spill_response_data(tokens_response_data)",
        ".spill_response_data(tokens_response_data ^ (64'd1 << 36))",
    ),
    (
        "the path policy does not arrive",
        ".cfg_path(control_cfg_path)",
        ".cfg_path(2'd0)",
    ),
    (
        "no yield is forced",
        ".cfg_forced_yield(forced)",
        ".cfg_forced_yield(16'd0)",
    ),
    (
        "the memory port never answers",
        ".spill_response_valid(tokens_response_valid)",
        ".spill_response_valid(1'b0)",
    ),
];

/// BOARD-010 to 012, BOARD-020 to 022 (the signature is that of the golden model), BOARD-030, BOARD-031 (a port that
/// never answers), BOARD-032 (nothing changes behind the result), BOARD-041, BOARD-042.
#[test]
fn the_smallest_board_passes_and_broken_it_fails() {
    let Some(verilator) = verilator() else {
        return;
    };
    let board = "icebreaker";
    let verilog = passes(&verilator, board);
    for (what, from, to) in BREAKS {
        let broken = verilog.replacen(from, to, 1);
        assert!(broken != verilog, "{what}: {from} is not in the text");
        let seen = run(&verilator, board, &broken);
        eprintln!("{what}: {seen:?}");
        assert_eq!(seen.led, "fail", "{what}: {seen:?}");
        assert!(seen.line.starts_with("FAIL "), "{what}: {seen:?}");
    }
}

/// BOARD-010 to 012, BOARD-020 to 022, BOARD-030.
#[test]
fn the_boards_with_sixteen_warps_pass() {
    let Some(verilator) = verilator() else {
        return;
    };
    // OrangeCrab and Arty differ in the polarities and in the serial line's divider only.
    for board in ["ulx3s", "orangecrab"] {
        passes(&verilator, board);
    }
}

/// Around the SM, all in one model, where `fault` says which of them (from 1 on) is there.
const SM_BREAKS: &[Break] = &[
    (
        "a bit of what is written changes",
        ".wdata(axi_wdata)",
        ".wdata(fault == 1 ? axi_wdata ^ 64'd1 : axi_wdata)",
    ),
    (
        "a byte is not written",
        ".wstrb(axi_wstrb)",
        ".wstrb(fault == 2 ? axi_wstrb & 8'hef : axi_wstrb)",
    ),
    (
        "STATUS says that a CTA has failed",
        "host_rdata[3:0] != WELL",
        "(fault == 3 ? host_rdata[3:0] | 4'd4 : host_rdata[3:0]) != WELL",
    ),
    (
        "the result is behind the end of memory",
        "{8'h44, MEMORY[31:0]}",
        "{8'h44, fault == 4 ? 32'h1040 : MEMORY[31:0]}",
    ),
    (
        "the launcher answers with an error",
        "host_bresp != 0",
        "(fault == 5 || host_bresp != 0)",
    ),
    (
        "the second CTA does not run",
        "{8'h14, GRID[31:0]}",
        "{8'h14, fault == 6 ? 32'd1 : GRID[31:0]}",
    ),
    (
        "memory never answers (and the host waits for 2^16 cycles)",
        ".arvalid(axi_arvalid)",
        ".arvalid(axi_arvalid & fault != 7)",
    ),
];

/// BOARD-050 to BOARD-055 on the smallest SM.
#[test]
fn an_sm_with_a_kernel_passes_and_broken_it_fails() {
    let Some(verilator) = verilator() else {
        return;
    };
    let out = tempfile::tempdir().unwrap();
    let to = out.path().to_str().unwrap();
    let output = weft(&[
        "synth",
        "--board",
        "ulx3s",
        "--sm",
        "tiny",
        "--clock",
        "60",
        "--script-only",
        "-o",
        to,
    ]);
    assert!(output.status.success(), "{}", text(&output));
    let verilog = std::fs::read_to_string(out.path().join("weft_ulx3s_sm.v")).unwrap();
    let chosen = (
        "which of them",
        "  localparam CLEAR = 0,",
        "  integer fault = 0;\n  initial if (!$value$plusargs(\"fault=%d\", fault)) fault = 0;\n\
         \u{20} localparam CLEAR = 0,",
    );
    let patience = (
        "less patience",
        "&cycles & !over",
        "(fault == 7 ? &cycles[15:0] : &cycles) & !over",
    );
    let mut broken = verilog.clone();
    // Fault 8 is none: the PLL needs its time.
    let locks = (
        "it locks later",
        "assign locked = 1;",
        "reg [9:0] cycles = 0;\n  assign locked = weft_ulx3s_sm.around.fault != 8 | &cycles;\n  \
         always @(posedge clock) cycles <= cycles + {9'd0, !(&cycles)};",
    );
    for (what, from, to) in SM_BREAKS.iter().chain([&chosen, &patience, &locks]) {
        assert_eq!(broken.matches(from).count(), 1, "{what}: {from}");
        broken = broken.replacen(from, to, 1);
    }
    compiled(&verilator, "weft_ulx3s_sm", &broken, out.path());
    let board = "ulx3s at 60 MHz";
    let well = seen(board, out.path(), &["+fault=0"]);
    eprintln!("{well:?}");
    let total = well.line.strip_prefix("PASS ").expect("it passes");
    assert!(well.led == "pass" && total.len() == 8, "{well:?}");
    let later = seen(board, out.path(), &["+fault=8"]);
    assert!(later.led == "pass" && later.line == well.line, "{later:?}");
    assert_eq!(later.cycle, well.cycle + 1023, "{later:?}");
    for (n, (what, ..)) in SM_BREAKS.iter().enumerate() {
        let seen = seen(board, out.path(), &[&format!("+fault={}", n + 1)]);
        eprintln!("{what}: {seen:?}");
        let number = seen.line.strip_prefix("FAIL ");
        assert!(seen.led == "fail" && number.is_some(), "{what}: {seen:?}");
        // The result itself is right.
        let right = [3, 5].contains(&(n + 1));
        assert_eq!(number == Some(total), right, "{what}: {seen:?}");
    }
}

#[test]
fn every_board_has_verilog_pins_and_a_script() {
    for (board, pins, script) in [
        ("ulx3s", "ulx3s.lpf", "weft_ulx3s.sh"),
        ("orangecrab", "orangecrab.lpf", "weft_orangecrab.sh"),
        ("icebreaker", "icebreaker.pcf", "weft_icebreaker.sh"),
        ("arty_a7", "arty_a7.xdc", "weft_arty_a7.vivado.tcl"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let verilog = written(board, directory.path());
        assert!(
            verilog.contains(&format!("module weft_{board} ")),
            "{board}"
        );
        assert!(verilog.contains(&format!("// Made by: cargo weft synth --board {board} ")));
        let again = tempfile::tempdir().unwrap();
        assert_eq!(verilog, written(board, again.path()), "{board}");
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        assert!(read(pins).contains("uart_tx"));
        let script = read(script);
        assert!(
            script.contains(&format!("weft_{board}.v")) && script.contains(pins),
            "{script}"
        );
        if board == "arty_a7" {
            assert!(script.starts_with("# UNTESTED"));
        } else if cfg!(unix) {
            let path = directory.path().join(format!("weft_{board}.sh"));
            let checked = Command::new("sh").arg("-n").arg(path).output().unwrap();
            assert!(checked.status.success(), "{}", text(&checked));
        }
    }
}

#[test]
fn what_cannot_be_made_is_refused() {
    for (arguments, complaint) in [
        (vec!["synth", "--board", "arty"], "--script-only"),
        (vec!["synth", "--board", "de0"], "icebreaker"),
        (vec!["synth", "ecp5", "--sm"], "--board"),
        (vec!["synth", "--board", "orangecrab", "--sm"], "ulx3s only"),
        (vec!["synth", "--board", "ulx3s", "--clock", "50"], "--sm"),
        (
            vec!["synth", "--board", "ulx3s", "--sm", "tiny", "--clock", "51"],
            "multiples of 5 MHz, from 10 to 200",
        ),
        (vec!["synth"], "<TARGET>"),
        (vec!["synth", "ecp5", "--script-only"], "--board"),
        (
            vec!["synth", "ecp5", "--board", "ulx3s"],
            "cannot be used with",
        ),
        (
            vec!["synth", "--board", "ulx3s", "--unit", "core"],
            "cannot be used with",
        ),
        (
            vec!["synth", "gates", "--at-least", "50"],
            "no clock frequency",
        ),
    ] {
        let output = weft(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            text(&output).contains(complaint),
            "{arguments:?}: {}",
            text(&output)
        );
    }
}
