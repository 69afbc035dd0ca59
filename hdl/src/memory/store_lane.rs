//! One lane's store: its value wherever in the word it may go, and the bytes that it writes.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `data`, `size` | in | 32, 2 | 0: bits 7 … 0 are stored, 1: 15 … 0, 2: all |
//! | `at_byte` | in | 2 | place in the word |
//! | `value`, `bytes` | out | 32, 4 | |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct StoreLane {
    pub data: Signal<In, Bits<32>>,
    pub size: Signal<In, Bits<2>>,
    pub at_byte: Signal<In, Bits<2>>,
    pub value: Signal<Out, Bits<32>>,
    pub bytes: Signal<Out, Bits<4>>,
    low: Signal<Local, Bits<32>>,
    half: Signal<Local, Bits<32>>,
    #[value(1u64.into())]
    a_byte: Constant<Bits<4>>,
    #[value(3u64.into())]
    a_half: Constant<Bits<4>>,
    #[value(15u64.into())]
    a_word: Constant<Bits<4>>,
}

#[part(StoreLane)]
fn update(&mut self) {
    self.low.next = bit_cast::<32, 8>(self.data.val().get_bits::<8>(0));
    self.half.next = bit_cast::<32, 16>(self.data.val().get_bits::<16>(0));
    self.value.next = self.data.val();
    self.bytes.next = self.a_word.val();
    if self.size.val() == 0 {
        self.value.next = (self.low.val() << 24)
            | (self.low.val() << 16)
            | (self.low.val() << 8)
            | self.low.val();
        self.bytes.next = self.a_byte.val() << self.at_byte.val();
    } else if self.size.val() == 1 {
        self.value.next = (self.half.val() << 16) | self.half.val();
        self.bytes.next = self.a_half.val() << self.at_byte.val();
    }
}
