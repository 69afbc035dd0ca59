//! First word of a command: what it is, and what is wrong with it.
//!
//! Spec: `docs/spec/host.md`, *Commands*, HOST-030.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `word` | in | 32 | the first word |
//! | `left` | in | 16 | words of the block from there |
//! | `size` | out | 2 | words of the command |
//! | `launch`, `wait_idle`, `acquire`, `releases`, `membar`, `interrupts` | out | 1 | which one; none: NOP |
//! | `flag_0`, `flag_1` | out | 1 | its flags |
//! | `wrong`, `code` | out | 1, 8 | it must not be executed, and the error |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! COMMAND_UNKNOWN, COMMAND_SIZE, COMMAND_FLAGS, in this order.

use super::code;
use crate::hdl::*;

#[module]
pub struct Command {
    pub word: Signal<In, Bits<32>>,
    pub left: Signal<In, Bits<16>>,
    pub size: Signal<Out, Bits<2>>,
    pub launch: Signal<Out, Bit>,
    pub wait_idle: Signal<Out, Bit>,
    pub acquire: Signal<Out, Bit>,
    pub releases: Signal<Out, Bit>,
    pub membar: Signal<Out, Bit>,
    pub interrupts: Signal<Out, Bit>,
    pub flag_0: Signal<Out, Bit>,
    pub flag_1: Signal<Out, Bit>,
    pub wrong: Signal<Out, Bit>,
    pub code: Signal<Out, Bits<8>>,
    kind: Signal<Local, Bits<8>>,
    flags: Signal<Local, Bits<8>>,
    says: Signal<Local, Bits<8>>,
    words: Signal<Local, Bits<2>>,
    allowed: Signal<Local, Bits<8>>,
    stray: Signal<Local, Bits<8>>,
    #[value(code::COMMAND_UNKNOWN.into())]
    k_unknown: Constant<Bits<8>>,
    #[value(code::COMMAND_SIZE.into())]
    k_size: Constant<Bits<8>>,
    #[value(code::COMMAND_FLAGS.into())]
    k_flags: Constant<Bits<8>>,
}

#[part(Command)]
fn update(&mut self) {
    self.kind.next = self.word.val().get_bits::<8>(0);
    self.flags.next = self.word.val().get_bits::<8>(8);
    self.says.next = self.word.val().get_bits::<8>(16);
    self.launch.next = self.kind.val() == 1;
    self.wait_idle.next = self.kind.val() == 2;
    self.acquire.next = self.kind.val() == 3;
    self.releases.next = self.kind.val() == 4;
    self.membar.next = self.kind.val() == 5;
    self.interrupts.next = self.kind.val() == 6;
    self.flag_0.next = self.flags.val().get_bit(0);
    self.flag_1.next = self.flags.val().get_bit(1);
    self.words.next = 1.into();
    self.allowed.next = 0.into();
    if self.kind.val() == 1 {
        self.words.next = 2.into();
    }
    if self.kind.val() == 3 {
        self.words.next = 3.into();
        self.allowed.next = 1.into();
    }
    if self.kind.val() == 4 {
        self.words.next = 3.into();
        self.allowed.next = 3.into();
    }
    if self.kind.val() == 5 {
        self.allowed.next = 3.into();
    }
    self.size.next = self.words.val();
    self.stray.next = self.flags.val() & !self.allowed.val();
    self.wrong.next = true;
    self.code.next = self.k_unknown.val();
    if !self.word.val().get_bits::<8>(24).any() & (self.kind.val() < 7) {
        self.code.next = self.k_size.val();
        if (self.says.val() == bit_cast::<8, 2>(self.words.val()))
            & (bit_cast::<16, 2>(self.words.val()) <= self.left.val())
        {
            self.code.next = self.k_flags.val();
            self.wrong.next = self.stray.val().any();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "command",
            Command::default,
            3000,
            |u, rng, _| {
                let size = [1, 2, 3, 1 + rng.below(4)][rng.below(4) as usize];
                let flags = [0, rng.below(4), rng.below(256)][rng.below(3) as usize];
                let high = u64::from(rng.chance(1, 20)) << rng.below(8);
                u.word.next = (rng.below(9) | flags << 8 | size << 16 | high << 24).into();
                u.left.next = [1, 2, 3, rng.below(65_536)][rng.below(4) as usize].into();
            },
            None,
        )
        .unwrap();
    }

    /// The table of the page: size and flags of each code.
    #[test]
    fn every_first_word_of_small_fields() {
        const TABLE: [(u64, u64); 7] = [(1, 0), (2, 0), (1, 0), (3, 1), (3, 3), (1, 3), (1, 0)];
        let mut u = Command::default();
        u.connect_all();
        for word in 0..8u64 * 8 * 4 * 2 * 4 {
            let (kind, flags, size) = (word & 7, word >> 3 & 7, word >> 6 & 3);
            let (high, left) = (word >> 8 & 1, word >> 9 & 3);
            u.word.next = (kind | flags << 8 | size << 16 | high << 27).into();
            u.left.next = left.into();
            weft_rtl::settle(&mut u);
            let expected = match TABLE.get(kind as usize) {
                Some(_) if high == 1 => code::COMMAND_UNKNOWN,
                None => code::COMMAND_UNKNOWN,
                Some(&(words, _)) if size != words || words > left => code::COMMAND_SIZE,
                Some(&(_, allowed)) if flags & !allowed != 0 => code::COMMAND_FLAGS,
                Some(_) => 0,
            };
            assert_eq!(u.wrong.val(), expected != 0, "{word:#x}");
            if expected != 0 {
                assert_eq!(u.code.val().to_u64(), expected, "{word:#x}");
            } else {
                assert_eq!(u.size.val().to_u64(), size);
            }
        }
    }
}
