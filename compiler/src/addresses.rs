//! Which registers hold addresses of constants, and which the stack.

use crate::flow::Function;
use crate::registers::{bit, writes, Registers, SP};
use crate::source::{Control, Source};
use std::collections::BTreeMap;
use weft_isa::{AluOp, Instr};

/// By instruction: registers that hold an address in read-only data on every way there, or such an address and an
/// index.
pub(crate) fn constant_addresses(
    source: &Source,
    function: &Function,
) -> BTreeMap<usize, Registers> {
    let step = |at: usize, constant: &mut Registers| {
        let insn = &source.code[at];
        if matches!(insn.control, Control::Call(_) | Control::CallIndirect) {
            *constant &= !writes(insn);
            return;
        }
        for op in &insn.ops {
            let [rd, ..] = op.instr.registers();
            let is = |register: u8| *constant & bit(register) != 0;
            let named = || {
                let name = op.symbol.as_deref();
                name.is_some_and(|name| source.is_constant_data(name))
            };
            let holds = match op.instr {
                Instr::Lui { .. } | Instr::Auipc { .. } => named(),
                Instr::OpImm {
                    op: AluOp::Add,
                    rs1,
                    ..
                } => is(rs1) || named(),
                Instr::Op {
                    op: AluOp::Add,
                    rs1,
                    rs2,
                    ..
                } => is(rs1) || is(rs2),
                _ => false,
            };
            let written = rd.map_or(0, bit);
            *constant = *constant & !written | if holds { written } else { 0 };
        }
    };
    // From all registers downwards, so that a loop keeps what it does not write.
    let mut begin = vec![!1; function.blocks.len()];
    begin[0] = 0;
    let mut again = true;
    while again {
        again = false;
        for block in &function.blocks {
            let mut constant = begin[block.edges.first().map_or(0, |edge| edge.from)];
            block.code().for_each(|at| step(at, &mut constant));
            for edge in block.edges.iter().filter(|edge| edge.to < function.exit()) {
                let known = &mut begin[edge.to];
                again |= *known & !constant != 0;
                *known &= constant;
            }
        }
    }
    let mut found = BTreeMap::new();
    for (block, mut constant) in function.blocks.iter().zip(begin) {
        for at in block.code() {
            found.insert(at, constant);
            step(at, &mut constant);
        }
    }
    found
}

/// sp, and s0 where it is a frame pointer: computed from sp, and otherwise only given back.
pub(crate) fn stack_pointers(source: &Source, function: &Function) -> Registers {
    const FRAME: u8 = 8;
    let (mut computed, mut other) = (false, false);
    let code = function.blocks.iter().flat_map(|block| block.code());
    for op in code.flat_map(|at| &source.code[at].ops) {
        if op.instr.registers()[0] == Some(FRAME) {
            match op.instr {
                Instr::OpImm {
                    op: AluOp::Add,
                    rs1: SP,
                    ..
                } => computed = true,
                Instr::Load { rs1: SP, .. } => {}
                _ => other = true,
            }
        }
    }
    bit(SP) | if computed && !other { bit(FRAME) } else { 0 }
}
