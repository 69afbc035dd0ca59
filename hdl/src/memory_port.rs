//! Memory port: data, instruction lines and tokens share one AXI4 manager.
//!
//! Spec: `docs/spec/sm.md`, SM-030, SM-031.
//!
//! # Parameters
//! `WI`: log2 warps; `EI`: bits of the load/store unit's numbers; `ID` = EI + 2; `D` bits of a beat, `DS` = D / 8; `SZ` = log2 DS; `M` bits of a
//! token, at most D; `TA` bits of a tag.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `read_*`, `beat_*`, `write_*`, `ack_*` | | | of the load/store unit |
//! | `fetch_*`, `line_*` | | | of the core |
//! | `spill_*` | | | of the core |
//! | `axi_*` | | | AXI4 manager |
//! | `busy` | out | 1 | a line or a token is under way |
//!
//! # Cycle behaviour
//! One line and one token under way at a time; the load/store unit has as many accesses as it has numbers. Whoever asks for a read is served in turn.
//! Identifiers: 0 and the number (load/store unit), 1 (line), 2 (token) in the upper two bits.
//!
//! # Errors
//! A line that comes with an error is all zeros: illegal instructions.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct MemoryPort<
    const WI: usize,
    const EI: usize,
    const ID: usize,
    const D: usize,
    const DS: usize,
    const SZ: usize,
    const M: usize,
    const TA: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub read_valid: Signal<In, Bit>,
    pub read_ready: Signal<Out, Bit>,
    pub read_id: Signal<In, Bits<EI>>,
    pub read_address: Signal<In, Bits<32>>,
    pub read_length: Signal<In, Bits<3>>,
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
    pub fetch_valid: Signal<In, Bit>,
    pub fetch_ready: Signal<Out, Bit>,
    pub fetch_warp: Signal<In, Bits<WI>>,
    pub fetch_line: Signal<In, Bits<18>>,
    pub line_valid: Signal<Out, Bit>,
    pub line_warp: Signal<Out, Bits<WI>>,
    pub line_slot: Signal<Out, Bit>,
    pub line_data: Signal<Out, Bits<512>>,
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
    pub axi_awvalid: Signal<Out, Bit>,
    pub axi_awready: Signal<In, Bit>,
    pub axi_awid: Signal<Out, Bits<ID>>,
    pub axi_awaddr: Signal<Out, Bits<32>>,
    pub axi_awlen: Signal<Out, Bits<8>>,
    pub axi_awsize: Signal<Out, Bits<3>>,
    pub axi_awburst: Signal<Out, Bits<2>>,
    pub axi_wvalid: Signal<Out, Bit>,
    pub axi_wready: Signal<In, Bit>,
    pub axi_wdata: Signal<Out, Bits<D>>,
    pub axi_wstrb: Signal<Out, Bits<DS>>,
    pub axi_wlast: Signal<Out, Bit>,
    pub axi_bvalid: Signal<In, Bit>,
    pub axi_bready: Signal<Out, Bit>,
    pub axi_bid: Signal<In, Bits<ID>>,
    pub axi_bresp: Signal<In, Bits<2>>,
    pub axi_arvalid: Signal<Out, Bit>,
    pub axi_arready: Signal<In, Bit>,
    pub axi_arid: Signal<Out, Bits<ID>>,
    pub axi_araddr: Signal<Out, Bits<32>>,
    pub axi_arlen: Signal<Out, Bits<8>>,
    pub axi_arsize: Signal<Out, Bits<3>>,
    pub axi_arburst: Signal<Out, Bits<2>>,
    pub axi_rvalid: Signal<In, Bit>,
    pub axi_rready: Signal<Out, Bit>,
    pub axi_rid: Signal<In, Bits<ID>>,
    pub axi_rdata: Signal<In, Bits<D>>,
    pub axi_rresp: Signal<In, Bits<2>>,
    pub axi_rlast: Signal<In, Bit>,
    pub busy: Signal<Out, Bit>,
    // State: what stands at the address and data channels.
    ar_full: DFF<Bit>,
    ar_id: DFF<Bits<ID>>,
    ar_address: DFF<Bits<32>>,
    ar_length: DFF<Bits<8>>,
    aw_full: DFF<Bit>,
    aw_id: DFF<Bits<ID>>,
    aw_address: DFF<Bits<32>>,
    aw_length: DFF<Bits<8>>,
    w_full: DFF<Bit>,
    w_data: DFF<Bits<D>>,
    w_strobes: DFF<Bits<DS>>,
    w_last: DFF<Bit>,
    // State: in a burst of the load/store unit; who was served last.
    in_burst: DFF<Bit>,
    turn: DFF<Bits<2>>,
    // State: a line under way, and complete.
    fetching: DFF<Bit>,
    fetched: DFF<Bit>,
    f_warp: DFF<Bits<WI>>,
    f_slot: DFF<Bit>,
    f_bad: DFF<Bit>,
    f_data: DFF<Bits<512>>,
    // State: a token under way, and its answer.
    moving: DFF<Bit>,
    answered: DFF<Bit>,
    s_write: DFF<Bit>,
    s_tag: DFF<Bits<TA>>,
    s_data: DFF<Bits<M>>,
    // Combinational.
    ar_free: Signal<Local, Bit>,
    aw_free: Signal<Local, Bit>,
    w_free: Signal<Local, Bit>,
    wants_line: Signal<Local, Bit>,
    wants_token: Signal<Local, Bit>,
    takes_read: Signal<Local, Bit>,
    takes_line: Signal<Local, Bit>,
    takes_token: Signal<Local, Bit>,
    takes_beat: Signal<Local, Bit>,
    stores_token: Signal<Local, Bit>,
    token_at: Signal<Local, Bits<32>>,
    beat_at: Signal<Local, Bits<32>>,
    line_beat: Signal<Local, Bits<512>>,
    source: Signal<Local, Bits<2>>,
    write_source: Signal<Local, Bits<2>>,
    token_shift: Signal<Local, Bits<10>>,
    wide_token: Signal<Local, Bits<D>>,
    token_row: Signal<Local, Bits<D>>,
    some_lanes: Signal<Local, Bits<DS>>,
    r_offset: DFF<Bits<10>>,
    token_bits: Constant<Bits<3>>,
    number_bits: Constant<Bits<4>>,
    of_line: Constant<Bits<ID>>,
    of_token: Constant<Bits<ID>>,
    line_beats: Constant<Bits<8>>,
    no_beats: Constant<Bits<8>>,
    beat_size: Constant<Bits<3>>,
    top_beat: Constant<Bits<10>>,
    beat_width: Constant<Bits<10>>,
    beat_start: Constant<Bits<32>>,
    offset_mask: Constant<Bits<32>>,
    token_lanes: Constant<Bits<DS>>,
    no_line: Constant<Bits<512>>,
}

impl<
        const WI: usize,
        const EI: usize,
        const ID: usize,
        const D: usize,
        const DS: usize,
        const SZ: usize,
        const M: usize,
        const TA: usize,
    > Default for MemoryPort<WI, EI, ID, D, DS, SZ, M, TA>
{
    fn default() -> Self {
        assert!(
            ID == EI + 2 && DS == D / 8 && DS == 1 << SZ && (64..=512).contains(&D) && M == 64,
            "MemoryPort<{WI}, {EI}, {ID}, {D}, {DS}, {SZ}, {M}, {TA}>"
        );
        block!({
            clock, reset, read_valid, read_ready, read_id, read_address, read_length, beat_valid, beat_ready,
            beat_id, beat_data, beat_error, beat_last, write_valid, write_ready, write_id, write_address,
            write_length, write_data, write_strobes, write_last, ack_valid, ack_ready, ack_id, ack_error,
            fetch_valid, fetch_ready, fetch_warp, fetch_line, line_valid, line_warp, line_slot, line_data,
            spill_request_valid, spill_request_ready, spill_request_write, spill_request_address,
            spill_request_data, spill_request_tag, spill_response_valid, spill_response_ready,
            spill_response_write, spill_response_tag, spill_response_data, axi_awvalid, axi_awready, axi_awid,
            axi_awaddr, axi_awlen, axi_awsize, axi_awburst, axi_wvalid, axi_wready, axi_wdata, axi_wstrb,
            axi_wlast, axi_bvalid, axi_bready, axi_bid, axi_bresp, axi_arvalid, axi_arready, axi_arid,
            axi_araddr, axi_arlen, axi_arsize, axi_arburst, axi_rvalid, axi_rready, axi_rid, axi_rdata,
            axi_rresp, axi_rlast, busy, ar_full, ar_id, ar_address, ar_length, aw_full, aw_id, aw_address,
            aw_length, w_full, w_data, w_strobes, w_last, in_burst, turn, fetching, fetched, f_warp, f_slot,
            f_bad, f_data, moving, answered, s_write, s_tag, s_data, ar_free, aw_free, w_free, wants_line,
            wants_token, takes_read, takes_line, takes_token, takes_beat, stores_token, token_at, beat_at,
            line_beat, source, write_source, token_shift, wide_token, token_row, some_lanes, r_offset,
        } {
            token_bits: Constant::new(3.into()),
            number_bits: Constant::new((EI as u64).into()),
            of_line: Constant::new((1u64 << EI).into()),
            of_token: Constant::new((2u64 << EI).into()),
            line_beats: Constant::new((512 / D as u64 - 1).into()),
            no_beats: Constant::new(0.into()),
            beat_size: Constant::new((SZ as u64).into()),
            top_beat: Constant::new((512 - D as u64).into()),
            beat_width: Constant::new((D as u64 % 512).into()),
            beat_start: Constant::new((0xffff_ffff_u64 & !(DS as u64 - 1)).into()),
            offset_mask: Constant::new((DS as u64 - 1).into()),
            token_lanes: Constant::new(0xff.into()),
            no_line: Constant::new(0.into()),
        })
    }
}

impl<
        const WI: usize,
        const EI: usize,
        const ID: usize,
        const D: usize,
        const DS: usize,
        const SZ: usize,
        const M: usize,
        const TA: usize,
    > Logic for MemoryPort<WI, EI, ID, D, DS, SZ, M, TA>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, ar_full, ar_id, ar_address, ar_length, aw_full, aw_id, aw_address,
            aw_length, w_full, w_data, w_strobes, w_last, in_burst, turn, fetching, fetched,
            f_warp, f_slot, f_bad, f_data, moving, answered, s_write, s_tag, s_data, r_offset
        );

        // ---- Whose read goes: after the one that went last.
        self.ar_free.next = !self.ar_full.q.val() | self.axi_arready.val();
        self.wants_line.next =
            self.fetch_valid.val() & !self.fetching.q.val() & !self.fetched.q.val();
        self.wants_token.next = self.spill_request_valid.val()
            & !self.moving.q.val()
            & !self.answered.q.val()
            & !self.spill_request_write.val();
        self.takes_read.next = false;
        self.takes_line.next = false;
        self.takes_token.next = false;
        if self.ar_free.val() {
            if self.turn.q.val() == 0 {
                self.takes_line.next = self.wants_line.val();
                self.takes_token.next = self.wants_token.val() & !self.wants_line.val();
                self.takes_read.next =
                    self.read_valid.val() & !self.wants_line.val() & !self.wants_token.val();
            } else if self.turn.q.val() == 1 {
                self.takes_token.next = self.wants_token.val();
                self.takes_read.next = self.read_valid.val() & !self.wants_token.val();
                self.takes_line.next =
                    self.wants_line.val() & !self.read_valid.val() & !self.wants_token.val();
            } else {
                self.takes_read.next = self.read_valid.val();
                self.takes_line.next = self.wants_line.val() & !self.read_valid.val();
                self.takes_token.next =
                    self.wants_token.val() & !self.read_valid.val() & !self.wants_line.val();
            }
        }
        self.token_at.next = self.spill_request_address.val() << self.token_bits.val();
        if self.ar_free.val() {
            self.ar_full.d.next =
                self.takes_read.val() | self.takes_line.val() | self.takes_token.val();
            self.ar_id.d.next = bit_cast::<ID, EI>(self.read_id.val());
            self.ar_address.d.next = self.read_address.val() & self.beat_start.val();
            self.ar_length.d.next = bit_cast::<8, 3>(self.read_length.val());
        }
        if self.takes_read.val() {
            self.turn.d.next = 0.into();
        }
        if self.takes_line.val() {
            self.turn.d.next = 1.into();
            self.ar_id.d.next = self.of_line.val();
            self.ar_address.d.next = bit_cast::<32, 18>(self.fetch_line.val()) << 6;
            self.ar_length.d.next = self.line_beats.val();
            self.fetching.d.next = true;
            self.f_warp.d.next = self.fetch_warp.val();
            self.f_slot.d.next = self.fetch_line.val().get_bit(0);
            self.f_bad.d.next = false;
        }
        if self.takes_token.val() {
            self.turn.d.next = 2.into();
            self.ar_id.d.next = self.of_token.val();
            self.ar_address.d.next = self.token_at.val() & self.beat_start.val();
            self.ar_length.d.next = self.no_beats.val();
        }
        self.read_ready.next = self.takes_read.val();
        self.fetch_ready.next = self.takes_line.val();
        self.axi_arvalid.next = self.ar_full.q.val();
        self.axi_arid.next = self.ar_id.q.val();
        self.axi_araddr.next = self.ar_address.q.val();
        self.axi_arlen.next = self.ar_length.q.val();
        self.axi_arsize.next = self.beat_size.val();
        self.axi_arburst.next = 1.into();

        // ---- Beats of writes: the first one of a burst brings the address.
        self.aw_free.next = !self.aw_full.q.val() | self.axi_awready.val();
        self.w_free.next = !self.w_full.q.val() | self.axi_wready.val();
        self.takes_beat.next = self.write_valid.val()
            & self.w_free.val()
            & (self.in_burst.q.val() | self.aw_free.val());
        self.stores_token.next = self.spill_request_valid.val()
            & self.spill_request_write.val()
            & !self.moving.q.val()
            & !self.answered.q.val()
            & !self.in_burst.q.val()
            & !self.write_valid.val()
            & self.w_free.val()
            & self.aw_free.val();
        self.write_ready.next = self.takes_beat.val();
        if self.axi_awready.val() {
            self.aw_full.d.next = false;
        }
        if self.axi_wready.val() {
            self.w_full.d.next = false;
        }
        self.beat_at.next = self.token_at.val() & self.offset_mask.val();
        self.token_shift.next = bit_cast::<10, 32>(self.beat_at.val()) << 3;
        self.wide_token.next = bit_cast::<D, M>(self.spill_request_data.val());
        self.some_lanes.next = self.token_lanes.val() << self.beat_at.val().get_bits::<6>(0);
        if self.takes_beat.val() {
            self.w_full.d.next = true;
            self.w_data.d.next = self.write_data.val();
            self.w_strobes.d.next = self.write_strobes.val();
            self.w_last.d.next = self.write_last.val();
            self.in_burst.d.next = !self.write_last.val();
            if !self.in_burst.q.val() {
                self.aw_full.d.next = true;
                self.aw_id.d.next = bit_cast::<ID, EI>(self.write_id.val());
                self.aw_address.d.next = self.write_address.val() & self.beat_start.val();
                self.aw_length.d.next = bit_cast::<8, 3>(self.write_length.val());
            }
        }
        if self.stores_token.val() {
            self.w_full.d.next = true;
            self.w_data.d.next = self.wide_token.val() << self.token_shift.val();
            self.w_strobes.d.next = self.some_lanes.val();
            self.w_last.d.next = true;
            self.aw_full.d.next = true;
            self.aw_id.d.next = self.of_token.val();
            self.aw_address.d.next = self.token_at.val() & self.beat_start.val();
            self.aw_length.d.next = self.no_beats.val();
        }
        self.axi_awvalid.next = self.aw_full.q.val();
        self.axi_awid.next = self.aw_id.q.val();
        self.axi_awaddr.next = self.aw_address.q.val();
        self.axi_awlen.next = self.aw_length.q.val();
        self.axi_awsize.next = self.beat_size.val();
        self.axi_awburst.next = 1.into();
        self.axi_wvalid.next = self.w_full.q.val();
        self.axi_wdata.next = self.w_data.q.val();
        self.axi_wstrb.next = self.w_strobes.q.val();
        self.axi_wlast.next = self.w_last.q.val();

        // ---- Tokens.
        self.spill_request_ready.next = self.takes_token.val() | self.stores_token.val();
        if self.takes_token.val() | self.stores_token.val() {
            self.moving.d.next = true;
            self.s_write.d.next = self.spill_request_write.val();
            self.s_tag.d.next = self.spill_request_tag.val();
            self.r_offset.d.next = self.token_shift.val();
        }
        self.spill_response_valid.next = self.answered.q.val();
        self.spill_response_write.next = self.s_write.q.val();
        self.spill_response_tag.next = self.s_tag.q.val();
        self.spill_response_data.next = self.s_data.q.val();
        if self.answered.q.val() & self.spill_response_ready.val() {
            self.answered.d.next = false;
        }

        // ---- Responses.
        // `n` brings a generic into index arithmetic.
        for n in EI..(EI + 1) {
            self.source.next = self.axi_rid.val().get_bits::<2>(n);
            self.write_source.next = self.axi_bid.val().get_bits::<2>(n);
        }
        self.beat_valid.next = self.axi_rvalid.val() & (self.source.val() == 0);
        self.beat_id.next = self.axi_rid.val().get_bits::<EI>(0);
        self.beat_data.next = self.axi_rdata.val();
        self.beat_error.next = self.axi_rresp.val().get_bit(1);
        self.beat_last.next = self.axi_rlast.val();
        self.axi_rready.next = self.beat_ready.val() | (self.source.val() != 0);
        self.line_beat.next = bit_cast::<512, D>(self.axi_rdata.val()) << self.top_beat.val();
        if self.fetched.q.val() {
            self.fetched.d.next = false;
        }
        if self.axi_rvalid.val() & (self.source.val() == 1) {
            self.f_data.d.next =
                (self.f_data.q.val() >> self.beat_width.val()) | self.line_beat.val();
            self.f_bad.d.next = self.f_bad.q.val() | self.axi_rresp.val().get_bit(1);
            if self.axi_rlast.val() {
                self.fetching.d.next = false;
                self.fetched.d.next = true;
            }
        }
        self.line_valid.next = self.fetched.q.val();
        self.line_warp.next = self.f_warp.q.val();
        self.line_slot.next = self.f_slot.q.val();
        self.line_data.next = self.f_data.q.val();
        if self.f_bad.q.val() {
            self.line_data.next = self.no_line.val();
        }
        self.token_row.next = self.axi_rdata.val() >> self.r_offset.q.val();
        self.ack_valid.next = self.axi_bvalid.val() & (self.write_source.val() == 0);
        self.ack_id.next = self.axi_bid.val().get_bits::<EI>(0);
        self.ack_error.next = self.axi_bresp.val().get_bit(1);
        self.axi_bready.next = self.ack_ready.val() | (self.write_source.val() != 0);
        if self.axi_rvalid.val() & (self.source.val() == 2) {
            self.moving.d.next = false;
            self.answered.d.next = true;
            self.s_data.d.next = bit_cast::<M, D>(self.token_row.val());
        }
        if self.axi_bvalid.val() & (self.write_source.val() == 2) {
            self.moving.d.next = false;
            self.answered.d.next = true;
        }
        self.busy.next = self.fetching.q.val()
            | self.fetched.q.val()
            | self.moving.q.val()
            | self.answered.q.val();

        if self.reset.val() {
            self.ar_full.d.next = false;
            self.aw_full.d.next = false;
            self.w_full.d.next = false;
            self.in_burst.d.next = false;
            self.fetching.d.next = false;
            self.fetched.d.next = false;
            self.moving.d.next = false;
            self.answered.d.next = false;
        }
    }
}
