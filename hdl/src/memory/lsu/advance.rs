//! The next group and the next pass; reset.

use super::Lsu;
use crate::hdl::*;

/// The next group and the next pass.
pub struct Advance;

#[part(Lsu, Advance)]
fn update(&mut self) {
    // ---- The next group.
    if self.x_done.val() {
        self.x.valid.d.next = false;
    }
    self.x.stood.d.next = true;
    carry!(self.x.*.d <- self.x.*.q: knows = stood, lanes);
    if self.x.on_chip.q.val() {
        self.x.lanes.d.next = self.x.lanes.q.val() & !self.scratchpad.served.val();
    }
    self.g_goes.next = self.g.valid.q.val()
        & (!self.x.valid.q.val() | self.x_done.val())
        & (self.gather.rest.val() | !self.notes.val() | !self.g_is_row.val() | self.g_noted.val());
    self.lines.advance.next = self.g_goes.val();
    self.lines.next_line.next = self.gather.line.val();
    self.g_others.next = self.g.left.q.val() & !self.gather.group.val();
    if self.g_goes.val() {
        self.x.valid.d.next = true;
        self.x.stood.d.next = false;
        self.x.knows.d.next = false;
        self.x.clear.d.next = false;
        carry!(self.x.*.d <- self.g.*.q: warp, part, pc, number, last);
        self.x.closes.d.next = !self.gather.rest.val();
        self.x.op.d.next = self.g.op.q.val();
        self.x.load.d.next = self.g.op.q.val() == 0;
        self.x.store.d.next = self.g.op.q.val() == 1;
        self.x.fence.d.next = self.g.op.q.val() == 2;
        self.x.reserves.d.next = self.g.op.q.val() == 4;
        self.x.conditional.d.next = self.g.op.q.val() == 5;
        self.x.amo.d.next = self.g.op.q.val().get_bit(4);
        self.x.is_row.d.next = self.g_is_row.val();
        self.x.kind.d.next = 0.into();
        if (self.g.op.q.val() == 1) | (self.g.op.q.val() == 5) {
            self.x.kind.d.next = 1.into();
        }
        if self.g.op.q.val().get_bit(4) {
            self.x.kind.d.next = 2.into();
        }
        self.x.size.d.next = self.g.size.q.val();
        carry!(self.x.*.d <- self.gather: lanes = group, lead);
        self.x.on_chip.d.next = self.gather.lead_on_chip.val() & self.g.left.q.val().any();
        self.x.line.d.next = self.gather.line.val();
        carry!(self.x.*.d <- self.g.*.q: lines, offsets, address, data, regular, order, begins);
        self.g.begins.d.next = false;
        self.x.slot.d.next = self.row_slot.val();
        self.x.bad.d.next = (self.store.bad.q.val() | self.g_sets.val()) & !self.g_clears.val();
        carry!(self.x.bad_*.d <- self.store.*.q: thread, cause, address);
        if self.g_sets.val() {
            carry!(self.x.bad_*.d <- self.g_*: thread, cause, address = bad_address);
        }
        self.g.left.d.next = self.g_others.val();
    }

    // ---- The next pass.
    self.g_leaves.next = self.g_goes.val() & !self.gather.rest.val();
    self.g_free.next = !self.g.valid.q.val() | self.g_leaves.val();
    // A row begins a cycle later: one that begins now has its slot still to take.
    self.row_room.next =
        self.rows.open_room.val() & (!self.g.opens.q.val() | self.rows.open_more.val());
    self.q_takes.next = self.g_free.val() & (!self.q_is_row.val() | self.row_room.val());
    self.held.out_ready.next = self.q_takes.val();
    self.enters.next = self.held.out_valid.val() & self.q_takes.val();
    if self.g_leaves.val() {
        self.g.valid.d.next = false;
    }
    self.g.fresh.d.next = false;
    if self.enters.val() {
        self.g.valid.d.next = true;
        self.g.fresh.d.next = true;
        self.g.note.d.next = true;
        carry!(self.g.*.d <- self.q_*: warp, part);
        self.g.pc.d.next = self.held.out_head.val().get_bits::<22>(0);
        if self.held.out_head.val().get_bit(22) {
            self.g.number.d.next = self.g.number.q.val() + 1;
        }
        self.g.opens.d.next = self.q_is_row.val();
        self.g.signed.d.next = self.held.out_head.val().get_bit(31);
        self.g.uses_rd.d.next = self.held.out_head.val().get_bit(32);
        self.g.rd.d.next = self.held.out_head.val().get_bits::<5>(33);
        self.g.first.d.next = self.held.out_head.val().get_bit(22);
        self.g.last.d.next = self.held.out_head.val().get_bit(23);
        self.g.op.d.next = self.q_op.val();
        self.g.size.d.next = self.held.out_head.val().get_bits::<2>(29);
        self.g.left.d.next = self.q_good.val();
        self.g.bad.d.next = self.q_bad.val() & self.q_lanes.val();
        carry!(self.g.*.d <- self.q_*: misaligned, on_chip);
        carry!(self.g.*.d <- self.q_*.whole: lines, offsets);
        carry!(self.g.*.d <- self.held.out_*: address, data);
        for n in (PASS_WIDTH - 3)..(PASS_WIDTH - 2) {
            self.g.regular.d.next = self.held.out_head.val().get_bit(n);
        }
        for n in (PASS_WIDTH - 2)..(PASS_WIDTH - 1) {
            self.g.order.d.next = self.held.out_head.val().get_bits::<2>(n);
        }
        self.g.begins.d.next = self.held.out_head.val().get_bit(22);
    }
    if self.reset.val() {
        self.starts.valid.d.next = false;
        self.g.valid.d.next = false;
        self.x.valid.d.next = false;
        self.streams.d.next = false;
        self.g.opens.d.next = false;
        self.c.valid.d.next = false;
        self.c.words_come.d.next = false;
        self.p.begins.d.next = false;
        self.p.closes_row.d.next = false;
        self.p.closes.d.next = false;
        self.p.sends.d.next = false;
        self.p.busy.d.next = false;
        self.p.warps.d.next = self.no_warps.val();
        self.e.valid.d.next = false;
        self.g.number.d.next = 0.into();
    }
}
