//! Issue queue: the issued instructions whose passes have not all begun, in the order of issue; the oldest one stands
//! in registers.
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
//! | `issue_form` | in | 13 | what is known of it already (`early`) |
//! | `head_valid`, `head_warp`, `head_pc`, `head_mask`, `head_word`, `head_form` | out | 1, WI, 22, W, 32, 13 | the oldest one |
//! | `head_fresh` | out | 1 | it is the oldest one for the first cycle |
//! | `take` | in | 1 | its last pass begins |
//! | `loads`, `next_warp` | out | 1, WI | in the next cycle another one is the oldest (or none); its warp |
//! | `room` | out | 1 | five more may come |
//! | `empty` | out | 1 | there is none |
//!
//! # Cycle behaviour
//! An instruction that comes when there is none, or when the last one is taken, is the head in the next cycle.
//! A head comes in every cycle.
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
    pub issue_form: Signal<In, Bits<13>>,
    pub head_valid: Signal<Out, Bit>,
    pub head_warp: Signal<Out, Bits<WI>>,
    pub head_pc: Signal<Out, Bits<22>>,
    pub head_mask: Signal<Out, Bits<W>>,
    pub head_word: Signal<Out, Bits<32>>,
    pub head_form: Signal<Out, Bits<13>>,
    pub head_fresh: Signal<Out, Bit>,
    pub take: Signal<In, Bit>,
    pub loads: Signal<Out, Bit>,
    pub next_warp: Signal<Out, Bits<WI>>,
    pub room: Signal<Out, Bit>,
    pub empty: Signal<Out, Bit>,
    warps: LutRam<Bits<WI>, QB>,
    pcs: LutRam<Bits<22>, QB>,
    masks: LutRam<Bits<W>, QB>,
    words: LutRam<Bits<32>, QB>,
    forms: LutRam<Bits<13>, QB>,
    // State: next to be read and to be written; how many there are.
    tail: DFF<Bits<QB>>,
    head: DFF<Bits<QB>>,
    count: DFF<Bits<8>>,
    some: DFF<Bit>,
    has_room: DFF<Bit>,
    // State: the oldest one.
    valid: DFF<Bit>,
    fresh: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    pc: DFF<Bits<22>>,
    mask: DFF<Bits<W>>,
    word: DFF<Bits<32>>,
    form: DFF<Bits<13>>,
    // Combinational.
    stores: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    stay: Signal<Local, Bits<8>>,
    go: Signal<Local, Bits<8>>,
    #[value(1.into())]
    one: Constant<Bits<QB>>,
    #[value(((1u64 << QB) - 6).into())]
    limit: Constant<Bits<8>>,
    #[value(0.into())]
    none: Constant<Bits<8>>,
    #[value(0.into())]
    no_place: Constant<Bits<QB>>,
}

#[part(IssueQueue<WI, W, QB>)]
fn update(&mut self) {
    spread!(self.*.read_address <- self.head.q: warps, pcs, masks, words, forms);
    self.next_warp.next = self.issue_warp.val();
    if self.some.q.val() {
        self.next_warp.next = self.warps.read_data.val();
    }
    self.loads.next = !self.valid.q.val() | self.take.val();
    self.fresh.d.next = self.loads.val();
    if self.loads.val() {
        self.valid.d.next = self.some.q.val() | self.issue_valid.val();
        self.warp.d.next = self.next_warp.val();
        carry!(self.*.d <- self.issue_*: pc, mask, word, form);
        if self.some.q.val() {
            self.pc.d.next = self.pcs.read_data.val();
            self.mask.d.next = self.masks.read_data.val();
            self.word.d.next = self.words.read_data.val();
            self.form.d.next = self.forms.read_data.val();
        }
    }
    carry!(self.head_* <- self.*.q: valid, fresh, warp, pc, mask, word, form);
    self.stores.next = self.issue_valid.val() & (self.some.q.val() | !self.loads.val());
    self.leaves.next = self.loads.val() & self.some.q.val();
    spread!(self.*.write_enable <- self.stores: warps, pcs, masks, words, forms);
    spread!(self.*.write_address <- self.tail.q: warps, pcs, masks, words, forms);
    self.warps.write_data.next = self.issue_warp.val();
    self.pcs.write_data.next = self.issue_pc.val();
    self.masks.write_data.next = self.issue_mask.val();
    self.words.write_data.next = self.issue_word.val();
    self.forms.write_data.next = self.issue_form.val();
    if self.stores.val() {
        self.tail.d.next = self.tail.q.val() + self.one.val();
    }
    if self.leaves.val() {
        self.head.d.next = self.head.q.val() + self.one.val();
    }
    // Whether the head moves on is known late: what either makes of the count is ready by then.
    self.stay.next = self.count.q.val();
    if self.issue_valid.val() {
        self.stay.next = self.count.q.val() + 1;
    }
    self.go.next = self.none.val();
    if self.some.q.val() {
        self.go.next = self.stay.val() - 1;
    }
    self.count.d.next = self.stay.val();
    self.some.d.next = self.stay.val().any();
    self.has_room.d.next = self.stay.val() <= self.limit.val();
    if self.loads.val() {
        self.count.d.next = self.go.val();
        self.some.d.next = self.go.val().any();
        self.has_room.d.next = self.go.val() <= self.limit.val();
    }
    self.room.next = self.has_room.q.val();
    self.empty.next = !self.some.q.val() & !self.valid.q.val();
    if self.reset.val() {
        spread!(self.*.d <- self.no_place: tail, head);
        self.count.d.next = self.none.val();
        self.some.d.next = false;
        self.valid.d.next = false;
        self.has_room.d.next = false;
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
        u.issue_form.next = rng.bits();
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
            deepest = deepest.max(queue.len());
            let u = &b.uut;
            assert_eq!(u.head_valid.val(), !queue.is_empty(), "cycle {t}");
            assert_eq!(u.empty.val(), queue.is_empty(), "cycle {t}");
            let takes = !queue.is_empty() && rng.chance(5, 8);
            if let Some(&(word, form, warp, seen)) = queue.front() {
                let head = (
                    u.head_word.val().to_u64(),
                    u.head_form.val().to_u64(),
                    u.head_warp.val().to_u64(),
                    !u.head_fresh.val(),
                );
                assert_eq!(head, (word, form, warp, seen), "cycle {t}");
            }
            direct += u32::from(issues && (queue.is_empty() || takes && queue.len() == 1));
            b.uut.take.next = takes;
            if issues {
                let u = &b.uut;
                let form = u.issue_form.val().to_u64();
                let warp = u.issue_warp.val().to_u64();
                queue.push_back((u.issue_word.val().to_u64(), form, warp, false));
            }
            if takes {
                queue.pop_front();
            } else if let Some(head) = queue.front_mut() {
                // It was there in this cycle already, or comes now.
                head.3 = b.uut.head_valid.val();
            }
            b.settle();
            let (loads, next) = (b.uut.loads.val(), b.uut.next_warp.val().to_u64());
            assert_eq!(loads, takes || !b.uut.head_valid.val(), "cycle {t}");
            if loads && !queue.is_empty() {
                assert_eq!(next, queue[0].2, "cycle {t}");
            }
            b.edge();
        }
        assert!(deepest > 3 && direct > 100, "{deepest} {direct}");
    }
}
