//! The writes at the end of a task: STATE, then its semaphore (TASK-061, HOST-061).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `descriptor`, `failed`, `now` | in | 1, 32, 1, 64 | pulse: the task whose words are in the RAM; its address; a CTA has failed; cycles since reset. All but `start` hold, but `now` |
//! | `done`, `error`, `place` | out | 1, 1, 32 | pulse: it is written; a write had an error response, where |
//! | `dependent`, `interrupts`, `domain_id` | out | 32, 1, 3 | of the descriptor |
//! | `ask_*`, `told_*`; `ram_*` | | | memory and RAM, as in `Tasks` |
//!
//! # Cycle behaviour
//! Each write waits for the response of the one before; what follows an error is left out.
//! Of a semaphore with time word 0 is written last.
//!
//! # Errors
//! `error`.

use crate::hdl::*;

#[module]
pub struct Completion {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub descriptor: Signal<In, Bits<32>>,
    pub failed: Signal<In, Bit>,
    pub now: Signal<In, Bits<64>>,
    pub done: Signal<Out, Bit>,
    pub error: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<32>>,
    pub dependent: Signal<Out, Bits<32>>,
    pub interrupts: Signal<Out, Bit>,
    pub domain_id: Signal<Out, Bits<3>>,
    pub ask: Signal<Out, Bit>,
    pub ask_write: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub ask_data: Signal<Out, Bits<32>>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    pub ram_read_at: Signal<Out, Bits<5>>,
    pub ram_data: Signal<In, Bits<32>>,
    // 1 to 4 read words 0, 12, 13, 14 of the RAM; 5 writes STATE, 6 to 8 the words behind the value, 9 the value.
    step: DFF<Bits<4>>,
    semaphore_at: DFF<Bits<32>>,
    timed: DFF<Bit>,
    value: DFF<Bits<32>>,
    next_task: DFF<Bits<32>>,
    interrupt: DFF<Bit>,
    its_domain: DFF<Bits<3>>,
    stamp: DFF<Bits<64>>,
    wrong: DFF<Bit>,
    its_place: DFF<Bits<32>>,
}

#[part(Completion)]
fn update(&mut self) {
    self.done.next = false;
    self.ask.next = false;
    self.ask_write.next = true;
    self.ask_address.next = self.descriptor.val() + 100;
    self.ask_data.next = 0.into();
    self.ram_read_at.next = 0.into();
    if self.step.q.val() == 1 {
        self.ram_read_at.next = 12.into();
        self.interrupt.d.next = self.ram_data.val().get_bit(3);
        self.its_domain.d.next = self.ram_data.val().get_bits::<3>(12);
        self.step.d.next = 2.into();
    }
    if self.step.q.val() == 2 {
        self.ram_read_at.next = 13.into();
        self.semaphore_at.d.next = self.ram_data.val() & 0xffff_fffe_u64;
        self.timed.d.next = self.ram_data.val().get_bit(0);
        self.step.d.next = 3.into();
    }
    if self.step.q.val() == 3 {
        self.ram_read_at.next = 14.into();
        self.value.d.next = self.ram_data.val();
        self.step.d.next = 4.into();
    }
    if self.step.q.val() == 4 {
        self.next_task.d.next = self.ram_data.val();
        self.step.d.next = 5.into();
    }
    if self.step.q.val() == 5 {
        self.ask.next = true;
        if self.failed.val() {
            self.ask_data.next = 3.into();
        }
        self.stamp.d.next = self.now.val();
    }
    if self.step.q.val() == 6 {
        self.ask.next = true;
        self.ask_address.next = self.semaphore_at.q.val() + 4;
    }
    if self.step.q.val() == 7 {
        self.ask.next = true;
        self.ask_address.next = self.semaphore_at.q.val() + 8;
        self.ask_data.next = self.stamp.q.val().get_bits::<32>(0);
    }
    if self.step.q.val() == 8 {
        self.ask.next = true;
        self.ask_address.next = self.semaphore_at.q.val() + 12;
        self.ask_data.next = self.stamp.q.val().get_bits::<32>(32);
    }
    if self.step.q.val() == 9 {
        self.ask.next = true;
        self.ask_address.next = self.semaphore_at.q.val();
        self.ask_data.next = self.value.q.val();
    }
    if self.ask.val() & self.told.val() {
        self.step.d.next = self.step.q.val() + 1;
        if self.step.q.val() == 5 {
            if !self.semaphore_at.q.val().any() {
                self.step.d.next = 10.into();
            } else if !self.timed.q.val() {
                self.step.d.next = 9.into();
            }
        }
        if self.told_error.val() {
            self.wrong.d.next = true;
            self.its_place.d.next = self.ask_address.val();
            self.step.d.next = 10.into();
        }
    }
    if self.step.q.val() == 10 {
        self.done.next = true;
        self.step.d.next = 0.into();
    }
    if self.start.val() {
        self.step.d.next = 1.into();
        self.wrong.d.next = false;
    }
    carry!(self <- self.*.q: error = wrong, place = its_place, dependent = next_task);
    self.interrupts.next = self.interrupt.q.val();
    self.domain_id.next = self.its_domain.q.val();
    if self.reset.val() {
        self.step.d.next = 0.into();
    }
}
