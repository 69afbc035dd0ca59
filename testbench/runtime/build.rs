//! The part of Verilator's runtime that the crate `verilated` does not compile but every 5.x model needs.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=VERILATOR_ROOT");
    let root = std::env::var_os("VERILATOR_ROOT").expect("VERILATOR_ROOT: set by weft-testbench");
    let include = PathBuf::from(root).join("include");
    cc::Build::new()
        .cpp(true)
        .std("gnu++17")
        .warnings(false)
        .include(&include)
        .include(include.join("vltstd"))
        .file(include.join("verilated_threads.cpp"))
        .compile("verilated_threads");
}
