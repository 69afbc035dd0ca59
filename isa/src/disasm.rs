//! Instruction to text, in the syntax that the assembler and GNU as accept.
//!
//! Common pseudo-instructions and the short forms of Xweft are used where they name the same word.
//! [`disassemble`] prints targets as absolute addresses (`beq a0, a1, 0x1010`), which both
//! assemblers read as such; [`Display`](fmt::Display), which knows no address, prints them relative
//! to the instruction (`beq a0, a1, .+16`).

use std::fmt;

use crate::names::{csr_name, fence_set_name, register_name};
use crate::{
    encode, float, mask, AluOp, AmoOp, BarrierOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond,
};
use crate::{LoadWidth, MulOp, StoreWidth};

/// Text of the instruction at address `pc`. Assembled at that address it gives the same word.
pub fn disassemble(instr: Instr, pc: u32) -> String {
    text(instr, &|offset| {
        format!("{:#x}", pc.wrapping_add_signed(offset))
    })
}

impl fmt::Display for Instr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(*self, &|offset| format!(".{offset:+}")))
    }
}

/// `target` prints the destination that lies at a byte offset.
fn text(instr: Instr, target: &dyn Fn(i32) -> String) -> String {
    match instr {
        Instr::Lui { rd, imm } => format!("lui {}, {:#x}", reg(rd), imm >> 12),
        Instr::Auipc { rd, imm } => format!("auipc {}, {:#x}", reg(rd), imm >> 12),
        Instr::Jal { rd: 0, offset } => format!("j {}", target(offset)),
        Instr::Jal { rd: 1, offset } => format!("jal {}", target(offset)),
        Instr::Jal { rd, offset } => format!("jal {}, {}", reg(rd), target(offset)),
        Instr::Jalr { rd, rs1, offset } => jalr(rd, rs1, offset),
        Instr::Branch {
            cond,
            rs1,
            rs2,
            offset,
        } => branch(cond, rs1, rs2, &target(offset)),
        Instr::Load {
            width,
            rd,
            rs1,
            offset,
        } => {
            format!("{} {}, {offset}({})", load_name(width), reg(rd), reg(rs1))
        }
        Instr::Store {
            width,
            rs1,
            rs2,
            offset,
        } => {
            format!("{} {}, {offset}({})", store_name(width), reg(rs2), reg(rs1))
        }
        Instr::OpImm { op, rd, rs1, imm } => op_imm(op, rd, rs1, imm),
        Instr::Op { op, rd, rs1, rs2 } => register_op(op, rd, rs1, rs2),
        Instr::Mul { op, rd, rs1, rs2 } => three(mul_name(op), rd, rs1, rs2),
        Instr::LoadReserved { rd, rs1, aq, rl } => {
            format!("lr.w{} {}, ({})", ordering(aq, rl), reg(rd), reg(rs1))
        }
        Instr::StoreConditional {
            rd,
            rs1,
            rs2,
            aq,
            rl,
        } => atomic("sc", rd, rs1, rs2, aq, rl),
        Instr::Amo {
            op,
            rd,
            rs1,
            rs2,
            aq,
            rl,
        } => atomic(amo_name(op), rd, rs1, rs2, aq, rl),
        Instr::Csr { op, rd, csr, src } => csr_access(op, rd, csr, src),
        Instr::Fence { fields } => fence(instr, fields),
        Instr::FenceI => "fence.i".into(),
        Instr::Ecall => "ecall".into(),
        Instr::Ebreak => "ebreak".into(),
        Instr::Push { kind, offset } => match push_name(kind) {
            Some(name) => format!("{name} {}", target(offset)),
            None => format!("push {}, {}", kind.name(), target(offset)),
        },
        Instr::Leave { kind, cond, offset } => leave(kind, cond, &target(offset)),
        Instr::LeaveIndirect {
            kind: Kind::CALL,
            rs1,
            offset: 0,
        } => format!("wret {}", reg(rs1)),
        Instr::LeaveIndirect { kind, rs1, offset } => {
            format!("leave.r {}, {offset}({})", kind.name(), reg(rs1))
        }
        Instr::Yield => "yield".into(),
        Instr::Exit => "exit".into(),
        Instr::Barrier { id, op } => barrier(id, op),
        Instr::Float(instr) => float::text(instr),
        Instr::Mask(instr) => mask::text(instr, target),
        Instr::SubVector { auto, offset } => {
            let name = if auto { "subv.auto" } else { "subv.start" };
            format!("{name} {}", target(offset))
        }
    }
}

fn barrier(id: u8, op: BarrierOp) -> String {
    match op {
        BarrierOp::Top { word: 0 } => format!("bar.sync {id}"),
        BarrierOp::Top { word } => format!("bar.top {id}, {}", reg(word)),
        BarrierOp::TopNez { rs1, word } => format!("bar.top.nez {id}, {}, {}", reg(rs1), reg(word)),
        BarrierOp::Bottom => format!("bar.bot {id}"),
        BarrierOp::BottomNb => format!("bar.bot.nb {id}"),
        BarrierOp::Reset => format!("bar.reset {id}"),
        BarrierOp::Arrive { word } => format!("bar.arrive {id}, {}", reg(word)),
        BarrierOp::Wait { rs1 } => format!("bar.wait {id}, {}", reg(rs1)),
    }
}

fn reg(number: u8) -> &'static str {
    register_name(number)
}

fn three(name: &str, rd: u8, rs1: u8, rs2: u8) -> String {
    format!("{name} {}, {}, {}", reg(rd), reg(rs1), reg(rs2))
}

fn jalr(rd: u8, rs1: u8, offset: i32) -> String {
    match (rd, rs1, offset) {
        (0, 1, 0) => "ret".into(),
        (0, _, 0) => format!("jr {}", reg(rs1)),
        (0, _, _) => format!("jr {offset}({})", reg(rs1)),
        (1, _, 0) => format!("jalr {}", reg(rs1)),
        _ => format!("jalr {}, {offset}({})", reg(rd), reg(rs1)),
    }
}

fn branch(cond: BranchCond, rs1: u8, rs2: u8, target: &str) -> String {
    let compared_with_zero = match (cond, rs1, rs2) {
        (BranchCond::Eq, _, 0) => Some(("beqz", rs1)),
        (BranchCond::Ne, _, 0) => Some(("bnez", rs1)),
        (BranchCond::Lt, _, 0) => Some(("bltz", rs1)),
        (BranchCond::Ge, _, 0) => Some(("bgez", rs1)),
        (BranchCond::Lt, 0, _) => Some(("bgtz", rs2)),
        (BranchCond::Ge, 0, _) => Some(("blez", rs2)),
        _ => None,
    };
    match compared_with_zero {
        Some((name, register)) => format!("{name} {}, {target}", reg(register)),
        None => format!("{} {}, {}, {target}", branch_name(cond), reg(rs1), reg(rs2)),
    }
}

fn op_imm(op: AluOp, rd: u8, rs1: u8, imm: i32) -> String {
    match (op, rd, rs1, imm) {
        (AluOp::Add, 0, 0, 0) => "nop".into(),
        (AluOp::Add, _, 0, _) => format!("li {}, {imm}", reg(rd)),
        (AluOp::Add, _, _, 0) => format!("mv {}, {}", reg(rd), reg(rs1)),
        (AluOp::Xor, _, _, -1) => format!("not {}, {}", reg(rd), reg(rs1)),
        (AluOp::Sltu, _, _, 1) => format!("seqz {}, {}", reg(rd), reg(rs1)),
        _ => format!(
            "{} {}, {}, {imm}",
            alu_immediate_name(op),
            reg(rd),
            reg(rs1)
        ),
    }
}

fn register_op(op: AluOp, rd: u8, rs1: u8, rs2: u8) -> String {
    let of_one = match (op, rs1, rs2) {
        (AluOp::Sub, 0, _) => Some(("neg", rs2)),
        (AluOp::Sltu, 0, _) => Some(("snez", rs2)),
        (AluOp::Slt, _, 0) => Some(("sltz", rs1)),
        (AluOp::Slt, 0, _) => Some(("sgtz", rs2)),
        _ => None,
    };
    match of_one {
        Some((name, source)) => format!("{name} {}, {}", reg(rd), reg(source)),
        None => three(alu_name(op), rd, rs1, rs2),
    }
}

fn ordering(aq: bool, rl: bool) -> &'static str {
    match (aq, rl) {
        (false, false) => "",
        (true, false) => ".aq",
        (false, true) => ".rl",
        (true, true) => ".aqrl",
    }
}

fn atomic(name: &str, rd: u8, rs1: u8, rs2: u8, aq: bool, rl: bool) -> String {
    let ordering = ordering(aq, rl);
    format!(
        "{name}.w{ordering} {}, {}, ({})",
        reg(rd),
        reg(rs2),
        reg(rs1)
    )
}

fn csr_access(op: CsrOp, rd: u8, csr: u16, src: CsrSrc) -> String {
    let number = match csr_name(csr) {
        Some(name) => name.to_string(),
        None => format!("{csr:#x}"),
    };
    let letter = match op {
        CsrOp::Write => 'w',
        CsrOp::Set => 's',
        CsrOp::Clear => 'c',
    };
    match (op, rd, src) {
        (CsrOp::Set, _, CsrSrc::Reg(0)) => format!("csrr {}, {number}", reg(rd)),
        (CsrOp::Write, 0, CsrSrc::Reg(0)) if number == "cycle" => "unimp".into(),
        (_, 0, CsrSrc::Reg(rs1)) => format!("csr{letter} {number}, {}", reg(rs1)),
        (_, 0, CsrSrc::Imm(imm)) => format!("csr{letter}i {number}, {imm}"),
        (_, _, CsrSrc::Reg(rs1)) => format!("csrr{letter} {}, {number}, {}", reg(rd), reg(rs1)),
        (_, _, CsrSrc::Imm(imm)) => format!("csrr{letter}i {}, {number}, {imm}", reg(rd)),
    }
}

/// Fences that have no GNU spelling (empty sets, reserved modes) print as a raw word.
fn fence(instr: Instr, fields: u16) -> String {
    let sets = (
        fence_set_name(fields >> 4 & 15),
        fence_set_name(fields & 15),
    );
    match (fields, sets) {
        (0x0FF, _) => "fence".into(),
        (0x833, _) => "fence.tso".into(),
        (0x010, _) => "pause".into(),
        (0..=0x0FF, (Some(before), Some(after))) => format!("fence {before}, {after}"),
        _ => match encode(instr) {
            Ok(word) => format!(".insn {word:#010x}"),
            Err(error) => format!("# fence: {error}"),
        },
    }
}

/// Short form of a push, for the types that have one.
fn push_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::SYNC => "ssy",
        Kind::BREAK => "pbk",
        Kind::CONTINUE => "pcnt",
        Kind::CALL => "pcal",
        Kind::LONGJMP => "plongjmp",
        Kind::PEXIT => "ppexit",
        _ => return None,
    })
}

/// Short form of a leave, for the types that have one.
fn leave_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::SYNC => "sync",
        Kind::BREAK => "brk",
        Kind::CONTINUE => "cont",
        Kind::LONGJMP => "longjmp",
        Kind::PEXIT => "lpexit",
        _ => return None,
    })
}

fn leave(kind: Kind, cond: LeaveCond, target: &str) -> String {
    let (suffix, register) = match cond {
        LeaveCond::Always => ("", String::new()),
        LeaveCond::Nez(rs1) => (".nez", format!("{}, ", reg(rs1))),
        LeaveCond::Eqz(rs1) => (".eqz", format!("{}, ", reg(rs1))),
    };
    match leave_name(kind) {
        Some(name) => format!("{name}{suffix} {register}{target}"),
        None => format!("leave{suffix} {}, {register}{target}", kind.name()),
    }
}

fn branch_name(cond: BranchCond) -> &'static str {
    match cond {
        BranchCond::Eq => "beq",
        BranchCond::Ne => "bne",
        BranchCond::Lt => "blt",
        BranchCond::Ge => "bge",
        BranchCond::Ltu => "bltu",
        BranchCond::Geu => "bgeu",
    }
}

fn load_name(width: LoadWidth) -> &'static str {
    match width {
        LoadWidth::I8 => "lb",
        LoadWidth::I16 => "lh",
        LoadWidth::I32 => "lw",
        LoadWidth::U8 => "lbu",
        LoadWidth::U16 => "lhu",
    }
}

fn store_name(width: StoreWidth) -> &'static str {
    match width {
        StoreWidth::W8 => "sb",
        StoreWidth::W16 => "sh",
        StoreWidth::W32 => "sw",
    }
}

fn alu_name(op: AluOp) -> &'static str {
    match op {
        AluOp::Add => "add",
        AluOp::Sub => "sub",
        AluOp::Sll => "sll",
        AluOp::Slt => "slt",
        AluOp::Sltu => "sltu",
        AluOp::Xor => "xor",
        AluOp::Srl => "srl",
        AluOp::Sra => "sra",
        AluOp::Or => "or",
        AluOp::And => "and",
    }
}

fn alu_immediate_name(op: AluOp) -> &'static str {
    match op {
        AluOp::Add => "addi",
        AluOp::Sub => "subi",
        AluOp::Sll => "slli",
        AluOp::Slt => "slti",
        AluOp::Sltu => "sltiu",
        AluOp::Xor => "xori",
        AluOp::Srl => "srli",
        AluOp::Sra => "srai",
        AluOp::Or => "ori",
        AluOp::And => "andi",
    }
}

fn mul_name(op: MulOp) -> &'static str {
    match op {
        MulOp::Mul => "mul",
        MulOp::Mulh => "mulh",
        MulOp::Mulhsu => "mulhsu",
        MulOp::Mulhu => "mulhu",
        MulOp::Div => "div",
        MulOp::Divu => "divu",
        MulOp::Rem => "rem",
        MulOp::Remu => "remu",
    }
}

fn amo_name(op: AmoOp) -> &'static str {
    match op {
        AmoOp::Swap => "amoswap",
        AmoOp::Add => "amoadd",
        AmoOp::Xor => "amoxor",
        AmoOp::And => "amoand",
        AmoOp::Or => "amoor",
        AmoOp::Min => "amomin",
        AmoOp::Max => "amomax",
        AmoOp::Minu => "amominu",
        AmoOp::Maxu => "amomaxu",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode;

    fn check(word: u32, absolute: &str, relative: &str) {
        let instr = decode(word).expect("decodes");
        assert_eq!(disassemble(instr, 0x1000), absolute);
        assert_eq!(instr.to_string(), relative);
    }

    #[test]
    fn targets_are_absolute_or_relative() {
        check(0x00b50463, "beq a0, a1, 0x1008", "beq a0, a1, .+8");
        check(0xfe050ee3, "beqz a0, 0xffc", "beqz a0, .-4");
        check(0x0100000b, "ssy 0x1010", "ssy .+16");
        check(
            0x0065_142b,
            "leave.nez 6, a0, 0x1008",
            "leave.nez 6, a0, .+8",
        );
    }

    #[test]
    fn pseudo_instructions_name_the_same_word() {
        for (word, expected) in [
            (0x0000_0013, "nop"),
            (0x0005_0513, "mv a0, a0"),
            (0x0000_8067, "ret"),
            (0x0040_8067, "jr 4(ra)"),
            (0xcc00_2573, "csrr a0, wtid"),
            (0xc000_1073, "unimp"),
            (0x3000_1073, "csrw 0x300, zero"),
            (0x0ff0_000f, "fence"),
            (0x0000_000f, ".insn 0x0000000f"),
            (0x1205_a52f, "lr.w.rl a0, (a1)"),
            (0x0000_81db, "wret ra"),
            (0x0000_205b, "exit"),
            (0x0000_017b, "bar.sync 2"),
            (0x00a0_017b, "bar.top 2, a0"),
            (0x02b5_03fb, "bar.top.nez 7, a0, a1"),
            (0x0000_107b, "bar.bot 0"),
            (0x0200_10fb, "bar.bot.nb 1"),
            (0x0000_227b, "bar.reset 4"),
            (0x0050_32fb, "bar.arrive 5, t0"),
            (0x0000_437b, "bar.wait 6, zero"),
        ] {
            check(word, expected, expected);
        }
    }
}
