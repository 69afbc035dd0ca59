//! `weft run`.

use crate::check::Check;
use crate::cli::{Dut, EngineName, ModeName, PolicyName, RunArgs, RunUnit};
use crate::dump::{load_data, print_dump, DumpReport, Wanted};
use crate::engine::{self, CoreRequest, Ran, Trace, Written};
use crate::printed::{self, Printed};
use crate::profile::{Profile, Row};
use crate::report::{write_json, CoreCounters, Counters, Ending};
use crate::sources::Compiled;
use crate::{engines, gpu, outputs, program, sm, sources, start, Told};
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::time::Instant;
use weft_cc::lines::Lines;
use weft_cc::Float;
use weft_compiler::Form;
use weft_isa::Program;
use weft_sim::{Config, PathPolicy};
use weft_testbench::grid;
use weft_testbench::lockstep::Watchdog;
use weft_testbench::run_config::RunConfig;
use weft_testbench::session::Recenter;

#[derive(Serialize)]
struct Report<'a> {
    program: String,
    engine: String,
    warps: usize,
    threads: usize,
    tokens_per_warp: usize,
    grid: u32,
    #[serde(rename = "yield")]
    yield_every: String,
    forced_yield: String,
    path: PathPolicy,
    call_tokens: bool,
    ending: Ending,
    /// What is wrong.
    findings: &'a [String],
    /// Which hardware has run it; `null`: none.
    unit: Option<&'static str>,
    /// The oracle was compared, and agrees; `null`: it has not judged.
    oracle_agrees: Option<bool>,
    /// What a whole core adds.
    core: Option<&'a CoreCounters>,
    seconds: f64,
    #[serde(flatten)]
    counters: &'a Counters,
    dump: &'a [DumpReport],
    /// How the program was compiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<&'a Compiled>,
    /// What the program has printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<&'a Printed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<Row>>,
}

/// What one option says of another. The form of sub-vector loops fits the machine: where `subv.auto` could select regular
/// mode, shared registers would hold nothing (SUBV-020).
pub fn prepare(args: &mut RunArgs) -> Result<()> {
    args.compile.zones = args.check;
    let shares = args.machine.shared_from < 32 && args.machine.mode != ModeName::SubVector;
    let form = &mut args.compile.subvector_form;
    if shares && *form == Some(Form::Measured) {
        bail!("--subvector-form measured: in regular mode shared registers hold nothing; with --shared-from take the form mode, or --mode sub-vector");
    }
    if shares {
        form.get_or_insert(Form::Mode);
    }
    Ok(())
}

/// True when nothing was found wrong.
pub fn run(args: &RunArgs) -> Result<bool> {
    check_files(args)?;
    crate::heed_signals();
    if args.engine == EngineName::Gpu {
        return gpu::run(args);
    }
    if args.engine == EngineName::Sm || args.sm.cta.is_some() {
        return sm::run(args);
    }
    let mut lost = false;
    let machine = Config {
        float: args.compile.float == Float::Hard,
        ..engine::machine(&args.machine)?
    };
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
    let kernel = args.gpu.kernel.as_deref();
    start::enter(&mut program, kernel, start::Constructors::Launch).context("--kernel")?;
    for part in grid::parts(&machine)? {
        part.validate_program(&program)
            .with_context(|| args.program.display().to_string())?;
    }
    let wanted = Wanted::of(args, &program, &sizes, machine.memory)?;
    let engine = engine::choose(args.engine, args.dut);
    let unit = unit(args, &program, &lines)?;
    let title = args
        .program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut written = Written::default();
    if let Some(path) = args.trace.as_deref() {
        written.trace = Some(Trace::create(path, &title, machine.warps, engine)?);
    }
    let wave = match (&args.wave, &args.vcd) {
        (Some(path), _) => Some(written.wave("--wave", path)?),
        (None, Some(path)) => Some(written.wave("--vcd", path)?),
        (None, None) => None,
    };
    let config = RunConfig {
        timing: engine::timing(args.latency),
        window: args.window.map(|w| (w.front, w.back)),
        tokens: engine::token_timing(args.token_latency),
        recenter: match args.driver {
            true => Recenter::Driver,
            false => Recenter::Hardware,
        },
        seed: args.seed,
        watchdog: Watchdog {
            livelock: args.watchdog,
            ..Watchdog::default()
        },
        cycles: Some(args.most_cycles()),
        instructions: args.most_instructions(),
        oracle: args.oracle,
        wave,
        machine,
        ..RunConfig::default()
    };

    let mut checked = args.check.then(|| {
        let machine = &config.machine;
        let each = machine.cta_warps.unwrap_or(machine.warps) * machine.threads;
        let stacks = machine.stacks_begin()..machine.memory;
        Check::new(&program, each as u32, stacks)
    });
    let mut profile = args.profile.then(|| Profile::new(config.machine.threads));
    let start = Instant::now();
    let mut ran = match unit {
        Some(RunUnit::Core) => {
            let request = core_request(args);
            engine::run_core(&program, &config, &request, written)?
        }
        _ => {
            let (check, profile) = (checked.as_mut(), profile.as_mut());
            engine::run(&program, &config, engine, written, check, profile)?
        }
    };
    if let Some(checked) = checked {
        checked.tell(&mut ran.findings, &mut ran.ending);
    }
    let seconds = start.elapsed().as_secs_f64();

    let memory = ran.end.as_ref().map(|(memory, _)| memory);
    let threads = config.machine.grid_size();
    let printed = memory.and_then(|memory| printed::read(&program, memory, threads));
    printed::explain(&mut ran, printed.as_ref(), &program, &lines);
    let memory = ran.end.as_ref().map(|(memory, _)| memory);
    let dump = memory.map_or(Vec::new(), |memory| wanted.read(memory));
    // Files come first: nobody may read what is printed.
    let unsaved = memory.map_or(Vec::new(), |memory| wanted.save(memory));
    ran.lost.extend(unsaved);
    if let Some(path) = &args.json {
        let report = Report {
            program: args.program.display().to_string(),
            engine: engine.name(),
            unit: unit.map(RunUnit::name),
            warps: config.machine.warps,
            threads: config.machine.threads,
            tokens_per_warp: config.machine.tokens,
            grid: config.machine.grid_size(),
            yield_every: match args.machine.yield_random {
                Some(threshold) => format!("random:{threshold}"),
                None => args.machine.yield_every.to_string(),
            },
            forced_yield: args.machine.forced_yield.to_string(),
            path: config.machine.path,
            call_tokens: config.machine.call_tokens,
            ending: ran.ending,
            findings: &ran.findings,
            oracle_agrees: ran.oracle_agrees,
            core: ran.core.as_ref(),
            seconds,
            counters: &ran.counters,
            dump: &dump,
            compiled: compiled.as_ref(),
            printed: printed.as_ref(),
            profile: profile.as_ref().map(|profile| profile.rows(&lines)),
        };
        ran.lost.extend(write_json(path, &report).err());
    }
    if let (Some(profile), Some(path)) = (&profile, &args.folded) {
        ran.lost.extend(profile.write_folded(&lines, path).err());
    }
    if let Some(printed) = &printed {
        printed.show()?;
    }
    print_result(args, &config.machine, unit, &engine.name(), &ran, seconds);
    compiled.iter().for_each(Compiled::print);
    dump.iter().for_each(print_dump);
    if let Some(profile) = &profile {
        print!("{}", profile.table(&lines));
    }
    for line in ran.findings.iter().chain(&ran.notes) {
        eprintln!("{line}");
    }
    let interrupted = ran.ending == Ending::Interrupted;
    for error in ran.lost.drain(..) {
        eprintln!("error: {error:#}");
        lost = true;
    }
    if lost || interrupted {
        bail!(Told);
    }
    printed::ended(ran.ending == Ending::Done, printed.as_ref())
}

/// Which hardware runs the program; `None`: none does. Programs with barriers need a core.
fn unit(args: &RunArgs, program: &Program, lines: &Lines) -> Result<Option<RunUnit>> {
    if matches!(args.engine, EngineName::Golden | EngineName::Oracle) {
        return Ok(None);
    }
    let (core, asked) = (&args.core, engines::of_core(args));
    let rust_hdl = args.engine == EngineName::RustHdl
        || args.engine == EngineName::Lockstep && args.dut == Dut::RustHdl;
    let barrier = program::first_barrier(program);
    let unit = match (core.unit, asked) {
        (Some(unit), _) => unit,
        (None, Some(_)) => RunUnit::Core,
        (None, None) if barrier.is_some() => RunUnit::Core,
        (None, None) => RunUnit::Control,
    };
    if unit == RunUnit::Core && rust_hdl {
        let why = match (core.unit, asked, barrier) {
            (None, None, Some((pc, instr))) => {
                let place = lines.place(pc).map(|p| format!(", in {p}"));
                let place = place.unwrap_or_default();
                format!("`{instr}` at {pc:#x}{place} needs weft_core, which ")
            }
            _ => "weft_core ".to_string(),
        };
        bail!("{why}is not there in Rust-HDL's own simulation; take --engine rtl, or lockstep with --dut verilated");
    }
    engines::check_unit(args, unit.name())?;
    if unit == RunUnit::Core {
        ensure!(args.machine.cta_warps != Some(0), "--cta-warps: 1 or more");
    }
    Ok(Some(unit))
}

fn core_request(args: &RunArgs) -> CoreRequest {
    CoreRequest {
        policy: args.core.policy.unwrap_or(PolicyName::Age),
        dual: args.core.dual,
        partitions: args.core.partitions,
        level: args.core.level.unwrap_or(0),
        level_mix: args.core.level_mix.unwrap_or(0),
        resolve: args.latency,
        lockstep: args.engine == EngineName::Lockstep,
    }
}

/// No output is an input, or another output.
fn check_files(args: &RunArgs) -> Result<()> {
    let outputs = [
        ("--trace", args.trace.as_deref()),
        ("--wave", args.wave.as_deref()),
        ("--vcd", args.vcd.as_deref()),
        ("--json", args.json.as_deref()),
        ("--folded", args.folded.as_deref()),
    ];
    let saves = args.save.iter();
    let saves = saves.map(|save| ("--save", Some(save.file.as_path())));
    let outputs: Vec<_> = outputs.into_iter().chain(saves).collect();
    let programs = std::iter::once(&args.program).chain(&args.more);
    let programs = programs.map(|file| ("", file.as_path()));
    let data = args.load.iter().map(|load| ("--load", load.file.as_path()));
    let inputs: Vec<_> = programs.chain(data).collect();
    outputs::distinct(&outputs, &inputs)
}

fn print_result(
    args: &RunArgs,
    config: &Config,
    unit: Option<RunUnit>,
    engine: &str,
    ran: &Ran,
    seconds: f64,
) {
    let unit = match unit {
        Some(RunUnit::Core) => ", weft_core",
        _ => "",
    };
    println!(
        "{} on {engine}{unit}: {}{}; {} warps x {} threads, grid {}, {seconds:.3} s",
        args.program.display(),
        ran.ending.name(),
        match ran.oracle_agrees {
            Some(true) => ", oracle agrees",
            Some(false) => ", oracle disagrees",
            None => "",
        },
        config.warps,
        config.threads,
        config.grid_size(),
    );
    ran.counters.print();
    if let Some(core) = &ran.core {
        core.print();
    }
}
