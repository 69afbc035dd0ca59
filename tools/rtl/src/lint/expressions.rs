//! Expressions that mean one thing in Rust (fixed width, Rust precedence) and another in the library's Verilog
//! (width from the context, Verilog precedence).

use crate::design::{Module, Place};
use crate::elab::Kernel;
use crate::hazard::Hazard;
use rust_hdl_core::ast::*;
use rust_hdl_core::prelude::AtomKind;

pub(super) fn check(module: &Module, kernel: &Kernel, push: &mut dyn FnMut(Hazard, String)) {
    Walk { module, push }.block(&kernel.code);
}

/// What an expression does to the width around it.
#[derive(Clone, Copy)]
struct Info {
    /// upper bits may become non-zero if evaluated wider than in Rust
    grow: bool,
    /// such upper bits are moved down inside (a right shift)
    deep: bool,
    /// width that Verilog may evaluate it in
    ctx: usize,
    /// width that Rust evaluates it in
    min: usize,
}
impl Info {
    const BIT: Info = Info {
        grow: false,
        deep: false,
        ctx: 1,
        min: 1,
    };
    const INT: Info = Info {
        grow: false,
        deep: false,
        ctx: 32,
        min: usize::MAX,
    };
    fn join(self, o: Info) -> Info {
        Info {
            grow: self.grow | o.grow,
            deep: self.deep | o.deep,
            ctx: self.ctx.max(o.ctx),
            min: self.min.min(o.min),
        }
    }
    fn wide(&self) -> bool {
        self.ctx > self.min
    }
    /// wrong even if the result is cut to its width
    fn lost(&self) -> bool {
        self.deep && self.wide()
    }
    /// wrong if the result is not cut to its width
    fn hazard(&self) -> bool {
        (self.grow | self.deep) && self.wide()
    }
}

struct Walk<'a> {
    module: &'a Module,
    push: &'a mut dyn FnMut(Hazard, String),
}

fn prec(op: &VerilogOp) -> u8 {
    use VerilogOp::*;
    match op {
        Mul => 10,
        Add | Sub => 9,
        Shl | Shr => 8,
        Lt | Le | Gt | Ge => 7,
        Eq | Ne => 6,
        BitAnd => 5,
        BitXor => 4,
        BitOr => 3,
        LogicalAnd => 2,
        LogicalOr => 1,
    }
}

pub(super) fn strip(e: &VerilogExpression) -> &VerilogExpression {
    match e {
        VerilogExpression::Paren(x) => strip(x),
        _ => e,
    }
}

impl Walk<'_> {
    fn err(&mut self, hazard: Hazard, e: &VerilogExpression) {
        let mut text = show(e);
        if let Some((cut, _)) = text.char_indices().nth(160) {
            text.truncate(cut);
        }
        (self.push)(hazard, text);
    }
    fn block(&mut self, b: &[VerilogStatement]) {
        for s in b {
            self.stmt(s);
        }
    }
    fn stmt(&mut self, s: &VerilogStatement) {
        match s {
            VerilogStatement::Assignment(l, r) => {
                self.value(r);
                self.target(l);
            }
            VerilogStatement::SliceAssignment {
                base,
                offset,
                replacement,
                ..
            } => {
                self.scan(offset);
                self.value(replacement);
                self.target(base);
            }
            VerilogStatement::If(c) => {
                self.scan(&c.test);
                self.block(&c.then);
                match &c.otherwise {
                    VerilogBlockOrConditional::Block(b) => self.block(b),
                    VerilogBlockOrConditional::Conditional(c) => self.stmt(c),
                    VerilogBlockOrConditional::None => {}
                }
            }
            VerilogStatement::Match(m) => {
                if self.scan(&m.test).grow {
                    self.err(Hazard::MatchOnExpression, &m.test);
                }
                for (i, c) in m.cases.iter().enumerate() {
                    let k = &c.condition;
                    let known = match k.as_str() {
                        "default" => i + 1 == m.cases.len(),
                        _ => pattern(self.module, k).is_some(),
                    };
                    if !known {
                        (self.push)(Hazard::MatchPattern, k.clone());
                    }
                    self.block(&c.block);
                }
            }
            // Elaboration leaves no others.
            VerilogStatement::Loop(_)
            | VerilogStatement::Macro(_)
            | VerilogStatement::Comment(_)
            | VerilogStatement::Link(_) => {}
        }
    }
    fn value(&mut self, r: &VerilogExpression) {
        if self.scan(r).lost() {
            self.err(Hazard::LiteralWidth, r);
        }
    }
    fn target(&mut self, l: &VerilogExpression) {
        let VerilogExpression::Signal(s) = l else {
            return self.err(Hazard::UnknownName, l);
        };
        let net = self.module.net(s).map(|(place, n)| (place, n.kind));
        match net {
            None => self.err(Hazard::UnknownName, l),
            Some((Place::Own, AtomKind::OutputParameter | AtomKind::LocalSignal))
            | Some((Place::Child, AtomKind::InputParameter)) => {}
            Some(_) => self.err(Hazard::DrivesOutput, l),
        }
    }
    fn signal(&mut self, s: &str, e: &VerilogExpression) -> Info {
        if self.module.labels.contains_key(s) {
            return Info::INT;
        }
        match self.module.net(s) {
            Some((_, n)) => Info {
                ctx: n.width,
                min: n.width,
                ..Info::BIT
            },
            None => {
                self.err(Hazard::UnknownName, e);
                Info::BIT
            }
        }
    }
    fn base(&mut self, b: &VerilogExpression) {
        self.scan(b);
        if !matches!(b, VerilogExpression::Signal(_)) {
            self.err(Hazard::SelectOfExpression, b);
        }
    }
    /// Offsets are self-determined in Verilog and may be `usize` or `Bits`
    /// arithmetic in Rust; only forms that agree in both are let through:
    /// a signal, loop-variable arithmetic, `signal * literal (+ loop part)`.
    fn offset(&mut self, o: &VerilogExpression) {
        let i = self.scan(o);
        if i.grow && i.min != usize::MAX && !self.scaled(o) {
            self.err(Hazard::IndexArithmetic, o);
        }
    }
    fn scaled(&self, o: &VerilogExpression) -> bool {
        use VerilogExpression as E;
        let constant = |e: &E| matches!(strip(e), E::Literal(_));
        match strip(o) {
            E::Binary(l, VerilogOp::Mul, r) => {
                (matches!(strip(l), E::Signal(_)) && constant(r))
                    || (matches!(strip(r), E::Signal(_)) && constant(l))
            }
            E::Binary(l, VerilogOp::Add, r) => {
                (self.scaled(l) && constant(r)) || (self.scaled(r) && constant(l))
            }
            _ => false,
        }
    }
    fn scan(&mut self, e: &VerilogExpression) -> Info {
        use VerilogExpression as E;
        match e {
            E::Signal(s) => self.signal(s, e),
            E::Literal(v) => Info {
                ctx: literal_bits(v),
                ..Info::INT
            },
            E::Paren(x) => self.scan(x),
            E::Cast(x, bits) => {
                let i = self.scan(x);
                if (i.grow && i.min < *bits) || i.lost() {
                    self.err(Hazard::WideningCast, e);
                }
                Info {
                    grow: false,
                    deep: i.deep,
                    ctx: i.ctx.max(*bits),
                    min: if i.deep { i.min.min(*bits) } else { *bits },
                }
            }
            E::Signed(x) | E::Unsigned(x) => {
                let i = self.scan(x);
                if i.hazard() {
                    self.err(Hazard::LiteralWidth, e);
                }
                i
            }
            E::Unary(op, x) => {
                let i = self.scan(x);
                let neg =
                    |o: &VerilogOpUnary| matches!(o, VerilogOpUnary::Not | VerilogOpUnary::Neg);
                if let E::Unary(o, _) = &**x {
                    if neg(o) && neg(op) {
                        self.err(Hazard::DoubleNegation, e);
                    }
                }
                match op {
                    VerilogOpUnary::Not | VerilogOpUnary::Neg => Info { grow: true, ..i },
                    VerilogOpUnary::All => {
                        if i.wide() {
                            self.err(Hazard::LiteralWidth, e);
                        }
                        Info::BIT
                    }
                    VerilogOpUnary::Any | VerilogOpUnary::Xor => {
                        if i.hazard() {
                            self.err(Hazard::LiteralWidth, e);
                        }
                        Info::BIT
                    }
                }
            }
            E::Index(s, n) => {
                self.base(s);
                self.offset(n);
                Info::BIT
            }
            E::Slice(s, w, n) => {
                self.base(s);
                self.offset(n);
                Info {
                    ctx: *w,
                    min: *w,
                    ..Info::BIT
                }
            }
            E::IndexReplace(s, n, v) => {
                let i = self.scan(s);
                self.offset(n);
                if self.scan(v).grow {
                    self.err(Hazard::NegatedBit, e);
                }
                Info {
                    ctx: i.ctx.max(32),
                    ..i
                }
            }
            E::Binary(l, op, r) => {
                if let E::Binary(_, o, _) = &**l {
                    if prec(o) < prec(op) {
                        self.err(Hazard::Precedence, e);
                    }
                }
                if let E::Binary(_, o, _) = &**r {
                    if prec(o) <= prec(op) {
                        self.err(Hazard::Precedence, e);
                    }
                }
                let (a, b) = (self.scan(l), self.scan(r));
                use VerilogOp::*;
                match op {
                    Add | Sub | Mul => Info {
                        grow: true,
                        ..a.join(b)
                    },
                    BitAnd | BitOr | BitXor => a.join(b),
                    Shl => {
                        if b.hazard() {
                            self.err(Hazard::LiteralWidth, e);
                        }
                        Info { grow: true, ..a }
                    }
                    Shr => {
                        if a.hazard() || b.hazard() {
                            self.err(Hazard::LiteralWidth, e);
                        }
                        Info {
                            deep: a.deep | a.grow,
                            ..a
                        }
                    }
                    LogicalAnd | LogicalOr => Info::BIT,
                    Eq | Ne | Lt | Le | Gt | Ge => {
                        let signs = [l, r].iter().any(|x| matches!(strip(x), E::Signed(_)));
                        if a.join(b).hazard() && !signs {
                            self.err(Hazard::LiteralWidth, e);
                        }
                        Info::BIT
                    }
                }
            }
        }
    }
}

/// Width and value of a match pattern: an enum label (no width for an integer literal).
pub(crate) fn pattern(m: &Module, text: &str) -> Option<(Option<usize>, u64)> {
    match m.labels.get(text) {
        Some(l) => Some((Some(l.width), l.code as u64)),
        None => text.parse().ok().map(|v| (None, v)),
    }
}

fn literal_bits(v: &VerilogLiteral) -> usize {
    v.to_string().split('\'').next().unwrap().parse().unwrap()
}

pub(super) fn show(e: &VerilogExpression) -> String {
    use VerilogExpression as E;
    match e {
        E::Signal(s) => s.clone(),
        E::Literal(v) => v.to_string(),
        E::Cast(x, b) => format!("cast<{b}>({})", show(x)),
        E::Signed(x) => format!("signed({})", show(x)),
        E::Unsigned(x) => format!("unsigned({})", show(x)),
        E::Paren(x) => format!("({})", show(x)),
        E::Binary(l, op, r) => format!("{} {op:?} {}", show(l), show(r)),
        E::Unary(op, x) => format!("{op:?} {}", show(x)),
        E::Index(s, n) => format!("{}[{}]", show(s), show(n)),
        E::Slice(s, w, n) => format!("{}[{}+:{w}]", show(s), show(n)),
        E::IndexReplace(s, n, v) => format!("replace({}, {}, {})", show(s), show(n), show(v)),
    }
}
