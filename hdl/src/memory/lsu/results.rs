//! Values become rows; instructions are complete.

use super::Lsu;
use crate::hdl::*;

/// Values, rows, complete instructions, faults.
pub struct Results;

#[part(Lsu, Results)]
fn update(&mut self) {
    // ---- Values: of the scratchpad, of SC (0 or 1), of beats; of an AMO what its lane has found.
    self.answers_now.next = self.x.conditional.q.val() & self.x_done.val() & self.x_some.val();
    carry!(self.c.*.d <- self: valid = answers_now, failed = fails);
    carry!(self.c.*.d <- self.x.*.q: lanes, slot);
    // Lanes and the beats that wait for them take turns.
    self.modify.words_free.next = !self.scratchpad.words_valid.val()
        & !self.c.valid.q.val()
        & !(self.beat_waits.q.val() & self.replies.out_valid.val());
    self.words_now.next =
        self.scratchpad.words_valid.val() | self.c.valid.q.val() | self.modify.words_valid.val();
    self.beat_waits.d.next = self.replies.out_valid.val() & self.words_now.val();
    for l in 0..LANES {
        self.row_words.each[l].next = self.modify.words_data.val();
        if self.c.valid.q.val() {
            self.row_words.each[l].next = self.zero.val();
            if self.c.failed.q.val() {
                self.row_words.each[l].next = self.one.val();
            }
        }
    }
    carry!(self.align <- self: words_valid = words_now);
    carry!(self.align <- self.modify: words_slot, words_lanes, words_last);
    if self.c.valid.q.val() {
        carry!(self.align.words_* <- self.c.*.q: slot, lanes);
        self.align.words_last.next = true;
    }
    self.align.words_data.next = self.row_words.whole.val();
    self.align.words_whole.next = true;
    if self.scratchpad.words_valid.val() {
        carry!(self.align <- self.scratchpad: words_slot, words_lanes, words_data);
        self.align.words_whole.next = false;
        self.align.words_last.next = self.scratchpad.words_last.val();
    }
    carry!(self.rows <- self.align: write_lanes, write_slot, write_data, over, over_slot);
    self.result_valid.next = self.rows.result_valid.val();
    self.rows.result_ready.next = self.result_ready.val();
    carry!(self <- self.rows: result_warp, result_part, result_rd, result_mask, result_data);
    carry!(self.in_flight <- self.rows: row_over, row_warp);
    self.pending.next = self.in_flight.pending.val();

    // ---- Instructions that are complete, and faults.
    self.completion.under_way.next = self.under_way.val();
    self.completion.load_valid.next = self.rows.done_valid.val();
    self.rows.done_ready.next = self.completion.load_ready.val();
    carry!(self.completion.load_* <- self.rows.done_*: warp, uses_rd, rd, pc, number);
    self.faults.ask_slot.next = self.rows.done_slot.val();
    carry!(self.completion <- self.faults: load_bad = any, load_thread = thread);
    carry!(self.completion.load_* <- self.faults: cause, address);
    self.complete_valid.next = self.completion.complete_valid.val();
    self.completion.complete_ready.next = self.complete_ready.val();
    carry!(self <- self.completion:
        complete_warp, complete_uses_rd, complete_rd, access_fault_valid,
    );
    self.completion.access_fault_ready.next = self.access_fault_ready.val();
    carry!(self <- self.completion: access_fault_warp, access_fault_thread, access_fault_pc);
    carry!(self <- self.completion: access_fault_number, access_fault_cause, access_fault_address);
}
