//! The kernels, and how a test runs one on the whole core `weft_core`.

#[allow(dead_code)]
#[path = "../../src/data.rs"]
pub mod data;
#[allow(dead_code)]
#[path = "../../src/kernels.rs"]
pub mod kernels;
#[allow(dead_code)]
#[path = "../../src/program.rs"]
mod program;

use kernels::Kernel;
use weft_isa::Program;

pub fn assembled(kernel: &Kernel) -> Program {
    let (file, text) = kernel.source;
    program::assemble(file, text).expect("a kernel")
}

/// The kernel with this source in place of its own.
#[allow(dead_code)]
pub fn assembled_as(kernel: &Kernel, text: &str) -> Program {
    program::assemble(kernel.source.0, text).expect("a kernel")
}

/// In lockstep, 16 warps of 32 threads; the right result.
pub fn run_on_the_core(
    kernel: &Kernel,
    program: &Program,
    cache: Option<weft_sim::CacheShape>,
    (width, policy): (weft_testbench::core::Width, weft_testbench::core::Pick),
) -> weft_testbench::core::CoreReport {
    use weft_testbench::core::{run_program, CoreOptions};
    use weft_testbench::lockstep::Watchdog;
    use weft_testbench::run_config::RunConfig;

    let data = kernel.inputs.iter();
    let data = data.map(|(symbol, file, contents)| weft_isa::Segment {
        address: program.symbols[*symbol],
        bytes: data::memory_bytes(file, contents).expect("data of a kernel"),
    });
    let config = RunConfig {
        machine: weft_sim::Config {
            warps: 16,
            threads: 32,
            cache,
            ..weft_sim::Config::default()
        },
        data: data.collect(),
        oracle: kernel.race_free,
        watchdog: Watchdog {
            livelock: 2_000_000,
            ..Watchdog::default()
        },
        ..RunConfig::default()
    };
    let options = CoreOptions {
        policy,
        width,
        ..CoreOptions::default()
    };
    let report = run_program(program, &config, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
    println!("{:15} {report}", kernel.name);
    let cta = &report.ctas[0];
    assert_eq!(
        (cta.failed, cta.oracle_agrees),
        (false, kernel.race_free.then_some(true))
    );
    if let Err(wrong) = kernel.check_memory(program, &config.machine, &cta.memory) {
        panic!("{}: {wrong}", kernel.name);
    }
    report
}
