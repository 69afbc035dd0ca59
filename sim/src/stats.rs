//! Counters.

use serde::Serialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WarpStats {
    /// Instructions that the warp retired; forced yields are none.
    pub warp_instructions: u64,
    /// Instructions that its threads completed.
    pub thread_instructions: u64,
    /// Cycles that the lanes were in use for (MASK-070).
    pub passes: u64,
    /// PUSH and CALL operations, also those that were redundant or dropped.
    pub pushes: u64,
    pub redundant_pushes: u64,
    pub dropped_pushes: u64,
    /// SPILL-021.
    pub recentered: u64,
    /// Operations after which the warp went on in two groups (CONV-010).
    pub divergences: u64,
    /// YIELD operations that fired.
    pub yields_fired: u64,
    pub forced_yields: u64,
    /// Most tokens that were ever in the deque.
    pub deepest_deque: usize,
}

impl WarpStats {
    /// Sums, and the larger `deepest_deque`.
    pub fn add(&mut self, other: &WarpStats) {
        self.warp_instructions += other.warp_instructions;
        self.thread_instructions += other.thread_instructions;
        self.passes += other.passes;
        self.pushes += other.pushes;
        self.redundant_pushes += other.redundant_pushes;
        self.dropped_pushes += other.dropped_pushes;
        self.recentered += other.recentered;
        self.divergences += other.divergences;
        self.yields_fired += other.yields_fired;
        self.forced_yields += other.forced_yields;
        self.deepest_deque = self.deepest_deque.max(other.deepest_deque);
    }

    /// Part of the lanes that worked, 0 to 1; 0 when nothing ran.
    pub fn simd_efficiency(&self, width: usize) -> f64 {
        if self.warp_instructions == 0 {
            return 0.0;
        }
        self.thread_instructions as f64 / (self.warp_instructions as f64 * width as f64)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// W
    pub width: usize,
    pub simd_efficiency: f64,
    /// Sums, and the maximum of `deepest_deque`.
    pub total: WarpStats,
    pub warps: Vec<WarpStats>,
}

impl Stats {
    pub fn new(width: usize, warps: Vec<WarpStats>) -> Stats {
        let mut total = WarpStats::default();
        warps.iter().for_each(|warp| total.add(warp));
        Stats {
            width,
            simd_efficiency: total.simd_efficiency(width),
            total,
            warps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_sums_and_the_deepest_deque_a_maximum() {
        let a = WarpStats {
            warp_instructions: 10,
            thread_instructions: 40,
            deepest_deque: 3,
            ..Default::default()
        };
        let b = WarpStats {
            warp_instructions: 10,
            thread_instructions: 20,
            deepest_deque: 5,
            ..Default::default()
        };
        let stats = Stats::new(4, vec![a, b]);
        assert_eq!(stats.total.thread_instructions, 60);
        assert_eq!(stats.total.deepest_deque, 5);
        assert_eq!(stats.simd_efficiency, 0.75);
    }

    #[test]
    fn a_machine_that_did_nothing_has_efficiency_zero() {
        assert_eq!(
            Stats::new(4, vec![WarpStats::default()]).simd_efficiency,
            0.0
        );
    }
}
