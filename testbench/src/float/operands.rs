//! Words for operands: edges, and random ones.

use crate::seed::Rng;
use rand::seq::SliceRandom;
use rand::Rng as _;

const SIGN: u32 = 1 << 31;

/// Zeros, limits of subnormal and normal numbers, numbers around 1 and around the limits of integers, infinities, what
/// is no number: both signs of each.
pub fn edges() -> Vec<u32> {
    let mut sizes = vec![
        0x0000_0000, // zero
        0x0000_0001, // least subnormal numbers
        0x0000_0002,
        0x0000_0003,
        0x0040_0000, // in the middle of them
        0x007f_fffe, // the largest ones
        0x007f_ffff,
        0x0080_0000, // least normal numbers
        0x0080_0001,
        0x00ff_ffff,
        0x0100_0000,
        0x0b80_0000, // 2^-104
        0x1a00_0000, // 2^-75: its square is about the least subnormal number
        0x1f80_0000, // 2^-64
        0x2000_0000,
        0x3380_0000, // 2^-24, and its neighbours
        0x3380_0001,
        0x337f_ffff,
        0x3e80_0000, // 1/4, 1/2 and neighbours
        0x3eff_ffff,
        0x3f00_0000,
        0x3f00_0001,
        0x3f7f_fffe, // 1 and neighbours
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3f80_0002,
        0x3fc0_0000, // 1 1/2
        0x3fff_ffff,
        0x4000_0000, // 2, 2 1/2, 3, 3 1/2
        0x4020_0000,
        0x4040_0000,
        0x4060_0000,
        0x40ab_cdef,
        0x4a80_0000, // 2^22, 2^23, 2^24 and neighbours
        0x4aff_ffff,
        0x4b00_0000,
        0x4b00_0001,
        0x4b7f_ffff,
        0x4b80_0000,
        0x4eff_ffff, // 2^31 and 2^32, and below
        0x4f00_0000,
        0x4f00_0001,
        0x4f7f_ffff,
        0x4f80_0000,
        0x5f00_0000, // 2^63
        0x7e80_0000, // near the largest
        0x7f00_0000,
        0x7f7f_fffe,
        0x7f7f_ffff,
        0x7f80_0000, // infinite
        0x7f80_0001, // none: signaling
        0x7fbf_ffff,
        0x7fc0_0000, // quiet
        0x7fff_ffff,
    ];
    sizes.sort_unstable();
    sizes.dedup();
    let both = sizes.iter().flat_map(|size| [*size, size | SIGN]);
    both.collect()
}

/// A number of any exponent, subnormal ones as often as others of theirs; often with few bits.
pub fn any(rng: &mut Rng) -> u32 {
    let word: u32 = rng.gen();
    match rng.gen_range(0..8) {
        0 => word & 0xff80_0000,
        1 => word & 0xff80_0000 | 1 << rng.gen_range(0..23),
        2 => word | 0x007f_ffff,
        3 => word & 0x807f_ffff >> rng.gen_range(0..23) | word & SIGN,
        4 => word & 0xff80_0000 | 0x007f_ffff & !(1 << rng.gen_range(0..23)),
        _ => word,
    }
}

fn with_exponent(word: u32, exponent: i32) -> u32 {
    word & 0x807f_ffff | (exponent.clamp(0, 254) as u32) << 23
}

fn exponent(word: u32) -> i32 {
    (word >> 23 & 255) as i32
}

/// Three operands that come near what is hard: a sum that cancels, a tie, a subnormal result, an overflow, a far addend.
pub fn aimed(rng: &mut Rng, edges: &[u32]) -> [u32; 3] {
    let (mut a, mut b, mut c) = (any(rng), any(rng), any(rng));
    match rng.gen_range(0..9) {
        // The addend cancels the product, all of it or nearly.
        0 | 1 => {
            let exponents = exponent(a) - exponent(a).clamp(64, 190);
            a = with_exponent(a, exponent(a) - exponents);
            b = with_exponent(b, rng.gen_range(64..190));
            let product = f32::from_bits(a) * f32::from_bits(b);
            c = (product.to_bits() ^ SIGN)
                .wrapping_add(rng.gen_range(0..7))
                .wrapping_sub(3);
        }
        // A sum of two: near each other, or a few places apart.
        2 => {
            b = with_exponent(b, exponent(a) + rng.gen_range(-27..=27));
            c = b;
        }
        // Mantissas with few bits: ties.
        3 => {
            let few = |word: u32, n: u32| word & !(0x007f_ffff >> n);
            a = few(a, rng.gen_range(0..14));
            b = few(b, rng.gen_range(0..14));
            let apart = rng.gen_range(-26..=26);
            c = with_exponent(
                few(c, rng.gen_range(0..3)),
                exponent(a) + exponent(b) - 127 + apart,
            );
        }
        // Subnormal results of products.
        4 => {
            let sum = rng.gen_range(100..=132);
            let own = rng.gen_range(1..sum);
            a = with_exponent(a, own);
            b = with_exponent(b, sum - own);
            if rng.gen() {
                c &= 0x81ff_ffff;
            }
        }
        // Overflow.
        5 => {
            a = with_exponent(a, rng.gen_range(125..=254));
            b = with_exponent(b, 381 - exponent(a) + rng.gen_range(-2..=1));
            c = with_exponent(c, rng.gen_range(225..=254));
        }
        // An addend far above or below.
        6 => {
            a = with_exponent(a, rng.gen_range(60..200));
            b = with_exponent(b, rng.gen_range(60..200));
            let apart = *[
                -80, -52, -50, -49, -48, -26, -25, -24, 23, 24, 25, 26, 27, 28, 50, 78,
            ]
            .choose(rng)
            .expect("some");
            c = with_exponent(
                c,
                exponent(a) + exponent(b) - 127 + apart + rng.gen_range(-1..=1),
            );
        }
        7 => {
            let mut edge = || *edges.choose(rng).expect("some");
            (a, b) = (edge(), edge());
            let third = edge();
            if rng.gen() {
                c = third;
            }
        }
        _ => {}
    }
    [a, b, c]
}

/// One operand of what reads only one: all integers as often as numbers near integers, and anything.
pub fn alone(rng: &mut Rng) -> u32 {
    match rng.gen_range(0..4) {
        0 => rng.gen::<u32>() >> rng.gen_range(0..32),
        1 => with_exponent(any(rng), rng.gen_range(122..162)),
        2 => (rng.gen::<i32>() >> rng.gen_range(0..32)) as u32,
        _ => any(rng),
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::due;
    use super::*;
    use crate::seed::stream;

    #[test]
    fn aimed_operands_come_near_what_is_hard() {
        let (edges, mut rng) = (edges(), stream(1, "aimed"));
        let (mut subnormal, mut over, mut cancelled, mut tied, mut directed) = (0, 0, 0, 0, 0);
        for _ in 0..100_000 {
            let operands = aimed(&mut rng, &edges);
            let numbers = operands.map(f32::from_bits);
            if !numbers.iter().all(|number| number.is_normal()) {
                continue;
            }
            let [even, down, up, away] = [0, 2, 3, 4].map(|mode| due(0, mode, operands));
            let result = f32::from_bits(even);
            subnormal += u32::from(result.is_subnormal());
            over += u32::from(result.is_infinite());
            cancelled += u32::from(result == 0.0 && down == SIGN);
            tied += u32::from(even != away);
            directed += u32::from(down != up);
        }
        println!("{subnormal} subnormal, {over} over, {cancelled} cancelled, {tied} tied, {directed} inexact");
        assert!(
            subnormal > 1_000 && over > 1_000 && cancelled > 200 && tied > 100 && directed > 20_000
        );
    }
}
