//! The kernels on the whole core `weft_core`: 16 warps of 32 threads, single and dual issue, in lockstep; and the right results.
#![cfg(feature = "verilated")]

mod common;

use common::kernels::KERNELS;
use common::{assembled, run_on_the_core};
use weft_testbench::core::Pick;

fn run(dual: bool) {
    for (kernel, policy) in KERNELS.iter().zip(Pick::ALL.into_iter().cycle()) {
        run_on_the_core(kernel, &assembled(kernel), None, (dual, policy));
    }
}

#[test]
fn kernels_on_16x32_single() {
    run(false);
}

#[test]
fn kernels_on_16x32_dual() {
    run(true);
}
