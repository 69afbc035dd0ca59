//! Hazards that leave no trace in the syntax tree, so that only the source shows them.

use crate::hazard::{Finding, Hazard};
use std::path::Path;

/// Scan every `.rs` file below `dir`: inclusive ranges, match guards and index sums inside kernels (functions marked
/// `#[hdl_gen]` or `#[part]`), and functions whose names the macro takes for casts.
pub fn scan_sources(dir: impl AsRef<Path>) -> std::io::Result<Vec<Finding>> {
    let mut files = vec![];
    collect(dir.as_ref(), &mut files)?;
    files.sort();
    let mut out = vec![];
    for f in files {
        out.extend(scan_text(
            &f.display().to_string(),
            &std::fs::read_to_string(&f)?,
        ));
    }
    Ok(out)
}

fn collect(dir: &Path, files: &mut Vec<std::path::PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Scan one source text; `name` is used in the findings.
pub fn scan_text(name: &str, text: &str) -> Vec<Finding> {
    let code = blank_comments(text);
    let mut out = vec![];
    let mut push = |hazard, at: usize| {
        let line = code[..at].matches('\n').count();
        let text = text
            .lines()
            .nth(line)
            .unwrap_or_default()
            .trim()
            .to_string();
        out.push(Finding {
            hazard,
            module: format!("{name}:{}", line + 1),
            text,
        });
    };
    for (start, body) in kernels(&code) {
        for (at, _) in body.match_indices("..=") {
            push(Hazard::InclusiveRange, start + at);
        }
        for (at, _) in body.match_indices("=>") {
            let arm = body[..at]
                .rsplit(['{', '}', ',', ';'])
                .next()
                .unwrap_or_default();
            if arm.split_whitespace().any(|w| w == "if") {
                push(Hazard::MatchGuard, start + at);
            }
        }
        for (at, call) in body.match_indices(".index()") {
            if is_summed(&body[at + call.len()..]) {
                push(Hazard::IndexArithmetic, start + at);
            }
        }
    }
    for (at, _) in code.match_indices("fn ") {
        let f = &code[at + 3..];
        if f.starts_with("bits") || f.starts_with("bit_cast") {
            push(Hazard::CastName, at);
        }
    }
    out
}

/// Whether an operator follows that may wrap at the width of the signal but not in `usize`; `* literal` is fine.
fn is_summed(rest: &str) -> bool {
    let rest = rest.trim_start();
    let wraps = ["+", "-", "<<", ">>", "^", "&", "|"];
    let logical = ["&&", "||"];
    wraps.iter().any(|op| rest.starts_with(op)) && !logical.iter().any(|op| rest.starts_with(op))
}

/// How the attributes of a kernel begin: that of rust-hdl, and ours that writes it.
const MARKS: [&str; 3] = ["#[hdl_gen]", "#[part]", "#[part("];

/// Byte offset and text of each kernel body.
fn kernels(code: &str) -> Vec<(usize, &str)> {
    let marks = MARKS.iter().flat_map(|mark| code.match_indices(mark));
    let mut out: Vec<_> = marks.filter_map(|(at, _)| body(code, at)).collect();
    out.sort_unstable();
    out
}

/// The braces of the first function behind `at`, and what is inside.
fn body(code: &str, at: usize) -> Option<(usize, &str)> {
    let function = at + code[at..].find("fn ")?;
    let open = function + code[function..].find('{')?;
    let mut depth = 0;
    for (i, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => (),
        }
        if depth == 0 {
            return Some((open, &code[open..=open + i]));
        }
    }
    None
}

/// The text with comments and string contents turned into spaces, same length.
fn blank_comments(text: &str) -> String {
    let b = text.as_bytes();
    let mut out = b.to_vec();
    let mut i = 0;
    let mut blank = |from: usize, to: usize| {
        for x in &mut out[from..to] {
            if *x != b'\n' {
                *x = b' ';
            }
        }
    };
    while i < b.len() {
        let rest = &text.as_bytes()[i..];
        let end = if rest.starts_with(b"//") {
            i + rest.iter().position(|c| *c == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            i + rest
                .windows(2)
                .position(|w| w == b"*/")
                .map_or(rest.len(), |p| p + 2)
        } else if rest[0] == b'"' {
            let mut j = 1;
            while j < rest.len() && rest[j] != b'"' {
                j += 1 + usize::from(rest[j] == b'\\');
            }
            i + (j + 1).min(rest.len())
        } else if rest.starts_with(b"'\"'") {
            i += 3;
            continue;
        } else {
            i += 1;
            continue;
        };
        blank(i, end);
        i = end;
    }
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(body: &str) -> Vec<Hazard> {
        let text = format!(
            "#[hdl_gen]\nfn update(&mut self) {{ {body} }}\nfn f() {{ for i in 0..=3 {{}} }}"
        );
        scan_text("x.rs", &text).iter().map(|f| f.hazard).collect()
    }

    #[test]
    fn hazards_in_kernels() {
        use Hazard::*;
        assert_eq!(kinds("for i in 0..=3 {}"), [InclusiveRange]);
        assert_eq!(
            kinds("match x { 0 if self.f.val() => {} _ => {} }"),
            [MatchGuard]
        );
        assert_eq!(
            kinds("if a.val().index() + b.val().index() == 3 {}"),
            [IndexArithmetic]
        );
        assert_eq!(kinds("for i in 0..4 {}"), []);
        assert_eq!(
            kinds("match x { 0 => { if self.f.val() { y } } _ => {} }"),
            []
        );
        assert_eq!(kinds("x.get_bits::<4>(a.val().index() * 4 + 1)"), []);
        assert_eq!(kinds("a.val().index() == 3 && b.val().index() == 4"), []);
        assert_eq!(kinds("x.get_bit(a.val().index()) & f"), []);
    }

    #[test]
    fn hazards_in_parts() {
        use Hazard::*;
        for mark in [
            "#[part]",
            "#[part(Block, Name)]",
            "#[part(\n    Block<A, { B }>,\n    Name\n)]\n#[rustfmt::skip]",
        ] {
            let text = format!("{mark}\nfn update(&mut self) {{\n for i in 0..=3 {{}}\n}}\nfn f() {{ for i in 0..=3 {{}} }}");
            let found = scan_text("x.rs", &text);
            assert_eq!(found.len(), 1, "{mark}: {found:?}");
            assert_eq!(found[0].hazard, InclusiveRange);
            let line = 3 + mark.matches('\n').count();
            assert_eq!(found[0].module, format!("x.rs:{line}"));
        }
        let two = "#[part(A)]\nfn update(&mut self) { match x { 0 if f => {} } }\n#[hdl_gen]\nfn update(&mut self) { 0..=1 }";
        let kinds: Vec<_> = scan_text("x.rs", two).iter().map(|f| f.hazard).collect();
        assert_eq!(kinds, [MatchGuard, InclusiveRange]);
    }

    #[test]
    fn comments_and_strings_are_not_code() {
        assert_eq!(kinds("// for i in 0..=3"), []);
        assert_eq!(kinds("/* 0 if f => */ comment!(\"0..=3 {\");"), []);
    }

    #[test]
    fn function_names() {
        let found = scan_text(
            "x.rs",
            "fn good() {}\nfn bits_of(x: u8) {}\nfn bit_castle() {}",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].to_string(), "x.rs:2: CastName: functions named bits*, bit_cast* are printed as casts; rename it: fn bits_of(x: u8) {}");
    }

    #[test]
    fn directories() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        let text = "#[hdl_gen] fn update(&mut self) { for i in 0..=3 {} }";
        std::fs::write(dir.path().join("sub/a.rs"), text).unwrap();
        std::fs::write(dir.path().join("b.txt"), text).unwrap();
        assert_eq!(scan_sources(dir.path()).unwrap().len(), 1);
        assert!(scan_sources(dir.path().join("none")).is_err());
    }
}
