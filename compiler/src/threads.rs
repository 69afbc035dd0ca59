//! What threads do, as far as the source says (COMP-071): the compiler runs the threads of a few warps itself, one
//! after the other, over the functions of the file.
//!
//! Thread numbers, constants and read-only data are known, and what is computed from them.
//! A branch on a value that is not known goes where a supposition sends it ([`Model`]).

use crate::arithmetic::{alu, atomic, holds, multiply};
use crate::contest::Contest;
use crate::divergence::Divergence;
use crate::entry::entry;
use crate::flow::{Edge, EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::registers::{bit, Registers, A0, CALLER_SAVED, RA, SP};
use crate::source::{rank, Control, Edits, Source, Target};
use crate::{Input, Options};
use std::collections::HashMap;
use weft_isa::{decode, AluOp, AmoOp, BranchCond, Instr, LoadWidth, Program, StoreWidth};

/// What is supposed where nothing is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Rounds of an outermost loop, in the mean; those of loops in it are fewer.
    pub rounds: f64,
    /// How often a branch that leaves no loop is taken.
    pub taken: f64,
    /// Of the executions of a possibly divergent branch, the fraction in which all threads agree.
    pub agree: f64,
    /// Nodes after which a path looks for a way out of its loops.
    pub nodes: usize,
}

const fn model(rounds: f64, taken: f64, agree: f64) -> Model {
    Model {
        rounds,
        taken,
        agree,
        nodes: 300,
    }
}

/// What is supposed in turn: nobody knows what the program will be given, and a choice has to do well with all of it.
pub(crate) const MODELS: [Model; 3] = [
    model(6.0, 0.5, 0.0),
    model(3.0, 0.3, 0.6),
    model(9.0, 0.75, 0.3),
];

/// How often a branch goes to where a loop begins, and not past it.
const ENTERS: f64 = 0.85;

/// Instructions of a call whose function is not in the file.
const CALL: f64 = 40.0;

/// Threads of a warp.
pub(crate) const WIDTH: u32 = 32;

/// None.
pub(crate) const NONE: u32 = u32::MAX;

/// Instructions that are executed one after the other: a block, or a part of it up to a call.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub function: usize,
    pub block: usize,
    /// The block's end is this node's end.
    pub ends: bool,
    /// Statements; none behind a call that ends its block.
    code: std::ops::Range<usize>,
    /// Instructions that change nothing but data, and those of which the convergence unit hears.
    pub plain: f64,
    pub resolved: f64,
}

/// A node, and the edge that the thread takes behind it; [`NONE`]: into a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: u32,
    pub edge: u32,
}

/// Where threads begin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// A kernel: number of the first thread, and threads of the grid.
    Kernel(u32, u32),
    /// A function that nobody is known to call; its arguments are not known.
    Called,
}

/// What the threads of a warp did.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    pub threads: Vec<Vec<Step>>,
    /// Somewhere threads may have parted, and it was not known who goes where.
    pub drawn: bool,
}

/// The file, assembled.
#[derive(Debug)]
struct Image {
    addresses: Vec<u32>,
    at: HashMap<u32, usize>,
    /// By statement.
    instructions: Vec<Vec<Instr>>,
    base: u32,
    bytes: Vec<u8>,
    known: Vec<bool>,
    global_pointer: u32,
}

/// The functions of a file, as nodes.
#[derive(Debug)]
pub(crate) struct Machine<'a> {
    source: &'a Source,
    functions: &'a [Function],
    shapes: &'a [Shape],
    divergences: &'a [Divergence],
    pub nodes: Vec<Node>,
    /// By statement: the node of the block that begins there.
    node_at: Vec<u32>,
    pub edges: Vec<(usize, Edge)>,
    /// By function and block: the number of its first edge.
    first_edge: Vec<Vec<usize>>,
    image: Option<Image>,
    /// By edge: threads come along it one by one (COMP-095), those that wait behind all who do not; and the node where
    /// the others begin anew.
    pub apart: Vec<Option<(bool, u32)>>,
    /// By edge: an attempt has failed there.
    fails: Vec<bool>,
    /// By node: an attempt begins there.
    pub attempts: Vec<bool>,
    /// Instructions of a thread behind the return of `kernel`: none where that ends the thread (COMP-127).
    pub behind: f64,
    pub mutation: Option<Mutation>,
}

impl<'a> Machine<'a> {
    pub fn new(
        source: &'a Source,
        functions: &'a [Function],
        shapes: &'a [Shape],
        divergences: &'a [Divergence],
        options: &Options,
    ) -> Machine<'a> {
        let mut machine = Machine {
            source,
            functions,
            shapes,
            divergences,
            nodes: Vec::new(),
            node_at: vec![NONE; source.code.len()],
            edges: Vec::new(),
            first_edge: Vec::new(),
            apart: Vec::new(),
            fails: Vec::new(),
            attempts: Vec::new(),
            image: Image::of(source, &options.inputs),
            behind: match entry(source, functions, options) {
                Some(_) => 0.0,
                None => 1.0,
            },
            mutation: options.mutation,
        };
        for (number, function) in functions.iter().enumerate() {
            let mut first = Vec::new();
            for (block, own) in function.blocks.iter().enumerate() {
                first.push(machine.edges.len());
                machine
                    .edges
                    .extend(own.edges.iter().map(|&edge| (number, edge)));
                if machine.node_at[own.first] == NONE {
                    machine.node_at[own.first] = machine.nodes.len() as u32;
                }
                let mut begin = own.first;
                for at in own.code() {
                    let calls = matches!(
                        source.code[at].control,
                        Control::Call(_) | Control::CallIndirect
                    );
                    if calls {
                        machine.node(number, block, begin..at + 1, false);
                        begin = at + 1;
                    }
                }
                machine.node(number, block, begin..own.last + 1, true);
            }
            machine.first_edge.push(first);
        }
        machine.apart = vec![None; machine.edges.len()];
        machine.fails = vec![false; machine.edges.len()];
        machine.attempts = vec![false; machine.nodes.len()];
        machine
    }

    /// COMP-095
    pub fn compete(&mut self, function: usize, contest: &Contest) {
        for (edge, apart) in &contest.out {
            let number = self.edge_number(function, edge);
            let header = self.node_of(function, apart.header);
            self.apart[number] = Some((apart.waits, header));
        }
        for edge in &contest.fails {
            let number = self.edge_number(function, edge);
            self.fails[number] = true;
        }
        for &block in &contest.attempts {
            let node = self.node_of(function, block);
            self.attempts[node as usize] = true;
        }
    }

    fn node(&mut self, function: usize, block: usize, code: std::ops::Range<usize>, ends: bool) {
        let (mut plain, mut resolved) = (0.0, 0.0);
        for insn in &self.source.code[code.clone()] {
            match &insn.control {
                Control::Plain => insn.ops.iter().for_each(|op| {
                    match op.instr.changes_nothing_but_data()
                        && !matches!(op.instr, Instr::Barrier { .. })
                    {
                        true => plain += 1.0,
                        false => resolved += 1.0,
                    }
                }),
                Control::Call(Target::Elsewhere(_)) => {
                    resolved += 2.0;
                    plain += CALL;
                }
                _ => resolved += 1.0,
            }
        }
        self.nodes.push(Node {
            function,
            block,
            ends,
            code,
            plain,
            resolved,
        });
    }

    /// The node that a block begins with.
    pub fn node_of(&self, function: usize, block: usize) -> u32 {
        self.node_at[self.functions[function].blocks[block].first]
    }

    pub fn has_block(&self, function: usize, block: usize) -> bool {
        block < self.functions[function].blocks.len()
    }

    /// The node that ends the block of this one.
    pub fn last_node(&self, mut node: u32) -> u32 {
        while !self.nodes[node as usize].ends {
            node += 1;
        }
        node
    }

    pub fn edge_number(&self, function: usize, edge: &Edge) -> usize {
        let edges = &self.functions[function].blocks[edge.from].edges;
        let way = edges.iter().position(|other| other == edge).unwrap_or(0);
        self.first_edge[function][edge.from] + way
    }

    /// What the node ends with is not simply a branch: each group of threads executes it once more.
    pub fn is_indirect(&self, node: u32) -> bool {
        let code = &self.nodes[node as usize].code;
        code.end > code.start
            && matches!(
                self.source.code[code.end - 1].control,
                Control::Indirect(_) | Control::CallIndirect | Control::Return
            )
    }

    /// Runs the threads of a warp; each for so many nodes at most.
    pub fn paths(&self, function: usize, start: Start, model: &Model, most: usize) -> Paths {
        let mut paths = Paths::default();
        let mut memory = self.image.as_ref().map(Memory::of);
        for lane in 0..WIDTH {
            let mut thread = Thread {
                machine: self,
                model,
                lane,
                registers: [None; 32],
                counted: 0,
                reservation: false,
                memory: memory.as_mut(),
                start,
                drawn: &mut paths.drawn,
                visits: HashMap::new(),
            };
            thread.registers[0] = Some(0);
            thread.registers[usize::from(SP)] = Some(STACK_END);
            thread.registers[3] = self.image.as_ref().map(|image| image.global_pointer);
            let known = self.mutation != Some(Mutation::UnknownThreads);
            if let (Start::Kernel(first, threads), true) = (start, known) {
                thread.registers[usize::from(A0)] = Some(first + lane);
                thread.registers[usize::from(A0) + 1] = Some(threads);
            }
            let path = thread.run(function, most);
            paths.threads.push(path);
        }
        paths
    }
}

impl Image {
    /// `None`: it cannot be assembled alone, even with what it refers to elsewhere put in.
    fn of(source: &Source, inputs: &[Input]) -> Option<Image> {
        let mut edits = Edits::default();
        for at in 0..source.code.len() {
            edits.before(source, at, rank::PUSH, &format!("weft.at.{at}:"));
        }
        let text = edits.apply(source);
        let mut elsewhere = String::from("\n\t.text\nweft.elsewhere:\n");
        if !source.labels.contains_key("_start") {
            elsewhere += "\t.globl _start\n_start:\n\t.word 0\n";
        }
        // Where the inputs lie, also those whose names stand for places in other variables, as Clang merges them.
        for (n, (name, _)) in inputs.iter().enumerate() {
            elsewhere += &format!("weft.input.{n}:\n\t.word {name}\n");
        }
        let mut program = weft_isa::assemble(&(text.clone() + &elsewhere), "");
        if let Err(errors) = &program {
            let undefined = |message: &str| {
                let name = message.strip_prefix("undefined symbol `")?;
                Some(name.split('`').next()?.to_string())
            };
            for name in errors
                .errors()
                .iter()
                .filter_map(|e| undefined(e.message()))
            {
                elsewhere += &format!("\t.globl {name}\n{name}:\n\t.word 0\n");
            }
            program = weft_isa::assemble(&(text + &elsewhere), "");
        }
        Image::loaded(source, &program.ok()?, inputs)
    }

    fn loaded(source: &Source, program: &Program, inputs: &[Input]) -> Option<Image> {
        let symbol = |name: &str| program.symbols.get(name).copied();
        let addresses: Vec<u32> = (0..source.code.len())
            .map(|at| symbol(&format!("weft.at.{at}")))
            .collect::<Option<_>>()?;
        let base = program.segments.first()?.address;
        let end = symbol("_end")?.max(base);
        let mut image = Image {
            at: addresses.iter().copied().zip(0..).collect(),
            addresses,
            instructions: Vec::new(),
            base,
            bytes: vec![0; (end - base) as usize],
            known: vec![!inputs.is_empty(); (end - base) as usize],
            global_pointer: program.global_pointer(),
        };
        for segment in &program.segments {
            let first = (segment.address - base) as usize;
            let last = first + segment.bytes.len();
            image
                .bytes
                .get_mut(first..last)?
                .copy_from_slice(&segment.bytes);
            // What stands in .bss comes from elsewhere, as a rule.
            if symbol("__bss_start")? > segment.address {
                image.known[first..last].fill(true);
            }
        }
        let (first, last) = (symbol("weft.elsewhere")? - base, program.text.1 - base);
        image.known[first as usize..last as usize].fill(false);
        for (n, (_, bytes)) in inputs.iter().enumerate() {
            let word = (symbol(&format!("weft.input.{n}"))? - base) as usize;
            let at = u32::from_le_bytes(image.bytes.get(word..word + 4)?.try_into().ok()?);
            let Some(at) = at.checked_sub(base) else {
                continue;
            };
            // It lies in another file, and here is one word for its name.
            if (first..last).contains(&at) {
                continue;
            }
            if let Some(place) = image.bytes.get_mut(at as usize..at as usize + bytes.len()) {
                place.copy_from_slice(bytes);
            }
        }
        let word = |address: u32| {
            let at = (address - base) as usize;
            let bytes = image.bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let elsewhere = symbol("weft.elsewhere")?;
        let ends = image.addresses.iter().skip(1).copied().chain([elsewhere]);
        let instructions = image.addresses.iter().zip(ends).map(|(&first, end)| {
            let words = (first..end.min(first + 64)).step_by(4).map_while(word);
            words.map_while(|word| decode(word).ok()).collect()
        });
        image.instructions = instructions.collect();
        Some(image)
    }
}

const STACK: u32 = 1 << 13;
const STACK_END: u32 = 0x4000_0000;

/// Memory of the threads, which run one after the other; a stack for the one that runs.
struct Memory<'a> {
    image: &'a Image,
    bytes: Vec<u8>,
    known: Vec<bool>,
    stack: Vec<Option<u8>>,
}

impl<'a> Memory<'a> {
    fn of(image: &'a Image) -> Memory<'a> {
        Memory {
            image,
            bytes: image.bytes.clone(),
            known: image.known.clone(),
            stack: vec![None; STACK as usize],
        }
    }

    fn load(&self, address: Option<u32>, width: u32) -> Option<u32> {
        let address = address?;
        let byte = |at: u32| -> Option<u8> {
            if let Some(at) = at.checked_sub(STACK_END - STACK) {
                return self.stack.get(at as usize).copied().flatten();
            }
            let at = at.checked_sub(self.image.base)? as usize;
            self.known.get(at)?.then(|| self.bytes[at])
        };
        (0..width).try_fold(0, |all, n| {
            Some(all | u32::from(byte(address.wrapping_add(n))?) << (8 * n))
        })
    }

    fn store(&mut self, address: Option<u32>, width: u32, value: Option<u32>) {
        // Nobody knows where to: what is known stays so, for want of better.
        let Some(address) = address else { return };
        for n in 0..width {
            let (at, byte) = (address.wrapping_add(n), value.map(|v| (v >> (8 * n)) as u8));
            if let Some(at) = at.checked_sub(STACK_END - STACK) {
                if let Some(place) = self.stack.get_mut(at as usize) {
                    *place = byte;
                }
            } else if let Some(at) = at.checked_sub(self.image.base).map(|at| at as usize) {
                if at < self.bytes.len() {
                    self.known[at] = byte.is_some();
                    self.bytes[at] = byte.unwrap_or(0);
                }
            }
        }
    }
}

struct Thread<'a, 'b, 'c> {
    machine: &'c Machine<'a>,
    model: &'c Model,
    lane: u32,
    registers: [Option<u32>; 32],
    /// Registers with what an addition to memory gave: each thread has another value.
    counted: Registers,
    reservation: bool,
    memory: Option<&'c mut Memory<'b>>,
    start: Start,
    drawn: &'c mut bool,
    visits: HashMap<(usize, usize), u64>,
}

/// Where a thread goes behind a node.
enum Next {
    Edge(usize),
    Into(usize),
    End,
}

impl Thread<'_, '_, '_> {
    fn get(&self, register: u8) -> Option<u32> {
        self.registers[usize::from(register)]
    }

    fn set(&mut self, register: u8, value: Option<u32>) {
        if register != 0 {
            self.registers[usize::from(register)] = value;
            self.counted &= !bit(register);
        }
    }

    fn run(mut self, function: usize, most: usize) -> Vec<Step> {
        if let Some(memory) = self.memory.as_mut() {
            memory.stack.fill(None);
        }
        let machine = self.machine;
        let mut calls: Vec<u32> = Vec::new();
        let mut path = Vec::new();
        let mut at = machine.node_of(function, 0);
        while at != NONE && path.len() < most {
            let node = &machine.nodes[at as usize];
            for statement in node.code.clone() {
                self.statement(statement);
            }
            let next = match node.ends {
                true => self.end(node, path.len()),
                false => self.call(node),
            };
            let (edge, to) = match next {
                Next::Into(callee) => {
                    calls.push(at + 1);
                    (NONE, machine.node_at[callee])
                }
                Next::End if node.ends => (NONE, NONE),
                Next::End => (NONE, at + 1),
                Next::Edge(number) => {
                    let (function, edge) = machine.edges[number];
                    let to = match edge.kind {
                        EdgeKind::Return => calls.pop().unwrap_or(NONE),
                        EdgeKind::Away => self.away(node, &mut calls),
                        _ => machine.node_of(function, edge.to),
                    };
                    (number as u32, to)
                }
            };
            path.push(Step { node: at, edge });
            at = to;
        }
        path
    }

    /// A jump to another function for good, or the thread's end.
    fn away(&self, node: &Node, calls: &mut Vec<u32>) -> u32 {
        let last = node.code.end.saturating_sub(1);
        match &self.machine.source.code[last].control {
            Control::End | Control::Bytes => NONE,
            Control::Jump(Target::Code(to)) => self.machine.node_at[*to],
            Control::Branch {
                target: Target::Code(to),
                ..
            } => self.machine.node_at[*to],
            Control::Indirect(register) => match self.code_at(self.get(*register)) {
                Some(to) => self.machine.node_at[to],
                None => calls.pop().unwrap_or(NONE),
            },
            _ => calls.pop().unwrap_or(NONE),
        }
    }

    fn code_at(&self, address: Option<u32>) -> Option<usize> {
        self.machine.image.as_ref()?.at.get(&address?).copied()
    }

    fn call(&mut self, node: &Node) -> Next {
        let last = node.code.end - 1;
        let callee = match &self.machine.source.code[last].control {
            Control::Call(Target::Code(callee)) => Some(*callee),
            Control::CallIndirect => {
                let jump = self.machine.source.code[last].ops.last();
                let register = jump.and_then(|op| op.instr.registers()[1]);
                self.code_at(register.and_then(|register| self.get(register)))
            }
            _ => None,
        };
        match callee.filter(|&callee| self.machine.node_at[callee] != NONE) {
            Some(callee) => Next::Into(callee),
            None => {
                let lost = (1..32).filter(|r| CALLER_SAVED >> r & 1 == 1);
                lost.for_each(|register| self.set(register, None));
                Next::End
            }
        }
    }

    /// The edge out of the block.
    fn end(&mut self, node: &Node, length: usize) -> Next {
        let (function, block) = (node.function, node.block);
        let own = &self.machine.functions[function].blocks[block];
        let first = self.machine.first_edge[function][block];
        let visit = self.visits.entry((function, block)).or_default();
        *visit += 1;
        let visit = *visit;
        let find = |wanted: &dyn Fn(&Edge) -> bool| {
            own.edges.iter().position(wanted).map(|way| first + way)
        };
        if own.edges.len() == 1 {
            return Next::Edge(first);
        }
        let known = match &self.machine.source.code[own.last].control {
            Control::Branch { cond, rs1, rs2, .. } => {
                // The edge that is taken comes first.
                let values = self.get(*rs1).zip(self.get(*rs2));
                values.map(|(a, b)| first + usize::from(!holds(*cond, a, b)))
            }
            Control::Indirect(register) => self.code_at(self.get(*register)).and_then(|to| {
                let blocks = &self.machine.functions[function].blocks;
                find(&|edge| blocks.get(edge.to).is_some_and(|b| b.first == to))
            }),
            _ => find(&|edge| edge.kind == EdgeKind::Fall),
        };
        match known {
            Some(edge) => Next::Edge(edge),
            None if own.edges.is_empty() => Next::End,
            None => Next::Edge(first + self.drawn_way(function, block, visit, length)),
        }
    }

    /// Nothing is known of the branch.
    fn drawn_way(&mut self, function: usize, block: usize, visit: u64, length: usize) -> usize {
        let (shape, edges) = (
            &self.machine.shapes[function],
            &self.machine.functions[function].blocks[block].edges,
        );
        let parts = self.machine.divergences[function].branches[block];
        *self.drawn |= parts || matches!(self.start, Start::Called);
        if length > self.model.nodes {
            // Long enough: out of all loops, as soon as there is a way.
            let depth = |&way: &usize| shape.depth(edges[way].to);
            return (0..edges.len()).min_by_key(depth).unwrap_or(0);
        }
        if let Some(equal) = self.one_of_all(block, function) {
            return equal;
        }
        let place = (function as u64) << 32 | block as u64;
        let together = !parts || draw([place, visit, 1, 0]) < self.model.agree;
        let who = if together {
            0
        } else {
            u64::from(self.lane) + 1
        };
        let own = &self.machine.functions[function];
        let mut chances = chances(own, shape, block, self.model, self.machine.mutation);
        let first = self.machine.first_edge[function][block];
        let fails = &self.machine.fails[first..first + edges.len()];
        if fails.contains(&true) {
            let some = chances.iter().zip(fails).filter(|(_, &fails)| !fails);
            let all: f64 = some.map(|(chance, _)| chance).sum();
            let without = |(chance, &fails): (&f64, &bool)| if fails { 0.0 } else { chance / all };
            chances = chances.iter().zip(fails).map(without).collect();
        }
        let mut chance = draw([place, visit, 2, who]);
        let mut way = 0;
        while way + 1 < edges.len() && chance >= chances[way] {
            chance -= chances[way];
            way += 1;
        }
        way
    }

    /// COMP-071: a place that one thread alone comes to: what it was given by an addition to memory equals something.
    fn one_of_all(&self, block: usize, function: usize) -> Option<usize> {
        let machine = self.machine;
        let own = &machine.functions[function].blocks[block];
        let Control::Branch { cond, rs1, rs2, .. } = machine.source.code[own.last].control else {
            return None;
        };
        let asks = self.counted & (bit(rs1) | bit(rs2)) != 0;
        let is_last = match self.start {
            Start::Kernel(first, threads) => first + self.lane + 1 == threads,
            Start::Called => self.lane + 1 == WIDTH,
        };
        // The edge that is taken comes first.
        match cond {
            _ if !asks || machine.mutation == Some(Mutation::ManyAreLast) => None,
            BranchCond::Eq => Some(usize::from(!is_last)),
            BranchCond::Ne => Some(usize::from(is_last)),
            _ => None,
        }
    }

    /// What a statement does to registers and memory.
    fn statement(&mut self, at: usize) {
        let insn = &self.machine.source.code[at];
        match (&self.machine.image, &insn.control) {
            (Some(image), Control::Plain) => {
                let mut address = image.addresses[at];
                for &instr in &image.instructions[at] {
                    self.execute(instr, address);
                    address += 4;
                }
            }
            (Some(image), Control::Call(_) | Control::CallIndirect) => {
                // The instructions of a far call in front of its jump.
                let back = image.addresses.get(at + 1).copied();
                self.set(RA, back);
            }
            (None, Control::Plain) => {
                for op in &insn.ops {
                    self.set(op.instr.registers()[0].unwrap_or(0), None);
                }
            }
            _ => {}
        }
    }

    fn execute(&mut self, instr: Instr, address: u32) {
        let [rd, ..] = instr.registers();
        let offset = |base: Option<u32>, offset: i32| base.map(|b| b.wrapping_add(offset as u32));
        let value = match instr {
            Instr::Lui { imm, .. } => Some(imm),
            Instr::Auipc { imm, .. } => Some(address.wrapping_add(imm)),
            Instr::OpImm { op, rs1, imm, .. } => self.get(rs1).map(|a| alu(op, a, imm as u32)),
            Instr::Op { op, rs1, rs2, .. } => match (op, rs1 == rs2) {
                (AluOp::Xor | AluOp::Sub, true) => Some(0),
                _ => self.get(rs1).zip(self.get(rs2)).map(|(a, b)| alu(op, a, b)),
            },
            Instr::Mul { op, rs1, rs2, .. } => {
                let values = self.get(rs1).zip(self.get(rs2));
                values.map(|(a, b)| multiply(op, a, b))
            }
            Instr::Load {
                width,
                rs1,
                offset: by,
                ..
            } => {
                let at = offset(self.get(rs1), by);
                let bytes = match width {
                    LoadWidth::I8 | LoadWidth::U8 => 1,
                    LoadWidth::I16 | LoadWidth::U16 => 2,
                    LoadWidth::I32 => 4,
                };
                let value = self.memory.as_ref().and_then(|m| m.load(at, bytes));
                value.map(|value| match width {
                    LoadWidth::I8 => value as u8 as i8 as u32,
                    LoadWidth::I16 => value as u16 as i16 as u32,
                    _ => value,
                })
            }
            Instr::Store {
                width,
                rs1,
                rs2,
                offset: by,
            } => {
                let (at, value) = (offset(self.get(rs1), by), self.get(rs2));
                let bytes = match width {
                    StoreWidth::W8 => 1,
                    StoreWidth::W16 => 2,
                    StoreWidth::W32 => 4,
                };
                self.store(at, bytes, value);
                return;
            }
            Instr::LoadReserved { rs1, .. } => {
                self.reservation = true;
                let at = self.get(rs1);
                self.memory.as_ref().and_then(|m| m.load(at, 4))
            }
            Instr::StoreConditional { rs1, rs2, .. } => {
                let taken = std::mem::take(&mut self.reservation);
                if taken {
                    self.store(self.get(rs1), 4, self.get(rs2));
                }
                Some(u32::from(!taken))
            }
            Instr::Amo { op, rs1, rs2, .. } => {
                let (at, by) = (self.get(rs1), self.get(rs2));
                let old = self.memory.as_ref().and_then(|m| m.load(at, 4));
                let new = match op {
                    AmoOp::Swap => by,
                    _ => old.zip(by).map(|(old, by)| atomic(op, old, by)),
                };
                self.store(at, 4, new);
                old
            }
            Instr::Csr { csr, .. } => self.csr(csr),
            _ => None,
        };
        let counted = match instr {
            Instr::Amo {
                op: AmoOp::Add,
                rs2,
                ..
            } => rs2 != 0,
            Instr::OpImm {
                op: AluOp::Add | AluOp::Xor,
                rs1,
                ..
            } => self.counted & bit(rs1) != 0,
            Instr::Op {
                op: AluOp::Add | AluOp::Sub | AluOp::Xor,
                rs1,
                rs2,
                ..
            } => self.counted & (bit(rs1) | bit(rs2)) != 0,
            _ => false,
        };
        let rd = rd.unwrap_or(0);
        self.set(rd, value);
        if counted {
            self.counted |= bit(rd) & !1;
        }
    }

    fn store(&mut self, at: Option<u32>, bytes: u32, value: Option<u32>) {
        if let Some(memory) = self.memory.as_mut() {
            memory.store(at, bytes, value);
        }
    }

    fn csr(&self, csr: u16) -> Option<u32> {
        let Start::Kernel(first, threads) = self.start else {
            return None;
        };
        match weft_isa::csr_name(csr)? {
            "wtid" | "mhartid" | "wthread" => Some(first + self.lane),
            "wlane" => Some(self.lane),
            "wwarp" => Some(first / WIDTH),
            "wsize" => Some(threads),
            "wwidth" => Some(WIDTH),
            _ => None,
        }
    }
}

/// A number between 0 and 1 that depends on all of these.
fn draw(parts: [u64; 4]) -> f64 {
    let mut x = 0x9E37_79B9_7F4A_7C15u64;
    for part in parts {
        x = (x ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^= x >> 29;
    }
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    (x ^ x >> 32) as u32 as f64 / f64::from(u32::MAX)
}

/// Whoever comes to a loop goes into it, as a rule: how often each edge out of a block is taken of which one leads to
/// where a loop begins.
fn enters(function: &Function, shape: &Shape, block: usize) -> Option<Vec<f64>> {
    let enters = |edge: &Edge| {
        let next = |to: usize| match &function.blocks[to].edges[..] {
            [only] => only.to,
            _ => to,
        };
        let begins = |to: usize| {
            let mut loops = shape.loops.iter();
            loops.any(|own| own.header == to && !own.contains[block])
        };
        edge.to < function.exit() && (begins(edge.to) || begins(next(edge.to)))
    };
    let edges = &function.blocks[block].edges;
    match edges.iter().map(enters).collect::<Vec<_>>()[..] {
        [true, false] => Some(vec![ENTERS, 1.0 - ENTERS]),
        [false, true] => Some(vec![1.0 - ENTERS, ENTERS]),
        _ => None,
    }
}

/// How often each edge out of a block is taken, by their order.
fn chances(
    function: &Function,
    shape: &Shape,
    block: usize,
    model: &Model,
    mutation: Option<Mutation>,
) -> Vec<f64> {
    let edges = &function.blocks[block].edges;
    let inner = shape.loop_of[block];
    let inside = |edge: &Edge| inner.is_some_and(|l| shape.is_in(l, edge.to));
    let staying = edges.iter().filter(|edge| inside(edge)).count();
    if inner.is_some() && staying > 0 && staying < edges.len() {
        let out = 1.0 / (model.rounds / shape.depth(block) as f64).max(2.0);
        let leaving = (edges.len() - staying) as f64;
        return edges
            .iter()
            .map(|e| {
                if inside(e) {
                    (1.0 - out) / staying as f64
                } else {
                    out / leaving
                }
            })
            .collect();
    }
    // Whoever leaves the function early is rare.
    let early = |edge: &Edge| matches!(edge.kind, EdgeKind::Away);
    let rare = edges.iter().filter(|e| early(e)).count();
    if rare > 0 && rare < edges.len() {
        let others = (edges.len() - rare) as f64;
        return edges
            .iter()
            .map(|e| {
                if early(e) {
                    0.1 / rare as f64
                } else {
                    0.9 / others
                }
            })
            .collect();
    }
    if let (Some(chances), true) = (
        enters(function, shape, block),
        mutation != Some(Mutation::LoopsAsOthers),
    ) {
        return chances;
    }
    if let [first, second] = &edges[..] {
        let of = |edge: &Edge| {
            if edge.kind == EdgeKind::Taken {
                model.taken
            } else {
                1.0 - model.taken
            }
        };
        let all = of(first) + of(second);
        return vec![of(first) / all, of(second) / all];
    }
    vec![1.0 / edges.len().max(1) as f64; edges.len()]
}
