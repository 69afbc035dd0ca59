//! What users met and were not told, or told wrongly (the numbers are those of the list of faults): each gives the
//! right thing now.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn weft(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Exit code, standard output and error.
fn said(folder: &Path, arguments: &str) -> (i32, String, String) {
    let output = weft(folder, arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("no signal has ended it");
    (code, text(output.stdout), text(output.stderr))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// The last thread writes x late; everybody reads it behind the barrier.
const BARRIER: &str = "_start: la s0, x
  addi t0, a1, -1
  bne a0, t0, 2f
  li t0, 200
1: addi t0, t0, -1
  bnez t0, 1b
  li t0, 7
  sw t0, 0(s0)
2: bar.sync 0
  lw t1, 0(s0)
  slli t2, a0, 2
  add t2, t2, s0
  sw t1, 64(t2)
  exit
  .data
x: .zero 64
out: .zero 256
";

/// Every thread pushes 20 words and reads the first one again.
const STACK: &str = "_start: mv s0, sp
  li t0, 20
1: addi sp, sp, -4
  sw a0, 0(sp)
  addi t0, t0, -1
  bnez t0, 1b
  lw t1, -4(s0)
  la t2, out
  slli t3, a0, 2
  add t2, t2, t3
  sw t1, 0(t2)
  exit
  .data
out: .zero 64
";

const SPIN: &str = "_start: li t0, 2000000\n1: addi t0, t0, -1\n bnez t0, 1b\n exit\n";

/// F1, F20
#[test]
fn barriers_run_or_are_refused_by_name() {
    let folder = folder(&[("f01.s", BARRIER)]);
    let run = |more: &str| {
        let size = "--warps 4 --threads 4 --dump out:16";
        said(folder.path(), &format!("run f01.s {size} {more}"))
    };
    let (code, out, _) = run("--engine golden");
    assert_eq!(code, 0);
    let words: Vec<_> = out
        .split("out at")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .collect();
    assert_eq!(words.iter().filter(|w| **w == "7").count(), 16, "{out}");
    // G6: alone, too, nobody reads before all have come.
    let (code, alone, _) = run("--engine oracle");
    let dump = |out: &str| out.split("out at").nth(1).map(str::to_string);
    assert_eq!((code, dump(&alone)), (0, dump(&out)));
    let refused = [
        ("--engine rust-hdl", "needs weft_core"),
        ("--engine lockstep --dut rust-hdl", "needs weft_core"),
        (
            "--engine rust-hdl --unit control",
            "which weft_control has not",
        ),
        (
            "--engine golden --unit core",
            "--unit: --engine golden has nothing of that",
        ),
        (
            "--engine rtl --unit control --policy age",
            "take --unit core",
        ),
    ];
    for (options, why) in refused {
        let (code, out, error) = run(options);
        assert_eq!((code, out.as_str()), (2, ""), "{options}: {error}");
        assert!(error.contains(why), "{options}: {error}");
    }
    let (_, _, error) = run("--engine rust-hdl");
    assert!(error.contains("`bar.sync 0` at 0x1024"), "{error}");
}

/// F7
#[test]
fn what_nobody_asked_is_null() {
    let folder = folder(&[("p.s", "_start: exit")]);
    let (code, ..) = said(folder.path(), "run p.s --engine golden --json o.json");
    assert_eq!(code, 0);
    let report = json(folder.path(), "o.json");
    assert!(report["oracle_agrees"].is_null() && report["unit"].is_null());
    let run =
        "run p.s --engine lockstep --dut rust-hdl --warps 4 --threads 4 --oracle --json o.json";
    assert_eq!(said(folder.path(), run).0, 0);
    let report = json(folder.path(), "o.json");
    assert_eq!(
        (&report["oracle_agrees"], &report["unit"]),
        (&true.into(), &"control".into())
    );
}

/// F22
#[test]
fn a_stack_has_an_end() {
    let folder = folder(&[("f03.s", STACK)]);
    for engine in ["golden", "oracle", "rust-hdl", "lockstep --dut rust-hdl"] {
        let run = format!("run f03.s --warps 4 --threads 4 --stack 64 --engine {engine}");
        let (code, _, error) = said(folder.path(), &run);
        assert_eq!(code, 1, "{engine}: {error}");
        assert!(error.contains("stack overflow"), "{engine}: {error}");
        assert!(
            error.contains("is 4 bytes below the end"),
            "{engine}: {error}"
        );
        assert!(
            error.contains("thread 0") && error.contains("1008"),
            "{error}"
        );
        assert!(
            !error.contains("differ"),
            "{engine}: no fault of the hardware: {error}"
        );
    }
    let (code, ..) = said(folder.path(), "run f03.s --warps 1 --threads 4 --stack 80");
    assert_eq!(code, 0);
    let (code, _, error) = said(folder.path(), "run f03.s --stack 0");
    assert_eq!(code, 2);
    assert!(error.contains("stack size 0"), "{error}");
}

/// F23
#[test]
fn a_livelock_is_suspected_and_the_option_named() {
    let folder = folder(&[("a.s", SPIN)]);
    let run = "run a.s --warps 1 --threads 4 --watchdog 10000 --json o.json";
    let (code, out, error) = said(folder.path(), run);
    assert_eq!(code, 1);
    assert!(out.contains("livelock suspected"), "{out}");
    assert!(error.contains("--watchdog N waits longer"), "{error}");
    assert_eq!(
        json(folder.path(), "o.json")["ending"],
        "livelock_suspected"
    );
    let (_, _, error) = said(folder.path(), "run a.s --warps 1 --threads 4 --limit 100");
    assert!(error.contains("--limit N allows more"), "{error}");
}

/// F21
#[test]
fn waves_on_a_full_disk_are_a_line_and_no_hang() {
    let folder = folder(&[("p.s", STACK)]);
    let run = "run p.s --warps 4 --threads 4 --engine rust-hdl --vcd /dev/full";
    let (code, out, error) = said(folder.path(), run);
    assert_eq!(code, 2, "{error}");
    assert!(out.contains(": done;"), "the result is there: {out}");
    assert!(
        error.contains("--vcd /dev/full: No space left on device"),
        "{error}"
    );
}

/// F27
#[test]
fn files_that_cannot_be_written_lose_no_result() {
    let folder = folder(&[("p.s", STACK)]);
    let at = folder.path();
    for option in ["--trace", "--json"] {
        let run = format!("run p.s {option} /dev/full --dump out:1");
        let (code, out, error) = said(at, &run);
        assert_eq!(code, 2);
        assert!(out.contains(": done;") && out.contains("out at"), "{out}");
        let line = format!("error: {option} /dev/full: No space left on device (os error 28)\n");
        assert_eq!(error, line);
    }
    let same = [
        ("--json p.s", "--json p.s would overwrite p.s"),
        (
            "--trace a --json ./a",
            "--trace a and --json ./a are one file",
        ),
        ("--load out=p.s --json ./p.s", "would overwrite p.s"),
    ];
    for (options, why) in same {
        let (code, _, error) = said(at, &format!("run p.s {options}"));
        assert_eq!(code, 2);
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(fs::read_to_string(at.join("p.s")).unwrap(), STACK);
    let (code, ..) = said(at, "run p.s --json new/o.json --trace new/t.json");
    assert_eq!(code, 0, "directories are made");
    assert!(json(at, "new/t.json")["traceEvents"].is_array());
    assert_eq!(fs::read_dir(at.join("new")).unwrap().count(), 2);
    // What was there stays until the new is whole.
    let (code, ..) = said(at, "run p.s --threads 5 --json new/o.json");
    assert_eq!(code, 2);
    assert_eq!(json(at, "new/o.json")["ending"], "done");
}

/// F27
#[test]
fn standard_output_that_is_full_or_closed_is_a_line() {
    let folder = folder(&[("p.s", STACK)]);
    let run = |out: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
        command.args(["run", "p.s", "--json", "o.json"]);
        let command = command.current_dir(folder.path()).stdout(out);
        let output = command
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output();
        let output = output.unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let (code, error) = run(full.into());
    assert_eq!(code, Some(2), "{error}");
    assert_eq!(
        error,
        "error: standard output: No space left on device (os error 28)\n"
    );
    assert_eq!(
        json(folder.path(), "o.json")["ending"],
        "done",
        "the report is there"
    );
}

/// F27
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_far_it_came_and_its_files_open() {
    let spin = SPIN.replace("2000000", "2000000000");
    let folder = folder(&[("a.s", &spin)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    let arguments =
        "run a.s --watchdog 10000000000 --limit 10000000000 --trace t.json --json o.json";
    command.args(arguments.split_whitespace());
    let command = command.current_dir(folder.path());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It heeds signals when its trace is there, under the name that it has until it is whole.
    let begun = || {
        let mut files = fs::read_dir(folder.path()).unwrap().flatten();
        files.any(|f| f.file_name().to_string_lossy().ends_with(".part"))
    };
    while !begun() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it has ended by itself"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let signal = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signal.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("interrupted"), "{error}");
    assert_eq!(json(folder.path(), "o.json")["ending"], "interrupted");
    assert!(json(folder.path(), "t.json")["traceEvents"].is_array());
}

/// F27
#[test]
fn a_campaign_of_nothing_is_an_error() {
    let folder = folder(&[]);
    for options in ["--programs 0", "--first 18446744073709551615 --programs 2"] {
        let (code, out, error) = said(folder.path(), &format!("cosim --engine rust-hdl {options}"));
        assert_eq!((code, out.as_str()), (2, ""), "{error}");
        assert!(error.contains("--programs"), "{error}");
    }
}

/// F44
#[test]
fn a_grid_may_be_larger_than_the_machine() {
    let source = "_start: la t0, out\n slli t1, a0, 2\n add t0, t0, t1\n csrr t2, wcta\n sw t2, 0(t0)\n exit\n .data\nout: .zero 400\n";
    let folder = folder(&[("g.s", source)]);
    for engine in ["golden", "oracle", "lockstep --dut rust-hdl --oracle"] {
        let run = format!("run g.s --warps 4 --threads 4 --grid 90 --cta-warps 2 --dump out:90 --json o.json --engine {engine}");
        let (code, _, error) = said(folder.path(), &run);
        assert_eq!(code, 0, "{engine}: {error}");
        let report = json(folder.path(), "o.json");
        let words = report["dump"][0]["words"].as_array().unwrap();
        let ctas: Vec<_> = words.iter().map(|w| w.as_u64().unwrap()).collect();
        let expected: Vec<u64> = (0..90).map(|thread| thread / 8).collect();
        assert_eq!(ctas, expected, "{engine}");
    }
    let large = "run g.s --warps 2 --threads 4 --grid 90 --cta-warps 3";
    let (code, _, error) = said(folder.path(), large);
    assert_eq!(code, 2);
    assert!(error.contains("--cta-warps"), "{error}");
}

/// Every thread says its number, thread 5 then writes where nothing is.
const TELLS: &str = "#include <stdio.h>
void kernel(unsigned thread, unsigned threads) {
  printf(\"%u of %u\\n\", thread, threads);
  if (thread == 5) *(volatile int *)0xf0000000u = 1;
}
";

/// The last thread leaves its number in x, which is reached by gp.
const BY_GP: &str = "_start: bne a0, zero, 1f
  sw a1, -4(gp)
1: exit
  .data
x: .word 0
__global_pointer$: .word 0
";

/// Thread 5 calls a function that there is not, through a pointer.
const NULL_CALL: &str = "void (*volatile callback)(void);
int calls;
void kernel(unsigned thread, unsigned threads) {
  if (thread == 5) {
    callback();
    calls++;
  }
}
";

/// ISA-022: the same on every engine, and who called where the registers of the thread are known.
#[test]
fn a_call_of_nothing_says_who_called() {
    let folder = folder(&[("null.c", NULL_CALL)]);
    for engine in ["golden", "golden --cta 16 --grid 1", "sm", "gpu"] {
        let run = format!("run null.c --warps 4 --threads 4 --cflag=-g --engine {engine}");
        let (code, _, error) = said(folder.path(), &run);
        assert_eq!(code, 1, "{engine}: {error}");
        assert!(
            error.contains("no instructions at 0x00000000"),
            "{engine}: {error}"
        );
        let caller = error.contains("called from 0x") && error.contains("in kernel (null.c:5)");
        assert!(caller || engine == "gpu", "{engine}: {error}");
    }
}

/// A store into code, then fence.i.
const WRITES_CODE: &str = "_start: la t0, patch
  la t2, insn
  lw t1, 0(t2)
  sw t1, 0(t0)
  fence.i
patch: li a1, 222
  la t2, result
  sw a1, 0(t2)
  ecall
  .data
  .align 2
insn: .word 0x06f00593
result: .word 0
";

/// ISA-023, G7: what is written is executed behind it, on every engine.
#[test]
fn code_that_a_program_writes_is_executed() {
    let folder = folder(&[("code.s", WRITES_CODE)]);
    for engine in [
        "golden",
        "oracle",
        "lockstep",
        "lockstep --unit core",
        "sm --grid 1 --cta 4",
        "sm --grid 1 --cta 4 --bare",
        "gpu --grid 1 --cta 4",
        "gpu --grid 1 --cta 4 --device verilated",
    ] {
        let run = format!("run code.s --warps 4 --threads 4 --dump result:1 --engine {engine}");
        let (code, out, error) = said(folder.path(), &run);
        assert_eq!(code, 0, "{engine}: {error}");
        assert!(out.ends_with("[   0]        111\n"), "{engine}: {out}");
    }
}

/// F21, F22, F23, F24, F27, F44 on engines with CTAs: what holds for the others holds for them.
#[test]
fn an_sm_says_what_the_others_say() {
    let folder = folder(&[
        ("f03.s", STACK),
        ("a.s", SPIN),
        ("gp.s", BY_GP),
        ("tells.c", TELLS),
    ]);
    let run = |arguments: &str| {
        let size = "--warps 4 --threads 4";
        said(folder.path(), &format!("run {arguments} {size}"))
    };
    for engine in ["golden", "sm", "gpu"] {
        let (code, out, error) = run(&format!("gp.s --engine {engine} --dump x:1"));
        assert_eq!(code, 0, "{engine}: {error}");
        assert!(out.ends_with("         16\n"), "{engine}: {out}");

        let (code, out, error) = run(&format!("tells.c --engine {engine} --json o.json"));
        assert_eq!(code, 1, "{engine}: {error}");
        assert!(out.starts_with("0 of 16\n1 of 16\n"), "{engine}: {out}");
        for said in [
            "access to unmapped address 0xf0000000",
            "in kernel (tells.c:4)",
        ] {
            assert!(error.contains(said), "{engine}: {error}");
        }
        let report = json(folder.path(), "o.json");
        assert_eq!(report["ending"], "fault", "{engine}");
        assert!(report["printed"]["text"].is_string(), "{engine}");
    }
    // 20 words in 64 bytes of local memory; the golden GPU gives each thread 1 KiB at least.
    let deep = STACK.replace("li t0, 20", "li t0, 300");
    fs::write(folder.path().join("deep.s"), deep).unwrap();
    for run_of in ["f03.s --engine sm --local 64", "deep.s --engine gpu"] {
        let (code, _, error) = run(run_of);
        let overflow =
            "stack overflow: 0xbffffffc is 4 bytes below the end of the thread's stack; --local N";
        assert!(code == 1 && error.contains(overflow), "{run_of}: {error}");
    }
    let (code, out, error) = run("a.s --engine sm --watchdog 2000 --trace /dev/full");
    assert_eq!(code, 2, "{error}");
    assert!(out.contains("livelock suspected"), "{out}");
    assert!(error.contains("--watchdog N waits longer"), "{error}");
    assert!(
        error.contains("error: --trace /dev/full: No space left on device"),
        "{error}"
    );
    let (_, _, error) = run("a.s --engine sm --limit 2000");
    assert!(error.contains("--limit N allows more"), "{error}");
}
