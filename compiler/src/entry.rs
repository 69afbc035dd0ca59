//! The entry function `kernel`: its registers, so that the high ones can be shared in sub-vector mode (COMP-125, COMP-126),
//! and its end (COMP-127).

use crate::flow::{EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::registers::{bit, reads, writes, Liveness, Registers, CALLEE_SAVED, RA, SP};
use crate::source::{Control, Edits, Insn, Source, Target};
use crate::subvector::{loops, with_other_registers, LOWEST_SHARED};
use crate::Options;
use weft_isa::{Instr, LoadWidth, StoreWidth};

/// What a caller keeps in registers, but for the pointers that nobody changes: s0 to s11.
const SAVED: Registers = CALLEE_SAVED & !(bit(SP) | bit(3) | bit(4));
/// Registers that can have another number: not zero, ra, sp, gp, tp.
const NUMBERS: std::ops::Range<u8> = 5..32;

/// The `kernel` that the start file alone calls, if the source is the whole program.
pub(crate) fn entry(source: &Source, functions: &[Function], options: &Options) -> Option<usize> {
    let number = functions.iter().position(|f| f.name == "kernel")?;
    let function = &functions[number];
    let begin = Target::Code(function.blocks[0].first);
    let calls = |control: &Control| match control {
        Control::Call(to) | Control::Jump(to) | Control::Branch { target: to, .. } => *to == begin,
        _ => false,
    };
    let called = function.address_taken || source.code.iter().any(|insn| calls(&insn.control));
    let called = called && options.mutation != Some(Mutation::NobodyCalls);
    (options.whole && function.left_alone.is_none() && !called).then_some(number)
}

/// COMP-127: returns of `kernel` end the thread.
pub(crate) fn exits(
    source: &Source,
    function: &Function,
    edits: &mut Edits,
) -> Vec<(usize, String)> {
    let mut placed = Vec::new();
    for block in &function.blocks {
        let last = block.last;
        if source.code[last].control == Control::Return && !edits.replaces(source, last) {
            edits.replace(source, last, "exit");
            placed.push((source.code[last].line, "exit in place of the return".into()));
        }
    }
    placed
}

/// The text with the registers of `kernel` moved; `None`: nothing changes.
pub(crate) fn prepare(
    source: &Source,
    functions: &[Function],
    shapes: &[Shape],
    options: &Options,
) -> Option<String> {
    let number = entry(source, functions, options)?;
    let (function, shape) = (&functions[number], &shapes[number]);
    if !options.form.by_instructions() || loops(source, function, shape, options).is_empty() {
        return None;
    }
    let liveness = Liveness::of_entry(source, function, shape, options.mutation);
    let mut edits = Edits::default();
    for at in saves(source, function, &liveness, options.mutation) {
        edits.replace(source, at, "");
    }
    let text = edits.apply(source);
    Some(moved(&text, options).unwrap_or(text)).filter(|text| *text != source.text)
}

/// The slot of the frame that a load or store of a word names by sp, and its register.
fn slot(insn: &Insn, loads: bool) -> Option<(i32, u8)> {
    let [op] = &insn.ops[..] else {
        return None;
    };
    match op.instr {
        Instr::Load {
            width: LoadWidth::I32,
            rd,
            rs1: SP,
            offset,
        } if loads => Some((offset, rd)),
        Instr::Store {
            width: StoreWidth::W32,
            rs2,
            rs1: SP,
            offset,
        } if !loads => Some((offset, rs2)),
        _ => None,
    }
}

/// COMP-125: saves and restores that nobody needs.
fn saves(
    source: &Source,
    function: &Function,
    liveness: &Liveness,
    mutation: Option<Mutation>,
) -> Vec<usize> {
    let (mut dropped, mut read) = (Vec::new(), Vec::new());
    for (number, block) in function.blocks.iter().enumerate() {
        for at in block.code() {
            if let Some((slot, register)) = slot(&source.code[at], true) {
                let live = liveness.after(source, function, number, at);
                match SAVED & bit(register) & !live {
                    0 => read.push(slot),
                    _ => dropped.push(at),
                }
            }
        }
    }
    let mut written: Registers = 0;
    for at in function.blocks[0].code() {
        let insn = &source.code[at];
        if let Some((slot, register)) = slot(insn, false) {
            let kept = written & bit(register) != 0 || read.contains(&slot);
            let kept = kept && mutation != Some(Mutation::DropsAllSaves);
            if SAVED & bit(register) != 0 && !kept {
                dropped.push(at);
            }
        }
        written |= writes(insn);
    }
    dropped
}

/// COMP-126: the text with registers that are needed outside of the loops below x16; `None`: they stay.
fn moved(text: &str, options: &Options) -> Option<String> {
    let source = Source::read(text, "kernel").ok()?;
    let functions = crate::flow::functions(&source);
    let function = functions.iter().find(|f| f.name == "kernel")?;
    let shape = Shape::of(function);
    let all = || function.blocks.iter().flat_map(|block| block.code());
    let is_fixed = |at: usize| {
        matches!(
            source.code[at].control,
            Control::Call(_) | Control::CallIndirect | Control::Bytes
        )
    };
    let away = |block: &crate::flow::Block| {
        let edges = block.edges.iter();
        let ends = source.code[block.last].control == Control::End;
        !ends && edges.into_iter().any(|edge| edge.kind == EdgeKind::Away)
    };
    if all().any(is_fixed) || function.blocks.iter().any(away) {
        return None;
    }
    let liveness = Liveness::of_entry(&source, function, &shape, options.mutation);
    let given = match options.mutation {
        Some(Mutation::MovesWhatIsGiven) => 0,
        _ => liveness.before(&source, function, 0, function.blocks[0].first),
    };
    let own = own(&source, function, &shape, &liveness, options);
    let named = all().fold(0, |all, at| {
        all | reads(&source.code[at]) | writes(&source.code[at])
    });
    let mut names: [u8; 32] = std::array::from_fn(|n| n as u8);
    // Low numbers that nothing of its own has; those without any use last, so they are popped first.
    let mut low: Vec<u8> = (NUMBERS.start..LOWEST_SHARED)
        .filter(|&r| (own | given) & bit(r) == 0)
        .collect();
    low.sort_by_key(|&r| named & bit(r) == 0);
    for high in (LOWEST_SHARED..NUMBERS.end).filter(|&r| own & !given & bit(r) != 0) {
        if let Some(new) = low.pop() {
            (names[usize::from(high)], names[usize::from(new)]) = (new, high);
        }
    }
    let mut edits = Edits::default();
    for at in all() {
        edits.replace(&source, at, &with_other_registers(&source, at, &names));
    }
    let text = edits.apply(&source);
    // Registers that a statement does not name by themselves: then nothing is moved.
    let after = Source::read(&text, "kernel").ok()?;
    let renamed = |set: Registers| {
        (0..32u8)
            .filter(|&r| set & bit(r) != 0)
            .fold(0, |all, r| all | bit(names[usize::from(r)]))
    };
    let same = |at: usize| {
        let (old, new) = (&source.code[at], &after.code[at]);
        let returns = old.control == Control::Return;
        returns || (renamed(reads(old)), renamed(writes(old))) == (reads(new), writes(new))
    };
    (after.code.len() == source.code.len() && all().all(same)).then_some(text)
}

/// Registers that are named outside of the sub-vector loops, or hold something across one.
fn own(
    source: &Source,
    function: &Function,
    shape: &Shape,
    liveness: &Liveness,
    options: &Options,
) -> Registers {
    let found = loops(source, function, shape, options);
    let begin = |block: usize| function.blocks[block].first;
    let crossing = found.iter().fold(0, |all, segment| {
        let join = segment.join;
        let header = segment.header;
        all | liveness.before(source, function, header, begin(header))
            | liveness.before(source, function, join, begin(join))
    });
    let outside =
        (0..function.blocks.len()).filter(|b| found.iter().all(|s| !s.blocks.contains(b)));
    let named = outside
        .flat_map(|b| function.blocks[b].code())
        .filter(|&at| source.code[at].control != Control::Return)
        .fold(0, |all, at| {
            all | reads(&source.code[at]) | writes(&source.code[at])
        });
    crossing | named
}

/// COMP-126: the first register that can be shared, if there are sub-vector loops.
pub(crate) fn shared_from(
    source: &Source,
    function: &Function,
    shape: &Shape,
    options: &Options,
) -> Option<u8> {
    if !options.form.by_instructions() || loops(source, function, shape, options).is_empty() {
        return None;
    }
    let is_entry = options.whole && function.name == "kernel";
    let liveness = match is_entry {
        true => Liveness::of_entry(source, function, shape, options.mutation),
        false => Liveness::of(source, function, shape, options.mutation),
    };
    let own = own(source, function, shape, &liveness, options) | bit(RA) | bit(SP);
    // Temporary values of the lowerings need those below in any case (COMP-051).
    Some((32 - own.leading_zeros() as u8).max(LOWEST_SHARED))
}
