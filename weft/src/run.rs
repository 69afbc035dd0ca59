//! `weft run`.

use crate::cli::{EngineName, RunArgs};
use crate::engine::{self, Ran, Trace};
use crate::options::Dump;
use crate::report::{write_json, Counters, Ending};
use crate::{data, image, program, sm};
use anyhow::{bail, Context, Result};
use serde::Serialize;
use std::time::Instant;
use weft_isa::Program;
use weft_sim::config::MEMORY_BASE;
use weft_sim::{Config, Memory, PathPolicy};
use weft_testbench::lockstep::Watchdog;
use weft_testbench::run::RunConfig;
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
    /// The oracle was compared, and agrees.
    oracle_agrees: bool,
    seconds: f64,
    #[serde(flatten)]
    counters: &'a Counters,
    dump: Vec<DumpReport>,
}

#[derive(Serialize)]
pub struct DumpReport {
    place: String,
    address: u32,
    words: Vec<u32>,
}

/// True when nothing was found wrong.
pub fn run(args: &RunArgs) -> Result<bool> {
    refuse_what_makes_no_sense(args)?;
    if args.engine == EngineName::Sm || args.sm.cta.is_some() {
        return sm::run(args);
    }
    let machine = engine::machine(&args.machine)?;
    let mut program = program::load(&args.program)?;
    load_data(&mut program, args)?;
    machine
        .validate_program(&program)
        .with_context(|| args.program.display().to_string())?;
    let dumps = args
        .dump
        .iter()
        .map(|d| Ok((d, locate(&program, d, &machine)?)))
        .collect::<Result<Vec<_>>>()?;
    let engine = engine::choose(args.engine, args.dut);
    let title = args
        .program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let trace = args
        .trace
        .as_deref()
        .map(|path| Trace::create(path, &title, machine.warps, engine))
        .transpose()?;
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
        cycles: Some(args.limit),
        instructions: args.limit,
        oracle: args.oracle,
        wave: args.vcd.clone(),
        machine,
        ..RunConfig::default()
    };

    let start = Instant::now();
    let ran = engine::run(&program, &config, engine, trace)?;
    let seconds = start.elapsed().as_secs_f64();

    print_result(args, &config.machine, &engine.name(), &ran, seconds);
    let memory = ran.end.as_ref().map(|(memory, _)| memory);
    let read = |(dump, address): &(&Dump, u32)| Some(read(dump, *address, memory?));
    let dump: Vec<_> = dumps.iter().filter_map(read).collect();
    dump.iter().for_each(print_dump);
    if let Some(path) = &args.json {
        let report = Report {
            program: args.program.display().to_string(),
            engine: engine.name(),
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
            seconds,
            counters: &ran.counters,
            dump,
        };
        write_json(path, &report)?;
    }
    for finding in &ran.findings {
        eprintln!("{finding}");
    }
    Ok(ran.ending == Ending::Done)
}

/// Options that have no meaning for the engine.
fn refuse_what_makes_no_sense(args: &RunArgs) -> Result<()> {
    let untimed = matches!(args.engine, EngineName::Golden | EngineName::Oracle);
    if untimed && args.vcd.is_some() {
        bail!(
            "--vcd: only a hardware simulation has waves; take --engine rtl, rust-hdl or lockstep"
        );
    }
    if untimed && args.oracle {
        bail!("--oracle: compares a hardware simulation; take --engine rtl, rust-hdl or lockstep");
    }
    if args.engine == EngineName::Oracle && args.trace.is_some() {
        bail!("--trace: the oracle has no warps to show; take another --engine");
    }
    Ok(())
}

pub fn load_data(program: &mut Program, args: &RunArgs) -> Result<()> {
    for load in &args.load {
        let option = || format!("--load {}={}", load.place, load.file.display());
        let name = load.file.display().to_string();
        // The symbol first: a file cannot make up for a place that does not exist.
        image::resolve(program, &load.place).with_context(option)?;
        let contents = std::fs::read(&load.file).with_context(option)?;
        let bytes = data::memory_bytes(&name, &contents)
            .map_err(anyhow::Error::msg)
            .with_context(option)?;
        image::overlay(program, &load.place, &bytes).with_context(option)?;
    }
    Ok(())
}

/// Address of what is to be dumped; it must lie in memory.
pub fn locate(program: &Program, dump: &Dump, config: &Config) -> Result<u32> {
    let option = || format!("--dump {}:{}", dump.place, dump.words);
    let address = image::resolve(program, &dump.place).with_context(option)?;
    let end = u64::from(address) + 4 * u64::from(dump.words);
    if address < MEMORY_BASE || end > u64::from(config.memory) {
        bail!(
            "{}: {address:#x}..{end:#x} lies outside memory {MEMORY_BASE:#x}..{:#x}",
            option(),
            config.memory
        );
    }
    Ok(address)
}

pub fn read(dump: &Dump, address: u32, memory: &Memory) -> DumpReport {
    let bytes = memory
        .slice(address..address + 4 * dump.words)
        .unwrap_or_default();
    let words = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    DumpReport {
        place: dump.place.to_string(),
        address,
        words,
    }
}

pub fn print_dump(dump: &DumpReport) {
    println!("{} at {:#x}:", dump.place, dump.address);
    for (line, words) in dump.words.chunks(8).enumerate() {
        let words: Vec<_> = words.iter().map(|w| format!("{w:>10}")).collect();
        println!("  [{:>4}] {}", 8 * line, words.join(" "));
    }
}

fn print_result(args: &RunArgs, config: &Config, engine: &str, ran: &Ran, seconds: f64) {
    println!(
        "{} on {engine}: {}{}; {} warps x {} threads, grid {}, {seconds:.3} s",
        args.program.display(),
        ran.ending.name(),
        if ran.oracle_agrees {
            ", oracle agrees"
        } else {
            ""
        },
        config.warps,
        config.threads,
        config.grid_size(),
    );
    ran.counters.print();
}
