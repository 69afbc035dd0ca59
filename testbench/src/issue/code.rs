//! Instructions without an instruction set: bits 22..0 of a word are its decoded form, the others tell addresses apart.

use weft_sim::issue::Decoded;

pub const PC_MASK: u32 = (1 << 22) - 1;
const DECODED: u32 = (1 << 23) - 1;
/// Highest legal class.
const BARRIER: u32 = 4;

/// What programs are made of; chances are out of 1024.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub control: u32,
    pub drain: u32,
    /// That a register field is used.
    pub used: u32,
    /// Numbers go up to this, exclusive: 1 to 32.
    pub registers: u32,
    /// Weights of the classes.
    pub classes: [u32; 5],
}

/// All of the instruction memory.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    pub seed: u64,
    pub style: Style,
}

/// splitmix64
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Code {
    pub fn word(&self, pc: u32) -> u32 {
        let s = &self.style;
        let (a, b) = (
            mix(self.seed ^ u64::from(pc & PC_MASK) << 17),
            mix(self.seed.rotate_left(32) ^ u64::from(pc & PC_MASK)),
        );
        let chance = |at: u32, of: u32| ((a >> at) as u32 & 1023) < of;
        let mut pick = (a >> 50) as u32 % s.classes.iter().sum::<u32>().max(1);
        let mut class = 0;
        for (number, &weight) in (0..).zip(&s.classes) {
            if pick < weight {
                class = number;
                break;
            }
            pick -= weight;
        }
        let register = |at: u32, used: u32| {
            let number = (b >> (8 * at)) as u32 & 0xff;
            // The number of a register that is not used means nothing.
            match chance(20 + 10 * at, used) {
                true => 0x20 | (number % s.registers.clamp(1, 32)),
                false => number & 0x1f,
            }
        };
        class
            | u32::from(chance(0, s.control)) << 3
            | u32::from(chance(10, s.drain)) << 4
            | register(0, s.used) << 5
            | register(1, s.used) << 11
            | register(2, s.used) << 17
            | (b >> 40) as u32 & !DECODED
    }

    pub fn line(&self, line: u32) -> [u32; 16] {
        std::array::from_fn(|n| self.word(line << 4 | n as u32))
    }
}

/// What a decoder says; an illegal word is class 0 with `control`.
pub fn decode(word: u32) -> Decoded {
    let decoded = Decoded::from_bits(word & DECODED);
    if u32::from(decoded.class) > BARRIER {
        return Decoded {
            control: true,
            ..Decoded::default()
        };
    }
    decoded
}

/// A word that decodes to this.
pub fn encode(decoded: Decoded) -> u32 {
    decoded.to_bits()
}
