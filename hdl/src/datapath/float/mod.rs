//! `weft_float`: single-precision float of a warp's passes, F lanes at once.
//!
//! Spec: `docs/spec/float.md`.
//!
//! # Parameters
//! `WI`: log2 warps; `L` lanes of the datapath, `LW` = 32 L; `PB` bits of a part's number;
//! `F` lanes of float, `FN` = L / F turns of a pass (1, 2 or 4), `FB` = max(1, log2 FN).
//!
//! # Cycle behaviour
//! ```text
//! cycle     -1       0      1      2     ...    8      9      10
//! third   row c
//! pass            a and b
//! FN = 1                  turn   rank 1  ...  rank 7        the row is offered
//! FN = 2                  turn 0 turn 1  ...                        the row is offered
//! ```
//! A pass is put into registers; its turns go one per cycle, the lowest lanes first. Nothing in the ranks waits.
//! A turn of a division or square root goes when its iteration is over.
//! What a pass is beside its operands waits in the queue from the beginning; its row comes to it.
//!
//! # Invariants
//! 1. No more than 16 passes are inside, so each has a place in the queue.
//! 2. What is behind a division or square root comes only when that has left.
//!
//! # Errors
//! None.

mod exact;
mod iterate;
mod lane;
mod normalise;
mod prepare;
mod product;
mod round;
mod sum;
mod unpack;

use crate::hdl::*;
use crate::prim::{LutRam, Pack};
use lane::FloatLane;

#[module(requires(LW == 32 * L, F * FN == L, FN == 1 || FN == 2 || FN == 4, FN <= 2 && FB == 1 || FN == 1 << FB))]
pub struct Float<
    const WI: usize,
    const L: usize,
    const LW: usize,
    const PB: usize,
    const F: usize,
    const FN: usize,
    const FB: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// The row at `b` is the third operand of the next pass, and is kept until that comes.
    pub third_valid: Signal<In, Bit>,
    /// A pass; there is never a second one within FN cycles.
    pub pass_valid: Signal<In, Bit>,
    /// It is the last one of its instruction.
    pub pass_last: Signal<In, Bit>,
    /// Its warp.
    pub pass_warp: Signal<In, Bits<WI>>,
    /// Its part of the warp.
    pub pass_part: Signal<In, Bits<PB>>,
    /// Bit 5: there is a destination; bits 4:0: its number.
    pub pass_rd: Signal<In, Bits<6>>,
    /// Its lanes; never 0.
    pub pass_mask: Signal<In, Bits<L>>,
    /// The operation (`docs/spec/float.md`, FLOAT-020).
    pub pass_code: Signal<In, Bits<5>>,
    /// 0 rne, 1 rtz, 2 rdn, 3 rup, 4 rmm, 7 as 0.
    pub pass_rounding: Signal<In, Bits<3>>,
    /// First operands, lane 0 lowest.
    pub a: Signal<In, Bits<LW>>,
    /// Second operands, lane 0 lowest.
    pub b: Signal<In, Bits<LW>>,
    /// Three more passes have room beyond all that are inside, and no division or square root is inside.
    pub free: Signal<Out, Bit>,
    /// Nothing is inside: a division or square root may be sent.
    pub idle: Signal<Out, Bit>,
    /// A row of results.
    pub result_valid: Signal<Out, Bit>,
    /// It is taken.
    pub result_ready: Signal<In, Bit>,
    /// Its warp.
    pub result_warp: Signal<Out, Bits<WI>>,
    /// Its part.
    pub result_part: Signal<Out, Bits<PB>>,
    /// The register.
    pub result_rd: Signal<Out, Bits<5>>,
    /// Its lanes.
    pub result_mask: Signal<Out, Bits<L>>,
    /// The words, lane 0 lowest; those of other lanes than its are nothing.
    pub result_data: Signal<Out, Bits<LW>>,
    /// An instruction is complete: its rows have been taken before.
    pub complete_valid: Signal<Out, Bit>,
    /// It is taken note of.
    pub complete_ready: Signal<In, Bit>,
    /// Its warp.
    pub complete_warp: Signal<Out, Bits<WI>>,
    /// Its `pass_rd`.
    pub complete_rd: Signal<Out, Bits<6>>,
    // Cells.
    #[many(F)]
    lanes: Vec<FloatLane>,
    // The queue: rows, and what came with their passes.
    #[many(L)]
    rows: Vec<LutRam<Bits<32>, 4>>,
    warps: LutRam<Bits<WI>, 4>,
    parts: LutRam<Bits<PB>, 4>,
    rds: LutRam<Bits<6>, 4>,
    masks: LutRam<Bits<L>, 4>,
    lasts: LutRam<Bits<1>, 4>,
    pack: Pack<L, LW>,
    // Instructions that are complete.
    done_warps: LutRam<Bits<WI>, 2>,
    done_rds: LutRam<Bits<6>, 2>,
    // The third operand of the next pass.
    #[many(L)]
    kept: Vec<DFF<Bits<32>>>,
    // A pass with turns to go; which is next; its operands, those of the next turn lowest.
    active: DFF<Bit>,
    turn: DFF<Bits<FB>>,
    code: DFF<Bits<5>>,
    rounding: DFF<Bits<3>>,
    #[many(L)]
    first: Vec<DFF<Bits<32>>>,
    #[many(L)]
    second: Vec<DFF<Bits<32>>>,
    #[many(L)]
    third: Vec<DFF<Bits<32>>>,
    // A division or square root is inside. Its turn is loaded (0), settles (1), iterates (2), goes (3).
    slow: DFF<Bit>,
    phase: DFF<Bits<2>>,
    place: DFF<Bits<26>>,
    // Ranks with a turn in them, bit 0 the first; the turn that comes out next.
    ranks: DFF<Bits<7>>,
    out_turn: DFF<Bits<FB>>,
    // Places of the next pass, of the next row, of the oldest; passes inside; rows that are there.
    tail: DFF<Bits<4>>,
    filled: DFF<Bits<4>>,
    head: DFF<Bits<4>>,
    held: DFF<Bits<5>>,
    ready: DFF<Bits<5>>,
    done_tail: DFF<Bits<2>>,
    done_head: DFF<Bits<2>>,
    done: DFF<Bits<3>>,
    // Combinational.
    is_slow: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    last_turn: Signal<Local, Bit>,
    all_settled: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    row_comes: Signal<Local, Bit>,
    there: Signal<Local, Bit>,
    wanted: Signal<Local, Bit>,
    completes: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    done_comes: Signal<Local, Bit>,
    done_leaves: Signal<Local, Bit>,
    next_held: Signal<Local, Bits<5>>,
    next_ready: Signal<Local, Bits<5>>,
    next_done: Signal<Local, Bits<3>>,
    #[init((0..FN).map(|t| Constant::new((t as u64).into())).collect())]
    turns: Vec<Constant<Bits<FB>>>,
    #[value((FN as u64 - 1).into())]
    end_turn: Constant<Bits<FB>>,
    #[value(0.into())]
    no_turn: Constant<Bits<FB>>,
    #[value(1.into())]
    one_turn: Constant<Bits<FB>>,
    #[value((1 << 25).into())]
    highest: Constant<Bits<26>>,
}

#[part(Float<WI, L, LW, PB, F, FN, FB>)]
fn update(&mut self) {
    // ---- Turns.
    self.is_slow.next = (self.pass_code.val() == 7) | (self.pass_code.val() == 8);
    self.goes.next = self.active.q.val() & (!self.slow.q.val() | (self.phase.q.val() == 3));
    self.last_turn.next = self.turn.q.val() == self.end_turn.val();
    self.all_settled.next = true;
    for f in 0..F {
        carry!(self.lanes[f] <- self.*.q: code, rounding);
        carry!(self.lanes[f] <- self.*[f].q: a = first, b = second, c = third);
        self.lanes[f].load.next =
            self.active.q.val() & self.slow.q.val() & (self.phase.q.val() == 0);
        self.lanes[f].settle.next = self.phase.q.val() == 1;
        self.lanes[f].step.next = self.phase.q.val() == 2;
        self.lanes[f].place.next = self.place.q.val();
        self.all_settled.next = self.all_settled.val() & self.lanes[f].settled.val();
    }
    if self.goes.val() {
        self.turn.d.next = self.turn.q.val() + self.one_turn.val();
        if self.last_turn.val() {
            self.turn.d.next = self.no_turn.val();
            self.active.d.next = false;
        }
        for f in F..(F + 1) {
            for i in 0..(L - F) {
                carry!(self.*[i].d <- self.*[i + f].q: first, second, third);
            }
        }
    }

    // ---- Division and square root.
    if self.phase.q.val() == 0 {
        if self.active.q.val() & self.slow.q.val() {
            self.phase.d.next = 1.into();
        }
    } else if self.phase.q.val() == 1 {
        if self.all_settled.val() {
            self.phase.d.next = 2.into();
        }
        self.place.d.next = self.highest.val();
    } else if self.phase.q.val() == 2 {
        if self.place.q.val().get_bit(0) {
            self.phase.d.next = 3.into();
        }
        self.place.d.next = self.place.q.val() >> 1;
    } else {
        self.phase.d.next = 0.into();
    }

    // ---- A pass comes. (With the last turn of the one before at the earliest.)
    if self.third_valid.val() {
        for i in 0..L {
            self.kept[i].d.next = self.b.val().get_bits::<32>(32 * i);
        }
    }
    spread!(self.*.write_enable <- self.pass_valid: warps, parts, rds, masks, lasts);
    spread!(self.*.write_address <- self.tail.q: warps, parts, rds, masks, lasts);
    self.warps.write_data.next = self.pass_warp.val();
    self.parts.write_data.next = self.pass_part.val();
    self.rds.write_data.next = self.pass_rd.val();
    self.masks.write_data.next = self.pass_mask.val();
    self.lasts.write_data.next = self.pass_last.val().into();
    if self.pass_valid.val() {
        self.tail.d.next = self.tail.q.val() + 1;
        self.active.d.next = true;
        self.slow.d.next = self.is_slow.val();
        carry!(self.*.d <- self.pass_*: code, rounding);
        for i in 0..L {
            self.first[i].d.next = self.a.val().get_bits::<32>(32 * i);
            self.second[i].d.next = self.b.val().get_bits::<32>(32 * i);
            self.third[i].d.next = self.kept[i].q.val();
        }
    }

    // ---- A turn comes out of the ranks, and maybe completes its row.
    self.ranks.d.next = (self.ranks.q.val() << 1) | bit_cast::<7, 1>(self.goes.val().into());
    self.comes.next = self.ranks.q.val().get_bit(6);
    self.row_comes.next = self.comes.val() & (self.out_turn.q.val() == self.end_turn.val());
    if self.comes.val() {
        self.out_turn.d.next = self.out_turn.q.val() + self.one_turn.val();
    }
    if self.row_comes.val() {
        self.out_turn.d.next = self.no_turn.val();
        self.filled.d.next = self.filled.q.val() + 1;
    }
    for f in F..(F + 1) {
        for i in 0..L {
            self.rows[i].write_enable.next =
                self.comes.val() & (self.out_turn.q.val() == self.turns[i / f].val());
            self.rows[i].write_address.next = self.filled.q.val();
            self.rows[i].write_data.next = self.lanes[i % f].result.val();
            self.rows[i].read_address.next = self.head.q.val();
            self.pack.words[i].next = self.rows[i].read_data.val();
        }
    }

    // ---- The oldest row is offered; without a destination it only leaves.
    spread!(self.*.read_address <- self.head.q: warps, parts, rds, masks, lasts);
    self.completes.next = self.lasts.read_data.val().any();
    self.there.next =
        self.ready.q.val().any() & !(self.completes.val() & self.done.q.val().get_bit(2));
    self.wanted.next = self.rds.read_data.val().get_bit(5);
    self.result_valid.next = self.there.val() & self.wanted.val();
    self.result_warp.next = self.warps.read_data.val();
    self.result_part.next = self.parts.read_data.val();
    self.result_rd.next = self.rds.read_data.val().get_bits::<5>(0);
    self.result_mask.next = self.masks.read_data.val();
    self.result_data.next = self.pack.row.val();
    self.leaves.next = self.there.val() & (self.result_ready.val() | !self.wanted.val());
    if self.leaves.val() {
        self.head.d.next = self.head.q.val() + 1;
    }
    carry!(self.next_* <- self.*.q: held, ready);
    if self.pass_valid.val() & !self.leaves.val() {
        self.next_held.next = self.held.q.val() + 1;
    }
    if self.leaves.val() & !self.pass_valid.val() {
        self.next_held.next = self.held.q.val() - 1;
    }
    if self.row_comes.val() & !self.leaves.val() {
        self.next_ready.next = self.ready.q.val() + 1;
    }
    if self.leaves.val() & !self.row_comes.val() {
        self.next_ready.next = self.ready.q.val() - 1;
    }
    carry!(self.*.d <- self.next_*: held, ready);

    // ---- Instructions that are complete.
    self.done_comes.next = self.leaves.val() & self.completes.val();
    self.done_leaves.next = self.done.q.val().any() & self.complete_ready.val();
    spread!(self.*.write_enable <- self.done_comes: done_warps, done_rds);
    spread!(self.*.write_address <- self.done_tail.q: done_warps, done_rds);
    carry!(self.done_*.write_data <- self.*.read_data: warps, rds);
    spread!(self.*.read_address <- self.done_head.q: done_warps, done_rds);
    self.complete_valid.next = self.done.q.val().any();
    self.complete_warp.next = self.done_warps.read_data.val();
    self.complete_rd.next = self.done_rds.read_data.val();
    self.next_done.next = self.done.q.val();
    if self.done_comes.val() {
        self.done_tail.d.next = self.done_tail.q.val() + 1;
        if !self.done_leaves.val() {
            self.next_done.next = self.done.q.val() + 1;
        }
    }
    if self.done_leaves.val() {
        self.done_head.d.next = self.done_head.q.val() + 1;
        if !self.done_comes.val() {
            self.next_done.next = self.done.q.val() - 1;
        }
    }
    self.done.d.next = self.next_done.val();

    // ---- Room.
    self.idle.next = !self.held.q.val().any() & !self.done.q.val().any();
    self.free.next = (self.held.q.val() < 14) & (!self.slow.q.val() | !self.held.q.val().any());

    if self.reset.val() {
        self.active.d.next = false;
        self.turn.d.next = self.no_turn.val();
        self.slow.d.next = false;
        self.phase.d.next = 0.into();
        self.ranks.d.next = 0.into();
        self.out_turn.d.next = self.no_turn.val();
        self.tail.d.next = 0.into();
        self.filled.d.next = 0.into();
        self.head.d.next = 0.into();
        self.held.d.next = 0.into();
        self.ready.d.next = 0.into();
        self.done_tail.d.next = 0.into();
        self.done_head.d.next = 0.into();
        self.done.d.next = 0.into();
    }
}

/// Words of all kinds: edges, subnormal numbers, numbers near each other, anything.
#[cfg(test)]
fn operand(rng: &mut weft_rtl::Rng) -> u64 {
    const EDGES: [u64; 12] = [
        0,
        1,
        0x7f_ffff,
        0x80_0000,
        0x3f80_0000,
        0x3f80_0001,
        0x3f7f_ffff,
        0x4f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_0000,
    ];
    let sign = rng.below(2) << 31;
    let size = match rng.below(4) {
        0 => EDGES[rng.below(12) as usize],
        1 => rng.below(1 << 23) >> rng.below(23),
        2 => (120 + rng.below(16)) << 23 | rng.below(1 << 23),
        _ => rng.below(1 << 31),
    };
    sign | size
}

/// A code, the fused ones more often than the others.
#[cfg(test)]
fn drive_code(rng: &mut weft_rtl::Rng) -> u64 {
    match rng.flip() {
        true => rng.below(4),
        false => rng.below(22),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let mut since = 9;
        crate::stimulus::check_with_memories(
            "weft_float",
            Float::<2, 4, 128, 1, 2, 2, 1>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2 || rng.chance(1, 500);
                since += 1;
                let code = drive_code(rng);
                let slow = code == 7 || code == 8;
                let room = if slow { u.idle.val() } else { u.free.val() };
                // (Not in a row: `free` says nothing of what came in the cycle before.)
                let sends = t > 2 && since > 3 && room && rng.chance(2, 3);
                if sends {
                    since = 0;
                }
                u.pass_valid.next = sends;
                u.third_valid.next = !sends && rng.flip();
                u.pass_last.next = rng.flip();
                u.pass_warp.next = rng.bits();
                u.pass_part.next = rng.bits();
                u.pass_rd.next = rng.bits();
                u.pass_mask.next = rng.bits();
                u.pass_code.next = code.into();
                u.pass_rounding.next = rng.bits();
                let mut row = || {
                    (0..4).fold(Bits::<128>::default(), |row, _| {
                        (row << 32) | bit_cast::<128, 32>(operand(rng).into())
                    })
                };
                u.a.next = row();
                u.b.next = row();
                u.result_ready.next = rng.chance(2, 3);
                u.complete_ready.next = rng.chance(2, 3);
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
