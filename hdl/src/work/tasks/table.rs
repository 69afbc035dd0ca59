//! The table of pending tasks: where it lies, and which of its places are free (TASK-022 to TASK-025).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write`, `address`, `data` | in | 1, 12, 32 | pulse: a register is written |
//! | `read_address` / `read_data` | in / out | 12 / 32 | one cycle later; 0: not a register of these |
//! | `memory_end`, `thread_end` | in | 32 | |
//! | `error`, `error_place` | out | 1, 32 | pulse: TABLE_BASE or TABLE_NUMBER does not fit; the offset of the register |
//! | `of_threads`, `refusal` | in, out | 1, 8 | of such a task: 0, or why no place may be taken for it |
//! | `base`, `place`, `reuses`, `free` | out | 32, 16, 1, 16 | as in `Lists` |
//! | `takes`, `takes_of_threads`, `next_free`; `gives`, `gives_of_threads`, `given`; `clears` | in | | as in `Lists` |
//! | `level_of_threads` | out | 4 | THREAD_LEVEL |
//!
//! # Cycle behaviour
//! The registers count from the next cycle on, TABLE_NUMBER when it has been checked, one later. TABLE_BASE sets it to 0.
//!
//! # Errors
//! `error`: there is no table then.

use crate::hdl::*;

#[module]
pub struct Table {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub address: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<32>>,
    pub read_address: Signal<In, Bits<12>>,
    pub read_data: Signal<Out, Bits<32>>,
    pub memory_end: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub error: Signal<Out, Bit>,
    pub error_place: Signal<Out, Bits<32>>,
    pub of_threads: Signal<In, Bit>,
    pub refusal: Signal<Out, Bits<8>>,
    pub base: Signal<Out, Bits<32>>,
    pub place: Signal<Out, Bits<16>>,
    pub reuses: Signal<Out, Bit>,
    pub free: Signal<Out, Bits<16>>,
    pub takes: Signal<In, Bit>,
    pub takes_of_threads: Signal<In, Bit>,
    pub next_free: Signal<In, Bits<16>>,
    pub gives: Signal<In, Bit>,
    pub gives_of_threads: Signal<In, Bit>,
    pub given: Signal<In, Bits<16>>,
    pub clears: Signal<In, Bit>,
    pub level_of_threads: Signal<Out, Bits<4>>,
    its_base: DFF<Bits<32>>,
    number: DFF<Bits<17>>,
    asked: DFF<Bit>,
    asked_number: DFF<Bits<32>>,
    // Bytes from its base on; bit 32: there are none.
    room: DFF<Bits<33>>,
    limit: DFF<Bits<17>>,
    level: DFF<Bits<4>>,
    answer: DFF<Bits<32>>,
    // Places that are taken; by tasks of threads; that have been taken since no list had a task. Of the latter those that
    // are free are linked, and this is the first one.
    held: DFF<Bits<17>>,
    threads: DFF<Bits<17>>,
    mark: DFF<Bits<17>>,
    first_free: DFF<Bits<16>>,
    // The place that is taken next, and whether it is a free one: as it was in the last cycle, and nobody takes two in a row.
    has_reuse: DFF<Bit>,
    next_place: DFF<Bits<16>>,
    is_used: Signal<Local, Bit>,
    reads: Signal<Local, Bits<32>>,
    bytes: Signal<Local, Bits<40>>,
    fits: Signal<Local, Bit>,
    more: Signal<Local, Bits<17>>,
}

#[part(Table)]
fn update(&mut self) {
    // ---- The registers.
    if self.write.val() & (self.address.val() == 0x3E0) {
        self.its_base.d.next = self.data.val();
        self.number.d.next = 0.into();
    }
    self.asked.d.next = self.write.val() & (self.address.val() == 0x3E4);
    self.asked_number.d.next = self.data.val();
    if self.write.val() & (self.address.val() == 0x3E8) {
        self.limit.d.next = self.data.val().get_bits::<17>(0);
    }
    if self.write.val() & (self.address.val() == 0x3EC) {
        self.level.d.next = self.data.val().get_bits::<4>(0);
    }
    self.reads.next = 0.into();
    if self.read_address.val() == 0x3E0 {
        self.reads.next = self.its_base.q.val();
    }
    if self.read_address.val() == 0x3E4 {
        self.reads.next = bit_cast::<32, 17>(self.number.q.val());
    }
    if self.read_address.val() == 0x3E8 {
        self.reads.next = bit_cast::<32, 17>(self.limit.q.val());
    }
    if self.read_address.val() == 0x3EC {
        self.reads.next = bit_cast::<32, 4>(self.level.q.val());
    }
    self.answer.d.next = self.reads.val();
    self.read_data.next = self.answer.q.val();

    // ---- Places.
    self.more.next = self.held.q.val() + 1;
    self.refusal.next = 0.into();
    if self.of_threads.val()
        & self.limit.q.val().any()
        & (self.threads.q.val() >= self.limit.q.val())
    {
        self.refusal.next = 50.into();
    }
    // One stays free for tasks that return.
    if self.more.val() >= self.number.q.val() {
        self.refusal.next = 48.into();
    }
    self.is_used.next = self.mark.q.val() == self.number.q.val();
    self.has_reuse.d.next = self.is_used.val();
    self.next_place.d.next = self.mark.q.val().get_bits::<16>(0);
    if self.is_used.val() {
        self.next_place.d.next = self.first_free.q.val();
    }
    carry!(self <- self.*.q: reuses = has_reuse, place = next_place);
    if self.takes.val() {
        self.held.d.next = self.more.val();
        if self.takes_of_threads.val() {
            self.threads.d.next = self.threads.q.val() + 1;
        }
        if self.has_reuse.q.val() {
            self.first_free.d.next = self.next_free.val();
        } else {
            self.mark.d.next = self.mark.q.val() + 1;
        }
    }
    if self.gives.val() {
        self.held.d.next = self.held.q.val() - 1;
        if self.gives_of_threads.val() {
            self.threads.d.next = self.threads.q.val() - 1;
        }
        self.first_free.d.next = self.given.val();
    }
    if self.clears.val() {
        self.held.d.next = 0.into();
        self.threads.d.next = 0.into();
        self.mark.d.next = 0.into();
    }

    // ---- Another table.
    self.error.next = false;
    self.error_place.next = 0x3E0.into();
    self.bytes.next = bit_cast::<40, 32>(self.asked_number.q.val()) << 7;
    self.room.d.next =
        bit_cast::<33, 32>(self.memory_end.val()) - bit_cast::<33, 32>(self.its_base.q.val());
    self.fits.next = !self.its_base.q.val().get_bits::<7>(0).any()
        & (self.its_base.q.val() >= self.thread_end.val())
        & !self.room.q.val().get_bit(32)
        & (self.bytes.val() <= bit_cast::<40, 32>(self.room.q.val().get_bits::<32>(0)));
    if self.asked.q.val() {
        self.number.d.next = self.asked_number.q.val().get_bits::<17>(0);
        self.held.d.next = 0.into();
        self.threads.d.next = 0.into();
        self.mark.d.next = 0.into();
        if self.asked_number.q.val().any() {
            if (self.asked_number.q.val() > 65536) | (self.asked_number.q.val() == 1) {
                self.error.next = true;
                self.error_place.next = 0x3E4.into();
                self.number.d.next = 0.into();
            } else if !self.fits.val() {
                self.error.next = true;
                self.number.d.next = 0.into();
            }
        }
    }
    carry!(self <- self.*.q: base = its_base, free = first_free, level_of_threads = level);
    if self.reset.val() {
        self.its_base.d.next = 0.into();
        self.number.d.next = 0.into();
        self.asked.d.next = false;
        self.limit.d.next = 0.into();
        self.level.d.next = 15.into();
        self.held.d.next = 0.into();
        self.threads.d.next = 0.into();
        self.mark.d.next = 0.into();
    }
}
