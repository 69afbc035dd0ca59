//! Differential test: a block in the built-in simulator against its own exported Verilog in Verilator.
//!
//! The block is driven in Rust first; inputs and outputs are recorded after every settling. The Verilog is then
//! compiled with a small C++ driver that replays the inputs and compares every output.

use crate::bench::{settle, ClockFn};
use crate::export::{export, Verilog};
use crate::ports::ports;
use crate::replay::replay;
use crate::Rng;
use rust_hdl_core::prelude::Block;
use std::fmt::Write as _;

/// Set-up of a differential test.
pub struct Cosim<B> {
    name: String,
    steps: usize,
    seed: u64,
    clock: Option<ClockFn<B>>,
    random_power_up: bool,
}

impl<B: Block> Cosim<B> {
    /// `steps` stimuli; the seed comes from the environment variable `SEED`, else 1.
    pub fn new(name: &str, steps: usize) -> Self {
        let seed = std::env::var("SEED")
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(1);
        Self {
            name: name.into(),
            steps,
            seed,
            clock: None,
            random_power_up: true,
        }
    }

    /// Each step also has both clock edges.
    pub fn clock(mut self, clock: Option<ClockFn<B>>) -> Self {
        self.clock = clock;
        self
    }

    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Registers and memories without an initial value start at random (the default), else at zero.
    pub fn random_power_up(mut self, on: bool) -> Self {
        self.random_power_up = on;
        self
    }

    /// Export `block` and compare. `Err` describes the first differences.
    pub fn run(
        &self,
        mut block: B,
        drive: impl FnMut(&mut B, &mut Rng, usize),
    ) -> Result<(), String> {
        block.connect_all();
        let verilog = export(&block, &self.name).map_err(|e| e.to_string())?;
        self.run_against(block, &verilog, drive)
    }

    /// Compare `block` with any Verilog that has the same ports.
    pub fn run_against(
        &self,
        mut block: B,
        verilog: &Verilog,
        mut drive: impl FnMut(&mut B, &mut Rng, usize),
    ) -> Result<(), String> {
        block.connect_all();
        let mut rng = Rng::new(self.seed, "stimulus");
        let mut vectors = vec![];
        let mut record = |b: &B| {
            for p in ports(b) {
                vectors.extend(p.value.iter().flat_map(|w| w.to_le_bytes()));
            }
        };
        for step in 0..self.steps {
            drive(&mut block, &mut rng, step);
            settle(&mut block);
            record(&block);
            if let Some(clock) = self.clock {
                for level in [true, false] {
                    clock(&mut block, level);
                    settle(&mut block);
                    record(&block);
                }
            }
        }
        let report = replay(
            verilog,
            &ports(&block),
            &vectors,
            self.random_power_up.then_some(self.seed),
        )?;
        if report.is_empty() {
            return Ok(());
        }
        let phases: &[&str] = if self.clock.is_some() {
            &["inputs", "rise", "fall"]
        } else {
            &["inputs"]
        };
        let mut text = String::new();
        for line in report {
            match line.split_once(' ') {
                Some((event, rest)) if event.parse::<usize>().is_ok() => {
                    let event: usize = event.parse().unwrap_or_default();
                    writeln!(
                        text,
                        "step {} ({}): {rest}",
                        event / phases.len(),
                        phases[event % phases.len()]
                    )
                }
                _ => writeln!(text, "{line}"),
            }
            .expect("write to string");
        }
        Err(format!(
            "{}, seed {}: Rust and Verilog differ\n{text}{}",
            self.name,
            self.seed,
            replay_line(self.seed)
        ))
    }
}

fn replay_line(seed: u64) -> String {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "<package>".into());
    let thread = std::thread::current();
    format!(
        "  replay: SEED={seed} cargo test -p {package} {}",
        thread.name().unwrap_or("<test>")
    )
}
