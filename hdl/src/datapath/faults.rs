//! Faults: found here or told by the load/store unit, held until the accesses before them are over.

use super::Datapath;
use crate::hdl::*;

/// Who has a fault, and when it is shown.
pub struct Faults;

#[part(Datapath, Faults)]
fn update(&mut self) {
    // ---- Faults. One that is found here is held until the accesses before it are over: theirs goes before it.
    // Behind a control instruction nothing of its warp goes; behind a CSR instruction the next one may be in the
    // pass behind it, so that its fault kills the warp at once.
    self.verdict_fault.next = (self.v.ends.q.val()
        & self.control_fault.val()
        & !self.dead.q.val().get_bit(self.v.warp.q.val().index()))
        | self.v.csr_fault.q.val();
    self.found.valid.d.next = self.verdict_fault.val();
    carry!(self.found.*.d <- self.v.*.q: warp, pc, cause, address, threads = active);
    if self.bad.val() & !self.v.faults.q.val() {
        self.found.address.d.next = self.v.target.q.val();
        self.found.cause.d.next = self.cause_fetch.val();
        if self.v.low_bad.q.val() {
            self.found.cause.d.next = self.cause_misaligned.val();
        }
        if self.v.goes_if_any.q.val() {
            self.found.threads.d.next = self.new_acc.val();
        }
    }
    if self.v.csr_fault.q.val() {
        self.found.threads.d.next = self.placed_mask.val();
        carry!(self.found.*.d <- self.v.*.q: address, cause);
    }
    self.faulter.bits.next = self.found.threads.q.val();
    // Meanwhile one of an access, or of its warp's tokens, may have come.
    self.found_here.next = self.found.valid.q.val()
        & !self.held.q.val().get_bit(self.found.warp.q.val().index())
        & !self.spoilt.q.val().get_bit(self.found.warp.q.val().index());
    // While one is on its way from a CSR instruction to here, no other one is held.
    self.coming.next =
        self.x.csr_fault.q.val() | self.v.csr_fault.q.val() | self.found.valid.q.val();

    // ---- Told by the load/store unit.
    self.access_fault_ready.next = !self.told.valid.q.val() | !self.coming.val();
    self.told.valid.d.next =
        (self.told.valid.q.val() & self.coming.val()) | self.access_fault_valid.val();
    if self.access_fault_ready.val() {
        carry!(self.told.*.d <- self.access_fault_*: warp, thread, pc, number, cause, address);
    }
    // That of an access is held, too, and gives way to one of an earlier instruction or a lower thread;
    // one that was found here gives way to any.
    spread!(self.*.read_address <- self.told.warp.q: held_numbers, held_found, told_threads);
    self.ahead.next = self.told.number.q.val() - self.held_numbers.read_data.val();
    self.goes_before.next = self.held_found.read_data.val().any()
        | self.ahead.val().get_bit(15)
        | (!self.ahead.val().any()
            & (self.told.thread.q.val() < self.told_threads.read_data.val()));
    self.access_fault.next = self.told.valid.q.val()
        & !self.coming.val()
        & (!self.dead.q.val().get_bit(self.told.warp.q.val().index())
            | (self.held.q.val().get_bit(self.told.warp.q.val().index()) & self.goes_before.val()));
    self.held_written.next = self.told.warp.q.val();
    self.thread_held.next = self.told.thread.q.val();
    self.held_pcs.write_data.next = self.told.pc.q.val();
    self.held_causes.write_data.next = self.told.cause.q.val();
    self.held_addresses.write_data.next = self.told.address.q.val();
    self.held_numbers.write_data.next = self.told.number.q.val();
    if self.found_here.val() {
        self.held_written.next = self.found.warp.q.val();
        self.thread_held.next = bit_cast::<6, THREAD_BITS>(self.faulter.place.val());
        self.held_pcs.write_data.next = self.found.pc.q.val();
        self.held_causes.write_data.next = self.found.cause.q.val();
        self.held_addresses.write_data.next = self.found.address.q.val();
    }
    // Tokens of a warp are wrong, or all warps are killed: it does nothing more, and has a fault when no operation of it
    // is in the core. Of those that are killed none has it while a pass of one may still become an operation; and who
    // starts is killed behind INIT, which would take that back.
    self.revives.next = self.no_warps.val();
    if self.sequencer.init_take.val() {
        self.revives.next = self.one_warp.val() << self.head_warp.val();
    }
    self.starts.next = self.no_warps.val();
    if self.launches.val() {
        self.starts.next = self.one_warp.val() << self.op_warp.val();
    }
    self.starting.d.next = (self.starting.q.val() & !self.revives.val()) | self.starts.val();
    self.killing.d.next = self.kill.val();
    self.still.d.next = self.still.q.val() + 1;
    if self.still.q.val().all() {
        self.still.d.next = self.still.q.val();
    }
    if self.sequencer.pass_valid.val() | !self.killing.q.val() {
        self.still.d.next = 0.into();
    }
    self.spoils.next = self.no_warps.val();
    if self.token_error.val() {
        self.spoils.next = (self.one_warp.val() << self.token_error_warp.val())
            & self.running.val()
            & !self.dead.q.val();
    }
    if self.killing.q.val() {
        self.spoils.next = self.running.val() & !self.dead.q.val() & !self.starting.q.val();
    }
    self.spoilt_first.bits.next =
        self.spoilt.q.val() & self.running.val() & !self.control.in_core.val();
    self.spoilt_now.next = self.spoilt_first.any.val()
        & (self.still.q.val().all() | !self.killing.q.val())
        & !self.coming.val()
        & !self.told.valid.q.val();
    self.spoilt_bit.next = self.no_warps.val();
    carry!(self.issued_pcs <- self: write_enable = issue_valid, write_address = issue_warp);
    self.issued_pcs.write_data.next = self.issue_pc.val();
    self.issued_pcs.read_address.next = self.spoilt_first.place.val();
    if self.spoilt_now.val() {
        self.spoilt_bit.next = self.one_warp.val() << self.spoilt_first.place.val();
        self.held_written.next = self.spoilt_first.place.val();
        self.thread_held.next = self.no_thread.val();
        self.held_pcs.write_data.next = self.issued_pcs.read_data.val();
        self.held_causes.write_data.next = self.cause_token_bus.val();
        if self.killing.q.val() {
            self.held_causes.write_data.next = self.cause_killed.val();
        }
        self.held_addresses.write_data.next = self.zero.val();
    }
    self.spoilt.d.next =
        (self.spoilt.q.val() & self.running.val() & !self.spoilt_bit.val()) | self.spoils.val();
    self.held_found.write_data.next = (self.found_here.val() | self.spoilt_now.val()).into();
    spread!(self.*.write_data <- self.thread_held: held_threads, told_threads);
    self.holds.next = self.found_here.val() | self.access_fault.val() | self.spoilt_now.val();
    spread!(self.*.write_enable <- self.holds:
        held_threads, told_threads, held_pcs, held_causes, held_addresses, held_numbers, held_found,
    );
    spread!(self.*.write_address <- self.held_written:
        held_threads, told_threads, held_pcs, held_causes, held_addresses, held_numbers, held_found,
    );
    spread!(self.*.read_address <- self.held_first.place:
        held_threads, held_pcs, held_causes, held_addresses,
    );
    // With nothing at its port for two cycles the load/store unit holds no fault of an access that is over.
    self.stood.d.next = self.complete_valid.val() | self.l.valid.q.val();
    self.held_first.bits.next = self.held.q.val() & !self.lately.val();
    self.shows_held.next = self.held_first.any.val()
        & !self.a.valid.q.val()
        & !self.complete_valid.val()
        & !self.l.valid.q.val()
        & !self.stood.q.val()
        & !self.access_fault_valid.val()
        & !self.told.valid.q.val();
    self.f.valid.d.next = self.shows_held.val();
    self.f.warp.d.next = self.held_first.place.val();
    self.f.thread.d.next = self.held_threads.read_data.val();
    self.f.pc.d.next = self.held_pcs.read_data.val();
    self.f.cause.d.next = self.held_causes.read_data.val();
    self.f.address.d.next = self.held_addresses.read_data.val();
    self.control.fault_valid.next = self.shows_held.val();
    self.control.fault_warp.next = self.held_first.place.val();
    self.control.fault_pc.next = self.held_pcs.read_data.val();
    self.control.fault_cause.next = self.held_causes.read_data.val();
    self.kills.next = self.spoils.val();
    if self.x.csr_fault.q.val() {
        self.kills.next = self.kills.val() | (self.one_warp.val() << self.x.warp.q.val());
    }
    self.ends_held.next = self.no_warps.val();
    if self.shows_held.val() {
        self.ends_held.next = self.one_warp.val() << self.held_first.place.val();
    }
    self.held_next.next = self.held.q.val();
    if self.holds.val() {
        self.kills.next = self.kills.val() | (self.one_warp.val() << self.held_written.val());
        self.held_next.next = self.held.q.val() | (self.one_warp.val() << self.held_written.val());
    }
    if self.exception_valid.val() & (self.exception_cause.val() != self.cause_recenter.val()) {
        self.kills.next = self.kills.val() | (self.one_warp.val() << self.exception_warp.val());
        self.ends_held.next =
            self.ends_held.val() | (self.one_warp.val() << self.exception_warp.val());
    }
    self.held.d.next = self.held_next.val() & !self.ends_held.val();
    self.dead.d.next = (self.dead.q.val() & !self.revives.val()) | self.kills.val();
}
