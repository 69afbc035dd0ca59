//! The instruction set: RV32IMA + Zicsr + Zifencei + Xweft. `docs/spec/isa.md`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`Instr`] | one decoded instruction; [`encode`], [`decode`], [`disassemble`] |
//! | [`asm`] | assembler for the GNU as subset that GCC emits |
//! | [`elf`] | loader for statically linked executables |
//! | [`Program`] | an image; [`Program::load`] reads either kind of file |

mod decode;
mod disasm;
mod encode;
mod instr;
mod names;
mod program;

pub use decode::{decode, DecodeError};
pub use disasm::disassemble;
pub use encode::{encode, EncodeError};
pub use instr::*;
pub use names::{csr_name, csr_number, register_name, register_number, CSRS, REGISTER_NAMES};
pub use program::{Program, Segment};
