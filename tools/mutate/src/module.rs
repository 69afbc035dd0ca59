//! What a module of the exported Verilog does: its assignments and conditions, with their places in the text.

use crate::expression;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a module calls by a name.
pub type Constants<'a> = BTreeMap<&'a str, expression::Kind>;

/// An assignment, or what an `if` or a `case` asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub kind: Kind,
    /// From its first letter to its `;`, or the expression alone.
    pub all: Range<usize>,
    /// What is assigned or asked.
    pub value: Range<usize>,
    /// Of the innermost `if` or `case` around it, and whether it stands behind its `else`.
    pub under: Option<(Range<usize>, bool)>,
    /// From 1.
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `assign`, outside of processes.
    Wire,
    /// In a process of logic.
    Logic,
    /// At the edge of a clock.
    Register,
    If,
    Case,
}

/// All statements of a module; parts that a macro leaves out, and what values begin with, are not looked at.
pub fn statements(text: &str) -> Vec<Statement> {
    let mut scan = Scan {
        text,
        process: None,
        around: Vec::new(),
        left_out: 0,
        all: Vec::new(),
    };
    let (mut at, mut until) = (0, 0);
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        // A statement may have several lines.
        if at >= until {
            until = at;
            scan.line(line, at, number, &mut until);
        }
        at += line.len();
    }
    scan.all
}

/// `localparam [3:0] NAME = 4'd0;`
pub fn constants(text: &str) -> Constants<'_> {
    let of = |line| {
        let (left, value) = str::trim(line)
            .strip_prefix("localparam ")?
            .strip_suffix(';')?
            .split_once(" = ")?;
        let name = left.rsplit(' ').next()?;
        Some((name, expression::read(value)?.kind))
    };
    text.lines().filter_map(of).collect()
}

/// One `begin` that is open.
struct Open {
    asked: Option<(Range<usize>, bool)>,
}

struct Scan<'a> {
    text: &'a str,
    /// In a process, and whether it has a clock.
    process: Option<bool>,
    around: Vec<Open>,
    /// Depth of `ifdef`.
    left_out: usize,
    all: Vec<Statement>,
}

impl Scan<'_> {
    fn line(&mut self, line: &str, at: usize, number: usize, until: &mut usize) {
        let statement = line.trim();
        if statement.starts_with("`if") {
            self.left_out += 1;
        } else if statement.starts_with("`endif") {
            self.left_out -= 1;
        }
        if self.left_out > 0 {
            return;
        }
        let from = at + line.len() - line.trim_start().len();
        match self.process {
            None if statement.starts_with("always @(") && statement.ends_with("begin") => {
                self.process = Some(statement.contains("edge "));
                self.around.clear();
            }
            None if statement.starts_with("assign ") => {
                self.assignment(from, number, Kind::Wire, until);
            }
            None => {}
            Some(clocked) => self.in_process(statement, from, number, clocked, until),
        }
    }

    fn in_process(
        &mut self,
        statement: &str,
        from: usize,
        number: usize,
        clocked: bool,
        until: &mut usize,
    ) {
        let mut at = from;
        let mut rest = statement;
        if let Some(behind) = rest.strip_prefix("end") {
            if behind == "case" {
                self.around.pop();
                return;
            }
            let closed = self.around.pop();
            if closed.is_none() {
                self.process = None;
                return;
            }
            let Some(other) = behind.strip_prefix(" else ") else {
                return;
            };
            at += rest.len() - other.len();
            rest = other;
            if rest == "begin" {
                let asked = closed.and_then(|c| c.asked).map(|(asked, _)| (asked, true));
                self.around.push(Open { asked });
                return;
            }
        }
        let inner = |open: &str, close: &str| {
            let value = rest.strip_prefix(open)?.strip_suffix(close)?;
            let start = at + open.len();
            Some(start..start + value.len())
        };
        if let Some(asked) = inner("if (", ") begin") {
            self.asks(asked.clone(), number, Kind::If);
            let asked = Some((asked, false));
            self.around.push(Open { asked });
        } else if let Some(asked) = inner("case (", ")") {
            self.asks(asked.clone(), number, Kind::Case);
            let asked = Some((asked, false));
            self.around.push(Open { asked });
        } else if rest.ends_with(": begin end") {
        } else if rest.ends_with("begin") {
            // A label.
            let asked = self.around.last().and_then(|open| open.asked.clone());
            self.around.push(Open { asked });
        } else {
            let kind = match clocked {
                true => Kind::Register,
                false => Kind::Logic,
            };
            self.assignment(at, number, kind, until);
        }
    }

    fn asks(&mut self, value: Range<usize>, line: usize, kind: Kind) {
        self.all.push(Statement {
            kind,
            all: value.clone(),
            value,
            under: self.under(),
            line,
        });
    }

    fn under(&self) -> Option<(Range<usize>, bool)> {
        self.around.last().and_then(|open| open.asked.clone())
    }

    fn assignment(&mut self, from: usize, line: usize, kind: Kind, until: &mut usize) {
        let Some(length) = self.text[from..].find(';') else {
            return;
        };
        let all = from..from + length + 1;
        let statement = &self.text[all.clone()];
        let sign = match kind {
            Kind::Register => " <= ",
            _ => " = ",
        };
        let Some(at) = statement.find(sign) else {
            return;
        };
        let target = statement[..at].trim_start_matches("assign ");
        let plain = |c: char| c.is_ascii_alphanumeric() || "_[]:".contains(c);
        if !target.chars().all(plain) {
            return;
        }
        *until = all.end;
        self.all.push(Statement {
            kind,
            value: from + at + sign.len()..all.end - 1,
            all,
            under: self.under(),
            line,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "module m (\n    input  wire a\n);\n    assign y = a\n        & b;\n\n    always @(*) begin\n\
        \x20       x = c;\n        case (s)\n            2'd0: begin end\n            default: begin\n                x = d;\n\
        \x20           end\n        endcase\n    end\n\n    initial begin\n        q_q = 1'd0;\n    end\n\n\
        \x20   always @(posedge clock) begin\n        if (reset) begin\n            q_q <= 1'd0;\n\
        \x20       end else if (a) begin\n            q_q <= (x <= c);\n        end else begin\n            r <= x;\n        end\n\
        `ifdef CHECKS\n        t <= x;\n`endif\n    end\nendmodule\n";

    #[test]
    fn constants_have_names() {
        let text =
            "    localparam [3:0] At_Choose = 4'd0;\n    localparam one = 1'd1;\n    wire x;\n";
        let constants = constants(text);
        assert_eq!(
            constants["At_Choose"],
            expression::Kind::Constant(4, Some(0))
        );
        assert_eq!(constants["one"], expression::Kind::Constant(1, Some(1)));
        assert_eq!(constants.len(), 2);
    }

    #[test]
    fn statements_know_where_they_stand() {
        let of = |range: &Range<usize>| MODULE[range.clone()].replace("\n        ", " ");
        let all: Vec<_> = statements(MODULE)
            .iter()
            .map(|s| {
                let under = s.under.as_ref().map(|(at, other)| (of(at), *other));
                (s.kind, s.line, of(&s.all), of(&s.value), under)
            })
            .collect();
        let under = |text: &str, other| Some((text.to_string(), other));
        let line = |kind, line, all: &str, value: &str, under| {
            (kind, line, all.to_string(), value.to_string(), under)
        };
        assert_eq!(
            all,
            [
                line(Kind::Wire, 4, "assign y = a & b;", "a & b", None),
                line(Kind::Logic, 8, "x = c;", "c", None),
                line(Kind::Case, 9, "s", "s", None),
                line(Kind::Logic, 12, "x = d;", "d", under("s", false)),
                line(Kind::If, 22, "reset", "reset", None),
                line(
                    Kind::Register,
                    23,
                    "q_q <= 1'd0;",
                    "1'd0",
                    under("reset", false)
                ),
                line(Kind::If, 24, "a", "a", None),
                line(
                    Kind::Register,
                    25,
                    "q_q <= (x <= c);",
                    "(x <= c)",
                    under("a", false)
                ),
                line(Kind::Register, 27, "r <= x;", "x", under("a", true)),
            ]
        );
    }
}
