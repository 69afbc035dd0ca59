//! Checked Verilog export: one module per type, plain names, byte for byte reproducible, no external tool.

use crate::design::{Body, Module, Net};
use crate::hazard::Finding;
use crate::hide::hide;
use crate::keywords::{foreign, is_reserved};
use crate::lint::lint_design;
use crate::write::{
    self,
    expr::{plain, variable},
    Registers, SELF,
};
use rust_hdl_core::check_error::{check_all, CheckError};
use rust_hdl_core::prelude::{AtomKind, Block};
use std::collections::{BTreeMap, HashMap};

use weft_verilog::VARIABLE;
pub use weft_verilog::{TopPort, Verilog};

/// Why a design was not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("{top}: not a Verilog name")]
    TopName { top: String },
    #[error("{top}: the library's checks failed (connect_all called?): {error:?}")]
    Check { top: String, error: CheckError },
    #[error("{top}: {} hazards:\n{}", .findings.len(), list(.findings))]
    Lint { top: String, findings: Vec<Finding> },
    #[error("{top}: {module}: `{name}` is a reserved word")]
    Keyword {
        top: String,
        module: String,
        name: String,
    },
    #[error("{top}: {module}: `{a}` and `{b}` would get the same Verilog name")]
    Collision {
        top: String,
        module: String,
        a: String,
        b: String,
    },
    #[error("{top}: {module}: {text}")]
    Translate {
        top: String,
        module: String,
        text: String,
    },
}

fn list(findings: &[Finding]) -> String {
    findings.iter().map(|f| format!("  {f}\n")).collect()
}

/// Check `block` and generate its Verilog with top module `top`. Call `connect_all` on the block first.
///
/// Names: `$` becomes `_`. Modules with the same text are one module. A module is called `<top>_<path>` after its
/// first instance, without array indices. Of an array of ports of the top the first has the array's name, that of index
/// k has `p<k>_` before it. Port f of a bundle b is `b_f`. A body given as `Verilog::Custom` can choose `<top>_<x>` with a line
/// `// module: x`. Sub-blocks without ports to drive and without a body (simulation-only checkers) are left out.
pub fn export<B: Block>(block: &B, top: &str) -> Result<Verilog, ExportError> {
    export_as(block, top, &[], Registers::Signals)
}

/// As [`export`], with each register as a block of its own, so that its next value has a name, `x_d`: for proofs.
pub fn export_with_next_values<B: Block>(block: &B, top: &str) -> Result<Verilog, ExportError> {
    export_as(block, top, &[], Registers::Blocks)
}

/// As [`export`], without the outputs of the top whose names begin as one of `hidden`, before the end or a `_`, and
/// without what is there for them alone in the top module.
pub fn export_without<B: Block>(
    block: &B,
    top: &str,
    hidden: &[&str],
) -> Result<Verilog, ExportError> {
    export_as(block, top, hidden, Registers::Signals)
}

fn export_as<B: Block>(
    block: &B,
    top: &str,
    hidden: &[&str],
    registers: Registers,
) -> Result<Verilog, ExportError> {
    let name = || top.to_string();
    if !is_identifier(top) || is_reserved(top) {
        return Err(ExportError::TopName { top: name() });
    }
    let mut design = Module::of(block);
    check_names(&design, top)?;
    let findings = lint_design(&design);
    if !findings.is_empty() {
        return Err(ExportError::Lint {
            top: name(),
            findings,
        });
    }
    check_all(block).map_err(|error| ExportError::Check { top: name(), error })?;
    hide(&mut design, |port| {
        let rest = hidden.iter().filter_map(|h| port.strip_prefix(h));
        rest.into_iter()
            .any(|rest| rest.is_empty() || rest.starts_with(['_', '$']))
    });
    let mut out = Output {
        top,
        registers,
        by_text: HashMap::new(),
        modules: BTreeMap::new(),
        order: vec![],
    };
    out.module(&design, None)?;
    Ok(Verilog {
        top: name(),
        modules: out.modules.into_iter().collect(),
        order: out.order,
        ports: ports_of(&design),
    })
}

/// The ports as [`export`] will name them. Call `connect_all` on the block first.
pub fn top_ports<B: Block>(block: &B) -> Vec<TopPort> {
    ports_of(&Module::of(block))
}

fn ports_of(design: &Module) -> Vec<TopPort> {
    let port = |net: &Net| TopPort {
        name: port_name(&net.name),
        input: net.kind == AtomKind::InputParameter,
        width: net.width,
    };
    design.ports().map(port).collect()
}

/// The name of a port of the top, by its name in the library.
pub(crate) fn port_name(name: &str) -> String {
    match name.split_once('$') {
        Some((array, "0")) => array.into(),
        Some((array, index)) if index.parse::<usize>().is_ok() => {
            plain(&format!("p{index}_{array}"))
        }
        _ => plain(name),
    }
}

/// Everywhere but where `from` is a port of an instance.
fn rename(text: &str, from: &str, to: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || "_$.`".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let before = rest[..at].chars().next_back().or(out.chars().next_back());
        let after = rest[at + from.len()..].chars().next();
        out.push_str(&rest[..at]);
        let whole = !before.is_some_and(word) && !after.is_some_and(|c| word(c) && c != '.');
        out.push_str(if whole { to } else { from });
        rest = &rest[at + from.len()..];
    }
    out + rest
}

struct Output<'a> {
    top: &'a str,
    registers: Registers,
    by_text: HashMap<String, String>,
    modules: BTreeMap<String, String>,
    order: Vec<String>,
}

impl Output<'_> {
    /// Name of the module; `None` when it holds no hardware.
    fn module(
        &mut self,
        m: &Module,
        parent: Option<&Module>,
    ) -> Result<Option<String>, ExportError> {
        let silent = m.ports().all(|n| n.kind == AtomKind::InputParameter);
        if parent.is_some() && silent && matches!(m.body, Body::Empty) && m.children.is_empty() {
            return Ok(None);
        }
        let mut kinds = vec![];
        for c in &m.children {
            let signal = self.registers == Registers::Signals && c.is_flip_flop();
            let kind = match signal {
                true => None,
                false => self.module(c, Some(m))?,
            };
            kinds.push(kind);
        }
        let mut text =
            write::module(m, &kinds, self.registers).map_err(|text| ExportError::Translate {
                top: self.top.into(),
                module: m.path.clone(),
                text,
            })?;
        if let Some(name) = foreign(&text) {
            return Err(ExportError::Keyword {
                top: self.top.into(),
                module: m.path.clone(),
                name: name.into(),
            });
        }
        if parent.is_none() {
            for net in m.ports().filter(|n| n.name.contains('$')) {
                let port = port_name(&net.name);
                text = rename(&text, &plain(&net.name), &port);
                text = rename(&text, &variable(&net.name), &variable(&port));
            }
        }
        if let Some(name) = self.by_text.get(&text) {
            return Ok(Some(name.clone()));
        }
        let name = match parent {
            None => self.top.to_string(),
            Some(_) => self.fresh_name(m),
        };
        self.modules
            .insert(name.clone(), text.replacen(SELF, &name, 1));
        self.order.push(name.clone());
        self.by_text.insert(text, name.clone());
        Ok(Some(name))
    }

    fn fresh_name(&self, m: &Module) -> String {
        let taken = |n: &str| n == self.top || self.modules.contains_key(n) || is_reserved(n);
        let full = plain(&m.path.replace('.', "$"));
        let full = full.strip_prefix("top_").unwrap_or(&full).to_string();
        let short = m.path.split(['.', '$']).skip(1);
        let short: Vec<&str> = short
            .filter(|p| !p.chars().all(|c| c.is_ascii_digit()))
            .collect();
        let mut candidates = vec![short.join("_"), full];
        if let Some(hint) = type_hint(m) {
            candidates.insert(0, hint);
        }
        let names = candidates.iter().map(|c| format!("{}_{c}", self.top));
        let numbered = (2..).map(|i| format!("{}_{}_{i}", self.top, candidates[0]));
        names
            .chain(numbered)
            .find(|n| !taken(n))
            .expect("endless supply of names")
    }
}

/// A name for the type of a module, where one can be told.
fn type_hint(m: &Module) -> Option<String> {
    let Body::Custom(code) = &m.body else {
        return None;
    };
    let hint = code.lines().find_map(write::name_hint);
    if let Some(hint) = hint.filter(|h| is_identifier(h)) {
        return Some(hint.into());
    }
    let width = m.ports().find(|n| n.name == "q")?.width;
    m.is_flip_flop().then(|| format!("dff{width}"))
}

/// Reserved words, and names that become equal when `$` turns into `_`.
fn check_names(m: &Module, top: &str) -> Result<(), ExportError> {
    let mut seen: HashMap<String, String> = HashMap::new();
    for name in write::names(m) {
        let p = plain(&name);
        if is_reserved(&p) || p.starts_with(VARIABLE) {
            return Err(ExportError::Keyword {
                top: top.into(),
                module: m.path.clone(),
                name,
            });
        }
        if let Some(other) = seen.insert(p, name.clone()) {
            if other != name {
                return Err(ExportError::Collision {
                    top: top.into(),
                    module: m.path.clone(),
                    a: other,
                    b: name,
                });
            }
        }
    }
    m.children.iter().try_for_each(|c| check_names(c, top))
}

fn is_identifier(s: &str) -> bool {
    s.starts_with(|c: char| c.is_ascii_alphabetic())
        && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
