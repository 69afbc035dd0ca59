//! Nested statements with the tokens that a compiler would place, some of them missing or wrong.

use super::barriers;
use super::source::{Item, Label};
use super::writer::{Writer, FUEL, FUNCTIONS, KEEP, RA, SCRATCH, TARGET};
use rand::Rng as _;
use weft_isa::{AluOp, BranchCond, Instr, Kind, LeaveCond};

/// Where `break`, `continue` and `longjmp` go from here.
#[derive(Clone, Copy, Default)]
struct Scope {
    out: Option<Label>,
    next: Option<Label>,
    far: Option<Label>,
}

pub fn write(w: &mut Writer) {
    let functions: Vec<Label> = (0..w.rng.gen_range(0..=FUNCTIONS))
        .map(|_| w.source.label())
        .collect();
    let count = w.rng.gen_range(w.knobs.size.clone());
    for _ in 0..count {
        if w.full() {
            break;
        }
        let label = w.source.here();
        w.targets.push(label);
        barriers::maybe(w, true);
        statement(w, 0, Scope::default(), &functions);
    }
    w.source.op(Instr::Exit);
    for (i, &function) in functions.iter().enumerate() {
        w.source.place(function);
        // A function may call those after it; its return address lives in its own register.
        let keep = KEEP + i as u8;
        w.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: keep,
            rs1: RA,
            imm: 0,
        });
        for _ in 0..w.rng.gen_range(1..4) {
            statement(
                w,
                w.knobs.nesting.saturating_sub(1),
                Scope::default(),
                &functions[i + 1..],
            );
        }
        give_back(w, keep);
    }
}

fn statement(w: &mut Writer, level: u32, scope: Scope, functions: &[Label]) {
    w.straight(4);
    w.noise();
    if level > 0 {
        barriers::maybe(w, false);
    }
    if level >= w.knobs.nesting || w.full() {
        return leave_scope(w, scope);
    }
    match w.rng.gen_range(0..13) {
        0..=3 => choice(w, level, scope, functions),
        4..=6 => repeat(w, level, scope, functions),
        7 if !functions.is_empty() => call(w, functions),
        8 => many_ways(w, level, scope, functions),
        9 => region(w, level, scope, functions),
        10 => estranged(w),
        _ => leave_scope(w, scope),
    }
}

/// The token for a structured statement: as it should be, left out, or something else.
fn push(w: &mut Writer, kind: Kind, to: Label) {
    if w.chance(w.knobs.token_missing) {
        return;
    }
    let (kind, to) = distort(w, kind, to);
    w.source.emit(Item::Push { kind, to });
    if w.chance(w.knobs.token_wrong) {
        // Redundant, when it follows directly.
        w.source.emit(Item::Push { kind, to });
    }
}

fn distort(w: &mut Writer, kind: Kind, to: Label) -> (Kind, Label) {
    match w.chance(w.knobs.token_wrong) {
        true if w.chance(50) => (w.any_kind(), to),
        true => (kind, w.any_target()),
        false => (kind, to),
    }
}

/// LEAVE with the right target (the type may be wrong): control flow stays as it is.
fn leave(w: &mut Writer, kind: Kind, cond: LeaveCond, to: Label) {
    let kind = if w.chance(w.knobs.token_wrong) {
        w.any_kind()
    } else {
        kind
    };
    w.source.emit(Item::Leave { kind, cond, to });
}

fn condition(w: &mut Writer) -> (BranchCond, u8, u8) {
    use BranchCond::*;
    match w.rng.gen_range(0..4) {
        0 => (
            [Lt, Ge, Ltu, Geu][w.rng.gen_range(0..4)],
            w.data(),
            w.data(),
        ),
        1 => (Ne, w.bit(), 0),
        2 => (Eq, w.bit(), 0),
        _ => (Eq, w.data(), w.data()),
    }
}

/// `if` with or without `else`, meeting at a SYNC.
fn choice(w: &mut Writer, level: u32, scope: Scope, functions: &[Label]) {
    let (other, end) = (w.source.label(), w.source.label());
    push(w, Kind::SYNC, end);
    let (cond, rs1, rs2) = condition(w);
    w.source.emit(Item::Branch {
        cond,
        rs1,
        rs2,
        to: other,
    });
    statement(w, level + 1, scope, functions);
    leave(w, Kind::SYNC, LeaveCond::Always, end);
    w.source.place(other);
    if w.chance(60) {
        statement(w, level + 1, scope, functions);
    }
    leave(w, Kind::SYNC, LeaveCond::Always, end);
    w.source.place(end);
}

/// A loop with `break` and `continue` tokens; the continue target is the test at the end or the header itself.
fn repeat(w: &mut Writer, level: u32, scope: Scope, functions: &[Label]) {
    let (head, next, out) = (w.source.label(), w.source.label(), w.source.label());
    let header_is_next = w.chance(30);
    push(w, Kind::BREAK, out);
    w.source.place(head);
    let continue_at = if header_is_next { head } else { next };
    if w.chance(70) {
        push(w, Kind::CONTINUE, continue_at);
    }
    let inner = Scope {
        out: Some(out),
        next: (!header_is_next).then_some(next),
        ..scope
    };
    for _ in 0..w.rng.gen_range(1..3) {
        statement(w, level + 1, inner, functions);
    }
    if w.chance(50) {
        let rs1 = w.bit();
        leave(w, Kind::BREAK, LeaveCond::Nez(rs1), out);
    }
    if !header_is_next && w.chance(60) {
        leave(w, Kind::CONTINUE, LeaveCond::Always, next);
    }
    w.source.place(next);
    if w.chance(w.knobs.yields * 2) {
        w.source.op(Instr::Yield);
    }
    // The loop's end: a thread without fuel leaves for the way out.
    w.source.op(Instr::OpImm {
        op: AluOp::Add,
        rd: FUEL,
        rs1: FUEL,
        imm: -1,
    });
    w.source.op(Instr::Op {
        op: AluOp::Slt,
        rd: SCRATCH,
        rs1: 0,
        rs2: FUEL,
    });
    if w.chance(70) {
        leave(w, Kind::BREAK, LeaveCond::Eqz(SCRATCH), out);
    } else {
        w.source.emit(Item::Branch {
            cond: BranchCond::Eq,
            rs1: SCRATCH,
            rs2: 0,
            to: out,
        });
    }
    if header_is_next && w.chance(60) {
        leave(w, Kind::CONTINUE, LeaveCond::Always, head);
    } else {
        w.source.emit(Item::Jal { rd: 0, to: head });
    }
    w.source.place(out);
}

/// `break`, `continue` or `longjmp` of some threads.
fn leave_scope(w: &mut Writer, scope: Scope) {
    let (kind, to) = match (w.rng.gen_range(0..3), scope) {
        (0, Scope { out: Some(to), .. }) => (Kind::BREAK, to),
        (1, Scope { next: Some(to), .. }) => (Kind::CONTINUE, to),
        (2, Scope { far: Some(to), .. }) => (Kind::LONGJMP, to),
        _ => return w.straight(3),
    };
    let cond = w.leave_cond();
    leave(w, kind, cond, to);
}

/// A region that `longjmp`, `pexit` or a free type leaves for its end.
fn region(w: &mut Writer, level: u32, scope: Scope, functions: &[Label]) {
    let end = w.source.label();
    let kind = [
        Kind::LONGJMP,
        Kind::PEXIT,
        Kind::software(6).expect("free"),
        Kind::software(9).expect("free"),
    ][w.rng.gen_range(0..4)];
    push(w, kind, end);
    statement(
        w,
        level + 1,
        Scope {
            far: Some(end),
            ..scope
        },
        functions,
    );
    let cond = w.leave_cond();
    leave(w, kind, cond, end);
    statement(
        w,
        level + 1,
        Scope {
            far: Some(end),
            ..scope
        },
        functions,
    );
    leave(w, kind, LeaveCond::Always, end);
    w.source.place(end);
}

/// A call, meeting at the return; sometimes of a function that each thread chooses.
fn call(w: &mut Writer, functions: &[Label]) {
    let back = w.source.label();
    push(w, Kind::CALL, back);
    if functions.len() > 1 && w.chance(50) {
        let first = w.source.table.len();
        w.source.table.extend([functions[0], functions[1]]);
        w.table_target(first, 2);
        w.source.op(Instr::Jalr {
            rd: RA,
            rs1: TARGET,
            offset: 0,
        });
    } else {
        let function = functions[w.rng.gen_range(0..functions.len())];
        w.source.emit(Item::Jal {
            rd: RA,
            to: function,
        });
    }
    w.source.place(back);
}

/// Return through `register`: `wret`, a LEAVE of another type, or a plain `jalr`;
/// or through the link register, which call tokens know.
fn give_back(w: &mut Writer, register: u8) {
    let by_convention = w.chance(30);
    if by_convention {
        w.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: RA,
            rs1: register,
            imm: 0,
        });
    }
    w.fuel(None);
    match w.rng.gen_range(0..6) {
        _ if by_convention => w.source.op(Instr::Jalr {
            rd: 0,
            rs1: RA,
            offset: 0,
        }),
        0 => w.source.op(Instr::Jalr {
            rd: 0,
            rs1: register,
            offset: 0,
        }),
        1 => {
            let kind = w.any_kind();
            w.source.op(Instr::LeaveIndirect {
                kind,
                rs1: register,
                offset: 0,
            });
        }
        _ => w.source.op(Instr::LeaveIndirect {
            kind: Kind::CALL,
            rs1: register,
            offset: 0,
        }),
    }
}

/// A jump table with per-thread targets, meeting at the end.
fn many_ways(w: &mut Writer, level: u32, scope: Scope, functions: &[Label]) {
    let ways = if w.chance(50) { 2 } else { 4 };
    let end = w.source.label();
    let labels: Vec<Label> = (0..ways).map(|_| w.source.label()).collect();
    let first = w.source.table.len();
    w.source.table.extend(&labels);
    push(w, Kind::SYNC, end);
    w.table_target(first, ways);
    // `jalr` clears the lowest bit of the sum.
    let offset = i32::from(w.chance(20));
    w.source.op(Instr::Jalr {
        rd: 0,
        rs1: TARGET,
        offset,
    });
    for label in labels {
        w.source.place(label);
        if w.chance(40) {
            statement(w, level + 1, scope, functions);
        } else {
            w.straight(2);
        }
        leave(w, Kind::SYNC, LeaveCond::Always, end);
    }
    w.source.place(end);
}

/// Some threads leave a region by another way, meet the others again inside it, and then all leave it: the region's
/// token has forgotten those that strayed (CONV-041), so a LEAVE catches only some of the threads that it selects.
fn estranged(w: &mut Writer) {
    let (end, meet, detour) = (w.source.label(), w.source.label(), w.source.label());
    let (region, inner) = (w.any_kind(), w.any_kind());
    push(w, region, end);
    push(w, inner, meet);
    let rs1 = w.bit();
    leave(w, region, LeaveCond::Nez(rs1), detour);
    w.straight(2);
    leave(w, inner, LeaveCond::Always, meet);
    w.source.place(detour);
    w.straight(2);
    leave(w, inner, LeaveCond::Always, meet);
    w.source.place(meet);
    if w.chance(50) {
        let cond = w.leave_cond();
        leave(w, region, cond, end);
        w.straight(2);
    }
    if w.chance(50) {
        leave(w, region, LeaveCond::Always, end);
    } else {
        w.source.emit(Item::Address {
            rd: TARGET,
            to: end,
        });
        w.source.op(Instr::LeaveIndirect {
            kind: region,
            rs1: TARGET,
            offset: 0,
        });
    }
    w.source.place(end);
}
