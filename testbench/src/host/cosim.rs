//! Random programs of the front end, by seed and number.

use super::bench::{HostSize, Setup};
use super::cover::Cover;
use super::program::{run, Program};
use crate::case::case_seed;

/// Cycles of a program.
const CYCLES: u64 = 20_000;

/// How a program runs, from its seed.
pub fn setup(program: Program) -> Setup<'static> {
    Setup {
        latency: [(1, 0), (1, 6), (20, 0), (5, 60)][program.seed as usize % 4],
        ..Setup::default()
    }
}

/// The program of this number, of one of these sizes.
pub fn program(seed: u64, index: u64, sizes: &[usize]) -> Program {
    Program {
        size: HostSize(sizes[index as usize % sizes.len()]),
        seed: case_seed(seed, index),
        cycles: CYCLES,
    }
}

/// Runs it in lockstep with the model.
///
/// # Errors
/// What is different, with the line that replays it.
pub fn cosim(seed: u64, index: u64, cover: &mut Cover) -> Result<(), String> {
    let program = program(seed, index, &[5, 2, 5]);
    run(program, &setup(program), cover)
}
