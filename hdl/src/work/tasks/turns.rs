//! What there is to do, one thing after the other.
//!
//! Kernel of task management, part 6.

use super::{At, Tasks};
use crate::hdl::*;

/// Whose turn it is.
pub struct Turns;

#[part(Tasks, Turns)]
fn update(&mut self) {
    // ---- Whose turn it is: what is due, in a round.
    self.due.next = 0.into();
    if self.an_end.val() {
        self.due.next = self.due.val() | 0x1;
    }
    if self.a_fault.val() {
        self.due.next = self.due.val() | 0x2;
    }
    if self.launch_request.val() {
        self.due.next = self.due.val() | 0x4;
    }
    if self.slots.over.val() {
        self.due.next = self.due.val() | 0x8;
    }
    // What waits in a list goes first: a return may need the place that it leaves (TASK-023).
    if self.slots.gone.val() & !(self.lists.any.val() & self.slots.empty.val()) {
        self.due.next = self.due.val() | 0x10;
    }
    if self.lists.any.val() & self.slots.empty.val() {
        self.due.next = self.due.val() | 0x20;
    }
    if self.lists.any.val()
        & !self.slots.empty.val()
        & !self.slots.leaving.val()
        & !self.content.q.val()
    {
        self.due.next = self.due.val() | 0x40;
    }
    if self.slots.ready.val() & !self.stuck.q.val() {
        self.due.next = self.due.val() | 0x80;
    }
    if self.slots.rests.val() & self.lists.any.val() & !self.slots.empty.val() {
        self.due.next = self.due.val() | 0x100;
    }
    if self.spawn_due.q.val() {
        self.due.next = self.due.val() | 0x200;
    }
    if self.look_first.any.val() {
        self.due.next = self.due.val() | 0x400;
    }
    if self.empty.val()
        & !self.rested.q.val()
        & !self.launch_request.val()
        & !self.spawn_due.q.val()
    {
        self.due.next = self.due.val() | 0x800;
    }
    if self.limit.due.val() {
        self.due.next = self.due.val() | 0x1000;
    }
    self.whose.reset.next = self.reset.val();
    self.whose.marks.next = 0.into();
    self.whose.among.next = 0.into();
    if self.step.q.val() == At::Choose {
        self.whose.among.next = self.due.val();
    }
    self.goes_direct.next = false;
    // What was due is so in the next cycle, too: nothing but its step changes that, or a write of KILL.
    self.turn.d.next = self.whose.place.val();
    if self.whose.any.val() {
        self.step.d.next = At::Go;
    }
    if self.step.q.val() == At::Go {
        self.step.d.next = At::Choose;
        // A CTA has ended.
        if self.turn.q.val() == 0 {
            spread!(self.*.d <- self.end_sm: from_sm, last_end);
            self.from_place.d.next = self.its_end_place.val();
            self.failed.d.next = self.its_end_failed.val();
            self.step.d.next = At::End;
        }
        if self.turn.q.val() == 1 {
            spread!(self.*.d <- self.fault_sm: from_sm, last_fault);
            self.from_place.d.next = self.its_fault_place.val();
            self.step.d.next = At::Fault;
        }
        // LAUNCH.
        if self.turn.q.val() == 2 {
            self.named.d.next = self.launch_descriptor.val();
            self.source.d.next = 0.into();
            self.high.d.next = self.launch_private.val();
            self.domain_id.d.next = self.launch_domain.val();
            self.again.d.next = false;
            self.goes_direct.next = true;
            self.reader.start.next = true;
            self.step.d.next = At::Read;
        }
        // A task is complete.
        if self.turn.q.val() == 3 {
            self.slot.d.next = self.slots.over_slot.val();
            self.step.d.next = At::Complete;
        }
        // An evicted task returns.
        if self.turn.q.val() == 4 {
            self.slot.d.next = self.slots.gone_slot.val();
            self.at_head.d.next = true;
            self.step.d.next = At::Return;
        }
        // Load.
        if self.turn.q.val() == 5 {
            self.slot.d.next = self.slots.empty_slot.val();
            self.named.d.next = self.lists.first.val();
            self.high.d.next = true;
            self.again.d.next = true;
            self.direct.d.next = false;
            self.reader.start.next = true;
            self.step.d.next = At::Load;
        }
        // Is anybody to be evicted?
        if self.turn.q.val() == 6 {
            self.slots.scan.next = true;
            self.step.d.next = At::Victim;
        }
        // Is there a CTA to start?
        if self.turn.q.val() == 7 {
            self.slots.scan.next = true;
            self.step.d.next = At::Rank;
        }
        // A queue without work gives up its slot.
        if self.turn.q.val() == 8 {
            self.slot.d.next = self.slots.rests_slot.val();
            self.at_head.d.next = false;
            self.step.d.next = At::Return;
        }
        // The spawn ring.
        if self.turn.q.val() == 9 {
            self.spawn_due.d.next = false;
            self.rested.d.next = false;
            if self.spawn.on.val() {
                self.spawn.start.next = true;
                self.step.d.next = At::Spawn;
            }
        }
        // PUT and OPEN.
        if self.turn.q.val() == 10 {
            self.slot.d.next = self.look_first.place.val();
            self.step.d.next = At::Look;
        }
        // Nothing at all: the ring says whether that is so.
        if self.turn.q.val() == 11 {
            self.rested.d.next = true;
            self.spawn.start.next = true;
            self.step.d.next = At::Spawn;
        }
        // A task is killed, unless the host has changed its mind.
        if (self.turn.q.val() == 12) & self.limit.due.val() {
            self.slot.d.next = self.limit.due_slot.val();
            self.step.d.next = At::Kill;
        }
    }
}
