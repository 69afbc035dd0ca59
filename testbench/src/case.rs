//! One random program with everything that belongs to its run, all drawn from one seed.

use crate::gen::{self, Knobs, Source};
use crate::lockstep::Watchdog;
use crate::run::RunConfig;
use crate::seed::stream;
use crate::timing::Timing;
use rand::Rng as _;
use weft_hdl::Config;
use weft_sim::PathPolicy;

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

impl Case {
    /// Draws size, program, policy and timing.
    ///
    /// # Panics
    /// When `sizes` is empty.
    pub fn draw(seed: u64, sizes: &[Config]) -> Case {
        let mut setup = stream(seed, "setup");
        let size = sizes[setup.gen_range(0..sizes.len())];
        let knobs = Knobs::draw(&mut setup);
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
        let mut config = RunConfig::default();
        config.machine.warps = size.warps;
        config.machine.threads = size.threads;
        config.machine.grid = Some(grid);
        config.machine.stack = 16;
        config.machine.memory = gen::memory_size(room);
        config.machine.yield_every = [0, 1, 1, 2, 3, 7][setup.gen_range(0..6)];
        config.machine.forced_yield = [0, 1, 2, 5, 16, 1024][setup.gen_range(0..6)];
        config.machine.path = PathPolicy::ALL[[0, 0, 1, 2][setup.gen_range(0..4)]];
        config.timing = Timing::draw(&mut stream(seed, "timing"));
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
        let m = &self.config.machine;
        format!(
            "{}x{} (warps x threads), {} threads, yield every {}, forced yield {}, {:?}, {:?}, shape {}",
            m.warps,
            m.threads,
            m.grid_size(),
            m.yield_every,
            m.forced_yield,
            m.path,
            self.config.timing,
            self.knobs.name
        )
    }
}
