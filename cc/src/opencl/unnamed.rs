//! Structures without a name as arguments of kernels (CL-019): a wrapper cannot name them, so they get names in the text
//! that is compiled with the wrappers. Every other place of it stays where it was.

use super::signature::Signature;
use std::ops::Range;

/// A structure in the list of a kernel's parameters.
struct Found {
    name: String,
    /// Where the kernel's declaration begins.
    declaration: usize,
    /// From its keyword to its end.
    place: Range<usize>,
    /// Its definition with the name, on one line.
    definition: String,
}

/// The text with names for them, and the names put into the signature. What a macro writes, or another file, stays as it
/// is. Enumerations go as integers, which they are.
pub(super) fn named(text: &str, file: &str, signature: &mut Signature) -> String {
    let mut all: Vec<Found> = Vec::new();
    for kernel in &mut signature.kernels {
        for argument in &mut kernel.arguments {
            let Some((kind, (line, column))) = position(&argument.type_name, file) else {
                continue;
            };
            if kind == "enum" {
                argument.wrapped_as = Some("int".into());
                continue;
            }
            let name = format!("__weft_unnamed_{}", all.len());
            let found = offset(text, line, column).and_then(|at| find(text, at, kind, &name));
            if let Some(found) = found {
                argument.wrapped_as = Some(format!("{kind} {name}"));
                all.push(found);
            }
        }
    }
    all.sort_by_key(|found| found.place.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (number, found) in all.iter().enumerate() {
        let same = |other: &Found| other.declaration == found.declaration;
        if number == 0 || !same(&all[number - 1]) {
            out.push_str(&text[done..found.declaration]);
            done = found.declaration;
            let definitions = all.iter().filter(|other| same(other));
            let definitions: Vec<_> = definitions.map(|found| found.definition.as_str()).collect();
            let before = &text[..found.declaration];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
            let file = file.replace('\\', "\\\\").replace('"', "\\\"");
            out.push_str(&format!(
                "\n{}\n#line {line} \"{file}\"\n",
                definitions.join(" ")
            ));
            out.push_str(&" ".repeat(column));
        }
        out.push_str(&text[done..found.place.start]);
        let kind = &text[found.place.start..];
        let kind = &kind[..kind.find(|c: char| !is_word(c)).unwrap_or(0)];
        let written = format!("{kind} {}", found.name);
        out.push_str(&written);
        // Lines, and if there is room columns, behind it stay.
        let rest = text[found.place.clone()].chars();
        out.extend(
            rest.skip(written.len())
                .map(|c| if c == '\n' { c } else { ' ' }),
        );
        let cut = text[found.place.clone()].chars().take(written.len());
        out.extend(cut.filter(|c| *c == '\n'));
        done = found.place.end;
    }
    out.push_str(&text[done..]);
    out
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `struct (unnamed at k.cl:3:15)`: the keyword, line and column, if it is in this file.
fn position<'t>(type_name: &'t str, file: &str) -> Option<(&'t str, (usize, usize))> {
    let (kind, rest) = type_name.split_once(" (")?;
    let (_, place) = rest.strip_suffix(')')?.split_once(" at ")?;
    let (place, column) = place.rsplit_once(':')?;
    let (of, line) = place.rsplit_once(':')?;
    let is_kind = ["struct", "union", "enum"].contains(&kind);
    (is_kind && of == file).then_some((kind, (line.parse().ok()?, column.parse().ok()?)))
}

fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let lines = text.split_inclusive('\n');
    let before: usize = lines.take(line.checked_sub(1)?).map(str::len).sum();
    Some(before + column.checked_sub(1)?)
}

/// The structure whose keyword stands there.
fn find(text: &str, at: usize, kind: &str, name: &str) -> Option<Found> {
    let after = text.get(at..)?.strip_prefix(kind)?;
    if after.starts_with(is_word) {
        return None;
    }
    let tokens = tokens(text);
    let first = tokens.iter().position(|token| token.start == at)?;
    let word = |number: usize| tokens.get(number).map(|token| &text[token.clone()]);
    // Behind the last declaration that has ended.
    let mut depth = 0usize;
    let mut begin = 0;
    for number in 0..first {
        match word(number)? {
            "(" | "{" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    begin = number + 1;
                }
            }
            ";" if depth == 0 => begin = number + 1,
            directive if depth == 0 && directive.starts_with('#') => begin = number + 1,
            _ => {}
        }
    }
    let closing = |from: usize| {
        let mut depth = 0usize;
        for number in from..tokens.len() {
            match word(number)? {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth -= 1,
                directive if directive.starts_with('#') => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(number);
            }
        }
        None
    };
    // Attributes may stand in front of the members and behind them.
    let attributes = |mut from: usize| {
        while word(from) == Some("__attribute__") {
            from = closing(from + 1)? + 1;
        }
        Some(from)
    };
    let open = attributes(first + 1)?;
    if word(open) != Some("{") {
        return None;
    }
    let end = attributes(closing(open)? + 1)?;
    let words = |range: Range<usize>| {
        let words: Vec<_> = range.filter_map(word).collect();
        words.join(" ")
    };
    let (front, members) = (words(first + 1..open), words(open..end));
    Some(Found {
        name: name.into(),
        declaration: tokens[begin].start,
        place: at..tokens[end - 1].end,
        definition: format!("{kind} {front} {name} {members};"),
    })
}

/// Words, numbers, signs, and whole lines of the preprocessor; no comments.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        match bytes[at] {
            b'\n' => {
                line_begins = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            _ if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            b'#' if line_begins => loop {
                let end = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                let goes_on = text[at..end].trim_end_matches('\r').ends_with('\\');
                at = end;
                if !goes_on || end == bytes.len() {
                    break;
                }
                at += 1;
            },
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            byte if is_word(byte.into()) => {
                let end = rest.find(|c: char| !is_word(c) && c != '.');
                let end = match byte.is_ascii_digit() {
                    true => end,
                    false => rest.find(|c: char| !is_word(c)),
                };
                at += end.unwrap_or(rest.len());
            }
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
        line_begins = false;
        all.push(start..at);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::program::{Access, AddressSpace};
    use super::super::signature::{ArgumentSignature, KernelSignature};
    use super::*;

    /// With an argument of each of these types.
    fn signature(types: &[&str]) -> Signature {
        let argument = |name: &&str| ArgumentSignature {
            name: "p".into(),
            type_name: (*name).into(),
            base_type_name: (*name).into(),
            wrapped_as: None,
            space: AddressSpace::Private,
            access: Access::None,
            qualifiers: String::new(),
        };
        Signature {
            kernels: vec![KernelSignature {
                arguments: types.iter().map(argument).collect(),
                ..KernelSignature::default()
            }],
            ..Signature::default()
        }
    }

    #[test]
    fn a_structure_gets_a_name_in_front_of_its_kernel() {
        let text = "int g; // struct {\n  kernel void k(\n struct { int a; /* ) */\n  char c[3]; } p, union __attribute__((packed)) { int i; } u, int n) {}\n";
        let mut of = signature(&[
            "struct (unnamed at k.cl:3:2)",
            "union (unnamed at k.cl:4:19)",
            "enum (unnamed at k.cl:4:1)",
            "int",
        ]);
        let named = named(text, "k.cl", &mut of);
        let names = of.kernels[0].arguments.iter();
        let names: Vec<_> = names.map(|a| a.wrapped_as.as_deref()).collect();
        let want = [
            Some("struct __weft_unnamed_0"),
            Some("union __weft_unnamed_1"),
            Some("int"),
            None,
        ];
        assert_eq!(names, want);
        let lines: Vec<_> = named.lines().collect();
        assert_eq!(lines[..2], ["int g; // struct {", "  "]);
        assert_eq!(
            lines[2],
            "struct  __weft_unnamed_0 { int a ; char c [ 3 ] ; }; \
             union __attribute__ ( ( packed ) ) __weft_unnamed_1 { int i ; };"
        );
        assert_eq!(
            lines[3..6],
            [
                "#line 2 \"k.cl\"",
                "  kernel void k(",
                " struct __weft_unnamed_0"
            ]
        );
        assert!(lines[6].ends_with("  u, int n) {}"), "{}", lines[6]);
        let column = |line: &str| line.find("u, int");
        assert_eq!(column(lines[6]), column(text.lines().nth(3).unwrap()));
    }

    #[test]
    fn what_stands_elsewhere_stays() {
        let text = "#define V struct { int a; }\nkernel void k(V p) {}\n";
        for place in [
            "k.cl:2:15",
            "k.cl:1:11",
            "h.cl:1:1",
            "k.cl:9:9",
            "k.cl:0:0",
            "é:1",
        ] {
            let mut of = signature(&[&format!("struct (unnamed at {place})")]);
            assert_eq!(named(text, "k.cl", &mut of), text, "{place}");
            assert_eq!(of.kernels[0].arguments[0].wrapped_as, None, "{place}");
        }
    }
}
