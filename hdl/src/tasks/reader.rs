//! Reads a descriptor, checks it, and works out what starting its CTAs needs (TASK-020, TASK-030, TASK-040, TASK-041).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `again`, `high` | in | 1 | pulse: read; a load, of an accepted one; what names it lies at or above THREAD_END. All but `start` hold |
//! | `address` | in | 32 | the descriptor |
//! | settings of `Check`; `warp_round`, `warp_bits`, `granule_round`, `granule_bits` | in | 32, 3, 32, 4 | W − 1, log2 W; G − 1, log2 G |
//! | `ask_*`, `told_*`; `ram_*`; `math_*` | | | memory, RAM and arithmetic, as in `Tasks` |
//! | `done`, `code`, `place` | out | 1, 8, 32 | pulse: it is over; what is wrong, 0 if nothing, and where |
//! | `list_lost` | out | 1 | of a load: the rest of its list cannot be known |
//! | `left` | out | 1 | it has a CTA to start; other fields as in `Check` |
//!
//! # Words of the RAM after a load
//! As in memory, but 15: T; 16, 17, 20: place of a grid's next CTA; 24: CTAs of a grid; 25: threads of all (of a queue:
//! T); 28, 29: numbers of the next CTA's first thread and first warp; 30: warps of a CTA; 31: its granules.
//!
//! # Cycle behaviour
//! 32 reads, one after the other, then up to nine products and quotients.
//! A descriptor that is accepted again is marked active (STATE = 2) or dropped (STATE = 3) at last.
//!
//! # Errors
//! `code`.

use super::check::Check;
use crate::hdl::*;

#[derive(LogicBlock, Default)]
pub struct Reader {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub again: Signal<In, Bit>,
    pub high: Signal<In, Bit>,
    pub address: Signal<In, Bits<32>>,
    pub memory_end: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub local_limit: Signal<In, Bits<32>>,
    pub most_threads: Signal<In, Bits<32>>,
    pub most_scratchpad: Signal<In, Bits<32>>,
    pub warp_round: Signal<In, Bits<32>>,
    pub warp_bits: Signal<In, Bits<3>>,
    pub granule_round: Signal<In, Bits<32>>,
    pub granule_bits: Signal<In, Bits<4>>,
    pub ask: Signal<Out, Bit>,
    pub ask_write: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub ask_data: Signal<Out, Bits<32>>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    pub told_data: Signal<In, Bits<32>>,
    pub ram_write: Signal<Out, Bit>,
    pub ram_write_at: Signal<Out, Bits<5>>,
    pub ram_write_data: Signal<Out, Bits<32>>,
    pub ram_read_at: Signal<Out, Bits<5>>,
    pub ram_data: Signal<In, Bits<32>>,
    pub math_start: Signal<Out, Bit>,
    pub math_divide: Signal<Out, Bit>,
    pub math_a: Signal<Out, Bits<32>>,
    pub math_b: Signal<Out, Bits<32>>,
    pub math_done: Signal<In, Bit>,
    pub math_result: Signal<In, Bits<32>>,
    pub math_rest: Signal<In, Bits<32>>,
    pub math_over: Signal<In, Bit>,
    pub done: Signal<Out, Bit>,
    pub code: Signal<Out, Bits<8>>,
    pub place: Signal<Out, Bits<32>>,
    pub list_lost: Signal<Out, Bit>,
    pub queue: Signal<Out, Bit>,
    pub head: Signal<Out, Bit>,
    pub level: Signal<Out, Bits<4>>,
    pub link: Signal<Out, Bits<32>>,
    pub failed: Signal<Out, Bit>,
    pub open: Signal<Out, Bit>,
    pub left: Signal<Out, Bit>,
    check: Check,
    step: DFF<Bits<4>>,
    index: DFF<Bits<5>>,
    op: DFF<Bits<4>>,
    a: DFF<Bits<32>>,
    // T; CTAs of a grid.
    threads: DFF<Bits<32>>,
    ctas: DFF<Bits<32>>,
    too_many: DFF<Bit>,
    too_large: DFF<Bit>,
    beyond: DFF<Bit>,
    has_left: DFF<Bit>,
    its_code: DFF<Bits<8>>,
    its_place: DFF<Bits<32>>,
    lost: DFF<Bit>,
    // Combinational.
    bound: Signal<Local, Bits<33>>,
    last: Signal<Local, Bits<33>>,
    there: Signal<Local, Bit>,
    a_at: Signal<Local, Bits<5>>,
    b_at: Signal<Local, Bits<5>>,
    to: Signal<Local, Bits<5>>,
    stores: Signal<Local, Bit>,
    chained: Signal<Local, Bit>,
    ring_last: Signal<Local, Bits<33>>,
    wide_result: Signal<Local, Bits<33>>,
    padded: Signal<Local, Bits<32>>,
    padded_scratchpad: Signal<Local, Bits<32>>,
}

impl Logic for Reader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, step, index, op, a, threads, ctas, too_many, too_large, beyond, has_left,
            its_code, its_place, lost
        );
        clock!(self, clock, check);
        self.check.fresh.next = self.start.val();
        self.check.again.next = self.again.val();
        self.check.address.next = self.address.val();
        self.check.word_valid.next = false;
        self.check.index.next = self.index.q.val();
        self.check.word.next = self.told_data.val();
        self.check.memory_end.next = self.memory_end.val();
        self.check.thread_end.next = self.thread_end.val();
        self.check.local_limit.next = self.local_limit.val();
        self.check.most_threads.next = self.most_threads.val();
        self.check.most_scratchpad.next = self.most_scratchpad.val();
        self.check.product_threads.next = self.too_many.q.val();
        self.check.product_grid.next = self.too_large.q.val();
        self.check.ring_beyond.next = self.beyond.q.val();

        self.ask.next = false;
        self.ask_write.next = false;
        self.ask_address.next = self.address.val() + (bit_cast::<32, 5>(self.index.q.val()) << 2);
        self.ask_data.next = 2.into();
        self.ram_write.next = false;
        self.ram_write_at.next = self.index.q.val();
        self.ram_write_data.next = self.told_data.val();
        self.ram_read_at.next = 0.into();
        self.math_start.next = false;
        self.done.next = false;

        self.bound.next = bit_cast::<33, 32>(self.thread_end.val());
        if self.high.val() {
            self.bound.next = bit_cast::<33, 32>(self.memory_end.val());
        }
        self.last.next = bit_cast::<33, 32>(self.address.val()) + 128;
        self.there.next = !self.address.val().get_bits::<6>(0).any()
            & self.address.val().get_bits::<20>(12).any()
            & (self.last.val() <= self.bound.val());

        // The products and quotients, in their order: operands and where the result goes.
        self.a_at.next = 5.into();
        self.b_at.next = 6.into();
        self.to.next = 15.into();
        self.stores.next = false;
        self.chained.next = false;
        self.math_divide.next = false;
        if self.op.q.val() == 1 {
            self.chained.next = true;
            self.b_at.next = 7.into();
            self.stores.next = true;
        }
        if self.op.q.val() == 2 {
            self.a_at.next = 2.into();
            self.b_at.next = 3.into();
        }
        if self.op.q.val() == 3 {
            self.chained.next = true;
            self.b_at.next = 4.into();
            self.stores.next = true;
            self.to.next = 24.into();
        }
        if self.op.q.val() == 4 {
            self.chained.next = true;
            self.b_at.next = 15.into();
            self.stores.next = true;
            self.to.next = 25.into();
        }
        if self.op.q.val() == 5 {
            self.a_at.next = 17.into();
            self.b_at.next = 18.into();
        }
        if self.op.q.val() == 6 {
            self.a_at.next = 26.into();
            self.b_at.next = 15.into();
            self.stores.next = true;
            self.to.next = 28.into();
        }
        if self.op.q.val() == 7 {
            self.a_at.next = 26.into();
            self.b_at.next = 30.into();
            self.stores.next = true;
            self.to.next = 29.into();
        }
        if self.op.q.val() == 8 {
            self.math_divide.next = true;
            self.a_at.next = 26.into();
            self.b_at.next = 2.into();
            self.stores.next = true;
            self.to.next = 16.into();
        }
        if self.op.q.val() == 9 {
            self.math_divide.next = true;
            self.chained.next = true;
            self.b_at.next = 3.into();
            self.stores.next = true;
            self.to.next = 17.into();
        }
        self.math_a.next = self.a.q.val();
        self.math_b.next = self.ram_data.val();
        self.wide_result.next = bit_cast::<33, 32>(self.math_result.val());
        self.ring_last.next = bit_cast::<33, 32>(self.check.ring.val()) + self.wide_result.val();
        self.padded.next = self.threads.q.val() + self.warp_round.val();
        self.padded_scratchpad.next = self.check.scratchpad.val() + self.granule_round.val();

        if self.step.q.val() == 1 {
            self.step.d.next = 2.into();
            if !self.there.val() {
                self.its_code.d.next = 32.into();
                self.its_place.d.next = self.address.val();
                self.step.d.next = 12.into();
            }
        }
        if self.step.q.val() == 2 {
            self.ask.next = true;
            if self.told.val() {
                self.check.word_valid.next = true;
                self.ram_write.next = true;
                self.index.d.next = self.index.q.val() + 1;
                if self.index.q.val().all() {
                    self.step.d.next = 3.into();
                }
                if self.told_error.val() {
                    self.its_code.d.next = 53.into();
                    self.its_place.d.next = self.ask_address.val();
                    self.lost.d.next = true;
                    self.step.d.next = 12.into();
                }
            }
        }
        if self.step.q.val() == 3 {
            self.ram_read_at.next = self.a_at.val();
            self.step.d.next = 4.into();
        }
        if self.step.q.val() == 4 {
            self.ram_read_at.next = self.b_at.val();
            if !self.chained.val() {
                self.a.d.next = self.ram_data.val();
            }
            self.step.d.next = 5.into();
        }
        if self.step.q.val() == 5 {
            self.math_start.next = true;
            self.step.d.next = 6.into();
            if self.op.q.val() == 6 {
                self.has_left.d.next = self.a.q.val() < self.ctas.q.val();
            }
        }
        if (self.step.q.val() == 6) & self.math_done.val() {
            self.ram_write.next = self.stores.val();
            self.ram_write_at.next = self.to.val();
            self.ram_write_data.next = self.math_result.val();
            if self.math_divide.val() {
                self.ram_write_data.next = self.math_rest.val();
            }
            self.a.d.next = self.math_result.val();
            self.op.d.next = self.op.q.val() + 1;
            self.step.d.next = 3.into();
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
                }
            }
            if (self.op.q.val() == 2) | (self.op.q.val() == 3) | (self.op.q.val() == 4) {
                self.too_large.d.next = self.too_large.q.val() | self.math_over.val();
            }
            if self.op.q.val() == 3 {
                self.ctas.d.next = self.math_result.val();
            }
            if self.op.q.val() == 4 {
                self.step.d.next = 7.into();
                self.op.d.next = 6.into();
            }
            if self.op.q.val() == 5 {
                self.beyond.d.next = self.math_over.val()
                    | (self.ring_last.val() > bit_cast::<33, 32>(self.thread_end.val()));
                self.step.d.next = 7.into();
            }
            if (self.op.q.val() == 7) & self.check.queue.val() {
                self.step.d.next = 11.into();
            }
            if self.op.q.val() == 9 {
                self.step.d.next = 10.into();
            }
        }
        if self.step.q.val() == 7 {
            // All is known. Of a queue the threads of all are T.
            self.its_code.d.next = self.check.code.val();
            self.its_place.d.next =
                self.address.val() + (bit_cast::<32, 5>(self.check.at.val()) << 2);
            self.lost.d.next = self.check.list.val();
            self.ram_write.next = self.check.queue.val();
            self.ram_write_at.next = 25.into();
            self.ram_write_data.next = self.threads.q.val();
            self.step.d.next = 8.into();
            if self.check.code.val().any() {
                self.step.d.next = 11.into();
            }
            if !self.again.val() | self.check.list.val() {
                self.step.d.next = 12.into();
            }
        }
        if self.step.q.val() == 8 {
            self.ram_write.next = true;
            self.ram_write_at.next = 30.into();
            self.ram_write_data.next = self.padded.val() >> self.warp_bits.val();
            self.step.d.next = 9.into();
        }
        if self.step.q.val() == 9 {
            self.ram_write.next = true;
            self.ram_write_at.next = 31.into();
            self.ram_write_data.next = self.padded_scratchpad.val() >> self.granule_bits.val();
            self.step.d.next = 3.into();
        }
        if self.step.q.val() == 10 {
            self.ram_write.next = true;
            self.ram_write_at.next = 20.into();
            self.ram_write_data.next = self.a.q.val();
            self.step.d.next = 11.into();
        }
        if self.step.q.val() == 11 {
            self.ask.next = true;
            self.ask_write.next = true;
            self.ask_address.next = self.address.val() + 100;
            if self.its_code.q.val().any() {
                self.ask_data.next = 3.into();
            }
            if self.told.val() {
                self.step.d.next = 12.into();
                if self.told_error.val() {
                    self.its_code.d.next = 53.into();
                    self.its_place.d.next = self.ask_address.val();
                }
            }
        }
        if self.step.q.val() == 12 {
            self.done.next = true;
            self.step.d.next = 0.into();
        }
        if self.start.val() {
            self.step.d.next = 1.into();
            self.index.d.next = 0.into();
            self.op.d.next = 0.into();
            self.its_code.d.next = 0.into();
            self.lost.d.next = false;
            self.too_many.d.next = false;
            self.too_large.d.next = false;
            self.beyond.d.next = false;
        }

        self.code.next = self.its_code.q.val();
        self.place.next = self.its_place.q.val();
        self.list_lost.next = self.lost.q.val();
        self.queue.next = self.check.queue.val();
        self.head.next = self.check.head.val();
        self.level.next = self.check.level.val();
        self.link.next = self.check.link.val();
        self.failed.next = self.check.failed.val();
        self.open.next = self.check.open.val();
        self.left.next = self.has_left.q.val();
        if self.check.queue.val() {
            self.left.next = self.check.some.val();
        }
        if self.reset.val() {
            self.step.d.next = 0.into();
        }
    }
}
