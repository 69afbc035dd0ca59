//! The hierarchy of a block as plain data: what the lint and the Verilog writer work on.
//!
//! Names are spelled as the library spells them: `field`, `bus$field`, `array$3`, `child$port`.

use crate::elab::{elaborate, Kernel};
use crate::num::Num;
use rust_hdl_core::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// A port, local signal or constant.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub name: String,
    pub kind: AtomKind,
    pub width: usize,
    pub signed: bool,
    /// Value of a constant.
    pub value: Num,
}

/// One variant of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub width: usize,
    pub code: usize,
}

/// What drives the outputs of a module.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Kernel(Kernel),
    Custom(String),
    Empty,
    /// Vendor cells: not supported.
    Foreign,
}

/// One block instance.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// Instance name: `field` or `field$index`; `top` for the outermost.
    pub name: String,
    /// Instance names from the top, joined with dots.
    pub path: String,
    pub nets: Vec<Net>,
    pub children: Vec<Module>,
    /// Labels `Type$Variant` of all enums in reach.
    pub labels: BTreeMap<String, Label>,
    pub body: Body,
    /// Where each name is declared: sub-block (`None` for own) and net.
    index: HashMap<String, (Option<usize>, usize)>,
}

impl Module {
    pub fn of<B: Block>(block: &B) -> Self {
        let mut c = Collect::default();
        block.accept("top", &mut c);
        c.done.expect("a block visits its own scope")
    }

    /// A signal as the kernel of this module names it; ports of sub-blocks as `child$port`.
    pub fn net(&self, name: &str) -> Option<(Place, &Net)> {
        let (child, net) = *self.index.get(name)?;
        Some(match child {
            None => (Place::Own, &self.nets[net]),
            Some(c) => (Place::Child, &self.children[c].nets[net]),
        })
    }

    /// Whether a name is the port of a sub-block that is a register.
    pub fn is_of_flip_flop(&self, name: &str) -> bool {
        let child = self.index.get(name).and_then(|(child, _)| *child);
        child.is_some_and(|c| self.children[c].is_flip_flop())
    }

    /// Fills `index`; own names win over those of sub-blocks.
    pub fn build_index(&mut self) {
        self.index.clear();
        for (c, child) in self.children.iter().enumerate() {
            for (n, net) in child.nets.iter().enumerate() {
                if net.kind.is_parameter() {
                    let name = format!("{}${}", child.name, net.name);
                    self.index.insert(name, (Some(c), n));
                }
            }
        }
        for (n, net) in self.nets.iter().enumerate() {
            self.index.insert(net.name.clone(), (None, n));
        }
    }

    pub fn ports(&self) -> impl Iterator<Item = &Net> {
        self.nets.iter().filter(|n| n.kind.is_parameter())
    }

    /// A register: what stands at its `d` wakes nothing before the edge of the clock.
    pub fn is_flip_flop(&self) -> bool {
        let Body::Custom(code) = &self.body else {
            return false;
        };
        let mut ports: Vec<&str> = self.ports().map(|n| n.name.as_str()).collect();
        ports.sort_unstable();
        ports == ["clock", "d", "q"] && code.contains("q <= d")
    }

    /// This module and all below, children first.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Module)) {
        for c in &self.children {
            c.walk(f);
        }
        f(self);
    }
}

/// Where a signal is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Own,
    /// Port of a sub-block.
    Child,
}

#[derive(Default)]
struct Collect {
    stack: Vec<(Module, Vec<String>)>,
    done: Option<Module>,
}

impl Probe for Collect {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let parent = self.stack.last().map(|(m, _)| format!("{}.", m.path));
        let body = match node.hdl() {
            Verilog::Combinatorial(code) => Body::Kernel(elaborate(&code)),
            Verilog::Custom(text) => Body::Custom(text),
            Verilog::Empty => Body::Empty,
            Verilog::Blackbox(_) | Verilog::Wrapper(_) => Body::Foreign,
        };
        let module = Module {
            name: name.into(),
            path: parent.unwrap_or_default() + name,
            nets: vec![],
            children: vec![],
            labels: BTreeMap::new(),
            body,
            index: HashMap::new(),
        };
        self.stack.push((module, vec![]));
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let (mut module, _) = self.stack.pop().expect("scopes are balanced");
        module.build_index();
        match self.stack.last_mut() {
            Some((parent, _)) => {
                parent.labels.extend(module.labels.clone());
                parent.children.push(module);
            }
            None => self.done = Some(module),
        }
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        if let Some((_, space)) = self.stack.last_mut() {
            space.push(name.into());
        }
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        if let Some((_, space)) = self.stack.last_mut() {
            space.pop();
        }
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let Some((module, space)) = self.stack.last_mut() else {
            return;
        };
        let mut full = space.clone();
        full.push(name.into());
        labels(&atom.descriptor(), &mut module.labels);
        module.nets.push(Net {
            name: full.join("$"),
            kind: atom.kind(),
            width: atom.bits(),
            signed: matches!(atom.descriptor().kind, TypeKind::Signed(_)),
            value: Num::of(&atom.verilog()),
        });
    }
}

fn labels(d: &TypeDescriptor, out: &mut BTreeMap<String, Label>) {
    match &d.kind {
        TypeKind::Enum(variants) => {
            let width = clog2(variants.len());
            for (code, v) in variants.iter().enumerate() {
                out.insert(v.replace("::", "$"), Label { width, code });
            }
        }
        TypeKind::Composite(fields) => fields.iter().for_each(|f| labels(&f.kind, out)),
        TypeKind::Bits(_) | TypeKind::Signed(_) => {}
    }
}
