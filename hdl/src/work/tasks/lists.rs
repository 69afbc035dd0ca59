//! The lists of the sixteen levels: first and last place of each; the links are in the places (TASK-021, TASK-022).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `what` | in | 1, 2 | pulse: 0 STATE alone is written, of a task that is loaded at once (TASK-045); 1 the words in the RAM go to a place, and that into a list; 2 the first place of the highest list is given back; 3 NAMED alone is written (TASK-027) |
//! | `zeroes`, `count` | in | 1, 16 | of 0 and 1: NAMED becomes 0, before STATE is written; of 3: what it becomes. Both hold |
//! | `descriptor`, `state`, `level`, `at_head`, `failed` | in | 32, 2, 4, 1, 1 | whose STATE is written, and what; of 1 its list; a CTA of it has failed. All hold |
//! | `base`, `new_place`, `reuses`, `free` | in | 32, 16, 1, 16 | TABLE_BASE; the place that is taken; it was used before, so the next free one stands in it; the free one that stands first |
//! | `ram_read_at` / `ram_data` | out / in | 5 / 32 | of 1 |
//! | `done`, `error`, `place` | out | 1, 1, 32 | pulse: it is over; an access had an error response, where |
//! | `takes`, `of_threads`, `next_free` | out | 1, 1, 16 | pulse: the place is taken; by a task of threads; the free place behind it |
//! | `gives`, `given`, `clears` | out | 1, 16, 1 | pulse: this place is free; no list has a task any more |
//! | `link`, `clear` | in | 16, 1 | of 2: the place behind the first one; pulse: the highest list is empty |
//! | `any`, `highest`, `first` | out | 1, 4, 32 | a list is not empty; the highest of these; address of its first place |
//! | `streams`, `taken` | out, in | 1 | requests follow each other without an answer between; one is taken |
//! | `ask_*`, `told_*` | | | memory, as in `Tasks` |
//!
//! # Cycle behaviour
//! Of 1: a cycle, or a read of the place; 32 writes; one into the last place when there is one to be appended to; STATE.
//! Of 2: a write into the place, if a list stays; STATE. Then the registers change. Of 3: a write.
//!
//! # Errors
//! `error`: of 1 the registers are as they were; of 2 the task is gone, and its place is lost if it could not be written.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module(kernel(Ask, Change))]
pub struct Lists {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub what: Signal<In, Bits<2>>,
    pub zeroes: Signal<In, Bit>,
    pub count: Signal<In, Bits<16>>,
    pub descriptor: Signal<In, Bits<32>>,
    pub state: Signal<In, Bits<2>>,
    pub level: Signal<In, Bits<4>>,
    pub at_head: Signal<In, Bit>,
    pub failed: Signal<In, Bit>,
    pub base: Signal<In, Bits<32>>,
    pub new_place: Signal<In, Bits<16>>,
    pub reuses: Signal<In, Bit>,
    pub free: Signal<In, Bits<16>>,
    pub ram_read_at: Signal<Out, Bits<5>>,
    pub ram_data: Signal<In, Bits<32>>,
    pub done: Signal<Out, Bit>,
    pub error: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<32>>,
    pub takes: Signal<Out, Bit>,
    pub of_threads: Signal<Out, Bit>,
    pub next_free: Signal<Out, Bits<16>>,
    pub gives: Signal<Out, Bit>,
    pub given: Signal<Out, Bits<16>>,
    pub clears: Signal<Out, Bit>,
    pub link: Signal<In, Bits<16>>,
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
    pub told_data: Signal<In, Bits<32>>,
    heads: LutRam<Bits<16>, 4>,
    tails: LutRam<Bits<16>, 4>,
    // Bit 15 − level: that list is not empty, so the lowest bit is the highest level.
    filled: DFF<Bits<16>>,
    // What it does, from `start` on, with which task and list; the highest list with a task, while it does nothing.
    its_descriptor: DFF<Bits<32>>,
    does: DFF<Bits<2>>,
    its_list: DFF<Bits<4>>,
    // The same, as it was in the last cycle: nobody looks in the first one behind a change.
    its_top: DFF<Bits<4>>,
    // 1 reads which place is free behind this one, or 7 waits for the RAM, 2 copies, 3 writes the link of the place that was the last one,
    // 8 NAMED, 4 STATE, 5 the link of a place that is given back; 6 is over.
    step: DFF<Bits<4>>,
    // Words that have been asked for, and answered.
    asked: DFF<Bits<6>>,
    answers: DFF<Bits<6>>,
    wrong: DFF<Bit>,
    // The place that is given back cannot be written.
    loses: DFF<Bit>,
    its_place: DFF<Bits<32>>,
    behind: DFF<Bits<16>>,
    threads: DFF<Bit>,
    lowest: FirstOne<16, 4>,
    turned: Signal<Local, Bits<4>>,
    gives_back: Signal<Local, Bit>,
    hardware_words: Signal<Local, Bits<4>>,
    its_level: Signal<Local, Bits<4>>,
    level_bit: Signal<Local, Bits<16>>,
    top_bit: Signal<Local, Bits<16>>,
    is_filled: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,
    is_alone: Signal<Local, Bit>,
    appends: Signal<Local, Bit>,
    top: Signal<Local, Bits<4>>,
    next_asked: Signal<Local, Bits<6>>,
    which: Signal<Local, Bits<5>>,
    at: Signal<Local, Bits<16>>,
    at_place: Signal<Local, Bits<32>>,
    told_at: Signal<Local, Bits<32>>,
}

/// What is asked for.
pub struct Ask;

#[part(Lists, Ask)]
fn update(&mut self) {
    self.lowest.bits.next = self.filled.q.val();
    self.any.next = self.lowest.any.val();
    self.top.next = !self.lowest.place.val();
    carry!(self.*.d <- self: its_top = top);
    carry!(self <- self.*.q: highest = its_top);
    self.gives_back.next = self.does.q.val() == 2;
    carry!(self <- self.*.q: its_level = its_list);
    if self.step.q.val() == 0 {
        self.its_list.d.next = self.top.val();
    }
    self.turned.next = !self.its_level.val();
    self.level_bit.next = bits::<16>(1) << self.turned.val();
    self.top_bit.next = bits::<16>(1) << self.lowest.place.val();
    self.is_filled.next = (self.filled.q.val() & self.level_bit.val()).any();
    spread!(self.*.read_address <- self.its_level: heads, tails);
    self.is_last.next = self.heads.read_data.val() == self.tails.read_data.val();
    self.is_alone.next = self.is_last.val() & (self.filled.q.val() == self.top_bit.val());
    self.appends.next = self.is_filled.val() & !self.at_head.val();

    // The place at hand, and its last word, the link.
    self.at.next = self.new_place.val();
    if self.gives_back.val() | (self.step.q.val() == 0) {
        self.at.next = self.heads.read_data.val();
    }
    if self.step.q.val() == 3 {
        self.at.next = self.tails.read_data.val();
    }
    self.at_place.next = self.base.val() + (bit_cast::<32, 16>(self.at.val()) << 7);
    self.first.next = self.at_place.val();
    self.given.next = self.heads.read_data.val();

    self.streams.next = self.step.q.val() == 2;
    self.which.next = self.asked.q.val().get_bits::<5>(0);
    self.ask.next = false;
    self.ask_write.next = true;
    // A place is a multiple of 128, as its base is (TASK-022).
    self.ask_address.next = self.at_place.val() | 124;
    self.ask_data.next = bit_cast::<32, 16>(self.free.val());
    self.ask_more.next = 0.into();
    self.next_asked.next = self.asked.q.val();
    self.told_at.next =
        self.at_place.val() | (bit_cast::<32, 5>(self.answers.q.val().get_bits::<5>(0)) << 2);
    if self.step.q.val() == 1 {
        self.ask.next = true;
        self.ask_write.next = false;
    }
    if self.step.q.val() == 2 {
        self.ask.next = !self.asked.q.val().get_bit(5);
        self.ask_address.next = self.at_place.val() | (bit_cast::<32, 5>(self.which.val()) << 2);
        self.ask_more.next = !self.asked.q.val().get_bits::<4>(0);
        self.ask_data.next = self.ram_data.val();
        if (self.which.val() == 30) & self.failed.val() {
            self.ask_data.next = self.ram_data.val() | 0x4000_0000_u64;
        }
        if self.which.val() == 31 {
            self.ask_data.next = bit_cast::<32, 16>(self.heads.read_data.val());
        }
        if self.taken.val() {
            self.next_asked.next = self.asked.q.val() + 1;
        }
    }
    if self.step.q.val() == 3 {
        self.ask.next = true;
        self.ask_data.next = bit_cast::<32, 16>(self.new_place.val());
    }
    if self.step.q.val() == 4 {
        self.ask.next = true;
        self.ask_address.next = self.its_descriptor.q.val() + 100;
        self.ask_data.next = bit_cast::<32, 2>(self.state.val());
    }
    if self.step.q.val() == 5 {
        self.ask.next = true;
    }
    if self.step.q.val() == 8 {
        self.ask.next = true;
        self.ask_address.next = self.its_descriptor.q.val() + 104;
        self.ask_data.next = 0.into();
        if self.does.q.val() == 3 {
            self.ask_data.next = bit_cast::<32, 16>(self.count.val());
        }
    }
    if self.step.q.val() != 2 {
        self.told_at.next = self.ask_address.val();
    }
    self.asked.d.next = self.next_asked.val();
    self.ram_read_at.next = self.next_asked.val().get_bits::<5>(0);
}

/// What follows from the answers.
pub struct Change;

#[part(Lists, Change)]
fn update(&mut self) {
    self.done.next = false;
    self.takes.next = false;
    self.gives.next = false;
    self.clears.next = false;
    self.heads.write_enable.next = false;
    carry!(self.heads <- self: write_address = its_level, write_data = new_place);
    self.tails.write_enable.next = false;
    carry!(self.tails <- self: write_address = its_level, write_data = new_place);
    // Whose NAMED is not 0 is told so before STATE says that it waits or runs.
    self.hardware_words.next = 4.into();
    if self.zeroes.val() {
        self.hardware_words.next = 8.into();
    }
    if self.step.q.val() == 7 {
        self.step.d.next = 2.into();
    }
    if (self.step.q.val() == 1) & self.told.val() {
        self.behind.d.next = self.told_data.val().get_bits::<16>(0);
        self.step.d.next = 2.into();
    }
    if (self.step.q.val() == 2) & self.told.val() {
        self.answers.d.next = self.answers.q.val() + 1;
        if self.answers.q.val() == 31 {
            self.step.d.next = self.hardware_words.val();
            if self.appends.val() {
                self.step.d.next = 3.into();
            }
            if self.wrong.q.val() {
                self.step.d.next = 6.into();
            }
        }
    }
    if (self.step.q.val() == 2) & (self.which.val() == 30) {
        self.threads.d.next = self.ram_data.val().get_bit(31);
    }
    if (self.step.q.val() == 3) & self.told.val() {
        self.step.d.next = self.hardware_words.val();
    }
    if (self.step.q.val() == 8) & self.told.val() {
        self.step.d.next = 4.into();
        if self.does.q.val() == 3 {
            self.step.d.next = 6.into();
        }
    }
    if (self.step.q.val() == 4) & self.told.val() {
        self.step.d.next = 6.into();
    }
    if (self.step.q.val() == 5) & self.told.val() {
        self.step.d.next = 4.into();
        self.loses.d.next = self.told_error.val();
    }
    // What follows an error is left out, but for the other words of the lines.
    if self.told.val() & self.told_error.val() & (self.step.q.val() != 0) {
        self.wrong.d.next = true;
        if !self.wrong.q.val() {
            self.its_place.d.next = self.told_at.val();
        }
        if (self.step.q.val() != 2) | (self.answers.q.val() == 31) {
            self.step.d.next = 6.into();
        }
    }
    if self.step.q.val() == 6 {
        self.done.next = true;
        self.step.d.next = 0.into();
        if (self.does.q.val() == 1) & !self.wrong.q.val() {
            self.takes.next = true;
            self.filled.d.next = self.filled.q.val() | self.level_bit.val();
            self.heads.write_enable.next = !self.appends.val();
            self.tails.write_enable.next = self.appends.val() | !self.is_filled.val();
        }
        if self.gives_back.val() {
            self.gives.next = !self.loses.q.val();
            self.clears.next = self.is_alone.val();
            self.heads.write_enable.next = true;
            self.heads.write_data.next = self.link.val();
            if self.is_last.val() {
                self.filled.d.next = self.filled.q.val() & !self.top_bit.val();
            }
        }
    }
    if self.start.val() {
        self.step.d.next = self.hardware_words.val();
        if self.what.val() == 1 {
            self.step.d.next = 7.into();
            if self.reuses.val() {
                self.step.d.next = 1.into();
            }
        }
        if (self.what.val() == 2) & !self.is_alone.val() {
            self.step.d.next = 5.into();
        }
        if self.what.val() == 3 {
            self.step.d.next = 8.into();
        }
        self.asked.d.next = 0.into();
        self.answers.d.next = 0.into();
        self.wrong.d.next = false;
        self.loses.d.next = false;
        carry!(self.*.d <- self: does = what, its_descriptor = descriptor, its_list = level);
        if self.what.val() == 2 {
            self.its_list.d.next = self.its_list.q.val();
        }
    }
    if self.clear.val() {
        self.filled.d.next = self.filled.q.val() & !self.top_bit.val();
        self.clears.next = self.filled.q.val() == self.top_bit.val();
    }
    self.error.next = self.wrong.q.val();
    carry!(self <- self.*.q: place = its_place, of_threads = threads, next_free = behind);
    if self.reset.val() {
        self.filled.d.next = 0.into();
        self.step.d.next = 0.into();
    }
}
