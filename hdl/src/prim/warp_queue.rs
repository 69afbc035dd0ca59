//! Queue of ready warps: who became ready first goes first.
//!
//! # Parameters
//! `NW` warps, a power of two; `WI` = log2 NW.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `wake_valid`, `wake_warp` | in | 1, WI | pulse: this warp is ready from the next cycle on; late |
//! | `pick_valid`, `pick_warp` | out | 1, WI | oldest ready warp; early |
//! | `pick_take` | in | 1 | the issue stage takes it in this cycle |
//!
//! # Cycle behaviour
//! ```text
//! cycle        0    1    2    3
//! wake         3    5    -    -
//! pick         -    3    3    5      cycle 1 was not taken, so warp 3 keeps its turn
//! pick_take    0    0    1    1
//! ```
//! A queue of warp numbers; a woken warp is offered one cycle later at the earliest (CTRL-011).
//!
//! # Invariants
//! 1. Warps are picked in the order in which they woke (CTRL-010).
//! 2. A warp stands in the queue at most once, so the queue of NW entries never overflows (CTRL-010), and at most
//!    NW - 1 picks go before it (CTRL-012).
//!
//! # Errors
//! None at run time. `Default` panics when `WI` does not fit `NW`.

use super::{LutRam, Successor};
use crate::hdl::*;

#[module(requires(NW == 1 << WI, WC == WI + 1))]
pub struct WarpQueue<const NW: usize, const WI: usize, const WC: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wake_valid: Signal<In, Bit>,
    pub wake_warp: Signal<In, Bits<WI>>,
    pub pick_valid: Signal<Out, Bit>,
    pub pick_warp: Signal<Out, Bits<WI>>,
    pub pick_take: Signal<In, Bit>,
    // State: warps stand in `queue` from `first` on, up to before `last`;
    // the highest bit of these tells full from empty.
    queue: LutRam<Bits<WI>, WI>,
    first: DFF<Bits<WC>>,
    last: DFF<Bits<WC>>,
    // Combinational.
    taken: Signal<Local, Bit>,
    beyond_first: Successor<WC>,
    beyond_last: Successor<WC>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<WC>>,
}

#[part(WarpQueue<NW, WI, WC>)]
fn update(&mut self) {
    // Choose.
    self.queue.read_address.next = self.first.q.val().get_bits::<WI>(0);
    self.pick_warp.next = self.queue.read_data.val();
    self.pick_valid.next = self.first.q.val() != self.last.q.val();
    self.taken.next = self.pick_valid.val() & self.pick_take.val();
    // Remember.
    self.queue.write_enable.next = self.wake_valid.val();
    self.queue.write_address.next = self.last.q.val().get_bits::<WI>(0);
    self.queue.write_data.next = self.wake_warp.val();
    self.beyond_last.value.next = self.last.q.val();
    if self.wake_valid.val() {
        self.last.d.next = self.beyond_last.after.val();
    }
    self.beyond_first.value.next = self.first.q.val();
    if self.taken.val() {
        self.first.d.next = self.beyond_first.after.val();
    }
    // Reset wins.
    if self.reset.val() {
        spread!(self.*.d <- self.none: first, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    type Small = WarpQueue<8, 3, 4>;

    #[test]
    fn verilog_agrees() {
        let mut queued = VecDeque::new();
        crate::stimulus::check_with_memories(
            "weft_warp_queue",
            Small::default,
            1000,
            |u, rng, t| drive(u, rng, t < 2, &mut queued),
            |u, level| u.clock.next = level.into(),
        );
    }

    /// Random wakes of warps that are not queued, random takes; `queued` follows along.
    fn drive(u: &mut Small, rng: &mut Rng, reset: bool, queued: &mut VecDeque<u64>) {
        u.reset.next = reset;
        let warp = rng.below(8);
        let wake = !reset && !queued.contains(&warp);
        let take = rng.chance(3, 8);
        u.wake_valid.next = wake;
        u.wake_warp.next = warp.into();
        u.pick_take.next = take;
        if take {
            queued.pop_front();
        }
        if wake {
            queued.push_back(warp);
        }
        if reset {
            queued.clear();
        }
    }

    /// CTRL-010.
    #[test]
    fn warps_are_picked_in_the_order_in_which_they_woke() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "warp queue");
        let mut queued: VecDeque<u64> = VecDeque::new();
        let (mut full, mut empty) = (0, 0);
        for t in 0..2000 {
            let before = queued.clone();
            drive(&mut b.uut, &mut rng, t < 2, &mut queued);
            b.settle();
            if t >= 2 {
                assert_eq!(b.uut.pick_valid.val(), !before.is_empty(), "cycle {t}");
                if let Some(&oldest) = before.front() {
                    assert_eq!(b.uut.pick_warp.val().to_u64(), oldest, "cycle {t}");
                }
            }
            full += usize::from(before.len() >= 6);
            empty += usize::from(before.is_empty());
            b.edge();
        }
        assert!(
            full > 20 && empty > 1,
            "thin run: full {full}, empty {empty}"
        );
    }
}
