//! The lists of the sixteen levels: head and tail of each; the links are in memory (TASK-012, TASK-021).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `descriptor`, `level`, `at_head`, `active`, `started`, `failed` | in | 1, 32, 4, 1, 1, 32, 1 | pulse: link this descriptor, with these hardware words (`active`: STATE is 2, TASK-045); all but `start` hold |
//! | `done`, `error`, `place` | out | 1, 1, 32 | pulse: it is over; a write had an error response, where |
//! | `pop`, `link`, `clear` | in | 1, 32, 1 | pulse: the highest list begins with `link` now (0: it is empty); it is empty |
//! | `any`, `highest`, `first` | out | 1, 4, 32 | a list is not empty; the highest of these; its head. Not while it links |
//! | `streams`, `taken` | out, in | 1 | requests follow each other without an answer between; one is taken |
//! | `ask_*`, `told_*` | | | memory, as in `Tasks` |
//!
//! # Cycle behaviour
//! Four writes of a line, and then one more into the last descriptor when there is one to be appended to.
//! Then the registers change.
//!
//! # Errors
//! `error`: the registers are as they were.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module]
pub struct Lists {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub descriptor: Signal<In, Bits<32>>,
    pub level: Signal<In, Bits<4>>,
    pub at_head: Signal<In, Bit>,
    pub active: Signal<In, Bit>,
    pub started: Signal<In, Bits<32>>,
    pub failed: Signal<In, Bit>,
    pub done: Signal<Out, Bit>,
    pub error: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<32>>,
    pub pop: Signal<In, Bit>,
    pub link: Signal<In, Bits<32>>,
    pub clear: Signal<In, Bit>,
    pub any: Signal<Out, Bit>,
    pub highest: Signal<Out, Bits<4>>,
    pub first: Signal<Out, Bits<32>>,
    pub streams: Signal<Out, Bit>,
    pub ask: Signal<Out, Bit>,
    pub ask_write: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub ask_data: Signal<Out, Bits<32>>,
    pub ask_more: Signal<Out, Bits<4>>,
    pub taken: Signal<In, Bit>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    heads: LutRam<Bits<32>, 4>,
    tails: LutRam<Bits<32>, 4>,
    // Bit 15 − level: that list is not empty, so the lowest bit is the highest level.
    filled: DFF<Bits<16>>,
    // 1 writes the hardware words, 2 the link of the descriptor that was the last one, 3 is over.
    step: DFF<Bits<2>>,
    // Words that have been asked for, and answered.
    asked: DFF<Bits<3>>,
    answers: DFF<Bits<2>>,
    wrong: DFF<Bit>,
    its_place: DFF<Bits<32>>,
    lowest: FirstOne<16, 4>,
    turned: Signal<Local, Bits<4>>,
    level_bit: Signal<Local, Bits<16>>,
    top_bit: Signal<Local, Bits<16>>,
    is_filled: Signal<Local, Bit>,
    top: Signal<Local, Bits<4>>,
    which: Signal<Local, Bits<2>>,
    told_at: Signal<Local, Bits<32>>,
}

impl kernel::Part for Lists {
    #[hdl_gen]
    fn update(&mut self) {
        self.lowest.bits.next = self.filled.q.val();
        self.any.next = self.lowest.any.val();
        self.top.next = !self.lowest.place.val();
        self.highest.next = self.top.val();
        self.turned.next = !self.level.val();
        self.level_bit.next = bits::<16>(1) << self.turned.val();
        self.top_bit.next = bits::<16>(1) << self.lowest.place.val();
        self.is_filled.next = (self.filled.q.val() & self.level_bit.val()).any();

        self.heads.read_address.next = self.top.val();
        self.tails.read_address.next = self.level.val();
        if self.step.q.val() != 0 {
            self.heads.read_address.next = self.level.val();
        }
        self.heads.write_enable.next = false;
        self.heads.write_address.next = self.level.val();
        self.heads.write_data.next = self.descriptor.val();
        self.tails.write_enable.next = false;
        self.tails.write_address.next = self.level.val();
        self.tails.write_data.next = self.descriptor.val();
        self.first.next = self.heads.read_data.val();

        self.streams.next = self.step.q.val() == 1;
        self.which.next = self.asked.q.val().get_bits::<2>(0);
        self.ask.next = false;
        self.ask_write.next = true;
        self.ask_address.next =
            (self.descriptor.val() + 96) + (bit_cast::<32, 2>(self.which.val()) << 2);
        self.told_at.next =
            (self.descriptor.val() + 96) + (bit_cast::<32, 2>(self.answers.q.val()) << 2);
        self.ask_more.next = bit_cast::<4, 2>(self.which.val()) ^ 3;
        self.ask_data.next = 0.into();
        if (self.which.val() == 0) & self.at_head.val() & self.is_filled.val() {
            self.ask_data.next = self.heads.read_data.val();
        }
        if self.which.val() == 1 {
            self.ask_data.next = 1.into();
            if self.active.val() {
                self.ask_data.next = 2.into();
            }
        }
        if self.which.val() == 2 {
            self.ask_data.next = self.started.val();
        }
        if self.which.val() == 3 {
            self.ask_data.next = bit_cast::<32, 1>(self.failed.val().into());
        }
        self.done.next = false;
        if self.step.q.val() == 1 {
            self.ask.next = !self.asked.q.val().get_bit(2);
            if self.taken.val() {
                self.asked.d.next = self.asked.q.val() + 1;
            }
            if self.told.val() {
                self.answers.d.next = self.answers.q.val() + 1;
                if self.told_error.val() & !self.wrong.q.val() {
                    self.wrong.d.next = true;
                    self.its_place.d.next = self.told_at.val();
                }
                if self.answers.q.val().all() {
                    self.step.d.next = 2.into();
                    if !self.is_filled.val()
                        | self.at_head.val()
                        | self.wrong.q.val()
                        | self.told_error.val()
                    {
                        self.step.d.next = 3.into();
                    }
                }
            }
        }
        if self.step.q.val() == 2 {
            self.ask.next = true;
            self.ask_address.next = self.tails.read_data.val() + 96;
            self.ask_data.next = self.descriptor.val();
            self.ask_more.next = 0.into();
            if self.told.val() {
                self.step.d.next = 3.into();
                if self.told_error.val() {
                    self.wrong.d.next = true;
                    self.its_place.d.next = self.ask_address.val();
                }
            }
        }
        if self.step.q.val() == 3 {
            self.done.next = true;
            self.step.d.next = 0.into();
            if !self.wrong.q.val() {
                self.filled.d.next = self.filled.q.val() | self.level_bit.val();
                self.heads.write_enable.next = self.at_head.val() | !self.is_filled.val();
                self.tails.write_enable.next = !self.at_head.val() | !self.is_filled.val();
            }
        }
        if self.start.val() {
            self.step.d.next = 1.into();
            self.asked.d.next = 0.into();
            self.answers.d.next = 0.into();
            self.wrong.d.next = false;
        }
        if self.pop.val() {
            self.heads.write_enable.next = true;
            self.heads.write_address.next = self.top.val();
            self.heads.write_data.next = self.link.val();
        }
        if self.clear.val() | (self.pop.val() & !self.link.val().any()) {
            self.filled.d.next = self.filled.q.val() & !self.top_bit.val();
        }
        self.error.next = self.wrong.q.val();
        self.place.next = self.its_place.q.val();
        if self.reset.val() {
            self.filled.d.next = 0.into();
            self.step.d.next = 0.into();
        }
    }
}
