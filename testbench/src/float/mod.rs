//! `weft_float` beside the golden model's arithmetic (docs/spec/float.md): every word it gives, and when.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`code`] | the codes of the passes; the judge: what `weft_sim` computes for one |
//! | [`operands`] | words: edges, and random ones that come near what is hard |
//! | [`device`] | the exported Verilog under Verilator |
//! | [`cover`] | what random passes have met |
//! | [`cosim`] | random programs of passes, by seed and number |
//! | [`words`] | every word as the operand of instructions with one, by gates |
//! | [`bench`] | who sends passes as the datapath does, takes rows as a write port does, and compares |

pub mod bench;
pub mod code;
pub mod cosim;
pub mod cover;
pub mod device;
pub mod operands;
pub mod words;

/// A pass: what one instruction computes for the lanes of one part.
#[derive(Clone, Debug)]
pub struct Pass {
    pub code: u8,
    pub rounding: u8,
    pub warp: u64,
    pub part: u64,
    /// Bit 5: there is a destination.
    pub rd: u64,
    pub last: bool,
    pub mask: u64,
    /// Operands by lane: a, b, c.
    pub rows: [Vec<u32>; 3],
}
