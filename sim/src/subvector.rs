//! Sub-vector mode: which registers its threads may use, and when `subv.auto` selects it.
//! Spec: `docs/spec/subvector.md`.

use crate::memory::FaultCause;
use serde::{Deserialize, Serialize};
use weft_isa::Instr;

/// SUBV-013: who selects the mode at `subv.auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Force {
    /// The miss rate.
    #[default]
    Measured,
    Regular,
    SubVector,
}

/// SUBV-011, SUBV-012: the mode by the measured miss rate of regular mode.
#[derive(Clone, Debug)]
pub struct Selector {
    force: Force,
    /// In 1/256.
    threshold: u64,
    accesses: u64,
    misses: u64,
    /// `subv.auto` that still select sub-vector mode.
    left: u32,
    /// For how many the next decision for it holds.
    span: u32,
}

impl Selector {
    /// Accesses until a decision.
    pub const WINDOW: u64 = 256;
    /// For how many `subv.auto` the first decision for sub-vector mode holds, and the longest one.
    pub const SPAN: u32 = 64;
    pub const LONGEST_SPAN: u32 = 4096;

    pub fn new(force: Force, threshold: u16) -> Selector {
        Selector {
            force,
            threshold: threshold.into(),
            accesses: 0,
            misses: 0,
            left: 0,
            span: Self::SPAN,
        }
    }

    /// SUBV-041: from now on.
    pub fn configure(&mut self, force: Force, threshold: u16) {
        (self.force, self.threshold) = (force, threshold.into());
    }

    /// For how many `subv.auto` more the mode is sub-vector mode, and for how many the next decision for it holds.
    pub fn hold(&self) -> (u32, u32) {
        (self.left, self.span)
    }

    /// Accesses and misses of the window so far.
    pub fn window(&self) -> (u64, u64) {
        (self.accesses, self.misses)
    }

    /// An access to the cache in regular mode. Gives what it decides, if it completes a window: is it sub-vector mode?
    pub fn count(&mut self, miss: bool) -> Option<bool> {
        self.accesses += 1;
        self.misses += u64::from(miss);
        if self.accesses < Self::WINDOW {
            return None;
        }
        let pays = self.misses * 256 >= self.threshold * self.accesses;
        (self.left, self.span) = match pays {
            true => (self.span, (2 * self.span).min(Self::LONGEST_SPAN)),
            false => (0, Self::SPAN),
        };
        (self.accesses, self.misses) = (0, 0);
        Some(pays)
    }

    /// A `subv.auto`: is it a `subv.start`?
    pub fn select(&mut self) -> bool {
        match self.force {
            Force::Regular => false,
            Force::SubVector => true,
            Force::Measured => {
                let selected = self.left > 0;
                self.left = self.left.saturating_sub(1);
                selected
            }
        }
    }
}

/// SUBV-021, SUBV-022: the register file with registers from `shared_from` on shared by the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterFile {
    /// P
    pub parts: u32,
    /// F; 32: nothing is shared.
    pub shared_from: u32,
}

impl RegisterFile {
    /// Rows of L words that a warp takes.
    pub fn rows(&self) -> u32 {
        self.shared_from * self.parts + (32 - self.shared_from)
    }

    /// Row of a register of a part, from the warp's base.
    pub fn row(&self, register: u32, part: u32) -> u32 {
        match register < self.shared_from {
            true => register * self.parts + part,
            false => self.shared_from * self.parts + (register - self.shared_from),
        }
    }

    /// Rows that sharing saves per warp.
    pub fn saved(&self) -> u32 {
        32 * self.parts - self.rows()
    }

    /// Warps for which a file of `rows` rows has room.
    pub fn resident(&self, rows: u32) -> u32 {
        rows / self.rows()
    }
}

/// SUBV-023: the threads of a warp that are in sub-vector mode, and who wrote the shared registers last.
#[derive(Clone, Debug)]
pub struct Parts {
    lanes: usize,
    shared_from: u8,
    /// For each thread, the instruction index at which its loop ends; `None` outside the mode.
    end: Vec<Option<u32>>,
    /// For each place of a part and each register, the thread whose value it holds.
    owner: Vec<[Option<u8>; 32]>,
}

impl Parts {
    pub fn new(width: usize, lanes: usize, shared_from: u8) -> Parts {
        Parts {
            lanes,
            shared_from,
            end: vec![None; width],
            owner: vec![[None; 32]; lanes],
        }
    }

    /// A loop that ends at `end` begins for a thread. The loop that it is in, if any, goes on.
    pub fn enter(&mut self, lane: usize, end: u32) {
        let (at, own) = (lane % self.lanes, Some(lane as u8));
        if self.end[lane].is_none() {
            self.end[lane] = Some(end);
            for owner in self.owner[at].iter_mut().filter(|owner| **owner == own) {
                *owner = None;
            }
        }
    }

    /// A thread is about to execute the instruction at `pc`.
    pub fn arrive(&mut self, lane: usize, pc: u32) {
        if self.end[lane] == Some(pc) {
            self.end[lane] = None;
        }
    }

    /// Is the thread in sub-vector mode?
    pub fn contains(&self, lane: usize) -> bool {
        self.end[lane].is_some()
    }

    /// May the thread use the registers of `instr`? Notes what it writes.
    pub fn access(&mut self, instr: Instr, lane: usize) -> Result<(), FaultCause> {
        if self.shared_from >= 32 {
            return Ok(());
        }
        let [rd, sources @ ..] = instr.registers();
        let shared = |register: &u8| *register >= self.shared_from;
        let inside = self.contains(lane);
        let (at, own) = (lane % self.lanes, Some(lane as u8));
        for register in sources.into_iter().flatten().filter(shared) {
            if !inside || self.owner[at][usize::from(register)] != own {
                return Err(FaultCause::SharedRegister { register, inside });
            }
        }
        if let Some(register) = rd.filter(shared) {
            if !inside {
                return Err(FaultCause::SharedRegister { register, inside });
            }
            self.owner[at][usize::from(register)] = own;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subv_021_every_row_is_used_and_only_shared_rows_twice() {
        for parts in [1, 2, 4, 8, 16] {
            for shared_from in 0..=32 {
                let file = RegisterFile { parts, shared_from };
                let mut users = vec![0; file.rows() as usize];
                for register in 0..32 {
                    for part in 0..parts {
                        users[file.row(register, part) as usize] += 1;
                    }
                }
                let shared = users.iter().filter(|&&n| n == parts).count() as u32;
                assert!(users.iter().all(|&n| n == 1 || n == parts));
                assert!(parts == 1 || shared == 32 - shared_from);
                assert_eq!(file.saved(), (32 - shared_from) * (parts - 1));
            }
        }
    }

    /// SUBV-022.
    #[test]
    fn subv_022_resident_warps() {
        let file = |shared_from| RegisterFile {
            parts: 4,
            shared_from,
        };
        assert_eq!(file(32).resident(1024), 8);
        assert_eq!((file(16).rows(), file(16).saved()), (80, 48));
        assert_eq!(file(16).resident(1024), 12);
    }

    #[test]
    fn subv_011_a_window_decides_at_the_threshold() {
        for (misses, selected) in [(0, false), (63, false), (64, true), (256, true)] {
            let mut selector = Selector::new(Force::Measured, 64);
            for n in 0..256 {
                assert!(!selector.select(), "before the first decision");
                selector.count(n < misses);
            }
            assert_eq!(selector.select(), selected, "{misses}");
        }
    }

    #[test]
    fn subv_012_the_decision_holds_for_a_span_and_regular_mode_is_measured_again() {
        let mut selector = Selector::new(Force::Measured, 1);
        let window = |selector: &mut Selector, miss| {
            (0..256).for_each(|_| {
                selector.count(miss);
            });
        };
        window(&mut selector, true);
        assert_eq!((0..100).filter(|_| selector.select()).count(), 64);
        assert!(!selector.select());
        window(&mut selector, true);
        assert_eq!((0..200).filter(|_| selector.select()).count(), 128);
        window(&mut selector, false);
        assert!(!selector.select());
        window(&mut selector, true);
        assert_eq!((0..200).filter(|_| selector.select()).count(), 64);
    }

    #[test]
    fn subv_013_force_bits_overrule_what_is_measured() {
        let mut regular = Selector::new(Force::Regular, 0);
        (0..255).for_each(|_| assert_eq!(regular.count(true), None));
        assert_eq!(regular.count(true), Some(true));
        assert!(!regular.select());
        assert!(Selector::new(Force::SubVector, 256).select());
    }
}
