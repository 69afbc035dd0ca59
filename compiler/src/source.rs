//! An assembly source as the compiler sees it: its text, its instructions, and edits to the text (COMP-010 to
//! COMP-014).
//!
//! Nothing is printed anew. An [`Edits`] says what to insert between statements and which statements to replace;
//! all other bytes of the source stay what they are, so comments, `.loc` and unknown directives survive.

use std::collections::{BTreeMap, HashMap, HashSet};
use weft_isa::asm::{
    Expr, ExprKind, Extent, Field, Item, Meaning, Operator, Output, Relocation, Unit,
};
use weft_isa::{decode, AsmErrors, BranchCond, CsrOp, CsrSrc, Instr};

/// A set of x registers, bit by number. x0 is never in it.
pub(crate) type Registers = u32;

pub(crate) const fn bit(register: u8) -> Registers {
    (1 << register) & !1
}

/// Where a jump goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The instruction of this file with this index.
    Code(usize),
    /// A symbol of another file, or an address that is not simply a label.
    /// COMP-012.
    Elsewhere(String),
}

/// What an instruction does to the flow of control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    Plain,
    Branch {
        cond: BranchCond,
        rs1: u8,
        rs2: u8,
        target: Target,
    },
    Jump(Target),
    Call(Target),
    CallIndirect,
    Return,
    /// `jr rs1`, not a return.
    Indirect(u8),
    /// The thread ends, or faults.
    End,
    /// An instruction of Xweft that moves threads: the source has warp control of its own.
    Warp,
    /// Bytes that are not instructions.
    Bytes,
}

/// One machine instruction of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    /// With the field that `value` fills in 0, unless `value` is a number: then it is filled in.
    pub instr: Instr,
    /// The symbol that the instruction refers to, without `%lo` and the like.
    pub symbol: Option<String>,
    /// How far behind the symbol.
    pub distance: i32,
}

/// One statement of a text section.
#[derive(Clone, Debug)]
pub(crate) struct Insn {
    pub section: usize,
    pub extent: Extent,
    /// From 1.
    pub line: usize,
    /// Empty for calls, branches and bytes.
    pub ops: Vec<Op>,
    pub control: Control,
    /// Of a call.
    pub calling: Calling,
    /// An alignment stands in front of it: there may be instructions that do nothing.
    pub aligned: bool,
}

impl Insn {
    /// What its instructions read before they write it, and what they write.
    pub fn registers(&self) -> (Registers, Registers) {
        self.ops.iter().fold((0, 0), |(read, written), op| {
            let [rd, ..] = op.instr.registers();
            let written_now = rd.map_or(0, bit);
            (read | sources(op.instr) & !written, written | written_now)
        })
    }
}

/// The registers that an instruction reads.
pub(crate) fn sources(instr: Instr) -> Registers {
    let [_, sources @ ..] = instr.registers();
    sources
        .into_iter()
        .flatten()
        .fold(0, |all, register| all | bit(register))
}

/// COMP-050: what is known of the registers of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calling {
    /// It links by ra, and a compiler wrote it. Beside the arguments of the convention what is called reads these.
    Convention(Registers),
    /// What is called is seen: a few instructions and the way back.
    Seen {
        reads: Registers,
        writes: Registers,
    },
    Unknown,
}

/// One file.
#[derive(Debug)]
pub(crate) struct Source {
    pub text: String,
    pub unit: Unit,
    pub code: Vec<Insn>,
    /// Labels of instructions.
    pub labels: HashMap<String, usize>,
    /// Names that `.type` calls functions.
    pub functions: HashSet<String>,
}

impl Source {
    /// Reads a file (COMP-010).
    ///
    /// # Errors
    /// What the assembler says about its statements, all of them (COMP-011).
    pub fn read(text: &str, name: &str) -> Result<Source, AsmErrors> {
        let unit = weft_isa::asm::read(text, name)?;
        let mut source = Source {
            text: text.to_string(),
            unit,
            code: Vec::new(),
            labels: HashMap::new(),
            functions: typed_functions(text),
        };
        source.find_code();
        Ok(source)
    }

    fn find_code(&mut self) {
        let newlines: Vec<usize> = self.text.match_indices('\n').map(|(at, _)| at).collect();
        let inline = inline_assembly(&self.text);
        // Statements that, if they call, do not keep to the calling convention, and the register that they link by.
        let mut unconventional = Vec::new();
        // First instruction at or behind each item, by section.
        let mut first: Vec<Vec<Option<usize>>> = Vec::new();
        let mut code = Vec::new();
        for (number, section) in self.unit.sections.iter().enumerate() {
            let mut places = Vec::new();
            let mut aligned = false;
            if section.output == Some(Output::Text) {
                for ((item, _), extent) in section.items.iter().zip(&section.extents) {
                    places.push(code.len());
                    let line = newlines.partition_point(|&at| at < extent.start) + 1;
                    let mut link = 1;
                    let (ops, control) = match item {
                        Item::Align { .. } => {
                            aligned = true;
                            continue;
                        }
                        Item::Code(slots) => {
                            link = slots.iter().find_map(link_of).unwrap_or(1);
                            decoded(slots)
                        }
                        Item::Branch {
                            cond,
                            rs1,
                            rs2,
                            target,
                        } => {
                            let (cond, rs1, rs2) = (*cond, *rs1, *rs2);
                            let target = Target::Elsewhere(place_of(target).unwrap_or_default());
                            (
                                Vec::new(),
                                Control::Branch {
                                    cond,
                                    rs1,
                                    rs2,
                                    target,
                                },
                            )
                        }
                        Item::Call {
                            link: by, target, ..
                        } => {
                            let target = Target::Elsewhere(place_of(target).unwrap_or_default());
                            link = *by;
                            let control = match by {
                                0 => Control::Jump(target),
                                _ => Control::Call(target),
                            };
                            (Vec::new(), control)
                        }
                        Item::Data { .. } | Item::Bytes(_) | Item::Space { .. } => {
                            (Vec::new(), Control::Bytes)
                        }
                    };
                    code.push(Insn {
                        section: number,
                        extent: *extent,
                        line,
                        ops,
                        control,
                        calling: Calling::Convention(0),
                        aligned: std::mem::take(&mut aligned),
                    });
                    if link > 1 || inline[line - 1] {
                        unconventional.push((code.len() - 1, link));
                    }
                }
            }
            let end = code.len();
            let here = places.into_iter().map(|at| (at < end).then_some(at));
            first.push(here.chain([None]).collect());
        }
        for (name, symbol) in &self.unit.symbols {
            if let Meaning::Label { section, item } = symbol.meaning {
                let place = first[section].get(item).copied().flatten();
                self.labels.extend(place.map(|at| (name.clone(), at)));
            }
        }
        self.code = code;
        for at in 0..self.code.len() {
            let mut control = self.code[at].control.clone();
            match &mut control {
                Control::Branch { target, .. } | Control::Jump(target) | Control::Call(target) => {
                    if let Target::Elsewhere(name) = target {
                        if let Some(place) = self.label(name) {
                            *target = Target::Code(place);
                        }
                    }
                }
                _ => {}
            }
            self.code[at].control = control;
        }
        for (at, link) in unconventional {
            self.code[at].calling = match self.code[at].control {
                Control::Call(Target::Code(callee)) => self.seen(callee, link),
                _ => None,
            }
            .unwrap_or(Calling::Unknown);
        }
    }

    /// What the code from `callee` to its return by `link` does, if no more than a few plain instructions are on the way.
    fn seen(&self, callee: usize, link: u8) -> Option<Calling> {
        const MOST: usize = 16;
        let (mut read, mut written) = (0, bit(link));
        let section = self.code[callee].section;
        for insn in self.code[callee..].iter().take(MOST) {
            match insn.control {
                _ if insn.section != section => return None,
                Control::Plain => {
                    let (reads, writes) = insn.registers();
                    read |= reads & !written;
                    written |= writes;
                }
                Control::Indirect(register) if register == link => {
                    return Some(Calling::Seen {
                        reads: read,
                        writes: written,
                    });
                }
                _ => return None,
            }
        }
        None
    }

    /// The instruction that a name stands for, through `.set`.
    pub fn label(&self, name: &str) -> Option<usize> {
        let mut name = name.to_string();
        for _ in 0..8 {
            if let Some(&place) = self.labels.get(&name) {
                return Some(place);
            }
            match &self.unit.symbols.get(&name)?.meaning {
                Meaning::Value(Expr {
                    kind: ExprKind::Symbol(next),
                    ..
                }) => name = next.clone(),
                _ => return None,
            }
        }
        None
    }

    /// Code labels in the words at a data label, as a jump table has them; empty if the words are something else.
    pub fn table(&self, name: &str) -> Vec<usize> {
        let Some(Meaning::Label { section, item }) =
            self.unit.symbols.get(name).map(|s| s.meaning.clone())
        else {
            return Vec::new();
        };
        let section_of_it = &self.unit.sections[section];
        if section_of_it.output == Some(Output::Text) {
            return Vec::new();
        }
        let next_label = self
            .unit
            .symbols
            .values()
            .filter_map(|symbol| match symbol.meaning {
                Meaning::Label {
                    section: s,
                    item: i,
                } if s == section && i > item => Some(i),
                _ => None,
            });
        let end = next_label.min().unwrap_or(section_of_it.items.len());
        let mut targets = Vec::new();
        for (entry, _) in section_of_it.items.get(item..end).unwrap_or_default() {
            let Item::Data { width: 4, values } = entry else {
                return targets;
            };
            for value in values {
                let Some(place) = symbol_of(value).and_then(|name| self.label(&name)) else {
                    return targets;
                };
                targets.push(place);
            }
        }
        targets
    }

    /// Instructions whose address stands in data or is loaded into a register.
    pub fn address_taken(&self) -> HashSet<usize> {
        let mut taken = HashSet::new();
        for section in self
            .unit
            .sections
            .iter()
            .filter(|s| s.output.is_some_and(|o| o != Output::Text))
        {
            for (item, _) in &section.items {
                if let Item::Data { values, .. } = item {
                    let symbols = values.iter().filter_map(symbol_of);
                    taken.extend(symbols.filter_map(|name| self.label(&name)));
                }
            }
        }
        // Jumps name labels, too, and take nobody's address.
        let jumps = |op: &&Op| matches!(op.instr, Instr::Jal { .. } | Instr::Branch { .. });
        let ops = self.code.iter().flat_map(|insn| &insn.ops);
        let ops = ops.filter(|op| !jumps(op));
        taken.extend(ops.filter_map(|op| self.label(op.symbol.as_ref()?)));
        taken
    }

    /// Whether a name stands for read-only data; also through `.set`, as GCC's anchors of sections do.
    pub fn is_constant_data(&self, name: &str) -> bool {
        let mut name = name;
        for _ in 0..8 {
            let expression = match self.unit.symbols.get(name).map(|symbol| &symbol.meaning) {
                Some(Meaning::Label { section, .. }) => {
                    return self.unit.sections[*section].output == Some(Output::Rodata);
                }
                Some(Meaning::Value(expression)) => expression,
                None => return false,
            };
            let base = match &expression.kind {
                ExprKind::Binary(_, base, by) if matches!(by.kind, ExprKind::Number(_)) => base,
                _ => expression,
            };
            match &base.kind {
                ExprKind::Symbol(next) => name = next,
                _ => return false,
            }
        }
        false
    }

    /// Text of the statement, without comments behind it.
    pub fn statement(&self, at: usize) -> &str {
        let extent = self.code[at].extent;
        &self.text[extent.start..extent.end]
    }

    /// The last operand of a statement as it is written: where a branch or a jump goes.
    pub fn last_operand(&self, at: usize) -> &str {
        let statement = self.statement(at);
        &statement[statement.rfind([',', ' ', '\t']).map_or(0, |at| at + 1)..]
    }

    /// The instruction that follows in memory.
    pub fn next(&self, at: usize) -> Option<usize> {
        let next = self.code.get(at + 1)?;
        (next.section == self.code[at].section).then_some(at + 1)
    }
}

/// By line, whether it stands in inline assembly, which GCC and Clang put between `#APP` and `#NO_APP`.
fn inline_assembly(text: &str) -> Vec<bool> {
    let mut inside = false;
    let lines = text.split('\n').map(|line| {
        match line.trim() {
            "#APP" => inside = true,
            "#NO_APP" => inside = false,
            _ => {}
        }
        inside
    });
    lines.collect()
}

/// The register that an instruction links by, if it links.
fn link_of(slot: &weft_isa::asm::Slot) -> Option<u8> {
    match decode(slot.word) {
        Ok(Instr::Jal { rd, .. } | Instr::Jalr { rd, .. }) if rd != 0 => Some(rd),
        _ => None,
    }
}

/// The instructions of a statement, and what it does to control.
fn decoded(slots: &[weft_isa::asm::Slot]) -> (Vec<Op>, Control) {
    let (mut ops, mut control) = (Vec::new(), Control::Plain);
    for slot in slots {
        let (mut word, mut symbol, mut target) = (slot.word, None, None);
        let mut distance = 0;
        if let Some((field, value)) = &slot.field {
            match number(value) {
                Some(value) => word = filled(word, *field, value),
                // Of the low part of a distance the label is the place of its high part.
                None if matches!(value.kind, ExprKind::Relocation(Relocation::PcrelLo, _)) => {}
                None => (symbol, distance) = (symbol_of(value), distance_of(value)),
            }
            target = Some(Target::Elsewhere(place_of(value).unwrap_or_default()));
        }
        let Ok(instr) = decode(word) else {
            return (Vec::new(), Control::Bytes);
        };
        let elsewhere = || target.clone().unwrap_or(Target::Elsewhere(String::new()));
        match instr {
            Instr::Jal { rd: 0, .. } => control = Control::Jump(elsewhere()),
            Instr::Jal { .. } => control = Control::Call(elsewhere()),
            Instr::Jalr { rd: 0, rs1: 1, .. } => control = Control::Return,
            Instr::Jalr { rd: 0, rs1, .. } => control = Control::Indirect(rs1),
            Instr::Jalr { .. } => control = Control::CallIndirect,
            Instr::Branch { cond, rs1, rs2, .. } => {
                control = Control::Branch {
                    cond,
                    rs1,
                    rs2,
                    target: elsewhere(),
                };
            }
            Instr::Ecall | Instr::Ebreak | Instr::Exit => control = Control::End,
            // unimp
            Instr::Csr {
                op: CsrOp::Write,
                rd: 0,
                csr: 0xC00,
                src: CsrSrc::Reg(0),
            } => control = Control::End,
            Instr::Push { .. }
            | Instr::Leave { .. }
            | Instr::LeaveIndirect { .. }
            | Instr::Mask(_)
            | Instr::SubVector { .. } => control = Control::Warp,
            _ => {}
        }
        ops.push(Op {
            instr,
            symbol,
            distance,
        });
    }
    (ops, control)
}

/// An immediate put into its field; only those matter whose value the analyses look at.
fn filled(word: u32, field: Field, value: i128) -> u32 {
    let value = value as u32;
    match field {
        Field::I => word | value << 20,
        Field::Shift => word | (value & 31) << 20,
        Field::S => word | (value >> 5 & 0x7F) << 25 | (value & 31) << 7,
        Field::U => word | value << 12,
        Field::Word => value,
        Field::B | Field::J => word,
    }
}

/// Value of an expression of numbers; `%lo` of a number too, which `li` leaves.
pub(crate) fn number(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Number(value) => Some(*value),
        ExprKind::Negate(inner) => number(inner)?.checked_neg(),
        ExprKind::Relocation(Relocation::Lo, inner) => {
            Some((number(inner)? & 0xFFF ^ 0x800) - 0x800)
        }
        ExprKind::Relocation(Relocation::Hi, inner) => {
            Some(number(inner)?.wrapping_add(0x800) >> 12 & 0xF_FFFF)
        }
        _ => None,
    }
}

/// The symbol that an expression refers to: of sums and differences the first one.
pub(crate) fn symbol_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Symbol(name) => Some(name.clone()),
        ExprKind::Relocation(_, inner) => symbol_of(inner),
        ExprKind::Binary(_, left, _) => symbol_of(left),
        _ => None,
    }
}

/// How far behind that symbol, as far as the expression says it in numbers.
fn distance_of(expr: &Expr) -> i32 {
    match &expr.kind {
        ExprKind::Relocation(_, inner) => distance_of(inner),
        ExprKind::Binary(Operator::Add, left, right) => {
            distance_of(left).wrapping_add(number(right).unwrap_or(0) as i32)
        }
        ExprKind::Binary(Operator::Subtract, left, right) => {
            distance_of(left).wrapping_sub(number(right).unwrap_or(0) as i32)
        }
        _ => 0,
    }
}

/// The symbol that an expression stands for; nothing for a place some bytes from it.
fn place_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Symbol(name) => Some(name.clone()),
        ExprKind::Relocation(_, inner) => place_of(inner),
        _ => None,
    }
}

/// Names of `.type name, @function`: the assembler has no use for them.
fn typed_functions(text: &str) -> HashSet<String> {
    let declared = text.lines().filter_map(|line| {
        let (name, kind) = line.trim().strip_prefix(".type")?.split_once(',')?;
        let kind = kind.trim();
        let is_function = ["@function", "%function", "STT_FUNC", "\"function\""]
            .iter()
            .any(|k| kind.starts_with(k));
        is_function.then(|| name.trim().trim_matches('"').to_string())
    });
    declared.collect()
}

/// What is to change in a source; by byte positions.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// Position and rank; texts of one place stand in the order of their ranks.
    inserts: BTreeMap<(usize, u8), String>,
    /// Start, end and new text of statements.
    replaced: BTreeMap<usize, (usize, String)>,
    /// Jumps in whose place stands what goes on to the next statement.
    falling: HashSet<usize>,
    labels: usize,
}

/// Ranks of texts that are inserted in front of one instruction.
pub(crate) mod rank {
    /// Behind the last instruction of a block, before anything that leaves it.
    pub const BLOCK_END: u8 = 0;
    pub const LEAVE: u8 = 1;
    pub const LABEL: u8 = 2;
    pub const ITERATION: u8 = 3;
    pub const PUSH: u8 = 4;
}

/// The first of the `.loc` statements right in front of the statement at `start`, else that statement.
fn before_locs(text: &str, mut start: usize) -> usize {
    while let Some(before) = text[..start]
        .trim_end_matches([' ', '\t'])
        .strip_suffix('\n')
    {
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let statement = before[line..].trim_start();
        // Several statements of one line stay together.
        if !statement.starts_with(".loc") || statement.contains(';') {
            break;
        }
        start = before.len() - statement.len();
    }
    start
}

impl Edits {
    /// A label that the source does not have.
    pub fn fresh(&mut self, source: &Source) -> String {
        loop {
            let name = format!(".Lweft{}", self.labels);
            self.labels += 1;
            if !source.text.contains(&name) {
                return name;
            }
        }
    }

    /// A statement or `label:` in front of an instruction and behind its labels. Where threads meet, it stands in front of
    /// the instruction's line of the source, too: who comes there by a token begins that line, like who falls into it.
    pub fn before(&mut self, source: &Source, at: usize, rank: u8, text: &str) {
        let start = source.code[at].extent.start;
        let start = match rank {
            rank::BLOCK_END..=rank::LABEL => before_locs(&source.text, start),
            _ => start,
        };
        let place = self.inserts.entry((start, rank)).or_default();
        place.push_str(text);
        place.push_str("\n\t");
    }

    /// A statement or `label:` behind an instruction, in front of the labels of the next one.
    pub fn after(&mut self, source: &Source, at: usize, rank: u8, text: &str) {
        let after = source.code[at].extent.after;
        let place = self.inserts.entry((after, rank)).or_default();
        if !source.text[..after].ends_with(['\n', ';']) {
            place.push('\n');
        }
        if !text.ends_with(':') {
            place.push('\t');
        }
        place.push_str(text);
        place.push('\n');
    }

    /// Another statement in place of an instruction.
    pub fn replace(&mut self, source: &Source, at: usize, text: &str) {
        let extent = source.code[at].extent;
        self.replaced
            .insert(extent.start, (extent.end, text.to_string()));
    }

    /// The same with what goes on to the next statement.
    pub fn replace_falling(&mut self, source: &Source, at: usize, text: &str) {
        self.falling.insert(at);
        self.replace(source, at, text);
    }

    /// Whether what stands in place of a jump goes on to the next statement.
    pub fn falls(&self, at: usize) -> bool {
        self.falling.contains(&at)
    }

    /// Whether an instruction has another statement in its place.
    pub fn replaces(&self, source: &Source, at: usize) -> bool {
        self.replaced.contains_key(&source.code[at].extent.start)
    }

    /// The changed text (COMP-013).
    pub fn apply(&self, source: &Source) -> String {
        let text = &source.text;
        let mut out = String::with_capacity(text.len() + 64 * self.inserts.len());
        let mut at = 0;
        let mut inserts = self.inserts.iter().peekable();
        let mut replaced = self.replaced.iter().peekable();
        loop {
            let insert = inserts.peek().map(|((place, _), _)| *place);
            let replace = replaced.peek().map(|(place, _)| **place);
            let Some(place) = [insert, replace].into_iter().flatten().min() else {
                break;
            };
            out.push_str(&text[at..place]);
            at = place;
            if insert == Some(place) {
                out.extend(inserts.next().map(|(_, new)| new.as_str()));
            } else if let Some((_, (end, new))) = replaced.next() {
                out.push_str(new);
                at = *end;
            }
        }
        out.push_str(&text[at..]);
        out
    }
}
