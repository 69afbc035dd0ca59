//! Printable assembly of a generated program; assembling it gives the same image again.

use super::source::{load_constant, Item, Source};
use std::fmt::Write as _;
use weft_isa::{BranchCond, LeaveCond};

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
            Item::Plain(instr) => vec![instr.to_string()],
            Item::Branch { cond, rs1, rs2, to } => {
                vec![format!("{} x{rs1}, x{rs2}, L{to}", branch(cond))]
            }
            Item::Jal { rd, to } => vec![format!("jal x{rd}, L{to}")],
            Item::Push { kind, to } => vec![format!("push {}, L{to}", kind.name())],
            Item::Leave { kind, cond, to } => vec![format!("{}, L{to}", leave(&kind.name(), cond))],
            Item::SubVector { auto, to } => {
                let name = if auto { "subv.auto" } else { "subv.start" };
                vec![format!("{name} L{to}")]
            }
            Item::MaskBranch { on, to } => {
                let branch = on.branch(0).to_string();
                let (head, _) = branch.rsplit_once(' ').expect("a target comes last");
                vec![format!("{head} L{to}")]
            }
            Item::Address { rd, to } => {
                vec![
                    format!("lui x{rd}, %hi(L{to})"),
                    format!("addi x{rd}, x{rd}, %lo(L{to})"),
                ]
            }
            Item::Table { rd } => load_constant(rd, table).map(|i| i.to_string()).to_vec(),
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
