//! When a barrier is complete: by an operation, by the end of threads, by its timer.
//!
//! Kernel of the barrier unit, part 3.

use super::Barrier;
use crate::hdl::*;

/// EXIT and KILL, one barrier of the CTA after the other; and what completes.
pub struct Completion;

#[part(Barrier<NW, WI, W, P, SB, MB>, Completion)]
fn update(&mut self) {
    // ---- EXIT and KILL: one barrier of the CTA after the other.
    self.fewer.next = self.live.q.val() - bit_cast::<12, P>(self.count_taking.q.val());
    if self.depart.q.val() {
        self.ids.d.next = self.used.read_data.val();
    }
    // (All but the lowest.)
    self.more_ids.next = self.no_ids.val();
    for i in 1..8 {
        if (self.ids.q.val() & self.lower_ids[i].val()).any() {
            self.more_ids.next = self
                .more_ids
                .val()
                .replace_bit(i, self.ids.q.val().get_bit(i));
        }
    }
    if self.next_id.q.val() {
        self.ids.d.next = self.more_ids.val();
        if self.ids.q.val().any() {
            self.barrier.d.next = self.walk_barrier.val();
        }
    }
    self.kills.next = self.gather.q.val() & self.is_kill.q.val();
    self.kills_held.next = self.kills.val() & self.was_held.val();
    self.gathers_seen.next = self.gather.q.val() & self.was_seen.val();
    self.killed.next = self.no_threads.val() - bit_cast::<W, 1>(self.kills.val().into());
    self.held_all.next = self.no_threads.val() - bit_cast::<W, 1>(self.kills_held.val().into());
    self.seen_too.next = self.no_threads.val() - bit_cast::<W, 1>(self.gathers_seen.val().into());
    if self.gather.q.val() {
        self.hit.d.next = self.nested.q.val().any();
    }
    if self.lower.q.val() {
        if self.b_static.q.val() {
            self.b_arrivals.d.next = self.arrival.sum.val();
        }
        if self.whole.q.val() & (self.b_first.q.val() == self.warp.q.val()) {
            self.b_known.d.next = false;
        }
        if self.whole.q.val() {
            self.b_held.d.next = self.b_held.q.val() & !self.warp_bit.q.val();
        }
    }
    self.reached.next = (self.b_arrivals.q.val() >= bit_cast::<13, 12>(self.live.q.val()))
        | (self.b_word.q.val().get_bit(15)
            & (self.b_arrivals.q.val()
                >= bit_cast::<13, 11>(self.b_word.q.val().get_bits::<11>(0))));
    self.full.d.next = self.b_static.q.val() & self.reached.val();
    self.judged.next = self.close.q.val() & self.full.q.val();

    // ---- A barrier is complete.
    self.ran_out.next = self.timeout.q.val() & self.b_static.q.val();
    self.policy.next = self.b_word.q.val().get_bits::<2>(19);
    // (Before all live threads have come: by timeout; or by the count, which `rule` has found.)
    self.voids.next =
        (self.ran_out.val() & !self.b_section.q.val() & (self.policy.val() == self.policy_3.val()))
            | (self.answer.q.val() & self.completes.q.val() & self.b_void.q.val());
    self.complete.next =
        (self.answered.val() & self.completes.q.val()) | self.judged.val() | self.ran_out.val();
    // (What is written does not wait for the transfer of the verdict.)
    self.will_be.next =
        (self.answer.q.val() & self.completes.q.val()) | self.judged.val() | self.ran_out.val();
    self.then_idle.next = !self.b_section.q.val()
        & !self.any_present.val()
        & !(self.adds.q.val() & self.answer.q.val());
    if self.judged.val() | self.ran_out.val() {
        self.sets.d.next = true;
        self.disarms.d.next = true;
    }

    // It takes a slot at once; and its first sleepers are known.
    self.at_once.next = self.answer.q.val()
        & self.completes.q.val()
        & !self.misuse.q.val()
        & !self.over.q.val()
        & self.slots.at_once.val();
    self.quick.next = self.at_once.val()
        & ((self.leads.val() & self.comes_before.val()) | self.first_known.q.val());
    self.straight.next = self.quick.val() & self.verdict_ready.val();
    self.goes_first.next = self.straight.val() & !self.b_section.q.val();
    // (Whether it does is known late: what no other step reads does not ask for it.)
    self.through.next =
        self.answered.val() & self.completes.q.val() & !self.misuse.q.val() & !self.over.q.val();
}
