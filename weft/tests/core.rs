//! The kernels on the whole core `weft_core`: 16 warps of 32 threads, single and dual issue, in lockstep; and the right results.
#![cfg(feature = "verilated")]

#[allow(dead_code)]
#[path = "../src/data.rs"]
mod data;
#[allow(dead_code)]
#[path = "../src/kernels.rs"]
mod kernels;
#[allow(dead_code)]
#[path = "../src/program.rs"]
mod program;

use kernels::{Outputs, KERNELS};
use weft_isa::Segment;
use weft_sim::Config;
use weft_testbench::core::{run_program, CoreOptions, Pick};
use weft_testbench::lockstep::Watchdog;
use weft_testbench::run::RunConfig;

fn run(dual: bool) {
    let machine = Config {
        warps: 16,
        threads: 32,
        ..Config::default()
    };
    for (kernel, policy) in KERNELS.iter().zip(Pick::ALL.into_iter().cycle()) {
        let (file, text) = kernel.source;
        let program = program::assemble(file, text).expect("a kernel");
        let data = kernel
            .inputs
            .iter()
            .map(|(symbol, file, contents)| Segment {
                address: program.symbols[*symbol],
                bytes: data::memory_bytes(file, contents).expect("data of a kernel"),
            });
        let config = RunConfig {
            machine: machine.clone(),
            data: data.collect(),
            oracle: kernel.race_free,
            watchdog: Watchdog {
                livelock: 2_000_000,
                ..Watchdog::default()
            },
            ..RunConfig::default()
        };
        let options = CoreOptions {
            dual,
            policy,
            ..CoreOptions::default()
        };
        let report = run_program(&program, &config, &options)
            .unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
        println!("{:15} {report}", kernel.name);
        let cta = &report.ctas[0];
        assert_eq!((cta.failed, cta.oracle_agrees), (false, kernel.race_free));
        let read = |symbol: &str, length: u32| {
            let at = program.symbols[symbol];
            let bytes = cta.memory.slice(at..at + length);
            bytes
                .map(<[u8]>::to_vec)
                .ok_or_else(|| format!("`{symbol}` lies outside memory"))
        };
        let outputs = Outputs {
            warps: 16,
            width: 32,
            grid: 512,
            bytes: &read,
        };
        if let Err(wrong) = (kernel.check)(&outputs) {
            panic!("{}: {wrong}", kernel.name);
        }
    }
}

#[test]
fn kernels_on_16x32_single() {
    run(false);
}

#[test]
fn kernels_on_16x32_dual() {
    run(true);
}
