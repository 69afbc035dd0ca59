//! The SM without what launches CTAs: warp control, datapath, load/store unit, caches and memory port. Wiring only.
//! A launcher (`weft_sm`) or a CTA port (`weft_gpu`) drives it.
//!
//! Spec and ports: `docs/spec/sm.md`, and the pages of its blocks.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//!
//! # Ports
//! `launch_*`: of what launches CTAs; `launch_active`: something is in flight (SM-014). `axi_*`: AXI4 manager.
//! `forget`, `forget_text`: the lines of the data cache, of the line cache are forgotten (GPU-030, GPU-032).
//! `scrub`, `scrubbing`: the scratchpad is cleared (MEM-008). `fetch_ahead`: the first line of a CTA that will come (MEM-054).
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

#[module(kernel(Trace, Warps, Execution, Memory))]
pub struct Compute {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// What launches CTAs.
    pub launch: LaunchedPorts,
    /// Pulse: the lines of the data cache are forgotten.
    pub forget: Signal<In, Bit>,
    /// Pulse: those of the line cache are.
    pub forget_text: Signal<In, Bit>,
    /// Pulse: the scratchpad is cleared; it is being cleared (MEM-008).
    pub scrub: Signal<In, Bit>,
    pub scrubbing: Signal<Out, Bit>,
    /// Pulse: the line at `launch.cta_pc` will be asked for (MEM-054).
    pub fetch_ahead: Signal<In, Bit>,
    /// Its memory.
    pub axi: AxiPorts,
    /// The read that it asks for is an LR's or AMO's.
    pub past: Signal<Out, Bit>,
    /// Others that write to its memory.
    pub atomic: AtomicPorts,
    /// INIT of a warp.
    pub init: InitPorts,
    /// A row is written.
    pub write: RowPorts,
    /// A fault.
    pub fault: FaultPorts,
    /// What selects the mode of `subv.auto` (SUBV-050).
    pub mode: ModePorts,
    /// Accesses take effect.
    pub effect: EffectPorts,
    /// An instruction has written its rows; four cycles later than the core gets it.
    pub done0: DonePorts,
    /// A second one.
    pub done1: DonePorts,
    /// An instruction is issued.
    pub issue: IssuePorts,
    /// An operation at the barrier unit.
    pub op: OpPorts,
    /// Its verdict.
    pub verdict: VerdictPorts,
    /// Warps that the barrier unit holds (CORE-015).
    pub hold: Signal<Out, Bits<WARPS>>,
    /// Threads wake.
    pub wake: WakePorts,
    /// Misuse of a barrier.
    pub error: ErrorPorts,
    /// What happens at a barrier.
    pub event: EventPorts,
    /// The timer of a barrier has run out.
    pub expired: ExpiredPorts,
    /// What has become of an operation.
    pub retire: RetirePorts,
    /// An exception of the core.
    pub exception: ExceptionPorts,
    /// Warps that run.
    pub status_busy: Signal<Out, Bits<WARPS>>,
    /// What the data cache does in this cycle (MEM-066).
    pub cache_events: Signal<Out, Bits<8>>,
    /// Warps of which a fault or an exception is known, until their slot is launched again (SM-022).
    pub faulted: Signal<Out, Bits<WARPS>>,
    #[sizes(
        LEVEL_BITS = 4, DUAL = 0, PARTITIONS = 1, PARTITION_WARPS = WARPS, PARTITION_WARP_BITS = WARP_BITS,
        PARTITION_HALF_BITS = HALF_BITS, PARTITION_COUNT_BITS = WARP_COUNT_BITS, PARTITION_COUNTER_BITS = COUNTER_BITS,
    )]
    core: Core,
    datapath: Datapath,
    memory_side: MemorySide,
    // State: what goes from one block to another a cycle later, as it is known late.
    forgets: DFF<Bit>,
    active: DFF<Bit>,
    cache_valid: DFF<Bit>,
    cache_miss: DFF<Bit>,
    cache_regular: DFF<Bit>,
    token_tag: Signal<Local, Bits<TAG_BITS>>,
    #[value(((TAG_BITS - WARP_BITS) as u64).into())]
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
    c_config_warp: Constant<Bits<WARP_BITS>>,
    #[value(0.into())]
    c_config_register: Constant<Bits<4>>,
    #[value(0.into())]
    c_config_data: Constant<Bits<32>>,
    #[value(0.into())]
    c_where_warp: Constant<Bits<WARP_BITS>>,
    #[value(0.into())]
    c_find_cta: Constant<Bits<4>>,
    #[value(0.into())]
    c_find_block: Constant<Bits<WARP_BITS>>,
    #[value((LANE_BITS as u64).into())]
    c_cfg_lanes: Constant<Bits<3>>,
}

#[part(Compute, Trace)]
fn update(&mut self) {
    carry!(self.issue <- self.core.issue_*[0]: valid, warp, pc, mask, word, decoded);
    carry!(self.op <- self.core.op_*: valid, ready, code, warp, cta, block, threads);
    carry!(self.verdict <- self.core.verdict_*: valid, ready, warp, op, mask, pc);
    self.hold.next = self.core.hold.val();
    carry!(self.wake <- self.core.wake_*: valid, ready);
    self.verdict.taken.next = self.core.verdict_taken.val();
    carry!(self.wake <- self.core.wake_*: taken, warp, mask, pc);
    self.status_busy.next = self.core.status_busy.val();
    self.cache_events.next = self.memory_side.events.val();
    self.faulted.next = self.datapath.faulted.val();
    InitPorts::<WARP_BITS>::link(&mut self.init, &mut self.datapath.init);
    RowPorts::<WARP_BITS, PART_BITS, LANES, ROW_WIDTH>::link(
        &mut self.write,
        &mut self.datapath.write,
    );
    FaultPorts::<WARP_BITS>::link(&mut self.fault, &mut self.datapath.fault);
    ModePorts::<WARP_BITS>::link(&mut self.mode, &mut self.datapath.select);
    EffectPorts::<WARP_BITS, PART_BITS, LANES, ROW_WIDTH>::link(
        &mut self.effect,
        &mut self.memory_side.effect,
    );
    DonePorts::<WARP_BITS>::link(&mut self.done0, &mut self.datapath.trace_done0);
    DonePorts::<WARP_BITS>::link(&mut self.done1, &mut self.datapath.trace_done1);
    ErrorPorts::<WARP_BITS, THREADS>::link(&mut self.error, &mut self.core.error);
    EventPorts::link(&mut self.event, &mut self.core.event);
    ExpiredPorts::link(&mut self.expired, &mut self.core.expired);
    RetirePorts::<WARP_BITS, THREADS>::link(&mut self.retire, &mut self.core.retire);
    ExceptionPorts::<WARP_BITS>::link(&mut self.exception, &mut self.core.exception);

    // ---- What launches CTAs is told.
    self.active.d.next = self.core.status_busy.val().any()
        | self.core.status_moving.val().any()
        | self.core.status_flight.val().any()
        | self.core.op_valid.val()
        | self.memory_side.pending.val().any()
        | self.datapath.busy.val()
        | !self.memory_side.fetch_idle.val()
        | !self.memory_side.memory_idle.val();
    if self.reset.val() {
        self.active.d.next = false;
    }
    carry!(self.launch <- self.*.q: active);
    carry!(self.launch <- self.core:
        cta_ready, cta_done, cta_done_id, cta_done_failed, op_valid, op_ready, op_code, op_warp,
    );
    carry!(self.launch.fault_* <- self.datapath.fault: valid, warp, thread, pc, cause, address);
    carry!(self.launch.exception_* <- self.core.exception: valid, warp, pc, cause);
}

#[part(Compute, Warps)]
fn update(&mut self) {
    self.core.reset.next = self.reset.val();
    carry!(self.core <- self.launch: cfg_level_mix, cfg_token_base, cfg_token_size, cfg_slots);
    carry!(self.core <- self.launch: cta_valid, cta_pc, cta_threads, cta_level, cta_id);
    carry!(self.core <- self.datapath: program_valid, program_warp, program_level);
    carry!(self.core <- self.c_*: where_warp, find_cta, find_block);
    carry!(self.core <- self.launch: cfg_policy, flush);
    self.core.fetch.ready.next = self.memory_side.fetch_ready.val();
    carry!(self.core.line <- self.memory_side.line_*: valid, warp, slot, data);
    carry!(self.core.*[0] <- self.datapath: decode0, decode1);
    carry!(self.core.done0_*[0] <- self.datapath.done0: valid, warp, rd);
    carry!(self.core.done1_*[0] <- self.datapath.done1: valid, warp, rd);
    carry!(self.core.counter <- self.c_counter_*: clear, hold);
    self.core.counter.select.next = self.datapath.counter_select.val();
    self.core.cfg_interval.next = self.c_cfg_interval.val();
    self.core.unit_ready.next = self.datapath.unit_ready.val();
    carry!(self.core.cfg <- self.launch.cfg_*:
        yield_every, forced_yield, yield_random, yield_threshold, yield_seed, path,
    );
    carry!(self.core.cfg <- self.c_cfg_*: lanes, recenter);
    carry!(self.core <- self.datapath:
        resolve_valid, resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target,
        resolve_pc, resolve_active, resolve_id, resolve_word,
    );
    self.core.cfg_priority.next = self.launch.cfg_priority.val();
    self.core.spill_request.ready.next = self.memory_side.spill_request_ready.val();
    carry!(self.core.spill_response <- self.memory_side.spill_response_*: valid, write, tag, data);
    carry!(self.core <- self.c_*:
        config_valid, config_write, config_warp, config_register, config_data,
    );
}

#[part(Compute, Execution)]
fn update(&mut self) {
    self.datapath.reset.next = self.reset.val();
    self.datapath.cfg_threshold.next = self.launch.cfg_miss_threshold.val();
    carry!(self.datapath <- self.launch: cfg_force = cfg_mode_force, cfg_shared_from);
    // A read of a load hits, or misses and is fetched, or misses and goes past (SUBV-050).
    self.cache_valid.d.next = self.memory_side.events.val().get_bits::<3>(0).any();
    self.cache_miss.d.next = self.memory_side.events.val().get_bits::<2>(1).any();
    self.cache_regular.d.next = self.memory_side.regular.val();
    carry!(self.datapath.cache_* <- self.cache_*.q: valid, miss, regular);
    carry!(self.datapath <- self.core.*[0]:
        issue_valid, issue_warp, issue_pc, issue_mask, issue_word, issue_decoded,
    );
    self.datapath.running.next = self.core.status_busy.val();
    self.datapath.kill.next = self.launch.kill.val();
    self.datapath.token_error.next = self.memory_side.spill_error.val();
    // {warp, place}.
    self.token_tag.next = self.memory_side.spill_response_tag.val() >> self.c_place_bits.val();
    self.datapath.token_error_warp.next = bit_cast::<WARP_BITS, TAG_BITS>(self.token_tag.val());
    carry!(self.datapath <- self.memory_side: line_valid, line_warp, line_slot, line_fault);
    carry!(self.datapath <- self.core.*[0]: decode_word0, decode_word1);
    self.datapath.counter_value.next = self.core.counter.value.val();
    carry!(self.datapath <- self.core: op_valid, op_ready, op_code, op_warp, op_cta, op_block);
    carry!(self.datapath <- self.launch:
        cta_number, cta_first, cta_warp, cta_threads = cta_size, cta_x, cta_y, cta_z, grid_x,
        grid_y, grid_z, group_x, group_y, group_z, grid_threads, arguments, stack_top,
    );
    carry!(self.datapath.retire_* <- self.core.retire: valid, warp);
    carry!(self.datapath.exception_* <- self.core.exception: valid, warp, cause);
    self.datapath.resolve_ready.next = self.core.resolve_ready.val();
    carry!(self.datapath <- self.memory_side:
        access_ready, result_valid, result_warp, result_part, result_rd, result_mask,
        result_data, complete_valid, complete_warp, complete_uses_rd, complete_rd,
        access_fault_valid, access_fault_warp, access_fault_thread, access_fault_pc,
        access_fault_number, access_fault_cause, access_fault_address, slots_free, pending,
    );
}

#[part(Compute, Memory)]
fn update(&mut self) {
    carry!(self.memory_side <- self: reset, scrub, forget, ahead_valid = fetch_ahead);
    carry!(self <- self.memory_side: past, scrubbing);
    AtomicPorts::link(&mut self.atomic, &mut self.memory_side.atomic);
    AxiPorts::<ID_BITS, DATA, STROBES>::link(&mut self.axi, &mut self.memory_side.axi);
    carry!(self.memory_side <- self.launch:
        cfg_memory_base, cfg_memory_size, cfg_local_base, cfg_local_bytes, cfg_scratchpad_bytes,
        start_valid, start_warp, start_base,
    );
    self.memory_side.flush.next = self.launch.flush.val();
    self.forgets.d.next = self.datapath.forget_text.val();
    if self.reset.val() {
        self.forgets.d.next = false;
    }
    self.memory_side.forget_text.next = self.forget_text.val() | self.forgets.q.val();
    carry!(self.memory_side <- self.datapath:
        access_valid, access_warp, access_part, access_pc, access_first, access_last, access_op,
        access_size, access_signed, access_order, access_uses_rd, access_rd, access_mask,
        access_address, access_data, access_regular, result_ready, complete_ready,
        access_fault_ready,
    );
    carry!(self.memory_side.fetch_* <- self.core.fetch: valid, warp, line);
    self.memory_side.ahead_line.next = self.launch.cta_pc.val().get_bits::<18>(4);
    carry!(self.memory_side.spill_request_* <- self.core.spill_request:
        valid, write, address, data, tag,
    );
    self.memory_side.spill_response_ready.next = self.core.spill_response.ready.val();
}
