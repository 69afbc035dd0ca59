//! Reads a descriptor, checks it, and works out what starting its CTAs needs (TASK-020, TASK-030); or reads a place of the
//! table, where all that stands (TASK-022, TASK-040).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `again`, `direct`, `high` | in | 1 | pulse: read; a place; a load as soon as it is inserted (TASK-045); what names it lies at or above THREAD_END. All but `start` hold |
//! | `address`, `refusal` | in | 32, 8 | the descriptor, or the place; not 0: why nothing may be inserted that is not loaded at once |
//! | `domain_id` | in | 3 | of who names it; it holds |
//! | settings of `Check`; `warp_round`, `warp_bits`, `granule_round`, `granule_bits` | in | 32, 3, 32, 4 | W − 1, log2 W; G − 1, log2 G |
//! | `streams`, `taken` | out, in | 1 | requests follow each other without an answer between; one is taken |
//! | `ask_*`, `told_*`; `ram_*`; `math_*` | | | memory, RAM and arithmetic, as in `Tasks` |
//! | `checked` | out | 1 | pulse, of a direct load: it may be inserted, so its hardware words can be written |
//! | `come`, `reads` | out | 6, 1 | words that are in the RAM; `ram_read_at` counts |
//! | `ready` | out | 1 | of a direct load that is `checked`: word 30 is in the RAM, and all others are as soon as a starter comes to them |
//! | `done`, `code`, `place` | out | 1, 8, 32 | pulse: it is over; what is wrong, 0 if nothing, and where. Of a direct load that is `checked`, `busy` says it |
//! | `busy` | out | 1 | it is not over |
//! | `waits`, `count`, `some_named` | out | 1, 16, 1 | as `waits`, `count`, `some` of `Naming`: with `waits` it is not inserted, and `done` says it also of a direct load |
//! | `owner`, `link`, `of_threads`, `failed` | out | 32, 16, 1, 1 | of a place: words 27, 31, 30 |
//! | `left`, `limit` | out | 1, 32 | it has a CTA to start; its LIMIT; other fields as in `Check` |
//!
//! # Words of the RAM
//! The same as of a place. As in the descriptor, but 16, 17, 20: place of a grid's next CTA; 24: CTAs of a grid; 25: threads
//! of all (of a queue: T); 26: CTAs that have been started; 27: the descriptor; 28, 29: numbers of the next CTA's first
//! thread and first warp; 30: T [15:0], warps of a CTA [23:16], its granules [29:24], a CTA has failed [30], of threads
//! [31]; 31, of a place alone: the one behind it in its list.
//!
//! # Cycle behaviour
//! Two lines of 16 words, a request in each cycle. What the checks need of products is worked out while words come.
//! Then, but of a place, 10 cycles of writes to the RAM.
//!
//! # Errors
//! `code`.

use super::check::Check;
use super::naming::Naming;
use crate::hdl::*;

#[module(kernel(Words, Work))]
pub struct Reader {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub again: Signal<In, Bit>,
    pub direct: Signal<In, Bit>,
    pub high: Signal<In, Bit>,
    pub address: Signal<In, Bits<32>>,
    pub refusal: Signal<In, Bits<8>>,
    pub memory_end: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub domain_id: Signal<In, Bits<3>>,
    pub window_base: Signal<In, Bits<32>>,
    pub window_end: Signal<In, Bits<32>>,
    pub local_limit: Signal<In, Bits<32>>,
    pub most_threads: Signal<In, Bits<32>>,
    pub most_scratchpad: Signal<In, Bits<32>>,
    pub warp_round: Signal<In, Bits<32>>,
    pub warp_bits: Signal<In, Bits<3>>,
    pub granule_round: Signal<In, Bits<32>>,
    pub granule_bits: Signal<In, Bits<4>>,
    pub streams: Signal<Out, Bit>,
    pub ask: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub ask_more: Signal<Out, Bits<4>>,
    pub taken: Signal<In, Bit>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    pub told_data: Signal<In, Bits<32>>,
    pub ram_write: Signal<Out, Bit>,
    pub ram_write_at: Signal<Out, Bits<5>>,
    pub ram_write_data: Signal<Out, Bits<32>>,
    pub ram_read_at: Signal<Out, Bits<5>>,
    pub ram_data: Signal<In, Bits<32>>,
    pub math_start: Signal<Out, Bit>,
    pub math_a: Signal<Out, Bits<32>>,
    pub math_b: Signal<Out, Bits<32>>,
    pub math_done: Signal<In, Bit>,
    pub math_result: Signal<In, Bits<32>>,
    pub math_over: Signal<In, Bit>,
    pub come: Signal<Out, Bits<6>>,
    pub reads: Signal<Out, Bit>,
    pub checked: Signal<Out, Bit>,
    pub ready: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub code: Signal<Out, Bits<8>>,
    pub place: Signal<Out, Bits<32>>,
    pub busy: Signal<Out, Bit>,
    pub waits: Signal<Out, Bit>,
    pub count: Signal<Out, Bits<16>>,
    pub some_named: Signal<Out, Bit>,
    pub owner: Signal<Out, Bits<32>>,
    pub of_threads: Signal<Out, Bit>,
    pub queue: Signal<Out, Bit>,
    pub head: Signal<Out, Bit>,
    pub level: Signal<Out, Bits<4>>,
    pub link: Signal<Out, Bits<16>>,
    pub failed: Signal<Out, Bit>,
    pub open: Signal<Out, Bit>,
    pub left: Signal<Out, Bit>,
    pub limit: Signal<Out, Bits<32>>,
    check: Check,
    naming: Naming,
    step: DFF<At>,
    // Words that have been asked for; words that are there.
    asked: DFF<Bits<6>>,
    index: DFF<Bits<6>>,
    fill: DFF<Bits<4>>,
    // A product: 0 none, 1 and 2 fetch its operands, 3 starts it, 4 waits for it, 5 waits for more words.
    work: DFF<Bits<3>>,
    op: DFF<Bits<4>>,
    a: DFF<Bits<32>>,
    // T; CTAs of a grid; threads of all of them.
    threads: DFF<Bits<32>>,
    ctas: DFF<Bits<32>>,
    all: DFF<Bits<32>>,
    too_many: DFF<Bit>,
    too_large: DFF<Bit>,
    beyond: DFF<Bit>,
    ring_room: DFF<Bits<33>>,
    its_limit: DFF<Bits<32>>,
    its_code: DFF<Bits<8>>,
    its_place: DFF<Bits<32>>,
    lost: DFF<Bit>,
    // Of a place.
    its_owner: DFF<Bits<32>>,
    its_link: DFF<Bits<16>>,
    has_failed: DFF<Bit>,
    is_of_threads: DFF<Bit>,
    // Combinational.
    arrives: Signal<Local, Bit>,
    its_index: Signal<Local, Bits<5>>,
    bound: Signal<Local, Bits<33>>,
    last: Signal<Local, Bits<33>>,
    high_enough: Signal<Local, Bit>,
    there: Signal<Local, Bit>,
    ask_at: Signal<Local, Bits<5>>,
    a_at: Signal<Local, Bits<5>>,
    b_at: Signal<Local, Bits<5>>,
    next_b_at: Signal<Local, Bits<5>>,
    is_beyond: Signal<Local, Bit>,
    padded: Signal<Local, Bits<32>>,
    padded_scratchpad: Signal<Local, Bits<32>>,
    warps: Signal<Local, Bits<32>>,
    granules: Signal<Local, Bits<32>>,
    named_low: Signal<Local, Bit>,
    needs: Signal<Local, Bits<32>>,
    its_header: Signal<Local, Bits<32>>,
    filled: Signal<Local, Bit>,
}

/// What the cycle does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum At {
    Rest,
    /// Looks whether the descriptor is there.
    Look,
    /// Words come.
    Words,
    /// All is known.
    Verdict,
    /// Writes the RAM.
    Fill,
    Done,
}

/// Words come, are checked, and the RAM is filled.
pub struct Words;

#[part(Reader, Words)]
fn update(&mut self) {
    carry!(self.check <- self: fresh = start, address);
    self.arrives.next = (self.step.q.val() == At::Words) & self.told.val();
    self.its_index.next = self.index.q.val().get_bits::<5>(0);
    spread!(self.*.word_valid <- self.arrives: check, naming);
    spread!(self.*.index <- self.its_index: check, naming);
    spread!(self.*.word <- self.told_data: check, naming);
    carry!(self.check <- self: memory_end, thread_end, window_base, window_end);
    carry!(self.check <- self: local_limit, most_threads, most_scratchpad);
    carry!(self.check <- self.*.q: product_threads = too_many, product_grid = too_large);
    self.check.ring_beyond.next = self.beyond.q.val();
    carry!(self <- self.naming: waits, count, some_named = some);

    self.streams.next = self.step.q.val() == At::Words;
    self.ask.next = false;
    self.ask_at.next = self.asked.q.val().get_bits::<5>(0);
    self.ask_address.next = self.address.val() + (bit_cast::<32, 5>(self.ask_at.val()) << 2);
    self.ask_more.next = !self.asked.q.val().get_bits::<4>(0);
    self.ram_write.next = false;
    self.ram_write_at.next = self.index.q.val().get_bits::<5>(0);
    self.ram_write_data.next = self.told_data.val();
    self.ram_read_at.next = 0.into();
    self.math_start.next = false;
    self.checked.next = false;
    self.done.next = false;

    self.bound.next = bit_cast::<33, 32>(self.window_end.val());
    self.high_enough.next = self.address.val() >= self.window_base.val();
    if self.high.val() {
        self.high_enough.next = true;
        self.bound.next = bit_cast::<33, 32>(self.memory_end.val());
    }
    self.last.next = bit_cast::<33, 32>(self.address.val()) + 128;
    self.there.next = !self.address.val().get_bits::<6>(0).any()
        & self.address.val().get_bits::<20>(12).any()
        & self.high_enough.val()
        & (self.last.val() <= self.bound.val());

    // ---- The products, in their order: operands. Operand a of 1, 3 and 4
    // is the result before, operand b of 4 is T.
    self.a_at.next = 5.into();
    self.b_at.next = 6.into();
    self.next_b_at.next = 7.into();
    if self.op.q.val() == 2 {
        self.a_at.next = 2.into();
        self.b_at.next = 3.into();
        self.next_b_at.next = 4.into();
    }
    if self.op.q.val() == 5 {
        self.a_at.next = 17.into();
        self.b_at.next = 18.into();
    }
    self.math_a.next = self.a.q.val();
    self.math_b.next = self.ram_data.val();
    if self.op.q.val() == 4 {
        self.math_b.next = self.threads.q.val();
    }
    // Bytes from the ring on, from before its product; bit 32: it lies beyond.
    self.ring_room.d.next =
        bit_cast::<33, 32>(self.thread_end.val()) - bit_cast::<33, 32>(self.check.ring.val());
    self.is_beyond.next = self.ring_room.q.val().get_bit(32)
        | (self.math_result.val() > self.ring_room.q.val().get_bits::<32>(0));
    self.padded.next = self.threads.q.val() + self.warp_round.val();
    self.padded_scratchpad.next = self.check.scratchpad.val() + self.granule_round.val();

    // ---- Words.
    self.its_header.next =
        (self.told_data.val() & 0xffff_8fff_u64) | (bit_cast::<32, 3>(self.domain_id.val()) << 12);
    if self.step.q.val() == At::Look {
        self.step.d.next = At::Words;
        self.its_place.d.next = self.address.val();
        if !self.there.val() & !self.again.val() {
            self.its_code.d.next = 32.into();
            self.step.d.next = At::Done;
        }
    }
    if self.step.q.val() == At::Words {
        self.ask.next = !self.asked.q.val().get_bit(5);
        if self.taken.val() {
            self.asked.d.next = self.asked.q.val() + 1;
        }
        if self.told.val() {
            self.ram_write.next = true;
            // The header's domain counts where no thread writes.
            if !self.index.q.val().any()
                & !self.again.val()
                & (self.address.val() < self.thread_end.val())
            {
                self.ram_write_data.next = self.its_header.val();
            }
            self.index.d.next = self.index.q.val() + 1;
            if (self.index.q.val() == 7) & !self.again.val() {
                self.work.d.next = 1.into();
            }
            if self.index.q.val() == 15 {
                self.its_limit.d.next = self.told_data.val();
            }
            if self.index.q.val() == 27 {
                self.its_owner.d.next = self.told_data.val();
            }
            if self.index.q.val() == 30 {
                self.has_failed.d.next = self.told_data.val().get_bit(30);
                self.is_of_threads.d.next = self.told_data.val().get_bit(31);
            }
            if self.index.q.val() == 31 {
                self.its_link.d.next = self.told_data.val().get_bits::<16>(0);
            }
            if self.told_error.val() & !self.lost.q.val() {
                self.its_code.d.next = 53.into();
                self.its_place.d.next =
                    self.address.val() + (bit_cast::<32, 6>(self.index.q.val()) << 2);
                self.lost.d.next = true;
            }
        }
        if self.index.q.val().get_bit(5) & !self.work.q.val().any() {
            self.step.d.next = At::Verdict;
        }
    }
    if self.step.q.val() == At::Verdict {
        self.step.d.next = At::Done;
        if !self.lost.q.val() & !self.again.val() {
            self.its_code.d.next = self.check.code.val();
            self.its_place.d.next =
                self.address.val() + (bit_cast::<32, 5>(self.check.at.val()) << 2);
            // It is counted, and needs no place (TASK-027).
            if !self.check.code.val().any() & !self.naming.waits.val() {
                if !self.direct.val() & self.refusal.val().any() {
                    self.its_code.d.next = self.refusal.val();
                    self.its_place.d.next = self.address.val();
                } else {
                    self.step.d.next = At::Fill;
                }
            }
        }
    }

    // ---- What the RAM has besides. No CTA has been started.
    self.filled.next = false;
    self.warps.next = self.padded.val() >> self.warp_bits.val();
    self.granules.next = self.padded_scratchpad.val() >> self.granule_bits.val();
    self.named_low.next = !self.high.val();
    self.needs.next = self.threads.q.val()
        | (self.warps.val() << 16)
        | (self.granules.val() << 24)
        | (bit_cast::<32, 1>(self.named_low.val().into()) << 31);
    if self.step.q.val() == At::Fill {
        self.checked.next = self.direct.val() & !self.fill.q.val().any();
        self.ram_write.next = true;
        self.ram_write_data.next = 0.into();
        self.fill.d.next = self.fill.q.val() + 1;
        if self.fill.q.val() == 0 {
            self.ram_write_at.next = 30.into();
            self.ram_write_data.next = self.needs.val();
        }
        if self.fill.q.val() == 1 {
            self.ram_write_at.next = 25.into();
            self.ram_write_data.next = self.all.q.val();
            if self.check.queue.val() {
                self.ram_write_data.next = self.threads.q.val();
            }
        }
        if self.fill.q.val() == 2 {
            self.ram_write_at.next = 26.into();
        }
        if self.fill.q.val() == 3 {
            self.ram_write_at.next = 28.into();
        }
        if self.fill.q.val() == 4 {
            self.ram_write_at.next = 29.into();
        }
        if self.fill.q.val() == 5 {
            self.ram_write_at.next = 24.into();
            self.ram_write_data.next = self.ctas.q.val();
        }
        if self.fill.q.val() == 6 {
            self.ram_write_at.next = 27.into();
            self.ram_write_data.next = self.address.val();
            self.filled.next = self.check.queue.val();
        }
        if self.fill.q.val() == 7 {
            self.ram_write_at.next = 16.into();
        }
        if self.fill.q.val() == 8 {
            self.ram_write_at.next = 17.into();
        }
        if self.fill.q.val() == 9 {
            self.ram_write_at.next = 20.into();
            self.filled.next = true;
        }
    }
    self.come.next = self.index.q.val();
    // A starter reads each of these words ten cycles behind `ready` at the earliest, and writes none before the eleventh.
    self.ready.next = (self.step.q.val() == At::Fill) & self.fill.q.val().any();
}

/// Products; the end.
pub struct Work;

#[part(Reader, Work)]
fn update(&mut self) {
    // ---- A product.
    self.reads.next = (self.work.q.val() == 1)
        | (self.work.q.val() == 2)
        | ((self.work.q.val() == 4) & self.math_done.val());
    if self.work.q.val() == 1 {
        self.ram_read_at.next = self.a_at.val();
        self.work.d.next = 2.into();
    }
    if self.work.q.val() == 2 {
        self.ram_read_at.next = self.b_at.val();
        self.a.d.next = self.ram_data.val();
        self.work.d.next = 3.into();
    }
    if self.work.q.val() == 3 {
        self.math_start.next = true;
        self.work.d.next = 4.into();
    }
    if self.work.q.val() == 4 {
        self.ram_read_at.next = self.next_b_at.val();
        if self.math_done.val() {
            self.a.d.next = self.math_result.val();
            self.op.d.next = self.op.q.val() + 1;
            self.work.d.next = 1.into();
            if (self.op.q.val() == 0) | (self.op.q.val() == 2) | (self.op.q.val() == 3) {
                self.work.d.next = 3.into();
            }
            if self.op.q.val() == 0 {
                self.too_many.d.next = self.math_over.val();
            }
            if self.op.q.val() == 1 {
                self.threads.d.next = self.math_result.val();
                self.too_many.d.next = self.too_many.q.val()
                    | self.math_over.val()
                    | (self.math_result.val() > self.most_threads.val());
                if self.check.queue.val() {
                    self.op.d.next = 5.into();
                    self.work.d.next = 5.into();
                }
            }
            if (self.op.q.val() == 2) | (self.op.q.val() == 3) | (self.op.q.val() == 4) {
                self.too_large.d.next = self.too_large.q.val() | self.math_over.val();
            }
            if self.op.q.val() == 3 {
                self.ctas.d.next = self.math_result.val();
            }
            if self.op.q.val() == 4 {
                self.all.d.next = self.math_result.val();
                self.work.d.next = 0.into();
            }
            if self.op.q.val() == 5 {
                self.beyond.d.next = self.math_over.val() | self.is_beyond.val();
                self.work.d.next = 0.into();
            }
        }
    }
    if (self.work.q.val() == 5) & (self.index.q.val() > 18) {
        self.work.d.next = 1.into();
    }

    // ---- The end.
    if self.filled.val() {
        self.step.d.next = At::Done;
        if self.direct.val() {
            self.step.d.next = At::Rest;
        }
    }
    if self.step.q.val() == At::Done {
        self.done.next = true;
        self.step.d.next = At::Rest;
    }
    if self.start.val() {
        self.step.d.next = At::Look;
        self.asked.d.next = 0.into();
        self.index.d.next = 0.into();
        self.fill.d.next = 0.into();
        self.work.d.next = 0.into();
        self.op.d.next = 0.into();
        self.its_code.d.next = 0.into();
        self.lost.d.next = false;
        self.too_many.d.next = false;
        self.too_large.d.next = false;
        self.beyond.d.next = false;
    }

    carry!(self <- self.its_*.q: code, place);
    self.busy.next = self.step.q.val() != At::Rest;
    self.owner.next = self.its_owner.q.val();
    carry!(self <- self.*.q: link = its_link, of_threads = is_of_threads, failed = has_failed);
    if self.direct.val() {
        self.failed.next = false;
    }
    carry!(self <- self.check: queue, head, level, open);
    self.limit.next = self.its_limit.q.val();
    self.left.next = true;
    if self.check.queue.val() {
        self.left.next = self.check.some.val();
    }
    if self.reset.val() {
        self.step.d.next = At::Rest;
        self.work.d.next = 0.into();
    }
}
