//! Printable assembly of a generated program; assembling it gives the same image again.

use super::source::{load_constant, Item, Source};
use std::fmt::Write as _;
use weft_isa::{
    AluOp, AmoOp, BranchCond, CsrOp, CsrSrc, Instr, LeaveCond, LoadWidth, MulOp, StoreWidth,
};

impl Source {
    /// `.s` text. `head` goes in front, as comment lines.
    pub fn listing(&self, head: &str) -> String {
        let used = self.used_labels();
        let program = self.program();
        let table = program.segments.get(1).map_or(0, |s| s.address);
        let mut text: String = head.lines().map(|line| format!("# {line}\n")).collect();
        text.push_str("        .text\n        .globl _start\n_start:\n");
        let labels_at = |index: usize| {
            used.iter()
                .filter(move |&&l| self.labels[l].min(self.items.len()) == index)
        };
        for (index, item) in self.items.iter().enumerate() {
            for label in labels_at(index) {
                let _ = writeln!(text, "L{label}:");
            }
            for line in self.lines(*item, table) {
                let _ = writeln!(text, "        {line}");
            }
        }
        for label in labels_at(self.items.len()) {
            let _ = writeln!(text, "L{label}:");
        }
        if !self.table.is_empty() {
            text.push_str("        .section .rodata\n");
            for label in &self.table {
                let _ = writeln!(text, "        .word L{label}");
            }
        }
        text
    }

    fn lines(&self, item: Item, table: u32) -> Vec<String> {
        match item {
            Item::Plain(instr) => vec![plain(instr)],
            Item::Branch { cond, rs1, rs2, to } => {
                vec![format!("{} x{rs1}, x{rs2}, L{to}", branch(cond))]
            }
            Item::Jal { rd, to } => vec![format!("jal x{rd}, L{to}")],
            Item::Push { kind, to } => vec![format!("push {}, L{to}", kind.name())],
            Item::Leave { kind, cond, to } => vec![format!("{}, L{to}", leave(&kind.name(), cond))],
            Item::Address { rd, to } => {
                vec![
                    format!("lui x{rd}, %hi(L{to})"),
                    format!("addi x{rd}, x{rd}, %lo(L{to})"),
                ]
            }
            Item::Table { rd } => load_constant(rd, table).map(plain).to_vec(),
            Item::Word(word) => vec![format!(".word {word:#010x}")],
        }
    }
}

fn leave(kind: &str, cond: LeaveCond) -> String {
    match cond {
        LeaveCond::Always => format!("leave {kind}"),
        LeaveCond::Nez(rs1) => format!("leave.nez {kind}, x{rs1}"),
        LeaveCond::Eqz(rs1) => format!("leave.eqz {kind}, x{rs1}"),
    }
}

fn branch(cond: BranchCond) -> &'static str {
    match cond {
        BranchCond::Eq => "beq",
        BranchCond::Ne => "bne",
        BranchCond::Lt => "blt",
        BranchCond::Ge => "bge",
        BranchCond::Ltu => "bltu",
        BranchCond::Geu => "bgeu",
    }
}

fn alu(op: AluOp) -> &'static str {
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

fn order(aq: bool, rl: bool) -> &'static str {
    match (aq, rl) {
        (false, false) => "",
        (true, false) => ".aq",
        (false, true) => ".rl",
        (true, true) => ".aqrl",
    }
}

/// Instructions without a label. Offsets of transfers are relative to the instruction.
pub fn plain(instr: Instr) -> String {
    match instr {
        Instr::Lui { rd, imm } => format!("lui x{rd}, {:#x}", imm >> 12),
        Instr::Auipc { rd, imm } => format!("auipc x{rd}, {:#x}", imm >> 12),
        Instr::Jal { rd, offset } => format!("jal x{rd}, .{offset:+}"),
        Instr::Jalr { rd, rs1, offset } => format!("jalr x{rd}, {offset}(x{rs1})"),
        Instr::Branch {
            cond,
            rs1,
            rs2,
            offset,
        } => format!("{} x{rs1}, x{rs2}, .{offset:+}", branch(cond)),
        Instr::Load {
            width,
            rd,
            rs1,
            offset,
        } => {
            let name = match width {
                LoadWidth::I8 => "lb",
                LoadWidth::I16 => "lh",
                LoadWidth::I32 => "lw",
                LoadWidth::U8 => "lbu",
                LoadWidth::U16 => "lhu",
            };
            format!("{name} x{rd}, {offset}(x{rs1})")
        }
        Instr::Store {
            width,
            rs1,
            rs2,
            offset,
        } => {
            let name = match width {
                StoreWidth::W8 => "sb",
                StoreWidth::W16 => "sh",
                StoreWidth::W32 => "sw",
            };
            format!("{name} x{rs2}, {offset}(x{rs1})")
        }
        Instr::OpImm {
            op: AluOp::Add,
            rd: 0,
            rs1: 0,
            imm: 0,
        } => "nop".to_string(),
        Instr::OpImm {
            op: AluOp::Sltu,
            rd,
            rs1,
            imm,
        } => format!("sltiu x{rd}, x{rs1}, {imm}"),
        Instr::OpImm { op, rd, rs1, imm } => format!("{}i x{rd}, x{rs1}, {imm}", alu(op)),
        Instr::Op { op, rd, rs1, rs2 } => format!("{} x{rd}, x{rs1}, x{rs2}", alu(op)),
        Instr::Mul { op, rd, rs1, rs2 } => {
            let name = match op {
                MulOp::Mul => "mul",
                MulOp::Mulh => "mulh",
                MulOp::Mulhsu => "mulhsu",
                MulOp::Mulhu => "mulhu",
                MulOp::Div => "div",
                MulOp::Divu => "divu",
                MulOp::Rem => "rem",
                MulOp::Remu => "remu",
            };
            format!("{name} x{rd}, x{rs1}, x{rs2}")
        }
        Instr::LoadReserved { rd, rs1, aq, rl } => format!("lr.w{} x{rd}, (x{rs1})", order(aq, rl)),
        Instr::StoreConditional {
            rd,
            rs1,
            rs2,
            aq,
            rl,
        } => format!("sc.w{} x{rd}, x{rs2}, (x{rs1})", order(aq, rl)),
        Instr::Amo {
            op,
            rd,
            rs1,
            rs2,
            aq,
            rl,
        } => {
            let name = match op {
                AmoOp::Swap => "amoswap.w",
                AmoOp::Add => "amoadd.w",
                AmoOp::Xor => "amoxor.w",
                AmoOp::And => "amoand.w",
                AmoOp::Or => "amoor.w",
                AmoOp::Min => "amomin.w",
                AmoOp::Max => "amomax.w",
                AmoOp::Minu => "amominu.w",
                AmoOp::Maxu => "amomaxu.w",
            };
            format!("{name}{} x{rd}, x{rs2}, (x{rs1})", order(aq, rl))
        }
        Instr::Csr { op, rd, csr, src } => {
            let name = match op {
                CsrOp::Write => "csrrw",
                CsrOp::Set => "csrrs",
                CsrOp::Clear => "csrrc",
            };
            match src {
                CsrSrc::Reg(rs1) => format!("{name} x{rd}, {csr:#x}, x{rs1}"),
                CsrSrc::Imm(value) => format!("{name}i x{rd}, {csr:#x}, {value}"),
            }
        }
        Instr::Fence { fields: 0x0FF } => "fence".to_string(),
        Instr::Fence { fields } => format!("fence {fields:#x}"),
        Instr::FenceI => "fence.i".to_string(),
        Instr::Ecall => "ecall".to_string(),
        Instr::Ebreak => "ebreak".to_string(),
        Instr::Push { kind, offset } => format!("push {}, .{offset:+}", kind.name()),
        Instr::Leave { kind, cond, offset } => {
            format!("{}, .{offset:+}", leave(&kind.name(), cond))
        }
        Instr::LeaveIndirect { kind, rs1, offset } => {
            format!("leave.r {}, {offset}(x{rs1})", kind.name())
        }
        Instr::Yield => "yield".to_string(),
        Instr::Exit => "exit".to_string(),
    }
}
