//! A module of the exported Verilog as its kernel has it: without the variables that the exporter computes in, and with
//! the next values of registers.
//!
//! What a process assigns several times is `v__x` within it, and `x = v__x;` stands at its end; a register's next value
//! is assigned as `x_q <= …` in the clocked process (`weft-rtl`).
//! Broken copies say `x`, whichever of the two it is, and `x_d = …`.

use std::collections::BTreeSet;
use std::ops::Range;
use weft_verilog::VARIABLE;

pub(super) struct Plain<'a> {
    /// As it was exported.
    real: &'a str,
    pub text: String,
    /// Where each byte of `text` is in `real`.
    places: Vec<usize>,
    /// Signals that have a variable.
    variables: BTreeSet<&'a str>,
    /// Where the process begins, in `real`.
    process: usize,
    /// Where the clocked one does.
    clocked: usize,
}

impl<'a> Plain<'a> {
    pub fn of(real: &'a str) -> Self {
        let mut plain = Plain {
            real,
            text: String::with_capacity(real.len()),
            places: Vec::with_capacity(real.len()),
            variables: BTreeSet::new(),
            process: real
                .rfind("\n    always @(*) begin\n")
                .unwrap_or(real.len()),
            clocked: real.rfind("\n    always @(posedge ").unwrap_or(real.len()),
        };
        let mut at = 0;
        for line in real.split_inclusive('\n') {
            if !is_hand_over(line) {
                plain.line(line, at);
            }
            at += line.len();
        }
        plain
    }

    fn line(&mut self, line: &'a str, at: usize) {
        if let Some((name, value)) = next_value(line).filter(|_| at > self.clocked) {
            // `x_q <= ` is shown as `x_d = `.
            self.text.push_str(&line[..name]);
            self.text.push('d');
            self.text.push_str(&line[name + 1..value]);
            self.places.extend(at..at + value);
            self.rest(line, value + 1, at);
        } else {
            self.rest(line, 0, at);
        }
    }

    fn rest(&mut self, line: &'a str, from: usize, at: usize) {
        for range in words(line).filter(|range| range.start >= from) {
            let word = &line[range.clone()];
            let kept = match word.strip_prefix(VARIABLE) {
                Some(signal) => {
                    self.variables.insert(signal);
                    signal
                }
                None => word,
            };
            self.text.push_str(kept);
            let from = range.end - kept.len();
            self.places.extend(at + from..at + range.end);
        }
    }

    /// A range of `text`, in `real`.
    pub fn real(&self, range: Range<usize>) -> Range<usize> {
        let of = |at: usize| self.places.get(at).copied().unwrap_or(self.real.len());
        let start = of(range.start);
        let variable = self.real[..start].ends_with(VARIABLE);
        let start = start - if variable { VARIABLE.len() } else { 0 };
        match range.is_empty() {
            true => start..start,
            false => start..of(range.end - 1) + 1,
        }
    }

    /// What is to stand at a place of `real`, with the names that hold the values there.
    pub fn named(&self, text: &str, at: usize) -> String {
        if at > self.clocked {
            return text.split_inclusive('\n').map(taken_at_the_edge).collect();
        }
        if at < self.process {
            return text.into();
        }
        let name = |range: Range<usize>| match &text[range] {
            word if self.variables.contains(word) => format!("{VARIABLE}{word}"),
            word => word.into(),
        };
        words(text).map(name).collect()
    }
}

/// `x = v__x;`
fn is_hand_over(line: &str) -> bool {
    let sides = line
        .trim()
        .strip_suffix(';')
        .and_then(|l| l.split_once(" = "));
    sides.is_some_and(|(left, right)| right.strip_prefix(VARIABLE) == Some(left))
}

/// Of a line `x_q <= …` or `x_q[…] <= …`: where its `q` and its `<` are.
fn next_value(line: &str) -> Option<(usize, usize)> {
    let sign = line.find(" <= ")?;
    let name = target(&line[..sign]);
    let simple = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = line.len() - line.trim_start().len() + name.len();
    (name.ends_with("_q") && name.chars().all(simple)).then(|| (end - 1, sign + 1))
}

/// The statements of a line, `x_d = …`, as the clocked process has them.
fn taken_at_the_edge(line: &str) -> String {
    let statement = |part: &str| {
        let next = || {
            let (left, value) = part.split_once(" = ")?;
            let name = target(left);
            let (space, bits) = left.split_once(name)?;
            Some(format!(
                "{space}{}_q{bits} <= {value}",
                name.strip_suffix("_d")?
            ))
        };
        next().unwrap_or_else(|| part.to_string())
    };
    line.split_inclusive(';').map(statement).collect()
}

/// The name of what is assigned, without its bits.
fn target(left: &str) -> &str {
    let left = left.trim_start();
    left.split('[').next().unwrap_or(left)
}

/// The whole text in parts: identifiers, and single characters between them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let length = match of_word(first) {
            true => rest.find(|c| !of_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        at += length;
        Some(at - length..at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "module m(y);\n    reg  v__y;\n    assign a = y;\n\n    always @(*) begin\n        v__y = a;\n\
        \x20       if (b) begin\n            v__y = ~v__y;\n        end\n        y = v__y;\n    end\n";

    #[test]
    fn variables_have_the_names_of_their_signals() {
        let plain = Plain::of(MODULE);
        let text = MODULE.replace("        y = v__y;\n", "").replace("v__", "");
        assert_eq!(plain.text, text);
        let of = |part: &str| {
            let at = plain.text.find(part).expect("there");
            &MODULE[plain.real(at..at + part.len())]
        };
        assert_eq!(of("y = ~y"), "v__y = ~v__y");
        assert_eq!(of("a = y;"), "a = y;");
        assert_eq!(of("~y;\n        end\n"), "~v__y;\n        end\n");
    }

    #[test]
    fn registers_have_their_next_values() {
        let real = "module m;\n    always @(posedge clock) begin\n        if (a <= b) begin\n            x_q <= v;\n\
            \x20           y_q[3:1] <= (c <= x_q);\n            other <= x_q;\n        end\n    end\n";
        let plain = Plain::of(real);
        let text = real.replace("x_q <= v", "x_d = v");
        assert_eq!(plain.text, text.replace("y_q[3:1] <= (", "y_d[3:1] = ("));
        let at = plain.text.find("x_d = v").unwrap();
        assert_eq!(&real[plain.real(at..at + 7)], "x_q <= v");
        let at = real.len() - 9;
        assert_eq!(
            plain.named("x_d = x_q; y_d[3:1] = 1;\nother = 2;\n1'b0", at),
            "x_q <= x_q; y_q[3:1] <= 1;\nother = 2;\n1'b0"
        );
    }

    #[test]
    fn what_is_put_in_reads_the_variable_only_in_the_process() {
        let plain = Plain::of(MODULE);
        let at = |part| MODULE.find(part).expect("there");
        assert_eq!(plain.named("y & yy", at("assign")), "y & yy");
        assert_eq!(plain.named("y & yy", at("if (b)")), "v__y & yy");
    }
}
