//! `weft bench`: issue rates, latencies, simulation speeds, and with `--synth` size and clock frequency.

use crate::cli::BenchArgs;
use crate::engine;
use crate::progress::Lines;
use crate::report::write_json;
use crate::size;
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use weft_hdl::{Config, Unit};
use weft_synth::{SynthReport, Target};
use weft_testbench::bench::{bench, BenchOptions, BenchReport};
use weft_testbench::dut::sizes;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    bench: &'a BenchReport,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    synthesis: &'a [SynthReport],
}

/// Sizes whose synthesis the table shows: warps x threads.
const SYNTHESIZED: [(usize, usize); 2] = [(8, 32), (16, 32)];

pub fn run(args: &BenchArgs) -> Result<()> {
    ensure!(args.programs > 0, "--programs: at least one");
    ensure!(args.cycles > 0, "--cycles: at least one");
    let kind = engine::kind(args.engine);
    let config = Config {
        warps: args.warps,
        threads: args.threads,
    };
    let available = sizes(kind);
    if available.is_empty() {
        return Err(engine::not_built());
    }
    ensure!(
        available.contains(&config),
        "--warps, --threads: {} has (warps x threads) {}",
        kind.name(),
        size::list(&available)
    );
    let options = BenchOptions {
        kind,
        config,
        bare_cycles: args.cycles,
        programs: args.programs,
        seed: args.seed,
    };
    let report = bench(&options).context("bench")?;
    println!("{report}");
    let synthesis = if args.synth {
        synthesize(args.seeds)?
    } else {
        Vec::new()
    };
    if let Some(path) = &args.json {
        write_json(
            path,
            &Report {
                bench: &report,
                synthesis: &synthesis,
            },
        )?;
    }
    Ok(())
}

fn synthesize(seeds: u32) -> Result<Vec<SynthReport>> {
    ensure!(seeds > 0, "--seeds: at least one");
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    weft_synth::ensure_tools(Target::Ecp5, &mut progress)?;
    let mut reports = Vec::new();
    for (warps, threads) in SYNTHESIZED {
        let verilog = weft_hdl::unit_verilog(Unit::Control, Config { warps, threads })?;
        let (name, text) = (
            format!("{}-{warps}x{threads}", verilog.top),
            verilog.bundle(),
        );
        let mut request = weft_synth::Request::new(&name, Target::Ecp5, &text, &verilog.top);
        request.seeds = seeds;
        let report = weft_synth::synthesize(&request, &mut progress)
            .with_context(|| format!("synthesis of {name}"))?;
        reports.push(report);
    }
    lines.end();
    println!("\n{}", weft_synth::markdown_header());
    reports
        .iter()
        .for_each(|r| println!("{}", r.markdown_row()));
    Ok(reports)
}
