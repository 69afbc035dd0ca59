//! The instruction set: RV32IMA + Zicsr + Zifencei + Zfinx + Xweft. `docs/spec/isa.md`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`Instr`] | one decoded instruction; [`encode`], [`decode`], [`disassemble`] |
//! | [`asm`] | assembler for the GNU as subset that GCC emits |
//! | [`elf`] | loader for statically linked executables |
//! | [`Program`] | an image; [`Program::load`] reads either kind of file |

#![forbid(unsafe_code)]

pub mod asm;
mod decode;
mod disasm;
pub mod elf;
mod encode;
mod fields;
pub mod files;
mod float;
mod instr;
mod load;
mod mask;
mod names;
mod program;

pub use asm::{assemble, assemble_files, AsmError, AsmErrors};
pub use decode::{decode, DecodeError};
pub use disasm::disassemble;
pub use elf::{load_elf, LoadError};
pub use encode::encode;
pub use fields::EncodeError;
pub use float::{ArithmeticOp, ExactOp, FloatInstr, FusedOp, RootOrConversion, Rounding};
pub use instr::*;
pub use load::FileError;
pub use mask::{Mask, MaskCond, MaskInstr, MaskOp};
pub use names::{csr_name, csr_number, register_name, register_number, CSRS, REGISTER_NAMES};
pub use program::{Program, Segment, IMAGE_BASE, IMAGE_LIMIT, ZONE, ZONE_BYTES};
