//! The spawn ring: launches by threads (TASK-070 to TASK-072).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `set_base`, `set_number`, `data`, `thread_end` | in | 1, 1, 32, 32 | pulses: writes of SPAWN_BASE and SPAWN_NUMBER; THREAD_END, which holds |
//! | `base`, `number` | out | 32 | the registers |
//! | `error`, `place` | out | 1, 32 | pulse: they do not fit; the offset of the register |
//! | `may` | in | 1 | SPAWN_NUMBER may change now: the ring is not looked at |
//! | `start`, `tickets` | in | 1 | pulse: look at the next word; at TICKET too, when it is 0. The last one holds |
//! | `done`, `found`, `descriptor`, `lost` | out | 1, 1, 32, 1 | pulse: it is over; there was one; which; a ticket was lost |
//! | `on`, `changed`, `asks` | out | 1 | there is a ring; pulse: it is another one now; it will be |
//! | `ask_*`, `told_*` | | | memory, as in `Tasks` |
//! | `math_*` | | | arithmetic, as in `Tasks`: TICKET mod n |
//!
//! # Cycle behaviour
//! A look reads one word, and sets it to 0 when it is not.
//! SPAWN_NUMBER that is written while the ring is looked at counts when that is over.
//!
//! # Errors
//! `error`: the ring is off then. A word that cannot be read counts as 0, TICKET then as SPAWN_GET.

use crate::hdl::*;

#[module]
pub struct Spawn {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub set_base: Signal<In, Bit>,
    pub set_number: Signal<In, Bit>,
    pub data: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub base: Signal<Out, Bits<32>>,
    pub number: Signal<Out, Bits<32>>,
    pub error: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<32>>,
    pub may: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub tickets: Signal<In, Bit>,
    pub done: Signal<Out, Bit>,
    pub found: Signal<Out, Bit>,
    pub descriptor: Signal<Out, Bits<32>>,
    pub lost: Signal<Out, Bit>,
    pub on: Signal<Out, Bit>,
    pub changed: Signal<Out, Bit>,
    pub asks: Signal<Out, Bit>,
    pub ask: Signal<Out, Bit>,
    pub ask_write: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    pub told_data: Signal<In, Bits<32>>,
    pub math_start: Signal<Out, Bit>,
    pub math_a: Signal<Out, Bits<32>>,
    pub math_b: Signal<Out, Bits<32>>,
    pub math_done: Signal<In, Bit>,
    pub math_rest: Signal<In, Bits<32>>,
    its_base: DFF<Bits<32>>,
    its_number: DFF<Bits<32>>,
    asked_number: DFF<Bits<32>>,
    asked: DFF<Bit>,
    // Bytes from its base on; bit 32: there are none.
    room: DFF<Bits<33>>,
    // SPAWN_GET, and SPAWN_GET mod n.
    get: DFF<Bits<32>>,
    index: DFF<Bits<17>>,
    // 1 reads the word, 2 clears it, 3 reads TICKET, 4 clears all, 5 divides, 6 waits for that, 7 is done.
    step: DFF<Bits<3>>,
    has_found: DFF<Bit>,
    has_lost: DFF<Bit>,
    its_descriptor: DFF<Bits<32>>,
    is_off: Signal<Local, Bit>,
    words: Signal<Local, Bits<32>>,
    fits: Signal<Local, Bit>,
    after: Signal<Local, Bits<17>>,
    next_get: Signal<Local, Bits<32>>,
}

#[part(Spawn)]
fn update(&mut self) {
    self.error.next = false;
    self.place.next = 0x380.into();
    self.changed.next = false;
    self.ask.next = false;
    self.ask_write.next = false;
    self.ask_address.next = self.its_base.q.val() + (bit_cast::<32, 17>(self.index.q.val()) << 2);
    self.done.next = false;
    self.math_start.next = false;
    self.math_a.next = self.its_descriptor.q.val();
    self.math_b.next = self.its_number.q.val();
    self.after.next = self.index.q.val() + 1;
    self.next_get.next = self.get.q.val() + 1;

    // ---- The registers.
    if self.set_base.val() {
        self.its_base.d.next = self.data.val();
    }
    if self.set_number.val() {
        self.asked_number.d.next = self.data.val();
        self.asked.d.next = true;
    }
    // With TICKET it is a word longer.
    self.room.d.next =
        bit_cast::<33, 32>(self.thread_end.val()) - bit_cast::<33, 32>(self.its_base.q.val());
    self.words.next = bit_cast::<32, 30>(self.room.q.val().get_bits::<30>(2));
    self.fits.next = !self.its_base.q.val().get_bits::<2>(0).any()
        & self.its_base.q.val().get_bits::<20>(12).any()
        & !self.room.q.val().get_bit(32)
        & (self.asked_number.q.val() < self.words.val());
    self.is_off.next = !self.its_number.q.val().any();
    if self.asked.q.val() & self.may.val() & !self.start.val() {
        self.asked.d.next = false;
        self.changed.next = true;
        self.its_number.d.next = self.asked_number.q.val();
        self.get.d.next = 0.into();
        self.index.d.next = 0.into();
        if self.asked_number.q.val().any() {
            if self.asked_number.q.val() > 65536 {
                self.error.next = true;
                self.place.next = 0x384.into();
                self.its_number.d.next = 0.into();
            } else if !self.fits.val() {
                self.error.next = true;
                self.its_number.d.next = 0.into();
            }
        }
    }

    // ---- A look.
    if self.step.q.val() == 1 {
        self.ask.next = true;
        if self.told.val() {
            self.its_descriptor.d.next = self.told_data.val();
            self.step.d.next = 7.into();
            if self.told_data.val().any() & !self.told_error.val() {
                self.step.d.next = 2.into();
            } else if self.tickets.val() {
                self.step.d.next = 3.into();
            }
        }
    }
    if self.step.q.val() == 2 {
        self.ask.next = true;
        self.ask_write.next = true;
        if self.told.val() {
            self.has_found.d.next = true;
            self.get.d.next = self.next_get.val();
            self.index.d.next = self.after.val();
            if (bit_cast::<32, 17>(self.after.val()) == self.its_number.q.val())
                | !self.next_get.val().any()
            {
                self.index.d.next = 0.into();
            }
            self.step.d.next = 7.into();
        }
    }
    if self.step.q.val() == 3 {
        self.ask.next = true;
        self.ask_address.next = self.its_base.q.val() + (self.its_number.q.val() << 2);
        if self.told.val() {
            self.step.d.next = 7.into();
            if !self.told_error.val() & (self.told_data.val() != self.get.q.val()) {
                self.its_descriptor.d.next = self.told_data.val();
                self.index.d.next = 0.into();
                self.step.d.next = 4.into();
            }
        }
    }
    if self.step.q.val() == 4 {
        self.ask.next = true;
        self.ask_write.next = true;
        if self.told.val() {
            self.index.d.next = self.after.val();
            if bit_cast::<32, 17>(self.after.val()) == self.its_number.q.val() {
                self.step.d.next = 5.into();
            }
        }
    }
    if self.step.q.val() == 5 {
        self.math_start.next = true;
        self.step.d.next = 6.into();
    }
    if (self.step.q.val() == 6) & self.math_done.val() {
        self.has_lost.d.next = true;
        self.get.d.next = self.its_descriptor.q.val();
        self.index.d.next = self.math_rest.val().get_bits::<17>(0);
        self.step.d.next = 7.into();
    }
    if self.step.q.val() == 7 {
        self.done.next = true;
        self.step.d.next = 0.into();
    }
    if self.start.val() {
        self.has_found.d.next = false;
        self.has_lost.d.next = false;
        self.step.d.next = 1.into();
        if self.is_off.val() {
            self.step.d.next = 7.into();
        }
    }
    carry!(self <- self.its_*.q: base, number);
    carry!(self <- self.*.q: found = has_found, descriptor = its_descriptor, lost = has_lost);
    self.asks.next = self.set_number.val() | self.asked.q.val();
    self.on.next = !self.is_off.val();
    if self.reset.val() {
        self.its_base.d.next = 0.into();
        self.its_number.d.next = 0.into();
        self.asked.d.next = false;
        self.step.d.next = 0.into();
    }
}
