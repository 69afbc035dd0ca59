//! The instruction set: RV32IMA + Zicsr + Xweft. `docs/spec/isa.md`.

mod instr;
mod program;

pub use instr::*;
pub use program::{Program, Segment};
