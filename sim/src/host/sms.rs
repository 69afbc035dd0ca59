//! What is free on the SMs, and where a CTA goes (docs/spec/tasks.md, TASK-055 to TASK-057).

use super::mutation::Mutation;
use super::registers::Size;

/// CTAs that an SM has places for.
pub const PLACES: usize = 16;
/// Granules of an SM's scratchpad.
pub const GRANULES: u32 = 32;

/// A CTA that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// Slot of its task.
    pub slot: usize,
    /// Address of the descriptor.
    pub task: u32,
    /// Its number.
    pub cta: u32,
    pub warps: usize,
    /// Its granules.
    pub granules: u32,
}

#[derive(Clone, Debug)]
pub struct Sm {
    pub places: [Option<Running>; PLACES],
    pub done: u32,
    /// LOCAL_BASE, LOCAL_LIMIT, TOKEN_BASE, TOKEN_SIZE.
    pub registers: [u32; 4],
}

impl Default for Sm {
    fn default() -> Sm {
        Sm {
            places: [None; PLACES],
            done: 0,
            registers: [0; 4],
        }
    }
}

/// What a CTA needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Slot of its task, which is who the task is (TASK-056).
    pub slot: usize,
    pub threads: u32,
    pub scratchpad: u32,
}

/// Where a CTA fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    pub sm: usize,
    pub place: usize,
    pub warps: usize,
    pub granules: u32,
}

impl Fit {
    /// Byte address of its scratchpad within the SM's.
    pub fn scratchpad(&self, size: &Size) -> u32 {
        match self.granules {
            0 => 0,
            granules => granules.trailing_zeros() * (size.scratchpad / GRANULES),
        }
    }
}

impl Sm {
    pub fn running(&self) -> impl Iterator<Item = &Running> {
        self.places.iter().flatten()
    }

    pub fn free_warps(&self, size: &Size) -> usize {
        let taken: usize = self.running().map(|r| r.warps).sum();
        size.warps.saturating_sub(taken)
    }

    /// Granules that are taken.
    pub fn taken(&self) -> u32 {
        self.running().fold(0, |taken, r| taken | r.granules)
    }

    pub fn occupancy(&self, size: &Size) -> u32 {
        let free = GRANULES - self.taken().count_ones();
        let running = self.running().count() as u32;
        free << 16 | (self.free_warps(size) as u32) << 8 | running
    }

    fn fit(
        &self,
        sm: usize,
        size: &Size,
        needs: &Needs,
        mutation: Option<Mutation>,
    ) -> Option<Fit> {
        let shared = size.mix || mutation == Some(Mutation::SmsAreShared);
        if !shared && self.running().any(|r| r.slot != needs.slot) {
            return None;
        }
        let place = self.places.iter().position(Option::is_none)?;
        let warps = needs.threads.div_ceil(size.threads as u32) as usize;
        if warps > self.free_warps(size) && mutation != Some(Mutation::WarpsAreNotCounted) {
            return None;
        }
        let count = needs
            .scratchpad
            .div_ceil((size.scratchpad / GRANULES).max(1));
        let taken = match mutation {
            Some(Mutation::ScratchpadIsNotCounted) => 0,
            _ => self.taken(),
        };
        let run = ((1u64 << count) - 1) as u32;
        let mut firsts = 0..=GRANULES.checked_sub(count)?;
        let first = firsts.find(|first| taken & run.checked_shl(*first).unwrap_or(0) == 0)?;
        Some(Fit {
            sm,
            place,
            warps,
            granules: run.checked_shl(first).unwrap_or(0),
        })
    }
}

/// TASK-055: where it goes.
pub fn fit(sms: &[Sm], size: &Size, needs: &Needs, mutation: Option<Mutation>) -> Option<Fit> {
    let fits = sms.iter().enumerate();
    let fits = fits.filter_map(|(n, sm)| sm.fit(n, size, needs, mutation));
    // The first of those with most free warps.
    fits.min_by_key(|fit| std::cmp::Reverse(sms[fit.sm].free_warps(size)))
}
