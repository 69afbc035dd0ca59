//! Streaming multiprocessor: warp control, datapath, load/store unit, line cache, memory port and launcher.
//! Wiring only.
//!
//! Spec and ports: `docs/spec/sm.md`, and the pages of its blocks.
//!
//! # Parameters
//! Those of its blocks, under their names; `parameters` of `lib.rs` derives them.
//!
//! # Errors
//! `fault_*`, `exception_*`; `host_*`: STATUS and FAULT.

use crate::core::Core;
use crate::datapath::Datapath;
use crate::hdl::*;
use crate::launcher::Launcher;
use crate::memory::axi::MemoryPort;
use crate::memory::data_cache::DataCache;
use crate::memory::line_cache::LineCache;
use crate::memory::lsu::Lsu;

#[derive(LogicBlock)]
pub struct Sm<
    const NW: usize,
    const WI: usize,
    const WC: usize,
    const W: usize,
    const P: usize,
    const K: usize,
    const B: usize,
    const R: usize,
    const TA: usize,
    const M: usize,
    const SB: usize,
    const BA: usize,
    const HH: usize,
    const I: usize,
    const L: usize,
    const LI: usize,
    const LW: usize,
    const NP: usize,
    const PB: usize,
    const LA: usize,
    const RA: usize,
    const RB: usize,
    const LO: usize,
    const LN: usize,
    const CB: usize,
    const PC: usize,
    const PS: usize,
    const QI: usize,
    const QC: usize,
    const H: usize,
    const E: usize,
    const EI: usize,
    const ES: usize,
    const T: usize,
    const TI: usize,
    const A: usize,
    const D: usize,
    const DS: usize,
    const FC: usize,
    const ID: usize,
    const IB: usize,
    const IN: usize,
    const IT: usize,
    const IA: usize,
    const BC: usize,
    const NB: usize,
    const TS: usize,
    const SCRATCH: usize,
    const DN: usize,
    const DI: usize,
    const DT: usize,
    const DA: usize,
    const DY: usize,
    const DB: usize,
    const DU: usize,
    const DW: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub busy: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
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
    pub host_awvalid: Signal<In, Bit>,
    pub host_awready: Signal<Out, Bit>,
    pub host_awaddr: Signal<In, Bits<8>>,
    pub host_wvalid: Signal<In, Bit>,
    pub host_wready: Signal<Out, Bit>,
    pub host_wdata: Signal<In, Bits<32>>,
    pub host_wstrb: Signal<In, Bits<4>>,
    pub host_bvalid: Signal<Out, Bit>,
    pub host_bready: Signal<In, Bit>,
    pub host_bresp: Signal<Out, Bits<2>>,
    pub host_arvalid: Signal<In, Bit>,
    pub host_arready: Signal<Out, Bit>,
    pub host_araddr: Signal<In, Bits<8>>,
    pub host_rvalid: Signal<Out, Bit>,
    pub host_rready: Signal<In, Bit>,
    pub host_rdata: Signal<Out, Bits<32>>,
    pub host_rresp: Signal<Out, Bits<2>>,
    pub init_valid: Signal<Out, Bit>,
    pub init_warp: Signal<Out, Bits<WI>>,
    pub init_first: Signal<Out, Bits<32>>,
    pub init_cta: Signal<Out, Bits<4>>,
    pub write_valid: Signal<Out, Bit>,
    pub write_warp: Signal<Out, Bits<WI>>,
    pub write_part: Signal<Out, Bits<PB>>,
    pub write_rd: Signal<Out, Bits<5>>,
    pub write_mask: Signal<Out, Bits<L>>,
    pub write_data: Signal<Out, Bits<LW>>,
    pub fault_valid: Signal<Out, Bit>,
    pub fault_warp: Signal<Out, Bits<WI>>,
    pub fault_thread: Signal<Out, Bits<6>>,
    pub fault_pc: Signal<Out, Bits<22>>,
    pub fault_cause: Signal<Out, Bits<4>>,
    pub fault_address: Signal<Out, Bits<32>>,
    pub effect_valid: Signal<Out, Bit>,
    pub effect_warp: Signal<Out, Bits<WI>>,
    pub effect_part: Signal<Out, Bits<PB>>,
    pub effect_op: Signal<Out, Bits<5>>,
    pub effect_mask: Signal<Out, Bits<L>>,
    pub effect_address: Signal<Out, Bits<LW>>,
    pub effect_data: Signal<Out, Bits<LW>>,
    pub done0_valid: Signal<Out, Bit>,
    pub done0_warp: Signal<Out, Bits<WI>>,
    pub done0_rd: Signal<Out, Bits<6>>,
    pub done1_valid: Signal<Out, Bit>,
    pub done1_warp: Signal<Out, Bits<WI>>,
    pub done1_rd: Signal<Out, Bits<6>>,
    pub issue_valid: Signal<Out, Bit>,
    pub issue_warp: Signal<Out, Bits<WI>>,
    pub issue_pc: Signal<Out, Bits<22>>,
    pub issue_mask: Signal<Out, Bits<W>>,
    pub issue_word: Signal<Out, Bits<32>>,
    pub issue_decoded: Signal<Out, Bits<23>>,
    pub op_valid: Signal<Out, Bit>,
    pub op_ready: Signal<Out, Bit>,
    pub op_code: Signal<Out, Bits<4>>,
    pub op_warp: Signal<Out, Bits<WI>>,
    pub op_cta: Signal<Out, Bits<4>>,
    pub op_block: Signal<Out, Bits<WI>>,
    pub op_threads: Signal<Out, Bits<12>>,
    pub verdict_valid: Signal<Out, Bit>,
    pub verdict_ready: Signal<Out, Bit>,
    pub verdict_warp: Signal<Out, Bits<WI>>,
    pub verdict_op: Signal<Out, Bits<3>>,
    pub verdict_mask: Signal<Out, Bits<W>>,
    pub verdict_pc: Signal<Out, Bits<22>>,
    pub hold: Signal<Out, Bits<NW>>,
    pub wake_valid: Signal<Out, Bit>,
    pub wake_ready: Signal<Out, Bit>,
    pub verdict_taken: Signal<Out, Bit>,
    pub wake_taken: Signal<Out, Bit>,
    pub wake_warp: Signal<Out, Bits<WI>>,
    pub wake_mask: Signal<Out, Bits<W>>,
    pub wake_pc: Signal<Out, Bits<22>>,
    pub error_valid: Signal<Out, Bit>,
    pub error_warp: Signal<Out, Bits<WI>>,
    pub error_mask: Signal<Out, Bits<W>>,
    pub error_pc: Signal<Out, Bits<22>>,
    pub error_id: Signal<Out, Bits<3>>,
    pub error_cause: Signal<Out, Bits<2>>,
    pub event_valid: Signal<Out, Bit>,
    pub event_kind: Signal<Out, Bits<2>>,
    pub event_cta: Signal<Out, Bits<4>>,
    pub event_id: Signal<Out, Bits<3>>,
    pub expired_valid: Signal<Out, Bit>,
    pub expired_cta: Signal<Out, Bits<4>>,
    pub expired_id: Signal<Out, Bits<3>>,
    pub retire_valid: Signal<Out, Bit>,
    pub retire_warp: Signal<Out, Bits<WI>>,
    pub retire_op: Signal<Out, Bits<4>>,
    pub retire_pc: Signal<Out, Bits<22>>,
    pub retire_next_pc: Signal<Out, Bits<22>>,
    pub retire_next_mask: Signal<Out, Bits<W>>,
    pub retire_done: Signal<Out, Bit>,
    pub retire_blocked: Signal<Out, Bit>,
    pub retire_depth: Signal<Out, Bits<10>>,
    pub retire_front_kind: Signal<Out, Bits<4>>,
    pub retire_front_mask: Signal<Out, Bits<W>>,
    pub retire_front_pc: Signal<Out, Bits<22>>,
    pub retire_front_below: Signal<Out, Bits<4>>,
    pub retire_dropped: Signal<Out, Bit>,
    pub exception_valid: Signal<Out, Bit>,
    pub exception_warp: Signal<Out, Bits<WI>>,
    pub exception_pc: Signal<Out, Bits<22>>,
    pub exception_cause: Signal<Out, Bits<4>>,
    pub status_busy: Signal<Out, Bits<NW>>,
    pub cache_events: Signal<Out, Bits<8>>,
    pub faulted: Signal<Out, Bits<NW>>,
    core: Core<NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, 4, 0, 1, NW, WI, HH, WC, SB>,
    datapath: Datapath<NW, WI, SB, W, I, P, L, LI, LW, NP, PB, LA, RA, RB>,
    lsu: Lsu<
        NW,
        WI,
        W,
        I,
        TS,
        L,
        LI,
        LW,
        LO,
        LN,
        CB,
        PB,
        PC,
        PS,
        QI,
        QC,
        H,
        E,
        EI,
        ES,
        T,
        TI,
        A,
        D,
        DS,
        FC,
    >,
    launcher: Launcher<NW, WI, W, I, L, SCRATCH>,
    lines: LineCache<WI, D, IB, IN, IT, BC, NB, IA, 2, 3>,
    data_cache: DataCache<D, DS, DW, E, EI, DI, DN, DT, BC, DA, DY, DB, DU>,
    port: MemoryPort<D, DS, EI, ID, M, TA, 2, 3>,
    active: Signal<Local, Bit>,
    c_cfg_interval: Constant<Bits<20>>,
    c_cfg_priority: Constant<Bits<16>>,
    c_cfg_yield_random: Constant<Bit>,
    c_cfg_yield_threshold: Constant<Bits<16>>,
    c_cfg_yield_seed: Constant<Bits<16>>,
    c_counter_clear: Constant<Bit>,
    c_counter_hold: Constant<Bit>,
    c_config_valid: Constant<Bit>,
    c_config_write: Constant<Bit>,
    c_config_warp: Constant<Bits<WI>>,
    c_config_register: Constant<Bits<4>>,
    c_config_data: Constant<Bits<32>>,
    c_where_warp: Constant<Bits<WI>>,
    c_find_cta: Constant<Bits<4>>,
    c_find_block: Constant<Bits<WI>>,
    c_cfg_lanes: Constant<Bits<3>>,
    c_cfg_threshold: Constant<Bits<9>>,
    c_cfg_force: Constant<Bits<2>>,
    c_cfg_shared_from: Constant<Bits<6>>,
    c_cache_valid: Constant<Bit>,
    c_cache_miss: Constant<Bit>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
        const SB: usize,
        const BA: usize,
        const HH: usize,
        const I: usize,
        const L: usize,
        const LI: usize,
        const LW: usize,
        const NP: usize,
        const PB: usize,
        const LA: usize,
        const RA: usize,
        const RB: usize,
        const LO: usize,
        const LN: usize,
        const CB: usize,
        const PC: usize,
        const PS: usize,
        const QI: usize,
        const QC: usize,
        const H: usize,
        const E: usize,
        const EI: usize,
        const ES: usize,
        const T: usize,
        const TI: usize,
        const A: usize,
        const D: usize,
        const DS: usize,
        const FC: usize,
        const ID: usize,
        const IB: usize,
        const IN: usize,
        const IT: usize,
        const IA: usize,
        const BC: usize,
        const NB: usize,
        const TS: usize,
        const SCRATCH: usize,
        const DN: usize,
        const DI: usize,
        const DT: usize,
        const DA: usize,
        const DY: usize,
        const DB: usize,
        const DU: usize,
        const DW: usize,
    > Default
    for Sm<
        NW,
        WI,
        WC,
        W,
        P,
        K,
        B,
        R,
        TA,
        M,
        SB,
        BA,
        HH,
        I,
        L,
        LI,
        LW,
        NP,
        PB,
        LA,
        RA,
        RB,
        LO,
        LN,
        CB,
        PC,
        PS,
        QI,
        QC,
        H,
        E,
        EI,
        ES,
        T,
        TI,
        A,
        D,
        DS,
        FC,
        ID,
        IB,
        IN,
        IT,
        IA,
        BC,
        NB,
        TS,
        SCRATCH,
        DN,
        DI,
        DT,
        DA,
        DY,
        DB,
        DU,
        DW,
    >
{
    fn default() -> Self {
        block!({ clock, reset, busy, done, axi_awvalid, axi_awready, axi_awid, axi_awaddr, axi_awlen, axi_awsize, axi_awburst, axi_wvalid, axi_wready, axi_wdata, axi_wstrb, axi_wlast, axi_bvalid, axi_bready, axi_bid, axi_bresp, axi_arvalid, axi_arready, axi_arid, axi_araddr, axi_arlen, axi_arsize, axi_arburst, axi_rvalid, axi_rready, axi_rid, axi_rdata, axi_rresp, axi_rlast, host_awvalid, host_awready, host_awaddr, host_wvalid, host_wready, host_wdata, host_wstrb, host_bvalid, host_bready, host_bresp, host_arvalid, host_arready, host_araddr, host_rvalid, host_rready, host_rdata, host_rresp, init_valid, init_warp, init_first, init_cta, write_valid, write_warp, write_part, write_rd, write_mask, write_data, fault_valid, fault_warp, fault_thread, fault_pc, fault_cause, fault_address, effect_valid, effect_warp, effect_part, effect_op, effect_mask, effect_address, effect_data, done0_valid, done0_warp, done0_rd, done1_valid, done1_warp, done1_rd, issue_valid, issue_warp, issue_pc, issue_mask, issue_word, issue_decoded, op_valid, op_ready, op_code, op_warp, op_cta, op_block, op_threads, verdict_valid, verdict_ready, verdict_warp, verdict_op, verdict_mask, verdict_pc, hold, wake_valid, wake_ready, verdict_taken, wake_taken, wake_warp, wake_mask, wake_pc, error_valid, error_warp, error_mask, error_pc, error_id, error_cause, event_valid, event_kind, event_cta, event_id, expired_valid, expired_cta, expired_id, retire_valid, retire_warp, retire_op, retire_pc, retire_next_pc, retire_next_mask, retire_done, retire_blocked, retire_depth, retire_front_kind, retire_front_mask, retire_front_pc, retire_front_below, retire_dropped, exception_valid, exception_warp, exception_pc, exception_cause, status_busy, cache_events, faulted, core, datapath, lsu, launcher, lines, data_cache, port, active } {
            c_cfg_interval: Constant::new(0xE000.into()),
            c_cfg_priority: Constant::new(0.into()),
            c_cfg_yield_random: Constant::new(false),
            c_cfg_yield_threshold: Constant::new(0.into()),
            c_cfg_yield_seed: Constant::new(0.into()),
            c_counter_clear: Constant::new(false),
            c_counter_hold: Constant::new(false),
            c_config_valid: Constant::new(false),
            c_config_write: Constant::new(false),
            c_config_warp: Constant::new(0.into()),
            c_config_register: Constant::new(0.into()),
            c_config_data: Constant::new(0.into()),
            c_where_warp: Constant::new(0.into()),
            c_find_cta: Constant::new(0.into()),
            c_find_block: Constant::new(0.into()),
            c_cfg_lanes: Constant::new((LI as u64).into()),
            c_cfg_threshold: Constant::new(64.into()),
            c_cfg_force: Constant::new(0.into()),
            c_cfg_shared_from: Constant::new(32.into()),
            c_cache_valid: Constant::new(false),
            c_cache_miss: Constant::new(false),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
        const SB: usize,
        const BA: usize,
        const HH: usize,
        const I: usize,
        const L: usize,
        const LI: usize,
        const LW: usize,
        const NP: usize,
        const PB: usize,
        const LA: usize,
        const RA: usize,
        const RB: usize,
        const LO: usize,
        const LN: usize,
        const CB: usize,
        const PC: usize,
        const PS: usize,
        const QI: usize,
        const QC: usize,
        const H: usize,
        const E: usize,
        const EI: usize,
        const ES: usize,
        const T: usize,
        const TI: usize,
        const A: usize,
        const D: usize,
        const DS: usize,
        const FC: usize,
        const ID: usize,
        const IB: usize,
        const IN: usize,
        const IT: usize,
        const IA: usize,
        const BC: usize,
        const NB: usize,
        const TS: usize,
        const SCRATCH: usize,
        const DN: usize,
        const DI: usize,
        const DT: usize,
        const DA: usize,
        const DY: usize,
        const DB: usize,
        const DU: usize,
        const DW: usize,
    > Logic
    for Sm<
        NW,
        WI,
        WC,
        W,
        P,
        K,
        B,
        R,
        TA,
        M,
        SB,
        BA,
        HH,
        I,
        L,
        LI,
        LW,
        NP,
        PB,
        LA,
        RA,
        RB,
        LO,
        LN,
        CB,
        PC,
        PS,
        QI,
        QC,
        H,
        E,
        EI,
        ES,
        T,
        TI,
        A,
        D,
        DS,
        FC,
        ID,
        IB,
        IN,
        IT,
        IA,
        BC,
        NB,
        TS,
        SCRATCH,
        DN,
        DI,
        DT,
        DA,
        DY,
        DB,
        DU,
        DW,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core, datapath, lsu, launcher, lines, data_cache, port);
        self.core.reset.next = self.reset.val();
        self.datapath.reset.next = self.reset.val();
        self.lsu.reset.next = self.reset.val();
        self.launcher.reset.next = self.reset.val();
        self.lines.reset.next = self.reset.val();
        self.data_cache.reset.next = self.reset.val();
        self.port.reset.next = self.reset.val();
        self.active.next = self.core.status_busy.val().any()
            | self.core.status_moving.val().any()
            | self.core.status_flight.val().any()
            | self.lsu.pending.val().any()
            | self.datapath.busy.val()
            | !self.lines.idle.val()
            | !self.port.idle.val();
        self.busy.next = self.launcher.busy.val() | self.active.val();
        self.done.next = self.launcher.done.val();
        self.init_valid.next = self.datapath.init_valid.val();
        self.init_warp.next = self.datapath.init_warp.val();
        self.init_first.next = self.datapath.init_first.val();
        self.init_cta.next = self.datapath.init_cta.val();
        self.write_valid.next = self.datapath.write_valid.val();
        self.write_warp.next = self.datapath.write_warp.val();
        self.write_part.next = self.datapath.write_part.val();
        self.write_rd.next = self.datapath.write_rd.val();
        self.write_mask.next = self.datapath.write_mask.val();
        self.write_data.next = self.datapath.write_data.val();
        self.fault_valid.next = self.datapath.fault_valid.val();
        self.fault_warp.next = self.datapath.fault_warp.val();
        self.fault_thread.next = self.datapath.fault_thread.val();
        self.fault_pc.next = self.datapath.fault_pc.val();
        self.fault_cause.next = self.datapath.fault_cause.val();
        self.fault_address.next = self.datapath.fault_address.val();
        self.effect_valid.next = self.lsu.effect_valid.val();
        self.effect_warp.next = self.lsu.effect_warp.val();
        self.effect_part.next = self.lsu.effect_part.val();
        self.effect_op.next = self.lsu.effect_op.val();
        self.effect_mask.next = self.lsu.effect_mask.val();
        self.effect_address.next = self.lsu.effect_address.val();
        self.effect_data.next = self.lsu.effect_data.val();
        self.done0_valid.next = self.datapath.trace_done0_valid.val();
        self.done0_warp.next = self.datapath.trace_done0_warp.val();
        self.done0_rd.next = self.datapath.trace_done0_rd.val();
        self.done1_valid.next = self.datapath.trace_done1_valid.val();
        self.done1_warp.next = self.datapath.trace_done1_warp.val();
        self.done1_rd.next = self.datapath.trace_done1_rd.val();
        self.issue_valid.next = self.core.issue_valid[0].val();
        self.issue_warp.next = self.core.issue_warp[0].val();
        self.issue_pc.next = self.core.issue_pc[0].val();
        self.issue_mask.next = self.core.issue_mask[0].val();
        self.issue_word.next = self.core.issue_word[0].val();
        self.issue_decoded.next = self.core.issue_decoded[0].val();
        self.op_valid.next = self.core.op_valid.val();
        self.op_ready.next = self.core.op_ready.val();
        self.op_code.next = self.core.op_code.val();
        self.op_warp.next = self.core.op_warp.val();
        self.op_cta.next = self.core.op_cta.val();
        self.op_block.next = self.core.op_block.val();
        self.op_threads.next = self.core.op_threads.val();
        self.verdict_valid.next = self.core.verdict_valid.val();
        self.verdict_ready.next = self.core.verdict_ready.val();
        self.verdict_warp.next = self.core.verdict_warp.val();
        self.verdict_op.next = self.core.verdict_op.val();
        self.verdict_mask.next = self.core.verdict_mask.val();
        self.verdict_pc.next = self.core.verdict_pc.val();
        self.hold.next = self.core.hold.val();
        self.wake_valid.next = self.core.wake_valid.val();
        self.wake_ready.next = self.core.wake_ready.val();
        self.verdict_taken.next = self.core.verdict_taken.val();
        self.wake_taken.next = self.core.wake_taken.val();
        self.wake_warp.next = self.core.wake_warp.val();
        self.wake_mask.next = self.core.wake_mask.val();
        self.wake_pc.next = self.core.wake_pc.val();
        self.error_valid.next = self.core.error.valid.val();
        self.error_warp.next = self.core.error.warp.val();
        self.error_mask.next = self.core.error.mask.val();
        self.error_pc.next = self.core.error.pc.val();
        self.error_id.next = self.core.error.id.val();
        self.error_cause.next = self.core.error.cause.val();
        self.event_valid.next = self.core.event.valid.val();
        self.event_kind.next = self.core.event.kind.val();
        self.event_cta.next = self.core.event.cta.val();
        self.event_id.next = self.core.event.id.val();
        self.expired_valid.next = self.core.expired.valid.val();
        self.expired_cta.next = self.core.expired.cta.val();
        self.expired_id.next = self.core.expired.id.val();
        self.retire_valid.next = self.core.retire.valid.val();
        self.retire_warp.next = self.core.retire.warp.val();
        self.retire_op.next = self.core.retire.op.val();
        self.retire_pc.next = self.core.retire.pc.val();
        self.retire_next_pc.next = self.core.retire.next_pc.val();
        self.retire_next_mask.next = self.core.retire.next_mask.val();
        self.retire_done.next = self.core.retire.done.val();
        self.retire_blocked.next = self.core.retire.blocked.val();
        self.retire_depth.next = self.core.retire.depth.val();
        self.retire_front_kind.next = self.core.retire.front_kind.val();
        self.retire_front_mask.next = self.core.retire.front_mask.val();
        self.retire_front_pc.next = self.core.retire.front_pc.val();
        self.retire_front_below.next = self.core.retire.front_below.val();
        self.retire_dropped.next = self.core.retire.dropped.val();
        self.exception_valid.next = self.core.exception.valid.val();
        self.exception_warp.next = self.core.exception.warp.val();
        self.exception_pc.next = self.core.exception.pc.val();
        self.exception_cause.next = self.core.exception.cause.val();
        self.status_busy.next = self.core.status_busy.val();
        self.launcher.host_awvalid.next = self.host_awvalid.val();
        self.host_awready.next = self.launcher.host_awready.val();
        self.launcher.host_awaddr.next = self.host_awaddr.val();
        self.launcher.host_wvalid.next = self.host_wvalid.val();
        self.host_wready.next = self.launcher.host_wready.val();
        self.launcher.host_wdata.next = self.host_wdata.val();
        self.launcher.host_wstrb.next = self.host_wstrb.val();
        self.host_bvalid.next = self.launcher.host_bvalid.val();
        self.launcher.host_bready.next = self.host_bready.val();
        self.host_bresp.next = self.launcher.host_bresp.val();
        self.launcher.host_arvalid.next = self.host_arvalid.val();
        self.host_arready.next = self.launcher.host_arready.val();
        self.launcher.host_araddr.next = self.host_araddr.val();
        self.host_rvalid.next = self.launcher.host_rvalid.val();
        self.launcher.host_rready.next = self.host_rready.val();
        self.host_rdata.next = self.launcher.host_rdata.val();
        self.host_rresp.next = self.launcher.host_rresp.val();
        self.axi_awvalid.next = self.port.m_axi_awvalid.val();
        self.port.m_axi_awready.next = self.axi_awready.val();
        self.axi_awid.next = self.port.m_axi_awid.val();
        self.axi_awaddr.next = self.port.m_axi_awaddr.val();
        self.axi_awlen.next = self.port.m_axi_awlen.val();
        self.axi_awsize.next = self.port.m_axi_awsize.val();
        self.axi_awburst.next = self.port.m_axi_awburst.val();
        self.axi_wvalid.next = self.port.m_axi_wvalid.val();
        self.port.m_axi_wready.next = self.axi_wready.val();
        self.axi_wdata.next = self.port.m_axi_wdata.val();
        self.axi_wstrb.next = self.port.m_axi_wstrb.val();
        self.axi_wlast.next = self.port.m_axi_wlast.val();
        self.port.m_axi_bvalid.next = self.axi_bvalid.val();
        self.axi_bready.next = self.port.m_axi_bready.val();
        self.port.m_axi_bid.next = self.axi_bid.val();
        self.port.m_axi_bresp.next = self.axi_bresp.val();
        self.axi_arvalid.next = self.port.m_axi_arvalid.val();
        self.port.m_axi_arready.next = self.axi_arready.val();
        self.axi_arid.next = self.port.m_axi_arid.val();
        self.axi_araddr.next = self.port.m_axi_araddr.val();
        self.axi_arlen.next = self.port.m_axi_arlen.val();
        self.axi_arsize.next = self.port.m_axi_arsize.val();
        self.axi_arburst.next = self.port.m_axi_arburst.val();
        self.port.m_axi_rvalid.next = self.axi_rvalid.val();
        self.axi_rready.next = self.port.m_axi_rready.val();
        self.port.m_axi_rid.next = self.axi_rid.val();
        self.port.m_axi_rdata.next = self.axi_rdata.val();
        self.port.m_axi_rresp.next = self.axi_rresp.val();
        self.port.m_axi_rlast.next = self.axi_rlast.val();
        self.core.cfg_level_mix.next = self.launcher.cfg_level_mix.val();
        self.core.cfg_token_base.next = self.launcher.cfg_token_base.val();
        self.core.cfg_token_size.next = self.launcher.cfg_token_size.val();
        self.core.cta_valid.next = self.launcher.cta_valid.val();
        self.core.cta_pc.next = self.launcher.cta_pc.val();
        self.core.cta_threads.next = self.launcher.cta_threads.val();
        self.core.cta_level.next = self.launcher.cta_level.val();
        self.core.cta_id.next = self.launcher.cta_id.val();
        self.core.program_valid.next = self.datapath.program_valid.val();
        self.core.program_warp.next = self.datapath.program_warp.val();
        self.core.program_level.next = self.datapath.program_level.val();
        self.core.where_warp.next = self.c_where_warp.val();
        self.core.find_cta.next = self.c_find_cta.val();
        self.core.find_block.next = self.c_find_block.val();
        self.core.cfg_policy.next = self.launcher.cfg_policy.val();
        self.core.flush.next = self.launcher.flush.val();
        self.core.fetch.ready.next = self.lines.fetch_ready.val();
        self.core.line.valid.next = self.lines.line_valid.val();
        self.core.line.warp.next = self.lines.line_warp.val();
        self.core.line.slot.next = self.lines.line_slot.val();
        self.core.line.data.next = self.lines.line_data.val();
        self.core.decode0[0].next = self.datapath.decode0.val();
        self.core.decode1[0].next = self.datapath.decode1.val();
        self.core.done0_valid[0].next = self.datapath.done0_valid.val();
        self.core.done0_warp[0].next = self.datapath.done0_warp.val();
        self.core.done0_rd[0].next = self.datapath.done0_rd.val();
        self.core.done1_valid[0].next = self.datapath.done1_valid.val();
        self.core.done1_warp[0].next = self.datapath.done1_warp.val();
        self.core.done1_rd[0].next = self.datapath.done1_rd.val();
        self.core.counter.clear.next = self.c_counter_clear.val();
        self.core.counter.hold.next = self.c_counter_hold.val();
        self.core.counter.select.next = self.datapath.counter_select.val();
        self.core.cfg_interval.next = self.c_cfg_interval.val();
        self.core.unit_ready.next = self.datapath.unit_ready.val();
        self.core.cfg.yield_every.next = self.launcher.cfg_yield_every.val();
        self.core.cfg.forced_yield.next = self.launcher.cfg_forced_yield.val();
        self.core.cfg.yield_random.next = self.c_cfg_yield_random.val();
        self.core.cfg.yield_threshold.next = self.c_cfg_yield_threshold.val();
        self.core.cfg.yield_seed.next = self.c_cfg_yield_seed.val();
        self.core.cfg.path.next = self.launcher.cfg_path.val();
        self.core.cfg.lanes.next = self.c_cfg_lanes.val();
        self.core.cfg.recenter.next = self.launcher.cfg_recenter.val();
        self.core.resolve_valid.next = self.datapath.resolve_valid.val();
        self.core.resolve_warp.next = self.datapath.resolve_warp.val();
        self.core.resolve_op.next = self.datapath.resolve_op.val();
        self.core.resolve_kind.next = self.datapath.resolve_kind.val();
        self.core.resolve_mask.next = self.datapath.resolve_mask.val();
        self.core.resolve_target.next = self.datapath.resolve_target.val();
        self.core.resolve_pc.next = self.datapath.resolve_pc.val();
        self.core.resolve_active.next = self.datapath.resolve_active.val();
        self.core.resolve_id.next = self.datapath.resolve_id.val();
        self.core.resolve_word.next = self.datapath.resolve_word.val();
        self.core.cfg_priority.next = self.c_cfg_priority.val();
        self.core.spill_request.ready.next = self.port.spill_request_ready.val();
        self.core.spill_response.valid.next = self.port.spill_response_valid.val();
        self.core.spill_response.write.next = self.port.spill_response_write.val();
        self.core.spill_response.tag.next = self.port.spill_response_tag.val();
        self.core.spill_response.data.next = self.port.spill_response_data.val();
        self.core.config_valid.next = self.c_config_valid.val();
        self.core.config_write.next = self.c_config_write.val();
        self.core.config_warp.next = self.c_config_warp.val();
        self.core.config_register.next = self.c_config_register.val();
        self.core.config_data.next = self.c_config_data.val();
        self.datapath.cfg_threshold.next = self.c_cfg_threshold.val();
        self.datapath.cfg_force.next = self.c_cfg_force.val();
        self.datapath.cfg_shared_from.next = self.c_cfg_shared_from.val();
        self.datapath.cache_valid.next = self.c_cache_valid.val();
        self.datapath.cache_miss.next = self.c_cache_miss.val();
        self.datapath.issue_valid.next = self.core.issue_valid[0].val();
        self.datapath.issue_warp.next = self.core.issue_warp[0].val();
        self.datapath.issue_pc.next = self.core.issue_pc[0].val();
        self.datapath.issue_mask.next = self.core.issue_mask[0].val();
        self.datapath.issue_word.next = self.core.issue_word[0].val();
        self.datapath.decode_word0.next = self.core.decode_word0[0].val();
        self.datapath.decode_word1.next = self.core.decode_word1[0].val();
        self.datapath.counter_value.next = self.core.counter.value.val();
        self.datapath.op_valid.next = self.core.op_valid.val();
        self.datapath.op_ready.next = self.core.op_ready.val();
        self.datapath.op_code.next = self.core.op_code.val();
        self.datapath.op_warp.next = self.core.op_warp.val();
        self.datapath.op_cta.next = self.core.op_cta.val();
        self.datapath.op_block.next = self.core.op_block.val();
        self.datapath.cta_number.next = self.launcher.cta_number.val();
        self.datapath.cta_first.next = self.launcher.cta_first.val();
        self.datapath.cta_warp.next = self.launcher.cta_warp.val();
        self.datapath.cta_threads.next = self.launcher.cta_size.val();
        self.datapath.cta_x.next = self.launcher.cta_x.val();
        self.datapath.cta_y.next = self.launcher.cta_y.val();
        self.datapath.cta_z.next = self.launcher.cta_z.val();
        self.datapath.grid_x.next = self.launcher.grid_x.val();
        self.datapath.grid_y.next = self.launcher.grid_y.val();
        self.datapath.grid_z.next = self.launcher.grid_z.val();
        self.datapath.group_x.next = self.launcher.group_x.val();
        self.datapath.group_y.next = self.launcher.group_y.val();
        self.datapath.group_z.next = self.launcher.group_z.val();
        self.datapath.grid_threads.next = self.launcher.grid_threads.val();
        self.datapath.arguments.next = self.launcher.arguments.val();
        self.datapath.stack_top.next = self.launcher.stack_top.val();
        self.datapath.retire_valid.next = self.core.retire.valid.val();
        self.datapath.retire_warp.next = self.core.retire.warp.val();
        self.datapath.exception_valid.next = self.core.exception.valid.val();
        self.datapath.exception_warp.next = self.core.exception.warp.val();
        self.datapath.exception_cause.next = self.core.exception.cause.val();
        self.datapath.resolve_ready.next = self.core.resolve_ready.val();
        self.datapath.access_ready.next = self.lsu.access_ready.val();
        self.datapath.result_valid.next = self.lsu.result_valid.val();
        self.datapath.result_warp.next = self.lsu.result_warp.val();
        self.datapath.result_part.next = self.lsu.result_part.val();
        self.datapath.result_rd.next = self.lsu.result_rd.val();
        self.datapath.result_mask.next = self.lsu.result_mask.val();
        self.datapath.result_data.next = self.lsu.result_data.val();
        self.datapath.complete_valid.next = self.lsu.complete_valid.val();
        self.datapath.complete_warp.next = self.lsu.complete_warp.val();
        self.datapath.complete_uses_rd.next = self.lsu.complete_uses_rd.val();
        self.datapath.complete_rd.next = self.lsu.complete_rd.val();
        self.datapath.access_fault_valid.next = self.lsu.access_fault_valid.val();
        self.datapath.access_fault_warp.next = self.lsu.access_fault_warp.val();
        self.datapath.access_fault_thread.next = self.lsu.access_fault_thread.val();
        self.datapath.access_fault_pc.next = self.lsu.access_fault_pc.val();
        self.datapath.access_fault_number.next = self.lsu.access_fault_number.val();
        self.datapath.access_fault_cause.next = self.lsu.access_fault_cause.val();
        self.datapath.access_fault_address.next = self.lsu.access_fault_address.val();
        self.datapath.slots_free.next = self.lsu.slots_free.val();
        self.datapath.pending.next = self.lsu.pending.val();
        self.lsu.cfg_memory_size.next = self.launcher.cfg_memory_size.val();
        self.lsu.cfg_local_base.next = self.launcher.cfg_local_base.val();
        self.lsu.cfg_local_bytes.next = self.launcher.cfg_local_bytes.val();
        self.lsu.cfg_scratchpad_bytes.next = self.launcher.cfg_scratchpad_bytes.val();
        self.lsu.start_valid.next = self.launcher.start_valid.val();
        self.lsu.start_warp.next = self.launcher.start_warp.val();
        self.lsu.start_base.next = self.launcher.start_base.val();
        self.lsu.access_valid.next = self.datapath.access_valid.val();
        self.lsu.access_warp.next = self.datapath.access_warp.val();
        self.lsu.access_part.next = self.datapath.access_part.val();
        self.lsu.access_pc.next = self.datapath.access_pc.val();
        self.lsu.access_first.next = self.datapath.access_first.val();
        self.lsu.access_last.next = self.datapath.access_last.val();
        self.lsu.access_op.next = self.datapath.access_op.val();
        self.lsu.access_size.next = self.datapath.access_size.val();
        self.lsu.access_signed.next = self.datapath.access_signed.val();
        self.lsu.access_uses_rd.next = self.datapath.access_uses_rd.val();
        self.lsu.access_rd.next = self.datapath.access_rd.val();
        self.lsu.access_mask.next = self.datapath.access_mask.val();
        self.lsu.access_address.next = self.datapath.access_address.val();
        self.lsu.access_data.next = self.datapath.access_data.val();
        self.lsu.result_ready.next = self.datapath.result_ready.val();
        self.lsu.complete_ready.next = self.datapath.complete_ready.val();
        self.lsu.access_fault_ready.next = self.datapath.access_fault_ready.val();
        self.lsu.read_ready.next = self.data_cache.read_ready.val();
        self.data_cache.down_read_ready.next = self.port.read_ready.val();
        self.lsu.beat_valid.next = self.data_cache.beat_valid.val();
        self.data_cache.down_beat_valid.next = self.port.beat_valid.val();
        self.lsu.beat_id.next = self.data_cache.beat_id.val();
        self.data_cache.down_beat_id.next = self.port.beat_id.val();
        self.lsu.beat_data.next = self.data_cache.beat_data.val();
        self.data_cache.down_beat_data.next = self.port.beat_data.val();
        self.lsu.beat_error.next = self.data_cache.beat_error.val();
        self.data_cache.down_beat_error.next = self.port.beat_error.val();
        self.lsu.beat_last.next = self.data_cache.beat_last.val();
        self.data_cache.down_beat_last.next = self.port.beat_last.val();
        self.lsu.write_ready.next = self.data_cache.write_ready.val();
        self.data_cache.down_write_ready.next = self.port.write_ready.val();
        self.lsu.ack_valid.next = self.port.ack_valid.val();
        self.lsu.ack_id.next = self.port.ack_id.val();
        self.lsu.ack_error.next = self.port.ack_error.val();
        self.port.read_valid.next = self.data_cache.down_read_valid.val();
        self.data_cache.read_valid.next = self.lsu.read_valid.val();
        self.port.read_id.next = self.data_cache.down_read_id.val();
        self.data_cache.read_id.next = self.lsu.read_id.val();
        self.port.read_address.next = self.data_cache.down_read_address.val();
        self.data_cache.read_address.next = self.lsu.read_address.val();
        self.port.read_length.next = self.data_cache.down_read_length.val();
        self.data_cache.read_length.next = self.lsu.read_length.val();
        self.port.beat_ready.next = self.data_cache.down_beat_ready.val();
        self.data_cache.beat_ready.next = self.lsu.beat_ready.val();
        self.port.write_valid.next = self.data_cache.down_write_valid.val();
        self.data_cache.write_valid.next = self.lsu.write_valid.val();
        self.port.write_id.next = self.data_cache.down_write_id.val();
        self.data_cache.write_id.next = self.lsu.write_id.val();
        self.port.write_address.next = self.data_cache.down_write_address.val();
        self.data_cache.write_address.next = self.lsu.write_address.val();
        self.port.write_length.next = self.data_cache.down_write_length.val();
        self.data_cache.write_length.next = self.lsu.write_length.val();
        self.port.write_data.next = self.data_cache.down_write_data.val();
        self.data_cache.write_data.next = self.lsu.write_data.val();
        self.port.write_strobes.next = self.data_cache.down_write_strobes.val();
        self.data_cache.write_strobes.next = self.lsu.write_strobes.val();
        self.port.write_last.next = self.data_cache.down_write_last.val();
        self.data_cache.write_last.next = self.lsu.write_last.val();
        self.port.ack_ready.next = self.lsu.ack_ready.val();
        self.cache_events.next = self.data_cache.events.val();
        self.faulted.next = self.datapath.faulted.val();
        self.data_cache.read_bypass.next = self.lsu.read_bypass.val();
        self.data_cache.cfg_memory_size.next = self.launcher.cfg_memory_size.val();
        self.data_cache.ahead_clear.next = self.lsu.ahead_clear.val();
        self.lsu.ahead_line.next = self.data_cache.ahead_line.val();
        self.data_cache.flush.next = self.launcher.flush.val()
            | self.lsu.fence_over.val()
            | (self.port.ack_valid.val() & self.port.ack_error.val());
        self.lines.fetch_valid.next = self.core.fetch.valid.val();
        self.lines.fetch_warp.next = self.core.fetch.warp.val();
        self.lines.fetch_line.next = self.core.fetch.line.val();
        self.lines.flush.next = self.launcher.flush.val();
        self.lines.memory_ready.next = self.port.line_ready.val();
        self.lines.beat_valid.next = self.port.line_beat_valid.val();
        self.lines.beat_data.next = self.port.line_beat_data.val();
        self.lines.beat_error.next = self.port.line_beat_error.val();
        self.lines.beat_last.next = self.port.line_beat_last.val();
        self.port.line_valid.next = self.lines.memory_valid.val();
        self.port.line_address.next = self.lines.memory_address.val();
        self.port.line_beat_ready.next = self.lines.beat_ready.val();
        self.port.spill_request_valid.next = self.core.spill_request.valid.val();
        self.port.spill_request_write.next = self.core.spill_request.write.val();
        self.port.spill_request_address.next = self.core.spill_request.address.val();
        self.port.spill_request_data.next = self.core.spill_request.data.val();
        self.port.spill_request_tag.next = self.core.spill_request.tag.val();
        self.port.spill_response_ready.next = self.core.spill_response.ready.val();
        self.launcher.cta_ready.next = self.core.cta_ready.val();
        self.launcher.cta_done.next = self.core.cta_done.val();
        self.launcher.cta_done_id.next = self.core.cta_done_id.val();
        self.launcher.cta_done_failed.next = self.core.cta_done_failed.val();
        self.launcher.op_valid.next = self.core.op_valid.val();
        self.launcher.op_ready.next = self.core.op_ready.val();
        self.launcher.op_code.next = self.core.op_code.val();
        self.launcher.op_warp.next = self.core.op_warp.val();
        self.launcher.fault_valid.next = self.datapath.fault_valid.val();
        self.launcher.fault_warp.next = self.datapath.fault_warp.val();
        self.launcher.fault_thread.next = self.datapath.fault_thread.val();
        self.launcher.fault_pc.next = self.datapath.fault_pc.val();
        self.launcher.fault_cause.next = self.datapath.fault_cause.val();
        self.launcher.fault_address.next = self.datapath.fault_address.val();
        self.launcher.exception_valid.next = self.core.exception.valid.val();
        self.launcher.exception_warp.next = self.core.exception.warp.val();
        self.launcher.exception_pc.next = self.core.exception.pc.val();
        self.launcher.exception_cause.next = self.core.exception.cause.val();
        self.launcher.active.next = self.active.val();
    }
}
