//! Many random programs on the core; a failure prints how to replay it.

use super::options::{CoreOptions, Pick, Width};
use super::report::{CoreError, CoreReport, Happened};
use super::run::run_program;
use crate::case::{case_seed, Case};
use crate::files;
use crate::gen::{self, Knobs};
use crate::seed::stream;
use crate::stop;
use crate::wave_file::WaveFile;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use weft_generate::Config;

/// How many cycles before a failure its waves begin.
const WAVE_CYCLES: u64 = 20_000;

/// What many programs add up to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    pub programs: u64,
    pub ctas: u64,
    pub oracle_compared: u64,
    pub cycles: u64,
    pub issued: u64,
    /// With barriers.
    pub with_barriers: u64,
    /// With masked regions, predication and sub-vector loops.
    pub with_masks: u64,
    /// Programs by policy.
    pub policies: BTreeMap<&'static str, u64>,
    pub happened: Happened,
}

impl Totals {
    /// Those of other programs.
    pub fn join(&mut self, other: &Totals) {
        self.programs += other.programs;
        self.ctas += other.ctas;
        self.oracle_compared += other.oracle_compared;
        self.cycles += other.cycles;
        self.issued += other.issued;
        self.with_barriers += other.with_barriers;
        self.with_masks += other.with_masks;
        for (policy, programs) in &other.policies {
            *self.policies.entry(policy).or_default() += programs;
        }
        self.happened.add(&other.happened);
    }

    fn add(&mut self, report: &CoreReport) {
        self.programs += 1;
        self.ctas += report.ctas.len() as u64;
        let compared = report
            .ctas
            .iter()
            .filter(|c| c.oracle_agrees == Some(true))
            .count();
        self.oracle_compared += compared as u64;
        self.cycles += report.cycles;
        self.issued += report.issued;
        *self.policies.entry(report.policy.name()).or_default() += 1;
        self.happened.add(&report.happened);
    }
}

/// A random program with everything around it: number `index` of `seed`.
pub fn draw(
    seed: u64,
    index: u64,
    warps: usize,
    threads: usize,
    width: Width,
) -> (Case, CoreOptions) {
    let size = Config::usual(warps, threads);
    let masked = index % 4 == 2;
    let mut case = Case::draw_as(case_seed(seed, index), &[size], masked);
    let grid = case.config.machine.grid_size();
    let barriers = index % 2 == 1;
    let mut options = CoreOptions {
        // All policies come up alike.
        policy: Pick::ALL[(index / 2) as usize % Pick::ALL.len()],
        width,
        ..CoreOptions::draw(case.seed, warps, threads, grid)
    };
    if barriers {
        case.knobs = Knobs::with_barriers(&mut stream(case.seed, "barriers"));
        case.config.oracle = !case.knobs.barriers_unlike_alone;
    }
    // Faults are rare in most shapes.
    if index % 5 == 4 && !masked {
        case.knobs.faults = 6;
    }
    // Programs that set the levels of their warps, where that counts.
    if index % 4 == 0 {
        case.knobs.levels = 15;
        options.level_mix |= 1;
    }
    if barriers || (index % 5 == 4 && !masked) || case.knobs.levels != 0 {
        case.source = gen::generate(&case.knobs, &mut stream(case.seed, "program"));
    }
    // The largest CTA has to fit as well.
    case.config.machine.grid = None;
    (case, options)
}

#[derive(Debug)]
pub struct CoreFailure {
    pub index: u64,
    pub error: CoreError,
    pub setup: String,
    pub replay: String,
    pub listing: Option<PathBuf>,
    pub wave: Option<PathBuf>,
}

impl std::fmt::Display for CoreFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "program {}: {}", self.index, self.error)?;
        writeln!(f, "  setup:   {}", self.setup)?;
        if let Some(path) = &self.listing {
            writeln!(f, "  listing: {}", path.display())?;
        }
        if let Some(path) = &self.wave {
            writeln!(f, "  waves:   {}", path.display())?;
        }
        write!(f, "  replay:  {}", self.replay)
    }
}

impl std::error::Error for CoreFailure {}

/// Runs programs `first..first + programs` of `seed` in lockstep on a core of this size;
/// fewer if somebody wants it to end. `artefacts`: where the listing and the
/// waves of a failure go.
pub fn cosim(
    seed: u64,
    first: u64,
    programs: u64,
    (warps, threads, width): (usize, usize, Width),
    artefacts: Option<PathBuf>,
) -> Result<Totals, Box<CoreFailure>> {
    let mut totals = Totals::default();
    for index in first..first.saturating_add(programs) {
        if stop::requested() {
            break;
        }
        let (case, options) = draw(seed, index, warps, threads, width);
        let program = case.source.program();
        let error = match run_program(&program, &case.config, &options) {
            Ok(report) => {
                totals.add(&report);
                totals.with_barriers += u64::from(case.knobs.barriers != 0);
                totals.with_masks += u64::from(case.knobs.masked);
                continue;
            }
            Err(CoreError::Interrupted(..)) => break,
            // Whoever has ended this run has ended the making of a model as well.
            Err(CoreError::Dut(_)) if stop::requested() => break,
            Err(error) => error,
        };
        let setup = format!("{}; {options:?}", case.describe());
        let dual = if width.is_dual() { " --dual" } else { "" };
        let replay = format!(
            "cargo weft cosim --unit core --sizes {size} --partitions {partitions}{dual} --seed {seed} --first {index} --programs 1",
            size = Config::usual(warps, threads),
            partitions = width.partitions(),
        );
        let width = width.name();
        let (mut listing, mut wave) = (None, None);
        if let Some(folder) = &artefacts {
            let _ = std::fs::create_dir_all(folder);
            let name = format!("core-{warps}x{threads}-{width}-{seed}-{index}");
            let path = folder.join(format!("{name}.s"));
            let text = case.source.listing(&format!("{error}\n{setup}\n{replay}"));
            listing = files::write(&path, text).ok().map(|()| path);
            let path = folder.join(format!("{name}.vcd"));
            if let Ok(file) = WaveFile::create(&path) {
                let mut config = case.config.clone();
                config.wave = Some(file.pipe());
                config.wave_from = error.cycle().saturating_sub(WAVE_CYCLES);
                let _ = run_program(&program, &config, &options);
                wave = file.finish().ok().map(|()| path);
            }
        }
        return Err(Box::new(CoreFailure {
            index,
            error,
            setup,
            replay,
            listing,
            wave,
        }));
    }
    Ok(totals)
}
