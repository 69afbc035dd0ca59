//! Synthesizable warp-control modules.

pub mod ports;

/// A size of the control plane that can be generated and simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    pub warps: usize,
    pub threads: usize,
}

impl Config {
    /// Named configurations.
    pub const NAMED: [(&'static str, Config); 4] = [
        ("tiny", Config { warps: 4, threads: 4 }),
        ("small", Config { warps: 8, threads: 8 }),
        ("default", Config { warps: 16, threads: 32 }),
        ("max", Config { warps: 32, threads: 32 }),
    ];
}
