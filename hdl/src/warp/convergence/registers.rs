//! Configuration registers of one warp: what they read as, and, a stage before that, which of them is written.
//! Combinational.
//!
//! Spec: `docs/spec/spill.md`, *Configuration port*.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `number` | in | which register |
//! | `head` .. `random` | in | state of the warp; `lead` is the number of the first token in memory, `depth` that behind the last token |
//! | `result` | out | value of the register |
//! | `access`, `writing` | in | of `Writes`: an access is carried out; it writes |
//! | `sets_head`, `sets_yields`, `sets_transfers`, `sets_random`, `resumes` | out | ... what is written |
//!
//! # Errors
//! None; a register that does not exist reads as 0 and takes no write.

use crate::hdl::*;
use crate::ports::register;

#[cell]
pub struct Registers {
    pub number: Signal<In, Bits<4>>,
    pub head: Signal<In, Bits<10>>,
    pub depth: Signal<In, Bits<10>>,
    pub lead: Signal<In, Bits<10>>,
    pub stored: Signal<In, Bits<10>>,
    pub base: Signal<In, Bits<32>>,
    pub size: Signal<In, Bits<10>>,
    pub yields: Signal<In, Bits<16>>,
    pub backward: Signal<In, Bits<16>>,
    pub random: Signal<In, Bits<16>>,
    pub result: Signal<Out, Bits<32>>,
    // Combinational.
    beyond: Signal<Local, Bits<10>>,
    position: Signal<Local, Bits<10>>,
    of_window: Signal<Local, Bits<10>>,
    of_warp: Signal<Local, Bits<32>>,
    // Constants.
    #[value(0.into())]
    nothing: Constant<Bits<32>>,
    #[value(u64::from(register::RANDOM).into())]
    at_random: Constant<Bits<4>>,
}

impl Logic for Registers {
    #[hdl_gen]
    fn update(&mut self) {
        // TAIL or LOW.
        self.beyond.next = self.depth.val();
        if self.number.val().get_bit(1) {
            self.beyond.next = self.lead.val();
        }
        self.position.next = self.head.val() + self.beyond.val();
        // Chosen by the bits of the number: the window's registers are 0 to 3, the others from 4 on.
        self.of_window.next = self.head.val();
        self.of_warp.next = self.base.val();
        if self.number.val().get_bit(0) {
            self.of_window.next = self.position.val();
            self.of_warp.next = bit_cast::<32, 10>(self.size.val());
        }
        if self.number.val().get_bit(1) {
            self.of_window.next = self.position.val();
            self.of_warp.next = bit_cast::<32, 16>(self.yields.val());
            if self.number.val().get_bit(0) {
                self.of_window.next = self.stored.val();
                self.of_warp.next = bit_cast::<32, 16>(self.backward.val());
            }
        }
        self.result.next = bit_cast::<32, 10>(self.of_window.val());
        if self.number.val().get_bit(2) {
            self.result.next = self.of_warp.val();
        }
        if self.number.val().get_bit(3) {
            self.result.next = self.nothing.val();
            if self.number.val() == self.at_random.val() {
                self.result.next = bit_cast::<32, 16>(self.random.val());
            }
        }
    }
}

/// Which register an access writes. Combinational.
#[cell(given(let at = |register: u8| Constant::new(u64::from(register).into());))]
pub struct Writes {
    pub accessed: Signal<In, Bit>,
    pub writing: Signal<In, Bit>,
    pub number: Signal<In, Bits<4>>,
    pub sets_head: Signal<Out, Bit>,
    pub sets_yields: Signal<Out, Bit>,
    pub sets_transfers: Signal<Out, Bit>,
    pub sets_random: Signal<Out, Bit>,
    pub resumes: Signal<Out, Bit>,
    #[init(at(register::HEAD))]
    at_head: Constant<Bits<4>>,
    #[init(at(register::YIELDS))]
    at_yields: Constant<Bits<4>>,
    #[init(at(register::TRANSFERS))]
    at_transfers: Constant<Bits<4>>,
    #[init(at(register::RANDOM))]
    at_random: Constant<Bits<4>>,
    #[init(at(register::RESUME))]
    at_resume: Constant<Bits<4>>,
}

impl Logic for Writes {
    #[hdl_gen]
    fn update(&mut self) {
        self.sets_head.next =
            self.accessed.val() & self.writing.val() & (self.number.val() == self.at_head.val());
        self.sets_yields.next =
            self.accessed.val() & self.writing.val() & (self.number.val() == self.at_yields.val());
        self.sets_transfers.next = self.accessed.val()
            & self.writing.val()
            & (self.number.val() == self.at_transfers.val());
        self.sets_random.next =
            self.accessed.val() & self.writing.val() & (self.number.val() == self.at_random.val());
        self.resumes.next =
            self.accessed.val() & self.writing.val() & (self.number.val() == self.at_resume.val());
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
                u.number.next = rng.bits();
                u.head.next = rng.bits();
                u.depth.next = rng.bits();
                u.lead.next = rng.bits();
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

    #[test]
    fn verilog_of_writes_agrees() {
        weft_rtl::check_module(
            "writes",
            Writes::default,
            1000,
            |u, rng, _| {
                u.accessed.next = rng.flip();
                u.writing.next = rng.flip();
                u.number.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn every_register_has_its_number() {
        let mut u = Registers::default();
        u.connect_all();
        u.head.next = 100.into();
        u.depth.next = 1.into();
        u.lead.next = 2.into();
        u.stored.next = 103.into();
        u.base.next = 0x1000_0004u64.into();
        u.size.next = 105.into();
        u.yields.next = 0x1006.into();
        u.backward.next = 0x1007.into();
        u.random.next = 0x1008.into();
        let expected = [
            (register::HEAD, 100),
            (register::TAIL, 101),
            (register::LOW, 102),
            (register::STORED, 103),
            (register::BASE, 0x1000_0004),
            (register::SIZE, 105),
            (register::YIELDS, 0x1006),
            (register::TRANSFERS, 0x1007),
            (register::RANDOM, 0x1008),
        ];
        for number in 0..16 {
            u.number.next = u64::from(number).into();
            weft_rtl::settle(&mut u);
            let value = expected.iter().find(|(register, _)| *register == number);
            let value = value.map_or(0, |(_, value)| *value);
            assert_eq!(u.result.val().to_u64(), value, "register {number}");
        }
    }
}
