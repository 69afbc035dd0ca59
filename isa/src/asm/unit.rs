//! What parsing a file leaves behind: sections of items, and symbols.

use std::collections::{HashMap, HashSet};

use super::error::Span;
use super::expr::Expr;
use crate::BranchCond;

/// The four parts of an image, in the order of their addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    Text,
    Rodata,
    Data,
    Bss,
}

impl Output {
    pub const ALL: [Output; 4] = [Output::Text, Output::Rodata, Output::Data, Output::Bss];

    pub fn name(self) -> &'static str {
        match self {
            Output::Text => ".text",
            Output::Rodata => ".rodata",
            Output::Data => ".data",
            Output::Bss => ".bss",
        }
    }
}

/// Immediate field that an expression fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// I-format, −2048 to 2047.
    I,
    /// S-format, −2048 to 2047.
    S,
    /// B-format; the expression is the target address.
    B,
    /// U-format; the expression is the value of bits 31:12, 0 to 0xFFFFF.
    U,
    /// J-format; the expression is the target address.
    J,
    /// Shift amount, 0 to 31.
    Shift,
    /// The whole word.
    Word,
}

/// One instruction word and the field still to be filled.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The instruction with this field 0.
    pub word: u32,
    pub field: Option<(Field, Expr)>,
}

/// What one statement puts into its section.
#[derive(Clone, Debug)]
pub enum Item {
    /// One or more instructions.
    Code(Vec<Slot>),
    /// Conditional branch; when out of reach an inverted branch over a jump.
    Branch {
        cond: BranchCond,
        rs1: u8,
        rs2: u8,
        target: Expr,
    },
    /// `call` and `tail`: one `jal`, or `auipc` + `jalr` when out of reach.
    Call {
        link: u8,
        scratch: u8,
        target: Expr,
    },
    /// Little-endian integers of `width` bytes.
    Data {
        width: usize,
        values: Vec<Expr>,
    },
    Bytes(Vec<u8>),
    Space {
        size: Expr,
        fill: Option<Expr>,
    },
    /// Padding to a power of two, left out if it would take more than `most` bytes.
    Align {
        bytes: u32,
        fill: Option<u8>,
        most: Option<u32>,
    },
}

/// Where the text of a statement stands in its file, in bytes; labels in front of it do not belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First byte of the mnemonic or directive.
    pub start: usize,
    /// End of the last operand; a comment may follow.
    pub end: usize,
    /// Behind the line's end, or behind the `;`, that ends the statement.
    pub after: usize,
}

/// An input section.
#[derive(Debug)]
pub struct Section {
    pub name: String,
    /// `None`: the section is not loaded (debug information and the like).
    pub output: Option<Output>,
    pub align: u32,
    /// Items with the place of their mnemonic or directive.
    pub items: Vec<(Item, Span)>,
    /// Of each item, where its statement stands.
    pub extents: Vec<Extent>,
}

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Address of item `item` of section `section` of the unit (the end, if there is no such item).
    Label { section: usize, item: usize },
    /// `.set`, `.equ` and `name = expression`.
    Value(Expr),
}

/// A defined symbol, and where.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub meaning: Meaning,
    pub span: Span,
}

/// `.comm`: storage that is placed in `.bss` unless the name is defined elsewhere.
#[derive(Clone, Debug)]
pub struct Common {
    pub name: String,
    pub size: u32,
    pub align: u32,
    pub span: Span,
}

/// One source file.
#[derive(Debug, Default)]
pub struct Unit {
    pub sections: Vec<Section>,
    pub symbols: HashMap<String, Symbol>,
    pub globals: HashSet<String>,
    pub weak: HashSet<String>,
    pub locals: HashSet<String>,
    pub commons: Vec<Common>,
}

impl Unit {
    /// Whether other files see this symbol.
    pub fn is_global(&self, name: &str) -> bool {
        self.globals.contains(name) || self.weak.contains(name)
    }
}

/// Joins the parts of names that the assembler makes up; source text cannot contain it.
pub(super) const MADE_UP: char = '\u{1}';

/// Symbols that appear in the program's symbol table.
pub(super) fn is_visible(name: &str) -> bool {
    !name.starts_with(".L") && !name.contains(MADE_UP)
}

/// A name as the source wrote it: without what the assembler made up.
pub(super) fn written(name: &str) -> String {
    let mut parts = name.split(MADE_UP);
    match (parts.next(), parts.next()) {
        (Some(""), Some(label)) => format!("{label}f"),
        (Some(name), _) => name.to_string(),
        (None, _) => String::new(),
    }
}
