//! Checks of a descriptor's words as they are read, in ascending order (TASK-030). Of a place its fields alone count.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `fresh`, `address` | in | 1, 32 | pulse: a new descriptor; where it is, which holds |
//! | `word_valid`, `index`, `word` | in | 1, 5, 32 | one of its words |
//! | `memory_end`, `thread_end`, `local_limit`, `most_threads`, `most_scratchpad` | in | 32 | |
//! | `window_base`, `window_end` | in | 32 | of the domain of who named it |
//! | `product_threads`, `product_grid`, `ring_beyond` | in | 1 | found after the last word: T is too large; so is the grid; the ring ends too high |
//! | `code`, `at` | out | 8, 5 | after the last word: what is wrong first, 0 if nothing; in which word |
//! | `queue`, `head`, `level`, `open`, `some`, `ring`, `scratchpad` | out | | fields; some: PUT is not GET |
//!
//! # Cycle behaviour
//! What is wrong is kept by groups of words, because products are known last; `code` is combinational behind that.
//! Whether an address is within reach, and how much is in a queue, is known one cycle behind the word.
//!
//! # Errors
//! `code`.

use crate::hdl::*;

#[module]
pub struct Check {
    pub clock: Signal<In, Clock>,
    pub fresh: Signal<In, Bit>,
    pub address: Signal<In, Bits<32>>,
    pub word_valid: Signal<In, Bit>,
    pub index: Signal<In, Bits<5>>,
    pub word: Signal<In, Bits<32>>,
    pub memory_end: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub window_base: Signal<In, Bits<32>>,
    pub window_end: Signal<In, Bits<32>>,
    pub local_limit: Signal<In, Bits<32>>,
    pub most_threads: Signal<In, Bits<32>>,
    pub most_scratchpad: Signal<In, Bits<32>>,
    pub product_threads: Signal<In, Bit>,
    pub product_grid: Signal<In, Bit>,
    pub ring_beyond: Signal<In, Bit>,
    pub code: Signal<Out, Bits<8>>,
    pub at: Signal<Out, Bits<5>>,
    pub queue: Signal<Out, Bit>,
    pub head: Signal<Out, Bit>,
    pub level: Signal<Out, Bits<4>>,
    pub open: Signal<Out, Bit>,
    pub some: Signal<Out, Bit>,
    pub ring: Signal<Out, Bits<32>>,
    pub scratchpad: Signal<Out, Bits<32>>,
    // The first that is wrong in words 0 to 7; in 8 to 19, or to 23 of a grid; behind that.
    early_code: DFF<Bits<8>>,
    early_at: DFF<Bits<5>>,
    middle_code: DFF<Bits<8>>,
    middle_at: DFF<Bits<5>>,
    late_code: DFF<Bits<8>>,
    late_at: DFF<Bits<5>>,
    ring_wrong: DFF<Bit>,
    state_busy: DFF<Bit>,
    is_queue: DFF<Bit>,
    is_head: DFF<Bit>,
    its_level: DFF<Bits<4>>,
    is_open: DFF<Bit>,
    has_some: DFF<Bit>,
    its_ring: DFF<Bits<32>>,
    its_scratchpad: DFF<Bits<32>>,
    entries: DFF<Bits<32>>,
    put: DFF<Bits<32>>,
    // What follows from the word before: one of these is checked for reach; how much there is in the queue.
    names_code: DFF<Bit>,
    names_memory: DFF<Bit>,
    names_task: DFF<Bit>,
    is_high: DFF<Bit>,
    its_last: DFF<Bits<33>>,
    its_reach: DFF<Bits<32>>,
    has_get: DFF<Bit>,
    its_waiting: DFF<Bits<32>>,
    // Combinational.
    own_reach: Signal<Local, Bits<32>>,
    high_enough: Signal<Local, Bit>,
    bound: Signal<Local, Bits<33>>,
    bytes: Signal<Local, Bits<33>>,
    plain: Signal<Local, Bits<32>>,
    last: Signal<Local, Bits<33>>,
    is_within: Signal<Local, Bit>,
    less: Signal<Local, Bits<32>>,
    common: Signal<Local, Bits<32>>,
    one_bit: Signal<Local, Bit>,
    waiting: Signal<Local, Bits<32>>,
    none: Signal<Local, Bit>,
    wrong: Signal<Local, Bits<8>>,
}

#[part(Check)]
fn update(&mut self) {
    if self.fresh.val() {
        self.early_code.d.next = 0.into();
        self.middle_code.d.next = 0.into();
        self.late_code.d.next = 0.into();
        self.ring_wrong.d.next = false;
        self.state_busy.d.next = false;
    }

    // HOST-002, HOST-004: does an address in this word, with what it names, lie within reach?
    self.plain.next = self.word.val();
    self.bytes.next = 128.into();
    if self.index.val() == 12 {
        self.plain.next = self.word.val() & 0xffff_fffe_u64;
        self.bytes.next = 4.into();
        if self.word.val().get_bit(0) {
            self.bytes.next = 16.into();
        }
    }
    self.high_enough.next = self.plain.val() >= self.window_base.val();
    self.own_reach.next = self.window_end.val();
    if self.address.val() >= self.thread_end.val() {
        self.high_enough.next = true;
        self.own_reach.next = self.memory_end.val();
    }
    if self.index.val() == 1 {
        self.high_enough.next = true;
        self.bytes.next = 4.into();
    }
    self.last.next = bit_cast::<33, 32>(self.plain.val()) + self.bytes.val();
    self.is_high.d.next = self.plain.val().get_bits::<20>(12).any() & self.high_enough.val();
    carry!(self.its_*.d <- self: last, reach = own_reach);
    // One cycle later; the window is as it was.
    self.bound.next = bit_cast::<33, 32>(self.its_reach.q.val());
    if self.names_code.q.val() {
        self.bound.next = bit_cast::<33, 32>(self.thread_end.val());
    }
    self.is_within.next = self.is_high.q.val() & (self.its_last.q.val() <= self.bound.val());

    self.less.next = self.word.val() - 1;
    self.common.next = self.word.val() & self.less.val();
    self.one_bit.next = !self.common.val().any();
    self.waiting.next = self.put.q.val() - self.word.val();
    self.none.next = !self.word.val().any();

    // What is wrong with this word.
    self.wrong.next = 0.into();
    if (self.index.val() == 0)
        & ((self.word.val().get_bits::<8>(24) != 0x57)
            | self.word.val().get_bits::<2>(10).any()
            | self.word.val().get_bits::<9>(15).any()
            | (self.word.val().get_bits::<2>(0) == 0)
            | (self.word.val().get_bits::<2>(0) == 3)
            | (self.word.val().get_bits::<2>(8) == 3))
    {
        self.wrong.next = 33.into();
    }
    if (self.index.val() == 1)
        & (self.word.val().get_bits::<2>(0).any() | self.word.val().get_bits::<8>(24).any())
    {
        self.wrong.next = 34.into();
    }
    if (self.index.val() >= 2) & (self.index.val() <= 4) {
        if self.is_queue.q.val() {
            if !self.none.val() {
                self.wrong.next = 35.into();
            }
        } else if self.none.val() | self.word.val().get_bits::<16>(16).any() {
            self.wrong.next = 35.into();
        }
    }
    if (self.index.val() >= 5)
        & (self.index.val() <= 7)
        & (self.none.val() | (self.word.val() > self.most_threads.val()))
    {
        self.wrong.next = 36.into();
    }
    if (self.index.val() == 9)
        & (self.word.val().get_bits::<2>(0).any() | (self.word.val() > self.most_scratchpad.val()))
    {
        self.wrong.next = 37.into();
    }
    if (self.index.val() == 10)
        & (self.word.val().get_bits::<4>(0).any() | (self.word.val() > self.local_limit.val()))
    {
        self.wrong.next = 38.into();
    }
    if (self.index.val() == 12)
        & !self.none.val()
        & (self.word.val().get_bit(1)
            | (self.word.val().get_bit(0) & self.word.val().get_bits::<2>(2).any()))
    {
        self.wrong.next = 39.into();
    }
    if (self.index.val() == 14)
        & !self.none.val()
        & (self.word.val().get_bits::<6>(0).any() | (self.word.val() == self.address.val()))
    {
        self.wrong.next = 40.into();
    }
    if ((self.index.val() == 24) | (self.index.val() == 26))
        & self.word.val().get_bits::<16>(16).any()
    {
        self.wrong.next = 41.into();
    }
    if (self.index.val() >= 27) & !self.none.val() {
        self.wrong.next = 41.into();
    }
    if (self.index.val() >= 16)
        & (self.index.val() <= 23)
        & !self.is_queue.q.val()
        & !self.none.val()
    {
        self.wrong.next = 41.into();
    }
    if self.is_queue.q.val() {
        if (self.index.val() == 17)
            & (self.none.val() | self.word.val().get_bits::<2>(0).any() | (self.word.val() > 4096))
        {
            self.wrong.next = 43.into();
        }
        if (self.index.val() == 18)
            & (!self.one_bit.val() | (self.word.val() < 2) | (self.word.val() > 65536))
        {
            self.wrong.next = 44.into();
        }
        if (self.index.val() == 19) & (self.none.val() | (self.word.val() > self.entries.q.val())) {
            self.wrong.next = 45.into();
        }
    }

    if self.word_valid.val() {
        if self.wrong.val().any() {
            if self.index.val() < 8 {
                if !self.early_code.q.val().any() {
                    self.early_code.d.next = self.wrong.val();
                    self.early_at.d.next = self.index.val();
                }
            } else if self.index.val() < 22 {
                if !self.middle_code.q.val().any() {
                    self.middle_code.d.next = self.wrong.val();
                    self.middle_at.d.next = self.index.val();
                }
            } else if !self.late_code.q.val().any() {
                self.late_code.d.next = self.wrong.val();
                self.late_at.d.next = self.index.val();
            }
        }
        if self.index.val() == 0 {
            self.is_queue.d.next = self.word.val().get_bit(1);
            self.is_head.d.next = self.word.val().get_bit(2);
            self.its_level.d.next = self.word.val().get_bits::<4>(4);
        }
        if self.index.val() == 9 {
            self.its_scratchpad.d.next = self.word.val();
        }
        if self.index.val() == 16 {
            self.its_ring.d.next = self.word.val();
            self.ring_wrong.d.next = self.is_queue.q.val()
                & (self.word.val().get_bits::<2>(0).any()
                    | !self.word.val().get_bits::<20>(12).any());
        }
        if self.index.val() == 18 {
            self.entries.d.next = self.word.val();
        }
        if self.index.val() == 21 {
            self.put.d.next = self.word.val();
        }
        if self.index.val() == 23 {
            self.is_open.d.next = self.is_queue.q.val() & !self.none.val();
        }
        if self.index.val() == 25 {
            self.state_busy.d.next = !self.none.val() & (self.word.val() != 3);
        }
    }

    // ---- One cycle later: what the word before names, and what GET says. What it is wrong by goes before the word of now.
    self.names_code.d.next = self.word_valid.val() & (self.index.val() == 1);
    self.names_memory.d.next = self.word_valid.val() & (self.index.val() == 12) & !self.none.val();
    self.names_task.d.next = self.word_valid.val() & (self.index.val() == 14) & !self.none.val();
    self.has_get.d.next = self.word_valid.val() & (self.index.val() == 22);
    carry!(self.its_*.d <- self: waiting);
    if self.names_code.q.val() & !self.is_within.val() & !self.early_code.q.val().any() {
        self.early_code.d.next = 34.into();
        self.early_at.d.next = 1.into();
    }
    if self.names_memory.q.val() & !self.is_within.val() & !self.middle_code.q.val().any() {
        self.middle_code.d.next = 39.into();
        self.middle_at.d.next = 12.into();
    }
    if self.names_task.q.val() & !self.is_within.val() & !self.middle_code.q.val().any() {
        self.middle_code.d.next = 40.into();
        self.middle_at.d.next = 14.into();
    }
    if self.has_get.q.val() {
        self.has_some.d.next = self.its_waiting.q.val().any();
        if self.is_queue.q.val()
            & (self.its_waiting.q.val() > self.entries.q.val())
            & !self.late_code.q.val().any()
        {
            self.late_code.d.next = 46.into();
            self.late_at.d.next = 22.into();
        }
    }

    // The order of the codes: the last assignment counts.
    self.code.next = 0.into();
    self.at.next = 25.into();
    if self.state_busy.q.val() {
        self.code.next = 47.into();
    }
    if self.late_code.q.val().any() {
        carry!(self <- self.late_*.q: code, at);
    }
    if self.is_queue.q.val() & (self.ring_wrong.q.val() | self.ring_beyond.val()) {
        self.code.next = 42.into();
        self.at.next = 16.into();
    }
    if self.middle_code.q.val().any() {
        carry!(self <- self.middle_*.q: code, at);
    }
    if self.product_grid.val() & !self.is_queue.q.val() {
        self.code.next = 35.into();
        self.at.next = 4.into();
    }
    if self.product_threads.val() {
        self.code.next = 36.into();
        self.at.next = 7.into();
    }
    if self.early_code.q.val().any() {
        carry!(self <- self.early_*.q: code, at);
    }

    carry!(self <- self.*.q: queue = is_queue, head = is_head, level = its_level, open = is_open);
    carry!(self <- self.*.q: some = has_some, ring = its_ring, scratchpad = its_scratchpad);
}
