//! The slot at hand, the SMs, and what is said outside when nothing happens.
//!
//! Kernel of task management, parts 3 to 5.

use super::{At, Tasks};
use crate::hdl::*;

/// The slot at hand, and the task that is linked.
pub struct Slot;

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > kernel::Part<Slot> for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Level and end of the list of a task that is inserted.
        self.pending.of_threads.next = !self.high.q.val();
        self.bounded.next =
            !self.high.q.val() & (self.reader.level.val() >= self.pending.level_of_threads.val());
        self.new_level.next = self.reader.level.val();
        self.new_head.next = self.reader.head.val() & !self.bounded.val();
        if self.bounded.val() {
            self.new_level.next = self.pending.level_of_threads.val();
        }

        // ---- The slot at hand.
        self.slots.at.next = self.slot.q.val();
        self.slots.load.next = false;
        self.limit.load.next = false;
        self.limit.runs.next = self.slots.working.val();
        self.limit.skips.next = !self.slots.alive.val();
        self.slots.new_task.next = self.named.q.val();
        self.slots.new_level.next = self.new_level.val();
        if self.again.q.val() {
            self.slots.new_level.next = self.lists.highest.val();
        }
        self.slots.new_queue.next = self.reader.queue.val();
        self.slots.new_left.next = self.reader.left.val();
        self.slots.new_open.next = self.reader.open.val();
        self.slots.new_failed.next = self.reader.failed.val();
        self.slots.start.next = false;
        self.slots.ended.next = false;
        self.slots.end_failed.next = self.failed.q.val();
        self.slots.evict.next = false;
        self.slots.free.next = false;
        self.slots.kill.next = false;
        self.slots.look.next = false;
        self.slots.set_left.next = self.looker.left.val();
        self.slots.set_open.next = self.looker.open.val();
        self.slots.set_broken.next = self.looker.broken.val();
        self.slots.scan.next = false;
        self.starter.descriptor.next = self.slots.descriptor.val();
        self.starter.queue.next = self.slots.queue.val() & !self.early.q.val();
        self.starter.may.next = self.step.q.val() == At::Start;
        self.starter.drop.next = false;
        self.looker.descriptor.next = self.slots.descriptor.val();
        self.completion.descriptor.next = self.slots.descriptor.val();
        self.completion.failed.next = self.slots.failed.val();
        self.reader.start.next = false;
        self.starter.start.next = false;
        self.looker.start.next = false;
        self.completion.start.next = false;
        self.spawn.start.next = false;
        self.spawn.may.next = self.step.q.val() == At::Choose;
        self.spawn.tickets.next = self.rested.q.val();

        // What is inserted, what returns, and what leaves its list.
        self.lists.start.next = false;
        self.lists.what.next = 1.into();
        self.lists.descriptor.next = self.named.q.val();
        self.lists.state.next = 1.into();
        self.lists.level.next = self.new_level.val();
        self.lists.at_head.next = self.new_head.val();
        self.lists.failed.next = false;
        if self.direct.q.val() {
            self.lists.what.next = 0.into();
            self.lists.state.next = 2.into();
        }
        if (self.step.q.val() == At::Return) | (self.step.q.val() == At::Returned) {
            self.lists.what.next = 1.into();
            self.lists.descriptor.next = self.slots.descriptor.val();
            self.lists.state.next = 1.into();
            self.lists.level.next = self.slots.level.val();
            self.lists.at_head.next = self.at_head.q.val();
            self.lists.failed.next = self.slots.failed.val();
        }
        if (self.step.q.val() == At::Load) | (self.step.q.val() == At::Take) {
            self.lists.what.next = 2.into();
            self.lists.descriptor.next = self.reader.owner.val();
            self.lists.state.next = 2.into();
        }
        self.lists.link.next = self.reader.link.val();
        self.lists.clear.next = false;
    }
}

/// Ports of the SMs.
pub struct Sms;

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > kernel::Part<Sms> for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- SMs.
        self.placement.seek.next = self.starter.seek.val();
        self.placement.slot.next = self.slot.q.val();
        self.placement.warps.next = self.starter.warps.val();
        self.placement.granules.next = self.starter.granules.val();
        self.placement.number.next = self.starter.number.val();
        self.placement.take.next = self.starter.take.val();
        self.placement.free.next = false;
        self.placement.killed.next = self.slots.killed.val();
        self.placement.at_sm.next = self.from_sm.q.val();
        self.placement.at_place.next = self.from_place.q.val();
        self.starter.sought.next = self.placement.idle.val();
        self.starter.found.next = self.placement.found.val();
        self.found_sm.next = self.placement.sm.val();
        self.registers.sm.next = self.found_sm.val();
        if self.step.q.val() == At::Ended {
            self.registers.sm.next = self.from_sm.q.val();
        }
        self.registers.setting_at.next = self.starter.setting_at.val();
        self.starter.setting.next = self.registers.setting.val();
        self.wide_first.next = bit_cast::<32, 5>(self.placement.first.val());
        self.starter.scratchpad.next = self.wide_first.val() << self.k_granule_bits.val();
        self.window_of_task.domain_id.next = self.starter.domain_id.val();
        self.starter.window_base.next = self.window_of_task.window_base.val();
        self.starter.window_end.next = self.window_of_task.window_end.val();
        self.starter.local_offset.next = self.window_of_task.local_offset.val();
        self.starter.cta_ready.next = false;
        self.word_index.next = self.starter.word_index.val();
        self.word.next = self.starter.word.val();
        self.cta_place.next = self.placement.place.val();
        self.an_end.next = false;
        self.end_sm.next = 0.into();
        self.its_end_place.next = 0.into();
        self.its_end_failed.next = false;
        self.a_fault.next = false;
        self.fault_sm.next = 0.into();
        self.its_fault_place.next = 0.into();
        self.its_cause.next = 0.into();
        self.its_thread.next = 0.into();
        self.its_warp.next = 0.into();
        self.its_pc.next = 0.into();
        self.its_address.next = 0.into();
        self.ended.next = false;
        self.faulted.next = false;
        if self.step.q.val() == At::Ended {
            self.ended.next = true;
        }
        if self.step.q.val() == At::Faulted {
            self.faulted.next = true;
        }
        for s in 0..S {
            self.word_valid[s].next =
                self.starter.word_valid.val() & (self.found_sm.val() == self.sm_ids[s].val());
            self.cta_kill[s].next = self.placement.stops[s].val();
            self.cta_valid[s].next =
                self.starter.cta_valid.val() & (self.found_sm.val() == self.sm_ids[s].val());
            if self.cta_valid[s].val() & self.cta_ready[s].val() {
                self.starter.cta_ready.next = true;
            }
            if self.end_valid[s].val() {
                self.an_end.next = true;
                self.end_sm.next = self.sm_ids[s].val();
                self.its_end_place.next = self.end_place[s].val();
                self.its_end_failed.next = self.end_failed[s].val();
            }
            if self.report_valid[s].val() {
                self.a_fault.next = true;
                self.fault_sm.next = self.sm_ids[s].val();
                self.its_fault_place.next = self.report_place[s].val();
            }
            self.end_ready[s].next =
                self.ended.val() & (self.from_sm.q.val() == self.sm_ids[s].val());
            self.report_ready[s].next =
                self.faulted.val() & (self.from_sm.q.val() == self.sm_ids[s].val());
            if self.from_sm.q.val() == self.sm_ids[s].val() {
                self.its_cause.next = self.report_cause[s].val();
                self.its_thread.next = self.report_thread[s].val();
                self.its_warp.next = self.report_warp[s].val();
                self.its_pc.next = self.report_pc[s].val();
                self.its_address.next = self.report_address[s].val();
            }
        }

        self.its_word.next = bit_cast::<32, 4>(self.its_cause.val())
            | (bit_cast::<32, 6>(self.its_thread.val()) << 8)
            | (bit_cast::<32, 8>(self.its_warp.val()) << 16)
            | (bit_cast::<32, 2>(self.from_sm.q.val()) << 24);
    }
}

/// Polls; what is said when no step is over.
pub struct Said;

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > kernel::Part<Said> for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Polls.
        self.slot_bit.next = bits::<8>(1) << self.slot.q.val();
        self.looks.next = self.look_due.q.val() & self.slots.queues.val();
        self.look_first.bits.next = self.looks.val();
        self.poll_timer.d.next = self.poll_timer.q.val() - 1;
        if self.poll_timer.q.val() <= 1 {
            self.poll_timer.d.next = self.registers.poll.val();
            // Round after round: the lowest slot, due again, would keep the others from their turn.
            if !self.look_first.any.val() {
                self.look_due.d.next = self.slots.queues.val();
            }
            if self.placement.runs.val() {
                self.spawn_due.d.next = true;
            }
        }

        // ---- What is said when a step is over.
        self.trace_valid.next = false;
        self.trace_kind.next = 0.into();
        self.trace_task.next = self.slots.descriptor.val();
        self.trace_slot.next = self.slot.q.val();
        self.trace_code.next = self.code.q.val();
        self.trace_place.next = self.place.q.val();
        self.trace_source.next = self.source.q.val();
        self.trace_sm.next = self.from_sm.q.val();
        self.trace_cta.next = self.cta.q.val();
        self.trace_position.next = self.starter.position.val();
        self.trace_entries.next = self.starter.entries.val();
        self.trace_flag.next = self.failed.q.val();
        self.launch_done.next = false;
        self.launch_code.next = self.code.q.val();
        self.launch_place.next = self.place.q.val();
        self.interrupt_fault.next = false;
        self.interrupt_complete.next = false;
        self.count_spawn.next = false;
        self.count_dependent.next = false;
        self.count_start.next = false;
        self.count_end.next = false;
        self.count_evict.next = false;
        self.count_complete.next = false;
        self.error.next = false;
        self.registers.error_code.next = self.code.q.val();
        self.registers.error_place.next = self.place.q.val();
        self.registers.error_task.next = self.slots.descriptor.val();
        self.registers.ended.next = false;
        self.registers.fault.next = false;
        self.registers.fault_word.next = self.its_word.val();
        self.registers.fault_pc.next = self.its_pc.val();
        self.registers.fault_address.next = self.its_address.val();
        self.registers.fault_cta.next = self.cta.q.val();
        self.registers.fault_task.next = self.slots.descriptor.val();
        self.changed.next = false;
        self.empty.next = !self.lists.any.val()
            & !self.slots.some.val()
            & !self.placement.runs.val()
            & !self.an_end.val()
            & !self.a_fault.val();
    }
}
