//! Touch: which warp changes its place in the order in this cycle, and with which level.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-012 and 013.
//!
//! # Parameters
//! `WI` = log2 of the number of warps; `LB` level bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `greedy_first` | in | 1 | greedy then oldest |
//! | `issuing`, `issue_warp` | in | 1, WI | a warp issues in this cycle |
//! | `issue_level`, `above_issue` | in | LB, LB | its level; 1 more, 0 for the highest |
//! | `level_valid`, `level_warp`, `level_value` | in | 1, WI, LB | level write |
//! | `launch_valid`, `launch_warp`, `launch_level` | in | 1, WI, LB | a warp was launched in the cycle before; its level |
//! | `touches`, `warp`, `level` | out | 1, WI, LB | there is a touch; of this warp, with this level. Without one under greedy then oldest: the warp that issues, and the level above its own. Under loose round robin: a warp issues; this one |
//!
//! # Cycle behaviour
//! Combinational. Loose round robin is chosen and left only while no warp runs, so in the cycle after it none issues
//! and none was launched. A module of its own, so that nothing that is looked up by its outputs stands in one process
//! with them.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
pub struct Touch<const WI: usize, const LB: usize> {
    pub greedy_first: Signal<In, Bit>,
    pub issuing: Signal<In, Bit>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_level: Signal<In, Bits<LB>>,
    pub above_issue: Signal<In, Bits<LB>>,
    pub level_valid: Signal<In, Bit>,
    pub level_warp: Signal<In, Bits<WI>>,
    pub level_value: Signal<In, Bits<LB>>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_level: Signal<In, Bits<LB>>,
    pub touches: Signal<Out, Bit>,
    pub warp: Signal<Out, Bits<WI>>,
    pub level: Signal<Out, Bits<LB>>,
}

impl<const WI: usize, const LB: usize> Logic for Touch<WI, LB> {
    #[part]
    fn update(&mut self) {
        self.warp.next = self.issue_warp.val();
        self.touches.next = self.issuing.val();
        self.level.next = self.issue_level.val();
        if self.greedy_first.val() {
            self.touches.next = self.launch_valid.val();
            self.level.next = self.above_issue.val();
            if self.launch_valid.val() {
                carry!(self <- self.launch_*: warp, level);
            }
        }
        if self.level_valid.val() {
            self.warp.next = self.level_warp.val();
            self.touches.next = true;
            self.level.next = self.level_value.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_touch",
            Touch::<3, 2>::default,
            2000,
            |u, rng, _| {
                u.greedy_first.next = rng.flip();
                u.issuing.next = rng.flip();
                u.issue_warp.next = rng.bits();
                u.issue_level.next = rng.bits();
                u.above_issue.next = rng.bits();
                u.level_valid.next = rng.chance(1, 4);
                u.level_warp.next = rng.bits();
                u.level_value.next = rng.bits();
                u.launch_valid.next = rng.flip();
                u.launch_warp.next = rng.bits();
                u.launch_level.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }
}
