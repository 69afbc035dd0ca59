//! Memory port: AXI4 manager of the load/store unit, the line cache and the tokens.
//!
//! Spec: `docs/spec/memory.md`, *Memory port*, MEM-040 to MEM-044.
//!
//! # Parameters
//! `D` bits of a beat, 64 to 512; `DS` = D / 8; `EI` bits of an ID of the load/store unit, `ID` = EI + 1;
//! `M`, `TA`, `F`, `FC`: of the tokens (`token_port`).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `read_*`, `beat_*`, `write_*`, `ack_*` | | | of the load/store unit |
//! | `line_valid` / `line_ready`, `line_address` | in / out | 1, 32 | a line to read |
//! | `line_beat_valid` / `line_beat_ready`, `line_beat_data`, `line_beat_error`, `line_beat_last` | out / in | 1, D, 1, 1 | its beats; lines come in the order in which they were asked for |
//! | `spill_request_*`, `spill_response_*` | | | of the core |
//! | `spill_error` | out | 1 | pulse: a token's access was answered with an error |
//! | `m_axi_*` | | | AXI4: AR, R, AW, W, B |
//! | `past` | out | 1 | with `m_axi_ar*`: it is a read of the load/store unit with `read_bypass` |
//! | `idle` | out | 1 | nothing is under way, out of 255 transactions at most |
//!
//! # Cycle behaviour
//! Each channel passes one register. Requests take turns: a client waits for one transaction of each other one at most.
//! Write beats follow their address, in order. IDs: those of the load/store unit as they are, 2^EI lines, 2^EI + 1
//! tokens.
//!
//! # Invariants
//! 1. `m_axi_*valid` stays, with what it goes with, until it is taken.
//!
//! # Errors
//! Responses SLVERR and DECERR are passed on as `*_error`. `Default` panics when the parameters do not fit.

use super::token_port::TokenPort;
use crate::bundles::AxiPorts;
use crate::hdl::*;

#[derive(LogicBlock)]
pub struct MemoryPort<
    const D: usize,
    const DS: usize,
    const EI: usize,
    const ID: usize,
    const M: usize,
    const TA: usize,
    const F: usize,
    const FC: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub read_valid: Signal<In, Bit>,
    pub read_ready: Signal<Out, Bit>,
    pub read_id: Signal<In, Bits<EI>>,
    pub read_address: Signal<In, Bits<32>>,
    pub read_length: Signal<In, Bits<3>>,
    pub read_bypass: Signal<In, Bit>,
    pub beat_valid: Signal<Out, Bit>,
    pub beat_ready: Signal<In, Bit>,
    pub beat_id: Signal<Out, Bits<EI>>,
    pub beat_data: Signal<Out, Bits<D>>,
    pub beat_error: Signal<Out, Bit>,
    pub beat_last: Signal<Out, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_ready: Signal<Out, Bit>,
    pub write_id: Signal<In, Bits<EI>>,
    pub write_address: Signal<In, Bits<32>>,
    pub write_length: Signal<In, Bits<3>>,
    pub write_data: Signal<In, Bits<D>>,
    pub write_strobes: Signal<In, Bits<DS>>,
    pub write_last: Signal<In, Bit>,
    pub ack_valid: Signal<Out, Bit>,
    pub ack_ready: Signal<In, Bit>,
    pub ack_id: Signal<Out, Bits<EI>>,
    pub ack_error: Signal<Out, Bit>,
    pub line_valid: Signal<In, Bit>,
    pub line_ready: Signal<Out, Bit>,
    pub line_address: Signal<In, Bits<32>>,
    pub line_beat_valid: Signal<Out, Bit>,
    pub line_beat_ready: Signal<In, Bit>,
    pub line_beat_data: Signal<Out, Bits<D>>,
    pub line_beat_error: Signal<Out, Bit>,
    pub line_beat_last: Signal<Out, Bit>,
    pub spill_request_valid: Signal<In, Bit>,
    pub spill_request_ready: Signal<Out, Bit>,
    pub spill_request_write: Signal<In, Bit>,
    pub spill_request_address: Signal<In, Bits<32>>,
    pub spill_request_data: Signal<In, Bits<M>>,
    pub spill_request_tag: Signal<In, Bits<TA>>,
    pub spill_response_valid: Signal<Out, Bit>,
    pub spill_response_ready: Signal<In, Bit>,
    pub spill_response_write: Signal<Out, Bit>,
    pub spill_response_tag: Signal<Out, Bits<TA>>,
    pub spill_response_data: Signal<Out, Bits<M>>,
    pub spill_error: Signal<Out, Bit>,
    pub idle: Signal<Out, Bit>,
    pub m_axi: AxiPorts<ID, D, DS>,
    pub past: Signal<Out, Bit>,
    tokens: TokenPort<D, DS, M, TA, F, FC>,
    // State: a read address; the client that was served last: 0 data, 1 lines, 2 tokens.
    ar: DFF<Bit>,
    ar_id: DFF<Bits<ID>>,
    ar_address: DFF<Bits<32>>,
    ar_length: DFF<Bits<3>>,
    ar_past: DFF<Bit>,
    served: DFF<Bits<2>>,
    // State: a beat that was read.
    r: DFF<Bit>,
    r_id: DFF<Bits<ID>>,
    r_data: DFF<Bits<D>>,
    r_error: DFF<Bit>,
    r_last: DFF<Bit>,
    // State: a write address, a beat; more beats follow, of a token; tokens were served last.
    aw: DFF<Bit>,
    aw_id: DFF<Bits<ID>>,
    aw_address: DFF<Bits<32>>,
    aw_length: DFF<Bits<3>>,
    w: DFF<Bit>,
    w_data: DFF<Bits<D>>,
    w_strobes: DFF<Bits<DS>>,
    w_last: DFF<Bit>,
    in_burst: DFF<Bit>,
    of_token: DFF<Bit>,
    // State: a write response. Transactions under way.
    b: DFF<Bit>,
    b_id: DFF<Bits<ID>>,
    b_error: DFF<Bit>,
    under_way: DFF<Bits<8>>,
    // Combinational.
    ar_free: Signal<Local, Bit>,
    wants: Signal<Local, Bits<3>>,
    pick: Signal<Local, Bits<2>>,
    reads: Signal<Local, Bit>,
    r_ready: Signal<Local, Bit>,
    r_free: Signal<Local, Bit>,
    r_is_data: Signal<Local, Bit>,
    b_is_token: Signal<Local, Bit>,
    from_token: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    b_ready: Signal<Local, Bit>,
    b_free: Signal<Local, Bit>,
    counts_read: Signal<Local, Bit>,
    counts_write: Signal<Local, Bit>,
    ends_read: Signal<Local, Bit>,
    ends_write: Signal<Local, Bit>,
    begins_one: Signal<Local, Bit>,
    begins_two: Signal<Local, Bit>,
    ends_one: Signal<Local, Bit>,
    ends_two: Signal<Local, Bit>,
    one_more: Signal<Local, Bits<8>>,
    two_more: Signal<Local, Bits<8>>,
    one_less: Signal<Local, Bits<8>>,
    two_less: Signal<Local, Bits<8>>,
    // Constants.
    line_id: Constant<Bits<ID>>,
    token_id: Constant<Bits<ID>>,
    line_length: Constant<Bits<3>>,
    aligned: Constant<Bits<32>>,
    beat_size: Constant<Bits<3>>,
    incrementing: Constant<Bits<2>>,
    one: Constant<Bits<8>>,
    two: Constant<Bits<8>>,
    none: Constant<Bits<8>>,
}

impl<
        const D: usize,
        const DS: usize,
        const EI: usize,
        const ID: usize,
        const M: usize,
        const TA: usize,
        const F: usize,
        const FC: usize,
    > Default for MemoryPort<D, DS, EI, ID, M, TA, F, FC>
{
    fn default() -> Self {
        assert!(
            ID == EI + 1 && D == 8 * DS,
            "MemoryPort<{D}, {DS}, {EI}, {ID}, {M}, {TA}, {F}, {FC}>"
        );
        block!({
            clock, reset, read_valid, read_ready, read_id, read_address, read_length, read_bypass, beat_valid, beat_ready,
            beat_id, beat_data, beat_error, beat_last, write_valid, write_ready, write_id, write_address,
            write_length, write_data, write_strobes, write_last, ack_valid, ack_ready, ack_id, ack_error, line_valid,
            line_ready, line_address, line_beat_valid, line_beat_ready, line_beat_data, line_beat_error,
            line_beat_last, spill_request_valid, spill_request_ready, spill_request_write, spill_request_address,
            spill_request_data, spill_request_tag, spill_response_valid, spill_response_ready, spill_response_write,
            spill_response_tag, spill_response_data, spill_error, idle, m_axi, past,
            tokens, ar, ar_id, ar_address,
            ar_length, ar_past, served, r, r_id, r_data, r_error, r_last, aw, aw_id, aw_address, aw_length, w, w_data,
            w_strobes, w_last, in_burst, of_token, b, b_id, b_error, under_way, ar_free, r_is_data, b_is_token, wants, pick, reads, r_ready,
            r_free, from_token, room, writes, starts, last, b_ready, b_free, counts_read, counts_write, ends_read, ends_write,
            begins_one, begins_two, ends_one, ends_two, one_more, two_more, one_less, two_less,
        } {
            line_id: Constant::new((1u64 << EI).into()),
            token_id: Constant::new(((1u64 << EI) + 1).into()),
            line_length: Constant::new((512 / D as u64 - 1).into()),
            aligned: Constant::new((0xFFFF_FFFF & !(DS as u64 - 1)).into()),
            beat_size: Constant::new(u64::from(DS.trailing_zeros()).into()),
            incrementing: Constant::new(1u64.into()),
            one: Constant::new(1u64.into()),
            two: Constant::new(2u64.into()),
            none: Constant::new(0u64.into()),
        })
    }
}

impl<
        const D: usize,
        const DS: usize,
        const EI: usize,
        const ID: usize,
        const M: usize,
        const TA: usize,
        const F: usize,
        const FC: usize,
    > Logic for MemoryPort<D, DS, EI, ID, M, TA, F, FC>
{
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self, clock, ar, ar_id, ar_address, ar_length, ar_past, served, r, r_id, r_data,
            r_error, r_last
        );
        dff_setup!(
            self, clock, aw, aw_id, aw_address, aw_length, w, w_data, w_strobes, w_last, in_burst,
            of_token
        );
        dff_setup!(self, clock, b, b_id, b_error, under_way);
        clock!(self, clock, tokens);
        carry!(self.tokens <- self: reset, request_valid = spill_request_valid);
        carry!(self.tokens <- self.spill_*:
            request_write, request_address, request_data, request_tag,
        );
        carry!(self.spill_* <- self.tokens: request_ready, response_valid);
        self.tokens.response_ready.next = self.spill_response_ready.val();
        carry!(self.spill_* <- self.tokens: response_write, response_tag, response_data, error);

        // ---- Read addresses: the client after the one that was served last.
        self.ar_free.next = !self.ar.q.val() | self.m_axi.arready.val();
        self.wants.next = bit_cast::<3, 1>(self.read_valid.val().into())
            | (bit_cast::<3, 1>(self.line_valid.val().into()) << 1)
            | (bit_cast::<3, 1>(self.tokens.read_valid.val().into()) << 2);
        self.pick.next = 0.into();
        if self.served.q.val() == 0 {
            if self.wants.val().get_bit(1) {
                self.pick.next = 1.into();
            } else if self.wants.val().get_bit(2) {
                self.pick.next = 2.into();
            }
        } else if self.served.q.val() == 1 {
            if self.wants.val().get_bit(2) {
                self.pick.next = 2.into();
            } else if !self.wants.val().get_bit(0) {
                self.pick.next = 1.into();
            }
        } else if !self.wants.val().get_bit(0) {
            self.pick.next = 2.into();
            if self.wants.val().get_bit(1) {
                self.pick.next = 1.into();
            }
        }
        self.reads.next = self.ar_free.val() & self.wants.val().any();
        self.read_ready.next = self.ar_free.val() & (self.pick.val() == 0);
        self.line_ready.next = self.ar_free.val() & (self.pick.val() == 1);
        self.tokens.read_ready.next = self.ar_free.val() & (self.pick.val() == 2);
        if self.ar_free.val() {
            self.ar.d.next = self.reads.val();
            self.ar_id.d.next = bit_cast::<ID, EI>(self.read_id.val());
            self.ar_address.d.next = self.read_address.val() & self.aligned.val();
            self.ar_length.d.next = self.read_length.val();
            self.ar_past.d.next = self.read_bypass.val() & (self.pick.val() == 0);
            if self.pick.val() == 1 {
                self.ar_id.d.next = self.line_id.val();
                self.ar_address.d.next = self.line_address.val() & self.aligned.val();
                self.ar_length.d.next = self.line_length.val();
            } else if self.pick.val() == 2 {
                self.ar_id.d.next = self.token_id.val();
                self.ar_address.d.next = self.tokens.read_address.val() & self.aligned.val();
                self.ar_length.d.next = self.tokens.read_length.val();
            }
        }
        if self.reads.val() {
            self.served.d.next = self.pick.val();
        }
        carry!(self.m_axi <- self.*.q: arvalid = ar, arid = ar_id, araddr = ar_address);
        self.past.next = self.ar_past.q.val();
        self.m_axi.arlen.next = bit_cast::<8, 3>(self.ar_length.q.val());
        carry!(self.m_axi <- self: arsize = beat_size, arburst = incrementing);

        // ---- Beats that were read go to their client. `n` brings a generic into an offset.
        for n in EI..(EI + 1) {
            self.r_is_data.next = !self.r_id.q.val().get_bit(n);
            self.b_is_token.next = self.b_id.q.val().get_bit(n);
        }
        self.beat_valid.next = self.r.q.val() & self.r_is_data.val();
        self.line_beat_valid.next = self.r.q.val() & (self.r_id.q.val() == self.line_id.val());
        self.tokens.beat_valid.next = self.r.q.val() & (self.r_id.q.val() == self.token_id.val());
        self.r_ready.next = self.beat_ready.val();
        if self.r_id.q.val() == self.line_id.val() {
            self.r_ready.next = self.line_beat_ready.val();
        } else if self.r_id.q.val() == self.token_id.val() {
            self.r_ready.next = self.tokens.beat_ready.val();
        }
        self.beat_id.next = self.r_id.q.val().get_bits::<EI>(0);
        carry!(self.beat_* <- self.r_*.q: data, error, last);
        carry!(self.line_beat_* <- self.r_*.q: data, error, last);
        carry!(self.tokens.beat_* <- self.r_*.q: data, error);
        self.r_free.next = !self.r.q.val() | self.r_ready.val();
        self.m_axi.rready.next = self.r_free.val();
        if self.r_free.val() {
            carry!(self.*.d <- self.m_axi: r = rvalid, r_id = rid, r_data = rdata);
            self.r_error.d.next = self.m_axi.rresp.val().get_bit(1);
            self.r_last.d.next = self.m_axi.rlast.val();
        }

        // ---- Writes: an address and its first beat start together.
        self.from_token.next =
            self.tokens.write_valid.val() & (!self.of_token.q.val() | !self.write_valid.val());
        if self.in_burst.q.val() {
            self.from_token.next = self.of_token.q.val();
        }
        self.room.next = (!self.w.q.val() | self.m_axi.wready.val())
            & (self.in_burst.q.val() | !self.aw.q.val() | self.m_axi.awready.val());
        self.write_ready.next = self.room.val() & !self.from_token.val();
        self.tokens.write_ready.next = self.room.val() & self.from_token.val();
        self.writes.next = self.room.val() & self.write_valid.val();
        self.last.next = self.write_last.val();
        if self.from_token.val() {
            self.writes.next = self.room.val() & self.tokens.write_valid.val();
            self.last.next = self.tokens.write_last.val();
        }
        self.starts.next = self.writes.val() & !self.in_burst.q.val();
        if self.m_axi.awready.val() {
            self.aw.d.next = false;
        }
        if self.m_axi.wready.val() {
            self.w.d.next = false;
        }
        if self.writes.val() {
            self.in_burst.d.next = !self.last.val();
            self.of_token.d.next = self.from_token.val();
            self.w.d.next = true;
            carry!(self.w_*.d <- self.write_*: data, strobes);
            self.w_last.d.next = self.last.val();
            if self.from_token.val() {
                carry!(self.w_*.d <- self.tokens.write_*: data, strobes);
            }
        }
        if self.starts.val() {
            self.aw.d.next = true;
            self.aw_id.d.next = bit_cast::<ID, EI>(self.write_id.val());
            self.aw_address.d.next = self.write_address.val() & self.aligned.val();
            self.aw_length.d.next = self.write_length.val();
            if self.from_token.val() {
                self.aw_id.d.next = self.token_id.val();
                self.aw_address.d.next = self.tokens.write_address.val() & self.aligned.val();
                self.aw_length.d.next = self.tokens.read_length.val();
            }
        }
        carry!(self.m_axi <- self.*.q: awvalid = aw, awid = aw_id, awaddr = aw_address);
        self.m_axi.awlen.next = bit_cast::<8, 3>(self.aw_length.q.val());
        carry!(self.m_axi <- self: awsize = beat_size, awburst = incrementing);
        carry!(self.m_axi <- self.*.q:
            wvalid = w, wdata = w_data, wstrb = w_strobes, wlast = w_last,
        );

        // ---- Write responses.
        self.ack_valid.next = self.b.q.val() & !self.b_is_token.val();
        self.ack_id.next = self.b_id.q.val().get_bits::<EI>(0);
        self.ack_error.next = self.b_error.q.val();
        self.tokens.ack_valid.next = self.b.q.val() & self.b_is_token.val();
        self.tokens.ack_error.next = self.b_error.q.val();
        self.b_ready.next = self.ack_ready.val();
        if self.b_is_token.val() {
            self.b_ready.next = self.tokens.ack_ready.val();
        }
        self.b_free.next = !self.b.q.val() | self.b_ready.val();
        self.m_axi.bready.next = self.b_free.val();
        if self.b_free.val() {
            self.b.d.next = self.m_axi.bvalid.val();
            self.b_id.d.next = self.m_axi.bid.val();
            self.b_error.d.next = self.m_axi.bresp.val().get_bit(1);
        }

        // ---- What is under way.
        carry!(self <- self: counts_read = reads, counts_write = starts);
        self.ends_read.next = self.r.q.val() & self.r_last.q.val() & self.r_ready.val();
        self.ends_write.next = self.b.q.val() & self.b_ready.val();
        self.begins_one.next = self.counts_read.val() != self.counts_write.val();
        self.begins_two.next = self.counts_read.val() & self.counts_write.val();
        self.ends_one.next = self.ends_read.val() != self.ends_write.val();
        self.ends_two.next = self.ends_read.val() & self.ends_write.val();
        // What begins and ends is known last, so each sum is there before.
        self.one_more.next = self.under_way.q.val() + self.one.val();
        self.two_more.next = self.under_way.q.val() + self.two.val();
        self.one_less.next = self.under_way.q.val() - self.one.val();
        self.two_less.next = self.under_way.q.val() - self.two.val();
        if self.ends_two.val() {
            if self.begins_one.val() {
                carry!(self.*.d <- self: under_way = one_less);
            } else if !self.begins_two.val() {
                carry!(self.*.d <- self: under_way = two_less);
            }
        } else if self.ends_one.val() {
            if self.begins_two.val() {
                carry!(self.*.d <- self: under_way = one_more);
            } else if !self.begins_one.val() {
                carry!(self.*.d <- self: under_way = one_less);
            }
        } else if self.begins_two.val() {
            carry!(self.*.d <- self: under_way = two_more);
        } else if self.begins_one.val() {
            carry!(self.*.d <- self: under_way = one_more);
        }
        self.idle.next = !self.under_way.q.val().any();
        if self.reset.val() {
            self.ar.d.next = false;
            self.r.d.next = false;
            self.aw.d.next = false;
            self.w.d.next = false;
            self.b.d.next = false;
            self.in_burst.d.next = false;
            self.served.d.next = 0.into();
            self.under_way.d.next = self.none.val();
        }
    }
}

#[cfg(test)]
#[path = "axi_tests.rs"]
mod tests;
