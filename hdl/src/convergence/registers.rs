//! Configuration registers of one warp. Combinational.
//!
//! Spec: `docs/spec/spill.md`, *Configuration port*.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `access`, `writes`, `number` | in | an access is carried out; it writes; which register |
//! | `head` .. `random` | in | state of the warp; `low` is the position of the first token in memory |
//! | `result` | out | value of the register |
//! | `sets_head`, `sets_yields`, `sets_transfers`, `sets_random`, `resumes` | out | what is written |
//!
//! # Errors
//! None; a register that does not exist reads as 0 and takes no write.

use crate::hdl::*;
use crate::ports::register;

#[derive(LogicBlock)]
pub struct Registers {
    pub access: Signal<In, Bit>,
    pub writes: Signal<In, Bit>,
    pub number: Signal<In, Bits<4>>,
    pub head: Signal<In, Bits<10>>,
    pub tail: Signal<In, Bits<10>>,
    pub fore: Signal<In, Bits<10>>,
    pub stored: Signal<In, Bits<10>>,
    pub base: Signal<In, Bits<32>>,
    pub size: Signal<In, Bits<10>>,
    pub yields: Signal<In, Bits<16>>,
    pub backward: Signal<In, Bits<16>>,
    pub random: Signal<In, Bits<16>>,
    pub result: Signal<Out, Bits<32>>,
    pub sets_head: Signal<Out, Bit>,
    pub sets_yields: Signal<Out, Bit>,
    pub sets_transfers: Signal<Out, Bit>,
    pub sets_random: Signal<Out, Bit>,
    pub resumes: Signal<Out, Bit>,
    // Combinational.
    low: Signal<Local, Bits<10>>,
    // Constants.
    nothing: Constant<Bits<32>>,
    one_position: Constant<Bits<10>>,
    at_head: Constant<Bits<4>>,
    at_tail: Constant<Bits<4>>,
    at_low: Constant<Bits<4>>,
    at_stored: Constant<Bits<4>>,
    at_base: Constant<Bits<4>>,
    at_size: Constant<Bits<4>>,
    at_yields: Constant<Bits<4>>,
    at_transfers: Constant<Bits<4>>,
    at_random: Constant<Bits<4>>,
    at_resume: Constant<Bits<4>>,
}

impl Default for Registers {
    fn default() -> Self {
        let at = |register: u8| Constant::new(u64::from(register).into());
        block!({
            access, writes, number, head, tail, fore, stored, base, size, yields, backward,
            random, result, sets_head, sets_yields, sets_transfers, sets_random, resumes,
            low,
        } {
            nothing: Constant::new(0.into()),
            one_position: Constant::new(1.into()),
            at_head: at(register::HEAD),
            at_tail: at(register::TAIL),
            at_low: at(register::LOW),
            at_stored: at(register::STORED),
            at_base: at(register::BASE),
            at_size: at(register::SIZE),
            at_yields: at(register::YIELDS),
            at_transfers: at(register::TRANSFERS),
            at_random: at(register::RANDOM),
            at_resume: at(register::RESUME),
        })
    }
}

impl Logic for Registers {
    #[hdl_gen]
    fn update(&mut self) {
        self.low.next = self.head.val() + self.fore.val() + self.one_position.val();
        self.result.next = self.nothing.val();
        if self.number.val() == self.at_head.val() {
            self.result.next = bit_cast::<32, 10>(self.head.val());
        }
        if self.number.val() == self.at_tail.val() {
            self.result.next = bit_cast::<32, 10>(self.tail.val());
        }
        if self.number.val() == self.at_low.val() {
            self.result.next = bit_cast::<32, 10>(self.low.val());
        }
        if self.number.val() == self.at_stored.val() {
            self.result.next = bit_cast::<32, 10>(self.stored.val());
        }
        if self.number.val() == self.at_base.val() {
            self.result.next = self.base.val();
        }
        if self.number.val() == self.at_size.val() {
            self.result.next = bit_cast::<32, 10>(self.size.val());
        }
        if self.number.val() == self.at_yields.val() {
            self.result.next = bit_cast::<32, 16>(self.yields.val());
        }
        if self.number.val() == self.at_transfers.val() {
            self.result.next = bit_cast::<32, 16>(self.backward.val());
        }
        if self.number.val() == self.at_random.val() {
            self.result.next = bit_cast::<32, 16>(self.random.val());
        }
        self.sets_head.next =
            self.access.val() & self.writes.val() & (self.number.val() == self.at_head.val());
        self.sets_yields.next =
            self.access.val() & self.writes.val() & (self.number.val() == self.at_yields.val());
        self.sets_transfers.next =
            self.access.val() & self.writes.val() & (self.number.val() == self.at_transfers.val());
        self.sets_random.next =
            self.access.val() & self.writes.val() & (self.number.val() == self.at_random.val());
        self.resumes.next =
            self.access.val() & self.writes.val() & (self.number.val() == self.at_resume.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "registers",
            Registers::default,
            2000,
            |u, rng, _| {
                u.access.next = rng.flip();
                u.writes.next = rng.flip();
                u.number.next = rng.bits();
                u.head.next = rng.bits();
                u.tail.next = rng.bits();
                u.fore.next = rng.bits();
                u.stored.next = rng.bits();
                u.base.next = rng.bits();
                u.size.next = rng.bits();
                u.yields.next = rng.bits();
                u.backward.next = rng.bits();
                u.random.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }
}
