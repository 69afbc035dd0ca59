//! Queue of the complete sections, the 16 execution slots, and the arbiter between these;
//! beside them the queue of those that only let sleepers go.
//!
//! Spec: `docs/spec/barrier.md`, BAR-060 to 062.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `cfg_priority` | in | 16 | 2 bits per barrier id; counts when a barrier takes its slot |
//! | `push`, `push_exclusive` | in | 1, 1 | `barrier` enters the queue |
//! | `push_simple` | in | 1 | with `push`: it enters the other queue |
//! | `barrier` | in | 7 | CTA slot (upper four bits) and id of the barrier at hand |
//! | `goes_on` | in | 1 | whoever was inside `barrier` has left: its slot, if it has one, can have a turn |
//! | `may_go_on` | in | 1 | early: `goes_on` may come in this cycle |
//! | `slot`, `waits`, `more`, `frees` | in | 4, 1, 1, 1 | of this slot a thread is inside now, and others of its block can have a turn after it; it is free again |
//! | `releases` | in | 1 | threads of `slot` were let go |
//! | `frees_simple` | in | 1 | the head of the other queue leaves |
//! | `resets` | in | 1 | `barrier` is reset: so will be those of its slot, if it has one |
//! | `purge`, `purging` | in, out | 1, 1 | all barriers of this CTA slot leave queue and slots; it goes on, from the next cycle on |
//! | `settled` | out | 1 | the head of the queue cannot take a slot, that of the other is there; `purge` only then |
//! | `pick_valid`, `pick_slot`, `pick_barrier` | out | 1, 4, 7 | the slot whose turn is next |
//! | `pick_turning` | out | 1 | the last of it was a turn (`waits`) with `more` |
//! | `pick_simple` | out | 1 | rather the head of the other queue is next: `pick_barrier` |
//! | `picks` | in | 1 | what is picked has its turn now |
//! | `at_once`, `next_slot` | out | 1, 4 | no slot can have a turn, and if `barrier` were pushed now it would take this one in the next cycle, or (`push_simple`) be the head of the other queue |
//!
//! # Cycle behaviour
//! `pick_valid` is 0 in the cycle after a change of the slots and while the head of the queue is about to take one, so
//! what is picked is the best of all that can be, of equal ones the next in turn. Slots and the other queue take turns.
//! A push into an empty queue: queue 1, slot 2, picked 4 cycles later.
//!
//! # Invariants
//! 1. An exclusive barrier is alone in the slots.
//! 2. A barrier is in the queue or in one slot, once.
//!
//! # Errors
//! None.

use super::fifo::Fifo;
use super::first::First;
use crate::hdl::*;
use crate::prim::LutRam;

#[module]
pub struct Slots {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_priority: Signal<In, Bits<16>>,
    pub push: Signal<In, Bit>,
    pub push_exclusive: Signal<In, Bit>,
    pub push_simple: Signal<In, Bit>,
    pub barrier: Signal<In, Bits<7>>,
    pub goes_on: Signal<In, Bit>,
    pub may_go_on: Signal<In, Bit>,
    pub slot: Signal<In, Bits<4>>,
    pub waits: Signal<In, Bit>,
    pub more: Signal<In, Bit>,
    pub frees: Signal<In, Bit>,
    pub frees_simple: Signal<In, Bit>,
    pub releases: Signal<In, Bit>,
    pub resets: Signal<In, Bit>,
    pub purge: Signal<In, Bit>,
    pub purging: Signal<Out, Bit>,
    pub settled: Signal<Out, Bit>,
    pub pick_valid: Signal<Out, Bit>,
    pub pick_slot: Signal<Out, Bits<4>>,
    pub pick_turning: Signal<Out, Bit>,
    pub pick_simple: Signal<Out, Bit>,
    pub pick_barrier: Signal<Out, Bits<7>>,
    pub picks: Signal<In, Bit>,
    pub at_once: Signal<Out, Bit>,
    pub next_slot: Signal<Out, Bits<4>>,
    // State: per slot whether it is taken, whether a thread is inside, whether it had a turn with `more` last, its
    // priority, its barrier (twice); an exclusive one came last.
    taken: DFF<Bits<16>>,
    waiting: DFF<Bits<16>>,
    turning: DFF<Bits<16>>,
    rank: [DFF<Bits<2>>; 16],
    name: [DFF<Bits<7>>; 16],
    names: LutRam<Bits<7>, 4>,
    alone: DFF<Bit>,
    // State: what was picked from the slots as they were, and still are.
    found: DFF<Bit>,
    at: DFF<Bits<4>>,
    // State: its level, a bit each; of each level, the slots behind the one that was picked last.
    of_level: DFF<Bits<4>>,
    behind: [DFF<Bits<16>>; 4],
    // State: a slot was picked last, not the other queue; a slot could have a turn in the cycle before.
    simple_first: DFF<Bit>,
    able: DFF<Bit>,
    // State: likewise, that none was picked, and a push would take the next cycle's slot; that all are free;
    // the first that is.
    calm: DFF<Bit>,
    empty: DFF<Bit>,
    place: DFF<Bits<4>>,
    // State: the head of the queue could not take a slot, and nothing has changed since.
    blocked: DFF<Bit>,
    // State: a slot is free, all are, and still were after the cycle before; in that slots were taken or became free.
    roomy: DFF<Bit>,
    vacant: DFF<Bit>,
    moved: DFF<Bit>,
    // State: a purge takes the marked entries from the head of the queue and puts others back.
    purges: DFF<Bit>,
    // Of each level, or above: the first slot, and the first of those behind the last one.
    of3: First,
    of2: First,
    of1: First,
    of0: First,
    next3: First,
    next2: First,
    next1: First,
    next0: First,
    // The first free slot.
    vacancy: First,
    // Exclusive, barrier. There is place for 127: were all 128 barriers in it, all slots would be free, and its head
    // would have taken one.
    queue: Fifo<8, 7>,
    // Likewise of the others: the head leaves when it has let go of all.
    simple: Fifo<7, 7>,
    // Combinational.
    room: Signal<Local, Bits<16>>,
    first: Signal<Local, Bits<16>>,
    first_at: Signal<Local, Bits<4>>,
    occupied: Signal<Local, Bit>,
    allowed: Signal<Local, Bit>,
    fits: Signal<Local, Bit>,
    enters: Signal<Local, Bit>,
    head: Signal<Local, Bits<7>>,
    exclusive: Signal<Local, Bit>,
    keeps: Signal<Local, Bit>,
    entry: Signal<Local, Bits<8>>,
    turns_round: Signal<Local, Bit>,
    simple_head: Signal<Local, Bits<7>>,
    simple_keeps: Signal<Local, Bit>,
    simple_round: Signal<Local, Bit>,
    picks_simple: Signal<Local, Bit>,
    at_rest: Signal<Local, Bit>,
    high: Signal<Local, Bits<16>>,
    low: Signal<Local, Bits<16>>,
    same: Signal<Local, Bits<16>>,
    same_cta: Signal<Local, Bits<16>>,
    onehot: Signal<Local, Bits<16>>,
    left: Signal<Local, Bits<16>>,
    begun: Signal<Local, Bits<16>>,
    freed: Signal<Local, Bits<16>>,
    fresh: Signal<Local, Bits<16>>,
    purged: Signal<Local, Bits<16>>,
    stays: Signal<Local, Bit>,
    steps: Signal<Local, Bit>,
    staying: Signal<Local, Bits<16>>,
    let_go: Signal<Local, Bits<16>>,
    cut: Signal<Local, Bits<16>>,
    changes: Signal<Local, Bit>,
    rests: Signal<Local, Bit>,
    can: Signal<Local, Bits<16>>,
    id: Signal<Local, Bits<3>>,
    level: Signal<Local, Bits<2>>,
    top3: Signal<Local, Bits<16>>,
    top2: Signal<Local, Bits<16>>,
    top1: Signal<Local, Bits<16>>,
    only2: Signal<Local, Bit>,
    only1: Signal<Local, Bit>,
    only0: Signal<Local, Bit>,
    m3: Signal<Local, Bits<4>>,
    m2: Signal<Local, Bits<4>>,
    m1: Signal<Local, Bits<4>>,
    m0: Signal<Local, Bits<4>>,
    at3: Signal<Local, Bits<4>>,
    at2: Signal<Local, Bits<4>>,
    at1: Signal<Local, Bits<4>>,
    at0: Signal<Local, Bits<4>>,
    levels: Signal<Local, Bits<4>>,
    after: Signal<Local, Bits<16>>,
    pick_at: Signal<Local, Bits<4>>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<16>>,
    #[value(1.into())]
    one: Constant<Bits<16>>,
    #[value(0xFFFE.into())]
    but_first: Constant<Bits<16>>,
    #[value(0.into())]
    nowhere: Constant<Bits<4>>,
}

#[part(Slots)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: queue, simple);

    // ---- The head of the queue takes the lowest free slot.
    self.head.next = self.queue.data.val().get_bits::<7>(0);
    self.exclusive.next = self.queue.data.val().get_bit(7);
    self.room.next = !self.taken.q.val();
    self.vacancy.bits.next = self.room.val();
    self.first_at.next = self.vacancy.at.val();
    self.first.next = self.one.val() << self.first_at.val();
    self.occupied.next = self.taken.q.val().any();
    // (By what was free in the cycle before: at most a cycle late.)
    self.allowed.next = (!self.exclusive.val() & !self.alone.q.val()) | self.vacant.q.val();
    self.fits.next = self.queue.valid.val() & self.allowed.val() & self.roomy.q.val();
    self.enters.next = self.fits.val() & !self.purges.q.val();
    carry!(self.names <- self: write_enable = enters, write_address = first_at, write_data = head);
    if self.enters.val() {
        self.alone.d.next = self.exclusive.val();
    }
    self.id.next = self.head.val().get_bits::<3>(0);
    self.level.next = self
        .cfg_priority
        .val()
        .get_bits::<2>(self.id.val().index() * 2);
    for i in 0..16 {
        if self.enters.val() & self.first.val().get_bit(i) {
            self.name[i].d.next = self.head.val();
            self.rank[i].d.next = self.level.val();
        }
    }

    self.roomy.d.next = self.vacancy.any.val() & !self.enters.val();
    self.vacant.d.next = !self.occupied.val() & !self.enters.val();
    self.moved.d.next = self.enters.val() | self.frees.val() | self.purge.val() | self.reset.val();

    // ---- Purge: the entries go round once.
    self.keeps.next = self.head.val().get_bits::<4>(3) != self.barrier.val().get_bits::<4>(3);
    self.queue.mark.next = self.purge.val();
    self.turns_round.next = self.purges.q.val() & self.queue.marked.val() & self.queue.valid.val();
    self.simple_head.next = self.simple.data.val();
    self.simple_keeps.next =
        self.simple_head.val().get_bits::<4>(3) != self.barrier.val().get_bits::<4>(3);
    self.simple.mark.next = self.purge.val();
    self.simple_round.next =
        self.purges.q.val() & self.simple.marked.val() & self.simple.valid.val();
    if !self.queue.marked.val() & !self.simple.marked.val() {
        self.purges.d.next = false;
    }
    if self.purge.val() {
        self.purges.d.next = true;
    }
    self.entry.next = bit_cast::<8, 7>(self.barrier.val())
        | (bit_cast::<8, 1>(self.push_exclusive.val().into()) << 7);
    self.queue.push.next =
        (self.push.val() & !self.push_simple.val()) | (self.turns_round.val() & self.keeps.val());
    self.queue.push_data.next = self.entry.val();
    if self.purges.q.val() {
        self.queue.push_data.next = self.queue.data.val();
    }
    self.queue.pop.next = self.enters.val() | self.turns_round.val();
    self.simple.push.next = (self.push.val() & self.push_simple.val())
        | (self.simple_round.val() & self.simple_keeps.val());
    self.simple.push_data.next = self.barrier.val();
    if self.purges.q.val() {
        self.simple.push_data.next = self.simple_head.val();
    }
    self.simple.pop.next = self.frees_simple.val() | self.simple_round.val();

    // ---- Slots.
    self.same.next = self.none.val();
    self.same_cta.next = self.none.val();
    for i in 0..16 {
        if self.name[i].q.val() == self.barrier.val() {
            self.same.next = self.same.val().replace_bit(i, true);
        }
        if self.name[i].q.val().get_bits::<4>(3) == self.barrier.val().get_bits::<4>(3) {
            self.same_cta.next = self.same_cta.val().replace_bit(i, true);
        }
    }
    self.onehot.next = self.one.val() << self.slot.val();
    self.left.next = self.none.val() - bit_cast::<16, 1>(self.goes_on.val().into());
    self.begun.next = self.none.val() - bit_cast::<16, 1>(self.waits.val().into());
    self.freed.next = self.none.val() - bit_cast::<16, 1>(self.frees.val().into());
    self.fresh.next = self.none.val() - bit_cast::<16, 1>(self.enters.val().into());
    self.purged.next = self.none.val() - bit_cast::<16, 1>(self.purge.val().into());
    // (A slot that is free is neither, from the next cycle on.)
    self.waiting.d.next =
        (self.waiting.q.val() & self.taken.q.val() & !(self.left.val() & self.same.val()))
            | (self.begun.val() & self.onehot.val());
    self.stays.next = self.waits.val() & self.more.val();
    self.steps.next = self.waits.val() | self.releases.val();
    self.staying.next = self.none.val() - bit_cast::<16, 1>(self.stays.val().into());
    self.let_go.next = self.none.val() - bit_cast::<16, 1>(self.steps.val().into());
    self.cut.next = self.none.val() - bit_cast::<16, 1>(self.resets.val().into());
    self.turning.d.next = (self.turning.q.val()
        & self.taken.q.val()
        & !(self.let_go.val() & self.onehot.val())
        & !(self.cut.val() & self.same.val()))
        | (self.staying.val() & self.onehot.val());
    self.taken.d.next = (self.taken.q.val()
        & !(self.freed.val() & self.onehot.val())
        & !(self.purged.val() & self.same_cta.val()))
        | (self.fresh.val() & self.first.val());

    // ---- By turns, what lets sleepers go: no section keeps it from that.
    self.picks_simple.next =
        self.simple.valid.val() & (self.simple_first.q.val() | !self.able.q.val());
    if self.picks.val() {
        self.simple_first.d.next = !self.picks_simple.val();
    }
    self.pick_simple.next = self.picks_simple.val();

    // ---- Arbiter.
    self.high.next = self.none.val();
    self.low.next = self.none.val();
    for i in 0..16 {
        if self.rank[i].q.val().get_bit(1) {
            self.high.next = self.high.val().replace_bit(i, true);
        }
        if self.rank[i].q.val().get_bit(0) {
            self.low.next = self.low.val().replace_bit(i, true);
        }
    }
    self.can.next = self.taken.q.val() & !self.waiting.q.val();
    self.top3.next = self.can.val() & self.high.val() & self.low.val();
    self.top2.next = self.can.val() & self.high.val();
    self.top1.next = self.can.val() & self.low.val();
    self.of3.bits.next = self.top3.val();
    self.of2.bits.next = self.top2.val();
    self.of1.bits.next = self.top1.val();
    self.of0.bits.next = self.can.val();
    self.next3.bits.next = self.top3.val() & self.behind[3].q.val();
    self.next2.bits.next = self.top2.val() & self.behind[2].q.val();
    self.next1.bits.next = self.top1.val() & self.behind[1].q.val();
    self.next0.bits.next = self.can.val() & self.behind[0].q.val();
    self.at3.next = self.of3.at.val();
    if self.next3.any.val() {
        self.at3.next = self.next3.at.val();
    }
    self.at2.next = self.of2.at.val();
    if self.next2.any.val() {
        self.at2.next = self.next2.at.val();
    }
    self.at1.next = self.of1.at.val();
    if self.next1.any.val() {
        self.at1.next = self.next1.at.val();
    }
    self.at0.next = self.of0.at.val();
    if self.next0.any.val() {
        self.at0.next = self.next0.at.val();
    }
    self.only2.next = self.of2.any.val() & !self.of3.any.val();
    self.only1.next = self.of1.any.val() & !self.of2.any.val();
    self.only0.next = !self.of1.any.val() & !self.of2.any.val();
    self.m3.next = self.nowhere.val() - bit_cast::<4, 1>(self.of3.any.val().into());
    self.m2.next = self.nowhere.val() - bit_cast::<4, 1>(self.only2.val().into());
    self.m1.next = self.nowhere.val() - bit_cast::<4, 1>(self.only1.val().into());
    self.m0.next = self.nowhere.val() - bit_cast::<4, 1>(self.only0.val().into());
    self.pick_at.next = (self.m3.val() & self.at3.val())
        | (self.m2.val() & self.at2.val())
        | (self.m1.val() & self.at1.val())
        | (self.m0.val() & self.at0.val());
    self.levels.next = bit_cast::<4, 1>(self.only0.val().into())
        | (bit_cast::<4, 1>(self.only1.val().into()) << 1)
        | (bit_cast::<4, 1>(self.only2.val().into()) << 2)
        | (bit_cast::<4, 1>(self.of3.any.val().into()) << 3);
    self.of_level.d.next = self.levels.val();
    self.after.next = self.but_first.val() << self.at.q.val();
    for l in 0..4 {
        if self.picks.val() & !self.picks_simple.val() & self.of_level.q.val().get_bit(l) {
            self.behind[l].d.next = self.after.val();
        }
        if self.reset.val() {
            self.behind[l].d.next = self.none.val();
        }
    }
    self.able.d.next = self.of0.any.val();
    self.at.d.next = self.pick_at.val();
    self.changes.next = self.enters.val()
        | self.may_go_on.val()
        | self.waits.val()
        | self.frees.val()
        | self.picks.val()
        | self.purge.val();
    self.found.d.next = self.of0.any.val() & !self.changes.val();
    if self.reset.val() {
        self.taken.d.next = self.none.val();
        self.found.d.next = false;
        self.blocked.d.next = false;
        self.purges.d.next = false;
        self.simple_first.d.next = false;
    }
    self.names.read_address.next = self.at.q.val();
    self.pick_slot.next = self.at.q.val();
    self.pick_turning.next =
        self.turning.q.val().get_bit(self.at.q.val().index()) & !self.picks_simple.val();
    self.pick_barrier.next = self.names.read_data.val();
    if self.picks_simple.val() {
        self.pick_barrier.next = self.simple_head.val();
    }
    self.blocked.d.next = self.queue.valid.val()
        & !self.fits.val()
        & !self.moved.q.val()
        & !self.changes.val()
        & !self.purges.q.val();
    self.rests.next = !self.queue.any.val() | (self.queue.valid.val() & self.blocked.q.val());
    self.at_rest.next = !self.simple.any.val() | self.simple.valid.val();
    self.settled.next = self.rests.val() & self.at_rest.val();
    self.pick_valid.next = self.picks_simple.val() | (self.found.q.val() & self.rests.val());
    self.purging.next = self.purges.q.val();
    // As they were, and still are.
    self.calm.d.next = !self.queue.any.val()
        & !self.simple.any.val()
        & !self.push.val()
        & !self.purges.q.val()
        & !self.of0.any.val()
        & self.vacancy.any.val()
        & !self.changes.val();
    self.empty.d.next = !self.occupied.val();
    self.place.d.next = self.first_at.val();
    if self.reset.val() {
        self.calm.d.next = false;
    }
    self.at_once.next = self.calm.q.val()
        & (self.push_simple.val()
            | self.empty.q.val()
            | (!self.push_exclusive.val() & !self.alone.q.val()));
    self.next_slot.next = self.place.q.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_barrier_slots",
            Slots::default,
            3000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.cfg_priority.next = rng.bits();
                u.barrier.next = rng.bits();
                // The queue never holds more than there are barriers.
                u.push.next = t > 2 && t % 400 < 100 && !u.purging.val() && rng.flip();
                u.push_exclusive.next = rng.chance(1, 4);
                u.push_simple.next = rng.chance(1, 3);
                u.frees_simple.next = t > 2 && u.pick_simple.val() && rng.flip();
                u.may_go_on.next = t > 2 && rng.flip();
                u.goes_on.next = u.may_go_on.val() && rng.flip();
                u.slot.next = u.pick_slot.val();
                u.picks.next = t > 2 && u.pick_valid.val() && rng.flip();
                u.waits.next = t > 2 && u.pick_valid.val() && rng.flip();
                u.more.next = rng.flip();
                u.releases.next = rng.chance(1, 8);
                u.resets.next = rng.chance(1, 8);
                u.frees.next = t > 2 && u.pick_valid.val() && rng.flip();
                u.purge.next = t > 2
                    && !u.push.val()
                    && !u.purging.val()
                    && u.settled.val()
                    && rng.chance(1, 50);
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// First in first out, lowest free slot, exclusive ones alone;
    /// what is picked is the best of all that can be, and of these the next in turn.
    #[test]
    fn follow_the_specification() {
        let mut b = Bench::new(Slots::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "slots");
        let mut queue: VecDeque<(u64, bool)> = VecDeque::new();
        // Barrier, exclusive, a thread is inside, level.
        let mut slots: [Option<(u64, bool, bool, u64)>; 16] = [None; 16];
        let mut priority = 0;
        // Per level, the slot that was picked last.
        let mut last = [15; 4];
        let mut simple: VecDeque<u64> = VecDeque::new();
        // The other queue was picked last; for so many cycles a slot could go.
        let (mut of_simple, mut able) = (true, 0);
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        let (mut picks, mut alone, mut full, mut purged, mut promises) = (0, 0, 0, 0, 0);
        let (mut simple_picks, mut beside) = (0, 0);
        for t in 0..30_000u64 {
            b.uut.push.next = false;
            b.uut.goes_on.next = false;
            b.uut.may_go_on.next = false;
            b.uut.waits.next = false;
            b.uut.frees.next = false;
            b.uut.purge.next = false;
            b.uut.picks.next = false;
            b.uut.push_simple.next = false;
            b.uut.frees_simple.next = false;
            if t % 500 == 0 && queue.is_empty() {
                priority = rng.next() & 0xFFFF;
                b.uut.cfg_priority.next = priority.into();
            }
            b.settle();
            // The model's queue moves at once.
            while let Some(&(barrier, exclusive)) = queue.front() {
                let level = priority >> (2 * (barrier & 7)) & 3;
                let any = slots.iter().flatten().count() > 0;
                let blocked = slots.iter().flatten().any(|s| s.1);
                let Some(free) = slots.iter_mut().find(|s| s.is_none()) else {
                    full += 1;
                    break;
                };
                if blocked || exclusive && any {
                    alone += 1;
                    break;
                }
                *free = Some((barrier, exclusive, false, level));
                queue.pop_front();
            }
            let busy = b.uut.purging.val();
            let some = slots.iter().flatten().any(|s| !s.2);
            if b.uut.pick_simple.val() && !busy {
                assert!(b.uut.pick_valid.val());
                let head = simple.front().copied();
                assert_eq!(Some(b.uut.pick_barrier.val().to_u64()), head, "cycle {t}");
                assert!(!b.uut.pick_turning.val());
                assert!(!of_simple || able < 4, "cycle {t}: slots are passed over");
                beside += usize::from(slots.iter().flatten().any(|s| s.1));
                simple_picks += 1;
                b.uut.picks.next = true;
                of_simple = true;
                if rng.flip() {
                    b.uut.frees_simple.next = true;
                    simple.pop_front();
                }
            } else if b.uut.pick_valid.val() && !busy {
                assert!(of_simple || simple.is_empty(), "cycle {t}: sleepers wait");
                (of_simple, able) = (false, 0);
                let can = |s: &Option<(u64, bool, bool, u64)>| s.filter(|s| !s.2);
                let best = slots.iter().filter_map(can).map(|s| s.3).max();
                let level = best.unwrap_or(0) as usize;
                let mut cycle = (1..=16).map(|n| (last[level] + n) % 16);
                let want = cycle.find(|&i| can(&slots[i]).is_some_and(|s| Some(s.3) == best));
                assert_eq!(Some(b.uut.pick_slot.val().index()), want, "cycle {t}");
                let slot = want.unwrap();
                let barrier = slots[slot].unwrap().0;
                assert_eq!(b.uut.pick_barrier.val().to_u64(), barrier, "cycle {t}");
                b.uut.slot.next = (slot as u64).into();
                picks += 1;
                b.uut.picks.next = true;
                last[level] = slot;
                match rng.below(4) {
                    0 | 1 => {
                        b.uut.waits.next = true;
                        slots[slot].as_mut().unwrap().2 = true;
                    }
                    2 => {
                        b.uut.frees.next = true;
                        slots[slot] = None;
                    }
                    _ => (),
                }
            } else if !busy {
                // Busy, less busy, hardly anything.
                let pace = [2, 8, 80][t as usize / 3000 % 3];
                let barrier = rng.below(128);
                let known = queue.iter().any(|q| q.0 == barrier)
                    || simple.contains(&barrier)
                    || slots.iter().flatten().any(|s| s.0 == barrier);
                b.uut.barrier.next = barrier.into();
                if b.uut.settled.val() && rng.chance(1, 300) {
                    b.uut.purge.next = true;
                    let (q, n) = (queue.len(), slots.iter().flatten().count());
                    queue.retain(|q| q.0 >> 3 != barrier >> 3);
                    purged += simple.iter().filter(|&b| b >> 3 == barrier >> 3).count();
                    simple.retain(|b| b >> 3 != barrier >> 3);
                    for slot in &mut slots {
                        *slot = slot.filter(|s| s.0 >> 3 != barrier >> 3);
                    }
                    purged += q + n - queue.len() - slots.iter().flatten().count();
                } else if !known && rng.chance(1, pace) {
                    let (exclusive, free) = (rng.chance(1, 6), rng.chance(1, 3));
                    b.uut.push.next = true;
                    b.uut.push_simple.next = free;
                    b.uut.push_exclusive.next = exclusive;
                    b.settle();
                    if b.uut.at_once.val() {
                        let taken = || slots.iter().flatten();
                        assert!(queue.is_empty() && taken().all(|s| s.2), "cycle {t}");
                        assert!(simple.is_empty(), "cycle {t}");
                        if !free {
                            assert!(!taken().any(|s| s.1 || exclusive), "cycle {t}");
                            let free = slots.iter().position(Option::is_none);
                            assert_eq!(Some(b.uut.next_slot.val().index()), free, "cycle {t}");
                        }
                        promises += 1;
                    }
                    match free {
                        true => simple.push_back(barrier),
                        false => queue.push_back((barrier, exclusive)),
                    }
                } else if let Some(slot) = slots
                    .iter_mut()
                    .filter(|_| rng.chance(1, 8))
                    .flatten()
                    .find(|s| s.2)
                {
                    b.uut.barrier.next = slot.0.into();
                    b.uut.goes_on.next = true;
                    b.uut.may_go_on.next = true;
                    slot.2 = false;
                }
            }
            able = if some && !busy { able + 1 } else { 0 };
            b.edge();
        }
        println!("picks {picks}, alone {alone}, full {full}, purged {purged}, promises {promises}");
        println!("picks of the other queue {simple_picks}, beside an exclusive section {beside}");
        assert!(simple_picks > 500 && beside > 20);
        assert!(picks > 1000 && alone > 100 && full > 20 && purged > 20 && promises > 50);
    }
}
