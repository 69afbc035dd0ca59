//! Expressions that mean one thing in Rust (fixed width, Rust precedence) and another in the library's Verilog
//! (width from the context, Verilog precedence).

use rust_hdl_core::ast::*;
use rust_hdl_core::prelude::*;
use std::collections::{HashMap, HashSet};

use super::names::canon;
use super::{Finding, Hazard};

pub(super) fn check<B: Block>(b: &B) -> Vec<Finding> {
    let mut l = Lint::default();
    b.accept("top", &mut l);
    l.out
}

#[derive(Default)]
struct Frame {
    name: String,
    ns: Vec<String>,
    width: HashMap<String, usize>,
    /// own outputs and locals: must be written before they are read
    ordered: HashSet<String>,
    /// outputs of sub-blocks: must not be written
    child_out: HashSet<String>,
    params: Vec<(String, usize, AtomKind)>,
    labels: HashSet<String>,
    code: Option<Vec<VerilogStatement>>,
}

#[derive(Default)]
struct Lint {
    stack: Vec<Frame>,
    out: Vec<Finding>,
}

fn labels_of(d: &TypeDescriptor, out: &mut HashSet<String>) {
    match &d.kind {
        TypeKind::Enum(v) => out.extend(v.iter().map(|x| x.replace("::", "$"))),
        TypeKind::Composite(f) => f.iter().for_each(|x| labels_of(&x.kind, out)),
        _ => {}
    }
}

impl Probe for Lint {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let code = match node.hdl() {
            Verilog::Combinatorial(c) => Some(c),
            _ => None,
        };
        self.stack.push(Frame {
            name: name.into(),
            code,
            ..Default::default()
        });
    }
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.stack.last_mut().unwrap().ns.push(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.stack.last_mut().unwrap().ns.pop();
    }
    fn visit_atom(&mut self, name: &str, a: &dyn Atom) {
        let f = self.stack.last_mut().unwrap();
        let mut n = f.ns.join("$");
        if !n.is_empty() {
            n.push('$');
        }
        n.push_str(name);
        f.width.insert(canon(&n), a.bits());
        if matches!(a.kind(), AtomKind::OutputParameter | AtomKind::LocalSignal) {
            f.ordered.insert(canon(&n));
        }
        if a.kind().is_parameter() {
            f.params.push((n, a.bits(), a.kind()));
        }
        labels_of(&a.descriptor(), &mut f.labels);
        if let [.., parent, _] = &mut self.stack[..] {
            labels_of(&a.descriptor(), &mut parent.labels);
        }
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let path = self
            .stack
            .iter()
            .map(|f| f.name.clone())
            .collect::<Vec<_>>()
            .join(".");
        let f = self.stack.pop().unwrap();
        if let Some(code) = &f.code {
            let mut w = Walk {
                f: &f,
                loops: vec![],
                written: HashSet::new(),
                path: &path,
                out: &mut self.out,
            };
            w.block(code);
        }
        if let Some(p) = self.stack.last_mut() {
            for (n, b, k) in f.params {
                let n = canon(&format!("{}${n}", f.name));
                if k == AtomKind::OutputParameter {
                    p.child_out.insert(n.clone());
                }
                p.width.insert(n, b);
            }
        }
    }
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
    f: &'a Frame,
    loops: Vec<String>,
    written: HashSet<String>,
    path: &'a str,
    out: &'a mut Vec<Finding>,
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

fn strip(e: &VerilogExpression) -> &VerilogExpression {
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
        self.push(hazard, text);
    }
    fn push(&mut self, hazard: Hazard, text: String) {
        self.out.push(Finding {
            hazard,
            module: self.path.into(),
            text,
        });
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
                for c in &m.cases {
                    let k = &c.condition;
                    let ok = k == "default"
                        || k.chars().all(|c| c.is_ascii_digit())
                        || self.f.labels.contains(k);
                    if !ok {
                        self.push(Hazard::MatchPattern, k.clone());
                    }
                    self.block(&c.block);
                }
            }
            VerilogStatement::Loop(l) => {
                self.loops.push(l.index.clone());
                self.block(&l.block);
                self.loops.pop();
            }
            VerilogStatement::Macro(b) => self.block(b),
            VerilogStatement::Comment(_) | VerilogStatement::Link(_) => {}
        }
    }
    fn value(&mut self, r: &VerilogExpression) {
        if self.scan(r).lost() {
            self.err(Hazard::LiteralWidth, r);
        }
    }
    fn target(&mut self, l: &VerilogExpression) {
        if let VerilogExpression::Signal(s) = l {
            let c = canon(s.trim_end_matches("$next"));
            if self.f.child_out.contains(&c) {
                self.err(Hazard::DrivesOutput, l);
            }
            self.written.insert(c);
        }
        self.scan(l);
    }
    fn signal(&mut self, s: &str, e: &VerilogExpression) -> Info {
        let s = s.trim_end_matches("$next");
        let c = canon(s);
        if self.f.ordered.contains(&c) && !self.written.contains(&c) {
            self.err(Hazard::ReadBeforeWrite, e);
        }
        if self.loops.iter().any(|l| l == s) {
            return Info::INT;
        }
        if self.f.labels.contains(s) {
            return Info::INT;
        }
        if let Some(i) = s.find('[') {
            if s.matches('[').count() > 1 {
                self.err(Hazard::ArrayIndex, e);
            }
            let idx = &s[i + 1..s.find(']').unwrap_or(s.len())];
            if idx.contains(['^', '<', '>', '(', '&', '|', '$']) && !plain(idx) {
                self.err(Hazard::ArrayIndex, e);
            }
            for w in idx.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                if w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && !self.loops.iter().any(|l| l == w)
                {
                    self.err(Hazard::ArrayIndex, e);
                }
            }
        }
        match self.f.width.get(&canon(s)) {
            Some(w) => Info {
                ctx: *w,
                min: *w,
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
        let constant = |e: &E| match strip(e) {
            E::Literal(_) => true,
            E::Signal(s) => self.loops.iter().any(|l| l == s),
            _ => false,
        };
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

fn plain(i: &str) -> bool {
    i.chars()
        .all(|c| c.is_ascii_alphanumeric() || " +-*/%()_".contains(c))
}

fn literal_bits(v: &VerilogLiteral) -> usize {
    v.to_string().split('\'').next().unwrap().parse().unwrap()
}

fn show(e: &VerilogExpression) -> String {
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
