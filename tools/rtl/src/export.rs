//! Verilog export: checks, real module names, identical modules merged.
use crate::lint::Finding;
use rust_hdl_core::prelude::{generate_verilog_unchecked, Atom, Block, Probe};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Identifiers of one line (letters, digits, `_`, and `$` after the first
/// character), handed to `f`; everything else is copied.
fn map_idents(line: &str, mut f: impl FnMut(&str) -> String) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut system = false; // after `$` or a backtick: a system task or a macro
    for c in line.chars().chain(std::iter::once('\n')) {
        if c.is_ascii_alphanumeric() || c == '_' || (c == '$' && !word.is_empty()) {
            word.push(c);
        } else {
            if !word.is_empty() {
                let first = word.chars().next().unwrap();
                if first.is_ascii_digit() || system {
                    out.push_str(&word);
                } else {
                    out.push_str(&f(&word));
                }
                word.clear();
            }
            system = c == '$' || c == '`';
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

const RESERVED: &[&str] = &[
    "alias",
    "always_comb",
    "always_ff",
    "always_latch",
    "assert",
    "assume",
    "before",
    "bind",
    "bins",
    "bit",
    "break",
    "buf",
    "byte",
    "cell",
    "chandle",
    "checker",
    "class",
    "clocking",
    "const",
    "constraint",
    "context",
    "continue",
    "cover",
    "cross",
    "dist",
    "do",
    "endclass",
    "enum",
    "event",
    "eventually",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "foreach",
    "global",
    "implies",
    "import",
    "inside",
    "int",
    "interface",
    "intersect",
    "join",
    "let",
    "library",
    "local",
    "logic",
    "longint",
    "matches",
    "modport",
    "new",
    "nexttime",
    "null",
    "package",
    "packed",
    "priority",
    "program",
    "property",
    "protected",
    "pure",
    "rand",
    "randc",
    "ref",
    "release",
    "restrict",
    "return",
    "sequence",
    "shortint",
    "solve",
    "static",
    "string",
    "strong",
    "struct",
    "super",
    "supply0",
    "supply1",
    "table",
    "tagged",
    "this",
    "time",
    "type",
    "typedef",
    "union",
    "unique",
    "until",
    "use",
    "uwire",
    "var",
    "virtual",
    "void",
    "wait",
    "wait_order",
    "weak",
    "wildcard",
    "wire",
    "with",
    "within",
    "wor",
    "xnor",
    "force",
    "fork",
    "small",
    "medium",
    "large",
    "scalared",
    "vectored",
    "specify",
    "task",
    "function",
    "generate",
    "config",
    "edge",
    "disable",
    "deassign",
    "design",
    "instance",
    "liblist",
    "table",
    "tri",
];

/// Names of signals and instances that are SystemVerilog keywords.
#[derive(Default)]
struct Names {
    ns: usize,
    bad: BTreeSet<String>,
}
impl Names {
    fn see(&mut self, n: &str) {
        if RESERVED.contains(&n.replace('$', "_").as_str()) {
            self.bad.insert(n.into());
        }
    }
}
impl Probe for Names {
    fn visit_start_scope(&mut self, n: &str, _: &dyn Block) {
        self.see(n);
    }
    fn visit_start_namespace(&mut self, _: &str, _: &dyn Block) {
        self.ns += 1;
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.ns -= 1;
    }
    fn visit_atom(&mut self, n: &str, _: &dyn Atom) {
        if self.ns == 0 {
            self.see(n);
        }
    }
}

/// A generated design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verilog {
    /// Name of the top module.
    pub top: String,
    /// Name and text of every module, sorted by name.
    pub modules: Vec<(String, String)>,
}

impl Verilog {
    /// One file per module: name and text.
    pub fn files(&self) -> Vec<(String, String)> {
        let file = |(name, text): &(String, String)| {
            (
                format!("{name}.v"),
                format!("`default_nettype none\n{text}`default_nettype wire\n"),
            )
        };
        self.modules.iter().map(file).collect()
    }

    /// All modules in one file.
    pub fn bundle(&self) -> String {
        let mut s = format!("// Generated; do not edit. Top module: {}\n", self.top);
        s.push_str("`default_nettype none\n");
        for (_, text) in &self.modules {
            s.push('\n');
            s.push_str(text);
        }
        s.push_str("\n`default_nettype wire\n");
        s
    }
}

/// Why a design was not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("{top}: the library's checks failed (connect_all called?): {error:?}")]
    Check {
        top: String,
        error: rust_hdl_core::check_error::CheckError,
    },
    #[error("{top}: {} hazards:\n{}", .findings.len(), list(.findings))]
    Lint { top: String, findings: Vec<Finding> },
    #[error("{top}: reserved words used as names: {names:?}")]
    Keyword { top: String, names: Vec<String> },
    #[error("{top}: `{a}` and `{b}` would get the same Verilog name")]
    Collision { top: String, a: String, b: String },
}

fn list(findings: &[Finding]) -> String {
    findings.iter().map(|f| format!("  {f}\n")).collect()
}

/// Check `b`, generate its Verilog with top module `name`, merge identical modules, turn `$` into `_`.
pub fn export<B: Block>(b: &B, name: &str) -> Result<Verilog, ExportError> {
    let top = || name.to_string();
    rust_hdl_core::check_error::check_all(b)
        .map_err(|error| ExportError::Check { top: top(), error })?;
    let findings = crate::lint::lint(b);
    if !findings.is_empty() {
        return Err(ExportError::Lint {
            top: top(),
            findings,
        });
    }
    let raw = generate_verilog_unchecked(b);
    let mut names = Names::default();
    b.accept("uut", &mut names);
    if !names.bad.is_empty() {
        return Err(ExportError::Keyword {
            top: top(),
            names: names.bad.into_iter().collect(),
        });
    }
    // split into modules
    let mut mods: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut cur: Option<(String, Vec<String>)> = None;

    for l in raw.lines() {
        if let (None, Some(r)) = (&cur, l.strip_prefix("module ")) {
            let n = r.split(['(', ' ', ';']).next().unwrap().to_string();
            cur = Some((n, vec![l.to_string()]));
        } else if let Some((n, v)) = &mut cur {
            if l.starts_with("endmodule") {
                v.push("endmodule".into());
                let (n, v) = (n.clone(), std::mem::take(v));
                mods.insert(n, v);
                cur = None;
            } else {
                v.push(l.to_string());
            }
        }
    }
    // deepest first, so that children are already merged
    let mut order: Vec<&String> = mods.keys().collect();
    order.sort_by_key(|n| (std::cmp::Reverse(n.matches('$').count()), n.to_string()));
    let mut rep: HashMap<String, String> = HashMap::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    let mut keep: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for n in order {
        let body: Vec<String> = mods[n]
            .iter()
            .map(|l| {
                map_idents(l, |w| {
                    if w == n {
                        "\u{1}".to_string()
                    } else {
                        rep.get(w).cloned().unwrap_or(w.to_string())
                    }
                })
            })
            .collect();
        let key = body.join("\n");
        match seen.get(&key) {
            Some(r) => {
                rep.insert(n.clone(), r.clone());
            }
            None => {
                seen.insert(key, n.clone());
                rep.insert(n.clone(), n.clone());
                keep.insert(n.clone(), body);
            }
        }
    }
    // rename, with a collision check per module
    let fix = |w: &str| -> String {
        let w = if w == "top" {
            name.to_string()
        } else if let Some(r) = w.strip_prefix("top$") {
            format!("{name}${r}")
        } else {
            w.to_string()
        };
        w.replace('$', "_")
    };
    let mut modules = vec![];
    for (n, body) in &keep {
        let mut out = String::new();
        let mut back: HashMap<String, String> = HashMap::new();
        let mut clash = None;
        for l in body {
            let code = l.split("//").next().unwrap();
            let code = code.trim_end().replace('\u{1}', n);
            if code.trim().is_empty() {
                continue;
            }
            let m = map_idents(&code, |w| {
                let f = fix(w);
                let prev = back.entry(f.clone()).or_insert(w.to_string());
                if prev != w {
                    clash = Some((prev.clone(), w.to_string()));
                }
                f
            });
            out.push_str(&m);
            out.push('\n');
        }
        if let Some((a, b)) = clash {
            return Err(ExportError::Collision { top: top(), a, b });
        }
        modules.push((fix(n), out));
    }
    Ok(Verilog {
        top: top(),
        modules,
    })
}
