//! Which device there is, and its sizes.

use weft_sim::host::Size;
use weft_testbench::gpu::device::TINY;

/// Memory for programs: what a program counter reaches (22 bits of instructions).
pub const PROGRAMS: u32 = 16 << 20;
/// Memory for the driver's own objects, at least.
const PRIVATE: u32 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Golden,
    Verilated,
}

/// What a device is made like.
#[derive(Clone, Debug)]
pub struct Model {
    pub engine: Engine,
    pub size: Size,
    /// Bytes for arrays; programs, stacks and tokens have theirs beside it.
    pub memory: u32,
    /// Bytes of stack of a thread.
    pub stack: u32,
    /// Warp instructions of a launch, after which it is given up.
    pub limit: u64,
}

/// What was asked for; `None`: the usual.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub sms: Option<i64>,
    pub warps: Option<i64>,
    pub threads: Option<i64>,
    pub scratchpad: Option<i64>,
    pub memory: Option<i64>,
    pub stack: Option<i64>,
    pub limit: Option<i64>,
}

/// What a size may be: its name, the least and the most.
const RANGES: [(&str, i64, i64); 7] = [
    ("sms", 1, 8),
    ("warps", 1, 64),
    ("threads", 4, 64),
    ("scratchpad", 1 << 10, 1 << 20),
    ("memory", 1 << 16, 1 << 30),
    ("stack", 1 << 10, 1 << 20),
    ("limit", 1, i64::MAX),
];

impl Model {
    /// # Errors
    /// An engine or a size that there is none of, in one line.
    pub fn of(engine: &str, wanted: &Wanted) -> Result<Model, String> {
        let usual = match engine {
            "golden" => Model {
                engine: Engine::Golden,
                size: Size {
                    scratchpad: 32 << 10,
                    ..Size::default()
                },
                memory: 256 << 20,
                stack: 16 << 10,
                limit: 1_000_000_000,
            },
            "verilated" => Model {
                engine: Engine::Verilated,
                size: TINY,
                memory: 32 << 20,
                stack: 4 << 10,
                limit: 40_000_000,
            },
            other => return Err(format!("no device {other:?}: \"golden\" or \"verilated\"")),
        };
        let given = [
            wanted.sms,
            wanted.warps,
            wanted.threads,
            wanted.scratchpad,
            wanted.memory,
            wanted.stack,
            wanted.limit,
        ];
        for (given, (name, least, most)) in given.iter().zip(RANGES) {
            if let Some(given) = given.filter(|given| !(least..=most).contains(given)) {
                return Err(format!("{name}={given}: {least} to {most}"));
            }
        }
        // In their ranges all of them fit these types.
        let or = |given: Option<i64>, usual: usize| given.map_or(usual, |given| given as usize);
        let bytes = |given: Option<i64>, usual: u32| given.map_or(usual, |given| given as u32);
        let threads = or(wanted.threads, usual.size.threads);
        let model = Model {
            size: Size {
                sms: or(wanted.sms, usual.size.sms),
                warps: or(wanted.warps, usual.size.warps),
                threads,
                lanes: threads.min(8),
                scratchpad: bytes(wanted.scratchpad, usual.size.scratchpad),
                ..usual.size
            }
            .with_float(),
            memory: bytes(wanted.memory, usual.memory),
            stack: bytes(wanted.stack, usual.stack),
            limit: wanted.limit.map_or(usual.limit, |given| given as u64),
            ..usual
        };
        model.check()?;
        Ok(model)
    }

    fn check(&self) -> Result<(), String> {
        let (threads, scratchpad) = (self.size.threads, self.size.scratchpad);
        if !threads.is_power_of_two() {
            return Err(format!("threads={threads}: a power of two"));
        }
        if scratchpad % 1024 != 0 {
            return Err(format!("scratchpad={scratchpad}: a multiple of 1024"));
        }
        if self.stack % 16 != 0 {
            return Err(format!("stack={}: a multiple of 16", self.stack));
        }
        self.bytes().map(drop)
    }

    /// Bytes of the device's memory.
    ///
    /// # Errors
    /// More than a device can have.
    pub fn bytes(&self) -> Result<u32, String> {
        let threads = self.group() * self.size.sms as u32;
        let tokens = (self.size.warps * self.size.sms) as u32 * 1024 * 16;
        let own = u64::from(PROGRAMS + tokens + PRIVATE);
        let stacks = u64::from(threads) * u64::from(self.stack);
        let bytes = (u64::from(self.memory) + stacks + own).next_multiple_of(64);
        // Local memory and the scratchpad have addresses of their own from 0xC000_0000 on.
        let bytes = u32::try_from(bytes)
            .ok()
            .filter(|&bytes| bytes <= 0x8000_0000);
        bytes.ok_or_else(|| {
            format!(
                "memory={}, stack={} for each of {threads} threads, and {own} bytes of the driver's: 2 GiB at most",
                self.memory, self.stack
            )
        })
    }

    /// Threads of a CTA at most.
    pub fn group(&self) -> u32 {
        (self.size.warps * self.size.threads) as u32
    }
}
