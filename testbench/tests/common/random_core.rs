//! Random programs on a whole core. `CORE_SEED`, `CORE_FIRST`, `CORE_PROGRAMS` choose others than the fixed ones.

#[path = "environment.rs"]
mod environment;

use environment::number;
use std::path::PathBuf;
use weft_testbench::core::cosim::{cosim, Totals};
use weft_testbench::core::Width;

/// # Panics
/// With the whole failure, when one program fails.
pub fn random(size: (usize, usize, Width), programs: u64) -> Totals {
    let artefacts = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (seed, first) = (number("CORE_SEED", 1), number("CORE_FIRST", 0));
    let programs = number("CORE_PROGRAMS", programs);
    let totals = cosim(seed, first, programs, size, Some(artefacts))
        .unwrap_or_else(|failure| panic!("{failure}"));
    println!("{totals:#?}");
    totals
}
