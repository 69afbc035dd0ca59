//! What is around a core that is measured.

use weft_testbench::core::{CoreOptions, Pick, Width};
use weft_testbench::timing::Latency;

/// Cycles of instruction lines and of tokens.
pub const MEMORY: u32 = 20;

/// From the issue of a control instruction to its resolve: as an addition.
pub const RESOLVE: u32 = 4;

/// Everything around the core: additions, multiplications, loads and stores (20 on average), the rest.
pub fn options(width: Width, policy: Pick, resolve: u32) -> CoreOptions {
    CoreOptions {
        width,
        policy,
        latencies: [
            Latency::Fixed(4),
            Latency::Fixed(6),
            Latency::Random(40),
            Latency::Fixed(4),
            Latency::Fixed(4),
        ],
        resolve: Latency::Fixed(resolve),
        fetch: Latency::Fixed(MEMORY),
        lockstep: false,
        ..CoreOptions::default()
    }
}
