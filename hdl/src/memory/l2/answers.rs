//! Responses to writes on their way from memory past the L2, which forgets what they have changed.
//!
//! Spec: `docs/spec/l2.md`, SHARED-030 to SHARED-032, SHARED-043.
//!
//! # Parameters
//! `EI` bits of a place of the load/store unit, `ID` = EI + 1; `IO`: bits of an ID with its manager; `A` = IO − 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `write_valid`, `write_id`, `write_line` | in | 1, IO, 26 | a write address was taken |
//! | `m_bvalid` / `m_bready`, `m_bid`, `m_bresp` | in / out | 1, IO, 2 | of the memory |
//! | `s_bvalid` / `s_bready`, `s_bid`, `s_bresp` | out / in | 1, IO, 2 | to the managers |
//! | `drops`, `line` | out | 1, 26 | this line is looked up to be forgotten |
//! | `unclear` | out | 1 | a write of which only the manager is known has no response: nothing is held |
//!
//! # Cycle behaviour
//! ```text
//! cycle                     t          t + 1                  t + 2
//! response of a store       taken      its line is looked up  forgotten; the response is offered
//! other write               address    its line is looked up  forgotten
//! ```
//! A response is late by a cycle when a write that is not a store is looked up.
//!
//! # Invariants
//! 1. All writes of one ID of a load/store unit that have no response are of one line (MEM-013).
//!
//! # Errors
//! Responses with errors are passed on like others. 4,095 writes under way at most.
//! `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(ID == EI + 1, A + 1 == IO))]
pub struct L2Answers<const EI: usize, const ID: usize, const IO: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_id: Signal<In, Bits<IO>>,
    pub write_line: Signal<In, Bits<26>>,
    pub m_bvalid: Signal<In, Bit>,
    pub m_bready: Signal<Out, Bit>,
    pub m_bid: Signal<In, Bits<IO>>,
    pub m_bresp: Signal<In, Bits<2>>,
    pub s_bvalid: Signal<Out, Bit>,
    pub s_bready: Signal<In, Bit>,
    pub s_bid: Signal<Out, Bits<IO>>,
    pub s_bresp: Signal<Out, Bits<2>>,
    pub drops: Signal<Out, Bit>,
    pub line: Signal<Out, Bits<26>>,
    pub unclear: Signal<Out, Bit>,
    // State: lines of stores by ID; a response that was taken, and one that is offered; other writes under way.
    lines: LutRam<Bits<26>, A>,
    came: DFF<Bit>,
    came_id: DFF<Bits<IO>>,
    came_resp: DFF<Bits<2>>,
    offers: DFF<Bit>,
    offers_id: DFF<Bits<IO>>,
    offers_resp: DFF<Bits<2>>,
    others: DFF<Bits<12>>,
    // Combinational.
    write_high: Signal<Local, Bits<IO>>,
    write_place: Signal<Local, Bits<A>>,
    write_is_store: Signal<Local, Bit>,
    came_high: Signal<Local, Bits<IO>>,
    came_place: Signal<Local, Bits<A>>,
    came_is_store: Signal<Local, Bit>,
    write_manager: Signal<Local, Bits<IO>>,
    came_manager: Signal<Local, Bits<IO>>,
    other_write: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    more: Signal<Local, Bits<12>>,
    less: Signal<Local, Bits<12>>,
    #[value((ID as u64).into())]
    id_bits: Constant<Bits<4>>,
    #[value((EI as u64).into())]
    place_bits: Constant<Bits<4>>,
    #[value(1u64.into())]
    one_bit: Constant<Bits<4>>,
    #[value(1u64.into())]
    one: Constant<Bits<12>>,
    #[value(0u64.into())]
    none: Constant<Bits<12>>,
}

#[part(L2Answers<EI, ID, IO, A>)]
fn update(&mut self) {
    // ---- Which manager, and which place of its load/store unit. SMs have the numbers from 2 on.
    self.write_manager.next = self.write_id.val() >> self.id_bits.val();
    self.write_high.next = self.write_manager.val() >> self.one_bit.val();
    self.came_manager.next = self.came_id.q.val() >> self.id_bits.val();
    self.came_high.next = self.came_manager.val() >> self.one_bit.val();
    self.write_place.next = bit_cast::<A, IO>(self.write_manager.val()) << self.place_bits.val();
    self.came_place.next = bit_cast::<A, IO>(self.came_manager.val()) << self.place_bits.val();
    self.write_place.next =
        self.write_place.val() | bit_cast::<A, EI>(self.write_id.val().get_bits::<EI>(0));
    self.came_place.next =
        self.came_place.val() | bit_cast::<A, EI>(self.came_id.q.val().get_bits::<EI>(0));
    // `n` brings a generic into an offset.
    for n in EI..(EI + 1) {
        self.write_is_store.next = self.write_high.val().any() & !self.write_id.val().get_bit(n);
        self.came_is_store.next = self.came_high.val().any() & !self.came_id.q.val().get_bit(n);
    }
    self.lines.write_enable.next = self.write_valid.val() & self.write_is_store.val();
    carry!(self.lines <- self: write_address = write_place, write_data = write_line);
    self.lines.read_address.next = self.came_place.val();

    // ---- A response moves on, and its line is looked up.
    self.other_write.next = self.write_valid.val() & !self.write_is_store.val();
    self.moves.next = self.came.q.val()
        & (!self.offers.q.val() | self.s_bready.val())
        & !(self.came_is_store.val() & self.other_write.val());
    self.drops.next = self.other_write.val() | (self.moves.val() & self.came_is_store.val());
    self.line.next = self.lines.read_data.val();
    if self.other_write.val() {
        self.line.next = self.write_line.val();
    }
    self.m_bready.next = !self.came.q.val() | self.moves.val();
    if self.m_bready.val() {
        self.came.d.next = self.m_bvalid.val();
        self.came_id.d.next = self.m_bid.val();
        self.came_resp.d.next = self.m_bresp.val();
    }
    if self.s_bready.val() {
        self.offers.d.next = false;
    }
    if self.moves.val() {
        self.offers.d.next = true;
        carry!(self.offers_*.d <- self.came_*.q: id, resp);
    }
    carry!(self <- self.*.q: s_bvalid = offers, s_bid = offers_id, s_bresp = offers_resp);

    // ---- Other writes.
    self.more.next = self.none.val();
    if self.other_write.val() {
        self.more.next = self.one.val();
    }
    self.less.next = self.none.val();
    if self.moves.val() & !self.came_is_store.val() {
        self.less.next = self.one.val();
    }
    self.others.d.next = (self.others.q.val() + self.more.val()) - self.less.val();
    self.unclear.next = self.others.q.val().any();
    if self.reset.val() {
        self.came.d.next = false;
        self.offers.d.next = false;
        self.others.d.next = self.none.val();
    }
}
