//! Source text to tokens.
//!
//! Comments are `#`, `//` and `/* */`; statements end at a line's end or at `;`.

use super::error::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters, digits, `_`, `.` and `$`, not beginning with a digit.
    Word(String),
    Number(i128),
    /// `1b` or `1f`: the numeric label before or after.
    NumericLabel {
        label: u32,
        forward: bool,
    },
    Text(Vec<u8>),
    ShiftLeft,
    ShiftRight,
    Punct(char),
    /// Ends a statement.
    End,
    /// Something that is not a token; an error only where the parser looks at it.
    Bad(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub token: Token,
    pub span: Span,
}

/// Tokens of a file; the last one is [`Token::End`].
pub(super) fn lex(file: usize, text: &str) -> Vec<Lexeme> {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        out: Vec::new(),
    };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.push(Token::End, text.len());
    lexer.out
}

struct Lexer<'a> {
    file: usize,
    text: &'a str,
    at: usize,
    out: Vec<Lexeme>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Adds the token that ends before `end` and goes on there.
    fn push(&mut self, token: Token, end: usize) {
        let span = Span {
            file: self.file,
            start: self.at,
            end,
        };
        self.out.push(Lexeme { token, span });
        self.at = end;
    }

    fn push_chars(&mut self, token: Token, bytes: usize) {
        self.push(token, self.at + bytes);
    }

    /// Consumes at least one character.
    fn step(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('\n');
        match first {
            '\n' | ';' => self.push_chars(Token::End, 1),
            _ if first.is_whitespace() => self.at += first.len_utf8(),
            '#' => self.skip_line(),
            _ if rest.starts_with("//") => self.skip_line(),
            _ if rest.starts_with("/*") => self.skip_block(),
            '"' => self.string(),
            '\'' => self.character(),
            _ if first.is_ascii_digit() => self.number(),
            _ if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                self.push_chars(Token::Word(rest[..end].to_string()), end);
            }
            _ if rest.starts_with("<<") => self.push_chars(Token::ShiftLeft, 2),
            _ if rest.starts_with(">>") => self.push_chars(Token::ShiftRight, 2),
            _ => self.push_chars(Token::Punct(first), first.len_utf8()),
        }
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// A comment counts as a space, even over several lines.
    fn skip_block(&mut self) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => self.push_chars(Token::Bad("this comment is not closed"), self.rest().len()),
        }
    }

    fn string(&mut self) {
        let (mut bytes, mut at) = (Vec::new(), self.at + 1);
        loop {
            let mut rest = self.text[at..].chars();
            match rest.next() {
                Some('"') => return self.push(Token::Text(bytes), at + 1),
                None | Some('\n') => return self.push(Token::Bad("this string is not closed"), at),
                Some('\\') => {
                    let (byte, length) = escape(rest.as_str());
                    bytes.push(byte);
                    at += 1 + length;
                }
                Some(c) => {
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    at += c.len_utf8();
                }
            }
        }
    }

    /// `'a'`, `'\n'`, and GNU's `'a` without the closing quote.
    fn character(&mut self) {
        let after = &self.rest()[1..];
        let (value, length) = match after.chars().next() {
            None | Some('\n') => return self.push_chars(Token::Bad("a character is missing"), 1),
            Some('\\') => {
                let (byte, length) = escape(&after[1..]);
                (byte.into(), 1 + length)
            }
            Some(c) => (u32::from(c).into(), c.len_utf8()),
        };
        let closed = after[length..].starts_with('\'');
        self.push_chars(Token::Number(value), 1 + length + usize::from(closed));
    }

    /// A number or a reference to a numeric label.
    fn number(&mut self) {
        let rest = self.rest();
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let token = number(&rest[..end]);
        self.push_chars(token, end);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

fn number(word: &str) -> Token {
    let lower = word.to_ascii_lowercase();
    let radix = |digits: &str, radix| i128::from_str_radix(digits, radix).ok();
    let value = if let Some(digits) = lower.strip_prefix("0x") {
        radix(digits, 16)
    } else if let Some(digits) = lower.strip_prefix("0b").filter(|digits| !digits.is_empty()) {
        radix(digits, 2)
    } else if let Some(label) = numeric_label(word) {
        return label;
    } else if lower.len() > 1 && lower.starts_with('0') {
        radix(&lower[1..], 8)
    } else {
        radix(&lower, 10)
    };
    match value {
        Some(value) if value > u64::MAX.into() => Token::Bad("this number is beyond 64 bits"),
        Some(value) => Token::Number(value),
        None => Token::Bad("this is not a number"),
    }
}

fn numeric_label(word: &str) -> Option<Token> {
    let (digits, forward) = match word.strip_suffix('f') {
        Some(digits) => (digits, true),
        None => (word.strip_suffix('b')?, false),
    };
    let label = digits.parse().ok()?;
    Some(Token::NumericLabel { label, forward })
}

/// Byte of the escape sequence after a backslash, and how many bytes of source it takes.
fn escape(after: &str) -> (u8, usize) {
    let digits = |allowed: fn(char) -> bool, most: usize| {
        after.chars().take(most).take_while(|&c| allowed(c)).count()
    };
    match after.chars().next() {
        Some('n') => (b'\n', 1),
        Some('t') => (b'\t', 1),
        Some('r') => (b'\r', 1),
        Some('b') => (8, 1),
        Some('f') => (12, 1),
        Some('0'..='7') => {
            let length = digits(|c| c.is_digit(8), 3);
            let value = u32::from_str_radix(&after[..length], 8).unwrap_or(0);
            (value as u8, length)
        }
        Some('x' | 'X') => {
            let hex = after[1..].find(|c: char| !c.is_ascii_hexdigit());
            let length = hex.unwrap_or(after.len() - 1);
            let last_two = &after[1 + length.saturating_sub(2)..1 + length];
            (u8::from_str_radix(last_two, 16).unwrap_or(0), 1 + length)
        }
        Some(c) if c.is_ascii() && c != '\n' => (c as u8, 1),
        _ => (b'\\', 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(0, text)
            .into_iter()
            .map(|lexeme| lexeme.token)
            .collect()
    }

    fn word(text: &str) -> Token {
        Token::Word(text.into())
    }

    #[test]
    fn comments_and_separators() {
        let expected = vec![
            word("a"),
            Token::End,
            word("b"),
            Token::End,
            word("c"),
            Token::End,
        ];
        assert_eq!(tokens("a # x ; y\nb // z\nc /* d\n e */"), expected);
        assert_eq!(tokens("a;b;c"), expected);
    }

    #[test]
    fn numbers_and_numeric_labels() {
        for (text, value) in [
            ("10", 10),
            ("0x1F", 31),
            ("0b101", 5),
            ("017", 15),
            ("0", 0),
        ] {
            assert_eq!(tokens(text)[0], Token::Number(value), "{text}");
        }
        for (text, value) in [
            ("'a'", 97),
            ("'a", 97),
            ("'\\n'", 10),
            ("'#'", 35),
            ("'''", 39),
        ] {
            assert_eq!(tokens(text), [Token::Number(value), Token::End], "{text}");
        }
        assert_eq!(
            tokens("1b")[0],
            Token::NumericLabel {
                label: 1,
                forward: false
            }
        );
        assert_eq!(
            tokens("0f")[0],
            Token::NumericLabel {
                label: 0,
                forward: true
            }
        );
        for word in ["12x", "0x", "1é", "1".repeat(40).as_str()] {
            assert!(matches!(tokens(word)[0], Token::Bad(_)), "{word}");
        }
    }

    #[test]
    fn strings_and_escapes() {
        let text = |source| tokens(source)[0].clone();
        assert_eq!(
            text(r#""a#b;\n\t\"\\""#),
            Token::Text(b"a#b;\n\t\"\\".to_vec())
        );
        assert_eq!(
            text(r#""\0\101\x41\377é""#),
            Token::Text(b"\0AA\xFF\xC3\xA9".to_vec())
        );
        assert_eq!(text("\"open\n"), Token::Bad("this string is not closed"));
    }
}
