//! Elaboration of a kernel: loops unrolled, array indices computed, macros flattened, links collected.

use crate::hazard::Hazard;
use rust_hdl_core::ast::*;
use std::collections::BTreeSet;

/// A kernel without loops. Statements are `Assignment`, `SliceAssignment`, `If`, `Match` only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kernel {
    pub code: Vec<VerilogStatement>,
    /// Interface connections, `(driven, driver)`.
    pub links: Vec<(String, String)>,
    /// Names of loop variables.
    pub loops: BTreeSet<String>,
    /// What could not be elaborated.
    pub faults: Vec<(Hazard, String)>,
}

pub(crate) fn elaborate(code: &[VerilogStatement]) -> Kernel {
    let mut e = Elab::default();
    let code = e.block(code);
    Kernel { code, ..e.out }
}

#[derive(Default)]
struct Elab {
    loops: Vec<(String, i64)>,
    /// Nesting of conditional statements.
    depth: usize,
    out: Kernel,
}

impl Elab {
    fn fault(&mut self, hazard: Hazard, text: impl Into<String>) {
        self.out.faults.push((hazard, text.into()));
    }

    fn block(&mut self, b: &[VerilogStatement]) -> Vec<VerilogStatement> {
        let mut out = vec![];
        for s in b {
            self.stmt(s, &mut out);
        }
        out
    }

    fn inner(&mut self, b: &[VerilogStatement]) -> Vec<VerilogStatement> {
        self.depth += 1;
        let out = self.block(b);
        self.depth -= 1;
        out
    }

    fn stmt(&mut self, s: &VerilogStatement, out: &mut Vec<VerilogStatement>) {
        use VerilogStatement as S;
        match s {
            S::Assignment(l, r) => out.push(S::Assignment(self.expr(l), self.expr(r))),
            S::SliceAssignment {
                base,
                width,
                offset,
                replacement,
            } => out.push(S::SliceAssignment {
                base: self.expr(base),
                width: *width,
                offset: self.expr(offset),
                replacement: self.expr(replacement),
            }),
            S::If(c) => {
                let s = self.conditional(c);
                out.push(s);
            }
            S::Match(m) => {
                let test = self.expr(&m.test);
                let cases = m.cases.iter().map(|c| VerilogCase {
                    condition: match self.loop_value(&c.condition) {
                        Some(v) => v.to_string(),
                        None => c.condition.clone(),
                    },
                    block: self.inner(&c.block),
                });
                let cases = cases.collect();
                out.push(S::Match(VerilogMatch { test, cases }));
            }
            S::Loop(l) => {
                self.out.loops.insert(l.index.clone());
                for i in l.from.as_usize()..l.to.as_usize() {
                    self.loops.push((l.index.clone(), i as i64));
                    for s in &l.block {
                        self.stmt(s, out);
                    }
                    self.loops.pop();
                }
            }
            S::Macro(b) => b.iter().for_each(|s| self.stmt(s, out)),
            S::Comment(_) => {}
            S::Link(links) => links.iter().for_each(|l| self.link(l)),
        }
    }

    fn conditional(&mut self, c: &VerilogConditional) -> VerilogStatement {
        VerilogStatement::If(VerilogConditional {
            test: self.expr(&c.test),
            then: self.inner(&c.then),
            otherwise: match &c.otherwise {
                VerilogBlockOrConditional::None => VerilogBlockOrConditional::None,
                VerilogBlockOrConditional::Block(b) => {
                    VerilogBlockOrConditional::Block(self.inner(b))
                }
                VerilogBlockOrConditional::Conditional(s) => {
                    let mut v = self.inner(std::slice::from_ref(s));
                    VerilogBlockOrConditional::Conditional(Box::new(v.remove(0)))
                }
            },
        })
    }

    fn link(&mut self, link: &VerilogLink) {
        let (d, forward) = match link {
            VerilogLink::Forward(d) => (d, true),
            VerilogLink::Backward(d) => (d, false),
            VerilogLink::Bidirectional(d) => {
                return self.fault(Hazard::UnknownName, format!("inout {}", d.owner_name));
            }
        };
        let mut side = |owner: &str| {
            let owner = self.name(owner);
            let field = d.my_name.trim_start_matches('.').replace('.', "$");
            if field.is_empty() {
                owner
            } else {
                format!("{owner}${field}")
            }
        };
        let (owner, other) = (side(&d.owner_name), side(&d.other_name));
        let (driven, driver) = if forward {
            (other, owner)
        } else {
            (owner, other)
        };
        if self.depth > 0 {
            self.fault(Hazard::ConditionalLink, driven.clone());
        }
        self.out.links.push((driven, driver));
    }

    fn loop_value(&self, name: &str) -> Option<i64> {
        self.loops
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, v)| *v)
    }

    fn expr(&mut self, e: &VerilogExpression) -> VerilogExpression {
        use VerilogExpression as E;
        let b = |x: VerilogExpression| Box::new(x);
        match e {
            E::Signal(s) => match self.loop_value(s) {
                Some(v) => E::Literal((v as u32).into()),
                None => E::Signal(self.name(s)),
            },
            E::Literal(v) => E::Literal(v.clone()),
            E::Cast(x, n) => E::Cast(b(self.expr(x)), *n),
            E::Signed(x) => E::Signed(b(self.expr(x))),
            E::Unsigned(x) => E::Unsigned(b(self.expr(x))),
            E::Paren(x) => E::Paren(b(self.expr(x))),
            E::Binary(l, op, r) => E::Binary(b(self.expr(l)), op.clone(), b(self.expr(r))),
            E::Unary(op, x) => E::Unary(op.clone(), b(self.expr(x))),
            E::Index(x, i) => E::Index(b(self.expr(x)), b(self.expr(i))),
            E::Slice(x, w, i) => E::Slice(b(self.expr(x)), *w, b(self.expr(i))),
            E::IndexReplace(x, i, v) => {
                E::IndexReplace(b(self.expr(x)), b(self.expr(i)), b(self.expr(v)))
            }
        }
    }

    /// `self.a[i + 1].x.next` arrives as `a[i+1]$x$next` and becomes `a$4$x`.
    fn name(&mut self, s: &str) -> String {
        let s = s.trim_start_matches('.').trim_end_matches("$next");
        let s = s.replace("::", "$").replace('.', "$");
        let Some((head, rest)) = s.split_once('[') else {
            return s;
        };
        let Some((index, tail)) = rest.split_once(']') else {
            self.fault(Hazard::ArrayIndex, s.clone());
            return s;
        };
        if tail.contains('[') {
            self.fault(Hazard::ArrayIndex, s.clone());
            return s;
        }
        match index_value(index, &|n| self.loop_value(n)) {
            Some(v) => format!("{head}${v}{tail}"),
            None => {
                self.fault(Hazard::ArrayIndex, s.clone());
                s
            }
        }
    }
}

/// Loop-variable arithmetic with `+ - * / %` and parentheses.
fn index_value(text: &str, var: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut p = Index { rest: &text, var };
    let v = p.sum()?;
    p.rest.is_empty().then_some(v)
}

struct Index<'a> {
    rest: &'a str,
    var: &'a dyn Fn(&str) -> Option<i64>,
}

impl Index<'_> {
    fn take(&mut self, c: char) -> bool {
        let hit = self.rest.strip_prefix(c);
        self.rest = hit.unwrap_or(self.rest);
        hit.is_some()
    }
    fn sum(&mut self) -> Option<i64> {
        let mut v = self.product()?;
        loop {
            if self.take('+') {
                v = v.checked_add(self.product()?)?;
            } else if self.take('-') {
                v = v.checked_sub(self.product()?)?;
            } else {
                return Some(v);
            }
        }
    }
    fn product(&mut self) -> Option<i64> {
        let mut v = self.atom()?;
        loop {
            if self.take('*') {
                v = v.checked_mul(self.atom()?)?;
            } else if self.take('/') {
                v = v.checked_div(self.atom()?)?;
            } else if self.take('%') {
                v = v.checked_rem(self.atom()?)?;
            } else {
                return Some(v);
            }
        }
    }
    fn atom(&mut self) -> Option<i64> {
        if self.take('(') {
            let v = self.sum()?;
            return self.take(')').then_some(v);
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let number = word.trim_end_matches("usize").trim_end_matches('_');
        number.parse().ok().or_else(|| (self.var)(word))
    }
}

#[cfg(test)]
mod tests {
    use super::index_value;

    #[test]
    fn index_arithmetic() {
        let v = |s| index_value(s, &|n| (n == "i").then_some(5));
        assert_eq!(v("i"), Some(5));
        assert_eq!(v("2*i+1"), Some(11));
        assert_eq!(v("(i-1)/2%3"), Some(2));
        assert_eq!(v("i-7"), Some(-2));
        assert_eq!(v("3usize"), Some(3));
        for bad in ["i^1", "j", "", "i+", "a$val()", "i<<1", "(i", "i/0"] {
            assert_eq!(v(bad), None, "{bad}");
        }
    }
}
