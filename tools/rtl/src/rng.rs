//! The one source of randomness of the block tests.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl_core::prelude::{Bit, Bits};

/// Seeded stimulus generator; the sequence is the same on every platform and library version.
///
/// It also implements [`rand::RngCore`], so `rand::Rng`'s methods work on it.
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// Independent streams of one seed: a new draw in one does not shift the others.
    pub fn new(seed: u64, stream: &str) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // FNV-1a of the name.
        let id = stream.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        rng.set_stream(id);
        Self(rng)
    }

    /// 64 random bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n` (`n` > 0).
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "Rng::below(0)");
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// True in `num` of `den` cases.
    pub fn chance(&mut self, num: u64, den: u64) -> Bit {
        self.below(den) < num
    }

    /// A fair coin.
    pub fn flip(&mut self) -> Bit {
        self.next() & 1 == 1
    }

    /// `N` random bits, any `N`.
    pub fn bits<const N: usize>(&mut self) -> Bits<N> {
        let mut x = Bits::<N>::default();
        let mut word = 0;
        for i in 0..N {
            if i % 64 == 0 {
                word = self.next();
            }
            if word >> (i % 64) & 1 == 1 {
                x = x.replace_bit(i, true);
            }
        }
        x
    }
}

impl RngCore for Rng {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
    fn fill_bytes(&mut self, dest: &mut [u8]) {
        self.0.fill_bytes(dest)
    }
    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), rand::Error> {
        self.0.try_fill_bytes(dest)
    }
}
