//! A YIELD on the ways back that wait lets others run (COMP-092, COMP-093); loops that masks fear (COMP-085).

use crate::addresses::{constant_addresses, stack_pointers};
use crate::flow::{Edge, EdgeKind, Function};
use crate::graph::Shape;
use crate::registers::{bit, reads, writes, Registers};
use crate::rounds::{self, Back};
use crate::source::{rank, sources, Control, Edits, Source};
use std::collections::{BTreeMap, BTreeSet};
use weft_isa::{register_name, BranchCond, Instr};

/// COMP-093: puts a YIELD on each way back that waits; gives lines and what was put there.
pub(crate) fn yields(
    source: &Source,
    function: &Function,
    backs: &[Back],
    edits: &mut Edits,
) -> Vec<(usize, String)> {
    let mut placed = Vec::new();
    let edges = backs.iter().filter(|back| back.waits && !back.yields);
    let mut edges: Vec<&Edge> = edges.map(|back| &back.edge).collect();
    // By header: the YIELD that branches back can go to, and where it stands.
    let mut shared: BTreeMap<usize, (String, usize)> = BTreeMap::new();
    let last_of = |edge: &Edge| function.blocks[edge.from].last;
    let branches = |edge: &Edge| {
        let is_branch = matches!(source.code[last_of(edge)].control, Control::Branch { .. });
        is_branch && edge.kind == EdgeKind::Taken
    };
    edges.sort_by_key(|edge| branches(edge));
    for (number, edge) in edges.iter().enumerate() {
        let last = last_of(edge);
        let branches = branches(edge) && !edits.replaces(source, last);
        let near = |host: usize| {
            source.code[host].section == source.code[last].section && host.abs_diff(last) < REACH
        };
        let host = shared
            .get(&edge.to)
            .filter(|(_, host)| branches && near(*host));
        if let Some((label, _)) = host {
            let statement = source.statement(last);
            let branch = &statement[..statement.len() - source.last_operand(last).len()];
            edits.replace(source, last, &format!("{branch}{label}"));
            let line = source.code[last].line;
            placed.push((line, "the yield of another way back".to_string()));
            continue;
        }
        let mut text = String::from("yield");
        if edges[number + 1..].iter().any(|other| other.to == edge.to) {
            let label = edits.fresh(source);
            text = format!("{label}:\n\tyield");
            shared.insert(edge.to, (label, last));
        }
        match source.code[last].control {
            Control::Branch { cond, rs1, rs2, .. } if branches => {
                let [a, b] = [rs1, rs2].map(register_name);
                let (opposite, around) = (opposite(cond), edits.fresh(source));
                let to = source.last_operand(last);
                let text = match round(source, function, edge) {
                    Some(round) => {
                        let again = edits.fresh(source);
                        let statement = source.statement(last);
                        let branch = &statement[..statement.len() - to.len()];
                        format!("{opposite} {a}, {b}, {around}\n{again}:\n\t{text}\n{round}\t{branch}{again}\n{around}:")
                    }
                    None => format!("{opposite} {a}, {b}, {around}\n\t{text}\n\tj {to}\n{around}:"),
                };
                edits.replace(source, last, &text);
            }
            Control::Branch { .. } if edge.kind == EdgeKind::Fall => {
                edits.after(source, last, rank::BLOCK_END, &text)
            }
            Control::Plain | Control::Call(_) | Control::CallIndirect => {
                edits.after(source, last, rank::BLOCK_END, &text)
            }
            _ => edits.before(source, last, rank::PUSH, &text),
        }
        placed.push((source.code[last].line, "yield on the way back".to_string()));
    }
    placed
}

/// Farthest that a branch goes to a YIELD, in statements: ±4 KiB.
const REACH: usize = 300;

/// The statements of a short loop of one block, without its branch: written once more, they save a jump in each round.
fn round(source: &Source, function: &Function, edge: &Edge) -> Option<String> {
    const MOST: usize = 8;
    let block = &function.blocks[edge.from];
    if edge.from != edge.to || block.last - block.first > MOST {
        return None;
    }
    let copied = |at: usize| {
        let insn = &source.code[at];
        let text = source.statement(at);
        // The place of such a statement counts.
        let plain = insn.control == Control::Plain && !insn.ops.is_empty() && !insn.aligned;
        (plain && !text.contains("%pcrel")).then(|| format!("\t{text}\n"))
    };
    (block.first..block.last).map(copied).collect()
}

/// The branch that is taken where this one is not.
const fn opposite(cond: BranchCond) -> &'static str {
    match cond {
        BranchCond::Eq => "bne",
        BranchCond::Ne => "beq",
        BranchCond::Lt => "bge",
        BranchCond::Ge => "blt",
        BranchCond::Ltu => "bgeu",
        BranchCond::Geu => "bltu",
    }
}

/// COMP-085: whether threads that go on in a loop may wait for those that have left it.
pub(crate) fn may_wait(source: &Source, function: &Function, shape: &Shape, number: usize) -> bool {
    // No function is called there.
    let backs = rounds::backs(source, function, shape, &BTreeSet::new(), None);
    let waits = |back: &Back| back.waits && shape.is_in(number, back.edge.from);
    backs.iter().any(waits) || a_way_out_asks(source, function, shape, number)
}

/// A way out of the loop depends on what an atomic gave, or on a load from an address that may be the same one in each
/// round.
fn a_way_out_asks(source: &Source, function: &Function, shape: &Shape, number: usize) -> bool {
    let blocks: Vec<usize> = (0..function.blocks.len())
        .filter(|&b| shape.is_in(number, b))
        .collect();
    let code = || {
        blocks
            .iter()
            .flat_map(|&block| function.blocks[block].code())
    };
    let changed: Registers = code().fold(0, |all, at| all | writes(&source.code[at]));
    let constant = constant_addresses(source, function);
    let own_stack = stack_pointers(source, function);
    let is_own = |base: u8| own_stack & bit(base) != 0;
    let varying = varying(source, function, shape, &blocks, own_stack);
    // What depends on them where each block begins, in registers and in stack slots.
    let mut told: BTreeMap<usize, Told> = blocks
        .iter()
        .map(|&block| (block, Told::default()))
        .collect();
    let step = |at: usize, (registers, slots): &mut Told| {
        for op in &source.code[at].ops {
            let [rd, ..] = op.instr.registers();
            let sources = sources(op.instr);
            let from_outside = match op.instr {
                Instr::Amo { .. } | Instr::LoadReserved { .. } => true,
                Instr::Load { rs1, offset, .. } => {
                    let symbol = op.symbol.as_deref();
                    let nobody_writes = constant[&at] & bit(rs1) != 0
                        || symbol.is_some_and(|name| source.is_constant_data(name));
                    slots.contains(&(rs1, offset))
                        || (!is_own(rs1)
                            && !nobody_writes
                            && (varying[&at] & bit(rs1) == 0
                                || is_fixed(source, at, rs1, changed, own_stack, code())))
                }
                Instr::StoreConditional { .. } => false,
                _ => *registers & sources != 0,
            };
            if let Instr::Store {
                rs1, rs2, offset, ..
            } = op.instr
            {
                match *registers & bit(rs2) != 0 {
                    true if is_own(rs1) => slots.extend([(rs1, offset)]),
                    _ => {
                        slots.remove(&(rs1, offset));
                    }
                }
            }
            let written = rd.map_or(0, bit);
            *registers &= !written;
            *registers |= if from_outside { written } else { 0 };
        }
        if matches!(
            source.code[at].control,
            Control::Call(_) | Control::CallIndirect
        ) {
            *registers &= !writes(&source.code[at]);
        }
    };
    settle(function, &mut told, &step);
    let leaves = |block: usize| {
        let edges = &function.blocks[block].edges;
        edges
            .iter()
            .any(|edge| edge.kind != EdgeKind::Away && !shape.is_in(number, edge.to))
    };
    blocks.iter().any(|&block| {
        let last = function.blocks[block].last;
        let insn = &source.code[last];
        let mut state = told[&block].clone();
        function.blocks[block]
            .code()
            .for_each(|at| step(at, &mut state));
        matches!(insn.control, Control::Branch { .. })
            && leaves(block)
            && reads(insn) & state.0 != 0
    })
}

/// Passes on what holds where each of these blocks begins, until nothing is added.
fn settle(
    function: &Function,
    states: &mut BTreeMap<usize, Told>,
    step: &dyn Fn(usize, &mut Told),
) {
    let blocks: Vec<usize> = states.keys().copied().collect();
    let mut again = true;
    while again {
        again = false;
        for &block in &blocks {
            let mut state = states[&block].clone();
            let code = function.blocks[block].code();
            code.for_each(|at| step(at, &mut state));
            for edge in &function.blocks[block].edges {
                if let Some(known) = states.get_mut(&edge.to) {
                    let before = (known.0, known.1.len());
                    known.0 |= state.0;
                    known.1.extend(state.1.iter().copied());
                    again |= before != (known.0, known.1.len());
                }
            }
        }
    }
}

/// By instruction of a loop: registers that may hold something else in each round of it, or of a loop in it. What a round
/// computes anew from what stays is the same in the next one.
fn varying(
    source: &Source,
    function: &Function,
    shape: &Shape,
    blocks: &[usize],
    own_stack: Registers,
) -> BTreeMap<usize, Registers> {
    let step = |at: usize, (registers, slots): &mut Told| {
        let insn = &source.code[at];
        if insn.ops.is_empty() || matches!(insn.control, Control::CallIndirect) {
            *registers |= writes(insn);
            return;
        }
        for op in &insn.ops {
            let [rd, ..] = op.instr.registers();
            let varies = match op.instr {
                Instr::Load { rs1, offset, .. } if own_stack & bit(rs1) != 0 => {
                    slots.contains(&(rs1, offset))
                }
                _ => *registers & sources(op.instr) != 0,
            };
            if let Instr::Store {
                rs1, rs2, offset, ..
            } = op.instr
            {
                match *registers & bit(rs2) != 0 {
                    true => slots.insert((rs1, offset)),
                    false => slots.remove(&(rs1, offset)),
                };
            }
            let written = rd.map_or(0, bit);
            *registers = *registers & !written | if varies { written } else { 0 };
        }
    };
    // What a loop changes varies where its rounds begin.
    let carried = |number: usize| {
        let inside = blocks.iter().filter(|&&b| shape.is_in(number, b));
        let code = inside.flat_map(|&b| function.blocks[b].code());
        let mut changed = Told::default();
        for at in code {
            changed.0 |= writes(&source.code[at]);
            for op in &source.code[at].ops {
                if let Instr::Store { rs1, offset, .. } = op.instr {
                    changed.1.insert((rs1, offset));
                }
            }
        }
        changed
    };
    let begin = |&block: &usize| {
        let own = (0..shape.loops.len()).find(|&l| shape.loops[l].header == block);
        (block, own.map_or(Told::default(), carried))
    };
    let mut states: BTreeMap<usize, Told> = blocks.iter().map(begin).collect();
    settle(function, &mut states, &step);
    let mut found = BTreeMap::new();
    for (block, mut state) in states {
        for at in function.blocks[block].code() {
            found.insert(at, state.0);
            step(at, &mut state);
        }
    }
    found
}

/// Registers and stack slots (by base and offset) that depend on what other threads do; or that vary.
type Told = (Registers, BTreeSet<(u8, i32)>);

/// The address register is not changed in the loop, or only loaded anew with a symbol's address in front of the load.
fn is_fixed(
    source: &Source,
    load: usize,
    register: u8,
    changed: Registers,
    own_stack: Registers,
    code: impl Iterator<Item = usize>,
) -> bool {
    if changed & bit(register) == 0 {
        return register != 0;
    }
    let insn = &source.code[load];
    let own = insn.ops.iter().any(|op| op.symbol.is_some());
    let all: Vec<usize> = code.collect();
    let writers: Vec<usize> = all
        .iter()
        .copied()
        .filter(|&at| writes(&source.code[at]) & bit(register) != 0 && at != load)
        .collect();
    let stored = |base: u8, offset: i32| {
        all.iter().any(|&at| {
            source.code[at].ops.iter().any(|op| {
        matches!(op.instr, Instr::Store { rs1, offset: o, .. } if rs1 == base && o == offset)
    })
        })
    };
    // Without optimisation an address comes from a stack slot in each round.
    let of_slot = |&at: &usize| {
        source.code[at].ops.iter().all(|op| {
        matches!(op.instr, Instr::Load { rs1, offset, .. } if own_stack & bit(rs1) != 0 && !stored(rs1, offset))
    })
    };
    let of_symbol = |&at: &usize| {
        source.code[at].ops.iter().all(|op| {
            matches!(op.instr, Instr::Lui { .. } | Instr::Auipc { .. })
                || (op.symbol.is_some() && !matches!(op.instr, Instr::Load { .. }))
        })
    };
    match insn.ops.len() {
        2 if own => true,
        _ => !writers.is_empty() && writers.iter().all(|at| of_symbol(at) || of_slot(at)),
    }
}
