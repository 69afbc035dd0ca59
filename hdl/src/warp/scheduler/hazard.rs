//! Hazards of one instruction: which of its registers wait for a result.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-021 and 025.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `instruction` | in | 23 | decoded form |
//! | `row`, `counts` | in | 32, 1 | pending registers of its warp; 0: none is, whatever `row` says |
//! | `frees`, `freed` | in | 1, 6 | an instruction of its warp is done in this cycle; the register that is pending no more if so; bit 5 = there is one |
//! | `freed_before` | in | 6 | that of one that was done since `row` was looked up |
//! | `first_before`, `second_before` | in | 6, 6 | destinations that have become pending since then; bit 5 = there is one |
//! | `first_rd`, `second_rd` | in | 6, 6 | destinations that become pending in this cycle; bit 5 = there is one |
//! | `rd`, `rs1`, `rs2` | out | 1 each | this register is used and pending |
//!
//! # Cycle behaviour
//! Combinational. Whether the completion is one of its warp is not waited for before the registers are compared.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Hazard {
    pub instruction: Signal<In, Bits<23>>,
    pub row: Signal<In, Bits<32>>,
    pub counts: Signal<In, Bit>,
    pub frees: Signal<In, Bit>,
    pub freed: Signal<In, Bits<6>>,
    pub freed_before: Signal<In, Bits<6>>,
    pub first_before: Signal<In, Bits<6>>,
    pub second_before: Signal<In, Bits<6>>,
    pub first_rd: Signal<In, Bits<6>>,
    pub second_rd: Signal<In, Bits<6>>,
    pub rd: Signal<Out, Bit>,
    pub rs1: Signal<Out, Bit>,
    pub rs2: Signal<Out, Bit>,
    x: [Signal<Local, Bits<6>>; 3],
    number: [Signal<Local, Bits<5>>; 3],
    pending: [Signal<Local, Bit>; 3],
    asks: [Signal<Local, Bit>; 3],
    freed_now: [Signal<Local, Bit>; 3],
    follows: [Signal<Local, Bit>; 3],
    waits: [Signal<Local, Bit>; 3],
}

impl Logic for Hazard {
    #[hdl_gen]
    fn update(&mut self) {
        self.x[0].next = self.instruction.val().get_bits::<6>(5);
        self.x[1].next = self.instruction.val().get_bits::<6>(11);
        self.x[2].next = self.instruction.val().get_bits::<6>(17);
        for i in 0..3 {
            self.number[i].next = self.x[i].val().get_bits::<5>(0);
            self.freed_now[i].next = self.frees.val() & (self.x[i].val() == self.freed.val());
            // The bit of the row comes last.
            self.asks[i].next = self.x[i].val().get_bit(5)
                & self.counts.val()
                & !self.freed_now[i].val()
                & (self.x[i].val() != self.freed_before.val());
            self.follows[i].next = self.x[i].val().get_bit(5)
                & ((self.x[i].val() == self.first_rd.val())
                    | (self.x[i].val() == self.second_rd.val())
                    | (!self.freed_now[i].val()
                        & ((self.x[i].val() == self.first_before.val())
                            | (self.x[i].val() == self.second_before.val()))));
            self.pending[i].next = self.row.val().get_bit(self.number[i].val().index());
            self.waits[i].next =
                (self.pending[i].val() & self.asks[i].val()) | self.follows[i].val();
        }
        self.rd.next = self.waits[0].val();
        self.rs1.next = self.waits[1].val();
        self.rs2.next = self.waits[2].val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_hazard",
            Hazard::default,
            2000,
            |u, rng, _| {
                u.instruction.next = rng.bits();
                u.row.next = rng.bits();
                u.counts.next = rng.flip();
                u.frees.next = rng.flip();
                u.freed.next = rng.bits();
                u.freed_before.next = rng.bits();
                u.first_before.next = rng.bits();
                u.second_before.next = rng.bits();
                u.first_rd.next = rng.bits();
                u.second_rd.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }
}
