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
pub mod opencl;
pub mod parameters;
mod printf;
mod runtime;
mod tls;
mod zones;

pub use build::{build, Built, Options};
pub use compiler::{Compiler, Family, Float};
pub use error::Error;

/// CC-016: bytes of scratchpad that the program's WEFT_SHARED variables take in each CTA.
pub fn shared(program: &weft_isa::Program) -> u32 {
    let end = program.symbols.get("__weft_shared_end");
    end.map_or(0, |end| end.saturating_sub(SCRATCHPAD))
}

/// Where the scratchpad of a CTA begins.
pub const SCRATCHPAD: u32 = 0xd000_0000;

/// A function's name as the source has it, of a symbol that Clang, WEFT_KERNEL or this crate has made for a kernel.
pub fn written_name(symbol: &str) -> &str {
    let made = [
        "weft_body_",
        "__weft_start_",
        "__weft_call_",
        "__clang_ocl_kern_imp_",
    ];
    let name = made.iter().find_map(|before| symbol.strip_prefix(before));
    let name = name.unwrap_or(symbol);
    name.strip_suffix(opencl::OWN_NAME).unwrap_or(name)
}

/// Names of the kernels that WEFT_KERNEL (weft_queue.h) has made, in alphabetical order.
pub fn kernels(program: &weft_isa::Program) -> Vec<String> {
    let bodies = program.symbols.keys();
    let names = bodies.filter_map(|symbol| symbol.strip_prefix("weft_body_"));
    let known = names.filter(|name| program.symbols.contains_key(*name));
    known.map(String::from).collect()
}
