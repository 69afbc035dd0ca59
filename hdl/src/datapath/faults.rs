//! Faults: found here or told by the load/store unit, held until the accesses before them are over.

use super::Datapath;
use crate::hdl::*;

/// Who has a fault, and when it is shown.
pub struct Faults;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Faults> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Faults. One that is found here is held until the accesses before it are over: theirs goes before it.
        self.x_dead.next = self.dead.q.val().get_bit(self.x.warp.q.val().index());
        self.csr_fault.next = self.final_x.val()
            & self.of_pass.csr.val()
            & ((self.csr_bad.val() & self.x.first.q.val() & self.x.mask.q.val().any())
                | self.rounding_bits.val().any());
        self.x_fault.next = ((self.control_ends.val() & self.control_fault.val())
            | self.csr_fault.val())
            & !self.x_dead.val();
        self.faulter.bits.next = self.x.active.q.val();
        if self.bad.val() & !self.illegal.val() & !self.of_pass.mask.val() {
            self.faulter.bits.next = self.new_acc.val();
        }
        if self.csr_fault.val() {
            self.faulter.bits.next = self.placed_mask.val();
        }
        // That of an access is held, too, and gives way to one of an earlier instruction or a lower thread;
        // one that was found here gives way to any.
        self.held_read.next = self.held_first.place.val();
        if self.access_fault_valid.val() {
            self.held_read.next = self.access_fault_warp.val();
        }
        self.ahead.next = self.access_fault_number.val() - self.held_numbers.read_data.val();
        self.goes_before.next = self.held_found.read_data.val().any()
            | self.ahead.val().get_bit(15)
            | (!self.ahead.val().any()
                & (self.access_fault_thread.val() < self.held_threads.read_data.val()));
        self.access_fault_ready.next = !self.x_fault.val();
        self.access_fault.next = self.access_fault_valid.val()
            & !self.x_fault.val()
            & (!self
                .dead
                .q
                .val()
                .get_bit(self.access_fault_warp.val().index())
                | (self
                    .held
                    .q
                    .val()
                    .get_bit(self.access_fault_warp.val().index())
                    & self.goes_before.val()));
        self.held_written.next = self.access_fault_warp.val();
        self.held_threads.write_data.next = self.access_fault_thread.val();
        self.held_pcs.write_data.next = self.access_fault_pc.val();
        self.held_causes.write_data.next = self.access_fault_cause.val();
        self.held_addresses.write_data.next = self.access_fault_address.val();
        self.held_numbers.write_data.next = self.access_fault_number.val();
        if self.x_fault.val() {
            self.held_written.next = self.x.warp.q.val();
            self.held_threads.write_data.next = bit_cast::<6, I>(self.faulter.place.val());
            self.held_pcs.write_data.next = self.x.pc.q.val();
            self.held_causes.write_data.next = self.x_cause.val();
            self.held_addresses.write_data.next = self.x_address.val();
        }
        // Tokens of a warp are wrong: it does nothing more, and has a fault when no operation of it is in the core.
        self.spoils.next = self.no_warps.val();
        if self.token_error.val() {
            self.spoils.next =
                (self.one_warp.val() << self.token_error_warp.val()) & self.running.val() & !self.dead.q.val();
        }
        self.spoilt_first.bits.next =
            self.spoilt.q.val() & self.running.val() & !self.control.in_core.val();
        self.spoilt_now.next = self.spoilt_first.any.val()
            & !self.x_fault.val()
            & !self.access_fault_valid.val();
        self.spoilt_bit.next = self.no_warps.val();
        self.issued_pcs.write_enable.next = self.issue_valid.val();
        self.issued_pcs.write_address.next = self.issue_warp.val();
        self.issued_pcs.write_data.next = self.issue_pc.val();
        self.issued_pcs.read_address.next = self.spoilt_first.place.val();
        if self.spoilt_now.val() {
            self.spoilt_bit.next = self.one_warp.val() << self.spoilt_first.place.val();
            self.held_written.next = self.spoilt_first.place.val();
            self.held_threads.write_data.next = self.no_thread.val();
            self.held_pcs.write_data.next = self.issued_pcs.read_data.val();
            self.held_causes.write_data.next = self.cause_token_bus.val();
            self.held_addresses.write_data.next = self.zero.val();
        }
        self.spoilt.d.next =
            (self.spoilt.q.val() & self.running.val() & !self.spoilt_bit.val()) | self.spoils.val();
        self.held_found.write_data.next = (self.x_fault.val() | self.spoilt_now.val()).into();
        self.held_threads.write_enable.next =
            self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val();
        self.held_pcs.write_enable.next =
            self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val();
        self.held_causes.write_enable.next =
            self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val();
        self.held_addresses.write_enable.next =
            self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val();
        self.held_numbers.write_enable.next =
            self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val();
        self.held_found.write_enable.next =
            self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val();
        self.held_threads.write_address.next = self.held_written.val();
        self.held_pcs.write_address.next = self.held_written.val();
        self.held_causes.write_address.next = self.held_written.val();
        self.held_addresses.write_address.next = self.held_written.val();
        self.held_numbers.write_address.next = self.held_written.val();
        self.held_found.write_address.next = self.held_written.val();
        self.held_threads.read_address.next = self.held_read.val();
        self.held_pcs.read_address.next = self.held_read.val();
        self.held_causes.read_address.next = self.held_read.val();
        self.held_addresses.read_address.next = self.held_read.val();
        self.held_numbers.read_address.next = self.held_read.val();
        self.held_found.read_address.next = self.held_read.val();
        // With nothing at its port for two cycles the load/store unit holds no fault of an access that is over.
        self.stood.d.next = self.complete_valid.val();
        self.held_first.bits.next = self.held.q.val() & !self.lately.val();
        self.shows_held.next = self.held_first.any.val()
            & !self.a.valid.q.val()
            & !self.complete_valid.val()
            & !self.stood.q.val()
            & !self.access_fault_valid.val();
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
        self.ends_held.next = self.no_warps.val();
        if self.shows_held.val() {
            self.ends_held.next = self.one_warp.val() << self.held_first.place.val();
        }
        self.held_next.next = self.held.q.val();
        if self.x_fault.val() | self.access_fault.val() | self.spoilt_now.val() {
            self.kills.next = self.kills.val() | (self.one_warp.val() << self.held_written.val());
            self.held_next.next =
                self.held.q.val() | (self.one_warp.val() << self.held_written.val());
        }
        if self.exception_valid.val() & (self.exception_cause.val() != self.cause_recenter.val()) {
            self.kills.next = self.kills.val() | (self.one_warp.val() << self.exception_warp.val());
            self.ends_held.next =
                self.ends_held.val() | (self.one_warp.val() << self.exception_warp.val());
        }
        self.held.d.next = self.held_next.val() & !self.ends_held.val();
        self.revives.next = self.no_warps.val();
        if self.sequencer.init_take.val() {
            self.revives.next = self.one_warp.val() << self.head_warp.val();
        }
        self.dead.d.next = (self.dead.q.val() & !self.revives.val()) | self.kills.val();
    }
}
