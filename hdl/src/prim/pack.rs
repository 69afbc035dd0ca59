//! Words side by side: word i is in bits 32 i + 31 … 32 i.
//!
//! # Parameters
//! `L` words, `LW` = 32 L.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `words` | in | L of 32 | |
//! | `row` | out | LW | all of them; combinational |
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[cell(requires(LW == 32 * L, L >= 1))]
pub struct Pack<const L: usize, const LW: usize> {
    #[many(L)]
    pub words: Vec<Signal<In, Bits<32>>>,
    pub row: Signal<Out, Bits<LW>>,
}

impl<const L: usize, const LW: usize> Logic for Pack<L, LW> {
    fn update(&mut self) {
        let mut row = Bits::<LW>::default();
        for (i, word) in self.words.iter().enumerate() {
            let word = word.val().to_u64();
            for bit in 0..32 {
                row = row.replace_bit(32 * i + bit, word >> bit & 1 == 1);
            }
        }
        self.row.next = row;
    }
    fn connect(&mut self) {
        self.row.connect();
    }
    fn hdl(&self) -> Verilog {
        let words: Vec<String> = (0..L).rev().map(|i| format!("words${i}")).collect();
        Verilog::Custom(format!("always @(*) row = {{{}}};\n", words.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "pack",
            Pack::<4, 128>::default,
            200,
            |u, rng, _| {
                for word in &mut u.words {
                    word.next = rng.bits();
                }
            },
            None,
        )
        .unwrap();
    }
}
