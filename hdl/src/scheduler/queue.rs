//! Decoded instructions: up to four per warp, with consecutive addresses.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-020 to 022, 028, 029; `docs/spec/supply.md`, SUPPLY-040.
//!
//! # Parameters
//! `NW` warps; `WI` = log2 NW; `WA` = WI + 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `start_valid`, `start_warp`, `start_pc` | in | 1, WI, 22 | the warp's queue is empty at this address |
//! | `stop_valid`, `stop_warp` | in | 1, WI | the warp's queue is empty, and nothing enters it before its next start |
//! | `aim`, `aim_warp` / `aim_head` | in / out | NW, WI / 22 | a warp, one-hot and as a number; the address of its first instruction |
//! | `issuing`, `issue`, `issue_warp`, `issue_head`, `second` | in | 1, NW, WI, 22, 1 | one or two instructions leave; `issue_warp`, `issue_head` are the former cycle's `aim_warp`, `aim_head`; `issue` is one-hot or 0 |
//! | `first`, `other`, `third` | out | 23 each | the first three instructions of `issue_warp`, as far as there are so many |
//! | `count`, `left` | out | 3, 3 | how many there are; how many are left when one or two of them leave |
//! | `first_word`, `other_word` | out | 32 each | words of the former cycle's `first` and `other` |
//! | `push_warp`, `push`, `push_pc` | in | WI, NW, 22 | where a push goes; one-hot, 0 if nothing is pushed |
//! | `push_count`, `push0`, `push1`, `push_word0`, `push_word1` | in | 2, 23, 23, 32, 32 | 0 to 2 instructions enter: from the even address first, or the odd one alone |
//! | `push_same` | in | 1 | instructions leave that warp in this cycle |
//! | `push_total` | out | 3 | how many it has then |
//!
//! # Cycle behaviour
//! An instruction stands in the bank of its address's parity, at {warp, address bit 1}. So any two neighbours are read at once. They are read in the cycle of the aim,
//! and so is the tail; what is pushed in that very cycle is taken past the memory.
//!
//! # Invariants
//! 1. Tail − head is the number of instructions, at most 4.
//! 2. After a start or a stop both ends are the start address, until a push or an issue moves them: each memory has one writer.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{BlockRam, Flags, LutRam};

#[derive(LogicBlock)]
pub struct Queue<const NW: usize, const WI: usize, const WA: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_pc: Signal<In, Bits<22>>,
    pub stop_valid: Signal<In, Bit>,
    pub stop_warp: Signal<In, Bits<WI>>,
    pub aim: Signal<In, Bits<NW>>,
    pub aim_warp: Signal<In, Bits<WI>>,
    pub aim_head: Signal<Out, Bits<22>>,
    pub issuing: Signal<In, Bit>,
    pub issue: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_head: Signal<In, Bits<22>>,
    pub second: Signal<In, Bit>,
    pub first: Signal<Out, Bits<23>>,
    pub other: Signal<Out, Bits<23>>,
    pub third: Signal<Out, Bits<23>>,
    pub count: Signal<Out, Bits<3>>,
    pub left: Signal<Out, Bits<3>>,
    pub first_word: Signal<Out, Bits<32>>,
    pub other_word: Signal<Out, Bits<32>>,
    pub push_warp: Signal<In, Bits<WI>>,
    pub push: Signal<In, Bits<NW>>,
    pub push_pc: Signal<In, Bits<22>>,
    pub push_count: Signal<In, Bits<2>>,
    pub push0: Signal<In, Bits<23>>,
    pub push1: Signal<In, Bits<23>>,
    pub push_word0: Signal<In, Bits<32>>,
    pub push_word1: Signal<In, Bits<32>>,
    pub push_same: Signal<In, Bit>,
    pub push_total: Signal<Out, Bits<3>>,
    // State: the ends; valid when not fresh.
    head: LutRam<Bits<22>, WI>,
    head_push: LutRam<Bits<3>, WI>,
    tail: LutRam<Bits<3>, WI>,
    // State: the address of the latest start.
    origin: LutRam<Bits<22>, WI>,
    origin_push: LutRam<Bits<3>, WI>,
    fresh_head: DFF<Bits<NW>>,
    fresh_tail: DFF<Bits<NW>>,
    // State: bits 0 and 1 of the head again, so that the instructions are looked up while the head is.
    parity: Flags<NW>,
    half: Flags<NW>,
    // State: instructions at even and odd addresses, twice; their words.
    even: LutRam<Bits<23>, WA>,
    odd: LutRam<Bits<23>, WA>,
    even_third: LutRam<Bits<23>, WA>,
    odd_third: LutRam<Bits<23>, WA>,
    even_word: BlockRam<32, WA>,
    odd_word: BlockRam<32, WA>,
    was_odd: DFF<Bit>,
    // State: what was read at the aim.
    even_read: DFF<Bits<23>>,
    odd_read: DFF<Bits<23>>,
    third_read: DFF<Bits<23>>,
    tail_read: DFF<Bits<3>>,
    word_even_at: DFF<Bits<WA>>,
    word_odd_at: DFF<Bits<WA>>,
    // Combinational.
    is_odd: Signal<Local, Bit>,
    aim_fresh: Signal<Local, Bit>,
    aim_origin: Signal<Local, Bits<22>>,
    aim_odd: Signal<Local, Bit>,
    aim_half: Signal<Local, Bit>,
    pushes_third: Signal<Local, Bit>,
    far_even: Signal<Local, Bit>,
    far_third: Signal<Local, Bit>,
    at_even: Signal<Local, Bits<WA>>,
    at_odd: Signal<Local, Bits<WA>>,
    at_third: Signal<Local, Bits<WA>>,
    at_push: Signal<Local, Bits<WA>>,
    tail_now: Signal<Local, Bits<3>>,
    next_tail: Signal<Local, Bits<3>>,
    head_now: Signal<Local, Bits<3>>,
    next_head: Signal<Local, Bits<22>>,
    push_base: Signal<Local, Bits<3>>,
    pushes: Signal<Local, Bit>,
    push_even: Signal<Local, Bit>,
    push_odd: Signal<Local, Bit>,
    emptied: Signal<Local, Bits<NW>>,
    started: Signal<Local, Bits<NW>>,
    moved_odd: Signal<Local, Bits<NW>>,
    moved_half: Signal<Local, Bits<NW>>,
    moved: Signal<Local, Bits<NW>>,
    // Constants.
    nowhere: Constant<Bits<22>>,
    one: Constant<Bits<22>>,
    two: Constant<Bits<22>>,
    one_warp: Constant<Bits<NW>>,
    no_warps: Constant<Bits<NW>>,
}

impl<const NW: usize, const WI: usize, const WA: usize> Default for Queue<NW, WI, WA> {
    fn default() -> Self {
        assert!(NW == 1 << WI && WA == WI + 1, "Queue<{NW}, {WI}, {WA}>");
        block!({
            clock, reset, start_valid, start_warp, start_pc, stop_valid, stop_warp, aim, aim_warp,
            aim_head, issuing, issue, issue_warp, issue_head, second, first, other, third, count, left,
            first_word, other_word, push_warp, push, push_pc, push_count, push0, push1, push_word0,
            push_word1, push_same, push_total, head, head_push, tail, origin, origin_push,
            fresh_head, fresh_tail, parity, half, even, odd, even_third, odd_third, even_word, odd_word, was_odd, even_read, odd_read, third_read, tail_read,
            word_even_at, word_odd_at,
            is_odd, aim_fresh, aim_origin, aim_odd, aim_half, pushes_third, far_even, far_third, at_even, at_odd, at_third, at_push, tail_now, next_tail, head_now,
            next_head, push_base, pushes, push_even, push_odd, emptied, started, moved_odd, moved_half, moved,
        } {
            nowhere: Constant::new(0.into()),
            one: Constant::new(1.into()),
            two: Constant::new(2.into()),
            one_warp: Constant::new(1.into()),
            no_warps: Constant::new(0.into()),
        })
    }
}

impl<const NW: usize, const WI: usize, const WA: usize> Logic for Queue<NW, WI, WA> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, fresh_head, fresh_tail, was_odd, even_read, odd_read, third_read,
            tail_read
        );
        dff_setup!(self, clock, word_even_at, word_odd_at);
        clock!(
            self,
            clock,
            head,
            head_push,
            tail,
            origin,
            origin_push,
            parity,
            half
        );
        clock!(self, clock, even, odd, even_third, odd_third, even_word, odd_word);

        // ---- Ends.
        self.origin.write_enable.next = self.start_valid.val();
        self.origin.write_address.next = self.start_warp.val();
        self.origin.write_data.next = self.start_pc.val();
        self.origin_push.write_enable.next = self.start_valid.val();
        self.origin_push.write_address.next = self.start_warp.val();
        self.origin_push.write_data.next = self.start_pc.val().get_bits::<3>(0);
        self.head.read_address.next = self.aim_warp.val();
        self.origin.read_address.next = self.aim_warp.val();
        self.tail.read_address.next = self.aim_warp.val();
        self.count.next = self.tail_read.q.val() - self.issue_head.val().get_bits::<3>(0);
        self.head_push.read_address.next = self.push_warp.val();
        self.origin_push.read_address.next = self.push_warp.val();
        self.head_now.next = self.head_push.read_data.val();
        if self
            .fresh_head
            .q
            .val()
            .get_bit(self.push_warp.val().index())
        {
            self.head_now.next = self.origin_push.read_data.val();
        }

        // ---- What is pushed.
        self.pushes.next = self.push_count.val().any();
        self.push_even.next = self.pushes.val() & !self.push_pc.val().get_bit(0);
        self.push_odd.next =
            (self.pushes.val() & self.push_pc.val().get_bit(0)) | self.push_count.val().get_bit(1);
        self.at_push.next = (bit_cast::<WA, WI>(self.push_warp.val()) << 1)
            | bit_cast::<WA, 1>(self.push_pc.val().get_bit(1).into());

        // ---- Aim.
        self.aim_fresh.next = (self.fresh_head.q.val() & self.aim.val()).any();
        self.aim_origin.next = self.nowhere.val() - bit_cast::<22, 1>(self.aim_fresh.val().into());
        self.aim_head.next = (self.head.read_data.val() & !self.aim_origin.val())
            | (self.origin.read_data.val() & self.aim_origin.val());
        self.tail_now.next = self.tail.read_data.val();
        if (self.fresh_tail.q.val() & self.aim.val()).any() {
            self.tail_now.next = self.origin.read_data.val().get_bits::<3>(0);
        }
        self.next_tail.next =
            self.push_pc.val().get_bits::<3>(0) + bit_cast::<3, 2>(self.push_count.val());
        self.tail_read.d.next = self.tail_now.val();
        if self.pushes.val() & (self.push_warp.val() == self.aim_warp.val()) {
            self.tail_read.d.next = self.next_tail.val();
        }
        self.aim_odd.next = (self.parity.q.val() & self.aim.val()).any();
        self.aim_half.next = (self.half.q.val() & self.aim.val()).any();
        self.far_even.next = self.aim_half.val() ^ self.aim_odd.val();
        self.far_third.next = !self.aim_half.val();
        self.at_even.next = (bit_cast::<WA, WI>(self.aim_warp.val()) << 1)
            | bit_cast::<WA, 1>(self.far_even.val().into());
        self.at_odd.next = (bit_cast::<WA, WI>(self.aim_warp.val()) << 1)
            | bit_cast::<WA, 1>(self.aim_half.val().into());
        self.at_third.next = (bit_cast::<WA, WI>(self.aim_warp.val()) << 1)
            | bit_cast::<WA, 1>(self.far_third.val().into());
        self.even.read_address.next = self.at_even.val();
        self.odd.read_address.next = self.at_odd.val();
        self.even_third.read_address.next = self.at_third.val();
        self.odd_third.read_address.next = self.at_third.val();
        self.even_read.d.next = self.even.read_data.val();
        if self.push_even.val() & (self.at_push.val() == self.at_even.val()) {
            self.even_read.d.next = self.push0.val();
        }
        self.odd_read.d.next = self.odd.read_data.val();
        if self.push_odd.val() & (self.at_push.val() == self.at_odd.val()) {
            self.odd_read.d.next = self.push1.val();
        }
        self.pushes_third.next = self.at_push.val() == self.at_third.val();
        if self.aim_odd.val() {
            self.third_read.d.next = self.odd_third.read_data.val();
            if self.push_odd.val() & self.pushes_third.val() {
                self.third_read.d.next = self.push1.val();
            }
        } else {
            self.third_read.d.next = self.even_third.read_data.val();
            if self.push_even.val() & self.pushes_third.val() {
                self.third_read.d.next = self.push0.val();
            }
        }
        self.word_even_at.d.next = self.at_even.val();
        self.word_odd_at.d.next = self.at_odd.val();

        // ---- Issue.
        self.is_odd.next = self.issue_head.val().get_bit(0);
        self.even_word.read_address.next = self.word_even_at.q.val();
        self.odd_word.read_address.next = self.word_odd_at.q.val();
        self.first.next = self.even_read.q.val();
        self.other.next = self.odd_read.q.val();
        self.third.next = self.third_read.q.val();
        if self.is_odd.val() {
            self.first.next = self.odd_read.q.val();
            self.other.next = self.even_read.q.val();
        }
        self.was_odd.d.next = self.is_odd.val();
        self.first_word.next = self.even_word.read_data.val();
        self.other_word.next = self.odd_word.read_data.val();
        if self.was_odd.q.val() {
            self.first_word.next = self.odd_word.read_data.val();
            self.other_word.next = self.even_word.read_data.val();
        }
        self.next_head.next = self.issue_head.val() + self.one.val();
        if self.second.val() {
            self.next_head.next = self.issue_head.val() + self.two.val();
        }
        self.head.write_enable.next = self.issuing.val();
        self.head.write_address.next = self.issue_warp.val();
        self.head.write_data.next = self.next_head.val();
        self.head_push.write_enable.next = self.issuing.val();
        self.head_push.write_address.next = self.issue_warp.val();
        self.head_push.write_data.next = self.next_head.val().get_bits::<3>(0);

        self.left.next = self.tail_read.q.val() - self.next_head.val().get_bits::<3>(0);

        // ---- Push.
        self.push_base.next = self.head_now.val();
        if self.push_same.val() {
            self.push_base.next = self.next_head.val().get_bits::<3>(0);
        }
        self.push_total.next = self.next_tail.val() - self.push_base.val();
        self.even.write_enable.next = self.push_even.val();
        self.even.write_address.next = self.at_push.val();
        self.even.write_data.next = self.push0.val();
        self.even_third.write_enable.next = self.push_even.val();
        self.even_third.write_address.next = self.at_push.val();
        self.even_third.write_data.next = self.push0.val();
        self.even_word.write_enable.next = self.push_even.val();
        self.even_word.write_address.next = self.at_push.val();
        self.even_word.write_data.next = self.push_word0.val();
        self.odd.write_enable.next = self.push_odd.val();
        self.odd.write_address.next = self.at_push.val();
        self.odd.write_data.next = self.push1.val();
        self.odd_third.write_enable.next = self.push_odd.val();
        self.odd_third.write_address.next = self.at_push.val();
        self.odd_third.write_data.next = self.push1.val();
        self.odd_word.write_enable.next = self.push_odd.val();
        self.odd_word.write_address.next = self.at_push.val();
        self.odd_word.write_data.next = self.push_word1.val();
        self.tail.write_enable.next = self.pushes.val();
        self.tail.write_address.next = self.push_warp.val();
        self.tail.write_data.next = self.next_tail.val();

        // ---- Fresh ends: a start or stop of the same cycle wins.
        self.started.next = self.no_warps.val();
        if self.start_valid.val() {
            self.started.next = self.one_warp.val() << self.start_warp.val();
        }
        self.emptied.next = self.started.val();
        if self.stop_valid.val() {
            self.emptied.next = self.started.val() | (self.one_warp.val() << self.stop_warp.val());
        }
        self.fresh_head.d.next = (self.fresh_head.q.val() & !self.issue.val()) | self.emptied.val();
        self.fresh_tail.d.next = (self.fresh_tail.q.val() & !self.push.val()) | self.emptied.val();
        // A warp does not start in the cycle of its issue.
        self.moved.next = self.issue.val() | self.started.val();
        self.moved_odd.next = self.no_warps.val();
        if self.next_head.val().get_bit(0) {
            self.moved_odd.next = self.issue.val();
        }
        if self.start_pc.val().get_bit(0) {
            self.moved_odd.next = self.moved_odd.val() | self.started.val();
        }
        self.moved_half.next = self.no_warps.val();
        if self.next_head.val().get_bit(1) {
            self.moved_half.next = self.issue.val();
        }
        if self.start_pc.val().get_bit(1) {
            self.moved_half.next = self.moved_half.val() | self.started.val();
        }
        self.parity.enable.next = self.moved.val();
        self.parity.data.next = self.moved_odd.val();
        self.half.enable.next = self.moved.val();
        self.half.data.next = self.moved_half.val();
        if self.reset.val() {
            self.fresh_head.d.next = !self.no_warps.val();
            self.fresh_tail.d.next = !self.no_warps.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    type Small = Queue<4, 2, 3>;

    /// The queue of each warp as a list of decoded instructions, its head, and its latest start.
    #[derive(Default)]
    struct Warps {
        queued: [VecDeque<u64>; 4],
        head: [u64; 4],
        origin: [u64; 4],
        stopped: [bool; 4],
        /// The warp that was aimed at in the former cycle, and its head.
        aimed: (u64, u64),
    }

    impl Warps {
        /// Random but legal. The warp that issues was aimed at in the former cycle, and neither started nor stopped then.
        fn drive(&mut self, u: &mut Small, rng: &mut Rng, reset: bool) {
            u.reset.next = reset;
            let (issue, head) = self.aimed;
            let (aim, to) = ((issue + 1 + rng.below(3)) % 4, rng.below(4));
            u.aim.next = (1 << aim).into();
            u.aim_warp.next = aim.into();
            u.issue_warp.next = issue.into();
            u.issue_head.next = head.into();
            let (w, v) = (issue as usize, to as usize);
            let issues = !reset && !self.queued[w].is_empty() && rng.chance(3, 4);
            let second = self.queued[w].len() > 1 && rng.flip();
            u.issuing.next = issues;
            u.issue.next = (u64::from(issues) << issue).into();
            u.second.next = second;
            let pc = (self.head[v] + self.queued[v].len() as u64) & 0x3F_FFFF;
            u.push_warp.next = to.into();
            u.push_pc.next = pc.into();
            let room = self.queued[v].len() <= 2 && !reset;
            let room = room && !self.stopped[v];
            let count = if room { rng.below(3 - (pc & 1)) } else { 0 };
            u.push_count.next = count.into();
            u.push.next = (u64::from(count != 0) << to).into();
            u.push_same.next = issues && to == issue;
            let pushed = [rng.below(1 << 23), rng.below(1 << 23)];
            u.push0.next = pushed[0].into();
            u.push1.next = pushed[1].into();
            u.push_word0.next = pushed[0].into();
            u.push_word1.next = pushed[1].into();
            let other = (0..4).find(|&o| o != issue && o != to && o != aim);
            let (starts, stops) = match other.is_some() && !reset {
                true => (rng.chance(1, 6), rng.chance(1, 6)),
                false => (false, false),
            };
            let begin = rng.below(1 << 22);
            u.start_valid.next = starts;
            u.start_warp.next = other.unwrap_or(0).into();
            u.start_pc.next = begin.into();
            u.stop_valid.next = stops && !starts;
            u.stop_warp.next = other.unwrap_or(0).into();
            if issues {
                for _ in 0..1 + u64::from(second) {
                    self.queued[w].pop_front();
                    self.head[w] = (self.head[w] + 1) & 0x3F_FFFF;
                }
            }
            for k in 0..count {
                self.queued[v].push_back(pushed[((pc + k) & 1) as usize]);
            }
            if starts || stops {
                let o = other.unwrap() as usize;
                if starts {
                    self.origin[o] = begin;
                }
                self.stopped[o] = !starts;
                self.queued[o].clear();
                self.head[o] = self.origin[o];
            }
            self.aimed = (aim, self.head[aim as usize]);
        }
    }

    #[test]
    fn verilog_agrees() {
        let mut warps = Warps::default();
        crate::stimulus::check_with_memories(
            "weft_queue",
            Small::default,
            3000,
            |u, rng, t| warps.drive(u, rng, t < 2),
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn instructions_come_out_in_order() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "queue");
        let mut warps = Warps::default();
        let (mut seen, mut totals) = ([0; 5], 0);
        let mut word = None;
        for t in 0..6000 {
            let (warp, _) = warps.aimed;
            let there = warps.queued[warp as usize].clone();
            warps.drive(&mut b.uut, &mut rng, t < 2);
            b.settle();
            let outputs = [
                b.uut.first.val().to_u64(),
                b.uut.other.val().to_u64(),
                b.uut.third.val().to_u64(),
            ];
            if t > 2 {
                assert_eq!(b.uut.count.val().index(), there.len(), "cycle {t}");
                let leave = 1 + usize::from(b.uut.second.val());
                if b.uut.issuing.val() {
                    assert_eq!(b.uut.left.val().index() + leave, there.len(), "cycle {t}");
                }
                let to = b.uut.push_warp.val().index();
                if b.uut.push.val().any() {
                    let total = b.uut.push_total.val().index();
                    assert_eq!(total, warps.queued[to].len(), "cycle {t}");
                    totals += 1;
                }
                for (k, (&is, &should)) in outputs.iter().zip(&there).enumerate() {
                    assert_eq!(is, should, "cycle {t}, instruction {k}");
                }
                if let Some(word) = word {
                    assert_eq!(b.uut.first_word.val().to_u64(), word, "cycle {t}");
                }
                seen[there.len()] += 1;
            }
            word = there.front().copied();
            b.edge();
        }
        assert!(
            seen.iter().all(|&n| n > 50) && totals > 500,
            "{seen:?} {totals}"
        );
    }
}
