//! Reads PUT and OPEN of a queue in a slot (TASK-051, TASK-052).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `descriptor` | in | 1, 32 | pulse: look; the address of its descriptor, which holds. Its words are in the RAM |
//! | `done`, `left`, `open`, `broken` | out | 1 | pulse: PUT and OPEN are known; there are entries; OPEN is not 0; they are wrong |
//! | `code`, `place` | out | 8, 32 | when broken: what, and where |
//! | `ask_*`, `told_*`; `ram_*` | | | memory and RAM, as in `Tasks` |
//!
//! # Cycle behaviour
//! Two reads, OPEN first (TASK-052); PUT goes into the RAM when it is right.
//!
//! # Errors
//! `broken`.

use crate::hdl::*;

#[module]
pub struct Looker {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub descriptor: Signal<In, Bits<32>>,
    pub done: Signal<Out, Bit>,
    pub left: Signal<Out, Bit>,
    pub open: Signal<Out, Bit>,
    pub broken: Signal<Out, Bit>,
    pub code: Signal<Out, Bits<8>>,
    pub place: Signal<Out, Bits<32>>,
    pub ask: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    pub told_data: Signal<In, Bits<32>>,
    pub ram_write: Signal<Out, Bit>,
    pub ram_write_at: Signal<Out, Bits<5>>,
    pub ram_write_data: Signal<Out, Bits<32>>,
    pub ram_read_at: Signal<Out, Bits<5>>,
    pub ram_data: Signal<In, Bits<32>>,
    // 1 reads OPEN, 2 PUT, 3 and 4 GET and ENTRIES of the RAM, 5 is done.
    step: DFF<Bits<3>>,
    put: DFF<Bits<32>>,
    waiting: DFF<Bits<32>>,
    is_open: DFF<Bit>,
    its_code: DFF<Bits<8>>,
    its_place: DFF<Bits<32>>,
    // Entries that there is room for.
    most: DFF<Bits<32>>,
    too_many: Signal<Local, Bit>,
}

#[part(Looker)]
fn update(&mut self) {
    self.ask.next = false;
    self.ask_address.next = self.descriptor.val() + 92;
    self.ram_read_at.next = 22.into();
    self.ram_write.next = false;
    self.ram_write_at.next = 21.into();
    self.ram_write_data.next = self.put.q.val();
    self.done.next = false;
    self.too_many.next = self.waiting.q.val() > self.most.q.val();
    if self.step.q.val() == 1 {
        self.ask.next = true;
        // There is no answer in the first cycle.
        self.ram_read_at.next = 18.into();
        self.most.d.next = self.ram_data.val();
        if self.told.val() {
            self.is_open.d.next = self.told_data.val().any();
            self.its_place.d.next = self.ask_address.val();
            self.step.d.next = 2.into();
            if self.told_error.val() {
                self.its_code.d.next = 53.into();
                self.step.d.next = 5.into();
            }
        }
    }
    if self.step.q.val() == 2 {
        self.ask.next = true;
        self.ask_address.next = self.descriptor.val() + 84;
        if self.told.val() {
            self.put.d.next = self.told_data.val();
            self.its_place.d.next = self.ask_address.val();
            self.step.d.next = 3.into();
            if self.told_error.val() {
                self.its_code.d.next = 53.into();
                self.step.d.next = 5.into();
            }
        }
    }
    if self.step.q.val() == 3 {
        self.waiting.d.next = self.put.q.val() - self.ram_data.val();
        self.step.d.next = 4.into();
    }
    if self.step.q.val() == 4 {
        self.step.d.next = 5.into();
        self.ram_write.next = !self.too_many.val();
        self.its_place.d.next = self.descriptor.val() + 88;
        if self.too_many.val() {
            self.its_code.d.next = 46.into();
        }
    }
    if self.step.q.val() == 5 {
        self.done.next = true;
        self.step.d.next = 0.into();
    }
    if self.start.val() {
        self.step.d.next = 1.into();
        self.its_code.d.next = 0.into();
    }
    self.broken.next = self.its_code.q.val().any();
    self.left.next = self.waiting.q.val().any() & !self.broken.val();
    self.open.next = self.is_open.q.val() & !self.broken.val();
    carry!(self <- self.its_*.q: code, place);
    if self.reset.val() {
        self.step.d.next = 0.into();
    }
}
