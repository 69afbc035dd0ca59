//! Hazards that leave no trace in the syntax tree, so that only the source shows them.

use crate::lint::{Finding, Hazard};
use std::path::Path;

/// Scan every `.rs` file below `dir`: inclusive ranges and match guards inside kernels (functions marked
/// `#[hdl_gen]`), and functions whose names the macro takes for casts.
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
    }
    for (at, _) in code.match_indices("fn ") {
        let f = &code[at + 3..];
        if f.starts_with("bits") || f.starts_with("bit_cast") {
            push(Hazard::CastName, at);
        }
    }
    out
}

/// Byte offset and text of each kernel body.
fn kernels(code: &str) -> Vec<(usize, &str)> {
    let mut out = vec![];
    for (at, _) in code.match_indices("#[hdl_gen]") {
        let (mut depth, mut open) = (0, None);
        for (i, c) in code[at..].char_indices() {
            match c {
                '{' => {
                    depth += 1;
                    open = open.or(Some(at + i));
                }
                '}' => {
                    depth -= 1;
                    if let (0, Some(o)) = (depth, open) {
                        out.push((o, &code[o..at + i + 1]));
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    out
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
