//! Hand-written module bodies.

use super::plain;
use crate::design::Module;

/// The code with plain names (`i$0` becomes `i_0`) and with literals that are assigned to a port cut to its width:
/// the library prints enum values as 64-bit numbers.
pub(super) fn body(m: &Module, code: &str) -> String {
    let mut out = String::from("\n");
    for line in code.lines() {
        if name_hint(line).is_some() {
            continue;
        }
        let line = size_literal(m, &map_idents(line.trim_end(), plain));
        if !line.is_empty() {
            out.push_str("    ");
            out.push_str(&line);
        }
        out.push('\n');
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

/// Whether the code uses a name, in either spelling.
pub(super) fn mentions(code: &str, name: &str) -> bool {
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$';
    code.split(word).any(|w| w == name || w == plain(name))
}

/// `// module: reg_en` in a body names the module type.
pub(crate) fn name_hint(line: &str) -> Option<&str> {
    line.trim().strip_prefix("// module:").map(str::trim)
}

/// `q = 64'h2;` becomes `q = 2'h2;` when `q` is a 2-bit port.
fn size_literal(m: &Module, line: &str) -> String {
    let line_with_size = || {
        let (left, right) = line.split_once('=')?;
        let target = left.trim_end_matches('<').split_whitespace().last()?;
        let width = m.ports().find(|n| plain(&n.name) == target)?.width;
        let right = right.trim_start();
        let end = right.find(|c: char| !c.is_ascii_alphanumeric() && c != '\'')?;
        let literal = sized(&right[..end], width);
        (literal != right[..end]).then(|| format!("{left}= {literal}{}", &right[end..]))
    };
    line_with_size().unwrap_or_else(|| line.to_string())
}

/// `64'h2` as a literal of a smaller `width`, if it fits; anything else as it is.
pub(super) fn sized(literal: &str, width: usize) -> String {
    let smaller = || {
        let (old, rest) = literal.split_once('\'')?;
        let old: usize = old.parse().ok()?;
        let (base, digits) = rest.split_at_checked(1)?;
        let radix = match base {
            "h" => 16,
            "b" => 2,
            "d" => 10,
            _ => return None,
        };
        let value = u64::from_str_radix(digits, radix).ok()?;
        let fits = width >= 64 || value >> width == 0;
        (old > width && fits).then(|| format!("{width}'{rest}"))
    };
    smaller().unwrap_or_else(|| literal.to_string())
}

/// Identifiers of one line (letters, digits, `_`, and `$` after the first character), handed to `f`; system tasks,
/// macros, numbers and everything else are copied.
fn map_idents(line: &str, f: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut verbatim = false;
    for c in line.chars().chain(std::iter::once('\n')) {
        if c.is_ascii_alphanumeric() || c == '_' || (c == '$' && !word.is_empty()) {
            word.push(c);
            continue;
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) || verbatim {
            out.push_str(&word);
        } else if !word.is_empty() {
            out.push_str(&f(&word));
        }
        word.clear();
        verbatim = c == '$' || c == '`' || c == '\'';
        out.push(c);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        let f = |s: &str| map_idents(s, plain);
        assert_eq!(f("o = i$0 + $clog2(3);"), "o = i_0 + $clog2(3);");
        assert_eq!(f("`A$B 4'hf"), "`A$B 4'hf");
        assert_eq!(name_hint("  // module: mux_4 "), Some("mux_4"));
    }
}
