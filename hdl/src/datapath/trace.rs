//! What the trace shows; reset.

use super::Datapath;
use crate::hdl::*;

/// Done, later; INIT, faults; whether anything is in flight.
pub struct Trace;

#[part(Datapath, Trace)]
fn update(&mut self) {
    // ---- Trace.
    self.t0_valid[0].d.next = self.done0.valid.val() & !self.reset.val();
    carry!(self.t0_*[0].d <- self.done0: warp, rd);
    self.t1_valid[0].d.next = self.done1.valid.val() & !self.reset.val();
    carry!(self.t1_*[0].d <- self.done1: warp, rd);
    for i in 1..4 {
        self.t0_valid[i].d.next = self.t0_valid[i - 1].q.val() & !self.reset.val();
        carry!(self.*[i].d <- self.*[i - 1].q: t0_warp, t0_rd);
        self.t1_valid[i].d.next = self.t1_valid[i - 1].q.val() & !self.reset.val();
        carry!(self.*[i].d <- self.*[i - 1].q: t1_warp, t1_rd);
    }
    carry!(self.trace_done0 <- self.t0_*[3].q: valid, warp, rd);
    carry!(self.trace_done1 <- self.t1_*[3].q: valid, warp, rd);
    self.i.valid.d.next = self.launches.val() & !self.reset.val();
    self.i.warp.d.next = self.op_warp.val();
    self.i.first.d.next = self.csr.launch_first.val();
    self.i.cta.d.next = self.op_cta.val();
    carry!(self.init <- self.i.*.q: valid, warp, first, cta);
    self.faulted.next = self.dead.q.val();
    carry!(self.fault <- self.f.*.q: valid, warp, thread, pc, cause, address);
    self.busy.next = self.control.busy.val()
        | !self.queue.empty.val()
        | self.init_count.q.val().any()
        | self.r.valid.q.val()
        | self.o.valid.q.val()
        | self.x.collects.q.val()
        | self.x.keeps.q.val()
        | self.x.accesses.q.val()
        | self.v.collects.q.val()
        | self.found.valid.q.val()
        | self.told.valid.q.val()
        | self.m1.valid.q.val()
        | self.m2.valid.q.val()
        | self.b.valid.q.val()
        | self.w.valid.q.val()
        | self.a.valid.q.val()
        | self.f.valid.q.val()
        | self.held.q.val().any()
        | !self.float_idle.val()
        | self.divide.busy.val();
}

/// Reset wins.
pub struct Reset;

#[part(Datapath, Reset)]
fn update(&mut self) {
    // ---- Reset wins.
    if self.reset.val() {
        spread!(self.*.d <- self.no_warps: spoilt, starting);
        self.killing.d.next = false;
        spread!(self.*.d <- self.no_place: init_head, init_tail);
        self.init_count.d.next = 0.into();
        spread!(self.*.d <- self.no_warps: dead, held);
        self.r.valid.d.next = false;
        self.o.valid.d.next = false;
        self.r.multiplies.d.next = false;
        self.r.divides.d.next = false;
        self.o.divides.d.next = false;
        self.r.floats.d.next = false;
        self.o.floats.d.next = false;
        self.r.roots.d.next = false;
        self.o.roots.d.next = false;
        self.r.third.d.next = false;
        self.o.third.d.next = false;
        self.x.leads.d.next = false;
        self.x.collects.d.next = false;
        self.x.keeps.d.next = false;
        self.x.writes.d.next = false;
        self.x.ends.d.next = false;
        self.x.csr_fault.d.next = false;
        self.x.accesses.d.next = false;
        self.v.collects.d.next = false;
        self.v.ends.d.next = false;
        self.v.csr_fault.d.next = false;
        self.found.valid.d.next = false;
        self.l.valid.d.next = false;
        self.told.valid.d.next = false;
        self.asked.valid.d.next = false;
        self.h.may_access.d.next = false;
        self.h.may_divide.d.next = false;
        self.turning.d.next = 0.into();
        self.m1.valid.d.next = false;
        self.m2.valid.d.next = false;
        self.b.valid.d.next = false;
        self.w.valid.d.next = false;
        self.a.valid.d.next = false;
        self.on_way.d.next = 0.into();
        self.p.valid.d.next = false;
        self.d.valid.d.next = false;
        self.f.valid.d.next = false;
    }
}
