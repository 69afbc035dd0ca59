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
//! | `top`, `arrive` | in | 1, 1 | which |
//! | `is_static`, `is_dynamic`, `is_invalid` | in | 1 each | state; none: IDLE |
//! | `split`, `same`, `ending`, `started` | in | 1 each | state: by ARRIVE; under this tag; its end has begun; its timer was started |
//! | `own_word`, `word` | in | 32, 32 | the barrier's; the instruction's |
//! | `arrivals`, `live`, `total` | in | 13, 12, 12 | arrivals so far; threads of the CTA that have not ended; of its launch |
//! | `count_all`, `count_taking` | in | P, P | threads of A, of S |
//! | `own_taking_only`, `taking_only` | in | 1, 1 | of the barrier's and of the instruction's word: condition 2, 3 or 4 |
//! | `missing`, `scarce` | in | 14, 14 | live threads and the count of the barrier's word, less its arrivals |
//! | `any_seen` | in | 1 | some of A are seen, if the barrier is STATIC |
//! | `whole` | in | 1 | S is all live threads of the warp |
//! | `others` | in | 1 | other threads of the warp sleep at the barrier |
//! | `part`, `retry`, `retry_all` | out | 1 each | PART of those that are seen; RETRY of S, or of A with `retry_all` |
//! | `sleep`, `late` | out | 1, 1 | S sleeps, SLEEP; it waits for the end of the group; no verdict of these: NEXT |
//! | `hold` | out | 1 | the warp is held |
//! | `rescan` | out | 1 | the barrier's flag is set |
//! | `opens` | out | 1 | IDLE becomes STATIC |
//! | `counts`, `sum` | out | 1, 13 | `arrivals` := `sum` |
//! | `marks` | out | 1 | N has been seen |
//! | `complete` | out | 1 | membership is complete |
//! | `closes` | out | 1 | INVALID becomes IDLE |
//! | `error` | out | 1 | COUNT |
//! | `start`, `stop`, `ticks` | out | 1, 1, 11 | of the timer |
//!
//! Combinational; the counts are the latest inputs, `complete` is the latest output.
//!
//! # Errors
//! None at run time.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Arrival<const P: usize> {
    pub top: Signal<In, Bit>,
    pub arrive: Signal<In, Bit>,
    pub is_static: Signal<In, Bit>,
    pub is_dynamic: Signal<In, Bit>,
    pub is_invalid: Signal<In, Bit>,
    pub split: Signal<In, Bit>,
    pub same: Signal<In, Bit>,
    pub ending: Signal<In, Bit>,
    pub started: Signal<In, Bit>,
    pub own_word: Signal<In, Bits<32>>,
    pub word: Signal<In, Bits<32>>,
    pub arrivals: Signal<In, Bits<13>>,
    pub live: Signal<In, Bits<12>>,
    pub total: Signal<In, Bits<12>>,
    pub count_all: Signal<In, Bits<P>>,
    pub count_taking: Signal<In, Bits<P>>,
    pub own_taking_only: Signal<In, Bit>,
    pub taking_only: Signal<In, Bit>,
    pub missing: Signal<In, Bits<14>>,
    pub scarce: Signal<In, Bits<14>>,
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
    pub closes: Signal<Out, Bit>,
    pub error: Signal<Out, Bit>,
    pub start: Signal<Out, Bit>,
    pub stop: Signal<Out, Bit>,
    pub ticks: Signal<Out, Bits<11>>,
    // Combinational: the barrier was opened by such an instruction as this one; the word that counts, and its fields.
    own: Signal<Local, Bit>,
    used: Signal<Local, Bits<32>>,
    count: Signal<Local, Bits<11>>,
    condition: Signal<Local, Bits<3>>,
    kind: Signal<Local, Bits<2>>,
    origin: Signal<Local, Bits<2>>,
    policy: Signal<Local, Bits<2>>,
    timeout: Signal<Local, Bits<11>>,
    everybody: Signal<Local, Bit>,
    impatient: Signal<Local, Bit>,
    limits: Signal<Local, Bit>,
    by_taking: Signal<Local, Bit>,
    own_counting: Signal<Local, Bits<P>>,
    new_counting: Signal<Local, Bits<P>>,
    over_missing: Signal<Local, Bits<14>>,
    over_short: Signal<Local, Bits<14>>,
    own_reached: Signal<Local, Bit>,
    new_reached: Signal<Local, Bit>,
    own_limited: Signal<Local, Bit>,
    new_limited: Signal<Local, Bit>,
    own_condition: Signal<Local, Bits<3>>,
    new_condition: Signal<Local, Bits<3>>,
    own_count: Signal<Local, Bits<11>>,
    new_count: Signal<Local, Bits<11>>,
    section: Signal<Local, Bit>,
    // Combinational: threads that count; the arrivals with them.
    counting: Signal<Local, Bits<P>>,
    base: Signal<Local, Bits<13>>,
    then: Signal<Local, Bits<13>>,
    reached: Signal<Local, Bit>,
    any_counting: Signal<Local, Bit>,
    any_taking: Signal<Local, Bit>,
    any_other: Signal<Local, Bit>,
    // Combinational: what it meets.
    anybody: Signal<Local, Bit>,
    idle: Signal<Local, Bit>,
    open: Signal<Local, Bit>,
    joinable: Signal<Local, Bit>,
    joins: Signal<Local, Bit>,
    busy: Signal<Local, Bit>,
    parts: Signal<Local, Bit>,
    nothing: Signal<Local, Bit>,
    arrives: Signal<Local, Bit>,
    invalid: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    sleeps: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    errs: Signal<Local, Bit>,
    stays: Signal<Local, Bit>,
    timed: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    // Constants.
    none: Constant<Bits<13>>,
    one_tick: Constant<Bits<11>>,
    condition_1: Constant<Bits<3>>,
    condition_2: Constant<Bits<3>>,
    condition_3: Constant<Bits<3>>,
    condition_4: Constant<Bits<3>>,
    policy_1: Constant<Bits<2>>,
    policy_2: Constant<Bits<2>>,
}

impl<const P: usize> Default for Arrival<P> {
    fn default() -> Self {
        block!({
            top, arrive, is_static, is_dynamic, is_invalid, split, same, ending, started, own_word,
            word, arrivals, live, total, count_all, count_taking, own_taking_only, taking_only,
            missing, scarce, any_seen, whole, others, part, retry, retry_all, sleep, late, hold,
            rescan, opens, counts, sum, marks, complete, closes, error, start, stop, ticks, own,
            used, count, condition, kind, origin, policy, timeout, everybody, impatient, limits,
            by_taking, own_counting, new_counting, over_missing, over_short, own_reached,
            new_reached, own_limited, new_limited, own_condition, new_condition, own_count,
            new_count, section, counting, base, then, reached, any_counting, any_taking, any_other,
            anybody, idle, open, joinable, joins, busy, parts, nothing, arrives, invalid, full, goes, sleeps,
            holds, errs, stays, timed, begins,
        } {
            none: Constant::new(0.into()),
            one_tick: Constant::new(1.into()),
            condition_1: Constant::new(1.into()),
            condition_2: Constant::new(2.into()),
            condition_3: Constant::new(3.into()),
            condition_4: Constant::new(4.into()),
            policy_1: Constant::new(1.into()),
            policy_2: Constant::new(2.into()),
        })
    }
}

impl<const P: usize> Logic for Arrival<P> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- The word.
        self.own.next = (self.top.val()
            & self.same.val()
            & !self.split.val()
            & (self.is_static.val() | self.is_dynamic.val() | self.is_invalid.val()))
            | (self.arrive.val() & self.is_static.val() & self.split.val());
        self.used.next = self.word.val();
        if self.own.val() {
            self.used.next = self.own_word.val();
        }
        self.count.next = self.used.val().get_bits::<11>(0);
        self.condition.next = self.used.val().get_bits::<3>(11);
        self.kind.next = self.used.val().get_bits::<2>(14);
        self.origin.next = self.used.val().get_bits::<2>(17);
        self.policy.next = self.used.val().get_bits::<2>(19);
        self.timeout.next = self.used.val().get_bits::<11>(21);
        self.limits.next = (self.condition.val() == self.condition_1.val())
            | (self.condition.val() == self.condition_2.val())
            | (self.condition.val() == self.condition_4.val());
        self.everybody.next = !self.limits.val() & (self.condition.val() != self.condition_3.val());
        self.impatient.next = (self.condition.val() == self.condition_3.val())
            | (self.condition.val() == self.condition_4.val());
        self.section.next =
            (self.kind.val().get_bit(0) ^ self.kind.val().get_bit(1)) & self.top.val();

        // ---- Arrivals.
        // (Both ways at once: whose word counts is known late.)
        self.own_counting.next = self.count_all.val();
        if self.own_taking_only.val() & self.top.val() {
            self.own_counting.next = self.count_taking.val();
        }
        self.new_counting.next = self.count_all.val();
        if self.taking_only.val() & self.top.val() {
            self.new_counting.next = self.count_taking.val();
        }
        self.own_condition.next = self.own_word.val().get_bits::<3>(11);
        self.new_condition.next = self.word.val().get_bits::<3>(11);
        self.own_count.next = self.own_word.val().get_bits::<11>(0);
        self.new_count.next = self.word.val().get_bits::<11>(0);
        self.own_limited.next = self.own_count.val().any()
            & ((self.own_condition.val() == self.condition_1.val())
                | (self.own_condition.val() == self.condition_2.val())
                | (self.own_condition.val() == self.condition_4.val()));
        self.new_limited.next = self.new_count.val().any()
            & ((self.new_condition.val() == self.condition_1.val())
                | (self.new_condition.val() == self.condition_2.val())
                | (self.new_condition.val() == self.condition_4.val()));
        self.over_missing.next = bit_cast::<14, P>(self.own_counting.val()) - self.missing.val();
        self.over_short.next = bit_cast::<14, P>(self.own_counting.val()) - self.scarce.val();
        self.own_reached.next = !self.over_missing.val().get_bit(13)
            | (self.own_limited.val() & !self.over_short.val().get_bit(13));
        self.new_reached.next = (bit_cast::<12, P>(self.new_counting.val()) >= self.live.val())
            | (self.new_limited.val()
                & (bit_cast::<11, P>(self.new_counting.val()) >= self.new_count.val()));
        self.by_taking.next = self.taking_only.val() & self.top.val();
        self.counting.next = self.new_counting.val();
        self.reached.next = self.new_reached.val();
        if self.own.val() {
            self.by_taking.next = self.own_taking_only.val() & self.top.val();
            self.counting.next = self.own_counting.val();
            self.reached.next = self.own_reached.val();
        }
        self.base.next = self.none.val();
        if self.own.val() {
            self.base.next = self.arrivals.val();
        }
        self.then.next = self.base.val() + bit_cast::<13, P>(self.counting.val());
        self.sum.next = self.then.val();
        self.any_counting.next = self.counting.val().any();
        self.any_taking.next = self.count_taking.val().any() & self.top.val();
        self.any_other.next = (self.count_all.val() != self.count_taking.val()) | self.arrive.val();

        // ---- What it meets.
        self.idle.next = (!self.is_static.val() & !self.is_dynamic.val() & !self.is_invalid.val())
            | (self.is_invalid.val() & !self.own.val());
        self.open.next = self.idle.val() | (self.is_static.val() & self.own.val());
        self.joinable.next = self.section.val() & self.impatient.val() & !self.ending.val();
        self.joins.next = self.is_dynamic.val() & self.own.val() & self.joinable.val();
        self.busy.next = !self.open.val() & !self.joins.val() & !self.is_invalid.val();
        self.parts.next =
            self.is_static.val() & self.own.val() & self.everybody.val() & self.any_seen.val();
        self.nothing.next = self.idle.val()
            & !self.any_counting.val()
            & !(self.impatient.val()
                & self.origin.val().get_bit(0)
                & self.any_other.val()
                & self.top.val());
        // (Whether some are seen is known last.)
        // Those who are inside a section already may have been all (BAR-020).
        self.anybody.next = self.count_all.val().any() | !self.top.val();
        self.arrives.next = self.open.val() & !self.nothing.val() & self.anybody.val();
        self.invalid.next = self.is_invalid.val() & self.own.val() & self.anybody.val();
        self.full.next = self.arrives.val() & self.reached.val();
        self.goes.next = !self.parts.val();

        // ---- What it does.
        self.part.next = self.parts.val();
        self.retry.next = self.busy.val() & self.any_counting.val();
        self.retry_all.next = !self.by_taking.val();
        self.stays.next = self.section.val()
            | (self.others.val() & self.reached.val())
            | (!self.whole.val() & !self.reached.val());
        self.sleeps.next = self.top.val()
            & self.any_taking.val()
            & (self.joins.val() | (self.arrives.val() & self.stays.val()));
        self.late.next = self.joins.val()
            & self.any_taking.val()
            & ((self.policy.val() == self.policy_1.val())
                | (self.policy.val() == self.policy_2.val()));
        self.rescan.next = self.joins.val()
            & self.any_taking.val()
            & (self.policy.val() != self.policy_1.val())
            & (self.policy.val() != self.policy_2.val());
        self.holds.next = self.top.val()
            & self.arrives.val()
            & !self.section.val()
            & self.whole.val()
            & !self.reached.val();
        self.sleep.next = self.sleeps.val() & self.goes.val();
        self.hold.next = self.holds.val() & self.goes.val();
        self.opens.next = self.arrives.val() & self.idle.val();
        self.counts.next = (self.arrives.val() & self.goes.val()) | self.invalid.val();
        self.marks.next =
            self.arrives.val() & self.everybody.val() & self.any_other.val() & self.goes.val();
        self.complete.next = self.full.val() & self.goes.val();
        self.closes.next = self.invalid.val() & self.reached.val();
        self.errs.next = self.arrives.val()
            & self.limits.val()
            & (bit_cast::<12, 11>(self.count.val()) > self.total.val());
        self.error.next = self.errs.val() & self.goes.val();
        self.timed.next = self.arrives.val() & self.top.val() & self.impatient.val();
        self.begins.next = self.any_taking.val() & (!self.started.val() | self.idle.val());
        if self.origin.val().get_bit(0) {
            self.begins.next = self.idle.val() | self.origin.val().get_bit(1);
        } else if self.origin.val().get_bit(1) {
            self.begins.next = self.any_taking.val();
        }
        self.start.next = self.timed.val() & self.begins.val() & !self.reached.val();
        self.stop.next = self.timed.val() & self.reached.val();
        self.ticks.next = self.timeout.val();
        if !self.timeout.val().any() {
            self.ticks.next = self.one_tick.val();
        }
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
                u.arrive.next = !u.top.val();
                u.is_static.next = state == 1;
                u.is_dynamic.next = state == 2;
                u.is_invalid.next = state == 3;
                u.split.next = rng.chance(1, 4);
                u.same.next = rng.flip();
                u.ending.next = rng.chance(1, 4);
                u.started.next = rng.flip();
                u.own_word.next = (rng.next() & 0xFFFF_F807).into();
                u.word.next = (rng.next() & 0xFFFF_F807).into();
                u.arrivals.next = rng.below(9).into();
                u.live.next = rng.below(9).into();
                u.total.next = rng.below(9).into();
                u.own_taking_only.next = rng.flip();
                u.taking_only.next = rng.flip();
                u.missing.next = ((16384 + rng.below(16) - 8) & 16383).into();
                u.scarce.next = ((16384 + rng.below(16) - 8) & 16383).into();
                u.count_all.next = rng.bits();
                u.count_taking.next = rng.bits();
                u.any_seen.next = rng.flip();
                u.whole.next = rng.flip();
                u.others.next = rng.flip();
            },
            None,
        )
        .unwrap();
    }
}
