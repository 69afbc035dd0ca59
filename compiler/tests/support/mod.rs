//! Shared by the tests, and by `cargo run --example fuzz` and `measure`: programs, and what judges them.
#![allow(dead_code)]

pub mod c_programs;
pub mod compilers;
pub mod graphs;
pub mod judge;
pub mod kernels;
pub mod share;
pub mod spoiled;
pub mod styles;
pub mod waiting;
