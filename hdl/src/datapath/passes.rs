//! H: the oldest instruction, what is asked before its passes, and the rows of the pass that begins.

use super::Datapath;
use crate::hdl::*;

/// The oldest instruction and its next pass.
pub struct Head;

#[part(Datapath, Head)]
fn update(&mut self) {
    // ---- H: the oldest instruction and its next pass.
    carry!(self.queue <- self: issue_valid, issue_warp, issue_pc, issue_mask, issue_word);
    carry!(self.early <- self.issue_*: word, decoded);
    self.queue.issue_form.next = self.early.form.val();
    self.queue.take.next = self.sequencer.take.val();
    self.is_init.next = self.sequencer.is_init.val();
    self.head_warp.next = self.queue.head_warp.val();
    if self.is_init.val() {
        self.head_warp.next = self.inits.read_data.val();
    }
    self.sequencer.head_valid.next = self.queue.head_valid.val()
        & (self.queue.head_form.val().get_bit(7) | !self.queue.head_fresh.val());
    self.sequencer.head_mask.next = self.queue.head_mask.val();
    self.sequencer.init_valid.next = self.init_count.q.val().any();
    self.sequencer.is_control.next = self.queue.head_form.val().get_bit(6);
    carry!(self.sequencer.is_* <- self.h.*.q: mask, ballot, counter, auto = by_mode);
    self.sequencer.unit.next = self.queue.head_form.val().get_bits::<3>(8);
    self.sequencer.leader.next = self.h.leader.q.val();
    self.sequencer.fused.next = self.queue.head_form.val().get_bit(11);
    carry!(self.sequencer <- self.h.*.q: in_block, dead);
    self.sequencer.mul_ahead.next = self.r.multiplies.q.val();
    carry!(self.sequencer <- self.h.*.q: memory_free = may_access, divide_free = may_divide);
    // A division or square root goes to an idle float unit, and nothing behind it until that is idle again.
    self.float_free.next = false;
    self.float_idle.next = true;
    for i in 0..HAS_FLOAT {
        carry!(self.float_* <- self.floats[i]: free, idle);
    }
    self.may_float.next = self.float_free.val()
        & !self.r.roots.q.val()
        & !self.o.roots.q.val()
        & !self.turning.q.val().any();
    if self.queue.head_form.val().get_bit(12) {
        self.may_float.next =
            self.float_idle.val() & !self.r.floats.q.val() & !self.o.floats.q.val();
    }
    self.sequencer.float_free.next = self.may_float.val();
    self.sequencer.got_write.next = self.got.write.q.val();
}

/// What stands beside the oldest instruction: how it is decoded, and the state of its warp.
pub struct Beside;

#[part(Datapath, Beside)]
fn update(&mut self) {
    // ---- How it is decoded, a cycle after it has come. Of what is plain, and of what is no instruction: nothing.
    self.of_head.word.next = self.queue.head_word.val();
    self.of_head.has_float.next = self.has_float.val();
    self.known.next = !self.queue.loads.val() & !self.queue.head_form.val().get_bit(7);
    self.h.leader.d.next = 0.into();
    if self.known.val() {
        self.h.leader.d.next = self.of_head.leader.val();
    }
    self.h.mask.d.next = self.known.val() & self.of_head.mask.val();
    self.h.ballot.d.next =
        self.known.val() & self.of_head.mask.val() & (self.of_head.mask_kind.val() == 1);
    self.h.by_mode.d.next = self.known.val() & self.of_head.by_mode.val();
    self.h.counter.d.next = self.known.val() & self.of_head.csr.val() & self.csr.is_counter.val();
    carry!(self.h.*.d <- self.of_head: mask_kind, mask_function, mask_md, mask_ma, mask_mb);

    // ---- The state of its warp: that of the next one, when that comes; what changes in this cycle counts.
    self.of_next.next = self.head_warp.val() == self.queue.next_warp.val();
    self.of_same.next = self.head_warp.val() == self.queue.head_warp.val();
    self.blocks.read_address.next = self.queue.next_warp.val();
    self.next_left.next = self.h.left.q.val();
    if self.block_writes.val() & self.of_same.val() {
        self.next_left.next = self.block_word.val();
    }
    // That a warp has faulted may come a cycle later.
    self.h.dead.d.next = self
        .dead
        .q
        .val()
        .get_bit(self.queue.head_warp.val().index())
        & !(self.sequencer.init_take.val() & self.of_same.val());
    if self.queue.loads.val() {
        self.next_left.next = self.blocks.read_data.val();
        if self.block_writes.val() & self.of_next.val() {
            self.next_left.next = self.block_word.val();
        }
        self.h.dead.d.next = self
            .dead
            .q
            .val()
            .get_bit(self.queue.next_warp.val().index())
            & !(self.sequencer.init_take.val() & self.of_next.val());
    }
    self.h.left.d.next = self.next_left.val();
    self.h.in_block.d.next = self.next_left.val().any();
}

/// What is asked before: mask unit, counters, mode.
pub struct Ask;

#[part(Datapath, Ask)]
fn update(&mut self) {
    // ---- What is asked before: mask unit, counters (CORE-019), mode.
    self.csr.select_number.next = self.queue.head_word.val().get_bits::<12>(20);
    self.csr.select_warp.next = self.queue.head_warp.val();
    self.counter_select.next = self.csr.counter_select.val();
    self.asked.valid.d.next = (self.sequencer.asks.val()
        & (self.h.mask.q.val() | self.h.in_block.q.val()))
        | self.sequencer.init_take.val();
    self.asked.warp.d.next = self.head_warp.val();
    carry!(self.asked.*.d <- self.h.mask_*.q: kind, function);
    if self.h.in_block.q.val() {
        self.asked.kind.d.next = self.kind_data.val();
    }
    if self.is_init.val() {
        carry!(self.asked.*.d <- self: kind = kind_other, function = function_launch);
    }
    carry!(self.asked.*.d <- self.h.mask_*.q: md, ma, mb);
    self.asked.exec.d.next = self.queue.head_mask.val();
    carry!(self.masks.op_* <- self.asked.*.q: valid, warp, kind, function, md, ma, mb, exec);
    carry!(self.masks <- self.*.q: op_ballot = acc, op_word = lead);
    if self.masks.result_valid.val() {
        carry!(self.got.*.d <- self.masks.result_*: set, taken, mask, word, write);
    }
    if self.sequencer.catches.val() {
        self.got.counter.d.next = self.counter_value.val();
        self.got.auto.d.next = self.wavefront.answer_subvector.val();
    }
    self.block_writes.next = (self.sequencer.take.val()
        & !self.sequencer.ignores.val()
        & (self.h.in_block.q.val() | (self.h.mask.q.val() & (self.h.mask_kind.q.val() == 5))))
        | self.sequencer.init_take.val();
    self.block_word.next = self.h.left.q.val() - 1;
    if !self.h.in_block.q.val() {
        self.block_word.next = self.h.mask_function.q.val() + 1;
    }
    if self.is_init.val() {
        self.block_word.next = self.no_level.val();
    }
    carry!(self.blocks <- self: write_enable = block_writes, write_address = head_warp);
    self.blocks.write_data.next = self.block_word.val();
}

/// Rows of the pass, and of a late result.
pub struct AddressRows;

#[part(Datapath, AddressRows)]
fn update(&mut self) {
    // ---- What the float unit has, if there is one.
    self.float_valid.next = false;
    carry!(self.float_* <- self.result_*: warp, part, rd, mask, data);
    self.float_complete.next = false;
    self.float_complete_warp.next = self.complete_warp.val();
    self.float_complete_rd.next = bit_cast::<6, 5>(self.complete_rd.val());
    for i in 0..HAS_FLOAT {
        carry!(self.float_* <- self.floats[i].result_*: valid, warp, part, rd, mask, data);
        self.float_complete.next = self.floats[i].complete_valid.val();
        carry!(self.float_* <- self.floats[i]: complete_warp, complete_rd);
    }

    // ---- Rows: of the pass, and of a result of float unit, divider or load/store unit.
    carry!(self.w_next_* <- self.result_*: warp, part, rd);
    if self.divide.claims.val() {
        carry!(self.w_next_* <- self.divide.result_*: warp, part, rd);
    }
    if self.float_valid.val() {
        carry!(self.w_next_* <- self.float_*: warp, part, rd);
    }
    self.base.next = self.no_rows.val();
    self.result_base.next = self.no_rows.val();
    for b in 0..WARP_BITS {
        if self.head_warp.val().get_bit(b) {
            self.base.next =
                self.base.val() + (self.wavefront.warp_rows.val() << self.warp_bit[b].val());
        }
        if self.w_next_warp.val().get_bit(b) {
            self.result_base.next =
                self.result_base.val() + (self.rows.warp_rows.val() << self.warp_bit[b].val());
        }
    }
    carry!(self.wavefront <- self:
        cfg_threshold, cfg_force, cfg_lanes = lane_bits, cfg_shared_from,
    );
    carry!(self.wavefront.access_* <- self.cache_*: valid, miss, regular);
    self.asks_mode.next = self.sequencer.asks.val() & self.h.by_mode.q.val();
    self.wavefront.ask_valid.next = self.asks_mode.val();
    self.wavefront.map_valid.next = self.sequencer.pass_valid.val();
    carry!(self.wavefront <- self: map_uses = five_uses, map_subvector = regular);
    self.lane_part.next = bit_cast::<THREAD_BITS, PART_BITS>(self.sequencer.pass_part.val());
    carry!(self.wavefront <- self: map_part = lane_part, map_base = base);
    self.wavefront.map_rs1.next = self.queue.head_word.val().get_bits::<5>(15);
    self.wavefront.map_rs2.next = self.queue.head_word.val().get_bits::<5>(20);
    if self.sequencer.pass_third.val() {
        self.wavefront.map_rs2.next = self.queue.head_word.val().get_bits::<5>(27);
    }
    self.wavefront.map_rd.next = self.queue.head_word.val().get_bits::<5>(7);
    if self.is_init.val() {
        self.wavefront.map_rd.next = self.sequencer.pass_register.val();
    }

    // ---- To R.
    self.uses_units.next = !self.sequencer.pass_empty.val();
    carry!(self.r.*.d <- self.sequencer.pass_*:
        valid, mode, first, last, part, mask, empty, blocked,
    );
    self.r.multiplies.d.next = self.sequencer.pass_valid.val()
        & (self.sequencer.pass_mode.val() == 0)
        & (self.queue.head_form.val().get_bits::<3>(8) == 1)
        & self.uses_units.val();
    self.divides_now.next = self.sequencer.pass_valid.val()
        & (self.sequencer.pass_mode.val() == 0)
        & (self.queue.head_form.val().get_bits::<3>(8) == 3)
        & self.uses_units.val();
    self.r.divides.d.next = self.divides_now.val();
    self.floats_now.next = self.sequencer.pass_valid.val()
        & (self.sequencer.pass_mode.val() == 0)
        & (self.queue.head_form.val().get_bits::<3>(8) == 4)
        & self.uses_units.val();
    self.r.floats.d.next = self.floats_now.val() & !self.sequencer.pass_third.val();
    self.r.roots.d.next = self.floats_now.val() & self.queue.head_form.val().get_bit(12);
    self.r.third.d.next = self.sequencer.pass_third.val();
    if self.turning.q.val().any() {
        self.turning.d.next = self.turning.q.val() - 1;
    }
    if self.floats_now.val() & !self.sequencer.pass_third.val() {
        self.turning.d.next = self.more_turns.val();
    }
    self.r.register.d.next = self.sequencer.pass_register.val();
    self.r.warp.d.next = self.head_warp.val();
    carry!(self.r.*.d <- self.queue.head_*: pc, active = mask, word);
    self.r.regular.d.next = self.h_regular.val();
}
