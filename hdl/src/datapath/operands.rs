//! R and X: the operands of a pass, lane by lane.

use super::Datapath;
use crate::hdl::*;

/// Rows are addressed; the word that all lanes share.
pub struct Read;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Read> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- R: rows are addressed; the word that all lanes share.
        self.of_pass.word.next = self.r.word.q.val();
        self.of_pass.has_float.next = self.has_float.val();
        self.csr.number.next = self.r.word.q.val().get_bits::<12>(20);
        self.csr.warp.next = self.r.warp.q.val();
        self.csr.active.next = self.r.active.q.val();
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
        self.x.valid.d.next = self.r.valid.q.val();
        self.x.mode.d.next = self.r.mode.q.val();
        self.x.first.d.next = self.r.first.q.val();
        self.x.last.d.next = self.r.last.q.val();
        self.x.part.d.next = self.r.part.q.val();
        self.x.mask.d.next = self.r.mask.q.val();
        self.x.empty.d.next = self.r.empty.q.val();
        self.x.blocked.d.next = self.r.blocked.q.val();
        self.x.divides.d.next = self.r.divides.q.val();
        self.x.floats.d.next = self.r.floats.q.val();
        self.x.roots.d.next = self.r.roots.q.val();
        self.x.third.d.next = self.r.third.q.val();
        self.x.register.d.next = self.r.register.q.val();
        self.x.warp.d.next = self.r.warp.q.val();
        self.x.pc.d.next = self.r.pc.q.val();
        self.x.active.d.next = self.r.active.q.val();
        self.x.word.d.next = self.r.word.q.val();
        self.x.regular.d.next = self.r.regular.q.val();
        self.x.row.d.next = self.wavefront.row_rd.val().get_bits::<RA>(0);
        self.x.scalar.d.next = self.csr.value.val();
        self.x.adds_lane.d.next = self.csr.adds_lane.val();
        self.x.is_level.d.next = self.csr.is_level.val();
        self.x.float_csr.d.next = self.csr.float_csr.val();
        self.x.exists.d.next = self.csr.exists.val();
        if self.r.mode.q.val() == 3 {
            self.x.scalar.d.next = self.init_value.val();
            self.x.adds_lane.d.next = self.init_lane.val();
            self.x.is_level.d.next = false;
        }
    }
}

/// What all lanes share of their operands.
pub struct Operands;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Operands> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- X: operands.
        self.final_x.next = self.x.valid.q.val() & (self.x.mode.q.val() == 0);
        self.x_uses1.next = self.of_pass.decoded.val().get_bit(16);
        self.x_uses2.next = self.of_pass.decoded.val().get_bit(22);
        // The scheduler's names say nothing of three sources (DATA-005).
        if (self.of_pass.unit.val() == 4) & (self.of_pass.float_code.val() < 4) {
            self.x_uses1.next = self.x.word.q.val().get_bits::<5>(15).any();
            self.x_uses2.next = self.x.word.q.val().get_bits::<5>(20).any();
        }
        if self.x.third.q.val() {
            self.x_uses2.next = self.x.word.q.val().get_bits::<5>(27).any();
        }
        self.byte_pc.next = bit_cast::<32, 22>(self.x.pc.q.val()) << self.two.val();
        self.link.next = self.byte_pc.val() + 4;
        self.jump.next = self.byte_pc.val() + self.of_pass.imm.val();
        self.target.next = self.jump.val();
        if self.of_pass.leader.val() == 1 {
            self.target.next = self.lead.q.val();
        }
        self.scalar_b.next = self.of_pass.imm.val();
        self.takes_b.next = self.of_pass.b_imm.val();
        if self.of_pass.csr.val() | (self.x.mode.q.val() == 3) {
            self.scalar_b.next = self.x.scalar.q.val();
            self.takes_b.next = true;
        }
        if self.of_pass.mask.val()
            & (self.of_pass.mask_kind.val() == 3)
            & (self.x.mode.q.val() != 3)
        {
            self.scalar_b.next = self.got.word.q.val();
            self.takes_b.next = true;
        }
        if self.of_pass.leader.val() == 1 {
            self.takes_b.next = true;
        }
        self.part_base.next = bit_cast::<32, PB>(self.x.part.q.val()) << self.lane_bits.val();
        self.part_number.next = bit_cast::<7, PB>(self.x.part.q.val()) << self.lane_bits.val();
        self.csr_writes.next = (self.x.word.q.val().get_bits::<2>(12) == 1)
            | self.x.word.q.val().get_bits::<5>(15).any();
        self.csr_bad.next = !self.x.exists.q.val()
            | (self.csr_writes.val() & !self.x.is_level.q.val() & !self.x.float_csr.q.val().any());
        // ISA-041: bits of a rounding mode that is set.
        self.sets_rounding.next = self.final_x.val()
            & self.of_pass.csr.val()
            & self.x.float_csr.q.val().get_bit(1)
            & (self.x.word.q.val().get_bits::<2>(12) != 3);
        self.sets_level.next = self.final_x.val()
            & self.of_pass.csr.val()
            & self.x.is_level.q.val()
            & self.csr_writes.val();
        self.negative.next = self.no_lanes.val() - self.x.mask.q.val();
        self.lowest.next = self.x.mask.q.val() & self.negative.val();
    }
}

/// The lanes, and what they say of their threads.
pub struct Lanes;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Lanes> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        self.leader_sum.next = self.zero.val();
        self.leader_other.next = self.zero.val();
        self.leader_level.next = self.no_level.val();
        self.taken_bits.next = self.no_lanes.val();
        self.rounding_bits.next = self.no_lanes.val();
        for i in 0..L {
            self.first[i].read_address.next = self.wavefront.row_rs1.val().get_bits::<RA>(0);
            self.second[i].read_address.next = self.wavefront.row_rs2.val().get_bits::<RA>(0);
            self.rs1[i].next = self.zero.val();
            if self.x_uses1.val() {
                self.rs1[i].next = self.first[i].read_data.val();
            }
            self.rs2[i].next = self.zero.val();
            if self.x_uses2.val() {
                self.rs2[i].next = self.second[i].read_data.val();
            }
            self.number[i].next = self.part_base.val() | self.lane_number[i].val();

            // Levels (CORE-019).
            self.levels[i].read_address.next = (bit_cast::<LA, WI>(self.x.warp.q.val())
                << self.place_bits.val())
                | bit_cast::<LA, PB>(self.x.part.q.val());
            self.levels[i].write_address.next = (bit_cast::<LA, WI>(self.x.warp.q.val())
                << self.place_bits.val())
                | bit_cast::<LA, PB>(self.x.part.q.val());
            self.level[i].next = self.levels[i].read_data.val();
            self.operand[i].next = self.rs1[i].val().get_bits::<4>(0);
            if self.x.word.q.val().get_bit(14) {
                self.operand[i].next = self.x.word.q.val().get_bits::<4>(15);
            }
            self.new_level[i].next = self.operand[i].val();
            if self.x.word.q.val().get_bit(13) {
                self.new_level[i].next = self.level[i].val() | self.operand[i].val();
                if self.x.word.q.val().get_bit(12) {
                    self.new_level[i].next = self.level[i].val() & !self.operand[i].val();
                }
            }
            self.levels[i].write_enable.next = (self.sets_level.val()
                & self.x.mask.q.val().get_bit(i))
                | (self.x.valid.q.val() & (self.x.mode.q.val() == 3));
            self.levels[i].write_data.next = self.new_level[i].val();
            if self.x.mode.q.val() == 3 {
                self.levels[i].write_data.next = self.no_level.val();
            }

            // The lane.
            self.lanes[i].alu.next = self.of_pass.alu.val();
            self.lanes[i].a.next = self.rs1[i].val();
            if self.of_pass.a_pc.val() {
                self.lanes[i].a.next = self.byte_pc.val();
            }
            self.one_level.next = self.level[i].val();
            if self.of_pass.csr.val() {
                self.lanes[i].a.next = self.zero.val();
                if self.x.is_level.q.val() {
                    self.lanes[i].a.next = bit_cast::<32, 4>(self.one_level.val());
                }
            }
            if self.x.mode.q.val() == 3 {
                self.lanes[i].alu.next = self.no_level.val();
                self.lanes[i].a.next = self.zero.val();
            }
            if self.x.adds_lane.q.val() & (self.of_pass.csr.val() | (self.x.mode.q.val() == 3)) {
                self.lanes[i].a.next = self.number[i].val();
            }
            self.lanes[i].b.next = self.rs2[i].val();
            if self.takes_b.val() {
                self.lanes[i].b.next = self.scalar_b.val();
            }
            self.lanes[i].x.next = self.rs1[i].val();
            self.lanes[i].y.next = self.rs2[i].val();
            self.lanes[i].compare.next = self.x.word.q.val().get_bits::<3>(12);
            self.value[i].next = self.lanes[i].result.val();
            if self.of_pass.links.val() & (self.x.mode.q.val() != 3) {
                self.value[i].next = self.link.val();
            }
            self.times[i].a.next = self.rs1[i].val();
            self.times[i].b.next = self.rs2[i].val();
            self.times[i].code.next = self.of_pass.alu.val().get_bits::<2>(0);
            self.pack_address.words[i].next = self.lanes[i].sum.val();
            self.pack_first.words[i].next = self.rs1[i].val();
            self.pack_second.words[i].next = self.rs2[i].val();

            self.rounding[i].next = self.operand[i].val().get_bits::<3>(0);
            if self.x.float_csr.q.val().get_bit(0) {
                self.rounding[i].next = self.rs1[i].val().get_bits::<3>(5);
                if self.x.word.q.val().get_bit(14) {
                    self.rounding[i].next = 0.into();
                }
            }

            // What it says of its thread.
            if self.lowest.val().get_bit(i) {
                self.leader_sum.next = self.leader_sum.val() | self.lanes[i].sum.val();
                self.leader_other.next = self.leader_other.val() | self.rs2[i].val();
                self.leader_level.next = self.leader_level.val() | self.new_level[i].val();
            }
            if self.x.mask.q.val().get_bit(i) {
                if self.sets_rounding.val() & self.rounding[i].val().any() {
                    self.rounding_bits.next = self.rounding_bits.val().replace_bit(i, true);
                }
                if self.of_pass.condition.val() == 1 {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 2) & self.lanes[i].nonzero.val() {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 3) & !self.lanes[i].nonzero.val() {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 4) & self.lanes[i].holds.val() {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 5) & self.rs1[i].val().get_bit(0) {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 6)
                    & (self.lanes[i].sum.val().get_bits::<31>(1)
                        == self.lead.q.val().get_bits::<31>(1))
                {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
            }
        }
        self.leader_word.next = self.leader_other.val();
        if self.of_pass.leader.val() == 1 {
            self.leader_word.next = self.leader_sum.val();
            // A mask word keeps its lowest bit; that of an address does not count.
            if !self.of_pass.mask.val() {
                self.leader_word.next = self.leader_sum.val() & self.even.val();
            }
        }
        if self.x.valid.q.val() & (self.x.mode.q.val() == 1) {
            self.lead.d.next = self.leader_word.val();
        }
    }
}
