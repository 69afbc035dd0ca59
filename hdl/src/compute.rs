//! The SM without what launches CTAs: warp control, datapath, load/store unit, caches and memory port. Wiring only.
//! A launcher (`weft_sm`) or a CTA port (`weft_gpu`) drives it.
//!
//! Spec and ports: `docs/spec/sm.md`, and the pages of its blocks.
//!
//! # Parameters
//! Those of its blocks, under their names; `parameters` of `lib.rs` derives them.
//!
//! # Ports
//! `launch_*`: of what launches CTAs; `launch_active`: something is in flight (SM-014). `axi_*`: AXI4 manager.
//! `forget`, `forget_text`: the lines of the data cache, of the line cache are forgotten (GPU-030, GPU-032).
//! `scrub`, `scrubbing`: the scratchpad is cleared (MEM-008).
//! All others: trace.
//!
//! # Errors
//! `fault_*`, `exception_*`.

use crate::bundles::*;
use crate::datapath::Datapath;
use crate::hdl::*;
use crate::memory::side::MemorySide;
use crate::warp::core::Core;

/// Parts of the kernel.
pub struct Trace;
pub struct Warps;
pub struct Execution;
pub struct Memory;

#[rustfmt::skip]
#[module(kernel(Trace, Warps, Execution, Memory))]
pub struct Compute<
    const NW: usize, const WI: usize, const WC: usize, const W: usize, const P: usize, const K: usize,
    const B: usize, const R: usize, const TA: usize, const M: usize, const SB: usize, const BA: usize,
    const HH: usize, const I: usize, const L: usize, const LI: usize, const LW: usize, const NP: usize,
    const PB: usize, const LA: usize, const RA: usize, const RB: usize, const FU: usize, const FL: usize,
    const FN: usize, const FB: usize, const LO: usize, const LN: usize,
    const CB: usize, const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize,
    const E: usize, const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize,
    const D: usize, const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize,
    const IT: usize, const IA: usize, const BC: usize, const NB: usize, const TS: usize, const SCRATCH: usize,
    const DN: usize, const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize,
    const DU: usize, const DW: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// What launches CTAs.
    pub launch: LaunchedPorts<NW, WI>,
    /// Pulse: the lines of the data cache are forgotten.
    pub forget: Signal<In, Bit>,
    /// Pulse: those of the line cache are.
    pub forget_text: Signal<In, Bit>,
    /// Pulse: the scratchpad is cleared; it is being cleared (MEM-008).
    pub scrub: Signal<In, Bit>,
    pub scrubbing: Signal<Out, Bit>,
    /// Its memory.
    pub axi: AxiPorts<ID, D, DS>,
    /// Others that write to its memory.
    pub atomic: AtomicPorts,
    /// INIT of a warp.
    pub init: InitPorts<WI>,
    /// A row is written.
    pub write: RowPorts<WI, PB, L, LW>,
    /// A fault.
    pub fault: FaultPorts<WI>,
    /// What selects the mode of `subv.auto` (SUBV-050).
    pub mode: ModePorts<WI>,
    /// Accesses take effect.
    pub effect: EffectPorts<WI, PB, L, LW>,
    /// An instruction has written its rows; four cycles later than the core gets it.
    pub done0: DonePorts<WI>,
    /// A second one.
    pub done1: DonePorts<WI>,
    /// An instruction is issued.
    pub issue: IssuePorts<WI, W>,
    /// An operation at the barrier unit.
    pub op: OpPorts<WI>,
    /// Its verdict.
    pub verdict: VerdictPorts<WI, W>,
    /// Warps that the barrier unit holds (CORE-015).
    pub hold: Signal<Out, Bits<NW>>,
    /// Threads wake.
    pub wake: WakePorts<WI, W>,
    /// Misuse of a barrier.
    pub error: ErrorPorts<WI, W>,
    /// What happens at a barrier.
    pub event: EventPorts,
    /// The timer of a barrier has run out.
    pub expired: ExpiredPorts,
    /// What has become of an operation.
    pub retire: RetirePorts<WI, W>,
    /// An exception of the core.
    pub exception: ExceptionPorts<WI>,
    /// Warps that run.
    pub status_busy: Signal<Out, Bits<NW>>,
    /// What the data cache does in this cycle (MEM-066).
    pub cache_events: Signal<Out, Bits<8>>,
    /// Warps of which a fault or an exception is known, until their slot is launched again (SM-022).
    pub faulted: Signal<Out, Bits<NW>>,
    core: Core<NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, 4, 0, 1, NW, WI, HH, WC, SB>,
    datapath: Datapath<NW, WI, SB, W, I, P, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB>,
    memory_side: MemorySide<
        NW, WI, W, I, TS, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS, FC, ID,
        IB, IN, IT, IA, BC, NB, M, TA, DN, DI, DT, DA, DY, DB, DU, DW,
    >,
    token_tag: Signal<Local, Bits<TA>>,
    #[value(((TA - WI) as u64).into())]
    c_place_bits: Constant<Bits<4>>,
    #[value(0xE000.into())]
    c_cfg_interval: Constant<Bits<20>>,
    #[value(false)]
    c_cfg_recenter: Constant<Bit>,
    #[value(false)]
    c_counter_clear: Constant<Bit>,
    #[value(false)]
    c_counter_hold: Constant<Bit>,
    #[value(false)]
    c_config_valid: Constant<Bit>,
    #[value(false)]
    c_config_write: Constant<Bit>,
    #[value(0.into())]
    c_config_warp: Constant<Bits<WI>>,
    #[value(0.into())]
    c_config_register: Constant<Bits<4>>,
    #[value(0.into())]
    c_config_data: Constant<Bits<32>>,
    #[value(0.into())]
    c_where_warp: Constant<Bits<WI>>,
    #[value(0.into())]
    c_find_cta: Constant<Bits<4>>,
    #[value(0.into())]
    c_find_block: Constant<Bits<WI>>,
    #[value((LI as u64).into())]
    c_cfg_lanes: Constant<Bits<3>>,
}

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WC: usize, const W: usize, const P: usize, const K: usize,
    const B: usize, const R: usize, const TA: usize, const M: usize, const SB: usize, const BA: usize,
    const HH: usize, const I: usize, const L: usize, const LI: usize, const LW: usize, const NP: usize,
    const PB: usize, const LA: usize, const RA: usize, const RB: usize, const FU: usize, const FL: usize,
    const FN: usize, const FB: usize, const LO: usize, const LN: usize,
    const CB: usize, const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize,
    const E: usize, const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize,
    const D: usize, const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize,
    const IT: usize, const IA: usize, const BC: usize, const NB: usize, const TS: usize, const SCRATCH: usize,
    const DN: usize, const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize,
    const DU: usize, const DW: usize,
> kernel::Part<Trace> for Compute<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.issue.valid.next = self.core.issue_valid[0].val();
        self.issue.warp.next = self.core.issue_warp[0].val();
        self.issue.pc.next = self.core.issue_pc[0].val();
        self.issue.mask.next = self.core.issue_mask[0].val();
        self.issue.word.next = self.core.issue_word[0].val();
        self.issue.decoded.next = self.core.issue_decoded[0].val();
        self.op.valid.next = self.core.op_valid.val();
        self.op.ready.next = self.core.op_ready.val();
        self.op.code.next = self.core.op_code.val();
        self.op.warp.next = self.core.op_warp.val();
        self.op.cta.next = self.core.op_cta.val();
        self.op.block.next = self.core.op_block.val();
        self.op.threads.next = self.core.op_threads.val();
        self.verdict.valid.next = self.core.verdict_valid.val();
        self.verdict.ready.next = self.core.verdict_ready.val();
        self.verdict.warp.next = self.core.verdict_warp.val();
        self.verdict.op.next = self.core.verdict_op.val();
        self.verdict.mask.next = self.core.verdict_mask.val();
        self.verdict.pc.next = self.core.verdict_pc.val();
        self.hold.next = self.core.hold.val();
        self.wake.valid.next = self.core.wake_valid.val();
        self.wake.ready.next = self.core.wake_ready.val();
        self.verdict.taken.next = self.core.verdict_taken.val();
        self.wake.taken.next = self.core.wake_taken.val();
        self.wake.warp.next = self.core.wake_warp.val();
        self.wake.mask.next = self.core.wake_mask.val();
        self.wake.pc.next = self.core.wake_pc.val();
        self.status_busy.next = self.core.status_busy.val();
        self.cache_events.next = self.memory_side.events.val();
        self.faulted.next = self.datapath.faulted.val();
        InitPorts::<WI>::link(&mut self.init, &mut self.datapath.init);
        RowPorts::<WI, PB, L, LW>::link(&mut self.write, &mut self.datapath.write);
        FaultPorts::<WI>::link(&mut self.fault, &mut self.datapath.fault);
        ModePorts::<WI>::link(&mut self.mode, &mut self.datapath.select);
        EffectPorts::<WI, PB, L, LW>::link(&mut self.effect, &mut self.memory_side.effect);
        DonePorts::<WI>::link(&mut self.done0, &mut self.datapath.trace_done0);
        DonePorts::<WI>::link(&mut self.done1, &mut self.datapath.trace_done1);
        ErrorPorts::<WI, W>::link(&mut self.error, &mut self.core.error);
        EventPorts::link(&mut self.event, &mut self.core.event);
        ExpiredPorts::link(&mut self.expired, &mut self.core.expired);
        RetirePorts::<WI, W>::link(&mut self.retire, &mut self.core.retire);
        ExceptionPorts::<WI>::link(&mut self.exception, &mut self.core.exception);

        // ---- What launches CTAs is told.
        self.launch.active.next = self.core.status_busy.val().any()
            | self.core.status_moving.val().any()
            | self.core.status_flight.val().any()
            | self.core.op_valid.val()
            | self.memory_side.pending.val().any()
            | self.datapath.busy.val()
            | !self.memory_side.fetch_idle.val()
            | !self.memory_side.memory_idle.val();
        self.launch.cta_ready.next = self.core.cta_ready.val();
        self.launch.cta_done.next = self.core.cta_done.val();
        self.launch.cta_done_id.next = self.core.cta_done_id.val();
        self.launch.cta_done_failed.next = self.core.cta_done_failed.val();
        self.launch.op_valid.next = self.core.op_valid.val();
        self.launch.op_ready.next = self.core.op_ready.val();
        self.launch.op_code.next = self.core.op_code.val();
        self.launch.op_warp.next = self.core.op_warp.val();
        self.launch.fault_valid.next = self.datapath.fault.valid.val();
        self.launch.fault_warp.next = self.datapath.fault.warp.val();
        self.launch.fault_thread.next = self.datapath.fault.thread.val();
        self.launch.fault_pc.next = self.datapath.fault.pc.val();
        self.launch.fault_cause.next = self.datapath.fault.cause.val();
        self.launch.fault_address.next = self.datapath.fault.address.val();
        self.launch.exception_valid.next = self.core.exception.valid.val();
        self.launch.exception_warp.next = self.core.exception.warp.val();
        self.launch.exception_pc.next = self.core.exception.pc.val();
        self.launch.exception_cause.next = self.core.exception.cause.val();
    }
}

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WC: usize, const W: usize, const P: usize, const K: usize,
    const B: usize, const R: usize, const TA: usize, const M: usize, const SB: usize, const BA: usize,
    const HH: usize, const I: usize, const L: usize, const LI: usize, const LW: usize, const NP: usize,
    const PB: usize, const LA: usize, const RA: usize, const RB: usize, const FU: usize, const FL: usize,
    const FN: usize, const FB: usize, const LO: usize, const LN: usize,
    const CB: usize, const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize,
    const E: usize, const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize,
    const D: usize, const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize,
    const IT: usize, const IA: usize, const BC: usize, const NB: usize, const TS: usize, const SCRATCH: usize,
    const DN: usize, const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize,
    const DU: usize, const DW: usize,
> kernel::Part<Warps> for Compute<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.core.reset.next = self.reset.val();
        self.core.cfg_level_mix.next = self.launch.cfg_level_mix.val();
        self.core.cfg_token_base.next = self.launch.cfg_token_base.val();
        self.core.cfg_token_size.next = self.launch.cfg_token_size.val();
        self.core.cfg_slots.next = self.launch.cfg_slots.val();
        self.core.cta_valid.next = self.launch.cta_valid.val();
        self.core.cta_pc.next = self.launch.cta_pc.val();
        self.core.cta_threads.next = self.launch.cta_threads.val();
        self.core.cta_level.next = self.launch.cta_level.val();
        self.core.cta_id.next = self.launch.cta_id.val();
        self.core.program_valid.next = self.datapath.program_valid.val();
        self.core.program_warp.next = self.datapath.program_warp.val();
        self.core.program_level.next = self.datapath.program_level.val();
        self.core.where_warp.next = self.c_where_warp.val();
        self.core.find_cta.next = self.c_find_cta.val();
        self.core.find_block.next = self.c_find_block.val();
        self.core.cfg_policy.next = self.launch.cfg_policy.val();
        self.core.flush.next = self.launch.flush.val();
        self.core.fetch.ready.next = self.memory_side.fetch_ready.val();
        self.core.line.valid.next = self.memory_side.line_valid.val();
        self.core.line.warp.next = self.memory_side.line_warp.val();
        self.core.line.slot.next = self.memory_side.line_slot.val();
        self.core.line.data.next = self.memory_side.line_data.val();
        self.core.decode0[0].next = self.datapath.decode0.val();
        self.core.decode1[0].next = self.datapath.decode1.val();
        self.core.done0_valid[0].next = self.datapath.done0.valid.val();
        self.core.done0_warp[0].next = self.datapath.done0.warp.val();
        self.core.done0_rd[0].next = self.datapath.done0.rd.val();
        self.core.done1_valid[0].next = self.datapath.done1.valid.val();
        self.core.done1_warp[0].next = self.datapath.done1.warp.val();
        self.core.done1_rd[0].next = self.datapath.done1.rd.val();
        self.core.counter.clear.next = self.c_counter_clear.val();
        self.core.counter.hold.next = self.c_counter_hold.val();
        self.core.counter.select.next = self.datapath.counter_select.val();
        self.core.cfg_interval.next = self.c_cfg_interval.val();
        self.core.unit_ready.next = self.datapath.unit_ready.val();
        self.core.cfg.yield_every.next = self.launch.cfg_yield_every.val();
        self.core.cfg.forced_yield.next = self.launch.cfg_forced_yield.val();
        self.core.cfg.yield_random.next = self.launch.cfg_yield_random.val();
        self.core.cfg.yield_threshold.next = self.launch.cfg_yield_threshold.val();
        self.core.cfg.yield_seed.next = self.launch.cfg_yield_seed.val();
        self.core.cfg.path.next = self.launch.cfg_path.val();
        self.core.cfg.lanes.next = self.c_cfg_lanes.val();
        self.core.cfg.recenter.next = self.c_cfg_recenter.val();
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
        self.core.cfg_priority.next = self.launch.cfg_priority.val();
        self.core.spill_request.ready.next = self.memory_side.spill_request_ready.val();
        self.core.spill_response.valid.next = self.memory_side.spill_response_valid.val();
        self.core.spill_response.write.next = self.memory_side.spill_response_write.val();
        self.core.spill_response.tag.next = self.memory_side.spill_response_tag.val();
        self.core.spill_response.data.next = self.memory_side.spill_response_data.val();
        self.core.config_valid.next = self.c_config_valid.val();
        self.core.config_write.next = self.c_config_write.val();
        self.core.config_warp.next = self.c_config_warp.val();
        self.core.config_register.next = self.c_config_register.val();
        self.core.config_data.next = self.c_config_data.val();
    }
}

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WC: usize, const W: usize, const P: usize, const K: usize,
    const B: usize, const R: usize, const TA: usize, const M: usize, const SB: usize, const BA: usize,
    const HH: usize, const I: usize, const L: usize, const LI: usize, const LW: usize, const NP: usize,
    const PB: usize, const LA: usize, const RA: usize, const RB: usize, const FU: usize, const FL: usize,
    const FN: usize, const FB: usize, const LO: usize, const LN: usize,
    const CB: usize, const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize,
    const E: usize, const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize,
    const D: usize, const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize,
    const IT: usize, const IA: usize, const BC: usize, const NB: usize, const TS: usize, const SCRATCH: usize,
    const DN: usize, const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize,
    const DU: usize, const DW: usize,
> kernel::Part<Execution> for Compute<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.datapath.reset.next = self.reset.val();
        self.datapath.cfg_threshold.next = self.launch.cfg_miss_threshold.val();
        self.datapath.cfg_force.next = self.launch.cfg_mode_force.val();
        self.datapath.cfg_shared_from.next = self.launch.cfg_shared_from.val();
        // A read of a load hits, or misses and is fetched, or misses and goes past (SUBV-050).
        self.datapath.cache_valid.next = self.memory_side.events.val().get_bits::<3>(0).any();
        self.datapath.cache_miss.next = self.memory_side.events.val().get_bits::<2>(1).any();
        self.datapath.cache_regular.next = self.memory_side.regular.val();
        self.datapath.issue_valid.next = self.core.issue_valid[0].val();
        self.datapath.issue_warp.next = self.core.issue_warp[0].val();
        self.datapath.issue_pc.next = self.core.issue_pc[0].val();
        self.datapath.issue_mask.next = self.core.issue_mask[0].val();
        self.datapath.issue_word.next = self.core.issue_word[0].val();
        self.datapath.issue_decoded.next = self.core.issue_decoded[0].val();
        self.datapath.running.next = self.core.status_busy.val();
        self.datapath.kill.next = self.launch.kill.val();
        self.datapath.token_error.next = self.memory_side.spill_error.val();
        // {warp, place}.
        self.token_tag.next = self.memory_side.spill_response_tag.val() >> self.c_place_bits.val();
        self.datapath.token_error_warp.next = bit_cast::<WI, TA>(self.token_tag.val());
        self.datapath.line_valid.next = self.memory_side.line_valid.val();
        self.datapath.line_warp.next = self.memory_side.line_warp.val();
        self.datapath.line_slot.next = self.memory_side.line_slot.val();
        self.datapath.line_fault.next = self.memory_side.line_fault.val();
        self.datapath.decode_word0.next = self.core.decode_word0[0].val();
        self.datapath.decode_word1.next = self.core.decode_word1[0].val();
        self.datapath.counter_value.next = self.core.counter.value.val();
        self.datapath.op_valid.next = self.core.op_valid.val();
        self.datapath.op_ready.next = self.core.op_ready.val();
        self.datapath.op_code.next = self.core.op_code.val();
        self.datapath.op_warp.next = self.core.op_warp.val();
        self.datapath.op_cta.next = self.core.op_cta.val();
        self.datapath.op_block.next = self.core.op_block.val();
        self.datapath.cta_number.next = self.launch.cta_number.val();
        self.datapath.cta_first.next = self.launch.cta_first.val();
        self.datapath.cta_warp.next = self.launch.cta_warp.val();
        self.datapath.cta_threads.next = self.launch.cta_size.val();
        self.datapath.cta_x.next = self.launch.cta_x.val();
        self.datapath.cta_y.next = self.launch.cta_y.val();
        self.datapath.cta_z.next = self.launch.cta_z.val();
        self.datapath.grid_x.next = self.launch.grid_x.val();
        self.datapath.grid_y.next = self.launch.grid_y.val();
        self.datapath.grid_z.next = self.launch.grid_z.val();
        self.datapath.group_x.next = self.launch.group_x.val();
        self.datapath.group_y.next = self.launch.group_y.val();
        self.datapath.group_z.next = self.launch.group_z.val();
        self.datapath.grid_threads.next = self.launch.grid_threads.val();
        self.datapath.arguments.next = self.launch.arguments.val();
        self.datapath.stack_top.next = self.launch.stack_top.val();
        self.datapath.retire_valid.next = self.core.retire.valid.val();
        self.datapath.retire_warp.next = self.core.retire.warp.val();
        self.datapath.exception_valid.next = self.core.exception.valid.val();
        self.datapath.exception_warp.next = self.core.exception.warp.val();
        self.datapath.exception_cause.next = self.core.exception.cause.val();
        self.datapath.resolve_ready.next = self.core.resolve_ready.val();
        self.datapath.access_ready.next = self.memory_side.access_ready.val();
        self.datapath.result_valid.next = self.memory_side.result_valid.val();
        self.datapath.result_warp.next = self.memory_side.result_warp.val();
        self.datapath.result_part.next = self.memory_side.result_part.val();
        self.datapath.result_rd.next = self.memory_side.result_rd.val();
        self.datapath.result_mask.next = self.memory_side.result_mask.val();
        self.datapath.result_data.next = self.memory_side.result_data.val();
        self.datapath.complete_valid.next = self.memory_side.complete_valid.val();
        self.datapath.complete_warp.next = self.memory_side.complete_warp.val();
        self.datapath.complete_uses_rd.next = self.memory_side.complete_uses_rd.val();
        self.datapath.complete_rd.next = self.memory_side.complete_rd.val();
        self.datapath.access_fault_valid.next = self.memory_side.access_fault_valid.val();
        self.datapath.access_fault_warp.next = self.memory_side.access_fault_warp.val();
        self.datapath.access_fault_thread.next = self.memory_side.access_fault_thread.val();
        self.datapath.access_fault_pc.next = self.memory_side.access_fault_pc.val();
        self.datapath.access_fault_number.next = self.memory_side.access_fault_number.val();
        self.datapath.access_fault_cause.next = self.memory_side.access_fault_cause.val();
        self.datapath.access_fault_address.next = self.memory_side.access_fault_address.val();
        self.datapath.slots_free.next = self.memory_side.slots_free.val();
        self.datapath.pending.next = self.memory_side.pending.val();
    }
}

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WC: usize, const W: usize, const P: usize, const K: usize,
    const B: usize, const R: usize, const TA: usize, const M: usize, const SB: usize, const BA: usize,
    const HH: usize, const I: usize, const L: usize, const LI: usize, const LW: usize, const NP: usize,
    const PB: usize, const LA: usize, const RA: usize, const RB: usize, const FU: usize, const FL: usize,
    const FN: usize, const FB: usize, const LO: usize, const LN: usize,
    const CB: usize, const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize,
    const E: usize, const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize,
    const D: usize, const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize,
    const IT: usize, const IA: usize, const BC: usize, const NB: usize, const TS: usize, const SCRATCH: usize,
    const DN: usize, const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize,
    const DU: usize, const DW: usize,
> kernel::Part<Memory> for Compute<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory_side.reset.next = self.reset.val();
        AtomicPorts::link(&mut self.atomic, &mut self.memory_side.atomic);
        AxiPorts::<ID, D, DS>::link(&mut self.axi, &mut self.memory_side.axi);
        self.memory_side.cfg_memory_base.next = self.launch.cfg_memory_base.val();
        self.memory_side.cfg_memory_size.next = self.launch.cfg_memory_size.val();
        self.memory_side.cfg_local_base.next = self.launch.cfg_local_base.val();
        self.memory_side.cfg_local_bytes.next = self.launch.cfg_local_bytes.val();
        self.memory_side.cfg_scratchpad_bytes.next = self.launch.cfg_scratchpad_bytes.val();
        self.memory_side.start_valid.next = self.launch.start_valid.val();
        self.memory_side.start_warp.next = self.launch.start_warp.val();
        self.memory_side.start_base.next = self.launch.start_base.val();
        self.memory_side.scrub.next = self.scrub.val();
        self.scrubbing.next = self.memory_side.scrubbing.val();
        self.memory_side.flush.next = self.launch.flush.val();
        self.memory_side.forget.next = self.forget.val();
        self.memory_side.forget_text.next =
            self.forget_text.val() | self.datapath.forget_text.val();
        self.memory_side.access_valid.next = self.datapath.access_valid.val();
        self.memory_side.access_warp.next = self.datapath.access_warp.val();
        self.memory_side.access_part.next = self.datapath.access_part.val();
        self.memory_side.access_pc.next = self.datapath.access_pc.val();
        self.memory_side.access_first.next = self.datapath.access_first.val();
        self.memory_side.access_last.next = self.datapath.access_last.val();
        self.memory_side.access_op.next = self.datapath.access_op.val();
        self.memory_side.access_size.next = self.datapath.access_size.val();
        self.memory_side.access_signed.next = self.datapath.access_signed.val();
        self.memory_side.access_order.next = self.datapath.access_order.val();
        self.memory_side.access_uses_rd.next = self.datapath.access_uses_rd.val();
        self.memory_side.access_rd.next = self.datapath.access_rd.val();
        self.memory_side.access_mask.next = self.datapath.access_mask.val();
        self.memory_side.access_address.next = self.datapath.access_address.val();
        self.memory_side.access_data.next = self.datapath.access_data.val();
        self.memory_side.access_regular.next = self.datapath.access_regular.val();
        self.memory_side.result_ready.next = self.datapath.result_ready.val();
        self.memory_side.complete_ready.next = self.datapath.complete_ready.val();
        self.memory_side.access_fault_ready.next = self.datapath.access_fault_ready.val();
        self.memory_side.fetch_valid.next = self.core.fetch.valid.val();
        self.memory_side.fetch_warp.next = self.core.fetch.warp.val();
        self.memory_side.fetch_line.next = self.core.fetch.line.val();
        self.memory_side.spill_request_valid.next = self.core.spill_request.valid.val();
        self.memory_side.spill_request_write.next = self.core.spill_request.write.val();
        self.memory_side.spill_request_address.next = self.core.spill_request.address.val();
        self.memory_side.spill_request_data.next = self.core.spill_request.data.val();
        self.memory_side.spill_request_tag.next = self.core.spill_request.tag.val();
        self.memory_side.spill_response_ready.next = self.core.spill_response.ready.val();
    }
}
