//! Every instruction with edge operands on golden machine and oracle, against Unicorn's results.

use weft_sim::{Config, FaultCause, Launch, Memory};
use weft_testbench::instructions::{Instructions, MEMORY};
use weft_testbench::sm::{grid, Shape, SmOptions};

fn options(shape: Shape, threads: u32) -> SmOptions {
    SmOptions {
        shape,
        launch: Launch {
            cta: [threads, 1, 1],
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            ..Config::default()
        },
        instructions: 50_000_000,
        ..SmOptions::default()
    }
}

#[test]
fn edge_operands_come_out_as_on_an_independent_simulator() {
    let all = Instructions::default();
    let names: std::collections::BTreeSet<_> = all.names().into_iter().collect();
    assert_eq!(names.len(), 52, "{names:?}");
    for (shape, threads) in [(Shape::TINY, 1), (Shape::SMALL, 61)] {
        let o = options(shape, threads);
        let program = all.program(false);
        let golden = grid::golden(&program, &o, &mut |_| ()).unwrap_or_else(|e| panic!("{e}"));
        all.check(&golden.memory, threads)
            .unwrap_or_else(|e| panic!("golden: {e}"));
        let oracle = grid::oracle(&program, &o).unwrap_or_else(|e| panic!("{e}"));
        all.check(&oracle.memory, threads)
            .unwrap_or_else(|e| panic!("oracle: {e}"));
    }
}

#[test]
fn every_thread_comes_to_the_same_results() {
    let all = Instructions::default();
    let o = options(Shape::TINY, 7);
    let golden =
        grid::golden(&all.program(true), &o, &mut |_| ()).unwrap_or_else(|e| panic!("{e}"));
    all.check(&golden.memory, 7)
        .unwrap_or_else(|e| panic!("{e}"));
}

/// The checker fails where one result differs.
#[test]
fn a_wrong_result_is_noticed() {
    let all = Instructions::default();
    let o = options(Shape::TINY, 1);
    let golden =
        grid::golden(&all.program(false), &o, &mut |_| ()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory: Memory = golden.memory;
    let at = 0x4_0000 + 64 * 1_000 + 32;
    let right = memory.read_u32(at).unwrap();
    let written: Result<(), FaultCause> = memory.write_bytes(at, &(right ^ 4).to_le_bytes());
    written.unwrap();
    let error = all.check(&memory, 1).unwrap_err();
    assert!(error.starts_with("sltu"), "{error}");
}
