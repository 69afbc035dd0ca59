//! The kernels on the whole core `weft_core`: 16 warps of 32 threads, every issue width, in lockstep;
//! and the right results.

mod common;

use common::kernels::KERNELS;
use common::{assembled, run_on_the_core};
use weft_testbench::core::{Pick, Width};

fn run(width: Width) {
    for (kernel, policy) in KERNELS.iter().zip(Pick::ALL.into_iter().cycle()) {
        run_on_the_core(kernel, &assembled(kernel), None, (width, policy));
    }
}

#[test]
fn kernels_on_16x32_single() {
    run(Width::Single);
}

#[test]
fn kernels_on_16x32_dual() {
    run(Width::Dual);
}

#[test]
fn kernels_on_16x32_two() {
    run(Width::Two);
}
