//! Verilog text of one module.
//!
//! A statement that assigns a signal once, unconditionally, from signals the kernel does not change, is printed as a
//! continuous assignment or as a port connection; the rest of the kernel becomes one `always @(*)` process.
//!
//! What the process assigns several times and others read is computed in a variable, `v__x`, and assigned once, at the
//! end of the process. *Why:* an event-driven simulator wakes the readers at each change; processes that show each
//! other their first, passing values can wake each other for ever.
//! The variables stand in the module: Verilator takes a process with variables of its own as a whole, and sees loops.
//!
//! Registers are signals of the module, written by one clocked process ([`registers`]).

mod custom;
pub(crate) mod expr;
mod registers;
mod tree;

pub(crate) use custom::name_hint;

use crate::design::{Body, Module, Net, Place};
use crate::elab::Kernel;
use crate::lint::pattern;
use crate::num::Num;
use expr::{balanced, part, plain, variable, Helper, Printer, Result};
use registers::Register;
use rust_hdl_core::ast::*;
use rust_hdl_core::prelude::AtomKind;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tree::{Both, Stmt};
use weft_verilog::VARIABLE;

/// Stands for the module's own name, which is chosen after the text is known.
pub(crate) const SELF: &str = "\u{1}";

/// What a register is in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registers {
    Signals,
    /// An instance of a module, whose `d` is a signal.
    Blocks,
}

/// Text of a module whose sub-blocks are instances of `kinds`; `None` for one that is left out of the hardware.
pub(crate) fn module(m: &Module, kinds: &[Option<String>], registers: Registers) -> Result<String> {
    let kernel = match &m.body {
        Body::Kernel(k) => k.clone(),
        Body::Custom(_) | Body::Empty => Kernel::default(),
        Body::Foreign => return Err("vendor cells (Wrapper, BlackBox) are not supported".into()),
    };
    for n in m.ports() {
        if n.kind == AtomKind::InOutParameter {
            return Err(format!("inout port `{}` is not supported", n.name));
        }
    }
    let mut w = Writer::new(m, &kernel, registers);
    w.kernel(&kernel)?;
    let mut text = w.header();
    if matches!(m.body, Body::Custom(_)) && !m.ports().any(|n| n.kind != AtomKind::InputParameter) {
        // A checker: its inputs are used under `ifdef` only.
        text = format!(
            "// verilator lint_off UNUSEDSIGNAL\n{text}    // verilator lint_on UNUSEDSIGNAL\n"
        );
    }
    w.declarations(&mut text);
    w.instances(&mut text, kinds);
    if let Body::Custom(code) = &m.body {
        text.push_str(&custom::body(m, code));
    }
    text.push_str(&w.assigns);
    text.push_str(&w.process());
    text.push_str(&w.clocked());
    text.push_str("endmodule\n");
    Ok(text)
}

struct Writer<'a> {
    m: &'a Module,
    p: Printer<'a>,
    /// How often the kernel assigns each signal.
    count: BTreeMap<String, usize>,
    /// Signals driven by the process: `reg`.
    regs: BTreeSet<String>,
    registers: Vec<Register>,
    /// Registers whose `d` is not printed: `d` to `q`.
    moved: BTreeMap<String, String>,
    /// Port connections of sub-blocks that need no wire: `child$port` to text.
    direct: BTreeMap<String, String>,
    /// Everything the kernel reads.
    used: BTreeSet<String>,
    /// Number of helpers that are wires; later ones belong to the process.
    wires: usize,
    assigns: String,
    code: Both,
}

impl<'a> Writer<'a> {
    fn new(m: &'a Module, kernel: &Kernel, registers: Registers) -> Self {
        let mut count = BTreeMap::new();
        count_targets(&kernel.code, &mut count);
        for (driven, _) in &kernel.links {
            *count.entry(driven.clone()).or_default() += 1;
        }
        Self {
            m,
            p: Printer {
                module: m,
                helpers: vec![],
                before: vec![],
                variables: BTreeSet::new(),
                read: BTreeMap::new(),
            },
            count,
            regs: BTreeSet::new(),
            registers: match registers {
                Registers::Signals => registers::of_module(m),
                Registers::Blocks => vec![],
            },
            moved: BTreeMap::new(),
            direct: BTreeMap::new(),
            used: reads(kernel),
            wires: 0,
            assigns: String::new(),
            code: Both::default(),
        }
    }

    fn kernel(&mut self, kernel: &Kernel) -> Result<()> {
        let mut stable: BTreeSet<String> = BTreeSet::new();
        let mut rest = vec![];
        for (driven, driver) in &kernel.links {
            let width = self.width(driven)?;
            self.connect(driven, &VerilogExpression::Signal(driver.clone()), width)?;
            stable.insert(driven.clone());
        }
        for s in &kernel.code {
            if let VerilogStatement::Assignment(VerilogExpression::Signal(t), value) = s {
                let mut reads = BTreeSet::new();
                expr_reads(value, &mut reads);
                let fixed = |r: &String| !self.count.contains_key(r) || stable.contains(r);
                if self.count.get(t) == Some(&1) && reads.iter().all(fixed) {
                    let width = self.width(t)?;
                    self.connect(t, value, width)
                        .map_err(|e| format!("{}: {e}", plain(t)))?;
                    stable.insert(t.clone());
                    continue;
                }
            }
            rest.push(s.clone());
        }
        self.wires = self.p.helpers.len();
        self.p.variables = self.variables(kernel);
        // One process has the assignments; with several clocks each process copies.
        let movable = match self.clocks().len() {
            1 => registers::movable(&self.registers, &rest, &self.used),
            _ => BTreeSet::new(),
        };
        let of_q = self.registers.iter().map(|r| (r.d.clone(), r.q.clone()));
        self.moved = of_q.filter(|(d, _)| movable.contains(d)).collect();
        let rest = registers::without_holds(rest, &self.moved);
        self.used = reads(&Kernel {
            code: registers::without_holds(kernel.code.clone(), &self.moved),
            ..kernel.clone()
        });
        self.code = self.block(&rest)?;
        Ok(())
    }

    /// What the process assigns several times and something else reads: a port, a sub-block, a connection.
    /// A register reads at the edge of the clock only.
    fn variables(&self, kernel: &Kernel) -> BTreeSet<String> {
        let shown = |name: &str| match self.m.net(name) {
            Some((Place::Child, _)) => !self.m.is_of_flip_flop(name),
            Some((Place::Own, net)) => {
                net.kind == AtomKind::OutputParameter
                    || kernel.links.iter().any(|(_, driver)| driver == name)
            }
            None => false,
        };
        let several = self.count.iter().filter(|(_, &times)| times > 1);
        let names = several.map(|(name, _)| name);
        names.filter(|name| shown(name)).cloned().collect()
    }

    fn width(&self, name: &str) -> Result<usize> {
        let net = self
            .m
            .net(name)
            .ok_or_else(|| format!("unknown name `{name}`"))?;
        Ok(net.1.width)
    }

    /// Drive `target` continuously.
    fn connect(&mut self, target: &str, value: &VerilogExpression, width: usize) -> Result<()> {
        let text = self.p.expr(value, width)?;
        for (name, value) in std::mem::take(&mut self.p.before) {
            assign(&mut self.assigns, "assign ", 1, &name, &value);
        }
        let child = matches!(self.m.net(target), Some((Place::Child, _)));
        let simple = matches!(value, VerilogExpression::Signal(_));
        if child && (simple || self.registers.iter().any(|r| r.d == target)) {
            self.direct.insert(target.into(), text);
        } else {
            assign(&mut self.assigns, "assign ", 1, &plain(target), &text);
        }
        Ok(())
    }

    fn block(&mut self, b: &[VerilogStatement]) -> Result<Both> {
        let mut all = Both::default();
        for s in b {
            let Both { logic, clocked } = self.stmt(s)?;
            all.logic.extend(logic);
            all.clocked.extend(clocked);
        }
        Ok(all)
    }

    /// The expression just printed is computed with these helpers, before it and by the process of logic.
    fn helpers(&mut self) -> Vec<Stmt> {
        let before = std::mem::take(&mut self.p.before);
        let helper = |(name, value)| Stmt::Assign(name, "=", value);
        before.into_iter().map(helper).collect()
    }

    /// `bits` of the signal `t`, all of them without, become `value`.
    fn assigned(&mut self, t: &str, bits: Option<(usize, usize)>, value: String) -> Result<Both> {
        let width = self.width(t)?;
        let of = |name: &str| match bits {
            Some((from, n)) => part(name, width, from, n),
            None => name.to_string(),
        };
        let mut both = Both {
            logic: self.helpers(),
            clocked: vec![],
        };
        match self.moved.get(t) {
            Some(q) => {
                let target = of(&self.shown(q));
                both.clocked.push(Stmt::Assign(target, "<=", value));
            }
            None => {
                self.regs.insert(t.into());
                let target = of(&self.p.name(t));
                both.logic.push(Stmt::Assign(target, "=", value));
            }
        }
        Ok(both)
    }

    fn stmt(&mut self, s: &VerilogStatement) -> Result<Both> {
        use VerilogStatement as S;
        match s {
            S::Assignment(VerilogExpression::Signal(t), value) => {
                let width = self.width(t)?;
                let value = self.p.expr(value, width);
                let value = value.map_err(|e| format!("{}: {e}", plain(t)))?;
                self.assigned(t, None, value)
            }
            S::SliceAssignment {
                base: VerilogExpression::Signal(t),
                width,
                offset,
                replacement,
            } => {
                let value = self.p.expr(replacement, *width);
                let value = value.map_err(|e| format!("{}: {e}", plain(t)))?;
                let VerilogExpression::Literal(from) = offset else {
                    return Err(format!("{}: assignment to computed bits", plain(t)));
                };
                let from = Num::of(from).small().unwrap_or_default() as usize;
                self.assigned(t, Some((from, *width)), value)
            }
            S::If(c) => self.conditional(c),
            S::Match(m) => self.case(m),
            _ => Err("statement that is not an assignment, if or match".into()),
        }
    }

    fn conditional(&mut self, c: &VerilogConditional) -> Result<Both> {
        let test = self.p.expr(&c.test, 1)?;
        let mut logic = self.helpers();
        let then = self.block(&c.then)?;
        let otherwise = match &c.otherwise {
            VerilogBlockOrConditional::None => Both::default(),
            VerilogBlockOrConditional::Block(b) => self.block(b)?,
            VerilogBlockOrConditional::Conditional(s) => match &**s {
                VerilogStatement::If(c) => self.conditional(c)?,
                _ => return Err("else branch that is not a block or an if".into()),
            },
        };
        let one = |then, otherwise| Stmt::If {
            test: test.clone(),
            then,
            otherwise,
        };
        logic.push(one(then.logic, otherwise.logic));
        let clocked = vec![one(then.clocked, otherwise.clocked)];
        Ok(Both { logic, clocked })
    }

    fn case(&mut self, m: &VerilogMatch) -> Result<Both> {
        let width = self.p.width(&m.test)?.ok_or("match on a number")?;
        let of = self.p.expr(&m.test, width)?;
        let mut all = Both {
            logic: self.helpers(),
            clocked: vec![],
        };
        let (mut logic, mut clocked) = (vec![], vec![]);
        for c in &m.cases {
            let label = match pattern(self.m, &c.condition) {
                Some((Some(_), _)) => {
                    self.used.insert(c.condition.clone());
                    plain(&c.condition)
                }
                Some((None, v)) => Num::from(v)
                    .sized(width)
                    .ok_or_else(|| format!("pattern {v} does not fit into {width} bits"))?,
                None => "default".into(),
            };
            let body = self.block(&c.block)?;
            logic.push((label.clone(), body.logic));
            clocked.push((label, body.clocked));
        }
        if !m.cases.iter().any(|c| c.condition == "default") {
            logic.push(("default".into(), vec![]));
            clocked.push(("default".into(), vec![]));
        }
        all.logic.push(Stmt::Case {
            of: of.clone(),
            arms: logic,
        });
        all.clocked.push(Stmt::Case { of, arms: clocked });
        Ok(all)
    }

    fn header(&self) -> String {
        let ports: Vec<&Net> = self.m.ports().collect();
        if ports.is_empty() {
            return format!("module {SELF};\n");
        }
        let mut text = format!("module {SELF} (\n");
        for (i, n) in ports.iter().enumerate() {
            let custom = matches!(self.m.body, Body::Custom(_));
            let kind = match n.kind {
                AtomKind::InputParameter => "input  wire",
                _ if custom || self.regs.contains(&n.name) => "output reg ",
                _ => "output wire",
            };
            let comma = if i + 1 < ports.len() { "," } else { "" };
            let line = format!("    {kind} {}{}{comma}", range(n.width), plain(&n.name));
            match self.unread(n, &n.name) {
                Some(bits) => partly(&mut text, &line, &bits),
                None => text += &(line + "\n"),
            }
        }
        text + ");\n"
    }

    /// The bits of a signal that the kernel alone could read and does not, where it reads others of it.
    fn unread(&self, net: &Net, name: &str) -> Option<String> {
        use AtomKind::{InputParameter, LocalSignal, OutputParameter};
        let alone = match self.m.net(name)?.0 {
            Place::Own => matches!(net.kind, InputParameter | LocalSignal),
            Place::Child => net.kind == OutputParameter,
        };
        let read = self.p.read.get(name).filter(|_| alone)?;
        let (mut from, mut runs) = (None, vec![]);
        for bit in 0..=net.width {
            match (from, read.get(bit)) {
                (None, Some(false)) => from = Some(bit),
                (Some(low), None | Some(true)) => {
                    runs.insert(0, part("", net.width, low, bit - low));
                    from = None;
                }
                _ => {}
            }
        }
        (!runs.is_empty()).then(|| runs.join(", "))
    }

    fn declarations(&self, out: &mut String) {
        let mut lines: Vec<(String, Option<String>)> = vec![];
        let mut line = |s: String| lines.push((format!("    {s};"), None));
        let used = |name: &str| match &self.m.body {
            Body::Custom(code) => custom::mentions(code, name),
            _ => self.used.contains(name),
        };
        for n in self.m.nets.iter().filter(|n| n.kind == AtomKind::Constant) {
            if used(&n.name) {
                let value = n.value.sized(n.width).expect("a constant fits its type");
                line(format!(
                    "localparam {}{} = {value}",
                    range(n.width),
                    plain(&n.name)
                ));
            }
        }
        for (name, l) in &self.m.labels {
            if used(name) {
                let value = Num::from(l.code as u64)
                    .sized(l.width.max(1))
                    .unwrap_or_default();
                line(format!(
                    "localparam {}{} = {value}",
                    range(l.width),
                    plain(name)
                ));
            }
        }
        for n in self
            .m
            .nets
            .iter()
            .filter(|n| n.kind == AtomKind::LocalSignal)
        {
            lines.push((self.declaration(n, &n.name), self.unread(n, &n.name)));
        }
        for r in &self.registers {
            let q = format!("    reg  {}{};", range(r.width), self.shown(&r.q));
            let (_, net) = self.m.net(&r.q).expect("a port of a sub-block");
            lines.push((q, self.unread(net, &r.q)));
            if !self.moved.contains_key(&r.d) && !self.direct.contains_key(&r.d) {
                let (_, net) = self.m.net(&r.d).expect("a port of a sub-block");
                lines.push((self.declaration(net, &r.d), None));
            }
        }
        for c in self.m.children.iter().filter(|c| !self.is_register(c)) {
            for n in c.ports() {
                let name = format!("{}${}", c.name, n.name);
                let open = n.kind == AtomKind::OutputParameter && !self.used.contains(&name);
                if open {
                    let unused = format!("    wire {}{};", range(n.width), unused(&name));
                    lines.push((unused, None));
                } else if !self.direct.contains_key(&name) {
                    lines.push((self.declaration(n, &name), self.unread(n, &name)));
                }
            }
        }
        for (i, helper) in self.p.helpers.iter().enumerate() {
            let Helper { name, width, keeps } = helper;
            let kind = if i < self.wires { "wire" } else { "reg " };
            let bits = part("", *width, *keeps, *width - *keeps);
            lines.push((format!("    {kind} {}{name};", range(*width)), Some(bits)));
        }
        for name in &self.p.variables {
            let width = self.m.net(name).map_or(1, |(_, net)| net.width);
            let variable = format!("    reg  {}{};", range(width), variable(name));
            lines.push((variable, None));
        }
        for (line, unread) in lines {
            match unread {
                Some(bits) => partly(out, &line, &bits),
                None => *out += &(line + "\n"),
            }
        }
    }

    fn declaration(&self, n: &Net, name: &str) -> String {
        let kind = if self.regs.contains(name) {
            "reg "
        } else {
            "wire"
        };
        format!("    {kind} {}{};", range(n.width), plain(name))
    }

    fn instances(&self, out: &mut String, kinds: &[Option<String>]) {
        for (c, kind) in self.m.children.iter().zip(kinds) {
            let Some(kind) = kind else { continue };
            let ports: Vec<String> = c
                .ports()
                .map(|n| {
                    let name = format!("{}${}", c.name, n.name);
                    let open = n.kind == AtomKind::OutputParameter && !self.used.contains(&name);
                    let to = match self.direct.get(&name) {
                        Some(text) => text.clone(),
                        None if open => unused(&name),
                        None => plain(&name),
                    };
                    format!("        .{}({to})", plain(&n.name))
                })
                .collect();
            let name = plain(&c.name);
            writeln!(out, "\n    {kind} {name} (\n{}\n    );", ports.join(",\n"))
                .expect("write to string");
        }
    }

    fn is_register(&self, child: &Module) -> bool {
        let of_child = |r: &Register| r.q.strip_suffix("$q") == Some(&child.name);
        self.registers.iter().any(of_child)
    }

    /// The name of a signal of a sub-block.
    fn shown(&self, name: &str) -> String {
        match self.used.contains(name) {
            true => plain(name),
            false => unused(name),
        }
    }

    fn process(&self) -> String {
        if tree::is_empty(&self.code.logic) {
            return String::new();
        }
        let mut s = String::from("\n    always @(*) begin\n");
        for helper in &self.p.helpers[self.wires..] {
            let zero = Num::default().sized(helper.width).unwrap_or_default();
            assign(&mut s, "", 2, &helper.name, &zero);
        }
        tree::print(&mut s, &self.code.logic, 2);
        for name in &self.p.variables {
            assign(&mut s, "", 2, &plain(name), &variable(name));
        }
        s.push_str("    end\n");
        s
    }

    /// What registers begin with, and what they take at the edge of each clock.
    fn clocked(&self) -> String {
        if self.registers.is_empty() {
            return String::new();
        }
        let mut s = String::from("\n    initial begin\n");
        for r in &self.registers {
            assign(&mut s, "", 2, &self.shown(&r.q), &r.begins);
        }
        s.push_str("    end\n");
        for edge in self.clocks() {
            writeln!(s, "\n    always @(posedge {edge}) begin").expect("write to string");
            let copied = |r: &&Register| self.clock(r) == edge && !self.moved.contains_key(&r.d);
            for r in self.registers.iter().filter(copied) {
                let d = self.direct.get(&r.d).cloned();
                let value = d.unwrap_or_else(|| plain(&r.d));
                let copy = Stmt::Assign(self.shown(&r.q), "<=", value);
                tree::print(&mut s, &[copy], 2);
            }
            let mut code = String::new();
            tree::print(&mut code, &self.code.clocked, 2);
            s.push_str(&signals(&code));
            s.push_str("    end\n");
        }
        s
    }

    fn clock(&self, r: &Register) -> String {
        let direct = self.direct.get(&r.clock);
        direct.cloned().unwrap_or_else(|| plain(&r.clock))
    }

    /// Of the registers.
    fn clocks(&self) -> BTreeSet<String> {
        self.registers.iter().map(|r| self.clock(r)).collect()
    }
}

/// With the names of signals in place of those of their variables: at the edge they have the same values.
fn signals(code: &str) -> String {
    let mut text = String::with_capacity(code.len());
    for (at, part) in code.split(VARIABLE).enumerate() {
        let inside = text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if at > 0 && inside {
            text.push_str(VARIABLE);
        }
        text.push_str(part);
    }
    text
}

/// All identifiers a module declares, as the library spells them.
pub(crate) fn names(m: &Module) -> Vec<String> {
    let mut v: Vec<String> = m.nets.iter().map(|n| n.name.clone()).collect();
    v.extend(m.labels.keys().cloned());
    for c in &m.children {
        v.push(c.name.clone());
        v.extend(c.ports().map(|n| format!("{}${}", c.name, n.name)));
    }
    v
}

fn assign(out: &mut String, keyword: &str, depth: usize, target: &str, value: &str) {
    indent(out, depth);
    writeln!(out, "{keyword}{target} = {};", bare(value)).expect("write to string");
}

/// Without outer parentheses.
fn bare(text: &str) -> &str {
    match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(t) if balanced(t) => t,
        _ => text,
    }
}

/// A declaration of which some bits are never read: said to Verilator, and to the reader, at its place.
fn partly(out: &mut String, line: &str, bits: &str) {
    writeln!(
        out,
        "    // verilator lint_off UNUSEDSIGNAL\n{line} // not read: {bits}\n    // verilator lint_on UNUSEDSIGNAL"
    )
    .expect("write to string");
}

/// The wire at an output of a sub-block that nobody reads. Verilator knows such names.
fn unused(name: &str) -> String {
    format!("unused_{}", plain(name))
}

fn indent(out: &mut String, depth: usize) {
    out.push_str(&"    ".repeat(depth));
}

fn range(width: usize) -> String {
    match width {
        0 | 1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}

fn count_targets(b: &[VerilogStatement], count: &mut BTreeMap<String, usize>) {
    each(b, &mut |s| match s {
        VerilogStatement::Assignment(VerilogExpression::Signal(t), _)
        | VerilogStatement::SliceAssignment {
            base: VerilogExpression::Signal(t),
            ..
        } => {
            *count.entry(t.clone()).or_default() += 1;
        }
        _ => {}
    });
}

/// Everything the kernel reads.
pub(crate) fn reads(kernel: &Kernel) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    block_reads(&kernel.code, &mut all);
    all.extend(kernel.links.iter().map(|(_, driver)| driver.clone()));
    all
}

fn block_reads(b: &[VerilogStatement], out: &mut BTreeSet<String>) {
    each(b, &mut |s| match s {
        VerilogStatement::Assignment(_, r) => expr_reads(r, out),
        VerilogStatement::SliceAssignment {
            offset,
            replacement,
            ..
        } => {
            expr_reads(offset, out);
            expr_reads(replacement, out);
        }
        VerilogStatement::If(c) => expr_reads(&c.test, out),
        VerilogStatement::Match(m) => expr_reads(&m.test, out),
        _ => {}
    });
}

/// Every statement, however deep.
fn each(b: &[VerilogStatement], f: &mut impl FnMut(&VerilogStatement)) {
    for s in b {
        f(s);
        match s {
            VerilogStatement::If(c) => {
                each(&c.then, f);
                match &c.otherwise {
                    VerilogBlockOrConditional::Block(b) => each(b, f),
                    VerilogBlockOrConditional::Conditional(s) => each(std::slice::from_ref(s), f),
                    VerilogBlockOrConditional::None => {}
                }
            }
            VerilogStatement::Match(m) => m.cases.iter().for_each(|c| each(&c.block, f)),
            _ => {}
        }
    }
}

fn expr_reads(e: &VerilogExpression, out: &mut BTreeSet<String>) {
    use VerilogExpression as E;
    match e {
        E::Signal(s) => {
            out.insert(s.clone());
        }
        E::Literal(_) => {}
        E::Cast(x, _) | E::Signed(x) | E::Unsigned(x) | E::Paren(x) | E::Unary(_, x) => {
            expr_reads(x, out);
        }
        E::Binary(l, _, r) => {
            expr_reads(l, out);
            expr_reads(r, out);
        }
        E::Index(x, i) | E::Slice(x, _, i) => {
            expr_reads(x, out);
            expr_reads(i, out);
        }
        E::IndexReplace(x, i, v) => {
            expr_reads(x, out);
            expr_reads(i, out);
            expr_reads(v, out);
        }
    }
}
