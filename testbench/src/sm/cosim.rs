//! Many random programs on an SM; a failure prints how to replay it.

use super::lockstep::Blind;
use super::options::SmOptions;
use super::ports::Shape;
use super::report::{CacheCounts, Seen, SmError, SmReport, Watcher};
use crate::case::{case_seed, draw_tokens};
use crate::gen::{self, Knobs, Source};
use crate::seed::{stream, Rng};
use crate::wave_file::WaveFile;
use rand::Rng as _;
use std::path::{Path, PathBuf};
use weft_isa::Program;
use weft_sim::{Config, Force, Launch, PathPolicy};

/// How many cycles before a failure its waves begin.
const WAVE_CYCLES: u64 = 20_000;

/// A random program and what is around it.
#[derive(Clone, Debug)]
pub struct SmCase {
    pub knobs: Knobs,
    pub source: Source,
    pub options: SmOptions,
}

/// Threads of a CTA in one to three dimensions, at most `room`.
fn draw_cta(rng: &mut Rng, width: u32, room: u32) -> [u32; 3] {
    let edges = [1, width - 1, width, width + 1, 2 * width - 1, room];
    let threads = match rng.gen_bool(0.6) {
        true => edges[rng.gen_range(0..edges.len())],
        false => rng.gen_range(1..=room.min(4 * width)),
    };
    let threads = threads.clamp(1, room);
    match rng.gen_range(0..4) {
        0 => {
            let x = rng.gen_range(1..=threads);
            [x, threads / x, 1]
        }
        1 => {
            let x = rng.gen_range(1..=threads.min(5));
            let y = rng.gen_range(1..=(threads / x).min(3));
            [x, y, threads / x / y]
        }
        _ => [threads, 1, 1],
    }
}

/// Number `index` of `seed`, for an SM of this shape.
pub fn draw(seed: u64, index: u64, shape: Shape) -> SmCase {
    let seed = case_seed(seed, index);
    let rng = &mut stream(seed, "sm case");
    let masked = index % 8 == 2;
    let sharing = &mut stream(seed, "sm shared registers");
    let shared_from = match masked && sharing.gen_bool(0.7) {
        true => [16, 17, 20, 24, 25, 31][sharing.gen_range(0..6)],
        false => 32,
    };
    let width = shape.threads as u32;
    let room = (shape.resident(shared_from) * shape.threads) as u32;
    let mut knobs = match index % 4 {
        1 => Knobs::with_barriers(&mut stream(seed, "barriers")),
        _ => Knobs::draw(rng),
    };
    if masked {
        knobs = Knobs {
            shared: shared_from < 32,
            ..Knobs::masked()
        };
    }
    knobs.windows = [20, 40, 60][rng.gen_range(0..3)];
    if shape.float > 0 {
        knobs.floats = [20, 40, 80][stream(seed, "sm floats").gen_range(0..3)];
    }
    // Faults end the comparison with threads alone.
    if index % 8 == 6 {
        knobs.faults = 20;
    }
    let racy = index % 4 == 3;
    if racy {
        knobs.races = 40;
    }
    let cta = draw_cta(rng, width, room.min(gen::MOST_THREADS));
    let threads: u32 = cta.iter().product();
    let most = (gen::MOST_THREADS / threads).min([1, 2, 3, 7][rng.gen_range(0..4)]);
    let grid = match rng.gen_range(0..3) {
        0 if most >= 4 => [2, most / 2, 1],
        1 if most >= 6 => [1, 3, 2],
        _ => [most, 1, 1],
    };
    let launch = Launch {
        grid,
        cta,
        arguments: rng.gen::<u32>() & !3,
        scratchpad: (threads * gen::SCRATCH_BYTES + gen::SCRATCH_SHARED)
            .min(shape.scratchpad * 1024),
        local: gen::LOCAL_BYTES,
    };
    let mut machine = Config {
        tokens: draw_tokens(rng, shape.threads),
        memory: gen::memory_size(gen::MOST_THREADS),
        yield_every: [0, 1, 1, 2, 3, 7][rng.gen_range(0..6)],
        forced_yield: [0, 1, 2, 5, 16, 1024][rng.gen_range(0..6)],
        path: PathPolicy::ALL[[0, 0, 1, 2][rng.gen_range(0..4)]],
        shared_from,
        ..Config::default()
    };
    let yields = &mut stream(seed, "sm yields");
    machine.yield_random = yields.gen_bool(0.25);
    machine.yield_threshold = yields.gen();
    machine.yield_seed = yields.gen();
    if masked {
        let rng = &mut stream(seed, "sm modes");
        let forces = [Force::Measured, Force::Regular, Force::SubVector];
        machine.subvector = forces[[0, 0, 1, 2, 2][rng.gen_range(0..5)]];
        machine.miss_threshold = [0, 16, 64, 128, 256][rng.gen_range(0..5)];
        // A forced yield may leave a loop inside a masked region, and so may threads whose token is dropped (MASK-060).
        machine.forced_yield = 0;
        machine.tokens = machine.tokens.max(2 * shape.threads + 32);
    }
    let bad = knobs.faults != 0 && rng.gen_bool(0.5);
    let own = gen::OWN_BASE + rng.gen_range(0..launch.total()) * gen::OWN_SIZE;
    let source = gen::generate(&knobs, &mut stream(seed, "program"));
    // So each place of the line cache has its turn.
    let lines = &mut stream(seed, "sm lines");
    let source = match lines.gen_bool(0.5) {
        true => source.behind(lines.gen_range(1..64)),
        false => source,
    };
    let fetches = &mut stream(seed, "sm fetch errors");
    let (from, to) = source.program().text;
    let broken = match fetches.gen_bool(0.3) {
        true => fetches.gen_range(from / 64..to.div_ceil(64)) * 64,
        false => own,
    };
    let options = SmOptions {
        launch,
        machine,
        bad_lines: if bad { vec![broken] } else { Vec::new() },
        oracle: !racy && knobs.faults == 0 && !knobs.barriers_unlike_alone,
        cycles: Some(20_000_000),
        livelock: 5_000_000,
        instructions: 1_000_000,
        ..SmOptions::draw(seed, shape)
    };
    SmCase {
        knobs,
        source,
        options,
    }
}

impl SmCase {
    /// For the head of a listing.
    pub fn describe(&self) -> String {
        let (o, m) = (&self.options, &self.options.machine);
        let l = &o.launch;
        format!(
            "{}, grid {:?}, CTA {:?}, {} tokens, yield every {}, random {}, forced yield {}, LEVEL {:#x}, registers from x{} on shared, {:?}, {:?}, bad lines {:x?}, shape {}, \
             windows {}, races {}, barriers {}, floats {}",
            o.shape,
            l.grid,
            l.cta,
            m.tokens,
            m.yield_every,
            m.yield_random,
            m.forced_yield,
            o.level_word(),
            m.shared_from,
            m.path,
            o.axi,
            o.bad_lines,
            self.knobs.name,
            self.knobs.windows,
            self.knobs.races,
            self.knobs.barriers,
            self.knobs.floats
        )
    }
}

/// What many programs add up to.
#[derive(Clone, Debug, Default)]
pub struct SmTotals {
    pub programs: u64,
    pub oracle_compared: u64,
    /// With masked regions, predicated blocks and sub-vector loops.
    pub with_masks: u64,
    pub cycles: u64,
    pub failed: u64,
    pub overtakings: u64,
    pub axi_errors: u64,
    /// With yields at random; with levels that count; by policy.
    pub random_yields: u64,
    pub with_levels: u64,
    pub policies: [u64; 3],
    pub seen: Seen,
    pub cache: CacheCounts,
}

impl SmTotals {
    fn add(&mut self, report: &SmReport) {
        self.programs += 1;
        self.oracle_compared += u64::from(report.oracle_agrees == Some(true));
        self.cycles += report.cycles;
        self.failed += u64::from(report.fault.is_some());
        self.overtakings += report.axi.overtakings;
        self.axi_errors += report.axi.errors;
        self.seen.add(&report.seen);
        self.cache.add(report.cache);
    }
}

#[derive(Debug)]
pub struct SmFailure {
    pub index: u64,
    pub error: SmError,
    pub setup: String,
    pub replay: String,
    pub listing: Option<PathBuf>,
    pub wave: Option<PathBuf>,
}

impl std::fmt::Display for SmFailure {
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

impl std::error::Error for SmFailure {}

/// Runs a program with these options on some SM.
pub type Runner<'a> =
    dyn FnMut(&Program, &SmOptions, &mut dyn Watcher) -> Result<SmReport, SmError> + 'a;

/// Runs programs `first..first + programs` of `seed` on an SM of this shape.
/// `artefacts`: where the listing and the waves of a failure go. `progress` is called after each program.
pub fn cosim(
    seed: u64,
    (first, programs): (u64, u64),
    shape: Shape,
    run: &mut Runner,
    artefacts: Option<&Path>,
    progress: &mut dyn FnMut(u64),
) -> Result<SmTotals, Box<SmFailure>> {
    let mut totals = SmTotals::default();
    for index in first..first + programs {
        if crate::stop::requested() {
            break;
        }
        let case = draw(seed, index, shape);
        let program = case.source.program();
        let error = match run(&program, &case.options, &mut Blind) {
            Ok(report) => {
                totals.add(&report);
                totals.with_masks += u64::from(case.knobs.masked);
                totals.random_yields += u64::from(case.options.machine.yield_random);
                totals.with_levels += u64::from(case.options.level_mix != 0);
                totals.policies[usize::from(case.options.policy.code())] += 1;
                progress(index + 1 - first);
                continue;
            }
            // Whoever has ended this run has ended the making of a model as well.
            Err(SmError::Interrupted(_) | SmError::Dut(_)) if crate::stop::requested() => break,
            Err(error) => error,
        };
        let setup = case.describe();
        let replay = format!(
            "cargo weft cosim --unit sm --size {shape} --seed {seed} --first {index} --programs 1"
        );
        let (mut listing, mut wave) = (None, None);
        if let Some(folder) = artefacts {
            let _ = std::fs::create_dir_all(folder);
            let name = format!("sm-{shape}-{seed}-{index}");
            let path = folder.join(format!("{name}.s"));
            let text = case.source.listing(&format!("{error}\n{setup}\n{replay}"));
            listing = std::fs::write(&path, text).ok().map(|()| path);
            let path = folder.join(format!("{name}.vcd"));
            if let Ok(file) = WaveFile::create(&path) {
                let again = SmOptions {
                    wave: Some(file.pipe()),
                    wave_from: error.cycle().saturating_sub(WAVE_CYCLES),
                    ..case.options
                };
                let _ = run(&program, &again, &mut Blind);
                wave = file.finish().ok().map(|()| path);
            }
        }
        return Err(Box::new(SmFailure {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use weft_isa::Instr;

    /// Of the line cache of 64 sets; a program alone is much shorter.
    #[test]
    fn texts_lie_in_every_set_of_the_line_cache() {
        let mut sets = BTreeSet::new();
        for index in 0..40 {
            let case = draw(1, index, Shape::TINY);
            let text = case.source.program().text;
            assert!(text.1 <= gen::SHARED_BASE, "{}", case.describe());
            let instructions = case.source.instructions();
            let first = match instructions[0] {
                Ok(Instr::Jal { rd: 0, offset }) => offset as u32,
                _ => 0,
            };
            sets.extend((text.0 + first) / 64..text.1.div_ceil(64));
        }
        let sets: BTreeSet<u32> = sets.into_iter().map(|line| line % 64).collect();
        assert_eq!(sets.len(), 64, "{sets:?}");
    }
}
