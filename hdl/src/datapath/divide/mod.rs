//! Division and remainder: a divider in each lane, which all of a pass divide together.
//!
//! Spec: `docs/spec/datapath.md`, DATA-032.
//!
//! # Parameters
//! `WI`: log2 warps; `L` lanes, `LW` = 32 L; `NP` parts of a warp, `PB` bits of a part's number.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `pass_valid`, `pass_first`, `pass_last` | in | 1 | a pass; the first and the last one of its instruction |
//! | `pass_warp`, `pass_part`, `pass_rd`, `pass_code`, `pass_mask` | in | WI, PB, 6, 2, L | code: 0 div, 1 divu, 2 rem, 3 remu |
//! | `a`, `b` | in | LW | dividends and divisors, lane 0 lowest |
//! | `free` | out | 1 | an instruction may be sent |
//! | `busy` | out | 1 | something is inside |
//! | `result_valid` / `result_ready`, `result_warp`, `result_part`, `result_rd`, `result_mask`, `result_data` | out / in | 1, WI, PB, 5, L, LW | a row |
//! | `claims` | out | 1 | a row for the registers is here, offered or not; a register tells |
//! | `complete_valid` / `complete_ready`, `complete_warp`, `complete_rd` | out / in | 1, WI, 6 | an instruction is complete; its rows have been taken before |
//!
//! # Cycle behaviour
//! ```text
//! cycle   0       1        2 ... 4 n + 1   4 n + 2            4 n + 3
//! pass    comes   begins   divides         its answers are    its row is offered
//!                                          put away; the next
//!                                          one begins
//! ```
//! n: bytes of the longest dividend among the threads of the pass.
//! The passes of an instruction wait until the lanes begin with them.
//! The next instruction may come when the last one of them has begun.
//!
//! # Invariants
//! A pass is sent only when none waits, or behind the first one of its instruction.
//!
//! # Errors
//! None. Division by zero: quotient all ones, remainder the dividend; overflow: the dividend, remainder 0.

mod lane;

use crate::hdl::*;
use crate::prim::{LutRam, Pack};
use lane::DivideLane;

#[module(requires(LW == 32 * L, NP <= 2 && PB == 1 || NP == 1 << PB))]
pub struct Divide<
    const WI: usize,
    const L: usize,
    const LW: usize,
    const NP: usize,
    const PB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub pass_valid: Signal<In, Bit>,
    pub pass_first: Signal<In, Bit>,
    pub pass_last: Signal<In, Bit>,
    pub pass_warp: Signal<In, Bits<WI>>,
    pub pass_part: Signal<In, Bits<PB>>,
    pub pass_rd: Signal<In, Bits<6>>,
    pub pass_code: Signal<In, Bits<2>>,
    pub pass_mask: Signal<In, Bits<L>>,
    pub a: Signal<In, Bits<LW>>,
    pub b: Signal<In, Bits<LW>>,
    pub free: Signal<Out, Bit>,
    pub busy: Signal<Out, Bit>,
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_warp: Signal<Out, Bits<WI>>,
    pub result_part: Signal<Out, Bits<PB>>,
    pub result_rd: Signal<Out, Bits<5>>,
    pub result_mask: Signal<Out, Bits<L>>,
    pub result_data: Signal<Out, Bits<LW>>,
    pub claims: Signal<Out, Bit>,
    pub complete_valid: Signal<Out, Bit>,
    pub complete_ready: Signal<In, Bit>,
    pub complete_warp: Signal<Out, Bits<WI>>,
    pub complete_rd: Signal<Out, Bits<6>>,
    #[many(L)]
    lanes: Vec<DivideLane>,
    pack: Pack<L, LW>,
    // Passes that wait: operands, in registers where a warp has one part; threads and part of each.
    #[many(1 / NP)]
    dividend: Vec<DFF<Bits<LW>>>,
    #[many(1 / NP)]
    divisor: Vec<DFF<Bits<LW>>>,
    #[many((2 * NP - 2) / NP)]
    dividends: Vec<LutRam<Bits<LW>, PB>>,
    #[many((2 * NP - 2) / NP)]
    divisors: Vec<LutRam<Bits<LW>, PB>>,
    masks: LutRam<Bits<L>, PB>,
    parts: LutRam<Bits<PB>, PB>,
    // State: an instruction waits; all its passes are there; its last one; where the next one goes; which begins next.
    open: DFF<Bit>,
    full: DFF<Bit>,
    last: DFF<Bits<PB>>,
    fill: DFF<Bits<PB>>,
    at: DFF<Bits<PB>>,
    warp: DFF<Bits<WI>>,
    rd: DFF<Bits<6>>,
    code: DFF<Bits<2>>,
    // State: the lanes divide a pass; steps that are left; what it is.
    divides: DFF<Bit>,
    count: DFF<Bits<5>>,
    lane_warp: DFF<Bits<WI>>,
    lane_part: DFF<Bits<PB>>,
    lane_rd: DFF<Bits<6>>,
    lane_rest: DFF<Bit>,
    lane_mask: DFF<Bits<L>>,
    lane_last: DFF<Bit>,
    // State: a row is offered; what it is.
    row: DFF<Bit>,
    row_warp: DFF<Bits<WI>>,
    row_part: DFF<Bits<PB>>,
    row_rd: DFF<Bits<6>>,
    row_mask: DFF<Bits<L>>,
    row_last: DFF<Bit>,
    // State: an instruction is complete.
    done: DFF<Bit>,
    done_warp: DFF<Bits<WI>>,
    done_rd: DFF<Bits<6>>,
    // Combinational.
    next_a: Signal<Local, Bits<LW>>,
    next_b: Signal<Local, Bits<LW>>,
    place: Signal<Local, Bits<PB>>,
    next_place: Signal<Local, Bits<PB>>,
    waits: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,
    is_signed: Signal<Local, Bit>,
    size: Signal<Local, Bits<3>>,
    bytes: Signal<Local, Bits<2>>,
    steps: Signal<Local, Bits<5>>,
    step: Signal<Local, Bit>,
    there: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    finish: Signal<Local, Bit>,
    load: Signal<Local, Bit>,
    #[value(0.into())]
    no_part: Constant<Bits<PB>>,
    #[value(1.into())]
    one_part: Constant<Bits<PB>>,
}

#[part(Divide<WI, L, LW, NP, PB>)]
fn update(&mut self) {
    // ---- Passes come in.
    self.free.next = !self.open.q.val();
    self.place.next = self.fill.q.val();
    if self.pass_first.val() {
        self.place.next = self.no_part.val();
    }
    self.next_place.next = self.place.val() + self.one_part.val();
    spread!(self.*.write_enable <- self.pass_valid: masks, parts);
    spread!(self.*.write_address <- self.place: masks, parts);
    carry!(self.*.write_data <- self.pass_*: masks = mask, parts = part);
    spread!(self.*.read_address <- self.at.q: masks, parts);

    // (Of these two loops one has one round and the other none.)
    for i in 0..(1 / NP) {
        if self.pass_valid.val() {
            carry!(self.*[i].d <- self: dividend = a, divisor = b);
        }
        carry!(self <- self.*[i].q: next_a = dividend, next_b = divisor);
    }
    for i in 0..((2 * NP - 2) / NP) {
        spread!(self.*[i].write_enable <- self.pass_valid: dividends, divisors);
        spread!(self.*[i].write_address <- self.place: dividends, divisors);
        carry!(self.*[i].write_data <- self: dividends = a, divisors = b);
        spread!(self.*[i].read_address <- self.at.q: dividends, divisors);
        carry!(self <- self.*[i].read_data: next_a = dividends, next_b = divisors);
    }

    // ---- How many bytes the next pass has: those of its longest dividend.
    self.waits.next =
        self.open.q.val() & (self.full.q.val() | (self.at.q.val() != self.fill.q.val()));
    self.is_last.next = self.full.q.val() & (self.at.q.val() == self.last.q.val());
    self.is_signed.next = !self.code.q.val().get_bit(0);
    self.size.next = 0.into();
    for i in 0..L {
        self.lanes[i].a.next = self.next_a.val().get_bits::<32>(32 * i);
        self.lanes[i].b.next = self.next_b.val().get_bits::<32>(32 * i);
        carry!(self.lanes[i] <- self: is_signed);
        if self.masks.read_data.val().get_bit(i) {
            self.size.next = self.size.val() | self.lanes[i].size.val();
        }
    }
    self.bytes.next = 0.into();
    if self.size.val().get_bit(0) {
        self.bytes.next = 1.into();
    }
    if self.size.val().get_bit(1) {
        self.bytes.next = 2.into();
    }
    if self.size.val().get_bit(2) {
        self.bytes.next = 3.into();
    }
    self.steps.next = (bit_cast::<5, 2>(self.bytes.val()) << 2) + 4;

    // ---- The lanes: a pass begins when the one before is put away.
    self.step.next = self.count.q.val().any();
    self.there.next = self.row.q.val() & !(self.row_last.q.val() & self.done.q.val());
    self.leaves.next =
        self.there.val() & (self.result_ready.val() | !self.row_rd.q.val().get_bit(5));
    self.finish.next =
        self.divides.q.val() & !self.step.val() & (!self.row.q.val() | self.leaves.val());
    self.load.next = self.waits.val() & (!self.divides.q.val() | self.finish.val());
    for i in 0..L {
        carry!(self.lanes[i] <- self: load, bytes, step, finish);
        carry!(self.lanes[i] <- self.*.q: remainder_wanted = lane_rest);
        self.pack.words[i].next = self.lanes[i].result.val();
    }

    // ---- State.
    if self.complete_ready.val() {
        self.done.d.next = false;
    }
    if self.leaves.val() {
        self.row.d.next = false;
        if self.row_last.q.val() {
            self.done.d.next = true;
            carry!(self.done_*.d <- self.row_*.q: warp, rd);
        }
    }
    if self.step.val() {
        self.count.d.next = self.count.q.val() - 1;
    }
    if self.finish.val() {
        self.divides.d.next = false;
        self.row.d.next = true;
        carry!(self.row_*.d <- self.lane_*.q: warp, part, rd, mask, last);
    }
    if self.load.val() {
        self.divides.d.next = true;
        carry!(self.*.d <- self: count = steps, lane_last = is_last);
        carry!(self.lane_*.d <- self.*.q: warp, rd);
        self.lane_rest.d.next = self.code.q.val().get_bit(1);
        carry!(self.lane_*.d <- self.*.read_data: part = parts, mask = masks);
        self.at.d.next = self.at.q.val() + self.one_part.val();
        if self.is_last.val() {
            self.open.d.next = false;
            self.full.d.next = false;
        }
    }
    if self.pass_valid.val() {
        self.open.d.next = true;
        carry!(self.*.d <- self: fill = next_place, last = place);
        carry!(self.*.d <- self.pass_*: warp, rd, code, full = last);
        if self.pass_first.val() {
            self.at.d.next = self.no_part.val();
        }
    }

    // ---- Rows, and instructions that are complete.
    self.claims.next = self.row.q.val() & self.row_rd.q.val().get_bit(5);
    self.result_valid.next = self.there.val() & self.claims.val();
    carry!(self.result_* <- self.row_*.q: warp, part, mask);
    self.result_rd.next = self.row_rd.q.val().get_bits::<5>(0);
    carry!(self <- self.pack: result_data = row);
    carry!(self <- self.*.q: complete_valid = done);
    carry!(self.complete_* <- self.done_*.q: warp, rd);
    self.busy.next =
        self.open.q.val() | self.divides.q.val() | self.row.q.val() | self.done.q.val();

    if self.reset.val() {
        self.open.d.next = false;
        self.full.d.next = false;
        self.divides.d.next = false;
        self.row.d.next = false;
        self.done.d.next = false;
    }
}

#[cfg(test)]
mod tests;
