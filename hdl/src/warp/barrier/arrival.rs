//! What a TOP or an ARRIVE does.
//!
//! Spec: `docs/spec/barrier.md`, BAR-021 to 027, 031 to 033, 051, 070, 080.
//!
//! # Parameters
//! `P`: bits of a count of a warp's threads.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `top` | in | 1 | it is TOP, else ARRIVE |
//! | `is_static`, `is_dynamic`, `is_invalid` | in | 1 each | state; none: IDLE |
//! | `own` | in | 1 | the barrier is in use under this tag, or by ARRIVE as the instruction is: its word counts; with IDLE never |
//! | `joinable` | in | 1 | DYNAMIC, an impatient section, and its end has not begun |
//! | `started` | in | 1 | its timer was started |
//! | `own_word`, `word` | in | 32, 32 | the barrier's; the instruction's |
//! | `own_taking_only`, `taking_only` | in | 1, 1 | of these words: condition 2, 3 or 4, and it is TOP |
//! | `own_everybody`, `everybody` | in | 1, 1 | … condition 0 |
//! | `own_impatient`, `impatient` | in | 1, 1 | … condition 3 or 4, and it is TOP |
//! | `own_limited`, `limited` | in | 1, 1 | … condition 1, 2 or 4, and the count is not 0 |
//! | `own_over`, `over` | in | 1, 1 | … condition 1, 2 or 4, and the count is above the threads of the launch |
//! | `own_section`, `section` | in | 1, 1 | … kind 1 or 2, and by TOP |
//! | `arrivals`, `live` | in | 13, 12 | arrivals so far; threads of the CTA that have not ended |
//! | `count_all`, `count_taking` | in | P, P | threads of A, of S |
//! | `some_all`, `some_taking` | in | 1, 1 | there are any (S: and it is TOP); none, if it is no arrival |
//! | `anybody` | in | 1 | A is not empty: those who are inside a section already may have been all (BAR-020); or it is ARRIVE |
//! | `missing`, `scarce` | in | 14, 14 | live threads and the count of the barrier's word, less its arrivals |
//! | `lowers` | in | 1 | none of this: `sum` is `arrivals` less `count_taking` |
//! | `any_seen` | in | 1 | some of A are seen, the barrier is STATIC, and its word has condition 0 |
//! | `whole` | in | 1 | S is all live threads of the warp |
//! | `others` | in | 1 | other threads of the warp sleep at the barrier |
//! | `part`, `retry`, `retry_all` | out | 1 each | PART of those that are seen; RETRY, of A with `retry_all`, else of S |
//! | `sleep`, `late` | out | 1, 1 | S sleeps, SLEEP; it waits for the end of the group; no verdict of these: NEXT |
//! | `hold` | out | 1 | the warp is held |
//! | `rescan` | out | 1 | the barrier's flag is set |
//! | `opens` | out | 1 | IDLE becomes STATIC |
//! | `counts`, `sum` | out | 1, 13 | `arrivals` := `sum` |
//! | `marks` | out | 1 | N, if there is any, has been seen |
//! | `complete` | out | 1 | membership is complete |
//! | `partly` | out | 1 | it is complete by the count and not by all live threads, and invalidates who is late |
//! | `closes` | out | 1 | INVALID becomes IDLE |
//! | `error` | out | 1 | COUNT |
//! | `start`, `stop` | out | 1, 1 | of the timer |
//!
//! Combinational; what both words would do is known when it is known which of them counts.
//! `own` and the counts are the latest inputs, `complete` is the latest output.
//!
//! # Errors
//! None at run time.

use crate::hdl::*;

#[cell]
pub struct Arrival<const P: usize> {
    pub top: Signal<In, Bit>,
    pub is_static: Signal<In, Bit>,
    pub is_dynamic: Signal<In, Bit>,
    pub is_invalid: Signal<In, Bit>,
    pub own: Signal<In, Bit>,
    pub joinable: Signal<In, Bit>,
    pub started: Signal<In, Bit>,
    pub own_word: Signal<In, Bits<32>>,
    pub word: Signal<In, Bits<32>>,
    pub own_taking_only: Signal<In, Bit>,
    pub taking_only: Signal<In, Bit>,
    pub own_everybody: Signal<In, Bit>,
    pub everybody: Signal<In, Bit>,
    pub own_impatient: Signal<In, Bit>,
    pub impatient: Signal<In, Bit>,
    pub own_limited: Signal<In, Bit>,
    pub limited: Signal<In, Bit>,
    pub own_over: Signal<In, Bit>,
    pub over: Signal<In, Bit>,
    pub own_section: Signal<In, Bit>,
    pub section: Signal<In, Bit>,
    pub arrivals: Signal<In, Bits<13>>,
    pub live: Signal<In, Bits<12>>,
    pub count_all: Signal<In, Bits<P>>,
    pub count_taking: Signal<In, Bits<P>>,
    pub some_all: Signal<In, Bit>,
    pub some_taking: Signal<In, Bit>,
    pub anybody: Signal<In, Bit>,
    pub missing: Signal<In, Bits<14>>,
    pub scarce: Signal<In, Bits<14>>,
    pub lowers: Signal<In, Bit>,
    pub any_seen: Signal<In, Bit>,
    pub whole: Signal<In, Bit>,
    pub others: Signal<In, Bit>,
    pub part: Signal<Out, Bit>,
    pub retry: Signal<Out, Bit>,
    pub retry_all: Signal<Out, Bit>,
    pub sleep: Signal<Out, Bit>,
    pub late: Signal<Out, Bit>,
    pub hold: Signal<Out, Bit>,
    pub rescan: Signal<Out, Bit>,
    pub opens: Signal<Out, Bit>,
    pub counts: Signal<Out, Bit>,
    pub sum: Signal<Out, Bits<13>>,
    pub marks: Signal<Out, Bit>,
    pub complete: Signal<Out, Bit>,
    pub partly: Signal<Out, Bit>,
    pub closes: Signal<Out, Bit>,
    pub error: Signal<Out, Bit>,
    pub start: Signal<Out, Bit>,
    pub stop: Signal<Out, Bit>,
    // Combinational: by each word, threads that count, and whether they complete the barrier.
    own_counting: Signal<Local, Bits<P>>,
    new_counting: Signal<Local, Bits<P>>,
    own_any: Signal<Local, Bit>,
    new_any: Signal<Local, Bit>,
    over_missing: Signal<Local, Bits<14>>,
    over_short: Signal<Local, Bits<14>>,
    own_reached: Signal<Local, Bit>,
    new_reached: Signal<Local, Bit>,
    new_count: Signal<Local, Bits<11>>,
    counting: Signal<Local, Bits<P>>,
    base: Signal<Local, Bits<13>>,
    ended: Signal<Local, Bits<13>>,
    added: Signal<Local, Bits<13>>,
    augend: Signal<Local, Bits<14>>,
    addend: Signal<Local, Bits<14>>,
    then: Signal<Local, Bits<14>>,
    // Combinational: what it meets; by each word, too. It arrives: first, or at a barrier that others have come to.
    own_busy: Signal<Local, Bit>,
    new_busy: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    follows: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    joins: Signal<Local, Bit>,
    own_stays: Signal<Local, Bit>,
    new_stays: Signal<Local, Bit>,
    own_holds: Signal<Local, Bit>,
    new_holds: Signal<Local, Bit>,
    own_fills: Signal<Local, Bit>,
    new_fills: Signal<Local, Bit>,
    own_times: Signal<Local, Bit>,
    new_times: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    own_all: Signal<Local, Bit>,
    new_all: Signal<Local, Bit>,
    own_voids: Signal<Local, Bit>,
    new_voids: Signal<Local, Bit>,
    policy: Signal<Local, Bits<2>>,
    waits: Signal<Local, Bit>,
    own_starts: Signal<Local, Bit>,
    new_starts: Signal<Local, Bit>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<13>>,
    #[value(1.into())]
    carry: Constant<Bits<14>>,
    #[value(1.into())]
    policy_1: Constant<Bits<2>>,
    #[value(2.into())]
    policy_2: Constant<Bits<2>>,
    #[value(3.into())]
    policy_3: Constant<Bits<2>>,
}

impl<const P: usize> Logic for Arrival<P> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- By each word.
        self.own_counting.next = self.count_all.val();
        self.own_any.next = self.some_all.val();
        if self.own_taking_only.val() {
            self.own_counting.next = self.count_taking.val();
            self.own_any.next = self.some_taking.val();
        }
        self.new_counting.next = self.count_all.val();
        self.new_any.next = self.some_all.val();
        if self.taking_only.val() {
            self.new_counting.next = self.count_taking.val();
            self.new_any.next = self.some_taking.val();
        }
        self.new_count.next = self.word.val().get_bits::<11>(0);
        self.over_missing.next = bit_cast::<14, P>(self.own_counting.val()) - self.missing.val();
        self.over_short.next = bit_cast::<14, P>(self.own_counting.val()) - self.scarce.val();
        self.own_all.next = !self.over_missing.val().get_bit(13);
        self.own_reached.next =
            self.own_all.val() | (self.own_limited.val() & !self.over_short.val().get_bit(13));
        self.new_all.next = bit_cast::<12, P>(self.new_counting.val()) >= self.live.val();
        self.new_reached.next = self.new_all.val()
            | (self.limited.val()
                & (bit_cast::<11, P>(self.new_counting.val()) >= self.new_count.val()));

        // ---- Arrivals.
        self.counting.next = self.new_counting.val();
        self.base.next = self.none.val();
        if self.own.val() {
            self.counting.next = self.own_counting.val();
            self.base.next = self.arrivals.val();
        }
        self.ended.next = bit_cast::<13, P>(self.count_taking.val());
        self.added.next = bit_cast::<13, P>(self.counting.val());
        if self.lowers.val() {
            self.base.next = self.arrivals.val();
            self.added.next = !self.ended.val();
        }
        // (The lowest bit makes the carry of a difference.)
        self.augend.next = (bit_cast::<14, 13>(self.base.val()) << 1) | self.carry.val();
        self.addend.next = (bit_cast::<14, 13>(self.added.val()) << 1)
            | bit_cast::<14, 1>(self.lowers.val().into());
        self.then.next = self.augend.val() + self.addend.val();
        self.sum.next = self.then.val().get_bits::<13>(1);

        // ---- What it meets: if its own word counts, and if not.
        self.own_busy.next = self.is_dynamic.val() & !self.joinable.val() & self.own_any.val();
        self.new_busy.next = (self.is_dynamic.val() | self.is_static.val()) & self.new_any.val();
        // (Who does not count, in the second line, does not participate.)
        self.begins.next = !self.is_dynamic.val()
            & !self.is_static.val()
            & self.anybody.val()
            & (self.new_any.val()
                | (self.impatient.val() & self.word.val().get_bit(17) & self.some_all.val()));
        self.first.next = !self.own.val() & self.begins.val();
        self.follows.next = self.is_static.val() & self.anybody.val();
        self.goes_on.next = self.follows.val() & !self.any_seen.val();
        self.goes.next = self.own.val() & self.goes_on.val();
        self.passes.next = self.is_invalid.val() & self.anybody.val();

        // ---- What it does.
        self.part.next = self.own.val() & self.any_seen.val();
        self.retry.next =
            (self.own.val() & self.own_busy.val()) | (!self.own.val() & self.new_busy.val());
        self.retry_all.next = (self.own.val() & self.own_busy.val() & !self.own_taking_only.val())
            | (!self.own.val() & self.new_busy.val() & !self.taking_only.val());
        self.own_stays.next = self.some_taking.val()
            & (self.joinable.val()
                | (self.goes_on.val()
                    & (self.own_section.val()
                        | (self.others.val() & self.own_reached.val())
                        | (!self.whole.val() & !self.own_reached.val()))));
        self.new_stays.next = self.some_taking.val()
            & self.begins.val()
            & (self.section.val()
                | (self.others.val() & self.new_reached.val())
                | (!self.whole.val() & !self.new_reached.val()));
        self.sleep.next =
            (self.own.val() & self.own_stays.val()) | (!self.own.val() & self.new_stays.val());
        self.policy.next = self.own_word.val().get_bits::<2>(19);
        self.waits.next =
            (self.policy.val() == self.policy_1.val()) | (self.policy.val() == self.policy_2.val());
        self.joins.next = self.own.val() & self.joinable.val() & self.some_taking.val();
        self.late.next = self.joins.val() & self.waits.val();
        self.rescan.next = self.joins.val() & !self.waits.val();
        self.holds.next = self.top.val() & self.whole.val();
        self.own_holds.next = self.holds.val()
            & self.goes_on.val()
            & !self.own_section.val()
            & !self.own_reached.val();
        self.new_holds.next =
            self.holds.val() & self.begins.val() & !self.section.val() & !self.new_reached.val();
        self.hold.next =
            (self.own.val() & self.own_holds.val()) | (!self.own.val() & self.new_holds.val());
        self.opens.next = self.first.val();
        self.counts.next =
            self.first.val() | (self.own.val() & (self.goes_on.val() | self.passes.val()));
        self.marks.next = (self.first.val() & self.everybody.val())
            | (self.goes.val() & self.own_everybody.val());
        self.own_fills.next = self.goes_on.val() & self.own_reached.val();
        self.new_fills.next = self.begins.val() & self.new_reached.val();
        self.complete.next =
            (self.own.val() & self.own_fills.val()) | (!self.own.val() & self.new_fills.val());
        self.own_voids.next = (self.policy.val() == self.policy_3.val())
            & self.own_impatient.val()
            & !self.own_section.val()
            & !self.own_all.val();
        self.new_voids.next = (self.word.val().get_bits::<2>(19) == self.policy_3.val())
            & self.impatient.val()
            & !self.section.val()
            & !self.new_all.val();
        self.partly.next = (self.own.val() & self.own_fills.val() & self.own_voids.val())
            | (!self.own.val() & self.new_fills.val() & self.new_voids.val());
        self.closes.next = self.own.val() & self.passes.val() & self.own_all.val();
        self.error.next =
            (self.first.val() & self.over.val()) | (self.goes.val() & self.own_over.val());
        // (A barrier that starts a timer does not know who was seen.)
        self.own_starts.next = self.some_taking.val() & !self.started.val();
        if self.own_word.val().get_bit(17) {
            self.own_starts.next = self.own_word.val().get_bit(18);
        } else if self.own_word.val().get_bit(18) {
            self.own_starts.next = self.some_taking.val();
        }
        self.own_times.next = self.follows.val() & self.own_impatient.val();
        self.new_starts.next = self.some_taking.val() | self.word.val().get_bit(17);
        self.new_times.next = self.begins.val() & self.impatient.val();
        self.start.next = (self.own.val()
            & self.own_times.val()
            & self.own_starts.val()
            & !self.own_reached.val())
            | (!self.own.val()
                & self.new_times.val()
                & self.new_starts.val()
                & !self.new_reached.val());
        self.stop.next = (self.own.val() & self.own_times.val() & self.own_reached.val())
            | (!self.own.val() & self.new_times.val() & self.new_reached.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_barrier_arrival",
            Arrival::<3>::default,
            3000,
            |u, rng, _| {
                let state = rng.below(4);
                u.top.next = rng.flip();
                u.is_static.next = state == 1;
                u.is_dynamic.next = state == 2;
                u.is_invalid.next = state == 3;
                u.own.next = state != 0 && rng.flip();
                u.joinable.next = state == 2 && rng.flip();
                u.started.next = rng.flip();
                u.own_word.next = (rng.next() & 0xFFFF_F807).into();
                u.word.next = (rng.next() & 0xFFFF_F807).into();
                u.arrivals.next = rng.below(9).into();
                u.live.next = rng.below(9).into();
                u.own_taking_only.next = rng.flip();
                u.taking_only.next = rng.flip();
                u.own_everybody.next = rng.flip();
                u.everybody.next = rng.flip();
                u.own_impatient.next = rng.flip();
                u.impatient.next = rng.flip();
                u.own_limited.next = rng.flip();
                u.limited.next = rng.flip();
                u.own_over.next = rng.flip();
                u.over.next = rng.flip();
                u.own_section.next = rng.flip();
                u.section.next = rng.flip();
                u.missing.next = ((16384 + rng.below(16) - 8) & 16383).into();
                u.scarce.next = ((16384 + rng.below(16) - 8) & 16383).into();
                u.count_all.next = rng.bits();
                u.count_taking.next = rng.bits();
                u.some_all.next = u.count_all.val().any();
                u.anybody.next = rng.flip();
                u.some_taking.next = u.count_taking.val().any();
                u.lowers.next = rng.chance(1, 8);
                u.any_seen.next = rng.flip();
                u.whole.next = rng.flip();
                u.others.next = rng.flip();
            },
            None,
        )
        .unwrap();
    }
}
