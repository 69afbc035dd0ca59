//! The slot at hand, the SMs, and what is said outside when nothing happens.
//!
//! Kernel of task management, parts 3 to 5.

use super::{At, Tasks};
use crate::hdl::*;

/// The slot at hand, and the task that is linked.
pub struct Slot;

#[part(Tasks, Slot)]
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
    carry!(self.slots.new_* <- self.reader: queue, left, open, failed);
    self.slots.start.next = false;
    self.slots.ended.next = false;
    self.slots.end_failed.next = self.failed.q.val();
    self.slots.evict.next = false;
    self.slots.free.next = false;
    self.slots.kill.next = false;
    self.slots.look.next = false;
    carry!(self.slots.set_* <- self.looker: left, open, broken);
    self.slots.scan.next = false;
    self.starter.descriptor.next = self.slots.descriptor.val();
    // Nobody else can have the turn behind what is read, if it is a grid (TASK-050): all SMs are empty.
    self.ahead.next = ((self.step.q.val() == At::Read)
        | ((self.step.q.val() == At::Link) & !self.early.q.val() & !self.reader.waits.val()))
        & self.direct.q.val()
        & !self.slots.some.val();
    self.starter.ahead.next = self.ahead.val();
    self.starter.queue.next =
        self.slots.queue.val() & !self.early.q.val() & !self.starter.to_first.val();
    self.starter.may.next = self.step.q.val() == At::Start;
    self.starter.drop.next = false;
    self.looker.descriptor.next = self.slots.descriptor.val();
    carry!(self.completion <- self.slots: descriptor, failed);
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
    carry!(self.lists <- self.new_*: level, at_head = head);
    self.lists.failed.next = false;
    if self.direct.q.val() {
        self.lists.what.next = 0.into();
        self.lists.state.next = 2.into();
    }
    // What is named the last time, or is only counted (TASK-027).
    self.lists.zeroes.next = false;
    self.lists.count.next = self.reader.count.val();
    if (self.step.q.val() == At::Read) | (self.step.q.val() == At::Link) {
        self.lists.zeroes.next = self.reader.some_named.val();
        if self.reader.waits.val() {
            self.lists.what.next = 3.into();
        }
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

/// Ports of the SMs.
pub struct Sms;

#[part(Tasks, Sms)]
fn update(&mut self) {
    // ---- SMs.
    self.placement.seek.next = self.starter.seek.val();
    self.placement.slot.next = self.slot.q.val();
    carry!(self.placement <- self.starter: warps, granules, number, take);
    self.placement.free.next = false;
    self.placement.killed.next = self.slots.killed.val();
    carry!(self.placement.at_* <- self.from_*.q: sm, place);
    carry!(self.starter <- self.placement: sought = idle, found);
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
    carry!(self.starter <- self.window_of_task: window_base, window_end, local_offset);
    self.starter.cta_ready.next = false;
    carry!(self <- self.starter: word_index, word);
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
    // Of the SMs that offer one the next below the last one has the turn, or else the highest (TASK-058).
    self.latest_end.next = bit_cast::<4, SM_BITS>(self.last_end.q.val());
    self.latest_fault.next = bit_cast::<4, SM_BITS>(self.last_fault.q.val());
    self.told_sm.next = self.found_sm.val();
    if self.starter.to_first.val() {
        self.told_sm.next = 0.into();
    }
    for s in 0..SMS {
        self.word_valid[s].next =
            self.starter.word_valid.val() & (self.told_sm.val() == self.sm_ids[s].val());
        self.cta_kill[s].next = self.placement.stops[s].val();
        self.cta_valid[s].next =
            self.starter.cta_valid.val() & (self.found_sm.val() == self.sm_ids[s].val());
        if self.cta_valid[s].val() & self.cta_ready[s].val() {
            self.starter.cta_ready.next = true;
        }
        if self.end_valid[s].val() {
            self.an_end.next = true;
            self.end_sm.next = self.sm_ids[s].val();
            carry!(self.its_* <- self.*[s]: end_place, end_failed);
        }
        if self.report_valid[s].val() {
            self.a_fault.next = true;
            self.fault_sm.next = self.sm_ids[s].val();
            self.its_fault_place.next = self.report_place[s].val();
        }
    }
    for s in 0..SMS {
        if self.end_valid[s].val() & (self.sm_numbers[s].val() < self.latest_end.val()) {
            self.end_sm.next = self.sm_ids[s].val();
            carry!(self.its_* <- self.*[s]: end_place, end_failed);
        }
        if self.report_valid[s].val() & (self.sm_numbers[s].val() < self.latest_fault.val()) {
            self.fault_sm.next = self.sm_ids[s].val();
            self.its_fault_place.next = self.report_place[s].val();
        }
    }
    for s in 0..SMS {
        self.end_ready[s].next = self.ended.val() & (self.from_sm.q.val() == self.sm_ids[s].val());
        self.report_ready[s].next =
            self.faulted.val() & (self.from_sm.q.val() == self.sm_ids[s].val());
        if self.from_sm.q.val() == self.sm_ids[s].val() {
            carry!(self.its_* <- self.report_*[s]: cause, thread, warp, pc, address);
        }
    }

    self.its_word.next = bit_cast::<32, 4>(self.its_cause.val())
        | (bit_cast::<32, 6>(self.its_thread.val()) << 8)
        | (bit_cast::<32, 8>(self.its_warp.val()) << 16)
        | (bit_cast::<32, SM_BITS>(self.from_sm.q.val()) << 24);
}

/// Polls; what is said when no step is over.
pub struct Said;

#[part(Tasks, Said)]
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
    carry!(self.trace_* <- self.*.q: slot, code, place, source, sm = from_sm, cta);
    carry!(self.trace_* <- self.starter: position, entries);
    self.trace_flag.next = self.failed.q.val();
    self.launch_done.next = false;
    carry!(self.launch_* <- self.*.q: code, place);
    self.interrupt_fault.next = false;
    self.interrupt_complete.next = false;
    self.count_spawn.next = false;
    self.count_dependent.next = false;
    self.count_start.next = false;
    self.count_end.next = false;
    self.count_evict.next = false;
    self.count_complete.next = false;
    self.error.next = false;
    carry!(self.registers.error_* <- self.*.q: code, place);
    self.registers.error_task.next = self.slots.descriptor.val();
    self.registers.ended.next = false;
    self.registers.fault.next = false;
    carry!(self.registers.fault_* <- self.its_*: word, pc, address);
    self.registers.fault_cta.next = self.cta.q.val();
    self.registers.fault_task.next = self.slots.descriptor.val();
    self.changed.next = false;
    self.empty.next = !self.lists.any.val()
        & !self.slots.some.val()
        & !self.placement.runs.val()
        & !self.an_end.val()
        & !self.a_fault.val();
}
