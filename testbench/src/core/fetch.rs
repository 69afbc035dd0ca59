//! The memory of instruction lines: latency, back-pressure, order.

use super::options::CoreOptions;
use crate::seed::{stream, Rng};
use crate::timing::Latency;
use rand::Rng as _;
use weft_sim::Memory;

/// Instructions of a line.
const LINE: u32 = 16;

/// What `line_*` shows for one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub warp: u8,
    pub slot: u8,
    pub data: [u64; 8],
}

pub struct Fetch {
    /// The program as it was loaded; nothing that is stored later.
    image: Memory,
    latency: Latency,
    stall: u32,
    any_order: bool,
    pending: Vec<(u64, u8, u32)>,
    draws: Rng,
}

impl Fetch {
    pub fn new(image: Memory, options: &CoreOptions) -> Fetch {
        Fetch {
            image,
            latency: options.fetch,
            stall: options.fetch_stall,
            any_order: options.any_order,
            pending: Vec::new(),
            draws: stream(options.seed, "instruction lines"),
        }
    }

    pub fn ready(&mut self) -> bool {
        self.stall == 0 || self.draws.gen_range(0..100) >= self.stall
    }

    pub fn requested(&mut self, cycle: u64, warp: u8, line: u32) -> Result<(), String> {
        if let Some(&(_, _, other)) = self
            .pending
            .iter()
            .find(|p| p.1 == warp && p.2 & 1 == line & 1)
        {
            return Err(format!(
                "warp {warp} asks for line {line:#x} while {other:#x} of the same slot is awaited"
            ));
        }
        let latency = match self.latency {
            Latency::Fixed(cycles) => cycles.max(1),
            Latency::Random(most) => self.draws.gen_range(1..=most.max(1)),
        };
        self.pending.push((cycle + u64::from(latency), warp, line));
        Ok(())
    }

    /// The line that comes in this cycle.
    pub fn line(&mut self, cycle: u64) -> Option<Line> {
        let due = self
            .pending
            .iter()
            .enumerate()
            .filter(|(_, p)| p.0 <= cycle);
        let index = match self.any_order {
            true => {
                let due: Vec<_> = due.map(|(index, _)| index).collect();
                match due.is_empty() {
                    true => return None,
                    false => due[self.draws.gen_range(0..due.len())],
                }
            }
            false => due.min_by_key(|(_, p)| p.0)?.0,
        };
        let (_, warp, line) = self.pending.remove(index);
        let word = |n| u64::from(self.word(line * LINE + n));
        Some(Line {
            warp,
            slot: (line & 1) as u8,
            data: std::array::from_fn(|n| word(2 * n as u32) | word(2 * n as u32 + 1) << 32),
        })
    }

    /// The instruction word at an index; 0, which is no instruction, where nothing is mapped.
    pub fn word(&self, index: u32) -> u32 {
        self.image.read_u32(index << 2).unwrap_or(0)
    }
}
