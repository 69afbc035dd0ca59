//! Cuts a failing program down while it keeps failing in the same way.

use crate::case::Case;
use crate::gen::{Item, NOP};

pub fn is_nop(item: &Item) -> bool {
    *item == Item::Plain(NOP)
}

/// The smallest case found with at most `budget` runs. `fails` says whether a case still shows the failure; it is only
/// asked about changed cases.
pub fn minimise(case: &Case, budget: usize, fails: impl Fn(&Case) -> bool) -> Case {
    let mut search = Search {
        best: case.clone(),
        left: budget,
        fails,
    };
    // A cut program may run for ever; a failing one need not run longer than before.
    search.best.config.cycles = search.best.config.cycles.map(|c| c.min(200_000));
    search.simpler_setup();
    loop {
        let before = search.best.source.items.len();
        search.remove_items();
        if search.left == 0 || search.best.source.items.len() == before {
            break;
        }
    }
    search.blank_items();
    search.best
}

struct Search<F> {
    best: Case,
    left: usize,
    fails: F,
}

impl<F: Fn(&Case) -> bool> Search<F> {
    fn attempt(&mut self, candidate: Case) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let fails = (self.fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    /// Ideal lanes, no noise, fewer threads.
    fn simpler_setup(&mut self) {
        let mut candidate = self.best.clone();
        candidate.config.timing = crate::timing::Timing::default();
        candidate.config.noise = false;
        self.attempt(candidate);
        let mut grid = self.best.config.machine.grid_size();
        while grid > 1 {
            grid = grid.div_ceil(2);
            let mut candidate = self.best.clone();
            candidate.config.machine.grid = Some(grid);
            if !self.attempt(candidate) {
                break;
            }
        }
    }

    /// Removes runs of items, long runs first.
    fn remove_items(&mut self) {
        let mut length = (self.best.source.items.len() / 2).max(1);
        loop {
            let mut from = 0;
            while from < self.best.source.items.len() && self.left > 0 {
                let to = (from + length).min(self.best.source.items.len());
                let mut candidate = self.best.clone();
                candidate.source = candidate.source.without(from, to);
                if !self.attempt(candidate) {
                    from = to;
                }
            }
            if length == 1 || self.left == 0 {
                return;
            }
            length /= 2;
        }
    }

    /// What cannot be removed, because distances matter, may still be a NOP.
    fn blank_items(&mut self) {
        for index in 0..self.best.source.items.len() {
            if is_nop(&self.best.source.items[index]) {
                continue;
            }
            let mut candidate = self.best.clone();
            candidate.source.items[index] = Item::Plain(NOP);
            self.attempt(candidate);
        }
    }
}
