//! A program as a list of items with symbolic labels: what the generator writes and the minimiser cuts.

use std::collections::BTreeMap;
use weft_isa::{
    encode, AluOp, BranchCond, Instr, Kind, LeaveCond, Mask, MaskCond, MaskInstr, Program, Segment,
};

/// Byte address at which images are linked (docs/spec/isa.md, *Reference machine*).
pub const BASE: u32 = 0x1000;

/// Index into [`Source::labels`].
pub type Label = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Plain(Instr),
    Branch {
        cond: BranchCond,
        rs1: u8,
        rs2: u8,
        to: Label,
    },
    Jal {
        rd: u8,
        to: Label,
    },
    Push {
        kind: Kind,
        to: Label,
    },
    Leave {
        kind: Kind,
        cond: LeaveCond,
        to: Label,
    },
    SubVector {
        auto: bool,
        to: Label,
    },
    MaskBranch {
        on: Condition,
        to: Label,
    },
    /// Two instructions: `rd` = byte address of the label.
    Address {
        rd: u8,
        to: Label,
    },
    /// Two instructions: `rd` = byte address of the jump table.
    Table {
        rd: u8,
    },
    /// A word that does not decode.
    Word(u32),
}

/// What a mask branch looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Mask(MaskCond, Mask),
    Scalar(bool),
}

impl Condition {
    pub fn branch(self, offset: i32) -> Instr {
        Instr::Mask(match self {
            Condition::Mask(cond, ms) => MaskInstr::Branch { cond, ms, offset },
            Condition::Scalar(value) => MaskInstr::BranchCondition { value, offset },
        })
    }
}

impl Item {
    fn words(self) -> u32 {
        match self {
            Item::Address { .. } | Item::Table { .. } => 2,
            _ => 1,
        }
    }
}

pub const NOP: Instr = Instr::OpImm {
    op: AluOp::Add,
    rd: 0,
    rs1: 0,
    imm: 0,
};

/// `items` from address [`BASE`] on, then (16-byte aligned) a read-only table of label addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub items: Vec<Item>,
    /// Label → index of the item that it names (`items.len()`: the end).
    pub labels: Vec<usize>,
    pub table: Vec<Label>,
}

impl Source {
    /// A label to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels.push(usize::MAX);
        self.labels.len() - 1
    }

    /// The label names the next item.
    pub fn place(&mut self, label: Label) {
        self.labels[label] = self.items.len();
    }

    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    pub fn emit(&mut self, item: Item) {
        self.items.push(item);
    }

    pub fn op(&mut self, instr: Instr) {
        self.items.push(Item::Plain(instr));
    }

    /// Removes items `from..to`; their labels move to the next remaining item.
    pub fn without(&self, from: usize, to: usize) -> Source {
        let mut cut = self.clone();
        cut.items.drain(from..to);
        for at in &mut cut.labels {
            *at = if *at >= to {
                *at - (to - from)
            } else {
                (*at).min(from)
            };
        }
        cut
    }

    /// The same behind so many lines of 64 bytes, which a jump passes: its lines have other places in the caches.
    pub fn behind(mut self, lines: usize) -> Source {
        if lines == 0 {
            return self;
        }
        let words = 16 * lines;
        for at in &mut self.labels {
            *at += words;
        }
        self.labels.push(words);
        let to = self.labels.len() - 1;
        let filler = std::iter::repeat_n(Item::Plain(NOP), words - 1);
        let jump = Item::Jal { rd: 0, to };
        let before = std::iter::once(jump).chain(filler);
        self.items.splice(0..0, before);
        self
    }

    /// Byte address of every item, and of the end.
    fn addresses(&self) -> Vec<u32> {
        let mut at = BASE;
        let mut list = vec![at];
        for item in &self.items {
            at += 4 * item.words();
            list.push(at);
        }
        list
    }

    /// The instructions with their offsets resolved; `Err` holds a word that is no instruction.
    pub fn instructions(&self) -> Vec<Result<Instr, u32>> {
        let addresses = self.addresses();
        let end = *addresses.last().expect("never empty");
        let target = |label: Label| addresses[self.labels[label].min(self.items.len())];
        let mut out = Vec::new();
        for (item, &at) in self.items.iter().zip(&addresses) {
            let offset = |to: Label| target(to).wrapping_sub(at) as i32;
            match *item {
                Item::Plain(instr) => out.push(Ok(instr)),
                Item::Branch { cond, rs1, rs2, to } => out.push(Ok(Instr::Branch {
                    cond,
                    rs1,
                    rs2,
                    offset: offset(to),
                })),
                Item::Jal { rd, to } => out.push(Ok(Instr::Jal {
                    rd,
                    offset: offset(to),
                })),
                Item::Push { kind, to } => out.push(Ok(Instr::Push {
                    kind,
                    offset: offset(to),
                })),
                Item::Leave { kind, cond, to } => out.push(Ok(Instr::Leave {
                    kind,
                    cond,
                    offset: offset(to),
                })),
                Item::SubVector { auto, to } => out.push(Ok(Instr::SubVector {
                    auto,
                    offset: offset(to),
                })),
                Item::MaskBranch { on, to } => out.push(Ok(on.branch(offset(to)))),
                Item::Address { rd, to } => out.extend(load_constant(rd, target(to)).map(Ok)),
                Item::Table { rd } => out.extend(load_constant(rd, table_base(end)).map(Ok)),
                Item::Word(word) => out.push(Err(word)),
            }
        }
        out
    }

    pub fn program(&self) -> Program {
        let addresses = self.addresses();
        let end = *addresses.last().expect("never empty");
        let text = self
            .instructions()
            .iter()
            .flat_map(|i| word(*i).to_le_bytes())
            .collect();
        let mut segments = vec![Segment {
            address: BASE,
            bytes: text,
        }];
        let target = |label: Label| addresses[self.labels[label].min(self.items.len())];
        if !self.table.is_empty() {
            let bytes = self
                .table
                .iter()
                .flat_map(|&l| target(l).to_le_bytes())
                .collect();
            segments.push(Segment {
                address: table_base(end),
                bytes,
            });
        }
        let mut symbols = BTreeMap::from([("_start".to_string(), BASE)]);
        symbols.extend(
            self.used_labels()
                .into_iter()
                .map(|l| (format!("L{l}"), target(l))),
        );
        Program {
            entry: BASE,
            segments,
            symbols,
            text: (BASE, end),
        }
    }

    /// Labels that something refers to.
    pub fn used_labels(&self) -> Vec<Label> {
        let mut used = self.table.clone();
        for item in &self.items {
            match *item {
                Item::Branch { to, .. }
                | Item::Jal { to, .. }
                | Item::Push { to, .. }
                | Item::Leave { to, .. }
                | Item::SubVector { to, .. }
                | Item::MaskBranch { to, .. }
                | Item::Address { to, .. } => used.push(to),
                Item::Plain(_) | Item::Table { .. } | Item::Word(_) => {}
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }
}

/// The table follows the text at the next multiple of 16, as the assembler places `.rodata`.
fn table_base(end: u32) -> u32 {
    end.next_multiple_of(16)
}

/// `lui` and `addi`.
pub fn load_constant(rd: u8, value: u32) -> [Instr; 2] {
    let low = ((value << 20) as i32) >> 20;
    let high = value.wrapping_sub(low as u32);
    [
        Instr::Lui { rd, imm: high },
        Instr::OpImm {
            op: AluOp::Add,
            rd,
            rs1: rd,
            imm: low,
        },
    ]
}

fn word(instr: Result<Instr, u32>) -> u32 {
    match instr {
        Ok(instr) => encode(instr).unwrap_or_else(|e| panic!("generator made {instr:?}: {e}")),
        Err(word) => word,
    }
}
