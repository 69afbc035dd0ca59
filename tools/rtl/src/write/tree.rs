//! Statements of a process, their expressions already text.

use super::{bare, indent};
use std::fmt::Write as _;

/// One statement.
pub(super) enum Stmt {
    /// Target, `=` or `<=`, value.
    Assign(String, &'static str, String),
    If {
        test: String,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// What is compared, and the statements behind each label.
    Case {
        of: String,
        arms: Vec<(String, Vec<Stmt>)>,
    },
}

/// What one statement of a kernel becomes: in the process of logic, and in that of the registers.
#[derive(Default)]
pub(super) struct Both {
    pub logic: Vec<Stmt>,
    pub clocked: Vec<Stmt>,
}

impl Stmt {
    /// Whether it does nothing.
    fn is_empty(&self) -> bool {
        match self {
            Stmt::Assign(..) => false,
            Stmt::If {
                then, otherwise, ..
            } => is_empty(then) && is_empty(otherwise),
            Stmt::Case { arms, .. } => arms.iter().all(|(_, body)| is_empty(body)),
        }
    }
}

pub(super) fn is_empty(block: &[Stmt]) -> bool {
    block.iter().all(Stmt::is_empty)
}

/// Prints statements; those that do nothing are left out.
pub(super) fn print(out: &mut String, block: &[Stmt], depth: usize) {
    for statement in block.iter().filter(|s| !s.is_empty()) {
        indent(out, depth);
        one(out, statement, depth);
    }
}

/// The line is already indented.
fn one(out: &mut String, statement: &Stmt, depth: usize) {
    let mut line = |text: String| writeln!(out, "{text}").expect("write to string");
    match statement {
        Stmt::Assign(target, sign, value) => line(format!("{target} {sign} {};", bare(value))),
        Stmt::If {
            test,
            then,
            otherwise,
        } => {
            line(format!("if ({}) begin", bare(test)));
            print(out, then, depth + 1);
            indent(out, depth);
            let mut rest = otherwise.iter().filter(|s| !s.is_empty());
            match (rest.next(), rest.next()) {
                (None, _) => out.push_str("end\n"),
                (Some(next @ Stmt::If { .. }), None) => {
                    out.push_str("end else ");
                    one(out, next, depth);
                }
                _ => {
                    out.push_str("end else begin\n");
                    print(out, otherwise, depth + 1);
                    indent(out, depth);
                    out.push_str("end\n");
                }
            }
        }
        Stmt::Case { of, arms } => {
            line(format!("case ({})", bare(of)));
            for (label, body) in arms {
                indent(out, depth + 1);
                if is_empty(body) {
                    writeln!(out, "{label}: begin end").expect("write to string");
                    continue;
                }
                writeln!(out, "{label}: begin").expect("write to string");
                print(out, body, depth + 2);
                indent(out, depth + 1);
                out.push_str("end\n");
            }
            indent(out, depth);
            out.push_str("endcase\n");
        }
    }
}
