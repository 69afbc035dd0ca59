//! The steps that a turn leads to.
//!
//! Kernel of task management, parts 7 to 9.

use super::{At, Tasks};
use crate::hdl::*;

/// Insertion and load.
pub struct Insert;

#[part(Tasks, Insert)]
fn update(&mut self) {
    // ---- Insertion and load. What may be loaded at once has its hardware words written, and fills its slot, side by
    // side.
    if (self.step.q.val() == At::Read) & (self.reader.checked.val() | self.reader.done.val()) {
        carry!(self.*.d <- self.reader: code, place);
        self.step.d.next = At::Inserted;
        if !self.reader.code.val().any() {
            self.lists.start.next = true;
            self.step.d.next = At::Link;
        }
    }
    // Nobody else can have the turn (TASK-050): its first CTA is made ready meanwhile, and offered when it is loaded.
    if (self.step.q.val() == At::Link)
        & self.direct.q.val()
        & !self.early.q.val()
        & !self.reader.waits.val()
        & self.reader.ready.val()
        & !self.reader.queue.val()
        & !self.slots.some.val()
    {
        self.starter.start.next = true;
        self.early.d.next = true;
    }
    if (self.step.q.val() == At::Link) & self.lists.done.val() {
        self.step.d.next = At::Inserted;
        if self.lists.error.val() {
            self.code.d.next = 53.into();
            self.place.d.next = self.lists.place.val();
        }
    }
    if self.step.q.val() == At::Inserted {
        self.changed.next = true;
        self.trace_valid.next = true;
        self.trace_task.next = self.named.q.val();
        self.registers.error_task.next = self.named.q.val();
        self.step.d.next = At::Choose;
        if self.reader.waits.val() {
            if !self.code.q.val().any() {
                self.trace_kind.next = 9.into();
            }
        } else if self.direct.q.val() {
            // Also behind an error: the reader may be at work.
            self.step.d.next = At::Loaded;
        }
        if self.source.q.val() == 0 {
            self.launch_done.next = true;
        } else {
            self.error.next = self.code.q.val().any();
        }
        if self.source.q.val() == 1 {
            self.count_spawn.next = !self.code.q.val().any();
        }
        if self.source.q.val() == 2 {
            self.count_dependent.next = !self.code.q.val().any();
            self.step.d.next = At::Completed;
        }
    }
    self.comes.next = false;
    if (self.step.q.val() == At::Loaded) & !self.reader.busy.val() {
        self.step.d.next = At::Choose;
        if !self.code.q.val().any() {
            self.changed.next = true;
            self.comes.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 1.into();
            self.trace_task.next = self.named.q.val();
            if self.early.q.val() {
                self.step.d.next = At::Start;
            }
        } else {
            self.starter.drop.next = self.early.q.val();
        }
        self.early.d.next = false;
    }
    // A place that cannot be read is the end of its list.
    if (self.step.q.val() == At::Load) & self.reader.done.val() {
        self.named.d.next = self.reader.owner.val();
        self.lists.start.next = true;
        self.step.d.next = At::Take;
        if self.reader.code.val().any() {
            self.changed.next = true;
            self.step.d.next = At::Choose;
            self.lists.start.next = false;
            self.lists.clear.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 1.into();
            self.trace_task.next = 0.into();
            carry!(self.trace_* <- self.reader: code, place);
            carry!(self.registers.error_* <- self.reader: code, place);
            self.registers.error_task.next = 0.into();
            self.error.next = true;
        }
    }
    if (self.step.q.val() == At::Take) & self.lists.done.val() {
        self.changed.next = true;
        self.step.d.next = At::Choose;
        self.comes.next = !self.lists.error.val();
        self.trace_valid.next = true;
        self.trace_kind.next = 1.into();
        self.trace_task.next = self.named.q.val();
        self.trace_code.next = 0.into();
        if self.lists.error.val() {
            self.trace_code.next = 53.into();
        }
        self.trace_place.next = self.lists.place.val();
        self.registers.error_code.next = 53.into();
        self.registers.error_place.next = self.lists.place.val();
        self.registers.error_task.next = self.named.q.val();
        self.error.next = self.lists.error.val();
    }
    if self.comes.val() {
        self.slots.load.next = true;
        self.limit.load.next = true;
        // What is known of PUT and OPEN is old, or PUT came before OPEN: whether a queue is at its end, another look says
        // (TASK-052).
        if self.reader.queue.val() & !self.reader.left.val() {
            self.step.d.next = At::Look;
        }
    }
}

/// Eviction, start, return, completion, queues.
pub struct Run;

#[part(Tasks, Run)]
fn update(&mut self) {
    // ---- Eviction.
    if (self.step.q.val() == At::Victim) & self.slots.scanned.val() {
        self.step.d.next = At::Choose;
        self.content.d.next = true;
        if self.slots.victim.val() & (self.lists.highest.val() > self.slots.victim_level.val()) {
            self.slot.d.next = self.slots.victim_slot.val();
            self.step.d.next = At::Evict;
        }
    }
    if self.step.q.val() == At::Evict {
        self.slots.evict.next = true;
        self.changed.next = true;
        self.trace_valid.next = true;
        self.trace_kind.next = 4.into();
        self.count_evict.next = true;
        self.step.d.next = At::Choose;
    }

    // ---- A task is killed, unless the host has changed its mind meanwhile.
    if self.step.q.val() == At::Kill {
        self.step.d.next = At::Choose;
        if self.limit.due.val() & (self.limit.due_slot.val() == self.slot.q.val()) {
            self.slots.kill.next = true;
            self.changed.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 8.into();
            self.trace_flag.next = (self.limit.told.val() & self.slot_bit.val()).any();
        }
    }

    // ---- Start.
    if (self.step.q.val() == At::Rank) & self.slots.scanned.val() {
        self.slot.d.next = self.slots.turn_slot.val();
        self.step.d.next = At::Aim;
    }
    if self.step.q.val() == At::Aim {
        self.starter.start.next = true;
        self.step.d.next = At::Start;
    }
    if (self.step.q.val() == At::Start) & self.starter.done.val() {
        self.step.d.next = At::Choose;
        self.stuck.d.next = !self.starter.started.val();
        if self.starter.started.val() {
            self.changed.next = true;
            self.slots.start.next = true;
            self.slots.set_left.next = self.starter.left.val();
            self.trace_valid.next = true;
            self.trace_kind.next = 2.into();
            self.trace_sm.next = self.found_sm.val();
            self.trace_cta.next = self.starter.number.val();
            self.count_start.next = true;
            self.error.next = self.starter.error.val();
            self.registers.error_code.next = 53.into();
            self.registers.error_place.next = self.starter.ask_address.val();
        }
    }

    // ---- Return.
    if self.step.q.val() == At::Return {
        self.lists.start.next = true;
        self.step.d.next = At::Returned;
    }
    if (self.step.q.val() == At::Returned) & self.lists.done.val() {
        self.changed.next = true;
        self.slots.free.next = true;
        self.trace_valid.next = true;
        self.trace_kind.next = 5.into();
        self.trace_flag.next = self.at_head.q.val();
        self.error.next = self.lists.error.val();
        self.registers.error_code.next = 53.into();
        self.registers.error_place.next = self.lists.place.val();
        self.step.d.next = At::Choose;
    }

    // ---- Completion, with the dependent between.
    if self.step.q.val() == At::Complete {
        self.completion.start.next = true;
        self.step.d.next = At::Write;
    }
    if (self.step.q.val() == At::Write) & self.completion.done.val() {
        self.error.next = self.completion.error.val();
        self.registers.error_code.next = 53.into();
        self.registers.error_place.next = self.completion.place.val();
        self.step.d.next = At::Completed;
        // Of a task that was killed none is launched: a chain has its end there (TASK-132).
        if self.completion.dependent.val().any() & !self.slots.doomed.val() {
            self.named.d.next = self.completion.dependent.val();
            self.source.d.next = 2.into();
            self.high.d.next = self.slots.descriptor.val() >= self.thread_end.val();
            self.domain_id.d.next = self.completion.domain_id.val();
            self.again.d.next = false;
            self.direct.d.next = false;
            self.reader.start.next = true;
            self.step.d.next = At::Read;
        }
    }
    if self.step.q.val() == At::Completed {
        self.changed.next = true;
        self.slots.free.next = true;
        self.trace_valid.next = true;
        self.trace_kind.next = 6.into();
        self.trace_flag.next = self.slots.failed.val();
        self.interrupt_complete.next = self.completion.interrupts.val();
        self.count_complete.next = true;
        self.step.d.next = At::Choose;
    }

    // ---- PUT and OPEN.
    if self.step.q.val() == At::Look {
        self.looker.start.next = true;
        self.look_due.d.next = self.look_due.q.val() & !self.slot_bit.val();
        self.step.d.next = At::Looked;
    }
    if ((self.step.q.val() == At::Looked) | (self.step.q.val() == At::EndLooks))
        & self.looker.done.val()
    {
        self.slots.look.next = true;
        self.error.next = self.looker.broken.val();
        carry!(self.registers.error_* <- self.looker: code, place);
        self.changed.next = true;
        self.step.d.next = At::Choose;
        if self.step.q.val() == At::EndLooks {
            self.step.d.next = At::Ended;
        }
    }
}

/// Ends, faults, launches by threads; what follows from a step.
pub struct Ends;

#[part(Tasks, Ends)]
fn update(&mut self) {
    // ---- The end of a CTA. Its slot is known first.
    if (self.step.q.val() == At::End) | (self.step.q.val() == At::Fault) {
        self.slot.d.next = self.placement.its_slot.val();
        self.cta.d.next = self.placement.its_number.val();
        self.step.d.next = At::Free;
        if self.step.q.val() == At::Fault {
            self.step.d.next = At::Faulted;
        }
    }
    if (self.step.q.val() == At::Free) & self.placement.idle.val() {
        self.placement.free.next = true;
        self.slots.ended.next = true;
        self.step.d.next = At::Ended;
        if self.slots.queue.val() & !self.slots.broken.val() {
            self.looker.start.next = true;
            self.look_due.d.next = self.look_due.q.val() & !self.slot_bit.val();
            self.step.d.next = At::EndLooks;
        }
    }
    if self.step.q.val() == At::Ended {
        self.changed.next = true;
        self.registers.ended.next = true;
        self.trace_valid.next = true;
        self.trace_kind.next = 3.into();
        self.count_end.next = true;
        self.spawn_due.d.next = true;
        self.step.d.next = At::Choose;
    }

    // ---- A fault.
    if self.step.q.val() == At::Faulted {
        self.registers.fault.next = true;
        self.interrupt_fault.next = true;
        self.step.d.next = At::Choose;
    }

    // ---- The spawn ring.
    if (self.step.q.val() == At::Spawn) & self.spawn.done.val() {
        self.step.d.next = At::Choose;
        if self.spawn.found.val() {
            self.spawn_due.d.next = true;
            self.rested.d.next = false;
            self.named.d.next = self.spawn.descriptor.val();
            self.source.d.next = 1.into();
            self.high.d.next = false;
            self.domain_id.d.next = self.windows.spawn.val();
            self.again.d.next = false;
            self.goes_direct.next = true;
            self.reader.start.next = true;
            self.step.d.next = At::Read;
        }
        if self.spawn.lost.val() {
            self.rested.d.next = false;
            self.error.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 7.into();
            self.registers.error_code.next = 52.into();
            self.registers.error_place.next = 0x380.into();
            self.registers.error_task.next = 0.into();
        }
    }

    // ---- A task that may be loaded as soon as it is inserted: no other one waits, and a slot is free (TASK-045).
    if self.goes_direct.val() {
        self.direct.d.next = !self.lists.any.val() & self.slots.empty.val();
        if self.slots.empty.val() {
            self.slot.d.next = self.slots.empty_slot.val();
        }
    }

    // ---- Something is different: what could not be done may be possible now, and it is not idle.
    if self.changed.val() {
        self.content.d.next = false;
        self.stuck.d.next = false;
        self.rested.d.next = false;
    }
    if self.spawn.changed.val() {
        self.rested.d.next = false;
    }
    // No other error comes while nothing is under way.
    if self.spawn.error.val() {
        self.error.next = true;
        self.registers.error_code.next = 51.into();
        self.registers.error_place.next = self.spawn.place.val();
        self.registers.error_task.next = 0.into();
    }
    if self.pending.error.val() {
        self.error.next = true;
        self.registers.error_code.next = 49.into();
        self.registers.error_place.next = self.pending.error_place.val();
        self.registers.error_task.next = 0.into();
    }
    self.registers.error.next = self.error.val();
    self.interrupt_task_error.next = self.error.val();
    self.idle.next = self.rested.q.val()
        & (self.step.q.val() == At::Choose)
        & self.empty.val()
        & !self.spawn_due.q.val()
        & !self.spawn.asks.val()
        & !self.launch_request.val();
    self.tasks_in_slots.next = self.slots.count.val();
    self.tasks_listed.next = self.lists.any.val();
    self.task_error.next = self.registers.task_error.val();
    self.fault.next = self.registers.has_fault.val();

    if self.reset.val() {
        self.step.d.next = At::Choose;
        self.last_end.d.next = 0.into();
        self.last_fault.d.next = 0.into();
        self.accepted.d.next = false;
        self.stuck.d.next = false;
        self.content.d.next = false;
        self.rested.d.next = false;
        self.early.d.next = false;
        self.spawn_due.d.next = false;
        self.look_due.d.next = 0.into();
        self.poll_timer.d.next = 0.into();
    }
}
