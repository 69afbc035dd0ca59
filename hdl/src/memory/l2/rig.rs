//! The L2 with the ports of some SMs, for tests: what `weft_gpu` wires of them.
//!
//! # Parameters
//! `S` SMs, 1 to 8; the others as of `L2`.
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

#[rustfmt::skip]
#[module]
pub struct Rig<
    const S: usize, const D: usize, const NB: usize, const BC: usize, const SB: usize, const N: usize, const TB: usize,
    const Y: usize, const YB: usize, const A: usize, const F: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub forget: Signal<In, Bit>,
    #[many(S)]
    pub s_arvalid: Vec<Signal<In, Bit>>,
    #[many(S)]
    pub s_arready: Vec<Signal<Out, Bit>>,
    #[many(S)]
    pub s_arid: Vec<Signal<In, Bits<4>>>,
    #[many(S)]
    pub s_araddr: Vec<Signal<In, Bits<32>>>,
    #[many(S)]
    pub s_arlen: Vec<Signal<In, Bits<8>>>,
    #[many(S)]
    pub s_rvalid: Vec<Signal<Out, Bit>>,
    #[many(S)]
    pub s_rready: Vec<Signal<In, Bit>>,
    #[many(S)]
    pub s_rid: Vec<Signal<Out, Bits<4>>>,
    #[many(S)]
    pub s_rdata: Vec<Signal<Out, Bits<D>>>,
    #[many(S)]
    pub s_rresp: Vec<Signal<Out, Bits<2>>>,
    #[many(S)]
    pub s_rlast: Vec<Signal<Out, Bit>>,
    #[many(S)]
    pub m_arvalid: Vec<Signal<Out, Bit>>,
    #[many(S)]
    pub m_arready: Vec<Signal<In, Bit>>,
    #[many(S)]
    pub m_arid: Vec<Signal<Out, Bits<4>>>,
    #[many(S)]
    pub m_araddr: Vec<Signal<Out, Bits<32>>>,
    #[many(S)]
    pub m_arlen: Vec<Signal<Out, Bits<8>>>,
    #[many(S)]
    pub m_rvalid: Vec<Signal<In, Bit>>,
    #[many(S)]
    pub m_rready: Vec<Signal<Out, Bit>>,
    pub m_rid: Signal<In, Bits<4>>,
    pub m_rdata: Signal<In, Bits<D>>,
    pub m_rresp: Signal<In, Bits<2>>,
    pub m_rlast: Signal<In, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_id: Signal<In, Bits<7>>,
    pub write_line: Signal<In, Bits<26>>,
    pub b_mvalid: Signal<In, Bit>,
    pub b_mready: Signal<Out, Bit>,
    pub b_mid: Signal<In, Bits<7>>,
    pub b_mresp: Signal<In, Bits<2>>,
    pub b_svalid: Signal<Out, Bit>,
    pub b_sready: Signal<In, Bit>,
    pub b_sid: Signal<Out, Bits<7>>,
    pub b_sresp: Signal<Out, Bits<2>>,
    pub events: Signal<Out, Bits<5>>,
    #[many(S)]
    ports: Vec<L2Port<D, NB, 4, 7>>,
    turns: Rota<8, 3>,
    l2: L2<D, NB, BC, 3, 4, 7, 6, SB, N, TB, Y, YB, A, F>,
    among: Signal<Local, Bits<8>>,
    number: Signal<Local, Bits<7>>,
    beat: Signal<Local, Bit>,
    passing: Signal<Local, Bit>,
    #[value(0u64.into())]
    nobody: Constant<Bits<8>>,
    #[value(2u64.into())]
    first: Constant<Bits<7>>,
}

#[rustfmt::skip]
impl<
    const S: usize, const D: usize, const NB: usize, const BC: usize, const SB: usize, const N: usize, const TB: usize,
    const Y: usize, const YB: usize, const A: usize, const F: usize,
> kernel::Part for Rig<S, D, NB, BC, SB, N, TB, Y, YB, A, F> {
    #[hdl_gen]
    fn update(&mut self) {
        self.l2.reset.next = self.reset.val();
        self.l2.forget.next = self.forget.val();
        self.turns.reset.next = self.reset.val();
        self.turns.marks.next = self.nobody.val();
        self.among.next = self.nobody.val();
        if self.l2.takes.val() {
            for s in 0..S {
                self.among.next = self.among.val().replace_bit(s, self.ports[s].asks.val());
            }
        }
        self.turns.among.next = self.among.val();
        self.l2.asked.next = self.turns.taken.val();
        self.l2.asked_line.next = self.ports[0].line.val();
        self.l2.asked_id.next = self.ports[0].id.val();
        self.l2.asked_whole.next = false;
        self.l2.asked_later.next = false;
        self.beat.next = false;
        self.passing.next = false;
        self.l2.beat_id.next = 0.into();
        for s in 0..S {
            self.ports[s].number.next = s.to_bits();
            self.ports[s].reset.next = self.reset.val();
            self.ports[s].s_arvalid.next = self.s_arvalid[s].val();
            self.s_arready[s].next = self.ports[s].s_arready.val();
            self.ports[s].s_arid.next = self.s_arid[s].val();
            self.ports[s].s_araddr.next = self.s_araddr[s].val();
            self.ports[s].s_arlen.next = self.s_arlen[s].val();
            self.s_rvalid[s].next = self.ports[s].s_rvalid.val();
            self.ports[s].s_rready.next = self.s_rready[s].val();
            self.s_rid[s].next = self.ports[s].s_rid.val();
            self.s_rdata[s].next = self.ports[s].s_rdata.val();
            self.s_rresp[s].next = self.ports[s].s_rresp.val();
            self.s_rlast[s].next = self.ports[s].s_rlast.val();
            self.m_arvalid[s].next = self.ports[s].m_arvalid.val();
            self.ports[s].m_arready.next = self.m_arready[s].val();
            self.m_arid[s].next = self.ports[s].m_arid.val();
            self.m_araddr[s].next = self.ports[s].m_araddr.val();
            self.m_arlen[s].next = self.ports[s].m_arlen.val();
            self.ports[s].m_rvalid.next = self.m_rvalid[s].val();
            self.m_rready[s].next = self.ports[s].m_rready.val();
            self.ports[s].m_rid.next = self.m_rid.val();
            self.ports[s].m_rdata.next = self.m_rdata.val();
            self.ports[s].m_rresp.next = self.m_rresp.val();
            self.ports[s].m_rlast.next = self.m_rlast.val();
            self.ports[s].granted.next = self.turns.taken.val().get_bit(s);
            self.ports[s].goes.next = self.l2.goes.val().get_bit(s);
            self.ports[s].again.next = self.l2.again.val().get_bit(s);
            self.ports[s].hit.next = self.l2.hit.val().get_bit(s);
            self.ports[s].whole_line.next = self.l2.whole_line.val();
            self.ports[s].looked.next = self.l2.looked_line.val();
            if self.ports[s].passing.val() {
                self.passing.next = true;
            }
            self.number.next = s.to_bits();
            self.number.next = self.number.val() + self.first.val();
            if self.turns.taken.val().get_bit(s) {
                self.l2.asked_line.next = self.ports[s].line.val();
                self.l2.asked_id.next = self.ports[s].id.val();
                self.l2.asked_whole.next = self.ports[s].whole.val();
                self.l2.asked_later.next = self.ports[s].later.val();
            }
            if self.m_rvalid[s].val() & self.ports[s].m_rready.val() {
                self.beat.next = true;
                self.l2.beat_id.next =
                    bit_cast::<7, 4>(self.m_rid.val()) | (self.number.val() << 4);
            }
        }
        self.l2.passing.next = self.passing.val();
        self.l2.beat_valid.next = self.beat.val();
        self.l2.beat_data.next = self.m_rdata.val();
        self.l2.beat_resp.next = self.m_rresp.val();
        self.l2.beat_last.next = self.m_rlast.val();
        self.l2.write_valid.next = self.write_valid.val();
        self.l2.write_id.next = self.write_id.val();
        self.l2.write_line.next = self.write_line.val();
        self.l2.b_mvalid.next = self.b_mvalid.val();
        self.b_mready.next = self.l2.b_mready.val();
        self.l2.b_mid.next = self.b_mid.val();
        self.l2.b_mresp.next = self.b_mresp.val();
        self.b_svalid.next = self.l2.b_svalid.val();
        self.l2.b_sready.next = self.b_sready.val();
        self.b_sid.next = self.l2.b_sid.val();
        self.b_sresp.next = self.l2.b_sresp.val();
        self.events.next = self.l2.events.val();
    }
}
