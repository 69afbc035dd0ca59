//! Operands of one statement.

use super::error::{Fault, Span};
use super::expr::{Expr, ExprKind, Operator, Relocation, Scope};
use super::lex::{Lexeme, Token};
use crate::names::{csr_number, fence_set_bits, register_number};
use crate::{Kind, Mask, Rounding};

/// Keep the recursion of the expression parser and evaluator within the stack.
const MOST_NESTING: usize = 100;
const MOST_TOKENS: usize = 1000;

/// Renames symbols as the parser meets them: values of `.set`, numeric labels.
pub(super) trait Names {
    /// Current name of a symbol.
    fn current(&self, name: &str) -> String;
    /// Name of a numeric label; `None` for a backward reference without a definition.
    fn numeric(&self, label: u32, forward: bool) -> Option<String>;
}

/// Reads the tokens of one statement.
pub(super) struct Cursor<'a> {
    tokens: &'a [Lexeme],
    at: usize,
    /// Nesting of the expression being read.
    depth: usize,
    names: &'a dyn Names,
    constants: &'a dyn Scope,
}

impl<'a> Cursor<'a> {
    /// `tokens` end with [`Token::End`].
    pub fn new(tokens: &'a [Lexeme], names: &'a dyn Names, constants: &'a dyn Scope) -> Cursor<'a> {
        Cursor {
            tokens,
            at: 0,
            depth: 0,
            names,
            constants,
        }
    }

    fn lexeme(&self, ahead: usize) -> &'a Lexeme {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub fn peek(&self) -> &'a Token {
        &self.lexeme(0).token
    }

    pub fn span(&self) -> Span {
        self.lexeme(0).span
    }

    fn advance(&mut self) -> &'a Lexeme {
        let lexeme = self.lexeme(0);
        self.at += 1;
        lexeme
    }

    pub fn at_end(&self) -> bool {
        *self.peek() == Token::End
    }

    fn is_punct(&self, ahead: usize, punct: char) -> bool {
        self.lexeme(ahead).token == Token::Punct(punct)
    }

    /// Takes a punctuation mark if it is next.
    pub fn take(&mut self, punct: char) -> bool {
        let found = self.is_punct(0, punct);
        self.at += usize::from(found);
        found
    }

    /// `expected …, found …` at the next token.
    pub fn unexpected(&self, expected: &str) -> Fault {
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Number(value) => format!("`{value}`"),
            Token::NumericLabel { label, forward } => {
                format!("`{label}{}`", if *forward { 'f' } else { 'b' })
            }
            Token::Text(_) => "a string".into(),
            Token::ShiftLeft => "`<<`".into(),
            Token::ShiftRight => "`>>`".into(),
            Token::Punct(punct) => format!("`{punct}`"),
            Token::End => "the end of the statement".into(),
            Token::Bad(message) => return Fault::new(self.span(), *message),
        };
        Fault::new(self.span(), format!("expected {expected}, found {found}"))
    }

    pub fn expect(&mut self, punct: char) -> Result<(), Fault> {
        if self.take(punct) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{punct}`")))
        }
    }

    pub fn comma(&mut self) -> Result<(), Fault> {
        self.expect(',')
    }

    /// Nothing may follow the last operand.
    pub fn end(&self) -> Result<(), Fault> {
        if self.at_end() {
            Ok(())
        } else {
            Err(self.unexpected("the end of the statement"))
        }
    }

    pub fn word(&mut self, what: &str) -> Result<(&'a str, Span), Fault> {
        match &self.lexeme(0).token {
            Token::Word(word) => Ok((word, self.advance().span)),
            _ => Err(self.unexpected(what)),
        }
    }

    /// A symbol name, bare or in quotes.
    pub fn symbol_name(&mut self) -> Result<(String, Span), Fault> {
        if let Token::Text(bytes) = self.peek() {
            let name = String::from_utf8_lossy(bytes).into_owned();
            return Ok((name, self.advance().span));
        }
        self.word("a symbol")
            .map(|(name, span)| (name.to_string(), span))
    }

    pub fn string(&mut self) -> Result<Vec<u8>, Fault> {
        match self.peek() {
            Token::Text(bytes) => {
                self.advance();
                Ok(bytes.clone())
            }
            _ => Err(self.unexpected("a string")),
        }
    }

    fn register_at(&self, ahead: usize) -> Option<u8> {
        match &self.lexeme(ahead).token {
            Token::Word(word) => register_number(word),
            _ => None,
        }
    }

    pub fn is_register(&self) -> bool {
        self.register_at(0).is_some()
    }

    pub fn register(&mut self) -> Result<u8, Fault> {
        match self.register_at(0) {
            Some(register) => {
                self.at += 1;
                Ok(register)
            }
            None => Err(self.unexpected("a register")),
        }
    }

    /// A mask operand.
    pub fn mask(&mut self) -> Result<Mask, Fault> {
        let mask = match self.peek() {
            Token::Word(word) => Mask::parse(word),
            _ => None,
        };
        let Some(mask) = mask else {
            return Err(self.unexpected("a mask (m0 to m7, or exec)"));
        };
        self.at += 1;
        Ok(mask)
    }

    /// A mask operand and the comma after it.
    pub fn mask_then_comma(&mut self) -> Result<Mask, Fault> {
        let mask = self.mask()?;
        self.comma()?;
        Ok(mask)
    }

    /// Takes this word if it comes next.
    pub fn take_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Token::Word(next) if next == word);
        self.at += usize::from(is_next);
        is_next
    }

    /// A register and the comma after it.
    pub fn register_then_comma(&mut self) -> Result<u8, Fault> {
        let register = self.register()?;
        self.comma()?;
        Ok(register)
    }

    /// The link register before a target, and its comma. Without a comma it is no register but the target, a symbol by
    /// that name, as LLVM has it.
    pub fn link_register(&mut self) -> Option<u8> {
        let register = self.register_at(0).filter(|_| self.is_punct(1, ','))?;
        self.at += 2;
        Some(register)
    }

    /// `(rs1)`, as AMO instructions have it; `0(rs1)` means the same.
    pub fn address_register(&mut self) -> Result<u8, Fault> {
        if let (Token::Number(0), true) = (self.peek(), self.is_punct(1, '(')) {
            self.at += 1;
        }
        self.parenthesized_register()
    }

    fn parenthesized_register(&mut self) -> Result<u8, Fault> {
        self.expect('(')?;
        let register = self.register()?;
        self.expect(')')?;
        Ok(register)
    }

    pub fn is_parenthesized_register(&self) -> bool {
        self.is_punct(0, '(') && self.register_at(1).is_some() && self.is_punct(2, ')')
    }

    /// `offset(rs1)` or `(rs1)`; without parentheses the expression alone.
    pub fn memory(&mut self) -> Result<(Expr, Option<u8>), Fault> {
        let offset = if self.is_parenthesized_register() {
            Expr::number(self.span(), 0)
        } else {
            self.expr()?
        };
        if self.is_punct(0, '(') {
            return Ok((offset, Some(self.parenthesized_register()?)));
        }
        Ok((offset, None))
    }

    /// `offset(rs1)` or `(rs1)`.
    pub fn offset_and_register(&mut self) -> Result<(Expr, u8), Fault> {
        match self.memory()? {
            (offset, Some(register)) => Ok((offset, register)),
            (_, None) => Err(self.unexpected("`(` and the address register")),
        }
    }

    /// Number of a control and status register, by name or by value.
    pub fn csr(&mut self) -> Result<u16, Fault> {
        if let Token::Word(word) = self.peek() {
            if let Some(number) = csr_number(word) {
                self.at += 1;
                return Ok(number);
            }
        }
        let (span, value) = self.constant("a control and status register")?;
        u16::try_from(value)
            .ok()
            .filter(|&number| number < 0x1000)
            .ok_or_else(|| Fault::new(span, format!("there is no CSR {value}: 0 to 0xfff")))
    }

    /// A token type, by name or number.
    pub fn kind(&mut self) -> Result<Kind, Fault> {
        let span = self.span();
        let software = || (0..=9).filter_map(Kind::software);
        if let Token::Word(word) = self.peek() {
            if let Some(kind) = software().find(|kind| kind.name() == *word) {
                self.at += 1;
                return Ok(kind);
            }
        }
        let (_, value) = self.constant("a token type").map_err(|fault| {
            fault.help("types are 0 to 9, or sync, break, continue, call, longjmp, pexit")
        })?;
        let kind = u8::try_from(value).ok().and_then(Kind::software);
        kind.ok_or_else(|| Fault::new(span, format!("there is no token type {value}: 0 to 9")))
    }

    /// A rounding mode.
    pub fn rounding(&mut self) -> Result<Rounding, Fault> {
        let mode = match self.peek() {
            Token::Word(word) => Rounding::parse(word),
            _ => None,
        };
        let mode = mode
            .ok_or_else(|| self.unexpected("a rounding mode (rne, rtz, rdn, rup, rmm, or dyn)"))?;
        self.at += 1;
        Ok(mode)
    }

    /// `iorw` or a subset.
    pub fn fence_set(&mut self) -> Result<u16, Fault> {
        if let Token::Word(word) = self.peek() {
            if let Some(bits) = fence_set_bits(word) {
                self.at += 1;
                return Ok(bits);
            }
        }
        Err(self.unexpected("letters of `iorw` in this order"))
    }

    /// An expression whose value is known now.
    pub fn constant(&mut self, what: &str) -> Result<(Span, i128), Fault> {
        let expr = self.expr().map_err(|fault| match self.at_end() {
            true => self.unexpected(what),
            false => fault,
        })?;
        let value = self.constant_value(&expr).ok_or_else(|| {
            Fault::new(
                expr.span,
                format!("expected {what}; this is not a known constant"),
            )
            .help("symbols used here must be given a value with .equ before")
        })?;
        Ok((expr.span, value))
    }

    /// Value of an expression of numbers and `.equ` symbols.
    pub fn constant_value(&self, expr: &Expr) -> Option<i128> {
        expr.value(self.constants).ok()
    }

    /// A constant within limits.
    pub fn constant_in(&mut self, what: &str, max: i128) -> Result<i128, Fault> {
        let (span, value) = self.constant(what)?;
        if (0..=max).contains(&value) {
            Ok(value)
        } else {
            Err(Fault::new(
                span,
                format!("{what} is 0 to {max:#x}, not {value}"),
            ))
        }
    }

    pub fn expr(&mut self) -> Result<Expr, Fault> {
        self.binary(1)
    }

    fn operator(&self) -> Option<Operator> {
        Some(match self.peek() {
            Token::Punct('*') => Operator::Multiply,
            Token::Punct('/') => Operator::Divide,
            Token::Punct('%') => Operator::Remainder,
            Token::ShiftLeft => Operator::ShiftLeft,
            Token::ShiftRight => Operator::ShiftRight,
            Token::Punct('&') => Operator::And,
            Token::Punct('|') => Operator::Or,
            Token::Punct('^') => Operator::Xor,
            Token::Punct('+') => Operator::Add,
            Token::Punct('-') => Operator::Subtract,
            _ => return None,
        })
    }

    fn binary(&mut self, lowest: u8) -> Result<Expr, Fault> {
        let mut left = self.unary()?;
        let start = self.at;
        while let Some(operator) = self.operator().filter(|op| op.precedence() >= lowest) {
            self.at += 1;
            let right = self.binary(operator.precedence() + 1)?;
            if self.at - start > MOST_TOKENS {
                return Err(Fault::new(self.span(), "this expression is too long"));
            }
            left = Expr::binary(operator, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Fault> {
        if self.depth == MOST_NESTING {
            return Err(Fault::new(
                self.span(),
                "this expression is nested too deeply",
            ));
        }
        self.depth += 1;
        let result = self.prefixed();
        self.depth -= 1;
        result
    }

    fn prefixed(&mut self) -> Result<Expr, Fault> {
        let start = self.span();
        let prefix = match self.peek() {
            Token::Punct(punct @ ('-' | '~' | '+')) => *punct,
            _ => return self.primary(),
        };
        self.at += 1;
        let inner = self.unary()?;
        let span = Span {
            end: inner.span.end,
            ..start
        };
        let kind = match prefix {
            '-' => ExprKind::Negate(Box::new(inner)),
            '~' => ExprKind::Complement(Box::new(inner)),
            _ => return Ok(Expr { span, ..inner }),
        };
        Ok(Expr { span, kind })
    }

    fn primary(&mut self) -> Result<Expr, Fault> {
        let span = self.span();
        let kind = match self.peek() {
            Token::Number(value) => ExprKind::Number(*value),
            Token::Word(word) if word == "." => ExprKind::Here,
            Token::Word(word) => ExprKind::Symbol(self.names.current(word)),
            Token::Text(_) => {
                let (name, span) = self.symbol_name()?;
                return Ok(Expr {
                    span,
                    kind: ExprKind::Symbol(self.names.current(&name)),
                });
            }
            Token::NumericLabel { label, forward } => {
                let name = self.names.numeric(*label, *forward).ok_or_else(|| {
                    Fault::new(span, format!("there is no label `{label}:` before this"))
                })?;
                ExprKind::Symbol(name)
            }
            Token::Punct('(') => return self.parenthesized(),
            Token::Punct('%') => return self.relocation(),
            _ => return Err(self.unexpected("an expression")),
        };
        let is_symbol = matches!(kind, ExprKind::Symbol(_));
        self.at += 1;
        if is_symbol && self.take('@') {
            self.through_plt()?;
        }
        Ok(Expr { span, kind })
    }

    /// CC-042: `f@plt`, as GCC writes a call with -fPIC: in a static program the function itself.
    fn through_plt(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Token::Word(word) if word == "plt" => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self
                .unexpected("`plt`")
                .help("only calls have a suffix; compile with -fno-pic")),
        }
    }

    fn parenthesized(&mut self) -> Result<Expr, Fault> {
        let start = self.span();
        self.expect('(')?;
        let inner = self.expr()?;
        let end = self.span().end;
        self.expect(')')?;
        Ok(Expr {
            span: Span { end, ..start },
            ..inner
        })
    }

    /// `%hi(expression)` and its relatives.
    fn relocation(&mut self) -> Result<Expr, Fault> {
        let start = self.span();
        self.expect('%')?;
        let (named, help) = match self.peek() {
            Token::Word(word) if word == "got_pcrel_hi" => (
                None,
                Some("there is no global offset table: compile with -fno-pic".to_string()),
            ),
            Token::Word(word) => (Relocation::named(word), None),
            _ => (None, None),
        };
        let relocation = named.ok_or_else(|| {
            self.unexpected("`hi`, `lo`, `pcrel_hi` or `pcrel_lo`")
                .maybe_help(help)
        })?;
        self.at += 1;
        let inner = self.parenthesized()?;
        let span = Span {
            end: inner.span.end,
            ..start
        };
        Ok(Expr {
            span,
            kind: ExprKind::Relocation(relocation, Box::new(inner)),
        })
    }
}
