//! Static check of every kernel in a hierarchy.
//!
//! The Verilog writer of rust-hdl prints a kernel's syntax tree as text, without widths and without parentheses of
//! its own; the simulator runs the same kernel as Rust. [`lint`] walks that tree and reports every place where the
//! two can mean different things, and every signal that would become a latch.

mod expressions;
mod paths;

pub(crate) use expressions::pattern;

use crate::design::{Body, Module};
use crate::hazard::{Finding, Hazard};
use rust_hdl_core::prelude::{AtomKind, Block};
use std::collections::HashSet;

/// Check all kernels of `block` and its sub-blocks; an empty result means nothing was found.
///
/// Call `connect_all` on the block first. Of findings that differ in array indices only (unrolled loops, arrays of
/// sub-blocks), one is reported.
pub fn lint<B: Block>(block: &B) -> Vec<Finding> {
    lint_design(&Module::of(block))
}

pub(crate) fn lint_design(top: &Module) -> Vec<Finding> {
    let mut out = vec![];
    top.walk(&mut |m| module(m, &mut out));
    out.sort();
    let mut seen = HashSet::new();
    out.retain(|f| seen.insert((f.hazard, any_index(&f.module), any_index(&f.text))));
    out
}

fn module(m: &Module, out: &mut Vec<Finding>) {
    let mut push = |hazard, text: String| {
        out.push(Finding {
            hazard,
            module: m.path.clone(),
            text,
        });
    };
    match &m.body {
        Body::Kernel(kernel) => {
            for (hazard, text) in &kernel.faults {
                push(*hazard, text.clone());
            }
            for l in &kernel.loops {
                if m.nets.iter().any(|n| n.name == *l) {
                    push(Hazard::LoopName, l.clone());
                }
            }
            expressions::check(m, kernel, &mut push);
            paths::check(m, kernel, &mut push);
        }
        Body::Empty => {
            for n in m
                .nets
                .iter()
                .filter(|n| n.kind == AtomKind::OutputParameter)
            {
                push(Hazard::NoHardware, n.name.clone());
            }
        }
        Body::Custom(_) | Body::Foreign => {}
    }
}

/// `a$3$b` becomes `a$#$b`.
fn any_index(s: &str) -> String {
    let mut out = String::new();
    let mut digits = false;
    for c in s.chars() {
        if digits && c.is_ascii_digit() {
            continue;
        }
        digits = c == '$';
        out.push(c);
        if digits {
            out.push('#');
        }
    }
    out
}
