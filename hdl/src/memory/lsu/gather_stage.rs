//! A pass is gathered: one group of lanes after the other; lanes that fault are noted.

use super::Lsu;
use crate::hdl::*;

/// The pass that is gathered.
pub struct Gathering;

#[part(Lsu, Gathering)]
fn update(&mut self) {
    // ---- The pass that is gathered.
    carry!(self.gather <- self.g.*.q: left, on_chip, lines);
    self.gather.alone.next = self.g.op.q.val().get_bit(2) & !self.g.op.q.val().get_bit(4);
    self.gather.alone_on_chip.next = self.g.op.q.val().get_bit(4) | self.g.op.q.val().get_bit(2);
    self.g_is_row.next = self.g.op.q.val().get_bit(4)
        | self.g.op.q.val().get_bit(2)
        | !self.g.op.q.val().get_bits::<2>(0).any();
    self.g_lowest.bits.next = self.g.bad.q.val();
    self.g_thread.next = (bit_cast::<6, PART_BITS>(self.g.part.q.val()) << self.lane_bits.val())
        | bit_cast::<6, LANE_BITS>(self.g_lowest.place.val());
    self.g_cause.next = self.unmapped.val();
    self.g_bad_address.next = self.zero.val();
    for l in 0..LANES {
        if self.g_lowest.place.val() == self.lane_number[l].val() {
            self.g_bad_address.next =
                self.g_bad_address.val() | self.g.address.q.val().get_bits::<32>(32 * l);
            if self.g.misaligned.q.val().get_bit(l) {
                self.g_cause.next = self.misaligned.val();
            }
        }
    }
    // Its row begins, if it has one, in its first cycle here.
    carry!(self.rows <- self.g.*.q: open = opens, open_first = first);
    carry!(self.rows.open_* <- self.g.*.q: last, warp, part, pc, number, uses_rd, rd, mask = left);
    self.align.open.next = self.g.opens.q.val();
    self.align.open_slot.next = self.rows.open_slot.val();
    carry!(self.align.open_* <- self.g.*.q: offsets, size, signed, part);
    self.align.open_leader.next = self.rows.open_leader.val();
    self.faults.begins.next = self.g.opens.q.val() & self.g.first.q.val();
    self.faults.begins_slot.next = self.rows.open_slot.val();
    carry!(self.row_* <- self.g.*.q: slot, leader);
    if self.g.opens.q.val() {
        carry!(self.row_* <- self.rows.open_*: slot, leader);
    }
    carry!(self.g.*.d <- self.row_*: slot, leader);
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
    carry!(self.faults.note_* <- self.g_*: thread, cause, address = bad_address);
    if self.align.fault.val() {
        carry!(self.faults.note_* <- self.align.fault_*: slot, thread);
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
        carry!(self.store.*.d <- self.g_*: thread, cause, address = bad_address);
    }
    if self.g_clears.val() {
        self.store.bad.d.next = false;
    }
}
