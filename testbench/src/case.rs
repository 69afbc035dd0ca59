//! One random program with everything that belongs to its run, all drawn from one seed.

use crate::gen::{self, Knobs, Source};
use crate::lockstep::Watchdog;
use crate::memory::MemoryTiming;
use crate::run_config::RunConfig;
use crate::seed::{stream, Rng};
use crate::session::Recenter;
use crate::timing::Timing;
use rand::Rng as _;
use weft_generate::Config;
use weft_sim::{Force, PathPolicy};

/// A random program and how to run it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Of this case alone.
    pub seed: u64,
    pub knobs: Knobs,
    pub source: Source,
    pub config: RunConfig,
}

/// Seed of the `index`-th case of a run.
pub fn case_seed(seed: u64, index: u64) -> u64 {
    // splitmix64 of both
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// N for W threads: mostly so small that deques reach the ends of their allocation.
/// (A PUSH recenters only where N ≥ 2 W + 2:
/// the last token stands in the upper half, and below it W places stay free.)
pub fn draw_tokens(rng: &mut Rng, threads: usize) -> usize {
    match rng.gen_range(0..8) {
        0 | 1 => threads + 1,
        2 => rng.gen_range(threads + 1..=2 * threads),
        3 | 4 => rng.gen_range(2 * threads + 2..=4 * threads),
        5 => 2 * threads,
        6 => 256,
        _ => 1023,
    }
}

/// `yield_threshold`: anything, or just what warp 0 compares it with at one of its first YIELDs (CONV-052).
pub fn draw_threshold(rng: &mut Rng, seed: u16) -> u16 {
    let any = [0x1000, 0x8000, 0xe000, rng.gen()][rng.gen_range(0..4)];
    if rng.gen_bool(0.6) {
        return any;
    }
    let step = |r: u16| r >> 1 ^ if r & 1 != 0 { 0xb400 } else { 0 };
    (0..rng.gen_range(1..6)).fold(seed.max(1), |r, _| step(r))
}

impl Case {
    /// Draws size, program, policy and timing.
    ///
    /// # Panics
    /// When `sizes` is empty.
    pub fn draw(seed: u64, sizes: &[Config]) -> Case {
        let masked = stream(seed, "masks").gen_bool(0.2);
        Case::draw_as(seed, sizes, masked)
    }

    /// The same, with mask instructions and sub-vector loops or without.
    ///
    /// # Panics
    /// When `sizes` is empty.
    pub fn draw_as(seed: u64, sizes: &[Config], masked: bool) -> Case {
        let mut setup = stream(seed, "setup");
        let size = sizes[setup.gen_range(0..sizes.len())];
        let mut knobs = Knobs::draw(&mut setup);
        if masked {
            knobs = Knobs::masked();
        }
        let room = (size.warps * size.threads) as u32;
        // Mostly few warps: what goes wrong goes wrong in one warp, and the run is shorter.
        let warps = [
            1,
            2,
            size.warps as u32,
            setup.gen_range(1..=size.warps as u32),
        ][setup.gen_range(0..4)];
        let mut grid = (warps * size.threads as u32).min(room);
        if setup.gen_bool(0.3) {
            grid = setup.gen_range(1..=grid);
        }
        let mut config = RunConfig::for_size(size);
        config.machine.tokens = draw_tokens(&mut setup, size.threads);
        config.machine.grid = Some(grid);
        config.machine.stack = gen::STACK;
        config.machine.memory = gen::memory_size(room);
        config.machine.yield_every = [0, 1, 1, 2, 3, 7][setup.gen_range(0..6)];
        config.machine.yield_random = setup.gen_bool(0.25);
        config.machine.yield_seed = setup.gen();
        config.machine.yield_threshold = draw_threshold(&mut setup, config.machine.yield_seed);
        config.machine.call_tokens = setup.gen_bool(0.4);
        config.machine.forced_yield = [0, 1, 2, 5, 16, 1024][setup.gen_range(0..6)];
        config.machine.path = PathPolicy::ALL[[0, 0, 1, 2][setup.gen_range(0..4)]];
        if masked {
            let mut parts = stream(seed, "parts");
            let lanes = 1 << parts.gen_range(0..=size.threads.ilog2());
            config.machine.lanes = Some(lanes);
            config.machine.subvector = [Force::Regular, Force::SubVector][parts.gen_range(0..2)];
            // A forced yield may leave a loop inside a masked region, and so may threads whose token is dropped
            // (MASK-060).
            config.machine.forced_yield = 0;
            config.machine.tokens = config.machine.tokens.max(2 * size.threads + 32);
        }
        config.timing = Timing::draw(&mut stream(seed, "timing"));
        config.tokens = MemoryTiming::draw(&mut stream(seed, "token memory"));
        config.recenter = [Recenter::Hardware, Recenter::Driver][setup.gen_range(0..2)];
        config.accesses = [0, 0, 5, 50][setup.gen_range(0..4)];
        config.noise = setup.gen_bool(0.7);
        config.reset = setup.gen_bool(0.5);
        config.seed = seed;
        config.oracle = true;
        config.instructions = 1_000_000;
        config.cycles = Some(20_000_000);
        config.watchdog = Watchdog {
            hang: 20_000,
            livelock: 5_000_000,
        };
        let source = gen::generate(&knobs, &mut stream(seed, "program"));
        Case {
            seed,
            knobs,
            source,
            config,
        }
    }

    /// For the head of a listing.
    pub fn describe(&self) -> String {
        let (c, m) = (&self.config, &self.config.machine);
        let yields = match m.yield_random {
            true => format!("random {:#x} seed {:#x}", m.yield_threshold, m.yield_seed),
            false => format!("every {}", m.yield_every),
        };
        format!(
            "{} (warps x threads, front and back places), {} threads, {} lanes, {:?}, {} tokens, yield {yields}, forced yield {}, {:?}, \
             call tokens {}, {:?}, {:?}, recentering by {:?}, {} register accesses in 1,000 cycles, shape {}",
            c.size(),
            m.grid_size(),
            m.lanes(),
            m.subvector,
            m.tokens,
            m.forced_yield,
            m.path,
            m.call_tokens,
            c.timing,
            c.tokens,
            c.recenter,
            c.accesses,
            self.knobs.name
        )
    }
}
