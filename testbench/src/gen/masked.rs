//! Masked regions, predicated blocks, sub-vector loops and tokens in each other, by the rules under which a thread does
//! what it would do alone (MASK-060).

use super::source::{Condition, Item, Source};
use super::writer::OWN_BASE;
use super::Knobs;
use crate::seed::Rng;
use rand::Rng as _;
use std::collections::BTreeMap;
use weft_isa::{Instr, MaskInstr, Program};

pub fn generate(knobs: &Knobs, rng: &mut Rng) -> Source {
    let mut text = weft_sim::masked::program(&mut |below| rng.gen_range(0..below));
    // An SM has more threads than the program has room for behind itself.
    if knobs.windows != 0 {
        text = text.replace("la s1, log", &format!("li s1, {OWN_BASE}"));
    }
    if knobs.floats != 0 {
        text = floats(&text);
    }
    if knobs.shared {
        text = shared(&text);
    }
    let program = weft_isa::assemble(&text, "masked.s");
    source(&program.unwrap_or_else(|e| panic!("{e:?}\n{text}")))
}

/// The same program, but that float instructions compute its data, in predicated blocks and elsewhere.
fn floats(text: &str) -> String {
    let line = |line: &str| match line.trim().split_once(' ') {
        Some(("mul", operands)) => {
            let to = operands.split(',').next().unwrap_or_default();
            format!(" fmadd.s {operands}, {to}\n")
        }
        Some(("sub", operands)) => format!(" fsub.s {operands}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The same program in x1 to x15, and with values in registers from x16 on inside of its declared sub-vector loops.
/// They are of use up to the end of the loop, unless somebody yields in it (SUBV-023).
fn shared(text: &str) -> String {
    const NAMES: [(&str, &str); 10] = [
        ("s10", "t2"),
        ("s11", "sp"),
        ("s2", "a1"),
        ("s3", "a2"),
        ("s4", "a3"),
        ("s5", "a4"),
        ("s6", "a5"),
        ("s7", "tp"),
        ("s8", "gp"),
        ("s9", "ra"),
    ];
    let text = NAMES
        .into_iter()
        .fold(text.to_string(), |text, (from, to)| text.replace(from, to));
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    // The last line of each loop, and what stands in front of it.
    let mut ends = BTreeMap::new();
    for (at, &line) in lines.iter().enumerate() {
        out.push_str(ends.remove(line).unwrap_or_default());
        out.push_str(line);
        out.push('\n');
        if let Some(label) = line.trim().strip_prefix("subv.start ") {
            out.push_str(
                " addi x31, s0, 1\n xor x16, x31, a1\n add x24, x16, x31\n sub a1, x24, x16\n",
            );
            let end = format!(" sync {label}");
            let mut inside = lines[at..].iter().take_while(|line| **line != end);
            if !inside.any(|line| line.trim() == "yield") {
                ends.insert(
                    end,
                    " xor a2, a2, x31\n sub a3, a3, x16\n add a4, a4, x24\n",
                );
            }
        }
    }
    out
}

/// The items of a program that is all text, with labels where its transfers go.
fn source(program: &Program) -> Source {
    let (from, to) = program.text;
    let mut source = Source::default();
    let mut labels = BTreeMap::new();
    let text = &program.segments[0].bytes[..(to - from) as usize];
    for (index, word) in text.chunks_exact(4).enumerate() {
        let word = u32::from_le_bytes(word.try_into().expect("four bytes"));
        let instr = weft_isa::decode(word).unwrap_or_else(|e| panic!("{word:#x}: {e:?}"));
        let mut label = |offset: i32| {
            let at = index.wrapping_add_signed(offset as isize / 4);
            *labels.entry(at).or_insert_with(|| {
                source.labels.push(at);
                source.labels.len() - 1
            })
        };
        let item = match instr {
            Instr::Branch {
                cond,
                rs1,
                rs2,
                offset,
            } => Item::Branch {
                cond,
                rs1,
                rs2,
                to: label(offset),
            },
            Instr::Jal { rd, offset } => Item::Jal {
                rd,
                to: label(offset),
            },
            Instr::Push { kind, offset } => Item::Push {
                kind,
                to: label(offset),
            },
            Instr::Leave { kind, cond, offset } => Item::Leave {
                kind,
                cond,
                to: label(offset),
            },
            Instr::SubVector { auto, offset } => Item::SubVector {
                auto,
                to: label(offset),
            },
            Instr::Mask(MaskInstr::Branch { cond, ms, offset }) => Item::MaskBranch {
                on: Condition::Mask(cond, ms),
                to: label(offset),
            },
            Instr::Mask(MaskInstr::BranchCondition { value, offset }) => Item::MaskBranch {
                on: Condition::Scalar(value),
                to: label(offset),
            },
            instr => Item::Plain(instr),
        };
        source.emit(item);
    }
    source
}
