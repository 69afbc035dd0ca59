//! Jobs of the memory port, and passes that go on at once or wait for one.
//!
//! Kernel of the convergence unit, part 6.

use super::Convergence;
use crate::bundles::{SpillRequestPorts, SpillResponsePorts};
use crate::hdl::*;

/// The mover, the next pass, and the passes that are parked.
pub struct Parking;

#[part(Convergence, Parking)]
fn update(&mut self) {
    // ---- Jobs of the memory port.
    self.starts_job.next = self.to_execute.valid.q.val() & self.spill.job.val();
    self.job_base.next = self.to_execute.head.q.val();
    if self.spill.job_moved.val() {
        self.job_base.next = self.to_execute.new_head.q.val();
    }
    carry!(self.mover <- self: reset, base_valid = based);
    carry!(self.mover.base_* <- self.to_match.*.q: warp, data);
    self.mover.job_valid.next = self.starts_job.val();
    carry!(self.mover <- self.to_execute.*.q: job_warp = warp, job_writes, job_count);
    self.mover.job_head.next = self.job_base.val();
    self.mover.job_lead.next = self.spill.job_lead.val();
    carry!(self.mover <- self.to_execute.*.q:
        job_ends, job_ring = ring, job_at, job_area, job_down,
    );
    spread!(self.*.read_address <- self.mover.read_at: mover_tags, mover_mask, mover_pc);
    carry!(self.mover.token_* <- self.mover_*.read_data: tags, mask, pc);
    self.mover.write_blocked.next = self.stores.val();
    carry!(self.mover <- self.to_execute.*.q: poke_valid = resumes, poke_warp = warp);
    SpillRequestPorts::<TOKEN_BITS, TAG_BITS>::link(
        &mut self.spill_request,
        &mut self.mover.spill_request,
    );
    SpillResponsePorts::<TOKEN_BITS, TAG_BITS>::link(
        &mut self.spill_response,
        &mut self.mover.spill_response,
    );

    // ---- A further pass: at once, or when the job has ended.
    self.again.next =
        self.to_execute.valid.q.val() & (self.pass.again.val() | self.spill.again.val());
    // Whether there is one comes late: a parked pass already waits when there may be one.
    self.asks.next = self.to_execute.valid.q.val()
        & (self.to_execute.again.q.val()
            | self.to_execute.parts_next.q.val()
            | self.to_execute.waits_behind.q.val()
            | self.to_execute.pops_on.q.val()
            | self.to_execute.forcible.q.val().get_bit(0)
            | !self.to_execute.run.q.val());
    self.parks.next = self.to_execute.valid.q.val() & self.spill.parks.val();
    carry!(self.again_* <- self.to_execute.*.q: op, step);
    carry!(self <- self.spill: again_mode, again_k, again_at);
    if self.to_execute.run.q.val() {
        carry!(self <- self.pass: again_op, again_step, again_mode);
        carry!(self.again_* <- self.to_execute.*.q: k, at);
        if self.to_execute.follows.q.val() {
            carry!(self.again_* <- self.to_execute.then_*.q: k, at);
        }
    }
    self.parking.next = bit_cast::<32, 4>(self.to_execute.op.q.val())
        | (bit_cast::<32, 3>(self.again_step.val()) << self.step_shift.val())
        | (bit_cast::<32, 3>(self.again_mode.val()) << self.mode_shift.val())
        | (bit_cast::<32, 4>(self.to_execute.kind.q.val()) << self.kind_shift.val())
        | (bit_cast::<32, 10>(self.again_k.val()) << self.k_shift.val())
        | (bit_cast::<32, PLACE_BITS>(self.again_at.val()) << self.at_shift.val());
    self.parked_tags.write_enable.next = self.parks.val();
    self.parked_tags.write_address.next = self.to_execute.warp.q.val();
    self.parked_tags.write_data.next = self.parking.val();
    self.parked_mask.write_enable.next = self.parks.val();
    carry!(self.parked_mask <- self.to_execute.*.q: write_address = warp, write_data = selected);
    self.parked_target.write_enable.next = self.parks.val();
    carry!(self.parked_target <- self.to_execute.*.q: write_address = warp, write_data = target);
    self.finished.next = self.no_warps.val();
    if self.mover.finished.val() {
        self.finished.next = self.one_warp.val() << self.mover.finished_warp.val();
    }
    self.job_started.next = self.no_warps.val();
    if self.starts_job.val() {
        self.job_started.next = self.one_warp.val() << self.to_execute.warp.q.val();
    }
    self.parked.next = self.no_warps.val();
    if self.parks.val() {
        self.parked.next = self.one_warp.val() << self.to_execute.warp.q.val();
    }
    self.moving.d.next = (self.moving.q.val() & !self.finished.val()) | self.job_started.val();
    self.waiting.d.next = (self.waiting.q.val() & !self.finished.val()) | self.parked.val();
    self.resumed.next = self.mover.finished.val()
        & self
            .waiting
            .q
            .val()
            .get_bit(self.mover.finished_warp.val().index());
    carry!(self.resumes <- self: reset, wake_valid = resumed);
    self.resumes.wake_warp.next = self.mover.finished_warp.val();
    // The next one is looked up only when there is none: what is late then ends in a register.
    self.resumes.pick_take.next = !self.resuming.q.val();
    self.resume_warp.next = self.resuming_warp.q.val();
    if self.resuming.q.val() {
        self.resuming.d.next = self.asks.val() | self.entry.closed.val();
    } else {
        self.resume_warp.next = self.resumes.pick_warp.val();
        self.resuming.d.next = self.resumes.pick_valid.val();
    }
    self.resuming_warp.d.next = self.resume_warp.val();
    spread!(self.*.read_address <- self.resume_warp: parked_tags, parked_mask, parked_target);
    self.entry.again_valid.next =
        self.again.val() | (self.resuming.q.val() & !self.asks.val() & !self.entry.closed.val());
    self.entry.again_warp.next = self.resuming_warp.q.val();
    self.entry.again_op.next = self.parked_tags.read_data.val().get_bits::<4>(0);
    self.entry.again_step.next = self.parked_tags.read_data.val().get_bits::<3>(4);
    self.entry.again_mode.next = self.parked_tags.read_data.val().get_bits::<3>(7);
    self.entry.again_kind.next = self.parked_tags.read_data.val().get_bits::<4>(10);
    carry!(self.entry.again_* <- self.parked_*.read_data: mask, target);
    self.entry.again_k.next = self.parked_tags.read_data.val().get_bits::<10>(14);
    self.entry.again_at.next = self.parked_tags.read_data.val().get_bits::<PLACE_BITS>(24);
    if self.asks.val() {
        self.entry.again_warp.next = self.to_execute.warp.q.val();
        carry!(self.entry <- self: again_op, again_step, again_mode);
        self.entry.again_kind.next = self.to_execute.kind.q.val();
        self.entry.again_mask.next = self.pass.again_mask.val();
        self.entry.again_target.next = self.to_execute.target.q.val();
        carry!(self.entry <- self: again_k, again_at);
    }
}
