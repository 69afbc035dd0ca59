//! Issue queue: the issued instructions whose passes have not all begun, in the order of issue.
//!
//! Spec: `docs/spec/sm.md`, SM-010.
//!
//! # Parameters
//! `WI`: log2 warps; `W`: threads per warp; `QB`: log2 of the places.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `issue_*` | in | | of the core |
//! | `head_valid`, `head_warp`, `head_pc`, `head_mask`, `head_word` | out | 1, WI, 22, W, 32 | the oldest one; when the queue is empty the one that is issued in this cycle |
//! | `take` | in | 1 | its last pass begins |
//! | `room` | out | 1 | five more may come |
//! | `empty` | out | 1 | none is queued |
//!
//! # Cycle behaviour
//! An instruction that comes to an empty queue is its head in the same cycle.
//!
//! # Invariants
//! It never overflows: with `room` = 0 nothing is granted, and what was granted before are four instructions at most.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires((3..=6).contains(&QB)))]
pub struct IssueQueue<const WI: usize, const W: usize, const QB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub issue_valid: Signal<In, Bit>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_pc: Signal<In, Bits<22>>,
    pub issue_mask: Signal<In, Bits<W>>,
    pub issue_word: Signal<In, Bits<32>>,
    pub head_valid: Signal<Out, Bit>,
    pub head_warp: Signal<Out, Bits<WI>>,
    pub head_pc: Signal<Out, Bits<22>>,
    pub head_mask: Signal<Out, Bits<W>>,
    pub head_word: Signal<Out, Bits<32>>,
    pub take: Signal<In, Bit>,
    pub room: Signal<Out, Bit>,
    pub empty: Signal<Out, Bit>,
    warps: LutRam<Bits<WI>, QB>,
    pcs: LutRam<Bits<22>, QB>,
    masks: LutRam<Bits<W>, QB>,
    words: LutRam<Bits<32>, QB>,
    // State: next to be read and to be written; how many there are.
    tail: DFF<Bits<QB>>,
    head: DFF<Bits<QB>>,
    count: DFF<Bits<8>>,
    some: DFF<Bit>,
    has_room: DFF<Bit>,
    // Combinational.
    stores: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    next: Signal<Local, Bits<8>>,
    #[value(1.into())]
    one: Constant<Bits<QB>>,
    #[value(((1u64 << QB) - 6).into())]
    limit: Constant<Bits<8>>,
    #[value(0.into())]
    none: Constant<Bits<8>>,
    #[value(0.into())]
    no_place: Constant<Bits<QB>>,
}

impl<const WI: usize, const W: usize, const QB: usize> kernel::Part for IssueQueue<WI, W, QB> {
    #[hdl_gen]
    fn update(&mut self) {
        self.warps.read_address.next = self.head.q.val();
        self.pcs.read_address.next = self.head.q.val();
        self.masks.read_address.next = self.head.q.val();
        self.words.read_address.next = self.head.q.val();
        self.head_valid.next = self.some.q.val() | self.issue_valid.val();
        self.head_warp.next = self.issue_warp.val();
        self.head_pc.next = self.issue_pc.val();
        self.head_mask.next = self.issue_mask.val();
        self.head_word.next = self.issue_word.val();
        if self.some.q.val() {
            self.head_warp.next = self.warps.read_data.val();
            self.head_pc.next = self.pcs.read_data.val();
            self.head_mask.next = self.masks.read_data.val();
            self.head_word.next = self.words.read_data.val();
        }
        self.stores.next = self.issue_valid.val() & (self.some.q.val() | !self.take.val());
        self.leaves.next = self.take.val() & self.some.q.val();
        self.warps.write_enable.next = self.stores.val();
        self.pcs.write_enable.next = self.stores.val();
        self.masks.write_enable.next = self.stores.val();
        self.words.write_enable.next = self.stores.val();
        self.warps.write_address.next = self.tail.q.val();
        self.pcs.write_address.next = self.tail.q.val();
        self.masks.write_address.next = self.tail.q.val();
        self.words.write_address.next = self.tail.q.val();
        self.warps.write_data.next = self.issue_warp.val();
        self.pcs.write_data.next = self.issue_pc.val();
        self.masks.write_data.next = self.issue_mask.val();
        self.words.write_data.next = self.issue_word.val();
        self.next.next = self.count.q.val();
        if self.stores.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
            self.next.next = self.next.val() + 1;
        }
        if self.leaves.val() {
            self.head.d.next = self.head.q.val() + self.one.val();
            self.next.next = self.next.val() - 1;
        }
        self.count.d.next = self.next.val();
        self.some.d.next = self.next.val() != self.none.val();
        self.has_room.d.next = self.next.val() <= self.limit.val();
        self.room.next = self.has_room.q.val();
        self.empty.next = !self.some.q.val();
        if self.reset.val() {
            self.tail.d.next = self.no_place.val();
            self.head.d.next = self.no_place.val();
            self.count.d.next = self.none.val();
            self.some.d.next = false;
            self.has_room.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    type Small = IssueQueue<2, 4, 3>;

    /// Issues come while there was room in the last cycle; now and then the head is taken.
    fn drive(u: &mut Small, rng: &mut Rng, t: usize) {
        u.issue_warp.next = rng.bits();
        u.issue_pc.next = rng.bits();
        u.issue_mask.next = rng.bits();
        u.issue_word.next = rng.bits();
        u.reset.next = t < 2;
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "issue_queue",
            Small::default,
            2000,
            |u, rng, t| {
                drive(u, rng, t);
                u.issue_valid.next = t > 2 && u.room.val() && rng.flip();
                u.take.next = u.head_valid.val() && rng.flip();
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// SM-010, DATA-011.
    #[test]
    fn instructions_leave_in_the_order_of_issue() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "issue_queue");
        let mut queue = VecDeque::new();
        let (mut deepest, mut direct) = (0, 0);
        for t in 0..4000usize {
            drive(&mut b.uut, &mut rng, t);
            // Bursts: what was granted before `room` fell still comes.
            let issues = t > 2 && b.uut.room.val() && rng.chance(3, 4);
            b.uut.issue_valid.next = issues;
            b.uut.take.next = false;
            b.settle();
            if issues {
                queue.push_back(b.uut.issue_word.val().to_u64());
                direct += u32::from(queue.len() == 1);
            }
            deepest = deepest.max(queue.len());
            assert_eq!(b.uut.head_valid.val(), !queue.is_empty(), "cycle {t}");
            if let Some(&word) = queue.front() {
                assert_eq!(b.uut.head_word.val().to_u64(), word, "cycle {t}");
                if rng.chance(5, 8) {
                    queue.pop_front();
                    b.uut.take.next = true;
                }
            }
            b.edge();
        }
        assert!(deepest > 2 && direct > 100, "{deepest} {direct}");
    }
}
