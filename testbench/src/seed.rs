//! All randomness grows from one printed seed; every agent draws from a stream of its own, so that a new draw in one
//! does not shift the others.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

pub type Rng = ChaCha8Rng;

/// The stream of one agent ("program", "latency" …) for the run with this seed.
pub fn stream(seed: u64, agent: &str) -> Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(fnv(agent));
    rng
}

/// FNV-1a.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn streams_of_one_seed_are_reproducible_and_differ() {
        let draw = |seed, agent| stream(seed, agent).gen::<u64>();
        assert_eq!(draw(1, "latency"), draw(1, "latency"));
        assert_ne!(draw(1, "latency"), draw(1, "program"));
        assert_ne!(draw(1, "latency"), draw(2, "latency"));
    }
}
