//! Threads, warps, CTAs, barriers.

use super::word::Word;

pub const CTAS: usize = 16;
/// Barrier ids of a CTA.
pub const IDS: usize = 8;
pub const BARRIERS: usize = CTAS * IDS;
/// Execution slots.
pub const SLOTS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    pub warps: usize,
    pub threads: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    #[default]
    Idle,
    /// Somebody has arrived.
    Static,
    /// Membership is complete.
    Dynamic,
    Invalid,
}

/// BAR-070
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    pub start: u64,
    /// Visits since.
    pub visits: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Barrier {
    pub state: State,
    /// In use by ARRIVE.
    pub split: bool,
    pub tag: u32,
    pub word: Word,
    pub arrivals: u32,
    pub phase: bool,
    pub rescan: bool,
    pub exit: Option<u32>,
    /// By block.
    pub seen: Vec<u64>,
    pub reset: bool,
    pub timer: Option<Timer>,
    /// The timer has run out, and nobody has looked at it yet.
    pub ran_out: bool,
    /// BAR-033: becomes INVALID when all are awake.
    pub invalidates: bool,
    /// BAR-052: no turn is left.
    pub ending: bool,
    /// Threads of the group since it is complete, by block; who joins later is not among them.
    pub members: Vec<u64>,
    /// Block and lane of the latest turn of the group.
    pub last: Option<(usize, u32)>,
    /// Somebody joined since the group is complete.
    pub joined: bool,
}

impl Barrier {
    /// An idle barrier with this phase.
    pub fn idle(phase: bool) -> Barrier {
        Barrier {
            phase,
            ..Barrier::default()
        }
    }

    pub fn seen(&self, block: usize) -> u64 {
        self.seen.get(block).copied().unwrap_or(0)
    }

    pub fn see(&mut self, block: usize, threads: u64) {
        if self.seen.len() <= block {
            self.seen.resize(block + 1, 0);
        }
        self.seen[block] |= threads;
    }
}

#[derive(Clone, Debug, Default)]
pub struct Cta {
    /// Threads that have not ended, launched or not.
    pub live: u32,
    /// Threads of its launch.
    pub threads: u32,
    /// Of those that are launched, by block: their warp slots.
    pub warps: Vec<usize>,
    pub barriers: [Barrier; IDS],
}

/// A warp slot: one bit per thread.
#[derive(Clone, Debug, Default)]
pub struct Warp {
    pub cta: usize,
    pub block: usize,
    pub live: u64,
    pub asleep: u64,
    pub done: u64,
    pub inside: u64,
    pub late: u64,
    pub odd: u64,
    pub id: Vec<u8>,
    /// BAR-032: the barrier that it is held at; its threads are `asleep`.
    pub held: Option<usize>,
    /// BAR-082
    pub told: u64,
    /// BAR-084: all that are awake are told.
    pub waits: bool,
}

impl Warp {
    /// Threads of `among` that are in barrier `id`.
    pub fn at(&self, id: usize, among: u64) -> u64 {
        lanes(among)
            .filter(|&lane| usize::from(self.id[lane as usize]) == id)
            .fold(0, |mask, lane| mask | 1 << lane)
    }

    pub fn put(&mut self, threads: u64, id: usize) {
        for lane in lanes(threads) {
            self.id[lane as usize] = id as u8;
        }
    }
}

/// The bits of a mask, ascending.
pub fn lanes(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            lane
        })
    })
}
