//! Shape and policy of a machine.

use crate::barrier::CTAS;
use crate::cache::CacheShape;
use crate::deque::MAX_TOKENS;
use crate::memory::MEMORY_BASE;
use crate::policy::{PathPolicy, Policy};
use crate::subvector::Force;
use serde::{Deserialize, Serialize};

/// Byte addresses of code are below this: a pc is a 22-bit instruction index.
pub const CODE_LIMIT: u32 = 1 << 24;

/// Most warps of one machine.
pub const MAX_WARPS: usize = 64;
/// Threads that a warp may have.
pub const THREADS: [usize; 5] = [4, 8, 16, 32, 64];

/// The part of a larger grid that a machine runs: where it begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Number of its first thread, a multiple of W.
    pub thread: u32,
    /// Number of its first CTA.
    pub cta: u32,
    /// Threads of the whole grid.
    pub grid: u32,
    /// Threads of a full CTA of the grid, of which this part may have only a smaller last one.
    pub full: u32,
}

/// A thread's stack (ISA-020): bytes `begin..end`;
/// below it lie the stacks of the threads that follow, down to `lowest`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    pub lowest: u32,
    pub begin: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Number of warps, 1..=64.
    pub warps: usize,
    /// W, threads per warp: 4, 8, 16, 32 or 64.
    pub threads: usize,
    /// N, tokens of each warp's allocation; more than W, at most 1023.
    pub tokens: usize,
    /// Threads launched; all of `warps` × `threads` when `None`. The last warp may be partial, and
    /// warps without a thread are not launched.
    pub grid: Option<u32>,
    /// `grid` is a part of a larger one; `None`: it is all.
    pub part: Option<Part>,
    /// Memory is mapped from 0x1000 up to this byte address; a multiple of 16.
    pub memory: u32,
    /// Bytes of stack per thread; a multiple of 16 above 0.
    pub stack: u32,
    /// CONV-050: 0 never, 1 always, N every N-th YIELD fires.
    pub yield_every: u16,
    /// CONV-052: a YIELD fires by chance; `yield_every` does not count.
    pub yield_random: bool,
    /// CONV-052: of 65,536 parts of all YIELDs, those that fire.
    pub yield_threshold: u16,
    /// CONV-052.
    pub yield_seed: u16,
    /// CONV-055: backward control transfers until the warp has to yield; 0 never.
    pub forced_yield: u16,
    /// CONV-011.
    pub path: PathPolicy,
    /// Calls and returns by the return-address-stack convention push and meet CALL tokens (`docs/spec/isa.md`).
    pub call_tokens: bool,
    /// ISA-040: the float words of Zfinx are instructions; without it they are illegal.
    pub float: bool,
    /// Warps of a CTA; all of them when `None`. The last CTA may have fewer.
    pub cta_warps: Option<usize>,
    /// L, lanes that a warp runs on, a divisor of W; as many as W when `None`.
    pub lanes: Option<usize>,
    /// SUBV-020: first shared register; 32: none is shared.
    pub shared_from: u8,
    /// SUBV-013.
    pub subvector: Force,
    /// SUBV-011: miss rate from which on `subv.auto` selects sub-vector mode, in 1/256.
    pub miss_threshold: u16,
    /// A data cache whose misses are counted.
    pub cache: Option<CacheShape>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            warps: 4,
            threads: 8,
            tokens: 256,
            grid: None,
            part: None,
            memory: 16 << 20,
            stack: 4096,
            yield_every: 1,
            yield_random: false,
            yield_threshold: 0,
            yield_seed: 0,
            forced_yield: 1024,
            path: PathPolicy::SmallerFirst,
            call_tokens: false,
            float: false,
            cta_warps: None,
            lanes: None,
            shared_from: 32,
            subvector: Force::Measured,
            miss_threshold: 64,
            cache: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("{0} warps: a machine has 1 to {MAX_WARPS}")]
    Warps(usize),
    #[error("{0} threads per warp: 4, 8, 16, 32 or 64 are possible")]
    Threads(usize),
    #[error("{tokens} tokens per warp: {} to {MAX_TOKENS} are possible with {threads} threads per warp", threads + 1)]
    Tokens { tokens: usize, threads: usize },
    #[error("a grid of {grid} threads does not fit: the machine has 1 to {room}")]
    Grid { grid: u32, room: u32 },
    #[error("the part of a grid that begins at thread {} does not lie in its {} threads, or does not begin a warp", .0.thread, .0.grid)]
    Part(Part),
    #[error("{0} warps per CTA: 1 or more, and at most {CTAS} CTAs")]
    Cta(usize),
    #[error("memory size {0:#x} is not a multiple of 16 above {MEMORY_BASE:#x}")]
    Memory(u32),
    #[error("stack size {0} is not a multiple of 16 above 0")]
    Stack(u32),
    #[error("{threads} stacks of {stack} bytes do not fit into memory up to {memory:#x}")]
    Stacks {
        threads: u32,
        stack: u32,
        memory: u32,
    },
    #[error(
        "the program's bytes {start:#x}..{end:#x} lie outside memory {MEMORY_BASE:#x}..{memory:#x}"
    )]
    Program { start: u32, end: u64, memory: u32 },
    #[error(
        "the program's bytes up to {end:#x} reach into the stacks, which begin at {stacks:#x}"
    )]
    Overlap { end: u64, stacks: u32 },
    #[error("the program starts at {0:#x}, which is not a multiple of 4 below {CODE_LIMIT:#x}")]
    Entry(u32),
    #[error(
        "program text {start:#x}..{end:#x} is not a range of whole words below {CODE_LIMIT:#x}"
    )]
    Text { start: u32, end: u32 },
    #[error("{lanes} lanes: a warp of {threads} threads runs on a divisor of that")]
    Lanes { lanes: usize, threads: usize },
    #[error("shared registers from x{0} on: 1 to 32 are possible, 32 for none")]
    SharedFrom(u8),
    #[error("a miss threshold of {0}/256: 0 to 256 are possible")]
    MissThreshold(u16),
    #[error("a cache of {} sets of {} lines of {} bytes: powers of two are possible, lines of at least 4 bytes", .0.sets, .0.ways, .0.line)]
    Cache(CacheShape),
}

impl Config {
    /// Threads launched.
    pub fn grid_size(&self) -> u32 {
        self.grid.unwrap_or((self.warps * self.threads) as u32)
    }

    /// L
    pub fn lanes(&self) -> usize {
        self.lanes.unwrap_or(self.threads)
    }

    /// First byte that belongs to a stack.
    pub fn stacks_begin(&self) -> u32 {
        self.memory - self.whole_grid() * self.stack
    }

    /// Threads of the grid, of which this machine may run a part.
    pub fn whole_grid(&self) -> u32 {
        self.part.map_or(self.grid_size(), |part| part.grid)
    }

    /// Number in the grid of a thread of this machine.
    pub fn number(&self, thread: u32) -> u32 {
        self.part.map_or(0, |part| part.thread) + thread
    }

    /// Number in the grid of the warp.
    pub fn warp_number(&self, warp: usize) -> u32 {
        let first = self
            .part
            .map_or(0, |part| part.thread / self.threads as u32);
        first + warp as u32
    }

    /// Number in the grid of the warp's CTA.
    pub fn cta_number(&self, warp: usize) -> u32 {
        self.part.map_or(0, |part| part.cta) + self.cta_of(warp) as u32
    }

    /// The stack of the thread with this number in the grid.
    pub fn stack_of(&self, number: u32) -> Stack {
        let end = self.memory - number * self.stack;
        Stack {
            lowest: self.stacks_begin(),
            begin: end - self.stack,
            end,
        }
    }

    /// Threads of `warp` that are launched, as a mask.
    pub fn launch_mask(&self, warp: usize) -> u64 {
        let first = (warp * self.threads) as u32;
        let count = self
            .grid_size()
            .saturating_sub(first)
            .min(self.threads as u32);
        ((1u128 << count) - 1) as u64
    }

    /// The CTA of a warp.
    pub fn cta_of(&self, warp: usize) -> usize {
        self.cta_warps.map_or(0, |each| warp / each)
    }

    /// The place of a warp in its CTA.
    pub fn block_of(&self, warp: usize) -> usize {
        self.cta_warps.map_or(warp, |each| warp % each)
    }

    /// Threads of a CTA.
    pub fn cta_threads(&self, cta: usize) -> u32 {
        let of_cta = (0..self.warps).filter(|&warp| self.cta_of(warp) == cta);
        of_cta.map(|warp| self.launch_mask(warp).count_ones()).sum()
    }

    /// What the convergence unit has to know.
    pub fn policy(&self) -> Policy {
        Policy {
            yield_every: self.yield_every,
            yield_random: self.yield_random,
            yield_threshold: self.yield_threshold,
            yield_seed: self.yield_seed,
            forced_yield: self.forced_yield,
            path: self.path,
            lanes: self.lanes() as u8,
        }
    }

    pub fn validate(&self) -> Result<(), ConfigError> {
        if !(1..=MAX_WARPS).contains(&self.warps) {
            return Err(ConfigError::Warps(self.warps));
        }
        if !THREADS.contains(&self.threads) {
            return Err(ConfigError::Threads(self.threads));
        }
        if self.tokens <= self.threads || self.tokens > MAX_TOKENS {
            return Err(ConfigError::Tokens {
                tokens: self.tokens,
                threads: self.threads,
            });
        }
        let room = (self.warps * self.threads) as u32;
        let grid = self.grid_size();
        if grid == 0 || grid > room {
            return Err(ConfigError::Grid { grid, room });
        }
        if let Some(each) = self.cta_warps {
            // Warps without a thread are in no CTA.
            let launched = (grid as usize).div_ceil(self.threads);
            if each == 0 || launched.div_ceil(each) > CTAS {
                return Err(ConfigError::Cta(each));
            }
        }
        if self.memory <= MEMORY_BASE || self.memory % 16 != 0 {
            return Err(ConfigError::Memory(self.memory));
        }
        if self.stack == 0 || self.stack % 16 != 0 {
            return Err(ConfigError::Stack(self.stack));
        }
        let lanes = self.lanes();
        if lanes == 0 || self.threads % lanes != 0 {
            return Err(ConfigError::Lanes {
                lanes,
                threads: self.threads,
            });
        }
        if !(1..=32).contains(&self.shared_from) {
            return Err(ConfigError::SharedFrom(self.shared_from));
        }
        if self.miss_threshold > 256 {
            return Err(ConfigError::MissThreshold(self.miss_threshold));
        }
        if let Some(shape) = self.cache.filter(|shape| !shape.is_valid()) {
            return Err(ConfigError::Cache(shape));
        }
        if let Some(part) = self.part {
            let end = u64::from(part.thread) + u64::from(grid);
            if part.thread % self.threads as u32 != 0 || end > u64::from(part.grid) {
                return Err(ConfigError::Part(part));
            }
        }
        let grid = self.whole_grid();
        if u64::from(grid) * u64::from(self.stack) > u64::from(self.memory - MEMORY_BASE) {
            return Err(ConfigError::Stacks {
                threads: grid,
                stack: self.stack,
                memory: self.memory,
            });
        }
        Ok(())
    }

    /// Does `program` fit into this machine?
    pub fn validate_program(&self, program: &weft_isa::Program) -> Result<(), ConfigError> {
        let stacks = self.stacks_begin();
        for segment in &program.segments {
            let (start, end) = (
                segment.address,
                u64::from(segment.address) + segment.bytes.len() as u64,
            );
            if segment.bytes.is_empty() {
                continue;
            }
            if start < MEMORY_BASE || end > u64::from(self.memory) {
                return Err(ConfigError::Program {
                    start,
                    end,
                    memory: self.memory,
                });
            }
            if end > u64::from(stacks) {
                return Err(ConfigError::Overlap { end, stacks });
            }
        }
        if program.entry % 4 != 0 || program.entry >= CODE_LIMIT {
            return Err(ConfigError::Entry(program.entry));
        }
        let (start, end) = program.text;
        if start % 4 != 0 || end % 4 != 0 || end < start || end > CODE_LIMIT || end > self.memory {
            return Err(ConfigError::Text { start, end });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl Fn(&mut Config)) -> Result<(), ConfigError> {
        let mut config = Config::default();
        change(&mut config);
        config.validate()
    }

    #[test]
    fn the_default_configuration_is_valid() {
        assert_eq!(with(|_| ()), Ok(()));
        assert_eq!(Config::default().grid_size(), 32);
    }

    #[test]
    fn every_width_takes_from_one_token_more_than_threads_to_1023() {
        for threads in THREADS {
            for tokens in [threads + 1, 256, 1023] {
                assert_eq!(with(|c| (c.tokens, c.threads) = (tokens, threads)), Ok(()));
            }
        }
        let text = ConfigError::Tokens {
            tokens: 8,
            threads: 8,
        }
        .to_string();
        assert_eq!(
            text,
            "8 tokens per warp: 9 to 1023 are possible with 8 threads per warp"
        );
    }

    #[test]
    fn settings_that_a_file_does_not_name_have_their_defaults() {
        let fields: [(&str, u32); 2] = [("threads", 16), ("tokens", 17)];
        let given = serde::de::value::MapDeserializer::<_, serde::de::value::Error>::new(
            fields.into_iter(),
        );
        let expected = Config {
            threads: 16,
            tokens: 17,
            ..Config::default()
        };
        assert_eq!(Config::deserialize(given), Ok(expected));
    }

    #[test]
    fn impossible_configurations_are_named() {
        assert_eq!(with(|c| c.warps = 0), Err(ConfigError::Warps(0)));
        assert_eq!(with(|c| c.cta_warps = Some(0)), Err(ConfigError::Cta(0)));
        assert_eq!(
            with(|c| (c.warps, c.cta_warps) = (17, Some(1))),
            Err(ConfigError::Cta(1))
        );
        assert_eq!(with(|c| c.threads = 5), Err(ConfigError::Threads(5)));
        for (tokens, threads) in [(0, 4), (4, 4), (32, 32), (64, 64), (1024, 4)] {
            assert_eq!(
                with(|c| (c.tokens, c.threads) = (tokens, threads)),
                Err(ConfigError::Tokens { tokens, threads })
            );
        }
        assert_eq!(
            with(|c| c.grid = Some(33)),
            Err(ConfigError::Grid { grid: 33, room: 32 })
        );
        assert_eq!(
            with(|c| c.grid = Some(0)),
            Err(ConfigError::Grid { grid: 0, room: 32 })
        );
        assert_eq!(
            with(|c| c.memory = 0x1000),
            Err(ConfigError::Memory(0x1000))
        );
        assert_eq!(
            with(|c| c.memory = 0x2004),
            Err(ConfigError::Memory(0x2004))
        );
        assert_eq!(with(|c| c.stack = 8), Err(ConfigError::Stack(8)));
        assert_eq!(with(|c| c.stack = 0), Err(ConfigError::Stack(0)));
        assert!(matches!(
            with(|c| c.stack = 1 << 20),
            Err(ConfigError::Stacks { .. })
        ));
        assert!(matches!(
            with(|c| c.stack = 0xffff_fff0),
            Err(ConfigError::Stacks { .. })
        ));
    }

    #[test]
    fn the_last_warp_may_be_partial_and_later_ones_empty() {
        let config = Config {
            grid: Some(11),
            ..Config::default()
        };
        let masks: Vec<u64> = (0..4).map(|w| config.launch_mask(w)).collect();
        assert_eq!(masks, [0xff, 0x07, 0, 0]);
    }

    #[test]
    fn a_program_has_to_fit() {
        let config = Config {
            memory: 0x3000,
            stack: 16,
            ..Config::default()
        };
        let program = |address, len, entry, text| weft_isa::Program {
            entry,
            segments: vec![weft_isa::Segment {
                address,
                bytes: vec![0; len],
            }],
            text,
            ..Default::default()
        };
        let check = |a, l, e, t| config.validate_program(&program(a, l, e, t));
        assert_eq!(check(0x1000, 8, 0x1000, (0x1000, 0x1008)), Ok(()));
        assert!(matches!(
            check(0xff0, 8, 0x1000, (0x1000, 0x1008)),
            Err(ConfigError::Program { .. })
        ));
        assert!(matches!(
            check(0x2fff, 8, 0x1000, (0x1000, 0x1008)),
            Err(ConfigError::Program { .. })
        ));
        assert!(matches!(
            check(0x2df8, 9, 0x1000, (0x1000, 0x1008)),
            Err(ConfigError::Overlap { .. })
        ));
        assert!(matches!(
            check(0x1000, 8, 0x1002, (0x1000, 0x1008)),
            Err(ConfigError::Entry(0x1002))
        ));
        assert!(matches!(
            check(0x1000, 8, 0x1000, (0x1000, 0x1006)),
            Err(ConfigError::Text { .. })
        ));
    }
}
