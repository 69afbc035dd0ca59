//! Statements: labels, directives, and the sections they fill.

use std::collections::HashMap;

use super::cursor::{Cursor, Names};
use super::error::{closest, Fault, Span};
use super::expr::{high_part, low_part, Expr, ExprKind, Relocation, Scope};
use super::instructions::{instruction, raw_instruction};
use super::lex::{lex, Lexeme, Token};
use super::unit::{Common, Extent, Item, Meaning, Output, Section, Symbol, Unit, MADE_UP};

/// Largest alignment and size that a directive may ask for: the code space.
const MOST_BYTES: i128 = 1 << 24;

/// Reads one file. The unit is complete only when there are no faults.
pub(super) fn parse(file: usize, text: &str) -> (Unit, Vec<Fault>) {
    let tokens = lex(file, text);
    let mut parser = Parser::new(file, text);
    parser.preprocessor_lines();
    for statement in tokens.split_inclusive(|lexeme| lexeme.token == Token::End) {
        let result = match parser.condition(statement) {
            Ok(true) => Ok(()),
            Ok(false) => parser.statement(statement),
            Err(fault) => Err(fault),
        };
        parser.faults.extend(result.err());
        if parser.ended {
            break;
        }
    }
    parser.finish()
}

struct Parser<'a> {
    file: usize,
    text: &'a str,
    unit: Unit,
    names: SymbolNames,
    /// Section that statements go to.
    current: usize,
    previous: usize,
    pushed: Vec<usize>,
    hidden_labels: usize,
    /// Of the statement being read.
    extent: Extent,
    conditions: Vec<Condition>,
    ended: bool,
    faults: Vec<Fault>,
}

/// An `.ifdef` or `.ifndef` that is open.
struct Condition {
    /// What stands here counts.
    counts: bool,
    /// What stands behind `.else` counts.
    other: bool,
    span: Span,
}

/// Definitions so far, by name: `.set` symbols and numeric labels may be defined again, and each
/// definition has a name of its own.
#[derive(Default)]
struct SymbolNames {
    values: HashMap<String, usize>,
    numeric: HashMap<u32, usize>,
}

impl SymbolNames {
    fn value_name(name: &str, count: usize) -> String {
        format!("{name}{MADE_UP}{count}")
    }
    fn numeric_name(label: u32, count: usize) -> String {
        format!("{MADE_UP}{label}{MADE_UP}{count}")
    }
}

impl Names for SymbolNames {
    fn current(&self, name: &str) -> String {
        match self.values.get(name) {
            Some(&count) => SymbolNames::value_name(name, count),
            None => name.to_string(),
        }
    }
    fn numeric(&self, label: u32, forward: bool) -> Option<String> {
        let defined = self.numeric.get(&label).copied().unwrap_or(0);
        let count = defined + usize::from(forward);
        (count > 0).then(|| SymbolNames::numeric_name(label, count))
    }
}

/// Before layout only numbers and `.set` symbols have values.
impl Scope for Unit {
    fn symbol(&self, name: &str, span: Span) -> Result<i128, Fault> {
        match self.symbols.get(name).map(|symbol| &symbol.meaning) {
            Some(Meaning::Value(Expr {
                kind: ExprKind::Number(value),
                ..
            })) => Ok(*value),
            _ => Err(Fault::new(span, "not a constant")),
        }
    }
    fn here(&self, span: Span) -> Result<i128, Fault> {
        Err(Fault::new(span, "not a constant"))
    }
    fn relocation(&self, relocation: Relocation, argument: &Expr) -> Result<i128, Fault> {
        let value = argument.value(self)?;
        match relocation {
            Relocation::Hi => Ok(high_part(value)),
            Relocation::Lo => Ok(low_part(value)),
            _ => Err(Fault::new(argument.span, "not a constant")),
        }
    }
}

impl<'a> Parser<'a> {
    fn new(file: usize, text: &'a str) -> Parser<'a> {
        let mut parser = Parser {
            file,
            text,
            unit: Unit::default(),
            names: SymbolNames::default(),
            current: 0,
            previous: 0,
            pushed: Vec::new(),
            hidden_labels: 0,
            extent: Extent {
                start: 0,
                end: 0,
                after: 0,
            },
            conditions: Vec::new(),
            ended: false,
            faults: Vec::new(),
        };
        parser.section_named(".text", Some(Output::Text));
        parser
    }

    fn cursor<'b>(&'b self, tokens: &'b [Lexeme]) -> Cursor<'b> {
        Cursor::new(tokens, &self.names, &self.unit)
    }

    /// `#` begins a comment, so a forgotten preprocessor run would pass silently.
    fn preprocessor_lines(&mut self) {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let keyword = line.trim_start().strip_prefix('#').and_then(|rest| {
                ["include", "define", "ifdef", "ifndef", "endif"]
                    .into_iter()
                    .find(|keyword| {
                        let after = rest.strip_prefix(keyword);
                        after.is_some_and(|after| {
                            after.starts_with([' ', '\t', '\n', '\r', '<', '"'])
                        })
                    })
            });
            if let Some(keyword) = keyword {
                let begin = start + line.find('#').unwrap_or(0);
                let span = Span {
                    file: self.file,
                    start: begin,
                    end: begin + 1 + keyword.len(),
                };
                let message = format!("preprocessor directive `#{keyword}`");
                let help = "preprocess the file first: riscv64-unknown-elf-gcc -E";
                self.faults.push(Fault::new(span, message).help(help));
            }
            start += line.len();
        }
    }

    fn is_loaded(&self) -> bool {
        self.unit.sections[self.current].output.is_some()
    }

    fn push(&mut self, item: Item, span: Span) {
        if self.is_loaded() {
            let section = &mut self.unit.sections[self.current];
            section.items.push((item, span));
            section.extents.push(self.extent);
        }
    }

    /// `.ifdef`, `.ifndef`, `.else`, `.endif`, and what they leave out: true for a statement that is done with.
    fn condition(&mut self, tokens: &[Lexeme]) -> Result<bool, Fault> {
        let counts = self.conditions.last().is_none_or(|c| c.counts);
        let (name, span) = match &tokens[0].token {
            Token::Word(name) => (name.as_str(), tokens[0].span),
            _ => return Ok(!counts),
        };
        let missing = || Fault::new(span, format!("`{name}` without `.ifdef`"));
        match name {
            ".ifdef" | ".ifndef" if counts => {
                let mut cursor = self.cursor(&tokens[1..]);
                let (symbol, _) = cursor.symbol_name()?;
                cursor.end()?;
                let holds = self.defined_at(&symbol).is_some() == (name == ".ifdef");
                self.conditions.push(Condition {
                    counts: holds,
                    other: !holds,
                    span,
                });
            }
            _ if !counts && name.starts_with(".if") => self.conditions.push(Condition {
                counts: false,
                other: false,
                span,
            }),
            ".else" => {
                let condition = self.conditions.last_mut().ok_or_else(missing)?;
                condition.counts = std::mem::take(&mut condition.other);
                self.cursor(&tokens[1..]).end()?;
            }
            ".endif" => {
                self.conditions.pop().ok_or_else(missing)?;
                self.cursor(&tokens[1..]).end()?;
            }
            _ => return Ok(!counts),
        }
        Ok(true)
    }

    fn statement(&mut self, mut tokens: &[Lexeme]) -> Result<(), Fault> {
        while let Some(rest) = self.label(tokens)? {
            tokens = rest;
        }
        if let [first, .., last] = tokens {
            self.extent = Extent {
                start: first.span.start,
                end: tokens[tokens.len() - 2].span.end,
                after: last.span.end,
            };
        }
        let (name, span) = match &tokens[0].token {
            Token::End => return Ok(()),
            Token::Word(name) => (name.as_str(), tokens[0].span),
            _ if !self.is_loaded() => return Ok(()),
            _ => {
                return Err(self
                    .cursor(tokens)
                    .unexpected("a label, an instruction or a directive"))
            }
        };
        let operands = &tokens[1..];
        if operands[0].token == Token::Punct('=') {
            return self.assignment(name, span, &operands[1..]);
        }
        if name == ".insn" {
            self.code(span, |cursor| raw_instruction(span, cursor), operands)
        } else if name.starts_with('.') {
            self.directive(name, span, operands)
        } else {
            self.code(span, |cursor| instruction(name, span, cursor), operands)
        }
    }

    fn code(
        &mut self,
        span: Span,
        read: impl FnOnce(&mut Cursor) -> Result<Item, Fault>,
        operands: &[Lexeme],
    ) -> Result<(), Fault> {
        let output = match self.unit.sections[self.current].output {
            Some(output) => output,
            None => return Ok(()),
        };
        let item = read(&mut self.cursor(operands))?;
        if output != Output::Text {
            let message = format!("an instruction in {}", output.name());
            return Err(Fault::new(span, message).help("code belongs in .text"));
        }
        self.push(item, span);
        Ok(())
    }

    /// Takes one `label:` from the front; `None` when there is none.
    fn label<'t>(&mut self, tokens: &'t [Lexeme]) -> Result<Option<&'t [Lexeme]>, Fault> {
        if tokens.len() < 2 || tokens[1].token != Token::Punct(':') {
            return Ok(None);
        }
        match &tokens[0].token {
            Token::Word(name) => self.define_label(name.clone(), tokens[0].span)?,
            Token::Text(bytes) => {
                let name = String::from_utf8_lossy(bytes).into_owned();
                self.define_label(name, tokens[0].span)?;
            }
            Token::Number(label) => {
                let label = u32::try_from(*label)
                    .map_err(|_| Fault::new(tokens[0].span, "this numeric label is too large"))?;
                let count = self.names.numeric.entry(label).or_default();
                *count += 1;
                let name = SymbolNames::numeric_name(label, *count);
                self.define_label(name, tokens[0].span)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(&tokens[2..]))
    }

    fn define_label(&mut self, name: String, span: Span) -> Result<(), Fault> {
        if name == "." {
            return Err(Fault::new(
                span,
                "`.` is the current address and cannot be defined",
            ));
        }
        if let Some(first) = self.defined_at(&name) {
            let line = self.text[..first.start].matches('\n').count() + 1;
            let message = format!("`{name}` is already defined");
            return Err(Fault::new(span, message).help(format!("first defined in line {line}")));
        }
        let item = self.unit.sections[self.current].items.len();
        let meaning = Meaning::Label {
            section: self.current,
            item,
        };
        self.unit.symbols.insert(name, Symbol { meaning, span });
        Ok(())
    }

    /// Where a label or value of this name was first defined.
    fn defined_at(&self, name: &str) -> Option<Span> {
        let first_value = SymbolNames::value_name(name, 1);
        let symbol = self
            .unit
            .symbols
            .get(name)
            .or_else(|| self.unit.symbols.get(&first_value));
        symbol.map(|symbol| symbol.span)
    }

    fn assignment(&mut self, name: &str, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let value = cursor.expr()?;
        cursor.end()?;
        self.set(name, span, value)
    }

    /// `.set`: a new definition that later references see.
    fn set(&mut self, name: &str, span: Span, mut value: Expr) -> Result<(), Fault> {
        if name == "." {
            return Err(Fault::new(span, "`.` cannot be assigned").help(".space leaves room"));
        }
        if self.unit.symbols.contains_key(name) {
            return Err(Fault::new(
                span,
                format!("`{name}` is already defined as a label"),
            ));
        }
        match value.value(&self.unit) {
            Ok(constant) => value.kind = ExprKind::Number(constant),
            Err(_) => self.pin_here(&mut value, span)?,
        }
        let count = self.names.values.entry(name.to_string()).or_default();
        *count += 1;
        let versioned = SymbolNames::value_name(name, *count);
        let meaning = Meaning::Value(value);
        self.unit
            .symbols
            .insert(versioned, Symbol { meaning, span });
        Ok(())
    }

    /// Replaces `.` by a label at this place.
    fn pin_here(&mut self, value: &mut Expr, span: Span) -> Result<(), Fault> {
        let name = format!("{MADE_UP}here{}", self.hidden_labels);
        let mut used = false;
        value.rename(&mut |symbol| match symbol {
            Some(_) => None,
            None => {
                used = true;
                Some(name.clone())
            }
        });
        if used {
            self.hidden_labels += 1;
            self.define_label(name, span)?;
        }
        Ok(())
    }

    /// Index of a section, made when it is new.
    fn section_named(&mut self, name: &str, output: Option<Output>) -> usize {
        let sections = &mut self.unit.sections;
        if let Some(index) = sections.iter().position(|section| section.name == name) {
            return index;
        }
        let align = if output == Some(Output::Text) { 4 } else { 1 };
        let name = name.to_string();
        sections.push(Section {
            name,
            output,
            align,
            items: Vec::new(),
            extents: Vec::new(),
        });
        sections.len() - 1
    }

    fn enter(&mut self, section: usize) {
        self.previous = self.current;
        self.current = section;
    }

    /// Plain names at last stand for the last `.set`; storage of local commons is laid out.
    fn finish(mut self) -> (Unit, Vec<Fault>) {
        let open = self.conditions.iter().map(|c| c.span);
        let faults = open.map(|span| Fault::new(span, "this condition is not closed by `.endif`"));
        self.faults.extend(faults);
        for (name, count) in &self.names.values {
            let versioned = SymbolNames::value_name(name, *count);
            let span = self.unit.symbols[&versioned].span;
            let kind = ExprKind::Symbol(versioned);
            let meaning = Meaning::Value(Expr { span, kind });
            self.unit
                .symbols
                .insert(name.clone(), Symbol { meaning, span });
        }
        let commons = std::mem::take(&mut self.unit.commons);
        let (local, global): (Vec<Common>, Vec<Common>) = commons
            .into_iter()
            .partition(|common| self.unit.locals.contains(&common.name));
        self.unit.commons = global;
        for common in local {
            if let Err(fault) = self.allocate(common) {
                self.faults.push(fault);
            }
        }
        (self.unit, self.faults)
    }

    fn allocate(&mut self, common: Common) -> Result<(), Fault> {
        self.current = self.section_named(".bss", Some(Output::Bss));
        let Common {
            name,
            size,
            align,
            span,
        } = common;
        self.align_to(align, None, None, span);
        self.define_label(name, span)?;
        self.push(
            Item::Space {
                size: Expr::number(span, size.into()),
                fill: None,
            },
            span,
        );
        Ok(())
    }

    fn align_to(&mut self, bytes: u32, fill: Option<u8>, most: Option<u32>, span: Span) {
        let section = &mut self.unit.sections[self.current];
        section.align = section.align.max(bytes);
        self.push(Item::Align { bytes, fill, most }, span);
    }
}

/// Operands of an ignored directive are not looked at.
#[rustfmt::skip]
const IGNORED: [&str; 25] = [
    ".type", ".size", ".file", ".ident", ".option", ".attribute", ".loc", ".hidden", ".internal",
    ".protected", ".addrsig", ".addrsig_sym", ".variant_cc", ".line", ".ln", ".extern", ".title",
    ".sbttl", ".psize", ".list", ".nolist", ".eject", ".gnu_attribute", ".version", ".symver",
];

/// Directives with a meaning; for suggestions.
#[rustfmt::skip]
const KNOWN: [&str; 42] = [
    ".text", ".data", ".bss", ".rodata", ".sdata", ".sbss", ".section", ".pushsection",
    ".popsection", ".previous", ".globl", ".global", ".local", ".weak", ".comm", ".lcomm", ".set",
    ".equ", ".equiv", ".byte", ".2byte", ".half", ".short", ".hword", ".4byte", ".word", ".long",
    ".int", ".8byte", ".dword", ".quad", ".ascii", ".asciz", ".string", ".zero", ".space", ".skip",
    ".fill", ".align", ".p2align", ".balign", ".insn",
];

impl Parser<'_> {
    fn directive(&mut self, name: &str, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        match name {
            ".section" | ".pushsection" => self.section_directive(name, span, tokens),
            ".text" => self.plain_section(name, Output::Text, tokens),
            ".data" | ".sdata" => self.plain_section(name, Output::Data, tokens),
            ".rodata" => self.plain_section(name, Output::Rodata, tokens),
            ".bss" | ".sbss" => self.plain_section(name, Output::Bss, tokens),
            ".previous" => {
                self.enter(self.previous);
                self.cursor(tokens).end()
            }
            ".popsection" => {
                let section = self.pushed.pop();
                let missing = || Fault::new(span, ".popsection without .pushsection");
                self.enter(section.ok_or_else(missing)?);
                self.cursor(tokens).end()
            }
            ".globl" | ".global" | ".local" | ".weak" => self.binding(name, tokens),
            ".comm" | ".lcomm" => self.common(name == ".lcomm", tokens),
            ".set" | ".equ" | ".equiv" => self.set_directive(name, tokens),
            ".end" => {
                self.ended = true;
                Ok(())
            }
            _ if IGNORED.contains(&name) || name.starts_with(".cfi_") => Ok(()),
            _ if !self.is_loaded() => Ok(()),
            _ => self.contents(name, span, tokens),
        }
    }

    /// Directives that put something into the section.
    fn contents(&mut self, name: &str, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        match name {
            ".byte" => self.data(1, span, tokens),
            ".2byte" | ".half" | ".short" | ".hword" => self.data(2, span, tokens),
            ".4byte" | ".word" | ".long" | ".int" => self.data(4, span, tokens),
            ".8byte" | ".dword" | ".quad" => self.data(8, span, tokens),
            ".ascii" => self.strings(false, span, tokens),
            ".asciz" | ".string" => self.strings(true, span, tokens),
            ".zero" | ".space" | ".skip" => self.space(span, tokens),
            ".fill" => self.fill(span, tokens),
            ".align" | ".p2align" => self.align(true, span, tokens),
            ".balign" => self.align(false, span, tokens),
            ".macro" | ".endm" | ".rept" | ".endr" | ".irp" | ".if" | ".include" | ".incbin"
            | ".org" | ".float" | ".double" => {
                let message = format!("`{name}` is not part of this assembler's subset");
                let help = "assemble and link such a file with riscv64-unknown-elf-gcc; ELF files load as well";
                Err(Fault::new(span, message).help(help))
            }
            _ => {
                let near = closest(name, KNOWN.iter().chain(&IGNORED).copied());
                Err(Fault::new(span, format!("unknown directive `{name}`"))
                    .maybe_help(near.map(|near| format!("did you mean `{near}`?"))))
            }
        }
    }

    fn plain_section(
        &mut self,
        name: &str,
        output: Output,
        tokens: &[Lexeme],
    ) -> Result<(), Fault> {
        let numbered = Fault::new(tokens[0].span, "numbered subsections are not supported");
        self.cursor(tokens).end().map_err(|_| numbered)?;
        let section = self.section_named(name, Some(output));
        self.enter(section);
        Ok(())
    }

    /// `.section name, "flags", @type, …`
    fn section_directive(
        &mut self,
        directive: &str,
        span: Span,
        tokens: &[Lexeme],
    ) -> Result<(), Fault> {
        let is_comma = |lexeme: &Lexeme| matches!(lexeme.token, Token::Punct(',') | Token::End);
        let mut fields = tokens.split(is_comma);
        let name = match fields.next() {
            Some(
                [Lexeme {
                    token: Token::Text(bytes),
                    ..
                }],
            ) => String::from_utf8_lossy(bytes).into_owned(),
            Some([first, .., last]) => self.text[first.span.start..last.span.end].to_string(),
            Some([only]) => self.text[only.span.start..only.span.end].to_string(),
            _ => return Err(Fault::new(span, "the section needs a name")),
        };
        let flags = match fields.next() {
            Some(
                [Lexeme {
                    token: Token::Text(bytes),
                    ..
                }],
            ) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        };
        let no_bits = fields.next().is_some_and(|kind| {
            kind.iter()
                .any(|lexeme| lexeme.token == Token::Word("nobits".into()))
        });
        let section = self.section_named(&name, output_of(&name, flags.as_deref(), no_bits));
        if directive == ".pushsection" {
            self.pushed.push(self.current);
        }
        self.enter(section);
        Ok(())
    }

    fn binding(&mut self, directive: &str, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut names = Vec::new();
        let mut cursor = self.cursor(tokens);
        loop {
            names.push(cursor.symbol_name()?.0);
            if !cursor.take(',') {
                break;
            }
        }
        cursor.end()?;
        let set = match directive {
            ".local" => &mut self.unit.locals,
            ".weak" => &mut self.unit.weak,
            _ => &mut self.unit.globals,
        };
        set.extend(names);
        Ok(())
    }

    /// `name, size` and an alignment in bytes.
    fn common(&mut self, local: bool, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let (name, span) = cursor.symbol_name()?;
        cursor.comma()?;
        let size = cursor.constant_in("a size", MOST_BYTES)? as u32;
        let align = match cursor.take(',') {
            true => power_of_two(&mut cursor)?,
            false => natural_align(size),
        };
        cursor.end()?;
        if local {
            self.unit.locals.insert(name.clone());
        }
        self.unit.commons.push(Common {
            name,
            size,
            align,
            span,
        });
        Ok(())
    }

    fn set_directive(&mut self, directive: &str, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let (name, span) = cursor.symbol_name()?;
        cursor.comma()?;
        let value = cursor.expr()?;
        cursor.end()?;
        if directive == ".equiv" && self.defined_at(&name).is_some() {
            return Err(Fault::new(span, format!("`{name}` is already defined")));
        }
        self.set(&name, span, value)
    }

    fn data(&mut self, width: usize, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let mut values = vec![cursor.expr()?];
        while cursor.take(',') {
            values.push(cursor.expr()?);
        }
        cursor.end()?;
        self.push(Item::Data { width, values }, span);
        Ok(())
    }

    fn strings(&mut self, terminated: bool, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let mut bytes = Vec::new();
        loop {
            bytes.extend(cursor.string()?);
            if terminated {
                bytes.push(0);
            }
            if !cursor.take(',') {
                break;
            }
        }
        cursor.end()?;
        self.push(Item::Bytes(bytes), span);
        Ok(())
    }

    fn space(&mut self, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let size = cursor.expr()?;
        let fill = match cursor.take(',') {
            true => Some(cursor.expr()?),
            false => None,
        };
        cursor.end()?;
        self.push(Item::Space { size, fill }, span);
        Ok(())
    }

    /// `.fill repeat, size, value`
    fn fill(&mut self, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let repeat = cursor.constant_in("a repeat count", MOST_BYTES)? as usize;
        let size_span = cursor.span();
        let width = match cursor.take(',') {
            true => cursor.constant_in("a size", 8)?,
            false => 1,
        };
        let value = match cursor.take(',') {
            true => cursor.constant("a fill value")?.1,
            false => 0,
        };
        cursor.end()?;
        if ![1, 2, 4, 8].contains(&width) {
            return Err(Fault::new(size_span, "sizes are 1, 2, 4 and 8"));
        }
        let pattern = &value.to_le_bytes()[..width as usize];
        self.push(Item::Bytes(pattern.repeat(repeat)), span);
        Ok(())
    }

    /// `.align exponent` or `.balign bytes`, then fill byte and most bytes to skip.
    fn align(&mut self, exponent: bool, span: Span, tokens: &[Lexeme]) -> Result<(), Fault> {
        let mut cursor = self.cursor(tokens);
        let bytes = match exponent {
            true => 1 << cursor.constant_in("an alignment exponent", 16)?,
            false => power_of_two(&mut cursor)?,
        };
        let (mut fill, mut most) = (None, None);
        if cursor.take(',') {
            if *cursor.peek() != Token::Punct(',') {
                fill = Some(cursor.constant_in("a fill byte", 0xFF)? as u8);
            }
            if cursor.take(',') {
                most = Some(cursor.constant_in("a number of bytes", MOST_BYTES)? as u32);
            }
        }
        cursor.end()?;
        if self.is_loaded() {
            self.align_to(bytes, fill, most, span);
        }
        Ok(())
    }
}

/// Alignment of storage for which none is given: the largest power of two in its size, at most 8.
fn natural_align(size: u32) -> u32 {
    1 << size.max(1).ilog2().min(3)
}

fn power_of_two(cursor: &mut Cursor) -> Result<u32, Fault> {
    let span = cursor.span();
    let bytes = cursor.constant_in("an alignment", 1 << 16)? as u32;
    match bytes {
        0 => Ok(1),
        _ if bytes.is_power_of_two() => Ok(bytes),
        _ => Err(Fault::new(span, "an alignment is a power of two")),
    }
}

/// Output section of an input section; `None` when it is not loaded.
fn output_of(name: &str, flags: Option<&str>, no_bits: bool) -> Option<Output> {
    let is = |base: &str| {
        name.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let unloaded = [".eh_frame", ".note", ".comment", ".riscv.attributes"];
    if unloaded.into_iter().any(is) || name.starts_with(".debug") {
        return None;
    }
    let by_name = [
        (Output::Text, &[".text", ".init", ".fini"] as &[&str]),
        (Output::Rodata, &[".rodata", ".srodata"]),
        (
            Output::Data,
            &[".data", ".sdata", ".init_array", ".fini_array"],
        ),
        (Output::Bss, &[".bss", ".sbss"]),
    ];
    for (output, names) in by_name {
        if names.iter().any(|base| is(base)) {
            return Some(output);
        }
    }
    let flags = flags?;
    let has = |flag| flags.contains(flag);
    match (has('a'), has('x'), has('w'), no_bits) {
        (false, ..) => None,
        (_, true, ..) => Some(Output::Text),
        (_, _, true, true) => Some(Output::Bss),
        (_, _, true, false) => Some(Output::Data),
        _ => Some(Output::Rodata),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_map_to_outputs() {
        for (name, flags, no_bits, expected) in [
            (".text.startup", None, false, Some(Output::Text)),
            (".rodata.str1.4", Some("aMS"), false, Some(Output::Rodata)),
            (".srodata.cst8", Some("aM"), false, Some(Output::Rodata)),
            (".sdata", None, false, Some(Output::Data)),
            (".bss.x", Some("aw"), true, Some(Output::Bss)),
            (".textual", Some("a"), false, Some(Output::Rodata)),
            ("mine", Some("ax"), false, Some(Output::Text)),
            ("mine", Some("aw"), true, Some(Output::Bss)),
            ("mine", None, false, None),
            (".note.GNU-stack", Some(""), false, None),
            (".debug_info", Some(""), false, None),
        ] {
            assert_eq!(output_of(name, flags, no_bits), expected, "{name}");
        }
    }
}
