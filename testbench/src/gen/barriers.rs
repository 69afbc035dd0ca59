//! Barriers and critical sections at which no program hangs: those of all threads only where every thread comes by
//! once, the others run out of patience or let every thread through.

use super::source::Item;
use super::writer::{Writer, ROUNDS, SCRATCH, TARGET};
use rand::Rng as _;
use weft_isa::{AluOp, BarrierOp, BranchCond, Instr};
use weft_sim::barrier::{Kind, Late, Origin, Word};

/// Of split barriers, which are used once by every thread, one after the other.
const SPLIT: u8 = 7;

/// Something with a barrier, maybe. `once`: every thread that lives comes here once, in the same order.
pub fn maybe(w: &mut Writer, once: bool) {
    if !w.chance(w.knobs.barriers) {
        return;
    }
    let for_all = once && w.knobs.barriers_of_all;
    if w.knobs.barriers_unlike_alone && w.chance(10) {
        let id = w.rng.gen_range(0..7);
        op(w, id, BarrierOp::Reset);
    }
    match w.rng.gen_range(0..10) {
        0..=3 => simple(w, for_all),
        8 if for_all => rounds(w),
        9 if for_all => split(w),
        _ => section(w, for_all),
    }
}

fn op(w: &mut Writer, id: u8, op: BarrierOp) {
    w.source.op(Instr::Barrier { id, op });
}

/// A TOP; some threads may not take part.
fn top(w: &mut Writer, id: u8, word: Word) {
    // Where all are waited for, those who do not take part must count as arrivals, but not when they have ended.
    let may_pass = !matches!(word.condition(), 1 | 2) || word.count() != 0;
    if may_pass && w.chance(30) {
        let rs1 = w.bit();
        w.constant(TARGET, word.0);
        return op(w, id, BarrierOp::TopNez { rs1, word: TARGET });
    }
    if word == Word::default() && w.chance(50) {
        return op(w, id, BarrierOp::Top { word: 0 });
    }
    w.constant(TARGET, word.0);
    op(w, id, BarrierOp::Top { word: TARGET });
}

/// A thread that waits for an id never keeps those waiting who wait for all.
fn id(w: &mut Writer, word: Word) -> u8 {
    match word.is_impatient() || word.count() != 0 {
        true => w.rng.gen_range(0..4),
        false => w.rng.gen_range(4..SPLIT),
    }
}

fn word(w: &mut Writer, for_all: bool) -> Word {
    let origins = [
        Origin::FirstParticipant,
        Origin::First,
        Origin::LatestParticipant,
        Origin::Latest,
    ];
    if for_all && w.chance(70) {
        return Word::default().with_condition(w.rng.gen_range(0..3));
    }
    // One arrival is enough: whoever comes goes on, one after the other.
    if w.chance(30) {
        return Word::default()
            .with_condition(w.rng.gen_range(1..3))
            .with_count(1);
    }
    let late = match w.knobs.barriers_unlike_alone {
        true => [Late::Joins, Late::Runs, Late::Skips][w.rng.gen_range(0..3)],
        false => [Late::Joins, Late::Runs][w.rng.gen_range(0..2)],
    };
    Word::default()
        .with_condition(w.rng.gen_range(3..5))
        .with_count(w.rng.gen_range(0..8))
        .with_origin(origins[w.rng.gen_range(0..4)])
        .with_late(late)
        .with_timeout(w.rng.gen_range(0..3))
}

fn simple(w: &mut Writer, for_all: bool) {
    let mut word = word(w, for_all);
    if word.is_impatient() && w.chance(30) {
        word = word.with_late(Late::Invalidates);
    }
    let id = id(w, word);
    top(w, id, word);
}

fn section(w: &mut Writer, for_all: bool) {
    let kind = [Kind::Section, Kind::Ordered][w.rng.gen_range(0..2)];
    let mut word = word(w, for_all).with_kind(kind);
    if w.chance(20) {
        word = word.exclusive();
    }
    let id = id(w, word);
    top(w, id, word);
    inside(w);
    let bottom = match w.chance(50) {
        true => BarrierOp::Bottom,
        false => BarrierOp::BottomNb,
    };
    op(w, id, bottom);
}

/// Nothing that leads out of the section: who holds one and waits elsewhere may wait for ever.
fn inside(w: &mut Writer) {
    for _ in 0..w.rng.gen_range(0..4) {
        w.ordinary();
        w.noise_in_place();
    }
}

/// All threads come by as often as each other. Who does not take part comes again while the others still wait.
fn rounds(w: &mut Writer) {
    let rounds = w.rng.gen_range(2..4);
    w.constant(ROUNDS, rounds);
    let again = w.source.here();
    let section = w.chance(50);
    let kind = if section { Kind::Section } else { Kind::Simple };
    let id = w.rng.gen_range(4..SPLIT);
    top(w, id, Word::default().with_kind(kind));
    inside(w);
    if section {
        op(w, id, BarrierOp::Bottom);
    }
    w.source.op(Instr::OpImm {
        op: AluOp::Add,
        rd: ROUNDS,
        rs1: ROUNDS,
        imm: -1,
    });
    w.source.emit(Item::Branch {
        cond: BranchCond::Ne,
        rs1: ROUNDS,
        rs2: 0,
        to: again,
    });
}

/// Arrive, do something else, wait.
fn split(w: &mut Writer) {
    let parity = w.phases & 1;
    w.phases += 1;
    op(w, SPLIT, BarrierOp::Arrive { word: 0 });
    w.straight(4);
    w.constant(SCRATCH, parity);
    op(w, SPLIT, BarrierOp::Wait { rs1: SCRATCH });
}
