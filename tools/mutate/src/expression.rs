//! Expressions of the exported Verilog as trees with their places in the text.
//!
//! The exporter puts parentheses around every operation but the outermost (`weft-rtl`), so there are no priorities here:
//! what would need them is no expression of ours, and is left as it is.

use std::ops::Range;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub at: Range<usize>,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signal, or bits of it; what computes which bits.
    Name(Vec<Node>),
    /// Of so many bits; `None`: of more than 64, or in another base.
    Constant(usize, Option<u64>),
    /// The sign, and what is behind it.
    Unary(char, Box<Node>),
    Binary(Box<Node>, &'static str, Box<Node>),
    Concatenation(Vec<Node>),
}

/// Longer ones first.
const SIGNS: [&str; 17] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "+", "-", "*", "<", ">", "%",
];

/// The tree of a whole text; `None` where it is none of ours.
pub fn read(text: &str) -> Option<Node> {
    let mut reader = Reader { text, at: 0 };
    let node = reader.operation()?;
    reader.space();
    (reader.at == text.len()).then_some(node)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn next(&mut self, text: &str) -> bool {
        self.space();
        let there = self.rest().starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    /// One operand, or two with a sign between them.
    fn operation(&mut self) -> Option<Node> {
        let left = self.operand()?;
        self.space();
        let of_bits = self.rest().starts_with("+:");
        let mut signs = SIGNS.into_iter().filter(|_| !of_bits);
        let Some(sign) = signs.find(|sign| self.next(sign)) else {
            return Some(left);
        };
        let right = self.operand()?;
        let at = left.at.start..right.at.end;
        let kind = Kind::Binary(Box::new(left), sign, Box::new(right));
        Some(Node { at, kind })
    }

    fn operand(&mut self) -> Option<Node> {
        self.space();
        let from = self.at;
        let first = self.rest().chars().next()?;
        let kind = match first {
            '(' => {
                self.at += 1;
                let inner = self.operation()?;
                if !self.next(")") {
                    return None;
                }
                inner.kind
            }
            '~' | '-' | '!' | '&' | '|' | '^' => {
                self.at += 1;
                Kind::Unary(first, Box::new(self.operand()?))
            }
            '{' => {
                self.at += 1;
                Kind::Concatenation(self.list("}")?)
            }
            '0'..='9' => self.constant()?,
            _ => self.name()?,
        };
        let end = from + self.text[from..self.at].trim_end().len();
        let at = from..end;
        Some(Node { at, kind })
    }

    /// Behind the sign that opens it.
    fn list(&mut self, close: &str) -> Option<Vec<Node>> {
        let mut all = vec![self.operation()?];
        while !self.next(close) {
            if !self.next(",") {
                return None;
            }
            all.push(self.operation()?);
        }
        Some(all)
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !of_word(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// `8'd5`
    fn constant(&mut self) -> Option<Kind> {
        let width = self.word().parse().ok()?;
        if !self.next("'") {
            return None;
        }
        let digits = self.word();
        let value = match digits.split_at_checked(1)? {
            ("d", digits) => digits.parse().ok(),
            ("h", digits) => u64::from_str_radix(digits, 16).ok(),
            _ => None,
        };
        Some(Kind::Constant(width, value.filter(|_| width <= 64)))
    }

    fn name(&mut self) -> Option<Kind> {
        let word = self.word();
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut inner = Vec::new();
        while self.next("[") {
            inner.extend(self.index()?);
        }
        // A call is none of ours.
        (!self.rest().trim_start().starts_with(['(', '.'])).then_some(Kind::Name(inner))
    }

    /// Behind `[`: numbers stand for fixed bits; all else is computed.
    fn index(&mut self) -> Option<Vec<Node>> {
        let close = self.rest().find(']')?;
        let fixed = |text: &str| text.split(':').all(|n| n.trim().parse::<usize>().is_ok());
        if fixed(&self.rest()[..close]) {
            self.at += close + 1;
            return Some(vec![]);
        }
        let from = self.operation()?;
        if self.next("+:") {
            self.space();
            self.word();
        }
        self.next("]").then(|| vec![from])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        fn all<'a>(node: &Node, text: &'a str, out: &mut Vec<&'a str>) {
            out.push(&text[node.at.clone()]);
            match &node.kind {
                Kind::Name(inner) | Kind::Concatenation(inner) => {
                    inner.iter().for_each(|n| all(n, text, out));
                }
                Kind::Constant(..) => {}
                Kind::Unary(_, inner) => all(inner, text, out),
                Kind::Binary(left, _, right) => {
                    all(left, text, out);
                    all(right, text, out);
                }
            }
        }
        let mut out = Vec::new();
        all(
            &read(text).unwrap_or_else(|| panic!("{text}")),
            text,
            &mut out,
        );
        out
    }

    #[test]
    fn parts_stand_where_they_are_in_the_text() {
        assert_eq!(parts("a & ~b"), ["a & ~b", "a", "~b", "b"]);
        assert_eq!(
            parts("(a + 4'd3) == {1'd0, b[2:0]}"),
            [
                "(a + 4'd3) == {1'd0, b[2:0]}",
                "(a + 4'd3)",
                "a",
                "4'd3",
                "{1'd0, b[2:0]}",
                "1'd0",
                "b[2:0]"
            ]
        );
        assert_eq!(
            parts("x[(i + 2'd1)]"),
            ["x[(i + 2'd1)]", "(i + 2'd1)", "i", "2'd1"]
        );
        assert_eq!(
            parts("x[{i, 2'd0} +: 4]"),
            ["x[{i, 2'd0} +: 4]", "{i, 2'd0}", "i", "2'd0"]
        );
        assert_eq!(
            parts("|(a\n    ^ b)"),
            ["|(a\n    ^ b)", "(a\n    ^ b)", "a", "b"]
        );
    }

    #[test]
    fn what_is_not_ours_is_none() {
        for text in [
            "",
            "a & b & c",
            "a ? b : c",
            "f(a)",
            "(a",
            "$random",
            "a.b",
            "{2{a}}",
            "a b",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn constants_have_bits_and_value() {
        let of = |text| read(text).map(|node| node.kind);
        assert_eq!(of("8'd200"), Some(Kind::Constant(8, Some(200))));
        assert_eq!(of("8'hff"), Some(Kind::Constant(8, Some(255))));
        assert_eq!(of("2'b01"), Some(Kind::Constant(2, None)));
        assert_eq!(of("128'd1"), Some(Kind::Constant(128, None)));
    }
}
