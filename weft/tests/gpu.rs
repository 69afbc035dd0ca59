//! `weft run --engine gpu`: programs that are launched through the driver.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn weft(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments.split_whitespace())
        .current_dir(root())
        .output()
        .expect("weft starts")
}

/// What it printed.
fn right(arguments: &str) -> String {
    let output = weft(arguments);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{arguments}\n{out}{err}");
    out
}

/// Both outputs of a run that did not come to a good end.
fn wrong(arguments: &str, code: i32) -> String {
    let output = weft(arguments);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments}\n{out}{err}");
    out + &err
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

const VECADD: &str = "run kernels/vecadd.s --load a=kernels/data/noise --load b=kernels/data/noise";

/// The words behind `result at …:`.
fn dumped(text: &str) -> &str {
    let at = text.find("result at").unwrap_or_else(|| panic!("{text}"));
    &text[at..]
}

/// The hardware is the tiny one: its model is there from other tests, or made.
#[test]
fn the_hardware_comes_to_the_same_as_the_golden_gpu() {
    let tiny = "--engine gpu --warps 4 --threads 4 --lanes 4";
    for (grid, cta) in [("3", "13"), ("1", "1"), ("7x3x2", "5")] {
        let run = format!("{VECADD} {tiny} --grid {grid} --cta {cta} --dump result:80:hex");
        let golden = right(&run);
        let hardware = right(&format!("{run} --device verilated --memory-latency 7"));
        assert_eq!(dumped(&hardware), dumped(&golden), "{grid} of {cta}");
        assert!(hardware.contains("on weft_gpu: done"), "{hardware}");
        assert!(hardware.contains(" cycles, "), "{hardware}");
    }
}

/// The last part of the demo: the same search, launched by the host and by its own grids.
#[test]
fn the_demo_shows_grids_that_launch_grids() {
    let out = right("demo --gpu");
    let line = |by: &str| -> Vec<u64> {
        let line = out.lines().find(|line| line.starts_with(by));
        let line = line.unwrap_or_else(|| panic!("{by}: {out}"));
        assert!(line.ends_with("done; model and result equal"), "{line}");
        let numbers = line[by.len()..].split_whitespace();
        numbers.map_while(|n| n.parse().ok()).collect()
    };
    let (host, threads) = (line("the host"), line("threads"));
    // Launches, waits, tasks, CTAs, instructions, cycles, cycles between grids.
    assert_eq!(
        (&host[..4], &threads[..4]),
        (&[4, 4, 4, 4][..], &[1, 1, 5, 5][..])
    );
    assert!(
        threads[4] > host[4] && threads[6] > 0 && host[6] > 0,
        "{out}"
    );
}

#[test]
fn a_grid_comes_to_the_same_as_on_the_golden_machine() {
    // Odd sizes: a partial last warp, more CTAs than fit, one thread.
    for (grid, cta) in [
        ("3", "13"),
        ("4x2", "64"),
        ("4x2", "8x8"),
        ("1", "1"),
        ("7x3x2", "5"),
    ] {
        let common = format!("{VECADD} --grid {grid} --cta {cta} --dump result:80:hex");
        let golden = right(&format!("{common} --engine golden"));
        for sms in [1, 3] {
            let gpu = right(&format!("{common} --engine gpu --sms {sms}"));
            assert_eq!(dumped(&gpu), dumped(&golden), "{grid} of {cta} on {sms}");
            assert!(gpu.contains("1 task through channels"), "{gpu}");
        }
    }
}

#[test]
fn threads_launch_what_the_host_does_not() {
    let text = right(
        "run examples/children.c --engine gpu --work-queue 32 --cta 8 --sms 2 --dump squares:800",
    );
    assert!(text.contains("33 CTAs; 9 tasks through channels"), "{text}");
    let words = text.split("squares at").nth(1).expect("the squares");
    let lines = words
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(']'));
    let words: Vec<u32> = lines
        .flat_map(|(_, words)| words.split_whitespace())
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert_eq!(words, (0..800).map(|i| i * i).collect::<Vec<u32>>());
}

#[test]
fn a_work_queue_that_is_missed_is_named() {
    let text = wrong("run examples/children.c --engine gpu --cta 8", 1);
    let help = "help: --work-queue N gives the launch a work queue";
    assert!(text.contains(help), "{text}");
}

#[test]
fn a_fault_has_its_place_and_what_was_printed_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stray.c");
    let source = "#include <stdio.h>\nvoid kernel(unsigned thread, unsigned threads)\n{\n    printf(\"%u\", thread);\n    \
                  if (thread == 5)\n        *(volatile int *)0x90000000 = 1;\n}\n";
    std::fs::write(&file, source).expect("a file");
    let text = wrong(
        &format!("run {} --cflag=-g --engine gpu --cta 8", file.display()),
        1,
    );
    assert!(text.contains("01234567\n"), "{text}");
    assert!(text.contains("CTA 0, warp 0, thread 5, pc 0x"), "{text}");
    assert!(text.contains("stray.c:6)"), "{text}");
}

/// ISA-022 on the hardware: instructions come from where threads reach, and from nowhere else.
#[test]
fn a_jump_to_nowhere_is_the_same_fault_on_the_hardware() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("jump.s");
    for (to, what) in [
        ("0", "no instructions at 0x00000000"),
        ("0xfffff0", "no instructions at 0x00fffff0"),
        ("0xc0000000", "no instructions at 0xc0000000"),
    ] {
        let source =
            format!("_start: addi t0, a0, -5\n bnez t0, 1f\n li t1, {to}\n jalr t1\n1: exit\n");
        std::fs::write(&file, source).expect("a file");
        let run = format!(
            "run {} --engine gpu --warps 4 --threads 4 --lanes 4 --grid 2 --cta 4 --memory 1048576",
            file.display()
        );
        for device in ["golden", "verilated"] {
            let text = wrong(&format!("{run} --device {device}"), 1);
            assert!(text.contains(what), "{device}: {text}");
        }
    }
}

#[test]
fn what_the_engine_cannot_do_is_refused_by_name() {
    let cases = [
        ("--engine gpu --sms 9", "1 to 8"),
        (
            "--sms 2",
            "--sms: --engine golden has nothing of that; take --engine gpu",
        ),
        (
            "--engine gpu --kernel nobody",
            "--kernel: the program has no symbol `nobody`",
        ),
        (
            "--engine gpu --oracle",
            "--oracle: --engine gpu has nothing of that; take --engine rtl",
        ),
        (
            "--engine gpu --work-queue 2",
            "2 entries: a work queue needs 3 to 65,536",
        ),
        (
            "--engine gpu --work-queue 8 --arguments 4",
            "a2 is one or the other",
        ),
        ("--engine gpu --memory 300K", "no memory of 0x4b000 bytes"),
        ("--engine gpu --cta 999", "--cta 999: 999 threads"),
        (
            "--engine gpu --grid 70000 --cta 1",
            "a grid of 70000x1x1 CTAs of 1x1x1 threads cannot be launched: the grid has no CTAs, or too many",
        ),
        (
            "--engine gpu --watchdog 1000",
            "--watchdog: --engine gpu has nothing of that",
        ),
        (
            "--engine gpu --dual",
            "--dual: --engine gpu has nothing of that; take --engine rtl or lockstep",
        ),
        (
            "--device verilated",
            "--device: --engine golden has nothing of that; take --engine gpu",
        ),
    ];
    for (options, reason) in cases {
        let text = wrong(&format!("{VECADD} {options}"), 2);
        assert!(text.contains(reason), "{options}: {text}");
    }
}

#[test]
fn a_round_that_nobody_closes_is_an_error_with_help() {
    let text = wrong(&format!("{VECADD} --engine gpu --work-queue 8"), 1);
    // QUEUE-023: the front end comes to an entry that nobody has written.
    assert!(text.contains("on gpu: error"), "{text}");
    assert!(
        text.contains("entry 1: the command block has no words"),
        "{text}"
    );
    assert!(
        text.contains("help: a round of the work queue is closed"),
        "{text}"
    );
}
