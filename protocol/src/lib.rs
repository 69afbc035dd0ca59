//! What a host and the hardware say to each other, as data: the registers of `weft_gpu` and of `weft_sm`.
//!
//! One table, `registers.toml`. From it come files for the tools of others: [`c_header`], [`systemrdl`], [`svd`],
//! [`json`], [`litex_csv`].
//! The meaning of each register is that of its page (`docs/spec/host.md`, `tasks.md`, `memory.md`); tests hold the table
//! against these pages, and against what golden GPU and hardware answer at every address.

#![forbid(unsafe_code)]

mod formats;
mod table;

pub use formats::{c_header, json, litex_csv, svd, systemrdl};
pub use table::{blocks, Access, Block, Count, Field, Group, Register, Sizes};
