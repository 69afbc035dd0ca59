//! O and X: passes go to the multiplier, the divider, the float unit, the load/store unit; levels to the scheduler.

use super::Datapath;
use crate::hdl::*;

/// Passes for units, and whether they have room.
pub struct Units;

#[part(Datapath, Units)]
fn update(&mut self) {
    // ---- O: to multiplier, divider, float unit, scheduler.
    // Without threads there is no product, and the port may be another row's (DATA-016, DATA-022).
    self.m1.valid.d.next = self.final_o.val()
        & !self.o.empty.q.val()
        & (self.of_pass.unit.val() == 1)
        & self.of_pass.decoded.val().get_bit(10);
    carry!(self.m1.*.d <- self.o.*.q: warp, part);
    self.m1.rd.d.next = self.of_pass.decoded.val().get_bits::<5>(5);
    carry!(self.m1.*.d <- self.o.*.q: mask, row);
    carry!(self.m2.*.d <- self.m1.*.q: valid, warp, part, rd, mask, row);
    carry!(self.divide <- self.o.*.q: pass_valid = divides, pass_first = first);
    carry!(self.divide.pass_* <- self.o.*.q: last, warp, part);
    self.divide.pass_rd.next = self.of_pass.decoded.val().get_bits::<6>(5);
    self.divide.pass_code.next = self.of_pass.alu.val().get_bits::<2>(0);
    self.divide.pass_mask.next = self.o.mask.q.val();
    self.divide.a.next = self.pack_first.row.val();
    self.divide.b.next = self.pack_second.row.val();
    for i in 0..HAS_FLOAT {
        carry!(self.floats[i] <- self.o.*.q: third_valid = third, pass_valid = floats);
        carry!(self.floats[i].pass_* <- self.o.*.q: last, warp, part);
        self.floats[i].pass_rd.next = self.of_pass.decoded.val().get_bits::<6>(5);
        self.floats[i].pass_mask.next = self.o.mask.q.val();
        self.floats[i].pass_code.next = self.of_pass.float_code.val();
        self.floats[i].pass_rounding.next = self.o.word.q.val().get_bits::<3>(12);
        self.floats[i].a.next = self.pack_first.row.val();
        self.floats[i].b.next = self.pack_second.row.val();
    }
    // ---- X: to the load/store unit.
    self.a.valid.d.next =
        (self.a.valid.q.val() & !self.access_ready.val()) | self.x.accesses.q.val();
    if self.x.accesses.q.val() {
        carry!(self.a.*.d <- self.x.*.q: warp, part, pc, first, last);
        carry!(self.a.*.d <- self.x.access_*.q: op, size, signed, order);
        carry!(self.a.*.d <- self.x.*.q: rd, mask);
        // What was begun behind a fault accesses nothing, so that no fault of its own goes before that one.
        if self.x_dead.val() {
            self.a.mask.d.next = self.no_lanes.val();
        }
        carry!(self.a.*.d <- self.pack_*.row: address, data);
        self.a.regular.d.next = self.x.regular.q.val();
    }
    carry!(self.access_* <- self.a.*.q:
        valid, warp, part, pc, first, last, op, size, signed, order,
    );
    self.access_uses_rd.next = self.a.rd.q.val().get_bit(5);
    self.access_rd.next = self.a.rd.q.val().get_bits::<5>(0);
    carry!(self.access_* <- self.a.*.q: mask, address, data, regular);
    self.starts_access.next = self.sequencer.pass_valid.val()
        & (self.sequencer.pass_mode.val() == 0)
        & self.sequencer.pass_first.val()
        & (self.queue.head_form.val().get_bits::<3>(8) == 2)
        & self.uses_units.val();
    self.sends_access.next = self.a.valid.q.val() & self.access_ready.val() & self.a.last.q.val();
    self.next_way.next = self.on_way.q.val();
    // (Both sums are there before it is known whether a pass goes.)
    self.way_more.next = self.on_way.q.val() + 1;
    self.way_less.next = self.on_way.q.val() - 1;
    if self.starts_access.val() & !self.sends_access.val() {
        carry!(self <- self: next_way = way_more);
    }
    if self.sends_access.val() & !self.starts_access.val() {
        carry!(self <- self: next_way = way_less);
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
    carry!(self.program_* <- self.p.*.q: valid, warp, level);
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
