//! `weft_sm` itself under Verilator: in lockstep, under the monitors of its ports, and at the end against every thread
//! alone.
//!
//! `SM_SEED`, `SM_FIRST`, `SM_PROGRAMS` choose other random programs.

use weft_sim::{Config, Launch};
use weft_testbench::instructions::{Instructions, MEMORY};
use weft_testbench::sm::cosim::cosim;
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::verilated::run_program;
use weft_testbench::sm::{Shape, SmOptions};

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
