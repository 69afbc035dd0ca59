//! A pass is gathered: one group of lanes after the other; lanes that fault are noted.

use super::Lsu;
use crate::hdl::*;

/// The pass that is gathered.
pub struct Gathering;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const W: usize, const WT: usize, const SB: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize,
> kernel::Part<Gathering>
    for Lsu<NW, WI, W, WT, SB, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS, FC>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- The pass that is gathered.
        self.gather.left.next = self.g.left.q.val();
        self.gather.on_chip.next = self.g.on_chip.q.val();
        self.gather.lines.next = self.g.lines.q.val();
        self.gather.alone.next = self.g.op.q.val().get_bit(4) | self.g.op.q.val().get_bit(2);
        self.g_is_row.next = self.g.op.q.val().get_bit(4)
            | self.g.op.q.val().get_bit(2)
            | !self.g.op.q.val().get_bits::<2>(0).any();
        self.g_lowest.bits.next = self.g.bad.q.val();
        self.g_thread.next = (bit_cast::<6, PB>(self.g.part.q.val()) << self.lane_bits.val())
            | bit_cast::<6, LI>(self.g_lowest.place.val());
        self.g_cause.next = self.unmapped.val();
        self.g_bad_address.next = self.zero.val();
        for l in 0..L {
            if self.g_lowest.place.val() == self.lane_number[l].val() {
                self.g_bad_address.next =
                    self.g_bad_address.val() | self.g.address.q.val().get_bits::<32>(32 * l);
                if self.g.misaligned.q.val().get_bit(l) {
                    self.g_cause.next = self.misaligned.val();
                }
            }
        }
        // Its row begins, if it has one, in its first cycle here.
        self.rows.open.next = self.g.opens.q.val();
        self.rows.open_first.next = self.g.first.q.val();
        self.rows.open_last.next = self.g.last.q.val();
        self.rows.open_warp.next = self.g.warp.q.val();
        self.rows.open_part.next = self.g.part.q.val();
        self.rows.open_pc.next = self.g.pc.q.val();
        self.rows.open_number.next = self.g.number.q.val();
        self.rows.open_uses_rd.next = self.g.uses_rd.q.val();
        self.rows.open_rd.next = self.g.rd.q.val();
        self.rows.open_mask.next = self.g.left.q.val();
        self.align.open.next = self.g.opens.q.val();
        self.align.open_slot.next = self.rows.open_slot.val();
        self.align.open_offsets.next = self.g.offsets.q.val();
        self.align.open_size.next = self.g.size.q.val();
        self.align.open_signed.next = self.g.signed.q.val();
        self.align.open_part.next = self.g.part.q.val();
        self.align.open_leader.next = self.rows.open_leader.val();
        self.faults.begins.next = self.g.opens.q.val() & self.g.first.q.val();
        self.faults.begins_slot.next = self.rows.open_slot.val();
        self.row_slot.next = self.g.slot.q.val();
        self.row_leader.next = self.g.leader.q.val();
        if self.g.opens.q.val() {
            self.row_slot.next = self.rows.open_slot.val();
            self.row_leader.next = self.rows.open_leader.val();
        }
        self.g.slot.d.next = self.row_slot.val();
        self.g.leader.d.next = self.row_leader.val();
        self.g.opens.d.next = false;
        // Its fault is noted, behind that; of a store it waits for the last pass.
        self.notes.next = self.g.note.q.val() & self.g.bad.q.val().any();
        self.g_noted.next = self.g.valid.q.val()
            & self.notes.val()
            & self.g_is_row.val()
            & !self.g.opens.q.val()
            & !self.align.fault.val();
        if self.g_noted.val() {
            self.g.note.d.next = false;
        }
        self.faults.note.next = self.g_noted.val() | self.align.fault.val();
        self.faults.note_slot.next = self.g.leader.q.val();
        self.faults.note_thread.next = self.g_thread.val();
        self.faults.note_cause.next = self.g_cause.val();
        self.faults.note_address.next = self.g_bad_address.val();
        if self.align.fault.val() {
            self.faults.note_slot.next = self.align.fault_slot.val();
            self.faults.note_thread.next = self.align.fault_thread.val();
            self.faults.note_cause.next = self.bus.val();
            self.faults.note_address.next = self.align.fault_address.val();
        }
        self.g_sets.next = self.g.valid.q.val()
            & self.g.fresh.q.val()
            & !self.g_is_row.val()
            & self.g.bad.q.val().any()
            & (self.g.first.q.val() | !self.store.bad.q.val());
        self.g_clears.next = self.g.valid.q.val()
            & self.g.fresh.q.val()
            & !self.g_is_row.val()
            & self.g.first.q.val()
            & !self.g.bad.q.val().any();
        if self.g_sets.val() {
            self.store.bad.d.next = true;
            self.store.thread.d.next = self.g_thread.val();
            self.store.cause.d.next = self.g_cause.val();
            self.store.address.d.next = self.g_bad_address.val();
        }
        if self.g_clears.val() {
            self.store.bad.d.next = false;
        }
    }
}
