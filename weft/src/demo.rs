//! `weft demo`: the kernels on hardware and model in lockstep, against the oracle, and against what the inputs say.

use crate::cli::{lanes_of_sm, DemoArgs};
use crate::engines::written::{Trace, Written};
use crate::engines::{machine, warps, Watch};
use crate::kernels::{self, read, Kernel};
use crate::options::{ForcedYield, Place, Window, YieldEvery};
use crate::report::{write_json, Counters, Ending};
use crate::{compute, data, image, nested, program};
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use weft_generate::{Design, Unit};
use weft_isa::Program;
use weft_sim::{Config, Memory};
use weft_testbench::dut::{available, RtlKind};
use weft_testbench::lockstep::Watchdog;
use weft_testbench::rtl::{self, library::Wanted};
use weft_testbench::run::Engine;
use weft_testbench::run_config::RunConfig;
use weft_testbench::sm::Shape;

/// One line of the table: a kernel under a policy, and how it must end.
struct Plan {
    kernel: &'static str,
    yield_every: YieldEvery,
    forced: ForcedYield,
    ending: Ending,
}

impl Plan {
    /// Waves of everything would be many megabytes; the lock that finishes is the one to look at.
    fn has_waves(&self) -> bool {
        self.kernel == "spin_lock" && self.yield_every == ALWAYS
    }
}

const ALWAYS: YieldEvery = YieldEvery(1);
const NEVER: YieldEvery = YieldEvery(0);

/// Kernels whose threads wait for each other, and the forced yield with which the demo runs them without any other. The
/// last three wait in many places, and finish with 1,024 as well, but later.
const LOCKS: &[(&str, u16)] = &[
    ("spin_lock", 256),
    ("lockht", 16),
    ("lclist", 16),
    ("rangelock", 16),
];

fn is_lock(kernel: &str) -> bool {
    LOCKS.iter().any(|(name, _)| *name == kernel)
}

fn plans() -> Vec<Plan> {
    let plan = |kernel, yield_every, forced, ending| Plan {
        kernel,
        yield_every,
        forced: ForcedYield(forced),
        ending,
    };
    let mut plans = Vec::new();
    for &(lock, forced) in LOCKS {
        plans.push(plan(lock, NEVER, 0, Ending::Livelock));
        plans.push(plan(lock, ALWAYS, 0, Ending::Done));
        plans.push(plan(lock, NEVER, forced, Ending::Done));
    }
    let others = kernels::KERNELS.iter().filter(|k| !is_lock(k.name));
    plans.extend(others.map(|k| plan(k.name, ALWAYS, 1024, Ending::Done)));
    plans
}

#[derive(Serialize)]
struct Row {
    kernel: &'static str,
    shows: &'static str,
    #[serde(rename = "yield")]
    yield_every: String,
    forced_yield: String,
    ending: Ending,
    must_end: Ending,
    /// What ran beside the golden model, for the last column: nothing, or the hardware.
    #[serde(skip)]
    beside: &'static str,
    /// Hardware and golden model agree at every operation.
    model_agrees: bool,
    /// Registers and memory, or for racing kernels the outputs, are those of every thread alone;
    /// `null`: the run has not come to its end.
    oracle_agrees: Option<bool>,
    /// The outputs are what the inputs say.
    result_right: bool,
    as_it_must_be: bool,
    findings: Vec<String>,
    seconds: f64,
    #[serde(flatten)]
    counters: Counters,
    trace: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    waves: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report<'a> {
    hardware: &'static str,
    warps: usize,
    threads: usize,
    as_it_must_be: bool,
    rows: &'a [Row],
    /// Kernels that launch kernels.
    launches: &'a [nested::Row],
}

/// Cycles per thread of the grid without a store or an end that count as a livelock here.
/// The kernel with the longest way to its first store, `nested`, needs less than 700.
const WATCHDOG: u64 = 1_000;

/// True when every row is as it must be.
pub fn run(args: &DemoArgs) -> Result<bool> {
    if args.sm {
        let lanes = lanes_of_sm(args.lanes, args.threads);
        if lanes == 0 || args.threads % lanes != 0 {
            bail!("--lanes {lanes}: a divisor of --threads {}", args.threads);
        }
        let all = (args.warps * args.threads) as u32;
        let threads = args.cta.unwrap_or(all / 2);
        if threads == 0 || threads > all || args.ctas == 0 {
            bail!("--ctas, --cta: at least 1, and at most {all} threads of a CTA");
        }
        let shape = Shape {
            data_cache: args.cache,
            ..Shape::of(args.warps, args.threads, lanes)
        };
        return compute::demo(shape, (args.ctas, threads), args.memory_latency);
    }
    for name in &args.kernels {
        let names: Vec<_> = kernels::KERNELS.iter().map(|k| k.name).collect();
        ensure!(
            names.contains(&name.as_str()),
            "{name}: the kernels are {}",
            names.join(", ")
        );
    }
    crate::heed_signals();
    if args.gpu {
        return launches_only(args);
    }
    let hardware = choose_hardware(args)?;
    let machine = Config {
        warps: args.warps,
        threads: args.threads,
        memory: 8 << 20,
        ..Config::default()
    };
    machine.validate().map_err(machine::blamed)?;
    let most = kernels::MOST_THREADS;
    ensure!(
        machine.grid_size() <= most,
        "--warps, --threads: the kernels have room for {most} threads"
    );
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("-o {}", args.output.display()))?;

    let hardware_name = match hardware {
        RtlKind::Verilated => "generated Verilog under Verilator",
        RtlKind::RustHdl => "Rust-HDL's simulation",
    };
    println!(
        "{} warps x {} threads: {hardware_name}, in lockstep with the golden model,\nthen compared with every thread alone and with results worked out from the inputs\n",
        args.warps, args.threads
    );
    let wanted =
        |plan: &Plan| args.kernels.is_empty() || args.kernels.iter().any(|k| k == plan.kernel);
    let plans: Vec<_> = plans().into_iter().filter(wanted).collect();
    let stage = Stage {
        machine,
        window: args.window,
        output: &args.output,
    };
    let compiling = thread::scope(|scope| -> Result<_> {
        let compiling = scope.spawn(|| make_models(args, hardware, &plans));
        meanwhile(&plans, &stage, &|| compiling.is_finished())?;
        Ok(compiling.join())
    });
    compiling?.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    // Kernels that launch kernels belong to the whole demo, and their hardware is compiled while the others run.
    let launching = args.kernels.is_empty() && hardware == RtlKind::Verilated;
    let (rows, launches) = thread::scope(|scope| -> Result<_> {
        let gpu = launching.then(|| scope.spawn(nested::prepare));
        print_head();
        let mut rows = Vec::new();
        for plan in &plans {
            let row = stage.run(plan, Engine::Lockstep(hardware))?;
            print_row(&row);
            let interrupted = row.ending == Ending::Interrupted;
            rows.push(row);
            if interrupted {
                break;
            }
        }
        print_foot(&rows, &args.output);
        let launches = match gpu {
            Some(gpu) if !weft_testbench::stop::requested() => {
                gpu.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                println!();
                nested::run()?
            }
            _ => Vec::new(),
        };
        Ok((rows, launches))
    })?;
    let fine = rows.iter().all(|r| r.as_it_must_be) && launches.iter().all(|l| l.as_it_must_be);
    if let Some(path) = &args.json {
        let (warps, threads) = (args.warps, args.threads);
        write_json(
            path,
            &Report {
                hardware: hardware.name(),
                warps,
                threads,
                as_it_must_be: fine,
                rows: &rows,
                launches: &launches,
            },
        )?;
    }
    ensure!(
        !weft_testbench::stop::requested(),
        "interrupted: the kernels above are those that were run"
    );
    Ok(fine)
}

/// `--gpu`: kernels that launch kernels, and nothing else.
fn launches_only(args: &DemoArgs) -> Result<bool> {
    available(RtlKind::Verilated)
        .map_err(machine::unavailable)
        .context("--gpu")?;
    nested::prepare()?;
    let launches = nested::run()?;
    if let Some(path) = &args.json {
        write_json(path, &launches)?;
    }
    Ok(launches.iter().all(|l| l.as_it_must_be))
}

/// The model of the hardware, and the one that can write waves where a plan has some; the first time it takes a minute.
fn make_models(args: &DemoArgs, hardware: RtlKind, plans: &[Plan]) -> Result<()> {
    let size = crate::size::with_window(args.warps, args.threads, args.window);
    let design = Design::of(Unit::Control, size, false)?;
    let model = |waves| Wanted {
        kind: hardware,
        design: design.clone(),
        breakable: false,
        waves,
    };
    let mut models = vec![model(false)];
    if hardware == RtlKind::Verilated && plans.iter().any(Plan::has_waves) {
        models.push(model(true));
    }
    rtl::library::prepare(&models).context("the model of the hardware")
}

/// While the hardware is not there, the kernels run on the golden model, until it is.
fn meanwhile(plans: &[Plan], stage: &Stage, there: &dyn Fn() -> bool) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        if there() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(10));
    }
    println!(
        "The hardware is being compiled. Meanwhile the golden model, and every thread alone:\n"
    );
    print_head();
    let mut wrong = Vec::new();
    for plan in plans {
        if there() || weft_testbench::stop::requested() {
            break;
        }
        let row = stage.run(plan, Engine::Golden)?;
        print_row(&row);
        wrong.extend((!row.as_it_must_be).then_some(row));
    }
    print_wrong(&wrong);
    ensure!(
        wrong.is_empty(),
        "wrong on the golden model, without any hardware"
    );
    println!();
    Ok(())
}

/// Verilated, if a model can be made here.
fn choose_hardware(args: &DemoArgs) -> Result<RtlKind> {
    let size = crate::size::with_window(args.warps, args.threads, args.window);
    Design::of(Unit::Control, size, false).context("--warps, --threads, --window")?;
    match (args.dut.map(machine::kind), available(RtlKind::Verilated)) {
        (Some(RtlKind::RustHdl), _) => Ok(RtlKind::RustHdl),
        (_, Ok(())) => Ok(RtlKind::Verilated),
        (Some(RtlKind::Verilated), Err(error)) => {
            Err(machine::unavailable(error)).context("--dut verilated")
        }
        (None, Err(error)) => {
            eprintln!("note: {error} (`cargo weft doctor` says more); Rust-HDL's own simulation is slower");
            Ok(RtlKind::RustHdl)
        }
    }
}

/// The kernel with its data in place.
pub fn build(kernel: &Kernel) -> Result<Program> {
    with_data(kernel, kernel.source.1)
}

/// A program with the kernel's data.
fn with_data(kernel: &Kernel, source: &str) -> Result<Program> {
    let mut program = program::assemble(&format!("kernels/{}", kernel.source.0), source)?;
    for (symbol, file, contents) in kernel.inputs {
        let bytes = data::memory_bytes(file, contents).map_err(anyhow::Error::msg)?;
        image::overlay(&mut program, &Place::Symbol((*symbol).into()), &bytes)?;
    }
    Ok(program)
}

/// Where the plans run, and where the files go.
struct Stage<'a> {
    machine: Config,
    window: Option<Window>,
    output: &'a Path,
}

impl Stage<'_> {
    fn run(&self, plan: &Plan, engine: Engine) -> Result<Row> {
        let kernel =
            kernels::find(plan.kernel).context("the demo names a kernel that is not there")?;
        let (machine, output) = (&self.machine, self.output);
        let program = build(kernel)?;
        let mut name = format!("{}-{}", plan.kernel, plan.yield_every).replace(':', "-");
        if is_lock(plan.kernel) {
            name += &format!("-forced-{}", plan.forced);
        }
        let hardware = matches!(engine, Engine::Lockstep(_));
        let waves = (plan.has_waves() && hardware).then(|| output.join(format!("{name}.vcd")));
        let trace = output.join(format!("{name}.trace.json"));
        let config = RunConfig {
            machine: Config {
                yield_every: plan.yield_every.0,
                forced_yield: plan.forced.0,
                ..machine.clone()
            },
            watchdog: Watchdog {
                livelock: WATCHDOG * u64::from(machine.grid_size()),
                ..Watchdog::default()
            },
            oracle: kernel.race_free,
            window: self.window.map(|w| (w.front, w.back)),
            ..RunConfig::default()
        };
        let mut written = Written::default();
        if hardware {
            written.trace = Some(Trace::create(&trace, plan.kernel, machine.warps, true)?);
        }
        let wave = waves.as_deref().map(|path| written.wave("-o", path));
        let config = RunConfig {
            wave: wave.transpose()?,
            ..config
        };
        let start = Instant::now();
        let mut ran = warps::run(&program, &config, engine, written, Watch::default())?;
        if let Some(lost) = ran.lost.pop() {
            return Err(lost);
        }
        let seconds = start.elapsed().as_secs_f64();

        let mut findings = ran.findings.clone();
        let (mut oracle_agrees, mut result_right) = (ran.oracle_agrees, false);
        if let Some(memory) = &ran.memory {
            if oracle_agrees.is_none() {
                let difference = outputs_of_oracle(kernel, &program, &config, memory)?;
                oracle_agrees = Some(difference.is_none());
                findings.extend(difference);
            }
            let result = kernel.check_memory(&program, machine, memory);
            result_right = result.is_ok();
            findings.extend(result.err());
        }
        let done = ran.ending == Ending::Done && oracle_agrees == Some(true) && result_right;
        let as_it_must_be = match plan.ending {
            Ending::Done => done,
            ending => ran.ending == ending,
        };
        Ok(Row {
            kernel: kernel.name,
            beside: if hardware { "model, " } else { "" },
            shows: kernel.shows,
            yield_every: plan.yield_every.to_string(),
            forced_yield: plan.forced.to_string(),
            model_agrees: !matches!(ran.ending, Ending::Mismatch | Ending::Hang),
            ending: ran.ending,
            must_end: plan.ending,
            oracle_agrees,
            result_right,
            as_it_must_be,
            findings,
            seconds,
            counters: ran.counters,
            trace,
            waves,
        })
    }
}

/// Runs every thread alone and compares the outputs; `Some`: the first difference.
fn outputs_of_oracle(
    kernel: &Kernel,
    program: &Program,
    config: &RunConfig,
    memory: &Memory,
) -> Result<Option<String>> {
    let alone = warps::run(
        program,
        config,
        Engine::Oracle,
        Written::default(),
        Watch::default(),
    )?;
    let Some(theirs) = &alone.memory else {
        return Ok(Some(format!("alone: {}", alone.findings.join(", "))));
    };
    for &(symbol, length) in kernel
        .outputs
        .iter()
        .filter(|(s, _)| !kernel.order_dependent.contains(s))
    {
        let both = read(program, memory, symbol, length)
            .and_then(|a| Ok((a, read(program, theirs, symbol, length)?)));
        let (ours, theirs) = both.map_err(anyhow::Error::msg)?;
        if let Some(at) = ours.iter().zip(&theirs).position(|(a, b)| a != b) {
            return Ok(Some(format!(
                "byte {at} of {symbol} is {}, of every thread alone {}",
                ours[at], theirs[at]
            )));
        }
    }
    Ok(None)
}

fn print_head() {
    println!(
        "{:<15} {:>6} {:>6}  {:>8} {:>8} {:>6} {:>7} {:>7} {:>7}  ending",
        "kernel", "yield", "forced", "cycles", "instr.", "SIMD", "tokens", "deepest", "yields"
    );
}

fn print_row(row: &Row) {
    let number = |n: Option<u64>| n.map_or_else(|| "-".into(), |n| n.to_string());
    let tokens = row.counters.tokens.unwrap_or_default();
    let verdict = match (row.as_it_must_be, row.ending) {
        (true, Ending::Done) => format!("done; {}oracle and result equal", row.beside),
        (true, ending) => format!("{}, as it must", ending.name()),
        (false, ending) => format!("{}: WRONG, see below", ending.name()),
    };
    println!(
        "{:<15} {:>6} {:>6}  {:>8} {:>8} {:>6} {:>7} {:>7} {:>7}  {verdict}",
        row.kernel,
        row.yield_every,
        row.forced_yield,
        number(row.counters.cycles),
        number(row.counters.warp_instructions),
        row.counters
            .simd_efficiency
            .map_or_else(|| "-".into(), |e| format!("{:.1}%", 100.0 * e)),
        tokens.pushed(),
        tokens.deepest_deque,
        tokens.yields + tokens.forced_yields,
    );
}

fn print_foot(rows: &[Row], output: &Path) {
    println!();
    let mut named = "";
    for row in rows
        .iter()
        .filter(|r| std::mem::replace(&mut named, r.kernel) != r.kernel)
    {
        println!("{:<15} {}", row.kernel, row.shows);
    }
    println!("\nSIMD: active threads / threads per warp, the mean over all instructions.");
    println!(
        "Traces for ui.perfetto.dev: {}",
        output.join("*.trace.json").display()
    );
    for waves in rows.iter().filter_map(|r| r.waves.as_ref()) {
        println!("Waves for GTKWave or Surfer: {}", waves.display());
    }
    print_wrong(rows);
}

fn print_wrong(rows: &[Row]) {
    for row in rows.iter().filter(|r| !r.as_it_must_be) {
        eprintln!(
            "\n{} (yield {}, forced {}): {}",
            row.kernel,
            row.yield_every,
            row.forced_yield,
            row.findings.join("\n")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_sim::PathPolicy;

    /// Runs a kernel on the golden model, which is fast. What is wrong with its results counts when it is done.
    fn golden(
        kernel: &Kernel,
        program: &Program,
        machine: &Config,
    ) -> (Ending, Result<(), String>) {
        let yields = machine.yield_every != 0 || machine.forced_yield != 0;
        let config = RunConfig {
            machine: machine.clone(),
            watchdog: Watchdog {
                livelock: if yields { 1_000_000 } else { 100_000 },
                ..Watchdog::default()
            },
            ..RunConfig::default()
        };
        let ran = warps::run(
            program,
            &config,
            Engine::Golden,
            Written::default(),
            Watch::default(),
        )
        .unwrap();
        let Some(memory) = ran.memory else {
            return (ran.ending, Err(ran.findings.join("\n")));
        };
        (ran.ending, kernel.check_memory(program, machine, &memory))
    }

    fn machine(warps: usize, threads: usize, yield_every: u16, forced_yield: u16) -> Config {
        Config {
            warps,
            threads,
            yield_every,
            forced_yield,
            ..Config::default()
        }
    }

    #[test]
    fn every_kernel_gives_its_result_whatever_the_size_and_policy() {
        for kernel in kernels::KERNELS {
            let program = build(kernel).unwrap();
            for (warps, threads, grid) in [
                (1, 4, 3),
                (8, 8, 64),
                (5, 16, 77),
                (32, 32, 1024),
                (3, 64, 130),
            ] {
                for (yield_every, forced_yield, call_tokens) in
                    [(1, 0, true), (3, 7, false), (0, 1, true), (1, 1024, false)]
                {
                    let machine = Config {
                        tokens: threads + 1,
                        grid: Some(grid),
                        call_tokens,
                        ..machine(warps, threads, yield_every, forced_yield)
                    };
                    assert_eq!(
                        golden(kernel, &program, &machine),
                        (Ending::Done, Ok(())),
                        "{} {machine:?}",
                        kernel.name
                    );
                }
            }
        }
    }

    #[test]
    fn locks_finish_with_either_kind_of_yield_on_every_path_and_livelock_without() {
        for &(name, _) in LOCKS {
            let kernel = kernels::find(name).unwrap();
            let program = build(kernel).unwrap();
            for path in PathPolicy::ALL {
                for (warps, threads) in [(1, 4), (4, 8), (2, 16), (4, 32)] {
                    for (yield_every, forced_yield) in [(1, 0), (3, 0), (0, 1), (0, 16), (0, 1024)]
                    {
                        let machine = Config {
                            path,
                            ..machine(warps, threads, yield_every, forced_yield)
                        };
                        let (ending, result) = golden(kernel, &program, &machine);
                        assert_eq!(
                            (ending, result),
                            (Ending::Done, Ok(())),
                            "{name} {machine:?}"
                        );
                    }
                    let machine = Config {
                        path,
                        ..machine(warps, threads, 0, 0)
                    };
                    let (ending, _) = golden(kernel, &program, &machine);
                    assert_eq!(ending, Ending::Livelock, "{name} {machine:?}");
                }
            }
        }
    }

    #[test]
    fn while_the_hardware_is_compiled_the_golden_model_runs_and_is_judged() {
        let output = std::env::temp_dir();
        let stage = Stage {
            machine: machine(2, 4, 0, 0),
            window: None,
            output: &output,
        };
        let plan = |ending| Plan {
            kernel: "gcd",
            yield_every: ALWAYS,
            forced: ForcedYield(1024),
            ending,
        };
        meanwhile(&[plan(Ending::Done)], &stage, &|| false).unwrap();
        assert!(meanwhile(&[plan(Ending::Livelock)], &stage, &|| false).is_err());
        // Nothing is run when the hardware is there.
        meanwhile(&[plan(Ending::Livelock)], &stage, &|| true).unwrap();
    }

    /// Whatever was in the lock, the thread takes it for free.
    #[test]
    fn without_its_locks_no_lock_kernel_gives_its_result() {
        for &(name, _) in LOCKS {
            let kernel = kernels::find(name).unwrap();
            let open = kernel.source.1.lines().map(|line| {
                match line.trim().strip_prefix("amoswap.w.aq") {
                    Some(operands) => format!("li {}, 0\n", operands.split(',').next().unwrap()),
                    None => format!("{line}\n"),
                }
            });
            let open: String = open.collect();
            assert_ne!(
                open.lines().collect::<Vec<_>>(),
                kernel.source.1.lines().collect::<Vec<_>>()
            );
            let program = with_data(kernel, &open).unwrap();
            let (_, result) = golden(kernel, &program, &machine(4, 8, 1, 0));
            assert!(result.is_err(), "{name}");
        }
    }
}
