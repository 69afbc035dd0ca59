//! One lane's load: the value of a word of memory.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `word` | in | 32 | as it stands in memory |
//! | `size`, `at_byte`, `is_signed` | in | 2, 2, 1 | 0 byte, 1 half, 2 word; where in the word; extended by its sign |
//! | `value` | out | 32 | |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct LoadLane {
    pub word: Signal<In, Bits<32>>,
    pub size: Signal<In, Bits<2>>,
    pub at_byte: Signal<In, Bits<2>>,
    pub is_signed: Signal<In, Bit>,
    pub value: Signal<Out, Bits<32>>,
    half: Signal<Local, Bits<16>>,
    low: Signal<Local, Bits<8>>,
    #[value(0xFFFF_FF00u64.into())]
    upper_byte: Constant<Bits<32>>,
    #[value(0xFFFF_0000u64.into())]
    upper_half: Constant<Bits<32>>,
}

#[part(LoadLane)]
fn update(&mut self) {
    self.half.next = self.word.val().get_bits::<16>(0);
    if self.at_byte.val().get_bit(1) {
        self.half.next = self.word.val().get_bits::<16>(16);
    }
    self.low.next = self.half.val().get_bits::<8>(0);
    if self.at_byte.val().get_bit(0) {
        self.low.next = self.half.val().get_bits::<8>(8);
    }
    self.value.next = self.word.val();
    if self.size.val() == 0 {
        self.value.next = bit_cast::<32, 8>(self.low.val());
        if self.is_signed.val() & self.low.val().get_bit(7) {
            self.value.next = bit_cast::<32, 8>(self.low.val()) | self.upper_byte.val();
        }
    } else if self.size.val() == 1 {
        self.value.next = bit_cast::<32, 16>(self.half.val());
        if self.is_signed.val() & self.half.val().get_bit(15) {
            self.value.next = bit_cast::<32, 16>(self.half.val()) | self.upper_half.val();
        }
    }
}
