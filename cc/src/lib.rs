//! `weft cc`: from C, C++ and assembly to a program, by a compiler that knows nothing of warps.
//!
//! ```text
//! a.c ──compiler -S──▶ a.s ──lowering──▶ a.s ──assembler──▶ a.o ─┐
//! start.s, libc.c, libgcc or compiler-rt ────────────────────────┴─linker──▶ program.elf
//! ```
//!
//! [`build()`] does all of it. [`console`] reads what a program has printed out of its memory at the end, and [`lines`]
//! says in which function and line an instruction stands. Spec: docs/spec/toolchain.md.

#![forbid(unsafe_code)]

pub mod build;
pub mod compiler;
pub mod console;
#[doc(hidden)]
pub mod each;
pub mod error;
pub mod gnu;
mod helpers;
pub mod lines;
pub mod lower;
mod printf;
mod runtime;

pub use build::{build, Built, Options};
pub use compiler::{Compiler, Family, Float};
pub use error::Error;
