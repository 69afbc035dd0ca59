//! O and X: passes go to the multiplier, the divider, the float unit, the load/store unit; levels to the scheduler.

use super::Datapath;
use crate::hdl::*;

/// Passes for units, and whether they have room.
pub struct Units;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Units> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- O: to multiplier, divider, float unit, scheduler.
        // Without threads there is no product, and the port may be another row's (DATA-016, DATA-022).
        self.m1.valid.d.next = self.final_o.val()
            & !self.o.empty.q.val()
            & (self.of_pass.unit.val() == 1)
            & self.of_pass.decoded.val().get_bit(10);
        self.m1.warp.d.next = self.o.warp.q.val();
        self.m1.part.d.next = self.o.part.q.val();
        self.m1.rd.d.next = self.of_pass.decoded.val().get_bits::<5>(5);
        self.m1.mask.d.next = self.o.mask.q.val();
        self.m1.row.d.next = self.o.row.q.val();
        self.m2.valid.d.next = self.m1.valid.q.val();
        self.m2.warp.d.next = self.m1.warp.q.val();
        self.m2.part.d.next = self.m1.part.q.val();
        self.m2.rd.d.next = self.m1.rd.q.val();
        self.m2.mask.d.next = self.m1.mask.q.val();
        self.m2.row.d.next = self.m1.row.q.val();
        self.divide.pass_valid.next = self.o.divides.q.val();
        self.divide.pass_first.next = self.o.first.q.val();
        self.divide.pass_last.next = self.o.last.q.val();
        self.divide.pass_warp.next = self.o.warp.q.val();
        self.divide.pass_part.next = self.o.part.q.val();
        self.divide.pass_rd.next = self.of_pass.decoded.val().get_bits::<6>(5);
        self.divide.pass_code.next = self.of_pass.alu.val().get_bits::<2>(0);
        self.divide.pass_mask.next = self.o.mask.q.val();
        self.divide.a.next = self.pack_first.row.val();
        self.divide.b.next = self.pack_second.row.val();
        for i in 0..FU {
            self.floats[i].third_valid.next = self.o.third.q.val();
            self.floats[i].pass_valid.next = self.o.floats.q.val();
            self.floats[i].pass_last.next = self.o.last.q.val();
            self.floats[i].pass_warp.next = self.o.warp.q.val();
            self.floats[i].pass_part.next = self.o.part.q.val();
            self.floats[i].pass_rd.next = self.of_pass.decoded.val().get_bits::<6>(5);
            self.floats[i].pass_mask.next = self.o.mask.q.val();
            self.floats[i].pass_code.next = self.of_pass.float_code.val();
            self.floats[i].pass_rounding.next = self.o.word.q.val().get_bits::<3>(12);
            self.floats[i].a.next = self.pack_first.row.val();
            self.floats[i].b.next = self.pack_second.row.val();
        }
        // ---- X: to the load/store unit.
        self.a.valid.d.next = (self.a.valid.q.val() & !self.access_ready.val())
            | self.x.accesses.q.val();
        if self.x.accesses.q.val() {
            self.a.warp.d.next = self.x.warp.q.val();
            self.a.part.d.next = self.x.part.q.val();
            self.a.pc.d.next = self.x.pc.q.val();
            self.a.first.d.next = self.x.first.q.val();
            self.a.last.d.next = self.x.last.q.val();
            self.a.op.d.next = self.x.access_op.q.val();
            self.a.size.d.next = self.x.access_size.q.val();
            self.a.signed.d.next = self.x.access_signed.q.val();
            self.a.order.d.next = self.x.access_order.q.val();
            self.a.rd.d.next = self.x.rd.q.val();
            self.a.mask.d.next = self.x.mask.q.val();
            // What was begun behind a fault accesses nothing, so that no fault of its own goes before that one.
            if self.x_dead.val() {
                self.a.mask.d.next = self.no_lanes.val();
            }
            self.a.address.d.next = self.pack_address.row.val();
            self.a.data.d.next = self.pack_data.row.val();
            self.a.regular.d.next = self.x.regular.q.val();
        }
        self.access_valid.next = self.a.valid.q.val();
        self.access_warp.next = self.a.warp.q.val();
        self.access_part.next = self.a.part.q.val();
        self.access_pc.next = self.a.pc.q.val();
        self.access_first.next = self.a.first.q.val();
        self.access_last.next = self.a.last.q.val();
        self.access_op.next = self.a.op.q.val();
        self.access_size.next = self.a.size.q.val();
        self.access_signed.next = self.a.signed.q.val();
        self.access_order.next = self.a.order.q.val();
        self.access_uses_rd.next = self.a.rd.q.val().get_bit(5);
        self.access_rd.next = self.a.rd.q.val().get_bits::<5>(0);
        self.access_mask.next = self.a.mask.q.val();
        self.access_address.next = self.a.address.q.val();
        self.access_data.next = self.a.data.q.val();
        self.access_regular.next = self.a.regular.q.val();
        self.starts_access.next = self.sequencer.pass_valid.val()
            & (self.sequencer.pass_mode.val() == 0)
            & self.sequencer.pass_first.val()
            & (self.queue.head_form.val().get_bits::<3>(8) == 2)
            & self.uses_units.val();
        self.sends_access.next =
            self.a.valid.q.val() & self.access_ready.val() & self.a.last.q.val();
        self.next_way.next = self.on_way.q.val();
        if self.starts_access.val() {
            self.next_way.next = self.next_way.val() + 1;
        }
        if self.sends_access.val() {
            self.next_way.next = self.next_way.val() - 1;
        }
        self.on_way.d.next = self.next_way.val();
        // Whether one more has a place beyond those on their way, the one that begins now among them.
        self.places.next = bit_cast::<6, 5>(self.slots_free.val());
        self.one_less.next = self.places.val() - 1;
        self.h.may_access.d.next = self.places.val() > self.on_way.q.val();
        if self.starts_access.val() {
            self.h.may_access.d.next =
                self.places.val().any() & (self.one_less.val() > self.on_way.q.val());
        }
        self.h.may_divide.d.next = self.divide.free.val()
            & !self.divides_now.val()
            & !self.r.divides.q.val()
            & !self.o.divides.q.val();
        self.p.valid.d.next = self.sets_level.val()
            & self.o.first.q.val()
            & self.o.mask.q.val().any()
            & !self.csr_bad.val();
        self.p.warp.d.next = self.o.warp.q.val();
        self.p.level.d.next = self.leader_level.val();
        self.program_valid.next = self.p.valid.q.val();
        self.program_warp.next = self.p.warp.q.val();
        self.program_level.next = self.p.level.q.val();
        // The queue stands only for what was granted before (SM-011, DATA-011, DATA-015).
        self.unit_ready.next = 0.into();
        if self.queue.room.val() {
            self.unit_ready.next = 3.into();
            if !self.has_float.val() | self.float_free.val() {
                self.unit_ready.next = 19.into();
            }
            if self.h.may_access.q.val() {
                self.unit_ready.next = self.unit_ready.val() | 4;
            }
            if self.h.may_divide.q.val() {
                self.unit_ready.next = self.unit_ready.val() | 8;
            }
        }
    }
}
