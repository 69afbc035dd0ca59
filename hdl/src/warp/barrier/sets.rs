//! Masks of threads, as each step leaves them, and the row that is written.
//!
//! Kernel of the barrier unit, part 5.

use super::Barrier;
use crate::hdl::*;

/// Each step has its term in every mask, and the row afterwards.
pub struct Sets;

#[part(Barrier<NW, WI, W, P, SB, MB>, Sets)]
fn update(&mut self) {
    // ---- Masks of threads: each step has its term, so that nothing late goes through more than one choice.
    self.looks_bottom.next = self.look.q.val() & self.is_bottom.q.val();
    self.looks_kill.next = self.look.q.val() & self.is_kill.q.val();
    self.inverts.next = self.recount.q.val() & self.is_wait.q.val();
    self.stays_taking.next = self.look.q.val()
        & !self.is_bottom.q.val()
        & !self.is_kill.q.val()
        & !self.is_arrive.q.val();
    self.loads_seen.next = (self.look.q.val() & !self.is_bottom.q.val()) | self.fetch.q.val();
    self.looks_other.next = self.look.q.val() & !self.is_bottom.q.val();
    self.sifts.next = self.aim.q.val() | (self.sift.q.val() & self.turn_mode.q.val());
    self.keeps_rest.next = !self.idle.q.val()
        & !self.sifts.val()
        & !self.mark.q.val()
        & !self.rule.q.val()
        & !(self.leads.val() & self.comes_before.val());
    self.renames.next = self.answered.val()
        & (self.misuse.q.val() | self.over.q.val() | (self.completes.q.val() & !self.leads.val()));
    self.keeps_mask.next = !self.rule.q.val()
        & !self.sifts.val()
        & !self.mark.q.val()
        & !self.reset.val()
        & !self.again.q.val()
        & !self.renames.val();
    self.m_idle.next = self.no_threads.val() - bit_cast::<W, 1>(self.idle.q.val().into());
    self.m_top.next = self.no_threads.val() - bit_cast::<W, 1>(self.is_top.q.val().into());
    self.m_bottom.next = self.no_threads.val() - bit_cast::<W, 1>(self.looks_bottom.val().into());
    self.m_kill.next = self.no_threads.val() - bit_cast::<W, 1>(self.looks_kill.val().into());
    self.m_inverts.next = self.no_threads.val() - bit_cast::<W, 1>(self.inverts.val().into());
    self.m_fetch.next = self.no_threads.val() - bit_cast::<W, 1>(self.fetch.q.val().into());
    self.m_other.next = self.no_threads.val() - bit_cast::<W, 1>(self.looks_other.val().into());
    self.m_taking.next = self.no_threads.val() - bit_cast::<W, 1>(self.stays_taking.val().into());
    self.m_raw_seen.next = self.no_threads.val() - bit_cast::<W, 1>(self.loads_seen.val().into());
    self.m_rest.next = self.no_threads.val() - bit_cast::<W, 1>(self.keeps_rest.val().into());
    self.m_mask.next = self.no_threads.val() - bit_cast::<W, 1>(self.keeps_mask.val().into());
    self.m_sifts.next = self.no_threads.val() - bit_cast::<W, 1>(self.sifts.val().into());
    self.m_leads.next = self.no_threads.val() - bit_cast::<W, 1>(self.leads.val().into());
    self.m_through.next = self.no_threads.val() - bit_cast::<W, 1>(self.through.val().into());
    self.m_reset.next = self.no_threads.val() - bit_cast::<W, 1>(self.reset.val().into());
    if self.idle.q.val() | self.look.q.val() {
        self.all.d.next = (self.m_idle.val() & self.op_active.val())
            | (!self.m_idle.val()
                & self.all.q.val()
                & !(self.row_inside.val()
                    & ((self.m_top.val() & self.taking.q.val())
                        | (self.m_bottom.val() & self.row_here.val()))));
    }
    self.early_taking.next = (self.m_idle.val() & self.op_mask.val())
        | (self.m_inverts.val() & self.all.q.val() & !(self.taking.q.val() ^ self.phase.val()))
        | (self.mask.q.val()
            & ((self.killed.val() & self.taking.q.val())
                | self.held_all.val()
                | (self.seen.q.val() & self.seen_too.val())));
    if self.idle.q.val()
        | self.look.q.val()
        | self.inverts.val()
        | self.fetch.q.val()
        | self.gather.q.val()
    {
        self.taking.d.next = self.early_taking.val()
            | (self.m_taking.val()
                & self.taking.q.val()
                & !(self.m_top.val() & self.row_inside.val()))
            | (self.m_kill.val() & self.row_live.val())
            | (((self.m_bottom.val() & self.all.q.val() & self.row_inside.val())
                | (self.m_fetch.val() & self.row_asleep.val()))
                & self.row_here.val());
    }
    if self.look.q.val() | self.fetch.q.val() {
        self.seen.d.next = (self.m_raw_seen.val() & self.raw_seen.val())
            | (self.m_bottom.val() & self.row_gone.val());
        self.nested.d.next = (self.m_other.val() & self.caught.val())
            | (self.m_bottom.val() & self.all.q.val() & self.row_gone.val() & self.row_noted.val())
            | (self.m_fetch.val()
                & self.row_inside.val()
                & !self.row_asleep.val()
                & self.row_here.val()
                & self.mask.q.val());
    }
    self.rest.d.next = (self.m_idle.val() & self.scan_rests.read_data.val())
        | (self.m_rest.val() & self.rest.q.val())
        | (self.m_leads.val() & self.mask.q.val())
        | (self.m_sifts.val() & self.unchosen.val())
        | self.staying.val();
    // (Whom `rule` and the cycle before an error name: one of four.)
    self.names_all.next = (self.rule.q.val()
        & (self.is_launch.q.val() | self.arrival.retry_all.val()))
        | (self.to_misuse.val() & self.is_bottom.q.val())
        | (self.to_over.val() & !self.some_taking.q.val());
    self.names_odd.next = self.is_bottom.q.val() & self.any_odd.q.val();
    self.names_special.next = self.rule.q.val()
        & (self.arrival.part.val() | (self.names_odd.val() & !self.only_special.val()));
    self.names_bound.next = (self.rule.q.val() & self.names_odd.val() & self.only_special.val())
        | (self.to_misuse.val() & self.is_top.q.val());
    self.names_plain.next = (self.rule.q.val()
        & !self.names_odd.val()
        & !self.is_launch.q.val()
        & !(self.arrival.retry_all.val() | self.arrival.part.val()))
        | (self.to_over.val() & self.some_taking.q.val());
    self.m_names_all.next = self.no_threads.val() - bit_cast::<W, 1>(self.names_all.val().into());
    self.m_special.next = self.no_threads.val() - bit_cast::<W, 1>(self.names_special.val().into());
    self.m_bound.next = self.no_threads.val() - bit_cast::<W, 1>(self.names_bound.val().into());
    self.m_plain.next = self.no_threads.val() - bit_cast::<W, 1>(self.names_plain.val().into());
    self.rule_mask.next = (self.all.q.val()
        & (self.m_names_all.val() | (self.m_special.val() & self.seen.q.val())))
        | (self.m_bound.val() & self.nested.q.val())
        | (self.m_plain.val() & self.taking.q.val());
    self.mask.d.next = self.m_reset.val()
        | (self.m_mask.val() & self.mask.q.val())
        | (self.m_through.val() & self.rest.q.val())
        | self.rule_mask.val()
        | (self.m_sifts.val() & self.chosen.val())
        | self.released.val();

    // ---- The row afterwards.
    carry!(self.threads <- self.*.q: mask, active = all, starts = place);
    self.threads.ends.next = self.ended.q.val() | self.clearing.q.val();
    self.threads.arrives.next = self.answer.q.val() & self.arrives.q.val();
    self.threads.arrives_late.next = self.answer.q.val() & self.arrives_late.q.val();
    self.threads.leaves.next = self.answer.q.val() & self.leaves.q.val();
    self.threads.sleeps.next = self.answer.q.val() & self.sleeps.q.val();
    self.threads.strays.next = self.answer.q.val() & self.strays.q.val();
    self.threads.settles.next = self.answer.q.val() & self.settles.q.val();
    self.threads.turns.next = self.wake.q.val() & self.turns.q.val();
    self.threads.releases.next = self.wake.q.val() & !self.turns.q.val();
    self.threads.evicts.next = self.evict.q.val();
    self.seen_rows.write_enable.next = self.answer.q.val() & self.marks.q.val();
    self.seen_rows.write_address.next =
        (bit_cast::<SB, WI>(self.warp.q.val()) << 3) | bit_cast::<SB, 3>(self.id.val());
    self.seen_rows.write_data.next =
        (self.seen.q.val() & self.seen_mask.val()) | (self.all.q.val() & !self.taking.q.val());
}
