//! H: the oldest instruction, what is asked before its passes, and the rows of the pass that begins.

use super::Datapath;
use crate::hdl::*;

/// The oldest instruction and its next pass.
pub struct Head;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Head> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- H: the oldest instruction and its next pass.
        self.queue.issue_valid.next = self.issue_valid.val();
        self.queue.issue_warp.next = self.issue_warp.val();
        self.queue.issue_pc.next = self.issue_pc.val();
        self.queue.issue_mask.next = self.issue_mask.val();
        self.queue.issue_word.next = self.issue_word.val();
        self.early.word.next = self.issue_word.val();
        self.early.decoded.next = self.issue_decoded.val();
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
        self.sequencer.is_mask.next = self.h.mask.q.val();
        self.sequencer.is_ballot.next = self.h.ballot.q.val();
        self.sequencer.is_counter.next = self.h.counter.q.val();
        self.sequencer.is_auto.next = self.h.by_mode.q.val();
        self.sequencer.unit.next = self.queue.head_form.val().get_bits::<3>(8);
        self.sequencer.leader.next = self.h.leader.q.val();
        self.sequencer.fused.next = self.queue.head_form.val().get_bit(11);
        self.sequencer.in_block.next = self.h.in_block.q.val();
        self.sequencer.dead.next = self.h.dead.q.val();
        self.sequencer.mul_ahead.next = self.r.multiplies.q.val();
        self.sequencer.memory_free.next = self.h.may_access.q.val();
        self.sequencer.divide_free.next = self.h.may_divide.q.val();
        // A division or square root goes to an idle float unit, and nothing behind it until that is idle again.
        self.float_free.next = false;
        self.float_idle.next = true;
        for i in 0..FU {
            self.float_free.next = self.floats[i].free.val();
            self.float_idle.next = self.floats[i].idle.val();
        }
        self.may_float.next =
            self.float_free.val() & !self.r.roots.q.val() & !self.o.roots.q.val() & !self.turning.q.val().any();
        if self.queue.head_form.val().get_bit(12) {
            self.may_float.next =
                self.float_idle.val() & !self.r.floats.q.val() & !self.o.floats.q.val();
        }
        self.sequencer.float_free.next = self.may_float.val();
        self.sequencer.got_write.next = self.got.write.q.val();
    }
}

/// What stands beside the oldest instruction: how it is decoded, and the state of its warp.
pub struct Beside;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Beside> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- How it is decoded, a cycle after it has come. Of what is plain, and of what is no instruction: nothing.
        self.of_head.word.next = self.queue.head_word.val();
        self.of_head.has_float.next = self.has_float.val();
        self.known.next = !self.queue.loads.val()
            & !self.queue.head_form.val().get_bit(7);
        self.h.leader.d.next = 0.into();
        if self.known.val() {
            self.h.leader.d.next = self.of_head.leader.val();
        }
        self.h.mask.d.next = self.known.val() & self.of_head.mask.val();
        self.h.ballot.d.next =
            self.known.val() & self.of_head.mask.val() & (self.of_head.mask_kind.val() == 1);
        self.h.by_mode.d.next = self.known.val() & self.of_head.by_mode.val();
        self.h.counter.d.next =
            self.known.val() & self.of_head.csr.val() & self.csr.is_counter.val();
        self.h.mask_kind.d.next = self.of_head.mask_kind.val();
        self.h.mask_function.d.next = self.of_head.mask_function.val();
        self.h.mask_md.d.next = self.of_head.mask_md.val();
        self.h.mask_ma.d.next = self.of_head.mask_ma.val();
        self.h.mask_mb.d.next = self.of_head.mask_mb.val();

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
}

/// What is asked before: mask unit, counters, mode.
pub struct Ask;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Ask> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- What is asked before: mask unit, counters (CORE-019), mode.
        self.csr.select_number.next = self.queue.head_word.val().get_bits::<12>(20);
        self.csr.select_warp.next = self.queue.head_warp.val();
        self.counter_select.next = self.csr.counter_select.val();
        self.asked.valid.d.next = (self.sequencer.asks.val()
            & (self.h.mask.q.val() | self.h.in_block.q.val()))
            | self.sequencer.init_take.val();
        self.asked.warp.d.next = self.head_warp.val();
        self.asked.kind.d.next = self.h.mask_kind.q.val();
        self.asked.function.d.next = self.h.mask_function.q.val();
        if self.h.in_block.q.val() {
            self.asked.kind.d.next = self.kind_data.val();
        }
        if self.is_init.val() {
            self.asked.kind.d.next = self.kind_other.val();
            self.asked.function.d.next = self.function_launch.val();
        }
        self.asked.md.d.next = self.h.mask_md.q.val();
        self.asked.ma.d.next = self.h.mask_ma.q.val();
        self.asked.mb.d.next = self.h.mask_mb.q.val();
        self.asked.exec.d.next = self.queue.head_mask.val();
        self.masks.op_valid.next = self.asked.valid.q.val();
        self.masks.op_warp.next = self.asked.warp.q.val();
        self.masks.op_kind.next = self.asked.kind.q.val();
        self.masks.op_function.next = self.asked.function.q.val();
        self.masks.op_md.next = self.asked.md.q.val();
        self.masks.op_ma.next = self.asked.ma.q.val();
        self.masks.op_mb.next = self.asked.mb.q.val();
        self.masks.op_exec.next = self.asked.exec.q.val();
        self.masks.op_ballot.next = self.acc.q.val();
        self.masks.op_word.next = self.lead.q.val();
        if self.masks.result_valid.val() {
            self.got.set.d.next = self.masks.result_set.val();
            self.got.taken.d.next = self.masks.result_taken.val();
            self.got.mask.d.next = self.masks.result_mask.val();
            self.got.word.d.next = self.masks.result_word.val();
            self.got.write.d.next = self.masks.result_write.val();
        }
        if self.sequencer.catches.val() {
            self.got.counter.d.next = self.counter_value.val();
            self.got.auto.d.next = self.wavefront.answer_subvector.val();
        }
        self.block_writes.next = (self.sequencer.take.val()
            & !self.sequencer.ignores.val()
            & (self.h.in_block.q.val()
                | (self.h.mask.q.val() & (self.h.mask_kind.q.val() == 5))))
            | self.sequencer.init_take.val();
        self.block_word.next = self.h.left.q.val() - 1;
        if !self.h.in_block.q.val() {
            self.block_word.next = self.h.mask_function.q.val() + 1;
        }
        if self.is_init.val() {
            self.block_word.next = self.no_level.val();
        }
        self.blocks.write_enable.next = self.block_writes.val();
        self.blocks.write_address.next = self.head_warp.val();
        self.blocks.write_data.next = self.block_word.val();
    }
}

/// Rows of the pass, and of a late result.
pub struct AddressRows;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<AddressRows> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- What the float unit has, if there is one.
        self.float_valid.next = false;
        self.float_warp.next = self.result_warp.val();
        self.float_part.next = self.result_part.val();
        self.float_rd.next = self.result_rd.val();
        self.float_mask.next = self.result_mask.val();
        self.float_data.next = self.result_data.val();
        self.float_complete.next = false;
        self.float_complete_warp.next = self.complete_warp.val();
        self.float_complete_rd.next = bit_cast::<6, 5>(self.complete_rd.val());
        for i in 0..FU {
            self.float_valid.next = self.floats[i].result_valid.val();
            self.float_warp.next = self.floats[i].result_warp.val();
            self.float_part.next = self.floats[i].result_part.val();
            self.float_rd.next = self.floats[i].result_rd.val();
            self.float_mask.next = self.floats[i].result_mask.val();
            self.float_data.next = self.floats[i].result_data.val();
            self.float_complete.next = self.floats[i].complete_valid.val();
            self.float_complete_warp.next = self.floats[i].complete_warp.val();
            self.float_complete_rd.next = self.floats[i].complete_rd.val();
        }

        // ---- Rows: of the pass, and of a result of float unit, divider or load/store unit.
        self.w_next_warp.next = self.result_warp.val();
        self.w_next_part.next = self.result_part.val();
        self.w_next_rd.next = self.result_rd.val();
        if self.divide.result_valid.val() {
            self.w_next_warp.next = self.divide.result_warp.val();
            self.w_next_part.next = self.divide.result_part.val();
            self.w_next_rd.next = self.divide.result_rd.val();
        }
        if self.float_valid.val() {
            self.w_next_warp.next = self.float_warp.val();
            self.w_next_part.next = self.float_part.val();
            self.w_next_rd.next = self.float_rd.val();
        }
        self.base.next = self.no_rows.val();
        self.result_base.next = self.no_rows.val();
        for b in 0..WI {
            if self.head_warp.val().get_bit(b) {
                self.base.next =
                    self.base.val() + (self.wavefront.warp_rows.val() << self.warp_bit[b].val());
            }
            if self.w_next_warp.val().get_bit(b) {
                self.result_base.next =
                    self.result_base.val() + (self.rows.warp_rows.val() << self.warp_bit[b].val());
            }
        }
        self.wavefront.cfg_threshold.next = self.cfg_threshold.val();
        self.wavefront.cfg_force.next = self.cfg_force.val();
        self.wavefront.cfg_lanes.next = self.lane_bits.val();
        self.wavefront.cfg_shared_from.next = self.cfg_shared_from.val();
        self.wavefront.access_valid.next = self.cache_valid.val();
        self.wavefront.access_miss.next = self.cache_miss.val();
        self.wavefront.access_regular.next = self.cache_regular.val();
        self.asks_mode.next = self.sequencer.asks.val() & self.h.by_mode.q.val();
        self.wavefront.ask_valid.next = self.asks_mode.val();
        self.wavefront.map_valid.next = self.sequencer.pass_valid.val();
        self.wavefront.map_uses.next = self.five_uses.val();
        self.wavefront.map_subvector.next = self.regular.val();
        self.lane_part.next = bit_cast::<I, PB>(self.sequencer.pass_part.val());
        self.wavefront.map_part.next = self.lane_part.val();
        self.wavefront.map_base.next = self.base.val();
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
        self.r.valid.d.next = self.sequencer.pass_valid.val();
        self.r.mode.d.next = self.sequencer.pass_mode.val();
        self.r.first.d.next = self.sequencer.pass_first.val();
        self.r.last.d.next = self.sequencer.pass_last.val();
        self.r.part.d.next = self.sequencer.pass_part.val();
        self.r.mask.d.next = self.sequencer.pass_mask.val();
        self.r.empty.d.next = self.sequencer.pass_empty.val();
        self.r.blocked.d.next = self.sequencer.pass_blocked.val();
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
        self.r.pc.d.next = self.queue.head_pc.val();
        self.r.active.d.next = self.queue.head_mask.val();
        self.r.word.d.next = self.queue.head_word.val();
        self.r.regular.d.next = self.h_regular.val();
    }
}
