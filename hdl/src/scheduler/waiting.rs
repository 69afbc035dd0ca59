//! What the first instruction of each warp waits for.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-025 and 027.
//!
//! # Parameters
//! `NW` warps, a power of two from 4 on; `WI` = log2 NW; `WH` = WI - 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `issue_check`, `issue_check_bit`, `issue_warp`, `issue_instruction` | in | 1, NW, WI, 23 | an instruction becomes its warp's first and is checked in the issue stage |
//! | `issue_rd`, `issue_rs1`, `issue_rs2` | in | 1 each | what it waits for |
//! | `push_check`, … | in | | likewise in the push stage; not of the same warp |
//! | `done0_valid`, `done0_warp`, `done0_rd` | in | 1, WI, 6 | an instruction of an even warp is complete; `done1_*` of an odd one |
//! | `flight`, `full` | in | NW, NW | warps with instructions in flight, with as many as may be |
//! | `blocked` | out | NW | the warp's first instruction waits; from registers |
//!
//! # Cycle behaviour
//! A check sets what the instruction waits for; a completion takes away what it was waited for, in the same cycle. The registers of the first
//! instruction are kept by who checked it last, so that each memory has one writer, for even and odd warps apart.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{Flags, LutRam};

#[derive(LogicBlock)]
pub struct Waiting<const NW: usize, const WI: usize, const WH: usize> {
    pub clock: Signal<In, Clock>,
    pub issue_check: Signal<In, Bit>,
    pub issue_check_bit: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_instruction: Signal<In, Bits<23>>,
    pub issue_rd: Signal<In, Bit>,
    pub issue_rs1: Signal<In, Bit>,
    pub issue_rs2: Signal<In, Bit>,
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
    pub flight: Signal<In, Bits<NW>>,
    pub full: Signal<In, Bits<NW>>,
    pub blocked: Signal<Out, Bits<NW>>,
    // State: by the issue stage, by the push stage: {rs2, rs1, rd} of the first instruction, of even and odd warps.
    by_issue0: LutRam<Bits<18>, WH>,
    by_issue1: LutRam<Bits<18>, WH>,
    by_push0: LutRam<Bits<18>, WH>,
    by_push1: LutRam<Bits<18>, WH>,
    pushed: Flags<NW>,
    // State: the registers it waits for; it goes only when nothing is in flight.
    rd: Flags<NW>,
    rs1: Flags<NW>,
    rs2: Flags<NW>,
    drains: Flags<NW>,
    // Combinational.
    issue_at: Signal<Local, Bits<WH>>,
    push_at: Signal<Local, Bits<WH>>,
    first0: Signal<Local, Bits<18>>,
    first1: Signal<Local, Bits<18>>,
    even0: Signal<Local, Bits<WI>>,
    even1: Signal<Local, Bits<WI>>,
    bit0: Signal<Local, Bits<NW>>,
    bit1: Signal<Local, Bits<NW>>,
    checked: Signal<Local, Bits<NW>>,
    freed_rd: Signal<Local, Bits<NW>>,
    freed_rs1: Signal<Local, Bits<NW>>,
    freed_rs2: Signal<Local, Bits<NW>>,
    set_rd: Signal<Local, Bits<NW>>,
    set_rs1: Signal<Local, Bits<NW>>,
    set_rs2: Signal<Local, Bits<NW>>,
    set_drains: Signal<Local, Bits<NW>>,
    // Constants.
    one_warp: Constant<Bits<NW>>,
    second_warp: Constant<Bits<NW>>,
    no_warps: Constant<Bits<NW>>,
}

impl<const NW: usize, const WI: usize, const WH: usize> Default for Waiting<NW, WI, WH> {
    fn default() -> Self {
        assert!(
            NW == 1 << WI && WI == WH + 1 && WH >= 1,
            "Waiting<{NW}, {WI}, {WH}>"
        );
        block!({
            clock, issue_check, issue_check_bit, issue_warp, issue_instruction, issue_rd,
            issue_rs1, issue_rs2, push_check, push_check_bit, push_warp,
            push_instruction, push_rd, push_rs1, push_rs2, done0_valid, done0_warp,
            done0_rd, done1_valid, done1_warp, done1_rd, flight, full, blocked,
            by_issue0, by_issue1, by_push0, by_push1, pushed, rd, rs1, rs2, drains, issue_at,
            push_at, first0, first1, even0, even1, bit0, bit1, checked, freed_rd,
            freed_rs1, freed_rs2, set_rd, set_rs1, set_rs2, set_drains,
        } {
            one_warp: Constant::new(1.into()),
            second_warp: Constant::new(2.into()),
            no_warps: Constant::new(0.into()),
        })
    }
}

impl<const NW: usize, const WI: usize, const WH: usize> Logic for Waiting<NW, WI, WH> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, pushed, rd, rs1, rs2, drains);
        clock!(self, clock, by_issue0, by_issue1, by_push0, by_push1);

        // ---- The registers of first instructions.
        self.issue_at.next = self.issue_warp.val().get_bits::<WH>(1);
        self.push_at.next = self.push_warp.val().get_bits::<WH>(1);
        self.by_issue0.write_enable.next =
            self.issue_check.val() & !self.issue_warp.val().get_bit(0);
        self.by_issue0.write_address.next = self.issue_at.val();
        self.by_issue0.write_data.next = self.issue_instruction.val().get_bits::<18>(5);
        self.by_issue1.write_enable.next =
            self.issue_check.val() & self.issue_warp.val().get_bit(0);
        self.by_issue1.write_address.next = self.issue_at.val();
        self.by_issue1.write_data.next = self.issue_instruction.val().get_bits::<18>(5);
        self.by_push0.write_enable.next = self.push_check.val() & !self.push_warp.val().get_bit(0);
        self.by_push0.write_address.next = self.push_at.val();
        self.by_push0.write_data.next = self.push_instruction.val().get_bits::<18>(5);
        self.by_push1.write_enable.next = self.push_check.val() & self.push_warp.val().get_bit(0);
        self.by_push1.write_address.next = self.push_at.val();
        self.by_push1.write_data.next = self.push_instruction.val().get_bits::<18>(5);
        self.checked.next = self.issue_check_bit.val() | self.push_check_bit.val();
        self.pushed.enable.next = self.checked.val();
        self.pushed.data.next = self.push_check_bit.val();

        // ---- What is done takes away what was waited for.
        self.by_issue0.read_address.next = self.done0_warp.val().get_bits::<WH>(1);
        self.by_push0.read_address.next = self.done0_warp.val().get_bits::<WH>(1);
        self.first0.next = self.by_issue0.read_data.val();
        if self.pushed.q.val().get_bit(self.done0_warp.val().index()) {
            self.first0.next = self.by_push0.read_data.val();
        }
        self.by_issue1.read_address.next = self.done1_warp.val().get_bits::<WH>(1);
        self.by_push1.read_address.next = self.done1_warp.val().get_bits::<WH>(1);
        self.first1.next = self.by_issue1.read_data.val();
        if self.pushed.q.val().get_bit(self.done1_warp.val().index()) {
            self.first1.next = self.by_push1.read_data.val();
        }
        // The parity of a port's warp is known, so half of the decoder goes.
        self.even0.next = bit_cast::<WI, WH>(self.done0_warp.val().get_bits::<WH>(1)) << 1;
        self.even1.next = bit_cast::<WI, WH>(self.done1_warp.val().get_bits::<WH>(1)) << 1;
        self.bit0.next = self.no_warps.val();
        if self.done0_valid.val() {
            self.bit0.next = self.one_warp.val() << self.even0.val();
        }
        self.bit1.next = self.no_warps.val();
        if self.done1_valid.val() {
            self.bit1.next = self.second_warp.val() << self.even1.val();
        }
        self.freed_rd.next = self.no_warps.val();
        self.freed_rs1.next = self.no_warps.val();
        self.freed_rs2.next = self.no_warps.val();
        // A register that is not used cannot be waited for; so its bit 5 need not be asked.
        if self.first0.val().get_bits::<6>(0) == self.done0_rd.val() {
            self.freed_rd.next = self.bit0.val();
        }
        if self.first0.val().get_bits::<6>(6) == self.done0_rd.val() {
            self.freed_rs1.next = self.bit0.val();
        }
        if self.first0.val().get_bits::<6>(12) == self.done0_rd.val() {
            self.freed_rs2.next = self.bit0.val();
        }
        if self.first1.val().get_bits::<6>(0) == self.done1_rd.val() {
            self.freed_rd.next = self.freed_rd.val() | self.bit1.val();
        }
        if self.first1.val().get_bits::<6>(6) == self.done1_rd.val() {
            self.freed_rs1.next = self.freed_rs1.val() | self.bit1.val();
        }
        if self.first1.val().get_bits::<6>(12) == self.done1_rd.val() {
            self.freed_rs2.next = self.freed_rs2.val() | self.bit1.val();
        }

        // ---- A check sets it anew.
        self.set_rd.next = self.no_warps.val();
        self.set_rs1.next = self.no_warps.val();
        self.set_rs2.next = self.no_warps.val();
        if self.issue_rd.val() {
            self.set_rd.next = self.issue_check_bit.val();
        }
        if self.issue_rs1.val() {
            self.set_rs1.next = self.issue_check_bit.val();
        }
        if self.issue_rs2.val() {
            self.set_rs2.next = self.issue_check_bit.val();
        }
        if self.push_rd.val() {
            self.set_rd.next = self.set_rd.val() | self.push_check_bit.val();
        }
        if self.push_rs1.val() {
            self.set_rs1.next = self.set_rs1.val() | self.push_check_bit.val();
        }
        if self.push_rs2.val() {
            self.set_rs2.next = self.set_rs2.val() | self.push_check_bit.val();
        }
        self.rd.enable.next = self.checked.val() | self.freed_rd.val();
        self.rd.data.next = self.set_rd.val();
        self.rs1.enable.next = self.checked.val() | self.freed_rs1.val();
        self.rs1.data.next = self.set_rs1.val();
        self.rs2.enable.next = self.checked.val() | self.freed_rs2.val();
        self.rs2.data.next = self.set_rs2.val();
        self.set_drains.next = self.no_warps.val();
        if self.issue_instruction.val().get_bit(4) {
            self.set_drains.next = self.issue_check_bit.val();
        }
        if self.push_instruction.val().get_bit(4) {
            self.set_drains.next = self.set_drains.val() | self.push_check_bit.val();
        }
        self.drains.enable.next = self.checked.val();
        self.drains.data.next = self.set_drains.val();
        self.blocked.next = self.rd.q.val()
            | self.rs1.q.val()
            | self.rs2.q.val()
            | (self.drains.q.val() & self.flight.val())
            | self.full.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_waiting",
            Waiting::<8, 3, 2>::default,
            3000,
            |u, rng, _| {
                let (issue, push) = (rng.below(8), rng.below(8));
                let issues = rng.chance(1, 3);
                let pushes = rng.chance(1, 3) && !(issues && issue == push);
                u.issue_check.next = issues;
                u.issue_check_bit.next = (u64::from(issues) << issue).into();
                u.issue_warp.next = issue.into();
                u.push_check.next = pushes;
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
                u.done0_warp.next = (2 * rng.below(4)).into();
                u.done0_rd.next = rng.below(8).into();
                u.done1_valid.next = rng.flip();
                u.done1_warp.next = (1 + 2 * rng.below(4)).into();
                u.done1_rd.next = rng.below(8).into();
                u.flight.next = rng.bits();
                u.full.next = rng.bits();
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
