//! Token window, first half of a pass: where tokens stand, and which job the memory port could do. Combinational.
//!
//! Spec: `docs/spec/spill.md`, SPILL-030 to 034.
//!
//! From front to back a deque is: T0, `fore` tokens in the front ring, `stored` tokens in memory, `rear` tokens in the
//! back ring. Token number n has position `head` + n, and in a ring the place (`ring` + n) modulo the ring's size.
//! While a job is in flight (`moving`), only the first `solid` tokens of the front ring are there yet, and `taken`
//! places of it (`rear_taken` of the back ring) are in use.
//!
//! # Parameters
//! `K`, `B` places of the front and the back ring, powers of two; `R` bits of a place.
//! Places 0 … K − 1 are the front ring, K … K + B − 1 the back ring, the others scratch.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `mode`, `scans`, `plain`, `k`, `at` | in | pass; it scans from the back; `plain` of `Match`; number and place of the token at hand |
//! | `head` .. `ring`, `moving` | in | window of the warp; its last token has the ring number `ring` + depth − 1 |
//! | `fore_any`, `solid_now`, `taken_now`, `rear_taken_now` | out | as they are, when the job may have ended meanwhile |
//! | `t1_absent`, `tk_absent` | out | there is a token behind the front, but not at hand; likewise the token a scan begins with |
//! | `at_scratch` | out | the token at hand is a copy of one in memory |
//! | `then_k`, `then_at`, `then_here` | out | number and place of the next token of a search or scan; it is at hand (in FETCH: of token k itself) |
//! | `front_full`, `back_full` | out | no place for one more token at this end |
//! | `at_base`, `at_bound` | out | no position for one more token at this end (SPILL-020) |
//! | `front_at`, `back_at`, `back_joins` | out | where T0 goes when a token is pushed; where a token at the back goes; that is in the front ring |
//! | `left` | out | tokens from the one at hand to the last |
//! | `free` | out | tokens that the allocation still has room for |
//! | `new_head` | out | `head` after recentering |
//! | `spills`, `evicts`, `fills` | out | job to start in passing; at most one |
//!
//! # Errors
//! None. `Default` panics when the parameters do not fit.

use super::{code, Place};
use crate::hdl::*;

#[cell(
    requires(K.is_power_of_two(), B.is_power_of_two(), K >= 2, K + B < 1 << R, K << 1 <= 1 << R),
    given(let (front, back) = (K as u64, B as u64);)
)]
pub struct Locate<const K: usize, const B: usize, const R: usize> {
    pub mode: Signal<In, Bits<3>>,
    pub scans: Signal<In, Bit>,
    pub plain: Signal<In, Bit>,
    pub k: Signal<In, Bits<10>>,
    pub at: Signal<In, Bits<R>>,
    pub head: Signal<In, Bits<10>>,
    pub depth: Signal<In, Bits<10>>,
    pub size: Signal<In, Bits<10>>,
    pub fore: Signal<In, Bits<R>>,
    pub solid: Signal<In, Bits<R>>,
    pub taken: Signal<In, Bits<R>>,
    pub rear: Signal<In, Bits<R>>,
    pub rear_taken: Signal<In, Bits<R>>,
    pub stored: Signal<In, Bits<10>>,
    pub ring: Signal<In, Bits<R>>,
    pub moving: Signal<In, Bit>,
    pub fore_any: Signal<Out, Bit>,
    pub solid_now: Signal<Out, Bits<R>>,
    pub taken_now: Signal<Out, Bits<R>>,
    pub rear_taken_now: Signal<Out, Bits<R>>,
    pub t1_absent: Signal<Out, Bit>,
    pub tk_absent: Signal<Out, Bit>,
    pub at_scratch: Signal<Out, Bit>,
    pub then_k: Signal<Out, Bits<10>>,
    pub then_at: Signal<Out, Bits<R>>,
    pub then_here: Signal<Out, Bit>,
    pub front_full: Signal<Out, Bit>,
    pub back_full: Signal<Out, Bit>,
    pub at_base: Signal<Out, Bit>,
    pub at_bound: Signal<Out, Bit>,
    pub front_at: Signal<Out, Bits<R>>,
    pub back_at: Signal<Out, Bits<R>>,
    pub back_joins: Signal<Out, Bit>,
    pub left: Signal<Out, Bits<10>>,
    pub free: Signal<Out, Bits<10>>,
    pub new_head: Signal<Out, Bits<10>>,
    pub spills: Signal<Out, Bit>,
    pub evicts: Signal<Out, Bit>,
    pub fills: Signal<Out, Bit>,
    // Combinational.
    runs: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    fetches: Signal<Local, Bit>,
    deeper: Signal<Local, Bit>,
    may: Signal<Local, Bit>,
    evicts_safely: Signal<Local, Bit>,
    then_far: Signal<Local, Bit>,
    then_by: Signal<Local, Bits<10>>,
    left_far: Signal<Local, Bit>,
    left_low: Signal<Local, Bits<R>>,
    rear_reach: Signal<Local, Bits<R>>,
    free_up: Signal<Local, Bits<10>>,
    then_place: Place<K, B, R>,
    then_low: Signal<Local, Bits<R>>,
    then_fore: Signal<Local, Bit>,
    then_rear: Signal<Local, Bit>,
    then_next: Signal<Local, Bit>,
    front_place: Place<K, B, R>,
    back_place: Place<K, B, R>,
    // Constants.
    #[value(code::MODE_RUN.into())]
    mode_run: Constant<Bits<3>>,
    #[value(code::MODE_WAIT.into())]
    mode_wait: Constant<Bits<3>>,
    #[value(code::MODE_FETCH.into())]
    mode_fetch: Constant<Bits<3>>,
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
    #[value(Bits::<10>::mask())]
    one_less: Constant<Bits<10>>,
    #[value(0.into())]
    no_tokens: Constant<Bits<10>>,
    #[value(1.into())]
    one_place: Constant<Bits<R>>,
    #[value(front.into())]
    front_places: Constant<Bits<R>>,
    #[value(back.into())]
    back_places: Constant<Bits<R>>,
    #[value((front + back).into())]
    scratch_first: Constant<Bits<R>>,
    #[value(((1 << R) - 1).into())]
    scratch_last: Constant<Bits<R>>,
    #[value((front - front / 4).into())]
    spill_from: Constant<Bits<R>>,
    #[value((front / 4).max(1).into())]
    fill_below: Constant<Bits<R>>,
    #[value(1.into())]
    half: Constant<Bits<1>>,
    #[value((R as u64).into())]
    ring_bits: Constant<Bits<4>>,
}

impl<const K: usize, const B: usize, const R: usize> Logic for Locate<K, B, R> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- What is there.
        self.runs.next = self.mode.val() == self.mode_run.val();
        self.waits.next = self.mode.val() == self.mode_wait.val();
        self.fetches.next = self.mode.val() == self.mode_fetch.val();
        self.fore_any.next = self.fore.val().any();
        self.solid_now.next = self.fore.val();
        self.taken_now.next = self.fore.val();
        self.rear_taken_now.next = self.rear.val();
        if self.moving.val() {
            self.solid_now.next = self.solid.val();
            self.taken_now.next = self.taken.val();
            self.rear_taken_now.next = self.rear_taken.val();
        }
        self.deeper.next = (self.depth.val() >> self.half.val()).any();
        self.t1_absent.next = self.deeper.val()
            & ((self.fore.val().any() & !self.solid_now.val().any())
                | (!self.fore.val().any() & self.stored.val().any()));
        self.tk_absent.next = self.deeper.val()
            & !self.rear.val().any()
            & (self.stored.val().any() | (self.solid_now.val() != self.fore.val()));

        // ---- The next token of a search (SPILL-034).
        self.at_scratch.next = self.at.val() >= self.scratch_first.val();
        self.then_by.next = self.one_token.val();
        if self.scans.val() {
            self.then_by.next = self.one_less.val();
        }
        if self.fetches.val() {
            self.then_by.next = self.no_tokens.val();
        }
        self.then_k.next = self.k.val() + self.then_by.val();
        self.then_low.next = bit_cast::<R, 10>(self.then_k.val());
        self.then_place.number.next = self.ring.val() + self.then_low.val();
        // Places of the front ring are few: only the low bits are compared.
        self.then_far.next = (self.then_k.val() >> self.ring_bits.val()).any();
        self.then_fore.next = !self.then_far.val() & (self.then_low.val() <= self.solid_now.val());
        // It stands in the back ring if from token k on there are no more tokens than that holds, or than one more or
        // less.
        self.left.next = self.depth.val() - self.k.val();
        self.left_low.next = bit_cast::<R, 10>(self.left.val());
        self.left_far.next = (self.left.val() >> self.ring_bits.val()).any();
        self.rear_reach.next = self.rear.val() + bit_cast::<R, 10>(self.then_by.val());
        self.then_rear.next = !self.left_far.val()
            & (self.left_low.val() <= self.rear_reach.val())
            & (self.rear.val().any() | !self.scans.val());
        self.then_next.next = self.runs.val()
            & self.at_scratch.val()
            & (self.at.val() != self.scratch_last.val())
            & (self.then_far.val() | (self.then_low.val() > self.fore.val()));
        self.then_here.next = self.then_fore.val() | self.then_rear.val() | self.then_next.val();
        self.then_at.next = self.at.val() + self.one_place.val();
        if self.fetches.val() {
            self.then_at.next = self.scratch_first.val();
        }
        if self.then_fore.val() {
            self.then_at.next = self.then_place.front.val();
        } else if self.then_rear.val() {
            self.then_at.next = self.then_place.back.val();
        }

        // ---- Room (SPILL-020, SPILL-031).
        self.back_place.number.next = self.ring.val() + bit_cast::<R, 10>(self.depth.val());
        self.front_full.next = self.taken_now.val() == self.front_places.val();
        self.back_joins.next = !self.rear.val().any()
            & !self.stored.val().any()
            & (self.solid_now.val() == self.fore.val())
            & !self.front_full.val();
        self.back_full.next =
            !self.back_joins.val() & (self.rear_taken_now.val() == self.back_places.val());
        self.front_place.number.next = self.ring.val();
        self.front_at.next = self.front_place.front.val();
        self.back_at.next = self.back_place.back.val();
        if self.back_joins.val() {
            self.back_at.next = self.back_place.front.val();
        }
        self.at_base.next = !self.head.val().any();
        self.free.next = self.size.val() - self.depth.val();
        self.at_bound.next = self.head.val() == self.free.val();
        self.free_up.next = self.free.val() + bit_cast::<10, 1>(self.at_base.val().into());
        self.new_head.next = self.free_up.val() >> self.half.val();

        // ---- A job to start in passing (SPILL-032). While a pass may pop the first token of the back ring, that one
        // stays.
        self.may.next = !self.moving.val() & (self.waits.val() | self.plain.val());
        self.evicts_safely.next =
            self.waits.val() | self.fore.val().any() | self.stored.val().any();
        self.spills.next = self.may.val() & (self.fore.val() >= self.spill_from.val());
        self.evicts.next = self.may.val()
            & !self.spills.val()
            & self.evicts_safely.val()
            & (self.rear.val() == self.back_places.val());
        self.fills.next = self.may.val()
            & !self.spills.val()
            & !self.evicts.val()
            & self.stored.val().any()
            & (self.fore.val() < self.fill_below.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random windows: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "locate",
            Locate::<4, 2, 3>::default,
            4000,
            |u, rng, _| {
                u.mode.next = rng.bits();
                u.scans.next = rng.flip();
                u.plain.next = rng.flip();
                u.k.next = rng.below(12).into();
                u.at.next = rng.bits();
                u.head.next = rng.below(8).into();
                u.depth.next = rng.below(12).into();
                u.size.next = rng.below(16).into();
                u.fore.next = rng.below(5).into();
                u.solid.next = rng.below(5).into();
                u.taken.next = rng.below(5).into();
                u.rear.next = rng.below(3).into();
                u.rear_taken.next = rng.below(3).into();
                u.stored.next = if rng.flip() {
                    0.into()
                } else {
                    rng.below(8).into()
                };
                u.ring.next = rng.bits();
                u.moving.next = rng.flip();
            },
            None,
        )
        .unwrap();
    }
}
