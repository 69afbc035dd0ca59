//! The L2 with the ports of some SMs, for tests: what `weft_gpu` wires of them.
//!
//! # Parameters
//! `SMS` SMs, 1 to 8; the others as of `L2` (`hdl/src/sizes.rs`).
//!
//! # Ports
//! `s_ar*`, `s_r*`, `m_ar*`, `m_r*` of each SM as of `L2Port`, the others as of `L2`.
//!
//! # Cycle behaviour
//! Wiring only.
//!
//! # Errors
//! As its blocks.

use super::port::L2Port;
use super::L2;
use crate::hdl::*;
use crate::prim::Rota;

#[module]
pub struct Rig {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub forget: Signal<In, Bit>,
    #[many(SMS)]
    pub s_arvalid: Vec<Signal<In, Bit>>,
    #[many(SMS)]
    pub s_arready: Vec<Signal<Out, Bit>>,
    #[many(SMS)]
    pub s_arid: Vec<Signal<In, Bits<4>>>,
    #[many(SMS)]
    pub s_araddr: Vec<Signal<In, Bits<32>>>,
    #[many(SMS)]
    pub s_arlen: Vec<Signal<In, Bits<8>>>,
    #[many(SMS)]
    pub s_past: Vec<Signal<In, Bit>>,
    #[many(SMS)]
    pub s_rvalid: Vec<Signal<Out, Bit>>,
    #[many(SMS)]
    pub s_rready: Vec<Signal<In, Bit>>,
    #[many(SMS)]
    pub s_rid: Vec<Signal<Out, Bits<4>>>,
    #[many(SMS)]
    pub s_rdata: Vec<Signal<Out, Bits<DATA>>>,
    #[many(SMS)]
    pub s_rresp: Vec<Signal<Out, Bits<2>>>,
    #[many(SMS)]
    pub s_rlast: Vec<Signal<Out, Bit>>,
    #[many(SMS)]
    pub m_arvalid: Vec<Signal<Out, Bit>>,
    #[many(SMS)]
    pub m_arready: Vec<Signal<In, Bit>>,
    #[many(SMS)]
    pub m_arid: Vec<Signal<Out, Bits<4>>>,
    #[many(SMS)]
    pub m_araddr: Vec<Signal<Out, Bits<32>>>,
    #[many(SMS)]
    pub m_arlen: Vec<Signal<Out, Bits<8>>>,
    #[many(SMS)]
    pub m_rvalid: Vec<Signal<In, Bit>>,
    #[many(SMS)]
    pub m_rready: Vec<Signal<Out, Bit>>,
    pub m_rid: Signal<In, Bits<4>>,
    pub m_rdata: Signal<In, Bits<DATA>>,
    pub m_rresp: Signal<In, Bits<2>>,
    pub m_rlast: Signal<In, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_id: Signal<In, Bits<MANAGER_ID_BITS>>,
    pub write_line: Signal<In, Bits<26>>,
    pub b_mvalid: Signal<In, Bit>,
    pub b_mready: Signal<Out, Bit>,
    pub b_mid: Signal<In, Bits<MANAGER_ID_BITS>>,
    pub b_mresp: Signal<In, Bits<2>>,
    pub b_svalid: Signal<Out, Bit>,
    pub b_sready: Signal<In, Bit>,
    pub b_sid: Signal<Out, Bits<MANAGER_ID_BITS>>,
    pub b_sresp: Signal<Out, Bits<2>>,
    pub events: Signal<Out, Bits<5>>,
    #[many(SMS)]
    ports: Vec<L2Port<DATA, BEATS, 4, MANAGER_ID_BITS>>,
    turns: Rota<MANAGER_MASK, MANAGER_BITS>,
    #[sizes(MISS_BITS = 3, ID_BITS = 4)]
    l2: L2,
    among: Signal<Local, Bits<MANAGER_MASK>>,
    number: Signal<Local, Bits<MANAGER_ID_BITS>>,
    beat: Signal<Local, Bit>,
    passing: Signal<Local, Bit>,
    #[value(0u64.into())]
    nobody: Constant<Bits<MANAGER_MASK>>,
    #[value(2u64.into())]
    first: Constant<Bits<MANAGER_ID_BITS>>,
}

#[part(Rig)]
fn update(&mut self) {
    carry!(self.l2 <- self: reset, forget);
    carry!(self.turns <- self: reset, marks = nobody);
    self.among.next = self.nobody.val();
    if self.l2.takes.val() {
        for s in 0..SMS {
            self.among.next = self.among.val().replace_bit(s, self.ports[s].asks.val());
        }
    }
    self.turns.among.next = self.among.val();
    self.l2.asked.next = self.turns.taken.val();
    carry!(self.l2.asked_* <- self.ports[0]: line, id);
    self.l2.asked_whole.next = false;
    self.l2.asked_later.next = false;
    self.beat.next = false;
    self.passing.next = false;
    self.l2.beat_id.next = 0.into();
    for s in 0..SMS {
        self.ports[s].number.next = s.to_bits();
        self.ports[s].reset.next = self.reset.val();
        self.ports[s].s_arvalid.next = self.s_arvalid[s].val();
        self.s_arready[s].next = self.ports[s].s_arready.val();
        carry!(self.ports[s] <- self.*[s]: s_arid, s_araddr, s_arlen, s_past);
        self.s_rvalid[s].next = self.ports[s].s_rvalid.val();
        self.ports[s].s_rready.next = self.s_rready[s].val();
        carry!(self.*[s] <- self.ports[s]: s_rid, s_rdata, s_rresp, s_rlast, m_arvalid);
        self.ports[s].m_arready.next = self.m_arready[s].val();
        carry!(self.*[s] <- self.ports[s]: m_arid, m_araddr, m_arlen);
        self.ports[s].m_rvalid.next = self.m_rvalid[s].val();
        self.m_rready[s].next = self.ports[s].m_rready.val();
        carry!(self.ports[s] <- self: m_rid, m_rdata, m_rresp, m_rlast);
        self.ports[s].granted.next = self.turns.taken.val().get_bit(s);
        self.ports[s].goes.next = self.l2.goes.val().get_bit(s);
        self.ports[s].again.next = self.l2.again.val().get_bit(s);
        self.ports[s].hit.next = self.l2.hit.val().get_bit(s);
        carry!(self.ports[s] <- self.l2: whole_line, looked = looked_line);
        if self.ports[s].passing.val() {
            self.passing.next = true;
        }
        self.number.next = s.to_bits();
        self.number.next = self.number.val() + self.first.val();
        if self.turns.taken.val().get_bit(s) {
            carry!(self.l2.asked_* <- self.ports[s]: line, id, whole, later);
        }
        if self.m_rvalid[s].val() & self.ports[s].m_rready.val() {
            self.beat.next = true;
            self.l2.beat_id.next =
                bit_cast::<MANAGER_ID_BITS, 4>(self.m_rid.val()) | (self.number.val() << 4);
        }
    }
    carry!(self.l2 <- self: passing, beat_valid = beat, beat_data = m_rdata, beat_resp = m_rresp);
    carry!(self.l2 <- self: beat_last = m_rlast, write_valid, write_id, write_line, b_mvalid);
    self.b_mready.next = self.l2.b_mready.val();
    carry!(self.l2 <- self: b_mid, b_mresp);
    self.b_svalid.next = self.l2.b_svalid.val();
    self.l2.b_sready.next = self.b_sready.val();
    carry!(self <- self.l2: b_sid, b_sresp, events);
}
