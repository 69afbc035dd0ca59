//! Launcher: a grid descriptor through AXI4-Lite, and its CTAs on the core.
//!
//! Spec: `docs/spec/memory.md`, *Launcher*.
//!
//! # Parameters
//! `WI`: log2 of the warps; `W` threads of a warp; `L` lanes; `LB` level bits; `SP`: bytes of the scratchpad.
//!
//! # Ports
//! Those of the page.
//!
//! # Cycle behaviour
//! ```text
//! launch     0: written   1 … 165: products   166: check, flush   167 … 182: pieces of the scratchpad   183: first CTA is offered
//! CTA        offered until taken; its tables are written in the cycle of `started_valid`, the next CTA is offered in the cycle after
//! end        all CTAs have ended, and `quiet` was 1 for four cycles: done
//! ```
//! A register is read in the cycle after its address was taken, and written when address and data have come.
//!
//! # Invariants
//! 1. A CTA is offered only while a piece of the scratchpad is free, and no two CTAs have one.
//! 2. STATUS shows done only after every CTA has ended and `quiet` was 1.
//!
//! # Errors
//! STATUS bit 3 with REASON; SLVERR for an address that has no register, a write of less than a word or to the descriptor of a launch
//! under way. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[derive(LogicBlock)]
pub struct Launcher<
    const WI: usize,
    const W: usize,
    const L: usize,
    const LB: usize,
    const SP: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    // AXI4-Lite.
    pub s_axil_awvalid: Signal<In, Bit>,
    pub s_axil_awready: Signal<Out, Bit>,
    pub s_axil_awaddr: Signal<In, Bits<8>>,
    pub s_axil_wvalid: Signal<In, Bit>,
    pub s_axil_wready: Signal<Out, Bit>,
    pub s_axil_wdata: Signal<In, Bits<32>>,
    pub s_axil_wstrb: Signal<In, Bits<4>>,
    pub s_axil_bvalid: Signal<Out, Bit>,
    pub s_axil_bready: Signal<In, Bit>,
    pub s_axil_bresp: Signal<Out, Bits<2>>,
    pub s_axil_arvalid: Signal<In, Bit>,
    pub s_axil_arready: Signal<Out, Bit>,
    pub s_axil_araddr: Signal<In, Bits<8>>,
    pub s_axil_rvalid: Signal<Out, Bit>,
    pub s_axil_rready: Signal<In, Bit>,
    pub s_axil_rdata: Signal<Out, Bits<32>>,
    pub s_axil_rresp: Signal<Out, Bits<2>>,
    // CTAs.
    pub cta_valid: Signal<Out, Bit>,
    pub cta_ready: Signal<In, Bit>,
    pub cta_pc: Signal<Out, Bits<22>>,
    pub cta_threads: Signal<Out, Bits<12>>,
    pub cta_level: Signal<Out, Bits<LB>>,
    pub cta_id: Signal<Out, Bits<16>>,
    pub cta_done: Signal<In, Bit>,
    pub cta_done_slot: Signal<In, Bits<4>>,
    pub cta_done_failed: Signal<In, Bit>,
    pub started_valid: Signal<In, Bit>,
    pub started_slot: Signal<In, Bits<4>>,
    pub quiet: Signal<In, Bit>,
    pub flush: Signal<Out, Bit>,
    pub busy: Signal<Out, Bit>,
    pub finished: Signal<Out, Bit>,
    // Tables.
    pub table_slot: Signal<In, Bits<4>>,
    pub table_linear: Signal<Out, Bits<32>>,
    pub table_x: Signal<Out, Bits<32>>,
    pub table_y: Signal<Out, Bits<32>>,
    pub table_z: Signal<Out, Bits<32>>,
    pub table_first: Signal<Out, Bits<32>>,
    pub table_base: Signal<Out, Bits<32>>,
    // Faults.
    pub fault_valid: Signal<In, Bit>,
    pub fault_warp: Signal<In, Bits<8>>,
    pub fault_thread: Signal<In, Bits<6>>,
    pub fault_pc: Signal<In, Bits<22>>,
    pub fault_cause: Signal<In, Bits<4>>,
    pub fault_address: Signal<In, Bits<32>>,
    pub fault_slot: Signal<In, Bits<4>>,
    // What the descriptor says.
    pub cfg_grid_x: Signal<Out, Bits<32>>,
    pub cfg_grid_y: Signal<Out, Bits<32>>,
    pub cfg_grid_z: Signal<Out, Bits<32>>,
    pub cfg_cta_x: Signal<Out, Bits<32>>,
    pub cfg_cta_y: Signal<Out, Bits<32>>,
    pub cfg_cta_z: Signal<Out, Bits<32>>,
    pub cfg_grid_threads: Signal<Out, Bits<32>>,
    pub cfg_arguments: Signal<Out, Bits<32>>,
    pub cfg_scratchpad_bytes: Signal<Out, Bits<32>>,
    pub cfg_local_bytes: Signal<Out, Bits<32>>,
    pub cfg_local_base: Signal<Out, Bits<32>>,
    pub cfg_memory_size: Signal<Out, Bits<32>>,
    pub cfg_token_base: Signal<Out, Bits<32>>,
    pub cfg_token_size: Signal<Out, Bits<10>>,
    pub cfg_level_mix: Signal<Out, Bits<2>>,
    pub cfg_policy: Signal<Out, Bits<2>>,
    pub cfg_forced_yield: Signal<Out, Bits<16>>,
    pub cfg_yield_every: Signal<Out, Bits<16>>,
    pub cfg_path: Signal<Out, Bits<2>>,
    // State: the descriptor, from address 0x10 on.
    descriptor: Vec<DFF<Bits<32>>>,
    // State: 0 idle, 1 products, 2 check, 3 pieces, 4 offer, 5 place, 6 drain.
    stage: DFF<Bits<3>>,
    // State: a product: which one, its step, what is left of the factors, the sum, it does not fit, a bit of a factor is lost.
    factor: DFF<Bits<3>>,
    step: DFF<Bits<5>>,
    left: DFF<Bits<32>>,
    right: DFF<Bits<32>>,
    product: DFF<Bits<32>>,
    over: DFF<Bit>,
    lost: DFF<Bit>,
    threads: DFF<Bits<32>>,
    ctas: DFF<Bits<32>>,
    all_threads: DFF<Bits<32>>,
    // State: pieces of the scratchpad that are free; end of those so far; the one of the CTA that is placed.
    pieces: DFF<Bits<16>>,
    sum: DFF<Bits<32>>,
    piece: DFF<Bits<4>>,
    piece_bases: LutRam<Bits<32>, 4>,
    piece_of: LutRam<Bits<4>, 4>,
    // State: the next CTA.
    x: DFF<Bits<32>>,
    y: DFF<Bits<32>>,
    z: DFF<Bits<32>>,
    linear: DFF<Bits<32>>,
    first_thread: DFF<Bits<32>>,
    // State: CTAs that have ended; cycles of quiet.
    ended: DFF<Bits<32>>,
    still: DFF<Bits<2>>,
    done: DFF<Bit>,
    failed: DFF<Bit>,
    refused: DFF<Bit>,
    reason: DFF<Bits<3>>,
    cycles: DFF<Bits<32>>,
    cycles_high: DFF<Bits<32>>,
    // State: the first fault.
    bad: DFF<Bit>,
    bad_warp: DFF<Bits<8>>,
    bad_thread: DFF<Bits<6>>,
    bad_cause: DFF<Bits<4>>,
    bad_pc: DFF<Bits<22>>,
    bad_address: DFF<Bits<32>>,
    bad_cta: DFF<Bits<32>>,
    // State: answers to the host.
    told: DFF<Bit>,
    told_error: DFF<Bit>,
    shows: DFF<Bit>,
    shows_error: DFF<Bit>,
    value: DFF<Bits<32>>,
    // State per CTA slot.
    linears: LutRam<Bits<32>, 4>,
    fault_linears: LutRam<Bits<32>, 4>,
    xs: LutRam<Bits<32>, 4>,
    ys: LutRam<Bits<32>, 4>,
    zs: LutRam<Bits<32>, 4>,
    firsts: LutRam<Bits<32>, 4>,
    bases: LutRam<Bits<32>, 4>,
    // Combinational.
    writes: Signal<Local, Bit>,
    at: Signal<Local, Bits<6>>,
    is_descriptor: Signal<Local, Bit>,
    is_control: Signal<Local, Bit>,
    good_write: Signal<Local, Bit>,
    launches: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    from: Signal<Local, Bits<6>>,
    known: Signal<Local, Bit>,
    shown: Signal<Local, Bits<32>>,
    idle: Signal<Local, Bit>,
    wide_product: Signal<Local, Bits<33>>,
    wide_left: Signal<Local, Bits<33>>,
    next_left: Signal<Local, Bits<33>>,
    next_product: Signal<Local, Bits<32>>,
    next_over: Signal<Local, Bit>,
    wrong: Signal<Local, Bits<3>>,
    next_sum: Signal<Local, Bits<33>>,
    fits: Signal<Local, Bit>,
    free: FirstOne<16, 4>,
    taken_pieces: Signal<Local, Bits<16>>,
    returned: Signal<Local, Bits<16>>,
    next_x: Signal<Local, Bits<32>>,
    next_y: Signal<Local, Bits<32>>,
    next_z: Signal<Local, Bits<32>>,
    places: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,
    status: Signal<Local, Bits<32>>,
    fault_word: Signal<Local, Bits<32>>,
    // Constants.
    number: Vec<Constant<Bits<6>>>,
    identity: Constant<Bits<32>>,
    size: Constant<Bits<32>>,
    zero: Constant<Bits<32>>,
    one: Constant<Bits<32>>,
    most_threads: Constant<Bits<32>>,
    most_tokens: Constant<Bits<32>>,
    least_tokens: Constant<Bits<32>>,
    most_bytes: Constant<Bits<33>>,
    first_code: Constant<Bits<32>>,
    top_piece: Constant<Bits<16>>,
    one_piece: Constant<Bits<16>>,
    no_pieces: Constant<Bits<16>>,
    okay: Constant<Bits<2>>,
    error: Constant<Bits<2>>,
}

impl<const WI: usize, const W: usize, const L: usize, const LB: usize, const SP: usize> Default
    for Launcher<WI, W, L, LB, SP>
{
    fn default() -> Self {
        assert!(
            LB <= 8 && (W << WI) <= 4096 && W % L == 0,
            "Launcher<{WI}, {W}, {L}, {LB}, {SP}>"
        );
        block!({
            clock, reset, s_axil_awvalid, s_axil_awready, s_axil_awaddr, s_axil_wvalid, s_axil_wready, s_axil_wdata,
            s_axil_wstrb, s_axil_bvalid, s_axil_bready, s_axil_bresp, s_axil_arvalid, s_axil_arready, s_axil_araddr,
            s_axil_rvalid, s_axil_rready, s_axil_rdata, s_axil_rresp, cta_valid, cta_ready, cta_pc, cta_threads,
            cta_level, cta_id, cta_done, cta_done_slot, cta_done_failed, started_valid, started_slot, quiet, flush,
            busy, finished, table_slot, table_linear, table_x, table_y, table_z, table_first, table_base,
            fault_valid, fault_warp, fault_thread, fault_pc, fault_cause, fault_address, fault_slot, cfg_grid_x,
            cfg_grid_y, cfg_grid_z, cfg_cta_x, cfg_cta_y, cfg_cta_z, cfg_grid_threads, cfg_arguments,
            cfg_scratchpad_bytes, cfg_local_bytes, cfg_local_base, cfg_memory_size, cfg_token_base, cfg_token_size,
            cfg_level_mix, cfg_policy, cfg_forced_yield, cfg_yield_every, cfg_path, stage, factor, step, left, right,
            product, over, lost, threads, ctas, all_threads, pieces, sum, piece, piece_bases, piece_of, x, y, z,
            linear, first_thread, ended, still, done, failed, refused, reason, cycles, cycles_high, bad, bad_warp,
            bad_thread, bad_cause, bad_pc, bad_address, bad_cta, told, told_error, shows, shows_error, value,
            linears, fault_linears, xs, ys, zs, firsts, bases, writes, at, is_descriptor, is_control, good_write,
            launches, clears, reads, from, known, shown, idle, wide_product, wide_left, next_left, next_product,
            next_over, wrong, next_sum, fits, free, taken_pieces, returned, next_x, next_y, next_z, places, is_last,
            status, fault_word,
        } {
            descriptor: (0..17).map(|_| Default::default()).collect(),
            number: (0..17).map(|i| Constant::new((i as u64 + 4).into())).collect(),
            identity: Constant::new(0x5745_4654u64.into()),
            size: Constant::new((1u64 << WI | (W as u64) << 8 | (L as u64) << 16).into()),
            zero: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            most_threads: Constant::new(((W << WI) as u64).min(4095).into()),
            most_tokens: Constant::new(1023u64.into()),
            least_tokens: Constant::new((W as u64 + 1).into()),
            most_bytes: Constant::new((SP as u64).into()),
            first_code: Constant::new(0x1000u64.into()),
            top_piece: Constant::new(0x8000u64.into()),
            one_piece: Constant::new(1u64.into()),
            no_pieces: Constant::new(0u64.into()),
            okay: Constant::new(0u64.into()),
            error: Constant::new(2u64.into()),
        })
    }
}

impl<const WI: usize, const W: usize, const L: usize, const LB: usize, const SP: usize> Logic
    for Launcher<WI, W, L, LB, SP>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            stage,
            factor,
            step,
            left,
            right,
            product,
            over,
            lost,
            threads,
            ctas,
            all_threads
        );
        dff_setup!(
            self,
            clock,
            pieces,
            sum,
            piece,
            x,
            y,
            z,
            linear,
            first_thread,
            ended,
            still,
            done,
            failed,
            refused
        );
        dff_setup!(
            self,
            clock,
            reason,
            cycles,
            cycles_high,
            bad,
            bad_warp,
            bad_thread,
            bad_cause,
            bad_pc,
            bad_address
        );
        dff_setup!(
            self,
            clock,
            bad_cta,
            told,
            told_error,
            shows,
            shows_error,
            value
        );
        clock!(
            self,
            clock,
            piece_bases,
            piece_of,
            linears,
            fault_linears,
            xs,
            ys,
            zs,
            firsts,
            bases
        );
        self.idle.next = self.stage.q.val() == 0;
        self.busy.next = !self.idle.val();

        // ---- The host writes.
        self.writes.next = self.s_axil_awvalid.val()
            & self.s_axil_wvalid.val()
            & (!self.told.q.val() | self.s_axil_bready.val());
        self.s_axil_awready.next = self.writes.val();
        self.s_axil_wready.next = self.writes.val();
        self.at.next = self.s_axil_awaddr.val().get_bits::<6>(2);
        self.is_control.next = self.at.val() == 2;
        self.is_descriptor.next = (self.at.val() >= 4) & (self.at.val() <= 20);
        self.good_write.next = self.writes.val()
            & self.s_axil_wstrb.val().all()
            & (self.is_control.val() | (self.is_descriptor.val() & self.idle.val()));
        for i in 0..17 {
            self.descriptor[i].clock.next = self.clock.val();
            self.descriptor[i].d.next = self.descriptor[i].q.val();
            if self.good_write.val() & (self.at.val() == self.number[i].val()) {
                self.descriptor[i].d.next = self.s_axil_wdata.val();
            }
            if self.reset.val() {
                self.descriptor[i].d.next = self.zero.val();
            }
        }
        self.launches.next = self.good_write.val()
            & self.is_control.val()
            & self.s_axil_wdata.val().get_bit(0)
            & self.idle.val();
        self.clears.next =
            self.good_write.val() & self.is_control.val() & self.s_axil_wdata.val().get_bit(1);
        if self.s_axil_bready.val() {
            self.told.d.next = false;
        }
        if self.writes.val() {
            self.told.d.next = true;
            self.told_error.d.next = !self.good_write.val();
        }
        self.s_axil_bvalid.next = self.told.q.val();
        self.s_axil_bresp.next = self.okay.val();
        if self.told_error.q.val() {
            self.s_axil_bresp.next = self.error.val();
        }

        // ---- The host reads.
        self.status.next = bit_cast::<32, 1>(self.busy.val().into())
            | (bit_cast::<32, 1>(self.done.q.val().into()) << 1)
            | (bit_cast::<32, 1>(self.failed.q.val().into()) << 2)
            | (bit_cast::<32, 1>(self.refused.q.val().into()) << 3);
        self.fault_word.next = (bit_cast::<32, 1>(self.bad.q.val().into()) << 31)
            | (bit_cast::<32, 8>(self.bad_warp.q.val()) << 16)
            | (bit_cast::<32, 6>(self.bad_thread.q.val()) << 8)
            | bit_cast::<32, 4>(self.bad_cause.q.val());
        self.reads.next =
            self.s_axil_arvalid.val() & (!self.shows.q.val() | self.s_axil_rready.val());
        self.s_axil_arready.next = self.reads.val();
        self.from.next = self.s_axil_araddr.val().get_bits::<6>(2);
        self.known.next = true;
        self.shown.next = self.zero.val();
        if self.from.val() == 0 {
            self.shown.next = self.identity.val();
        } else if self.from.val() == 1 {
            self.shown.next = self.size.val();
        } else if self.from.val() == 2 {
            self.shown.next = self.zero.val();
        } else if self.from.val() == 3 {
            self.shown.next = self.status.val();
        } else if self.from.val() == 21 {
            self.shown.next = bit_cast::<32, 3>(self.reason.q.val());
        } else if self.from.val() == 24 {
            self.shown.next = self.fault_word.val();
        } else if self.from.val() == 25 {
            self.shown.next = bit_cast::<32, 22>(self.bad_pc.q.val()) << 2;
        } else if self.from.val() == 26 {
            self.shown.next = self.bad_address.q.val();
        } else if self.from.val() == 27 {
            self.shown.next = self.bad_cta.q.val();
        } else if self.from.val() == 28 {
            self.shown.next = self.cycles.q.val();
        } else if self.from.val() == 29 {
            self.shown.next = self.cycles_high.q.val();
        } else if self.from.val() == 30 {
            self.shown.next = self.ended.q.val();
        } else {
            self.known.next = false;
        }
        for i in 0..17 {
            if self.from.val() == self.number[i].val() {
                self.shown.next = self.descriptor[i].q.val();
                self.known.next = true;
            }
        }
        if self.s_axil_rready.val() {
            self.shows.d.next = false;
        }
        if self.reads.val() {
            self.shows.d.next = true;
            self.shows_error.d.next = !self.known.val();
            self.value.d.next = self.shown.val();
        }
        self.s_axil_rvalid.next = self.shows.q.val();
        self.s_axil_rdata.next = self.value.q.val();
        self.s_axil_rresp.next = self.okay.val();
        if self.shows_error.q.val() {
            self.s_axil_rresp.next = self.error.val();
        }

        // ---- What the descriptor says.
        self.cfg_grid_x.next = self.descriptor[1].q.val();
        self.cfg_grid_y.next = self.descriptor[2].q.val();
        self.cfg_grid_z.next = self.descriptor[3].q.val();
        self.cfg_cta_x.next = self.descriptor[4].q.val();
        self.cfg_cta_y.next = self.descriptor[5].q.val();
        self.cfg_cta_z.next = self.descriptor[6].q.val();
        self.cfg_grid_threads.next = self.all_threads.q.val();
        self.cfg_arguments.next = self.descriptor[7].q.val();
        self.cfg_scratchpad_bytes.next = self.descriptor[8].q.val();
        self.cfg_local_bytes.next = self.descriptor[9].q.val();
        self.cfg_local_base.next = self.descriptor[10].q.val();
        self.cfg_token_base.next = self.descriptor[11].q.val();
        self.cfg_token_size.next = self.descriptor[12].q.val().get_bits::<10>(0);
        self.cfg_memory_size.next = self.descriptor[13].q.val();
        self.cfg_level_mix.next = self.descriptor[14].q.val().get_bits::<2>(8);
        self.cfg_policy.next = self.descriptor[14].q.val().get_bits::<2>(16);
        self.cfg_forced_yield.next = self.descriptor[15].q.val().get_bits::<16>(0);
        self.cfg_yield_every.next = self.descriptor[15].q.val().get_bits::<16>(16);
        self.cfg_path.next = self.descriptor[16].q.val().get_bits::<2>(0);

        // ---- Products, bit by bit: threads of a CTA, CTAs, threads of the grid.
        self.wide_product.next = bit_cast::<33, 32>(self.product.q.val());
        self.wide_left.next = bit_cast::<33, 32>(self.left.q.val());
        self.next_left.next = self.wide_left.val() << 1;
        self.next_over.next = self.over.q.val();
        if self.right.q.val().get_bit(0) {
            self.wide_product.next = self.wide_product.val() + self.wide_left.val();
            self.next_over.next =
                self.over.q.val() | self.lost.q.val() | self.wide_product.val().get_bit(32);
        }
        self.next_product.next = self.wide_product.val().get_bits::<32>(0);
        // ---- Why it is refused.
        self.wrong.next = 0.into();
        if self.over.q.val() | !self.all_threads.q.val().any() {
            self.wrong.next = 2.into();
        }
        if !self.threads.q.val().any() | (self.threads.q.val() > self.most_threads.val()) {
            self.wrong.next = 1.into();
        }
        if (self.descriptor[8].q.val() > self.most_bytes.val().get_bits::<32>(0))
            | self.descriptor[8].q.val().get_bits::<2>(0).any()
        {
            self.wrong.next = 3.into();
        }
        if self.descriptor[9].q.val().get_bits::<4>(0).any()
            | self.descriptor[9].q.val().get_bits::<4>(28).any()
            | self.descriptor[10].q.val().get_bits::<6>(0).any()
        {
            self.wrong.next = 4.into();
        }
        if (self.descriptor[12].q.val() < self.least_tokens.val())
            | (self.descriptor[12].q.val() > self.most_tokens.val())
        {
            self.wrong.next = 5.into();
        }
        if self.descriptor[13].q.val().get_bits::<6>(0).any() {
            self.wrong.next = 6.into();
        }
        if self.descriptor[0].q.val().get_bits::<2>(0).any()
            | self.descriptor[0].q.val().get_bits::<8>(24).any()
            | (self.descriptor[0].q.val() < self.first_code.val())
        {
            self.wrong.next = 7.into();
        }

        // ---- The CTA that is offered or placed.
        self.free.bits.next = self.pieces.q.val();
        self.cta_valid.next = (self.stage.q.val() == 4) & self.free.any.val();
        self.cta_pc.next = self.descriptor[0].q.val().get_bits::<22>(2);
        self.cta_threads.next = self.threads.q.val().get_bits::<12>(0);
        self.cta_level.next = self.descriptor[14].q.val().get_bits::<LB>(0);
        self.cta_id.next = self.linear.q.val().get_bits::<16>(0);
        self.places.next = (self.stage.q.val() == 5) & self.started_valid.val();
        self.taken_pieces.next = self.no_pieces.val();
        self.returned.next = self.no_pieces.val();
        self.piece_of.read_address.next = self.cta_done_slot.val();
        if self.cta_done.val() {
            self.returned.next = self.one_piece.val() << self.piece_of.read_data.val();
        }
        if self.cta_valid.val() & self.cta_ready.val() {
            self.taken_pieces.next = self.one_piece.val() << self.free.place.val();
            self.piece.d.next = self.free.place.val();
        }
        self.pieces.d.next = (self.pieces.q.val() & !self.taken_pieces.val()) | self.returned.val();
        self.next_sum.next =
            bit_cast::<33, 32>(self.sum.q.val()) + bit_cast::<33, 32>(self.descriptor[8].q.val());
        self.fits.next = self.next_sum.val() <= self.most_bytes.val();
        self.piece_bases.write_enable.next = self.stage.q.val() == 3;
        self.piece_bases.write_address.next = self.step.q.val().get_bits::<4>(0);
        self.piece_bases.write_data.next = self.sum.q.val();
        self.piece_bases.read_address.next = self.piece.q.val();
        self.piece_of.write_enable.next = self.places.val();
        self.piece_of.write_address.next = self.started_slot.val();
        self.piece_of.write_data.next = self.piece.q.val();
        self.linears.write_enable.next = self.places.val();
        self.fault_linears.write_enable.next = self.places.val();
        self.xs.write_enable.next = self.places.val();
        self.ys.write_enable.next = self.places.val();
        self.zs.write_enable.next = self.places.val();
        self.firsts.write_enable.next = self.places.val();
        self.bases.write_enable.next = self.places.val();
        self.linears.write_address.next = self.started_slot.val();
        self.fault_linears.write_address.next = self.started_slot.val();
        self.xs.write_address.next = self.started_slot.val();
        self.ys.write_address.next = self.started_slot.val();
        self.zs.write_address.next = self.started_slot.val();
        self.firsts.write_address.next = self.started_slot.val();
        self.bases.write_address.next = self.started_slot.val();
        self.linears.write_data.next = self.linear.q.val();
        self.fault_linears.write_data.next = self.linear.q.val();
        self.xs.write_data.next = self.x.q.val();
        self.ys.write_data.next = self.y.q.val();
        self.zs.write_data.next = self.z.q.val();
        self.firsts.write_data.next = self.first_thread.q.val();
        self.bases.write_data.next = self.piece_bases.read_data.val();
        self.linears.read_address.next = self.table_slot.val();
        self.xs.read_address.next = self.table_slot.val();
        self.ys.read_address.next = self.table_slot.val();
        self.zs.read_address.next = self.table_slot.val();
        self.firsts.read_address.next = self.table_slot.val();
        self.bases.read_address.next = self.table_slot.val();
        self.fault_linears.read_address.next = self.fault_slot.val();
        self.table_linear.next = self.linears.read_data.val();
        self.table_x.next = self.xs.read_data.val();
        self.table_y.next = self.ys.read_data.val();
        self.table_z.next = self.zs.read_data.val();
        self.table_first.next = self.firsts.read_data.val();
        self.table_base.next = self.bases.read_data.val();
        self.next_x.next = self.x.q.val() + self.one.val();
        self.next_y.next = self.y.q.val() + self.one.val();
        self.next_z.next = self.z.q.val() + self.one.val();
        self.is_last.next = (self.next_x.val() == self.descriptor[1].q.val())
            & (self.next_y.val() == self.descriptor[2].q.val())
            & (self.next_z.val() == self.descriptor[3].q.val());

        // ---- Stages.
        self.flush.next = false;
        self.finished.next = false;
        if self.cta_done.val() {
            self.ended.d.next = self.ended.q.val() + self.one.val();
        }
        if !self.idle.val() {
            self.cycles.d.next = self.cycles.q.val() + self.one.val();
            if self.cycles.q.val().all() {
                self.cycles_high.d.next = self.cycles_high.q.val() + self.one.val();
            }
        }
        if self.clears.val() {
            self.done.d.next = false;
            self.failed.d.next = false;
            self.refused.d.next = false;
            self.reason.d.next = 0.into();
            self.bad.d.next = false;
        }
        if self.launches.val() {
            self.stage.d.next = 1.into();
            self.factor.d.next = 0.into();
            self.step.d.next = 0.into();
            self.left.d.next = self.descriptor[4].q.val();
            self.right.d.next = self.descriptor[5].q.val();
            self.product.d.next = self.zero.val();
            self.over.d.next = false;
            self.lost.d.next = false;
            self.done.d.next = false;
            self.failed.d.next = false;
            self.refused.d.next = false;
            self.reason.d.next = 0.into();
            self.ended.d.next = self.zero.val();
            self.cycles.d.next = self.zero.val();
            self.cycles_high.d.next = self.zero.val();
            self.x.d.next = self.zero.val();
            self.y.d.next = self.zero.val();
            self.z.d.next = self.zero.val();
            self.linear.d.next = self.zero.val();
            self.first_thread.d.next = self.zero.val();
            self.sum.d.next = self.zero.val();
            self.still.d.next = 0.into();
        }
        if self.stage.q.val() == 1 {
            self.step.d.next = self.step.q.val() + 1;
            self.left.d.next = self.next_left.val().get_bits::<32>(0);
            self.lost.d.next = self.lost.q.val() | self.next_left.val().get_bit(32);
            self.right.d.next = self.right.q.val() >> 1;
            self.product.d.next = self.next_product.val();
            self.over.d.next = self.next_over.val();
            if self.step.q.val().all() {
                self.factor.d.next = self.factor.q.val() + 1;
                self.left.d.next = self.next_product.val();
                self.product.d.next = self.zero.val();
                self.lost.d.next = false;
                if self.factor.q.val() == 0 {
                    self.right.d.next = self.descriptor[6].q.val();
                } else if self.factor.q.val() == 1 {
                    self.threads.d.next = self.next_product.val();
                    self.left.d.next = self.descriptor[1].q.val();
                    self.right.d.next = self.descriptor[2].q.val();
                } else if self.factor.q.val() == 2 {
                    self.right.d.next = self.descriptor[3].q.val();
                } else if self.factor.q.val() == 3 {
                    self.ctas.d.next = self.next_product.val();
                    self.right.d.next = self.threads.q.val();
                } else {
                    self.all_threads.d.next = self.next_product.val();
                    self.stage.d.next = 2.into();
                }
            }
        } else if self.stage.q.val() == 2 {
            self.flush.next = true;
            self.stage.d.next = 3.into();
            self.pieces.d.next = self.no_pieces.val();
            if self.wrong.val().any() {
                self.refused.d.next = true;
                self.reason.d.next = self.wrong.val();
                self.done.d.next = true;
                self.finished.next = true;
                self.stage.d.next = 0.into();
            }
        } else if self.stage.q.val() == 3 {
            // Piece n begins behind the n before it.
            self.step.d.next = self.step.q.val() + 1;
            self.pieces.d.next = self.pieces.q.val() >> 1;
            if self.fits.val() {
                self.sum.d.next = self.next_sum.val().get_bits::<32>(0);
                self.pieces.d.next = (self.pieces.q.val() >> 1) | self.top_piece.val();
            }
            if self.step.q.val() == 15 {
                self.stage.d.next = 4.into();
            }
        } else if self.stage.q.val() == 4 {
            if self.cta_valid.val() & self.cta_ready.val() {
                self.stage.d.next = 5.into();
            }
        } else if self.stage.q.val() == 5 {
            if self.started_valid.val() {
                self.linear.d.next = self.linear.q.val() + self.one.val();
                self.first_thread.d.next = self.first_thread.q.val() + self.threads.q.val();
                self.x.d.next = self.next_x.val();
                if self.next_x.val() == self.descriptor[1].q.val() {
                    self.x.d.next = self.zero.val();
                    self.y.d.next = self.next_y.val();
                    if self.next_y.val() == self.descriptor[2].q.val() {
                        self.y.d.next = self.zero.val();
                        self.z.d.next = self.next_z.val();
                    }
                }
                self.stage.d.next = 4.into();
                if self.is_last.val() {
                    self.stage.d.next = 6.into();
                }
            }
        } else if self.stage.q.val() == 6 {
            self.still.d.next = 0.into();
            if (self.ended.q.val() == self.ctas.q.val()) & self.quiet.val() {
                self.still.d.next = self.still.q.val() + 1;
                if self.still.q.val().all() {
                    self.done.d.next = true;
                    self.finished.next = true;
                    self.stage.d.next = 0.into();
                }
            }
        }
        if self.cta_done.val() & self.cta_done_failed.val() {
            self.failed.d.next = true;
        }
        if self.fault_valid.val() & (!self.bad.q.val() | self.clears.val()) {
            self.bad.d.next = true;
            self.bad_warp.d.next = self.fault_warp.val();
            self.bad_thread.d.next = self.fault_thread.val();
            self.bad_cause.d.next = self.fault_cause.val();
            self.bad_pc.d.next = self.fault_pc.val();
            self.bad_address.d.next = self.fault_address.val();
            self.bad_cta.d.next = self.fault_linears.read_data.val();
        }
        if self.reset.val() {
            self.stage.d.next = 0.into();
            self.told.d.next = false;
            self.shows.d.next = false;
            self.done.d.next = false;
            self.failed.d.next = false;
            self.refused.d.next = false;
            self.bad.d.next = false;
            self.ended.d.next = self.zero.val();
            self.reason.d.next = 0.into();
        }
    }
}

#[cfg(test)]
#[path = "launcher_tests.rs"]
mod tests;
