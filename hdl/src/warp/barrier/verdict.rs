//! What becomes of an operation: its masks, the rules, and the verdict.
//!
//! Kernel of the barrier unit, part 2; the rules of TOP and ARRIVE stand in [`super::arrival`].

use super::Barrier;
use crate::hdl::*;

/// `look`, `rule` and `answer` (BAR-020 to 051).
pub struct Verdict;

#[part(Barrier<NW, WI, W, P, SB, MB>, Verdict)]
fn update(&mut self) {
    // ---- Look: masks of the operation.
    self.was_seen.next = self.warp_seen.q.val().any();
    self.was_held.next = (self.b_held.q.val() & self.warp_bit.q.val()).any();
    self.raw_seen.next = self.seen_rows.read_data.val();
    self.caught.next = self.taking.q.val() & self.row_inside.val();
    self.any_caught.next = self.caught.val().any();
    self.is_odd_phase.next = (self.phases.read_data.val() & self.id_bit.val()).any();
    self.phase.next = self.no_threads.val() - bit_cast::<W, 1>(self.odd_phase.q.val().into());
    self.own_bit.next = self.one_warp.val() << self.op_of_block.q.val();
    self.own_present.next = self.present.read_data.val() & self.own_bit.val();
    self.from_own.next = (self.but_first.val() << self.op_of_block.q.val()) | self.own_bit.val();
    self.before_own.next = self.present.read_data.val() & !self.from_own.val();
    self.before_pieces.next = self.no_ids.val();
    for k in 0..8 {
        self.before_pieces.next = self
            .before_pieces
            .val()
            .replace_bit(k, (self.before_own.val() & self.parts[k].val()).any());
    }
    self.present_pieces.next = self.no_ids.val();
    for k in 0..8 {
        self.present_pieces.next = self
            .present_pieces
            .val()
            .replace_bit(k, (self.own_present.val() & self.parts[k].val()).any());
    }
    // (Counted from A and S at once; again where that was wrong. WAIT chooses its threads then.)
    self.recounts.next =
        (self.is_top.q.val() & self.any_caught.val()) | self.is_wait.q.val() | self.is_kill.q.val();
    self.arriving.next = self.is_top.q.val() | self.is_arrive.q.val();
    self.any_taking.next = self.taking.q.val().any();
    self.any_all.next = self.all.q.val().any();
    carry!(self.pop_*.bits <- self.*.q: all, taking);
    if self.look.q.val() {
        self.any_odd.d.next = (self.all.q.val() & self.row_gone.val()).any();
        self.any_even.d.next = (self.all.q.val() & !self.row_gone.val()).any();
        carry!(self.*.d <- self:
            block_bit = own_bit, block_pieces = present_pieces, former_pieces = before_pieces,
            odd_phase = is_odd_phase,
        );
        self.whole.d.next = (self.taking.q.val() == self.row_live.val()) | self.is_kill.q.val();
        self.some_caught.d.next = self.is_top.q.val() & self.any_caught.val();
    }
    if self.look.q.val() | self.recount.q.val() | self.tally.q.val() {
        // (None, but of an arrival: then there is nothing to say of it.)
        self.some_all.d.next = self.any_all.val() & self.arriving.val();
        self.some_taking.d.next = self.any_taking.val() & self.is_top.q.val();
        self.anybody.d.next = self.any_all.val() | self.is_arrive.q.val();
        carry!(self.count_*.d <- self.pop_*.count: all, taking);
    }

    self.fresh_seen.next = self.seen.q.val();
    if self.look.q.val() {
        self.fresh_seen.next = self.raw_seen.val();
    }
    self.seen_here.next = self.all.q.val() & self.fresh_seen.val();
    self.fresh_pieces.next = self.no_ids.val();
    for k in 0..8 {
        self.fresh_pieces.next = self
            .fresh_pieces
            .val()
            .replace_bit(k, (self.seen_here.val() & self.eighths[k].val()).any());
    }
    if self.look.q.val() | self.recount.q.val() {
        self.seen_pieces.d.next = self.fresh_pieces.val();
    }

    // ---- Rule: verdict and new state.
    self.knows_seen.next = self.was_seen.val() & !self.opened.q.val();
    self.seen_mask.next = self.no_threads.val() - bit_cast::<W, 1>(self.knows_seen.val().into());
    self.only_special.next = !self.any_even.q.val();
    self.any_bound.next = self.nested.q.val().any();
    self.any_present.next = self.b_present.q.val().any();
    carry!(self.arrival <- self.*.q: top = is_top, is_static = b_static);
    carry!(self.arrival.is_* <- self.b_*.q: dynamic, invalid);
    self.arrival.own.next = self.own_by.q.val() & !self.other_tag.q.val().any();
    self.arrival.joinable.next =
        self.b_joinable.q.val() & self.b_section.q.val() & self.b_word.q.val().get_bit(13);
    self.arrival.started.next = self.b_started.q.val();
    self.arrival.own_word.next = self.b_word.q.val().get_bits::<32>(0);
    self.arrival.word.next = self.word.q.val();
    self.arrival.own_taking_only.next = self.b_word.q.val().get_bit(11);
    self.arrival.taking_only.next = self.taking_only.q.val();
    self.arrival.own_everybody.next = self.b_word.q.val().get_bit(12);
    self.arrival.everybody.next = self.everybody.q.val();
    self.arrival.own_impatient.next = self.b_word.q.val().get_bit(13);
    self.arrival.impatient.next = self.impatient.q.val();
    self.arrival.own_limited.next = self.b_word.q.val().get_bit(15);
    self.arrival.limited.next = self.limited.q.val();
    self.exceeds.next =
        self.limited.q.val() & (bit_cast::<12, 11>(self.new_count.val()) > self.total.q.val());
    self.arrival.own_over.next = self.b_word.q.val().get_bit(32);
    self.arrival.over.next = self.exceeds.val();
    carry!(self.arrival <- self.*.q:
        own_section = b_section, section, arrivals = b_arrivals, live, count_all, count_taking,
        some_all, anybody, some_taking, missing = b_missing, scarce = b_short, lowers = lower,
    );
    self.arrival.any_seen.next = self.seen_pieces.q.val().any()
        & self.was_seen.val()
        & self.b_static.q.val()
        & self.b_word.q.val().get_bit(12);
    self.arrival.whole.next = self.whole.q.val() & !self.some_caught.q.val();
    self.others.next = self.block_pieces.q.val().any();
    self.comes_behind.next = self.former_pieces.q.val().any();
    self.comes_before.next = !self.comes_behind.val() & !self.others.val();
    self.arrival.others.next = self.others.val();
    self.bottoms.next = self.is_bottom.q.val() & !self.any_odd.q.val() & self.any_taking.val();
    self.strayed.next = self.may_stray.q.val() & self.other_exit.q.val().any();
    self.lets_go.next = self.is_reset.q.val()
        & (self.b_dynamic.q.val() | (self.b_static.q.val() & self.any_present.val()));
    self.goes_on.next = (self.rule.q.val()
        & (self.bottoms.val() | (self.is_reset.q.val() & self.b_dynamic.q.val())))
        | (self.lower.q.val() & self.hit.q.val());
    // Tag: read, or that of the instruction. (The word of a barrier that opens is read by the next operation.)
    self.leads.next = self.answer.q.val() & self.adds.q.val() & !self.comes_behind.val();
    self.opens.next = self.answer.q.val() & self.opened.q.val();
    self.sets_tag.next = self.loads.val() | self.opens.val();
    self.next_tag.next = self.pc.q.val();
    if self.loads.val() {
        self.next_tag.next = self.raw_tag.val();
    }
    if self.sets_tag.val() {
        self.b_tag.d.next = self.next_tag.val();
    }
    if self.look.q.val() {
        self.arrives.d.next = false;
        self.arrives_late.d.next = false;
        self.leaves.d.next = false;
        self.sleeps.d.next = false;
        self.strays.d.next = false;
        self.settles.d.next = false;
        self.completes.d.next = false;
        self.closes.d.next = false;
        self.holds.d.next = false;
        self.frees_held.d.next = false;
        self.enters.d.next = false;
        self.evicts.d.next = false;
        self.marks.d.next = false;
        self.adds.d.next = false;
        self.opened.d.next = false;
        self.first_left.d.next = false;
        self.misuse.d.next = false;
        self.over.d.next = false;
        self.verdict.d.next = self.verdict_next.val();
    }
    self.sets.d.next = false;
    if self.rule.q.val() {
        carry!(self.*.d <- self.arrival:
            completes = complete, closes, holds = hold, arrives = sleep, arrives_late = late, marks,
        );
        self.misuse.d.next = self.is_top.q.val() & self.nested.q.val().any();
        self.over.d.next = self.arrival.error.val();
        self.sets.d.next = self.arrival.start.val() | self.arrival.stop.val();
        self.disarms.d.next = self.arrival.stop.val();
        if self.arrival.sleep.val() {
            self.verdict.d.next = self.verdict_sleep.val();
        }
        if self.arrival.part.val() {
            self.verdict.d.next = self.verdict_part.val();
        }
        if self.arrival.retry.val() {
            self.verdict.d.next = self.verdict_retry.val();
        }
        if self.arrival.counts.val() {
            self.b_arrivals.d.next = self.arrival.sum.val();
        }
        if self.arrival.opens.val() {
            self.opened.d.next = true;
            self.b_static.d.next = true;
            self.b_invalid.d.next = false;
            self.b_split.d.next = self.is_arrive.q.val();
            self.b_started.d.next = self.arrival.start.val();
            self.b_exclusive.d.next = self.word.q.val().get_bit(16);
            self.b_section.d.next = self.section.q.val();
        }
        if self.arrival.start.val() {
            self.b_started.d.next = true;
        }
        if self.arrival.partly.val() {
            self.b_void.d.next = true;
        }
        if self.arrival.rescan.val() {
            self.b_rescan.d.next = true;
        }
        self.adds.d.next = self.arrival.sleep.val();
        if self.arrival.closes.val() {
            self.b_invalid.d.next = false;
        }
        if self.is_bottom.q.val() {
            self.misuse.d.next = !self.any_odd.q.val() & self.any_all.val();
            if self.any_odd.q.val() {
                if self.only_special.val() {
                    self.settles.d.next = true;
                    if self.any_bound.val() {
                        self.verdict.d.next = self.verdict_retry.val();
                    }
                } else {
                    self.verdict.d.next = self.verdict_part.val();
                }
            }
            if self.bottoms.val() {
                self.leaves.d.next = true;
                if !self.b_left.q.val() {
                    self.b_left.d.next = true;
                    self.first_left.d.next = true;
                }
                if self.strayed.val() {
                    self.strays.d.next = true;
                    self.verdict.d.next = self.verdict_retry.val();
                } else if self.blocking.q.val() {
                    self.sleeps.d.next = true;
                    self.verdict.d.next = self.verdict_sleep.val();
                }
                self.adds.d.next = self.blocking.q.val();
            }
        }
        if self.is_wait.q.val() & self.any_taking.val() {
            self.verdict.d.next = self.verdict_retry.val();
        }
        if self.is_exit.q.val() {
            self.verdict.d.next = self.verdict_exit.val();
        }
        if self.is_reset.q.val() {
            spread!(self.*.d <- self.b_static.q: frees_held, sets);
            self.disarms.d.next = true;
            self.closes.d.next =
                self.b_invalid.q.val() | (self.b_static.q.val() & !self.any_present.val());
            self.enters.d.next = self.b_static.q.val() & self.any_present.val();
            self.evicts.d.next = self.b_dynamic.q.val() & self.b_inside.q.val();
            self.b_static.d.next = false;
            self.b_invalid.d.next = false;
            spread!(self.*.d <- self.lets_go: b_dynamic, b_reset);
        }
    }

    // ---- Answer.
    self.answered.next = self.answer.q.val() & self.verdict_ready.val();
    self.twice.next = self.misuse.q.val() & self.over.q.val();
    carry!(self <- self.*.q: verdict_valid = answer, verdict_warp = warp, verdict_op = verdict);
    carry!(self.verdict_* <- self.*.q: mask, pc);
    self.to_misuse.next = self.answered.val() & self.misuse.q.val();
    self.to_over.next =
        (self.answered.val() & self.over.q.val() & !self.misuse.q.val()) | self.again.q.val();
    carry!(self.says_*.d <- self.to_*: misuse, over);
    self.error.valid.next = self.says_misuse.q.val() | self.says_over.q.val();
    carry!(self.error <- self.*.q: warp, pc);
    self.error.id.next = self.id.val();
    self.error.mask.next = self.mask.q.val();
    self.error.cause.next = self.cause_not_holding.val();
    if self.is_top.q.val() {
        self.error.cause.next = self.cause_nested.val();
    }
    if self.says_over.q.val() {
        self.error.cause.next = self.cause_count.val();
    }
}
