//! The port of an SM at the L2: its read address stands here until it is answered from there or goes to memory.
//!
//! Spec: `docs/spec/l2.md`, SHARED-010 to SHARED-014.
//!
//! # Parameters
//! `D` bits of a beat; `NB` = 512 / D; `ID` bits of an ID, `IO` with the manager.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `s_ar*`, `s_r*` | | | of the SM |
//! | `s_past` | in | 1 | with `s_ar*`: of an LR or AMO, which goes to memory |
//! | `m_ar*`, `m_r*` | | | of the memory |
//! | `number` | in | 4 | of the SM |
//! | `asks`, `line`, `id`, `whole` | out | 1, 26, IO, 1 | looks for this line; asked for with this ID; the whole line, and not for an LR or AMO |
//! | `later` | out | 1 | one before it, of the same ID, is on its way from memory: it must not be answered from here, nor held |
//! | `granted` | in | 1 | it is looked up |
//! | `goes`, `again` | in | 1 | a cycle behind that: it goes to memory; it is looked up again |
//! | `hit`, `whole_line` | in | 1, 512 | two cycles behind it: the line |
//! | `looked` / `passing` | in / out | 26, 1 | a line that is looked up / a read of it stands here and goes to memory |
//! | `takes` | out | 1 | the line is taken, and will be given |
//!
//! # Cycle behaviour
//! A line that comes while the one before it is given is looked up again, so that it comes in the cycle of its last beat.
//! Beats from memory go before those of the line.
//!
//! # Invariants
//! 1. `s_rvalid`, `m_arvalid` stay, with what they go with, until they are taken.
//!
//! # Errors
//! Those of the memory are passed on. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[module(requires(512 == D * NB, NB <= 8, IO > ID))]
pub struct L2Port<const D: usize, const NB: usize, const ID: usize, const IO: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub s_arvalid: Signal<In, Bit>,
    pub s_arready: Signal<Out, Bit>,
    pub s_arid: Signal<In, Bits<ID>>,
    pub s_araddr: Signal<In, Bits<32>>,
    pub s_arlen: Signal<In, Bits<8>>,
    pub s_past: Signal<In, Bit>,
    pub s_rvalid: Signal<Out, Bit>,
    pub s_rready: Signal<In, Bit>,
    pub s_rid: Signal<Out, Bits<ID>>,
    pub s_rdata: Signal<Out, Bits<D>>,
    pub s_rresp: Signal<Out, Bits<2>>,
    pub s_rlast: Signal<Out, Bit>,
    pub m_arvalid: Signal<Out, Bit>,
    pub m_arready: Signal<In, Bit>,
    pub m_arid: Signal<Out, Bits<ID>>,
    pub m_araddr: Signal<Out, Bits<32>>,
    pub m_arlen: Signal<Out, Bits<8>>,
    pub m_rvalid: Signal<In, Bit>,
    pub m_rready: Signal<Out, Bit>,
    pub m_rid: Signal<In, Bits<ID>>,
    pub m_rdata: Signal<In, Bits<D>>,
    pub m_rresp: Signal<In, Bits<2>>,
    pub m_rlast: Signal<In, Bit>,
    pub number: Signal<In, Bits<4>>,
    pub asks: Signal<Out, Bit>,
    pub line: Signal<Out, Bits<26>>,
    pub id: Signal<Out, Bits<IO>>,
    pub whole: Signal<Out, Bit>,
    pub later: Signal<Out, Bit>,
    pub granted: Signal<In, Bit>,
    pub goes: Signal<In, Bit>,
    pub again: Signal<In, Bit>,
    pub hit: Signal<In, Bit>,
    pub looked: Signal<In, Bits<26>>,
    pub passing: Signal<Out, Bit>,
    pub takes: Signal<Out, Bit>,
    pub whole_line: Signal<In, Bits<512>>,
    // State: a read address; it is looked up; goes to memory; is held, and waits for the line before it.
    head: DFF<Bit>,
    head_id: DFF<Bits<ID>>,
    head_address: DFF<Bits<32>>,
    head_length: DFF<Bits<8>>,
    head_past: DFF<Bit>,
    looks: DFF<Bit>,
    passes: DFF<Bit>,
    waits: DFF<Bit>,
    // State: how many beats are left of a line, and those beats; one was offered and not taken.
    left: DFF<Bits<4>>,
    left_id: DFF<Bits<ID>>,
    left_beats: DFF<Bits<512>>,
    stands: DFF<Bit>,
    // State: instruction lines on their way from memory.
    texts: DFF<Bits<3>>,
    // Combinational.
    manager_number: Signal<Local, Bits<4>>,
    manager: Signal<Local, Bits<IO>>,
    is_text: Signal<Local, Bit>,
    some_left: Signal<Local, Bit>,
    many_left: Signal<Local, Bit>,
    behind_text: Signal<Local, Bit>,
    from_memory: Signal<Local, Bit>,
    own_taken: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    passed: Signal<Local, Bit>,
    pops: Signal<Local, Bit>,
    more: Signal<Local, Bits<3>>,
    less: Signal<Local, Bits<3>>,
    #[value((1u64 << (ID - 1)).into())]
    text_id: Constant<Bits<ID>>,
    #[value((NB as u64 - 1).into())]
    line_length: Constant<Bits<8>>,
    #[value((NB as u64).into())]
    all: Constant<Bits<4>>,
    #[value(1u64.into())]
    one: Constant<Bits<4>>,
    #[value(0u64.into())]
    none: Constant<Bits<4>>,
    /// From the grant to the line.
    #[value(3u64.into())]
    ahead: Constant<Bits<4>>,
    /// The manager of SM 0.
    #[value(2u64.into())]
    first: Constant<Bits<4>>,
    #[value((ID as u64).into())]
    id_bits: Constant<Bits<4>>,
    #[value((D as u64).into())]
    beat_bits: Constant<Bits<9>>,
    #[value(1u64.into())]
    one_text: Constant<Bits<3>>,
    #[value(0u64.into())]
    no_text: Constant<Bits<3>>,
    #[value(0u64.into())]
    okay: Constant<Bits<2>>,
}

#[part(L2Port<D, NB, ID, IO>)]
fn update(&mut self) {
    // ---- Beats: those from memory first.
    self.some_left.next = self.left.q.val().any();
    self.from_memory.next = self.m_rvalid.val() & !self.stands.q.val();
    self.s_rvalid.next = self.from_memory.val() | self.some_left.val();
    self.s_rid.next = self.left_id.q.val();
    self.s_rdata.next = self.left_beats.q.val().get_bits::<D>(0);
    self.s_rresp.next = self.okay.val();
    self.s_rlast.next = self.left.q.val() == self.one.val();
    if self.from_memory.val() {
        carry!(self.s_* <- self.m_*: rid, rdata, rresp, rlast);
    }
    self.m_rready.next = self.s_rready.val() & !self.stands.q.val();
    self.own_taken.next = self.some_left.val() & !self.from_memory.val() & self.s_rready.val();
    self.stands.d.next = self.some_left.val() & !self.from_memory.val() & !self.s_rready.val();
    self.ends.next = self.own_taken.val() & (self.left.q.val() == self.one.val());
    if self.own_taken.val() {
        self.left.d.next = self.left.q.val() - self.one.val();
        self.left_beats.d.next = self.left_beats.q.val() >> self.beat_bits.val();
    }

    // ---- The read address. Instruction lines have one ID and come in order.
    self.is_text.next = self.head_id.q.val() == self.text_id.val();
    self.behind_text.next =
        self.is_text.val() & self.some_left.val() & (self.left_id.q.val() == self.text_id.val());
    self.many_left.next = self.left.q.val() > self.ahead.val();
    self.asks.next = self.head.q.val()
        & !self.looks.q.val()
        & !self.passes.q.val()
        & !self.behind_text.val()
        & !(self.waits.q.val() & self.many_left.val());
    self.line.next = self.head_address.q.val().get_bits::<26>(6);
    self.manager_number.next = self.number.val() + self.first.val();
    self.manager.next = bit_cast::<IO, 4>(self.manager_number.val());
    self.id.next =
        bit_cast::<IO, ID>(self.head_id.q.val()) | (self.manager.val() << self.id_bits.val());
    self.whole.next =
        !self.head_past.q.val() & (self.head_length.q.val() == self.line_length.val());
    self.later.next = self.is_text.val() & self.texts.q.val().any();
    self.loads.next = self.hit.val() & (!self.some_left.val() | self.ends.val());
    self.passing.next = self.passes.q.val() & (self.line.val() == self.looked.val());
    self.takes.next = self.loads.val();
    self.passed.next = self.passes.q.val() & self.m_arready.val();
    self.pops.next = self.loads.val() | self.passed.val();
    if self.granted.val() {
        self.looks.d.next = true;
        self.waits.d.next = false;
    }
    if self.again.val() | self.goes.val() | self.hit.val() {
        self.looks.d.next = false;
    }
    if self.goes.val() {
        self.passes.d.next = true;
    }
    if self.passed.val() {
        self.passes.d.next = false;
    }
    if self.hit.val() & !self.loads.val() {
        self.waits.d.next = true;
    }
    if self.loads.val() {
        self.left.d.next = self.all.val();
        self.left_id.d.next = self.head_id.q.val();
        self.left_beats.d.next = self.whole_line.val();
    }
    self.s_arready.next = !self.head.q.val() | self.pops.val();
    if self.s_arready.val() {
        carry!(self.*.d <- self:
            head = s_arvalid, head_id = s_arid, head_address = s_araddr, head_length = s_arlen,
            head_past = s_past,
        );
    }
    self.m_arvalid.next = self.passes.q.val();
    carry!(self <- self.*.q: m_arid = head_id, m_araddr = head_address, m_arlen = head_length);

    // ---- Instruction lines on their way.
    self.more.next = self.no_text.val();
    if self.passed.val() & self.is_text.val() {
        self.more.next = self.one_text.val();
    }
    self.less.next = self.no_text.val();
    if self.m_rvalid.val()
        & self.m_rready.val()
        & self.m_rlast.val()
        & (self.m_rid.val() == self.text_id.val())
    {
        self.less.next = self.one_text.val();
    }
    self.texts.d.next = (self.texts.q.val() + self.more.val()) - self.less.val();
    if self.reset.val() {
        self.head.d.next = false;
        self.looks.d.next = false;
        self.passes.d.next = false;
        self.waits.d.next = false;
        self.left.d.next = self.none.val();
        self.stands.d.next = false;
        self.texts.d.next = self.no_text.val();
    }
}
