//! Takes outputs of the top away: those that only show what a design does.

use crate::design::{Body, Module};
use crate::write::reads;
use rust_hdl_core::ast::*;
use rust_hdl_core::prelude::AtomKind;
use std::collections::BTreeSet;

/// Takes the outputs that are `hidden` away, and local signals that nothing reads any more, with all that drives them.
pub(crate) fn hide(m: &mut Module, hidden: impl Fn(&str) -> bool) {
    let Body::Kernel(kernel) = &mut m.body else {
        return;
    };
    let outputs = m
        .nets
        .iter()
        .filter(|n| n.kind == AtomKind::OutputParameter);
    let outputs = outputs.filter(|n| hidden(&n.name));
    let mut gone: BTreeSet<String> = outputs.map(|n| n.name.clone()).collect();
    while !gone.is_empty() {
        let before = reads(kernel);
        kernel.code = without(std::mem::take(&mut kernel.code), &gone);
        kernel.links.retain(|(driven, _)| !gone.contains(driven));
        m.nets.retain(|n| !gone.contains(&n.name));
        let after = reads(kernel);
        let locals = m.nets.iter().filter(|n| n.kind == AtomKind::LocalSignal);
        let unread = locals.filter(|n| before.contains(&n.name) && !after.contains(&n.name));
        gone = unread.map(|n| n.name.clone()).collect();
    }
    m.build_index();
}

/// Without assignments to these, and without an `if` or `match` in which nothing is left.
fn without(block: Vec<VerilogStatement>, gone: &BTreeSet<String>) -> Vec<VerilogStatement> {
    let statements = block.into_iter();
    statements.filter_map(|s| statement(s, gone)).collect()
}

fn statement(s: VerilogStatement, gone: &BTreeSet<String>) -> Option<VerilogStatement> {
    use VerilogBlockOrConditional as Otherwise;
    use VerilogStatement as S;
    match s {
        S::Assignment(VerilogExpression::Signal(ref t), _)
        | S::SliceAssignment {
            base: VerilogExpression::Signal(ref t),
            ..
        } if gone.contains(t) => None,
        S::If(c) => {
            let then = without(c.then, gone);
            let otherwise = match c.otherwise {
                Otherwise::None => Otherwise::None,
                Otherwise::Block(b) => match without(b, gone) {
                    b if b.is_empty() => Otherwise::None,
                    b => Otherwise::Block(b),
                },
                Otherwise::Conditional(s) => match statement(*s, gone) {
                    Some(s) => Otherwise::Conditional(Box::new(s)),
                    None => Otherwise::None,
                },
            };
            let empty = then.is_empty() && matches!(otherwise, Otherwise::None);
            let test = c.test;
            (!empty).then_some(S::If(VerilogConditional {
                test,
                then,
                otherwise,
            }))
        }
        S::Match(m) => {
            let case = |c: VerilogCase| VerilogCase {
                condition: c.condition,
                block: without(c.block, gone),
            };
            let cases: Vec<_> = m.cases.into_iter().map(case).collect();
            let left = cases.iter().any(|c| !c.block.is_empty());
            left.then_some(S::Match(VerilogMatch {
                test: m.test,
                cases,
            }))
        }
        other => Some(other),
    }
}
