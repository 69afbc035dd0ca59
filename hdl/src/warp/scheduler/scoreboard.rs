//! Scoreboard: registers that wait for a result, and instructions in flight, per warp.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-023.
//!
//! # Parameters
//! `NW` warps, 4, 8 or 16; `WI` = log2 NW; `WH` = WI - 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `aim`, `aim_warp` | in | NW, WI | the warp that may issue in the next cycle, one-hot (0: none will) and as a number; it does not issue in this one |
//! | `issuing`, `issue`, `issue_warp` | in | 1, NW, WI | an instruction of this warp, the former cycle's `aim_warp`, is issued in this cycle; one-hot or 0; as a number |
//! | `first_rd` | in | 6 | its destination: bit 5 = there is one |
//! | `second`, `second_rd` | in | 1, 6 | a second one is issued with it |
//! | `words`, `words_warp`, `push_warp` | in | NW, WI, WI | one-hot (0: nothing will be pushed) and as a number: the warp that instructions are pushed for in the next cycle, and in this one |
//! | `done0_valid`, `done0_warp`, `done0_rd` | in | 1, WI, 6 | an instruction of an even warp is complete; `done1_*` of an odd one |
//! | `same_warp` | in | 1 | `issue_warp` is `push_warp` |
//! | `row`, `push_row` | out | 32 | pending registers of `issue_warp`, `push_warp`, from registers: as they were in the cycle of the aim, of the words |
//! | `row_counts`, `push_row_counts` | out | 1, 1 | 0: none is, whatever the row says; from registers |
//! | `frees`, `push_frees` | out | 1 | an instruction of that warp is done in this cycle |
//! | `freed`, `push_freed` | out | 6 | its register, if so; bit 5 = there is one |
//! | `done0_of`, `done1_of` | in | NW | one-hot: `done0_warp`, `done1_warp` of the cycle before |
//! | `freed_before`, `push_freed_before` | out | 6, 6 | the register of `issue_warp` that was done in the cycle of the aim, of `push_warp` in that of the words; from registers |
//! | `first_before`, `second_before` | out | 6, 6 | destinations that `push_warp` issued in the cycle of the words; from registers |
//! | `flight` | out | NW | warps with instructions in flight; a gate behind registers |
//! | `filled`, `push_filled` | out | 1, 1 | `issue_warp`, `push_warp` has 28 instructions in flight or more after this cycle |
//! | `push_flies` | out | 1 | `push_warp` has instructions in flight after this cycle |
//! | `left0_any`, `left0_many` | out | 1, 1 | without what is issued in this cycle, and with its `done0`, the warp of `done0` has instructions in flight; has 28 or more; `left1_*` of `done1` |
//! | `clear` | out | WH | the row that `reset` clears in this cycle, of even and of odd warps; from a register |
//!
//! # Cycle behaviour
//! A register is pending while its bit in the row of the issue side differs from that in the row of the done side: so
//! each of the two memories has one writer. The done side is split into even and odd warps, with a port each.
//!
//! Row and counts of a warp are looked up in the cycle of the aim.
//! Between it and the issue only a `done` can change them: it is kept beside them.
//! Likewise the row for a push, in the cycle of the words, with what is issued then.
//!
//! # Invariants
//! 1. No memory has more than one write port. With nothing in flight nothing is pending, and an issue then takes the
//!    done side's row and count.
//!    The copies of the done side must be equal: they are cleared, one row per cycle, while `reset` is 1, which must be
//!    NW / 2 cycles at least the first time. Later one cycle is enough: a row of all copies is cleared in it.
//! 2. At most 31 instructions of a warp are in flight.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::at_least::AtLeast;
use super::in_flight::InFlight;
use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(NW == 1 << WI, WI == WH + 1, WH >= 1), kernel(Look, Count))]
pub struct Scoreboard<const NW: usize, const WI: usize, const WH: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub aim: Signal<In, Bits<NW>>,
    pub aim_warp: Signal<In, Bits<WI>>,
    pub issuing: Signal<In, Bit>,
    pub issue: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub first_rd: Signal<In, Bits<6>>,
    pub second: Signal<In, Bit>,
    pub second_rd: Signal<In, Bits<6>>,
    pub words: Signal<In, Bits<NW>>,
    pub words_warp: Signal<In, Bits<WI>>,
    pub push_warp: Signal<In, Bits<WI>>,
    pub same_warp: Signal<In, Bit>,
    pub done0_valid: Signal<In, Bit>,
    pub done0_warp: Signal<In, Bits<WI>>,
    pub done0_rd: Signal<In, Bits<6>>,
    pub done1_valid: Signal<In, Bit>,
    pub done1_warp: Signal<In, Bits<WI>>,
    pub done1_rd: Signal<In, Bits<6>>,
    pub done0_of: Signal<In, Bits<NW>>,
    pub done1_of: Signal<In, Bits<NW>>,
    pub row: Signal<Out, Bits<32>>,
    pub row_counts: Signal<Out, Bit>,
    pub push_row: Signal<Out, Bits<32>>,
    pub push_row_counts: Signal<Out, Bit>,
    pub frees: Signal<Out, Bit>,
    pub push_frees: Signal<Out, Bit>,
    pub freed: Signal<Out, Bits<6>>,
    pub push_freed: Signal<Out, Bits<6>>,
    pub freed_before: Signal<Out, Bits<6>>,
    pub push_freed_before: Signal<Out, Bits<6>>,
    pub first_before: Signal<Out, Bits<6>>,
    pub second_before: Signal<Out, Bits<6>>,
    pub flight: Signal<Out, Bits<NW>>,
    pub filled: Signal<Out, Bit>,
    pub push_filled: Signal<Out, Bit>,
    pub push_flies: Signal<Out, Bit>,
    pub left0_any: Signal<Out, Bit>,
    pub left0_many: Signal<Out, Bit>,
    pub left1_any: Signal<Out, Bit>,
    pub left1_many: Signal<Out, Bit>,
    pub clear: Signal<Out, Bits<WH>>,
    // State: rows and counts of the issue side, for the issue, the push and the two done ports.
    issued_row: LutRam<Bits<32>, WI>,
    issued_row_push: LutRam<Bits<32>, WI>,
    issued: LutRam<Bits<5>, WI>,
    issued_push: LutRam<Bits<5>, WI>,
    issued0: LutRam<Bits<5>, WH>,
    issued1: LutRam<Bits<5>, WH>,
    // State: of the done side, for itself, the issue and the push.
    done_row0: LutRam<Bits<32>, WH>,
    done_row0_issue: LutRam<Bits<32>, WH>,
    done_row0_push: LutRam<Bits<32>, WH>,
    done_row1: LutRam<Bits<32>, WH>,
    done_row1_issue: LutRam<Bits<32>, WH>,
    done_row1_push: LutRam<Bits<32>, WH>,
    completed0: LutRam<Bits<5>, WH>,
    completed0_issue: LutRam<Bits<5>, WH>,
    completed0_push: LutRam<Bits<5>, WH>,
    completed1: LutRam<Bits<5>, WH>,
    completed1_issue: LutRam<Bits<5>, WH>,
    completed1_push: LutRam<Bits<5>, WH>,
    // State: the warp has instructions in flight, but for the last one of the warp of `done0`, of `done1`, that was
    // done in the cycle before.
    flying: DFF<Bits<NW>>,
    ended0: DFF<Bit>,
    ended1: DFF<Bit>,
    // The warps of `done0`, `done1` then.
    // State: of the warp that was aimed at: pending registers, if it has something in flight;
    // row of the done side, the `done` of that cycle; count of the issue side, in flight.
    i_pending: DFF<Bits<32>>,
    i_flies: DFF<Bit>,
    i_done: DFF<Bits<32>>,
    i_freed: DFF<Bits<6>>,
    i_left: DFF<Bit>,
    i_issued: DFF<Bits<5>>,
    i_flight: DFF<Bits<5>>,
    // State: of the warp of the words: pending registers, if it has something in flight;
    // the `done` and the destinations of that cycle; how many were in flight, and whether
    // one was done and one or two were issued then.
    p_pending: DFF<Bits<32>>,
    p_flies: DFF<Bit>,
    p_freed: DFF<Bits<6>>,
    p_first: DFF<Bits<6>>,
    p_second: DFF<Bits<6>>,
    p_flight: DFF<Bits<5>>,
    p_left: DFF<Bit>,
    p_one: DFF<Bit>,
    p_two: DFF<Bit>,
    // State: the row that reset clears in this cycle.
    cleared: DFF<Bits<WH>>,
    // Combinational.
    aim_at: Signal<Local, Bits<WH>>,
    aim_odd: Signal<Local, Bit>,
    aim_flies: Signal<Local, Bit>,
    issue_at: Signal<Local, Bits<WH>>,
    issue_odd: Signal<Local, Bit>,
    words_at: Signal<Local, Bits<WH>>,
    words_odd: Signal<Local, Bit>,
    words_flies: Signal<Local, Bit>,
    push_at: Signal<Local, Bits<WH>>,
    push_odd: Signal<Local, Bit>,
    write_at0: Signal<Local, Bits<WH>>,
    write_at1: Signal<Local, Bits<WH>>,
    writes0: Signal<Local, Bit>,
    writes1: Signal<Local, Bit>,
    next_row0: Signal<Local, Bits<32>>,
    next_row1: Signal<Local, Bits<32>>,
    store_completed0: Signal<Local, Bits<5>>,
    store_completed1: Signal<Local, Bits<5>>,
    at0: Signal<Local, Bits<WH>>,
    at1: Signal<Local, Bits<WH>>,
    freed0: Signal<Local, Bits<32>>,
    freed1: Signal<Local, Bits<32>>,
    freed_now: Signal<Local, Bits<6>>,
    freed_push: Signal<Local, Bits<6>>,
    freed_aim: Signal<Local, Bits<6>>,
    pending_now: Signal<Local, Bits<32>>,
    next_issued_row: Signal<Local, Bits<32>>,
    done_aim_at: Signal<Local, Bits<WH>>,
    done_aim_valid: Signal<Local, Bit>,
    done_aim: Signal<Local, Bit>,
    here0: Signal<Local, Bit>,
    here1: Signal<Local, Bit>,
    pushed0: Signal<Local, Bit>,
    pushed1: Signal<Local, Bit>,
    done_here: Signal<Local, Bit>,
    done_push: Signal<Local, Bit>,
    done_words_at: Signal<Local, Bits<WH>>,
    done_words_valid: Signal<Local, Bit>,
    done_words: Signal<Local, Bit>,
    freed_words: Signal<Local, Bits<6>>,
    done_row: Signal<Local, Bits<32>>,
    done_row_push: Signal<Local, Bits<32>>,
    completed: Signal<Local, Bits<5>>,
    at_issue: AtLeast,
    at_push: AtLeast,
    at0_before: InFlight,
    at1_before: InFlight,
    fewer: Signal<Local, Bit>,
    fewest: Signal<Local, Bit>,
    completed_push: Signal<Local, Bits<5>>,
    issues_words: Signal<Local, Bit>,
    issues_push: Signal<Local, Bit>,
    p_issued: Signal<Local, Bit>,
    p_gone: Signal<Local, Bits<5>>,
    p_gone_then: Signal<Local, Bits<5>>,
    push_none: Signal<Local, Bit>,
    push_last: Signal<Local, Bit>,
    push_fewer: Signal<Local, Bit>,
    push_fewest: Signal<Local, Bit>,
    first_bit: Signal<Local, Bits<32>>,
    second_bit: Signal<Local, Bits<32>>,
    next_issued: Signal<Local, Bits<5>>,
    next_completed0: Signal<Local, Bits<5>>,
    next_completed1: Signal<Local, Bits<5>>,
    ends0: Signal<Local, Bit>,
    ends1: Signal<Local, Bit>,
    issues0: Signal<Local, Bit>,
    issues1: Signal<Local, Bit>,
    ends: Signal<Local, Bits<NW>>,
    flies: Signal<Local, Bits<NW>>,
    // Constants.
    #[value(1.into())]
    one_register: Constant<Bits<32>>,
    #[value(0.into())]
    no_registers: Constant<Bits<32>>,
    #[value(0.into())]
    no_register: Constant<Bits<6>>,
    #[value(0.into())]
    none: Constant<Bits<5>>,
    #[value(1.into())]
    next_row: Constant<Bits<WH>>,
    #[value(1.into())]
    one: Constant<Bits<5>>,
    #[value(2.into())]
    two: Constant<Bits<5>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
}

/// What is in flight, and what that says of the warp that is aimed at and of the one that is pushed for.
struct Look;

#[part(Scoreboard<NW, WI, WH>, Look)]
fn update(&mut self) {
    self.aim_at.next = self.aim_warp.val().get_bits::<WH>(1);
    self.aim_odd.next = self.aim_warp.val().get_bit(0);
    self.issue_at.next = self.issue_warp.val().get_bits::<WH>(1);
    self.issue_odd.next = self.issue_warp.val().get_bit(0);
    self.words_at.next = self.words_warp.val().get_bits::<WH>(1);
    self.words_odd.next = self.words_warp.val().get_bit(0);
    self.push_at.next = self.push_warp.val().get_bits::<WH>(1);
    self.push_odd.next = self.push_warp.val().get_bit(0);
    self.at0.next = self.done0_warp.val().get_bits::<WH>(1);
    self.write_at0.next = self.at0.val();
    self.writes0.next = self.done0_valid.val() | self.reset.val();
    self.at1.next = self.done1_warp.val().get_bits::<WH>(1);
    self.write_at1.next = self.at1.val();
    self.writes1.next = self.done1_valid.val() | self.reset.val();

    self.clear.next = self.cleared.q.val();
    self.cleared.d.next = self.cleared.q.val() + self.next_row.val();
    if self.reset.val() {
        self.write_at0.next = self.cleared.q.val();
        self.write_at1.next = self.cleared.q.val();
    }

    // ---- Who has something in flight, with what the cycle before has found.
    self.ends.next = self.no_warps.val();
    if self.ended0.q.val() {
        self.ends.next = self.done0_of.val();
    }
    if self.ended1.q.val() {
        self.ends.next = self.ends.val() | self.done1_of.val();
    }
    self.flies.next = self.flying.q.val() & !self.ends.val();

    // ---- What is done in this cycle.
    self.freed0.next = self.no_registers.val();
    if self.done0_valid.val() & self.done0_rd.val().get_bit(5) {
        self.freed0.next = self.one_register.val() << self.done0_rd.val().get_bits::<5>(0);
    }
    self.freed1.next = self.no_registers.val();
    if self.done1_valid.val() & self.done1_rd.val().get_bit(5) {
        self.freed1.next = self.one_register.val() << self.done1_rd.val().get_bits::<5>(0);
    }
    self.here0.next = (self.at0.val() == self.issue_at.val()) & !self.issue_odd.val();
    self.here1.next = (self.at1.val() == self.issue_at.val()) & self.issue_odd.val();
    self.freed_now.next = self.done0_rd.val();
    if self.issue_odd.val() {
        self.freed_now.next = self.done1_rd.val();
    }
    self.done_here.next =
        (self.done0_valid.val() & self.here0.val()) | (self.done1_valid.val() & self.here1.val());
    carry!(self <- self:
        frees = done_here, freed = freed_now, done_aim_at = at0, done_aim_valid = done0_valid,
        freed_aim = done0_rd,
    );
    if self.aim_odd.val() {
        self.done_aim_at.next = self.at1.val();
        self.done_aim_valid.next = self.done1_valid.val();
        self.freed_aim.next = self.done1_rd.val();
    }
    self.done_aim.next = self.done_aim_valid.val() & (self.done_aim_at.val() == self.aim_at.val());
    self.i_left.d.next = self.done_aim.val();
    self.i_freed.d.next = self.no_register.val();
    if self.done_aim.val() {
        self.i_freed.d.next = self.freed_aim.val();
    }
    self.freed_before.next = self.i_freed.q.val();
    self.pushed0.next = (self.at0.val() == self.push_at.val()) & !self.push_odd.val();
    self.pushed1.next = (self.at1.val() == self.push_at.val()) & self.push_odd.val();
    self.freed_push.next = self.done0_rd.val();
    if self.push_odd.val() {
        self.freed_push.next = self.done1_rd.val();
    }
    self.done_push.next = (self.done0_valid.val() & self.pushed0.val())
        | (self.done1_valid.val() & self.pushed1.val());
    self.push_frees.next = self.done_push.val();
    self.push_freed.next = self.freed_push.val();

    // ---- The warp that is aimed at. With nothing in flight its issue side counts for nothing.
    spread!(self.*.read_address <- self.aim_warp: issued_row, issued);
    spread!(self.*.read_address <- self.aim_at:
        done_row0_issue, done_row1_issue, completed0_issue, completed1_issue,
    );
    self.done_row.next = self.done_row0_issue.read_data.val();
    self.completed.next = self.completed0_issue.read_data.val();
    if self.aim_odd.val() {
        self.done_row.next = self.done_row1_issue.read_data.val();
        self.completed.next = self.completed1_issue.read_data.val();
    }
    self.aim_flies.next = (self.flies.val() & self.aim.val()).any();
    self.i_done.d.next = self.done_row.val();
    self.i_pending.d.next = self.issued_row.read_data.val() ^ self.done_row.val();
    self.i_issued.d.next = self.issued.read_data.val();
    self.i_flight.d.next = self.issued.read_data.val() - self.completed.val();
    if !self.aim_flies.val() {
        self.i_issued.d.next = self.completed.val();
        self.i_flight.d.next = self.none.val();
    }
    self.i_flies.d.next = self.aim_flies.val();
    self.row.next = self.i_pending.q.val();
    self.row_counts.next = self.i_flies.q.val();

    // ---- The warp that instructions are pushed for.
    self.issued_row_push.read_address.next = self.words_warp.val();
    spread!(self.*.read_address <- self.words_at: done_row0_push, done_row1_push);
    self.issued_push.read_address.next = self.words_warp.val();
    spread!(self.*.read_address <- self.words_at: completed0_push, completed1_push);
    self.completed_push.next = self.completed0_push.read_data.val();
    self.done_row_push.next = self.done_row0_push.read_data.val();
    self.done_words_at.next = self.at0.val();
    self.done_words_valid.next = self.done0_valid.val();
    self.freed_words.next = self.done0_rd.val();
    if self.words_odd.val() {
        self.completed_push.next = self.completed1_push.read_data.val();
        self.done_row_push.next = self.done_row1_push.read_data.val();
        self.done_words_at.next = self.at1.val();
        self.done_words_valid.next = self.done1_valid.val();
        self.freed_words.next = self.done1_rd.val();
    }
    self.done_words.next =
        self.done_words_valid.val() & (self.done_words_at.val() == self.words_at.val());
    self.words_flies.next = (self.flies.val() & self.words.val()).any();
    self.p_pending.d.next = self.issued_row_push.read_data.val() ^ self.done_row_push.val();
    self.p_flight.d.next = self.issued_push.read_data.val() - self.completed_push.val();
    if !self.words_flies.val() {
        self.p_flight.d.next = self.none.val();
    }
    self.p_flies.d.next = self.words_flies.val();
    self.push_row.next = self.p_pending.q.val();
    self.push_row_counts.next = self.p_flies.q.val();
    self.p_freed.d.next = self.no_register.val();
    if self.done_words.val() {
        self.p_freed.d.next = self.freed_words.val();
    }
    self.push_freed_before.next = self.p_freed.q.val();
    spread!(self.*.d <- self.no_register: p_first, p_second);
    self.p_left.d.next = self.done_words.val();
    self.issues_words.next = self.issuing.val() & (self.issue_warp.val() == self.words_warp.val());
    self.p_one.d.next = self.issues_words.val() & !self.second.val();
    self.p_two.d.next = self.issues_words.val() & self.second.val();
    if self.issues_words.val() {
        self.p_first.d.next = self.first_rd.val();
        if self.second.val() {
            self.p_second.d.next = self.second_rd.val();
        }
    }
    self.first_before.next = self.p_first.q.val();
    self.second_before.next = self.p_second.q.val();
}

/// What is issued and done changes it.
struct Count;

#[part(Scoreboard<NW, WI, WH>, Count)]
fn update(&mut self) {
    // ---- Issue.
    self.first_bit.next = self.no_registers.val();
    if self.first_rd.val().get_bit(5) {
        self.first_bit.next = self.one_register.val() << self.first_rd.val().get_bits::<5>(0);
    }
    self.second_bit.next = self.no_registers.val();
    self.next_issued.next = self.i_issued.q.val() + self.one.val();
    if self.second.val() {
        self.next_issued.next = self.i_issued.q.val() + self.two.val();
        if self.second_rd.val().get_bit(5) {
            self.second_bit.next = self.one_register.val() << self.second_rd.val().get_bits::<5>(0);
        }
    }
    self.pending_now.next = self.no_registers.val();
    if self.i_flies.q.val() {
        self.pending_now.next = self.i_pending.q.val();
    }
    // What is done in this cycle turns the other side's bit;
    // so a register that is freed and taken in one cycle stays pending.
    self.next_issued_row.next =
        self.i_done.q.val() ^ self.pending_now.val() ^ self.first_bit.val() ^ self.second_bit.val();
    carry!(self.issued_row <- self: write_enable = issuing, write_address = issue_warp);
    self.issued_row.write_data.next = self.next_issued_row.val();
    carry!(self.issued_row_push <- self: write_enable = issuing, write_address = issue_warp);
    self.issued_row_push.write_data.next = self.next_issued_row.val();
    carry!(self.issued <- self: write_enable = issuing, write_address = issue_warp);
    self.issued.write_data.next = self.next_issued.val();
    carry!(self.issued_push <- self: write_enable = issuing, write_address = issue_warp);
    self.issued_push.write_data.next = self.next_issued.val();
    self.issued0.write_enable.next = self.issuing.val() & !self.issue_odd.val();
    carry!(self.issued0 <- self: write_address = issue_at, write_data = next_issued);
    self.issued1.write_enable.next = self.issuing.val() & self.issue_odd.val();
    carry!(self.issued1 <- self: write_address = issue_at, write_data = next_issued);

    // ---- Done.
    self.done_row0.read_address.next = self.at0.val();
    self.next_row0.next = self.done_row0.read_data.val() ^ self.freed0.val();
    if self.reset.val() {
        self.next_row0.next = self.no_registers.val();
    }
    carry!(self.done_row0 <- self: write_enable = writes0, write_address = write_at0);
    self.done_row0.write_data.next = self.next_row0.val();
    carry!(self.done_row0_issue <- self: write_enable = writes0, write_address = write_at0);
    self.done_row0_issue.write_data.next = self.next_row0.val();
    carry!(self.done_row0_push <- self: write_enable = writes0, write_address = write_at0);
    self.done_row0_push.write_data.next = self.next_row0.val();
    self.done_row1.read_address.next = self.at1.val();
    self.next_row1.next = self.done_row1.read_data.val() ^ self.freed1.val();
    if self.reset.val() {
        self.next_row1.next = self.no_registers.val();
    }
    carry!(self.done_row1 <- self: write_enable = writes1, write_address = write_at1);
    self.done_row1.write_data.next = self.next_row1.val();
    carry!(self.done_row1_issue <- self: write_enable = writes1, write_address = write_at1);
    self.done_row1_issue.write_data.next = self.next_row1.val();
    carry!(self.done_row1_push <- self: write_enable = writes1, write_address = write_at1);
    self.done_row1_push.write_data.next = self.next_row1.val();
    self.completed0.read_address.next = self.at0.val();
    self.next_completed0.next = self.completed0.read_data.val() + self.one.val();
    self.store_completed0.next = self.next_completed0.val();
    if self.reset.val() {
        self.store_completed0.next = self.none.val();
    }
    carry!(self.completed0 <- self: write_enable = writes0, write_address = write_at0);
    self.completed0.write_data.next = self.store_completed0.val();
    carry!(self.completed0_issue <- self: write_enable = writes0, write_address = write_at0);
    self.completed0_issue.write_data.next = self.store_completed0.val();
    carry!(self.completed0_push <- self: write_enable = writes0, write_address = write_at0);
    self.completed0_push.write_data.next = self.store_completed0.val();
    self.completed1.read_address.next = self.at1.val();
    self.next_completed1.next = self.completed1.read_data.val() + self.one.val();
    self.store_completed1.next = self.next_completed1.val();
    if self.reset.val() {
        self.store_completed1.next = self.none.val();
    }
    carry!(self.completed1 <- self: write_enable = writes1, write_address = write_at1);
    self.completed1.write_data.next = self.store_completed1.val();
    carry!(self.completed1_issue <- self: write_enable = writes1, write_address = write_at1);
    self.completed1_issue.write_data.next = self.store_completed1.val();
    carry!(self.completed1_push <- self: write_enable = writes1, write_address = write_at1);
    self.completed1_push.write_data.next = self.store_completed1.val();
    self.issued0.read_address.next = self.at0.val();
    self.at0_before.issued.next = self.issued0.read_data.val();
    self.at0_before.completed.next = self.completed0.read_data.val();
    self.issued1.read_address.next = self.at1.val();
    self.at1_before.issued.next = self.issued1.read_data.val();
    self.at1_before.completed.next = self.completed1.read_data.val();

    // ---- How many are in flight.
    // 28 or more, with those that go now, and without what was done since the aim.
    self.at_issue.count.next = self.i_flight.q.val();
    self.fewer.next = self.i_left.q.val() ^ self.done_here.val();
    self.fewest.next = self.i_left.q.val() & self.done_here.val();
    self.filled.next = self.at_issue.from_27.val();
    if self.fewer.val() {
        self.filled.next = self.at_issue.from_28.val();
    }
    if self.fewest.val() {
        self.filled.next = self.at_issue.from_29.val();
    }
    if self.second.val() {
        self.filled.next = self.at_issue.from_26.val();
        if self.fewer.val() {
            self.filled.next = self.at_issue.from_27.val();
        }
        if self.fewest.val() {
            self.filled.next = self.at_issue.from_28.val();
        }
    }
    self.ends0.next = self.at0_before.one.val();
    self.left0_any.next = !self.ends0.val();
    self.ends1.next = self.at1_before.one.val();
    self.left1_any.next = !self.ends1.val();
    self.left0_many.next = self.at0_before.many.val();
    self.left1_many.next = self.at1_before.many.val();
    self.issues0.next = self.issuing.val() & self.here0.val();
    self.issues1.next = self.issuing.val() & self.here1.val();
    self.ended0.d.next = self.done0_valid.val() & self.ends0.val() & !self.issues0.val();
    self.ended1.d.next = self.done1_valid.val() & self.ends1.val() & !self.issues1.val();
    // The warp of the push: by what there was in the cycle of the words, and what has come and gone since.
    // It issues in one of the two cycles at most.
    self.issues_push.next = self.issuing.val() & self.same_warp.val();
    self.p_gone.next = bit_cast::<5, 1>(self.p_left.q.val().into());
    self.p_gone_then.next = self.p_gone.val();
    if !self.p_one.q.val() {
        self.p_gone_then.next = self.p_gone.val() + self.one.val();
    }
    // None: as many as were there have gone. What is issued is not done in that cycle.
    self.p_issued.next = self.p_one.q.val() | self.p_two.q.val();
    self.push_none.next = !self.p_issued.val() & (self.p_flight.q.val() == self.p_gone.val());
    self.push_last.next = !self.p_two.q.val() & (self.p_flight.q.val() == self.p_gone_then.val());
    self.push_flies.next = self.issues_push.val() | !self.push_none.val();
    if self.done_push.val() {
        self.push_flies.next = self.issues_push.val() | !self.push_last.val();
    }
    self.at_push.count.next = self.p_flight.q.val();
    self.push_fewer.next = self.p_left.q.val() ^ self.done_push.val();
    self.push_fewest.next = self.p_left.q.val() & self.done_push.val();
    self.push_filled.next = self.at_push.from_28.val();
    if self.push_fewer.val() {
        self.push_filled.next = self.at_push.from_29.val();
    }
    if self.push_fewest.val() {
        self.push_filled.next = self.at_push.from_30.val();
    }
    if self.p_one.q.val() | (self.issues_push.val() & !self.second.val()) {
        self.push_filled.next = self.at_push.from_27.val();
        if self.push_fewer.val() {
            self.push_filled.next = self.at_push.from_28.val();
        }
        if self.push_fewest.val() {
            self.push_filled.next = self.at_push.from_29.val();
        }
    }
    if self.p_two.q.val() | (self.issues_push.val() & self.second.val()) {
        self.push_filled.next = self.at_push.from_26.val();
        if self.push_fewer.val() {
            self.push_filled.next = self.at_push.from_27.val();
        }
        if self.push_fewest.val() {
            self.push_filled.next = self.at_push.from_28.val();
        }
    }
    self.flight.next = self.flies.val();
    self.flying.d.next = self.flies.val() | self.issue.val();

    // ---- Reset wins.
    if self.reset.val() {
        self.flying.d.next = self.no_warps.val();
        self.ended0.d.next = false;
        self.ended1.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{eight_of, given, Resets};
    use weft_rtl::{Bench, Rng};

    /// What is in flight, per warp, eight of them, spread over all: destination registers (32: none).
    #[derive(Default)]
    struct Warps {
        flying: [Vec<u64>; 8],
        /// Aimed at, with words in the former cycle.
        aimed: usize,
        words: usize,
        /// There was a reset in the former cycle, so there was no aim.
        reset: bool,
    }

    impl Warps {
        fn drive<const NW: usize, const WI: usize, const WH: usize>(
            &mut self,
            u: &mut Scoreboard<NW, WI, WH>,
            rng: &mut Rng,
            reset: bool,
        ) {
            let number = |w: usize| eight_of(NW, w as u64);
            u.reset.next = reset;
            if reset {
                self.flying = Default::default();
            }
            let aimless = std::mem::replace(&mut self.reset, reset);
            u.done0_of.next = (1u64 << u.done0_warp.next.to_u64()).into();
            u.done1_of.next = (1u64 << u.done1_warp.next.to_u64()).into();
            let (issue, push) = (self.aimed, self.words);
            self.words = rng.below(8) as usize;
            u.words.next = (u64::from(!reset) << number(self.words)).into();
            u.words_warp.next = number(self.words).into();
            self.aimed = (issue + 1 + rng.below(7) as usize) % 8;
            u.aim.next = (u64::from(!reset) << number(self.aimed)).into();
            u.aim_warp.next = number(self.aimed).into();
            u.issue_warp.next = number(issue).into();
            u.push_warp.next = number(push).into();
            u.same_warp.next = issue == push;
            let done = |flying: &mut Vec<u64>, rng: &mut Rng| {
                let some = !flying.is_empty() && rng.chance(4, 9);
                some.then(|| flying.swap_remove(rng.below(flying.len() as u64) as usize))
            };
            let (even, odd) = (2 * rng.below(4) as usize, 1 + 2 * rng.below(4) as usize);
            let before = self.flying[issue].clone();
            let (done0, done1) = (
                done(&mut self.flying[even], rng),
                done(&mut self.flying[odd], rng),
            );
            u.done0_valid.next = done0.is_some();
            u.done0_warp.next = number(even).into();
            u.done0_rd.next = (done0.unwrap_or(0) ^ 32).into();
            u.done1_valid.next = done1.is_some();
            u.done1_warp.next = number(odd).into();
            u.done1_rd.next = (done1.unwrap_or(0) ^ 32).into();
            // The first never takes one that is pending, not even until this cycle;
            // the second may take one that is freed now.
            let mut pick = |avoid: u64| {
                let rd = rng.below(40).min(32);
                let taken = rd < 32 && (before.contains(&rd) || rd == avoid);
                if taken {
                    32
                } else {
                    rd
                }
            };
            let first = pick(64);
            let freed = [(even, done0), (odd, done1)];
            let freed = freed.iter().find_map(|&(w, rd)| rd.filter(|_| w == issue));
            let freed = freed.filter(|&rd| before.iter().filter(|&&b| b == rd).count() == 1);
            let second = freed.unwrap_or_else(|| pick(first));
            let issues = !reset && !aimless && before.len() < 28;
            u.issuing.next = issues;
            u.issue.next = (u64::from(issues) << number(issue)).into();
            u.first_rd.next = (first ^ 32).into();
            let two = rng.flip();
            u.second.next = two;
            u.second_rd.next = (second ^ 32).into();
            if issues {
                self.flying[issue].push(first);
                if two {
                    self.flying[issue].push(second);
                }
            }
        }
    }

    #[test]
    fn verilog_agrees() {
        agrees::<8, 3, 2>();
        agrees::<16, 4, 3>();
    }

    fn agrees<const NW: usize, const WI: usize, const WH: usize>() {
        let mut warps = Warps::default();
        crate::stimulus::check_with_memories(
            &format!("weft_scoreboard_{NW}"),
            Scoreboard::<NW, WI, WH>::default,
            3000,
            |u, rng, t| warps.drive(u, rng, t < NW / 2),
            |u, level| u.clock.next = level.into(),
        );
    }

    /// SCHED-023, against a list of what is in flight.
    #[test]
    fn rows_and_counts_are_those_of_the_instructions_in_flight() {
        follows::<8, 3, 2>();
        follows::<16, 4, 3>();
    }

    fn follows<const NW: usize, const WI: usize, const WH: usize>() {
        let mut b = Bench::new(Scoreboard::<NW, WI, WH>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let of = |number: usize| number % 2 + number / (NW / 4) * 2;
        let mut rng = Rng::new(given("SEED", 1), "scoreboard");
        let mut warps = Warps::default();
        let (mut most, mut aimed_and_done, mut words_and_issued) = (0, 0, 0);
        let (mut filled_by_issue, mut filled_at_push) = (0, 0);
        let mut resets = Resets::new(400);
        for t in 0..4000 {
            let before: Vec<usize> = warps.flying.iter().map(Vec::len).collect();
            // The first one is long; of the others a cycle is enough.
            let reset = t < NW / 2 || resets.now(&mut rng, before.iter().any(|&n| n > 0));
            let blind = reset || warps.reset;
            warps.drive(&mut b.uut, &mut rng, reset);
            b.settle();
            if blind {
                b.edge();
                continue;
            }
            let issue = of(b.uut.issue_warp.val().index());
            let issued = match (b.uut.issuing.val(), b.uut.second.val()) {
                (false, _) => 0,
                (true, second) => 1 + usize::from(second),
            };
            let without = |row: u64, freed: u64| row & !(freed >> 5 << (freed & 31));
            let flying = &warps.flying[issue];
            let there = &flying[..flying.len() - issued];
            let row = there
                .iter()
                .filter(|&&rd| rd < 32)
                .fold(0, |r, rd| r | 1 << rd);
            let freed = match b.uut.frees.val() {
                true => b.uut.freed.val().to_u64(),
                false => 0,
            };
            let freed_before = b.uut.freed_before.val().to_u64();
            let row_there = match b.uut.row_counts.val() {
                true => b.uut.row.val().to_u64(),
                false => 0,
            };
            let got = without(row_there, freed);
            assert_eq!(without(got, freed_before), row, "cycle {t}");
            aimed_and_done += u32::from(freed_before != 0);
            let flies = |&n: &usize| n % (NW / 4) < 2 && before[of(n)] > 0;
            let flight = (0..NW).filter(flies).fold(0u64, |f, n| f | 1 << n);
            assert_eq!(b.uut.flight.val().to_u64(), flight, "cycle {t}");
            if b.uut.issuing.val() {
                let filled = warps.flying[issue].len() >= 28;
                assert_eq!(b.uut.filled.val(), filled, "cycle {t}");
                filled_by_issue += u32::from(filled);
            }
            for (valid, warp, any, many) in [
                (
                    &b.uut.done0_valid,
                    &b.uut.done0_warp,
                    &b.uut.left0_any,
                    &b.uut.left0_many,
                ),
                (
                    &b.uut.done1_valid,
                    &b.uut.done1_warp,
                    &b.uut.left1_any,
                    &b.uut.left1_many,
                ),
            ] {
                if valid.val() {
                    let left = before[of(warp.val().index())] - 1;
                    assert_eq!((any.val(), many.val()), (left > 0, left >= 28), "cycle {t}");
                }
            }
            let push = of(b.uut.push_warp.val().index());
            let after = warps.flying[push].len();
            assert_eq!(b.uut.push_flies.val(), after > 0, "cycle {t}");
            assert_eq!(b.uut.push_filled.val(), after >= 28, "cycle {t}");
            filled_at_push += u32::from(after >= 28);
            let counted = warps.flying[push].len() - if push == issue { issued } else { 0 };
            let pushed = warps.flying[push][..counted].iter();
            let row = pushed.filter(|&&rd| rd < 32).fold(0, |r, rd| r | 1 << rd);
            let before = [&b.uut.first_before, &b.uut.second_before];
            let since = before.map(|rd| rd.val().to_u64());
            let since = since.iter().filter(|&rd| rd >> 5 != 0);
            let since = since.fold(0, |r, rd| r | 1 << (rd & 31));
            let freed_before = b.uut.push_freed_before.val().to_u64();
            let row_there = match b.uut.push_row_counts.val() {
                true => b.uut.push_row.val().to_u64(),
                false => 0,
            };
            let got = without(row_there, freed_before) | since;
            let freed = match b.uut.push_frees.val() {
                true => b.uut.push_freed.val().to_u64(),
                false => 0,
            };
            assert_eq!(without(got, freed), row, "cycle {t}");
            words_and_issued += u32::from(since != 0);
            most = most.max(counted);
            b.edge();
        }
        resets.check("scoreboard");
        assert!(
            most >= 28 && aimed_and_done > 100 && words_and_issued > 100,
            "{most} {aimed_and_done} {words_and_issued}"
        );
        assert!(
            filled_by_issue > 20 && filled_at_push > 20,
            "{filled_by_issue} {filled_at_push}"
        );
    }
}
