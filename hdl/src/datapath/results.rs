//! B and W: rows are written, and instructions are done.

use super::Datapath;
use crate::hdl::*;

/// Rows of lanes and multiplier, of divider and load/store unit.
pub struct Results;

#[part(Datapath, Results)]
fn update(&mut self) {
    // ---- To B: lanes or multiplier.
    self.from_lanes.next = self.x.writes.q.val();
    self.b_next.next = self.from_lanes.val() | self.m2.valid.q.val();
    // Whether a row comes of it is known late; a pass that turns out to fault keeps the port all the same.
    self.keeps_port.next = self.x.keeps.q.val() | self.m2.valid.q.val();
    self.b.valid.d.next = self.b_next.val();
    self.b.shown.d.next = !self.x.sets.q.val();
    self.b.begins.d.next =
        self.x.sets.q.val() & (self.x.rd.q.val().get_bits::<5>(0) == self.register_sp.val());
    self.b.unsure.d.next = self.x.has_target.q.val();
    self.b.grouped.d.next = self.x.condition.q.val() == 6;
    carry!(self.b.*.d <- self.x.*.q: warp, part);
    self.b.rd.d.next = self.x.rd.q.val().get_bits::<5>(0);
    carry!(self.b.*.d <- self.x.*.q: mask, row);
    if self.m2.valid.q.val() {
        self.b.shown.d.next = true;
        self.b.begins.d.next = false;
        self.b.unsure.d.next = false;
        self.b.grouped.d.next = false;
        carry!(self.b.*.d <- self.m2.*.q: warp, part, rd, mask, row);
    }
    for i in 0..LANES {
        self.b.data[i].d.next = self.value[i].val();
        if self.m2.valid.q.val() {
            self.b.data[i].d.next = self.times[i].result.val();
        }
    }

    // ---- To W: float unit, divider or load/store unit, when lanes and multiplier leave the port.
    self.float_takes.next = self.float_valid.val() & !self.keeps_port.val();
    for i in 0..HAS_FLOAT {
        self.floats[i].result_ready.next = self.float_takes.val();
    }
    self.divide_takes.next =
        self.divide.result_valid.val() & !self.keeps_port.val() & !self.float_valid.val();
    self.divide.result_ready.next = self.divide_takes.val();
    // The load/store unit's row waits behind the divider's, also while that one waits for its instruction before.
    self.result_ready.next =
        !self.keeps_port.val() & !self.divide.claims.val() & !self.float_valid.val();
    self.memory_takes.next = self.result_valid.val() & self.result_ready.val();
    self.w_next.next = self.float_takes.val() | self.divide_takes.val() | self.memory_takes.val();
    carry!(self.w.*.d <- self: valid = w_next, warp = w_next_warp, part = w_next_part);
    carry!(self.w.*.d <- self: rd = w_next_rd, mask = result_mask, data = result_data);
    if self.divide.claims.val() {
        carry!(self.w.*.d <- self.divide.result_*: mask, data);
    }
    if self.float_valid.val() {
        carry!(self.w.*.d <- self.float_*: mask, data);
    }

    carry!(self.rows <- self: cfg_threshold, cfg_force, cfg_lanes = lane_bits, cfg_shared_from);
    self.rows.access_valid.next = false;
    self.rows.access_miss.next = false;
    self.rows.access_regular.next = false;
    self.rows.ask_valid.next = false;
    carry!(self.rows <- self:
        map_valid = w_next, map_uses = five_uses, map_subvector = regular, map_base = result_base,
    );
    self.result_part_number.next = bit_cast::<THREAD_BITS, PART_BITS>(self.w_next_part.val());
    carry!(self.rows <- self:
        map_part = result_part_number, map_rs1 = w_next_rd, map_rs2 = w_next_rd, map_rd = w_next_rd,
    );

    // ---- B: the row is written.
    // Of a control instruction it is not if that faults, and of a group's only for the group (DATA-041, DATA-043).
    self.b_written.next = self.b.valid.q.val() & !(self.b.unsure.q.val() & self.bad.val());
    self.b_chosen.next = self.b.mask.q.val();
    if self.b.grouped.q.val() {
        self.b_chosen.next = self.b.mask.q.val() & self.v.taken.q.val();
    }
    // A register that was not written since the launch is written whole: 0 for the other threads (DATA-023).
    carry!(self.written.write_* <- self.w.*.q: warp, part, rd);
    self.written.write_begins.next = false;
    carry!(self.row_* <- self.w.*.q: mask);
    if self.b.valid.q.val() {
        carry!(self.written.write_* <- self.b.*.q: warp, part, rd, begins);
        carry!(self <- self: row_mask = b_chosen);
    }
    self.row_writes.next = self.b_written.val() | self.w.valid.q.val();
    carry!(self.written <- self: write = row_writes);
    self.result_row.next = self.rows.row_rd.val().get_bits::<REGISTER_BITS>(0);
    for i in 0..LANES {
        self.row_lane.next = self.row_writes.val()
            & (self.row_mask.val().get_bit(i) | self.written.write_whole.val());
        spread!(self.*[i].write_enable <- self.row_lane: first, second);
        self.row_word[i].next = self.w.data.q.val().get_bits::<32>(32 * i);
        spread!(self.*[i].write_address <- self.result_row: first, second);
        if self.b.valid.q.val() {
            self.row_word[i].next = self.b.data[i].q.val();
            spread!(self.*[i].write_address <- self.b.row.q: first, second);
        }
        if !self.row_mask.val().get_bit(i) {
            self.row_word[i].next = self.zero.val();
        }
        spread!(self.*[i].write_data <- self.row_word[i]: first, second);
        self.pack_write.words[i].next = self.row_word[i].val();
    }
    carry!(self.write <- self.w.*.q: valid, warp, part, rd, mask);
    if self.b.valid.q.val() {
        self.write.valid.next =
            self.b_written.val() & self.b.shown.q.val() & self.b_chosen.val().any();
        carry!(self.write <- self.b.*.q: warp, part, rd);
        self.write.mask.next = self.b_chosen.val();
    }
    self.write.data.next = self.pack_write.row.val();
}

/// Instructions that are done.
pub struct Done;

#[part(Datapath, Done)]
fn update(&mut self) {
    // ---- Instructions that are done: of lanes and multiplier a cycle after H; then those of the float unit, the
    // divider and the load/store unit.
    self.h_rd.next = self.queue.head_form.val().get_bits::<6>(0);
    self.h_done.next = self.sequencer.take.val()
        & (self.sequencer.ignores.val()
            | (self.queue.head_form.val().get_bits::<3>(8) == 0)
            | (self.queue.head_form.val().get_bits::<3>(8) == 1)
            | self.sequencer.pass_empty.val());
    carry!(self.d.*.d <- self.h_*: valid = done, rd);
    self.d.warp.d.next = self.queue.head_warp.val();
    carry!(self <- self.d.*.q: pipe_done = valid, pipe_warp = warp, pipe_rd = rd);
    self.float_done.next = self.float_complete.val()
        & !(self.pipe_done.val()
            & (self.pipe_warp.val().get_bit(0) == self.float_complete_warp.val().get_bit(0)));
    for i in 0..HAS_FLOAT {
        self.floats[i].complete_ready.next = self.float_done.val();
    }
    self.divide_done.next = self.divide.complete_valid.val()
        & !(self.pipe_done.val()
            & (self.pipe_warp.val().get_bit(0) == self.divide.complete_warp.val().get_bit(0)))
        & !(self.float_complete.val()
            & (self.float_complete_warp.val().get_bit(0)
                == self.divide.complete_warp.val().get_bit(0)));
    self.divide.complete_ready.next = self.divide_done.val();
    self.memory_done.next = self.l.valid.q.val()
        & !(self.pipe_done.val()
            & (self.pipe_warp.val().get_bit(0) == self.l.warp.q.val().get_bit(0)))
        & !(self.float_complete.val()
            & (self.float_complete_warp.val().get_bit(0) == self.l.warp.q.val().get_bit(0)))
        & !(self.divide.complete_valid.val()
            & (self.divide.complete_warp.val().get_bit(0) == self.l.warp.q.val().get_bit(0)));
    // What the load/store unit has completed stands in a register first: it comes late.
    self.complete_ready.next = !self.l.valid.q.val() | self.memory_done.val();
    self.memory_rd.next = bit_cast::<6, 5>(self.complete_rd.val());
    if self.complete_uses_rd.val() {
        self.memory_rd.next = self.memory_rd.val() | 32;
    }
    if self.complete_ready.val() {
        self.l.valid.d.next = self.complete_valid.val();
        carry!(self.l.*.d <- self: warp = complete_warp, rd = memory_rd);
    }
    self.done0.valid.next = false;
    carry!(self.done0 <- self.pipe_*: warp, rd);
    self.done1.valid.next = false;
    carry!(self.done1 <- self.pipe_*: warp, rd);
    if self.memory_done.val() {
        if self.l.warp.q.val().get_bit(0) {
            self.done1.valid.next = true;
            carry!(self.done1 <- self.l.*.q: warp, rd);
        } else {
            self.done0.valid.next = true;
            carry!(self.done0 <- self.l.*.q: warp, rd);
        }
    }
    if self.divide_done.val() {
        if self.divide.complete_warp.val().get_bit(0) {
            self.done1.valid.next = true;
            carry!(self.done1 <- self.divide.complete_*: warp, rd);
        } else {
            self.done0.valid.next = true;
            carry!(self.done0 <- self.divide.complete_*: warp, rd);
        }
    }
    if self.float_done.val() {
        if self.float_complete_warp.val().get_bit(0) {
            self.done1.valid.next = true;
            carry!(self.done1 <- self.float_complete_*: warp, rd);
        } else {
            self.done0.valid.next = true;
            carry!(self.done0 <- self.float_complete_*: warp, rd);
        }
    }
    if self.pipe_done.val() {
        if self.pipe_warp.val().get_bit(0) {
            self.done1.valid.next = true;
            carry!(self.done1 <- self.pipe_*: warp, rd);
        } else {
            self.done0.valid.next = true;
            carry!(self.done0 <- self.pipe_*: warp, rd);
        }
    }
}
