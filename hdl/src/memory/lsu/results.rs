//! Values become rows; instructions are complete.

use super::Lsu;
use crate::hdl::*;

/// Values, rows, complete instructions, faults.
pub struct Results;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const W: usize, const WT: usize, const SB: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize,
> kernel::Part<Results>
    for Lsu<NW, WI, W, WT, SB, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS, FC>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Values: of the scratchpad, of SC (0 or 1), of beats.
        self.answers_now.next = self.x.conditional.q.val() & self.x_done.val() & self.x_some.val();
        self.c.valid.d.next = self.answers_now.val();
        self.c.failed.d.next = self.fails.val();
        self.c.lanes.d.next = self.x.lanes.q.val();
        self.c.slot.d.next = self.x.slot.q.val();
        for l in 0..L {
            self.conditional_words.each[l].next = self.zero.val();
            if self.c.failed.q.val() {
                self.conditional_words.each[l].next = self.one.val();
            }
        }
        self.align.words_valid.next = self.scratchpad.words_valid.val() | self.c.valid.q.val();
        self.align.words_slot.next = self.c.slot.q.val();
        self.align.words_lanes.next = self.c.lanes.q.val();
        self.align.words_data.next = self.conditional_words.whole.val();
        self.align.words_whole.next = true;
        self.align.words_last.next = true;
        if self.scratchpad.words_valid.val() {
            self.align.words_slot.next = self.scratchpad.words_slot.val();
            self.align.words_lanes.next = self.scratchpad.words_lanes.val();
            self.align.words_data.next = self.scratchpad.words_data.val();
            self.align.words_whole.next = false;
            self.align.words_last.next = self.scratchpad.words_last.val();
        }
        self.rows.write_lanes.next = self.align.write_lanes.val();
        self.rows.write_slot.next = self.align.write_slot.val();
        self.rows.write_data.next = self.align.write_data.val();
        self.rows.over.next = self.align.over.val();
        self.rows.over_slot.next = self.align.over_slot.val();
        self.result_valid.next = self.rows.result_valid.val();
        self.rows.result_ready.next = self.result_ready.val();
        self.result_warp.next = self.rows.result_warp.val();
        self.result_part.next = self.rows.result_part.val();
        self.result_rd.next = self.rows.result_rd.val();
        self.result_mask.next = self.rows.result_mask.val();
        self.result_data.next = self.rows.result_data.val();
        self.in_flight.row_over.next = self.rows.row_over.val();
        self.in_flight.row_warp.next = self.rows.row_warp.val();
        self.pending.next = self.in_flight.pending.val();

        // ---- Instructions that are complete, and faults.
        self.completion.under_way.next = self.under_way.val();
        self.completion.load_valid.next = self.rows.done_valid.val();
        self.rows.done_ready.next = self.completion.load_ready.val();
        self.completion.load_warp.next = self.rows.done_warp.val();
        self.completion.load_uses_rd.next = self.rows.done_uses_rd.val();
        self.completion.load_rd.next = self.rows.done_rd.val();
        self.completion.load_pc.next = self.rows.done_pc.val();
        self.completion.load_number.next = self.rows.done_number.val();
        self.faults.ask_slot.next = self.rows.done_slot.val();
        self.completion.load_bad.next = self.faults.any.val();
        self.completion.load_thread.next = self.faults.thread.val();
        self.completion.load_cause.next = self.faults.cause.val();
        self.completion.load_address.next = self.faults.address.val();
        self.complete_valid.next = self.completion.complete_valid.val();
        self.completion.complete_ready.next = self.complete_ready.val();
        self.complete_warp.next = self.completion.complete_warp.val();
        self.complete_uses_rd.next = self.completion.complete_uses_rd.val();
        self.complete_rd.next = self.completion.complete_rd.val();
        self.access_fault_valid.next = self.completion.access_fault_valid.val();
        self.completion.access_fault_ready.next = self.access_fault_ready.val();
        self.access_fault_warp.next = self.completion.access_fault_warp.val();
        self.access_fault_thread.next = self.completion.access_fault_thread.val();
        self.access_fault_pc.next = self.completion.access_fault_pc.val();
        self.access_fault_number.next = self.completion.access_fault_number.val();
        self.access_fault_cause.next = self.completion.access_fault_cause.val();
        self.access_fault_address.next = self.completion.access_fault_address.val();
    }
}
