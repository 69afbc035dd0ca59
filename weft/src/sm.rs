//! `weft run --engine sm`, and grids of CTAs on golden machine and oracle.

use crate::check::Check;
use crate::cli::{EngineName, PolicyName, RunArgs};
use crate::dump::{load_data, print_dump, DumpReport, Wanted};
use crate::options::{Argument, Extent, LatencyOption, Place, MOST_MEMORY};
use crate::outputs::{self, Output};
use crate::printed::{self, ended, Printed};
use crate::profile::{All, Profile, Row};
use crate::report::{write_json, Ending};
use crate::sources::Compiled;
use crate::trace::TraceWriter;
use crate::{engine, image, sources, start, Told};
use anyhow::{bail, Context, Result};
use serde::Serialize;
use std::io;
use std::path::Path;
use std::time::Instant;
use weft_cc::Float;
use weft_isa::Program;
use weft_sim::{FaultCause, Launch, Memory, Record};
use weft_testbench::core::Pick;
use weft_testbench::sm::grid;
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::sm::report::{HostFault, Watcher};
use weft_testbench::sm::{Shape, SmError, SmOptions, SmReport};
use weft_testbench::timing::Latency;
use weft_testbench::wave_file::WaveFile;

#[derive(Serialize)]
struct Report<'a> {
    program: String,
    engine: &'a str,
    shape: String,
    grid: String,
    cta: String,
    ending: Ending,
    findings: &'a [String],
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sm: Option<&'a SmReport>,
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

/// What an engine came to.
struct Came {
    ending: Ending,
    findings: Vec<String>,
    /// What is to be said and is no finding.
    notes: Vec<String>,
    /// Where accesses have faulted because nothing is mapped there.
    unmapped: Vec<u32>,
    memory: Option<Memory>,
    instructions: Option<u64>,
    sm: Option<SmReport>,
    /// Files that could not be written.
    lost: Vec<anyhow::Error>,
}

/// Chrome trace of an SM: warps, and beside them their accesses.
struct Tracer {
    name: String,
    writer: TraceWriter<Output>,
    written: io::Result<()>,
}

impl Tracer {
    fn create(path: &Path, title: &str, warps: usize) -> Result<Tracer> {
        let output = Output::create("--trace", path)?;
        let name = output.name.clone();
        let writer = TraceWriter::new(output, title, warps).with_context(|| name.clone())?;
        let written = Ok(());
        Ok(Tracer {
            name,
            writer,
            written,
        })
    }

    fn finish(self) -> Result<()> {
        let Tracer {
            name,
            writer,
            written,
        } = self;
        let output = written.and_then(|()| writer.finish()).context(name)?;
        output.finish()
    }

    fn then(&mut self, write: impl FnOnce(&mut TraceWriter<Output>) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = write(&mut self.writer);
        }
    }
}

impl Watcher for Tracer {
    fn issued(&mut self, cycle: u64, warp: usize, pc: u32, mask: u64) {
        self.then(|w| w.issued(cycle, warp, pc, mask));
    }

    fn retired(&mut self, cycle: u64, record: &Record) {
        self.then(|w| w.record(cycle, record));
    }

    fn effect(&mut self, cycle: u64, warp: usize, op: u8, mask: u64) {
        let what = match op {
            0 => "load",
            1 => "store",
            4 => "lr",
            5 | 6 => "sc",
            _ => "atomic",
        };
        self.then(|w| w.access(cycle, warp, what, mask.count_ones()));
    }
}

/// Shape, launch and surroundings that the options describe.
pub fn options(args: &RunArgs) -> Result<SmOptions> {
    let (m, s) = (&args.machine, &args.sm);
    let lanes = m.lanes.unwrap_or(m.threads.min(8));
    if lanes == 0 || m.threads % lanes != 0 {
        bail!("--lanes {lanes}: a divisor of --threads {}", m.threads);
    }
    let all = m.warps.saturating_mul(m.threads).min(u32::MAX as usize) as u32;
    let (grid, cta) = match (s.cta, m.grid) {
        (Some(cta), grid) => (grid.unwrap_or(Extent([1; 3])), cta),
        // As on the other engines: threads.
        (None, grid) => (Extent([1; 3]), grid.unwrap_or(Extent([all, 1, 1]))),
    };
    if cta.product() > u64::from(all) {
        bail!(
            "--cta {cta}: {} threads, the SM has {all} (--warps {} x --threads {})",
            cta.product(),
            m.warps,
            m.threads
        );
    }
    engine::most_threads(grid.product().saturating_mul(cta.product()))?;
    if s.local.0 % 16 != 0 {
        bail!("--local {}: a multiple of 16", s.local.0);
    }
    let mut machine = m.clone();
    machine.grid = None;
    let machine = engine::machine(&machine)?;
    let locals = u64::from(s.local.0) * u64::from(all);
    if locals > MOST_MEMORY.into() {
        bail!("--local {}: {locals} bytes for {all} threads; up to {MOST_MEMORY} together are simulated here", s.local.0);
    }
    let latency = match s.memory_latency {
        LatencyOption::Fixed(n) => Latency::Fixed(n),
        LatencyOption::Random(n) => Latency::Random(n),
    };
    let shape = Shape {
        data_cache: s.cache,
        line_cache: s.icache,
        ways: s.cache_ways,
        registers: s.registers,
        float: float_lanes(args, lanes)?,
        ..Shape::of(m.warps, m.threads, lanes)
    };
    if s.scratchpad.0 > shape.scratchpad * 1024 {
        bail!("--scratchpad: the SM has {} KiB", shape.scratchpad);
    }
    Ok(SmOptions {
        shape,
        launch: Launch {
            grid: grid.0,
            cta: cta.0,
            arguments: 0,
            scratchpad: s.scratchpad.0,
            local: s.local.0,
        },
        machine: weft_sim::Config {
            stack: 0,
            float: args.compile.float == Float::Hard,
            ..machine
        },
        axi: AxiTiming {
            latency,
            any_order: matches!(latency, Latency::Random(_)),
            ..AxiTiming::default()
        },
        level: args.core.level.unwrap_or(0),
        level_mix: args.core.level_mix.unwrap_or(0),
        policy: args.core.policy.map_or(Pick::Age, PolicyName::pick),
        seed: args.seed,
        lockstep: !s.bare,
        oracle: args.oracle,
        cycles: Some(args.most_cycles()),
        livelock: args.watchdog,
        instructions: args.most_instructions(),
        ..SmOptions::default()
    })
}

/// Lanes with float: as the option says, else every second one.
fn float_lanes(args: &RunArgs, lanes: usize) -> Result<u32> {
    match (args.compile.float, args.sm.float_lanes) {
        (Float::Soft, Some(_)) => bail!("--float-lanes goes with --float hard"),
        (Float::Soft, None) => Ok(0),
        (Float::Hard, given) => Ok(given.unwrap_or((lanes as u32 / 2).max(1))),
    }
}

/// CC-016: room for the program's variables in the scratchpad.
pub fn fit_scratchpad(options: &mut SmOptions, program: &Program) -> Result<()> {
    let shared = weft_cc::shared(program);
    let most = options.shape.scratchpad;
    if shared > most * 1024 {
        bail!("the program's WEFT_SHARED variables take {shared} bytes; the SM has {most} KiB");
    }
    options.launch.scratchpad = options.launch.scratchpad.max(shared);
    Ok(())
}

/// a2, once the program says where its symbols are.
pub fn argument(program: &mut Program, given: &Argument) -> Result<u32> {
    match given {
        Argument::Word(word) => Ok(*word),
        Argument::Symbol(name) => {
            image::resolve(program, &Place::Symbol(name.clone())).context("--arguments")
        }
        Argument::Struct(words) => {
            let words = words.iter().map(|word| argument(program, word));
            let words = words.collect::<Result<Vec<_>>>()?;
            let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            image::append(program, "__arguments", bytes).context("--arguments")
        }
    }
}

/// True when nothing was found wrong.
pub fn run(args: &RunArgs) -> Result<bool> {
    let mut options = options(args)?;
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
    options.launch.arguments = argument(&mut program, &args.sm.arguments)?;
    fit_scratchpad(&mut options, &program)?;
    let wanted = Wanted::of(args, &program, &sizes, options.machine.memory)?;
    let name = match args.engine {
        EngineName::Golden => "golden",
        EngineName::Oracle => "oracle",
        _ => "sm",
    };
    let kernel = args.gpu.kernel.as_deref();
    start::enter(&mut program, kernel, start::Constructors::Launch).context("--kernel")?;
    start::set_global_pointer(&mut program)?;
    let start = Instant::now();
    let launch = &options.launch;
    let mut check = args
        .check
        .then(|| Check::new(&program, launch.threads(), 0..0));
    let mut profile = args.profile.then(|| Profile::new(options.shape.threads));
    let (checked, profiled) = (check.as_mut(), profile.as_mut());
    let mut came = come(args, &program, options.clone(), checked, profiled)?;
    if let Some(check) = check {
        check.tell(&mut came.findings, &mut came.ending);
    }
    let seconds = start.elapsed().as_secs_f64();
    let (grid, cta) = (Extent(options.launch.grid), Extent(options.launch.cta));
    let memory = came.memory.as_ref();
    let total = options.launch.total();
    let printed = memory.and_then(|memory| printed::read(&program, memory, total));
    printed::explain_lines(
        &mut came.findings,
        &mut came.ending,
        &came.unmapped,
        printed.as_ref(),
        &lines,
    );
    let dump = memory.map_or(Vec::new(), |memory| wanted.read(memory));
    // Files come first: nobody may read what is printed.
    let unsaved = memory.map_or(Vec::new(), |memory| wanted.save(memory));
    came.lost.extend(unsaved);
    if let Some(path) = &args.json {
        let report = Report {
            program: args.program.display().to_string(),
            engine: name,
            shape: options.shape.to_string(),
            grid: grid.to_string(),
            cta: cta.to_string(),
            ending: came.ending,
            findings: &came.findings,
            seconds,
            instructions: came.instructions,
            sm: came.sm.as_ref(),
            dump: &dump,
            compiled: compiled.as_ref(),
            printed: printed.as_ref(),
            profile: profile.as_ref().map(|profile| profile.rows(&lines)),
        };
        came.lost.extend(write_json(path, &report).err());
    }
    if let (Some(profile), Some(path)) = (&profile, &args.folded) {
        came.lost.extend(profile.write_folded(&lines, path).err());
    }
    if let Some(printed) = &printed {
        printed.show()?;
    }
    println!(
        "{} on {name}: {}; {}, grid {grid} of {cta} threads, {seconds:.3} s",
        args.program.display(),
        came.ending.name(),
        options.shape
    );
    if let Some(report) = &came.sm {
        print(report, &options);
    } else if let Some(instructions) = came.instructions {
        println!("  {instructions} instructions");
    }
    compiled.iter().for_each(Compiled::print);
    dump.iter().for_each(print_dump);
    if let Some(profile) = &profile {
        print!("{}", profile.table(&lines));
    }
    for line in came.findings.iter().chain(&came.notes) {
        eprintln!("{line}");
    }
    for error in &came.lost {
        eprintln!("error: {error:#}");
    }
    if !came.lost.is_empty() || came.ending == Ending::Interrupted {
        bail!(Told);
    }
    ended(came.ending == Ending::Done, printed.as_ref())
}

fn come(
    args: &RunArgs,
    program: &Program,
    options: SmOptions,
    check: Option<&mut Check>,
    mut profile: Option<&mut Profile>,
) -> Result<Came> {
    let mut unchecked = None;
    let checker = check.map_or(&mut unchecked, Check::checker);
    let ran = match args.engine {
        EngineName::Golden => {
            let mut executed = |record: &Record| {
                if let Some(profile) = &mut profile {
                    profile.executed(record);
                }
            };
            grid::checked(program, &options, &mut executed, checker)
        }
        EngineName::Oracle => grid::oracle(program, &options),
        _ => return on_sm(args, program, options, profile),
    };
    match ran {
        Ok(ran) => Ok(Came {
            ending: ending(ran.faults.is_empty() && ran.misuse.is_none()),
            findings: (ran.faults.iter())
                .map(|f| {
                    let ra = ran.threads.get(f.thread as usize).map(|t| t.registers[1]);
                    format!("fault: {f}{}", printed::caller(program, f.pc, ra))
                })
                .chain(
                    ran.misuse
                        .iter()
                        .map(|what| format!("barrier error {what}")),
                )
                .collect(),
            notes: ran.orders.into_iter().collect(),
            unmapped: ran
                .faults
                .iter()
                .filter_map(|f| unmapped(f.cause))
                .collect(),
            memory: Some(ran.memory),
            instructions: Some(ran.warp_instructions),
            sm: None,
            lost: Vec::new(),
        }),
        Err(error) => failed(error),
    }
}

fn ending(without_fault: bool) -> Ending {
    match without_fault {
        true => Ending::Done,
        false => Ending::Fault,
    }
}

fn on_sm(
    args: &RunArgs,
    program: &Program,
    mut options: SmOptions,
    profile: Option<&mut Profile>,
) -> Result<Came> {
    let title = args.program.file_name().unwrap_or_default();
    let mut tracer = match &args.trace {
        Some(path) => {
            let title = title.to_string_lossy();
            Some(Tracer::create(path, &title, options.shape.warps)?)
        }
        None => None,
    };
    let mut wave = None;
    let asked = [("--wave", &args.wave), ("--vcd", &args.vcd)];
    if let Some((option, path)) = asked.iter().find_map(|(o, p)| Some((*o, p.as_ref()?))) {
        let name = outputs::named(option, path);
        let file = WaveFile::create(path).with_context(|| name.clone())?;
        options.wave = Some(file.pipe());
        wave = Some((name, file));
    }
    let mut all = All(Vec::new());
    all.0
        .extend(tracer.as_mut().map(|tracer| tracer as &mut dyn Watcher));
    all.0
        .extend(profile.map(|profile| profile as &mut dyn Watcher));
    let ran = hardware(program, &options, &mut all);
    let mut lost = Vec::new();
    lost.extend(tracer.and_then(|tracer| tracer.finish().err()));
    lost.extend(wave.and_then(|(name, file)| file.finish().context(name).err()));
    let report = match ran {
        Ok(report) => report,
        Err(error) => return failed(error).map(|came| Came { lost, ..came }),
    };
    let width = options.shape.threads;
    let faults = report.fault.iter();
    let findings: Vec<String> = faults
        .map(|fault| {
            let caller = printed::caller(program, fault.pc, report.returns_to);
            told(fault, width) + &caller
        })
        .collect();
    let causes = report.fault.iter();
    let causes = causes.filter_map(|f| FaultCause::of_sm(f.cause, f.address));
    Ok(Came {
        ending: ending(findings.is_empty()),
        findings,
        notes: report.oracle_silent.iter().cloned().collect(),
        unmapped: causes.filter_map(unmapped).collect(),
        memory: Some(report.memory.clone()),
        instructions: Some(report.seen.issued),
        sm: Some(report),
        lost,
    })
}

/// The address at which nothing is mapped.
fn unmapped(cause: FaultCause) -> Option<u32> {
    match cause {
        FaultCause::Unmapped { address } => Some(address),
        _ => None,
    }
}

/// What the host has read at FAULT, as the golden machine says it.
fn told(fault: &HostFault, width: usize) -> String {
    let HostFault {
        warp,
        lane,
        cause,
        pc,
        address,
        cta,
    } = *fault;
    let what = match FaultCause::of_sm(cause, address) {
        Some(cause) => cause.to_string(),
        None => format!("cause {cause}, address {address:#010x}"),
    };
    format!("fault: CTA {cta}, warp {warp} of {width} threads, lane {lane}, pc {pc:#x}: {what}")
}

/// On the Verilated SM.
pub fn hardware(
    program: &Program,
    options: &SmOptions,
    watcher: &mut dyn Watcher,
) -> Result<SmReport, SmError> {
    weft_testbench::sm::verilated::run_program(program, options, watcher)
}

/// What keeps it from running at all, or how it ended.
fn failed(error: SmError) -> Result<Came> {
    let mut finding = error.to_string();
    let ending = match &error {
        SmError::Config(_) | SmError::Dut(_) | SmError::Refused | SmError::Silent(_) => {
            return Err(error.into());
        }
        SmError::Mismatch { .. } | SmError::Rule { .. } | SmError::FinalState(_) => {
            Ending::Mismatch
        }
        SmError::Hang { .. } => {
            // Hardware shows who is blocked, and not where.
            finding.push_str("\nhelp: --engine golden tells who waits at which barrier");
            Ending::Hang
        }
        SmError::Livelock { .. } => {
            finding.push_str(engine::SUSPECTED);
            Ending::Livelock
        }
        SmError::OutOfCycles(..) | SmError::OutOfInstructions(..) => {
            finding.push_str("\n  --limit N allows more");
            Ending::Limit
        }
        SmError::AloneFault(_) => Ending::Fault,
        SmError::AloneHung(_) => Ending::Hang,
        SmError::AloneLimit(_) => {
            finding.push_str("\n  --limit N allows more");
            Ending::Limit
        }
        SmError::GoldenHang(_) => Ending::Hang,
        SmError::GoldenLivelock(..) => {
            finding.push_str(engine::SUSPECTED);
            Ending::Livelock
        }
        SmError::Interrupted(_) => Ending::Interrupted,
    };
    Ok(Came {
        ending,
        findings: vec![finding],
        notes: Vec::new(),
        unmapped: Vec::new(),
        memory: None,
        instructions: None,
        sm: None,
        lost: Vec::new(),
    })
}

fn print(report: &SmReport, options: &SmOptions) {
    let (s, a, cycles) = (&report.seen, &report.axi, report.cycles);
    println!(
        "  {cycles} cycles, {} instructions, {:.3} per cycle{}",
        s.issued,
        s.issued as f64 / cycles.max(1) as f64,
        if report.oracle_agrees == Some(true) {
            ", oracle agrees"
        } else {
            ""
        }
    );
    if options.lockstep {
        let reasons = s.reasons.by_name();
        let reasons: Vec<_> = reasons.map(|(name, n)| format!("{name} {n}")).into();
        println!("  cycles: {}", reasons.join(", "));
        println!(
            "  accesses: {} loads, {} stores, {} atomics of threads ({} local, {} scratchpad) in {} effects",
            s.loads, s.stores, s.atomics, s.local, s.scratchpad, s.effects
        );
        println!(
            "  global memory: {} instructions of warps ask for {} lines",
            s.accesses, s.lines
        );
    }
    if s.modes_asked > 0 {
        println!(
            "  subv.auto: {}, {} of them sub-vector mode; decisions: {} sub-vector, {} regular",
            s.modes_asked, s.modes_subvector, s.decided_subvector, s.decided_regular
        );
    }
    if report.resident as usize != options.shape.warps || options.machine.shared_from < 32 {
        println!(
            "  registers: rows for {} warps; most resident {}, shared rows written {}",
            report.resident, s.most_warps, s.shared_rows
        );
    }
    if options.shape.data_cache > 0 {
        let c = &report.cache;
        println!(
            "  data cache: {} reads, {} hits ({:.1} %), {} lines fetched and {} ahead, {} past it; {} write hits",
            c.reads(),
            c.hits,
            100.0 * c.hits as f64 / c.reads().max(1) as f64,
            c.misses,
            c.ahead,
            c.past,
            c.write_hits
        );
    }
    println!(
        "  port: {} reads of {} bytes, {} writes of {} bytes",
        a.reads, a.bytes_read, a.writes, a.bytes_written
    );
}
