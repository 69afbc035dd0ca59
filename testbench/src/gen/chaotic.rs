//! Blocks that end in a transfer to any other block, forward or backward, with tokens anywhere.

use super::source::{Item, Label};
use super::writer::{Writer, LINK, RA, TARGET};
use rand::Rng as _;
use weft_isa::{BranchCond, Instr, LeaveCond};

pub fn write(w: &mut Writer) {
    let count = w.rng.gen_range(w.knobs.size.clone());
    let blocks: Vec<Label> = (0..count).map(|_| w.source.label()).collect();
    w.targets.extend(&blocks);
    for &block in &blocks {
        w.source.place(block);
        w.straight(3);
        super::barriers::maybe(w, false);
        w.noise();
        transfer(w, &blocks);
    }
}

/// Ends a block. Whether the target lies behind or ahead is left to chance, so all of them spend fuel.
fn transfer(w: &mut Writer, blocks: &[Label]) {
    let to = blocks[w.rng.gen_range(0..blocks.len())];
    if w.chance(w.knobs.indirect) {
        return indirect(w, blocks);
    }
    // Out of fuel: to the end, or on to the next block.
    let past = w.maybe_label(60);
    match w.rng.gen_range(0..10) {
        0 => {}
        1..=4 => {
            let (rs1, rs2) = (w.data(), w.data());
            let (cond, rs1, rs2) = match w.rng.gen_range(0..3) {
                0 => (BranchCond::Ne, w.bit(), 0),
                1 => (BranchCond::Eq, w.bit(), 0),
                _ => (
                    [BranchCond::Lt, BranchCond::Geu][w.rng.gen_range(0..2)],
                    rs1,
                    rs2,
                ),
            };
            w.fuel(past);
            w.source.emit(Item::Branch { cond, rs1, rs2, to });
        }
        5..=7 => {
            let (kind, cond) = (w.any_kind(), w.leave_cond());
            if w.chance(30) {
                w.source.emit(Item::Push { kind, to });
            }
            w.fuel(past);
            w.source.emit(Item::Leave { kind, cond, to });
        }
        8 => {
            w.fuel(past);
            w.source.emit(Item::Jal { rd: 0, to });
        }
        _ => {
            // A call: the return address token may or may not be there.
            let (kind, back) = (w.any_kind(), w.source.label());
            if w.chance(60) {
                w.source.emit(Item::Push { kind, to: back });
            }
            w.fuel(past);
            w.source.emit(Item::Jal { rd: RA, to });
            w.source.place(back);
        }
    }
    if let Some(past) = past {
        w.source.place(past);
    }
}

fn indirect(w: &mut Writer, blocks: &[Label]) {
    let past = w.maybe_label(60);
    let entries = [1, 2, 4][w.rng.gen_range(0..3)];
    let first = w.source.table.len();
    let labels: Vec<Label> = (0..entries)
        .map(|_| blocks[w.rng.gen_range(0..blocks.len())])
        .collect();
    let kind = w.any_kind();
    let tokens = w.chance(50);
    if w.chance(10) {
        // A return by the convention that call tokens know.
        w.fuel(past);
        w.source.op(Instr::Jalr {
            rd: 0,
            rs1: RA,
            offset: 0,
        });
        if let Some(past) = past {
            w.source.place(past);
        }
        return;
    }
    if w.chance(75) {
        if tokens {
            // The group that meets here may have come by different ways.
            let to = labels[w.rng.gen_range(0..entries)];
            w.source.emit(Item::Push { kind, to });
        }
        w.source.table.extend(&labels);
        w.table_target(first, entries);
    } else {
        // A return to wherever the last call of this thread came from.
        w.source.op(Instr::OpImm {
            op: weft_isa::AluOp::Add,
            rd: TARGET,
            rs1: RA,
            imm: 0,
        });
    }
    w.fuel(past);
    match w.rng.gen_range(0..5) {
        0 | 1 => w.source.op(Instr::Jalr {
            rd: 0,
            rs1: TARGET,
            offset: 0,
        }),
        2 => {
            let rd = if w.chance(70) { RA } else { LINK };
            w.source.op(Instr::Jalr {
                rd,
                rs1: TARGET,
                offset: 1,
            });
        }
        _ => w.source.op(Instr::LeaveIndirect {
            kind,
            rs1: TARGET,
            offset: 0,
        }),
    }
    if let Some(past) = past {
        w.source.place(past);
    }
    if w.chance(10) {
        let to = w.end;
        w.source.emit(Item::Leave {
            kind,
            cond: LeaveCond::Always,
            to,
        });
    }
}
