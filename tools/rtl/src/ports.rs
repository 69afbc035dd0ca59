//! The ports of a block, with their current values.

use crate::num::Num;
use rust_hdl_core::prelude::*;

/// One port of the top block.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    /// Name in the exported Verilog.
    pub name: String,
    pub input: bool,
    pub width: usize,
    /// Current value, 32-bit words, lowest first.
    pub value: Vec<u32>,
}

/// Ports in declaration order.
pub(crate) fn ports<B: Block>(b: &B) -> Vec<Port> {
    let mut c = Collect::default();
    b.accept("top", &mut c);
    c.list
}

#[derive(Default)]
struct Collect {
    depth: usize,
    space: Vec<String>,
    list: Vec<Port>,
}

impl Probe for Collect {
    fn visit_start_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth += 1;
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth -= 1;
    }
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.space.push(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.space.pop();
    }
    fn visit_atom(&mut self, name: &str, a: &dyn Atom) {
        if self.depth == 1 && a.kind().is_parameter() {
            let mut full = self.space.clone();
            full.push(name.into());
            self.list.push(Port {
                name: crate::export::port_name(&full.join("$")),
                input: a.kind() == AtomKind::InputParameter,
                width: a.bits(),
                value: Num::of(&a.verilog()).words(a.bits()),
            });
        }
    }
}
