//! Expressions with every width spelled out.
//!
//! The lint has established that each expression means the same at any width Verilog may choose. The printer infers
//! the width Rust gives to it, sizes literals accordingly, pads and cuts casts explicitly, and refuses what does not
//! add up: a second, independent check of the widths.

use crate::design::Module;
use crate::num::Num;
use rust_hdl_core::ast::{VerilogExpression as E, VerilogOp, VerilogOpUnary};
use std::collections::{BTreeMap, BTreeSet};
use weft_verilog::VARIABLE;

pub(crate) type Result<T> = std::result::Result<T, String>;

/// Prints the expressions of one module.
pub(super) struct Printer<'a> {
    pub module: &'a Module,
    /// Helper signals, one for each cut of an expression that is not a plain signal.
    pub helpers: Vec<Helper>,
    /// Assignments of helpers that must precede the statement being printed: name and value.
    pub before: Vec<(String, String)>,
    /// Signals that have a variable in the process.
    pub variables: BTreeSet<String>,
    /// The bits of each signal that have been printed.
    pub read: BTreeMap<String, Vec<bool>>,
}

/// A signal of `width` bits, of which the lowest `keeps` are read.
pub(super) struct Helper {
    pub name: String,
    pub width: usize,
    pub keeps: usize,
}

/// Plain Verilog name.
pub(crate) fn plain(name: &str) -> String {
    name.replace('$', "_")
}

/// Name of the variable in which the process computes a signal.
pub(crate) fn variable(name: &str) -> String {
    format!("{VARIABLE}{}", plain(name))
}

impl Printer<'_> {
    /// What holds the value of a signal: itself or its variable.
    pub fn name(&self, signal: &str) -> String {
        match self.variables.contains(signal) {
            true => variable(signal),
            false => plain(signal),
        }
    }

    /// `n` bits from `from` of a signal of `m` bits, which are read.
    fn part(&mut self, signal: &str, m: usize, from: usize, n: usize) -> String {
        let read = self.read.entry(signal.into()).or_default();
        read.resize(m, false);
        read[from..from + n].fill(true);
        part(&self.name(signal), m, from, n)
    }

    /// All of a signal of `m` bits, which are read.
    fn all(&mut self, signal: &str, m: usize) -> String {
        self.part(signal, m, 0, m)
    }

    /// Width that Rust gives to the expression; `None` for numbers that adapt.
    pub fn width(&self, e: &E) -> Result<Option<usize>> {
        Ok(match e {
            E::Signal(s) => match self.module.labels.get(s) {
                Some(l) => Some(l.width),
                None => Some(self.signal(s)?),
            },
            E::Literal(_) => None,
            E::Cast(_, n) => Some(*n),
            E::Slice(_, n, _) => Some(*n),
            E::Index(..) => Some(1),
            E::Paren(x) | E::IndexReplace(x, ..) => self.width(x)?,
            E::Signed(_) | E::Unsigned(_) => return Err("signed arithmetic; use Bits".into()),
            E::Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, x) => self.width(x)?,
            E::Unary(..) => Some(1),
            E::Binary(l, op, r) => match op {
                VerilogOp::Add
                | VerilogOp::Sub
                | VerilogOp::BitAnd
                | VerilogOp::BitOr
                | VerilogOp::BitXor => self.width(l)?.or(self.width(r)?),
                VerilogOp::Mul => match (self.width(l)?, self.width(r)?) {
                    (Some(a), Some(b)) => Some(a + b),
                    (a, b) => a.or(b),
                },
                VerilogOp::Shl | VerilogOp::Shr => self.width(l)?,
                _ => Some(1),
            },
        })
    }

    /// The expression as text of exactly `width` bits.
    pub fn expr(&mut self, e: &E, width: usize) -> Result<String> {
        match self.width(e)? {
            None => {
                let v = constant(e)?;
                let sized = v.sized(width);
                sized.ok_or_else(|| format!("number does not fit into {width} bits"))
            }
            Some(n) if n == width => self.typed(e, n),
            Some(n) => Err(format!("{n} bits where {width} are wanted")),
        }
    }

    fn signal(&self, name: &str) -> Result<usize> {
        let net = self
            .module
            .net(name)
            .ok_or_else(|| format!("unknown name `{name}`"))?;
        if net.1.signed {
            return Err(format!("`{name}` is signed; use Bits"));
        }
        Ok(net.1.width)
    }

    fn typed(&mut self, e: &E, n: usize) -> Result<String> {
        Ok(match e {
            E::Signal(s) => self.all(s, n),
            E::Paren(x) => self.typed(x, n)?,
            E::Cast(x, _) => self.cast(x, n)?,
            E::Index(x, i) => self.bit(x, i)?,
            E::Slice(x, _, i) => self.slice(x, n, i)?,
            E::IndexReplace(x, i, v) => {
                let (x, v) = (self.expr(x, n)?, self.expr(v, 1)?);
                if n == 1 {
                    return Ok(v);
                }
                let i = self.offset(i, n)?;
                let one = Num::from(1).sized(n).unwrap_or_default();
                format!("(({x} & ~({one} << {i})) | ({} << {i}))", pad(&v, 1, n))
            }
            E::Unary(op, x) => match op {
                VerilogOpUnary::Not => format!("~{}", self.expr(x, n)?),
                VerilogOpUnary::Neg => format!("-{}", self.expr(x, n)?),
                VerilogOpUnary::All => format!("(&{})", self.whole(x)?),
                VerilogOpUnary::Any => format!("(|{})", self.whole(x)?),
                VerilogOpUnary::Xor => format!("(^{})", self.whole(x)?),
            },
            E::Binary(l, op, r) => self.binary(l, op, r, n)?,
            E::Literal(_) | E::Signed(_) | E::Unsigned(_) => unreachable!("has no width"),
        })
    }

    /// At its own width; a bare number takes what it needs.
    fn whole(&mut self, e: &E) -> Result<String> {
        match self.width(e)? {
            Some(n) => self.expr(e, n),
            None => self.expr(e, constant(e)?.bits().max(1)),
        }
    }

    fn binary(&mut self, l: &E, op: &VerilogOp, r: &E, n: usize) -> Result<String> {
        use VerilogOp::*;
        let sign = sign(op);
        Ok(match op {
            Add | Sub | BitAnd | BitOr | BitXor => {
                format!("({} {sign} {})", self.expr(l, n)?, self.expr(r, n)?)
            }
            Mul => format!("({} * {})", self.padded(l, n)?, self.padded(r, n)?),
            Shl | Shr => format!("({} {sign} {})", self.expr(l, n)?, self.whole(r)?),
            LogicalAnd | LogicalOr => {
                format!("({} {sign} {})", self.expr(l, 1)?, self.expr(r, 1)?)
            }
            Eq | Ne | Lt | Le | Gt | Ge => {
                // Widths differ only between indices, which are compared as numbers.
                match self.width(l)?.max(self.width(r)?) {
                    Some(n) => format!("({} {sign} {})", self.padded(l, n)?, self.padded(r, n)?),
                    None => return Err("comparison of two numbers".into()),
                }
            }
        })
    }

    /// Zero-extended to `n` bits.
    fn padded(&mut self, e: &E, n: usize) -> Result<String> {
        match self.width(e)? {
            Some(m) if m < n => Ok(pad(&self.expr(e, m)?, m, n)),
            _ => self.expr(e, n),
        }
    }

    fn cast(&mut self, x: &E, n: usize) -> Result<String> {
        match self.width(x)? {
            Some(m) if m > n => self.cut(x, m, n),
            _ => self.padded(x, n),
        }
    }

    /// The lower `n` of `m` bits.
    fn cut(&mut self, x: &E, m: usize, n: usize) -> Result<String> {
        match x {
            E::Paren(x) => self.cut(x, m, n),
            E::Signal(s) => Ok(self.part(s, m, 0, n)),
            E::Slice(x, _, i) => self.slice(x, n, i),
            _ => {
                let value = self.expr(x, m)?;
                let name = format!("cut_{}", self.helpers.len());
                self.helpers.push(Helper {
                    name: name.clone(),
                    width: m,
                    keeps: n,
                });
                self.before.push((name.clone(), value));
                Ok(part(&name, m, 0, n))
            }
        }
    }

    fn base<'e>(&self, x: &'e E) -> Result<(&'e str, usize)> {
        match x {
            E::Signal(s) => Ok((s, self.signal(s)?)),
            _ => Err("bit select of an expression".into()),
        }
    }

    fn bit(&mut self, x: &E, i: &E) -> Result<String> {
        self.slice(x, 1, i)
    }

    fn slice(&mut self, x: &E, n: usize, i: &E) -> Result<String> {
        let (signal, m) = self.base(x)?;
        if self.width(i)?.is_none() {
            let from = constant(i)?.small().unwrap_or(u64::MAX) as usize;
            if from.saturating_add(n) > m {
                return Err(format!(
                    "bits {from}..{from}+{n} of the {m}-bit `{}`",
                    plain(signal)
                ));
            }
            return Ok(self.part(signal, m, from, n));
        }
        if n > m {
            return Err(format!("{n} bits of the {m}-bit `{}`", plain(signal)));
        }
        let i = self.offset(i, m)?;
        let name = self.all(signal, m);
        Ok(match (m, n) {
            (1, _) => name,
            (_, 1) => format!("{name}[{i}]"),
            _ => format!("{name}[{i} +: {n}]"),
        })
    }

    /// An index into `m` bits: at least as wide as needed to reach the last one.
    fn offset(&mut self, e: &E, m: usize) -> Result<String> {
        let need = bits_for(m);
        let n = match self.width(e)? {
            Some(own) if matches!(strip(e), E::Signal(_) | E::Slice(..) | E::Index(..)) => {
                own.max(need)
            }
            _ => need,
        };
        self.number(e, n)
    }

    /// `usize` arithmetic at `n` bits.
    fn number(&mut self, e: &E, n: usize) -> Result<String> {
        match strip(e) {
            E::Binary(l, op @ (VerilogOp::Add | VerilogOp::Sub | VerilogOp::Mul), r) => {
                let (l, r) = (self.number(l, n)?, self.number(r, n)?);
                Ok(format!("({l} {} {r})", sign(op)))
            }
            x => match self.width(x)? {
                Some(m) if m > n => self.cut(x, m, n),
                _ => self.padded(x, n),
            },
        }
    }
}

/// Bits of an index into `m` elements.
fn bits_for(m: usize) -> usize {
    (usize::BITS - m.saturating_sub(1).leading_zeros()).max(1) as usize
}

/// `n` bits from `from` of the `m`-bit signal `name`.
pub(super) fn part(name: &str, m: usize, from: usize, n: usize) -> String {
    match n {
        _ if n == m => name.into(),
        1 => format!("{name}[{from}]"),
        _ => format!("{name}[{}:{from}]", from + n - 1),
    }
}

fn pad(text: &str, m: usize, n: usize) -> String {
    if m == n {
        return text.into();
    }
    let zeros = Num::default().sized(n - m).unwrap_or_default();
    // The outer parentheses of an operand are not needed inside a concatenation.
    let inner = match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(t) if balanced(t) => t,
        _ => text,
    };
    format!("{{{zeros}, {inner}}}")
}

pub(super) fn balanced(t: &str) -> bool {
    let mut depth = 0i32;
    t.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    }) && depth == 0
}

fn strip(e: &E) -> &E {
    match e {
        E::Paren(x) => strip(x),
        _ => e,
    }
}

fn constant(e: &E) -> Result<Num> {
    match strip(e) {
        E::Literal(v) => Ok(Num::of(v)),
        E::Binary(l, op, r) => {
            let small = |n: Num| n.small().ok_or("number too large");
            let (l, r) = (small(constant(l)?)?, small(constant(r)?)?);
            let v = match op {
                VerilogOp::Add => l.checked_add(r),
                VerilogOp::Sub => l.checked_sub(r),
                VerilogOp::Mul => l.checked_mul(r),
                VerilogOp::Shl => u32::try_from(r).ok().and_then(|r| l.checked_shl(r)),
                VerilogOp::Shr => u32::try_from(r).ok().and_then(|r| l.checked_shr(r)),
                VerilogOp::BitAnd => Some(l & r),
                VerilogOp::BitOr => Some(l | r),
                VerilogOp::BitXor => Some(l ^ r),
                _ => None,
            };
            v.map(Num::from).ok_or_else(|| "constant expression".into())
        }
        _ => Err("constant expression".into()),
    }
}

fn sign(op: &VerilogOp) -> &'static str {
    match op {
        VerilogOp::Add => "+",
        VerilogOp::Sub => "-",
        VerilogOp::Mul => "*",
        VerilogOp::LogicalAnd => "&&",
        VerilogOp::LogicalOr => "||",
        VerilogOp::BitXor => "^",
        VerilogOp::BitAnd => "&",
        VerilogOp::BitOr => "|",
        VerilogOp::Shl => "<<",
        VerilogOp::Shr => ">>",
        VerilogOp::Eq => "==",
        VerilogOp::Lt => "<",
        VerilogOp::Le => "<=",
        VerilogOp::Ne => "!=",
        VerilogOp::Ge => ">=",
        VerilogOp::Gt => ">",
    }
}
