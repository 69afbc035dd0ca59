//! Which registers of an instruction are the one whose result is there.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-027.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `numbers` | in | 15 | registers of the instruction: rs2, rs1, rd (lowest) |
//! | `done` | in | 6 | the register that is done; bit 5 = there is one |
//! | `same` | out | 3 | bit 0: rd is that register; bit 1: rs1; bit 2: rs2 |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Same {
    pub numbers: Signal<In, Bits<15>>,
    pub done: Signal<In, Bits<6>>,
    pub same: Signal<Out, Bits<3>>,
    number: Signal<Local, Bits<5>>,
    rd: Signal<Local, Bit>,
    rs1: Signal<Local, Bit>,
    rs2: Signal<Local, Bit>,
}

impl Logic for Same {
    #[hdl_gen]
    fn update(&mut self) {
        self.number.next = self.done.val().get_bits::<5>(0);
        self.rd.next =
            self.done.val().get_bit(5) & (self.numbers.val().get_bits::<5>(0) == self.number.val());
        self.rs1.next =
            self.done.val().get_bit(5) & (self.numbers.val().get_bits::<5>(5) == self.number.val());
        self.rs2.next = self.done.val().get_bit(5)
            & (self.numbers.val().get_bits::<5>(10) == self.number.val());
        self.same.next = bit_cast::<3, 1>(self.rd.val().into())
            | (bit_cast::<3, 1>(self.rs1.val().into()) << 1)
            | (bit_cast::<3, 1>(self.rs2.val().into()) << 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_same",
            Same::default,
            2000,
            |u, rng, _| {
                // Registers 0 to 3, so that many are the same.
                u.numbers.next = (rng.bits::<15>().to_u64() & 0b00011_00011_00011).into();
                u.done.next = (rng.bits::<6>().to_u64() & 0b100011).into();
            },
            None,
        )
        .unwrap();
    }
}
