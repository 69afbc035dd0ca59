//! `weft_sm` itself under Verilator: in lockstep, under the monitors of its ports, and at the end against every thread alone.
//!
//! `SM_SEED`, `SM_FIRST`, `SM_PROGRAMS` choose other random programs. `SM_FAULTS=all`, or names with commas between, chooses other broken
//! copies.

use weft_generate::Unit;
use weft_sim::{Config, Launch};
use weft_testbench::instructions::{Instructions, MEMORY};
use weft_testbench::rtl::faults::{self, Fault};
use weft_testbench::sm::cosim::cosim;
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::verilated::{run_copy, run_program};
use weft_testbench::sm::{Shape, SmError, SmOptions};

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(default, |n| {
        n.parse().unwrap_or_else(|_| panic!("{name}={n}"))
    })
}

fn random_programs(shape: Shape, default_seed: u64, default_programs: u64) {
    let first = number("SM_FIRST", 0);
    let programs = number("SM_PROGRAMS", default_programs);
    let seed = number("SM_SEED", default_seed);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let range = (first, programs);
    let totals = cosim(
        seed,
        range,
        shape,
        &mut run_program,
        Some(folder),
        &mut |_| (),
    );
    let totals = totals.unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(totals.programs, programs);
}

#[test]
fn random_programs_on_4x4() {
    random_programs(Shape::TINY, 1, 12);
}

/// Two parts: program 0 fills the queue of the load/store unit with accesses of two passes (DATA-015).
#[test]
fn random_programs_on_4x8_with_4_lanes() {
    random_programs(Shape::of(4, 8, 4), 7, 9);
}

#[test]
fn edge_operands_on_4x4_come_out_as_on_an_independent_simulator() {
    let all = Instructions::default();
    let options = SmOptions {
        shape: Shape::TINY,
        launch: Launch {
            cta: [13, 1, 1],
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            ..Config::default()
        },
        cycles: Some(20_000_000),
        ..SmOptions::default()
    };
    let report = run_program(&all.program(false), &options, &mut Blind);
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    all.check(&report.memory, 13)
        .unwrap_or_else(|e| panic!("{e}"));
}

/// Of the broken copies these three, which stand for the lanes, the memory port and what two passes do: each is a model of its own, and
/// all of them take minutes (`SM_FAULTS=all`).
const USUAL_FAULTS: &str = "shift,passes_write,pass";

/// A broken copy is noticed within so many random programs.
const PROGRAMS_OF_A_FAULT: u64 = 40;

#[test]
fn broken_copies_are_noticed() {
    let chosen = std::env::var("SM_FAULTS").unwrap_or_else(|_| USUAL_FAULTS.into());
    let mut copies = faults::of(Unit::Sm);
    if chosen != "all" {
        for name in chosen.split(',') {
            let known = copies.iter().any(|(_, fault)| fault.name == name);
            assert!(known, "SM_FAULTS: there is no fault `{name}`");
        }
        copies.retain(|(_, fault)| chosen.split(',').any(|name| name == fault.name));
    }
    let copies = faults::prepare_these(copies).expect("broken copies");
    let mut unnoticed = Vec::new();
    for (design, Fault { name, breaks, .. }) in copies {
        let size = |name| design.value(name);
        let shape = Shape::of(size("warps"), size("threads"), size("lanes"));
        let seed = if shape == Shape::TINY { 1 } else { 7 };
        let programs = (0, PROGRAMS_OF_A_FAULT);
        let failed = cosim(
            seed,
            programs,
            shape,
            &mut |program, options, watcher| run_copy(program, options, Some(name), watcher),
            None,
            &mut |_| (),
        );
        match failed {
            Ok(_) => unnoticed.push(format!("{name} ({breaks})")),
            Err(failure) => {
                let error = &failure.error;
                let of_the_sm = !matches!(error, SmError::Dut(_) | SmError::Config(_));
                assert!(of_the_sm, "fault `{name}`: {error}");
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                println!("{name}: noticed by program {}: {line}", failure.index);
            }
        }
    }
    assert!(
        unnoticed.is_empty(),
        "not noticed within {PROGRAMS_OF_A_FAULT} programs: {unnoticed:#?}"
    );
}
