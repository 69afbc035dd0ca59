//! Which device there is, and its sizes.

use weft_sim::host::Size;
use weft_testbench::gpu::device::TINY;

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
    pub sms: Option<usize>,
    pub warps: Option<usize>,
    pub threads: Option<usize>,
    pub scratchpad: Option<u32>,
    pub memory: Option<u32>,
    pub stack: Option<u32>,
    pub limit: Option<u64>,
}

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
        let threads = wanted.threads.unwrap_or(usual.size.threads);
        let model = Model {
            size: Size {
                sms: wanted.sms.unwrap_or(usual.size.sms),
                warps: wanted.warps.unwrap_or(usual.size.warps),
                threads,
                lanes: threads.min(8),
                scratchpad: wanted.scratchpad.unwrap_or(usual.size.scratchpad),
                ..usual.size
            }
            .with_float(),
            memory: wanted.memory.unwrap_or(usual.memory),
            stack: wanted.stack.unwrap_or(usual.stack),
            limit: wanted.limit.unwrap_or(usual.limit),
            ..usual
        };
        model.check()?;
        Ok(model)
    }

    fn check(&self) -> Result<(), String> {
        let Size {
            sms,
            warps,
            threads,
            scratchpad,
            ..
        } = self.size;
        let range =
            |name: &str, value: u64, least: u64, most: u64| match (least..=most).contains(&value) {
                true => Ok(()),
                false => Err(format!("{name}={value}: {least} to {most}")),
            };
        range("sms", sms as u64, 1, 8)?;
        range("warps", warps as u64, 1, 64)?;
        range("threads", threads as u64, 4, 64)?;
        if !threads.is_power_of_two() {
            return Err(format!("threads={threads}: a power of two"));
        }
        range("scratchpad", scratchpad.into(), 1 << 10, 1 << 20)?;
        range("memory", self.memory.into(), 1 << 16, 1 << 30)?;
        range("stack", self.stack.into(), 1 << 10, 1 << 20)?;
        range("limit", self.limit, 1, u64::MAX)?;
        if scratchpad % 1024 != 0 {
            return Err(format!("scratchpad={scratchpad}: a multiple of 1024"));
        }
        if self.stack % 16 != 0 {
            return Err(format!("stack={}: a multiple of 16", self.stack));
        }
        Ok(())
    }

    /// Threads of a CTA at most.
    pub fn group(&self) -> u32 {
        (self.size.warps * self.size.threads) as u32
    }
}
