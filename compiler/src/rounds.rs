//! Rounds of loops by symbols: which ways back wait for another thread, and which compete (COMP-090, COMP-091, COMP-095).

use crate::addresses::{constant_addresses, stack_pointers};
use crate::arithmetic::{alu, holds};
use crate::flow::{Edge, EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::registers::{bit, writes, Registers};
use crate::source::{Control, Insn, Op, Source, Target};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use weft_isa::{AluOp, AmoOp, BranchCond, CsrSrc, Instr, LoadWidth, MulOp, StoreWidth};

/// Blocks that are looked at for one way back; short paths first.
const PATIENCE: usize = 1_000;

/// A way back that threads go because of others.
#[derive(Clone, Debug)]
pub(crate) struct Back {
    pub edge: Edge,
    /// They wait (COMP-090); else another one was faster (COMP-095).
    pub waits: bool,
    /// There is a YIELD on it.
    pub yields: bool,
    /// COMP-094: blocks whose branches get no token.
    pub apart: Vec<usize>,
    /// There is an atomic in its loop, or a call of a function with one.
    pub atomic: bool,
    /// By block: its loop.
    pub body: Vec<bool>,
}

impl Back {
    /// Whether a block, or the function's exit, is in its loop.
    pub fn contains(&self, block: usize) -> bool {
        self.body.get(block) == Some(&true)
    }
}

/// What a search along a way back comes to.
enum Outcome {
    /// Threads wait on this one; blocks whose branches get no token, and whether there is a YIELD.
    Waits(Vec<usize>, bool),
    /// No thread goes it twice while nobody else writes.
    Over,
    /// Neither is known.
    Open,
}

/// COMP-091: where the functions begin whose results depend on what others write.
pub(crate) fn askers(source: &Source, functions: &[Function]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for function in functions {
        let code = function.blocks.iter().flat_map(|block| block.code());
        let ops: Vec<&Op> = code.flat_map(|at| &source.code[at].ops).collect();
        let asks = ops
            .iter()
            .any(|op| matches!(op.instr, Instr::LoadReserved { .. } | Instr::Amo { .. }));
        if asks && !ops.iter().any(|op| changes_each_time(op.instr)) {
            found.insert(function.blocks[0].first);
        }
    }
    found
}

/// An atomic that finds another value each time, by what it does itself.
fn changes_each_time(instr: Instr) -> bool {
    matches!(instr, Instr::Amo { op: AmoOp::Add | AmoOp::Xor, rs2, .. } if rs2 != 0)
}

/// The ways back of a function on which threads wait or compete.
pub(crate) fn backs(
    source: &Source,
    function: &Function,
    shape: &Shape,
    askers: &BTreeSet<usize>,
    mutation: Option<Mutation>,
) -> Vec<Back> {
    if function.left_alone.is_some() || shape.loops.is_empty() {
        return Vec::new();
    }
    let mut rounds = Rounds {
        source,
        function,
        shape,
        askers,
        constant: constant_addresses(source, function),
        own_stack: stack_pointers(source, function),
        all_wait: mutation == Some(Mutation::AllWait),
        known: Vec::new(),
        forgets: false,
        passed_once: Vec::new(),
        table: Table::default(),
    };
    rounds.find_known();
    let mut found = Vec::new();
    // Loops inside come first.
    let mut loops: Vec<_> = shape.loops.iter().collect();
    loops.sort_by_key(|own| std::cmp::Reverse(shape.depth(own.header)));
    for own in loops {
        let ways = &function.blocks[own.header].from;
        let ways: Vec<Edge> = ways
            .iter()
            .filter(|e| own.contains[e.from])
            .copied()
            .collect();
        let before = found.len();
        found.extend(ways.iter().filter_map(|&edge| rounds.back(edge)));
        let compete = found[before..].iter().filter(|back: &&Back| !back.waits);
        if compete.count() == ways.len() {
            rounds.passed_once.push(own.header);
        }
    }
    found
}

type Value = usize;

/// What a value is; the same node is the same value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Number(u32),
    /// What a register holds in front of the first round.
    First(u8),
    /// A symbol's address, or a part of it.
    Place(String, Part),
    Alu(AluOp, Value, Value),
    Mul(MulOp, Value, Value),
    /// What stands at an address in memory as it is.
    Load(LoadWidth, Value, i32),
    /// What the call in this place gives.
    Result(usize),
    Csr(u16),
    /// Another one each time.
    New(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    High,
    Low,
    Whole,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// It depends on what others write.
    outside: bool,
    /// It was read from somewhere.
    read: bool,
    /// It is an address in the own stack.
    own: bool,
    /// It is an address in read-only data.
    constant: bool,
    /// It depends on a value that is another one each time.
    new: bool,
    /// It is 0 or 1.
    truth: bool,
}

#[derive(Default)]
struct Table {
    nodes: Vec<(Node, Kind)>,
    known: HashMap<Node, Value>,
}

impl Table {
    fn intern(&mut self, node: Node, kind: Kind) -> Value {
        if let Some(&value) = self.known.get(&node) {
            return value;
        }
        self.nodes.push((node.clone(), kind));
        self.known.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn number(&mut self, number: u32) -> Value {
        let truth = number < 2;
        let kind = Kind {
            truth,
            ..Kind::default()
        };
        self.intern(Node::Number(number), kind)
    }

    fn fresh(&mut self) -> Value {
        let kind = Kind {
            new: true,
            ..Kind::default()
        };
        self.intern(Node::New(self.nodes.len()), kind)
    }

    fn as_number(&self, value: Value) -> Option<u32> {
        match self.nodes[value].0 {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    fn of(&self, value: Value) -> Kind {
        self.nodes[value].1
    }

    /// What two operands make together of their kinds.
    fn both(&self, a: Value, b: Value) -> Kind {
        let (a, b) = (self.of(a), self.of(b));
        Kind {
            outside: a.outside || b.outside,
            read: a.read || b.read,
            own: a.own || b.own,
            constant: a.constant || b.constant,
            new: a.new || b.new,
            truth: false,
        }
    }

    fn alu(&mut self, op: AluOp, a: Value, b: Value) -> Value {
        let (left, right) = (self.as_number(a), self.as_number(b));
        if let (Some(left), Some(right)) = (left, right) {
            return self.number(alu(op, left, right));
        }
        match (op, left, right) {
            (AluOp::Sub, _, Some(number)) => {
                let number = self.number(number.wrapping_neg());
                return self.alu(AluOp::Add, a, number);
            }
            (AluOp::And, _, Some(0)) | (AluOp::And, Some(0), _) => return self.number(0),
            (AluOp::Slt | AluOp::Sltu, ..) => {}
            (_, _, Some(0)) => return a,
            (AluOp::Add | AluOp::Or | AluOp::Xor, Some(0), _) => return b,
            _ => {}
        }
        let is_truth = |value: Value| self.of(value).truth;
        match (op, self.nodes[a].0.clone()) {
            (AluOp::Sub | AluOp::Xor | AluOp::Slt | AluOp::Sltu, _) if a == b => {
                return self.number(0)
            }
            (AluOp::Add, Node::Alu(AluOp::Add, inner, by)) => {
                if let (Some(by), Some(more)) = (self.as_number(by), right) {
                    let sum = self.number(by.wrapping_add(more));
                    return self.alu(AluOp::Add, inner, sum);
                }
            }
            // A truth value that is cut to its width.
            (AluOp::And, _) if is_truth(a) && right.is_some_and(|mask| mask & 1 == 1) => return a,
            (AluOp::Srl | AluOp::Sra, Node::Alu(AluOp::Sll, inner, by))
                if by == b && is_truth(inner) && right.is_some_and(|by| by < 31) =>
            {
                return inner
            }
            (AluOp::Sltu, Node::Number(0)) if is_truth(b) => return b,
            _ => {}
        }
        let truth = match op {
            AluOp::Slt | AluOp::Sltu => true,
            AluOp::And => is_truth(a) || is_truth(b),
            AluOp::Or | AluOp::Xor => is_truth(a) && is_truth(b),
            _ => false,
        };
        let kind = Kind {
            truth,
            ..self.both(a, b)
        };
        self.intern(Node::Alu(op, a, b), kind)
    }

    /// An address as a value and a distance from it.
    fn split(&self, address: Value) -> (Value, i32) {
        if let Node::Alu(AluOp::Add, base, by) = self.nodes[address].0 {
            if let Some(by) = self.as_number(by) {
                return (base, by as i32);
            }
        }
        (address, 0)
    }
}

/// What a branch compared on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    block: usize,
    values: (Value, Value),
}

/// A thread somewhere in a round.
#[derive(Clone)]
struct State {
    registers: [Value; 32],
    /// By address: width and value of what the thread has written.
    memory: BTreeMap<(Value, i32), (StoreWidth, Value)>,
    /// Values that are the same on this path, and those that are not.
    same: BTreeMap<Value, Value>,
    unlike: BTreeSet<(Value, Value)>,
    asked: Vec<Asked>,
    /// A YIELD stands on the path.
    yields: bool,
}

impl State {
    fn find(&self, mut value: Value) -> Value {
        while let Some(&other) = self.same.get(&value) {
            value = other;
        }
        value
    }

    fn register(&self, register: u8) -> Value {
        self.find(self.registers[usize::from(register)])
    }

    fn next_round(mut self) -> State {
        self.same.clear();
        self.unlike.clear();
        self.asked.clear();
        self
    }
}

/// Blocks, and which of its edges each of them was left by.
type Path = Vec<(usize, usize)>;

struct Rounds<'a> {
    source: &'a Source,
    function: &'a Function,
    shape: &'a Shape,
    askers: &'a BTreeSet<usize>,
    constant: BTreeMap<usize, Registers>,
    own_stack: Registers,
    all_wait: bool,
    /// By block: what registers hold where it begins, if that is the same on every way there.
    known: Vec<[Option<Value>; 32]>,
    /// Whether loops inside are passed so that nobody knows what they leave, or straight.
    forgets: bool,
    /// Headers of loops whose ways back all compete: they are passed straight in any case.
    passed_once: Vec<usize>,
    table: Table,
}

impl Rounds<'_> {
    /// What an edge is as a way back.
    fn back(&mut self, edge: Edge) -> Option<Back> {
        let body = self.body(edge);
        let code = (0..body.len()).filter(|&block| body[block]);
        let code = code.flat_map(|block| self.function.blocks[block].code());
        let code: Vec<&Insn> = code.map(|at| &self.source.code[at]).collect();
        let ops = || code.iter().flat_map(|insn| &insn.ops);
        let is_load = |op: &Op| matches!(op.instr, Instr::Load { .. });
        let is_atomic = |op: &Op| {
            matches!(
                op.instr,
                Instr::LoadReserved { .. } | Instr::StoreConditional { .. } | Instr::Amo { .. }
            )
        };
        let atomic = ops().any(is_atomic) || code.iter().any(|insn| self.asks(insn));
        if !atomic && !ops().any(is_load) {
            return None;
        }
        let new = |waits, yields, apart| Back {
            edge,
            waits,
            yields,
            apart,
            atomic,
            body: body.clone(),
        };
        if self.all_wait {
            return Some(new(true, false, Vec::new()));
        }
        let others = self.shape.loops.iter().map(|l| l.header);
        let has_inner = others
            .clone()
            .any(|header| header != edge.to && body[header]);
        let ways = if has_inner {
            &[false, true][..]
        } else {
            &[false]
        };
        let mut over = false;
        for &forgets in ways {
            self.forgets = forgets;
            match self.search(edge, &body) {
                Outcome::Waits(apart, yields) => return Some(new(true, yields, apart)),
                Outcome::Over => over = true,
                Outcome::Open => over = false,
            }
        }
        (over && atomic).then(|| new(false, false, Vec::new()))
    }

    /// Looks for a path that can be gone for ever.
    fn search(&mut self, edge: Edge, body: &[bool]) -> Outcome {
        let mut outcome = Outcome::Over;
        let first = self.first(edge.to);
        let mut open: VecDeque<(usize, State, Path)> =
            VecDeque::from([(edge.to, first, Path::new())]);
        for _ in 0..PATIENCE {
            let Some((block, mut state, path)) = open.pop_front() else {
                return outcome;
            };
            self.pass(block, edge.to, &mut state);
            for (number, way) in self.function.blocks[block].edges.iter().enumerate() {
                let ends = *way == edge;
                let goes_on = way.to != edge.to
                    && body.get(way.to) == Some(&true)
                    && way.to != block
                    && path.iter().all(|&(passed, _)| passed != way.to);
                if !ends && !goes_on {
                    continue;
                }
                let mut state = state.clone();
                if !self.leave(block, *way, &mut state) {
                    continue;
                }
                let mut path = path.clone();
                path.push((block, number));
                match ends {
                    false => open.push_back((way.to, state, path)),
                    true => {
                        let Some(second) = self.again(&path, state.next_round()) else {
                            continue;
                        };
                        let yields = second.yields;
                        outcome = Outcome::Open;
                        if let Some(asked) = self.for_ever(&path, body, second) {
                            return Outcome::Waits(self.apart(&path, body, asked), yields);
                        }
                    }
                }
            }
        }
        Outcome::Open
    }

    /// The blocks from which a way back can be reached without passing the header.
    fn body(&self, edge: Edge) -> Vec<bool> {
        let mut body = vec![false; self.function.blocks.len()];
        body[edge.to] = true;
        let mut open = vec![edge.from];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut body[block], true) {
                open.extend(self.function.blocks[block].from.iter().map(|e| e.from));
            }
        }
        body
    }

    fn leads_out(&self, block: usize, body: &[bool]) -> bool {
        let edges = &self.function.blocks[block].edges;
        edges.iter().any(|edge| body.get(edge.to) != Some(&true))
    }

    /// COMP-094: who leaves, who asks others, and who has got in front of the others by `sc.w`.
    fn apart(&self, path: &Path, body: &[bool], mut apart: Vec<usize>) -> Vec<usize> {
        let on_path = path.iter().map(|&(block, _)| block);
        apart.extend(on_path.filter(|&block| self.leads_out(block, body)));
        apart.extend((0..body.len()).filter(|&block| body[block] && self.swaps(block)));
        apart
    }

    /// The branch of a block depends on its `sc.w`.
    fn swaps(&self, block: usize) -> bool {
        let block = &self.function.blocks[block];
        let asked = match self.source.code[block.last].control {
            Control::Branch { rs1, rs2, .. } => bit(rs1) | bit(rs2),
            _ => return false,
        };
        let ops = block.code().flat_map(|at| &self.source.code[at].ops);
        ops.into_iter().any(|op| match op.instr {
            Instr::StoreConditional { rd, .. } => asked & bit(rd) != 0,
            _ => false,
        })
    }

    /// COMP-090: if a thread that has gone the path twice can go it for ever, the blocks that ask others.
    fn for_ever(&mut self, path: &Path, body: &[bool], second: State) -> Option<Vec<usize>> {
        let asked = second.asked.clone();
        let third = self.again(path, second.next_round())?;
        let pairs = || asked.iter().zip(&third.asked);
        let idle = pairs().all(|(one, other)| one == other);
        let stay = pairs().filter(|(one, other)| one == other);
        let stay = stay.map(|(one, _)| one);
        let asks = |asked: &&Asked| self.table.both(asked.values.0, asked.values.1).outside;
        let blocks: Vec<usize> = stay.filter(asks).map(|asked| asked.block).collect();
        let waits = idle || blocks.iter().any(|&block| self.leads_out(block, body));
        (waits && !blocks.is_empty()).then_some(blocks)
    }

    /// The same path once more, unless a branch leads elsewhere.
    fn again(&mut self, path: &Path, mut state: State) -> Option<State> {
        let header = path.first()?.0;
        for &(block, number) in path {
            self.pass(block, header, &mut state);
            if !self.leave(block, self.function.blocks[block].edges[number], &mut state) {
                return None;
            }
        }
        Some(state)
    }

    /// COMP-091: what stands in registers in front of a loop, as far as it is computed from numbers and symbols.
    fn find_known(&mut self) {
        let count = self.function.blocks.len();
        let zero = self.table.number(0);
        let mut known: Vec<Option<[Option<Value>; 32]>> = vec![None; count];
        known[0] = Some([None; 32]);
        self.known = vec![[None; 32]; count];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            let Some(begin) = known[block] else { continue };
            let mut state = self.first(block);
            for (register, known) in begin.into_iter().enumerate().skip(1) {
                let fresh = || self.table.fresh();
                state.registers[register] = known.unwrap_or_else(fresh);
            }
            state.registers[0] = zero;
            self.pass(block, block, &mut state);
            let lasts = |value: Value| {
                let kind = self.table.of(value);
                (!kind.new && !kind.read && !kind.own).then_some(value)
            };
            let end = state.registers.map(lasts);
            for edge in &self.function.blocks[block].edges {
                let Some(known) = known.get_mut(edge.to) else {
                    continue;
                };
                let met = match *known {
                    None => end,
                    Some(before) => {
                        std::array::from_fn(|r| before[r].filter(|_| before[r] == end[r]))
                    }
                };
                if *known != Some(met) {
                    *known = Some(met);
                    open.push(edge.to);
                }
            }
        }
        self.known = known
            .into_iter()
            .map(|all| all.unwrap_or([None; 32]))
            .collect();
    }

    fn first(&mut self, block: usize) -> State {
        let zero = self.table.number(0);
        let mut registers = [zero; 32];
        for register in 1..32u8 {
            if let Some(value) = self.known[block][usize::from(register)] {
                registers[usize::from(register)] = value;
                continue;
            }
            let kind = Kind {
                own: self.own_stack & bit(register) != 0,
                ..Kind::default()
            };
            registers[usize::from(register)] = self.table.intern(Node::First(register), kind);
        }
        State {
            registers,
            memory: BTreeMap::new(),
            same: BTreeMap::new(),
            unlike: BTreeSet::new(),
            asked: Vec::new(),
            yields: false,
        }
    }

    /// All instructions of a block.
    fn pass(&mut self, block: usize, header: usize, state: &mut State) {
        if self.forgets && block != header && !self.passed_once.contains(&block) {
            let inner = (0..self.shape.loops.len()).find(|&l| self.shape.loops[l].header == block);
            if let Some(inner) = inner {
                self.forget(inner, state);
            }
        }
        for at in self.function.blocks[block].code() {
            let insn = &self.source.code[at];
            if insn.ops.is_empty() || insn.control == Control::CallIndirect {
                for register in (1..32).filter(|&r| writes(insn) & bit(r) != 0) {
                    state.registers[usize::from(register)] = self.table.fresh();
                }
                if self.asks(insn) {
                    let kind = Kind {
                        outside: true,
                        read: true,
                        ..Kind::default()
                    };
                    state.registers[10] = self.table.intern(Node::Result(at), kind);
                }
                continue;
            }
            for op in &insn.ops {
                self.step(at, op, state);
            }
        }
    }

    fn asks(&self, insn: &Insn) -> bool {
        matches!(insn.control, Control::Call(Target::Code(to)) if self.askers.contains(&to))
    }

    /// Nobody knows how often a loop inside is passed.
    fn forget(&mut self, number: usize, state: &mut State) {
        let inside = (0..self.function.blocks.len()).filter(|&b| self.shape.is_in(number, b));
        let code: Vec<usize> = inside
            .flat_map(|block| self.function.blocks[block].code())
            .collect();
        let written = code
            .iter()
            .fold(0, |all, &at| all | writes(&self.source.code[at]));
        for op in code.iter().flat_map(|&at| &self.source.code[at].ops) {
            if let Instr::Store {
                width, rs1, offset, ..
            } = op.instr
            {
                if written & bit(rs1) == 0 {
                    let (base, offset) = self.address(op, rs1, offset, state);
                    let value = self.table.fresh();
                    state.memory.insert((base, offset), (width, value));
                }
            }
        }
        for register in (1..32).filter(|&r| written & bit(r) != 0) {
            state.registers[usize::from(register)] = self.table.fresh();
        }
    }

    /// The edge that a thread takes out of a block; `false` if it cannot.
    fn leave(&mut self, block: usize, way: Edge, state: &mut State) -> bool {
        let insn = &self.source.code[self.function.blocks[block].last];
        let Control::Branch { cond, rs1, rs2, .. } = insn.control else {
            return true;
        };
        let raw = |register: u8| state.registers[usize::from(register)];
        let values = (raw(rs1), raw(rs2));
        state.asked.push(Asked { block, values });
        let (a, b) = (state.find(values.0), state.find(values.1));
        let taken = way.kind == EdgeKind::Taken;
        if let Some(known) = self.decided(cond, a, b, state) {
            return known == taken;
        }
        match cond {
            BranchCond::Eq => self.assume(state, a, b, taken),
            BranchCond::Ne => self.assume(state, a, b, !taken),
            _ => {}
        }
        true
    }

    fn decided(&self, cond: BranchCond, a: Value, b: Value, state: &State) -> Option<bool> {
        if a == b {
            return Some(holds(cond, 0, 0));
        }
        if let (Some(a), Some(b)) = (self.table.as_number(a), self.table.as_number(b)) {
            return Some(holds(cond, a, b));
        }
        match state.unlike.contains(&(a.min(b), a.max(b))) {
            true if cond == BranchCond::Eq => Some(false),
            true if cond == BranchCond::Ne => Some(true),
            _ => None,
        }
    }

    /// Two values are the same on this path from here on, or are not; and what follows for those that they come from.
    fn assume(&mut self, state: &mut State, a: Value, b: Value, equal: bool) {
        let (a, b) = (state.find(a), state.find(b));
        if a == b {
            return;
        }
        let (number, other) = match (self.table.as_number(a), self.table.as_number(b)) {
            (Some(number), None) => (Some(number), b),
            (None, Some(number)) => (Some(number), a),
            _ => (None, a),
        };
        match (equal, number) {
            (true, Some(_)) => {
                state.same.insert(other, if other == a { b } else { a });
            }
            (true, None) => {
                state.same.insert(a.max(b), a.min(b));
            }
            (false, _) => {
                state.unlike.insert((a.min(b), a.max(b)));
            }
        }
        let (Some(number), (node, kind)) = (number, self.table.nodes[other].clone()) else {
            return;
        };
        let (zero, one) = (self.table.number(0), self.table.number(1));
        if !equal && kind.truth && number < 2 {
            let value = if number == 0 { one } else { zero };
            return self.assume(state, other, value, true);
        }
        match node {
            Node::Alu(AluOp::Sub | AluOp::Xor, x, y) if number == 0 => {
                self.assume(state, x, y, equal);
            }
            // seqz, snez, and the opposite of a truth value.
            Node::Alu(AluOp::Sltu, x, y) if equal && y == one => {
                self.assume(state, x, zero, number == 1);
            }
            Node::Alu(AluOp::Sltu, x, y) if equal && x == zero => {
                self.assume(state, y, zero, number == 0);
            }
            Node::Alu(AluOp::Xor, x, y) if equal && y == one && self.table.of(x).truth => {
                self.assume(state, x, zero, number == 1);
            }
            _ => {}
        }
    }

    /// The address that an instruction computes, as a value and a distance.
    fn address(&mut self, op: &Op, base: u8, offset: i32, state: &State) -> (Value, i32) {
        let base = state.register(base);
        let by = self.operand(op, offset, Part::Low);
        let sum = self.table.alu(AluOp::Add, base, by);
        self.table.split(sum)
    }

    /// An immediate: a number, or part of a symbol's address.
    fn operand(&mut self, op: &Op, number: i32, part: Part) -> Value {
        let Some(name) = &op.symbol else {
            return self.table.number(number as u32);
        };
        let kind = Kind {
            constant: self.source.is_constant_data(name),
            ..Kind::default()
        };
        let place = self.table.intern(Node::Place(name.clone(), part), kind);
        // The high part of a place and that of one some bytes on belong together with the low part only.
        let distance = if part == Part::High { 0 } else { op.distance };
        let distance = self.table.number(distance as u32);
        self.table.alu(AluOp::Add, place, distance)
    }

    fn step(&mut self, at: usize, op: &Op, state: &mut State) {
        let value = match op.instr {
            Instr::Lui { imm, .. } => self.operand(op, imm as i32, Part::High),
            Instr::Auipc { .. } if op.symbol.is_some() => self.operand(op, 0, Part::Whole),
            Instr::OpImm {
                op: operation,
                rs1,
                imm,
                ..
            } => {
                let a = state.register(rs1);
                let b = self.operand(op, imm, Part::Low);
                self.table.alu(operation, a, b)
            }
            Instr::Op { op, rs1, rs2, .. } => {
                self.table.alu(op, state.register(rs1), state.register(rs2))
            }
            Instr::Mul { op, rs1, rs2, .. } => {
                let (a, b) = (state.register(rs1), state.register(rs2));
                let kind = self.table.both(a, b);
                self.table.intern(Node::Mul(op, a, b), kind)
            }
            Instr::Load {
                width, rs1, offset, ..
            } => {
                let place = self.address(op, rs1, offset, state);
                let nobody_writes = self.constant[&at] & bit(rs1) != 0;
                self.load(width, place, nobody_writes, state)
            }
            Instr::Store {
                width,
                rs1,
                rs2,
                offset,
            } => {
                let (base, offset) = self.address(op, rs1, offset, state);
                let near = (base, offset - 3)..=(base, offset + 3);
                let overlaps = |&(_, other): &(Value, i32), old: StoreWidth| {
                    other < offset + bytes(width) && offset < other + bytes(old)
                };
                let old = state.memory.range(near);
                let old: Vec<_> = old
                    .filter(|(place, (old, _))| overlaps(place, *old))
                    .map(|(place, _)| *place)
                    .collect();
                for place in old {
                    state.memory.remove(&place);
                }
                let value = state.registers[usize::from(rs2)];
                state.memory.insert((base, offset), (width, value));
                return;
            }
            Instr::LoadReserved { rs1, .. } => {
                let place = self.table.split(state.register(rs1));
                self.read(LoadWidth::I32, place, false)
            }
            Instr::Amo { rs1, .. } => {
                let place = self.table.split(state.register(rs1));
                match changes_each_time(op.instr) {
                    true => self.table.fresh(),
                    false => self.read(LoadWidth::I32, place, false),
                }
            }
            Instr::StoreConditional { .. } => self.table.number(0),
            Instr::Csr { csr, src, .. } => {
                let asks = matches!(src, CsrSrc::Reg(0) | CsrSrc::Imm(0));
                let stays = weft_isa::csr_name(csr)
                    .is_some_and(|name| name.starts_with('w') || name == "mhartid");
                match asks && stays {
                    true => self.table.intern(Node::Csr(csr), Kind::default()),
                    false => self.table.fresh(),
                }
            }
            Instr::Yield => {
                state.yields = true;
                return;
            }
            _ => self.table.fresh(),
        };
        if let [Some(rd @ 1..), ..] = op.instr.registers() {
            state.registers[usize::from(rd)] = value;
        }
    }

    fn load(
        &mut self,
        width: LoadWidth,
        place: (Value, i32),
        nobody_writes: bool,
        state: &State,
    ) -> Value {
        let Some(&(stored, value)) = state.memory.get(&place) else {
            return self.read(width, place, nobody_writes);
        };
        let value = state.find(value);
        let is_truth = self.table.of(value).truth;
        match (width, stored) {
            (LoadWidth::I32, StoreWidth::W32) => value,
            (LoadWidth::I32, _) | (LoadWidth::I16 | LoadWidth::U16, StoreWidth::W8) => {
                self.table.fresh()
            }
            _ if is_truth => value,
            (LoadWidth::U8, _) => {
                let mask = self.table.number(0xFF);
                self.table.alu(AluOp::And, value, mask)
            }
            (LoadWidth::U16, _) => {
                let mask = self.table.number(0xFFFF);
                self.table.alu(AluOp::And, value, mask)
            }
            (LoadWidth::I8 | LoadWidth::I16, _) => {
                let by = if width == LoadWidth::I8 { 24 } else { 16 };
                let by = self.table.number(by);
                let up = self.table.alu(AluOp::Sll, value, by);
                self.table.alu(AluOp::Sra, up, by)
            }
        }
    }

    /// What stands in memory at an address where the thread has written nothing.
    fn read(&mut self, width: LoadWidth, place: (Value, i32), nobody_writes: bool) -> Value {
        let address = self.table.of(place.0);
        let kind = Kind {
            outside: !(address.own || address.constant || address.new || nobody_writes),
            read: true,
            new: address.new,
            ..Kind::default()
        };
        self.table.intern(Node::Load(width, place.0, place.1), kind)
    }
}

const fn bytes(width: StoreWidth) -> i32 {
    match width {
        StoreWidth::W8 => 1,
        StoreWidth::W16 => 2,
        StoreWidth::W32 => 4,
    }
}
