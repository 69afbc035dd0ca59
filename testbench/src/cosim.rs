//! Random programs in lockstep: run, and on a failure print how to replay it, write waves, cut the program down.

use crate::case::{case_seed, Case};
use crate::cover::Cover;
use crate::dut::{self, DutError, OpenOptions, Opened, RtlKind};
use crate::files;
use crate::lockstep::Failure;
use crate::minimise;
use crate::report::{RunError, RunReport};
use crate::run::run_on;
use crate::session;
use crate::stop;
use crate::wave_file::WaveFile;
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use weft_generate::Config;
use weft_ports::control::Control;
use weft_sim::{Machine, Mutation, WarpStats};

#[derive(Clone, Debug)]
pub struct CosimOptions {
    pub kind: RtlKind,
    /// Sizes to choose from; empty: all that the engine has, up to `LIGHT` threads for rust-hdl, which is slow.
    pub sizes: Vec<Config>,
    /// Index of the first program.
    pub first: u64,
    /// Where waves and listings of a failure go.
    pub artefacts: PathBuf,
    /// Write waves of the failing program.
    pub waves: bool,
    /// Most runs that cutting down the failing program may take; 0: leave it as it is.
    pub minimise: usize,
    /// Tests only: a golden model that departs from the specification.
    #[doc(hidden)]
    pub mutation: Option<Mutation>,
    /// Tests only: a broken copy of the Verilog.
    #[doc(hidden)]
    pub fault: Option<String>,
}

impl Default for CosimOptions {
    fn default() -> Self {
        CosimOptions {
            kind: RtlKind::Verilated,
            sizes: Vec::new(),
            first: 0,
            artefacts: PathBuf::from("target/waves"),
            waves: true,
            minimise: 2_000,
            mutation: None,
            fault: None,
        }
    }
}

/// Most threads of a size that rust-hdl's simulation gets by default.
const LIGHT: usize = 64;

#[derive(Clone, Debug, Default, Serialize)]
pub struct CosimReport {
    pub seed: u64,
    pub programs: u64,
    pub cycles: u64,
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    /// Programs whose result was also compared with the scalar oracle; in the others a thread faulted.
    pub oracle_compared: u64,
    pub deepest_deque: usize,
    pub recentered: u64,
    pub cover: Cover,
}

/// A program on which hardware and model disagree.
#[derive(Debug)]
pub struct CosimFailure {
    pub seed: u64,
    pub index: u64,
    pub error: RunError,
    /// What was run.
    pub setup: String,
    /// Runs exactly this program again.
    pub replay: String,
    pub waves: Option<PathBuf>,
    /// The program as it was.
    pub listing: Option<PathBuf>,
    /// Cut down, with its instructions left.
    pub minimised: Option<(PathBuf, usize)>,
    /// Programs that agreed before.
    pub passed: u64,
}

impl std::fmt::Display for CosimFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "program {} of seed {}: {}",
            self.index, self.seed, self.error
        )?;
        writeln!(f, "  setup:    {}", self.setup)?;
        if let Some(path) = &self.waves {
            writeln!(f, "  waves:    {}", path.display())?;
        }
        if let Some(path) = &self.listing {
            writeln!(f, "  listing:  {}", path.display())?;
        }
        if let Some((path, left)) = &self.minimised {
            writeln!(f, "  cut down: {} ({left} instructions)", path.display())?;
        }
        write!(f, "  replay:   {}", self.replay)
    }
}

impl std::error::Error for CosimFailure {}

/// Designs that stay open between programs.
struct Bench<'a> {
    options: &'a CosimOptions,
    open: HashMap<Config, Opened>,
}

impl Bench<'_> {
    fn sizes(&self) -> Result<Vec<Config>, DutError> {
        if let Some(fault) = &self.options.fault {
            return Ok(vec![dut::open_fault(fault, None)?.config]);
        }
        if !self.options.sizes.is_empty() {
            return Ok(self.options.sizes.clone());
        }
        dut::available(self.options.kind)?;
        let mut all = dut::SIZES.to_vec();
        if self.options.kind == RtlKind::RustHdl {
            all.retain(|c| c.warps * c.threads <= LIGHT);
        }
        Ok(all)
    }

    /// A design that has been reset.
    fn fresh(&self, config: Config, seed: u64, wave: Option<&Path>) -> Result<Opened, DutError> {
        let mut opened = self.opened(config, seed, wave)?;
        session::reset(opened.control.as_mut());
        Ok(opened)
    }

    fn opened(&self, config: Config, seed: u64, wave: Option<&Path>) -> Result<Opened, DutError> {
        if let Some(fault) = &self.options.fault {
            return dut::open_fault(fault, wave);
        }
        // Half of the designs start with random contents in state that has no initial value.
        let seed = if seed & 1 == 0 { 0 } else { (seed >> 1) as u32 };
        dut::open(self.options.kind, config, &OpenOptions { seed, wave })
    }

    fn design(&mut self, config: Config, seed: u64) -> Result<&mut dyn Control, DutError> {
        if !self.open.contains_key(&config) {
            let opened = self.fresh(config, seed, None)?;
            self.open.insert(config, opened);
        }
        Ok(self
            .open
            .get_mut(&config)
            .expect("just opened")
            .control
            .as_mut())
    }
}

/// Runs programs `options.first..options.first + programs` of `seed`; fewer if somebody wants it to end ([`stop`]).
/// `progress` is called after each.
pub fn cosim(
    seed: u64,
    programs: u64,
    options: &CosimOptions,
    progress: &mut dyn FnMut(&CosimReport),
) -> Result<CosimReport, Box<CosimFailure>> {
    let mut bench = Bench {
        options,
        open: HashMap::new(),
    };
    let mut report = CosimReport {
        seed,
        ..CosimReport::default()
    };
    let sizes = bench
        .sizes()
        .map_err(|e| failure(seed, options.first, options, e.into(), String::new(), 0))?;
    for index in options.first..options.first.saturating_add(programs) {
        if stop::requested() {
            break;
        }
        let case = Case::draw(case_seed(seed, index), &sizes);
        let mut cover = Cover::default();
        let design = match bench.design(case.config.size(), case.seed) {
            Ok(design) => design,
            // Whoever has ended this run has ended the making of a model as well.
            Err(_) if stop::requested() => break,
            Err(e) => {
                let (setup, passed) = (case.describe(), report.programs);
                return Err(failure(seed, index, options, e.into(), setup, passed));
            }
        };
        match run_case(design, &case, options.mutation, Some(&mut cover)) {
            Ok(run) => {
                let WarpStats {
                    warp_instructions,
                    thread_instructions,
                    deepest_deque,
                    ..
                } = run.stats.total;
                report.programs += 1;
                report.cycles += run.cycles.unwrap_or(0);
                report.warp_instructions += warp_instructions;
                report.thread_instructions += thread_instructions;
                report.oracle_compared += u64::from(run.oracle_agrees == Some(true));
                report.deepest_deque = report.deepest_deque.max(deepest_deque);
                report.recentered += run.recentered;
                report.cover.add(&cover);
                progress(&report);
            }
            Err(RunError::Interrupted(_) | RunError::Failure(Failure::Interrupted(_))) => break,
            Err(error) => {
                let mut found = failure(
                    seed,
                    index,
                    options,
                    error,
                    case.describe(),
                    report.programs,
                );
                investigate(&bench, &case, &mut found);
                return Err(found);
            }
        }
    }
    Ok(report)
}

/// One program on one design that is at rest.
pub fn run_case(
    control: &mut dyn Control,
    case: &Case,
    mutation: Option<Mutation>,
    cover: Option<&mut Cover>,
) -> Result<RunReport, RunError> {
    let program = case.source.program();
    let machine = &case.config.machine;
    let mut golden = Machine::new(&program, machine)?;
    if let Some(mutation) = mutation {
        golden = golden.with_mutation(mutation);
    }
    let Some(cover) = cover else {
        return run_on(
            control,
            &program,
            &case.config,
            Some(golden),
            &mut [],
            false,
        );
    };
    cover.begins(case.config.size(), case.config.levels());
    for warp in 0..machine.warps {
        let mask = machine.launch_mask(warp);
        if mask != 0 {
            cover.launched(mask, machine.threads);
        }
    }
    let report = run_on(
        control,
        &program,
        &case.config,
        Some(golden),
        &mut [&mut *cover],
        true,
    )?;
    report.faults.iter().for_each(|_| cover.faulted());
    Ok(report)
}

fn failure(
    seed: u64,
    index: u64,
    options: &CosimOptions,
    error: RunError,
    setup: String,
    passed: u64,
) -> Box<CosimFailure> {
    let replay = replay(seed, index, 1, options);
    Box::new(CosimFailure {
        seed,
        index,
        error,
        setup,
        replay,
        waves: None,
        listing: None,
        minimised: None,
        passed,
    })
}

fn replay(seed: u64, first: u64, programs: u64, options: &CosimOptions) -> String {
    let engine = options.kind.name();
    let sizes: Vec<_> = options.sizes.iter().map(ToString::to_string).collect();
    let sizes = if sizes.is_empty() {
        String::new()
    } else {
        format!(" --sizes {}", sizes.join(","))
    };
    format!("cargo weft cosim --seed {seed} --programs {programs} --first {first} --engine {engine}{sizes}")
}

/// Listing, waves, and a smaller program that fails in the same way. What cannot be written is left out: the failure
/// itself matters more.
fn investigate(bench: &Bench, case: &Case, found: &mut CosimFailure) {
    let options = bench.options;
    let folder = &options.artefacts;
    let name = format!("cosim-{}-{}", found.seed, found.index);
    let _ = std::fs::create_dir_all(folder);
    let head = format!("{}\n{}\n{}", found.error, found.setup, found.replay);
    let write = |suffix: &str, text: String| {
        let path = folder.join(format!("{name}{suffix}.s"));
        files::write(&path, text).ok().map(|()| path)
    };
    found.listing = write("", case.source.listing(&head));
    let again = |case: &Case, wave: Option<&Path>| -> Result<(), RunError> {
        let mut opened = bench.fresh(case.config.size(), case.seed, wave)?;
        run_case(opened.control.as_mut(), case, options.mutation, None).map(|_| ())
    };
    if again(case, None).is_ok() {
        // It needs what earlier programs left behind.
        found.replay = replay(
            found.seed,
            options.first,
            found.index - options.first + 1,
            options,
        );
        return;
    }
    if options.waves {
        let path = folder.join(format!("{name}.vcd"));
        if let Ok(wave) = WaveFile::create(&path) {
            let _ = again(case, Some(&wave.pipe()));
            found.waves = wave.finish().ok().map(|()| path);
        }
    }
    if options.minimise > 0 {
        if let RunError::Failure(failure) = &found.error {
            let class = failure.class();
            let fails = |case: &Case| match again(case, None) {
                Err(RunError::Failure(f)) => {
                    f.class() == class && !matches!(f, Failure::OutOfCycles(_))
                }
                _ => false,
            };
            let small = minimise::minimise(case, options.minimise, fails);
            let left = small
                .source
                .items
                .iter()
                .filter(|i| !minimise::is_nop(i))
                .count();
            let text = small
                .source
                .listing(&format!("{head}\ncut down; {}", small.describe()));
            found.minimised = write("-min", text).map(|path| (path, left));
        }
    }
}
