//! R, O and X: the operands of a pass, lane by lane, and what the lanes make of them.

use super::Datapath;
use crate::hdl::*;

/// Rows are addressed; the word that all lanes share.
pub struct Read;

#[part(Datapath, Read)]
fn update(&mut self) {
    // ---- R: rows are addressed; the word that all lanes share.
    self.of_pass.word.next = self.r.word.q.val();
    self.of_pass.has_float.next = self.has_float.val();
    self.csr.number.next = self.r.word.q.val().get_bits::<12>(20);
    carry!(self.csr <- self.r.*.q: warp, active);
    self.csr.counter.next = self.got.counter.q.val();
    self.csr.has_float.next = self.has_float.val();
    self.init_value.next = self.zero.val();
    self.init_lane.next = false;
    if self.r.register.q.val() == self.register_sp.val() {
        self.init_value.next = self.stack_top.val();
    }
    if self.r.register.q.val() == self.register_a0.val() {
        self.init_value.next = self.csr.first.val();
        self.init_lane.next = true;
    }
    if self.r.register.q.val() == self.register_a1.val() {
        self.init_value.next = self.grid_threads.val();
    }
    if self.r.register.q.val() == self.register_a2.val() {
        self.init_value.next = self.arguments.val();
    }
    carry!(self.written <- self.r.*.q: warp, part);
    self.written.rs1.next = self.r.word.q.val().get_bits::<5>(15);
    self.written.rs2.next = self.r.word.q.val().get_bits::<5>(20);
    if self.r.third.q.val() {
        self.written.rs2.next = self.r.word.q.val().get_bits::<5>(27);
    }
    carry!(self.o.*.d <- self.written: has_rs1, has_rs2);
    carry!(self.o.*.d <- self.r.*.q:
        valid, mode, first, last, part, mask, empty, blocked, divides, floats, roots, third,
        register, warp, pc, active, word, regular,
    );
    self.o.row.d.next = self.wavefront.row_rd.val().get_bits::<REGISTER_BITS>(0);
    carry!(self.o.*.d <- self.csr: scalar = value, adds_lane, is_level, float_csr, exists);
    if self.r.mode.q.val() == 3 {
        carry!(self.o.*.d <- self: scalar = init_value, adds_lane = init_lane);
        self.o.is_level.d.next = false;
    }
}

/// What all lanes share of their operands.
pub struct Operands;

#[part(Datapath, Operands)]
fn update(&mut self) {
    // ---- O: operands.
    self.final_o.next = self.o.valid.q.val() & (self.o.mode.q.val() == 0);
    self.o_uses1.next = self.of_pass.decoded.val().get_bit(16);
    self.o_uses2.next = self.of_pass.decoded.val().get_bit(22);
    // The scheduler's names say nothing of three sources (DATA-005).
    if (self.of_pass.unit.val() == 4) & (self.of_pass.float_code.val() < 4) {
        self.o_uses1.next = self.o.word.q.val().get_bits::<5>(15).any();
        self.o_uses2.next = self.o.word.q.val().get_bits::<5>(20).any();
    }
    if self.o.third.q.val() {
        self.o_uses2.next = self.o.word.q.val().get_bits::<5>(27).any();
    }
    self.o_uses1.next = self.o_uses1.val() & self.o.has_rs1.q.val();
    self.o_uses2.next = self.o_uses2.val() & self.o.has_rs2.q.val();
    self.byte_pc.next = bit_cast::<32, 22>(self.o.pc.q.val()) << self.two.val();
    self.x.link.d.next = self.byte_pc.val() + 4;
    self.x.jump.d.next = self.byte_pc.val() + self.of_pass.imm.val();
    self.scalar_b.next = self.of_pass.imm.val();
    self.takes_b.next = self.of_pass.b_imm.val();
    if self.of_pass.csr.val() | (self.o.mode.q.val() == 3) {
        self.scalar_b.next = self.o.scalar.q.val();
        self.takes_b.next = true;
    }
    if self.of_pass.mask.val() & (self.of_pass.mask_kind.val() == 3) & (self.o.mode.q.val() != 3) {
        self.scalar_b.next = self.got.word.q.val();
        self.takes_b.next = true;
    }
    if self.of_pass.leader.val() == 1 {
        self.takes_b.next = true;
    }
    self.part_base.next = bit_cast::<32, PART_BITS>(self.o.part.q.val()) << self.lane_bits.val();
    self.part_number.next = bit_cast::<7, PART_BITS>(self.o.part.q.val()) << self.lane_bits.val();
    self.csr_writes.next =
        (self.o.word.q.val().get_bits::<2>(12) == 1) | self.o.word.q.val().get_bits::<5>(15).any();
    self.csr_bad.next = !self.o.exists.q.val()
        | (self.csr_writes.val() & !self.o.is_level.q.val() & !self.o.float_csr.q.val().any());
    // ISA-041: bits of a rounding mode that is set.
    self.sets_rounding.next = self.final_o.val()
        & self.of_pass.csr.val()
        & self.o.float_csr.q.val().get_bit(1)
        & (self.o.word.q.val().get_bits::<2>(12) != 3);
    self.sets_level.next = self.final_o.val()
        & self.of_pass.csr.val()
        & self.o.is_level.q.val()
        & self.csr_writes.val();
    self.negative.next = self.no_lanes.val() - self.o.mask.q.val();
    self.lowest.next = self.o.mask.q.val() & self.negative.val();
}

/// Each lane's operands are chosen; levels; products begin.
pub struct Choice;

#[part(Datapath, Choice)]
fn update(&mut self) {
    self.leader_level.next = self.no_level.val();
    self.rounding_bits.next = self.no_lanes.val();
    self.x.alu.d.next = self.of_pass.alu.val();
    if self.o.mode.q.val() == 3 {
        self.x.alu.d.next = self.no_level.val();
    }
    for i in 0..LANES {
        self.first[i].read_address.next = self.wavefront.row_rs1.val().get_bits::<REGISTER_BITS>(0);
        self.second[i].read_address.next =
            self.wavefront.row_rs2.val().get_bits::<REGISTER_BITS>(0);
        self.rs1[i].next = self.zero.val();
        if self.o_uses1.val() {
            self.rs1[i].next = self.first[i].read_data.val();
        }
        self.rs2[i].next = self.zero.val();
        if self.o_uses2.val() {
            self.rs2[i].next = self.second[i].read_data.val();
        }
        self.number[i].next = self.part_base.val() | self.lane_number[i].val();

        // Levels (CORE-019).
        self.levels[i].read_address.next =
            (bit_cast::<WARP_PART_BITS, WARP_BITS>(self.o.warp.q.val()) << self.place_bits.val())
                | bit_cast::<WARP_PART_BITS, PART_BITS>(self.o.part.q.val());
        self.levels[i].write_address.next =
            (bit_cast::<WARP_PART_BITS, WARP_BITS>(self.o.warp.q.val()) << self.place_bits.val())
                | bit_cast::<WARP_PART_BITS, PART_BITS>(self.o.part.q.val());
        self.level[i].next = self.levels[i].read_data.val();
        self.operand[i].next = self.rs1[i].val().get_bits::<4>(0);
        if self.o.word.q.val().get_bit(14) {
            self.operand[i].next = self.o.word.q.val().get_bits::<4>(15);
        }
        self.new_level[i].next = self.operand[i].val();
        if self.o.word.q.val().get_bit(13) {
            self.new_level[i].next = self.level[i].val() | self.operand[i].val();
            if self.o.word.q.val().get_bit(12) {
                self.new_level[i].next = self.level[i].val() & !self.operand[i].val();
            }
        }
        self.levels[i].write_enable.next = (self.sets_level.val() & self.o.mask.q.val().get_bit(i))
            | (self.o.valid.q.val() & (self.o.mode.q.val() == 3));
        self.levels[i].write_data.next = self.new_level[i].val();
        if self.o.mode.q.val() == 3 {
            self.levels[i].write_data.next = self.no_level.val();
        }

        // The lane.
        self.a_word.next = self.rs1[i].val();
        if self.of_pass.a_pc.val() {
            self.a_word.next = self.byte_pc.val();
        }
        self.one_level.next = self.level[i].val();
        if self.of_pass.csr.val() {
            self.a_word.next = self.zero.val();
            if self.o.is_level.q.val() {
                self.a_word.next = bit_cast::<32, 4>(self.one_level.val());
            }
        }
        if self.o.mode.q.val() == 3 {
            self.a_word.next = self.zero.val();
        }
        if self.o.adds_lane.q.val() & (self.of_pass.csr.val() | (self.o.mode.q.val() == 3)) {
            self.a_word.next = self.number[i].val();
        }
        self.b_word.next = self.rs2[i].val();
        if self.takes_b.val() {
            self.b_word.next = self.scalar_b.val();
        }
        carry!(self.x.*[i].d <- self: a = a_word, b = b_word);
        self.x.second[i].d.next = self.rs2[i].val();
        carry!(self.times[i] <- self.*[i]: a = rs1, b = rs2);
        self.times[i].code.next = self.of_pass.alu.val().get_bits::<2>(0);
        self.pack_first.words[i].next = self.rs1[i].val();
        self.pack_second.words[i].next = self.rs2[i].val();

        self.rounding[i].next = self.operand[i].val().get_bits::<3>(0);
        if self.o.float_csr.q.val().get_bit(0) {
            self.rounding[i].next = self.rs1[i].val().get_bits::<3>(5);
            if self.o.word.q.val().get_bit(14) {
                self.rounding[i].next = 0.into();
            }
        }

        if self.lowest.val().get_bit(i) {
            self.leader_level.next = self.leader_level.val() | self.new_level[i].val();
        }
        if self.o.mask.q.val().get_bit(i) & self.sets_rounding.val() & self.rounding[i].val().any()
        {
            self.rounding_bits.next = self.rounding_bits.val().replace_bit(i, true);
        }
    }

    // ---- To X.
    self.is_set.next = self.o.valid.q.val() & (self.o.mode.q.val() == 3);
    self.x.leads.d.next = self.o.valid.q.val() & (self.o.mode.q.val() == 1);
    self.x.collects.d.next =
        self.o.valid.q.val() & ((self.o.mode.q.val() == 0) | (self.o.mode.q.val() == 2));
    self.x.sets.d.next = self.is_set.val();
    carry!(self.x.*.d <- self.o.*.q: first, last, part, mask);
    self.x.lowest.d.next = self.lowest.val();
    carry!(self.x.*.d <- self.o.*.q: warp, pc, active, word);
    self.x.rd.d.next = self.of_pass.decoded.val().get_bits::<6>(5);
    if self.o.mode.q.val() == 3 {
        self.x.rd.d.next = bit_cast::<6, 5>(self.o.register.q.val());
    }
    self.x.row.d.next = self.o.row.q.val();
    self.x.links.d.next = self.of_pass.links.val() & !self.is_set.val();
    carry!(self.x.*.d <- self.of_pass: leader, condition, has_target);
    if self.o.mode.q.val() == 3 {
        self.x.condition.d.next = 0.into();
        self.x.has_target.d.next = false;
    }
    self.x.is_jal.d.next = self.of_pass.links.val() & (self.of_pass.leader.val() == 0);
    carry!(self.x.*.d <- self.of_pass: op, kind);
    // (The answer is that of this instruction for some cycles yet.)
    if self.of_pass.by_mode.val() & !self.got.auto.q.val() {
        carry!(self.x.*.d <- self: op = op_push, kind = kind_sync);
    }
    self.x.is_mask.d.next = self.of_pass.mask.val();
    self.illegal.next = !self.of_pass.legal.val() | self.o.blocked.q.val();
    self.x.illegal.d.next = self.illegal.val();
    self.x.breakpoint.d.next = self.of_pass.breakpoint.val();
    // Whether a row comes of it is known late; a pass that turns out to fault keeps the port all the same.
    self.keeps_now.next = (self.final_o.val()
        & (self.of_pass.unit.val() == 0)
        & self.of_pass.decoded.val().get_bit(10))
        | self.is_set.val();
    self.x.keeps.d.next = self.keeps_now.val();
    self.csr_fault.next = self.final_o.val()
        & self.of_pass.csr.val()
        & ((self.csr_bad.val() & self.o.first.q.val() & self.o.mask.q.val().any())
            | self.rounding_bits.val().any());
    carry!(self.x.*.d <- self: csr_fault, rounding = rounding_bits);
    self.x.writes.d.next = self.is_set.val()
        | (self.keeps_now.val()
            & !self.illegal.val()
            & (!self.of_pass.csr.val() | (!self.csr_bad.val() & !self.rounding_bits.val().any())));
    self.x.ends.d.next = self.final_o.val()
        & self.o.last.q.val()
        & (self.of_pass.decoded.val().get_bit(3) | self.o.blocked.q.val());
    self.x.accesses.d.next =
        self.final_o.val() & (self.of_pass.unit.val() == 2) & !self.o.empty.q.val();
    carry!(self.x.*.d <- self.of_pass: access_op, access_size, access_signed, access_order);
    self.x.regular.d.next = self.o.regular.q.val();
}

/// The lanes, and what they say of their threads.
pub struct Lanes;

#[part(Datapath, Lanes)]
fn update(&mut self) {
    // ---- X: results. (Whoever compares or tests has rs1 as first operand.)
    self.leader_sum.next = self.zero.val();
    self.leader_other.next = self.zero.val();
    self.taken_bits.next = self.no_lanes.val();
    for i in 0..LANES {
        self.lanes[i].alu.next = self.x.alu.q.val();
        carry!(self.lanes[i] <- self.x.*[i].q: a, b, x = a, y = second);
        self.lanes[i].compare.next = self.x.word.q.val().get_bits::<3>(12);
        self.value[i].next = self.lanes[i].result.val();
        if self.x.links.q.val() {
            self.value[i].next = self.x.link.q.val();
        }
        self.pack_address.words[i].next = self.lanes[i].sum.val();
        self.pack_data.words[i].next = self.x.second[i].q.val();

        // What it says of its thread.
        if self.x.lowest.q.val().get_bit(i) {
            self.leader_sum.next = self.leader_sum.val() | self.lanes[i].sum.val();
            self.leader_other.next = self.leader_other.val() | self.x.second[i].q.val();
        }
        if self.x.mask.q.val().get_bit(i) {
            if self.x.condition.q.val() == 1 {
                self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
            }
            if (self.x.condition.q.val() == 2) & self.lanes[i].nonzero.val() {
                self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
            }
            if (self.x.condition.q.val() == 3) & !self.lanes[i].nonzero.val() {
                self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
            }
            if (self.x.condition.q.val() == 4) & self.lanes[i].holds.val() {
                self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
            }
            if (self.x.condition.q.val() == 5) & self.x.a[i].q.val().get_bit(0) {
                self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
            }
            if (self.x.condition.q.val() == 6)
                & (self.lanes[i].sum.val().get_bits::<31>(1) == self.lead.q.val().get_bits::<31>(1))
            {
                self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
            }
        }
    }
    self.leader_word.next = self.leader_other.val();
    if self.x.leader.q.val() == 1 {
        self.leader_word.next = self.leader_sum.val();
        // A mask word keeps its lowest bit; that of an address does not count.
        if !self.x.is_mask.q.val() {
            self.leader_word.next = self.leader_sum.val() & self.even.val();
        }
    }
    if self.x.leads.q.val() {
        self.lead.d.next = self.leader_word.val();
    }
}
