//! `weft bench`: issue rates, latencies, simulation speeds, and with `--synth` size and clock frequency.

use crate::cli::BenchArgs;
#[cfg(feature = "verilated")]
use crate::ipc;
use crate::masks::MasksReport;
use crate::progress::Lines;
use crate::report::write_json;
use crate::size;
use crate::{demo, engine, kernels, plot};
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use weft_hdl::{Config, Unit};
use weft_synth::{SynthReport, Target};
use weft_testbench::bench::{bench, BenchOptions, BenchReport};
use weft_testbench::dut::{sizes, RtlKind};
use weft_testbench::memory::MemoryTiming;
use weft_testbench::run::{run_program, Engine, RunConfig};

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    bench: &'a BenchReport,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    kernels: &'a [KernelCost],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    synthesis: &'a [Synthesis],
}

/// Cycles of a kernel over the size of the front ring, the largest last.
#[derive(Serialize)]
pub struct KernelCost {
    pub kernel: &'static str,
    pub memory_latency: u32,
    /// K and cycles.
    pub cycles: Vec<(usize, u64)>,
}

impl KernelCost {
    /// How much longer the kernel takes than with the largest window.
    pub fn overheads(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let largest = self.cycles.last().map_or(1, |&(_, cycles)| cycles.max(1));
        self.cycles
            .iter()
            .map(move |&(front, cycles)| (front, cycles as f64 / largest as f64 - 1.0))
    }
}

#[derive(Serialize)]
pub struct Synthesis {
    /// K
    pub front: usize,
    #[serde(flatten)]
    pub report: SynthReport,
}

/// Sizes that differ in their window only.
fn windows() -> Vec<Config> {
    let mut sizes: Vec<_> = weft_hdl::SUPPORTED
        .iter()
        .copied()
        .filter(|c| (c.warps, c.threads) == (16, 32))
        .collect();
    sizes.sort_by_key(|c| (c.front, c.back));
    sizes
}

/// Cycles that the token memory of the kernel runs takes for an answer.
const KERNEL_MEMORY: u32 = 20;

pub fn run(args: &BenchArgs) -> Result<()> {
    if args.masks {
        let report = MasksReport::measure().context("bench --masks")?;
        print!("{}", report.text());
        return args
            .json
            .as_ref()
            .map_or(Ok(()), |path| write_json(path, &report));
    }
    #[cfg(feature = "verilated")]
    if args.issue {
        return ipc::run(args);
    }
    ensure!(
        !args.issue,
        "--issue runs on Verilated models, which this build has not; `cargo weft doctor` says what is missing"
    );
    ensure!(args.programs > 0, "--programs: at least one");
    ensure!(args.cycles > 0, "--cycles: at least one");
    ensure!(
        args.plot.is_none() || args.kernels || args.synth,
        "--plot shows what --kernels and --synth, or --issue, measure"
    );
    let kind = engine::kind(args.engine);
    let config = size::with_window(args.warps, args.threads, args.window);
    let available = sizes(kind);
    if available.is_empty() {
        return Err(engine::not_built());
    }
    ensure!(
        available.contains(&config),
        "--warps, --threads, --window: {} has {}",
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
    let kernels = if args.kernels {
        run_kernels(kind)?
    } else {
        Vec::new()
    };
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
                kernels: &kernels,
                synthesis: &synthesis,
            },
        )?;
    }
    if let Some(path) = &args.plot {
        plot::windows(path, &kernels, &synthesis)
            .with_context(|| format!("--plot {}", path.display()))?;
    }
    Ok(())
}

/// Every kernel with every window, every YIELD fired, on the hardware alone.
fn run_kernels(kind: RtlKind) -> Result<Vec<KernelCost>> {
    let sizes: Vec<_> = windows()
        .into_iter()
        .filter(|size| sizes(kind).contains(size))
        .collect();
    ensure!(
        sizes.len() > 1,
        "--kernels: {} has no several windows of 16 warps x 32 threads",
        kind.name()
    );
    println!("\nkernels, 16 warps x 32 threads, {KERNEL_MEMORY} cycles of token memory: cycles, and how many more than with the largest window");
    print!("{:<16}", "");
    for size in &sizes {
        print!("{:>18}", format!("K = {}", size.front));
    }
    println!();
    let mut costs = Vec::new();
    for kernel in kernels::KERNELS {
        let program = demo::build(kernel)?;
        let mut cost = KernelCost {
            kernel: kernel.name,
            memory_latency: KERNEL_MEMORY,
            cycles: Vec::new(),
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
                tokens: MemoryTiming::fixed(KERNEL_MEMORY),
                ..RunConfig::default()
            };
            let report = run_program(&program, &config, Engine::Rtl(kind), &mut [])
                .with_context(|| format!("{} with {size}", kernel.name))?;
            cost.cycles.push((size.front, report.cycles.unwrap_or(0)));
        }
        print!("{:<16}", cost.kernel);
        for ((_, cycles), (_, overhead)) in cost.cycles.iter().zip(cost.overheads()) {
            print!("{:>18}", format!("{cycles} {:+.1}%", 100.0 * overhead));
        }
        println!();
        costs.push(cost);
    }
    Ok(costs)
}

fn synthesize(seeds: u32) -> Result<Vec<Synthesis>> {
    ensure!(seeds > 0, "--seeds: at least one");
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    weft_synth::ensure_tools(Target::Ecp5, &mut progress)?;
    let mut reports = Vec::new();
    for size in windows() {
        let verilog = weft_hdl::unit_verilog(Unit::Control, size, false)?;
        let (name, text) = (format!("{}-{size}", verilog.top), verilog.bundle());
        let mut request = weft_synth::Request::new(&name, Target::Ecp5, &text, &verilog.top);
        request.seeds = seeds;
        let report = weft_synth::synthesize(&request, &mut progress)
            .with_context(|| format!("synthesis of {name}"))?;
        reports.push(Synthesis {
            front: size.front,
            report,
        });
    }
    lines.end();
    println!("\n{}", weft_synth::markdown_header());
    reports
        .iter()
        .for_each(|r| println!("{}", r.report.markdown_row()));
    Ok(reports)
}
