//! `weft_sm` itself under Verilator: in lockstep, under the monitors of its ports, and at the end against every thread alone.
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

#[test]
fn random_programs_on_4x4() {
    let (first, programs) = (number("SM_FIRST", 0), number("SM_PROGRAMS", 12));
    let seed = number("SM_SEED", 1);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let range = (first, programs);
    let totals = cosim(
        seed,
        range,
        Shape::TINY,
        &mut run_program,
        Some(folder),
        &mut |_| (),
    );
    let totals = totals.unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(totals.programs, programs);
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
