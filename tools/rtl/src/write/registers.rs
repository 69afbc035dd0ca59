//! Registers of a module: `reg` signals, written by one process at the rising edge of the clock.
//!
//! A register's `d` that only the kernel's process assigns, and nobody reads, is not printed: its assignments stand in the
//! clocked process, under the conditions of the kernel, so that what changes it is seen as its enable. There the
//! kernel's variables have their last values, so a `d` that is assigned by one that changes afterwards stays a signal
//! of the process, and the clocked process copies it.

use super::{each, expr_reads};
use crate::design::{Body, Module};
use rust_hdl_core::ast::*;
use std::collections::{BTreeMap, BTreeSet};

/// Names as the library spells them.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub q: String,
    pub d: String,
    pub clock: String,
    /// Value at power-up, in Verilog.
    pub begins: String,
    pub width: usize,
}

/// The flip-flops among the sub-blocks.
pub(super) fn of_module(m: &Module) -> Vec<Register> {
    let register = |child: &Module| {
        let Body::Custom(code) = &child.body else {
            return None;
        };
        if !child.is_flip_flop() {
            return None;
        }
        let width = child.ports().find(|n| n.name == "q")?.width;
        let value = code.lines().find_map(|l| l.trim().strip_prefix("q ="))?;
        let port = |port: &str| format!("{}${port}", child.name);
        Some(Register {
            q: port("q"),
            d: port("d"),
            clock: port("clock"),
            begins: super::custom::sized(value.trim().trim_end_matches(';'), width),
            width,
        })
    };
    m.children.iter().filter_map(register).collect()
}

/// Those `d` of registers whose assignments can stand in the clocked process; `rest` is what the process of the kernel
/// has to do, `used` what the kernel reads anywhere.
pub(super) fn movable(
    registers: &[Register],
    rest: &[VerilogStatement],
    used: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut last = BTreeMap::new();
    let mut place = 0;
    each(rest, &mut |s| {
        place += 1;
        if let Some(target) = target(s) {
            last.insert(target.to_string(), place);
        }
    });
    let mut all: BTreeSet<String> = registers.iter().map(|r| r.d.clone()).collect();
    all.retain(|d| last.contains_key(d) && !used.contains(d));
    let mut place = 0;
    unsettled(rest, &last, &mut place, false, &mut all);
    all
}

/// Takes those out of `all` that a statement of `block` assigns by what is assigned behind it; `outer`: so is a
/// condition around the block.
fn unsettled(
    block: &[VerilogStatement],
    last: &BTreeMap<String, usize>,
    place: &mut usize,
    outer: bool,
    all: &mut BTreeSet<String>,
) {
    for statement in block {
        *place += 1;
        let here = *place;
        let changes = |expressions: &[&VerilogExpression]| {
            let mut reads = BTreeSet::new();
            expressions.iter().for_each(|e| expr_reads(e, &mut reads));
            outer
                || reads
                    .iter()
                    .any(|r| last.get(r).is_some_and(|at| *at > here))
        };
        match statement {
            VerilogStatement::Assignment(_, value)
            | VerilogStatement::SliceAssignment {
                replacement: value, ..
            } => {
                let unsettled = target(statement).filter(|_| changes(&[value]));
                unsettled.map(|t| all.remove(t));
            }
            VerilogStatement::If(c) => {
                let outer = changes(&[&c.test]);
                unsettled(&c.then, last, place, outer, all);
                match &c.otherwise {
                    VerilogBlockOrConditional::Block(b) => unsettled(b, last, place, outer, all),
                    VerilogBlockOrConditional::Conditional(s) => {
                        unsettled(std::slice::from_ref(s), last, place, outer, all)
                    }
                    VerilogBlockOrConditional::None => {}
                }
            }
            VerilogStatement::Match(m) => {
                let outer = changes(&[&m.test]);
                for case in &m.cases {
                    unsettled(&case.block, last, place, outer, all);
                }
            }
            _ => {}
        }
    }
}

/// What a statement assigns.
fn target(s: &VerilogStatement) -> Option<&str> {
    match s {
        VerilogStatement::Assignment(VerilogExpression::Signal(t), _)
        | VerilogStatement::SliceAssignment {
            base: VerilogExpression::Signal(t),
            ..
        } => Some(t),
        _ => None,
    }
}

/// The module's kernel without what holds a register as it is: `x.d` is `x.q` before anything else is said of it.
pub(super) fn without_holds(
    rest: Vec<VerilogStatement>,
    moved: &BTreeMap<String, String>,
) -> Vec<VerilogStatement> {
    let mut said = BTreeSet::new();
    let mut keep = |s: &VerilogStatement| {
        let holds = match s {
            VerilogStatement::Assignment(
                VerilogExpression::Signal(t),
                VerilogExpression::Signal(v),
            ) => moved.get(t) == Some(v) && !said.contains(t),
            _ => false,
        };
        each(std::slice::from_ref(s), &mut |inner| {
            said.extend(target(inner).map(str::to_string));
        });
        !holds
    };
    rest.into_iter().filter(|s| keep(s)).collect()
}
