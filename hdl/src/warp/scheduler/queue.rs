//! Decoded instructions: up to four per warp, with consecutive addresses.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-020 to 022, 028, 029; `docs/spec/supply.md`, SUPPLY-040.
//!
//! # Parameters
//! `NW` warps; `WI` = log2 NW; `WH` = WI - 1; `WA` = WI + 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, WH | synchronous, active high; `clear` takes all values while `reset` is 1 for NW / 2 cycles |
//! | `start_valid`, `start_warp`, `start_pc` | in | 1, WI, 22 | the warp's queue is empty at this address |
//! | `aim`, `aim_warp` | in | NW, WI | a warp, one-hot and as a number |
//! | `issuing`, `issue`, `issue_warp`, `second` | in | 1, NW, WI, 1 | one or two instructions leave; `issue_warp` is the former cycle's `aim_warp`; `issue` is one-hot or 0 |
//! | `first`, `other`, `third` | out | 23 each | the first three instructions of `issue_warp`, as far as there are so many |
//! | `count`, `left` | out | 3, 3 | how many there are; how many are left when one or two of them leave |
//! | `first_pc`, `first_word`, `other_word` | out | 22, 32, 32 | address of the former cycle's `first`; words of it and of `other` |
//! | `push`, `push_warp`, `push_pc` | in | NW, WI, 22 | where a push goes; one-hot, or 0 if there is none, or its warp does not run; as a number |
//! | `push_count`, `push0`, `push1`, `push_word0`, `push_word1` | in | 2, 23, 23, 32, 32 | 0 to 2 instructions enter: from the even address first, or the odd one alone |
//! | `push_same` | in | 1 | instructions leave that warp in this cycle |
//! | `push_few` | out | 1 | it has two at most then |
//!
//! # Cycle behaviour
//! An instruction stands in the bank of its address's parity, at {address bit 1, warp}.
//! So any two neighbours are read at once. They are read in the cycle of the aim,
//! and so is the tail; what is pushed in that very cycle is taken past the memory.
//! (It is never the first one: that one was there before the grant.)
//! Of head and tail only the low bits are kept. The whole address lies with the word.
//!
//! # Invariants
//! 1. Tail − head is the number of instructions, at most 4.
//! 2. Each memory has one writer. Head and tail are the exclusive or of a word of the start's and one of the issue's,
//!    or the push's. The copies of a memory are
//!    equal: they are cleared under `reset`.
//! 3. A warp that is stopped keeps what is queued until its next start.
//!    Nothing reads it: it is not granted, and nothing is pushed for it.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{BlockRam, ClearedRam, Flags, LutRam};

#[module(requires(NW == 1 << WI, WI == WH + 1, WA == WI + 1))]
pub struct Queue<const NW: usize, const WI: usize, const WH: usize, const WA: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<WH>>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_pc: Signal<In, Bits<22>>,
    pub aim: Signal<In, Bits<NW>>,
    pub aim_warp: Signal<In, Bits<WI>>,
    pub issuing: Signal<In, Bit>,
    pub issue: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub second: Signal<In, Bit>,
    pub first: Signal<Out, Bits<23>>,
    pub other: Signal<Out, Bits<23>>,
    pub third: Signal<Out, Bits<23>>,
    pub count: Signal<Out, Bits<3>>,
    pub left: Signal<Out, Bits<3>>,
    pub first_pc: Signal<Out, Bits<22>>,
    pub first_word: Signal<Out, Bits<32>>,
    pub other_word: Signal<Out, Bits<32>>,
    pub push: Signal<In, Bits<NW>>,
    pub push_warp: Signal<In, Bits<WI>>,
    pub push_pc: Signal<In, Bits<22>>,
    pub push_count: Signal<In, Bits<2>>,
    pub push0: Signal<In, Bits<23>>,
    pub push1: Signal<In, Bits<23>>,
    pub push_word0: Signal<In, Bits<32>>,
    pub push_word1: Signal<In, Bits<32>>,
    pub push_same: Signal<In, Bit>,
    pub push_few: Signal<Out, Bit>,
    // State: the ends, by the issue, by the push and by the start, for the aim, the push and the start.
    head_aim: ClearedRam<3, WI, WH>,
    head_push: ClearedRam<3, WI, WH>,
    head_start: ClearedRam<3, WI, WH>,
    tail_aim: ClearedRam<3, WI, WH>,
    tail_start: ClearedRam<3, WI, WH>,
    from_aim: ClearedRam<3, WI, WH>,
    from_push: ClearedRam<3, WI, WH>,
    to_aim: ClearedRam<3, WI, WH>,
    to_push: ClearedRam<3, WI, WH>,
    // State: bits 0 and 1 of the head again, so that the instructions are looked up while the head is.
    parity: Flags<NW>,
    half: Flags<NW>,
    far: Flags<NW>,
    // State: instructions at even and odd addresses, twice; their words, and above them bits 1 to 21 of the addresses.
    even: LutRam<Bits<23>, WA>,
    odd: LutRam<Bits<23>, WA>,
    even_third: LutRam<Bits<23>, WA>,
    odd_third: LutRam<Bits<23>, WA>,
    even_word: BlockRam<53, WA>,
    odd_word: BlockRam<53, WA>,
    was_odd: DFF<Bit>,
    // State: what was read at the aim.
    first_read: DFF<Bits<23>>,
    other_read: DFF<Bits<23>>,
    third_read: DFF<Bits<23>>,
    tail_read: DFF<Bits<3>>,
    head_read: DFF<Bits<3>>,
    from_read: DFF<Bits<3>>,
    word_even_at: DFF<Bits<WA>>,
    word_odd_at: DFF<Bits<WA>>,
    // Combinational.
    is_odd: Signal<Local, Bit>,
    aim_odd: Signal<Local, Bit>,
    aim_half: Signal<Local, Bit>,
    pushes_here: Signal<Local, Bit>,
    push_half: Signal<Local, Bit>,
    pushes_third: Signal<Local, Bit>,
    far_even: Signal<Local, Bit>,
    other_there: Signal<Local, Bits<23>>,
    other_pushed: Signal<Local, Bits<23>>,
    other_passes: Signal<Local, Bit>,
    far_third: Signal<Local, Bit>,
    at_even: Signal<Local, Bits<WA>>,
    at_odd: Signal<Local, Bits<WA>>,
    at_third: Signal<Local, Bits<WA>>,
    at_push: Signal<Local, Bits<WA>>,
    head_now: Signal<Local, Bits<3>>,
    tail_now: Signal<Local, Bits<3>>,
    next_tail: Signal<Local, Bits<3>>,
    next_head: Signal<Local, Bits<3>>,
    push_base: Signal<Local, Bits<3>>,
    push_gap: Signal<Local, Bits<3>>,
    start_low: Signal<Local, Bits<3>>,
    head_store: Signal<Local, Bits<3>>,
    tail_store: Signal<Local, Bits<3>>,
    next_from: Signal<Local, Bits<3>>,
    next_to: Signal<Local, Bits<3>>,
    even_store: Signal<Local, Bits<53>>,
    odd_store: Signal<Local, Bits<53>>,
    pushes: Signal<Local, Bit>,
    push_even: Signal<Local, Bit>,
    push_odd: Signal<Local, Bit>,
    started: Signal<Local, Bits<NW>>,
    moved_odd: Signal<Local, Bits<NW>>,
    moved_half: Signal<Local, Bits<NW>>,
    moved: Signal<Local, Bits<NW>>,
    // Constants.
    #[value(1.into())]
    odd_address: Constant<Bits<22>>,
    #[value((NW as u64).into())]
    upper_half: Constant<Bits<WA>>,
    #[value(1.into())]
    one: Constant<Bits<3>>,
    #[value(2.into())]
    two: Constant<Bits<3>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
}

#[part(Queue<NW, WI, WH, WA>)]
fn update(&mut self) {
    // ---- Ends.
    carry!(self.head_aim <- self: reset, clear);
    carry!(self.head_push <- self: reset, clear);
    carry!(self.head_start <- self: reset, clear);
    carry!(self.tail_aim <- self: reset, clear);
    carry!(self.tail_start <- self: reset, clear);
    carry!(self.from_aim <- self: reset, clear);
    carry!(self.from_push <- self: reset, clear);
    carry!(self.to_aim <- self: reset, clear);
    carry!(self.to_push <- self: reset, clear);
    self.count.next = self.tail_read.q.val() - self.head_read.q.val();
    self.next_head.next = self.head_read.q.val() + self.one.val();
    if self.second.val() {
        self.next_head.next = self.head_read.q.val() + self.two.val();
    }
    self.left.next = self.tail_read.q.val() - self.next_head.val();
    self.next_tail.next =
        self.push_pc.val().get_bits::<3>(0) + bit_cast::<3, 2>(self.push_count.val());
    // By the issue.
    self.head_store.next = self.next_head.val() ^ self.from_read.q.val();
    carry!(self.head_aim <- self: write_enable = issuing, write_address = issue_warp);
    carry!(self.head_aim <- self: write_data = head_store, read_address = aim_warp);
    carry!(self.head_push <- self: write_enable = issuing, write_address = issue_warp);
    carry!(self.head_push <- self: write_data = head_store, read_address = push_warp);
    carry!(self.head_start <- self: write_enable = issuing, write_address = issue_warp);
    carry!(self.head_start <- self: write_data = head_store, read_address = start_warp);
    // By the push.
    self.to_push.read_address.next = self.push_warp.val();
    self.pushes.next = self.push_count.val().any();
    self.tail_store.next = self.next_tail.val() ^ self.to_push.read_data.val();
    carry!(self.tail_aim <- self: write_enable = pushes, write_address = push_warp);
    carry!(self.tail_aim <- self: write_data = tail_store, read_address = aim_warp);
    carry!(self.tail_start <- self: write_enable = pushes, write_address = push_warp);
    carry!(self.tail_start <- self: write_data = tail_store, read_address = start_warp);
    // By the start.
    self.start_low.next = self.start_pc.val().get_bits::<3>(0);
    self.next_from.next = self.start_low.val() ^ self.head_start.read_data.val();
    self.next_to.next = self.start_low.val() ^ self.tail_start.read_data.val();
    carry!(self.from_aim <- self: write_enable = start_valid, write_address = start_warp);
    carry!(self.from_aim <- self: write_data = next_from, read_address = aim_warp);
    carry!(self.from_push <- self: write_enable = start_valid, write_address = start_warp);
    carry!(self.from_push <- self: write_data = next_from, read_address = push_warp);
    carry!(self.to_aim <- self: write_enable = start_valid, write_address = start_warp);
    carry!(self.to_aim <- self: write_data = next_to, read_address = aim_warp);
    carry!(self.to_push <- self: write_enable = start_valid, write_address = start_warp);
    self.to_push.write_data.next = self.next_to.val();

    // ---- What is pushed.
    self.push_even.next = self.pushes.val() & !self.push_pc.val().get_bit(0);
    self.push_odd.next =
        (self.pushes.val() & self.push_pc.val().get_bit(0)) | self.push_count.val().get_bit(1);
    self.at_push.next = bit_cast::<WA, WI>(self.push_warp.val());
    if self.push_pc.val().get_bit(1) {
        self.at_push.next = bit_cast::<WA, WI>(self.push_warp.val()) | self.upper_half.val();
    }

    // ---- Aim.
    self.head_now.next = self.head_aim.read_data.val() ^ self.from_aim.read_data.val();
    self.head_read.d.next = self.head_now.val();
    self.from_read.d.next = self.from_aim.read_data.val();
    self.tail_now.next = self.tail_aim.read_data.val() ^ self.to_aim.read_data.val();
    self.pushes_here.next = (self.push.val() & self.aim.val()).any();
    self.push_half.next = self.push_pc.val().get_bit(1);
    self.tail_read.d.next = self.tail_now.val();
    if self.pushes_here.val() {
        self.tail_read.d.next = self.next_tail.val();
    }
    self.aim_odd.next = (self.parity.q.val() & self.aim.val()).any();
    self.aim_half.next = (self.half.q.val() & self.aim.val()).any();
    self.far_even.next = (self.far.q.val() & self.aim.val()).any();
    self.far_third.next = !self.aim_half.val();
    self.at_even.next = bit_cast::<WA, WI>(self.aim_warp.val());
    if self.far_even.val() {
        self.at_even.next = bit_cast::<WA, WI>(self.aim_warp.val()) | self.upper_half.val();
    }
    self.at_odd.next = bit_cast::<WA, WI>(self.aim_warp.val());
    if self.aim_half.val() {
        self.at_odd.next = bit_cast::<WA, WI>(self.aim_warp.val()) | self.upper_half.val();
    }
    self.at_third.next = bit_cast::<WA, WI>(self.aim_warp.val());
    if self.far_third.val() {
        self.at_third.next = bit_cast::<WA, WI>(self.aim_warp.val()) | self.upper_half.val();
    }
    carry!(self.*.read_address <- self.at_*: even, odd);
    spread!(self.*.read_address <- self.at_third: even_third, odd_third);
    self.first_read.d.next = self.even.read_data.val();
    self.other_there.next = self.odd.read_data.val();
    self.other_pushed.next = self.push1.val();
    self.other_passes.next = self.push_odd.val()
        & self.pushes_here.val()
        & (self.push_half.val() == self.aim_half.val());
    if self.aim_odd.val() {
        self.first_read.d.next = self.odd.read_data.val();
        self.other_there.next = self.even.read_data.val();
        self.other_pushed.next = self.push0.val();
        self.other_passes.next = self.push_even.val()
            & self.pushes_here.val()
            & (self.push_half.val() == self.far_even.val());
    }
    self.other_read.d.next = self.other_there.val();
    if self.other_passes.val() {
        self.other_read.d.next = self.other_pushed.val();
    }
    self.pushes_third.next =
        self.pushes_here.val() & (self.push_half.val() == self.far_third.val());
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
    self.is_odd.next = self.head_read.q.val().get_bit(0);
    self.even_word.read_address.next = self.word_even_at.q.val();
    self.odd_word.read_address.next = self.word_odd_at.q.val();
    carry!(self <- self.*.q: first = first_read, other = other_read, third = third_read);
    self.was_odd.d.next = self.is_odd.val();
    self.first_pc.next = bit_cast::<22, 21>(self.even_word.read_data.val().get_bits::<21>(32)) << 1;
    self.first_word.next = self.even_word.read_data.val().get_bits::<32>(0);
    self.other_word.next = self.odd_word.read_data.val().get_bits::<32>(0);
    if self.was_odd.q.val() {
        self.first_pc.next = (bit_cast::<22, 21>(self.odd_word.read_data.val().get_bits::<21>(32))
            << 1)
            | self.odd_address.val();
        self.first_word.next = self.odd_word.read_data.val().get_bits::<32>(0);
        self.other_word.next = self.even_word.read_data.val().get_bits::<32>(0);
    }

    // ---- Push.
    self.push_base.next = self.head_push.read_data.val() ^ self.from_push.read_data.val();
    if self.push_same.val() {
        self.push_base.next = self.next_head.val();
    }
    // How many there are but for the push is known before their number.
    self.push_gap.next = self.push_pc.val().get_bits::<3>(0) - self.push_base.val();
    self.push_few.next = !self.push_gap.val().get_bit(2)
        & !(self.push_gap.val().get_bit(1) & self.push_gap.val().get_bit(0));
    if self.push_count.val().get_bit(0) {
        self.push_few.next = !self.push_gap.val().get_bit(2) & !self.push_gap.val().get_bit(1);
    }
    if self.push_count.val().get_bit(1) {
        self.push_few.next = !self.push_gap.val().any();
    }
    self.even_store.next = bit_cast::<53, 32>(self.push_word0.val())
        | (bit_cast::<53, 21>(self.push_pc.val().get_bits::<21>(1)) << 32);
    self.odd_store.next = bit_cast::<53, 32>(self.push_word1.val())
        | (bit_cast::<53, 21>(self.push_pc.val().get_bits::<21>(1)) << 32);
    carry!(self.even <- self: write_enable = push_even, write_address = at_push);
    self.even.write_data.next = self.push0.val();
    carry!(self.even_third <- self: write_enable = push_even, write_address = at_push);
    self.even_third.write_data.next = self.push0.val();
    carry!(self.even_word <- self: write_enable = push_even, write_address = at_push);
    self.even_word.write_data.next = self.even_store.val();
    carry!(self.odd <- self: write_enable = push_odd, write_address = at_push, write_data = push1);
    carry!(self.odd_third <- self: write_enable = push_odd, write_address = at_push);
    self.odd_third.write_data.next = self.push1.val();
    carry!(self.odd_word <- self: write_enable = push_odd, write_address = at_push);
    self.odd_word.write_data.next = self.odd_store.val();

    // ---- Bits 0 and 1 of the head.
    self.started.next = self.no_warps.val();
    if self.start_valid.val() {
        self.started.next = self.one_warp.val() << self.start_warp.val();
    }
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
    carry!(self.parity <- self: enable = moved, data = moved_odd);
    carry!(self.half <- self: enable = moved, data = moved_half);
    self.far.enable.next = self.moved.val();
    self.far.data.next = self.moved_odd.val() ^ self.moved_half.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    type Small = Queue<4, 2, 1, 3>;

    /// The queue of each warp as a list of decoded instructions, and its head.
    #[derive(Default)]
    struct Warps {
        queued: [VecDeque<u64>; 4],
        head: [u64; 4],
        /// Nothing is issued or pushed for it before its next start.
        stopped: [bool; 4],
        /// The warp that was aimed at in the former cycle, and whether it had an instruction then.
        aimed: (u64, bool),
    }

    impl Warps {
        /// Random but legal. The warp that issues was aimed at in the former cycle, and neither started nor stopped
        /// then.
        fn drive(&mut self, u: &mut Small, rng: &mut Rng, reset: bool) {
            let there = [0, 1, 2, 3].map(|w| self.queued[w].is_empty());
            u.reset.next = reset;
            u.clear.next = u.clear.val() + 1;
            let (issue, may) = self.aimed;
            let (aim, to) = ((issue + 1 + rng.below(3)) % 4, rng.below(4));
            u.aim.next = (1 << aim).into();
            u.aim_warp.next = aim.into();
            u.issue_warp.next = issue.into();
            let (w, v) = (issue as usize, to as usize);
            let issues = !reset && may && rng.chance(3, 4);
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
            u.push.next = (u64::from(count != 0) << to).into();
            u.push_count.next = count.into();
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
                self.stopped[o] = !starts;
                if starts {
                    self.queued[o].clear();
                    self.head[o] = begin;
                }
            }
            let may = |w: usize| !self.stopped[w] && !there[w];
            self.aimed = (aim, may(aim as usize));
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
        let (mut seen, mut fews) = ([0; 5], [0; 2]);
        let mut word: Option<(u64, u64)> = None;
        for t in 0..8000 {
            let (warp, may) = warps.aimed;
            let there = warps.queued[warp as usize].clone();
            let pc = warps.head[warp as usize];
            warps.drive(&mut b.uut, &mut rng, t < 2);
            b.settle();
            let outputs = [
                b.uut.first.val().to_u64(),
                b.uut.other.val().to_u64(),
                b.uut.third.val().to_u64(),
            ];
            if t > 2 && may {
                assert_eq!(b.uut.count.val().index(), there.len(), "cycle {t}");
                let leave = 1 + usize::from(b.uut.second.val());
                if b.uut.issuing.val() {
                    assert_eq!(b.uut.left.val().index() + leave, there.len(), "cycle {t}");
                }
                let to = b.uut.push_warp.val().index();
                if b.uut.push_count.val().any() {
                    let few = b.uut.push_few.val();
                    assert_eq!(few, warps.queued[to].len() <= 2, "cycle {t}");
                    fews[usize::from(few)] += 1;
                }
                for (k, (&is, &should)) in outputs.iter().zip(&there).enumerate() {
                    assert_eq!(is, should, "cycle {t}, instruction {k}");
                }
                seen[there.len()] += 1;
            }
            if let Some((word, pc)) = word {
                assert_eq!(b.uut.first_word.val().to_u64(), word, "cycle {t}");
                assert_eq!(b.uut.first_pc.val().to_u64(), pc, "cycle {t}");
            }
            word = there.front().filter(|_| may).map(|&word| (word, pc));
            b.edge();
        }
        assert!(
            seen[1..].iter().all(|&n| n > 50) && fews.iter().all(|&n| n > 100),
            "{seen:?} {fews:?}"
        );
    }
}
