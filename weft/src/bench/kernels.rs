//! Every kernel with every token window, every YIELD fired, on the hardware alone.

use super::report::{KernelCost, KernelRun, Kernels};
use crate::{demo, kernels};
use anyhow::{Context, Result};
use weft_generate::Config;
use weft_testbench::dut::RtlKind;
use weft_testbench::memory::MemoryTiming;
use weft_testbench::run::{run_program, Engine};
use weft_testbench::run_config::RunConfig;

/// Cycles that the token memory takes for an answer.
const MEMORY: u32 = 20;

/// Sizes that differ in their window only.
pub const WINDOWS: [Config; 5] = [
    Config::new(16, 32, 2, 2),
    Config::new(16, 32, 4, 2),
    Config::new(16, 32, 8, 2),
    Config::new(16, 32, 16, 2),
    Config::new(16, 32, 64, 2),
];

pub fn measure(kind: RtlKind) -> Result<Kernels> {
    let sizes = WINDOWS;
    let (warps, threads) = (sizes[0].warps, sizes[0].threads);
    println!("kernels, {warps} warps x {threads} threads, {MEMORY} cycles of token memory: cycles, and how many more than with the largest window");
    print!("{:<16}", "");
    for size in &sizes {
        print!("{:>18}", format!("K = {}", size.front));
    }
    println!();
    let mut rows = Vec::new();
    for kernel in kernels::KERNELS {
        let program = demo::build(kernel)?;
        let mut cost = KernelCost {
            kernel: kernel.name.into(),
            runs: Vec::new(),
        };
        for size in &sizes {
            let machine = weft_sim::Config {
                warps: size.warps,
                threads: size.threads,
                memory: 8 << 20,
                ..weft_sim::Config::default()
            };
            let config = RunConfig {
                machine,
                window: Some((size.front, size.back)),
                tokens: MemoryTiming::fixed(MEMORY),
                ..RunConfig::default()
            };
            let what = || format!("{} with {size}", kernel.name);
            let report =
                run_program(&program, &config, Engine::Rtl(kind), &mut []).with_context(what)?;
            cost.runs.push(KernelRun {
                front: size.front,
                cycles: report.cycles.with_context(what)?,
                instructions: report.stats.total.warp_instructions,
            });
        }
        print!("{:<16}", cost.kernel);
        for (run, (_, overhead)) in cost.runs.iter().zip(cost.overheads()) {
            print!(
                "{:>18}",
                format!("{} {:+.1}%", run.cycles, 100.0 * overhead)
            );
        }
        println!();
        rows.push(cost);
    }
    Ok(Kernels {
        engine: kind,
        warps,
        threads,
        memory_latency: MEMORY,
        rows,
    })
}
