//! Jobs of the memory port, and passes that go on at once or wait for one.
//!
//! Kernel of the convergence unit, part 6.

use super::Convergence;
use crate::bundles::{SpillRequestPorts, SpillResponsePorts};
use crate::hdl::*;

/// The mover, the next pass, and the passes that are parked.
pub struct Parking;

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
    > kernel::Part<Parking> for Convergence<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Jobs of the memory port.
        self.starts_job.next = self.to_execute.valid.q.val() & self.spill.job.val();
        self.job_base.next = self.to_execute.head.q.val();
        if self.spill.job_moved.val() {
            self.job_base.next = self.to_execute.new_head.q.val();
        }
        self.mover.reset.next = self.reset.val();
        self.mover.base_valid.next = self.based.val();
        self.mover.base_warp.next = self.to_match.warp.q.val();
        self.mover.base_data.next = self.to_match.data.q.val();
        self.mover.job_valid.next = self.starts_job.val();
        self.mover.job_warp.next = self.to_execute.warp.q.val();
        self.mover.job_writes.next = self.to_execute.job_writes.q.val();
        self.mover.job_count.next = self.to_execute.job_count.q.val();
        self.mover.job_head.next = self.job_base.val();
        self.mover.job_lead.next = self.spill.job_lead.val();
        self.mover.job_ends.next = self.to_execute.job_ends.q.val();
        self.mover.job_ring.next = self.to_execute.ring.q.val();
        self.mover.job_at.next = self.to_execute.job_at.q.val();
        self.mover.job_area.next = self.to_execute.job_area.q.val();
        self.mover.job_down.next = self.to_execute.job_down.q.val();
        self.mover_tags.read_address.next = self.mover.read_at.val();
        self.mover_mask.read_address.next = self.mover.read_at.val();
        self.mover_pc.read_address.next = self.mover.read_at.val();
        self.mover.token_tags.next = self.mover_tags.read_data.val();
        self.mover.token_mask.next = self.mover_mask.read_data.val();
        self.mover.token_pc.next = self.mover_pc.read_data.val();
        self.mover.write_blocked.next = self.stores.val();
        self.mover.poke_valid.next = self.to_execute.resumes.q.val();
        self.mover.poke_warp.next = self.to_execute.warp.q.val();
        SpillRequestPorts::<M, TA>::link(&mut self.spill_request, &mut self.mover.spill_request);
        SpillResponsePorts::<M, TA>::link(&mut self.spill_response, &mut self.mover.spill_response);

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
        self.again_op.next = self.to_execute.op.q.val();
        self.again_step.next = self.to_execute.step.q.val();
        self.again_mode.next = self.spill.again_mode.val();
        self.again_k.next = self.spill.again_k.val();
        self.again_at.next = self.spill.again_at.val();
        if self.to_execute.run.q.val() {
            self.again_op.next = self.pass.again_op.val();
            self.again_step.next = self.pass.again_step.val();
            self.again_mode.next = self.pass.again_mode.val();
            self.again_k.next = self.to_execute.k.q.val();
            self.again_at.next = self.to_execute.at.q.val();
            if self.to_execute.follows.q.val() {
                self.again_k.next = self.to_execute.then_k.q.val();
                self.again_at.next = self.to_execute.then_at.q.val();
            }
        }
        self.parking.next = bit_cast::<32, 4>(self.to_execute.op.q.val())
            | (bit_cast::<32, 3>(self.again_step.val()) << self.step_shift.val())
            | (bit_cast::<32, 3>(self.again_mode.val()) << self.mode_shift.val())
            | (bit_cast::<32, 4>(self.to_execute.kind.q.val()) << self.kind_shift.val())
            | (bit_cast::<32, 10>(self.again_k.val()) << self.k_shift.val())
            | (bit_cast::<32, R>(self.again_at.val()) << self.at_shift.val());
        self.parked_tags.write_enable.next = self.parks.val();
        self.parked_tags.write_address.next = self.to_execute.warp.q.val();
        self.parked_tags.write_data.next = self.parking.val();
        self.parked_mask.write_enable.next = self.parks.val();
        self.parked_mask.write_address.next = self.to_execute.warp.q.val();
        self.parked_mask.write_data.next = self.to_execute.selected.q.val();
        self.parked_target.write_enable.next = self.parks.val();
        self.parked_target.write_address.next = self.to_execute.warp.q.val();
        self.parked_target.write_data.next = self.to_execute.target.q.val();
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
        self.resumes.reset.next = self.reset.val();
        self.resumes.wake_valid.next = self.resumed.val();
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
        self.parked_tags.read_address.next = self.resume_warp.val();
        self.parked_mask.read_address.next = self.resume_warp.val();
        self.parked_target.read_address.next = self.resume_warp.val();
        self.entry.again_valid.next = self.again.val()
            | (self.resuming.q.val() & !self.asks.val() & !self.entry.closed.val());
        self.entry.again_warp.next = self.resuming_warp.q.val();
        self.entry.again_op.next = self.parked_tags.read_data.val().get_bits::<4>(0);
        self.entry.again_step.next = self.parked_tags.read_data.val().get_bits::<3>(4);
        self.entry.again_mode.next = self.parked_tags.read_data.val().get_bits::<3>(7);
        self.entry.again_kind.next = self.parked_tags.read_data.val().get_bits::<4>(10);
        self.entry.again_mask.next = self.parked_mask.read_data.val();
        self.entry.again_target.next = self.parked_target.read_data.val();
        self.entry.again_k.next = self.parked_tags.read_data.val().get_bits::<10>(14);
        self.entry.again_at.next = self.parked_tags.read_data.val().get_bits::<R>(24);
        if self.asks.val() {
            self.entry.again_warp.next = self.to_execute.warp.q.val();
            self.entry.again_op.next = self.again_op.val();
            self.entry.again_step.next = self.again_step.val();
            self.entry.again_mode.next = self.again_mode.val();
            self.entry.again_kind.next = self.to_execute.kind.q.val();
            self.entry.again_mask.next = self.pass.again_mask.val();
            self.entry.again_target.next = self.to_execute.target.q.val();
            self.entry.again_k.next = self.again_k.val();
            self.entry.again_at.next = self.again_at.val();
        }
    }
}
