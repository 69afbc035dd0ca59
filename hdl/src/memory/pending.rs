//! Accesses that are not over, by warp.
//!
//! Spec: `docs/spec/memory.md`, MEM-014.
//!
//! # Parameters
//! `NW` warps, a power of two; `WI` = log2 NW; `QC` bits of a count of passes that wait, `FC` of accesses under way.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `queued`, `queued_warp` | in | 1, WI | a pass enters the queue |
//! | `placed`, `placed_warp` | in | 1, WI | a pass is in the order of memory |
//! | `begins_row`, `begins_write` | in | 1 | and leaves a row, a write under way (of `placed_warp`, also without `placed`) |
//! | `row_over`, `row_warp` | in | 1, WI | a row is over |
//! | `write_over`, `write_warp` | in | 1, WI | a write is over |
//! | `under_way` | out | NW | the warp has rows or writes under way |
//! | `pending` | out | NW | or passes that wait |
//!
//! # Cycle behaviour
//! Both outputs come from registers beside the counters: what happens in a cycle shows in the next one.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[module(requires(NW == 1 << WI, FC >= 2))]
pub struct Pending<const NW: usize, const WI: usize, const QC: usize, const FC: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub queued: Signal<In, Bit>,
    pub queued_warp: Signal<In, Bits<WI>>,
    pub placed: Signal<In, Bit>,
    pub placed_warp: Signal<In, Bits<WI>>,
    pub begins_row: Signal<In, Bit>,
    pub begins_write: Signal<In, Bit>,
    pub row_over: Signal<In, Bit>,
    pub row_warp: Signal<In, Bits<WI>>,
    pub write_over: Signal<In, Bit>,
    pub write_warp: Signal<In, Bits<WI>>,
    pub under_way: Signal<Out, Bits<NW>>,
    pub pending: Signal<Out, Bits<NW>>,
    #[always]
    #[many(NW)]
    waits: Vec<DFF<Bits<QC>>>,
    #[always]
    #[many(NW)]
    flies: Vec<DFF<Bits<FC>>>,
    #[many(NW)]
    is_placed: Vec<Signal<Local, Bit>>,
    #[many(NW)]
    more: Vec<Signal<Local, Bits<FC>>>,
    #[many(NW)]
    row_here: Vec<Signal<Local, Bit>>,
    #[many(NW)]
    write_here: Vec<Signal<Local, Bit>>,
    #[many(NW)]
    held: Vec<Signal<Local, Bits<FC>>>,
    #[many(NW)]
    one_less: Vec<Signal<Local, Bits<FC>>>,
    #[many(NW)]
    two_less: Vec<Signal<Local, Bits<FC>>>,
    // State: the counter of the warp is not 0.
    some_wait: DFF<Bits<NW>>,
    some_fly: DFF<Bits<NW>>,
    #[many(NW)]
    next_waits: Vec<Signal<Local, Bits<QC>>>,
    #[many(NW)]
    next_flies: Vec<Signal<Local, Bits<FC>>>,
    #[many(NW)]
    flies_on: Vec<Signal<Local, Bit>>,
    still_wait: Signal<Local, Bits<NW>>,
    still_fly: Signal<Local, Bits<NW>>,
    #[init((0..NW).map(|w| Constant::new((w as u64).into())).collect())]
    number: Vec<Constant<Bits<WI>>>,
    #[value(1u64.into())]
    one_wait: Constant<Bits<QC>>,
    #[value(0u64.into())]
    no_wait: Constant<Bits<QC>>,
    #[value(0u64.into())]
    none: Constant<Bits<FC>>,
    #[value(1u64.into())]
    one: Constant<Bits<FC>>,
    #[value(2u64.into())]
    two: Constant<Bits<FC>>,
    #[value(0u64.into())]
    no_warps: Constant<Bits<NW>>,
}

#[part(Pending<NW, WI, QC, FC>)]
fn update(&mut self) {
    spread!(self <- self.no_warps: still_wait, still_fly);
    for w in 0..NW {
        self.is_placed[w].next = self.placed_warp.val() == self.number[w].val();
        self.next_waits[w].next = self.waits[w].q.val();
        if self.queued.val() & (self.queued_warp.val() == self.number[w].val()) {
            if !self.placed.val() | !self.is_placed[w].val() {
                self.next_waits[w].next = self.waits[w].q.val() + self.one_wait.val();
            }
        } else if self.placed.val() & self.is_placed[w].val() {
            self.next_waits[w].next = self.waits[w].q.val() - self.one_wait.val();
        }
        self.more[w].next = self.none.val();
        if self.is_placed[w].val() & (self.begins_row.val() | self.begins_write.val()) {
            self.more[w].next = self.one.val();
            if self.begins_row.val() & self.begins_write.val() {
                self.more[w].next = self.two.val();
            }
        }
        self.row_here[w].next = self.row_over.val() & (self.row_warp.val() == self.number[w].val());
        self.write_here[w].next =
            self.write_over.val() & (self.write_warp.val() == self.number[w].val());
        // Whose row or write is over is known last, so each sum is there before, and whether it is 0.
        self.held[w].next = self.flies[w].q.val() + self.more[w].val();
        self.one_less[w].next = self.held[w].val() - self.one.val();
        self.two_less[w].next = self.held[w].val() - self.two.val();
        self.next_flies[w].next = self.held[w].val();
        self.flies_on[w].next = self.held[w].val().any();
        if self.row_here[w].val() & self.write_here[w].val() {
            self.next_flies[w].next = self.two_less[w].val();
            self.flies_on[w].next = self.two_less[w].val().any();
        } else if self.row_here[w].val() | self.write_here[w].val() {
            self.next_flies[w].next = self.one_less[w].val();
            self.flies_on[w].next = self.one_less[w].val().any();
        }
        if self.reset.val() {
            self.next_waits[w].next = self.no_wait.val();
            self.next_flies[w].next = self.none.val();
            self.flies_on[w].next = false;
        }
        self.waits[w].d.next = self.next_waits[w].val();
        self.flies[w].d.next = self.next_flies[w].val();
        self.still_wait.next = self
            .still_wait
            .val()
            .replace_bit(w, self.next_waits[w].val().any());
        self.still_fly.next = self.still_fly.val().replace_bit(w, self.flies_on[w].val());
    }
    carry!(self.*.d <- self: some_wait = still_wait, some_fly = still_fly);
    self.under_way.next = self.some_fly.q.val();
    self.pending.next = self.some_fly.q.val() | self.some_wait.q.val();
}
