//! `weft run --engine gpu`: a launch through driver, channel and task management, on the golden GPU or on the hardware.

use crate::cli::{DeviceName, FirstGroup, RunArgs};
use crate::dump::{load_data, print_dump, DumpReport, Wanted};
use crate::options::{Argument, Extent};
use crate::printed::{self, ended, Printed};
use crate::report::write_json;
use crate::sources::Compiled;
use crate::{device, sm, sources, start, Told};
use anyhow::{bail, Context, Result};
use serde::Serialize;
use std::time::Instant;
use weft_cc::lines::Lines;
use weft_driver::{Device, Error, Golden, Gpu, Grid, Settings};
use weft_isa::Program;
use weft_sim::host::Size;
use weft_sim::FaultCause;
use weft_testbench::gpu::{Caches, GpuOptions, VerilatedGpu};
use weft_testbench::sm::SmOptions;

#[derive(Serialize)]
struct Report<'a> {
    program: String,
    engine: &'static str,
    device: &'static str,
    sms: usize,
    warps: usize,
    threads: usize,
    grid: String,
    cta: String,
    ending: &'static str,
    findings: &'a [String],
    seconds: f64,
    warp_instructions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    ctas: u32,
    commands: u32,
    entries: u32,
    launches: u32,
    spawns: u32,
    dependents: u32,
    evictions: u32,
    dump: Vec<DumpReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<&'a Compiled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<&'a Printed>,
}

/// True when nothing was found wrong.
pub fn run(args: &RunArgs) -> Result<bool> {
    if args.gpu.work_queue.is_some() && args.sm.arguments != Argument::Word(0) {
        bail!("--arguments, --work-queue: a2 is one or the other");
    }
    let mut options = sm::options(args)?;
    let files: Vec<_> = std::iter::once(&args.program)
        .chain(&args.more)
        .cloned()
        .collect();
    let sources::Loaded {
        mut program,
        lines,
        sizes,
        compiled,
    } = sources::load_all(&files, &args.compile, &args.load)?;
    load_data(&mut program, &args.load)?;
    options.launch.arguments = sm::argument(&mut program, &args.sm.arguments)?;
    sm::fit_scratchpad(&mut options, &program)?;
    let wanted = Wanted::of(args, &program, &sizes, options.machine.memory)?;
    let m = &args.machine;
    if m.memory.0 % 64 != 0 {
        bail!("--memory {}: a multiple of 64", m.memory.0);
    }
    let size = Size {
        sms: args.gpu.sms,
        warps: m.warps,
        threads: m.threads,
        lanes: options.shape.lanes,
        float: options.shape.float as usize,
        scratchpad: options.shape.scratchpad << 10,
        ..Size::default()
    };
    let kernel = args.gpu.kernel.as_deref();
    start::enter(&mut program, kernel, start::Constructors::Driver).context("--kernel")?;
    start::set_global_pointer(&mut program)?;
    let what = What {
        program,
        lines,
        compiled,
        wanted,
        options,
    };
    match args.gpu.device {
        DeviceName::Golden => on(args, what, Golden::new(size, m.memory.0)),
        DeviceName::Verilated => {
            let open = GpuOptions {
                memory: m.memory.0,
                timing: what.options.axi,
                seed: args.seed,
                caches: Caches {
                    lines: args.sm.icache,
                    data: args.sm.cache,
                    ways: args.sm.cache_ways,
                    shared: args.gpu.l2,
                    shared_ways: args.gpu.l2_ways,
                },
                wave: None,
            };
            on(args, what, VerilatedGpu::open_copy(size, &open, None)?)
        }
    }
}

/// What is to be run.
struct What<'a> {
    program: Program,
    lines: Lines,
    compiled: Option<Compiled>,
    wanted: Wanted<'a>,
    options: SmOptions,
}

/// [`run`] on this device.
fn on<D: Device>(args: &RunArgs, what: What, device: D) -> Result<bool> {
    let What {
        program,
        lines,
        compiled,
        wanted,
        options,
    } = what;
    let (m, size) = (&args.machine, device.size());
    let launch = &options.launch;
    let settings = Settings {
        limit: Some(args.most_instructions()),
        local: launch.local.max(1024),
        ..Settings::default()
    };
    let start = Instant::now();
    let mut gpu = Gpu::open_with(device, settings).context("--memory")?;
    gpu.interrupt_by(weft_testbench::stop::requested);
    let module = gpu.load_lines(&program, lines)?;
    let kernel = module.entry();
    let grid = Grid {
        ctas: launch.grid,
        threads: launch.cta,
        arguments: launch.arguments,
        scratchpad: launch.scratchpad,
        local: launch.local,
        yield_every: m.yield_every.0,
        forced_yield: m.forced_yield.0,
        level: options.level,
        path: match m.path {
            FirstGroup::Smaller => 0,
            FirstGroup::Taken => 1,
            FirstGroup::FallThrough => 2,
        },
        ..Grid::of(1, 1)
    };
    let threads = launch.grid.iter().chain(&launch.cta).product();
    let stream = gpu.stream()?;
    match args.gpu.work_queue {
        None => gpu.launch(stream, kernel, &grid)?,
        Some(entries) => {
            let mut queue = gpu.work_queue(entries, entries).context("--work-queue")?;
            let grid = grid.with_arguments(queue.address());
            gpu.launch_with(stream, &mut queue, kernel, &grid, threads)?;
        }
    }
    let came = gpu.synchronize();
    let seconds = start.elapsed().as_secs_f64();

    let counters = gpu.counters();
    let memory = &device::memory_of(gpu.device());
    let printed = printed::read(&program, memory, threads);
    let (ending, findings) = match came {
        Ok(()) => match printed.as_ref().and_then(Printed::damage) {
            Some(damage) => ("fault", vec![damage]),
            None => ("done", Vec::new()),
        },
        Err(error) => {
            let mut findings = findings(&error, args, printed.as_ref());
            if matches!(
                error,
                Error::Limit(_) | Error::Interrupted | Error::Stuck(_)
            ) {
                findings.extend(gpu.standing());
            }
            (ending(&error), findings)
        }
    };
    let dump = wanted.read(memory);
    let (device, name) = match args.gpu.device {
        DeviceName::Golden => ("golden", "gpu"),
        DeviceName::Verilated => ("verilated", "weft_gpu"),
    };
    let (shown, cta) = (Extent(launch.grid), Extent(launch.cta));
    let mut lost = wanted.save(memory);
    if let Some(path) = &args.json {
        let report = Report {
            program: args.program.display().to_string(),
            engine: "gpu",
            device,
            sms: size.sms,
            warps: size.warps,
            threads: size.threads,
            grid: shown.to_string(),
            cta: cta.to_string(),
            ending,
            findings: &findings,
            seconds,
            warp_instructions: counters.instructions,
            cycles: counters.cycles,
            ctas: counters.ctas,
            commands: counters.commands,
            entries: counters.entries,
            launches: counters.launches,
            spawns: counters.spawns,
            dependents: counters.dependents,
            evictions: counters.evictions,
            dump: dump.clone(),
            compiled: compiled.as_ref(),
            printed: printed.as_ref(),
        };
        lost.extend(write_json(path, &report).err());
    }
    if let Some(printed) = &printed {
        printed.show()?;
    }
    println!(
        "{} on {name}: {ending}; {} x {} warps x {} threads, grid {shown} of {cta} threads, {seconds:.3} s",
        args.program.display(),
        device::many(size.sms as u32, "SM"),
        size.warps,
        size.threads,
    );
    device::print(&counters);
    compiled.iter().for_each(Compiled::print);
    dump.iter().for_each(print_dump);
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    lost.iter().for_each(|error| eprintln!("error: {error:#}"));
    if !lost.is_empty() || ending == "interrupted" {
        bail!(Told);
    }
    ended(ending == "done", printed.as_ref())
}

fn ending(error: &Error) -> &'static str {
    match error {
        Error::Fault(_) | Error::Failed { .. } => "fault",
        Error::Hung(_) | Error::Stuck(_) => "hang",
        Error::Limit(_) => "limit",
        Error::Interrupted => "interrupted",
        _ => "error",
    }
}

fn findings(error: &Error, args: &RunArgs, printed: Option<&Printed>) -> Vec<String> {
    let mut findings = vec![error.to_string()];
    if let Some(printed) = printed {
        findings.splice(0..0, printed.stops().iter().cloned());
    }
    if let Error::Fault(fault) = error {
        if let FaultCause::Unmapped { address } = fault.cause {
            findings.extend(printed::below_the_stack(address));
            findings.extend(printed::in_the_scratchpad(address));
        }
        let mut files = fault.frames.iter().filter_map(|f| f.file.as_deref());
        let in_queue = files.any(|file| file.ends_with("weft_queue.h"));
        if in_queue && args.gpu.work_queue.is_none() {
            findings.push("help: --work-queue N gives the launch a work queue".into());
        }
    }
    let round = matches!(error, Error::Stuck(_) | Error::Channel { .. });
    if round && args.gpu.work_queue.is_some() {
        findings.push(
            "help: a round of the work queue is closed when each thread of the launch has called weft_work_end once, \
             and each piece that weft_work_begin has added"
                .into(),
        );
    }
    findings
}
