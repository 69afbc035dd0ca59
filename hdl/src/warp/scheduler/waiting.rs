//! What the first instruction of each warp waits for.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-025 and 027.
//!
//! # Parameters
//! `NW` warps, 4, 8 or 16; `WI` = log2 NW; `WH` = WI - 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, WH | synchronous, active high; takes all values while `reset` is 1 for NW / 2 cycles |
//! | `issue_check`, `issue_warp`, `issue_instruction` | in | 1, WI, 23 | an instruction becomes its warp's first and is checked in the issue stage |
//! | `issuing`, `issue` | in | 1, NW | that warp is there, one-hot or 0; with nothing checked too, and has no first instruction then |
//! | `issue_rd`, `issue_rs1`, `issue_rs2`, `push_rd`, `push_rs1`, `push_rs2` | in | 1 each | what they wait for |
//! | `push_alone` | in | 1 | something is pushed for a warp that has nothing queued, before it is known whether it issues: there is a check in the push stage then, if not |
//! | `push_check`, `push_check_bit`, `push_warp`, `push_instruction` | in | 1, NW, WI, 23 | likewise in the push stage, `push_check_bit` only with it; not of the same warp, unless nothing is checked in the issue stage |
//! | `done0_valid`, `done0_warp`, `done0_rd` | in | 1, WI, 6 | an instruction of an even warp is complete; `done1_*` of an odd one |
//! | `issue_full`, `push_full` | in | 1, 1 | their warp has as many in flight after this cycle as may be |
//! | `push_flies` | in | 1 | the warp of the push has some in flight after this cycle; that of the issue has |
//! | `left0_any`, `left0_many` | in | 1, 1 | after its `done0` the warp has some in flight, as many as may be; `left1_*` likewise |
//! | `done0_before`, `done1_before` | out | NW | one-hot: `done0_warp`, `done1_warp` of the cycle before; registers |
//! | `blocked` | out | NW | the warp's first instruction waits, if it has one; a few gates behind registers |
//!
//! # Cycle behaviour
//! A check sets what the instruction waits for; a completion takes away what it was waited for, in the same cycle.
//! Whether a warp waits for anything, registers or those in flight, is a bit per warp.
//! What a cycle finds about one warp is kept as one bit beside the warp's number and enters its bit a cycle later;
//! `blocked` has it already. For which registers lies in memories with one writer each, the issue stage, the push stage
//! and the two completion ports, even and odd warps apart: a register is waited for while its mark by the last checker
//! differs from that by the completions, and the last checker is the issue stage
//! while the owner bits of the two are equal.
//!
//! # Invariants
//! 1. Once a warp has been checked, its flag is 1 if and only if one of its three marks differs, or some are in flight
//!    and it is a `drain` instruction, or too many
//!    are and it is not. The number in flight grows by an issue alone, and behind that the warp is checked or has
//!    nothing queued.
//! 2. Copies of a memory are equal: those that are read before they are written are cleared under `reset`.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::same::Same;
use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(NW == 1 << WI, WI == WH + 1, WH >= 1))]
pub struct Waiting<const NW: usize, const WI: usize, const WH: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<WH>>,
    pub issue_check: Signal<In, Bit>,
    pub issuing: Signal<In, Bit>,
    pub issue: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_instruction: Signal<In, Bits<23>>,
    pub issue_rd: Signal<In, Bit>,
    pub issue_rs1: Signal<In, Bit>,
    pub issue_rs2: Signal<In, Bit>,
    pub push_alone: Signal<In, Bit>,
    pub push_check: Signal<In, Bit>,
    pub push_check_bit: Signal<In, Bits<NW>>,
    pub push_warp: Signal<In, Bits<WI>>,
    pub push_instruction: Signal<In, Bits<23>>,
    pub push_rd: Signal<In, Bit>,
    pub push_rs1: Signal<In, Bit>,
    pub push_rs2: Signal<In, Bit>,
    pub done0_valid: Signal<In, Bit>,
    pub done0_warp: Signal<In, Bits<WI>>,
    pub done0_rd: Signal<In, Bits<6>>,
    pub done1_valid: Signal<In, Bit>,
    pub done1_warp: Signal<In, Bits<WI>>,
    pub done1_rd: Signal<In, Bits<6>>,
    pub issue_full: Signal<In, Bit>,
    pub push_full: Signal<In, Bit>,
    pub push_flies: Signal<In, Bit>,
    pub left0_any: Signal<In, Bit>,
    pub left0_many: Signal<In, Bit>,
    pub left1_any: Signal<In, Bit>,
    pub left1_many: Signal<In, Bit>,
    pub done0_before: Signal<Out, Bits<NW>>,
    pub done1_before: Signal<Out, Bits<NW>>,
    pub blocked: Signal<Out, Bits<NW>>,
    // State: by the issue stage, by the push stage: {`drain`, owner, marks of rs2, rs1, rd, their numbers}, of even and
    // odd warps.
    by_issue0: LutRam<Bits<20>, WH>,
    by_issue1: LutRam<Bits<20>, WH>,
    by_push0: LutRam<Bits<20>, WH>,
    by_push1: LutRam<Bits<20>, WH>,
    // State: their owner bits again, for the other one.
    issue_owner0: LutRam<Bits<1>, WH>,
    issue_owner1: LutRam<Bits<1>, WH>,
    push_owner: LutRam<Bits<1>, WI>,
    // State: the marks by completions, for themselves, the issue and the push stage.
    freed0: LutRam<Bits<3>, WH>,
    freed0_issue: LutRam<Bits<3>, WH>,
    freed0_push: LutRam<Bits<3>, WH>,
    freed1: LutRam<Bits<3>, WH>,
    freed1_issue: LutRam<Bits<3>, WH>,
    freed1_push: LutRam<Bits<3>, WH>,
    // State: the warp's first instruction waits, but for what the cycle before has found:
    waits: DFF<Bits<NW>>,
    // who was checked, and whether it waits (in the push stage: for what, registers and those in flight);
    // what was done: whether the push stage is the last checker, whether a register remains that is waited for, by
    // either, and if not whether that was all.
    issue_of: DFF<Bits<NW>>,
    issue_blocks: DFF<Bit>,
    push_of: DFF<Bits<NW>>,
    push_found: DFF<Bits<4>>,
    done0_of: DFF<Bits<NW>>,
    was_pushed0: DFF<Bit>,
    issue_remains0: DFF<Bit>,
    push_remains0: DFF<Bit>,
    relieves0: DFF<Bit>,
    done1_of: DFF<Bits<NW>>,
    was_pushed1: DFF<Bit>,
    issue_remains1: DFF<Bit>,
    push_remains1: DFF<Bit>,
    relieves1: DFF<Bit>,
    // Combinational.
    issue_at: Signal<Local, Bits<WH>>,
    issue_odd: Signal<Local, Bit>,
    issue_waits: Signal<Local, Bits<3>>,
    issue_freed: Signal<Local, Bits<3>>,
    issue_marks: Signal<Local, Bits<3>>,
    issue_owner: Signal<Local, Bits<1>>,
    issue_entry: Signal<Local, Bits<20>>,
    issue_to: Signal<Local, Bits<WH>>,
    issue_writes0: Signal<Local, Bit>,
    issue_writes1: Signal<Local, Bit>,
    store_owner: Signal<Local, Bits<1>>,
    push_at: Signal<Local, Bits<WH>>,
    push_odd: Signal<Local, Bit>,
    push_waits: Signal<Local, Bits<3>>,
    push_freed: Signal<Local, Bits<3>>,
    push_marks: Signal<Local, Bits<3>>,
    push_owns: Signal<Local, Bits<1>>,
    push_entry: Signal<Local, Bits<20>>,
    at0: Signal<Local, Bits<WH>>,
    entry0: Signal<Local, Bits<20>>,
    pushed_entry0: Signal<Local, Bits<20>>,
    same_issue0: Same,
    same_push0: Same,
    drains0: Signal<Local, Bit>,
    pushed0: Signal<Local, Bit>,
    issue_marks0: Signal<Local, Bits<3>>,
    push_marks0: Signal<Local, Bits<3>>,
    met0: Signal<Local, Bits<3>>,
    checked0: Signal<Local, Bit>,
    remains0: Signal<Local, Bit>,
    writes0: Signal<Local, Bit>,
    write_at0: Signal<Local, Bits<WH>>,
    next_freed0: Signal<Local, Bits<3>>,
    store_freed0: Signal<Local, Bits<3>>,
    even0: Signal<Local, Bits<WI>>,
    at1: Signal<Local, Bits<WH>>,
    entry1: Signal<Local, Bits<20>>,
    pushed_entry1: Signal<Local, Bits<20>>,
    same_issue1: Same,
    same_push1: Same,
    drains1: Signal<Local, Bit>,
    pushed1: Signal<Local, Bit>,
    issue_marks1: Signal<Local, Bits<3>>,
    push_marks1: Signal<Local, Bits<3>>,
    met1: Signal<Local, Bits<3>>,
    checked1: Signal<Local, Bit>,
    remains1: Signal<Local, Bit>,
    writes1: Signal<Local, Bit>,
    write_at1: Signal<Local, Bits<WH>>,
    next_freed1: Signal<Local, Bits<3>>,
    store_freed1: Signal<Local, Bits<3>>,
    even1: Signal<Local, Bits<WI>>,
    relieved: Signal<Local, Bits<NW>>,
    found: Signal<Local, Bits<NW>>,
    waited: Signal<Local, Bits<NW>>,
    who_waits: Signal<Local, Bits<NW>>,
    issue_holds: Signal<Local, Bit>,
    push_holds: Signal<Local, Bit>,
    holds0: Signal<Local, Bit>,
    holds1: Signal<Local, Bit>,
    // Constants.
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value(2.into())]
    second_warp: Constant<Bits<NW>>,
    #[value(0.into())]
    no_marks: Constant<Bits<3>>,
    #[value(0.into())]
    not_owner: Constant<Bits<1>>,
}

#[part(Waiting<NW, WI, WH>)]
fn update(&mut self) {
    // ---- A check in the issue stage writes the registers, and marks that differ from those of the completions for
    // what it waits for.
    self.issue_at.next = self.issue_warp.val().get_bits::<WH>(1);
    self.issue_odd.next = self.issue_warp.val().get_bit(0);
    spread!(self.*.read_address <- self.issue_at: freed0_issue, freed1_issue);
    self.push_owner.read_address.next = self.issue_warp.val();
    self.issue_freed.next = self.freed0_issue.read_data.val();
    if self.issue_odd.val() {
        self.issue_freed.next = self.freed1_issue.read_data.val();
    }
    self.issue_waits.next = bit_cast::<3, 1>(self.issue_rd.val().into())
        | (bit_cast::<3, 1>(self.issue_rs1.val().into()) << 1)
        | (bit_cast::<3, 1>(self.issue_rs2.val().into()) << 2);
    self.issue_marks.next = self.issue_waits.val() ^ self.issue_freed.val();
    self.issue_owner.next = self.push_owner.read_data.val();
    self.store_owner.next = self.issue_owner.val();
    self.issue_to.next = self.issue_at.val();
    if self.reset.val() {
        self.store_owner.next = self.not_owner.val();
        self.issue_to.next = self.clear.val();
    }
    self.issue_entry.next = bit_cast::<20, 5>(self.issue_instruction.val().get_bits::<5>(5))
        | (bit_cast::<20, 5>(self.issue_instruction.val().get_bits::<5>(11)) << 5)
        | (bit_cast::<20, 5>(self.issue_instruction.val().get_bits::<5>(17)) << 10)
        | (bit_cast::<20, 3>(self.issue_marks.val()) << 15)
        | (bit_cast::<20, 1>(self.store_owner.val()) << 18)
        | (bit_cast::<20, 1>(self.issue_instruction.val().get_bit(4).into()) << 19);
    self.issue_writes0.next = (self.issue_check.val() & !self.issue_odd.val()) | self.reset.val();
    self.issue_writes1.next = (self.issue_check.val() & self.issue_odd.val()) | self.reset.val();
    carry!(self.by_issue0 <- self: write_enable = issue_writes0, write_address = issue_to);
    self.by_issue0.write_data.next = self.issue_entry.val();
    carry!(self.by_issue1 <- self: write_enable = issue_writes1, write_address = issue_to);
    self.by_issue1.write_data.next = self.issue_entry.val();
    carry!(self.issue_owner0 <- self: write_enable = issue_writes0, write_address = issue_to);
    self.issue_owner0.write_data.next = self.store_owner.val();
    carry!(self.issue_owner1 <- self: write_enable = issue_writes1, write_address = issue_to);
    self.issue_owner1.write_data.next = self.store_owner.val();

    // ---- A check in the push stage likewise.
    self.push_at.next = self.push_warp.val().get_bits::<WH>(1);
    self.push_odd.next = self.push_warp.val().get_bit(0);
    spread!(self.*.read_address <- self.push_at:
        freed0_push, freed1_push, issue_owner0, issue_owner1,
    );
    self.push_freed.next = self.freed0_push.read_data.val();
    self.push_owns.next = !self.issue_owner0.read_data.val();
    if self.push_odd.val() {
        self.push_freed.next = self.freed1_push.read_data.val();
        self.push_owns.next = !self.issue_owner1.read_data.val();
    }
    self.push_waits.next = bit_cast::<3, 1>(self.push_rd.val().into())
        | (bit_cast::<3, 1>(self.push_rs1.val().into()) << 1)
        | (bit_cast::<3, 1>(self.push_rs2.val().into()) << 2);
    self.push_marks.next = self.push_waits.val() ^ self.push_freed.val();
    self.push_entry.next = bit_cast::<20, 5>(self.push_instruction.val().get_bits::<5>(5))
        | (bit_cast::<20, 5>(self.push_instruction.val().get_bits::<5>(11)) << 5)
        | (bit_cast::<20, 5>(self.push_instruction.val().get_bits::<5>(17)) << 10)
        | (bit_cast::<20, 3>(self.push_marks.val()) << 15)
        | (bit_cast::<20, 1>(self.push_owns.val()) << 18)
        | (bit_cast::<20, 1>(self.push_instruction.val().get_bit(4).into()) << 19);
    self.by_push0.write_enable.next = self.push_check.val() & !self.push_odd.val();
    carry!(self.by_push0 <- self: write_address = push_at, write_data = push_entry);
    self.by_push1.write_enable.next = self.push_check.val() & self.push_odd.val();
    carry!(self.by_push1 <- self: write_address = push_at, write_data = push_entry);
    carry!(self.push_owner <- self: write_enable = push_check, write_address = push_warp);
    self.push_owner.write_data.next = self.push_owns.val();

    // ---- What is done takes away what was waited for, unless the warp is checked in this cycle.
    // (One in the issue stage is, or has nothing to wait for.)
    self.at0.next = self.done0_warp.val().get_bits::<WH>(1);
    spread!(self.*.read_address <- self.at0: by_issue0, by_push0, freed0);
    self.pushed0.next =
        self.by_issue0.read_data.val().get_bit(18) ^ self.by_push0.read_data.val().get_bit(18);
    // Both entries are compared, while it becomes known which one counts.
    self.entry0.next = self.by_issue0.read_data.val();
    self.pushed_entry0.next = self.by_push0.read_data.val();
    self.same_issue0.numbers.next = self.entry0.val().get_bits::<15>(0);
    self.same_issue0.done.next = self.done0_rd.val();
    self.same_push0.numbers.next = self.pushed_entry0.val().get_bits::<15>(0);
    self.same_push0.done.next = self.done0_rd.val();
    self.issue_marks0.next = self.entry0.val().get_bits::<3>(15) ^ self.freed0.read_data.val();
    self.push_marks0.next =
        self.pushed_entry0.val().get_bits::<3>(15) ^ self.freed0.read_data.val();
    self.met0.next = self.issue_marks0.val() & self.same_issue0.same.val();
    self.drains0.next = self.entry0.val().get_bit(19);
    if self.pushed0.val() {
        self.met0.next = self.push_marks0.val() & self.same_push0.same.val();
        self.drains0.next = self.pushed_entry0.val().get_bit(19);
    }
    self.checked0.next = (self.issuing.val()
        & (self.at0.val() == self.issue_at.val())
        & !self.issue_odd.val())
        | (self.push_alone.val() & (self.at0.val() == self.push_at.val()) & !self.push_odd.val());
    self.next_freed0.next = self.freed0.read_data.val() ^ self.met0.val();
    self.store_freed0.next = self.next_freed0.val();
    self.writes0.next = self.done0_valid.val() & !self.checked0.val();
    self.write_at0.next = self.at0.val();
    if self.reset.val() {
        self.store_freed0.next = self.no_marks.val();
        self.writes0.next = true;
        self.write_at0.next = self.clear.val();
    }
    carry!(self.freed0 <- self: write_enable = writes0, write_address = write_at0);
    self.freed0.write_data.next = self.store_freed0.val();
    carry!(self.freed0_issue <- self: write_enable = writes0, write_address = write_at0);
    self.freed0_issue.write_data.next = self.store_freed0.val();
    carry!(self.freed0_push <- self: write_enable = writes0, write_address = write_at0);
    self.freed0_push.write_data.next = self.store_freed0.val();
    // The parity of a port's warp is known, so half of the decoder goes.
    self.even0.next = bit_cast::<WI, WH>(self.at0.val()) << 1;
    self.holds0.next = self.left0_many.val();
    if self.drains0.val() {
        self.holds0.next = self.left0_any.val();
    }
    self.done0_of.d.next = self.one_warp.val() << self.even0.val();
    self.was_pushed0.d.next = self.pushed0.val();
    self.issue_remains0.d.next = (self.issue_marks0.val() & !self.same_issue0.same.val()).any();
    self.push_remains0.d.next = (self.push_marks0.val() & !self.same_push0.same.val()).any();
    self.relieves0.d.next = self.done0_valid.val() & !self.holds0.val();
    self.at1.next = self.done1_warp.val().get_bits::<WH>(1);
    spread!(self.*.read_address <- self.at1: by_issue1, by_push1, freed1);
    self.pushed1.next =
        self.by_issue1.read_data.val().get_bit(18) ^ self.by_push1.read_data.val().get_bit(18);
    // Both entries are compared, while it becomes known which one counts.
    self.entry1.next = self.by_issue1.read_data.val();
    self.pushed_entry1.next = self.by_push1.read_data.val();
    self.same_issue1.numbers.next = self.entry1.val().get_bits::<15>(0);
    self.same_issue1.done.next = self.done1_rd.val();
    self.same_push1.numbers.next = self.pushed_entry1.val().get_bits::<15>(0);
    self.same_push1.done.next = self.done1_rd.val();
    self.issue_marks1.next = self.entry1.val().get_bits::<3>(15) ^ self.freed1.read_data.val();
    self.push_marks1.next =
        self.pushed_entry1.val().get_bits::<3>(15) ^ self.freed1.read_data.val();
    self.met1.next = self.issue_marks1.val() & self.same_issue1.same.val();
    self.drains1.next = self.entry1.val().get_bit(19);
    if self.pushed1.val() {
        self.met1.next = self.push_marks1.val() & self.same_push1.same.val();
        self.drains1.next = self.pushed_entry1.val().get_bit(19);
    }
    self.checked1.next = (self.issuing.val()
        & (self.at1.val() == self.issue_at.val())
        & self.issue_odd.val())
        | (self.push_alone.val() & (self.at1.val() == self.push_at.val()) & self.push_odd.val());
    self.next_freed1.next = self.freed1.read_data.val() ^ self.met1.val();
    self.store_freed1.next = self.next_freed1.val();
    self.writes1.next = self.done1_valid.val() & !self.checked1.val();
    self.write_at1.next = self.at1.val();
    if self.reset.val() {
        self.store_freed1.next = self.no_marks.val();
        self.writes1.next = true;
        self.write_at1.next = self.clear.val();
    }
    carry!(self.freed1 <- self: write_enable = writes1, write_address = write_at1);
    self.freed1.write_data.next = self.store_freed1.val();
    carry!(self.freed1_issue <- self: write_enable = writes1, write_address = write_at1);
    self.freed1_issue.write_data.next = self.store_freed1.val();
    carry!(self.freed1_push <- self: write_enable = writes1, write_address = write_at1);
    self.freed1_push.write_data.next = self.store_freed1.val();
    // The parity of a port's warp is known, so half of the decoder goes.
    self.even1.next = bit_cast::<WI, WH>(self.at1.val()) << 1;
    self.holds1.next = self.left1_many.val();
    if self.drains1.val() {
        self.holds1.next = self.left1_any.val();
    }
    self.done1_of.d.next = self.second_warp.val() << self.even1.val();
    self.was_pushed1.d.next = self.pushed1.val();
    self.issue_remains1.d.next = (self.issue_marks1.val() & !self.same_issue1.same.val()).any();
    self.push_remains1.d.next = (self.push_marks1.val() & !self.same_push1.same.val()).any();
    self.relieves1.d.next = self.done1_valid.val() & !self.holds1.val();

    // ---- A check sets it anew.
    // What is issued in this cycle is in flight behind it.
    self.issue_of.d.next = self.issue.val();
    self.issue_holds.next = self.issue_instruction.val().get_bit(4) | self.issue_full.val();
    self.issue_blocks.d.next = self.issue_waits.val().any() | self.issue_holds.val();
    self.push_holds.next = self.push_full.val();
    if self.push_instruction.val().get_bit(4) {
        self.push_holds.next = self.push_flies.val();
    }
    self.push_of.d.next = self.push_check_bit.val();
    self.push_found.d.next = bit_cast::<4, 3>(self.push_waits.val())
        | (bit_cast::<4, 1>(self.push_holds.val().into()) << 3);

    self.done0_before.next = self.done0_of.q.val();
    self.done1_before.next = self.done1_of.q.val();

    // ---- Who waits, with what the cycle before has found. Of a warp that was in both stages the push counts.
    self.remains0.next = self.issue_remains0.q.val();
    if self.was_pushed0.q.val() {
        self.remains0.next = self.push_remains0.q.val();
    }
    self.remains1.next = self.issue_remains1.q.val();
    if self.was_pushed1.q.val() {
        self.remains1.next = self.push_remains1.q.val();
    }
    self.relieved.next = self.no_warps.val();
    if self.relieves0.q.val() & !self.remains0.val() {
        self.relieved.next = self.done0_of.q.val();
    }
    if self.relieves1.q.val() & !self.remains1.val() {
        self.relieved.next = self.relieved.val() | self.done1_of.q.val();
    }
    self.found.next = self.no_warps.val();
    if self.issue_blocks.q.val() {
        self.found.next = self.issue_of.q.val();
    }
    self.found.next = self.found.val() & !self.push_of.q.val();
    if self.push_found.q.val().any() {
        self.found.next = self.found.val() | self.push_of.q.val();
    }
    self.waited.next = self.waits.q.val() & !self.issue_of.q.val() & !self.push_of.q.val();
    self.who_waits.next = self.found.val() | (self.waited.val() & !self.relieved.val());
    self.waits.d.next = self.who_waits.val();
    self.blocked.next = self.who_waits.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::eight_of;

    #[test]
    fn verilog_agrees() {
        agrees::<8, 3, 2>();
        agrees::<16, 4, 3>();
    }

    /// With eight warps, spread over all.
    fn agrees<const NW: usize, const WI: usize, const WH: usize>() {
        let number = |w: u64| eight_of(NW, w);
        crate::stimulus::check_with_memories(
            &format!("weft_waiting_{NW}"),
            Waiting::<NW, WI, WH>::default,
            3000,
            |u, rng, t| {
                u.reset.next = t < NW / 2;
                u.clear.next = (t as u64 % (NW as u64 / 2)).into();
                let (issue, push) = (number(rng.below(8)), number(rng.below(8)));
                let issues = rng.chance(1, 3);
                let pushes = rng.chance(1, 3) && !(issues && issue == push);
                u.issue_check.next = issues && rng.flip();
                u.issuing.next = issues;
                u.issue.next = (u64::from(issues) << issue).into();
                u.issue_warp.next = issue.into();
                u.push_check.next = pushes;
                u.push_alone.next = pushes || issues && rng.chance(1, 8);
                u.push_check_bit.next = (u64::from(pushes) << push).into();
                u.push_warp.next = push.into();
                // Few registers, so that they meet.
                let instruction =
                    |r: u64| (r & 7) | (r & 0x38) << 4 | (r & 0x1C0) << 7 | (r & 0xE00) << 10;
                u.issue_instruction.next =
                    (instruction(rng.below(1 << 12)) << 4 & 0x7F_FFFF).into();
                u.push_instruction.next = (instruction(rng.below(1 << 12)) << 4 & 0x7F_FFFF).into();
                u.issue_rd.next = rng.flip();
                u.issue_rs1.next = rng.flip();
                u.issue_rs2.next = rng.flip();
                u.push_rd.next = rng.flip();
                u.push_rs1.next = rng.flip();
                u.push_rs2.next = rng.flip();
                u.done0_valid.next = rng.flip();
                u.done0_warp.next = number(2 * rng.below(4)).into();
                u.done0_rd.next = rng.below(8).into();
                u.done1_valid.next = rng.flip();
                u.done1_warp.next = number(1 + 2 * rng.below(4)).into();
                u.done1_rd.next = rng.below(8).into();
                u.issue_full.next = rng.chance(1, 8);
                u.push_full.next = rng.chance(1, 8);
                u.push_flies.next = rng.flip();
                u.left0_any.next = rng.flip();
                u.left0_many.next = rng.chance(1, 8);
                u.left1_any.next = rng.flip();
                u.left1_many.next = rng.chance(1, 8);
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
