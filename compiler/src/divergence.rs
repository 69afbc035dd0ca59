//! Which registers, stack slots and branches may differ between the threads of a warp (COMP-040 to COMP-047).

use crate::flow::Function;
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::registers::{bit, reads, writes, Registers, A0, ARGUMENTS, CALLER_SAVED, RESULTS, SP};
use crate::source::{sources, Calling, Control, Insn, Source, Target};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use weft_isa::{AluOp, Instr};

/// CSRs that have one value in all threads of a warp: `wwarp`, `wcta`, `wsize`, `wwidth`.
const UNIFORM_CSRS: [u16; 4] = [0xCC2, 0xCC3, 0xCC4, 0xCC7];

/// Threads of a warp as they come into functions and out of them.
#[derive(Clone, Debug, Default)]
struct Summary {
    /// Of a0 to a7, at any call that is seen; `None`: none is.
    arguments: Option<Registers>,
    /// Of a0 and a1.
    results: Registers,
}

/// What is known where a block begins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    divergent: Registers,
    /// Registers that are the stack pointer at the function's entry plus a number.
    frame: BTreeMap<u8, i32>,
    /// Slots (offset, width) that hold the same in all threads.
    uniform_slots: BTreeSet<(i32, u8)>,
}

impl State {
    /// A call that may read and write these registers; says whether it may hear of an address in the frame.
    fn call(&mut self, read: Registers, written: Registers) -> bool {
        let escapes = self.frame.keys().any(|&register| read & bit(register) != 0);
        self.divergent |= written;
        self.frame
            .retain(|&register, _| written & bit(register) == 0);
        escapes
    }

    fn merge(&mut self, other: &State) -> bool {
        let before = self.clone();
        self.divergent |= other.divergent;
        self.frame
            .retain(|register, offset| other.frame.get(register) == Some(offset));
        self.uniform_slots
            .retain(|slot| other.uniform_slots.contains(slot));
        *self != before
    }

    fn forget_slot(&mut self, offset: i32, width: u8) {
        let end = offset + i32::from(width);
        self.uniform_slots
            .retain(|&(other, w)| other >= end || other + i32::from(w) <= offset);
    }
}

/// The analysis of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Divergence {
    /// By block: its branch or indirect jump may part the threads.
    pub branches: Vec<bool>,
    /// By block: it compares two values that both may differ.
    pub unlike: Vec<bool>,
    /// Why, for the report.
    pub reasons: HashMap<usize, String>,
    /// Results that may differ.
    results: Registers,
    /// Calls that were seen: the function and the arguments that may differ.
    calls: Vec<(usize, Registers)>,
}

/// Analyses all functions of a file together.
pub(crate) fn analyse(
    source: &Source,
    functions: &[Function],
    shapes: &[Shape],
    mutation: Option<Mutation>,
) -> Vec<Divergence> {
    let number_of: HashMap<usize, usize> = functions
        .iter()
        .enumerate()
        .map(|(n, f)| (f.blocks[0].first, n))
        .collect();
    let called: BTreeSet<usize> = source
        .code
        .iter()
        .filter_map(|insn| match insn.control {
            Control::Call(Target::Code(at)) => Some(at),
            _ => None,
        })
        .collect();
    let given = |f: &Function| initial(f, called.contains(&f.blocks[0].first));
    let mut summaries: Vec<Summary> = functions.iter().map(given).collect();
    let mut found = Vec::new();
    // Summaries only grow; in the rare case that they still do after that many rounds, all is taken to differ.
    for round in 0.. {
        if round == 12 {
            summaries.iter_mut().for_each(|s| {
                *s = Summary {
                    arguments: Some(ARGUMENTS),
                    results: RESULTS,
                }
            });
        }
        found = (0..functions.len())
            .map(|n| {
                let one = One {
                    source,
                    function: &functions[n],
                    shape: &shapes[n],
                    number_of: &number_of,
                    summaries: &summaries,
                    mutation,
                };
                one.analyse(n)
            })
            .collect::<Vec<_>>();
        let mut changed = false;
        for (number, divergence) in found.iter().enumerate() {
            changed |= divergence.results & !summaries[number].results != 0;
            summaries[number].results |= divergence.results;
            for &(callee, arguments) in &divergence.calls {
                let known = &mut summaries[callee].arguments;
                let new = known.unwrap_or(0) | arguments;
                changed |= *known != Some(new);
                *known = Some(new);
            }
        }
        if !changed || round == 12 {
            break;
        }
    }
    found
}

/// COMP-042: what a function is given.
fn initial(function: &Function, called: bool) -> Summary {
    let arguments = match function.name.as_str() {
        // a0 is the number of the thread; all else that a launch gives is the same for all.
        "_start" | "kernel" | "main" => Some(bit(A0)),
        _ if called && !function.address_taken => Some(0),
        _ => None,
    };
    Summary {
        arguments,
        results: 0,
    }
}

struct One<'a> {
    source: &'a Source,
    function: &'a Function,
    shape: &'a Shape,
    number_of: &'a HashMap<usize, usize>,
    summaries: &'a [Summary],
    mutation: Option<Mutation>,
}

impl One<'_> {
    fn analyse(&self, number: usize) -> Divergence {
        let mut escaped = false;
        let mut divergent: Vec<bool> = vec![false; self.function.blocks.len()];
        loop {
            let forced = self.forced(&divergent);
            let (states, escapes) = self.flow(number, &forced, escaped);
            if escapes && !escaped {
                escaped = true;
                continue;
            }
            let mut changed = false;
            let mut result = Divergence {
                branches: divergent.clone(),
                unlike: vec![false; divergent.len()],
                ..Divergence::default()
            };
            for (block, state) in states.iter().enumerate() {
                if let Some(state) = state {
                    self.judge(block, state.clone(), escaped, &mut result);
                }
            }
            for (block, now) in result.branches.iter().enumerate() {
                changed |= *now && !divergent[block];
                divergent[block] |= *now;
            }
            if !changed {
                return result;
            }
        }
    }

    /// Registers and slots that are divergent where a block begins, because threads come there in different ways.
    fn forced(&self, divergent: &[bool]) -> Vec<(Registers, BTreeSet<usize>)> {
        let count = self.function.blocks.len();
        let mut forced = vec![(0, BTreeSet::new()); count];
        for branch in (0..count).filter(|&b| divergent[b]) {
            let until = self
                .shape
                .immediate_post_dominator(branch)
                .unwrap_or(self.function.exit());
            let region = self.shape.region(self.function, branch, until);
            let inside: Vec<usize> = (0..count).filter(|&b| region[b]).collect();
            let written = inside.iter().fold(0, |all, &b| all | self.written(b));
            if self.mutation != Some(Mutation::NoControlDependence) {
                for join in self.joins(branch, until) {
                    forced[join].0 |= written;
                    forced[join].1.extend(inside.iter().copied());
                }
            }
        }
        forced
    }

    /// Blocks where ways meet that part at this branch.
    fn joins(&self, branch: usize, until: usize) -> Vec<usize> {
        let count = self.function.blocks.len();
        let mut label: Vec<Option<usize>> = vec![None; count];
        let mut joins = BTreeSet::new();
        let mut open: Vec<usize> = Vec::new();
        for (way, edge) in self.function.blocks[branch].edges.iter().enumerate() {
            if edge.to < count {
                match label[edge.to] {
                    None => label[edge.to] = Some(count + way),
                    Some(_) => {
                        label[edge.to] = Some(edge.to);
                        joins.insert(edge.to);
                    }
                }
                open.push(edge.to);
            }
        }
        while let Some(block) = open.pop() {
            if block == until {
                continue;
            }
            for edge in self.function.blocks[block]
                .edges
                .iter()
                .filter(|edge| edge.to < count)
            {
                match label[edge.to] {
                    None => {
                        label[edge.to] = label[block];
                        open.push(edge.to);
                    }
                    known if known == label[block] || known == Some(edge.to) => {}
                    Some(_) => {
                        label[edge.to] = Some(edge.to);
                        joins.insert(edge.to);
                        open.push(edge.to);
                    }
                }
            }
        }
        if until < count {
            joins.insert(until);
        }
        joins.into_iter().collect()
    }

    fn written(&self, block: usize) -> Registers {
        let code = self.function.blocks[block].code();
        code.fold(0, |all, at| all | writes(&self.source.code[at]))
    }

    fn entry(&self, number: usize) -> State {
        // COMP-042: without a call that is seen, anything may come.
        let arguments = self.summaries[number].arguments.unwrap_or(ARGUMENTS);
        let callee_saved = !CALLER_SAVED & !1;
        let launched = self.function.name == "_start";
        let others = if launched {
            bit(SP)
        } else {
            callee_saved | (CALLER_SAVED & !ARGUMENTS)
        };
        State {
            divergent: arguments | others,
            frame: BTreeMap::from([(SP, 0)]),
            uniform_slots: BTreeSet::new(),
        }
    }

    /// States at the beginning of all blocks, and whether an address in the frame gets to where it is not followed.
    fn flow(
        &self,
        number: usize,
        forced: &[(Registers, BTreeSet<usize>)],
        escaped: bool,
    ) -> (Vec<Option<State>>, bool) {
        let count = self.function.blocks.len();
        let mut states: Vec<Option<State>> = vec![None; count];
        states[0] = Some(self.entry(number));
        let mut escapes = false;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in self.shape.order.iter().filter(|&&block| block < count) {
                let Some(mut state) = states[block].clone() else {
                    continue;
                };
                for at in self.function.blocks[block].code() {
                    escapes |= self.step(&self.source.code[at], &mut state, escaped);
                }
                for edge in self.function.blocks[block]
                    .edges
                    .iter()
                    .filter(|edge| edge.to < count)
                {
                    let mut arriving = state.clone();
                    let (registers, blocks) = &forced[edge.to];
                    arriving.divergent |= registers & !frame_registers(&arriving);
                    if !blocks.is_empty() {
                        self.forget_written(blocks, &mut arriving);
                    }
                    match &mut states[edge.to] {
                        Some(known) => changed |= known.merge(&arriving),
                        unknown => {
                            *unknown = Some(arriving);
                            changed = true;
                        }
                    }
                }
            }
        }
        (states, escapes)
    }

    /// Slots that these blocks may store to: all, if the place is not known here.
    fn forget_written(&self, blocks: &BTreeSet<usize>, state: &mut State) {
        for &block in blocks {
            for at in self.function.blocks[block].code() {
                for op in &self.source.code[at].ops {
                    if let Instr::Store {
                        width, rs1, offset, ..
                    } = op.instr
                    {
                        match state.frame.get(&rs1) {
                            Some(base) => state.forget_slot(base + offset, 1 << width as u8),
                            None if rs1 == SP || rs1 == 8 => state.uniform_slots.clear(),
                            None => {}
                        }
                    }
                }
            }
        }
    }

    /// One statement; says whether an address in the frame escapes.
    fn step(&self, insn: &Insn, state: &mut State, escaped: bool) -> bool {
        let mut escapes = false;
        for op in &insn.ops {
            escapes |= self.op(op.instr, op.symbol.as_deref(), state, escaped);
        }
        match &insn.control {
            Control::Call(target) => match insn.calling {
                Calling::Convention(_) => {
                    escapes |= state.call(ARGUMENTS, CALLER_SAVED);
                    let callee = match target {
                        Target::Code(at) => self.number_of.get(at),
                        Target::Elsewhere(_) => None,
                    };
                    // COMP-043
                    let results = callee.map_or(RESULTS, |&callee| self.summaries[callee].results);
                    state.divergent &= !(RESULTS & !results);
                }
                _ => escapes |= state.call(reads(insn), writes(insn)),
            },
            Control::CallIndirect => escapes |= state.call(ARGUMENTS, CALLER_SAVED),
            Control::Bytes => state.divergent = !1,
            _ => {}
        }
        escapes
    }

    fn op(&self, instr: Instr, symbol: Option<&str>, state: &mut State, escaped: bool) -> bool {
        let [rd, rs1, rs2, _] = instr.registers();
        let frame_of = |register: Option<u8>| register.and_then(|r| state.frame.get(&r).copied());
        let sources = sources(instr);
        let mut differs = state.divergent & sources & !frame_registers(state) != 0;
        let mut frame = None;
        let mut escapes = false;
        match instr {
            Instr::OpImm {
                op: AluOp::Add,
                imm,
                ..
            } if symbol.is_none() => {
                frame = frame_of(rs1).map(|base| base.wrapping_add(imm));
            }
            Instr::Load {
                width, offset, rs1, ..
            } => {
                let width = match width {
                    weft_isa::LoadWidth::I32 => 4,
                    weft_isa::LoadWidth::I16 | weft_isa::LoadWidth::U16 => 2,
                    _ => 1,
                };
                let constant = symbol.is_some_and(|name| self.source.is_constant_data(name));
                differs = match state.frame.get(&rs1) {
                    Some(base) => escaped || !state.uniform_slots.contains(&(base + offset, width)),
                    None => !constant || differs,
                };
                differs &= self.mutation != Some(Mutation::UniformLoads);
            }
            Instr::Store {
                width,
                rs1,
                rs2,
                offset,
            } => {
                if let Some(base) = state.frame.get(&rs1).copied() {
                    let width = 1 << width as u8;
                    state.forget_slot(base + offset, width);
                    if state.divergent & bit(rs2) == 0 && !state.frame.contains_key(&rs2) {
                        state.uniform_slots.insert((base + offset, width));
                    }
                }
                escapes = state.frame.contains_key(&rs2);
            }
            Instr::LoadReserved { .. } | Instr::StoreConditional { .. } | Instr::Amo { .. } => {
                differs = true
            }
            Instr::Csr { csr, .. } => differs = !UNIFORM_CSRS.contains(&csr),
            Instr::Jalr { .. } | Instr::Jal { .. } => {}
            // Arithmetic with an address in the frame: it is not followed any further.
            _ => {
                let touches = [rs1, rs2]
                    .into_iter()
                    .any(|register| frame_of(register).is_some());
                escapes = touches;
                differs |= touches;
            }
        }
        if let Some(rd) = rd.filter(|&rd| rd != 0) {
            state.frame.remove(&rd);
            state.divergent &= !bit(rd);
            match frame {
                Some(offset) => {
                    state.frame.insert(rd, offset);
                    state.divergent |= bit(rd);
                }
                None => state.divergent |= if differs { bit(rd) } else { 0 },
            }
        }
        escapes
    }

    /// Whether the block's branch parts the threads, and what its calls pass on.
    fn judge(&self, block: usize, mut state: State, escaped: bool, result: &mut Divergence) {
        let mut origin: BTreeMap<u8, usize> = BTreeMap::new();
        for at in self.function.blocks[block].code() {
            let insn = &self.source.code[at];
            if let Control::Call(Target::Code(callee)) = insn.control {
                if let Some(&callee) = self.number_of.get(&callee) {
                    let frames = frame_registers(&state);
                    result
                        .calls
                        .push((callee, (state.divergent | frames) & ARGUMENTS));
                }
            }
            let differ = |registers: &[u8]| {
                registers
                    .iter()
                    .copied()
                    .find(|&r| bit(r) & (state.divergent | frame_registers(&state)) != 0)
            };
            let parts = match &insn.control {
                Control::Branch { rs1, rs2, .. } => differ(&[*rs1, *rs2]),
                Control::Indirect(rs1) => differ(&[*rs1]),
                _ => None,
            };
            if let Control::Branch { rs1, rs2, .. } = insn.control {
                let both = [rs1, rs2].iter().all(|&r| differ(&[r]).is_some());
                result.unlike[block] = both && rs1 != rs2;
            }
            if let Some(register) = parts {
                result.branches[block] = self.function.blocks[block].edges.len() > 1;
                let name = weft_isa::register_name(register);
                let why = match origin.get(&register) {
                    Some(&from) => format!(
                        "{name} differs between threads ({} in line {})",
                        self.source.statement(from).replace('\t', " "),
                        self.source.code[from].line
                    ),
                    None => format!("{name} differs between threads where the block begins"),
                };
                result.reasons.insert(block, why);
            }
            if insn.control == Control::Return {
                result.results |= (state.divergent | frame_registers(&state)) & RESULTS;
            }
            let written = writes(insn);
            (0..32).filter(|&r| written & bit(r) != 0).for_each(|r| {
                origin.insert(r, at);
            });
            self.step(insn, &mut state, escaped);
        }
        let away = self.function.blocks[block]
            .edges
            .iter()
            .any(|e| e.kind == crate::flow::EdgeKind::Away);
        if away && self.source.code[self.function.blocks[block].last].control != Control::End {
            result.results |= RESULTS;
        }
    }
}

/// Registers that hold addresses in the frame: each thread has a stack of its own.
fn frame_registers(state: &State) -> Registers {
    state
        .frame
        .keys()
        .fold(0, |all, &register| all | bit(register))
}
