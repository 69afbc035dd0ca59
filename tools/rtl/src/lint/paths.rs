//! Definite assignment: what is assigned on every path, and in which order.
//!
//! A kernel becomes one combinational process. A signal that some path leaves unassigned keeps its old value there: a
//! latch. A signal that is read before it is assigned is read stale. Assignment is tracked bit by bit, so a struct
//! that is filled field by field counts as assigned.

use super::expressions::{pattern, strip};
use crate::design::{Module, Place};
use crate::elab::Kernel;
use crate::hazard::Hazard;
use crate::num::Num;
use rust_hdl_core::ast::*;
use rust_hdl_core::prelude::AtomKind;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(module: &Module, kernel: &Kernel, push: &mut dyn FnMut(Hazard, String)) {
    let mut w = Walk {
        module,
        push,
        linked: kernel
            .links
            .iter()
            .map(|(driven, _)| driven.as_str())
            .collect(),
        targets: BTreeSet::new(),
    };
    let mut set = Assigned::default();
    w.block(&kernel.code, &mut set);
    for t in w.targets {
        if w.linked.contains(t.as_str()) {
            (w.push)(Hazard::TwoDrivers, t);
        } else if module
            .net(&t)
            .is_some_and(|(_, n)| !set.covers(&t, 0, n.width))
        {
            (w.push)(Hazard::Latch, t);
        }
    }
    for (driven, driver) in &kernel.links {
        for name in [driven, driver] {
            if module.net(name).is_none() {
                (w.push)(Hazard::UnknownName, name.clone());
            }
        }
    }
}

/// Bits that have been assigned on every path so far.
#[derive(Clone, Default)]
struct Assigned(BTreeMap<String, BTreeSet<usize>>);

impl Assigned {
    fn add(&mut self, name: &str, from: usize, width: usize) {
        self.0
            .entry(name.into())
            .or_default()
            .extend(from..from + width);
    }
    fn covers(&self, name: &str, from: usize, width: usize) -> bool {
        match self.0.get(name) {
            Some(bits) => bits.range(from..from + width).count() == width,
            None => width == 0,
        }
    }
    /// What two alternative paths both assign.
    fn meet(&mut self, other: &Assigned) {
        self.0.retain(|name, bits| match other.0.get(name) {
            Some(o) => {
                bits.retain(|b| o.contains(b));
                true
            }
            None => false,
        });
    }
}

struct Walk<'a> {
    module: &'a Module,
    push: &'a mut dyn FnMut(Hazard, String),
    linked: BTreeSet<&'a str>,
    targets: BTreeSet<String>,
}

impl Walk<'_> {
    fn block(&mut self, b: &[VerilogStatement], set: &mut Assigned) {
        for s in b {
            self.stmt(s, set);
        }
    }

    fn stmt(&mut self, s: &VerilogStatement, set: &mut Assigned) {
        use VerilogStatement as S;
        match s {
            S::Assignment(l, r) => {
                self.reads(r, set);
                if let VerilogExpression::Signal(t) = l {
                    self.targets.insert(t.clone());
                    let width = self.module.net(t).map_or(0, |(_, n)| n.width);
                    set.add(t, 0, width);
                }
            }
            S::SliceAssignment {
                base,
                width,
                offset,
                replacement,
            } => {
                self.reads(replacement, set);
                self.reads(offset, set);
                if let VerilogExpression::Signal(t) = base {
                    self.targets.insert(t.clone());
                    if let Some(from) = literal(offset) {
                        set.add(t, from, *width);
                    }
                }
            }
            S::If(c) => {
                self.reads(&c.test, set);
                let mut other = set.clone();
                self.block(&c.then, set);
                match &c.otherwise {
                    VerilogBlockOrConditional::Block(b) => self.block(b, &mut other),
                    VerilogBlockOrConditional::Conditional(s) => self.stmt(s, &mut other),
                    VerilogBlockOrConditional::None => {}
                }
                set.meet(&other);
            }
            S::Match(m) => {
                self.reads(&m.test, set);
                let mut paths = vec![];
                if !self.complete(m) {
                    paths.push(set.clone());
                }
                for c in &m.cases {
                    let mut path = set.clone();
                    self.block(&c.block, &mut path);
                    paths.push(path);
                }
                let mut paths = paths.into_iter();
                if let Some(first) = paths.next() {
                    *set = first;
                    paths.for_each(|p| set.meet(&p));
                }
            }
            S::Loop(_) | S::Macro(_) | S::Comment(_) | S::Link(_) => {}
        }
    }

    /// Whether every code of the tested value has an arm.
    fn complete(&self, m: &VerilogMatch) -> bool {
        if m.cases.iter().any(|c| c.condition == "default") {
            return true;
        }
        let codes: BTreeSet<u64> = m
            .cases
            .iter()
            .filter_map(|c| Some(pattern(self.module, &c.condition)?.1))
            .collect();
        let width = match strip(&m.test) {
            VerilogExpression::Signal(s) => self.module.net(s).map(|(_, n)| n.width),
            VerilogExpression::Slice(_, w, _) => Some(*w),
            _ => None,
        };
        width.is_some_and(|w| w < 32 && codes.len() as u64 == 1 << w)
    }

    fn reads(&mut self, e: &VerilogExpression, set: &Assigned) {
        use VerilogExpression as E;
        match e {
            E::Signal(s) => self.read(s, None, set),
            E::Literal(_) => {}
            E::Cast(x, _) | E::Signed(x) | E::Unsigned(x) | E::Paren(x) | E::Unary(_, x) => {
                self.reads(x, set);
            }
            E::Binary(l, _, r) => {
                self.reads(l, set);
                self.reads(r, set);
            }
            E::Index(x, i) => self.select(x, i, 1, set),
            E::Slice(x, w, i) => self.select(x, i, *w, set),
            E::IndexReplace(x, i, v) => {
                self.reads(x, set);
                self.reads(i, set);
                self.reads(v, set);
            }
        }
    }

    fn select(&mut self, x: &VerilogExpression, i: &VerilogExpression, w: usize, set: &Assigned) {
        self.reads(i, set);
        match (x, literal(i)) {
            (VerilogExpression::Signal(s), Some(from)) => self.read(s, Some((from, w)), set),
            _ => self.reads(x, set),
        }
    }

    fn read(&mut self, name: &str, part: Option<(usize, usize)>, set: &Assigned) {
        if self.linked.contains(name) {
            return;
        }
        let Some((place, net)) = self.module.net(name) else {
            return;
        };
        let (from, width) = part.unwrap_or((0, net.width));
        match (place, net.kind) {
            (Place::Own, AtomKind::OutputParameter | AtomKind::LocalSignal)
                if !set.covers(name, from, width) =>
            {
                (self.push)(Hazard::ReadBeforeWrite, name.into());
            }
            (Place::Child, AtomKind::InputParameter) => {
                (self.push)(Hazard::ReadsBack, name.into());
            }
            _ => {}
        }
    }
}

/// The value of a literal offset.
fn literal(e: &VerilogExpression) -> Option<usize> {
    match strip(e) {
        VerilogExpression::Literal(v) => Num::of(v).small().map(|v| v as usize),
        _ => None,
    }
}
